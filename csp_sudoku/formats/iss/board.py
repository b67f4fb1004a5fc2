"""The board of an Interactive Sudoku Solver string: its grid, its cells and its variables."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

from csp_encodings.store import kept
from csp_sudoku.cells import Cell, LayerCell, Place, Var
from csp_sudoku.constraints.connected import ConnectedValues
from csp_sudoku.constraints.doppelganger import Doppelganger, missing_digits
from csp_sudoku.constraints.found_regions import RegionsToFind
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.reading import check_length
from csp_sudoku.formats.tables import own_variables
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.forms import Iss
from csp_sudoku.grid import Grid, default_box
from csp_sudoku.layers import by_name
from csp_sudoku.puzzle import Puzzle

LARGEST = 16
COMPOSITES = ("And", "Or", "Replicate")
_NAME = Iss.format
_MAX_CELLS = 1000

#: The signs of coordinates, and of the regions in a layout.
SIGNS = "0123456789abcdefg"

# Items that describe the whole board.
_ONCE = ("RegionSize", "NoBoxes", "Jigsaw")

_SHAPE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})")
_RANGE = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_LINE = re.compile(r"[RrCc][1-9A-Ga-g]")
_PREFIX = re.compile(r"[A-Z]{1,20}")
_VARIABLE = re.compile(r"V([A-Z]{1,20})([0-9]*)")


class Item(NamedTuple):
    """A part of a string: its type, its arguments, and for And, Or, Replicate its children."""

    kind: str
    arguments: tuple[str, ...]
    children: tuple[Item, ...] = ()

    def __str__(self) -> str:
        text = f".{'~'.join((self.kind, *self.arguments))}"
        return text if len(text) <= 40 else f"{text[:39]}…"

    @property
    def text(self) -> str:
        """The whole item, with its children."""
        inside = "".join(child.text for child in self.children)
        end = f"{inside}.End" if self.kind in COMPOSITES else ""
        return f".{'~'.join((self.kind, *self.arguments))}{end}"


class Shift(NamedTuple):
    """How many rows and columns a replicated template is moved."""

    rows: int = 0
    columns: int = 0


@dataclass(frozen=True)
class Group:
    """The grid, or the cells of one variable, laid out in rows."""

    name: str
    columns: int
    cells: tuple[Place, ...]
    values: tuple[int, ...]

    @property
    def names(self) -> Iterator[str]:
        """What the cells are called there."""
        for number, place in enumerate(self.cells, 1):
            if isinstance(place, Cell):
                yield f"R{SIGNS[place.row + 1]}C{SIGNS[place.col + 1]}"
            elif isinstance(place, LayerCell):
                yield self.name if len(self.cells) == 1 else f"{self.name}{number}"
            else:
                yield self.name if str(place) == f"${self.name}" else f"{self.name}{number}"


class Board:
    """A grid and variables: their names, and where they stand."""

    def __init__(
        self, grid: Grid, *, region_size: int | None = None, variables: dict[str, Group]
    ) -> None:
        self.grid = grid
        self.raw = not grid.row_houses
        self.region_size = region_size
        self.values = grid.values
        self.groups = {"": Group("", grid.columns, grid.cells, grid.values), **variables}
        self._places = {
            name.upper(): (group, index)
            for group in self.groups.values()
            for index, name in enumerate(group.names)
        }

    @property
    def has_regions(self) -> bool:
        """Whether there are regions to find, with a variable for each cell."""
        return "CC" in self.groups

    @cached_property
    def where(self) -> dict[Place, tuple[str, int, int]]:
        """The group of every cell, and its row and column there."""
        return {
            place: (group.name, *divmod(index, group.columns))
            for group in self.groups.values()
            for index, place in enumerate(group.cells)
        }

    @cached_property
    def names(self) -> dict[Place, str]:
        """The name of every cell and variable."""
        groups = self.groups.values()
        return {place: name for g in groups for place, name in zip(g.cells, g.names, strict=True)}

    @property
    def usual_region_size(self) -> int:
        """The number of cells in a region, if nothing else is said."""
        return self.region_size or max(self.grid.rows, self.grid.columns)

    @property
    def usual_box(self) -> tuple[int, int] | None:
        """The box that the program chooses for the grid by itself."""
        return default_box(self.grid.rows, self.grid.columns, self.usual_region_size)

    @property
    def has_usual_boxes(self) -> bool:
        """Whether the grid has the boxes that the program chooses by itself."""
        return self.grid.box is not None and self.grid.box == self.usual_box

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle without any rule except its houses."""
        named = [(place, group.values) for group in self.groups.values() for place in group.cells]
        variables = tuple((place, values) for place, values in named if isinstance(place, Var))
        return Puzzle((self.grid,), named=variables)

    def locate(self, name: str) -> tuple[Group, int]:
        """The group of a cell and its number there."""
        found = self._places.get(name) or self._places.get(name.upper())
        if found is None:
            raise FormatError(f"{shown(name)} is no cell of this {self.grid.size} puzzle")
        return found

    def cell(self, name: str, shift: Shift | None = None) -> Place:
        """A cell by its name, moved along with its template."""
        group, index = self.locate(name)
        if shift is None:
            return group.cells[index]
        row, column = divmod(index, group.columns)
        row, column = row + shift.rows, column + shift.columns
        index = row * group.columns + column
        if row < 0 or not 0 <= column < group.columns or index >= len(group.cells):
            raise FormatError(f"{name} replicated leaves the grid")
        return group.cells[index]

    def cells(self, names: Sequence[str], shift: Shift | None = None) -> tuple[Place, ...]:
        """Several cells."""
        check_length(names)
        return tuple(self.cell(name, shift) for name in names)

    def adjacent(self, a: Place, b: Place) -> bool:
        """Whether two cells of one group touch orthogonally."""
        group_a, row_a, column_a = self.where[a]
        group_b, row_b, column_b = self.where[b]
        return group_a == group_b and abs(row_a - row_b) + abs(column_a - column_b) == 1


