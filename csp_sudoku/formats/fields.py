"""Constraints as JSON: the fields of a class are the keys, so a new class needs no code here.

The type of a field may be int, bool, str, Literal, None, a cell or named variable, a constraint, or
a tuple or union of these. A predicate is a text; a Python function has no JSON form.
"""

from __future__ import annotations

import inspect
import types
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import msgspec

from csp_sudoku.cells import Cell, LayerCell, Place, Var, cell, cells
from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import OneOf
from csp_sudoku.errors import ConstraintError, FormatError, PluginError
from csp_sudoku.formats.strict_json import MAX_DEPTH
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.language.predicates import Condition
from csp_sudoku.plugins import nearest
from csp_sudoku.puzzle import Puzzle

# Far more cells than any rule has. The limit is for ranges: a short text can stand for many cells.
_MAX_CELLS = 10_000
PLACE_SCHEMA = {
    "description": (
        "A cell such as R1C1 (row 1, column 1), a named variable such as $x, "
        "or a cell of a layer such as shaded:R1C1."
    ),
    "type": "string",
    "pattern": (
        r"^([Rr][1-9][0-9]{0,3}[Cc][1-9][0-9]{0,3}|\$[A-Za-z_][A-Za-z_0-9]*|"
        r"[A-Za-z_][A-Za-z_0-9]*:[Rr][0-9]{1,4}(\.5)?[Cc][0-9]{1,4}(\.5)?)$"
    ),
}
# A constraint in the list of another one takes two levels of JSON.
_MAX_NESTED = MAX_DEPTH // 2 - 5


def write_constraint(constraint: Constraint, path: str) -> dict[str, Any]:
    """A constraint as a JSON object.

    Examples
    --------
    >>> from csp_sudoku import KillerCage
    >>> write_constraint(KillerCage("R1C1 R1C2", 5), "")
    {'type': 'killer-cage', 'cells': ['R1C1', 'R1C2'], 'sum': 5}
    """
    return dict(_Constraint().encode(constraint, path))


def read_constraint(value: object, path: str, shape: Puzzle) -> Constraint:
    """Read a constraint from a JSON object; `shape` has the grids and variables of its puzzle."""
    found: Constraint = _Constraint().decode(value, path, shape)
    return found


def read_place(value: object, path: str, shape: Puzzle) -> Place:
    """Read a cell or named variable of the puzzle."""
    found: Place = _Place().decode(value, path, shape)
    return found


def read_places(value: object, path: str, shape: Puzzle) -> tuple[Place, ...]:
    """Read a list of cells, or several cells in one text."""
    return _Sequence(_Place()).decode(value, path, shape)


def declared(constraint: Constraint, shape: Puzzle) -> Puzzle:
    """The shape with the named variables that a constraint brings into the puzzle."""
    brought = [*constraint.uses(shape), *constraint.declares(shape)]
    named = {**dict(brought), **dict(shape.named)}
    return shape if len(named) == len(shape.named) else replace(shape, named=tuple(named.items()))


def read_integers(value: object, path: str) -> tuple[int, ...]:
    """Read a list of whole numbers."""
    return tuple(_Plain(list[int]).decode(value, path))


def constraint_schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """The name and the JSON Schema of every constraint that has a JSON form."""
    for name, kind in registry.kinds().items():
        try:
            fields_ = _fields(kind)
        except _NotWritable:
            continue
        properties = {"type": {"const": name}, **{f.name: f.codec.schema() for f in fields_}}
        required = ["type", *(field.name for field in fields_ if field.is_required)]
        yield (
            name,
            {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": False,
            },
        )


class _NotWritable(Exception):  # noqa: N818 - not an error: it says why there is no JSON form
    """A class has no JSON form."""


