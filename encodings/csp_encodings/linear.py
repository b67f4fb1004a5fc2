"""Constraint graph to a mixed-integer linear program: a 0/1 variable per value, unit flows.

A classic Sudoku becomes equations only: every cell has one value, every value has one cell in every
house. An automaton becomes a flow of one unit through its layers (Côté, Gendron & Rousseau,
"Modeling the regular constraint with integer programming", CPAIOR 2007): the flow over the edges
that carry a value is the 0/1 variable of that value, so that flows are integral whenever those are.
Connected variables become a flow, too: from the first of them to all others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd, inf
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from csp_encodings.automaton import Automaton, Edge
from csp_encodings.factors import (
    AllDifferent,
    Connected,
    Domain,
    Factor,
    Linear,
    Regular,
    Relation,
    Variable,
    automaton_of,
)
from csp_encodings.graph import Assignment, domains, each_factor, variables

# Solvers compute in floating point, to a tolerance of about 1e-6. A sum with larger coefficients
# goes through its automaton, which has only 1 and -1.
MAX_COEFFICIENT = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class LinearProgram:
    """Rows ``row_lower ≤ Σ coefficient · column ≤ row_upper``, in compressed sparse row form.

    Attributes
    ----------
    columns
        The column that says that a variable of the graph has a value: a 0/1 variable. They are the
        first ones; those after them are flows.
    upper
        The upper bound of every column: 0 for what is ruled out, more than 1 for the flow of a
        connected factor, otherwise 1. The lower bound is 0.
    starts, indices, coefficients
        Row ``i`` has the entries from ``starts[i]`` up to ``starts[i + 1]``.
    row_lower, row_upper
        The sides of every row, infinite where it is open.
    impossible
        Whether a factor was found unsatisfiable on the way; it left no row.
    shown
        How many columns, from the first, belong to variables that are part of a solution.
    labels
        Runs of flow columns: the first one, and what for.
    firsts
        For each factor of the graph, in their order, its first row.
    """

    columns: Mapping[tuple[Any, int], int]
    upper: NDArray[np.int64]
    starts: NDArray[np.int64]
    indices: NDArray[np.int64]
    coefficients: NDArray[np.int64]
    row_lower: NDArray[np.float64]
    row_upper: NDArray[np.float64]
    impossible: bool
    shown: int
    labels: tuple[tuple[int, str], ...]
    firsts: tuple[int, ...]

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which columns must be declared integer: flows up to 1 are, whenever values are."""
        found: NDArray[np.bool_] = self.upper > 1
        found[: len(self.columns)] = True
        return found

    def rows(self) -> Iterator[tuple[list[int], list[int], float, float]]:
        """Every row: its columns, their coefficients, and its two sides."""
        starts, indices, coefficients = (
            array.tolist() for array in (self.starts, self.indices, self.coefficients)
        )
        sides = zip(self.row_lower.tolist(), self.row_upper.tolist(), strict=True)
        for first, last, (lower, upper) in zip(starts, starts[1:], sides, strict=False):
            yield indices[first:last], coefficients[first:last], lower, upper

    def names(self) -> Iterator[str]:
        """A readable name of every column, in their order."""
        for variable, value in self.columns:
            yield f"{variable}={value}"
        ends = [first for first, _ in self.labels[1:]]
        for (first, label), end in zip(self.labels, [*ends, len(self.upper)], strict=False):
            for i in range(1, end - first + 1):
                yield f"{label} {i}"

    def is_solution(self, point: NDArray[np.int64]) -> bool:
        """Whether whole numbers for the columns satisfy every row and bound, computed exactly."""
        if self.impossible or (point < 0).any() or (point > self.upper).any():
            return False
        if not len(self.row_lower):
            return True
        sums = np.add.reduceat(self.coefficients * point[self.indices], self.starts[:-1])
        return bool(((self.row_lower <= sums) & (sums <= self.row_upper)).all())

    def decode(self, point: Sequence[int] | NDArray[np.int64]) -> Assignment:
        """Read a solution from the columns of the values."""
        names = list(self.columns)
        return dict([names[column] for column in np.flatnonzero(point[: self.shown]).tolist()])


