"""The encoded arguments of Interactive Sudoku Solver strings: pair tables, patterns, machines."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from csp_sudoku.errors import FormatError

_ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_VALUE = {sign: i for i, sign in enumerate(_ALPHABET)}
_MAX_CODE = 100_000
# States times symbols: the machines that people write have a few hundred.
_MAX_TRANSITIONS = 50_000


def pairs_of(key: str, values: Sequence[int], *, old: bool = False) -> list[tuple[int, int]]:
    """The pairs of values that a key allows; old keys have two letters the other way round.

    Examples
    --------
    >>> pairs_of("Oj", (1, 2, 3, 4))
    [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    """
    if old:
        key = key.translate(str.maketrans("-_", "_-"))
    size = len(values)
    if len(key) > -(-size * size // 6):
        raise FormatError(f"the key {key[:20]!r} is too long for {size} values")
    return [(values[bit // size], values[bit % size]) for bit in _bits(key) if bit < size**2]


def indices_of(bitset: str, size: int) -> list[int]:
    """The numbers in a set of numbers below `size`.

    Examples
    --------
    >>> indices_of("BE", 16)
    [0, 8]
    """
    if len(bitset) > -(-size // 6):
        raise FormatError(f"the set {bitset[:20]!r} is too long for {size} cells")
    found = list(_bits(bitset))
    if found and found[-1] >= size:
        raise FormatError(f"the set {bitset[:20]!r} names a cell behind the last")
    return found


def pattern_of(code: str) -> str:
    """The regular expression of an argument, in the present or the old encoding.

    Examples
    --------
    >>> pattern_of("MS4q"), pattern_of("1%2E*")
    ('1.*', '1.*')
    """
    if "%" in code:
        return unquote(code)
    data = _stream(code)
    return "".join(chr(int(data[i : i + 8], 2)) for i in range(0, len(data) - 7, 8))


@dataclass(frozen=True)
class Machine:
    """A state machine: numbers of states, symbols counted from 0."""

    starts: tuple[int, ...]
    accepting: frozenset[int]
    transitions: tuple[tuple[int, int, int], ...]
    symbols: int


def machine_of(code: str) -> Machine:
    """The state machine of an argument.

    Examples
    --------
    >>> machine = machine_of("QTPj_g")
    >>> machine.starts, sorted(machine.accepting), machine.transitions[:2]
    ((0,), [1], ((0, 0, 1), (0, 1, 0)))
    """
    if not code:
        return Machine((), frozenset(), (), 0)
    fields = _Fields(_stream(code))
    kind = fields.number(2)
    state_bits = fields.number(4) + 1
    symbols = fields.number(4) + 1
    starts = fields.number(state_bits)
    others = fields.number(state_bits)
    flags = fields.number(starts)
    accepting = {state for state in range(starts) if flags >> state & 1}
    accepting.update(range(starts, starts + others))
    if kind == 0:
        transitions = list(_plain(fields, symbols, state_bits))
    elif kind == 1:
        transitions = list(_packed(fields, symbols, state_bits))
    else:
        raise FormatError(f"the state machine {code[:20]!r} has an unknown form")
    if fields.number(fields.left):
        raise FormatError(f"the state machine {code[:20]!r} has a rest that means nothing")
    return Machine(tuple(range(starts)), frozenset(accepting), tuple(transitions), symbols)


def _plain(fields: _Fields, symbols: int, state_bits: int) -> Iterator[tuple[int, int, int]]:
    """A count of transitions for each state, then symbol and target of each."""
    count_bits, symbol_bits = fields.number(4), (symbols - 1).bit_length()
    state = 0
    while count_bits and fields.left >= count_bits:
        for _ in range(fields.number(count_bits)):
            yield state, fields.number(symbol_bits), fields.number(state_bits)
        state += 1


def _packed(fields: _Fields, symbols: int, state_bits: int) -> Iterator[tuple[int, int, int]]:
    """A mask of symbols for each state, then the target of each."""
    state = 0
    while fields.left >= symbols:
        mask = fields.number(symbols)
        for symbol in range(symbols):
            if mask >> symbol & 1:
                yield state, symbol, fields.number(state_bits)
        state += 1


def unrolled(machine: Machine, lengths: Sequence[int], separator: int) -> Machine:
    """The machine that reads segments of these lengths without the separators between them.

    States are (position, state), so that a separator is read exactly behind each segment.
    """
    after: dict[int, list[int]] = {}
    moves: list[tuple[int, int, int]] = []
    for tail, symbol, head in machine.transitions:
        if symbol == separator:
            after.setdefault(tail, []).append(head)
        else:
            moves.append((tail, symbol, head))
    ends = {sum(lengths[: i + 1]) for i in range(len(lengths) - 1)}
    length = sum(lengths)
    if length * len(moves) > _MAX_TRANSITIONS:
        raise FormatError("the state machine is too large for so many cells")
    numbers: dict[tuple[int, int], int] = {}

    def number(position: int, state: int) -> int:
        return numbers.setdefault((position, state), len(numbers))

    starts = tuple(number(0, state) for state in machine.starts)
    transitions = [
        (number(position, tail), symbol, number(position + 1, head))
        for position in range(length)
        for tail, symbol, target in moves
        for head in (after.get(target, ()) if position + 1 in ends else (target,))
    ]
    accepting = frozenset(number(length, state) for state in machine.accepting)
    return Machine(starts, accepting, tuple(transitions), machine.symbols)


class _Fields:
    """A stream of bits, read as numbers with the high bit first."""

    def __init__(self, bits: str) -> None:
        self._bits = bits
        self._position = 0

    @property
    def left(self) -> int:
        return len(self._bits) - self._position

    def number(self, width: int) -> int:
        if width > self.left:
            raise FormatError("the state machine breaks off; was it copied in full?")
        bits = self._bits[self._position : self._position + width]
        self._position += width
        return int(bits, 2) if bits else 0


def _bits(code: str) -> Iterator[int]:
    """The numbers of the bits that are set, words of six bits with the lowest first."""
    for i, sign in enumerate(code):
        word = _word(sign)
        yield from (6 * i + bit for bit in range(6) if word >> bit & 1)


def _stream(code: str) -> str:
    """The bits of a code, the highest of each word first, whole bytes only."""
    if len(code) > _MAX_CODE:
        raise FormatError(f"a code of {len(code):,} characters is too long to be meant")
    bits = "".join(format(_word(sign), "06b") for sign in code)
    return bits[: len(bits) // 8 * 8]


def _word(sign: str) -> int:
    try:
        return _VALUE[sign]
    except KeyError:
        raise FormatError(f"{sign!a} has no place in a code") from None
