"""The automata of conditions, sums and operations.

They are functions of plain values, so that equal ones are kept and shared.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, TypeAlias

from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Domain
from csp_encodings.store import kept
from csp_sudoku.language.terms import COMPARE, Term, Undefined, holds, value

# The operands of an operation: numbers, and tables for the values of variables.
Plan: TypeAlias = tuple[int | tuple[int, ...], ...]

# The most results of an operation before it is refused.
_MOST_STATES = 20_000

# The memory of a pair in a table.
_PAIR_BYTES = 130


def total_value(term: Term, values: Any) -> int:
    """Return the value of a term; 0 if it has none."""
    try:
        return int(value(term, values))
    except Undefined:
        return 0


@kept(size=lambda pairs: _PAIR_BYTES * len(pairs))
def pair_table(condition: Term, domains: tuple[Domain, ...]) -> frozenset[tuple[int, int]]:
    """Return the pairs of values that keep a condition over the places 0 and 1, or over 0 alone."""
    rows = product(*domains)
    return frozenset([(row[0], row[-1]) for row in rows if holds(condition, dict(enumerate(row)))])


def condition_machine(domains: tuple[Domain, ...], condition: Term) -> Automaton:
    """Accept the values of the places 0, 1 … that keep a condition."""
    return Automaton.from_predicate(domains, lambda *row: holds(condition, dict(enumerate(row))))


def function_machine(domains: tuple[Domain, ...], term: Term) -> Automaton:
    """Accept the values of the places 0, 1 … with the value of a term behind them."""
    rows = [(*row, total_value(term, dict(enumerate(row)))) for row in product(*domains)]
    results = sorted({row[-1] for row in rows})
    return Automaton.from_table((*domains, tuple(results)), rows)


def sum_machine(
    domains: tuple[Domain, ...],
    tables: tuple[tuple[int, ...], ...],
    low: int | None,
    high: int | None,
    inside: bool,
) -> Automaton:
    """Accept the values whose functions, given as tables, have a sum from `low` to `high`.

    Without `inside` it is the other way round.
    """
    amount = [dict(zip(d, table, strict=True)) for d, table in zip(domains, tables, strict=True)]
    # The least and the most that later positions can add: then only sums that matter are states.
    rest = [
        (sum(map(min, tables[i:])), sum(map(max, tables[i:]))) for i in range(1, len(tables) + 1)
    ]

    def step(state: int | str, v: int, i: int) -> int | str:
        if isinstance(state, str):
            return state
        total = state + amount[i][v]
        least, most = rest[i]
        if (low is not None and total + most < low) or (high is not None and total + least > high):
            return "outside"
        sure_low = low is None or low <= total + least
        sure_high = high is None or total + most <= high
        return "inside" if sure_low and sure_high else total

    wanted = "inside" if inside else "outside"
    return Automaton.from_fold(domains, 0, step, lambda state: state == wanted, positional=True)


def operation_machine(domains: tuple[Domain, ...], operator: str, plan: Plan) -> Automaton:
    """Accept the values of variables with the result of an operation behind them.

    The operands are listed in `plan`: a number, or a table of the numbers that the values of the
    next variable stand for.
    """
    start, read, finish = _reading(domains, operator, plan)
    states = {start}
    for position, domain in enumerate(domains):
        states = {read(state, v, position) for state in states for v in domain}
        if len(states) > _MOST_STATES:
            raise BudgetError(f"{operator} has more than {_MOST_STATES:,} results; make it smaller")
    results = tuple(sorted({finish(state) for state in states}))

    def step(state: Any, v: int, position: int) -> Any:
        if position < len(domains):
            return read(state, v, position)
        return True if finish(state) == v else None

    return Automaton.from_fold(
        (*domains, results), start, step, lambda state: True, positional=True
    )


def compared_machine(
    domains: tuple[Domain, ...], operator: str, plan: Plan, sign: str, amounts: tuple[int, ...]
) -> Automaton:
    """Accept the values for which the result of an operation compares with 0.

    The `amounts` are the weight of the result and a summand.
    """
    start, read, finish = _reading(domains, operator, plan)
    weight, summand = amounts
    compare = COMPARE[sign]
    return Automaton.from_fold(
        domains,
        start,
        read,
        lambda state: compare(weight * finish(state) + summand, 0),
        positional=True,
    )


def _reading(
    domains: tuple[Domain, ...], operator: str, plan: Plan
) -> tuple[Any, Callable[[Any, int, int], Any], Callable[[Any], int]]:
    """The state before the first variable, the state after the next one, and the result."""
    start, step, finish = OPERATIONS[operator]
    # Before each variable, the numbers that are known; then how its values are read.
    fixed: list[list[tuple[int, int]]] = [[]]
    reads: list[tuple[int, dict[int, int]]] = []
    for i, entry in enumerate(plan):
        if isinstance(entry, int):
            fixed[-1].append((i, entry))
        else:
            reads.append((i, dict(zip(domains[len(reads)], entry, strict=True))))
            fixed.append([])

    def advance(state: Any, position: int) -> Any:
        for i, number in fixed[position]:
            state = step(state, number, i)
        return state

    def read(state: Any, v: int, position: int) -> Any:
        i, table = reads[position]
        return advance(step(state, table[v], i), position + 1)

    return advance(start, 0), read, finish


def _first(operation: Callable[[int, int], int]) -> Callable[[Any, int, int], Any]:
    """An operation on the result so far and the next number; at first there is no result."""
    return lambda state, number, i: number if i == 0 else operation(state, number)


def _same(state: Any) -> Any:
    return state


def _last(state: Any) -> Any:
    return state[1]


#: The state before the first operand, the state after the next one, and the result.
OPERATIONS: dict[str, tuple[Any, Callable[[Any, int, int], Any], Callable[[Any], int]]] = {
    "sum": (0, lambda state, number, i: state + number, _same),
    "product": (1, lambda state, number, i: state * number, _same),
    "//": (0, _first(lambda a, b: a // b if b else 0), _same),
    "%": (0, _first(lambda a, b: a % b if b else 0), _same),
    "abs": (0, lambda state, number, i: abs(number), _same),
    "min": (0, _first(min), _same),
    "max": (0, _first(max), _same),
    # The index comes first; then the item at this index is the result.
    "item": (
        (-1, 0),
        lambda state, number, i: (
            (number, 0) if i == 0 else (-1, number) if state[0] == i else state
        ),
        _last,
    ),
    # The value comes first; then the first position that has it is the result.
    "position": (
        (0, 0),
        lambda state, number, i: (
            (number, 0) if i == 0 else (0, i) if not state[1] and state[0] == number else state
        ),
        _last,
    ),
    # The condition comes first; then one of the two numbers is the result.
    "choose": (
        (0, 0),
        lambda state, number, i: (
            (number, 0) if i == 0 else (state[0], number) if i == 2 - state[0] else state
        ),
        _last,
    ),
}
