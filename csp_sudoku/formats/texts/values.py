"""The values that the signs or numbers of a grid stand for: letters above 9, and what 0 means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.texts.shapes import Entry, GridSize, GridText, Wanted

#: The alphabets of grids with one character a cell.
ALPHABETS = ("1-9A-G", "0-9A-F", "A-P")
BLANKS = ".0?_*-xX"

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = "123456789"
# A 0 is taken for a blank if it occurs this many times as often as any value.
_CLEARLY = 3


def from_signs(
    signs: str, shape: GridSize, wanted: Wanted, place: Callable[[int], str]
) -> GridText:
    """Read one character a cell; `place` says where the n-th one stands, for error messages."""
    values = wanted.values
    top = values[-1] if values else max(shape)
    name = wanted.dialect if wanted.dialect in ALPHABETS else _recognise(signs, top, values)
    if values is None and name == "0-9A-F":
        values, top = tuple(range(max(shape))), top - 1
    known = alphabet(name, top)
    entries: list[Entry] = []
    for i, sign in enumerate(signs):
        value = known.get(sign.upper())
        if value is None and sign in _DIGITS and name != "A-P":
            value = int(sign)  # too large: the puzzle refuses it and names the cell
        if value is None and sign not in BLANKS:
            raise FormatError(
                f"{place(i)}: {sign!r} is not a value here ({_span(known)}), nor a blank such "
                f"as . or 0"
            )
        entries.append(None if value is None else (value,))
    return GridText(*shape, tuple(entries), values)


def from_numbers(numbers: Iterable[int | None], shape: GridSize, wanted: Wanted) -> GridText:
    """Read numbers and None; a 0 is a blank unless it is known to be a value."""
    listed, side = list(numbers), max(shape)
    values = wanted.values
    if values is None and side > 9 and 0 in listed and side not in listed:
        counts = Counter(number for number in listed if number)
        often = listed.count(0) > _CLEARLY * max(counts.values(), default=0)
        if None in listed or not often:
            raise FormatError(
                f"0 may be a blank (choose values=range(1, {side + 1})) or a value (choose "
                f"values=range({side}))"
            )
    blanks = (None,) if values is not None and 0 in values else (None, 0)
    entries = tuple(None if n is None or n in blanks else (n,) for n in listed)
    return GridText(*shape, entries, values)


def from_slots(text: str, values: tuple[int, ...], width: int) -> tuple[Entry, ...] | None:
    """Read a slot for every value of every cell, blank if the cell cannot have it; else None."""
    slots = [str(value).zfill(width) for value in values]
    blanks = ["." * width] + ["0" * width] * (0 not in values)
    found = [text[i : i + width] for i in range(0, len(text), width)]
    entries: list[Entry] = []
    for start in range(0, len(found), len(slots)):
        cell = found[start : start + len(slots)]
        if any(sign not in (slot, *blanks) for sign, slot in zip(cell, slots, strict=True)):
            return None
        kept = tuple(v for v, sign in zip(values, cell, strict=True) if sign not in blanks)
        entries.append(None if kept == values else kept)
    return tuple(entries)


def _recognise(signs: str, top: int, values: tuple[int, ...] | None) -> str:
    """The alphabet of a text. Hexadecimal grids use 0 as a value and some other sign as blank."""
    if values is not None and 0 in values:
        return "0-9A-F"
    if top <= 9:
        return "1-9A-G"
    used = set(signs.upper())
    letters = {sign for sign in used if sign in _LETTERS and (sign != "X" or top >= 24)}
    if len({sign.isupper() for sign in signs if sign.upper() in letters}) > 1:
        raise FormatError("the grid has letters of both cases; write all capital or all small")
    if letters and not used & set(_DIGITS):
        return "A-P"
    if "0" not in used or values is not None or not letters <= alphabet("0-9A-F", top - 1).keys():
        return "1-9A-G"
    if used & set(".?_*-"):
        return "0-9A-F"
    counts = Counter(sign for sign in signs if sign != "0")
    if signs.count("0") > _CLEARLY * max(counts.values(), default=0):
        return "1-9A-G"
    raise FormatError(
        '0 may be a blank (choose dialect="1-9A-G") or a value (choose dialect="0-9A-F")'
    )


def alphabet(name: str, top: int) -> dict[str, int]:
    """The value of each sign, up to a largest value.

    Examples
    --------
    >>> alphabet("1-9A-G", 16)["G"]
    16
    """
    first, signs = {
        "1-9A-G": (1, _DIGITS + _LETTERS),
        "0-9A-F": (0, "0" + _DIGITS + _LETTERS),
        "A-P": (1, _LETTERS),
    }[name]
    return {sign: value for value, sign in enumerate(signs, first) if value <= top}


def _span(known: dict[str, int]) -> str:
    digits = [sign for sign in known if sign.isdigit()]
    letters = [sign for sign in known if sign.isalpha()]
    return " ".join(f"{part[0]}-{part[-1]}" for part in (digits, letters) if part)
