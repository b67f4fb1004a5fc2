"""The encoded arguments of Interactive Sudoku Solver strings: tables, patterns, state machines."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from urllib.parse import unquote

from csp_encodings.store import kept
from csp_sudoku.errors import FormatError

_ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_COMMON = str.maketrans("+/", "-_")
_VALUE = {sign: i for i, sign in enumerate(_ALPHABET)}
_MAX_CODE = 100_000
# The machines that people write have a few hundred transitions.
_MAX_TRANSITIONS = 50_000
_MAX_STATE_BITS = 16
# The width of the number that says how wide the counts of transitions are.
_COUNT_BITS = 4


# A puzzle has the same table on many lines.
@kept(size=lambda pairs: 64 * len(pairs))
def pairs_of(key: str, values: tuple[int, ...], old: bool = False) -> tuple[tuple[int, int], ...]:
    """The pairs of values that a key allows. In old keys two signs of the alphabet are swapped.

    Examples
    --------
    >>> pairs_of("Oj", (1, 2, 3, 4))
    ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))
    """
    if old:
        key = key.translate(str.maketrans("-_", "_-"))
    size = len(values)
    if len(key) > -(-size * size // 6):
        raise FormatError(f"the key {key[:20]!r} is too long for {size} values")
    bits = [bit for bit in _bits(key) if bit < size**2]
    return tuple([(values[bit // size], values[bit % size]) for bit in bits])


def key_of(pairs: Iterable[tuple[int, int]], values: Sequence[int]) -> str:
    """The key that allows these pairs of values.

    Examples
    --------
    >>> key_of(pairs_of("SpE", (1, 2, 3, 4)), (1, 2, 3, 4))
    'SpE'
    """
    size, place = len(values), {value: i for i, value in enumerate(values)}
    words = [0] * -(-size * size // 6)
    for a, b in pairs:
        bit = place[a] * size + place[b]
        words[bit // 6] |= 1 << bit % 6
    return "".join(_ALPHABET[word] for word in words).rstrip(_ALPHABET[0])


def indices_of(bitset: str, size: int) -> list[int]:
    """The numbers that a code for a set holds, all below `size`.

    Examples
    --------
    >>> indices_of("BE", 16)
    [0, 8]
    """
    if len(bitset) > -(-size // 6):
        raise FormatError(f"the set {bitset[:20]!r} is too long for {size} cells")
    found = list(_bits(bitset))
    if found and found[-1] >= size:
        raise FormatError(f"the set {bitset[:20]!r} names a cell that does not exist")
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


def pattern_code(pattern: str) -> str:
    """The argument for a regular expression.

    Examples
    --------
    >>> pattern_code("1.*")
    'MS4q'
    """
    return _packed_bits("".join(format(ord(sign), "08b") for sign in pattern))


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
        raise FormatError(f"the state machine {code[:20]!r} has something behind its end")
    return Machine(tuple(range(starts)), frozenset(accepting), tuple(transitions), symbols)


def machine_code(machine: Machine) -> str:
    """The argument for a state machine, in the shorter of its two forms.

    Examples
    --------
    >>> machine_code(machine_of("QTPj_g"))
    'QTPj_g'
    """
    if not machine.starts:
        return ""
    order = _order(machine)
    starts = [state for state in order if state in machine.starts]
    others = sum(state in machine.accepting for state in order) - sum(
        state in machine.accepting for state in starts
    )
    flags = sum(1 << i for i, state in enumerate(starts) if state in machine.accepting)
    moves: list[list[tuple[int, int]]] = [[] for _ in order]
    for tail, symbol, head in set(machine.transitions):
        moves[order[tail]].append((symbol, order[head]))
    for found in moves:
        found.sort()
    symbols = max((symbol for _, symbol, _ in machine.transitions), default=0) + 1
    state_bits = max(1, *(n.bit_length() for n in (len(order) - 1, len(starts), others)))
    if state_bits > _MAX_STATE_BITS:
        raise FormatError(f"a state machine of {len(order):,} states is too large")
    bodies = [_plain_fields(moves, symbols, state_bits)]
    if all(len(dict(found)) == len(found) for found in moves):
        bodies.append(_packed_fields(moves, symbols, state_bits))
    # The first field of a plain machine has no counterpart, so it does not count.
    sizes = [sum(width for _, width in body) for body in bodies]
    kind = int(len(bodies) > 1 and sizes[1] < sizes[0] - _COUNT_BITS)
    fields = [
        (kind, 2),
        (state_bits - 1, 4),
        (symbols - 1, 4),
        (len(starts), state_bits),
        (others, state_bits),
        (flags, len(starts)),
        *bodies[kind],
    ]
    return _packed_bits("".join(format(n, f"0{width}b") for n, width in fields if width))


def _plain_fields(
    moves: list[list[tuple[int, int]]], symbols: int, state_bits: int
) -> list[tuple[int, int]]:
    """Numbers with their widths: a count of transitions for each state, then these."""
    symbol_bits, count_bits = (symbols - 1).bit_length(), max(map(len, moves)).bit_length()
    fields = [(count_bits, _COUNT_BITS)]
    for found in moves:
        fields.append((len(found), count_bits))
        for symbol, head in found:
            fields += [(symbol, symbol_bits), (head, state_bits)]
    return fields


def _packed_fields(
    moves: list[list[tuple[int, int]]], symbols: int, state_bits: int
) -> list[tuple[int, int]]:
    """Numbers with their widths: a mask of symbols for each state, then the target of each."""
    fields = []
    for found in moves:
        fields.append((sum(1 << symbol for symbol, _ in found), symbols))
        fields += [(head, state_bits) for _, head in found]
    return fields


def _order(machine: Machine) -> dict[int, int]:
    """New numbers of the states: start states first, then accepting ones, then the rest."""
    found = {state for tail, _, head in machine.transitions for state in (tail, head)}
    others = sorted(found.difference(machine.starts), key=lambda s: (s not in machine.accepting, s))
    return {state: i for i, state in enumerate((*dict.fromkeys(machine.starts), *others))}


def _plain(fields: _Fields, symbols: int, state_bits: int) -> Iterator[tuple[int, int, int]]:
    """A count of transitions for each state, then symbol and target of each."""
    count_bits, symbol_bits = fields.number(_COUNT_BITS), (symbols - 1).bit_length()
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
    """The machine that reads segments of these lengths, and a separator between every two.

    Its states are pairs of a position and a state, so that separators are read at the right
    positions only. A segment may be empty: then several separators are read in a row.
    """
    moves: dict[int, list[tuple[int, int]]] = {}
    behind_separator: dict[int, list[int]] = {}
    for tail, symbol, head in machine.transitions:
        if symbol == separator:
            behind_separator.setdefault(tail, []).append(head)
        else:
            moves.setdefault(tail, []).append((symbol, head))
    separators = Counter(accumulate(lengths[:-1]))
    numbers: dict[tuple[int, int], int] = {}

    def number(position: int, state: int) -> int:
        return numbers.setdefault((position, state), len(numbers))

    def arrive(states: Iterable[int], position: int) -> list[int]:
        for _ in range(separators[position]):
            states = {head for state in states for head in behind_separator.get(state, ())}
        return sorted(states)

    reached = arrive(machine.starts, 0)
    starts = tuple(number(0, state) for state in reached)
    transitions: list[tuple[int, int, int]] = []
    for position in range(sum(lengths)):
        heads = {
            target: arrive([target], position + 1)
            for target in {head for tail in reached for _, head in moves.get(tail, ())}
        }
        transitions += [
            (number(position, tail), symbol, number(position + 1, head))
            for tail in reached
            for symbol, target in moves.get(tail, ())
            for head in heads[target]
        ]
        if len(transitions) > _MAX_TRANSITIONS:
            raise FormatError(f"the state machine is too large for {sum(lengths)} cells")
        reached = sorted({head for found in heads.values() for head in found})
    accepting = frozenset(
        number(sum(lengths), state) for state in reached if state in machine.accepting
    )
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
    """The numbers of the bits that are set; each sign holds six bits, the lowest first."""
    for i, sign in enumerate(code):
        word = _word(sign)
        yield from (6 * i + bit for bit in range(6) if word >> bit & 1)


def _stream(code: str) -> str:
    """The bits of a code, the highest bit of each sign first; only whole bytes count.

    Other programs write the signs of common Base64, and pad the code to whole groups of four.
    """
    if len(code) > _MAX_CODE:
        raise FormatError(f"a code of {len(code):,} characters is too long")
    unpadded = code.rstrip("=")
    if len(code) <= len(unpadded) + -len(unpadded) % 4:
        code = unpadded
    bits = "".join(format(_word(sign), "06b") for sign in code.translate(_COMMON))
    return bits[: len(bits) // 8 * 8]


def _packed_bits(bits: str) -> str:
    """A code of whole bytes, the highest bit of each word first."""
    bits += "0" * (-len(bits) % 8)
    bits += "0" * (-len(bits) % 6)
    return "".join(_ALPHABET[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))


def _word(sign: str) -> int:
    try:
        return _VALUE[sign]
    except KeyError:
        raise FormatError(f"{sign!a} has no place in a code") from None
