"""The shortened JSON of SudokuPad: short keys, no quotes where they can be guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from csp_sudoku.errors import FormatError
from csp_sudoku.formats import strict_json
from csp_sudoku.formats.texts.shapes import shown

_KEYS = {
    "c": "color",
    "ca": "cages",
    "ct": "center",
    "c1": "borderColor",
    "c2": "backgroundColor",
    "ce": "cells",
    "cs": "cellSize",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
    "w": "width",
    "h": "height",
    "v": "value",
    "vd": "videos",
    "l": "lines",
    "r": "rounded",
    "re": "regions",
    "fs": "fontSize",
    "th": "thickness",
    "hl": "headLength",
    "wp": "wayPoints",
    "t": "title",
    "te": "text",
    "d": "duration",
    "d2": "d",
}
_WORDS = {"f": "false", "t": "true", "#0": '"#000000"', "#F": '"#FFFFFF"'}
_COLOUR = re.compile(r"[0-9A-Fa-f]{6}")

_SINGLE = re.compile(r"'(?:[^'\\]++|\\.)*+'|[{}\[\]:,]|[^\s{}\[\]:,']+", re.DOTALL)
_DOUBLE = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


def unzip(text: str) -> Any:
    """The document that a shortened text stands for.

    Examples
    --------
    >>> unzip("{ce:[[,{v:1},]],ca:[{ce:[[0,0]],v:10}]}")
    {'cells': [[{}, {'value': 1}, {}]], 'cages': [{'cells': [[0, 0]], 'value': 10}]}
    """
    if not text.lstrip().startswith("{"):
        raise FormatError(f"{shown(text)} is no document of SudokuPad")
    return _renamed(strict_json.parse("".join(_restored(text)), floats=True))


def _restored(text: str) -> Iterator[str]:
    """The pieces of the text, with what was left out put back."""
    pattern = _DOUBLE if '"' in text else _SINGLE
    tokens = pattern.findall(text)
    if strange := "".join(pattern.sub(" ", text).split()):
        raise FormatError(f"{shown(strange)} has no place in a document of SudokuPad")
    for (before, token), (_, after) in pairwise(pairwise(["", *tokens, "", ""])):
        if before in (",", "[") and token in (",", "]"):
            yield "{}"
        if len(token) == 1 and token in "{}[]:,":
            yield token
        elif token[:1] in ("'", '"'):
            # An apostrophe inside is escaped there, which JSON does not know.
            yield '"' + re.sub(r"\\(.)", _unescaped, token[1:-1], flags=re.DOTALL) + '"'
        elif after == ":":
            yield json.dumps(token)
        elif before == ":" and token in _WORDS:
            yield _WORDS[token]
        elif before == ":" and _COLOUR.fullmatch(token):
            yield f'"#{token}"'
        else:
            yield token


def _unescaped(found: re.Match[str]) -> str:
    return "'" if found[1] == "'" else found[0]


def _renamed(value: Any) -> Any:
    if isinstance(value, dict):
        found = {_KEYS.get(key, key): _renamed(item) for key, item in value.items()}
        if len(found) < len(value):
            raise FormatError("a key occurs in one object in its long and in its short form")
        return found
    if isinstance(value, list):
        return [_renamed(item) for item in value]
    return value
