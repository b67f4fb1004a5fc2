"""The shapes of items of Interactive Sudoku Solver strings: how arguments are read and written."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any, ClassVar, TypeAlias

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.iss.board import (
    Board,
    Item,
    Shift,
    check_count,
    line_name,
    line_of,
    number,
    split_at,
)
from csp_sudoku.formats.iss.chaos import Chaos, ChaosArrow, ChaosCount, asks_for_numbers
from csp_sudoku.formats.iss.codes import (
    Machine,
    key_of,
    machine_code,
    machine_of,
    pairs_of,
    pattern_code,
    pattern_of,
    unrolled,
)
from csp_sudoku.formats.reading import check_length
from csp_sudoku.formats.tables import Fields, Shape, Spelling, rows_of, write_rule
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.forms import Condition, Iss, Member, NotHeldError, Number
from csp_sudoku.grid import default_box
from csp_sudoku.puzzle import Puzzle

Arguments: TypeAlias = Sequence[str]

_MAX_COEFFICIENT = 100
_MAX_RUN = 30


def _literals(row: Iss) -> list[str]:
    return [str(value) for value in row.when.values() if not isinstance(value, Condition)]


def _is_optional(member: Member) -> bool:
    return isinstance(member, Number) and member.absent is not None


def place_of(rule: Constraint) -> Hashable:
    """The place of a clue of which there can be only one; None for other rules."""
    for row in rows_of(type(rule), Iss.format):
        if row.shape in _PLACES:
            return tuple(getattr(rule, field) for field in _PLACES[row.shape])
        if row.shape == "flag" and row.members:
            return "flag"
    return None


# The fields that say where a clue stands.
_PLACES = {
    "line clue": ("line",),
    "side clue": ("line", "reverse"),
    "diagonal clue": ("start", "direction"),
    "corner": ("cells",),
}


# Shapes that several types have


class _Flag:
    """Nothing but what the row says."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        fields, rest = spelling.leading(row, arguments)
        check_count(rest, 0, 0)
        yield fields

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        yield Item(str(row.key), tuple(spelling.spell_leading(row, rule)))


class _Cells:
    """Numbers, if there are any, then cells."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        fields, names = spelling.leading(row, arguments)
        cells = spelling.cells(names)
        if not cells:
            raise FormatError("no cells are named")
        if len(cells) >= row.least:
            yield {"cells": cells, **fields}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        cells = rule.scope(spelling.puzzle) if row.once else rule.cells
        if len(cells) < row.least:
            raise NotHeldError(f"there it needs {row.least} cells or more")
        leading = spelling.spell_leading(row, rule)
        yield Item(str(row.key), (*leading, *spelling.spell_all(cells)))


class _Pair:
    """Cells; every two of them that touch are a pair."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        pairs = combinations(dict.fromkeys(spelling.cells(arguments)), 2)
        found = [pair for pair in pairs if spelling.board.adjacent(*pair)]
        if not found:
            raise FormatError("no two of the cells are adjacent")
        yield from ({"cells": pair} for pair in found)

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        names = spelling.spell_all(rule.cells)
        if not spelling.board.adjacent(*rule.cells):
            raise NotHeldError("there the two cells must touch")
        yield Item(str(row.key), tuple(names))


class _LineClue:
    """A clue, then the name of a row or a column."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        fields, rest = spelling.leading(row, arguments)
        check_count(rest, 1, 1)
        yield {"line": line_of(rest[0]), **fields}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        line = line_name(rule.line)
        yield Item(str(row.key), (*spelling.spell_leading(row, rule), line))


class _SideClue:
    """The name of a row or a column, its clue, and its clue read the other way."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 2, 3)
        line = line_of(arguments[0])
        [member] = row.members.values()
        for clue, reverse in zip(arguments[1:], (False, True), strict=False):
            if clue:
                yield {"line": line, "reverse": reverse, member.field: member.read(clue, spelling)}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        [clue] = spelling.spell_leading(row, rule)
        clues = ("", clue) if rule.reverse else (clue, "")
        yield Item(str(row.key), (line_name(rule.line), *clues))


