"""Constraint graph to a CP-SAT model: every factor as the constraint that CP-SAT has for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
from ortools.sat.python import cp_model

from csp_encodings.automaton import Automaton
from csp_encodings.errors import EncodingError
from csp_encodings.factors import (
    AllDifferent,
    Domain,
    Factor,
    Linear,
    Regular,
    Relation,
    Variable,
    automaton_of,
)
from csp_encodings.graph import Assignment, domains, factors, variables
from csp_encodings.value_sets import sum_of_different

# CP-SAT computes in 64 bits, and adds and subtracts values on its way.
MAX_VALUE = 2**59


@dataclass(frozen=True, slots=True)
class CpSatModel:
    """A CP-SAT model, and what its variables mean.

    Attributes
    ----------
    model
        The model; those of its variables that make up a solution come first.
    domains
        The variables of the graph with their domains, in the order of those of the model.
    shown
        How many of them, from the first, make up a solution.
    """

    model: cp_model.CpModel
    domains: Mapping[Any, Domain]
    shown: int

    def set_domains(self, changed: Mapping[int, Sequence[int]]) -> None:
        """Change (non-empty, ascending) domains of variables, by their numbers, in place.

        That is far quicker than a new model.
        """
        known = self.model.proto.variables
        for number, domain in changed.items():
            intervals = known[number].domain
            intervals.clear()
            intervals.extend(_intervals(domain))

    def set_hint(self, hint: Mapping[int, int]) -> None:
        """Name values to try first, instead of those named before."""
        named = self.model.proto.solution_hint
        named.vars.clear()
        named.values.clear()
        named.vars.extend(list(hint))
        named.values.extend(list(hint.values()))

    def decode(self, values: Sequence[int]) -> Assignment:
        """Read a solution from the values of the variables of the model."""
        return dict(zip(self.domains, values[: self.shown], strict=False))


def encode(graph: nx.Graph, *, progress: Callable[[], None] | None = None) -> CpSatModel:
    """Encode a constraint graph.

    Parameters
    ----------
    progress
        Called before every factor; it may raise to give up.

    Examples
    --------
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in "xy":
    ...     builder.variable(name, range(1, 4))
    >>> _ = builder.factor(Linear((1, 1), ("x", "y"), 6, None))
    >>> encoded = encode(builder.build())
    >>> solver = cp_model.CpSolver()
    >>> solver.parameters.catch_sigint_signal = False
    >>> solver.solve(encoded.model) == cp_model.OPTIMAL
    True
    >>> encoded.decode(list(solver.response_proto.solution))
    {'x': 3, 'y': 3}
    """
    encoder = _Encoder(graph)
    for node, factor in factors(graph).items():
        if progress:
            progress()
        encoder.owner = str(node)
        encoder.add(factor)
    # What is malformed shows at this call only, or not at all: solving gives a mere MODEL_INVALID.
    if message := encoder.model.validate():
        raise EncodingError(f"CP-SAT cannot take this graph: {message.splitlines()[0]}")
    return CpSatModel(encoder.model, encoder.domains, encoder.shown)


def _intervals(domain: Sequence[int]) -> list[int]:
    """The first and the last value of every run of values."""
    if domain[-1] - domain[0] == len(domain) - 1:
        return [domain[0], domain[-1]]
    found: list[int] = cp_model.Domain.from_values(domain).flattened_intervals()
    return found


class _Encoder:
    def __init__(self, graph: nx.Graph) -> None:
        of = domains(graph)
        shown = variables(graph)
        hidden = [variable for variable in of if graph.nodes[variable]["auxiliary"]]
        self.owner = ""
        self.shown = len(shown)
        self.domains: dict[Any, Domain] = {variable: of[variable] for variable in (*shown, *hidden)}
        self.model = cp_model.CpModel()
        self.variables: dict[Any, cp_model.IntVar] = {}
        for variable, domain in self.domains.items():
            if not domain:
                self.add_false()
            elif max(-domain[0], domain[-1]) > MAX_VALUE:
                raise EncodingError(
                    f"variable {variable}: CP-SAT takes values up to {MAX_VALUE} in size"
                )
            # An empty domain would make the model invalid, and not merely unsatisfiable.
            values = cp_model.Domain.from_values(domain or (0,))
            self.variables[variable] = self.model.new_int_var_from_domain(values, str(variable))

    def add(self, factor: Factor) -> None:
        scope = factor.scope
        if not all(self.domains[variable] for variable in scope):
            return  # said by the variable without a value
        match factor:
            case AllDifferent():
                self.add_all_different(scope)
            case Relation():
                self.add_relation(factor)
            case Linear():
                self.add_linear(factor)
            case Regular():
                self.add_regular(factor)

    def add_false(self) -> None:
        self.model.add_bool_or([])

    def add_all_different(self, scope: tuple[Variable, ...]) -> None:
        values = {value for variable in scope for value in self.domains[variable]}
        if len(set(scope)) < len(scope) or len(values) < len(scope):
            self.add_false()
        else:
            self.model.add_all_different([self.variables[variable] for variable in scope])

    def add_relation(self, relation: Relation) -> None:
        first, second = relation.scope
        if first == second:
            diagonal = [v for v in self.domains[first] if (v, v) in relation.allowed]
            self.add_values(first, diagonal)
            return
        pairs = [(a, b) for a in self.domains[first] for b in self.domains[second]]
        allowed = [pair for pair in pairs if pair in relation.allowed]
        both = [self.variables[first], self.variables[second]]
        if not allowed:
            self.add_false()
        elif 2 * len(allowed) <= len(pairs):
            self.model.add_allowed_assignments(both, allowed)
        elif len(allowed) < len(pairs):
            forbidden = [pair for pair in pairs if pair not in relation.allowed]
            self.model.add_forbidden_assignments(both, forbidden)

    def add_values(self, variable: Variable, values: Sequence[int]) -> None:
        """The variable takes one of these values."""
        if len(values) == len(self.domains[variable]):
            return
        if values:
            domain = cp_model.Domain.from_values(values)
            self.model.add_linear_expression_in_domain(self.variables[variable], domain)
        else:
            self.add_false()

    def add_linear(self, factor: Linear) -> None:
        of = [self.domains[variable] for variable in factor.scope]
        low, high = factor.bounds(of)
        if low > high:
            self.add_false()
            return
        sizes = [max(-d[0], d[-1]) * abs(c) for c, d in zip(factor.coefficients, of, strict=True)]
        if sum(sizes) > MAX_VALUE:
            raise EncodingError(f"{self.owner}: CP-SAT takes sums up to {MAX_VALUE} in size")
        terms = [self.variables[variable] for variable in factor.scope]
        weighted = cp_model.LinearExpr.weighted_sum(terms, list(factor.coefficients))
        self.model.add_linear_constraint(weighted, low, high)

    def add_regular(self, factor: Regular) -> None:
        scope, alphabets = factor.scope, factor.automaton.alphabets
        total = sum_of_different(factor.automaton)
        within = all(
            {*self.domains[variable]} <= {*alphabet}
            for variable, alphabet in zip(scope, alphabets, strict=True)
        )
        if total is None or not within:
            self.add_automaton(scope, automaton_of(factor, self.domains))
            return
        # What CP-SAT has constraints for is solved sooner than tables.
        self.add_all_different(scope)
        terms = [self.variables[variable] for variable in scope]
        self.model.add_linear_constraint(cp_model.LinearExpr.sum(terms), total, total)

    def add_automaton(self, scope: tuple[Variable, ...], automaton: Automaton) -> None:
        """Say which state, value and next state go together, for every position.

        CP-SAT's own automaton constraint has internal variables that the values leave open, and
        reports a solution once for each of their combinations: thousands of times. Here the states
        are variables, and the automaton is deterministic: the values determine them.
        """
        if not automaton.widths[0]:
            self.add_false()
            return
        state: list[cp_model.IntVar] = []  # none where there is only one state
        for i, (variable, layer) in enumerate(zip(scope, automaton.layers, strict=True), 1):
            width = automaton.widths[i]
            before, state = state, []
            if width > 1:
                name = f"{self.owner}: state after position {i}"
                state = [self.model.new_int_var(0, width - 1, name)]
            if not before and not state:
                self.add_values(variable, layer[0].values)
                continue
            self.model.add_allowed_assignments(
                [*before, self.variables[variable], *state],
                [
                    (*([tail] if before else ()), value, *([head] if state else ()))
                    for tail, values, head in layer
                    for value in values
                ],
            )
