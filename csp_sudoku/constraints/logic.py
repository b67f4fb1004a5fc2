"""Combinations of rules: and, or, not, if, and how many of them hold."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import eq, ge, le
from typing import TYPE_CHECKING, ClassVar, TypeVar

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular, Relation, automaton_of
from csp_sudoku import pictures
from csp_sudoku.cells import Place, Var
from csp_sudoku.constraints.base import CellConstraint, Constraint
from csp_sudoku.constraints.fields import Read, converted, rule, whole
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import Iss
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.factors import Domain
    from csp_encodings.graph import Assignment
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


T = TypeVar("T", bound=Constraint)


def _read_part(given: object, name: str) -> Constraint:
    if not isinstance(given, Constraint):
        raise ConstraintError(f"{reprlib.repr(given)} is not a constraint")
    return given


def _read_parts(given: Iterable[object], name: str) -> tuple[Constraint, ...]:
    if not isinstance(given, Iterable):
        raise ConstraintError(f"needs a list of constraints, not {reprlib.repr(given)}")
    found = tuple([_read_part(part, name) for part in given])
    if not found:
        raise ConstraintError("needs at least one constraint")
    return found


@rule
class _Combination(Constraint):
    """Several rules under one connective."""

    parts: Read[Iterable[Constraint], tuple[Constraint, ...]] = converted(_read_parts)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(v for part in self.parts for v in part.scope(puzzle)))

    def check(self, puzzle: Puzzle) -> None:
        for part in self.parts:
            part.check(puzzle)

    @property
    def label(self) -> str:
        return "(" + f" {self.name} ".join(part.label for part in self.parts) + ")"

    def combined(self) -> tuple[Constraint, ...]:
        return self.parts

    def recombined(self, parts: tuple[Constraint, ...]) -> Constraint:
        return replace(self, parts=parts)

    def _sentences(self, puzzle: Puzzle, joint: str) -> str:
        return joint.join(f"({part.describe(puzzle)})" for part in self.parts)


class And(_Combination):
    """And: all parts hold. Usually written ``a & b``.

    Examples
    --------
    >>> from csp_sudoku import GreaterThan, Puzzle, count
    >>> a, b = GreaterThan("R1C1 R1C2"), GreaterThan("R1C2 R1C3")
    >>> count(Puzzle.blank(4).add(a & b)).value
    48
    """

    name = "and"

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return all(part.holds(values, puzzle) for part in self.parts)

    def lower(self, ctx: Lowering) -> None:
        """Lower each part."""
        for part in self.parts:
            part.lower(ctx)

    def uses(self, puzzle: Puzzle) -> Iterable[tuple[Var, tuple[int, ...]]]:
        return [used for part in self.parts for used in part.uses(puzzle)]

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [group for part in self.parts for group in part.different(puzzle)]

    def describe(self, puzzle: Puzzle) -> str:
        return self._sentences(puzzle, " and ")

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [mark for part in self.parts for mark in pictures.marks_of(part, puzzle)]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        from csp_sudoku.constraints import KillerCage, Thermometer

        return (And((KillerCage("R1C1 R1C2", 5), Thermometer("R1C2 R2C2"))),)

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return self.parts


class Or(_Combination):
    """Or: at least one part holds. Usually written ``a | b``; the parts may have different cells.

    Examples
    --------
    >>> from csp_sudoku import GreaterThan, Puzzle, count
    >>> a, b = GreaterThan("R1C1 R1C2"), GreaterThan("R1C2 R1C1")
    >>> count(Puzzle.blank(4).add(a | b)).value
    288
    """

    name = "or"

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return any(part.holds(values, puzzle) for part in self.parts)

    def lower(self, ctx: Lowering) -> None:
        """Add a bit for each part, whether it holds; at least one bit is set."""
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

    formats = (Iss("Or", "any"),)


@rule
class Not(Constraint):
    """Not: the part does not hold. Usually written ``~a``.

    Examples
    --------
    >>> from csp_sudoku import GreaterThan, Puzzle, count
    >>> count(Puzzle.blank(4).add(~GreaterThan("R1C1 R1C2"))).value
    144
    """

    part: Constraint = converted(_read_part)
    name = "not"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return self.part.scope(puzzle)

    def check(self, puzzle: Puzzle) -> None:
        self.part.check(puzzle)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return not self.part.holds(values, puzzle)

    def lower(self, ctx: Lowering) -> None:
        """Add the complement, if the part is one test; else a bit for all its tests, which is 0."""
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
        return f"it is not true that {self.part.describe(puzzle)}"

    def combined(self) -> tuple[Constraint, ...]:
        return (self.part,)

    def recombined(self, parts: tuple[Constraint, ...]) -> Constraint:
        return Not(*parts)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        from csp_sudoku.constraints import AllDifferent, Equal, KillerCage, Thermometer

        return (
            Not(Thermometer("R1C1 R2C2 R3C3")),
            Not(KillerCage("R1C1 R1C2", 5)),
            ~(AllDifferent("R1C1 R2C2") | Equal("R2C2 R3C3")),
        )

    phrases = (Phrase("", "row column three not one-parity", may="set adjacent or"),)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """No three successive cells of a row or a column are all even or all odd."""
        from csp_sudoku.constraints.regions import Even, Odd

        lines = [*map(grid.row, range(grid.rows)), *map(grid.column, range(grid.columns))]
        for line in lines:
            for window in zip(line, line[1:], line[2:], strict=False):
                yield cls(Even(window))
                yield cls(Odd(window))


@rule
class Implies(Constraint):
    """If: where the `condition` holds, the `consequence` holds; see :func:`implies`."""

    condition: Constraint = converted(_read_part)
    consequence: Constraint = converted(_read_part)
    name = "implies"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(v for part in self.combined() for v in part.scope(puzzle)))

    def check(self, puzzle: Puzzle) -> None:
        for part in self.combined():
            part.check(puzzle)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return not self.condition.holds(values, puzzle) or self.consequence.holds(values, puzzle)

    def lower(self, ctx: Lowering) -> None:
        """Add a bit for each part, whether it holds, and a relation of the two bits."""
        first, second = [ctx.truth(ctx.tests_of(part)) for part in self.combined()]
        ctx.add(Relation(first, second, frozenset({(0, 0), (0, 1), (1, 1)})))

    @property
    def label(self) -> str:
        return f"(if {self.condition.label} then {self.consequence.label})"

    def describe(self, puzzle: Puzzle) -> str:
        condition, consequence = [part.describe(puzzle) for part in self.combined()]
        return f"if ({condition}) then ({consequence})"

    def combined(self) -> tuple[Constraint, ...]:
        return self.condition, self.consequence

    def recombined(self, parts: tuple[Constraint, ...]) -> Constraint:
        return Implies(*parts)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        from csp_sudoku.constraints import Even, KillerCage, Thermometer

        return (
            Implies(Even("R1C1"), KillerCage("R2C2 R3C3", 5)),
            Implies(Thermometer("R1C1 R1C2"), ~Thermometer("R1C2 R2C2 R2C3")),
        )


@rule
class _Counted(_Combination):
    """So many of several rules hold."""

    count: int = whole(least=0)
    # How the number of rules that hold compares with the count, and the words for it.
    sign: ClassVar[str]
    words: ClassVar[str]

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        found = sum(part.holds(values, puzzle) for part in self.parts)
        return _COMPARE[self.sign](found, self.count)

    def lower(self, ctx: Lowering) -> None:
        """Add a bit for each part, whether it holds, and an automaton that counts the bits."""
        bits = tuple(ctx.truth(ctx.tests_of(part)) for part in self.parts)
        ctx.add_machine(bits, _counting, self.sign, self.count)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a number that is greater than the number of rules."""
        if self.sign != "<=" and self.count > len(self.parts):
            return f"{self.label}: there are only {len(self.parts)} rules"
        return None

    @property
    def label(self) -> str:
        return f"{self.words} {self.count} of ({', '.join(part.label for part in self.parts)})"

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.words} {self.count} of these hold: {self._sentences(puzzle, ', ')}"