class _DiagonalClue:
    """A clue, then the cell at which the diagonal begins. Every diagonal has one such cell."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        fields, rest = spelling.leading(row, arguments)
        check_count(rest, 1, 1)
        start = spelling.cell(rest[0])
        direction = dict(_diagonals(spelling.board)).get(start)
        if direction is None:
            raise FormatError(f"{rest[0]} begins no diagonal")
        yield {"start": start, "direction": direction, **fields}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        cells = set(rule.scope(spelling.puzzle))
        for start, direction in _diagonals(spelling.board):
            if cells == set(type(rule)(start, direction, 0).scope(spelling.puzzle)):
                arguments = (*spelling.spell_leading(row, rule), spelling.spell(start))
                yield Item(str(row.key), arguments)
                return
        raise NotHeldError("there a diagonal goes from edge to edge and has two cells or more")


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


# Shapes that one type has


class _Given:
    """Cells with the values they may have."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        for argument in filter(None, arguments):
            place, values = read_given(argument, spelling)
            yield {"cells": place, "rows": [(value,) for value in values]}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        if len(rule.cells) != 1:
            raise NotHeldError("there it must be a table for one cell")
        values = [value for (value,) in rule.rows if value in spelling.grid.values]
        yield Item("", (given(rule.cells[0], values, spelling),))


def read_given(argument: str, spelling: IssSpelling) -> tuple[Place, list[int]]:
    """A cell with the values it may have."""
    name, *words = argument.split("_")
    values = [number(word, "value") for word in words]
    place = spelling.cell(name)
    if spelling.board.where[place][0] == "CC":
        # Which region has which number is the solver's own choice there.
        raise FormatError(f"{shown(name)}: regions to find have no fixed numbers")
    for value in values:
        if value not in spelling.board.values:
            raise FormatError(f"{place}: {value} is not a value of this puzzle")
    return place, values


def given(place: Place, values: Iterable[int], spelling: IssSpelling) -> str:
    """The argument for a cell with the values it may have."""
    return "_".join([spelling.spell(place), *map(str, values)])


class _Windows:
    """Windows as large as the boxes that the program would choose."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 0, 0)
        yield {"box": self._window(spelling.board)}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        grid = spelling.grid
        if grid.rows != grid.columns or self._window(spelling.board) != grid.box:
            raise NotHeldError("there it needs a square grid with the usual boxes")
        yield Item(str(row.key), ())

    def _window(self, board: Board) -> tuple[int, int] | None:
        size = board.region_size or len(board.values)
        return default_box(board.grid.rows, board.grid.columns, size)


class _BoxGroups:
    """A rule for the boxes that the program would choose."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 0, 0)
        yield {}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        grid = spelling.grid
        if grid.rows != grid.columns or not spelling.board.has_usual_boxes:
            raise NotHeldError("there it needs a square grid with the usual boxes")
        yield Item(str(row.key), ())


class _Connected:
    """A group of variables (none: the grid), values, and perhaps a size."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 2, 3)
        group = arguments[0]
        if group not in spelling.board.groups:
            raise FormatError(f"there are no variables {shown(group)}")
        if group == "CC":
            raise FormatError("regions to find have no fixed numbers")
        size = number(arguments[2], "size") if len(arguments) > 2 and arguments[2] else None
        values = tuple(spelling.integers(arguments[1]))
        for value in values:
            if value not in spelling.grid.values:
                raise FormatError(f"{value} is not a value of this puzzle")
        yield {"values": values, "size": size, "layer": group}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        size = () if rule.size is None else (str(rule.size),)
        values = [value for value in rule.values if value in spelling.grid.values]
        if rule.layer not in spelling.board.groups:
            raise NotHeldError(f"there the layer {rule.layer} has no name")
        yield Item(str(row.key), (rule.layer, spelling.numbers(values), *size))


class _Arrow:
    """The circle, then the shaft."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        circle, *shaft = spelling.cells(arguments) or (None,)
        if circle is None:
            raise FormatError("no cells are named")
        yield {"circle": circle, "shaft": shaft}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        yield Item(str(row.key), tuple(spelling.spell_all((rule.circle, *rule.shaft))))


