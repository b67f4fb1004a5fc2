"""Backtracking search; heuristics and inference are plain functions that it takes as arguments.

The pseudocode is BACKTRACKING-SEARCH of S. Russell and P. Norvig, *Artificial Intelligence: A
Modern Approach*, section "Backtracking Search for CSPs". It goes on after a solution, to find all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

from csp_encodings.factors import Variable
from csp_sudoku.errors import BackendError
from csp_sudoku.textbook.arc_consistency import ac3_events, revise
from csp_sudoku.textbook.csp import Csp
from csp_sudoku.textbook.events import Backtracked, Chosen, Event, Nested, SolutionFound, flatten

T = TypeVar("T")

# Which variable next, in which order its values, and what follows from an assignment (or, without
# a variable, from the problem itself). An inference makes domains smaller, and may stop at an
# empty one.
SelectVariable: TypeAlias = Callable[[Csp], Any]
OrderValues: TypeAlias = Callable[[Csp, Variable], Iterable[int]]
Inference: TypeAlias = Callable[[Csp, Variable | None], Iterator[Event]]
Heuristics: TypeAlias = tuple[SelectVariable, OrderValues, Inference]


# Which variable next


def first_unassigned(csp: Csp) -> Any:
    """The first variable without a value."""
    return csp.unassigned[0]


def mrv(csp: Csp) -> Any:
    """Minimum remaining values: the variable with the fewest values left; ties to the first."""
    return min(csp.unassigned, key=lambda variable: len(csp.domains[variable]))


def mrv_degree(csp: Csp) -> Any:
    """MRV, and among equals the highest degree: the most arcs to variables with a choice left."""

    def degree(variable: Variable) -> int:
        others = (v for arc in csp.arcs_to[variable] for v in arc.scope if v != variable)
        return sum(len(csp.domains[other]) > 1 for other in others)

    return min(csp.unassigned, key=lambda v: (len(csp.domains[v]), -degree(v)))


# In which order its values


def natural(csp: Csp, variable: Variable) -> Iterable[int]:
    """The values as they come: ascending."""
    return csp.domains[variable]


def lcv(csp: Csp, variable: Variable) -> Iterable[int]:
    """Least constraining value: first those that rule out the fewest values of the others."""

    def values_left(value: int) -> int:
        after = csp.assign(variable, value)
        for _ in forward_checking(after, variable):
            pass
        return sum(map(len, after.domains.values())) if after.consistent else -1

    return sorted(csp.domains[variable], key=values_left, reverse=True)


# What follows


def no_inference(csp: Csp, variable: Variable | None) -> Iterator[Event]:
    """Nothing follows."""
    return iter(())


def forward_checking(csp: Csp, variable: Variable | None) -> Iterator[Event]:
    """Revise once each arc to a variable that was assigned; at the start, to all that are."""
    assigned = [v for v in csp.domains if v in csp.assigned] if variable is None else [variable]
    for known in assigned:
        for arc in csp.arcs_to[known]:
            yield from revise(csp, arc)
            if not csp.consistent:
                return


def mac(csp: Csp, variable: Variable | None) -> Iterator[Event]:
    """Maintain arc consistency: AC-3, from the arcs to an assigned variable; at first, from all.

    A variable with one value left needs no choice afterwards.
    """
    yield from ac3_events(csp, csp.arcs if variable is None else csp.arcs_to[variable])
    csp.assigned.update(v for v, domain in csp.domains.items() if len(domain) == 1)


# The search


def backtracking_search(
    csp: Csp,
    select_unassigned_variable: SelectVariable = first_unassigned,
    order_domain_values: OrderValues = natural,
    inference: Inference = no_inference,
) -> Iterator[Event]:
    """Find all solutions, and tell every step on the way.

    A variable that has one value from the start counts as assigned.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of({"x": (1, 2), "y": (2, 3), "z": (1,)}, AllDifferent(("x", "y", "z")))
    >>> for event in backtracking_search(Csp.of(graph)):
    ...     print(event)
    choose 1 for x
    choose 2 for x
    choose 2 for y
    choose 3 for y
    solution x=2 y=3 z=1
    backtrack from y
    backtrack from x
    """

    def backtrack(csp: Csp, depth: int) -> Nested:
        if not csp.unassigned:
            yield SolutionFound({variable: csp.domains[variable][0] for variable in csp.shown})
            return
        variable = select_unassigned_variable(csp)
        for value in order_domain_values(csp, variable):
            yield Chosen(variable, value, depth)
            after = csp.assign(variable, value)
            if is_consistent(after, variable):
                yield from inference(after, variable)
                if after.consistent:
                    yield backtrack(after, depth + 1)
        yield Backtracked(variable, depth)

    def start() -> Nested:
        root = csp.restricted({})
        root.assigned.update(v for v, domain in root.domains.items() if len(domain) == 1)
        if root.consistent and all(is_consistent(root, variable) for variable in root.assigned):
            yield from inference(root, None)
            if root.consistent:
                yield backtrack(root, 1)

    return flatten(start())


def is_consistent(csp: Csp, variable: Variable) -> bool:
    """Whether a variable and the others that have a value obey the arcs between them."""
    return all(
        all(supported for _, supported in arc.supports(csp.domains))
        for arc in csp.arcs_to[variable]
        if csp.assigned.issuperset(arc.scope)
    )


# The functions by name

VARIABLE_ORDERS: dict[str, SelectVariable] = {
    "first": first_unassigned,
    "mrv": mrv,
    "mrv+degree": mrv_degree,
}
VALUE_ORDERS: dict[str, OrderValues] = {"natural": natural, "lcv": lcv}
INFERENCES: dict[str, Inference] = {
    "none": no_inference,
    "forward": forward_checking,
    "mac": mac,
}


def by_name(
    *,
    variable_order: str = "mrv+degree",
    value_order: str = "lcv",
    inference: str = "mac",
) -> Heuristics:
    """The functions that :func:`backtracking_search` takes, in its order.

    Examples
    --------
    >>> [function.__name__ for function in by_name(variable_order="mrv", inference="forward")]
    ['mrv', 'lcv', 'forward_checking']
    """
    return (
        look_up("variable_order", variable_order, VARIABLE_ORDERS),
        look_up("value_order", value_order, VALUE_ORDERS),
        look_up("inference", inference, INFERENCES),
    )


def look_up(option: str, name: object, choices: Mapping[str, T]) -> T:
    """The choice of this name, or an error that lists all."""
    if not isinstance(name, str) or name not in choices:
        known = ", ".join(map(repr, choices))
        raise BackendError(f"textbook: {option}={name!r} must be one of {known}")
    return choices[name]
