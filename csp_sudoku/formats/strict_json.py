"""JSON without its pitfalls: no duplicate keys, no NaN, no huge numbers, no deep nesting."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any, NoReturn

from csp_encodings.watch import look
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.texts.shapes import shown

#: How deep lists and objects may be nested.
MAX_DEPTH = 200
_MAX_DIGITS = 100
_MAX_KEY = 100
# A string that is not closed runs to the end of the text, so that none of it is read twice.
_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


def keys_of(text: str, wanted: str) -> set[str]:
    """The keys of the object that a text is; none if it is no sound object, or lacks a key.

    Examples
    --------
    >>> sorted(keys_of('{"size": 4, "grid": []}', "grid")), keys_of('{"size": 4}', "grid")
    (['grid', 'size'], set())
    """
    if not text.lstrip().startswith("{") or f'"{wanted}"' not in text:
        return set()
    try:
        document = parse(text, floats=True)
    except FormatError:
        return set()
    return set(document) if isinstance(document, dict) else set()


def parse(text: str, *, floats: bool = False) -> Any:
    """Parse JSON, or refuse it in one sentence; with `floats` it may hold fractions, too.

    Examples
    --------
    >>> parse('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.FormatError: the key 'a' occurs twice in one object
    """
    check_depth(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_int,
            parse_float=_float if floats else _no_float,
            parse_constant=_no_float,
        )
    except json.JSONDecodeError as error:
        raise FormatError(
            f"line {error.lineno}, column {error.colno}: not sound JSON: {error.msg}"
        ) from None


def check_depth(text: str) -> None:
    """Refuse a text whose brackets are nested too deep."""
    depth = 0
    for found in _BRACKET.finditer(text):
        if found[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                line = text.count("\n", 0, found.start()) + 1
                raise FormatError(f"line {line}: nested more than {MAX_DEPTH} deep")
        elif found[0] in "]}":
            depth -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    look()  # a document may be large, and is parsed once for each format that it may have
    found: dict[str, Any] = {}
    for key, value in pairs:
        if len(key) > _MAX_KEY:
            raise FormatError(f"the key {shown(key)} is too long")
        if key in found:
            raise FormatError(f"the key {shown(key)} occurs twice in one object")
        found[key] = value
    return found


def _int(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise FormatError(f"the number {digits[:10]}… has {len(digits)} digits, which is too many")
    return int(digits)


def _float(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_float(text)


def _no_float(text: str) -> NoReturn:
    raise FormatError(f"{shown(text)[1:-1]} is not a whole number")