class _Pill:
    """The size of the pill, its cells in any order, then the shaft."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 2)
        size, cells = number(arguments[0], "size of a pill"), spelling.cells(arguments[1:])
        # The pill is read as people read it, in whatever order it was drawn.
        pill = sorted(cells[:size], key=lambda place: spelling.board.where[place])
        for a, b in pairwise(pill):
            if not self._follows(a, b, spelling.board):
                raise FormatError(f"{a} and {b} are no successive cells of a pill")
        yield {"pill": pill, "shaft": cells[size:]}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        names = spelling.spell_all((*rule.pill, *rule.shaft))
        if not all(self._follows(a, b, spelling.board) for a, b in pairwise(rule.pill)):
            raise NotHeldError("there a pill goes to the right or down, cell by cell")
        yield Item(str(row.key), (str(len(rule.pill)), *names))

    def _follows(self, a: Place, b: Place, board: Board) -> bool:
        (group_a, *start), (group_b, *end) = board.where[a], board.where[b]
        step = (end[0] - start[0], end[1] - start[1])
        return group_a == group_b and step in ((0, 1), (1, 0), (1, 1))


class _WeightedSum:
    """The total, perhaps with a coefficient for each cell, then the cells."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 2)
        total, *more = arguments[0].split("_")
        fields: Fields = {"cells": spelling.cells(arguments[1:]), "total": number(total, "sum")}
        if more[:1] == ["="]:
            weights = [number(word, "coefficient") for word in more[1:]]
            if any(abs(weight) > _MAX_COEFFICIENT for weight in weights):
                raise FormatError(f"a coefficient is at most {_MAX_COEFFICIENT}")
            fields["coefficients"] = weights
        yield fields

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        if rule.at_most not in (None, rule.total):
            raise NotHeldError("there a sum has one value, not a range")
        weights = rule.coefficients or ()
        if any(abs(weight) > _MAX_COEFFICIENT for weight in weights):
            raise NotHeldError(f"there a coefficient is at most {_MAX_COEFFICIENT}")
        total = "_".join(map(str, (rule.total, "=", *weights) if weights else (rule.total,)))
        yield Item(str(row.key), (total, *spelling.spell_all(rule.cells)))


class _SumLine:
    """The sum of a run, the cells, and LOOP if the line is closed."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 2)
        loop = arguments[-1] == "LOOP"
        cells = spelling.cells(arguments[1:-1] if loop else arguments[1:])
        yield {"cells": cells, "total": number(arguments[0]), "loop": loop}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        if not 1 <= rule.total <= _MAX_RUN:
            raise NotHeldError(f"there the total is 1 to {_MAX_RUN}")
        end = ("LOOP",) if rule.loop else ()
        yield Item(str(row.key), (str(rule.total), *spelling.spell_all(rule.cells), *end))


class _EqualParts:
    """A number of parts, then cells: they are cut into parts that hold the same values."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        count, cells = _parts(arguments, spelling)
        if count > 1:
            size = len(cells) // count
            yield {"groups": [cells[i : i + size] for i in range(0, len(cells), size)]}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        cells = [place for group in rule.groups for place in group]
        yield Item(str(row.key), (str(len(rule.groups)), *spelling.spell_all(cells)))


class _AllEqual:
    """As many parts as cells, so that all cells are equal."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        yield {"cells": _parts(arguments, spelling)[1]}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        yield Item(str(row.key), (str(len(rule.cells)), *spelling.spell_all(rule.cells)))


def _parts(arguments: Arguments, spelling: IssSpelling) -> tuple[int, tuple[Place, ...]]:
    check_count(arguments, 2)
    count, cells = number(arguments[0], "number of parts"), spelling.cells(arguments[1:])
    if count < 1 or (count < len(cells) and len(cells) % count):
        raise FormatError(f"{len(cells)} cells cannot be cut into {count} equal parts")
    return count, cells


class _Groups:
    """Groups of cells with a dash between them."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        groups = [spelling.cells(group) for group in split_at("-", arguments)]
        if len(groups) > 1:
            yield {"groups": groups}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        first, *others = rule.groups
        names = spelling.spell_all(first)
        for group in others:
            names += ["-", *spelling.spell_all(group)]
        yield Item(str(row.key), tuple(names))


