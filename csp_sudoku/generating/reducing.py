"""Take clues away while the solution stays the only one.

Groups of clues are tried in a given order, and each one that can go is gone for good. A prover
answers whether there is another solution: the batches of the search on small plain grids, a SAT
solver elsewhere, whose cores save questions. The result is the same with either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from typing import Any, Protocol

import numpy as np

from csp_sudoku.backends.base import OutOfTime, check_deadline
from csp_sudoku.backends.search import SearchSession
from csp_sudoku.cells import Place
from csp_sudoku.generating.loops import reduce_row
from csp_sudoku.kernels import BLANK
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.switching import ANOTHER, Switchboard

Clue = Any
"""A place whose value is given, or the number of a rule on a switchboard."""


class Prover(Protocol):
    """Answers whether some clues leave no solution but the known one."""

    def unique(self, clues: Iterable[Clue], deadline: float | None) -> bool:
        """Whether there is no other solution; raises :class:`OutOfTime`."""


class SearchProver:
    """Asks the batches of the `search` backend; all clues are places."""

    def __init__(self, session: SearchSession, solution: Solution) -> None:
        self._session = session
        self._values = np.array([*solution.numbers], np.int64)
        self._column = {place: i for i, place in enumerate(solution)}

    def unique(self, clues: Iterable[Clue], deadline: float | None) -> bool:
        """Whether there is one solution."""
        row = np.full(len(self._values), BLANK, np.int64)
        columns = [self._column[place] for place in clues]
        row[columns] = self._values[columns]
        _, [count] = self._session.solve_many(row[None], limit=2, deadline=deadline)
        if count < 0:
            raise OutOfTime
        return bool(count == 1)

    def reduce(
        self,
        groups: Sequence[tuple[Clue, ...]],
        always: Sequence[Clue],
        least: int,
        deadline: float | None,
    ) -> Reduced:
        """Do what :func:`reduce` does, in one call of the kernel."""
        row = np.full(len(self._values), BLANK, np.int64)
        columns = [[self._column[place] for place in group] for group in groups]
        given = [*chain.from_iterable(columns), *[self._column[place] for place in always]]
        row[given] = self._values[given]
        left, minimal, late = reduce_row(
            self._session, row, columns, least=least, deadline=deadline
        )
        return Reduced(tuple(compress(groups, left)), minimal, late)


class SatProver:
    """Asks a switchboard for another solution; clues are places and rules.

    Parameters
    ----------
    board
        A switchboard that knows the solution.
    always
        The rules that are no clues. Candidate lists of the puzzle always hold, too.
    """

    def __init__(
        self, board: Switchboard, solution: Mapping[Place, int], always: Iterable[int]
    ) -> None:
        self._board = board
        self._solution = solution
        self._always = [*always, ANOTHER]
        self._lists = {p: v for p, v in board.puzzle.candidates if len(v) > 1}
        self._core: frozenset[Clue] | None = None

    def unique(self, clues: Iterable[Clue], deadline: float | None) -> bool:
        """Whether there is no other solution."""
        given = list(clues)
        if self._core is not None and self._core.issubset(given):
            return True
        core = self._board.core(*self._question(given), deadline=deadline)
        if core is None:
            return False
        self._core = frozenset(core).difference(self._always, self._lists)
        return True

    def another(self, clues: Iterable[Clue], deadline: float | None) -> Mapping[Any, int] | None:
        """Return another solution, or None."""
        found = self._board.solutions(*self._question(clues), deadline=deadline)
        solution = next(found, None)
        found.close()
        if solution is None and found.out_of_time:
            raise OutOfTime
        return solution

    def _question(self, clues: Iterable[Clue]) -> tuple[list[int], dict[Place, tuple[int, ...]]]:
        given = list(clues)
        switches = [*self._always, *[clue for clue in given if isinstance(clue, int)]]
        values = {p: (self._solution[p],) for p in given if not isinstance(p, int)}
        return switches, {**self._lists, **values}


@dataclass(frozen=True)
class Reduced:
    """The groups of clues that were kept, and whether all of them are known to be needed."""

    kept: tuple[tuple[Clue, ...], ...]
    minimal: bool
    out_of_time: bool


def reduce(
    prover: Prover,
    groups: Sequence[tuple[Clue, ...]],
    *,
    always: Sequence[Clue] = (),
    least: int = 0,
    deadline: float | None = None,
) -> Reduced:
    """Take away one group after the other if the rest, with `always`, still has one solution.

    All groups together must leave one solution. It stops when `least` clues are left, or when every
    group that is left would leave fewer.
    """
    if isinstance(prover, SearchProver):
        return prover.reduce(groups, always, least, deadline)
    open_ = list(groups)
    kept: list[tuple[Clue, ...]] = []
    count = sum(map(len, groups))
    # Many of the first groups can go at once: ask for many, then for half of them.
    step = max(1, len(open_) * 2 // 5)
    spared = False
    try:
        while open_ and count > least:
            check_deadline(deadline)
            step = min(step, len(open_))
            tried, rest = open_[:step], open_[step:]
            size = sum(map(len, tried))
            if count - size < least:
                if step > 1:
                    step //= 2
                    continue
                spared = True
                kept.append(tried[0])
                open_ = rest
                continue
            clues = [clue for group in (*kept, *rest) for clue in group]
            if prover.unique([*always, *clues], deadline):
                open_, count = rest, count - size
                step = max(1, min(step, len(open_) // 6))
            elif step > 1:
                step //= 2
            else:
                kept.append(tried[0])
                open_ = rest
    except OutOfTime:
        return Reduced((*kept, *open_), minimal=False, out_of_time=True)
    return Reduced((*kept, *open_), minimal=not open_ and not spared, out_of_time=False)
