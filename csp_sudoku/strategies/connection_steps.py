"""Techniques for connected cells: what is out of reach, and what keeps the cells together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.clues import Clue
from csp_sudoku.strategies.connections import Connection
from csp_sudoku.strategies.network import Network, listing
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.step import Step


def connection(position: Position, score: float) -> Iterator[Step]:
    """Keep cells together that are connected, and leave out what they cannot reach."""
    for clue in position.network.clues:
        for each in clue.connections:
            position.tick()
            may, must = each.look(position.masks)
            if any(must):
                yield from _reached(position, score, clue, each, (may, must))
                yield from _joined(position, score, clue, each, (may, must))


def crossing(position: Position, score: float) -> Iterator[Step]:
    """Going round once, two kinds of cells change twice at most, or connections would cross."""
    for clue in position.network.crossings:
        position.tick()
        masks = tuple([position.masks[place] for place in clue.scope])
        left = clue.narrow(masks)
        names = listing([position.network.short_name(place) for place in clue.scope])
        if left is None:
            raise Contradiction(f"around {names}, two connections cross", clue.cells)
        if gone := position.fallen(clue.scope, masks, left):
            yield position.step(
                "crossing",
                score,
                clue.cells,
                "both kinds of cells are connected, so going round once they change twice at most, "
                f"or two connections would cross, in {names}",
                eliminations=gone,
                rules=(clue.rule,),
                briefly="both kinds of cells are connected, so going round once they change twice "
                "at most, or two connections would cross",
            )


def _reached(
    position: Position, score: float, clue: Clue, each: Connection, seen: tuple[list[bool], ...]
) -> Iterator[Step]:
    """A step for the cells that those of a class cannot reach."""
    may, must = seen
    words = _Words(position.network, each)
    far, too_far = each.out_of_reach(may, must)
    start = words.name(must.index(True))
    if lost := [vertex for vertex in far if must[vertex]]:
        raise Contradiction(
            f"{words.cells} cannot be connected: there is no way from {start} to "
            f"{words.name(lost[0])}",
            clue.cells,
        )
    gone = [
        (each.places[vertex], value)
        for vertex in far
        for value in members(position.masks[each.places[vertex]] & each.inside[vertex])
    ]
    if gone:
        way = f"{each.largest} of them do not reach that far" if too_far else "there is no way"
        yield position.step(
            "connection",
            score,
            _cells(each, [v for v, needed in enumerate(must) if needed]),
            f"{words.cells} are connected, and {way} from {start}",
            eliminations=gone,
            rules=(clue.rule,),
        )
    for vertex in far:
        may[vertex] = False


def _joined(
    position: Position, score: float, clue: Clue, each: Connection, seen: tuple[list[bool], ...]
) -> Iterator[Step]:
    """A step for each cell that keeps the others of a class together."""
    may, must = seen
    words = _Words(position.network, each)
    for vertex, first, second in each.cuts(may, must):
        place = each.places[vertex]
        gone = [(place, v) for v in members(position.masks[place] & ~each.inside[vertex])]
        yield position.step(
            "connection",
            score,
            _cells(each, [vertex, first, second]),
            f"if {words.name(vertex)} were {words.other}, {words.cells} would fall apart: nothing "
            f"else joins {words.name(first)} and {words.name(second)}",
            eliminations=gone,
            rules=(clue.rule,),
        )


def _cells(each: Connection, vertices: Iterable[int]) -> int:
    """The places of some vertices as a set."""
    found = 0
    for vertex in vertices:
        if each.places[vertex] >= 0:
            found |= 1 << each.places[vertex]
    return found


class _Words:
    """What the vertices of a class are called."""

    def __init__(self, network: Network, each: Connection) -> None:
        self._network = network
        self._places = each.places
        values = 0
        for inside, place in zip(each.inside, each.places, strict=True):
            values |= inside if place >= 0 else 0
        first = max(each.places)
        if network.is_coloured(first):
            colour = values.bit_length() - 1
            self.cells = f"the {network.word(first, colour)} cells"
            self.other = network.word(first, network.code[1 - network.values[colour]])
        else:
            among = network.among(first, values)
            self.cells = f"the cells {'' if network.is_of_region(first) else 'with '}{among}"
            self.other = f"not {among}"

    def name(self, vertex: int) -> str:
        """The name of a vertex; a shaded cell is called by its cell."""
        place = self._places[vertex]
        if place < 0:
            return "the outside"
        return self._network.short_name(place)
