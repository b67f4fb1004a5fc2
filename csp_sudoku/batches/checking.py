"""The check of many solutions at once. Like :mod:`csp_sudoku.verify` it knows no encoding.

Domains, givens and regions without a repeat are checked by a kernel of a few lines; whatever else
the rules say, by their ``holds``, one solution after the other.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import kernel
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.verify import split_rules

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
        column = {place: i for i, place in enumerate(rules.variables)}
        groups, self._others = split_rules(rules)
        domains = [list(rules.values_of(place)) for place in rules.variables]
        every = {value for domain in domains for value in domain}
        low = min(every, default=0)
        self._tables = _Tables(
            *_flat(domains),
            *_flat([[column[place] for place in group] for group in groups]),
            low,
            max(every, default=0) - low < _BITS,
        )

    def keeps(self, rows: Values, givens: Values, blank: int) -> Flags:
        """Which rows are solutions of the puzzles with these givens."""
        kept = _kept(rows, givens, blank, self._tables)
        if self._others:
            for i in np.flatnonzero(kept).tolist():
                values = dict(zip(self._rules.variables, rows[i].tolist(), strict=True))
                kept[i] = all(rule.holds(values, self._rules) for rule in self._others)
        return kept


class _Tables(NamedTuple):
    """The values of each column and the columns of each group, and where those of each begin."""

    allowed: Values
    first_allowed: Values
    members: Values
    first_member: Values
    low: int
    compact: bool
    """Whether all values, less the lowest, are numbers of bits in a word."""


@lru_cache(maxsize=32)
def array_check(rules: Puzzle) -> ArrayCheck:
    """The check of a puzzle without givens."""
    return ArrayCheck(rules)


def _flat(lists: list[list[int]]) -> tuple[Values, Values]:
    """The lists in one array, and where each of them begins."""
    first = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return np.array([item for items in lists for item in items], np.int64), first


@kernel
def _kept(rows: Values, givens: Values, blank: int, tables: _Tables) -> Flags:
    """For each row: values of the domains, the givens kept, and no value twice in a group."""
    kept = np.ones(len(rows), np.bool_)
    for row in range(len(rows)):
        kept[row] = _fits(rows[row], givens[row], blank, tables) and not _repeats(rows[row], tables)
    return kept


@kernel
def _fits(row: Values, givens: Values, blank: int, tables: _Tables) -> bool:
    for column in range(len(row)):
        if givens[column] != blank and givens[column] != row[column]:
            return False
        known = False
        for place in range(tables.first_allowed[column], tables.first_allowed[column + 1]):
            known |= tables.allowed[place] == row[column]
        if not known:
            return False
    return True


@kernel
def _repeats(row: Values, tables: _Tables) -> bool:
    for group in range(len(tables.first_member) - 1):
        begin, end = tables.first_member[group], tables.first_member[group + 1]
        seen = np.uint64(0)
        for place in range(begin, end):
            value = row[tables.members[place]]
            if tables.compact:
                bit = np.uint64(1) << np.uint64(value - tables.low)
                if seen & bit:
                    return True
                seen |= bit
            else:
                for other in range(begin, place):
                    if row[tables.members[other]] == value:
                        return True
    return False
