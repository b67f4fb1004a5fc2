"""What a puzzle could do without, and which candidates are true."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.logic import Not
from csp_sudoku.errors import UndecidedError, WrongAnswerError
from csp_sudoku.formats import read
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving import check_query, solve
from csp_sudoku.switching import ANOTHER, Switchboard
from csp_sudoku.verify import keeps_rules

Item: TypeAlias = Place | Constraint


@dataclass(frozen=True)
class Redundancy:
    """What can go without changing the solutions of a puzzle.

    Attributes
    ----------
    givens, constraints
        Each of them can go by itself: every solution of the rest has this value, or keeps this
        rule. (Two of them may need each other.) A place with a list of candidates counts as a
        given; houses come with the grid and are never asked about.
    together
        As many of them, taken in their order, as can go at once; none of the others can then.
    undecided
        What time did not suffice for. It is in none of the others.
    """

    givens: tuple[Place, ...]
    constraints: tuple[Constraint, ...]
    together: tuple[Item, ...]
    undecided: tuple[Item, ...]


@dataclass(frozen=True)
class TrueCandidates:
    """How many solutions have each value of each place, as far as the limit.

    Attributes
    ----------
    counts
        For each place, its candidates: in how many solutions they occur, at most `limit`. It is 0
        exactly for a candidate that no solution has.
    undecided
        Candidates that time did not suffice for: there may be more of their solutions.
    """

    counts: Mapping[Place, Mapping[int, int]]
    limit: int
    undecided: frozenset[tuple[Place, int]]

    @property
    def values(self) -> dict[Place, tuple[int, ...]]:
        """For each place the values that some solution has there, or may have."""
        return {
            place: tuple(v for v, n in counts.items() if n or (place, v) in self.undecided)
            for place, counts in self.counts.items()
        }


def redundant(puzzle: object, *, timeout: float | None = None) -> Redundancy:
    """The givens and constraints that can go without changing the solutions.

    Examples
    --------
    >>> found = redundant("1234 3412 2143 4...")
    >>> len(found.givens), len(found.together)
    (13, 8)
    """
    check_query(None, timeout, None)
    wanted, deadline = read(puzzle), _deadline(timeout)
    items = _items(wanted)
    try:
        board = _Redundancy(wanted, items, deadline)
    except OutOfTime:
        return Redundancy((), (), (), tuple(items))
    with board:
        alone = [i for i in range(len(items)) if board.can_go(i)]
        gone: list[int] = []
        for i in alone:
            if board.can_go(i, gone):
                gone.append(i)
    found = [items[i] for i in alone]
    return Redundancy(
        tuple([item for item in found if not isinstance(item, Constraint)]),
        tuple([item for item in found if isinstance(item, Constraint)]),
        tuple([items[i] for i in gone]),
        tuple([items[i] for i in dict.fromkeys(board.undecided)]),
    )


def is_minimal(puzzle: object, *, timeout: float | None = None) -> bool:
    """Whether no given can go without changing the solutions.

    Raises :class:`UndecidedError` when time runs out before that is known.

    Examples
    --------
    >>> is_minimal("1... ..3. .4.. ...2"), is_minimal("1... ..3. .43. ...2")
    (True, False)
    """
    check_query(None, timeout, None)
    wanted, deadline = read(puzzle), _deadline(timeout)
    try:
        with _Redundancy(wanted, _items(wanted), deadline) as board:
            if any(board.can_go(i) for i in range(len(wanted.candidates))):
                return False
            if not board.undecided:
                return True
            left = len(board.undecided)
    except OutOfTime:
        left = len(wanted.candidates)
    raise UndecidedError(f"time ran out with {left} givens undecided; a longer timeout may do")


def true_candidates(
    puzzle: object, *, limit: int = 1, timeout: float | None = None
) -> TrueCandidates:
    """The candidates that occur in a solution, and in how many, up to a limit.

    Examples
    --------
    >>> from csp_sudoku import Cell
    >>> found = true_candidates("1... ..3. .... ...2", limit=5)
    >>> found.counts[Cell(0, 2)]
    {1: 0, 2: 3, 3: 0, 4: 0}
    >>> found.values[Cell(0, 2)]
    (2,)
    """
    check_query(limit, timeout, None)
    wanted, deadline = read(puzzle), _deadline(timeout)
    found: Counter[tuple[Place, int]] = Counter()
    seen: set[tuple[int, ...]] = set()
    candidates = [
        (place, value) for place in wanted.variables for value in wanted.candidates_of(place)
    ]
    undecided: set[tuple[Place, int]] = set()
    givens = dict(wanted.candidates)
    try:
        board = Switchboard(wanted, deadline=deadline)
    except OutOfTime:
        return _nothing_known(wanted, candidates, limit)
    for candidate in candidates:
        place, value = candidate
        solutions = board.solutions(
            range(len(board.rules)), {**givens, place: (value,)}, deadline=deadline
        )
        # Solutions that were met before are counted already; this may meet them again.
        while found[candidate] < limit and (solution := next(solutions, None)) is not None:
            values = tuple([solution[variable] for variable in wanted.variables])
            if values not in seen:
                _verify(wanted, solution)
                seen.add(values)
                found.update(zip(wanted.variables, values, strict=True))
        if found[candidate] < limit and not solutions.complete:
            undecided.add(candidate)
        solutions.close()
    board.close()
    counts = {
        place: {v: min(limit, found[place, v]) for v in wanted.candidates_of(place)}
        for place in wanted.variables
    }
    return TrueCandidates(counts, limit, frozenset(undecided))


class _Redundancy:
    """A puzzle on a switchboard, to ask whether the rest says what an item says."""

    def __init__(self, puzzle: Puzzle, items: Sequence[Item], deadline: float | None) -> None:
        self.undecided: list[int] = []
        self._puzzle = puzzle
        self._items = items
        self._deadline = deadline
        self._givens = dict(puzzle.candidates)
        known = self._only_solution()
        # If there is one solution, any other is too many. Else what an item says is denied.
        self._unique = known is not None
        denials = () if self._unique else [Not(rule) for rule in puzzle.constraints]
        self._board = Switchboard(puzzle, known=known, further=denials, deadline=deadline)
        self._number = {rule: i for i, rule in enumerate(self._board.rules)}

    def can_go(self, number: int, gone: Sequence[int] = ()) -> bool:
        """Whether what is left, when others are gone too, says as much without this item."""
        item, left_out = self._items[number], {number, *gone}
        on = set(range(len(self._puzzle.houses)))
        restrict: dict[Place, tuple[int, ...]] = {}
        for i, other in enumerate(self._items):
            if i in left_out:
                continue
            if isinstance(other, Constraint):
                on.update(self._number[rule] for rule in other.expand(self._puzzle))
            else:
                restrict[other] = self._givens[other]
        if self._unique:
            on.add(ANOTHER)
        elif isinstance(item, Constraint):
            on.add(self._number[Not(item)])
        else:
            denied = self._puzzle.values_of(item)
            restrict[item] = tuple([v for v in denied if v not in self._givens[item]])
        try:
            return self._board.core(on, restrict, deadline=self._deadline) is not None
        except OutOfTime:
            self.undecided.append(number)
            return False

    def _only_solution(self) -> Mapping[Any, int] | None:
        """The solution, if there is just one."""
        timeout = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        result = solve(self._puzzle, limit=2, timeout=timeout)
        if not result.complete and len(result.solutions) < 2:
            raise OutOfTime
        return result.solutions[0] if len(result.solutions) == 1 else None

    def __enter__(self) -> _Redundancy:
        return self

    def __exit__(self, *_: object) -> None:
        self._board.close()


def _items(puzzle: Puzzle) -> list[Item]:
    return [*[place for place, _ in puzzle.candidates], *puzzle.constraints]


def _nothing_known(
    puzzle: Puzzle, candidates: list[tuple[Place, int]], limit: int
) -> TrueCandidates:
    counts = {place: dict.fromkeys(puzzle.candidates_of(place), 0) for place in puzzle.variables}
    return TrueCandidates(counts, limit, frozenset(candidates))


def _verify(puzzle: Puzzle, solution: Mapping[Any, int]) -> None:
    if not keeps_rules(puzzle, solution):
        raise WrongAnswerError("backend sat gave a solution that breaks a rule")


def _deadline(timeout: float | None) -> float | None:
    return None if timeout is None else time.monotonic() + timeout
