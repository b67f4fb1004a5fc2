"""What rules about structure to be found share: their layer, and the graph of its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from csp_encodings.factors import Connected, Relation
from csp_encodings.store import kept
from csp_sudoku.cells import Cell, LayerCell, Place, Var, check_name
from csp_sudoku.constraints.aspects import LayerLook
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import converted
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.lowering import Lowering, Variable
    from csp_sudoku.puzzle import Puzzle


def layer_name(default: str) -> Any:
    """A field that names a layer."""

    def read(given: Any, name: str) -> str:
        if given != "" or default:
            check_name(given, "layer")
        return str(given)

    return converted(read, default=default)


# A rule asks for the cells of its layer whenever it is evaluated.
@kept(size=lambda places: 300 * len(places))
def on_cells(layer: str, cells: tuple[Cell, ...]) -> tuple[LayerCell, ...]:
    """Return the cells of a layer that lie on cells of the grid, in their order.

    Examples
    --------
    >>> on_cells("shaded", (Cell(0, 0), Cell(0, 1)))
    (LayerCell('shaded', 0, 0), LayerCell('shaded', 0, 1))
    """
    return tuple([LayerCell(layer, row, col) for row, col in cells])


def adjacent_pairs(
    places: Iterable[Cell | LayerCell], diagonal: bool = False
) -> list[tuple[int, int]]:
    """Return the positions of cells that share a side, the smaller position first.

    With `diagonal`, also of cells that share a corner.

    Examples
    --------
    >>> adjacent_pairs([Cell(0, 0), Cell(0, 1), Cell(1, 1)])
    [(0, 1), (1, 2)]
    >>> adjacent_pairs([Cell(0, 1), Cell(1, 0)], diagonal=True)
    [(0, 1)]
    """
    at = {(place.row, place.col): i for i, place in enumerate(places)}
    steps = [(0, 1), (1, 0)] + [(1, -1), (1, 1)] * diagonal
    pairs = []
    for (row, col), i in at.items():
        for down, right in steps:
            if (j := at.get((row + down, col + right))) is not None:
                pairs.append((min(i, j), max(i, j)))
    return sorted(pairs)


def squares(places: Iterable[LayerCell | Cell]) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield the 2×2 squares among some cells, each row by row."""
    at = {(place.row, place.col): place for place in places}
    for row, col in at:
        found = [at.get((row + down, col + right)) for down in (0, 1) for right in (0, 1)]
        if None not in found:
            yield found[0], found[1], found[2], found[3]


def is_connected(places: Iterable[Cell | LayerCell], diagonal: bool = False) -> bool:
    """Whether cells form one part that hangs together by their sides; so does no cell at all.

    With `diagonal`, by sides and corners.

    Examples
    --------
    >>> is_connected([Cell(0, 0), Cell(0, 1)]), is_connected([Cell(0, 0), Cell(1, 1)])
    (True, False)
    """
    import networkx as nx

    listed = list(places)
    graph = nx.empty_graph(len(listed))
    graph.add_edges_from(adjacent_pairs(listed, diagonal))
    return not listed or nx.is_connected(graph)


class Found(Constraint):
    """A rule that brings a layer into the puzzle: structure that is to be found.

    A subclass has a field `layer`. It says in `layer_values` what the cells of the layer hold, and
    in `looks` how it is drawn.
    """

    layer: str
    looks: ClassVar[LayerLook] = "shading"
    draws_layers = True

    def layer_values(self, puzzle: Puzzle) -> tuple[int, ...]:
        """The values of the layer; by default 1 for a cell that belongs to it, and 0."""
        return (0, 1)

    def declares(self, puzzle: Puzzle) -> Iterable[tuple[Var, tuple[int, ...]]]:
        values = self.layer_values(puzzle)
        return [(place, values) for place in self.places(puzzle)]

    def layer_looks(self) -> Mapping[str, LayerLook]:
        return {self.layer: self.looks}

    def places(self, puzzle: Puzzle) -> tuple[LayerCell, ...]:
        """The cells of the layer, one on each cell of the puzzle."""
        return on_cells(self.layer, puzzle.cells)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return self.places(puzzle)

    def members(self, values: Assignment, puzzle: Puzzle, value: int = 1) -> list[LayerCell]:
        """The cells of the layer that hold a value."""
        return [place for place in self.places(puzzle) if values[place] == value]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return {}


def add_connected(
    ctx: Lowering,
    places: Sequence[Any],
    variables: Sequence[Variable],
    classes: Iterable[Iterable[int]] = ((1,),),
    *,
    largest: int | None = None,
    diagonal: bool = False,
) -> None:
    """Test: each class of values is one connected part; the variables stand on the places."""
    pairs, sets = tuple(adjacent_pairs(places, diagonal)), tuple(map(tuple, classes))
    ctx.add(Connected(tuple(variables), pairs, sets, largest))


def membership(ctx: Lowering, place: Place, values: Iterable[int]) -> Variable:
    """Return a variable that is 1 if a place holds one of the values, and 0 if not."""
    inside = frozenset(values)
    domain = ctx.domain(place)
    if {*domain} <= {0, 1} and inside.intersection(domain) == {1}.intersection(domain):
        return place
    pairs = frozenset((value, int(value in inside)) for value in domain)
    return ctx.auxiliary("belongs", (0, 1), lambda bit: Relation(place, bit, pairs))


def under(places: Iterable[Place]) -> tuple[Cell, ...]:
    """Return the cells of the grid at some places: themselves, or those under cells of a layer."""
    found = [place.cell if isinstance(place, LayerCell) else place for place in places]
    return tuple([place for place in found if isinstance(place, Cell)])


def layer_of(puzzle: Puzzle, layer: str, label: str) -> tuple[Cell | LayerCell, ...]:
    """Return the cells of a layer, or of the grid for no name; refuse a layer of edges."""
    if not layer:
        return puzzle.cells
    places = puzzle.layers.get(layer)
    if places is None:
        raise ConstraintError(f"{label}: there is no layer {layer}; add it with with_layer")
    if any((place.row % 1) != (place.col % 1) for place in places):
        raise ConstraintError(f"{label}: the layer {layer} lies on edges, not on cells")
    return places
