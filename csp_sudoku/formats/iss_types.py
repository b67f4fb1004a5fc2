"""The constraint types of Interactive Sudoku Solver strings, and what they are here.

Each reader takes the board, the arguments, and the shift of a replicated template, and gives the
constraints that the item stands for; none of them where it says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TypeAlias

from csp_sudoku import constraints as rules
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.iss_board import Board, Shift, default_region, number
from csp_sudoku.formats.iss_codes import Machine, machine_of, pairs_of, pattern_of, unrolled
from csp_sudoku.formats.shapes import shown

Arguments: TypeAlias = Sequence[str]
Found: TypeAlias = Iterable[Constraint]
Reader: TypeAlias = Callable[[Board, Arguments, "Shift | None"], Found]

#: Types that are refused, and why.
NOT_HERE = {
    "ChaosConstruction": "regions that are to be found are beyond the rules known here",
    "ChaosArrow": "it speaks of regions that are to be found",
    "ChaosCount": "it speaks of regions that are to be found",
    "Doppelganger": "digits that are missing on purpose are beyond the rules known here",
}
#: What shapes the board, and what only helps a solver.
BOARD = ("Shape", "NoBoxes", "RegionSize", "Jigsaw", "Var")
HINTS = ("SearchPriority",)


@dataclass(frozen=True)
class Type:
    """A type: how it is read, and where it may stand."""

    read: Reader
    inside: bool = True
    sudoku: bool = False
    outside: bool = False


# Arguments


def read_given(board: Board, argument: str, shift: Shift | None) -> tuple[Place, list[int]]:
    """A cell with the values it may have."""
    name, *words = argument.split("_")
    values = [number(word, "value") for word in words]
    place = board.cell(name, shift)
    for value in values:
        if value not in board.values:
            raise FormatError(f"{place}: {value} is not a value of this puzzle")
    return place, values


def _values(board: Board, text: str) -> list[int]:
    return [number(word, "value") for word in text.split("_")]


def _line(name: str) -> str:
    """R3 or C3, in base 17 there and in decimal here."""
    if not re.fullmatch(r"[RrCc][1-9A-Ga-g]", name):
        raise FormatError(f"{shown(name)} is no line; write R3 for row 3, C3 for column 3")
    return f"{name[0].upper()}{int(name[1], 17)}"


def _adjacent(board: Board, cells: Sequence[Place]) -> list[tuple[Place, Place]]:
    pairs = combinations(dict.fromkeys(cells), 2)
    found = [pair for pair in pairs if board.adjacent(*pair)]
    if not found:
        raise FormatError("no two of the cells are adjacent")
    return found


def _split(items: Iterable[str], separator: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for item in items:
        if item == separator:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def _groups(items: Arguments) -> list[list[str]]:
    """Cells in groups that empty items end; an item that begins with _ names what follows."""
    found: list[list[str]] = [[]]
    for item in items:
        if not item or item.startswith("_"):
            found.append([])
        else:
            found[-1].append(item)
    return [group for group in found if group]


def _check_count(arguments: Arguments, least: int, most: int | None = None) -> None:
    if len(arguments) < least or (most is not None and len(arguments) > most):
        wanted = str(least) if least == most else f"{least} or more" if most is None else str(most)
        raise FormatError(f"has {len(arguments)} arguments where {wanted} are needed")


# Readers of common forms


def _plain(make: Callable[..., Constraint]) -> Reader:
    """Nothing but cells."""
    return lambda board, arguments, shift: [make(board.cells(arguments, shift))]


def _numbered(make: Callable[[tuple[Place, ...], int], Constraint]) -> Reader:
    """A number, then cells."""

    def read(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
        _check_count(arguments, 2)
        return [make(board.cells(arguments[1:], shift), number(arguments[0]))]

    return read


def _listed(make: Callable[[tuple[Place, ...], list[int]], Constraint]) -> Reader:
    """Values, then cells."""

    def read(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
        _check_count(arguments, 2)
        return [make(board.cells(arguments[1:], shift), _values(board, arguments[0]))]

    return read


def _everywhere(make: Callable[[], Constraint]) -> Reader:
    """No argument at all."""

    def read(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
        _check_count(arguments, 0, 0)
        return [make()]

    return read


def _each_pair(make: Callable[[tuple[Place, Place]], Constraint]) -> Reader:
    """Every adjacent pair among the cells."""

    def read(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
        return [make(pair) for pair in _adjacent(board, board.cells(arguments, shift))]

    return read


def _two_ended(make: Callable[..., Constraint], least: int = 0) -> Reader:
    """A line, its clue, and the clue of the same line read the other way."""

    def read(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
        _check_count(arguments, 2, 3)
        line = _line(arguments[0])
        for clue, reverse in zip(arguments[1:], (False, True), strict=False):
            if clue:
                if number(clue, "clue") < least:
                    raise FormatError(f"{clue} is no clue here; {least} is the least")
                yield make(line, number(clue), reverse)

    return read


# Readers of single types


def _given(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    for argument in filter(None, arguments):
        place, values = read_given(board, argument, shift)
        yield rules.Table([place], [(value,) for value in values])


def _diagonal(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    if tuple(arguments) not in (("1",), ("-1",)):
        raise FormatError("a diagonal is 1 (rising) or -1 (falling)")
    rising = arguments[0] == "1"
    return [rules.Diagonals(falling=not rising, rising=rising)]


def _windoku(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    grid = board.grid
    window = default_region(board.region_size or len(grid.values), grid.rows, grid.columns)
    if window is None or window == grid.box:
        return [rules.Windoku()]
    height, width = window
    return [
        rules.AllDifferent(
            [Cell(r, c) for r in range(top, top + height) for c in range(left, left + width)]
        )
        for top in range(1, grid.rows - height + 1, height + 1)
        for left in range(1, grid.columns - width + 1, width + 1)
    ]


def _self_taxicab(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    if board.values[0] != 1:
        raise FormatError("needs values from 1 on")
    return [rules.SelfTaxicab()]


def _nine_values(make: Callable[[], Constraint]) -> Reader:
    def read(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
        if len(board.values) != 9:
            raise FormatError("needs nine values")
        return [make()]

    return read


def _entropic(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    if board.values != tuple(range(1, 10)):
        raise FormatError("needs the values 1 to 9")
    return [rules.Entropic(board.cells(arguments, shift))]


def _ties(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 1, 1)
    return [rules.FullRankTies(arguments[0])]


def _connected(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2, 3)
    if arguments[0]:
        raise FormatError("connected variables are beyond the rules known here")
    size = number(arguments[2], "size") if len(arguments) > 2 and arguments[2] else None
    return [rules.ConnectedValues(tuple(_values(board, arguments[1])), size)]


def _whisper(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 1)
    if re.fullmatch(r"[0-9]+", arguments[0]):
        return [rules.Whisper(board.cells(arguments[1:], shift), number(arguments[0]))]
    return [rules.Whisper(board.cells(arguments, shift), 5)]


def _sum_line(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2)
    loop = arguments[-1] == "LOOP"
    cells = board.cells(arguments[1:-1] if loop else arguments[1:], shift)
    return [rules.SumLine(cells, number(arguments[0]), loop)]


def _arrow(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    circle, *shaft = board.cells(arguments, shift) or (None,)
    if circle is None:
        raise FormatError("no cells are named")
    return [rules.Arrow(circle, shaft)]


def _pill_arrow(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2)
    size, cells = number(arguments[0], "size of a pill"), board.cells(arguments[1:], shift)
    # The pill is read as people read it, in whatever order it was drawn.
    pill = sorted(cells[:size], key=lambda place: board.where[place])
    for a, b in pairwise(pill):
        (group_a, *start), (group_b, *end) = board.where[a], board.where[b]
        step = (end[0] - start[0], end[1] - start[1])
        if group_a != group_b or step not in ((0, 1), (1, 0), (1, 1)):
            raise FormatError(f"{a} and {b} are no successive cells of a pill")
    return [rules.PillArrow(pill, cells[size:])]


def _cage(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2)
    total = number(arguments[0], "sum") if arguments[0] else 0
    return [rules.KillerCage(board.cells(arguments[1:], shift), total or None)]


def _sum(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2)
    cells = board.cells(arguments[1:], shift)
    total, *more = arguments[0].split("_")
    if more[:1] != ["="]:
        return [rules.Sum(cells, number(total, "sum"))]
    weights = [number(word, "coefficient") for word in more[1:]]
    if any(abs(weight) > 100 for weight in weights):
        raise FormatError("a coefficient is at most 100")
    return [rules.Sum(cells, number(total, "sum"), weights)]


def _look_and_say(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2)
    return [rules.LookAndSay(board.cells(arguments[1:], shift), arguments[0])]


def _same_values(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2)
    count, cells = number(arguments[0], "number of parts"), board.cells(arguments[1:], shift)
    if count < 1 or (count < len(cells) and len(cells) % count):
        raise FormatError(f"{len(cells)} cells cannot be cut into {count} equal parts")
    if count == 1:
        return []
    if count >= len(cells):
        return [rules.Equal(cells)]
    size = len(cells) // count
    return [rules.SameValues([cells[i : i + size] for i in range(0, len(cells), size)])]


def _equal_sum(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    groups = [board.cells(group, shift) for group in _split(arguments, "-")]
    return [rules.EqualSum(groups)] if len(groups) > 1 else []


def _quad(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 1)
    name, row, column = board.where[board.cell(arguments[0], shift)]
    group = board.groups[name]
    corners = [(r, c) for r in (row, row + 1) for c in (column, column + 1)]
    indices = [r * group.columns + c for r, c in corners]
    if column + 1 >= group.columns or indices[-1] >= len(group.cells):
        raise FormatError(f"{arguments[0]} has no cells to its right and below")
    values = [number(word, "value") for word in arguments[1:]]
    return [rules.Quadruple([group.cells[i] for i in indices], values)] if values else []


def _indexing(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2)
    if arguments[0] not in ("C", "R"):
        raise FormatError(f"indexing is by C or R, not {shown(arguments[0])}")
    kind = rules.ColumnIndexing if arguments[0] == "C" else rules.RowIndexing
    return [kind(board.cells(arguments[1:], shift))]


def _regex(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2)
    pattern = "".join(pattern_of(arguments[0]).split())
    if not re.fullmatch(r"[0-9A-Za-z.|*+?,(){}\[\]^-]*", pattern):
        raise FormatError(f"{shown(pattern)} is not a pattern")
    pattern = pattern.upper()
    for sign in set(re.sub(r"\{[0-9,]*\}", "", pattern)):
        if sign.isalnum() and int(sign, 36) not in board.values:
            raise FormatError(f"{sign} in the pattern is not a value of this puzzle")
    for group in _groups(arguments[1:]):
        yield rules.Regex(board.cells(group, shift), pattern)


def _machine(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 1)
    machine = machine_of(arguments[0])
    for group in _groups(arguments[1:]):
        segments = _split(group, "-")
        yield _state_machine(board, machine, [board.cells(part, shift) for part in segments])


def _state_machine(board: Board, machine: Machine, segments: list[tuple[Place, ...]]) -> Constraint:
    # Behind the values comes one symbol more: the break between two segments.
    separator = len(board.values)
    if machine.symbols > separator + 1 or (len(segments) > 1 and machine.symbols <= separator):
        raise FormatError(
            f"the machine reads {machine.symbols} symbols, which does not fit {separator} values"
        )
    cells = [place for segment in segments for place in segment]
    if len(segments) > 1:
        machine = unrolled(machine, [len(segment) for segment in segments], separator)
    moves = [
        (tail, board.values[0] + symbol, head)
        for tail, symbol, head in machine.transitions
        if symbol != separator
    ]
    return rules.StateMachine(cells, moves, sorted(machine.accepting), machine.starts)


def _pair(make: Callable[..., Constraint], *, every: bool, old: bool) -> Reader:
    def read(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
        _check_count(arguments, 1)
        allowed = pairs_of(arguments[0], board.values, old=old)
        if every and {(b, a) for a, b in allowed} != set(allowed):
            raise FormatError("the table for all pairs must be symmetric")
        for group in _groups(arguments[1:]):
            yield make(board.cells(group, shift), allowed)

    return read


# Outside clues


def _sandwich(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2, 2)
    return [rules.Sandwich(_line(arguments[1]), number(arguments[0], "sum"))]


def _little_killer(board: Board, arguments: Arguments, shift: Shift | None) -> Found:
    _check_count(arguments, 2, 2)
    start = board.cell(arguments[1])
    direction = dict(_diagonals(board)).get(start)
    if direction is None or not isinstance(start, Cell):
        raise FormatError(f"{arguments[1]} begins no diagonal")
    return [rules.LittleKiller(start, direction, number(arguments[0], "sum"))]


def _diagonals(board: Board) -> Iterator[tuple[Place, str]]:
    """Where each diagonal of two cells or more begins, each diagonal once."""
    rows, columns = board.grid.rows, board.grid.columns
    if min(rows, columns) < 2:
        return
    yield from ((Cell(row, 0), "SE") for row in range(rows - 1))
    yield from ((Cell(0, column), "SW") for column in range(1, columns))
    # Of those that begin at the other sides, some are the first ones from their other end.
    yield from ((Cell(row, columns - 1), "NW") for row in range(1, min(rows, columns) - 1))
    first = max(1, columns - rows + 1)
    yield from ((Cell(rows - 1, column), "NE") for column in range(first, columns - 1))


_GRID: dict[str, Reader] = {
    "AntiKing": _everywhere(rules.AntiKing),
    "AntiKnight": _everywhere(rules.AntiKnight),
    "Diagonal": _diagonal,
    "DisjointSets": _everywhere(rules.DisjointGroups),
    "FullRankTies": _ties,
    "RegionSameValues": _everywhere(rules.SameValueHouses),
    "Windoku": _windoku,
}

_EVERYWHERE: dict[str, Reader] = {
    "AntiConsecutive": _everywhere(rules.Nonconsecutive),
    "AntiTaxicab": _self_taxicab,
    "ConnectedValues": _connected,
    "DutchFlatmates": _nine_values(rules.DutchFlatmates),
    "GlobalEntropy": _nine_values(rules.GlobalEntropy),
    "GlobalMod": _nine_values(rules.GlobalModulo),
    "StrictKropki": _everywhere(rules.NegativeKropki),
    "StrictXV": _everywhere(rules.NegativeXV),
}

_LINES: dict[str, Reader] = {
    "Arrow": _arrow,
    "Between": _plain(rules.Between),
    "Binary": _pair(rules.Pair, every=False, old=True),
    "BinaryX": _pair(rules.AllPairs, every=True, old=True),
    "DoubleArrow": _plain(rules.DoubleArrow),
    "Entropic": _entropic,
    "Lockout": _numbered(rules.Lockout),
    "Modular": _numbered(rules.Modular),
    "NFA": _machine,
    "Pair": _pair(rules.Pair, every=False, old=False),
    "PairX": _pair(rules.AllPairs, every=True, old=False),
    "Palindrome": _plain(rules.Palindrome),
    "PillArrow": _pill_arrow,
    "Regex": _regex,
    "RegionSumLine": _plain(rules.RegionSum),
    "Renban": _plain(rules.Renban),
    "SumLine": _sum_line,
    "Thermo": _plain(rules.Thermometer),
    "ValueIndexing": _plain(rules.ValueIndexing),
    "Whisper": _whisper,
    "Zipper": _plain(rules.Zipper),
}

_SETS: dict[str, Reader] = {
    "": _given,
    "Given": _given,
    "AllDifferent": _plain(rules.AllDifferent),
    "BlackDot": _each_pair(rules.Ratio),
    "Cage": _cage,
    "ContainAtLeast": _listed(rules.ContainsAtLeast),
    "ContainExact": _listed(rules.ContainsExactly),
    "CountDistinct": _plain(rules.CountDistinct),
    "CountingCircles": _plain(rules.CountingCircles),
    "EqualSum": _equal_sum,
    "EqualityCage": _plain(rules.EqualityCage),
    "GreaterThan": _each_pair(rules.GreaterThan),
    "LookAndSay": _look_and_say,
    "Lunchbox": _numbered(rules.Lunchbox),
    "Quad": _quad,
    "RellikCage": _numbered(rules.RellikCage),
    "SameValues": _same_values,
    "Sum": _sum,
    "V": _each_pair(lambda pair: rules.PairSum(pair, 5)),
    "WhiteDot": _each_pair(rules.Difference),
    "X": _each_pair(lambda pair: rules.PairSum(pair, 10)),
}

_CLUES: dict[str, Reader] = {
    "FullRank": _two_ended(rules.FullRank, 1),
    "HiddenSkyscraper": _two_ended(rules.HiddenSkyscraper),
    "LittleKiller": _little_killer,
    "NumberedRoom": _two_ended(rules.NumberedRoom),
    "Sandwich": _sandwich,
    "Skyscraper": _two_ended(rules.Skyscraper, 1),
    "XSum": _two_ended(rules.XSum, 1),
}

TYPES: dict[str, Type] = {
    **{name: Type(read, inside=False, sudoku=True) for name, read in _GRID.items()},
    **{name: Type(read, inside=False) for name, read in _EVERYWHERE.items()},
    **{name: Type(read) for name, read in (_LINES | _SETS).items()},
    **{name: Type(read, sudoku=True, outside=True) for name, read in _CLUES.items()},
    "Indexing": Type(_indexing, sudoku=True),
}
