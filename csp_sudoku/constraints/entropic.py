"""Entropic and modular lines: every three successive cells are of three kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from csp_encodings.errors import BudgetError
from csp_sudoku.cells import Place
from csp_sudoku.constraints.aspects import Look, grown_lines
from csp_sudoku.constraints.base import CellConstraint, Constraint
from csp_sudoku.constraints.fields import rule, whole
from csp_sudoku.constraints.lines import FUSED
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import DigitGroups, FPuzzles, Iss, SudokuMaker, values_1_to_9
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


class _Alternating(CellConstraint):
    """Successive cells, `window` of them at a time, hold values of different kinds.

    On a loop, which names its first cell again at the end, this holds all the way round.
    """

    def line(self) -> tuple[Place, ...]:
        """The cells in order; of a loop, the first ones once more at the end."""
        if not self.is_closed:
            return self.cells
        around = self.once_round
        return around + around[: self.window() - 1] if len(around) >= self.window() else around

    def window(self) -> int:
        """How many successive cells must be of different kinds."""
        raise ConstraintError(f"{type(self).__name__} must define window()")

    def kind(self, puzzle: Puzzle) -> Callable[[int], int]:
        """The function that gives the kind of a value."""
        raise ConstraintError(f"{type(self).__name__} must define kind()")

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        kind, size = self.kind(puzzle), self.window()
        kinds = [kind(values[place]) for place in self.line()]
        starts = range(max(1, len(kinds) - size + 1))
        windows = [kinds[start : start + size] for start in starts]
        return all(len(set(window)) == len(window) for window in windows)

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the latest kinds; if it is too large, relations."""
        kind, size = self.kind(ctx.puzzle), self.window()

        if size == 1:
            return

        def step(latest: tuple[int, ...], value: int) -> tuple[int, ...] | None:
            return None if kind(value) in latest else (*latest, kind(value))[1 - size :]

        try:
            ctx.add_fold(self.line(), (), step, lambda latest: True, budget=FUSED)
        except BudgetError:
            line = self.line()
            for i, place in enumerate(line):
                for other in line[i + 1 : i + size]:
                    ctx.add_relation(place, other, lambda a, b: kind(a) != kind(b))

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a loop on which the kinds cannot follow each other all the way round."""
        size, count = self.window(), len(self.once_round)
        if self.is_closed and count >= size and count % size:
            return f"{self.label}: the length of a loop must be divisible by {size}; it is {count}"
        return None

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        """Every window in which no cell comes twice."""
        size, line = self.window(), self.line()
        windows = [line[i : i + size] for i in range(max(1, len(line) - size + 1))]
        return [window for window in windows if 1 < len(set(window)) == len(window)]


@rule
class Modular(_Alternating):
    """Modular line: any 3 successive cells have different remainders modulo 3.

    `modulus` gives another number than 3, both for the cells and for the remainders. On a shorter
    line all cells have different remainders.

    Examples
    --------
    >>> from csp_sudoku import Modular, Puzzle, count
    >>> count(Puzzle.blank(4).add(Modular("R1C1-R1C3"))).value
    144
    """

    modulus: int = whole(default=3, least=1)
    name = "modular"
    aliases = ("modular-line",)
    saying = "Any three adjacent digits along a {colour}line have different remainders modulo 3."

    def window(self) -> int:
        return self.modulus

    def kind(self, puzzle: Puzzle) -> Callable[[int], int]:
        modulus = self.modulus
        return lambda value: value % modulus

    def describe(self, puzzle: Puzzle) -> str:
        size = min(self.modulus, len(self.cells))
        return (
            f"any {size} successive cells of the modular line {self.listing} differ modulo "
            f"{self.modulus}"
        )

    look = Look("teal", 0.14, (0.3, 0.2))
    placing = grown_lines(longest=6)

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._line(puzzle, "" if self.modulus == 3 else f"mod {self.modulus}")

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Modular("R1C1 R2C2 R2C3 R3C3"),
            Modular("R1C1 R2C2 R2C3 R1C1", 2),
            Modular("R1C1 R2C3 R1C1"),
            Modular("R1C1 R2C3", 1),
        )

    formats = (
        FPuzzles("modularline", "lines", fixed={"modulus": 3}),
        SudokuMaker(406, "lines", when={"groups": DigitGroups(2)}, fixed={"modulus": 2}),
        SudokuMaker(406, "lines", when={"groups": DigitGroups(3)}, fixed={"modulus": 3}),
        Iss("Modular", "cells", modulus="modulus"),
    )

    phrases = (
        Phrase(
            "line",
            "group-147 group-258 group-369",
            may="three set adjacent line modular different some appear",
        ),
        Phrase(
            "line",
            "residues-of-6",
            may="three set adjacent line modular different some appear",
        ),
        Phrase("line", "residue different", may="three set adjacent line modular"),
        Phrase("line", "modular", may="line"),
    )


class Entropic(_Alternating):
    """Entropic line: any three successive cells hold a low, a middle and a high value.

    The values of the grid are cut into thirds. If that leaves a rest, the low and the high third
    stay equal: 1-8 gives 1-3, 4-5 and 6-8; 1-10 gives 1-3, 4-7 and 8-10. On a line of two cells
    the values are of different thirds.

    Examples
    --------
    >>> from csp_sudoku import Diagonals, Entropic, Puzzle, count
    >>> count(Puzzle.blank(6).add(Diagonals(), Entropic("R1C1-R1C3"))).value
    3456
    """

    name = "entropic"
    aliases = ("entropic-line",)
    saying = "Any three adjacent cells of a {colour}line hold a low, a middle and a high digit."

    def window(self) -> int:
        return 3

    def kind(self, puzzle: Puzzle) -> Callable[[int], int]:
        values = sorted({value for grid in puzzle.grids for value in grid.values})
        outer = len(values) // 3 + (len(values) % 3 == 2)
        cuts = [values[i] for i in (outer, len(values) - outer) if i < len(values)]
        return lambda value: sum(value >= cut for cut in cuts)

    def describe(self, puzzle: Puzzle) -> str:
        return (
            f"any 3 successive cells of the entropic line {self.listing} hold a low, a middle and "
            f"a high value"
        )

    look = Look("orange", 0.2, (0.02, 0.28))
    placing = grown_lines(longest=6)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Entropic("R1C1 R2C2 R2C3 R3C3"), Entropic("R1C1 R2C3"), Entropic("R1C1"))

    formats = (
        FPuzzles("entropicline", "lines"),
        SudokuMaker(406, "lines", when={"groups": DigitGroups()}),
        Iss("Entropic", "cells", needs=values_1_to_9),
    )

    phrases = tuple(
        Phrase(
            "line",
            needs,
            may="three set adjacent line entropic appear some middle low high low-middle-high or "
            "group-123 group-456 group-789 low-middle-high-of-6",
            habit="peach orange",
        )
        for needs in (
            "low-middle-high|low-middle-high-of-6",
            "group-123 group-456 group-789",
            "low middle high line|entropic",
            "entropic",
        )
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """The sentence must name the thirds of these values, if it names any."""
        named = {"low-middle-high": 9, "group-789": 9, "low-middle-high-of-6": 6}
        if any(
            concept in sentence.concepts for concept, n in named.items() if n != len(grid.values)
        ):
            raise ValueError("these are not the thirds of the values")
        return super().from_figures(figures, sentence, grid, **fields)