def line_of(name: str) -> str:
    """The name of a row or a column, R3 or C3, which is in base 17 there and decimal here."""
    if not _LINE.fullmatch(name):
        raise FormatError(f"{shown(name)} is no line; write R3 for row 3, C3 for column 3")
    return f"{name[0].upper()}{int(name[1], 17)}"


def line_name(line: str) -> str:
    """The name of a row or a column there.

    Examples
    --------
    >>> line_name("R12"), line_of("Rc")
    ('Rc', 'R12')
    """
    return line[0] + SIGNS[int(line[1:])]


def number(text: str, what: str = "number") -> int:
    """A whole number of reasonable length."""
    if not _NUMBER.fullmatch(text):
        raise FormatError(f"{shown(text)} is not a {what}")
    return int(text)


def split_at(separator: str, items: Iterable[str]) -> list[list[str]]:
    """The items between separators, in groups."""
    parts: list[list[str]] = [[]]
    for item in items:
        if item == separator:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def check_count(arguments: Sequence[str], least: int, most: int | None = None) -> None:
    """Refuse too few or too many arguments."""
    if len(arguments) < least or (most is not None and len(arguments) > most):
        wanted = str(least) if least == most else f"{least} or more" if most is None else str(most)
        raise FormatError(f"has {len(arguments)} arguments where {wanted} are needed")


def read_board(items: Sequence[Item]) -> tuple[Board, list[tuple[Cell, ...]]]:
    """The board that the items describe, and jigsaw pieces that come on top of its boxes."""
    rows, columns, values, raw = _read_shape(items)
    named: dict[str, Item] = {}
    for item in items:
        if item.kind in _ONCE and named.setdefault(item.kind, item) != item:
            raise FormatError(f"{item}: there is another {item.kind}, and they differ")
    if raw:
        grid = Grid(rows, columns, values, row_houses=False, column_houses=False)
        return Board(grid, variables=_variables(items, grid)), []
    region_size = None
    if "RegionSize" in named:
        region_size = number(_only(named["RegionSize"]), "size of a region")
        if not 1 <= region_size <= rows * columns:
            raise FormatError(f"a region of {region_size} cells does not fit the grid")
    size = region_size or max(rows, columns)
    if "NoBoxes" in named:
        _none(named["NoBoxes"])
    box = None if "NoBoxes" in named else default_box(rows, columns, size)
    pieces = []
    if "Jigsaw" in named:
        pieces = _pieces(named["Jigsaw"], rows, columns, len(values), size)
    regions = tuple(pieces) if box is None else ()
    board = _without_variables(rows, columns, values, box, regions, region_size)
    if variables := _variables(items, board.grid, size):
        board = Board(board.grid, region_size=region_size, variables=variables)
    return board, pieces if box else []


