"""Marks of your own, with and without "all marks are given"."""

from __future__ import annotations

from itertools import combinations, product

import pytest

import csp_sudoku as cs
from csp_sudoku import formats
from csp_sudoku.pictures.render import render_svg

FOUR = cs.Puzzle.blank(4)


def five_or_ten(a, b):
    return a + b in (5, 10)


def dot(a, b):
    return abs(a - b) == 1 or a == 2 * b or b == 2 * a


def test_the_dots_and_letters_of_the_library_are_marks():
    """With all marks of a known grid, and with some of them, the two ways agree."""
    grid = next(iter(cs.solutions(FOUR, seed=4)))
    for predicate, sign, negative in (
        (five_or_ten, lambda e: cs.PairSum(e, [5, 10]), cs.NegativeXV()),
        (dot, lambda e: cs.Difference(e) | cs.Ratio(e), cs.NegativeKropki()),
    ):
        marked = [e for e in FOUR.edges() if predicate(*[grid[cell] for cell in e])]
        for chosen in (marked, marked[1:], marked[:3], []):
            mine = [cs.Mark(edge, predicate, "m") for edge in chosen]
            usual = [sign(edge) for edge in chosen]
            found = cs.count(FOUR.add(*mine, cs.unmarked("m", predicate))).value
            assert found == cs.count(FOUR.add(*usual, negative)).value
            assert chosen != marked or found > 0


@pytest.mark.parametrize("backend", ["sat", "cpsat", "search", "dlx", "lp"])
def test_backends_agree_with_the_oracle(backend):
    def crosswise(a, b, c, d):
        return a + d == b + c

    grid = next(iter(cs.solutions(FOUR.with_givens({"R3C1": 3}), "sat", seed=1)))
    fitting = [c for c in FOUR.corners() if crosswise(*[grid[cell] for cell in c])]
    marks = [cs.Mark(corner, crosswise, "×") for corner in fitting]
    puzzle = FOUR.add(*marks, cs.unmarked("×", crosswise), cs.Mark("R3C1", lambda a: a > 2, "o"))
    assert cs.count(puzzle, backend).value == cs.count(puzzle, "brute").value > 0


def test_a_mark_in_an_or_marks_its_edge_only_if_all_parts_do():
    edge, other = "R1C1 R1C2", "R2C1 R2C2"
    either = cs.PairSum(edge, 3) | cs.PairSum(edge, 7)
    swapped = cs.PairSum(edge, 3) | cs.PairSum("R1C2 R1C1", 7)
    negative = cs.NegativeXV((3, 7))
    several = cs.PairSum(edge, [3, 7])
    wanted = cs.count(FOUR.add(several, negative)).value
    assert cs.count(FOUR.add(either, negative)).value == wanted
    assert cs.count(FOUR.add(swapped, negative)).value == wanted
    assert cs.count(FOUR.add(either, negative), "brute").value == wanted
    for unsure in (
        cs.PairSum(edge, 3) | cs.PairSum(other, 7),
        cs.PairSum(edge, 3) | cs.AntiKnight(),
        ~cs.PairSum(edge, 3),
    ):
        with pytest.raises(cs.ConstraintError, match="inside an 'or' or a 'not'"):
            FOUR.add(unsure, negative)


def test_values_come_in_reading_order():
    first = cs.Mark("R2C1 R1C1", lambda a, b: a == 1 and b == 2)
    assert first.cells == cs.cells("R1C1 R2C1")
    assert {s["R1C1"] for s in cs.solutions(FOUR.add(first))} == {1}
    corner = cs.Mark("R2C2 R1C1 R2C1 R1C2", lambda a, b, c, d: (a, b, c, d) == (1, 2, 3, 4))
    assert {s.text[:2] for s in cs.solutions(FOUR.add(corner))} == {"12"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.Mark("R1C1 R2C2", dot), "two cells that share an edge, or the four"),
        (lambda: cs.Mark("R1C1-R1C3", dot), "two cells that share an edge"),
        (lambda: cs.Mark("R1C1", dot), "its predicate must take 1 value"),
        (lambda: cs.Mark("R1C1 R1C2", 5), "its predicate must be a function or a text .*, not 5"),
        (lambda: cs.unmarked("m", lambda a, b, c: True), "must take 1, 2 or 4 values"),
        (lambda: cs.unmarked("m", dot, "sides"), "its on must be one of cells, edges, corners"),
        (lambda: FOUR.add(cs.Mark("R1C1", bool, "m"), cs.unmarked("m", dot)), "stands on 1 cells"),
    ],
)
def test_what_is_no_mark_is_refused(make, message):
    with pytest.raises(cs.ConstraintError, match=message):
        make()


def test_marks_are_drawn_and_documents_hold_their_texts():
    marks = [cs.Mark("R1C1 R1C2", dot, "★"), cs.Mark("R1C1 R1C2 R2C1 R2C2", lambda *v: True, "c")]
    svg = render_svg(FOUR.add(*marks, cs.Mark("R4C4", bool, "q"), cs.unmarked("★", dot)))
    assert all(f">{sign}<" in svg for sign in "★cq")
    assert "All marks ★ are given" in svg
    with pytest.raises(cs.FormatError, match="its predicate is a Python function"):
        formats.write_json(FOUR.add(*marks))
    told = FOUR.add(cs.Mark("R1C1 R1C2", "a + b == 5", "★"), cs.unmarked("★", "a + b == 5"))
    assert formats.read(formats.write_json(told)) == told
    assert "the mark ★: a + b == 5" in render_svg(told)


# Geometry

