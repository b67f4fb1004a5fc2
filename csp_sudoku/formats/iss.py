"""Interactive Sudoku Solver: puzzles as strings of constraints, such as ``.Thermo~R1C1~R1C2``.

``iss_text`` plain grids inside such strings · ``iss_board`` shape and cells · ``iss_types`` what
the constraints mean · ``iss_codes`` their encoded arguments.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from urllib.parse import unquote_plus

from csp_sudoku import constraints as rules
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.iss_board import Board, Item, Shift, read_board
from csp_sudoku.formats.iss_codes import indices_of
from csp_sudoku.formats.iss_text import is_killer, translate
from csp_sudoku.formats.iss_types import BOARD, HINTS, NOT_HERE, TYPES, read_given
from csp_sudoku.formats.links import clean, parameter
from csp_sudoku.formats.reading import MAX_CONSTRAINTS, Collector, Reading
from csp_sudoku.formats.shapes import shown

_COMPOSITES = ("And", "Or", "Replicate")
# Types that a string without any argument may consist of; X and V are also values of cells.
_WITHOUT_ARGUMENTS = {*TYPES, *NOT_HERE, *BOARD, *_COMPOSITES, "End"} - {"", "X", "V"}
_GIVENS = ("", "Given")
_MAX_DEPTH = 30


def recognises(text: str) -> bool:
    """Whether a text is a link or a string of Interactive Sudoku Solver, or a killer as text."""
    text = clean(text)
    if text.startswith("https://"):
        return parameter(text, "q") is not None
    if is_killer(text):
        return True
    return any(map(_is_string, _sections(text)))


def read_text(text: str, *, lenient: bool = False) -> Reading:
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
    found = Collector(board.puzzle, lenient=lenient)
    found.add(*(rules.AllDifferent(piece) for piece in pieces))
    builder = _Builder(board)
    givens: dict[Place, set[int]] = {}
    for item in items:
        with found.at(str(item)):
            if item.kind in _GIVENS:
                for argument in filter(None, item.arguments):
                    place, values = read_given(board, argument, None)
                    givens[place] = givens.get(place, set(values)) & set(values)
            elif item.kind in HINTS:
                found.notes.append(f"{item} is a hint for another solver and has no meaning here")
            else:
                found.add(*builder.build(item))
    found.constraints[:] = _last_of_each(found.constraints)
    return Reading(found.puzzle(givens), notes=tuple(found.notes))


class _Builder:
    """From items to constraints."""

    def __init__(self, board: Board) -> None:
        self._board = board
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
        self._check(item, within)
        if item.kind in BOARD:
            return []
        made = list(TYPES[item.kind].read(self._board, item.arguments, shift))
        self._made += 1 + len(made)
        if self._made > MAX_CONSTRAINTS:
            raise FormatError("more constraints than any puzzle has")
        return made

    def _check(self, item: Item, within: Sequence[str]) -> None:
        if item.kind in NOT_HERE:
            raise FormatError(f"the type {item.kind} is not supported: {NOT_HERE[item.kind]}")
        kind = TYPES.get(item.kind)
        if kind is None and item.kind not in BOARD:
            raise FormatError(f"the type {shown(item.kind)} is not known")
        if within and (kind is None or not kind.inside):
            raise FormatError(f"{item.kind or 'a given'} cannot stand inside {within[-1]}")
        if "Replicate" in within and kind is not None and kind.outside:
            raise FormatError(f"{item.kind} cannot be replicated")
        needs_houses = kind.sudoku if kind else item.kind in ("NoBoxes", "RegionSize", "Jigsaw")
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
    return "~" in text or (bool(kinds) and all(kind in _WITHOUT_ARGUMENTS for kind in kinds))


def _parse(section: str) -> list[Item]:
    plain = translate(section)
    text = "".join((section if plain is None else plain).split())
    if not text.startswith("."):
        raise FormatError(f"{shown(text)} is no string of constraints; those begin with a point")
    levels: list[tuple[str, tuple[str, ...], list[Item]]] = [("", (), [])]
    for written in text[1:].split("."):
        kind, *arguments = written.split("~")
        if kind in _COMPOSITES:
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
        key = _place_of(constraint)
        found[number if key is None else (type(constraint), key)] = constraint
    return list(found.values())


def _place_of(constraint: Constraint) -> Hashable:
    match constraint:
        case rules.LittleKiller():
            return constraint.start, constraint.direction
        case rules.Sandwich():
            return constraint.line
        case (
            rules.XSum()
            | rules.Skyscraper()
            | rules.HiddenSkyscraper()
            | rules.NumberedRoom()
            | rules.FullRank()
        ):
            return constraint.line, constraint.reverse
        case rules.Quadruple():
            return constraint.cells
        case rules.FullRankTies():
            return "ties"
    return None