# Most puzzles have the same board, and to make one takes longer than to read many a rule.
@kept(size=lambda board: 1_000 * len(board.grid.cells))
def _without_variables(  # noqa: PLR0917 - the key of what is kept
    rows: int,
    columns: int,
    values: tuple[int, ...],
    box: tuple[int, int] | None,
    regions: tuple[tuple[Cell, ...], ...],
    region_size: int | None,
) -> Board:
    grid = Grid(rows, columns, values, box=box, regions=regions)
    return Board(grid, region_size=region_size, variables={})


def write_board(puzzle: Puzzle) -> tuple[Board, list[Item]]:
    """The board of a puzzle, and the items that describe it."""
    [grid, *others] = puzzle.grids
    if others or (grid.top, grid.left) != (0, 0):
        raise FormatError(f"{_NAME} holds one grid, which begins at R1C1")
    if grid.row_houses != grid.column_houses:
        raise FormatError(f"{_NAME} cannot tell rows from columns: both are houses, or none")
    variables = [variable for variable, _ in own_variables(puzzle)]
    groups = _groups_of([v for v in variables if not isinstance(v, LayerCell)], grid)
    connected = {r.layer for r in puzzle.constraints if isinstance(r, ConnectedValues)}
    layers = by_name(variables)
    items = [_shape_of(grid), *(_variable_of(group) for group in groups.values())]
    items += [_layer_item(name, layers[name], grid, name in connected) for name in layers]
    groups.update({name: _layer_group(name, layers[name], grid.values) for name in layers})
    for rule in puzzle.constraints:
        if isinstance(rule, Doppelganger):
            groups.update(_missing_digits(grid))
        elif isinstance(rule, RegionsToFind):
            groups.update(_chaos_regions(grid, rule.size_in(puzzle)))
    board = Board(grid, variables=groups)
    if not board.raw and not board.has_usual_boxes:
        if grid.box and default_box(grid.rows, grid.columns, prod(grid.box)) == grid.box:
            board = Board(grid, region_size=prod(grid.box), variables=groups)
            items.append(Item("RegionSize", (str(prod(grid.box)),)))
        else:
            items += _layout_of(grid)
    elif board.raw and grid.boxes:
        raise FormatError(f"{_NAME} has no regions in a grid whose rows and columns are no houses")
    return board, [item for item in items if item]


def _read_shape(items: Sequence[Item]) -> tuple[int, int, tuple[int, ...], bool]:
    shapes = list(dict.fromkeys(_shape(item) for item in items if item.kind == "Shape"))
    if len(shapes) > 1:
        raise FormatError("two shapes are given, and they differ")
    return shapes[0] if shapes else (9, 9, tuple(range(1, 10)), False)


def _shape(item: Item) -> tuple[int, int, tuple[int, ...], bool]:
    size, span, kind = (*item.arguments, "", "", "")[:3]
    found = _SHAPE.fullmatch(size)
    if not found or len(item.arguments) > 3 or item.arguments[-1] == "":
        raise FormatError(f"{item} is no shape; write one as .Shape~9x9")
    rows, columns = int(found[1]), int(found[2])
    if not (1 <= rows <= LARGEST and 1 <= columns <= LARGEST):
        raise FormatError(f"{item}: such grids have 1 to {LARGEST} rows and columns")
    if not kind and span in ("Sudoku", "Raw"):
        span, kind = "", span
    if kind not in ("", "Sudoku", "Raw"):
        raise FormatError(f"{item}: a grid is Sudoku or Raw, not {shown(kind)}")
    side = max(rows, columns)
    limits = _RANGE.fullmatch(span or str(side))
    if not limits:
        raise FormatError(f"{item}: {shown(span)} is no range of values")
    first, last = (1, int(limits[1])) if limits[2] is None else (int(limits[1]), int(limits[2]))
    values = tuple(range(first, last + 1))
    if first > 1 or not 1 <= len(values) <= LARGEST:
        raise FormatError(f"{item}: values begin at 0 or 1, and are at most {LARGEST}")
    if kind != "Raw" and len(values) < side:
        raise FormatError(f"{item}: {len(values)} values are too few for {side} cells in a line")
    return rows, columns, values, kind == "Raw"


