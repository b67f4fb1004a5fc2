"""Rules for every 2×2 block, and Dutch flatmates: who may be above and below a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain, Regular
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint, WholeGrid
from csp_sudoku.constraints.fields import Read, number_rows, rule, whole
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import DigitGroups, Iss, SudokuMaker, nine_values, values_1_to_9
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


Groups = tuple[tuple[int, ...], ...]


@rule
class _BlockRule(WholeGrid):
    """Every 2×2 block of a grid holds a value of every group."""

    def groups_of(self, grid: Grid) -> Groups:
        """The groups of values in one grid of the puzzle."""
        raise ConstraintError(f"{type(self).__name__} must define groups_of()")

    def _blocks(self, puzzle: Puzzle) -> Iterable[tuple[tuple[Cell, ...], Groups]]:
        """Every block with its groups; a block that two grids share comes once."""
        return dict.fromkeys(
            (block, groups)
            for grid in puzzle.grids
            for groups in [self.groups_of(grid)]
            for block in _blocks_of(grid)
        )

    def check(self, puzzle: Puzzle) -> None:
        for grid in puzzle.grids:
            self.groups_of(grid)

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The filled blocks without a value of some group."""
        for block, groups in self._blocks(puzzle):
            if all(place in values for place in block):
                held = {values[place] for place in block}
                if any(held.isdisjoint(group) for group in groups):
                    yield block

    def lower(self, ctx: Lowering) -> None:
        """Add a small automaton for each block; its state is the groups that were seen."""
        for block, groups in self._blocks(ctx.puzzle):
            ctx.add(Regular(block, _all_groups(ctx.domains(block), groups)))

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a group of which a block can hold no value."""
        for block, groups in self._blocks(puzzle):
            values = {value for place in block for value in puzzle.values_of(place)}
            for group in groups:
                if values.isdisjoint(group):
                    shown = " ".join(map(str, group)) or "an empty group"
                    return f"{self.label}: the block at {block[0]} cannot hold one of {shown}"
        return None


@rule
class GlobalEntropy(_BlockRule):
    """Global entropy: every 2×2 block holds a low, a middle and a high value.

    These are the thirds of the values. With `groups`, a block holds a value of each of them.

    Examples
    --------
    >>> from csp_sudoku import GlobalEntropy, Puzzle, count
    >>> count(Puzzle.blank(3).add(GlobalEntropy())).value
    12
    >>> count(Puzzle.blank(4).add(GlobalEntropy([(1, 2), (3, 4)]))).value
    216
    """

    groups: Read[Iterable[Iterable[int]] | None, Groups | None] = number_rows(default=None)
    name = "global-entropy"
    aliases = ("entropy",)
    phrases = (
        *(
            Phrase(
                "",
                f"two-by-two {needs}",
                may="some set appear low middle high global entropic square "
                "group-123 group-456 group-789 low-middle-high",
            )
            for needs in ("low-middle-high", "low middle high", "group-123 group-456 group-789")
        ),
        Phrase("", "two-by-two odd even some", may="set"),
        Phrase("", "two-by-two not one-parity", may="set or"),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """The thirds, or odd and even values."""
        if not sentence.concepts & {"odd", "even", "one-parity"}:
            return [cls()]
        return [cls([[v for v in grid.values if v % 2 == rest] for rest in (0, 1)])]

    def groups_of(self, grid: Grid) -> Groups:
        """The given groups, or else the thirds of the values."""
        if self.groups is not None:
            return self.groups
        values, (third, rest) = grid.values, divmod(len(grid.values), 3)
        if rest:
            raise ConstraintError(
                f"{self.label}: {len(values)} values cannot be cut into thirds; give it groups"
            )
        return values[:third], values[third : 2 * third], values[2 * third :]

    def describe(self, puzzle: Puzzle) -> str:
        groups = self.groups_of(puzzle.grids[0])
        shown = ", ".join(" ".join(map(str, group)) for group in groups)
        return f"every 2×2 block holds one of each of {shown}"

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        rng = maker.rng
        sizes = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
        groups = [sorted({maker.number() for _ in range(size)}) for size in sizes]
        return {"groups": groups if rng.random() < 0.7 else None}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (GlobalEntropy(((0, 1, 2), (2, 3, 5))),)

    formats = (
        SudokuMaker(16, "flag", when={"groups": DigitGroups()}, fixed={"groups": None}),
        Iss("GlobalEntropy", "flag", needs=values_1_to_9, fixed={"groups": None}),
    )


@rule
class GlobalModulo(_BlockRule):
    """Global modulo: every 2×2 block holds all remainders modulo 3, or modulo `modulus`.

    Examples
    --------
    >>> from csp_sudoku import GlobalModulo, Puzzle, count
    >>> count(Puzzle.blank(4).add(GlobalModulo(2))).value
    216
    """

    modulus: int = whole(default=3, least=1, most=4)
    name = "global-modulo"
    phrases = (
        Phrase(
            "",
            "two-by-two group-147 group-258 group-369",
            may="some set appear global modular square residue",
        ),
        Phrase("", "two-by-two residue", may="some set appear global modular square different"),
    )

    def groups_of(self, grid: Grid) -> Groups:
        """The values with each remainder."""
        modulus = self.modulus
        return tuple(
            tuple(value for value in grid.values if value % modulus == rest)
            for rest in range(modulus)
        )

    def describe(self, puzzle: Puzzle) -> str:
        return f"every 2×2 block holds all remainders modulo {self.modulus}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (GlobalModulo(2),)

    formats = (
        SudokuMaker(16, "flag", when={"groups": DigitGroups(3)}, fixed={"modulus": 3}),
        Iss("GlobalMod", "flag", needs=nine_values, fixed={"modulus": 3}),
    )


@rule
class DutchFlatmates(WholeGrid):
    """Dutch flatmates: every 5 has a 1 directly above or a 9 directly below.

    With other values than 1 to 9: every middle value has the least directly above or the greatest
    directly below. `value`, `above` and `below` name other values.

    Examples
    --------
    >>> from csp_sudoku import DutchFlatmates, Puzzle, count
    >>> count(Puzzle.blank(3).add(DutchFlatmates())).value
    6
    >>> count(Puzzle.blank(4).add(DutchFlatmates(3, above=1, below=4))).value
    8
    """

    value: int | None = whole(default=None)
    above: int | None = whole(default=None)
    below: int | None = whole(default=None)
    name = "dutch-flatmates"
    aliases = ("flatmates",)

    def _roles(self, values: tuple[int, ...]) -> tuple[int, int, int]:
        """The value that needs a mate, its mate above and its mate below."""
        if self.value is None and len(values) % 2 == 0:
            raise ConstraintError(
                f"{self.label}: {len(values)} values have no middle one; give it a value"
            )
        usual = (values[len(values) // 2], values[0], values[-1])
        named = (self.value, self.above, self.below)
        tenant, above, below = (u if n is None else n for n, u in zip(named, usual, strict=True))
        return tenant, above, below

    def _flats(self, puzzle: Puzzle) -> Iterator[tuple[Cell, int, list[tuple[Cell, int]]]]:
        """Every cell, its value that needs a mate, and the cells and values of the mates."""
        for place in puzzle.cells:
            values = puzzle.values_of(place)
            if not values:
                continue  # two grids share the cell and have no common value: no grid fits anyway
            tenant, above, below = self._roles(values)
            row, col = place
            mates = [(Cell(row - 1, col), above), (Cell(row + 1, col), below)]
            yield place, tenant, [mate for mate in mates if puzzle.has(mate[0])]

    def check(self, puzzle: Puzzle) -> None:
        """Require that every cell has a middle value, or the rule names one."""
        for values in {puzzle.values_of(place) for place in puzzle.cells}:
            if values:
                self._roles(values)

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The cells that lack both mates."""
        for place, tenant, mates in self._flats(puzzle):
            if values.get(place) == tenant and all(
                mate in values and values[mate] != value for mate, value in mates
            ):
                yield place, *(mate for mate, _ in mates)

    def lower(self, ctx: Lowering) -> None:
        """Add a factor of one to three cells for each cell, from top to bottom."""
        for place, tenant, mates in self._flats(ctx.puzzle):
            if not mates:
                ctx.add_condition(place, tenant.__ne__)
            elif len(mates) == 1:
                [(mate, value)] = mates
                ctx.add_relation(mate, place, _Mate(value, tenant))
            else:
                (first, above), (last, below) = mates
                machine = _flat(ctx.domains((first, place, last)), above, tenant, below)
                ctx.add(Regular((first, place, last), machine))

    def describe(self, puzzle: Puzzle) -> str:
        tenant, above, below = self._roles(puzzle.grids[0].values)
        return f"every {tenant} has a {above} directly above or a {below} directly below"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (DutchFlatmates(2, above=1, below=3),)

    formats = (
        Iss(
            "DutchFlatmates",
            "flag",
            needs=values_1_to_9,
            fixed={"value": None, "above": None, "below": None},
        ),
    )


