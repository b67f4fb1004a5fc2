"""The constraints by name: built-in ones and those of plug-ins, for files and commands."""

from __future__ import annotations

import inspect
import re
import reprlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from csp_sudoku import constraints, plugins
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import ConstraintError, PluginError

# The exported classes that are only bases of others.
_ABSTRACT = {"CellConstraint", "Constraint"}
# The places in a class name where a word begins: NegativeXV is negative-xv, XSum is x-sum.
_WORD = re.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@cache
def classes() -> dict[str, str]:
    """The names of all built-in constraints, each with the name of its class.

    A constraint has the name of its class, so this loads none of them.

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
    """Every constraint of this library by its name; this loads them all.

    Examples
    --------
    >>> built_in()["anti-knight"].__name__
    'AntiKnight'
    """
    return {name: get(name) for name in classes()}


def names() -> list[str]:
    """All names in order, those of plug-ins, too; this loads no constraint."""
    known = classes()
    return sorted([*known, *plugins.find(plugins.CONSTRAINTS, known)])


def aliases() -> dict[str, str]:
    """The other names that people use, each with the name; this loads all constraints.

    A name is never an alias of another constraint, and a built-in constraint keeps its aliases.

    Examples
    --------
    >>> aliases()["thermo"]
    'thermometer'
    """
    known = names()
    found: dict[str, str] = {}
    for name, kind in sorted(kinds().items(), key=lambda item: item[0] not in classes()):
        others = [alias for alias in kind.aliases if alias not in found and alias not in known]
        found |= dict.fromkeys(others, name)
    return found


def kinds() -> dict[str, type[Constraint]]:
    """The classes of all constraints by name, without those of plug-ins that cannot be loaded.

    Examples
    --------
    >>> kinds()["thermometer"].__name__
    'Thermometer'
    """
    return built_in() | {kind.name: kind for kind in of_plug_ins()}


def get(name: str) -> type[Constraint]:
    """The class of a constraint, by its name or an alias; this loads it.

    Examples
    --------
    >>> get("german-whisper").__name__
    'Whisper'
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
    if entry is not None:
        return plugins.load(entry, Constraint)
    others = aliases()
    if name in others:
        return get(others[name])
    hint = plugins.nearest(name, [*names(), *others])
    raise ConstraintError(f"no constraint is called {reprlib.repr(name)}; {hint}")


def of_plug_ins() -> Iterator[type[Constraint]]:
    """The constraints of plug-ins; one that cannot be loaded is named where plug-ins are listed."""
    for entry in plugins.find(plugins.CONSTRAINTS, classes()).values():
        with suppress(PluginError):
            yield plugins.load(entry, Constraint)


def rule(name: str) -> Constraint:
    """The constraint with this name, if it needs no arguments, such as ``anti-knight``.

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
    """The arguments that a constraint cannot do without."""
    return [
        name
        for name, parameter in inspect.signature(constraint).parameters.items()
        if parameter.default is inspect.Parameter.empty
        and parameter.kind is not inspect.Parameter.VAR_POSITIONAL
    ]
