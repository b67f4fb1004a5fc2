"""lz-string: the compression that puzzle sites put into their links.

An LZ78 dictionary coder (Ziv & Lempel 1978) over UTF-16 code units whose codes grow with the
dictionary. Each character of a payload holds six bits, the highest first; every number in that
stream has its *lowest* bit first.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.texts.shapes import shown

#: The alphabets of 64 signs, then the padding.
BASE64 = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/="
URI = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+-$"

# A few kilobytes can unpack to gigabytes. No puzzle comes near this size.
MAX_CHARACTERS = 4 * 2**20

# The first codes have a meaning of their own: a new character of 8 bits, of 16 bits, the end.
_BYTE, _UNIT, _END = 0, 1, 2
_FIRST_FREE = 3
_SURROGATE = re.compile("[\ud800-\udfff]")


def decompress(payload: str, alphabet: str = BASE64, *, limit: int = MAX_CHARACTERS) -> str:
    """Unpack a payload, which may be padded.

    Raises :class:`FormatError` where it is corrupt, cut off, or unpacks to more than `limit`, and
    where something follows its end code.

    Examples
    --------
    >>> decompress("N4IgzglgXgpiBcAWAvkA")
    '{"size":4}'
    """
    bits = _Bits(payload, alphabet)
    kind = bits.number(2)
    if kind == _END:
        return ""
    previous = bits.character(kind)
    entries = ["", "", "", previous]
    found = [previous]
    size, width, room = 1, 3, 4
    while True:
        code = bits.number(width)
        if code == _END:
            bits.check_end()
            return _from_units("".join(found))
        if code < _END:
            entries.append(bits.character(code))
            code = len(entries) - 1
            room -= 1
            if not room:
                room = 1 << width
                width += 1
        if code < len(entries):
            entry = entries[code]
        elif code == len(entries):
            entry = previous + previous[0]
        else:
            raise FormatError("the compressed text is corrupt; was it copied in full?")
        size += len(entry)
        if size > limit:
            raise FormatError(f"the compressed text unpacks to more than {limit:,} characters")
        found.append(entry)
        entries.append(previous + entry[0])
        previous = entry
        room -= 1
        if not room:
            room = 1 << width
            width += 1


def with_pluses(payload: str, alphabet: str = BASE64) -> str:
    """The payload of a link that was decoded once too often, which left a blank for every plus.

    If the payload ends before its last blank, the words behind it are not part of it: an error.
    """
    *before, last = re.split(r"\s", payload.strip())
    if before:
        try:
            decompress("+".join(before) + alphabet[64], alphabet)
        except FormatError:
            pass
        else:
            raise FormatError(f"{shown(last)} behind the link is not understood")
    return "+".join((*before, last))


def compress(text: str, alphabet: str = BASE64) -> str:
    """Pack a text, padded to a multiple of four characters.

    Examples
    --------
    >>> compress('{"size":4}')
    'N4IgzglgXgpiBcAWAvkA'
    >>> decompress(compress("R1C1 ✓ 𝄞"))
    'R1C1 ✓ 𝄞'
    """
    bits = "".join(_codes(text))
    bits += "0" * (-len(bits) % 6)
    packed = "".join(alphabet[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return packed + alphabet[64] * (-len(packed) % 4)


def _codes(text: str) -> Iterator[str]:
    """The codes of a text as bits, and the one bit that closes them."""
    codes: dict[str, int] = {}
    new: set[str] = set()
    width, room = 2, 2
    word = ""

    def emit() -> Iterator[str]:
        nonlocal width, room
        entries = 1
        if word in new:
            new.remove(word)
            unit = ord(word)
            yield _lowest_first(_BYTE if unit < 256 else _UNIT, width)
            yield _lowest_first(unit, 8 if unit < 256 else 16)
            entries = 2
        else:
            yield _lowest_first(codes[word], width)
        for _ in range(entries):
            room -= 1
            if not room:
                room = 1 << width
                width += 1

    for unit in _to_units(text):
        if unit not in codes:
            codes[unit] = len(codes) + _FIRST_FREE
            new.add(unit)
        if word + unit in codes:
            word += unit
        else:
            yield from emit()
            codes[word + unit] = len(codes) + _FIRST_FREE
            word = unit
    if word:
        yield from emit()
    yield _lowest_first(_END, width) + "0"


class _Bits:
    """The stream of bits of a payload."""

    def __init__(self, payload: str, alphabet: str) -> None:
        self._signs = iter(payload)
        # Padding reads as zeros.
        self._bits = {sign: format(i % 64, "06b") for i, sign in enumerate(alphabet)}
        self._buffer = ""

    def number(self, width: int) -> int:
        """The next number of `width` bits, the lowest bit first."""
        while len(self._buffer) < width:
            sign = next(self._signs, None)
            if sign is None:
                raise FormatError("the compressed text breaks off; was it copied in full?")
            if sign not in self._bits:
                raise FormatError(f"{sign!a} has no place in a compressed text")
            self._buffer += self._bits[sign]
        bits, self._buffer = self._buffer[:width], self._buffer[width:]
        return int(bits[::-1], 2)

    def check_end(self) -> None:
        """Refuse anything but zeros and padding, which may be that of another alphabet."""
        behind = "".join(self._signs)
        if any("1" in self._bits.get(sign, "1") for sign in behind.strip("=$")):
            raise FormatError(f"{shown(behind)} behind the link is not understood")

    def character(self, kind: int) -> str:
        """The next new character, of 8 or 16 bits."""
        if kind > _UNIT:
            raise FormatError("the compressed text is corrupt; was it copied in full?")
        return chr(self.number(16 if kind == _UNIT else 8))


def _lowest_first(number: int, width: int) -> str:
    return format(number, f"0{width}b")[::-1]


def _to_units(text: str) -> str:
    """Characters beyond 16 bits as pairs of surrogates."""
    if text.isascii():
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(low | high << 8) for low, high in zip(data[::2], data[1::2], strict=True))


def _from_units(units: str) -> str:
    """Pairs of surrogates as the characters they stand for; lone ones stay."""
    if not _SURROGATE.search(units):
        return units
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