@dataclass(frozen=True)
class _Mate:
    """The test: no tenant, or its mate. Equal tests are equal objects, so they share a table."""

    mate: int
    tenant: int

    def __call__(self, a: int, b: int) -> bool:
        return b != self.tenant or a == self.mate


def _flat(domains: tuple[Domain, ...], above: int, tenant: int, below: int) -> Automaton:
    def step(lonely: bool, value: int, position: int) -> bool | None:
        if position == 0:
            return value != above
        if position == 1:
            return lonely and value == tenant
        return None if lonely and value != below else False

    return Automaton.from_fold(domains, False, step, lambda state: True, positional=True)


def _all_groups(domains: tuple[Domain, ...], groups: Groups) -> Automaton:
    def step(seen: frozenset[int], value: int) -> frozenset[int]:
        return seen | {i for i, group in enumerate(groups) if value in group}

    return Automaton.from_fold(domains, frozenset(), step, lambda seen: len(seen) == len(groups))


def _blocks_of(grid: Grid) -> Iterator[tuple[Cell, ...]]:
    for row in range(grid.top, grid.top + grid.rows - 1):
        for col in range(grid.left, grid.left + grid.columns - 1):
            yield tuple(Cell(row + r, col + c) for r in (0, 1) for c in (0, 1))
