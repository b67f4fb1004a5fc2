"""Lines whose neighbours, or any two cells, are related: thermometers, whispers, renban lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise, product
from operator import eq, le, lt
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton, Budget
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Domain
from csp_sudoku.cells import Place
from csp_sudoku.constraints.aspects import Look, Placing, grown_lines, tried_lines
from csp_sudoku.constraints.base import CellConstraint, Constraint, all_values
from csp_sudoku.constraints.extremes import extreme
from csp_sudoku.constraints.fields import OptionalOpenNumber, brief, open_number, rule
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import FPuzzles, Iss, Number, SudokuMaker
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.generating.easel import Easel
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


Predicate = Callable[[int, int], bool]

# A line whose automaton is larger is split into several factors: it would propagate little better,
# and cost more to build.
FUSED = Budget(states=20_000, edges=60_000)


class _Pairwise(CellConstraint):
    """A rule for pairs of cells of a line: by default every cell and the next."""

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """The pairs of cells that the rule is for."""
        return pairwise(self.cells)

    def allowed(self, puzzle: Puzzle) -> Predicate:
        """The test whether a pair may hold two values."""
        raise ConstraintError(f"{type(self).__name__} must define allowed()")

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        allowed = self.allowed(puzzle)
        return all(allowed(values[a], values[b]) for a, b in self.pairs())

    def lower(self, ctx: Lowering) -> None:
        """Add one relation for each pair; between neighbours this loses no propagation."""
        allowed = self.allowed(ctx.puzzle)
        for a, b in self.pairs():
            ctx.add_relation(a, b, allowed)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        """The pairs, if equal values are never allowed."""
        allowed = self.allowed(puzzle)
        if any(allowed(value, value) for value in all_values(self.cells, puzzle)):
            return []
        return [pair for pair in self.pairs() if pair[0] != pair[1]]

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The filled pairs that are not allowed; else all filled cells, if they are a dead end."""
        allowed = self.allowed(puzzle)
        found = [
            (a, b)
            for a, b in self.pairs()
            if a in values and b in values and not allowed(values[a], values[b])
        ]
        return iter(found) if found else super().clashes(values, puzzle)


