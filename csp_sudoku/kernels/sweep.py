"""One step of a sweep: states go in, states come out, and equal ones are counted together.

A state is a row of words, into which its fields are packed: domains, and states of automata. States
are found by a hash of the whole row, and compared whole.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import kernel, subroutine
from csp_encodings.sweep import Step
from csp_sudoku.kernels.bits import NOTHING, ONE, popcount

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

LIMB = 62
"""Numbers of assignments are in base 2**62, in as many limbs as needed."""

_LIMB_MASK = np.uint64(2**LIMB - 1)
_LIMB = np.uint64(LIMB)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_BITS = 64
_LAST = np.uint64(63)
_ROUNDS, _PASSES = 2, 2

DONE, FULL, OVERFLOW = 0, 1, 2
"""How a run ended: all states are done, there is no room for more, a number needs another limb."""


class Layout(NamedTuple):
    """Where the fields of a state are: slots first, then machines."""

    word: Numbers
    shift: Words
    mask: Words
    words: int


def lay_out(values: int, slots: int, widths: list[int]) -> Layout:
    """Pack fields into words, one after the other."""
    bits = [values] * slots + [max(1, (width - 1).bit_length()) for width in widths]
    word, shift, at = [], [], 0
    for size in bits:
        if at % _BITS + size > _BITS:
            at += _BITS - at % _BITS
        word.append(at // _BITS)
        shift.append(at % _BITS)
        at += size
    return Layout(
        np.array(word, np.int64),
        np.array(shift, np.uint64),
        np.array([2**size - 1 for size in bits], np.uint64),
        max(1, -(-at // _BITS)),
    )


class StepArrays(NamedTuple):
    """A step as arrays."""

    slot: int
    base: Any
    parent: Numbers
    slot_base: Words
    allowed: Words
    machine_parent: Numbers
    machine_first: Numbers
    heads: NDArray[np.int32]
    going: int
    house_first: Numbers
    house_slot: Numbers
    house_rest: Words
    house_need: Numbers
    class_first: Numbers
    class_value: Numbers
    kind: Words
    line_first: Numbers
    line_slot: Numbers
    group_first: Numbers


def _firsts(lists: list[Any]) -> Numbers:
    return np.cumsum([0, *map(len, lists)]).astype(np.int64)


def as_arrays(step: Step, slots_before: int, values: int) -> StepArrays:
    """Return a step as arrays: machines come after the slots of the state before."""
    lines = [line for group in step.lines for line in group]
    # Slots that correspond in interchangeable lines are of one kind.
    kind = [*range(len(step.slots))]
    for group in step.lines:
        for line in group:
            for slot, first in zip(line, group[0], strict=True):
                kind[slot] = first
    heads = [[x for row in m.heads for x in row] for m in step.machines]
    return StepArrays(
        -1 if step.slot is None else step.slot,
        np.uint64(step.base),
        np.array([-1 if s.parent is None else s.parent for s in step.slots], np.int64),
        np.array([s.base for s in step.slots], np.uint64),
        np.array([s.allowed for s in step.slots], np.uint64).reshape(-1, values),
        np.array(
            [-1 if m.parent is None else slots_before + m.parent for m in step.machines], np.int64
        ),
        _firsts(heads),
        np.array([x for row in heads for x in row], np.int32),
        sum(1 for m in step.machines if m.width),
        _firsts([slots for slots, _, _ in step.houses]),
        np.array([x for slots, _, _ in step.houses for x in slots], np.int64),
        np.array([rest for _, rest, _ in step.houses], np.uint64),
        np.array([need for _, _, need in step.houses], np.int64),
        _firsts([*step.classes]),
        np.array([x for values_ in step.classes for x in values_], np.int64),
        np.array(kind, np.uint64),
        _firsts(lines),
        np.array([slot for line in lines for slot in line], np.int64),
        _firsts([*step.lines]),
    )


class States(NamedTuple):
    """States, how many assignments each has, and a hash table: the number of a state, or -1."""

    keys: Words
    counts: Words
    table: Numbers


class _Scratch(NamedTuple):
    """What a run writes to: the domains of a state, colours and orders of values and lines."""

    held: Any
    row: Any
    domain: Any
    old: Any
    colour: Any
    mark: Any
    held_in: Any
    line_colour: Any
    moved: Any
    order: Any


@subroutine
def _scratch(fields: int, words: int, slots: int, lines: int) -> _Scratch:
    return _Scratch(
        np.zeros(fields, np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(slots, np.uint64),
        np.zeros(slots, np.uint64),
        np.zeros(slots, np.uint64),
        np.zeros(_BITS, np.uint64),
        np.zeros(_BITS, np.uint64),
        np.zeros(lines, np.uint64),
        np.zeros(lines, np.uint64),
        np.zeros(max(_BITS, lines), np.int64),
    )


@subroutine
def _find(row: Any, states: Any) -> Any:
    """The place in the table of a row, or of a free entry for it."""
    mixed = NOTHING
    for word in row:
        mixed = (mixed ^ word) * _MIX
        mixed ^= mixed >> _SHIFT
    last = len(states.table) - 1
    at = np.int64(mixed >> ONE) & last
    while True:
        index = states.table[at]
        if index < 0:
            return at
        same = True
        for k in range(len(row)):
            if states.keys[index, k] != row[k]:
                same = False
                break
        if same:
            return at
        at = (at + 1) & last


@subroutine
def _mix(word: Any) -> Any:
    word *= _MIX
    word ^= word >> _SHIFT
    word *= _MIX
    return word ^ (word >> _SHIFT)


@subroutine
def _rename_values(step: Any, s: Any) -> None:
    """Sort interchangeable values by their marks, then by the domains that they are in."""
    slots = len(s.domain)
    for number in range(len(step.class_first) - 1):
        first, end = step.class_first[number], step.class_first[number + 1]
        count = end - first
        for i in range(count):
            value = step.class_value[first + i]
            held = NOTHING
            for slot in range(slots):
                # Beyond 64 slots bits are mixed: the order is then less well defined.
                bit = (s.domain[slot] >> np.uint64(value)) & ONE
                held = ((held << ONE) | (held >> _LAST)) ^ bit
            s.held_in[value] = held
            j = i
            while j > 0 and (
                s.mark[s.order[j - 1]] < s.mark[value]
                or (s.mark[s.order[j - 1]] == s.mark[value] and s.held_in[s.order[j - 1]] < held)
            ):
                s.order[j] = s.order[j - 1]
                j -= 1
            s.order[j] = value
        for slot in range(slots):
            old = s.domain[slot]
            new = old
            for i in range(count):
                target = np.uint64(step.class_value[first + i])
                bit = (old >> np.uint64(s.order[i])) & ONE
                new = (new & ~(ONE << target)) | (bit << target)
            s.domain[slot] = new
        for i in range(count):
            s.held_in[i] = s.mark[s.order[i]]
        for i in range(count):
            s.mark[step.class_value[first + i]] = s.held_in[i]


@subroutine
def _colour_slots(step: Any, s: Any, values: int) -> None:
    """Colour slots by the values that they may have, and by the line that they are in."""
    for slot in range(len(s.domain)):
        total = step.kind[slot]
        for value in range(values):
            if (s.domain[slot] >> np.uint64(value)) & ONE:
                total += _mix(s.mark[value])
        s.colour[slot] = _mix(total)
    for number in range(len(step.line_first) - 1):
        total = NOTHING
        for i in range(step.line_first[number], step.line_first[number + 1]):
            total = _mix(total + s.colour[step.line_slot[i]])
        s.line_colour[number] = total
        for i in range(step.line_first[number], step.line_first[number + 1]):
            s.colour[step.line_slot[i]] += total


@subroutine
def _colour(step: Any, s: Any, values: int) -> None:
    """Colour values and lines by whom they are with: alike ones get equal colours.

    This is colour refinement (Weisfeiler and Leman 1968) on the graph of values and slots. It only
    sorts: where it cannot tell two states apart or together, the count is right all the same.
    """
    for value in range(values):
        s.mark[value] = np.uint64(value + 1)
    for number in range(len(step.class_first) - 1):
        first = step.class_first[number]
        for i in range(first, step.class_first[number + 1]):
            s.mark[step.class_value[i]] = np.uint64(step.class_value[first] + 1)
    for _ in range(_ROUNDS):
        _colour_slots(step, s, values)
        for value in range(values):
            total = s.mark[value]
            for slot in range(len(s.domain)):
                if (s.domain[slot] >> np.uint64(value)) & ONE:
                    total += _mix(s.colour[slot])
            s.mark[value] = total


@subroutine
def _sort_lines(step: Any, s: Any) -> None:
    """Sort interchangeable lines by their colours, then by their domains."""
    for number in range(len(step.group_first) - 1):
        # Each group begins with what the one before left: a slot may be in lines of both.
        s.old[:] = s.domain
        first, end = step.group_first[number], step.group_first[number + 1]
        length = step.line_first[first + 1] - step.line_first[first]
        for line in range(first, end):
            j = line - first
            while j > 0 and _is_before(step, s, line, s.order[j - 1]):
                s.order[j] = s.order[j - 1]
                j -= 1
            s.order[j] = line
        for i in range(end - first):
            target, source = step.line_first[first + i], step.line_first[s.order[i]]
            for k in range(length):
                s.domain[step.line_slot[target + k]] = s.old[step.line_slot[source + k]]
        for i in range(end - first):
            s.moved[i] = s.line_colour[s.order[i]]
        for i in range(end - first):
            s.line_colour[first + i] = s.moved[i]


@subroutine
def _is_before(step: Any, s: Any, one: int, other: int) -> bool:
    if s.line_colour[one] != s.line_colour[other]:
        return bool(s.line_colour[one] < s.line_colour[other])
    for k in range(step.line_first[one + 1] - step.line_first[one]):
        a = s.old[step.line_slot[step.line_first[one] + k]]
        b = s.old[step.line_slot[step.line_first[other] + k]]
        if a != b:
            return bool(a < b)
    return False


@subroutine
def _narrow(step: Any, s: Any, value: int) -> bool:
    """Take what a value rules out from the domains; whether all variables may still have one."""
    for slot in range(len(step.parent)):
        parent = step.parent[slot]
        was = step.slot_base[slot] if parent < 0 else s.held[parent]
        s.domain[slot] = was & step.allowed[slot, value]
        if s.domain[slot] == NOTHING:
            return False
    for house in range(len(step.house_need)):
        union = step.house_rest[house]
        for i in range(step.house_first[house], step.house_first[house + 1]):
            union |= s.domain[step.house_slot[i]]
        if popcount(union) < step.house_need[house]:
            return False
    return True


@subroutine
def _read_on(step: Any, after: Any, s: Any, value: int) -> bool:
    """Let the machines read a value, and write their states; whether all of them go on."""
    slots, values = step.allowed.shape
    s.row[:] = NOTHING
    for machine in range(len(step.machine_parent)):
        parent = step.machine_parent[machine]
        state = np.int64(0) if parent < 0 else np.int64(s.held[parent])
        head = step.heads[step.machine_first[machine] + state * values + value]
        if head < 0:
            return False
        if machine < step.going:
            field = slots + machine
            s.row[after.word[field]] |= np.uint64(head) << after.shift[field]
    return True


@subroutine
def _normalise(step: Any, s: Any, values: int) -> None:
    """Give interchangeable values and lines new names, so that equal states look equal."""
    if len(step.line_first) > 1:
        _colour(step, s, values)
        for _ in range(_PASSES):
            _sort_lines(step, s)
            _rename_values(step, s)
    else:
        s.mark[:] = NOTHING
        _rename_values(step, s)


@subroutine
def _add(row: Any, count: Any, states: Any, size: int) -> tuple[int, bool]:
    """Add a number of assignments to a state; return how many states there are, and if it fits."""
    at = _find(row, states)
    index = states.table[at]
    if index < 0:
        index = size
        states.table[at] = index
        size += 1
        states.keys[index, :] = row
        states.counts[index, :] = NOTHING
    carry = NOTHING
    for k in range(len(count)):
        total = states.counts[index, k] + count[k] + carry
        states.counts[index, k] = total & _LIMB_MASK
        carry = total >> _LIMB
    return size, carry == NOTHING


@kernel
def sweep(
    task: tuple[StepArrays, Layout, Layout],
    states: States,
    out: States,
    size: int,
    part: tuple[int, int],
) -> tuple[int, int, int]:
    """Assign a variable in some states; return how far it got, the states there are, and the end.

    Parameters
    ----------
    task
        What to do, and where the fields are before and after it.
    states
        The states that go in; they need no hash table.
    out, size
        The states that came out so far, and how many they are.
    part
        Which states are to be done: from this one up to that one.
    """
    step, before, after = task
    start, stop = part
    values = step.allowed.shape[1]
    fields = len(before.word)
    s = _scratch(fields, out.keys.shape[1], len(step.parent), len(step.line_first) - 1)
    for place in range(start, stop):
        if size + values > len(out.keys):
            return place, size, FULL
        for f in range(fields):
            s.held[f] = (states.keys[place, before.word[f]] >> before.shift[f]) & before.mask[f]
        domain = step.base if step.slot < 0 else s.held[step.slot]
        for value in range(values):
            allowed = (domain >> np.uint64(value)) & ONE
            if allowed and _narrow(step, s, value) and _read_on(step, after, s, value):
                _normalise(step, s, values)
                for slot in range(len(s.domain)):
                    s.row[after.word[slot]] |= s.domain[slot] << after.shift[slot]
                size, fits = _add(s.row, states.counts[place], out, size)
                if not fits:
                    return place, size, OVERFLOW
    return stop, size, DONE


@kernel
def enter(states: States, size: int) -> None:
    """Enter the first states into an empty hash table."""
    for index in range(size):
        states.table[_find(states.keys[index], states)] = index
