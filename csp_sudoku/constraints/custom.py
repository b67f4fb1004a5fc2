"""Your own rules without a class: a table, a predicate, a state machine."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from csp_encodings.automaton import Automaton
from csp_sudoku.cells import CellsLike
from csp_sudoku.constraints.aspects import Look
from csp_sudoku.constraints.base import MOST_LISTED, CellConstraint, Constraint, listed_rows
from csp_sudoku.constraints.fields import Read, converted, flag, number_rows, rule, text
from csp_sudoku.errors import ConstraintError, CspSudokuError
from csp_sudoku.forms import Iss
from csp_sudoku.language.compiling import Compiler
from csp_sudoku.language.predicates import Condition

if TYPE_CHECKING:
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle


@rule
class Table(CellConstraint):
    """Table: the values of the cells, in order, are one of the `rows`.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Table, count
    >>> count(Puzzle.blank(4).add(Table("R1C1 R1C2", [(1, 2), (3, 4)]))).value
    48
    """

    rows: Read[Iterable[Iterable[int]], tuple[tuple[int, ...], ...]] = number_rows()
    name = "table"

    def validate(self) -> None:
        """Require that every row has a value for every cell."""
        for row in self.rows:
            if len(row) != len(self.cells):
                raise ConstraintError(
                    f"{self.label}: row {row} has {len(row)} values for {len(self.cells)} cells"
                )

    def accepts(self, values: tuple[int, ...]) -> bool:
        return values in self.rows

    def lower(self, ctx: Lowering) -> None:
        """Add the table as an automaton."""
        ctx.add_machine(self.cells, Automaton.from_table, self.rows)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} hold {listed_rows(self.rows, 'rows of a table')}"

    @property
    def is_told(self) -> bool:
        return len(self.rows) <= MOST_LISTED

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._described(puzzle)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        places = maker.line(maker.rng.randint(1, 4))
        rows = []
        for _ in range(maker.weighted({0: 1, 1: 2, 6: 5, 25: 5})):
            # Each row repeats itself where its places do, for the most part.
            held = {place: maker.value() for place in places}
            rows.append([held[p] if maker.rng.random() < 0.95 else maker.number() for p in places])
        return {"cells": places, "rows": rows}

    sees, listed = "equality", ("rows",)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Table("R1C1 R1C2 R1C3", [(1, 2, 3), (2, 1, 4), (3, 3, 9)]),
            Table("R1C1 R1C2 R1C1", [(1, 2, 1), (1, 2, 3)]),
        )

    formats = (
        Iss("", "given"),
        Iss("Given", "given", read_only=True),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        if len(self.cells) == 2:
            from csp_sudoku.constraints.pair_tables import Pair

            return [Pair(self.cells, [(first, second) for first, second in self.rows])]
        from csp_sudoku.constraints.words import StateMachine

        # A state is what was read so far.
        states: dict[tuple[int, ...], int] = {(): 0}
        moves = {
            (
                states.setdefault(row[:i], len(states)),
                row[i],
                states.setdefault(row[: i + 1], len(states)),
            )
            for row in self.rows
            for i in range(len(row))
        }
        accepting = sorted({states[row] for row in self.rows})
        return [StateMachine(self.cells, sorted(moves), accepting)]


@dataclass(frozen=True)
class _Asked:
    """Call a function of a user. If it fails, the error names the values."""

    function: Callable[..., Any]
    what: str

    def __call__(self, *values: Any) -> Any:
        try:
            found = self.function(*values)
            if self.what == "step":
                hash(found)
                return found
            return bool(found)
        except CspSudokuError:
            raise
        except Exception as error:
            given = ", ".join(map(reprlib.repr, values))
            reason, *_ = str(error).splitlines() or [""]
            raise ConstraintError(
                f"its {self.what} fails for {given}: {type(error).__name__}: {reason[:200]}"
            ) from error


def read_function(given: object, name: str, wanted: str = "a function") -> Callable[..., Any]:
    """Read a field that holds a function of the user."""
    if not callable(given):
        raise ConstraintError(f"its {name} must be {wanted}, not {reprlib.repr(given)}")
    return given


Predicate: TypeAlias = Read[Callable[..., object] | str, Callable[..., object] | Condition]


def read_predicate(given: object, name: str = "predicate") -> Callable[..., Any]:
    """Read a field that holds a predicate: a function, or a condition as text."""
    if not isinstance(given, str):
        return read_function(given, name, "a function or a text such as 'a < b'")
    try:
        return Condition(given)
    except ConstraintError as error:
        raise ConstraintError(f"its {name} {reprlib.repr(given)}: {error}") from None


class _Custom(CellConstraint):
    """A rule that asks functions of a user."""

    @property
    def _whole_label(self) -> str:
        """The rule with all its cells."""
        return f"{self.name} at {self.listing}"

    def _require(self, function: Callable[..., Any], what: str, *values: str) -> None:
        """Refuse a function that cannot be called with these values."""
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):  # some functions that are not written in Python
            return
        try:
            signature.bind(*values)
        except TypeError:
            raise ConstraintError(
                f"{self._whole_label}: its {what} must take {len(values)} "
                f"value{'s' * (len(values) != 1)} ({', '.join(values)}), not {signature}"
            ) from None

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Put the label of the rule in front of an error."""
        try:
            yield
        except ConstraintError as error:
            raise ConstraintError(f"{self._whole_label}: {error}") from error.__cause__