class Thermometer(_Pairwise):
    """Thermometer: values increase from the bulb, which is the first cell, to the tip.

    A line that comes back to one of its cells has no solution.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Thermometer, count
    >>> count(Puzzle.blank(4).add(Thermometer("R1C1-R1C3"))).value
    48
    """

    name = "thermometer"
    aliases = ("thermo", "thermos")
    saying = "Digits along a {colour}thermometer increase from its bulb."

    def allowed(self, puzzle: Puzzle) -> Predicate:
        return lt

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.cells] if len(set(self.cells)) == len(self.cells) else []

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a cell that comes twice, or more cells than values."""
        if len(set(self.cells)) < len(self.cells):
            return f"{self.label}: a cell comes twice, so its values cannot increase"
        values = all_values(self.cells, puzzle)
        if len(self.cells) > len(values):
            return f"{self.label}: {len(self.cells)} cells are too many for {len(values)} values"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"values increase along the thermometer {self.listing}"

    look = Look("grey", 0.26, bulb=True)
    placing = grown_lines(longest=6)

    def complemented(self, total: int) -> Constraint | None:
        return type(self)(self.cells[::-1])

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Thermometer("R1C1 R2C2 R2C3"), Thermometer("R1C1"), Thermometer("R1C1 R1C2 R1C1"))

    formats = (
        FPuzzles("thermometer", "lines"),
        SudokuMaker(300, "lines", at="thermometers"),
        Iss("Thermo", "cells"),
    )

    phrases = (Phrase("thermometer", "increase thermometer|bulb", may="bulb end thermometer line"),)


class SlowThermometer(_Pairwise):
    """Slow thermometer: values never decrease from the bulb, the first cell, to the tip.

    On a loop, which names its first cell again at the end, all values are equal.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SlowThermometer, count
    >>> count(Puzzle.blank(4).add(SlowThermometer("R1C1 R2C3"))).value
    216
    """

    name = "slow-thermometer"
    aliases = ("slow-thermo", "slow-thermos")
    saying = "Digits along a {colour}slow thermometer never decrease from its bulb."

    def allowed(self, puzzle: Puzzle) -> Predicate:
        return le

    def describe(self, puzzle: Puzzle) -> str:
        return f"values never decrease along the slow thermometer {self.listing}"

    look = Look("grey", 0.14, bulb=True)
    placing = grown_lines(longest=6)

    def complemented(self, total: int) -> Constraint | None:
        return type(self)(self.cells[::-1])

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (SlowThermometer("R1C1 R2C2 R2C3"), SlowThermometer("R1C1 R2C3 R1C1"))

    formats = (
        FPuzzles("slowthermometer", "lines"),
        SudokuMaker(300, "lines", at="thermometers", when={"slow": True}),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.pair_tables import Pair

        return [Pair(self.cells, _related(self.cells, le, puzzle))]

    phrases = (
        Phrase(
            "thermometer", "not-decrease thermometer|bulb", may="bulb end thermometer line slow"
        ),
    )


@rule
class Whisper(_Pairwise):
    """German whisper: neighbours on the line differ by at least 5, or by `difference`.

    The default is half the side of the grid, rounded up: 5 on 9×9. On a loop, which names its first
    cell again at the end, the last cell and the first are neighbours, too.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Whisper, count
    >>> count(Puzzle.blank(4).add(Whisper("R1C1 R1C2"))).value
    144
    """

    difference: OptionalOpenNumber = open_number(default=None, least=0)
    name = "whisper"
    aliases = ("german-whisper", "german-whispers", "whispers")
    saying = "Adjacent digits along a {colour}line differ by at least {difference}."

    def least(self, puzzle: Puzzle) -> int:
        """The least difference of neighbours in this puzzle."""
        return (side_of(puzzle) + 1) // 2 if self.difference is None else self.difference

    def allowed(self, puzzle: Puzzle) -> Predicate:
        least = self.least(puzzle)
        return lambda a, b: abs(a - b) >= least

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a difference that no two values have."""
        return too_far(self.label, self.cells, self.least(puzzle), puzzle)

    def describe(self, puzzle: Puzzle) -> str:
        return f"neighbours on the whisper {self.listing} differ by at least {self.least(puzzle)}"

    look = Look("green", 0.18)
    sees = "distance"
    placing = grown_lines(longest=6)

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._line(puzzle, "" if self.difference is None else f"≥{brief(self.difference)}")

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Whisper("R1C1 R2C2 R2C3"),
            Whisper("R1C1 R1C2 R1C1", 3),
            Whisper("R1C1 R1C2 R3C3", 0),
            Whisper("R1C1 R2C2", 9),
            Whisper("R1C1 R2C2 R2C3", [1, 3]),
            Whisper("R1C1 R2C2 R2C3", "R4C4"),
        )

    formats = (
        FPuzzles("whispers", "lines", value="difference"),
        FPuzzles("germanwhispers", "lines", value="difference", read_only=True),
        FPuzzles(
            "dutchwhispers",
            "lines",
            value=Number("difference", absent=lambda grid: (grid.rows + 1) // 2 - 1),
            read_only=True,
        ),
        SudokuMaker(401, "lines", minDifference="difference"),
        Iss("Whisper", "cells", difference=Number("difference", absent=5)),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [Whisper(self.cells, self.least(puzzle))] if self.difference is None else []

    phrases = (
        Phrase(
            "line",
            "difference at-least line|whisper|adjacent",
            may="adjacent whisper dutch line between consecutive",
            fields={"difference": "at_least"},
            habit="green",
        ),
        Phrase("line", "whisper", may="line dutch", habit="green"),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """Without a number: the usual difference, and one less for a Dutch whisper."""
        if not fields and "dutch" in sentence.concepts | sentence.topic:
            fields["difference"] = (max(grid.rows, grid.columns) + 1) // 2 - 1
        return super().from_figures(figures, sentence, grid, **fields)


class ParityLine(_Pairwise):
    """Parity line: even and odd values alternate.

    On a loop, which names its first cell again at the end, they alternate all the way round.

    Examples
    --------
    >>> from csp_sudoku import ParityLine, Puzzle, count
    >>> count(Puzzle.blank(4).add(ParityLine("R1C1-R1C3"))).value
    96
    """

    name = "parity-line"
    saying = "Digits along a {colour}line alternate between even and odd."

    def allowed(self, puzzle: Puzzle) -> Predicate:
        return _other_parity

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a loop of an odd number of cells."""
        if self.is_closed and len(self.once_round) % 2:
            return f"{self.label}: even and odd cannot alternate on a loop of an odd length"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"even and odd values alternate along the parity line {self.listing}"

    look = Look("red", 0.1, (0.02, 0.18))
    placing = grown_lines(longest=6)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (ParityLine("R1C1 R2C2 R2C3"), ParityLine("R1C1 R1C2 R1C3 R1C1"))

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.entropic import Modular

        return [Modular(self.cells, 2)]

    phrases = (
        Phrase("line", "alternate line|parity", may="line parity adjacent odd even between or"),
        Phrase("line", "adjacent odd even line", may="parity"),
    )


class Palindrome(_Pairwise):
    """Palindrome: the line reads the same from both ends.

    A loop, which names its first cell again at the end, reads the same both ways round from there.

    Examples
    --------
    >>> from csp_sudoku import Palindrome, Puzzle, count
    >>> count(Puzzle.blank(4).add(Palindrome("R1C1 R1C2 R2C3"))).value
    144
    """

    name = "palindrome"
    saying = "Digits along a {colour}line read the same from both ends."

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """The cells at equal distance from the two ends."""
        return mirrored(self.cells)

    def allowed(self, puzzle: Puzzle) -> Predicate:
        return eq

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to two cells that must be equal and share a house."""
        for a, b in self.pairs():
            for house in puzzle.houses:
                if a != b and {a, b} <= set(house.cells):
                    return f"{self.label}: {a} and {b} cannot be equal: both are in {house.title}"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"the palindrome {self.listing} reads the same from both ends"

    look = Look("grey", 0.12, (0.5, 0.16))
    sees = "equality"
    placing = Placing(in_three_rows=2, drawn=True)

    @classmethod
    def propose(cls, easel: Easel) -> Constraint | None:
        """Grow a line from its middle at both ends."""
        cells = list(easel.line(easel.chance.choice((1, 2))))
        if len({easel.value(place) for place in cells}) > 1:
            cells.pop()
        for _ in range(easel.chance.randint(1, 3) if cells else 0):
            open_ = easel.free.difference(cells)
            ways = [
                (a, b)
                for a, b in product(easel.around(cells[0]), easel.around(cells[-1]))
                if a != b and a in open_ and b in open_ and easel.value(a) == easel.value(b)
            ]
            if not ways:
                break
            a, b = easel.chance.choice(ways)
            cells = [a, *cells, b]
        return cls(cells) if len(cells) > 2 else None

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Palindrome("R1C1 R1C2 R3C2 R2C3"), Palindrome("R1C1"), Palindrome("R1C1 R1C2"))

    formats = (
        FPuzzles("palindrome", "lines"),
        SudokuMaker(402, "lines"),
        Iss("Palindrome", "cells"),
    )

    phrases = (
        Phrase(
            "line",
            "both-ways|palindrome",
            may="line palindrome both-ways end same set",
            habit="grey",
        ),
    )


class Nabner(_Pairwise):
    """Nabner: no two cells of the line hold equal or consecutive values.

    A cell that is listed twice counts once.

    Examples
    --------
    >>> from csp_sudoku import Nabner, Puzzle, count
    >>> count(Puzzle.blank(4).add(Nabner("R1C1 R2C3"))).value
    72
    """

    name = "nabner"
    saying = "Digits along a {colour}line do not repeat, and no two of them are consecutive."

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """Every two cells."""
        return combinations(dict.fromkeys(self.cells), 2)

    def allowed(self, puzzle: Puzzle) -> Predicate:
        return _apart

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the used values; if it is too large, relations."""
        scope = self.scope(ctx.puzzle)
        bit = _bits(all_values(scope, ctx.puzzle))

        def step(used: int, value: int) -> int | None:
            around = bit(value - 1) | bit(value) | bit(value + 1)
            return None if used & around else used | bit(value)

        try:
            ctx.add_fold(scope, 0, step, lambda used: True, budget=FUSED)
        except BudgetError:
            super().lower(ctx)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.scope(puzzle)]

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to more cells than values that are not consecutive."""
        scope, room, last = self.scope(puzzle), 0, None
        for value in all_values(scope, puzzle):
            if last is None or value > last + 1:
                room, last = room + 1, value
        if len(scope) > room:
            return (
                f"{self.label}: {len(scope)} cells are too many; at most {room} values can be "
                f"without consecutive ones"
            )
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"no two cells of the nabner {self.listing} hold equal or consecutive values"

    look = Look("gold", 0.14)
    sees = "distance"
    placing = grown_lines(longest=5)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Nabner("R1C1 R2C3"), Nabner("R1C1 R2C3 R3C2"), Nabner("R1C1 R2C3 R1C1"))

    formats = (FPuzzles("nabner", "lines"),)

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.pair_tables import AllPairs

        scope = self.scope(puzzle)
        return [AllPairs(scope, _related(scope, _apart, puzzle))]

    phrases = (
        Phrase(
            "line",
            "line|nabner non-consecutive no-repeat",
            may="line nabner set",
            habit="yellow gold",
            joined=True,
        ),
        Phrase(
            "line",
            "line|nabner non-consecutive or same|repeats",
            may="line nabner set",
            habit="yellow gold",
            joined=True,
        ),
        Phrase("line", "nabner", may="line", habit="yellow gold", joined=True),
    )


class Renban(CellConstraint):
    """Renban line: its values are different and consecutive, in any order.

    A cell that is listed twice counts once.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Renban, count
    >>> count(Puzzle.blank(4).add(Renban("R1C1-R1C3"))).value
    144
    """

    name = "renban"
    aliases = ("renban-line",)
    saying = "Digits along a {colour}line are consecutive, in any order, without repeats."

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        scope = self.scope(puzzle)
        found = {values[place] for place in scope}
        return len(found) == len(scope) == max(found) - min(found) + 1

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the used values.

        If it is too large: an all-different, and no value too far above the least one.
        """
        scope = self.scope(ctx.puzzle)
        size = len(scope)
        try:
            ctx.add_machine(scope, _consecutive, FUSED)
        except BudgetError:
            least = extreme(ctx, scope, min)
            ctx.add_different(scope)
            for place in scope:
                ctx.add_relation(least, place, lambda least, value: 0 <= value - least < size)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.scope(puzzle)]

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to more cells than values."""
        scope = self.scope(puzzle)
        values = all_values(scope, puzzle)
        if len(scope) > len(values):
            return f"{self.label}: {len(scope)} cells are too many for {len(values)} values"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"the renban line {self.listing} holds consecutive values in any order"

    look = Look("purple", 0.22)
    sees = "distance"
    placing = tried_lines(longest=5)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Renban("R1C1 R2C2 R2C3"),
            Renban("R1C1 R2C3 R1C1"),
            Renban("R1C1"),
            Renban("R1C1 R1C2 R2C3 R2C4 R3C3"),
        )

    formats = (
        FPuzzles("renban", "lines"),
        SudokuMaker(400, "lines"),
        Iss("Renban", "cells", once=True),
    )

    phrases = (
        Phrase(
            "line",
            "consecutive renban|set|any-order|no-repeat",
            may="line different once appear",
            habit="purple pink magenta",
            joined=True,
        ),
        Phrase("line", "renban", may="line", habit="purple pink magenta", joined=True),
    )


