"""Full rank: the rank of a row or column among all rows and columns, read from both sides."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain, Regular
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import OpenNumber, brief, flag, open_number, rule, word
from csp_sudoku.constraints.line_clue import Line, SideClue, directed_lines, only_grid
from csp_sudoku.constraints.logic import others_of
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import Iss, Number, Text, as_many_values_as_rows
from csp_sudoku.machines import kept_machine

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment, Auxiliary
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle


@rule
class FullRank(SideClue):
    """Full rank: the line has rank `rank` among all rows and columns, read from both sides.

    The lines are compared as numbers; the smallest has rank 1. A line with a clue is equal to no
    other, unless :class:`FullRankTies` allows it.

    Examples
    --------
    >>> from csp_sudoku import FullRank, FullRankTies, Puzzle, count
    >>> count(Puzzle.blank(4).add(FullRank("R1", 5))).value
    9
    >>> count(Puzzle.blank(4).add(FullRank("R1", 5), FullRankTies("any"))).value
    27
    """

    rank: OpenNumber = open_number()
    reverse: bool = flag(default=False)
    name = "full-rank"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The whole grid."""
        self.cells(puzzle)
        return _square_grid(self, puzzle).cells

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        mine, others = self._split(puzzle)
        number = [values[place] for place in mine]
        rest = [[values[place] for place in line] for line in others]
        smaller = sum(line < number for line in rest)
        equal = rest.count(number)
        if self._ties(puzzle) == "any":
            return smaller < self.rank <= smaller + 1 + equal
        return equal == 0 and smaller == self.rank - 1

    def _split(self, puzzle: Puzzle) -> tuple[Line, list[Line]]:
        """The line itself and all others."""
        lines = dict(directed_lines(_square_grid(self, puzzle)))
        return lines.pop((self.line, self.reverse)), [*lines.values()]

    def lower(self, ctx: Lowering) -> None:
        """Add a bit for every other line, whether it is smaller; rank - 1 of them are set."""
        mine, others = self._split(ctx.puzzle)
        pairs = [_Comparison(ctx, other, mine) for other in others]
        smaller = [pair.bit("<") for pair in pairs]
        self._first_value(ctx, mine)
        if self._ties(ctx.puzzle) == "any":
            ctx.add_sum(smaller, None, self.rank - 1)
            ctx.add_sum([pair.bit("<=") for pair in pairs], self.rank - 1, None)
        else:
            ctx.add_sum(smaller, self.rank - 1, self.rank - 1)
            for pair in pairs:
                pair.differ()

    def _first_value(self, ctx: Lowering, mine: Line) -> None:
        """If the sides of the grid are permutations, four lines begin with each value."""
        grid = ctx.puzzle.grids[0]
        last = grid.rows - 1
        sides = (grid.row(0), grid.row(last), grid.column(0), grid.column(last))
        if len(grid.values) != grid.rows or not all(map(ctx.distinct, sides)):
            return
        if 1 <= self.rank <= 4 * grid.rows:
            first = grid.values[(self.rank - 1) // 4]
            ctx.add_condition(mine[0], first.__eq__)

    def numbers(self, puzzle: Puzzle) -> Iterable[int]:
        return range(1, 4 * puzzle.grids[0].rows + 1)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a rank that no line has."""
        most = 4 * puzzle.grids[0].rows
        if 1 <= self.rank <= most:
            return None
        return f"{self.label}: rank {self.rank} is impossible (1 to {most})"

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self._place} has rank {self.rank} among all rows and columns from both sides"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, f"#{brief(self.rank)}")]

    @classmethod
    def reads(cls) -> tuple[type[Constraint], ...]:
        return (FullRankTies,)

    def _ties(self, puzzle: Puzzle) -> str:
        said = others_of(self, puzzle, FullRankTies)
        return said[0].ties if said else "only-unclued"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (FullRank("R1", 5), FullRank("C2", 10, reverse=True), FullRank("R1", [5, 8]))

    formats = (
        Iss("FullRank", "side clue", rank=Number("rank", least=1), needs=as_many_values_as_rows),
    )


@rule
class FullRankTies(Constraint):
    """Full rank ties: which rows and columns, read from both sides, may be equal.

    ``none``: no two lines are equal. ``only-unclued``: lines without a clue may be equal; this is
    the default without this rule. ``any``: all lines may be equal, and a clue may be any rank among
    lines that are equal.

    Examples
    --------
    >>> from csp_sudoku import FullRankTies, Puzzle, count
    >>> count(Puzzle.blank(4).add(FullRankTies("none"))).value
    96
    """

    ties: str = word("none", "only-unclued", "any")
    name = "full-rank-ties"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The whole grid if no ties are allowed; else nothing, for it only changes other rules."""
        grid = _square_grid(self, puzzle)
        return grid.cells if self.ties == "none" else ()

    def check(self, puzzle: Puzzle) -> None:
        super().check(puzzle)
        found = [rule for rule in puzzle.constraints if isinstance(rule, FullRankTies)]
        if self not in found:
            raise ConstraintError(
                f"{self.name}: must be a rule of its own, because it concerns all clues"
            )
        if len(set(found)) > 1:
            raise ConstraintError(f"{self.name}: two such rules contradict each other; keep one")

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        if self.ties != "none":
            return True
        lines = directed_lines(_square_grid(self, puzzle)).values()
        return len({tuple(values[place] for place in line) for line in lines}) == len(lines)

    def lower(self, ctx: Lowering) -> None:
        """Add a test for every two lines that may be equal."""
        if self.ties == "none":
            grid = _square_grid(self, ctx.puzzle)
            lines = [line for (_, reverse), line in directed_lines(grid).items() if not reverse]
            # Reversing both lines of a pair gives the same test.
            pairs = [(line, line[::-1]) for line in lines]
            for one, other in combinations(lines, 2):
                pairs += [(one, other), (one, other[::-1])]
            for one, other in pairs:
                _Comparison(ctx, one, other).differ()

    def describe(self, puzzle: Puzzle) -> str:
        which = {
            "none": "no two lines",
            "only-unclued": "only lines without a clue",
            "any": "any lines",
        }
        return f"{which[self.ties]} may be equal, read from any side"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (FullRankTies("none"), FullRankTies("any"))

    formats = (Iss("FullRankTies", "flag", ties=Text("ties"), houses=True),)


class _Comparison:
    """Two lines side by side, with the cells that decide which of them is smaller."""

    def __init__(self, ctx: Lowering, one: Line, other: Line) -> None:
        self._ctx = ctx
        self._scope: list[Cell] = []
        self._surely_differ = False
        self._bits: dict[str, Auxiliary] = {}
        seen = set()
        for a, b in zip(one, other, strict=True):
            # The same cell in both lines decides nothing, nor do two cells that were compared.
            if a == b or (b, a) in seen:
                continue
            seen.add((a, b))
            self._scope += (a, b)
            if ctx.distinct((a, b)):
                self._surely_differ = True
                break

    def bit(self, signs: str) -> Auxiliary:
        """A bit that says whether the first line compares to the second by one of the signs."""
        if self._surely_differ:
            signs = signs.replace("=", "")
        if signs not in self._bits:
            self._bits[signs] = self._ctx.truth([self._test(signs)])
        return self._bits[signs]

    def differ(self) -> None:
        """Add the test that the lines are not equal."""
        if not self._surely_differ:
            self._ctx.add(self._test("<>"))

    def _test(self, signs: str) -> Regular:
        values = self._ctx.puzzle.grids[0].values
        machine = kept_machine(_comparing, values, len(self._scope), signs)
        return Regular(tuple(self._scope), machine)


def _comparing(values: Domain, length: int, signs: str) -> Automaton:
    """The automaton that reads two lines in turns and compares them from the first cell on."""

    def step(state: str | int, value: int) -> str | int:
        if isinstance(state, int):
            return "<" if state < value else ">" if state > value else "="
        return value if state == "=" else state

    return Automaton.from_fold((values,) * length, "=", step, lambda state: state in signs)


def _square_grid(rule: Constraint, puzzle: Puzzle) -> Grid:
    grid = only_grid(rule, puzzle)
    if grid.rows != grid.columns:
        raise ConstraintError(f"{rule.label}: needs a square grid, not {grid.size}")
    return grid