def _counting(domains: tuple[Domain, ...], sign: str, count: int) -> Automaton:
    compare = _COMPARE[sign]
    return Automaton.from_fold(
        domains, 0, lambda found, bit: min(found + bit, count + 1), lambda n: compare(n, count)
    )


_COMPARE: dict[str, Callable[[int, int], bool]] = {"==": eq, ">=": ge, "<=": le}


class Exactly(_Counted):
    """Exactly: so many of the `parts` hold, not more and not fewer; see :func:`exactly`."""

    name, sign, words = "exactly", "==", "exactly"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        from csp_sudoku.constraints import Even, GreaterThan, KillerCage

        return (
            Exactly((Even("R1C1"), GreaterThan("R1C1 R2C2"), KillerCage("R1C2 R1C3", 5)), 2),
            Exactly((Even("R1C1"), Even("R2C2")), 0),
        )


class AtLeast(_Counted):
    """At least: so many of the `parts` hold, or more; see :func:`at_least`."""

    name, sign, words = "at-least", ">=", "at least"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        from csp_sudoku.constraints import Even, GreaterThan, Thermometer

        return (
            AtLeast((Even("R1C1"), GreaterThan("R1C1 R2C2"), Thermometer("R1C2 R2C3")), 2),
            AtLeast((Even("R1C1"), Even("R2C2")), 0),
        )


class AtMost(_Counted):
    """At most: so many of the `parts` hold, or fewer; see :func:`at_most`."""

    name, sign, words = "at-most", "<=", "at most"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        from csp_sudoku.constraints import Even, GreaterThan, Thermometer

        return (
            AtMost((Even("R1C1"), GreaterThan("R1C1 R2C2"), Thermometer("R1C2 R2C3")), 1),
            AtMost((Even("R1C1"), Even("R2C2")), 9),
        )


