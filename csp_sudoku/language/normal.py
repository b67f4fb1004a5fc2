"""The normal form of a condition: ``not`` stands only inside, and every number has a value.

In the normal form a number that has no value (a division by 0) need not be thought of: its
comparison stands beside the condition that it has one.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.language.terms import OPPOSITE, Term, both, compared, either, negated, number

# From which side a comparison with the least or the greatest number is one with each of them.
_EACH = {("max", "<"), ("max", "<="), ("min", ">"), ("min", ">=")}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def normal(condition: Term, *, positive: bool = True) -> Term:
    """Return the normal form of a condition, or of its opposite.

    Examples
    --------
    >>> from csp_sudoku.language.terms import place
    >>> test = both([compared(place("x"), "<", place("y")), compared(place("x"), "==", number(2))])
    >>> found = normal(test, positive=False)
    >>> found.operator, [part.data for part in found.parts]
    ('or', ['>=', '!='])
    """
    match condition.operator:
        case "number":
            return condition if positive else number(1 - condition.data)
        case "not":
            return normal(condition.parts[0], positive=not positive)
        case "and" | "or":
            parts = [normal(part, positive=positive) for part in condition.parts]
            return both(parts) if (condition.operator == "and") is positive else either(parts)
    guards = dict.fromkeys(guard for part in condition.parts for guard in defined(part))
    if positive:
        return both([*(normal(guard) for guard in guards), _split(condition)])
    failing = [normal(guard, positive=False) for guard in guards]
    if condition.operator == "different":
        return either([*failing, negated(condition)])
    first, second = condition.parts
    return either([*failing, _split(compared(first, OPPOSITE[condition.data], second))])


def _split(condition: Term) -> Term:
    """Compare each number, where the greatest of them is at most something."""
    if condition.operator != "compare":
        return condition
    first, second = condition.parts
    sign = condition.data
    if (first.operator, sign) in _EACH:
        return both([_split(compared(part, sign, second)) for part in first.parts])
    if (second.operator, _MIRRORED[sign]) in _EACH:
        return both([_split(compared(first, sign, part)) for part in second.parts])
    return condition


def defined(term: Term) -> Iterator[Term]:
    """Return the conditions under which a number has a value."""
    if term.is_condition:
        return
    if term.operator == "choose":
        test, yes, no = term.parts
        with_yes, with_no = both(defined(yes)), both(defined(no))
        yield from _open(both([either([negated(test), with_yes]), either([test, with_no])]))
        return
    for part in term.parts:
        yield from defined(part)
    match term.operator:
        case "//" | "%":
            yield from _open(compared(term.parts[1], "!=", number(0)))
        case "item":
            *items, index = term.parts
            yield from _open(compared(index, ">=", number(1)))
            yield from _open(compared(index, "<=", number(len(items))))
        case "position":
            *items, wanted = term.parts
            yield either([compared(wanted, "==", item) for item in items])


def _open(condition: Term) -> Iterator[Term]:
    """Leave out a condition that is true in any case."""
    if condition.operator != "number" or not condition.data:
        yield condition
