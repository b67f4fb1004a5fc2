"""The five kinds of factor that constraints are lowered to, and that every target compiles."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from csp_encodings._frontier import frontier_automaton
from csp_encodings.automaton import DEFAULT_BUDGET, Automaton, Budget
from csp_encodings.errors import EncodingError
from csp_encodings.store import kept

if TYPE_CHECKING:
    import networkx as nx

Variable: TypeAlias = Hashable
Domain: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AllDifferent:
    """No value occurs twice in the scope.

    If the domains have just as many values together as the scope has variables, the factor is a
    *permutation*: every value occurs. A variable that is in the scope twice would have to differ
    from itself, so there is no solution.

    Examples
    --------
    >>> AllDifferent(("x", "y")).accepts((1, 1))
    False
    """

    scope: tuple[Variable, ...]

    def accepts(self, values: Sequence[int]) -> bool:
        """Whether the values, in the order of the scope, satisfy the factor."""
        return len(set(values)) == len(values)


@dataclass(frozen=True, slots=True)
class Relation:
    """A binary table: the pairs of values that two variables may take together.

    Examples
    --------
    >>> less = Relation.where("x", "y", (1, 2, 3), (1, 2, 3), lambda a, b: a < b)
    >>> sorted(less.allowed)
    [(1, 2), (1, 3), (2, 3)]
    """

    first: Variable
    second: Variable
    allowed: frozenset[tuple[int, int]]

    @classmethod
    def where(
        cls,
        first: Variable,
        second: Variable,
        first_domain: Iterable[int],
        second_domain: Iterable[int],
        predicate: Callable[[int, int], bool],
    ) -> Relation:
        """Return the relation of all pairs for which a predicate holds."""
        second_values = tuple(second_domain)
        pairs = ((a, b) for a in first_domain for b in second_values if predicate(a, b))
        return cls(first, second, frozenset(pairs))

    @property
    def scope(self) -> tuple[Variable, Variable]:
        """Both variables, in order."""
        return (self.first, self.second)

    def accepts(self, values: Sequence[int]) -> bool:
        """Whether the values, in the order of the scope, satisfy the factor."""
        return tuple(values) in self.allowed


@dataclass(frozen=True, slots=True)
class Linear:
    """``low ≤ Σ coefficient · variable ≤ high``; ``None`` means no bound.

    The coefficients of a variable that is given twice are added up, and a variable with coefficient
    0 is dropped: no variable is in the scope twice.

    Examples
    --------
    >>> Linear((1, 1, -1), ("x", "y", "x"), 3, 3)
    Linear(coefficients=(1,), scope=('y',), low=3, high=3)
    """

    coefficients: tuple[int, ...]
    scope: tuple[Variable, ...]
    low: int | None
    high: int | None

    def __post_init__(self) -> None:
        if len(self.coefficients) != len(self.scope):
            raise EncodingError(
                f"linear factor: {len(self.coefficients)} coefficients for "
                f"{len(self.scope)} variables; one for each is needed"
            )
        merged: dict[Variable, int] = {}
        for coefficient, variable in zip(self.coefficients, self.scope, strict=True):
            merged[variable] = merged.get(variable, 0) + coefficient
        kept = {variable: c for variable, c in merged.items() if c != 0}
        object.__setattr__(self, "coefficients", tuple(kept.values()))
        object.__setattr__(self, "scope", tuple(kept))

    def accepts(self, values: Sequence[int]) -> bool:
        """Whether the values, in the order of the scope, satisfy the factor."""
        total = sum(c * v for c, v in zip(self.coefficients, values, strict=True))
        return (self.low is None or self.low <= total) and (self.high is None or total <= self.high)

    def bounds(self, domains: Sequence[Domain]) -> tuple[int, int]:
        """Return both bounds, narrowed to the sums that the (non-empty) domains can reach.

        If ``low > high``, no assignment satisfies the factor.

        Examples
        --------
        >>> Linear((1, 2), ("x", "y"), None, 100).bounds([(1, 2, 3), (0, 1)])
        (1, 5)
        """
        return _bounds(self.coefficients, self.low, self.high, domains)


@dataclass(frozen=True, slots=True)
class Regular:
    """The values of the scope, in order, are accepted by a layered automaton (Pesant 2004).

    The scope may repeat a variable.
    """

    scope: tuple[Variable, ...]
    automaton: Automaton

    def __post_init__(self) -> None:
        if len(self.scope) != self.automaton.length:
            raise EncodingError(
                f"an automaton of {self.automaton.length} positions cannot read "
                f"{len(self.scope)} variables"
            )

    def accepts(self, values: Sequence[int]) -> bool:
        """Whether the values, in the order of the scope, satisfy the factor."""
        return self.automaton.accepts(values)


@dataclass(frozen=True, slots=True)
class Connected:
    """In a graph whose vertices are variables, each class of values is one connected part.

    For each class, the variables that hold one of its values form one connected part of the graph;
    a class that nobody holds is connected. Values that are in no class are free.

    Attributes
    ----------
    scope
        The variables, each once: the vertices of the graph.
    edges
        Pairs of positions in the scope, the smaller one first, ascending.
    classes
        Disjoint sets of values. "The shaded cells are connected" is ``((1,),)``, yin-yang is
        ``((0,), (1,))``, nine regions are nine classes.
    largest
        The most variables that a class may have, or None for any number.

    Examples
    --------
    >>> path = Connected(("x", "y", "z"), ((0, 1), (1, 2)), ((1,),))
    >>> path.accepts((1, 1, 0)), path.accepts((1, 0, 1))
    (True, False)
    """

    scope: tuple[Variable, ...]
    edges: tuple[tuple[int, int], ...]
    classes: tuple[tuple[int, ...], ...]
    largest: int | None = None

    def __post_init__(self) -> None:
        size = len(self.scope)
        if len(set(self.scope)) < size:
            raise EncodingError("connected factor: a variable stands twice in the scope")
        if any(not 0 <= end < size for edge in self.edges for end in edge):
            raise EncodingError(f"connected factor: an edge leaves the {size} variables")
        values = [value for values in self.classes for value in values]
        if len(set(values)) < len(values):
            raise EncodingError("connected factor: a value is in two classes")
        if self.largest is not None and self.largest < 1:
            raise EncodingError(f"connected factor: largest={self.largest} must be 1 or more")
        edges = {(min(edge), max(edge)) for edge in self.edges if edge[0] != edge[1]}
        object.__setattr__(self, "edges", tuple(sorted(edges)))
        classes = tuple([tuple(sorted(values)) for values in self.classes if values])
        object.__setattr__(self, "classes", classes)

    @classmethod
    def of(
        cls, graph: nx.Graph, classes: Iterable[Iterable[int]], largest: int | None = None
    ) -> Connected:
        """Return the factor of a networkx graph whose nodes are variables, in its order.

        Examples
        --------
        >>> import networkx as nx
        >>> Connected.of(nx.path_graph(["x", "y", "z"]), [(1,)]).edges
        ((0, 1), (1, 2))
        """
        scope = tuple(graph)
        place = {variable: i for i, variable in enumerate(scope)}
        edges = tuple((place[a], place[b]) for a, b in graph.edges())
        return cls(scope, edges, tuple(map(tuple, classes)), largest)

    @property
    def class_of(self) -> dict[int, int]:
        """The number of the class of each value that has one."""
        return {value: i for i, values in enumerate(self.classes) for value in values}

    def neighbours(self) -> list[list[int]]:
        """Return the positions that each position has an edge to, ascending.

        Examples
        --------
        >>> Connected(("x", "y", "z"), ((0, 1), (1, 2)), ((1,),)).neighbours()
        [[1], [0, 2], [1]]
        """
        near: list[list[int]] = [[] for _ in self.scope]
        for a, b in self.edges:
            near[a].append(b)
            near[b].append(a)
        return [sorted(places) for places in near]

    def accepts(self, values: Sequence[int]) -> bool:
        """Whether the values, in the order of the scope, satisfy the factor."""
        near = self.neighbours()
        for members in self.classes:
            held = {place for place, value in enumerate(values) if value in members}
            if self.largest is not None and len(held) > self.largest:
                return False
            fresh = [min(held)] if held else []
            while fresh:
                place = fresh.pop()
                if place in held:
                    held.remove(place)
                    fresh += near[place]
            if held:
                return False
        return True


Factor: TypeAlias = AllDifferent | Relation | Linear | Regular | Connected


def positions(factor: Factor) -> dict[Any, tuple[int, ...]]:
    """Return where each variable is in the scope of a factor.

    Examples
    --------
    >>> positions(Linear((1, 2), ("x", "y"), None, 5))
    {'x': (0,), 'y': (1,)}
    """
    places: dict[Any, tuple[int, ...]] = {}
    for i, variable in enumerate(factor.scope):
        places[variable] = (*places.get(variable, ()), i)
    return places


@kept(size=lambda machine: machine.bytes)
def alike(first: Domain, second: Domain) -> Automaton:
    """Return the automaton of a bit, behind two values, that says whether they are equal.

    Examples
    --------
    >>> list(alike((1, 2), (2, 3)).tuples())
    [(1, 2, 0), (1, 3, 0), (2, 2, 1), (2, 3, 0)]
    """
    return Automaton.from_predicate((first, second), int.__eq__).reified()


def automaton_of(
    factor: Factor, domains: Mapping[Any, Domain], budget: Budget = DEFAULT_BUDGET
) -> Automaton:
    """Return the automaton of any factor over the domains of its scope, within a budget.

    Examples
    --------
    >>> automaton_of(AllDifferent(("x", "y")), {"x": (1, 2), "y": (1, 2, 3)}).count()
    4
    """
    alphabets = tuple(tuple(domains[variable]) for variable in factor.scope)
    match factor:
        case Regular():
            return factor.automaton.restrict(alphabets)
        case Relation():
            return Automaton.from_table(alphabets, factor.allowed, budget=budget)
        case AllDifferent():
            return _all_different(alphabets, budget)
        case Linear():
            return _linear(factor.coefficients, factor.low, factor.high, alphabets, budget)
        case Connected():
            return _connected(factor.edges, factor.classes, factor.largest, alphabets, budget)


def _all_different(alphabets: tuple[Domain, ...], budget: Budget) -> Automaton:
    bit = {value: 1 << i for i, value in enumerate(sorted({v for a in alphabets for v in a}))}

    def step(used: int, value: int) -> int | None:
        return None if used & bit[value] else used | bit[value]

    return Automaton.from_fold(alphabets, 0, step, lambda used: True, budget=budget)


@kept(size=lambda automaton: automaton.bytes)
def _linear(
    coefficients: tuple[int, ...],
    at_least: int | None,
    at_most: int | None,
    alphabets: tuple[Domain, ...],
    budget: Budget,
) -> Automaton:
    """The automaton of a sum; puzzles have many equal sums."""
    if not all(alphabets):
        return Automaton.nothing(alphabets)
    low, high = _bounds(coefficients, at_least, at_most, alphabets)
    # The least and the most that later positions can add. A partial sum from which the bounds are
    # out of reach is dead; one from which they cannot be missed needs no exact value.
    rest = [_reach(coefficients[i:], alphabets[i:]) for i in range(1, len(alphabets) + 1)]
    safe = "safe"

    def step(total: int | str, value: int, position: int) -> int | str | None:
        if isinstance(total, str):
            return safe
        total += coefficients[position] * value
        least, most = rest[position]
        if total + most < low or total + least > high:
            return None
        return safe if low <= total + least and total + most <= high else total

    start: int | str = 0
    return Automaton.from_fold(
        alphabets,
        start,
        step,
        lambda total: isinstance(total, str) or low <= total <= high,
        positional=True,
        budget=budget,
    )


@kept(size=lambda automaton: automaton.bytes)
def _connected(
    edges: tuple[tuple[int, int], ...],
    classes: tuple[tuple[int, ...], ...],
    largest: int | None,
    alphabets: tuple[Domain, ...],
    budget: Budget,
) -> Automaton:
    """The automaton of connectivity; puzzles have many layers alike."""
    return frontier_automaton(alphabets, edges, classes, largest, budget)


def _bounds(
    coefficients: Sequence[int], low: int | None, high: int | None, domains: Sequence[Domain]
) -> tuple[int, int]:
    """The bounds of a sum, narrowed to what the domains can reach."""
    least, most = _reach(coefficients, domains)
    return least if low is None else max(low, least), most if high is None else min(high, most)


def _reach(coefficients: Sequence[int], domains: Sequence[Domain]) -> tuple[int, int]:
    """The least and the greatest value of a weighted sum; domains ascend."""
    least = most = 0
    for coefficient, domain in zip(coefficients, domains, strict=True):
        low, high = coefficient * domain[0], coefficient * domain[-1]
        least, most = (least + low, most + high) if low < high else (least + high, most + low)
    return least, most
