"""From a condition to factors: sums, pairs and all-different groups first, automata for the rest.

A number is taken apart into a *form*: a sum of functions of one variable each. Any other number
gets an auxiliary variable, which is a function of the others. So a wide rule becomes several small
factors. A condition inside another one becomes a bit, 1 if it is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError
from csp_encodings.factors import AllDifferent, Domain, Factor, Linear, Regular, Relation
from csp_sudoku.language import terms
from csp_sudoku.language.machines import (
    OPERATIONS,
    Plan,
    compared_machine,
    condition_machine,
    function_machine,
    operation_machine,
    pair_table,
    sum_machine,
    total_value,
)
from csp_sudoku.language.normal import normal
from csp_sudoku.language.terms import COMPARE, Term, place, renamed, scope
from csp_sudoku.machines import kept_machine

if TYPE_CHECKING:
    from csp_encodings.graph import Auxiliary
    from csp_sudoku.lowering import Lowering

Variable: TypeAlias = Any
Table: TypeAlias = dict[int, int]

# Up to this many combinations of values, a condition is tried on all of them.
_MOST_TRIED = 10_000
_MOST_PAIRS = 250_000
# All trials of a rule together: combinations of values, times the parts of what is tried.
_MOST_WORK = 8_000_000
# The most values of an auxiliary variable that is a sum.
_MOST_SUMS = 5_000
# The size up to which a sum of functions is one automaton.
_MOST_EDGES = 30_000

_BOUNDS: dict[str, tuple[int | None, int | None]] = {
    "==": (0, 0),
    "!=": (0, 0),
    "<": (None, -1),
    "<=": (None, 0),
    ">": (1, None),
    ">=": (0, None),
}


@dataclass
class Form:
    """A sum of functions of one variable each, as tables, and a number."""

    constant: int = 0
    tables: dict[Variable, Table] = field(default_factory=dict)

    def add(self, weight: int, other: Form) -> None:
        """Add another form, this many times."""
        self.constant += weight * other.constant
        for variable, table in other.tables.items():
            old = self.tables.get(variable)
            self.tables[variable] = {
                v: weight * amount + (old[v] if old else 0) for v, amount in table.items()
            }


class Compiler:
    """Makes the factors of one rule."""

    def __init__(self, ctx: Lowering, rule: Term) -> None:
        self._ctx = ctx
        self._rule = rule
        self._forms: dict[Term, Form] = {}
        self._truths: dict[Term, Form] = {}
        self._shapes: set[tuple[Term, tuple[Domain, ...]]] = set()
        self._work = 0

    def add(self) -> None:
        """Add the tests of the rule."""
        # Grids that share a cell may share no value: then there is no solution anyway.
        if not all(map(self._ctx.domain, terms.scope(self._rule))):
            return
        for test in self._tests(normal(self._rule)):
            self._ctx.add(test)

    # Conditions

    def _tests(self, condition: Term) -> list[Factor]:
        """Return factors that together say a condition in normal form."""
        match condition.operator:
            case "number":
                return [] if condition.data else [self._never()]
            case "and":
                return [test for part in condition.parts for test in self._tests(part)]
        found = self._as_one(condition, _MOST_PAIRS, 2) or self._plainly(condition)
        if found is None:
            found = self._as_one(condition, _MOST_TRIED) or self._in_parts(condition)
        return found

    def _as_one(
        self, condition: Term, most: int, longest: int | None = None
    ) -> list[Factor] | None:
        """Try a condition on all values; None if they are too many."""
        places = scope(condition)
        domains = self._ctx.domains(places)
        if (longest is not None and len(places) > longest) or prod(map(len, domains)) > most:
            return None
        shape = self._shape(condition, places, domains)
        if len(places) <= 2:
            pair = (places[0], places[-1])
            return [Relation(*pair, pair_table(shape, domains))]
        return [Regular(places, kept_machine(condition_machine, domains, shape))]

    def _shape(self, term: Term, places: tuple[Any, ...], domains: tuple[Domain, ...]) -> Term:
        """Return a term over the places 0, 1 …, which is tried on all values: once for each shape.

        A short text can have very many shapes; their number has a limit.
        """
        shape = renamed(term, {where: i for i, where in enumerate(places)})
        if (shape, domains) not in self._shapes:
            self._shapes.add((shape, domains))
            self._work += prod(map(len, domains)) * shape.size
            if self._work > _MOST_WORK:
                raise BudgetError("the rule has too many different conditions to try; split it")
        return shape

    def _plainly(self, condition: Term) -> list[Factor] | None:
        """Say a sum or an all-different group as such; None if it is neither."""
        if condition.operator == "different" and all(
            p.operator == "place" for p in condition.parts
        ):
            return [AllDifferent(tuple(part.data for part in condition.parts))]
        if condition.operator == "or" and all(len(scope(p)) == 1 for p in condition.parts):
            return self._in_parts(condition)
        if condition.operator == "compare" and all(
            len(scope(part)) == 1 for part in _difference(condition).parts
        ):
            return self._in_parts(condition)
        return None

    def _in_parts(self, condition: Term) -> list[Factor]:
        """Say a condition with auxiliary variables for its parts."""
        match condition.operator:
            case "compare":
                found = _difference(condition)
                if len(found.parts) == 1 and found.parts[0].operator in OPERATIONS:
                    [weight], summand = found.data
                    return self._compared_operation(found.parts[0], condition.data, weight, summand)
                return self._compared(self._form(found), condition.data)
            case "or":
                return self._some(condition.parts)
            case "different":
                return self._different(condition.parts)
        # What is left is the opposite of an all-different group: two of them are equal.
        parts = [place(self._variable(part)) for part in condition.parts[0].parts]
        return self._some(
            [
                terms.compared(first, "==", second)
                for i, first in enumerate(parts)
                for second in parts[:i]
            ]
        )

    def _some(self, conditions: Iterable[Term]) -> list[Factor]:
        """Say that at least one condition is true."""
        form = Form(-1)
        for condition in conditions:
            form.add(1, self._truth(condition))
        return [self._machine(form, ">=")]

    def _different(self, parts: Sequence[Term]) -> list[Factor]:
        known = [part.data for part in parts if part.operator == "number"]
        if len(set(known)) < len(known):
            return [self._never()]
        variables = [self._variable(part) for part in parts if part.operator != "number"]
        found: list[Factor] = [AllDifferent(tuple(variables))] if len(variables) > 1 else []
        for variable in variables if known else ():
            allowed = [(v, v) for v in self._ctx.domain(variable) if v not in known]
            found.append(Relation(variable, variable, frozenset(allowed)))
        return found

    def _never(self) -> Factor:
        """Return a factor that nothing satisfies."""
        anchor = scope(self._rule)[0]
        return Relation(anchor, anchor, frozenset())

    def _truth(self, condition: Term) -> Form:
        """Return whether a condition in normal form is true, as a number."""
        if condition.operator == "number":
            return Form(condition.data)
        found = self._truths.get(condition)
        if found is None:
            places = scope(condition)
            if len(places) == 1:
                found = self._unary(condition, places[0])
            else:
                tests = self._as_one(condition, _MOST_TRIED) or self._tests(condition)
                found = self._identity(self._ctx.truth(tests))
            self._truths[condition] = found
        return found

    # Numbers

    def _form(self, term: Term) -> Form:
        """Return a number as a sum of functions of one variable each."""
        found = self._forms.get(term)
        if found is None:
            found = self._forms[term] = self._made(term)
        return found

    def _made(self, term: Term) -> Form:
        match term.operator:
            case "number":
                return Form(term.data)
            case "place":
                return self._identity(term.data)
            case "sum":
                weights, summand = term.data
                total = Form(summand)
                for weight, part in zip(weights, term.parts, strict=True):
                    total.add(weight, self._form(part))
                return total
        return self._truth(normal(term)) if term.is_condition else self._function(term)

    def _function(self, term: Term) -> Form:
        """Return a number that is no sum: one table, or an auxiliary variable."""
        places = scope(term)
        if not places:
            return Form()  # a division by 0: its comparison is false in any case
        if len(places) == 1:
            return self._unary(term, places[0])
        if term.operator == "distinct":
            return self._count_distinct(term.parts)
        domains = self._ctx.domains(places)
        if prod(map(len, domains)) > _MOST_TRIED:
            return self._operation(term)
        shape = self._shape(term, places, domains)
        return self._auxiliary(places, kept_machine(function_machine, domains, shape))

    def _identity(self, variable: Variable) -> Form:
        return Form(0, {variable: {v: v for v in self._ctx.domain(variable)}})

    def _unary(self, term: Term, variable: Variable) -> Form:
        return Form(
            0, {variable: {v: total_value(term, {variable: v}) for v in self._ctx.domain(variable)}}
        )

    def _operation(self, term: Term) -> Form:
        """Return an operation on numbers as an auxiliary variable."""
        variables, plan = self._operands(term)
        domains = self._ctx.domains(variables)
        machine = kept_machine(operation_machine, domains, term.operator, plan)
        return self._auxiliary(variables, machine)

    def _compared_operation(self, term: Term, sign: str, *amounts: int) -> list[Factor]:
        """Say how an operation, this many times and with a summand, compares with 0."""
        variables, plan = self._operands(term)
        domains = self._ctx.domains(variables)
        machine = kept_machine(compared_machine, domains, term.operator, plan, sign, amounts)
        return [Regular(tuple(variables), machine)]

    def _operands(self, term: Term) -> tuple[list[Variable], Plan]:
        """Return the variables of an operation, and the numbers that their values stand for."""
        parts = term.parts
        if term.operator in ("item", "position"):
            parts = (parts[-1], *parts[:-1])  # what is looked for is read first
        variables: list[Variable] = []
        plan: list[int | tuple[int, ...]] = []
        for part in parts:
            form = self._form(part)
            if not form.tables:
                plan.append(form.constant)
                continue
            if len(form.tables) > 1:
                form = self._identity(self._total(form))
            [(variable, table)] = form.tables.items()
            variables.append(variable)
            plan.append(tuple([table[v] + form.constant for v in self._ctx.domain(variable)]))
        return variables, tuple(plan)

    def _count_distinct(self, parts: Sequence[Term]) -> Form:
        """Return how many values occur: a bit for each value."""
        parts = [p if len(scope(p)) < 2 else place(self._variable(p)) for p in parts]
        forms = [self._form(part) for part in parts]
        values = {
            amount + form.constant
            for form in forms
            for amount in next(iter(form.tables.values()), {0: 0}).values()
        }
        total = Form()
        for amount in sorted(values):
            wanted = terms.number(amount)
            occurs = terms.either([terms.compared(part, "==", wanted) for part in parts])
            total.add(1, self._form(occurs))
        return total

    def _variable(self, term: Term) -> Variable:
        """Return a variable that has the value of a number."""
        if term.operator == "place":
            return term.data
        return self._total(self._form(term))

    def _total(self, form: Form) -> Variable:
        """Return a variable that has the value of a form."""
        scope = tuple(form.tables)
        if len(scope) == 1:
            [(variable, table)] = form.tables.items()
            if form.constant == 0 and all(v == amount for v, amount in table.items()):
                return variable
        linear = self._linear(form)
        if linear is not None:
            weights, constant = linear
            sums = {constant}
            for weight, variable in zip(weights, scope, strict=True):
                sums = {s + weight * v for s in sums for v in self._ctx.domain(variable)}
                if len(sums) > _MOST_SUMS:
                    raise BudgetError(f"a sum has more than {_MOST_SUMS:,} values; make it smaller")
            return self._ctx.auxiliary(
                "sum",
                sorted(sums),
                lambda total: Linear((*weights, -1), (*scope, total), -constant, -constant),
            )
        plan = (form.constant, *(tuple(table.values()) for table in form.tables.values()))
        machine = kept_machine(operation_machine, self._ctx.domains(scope), "sum", plan)
        [variable] = self._auxiliary(scope, machine).tables
        return variable

    def _auxiliary(self, scope: Sequence[Variable], machine: Automaton) -> Form:
        """Return a variable that an automaton determines, at its last position."""
        variable: Auxiliary = self._ctx.auxiliary(
            "value", machine.alphabets[-1], lambda new: Regular((*scope, new), machine)
        )
        return self._identity(variable)

    # Sums

    def _linear(self, form: Form) -> tuple[tuple[int, ...], int] | None:
        """Return the weights and the summand of a form, if all its functions are straight lines."""
        weights, constant = [], form.constant
        for table in form.tables.values():
            (first, low), (second, high) = (*table.items(), *table.items())[:2]
            weight = (high - low) // (second - first) if second != first else 0
            summand = low - weight * first
            if any(amount != weight * v + summand for v, amount in table.items()):
                return None
            weights.append(weight)
            constant += summand
        return tuple(weights), constant

    def _compared(self, form: Form, sign: str) -> list[Factor]:
        """Say how a form compares with 0."""
        if len(form.tables) <= 2:
            return self._compared_pair(form, sign)
        linear = self._linear(form)
        if linear is not None and sign != "!=":
            return self._linearly(form, linear, sign)
        if _edges(form) <= _MOST_EDGES:
            return [self._machine(form, sign)]
        if sign == "!=":
            return self._compared(self._identity(self._total(form)), sign)
        straight = Form(form.constant)
        for variable, table in form.tables.items():
            part = Form(0, {variable: table})
            if self._linear(part) is None:
                part = self._identity(self._total(part))
            straight.add(1, part)
        return self._compared(straight, sign)

    def _linearly(self, form: Form, linear: tuple[tuple[int, ...], int], sign: str) -> list[Factor]:
        weights, constant = linear
        bounds = [None if b is None else b - constant for b in _BOUNDS[sign]]
        return [Linear(weights, tuple(form.tables), *bounds)]

    def _compared_pair(self, form: Form, sign: str) -> list[Factor]:
        """Say how a form of at most two variables compares with 0."""
        compare = COMPARE[sign]
        if not form.tables:
            return [] if compare(form.constant, 0) else [self._never()]
        (one, table), *rest = form.tables.items()
        if not rest:
            alone = [(v, v) for v, a in table.items() if compare(a + form.constant, 0)]
            return [Relation(one, one, frozenset(alone))]
        [(two, other)] = rest
        if len(table) * len(other) > _MOST_PAIRS and sign != "!=":
            linear = self._linear(form)
            if linear is not None:
                return self._linearly(form, linear, sign)
        pairs = product(table.items(), other.items())
        listed = [(v, w) for (v, a), (w, b) in pairs if compare(a + b + form.constant, 0)]
        return [Relation(one, two, frozenset(listed))]

    def _machine(self, form: Form, sign: str) -> Factor:
        variables = tuple(form.tables)
        tables = tuple(tuple(table.values()) for table in form.tables.values())
        low, high = [None if b is None else b - form.constant for b in _BOUNDS[sign]]
        machine = kept_machine(
            sum_machine, self._ctx.domains(variables), tables, low, high, sign != "!="
        )
        return Regular(variables, machine)


def _difference(comparison: Term) -> Term:
    """Return the number that a comparison compares with 0."""
    first, second = comparison.parts
    found = terms.weighted([(1, first), (-1, second)])
    if found.operator == "sum":
        return found
    return Term("sum", (found,), ((1,), 0)) if found.operator != "number" else found


def _edges(form: Form) -> int:
    """Return about how many edges the automaton of a sum has."""
    states, low, high, edges = 1, 0, 0, 0
    for table in form.tables.values():
        edges += states * len(table)
        low, high = low + min(table.values()), high + max(table.values())
        states = min(states * len(table), high - low + 1)
    return edges
