"""The regions that the frame of a drawn grid shows: ``53. | .7. | ...`` has columns of boxes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from csp_sudoku.cells import SIDES, Cell
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.texts.text import Line, lines_of
from csp_sudoku.grid import Grid, default_box

_SIGNS = re.compile(r"[|+=:!\u2500-\u257f]|--")
_DASHED = re.compile("[\u2504-\u250b\u254c-\u254f]")
_HEAVY = re.compile("[║┃━═]")

Wall = frozenset[Cell]


def read_frame(text: str, rows: int, columns: int) -> list[list[Cell]] | None:
    """The regions that a frame draws; None if it draws no other than the usual boxes.

    Examples
    --------
    >>> read_frame("1.|..\\n..|3.\\n--+--\\n..|..\\n.4|..", 4, 4) is None
    True
    >>> found = read_frame("1.|..|..\\n..|3.|..\\n..|..|..\\n--+--+--\\n" + "..|..|..\\n" * 3, 6, 6)
    >>> [len(region) for region in found], found[0][-1]
    ([6, 6, 6, 6, 6, 6], R3C2)
    """
    if not _SIGNS.search(text):
        return None
    if _DASHED.search(text):
        raise FormatError("the dashed lines of the frame draw cages, which a text does not hold")
    lines = list(lines_of(text))
    cells = [line for line in lines if not line.rule]
    places = [_places(line, columns) for line in cells]
    if len(cells) != rows or not all(places):  # one form of a grid that has no such frame
        return None
    upright = {
        frozenset((Cell(r, c), Cell(r, c + 1))): line.raw[end:start]
        for r, line in enumerate(cells)
        for c, ((_, end), (start, _)) in enumerate(pairwise(places[r]))
    }
    level = {
        frozenset((Cell(r, c), Cell(r + 1, c))): _above(
            between, {places[r][c][0], places[r + 1][c][0]}
        )
        for r, between in enumerate(_rules_between(lines))
        for c in range(columns)
    }
    return _regions({*_walls(upright), *_walls(level)}, rows, columns)


def _places(line: Line, columns: int) -> list[tuple[int, int]]:
    """Where the cells of a line begin and end; none if they cannot be told apart."""
    for pattern in (r"[^\s,;]", r"[^\s,;]+"):
        found = [match.span() for match in re.finditer(pattern, line.text)]
        if len(found) == columns:
            return found
    return []


def _rules_between(lines: Sequence[Line]) -> list[list[str]]:
    """The lines of mere frame between one row of cells and the next."""
    found: list[list[str]] = []
    for line in lines:
        if not line.rule:
            found.append([])
        elif found:
            found[-1].append(line.raw)
    return found[:-1]


def _above(rules: list[str], places: set[int]) -> str:
    """The signs of some lines at some places."""
    return "".join(rule[place : place + 1] for rule in rules for place in sorted(places))


def _walls(drawn: dict[Wall, str]) -> list[Wall]:
    """The pairs of cells with a wall between them; where all have one, only the heavy ones."""
    found = {pair: signs for pair, signs in drawn.items() if signs.strip()}
    if len(found) == len(drawn):
        heavy = [pair for pair, signs in found.items() if _HEAVY.search(signs)]
        return heavy if len(heavy) < len(found) else []
    return list(found)


def _regions(walls: set[Wall], rows: int, columns: int) -> list[list[Cell]] | None:
    """The regions between the walls, unless the walls lie between the usual boxes."""
    grid = Grid(rows, columns, (1,), box=default_box(rows, columns))
    usual = {place: number for number, box in enumerate(grid.boxes) for place in box}
    found = _parted(grid, walls)
    home = {place: number for number, region in enumerate(found) for place in region}
    outside = [wall for wall in walls if _are_one(wall, usual)]
    side = max(rows, columns)
    if not outside and (len(found) < len(grid.boxes) or len(found) == 1):
        return None  # a part of the lines between the boxes, or all of them
    if all(len(region) == side for region in found) and not any(_are_one(w, home) for w in walls):
        return found if outside else None
    first, second = min(map(sorted, outside or walls))
    raise FormatError(
        f"the frame has a line between {first} and {second}, where no usual box ends; the option "
        f"box says which boxes there are"
    )


def _are_one(wall: Wall, home: Mapping[Cell, int]) -> bool:
    """Whether the cells on both sides of a wall are in one region."""
    first, second = (home.get(place) for place in wall)
    return first == second


def _parted(grid: Grid, walls: set[Wall]) -> list[list[Cell]]:
    """The cells in groups that no wall parts."""
    left = dict.fromkeys(grid.cells)
    found = []
    while left:
        region = [next(iter(left))]
        del left[region[0]]
        for cell in region:
            for down, right in SIDES:
                other = Cell(cell.row + down, cell.col + right)
                if other in left and frozenset((cell, other)) not in walls:
                    del left[other]
                    region.append(other)
        found.append(sorted(region))
    return found
