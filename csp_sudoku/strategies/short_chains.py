"""Short chains that have names: patterns of one value, and the W-wing with its relatives.

Each is a chain of two or three strong links. Its name tells where the links are:

- skyscraper: two parallel lines with two places for a value, which meet in a line;
- two-string kite: a row and a column that meet in a box;
- turbot fish: any other two houses with two places for a value;
- empty rectangle: a box in which a value lies in one row and one column, and another house;
- W-wing: two cells with the same two candidates, and a house between them;
- M-wing: a cell with two candidates, and a house for each of them;
- split wing: two houses for a value each, and a cell with these two candidates between them.

References
----------
Sudopedia: Turbot Fish, Skyscraper, 2-String Kite, Empty Rectangle, W-Wing, M-Wing, Split-Wing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.chains import either, refutable, told
from csp_sudoku.strategies.links import Link, Links, links_of
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step


def pattern(position: Position, score: float, technique: str) -> Iterator[Step]:
    """Two houses with few places for a value, of which two cannot both hold it: one end does."""
    if not refutable(position, ["house", "group"]):
        return
    links = links_of(position, "house", "group", one_value=True)
    for name, way in position.remembered("patterns", lambda position: list(_patterns(links))):
        if name == technique:
            yield from _step(links, technique, score, way)


def _patterns(links: Links) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the patterns of one value that exclude something, each with its name."""
    for way, found in _ways(links, [["house"], ["house", "group"]]):
        if links.excluded(way[0], way[-1]):
            meeting = links.cells(way[1]) | links.cells(way[2])
            yield _name(links.position, meeting, found), way


def _name(position: Position, meeting: int, found: Sequence[Link]) -> str:
    """The name of a chain of two strong links whose inner ends are at these places."""
    one, two = (link.house for link in found)
    assert one is not None
    assert two is not None
    if found[1].kind == "group":
        return "empty rectangle" if two.block else ""
    common = [group for group in position.network.groups if not meeting & ~group.cells]
    if not one.block and not two.block:
        if one.family == two.family and any(not group.block for group in common):
            return "skyscraper"
        if one.family != two.family and any(group.block for group in common):
            return "two-string kite"
    return "turbot fish"


def w_wing(position: Position, score: float) -> Iterator[Step]:
    """Two cells with the same two candidates: a house links one candidate, so the other holds."""
    yield from _wing(position, score, "W-wing", ["cell", "house", "cell"])


def m_wing(position: Position, score: float) -> Iterator[Step]:
    """A cell AB, a house with two places for B, and one of these in a house with two for A."""
    yield from _wing(position, score, "M-wing", ["cell", "house", "house"])


def split_wing(position: Position, score: float) -> Iterator[Step]:
    """A cell AB sees a place of a house with two places for A, and of one with two for B."""
    yield from _wing(position, score, "split wing", ["house", "cell", "house"])


def _wing(position: Position, score: float, technique: str, kinds: list[str]) -> Iterator[Step]:
    if not refutable(position, ["cell", "house"]):
        return
    links = links_of(position, "cell", "house")
    for way, _ in _ways(links, [[kind] for kind in kinds]):
        if len({links.value(node) for node in way}) == 2 and _is_of_wing(links, way, technique):
            yield from _step(links, technique, score, way)


def _is_of_wing(links: Links, way: Sequence[int], technique: str) -> bool:
    """Whether the ends of a chain are those of a wing: one value, or two in a split wing."""
    same = links.value(way[0]) == links.value(way[-1])
    return same != (technique == "split wing")


def _ways(
    links: Links, kinds: Sequence[Sequence[str]]
) -> Iterator[tuple[tuple[int, ...], tuple[Link, ...]]]:
    """Yield chains whose strong links have these kinds, as nodes and as links."""

    def extend(
        way: tuple[int, ...], found: tuple[Link, ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[Link, ...]]]:
        if len(found) == len(kinds):
            yield way, found
            return
        starts = members(links.weak(way[-1])) if way else range(len(links.nodes))
        for start in starts:
            for end in members(links.strong[start]):
                for link in links.between(start, end):
                    if link.kind in kinds[len(found)] and end not in way:
                        yield from extend((*way, start, end), (*found, link))

    return extend((), ())


def _step(links: Links, technique: str, score: float, way: Sequence[int]) -> Iterator[Step]:
    if lost := links.excluded(way[0], way[-1]):
        yield told(links, technique, score, way, either(links, way), lost=lost)
