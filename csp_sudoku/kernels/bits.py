"""The bits of a 64-bit mask: one machine instruction each.

Bit ``i`` of a set of several words is bit ``i & 63`` of word ``i >> 6``. Kernels write it that way:
``%`` and ``//`` care for negative numbers, which made the whole search slower by a third.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

NOTHING = np.uint64(0)
ONE = np.uint64(1)


def popcount(mask: Any) -> int:
    """How many bits are set.

    Examples
    --------
    >>> popcount(np.uint64(0b1011))
    3
    """
    return int(mask).bit_count()


def lowest(mask: Any) -> int:
    """The index of the lowest bit that is set; there must be one.

    Examples
    --------
    >>> lowest(np.uint64(0b1010))
    1
    """
    return (int(mask) & -int(mask)).bit_length() - 1


def highest(mask: Any) -> int:
    """The index of the highest bit that is set; there must be one.

    Examples
    --------
    >>> highest(np.uint64(0b1010))
    3
    """
    return int(mask).bit_length() - 1


def as_int(mask: Any) -> int:
    """A word as an integer, which an address is.

    Examples
    --------
    >>> as_int(np.uint64(7))
    7
    """
    return int(mask)


def _compile_to(function: Callable[[Any], int], emit: Callable[[Any, Any, Any], Any]) -> None:
    """Let Numba compile a function of a mask to what `emit` builds."""

    def instruction(typing: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(context, builder, arguments[0])

        return types.int64(types.uint64), generate

    compiled: Any = intrinsic(instruction)
    # Numba wants a function that gives the Python code of another one.
    overload(function)(lambda mask: lambda mask: compiled(mask))  # noqa: PLW0108


def _true(context: Any) -> Any:
    return context.get_constant(types.boolean, True)


# The second operand says that nobody cares for a mask of zero.
_compile_to(popcount, lambda context, builder, mask: builder.ctpop(mask))
_compile_to(lowest, lambda context, builder, mask: builder.cttz(mask, _true(context)))
_compile_to(
    highest,
    lambda context, builder, mask: builder.sub(
        context.get_constant(types.int64, 63), builder.ctlz(mask, _true(context))
    ),
)
_compile_to(as_int, lambda context, builder, mask: mask)
