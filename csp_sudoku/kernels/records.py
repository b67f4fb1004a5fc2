"""Records: named arrays and numbers in one block of memory, which kernels see as bare pointers.

A kernel takes its data as a named tuple or a dataclass of arrays and numbers, and reads and writes
them by name: ``d.size[variable]``, ``d.level += 1``. Numba could take a named tuple of arrays as it
is. But it passes every array as a structure of seven fields, counts references to it in every call
and tests every index for being negative; the inner loops of a search would spend most of their time
on that.

So :func:`pack` puts all fields into one block of memory. The block begins with the numbers and with
the offsets of the arrays, and a kernel takes nothing but the address of the block. To copy a search
is to copy one block.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from hashlib import sha256
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    signature,
)
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

Fields = TypeVar("Fields")

# Where an array is in a block: its offset in bytes, its length, and its type.
_Span: TypeAlias = tuple[int, int, np.dtype[Any]]

_BYTES = 8


def pack(fields: Fields, constants: tuple[str, ...] = ()) -> Fields:
    """Put the arrays and numbers of a named tuple or a dataclass into one block of memory.

    The result has the same attributes, in Python and in a kernel. A kernel neither keeps the arrays
    alive nor checks an index: both are up to the caller. Any integer that it reads is an ``int64``,
    whatever the array stores; only ``uint64`` stays what it is.

    Parameters
    ----------
    fields
        The named tuple or dataclass. Its arrays have one dimension. Their items may be rows with
        named fields (a structured type of NumPy); a kernel then sees an item as the address of a
        row, and reads and writes its fields by name.
    constants
        Names of numbers that are part of the type. A kernel is compiled anew for each of their
        values: so a loop over two words becomes two instructions.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from csp_encodings.jit import kernel
    >>> @dataclass
    ... class Stack:
    ...     items: NDArray[np.int32]
    ...     height: int = 0
    >>> @kernel
    ... def push(stack: Stack, item: int) -> None:
    ...     stack.items[stack.height] = item
    ...     stack.height += 1
    >>> stack = pack(Stack(np.zeros(3, np.int32)))
    >>> push(stack, 7)
    >>> stack.items, stack.height
    (array([7, 0, 0], dtype=int32), 1)
    """
    values = dict(vars(fields)) if is_dataclass(fields) else cast(Any, fields)._asdict()
    fixed = tuple([(name, int(values.pop(name))) for name in constants])
    arrays = {name: x for name, x in values.items() if isinstance(x, np.ndarray)}
    numbers = {name: x for name, x in values.items() if name not in arrays}
    spans: dict[str, _Span] = {}
    parts: list[bytes] = []
    end = _BYTES * len(values)
    for name, array in arrays.items():
        assert array.ndim == 1
        spans[name] = (end, len(array), array.dtype)
        part = array.tobytes()
        parts.append(part + bytes(-len(part) % _BYTES))
        end += len(parts[-1])
    head = np.array([*numbers.values(), *[offset for offset, _, _ in spans.values()]], np.int64)
    block = np.frombuffer(bytearray().join([head.tobytes(), *parts]), np.int64)
    dtypes = tuple([(name, dtype) for name, (_, _, dtype) in spans.items()])
    kind = _packed_type(type(fields).__qualname__, tuple(numbers), dtypes, fixed)
    return cast(Fields, _packed_class(kind)(block, spans, kind))


def copy(packed: Fields) -> Fields:
    """Return a packed record of its own, with equal arrays and numbers.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     a: NDArray[np.int64]
    ...     b: NDArray[np.int64]
    >>> one = pack(Pair(np.array([1, 2]), np.array([3])))
    >>> other = copy(one)
    >>> other.a[0] = 9
    >>> one.a, other.a
    (array([1, 2]), array([9, 2]))
    """
    return cast(Fields, cast(Any, packed)._copy())


class Packed:
    """What :func:`pack` returns: the fields of a record in one block of memory.

    The numbers are properties of a subclass for each type.
    """

    def __init__(
        self, block: NDArray[np.int64], spans: Mapping[str, _Span], kind: PackedType
    ) -> None:
        # Numba asks for the type by this name.
        self.__dict__.update(kind.constants, _block=block, _spans=spans, _numba_type_=kind)

    def __getattr__(self, name: str) -> Any:
        if name not in self._spans:
            raise AttributeError(f"{self._numba_type_.name} has no field {name!r}")
        offset, length, dtype = self._spans[name]
        view = np.ndarray(length, dtype, self._block, offset)
        self.__dict__[name] = view if dtype.names is None else view.view(np.recarray)
        return self.__dict__[name]

    def __setattr__(self, name: str, number: int) -> None:
        if name not in self._numba_type_.numbers:
            raise AttributeError(f"{self._numba_type_.name} has no number {name!r} to be set")
        super().__setattr__(name, number)

    def _copy(self) -> Packed:
        return type(self)(self._block.copy(), self._spans, self._numba_type_)


@cache
def _packed_class(kind: PackedType) -> type[Packed]:
    def number(place: int) -> property:
        def read(packed: Any) -> int:
            return cast(int, packed._block.item(place))

        def write(packed: Any, value: int) -> None:
            packed._block[place] = value

        return property(read, write)

    return type("Packed", (Packed,), {name: number(kind.places[name]) for name in kind.numbers})


# What follows tells Numba about packed records. Its functions have no types.


class PackedType(types.Type):  # type: ignore[misc, unused-ignore]
    """The type of a packed record in a kernel, where it is the address of the block.

    The block begins with the numbers and the offsets of the arrays; `places` says in which words.
    """

    def __init__(
        self,
        name: str,
        numbers: tuple[str, ...],
        arrays: tuple[tuple[str, np.dtype[Any]], ...],
        constants: tuple[tuple[str, int], ...],
    ) -> None:
        self.numbers = frozenset(numbers)
        self.constants = dict(constants)
        self.places = {field: i for i, field in enumerate((*numbers, *dict(arrays)))}
        self.fields: dict[str, Any] = {
            **dict.fromkeys((*numbers, *self.constants), types.int64),
            **{field: PointerType(dtype) for field, dtype in arrays},
        }
        # Numba writes the name into every function that it compiles: a digest does for the fields.
        digest = sha256(repr((numbers, arrays, constants)).encode()).hexdigest()[:8]
        super().__init__(f"{name}_{digest}")


_packed_type = cache(PackedType)


class PointerType(types.Type):  # type: ignore[misc, unused-ignore]
    """The type of an array in a kernel, where it is the address of its first item.

    What is stored are numbers, of which a kernel reads an `item`; or rows.
    """

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.stored = from_dtype(dtype) if dtype.names is None else RowType(dtype)
        narrow = isinstance(self.stored, types.Integer) and self.stored.bitwidth < 64  # type: ignore[attr-defined, unused-ignore]
        self.item = types.int64 if narrow else self.stored
        super().__init__(f"Pointer({self.stored})")


class RowType(types.Type):  # type: ignore[misc, unused-ignore]
    """The type of a row of named fields in a kernel, where it is the address of the row."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.bytes = dtype.itemsize
        found: Any = dtype.fields
        self.offsets = {field: offset for field, (_, offset) in found.items()}
        self.fields = {
            field: from_dtype(kind) if kind.subdtype is None else PointerType(kind.subdtype[0])
            for field, (kind, _) in found.items()
        }
        digest = sha256(repr(dtype).encode()).hexdigest()[:8]
        super().__init__(f"Row_{digest}")


