"""Lines that are read like words: value indexing, regular expressions and state machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton
from csp_encodings.errors import EncodingError
from csp_encodings.regex import read_regex
from csp_sudoku.constraints.aspects import Look
from csp_sudoku.constraints.base import CellConstraint, Constraint
from csp_sudoku.constraints.fields import (
    Places,
    Read,
    WholeNumbers,
    number_rows,
    rule,
    some_places,
    text,
    whole_numbers,
)
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import Iss
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.factors import Domain
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


@rule(init=False)
class ValueIndexing(CellConstraint):
    """Value indexing: the second cell says which of the cells after it holds the first value.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, ValueIndexing, count
    >>> count(Puzzle.blank(4).add(ValueIndexing("R1C1 R1C2 R1C3 R2C3"))).value
    36
    """

    cells: Places = some_places(
        least=3, needs="a cell for the value, one for the index, and at least one to look in"
    )
    name = "value-indexing"

    def accepts(self, values: tuple[int, ...]) -> bool:
        value, index, *listed = values
        return 1 <= index <= len(listed) and listed[index - 1] == value

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton; it reads the index first and the value last, to remember little."""
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

    look = Look("red", 0.07, (0.3, 0.12), head=True, written=True)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ValueIndexing("R1C1 R1C2 R2C3 R3C1 R4C3"),
            ValueIndexing("R1C1 R1C2 R1C2 R1C1"),
            ValueIndexing("R1C1 R2C2 R3C3"),
        )

    formats = (Iss("ValueIndexing", "cells"),)


@rule
class Regex(CellConstraint):
    """Regular expression: the values of the line, in order, match `pattern` as a whole.

    A value is written ``0``-``9``, ``A``-``Z`` for 10 to 35, ``a``-``z`` for 36 to 61, or ``<n>``.
    ``.  [1-3]  [^5]  ( )  |  *  +  ?  {m,n}`` have their usual meaning.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Regex, count
    >>> count(Puzzle.blank(4).add(Regex("R1C1-R1C4", ".*12.*"))).value
    72
    """

    pattern: str = text()
    name = "regex"
    aliases = ("regular-expression",)

    def validate(self) -> None:
        """Require that the pattern can be read."""
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
        """Add the automaton of the regular expression."""
        ctx.add_machine(self.cells, Automaton.from_regex, self.pattern)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the line {self.listing} matches {self.pattern}"

    look = Look("lilac", 0.07, head=True, written=True)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        places = maker.line(maker.rng.randint(1, maker.longest))
        return {"cells": places, "pattern": _random_pattern(maker, 0)}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Regex("R1C1 R1C2 R2C3 R3C3", "[0-2]+ [^1]*"),
            Regex("R1C1 R1C2 R2C3", "(<-2>|1) .* [35]? | .{2} 0"),
            Regex("R1C1 R2C3 R1C1", "23?2 | 0.0"),
            Regex("R1C1", ".."),
        )

    formats = (Iss("Regex", "pattern"),)


