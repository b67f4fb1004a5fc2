"""From a puzzle's rules to the constraint graph: every constraint lowers itself to factors."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import DEFAULT_BUDGET, Automaton, Budget
from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_encodings.errors import EncodingError, LimitError
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
from csp_encodings.factors import alike as alike_machine
from csp_encodings.graph import Auxiliary, GraphBuilder, graph_bytes
from csp_encodings.store import kept
from csp_encodings.watch import Tally
from csp_sudoku.cells import Place, Var
from csp_sudoku.errors import BudgetError, ConstraintError, CspSudokuError
from csp_sudoku.machines import alike, fold_machine, kept_machine, relation_table

if TYPE_CHECKING:
    import networkx as nx

    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.grid import Grid
    from csp_sudoku.puzzle import Puzzle


Variable = Place | Auxiliary

# A rule looks at the limits whenever it has so many more tests.
_MANY = 256


class Lowering:
    """What a constraint uses to lower itself.

    *Tests* (:meth:`add` and the like) say that the constraint holds; a combination around it may
    negate them. *Definitions* (:meth:`auxiliary`) always hold.
    """

    def __init__(self, puzzle: Puzzle, builder: GraphBuilder, facts: Facts, source: object) -> None:
        self.puzzle = puzzle
        self.tests: list[Factor] = []
        self._builder = builder
        self._facts = facts
        self._source = source

    @cached_property
    def _tally(self) -> Tally:
        return Tally()

    def domain(self, variable: Any) -> Domain:
        """Return the values that the shape of the puzzle allows a variable, whatever is given."""
        return self._builder.domain(variable)

    def domains(self, variables: Iterable[Any]) -> tuple[Domain, ...]:
        """Return the domains of several variables."""
        return tuple(map(self.domain, variables))

    def distinct(self, variables: Sequence[Variable]) -> bool:
        """Whether the rules make every two of these variables different anyway."""
        return self._facts.distinct(variables)

    def add(self, factor: Factor) -> None:
        """Test: this factor holds."""
        self.tests.append(factor)
        if len(self.tests) % _MANY == 0:  # they reach the graph, and its tally, only at the end
            self._tally.add("factors", _MANY, self._source)

    def add_different(self, variables: Iterable[Variable]) -> None:
        """Test: no value twice."""
        self.add(AllDifferent(tuple(variables)))

    def add_condition(self, variable: Variable, predicate: Callable[[int], bool]) -> None:
        """Test: a predicate holds for one variable; a relation of the variable with itself."""
        kept = frozenset((value, value) for value in self.domain(variable) if predicate(value))
        self.add(Relation(variable, variable, kept))

    def add_relation(
        self, first: Variable, second: Variable, predicate: Callable[[int, int], bool]
    ) -> None:
        """Test: a predicate holds for two variables. Equal predicates share a table."""
        key = (predicate, self.domain(first), self.domain(second))
        table = self._facts.tables.get(key)
        if table is None:
            table = self._facts.tables[key] = relation_table(*key)
        self.add(Relation(first, second, table))

    def add_sum(
        self,
        variables: Sequence[Variable],
        low: int | None,
        high: int | None,
        coefficients: Sequence[int] | None = None,
    ) -> None:
        """Test: the (weighted) sum is at least `low` and at most `high`."""
        weights = tuple(coefficients) if coefficients is not None else (1,) * len(variables)
        self.add(Linear(weights, tuple(variables), low, high))

    def add_fold(
        self,
        variables: Sequence[Variable],
        start: Any,
        step: Callable[..., Any],
        accept: Callable[[Any], object],
        *,
        positional: bool = False,
        budget: Budget = DEFAULT_BUDGET,
    ) -> None:
        """Test: a state machine reads the variables in order and accepts."""
        machine = fold_machine(
            self.domains(variables), start, step, accept, positional=positional, budget=budget
        )
        self.add(Regular(tuple(variables), machine))

    def add_machine(
        self, variables: Sequence[Variable], build: Callable[..., Automaton], *arguments: Hashable
    ) -> None:
        """Test: the automaton accepts that `build` returns for the domains and some arguments.

        The automaton is kept: the same arguments give the same one.
        """
        machine = kept_machine(build, self.domains(variables), *arguments)
        self.add(Regular(tuple(variables), machine))

    def add_predicate(
        self,
        variables: Sequence[Variable],
        predicate: Callable[..., bool],
        function: Callable[..., object],
    ) -> None:
        """Test: a predicate, which asks a function of the user, accepts the values in their order.

        Equal functions over equal domains are asked once in a puzzle.
        """
        scope = tuple(dict.fromkeys(variables))
        places = tuple([scope.index(variable) for variable in variables])
        domains = self.domains(scope)
        key = (alike(function), domains, places)
        machine = self._facts.machines.get(key)
        if machine is None:

            def accepts(*values: int) -> bool:
                return predicate(*[values[place] for place in places])

            machine = self._facts.machines[key] = Automaton.from_predicate(domains, accepts)
        if len(scope) > 2:
            self.add(Regular(scope, machine))
        else:
            rows = frozenset([(row[0], row[-1]) for row in machine.tuples()])
            self.add(Relation(scope[0], scope[-1], rows))

    def add_reference(self, constraint: Constraint) -> None:
        """Test: the constraint holds; built from its `holds` alone, by enumerating its scope."""
        scope = constraint.scope(self.puzzle)
        puzzle = self.puzzle

        def holds(*values: int) -> bool:
            return constraint.holds(dict(zip(scope, values, strict=True)), puzzle)

        self.add(Regular(scope, Automaton.from_predicate(self.domains(scope), holds)))

    def auxiliary(
        self, label: str, domain: Iterable[int], define: Callable[[Auxiliary], Factor]
    ) -> Auxiliary:
        """Add a variable that the others determine; see :meth:`GraphBuilder.auxiliary`."""
        return self._builder.auxiliary(label, domain, define, self._source)

    def alike(self, first: Variable, second: Variable) -> Auxiliary:
        """Return a bit that is 1 if two variables hold the same value; rules share it."""
        pair = frozenset((first, second))
        known = self._facts.alike.get(pair)
        if known is None:
            machine = alike_machine(self.domain(first), self.domain(second))
            known = self.auxiliary(
                "alike", (0, 1), lambda bit: Regular((first, second, bit), machine)
            )
            self._facts.alike[pair] = known
        return known

    def tests_of(self, constraint: Constraint, puzzle: Puzzle | None = None) -> list[Factor]:
        """Return the tests of a part, for a combination to use; its definitions always hold.

        With `puzzle` the part means what it means there: a negative rule sees other dots.
        """
        inner = Lowering(puzzle or self.puzzle, self._builder, self._facts, self._source)
        constraint.lower(inner)
        return inner.tests

    def truth(self, tests: Sequence[Factor]) -> Auxiliary:
        """Return a bit that is 1 exactly when all the tests hold."""
        bits = [self._truth_of(test) for test in tests]
        if len(bits) == 1:
            return bits[0]
        every = Automaton.from_fold(((0, 1),) * len(bits), 1, min, bool)
        return self._bit("all", tuple(bits), every)

    def _truth_of(self, test: Factor) -> Auxiliary:
        # A scope may repeat a variable: the bit is right for every tuple.
        domains = {variable: self.domain(variable) for variable in test.scope}
        if isinstance(test, Connected):
            from csp_encodings.elimination import connected_tests

            return self.truth(connected_tests(test, domains, self.auxiliary))
        return self._bit("holds", test.scope, automaton_of(test, domains))

    def _bit(self, label: str, scope: tuple[Any, ...], automaton: Automaton) -> Auxiliary:
        reified = _reified(automaton)
        return self.auxiliary(label, (0, 1), lambda bit: Regular((*scope, bit), reified))


@kept(size=lambda automaton: automaton.bytes)
def _reified(automaton: Automaton) -> Automaton:
    """A puzzle asks the same of many cells."""
    return automaton.reified()


class Facts:
    """Facts about the whole puzzle that constraints may use while they are lowered."""

    def __init__(self, groups: Iterable[Iterable[Place]]) -> None:
        self.tables: dict[Any, frozenset[tuple[int, int]]] = {}
        self.machines: dict[Any, Automaton] = {}
        self.alike: dict[frozenset[Any], Auxiliary] = {}
        self._listed = groups

    @cached_property
    def _groups(self) -> dict[Any, set[int]]:
        """The groups of different values that a place belongs to; many puzzles never need them."""
        found: dict[Any, set[int]] = {}
        for index, group in enumerate(self._listed):
            for place in group:
                found.setdefault(place, set()).add(index)
        return found

    def distinct(self, variables: Sequence[Any]) -> bool:
        """Whether every two of the variables are in a common group of different values."""
        if len(set(variables)) < len(variables):
            return False
        groups = [self._groups.get(variable, set()) for variable in variables]
        return all(not a.isdisjoint(b) for a, b in combinations(groups, 2))


def lower(rules: Puzzle, *, reference: bool = False) -> nx.Graph:
    """Lower the rules of a puzzle without givens to a constraint graph, which is only to be read.

    With `reference` every constraint is built from its `holds` alone. A faulty lowering cannot
    mislead this second way.
    """
    own = rules.rules[len(rules.houses) :]
    shared = tuple([rule for rule in own if rule.of_grid])
    builder = _shared_part(rules.grids, rules.named, shared, reference).copy()
    facts = Facts(group for rule in rules.rules for group in rule.different(rules))
    for rule in own:
        if not rule.of_grid:
            add_rule(rule, rules, builder, facts, reference)
    return builder.build_view()


@kept(size=lambda builder: graph_bytes(builder.build_view()))
def _shared_part(
    grids: tuple[Grid, ...],
    named: tuple[tuple[Var, Domain], ...],
    shared: tuple[Constraint, ...],
    reference: bool,
) -> GraphBuilder:
    """The variables, the houses and such rules as anti-knight: many puzzles have the same ones."""
    from csp_sudoku.puzzle import Puzzle

    blank = Puzzle(grids, named=named)
    builder = GraphBuilder()
    for variable in blank.variables:
        builder.variable(variable, blank.values_of(variable))
    for rule in (*blank.houses, *shared):
        add_rule(rule, blank, builder, Facts(()), reference)
    return builder


def add_rule(
    rule: Constraint,
    rules: Puzzle,
    builder: GraphBuilder,
    facts: Facts,
    reference: bool = False,
) -> None:
    """Lower one rule of a puzzle, with a view to some facts, and add its factors."""
    ctx = Lowering(rules, builder, facts, rule)
    try:
        if reference:
            ctx.add_reference(rule)
        else:
            rule.lower(ctx)
        for test in ctx.tests:
            builder.factor(test, rule)
    except EncodingError as error:
        raise refusal(rule, error) from None


def refusal(rule: Constraint, error: EncodingError) -> CspSudokuError:
    """Return an error of the lowering of a rule as our own, which names the rule."""
    if isinstance(error, LimitError):  # it is about the whole graph
        return BudgetError(str(error))
    kind = BudgetError if isinstance(error, EncodingBudgetError) else ConstraintError
    return kind(f"{rule.label}: {error}")