class _Codec(ABC):
    """How values of one type are written, read and described."""

    @abstractmethod
    def encode(self, value: Any, path: str) -> Any: ...

    @abstractmethod
    def decode(self, value: Any, path: str, shape: Puzzle) -> Any: ...

    @abstractmethod
    def schema(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class _Plain(_Codec):
    """Whole numbers, truth values, text, fixed words and None, as msgspec reads them."""

    hint: Any

    def encode(self, value: Any, path: str) -> Any:
        return self.decode(value, path)

    def decode(self, value: Any, path: str, shape: Puzzle | None = None) -> Any:
        if isinstance(value, str) and not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise FormatError(f"{path}: {shown(value)} is half a character") from None
        try:
            return msgspec.convert(value, self.hint)
        except msgspec.ValidationError as error:
            inner, reason = complaint(error)
            raise FormatError(f"{path}{inner}: {reason}") from None

    def schema(self) -> dict[str, Any]:
        return msgspec.json.schema(self.hint)


@dataclass(frozen=True)
class _Place(_Codec):
    """A cell or a named variable, as people write it."""

    def encode(self, value: Place, path: str) -> str:
        return str(value)

    def decode(self, value: Any, path: str, shape: Puzzle) -> Place:
        if not isinstance(value, str):
            raise FormatError(f"{path}: {shown(value)} is not a cell; write one as R1C1")
        try:
            place = cell(value)
        except ConstraintError:
            raise FormatError(f"{path}: {shown(value)} is not a cell; write one as R1C1") from None
        if not shape.has(place):
            raise FormatError(f"{path}: {shape.no_such_place(place)}")
        return place

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/place"}


@dataclass(frozen=True)
class _Sequence(_Codec):
    """A list of any length; for cells also one text, as ``R1C1-R1C4 R2C1``."""

    item: _Codec

    def encode(self, value: Iterable[Any], path: str) -> list[Any]:
        return [self.item.encode(item, f"{path}[{i}]") for i, item in enumerate(value)]

    def decode(self, value: Any, path: str, shape: Puzzle) -> tuple[Any, ...]:
        if isinstance(value, str) and isinstance(self.item, _Place):
            return tuple(_cells(value, path, shape))
        if not isinstance(value, list):
            raise FormatError(f"{path}: {shown(value)} is not a list")
        return tuple(self.item.decode(v, f"{path}[{i}]", shape) for i, v in enumerate(value))

    def schema(self) -> dict[str, Any]:
        listed = {"type": "array", "items": self.item.schema()}
        if isinstance(self.item, _Place):
            return {"anyOf": [listed, {"type": "string"}]}
        return listed


@dataclass(frozen=True)
class _Tuple(_Codec):
    """A list of fixed length, each item with its own type."""

    items: tuple[_Codec, ...]

    def encode(self, value: tuple[Any, ...], path: str) -> list[Any]:
        pairs = zip(self.items, value, strict=True)
        return [codec.encode(item, f"{path}[{i}]") for i, (codec, item) in enumerate(pairs)]

    def decode(self, value: Any, path: str, shape: Puzzle) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) != len(self.items):
            raise FormatError(f"{path}: {shown(value)} is not a list of {len(self.items)}")
        pairs = zip(self.items, value, strict=True)
        return tuple(c.decode(item, f"{path}[{i}]", shape) for i, (c, item) in enumerate(pairs))

    def schema(self) -> dict[str, Any]:
        size = len(self.items)
        items = [codec.schema() for codec in self.items]
        return {"type": "array", "prefixItems": items, "minItems": size, "maxItems": size}


@dataclass(frozen=True)
class _OpenNumber(_Codec):
    """A number that may be open: also a list of numbers, or a cell or named variable.

    A named variable need not be declared: its rule says which values it has.
    """

    def encode(self, value: int | Place | OneOf, path: str) -> Any:
        if isinstance(value, Cell | Var):
            return str(value)
        return list(value) if isinstance(value, OneOf) else value

    def decode(self, value: Any, path: str, shape: Puzzle) -> Any:
        if not isinstance(value, str):
            return _Plain(list[int] if isinstance(value, list) else int).decode(value, path)
        try:
            place = cell(value)
        except ConstraintError:
            raise FormatError(
                f"{path}: {shown(value)} is not a number; an unknown one is a named variable such "
                f"as $x, or a list of numbers"
            ) from None
        return place if type(place) is Var else _Place().decode(value, path, shape)

    def schema(self) -> dict[str, Any]:
        several = {"type": "array", "items": {"type": "integer"}, "minItems": 1}
        return {"anyOf": [{"type": "integer"}, several, _Place().schema()]}


