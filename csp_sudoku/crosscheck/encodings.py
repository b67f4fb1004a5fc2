"""Certificates of encodings: that the clauses of each rule say what the rule says.

A proof speaks of a formula. Whether the formula is the puzzle shows rule by rule: for each tuple of
values of the rule's cells, its clauses can be satisfied exactly if `holds` accepts the tuple. A
rule may leave to another what that one says anyway (a cage in a row need not say that its cells
differ), so tuples that break an announced difference of another rule are left out. No two rules
rely on each other in a circle: houses rely on nobody, and of any other rule that announces a
difference, the clauses alone exclude equal values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations, islice
from typing import Any, cast

from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError
from csp_encodings.factors import automaton_of
from csp_encodings.watch import look
from csp_sudoku import backends
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import CellConstraint, Constraint
from csp_sudoku.constraints.everywhere import _PairRule
from csp_sudoku.constraints.regions import House
from csp_sudoku.crosscheck.diagrams import diagram, telling_tuples
from csp_sudoku.formats import read
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.deadlines import deadline_after
from csp_sudoku.tracing import FactorTrace, RuleTrace, Trace, trace_encoding

# The solver of PySAT that is asked about every tuple.
_SOLVER = "minisat22"

EVERY, PAIRS, DIAGRAM, SAMPLED = "every tuple", "by pairs", "by diagram", "sampled"
"""How the clauses of a rule were compared with the rule."""

# Diagrams of more cells than this, and those of whole houses, grow too large.
_LONGEST = 12

# How many grids are asked for that keep all rules, and how many that keep all others.
_SAMPLE = 10
_SAMPLE_SECONDS = 5.0


@dataclass(frozen=True)
class RuleCertificate:
    """How the clauses of a rule were compared with the rule.

    Attributes
    ----------
    method
        ``every tuple``; ``by pairs`` (of houses and of rules for all pairs at some distance: every
        pair that is not allowed clashes, and no clause says more); ``by diagram`` (the clauses as
        an automaton, which agrees with the rule on tuples that tell it from every other one with
        no more states); or ``sampled``, which proves
        nothing.
    tuples, accepted
        How many tuples were compared, and how many of them keep the rule.
    wrong
        A tuple of which clauses and rule say different things; None if there is none.
    """

    rule: Constraint
    method: str
    tuples: int
    accepted: int
    wrong: dict[Place, int] | None = None


@dataclass(frozen=True)
class RulesCertificate:
    """The certificates of all rules of a puzzle."""

    rules: tuple[RuleCertificate, ...]

    @property
    def wrong(self) -> tuple[RuleCertificate, ...]:
        """The rules whose clauses say something else."""
        return tuple([each for each in self.rules if each.wrong is not None])

    @property
    def sampled(self) -> tuple[RuleCertificate, ...]:
        """The rules that are not certified, but agree on a sample."""
        return tuple([each for each in self.rules if each.method == SAMPLED and not each.wrong])

    @property
    def certified(self) -> bool:
        """Whether every rule is certified."""
        return not self.wrong and not self.sampled

    def __str__(self) -> str:
        if self.wrong:
            names = ", ".join(each.rule.label for each in self.wrong)
            return f"the clauses say something else than the rules: {names}"
        compared = sum(each.tuples for each in self.rules if each.method == EVERY)
        size = f"{compared:,} tuples"
        if drawn := [each.rule.label for each in self.rules if each.method == DIAGRAM]:
            size += f"; by diagram: {', '.join(drawn)}"
        if self.certified:
            return f"certified from the rules: {len(self.rules)} rules, {size}"
        names = ", ".join(each.rule.label for each in self.sampled)
        left = len(self.rules) - len(self.sampled)
        return f"{left} rules certified, {size}; only sampled: {names}"

    def to_dict(self) -> dict[str, Any]:
        """Return the certificates for JSON."""
        return {
            "certified": self.certified,
            "summary": str(self),
            "rules": [
                {
                    "label": each.rule.label,
                    "method": each.method,
                    "tuples": each.tuples,
                    "accepted": each.accepted,
                    "wrong": each.wrong and {str(p): value for p, value in each.wrong.items()},
                }
                for each in self.rules
            ],
        }


def certify_rules(puzzle: object, *, tuples: int = 400_000, seed: int = 0) -> RulesCertificate:
    """Compare the clauses of every rule with the rule itself.

    The formula is that of :func:`csp_sudoku.trace_encoding` for the puzzle without its givens.

    Parameters
    ----------
    tuples
        A rule with more tuples than this is certified in another way, or sampled.
    seed
        Fixes the samples.

    Examples
    --------
    >>> from csp_sudoku import KillerCage, Puzzle, Thermometer
    >>> puzzle = Puzzle.blank(4).add(KillerCage("R1C1 R1C2", 5), Thermometer("R1C1 R2C2"))
    >>> print(certify_rules(puzzle))
    certified from the rules: 14 rules, 3,096 tuples
    """
    rules = read(puzzle).without_givens()
    trace = trace_encoding(rules)
    known: dict[Any, RuleCertificate] = {}
    found = []
    for each in trace.rules:
        look()
        key = _key(trace, each)
        if key not in known:
            known[key] = _certify(trace, each, tuples, seed)
        same = known[key]
        found.append(
            RuleCertificate(each.rule, same.method, same.tuples, same.accepted, same.wrong)
        )
    return RulesCertificate(tuple(found))


def _certify(trace: Trace, each: RuleTrace, most: int, seed: int) -> RuleCertificate:
    rule, puzzle = each.rule, trace.puzzle
    scope = rule.scope(puzzle)
    number = 1
    for place in scope:
        number *= len(puzzle.values_of(place))
    apart = _apart(each, scope, puzzle)
    if number <= most or _few(scope, puzzle, apart, most):
        return _compare(trace, each, EVERY, _tuples(scope, puzzle, apart))
    if (isinstance(rule, House) and _holds_by_pairs(trace, each)) or (
        isinstance(rule, _PairRule) and _is_for_pairs(trace, each, rule)
    ):
        return RuleCertificate(rule, PAIRS, 0, 0)
    drawable = len(scope) <= _LONGEST and not isinstance(rule, House)
    automaton = _automaton(trace, each) if drawable else None
    if automaton is not None:
        words = list(islice(telling_tuples(automaton), most + 1))
        tuples = [dict(zip(scope, word, strict=True)) for word in words]
        excused = [values for values in tuples if not _keeps(values, apart)]
        found = _compare(trace, each, DIAGRAM, (t for t in tuples if _keeps(t, apart)))
        # Some of the tuples, without the others, tell nothing for certain.
        partly = len(words) > most or _compare(trace, each, DIAGRAM, excused).wrong
        return replace(found, method=SAMPLED) if partly else found
    return _compare(trace, each, SAMPLED, _samples(trace, each, seed))


def _compare(
    trace: Trace, each: RuleTrace, method: str, tuples: Iterable[dict[Place, int]]
) -> RuleCertificate:
    """Ask rule and clauses about tuples."""
    from pysat.solvers import Solver

    rule, puzzle = each.rule, trace.puzzle
    count = accepted = 0
    clauses = _clauses(trace, each.factors, rule.scope(puzzle))
    with Solver(_SOLVER, bootstrap_with=clauses) as solver:
        for values in tuples:
            count += 1
            if count % 256 == 0:
                look()
            kept = rule.holds(values, puzzle)
            accepted += kept
            literals = [trace.cnf.literals[place, value] for place, value in values.items()]
            if solver.solve(literals) != kept:
                return RuleCertificate(rule, method, count, accepted, dict(values))
        for equal in _announced(rule, puzzle):
            if solver.solve([trace.cnf.literals[place, value] for place, value in equal.items()]):
                return RuleCertificate(rule, method, count, accepted, equal)
    return RuleCertificate(rule, method, count, accepted)


def _automaton(trace: Trace, each: RuleTrace) -> Automaton | None:
    """The diagram of a rule's clauses; None if it is too large, or if it shows nothing.

    The clauses of each factor must be the factor, exactly. So only a rule that became other
    factors can be wrong. Definitions may speak of cells that are not the rule's own, and what
    accepts nothing has no states that could be told apart: such rules are left out.
    """
    scope, domains = each.rule.scope(trace.puzzle), trace.cnf.domains
    try:
        for part in each.factors:
            own = part.factor.scope
            if part.definition or not {*own} <= {*scope} or len({*own}) < len(own):
                return None
            if _drawn(trace, [part], own) != automaton_of(part.factor, domains):
                return None
        found = _drawn(trace, each.factors, scope)
    except BudgetError:
        return None
    return found if any(found.tuples()) else None


def _drawn(trace: Trace, parts: Iterable[FactorTrace], scope: Sequence[Any]) -> Automaton:
    """The diagram of the clauses of factors."""
    cnf = trace.cnf
    literals = [
        {value: cnf.literals[place, value] for value in cnf.domains[place]} for place in scope
    ]
    return diagram(_clauses(trace, parts, scope), literals)


def _keeps(values: Mapping[Place, int], apart: list[tuple[Place, Place]]) -> bool:
    return all(values[a] != values[b] for a, b in apart)


def _is_for_pairs(trace: Trace, each: RuleTrace, rule: _PairRule) -> bool:
    """Whether the clauses say for each pair of cells what the rule allows, and nothing else."""
    if type(rule).holds is not _PairRule.holds:
        return False
    puzzle, cnf = trace.puzzle, trace.cnf
    own = {frozenset(cnf.clauses[i - 1]) for f in each.factors for i in f.clauses}
    meaning = {x: (place, value) for (place, value), x in cnf.literals.items()}
    if any(abs(x) not in meaning for clause in own for x in clause):
        return False
    by_pair: dict[frozenset[Place], list[frozenset[int]]] = {}
    for clause in own:
        by_pair.setdefault(frozenset(meaning[abs(x)][0] for x in clause), []).append(clause)
    apart = {frozenset(pair) for pair in _apart(each, puzzle.cells, puzzle)}
    for a, b in rule.pairs(puzzle):
        look()
        clauses = by_pair.pop(frozenset((a, b)), [])
        for x in cnf.domains[a]:
            for y in cnf.domains[b]:
                true = {cnf.literals[a, x], cnf.literals[b, y]}
                said = all(
                    any((z in true) if z > 0 else -z not in true for z in c) for c in clauses
                )
                excused = x == y and frozenset((a, b)) in apart
                if said != rule.allows(x, y) and not excused:
                    return False
    return not by_pair


def _key(trace: Trace, each: RuleTrace) -> Any:
    """Equal for rules that differ in their places alone, and whose clauses are alike."""
    rule = each.rule
    if not isinstance(rule, CellConstraint):
        return id(rule)
    scope = rule.scope(trace.puzzle)
    order = {place: i for i, place in enumerate(scope)}
    names: dict[int, int] = {}
    for place in scope:
        for value in trace.cnf.domains[place]:
            names[trace.cnf.literals[place, value]] = len(names) + 1
    clauses = []
    for factor in each.factors:
        for number in factor.clauses:
            clause = trace.cnf.clauses[number - 1]
            signs = [1 if x > 0 else -1 for x in clause]
            numbers = [names.setdefault(abs(x), len(names) + 1) for x in clause]
            clauses.append(tuple([s * n for s, n in zip(signs, numbers, strict=True)]))
    others = [(f.name, getattr(rule, f.name)) for f in fields(cast(Any, rule)) if f.name != "cells"]
    places = tuple([order[place] for place in rule.cells])
    apart = frozenset(
        [frozenset(map(order.__getitem__, pair)) for pair in _apart(each, scope, trace.puzzle)]
    )
    domains = tuple([trace.cnf.domains[place] for place in scope])
    return (type(rule), repr(others), places, apart, domains, tuple(clauses))


def _apart(each: RuleTrace, scope: Sequence[Place], puzzle: Puzzle) -> list[tuple[Place, Place]]:
    """The pairs of the scope that other rules keep different; houses rely on none."""
    if isinstance(each.rule, House):
        return []
    inside = set(scope)
    found: set[tuple[Place, Place]] = set()
    for other in puzzle.rules:
        if other != each.rule:
            for group in other.different(puzzle):
                found.update(combinations(sorted(inside.intersection(group), key=str), 2))
    return sorted(found, key=str)


def _announced(rule: Constraint, puzzle: Puzzle) -> Iterator[dict[Place, int]]:
    """Equal values at two places that a rule, and no house, announces as different."""
    groups = [set(house.cells) for house in puzzle.houses]
    for group in rule.different(puzzle) if not isinstance(rule, House) else ():
        for a, b in combinations(group, 2):
            if not any(a in house and b in house for house in groups):
                for value in {*puzzle.values_of(a)}.intersection(puzzle.values_of(b)):
                    yield {a: value, b: value}


def _clauses(
    trace: Trace, parts: Iterable[FactorTrace], scope: Sequence[Any]
) -> list[tuple[int, ...]]:
    """The clauses of factors, and those that give a value to each variable that they speak of."""
    own = [trace.cnf.clauses[i - 1] for factor in parts for i in factor.clauses]
    first = min((f.clauses.start for r in trace.rules for f in r.factors if f.clauses), default=1)
    base = trace.cnf.clauses[: first - 1]
    spoken = {abs(x) for clause in own for x in clause}
    spoken |= {trace.cnf.literals[p, v] for p in scope for v in trace.cnf.domains[p]}
    while True:
        more = [clause for clause in base if any(abs(x) in spoken for x in clause)]
        larger = spoken | {abs(x) for clause in more for x in clause}
        if larger == spoken:
            return [*own, *more]
        spoken = larger


def _tuples(
    scope: Sequence[Place], puzzle: Puzzle, apart: list[tuple[Place, Place]]
) -> Iterator[dict[Place, int]]:
    """All tuples that keep the differences of other rules."""
    near: dict[Place, list[Place]] = {place: [] for place in scope}
    order = {place: i for i, place in enumerate(scope)}
    for a, b in apart:
        later, earlier = (a, b) if order[a] > order[b] else (b, a)
        near[later].append(earlier)
    values: dict[Place, int] = {}

    def extend(depth: int) -> Iterator[dict[Place, int]]:
        if depth == len(scope):
            yield values
            return
        place = scope[depth]
        taken = {values[other] for other in near[place]}
        for value in puzzle.values_of(place):
            if value not in taken:
                values[place] = value
                yield from extend(depth + 1)
        values.pop(place, None)

    return extend(0)


def _few(
    scope: Sequence[Place], puzzle: Puzzle, apart: list[tuple[Place, Place]], most: int
) -> bool:
    """Whether there are at most so many tuples, counted as if the differences were one group."""
    if len(apart) < len(scope) * (len(scope) - 1) // 2:
        return False
    number = 1
    for i, place in enumerate(scope):
        number *= max(0, len(puzzle.values_of(place)) - i)
    return number <= most


def _samples(trace: Trace, each: RuleTrace, seed: int) -> Iterator[dict[Place, int]]:
    """Grids that the clauses of all rules accept, and of all others; nobody verifies them here."""
    puzzle, rule = trace.puzzle, each.rule
    others = tuple([other for other in puzzle.constraints if other != rule])
    scope = rule.scope(puzzle)
    for asked in (puzzle, replace(puzzle, constraints=others)):
        with backends.get("sat").compile(shared_graph(asked)) as session:
            for number in range(_SAMPLE):
                late = deadline_after(_SAMPLE_SECONDS)
                for found in session.solutions(limit=1, deadline=late, seed=seed + number):
                    yield {place: found[place] for place in scope}
                    break


def _holds_by_pairs(trace: Trace, each: RuleTrace) -> bool:
    """Whether the clauses of a house say that values differ, and nothing that does not follow."""
    cnf, scope = trace.cnf, each.rule.scope(trace.puzzle)
    clauses = {frozenset(cnf.clauses[i - 1]) for f in each.factors for i in f.clauses}
    values = {value for place in scope for value in cnf.domains[place]}
    needed = set()
    for value in values:
        places = [p for p in scope if value in cnf.domains[p]]
        for a, b in combinations(places, 2):
            needed.add(frozenset((-cnf.literals[a, value], -cnf.literals[b, value])))
    permutation = len(values) == len(scope)
    following = {
        frozenset(cnf.literals[p, value] for p in scope if value in cnf.domains[p])
        for value in values
        if permutation
    }
    return needed <= clauses <= needed | following
