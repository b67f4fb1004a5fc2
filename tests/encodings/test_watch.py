"""Building under watch: it is given up in time, and what grows too large is refused."""

import time
from math import inf

import pytest

from csp_encodings import arrays, cnf, cpsat, exact_cover, linear
from csp_encodings.automaton import Automaton
from csp_encodings.errors import LimitError
from csp_encodings.factors import AllDifferent, Regular, Relation
from csp_encodings.graph import GraphBuilder, each_factor
from csp_encodings.watch import Deadline, Limits, OutOfTime, is_over, look, watched

ENCODERS = [arrays, cnf, cpsat, exact_cover, linear]


def chain(length):
    """Variables in a row, each smaller than the next."""
    builder = GraphBuilder()
    for i in range(length):
        builder.variable(i, range(6))
    for i in range(length - 1):
        rising = Relation.where(i, i + 1, range(6), range(6), int.__lt__)
        builder.factor(rising, source=f"rule {i}")
    return builder.build()


def long_automaton():
    return Automaton.from_fold([range(9)] * 4, 0, lambda s, v: s * 7 + v, lambda s: s % 5 == 0)


class Looks:
    """An event that counts how often it is looked at, and is set from one look on."""

    def __init__(self, most=inf):
        self.number, self.most = 0, most

    def is_set(self):
        self.number += 1
        return self.number > self.most


def after(looks):
    """What cancels after so many looks."""
    return Deadline.at(inf, Looks(looks))


@pytest.mark.parametrize("encoder", ENCODERS, ids=lambda module: module.__name__)
def test_every_encoder_looks_before_every_factor(encoder):
    graph = chain(40)
    for calls in (0, 20):
        with watched(after(calls)), pytest.raises(OutOfTime):
            encoder.encode(graph)
    with watched(time.monotonic() - 1), pytest.raises(OutOfTime):
        encoder.encode(graph)


@pytest.mark.parametrize("encoder", ENCODERS, ids=lambda module: module.__name__)
def test_every_encoder_keeps_to_the_limits_and_names_the_dearest_rule(encoder):
    builder = GraphBuilder()
    for i in range(8):
        builder.variable(i, range(8))
    builder.factor(AllDifferent((0, 1)), source="a small rule")
    for i in range(60):
        pairs = {(a, b) for a in range(8) for b in range(8) if (a + 3 * b + i) % 8 > 1}
        builder.factor(Relation(i % 8, (i + 3) % 8, frozenset(pairs)), source="a large rule")
    graph = builder.build()
    most = Limits(clauses=350)
    with watched(limits=most), pytest.raises(LimitError, match="350 clauses; a large rule takes"):
        encoder.encode(graph)
    with watched(limits=Limits(bytes=35_000)), pytest.raises(LimitError, match="35,000 bytes; a l"):
        encoder.encode(graph)
    encoder.encode(graph)


@pytest.mark.parametrize("sources", ["", "a", "aab", "aba", "a" * 30, "a" * 13 + "b" * 12])
@pytest.mark.parametrize("before", [0, 3])
def test_every_clause_is_counted_once(sources, before):
    """Those before the first factor, too; however many factors a rule has."""
    builder = GraphBuilder()
    builder.variable("x", range(3))
    for source in sources:
        builder.factor(AllDifferent(("x",)), source=source)
    graph = builder.build()

    def write():
        written = [0] * before
        for _ in each_factor(graph, written.__len__):
            written += [0, 0]

    total = before + 2 * len(sources)
    with watched(limits=Limits(clauses=total)):
        write()
    if total:
        with watched(limits=Limits(clauses=total - 1)), pytest.raises(LimitError):
            write()


BUILDERS = {
    "fold": long_automaton,
    "table": lambda: Automaton.from_table(
        [range(5)] * 3, [(a, b, a) for a in range(5) for b in range(5)]
    ),
    "predicate": lambda: Automaton.from_predicate([range(5)] * 3, lambda a, b, c: a + b == c),
    "nfa": lambda: Automaton.from_nfa([range(5)] * 3, [0], lambda s, v: (s, v), {0}),
    "graph": lambda: chain(30),
}


@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
def test_every_builder_looks(build):
    with watched(0.0), pytest.raises(OutOfTime):
        build()
    with watched(inf):
        build()


def test_a_long_layer_is_given_up_in_the_middle():
    """A look before each layer would be too late: one layer may hold most of the states."""
    deadline = after(inf)
    with watched(deadline):
        automaton = long_automaton()
    assert deadline.cancel.number > sum(automaton.widths)


def test_a_graph_refuses_what_is_too_large():
    builder = GraphBuilder()
    for i in range(3):
        builder.variable(i, range(4))
    even = Automaton.from_fold([range(4)] * 3, 0, lambda s, v: (s + v) % 2, lambda s: s == 0)
    with watched(limits=Limits(edges=20)):
        builder.factor(Regular((0, 1, 2), even), source="first")
        copy = builder.copy()
        for each in (builder, copy):
            each.factor(Regular((2, 1, 0), even), source="second")
            each.factor(AllDifferent((0, 1)))
            with pytest.raises(LimitError, match="more than 20 edges of automata; first takes"):
                each.factor(Regular((2, 1, 0), even), source="third")
    with watched(limits=Limits(factors=1)), pytest.raises(LimitError, match="1 factors"):
        chain(4)


def test_watches_nest():
    """The earlier deadline holds, either may cancel, and the inner limits hold inside."""
    soon, late = time.monotonic() - 1, time.monotonic() + 1000
    for outer, inner in ((soon, late), (late, soon), (soon, None), (None, soon)):
        with watched(outer), watched(inner):
            assert is_over()
    with watched(late), watched(late):
        assert not is_over()
    for outer, inner in ((after(0), after(9)), (after(9), after(0))):
        with watched(outer), watched(inner):
            assert is_over()
    with watched(0.0):
        assert is_over()
        with watched(), pytest.raises(OutOfTime):
            look()
    assert not is_over()
