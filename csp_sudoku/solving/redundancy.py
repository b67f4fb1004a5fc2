"""Which givens and rules a puzzle could do without, and which candidates are true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from csp_encodings.graph import Assignment
from csp_sudoku.backends.base import OutOfTime, check_deadline
from csp_sudoku.cells import Place
from csp_sudoku.checking.verify import is_solution, keeps_rules
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.logic import Not, depends, leaves
from csp_sudoku.errors import UndecidedError, WrongAnswerError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.closing import Closing
from csp_sudoku.running.deadlines import has_passed, time_left, what_ended
from csp_sudoku.solving.answers import refuse_left_out
from csp_sudoku.solving.query import check_count, check_query
from csp_sudoku.solving.solve import solve
from csp_sudoku.solving.switching import ANOTHER, Switchboard

if TYPE_CHECKING:
    from threading import Event

    from csp_sudoku.lowering import Lowering


Item: TypeAlias = Place | Constraint
Candidate: TypeAlias = tuple[Place, int]


class Undecided(Set[Candidate]):
    """The candidates of which more solutions may exist: a view, as large grids have very many."""

    def __init__(
        self, counts: Mapping[Place, Mapping[int, int]], limit: int, settled: Set[Candidate]
    ) -> None:
        self._counts = counts
        self._limit = limit
        self._settled = settled

    @classmethod
    def _from_iterable(cls, candidates: Iterable[Any]) -> frozenset[Any]:
        return frozenset(candidates)

    def __contains__(self, candidate: object) -> bool:
        if not (isinstance(candidate, tuple) and len(candidate) == 2):
            return False
        number = self._counts.get(candidate[0], {}).get(candidate[1])
        return number is not None and number < self._limit and candidate not in self._settled

    def __iter__(self) -> Iterator[Candidate]:
        for place, counts in self._counts.items():
            for value, number in counts.items():
                if number < self._limit and (place, value) not in self._settled:
                    yield place, value

    def __len__(self) -> int:
        return self._size

    @cached_property
    def _size(self) -> int:
        below = sum(n < self._limit for counts in self._counts.values() for n in counts.values())
        return below - len(self._settled)

    def __hash__(self) -> int:
        return self._hash()

    def __repr__(self) -> str:
        return f"<{len(self)} undecided candidates>"


@dataclass(frozen=True)
class Redundancy:
    """What can go without changing the solutions of a puzzle.

    To go means to be no longer in the puzzle. A dot that goes no longer exempts its cells from a
    negative rule, so a dot that a negative rule needs cannot go.

    Attributes
    ----------
    givens, constraints
        Each of them can go by itself; two of them may need each other. A place with a list of
        candidates counts as a given. Houses come with the grid and are never asked about.
    together
        Givens and constraints that can go at once, as many as do when they are taken in their
        order; none of the others can go then.
    undecided
        Time ran out before these were decided. They are in none of the others.
    """

    givens: tuple[Place, ...]
    constraints: tuple[Constraint, ...]
    together: tuple[Item, ...]
    undecided: tuple[Item, ...]
    left_out: tuple[str, ...] = ()
    """Rules of the puzzle's source that were not read; see `Puzzle.left_out`."""

    def __repr__(self) -> str:
        parts = f"{len(self.givens)} givens and {len(self.constraints)} constraints"
        return f"<Redundancy: {parts} can go, {len(self.together)} together>"


@dataclass(frozen=True)
class TrueCandidates:
    """In how many solutions each candidate occurs, counted up to a limit.

    Attributes
    ----------
    counts
        For each place and each of its candidates, the number of solutions with this value, at most
        `limit`. It is 0 exactly for a candidate that no solution has.
    undecided
        Candidates for which time ran out: they may occur in more solutions.
    """

    counts: Mapping[Place, Mapping[int, int]]
    limit: int
    undecided: Set[Candidate]
    left_out: tuple[str, ...] = ()
    """Rules of the puzzle's source that were not read; see `Puzzle.left_out`."""
    puzzle: Puzzle | None = field(default=None, repr=False, compare=False)
    """What was asked about."""
    solutions: tuple[Mapping[Place, int], ...] = field(default=(), repr=False, compare=False)
    """The solutions that were found on the way."""

    @property
    def values(self) -> dict[Place, tuple[int, ...]]:
        """For each place, the values that a solution has there, or may have."""
        return {
            place: tuple(v for v, n in counts.items() if n or (place, v) in self.undecided)
            for place, counts in self.counts.items()
        }

    def __repr__(self) -> str:
        occur, of = sum(map(len, self.values.values())), sum(map(len, self.counts.values()))
        may = f", {len(self.undecided)} undecided" if self.undecided else ""
        return f"<TrueCandidates of {self.puzzle!r}: {occur} of {of} candidates{may}>"


