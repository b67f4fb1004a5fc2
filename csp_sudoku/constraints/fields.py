"""The fields of a rule, declared once: type, conversion, check and default.

A rule declares its fields like a dataclass, each with one of the functions below:

>>> from csp_sudoku.constraints.base import CellConstraint
>>> @rule
... class AtLeast(CellConstraint):
...     name = "at-least"
...     least: int = whole(least=0)
...     def accepts(self, values):
...         return min(values) >= self.least
>>> AtLeast("R1C1 R1C2", 3)
AtLeast(cells=(R1C1, R1C2), least=3)
>>> AtLeast("R1C1 R1C2", "three")
Traceback (most recent call last):
    ...
csp_sudoku.errors.ConstraintError: at-least at R1C1: its least must be a whole number, not 'three'

:class:`Constraint` converts and checks what is given for every field, in their order, and then
calls ``validate`` for what concerns several fields. Plain dataclass fields are kept as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, field
from itertools import chain
from reprlib import repr as shown
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Never,
    Optional,
    Self,
    TypeAlias,
    TypeVar,
    dataclass_transform,
    overload,
)

from csp_sudoku.cells import Cell, CellsLike, Place, Var, cell, cells
from csp_sudoku.errors import ConstraintError
from csp_sudoku.integers import as_int, as_ints

Given = TypeVar("Given")
Held = TypeVar("Held")
Kind = TypeVar("Kind")
Reader: TypeAlias = Callable[[Any, str], Any]

# How many cells an error message lists.
_SHOWN = 6


# The types of fields that hold another type than they are given. Type checkers read them as
# descriptors: the constructor takes the first type, the attribute has the second, and nobody may
# assign to it. At run time `Read[Given, Held]` is just `Held`.
if TYPE_CHECKING:

    class Read(Generic[Given, Held]):
        """A field that is given one type and holds another."""

        @overload
        def __get__(self, instance: None, owner: type) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: type) -> Held: ...
        def __get__(self, instance: object, owner: type) -> Any: ...
        def __set__(self, instance: Never, value: Given) -> None: ...

else:

    class Read:
        """A field that is given one type and holds another."""

        def __class_getitem__(cls, types: tuple[Any, Any]) -> Any:
            return types[1]


OnePlace: TypeAlias = Read[CellsLike, Place]
OneCell: TypeAlias = Read[CellsLike, Cell]
Places: TypeAlias = Read[CellsLike, tuple[Place, ...]]
# `CellsLike` is a text at run time, which `|` does not take.
OptionalPlaces: TypeAlias = Read[Optional[CellsLike], tuple[Place, ...] | None]  # noqa: UP045
PlaceGroups: TypeAlias = Read[Iterable[CellsLike], tuple[tuple[Place, ...], ...]]
WholeNumbers: TypeAlias = Read[Iterable[int], tuple[int, ...]]
OptionalWholeNumbers: TypeAlias = Read[Iterable[int] | None, tuple[int, ...] | None]


class OneOf(tuple[int, ...]):
    """Several numbers, ascending, one of which is meant.

    Examples
    --------
    >>> print(OneOf((3, 5, 8)), "/", OneOf(range(10, 16)))
    3, 5 or 8 / one of 10 to 15
    """

    __slots__ = ()

    @property
    def is_range(self) -> bool:
        """Whether no number between the first and the last is missing."""
        return self[-1] - self[0] == len(self) - 1

    def __str__(self) -> str:
        if len(self) > 3 and self.is_range:
            return f"one of {self[0]} to {self[-1]}"
        return f"{', '.join(map(str, self[:-1]))} or {self[-1]}"


# A number that a puzzle may leave open. Rules are written for known numbers (see `unknowns`), and
# so type checkers see a number. What stands for an unknown one is in `Constraint.unknown`.
if TYPE_CHECKING:
    OpenNumber: TypeAlias = Read[int | CellsLike | Iterable[int], int]
    OptionalOpenNumber: TypeAlias = Read[int | CellsLike | Iterable[int] | None, int | None]
else:
    OpenNumber: TypeAlias = int | Cell | Var | OneOf
    OptionalOpenNumber: TypeAlias = int | Cell | Var | OneOf | None


def one_place(*, on_grid: bool = False) -> Any:
    """One cell or named variable; with `on_grid` a cell of the grid."""

    def read(given: Any, name: str) -> Place:
        found = _read_places(given, name, on_grid)
        if len(found) != 1:
            raise ConstraintError(f"its {name} must be one cell, not {_listing(found)}")
        return found[0]

    return converted(read)


def some_places(
    *,
    least: int = 1,
    most: int | None = None,
    needs: str = "",
    distinct: bool = False,
    on_grid: bool = False,
    default: Any = MISSING,
) -> Any:
    """Cells or named variables, in any form: from `least` to `most` of them.

    `needs` names them for the error message: ``"two ends and a cell between them"``.
    """
    wanted = needs or _count(least, most)

    def read(given: Any, name: str) -> tuple[Place, ...]:
        found = _read_places(given, name, on_grid)
        if len(found) < least or (most is not None and len(found) > most):
            subject = "" if name == "cells" else f"its {name} "
            raise ConstraintError(f"{subject}needs {wanted}, not {_listing(found)}")
        if distinct and len(set(found)) < len(found):
            twice = next(place for place in found if found.count(place) > 1)
            raise ConstraintError(f"its {name} must all be different, but {twice} comes twice")
        return found

    return converted(read, default=default, least=least, most=most)


def place_groups() -> Any:
    """Groups of cells or named variables: at least one group, and at least one cell in each."""

    def read(given: Any, name: str) -> tuple[tuple[Place, ...], ...]:
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise ConstraintError(
                f"its {name} must be a list of groups of cells, not {shown(given)}"
            )
        found = _listed(tuple([cells(group) for group in given]), name, empty=False, as_set=False)
        if not all(found):
            raise ConstraintError(f"each of its {name} needs at least 1 cell")
        return found

    return converted(read)


def whole(*, least: int | None = None, most: int | None = None, default: Any = MISSING) -> Any:
    """A whole number from `least` to `most`. None is accepted where it is the default."""

    def read(given: Any, name: str) -> int:
        return _read_number(given, name, least, most)

    return converted(read, default=default, least=least, most=most)


def open_number(*, least: int | None = None, default: Any = MISSING) -> Any:
    """A whole number that a puzzle may leave open; a class has at most one such field.

    It is a number from `least` up; or a named variable or a cell, whose value it is; or
    several numbers, one of which it is. What a rule with such a number means is in
    :mod:`csp_sudoku.constraints.unknowns`.
    """

    def read(given: Any, name: str) -> int | Place | OneOf:
        if isinstance(given, Cell | Var):
            return given
        if isinstance(given, str):
            try:
                return cell(given)
            except ConstraintError:
                raise ConstraintError(
                    f"its {name} must be a whole number, not {shown(given)}; an unknown one is a "
                    f"named variable such as $x, or a list of numbers"
                ) from None
        if as_int(given) is not None or not isinstance(given, Iterable):
            return _read_number(given, name, least, None)
        found = _listed(_read_numbers(given, name), name, empty=False, as_set=True)
        for number in found:
            _read_number(number, name, least, None)
        return OneOf(found) if len(found) > 1 else found[0]

    return converted(read, default=default, least=least, open=True)


def brief(number: int | Place | OneOf) -> str:
    """Return a number that may be open as a drawing shows it.

    Examples
    --------
    >>> brief(7), brief(Var("x")), brief(OneOf((10, 11, 12))), brief(OneOf((10, 12)))
    ('7', 'x', '10–12', '10/12')
    """
    if isinstance(number, Var):
        return number.name
    if not isinstance(number, OneOf):
        return str(number)
    return f"{number[0]}–{number[-1]}" if number.is_range else "/".join(map(str, number))


def whole_numbers(*, empty: bool = True, as_set: bool = False, default: Any = MISSING) -> Any:
    """Whole numbers, perhaps none if `empty`; with `as_set` ascending and each once."""

    def read(given: Any, name: str) -> tuple[int, ...]:
        return _listed(_read_numbers(given, name), name, empty=empty, as_set=as_set)

    return converted(read, default=default)


def number_rows(
    *, form: str = "", empty: bool = True, as_set: bool = False, default: Any = MISSING
) -> Any:
    """Rows of whole numbers, perhaps none if `empty`; with `as_set` ascending and each once.

    `form` names the numbers of a row, and so says how many there are: ``"factor, summand"``.
    """
    size = form.count(",") + 1

    def read(given: Any, name: str) -> tuple[tuple[int, ...], ...]:
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise ConstraintError(
                f"its {name} must be a list of rows of numbers, not {shown(given)}"
            )
        found = tuple(given)
        if not _are_rows_of_ints(found):
            found = tuple([_read_numbers(row, name) for row in found])
        for row in found if form else ():
            if len(row) != size:
                raise ConstraintError(f"its {name} must each be ({form}), not {row}")
        return _listed(found, name, empty=empty, as_set=as_set)

    return converted(read, default=default)


def flag(*, default: Any = MISSING) -> Any:
    """True or False."""

    def read(given: Any, name: str) -> bool:
        if type(given) is not bool:
            raise ConstraintError(f"{name} must be True or False, not {shown(given)}")
        return given

    return converted(read, default=default)


def word(*choices: str) -> Any:
    """One of some words; capital and small letters are the same."""
    known = {choice.lower(): choice for choice in choices}

    def read(given: Any, name: str) -> str:
        found = known.get(given.lower()) if isinstance(given, str) else None
        if found is None:
            raise ConstraintError(
                f"its {name} must be one of {', '.join(choices)}, not {shown(given)}"
            )
        return found

    return converted(read, choices=choices)


def text(*, default: Any = MISSING) -> Any:
    """Any text."""

    def read(given: Any, name: str) -> str:
        if not isinstance(given, str):
            raise ConstraintError(f"its {name} must be text, not {shown(given)}")
        return given

    return converted(read, default=default)


def converted(read: Reader, *, default: Any = MISSING, **more: object) -> Any:
    """A field with a reader of its own: ``read(given, field_name)`` returns what is held.

    It raises :class:`ConstraintError` to refuse what is given; the rule puts its label in front of
    the message. Where the default is None, None is accepted without a call of `read`.

    The reader is kept in the metadata of the dataclass field, with whatever `more` there is to say:
    the ``least`` and the ``most`` cells or number, or the ``choices`` of a word.
    """
    wanted = read
    if default is None:

        def read(given: Any, name: str) -> Any:
            return None if given is None else wanted(given, name)

    return field(default=default, metadata={"read": read, **more})


@overload
def rule(kind: type[Kind], /) -> type[Kind]: ...
@overload
def rule(*, init: bool = True) -> Callable[[type[Kind]], type[Kind]]: ...
# Not "frozen" for type checkers: mypy gives a field that a frozen class inherits the type that its
# constructor takes.
@dataclass_transform(
    eq_default=False,
    field_specifiers=(
        converted,
        field,
        flag,
        number_rows,
        one_place,
        open_number,
        place_groups,
        some_places,
        text,
        whole,
        whole_numbers,
        word,
    ),
)
def rule(kind: Any = None, /, *, init: bool = True) -> Any:
    """Make a class a rule with declared fields: a frozen dataclass.

    A class without fields of its own needs no decorator: it has those of its base. With
    ``init=False`` it keeps the constructor of its base, too, and changes only what a field accepts.
    """
    decorate = dataclass(frozen=True, init=init)
    return decorate if kind is None else decorate(kind)


def _read_places(given: Any, name: str, on_grid: bool) -> tuple[Place, ...]:
    found: tuple[Place, ...] = given if _is_tuple_of_cells(given) else cells(given)
    if on_grid and (named := [place for place in found if not isinstance(place, Cell)]):
        raise ConstraintError(f"its {name} must be in the grid, and {named[0]} is a named variable")
    return found


def _is_tuple_of_cells(given: Any) -> bool:
    """Whether the cells need no conversion; this saves most of the time to make a rule."""
    return (
        type(given) is tuple
        and {Cell}.issuperset(map(type, given))
        and {int}.issuperset(map(type, chain.from_iterable(given)))
    )


def _are_rows_of_ints(rows: tuple[Any, ...]) -> bool:
    """Whether the rows need no conversion; a file may have many large tables."""
    return {tuple}.issuperset(map(type, rows)) and {int}.issuperset(
        map(type, chain.from_iterable(rows))
    )


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least} cell{'s' * (least != 1)}"
    if least == most:
        return f"exactly {least} cells"
    return f"{least} {'or' if least + 1 == most else 'to'} {most} cells"


def _listing(found: tuple[Place, ...]) -> str:
    listed = " ".join(map(str, found[:_SHOWN])) + " …" * (len(found) > _SHOWN)
    return f"{len(found)} ({listed})" if found else "0"


def _read_number(given: Any, name: str, least: int | None, most: int | None) -> int:
    found = as_int(given)
    if found is None:
        raise ConstraintError(f"its {name} must be a whole number, not {shown(given)}")
    if least is not None and found < least:
        raise ConstraintError(f"its {name} must be {least} or more, not {found}")
    if most is not None and found > most:
        raise ConstraintError(f"its {name} must be {most} or less, not {found}")
    return found


def _read_numbers(given: Any, name: str) -> tuple[int, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ConstraintError(f"its {name} must be a list of whole numbers, not {shown(given)}")
    listed = tuple(given)
    found = as_ints(listed)
    if found is None:
        wrong = next(value for value in listed if as_int(value) is None)
        raise ConstraintError(f"its {name} must be whole numbers, not {shown(wrong)}")
    return found


def _listed(found: tuple[Any, ...], name: str, *, empty: bool, as_set: bool) -> tuple[Any, ...]:
    if not found and not empty:
        raise ConstraintError(f"its {name} must not be empty")
    return tuple(sorted(set(found))) if as_set else found
