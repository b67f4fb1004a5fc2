"""The constraints by name: the built-in ones and those of plug-ins, for files and commands."""

from __future__ import annotations

import inspect
import reprlib
from functools import cache

from csp_sudoku import constraints, plugins
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import ConstraintError


@cache
def built_in() -> dict[str, type[Constraint]]:
    """Every constraint that :mod:`csp_sudoku.constraints` exports, by its name.

    Examples
    --------
    >>> built_in()["anti-knight"].__name__
    'AntiKnight'
    """
    exported = [getattr(constraints, name) for name in constraints.__all__]
    return {
        item.name: item
        for item in exported
        if isinstance(item, type) and issubclass(item, Constraint) and hasattr(item, "name")
    }


def names() -> list[str]:
    """All names, in order; plug-ins are named and not loaded."""
    known = built_in()
    return sorted([*known, *plugins.find(plugins.CONSTRAINTS, known)])


def get(name: str) -> type[Constraint]:
    """The class of a constraint; a plug-in is loaded here.

    Examples
    --------
    >>> get("windku")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.ConstraintError: no constraint is called 'windku'; did you mean windoku?
    """
    known = built_in()
    if name in known:
        return known[name]
    entry = plugins.find(plugins.CONSTRAINTS, known).get(name)
    if entry is None:
        hint = plugins.nearest(name, names())
        raise ConstraintError(f"no constraint is called {reprlib.repr(name)}; {hint}")
    return plugins.load(entry, Constraint)


def rule(name: str) -> Constraint:
    """A constraint that needs nothing but its name, such as ``anti-knight``.

    Examples
    --------
    >>> rule("diagonals")
    Diagonals(falling=True, rising=True)
    """
    found = get(name)
    needed = needs(found)
    if needed:
        raise ConstraintError(
            f"{name} cannot be given by its name alone: it needs {', '.join(needed)}; write it in "
            f"a JSON document"
        )
    return found()


def needs(constraint: type[Constraint]) -> list[str]:
    """What must be said to make such a constraint."""
    return [
        name
        for name, parameter in inspect.signature(constraint).parameters.items()
        if parameter.default is inspect.Parameter.empty
        and parameter.kind is not inspect.Parameter.VAR_POSITIONAL
    ]
