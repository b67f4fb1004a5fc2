"""Sets as whole numbers: bit i is set if i belongs to the set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def members(mask: int) -> Iterator[int]:
    """The members of a set, in ascending order.

    Examples
    --------
    >>> list(members(0b1101))
    [0, 2, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


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
