"""A sweep over the variables of a graph, to count its solutions without looking at each.

The variables are assigned one after the other, in a fixed order. What the later ones need to know
of the earlier ones is their *state*: the domains that are left to them, and where the automata of
longer factors have got to. Partial assignments with equal states have equally many solutions, so
only their number is kept for each state (variable elimination on a path, Dechter 1999).

Values that the factors still to come do not tell apart are interchangeable, and so are lines, such
as two columns of a box. So states that differ only by the names of values or lines are equal, too.

References
----------
R. Dechter: Bucket elimination: a unifying framework for reasoning. Artificial Intelligence, 1999.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, log2
from typing import Any

import networkx as nx

from csp_encodings.automaton import Automaton, Budget
from csp_encodings.errors import BudgetError
from csp_encodings.factors import AllDifferent, Domain, Factor, Linear, Relation, automaton_of
from csp_encodings.graph import domains, factors
from csp_encodings.watch import look

WORD = 64
"""A set of values is a word: a graph with more values is not swept."""

# An automaton in another order may be much larger.
_BUDGET = Budget(states=40_000, edges=400_000)
# So many families of houses are tried, and so many houses of each as the beginning.
_FAMILIES, _STARTS = 4, 2


@dataclass(frozen=True)
class Slot:
    """The common domain of some variables that are not assigned yet: a field of the state.

    Attributes
    ----------
    parent
        The slot of the state before that it comes from; None if it was no field before.
    base
        The domain before, as a set of bits, if there is no parent.
    allowed
        For each value of the variable that is assigned, the values that it leaves to these.
    """

    parent: int | None
    base: int
    allowed: tuple[int, ...]


@dataclass(frozen=True)
class Machine:
    """A factor of more than two variables, read on by one of them.

    Attributes
    ----------
    parent
        Its field in the state before; None if this is its first variable.
    heads
        For each of its states and each value the next state, or -1.
    width
        How many states it may be in afterwards; 0 if it has read all its variables.
    """

    parent: int | None
    heads: tuple[tuple[int, ...], ...]
    width: int


@dataclass(frozen=True)
class Step:
    """One variable is assigned.

    Attributes
    ----------
    variable
        Which one.
    slot
        Its domain, as a field of the state before; None if that is `base`.
    base
        Its domain as a set of bits, if no assigned variable has changed it.
    slots, machines
        The fields of the state afterwards. Machines that have read all are last, and no fields.
    houses
        Slots of variables that differ, the values that those without a slot may have, and how many
        variables these are: there must be as many values.
    classes
        Sets of values that are interchangeable from here on.
    lines
        Sets of lines that are interchangeable from here on, each line as its slots in an order that
        makes them correspond.
    """

    variable: Any
    slot: int | None
    base: int
    slots: tuple[Slot, ...]
    machines: tuple[Machine, ...]
    houses: tuple[tuple[tuple[int, ...], int, int], ...]
    classes: tuple[tuple[int, ...], ...]
    lines: tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True)
class Sweep:
    """How to sweep a graph: the values that bits stand for, and the steps."""

    values: Domain
    steps: tuple[Step, ...]


class Planner:
    """Plans sweeps of a graph.

    Raises :class:`BudgetError` if the graph has too many values, or a factor is too large.

    Attributes
    ----------
    solvable
        False if single values rule out all values of a variable: there is no solution.

    Examples
    --------
    >>> from csp_encodings.graph import graph_of
    >>> planner = Planner(graph_of(dict.fromkeys("xyz", range(3)), AllDifferent(("x", "y", "z"))))
    >>> sweep = planner.plan(planner.orders()[0])
    >>> [len(step.slots) for step in sweep.steps], sweep.steps[0].classes
    ([1, 1, 0], ((0, 1, 2),))
    """

    def __init__(self, graph: nx.Graph) -> None:
        self.factors = list(factors(graph).values())
        everything = sorted({value for domain in domains(graph).values() for value in domain})
        if len(everything) > WORD:
            raise BudgetError(f"a sweep is for up to {WORD} values; here are {len(everything)}")
        self.values = tuple(everything)
        self.bit = {value: i for i, value in enumerate(everything)}
        self.mask = {
            variable: sum(1 << self.bit[value] for value in domain)
            for variable, domain in domains(graph).items()
        }
        self.tables = {id(f): self.table(f) for f in self.factors if isinstance(f, Relation)}
        self.factors_of: dict[Any, list[Factor]] = defaultdict(list)
        for factor in self.factors:
            for variable in dict.fromkeys(factor.scope):
                self.factors_of[variable].append(factor)
        self.solvable = self.is_simplified()

    def plan(self, order: Sequence[Any]) -> Sweep:
        """Return how to sweep the graph in an order of all its variables."""
        steps = _Steps(self, order)
        return Sweep(self.values, tuple([steps.step(place) for place in range(len(order))]))

    def table(self, relation: Relation) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """For each value of the one variable the values of the other, in both directions."""
        forth, back = [0] * len(self.values), [0] * len(self.values)
        for a, b in relation.allowed:
            if a in self.bit and b in self.bit:
                forth[self.bit[a]] |= 1 << self.bit[b]
                back[self.bit[b]] |= 1 << self.bit[a]
        return tuple(forth), tuple(back)

    def effect(self, factor: Factor, variable: Any, other: Any) -> tuple[int, ...]:
        """For each value of a variable the values that a factor of two leaves to another one."""
        if isinstance(factor, Relation):
            forth, back = self.tables[id(factor)]
            return forth if factor.first == variable else back
        return tuple([~(1 << value) & (1 << WORD) - 1 for value in range(len(self.values))])

    def is_simplified(self) -> bool:
        """Take out of the domains what single values rule out; whether no domain is empty."""
        for factor in self.factors:
            if isinstance(factor, Relation) and factor.first == factor.second:
                forth, _ = self.tables[id(factor)]
                self.mask[factor.first] &= sum(1 << v for v, x in enumerate(forth) if x >> v & 1)
            elif isinstance(factor, AllDifferent) and len({*factor.scope}) < len(factor.scope):
                return False
            if not factor.scope and not factor.accepts(()):
                return False
        waiting = [name for name, mask in self.mask.items() if mask.bit_count() == 1]
        while waiting:
            name = waiting.pop()
            value = self.mask[name].bit_length() - 1
            for factor in self.factors_of[name]:
                if not isinstance(factor, AllDifferent | Relation) or value < 0:
                    continue
                for other in {*factor.scope} - {name}:
                    left = self.mask[other] & self.effect(factor, name, other)[value]
                    if left != self.mask[other]:
                        self.mask[other] = left
                        if left.bit_count() == 1:
                            waiting.append(other)
        return all(self.mask.values())

    def orders(self) -> list[list[Any]]:
        """Orders of the variables that may have few states.

        An order fills the houses of a family, such as all rows, one after the other. The columns
        then stay interchangeable as long as nothing else tells them apart. If few variables are in
        factors that tell values apart, such as sums, these may come before: all values are
        interchangeable afterwards.
        """
        fixed = [name for name, mask in self.mask.items() if mask.bit_count() == 1]
        free = [name for name, mask in self.mask.items() if mask.bit_count() > 1]
        told = {v for f in self.factors if self.tells_apart(f) for v in f.scope}
        early = [name for name in free if name in told]
        orders: dict[tuple[Any, ...], None] = {}
        for first in [early, []] if 3 * len(early) <= len(free) else [[]]:
            rest = [name for name in free if name not in first]
            for family in self.families() or [[]]:
                for start in range(_STARTS):
                    orders[(*fixed, *first, *self.follow(family, start, rest))] = None
        return [[*order] for order in orders]

    def tells_apart(self, factor: Factor) -> bool:
        """Whether a factor may change its mind if two values are swapped."""
        if isinstance(factor, Relation):
            table, _ = self.tables[id(factor)]
            pairs = range(len(self.values) - 1)
            return not all(_survives_swap(table, a, a + 1) for a in pairs)
        return not isinstance(factor, AllDifferent)

    def families(self) -> list[list[tuple[Any, ...]]]:
        """Sets of houses that share no variable, one for each house to begin with."""
        scopes = {f.scope: {*f.scope} for f in self.factors if len({*f.scope}) > 2}
        families = {}
        for first, its_set in scopes.items():
            chosen, taken = [first], {*its_set}
            for scope, members in scopes.items():
                if taken.isdisjoint(members):
                    chosen.append(scope)
                    taken |= members
            families[frozenset(chosen)] = chosen
        # Those that have the most variables come first; a few are enough.
        return sorted(families.values(), key=lambda one: -sum(map(len, one)))[:_FAMILIES]

    def follow(
        self, family: Sequence[tuple[Any, ...]], start: int, free: Sequence[Any]
    ) -> list[Any]:
        """An order that fills one house after the other, with few states after each."""
        guess = _Guess(self, free)
        houses = [tuple([v for v in dict.fromkeys(h) if v in guess.left]) for h in family]
        houses = sorted([house for house in houses if house], key=len)
        if houses:
            guess.fill(houses.pop(min(start, len(houses) - 1)))
        while guess.left:
            choices = houses or [(v,) for v in guess.left]
            nearest = min(choices, key=guess.after)
            choices.remove(nearest)
            guess.fill(nearest)
        return guess.order


class _Guess:
    """A rough guess at how many states there are after some variables, as a logarithm."""

    def __init__(self, planner: Planner, free: Sequence[Any]) -> None:
        self.planner = planner
        self.left = dict.fromkeys(free)
        self.order: list[Any] = []
        self.open = {
            id(factor): (factor, len([v for v in dict.fromkeys(factor.scope) if v in self.left]))
            for factor in planner.factors
        }
        self.read: dict[int, int] = dict.fromkeys(self.open, 0)

    def fill(self, part: Sequence[Any]) -> None:
        """Assign some variables."""
        for variable in part:
            del self.left[variable]
            self.order.append(variable)
            for factor in self.planner.factors_of[variable]:
                self.read[id(factor)] += 1

    def after(self, part: Sequence[Any]) -> float:
        """The states after some further variables."""
        touched = [id(f) for variable in part for f in self.planner.factors_of[variable]]
        for key in touched:
            self.read[key] += 1
        size = self.size()
        for key in touched:
            self.read[key] -= 1
        return size

    def size(self) -> float:
        """The logarithm of how many states there may be."""
        total = 0.0
        for key, (factor, number) in self.open.items():
            read = self.read[key]
            if 0 < read < number:
                match factor:
                    case AllDifferent():
                        given = len(factor.scope) - number
                        most = max(number, len(self.planner.values) - given)
                        total += 1 + log2(comb(most, min(read, most)))
                    case Relation():
                        total += 1.0
                    case _:
                        total += log2(2 + 4 * min(read, number - read))
        return total


class _Steps:
    """Makes the steps of an order, from the first to the last."""

    def __init__(self, planner: Planner, order: Sequence[Any]) -> None:
        self.planner = planner
        self.order = order
        self.place = {variable: i for i, variable in enumerate(order)}
        # The slot of each variable that has one, and the field of each machine.
        self.slot_of: dict[Any, int] = {}
        self.field_of: dict[int, int] = {}
        self.number_of = {id(factor): i for i, factor in enumerate(planner.factors)}
        self.machines: list[_Reordered] = []
        for factor in planner.factors:
            if not isinstance(factor, AllDifferent | Relation) and factor.scope:
                look()
                self.machines.append(_Reordered(factor, planner, self.place))

    def step(self, place: int) -> Step:
        look()
        variable = self.order[place]
        left = self.order[place + 1 :]
        effects: dict[Any, tuple[int, ...]] = {}
        for factor in self.planner.factors_of[variable]:
            if isinstance(factor, AllDifferent | Relation):
                for other in factor.scope:
                    if self.place[other] > place:
                        effect = self.planner.effect(factor, variable, other)
                        known = effects.get(other)
                        effects[other] = (
                            effect
                            if known is None
                            else tuple([a & b for a, b in zip(known, effect, strict=True)])
                        )
        slot, base = self.slot_of.get(variable), self.planner.mask[variable]
        slots = self._slots(left, effects)
        machines = self._machines(place)
        return Step(
            variable,
            slot,
            base,
            slots,
            machines,
            tuple(self._houses(effects, place)),
            self._classes(place),
            self._lines(place),
        )

    def _slots(
        self, left: Sequence[Any], effects: Mapping[Any, tuple[int, ...]]
    ) -> tuple[Slot, ...]:
        everything = ((1 << WORD) - 1,) * len(self.planner.values)
        slots: dict[Slot, int] = {}
        slot_of: dict[Any, int] = {}
        for other in left:
            parent = self.slot_of.get(other)
            if parent is None and other not in effects:
                continue
            base = self.planner.mask[other] if parent is None else 0
            slot = Slot(parent, base, effects.get(other, everything))
            slot_of[other] = slots.setdefault(slot, len(slots))
        self.slot_of = slot_of
        return tuple(slots)

    def _machines(self, place: int) -> tuple[Machine, ...]:
        going: list[Machine] = []
        ended: list[Machine] = []
        fields: dict[int, int] = {}
        for number, machine in enumerate(self.machines):
            parent = self.field_of.get(number)
            if place not in machine.places:
                if parent is None:
                    continue
                heads: tuple[tuple[int, ...], ...] = tuple(
                    [(state,) * len(self.planner.values) for state in range(machine.width(place))]
                )
            else:
                heads = machine.heads(place)
            if machine.places[-1] <= place:
                ended.append(Machine(parent, heads, 0))
            else:
                fields[number] = len(going)
                going.append(Machine(parent, heads, machine.width(place)))
        self.field_of = fields
        return (*going, *ended)

    def _houses(
        self, effects: Mapping[Any, object], place: int
    ) -> Iterable[tuple[tuple[int, ...], int, int]]:
        for factor in self.planner.factors:
            if isinstance(factor, AllDifferent) and any(v in effects for v in factor.scope):
                open_ = [v for v in factor.scope if self.place[v] > place]
                if len(open_) < 2:
                    continue
                slots = sorted({self.slot_of[v] for v in open_ if v in self.slot_of})
                rest = 0
                for variable in open_:
                    if variable not in self.slot_of:
                        rest |= self.planner.mask[variable]
                yield tuple(slots), rest, len(open_)

    def _classes(self, place: int) -> tuple[tuple[int, ...], ...]:
        """The values that nothing to come tells apart."""
        left = self.order[place + 1 :]
        constant = {self.planner.mask[v] for v in left if v not in self.slot_of}
        tables = {
            self.planner.tables[id(factor)][0]
            for variable in left
            for factor in self.planner.factors_of[variable]
            if isinstance(factor, Relation)
            if self.place[factor.first] > place and self.place[factor.second] > place
            if factor.first != factor.second
        }
        rows = [
            row
            for machine in self.machines
            for at in machine.places
            if at > place
            for row in machine.heads(at)
        ]
        classes: list[list[int]] = []
        for value in range(len(self.planner.values)):
            for known in classes:
                a = known[0]
                if (
                    all(mask >> a & 1 == mask >> value & 1 for mask in constant)
                    and all(row[a] == row[value] for row in rows)
                    and all(_survives_swap(table, a, value) for table in tables)
                ):
                    known.append(value)
                    break
            else:
                classes.append([value])
        return tuple([tuple(values) for values in classes if len(values) > 1])

    def _lines(self, place: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The lines that can be exchanged, variable by variable, with nothing else changed.

        Two all-different factors are such lines if their open variables are in the same other
        factors, pair by pair. What is exchanged are the slots that a line owns, which no variable
        elsewhere has; a slot that is shared must be shared by corresponding variables.
        """
        users = Counter(self.slot_of.values())
        alike: dict[object, list[tuple[int, ...]]] = defaultdict(list)
        for factor in self.planner.factors:
            if not isinstance(factor, AllDifferent):
                continue
            company = self._company(factor, place)
            number = Counter(self.slot_of[v] for _, v in company if v in self.slot_of)
            slots = tuple([slot for slot in number if users[slot] == number[slot]])
            if not slots:
                continue
            shape = []
            for others, v in company:
                slot = self.slot_of.get(v)
                if slot is None:
                    shape.append((others, "constant", self.planner.mask[v]))
                elif slot in slots:
                    shape.append((others, "own", slots.index(slot)))
                else:
                    shape.append((others, "shared", slot))
            if all({*slots}.isdisjoint(line) for line in alike[tuple(shape)]):
                alike[tuple(shape)].append(slots)
        return tuple([tuple(lines) for lines in alike.values() if len(lines) > 1])

    def _company(self, house: AllDifferent, place: int) -> list[tuple[tuple[int, ...], Any]]:
        """The open variables of a house, each after the other factors that are open for it.

        Nothing if one of them is in a factor that is no house.
        """
        found = []
        for variable in house.scope:
            if self.place[variable] > place:
                others = []
                for factor in self.planner.factors_of[variable]:
                    last = sorted([self.place[v] for v in {*factor.scope}])[-2:]
                    if isinstance(factor, AllDifferent | Relation) and last[0] <= place:
                        continue  # nobody else is open
                    if not isinstance(factor, AllDifferent):
                        return []
                    if factor is not house:
                        others.append(self.number_of[id(factor)])
                found.append((tuple(others), variable))
        return sorted(found, key=lambda one: (one[0], self.place[one[1]]))


