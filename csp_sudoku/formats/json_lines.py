"""Files with a JSON object on every line: a document, or an object with a puzzle in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.beside import check_beside, may_say_rules
from csp_sudoku.formats.texts.shapes import shown

PUZZLE = "puzzle"
"""The key of the puzzle in an object that has more to say, such as its solution."""


def recognises(text: str) -> bool:
    """Whether a text has several objects, or one with a puzzle in it."""
    first, _, rest = text.partition("\n")
    if not (first.startswith("{") and first.rstrip().endswith("}")):
        return False
    return rest.lstrip().startswith("{") or _holds_puzzle(first)


def split(lines: Iterable[str]) -> Iterator[str]:
    """The puzzles, each as a text of its own.

    Examples
    --------
    >>> list(split(['{"puzzle": "1...............", "id": 7}', '{"size": 4}']))
    ['1...............', '{"size": 4}']
    """
    for line in lines:
        if not line.isspace() and line:
            yield _puzzle(line)


def _puzzle(line: str) -> str:
    """The puzzle of a line. A line that is a puzzle, or unsound, is given back as it is."""
    if f'"{PUZZLE}"' not in line:
        return line
    import msgspec

    # What else the object says may be anything.
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
        names = json.loads(line, object_pairs_hook=_names)
    except (ValueError, RecursionError):
        return line
    if PUZZLE not in fields or "formatVersion" in fields:  # which SudokuMaker documents have
        return line
    if len(fields) < len(names):
        raise FormatError(f"a key occurs twice: {shown(line)}")
    text = bytes(fields[PUZZLE]).decode("utf-8")
    for name in filter(may_say_rules, fields):
        check_beside(name, bytes(fields[name]).decode("utf-8").strip('"'), text)
    return str(json.loads(text)) if text.startswith('"') else text


def _names(pairs: list[tuple[str, object]]) -> list[str]:
    return [name for name, _ in pairs]


def _holds_puzzle(line: str) -> bool:
    return _puzzle(line) is not line
