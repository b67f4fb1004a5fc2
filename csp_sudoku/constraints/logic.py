"""Combinations of constraints: and, or, not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular, automaton_of
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint, Values
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


@dataclass(frozen=True)
class _Combination(Constraint):
    """Several constraints under one connective."""

    parts: tuple[Constraint, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        if not self.parts:
            raise ConstraintError(f"{self.name}: combines at least one constraint")
        for part in self.parts:
            if not isinstance(part, Constraint):
                raise ConstraintError(f"{self.name}: {part!r} is not a constraint")

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(v for part in self.parts for v in part.scope(puzzle)))

    def check(self, puzzle: Puzzle) -> None:
        for part in self.parts:
            part.check(puzzle)

    @property
    def label(self) -> str:
        return "(" + f" {self.name} ".join(part.label for part in self.parts) + ")"

    def _sentences(self, puzzle: Puzzle, joint: str) -> str:
        return joint.join(f"({part.describe(puzzle)})" for part in self.parts)


@dataclass(frozen=True)
class And(_Combination):
    """All parts hold. Usually written ``a & b``.

    Examples
    --------
    >>> from csp_sudoku import GreaterThan, Puzzle, count
    >>> a, b = GreaterThan("R1C1 R1C2"), GreaterThan("R1C2 R1C3")
    >>> count(Puzzle.blank(4).add(a & b)).value
    48
    """

    name = "and"

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return all(part.holds(values, puzzle) for part in self.parts)

    def lower(self, ctx: Lowering) -> None:
        """Each part on its own."""
        for part in self.parts:
            part.lower(ctx)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [group for part in self.parts for group in part.different(puzzle)]

    def describe(self, puzzle: Puzzle) -> str:
        return self._sentences(puzzle, " and ")

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        from csp_sudoku.constraints import KillerCage, Thermometer

        return (And((KillerCage("R1C1 R1C2", 5), Thermometer("R1C2 R2C2"))),)


@dataclass(frozen=True)
class Or(_Combination):
    """At least one part holds. Usually written ``a | b``; the parts may have different cells.

    Examples
    --------
    >>> from csp_sudoku import GreaterThan, Puzzle, count
    >>> a, b = GreaterThan("R1C1 R1C2"), GreaterThan("R1C2 R1C1")
    >>> count(Puzzle.blank(4).add(a | b)).value
    288
    """

    name = "or"

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return any(part.holds(values, puzzle) for part in self.parts)

    def lower(self, ctx: Lowering) -> None:
        """A bit for each part, one of which is set."""
        bits = tuple(ctx.truth(ctx.tests_of(part)) for part in self.parts)
        some = Automaton.from_fold(((0, 1),) * len(bits), 0, max, bool)
        ctx.add(Regular(bits, some))

    def describe(self, puzzle: Puzzle) -> str:
        return self._sentences(puzzle, " or ")

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        from csp_sudoku.constraints import KillerCage, Sum, Thermometer

        return (
            Or((KillerCage("R1C1 R2C2", 5), KillerCage("R2C2 R3C3 R3C4", 8))),
            Or((Thermometer("R1C1 R1C2 R2C2"), ~Sum("R1C1 R3C3", 5))),
        )


@dataclass(frozen=True)
class Not(Constraint):
    """The part does not hold. Usually written ``~a``.

    Examples
    --------
    >>> from csp_sudoku import GreaterThan, Puzzle, count
    >>> count(Puzzle.blank(4).add(~GreaterThan("R1C1 R1C2"))).value
    144
    """

    part: Constraint
    name = "not"

    def __post_init__(self) -> None:
        if not isinstance(self.part, Constraint):
            raise ConstraintError(f"not: {self.part!r} is not a constraint")

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return self.part.scope(puzzle)

    def check(self, puzzle: Puzzle) -> None:
        self.part.check(puzzle)

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return not self.part.holds(values, puzzle)

    def lower(self, ctx: Lowering) -> None:
        """One test is complemented; several need a bit, which is 0."""
        tests = ctx.tests_of(self.part)
        if len(tests) == 1:
            [test] = tests
            domains = {variable: ctx.domain(variable) for variable in test.scope}
            ctx.add(Regular(test.scope, ~automaton_of(test, domains)))
        else:
            bit = ctx.truth(tests)
            ctx.add(Regular((bit,), Automaton.from_table(((0, 1),), [(0,)])))

    @property
    def label(self) -> str:
        return f"not {self.part.label}"

    def describe(self, puzzle: Puzzle) -> str:
        return f"it is not so that {self.part.describe(puzzle)}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        from csp_sudoku.constraints import AllDifferent, Equal, KillerCage, Thermometer

        return (
            Not(Thermometer("R1C1 R2C2 R3C3")),
            Not(KillerCage("R1C1 R1C2", 5)),
            ~(AllDifferent("R1C1 R2C2") | Equal("R2C2 R3C3")),
        )
