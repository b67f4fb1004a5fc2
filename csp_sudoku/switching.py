"""The rules of a puzzle on one SAT solver, with a switch for each: any of them can be left out.

A rule is usually lowered with an eye on the others: where the houses make cells different it need
not say so itself. Here each is lowered as if it stood alone, so that it means the same whichever
others are switched on. A rule that is too large to stand alone leans on others, which come with it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from csp_encodings.cnf import Cnf, encode
from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_encodings.errors import EncodingError
from csp_encodings.graph import FactorId, GraphBuilder, domains, restricted
from csp_sudoku.backends.base import Enumeration, Restriction, check_deadline
from csp_sudoku.backends.sat_session import SatSession
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import BudgetError, ConstraintError
from csp_sudoku.lowering import Facts, Lowering
from csp_sudoku.puzzle import Puzzle

if TYPE_CHECKING:
    import networkx as nx

# Its cores are small, and it is quick where one question follows another.
_SOLVER = "glucose4"

# The values of a variable from which on pairs of them are too many.
_PAIRWISE = 25

_ON = (1,)


ANOTHER = -1
"""The switch that says that the solution is not the one that is known."""


class Switchboard:
    """The rules of a puzzle, each with a switch; its places can be restricted as one likes.

    The switch of a rule is its number in `rules`. The factors of a rule that has several, its
    parts, have switches of their own, numbered on from there.

    Parameters
    ----------
    known
        A solution; with :data:`ANOTHER` switched on, others are asked for.
    further
        Rules that are not the puzzle's, to be switched on now and then: their numbers follow.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, cells
    >>> board = Switchboard(Puzzle.blank(4))
    >>> [rule.label for rule in (board.rules[0], board.rules[4])]
    ['row 1', 'column 1']
    >>> same = dict.fromkeys(cells("R1C1 R1C2"), (1,))
    >>> [str(item) for item in board.core([0, 4], same)]
    ['R1C1', 'R1C2', '0']
    >>> board.core([4], same) is None
    True
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        known: Mapping[Any, int] | None = None,
        further: Iterable[Constraint] = (),
        deadline: float | None = None,
    ) -> None:
        started = time.perf_counter()
        self.puzzle = puzzle
        self.rules: tuple[Constraint, ...] = tuple(dict.fromkeys([*puzzle.rules, *further]))
        self.graph, self._leans = _lower(puzzle, self.rules)
        self._tests: list[list[FactorId]] = [[] for _ in self.rules]
        number = {rule: i for i, rule in enumerate(self.rules)}
        for node, data in self.graph.nodes(data=True):
            if isinstance(node, FactorId) and not data["definition"]:
                self._tests[number[data["source"]]].append(node)
        self._parts: list[FactorId] = []
        self.parts: dict[int, range] = {}
        """The switches of the parts of a rule, where it has more than one."""
        for rule, nodes in enumerate(self._tests):
            if len(nodes) > 1:
                first = len(self.rules) + len(self._parts)
                self.parts[rule] = range(first, first + len(nodes))
                self._parts += nodes
        self.session = SatSession(self._encode(known, deadline), _SOLVER, started, deadline)

    def core(
        self, on: Iterable[int], restrict: Restriction, *, deadline: float | None = None
    ) -> tuple[Any, ...] | None:
        """What of all this leaves no solution: places and switches; None if there is a solution.

        Raises :class:`OutOfTime` at the deadline.
        """
        return self.session.core(self._question(on, restrict), deadline=deadline)

    def solutions(
        self, on: Iterable[int], restrict: Restriction, *, deadline: float | None = None
    ) -> Enumeration:
        """The solutions of the rules that are switched on."""
        return self.session.solutions(self._question(on, restrict), deadline=deadline)

    def companions(self, rule: int) -> tuple[int, ...]:
        """The rules that one leans on, and cannot be told apart from; hardly any does."""
        return self._leans.get(rule, ())

    def scope(self, part: int) -> tuple[Any, ...]:
        """The variables of a part."""
        node = self._parts[part - len(self.rules)]
        scope: tuple[Any, ...] = self.graph.nodes[node]["factor"].scope
        return scope

    def subgraph(self, on: Iterable[int], restrict: Restriction) -> nx.Graph:
        """The constraint graph of some rules and parts alone, with the variables they speak of."""
        chosen: list[FactorId] = []
        for switch in on:
            if switch >= len(self.rules):
                chosen.append(self._parts[switch - len(self.rules)])
                continue
            for rule in (switch, *self.companions(switch)):
                chosen += self._tests[rule]
        kept = _with_definitions(self.graph, chosen)
        builder = GraphBuilder()
        for node, data in self.graph.nodes(data=True):
            if isinstance(node, FactorId):
                if node in kept:
                    builder.factor(data["factor"], data["source"])
            elif node in restrict or not kept.isdisjoint(self.graph.adj[node]):
                builder.variable(node, data["domain"])
        return restricted(builder.build(), restrict)

    def close(self) -> None:
        """Delete the solver."""
        self.session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _question(self, on: Iterable[int], restrict: Restriction) -> Restriction:
        switched = dict.fromkeys(on, _ON)
        for rule in self._leans.keys() & switched.keys():
            switched |= dict.fromkeys(self._leans[rule], _ON)
        return {**restrict, **switched}

    def _encode(self, known: Mapping[Any, int] | None, deadline: float | None) -> Cnf:
        """The formula, whose last variables are the switches."""
        widest = max(map(len, domains(self.graph).values()), default=0)
        cnf = encode(
            self.graph,
            at_most_one="pairwise" if widest <= _PAIRWISE else "product",
            progress=lambda: check_deadline(deadline),
        )
        switches = [*range(len(self.rules) + len(self._parts)), ANOTHER]
        literal = {switch: cnf.variables + i for i, switch in enumerate(switches, 1)}
        guards = {nodes[0]: literal[rule] for rule, nodes in enumerate(self._tests) if nodes}
        clauses: list[tuple[int, ...]] = []
        for rule, parts in self.parts.items():
            guards |= {self._parts[part - len(self.rules)]: literal[part] for part in parts}
            clauses += [(-literal[rule], literal[part]) for part in parts]
        if known is not None:
            differs = [-cnf.literals[place, known[place]] for place in self.puzzle.variables]
            clauses.append((-literal[ANOTHER], *differs))
        nodes = [node for node in self.graph if isinstance(node, FactorId)]
        ends = (*cnf.starts[1:], len(cnf.clauses))
        clauses += cnf.clauses[: cnf.starts[0] if cnf.starts else None]
        for node, start, end in zip(nodes, cnf.starts, ends, strict=True):
            guard = guards.get(node)  # a definition always holds
            own = cnf.clauses[start:end]
            clauses += own if guard is None else [(-guard, *clause) for clause in own]
        return Cnf(
            variables=cnf.variables + len(literal),
            clauses=tuple(clauses),
            at_most=(),
            domains={**cnf.domains, **dict.fromkeys(switches, _ON)},
            first={**cnf.first, **literal},
            shown=cnf.shown,
            labels=cnf.labels,
            starts=(),
        )