SHAPES = [
    cs.Puzzle.blank(4),
    cs.Puzzle.blank(3, 7, box=None),
    cs.Puzzle.blank(7, 2, box=None, values=range(8)),
    cs.Puzzle.overlapping(
        cs.Grid(4, 4, (1, 2, 3, 4), box=(2, 2), top=top, left=top) for top in (0, 2)
    ),
]


@pytest.mark.parametrize("puzzle", SHAPES, ids=repr)
def test_neighbours_edges_and_corners(puzzle):
    def apart(a, b):
        return tuple(sorted((abs(a.row - b.row), abs(a.col - b.col))))

    wanted = {"orthogonal": {(0, 1)}, "diagonal": {(1, 1)}, "king": {(0, 1), (1, 1)}}
    wanted |= {"knight": {(1, 2)}, (0, 3): {(0, 3)}}
    for move, distances in wanted.items():
        for cell in puzzle.cells:
            near = [other for other in puzzle.cells if apart(cell, other) in distances]
            assert list(puzzle.neighbours(cell, move)) == near
    pairs = [(a, b) for a, b in combinations(puzzle.cells, 2) if apart(a, b) == (0, 1)]
    assert sorted(puzzle.edges()) == pairs
    for corner in puzzle.corners():
        assert sorted(corner) == list(corner)
        assert apart(corner[0], corner[3]) == apart(corner[1], corner[2]) == (1, 1)
    squares = sum(
        all(puzzle.has(cs.Cell(r + i, c + j)) for i in (0, 1) for j in (0, 1))
        for r, c in puzzle.cells
    )
    assert len(puzzle.corners()) == squares
    for cell in puzzle.cells:
        assert all(cell in house.cells for house in puzzle.houses_of(cell))
        assert puzzle.ray(cell, "E")[0] == cell


def texts(cells):
    return " ".join(map(str, cells))


def test_rays_and_lines():
    nine = cs.Puzzle.blank(9)
    assert nine.ray("R2C1", "SE") == nine.ray("R1C0", "SE") == nine.line("R2C1-R9C8")
    assert nine.ray("R9C8", "NW") == nine.ray("R10C9", "NW") == nine.line("R9C8 R2C1")
    assert nine.ray("R0C3", "S") == nine.column(2)
    assert texts(nine.line("R1C1-R1C3-R3C1")) == "R1C1 R1C2 R1C3 R2C2 R3C1"
    assert nine.line("R4C4") == cs.cells("R4C4")
    loop = nine.line("R1C1 R1C3 R3C3 R3C1 R1C1")
    assert len(loop) == 9
    assert loop[0] == loop[-1]
    for bad in (
        lambda: nine.line("R1C1 R2C4"),
        lambda: nine.line("R1C1 R1C10"),
        lambda: nine.ray("R0C0", "N"),
        lambda: nine.ray("R1C1", "up"),
        lambda: nine.neighbours("R1C1", "rook"),
        lambda: nine.neighbours("R10C1"),
        lambda: nine.neighbours("$x"),
        lambda: nine.neighbours("R1C1", (0, 0)),
        lambda: nine.houses_of("R0C1"),
        lambda: nine.ray("$x", "N"),
    ):
        with pytest.raises(cs.CspSudokuError):
            bad()


TEXTS = {
    "a % 2 == 1": lambda a, *_: a % 2 == 1,
    "a + b in [5, 6] or abs(a - b) == 3": lambda a, b, *_: a + b in (5, 6) or abs(a - b) == 3,
    "b > 2 * a and not b == 3": lambda a, b, *_: b > 2 * a and b != 3,
    "a + d == b + c": lambda a, b, c, d: a + d == b + c,
    "max(a, b, c) == d // 1 or count(x > 2 for x in [a, b, c, d]) == 3": lambda a, b, c, d: (
        max(a, b, c) == d or sum(x > 2 for x in (a, b, c, d)) == 3
    ),
    "1 == 1": lambda *_: True,
    "a != a": lambda *_: False,
}
PLACES = {"cells": "R2C2", "edges": "R3C2 R4C2", "corners": "R1C2 R1C3 R2C2 R2C3"}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_means_what_the_function_means(text):
    """On cells, edges and corners; alone, and with all other places unmarked."""
    from csp_sudoku.language.predicates import Condition

    grid = cs.Puzzle.blank(4, box=None, values=range(1, 5)).with_givens({"R1C1": 1, "R2C1": 2})
    for on, cells in PLACES.items():
        size = len(cells.split())
        if Condition(text).arity > size:
            with pytest.raises(cs.ConstraintError, match="values, but there"):
                cs.Mark(cells, text, "m")
            continue
        for row in product(range(1, 5), repeat=size):
            assert cs.Mark(cells, text).accepts(row) == bool(TEXTS[text](*row))
        for backend in ("sat", "search", "cpsat"):
            said, called = (
                grid.add(cs.Mark(cells, how, "m"), cs.Unmarked("m", how, on))
                for how in (text, _of(size, TEXTS[text]))
            )
            assert cs.count(said, backend, limit=60).value == cs.count(called, limit=60).value


def _of(size, function):
    names = ", ".join("abcd"[:size])
    return eval(f"lambda {names}: function({names})", {"function": function})


def test_a_text_says_where_its_marks_stand():
    texts = {"a > 1": "cells", "a > b": "edges", "a > c": "corners", "a > d": "corners"}
    assert {text: cs.unmarked("m", text).on for text in texts} == texts
    assert cs.unmarked("m", "a > 1", "corners").on == "corners"
    with pytest.raises(cs.ConstraintError, match="unmarked m: its predicate must take 1, 2 or 4"):
        cs.unmarked("m", "a > e")
    with pytest.raises(cs.ConstraintError, match="unmarked m: .*about 4 values, but there are 2"):
        cs.unmarked("m", "a > d", "edges")
