"""Plain grids inside Interactive Sudoku Solver strings, translated to such strings."""

from __future__ import annotations

import re
from collections import Counter
from math import isqrt

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.iss.board import LARGEST, SIGNS

_LETTERS = "ABCDEFGHIJKLMNOP"

_SHORT_KILLER = re.compile(r"[0-9A-Za-jv^<>`',.]{81}")
_STEPS = {
    "v": (1, 0),
    "^": (-1, 0),
    "<": (0, -1),
    ">": (0, 1),
    "`": (-1, -1),
    "'": (-1, 1),
    ",": (1, -1),
    ".": (1, 1),
}
_SUMS = {sign: i for i, sign in enumerate("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij")}
_MAX_CHAIN = 9


def is_killer(text: str) -> bool:
    """Whether a text is a killer Sudoku in one of the two text forms."""
    text = "".join(text.split())
    short = _SHORT_KILLER.fullmatch(text) and re.search("[<>v^]", text)
    return bool(short) or (text.startswith("3x3:") and text.count(":") == 84)


def translate(section: str) -> str | None:
    """The constraint string for a plain grid; None if the text is not a plain grid.

    Examples
    --------
    >>> translate("AABB AABB CCDD CCDD")
    '.Shape~4x4.Jigsaw~0011001122332233.NoBoxes'
    >>> translate("1..." * 4)
    '.Shape~4x4.~R1C1_1~R2C1_1~R3C1_1~R4C1_1'
    """
    text = "".join(section.split())
    if len(text) < 2:
        return None
    if text[0] == "=":
        return _plain(text[1:])
    return (
        _short_killer(text)
        or _long_killer(text)
        or _jigsaw(text)
        or _layout(text)
        or _plain(text)
        or _spaced(section)
        or _candidates(text)
    )


def _short_killer(text: str) -> str | None:
    """A killer: one cell of each cage has its sum, the others point to a neighbour on the way."""
    if not _SHORT_KILLER.fullmatch(text) or not re.search("[<>v^`',]", text):
        return None
    cages: dict[int, list[int]] = {}
    for start in range(81):
        end = _follow(text, start)
        if end is not None:
            cages.setdefault(end, []).append(start)
    return "".join(_cage(_SUMS[text[end]], cells) for end, cells in sorted(cages.items()))


def _follow(text: str, index: int) -> int | None:
    row, column = divmod(index, 9)
    for _ in range(_MAX_CHAIN + 1):
        step = _STEPS.get(text[9 * row + column])
        if step is None:
            return 9 * row + column
        row, column = row + step[0], column + step[1]
        if not (0 <= row < 9 and 0 <= column < 9):
            return None
    raise FormatError(f"the pointers from {_cell(index, 9)} on lead to no sum")


def _long_killer(text: str) -> str | None:
    """A killer: a number for each cell, made of the sum and the number of its cage."""
    fields = text.split(":")
    if fields[0] != "3x3" or fields[2:3] != ["k"] or len(fields) != 85:
        return None
    cages: dict[int, list[int]] = {}
    for index, field in enumerate(fields[3:84]):
        if not re.fullmatch(r"[0-9]{1,6}", field):
            raise FormatError(f"{_cell(index, 9)}: {field[:10]!r} is not the number of a cage")
        if int(field) >= 256:
            cages.setdefault(int(field), []).append(index)
    diagonals = ".Diagonal~1.Diagonal~-1" if fields[1] == "d" else ""
    found = "".join(_cage(number // 256, cells) for number, cells in cages.items())
    return diagonals + found or ".~"


def _jigsaw(text: str) -> str | None:
    """Givens and regions: first all givens, then all regions."""
    half, odd = divmod(len(text), 2)
    layout = None if odd else _layout(text[half:])
    givens = None if layout is None else _plain(text[:half])
    if layout is None or givens is None:
        return None
    return layout + givens[givens.index(".~") :]


def _layout(text: str) -> str | None:
    """Regions: equal characters are one region."""
    side = _side(len(text))
    if side is None or {*Counter(text).values()} != {side}:
        return None
    names = {sign: SIGNS[i] for i, sign in enumerate(dict.fromkeys(text))}
    return f"{_shape(side)}.Jigsaw~{''.join(names[sign] for sign in text)}.NoBoxes"


def _plain(text: str) -> str | None:
    """Givens: one character a cell, and one sign for blanks."""
    side = _side(len(text))
    if side is None:
        return None
    signs = "123456789"[:side] if side < 10 else _LETTERS[:side]
    if len(set(text) - set(signs)) > 1:
        return None
    givens = [
        f"~{_cell(i, side)}_{signs.index(sign) + 1}" for i, sign in enumerate(text) if sign in signs
    ]
    return f"{_shape(side)}.{''.join(givens) or '~'}"


def _spaced(text: str) -> str | None:
    """Givens: decimal numbers and dots, with spaces and frames between them."""
    if not re.fullmatch(r"[0-9\s.|_-]+", text, re.ASCII):
        return None
    tokens = re.findall(r"\.|[0-9]+", text)
    side = _side(len(tokens))
    if side is None or max(map(len, tokens)) > 2:
        return None
    givens = [f"~{_cell(i, side)}_{token}" for i, token in enumerate(tokens) if token != "."]
    return f"{_shape(side)}.{''.join(givens) or '~'}"


def _candidates(text: str) -> str | None:
    """Candidates: as many characters for each cell as there are values."""
    side = next((n for n in range(2, 10) if n**3 == len(text)), None)
    if side is None or not re.fullmatch(r"[0-9.]+", text):
        return None
    cells = [text[i : i + side] for i in range(0, len(text), side)]
    givens = [
        f"~{_cell(i, side)}" + "".join(f"_{sign}" for sign in cell if sign != ".")
        for i, cell in enumerate(cells)
    ]
    return f"{_shape(side)}.{''.join(givens)}"


def _side(cells: int) -> int | None:
    side = isqrt(cells)
    return side if side * side == cells and 1 <= side <= LARGEST else None


def _shape(side: int) -> str:
    return "" if side == 9 else f".Shape~{side}x{side}"


def _cell(index: int, side: int) -> str:
    row, column = divmod(index, side)
    return f"R{SIGNS[row + 1]}C{SIGNS[column + 1]}"


def _cage(total: int, cells: list[int]) -> str:
    return f".Cage~{total}" + "".join(f"~{_cell(i, 9)}" for i in cells)
