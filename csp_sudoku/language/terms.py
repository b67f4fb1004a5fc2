"""Expressions over cells: what a rule says when the groups of a puzzle are known.

A term is an operator with its parts. Its :func:`value` is the meaning of the rule: nothing else is
trusted. Division and remainder are Python's: ``-7 // 2`` is -4 and ``-7 % 2`` is 1. A division by
0 has no value, and neither has an item that is not there. A comparison of what has no value is
false.

============  ==================================  ===========================
operator      parts                               data
============  ==================================  ===========================
number                                            the number
place                                             the place
sum           numbers                             their weights, and a summand
product       numbers
// %          two numbers
abs           a number
min max       numbers
distinct      numbers: how many different values
item          numbers, the last is the index
position      numbers, the last is the value
choose        a condition and two numbers
compare       two numbers                         ``==`` and the like
different     numbers
and or not    conditions
============  ==================================  ===========================

A condition is a number, too: 1 or 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import prod
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from csp_sudoku.errors import ConstraintError

#: The most parts of a rule, and how many may stand inside each other.
MOST_PARTS = 100_000
_MOST_DEPTH = 150

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
CONDITIONS = frozenset({"compare", "different", "and", "or", "not"})


class Undefined(Exception):  # noqa: N818 - not an error: a comparison of it is false
    """A number has no value: a division by 0, or an item that is not there."""


@dataclass(frozen=True, slots=True)
class Term:
    """An operator with its parts; see the table of this module."""

    operator: str
    parts: tuple[Term, ...] = ()
    data: Any = None
    size: int = field(default=1, compare=False, repr=False)
    depth: int = field(default=1, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.parts:
            return
        size = 1 + sum([part.size for part in self.parts])
        depth = 1 + max([part.depth for part in self.parts])
        if size > MOST_PARTS:
            raise ConstraintError(f"the rule has more than {MOST_PARTS:,} parts")
        if depth > _MOST_DEPTH:
            raise ConstraintError(f"more than {_MOST_DEPTH} parts stand inside each other")
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "depth", depth)

    @property
    def is_condition(self) -> bool:
        """Whether the term is true or false."""
        return self.operator in CONDITIONS


def value(term: Term, values: Mapping[Any, int]) -> int:
    """Return the value of a term; raises :class:`Undefined` if it has none.

    Examples
    --------
    >>> value(joined("//", place("x"), number(2)), {"x": -7})
    -4
    """
    return _VALUE[term.operator](term, values)


def holds(condition: Term, values: Mapping[Any, int]) -> bool:
    """Whether a condition is true."""
    return bool(value(condition, values))


def _sum(term: Term, values: Mapping[Any, int]) -> int:
    weights, summand = term.data
    total: int = summand
    for weight, part in zip(weights, term.parts, strict=True):
        total += weight * value(part, values)
    return total


def _list(term: Term, values: Mapping[Any, int]) -> list[int]:
    return [value(part, values) for part in term.parts]


def _divide(term: Term, values: Mapping[Any, int]) -> int:
    first, second = _list(term, values)
    if second == 0:
        raise Undefined
    return first // second if term.operator == "//" else first % second


def _item(term: Term, values: Mapping[Any, int]) -> int:
    *items, index = _list(term, values)
    if not 1 <= index <= len(items):
        raise Undefined
    return items[index - 1]


def _position(term: Term, values: Mapping[Any, int]) -> int:
    *items, wanted = _list(term, values)
    if wanted not in items:
        raise Undefined
    return items.index(wanted) + 1


def _choose(term: Term, values: Mapping[Any, int]) -> int:
    test, yes, no = term.parts
    return value(yes if value(test, values) else no, values)


def _compare(term: Term, values: Mapping[Any, int]) -> int:
    first, second = term.parts
    try:
        return COMPARE[term.data](value(first, values), value(second, values))
    except Undefined:
        return False


def _different(term: Term, values: Mapping[Any, int]) -> int:
    try:
        return len(set(_list(term, values))) == len(term.parts)
    except Undefined:
        return False


_VALUE: dict[str, Callable[[Term, Mapping[Any, int]], int]] = {
    "number": lambda term, values: int(term.data),
    "place": lambda term, values: values[term.data],
    "sum": _sum,
    "product": lambda term, values: prod(_list(term, values)),
    "//": _divide,
    "%": _divide,
    "abs": lambda term, values: abs(value(term.parts[0], values)),
    "min": lambda term, values: min(_list(term, values)),
    "max": lambda term, values: max(_list(term, values)),
    "distinct": lambda term, values: len(set(_list(term, values))),
    "item": _item,
    "position": _position,
    "choose": _choose,
    "compare": _compare,
    "different": _different,
    "and": lambda term, values: all(value(part, values) for part in term.parts),
    "or": lambda term, values: any(value(part, values) for part in term.parts),
    "not": lambda term, values: not value(term.parts[0], values),
}


# Making terms; what is known at once is worked out.


def number(amount: int) -> Term:
    """Return a number."""
    return Term("number", (), amount)


TRUE, FALSE = number(1), number(0)


def place(where: Any) -> Term:
    """Return the value of a place."""
    return Term("place", (), where)


def joined(operator: str, *parts: Term, data: Any = None) -> Term:
    """Return an operator with its parts; a number, if all parts are.

    Examples
    --------
    >>> joined("max", number(3), number(7)).data
    7
    """
    made = Term(operator, parts, data)
    if all(part.operator == "number" for part in parts):
        try:
            return number(int(value(made, {})))
        except Undefined:
            return made
    return made


def weighted(parts: Iterable[tuple[int, Term]], summand: int = 0) -> Term:
    """Return a weighted sum; sums in it are taken apart."""
    weights: list[int] = []
    found: list[Term] = []
    for weight, part in parts:
        if part.operator == "number":
            summand += weight * part.data
        elif part.operator == "sum":
            weights += [weight * inner for inner in part.data[0]]
            found += part.parts
            summand += weight * part.data[1]
        else:
            weights.append(weight)
            found.append(part)
    if not found:
        return number(summand)
    if weights == [1] and not summand:
        return found[0]
    return Term("sum", tuple(found), (tuple(weights), summand))


def both(parts: Iterable[Term]) -> Term:
    """Return a condition that is true when all parts are."""
    return _connected("and", parts, neutral=TRUE)


def either(parts: Iterable[Term]) -> Term:
    """Return a condition that is true when a part is."""
    return _connected("or", parts, neutral=FALSE)


def _connected(operator: str, parts: Iterable[Term], neutral: Term) -> Term:
    found: dict[Term, None] = {}
    for part in parts:
        if part.operator == "number":
            if part.data != neutral.data:
                return number(1 - neutral.data)
        elif part.operator == operator:
            found |= dict.fromkeys(part.parts)
        else:
            found[part] = None
    if len(found) <= 1:
        return next(iter(found), neutral)
    return Term(operator, tuple(found))


def negated(condition: Term) -> Term:
    """Return a condition that is true when another one is not."""
    if condition.operator == "not":
        return condition.parts[0]
    return joined("not", condition)


def compared(first: Term, sign: str, second: Term) -> Term:
    """Return a comparison."""
    return joined("compare", first, second, data=sign)


# Looking at terms


def scope(term: Term) -> tuple[Any, ...]:
    """Return the places of a term, each once, in the order of the text.

    Examples
    --------
    >>> scope(compared(place("x"), "<", weighted([(1, place("y")), (2, place("x"))])))
    ('x', 'y')
    """
    found: dict[Any, None] = {}
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if part.operator == "place":
            found[part.data] = None
        else:
            waiting += reversed(part.parts)
    return tuple(found)


def renamed(term: Term, names: Mapping[Any, Any]) -> Term:
    """Return the same term over other places."""
    if term.operator == "place":
        return place(names[term.data])
    return Term(term.operator, tuple([renamed(part, names) for part in term.parts]), term.data)
