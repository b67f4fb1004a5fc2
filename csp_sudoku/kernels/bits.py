"""Bits of a 64-bit mask: one machine instruction each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

NOTHING = np.uint64(0)
ONE = np.uint64(1)
WORD = 64


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


def _instruction(emit: Any) -> Any:
    """A function of a mask that Numba compiles to what `emit` builds."""

    def instruction(context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return types.int64(types.uint64), generate

    return intrinsic(instruction)


_ctpop = _instruction(lambda builder, mask: builder.ctpop(mask))
_cttz = _instruction(lambda builder, mask: builder.cttz(mask, _undefined_for_zero(builder)))
_ctlz = _instruction(lambda builder, mask: builder.ctlz(mask, _undefined_for_zero(builder)))


def _undefined_for_zero(builder: Any) -> Any:
    from llvmlite import ir  # noqa: PLC0415

    return ir.Constant(ir.IntType(1), 1)


overload(popcount)(lambda mask: lambda mask: _ctpop(mask))
overload(lowest)(lambda mask: lambda mask: _cttz(mask))
overload(highest)(lambda mask: lambda mask: 63 - _ctlz(mask))
