"""Nested lists and arrays."""

import itertools

import numpy as np
import pytest

import csp_sudoku as cs
from csp_sudoku.formats import read

WANTED = read("0100 3001 4002 0040")
ROWS = [[0, 1, 0, 0], [3, 0, 0, 1], [4, 0, 0, 2], [0, 0, 4, 0]]


@pytest.mark.parametrize(
    "rows",
    [
        ROWS,
        [[value or None for value in row] for row in ROWS],
        tuple(map(tuple, ROWS)),
        [value for row in ROWS for value in row],
        (iter(row) for row in ROWS),
        np.array(ROWS),
        np.array(ROWS, dtype=np.uint8),
        np.array(ROWS).ravel(),
        [np.array(row) for row in ROWS],
        [[str(value) for value in row] for row in ROWS],
        np.array([[str(value) for value in row] for row in ROWS]),
        [".1..", "3..1", "4..2", "..4."],
        ["0100300140020040"],
    ],
    ids=lambda rows: type(rows).__name__,
)
def test_rows_in_many_forms(rows):
    assert read(rows) == WANTED


def test_large_values_and_other_shapes():
    assert read([[16, *[0] * 15], *[[0] * 16] * 15]).givens == {cs.Cell(0, 0): 16}
    assert read([[0, 7], [0, 0]], values=(0, 7)).givens[cs.Cell(0, 1)] == 7
    assert read([[1, 0, 0], [0, 0, 0]], size=(2, 3)).grids[0].columns == 3


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "empty"),
        ([[]], "empty"),
        ([[1, 2, 3, 4], [1, 2, 3]], "row 2 has 3 cells where 4 are needed"),
        ([[1, 2], [1, 2], [1, 2]], "3 rows of 2 cells; a 2×2 grid has 2"),
        ([1, 2, 3], "3 cells"),
        ([[1, 2.0], [0, 0]], "2.0 is not a cell"),
        ([[1, float("nan")], [0, 0]], "nan is not a cell"),
        ([[True, 0], [0, 0]], "True is not a cell"),
        ([[1, "12"], [0, 0]], "'12' is not a cell"),
        ([[[1], [2]], [[3], [4]]], r"\[1\] is not a cell"),
        ([[1, 2], 3], "row 2: 3 is not a row of cells"),
        ([{1: 2}, {3: 4}], "row 1: .* is not a row of cells"),
        ({"R1C1": 5}, "not a row"),
        (np.zeros((2, 2)), "0.0.* is not a cell"),
        (np.zeros((2, 2, 2), dtype=int), "is not a cell"),
        (np.array(5), "is not a"),
        (5, "5 is not a puzzle; give text, a Path, or rows"),
        (None, "None is not a puzzle"),
        (itertools.repeat(0), "more cells than the largest grid"),
        ([itertools.repeat(0)], "row 1: more cells"),
        ([[0, None, *[1] * 14], *[[None] * 16] * 15], "0 may be a blank .* or a value"),
        ([[10**5000, 0], [0, 0]], "a number of 16610 bits is not a cell"),
    ],
    ids=lambda value: "" if isinstance(value, list) else None,
)
def test_what_is_refused(rows, message):
    with pytest.raises(cs.CspSudokuError, match=message):
        read(rows)
