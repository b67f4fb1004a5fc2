"""The check of many solutions at once. Like :mod:`csp_sudoku.checking.verify` it knows no encoding.

A kernel of a few lines checks domains, givens and regions without a repeat. All other rules are
asked by their ``holds``, one solution after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csp_encodings import store
from csp_encodings.jit import kernel
from csp_sudoku.backends.base import Rows
from csp_sudoku.cells import Place, Var
from csp_sudoku.checking.verify import rules_check, split_rules
from csp_sudoku.grid import Grid
from csp_sudoku.kernels import BLANK
from csp_sudoku.puzzle import Puzzle, of_rules
from csp_sudoku.solving.solution import held

Flags = NDArray[np.bool_]

# The values of a grid are bits of a word, beginning with the lowest value.
_BITS = 64


class ArrayCheck:
    """Checks rows of values, in the order of a puzzle's variables, by its rules.

    Examples
    --------
    >>> check = ArrayCheck(Puzzle.blank(2))
    >>> rows = np.array([[1, 2, 2, 1], [1, 2, 1, 2], [0, 2, 2, 0], [2, 1, 1, 2]])
    >>> givens = np.array([[1, BLANK, BLANK, BLANK]] * 4)
    >>> check.keeps(rows, givens).tolist()
    [True, False, False, False]
    """

    def __init__(self, rules: Puzzle) -> None:
        self._rules = rules
        shape = _shape_check(rules.grids, rules.named)
        self._low, self._allowed = shape.low, shape.allowed
        own = rules.rules[len(rules.houses) :]
        groups, self._others = split_rules(rules, own)
        self._groups = shape.groups
        if groups:
            self._groups = np.concatenate([shape.groups, _listed(rules, groups)])

    def keeps(self, rows: Rows, givens: Rows) -> Flags:
        """Return which rows are solutions of the puzzles with these givens."""
        if self._allowed is None:
            kept: Flags = ((givens == BLANK) | (givens == rows)).all(axis=1)
            for i in np.flatnonzero(kept).tolist():
                kept[i] = rules_check(self._rules)(held(rows[i].tolist()))
            return kept
        kept = _kept(rows, givens, self._low, self._allowed, self._groups)
        if self._others:
            rules = self._rules
            for i in np.flatnonzero(kept).tolist():
                values = dict(zip(rules.variables, rows[i].tolist(), strict=True))
                kept[i] = all(rule.holds(values, rules) for rule in self._others)
        return kept


class _ShapeCheck(NamedTuple):
    """What the grids and the named variables alone ask for.

    Attributes
    ----------
    low
        The lowest value.
    allowed
        The values of each column as bits; None if they lie too far apart.
    groups
        The houses.
    """

    low: int
    allowed: NDArray[np.uint64] | None
    groups: Rows


# Many puzzles have the same grids.
@store.kept(size=5_000)
def _shape_check(
    grids: tuple[Grid, ...], named: tuple[tuple[Var, tuple[int, ...]], ...]
) -> _ShapeCheck:
    shape = Puzzle(grids, named=named)
    domains = [shape.values_of(place) for place in shape.variables]
    every = {value for domain in {*domains} for value in domain}
    low, allowed = min(every, default=0), None
    if max(every, default=0) - low < _BITS:
        mask_of = {domain: sum(1 << value - low for value in domain) for domain in {*domains}}
        allowed = np.array([mask_of[domain] for domain in domains], np.uint64)
    return _ShapeCheck(low, allowed, _listed(shape, [house.cells for house in shape.houses]))


def _listed(rules: Puzzle, groups: Iterable[Sequence[Place]]) -> Rows:
    """Groups of places as numbers: the length of each group, and its columns."""
    column = rules.columns.__getitem__
    listed = [number for group in groups for number in (len(group), *map(column, group))]
    return np.array(listed, np.int64)


@of_rules
def array_check(rules: Puzzle) -> ArrayCheck:
    """Return the check for a puzzle's rules."""
    return ArrayCheck(rules)


@kernel
def _kept(rows: Rows, givens: Rows, low: int, allowed: NDArray[np.uint64], groups: Rows) -> Flags:
    """Return which rows keep the domains and the givens, and have no value twice in a group."""
    kept = np.empty(len(rows), np.bool_)
    bits = np.empty(len(allowed), np.uint64)
    for row in range(len(rows)):
        fits = True
        for column in range(len(allowed)):
            value, given = rows[row, column], givens[row, column]
            bits[column] = 0
            if low <= value and 0 <= value - low < _BITS:
                bits[column] = np.uint64(1) << np.uint64(value - low)
            fits &= allowed[column] & bits[column] != 0 and given in (BLANK, value)
        place = 0
        while place < len(groups):
            end = place + 1 + groups[place]
            seen, twice = np.uint64(0), np.uint64(0)
            for member in range(place + 1, end):
                twice |= seen & bits[groups[member]]
                seen |= bits[groups[member]]
            fits &= twice == 0
            place = end
        kept[row] = fits
    return kept
