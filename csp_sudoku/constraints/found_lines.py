"""Lines that are to be found: loops and snakes through cells, and loops over edges of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Connected, Domain, Regular
from csp_encodings.store import kept
from csp_sudoku import pictures
from csp_sudoku.cells import Cell, LayerCell, Place
from csp_sudoku.constraints.aspects import LayerLook
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import OptionalPlaces, flag, rule, some_places, whole
from csp_sudoku.constraints.found import (
    Found,
    add_connected,
    adjacent_pairs,
    is_connected,
    layer_name,
    squares,
)
from csp_sudoku.layers import layer_places
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment, Auxiliary
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


_SNAKE_APART = "snake-apart|snake-corners|apart|corners"


class _Line(Found):
    """Cells that form a line, one cell wide: each has two neighbours on it, and an end has one."""

    length: int | None
    touching: bool
    diagonal: bool
    has_ends: ClassVar[bool]
    least: ClassVar[int]
    """The least number of cells."""

    @property
    def known_ends(self) -> tuple[Cell, ...]:
        """The cells where the line must end."""
        return ()

    def layer_looks(self) -> dict[str, LayerLook]:
        return {self.layer: "diagonal line" if self.diagonal else "line"}

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        line = self.members(values, puzzle)
        if len(line) < self.least or self.length not in (None, len(line)):
            return False
        if not all(
            self._fits(tuple(values[p] for p in square)) for square in self._squares(puzzle)
        ):
            return False
        pairs = adjacent_pairs(line, self.diagonal)
        near = Counter(end for pair in pairs for end in pair)
        ends = {place.cell for i, place in enumerate(line) if near[i] == 1}
        return (
            len(ends) == 2 * self.has_ends
            and ends.issuperset(self.known_ends)
            and sum(near[i] == 2 for i in range(len(line))) == len(line) - len(ends)
            and is_connected(line, self.diagonal)
        )

    def _squares(self, puzzle: Puzzle) -> Iterator[tuple[LayerCell, ...]]:
        # A line that goes diagonally has its two neighbours anyway, and no others.
        return iter(()) if self.diagonal else squares(self.places(puzzle))

    def _fits(self, square: tuple[int, ...]) -> bool:
        """Whether a 2×2 square may hold these values, row by row."""
        return sum(square) < 4 and (self.touching or square not in ((0, 1, 1, 0), (1, 0, 0, 1)))

    def lower(self, ctx: Lowering) -> None:
        """Count the neighbours of each cell, look at each 2×2 square, and connect the line."""
        places = self.places(ctx.puzzle)
        for square in self._squares(ctx.puzzle):
            ctx.add_machine(square, _square, self.touching)
        ctx.add_sum(places, self.length or self.least, self.length)
        near: list[list[LayerCell]] = [[] for _ in places]
        for i, j in adjacent_pairs(places, self.diagonal):
            near[i].append(places[j])
            near[j].append(places[i])
        scopes = {place.cell: (place, *near[i]) for i, place in enumerate(places)}
        for scope in scopes.values():
            ctx.add_machine(scope, _neighbours, 1 if self.has_ends else 2, 2)
        if self.has_ends:
            ends = {cell: self._end(ctx, scope) for cell, scope in scopes.items()}
            ctx.add_sum(list(ends.values()), 2, 2)
            for cell in self.known_ends:
                ctx.add_condition(ends[cell], bool)
        add_connected(ctx, places, places, largest=self.length, diagonal=self.diagonal)

    def _end(self, ctx: Lowering, scope: tuple[Place, ...]) -> Auxiliary:
        machine = _neighbours(ctx.domains(scope), 1, 1, must=True).reified()
        return ctx.auxiliary("end", (0, 1), lambda end: Regular((*scope, end), machine))

    def _said(self, what: str) -> str:
        long = f" of {self.length} cells" if self.length is not None else ""
        corners = " at a side" if self.touching else ", not even at a corner"
        way = ", also diagonally," if self.diagonal else ""
        return f"{what}{long} goes from cell to cell{way} and does not touch itself{corners}"

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A line that may touch itself at corners, if only sides are forbidden."""
        make: Any = cls
        said = [
            way
            for way in ("apart", "corners", f"{cls.name}-apart", f"{cls.name}-corners")
            if way in sentence.concepts
        ]
        if len(said) > 1:
            raise ValueError("two ways not to touch itself")
        more: dict[str, Any] = {"touching": said[0].endswith("corners")}
        if figures:
            more["ends"] = [cell for figure in figures for cell in figure.cells]
        if sentence.numbers:
            [more["length"]] = sentence.numbers
        return [make(**more)]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        rng = maker.rng
        return {
            "length": rng.choice((None, None, rng.randint(cls.least, 9))),
            "touching": rng.random() < 0.5,
            "diagonal": rng.random() < 0.3,
        }


