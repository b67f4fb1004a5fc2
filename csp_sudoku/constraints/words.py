"""Lines that are read like words: by an index, a regular expression or a state machine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton
from csp_encodings.errors import EncodingError
from csp_encodings.factors import Regular
from csp_encodings.regex import read_regex
from csp_sudoku.cells import CellsLike
from csp_sudoku.constraints.base import CellConstraint, Constraint, read_ints
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


@dataclass(frozen=True, init=False)
class ValueIndexing(CellConstraint):
    """The second cell says where, in the cells behind it, the value of the first one stands.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, ValueIndexing, count
    >>> count(Puzzle.blank(4).add(ValueIndexing("R1C1 R1C2 R1C3 R2C3"))).value
    36
    """

    name = "value-indexing"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.cells) < 3:
            raise ConstraintError(
                f"{self.label}: names a value's cell, an index's cell and at least one more"
            )

    def accepts(self, values: tuple[int, ...]) -> bool:
        value, index, *listed = values
        return 1 <= index <= len(listed) and listed[index - 1] == value

    def lower(self, ctx: Lowering) -> None:
        """One automaton, index first and value last: it knows the one until it finds the other."""
        value_cell, index_cell, *listed = self.cells
        length = len(listed)

        def step(state: tuple[str, int], value: int, position: int) -> tuple[str, int] | None:
            what, known = state
            if position == 0:
                return ("index", value) if 1 <= value <= length else None
            if position > length:
                return state if value == known else None
            return ("value", value) if what == "index" and position == known else state

        scope = (index_cell, *listed, value_cell)
        ctx.add_fold(scope, ("", 0), step, lambda state: True, positional=True)

    def describe(self, puzzle: Puzzle) -> str:
        value, index, *listed = map(str, self.cells)
        return f"{index} says which of {' '.join(listed)} holds the value of {value}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ValueIndexing("R1C1 R1C2 R2C3 R3C1 R4C3"),
            ValueIndexing("R1C1 R1C2 R1C2 R1C1"),
            ValueIndexing("R1C1 R2C2 R3C3"),
        )


@dataclass(frozen=True, init=False)
class Regex(CellConstraint):
    """The values of the line, in order, match a regular expression from end to end.

    A value is ``0``-``9``, ``A``-``Z`` for 10 to 35, ``a``-``z`` for 36 to 61, or ``<n>``;
    ``.  [1-3]  [^5]  ( )  |  *  +  ?  {m,n}`` mean what they always do.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Regex, count
    >>> count(Puzzle.blank(4).add(Regex("R1C1-R1C4", ".*12.*"))).value
    72
    """

    pattern: str
    name = "regex"

    def __init__(self, cells: CellsLike, pattern: str) -> None:
        self._set(cells=cells, pattern=pattern)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.pattern, str):
            raise ConstraintError(f"{self.label}: its pattern is text, not {self.pattern!r}")
        try:
            read_regex(self.pattern, ())
        except EncodingError as error:
            raise ConstraintError(f"{self.label}: {error}") from None

    def accepts(self, values: tuple[int, ...]) -> bool:
        machine = read_regex(self.pattern, values)
        states = machine.start
        for value in values:
            states = machine.step(states, value) or 0
        return machine.accepts(states)

    def lower(self, ctx: Lowering) -> None:
        """The automaton of the expression."""
        machine = Automaton.from_regex(ctx.domains(self.cells), self.pattern)
        ctx.add(Regular(self.cells, machine))

    def describe(self, puzzle: Puzzle) -> str:
        return f"the line {self.listing} matches {self.pattern}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Regex("R1C1 R1C2 R2C3 R3C3", "[0-2]+ [^1]*"),
            Regex("R1C1 R1C2 R2C3", "(<-2>|1) .* [35]? | .{2} 0"),
            Regex("R1C1 R2C3 R1C1", "23?2 | 0.0"),
            Regex("R1C1", ".."),
        )


@dataclass(frozen=True, init=False)
class StateMachine(CellConstraint):
    """A machine of (state, value, next state) reads the line, from a start to an accepting state.

    It may be nondeterministic: then one way through it is enough.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, StateMachine, count
    >>> up = [(0, 1, 1), (0, 2, 1), (1, 3, 1), (1, 4, 1)]
    >>> count(Puzzle.blank(4).add(StateMachine("R1C1-R1C3", up, accepting=[1]))).value
    48
    """

    transitions: tuple[tuple[int, int, int], ...]
    accepting: tuple[int, ...]
    starts: tuple[int, ...]
    name = "state-machine"

    def __init__(
        self,
        cells: CellsLike,
        transitions: Iterable[Iterable[int]],
        accepting: Iterable[int],
        starts: Iterable[int] = (0,),
    ) -> None:
        self._set(
            cells=cells,
            transitions=tuple(transitions),
            accepting=accepting,
            starts=starts,
        )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("accepting", "starts"):
            states = read_ints(self.label, f"{name} states", getattr(self, name))
            object.__setattr__(self, name, states)
        moves = tuple(read_ints(self.label, "transitions", move) for move in self.transitions)
        object.__setattr__(self, "transitions", moves)
        for move in moves:
            if len(move) != 3:
                raise ConstraintError(
                    f"{self.label}: transition {move} is not (state, value, next state)"
                )

    def accepts(self, values: tuple[int, ...]) -> bool:
        states = set(self.starts)
        for value in values:
            states = {c for a, b, c in self.transitions if a in states and b == value}
        return not states.isdisjoint(self.accepting)

    def lower(self, ctx: Lowering) -> None:
        """The machine made deterministic."""
        heads: dict[tuple[int, int], list[int]] = {}
        for tail, value, head in self.transitions:
            heads.setdefault((tail, value), []).append(head)
        machine = Automaton.from_nfa(
            ctx.domains(self.cells),
            self.starts,
            lambda state, value: heads.get((state, value), ()),
            self.accepting,
        )
        ctx.add(Regular(self.cells, machine))

    def describe(self, puzzle: Puzzle) -> str:
        return f"a state machine accepts {self.listing}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        # Some 0 or 1, and a 2 or 5 behind it; the machine guesses both.
        find = [(0, v, 0) for v in range(-2, 6)] + [(2, v, 2) for v in range(-2, 6)]
        find += [(0, 0, 1), (0, 1, 1), (1, 2, 2), (1, 5, 2)]
        return (
            StateMachine("R1C1 R1C2 R2C3 R3C3", find, accepting=[2]),
            StateMachine("R1C1 R2C3 R1C1", find, accepting=[2, 0], starts=[1, 0]),
            StateMachine("R1C1 R2C3", [], accepting=[0]),
        )