@dataclass(frozen=True)
class _Predicate(_Codec):
    """A condition on the values of some cells, as text."""

    def encode(self, value: Any, path: str) -> str:
        if not isinstance(value, Condition):
            raise _NotWritable("its predicate is a Python function and no text like 'a + b == 5'")
        return value.text

    def decode(self, value: Any, path: str, shape: Puzzle) -> str:
        return str(_Plain(str).decode(value, path))

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


@dataclass(frozen=True)
class _Union(_Codec):
    """One of several types: the first that fits. If none does, the error is that of the last."""

    choices: tuple[_Codec, ...]

    def encode(self, value: Any, path: str) -> Any:
        return self._first(lambda codec: codec.encode(value, path))

    def decode(self, value: Any, path: str, shape: Puzzle) -> Any:
        return self._first(lambda codec: codec.decode(value, path, shape))

    def _first(self, attempt: Any) -> Any:
        for codec in self.choices[:-1]:
            try:
                return attempt(codec)
            except FormatError:
                continue
        return attempt(self.choices[-1])

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [codec.schema() for codec in self.choices]}


@dataclass(frozen=True)
class _Constraint(_Codec):
    """A constraint: an object with its name as ``type``, and its fields."""

    def encode(self, value: Constraint, path: str) -> dict[str, Any]:
        if path.count(".") > _MAX_NESTED:
            raise FormatError(f"{path[:30]}…: nested more than {_MAX_NESTED} deep")
        self._check_registered(value, path)
        written: dict[str, Any] = {"type": value.name}
        try:
            for field in _fields(type(value)):
                held = getattr(value, field.name)
                if held != field.default:
                    written[field.name] = field.codec.encode(held, f"{path}.{field.name}")
        except _NotWritable as reason:
            raise FormatError(
                f"{path}: {value.label} has no JSON form, because {reason}; use a rule as text, a "
                f"table or a state machine"
            ) from None
        return written

    def _check_registered(self, value: Constraint, path: str) -> None:
        try:
            registered = registry.get(value.name) is type(value)
        except (ConstraintError, PluginError):
            registered = False
        if not registered:
            raise FormatError(
                f"{path}: {type(value).__name__} is not registered as {value.name!r}, so it could "
                f"not be read again; register it as a plug-in"
            )

    def decode(self, value: Any, path: str, shape: Puzzle) -> Constraint:
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            raise FormatError(f'{path}: a constraint is an object with a "type"')
        try:
            found = registry.get(value["type"])
            # An alias is refused: a rule of a plug-in that is not installed may have this name.
            if found.name != value["type"]:
                raise FormatError(f'{path}.type: write "{found.name}", not {shown(value["type"])}')
            fields_ = _fields(found)
        except (ConstraintError, PluginError) as error:
            raise FormatError(f"{path}.type: {error}") from None
        except _NotWritable as reason:
            raise FormatError(f"{path}.type: {found.name} has no JSON form: {reason}") from None
        known = [field.name for field in fields_]
        for key in value:
            if key != "type" and key not in known:
                hint = nearest(key, known) if known else "it has no fields"
                raise FormatError(f"{path}: {found.name} has no field {shown(key)}; {hint}")
        arguments = {}
        for field in fields_:
            if field.name in value:
                held, place = value[field.name], f"{path}.{field.name}"
                arguments[field.name] = field.codec.decode(held, place, shape)
            elif field.is_required:
                raise FormatError(f"{path}: {found.name} needs the field {field.name!r}")
        try:
            return found(**arguments)
        except ConstraintError as error:
            raise FormatError(f"{path}: {error}") from None

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/constraint"}


