"""The rank of a row or a column among all of them, read from both sides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain, Regular
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint, Values, check_int
from csp_sudoku.constraints.line_clue import Line, SideClue, directed_lines, only_grid
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_encodings.graph import Auxiliary
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

_TIES = ("none", "only-unclued", "any")


@dataclass(frozen=True)
class FullRank(SideClue):
    """The clue is the rank of the line among all rows and columns read from both sides.

    They are compared as numbers, the smallest has rank 1. A line with a clue equals no other;
    :class:`FullRankTies` says where that is otherwise.

    Examples
    --------
    >>> from csp_sudoku import FullRank, FullRankTies, Puzzle, count
    >>> count(Puzzle.blank(4).add(FullRank("R1", 5))).value
    9
    >>> count(Puzzle.blank(4).add(FullRank("R1", 5), FullRankTies("any"))).value
    27
    """

    rank: int
    reverse: bool = False
    name = "full-rank"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "rank", self.rank)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The whole grid."""
        self.cells(puzzle)
        return _square_grid(self, puzzle).cells

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        mine, others = self._split(puzzle)
        number = [values[place] for place in mine]
        rest = [[values[place] for place in line] for line in others]
        smaller = sum(line < number for line in rest)
        equal = rest.count(number)
        if _ties(puzzle) == "any":
            return smaller < self.rank <= smaller + 1 + equal
        return equal == 0 and smaller == self.rank - 1

    def _split(self, puzzle: Puzzle) -> tuple[Line, list[Line]]:
        """The line itself and all others."""
        lines = dict(directed_lines(_square_grid(self, puzzle)))
        return lines.pop((self.line, self.reverse)), [*lines.values()]

    def lower(self, ctx: Lowering) -> None:
        """A bit for every other line, whether it is smaller; so many of them are set."""
        mine, others = self._split(ctx.puzzle)
        pairs = [_Comparison(ctx, other, mine) for other in others]
        smaller = [pair.bit("<") for pair in pairs]
        self._first_value(ctx, mine)
        if _ties(ctx.puzzle) == "any":
            ctx.add_sum(smaller, None, self.rank - 1)
            ctx.add_sum([pair.bit("<=") for pair in pairs], self.rank - 1, None)
        else:
            ctx.add_sum(smaller, self.rank - 1, self.rank - 1)
            for pair in pairs:
                pair.differ()

    def _first_value(self, ctx: Lowering, mine: Line) -> None:
        """Where the sides of the grid are permutations, four lines begin with each value."""
        grid = ctx.puzzle.grids[0]
        last = grid.rows - 1
        sides = (grid.row(0), grid.row(last), grid.column(0), grid.column(last))
        if len(grid.values) != grid.rows or not all(map(ctx.distinct, sides)):
            return
        if 1 <= self.rank <= 4 * grid.rows:
            first = grid.values[(self.rank - 1) // 4]
            ctx.add_condition(mine[0], first.__eq__)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A rank beyond the number of lines."""
        most = 4 * puzzle.grids[0].rows
        if 1 <= self.rank <= most:
            return None
        return f"{self.label}: rank {self.rank} is out of reach (1 to {most})"

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self._place} has rank {self.rank} among all rows and columns from both sides"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (FullRank("R1", 5), FullRank("C2", 10, reverse=True))


@dataclass(frozen=True)
class FullRankTies(Constraint):
    """Which rows and columns, read from both sides, may be equal.

    ``none`` of them; ``only-unclued`` ones, which is what counts without this rule; or ``any``:
    then the rank of a clue may be any place among equal lines.

    Examples
    --------
    >>> from csp_sudoku import FullRankTies, Puzzle, count
    >>> count(Puzzle.blank(4).add(FullRankTies("none"))).value
    96
    """

    ties: str
    name = "full-rank-ties"

    def __post_init__(self) -> None:
        if self.ties not in _TIES:
            raise ConstraintError(
                f"{self.name}: ties are one of {', '.join(_TIES)}, not {self.ties!r}"
            )

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The whole grid, if it says something by itself."""
        grid = _square_grid(self, puzzle)
        return grid.cells if self.ties == "none" else ()

    def check(self, puzzle: Puzzle) -> None:
        super().check(puzzle)
        found = [rule for rule in puzzle.constraints if isinstance(rule, FullRankTies)]
        if self not in found:
            raise ConstraintError(
                f"{self.name}: it speaks of all clues, so it cannot be part of another rule"
            )
        if len(set(found)) > 1:
            raise ConstraintError(f"{self.name}: said twice, and differently")

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        if self.ties != "none":
            return True
        lines = directed_lines(_square_grid(self, puzzle)).values()
        return len({tuple(values[place] for place in line) for line in lines}) == len(lines)

    def lower(self, ctx: Lowering) -> None:
        """Every two lines differ, as far as the houses do not say so."""
        if self.ties == "none":
            grid = _square_grid(self, ctx.puzzle)
            lines = [line for (_, reverse), line in directed_lines(grid).items() if not reverse]
            # To reverse both lines of a pair changes nothing.
            pairs = [(line, line[::-1]) for line in lines]
            for one, other in combinations(lines, 2):
                pairs += [(one, other), (one, other[::-1])]
            for one, other in pairs:
                _Comparison(ctx, one, other).differ()

    def describe(self, puzzle: Puzzle) -> str:
        which = {
            "none": "no lines",
            "only-unclued": "only lines without a clue",
            "any": "any lines",
        }
        return f"{which[self.ties]} may be equal, read from any side"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (FullRankTies("none"), FullRankTies("any"))


class _Comparison:
    """Two lines side by side, as far as they must be read to tell which is smaller."""

    def __init__(self, ctx: Lowering, one: Line, other: Line) -> None:
        self._ctx = ctx
        self._scope: list[Cell] = []
        self._surely_differ = False
        self._bits: dict[str, Auxiliary] = {}
        seen = set()
        for a, b in zip(one, other, strict=True):
            # The same cell decides nothing, nor do two that were equal before.
            if a == b or (b, a) in seen:
                continue
            seen.add((a, b))
            self._scope += (a, b)
            if ctx.distinct((a, b)):
                self._surely_differ = True
                break

    def bit(self, signs: str) -> Auxiliary:
        """Whether the first line compares to the second by one of the signs."""
        if self._surely_differ:
            signs = signs.replace("=", "")
        if signs not in self._bits:
            self._bits[signs] = self._ctx.truth([self._test(signs)])
        return self._bits[signs]

    def differ(self) -> None:
        """Test: the lines are not equal."""
        if not self._surely_differ:
            self._ctx.add(self._test("<>"))

    def _test(self, signs: str) -> Regular:
        values = self._ctx.puzzle.grids[0].values
        return Regular(tuple(self._scope), _comparing(values, len(self._scope), signs))


@lru_cache(maxsize=64)
def _comparing(values: Domain, length: int, signs: str) -> Automaton:
    """Read two lines in turns and compare them, the first place counting most."""

    def step(state: str | int, value: int) -> str | int:
        if isinstance(state, int):
            return "<" if state < value else ">" if state > value else "="
        return value if state == "=" else state

    return Automaton.from_fold((values,) * length, "=", step, lambda state: state in signs)


def _ties(puzzle: Puzzle) -> str:
    for rule in puzzle.constraints:
        if isinstance(rule, FullRankTies):
            return rule.ties
    return "only-unclued"


def _square_grid(rule: Constraint, puzzle: Puzzle) -> Grid:
    grid = only_grid(rule, puzzle)
    if grid.rows != grid.columns:
        raise ConstraintError(f"{rule.label}: needs a square grid, not {grid.size}")
    return grid
