"""The check of many solutions at once. Like :mod:`csp_sudoku.verify` it knows no encoding.

Domains, givens and regions without a repeat are checked by a kernel of a few lines; whatever else
the rules say, by their ``holds``, one solution after the other.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import kernel
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.verify import rules_check, split_rules

Values = NDArray[np.int64]
Flags = NDArray[np.bool_]

# The values of a grid, less the lowest of them, as bits of a word.
_BITS = 64


class ArrayCheck:
    """The rules of a puzzle, made ready to check rows of values in the order of its variables.

    Examples
    --------
    >>> check = ArrayCheck(Puzzle.blank(2))
    >>> rows = np.array([[1, 2, 2, 1], [1, 2, 1, 2], [0, 2, 2, 0], [2, 1, 1, 2]])
    >>> givens = np.array([[1, 0, 0, 0]] * 4)
    >>> check.keeps(rows, givens, blank=0).tolist()
    [True, False, False, False]
    """

    def __init__(self, rules: Puzzle) -> None:
        self._rules = rules
        domains = [rules.values_of(place) for place in rules.variables]
        every = {value for domain in domains for value in domain}
        self._low = low = min(every, default=0)
        self._compact = max(every, default=0) - low < _BITS
        if self._compact:
            masks = [sum(1 << value - low for value in domain) for domain in domains]
            self._allowed = np.array(masks, np.uint64)
        groups, self._others = split_rules(rules)
        self._members = np.array([rules.columns[p] for group in groups for p in group], np.int64)
        self._ends = np.cumsum([*map(len, groups)], dtype=np.int64)

    def keeps(self, rows: Values, givens: Values, blank: int) -> Flags:
        """Which rows are solutions of the puzzles with these givens."""
        if self._compact:
            kept = _fitting(rows, givens, blank, self._low, self._allowed)
            _sort_out_repeats(rows, self._low, self._members, self._ends, kept)
        else:
            kept = ((givens == blank) | (givens == rows)).all(axis=1)
        if self._others or not self._compact:
            for i in np.flatnonzero(kept).tolist():
                values = dict(zip(self._rules.variables, rows[i].tolist(), strict=True))
                kept[i] = rules_check(self._rules)(values)
        return kept


@lru_cache(maxsize=32)
def array_check(rules: Puzzle) -> ArrayCheck:
    """The check of a puzzle without givens."""
    return ArrayCheck(rules)


@kernel
def _fitting(
    rows: Values, givens: Values, blank: int, low: int, allowed: NDArray[np.uint64]
) -> Flags:
    """Which rows have values of the domains, and all givens."""
    kept = np.ones(len(rows), np.bool_)
    for row in range(len(rows)):
        fits = True
        for column in range(len(allowed)):
            value, given = rows[row, column], givens[row, column]
            bit = value - low
            known = 0 <= bit < _BITS and allowed[column] >> np.uint64(bit) & np.uint64(1) != 0
            fits &= known and given in (blank, value)
        kept[row] = fits
    return kept


@kernel
def _sort_out_repeats(rows: Values, low: int, members: Values, ends: Values, kept: Flags) -> None:
    """Of the rows that are kept, sort out those where a value is twice in a group."""
    for row in range(len(rows)):
        if not kept[row]:
            continue
        begin = 0
        for end in ends:
            seen = np.uint64(0)
            for place in range(begin, end):
                bit = np.uint64(1) << np.uint64(rows[row, members[place]] - low)
                kept[row] &= seen & bit == 0
                seen |= bit
            begin = end
