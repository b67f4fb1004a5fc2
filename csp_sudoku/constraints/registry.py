"""The constraints by name: the built-in ones and those of plug-ins, for files and commands."""

from __future__ import annotations

import inspect
import re
import reprlib
from functools import cache

from csp_sudoku import constraints, plugins
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import ConstraintError

# The exported classes that are no constraints by themselves.
_ABSTRACT = {"CellConstraint", "Constraint"}
# Where a word of a class's name begins: NegativeXV is negative-xv, XSum is x-sum.
_WORD = re.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@cache
def classes() -> dict[str, str]:
    """The class of every constraint that :mod:`csp_sudoku.constraints` exports, by its name.

    A constraint is called like its class, so none of them is loaded for this.

    Examples
    --------
    >>> classes()["anti-knight"]
    'AntiKnight'
    """
    return {
        _WORD.sub("-", kind).lower(): kind
        for kind in vars(constraints)["__all__"]  # which type checkers do not see
        if kind[0].isupper() and kind not in _ABSTRACT
    }


def built_in() -> dict[str, type[Constraint]]:
    """Every constraint of this library by its name; all are loaded.

    Examples
    --------
    >>> built_in()["anti-knight"].__name__
    'AntiKnight'
    """
    return {name: get(name) for name in classes()}


def names() -> list[str]:
    """All names, in order; no constraint is loaded."""
    known = classes()
    return sorted([*known, *plugins.find(plugins.CONSTRAINTS, known)])


def get(name: str) -> type[Constraint]:
    """The class of a constraint; it is loaded here.

    Examples
    --------
    >>> get("windku")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.ConstraintError: no constraint is called 'windku'; did you mean windoku?
    """
    known = classes()
    if name in known:
        found: type[Constraint] = getattr(constraints, known[name])
        return found
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
