"""Clauses as decision diagrams, and tuples that tell one diagram from another.

After some variables have their values, what is left of the clauses is a node of the diagram. Equal
rests are one node: so all tuples are looked at, however many there are. A diagram here is an
automaton, and two automata that accept the same are equal.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError
from csp_encodings.watch import look

Clauses: TypeAlias = frozenset[frozenset[int]]

# How many steps are made before it is given up.
_STEPS = 20_000


def diagram(clauses: Iterable[Iterable[int]], literals: Sequence[Mapping[int, int]]) -> Automaton:
    """Return the automaton of clauses: it accepts a tuple if they can be satisfied with it.

    Raises :class:`BudgetError` if it grows too large.

    Parameters
    ----------
    literals
        For each position, the literal of every value.

    Examples
    --------
    >>> values = [{1: 1, 2: 2}, {1: 3, 2: 4}]
    >>> base = [(1, 2), (-1, -2), (3, 4), (-3, -4)]
    >>> list(diagram([*base, (-2, -3)], values).tuples())
    [(1, 1), (1, 2), (2, 2)]
    """
    future = {x for values in literals for x in values.values()}
    start = _propagated(frozenset(map(frozenset, clauses)), [], future)
    alphabets = [tuple(values) for values in literals]
    if start is None:
        return Automaton.nothing(alphabets)
    later = [future := future - {*values.values()} for values in literals]
    walked = 0

    def step(rest: Clauses, value: int, position: int) -> Clauses | None:
        nonlocal walked
        look()
        walked += 1
        if walked > _STEPS:
            raise BudgetError(f"a diagram of more than {_STEPS:,} steps")
        true = [x if v == value else -x for v, x in literals[position].items()]
        return _propagated(rest, true, later[position])

    return Automaton.from_fold(alphabets, start, step, _is_satisfiable, positional=True)


def telling_tuples(automaton: Automaton) -> Iterator[tuple[int, ...]]:
    """Yield tuples that tell an automaton from every other one that has no more states.

    For each state and value: a way to the state, the value, and ends that tell the next states
    apart (Chow, "Testing software design modeled by finite-state machines", 1978).

    Examples
    --------
    >>> rising = Automaton.from_predicate([range(1, 10)] * 5, lambda *v: sorted(set(v)) == [*v])
    >>> found = set(telling_tuples(rising))
    >>> len(found), 9**5, sum(map(rising.accepts, found))
    (665, 59049, 75)
    """
    length = automaton.length
    steps = [_steps(automaton, position) for position in range(length)]
    ways: list[dict[int, tuple[int, ...]]] = [{0: ()}]
    for position in range(length):
        layer: dict[int, tuple[int, ...]] = {}
        for (tail, value), head in steps[position].items():
            layer.setdefault(head, (*ways[position][tail], value))
        ways.append(layer)
    ends: list[tuple[int, ...]] = [()]
    told = [ends]
    for position in reversed(range(length)):
        ends = _ends(
            automaton.widths[position], steps[position:], automaton.alphabets[position], ends
        )
        told.append(ends)
    told.reverse()
    for position in range(length):
        for way in ways[position].values():
            for value in automaton.alphabets[position]:
                for end in told[position + 1]:
                    yield (*way, value, *end)


def _steps(automaton: Automaton, position: int) -> dict[tuple[int, int], int]:
    return {(e.tail, value): e.head for e in automaton.layers[position] for value in e.values}


def _ends(
    width: int,
    steps: Sequence[Mapping[tuple[int, int], int]],
    alphabet: Sequence[int],
    ends: Sequence[tuple[int, ...]],
) -> list[tuple[int, ...]]:
    """Ends that tell the states of a layer apart, and each from a state that accepts nothing."""

    def accepts(state: int, word: Sequence[int]) -> bool:
        now: int | None = state
        for layer, value in zip(steps, word, strict=True):
            now = None if now is None else layer.get((now, value))
        return now is not None

    chosen: list[tuple[int, ...]] = []
    parts: dict[tuple[bool, ...], list[int | None]] = {(): [*range(width), None]}
    for value in alphabet:
        for end in ends:
            word = (value, *end)
            finer: dict[tuple[bool, ...], list[int | None]] = {}
            for key, states in parts.items():
                for state in states:
                    said = state is not None and accepts(state, word)
                    finer.setdefault((*key, said), []).append(state)
            if len(finer) > len(parts):
                chosen.append(word)
                parts = finer
            if len(parts) > width:
                return chosen
    return chosen


def _propagated(
    clauses: Clauses, literals: Sequence[int], future: Container[int]
) -> Clauses | None:
    """What is left of clauses when literals are true, by unit propagation; None if nothing can be.

    Of the literals that follow, those of future variables stay, as clauses of one literal. The
    others occur in no clause that is left.
    """
    true = set(literals)
    known: set[int] = set()
    while True:
        units, left = set[int](), set[frozenset[int]]()
        for clause in clauses:
            if not true.isdisjoint(clause):
                continue
            rest = frozenset([x for x in clause if -x not in true])
            if not rest:
                return None
            if len(rest) == 1:
                units |= rest
            else:
                left.add(rest)
        if any(-x in units for x in units):
            return None
        known |= {x for x in units if abs(x) in future}
        clauses = frozenset(left)
        if not units:
            return clauses | {frozenset([x]) for x in known}
        true = units


def _is_satisfiable(clauses: Clauses) -> bool:
    from pysat.solvers import Solver

    if not clauses:
        return True
    with Solver("minisat22", bootstrap_with=[list(clause) for clause in clauses]) as solver:
        return bool(solver.solve())
