"""Count the solutions of a 9×9 grid with few givens by its bands.

A box divides the nine digits in two ways: into three sets by its rows, and into three by its
columns. Boxes in a band know of each other only by rows, boxes in a stack only by columns. So, for
three divisions by columns, the grids of a band are counted without looking at the other bands; and
a triple of divisions goes with a stack if no digit is twice in a column. The number of solutions is
the sum, over all triples of the three stacks, of the product of the grids of the three bands
(Felgenhauer and Jarvis count the 9×9 grids much like this).

There are 94,080 triples for a stack without givens; each given leaves about a third. Triples that
differ by the names of digits, or by the order of columns, that no given tells apart count once.

References
----------
B. Felgenhauer and F. Jarvis: Mathematics of Sudoku I. Mathematical Spectrum 39, 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import prod
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from csp_encodings.errors import BudgetError
from csp_encodings.factors import AllDifferent, Relation
from csp_encodings.graph import factors
from csp_encodings.jit import announced
from csp_encodings.sweep import Planner
from csp_encodings.watch import look, watched
from csp_sudoku.cells import Cell
from csp_sudoku.kernels.bands import LIMB, Band, Lists, fill_band, join

Numbers = NDArray[Any]

# Products between two looks at the clock.
_SLICE = 20_000_000
_PLAIN = "bands are for a 9×9 with rows, columns and 3×3 boxes, and no other rule"
_ORDERS = [*permutations(range(3))]


def count_by_bands(graph: nx.Graph, deadline: float | None = None) -> int:
    """Count the solutions of a graph that is a 9×9 Sudoku with any candidates and no further rule.

    Raises :class:`OutOfTime`, and :class:`BudgetError` if the graph is something else.

    Examples
    --------
    >>> from csp_sudoku import read
    >>> givens = "123456789456789123789123456" + 54 * "."
    >>> count_by_bands(read(givens).graph)
    7802998272
    """
    masks = _masks(graph)
    if not masks.all():
        return 0
    with watched(deadline):
        tables = _make_tables()
        boxes = [
            [_grids(tables, masks[r : r + 3, c : c + 3]) for c in (0, 3, 6)] for r in (0, 3, 6)
        ]
        turned = [[box.turned() for box in stack] for stack in zip(*boxes, strict=True)]
        # Rows may be taken for columns, and any stack may be the first: that is a matter of time.
        plans = [
            _Plan(tables, way, those, order)
            for way, those in ((masks, boxes), (masks.T, turned))
            for order in ((0, 1, 2), (1, 0, 2), (2, 0, 1))
        ]
        with announced("the kernels that count by bands"):
            return min(plans, key=lambda plan: plan.cost).count()


def _masks(graph: nx.Graph) -> Numbers:
    """The candidates of each cell as bits, all zero if there is no solution at a glance."""
    cells = [Cell(row, col) for row in range(9) for col in range(9)]
    index = np.arange(81).reshape(9, 9)
    boxes = index.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
    houses = {frozenset(cells[i] for i in house) for house in (*index, *index.T, *boxes)}
    # The planner takes what is about one cell into account.
    rest = [
        f
        for f in factors(graph).values()
        if f.scope and not (isinstance(f, Relation) and f.first == f.second)
    ]
    sets = {frozenset(f.scope) for f in rest if isinstance(f, AllDifferent)}
    # A set within a house says nothing new.
    within = all(any(one <= house for house in houses) for one in sets)
    if not (houses <= sets and within and all(isinstance(f, AllDifferent) for f in rest)):
        raise BudgetError(_PLAIN)
    planner = Planner(graph)
    if {*planner.mask} != {*cells} or len(planner.values) != 9:
        raise BudgetError(_PLAIN)
    if not planner.solvable:
        return np.zeros((9, 9), np.int16)
    return np.array([planner.mask[cell] for cell in cells], np.int16).reshape(9, 9)


class _Tables(NamedTuple):
    """What is the same for all grids.

    Attributes
    ----------
    columns
        The 1680 divisions of nine digits into three columns: the column of each digit.
    triples
        The triples of them in which each digit is once in each column.
    turned
        For each order of the columns the number of each division with the columns in that order.
    grids
        The 9! grids of a box: the bits of the nine cells,
    by_rows, by_columns
        and their divisions.
    """

    columns: Numbers
    triples: Numbers
    turned: Numbers
    grids: Numbers
    by_rows: Numbers
    by_columns: Numbers


def _make_tables() -> _Tables:
    powers = 3 ** np.arange(9)
    digits = np.arange(3**9)[:, None] // powers % 3
    columns = digits[((digits == 1).sum(axis=1) == 3) & ((digits == 2).sum(axis=1) == 3)]
    number = np.full(3**9, -1)
    number[columns @ powers] = np.arange(len(columns))
    first, second = np.nonzero((columns[:, None] != columns[None]).all(axis=2))
    # In the third division of a triple each digit is in the column that the others leave.
    third = number[(3 - columns[first] - columns[second]) @ powers]
    turned = np.array([number[np.array(order)[columns] @ powers] for order in _ORDERS])
    places = _permutations(9)
    return _Tables(
        columns,
        np.column_stack([first, second, third]),
        turned,
        (1 << np.argsort(places, axis=1)).astype(np.int16),
        number[places // 3 @ powers],
        number[places % 3 @ powers],
    )


def _permutations(number: int) -> Numbers:
    if number == 0:
        return np.zeros((1, 0), np.int8)
    shorter = _permutations(number - 1)
    return np.concatenate([np.insert(shorter, i, number - 1, axis=1) for i in range(number)])


def _lists(keys: Numbers, items: Numbers, number: int) -> Lists:
    order = np.argsort(keys, kind="stable")
    first = np.searchsorted(keys[order], np.arange(number + 1))
    return Lists(first, np.ascontiguousarray(items[order]))


class _Box(NamedTuple):
    """The grids of a box: the divisions that occur, and those of each grid by their place there."""

    rows: Numbers
    row_of: Numbers
    columns: Numbers
    column_of: Numbers

    def turned(self) -> _Box:
        """Rows for columns."""
        return _Box(self.columns, self.column_of, self.rows, self.row_of)

    def rows_of_columns(self) -> Lists:
        return _lists(self.column_of, self.row_of, len(self.columns))

    def columns_of_rows(self) -> Lists:
        return _lists(self.row_of, self.column_of, len(self.rows))


def _grids(tables: _Tables, masks: Numbers) -> _Box:
    """The grids of a box with candidates only."""
    look()
    fits = (tables.grids & masks.ravel() != 0).all(axis=1)
    return _Box(
        *np.unique(tables.by_rows[fits], return_inverse=True),
        *np.unique(tables.by_columns[fits], return_inverse=True),
    )


def _renumbered(numbers: Sequence[Numbers], triples: Numbers) -> Numbers:
    """The triples of which all divisions are there, in these numbers."""
    new = np.full((3, 1680), -1)
    for line, those in zip(new, numbers, strict=True):
        line[those] = np.arange(len(those))
    renamed = np.column_stack([new[i][triples[:, i]] for i in range(3)])
    return renamed[(renamed >= 0).all(axis=1)]


def _band(tables: _Tables, first: _Box, second: _Box, third: _Box) -> Band:
    """A band of three boxes."""
    together = _renumbered([first.rows, second.rows, third.rows], tables.triples)
    together = together[np.argsort(together[:, 0], kind="stable")]
    return Band(
        first.rows_of_columns(),
        _lists(together[:, 0], together[:, 1], len(first.rows)),
        np.ascontiguousarray(together[:, 2]),
        third.columns_of_rows(),
        second.rows_of_columns(),
        (len(second.rows), len(second.columns), len(third.columns)),
    )


class _Plan:
    """A way to count: the triples of each stack, those of the first one up to symmetry."""

    def __init__(
        self,
        tables: _Tables,
        masks: Numbers,
        boxes: Sequence[Sequence[_Box]],
        order: Sequence[int],
    ) -> None:
        self.tables = tables
        self.bands = [[band[stack] for stack in order] for band in boxes]
        digits = [tuple(masks.ravel() >> digit & 1) for digit in range(9)]
        self.classes = [[d for d in range(9) if digits[d] == one] for one in {*digits}]
        self.stacks = []
        for place, stack in enumerate(order):
            own = masks[:, 3 * stack : 3 * stack + 3]
            orders = [i for i, turn in enumerate(_ORDERS) if (own[:, turn] == own).all()]
            columns = [boxes[band][stack].columns for band in range(3)]
            self.stacks.append(self._distinct(columns, orders, with_digits=place == 0))
        self.cost = prod(map(len, self.stacks))

    def _distinct(
        self, columns: Sequence[Numbers], orders: Sequence[int], *, with_digits: bool
    ) -> Numbers:
        """The triples of a stack, one for all that are alike, and how many these are."""
        tables = self.tables
        look()
        here = [np.isin(tables.triples[:, band], columns[band]) for band in range(3)]
        triples = tables.triples[np.logical_and.reduce(here)]
        keys = []
        for order in orders:
            a, b, c = [tables.columns[tables.turned[order][triples[:, band]]] for band in range(3)]
            word = 9 * a + 3 * b + c
            if with_digits:
                for digits in self.classes:
                    word[:, digits] = np.sort(word[:, digits], axis=1)
            keys.append(word @ 27 ** np.arange(9))
        _, first, number = np.unique(np.minimum.reduce(keys), return_index=True, return_counts=True)
        renamed = _renumbered(columns, triples[first])
        rows = np.column_stack([renamed, number])
        return np.ascontiguousarray(rows[np.lexsort(rows.T[::-1])])

    def count(self) -> int:
        bands = [_band(self.tables, *boxes) for boxes in self.bands]
        work = [np.zeros((b.shape[0], b.shape[2]), np.int64) for b in bands]
        tables = [np.zeros(b.shape[1:], np.int64) for b in bands]
        first, second, third = self.stacks
        part = 1 + _SLICE // len(third) if len(third) else 1
        result, filled = 0, [-1, -1, -1]
        for *triple, number in first.tolist():
            for i, division in enumerate(triple):
                if filled[i] != division:
                    fill_band(bands[i], division, work[i], tables[i])
                    filled[i] = division
            total = np.zeros(2, np.int64)
            for start in range(0, len(second), part):
                look()
                join((tables[0], tables[1], tables[2]), second[start : start + part], third, total)
            result += number * (int(total[0]) + (int(total[1]) << LIMB))
        return result
