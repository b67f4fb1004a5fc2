"""Long sums as clauses: groups of different variables, and order-encoded sums of the groups.

An automaton of a long sum has a state for each partial sum after each variable, and knows nothing
of houses. Here the variables of a sum are split into groups that all-different factors keep apart.
A group has a bit for each value, which says whether the value occurs in it. A decision diagram on
(how many, how much) over these bits gives the sum of the group. Sums are order-encoded (Tamura et
al., "Compiling finite linear CSP into SAT", Constraints 2009), merged in pairs, and cut to what the
bounds of the whole leave.

Every new variable is determined by the variables of the graph: counts stay right.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from csp_encodings.automaton import DEFAULT_BUDGET, Automaton
from csp_encodings.automaton_clauses import pattern
from csp_encodings.clauses import Clause, ClauseWriter, Pattern
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Domain, Linear, Variable
from csp_encodings.houses import Houses, alike_terms
from csp_encodings.store import kept

if TYPE_CHECKING:
    from csp_encodings.cnf import _Encoder


class Ordered(NamedTuple):
    """A number: literal ``i`` says that it is at least ``values[i + 1]``."""

    values: tuple[int, ...]
    literals: tuple[int, ...]

    def times(self, factor: int) -> Ordered:
        """The number times a factor that is not 0."""
        values = tuple([factor * value for value in self.values])
        if factor > 0:
            return Ordered(values, self.literals)
        return Ordered(values[::-1], tuple([-x for x in reversed(self.literals)]))


class SumWriter:
    """Writes the clauses of sums; what sums have in common is written once."""

    def __init__(self, encoder: _Encoder, houses: Houses) -> None:
        self.encoder = encoder
        self.clauses = encoder.clauses
        self.houses = houses
        self.known: dict[frozenset[Any], Ordered] = {}

    def add(self, factor: Linear) -> None:
        """Write a sum of variables that have values."""
        domain_of = self.encoder.domains
        low, high = factor.bounds([domain_of[variable] for variable in factor.scope])
        terms: list[Ordered] = []
        for coefficient, alike in alike_terms(factor).items():
            fixed = coefficient * sum(domain_of[v][0] for v in alike if len(domain_of[v]) == 1)
            low, high = low - fixed, high - fixed
            groups = self.houses.split([v for v in alike if len(domain_of[v]) > 1])
            terms += [self.group_sum(group).times(coefficient) for group in groups]
        self.add_terms(terms, low, high)

    def add_terms(self, terms: list[Ordered], low: int, high: int) -> None:
        """These numbers sum to at least `low` and at most `high`."""
        while True:
            least = sum([term.values[0] for term in terms])
            most = sum([term.values[-1] for term in terms])
            if least > high or most < low or low > high:
                self.encoder.add_false()
                return
            cut = [
                self.within(term, low - most + term.values[-1], high - least + term.values[0])
                for term in terms
            ]
            if any(not term.values for term in cut):
                self.encoder.add_false()
                return
            changed = any(len(a.values) < len(b.values) for a, b in zip(cut, terms, strict=True))
            terms = cut
            if changed:
                continue
            fixed = sum([term.values[0] for term in terms if len(term.values) == 1])
            terms = [term for term in terms if len(term.values) > 1]
            low, high = low - fixed, high - fixed
            if len(terms) < 3:
                break
            # The two with the fewest values first.
            terms.sort(key=lambda term: len(term.values))
            first, second, *rest = terms
            least = sum([term.values[0] for term in rest])
            most = sum([term.values[-1] for term in rest])
            terms = [*rest, self.merged(first, second, low - most, high - least)]
        if len(terms) == 2:
            first, second = terms
            found = merge_pattern(first.values, second.values, low, high, ())
            self.clauses.add_pattern(found, (*first.literals, *second.literals))

    def within(self, number: Ordered, low: int, high: int) -> Ordered:
        """Say that a number lies between two bounds; return what is left of it."""
        values, literals = number
        start, end = bisect_left(values, low), bisect_right(values, high)
        if start >= end:
            return Ordered((), ())
        if start:
            self.clauses.add((literals[start - 1],))
        if end < len(values):
            self.clauses.add((-literals[end - 1],))
        return Ordered(values[start:end], literals[start : end - 1])

    def merged(self, first: Ordered, second: Ordered, low: int, high: int) -> Ordered:
        """The sum of two numbers, which lies between two bounds."""
        if (pairs := len(first.values) * len(second.values)) > DEFAULT_BUDGET.edges:
            raise BudgetError(
                f"{self.encoder.owner}: two partial sums have {pairs:,} pairs of values, the "
                f"limit is {DEFAULT_BUDGET.edges:,}: split the sum"
            )
        sums = {a + b for a in first.values for b in second.values}
        values = tuple(sorted([total for total in sums if low <= total <= high]))
        literals = tuple(self.encoder.fresh(len(values) - 1, "partial sum")) if values else ()
        found = merge_pattern(first.values, second.values, low, high, values)
        self.clauses.add_pattern(found, (*first.literals, *second.literals, *literals))
        return Ordered(values, literals)

    def group_sum(self, group: tuple[Variable, ...]) -> Ordered:
        """The sum of different variables."""
        key = frozenset(group)
        if key not in self.known:
            self.known[key] = self.add_group(group)
        return self.known[key]

    def add_group(self, group: tuple[Variable, ...]) -> Ordered:
        if len(group) == 1:
            domain, row = self.encoder.held[group[0]]
            return self.ordered(domain, row)
        places = self.encoder.places(group)
        values = tuple(sorted(places))
        if len(values) < len(group):
            self.encoder.add_false()
            return Ordered((0,), ())
        if len(values) == len(group):
            return Ordered((sum(values),), ())
        occurs = self.encoder.fresh(len(values), "value occurs")
        for value, bit in zip(values, occurs, strict=True):
            self.clauses.add((-bit, *places[value]))
            self.clauses.add_all([(-x, bit) for x in places[value]])
        mask = self.houses.mask(group)
        for house in self.houses.all:
            if not mask & ~house.mask and house.is_permutation:
                others = self.encoder.places(self.houses.members(house.mask & ~mask))
                held = zip(values, occurs, strict=True)
                self.clauses.add_all(
                    [(bit, *others.get(v, ())) for v, bit in held if v in house.values]
                )
        diagram = group_diagram(values, len(group))
        sums = diagram.alphabets[-1]
        row = tuple(self.encoder.fresh(len(sums), "sum of a group"))
        bits = [literal for bit in occurs for literal in (-bit, bit)]
        self.encoder.add_pattern(pattern(diagram), [*bits, *row])
        return self.ordered(sums, row)

    def ordered(self, values: tuple[int, ...], row: Clause) -> Ordered:
        """A number of which each value has a literal."""
        at_least = tuple(self.encoder.fresh(len(values) - 1, "at least"))
        self.clauses.add_pattern(order_pattern(len(values)), (*row, *at_least))
        return Ordered(values, at_least)


def automaton_edges(factor: Linear, domains: Sequence[Domain]) -> int:
    """Return about how many edges the automaton of a sum would have."""
    low, high = factor.bounds(domains)
    terms = list(zip(factor.coefficients, domains, strict=True))
    ends = [sorted([c * domain[0], c * domain[-1]]) for c, domain in terms]
    left_least, left_most = sum([least for least, _ in ends]), sum([most for _, most in ends])
    least = most = edges = 0
    width = 1
    for (term_least, term_most), domain in zip(ends, domains, strict=True):
        edges += width * len(domain)
        least, most = least + term_least, most + term_most
        left_least, left_most = left_least - term_least, left_most - term_most
        room = min(most, high - left_least) - max(least, low - left_most) + 1
        width = max(1, min(width * len(domain), room))
    return edges


@kept(size=lambda found: found.bytes)
def order_pattern(size: int) -> Pattern:
    """Return clauses that tie the literals of the values of a number to its order.

    Examples
    --------
    >>> order_pattern(2).clauses  # 1 and 2 are the values, 3 says: at least the second
    ((-1, -3), (1, 3), (-2, 3), (2, -3))
    """
    clauses = ClauseWriter()
    at_least = range(size + 1, 2 * size)
    for i in range(1, size + 1):
        up = at_least[i - 2] if i > 1 else None
        over = at_least[i - 1] if i < size else None
        if over:
            clauses.add((-i, -over))
        if up:
            clauses.add((-i, up))
        clauses.add([i, *([-up] if up else []), *([over] if over else [])])
    clauses.add_all([(-b, a) for a, b in pairwise(at_least)])
    return Pattern.of(clauses.finish())


@kept(size=lambda found: found.bytes)
def merge_pattern(
    first: tuple[int, ...], second: tuple[int, ...], low: int, high: int, sums: tuple[int, ...]
) -> Pattern:
    """Return clauses over the order of two numbers and of their sum.

    Without `sums` they only keep the sum between its bounds.
    """
    clauses = ClauseWriter()
    n, m = len(first), len(second)
    a_at = [0, *range(1, n), 0]
    b_at = [0, *range(n, n + m - 1), 0]
    c_at = [0, *range(n + m - 1, n + m - 2 + len(sums))]
    limits = sums or (low,)
    over, under = {}, {}
    top = len(limits)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            total = a + b
            if total > high:
                over[i, j] = top
            else:
                over[i, j] = bisect_left(limits, total) if sums else 0
            under[i, j] = 0 if total < low else bisect_right(limits, total) if sums else top
    for (i, j), k in over.items():
        # What holds for less holds here.
        if k == 0 or over.get((i - 1, j)) == k or over.get((i, j - 1)) == k:
            continue
        clauses.add([-x for x in (a_at[i], b_at[j]) if x] + ([c_at[k]] if k < top else []))
    for (i, j), k in under.items():
        if k == top or under.get((i + 1, j)) == k or under.get((i, j + 1)) == k:
            continue
        clauses.add([x for x in (a_at[i + 1], b_at[j + 1]) if x] + ([-c_at[k]] if k else []))
    clauses.add_all([(-b, a) for a, b in pairwise(c_at[1:])])
    return Pattern.of(clauses.finish())


@kept(size=lambda automaton: automaton.bytes)
def group_diagram(values: tuple[int, ...], count: int) -> Automaton:
    """Return the diagram that reads which values occur, `count` of them, and then their sum."""
    sums = _sums(values, count)
    bits = ((0, 1),) * len(values)

    def step(state: tuple[int, int], value: int, position: int) -> tuple[int, int] | None:
        number, total = state
        if position == len(values):
            return (count, 0) if number == count and total == value else None
        number, total = number + value, total + value * values[position]
        left = len(values) - position - 1
        return (number, total) if number <= count <= number + left else None

    return Automaton.from_fold((*bits, sums), (0, 0), step, lambda state: True, positional=True)


def _sums(values: Iterable[int], count: int) -> tuple[int, ...]:
    """The sums of so many different values, ascending."""
    sums: list[set[int]] = [{0}, *(set() for _ in range(count))]
    for value in values:
        for i in range(count, 0, -1):
            sums[i] |= {total + value for total in sums[i - 1]}
    return tuple(sorted(sums[count]))