class _Corner:
    """The first of four cells around a corner, then values."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 1)
        name, row_index, column = spelling.board.where[spelling.cell(arguments[0])]
        group = spelling.board.groups[name]
        corners = [(r, c) for r in (row_index, row_index + 1) for c in (column, column + 1)]
        indices = [r * group.columns + c for r, c in corners]
        if column + 1 >= group.columns or indices[-1] >= len(group.cells):
            raise FormatError(f"{arguments[0]} has no cells to its right and below")
        values = [number(word, "value") for word in arguments[1:]]
        if values:
            yield {"cells": [group.cells[i] for i in indices], "values": values}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        names = spelling.spell_all(rule.cells)
        [first, *_] = rule.cells
        corners = [(r, c) for r in (0, 1) for c in (0, 1)]
        if not isinstance(first, Cell) or list(rule.cells) != [
            (first.row + r, first.col + c) for r, c in corners
        ]:
            raise NotHeldError("there the cells must be the four around a corner, row by row")
        if not rule.values or any(value not in spelling.grid.values for value in rule.values):
            raise NotHeldError("there it must name values of the grid")
        yield Item(str(row.key), (names[0], *map(str, rule.values)))


class _Table:
    """A key for the pairs of values that are allowed, then groups of cells."""

    def __init__(self, *, symmetric: bool = False, old: bool = False) -> None:
        self._symmetric = symmetric
        self._old = old

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 1)
        allowed = pairs_of(arguments[0], spelling.board.values, self._old)
        if self._symmetric and not _is_symmetric(allowed):
            raise FormatError("the table for all pairs must be symmetric")
        for group in _named_groups(arguments[1:]):
            yield {"cells": spelling.cells(group), "allowed": allowed}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        values = spelling.board.values
        allowed = [(a, b) for a, b in rule.allowed if a in values and b in values]
        if self._symmetric and not _is_symmetric(allowed):
            raise NotHeldError("there the table must be symmetric")
        yield Item(str(row.key), (key_of(allowed, values), "_", *spelling.spell_all(rule.cells)))


def _is_symmetric(pairs: Iterable[tuple[int, int]]) -> bool:
    found = set(pairs)
    return {(b, a) for a, b in found} == found


class _Pattern:
    """An encoded regular expression, then groups of cells."""

    _pattern = re.compile(r"[0-9A-Za-z.|*+?,(){}\[\]^-]*")

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 2)
        pattern = "".join(pattern_of(arguments[0]).split())
        if not self._pattern.fullmatch(pattern):
            raise FormatError(f"{shown(pattern)} is not a pattern")
        pattern = pattern.upper()
        if foreign := self._foreign(pattern, spelling):
            raise FormatError(f"{foreign} in the pattern is not a value of this puzzle")
        for group in _named_groups(arguments[1:]):
            yield {"cells": spelling.cells(group), "pattern": pattern}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        pattern = "".join(rule.pattern.split())
        if not self._pattern.fullmatch(pattern) or pattern != pattern.upper():
            raise NotHeldError("there a value of a pattern is a digit or a capital letter")
        if foreign := self._foreign(pattern, spelling):
            raise NotHeldError(f"there {foreign} in the pattern is not a value of the grid")
        yield Item(str(row.key), (pattern_code(pattern), *spelling.spell_all(rule.cells)))

    def _foreign(self, pattern: str, spelling: IssSpelling) -> str:
        """A sign of the pattern that is not a value of the grid; nothing if there is none."""
        signs = sorted(set(re.sub(r"\{[0-9,]*\}", "", pattern)))
        foreign = (s for s in signs if s.isalnum() and int(s, 36) not in spelling.board.values)
        return next(foreign, "")


class _Machine:
    """An encoded state machine, then groups of cells; a dash begins a new segment of a group."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 1)
        machine = machine_of(arguments[0])
        for group in _named_groups(arguments[1:]):
            check_length(group)
            segments = [spelling.cells(part) for part in split_at("-", group)]
            yield self._fields(machine, segments, spelling.board)

    def _fields(self, machine: Machine, segments: list[tuple[Place, ...]], board: Board) -> Fields:
        # Behind the values comes one symbol more: the break between two segments.
        separator = len(board.values)
        if machine.symbols > separator + 1 or (len(segments) > 1 and machine.symbols <= separator):
            raise FormatError(
                f"the machine reads {machine.symbols} symbols, which does not fit {separator} "
                f"values"
            )
        if len(segments) > 1:
            machine = unrolled(machine, [len(segment) for segment in segments], separator)
        moves = [
            (tail, board.values[0] + symbol, head)
            for tail, symbol, head in machine.transitions
            if symbol != separator
        ]
        return {
            "cells": [place for segment in segments for place in segment],
            "transitions": moves,
            "accepting": sorted(machine.accepting),
            "starts": machine.starts,
        }

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        values = spelling.board.values
        moves = tuple(
            (tail, value - values[0], head)
            for tail, value, head in rule.transitions
            if value in values
        )
        machine = Machine(tuple(rule.starts), frozenset(rule.accepting), moves, len(values))
        yield Item(str(row.key), (machine_code(machine), "_", *spelling.spell_all(rule.cells)))


