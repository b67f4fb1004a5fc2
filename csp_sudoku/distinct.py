"""Whether groups of columns hold no value twice: asked of every solution, so it has to be quick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from operator import itemgetter, or_
from typing import TypeAlias

from csp_sudoku.solution import Numbers

Groups: TypeAlias = Sequence[Sequence[int]]
Check: TypeAlias = Callable[[Numbers], bool]

# As many as a byte can tell apart.
_FEW = 256


def distinct_check(groups: Groups, columns: int, values: Sequence[int]) -> Check:
    """A test that a row has no value twice in a group of its columns, and no other value there.

    Examples
    --------
    >>> check = distinct_check([[0, 1], [1, 2]], 3, range(1, 4))
    >>> [check(bytes(row)) for row in ((1, 2, 1), (1, 1, 2), (1, 4, 2))]
    [True, False, False]
    """
    small = all(0 <= value < _FEW for value in values)
    checked_by = _by_layers if small and columns <= _FEW else _by_sums
    return checked_by([*filter(None, groups)], values)


def _by_sums(groups: Groups, values: Sequence[int]) -> Check:
    # A number has a few bits for each group. Those of all columns with some value are added up:
    # where it comes twice in a group, other bits of that are set than the lowest.
    width = max(map(len, groups), default=0).bit_length()
    counter_of: Counter[int] = Counter()
    for i, group in enumerate(groups):
        for column in group:
            counter_of[column] += 1 << width * i
    repeated = sum([((1 << width) - 2) << width * i for i in range(len(groups))])
    counters = [*counter_of.items()]
    nothing = dict.fromkeys(values, 0)

    def check(numbers: Numbers) -> bool:
        sums = nothing.copy()
        try:
            for column, counter in counters:
                sums[numbers[column]] += counter
        except KeyError:  # not one of the values
            return False
        return not any(counted & repeated for counted in sums.values())

    return check


def _by_layers(groups: Groups, values: Sequence[int]) -> Check:
    """Three times as quick, for rows of few columns with small values, which are held as bytes."""
    # The first members of all groups stand side by side, a byte each; so do the second ones, and so
    # on (of a group that has no more, the first again). Values are bits, eight of them at a time,
    # and the layers are laid over each other: so many bits are then set as values are different.
    length = max([2, *map(len, groups)])  # as many as itemgetter needs to give several
    members = bytes([group[k if k < len(group) else 0] for k in range(length) for group in groups])
    width = len(groups)
    layers_of = itemgetter(*[slice(k * width, (k + 1) * width) for k in range(length)])
    wanted = sum(map(len, groups))
    bits = []
    for first in range(0, len(values), 8):
        bit_of = bytearray(256)
        for i, value in enumerate(values[first : first + 8]):
            bit_of[value] = 1 << i
        bits.append(bytes(bit_of))

    def check(numbers: Numbers) -> bool:
        if not isinstance(numbers, bytes):  # not one of the values
            return False
        # To translate the numbers of columns is to take what stands there.
        taken = members.translate(numbers.ljust(256))
        different = 0
        for bit_of in bits:
            shown = layers_of(taken.translate(bit_of))
            different += reduce(or_, map(int.from_bytes, shown)).bit_count()
        return different == wanted

    return check
