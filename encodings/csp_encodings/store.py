"""One store for everything that is kept between calls, within one budget of bytes.

Three kinds of things are kept:

- results of pure functions (:func:`kept`), such as automata and clause patterns;
- results that also stay within reach of the object they belong to, by an :class:`Entry`;
- pools of things that one caller at a time may use (:class:`Pool`), such as solver sessions.

Each has a size: an estimate of its bytes, from a formula that was fitted to measured memory. When
the sizes add up to more than the budget, the store drops what was used least recently.

A look-up takes no lock: it reads a dictionary and notes the time, as a number that counts up. Only
adding and dropping lock the store.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Hashable, Iterable
from functools import wraps
from itertools import count
from threading import RLock
from typing import Any, Final, Generic, ParamSpec, Protocol, TypeVar, cast

T = TypeVar("T")
P = ParamSpec("P")

DEFAULT_BUDGET: Final = 256 * 2**20

# What an entry takes besides its value: the key, the entry itself, and its place in the dictionary.
_ENTRY_BYTES = 400

# How far the store is emptied when it is full. The rest is room for the next results: to find the
# oldest entries means to sort them all.
_LEFT = 7 / 8


class Closable(Protocol):
    """Something that must be closed when it is no longer kept."""

    def close(self) -> None:
        """Release what it holds."""


ThingT = TypeVar("ThingT", bound=Closable)


class _Dropped:
    """The value of an entry that the store has dropped."""


DROPPED: Final = _Dropped()


class Entry:
    """A value in the store. Whoever holds the entry finds the value without a look-up.

    The value is :data:`DROPPED` once the store has dropped it, so that an entry that is held keeps
    nothing alive.
    """

    __slots__ = ("size", "used", "value")

    def __init__(self, value: Any, size: int, used: int) -> None:
        self.value = value
        self.size = size
        self.used = used


class Store:
    """Values by their keys, up to a budget of bytes; the least recently used are dropped first.

    It may be used from several threads. Two threads that ask for a missing value at the same time
    both make it, and both get the one that was ready first.

    Examples
    --------
    >>> store = Store(budget=10_000)
    >>> store.get("square of 7", lambda: 7 * 7, size=4_000)
    49
    >>> store.get("square of 7", lambda: 1 / 0, size=4_000)  # it is kept: nothing is computed
    49
    >>> store.get("square of 8", lambda: 8 * 8, size=4_000)
    64
    >>> _ = store.get("square of 9", lambda: 9 * 9, size=4_000)  # one too many
    >>> "square of 7" in store, "square of 9" in store, store.bytes <= store.budget
    (False, True, True)
    """

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        self._budget = budget
        self._bytes = 0
        self._entries: dict[Hashable, Entry] = {}
        self._now = count().__next__
        # Reentrant, because comparing keys runs methods of the keys.
        self._lock = RLock()
        self._on_clear: list[Callable[[], None]] = []

    @property
    def budget(self) -> int:
        """How many bytes the values may have together."""
        return self._budget

    @budget.setter
    def budget(self, size: int) -> None:
        self._budget = size
        _close(self._shrink())

    @property
    def bytes(self) -> int:
        """How many bytes the values have together, by their sizes."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._entries

    def get(self, key: Hashable, make: Callable[[], T], size: int | Callable[[T], int] = 0) -> T:
        """Return the value of a key; make it if it is not there.

        Parameters
        ----------
        size
            The bytes of the value, or a function that finds them for a value that was made.
        """
        entry = self._entries.get(key)
        if entry is not None and (value := entry.value) is not DROPPED:
            entry.used = self._now()
            return cast(T, value)
        made = make()
        return self._add(key, made, size(made) if callable(size) else size)

    def entry(self, key: Hashable) -> Entry | None:
        """Return the entry of a key; None if nothing is kept for it."""
        return self._entries.get(key)

    def read(self, entry: Entry | None) -> Any:
        """Return the value of an entry, or DROPPED; it counts as used."""
        if entry is None:
            return DROPPED
        entry.used = self._now()
        return entry.value

    def take(
        self, key: Hashable, make: Callable[[], ThingT], size: int | Callable[[ThingT], int]
    ) -> tuple[Pool[ThingT], ThingT]:
        """Return a thing for the caller alone, made if none is idle, and the pool to return it to.

        Things that are in use count against the budget, too: the size of a thing is added to that
        of its pool when the thing is made.
        """
        pool: Pool[ThingT] = self.get(key, Pool)
        thing = pool.take()
        if thing is None:
            thing = make()
            self._grow(key, pool, size(thing) if callable(size) else size)
        return pool, thing

    def _grow(self, key: Hashable, value: object, size: int) -> None:
        """Note that the value of a key has become larger by so many bytes, if it is still kept."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.value is not value:
                return
            entry.size += size
            entry.used = self._now()
            self._bytes += size
            dropped = self._shrink()
        _close(dropped)

    def drop(self, unwanted: Callable[[Any], bool]) -> None:
        """Drop the values of all keys that a function picks."""
        with self._lock:
            dropped = [self._remove(key) for key in [*self._entries] if unwanted(key)]
        _close(dropped)

    def clear(self) -> None:
        """Drop everything, and do what :meth:`on_clear` asks for."""
        self.drop(lambda key: True)
        for work in self._on_clear:
            work()

    def on_clear(self, work: Callable[[], None]) -> None:
        """Let :meth:`clear` call this as well; for what is kept elsewhere, such as processes."""
        self._on_clear.append(work)

    def _unlock(self) -> None:
        self._lock = RLock()

    def _add(self, key: Hashable, value: T, size: int) -> T:
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:  # another thread was first
                return cast(T, entry.value)
            size += _ENTRY_BYTES
            self._entries[key] = Entry(value, size, self._now())
            self._bytes += size
            dropped = self._shrink()
        _close(dropped)
        return value

    def _shrink(self) -> list[Any]:
        """Drop entries until the rest is within the budget; return their values."""
        with self._lock:
            if self._bytes <= self._budget:
                return []
            # What does not fit at all must not push out everything else.
            large = [key for key, entry in self._entries.items() if entry.size > self._budget]
            dropped = [self._remove(key) for key in large]
            if self._bytes > self._budget:
                oldest = sorted(self._entries.items(), key=lambda item: item[1].used)
                for key, _ in oldest:
                    dropped.append(self._remove(key))
                    if self._bytes <= self._budget * _LEFT:
                        break
            return dropped

    def _remove(self, key: Hashable) -> Any:
        entry = self._entries.pop(key)
        self._bytes -= entry.size
        value, entry.value = entry.value, DROPPED
        return value


def _close(dropped: Iterable[Any]) -> None:
    """Close the pools among dropped values; the store must not be locked, as this may take long."""
    for value in dropped:
        if isinstance(value, Pool):
            value.close()


STORE: Final = Store()
"""The store of this process."""

# At the very end of the process solvers can no longer release what they hold.
atexit.register(STORE.clear)
# In a forked process nobody will unlock what another thread had locked.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=STORE._unlock)


def kept(size: int | Callable[[Any], int]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep the results of a pure function in the store, by its (positional) arguments.

    Parameters
    ----------
    size
        The bytes of a result, or a function that finds them for a result.

    Examples
    --------
    >>> @kept(size=100)
    ... def square(number: int) -> int:
    ...     print("computed")
    ...     return number * number
    >>> square(7), square(7)
    computed
    (49, 49)
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        entries, now = STORE._entries, STORE._now

        @wraps(function)
        def found(*arguments: Any) -> T:
            # `Store.get` is written out here: encoders come this way thousands of times.
            entry = entries.get((function, *arguments))
            if entry is not None and (value := entry.value) is not DROPPED:
                entry.used = now()
                return cast(T, value)
            made = cast(Callable[..., T], function)(*arguments)
            return STORE._add((function, *arguments), made, size(made) if callable(size) else size)

        return cast(Callable[P, T], found)

    return decorate


class Pool(Generic[ThingT]):
    """Things that one caller at a time may use; those that are idle wait for the next caller.

    Nothing here locks, so that the garbage collector may give a thing back at any moment: appending
    to a list and popping from it are single steps. A thing that is given back to a closed pool is
    closed, even if two threads do both at once. :meth:`give_back` first appends and then looks
    whether the pool is closed; :meth:`close` first says so and then empties the list.

    Examples
    --------
    >>> from io import StringIO
    >>> pool = Pool()
    >>> pool.take() is None  # nothing is idle
    True
    >>> file = StringIO()
    >>> pool.give_back(file)
    >>> pool.take() is file, pool.take() is None
    (True, True)
    >>> pool.close()
    >>> pool.give_back(file)
    >>> file.closed
    True
    """

    def __init__(self) -> None:
        self._idle: list[ThingT] = []
        self._closed = False

    def take(self) -> ThingT | None:
        """Return a thing for the caller alone; None if none is idle."""
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def give_back(self, thing: ThingT) -> None:
        """Let the next caller have a thing."""
        self._idle.append(thing)
        if self._closed:
            self.close()

    def close(self) -> None:
        """Close what is idle, and later whatever is given back."""
        self._closed = True
        while (thing := self.take()) is not None:
            thing.close()


class Lease(Generic[ThingT]):
    """A thing of a pool in the hands of one caller, until it is released; a context manager.

    A lease that nobody holds any more gives its thing back by itself.

    Examples
    --------
    >>> from io import StringIO
    >>> pool = Pool()
    >>> lease = Lease(pool, StringIO())
    >>> pool.take() is None
    True
    >>> del lease
    >>> pool.take()
    <_io.StringIO object at 0x...>
    """

    __slots__ = ("_pool", "thing")

    def __init__(self, pool: Pool[ThingT], thing: ThingT) -> None:
        self._pool: Pool[ThingT] | None = pool
        self.thing = thing

    def release(self) -> None:
        """Give the thing back; only the first call does."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.give_back(self.thing)

    __del__ = release

    def __enter__(self) -> ThingT:
        return self.thing

    def __exit__(self, *_: object) -> None:
        self.release()