def _lower(
    puzzle: Puzzle, rules: Sequence[Constraint]
) -> tuple[nx.Graph, dict[int, tuple[int, ...]]]:
    """The graph of rules that each stand alone, and what those that cannot lean on."""
    builder = GraphBuilder()
    for variable in puzzle.variables:
        builder.variable(variable, puzzle.values_of(variable))
    groups = [[set(group) for group in rule.different(puzzle)] for rule in rules]
    leans: dict[int, tuple[int, ...]] = {}
    tables: dict[Any, frozenset[tuple[int, int]]] = {}
    for i, rule in enumerate(rules):
        try:
            try:
                tests = _tests(rule, puzzle, builder, Facts(groups[i]), tables)
            except EncodingBudgetError:
                scope = set(rule.scope(puzzle))
                leans[i] = tuple(
                    j
                    for j, others in enumerate(groups)
                    if j != i and any(len(scope & group) > 1 for group in others)
                )
                known = [group for j in (i, *leans[i]) for group in groups[j]]
                tests = _tests(rule, puzzle, builder, Facts(known), tables)
        except EncodingBudgetError as error:
            raise BudgetError(f"{rule.label}: {error}") from None
        except EncodingError as error:
            raise ConstraintError(f"{rule.label}: {error}") from None
        for test in tests:
            builder.factor(test, rule)
    return builder.build(), leans


def _tests(
    rule: Constraint, puzzle: Puzzle, builder: GraphBuilder, facts: Facts, tables: dict[Any, Any]
) -> list[Any]:
    facts.tables = tables
    ctx = Lowering(puzzle, builder, facts, rule)
    rule.lower(ctx)
    return ctx.tests


def _with_definitions(graph: nx.Graph, chosen: Iterable[FactorId]) -> set[FactorId]:
    """Factors, and those that define the auxiliaries they speak of."""
    kept: set[FactorId] = set()
    waiting = list(chosen)
    while waiting:
        node = waiting.pop()
        if node in kept:
            continue
        kept.add(node)
        for variable in graph.adj[node]:
            if graph.nodes[variable]["auxiliary"]:
                waiting += [f for f in graph.adj[variable] if graph.nodes[f]["definition"]]
    return kept