@rule
class Where(_Custom):
    """Predicate: a function accepts the values of the cells; see :func:`where`."""

    predicate: Predicate = converted(read_predicate)
    text: str = text(default="")
    name = "where"

    def validate(self) -> None:
        """Require that the predicate takes a value for each cell."""
        self._require(self.predicate, "predicate", *map(str, self.cells))
        if isinstance(self.predicate, Condition) and self.predicate.arity > len(self.cells):
            raise ConstraintError(
                f"{self._whole_label}: its predicate {self.predicate} is about "
                f"{self.predicate.arity} values, but there "
                f"{'is 1 cell' if len(self.cells) == 1 else f'are {len(self.cells)} cells'}"
            )

    def accepts(self, values: tuple[int, ...]) -> bool:
        with self._named():
            return bool(_Asked(self.predicate, "predicate")(*values))

    def lower(self, ctx: Lowering) -> None:
        """Add a table of the values that the predicate accepts; a text is taken apart."""
        if isinstance(self.predicate, Condition):
            Compiler(ctx, self.predicate.over(self.cells)).add()
            return
        with self._named():
            ctx.add_predicate(self.cells, _Asked(self.predicate, "predicate"), self.predicate)

    def describe(self, puzzle: Puzzle) -> str:
        if self.text or not isinstance(self.predicate, Condition):
            return self.text or f"a predicate accepts the values of {self.listing}"
        return f"the values of {self.listing} are such that {self.predicate}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._described(puzzle)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        places = maker.line(maker.rng.randint(1, 4))
        a, b = maker.rng.randint(1, 3), maker.rng.randint(0, 3)
        text, predicate = maker.rng.choice(_PREDICATES)
        return {
            "cells": places,
            "predicate": lambda *values: predicate(values, a, b),
            "text": f"{text}; {a} {b}",
        }

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Where("R1C1 R1C2 R1C3", "a + b == c"),
            Where("R1C1 R1C2 R1C3 R1C1", lambda a, b, c, d: a + b > 2 * c or d == 1),
        )


