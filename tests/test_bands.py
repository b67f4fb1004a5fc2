"""Counting by bands: known numbers, other ways to count, and symmetric copies."""

from __future__ import annotations

import random

import pytest

import csp_sudoku as cs
from csp_sudoku.counting import count as counting
from csp_sudoku.counting.bands import count_by_bands


def givens(seed, number):
    """Some cells of a random solution, as rows of text."""
    chance = random.Random(seed)
    text = cs.random_solution(cs.Puzzle.blank(9), seed=seed).text
    kept = chance.sample(range(81), number)
    line = "".join(value if i in kept else "." for i, value in enumerate(text))
    return [line[i : i + 9] for i in range(0, 81, 9)]


def puzzle(rows):
    return cs.read("".join(rows))


def copy(rows, chance):
    """A copy with lines, bands, stacks and digits in another order, and perhaps turned."""

    def shuffled(lines):
        bands = [chance.sample(lines[i : i + 3], 3) for i in (0, 3, 6)]
        return [line for band in chance.sample(bands, 3) for line in band]

    for _ in range(2):
        rows = ["".join(column) for column in zip(*shuffled(rows), strict=True)]
    if chance.random() < 0.5:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    digits = "".join(chance.sample("123456789", 9))
    return [row.translate(str.maketrans("123456789", digits)) for row in rows]


@pytest.mark.parametrize("seed", range(3))
def test_it_agrees_with_counting_one_by_one(seed):
    asked = puzzle(givens(seed, 21 + 3 * seed))
    chance = random.Random(seed)
    for cell in chance.sample(asked.cells, 5):
        asked = asked.add(cs.IsOneOf(cell, chance.sample(range(1, 10), 6)))
    asked = asked.add(cs.KillerCage("R1C1 R1C2 R2C1"))  # says no more than the box
    assert count_by_bands(asked.graph) == int(cs.count(asked, "boards"))


# What no given tells apart: digits, columns, rows, and some of each.
@pytest.mark.parametrize(
    "hidden",
    [
        lambda row, column, digit: digit in "6789",
        lambda row, column, digit: column in (1, 2, 6, 7, 8),
        lambda row, column, digit: row in (3, 4, 5, 7, 8),
        lambda row, column, digit: digit in "12" or row in (0, 1) or column in (4, 5),
    ],
)
def test_interchangeable_digits_and_lines(hidden):
    for seed in range(2):
        rows = [
            "".join("." if hidden(r, c, digit) else digit for c, digit in enumerate(row))
            for r, row in enumerate(givens(seed, 70))
        ]
        assert count_by_bands(puzzle(rows).graph) == int(cs.count(puzzle(rows), "boards"))


@pytest.mark.parametrize("number", [13, 15, 18])
def test_symmetric_copies(number):
    chance = random.Random(number)
    rows = givens(number, number)
    counts = {count_by_bands(puzzle(copy(rows, chance)).graph) for _ in range(4)}
    assert len(counts) == 1


@pytest.mark.parametrize(
    ("rows", "number"),
    [
        (["123456789", "456789123", "789123456"], 7_802_998_272),
        (["11......."], 0),
    ],
)
def test_known_numbers(rows, number):
    found = cs.count(puzzle([*rows, *["." * 9] * (9 - len(rows))]), "bands")
    assert (int(found), found.backend) == (number, "bands")


def test_count_takes_it(monkeypatch):
    monkeypatch.setattr(counting, "_PATIENCE", 0.0)
    found = cs.count(puzzle(givens(1, 15)), timeout=200)
    assert (found.complete, found.backend) == (True, "bands")


def test_what_it_does_not_count():
    for other in (cs.Puzzle.blank(4), cs.Puzzle.blank(9).add(cs.AntiKing())):
        with pytest.raises(cs.BudgetError, match="bands are for a 9×9"):
            cs.count(other, "bands")
    with pytest.raises(cs.BudgetError, match="bands counts whole solutions"):
        cs.count(cs.Puzzle.blank(9), "bands", of="R1C1")
    found = cs.count(cs.Puzzle.blank(9), "bands", timeout=0.1)
    assert (found.complete, found.reason) == (False, "time ran out")
