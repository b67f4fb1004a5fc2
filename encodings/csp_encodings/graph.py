"""The constraint graph: a bipartite networkx graph of variables and factors.

A variable node is any hashable object. It has the attributes ``domain`` (a tuple of ascending ints)
and ``auxiliary`` (False if it is part of a solution). A factor node is a :class:`FactorId`. It has
the attributes ``factor``, ``source`` (the rule it comes from) and ``definition`` (True if the
factor defines an auxiliary variable). An edge has the attribute ``positions``: where the variable
is in the factor's scope.

A graph that a function returns belongs to its caller: no other graph has the same attribute
dictionaries. The exceptions say so in their names (:meth:`GraphBuilder.build_view`,
:func:`restricted_view`); they are for encoders, which only read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from csp_encodings.errors import GraphError
from csp_encodings.factors import (
    AllDifferent,
    Connected,
    Domain,
    Factor,
    Linear,
    Regular,
    Relation,
    Variable,
    positions,
)
from csp_encodings.watch import Tally, look

# networkx takes a quarter of a second to load, and reading or checking a puzzle needs no graph.
if TYPE_CHECKING:
    import networkx as nx

Assignment: TypeAlias = Mapping[Any, int]

_A_DOZEN = 12


class Row(Mapping[Any, int]):
    """An assignment as solvers give it: values in the order of their variables.

    The dictionary is made when a value is first asked for by its variable.

    Examples
    --------
    >>> row = Row(("x", "y"), (3, 4))
    >>> row["y"], row, row == {"x": 3, "y": 4}
    (4, {'x': 3, 'y': 4}, True)
    """

    __slots__ = ("_dict", "numbers", "variables")

    def __init__(self, variables: tuple[Any, ...], numbers: Sequence[int]) -> None:
        self.variables = variables
        self.numbers = numbers
        self._dict: dict[Any, int] | None = None

    def __getitem__(self, variable: Any) -> int:
        if self._dict is None:
            self._dict = dict(zip(self.variables, self.numbers, strict=True))
        return self._dict[variable]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, slots=True, order=True)
class FactorId:
    """The name of a factor node; a type of its own, so that no variable can be equal to it."""

    index: int

    def __hash__(self) -> int:
        return self.index

    def __str__(self) -> str:
        return f"factor {self.index}"


@cache
def _first_ids() -> tuple[FactorId, ...]:
    """The names of the first factors, which all graphs have."""
    return tuple(map(FactorId, range(512)))


@dataclass(frozen=True, slots=True, order=True)
class Auxiliary:
    """A variable that the other variables determine; never part of a solution."""

    index: int
    label: str

    def __str__(self) -> str:
        return f"{self.label}#{self.index}"


class GraphBuilder:
    """Collects variables and factors, and builds the graph.

    Examples
    --------
    >>> builder = GraphBuilder()
    >>> for name in "xyz":
    ...     builder.variable(name, range(1, 4))
    >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
    >>> graph = builder.build()
    >>> sorted(graph.neighbors(FactorId(0)))
    ['x', 'y', 'z']
    >>> sum(1 for _ in assignments(graph))
    6
    """

    def __init__(self) -> None:
        # The nodes of a networkx graph. Its edges follow from the factors.
        self._nodes: dict[Any, dict[str, Any]] = {}
        self._parts = _Parts({}, {})
        self._base: Base | None = None
        self._known_domains: set[Domain] = set()
        self._factors = 0
        self._auxiliaries = 0
        self._tally = Tally()

    def variable(self, variable: Variable, domain: Iterable[int]) -> None:
        """Add a variable that is part of the solution."""
        self._add_variable(variable, domain, auxiliary=False)

    def factor(self, factor: Factor, source: object = None) -> FactorId:
        """Add a factor over variables that are already there."""
        return self._add_factor(factor, source, definition=False)

    def auxiliary(
        self,
        label: str,
        domain: Iterable[int],
        define: Any,
        source: object = None,
    ) -> Auxiliary:
        """Add a variable that others determine.

        ``define(variable)`` returns the factor that defines it, with the new variable last in its
        scope. For every assignment of the other variables exactly one value must satisfy the
        factor: only then are counts and negations right. Any other definition is refused.
        """
        variable = Auxiliary(self._auxiliaries, label)
        self._auxiliaries += 1
        self._add_variable(variable, domain, auxiliary=True)
        definition: Factor = define(variable)
        self._check_total(variable, definition)
        self._add_factor(definition, source, definition=True)
        return variable

    def domain(self, variable: Variable) -> Domain:
        """Return the domain of a variable that is already there."""
        return self._parts.domains[variable]

    def copy(self) -> GraphBuilder:
        """Return a new builder that starts with everything this one has."""
        if self._base is None:
            self._base = Base(*self._parts.copy()[:2])
        other = GraphBuilder()
        other._nodes = dict(self._nodes)
        other._parts = self._parts.copy()._replace(base=self._base)
        other._known_domains = set(self._known_domains)
        other._factors = self._factors
        other._auxiliaries = self._auxiliaries
        other._tally = self._tally.copy()
        return other

    def build(self) -> nx.Graph:
        """Return the finished graph, frozen; it belongs to the caller."""
        return owned(self.build_view())

    def build_view(self) -> nx.Graph:
        """Return the finished graph without copying attributes: only to be read.

        Edges share their attributes with each other, and nodes with the builder and its copies.
        """
        parts = self._parts.copy()
        return _view(dict(self._nodes), parts, parts.factors)

    def _add_variable(self, variable: Variable, domain: Iterable[int], *, auxiliary: bool) -> None:
        if isinstance(variable, FactorId) or variable in self._nodes:
            raise GraphError(f"variable {variable}: this name is taken")
        values = tuple(domain)
        if values not in self._known_domains:
            _check_domain(variable, values)
            self._known_domains.add(values)
        self._base = None
        self._parts.domains[variable] = values
        self._nodes[variable] = {"domain": values, "auxiliary": auxiliary}

    def _add_factor(self, factor: Factor, source: object, *, definition: bool) -> FactorId:
        first = _first_ids()
        node = first[self._factors] if self._factors < len(first) else FactorId(self._factors)
        self._tally.add("factors", 1, source)
        if isinstance(factor, Regular):
            self._tally.add("edges", factor.automaton.most_edges, source)
        known = self._parts.domains
        for variable in factor.scope:
            if variable not in known:
                raise GraphError(f"{node}: variable {variable} is not in the graph; add it first")
        self._factors += 1
        self._base = None
        self._parts.factors[node] = factor
        self._nodes[node] = {"factor": factor, "source": source, "definition": definition}
        return node

    def _check_total(self, variable: Auxiliary, definition: Factor) -> None:
        scope = definition.scope
        if scope.count(variable) != 1 or scope[-1] != variable:
            raise GraphError(f"auxiliary {variable}: must stand last, and once, in its definition")
        domains = [self.domain(v) for v in scope]
        match definition:
            case Regular():
                automaton = definition.automaton
                total = automaton.restrict(tuple(domains)).is_functional()
            case Linear() if definition.low == definition.high and definition.low is not None:
                sums = {-definition.low}
                for c, domain in zip(definition.coefficients[:-1], domains[:-1], strict=True):
                    sums = {s + c * value for s in sums for value in domain}
                values = {-definition.coefficients[-1] * value for value in domains[-1]}
                total = sums <= values
            case Relation():
                total = all(
                    sum((a, b) in definition.allowed for b in domains[1]) == 1 for a in domains[0]
                )
            case _:
                total = False
        if not total:
            raise GraphError(
                f"auxiliary {variable}: its definition must leave exactly one value for every "
                f"assignment of the variables before it"
            )


def graph_of(domain_of: Mapping[Variable, Iterable[int]], *listed: Factor) -> nx.Graph:
    """Return the graph of some variables, by their domains, and of factors over them.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> variables(graph_of({"x": (1, 2), "y": (1, 2)}, AllDifferent(("x", "y"))))
    ['x', 'y']
    """
    builder = GraphBuilder()
    for variable, domain in domain_of.items():
        builder.variable(variable, domain)
    for factor in listed:
        builder.factor(factor)
    return builder.build()


def variables(graph: nx.Graph) -> list[Any]:
    """Return the variables that make up a solution, in the order in which they were added."""
    nodes = graph._node
    return [variable for variable in domains(graph) if not nodes[variable]["auxiliary"]]


def domains(graph: nx.Graph) -> Mapping[Any, Domain]:
    """Return the domain of every variable, auxiliaries included, in the order of the nodes."""
    return _parts(graph).domains


def factors(graph: nx.Graph) -> Mapping[FactorId, Factor]:
    """Return every factor by its id, in the order in which they were added."""
    return _parts(graph).factors


def base_of(graph: nx.Graph) -> Base | None:
    """Return what a graph has in common with others: its first variables and first factors."""
    return _parts(graph).base


class Base:
    """The first variables and factors of many graphs, such as the houses of a grid.

    A graph may restrict the domains of the variables. What follows from the base alone is found
    once, and kept in `found` under a key of the finder's.
    """

    __slots__ = ("domains", "factors", "found")

    def __init__(self, domains: Mapping[Any, Domain], factors: Mapping[FactorId, Factor]) -> None:
        self.domains = domains
        self.factors = factors
        self.found: dict[Any, Any] = {}


class _Parts(NamedTuple):
    """The domains of the variables, and the factors; the base that they begin with, if any."""

    domains: dict[Any, Domain]
    factors: dict[FactorId, Factor]
    base: Base | None = None

    def copy(self) -> _Parts:
        return _Parts(dict(self.domains), dict(self.factors), self.base)


# A graph that is only to be read has its parts in this attribute: encoders ask several times.
_PARTS = "_csp_parts"


def _parts(graph: nx.Graph) -> _Parts:
    found: _Parts | None = vars(graph).get(_PARTS)
    if found is None:
        nodes = graph.nodes(data=True)
        found = _Parts(
            {node: data["domain"] for node, data in nodes if not isinstance(node, FactorId)},
            {node: data["factor"] for node, data in nodes if isinstance(node, FactorId)},
        )
    return found


def each_factor(
    graph: nx.Graph,
    size: Callable[[], int],
    key: Callable[[Factor], int] | None = None,
    but: type | None = None,
) -> Iterator[tuple[FactorId, Factor]]:
    """Yield the factors for an encoder, under watch: by the clock, and by how much it writes.

    Parameters
    ----------
    size
        Tells how many clauses, or what the encoder has in their place, are written.
    key
        Sorts the factors.
    but
        A kind of factors that the encoder does not ask for.

    Examples
    --------
    >>> graph = graph_of({"x": (1, 2)}, AllDifferent(("x",)))
    >>> for node, factor in each_factor(graph, lambda: 0):
    ...     print(node, factor.scope)
    factor 0 ('x',)
    """
    tally, nodes = Tally(), graph._node
    listed = [
        (node, factor, nodes[node]["source"])
        for node, factor in factors(graph).items()
        if type(factor) is not but
    ]
    if key is not None:
        listed.sort(key=lambda item: key(item[1]))
    written, last, number = 0, None, 0
    for node, factor, source in listed:
        # A rule may have thousands of small factors: they are noted by the dozen.
        number += 1
        if source is not last or number > _A_DOZEN:
            before, written = written, size()
            tally.add("clauses", written - before, last)
            last, number = source, 1
        yield node, factor
    tally.add("clauses", size() - written, last)


def graph_bytes(graph: nx.Graph) -> int:
    """Return about how many bytes a graph takes: 800 for a node with its edges."""
    return 800 * len(graph)


def extent(graph: nx.Graph) -> int:
    """Return how much a solver has to hold for a graph.

    That is the number of values in all scopes together, of pairs in relations (those allowed or
    those forbidden, whichever are fewer), and of edges in automata, each of which counts three
    times. An edge of a connected factor counts 20 times: encoders make many things of it.

    Examples
    --------
    >>> extent(graph_of({"x": (1, 2), "y": (1, 2, 3)}, AllDifferent(("x", "y"))))
    5
    """
    size_of = {variable: len(domain) for variable, domain in domains(graph).items()}
    total = 0
    for factor in factors(graph).values():
        sizes = [size_of[variable] for variable in factor.scope]
        total += sum(sizes)
        match factor:
            case Relation():
                allowed = len(factor.allowed)
                total += max(0, min(allowed, sizes[0] * sizes[1] - allowed))
            case Regular():
                total += 3 * factor.automaton.most_edges
            case Connected():
                total += 20 * len(factor.edges)
    return total


def owned(graph: nx.Graph) -> nx.Graph:
    """Return a frozen copy of a graph; its attribute dictionaries belong to the copy alone.

    Examples
    --------
    >>> graph = graph_of({"x": (1, 2)})
    >>> copy = owned(graph)
    >>> copy.nodes["x"]["colour"] = "red"
    >>> graph.nodes["x"]
    {'domain': (1, 2), 'auxiliary': False}
    """
    import networkx as nx

    copy = nx.Graph()
    copy.graph.update(graph.graph)
    copy._node.update({node: dict(data) for node, data in graph.nodes(data=True)})
    adjacent: dict[Any, dict[Any, dict[str, Any]]] = copy._adj
    for node, edges in graph.adjacency():
        # An edge has one dictionary, which both of its ends know.
        adjacent[node] = {
            other: adjacent[other][node] if other in adjacent else dict(data)
            for other, data in edges.items()
        }
    return nx.freeze(copy)


def restricted(graph: nx.Graph, restrict: Mapping[Any, Iterable[int]]) -> nx.Graph:
    """Return a frozen copy of the graph whose domains keep only the values named in `restrict`.

    Examples
    --------
    >>> builder = GraphBuilder()
    >>> builder.variable("x", range(4))
    >>> domains(restricted(builder.build(), {"x": [3, 7]}))
    {'x': (3,)}
    """
    return owned(restricted_view(graph, restrict))


def restricted_view(graph: nx.Graph, restrict: Mapping[Any, Iterable[int]]) -> nx.Graph:
    """Do what :func:`restricted` does, but share all that is not restricted: only to be read.

    To copy the edges can take longer than to solve.
    """
    nodes, parts = dict(graph._node), _parts(graph)
    domain_of = dict(parts.domains)
    for variable, keep in restrict.items():
        if variable not in domain_of:
            raise GraphError(f"variable {variable} is not in the graph")
        kept = frozenset(keep)
        domain = tuple([value for value in domain_of[variable] if value in kept])
        domain_of[variable] = domain
        nodes[variable] = {**nodes[variable], "domain": domain}
    return _view(nodes, _Parts(domain_of, parts.factors, parts.base), {}, graph)


def extended(
    graph: nx.Graph,
    implied: Iterable[tuple[Factor, tuple[FactorId, ...]]],
    new: Mapping[Auxiliary, Domain] | None = None,
    without: Collection[Any] = (),
) -> nx.Graph:
    """Return the graph with more factors, each with those that it follows from: only to be read.

    The factors may have `new` variables; in each solution of the graph each of these must have
    exactly one value. `without` names factors that follow from the new ones, and auxiliaries that
    only these factors have.

    Examples
    --------
    >>> graph = graph_of({"x": (1, 2)}, Linear((2,), ("x",), 4, 4))
    >>> more = extended(graph, [(Linear((1,), ("x",), 2, 2), (FactorId(0),))])
    >>> more.nodes[FactorId(1)]["implied"]
    (FactorId(index=0),)
    """
    nodes, parts = dict(graph._node), _parts(graph).copy()
    first = max([node.index for node in parts.factors], default=-1) + 1
    for node in without:
        del nodes[node]
        parts.factors.pop(node, None)
        parts.domains.pop(node, None)
    for variable, domain in (new or {}).items():
        nodes[variable] = {"domain": domain, "auxiliary": True}
        parts.domains[variable] = domain
    further = {}
    for index, (factor, sources) in enumerate(implied, first):
        node = FactorId(index)
        further[node] = factor
        nodes[node] = {
            "factor": factor,
            "source": None,
            "definition": False,
            "implied": sources,
        }
    parts.factors.update(further)
    if without:  # all edges are found anew
        return _view(nodes, parts._replace(base=None), parts.factors)
    return _view(nodes, parts, further, graph)


def _view(
    nodes: dict[Any, dict[str, Any]],
    parts: _Parts,
    further: Mapping[FactorId, Factor],
    graph: nx.Graph | None = None,
) -> nx.Graph:
    """Return a graph of these nodes; its edges are those of a graph and of further factors."""
    from csp_encodings.view import GraphView

    view = GraphView.of(nodes, further, graph)
    view.__dict__[_PARTS] = parts
    return view


def validate(graph: nx.Graph) -> None:
    """Check a graph made by hand; raise :class:`GraphError` for the first thing that is wrong."""
    for node, data in graph.nodes(data=True):
        look()
        if not isinstance(node, FactorId):
            if not isinstance(data.get("domain"), tuple) or "auxiliary" not in data:
                raise GraphError(f"variable {node}: needs the attributes domain and auxiliary")
            _check_domain(node, data["domain"])
            if any(not isinstance(neighbour, FactorId) for neighbour in graph.neighbors(node)):
                raise GraphError(f"variable {node}: linked to a variable, not to a factor")
            continue
        factor = data.get("factor")
        if not isinstance(factor, AllDifferent | Relation | Linear | Regular | Connected):
            raise GraphError(f"{node}: the attribute factor must be one of the five kinds")
        linked = {variable: edge.get("positions") for variable, edge in graph.adj[node].items()}
        if linked != positions(factor):
            raise GraphError(f"{node}: its edges and their positions do not match its scope")


def conflict_graph(graph: nx.Graph) -> nx.Graph:
    """Return the projection on variables: an edge joins two variables that share a factor.

    Each edge has the attributes ``factors``, the ids of the shared factors, and ``different``: True
    if one of these factors makes the two values differ (an all-different, or a relation without an
    equal pair).

    Examples
    --------
    >>> builder = GraphBuilder()
    >>> for name in "xyz":
    ...     builder.variable(name, range(3))
    >>> _ = builder.factor(AllDifferent(("x", "y")))
    >>> _ = builder.factor(Linear((1, 1), ("y", "z"), 3, 3))
    >>> list(conflict_graph(builder.build()).edges(data="different"))
    [('x', 'y', True), ('y', 'z', False)]
    """
    import networkx as nx

    projection = nx.Graph()
    for variable, domain in domains(graph).items():
        projection.add_node(variable, domain=domain)
    for node, factor in factors(graph).items():
        different = isinstance(factor, AllDifferent) or (
            isinstance(factor, Relation) and all(a != b for a, b in factor.allowed)
        )
        for a, b in combinations(dict.fromkeys(factor.scope), 2):
            old = projection.get_edge_data(a, b, {"factors": (), "different": False})
            projection.add_edge(
                a, b, factors=(*old["factors"], node), different=old["different"] or different
            )
    return nx.freeze(projection)


def assignments(graph: nx.Graph) -> Iterator[Assignment]:
    """Yield every solution by plain enumeration, auxiliaries included; only for tiny graphs."""
    names = list(domains(graph))
    # Check a factor as soon as its last variable is set.
    place = {variable: i for i, variable in enumerate(names)}
    due: list[list[Factor]] = [[] for _ in names]
    for factor in factors(graph).values():
        if factor.scope:
            due[max(place[v] for v in factor.scope)].append(factor)
        elif not factor.accepts(()):
            return
    partial: dict[Any, int] = {}

    def extend(depth: int) -> Iterator[Assignment]:
        if depth == len(names):
            yield dict(partial)
            return
        for value in graph.nodes[names[depth]]["domain"]:
            partial[names[depth]] = value
            if all(f.accepts([partial[v] for v in f.scope]) for f in due[depth]):
                yield from extend(depth + 1)

    yield from extend(0)


def _check_domain(variable: Variable, domain: tuple[int, ...]) -> None:
    if not {int}.issuperset(map(type, domain)):
        raise GraphError(f"variable {variable}: every value of a domain must be an int")
    if list(domain) != sorted(set(domain)):
        raise GraphError(f"variable {variable}: a domain must be ascending, without repeats")