@dataclass(frozen=True)
class _Field:
    """A field of a constraint class; its default is MISSING if it has none."""

    name: str
    codec: _Codec
    default: Any

    @property
    def is_required(self) -> bool:
        return self.default is MISSING


def _fields(kind: type[Constraint]) -> tuple[_Field, ...]:
    """The fields of a constraint class; none if it is not a dataclass."""
    return _cached_fields(cast(Any, kind))


@cache
def _cached_fields(kind: Any) -> tuple[_Field, ...]:
    if not is_dataclass(kind):
        return ()
    hints = get_type_hints(kind)
    # The defaults are those of the constructor, which a class may have written itself.
    parameters = inspect.signature(cast(Any, kind)).parameters
    found = []
    for field in fields(kind):
        if field.name not in parameters:
            raise _NotWritable(f"its field {field.name!r} is not an argument of its constructor")
        codec = _codec(hints[field.name])
        if codec is None:
            raise _NotWritable(f"its field {field.name!r} is a Python object")
        default = parameters[field.name].default
        missing = default is inspect.Parameter.empty
        found.append(_Field(field.name, codec, MISSING if missing else default))
    return tuple(found)


def _codec(hint: Any) -> _Codec | None:
    if hint in (int, bool, str, types.NoneType) or get_origin(hint) is Literal:
        return _Plain(hint)
    if hint in (Cell, Var):
        return _Place()
    if isinstance(hint, type) and issubclass(hint, Constraint):
        return _Constraint()
    if get_origin(hint) is tuple:
        return _tuple_codec(get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return _union_codec(hint, get_args(hint))
    return None


def _tuple_codec(arguments: tuple[Any, ...]) -> _Codec | None:
    parts = [_codec(argument) for argument in arguments if argument is not ...]
    known = tuple(part for part in parts if part is not None)
    if not parts or len(known) < len(parts):
        return None
    return _Sequence(known[0]) if arguments[-1] is ... else _Tuple(known)


def _union_codec(hint: Any, arguments: tuple[Any, ...]) -> _Codec | None:
    # A cell and a variable have the same codec. None goes first: the error shown is the last one's.
    ordered = sorted(arguments, key=lambda argument: argument is not types.NoneType)
    if Condition in arguments:
        return _Predicate()
    if OneOf in arguments:
        number = _OpenNumber()
        return number if ordered[0] is not types.NoneType else _Union((_Plain(None), number))
    choices = dict.fromkeys(map(_codec, ordered))
    known = tuple(choice for choice in choices if choice is not None)
    if len(known) < len(choices):
        return None
    if all(isinstance(choice, _Plain) for choice in known):
        return _Plain(hint)
    return known[0] if len(known) == 1 else _Union(known)


def _cells(text: str, path: str, shape: Puzzle) -> Iterator[Place]:
    """Read cells from one text. The ends of a range are checked before its cells are listed."""
    count = 0
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        start = read_place(first, path, shape)
        if dash and isinstance(start, LayerCell):
            last = f"{start.layer}:{last}"  # "shaded:R1C1-R1C4" names the layer once
        end = read_place(last, path, shape) if dash else start
        size = 1
        if isinstance(start, Cell | LayerCell) and isinstance(end, Cell | LayerCell):
            size = int((abs(start.row - end.row) + 1) * (abs(start.col - end.col) + 1))
        elif dash:
            raise FormatError(f"{path}: {shown(word)} is not a range of cells such as R1C1-R1C4")
        count += size
        if count > _MAX_CELLS:
            raise FormatError(f"{path}: more than {_MAX_CELLS} cells")
        for place in cells(word):
            yield read_place(str(place), path, shape)


def complaint(error: msgspec.ValidationError) -> tuple[str, str]:
    """The path and the reason in an error of msgspec."""
    # The message may quote a key of the document, which may be anything.
    message = "".join(sign if sign.isprintable() else "?" for sign in str(error))
    reason, _, path = message.partition(" - at `$")
    return path.removesuffix("`").removeprefix("."), reason[0].lower() + reason[1:200]