def _shape_of(grid: Grid) -> Item | None:
    """The item for the size and the values; none for 9×9."""
    rows, columns, values = grid.rows, grid.columns, grid.values
    side, raw = max(rows, columns), not grid.row_houses
    if side > LARGEST or len(values) > LARGEST:
        raise FormatError(f"{_NAME} holds grids of up to {LARGEST} rows, columns and values")
    if values[0] not in (0, 1) or values != tuple(range(values[0], values[-1] + 1)):
        raise FormatError(f"{_NAME} holds the values from 0 or 1 on, without gaps")
    if not raw and len(values) < side:
        raise FormatError(f"{_NAME} needs as many values as there are cells in a line")
    usual = values == tuple(range(1, side + 1))
    span = "" if usual else f"{values[0]}-{values[-1]}"
    if (rows, columns, usual, raw) == (9, 9, True, False):
        return None
    arguments = (f"{rows}x{columns}", span, "Raw" if raw else "")
    return Item("Shape", arguments[: 3 if raw else 2 if span else 1])


def _layout_of(grid: Grid) -> Iterator[Item]:
    """The items for irregular regions, or for no regions at all."""
    side = max(grid.rows, grid.columns)
    size = len(grid.boxes[0]) if grid.boxes else side
    if size != side:
        yield Item("RegionSize", (str(size),))
    if default_box(grid.rows, grid.columns, size):
        yield Item("NoBoxes", ())
    if not grid.boxes:
        return
    numbers = {place: number for number, region in enumerate(grid.boxes) for place in region}
    fitting = range(side, len(grid.values) + 1)
    if size not in fitting or any(len(region) != size for region in grid.boxes):
        raise FormatError(f"{_NAME} holds regions of {side} cells, or of one larger size")
    if len(numbers) < sum(map(len, grid.boxes)):
        raise FormatError(f"{_NAME} has no regions that overlap")
    outside = len(grid.cells) - len(numbers)
    if outside in fitting:
        raise FormatError(f"{_NAME} would take the {outside} cells without a region for one")
    if len(grid.boxes) + bool(outside) not in range(2, len(SIGNS) + 1):
        raise FormatError(f"{_NAME} holds 2 to {len(SIGNS)} regions, not {len(grid.boxes)}")
    signs = [SIGNS[numbers.get(place, len(grid.boxes))] for place in grid.cells]
    yield Item("Jigsaw", ("".join(signs),))


def _pieces(item: Item, rows: int, columns: int, values: int, size: int) -> list[tuple[Cell, ...]]:
    *shape, layout = item.arguments or ("",)
    if shape not in ([], [f"{rows}x{columns}"]):
        raise FormatError(f"{item}: has one argument, the layout")
    if len(layout) != rows * columns:
        raise FormatError(f"{item}: a layout has {rows * columns} characters, not {len(layout)}")
    regions: dict[str, list[Cell]] = {}
    for index, sign in enumerate(layout):
        regions.setdefault(sign, []).append(Cell(*divmod(index, columns)))
    if len(regions) == 1:
        return []
    pieces = [r for r in regions.values() if max(rows, columns) <= len(r) <= values]
    if len(regions) - len(pieces) > 1:
        raise FormatError(f"{item}: more than one region has a size that does not fit")
    for piece in pieces:
        if len(piece) != size:
            raise FormatError(
                f"{item}: the region at {piece[0]} has {len(piece)} cells, not {size}"
            )
    return [tuple(piece) for piece in pieces]


def _variables(items: Sequence[Item], grid: Grid, region_size: int = 0) -> dict[str, Group]:
    groups: dict[str, Group] = {}
    connected = {item.arguments[0] for item in items if item.kind == "ConnectedValues"}
    for item in items:
        if item.kind == "Var":
            group = _variable(item, grid, connected)
            if groups.setdefault(group.name, group) != group:
                raise FormatError(f"{item}: these variables are there already")
        elif item.kind == "Doppelganger":
            groups.update(_missing_digits(grid))
        elif item.kind == "ChaosConstruction":
            groups.update(_chaos_regions(grid, region_size))
    if sum(len(group.cells) for group in groups.values()) > _MAX_CELLS:
        raise FormatError(f"more than {_MAX_CELLS} variables")
    return groups


