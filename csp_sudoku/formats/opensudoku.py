"""OpenSudoku files: XML in which every game holds its cells in one attribute."""

from __future__ import annotations

import re
from xml.parsers import expat

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.beside import is_about_rules, says_rules
from csp_sudoku.formats.texts.shapes import shown

# The fields of a cell in a saved game, by version: the value first, whether it is editable last.
_FIELDS = {"1": 3, "2": 3, "3": 3, "4": 4, "5": 5}
_SAVED = re.compile(r"version:\s*([0-9]+)\s+([0-9|,\s-]*)")


def is_opensudoku(text: str) -> bool:
    """Whether a text is an OpenSudoku file."""
    return text.startswith("<") and "<opensudoku" in text


def games(text: str) -> list[str]:
    """The grid of every game, as 81 characters.

    Examples
    --------
    >>> games('<opensudoku><game data="0100300140020040"/></opensudoku>')
    ['0100300140020040']
    """
    found: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        for word in (name, *attributes):
            if says_rules(word):
                raise FormatError(f"{shown(word)} in the OpenSudoku file may hold rules")
        for value in attributes.values():
            remark(value)
        data = [attributes[key] for key in ("data", "cells_data") if key in attributes]
        if len({*data}) > 1:
            raise FormatError("an OpenSudoku game has two grids, and they differ")
        if name == "game" and data:
            found.append(_grid(data[0]))

    def remark(text: str) -> None:
        if is_about_rules(text):
            raise FormatError(f"{shown(text)} in the OpenSudoku file may be a rule")

    def entity(*_: object) -> None:
        # With entities a small XML file can grow huge; OpenSudoku files have none.
        raise FormatError("the OpenSudoku file declares an entity, which is not allowed")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.CharacterDataHandler = parser.CommentHandler = remark
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(text.encode("utf-8", "backslashreplace"), True)
    except expat.ExpatError as error:
        raise FormatError(f"the OpenSudoku file is not sound XML: {error}") from None
    if not found:
        raise FormatError("the OpenSudoku file holds no game")
    return found


def _grid(data: str) -> str:
    saved = _SAVED.fullmatch(data.strip())
    if not saved:
        return data
    size = _FIELDS.get(saved[1])
    fields = [field for field in saved[2].split("|") if field.strip()]
    if size is None or len(fields) % size:
        raise FormatError(f"the OpenSudoku game {shown(data)} has no known version")
    given = list(zip(fields[::size], fields[size - 1 :: size], strict=True))
    for value, editable in given:
        if len(value) > 1 or editable not in ("0", "1"):
            raise FormatError(
                f"the OpenSudoku game {shown(data)} has a cell {shown(f'{value}|…|{editable}')}"
            )
    return "".join(value if editable == "0" else "." for value, editable in given)
