"""Numbers that a puzzle leaves open: what a rule means if its number is not known.

A rule is written for a known number. Where its field is an ``open_number``, users may also give a
named variable (or a cell), whose value the number is, or several numbers, one of which it is. Then
the methods below answer for the rule: each of them asks the same rule with known numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, replace
from functools import wraps
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Regular, automaton_of
from csp_sudoku.cells import Cell, Place, Var
from csp_sudoku.constraints.fields import OneOf
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_encodings.factors import Domain, Factor
    from csp_encodings.graph import Assignment
    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

Method = Callable[..., Any]

# The most "or"s that a rule is restated with.
_MOST_PARTS = 100


def open_field(kind: type) -> str:
    """Return the name of the field of a class whose number may be open; "" if there is none."""
    found = dict(getattr(kind, "__dataclass_fields__", {}))
    # This is asked before the class becomes a dataclass.
    found |= {name: value for name, value in vars(kind).items() if isinstance(value, Field)}
    return next((name for name, field in found.items() if "open" in field.metadata), "")


def open_up(kind: type[Constraint]) -> None:
    """Let the methods of a class answer for open numbers, too."""
    for name, answer in _ANSWERS.items():
        method = getattr(kind, name)
        if not hasattr(method, "answers_for_open"):
            setattr(kind, name, _opened(method, answer))


def _opened(method: Method, answer: Callable[..., Any]) -> Method:
    @wraps(method)
    def opened(rule: Constraint, *arguments: Any) -> Any:
        if rule.unknown is None:
            return method(rule, *arguments)
        return answer(rule, method, *arguments)

    cast(Any, opened).answers_for_open = True
    return opened


def known_as(rule: Constraint, number: int) -> Constraint | None:
    """Return the rule with a known number; None if it cannot have this number."""
    made: dict[int, Constraint | None] = vars(rule).setdefault("_known", {})
    if number not in made:
        try:
            made[number] = replace(cast(Any, rule), **{rule.open_field: number})
        except ConstraintError:
            made[number] = None
    return made[number]


def used_variables(rule: Constraint, puzzle: Puzzle) -> Iterator[tuple[Var, Domain]]:
    """The named variable that stands for the number, if the puzzle does not have it yet."""
    if type(rule.unknown) is Var and not puzzle.has(rule.unknown):  # not a cell of a layer
        yield rule.unknown, tuple(rule.numbers(puzzle))


def usual_numbers(rule: Constraint, puzzle: Puzzle) -> list[int]:
    """The numbers that a rule may have: sums and counts of its cells, if it does not object."""
    values = [puzzle.values_of(place) for place in rule.scope(puzzle) if place != rule.unknown]
    least, most = (sum(choose((0, *domain)) for domain in values) for choose in (min, max))
    numbers = range(least, max(most, len(values)) + 1)
    return [
        number
        for number in numbers
        if (known := known_as(rule, number)) is not None and known.objection(puzzle) is None
    ]


def lower_one_of(rule: Constraint, ctx: Lowering, numbers: Iterable[int]) -> None:
    """Test: the rule holds with one of the numbers."""
    from csp_sudoku.constraints.logic import Or

    ways = tuple(known for known in (known_as(rule, n) for n in numbers) if known is not None)
    machines = _machines(ctx, [ctx.tests_of(known) for known in ways])
    if machines is None:
        Or(ways).lower(ctx)
        return
    scope, automata = machines
    every = automata[0]
    for automaton in automata[1:]:
        every |= automaton
    ctx.add(Regular(scope, every))


def _lower_place(rule: Constraint, ctx: Lowering, place: Place) -> None:
    """Test: the rule holds with the value of the place as its number."""
    parts = rule.linked(place, ctx.puzzle)
    for part in parts:
        part.lower(ctx)
    if parts:
        return
    tests = {
        number: ctx.tests_of(known)
        for number in ctx.domain(place)
        if (known := known_as(rule, number)) is not None
    }
    machines = _machines(ctx, list(tests.values()))
    if machines is not None:
        scope, automata = machines
        chosen = dict(zip(tests, automata, strict=True))
        ctx.add(Regular((place, *scope), _choice(ctx.domain(place), chosen)))
        return
    ctx.add_condition(place, tests.__contains__)
    for number, needed in tests.items():
        bit = ctx.truth(needed)
        ctx.add_relation(place, bit, _Implies(number))


def _machines(
    ctx: Lowering, tests: Sequence[Sequence[Factor]]
) -> tuple[tuple[Any, ...], list[Automaton]] | None:
    """The common scope of some rules and an automaton for each, if each of them is one test."""
    scopes = {tuple(test.scope) for several in tests for test in several}
    if len(scopes) != 1 or any(len(several) != 1 for several in tests):
        return None
    [scope] = scopes
    domains = {variable: ctx.domain(variable) for variable in scope}
    try:
        return scope, [automaton_of(test, domains) for [test] in tests]
    except BudgetError:
        return None


def _choice(letters: Domain, machines: Mapping[int, Automaton]) -> Automaton:
    """The automaton that reads a number and then what the automaton of this number accepts."""
    parts = [(number, machine) for number, machine in machines.items() if machine.widths[0]]
    if not parts:
        alphabets = next(iter(machines.values())).alphabets
        return Automaton.nothing((letters, *alphabets))
    length = parts[0][1].length
    # Where the states of each automaton begin in each layer. They share the last state.
    starts = [
        [0, *accumulate(machine.widths[layer] for _, machine in parts)] for layer in range(length)
    ]
    starts.append([0] * len(parts) + [1])
    first = [(0, (number,), starts[0][i]) for i, (number, _) in enumerate(parts)]
    layers: list[list[tuple[int, tuple[int, ...], int]]] = [[*first]]
    for layer in range(length):
        layers.append(
            [
                (starts[layer][i] + tail, values, starts[layer + 1][i] + head)
                for i, (_, machine) in enumerate(parts)
                for tail, values, head in machine.layers[layer]
            ]
        )
    widths = [1, *(begin[-1] for begin in starts)]
    return Automaton.from_layers((letters, *parts[0][1].alphabets), widths, layers)


@dataclass(frozen=True)
class _Implies:
    """The test: if the first value is the number, then the second one is true."""

    number: int

    def __call__(self, first: int, second: int) -> bool:
        return first != self.number or second == 1


# What a rule with an open number answers. Each is given the rule, its method for known numbers,
# and the arguments of the method.


def _scope(rule: Constraint, known: Method, puzzle: Puzzle) -> tuple[Place, ...]:
    """The scope does not depend on the number; the place of the number comes last."""
    place = (rule.unknown,) if isinstance(rule.unknown, Cell | Var) else ()
    return tuple(dict.fromkeys((*known(rule, puzzle), *place)))


def _holds(rule: Constraint, known: Method, values: Assignment, puzzle: Puzzle) -> bool:
    return any(
        way.holds(values, puzzle)
        for number in _numbers(rule, values)
        if (way := known_as(rule, number)) is not None
    )


def _numbers(rule: Constraint, values: Assignment) -> Iterable[int]:
    """The numbers that are possible, given values of places."""
    return rule.unknown if isinstance(rule.unknown, OneOf) else (values[rule.unknown],)


def _lower(rule: Constraint, known: Method, ctx: Lowering) -> None:
    if isinstance(rule.unknown, OneOf):
        rule.lower_one_of(ctx, rule.unknown)
    else:
        _lower_place(rule, ctx, rule.unknown)


def _ways(rule: Constraint, puzzle: Puzzle) -> list[Constraint]:
    """The rule with each number that is possible in a puzzle."""
    several = isinstance(rule.unknown, OneOf)
    numbers = rule.unknown if several else puzzle.values_of(rule.unknown)
    return [way for number in numbers if (way := known_as(rule, number)) is not None]


def _different(rule: Constraint, known: Method, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
    """The groups that differ whatever the number is."""
    first, *others = [list(way.different(puzzle)) for way in _ways(rule, puzzle)] or [[]]
    return [group for group in first if all(group in other for other in others)]


def _clashes(
    rule: Constraint, known: Method, values: Assignment, puzzle: Puzzle
) -> Iterator[tuple[Place, ...]]:
    from csp_sudoku.constraints.base import Constraint, clashing_pairs

    repeats = [c for group in rule.different(puzzle) for c in clashing_pairs(values, group)]
    yield from repeats or Constraint.clashes(rule, values, puzzle)


def _objection(rule: Constraint, known: Method, puzzle: Puzzle) -> str | None:
    """Object if every number is impossible."""
    objections = [way.objection(puzzle) for way in _ways(rule, puzzle)]
    if None in objections:
        return None
    several = isinstance(rule.unknown, OneOf)
    numbers = f"{rule.open_field} {rule.unknown}" if several else f"value of {rule.unknown}"
    why = f"; {objections[0]}" if objections else ""
    return f"{rule.label}: no {numbers} is possible{why}"


def _complemented(rule: Constraint, known: Method, total: int) -> Constraint | None:
    """Turn each of several numbers; a variable would have to be another one."""
    if not isinstance(rule.unknown, OneOf):
        return None
    ways = [way.complemented(total) for n in rule.unknown if (way := known_as(rule, n)) is not None]
    if not ways or ways[0] is None or None in ways:
        return None
    numbers = [getattr(way, rule.open_field) for way in ways]
    return cast("Constraint", replace(cast(Any, ways[0]), **{rule.open_field: numbers}))


def _restated(rule: Constraint, known: Method, puzzle: Puzzle) -> Iterable[Constraint]:
    from csp_sudoku.constraints.logic import Or

    if not isinstance(rule.unknown, OneOf):
        return rule.linked(rule.unknown, puzzle)
    ways = _ways(rule, puzzle)
    return [Or(ways)] if 0 < len(ways) <= _MOST_PARTS else []


_ANSWERS: dict[str, Callable[..., Any]] = {
    "scope": _scope,
    "holds": _holds,
    "lower": _lower,
    "different": _different,
    "clashes": _clashes,
    "objection": _objection,
    "complemented": _complemented,
    "restated": _restated,
}
