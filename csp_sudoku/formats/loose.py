"""Values of JSON documents of other programs, which write numbers as text and leave things out.

Each function says what is wrong; its caller says where.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from csp_sudoku.cells import Cell
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.reading import check_length
from csp_sudoku.formats.texts.shapes import shown

#: An object of a JSON document.
Object: TypeAlias = dict[str, Any]

_INTEGER = re.compile(r"\s*([+-]?[0-9]{1,9})\s*", re.ASCII)
_CELL = re.compile(r"[Rr]([0-9]{1,2})[Cc]([0-9]{1,2})", re.ASCII)
_MAX_NUMBER = 10**9


def is_empty(value: object) -> bool:
    """Whether a value means that nothing is there."""
    return value is None or value is False or value in ("", [], {})


def is_set(value: object) -> bool:
    """Whether a flag is set, which may be a text; what is neither true nor false is an error."""
    word = value.lower() if isinstance(value, str) else value
    if is_empty(value) or word == "false":
        return False
    if word is True or word == "true":
        return True
    raise FormatError(f"{shown(value)} is neither true nor false")


def given(cell: Object, known: Iterable[str], *, usual: bool = False) -> int | None:
    """The value of a cell, if it is given; without a word about that, it is so if it is `usual`.

    Members that are not known are refused, and so is a given without a value.
    """
    for name, value in cell.items():
        if name not in known and not is_empty(value):
            raise FormatError(f"its member {shown(name)} is not known")
    found, value = cell.get("given"), integer(cell.get("value"))
    if not isinstance(found, bool | None):
        raise FormatError(f"given is true or false, not {shown(found)}")
    if found and value is None:
        raise FormatError("it is given, and has no value")
    return value if found or (found is None and usual) else None


class Watched(dict[str, Any]):
    """An object that remembers which of its members were looked at."""

    def __init__(self, members: Object) -> None:
        super().__init__(members)
        self.seen: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.seen.add(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        self.seen.add(name)
        return super().__getitem__(name)

    def check_seen(self, silent: Iterable[str]) -> None:
        """Refuse a member that nobody looked at: it may change what the others mean.

        Empty ones and those that are `silent` say nothing about the solution.
        """
        for name, value in self.items():
            if not (name in self.seen or name in silent or is_empty(value)):
                raise FormatError(f"its member {shown(name)} is not known")


def mapping(value: object) -> Object:
    """An object, or an error."""
    if not isinstance(value, dict):
        raise FormatError(f"{shown(value)} is not an object")
    return value


def listed(value: object) -> list[Any]:
    """A list, or an error; a missing value is an empty list."""
    if is_empty(value):
        return []
    if not isinstance(value, list):
        raise FormatError(f"{shown(value)} is not a list")
    return value


def bounded(value: object) -> list[Any]:
    """A list of cells, which is no longer than any rule needs."""
    items = listed(value)
    check_length(items)
    return items


def integer(value: object) -> int | None:
    """A whole number, which may be a text; None for a missing value.

    Examples
    --------
    >>> integer("12"), integer(7), integer("")
    (12, 7, None)
    """
    if is_empty(value):
        return None
    if type(value) is int and abs(value) < _MAX_NUMBER:
        return value
    found = _INTEGER.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise FormatError(f"{shown(value)} is not a whole number")
    return int(found[1])


def needed(value: object) -> int:
    """A whole number that must not be missing."""
    found = integer(value)
    if found is None:
        raise FormatError("a number is missing")
    return found


def marks(value: object) -> list[object]:
    """The pencil marks of a cell: a list, or a text with a sign for each mark."""
    return list(value) if isinstance(value, list | str) else []


def text(value: object) -> str:
    """A text for people, without half characters (lone surrogates), which cannot be printed."""
    if not isinstance(value, str):
        return ""
    return value.encode("utf-8", "replace").decode("utf-8")


def rules(value: object) -> str:
    """A text of rules, or a list of such texts. Anything else may hold rules that nobody reads."""
    texts = value if isinstance(value, list) else [value]
    for item in texts:
        if not (isinstance(item, str) or is_empty(item)):
            raise FormatError(f"the rules are a text, not {shown(item)}")
    return "\n".join(filter(None, map(text, texts)))


def cell(value: object) -> Cell:
    """A cell such as R1C1. Row 0, column 0, and those behind the last lie outside the grid.

    Examples
    --------
    >>> cell("R0C3")
    R0C3
    """
    found = _CELL.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise FormatError(f"{shown(value)} is not a cell; one is written as R1C1")
    return Cell(int(found[1]) - 1, int(found[2]) - 1)
