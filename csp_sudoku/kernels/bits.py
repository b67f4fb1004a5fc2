"""The bits of a 64-bit mask: one machine instruction each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
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


def _compile_to(function: Callable[[Any], int], emit: Callable[[Any, Any], Any]) -> None:
    """Let Numba compile a function of a mask to what `emit` builds from an LLVM builder."""

    def instruction(context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return types.int64(types.uint64), generate

    compiled = intrinsic(instruction)

    # Numba wants a function that gives the Python code of another one.
    overload(function)(lambda mask: lambda mask: compiled(mask))  # noqa: PLW0108


_ZERO_IS_UNDEFINED = ir.Constant(ir.IntType(1), 1)

_compile_to(popcount, lambda builder, mask: builder.ctpop(mask))
_compile_to(lowest, lambda builder, mask: builder.cttz(mask, _ZERO_IS_UNDEFINED))
_compile_to(
    highest,
    lambda builder, mask: builder.sub(
        ir.Constant(ir.IntType(64), 63), builder.ctlz(mask, _ZERO_IS_UNDEFINED)
    ),
)