@rule
class Loop(_Line):
    """A loop: it goes from cell to cell, returns to its start and never touches itself.

    It goes over sides, and with `diagonal` also over corners. It does not touch itself at a corner
    either, unless `touching` is True. With `length` it goes through this number of cells, at least
    four. Which cells is part of the solution, on the layer ``loop``.

    Examples
    --------
    >>> from csp_sudoku import Loop, Puzzle, count
    >>> blank = Puzzle.blank(4, values=[1], box=None, row_houses=False, column_houses=False)
    >>> count(blank.add(Loop())).value, count(blank.add(Loop(touching=True))).value
    (13, 15)
    """

    length: int | None = whole(default=None, least=4)
    touching: bool = flag(default=False)
    layer: str = layer_name("loop")
    diagonal: bool = flag(default=False)
    name = "loop"
    has_ends = False
    least = 4

    def describe(self, puzzle: Puzzle) -> str:
        return self._said("a closed loop")

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Loop(), Loop(8, touching=True), Loop(diagonal=True))

    phrases = (Phrase("", "loop-wanted loop-apart|loop-corners|apart|corners", numbers=True),)


@rule
class Snake(_Line):
    """A snake: it goes from cell to cell, from end to end, and never touches itself.

    It goes over sides, and with `diagonal` also over corners. It does not touch itself at a corner
    either, unless `touching` is True. With `ends` it ends there, or one of its two ends is known.
    With `length` it has this number of cells, at least two. Which cells is part of the solution, on
    the layer ``snake``.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Snake, count
    >>> blank = Puzzle.blank(3, values=[1], box=None, row_houses=False, column_houses=False)
    >>> count(blank.add(Snake("R1C1 R3C3"))).value
    6
    """

    ends: OptionalPlaces = some_places(most=2, distinct=True, on_grid=True, default=None)
    length: int | None = whole(default=None, least=2)
    touching: bool = flag(default=False)
    layer: str = layer_name("snake")
    diagonal: bool = flag(default=False)
    name = "snake"
    aliases = ("path",)
    has_ends = True
    least = 2

    @property
    def known_ends(self) -> tuple[Cell, ...]:
        return tuple([place for place in self.ends or () if isinstance(place, Cell)])

    def check(self, puzzle: Puzzle) -> None:
        """Require ends in the grid."""
        super().check(puzzle)
        for place in self.known_ends:
            puzzle.values_of(place)

    def describe(self, puzzle: Puzzle) -> str:
        ends = " and ".join(map(str, self.known_ends))
        return self._said("a snake") + (f"; it ends at {ends}" if ends else "")

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        ends = [pictures.Shape(cell, "ring") for cell in self.known_ends]
        return [*ends, pictures.sentence(self, puzzle)]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Snake("R1C1"), Snake("R1C1", length=5), Snake("R1C1", length=4, diagonal=True))

    phrases = (
        Phrase("", f"snake-wanted {_SNAKE_APART}", numbers=True),
        Phrase("cell", f"snake-wanted {_SNAKE_APART} snake-ends", numbers=True, forms="circle"),
    )