def _unbox(kind: Any, packed: Any, c: Any) -> Any:
    array_type = types.Array(types.int64, 1, "C")
    block = c.pyapi.object_getattr_string(packed, "_block")
    native = c.unbox(array_type, block)
    data = c.context.make_array(array_type)(c.context, c.builder, native.value).data
    # The caller holds the block as long as the kernel runs.
    c.context.nrt.decref(c.builder, array_type, native.value)
    c.pyapi.decref(block)
    address = c.builder.bitcast(data, c.context.get_value_type(kind))
    return extending.NativeValue(address, is_error=native.is_error)


class _AddressModel(extending.models.PrimitiveModel):  # type: ignore[misc, unused-ignore]
    """All of these types are an address."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.IntType(8).as_pointer())


class _PackedModel(_AddressModel):
    """Tell LLVM that the head of a block can be read at any time, and that no two blocks overlap.

    So it loads an offset once, before a loop, and does not load again what another block holds.
    """

    def from_argument(self, builder: Any, address: Any) -> Any:
        address.attributes.dereferenceable = _BYTES * len(self._fe_type.places)
        address.add_attribute("noalias")
        return address


def _long(number: int) -> Any:
    return ir.IntType(64)(number)


def _address(context: Any, builder: Any, start: Any, offset: Any, kind: Any) -> Any:
    """The address of something that is so many bytes from a start."""
    place = builder.gep(start, [offset], inbounds=True)
    return builder.bitcast(place, context.get_value_type(kind).as_pointer())


@infer_getattr
class _PackedFields(AttributeTemplate):  # type: ignore[misc, unused-ignore]
    key = PackedType

    def generic_resolve(self, kind: Any, name: str) -> Any:  # type: ignore[override, unused-ignore]
        return kind.fields.get(name)


@infer_getattr
class _RowFields(AttributeTemplate):  # type: ignore[misc, unused-ignore]
    key = RowType

    def generic_resolve(self, kind: Any, name: str) -> Any:  # type: ignore[override, unused-ignore]
        return kind.fields.get(name)


@lower_getattr_generic(PackedType)
def _get_field(context: Any, builder: Any, kind: Any, packed: Any, name: str) -> Any:
    if name in kind.constants:
        return _long(kind.constants[name])
    place = _long(_BYTES * kind.places[name])
    word = builder.load(_address(context, builder, packed, place, types.int64))
    if name in kind.numbers:
        return word
    # Offsets never change: no store makes it necessary to load them again.
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return builder.gep(packed, [word], inbounds=True)


@lower_setattr_generic(PackedType)
def _set_field(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> None:
    packed, number = arguments
    place = _long(_BYTES * signature.args[0].places[name])
    builder.store(number, _address(context, builder, packed, place, types.int64))


@lower_getattr_generic(RowType)
def _get_row_field(context: Any, builder: Any, kind: Any, row: Any, name: str) -> Any:
    field, offset = kind.fields[name], _long(kind.offsets[name])
    if isinstance(field, PointerType):
        return builder.gep(row, [offset], inbounds=True)
    return builder.load(_address(context, builder, row, offset, field))


@lower_setattr_generic(RowType)
def _set_row_field(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> None:
    kind = signature.args[0]
    row, number = arguments
    place = _address(context, builder, row, _long(kind.offsets[name]), kind.fields[name])
    builder.store(number, place)


@infer_global(operator.getitem)
class _ReadItem(AbstractTemplate):  # type: ignore[misc, unused-ignore]
    def generic(self, arguments: Any, keywords: Any) -> Any:
        pointer, index = arguments
        if isinstance(pointer, PointerType) and isinstance(index, types.Integer):
            return signature(pointer.item, pointer, types.intp)
        return None


@infer_global(operator.setitem)
class _WriteItem(AbstractTemplate):  # type: ignore[misc, unused-ignore]
    def generic(self, arguments: Any, keywords: Any) -> Any:
        pointer, index, _ = arguments
        if isinstance(pointer, PointerType) and isinstance(index, types.Integer):
            return signature(types.none, pointer, types.intp, pointer.item)
        return None


def _row(builder: Any, kind: Any, pointer: Any, index: Any) -> Any:
    """The address of a row."""
    return builder.gep(pointer, [builder.mul(index, _long(kind.bytes))], inbounds=True)


def _item(context: Any, builder: Any, kind: Any, pointer: Any, index: Any) -> Any:
    """The address of a number."""
    items = builder.bitcast(pointer, context.get_value_type(kind).as_pointer())
    return builder.gep(items, [index], inbounds=True)


def _get_item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = signature.args[0]
    if isinstance(kind.stored, RowType):
        return _row(builder, kind.stored, *arguments)
    item = builder.load(_item(context, builder, kind.stored, *arguments))
    return context.cast(builder, item, kind.stored, kind.item)


def _set_item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = signature.args[0]
    pointer, index, item = arguments
    if isinstance(kind.stored, RowType):
        row = _row(builder, kind.stored, pointer, index)
        cgutils.raw_memcpy(builder, row, item, _long(kind.stored.bytes), 1)
    else:
        stored = context.cast(builder, item, kind.item, kind.stored)
        builder.store(stored, _item(context, builder, kind.stored, pointer, index))
    return context.get_dummy_value()


extending.register_model(PackedType)(_PackedModel)
for _kind in (PointerType, RowType):
    extending.register_model(_kind)(_AddressModel)
extending.unbox(PackedType)(_unbox)
extending.lower_builtin(operator.getitem, PointerType, types.intp)(_get_item)
extending.lower_builtin(operator.setitem, PointerType, types.intp, types.Any)(_set_item)
