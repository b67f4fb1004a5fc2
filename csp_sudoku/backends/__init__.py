"""The backends by name: the built-in ones and those of plug-ins. Each is imported when needed."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from typing import Any

from csp_sudoku import plugins
from csp_sudoku.backends.base import Backend
from csp_sudoku.errors import BackendError

BUILT_IN = {
    "sat": "csp_sudoku.backends.sat:Sat",
    "cpsat": "csp_sudoku.backends.cpsat:CpSat",
    "search": "csp_sudoku.backends.search:Search",
    "boards": "csp_sudoku.backends.boards:Boards",
    "dlx": "csp_sudoku.backends.dlx:Dlx",
    "lp": "csp_sudoku.backends.lp:Lp",
}
#: Some of them together; it has no opinion of its own, so it is not among the names.
PORTFOLIO = {"auto": "csp_sudoku.backends.auto:Auto"}
#: Asked by name alone: the first is slow on all but small puzzles, the second gives up where it is
#: stuck unless it may guess, the third needs CPMpy and is slow to enumerate.
BY_NAME = {
    "textbook": "csp_sudoku.backends.textbook:Textbook",
    "strategies": "csp_sudoku.backends.strategies:Strategies",
    "cpmpy": "csp_sudoku.backends.cpmpy:Cpmpy",
}
_OURS = BUILT_IN | PORTFOLIO | BY_NAME
#: Names that no plug-in can have: the oracle is no graph backend.
TAKEN = (*_OURS, "brute")


def names() -> list[str]:
    """The names of the graph backends; none of them is loaded."""
    return [*BUILT_IN, *plugins.find(plugins.BACKENDS, TAKEN)]


def get(spec: str | Backend) -> Backend:
    """A backend by name, with options by choice: ``sat``, ``sat:solver=cadical195``.

    The first option needs no name: ``sat:cadical195``, ``cpmpy:choco``.

    Examples
    --------
    >>> get("sat:solver=minisat22").name
    'sat'
    """
    if isinstance(spec, Backend):
        return spec
    name, _, options = str(spec).partition(":")
    return _make(name, load(name), options)


def load(name: str) -> type[Backend]:
    """The class of a backend."""
    if name in _OURS:
        return _load_ours(name)
    entry = plugins.find(plugins.BACKENDS, TAKEN).get(name)
    if entry is None:
        hint = plugins.nearest(name, [*names(), *BY_NAME, "brute"])
        raise BackendError(f"no backend is called {name[:40]!r}; {hint}")
    return plugins.load(entry, Backend)  # type: ignore[type-abstract]


@cache
def _load_ours(name: str) -> type[Backend]:
    """To import a module anew each time takes longer than to search many a puzzle."""
    module, _, attribute = _OURS[name].partition(":")
    try:
        found: type[Backend] = getattr(import_module(module), attribute)
    except ImportError as error:
        raise BackendError(f"backend {name} cannot be loaded: {error}") from error
    return found


def _make(name: str, backend: type[Backend], options: str) -> Backend:
    known = inspect.signature(backend).parameters if options else {}
    arguments: dict[str, Any] = {}
    for number, option in enumerate(filter(None, options.split(","))):
        key, equals, value = option.partition("=")
        if not equals and number == 0 and known:
            key, value = next(iter(known)), option
        elif not equals or key not in known:
            raise BackendError(
                f"backend {name}: option {option!r} is not one of its "
                f"{', '.join(f'{parameter}=…' for parameter in known) or 'none'}"
            )
        arguments[key] = _value(value)
    return backend(**arguments)


def _value(text: str) -> str | int | bool:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