def redundant(
    puzzle: object, *, timeout: float | None = None, cancel: Event | None = None
) -> Redundancy:
    """Return the givens and constraints that can go without changing the solutions.

    Examples
    --------
    >>> found = redundant("1234 3412 2143 4...")
    >>> len(found.givens), len(found.together)
    (13, 8)
    """
    deadline = check_query(None, timeout, None, cancel).deadline()
    wanted = as_puzzle(puzzle, deadline)
    items = _items(wanted)
    try:
        board = _Redundancy(wanted, items, deadline)
    except OutOfTime:
        return Redundancy((), (), (), tuple(items), wanted.left_out)
    with board:
        alone = [i for i in range(len(items)) if board.can_go(i)]
        gone = board.together(alone)
    found = [items[i] for i in alone]
    return Redundancy(
        tuple([item for item in found if not isinstance(item, Constraint)]),
        tuple([item for item in found if isinstance(item, Constraint)]),
        tuple([items[i] for i in gone]),
        tuple([items[i] for i in dict.fromkeys(board.undecided)]),
        wanted.left_out,
    )


def is_minimal(
    puzzle: object, *, timeout: float | None = None, cancel: Event | None = None
) -> bool:
    """Whether no given can go without changing the solutions.

    Raises :class:`UndecidedError` when time runs out before that is known, or when rules of the
    puzzle were left out as it was read.

    Examples
    --------
    >>> is_minimal("1... ..3. .4.. ...2"), is_minimal("1... ..3. .43. ...2")
    (True, False)
    """
    deadline = check_query(None, timeout, None, cancel).deadline()
    wanted = as_puzzle(puzzle, deadline)
    refuse_left_out(wanted)
    try:
        with _Redundancy(wanted, _items(wanted), deadline) as board:
            if any(board.can_go(i) for i in range(len(wanted.candidates))):
                return False
            if not board.undecided:
                return True
            left = len(board.undecided)
    except OutOfTime:
        left = len(wanted.candidates)
    raise UndecidedError(f"{what_ended(deadline)} with {left} givens undecided")


