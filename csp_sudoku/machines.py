"""Automata and tables that are kept: cages of the same size and sum, in any puzzle, share one.

An automaton depends on the alphabets and on what its step and accept functions do. Functions of
this library do the same when they have the same code and the same values in their closures (a sum,
a length, a table); functions of others are only the same as themselves. Constraints that build
automata should therefore close over what they need, not over ``self``; or say what they need as
arguments of a function that builds the automaton, which are compared sooner.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, MethodWrapperType
from typing import Any, TypeAlias, TypeVar

from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Domain, Relation

# In transitions: some ten megabytes.
_MOST_KEPT = 200_000
_OURS = "csp_sudoku.constraints."

Table: TypeAlias = frozenset[tuple[int, int]]
Kept = TypeVar("Kept", Automaton, Table)


class MachineCache:
    """The automata and tables used last, and the attempts that came to nothing.

    Examples
    --------
    >>> cache = MachineCache()
    >>> def even(alphabets):
    ...     return Automaton.from_fold(alphabets, 0, lambda s, v: (s + v) % 2, lambda s: s == 0)
    >>> cache.get("even", lambda: even([(1, 2)])) is cache.get("even", lambda: even([(1, 2)]))
    True
    """

    def __init__(self, most: int = _MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, key: Hashable, build: Callable[[], Kept]) -> Kept:
        """What a key stands for; built if it is not known. A budget that failed fails again."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
        if found is None:
            try:
                found = build()
            except BudgetError as error:
                found = str(error)
            self._keep(key, found)
        if isinstance(found, str):
            raise BudgetError(found)
        kept: Kept = found
        return kept

    def _keep(self, key: Hashable, found: Automaton | Table | str) -> None:
        with self._lock:
            if key in self._kept:  # another thread was first
                return
            self._kept[key] = found
            self._size += _size(found)
            while self._size > self._most:
                self._size -= _size(self._kept.popitem(last=False)[1])


def frozen(value: object) -> Hashable:
    """A key for a value that tells it from all that behave differently.

    Raises :class:`TypeError` where there is none.

    Examples
    --------
    >>> frozen([1, {"a": {2}}])
    (<class 'list'>, 1, (<class 'dict'>, (<class 'tuple'>, 'a', frozenset({2}))))
    """
    if isinstance(value, FunctionType) and value.__module__.startswith(_OURS):
        cells = [frozen(cell.cell_contents) for cell in value.__closure__ or ()]
        code: CodeType = value.__code__
        return (code, *cells, frozen(value.__defaults__), frozen(value.__kwdefaults__))
    if isinstance(value, MethodType):
        return (MethodType, frozen(value.__func__), frozen(value.__self__))
    if isinstance(value, MethodWrapperType | BuiltinMethodType):  # such as (1, 2).__contains__
        return (type(value), value.__name__, frozen(value.__self__))
    if isinstance(value, list | tuple):
        return (type(value), *[x if type(x) is int else frozen(x) for x in value])
    if isinstance(value, dict):
        return (dict, *map(frozen, value.items()))
    key = frozenset(value) if isinstance(value, set) else value
    hash(key)
    return key


def _size(found: Automaton | Table | str) -> int:
    match found:
        case Automaton():
            return 1 + found.edge_count
        case frozenset():
            return 1 + len(found)
    return 1


_machines = MachineCache()


def kept_machine(build: Callable[..., Automaton], *arguments: Hashable) -> Automaton:
    """The automaton that a function gives for some arguments, or the one it gave the last time."""
    return _machines.get((build, *arguments), lambda: build(*arguments))


def relation_table(predicate: Callable[[int, int], bool], first: Domain, second: Domain) -> Table:
    """The pairs of two domains that a predicate allows.

    Examples
    --------
    >>> sorted(relation_table(int.__lt__, (1, 2, 3), (1, 2, 3)))
    [(1, 2), (1, 3), (2, 3)]
    """

    def build() -> Table:
        return Relation.where(None, None, first, second, predicate).allowed

    try:
        key = (frozen(predicate), first, second)
        hash(key)
    except (TypeError, ValueError):
        return build()
    return _machines.get(key, build)


def fold_machine(
    alphabets: tuple[tuple[int, ...], ...],
    start: Hashable,
    step: Callable[..., Any],
    accept: Callable[[Any], object],
    **options: Any,
) -> Automaton:
    """:meth:`Automaton.from_fold`, or the automaton it gave the last time."""

    def build() -> Automaton:
        return Automaton.from_fold(alphabets, start, step, accept, **options)

    try:
        key = (alphabets, frozen(start), frozen(step), frozen(accept), *sorted(options.items()))
        hash(key)
    except (TypeError, ValueError):  # a value that cannot be hashed; a closure that is not filled
        return build()
    return _machines.get(key, build)
