"""SudokuMaker: documents whose constraints are numbered kinds, and the links that hold them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby, pairwise
from typing import Any, TypeAlias
from urllib.parse import unquote

from csp_sudoku import constraints as rules
from csp_sudoku.cells import Cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import loose, lzstring, strict_json
from csp_sudoku.formats.links import clean, parameter
from csp_sudoku.formats.reading import Collector, Reading, blank, check_length, disjoint_groups
from csp_sudoku.formats.rules_text import unexplained
from csp_sudoku.formats.shapes import shown
from csp_sudoku.grid import MAX_VALUES, Grid, check_size
from csp_sudoku.puzzle import Puzzle

Entry: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[Entry, Grid], Iterable[Constraint]]

_LINK = re.compile(r"(https://)?(www\.)?sudokumaker\.app(/|\?|$)", re.IGNORECASE)
_LINES, _REGIONS, _CUSTOM = 0, 1, 1000
_DRAWN = {2000: "lines", 2001: "cages", 2002: "symbols"}
_NAMES = {_CUSTOM: "code of its own", 2003: "Sudoku rules for areas"}
# Marks, and the pairs without a mark, are read together.
_DIFFERENCE, _RATIO, _XV = 200, 201, 202


def recognises(text: str) -> bool:
    """Whether a text is a SudokuMaker link or document."""
    text = clean(text)
    if not text.startswith("{"):
        return bool(_LINK.match(text))
    if '"formatVersion"' not in text:
        return False
    try:
        document = strict_json.parse(text, floats=True)
    except FormatError:
        return False
    return isinstance(document, dict) and {"formatVersion", "puzzle"} <= document.keys()


def read_text(text: str, *, lenient: bool = False) -> Reading:
    """Read a link or a document.

    Examples
    --------
    >>> read_text('{"formatVersion": "1.5.0", "puzzle": {"size": 4}}').puzzle
    <Puzzle 4×4, 0 givens, 0 constraints>
    """
    text = clean(text)
    if not text.startswith("{"):
        payload = parameter(text, "puzzle")
        if payload is None:
            raise FormatError("this SudokuMaker link holds no puzzle; one with puzzle= does")
        packed = unquote(payload).strip().replace(" ", "+")
        text = lzstring.decompress(f"{packed}$", lzstring.URI)
    return read_document(strict_json.parse(text, floats=True), lenient=lenient)


def read_document(document: object, *, lenient: bool = False) -> Reading:
    """Read a document that was parsed as JSON."""
    found = loose.mapping(loose.mapping(document).get("puzzle"))
    entries = [loose.mapping(entry) for entry in loose.listed(found.get("constraints"))]
    kinds = [(entry.get("type"), entry) for entry in entries if entry.get("disabled") is not True]
    collector = Collector(_grid(found, kinds), lenient=lenient)
    for number, (kind, entry) in enumerate(kinds, 1):
        _read_constraint(collector, f"constraint {number}", kind, entry)
    _read_negatives(collector, kinds)
    puzzle = collector.puzzle(_givens(found, collector.shape.grids[0]))
    text = loose.text(found.get("comment"))
    drawn = [_DRAWN[kind] for kind, _ in kinds if type(kind) is int and kind in _DRAWN]
    notes = [f"{what} are drawn; the rules text may tell why" for what in dict.fromkeys(drawn)]
    return Reading(
        puzzle,
        title=loose.text(found.get("name")),
        author=loose.text(found.get("author")),
        rules=text,
        notes=(*notes, *unexplained(text, puzzle)),
    )


# The grid


def _grid(puzzle: Entry, kinds: list[tuple[Any, Entry]]) -> Puzzle:
    side = loose.integer(puzzle.get("size")) or 9
    width = loose.integer(puzzle.get("width")) or side
    height = loose.integer(puzzle.get("height")) or side
    check_size(height, width)
    first = loose.integer(puzzle.get("minDigit"))
    first = 1 if first is None else first
    last = loose.integer(puzzle.get("maxDigit"))
    last = first + max(width, height) - 1 if last is None else last
    if not 1 <= last - first + 1 <= MAX_VALUES:
        raise FormatError(f"digits from {first} to {last} make no Sudoku")
    codes = {kind for kind, _ in kinds if type(kind) is int}
    return blank(
        height,
        width,
        _regions(kinds, width, height),
        values=tuple(range(first, last + 1)),
        line_houses=puzzle.get("type", "sudoku") != "custom" or _LINES in codes,
    )


def _regions(kinds: list[tuple[Any, Entry]], width: int, height: int) -> list[list[Cell]]:
    stated = [entry.get("regions") for kind, entry in kinds if kind == _REGIONS]
    numbers = loose.listed(stated[-1]) if stated else []
    if len(numbers) not in (0, width * height):
        raise FormatError(f"{len(numbers)} cells have a region where there are {width * height}")
    regions: dict[int, list[Cell]] = {}
    for index, number in enumerate(numbers):
        region = loose.needed(number)
        if region >= 0:
            regions.setdefault(region, []).append(Cell(*divmod(index, width)))
    return list(regions.values())


def _givens(puzzle: Entry, grid: Grid) -> dict[Cell, list[int]]:
    cells = loose.listed(puzzle.get("cells"))
    if len(cells) > len(grid.cells):
        raise FormatError(f"{len(cells)} cells are too many for a {grid.size} grid")
    givens = {}
    for place, cell in zip(grid.cells, cells, strict=False):
        if isinstance(cell, dict) and cell.get("given") is True:
            try:
                givens[place] = [loose.needed(cell.get("value"))]
            except FormatError as error:
                raise FormatError(f"{place}: {error}") from None
    return givens


def _cell(value: object, grid: Grid) -> Cell:
    number = loose.needed(value)
    if not 0 <= number < len(grid.cells):
        raise FormatError(f"{number} is the number of no cell")
    return grid.cells[number]


def _cells(value: object, grid: Grid) -> tuple[Cell, ...]:
    items = loose.listed(value)
    check_length(items)
    return tuple(_cell(item, grid) for item in items)


def _beside_edge(value: object, grid: Grid) -> tuple[Cell, Cell]:
    """The two cells that an edge divides."""
    line, column = divmod(loose.needed(value), grid.columns)
    row, horizontal = divmod(line, 2)
    if horizontal:
        return Cell(row, column), Cell(row + 1, column)
    return Cell(row, column - 1), Cell(row, column)


def _around_corner(value: object, grid: Grid) -> list[Cell]:
    row, column = divmod(loose.needed(value), grid.columns + 1)
    return [Cell(r, c) for r in (row - 1, row) for c in (column - 1, column)]


def _outer(value: object, grid: Grid) -> Cell:
    """A cell around the grid, -1 and the size being outside."""
    row, column = divmod(loose.needed(value), grid.columns + 2)
    return Cell(row - 1, column - 1)


def _inside(cell: Cell, grid: Grid) -> bool:
    return 0 <= cell.row < grid.rows and 0 <= cell.col < grid.columns


# Constraints


def _read_constraint(collector: Collector, place: str, kind: object, entry: Entry) -> None:
    if type(kind) is not int or (kind not in _READERS and kind not in _DRAWN):
        name = _NAMES.get(kind) if type(kind) is int else None
        collector.refuse(f"{place}: the kind {name or shown(kind)} is not known")
    elif kind in _READERS:
        with collector.at(f"{place} (kind {kind})"):
            collector.add(*_READERS[kind](entry, collector.shape.grids[0]))


def _read_negatives(collector: Collector, kinds: list[tuple[Any, Entry]]) -> None:
    """Rules for pairs without a mark."""
    with collector.at("negative"):
        negative: dict[int, list[int]] = {_DIFFERENCE: [], _RATIO: [], _XV: []}
        for kind, entry in kinds:
            if type(kind) is int and kind in negative:
                negative[kind] += map(loose.needed, loose.listed(entry.get("negative")))
        marks = [f"(kind {kind})" for kind in negative]
        if any(map(any, negative.values())) and any(
            mark in sentence for sentence in collector.left_out for mark in marks
        ):
            raise FormatError("marks were left out, so the unmarked pairs are not known")
        if negative[_DIFFERENCE] or negative[_RATIO]:
            collector.add(
                rules.NegativeKropki(tuple(negative[_DIFFERENCE]), tuple(negative[_RATIO]))
            )
        if negative[_XV]:
            collector.add(rules.NegativeXV(tuple(negative[_XV])))


def _nothing(entry: Entry, grid: Grid) -> Iterable[Constraint]:
    return ()


def _plain(*made: Constraint) -> Reader:
    return lambda entry, grid: made


def _each(make: Callable[..., Constraint]) -> Reader:
    return lambda entry, grid: [make(cell) for cell in _cells(entry.get("cells"), grid)]


def _set(make: Callable[..., Constraint]) -> Reader:
    def read(entry: Entry, grid: Grid) -> Iterator[Constraint]:
        if cells := _cells(entry.get("cells"), grid):
            yield make(cells)

    return read


def _lines(make: Callable[..., Constraint]) -> Reader:
    def read(entry: Entry, grid: Grid) -> Iterator[Constraint]:
        for line in loose.listed(entry.get("lines")):
            if cells := _cells(line, grid):
                yield make(cells)

    return read


def _marks(make: Callable[..., Constraint], usual: int | None) -> Reader:
    def read(entry: Entry, grid: Grid) -> Iterator[Constraint]:
        for clue in map(loose.mapping, loose.listed(entry.get("clues"))):
            value = loose.integer(clue.get("value"))
            if value is not None or usual is not None:
                pair = _beside_edge(clue.get("edge"), grid)
                yield make(pair, usual if value is None else value)

    return read


def _masks(entry: Entry) -> set[frozenset[int]]:
    """Groups of digits, each a number whose bits are the digits."""
    masks = [loose.needed(mask) for mask in loose.listed(entry.get("groups"))]
    return {frozenset(d for d in range(mask.bit_length()) if mask >> d & 1) for mask in masks}


def _thirds(grid: Grid) -> set[frozenset[int]]:
    size = len(grid.values) // 3
    return {frozenset(grid.values[i : i + size]) for i in range(0, 3 * size, size or 1)}


def _residues(grid: Grid, modulus: int) -> set[frozenset[int]]:
    return {frozenset(v for v in grid.values if v % modulus == r) for r in range(modulus)}


def _global_entropy(entry: Entry, grid: Grid) -> Iterable[Constraint]:
    groups = _masks(entry)
    if groups in (set(), _thirds(grid)):
        return [rules.GlobalEntropy()]
    if groups == _residues(grid, 3):
        return [rules.GlobalModulo()]
    raise FormatError("its groups of digits are neither thirds nor residues")


def _entropy_lines(entry: Entry, grid: Grid) -> Iterable[Constraint]:
    groups = _masks(entry)
    if groups in (set(), _thirds(grid)):
        return _lines(rules.Entropic)(entry, grid)
    for modulus in (2, 3):
        if groups == _residues(grid, modulus):
            return _lines(partial(rules.Modular, modulus=modulus))(entry, grid)
    raise FormatError("its groups of digits are neither thirds nor residues")


def _thermometers(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    make = rules.SlowThermometer if entry.get("slow") is True else rules.Thermometer
    for line in loose.listed(entry.get("thermometers")):
        if cells := _cells(line, grid):
            yield make(cells)


def _cages(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    for cage in map(loose.mapping, loose.listed(entry.get("cages"))):
        if cells := _cells(cage.get("cells"), grid):
            yield rules.KillerCage(cells, loose.integer(cage.get("value")) or None)


def _clones(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    groups = [_cells(group, grid) for group in loose.listed(entry.get("groups"))]
    if len(groups) > 1:
        yield rules.Clone(groups)


def _quadruples(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    for clue in map(loose.mapping, loose.listed(entry.get("clues"))):
        if digits := [loose.needed(digit) for digit in loose.listed(clue.get("digits"))]:
            yield rules.Quadruple(_around_corner(clue.get("corner"), grid), digits)


def _look_and_say(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    for cage in map(loose.mapping, loose.listed(entry.get("cages"))):
        yield rules.LookAndSay(_cells(cage.get("cells"), grid), str(cage.get("value")))


def _whispers(entry: Entry, grid: Grid) -> Iterable[Constraint]:
    least = loose.integer(entry.get("minDifference"))
    return _lines(lambda cells: rules.Whisper(cells, least))(entry, grid)


def _region_sums(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    if entry.get("singleRegionTotals") is not True:
        yield from _lines(rules.RegionSum)(entry, grid)
        return
    region = {place: number for number, box in enumerate(grid.boxes) for place in box}
    for line in loose.listed(entry.get("lines")):
        inside = sorted((c for c in _cells(line, grid) if c in region), key=region.__getitem__)
        groups = [tuple(cells) for _, cells in groupby(inside, key=region.__getitem__)]
        if len(groups) > 1:
            yield rules.EqualSum(groups)


def _sequences(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    """Arithmetic sequences: of three successive cells the middle one is the mean."""
    for line in loose.listed(entry.get("lines")):
        for (a, b), (_, c) in pairwise(pairwise(_cells(line, grid))):
            yield rules.Sum((a, b, c), 0, (1, -2, 1))


def _arrows(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    for bulb in map(loose.mapping, loose.listed(entry.get("bulbsWithArrows"))):
        # The units come first there.
        pill = _cells(bulb.get("bulbCells"), grid)[::-1]
        for arrow in loose.listed(bulb.get("arrows")):
            shaft = _cells(arrow, grid)[1:]
            if pill and shaft:
                yield rules.Arrow(pill, shaft) if len(pill) == 1 else rules.PillArrow(pill, shaft)


def _little_killers(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    for clue in map(loose.mapping, loose.listed(entry.get("clues"))):
        total = loose.integer(clue.get("value"))
        if total is None:
            continue
        outer, rising = _outer(clue.get("outerCell"), grid), clue.get("diagonal") == 1
        ways = {"NE": (-1, 1), "SW": (1, -1)} if rising else {"SE": (1, 1), "NW": (-1, -1)}
        starts = {way: Cell(outer.row + r, outer.col + c) for way, (r, c) in ways.items()}
        entered = [(way, start) for way, start in starts.items() if _inside(start, grid)]
        if len(entered) != 1 or _inside(outer, grid):
            raise FormatError("its arrow does not point into the grid")
        [(way, start)] = entered
        yield rules.LittleKiller(start, way, total)


def _outside(make: Callable[..., Constraint], *, sided: bool = True) -> Reader:
    def read(entry: Entry, grid: Grid) -> Iterator[Constraint]:
        for clue in map(loose.mapping, loose.listed(entry.get("clues"))):
            value = loose.integer(clue.get("value"))
            if value is None:
                continue
            row, column = _outer(clue.get("outerCell"), grid)
            if 0 <= column < grid.columns and row in (-1, grid.rows):
                line, reverse = f"C{column + 1}", row == grid.rows
            elif 0 <= row < grid.rows and column in (-1, grid.columns):
                line, reverse = f"R{row + 1}", column == grid.columns
            else:
                raise FormatError("a clue is not beside a row or a column")
            yield make(line, value, reverse=reverse) if sided else make(line, value)

    return read


_READERS: dict[int, Reader] = {
    _LINES: _nothing,
    _REGIONS: _nothing,
    10: _plain(rules.Diagonals(rising=False)),
    11: _plain(rules.Diagonals(falling=False)),
    12: _plain(rules.AntiKing()),
    13: _plain(rules.AntiKnight()),
    14: lambda entry, grid: disjoint_groups(grid),
    15: _plain(rules.Nonconsecutive()),
    16: _global_entropy,
    100: _each(rules.Even),
    101: _each(rules.Odd),
    102: _each(rules.Maximum),
    103: _each(rules.Minimum),
    _DIFFERENCE: _marks(rules.Difference, 1),
    _RATIO: _marks(rules.Ratio, 2),
    _XV: _marks(rules.PairSum, None),
    300: _thermometers,
    301: _cages,
    302: _clones,
    303: _quadruples,
    304: _look_and_say,
    305: _set(rules.AllDifferent),
    400: _lines(rules.Renban),
    401: _whispers,
    402: _lines(rules.Palindrome),
    403: _lines(rules.Between),
    404: _region_sums,
    405: _sequences,
    406: _entropy_lines,
    407: _lines(lambda cells: rules.Lockout(cells, 4)),
    408: _arrows,
    409: _lines(rules.DoubleArrow),
    500: _little_killers,
    501: _outside(rules.Sandwich, sided=False),
    502: _outside(rules.XSum),
    503: _outside(rules.Skyscraper),
    504: _outside(rules.NumberedRoom),
    600: _set(rules.RowIndexing),
    601: _set(rules.ColumnIndexing),
}
