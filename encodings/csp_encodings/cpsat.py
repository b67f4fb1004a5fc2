"""Constraint graph to CP-SAT model: every factor becomes the matching CP-SAT constraint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, product
from typing import Any, NamedTuple

import networkx as nx
from ortools.sat.python import cp_model

from csp_encodings.automaton import Automaton
from csp_encodings.elimination import elimination_order
from csp_encodings.errors import EncodingError
from csp_encodings.factors import (
    AllDifferent,
    Connected,
    Domain,
    Factor,
    Linear,
    Regular,
    Relation,
    automaton_of,
)
from csp_encodings.graph import Assignment, domains, each_factor, variables
from csp_encodings.store import kept
from csp_encodings.value_sets import sum_of_different

# CP-SAT computes in 64 bits, and adds and subtracts values on its way.
MAX_VALUE = 2**59


@dataclass(frozen=True, slots=True)
class CpSatModel:
    """A CP-SAT model and the meaning of its variables.

    Attributes
    ----------
    model
        The model; the variables that make up a solution come first.
    domains
        The variables of the graph with their domains, in the order of the model's variables.
    shown
        How many of the variables, from the first on, make up a solution.
    firsts
        For each factor of the graph, in their order, its first constraint.
    edited
        The domains in the model that were changed before, by the number of their variable: to
        reach one takes longer than to change it.
    """

    model: cp_model.CpModel
    domains: Mapping[Any, Domain]
    shown: int
    firsts: tuple[int, ...] = ()
    edited: dict[int, Any] = field(default_factory=dict, init=False, repr=False)

    def set_domains(self, changed: Mapping[int, Sequence[int]]) -> None:
        """Change (non-empty, ascending) domains of variables, by their numbers, in place.

        This is much faster than making a new model.
        """
        for number, domain in changed.items():
            if number not in self.edited:
                self.edited[number] = self.model.proto.variables[number].domain
            intervals = self.edited[number]
            intervals.clear()
            intervals.extend(_intervals(domain))

    def set_hint(self, hint: Mapping[int, int]) -> None:
        """Set the values to try first."""
        self.model.clear_hints()  # type: ignore[no-untyped-call]
        # Even an empty hint costs CP-SAT time.
        if hint:
            named = self.model.proto.solution_hint
            named.vars.extend(list(hint))
            named.values.extend(list(hint.values()))

    def decode(self, values: Sequence[int]) -> Assignment:
        """Read a solution from the values of the variables of the model."""
        return dict(zip(self.domains, values[: self.shown], strict=False))


def encode(graph: nx.Graph) -> CpSatModel:
    """Encode a constraint graph.

    Examples
    --------
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xy", range(1, 4)), Linear((1, 1), ("x", "y"), 6, None))
    >>> encoded = encode(graph)
    >>> solver = cp_model.CpSolver()
    >>> solver.parameters.catch_sigint_signal = False
    >>> solver.solve(encoded.model) == cp_model.OPTIMAL
    True
    >>> encoded.decode(list(solver.response_proto.solution))
    {'x': 3, 'y': 3}
    """
    encoder = _Encoder(graph)
    firsts = []
    for node, factor in each_factor(graph, lambda: encoder.written):
        encoder.owner = node
        firsts.append(len(encoder.constraints))
        encoder.add(factor)
    # Only this call says what is wrong with a model; solving just returns MODEL_INVALID.
    if message := encoder.model.validate():
        raise EncodingError(f"CP-SAT cannot take this graph: {message.splitlines()[0]}")
    return CpSatModel(encoder.model, encoder.domains, encoder.shown, tuple(firsts))


def _intervals(domain: Sequence[int]) -> list[int]:
    """The first and the last value of every run of values."""
    if domain[-1] - domain[0] == len(domain) - 1:
        return [domain[0], domain[-1]]
    found: list[int] = cp_model.Domain.from_values(domain).flattened_intervals()
    return found


class _Model(cp_model.CpModel):
    """A model without the old names of the methods.

    Binding them takes as long as adding the rules of a Sudoku. It also creates cycles, so that only
    the garbage collector can free the model.
    """

    def _add_pre_pep8_methods(self) -> None:
        pass


# The protobuf messages of a model are filled directly: through the objects of `cp_model` it takes
# twice as long. Messages for cells and houses are kept, and copied into the next model.
_proto = _Model().proto
_VariableMessage: Any = type(_proto.variables.add())
_ConstraintMessage: Any = type(_proto.constraints.add())
_TermMessage: Any = type(_ConstraintMessage().all_diff.exprs.add())


@kept(size=200)
def _variable(name: str, domain: Domain) -> Any:
    # An empty domain would make the model invalid, and not merely unsatisfiable.
    values = domain or (0,)
    if _size(values) > MAX_VALUE:
        raise EncodingError(f"variable {name}: CP-SAT takes values up to {MAX_VALUE} in size")
    message = _VariableMessage()
    message.name = name
    message.domain.extend(_intervals(values))
    return message


def _term(number: int) -> Any:
    """The expression of a variable in a table or an all-different."""
    message = _TermMessage()
    message.vars.append(number)
    message.coeffs.append(1)
    return message


@kept(size=lambda message: 100 * len(message.all_diff.exprs))
def _all_different(scope: tuple[int, ...]) -> Any:
    message = _ConstraintMessage()
    message.all_diff.exprs.extend([_term(number) for number in scope])
    return message


class _Interval(NamedTuple):
    """``low ≤ first + sign · second ≤ high``."""

    sign: int
    low: int
    high: int


class _Table(NamedTuple):
    """The allowed (or else the forbidden) pairs of two variables, one after another."""

    allowed: bool
    values: list[int]


def _relation_bytes(found: _Interval | _Table) -> int:
    return 100 if isinstance(found, _Interval) else 8 * len(found.values)


@kept(size=_relation_bytes)
def _relation(
    allowed: frozenset[tuple[int, int]], first: Domain, second: Domain
) -> _Interval | _Table:
    """How to write a relation over two (non-empty) domains."""
    pairs = [(a, b) for a in first for b in second]
    kept = [pair for pair in pairs if pair in allowed]
    left_out = [pair for pair in pairs if pair not in allowed]
    # Differences and sums within bounds are solved sooner than their tables.
    if kept and left_out and _size(first) + _size(second) <= MAX_VALUE:
        for sign in (-1, 1):
            sums = [a + sign * b for a, b in kept]
            low, high = min(sums), max(sums)
            if not any(low <= a + sign * b <= high for a, b in left_out):
                return _Interval(sign, low, high)
    few = len(kept) <= len(left_out)
    return _Table(few, [*chain.from_iterable(kept if few else left_out)])


def _size(domain: Domain) -> int:
    """The largest absolute value of a (non-empty) domain."""
    return max(-domain[0], domain[-1])


class _Encoder:
    def __init__(self, graph: nx.Graph) -> None:
        domain_of, shown = dict(domains(graph)), variables(graph)
        self.owner: object = None
        self.written = 0
        self.shown = len(shown)
        self.domains: dict[Any, Domain] = {v: domain_of[v] for v in shown} | domain_of
        self.model = _Model()
        self.variables = self.model.proto.variables
        self.constraints = self.model.proto.constraints
        # From here on, variables are numbers.
        self.numbers = {variable: number for number, variable in enumerate(self.domains)}
        self.domain_list = list(self.domains.values())
        self.literals: dict[tuple[int, int], int] = {}
        if not all(self.domain_list):
            self.add_false()
        self.variables.extend([_variable(str(v), domain) for v, domain in self.domains.items()])

    def add(self, factor: Factor) -> None:
        scope = [self.numbers[variable] for variable in factor.scope]
        own = [self.domain_list[number] for number in scope]
        if not all(own):
            return  # the variable without a value makes the model false already
        match factor:
            case AllDifferent():
                self.add_all_different(scope, own)
            case Relation():
                self.add_relation(scope, own, factor.allowed)
            case Linear():
                self.add_linear(scope, own, factor)
            case Regular():
                self.add_regular(scope, own, factor)
            case Connected():
                self.add_connected(scope, own, factor)

    def add_false(self) -> None:
        self.model.add_bool_or([])

    def add_all_different(self, scope: list[int], own: list[Domain]) -> None:
        size = len(scope)
        # Usually one domain has enough values by itself.
        enough = max(map(len, own), default=0) >= size or len(set().union(*own)) >= size
        if enough and len(set(scope)) == size:
            self.constraints.append(_all_different(tuple(scope)))
        else:
            self.add_false()

    def add_relation(
        self, scope: list[int], own: list[Domain], allowed: frozenset[tuple[int, int]]
    ) -> None:
        if scope[0] == scope[1]:
            self.add_values(scope[0], [value for value in own[0] if (value, value) in allowed])
            return
        match _relation(allowed, own[0], own[1]):
            case _Interval(sign, low, high):
                self.add_sum(scope, [1, sign], [low, high])
            case _Table(True, []):
                self.add_false()
            case _Table(True, values):
                self.add_table(scope, values)
            case _Table(False, [_, *_] as values):
                self.add_table(scope, values, negated=True)

    def add_values(self, number: int, values: Sequence[int]) -> None:
        """The variable takes one of these values."""
        if not values:
            self.add_false()
        elif len(values) < len(self.domain_list[number]):
            self.add_sum([number], [1], _intervals(values))

    def add_sum(self, scope: list[int], coefficients: list[int], intervals: list[int]) -> None:
        linear = self.constraints.add().linear
        linear.vars.extend(scope)
        self.written += 1
        linear.coeffs.extend(coefficients)
        linear.domain.extend(intervals)

    def add_table(self, scope: list[int], values: list[int], *, negated: bool = False) -> None:
        """The variables take a row of the table; the rows are joined in one list."""
        table = self.constraints.add().table
        table.exprs.extend([_term(number) for number in scope])
        table.values.extend(values)
        self.written += len(values) // len(scope)
        table.negated = negated

    def add_linear(self, scope: list[int], own: list[Domain], factor: Linear) -> None:
        low, high = factor.bounds(own)
        if low > high:
            self.add_false()
            return
        sizes = [_size(d) * abs(c) for c, d in zip(factor.coefficients, own, strict=True)]
        if sum(sizes) > MAX_VALUE:
            raise EncodingError(f"{self.owner}: CP-SAT takes sums up to {MAX_VALUE} in size")
        self.add_sum(scope, list(factor.coefficients), [low, high])

    def add_regular(self, scope: list[int], own: list[Domain], factor: Regular) -> None:
        total = sum_of_different(factor.automaton)
        within = all(
            domain == alphabet or {*domain} <= {*alphabet}
            for domain, alphabet in zip(own, factor.automaton.alphabets, strict=True)
        )
        if total is None or not within:
            self.add_automaton(scope, automaton_of(factor, self.domains))
            return
        # CP-SAT solves its own constraints faster than tables.
        self.add_all_different(scope, own)
        self.add_sum(scope, [1] * len(scope), [total, total])

    def add_connected(self, scope: list[int], own: list[Domain], factor: Connected) -> None:
        """Pass the variables one by one, and keep which of those that are left are linked.

        Two variables are linked if they are in one class and an edge joins them, or a path of the
        class through variables that were passed. One that is passed without a link to one that is
        left is the last of its class. All bits are functions of the values.
        """
        classes = [self.members(scope, own, values) for values in factor.classes]
        if factor.largest is not None:
            for members in classes:
                self.add_at_most([*members.values()], factor.largest)
            self.add_distances(classes, factor, factor.largest)
        # Any order is right. In this one, few of them become linked.
        order = [place for place, _ in elimination_order(len(scope), factor.edges)]
        turn = {place: i for i, place in enumerate(order)}
        links: list[dict[int, int]] = [{} for _ in scope]  # to variables that are passed later
        for edge in factor.edges:
            a, b = sorted(edge, key=turn.__getitem__)
            both = [(group[a], group[b]) for group in classes if a in group and b in group]
            if both:
                links[a][b] = self.add_link(both)
        for place in order:
            linked = sorted(links[place].items(), key=lambda link: turn[link[0]])
            for (a, first), (b, second) in combinations(linked, 2):
                links[a][b] = self.add_joint(first, second, links[a].get(b))
        for members in classes:
            later: list[int] = []  # the literal that says that a member is left
            for place in sorted(members, key=turn.__getitem__, reverse=True):
                for literal in later:
                    alone = -members[place] - 1, -literal - 1
                    self.add_clause([*alone, *links[place].values()])
                later = [self.disjunction([members[place], *later], "in the class from here on")]

    def add_link(self, classes: Sequence[tuple[int, int]]) -> int:
        """The literal that says that two variables are in one class, of which each has a pair."""
        link = self.add_bit(f"{self.owner}: link")
        for first, second in classes:
            self.add_clause([link, -first - 1, -second - 1])
            self.add_clause([-link - 1, -first - 1, second])
            self.add_clause([-link - 1, first, -second - 1])
        self.add_clause([-link - 1, *[first for first, _ in classes]])
        return link

    def add_joint(self, first: int, second: int, known: int | None) -> int:
        """The literal that says that both links hold, or the known one does."""
        joint = self.add_bit(f"{self.owner}: link")
        direct = [] if known is None else [known]
        self.add_clause([-first - 1, -second - 1, joint])
        for link in (first, second):
            self.add_clause([-joint - 1, link, *direct])
        for link in direct:
            self.add_clause([-link - 1, joint])
        return joint

    def members(
        self, scope: list[int], own: list[Domain], values: tuple[int, ...]
    ) -> dict[int, int]:
        """For each place whose variable can have one of the values, the literal that it has."""
        found = {}
        for place, (number, domain) in enumerate(zip(scope, own, strict=True)):
            if literals := [self.literal(number, value) for value in values if value in domain]:
                found[place] = self.disjunction(literals, "in a class")
        return found

    def add_at_most(self, literals: list[int], most: int) -> None:
        """At most so many of the literals are true.

        Bits count halves, halves of halves and so on. Linear constraints take longer, since they go
        into the relaxation.
        """
        if len(literals) > most:
            self.add_clause([-self.counted(literals, most + 1)[most] - 1])

    def counted(self, literals: list[int], most: int) -> list[int]:
        """Literals that say that at least 1, 2 … of the given ones are true, up to `most`."""
        if len(literals) < 2:
            return literals
        half = len(literals) // 2
        left, right = (self.counted(part, most) for part in (literals[:half], literals[half:]))
        found = [
            self.add_bit(f"{self.owner}: size of a class")
            for _ in range(min(len(left) + len(right), most))
        ]
        for i, j in product(range(len(left) + 1), range(len(right) + 1)):
            reached = [-literal - 1 for literal in (*left[:i][-1:], *right[:j][-1:])]
            if 0 < i + j <= len(found):
                self.add_clause([*reached, found[i + j - 1]])
            if i + j < len(found):
                self.add_clause([*left[i : i + 1], *right[j : j + 1], -found[i + j] - 1])
        return found

    def add_distances(
        self, classes: Sequence[Mapping[int, int]], factor: Connected, most: int
    ) -> None:
        """Two variables that no path of so many variables joins are not in one class."""
        graph = nx.empty_graph(len(factor.scope))
        graph.add_edges_from(factor.edges)
        for place in graph:
            near = nx.single_source_shortest_path_length(graph, place, most - 1)
            for members in classes:
                for other, literal in members.items() if place in members else ():
                    if other > place and other not in near:
                        self.add_clause([-members[place] - 1, -literal - 1])

    def add_clause(self, literals: Iterable[int]) -> None:
        """One of the literals is true. In a model the negation of variable i is -i - 1."""
        self.constraints.add().bool_or.literals.extend(literals)

    def disjunction(self, literals: Sequence[int], name: str) -> int:
        """The literal that says that one of these is true."""
        if len(literals) == 1:
            return literals[0]
        bit = self.add_bit(f"{self.owner}: {name}")
        self.add_clause([-bit - 1, *literals])
        for literal in literals:
            self.add_clause([bit, -literal - 1])
        return bit

    def literal(self, number: int, value: int) -> int:
        """The literal that says that a variable has a value."""
        if self.domain_list[number] == (0, 1):
            return number if value else -number - 1
        if (number, value) not in self.literals:
            bit = self.add_bit(f"{self.variables[number].name}={value}")
            self.literals[number, value] = bit
            others = [other for other in self.domain_list[number] if other != value]
            for condition, values in ((bit, [value]), (-bit - 1, others)):
                constraint = self.constraints.add()
                constraint.enforcement_literal.append(condition)
                constraint.linear.vars.append(number)
                constraint.linear.coeffs.append(1)
                constraint.linear.domain.extend(_intervals(values) if values else ())
        return self.literals[number, value]

    def add_bit(self, name: str) -> int:
        """Add a 0/1 variable."""
        added = self.variables.add()
        added.name = name
        added.domain.extend([0, 1])
        return len(self.variables) - 1

    def add_automaton(self, scope: list[int], automaton: Automaton) -> None:
        """Add a table of states, values and next states for every position.

        CP-SAT's own automaton constraint has internal variables that the values do not determine,
        so it would report one solution thousands of times. Here the states are variables, and since
        the automaton is deterministic, the values determine them.
        """
        if not automaton.widths[0]:
            self.add_false()
            return
        state: list[int] = []  # none where there is only one state
        for i, (number, layer) in enumerate(zip(scope, automaton.layers, strict=True), 1):
            width = automaton.widths[i]
            before, state = state, []
            if width > 1:
                state = [len(self.variables)]
                added = self.variables.add()
                added.name = f"{self.owner}: state after position {i}"
                added.domain.extend([0, width - 1])
            if not before and not state:
                self.add_values(number, layer[0].values)
                continue
            rows = [
                (*([tail] if before else ()), value, *([head] if state else ()))
                for tail, values, head in layer
                for value in values
            ]
            self.add_table([*before, number, *state], [*chain.from_iterable(rows)])
