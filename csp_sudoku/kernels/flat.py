"""A flat array that a kernel sees as a bare pointer.

Numba passes an array as a record of seven fields, counts references to it in every call, and tests
every index for being negative. The inner loops of a search would spend most of their time on that.

A pointer may carry constants in its type, such as the number of words of a set: a kernel is then
compiled for these very numbers, and a loop over two words is two instructions.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Generic, TypeVar

from numba import extending, types
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

Item = TypeVar("Item")
Tuple = TypeVar("Tuple", bound="type[tuple[Any, ...]]")


class Flat(Generic[Item]):
    """A one-dimensional array; a kernel can read and write its items, and nothing else.

    A kernel neither keeps the array alive nor checks an index: both are up to the caller. It takes
    arrays themselves more quickly, and makes them flat by :func:`flat` or :func:`flat_with`.

    Examples
    --------
    >>> import numpy as np
    >>> from csp_encodings.jit import kernel
    >>> @kernel
    ... def double(numbers: Flat[int], length: int) -> None:
    ...     for i in range(length):
    ...         numbers[i] += numbers[i]
    >>> array = np.array([1, 2, 3])
    >>> double(Flat(array), 3)
    >>> array
    array([2, 4, 6])
    """

    __slots__ = ("array", "constants")

    def __init__(self, array: NDArray[Any], constants: tuple[int, ...] = ()) -> None:
        assert array.ndim == 1
        assert array.flags.c_contiguous
        self.array = array
        self.constants = constants

    # Only plain Python comes here, where a kernel's indices can be checked.

    def __getitem__(self, index: int) -> Item:
        assert index >= 0
        item: Item = self.array[index]
        return item

    def __setitem__(self, index: int, item: Item) -> None:
        assert index >= 0
        self.array[index] = item


def flat(array: NDArray[Any]) -> Flat[Any]:
    """A flat array, made of an array within a kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from csp_encodings.jit import kernel
    >>> @kernel
    ... def second(array: np.ndarray) -> int:
    ...     return flat(array)[1]
    >>> int(second(np.array([5, 6, 7])))
    6
    """
    return Flat(array)


def flat_with(array: NDArray[Any], first: int, second: int) -> Flat[Any]:
    """Like :func:`flat`, with two constants, which must be literals.

    Examples
    --------
    >>> import numpy as np
    >>> from csp_encodings.jit import kernel
    >>> @kernel
    ... def product(array: np.ndarray) -> int:
    ...     first, second = constants(flat_with(array, 6, 7))
    ...     return first * second
    >>> product(np.array([1]))
    42
    """
    return Flat(array, (first, second))


def constants(array: Flat[Any]) -> tuple[int, ...]:
    """The constants that come with a flat array."""
    return array.constants


def of_one_type(tuples: Tuple) -> Tuple:
    """Tell Numba that named tuples of a class have fields of the same types, all of them.

    Then it looks at those of the first one only, and not at every field in every call, which would
    take longer than many a call.

    Examples
    --------
    >>> import numpy as np
    >>> from typing import NamedTuple
    >>> from csp_encodings.jit import kernel
    >>> @of_one_type
    ... class Pair(NamedTuple):
    ...     a: Flat[int]
    ...     b: Flat[int]
    >>> @kernel
    ... def product(pair: Pair) -> int:
    ...     return pair.a[0] * pair.b[0]
    >>> int(product(Pair(Flat(np.array([2])), Flat(np.array([3])))))
    6
    """
    type_of: Any = extending.typeof_impl
    known: list[Any] = []

    def type_of_first(value: Any, context: Any) -> Any:
        if not known:
            known.append(type_of.dispatch(tuple)(value, context))
        return known[0]

    type_of.register(tuples)(type_of_first)
    return tuples


class FlatType(types.CPointer):  # type: ignore[misc, unused-ignore]
    """The type of a flat array in a kernel; Numba knows the items of a pointer."""

    def __init__(self, dtype: Any, constants: tuple[int, ...] = ()) -> None:
        self.constants = constants
        super().__init__(dtype)  # type: ignore[no-untyped-call, unused-ignore]
        self.name = f"Flat({dtype}, {constants})"

    @property
    def key(self) -> Any:
        return self.dtype, self.constants


def _register(numba: Any, flat_type: Any) -> None:
    """Tell Numba how it gets at the items. (Its functions have no types.)"""

    @cache
    def type_for(kind: Any) -> Any:
        return flat_type(from_dtype(kind))

    def type_of(flat: Flat[Any], context: Any) -> Any:
        return type_for(flat.array.dtype)

    def data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
        return context.make_array(array_type)(context, builder, array).data

    def unbox(kind: Any, flat: Any, c: Any) -> Any:
        array_type = types.Array(kind.dtype, 1, "C")
        array = c.pyapi.object_getattr_string(flat, "array")
        native = c.unbox(array_type, array)
        pointer = data(c.context, c.builder, array_type, native.value)
        # The caller holds the array as long as the kernel runs.
        c.context.nrt.decref(c.builder, array_type, native.value)
        c.pyapi.decref(array)
        return numba.NativeValue(pointer, is_error=native.is_error)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return data(context, builder, signature.args[0], arguments[0])

    def type_flat(typing: Any, array: Any) -> Any:
        return flat_type(array.dtype)(array), generate

    def type_flat_with(typing: Any, array: Any, first: Any, second: Any) -> Any:
        numbers = (first.literal_value, second.literal_value)
        return flat_type(array.dtype, numbers)(array, first, second), generate

    of = numba.intrinsic(type_flat)
    of_with = numba.intrinsic(prefer_literal=True)(type_flat_with)

    def always(numbers: tuple[int, ...]) -> Any:
        return lambda array: numbers

    # Numba wants functions that give the Python code of others, with the same bare parameters.
    numba.overload(constants)(lambda array: always(array.constants))
    numba.overload(flat)(lambda array: lambda array: of(array))  # noqa: PLW0108
    numba.overload(flat_with, prefer_literal=True)(
        lambda array, first, second: lambda array, first, second: of_with(array, first, second)  # noqa: PLW0108
    )
    numba.register_model(flat_type)(numba.models.PointerModel)
    numba.typeof_impl.register(Flat)(type_of)
    numba.unbox(flat_type)(unbox)


_register(extending, FlatType)