def implies(condition: Constraint, consequence: Constraint) -> Implies:
    """If one rule holds, another one holds, too.

    Examples
    --------
    >>> from csp_sudoku import Even, GreaterThan, Puzzle, count, implies
    >>> count(Puzzle.blank(4).add(implies(Even("R1C1"), GreaterThan("R1C1 R1C2")))).value
    240
    """
    return Implies(condition, consequence)


def exactly(number: int, rules: Iterable[Constraint]) -> Exactly:
    """Exactly so many of several rules hold.

    "Two of these clues are false" is ``exactly(2, [~clue for clue in clues])``.

    Examples
    --------
    >>> from csp_sudoku import Even, Puzzle, count, exactly
    >>> count(Puzzle.blank(4).add(exactly(1, [Even("R1C1"), Even("R2C2"), Even("R3C3")]))).value
    120
    """
    return Exactly(rules, number)


def at_least(number: int, rules: Iterable[Constraint]) -> AtLeast:
    """At least so many of several rules hold.

    Examples
    --------
    >>> from csp_sudoku import Even, Puzzle, at_least, count
    >>> count(Puzzle.blank(4).add(at_least(2, [Even("R1C1"), Even("R2C2"), Even("R3C3")]))).value
    144
    """
    return AtLeast(rules, number)


def at_most(number: int, rules: Iterable[Constraint]) -> AtMost:
    """At most so many of several rules hold.

    Examples
    --------
    >>> from csp_sudoku import Even, Puzzle, at_most, count
    >>> count(Puzzle.blank(4).add(at_most(1, [Even("R1C1"), Even("R2C2"), Even("R3C3")]))).value
    144
    """
    return AtMost(rules, number)


def xor(first: Constraint, second: Constraint) -> Exactly:
    """One of two rules holds, and the other does not. For more rules, use :func:`exactly`.

    Examples
    --------
    >>> from csp_sudoku import Even, Puzzle, count, xor
    >>> count(Puzzle.blank(4).add(xor(Even("R1C1"), Even("R1C2")))).value
    192
    """
    return Exactly((first, second), 1)


def leaves(rule: Constraint, *, sure: bool = True) -> Iterator[tuple[Constraint, bool]]:
    """Walk through the simple rules that a rule consists of: itself, unless it combines others.

    Each comes with whether it holds in any case, as nothing does inside an ``or`` or a ``not``.
    """
    parts = rule.combined()
    if not parts:
        yield rule, sure
    for part in parts:
        yield from leaves(part, sure=sure and isinstance(rule, And))


def others_of(rule: Constraint, puzzle: Puzzle, kind: type[T]) -> list[T]:
    """Return the rules of a puzzle, those of one class, that change what a rule means.

    What stands inside an ``or`` or a ``not`` may not hold, and changes nothing: a mark there
    exempts nobody, unless :func:`sure_marks` finds that its cells are marked in any case.
    """
    marks = [mark for rule_ in puzzle.constraints for mark in sure_marks(rule, rule_)]
    return [mark for mark in marks if isinstance(mark, kind)]


def sure_marks(reader: Constraint, rule: Constraint) -> list[Constraint]:
    """Return the parts of a rule that change what the reader means, as far as they surely hold.

    In an ``or`` these are marks that all of its parts put on the same cells: an X or a V marks its
    pair in any case.
    """
    parts = rule.combined()
    if not parts:
        return [rule] if reader.depends_on(rule) else []
    inside = [sure_marks(reader, part) for part in parts]
    if isinstance(rule, Or):
        common = set.intersection(*[{_marked(mark) for mark in marks} for marks in inside])
        return [mark for marks in inside for mark in marks if _marked(mark) in common]
    return [mark for marks in inside for mark in marks] if isinstance(rule, And) else []


def _marked(mark: Constraint) -> object:
    """What a mark is on: its cells in any order; other rules stand for themselves."""
    return frozenset(mark.cells) if isinstance(mark, CellConstraint) else mark


def refuse_unsure_marks(rule: Constraint, puzzle: Puzzle) -> None:
    """Refuse marks inside an ``or`` or a ``not`` that would exempt their cells from a rule."""
    for constraint in puzzle.constraints:
        sure = {_marked(mark) for mark in sure_marks(rule, constraint)}
        for leaf, _ in leaves(constraint):
            if rule.depends_on(leaf) and _marked(leaf) not in sure:
                raise ConstraintError(
                    f"{rule.label}: {leaf.label} is inside an 'or' or a 'not', so it is unknown "
                    f"whether its cells are marked; write that mark as a rule of its own"
                )


def reads_others(rule: Constraint) -> bool:
    """Whether a rule, or a part of it, may mean something else because of other rules."""
    return any(leaf.reads() for leaf, _ in leaves(rule))


def depends(rule: Constraint, others: Iterable[Constraint]) -> bool:
    """Whether a rule, or a part of it, means something else without some other rules.

    This is the question before a rule is taken out of a puzzle: what depends on it must be lowered
    anew, in the puzzle without it.
    """
    readers = [leaf for leaf, _ in leaves(rule) if leaf.reads()]
    if not readers:
        return False
    return any(sure_marks(reader, other) for reader in readers for other in others)