class _Reordered:
    """The automaton of a factor that reads its variables in the order of the sweep."""

    def __init__(self, factor: Factor, planner: Planner, place: Mapping[Any, int]) -> None:
        domain_of = {
            v: tuple([x for x in planner.values if planner.mask[v] >> planner.bit[x] & 1])
            for v in factor.scope
        }
        ordered = sorted(dict.fromkeys(factor.scope), key=lambda v: place[v])
        self.places = [place[v] for v in ordered]
        if isinstance(factor, Linear):
            weight = dict(zip(factor.scope, factor.coefficients, strict=True))
            sums = Linear(
                tuple(weight[v] for v in ordered), tuple(ordered), factor.low, factor.high
            )
            automaton = automaton_of(sums, domain_of, _BUDGET)
        else:
            automaton = automaton_of(factor, domain_of, _BUDGET)
            if factor.scope != tuple(ordered):
                automaton = _reordered(automaton, factor.scope, ordered, domain_of)
        self._widths = automaton.widths
        self._heads: list[tuple[tuple[int, ...], ...]] = []
        for width, edges in zip(automaton.widths, automaton.layers, strict=False):
            # One state at least: where nothing is accepted, it has no way on.
            rows = [[-1] * len(planner.values) for _ in range(max(width, 1))]
            for edge in edges:
                for value in edge.values:
                    rows[edge.tail][planner.bit[value]] = edge.head
            self._heads.append(tuple(map(tuple, rows)))

    def heads(self, place: int) -> tuple[tuple[int, ...], ...]:
        """The next states, when the variable at this place of the order is read."""
        return self._heads[self.places.index(place)]

    def width(self, place: int) -> int:
        """How many states there are once the order has got to this place."""
        return max(1, self._widths[sum(1 for at in self.places if at <= place)])