class _Any:
    """An Or with a child for each part. It is read with the other composites."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterable[Fields]:
        return ()

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        children = []
        for part in rule.parts:
            level = IssSpelling(spelling.puzzle, spelling.board, inside=True)
            items = tuple(item for _, item in write_rule(part, level))
            children.append(items[0] if len(items) == 1 else Item("And", (), items))
        yield Item(str(row.key), (), tuple(children))


def _named_groups(items: Arguments) -> list[list[str]]:
    """Cells in groups that empty items end; an item that begins with _ names what follows."""
    found: list[list[str]] = [[]]
    for item in items:
        if not item or item.startswith("_"):
            found.append([])
        else:
            found[-1].append(item)
    return [group for group in found if group]


class IssSpelling(Spelling):
    """How numbers and cells are spelled; a template that is replicated is moved by a shift.

    `inside` says that what is written stands inside an Or.
    """

    format = Iss.format
    shapes: ClassVar[dict[str, Shape]] = {
        "flag": _Flag(),
        "cells": _Cells(),
        "pair": _Pair(),
        "line clue": _LineClue(),
        "side clue": _SideClue(),
        "diagonal clue": _DiagonalClue(),
        "given": _Given(),
        "windows": _Windows(),
        "box groups": _BoxGroups(),
        "connected": _Connected(),
        "chaos": Chaos(),
        "chaos arrow": ChaosArrow(),
        "chaos count": ChaosCount(),
        "arrow": _Arrow(),
        "pill": _Pill(),
        "weighted sum": _WeightedSum(),
        "sum line": _SumLine(),
        "equal parts": _EqualParts(),
        "all equal": _AllEqual(),
        "groups": _Groups(),
        "corner": _Corner(),
        "table": _Table(),
        "old table": _Table(old=True),
        "symmetric table": _Table(symmetric=True),
        "old symmetric table": _Table(symmetric=True, old=True),
        "pattern": _Pattern(),
        "machine": _Machine(),
        "any": _Any(),
    }

    def __init__(
        self,
        puzzle: Puzzle,
        board: Board,
        *,
        shift: Shift | None = None,
        inside: bool = False,
    ) -> None:
        super().__init__(puzzle)
        self.board = board
        self.inside = inside
        self._shift = shift
        self._clues: dict[Hashable, Constraint] = {}

    def fits(self, row: Iss, arguments: Arguments) -> bool:  # type: ignore[override]
        for wanted in row.when.values():
            if isinstance(wanted, Condition):
                if not wanted.matches(list(arguments), self):
                    return False
            elif arguments[:1] != (wanted,):
                return False
        return True

    def check(self, row: Iss, rule: Constraint) -> None:
        if self.inside and not row.inside:
            raise NotHeldError("there it cannot stand inside an 'or'")
        if self.board.raw and row.houses:
            raise NotHeldError("there it needs a grid whose rows and columns are houses")
        if asks_for_numbers(rule, self.puzzle, self.board):
            raise NotHeldError("there regions to find have no fixed numbers")
        place = place_of(rule)
        if place is not None and self._clues.setdefault((type(rule), place), rule) != rule:
            raise NotHeldError("there only the last of several clues at one place counts")

    def integer(self, value: str) -> int | None:
        return number(value) if value else None

    def integers(self, value: str) -> list[int]:
        return [number(word, "value") for word in value.split("_")]

    def number(self, number: int) -> str:
        return str(number)

    def numbers(self, numbers: Iterable[int]) -> str:
        words = [str(number) for number in numbers]
        if not words:
            raise NotHeldError("there it must name a value")
        return "_".join(words)

    def cell(self, name: str) -> Place:
        """Read a cell."""
        return self.board.cell(name, self._shift)

    def cells(self, names: Sequence[str]) -> tuple[Place, ...]:
        """Read several cells."""
        return self.board.cells(names, self._shift)

    def spell(self, place: Place) -> str:
        """Write a cell or a variable."""
        if place not in self.board.names:
            raise NotHeldError(f"there is no variable {place}")
        return self.board.names[place]

    def spell_all(self, places: Iterable[Place]) -> list[str]:
        """Write several cells."""
        return [self.spell(place) for place in places]

    # Members stand in front of the cells, in their order.

    def leading(self, row: Iss, arguments: Arguments) -> tuple[Fields, Arguments]:
        """The fields that the first arguments hold, and the arguments behind them."""
        rest = list(arguments[len(_literals(row)) :])
        fields: Fields = {}
        for member in row.members.values():
            if _is_optional(member) and not re.match("[0-9]*$", rest[0] if rest else "-"):
                value = member.read("", self)
            else:
                check_count(rest, 1)
                value = member.read(rest.pop(0), self)
            if value is not None:
                fields[member.field] = value
        return fields, rest

    def spell_leading(self, row: Iss, rule: Constraint) -> list[str]:
        """The first arguments of an item."""
        return [*_literals(row), *(self._text(member, rule) for member in row.members.values())]

    def _text(self, member: Member, rule: Constraint) -> str:
        text = member.write(rule, self)
        if text is None:
            if not isinstance(member, Number) or member.none is None:
                raise NotHeldError(f"there the {member.field} must be a number")
            return str(member.none)
        return str(text)