def true_candidates(
    puzzle: object,
    *,
    limit: int = 1,
    earlier: TrueCandidates | None = None,
    timeout: float | None = None,
    cancel: Event | None = None,
) -> TrueCandidates:
    """Return in how many solutions each candidate occurs, counted up to a limit.

    Parameters
    ----------
    limit
        How many solutions of a candidate to count.
    earlier
        What was found for another puzzle. If this puzzle has its rules, its givens and perhaps
        more, the work is not done again; else this is ignored.
    timeout, cancel
        As for :func:`csp_sudoku.solve`.

    Examples
    --------
    >>> from csp_sudoku import Cell
    >>> found = true_candidates("1... ..3. .... ...2", limit=5)
    >>> found.counts[Cell(0, 2)]
    {1: 0, 2: 3, 3: 0, 4: 0}
    >>> found.values[Cell(0, 2)]
    (2,)
    """
    deadline = check_query(limit, timeout, None, cancel).deadline()
    limit = check_count("limit", limit)
    wanted = as_puzzle(puzzle, deadline)
    found: Counter[tuple[Place, int]] = Counter()
    seen: dict[tuple[int, ...], Mapping[Place, int]] = {}

    def note(solution: Mapping[Place, int]) -> None:
        values = tuple([solution[variable] for variable in wanted.variables])
        if values not in seen:
            seen[values] = solution
            found.update(zip(wanted.variables, values, strict=True))

    settled: set[Candidate] = set()
    if earlier is not None and earlier.puzzle and _is_stricter(wanted, earlier.puzzle):
        settled = {
            (place, value)
            for place, value in _candidates(wanted)
            if earlier.counts[place].get(value) == 0 and (place, value) not in earlier.undecided
        }
        for known in earlier.solutions:
            if is_solution(wanted, tuple([known[place] for place in wanted.variables])):
                note(known)
    givens = dict(wanted.candidates)
    try:
        check_deadline(deadline)
        board = Switchboard(wanted, deadline=deadline)
    except OutOfTime:
        return _nothing_known(wanted, limit)
    for candidate in _candidates(wanted):
        if candidate in settled or found[candidate] >= limit:
            continue
        if has_passed(deadline):
            break
        place, value = candidate
        solutions = board.solutions(
            range(len(board.rules)), {**givens, place: (value,)}, deadline=deadline
        )
        # Solutions that were found before are counted already, and may be found again.
        while found[candidate] < limit and (solution := next(solutions, None)) is not None:
            _verify(wanted, solution)
            note(solution)
        if found[candidate] < limit and solutions.complete:
            settled.add(candidate)
        solutions.close()
    board.close()
    counts = {
        place: {v: min(limit, found[place, v]) for v in wanted.candidates_of(place)}
        for place in wanted.variables
    }
    undecided = Undecided(counts, limit, settled)
    return TrueCandidates(counts, limit, undecided, wanted.left_out, wanted, tuple(seen.values()))


def _is_stricter(puzzle: Puzzle, other: Puzzle) -> bool:
    """Whether every solution of a puzzle is one of the other, as far as can be seen at once."""
    if puzzle.grids != other.grids or puzzle.variables != other.variables:
        return False
    if puzzle.constraints != other.constraints:
        # A new dot weakens a negative rule.
        rules = [leaf for rule in puzzle.constraints for leaf, _ in leaves(rule)]
        if any(rule.reads() for rule in rules):
            return False
        if not {*other.constraints} <= {*puzzle.constraints}:
            return False
    return all(
        {*puzzle.candidates_of(place)} <= {*other.candidates_of(place)}
        for place, _ in other.candidates
    )


