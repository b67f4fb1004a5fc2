"""What a person wants to know of a rule: its call, its parameters, its JSON, its other names."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, Field
from typing import Any, NamedTuple

from csp_sudoku.cells import Cell, Var
from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.language.predicates import Condition
from csp_sudoku.puzzle import Puzzle

_ROLE = re.compile(r":(?:func|class|meth|mod|data|attr):`~?(?:[\w.]*\.)?([\w()]+)`")
_CODE = re.compile(r"``(.+?)``")
_PARAMETER = re.compile(r"`(.+?)`")


class Parameter(NamedTuple):
    """A parameter of a rule, in words."""

    name: str
    takes: str
    default: str
    """As Python writes it; empty if there is none."""


def plain(text: str) -> str:
    """Return a docstring as people read it in a terminal, without marks for code and links.

    Examples
    --------
    >>> plain("Usually ``a & b``, see :class:`~csp_sudoku.KillerCage`; `sum` is a number.")
    "Usually a & b, see KillerCage; 'sum' is a number."
    """
    return _PARAMETER.sub(r"'\1'", _CODE.sub(r"\1", _ROLE.sub(r"\1", text)))


def summary(kind: type[Constraint]) -> str:
    """Return the first line about a rule."""
    return plain((kind.__doc__ or "").strip().partition("\n")[0])


def about(kind: type[Constraint]) -> str:
    """Return all that is said about a rule, without the examples for Python."""
    text, _, _ = inspect.cleandoc(kind.__doc__ or "").partition("\nExamples\n")
    return plain(text.strip())


def signature(kind: type[Constraint]) -> str:
    """Return the call that makes a rule, with the defaults.

    Examples
    --------
    >>> from csp_sudoku import KillerCage, Skyscraper
    >>> signature(KillerCage), signature(Skyscraper)
    ('KillerCage(cells, sum=None)', 'Skyscraper(line, count, reverse=False)')
    """
    parameters = inspect.signature(kind).parameters.values()
    return f"{kind.__name__}({', '.join(map(_shown, parameters))})"


def _shown(parameter: inspect.Parameter) -> str:
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return f"*{parameter.name}"
    if parameter.default is inspect.Parameter.empty:
        return parameter.name
    return f"{parameter.name}={parameter.default!r}"


def parameters(kind: type[Constraint]) -> list[Parameter]:
    """Return the parameters of a rule: what each takes, and its default.

    Examples
    --------
    >>> from csp_sudoku import LittleKiller, Whisper
    >>> for parameter in (*parameters(Whisper), parameters(LittleKiller)[1]):
    ...     print(*filter(None, parameter), sep=" | ")
    cells | cells, at least 1
    difference | a number from 0 on, several numbers, or a named variable | None
    direction | NE, SE, SW or NW
    """
    fields: Mapping[str, Field[Any]] = getattr(kind, "__dataclass_fields__", {})
    found = []
    for name, parameter in inspect.signature(kind).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            continue
        missing = parameter.default in (inspect.Parameter.empty, MISSING)
        takes = _takes(fields[name]) if name in fields else ""
        found.append(Parameter(name, takes, "" if missing else repr(parameter.default)))
    return found


def _takes(field: Field[Any]) -> str:
    """What a field takes, by what its declaration says."""
    said, type_ = field.metadata, str(field.type)
    least, most = said.get("least"), said.get("most")
    if "takes" in said:
        return str(said["takes"])
    if "choices" in said:
        *others, last = said["choices"]
        return f"{', '.join(others)} or {last}" if others else last
    if "open" in said:
        return f"{_number(least, most)}, several numbers, or a named variable"
    if type_.removesuffix(" | None") == "int":
        return _number(least, most)
    if type_ in ("Places", "OptionalPlaces"):
        return "cells" if least is None else f"cells, {_count(least, most)}"
    return next((words for start, words in _TYPES.items() if type_.startswith(start)), "")


_TYPES = {
    "OnePlace": "a cell or named variable",
    "OneCell": "a cell",
    "PlaceGroups": "groups of cells",
    "WholeNumbers": "numbers",
    "OptionalWholeNumbers": "numbers",
    "bool": "True or False",
    "Constraint": "a rule",
    "Read[Iterable[Constraint]": "rules",
    "Read[Iterable[Iterable[int]]": "rows of numbers",
    "Read[Iterable[tuple[int": "rows of numbers",
    "Callable": "a function",
    "Predicate": "a text such as 'a + b > 5', or a function",
    "str": "a text",
    "Any": "any value",
}


def _number(least: int | None, most: int | None) -> str:
    if least is None:
        return "a number"
    return f"a number from {least} on" if most is None else f"a number from {least} to {most}"


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least}"
    return f"exactly {least}" if least == most else f"{least} to {most}"


def call(rule: Constraint) -> str:
    """Return a rule as people write it in Python.

    Examples
    --------
    >>> from csp_sudoku import KillerCage, Var, XSum
    >>> print(call(KillerCage("R1C1 R1C2", Var("x"))))
    cs.KillerCage("R1C1 R1C2", sum=cs.Var("x"))
    >>> print(call(XSum("C2", [5, 6], reverse=True)))
    cs.XSum("C2", sum=[5, 6], reverse=True)
    """
    written: list[str] = []
    parameters = inspect.signature(type(rule)).parameters
    for name, parameter in parameters.items():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            continue
        held = getattr(rule, name)
        if held != parameter.default:
            is_first = name == next(iter(parameters))
            written.append(_value(held) if is_first else f"{name}={_value(held)}")
    return f"cs.{type(rule).__name__}({', '.join(written)})"


def _value(held: object) -> str:
    if isinstance(held, tuple) and not isinstance(held, Cell):
        if held and all(isinstance(part, Cell | Var) for part in held):
            return f'"{" ".join(map(str, held))}"'
        return f"[{', '.join(map(_value, held))}]"
    if isinstance(held, Constraint):
        return call(held)
    if isinstance(held, str | Cell | Var | Condition):
        return f'cs.Var("{held.name}")' if type(held) is Var else f'"{held}"'
    return getattr(held, "__name__", "a_function") if callable(held) else repr(held)


def on_boards(kind: type[Constraint]) -> Iterator[tuple[Constraint, Puzzle]]:
    """Yield the examples of a rule that fit on a board of 4×4, 6×6 or 9×9, with the board.

    Examples
    --------
    >>> from csp_sudoku import Thermometer
    >>> next(on_boards(Thermometer))[1]
    <Puzzle 4×4, 0 givens, 1 constraint>
    """
    for side in (4, 6, 9):
        for example in kind.examples():
            with suppress(CspSudokuError):
                yield example, Puzzle.blank(side).add(example)


def json_of(rule: Constraint) -> str:
    """Return the entry of a rule in a document; empty if no document can hold it."""
    from csp_sudoku.formats.fields import write_constraint

    try:
        return json.dumps(write_constraint(rule, ""))
    except FormatError:
        return ""


def search(word: str) -> list[str]:
    """Return the names of the rules that a word may mean, the likeliest first.

    A name or an alias stands for its rule alone. Else any part of a name counts; if there is none,
    the words about a rule do.

    Examples
    --------
    >>> search("german"), search("thermo"), search("kropki")
    (['whisper'], ['thermometer'], ['difference', 'ratio', 'negative-kropki'])
    """
    wanted = "-".join(word.lower().split())
    others = registry.aliases()
    if wanted in registry.names():
        return [wanted]
    if wanted in others:
        return [others[wanted]]
    called = {name: [name, *kind.aliases] for name, kind in registry.kinds().items()}
    found = [name for name, names in called.items() if any(wanted in known for known in names)]
    if found:
        begins = {n for n in found if any(known.startswith(wanted) for known in called[n])}
        return sorted(found, key=lambda name: (name not in begins, name))
    words = wanted.replace("-", " ")
    return [name for name, kind in sorted(registry.kinds().items()) if words in about(kind).lower()]


def related(name: str) -> list[str]:
    """Return the other rules that have a word of their names in common with this one."""
    words = _words(registry.get(name))
    return [
        other
        for other, kind in sorted(registry.kinds().items())
        if other != name and not words.isdisjoint(_words(kind))
    ]


def _words(kind: type[Constraint]) -> set[str]:
    words = {word for name in (kind.name, *kind.aliases) for word in name.split("-")}
    return {word for word in words if len(word) > 1 and word not in _COMMON}


# Words that say nothing about a rule.
_COMMON = {
    "all", "and", "cage", "is", "line", "lines", "of", "one", "region", "sum", "sums", "the", "to",
    "values",
}  # fmt: skip
