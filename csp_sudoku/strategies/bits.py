"""Sets as whole numbers: bit i is set if i belongs to the set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# The members of small sets, such as the candidates of a cell.
_SMALL = tuple(tuple(i for i in range(10) if mask >> i & 1) for mask in range(1 << 10))


def members(mask: int) -> Sequence[int]:
    """The members of a set, in ascending order.

    Examples
    --------
    >>> list(members(0b1101))
    [0, 2, 3]
    """
    if mask < 1 << 10:
        return _SMALL[mask]
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def mask_of(items: Iterable[int]) -> int:
    """The set of these numbers.

    Examples
    --------
    >>> bin(mask_of([0, 2, 3]))
    '0b1101'
    """
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask


def is_single(mask: int) -> bool:
    """Whether a set has exactly one member.

    Examples
    --------
    >>> is_single(0b100), is_single(0b101), is_single(0)
    (True, False, False)
    """
    return mask != 0 and mask & (mask - 1) == 0