class _Redundancy(Closing):
    """A puzzle on a switchboard, to ask whether an item follows from the rest."""

    def __init__(self, puzzle: Puzzle, items: Sequence[Item], deadline: float | None) -> None:
        self.undecided: list[int] = []
        self._puzzle = puzzle
        self._items = items
        self._deadline = deadline
        self._givens = dict(puzzle.candidates)
        self._known = self._solutions(puzzle)
        # If there is one solution, any other is too many. Else the item is denied.
        self._unique = len(self._known) == 1
        denials = () if self._unique else [Not(rule) for rule in puzzle.constraints]
        self._board = Switchboard(
            puzzle,
            known=self._known[0] if self._unique else None,
            further=denials,
            deadline=deadline,
        )
        self._number = {rule: i for i, rule in enumerate(self._board.rules)}
        self._has_readers = any(depends(rule, puzzle.constraints) for rule in puzzle.constraints)

    def can_go(self, number: int, gone: Sequence[int] = ()) -> bool:
        """Whether the solutions stay the same without this item, when others are gone too."""
        left_out = {number, *gone}
        kept = [item for i, item in enumerate(self._items) if i not in left_out]
        removed = [self._items[i] for i in sorted(left_out)]
        rules = [item for item in removed if isinstance(item, Constraint)]
        changed = []
        if self._has_readers and rules:
            left = [item for item in kept if isinstance(item, Constraint)]
            changed = [rule for rule in left if depends(rule, rules)]
        try:
            if changed:
                return self._stays_the_same(kept, removed, changed)
            return self._follows(self._items[number], kept)
        except OutOfTime:
            self.undecided.append(number)
            return False

    def together(self, alone: Iterable[int]) -> list[int]:
        """Take away one item after the other, each if it can go when the others are gone."""
        gone: list[int] = []
        numbers = list(alone)
        while True:
            before = len(gone)
            for number in numbers:
                if number not in gone and self.can_go(number, gone):
                    gone.append(number)
            if len(gone) == before or not self._has_readers:
                return gone
            # Without a rule that reads others, more of them may go than did before.
            numbers = list(range(len(self._items)))

    def _follows(self, item: Item, kept: Sequence[Item]) -> bool:
        """Whether an item follows from those that are kept and mean what they meant."""
        switches = set(range(len(self._puzzle.houses)))
        restrict: dict[Place, tuple[int, ...]] = {}
        for other in kept:
            if isinstance(other, Constraint):
                switches.update(self._number[rule] for rule in other.expand(self._puzzle))
            else:
                restrict[other] = self._givens[other]
        if self._unique:
            switches.add(ANOTHER)
        elif isinstance(item, Constraint):
            switches.add(self._number[Not(item)])
        else:
            restrict[item] = self._denied(item)
        return self._board.core(switches, restrict, deadline=self._deadline) is not None

    def _stays_the_same(
        self, kept: Sequence[Item], removed: Sequence[Item], changed: Sequence[Constraint]
    ) -> bool:
        """Whether what is kept has the same solutions, although some rules changed their meaning.

        A dot that goes makes a negative rule stronger, so solutions may come and go. Neither puzzle
        may have a solution that breaks something of the other.
        """
        rest = replace(
            self._puzzle,
            constraints=tuple([item for item in kept if isinstance(item, Constraint)]),
            candidates=tuple([(p, self._givens[p]) for p in kept if not isinstance(p, Constraint)]),
        )
        if not all(keeps_rules(rest, solution) for solution in self._known):
            return False
        if len(self._known) < 2:
            return len(self._solutions(rest)) == len(self._known)
        broken = [rest.add(~_MeantIn(rule, self._puzzle)) for rule in changed]
        broken += [self._puzzle.add(~_MeantIn(rule, rest)) for rule in changed]
        for item in removed:
            if isinstance(item, Constraint):
                broken.append(rest.add(~_MeantIn(item, self._puzzle)))
            else:
                broken.append(rest.with_givens({item: self._denied(item)}))
        return not any(self._solutions(puzzle, 1) for puzzle in broken)

    def _denied(self, place: Place) -> tuple[int, ...]:
        """Return the values that the givens exclude at a place."""
        return tuple([v for v in self._puzzle.values_of(place) if v not in self._givens[place]])

    def _solutions(self, puzzle: Puzzle, limit: int = 2) -> Sequence[Mapping[Any, int]]:
        """Return at most this many solutions; raises :class:`OutOfTime`."""
        result = solve(puzzle, limit=limit, **time_left(self._deadline))
        if not result.complete and len(result.solutions) < limit:
            raise OutOfTime
        return result.solutions

    def close(self) -> None:
        self._board.close()


@dataclass(frozen=True)
class _MeantIn(Constraint):
    """A rule as it is meant in another puzzle, among other rules."""

    rule: Constraint
    puzzle: Puzzle
    name = "meant-in"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return self.rule.scope(self.puzzle)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return self.rule.holds(values, self.puzzle)

    def lower(self, ctx: Lowering) -> None:
        for test in ctx.tests_of(self.rule, self.puzzle):
            ctx.add(test)


def _items(puzzle: Puzzle) -> list[Item]:
    return [*[place for place, _ in puzzle.candidates], *puzzle.constraints]


def _candidates(puzzle: Puzzle) -> Iterator[Candidate]:
    return ((place, value) for place in puzzle.variables for value in puzzle.candidates_of(place))


def _nothing_known(puzzle: Puzzle, limit: int) -> TrueCandidates:
    counts = {place: dict.fromkeys(puzzle.candidates_of(place), 0) for place in puzzle.variables}
    undecided = Undecided(counts, limit, frozenset())
    return TrueCandidates(counts, limit, undecided, puzzle.left_out, puzzle)


def _verify(puzzle: Puzzle, solution: Mapping[Any, int]) -> None:
    if not keeps_rules(puzzle, solution):
        raise WrongAnswerError("backend sat gave a solution that breaks a rule")