@rule
class StateMachine(CellConstraint):
    """State machine: it reads the line from a start state to an accepting state.

    A transition is (state, value, next state). The machine may be nondeterministic: then one path
    to an accepting state is enough.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, StateMachine, count
    >>> up = [(0, 1, 1), (0, 2, 1), (1, 3, 1), (1, 4, 1)]
    >>> count(Puzzle.blank(4).add(StateMachine("R1C1-R1C3", up, accepting=[1]))).value
    48
    """

    transitions: Read[Iterable[Iterable[int]], tuple[tuple[int, int, int], ...]] = number_rows(
        form="state, value, next state"
    )
    accepting: WholeNumbers = whole_numbers()
    starts: WholeNumbers = whole_numbers(default=(0,))
    name = "state-machine"
    aliases = ("nfa",)

    def accepts(self, values: tuple[int, ...]) -> bool:
        states = set(self.starts)
        for value in values:
            states = {c for a, b, c in self.transitions if a in states and b == value}
        return not states.isdisjoint(self.accepting)

    def lower(self, ctx: Lowering) -> None:
        """Add the machine, made deterministic."""
        ctx.add_machine(self.cells, _deterministic, self.starts, self.transitions, self.accepting)

    def describe(self, puzzle: Puzzle) -> str:
        return f"a state machine accepts {self.listing}"

    @property
    def is_told(self) -> bool:
        return False

    look = Look("lilac", 0.07, (0.2, 0.12), head=True, written=True)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        rng = maker.rng
        states = range(rng.randint(1, 4))
        size = rng.randint(0, 4 * len(states))
        moves = [(rng.choice(states), maker.value(), rng.choice(states)) for _ in range(size)]
        return {
            "cells": maker.line(rng.randint(1, maker.longest)),
            "transitions": moves,
            "accepting": [rng.choice(states) for _ in range(rng.randint(0, 2))],
            "starts": [rng.choice(states) for _ in range(rng.randint(0, 2))],
        }

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        # A 0 or 1, and directly after it a 2 or 5, anywhere; the machine guesses the position.
        find = [(0, v, 0) for v in range(-2, 6)] + [(2, v, 2) for v in range(-2, 6)]
        find += [(0, 0, 1), (0, 1, 1), (1, 2, 2), (1, 5, 2)]
        return (
            StateMachine("R1C1 R1C2 R2C3 R3C3", find, accepting=[2]),
            StateMachine("R1C1 R2C3 R1C1", find, accepting=[2, 0], starts=[1, 0]),
            StateMachine("R1C1 R2C3", [], accepting=[0]),
        )

    formats = (Iss("NFA", "machine"),)

    phrases = tuple(
        Phrase(
            "cell",
            f"count {mark} four|neighbours less|greater|odd|even",
            may="adjacent neighbours diagonal or four",
            forms=forms,
        )
        for mark, forms in (("circle", "circle"), ("shaded|square", "shade square"),
                            ("symbol", "text"))
    )  # fmt: skip

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A cell says how many cells around it are smaller, greater, odd or even."""
        said = sentence.concepts
        [kind] = said & {"less", "greater", "odd", "even"}
        orthogonal = "neighbours" in said and "diagonal" not in said
        tests: dict[str, Callable[[int, int], bool]] = {
            "less": lambda number, value: value < number,
            "greater": lambda number, value: value > number,
            "odd": lambda number, value: value % 2 == 1,
            "even": lambda number, value: value % 2 == 0,
        }
        for figure in figures:
            [cell] = figure.cells
            around = [
                other
                for other in grid.cells
                if max(abs(other.row - cell.row), abs(other.col - cell.col)) == 1
                and not (orthogonal and other.row != cell.row and other.col != cell.col)
            ]
            yield cls((cell, *around), *_counting(grid.values, len(around), tests[kind]))


def _counting(
    values: tuple[int, ...], size: int, counts: Callable[[int, int], bool]
) -> tuple[list[tuple[int, int, int]], list[int]]:
    """The transitions and accepting states of a machine that counts down from the first value."""
    state = {
        (number, left): 1 + i * (size + 1) + left
        for i, number in enumerate(values)
        for left in range(size + 1)
    }
    moves = [(0, number, state[number, number]) for number in values if (number, number) in state]
    for (number, left), tail in state.items():
        for value in values:
            head = state.get((number, left - counts(number, value)))
            moves += [] if head is None else [(tail, value, head)]
    return moves, [state[number, 0] for number in values]


def _random_pattern(maker: RuleMaker, depth: int) -> str:
    """Draw a regular expression."""
    rng = maker.rng

    def sign() -> str:
        value = maker.value()
        return str(value) if 0 <= value <= 9 and rng.random() < 0.7 else f"<{value}>"

    def part() -> str:
        return _random_pattern(maker, depth + 1)

    match rng.randint(0, 7 if depth < 3 else 2):
        case 0:
            return sign()
        case 1:
            return "."
        case 2:
            return f"[{rng.choice(('', '^'))}{sign()}{sign()}]"
        case 3:
            return f"({part()}|{part()})"
        case 4:
            repeat = rng.choice(("*", "+", "?", "{0,2}", "{2}", "{1,3}"))
            return f"({part()}){repeat}"
        case _:
            return part() + part()


def _deterministic(
    domains: tuple[Domain, ...],
    starts: tuple[int, ...],
    transitions: tuple[tuple[int, int, int], ...],
    accepting: tuple[int, ...],
) -> Automaton:
    heads: dict[tuple[int, int], list[int]] = {}
    for tail, value, head in transitions:
        heads.setdefault((tail, value), []).append(head)
    return Automaton.from_nfa(
        domains, starts, lambda state, value: heads.get((state, value), ()), accepting
    )
