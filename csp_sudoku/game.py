"""A puzzle that is played: moves, what they break, and how to take them back."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

from csp_sudoku.cells import Cell, Place, cell
from csp_sudoku.checking.verify import Verdict, Violation, split_rules, verify
from csp_sudoku.errors import PuzzleError, UndecidedError
from csp_sudoku.formats.reading import Progress, Reading
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.integers import as_int, as_ints
from csp_sudoku.puzzle import Puzzle, of_rules
from csp_sudoku.running.deadlines import time_left
from csp_sudoku.solving.query import check_query

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.solving.solution import Solution
    from csp_sudoku.strategies import Step


_Entries: TypeAlias = dict[Place, int]
_Marks: TypeAlias = dict[Place, tuple[int, ...]]


class Move(NamedTuple):
    """A value in a place."""

    place: Place
    value: int

    def __str__(self) -> str:
        return f"{self.place} = {self.value}"


class _State(NamedTuple):
    """The entries and marks after some moves; never changed, so that copies share it."""

    entered: _Entries
    marks: _Marks
    before: _State | None


class Game:
    """A puzzle that is played, one move at a time.

    It judges by the rules alone and never shows the solution. Only :meth:`solvable`, :meth:`hint`
    and :meth:`solution` ask a solver, and only when they are called. Wrong moves are allowed: what
    they break is said by :attr:`broken`. A copy shares all that is equal, and costs next to
    nothing; a game can be pickled.

    Examples
    --------
    >>> game = Game("0100 3001 4002 0040")
    >>> game.place("R1C1", 4)
    >>> [str(violation) for violation in game.broken]
    ['column 1: R1C1 and R3C1 both hold 4']
    >>> game.undo()
    True
    >>> game.legal("R1C1")
    (2,)
    >>> while not game.done:
    ...     game.place(*next(m for m in game.moves() if len(game.legal(m.place)) == 1))
    >>> game.text
    '2134342143121243'
    """

    def __init__(self, puzzle: object) -> None:
        #: The puzzle.
        self.puzzle: Puzzle = as_puzzle(puzzle)
        self._state = _State({}, {}, None)

    # Moves

    def place(self, place: str | Place, value: int) -> None:
        """Enter a value; one that is there already is replaced. Givens cannot be changed."""
        where = self._free(place)
        number = as_int(value)
        if number is None or number not in self.puzzle.values_of(where):
            allowed = " ".join(map(str, self.puzzle.values_of(where)))
            raise PuzzleError(f"{where}: {value!r} is not a value of this place ({allowed})")
        self._push({**self._state.entered, where: number}, self._state.marks)

    def remove(self, place: str | Place) -> None:
        """Take an entry away."""
        where = self._free(place)
        if where not in self._state.entered:
            raise PuzzleError(f"{where} is empty: there is nothing to remove")
        left = {p: value for p, value in self._state.entered.items() if p != where}
        self._push(left, self._state.marks)

    def mark(self, place: str | Place, values: Iterable[int]) -> None:
        """Note the candidates of a place; none of them to erase the note.

        Marks mean nothing to the rules; :meth:`hint` goes by them.
        """
        where = self._free(place)
        given = as_ints(values)
        if given is None:
            raise PuzzleError(f"{where}: {reprlib.repr(values)} is not a list of whole numbers")
        numbers = tuple(sorted({*given}))
        for number in numbers:
            if number not in self.puzzle.values_of(where):
                raise PuzzleError(f"{where}: {number!r} is not a value of this place")
        marks = {p: held for p, held in self._state.marks.items() if p != where}
        self._push(self._state.entered, {**marks, where: numbers} if numbers else marks)

    def undo(self) -> bool:
        """Take back the last move or mark; False if there is none."""
        if self._state.before is None:
            return False
        self._state = self._state.before
        return True

    def _free(self, place: str | Place) -> Place:
        where = cell(place)
        self.puzzle.values_of(where)  # it refuses what the puzzle does not have
        if where in self.puzzle.givens:
            raise PuzzleError(f"{where} is given: it cannot be changed")
        return where

    def _push(self, entered: _Entries, marks: _Marks) -> None:
        self._state = _State(entered, marks, self._state)

    # Looking

    @property
    def entered(self) -> Mapping[Place, int]:
        """What was entered, without the givens."""
        return MappingProxyType(self._state.entered)

    @property
    def marks(self) -> Mapping[Place, tuple[int, ...]]:
        """The noted candidates."""
        return MappingProxyType(self._state.marks)

    @property
    def values(self) -> dict[Place, int]:
        """All values: givens and entries."""
        return self.puzzle.givens | self._state.entered

    @property
    def open(self) -> tuple[Place, ...]:
        """The places without a value."""
        values = self.values
        return tuple([place for place in self.puzzle.variables if place not in values])

    @property
    def text(self) -> str:
        """The cells in one line, with a dot for an open one; blanks between wide values."""
        values = self.values
        signs = [str(values.get(place, ".")) for place in self.puzzle.cells]
        return ("" if all(len(sign) == 1 for sign in signs) else " ").join(signs)

    @property
    def broken(self) -> tuple[Violation, ...]:
        """The rules that are broken now, each with its cells and a sentence."""
        return verify(self.puzzle, self.values).violations

    @property
    def done(self) -> bool:
        """Whether every place has a value and every rule is kept."""
        filled = len(self._state.entered) + len(self.puzzle.givens)
        if filled < len(self.puzzle.variables):
            return False
        return verify(self.puzzle, self.values).verdict is Verdict.CORRECT

    def legal(self, place: str | Place) -> tuple[int, ...]:
        """Return the values of an open place that visibly break no rule."""
        return self._legal(cell(place), self.values, self.puzzle.without_givens())

    def _legal(self, where: Place, values: dict[Place, int], rules: Puzzle) -> tuple[int, ...]:
        if where in values:
            return ()
        others, more = _bound_to(rules).get(where, ((), ()))
        taken = {values[place] for place in others if place in values}
        left = [value for value in self.puzzle.candidates_of(where) if value not in taken]
        if not more:
            return tuple(left)
        found = []
        for value in left:
            tried = {**values, where: value}
            groups = (group for rule in more for group in rule.clashes(tried, rules))
            if not any(where in group or not group for group in groups):
                found.append(value)
        return tuple(found)

    def moves(self) -> tuple[Move, ...]:
        """Return the legal moves: each open place with each of its legal values."""
        values, rules = self.values, self.puzzle.without_givens()
        return tuple([Move(p, value) for p in self.open for value in self._legal(p, values, rules)])

    # What a solver knows

    def solvable(self, *, timeout: float | None = None) -> bool | None:
        """Whether some solution has all that was entered; None if time runs out."""
        found = self._solved(timeout)
        if isinstance(found, bool):
            return found
        return None if found is None else True

    def solution(self, *, timeout: float | None = None) -> Solution | None:
        """Return a solution that has all that was entered; None if there is none.

        Raises :class:`UndecidedError` if time runs out.
        """
        found = self._solved(timeout)
        if found is None:
            raise UndecidedError("time ran out before a solution was found")
        return None if isinstance(found, bool) else found

    def _solved(self, timeout: float | None) -> Solution | bool | None:
        """Return a solution; False if there is none, and None if time ran out."""
        from csp_sudoku.solving.solve import solve

        deadline = check_query(None, timeout).deadline()
        held = dict(self.puzzle.candidates)
        if any(v not in held.get(p, (v,)) for p, v in self._state.entered.items()):
            return False
        result = solve(self.puzzle.with_givens(self._state.entered), **time_left(deadline))
        if result.solutions:
            return result.solutions[0]
        return False if result.complete else None

    def hint(self, *, timeout: float | None = None) -> Step | None:
        """Return the next step a person could take, as :func:`csp_sudoku.hint`; None if none.

        If an entry is wrong, the step says so.
        """
        from csp_sudoku.strategies import hint

        state = self._state
        entered = {place: v for place, v in state.entered.items() if isinstance(place, Cell)}
        marked = {place: v for place, v in state.marks.items() if isinstance(place, Cell)}
        return hint(Reading(self.puzzle, progress=Progress(entered, marked)), timeout=timeout)

    def copy(self) -> Self:
        """Return a game of its own that stands at the same place, with the same moves to undo."""
        other = object.__new__(type(self))
        other.puzzle, other._state = self.puzzle, self._state
        return other

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        mine, others = self._state, other._state
        return (self.puzzle, mine.entered, mine.marks) == (
            other.puzzle,
            others.entered,
            others.marks,
        )

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __getstate__(self) -> tuple[Puzzle, list[tuple[_Entries, _Marks]]]:
        # A long line of states would be pickled one inside the other.
        states = []
        state: _State | None = self._state
        while state is not None:
            states.append((state.entered, state.marks))
            state = state.before
        return self.puzzle, states[::-1]

    def __setstate__(self, state: tuple[Puzzle, list[tuple[_Entries, _Marks]]]) -> None:
        self.puzzle, states = state
        current: _State | None = None
        for entered, marks in states:
            current = _State(entered, marks, current)
        assert current is not None
        self._state = current

    def __repr__(self) -> str:
        return f"<Game {self.puzzle.grids[0].size}, {len(self.open)} open>"


@of_rules
def _bound_to(rules: Puzzle) -> dict[Place, tuple[tuple[Place, ...], tuple[Constraint, ...]]]:
    """For each place: the places that must differ from it, and the other rules about it."""
    groups, others = split_rules(rules, rules.rules)
    differ: dict[Place, dict[Place, None]] = {place: {} for place in rules.variables}
    more: dict[Place, list[Constraint]] = {place: [] for place in rules.variables}
    for group in groups:
        for place in group:
            differ[place].update(dict.fromkeys(p for p in group if p != place))
    for rule in others:
        for place in rule.scope(rules):
            more[place].append(rule)
    return {place: (tuple(differ[place]), tuple(more[place])) for place in rules.variables}