def _variable(item: Item, grid: Grid, connected: Container[str]) -> Group:
    """The variables that an item declares.

    Those that are laid out in rows, or must be connected, are a layer; others are numbered.
    """
    prefix, _, size = (*item.arguments, "", "", "")[:3]
    if not _PREFIX.fullmatch(prefix):
        raise FormatError(f"{item}: the name of a variable is capital letters")
    count, columns = 1, grid.columns
    check_count(item.arguments, 1, 3)
    found = re.fullmatch(r"([0-9]{1,4})(?:x([0-9]{1,4}))?", size)
    if found:
        if found[2] is not None:
            columns = int(found[2])
        count = int(found[1]) * (int(found[2]) if found[2] else 1)
    elif size:
        raise FormatError(f"{item}: {shown(size)} is no number of variables, such as 4 or 2x2")
    if not 1 <= count <= _MAX_CELLS:
        raise FormatError(f"{item}: 1 to {_MAX_CELLS} variables are possible")
    name = f"V{prefix}"
    if "x" in size or name in connected:
        places = tuple([LayerCell(name, *divmod(i, columns)) for i in range(count)])
        return Group(name, columns, places, grid.values)
    return _group(name, count, columns, grid.values)


def _layer_group(name: str, places: tuple[LayerCell, ...], values: tuple[int, ...]) -> Group:
    return Group(name, 1 + int(max(place.col for place in places)), places, values)


def _layer_item(name: str, places: tuple[LayerCell, ...], grid: Grid, is_connected: bool) -> Item:
    """The item that declares a layer, whose rows are full, except perhaps the last."""
    if not re.fullmatch("V[A-Z]{1,20}", name):
        raise FormatError(f"{_NAME} calls layers VA, VB, …, not {name}")
    columns = _layer_group(name, places, ()).columns
    if places != tuple([LayerCell(name, *divmod(i, columns)) for i in range(len(places))]):
        raise FormatError(f"{_NAME} holds layers with full rows from R1C1 on, unlike {name}")
    if len(places) % columns == 0:
        size = f"{len(places) // columns}x{columns}"
    elif is_connected and columns == grid.columns:
        size = str(len(places))
    else:
        raise FormatError(f"{_NAME} holds layers with full rows, unlike {name}")
    return Item("Var", (name[1:], "", size))


def _chaos_regions(grid: Grid, size: int) -> dict[str, Group]:
    """The regions to find: a layer of their numbers."""
    numbers = tuple(range(1, max(1, len(grid.cells) // max(1, size)) + 1))
    places = tuple([LayerCell("region", row, col) for row, col in grid.cells])
    return {"CC": Group("CC", grid.columns, places, numbers)}


def _groups_of(variables: Sequence[Var], grid: Grid) -> dict[str, Group]:
    """The variables in groups, each a name or numbered names from 1 on."""
    found: dict[str, list[str]] = {}
    for variable in variables:
        parts = _VARIABLE.fullmatch(variable.name)
        if not parts:
            raise FormatError(f"{_NAME} calls variables $VA, $VB1, $VB2, …, not {variable}")
        found.setdefault(f"V{parts[1]}", []).append(parts[2])
    groups = {}
    for name, numbers in found.items():
        count = len(numbers)
        if set(numbers) != ({""} if count == 1 else {str(i) for i in range(1, count + 1)}):
            raise FormatError(f"{_NAME} numbers the variables ${name} from 1 on, without gaps")
        groups[name] = _group(name, count, grid.columns, grid.values)
    return groups


def _missing_digits(grid: Grid) -> dict[str, Group]:
    """The missing digits of columns, which stand in a row there, of rows, and of boxes."""
    found, width = missing_digits(grid), grid.box[1] if grid.box else grid.columns
    groups = (("DGR", "C", grid.columns), ("DGC", "R", grid.columns), ("DGB", "B", width))
    return {name: Group(name, columns, found[k], grid.values[1:]) for name, k, columns in groups}


def _variable_of(group: Group) -> Item:
    count = (str(len(group.cells)),) if len(group.cells) > 1 else ()
    return Item("Var", (group.name[1:], "", *count) if count else (group.name[1:],))


def _group(name: str, count: int, columns: int, values: tuple[int, ...]) -> Group:
    names = [name] if count == 1 else [f"{name}{i}" for i in range(1, count + 1)]
    return Group(name, columns, tuple(map(Var, names)), values)


def _none(item: Item) -> None:
    if any(item.arguments):
        raise FormatError(f"{item}: has no arguments")


def _only(item: Item) -> str:
    if len(item.arguments) != 1:
        raise FormatError(f"{item}: has one argument")
    return item.arguments[0]
