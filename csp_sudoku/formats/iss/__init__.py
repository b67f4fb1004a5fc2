"""Interactive Sudoku Solver: puzzles as strings of constraints, such as ``.Thermo~R1C1~R1C2``.

``text`` plain grids inside such strings · ``board`` the grid, cells and variables ·
``shapes`` the arguments of constraints · ``codes`` encoded arguments. The rules themselves
say which type they have; see :mod:`csp_sudoku.forms`.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from urllib.parse import quote, unquote_plus

from csp_sudoku import constraints as rules
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.iss.board import COMPOSITES, Board, Item, Shift, read_board, write_board
from csp_sudoku.formats.iss.chaos import asks_for_numbers
from csp_sudoku.formats.iss.codes import indices_of
from csp_sudoku.formats.iss.shapes import IssSpelling, given, place_of, read_given
from csp_sudoku.formats.iss.text import is_killer, translate
from csp_sudoku.formats.links import clean, parameter
from csp_sudoku.formats.reading import MAX_CONSTRAINTS, NO_HELP, Collector, Help, Reading
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.tables import (
    Found,
    find_rows,
    own_variables,
    read_entry,
    rules_text,
    write_rules,
)
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.forms import Iss

LINK = "https://sigh.github.io/Interactive-Sudoku-Solver/?q="

# What describes the board, and what only helps a solver.
_BOARD = ("Shape", "NoBoxes", "RegionSize", "Jigsaw", "Var")
_HINTS = ("SearchPriority",)
_GIVENS = ("", "Given")
_NEED_HOUSES = ("NoBoxes", "RegionSize", "Jigsaw")
_MAX_DEPTH = 30
# How many arguments the items have that hold others.
_MOST_ARGUMENTS = {"And": 0, "Or": 0, "End": 0, "Replicate": 2}
# How a comment begins that names a rule which the string lacks.
_LEFT_OUT = "# left out: "


def recognises(text: str) -> bool:
    """Whether a text is a link or a string of Interactive Sudoku Solver, or a killer as text."""
    text = clean(text)
    if text.startswith("https://"):
        return parameter(text, "q") is not None
    if is_killer(text):
        return True
    return any(map(_is_string, _sections(text)))


def read_text(text: str, help_given: Help = NO_HELP) -> Reading:
    """Read a link or a string.

    Examples
    --------
    >>> read_text(".Shape~4x4.Thermo~R1C1~R1C2~R1C3.~R4C4_2").puzzle
    <Puzzle 4×4, 1 given, 1 constraint>
    """
    text = clean(text)
    if text.startswith("https://"):
        text = unquote_plus(parameter(text, "q") or "")
    items = [item for section in _sections(text) for item in _parse(section)]
    board, pieces = read_board(items)
    found = Collector(board.puzzle, help_given)
    found.add(*(rules.AllDifferent(piece) for piece in pieces))
    spelling = IssSpelling(board.puzzle, board)
    builder = _Builder(board, spelling)
    givens: dict[Place, set[int]] = {}
    for item in items:
        with found.at(str(item), item.kind):
            if item.kind in _GIVENS:
                for argument in filter(None, item.arguments):
                    place, values = read_given(argument, spelling)
                    givens[place] = givens.get(place, set(values)) & set(values)
            elif item.kind in _HINTS:
                found.notes.append(f"{item} is a hint for another solver and has no meaning here")
            else:
                found.add(*builder.build(item))
    for line in text.splitlines():
        if line.startswith(_LEFT_OUT):
            found.leave_out("comment", "", line.removeprefix(_LEFT_OUT))
    found.refuse_missing()
    found.constraints[:] = _last_of_each(found.constraints)
    puzzle = found.puzzle(givens)
    return Reading(
        puzzle,
        notes=tuple(found.notes),
        missing=tuple(found.missing),
        entries=tuple(found.entries),
    )


def write_iss(puzzle: object, *, lenient: bool = False) -> str:
    """Write a puzzle as a string of Interactive Sudoku Solver.

    Raises :class:`FormatError` with all that such a string cannot hold; `lenient` puts rules that
    it cannot hold into comments at its beginning, and :func:`read_text` refuses these.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> from csp_sudoku import Thermometer
    >>> write_iss(Puzzle.blank(4).add(Thermometer("R1C1-R1C3")).with_givens({"R4C4": 2}))
    '.Shape~4x4.Thermo~R1C1~R1C2~R1C3.~R4C4_2'
    """
    reading = puzzle if isinstance(puzzle, Reading) else Reading(as_puzzle(puzzle))
    puzzle = reading.puzzle
    board, items = write_board(puzzle)
    spelling = IssSpelling(puzzle, board)
    written, missing = write_rules(spelling)
    text = rules_text(reading, missing, Iss.format, lenient=lenient)
    items += [item for _, item in written]
    if givens := _givens(spelling):
        items.append(Item("", tuple(givens)))
    told = "\n".join((reading.title, reading.author, reading.rules)).splitlines()
    lines = [f"# {line}\n" for line in told if line.strip()]
    left_out = text.removeprefix(reading.rules).splitlines()
    lines += [f"{_LEFT_OUT}{line}\n" for line in left_out if line.strip()]
    return "".join(lines) + ("".join(item.text for item in items) or ".Shape~9x9")


def write_link(puzzle: object, *, lenient: bool = False) -> str:
    """Write a puzzle as a link of Interactive Sudoku Solver; see :func:`write_iss`.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> read_text(write_link(Puzzle.blank(6))).puzzle.grids[0].box
    (2, 3)
    """
    return LINK + quote(write_iss(puzzle, lenient=lenient), safe="~")


def _givens(spelling: IssSpelling) -> list[str]:
    """The cells with fewer values than the grid has, and variables likewise."""
    puzzle = spelling.puzzle
    candidates: dict[Place, tuple[int, ...]] = {}
    candidates.update(own_variables(puzzle))
    candidates.update(puzzle.candidates)
    for place, values in candidates.items():
        if place not in spelling.board.names or not set(values) <= set(spelling.grid.values):
            raise FormatError(f"{Iss.format} has no place for candidates {values} of {place}")
    return [
        given(place, values, spelling)
        for place, values in candidates.items()
        if tuple(values) != spelling.grid.values
    ]


class _Builder:
    """From items to constraints."""

    def __init__(self, board: Board, spelling: IssSpelling) -> None:
        self._board = board
        self._spelling = spelling
        self._made = 0

    def build(
        self, item: Item, shift: Shift | None = None, within: Sequence[str] = ()
    ) -> list[Constraint]:
        """The constraints that must all hold; none where the item says nothing."""
        match item.kind:
            case "And":
                return self._all(item.children, shift, (*within, "And"))
            case "Or":
                return self._any(item, shift, (*within, "Or"))
            case "Replicate":
                return self._replicate(item, shift, (*within, "Replicate"))
        found = find_rows(Iss.format, item.kind) if item.kind not in _BOARD else []
        self._check(item, found, within)
        spelling = self._spelling
        if shift is not None:
            spelling = IssSpelling(self._board.puzzle, self._board, shift=shift)
        made = list(read_entry(found, item.arguments, spelling)) if found else []
        if self._board.has_regions and any(
            asks_for_numbers(rule, self._board.puzzle, self._board) for rule in made
        ):
            raise FormatError(f"{item.kind}: regions to find have no fixed numbers")
        self._made += 1 + len(made)
        if self._made > MAX_CONSTRAINTS:
            raise FormatError("more constraints than any puzzle has")
        return made

    def _check(self, item: Item, found: list[Found], within: Sequence[str]) -> None:
        if not found and item.kind not in _BOARD:
            raise FormatError(f"the type {shown(item.kind)} is not known")
        row = found[0].row if found else None
        if within and (row is None or not row.inside):
            raise FormatError(f"{item.kind or 'a given'} cannot stand inside {within[-1]}")
        if "Replicate" in within and row is not None and row.outside:
            raise FormatError(f"{item.kind} cannot be replicated")
        needs_houses = row.houses if row is not None else item.kind in _NEED_HOUSES
        if self._board.raw and needs_houses:
            raise FormatError(f"{item.kind} needs a Sudoku grid, not a raw one")

    def _all(
        self, items: Iterable[Item], shift: Shift | None, within: Sequence[str]
    ) -> list[Constraint]:
        made = [found for item in items for found in self.build(item, shift, within)]
        return _last_of_each(made)

    def _any(self, item: Item, shift: Shift | None, within: Sequence[str]) -> list[Constraint]:
        choices = [self.build(child, shift, within) for child in item.children]
        if not choices:
            # Nothing can be chosen, so nothing is allowed.
            return [rules.Table([self._board.grid.cells[0]], [])]
        if not all(choices):
            return []
        parts = [choice[0] if len(choice) == 1 else rules.And(tuple(choice)) for choice in choices]
        return [parts[0] if len(parts) == 1 else rules.Or(tuple(parts))]

    def _replicate(
        self, item: Item, shift: Shift | None, within: Sequence[str]
    ) -> list[Constraint]:
        bitset, origin = (*item.arguments, "", "")[:2]
        group, start = self._board.locate(origin or "R1C1")
        outer = shift or Shift()
        row, column = divmod(start, group.columns)
        made: list[Constraint] = []
        for index in indices_of(bitset, len(group.cells) - start):
            to_row, to_column = divmod(start + index, group.columns)
            moved = Shift(outer.rows + to_row - row, outer.columns + to_column - column)
            made += self._all(item.children, moved, within)
        return _last_of_each(made)


def _sections(text: str) -> list[str]:
    """The parts between blank lines, comments left out."""
    lines = ["" if line.startswith("#") else line for line in text.splitlines()]
    return [part for part in re.split(r"\n\s*\n", "\n".join(lines)) if part.strip()]


def _is_string(section: str) -> bool:
    text = "".join(section.split())
    if not text.startswith(".") or translate(section) is not None:
        return False
    kinds = set(text.split(".")) - {""}
    return "~" in text or (bool(kinds) and _are_types(kinds))


def _are_types(words: set[str]) -> bool:
    """Whether these are types without arguments. X and V are rather values of cells."""
    if words & {"X", "V"} or not all(re.fullmatch("[A-Za-z]+", word) for word in words):
        return False
    others = {*_BOARD, *COMPOSITES, "End"}
    return all(word in others or find_rows(Iss.format, word) for word in words)


def _parse(section: str) -> list[Item]:
    plain = translate(section)
    text = "".join((section if plain is None else plain).split())
    if not text.startswith("."):
        raise FormatError(f"{shown(text)} is no string of constraints; those begin with a point")
    levels: list[tuple[str, tuple[str, ...], list[Item]]] = [("", (), [])]
    for written in text[1:].split("."):
        kind, *arguments = written.split("~")
        if len(arguments) > _MOST_ARGUMENTS.get(kind, len(arguments)) and any(arguments):
            raise FormatError(f".{kind}: {shown(arguments[-1])} has no meaning there")
        if kind in COMPOSITES:
            if len(levels) > _MAX_DEPTH:
                raise FormatError(f"nested more than {_MAX_DEPTH} deep")
            levels.append((kind, tuple(arguments), []))
        elif kind == "End":
            if len(levels) == 1:
                raise FormatError(".End: nothing is open")
            opened, opened_arguments, children = levels.pop()
            levels[-1][2].append(Item(opened, opened_arguments, tuple(children)))
        else:
            levels[-1][2].append(Item(kind, tuple(arguments)))
    if len(levels) > 1:
        raise FormatError(f".{levels[-1][0]}: its .End is missing")
    return levels[0][2]


def _last_of_each(constraints: Iterable[Constraint]) -> list[Constraint]:
    """Of clues at the same place, the last one counts."""
    found: dict[Hashable, Constraint] = {}
    for number, constraint in enumerate(constraints):
        place = place_of(constraint)
        found[number if place is None else (type(constraint), place)] = constraint
    return list(found.values())