@rule
class Fold(_Custom):
    """State machine in Python: it reads the cells in order and accepts; see :func:`fold`."""

    start: Any
    step: Callable[..., Any] = converted(read_function)
    accept: Callable[[Any], object] = converted(read_function)
    _: KW_ONLY
    positional: bool = flag(default=False)
    text: str = text(default="")
    name = "fold"

    def validate(self) -> None:
        """Require functions of a state and a value, and a state that can be compared."""
        position = ("position",) if self.positional else ()
        self._require(self.step, "step", "state", "value", *position)
        self._require(self.accept, "accept", "state")
        try:
            hash(self.start)
        except TypeError:
            shown = reprlib.repr(self.start)
            raise ConstraintError(
                f"{self._whole_label}: its start must be hashable, such as a number or a tuple, "
                f"not {shown}"
            ) from None

    def accepts(self, values: tuple[int, ...]) -> bool:
        step, accept = _Asked(self.step, "step"), _Asked(self.accept, "accept")
        state = self.start
        with self._named():
            for position, value in enumerate(values):
                state = step(state, value, position) if self.positional else step(state, value)
                if state is None:
                    return False
            return bool(accept(state))

    def lower(self, ctx: Lowering) -> None:
        """Add the automaton of all states that can be reached."""
        step, accept = _Asked(self.step, "step"), _Asked(self.accept, "accept")
        with self._named():
            ctx.add_fold(self.cells, self.start, step, accept, positional=self.positional)

    def describe(self, puzzle: Puzzle) -> str:
        return self.text or f"a state machine accepts {self.listing}"

    look = Look("lilac", 0.07, (0.04, 0.12), head=True, written=True)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        rng = maker.rng
        places = maker.line(rng.randint(1, maker.longest))
        a, b, m = rng.randint(1, 3), rng.randint(0, 3), rng.randint(2, 4)
        machines: tuple[dict[str, Any], ...] = (
            {
                "start": 0,
                "step": lambda s, v: (a * s + v) % m,
                "accept": lambda s: s <= b % m,
            },
            {
                "start": b,
                "step": lambda s, v, i: (s + (i + a) * v) % (m + 2),
                "accept": lambda s: s % 2 == b % 2,
                "positional": True,
            },
            {
                "start": frozenset(),
                "step": lambda s, v: None if v in s else s | {v, v + a},
                "accept": lambda s: True,
            },
            {
                "start": (),
                "step": lambda s, v: (*s, v)[-2:] if sum(s) <= b + 4 else None,
                "accept": lambda s: len(set(s)) != a % 2 + 1,
            },
        )
        return {"cells": places, "text": "a machine", **machines[rng.randint(0, 3)]}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Fold("R1C1 R2C2 R3C3 R4C4", 0, lambda s, v: (s + v) % 3, lambda s: s == 0),
            Fold("R1C1 R2C2 R3C3", 0, lambda s, v, i: s + i * v, lambda s: s > 5, positional=True),
        )


def where(cells: CellsLike, predicate: Callable[..., object] | str, text: str = "") -> Where:
    """Your own rule as a predicate: a function of the values of the cells. Runs on every backend.

    A predicate that is a text, such as ``"a + b == c"``, can be stored in puzzle files: its letters
    are the values in order (see :func:`rule` for the language). A function is called once for every
    combination of values, so it suits about five cells of nine values. Use :func:`fold` for longer
    lines. `text` is the sentence for people.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, count, where
    >>> count(Puzzle.blank(4).add(where("R1C1-R1C3", lambda a, b, c: a + b == c))).value
    48
    """
    return Where(cells, predicate, text)


def fold(
    cells: CellsLike,
    start: Any,
    step: Callable[..., Any],
    accept: Callable[[Any], object],
    *,
    positional: bool = False,
    text: str = "",
) -> Fold:
    """Your own rule as a state machine: fast for long lines. Runs on every backend.

    ``step(state, value)`` returns the next state, or ``None`` if the values cannot be accepted any
    more. ``accept(state)`` says whether the last state is accepted. With `positional` the call is
    ``step(state, value, position)``. States are any hashable values.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, count, fold
    >>> even = fold("R1C1 R2C2 R3C3 R4C4", 0, lambda s, v: (s + v) % 2, lambda s: s == 0)
    >>> count(Puzzle.blank(4).add(even)).value
    160
    """
    return Fold(cells, start, step, accept, positional=positional, text=text)


# Predicates that the fuzzer draws, with two numbers each.
_PREDICATES: tuple[tuple[str, Callable[[tuple[int, ...], int, int], object]], ...] = (
    ("the sum, divided by a + 1, leaves b", lambda v, a, b: sum(v) % (a + 1) == b % (a + 1)),
    ("at most a values", lambda v, a, b: len(set(v)) <= a),
    ("first times a is last plus b", lambda v, a, b: v[0] * a == v[-1] + b),
    ("the range is at least b", lambda v, a, b: max(v) - min(v) >= b),
    ("never", lambda v, a, b: False),
    ("a number that is not 0 is true", lambda v, a, b: (v[0] * a - b) % 3),
)
