"""Automata and tables that are kept: equal cages share one automaton, in whatever puzzle they are.

An automaton depends on its alphabets and on what its step and accept functions do. Two functions of
this library do the same if they have the same code and the same values in their closures (a sum, a
length, a table). A function from elsewhere is equal to itself only. So a constraint that builds
automata should close over the values it needs, not over ``self``; or it should pass them as
arguments to a function that builds the automaton, which are quicker to compare.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, MethodWrapperType
from typing import Any, TypeAlias, TypeVar

from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Domain, Relation
from csp_encodings.store import STORE

_OURS = "csp_sudoku.constraints."

# The memory of a pair in a table.
_PAIR_BYTES = 130

Table: TypeAlias = frozenset[tuple[int, int]]
Kept = TypeVar("Kept", Automaton, Table)


def frozen(value: object) -> Hashable:
    """Return a key for a value; values that behave differently have different keys.

    Raises :class:`TypeError` if no such key can be made.

    Examples
    --------
    >>> frozen([1, {"a": {2}}])
    (<class 'list'>, 1, (<class 'dict'>, (<class 'tuple'>, 'a', frozenset({2}))))
    """
    if isinstance(value, FunctionType) and value.__module__.startswith(_OURS):
        return _function_key(value)
    if isinstance(value, MethodType):
        return (MethodType, frozen(value.__func__), frozen(value.__self__))
    if isinstance(value, partial):
        value = (partial, value.func, value.args, value.keywords)
    if isinstance(value, MethodWrapperType | BuiltinMethodType):  # such as (1, 2).__contains__
        return (type(value), value.__name__, frozen(value.__self__))
    if isinstance(value, list | tuple):
        return (type(value), *[x if type(x) is int else frozen(x) for x in value])
    if isinstance(value, dict):
        return (dict, *map(frozen, value.items()))
    key = frozenset(value) if isinstance(value, set) else value
    hash(key)
    return key


def _function_key(function: FunctionType) -> tuple[Hashable, ...]:
    cells = [frozen(cell.cell_contents) for cell in function.__closure__ or ()]
    code: CodeType = function.__code__
    return (code, *cells, frozen(function.__defaults__), frozen(function.__kwdefaults__))


def alike(function: Callable[..., object]) -> Hashable:
    """Return a key for a function of a user, which is good while one puzzle is compiled.

    The same lambda, written once and made in a loop, is many functions. They do the same as long as
    nobody changes what they read from their module: so this key must not be kept for longer.

    Examples
    --------
    >>> first, second = [lambda a, b: a < b for _ in range(2)]
    >>> first == second, alike(first) == alike(second)
    (False, True)
    """
    try:
        if isinstance(function, FunctionType):
            key: Hashable = (*_function_key(function), id(function.__globals__))
        else:
            key = frozen(function)
        hash(key)
    except (TypeError, ValueError):  # a value that cannot be hashed; a closure that is not filled
        return id(function)
    return key


def _bytes(found: Automaton | Table | BudgetError) -> int:
    match found:
        case Automaton():
            return found.bytes
        case frozenset():
            return _PAIR_BYTES * len(found)
    return 0


def _get(key: Hashable, build: Callable[[], Kept]) -> Kept:
    """The automaton or table of a key. A budget that was too small once stays too small."""

    def attempt() -> Kept | BudgetError:
        try:
            return build()
        except BudgetError as error:
            return BudgetError(str(error))  # without the frames of the attempt

    found = STORE.get(key, attempt, _bytes)
    if isinstance(found, BudgetError):
        raise BudgetError(str(found))
    return found


def kept_machine(build: Callable[..., Automaton], *arguments: Hashable) -> Automaton:
    """Return the automaton that a function builds for some arguments; it is built once."""
    return _get((build, *arguments), lambda: build(*arguments))


def relation_table(predicate: Callable[[int, int], bool], first: Domain, second: Domain) -> Table:
    """Return the pairs of values of two domains that a predicate allows.

    Examples
    --------
    >>> sorted(relation_table(int.__lt__, (1, 2, 3), (1, 2, 3)))
    [(1, 2), (1, 3), (2, 3)]
    """

    def build() -> Table:
        return Relation.where(None, None, first, second, predicate).allowed

    try:
        key = (relation_table, frozen(predicate), first, second)
        hash(key)
    except (TypeError, ValueError):
        return build()
    return _get(key, build)


def fold_machine(
    alphabets: tuple[tuple[int, ...], ...],
    start: Hashable,
    step: Callable[..., Any],
    accept: Callable[[Any], object],
    **options: Any,
) -> Automaton:
    """Return what :meth:`Automaton.from_fold` builds; equal folds are built once."""

    def build() -> Automaton:
        return Automaton.from_fold(alphabets, start, step, accept, **options)

    try:
        key = (
            *(fold_machine, alphabets, frozen(start), frozen(step), frozen(accept)),
            *sorted(options.items()),
        )
        hash(key)
    except (TypeError, ValueError):  # a value that cannot be hashed; a closure that is not filled
        return build()
    return _get(key, build)
