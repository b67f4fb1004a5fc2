"""Constraints and backends of other packages: found by entry points, loaded by name.

A package offers a constraint in the group ``csp_sudoku.constraints`` and a backend in the group
``csp_sudoku.backends``. The name of the entry point is the name in files and on the command line.
A plug-in is imported when its name is first used. One that cannot be loaded is left out and does no
other harm; :func:`broken` lists these.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from csp_encodings.store import kept
from csp_sudoku.errors import PluginError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

CONSTRAINTS = "csp_sudoku.constraints"
BACKENDS = "csp_sudoku.backends"

# How many names a message lists.
_LISTED = 10

T = TypeVar("T")


@dataclass(frozen=True)
class BrokenPlugin:
    """A plug-in that is left out, and why."""

    name: str
    group: str
    package: str
    reason: str

    def __str__(self) -> str:
        kind = self.group.rpartition(".")[2].removesuffix("s")
        return f"plug-in {self.package}: its {kind} {self.name!r} is left out: {self.reason}"


def find(group: str, built_in: Container[str]) -> dict[str, EntryPoint]:
    """The plug-ins of a group by name, not yet loaded. A plug-in cannot replace a built-in."""
    found: dict[str, EntryPoint] = {}
    for entry in _entries(group):
        if entry.name not in built_in:
            found.setdefault(entry.name, entry)
    return found


def load(entry: EntryPoint, kind: type[T]) -> type[T]:
    """Load the class of an entry point; raise :class:`PluginError` if that is impossible."""
    loaded, reason = _load(entry, kind)
    if reason is not None:
        cause = loaded if isinstance(loaded, BaseException) else None
        raise PluginError(str(_broken(entry, reason))) from cause
    found: type[T] = loaded
    return found


def broken() -> tuple[BrokenPlugin, ...]:
    """All plug-ins that are left out. To find them, every plug-in is loaded."""
    from csp_sudoku import backends
    from csp_sudoku.backends.base import Backend
    from csp_sudoku.constraints import registry
    from csp_sudoku.constraints.base import Constraint

    return (
        *_broken_of(CONSTRAINTS, registry.classes(), Constraint),
        *_broken_of(BACKENDS, backends.TAKEN, Backend),
    )


def nearest(name: str, names: list[str]) -> str:
    """A hint for an unknown name: the most similar name, or the first names if none is similar.

    Examples
    --------
    >>> nearest("w-wingg", ["X-wing", "W-wing"])
    'did you mean W-wing?'
    """
    from difflib import get_close_matches

    known = {each.lower(): each for each in names}
    close = get_close_matches(name.lower(), known, n=1)
    if close:
        return f"did you mean {known[close[0]]}?"
    return f"there are {', '.join(names[:_LISTED])}{' …' * (len(names) > _LISTED)}"


def _entries(group: str) -> Iterable[EntryPoint]:
    return _entries_on(tuple(sys.path), group)


@kept(size=lambda found: 500 * len(found))
def _entries_on(path: tuple[str, ...], group: str) -> EntryPoints:
    """The entry points on a search path. Finding them takes longer than most puzzles."""
    from importlib.metadata import entry_points

    return entry_points(group=group)


def _broken_of(group: str, built_in: Container[str], kind: type) -> list[BrokenPlugin]:
    left_out, seen = [], set()
    for entry in _entries(group):
        if entry.name in built_in:
            left_out.append(_broken(entry, "a built-in has this name"))
        elif entry.name in seen:
            left_out.append(_broken(entry, "another plug-in has this name"))
        seen.add(entry.name)
    for entry in find(group, built_in).values():
        _, reason = _load(entry, kind)
        if reason is not None:
            left_out.append(_broken(entry, reason))
    return left_out


def _load(entry: EntryPoint, kind: type) -> tuple[Any, str | None]:
    """Load an entry point: its object or an exception, and why it cannot be used (or None)."""
    try:
        loaded = entry.load()
    except (Exception, SystemExit) as error:  # the import of a plug-in may raise anything
        return error, " ".join(f"{type(error).__name__}: {error}".split())
    if not (isinstance(loaded, type) and issubclass(loaded, kind)):
        return loaded, f"{entry.value} is not a subclass of {kind.__name__}"
    if getattr(loaded, "name", None) != entry.name:
        return loaded, f"{entry.value} calls itself {getattr(loaded, 'name', None)!r}"
    return loaded, None


def _broken(entry: EntryPoint, reason: str) -> BrokenPlugin:
    package = entry.dist.name if entry.dist else entry.module
    return BrokenPlugin(entry.name, entry.group, package, reason)
