"""Count the solutions of a graph by its parts and its symmetry, instead of one by one.

*Parts*: variables that share no factor, once the variables with a single value are left out, do not
see each other: their numbers of solutions multiply. *Interchangeable values*: if to swap two values
everywhere maps the graph to itself, as many solutions have the one as the other in a given place,
so one of them is counted for both. Both are looked for again after every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import networkx as nx

from csp_encodings.factors import AllDifferent, Domain, Factor, Relation
from csp_encodings.graph import Assignment, domains, factors, restricted_view
from csp_encodings.watch import is_over

Domains = dict[Any, Domain]
Class = tuple[int, ...]

# A step by symmetry pays if it counts for so many.
_GAIN = 2
# So many solutions are kept to be looked at.
_SAMPLE = 32


@dataclass(frozen=True)
class Share:
    """How many solutions there are, and some of them; at least so many if not complete."""

    count: int
    sample: Sequence[Assignment]
    complete: bool = True

    def times(self, other: Share) -> Share:
        """The solutions of two parts together."""
        count = self.count * other.count
        most = min(_SAMPLE, count, max(len(self.sample), len(other.sample)))
        sample = [
            {**self.sample[i % len(self.sample)], **other.sample[i % len(other.sample)]}
            for i in range(most if self.sample and other.sample else 0)
        ]
        nothing = any(share.complete and share.count == 0 for share in (self, other))
        return Share(count, sample, nothing or (self.complete and other.complete))


def count_divided(graph: nx.Graph, count: Callable[[nx.Graph], Share]) -> Share | None:
    """Count the solutions of a graph; None if nothing can be gained.

    Parameters
    ----------
    count
        Counts what cannot be divided: a graph with some of the variables, all their factors and
        smaller domains.

    Examples
    --------
    >>> from csp_encodings.graph import GraphBuilder, assignments
    >>> builder = GraphBuilder()
    >>> for name in "abcxyz":
    ...     builder.variable(name, range(5))
    >>> _ = builder.factor(AllDifferent(("a", "b", "c")))
    >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
    >>> asked = []
    >>> def count(part):
    ...     asked.append(list(domains(part)))
    ...     return Share(sum(1 for _ in assignments(part)), [])
    >>> count_divided(builder.build(), count).count, asked  # 5 · 4 · 3 each
    (3600, [])
    """
    division = _Division(graph, count)
    domain_of = domains(graph)
    domain = division.simplified(domain_of)
    if domain is not None:
        parts = division.parts(domain, domain)
        if len(parts) == 1 and division.best_step(parts[0], domain) is None:
            return None
    return division.count(domain_of, dict(domain_of))


@dataclass
class _Division:
    graph: nx.Graph
    count_plainly: Callable[[nx.Graph], Share]
    factors_of: dict[Any, list[Factor]] = field(init=False)
    swaps: dict[object, bool] = field(default_factory=dict)
    empty: list[Factor] = field(init=False)

    def __post_init__(self) -> None:
        self.factors_of = {variable: [] for variable in domains(self.graph)}
        self.empty = [f for f in factors(self.graph).values() if not f.scope]
        for factor in factors(self.graph).values():
            for variable in dict.fromkeys(factor.scope):
                self.factors_of[variable].append(factor)

    def count(self, names: Iterable[Any], before: Domains) -> Share:
        """The solutions of some variables, which no others see."""
        nothing = Share(0, [])
        domain = self.simplified(before)
        if domain is None or not all(factor.accepts(()) for factor in self.empty):
            return nothing
        fixed = {name: domain[name][0] for name in names if len(domain[name]) == 1}
        for factor in _of(self.factors_of, fixed):
            values = [domain[name] for name in factor.scope]
            if all(len(value) == 1 for value in values) and not factor.accepts(
                [value[0] for value in values]
            ):
                return nothing
        share = Share(1, [fixed])
        for part in self.parts(names, domain):
            share = share.times(self.count_part(part, domain))
            if share.complete and share.count == 0:
                return nothing
        return share

    def count_part(self, part: list[Any], domain: Domains) -> Share:
        """The solutions of one part: class by class of the values of a variable, if that pays."""
        if is_over():
            return Share(0, [], complete=False)
        step = self.best_step(part, domain)
        if step is None:
            share = self.count_plainly(self.subgraph(part, domain))
            kept = [{v: x for v, x in one.items() if v in set(part)} for one in share.sample]
            return Share(share.count, kept[:_SAMPLE], share.complete)
        variable, classes = step
        total, sample, complete = 0, [], True
        for values in classes:
            share = self.count(part, {**domain, variable: values[:1]})
            total += len(values) * share.count
            complete = complete and share.complete
            for i, solution in enumerate(share.sample):
                sample.append(_swapped(solution, values[0], values[i % len(values)]))
        return Share(total, sample[:_SAMPLE], complete)

    def simplified(self, domain: Mapping[Any, Domain]) -> Domains | None:
        """The domains without what differences and relations to single values rule out."""
        left = dict(domain)
        for variable, its_factors in self.factors_of.items():
            for factor in its_factors:
                if isinstance(factor, Relation) and factor.first == factor.second:
                    left[variable] = tuple(x for x in left[variable] if (x, x) in factor.allowed)
        waiting = [variable for variable, values in left.items() if len(values) == 1]
        while waiting:
            variable = waiting.pop()
            for factor in self.factors_of[variable]:
                for other in factor.scope:
                    if other == variable or not left[variable]:
                        continue
                    kept = _beside(factor, variable, left[variable][0], other, left[other])
                    if kept != left[other]:
                        left[other] = kept
                        if len(kept) == 1:
                            waiting.append(other)
        return left if all(left.values()) else None

    def parts(self, names: Iterable[Any], domain: Domains) -> list[list[Any]]:
        """The open variables, in groups that share no factor."""
        groups = nx.utils.UnionFind([name for name in names if len(domain[name]) > 1])
        for factor in _of(self.factors_of, groups):
            groups.union(*[name for name in factor.scope if len(domain[name]) > 1])
        parts: dict[Any, list[Any]] = {}
        for name in names:
            if len(domain[name]) > 1:
                parts.setdefault(groups[name], []).append(name)
        return list(parts.values())

    def best_step(self, part: list[Any], domain: Domains) -> tuple[Any, list[Class]] | None:
        """The variable whose values fall into the fewest classes for their number."""
        classes = self.classes(part, domain)
        best, gain = None, 0.0
        for variable in part:
            own = [values for values in classes if values[0] in domain[variable]]
            if len(domain[variable]) / len(own) > gain:
                best, gain = (variable, own), len(domain[variable]) / len(own)
        return best if gain >= _GAIN else None

    def classes(self, part: list[Any], domain: Domains) -> list[Class]:
        """The values of a part, those that are interchangeable together."""
        holders: dict[int, list[Any]] = {}
        for variable in part:
            for value in domain[variable]:
                holders.setdefault(value, []).append(variable)
        involved = list(_of(self.factors_of, part))
        if not all(map(_is_order_free, involved)):
            return [(value,) for value in holders]
        tables = {
            (factor.allowed, domain[factor.first], domain[factor.second])
            for factor in involved
            if isinstance(factor, Relation) and factor.first != factor.second
            if len(domain[factor.first]) > 1 and len(domain[factor.second]) > 1
        }
        classes: list[list[int]] = []
        for value in sorted(holders):
            for known in classes:
                if holders[known[0]] == holders[value] and all(
                    self.survives_swap(table, known[0], value) for table in tables
                ):
                    known.append(value)
                    break
            else:
                classes.append([value])
        return [tuple(values) for values in classes]

    def survives_swap(
        self, table: tuple[frozenset[tuple[int, int]], Domain, Domain], a: int, b: int
    ) -> bool:
        """Whether a relation between two domains is the same with two values swapped."""
        if (table, a, b) not in self.swaps:
            allowed, first, second = table
            pairs = {(x, y) for x, y in allowed if x in first and y in second}
            other = {a: b, b: a}
            swapped = {(other.get(x, x), other.get(y, y)) for x, y in pairs}
            self.swaps[table, a, b] = pairs == swapped
        return self.swaps[table, a, b]

    def subgraph(self, part: list[Any], domain: Domains) -> nx.Graph:
        """The graph of a part, with the variables of single values that it sees."""
        involved = {id(factor) for factor in _of(self.factors_of, part)}
        graph = restricted_view(self.graph, domain)
        ids = [node for node, factor in factors(graph).items() if id(factor) in involved]
        keep = {*part, *ids, *(name for node in ids for name in graph.nodes[node]["factor"].scope)}
        # In the order of the graph, whatever the order of a set is.
        subgraph = nx.Graph()
        subgraph.add_nodes_from(item for item in graph.nodes(data=True) if item[0] in keep)
        subgraph.add_edges_from(
            (node, name, data) for node in ids for name, data in graph.adj[node].items()
        )
        return subgraph


def _of(factors_of: Mapping[Any, list[Factor]], names: Iterable[Any]) -> Iterable[Factor]:
    """The factors of some variables, each once."""
    return {id(factor): factor for name in names for factor in factors_of[name]}.values()


def _beside(factor: Factor, variable: Any, value: int, other: Any, domain: Domain) -> Domain:
    """The values that one variable may have beside the value of another."""
    match factor:
        case AllDifferent():
            return tuple(x for x in domain if x != value)
        case Relation(first, _, allowed) if first == variable:
            return tuple(x for x in domain if (value, x) in allowed)
        case Relation(_, _, allowed):
            return tuple(x for x in domain if (x, value) in allowed)
    return domain


def _is_order_free(factor: Factor) -> bool:
    """Whether only its table, if it has one, tells values apart."""
    if isinstance(factor, AllDifferent):
        return len(set(factor.scope)) == len(factor.scope)
    return isinstance(factor, Relation)


def _swapped(solution: Assignment, a: int, b: int) -> Assignment:
    other = {a: b, b: a}
    return {variable: other.get(value, value) for variable, value in solution.items()}
