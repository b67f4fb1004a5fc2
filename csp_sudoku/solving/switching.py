"""The rules of a puzzle on one SAT solver, with a switch for each: any of them can be left out.

Usually a rule is lowered with a view to the others: if the houses make its cells different, it need
not say so itself. Here each rule is lowered as if it stood alone, so that it does not need the
others to be switched on. A rule that is too large to stand alone leans on others, which come with
it.

A rule always means what it means in the whole puzzle: a dot that is switched off still exempts its
cells from a negative rule. To judge the puzzle without the dot, lower it anew (see
:func:`csp_sudoku.constraints.logic.depends`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from csp_encodings.cnf import Cnf, encode
from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_encodings.errors import EncodingError
from csp_encodings.graph import FactorId, GraphBuilder, restricted_view
from csp_encodings.watch import look, watched
from csp_sudoku.backends.base import Enumeration, Restriction
from csp_sudoku.backends.sat_session import SatSession
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.lowering import Facts, Lowering, refusal
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.closing import Closing

if TYPE_CHECKING:
    import networkx as nx


# It gives small cores, and it is quick at many questions in a row.
_SOLVER = "glucose4"

_ON = (1,)


ANOTHER = -1
"""The switch that excludes the known solution."""


class Switchboard(Closing):
    """The rules of a puzzle, each with a switch; every question may restrict its places.

    The switch of a rule is its number in `rules`. If a rule has several factors, its parts, each of
    them has a switch as well; their numbers follow.

    Parameters
    ----------
    known
        A solution; with :data:`ANOTHER` switched on, it is excluded.
    further
        More rules that can be switched on, after those of the puzzle.

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
        with watched(deadline):
            self.graph, self._leans = _lower(puzzle, self.rules)
        self._tests: list[list[FactorId]] = [[] for _ in self.rules]
        number = {rule: i for i, rule in enumerate(self.rules)}
        for node, data in self.graph.nodes(data=True):
            if isinstance(node, FactorId) and not data["definition"]:
                self._tests[number[data["source"]]].append(node)
        self._parts: list[FactorId] = []
        self.parts: dict[int, range] = {}
        """The switches of the parts of each rule that has several."""
        for rule, nodes in enumerate(self._tests):
            if len(nodes) > 1:
                first = len(self.rules) + len(self._parts)
                self.parts[rule] = range(first, first + len(nodes))
                self._parts += nodes
        with watched(deadline):
            cnf = self._encode(known)
        self.session = SatSession(cnf, _SOLVER, started, deadline)
        self.asked = 0
        """How many cores were asked for so far: a measure of work."""

    def core(
        self, switches: Iterable[int], restrict: Restriction, *, deadline: float | None = None
    ) -> tuple[Any, ...] | None:
        """Return places and switches that leave no solution; None if there is a solution.

        Raises :class:`OutOfTime` at the deadline.
        """
        self.asked += 1
        return self.session.core(self._question(switches, restrict), deadline=deadline)

    def solutions(
        self, switches: Iterable[int], restrict: Restriction, *, deadline: float | None = None
    ) -> Enumeration:
        """Enumerate the solutions of the rules that are switched on; any order will do."""
        asked = self._question(switches, restrict)
        return self.session.solutions(asked, deadline=deadline, repeatable=False)

    def companions(self, rule: int) -> tuple[int, ...]:
        """Return the rules that a rule leans on and that come with it; usually none."""
        return self._leans.get(rule, ())

    def scope(self, part: int) -> tuple[Any, ...]:
        """Return the variables of a part."""
        node = self._parts[part - len(self.rules)]
        scope: tuple[Any, ...] = self.graph.nodes[node]["factor"].scope
        return scope

    def subgraph(self, switches: Iterable[int], restrict: Restriction) -> nx.Graph:
        """Return the constraint graph of some rules and parts, with their variables only."""
        chosen: list[FactorId] = []
        for switch in switches:
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
        return restricted_view(builder.build_view(), restrict)

    def close(self) -> None:
        """Delete the solver."""
        self.session.close()

    def _question(self, switches: Iterable[int], restrict: Restriction) -> Restriction:
        switched = dict.fromkeys(switches, _ON)
        for rule in self._leans.keys() & switched.keys():
            switched |= dict.fromkeys(self._leans[rule], _ON)
        return {**restrict, **switched}

    def _encode(self, known: Mapping[Any, int] | None) -> Cnf:
        """Return the formula; its last variables are the switches."""
        cnf = encode(self.graph, alone=True)
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
        bounds = (*cnf.starts, len(cnf.clauses))
        clauses += cnf.clauses[: bounds[0]]
        for node, (start, end) in zip(nodes, pairwise(bounds), strict=True):
            look()
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
    """Return the graph of rules that stand alone, and for the others the rules they lean on."""
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
            for test in tests:
                builder.factor(test, rule)
        except EncodingError as error:
            raise refusal(rule, error) from None
    return builder.build_view(), leans


def _tests(
    rule: Constraint, puzzle: Puzzle, builder: GraphBuilder, facts: Facts, tables: dict[Any, Any]
) -> list[Any]:
    facts.tables = tables
    ctx = Lowering(puzzle, builder, facts, rule)
    rule.lower(ctx)
    return ctx.tests


def _with_definitions(graph: nx.Graph, chosen: Iterable[FactorId]) -> set[FactorId]:
    """Return factors together with the definitions of their auxiliary variables."""
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