def encode(graph: nx.Graph, *, redundant: bool = False) -> LinearProgram:
    """Encode a constraint graph.

    Parameters
    ----------
    redundant
        Whether a permutation also says what its values add up to: it follows.

    Examples
    --------
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xy", range(2)), AllDifferent(("x", "y")))
    >>> program = encode(graph)
    >>> names = list(program.names())
    >>> for columns, coefficients, lower, upper in program.rows():
    ...     print(lower, [names[column] for column in columns], upper)
    1.0 ['x=0', 'x=1'] 1.0
    1.0 ['y=0', 'y=1'] 1.0
    1.0 ['x=0', 'y=0'] 1.0
    1.0 ['x=1', 'y=1'] 1.0
    """
    encoder = _Encoder(graph, redundant)
    for node, factor in each_factor(graph, lambda: len(encoder.indices)):
        encoder.owner = str(node)
        encoder.firsts.append(len(encoder.row_lower))
        encoder.add(factor)
    return encoder.finish()


class _Encoder:
    def __init__(self, graph: nx.Graph, redundant: bool) -> None:
        self.domains: Mapping[Any, Domain] = domains(graph)
        self.redundant = redundant
        self.owner = ""
        self.impossible = False
        self.columns: dict[tuple[Any, int], int] = {}
        self.values: dict[Any, dict[int, int]] = {}
        self.labels: list[tuple[int, str]] = []
        self.firsts: list[int] = []
        self.starts = [0]
        self.indices: list[int] = []
        self.coefficients: list[int] = []
        self.row_lower: list[float] = []
        self.row_upper: list[float] = []
        shown = variables(graph)
        hidden = [variable for variable in self.domains if graph.nodes[variable]["auxiliary"]]
        for variable in (*shown, *hidden):
            values = self.values[variable] = {}
            for value in self.domains[variable]:
                values[value] = self.columns[variable, value] = len(self.columns)
        self.shown = sum(len(self.domains[variable]) for variable in shown)
        self.upper = [1] * len(self.columns)
        for values in self.values.values():
            self.add_row(values.values(), lower=1, upper=1)

    def finish(self) -> LinearProgram:
        return LinearProgram(
            self.columns,
            np.array(self.upper, np.int64),
            np.array(self.starts, np.int64),
            np.array(self.indices, np.int64),
            np.array(self.coefficients, np.int64),
            np.array(self.row_lower, np.float64),
            np.array(self.row_upper, np.float64),
            self.impossible,
            self.shown,
            tuple(self.labels),
            tuple(self.firsts),
        )

    def add_row(
        self,
        plus: Iterable[int],
        minus: Iterable[int] = (),
        *,
        lower: float = -inf,
        upper: float = inf,
    ) -> None:
        """Add a row with coefficients 1 and -1."""
        positive, negative = list(plus), list(minus)
        ones = [1] * len(positive) + [-1] * len(negative)
        self.add_weighted_row(positive + negative, ones, lower, upper)

    def add_weighted_row(
        self, columns: list[int], coefficients: list[int], lower: float, upper: float
    ) -> None:
        if lower > upper or not columns:
            self.impossible |= not lower <= 0 <= upper
            return
        self.indices += columns
        self.coefficients += coefficients
        self.starts.append(len(self.indices))
        self.row_lower.append(lower)
        self.row_upper.append(upper)

    def rule_out(self, variable: Variable, values: Iterable[int]) -> None:
        for value in values:
            self.upper[self.values[variable][value]] = 0

    def add(self, factor: Factor) -> None:
        scope = factor.scope
        if not all(self.domains[variable] for variable in scope):
            return  # the row of the variable without a value has said so
        match factor:
            case AllDifferent():
                self.add_all_different(scope)
            case Relation():
                self.add_relation(factor)
            case Linear():
                self.add_linear(factor)
            case Connected():
                self.add_connected(factor)
            case Regular():
                self.add_regular(scope, automaton_of(factor, self.domains))

    def add_all_different(self, scope: tuple[Variable, ...]) -> None:
        places: dict[int, list[int]] = defaultdict(list)
        for variable in scope:
            for value, column in self.values[variable].items():
                places[value].append(column)
        if len(set(scope)) < len(scope) or len(places) < len(scope):
            self.impossible = True
            return
        permutation = len(places) == len(scope)
        for columns in places.values():
            if permutation:
                self.add_row(columns, lower=1, upper=1)
            elif len(columns) > 1:
                self.add_row(columns, upper=1)
        if permutation and self.redundant:
            self.add_sum(dict.fromkeys(scope, 1), sum(places), sum(places))

    def add_relation(self, relation: Relation) -> None:
        first, second = relation.scope
        allowed = relation.allowed
        if first == second:
            self.rule_out(first, [v for v in self.domains[first] if (v, v) not in allowed])
            return
        self.add_supports(first, second, lambda a, b: (a, b) in allowed)
        self.add_supports(second, first, lambda b, a: (a, b) in allowed)

    def add_supports(
        self, first: Variable, second: Variable, allows: Callable[[int, int], bool]
    ) -> None:
        """Each value of the first needs one of the values of the second that go with it.

        Said for both directions, though one would do: together they are tighter. That a value
        excludes all others of the second says the same; the shorter of the two is taken.
        """
        for a, x in self.values[first].items():
            supports = [y for b, y in self.values[second].items() if allows(a, b)]
            excluded = [y for b, y in self.values[second].items() if not allows(a, b)]
            if not supports:
                self.rule_out(first, (a,))
            elif len(supports) < len(excluded):
                self.add_row((x,), supports, upper=0)
            elif excluded:
                self.add_row((x, *excluded), upper=1)

    def add_linear(self, factor: Linear) -> None:
        low, high = factor.bounds([self.domains[variable] for variable in factor.scope])
        if low > high:
            self.impossible = True
        elif not self.add_sum(dict(zip(factor.scope, factor.coefficients, strict=True)), low, high):
            self.add_regular(factor.scope, automaton_of(factor, self.domains))

    def add_sum(self, weights: Mapping[Any, int], low: int, high: int) -> bool:
        """Add a weighted sum as a row, unless its coefficients are too large for floating point."""
        columns: list[int] = []
        coefficients: list[int] = []
        for variable, weight in weights.items():
            # Every variable has a value, so that its least contribution can go to the other side.
            least = min(weight * value for value in self.domains[variable])
            low, high = low - least, high - least
            for value, column in self.values[variable].items():
                if weight * value != least:
                    columns.append(column)
                    coefficients.append(weight * value - least)
        divisor = gcd(*coefficients) or 1
        coefficients = [coefficient // divisor for coefficient in coefficients]
        if max(coefficients, default=0) > MAX_COEFFICIENT:
            return False
        self.add_weighted_row(columns, coefficients, -(-low // divisor), high // divisor)
        return True

    def add_connected(self, factor: Connected) -> None:
        """Add a flow for each class: its first variable sends one unit to each of the others."""
        most = min(len(factor.scope), factor.largest or len(factor.scope))
        for number, values in enumerate(factor.classes, 1):
            members = {
                place: columns
                for place, variable in enumerate(factor.scope)
                if (columns := [x for v, x in self.values[variable].items() if v in values])
            }
            if factor.largest is not None:
                self.add_row([x for columns in members.values() for x in columns], upper=most)
            self.add_flow(f"class {number}", members, factor.edges, most)

    def add_flow(
        self,
        label: str,
        members: Mapping[int, list[int]],
        edges: Iterable[tuple[int, int]],
        most: int,
    ) -> None:
        """Each member but the first receives a unit more than it sends, over edges of members.

        A part without the first member cannot: what its members receive, they send themselves.
        """
        # For each place, one column says whether there is a member up to it; the values determine
        # it. So the member where it changes from 0 to 1 is the first.
        begun = dict(
            zip(members, self.add_columns(f"{label} has begun", len(members)), strict=True)
        )
        supply: dict[int, list[int]] = {}
        before: list[int] = []
        for place, columns in members.items():
            self.add_row((begun[place],), before, lower=0)
            self.add_row((begun[place],), columns, lower=0)
            self.add_row((begun[place],), (*before, *columns), upper=0)
            supply[place] = [begun[place], *before]
            before = [begun[place]]
        inner = [(a, b) for a, b in edges if a in members and b in members]
        forth = self.add_columns(f"{label} flow forth", len(inner), most - 1)
        back = self.add_columns(f"{label} flow back", len(inner), most - 1)
        into: dict[int, list[int]] = {place: [] for place in members}
        out: dict[int, list[int]] = {place: [] for place in members}
        for (a, b), there, here in zip(inner, forth, back, strict=True):
            into[b].append(there)
            out[a].append(there)
            into[a].append(here)
            out[b].append(here)
            for end in (a, b):
                both = [there, here, *members[end]]
                weights = [1, 1] + [1 - most] * len(members[end])
                self.add_weighted_row(both, weights, -inf, 0)
        for place, columns in members.items():
            row = [*into[place], *out[place], *columns, *supply[place]]
            weights = [1] * len(into[place]) + [-1] * (len(out[place]) + len(columns))
            weights += [most, -most][: len(supply[place])]
            self.add_weighted_row(row, weights, 0, inf)

    def add_columns(self, use: str, number: int, upper: int = 1) -> range:
        """Add columns that are no values."""
        first, label = len(self.upper), f"{self.owner}: {use}"
        if not self.labels or self.labels[-1][1] != label:
            self.labels.append((first, label))
        self.upper += [upper] * number
        return range(first, first + number)

    def add_regular(self, scope: tuple[Variable, ...], automaton: Automaton) -> None:
        if not automaton.widths[0]:
            self.impossible = True
            return
        entering: list[list[int]] = []  # the flows into each state; one state alone needs no row
        for i, (variable, layer) in enumerate(zip(scope, automaton.layers, strict=True)):
            carried = {value for edge in layer for value in edge.values}
            self.rule_out(variable, [v for v in self.domains[variable] if v not in carried])
            leaving: list[list[int]] = [[] for _ in range(automaton.widths[i])]
            heads: list[list[int]] = [[] for _ in range(automaton.widths[i + 1])]
            if len(layer) > 1:
                self.add_layer(self.values[variable], layer, leaving, heads, i + 1)
            if len(leaving) > 1:
                for into, out in zip(entering, leaving, strict=True):
                    self.add_row(into, out, lower=0, upper=0)
            entering = heads

    def add_layer(
        self,
        values: dict[int, int],
        layer: tuple[Edge, ...],
        leaving: list[list[int]],
        entering: list[list[int]],
        position: int,
    ) -> None:
        """Flows over the edges of a layer, which are the values that they carry."""
        # Values that the same edges carry share a flow.
        edges_of: dict[int, list[int]] = defaultdict(list)
        for number, edge in enumerate(layer):
            for value in edge.values:
                edges_of[value].append(number)
        alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for value, carriers in edges_of.items():
            alike[tuple(carriers)].append(value)
        for edges, carried in alike.items():
            flows = self.add_columns(f"flow over position {position}", len(edges))
            for number, flow in zip(edges, flows, strict=True):
                leaving[layer[number].tail].append(flow)
                entering[layer[number].head].append(flow)
            self.add_row(flows, [values[value] for value in carried], lower=0, upper=0)