def _reordered(
    automaton: Automaton,
    scope: Sequence[Any],
    ordered: Sequence[Any],
    domain_of: Mapping[Any, Domain],
) -> Automaton:
    """The automaton of the same assignments that reads its variables in another order.

    Where it has read is a set of runs of positions. What it keeps of a run is the state behind it
    for each state before it.
    """
    heads: list[dict[tuple[int, int], int]] = [
        {(edge.tail, value): edge.head for edge in edges for value in edge.values}
        for edges in automaton.layers
    ]
    positions = [[i for i, v in enumerate(scope) if v == variable] for variable in ordered]

    def read(runs: _Runs, position: int, value: int) -> _Runs | None:
        before = runs.get(position)  # the run that ends here
        tails = before[1] if before else tuple(range(automaton.widths[position]))
        first = before[0] if before else position
        after = tuple([heads[position].get((tail, value), -1) for tail in tails])
        if first == 0:
            after = after[:1]
        rest = {end: run for end, run in runs.items() if end != position}
        # The run that begins behind it is joined.
        end = position + 1
        for other_end, (other_first, states) in runs.items():
            if other_first == end:
                after = tuple([states[state] if state >= 0 else -1 for state in after])
                del rest[other_end]
                end = other_end
                break
        if all(state < 0 for state in after):
            return None
        return {**rest, end: (first, after)}

    def step(state: _Frozen, value: int, place: int) -> _Frozen | None:
        runs: _Runs | None = dict(state)
        for position in positions[place]:
            runs = read(runs, position, value) if runs is not None else None
        return None if runs is None else tuple(sorted(runs.items()))

    alphabets = [domain_of[v] for v in ordered]
    if automaton.widths[0] == 0:
        return Automaton.nothing(alphabets)
    return Automaton.from_fold(
        alphabets, (), step, lambda state: True, positional=True, budget=_BUDGET
    )


# Runs by their ends: where they begin, and the state behind them for each state before them.
_Runs = dict[int, tuple[int, tuple[int, ...]]]
_Frozen = tuple[tuple[int, tuple[int, tuple[int, ...]]], ...]


def _survives_swap(table: Sequence[int], a: int, b: int) -> bool:
    """Whether a relation is the same with two values swapped."""

    def swapped(mask: int) -> int:
        differ = (mask >> a ^ mask >> b) & 1
        return mask ^ (differ << a | differ << b)

    other = {a: b, b: a}
    return all(swapped(mask) == table[other.get(i, i)] for i, mask in enumerate(table))
