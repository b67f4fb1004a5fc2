"""Layered deterministic automata: which tuples of values a constraint allows.

An automaton that reads tuples of one length has a layer of states before each position and one
after the last (Pesant 2004). Reduced, it is a multi-valued decision diagram (Andersen et al. 2007)
and, like a binary one (Bryant 1986), the only one of its tuples. Deterministic means that a tuple
has one path, which is what makes counts right in whatever an automaton is compiled to.

References
----------
H. R. Andersen, T. Hadzic, J. N. Hooker, P. Tiedemann: A constraint store based on multivalued
decision diagrams. CP 2007.
R. E. Bryant: Graph-based algorithms for Boolean function manipulation. IEEE Trans. Computers, 1986.
G. Pesant: A regular language membership constraint for finite sequences of variables. CP 2004.
M. O. Rabin, D. Scott: Finite automata and their decision problems. IBM Journal, 1959.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, Self

from csp_encodings._layers import (
    DEFAULT_BUDGET,
    Budget,
    Edge,
    Layer,
    Meter,
    diagram_of_sets,
    explore,
    reduce,
    reduce_outcomes,
    reduce_words,
    subset_step,
)
from csp_encodings._reading import read_alphabets, read_layers, read_table
from csp_encodings._walks import (
    EdgeTable,
    arrives,
    edge_table,
    paths,
    rows,
    supported,
    words,
)
from csp_encodings.errors import BudgetError, EncodingError
from csp_encodings.regex import read_regex
from csp_encodings.watch import look

__all__ = ["DEFAULT_BUDGET", "Automaton", "Budget", "Edge"]


@dataclass(frozen=True, slots=True)
class Automaton:
    """A layered deterministic automaton (a reduced multi-valued decision diagram).

    The form is canonical: every state lies on an accepting path, no two states of a layer accept
    the same, state 0 of the first layer is the start and state 0 of the last one accepts, and
    states are numbered breadth-first, by tail and smallest value. Two automata over the same
    alphabets accept the same tuples if and only if they are equal. Where nothing is accepted,
    there are no states.

    Make one with a builder (``from_…``, ``everything``, ``nothing``): the constructor trusts its
    arguments.

    Attributes
    ----------
    alphabets
        The values each position ranges over, ascending.
    widths
        The number of states in each layer; there is one layer more than there are positions.
    layers
        ``layers[i]`` are the edges from layer ``i`` to layer ``i + 1``, sorted by tail and values;
        at most one leads from a state to a state.
    sets
        The sets whose permutations it accepts, where it was made of them; else None.

    Examples
    --------
    >>> rising = Automaton.from_predicate([range(1, 4)] * 2, lambda a, b: a < b)
    >>> list(rising.tuples())
    [(1, 2), (1, 3), (2, 3)]
    >>> rising.layers[0]
    (Edge(tail=0, values=(1,), head=0), Edge(tail=0, values=(2,), head=1))
    >>> rising == Automaton.from_table([range(1, 4)] * 2, [(2, 3), (1, 3), (1, 2)])
    True
    """

    alphabets: tuple[tuple[int, ...], ...]
    widths: tuple[int, ...]
    layers: tuple[tuple[Edge, ...], ...]
    sets: tuple[tuple[int, ...], ...] | None = field(
        default=None, init=False, repr=False, compare=False
    )
    _hash: int | None = field(default=None, init=False, repr=False, compare=False)
    _edge_table: EdgeTable | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash((self.alphabets, self.layers)))
        return hash(self._hash)

    def __getattr__(self, name: str) -> Any:
        # Asked for what is not there: the widths and layers of an automaton made of sets.
        if name not in ("widths", "layers"):
            raise AttributeError(name)
        diagram = diagram_of_sets(self.alphabets, self.sets or ())
        object.__setattr__(self, "widths", diagram.widths)
        object.__setattr__(self, "layers", diagram.layers)
        return getattr(self, name)

    # Builders

    @classmethod
    def nothing(cls, alphabets: Iterable[Iterable[int]]) -> Self:
        """Accept no tuple.

        Examples
        --------
        >>> Automaton.nothing([range(1, 10)] * 2).widths
        (0, 0, 0)
        """
        letters = read_alphabets(alphabets)
        return cls(letters, (0,) * (len(letters) + 1), ((),) * len(letters))

    @classmethod
    def everything(cls, alphabets: Iterable[Iterable[int]]) -> Self:
        """Accept every tuple of the alphabets.

        Examples
        --------
        >>> Automaton.everything([range(1, 10)] * 3).count()
        729
        """
        letters = read_alphabets(alphabets)
        if not all(letters):
            return cls.nothing(letters)
        return cls(letters, (1,) * (len(letters) + 1), tuple([(Edge(0, a, 0),) for a in letters]))

    @classmethod
    def from_table(
        cls,
        alphabets: Iterable[Iterable[int]],
        tuples: Iterable[Sequence[int]],
        *,
        budget: Budget = DEFAULT_BUDGET,
    ) -> Self:
        """Accept the listed tuples, as far as they lie within the alphabets.

        Examples
        --------
        >>> list(Automaton.from_table([(1, 2), (1, 2)], [(2, 1), (1, 2), (1, 9)]).tuples())
        [(1, 2), (2, 1)]
        """
        letters = read_alphabets(alphabets)
        return cls(letters, *reduce_words(letters, read_table(letters, tuples, budget), budget))

    @classmethod
    def from_sets(
        cls,
        alphabet: Iterable[int],
        sets: Iterable[Iterable[int]],
        *,
        budget: Budget = DEFAULT_BUDGET,
    ) -> Self:
        """Accept the permutations of some sets of the same size.

        The states are found when they are first asked for: most solvers need only the sets.

        Examples
        --------
        >>> cage = Automaton.from_sets(range(1, 10), [(1, 2, 5), (1, 3, 4)])
        >>> cage.count(), cage
        (12, Automaton(3 positions, 5 wide, 22 transitions))
        """
        [letters] = read_alphabets([alphabet])
        listed = tuple(sorted({tuple(sorted({*values})) for values in sets}))
        size = max(map(len, listed), default=0)
        if size < 1 or any(len(values) < size or {*values} - {*letters} for values in listed):
            raise EncodingError("an automaton of sets needs sets of its alphabet, all of one size")
        self = object.__new__(cls)
        for name, value in (("alphabets", (letters,) * size), ("sets", listed)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_hash", None)
        object.__setattr__(self, "_edge_table", None)
        states = min(len(listed) << size, 1 << len(letters))
        if states > budget.states or self.most_edges > budget.edges:
            raise BudgetError(
                f"{len(listed):,} sets of {size} values may need {states:,} states and "
                f"{self.most_edges:,} edges; the budget is {budget.states:,} states and "
                f"{budget.edges:,} edges: split the constraint"
            )
        return self

    @classmethod
    def from_predicate(
        cls,
        alphabets: Iterable[Iterable[int]],
        predicate: Callable[..., object],
        *,
        budget: Budget = DEFAULT_BUDGET,
    ) -> Self:
        """Accept the tuples for which ``predicate(*values)`` is true; it is asked for all of them.

        Examples
        --------
        >>> arrow = Automaton.from_predicate([range(1, 10)] * 3, lambda a, b, c: a == b + c)
        >>> arrow.count()
        36
        """
        letters = read_alphabets(alphabets)
        number = prod(map(len, letters))
        if number > budget.tuples:
            raise BudgetError(
                f"a predicate over {len(letters)} positions would be asked for {number:,} tuples, "
                f"the limit is {budget.tuples:,}: use a fold, or fewer cells"
            )
        if not number:
            return cls.nothing(letters)
        outcomes: list[int] = []
        for first in product(*letters[:-1]):
            look()
            for last in product(*letters[-1:]):
                outcomes.append(0 if predicate(*first, *last) else -1)
        return cls(letters, *reduce_outcomes(letters, outcomes, budget))

    @classmethod
    def from_fold(
        cls,
        alphabets: Iterable[Iterable[int]],
        start: Hashable,
        step: Callable[..., Hashable | None],
        accept: Callable[[Any], object],
        *,
        positional: bool = False,
        budget: Budget = DEFAULT_BUDGET,
    ) -> Self:
        """Accept the tuples that a state machine accepts.

        Parameters
        ----------
        start
            The state before the first value; any hashable object, also None.
        step
            ``step(state, value)`` is the next state, or None where nothing can be accepted any
            more; with ``positional``, ``step(state, value, position)``, counted from 0. It must
            depend on nothing else.
        accept
            Whether a tuple may end in this state.

        Examples
        --------
        >>> multiple_of_3 = Automaton.from_fold(
        ...     [range(1, 10)] * 4, start=0, step=lambda s, v: (s + v) % 3, accept=lambda s: s == 0
        ... )
        >>> multiple_of_3
        Automaton(4 positions, 3 wide, 72 transitions)
        >>> thermometer = Automaton.from_fold(
        ...     [range(1, 10)] * 5, 0, lambda last, v: v if v > last else None, lambda last: True
        ... )
        >>> thermometer
        Automaton(5 positions, 5 wide, 65 transitions)
        """
        letters = read_alphabets(alphabets)
        if not all(letters):
            return cls.nothing(letters)

        def successors(state: Any, position: int) -> list[Hashable | None]:
            if positional:
                return [step(state, value, position) for value in letters[position]]
            return [step(state, value) for value in letters[position]]

        layers, states = explore(letters, start, successors, budget)
        return cls(letters, *reduce(letters, layers, map(accept, states)))

    @classmethod
    def from_nfa(
        cls,
        alphabets: Iterable[Iterable[int]],
        starts: Iterable[Hashable],
        step: Callable[[Any, int], Iterable[Hashable]],
        accepting: Collection[Any] | Callable[[Any], object],
        *,
        budget: Budget = DEFAULT_BUDGET,
    ) -> Self:
        """Accept the tuples that a nondeterministic state machine accepts on some path.

        The subset construction (Rabin & Scott 1959). ``step(state, value)`` gives all next states;
        ``accepting`` is a collection of states or a predicate on them. The calls of ``step`` have
        the limit of the budget's edges, too: sets of states may be few but large.

        Examples
        --------
        Some two neighbours are equal; the machine guesses which.

        >>> def step(state, value):
        ...     if state == "before":
        ...         return ["before", value]
        ...     return ["after"] if state in ("after", value) else []
        >>> twins = Automaton.from_nfa([range(1, 4)] * 3, ["before"], step, {"after"})
        >>> twins.count()
        15
        """
        is_accepting = accepting if callable(accepting) else frozenset(accepting).__contains__

        def accept(states: frozenset[Hashable]) -> bool:
            return any(map(is_accepting, states))

        step_all = subset_step(step, budget)
        return cls.from_fold(alphabets, frozenset(starts), step_all, accept, budget=budget)

    @classmethod
    def from_regex(
        cls,
        alphabets: Iterable[Iterable[int]],
        pattern: str,
        *,
        budget: Budget = DEFAULT_BUDGET,
    ) -> Self:
        """Accept the tuples that match a regular expression from end to end.

        A value is ``0``-``9``, ``A``-``Z`` for 10 to 35, ``a``-``z`` for 36 to 61, or ``<n>`` for
        any integer; ``.  [1-3]  [^5]  ( )  |  *  +  ?  {m}  {m,}  {m,n}`` mean what they always do;
        whitespace is ignored.

        Examples
        --------
        >>> list(Automaton.from_regex([range(1, 4)] * 3, "1* [23] .?").tuples())[:4]
        [(1, 1, 2), (1, 1, 3), (1, 2, 1), (1, 2, 2)]
        >>> Automaton.from_regex([range(-3, 4)] * 2, "<-3> 3 | 3 <-3>").count()
        2
        """
        letters = read_alphabets(alphabets)
        universe = {value for alphabet in letters for value in alphabet}
        nfa = read_regex(pattern, universe, most_moves=budget.edges)
        return cls.from_fold(letters, nfa.start, nfa.step, nfa.accepts, budget=budget)

    @classmethod
    def from_layers(
        cls,
        alphabets: Iterable[Iterable[int]],
        widths: Iterable[int],
        layers: Iterable[Iterable[tuple[int, Iterable[int], int]]],
        *,
        budget: Budget = DEFAULT_BUDGET,
    ) -> Self:
        """Check and reduce layers that come from outside, such as those of a file.

        They may be unreduced, and a pair of states may have several edges; but there is at most one
        start and one accepting state, and they are deterministic.

        Examples
        --------
        >>> Automaton.from_layers([[1, 2]], [1, 1], [[(0, [2], 0), (0, [1], 0)]]).layers
        ((Edge(tail=0, values=(1, 2), head=0),),)
        """
        letters = read_alphabets(alphabets)
        sizes, raw = read_layers(letters, widths, layers, budget)
        return cls(letters, *reduce(letters, raw, [True] * sizes[-1]))

    # Size

    @property
    def length(self) -> int:
        """The number of positions."""
        return len(self.alphabets)

    @property
    def width(self) -> int:
        """The number of states in the widest layer."""
        return max(self.widths)

    @property
    def edge_count(self) -> int:
        """The number of edges; one may carry many values."""
        return sum(map(len, self.layers))

    @property
    def most_edges(self) -> int:
        """The number of edges, or a bound of it where it would take work to find them."""
        if self.sets is None:
            return self.edge_count
        length, values = self.length, len(self.alphabets[0])
        return min(len(self.sets) * length << length, values << values) // 2

    @property
    def bytes(self) -> int:
        """About how many bytes it takes: 150 for an edge."""
        return 150 * self.most_edges

    @property
    def size(self) -> int:
        """The number of transitions: of pairs of a state and a value that leads on from it."""
        return sum([len(edge.values) for layer in self.layers for edge in layer])

    def __repr__(self) -> str:
        return f"Automaton({self.length} positions, {self.width} wide, {self.size} transitions)"

    @property
    def edge_table(self) -> EdgeTable:
        """The edges as arrays, made once: clues of many puzzles share an automaton.

        Examples
        --------
        >>> Automaton.from_regex([range(1, 4)] * 2, "1[23]|3[12]").edge_table.first.tolist()
        [0, 2, 3, 4, 4]
        """
        table = self._edge_table
        if table is None:
            table = edge_table(self.widths, self.layers)
            object.__setattr__(self, "_edge_table", table)
        return table

    # Tuples

    def accepts(self, values: Sequence[int]) -> bool:
        """Whether it accepts this tuple; one of another length it does not.

        Examples
        --------
        >>> Automaton.from_regex([range(1, 10)] * 3, "12*").accepts((1, 2, 2))
        True
        """
        return arrives(self.widths, self.layers, values)

    def count(self) -> int:
        """How many tuples it accepts.

        Examples
        --------
        >>> Automaton.everything([range(10)] * 30).count() == 10**30
        True
        """
        return sum(paths(self.widths, self.layers))

    def tuples(self) -> Iterator[tuple[int, ...]]:
        """Its tuples, in lexicographic order.

        Examples
        --------
        >>> list(Automaton.from_regex([range(3)] * 3, "0*1*").tuples())
        [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]
        """
        return words(self.widths, self.layers)

    def is_functional(self) -> bool:
        """Whether the last position is a function of the others, defined for all their values.

        Examples
        --------
        >>> sums = Automaton.from_predicate([(1, 2), (0, 1), (1, 2, 3)], lambda a, b, c: a + b == c)
        >>> sums.is_functional(), sums.restrict([(1, 2), (0, 1), (1, 2)]).is_functional()
        (True, False)
        """
        if not self.layers:
            return False
        # States are trimmed, so a path to the last layer but one is a tuple that can be completed.
        ways = [0] * self.widths[-2]
        for tail, values, _ in self.layers[-1]:
            ways[tail] += len(values)
        defined = sum(paths(self.widths, self.layers[:-1]))
        return defined == prod(map(len, self.alphabets[:-1])) and all(n == 1 for n in ways)

    def filter(self, domains: Iterable[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
        """The values that occur in an accepted tuple within the domains.

        Generalised arc consistency, by a pass forwards and one backwards (Pesant 2004). If there
        is no such tuple, every domain is left empty.

        Examples
        --------
        >>> rising = Automaton.from_predicate([range(1, 10)] * 2, lambda a, b: a < b)
        >>> rising.filter([(3, 5, 7), (2, 4, 6)])
        ((3, 5), (4, 6))
        """
        return supported(self.widths, self.layers, self._matching(domains))

    # Operations

    def restrict(self, domains: Iterable[Iterable[int]]) -> Self:
        """The same automaton within smaller alphabets: the old ones intersected with the domains.

        Examples
        --------
        >>> rising = Automaton.from_predicate([range(1, 10)] * 2, lambda a, b: a < b)
        >>> list(rising.restrict([(7, 8, 12), range(10)]).tuples())
        [(7, 8), (7, 9), (8, 9)]
        """
        letters = tuple(
            [
                tuple([value for value in alphabet if value in values])
                for alphabet, values in zip(self.alphabets, self._matching(domains), strict=True)
            ]
        )
        if letters == self.alphabets:
            return self
        layers = rows(letters, self.widths, self.layers)
        return type(self)(letters, *reduce(letters, layers, [True] * self.widths[-1]))

    def intersection(self, other: Automaton, *, budget: Budget = DEFAULT_BUDGET) -> Self:
        """What both accept; also written ``a & b``.

        Examples
        --------
        >>> a, b = (Automaton.from_regex([range(1, 4)] * 2, p) for p in ("1.", ".2"))
        >>> list((a & b).tuples())
        [(1, 2)]
        """
        return self._product(other, min, budget)

    def union(self, other: Automaton, *, budget: Budget = DEFAULT_BUDGET) -> Self:
        """What one of the two accepts; also written ``a | b``.

        Examples
        --------
        >>> a, b = (Automaton.from_regex([range(1, 4)] * 2, p) for p in ("1.", ".2"))
        >>> list((a | b).tuples())
        [(1, 1), (1, 2), (1, 3), (2, 2), (3, 2)]
        """
        return self._product(other, max, budget)

    def complement(self, *, budget: Budget = DEFAULT_BUDGET) -> Self:
        """The tuples of the alphabets that it does not accept; also written ``~a``.

        Examples
        --------
        >>> list((~Automaton.from_regex([(1, 2)] * 2, "1.")).tuples())
        [(2, 1), (2, 2)]
        """
        layers = self._completed(budget)
        accepting = [False] * self.widths[-1] + [True]
        return type(self)(self.alphabets, *reduce(self.alphabets, layers, accepting))

    def reified(self, *, budget: Budget = DEFAULT_BUDGET) -> Self:
        """The automaton of ``(*values, bit)`` where the bit says whether it accepts the values.

        Every tuple has exactly one bit, so the bit is a function of the tuple.

        Examples
        --------
        >>> list(Automaton.from_table([(1, 2)], [(2,)]).reified().tuples())
        [(1, 0), (2, 1)]
        """
        letters = (*self.alphabets, (0, 1))
        truth = [[-1, 0]] * self.widths[-1] + [[0, -1]]
        return type(self)(letters, *reduce(letters, [*self._completed(budget), truth], [True]))

    def __and__(self, other: object) -> Self:
        return self.intersection(other) if isinstance(other, Automaton) else NotImplemented

    def __or__(self, other: object) -> Self:
        return self.union(other) if isinstance(other, Automaton) else NotImplemented

    def __invert__(self) -> Self:
        return self.complement()

    def _matching(self, domains: Iterable[Iterable[int]]) -> list[frozenset[int]]:
        matching = [frozenset(domain) for domain in domains]
        if len(matching) != self.length:
            raise EncodingError(f"{len(matching)} domains, expected {self.length}: one a position")
        return matching

    def _completed(self, budget: Budget) -> list[Layer]:
        meter = Meter(budget, self.alphabets)
        for position, width in enumerate(self.widths):
            meter.add(position, width + 1)
        return rows(self.alphabets, self.widths, self.layers, complete=True)

    def _product(
        self, other: Automaton, alive: Callable[[tuple[int, int]], int], budget: Budget
    ) -> Self:
        """Walk two automata side by side (Rabin & Scott 1959), -1 for one that has failed.

        A pair of states lives as long as ``alive`` of it is a state: min for both, max for one.
        """
        if self.alphabets != other.alphabets:
            raise EncodingError(
                f"{self} and {other} have different alphabets, expected equal ones: restrict them"
            )
        left, right = (rows(a.alphabets, a.widths, a.layers) for a in (self, other))

        def successors(pair: tuple[int, int], position: int) -> list[tuple[int, int] | None]:
            heads = zip(left[position][pair[0]], right[position][pair[1]], strict=True)
            return [head if alive(head) >= 0 else None for head in heads]

        start = (self.widths[0] - 1, other.widths[0] - 1)
        layers, states = explore(self.alphabets, start, successors, budget)
        return type(self)(
            self.alphabets, *reduce(self.alphabets, layers, [alive(pair) >= 0 for pair in states])
        )
