"""The laws notice when they are broken: a solver that lies of every puzzle but the first."""

from random import Random

import pytest

import csp_sudoku as cs
from csp_sudoku.fuzzing.laws import LAWS, Solve

FOUR = cs.Puzzle.blank(4)
PUZZLE = FOUR.add(cs.Palindrome("R1C1 R2C3"), cs.NotEqual("R1C2 R3C4")).with_givens(
    {"R1C1": [2, 4], "R4C4": [3, 4]}
)
# Those that look at one puzzle only are told of a fault in another way.
SINGLE = {"splitting", "objecting", "clashing", "consistency", "sentences"}


class Liar(Solve):
    """Says that no other puzzle has a solution."""

    def __call__(self, puzzle):
        return super().__call__(puzzle) if puzzle == PUZZLE else frozenset()


class Forger(Solve):
    """Gives a grid that is no solution."""

    def __call__(self, puzzle):
        values = dict.fromkeys(puzzle.variables, 1)
        return frozenset([cs.Solution(values, puzzle)])


@pytest.mark.parametrize("name", sorted(LAWS.keys() - SINGLE - {"documents", "fpuzzles"}))
def test_what_is_missing_is_noticed(name):
    kept = LAWS[name](PUZZLE, Random(1), Solve("sat"))
    assert kept == ""
    assert any(LAWS[name](PUZZLE, Random(choice), Liar("sat")) for choice in range(5))


@pytest.mark.parametrize("name", ["splitting", "clashing", "consistency"])
def test_what_is_no_solution_is_noticed(name):
    assert LAWS[name](PUZZLE, Random(1), Solve("sat")) == ""
    assert any(LAWS[name](PUZZLE, Random(choice), Forger("sat")) for choice in range(5))


def test_a_wrong_objection_is_noticed():
    puzzle = FOUR.add(cs.KillerCage("R1C1 R1C2", 99))
    assert LAWS["objecting"](puzzle, Random(1), Solve("sat")) == ""
    assert "in spite of" in LAWS["objecting"](puzzle, Random(1), Forger("sat"))
    assert LAWS["objecting"](FOUR, Random(1), Solve("sat")) is None


def test_a_rule_that_says_nothing_is_noticed(monkeypatch):
    monkeypatch.setattr(cs.NotEqual, "describe", lambda self, puzzle: "")
    assert "NotEqual says" in LAWS["sentences"](PUZZLE, Random(1), Solve("sat"))


def test_a_puzzle_that_is_not_read_as_it_was_written_is_noticed(monkeypatch):
    from csp_sudoku.fuzzing import laws

    monkeypatch.setattr(laws, "read", lambda text: FOUR)
    assert "another puzzle" in LAWS["documents"](PUZZLE, Random(1), Solve("sat"))