@rule
class EdgeLoop(Found):
    """A loop over edges: it goes from cell to cell over sides, and through no cell twice.

    Unlike a :class:`Loop` it may run beside itself. So its layer ``line`` lies on the edges between
    cells, and holds 1 where the loop crosses an edge. With `length` it goes through this number of
    cells. (A loop along the lines of the grid is the border of a :class:`Cave`.)

    Examples
    --------
    >>> from csp_sudoku import EdgeLoop, Puzzle, count
    >>> blank = Puzzle.blank(4, values=[1], box=None, row_houses=False, column_houses=False)
    >>> count(blank.add(EdgeLoop())).value, count(blank.add(EdgeLoop(16))).value
    (213, 6)
    """

    length: int | None = whole(default=None, least=4)
    layer: str = layer_name("line")
    name = "edge-loop"
    looks = "line"

    def places(self, puzzle: Puzzle) -> tuple[LayerCell, ...]:
        return _inner_edges(self.layer, puzzle.cells)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        import networkx as nx

        crossed = self.members(values, puzzle)
        if not crossed or self.length not in (None, len(crossed)):
            return False
        graph = nx.Graph([_sides(edge) for edge in crossed])
        return {degree for _, degree in graph.degree} == {2} and nx.is_connected(graph)

    def lower(self, ctx: Lowering) -> None:
        """Cross two edges of a cell or none, and connect the edges that are crossed."""
        edges = self.places(ctx.puzzle)
        if not edges:
            ctx.add_condition(ctx.puzzle.cells[0], lambda value: False)
            return
        at: dict[Cell, list[int]] = {}
        for i, edge in enumerate(edges):
            for cell in _sides(edge):
                at.setdefault(cell, []).append(i)
        for own in at.values():
            ctx.add_machine([edges[i] for i in own], _two_or_none)
        ctx.add_sum(edges, self.length or 4, self.length)
        pairs = sorted(pair for own in at.values() for pair in combinations(own, 2))
        ctx.add(Connected(edges, tuple(pairs), ((1,),), self.length))

    def describe(self, puzzle: Puzzle) -> str:
        long = f" of {self.length} cells" if self.length is not None else ""
        return f"a closed loop{long} goes from cell to cell, and through no cell twice"

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return {"length": maker.rng.choice((None, 4, 6, 8))}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (EdgeLoop(), EdgeLoop(8))

    phrases = (Phrase("", "centre-loop loop-once|loop-everywhere"),)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A loop through some cells, or through all of them."""
        return [cls(len(grid.cells) if "loop-everywhere" in sentence.concepts else None)]


@kept(size=lambda places: 300 * len(places))
def _inner_edges(layer: str, cells: tuple[Cell, ...]) -> tuple[LayerCell, ...]:
    return layer_places(layer, cells, "edges")


def _sides(edge: LayerCell) -> tuple[Cell, Cell]:
    """The two cells beside an edge."""
    row, col = int(edge.row), int(edge.col)
    return Cell(row, col), Cell(row, col + 1) if edge.col % 1 else Cell(row + 1, col)


def _two_or_none(domains: Sequence[Domain]) -> Automaton:
    """Two of the variables are 1, or none of them."""
    return Automaton.from_predicate(domains, lambda *bits: sum(bits) in (0, 2))


def _square(domains: tuple[Domain, ...], touching: bool) -> Automaton:
    """A 2×2 square is not full; unless it may touch, two cells of it are not just a diagonal."""
    apart = () if touching else ((0, 1, 1, 0), (1, 0, 0, 1))
    return Automaton.from_predicate(domains, lambda *four: sum(four) < 4 and four not in apart)


def _neighbours(
    domains: tuple[Domain, ...], least: int, most: int, must: bool = False
) -> Automaton:
    """If the first variable is 1, from `least` to `most` others are; `must` requires it to be 1."""
    return Automaton.from_predicate(
        domains, lambda on, *others: least <= sum(others) <= most if on else not must
    )