def _consecutive(domains: tuple[Domain, ...], budget: Budget) -> Automaton:
    """The automaton of different and consecutive values."""
    size = len(domains)
    values = sorted({value for domain in domains for value in domain})
    rows = [values[i : i + size] for i in range(len(values) - size + 1)]
    runs = [row for row in rows if row[-1] - row[0] == size - 1]
    if not runs:
        return Automaton.from_fold(domains, 0, lambda used, value: None, bool, budget=budget)
    return Automaton.from_sets(values, runs, budget=budget).restrict(domains)


def too_far(label: str, places: tuple[Place, ...], difference: int, puzzle: Puzzle) -> str | None:
    """The objection to a difference that no two values have."""
    values = all_values(places, puzzle)
    widest = max(values, default=0) - min(values, default=0)
    if len(places) > 1 and widest < difference:
        return f"{label}: no two values differ by {difference}; the largest difference is {widest}"
    return None


def side_of(puzzle: Puzzle) -> int:
    """The length of the longest row or column."""
    return max(max(grid.rows, grid.columns) for grid in puzzle.grids)


def mirrored(places: tuple[Place, ...]) -> Iterator[tuple[Place, Place]]:
    """The pairs at equal distance from the ends, outermost first."""
    return ((places[i], places[-1 - i]) for i in range(len(places) // 2))


def _bits(values: list[int]) -> Callable[[int], int]:
    """The function that gives the bit of a value; consecutive values have neighbouring bits."""
    # Bit 0 is free: it is the bit of the value below the least one.
    least = min(values, default=0) - 1
    return lambda value: 1 << (value - least)


def _other_parity(a: int, b: int) -> bool:
    return (a - b) % 2 == 1


def _apart(a: int, b: int) -> bool:
    return abs(a - b) > 1


def _related(
    places: tuple[Place, ...], allowed: Predicate, puzzle: Puzzle
) -> list[tuple[int, int]]:
    """The pairs of values that are allowed."""
    values = all_values(places, puzzle)
    return [(a, b) for a in values for b in values if allowed(a, b)]
