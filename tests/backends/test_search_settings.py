"""What the settings of the search mean: its trace shows what the textbooks say."""

from itertools import combinations, product

from hypothesis import example, given, settings
from hypothesis import strategies as st

from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import domains, graph_of
from csp_sudoku.backends.search import INFERENCES, STRENGTHS, VALUE_ORDERS, VARIABLE_ORDERS, Search
from csp_sudoku.backends.search_session import TraceEvent

ORDERS = product(INFERENCES, VARIABLE_ORDERS, VALUE_ORDERS)
SETTINGS = [
    *({"inference": a, "variable_order": b, "value_order": c} for a, b, c in ORDERS),
    *({"all_different": strength} for strength in STRENGTHS),
]


def traced(graph, restrict=None, **options):
    found = Search(trace=10_000, **options).compile(graph).solutions(restrict)
    solutions = list(found)
    assert not found.trace_full
    return solutions, found.trace


def test_the_trace_of_plain_backtracking():
    unequal = AllDifferent(("x", "y", "z"))
    solutions, trace = traced(
        graph_of({"x": (1, 2), "y": (1, 2), "z": (1,)}, unequal, AllDifferent(("x", "z"))),
        inference="none",
        variable_order="first",
    )
    assert solutions == []
    # z has its value from the start.
    assert trace == []
    graph = graph_of({"x": (1, 2), "y": (2, 3), "z": (1,)}, unequal)
    solutions, trace = traced(graph, inference="none", variable_order="first")
    assert solutions == [{"x": 2, "y": 3, "z": 1}]
    assert trace == [
        TraceEvent("assign", "x", 1, 1),
        TraceEvent("assign", "x", 2, 1),
        TraceEvent("assign", "y", 2, 2),
        TraceEvent("assign", "y", 3, 2),
        TraceEvent("solution", None, None, 2),
        TraceEvent("backtrack", "y", None, 2),
        TraceEvent("backtrack", "x", None, 1),
    ]


def test_forward_checking_looks_one_step_ahead_and_mac_to_the_end():
    # x < y < z: an assignment of x shrinks y at once, and z only by way of y.
    less = frozenset((a, b) for a in range(4) for b in range(4) if a < b)
    graph = graph_of(
        dict.fromkeys("xyz", range(4)), Relation("x", "y", less), Relation("y", "z", less)
    )

    def removed_after_first(trace):
        start = next(i for i, e in enumerate(trace) if e.kind == "assign") + 1
        end = next(i for i in range(start, len(trace)) if trace[i].kind != "remove")
        return [(event.variable, event.value) for event in trace[start:end]]

    wanted = {"none": [], "forward": [("y", 0)], "mac": []}
    for inference, removed in wanted.items():
        _, trace = traced(graph, inference=inference, variable_order="first")
        assert removed_after_first(trace) == removed
    # MAC has removed that before the first assignment, and after x = 1 it needs none.
    _, trace = traced(graph, {"x": (1,)}, inference="mac", variable_order="first")
    assert "assign" not in {event.kind for event in trace}
    # Forward checking stops at y, which has one value left, and has to assign it.
    _, trace = traced(graph, {"x": (1,)}, inference="forward", variable_order="first")
    assert [(event.kind, event.variable, event.value) for event in trace[:3]] == [
        ("remove", "y", 0),
        ("remove", "y", 1),
        ("assign", "y", 2),
    ]


def test_mrv_takes_the_smallest_domain_and_degree_breaks_ties():
    # Of two values: x, bound to nothing; y, bound to z; w, bound to z and to v.
    graph = graph_of(
        {"u": (1, 2, 3), "x": (1, 2), "y": (1, 2), "z": (1, 2, 3), "v": (1, 2, 3), "w": (1, 2)},
        AllDifferent(("y", "z")),
        AllDifferent(("w", "z", "v")),
    )
    first = {}
    for order in ("first", "mrv", "mrv+degree"):
        _, trace = traced(graph, variable_order=order)
        first[order] = trace[0].variable
    assert first == {"first": "u", "mrv": "x", "mrv+degree": "w"}


def test_dom_wdeg_learns_which_factors_fail():
    # Four p cannot have three values, but the x look more urgent: fewer values, as many factors.
    unequal = frozenset((a, b) for a in range(3) for b in range(3) if a != b)
    anything = frozenset(product(range(3), repeat=2))
    x, z, p = ([f"{name}{i}" for i in range(n)] for name, n in (("x", 10), ("z", 4), ("p", 4)))
    graph = graph_of(
        {**dict.fromkeys(x, (0, 1)), **dict.fromkeys(z + p, range(3))},
        *(Relation(a, b, anything) for a in x for b in z),
        *(Relation(a, b, unequal) for a, b in combinations(p, 2)),
    )
    cost = {}
    for order in ("mrv", "dom/wdeg"):
        found = Search(variable_order=order, inference="forward").compile(graph).solutions()
        assert list(found) == []
        cost[order] = found.statistics.assignments
    assert 20 * cost["dom/wdeg"] < cost["mrv"]


def test_lcv_prefers_the_value_that_rules_out_least_of_what_is_left():
    # 1 is ruled out of three domains by x = 1, 2 of one; but once a and b have lost their 1, x = 1
    # rules out one value and x = 2 two.
    graph = graph_of(
        {"x": (1, 2), "a": (1, 3, 4), "b": (1, 3, 4), "c": (1, 2, 5), "d": (2, 6, 7)},
        *(AllDifferent(("x", other)) for other in "abcd"),
    )
    options = {"variable_order": "first", "inference": "forward", "value_order": "lcv"}
    _, trace = traced(graph, **options)
    assert (trace[0].variable, trace[0].value) == ("x", 2)
    _, trace = traced(graph, {"a": (3, 4), "b": (3, 4)}, **options)
    assert (trace[0].variable, trace[0].value) == ("x", 1)


def test_lcv_asks_sums_and_automata_too():
    odd = Automaton.from_fold([range(10)] * 3, 0, lambda s, v: (s + v) % 2, lambda s: s == 1)
    graph = graph_of(
        {"x": (1, 2), "y": (0, 2, 4), "z": (0, 2, 3), "w": range(5)},
        Regular(("x", "y", "z"), odd),
        Linear((1, 1), ("x", "w"), None, 4),
    )
    # x = 1 leaves z two even values (3 goes) and w 0-3 (4 goes); x = 2 leaves z only 3, w 0-2.
    _, trace = traced(graph, variable_order="first", inference="forward", value_order="lcv")
    assert trace[0].value == 1


def test_the_strengths_of_all_different():
    cells = {"a": (1, 2), "b": (1, 2), "c": (1, 2, 3, 4), "d": (3, 4, 5), "e": (3, 4, 5)}
    graph = graph_of(cells, AllDifferent(tuple("abcde")))

    def left(**options):
        _, trace = traced(graph, **options)
        start = next(i for i, event in enumerate(trace) if event.kind != "remove")
        removed = [(event.variable, event.value) for event in trace[:start]]
        return {v: tuple(x for x in d if (v, x) not in removed) for v, d in cells.items()}

    assert left() == cells
    # a and b have 1 and 2 between them.
    assert left(all_different="hall") == {**cells, "c": (3, 4)}
    assert left(all_different="matching") == {**cells, "c": (3, 4)}
    # {1,2}, {2,3}, {1,3} have three values between them, but none of them has all three.
    cells = {"a": (1, 2), "b": (2, 3), "c": (1, 3), "d": (1, 4, 5), "e": (4, 5, 6)}
    graph = graph_of(cells, AllDifferent(tuple("abcde")))
    assert left(all_different="hall") == cells
    assert left(all_different="matching") == {**cells, "d": (4, 5)}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sets(st.integers(1, 6), min_size=1), min_size=2, max_size=5))
def test_matching_leaves_exactly_the_values_of_solutions(sets):
    graph = graph_of(
        {i: sorted(domain) for i, domain in enumerate(sets)}, AllDifferent(tuple(range(len(sets))))
    )
    wanted = [
        {row[i] for row in product(*sets) if len(set(row)) == len(row)} for i in range(len(sets))
    ]
    found = Search(all_different="matching", trace=1000).compile(graph).solutions()
    assert next(found, None) is None if not wanted[0] else next(found)
    left = [set(domain) for domain in sets]
    for event in found.trace:
        if event.kind != "remove":
            break
        left[event.variable].discard(event.value)
    if wanted[0]:
        assert left == wanted


def left_by_singles(sets):
    """What naked and hidden singles leave of some domains; None if that cannot be."""
    left, needed = [set(domain) for domain in sets], set().union(*sets)
    before = None
    while left != before:
        before = [set(domain) for domain in left]
        for i, domain in enumerate(left):
            if len(domain) == 1:
                left[:i] = [other - domain for other in left[:i]]
                left[i + 1 :] = [other - domain for other in left[i + 1 :]]
        for value in needed if len(needed) == len(sets) else ():
            places = [domain for domain in left if value in domain]
            if not places:
                return None
            if len(places) == 1:
                places[0].intersection_update({value})
    return left if all(left) else None


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sets(st.integers(1, 5), min_size=1, max_size=3), min_size=2, max_size=5))
@example([{1}, {2}, {1, 2}, {3, 4, 5}])
def test_singles_leave_what_they_should(sets):
    graph = graph_of(
        {i: sorted(domain) for i, domain in enumerate(sets)}, AllDifferent(tuple(range(len(sets))))
    )
    found = Search(all_different="singles", trace=10_000).compile(graph).solutions()
    solutions, left = list(found), left_by_singles(sets)
    if left is None:
        assert not solutions
        assert found.statistics.assignments == found.statistics.backtracks == 0
    elif solutions:
        root = {(each.variable, each.value) for each in found.trace if each.depth == 0}
        assert root - {(None, None)} == {(i, v) for i, d in enumerate(sets) for v in d - left[i]}


def mixed():
    """All kinds of factors, on variables of one word and of two."""
    few, many = range(6), range(70)
    thirds = Automaton.from_fold([few, many], 0, lambda s, v: (s + v) % 3, lambda s: s != 1)
    return graph_of(
        {"a": few, "b": few, "c": few, "sum": many},
        AllDifferent(("a", "b")),
        Relation.where("b", "c", few, few, int.__lt__),
        Linear((1, -1, 2), ("a", "b", "c"), 4, 6),
        Linear((9, 4, 1, -1), ("a", "b", "c", "sum"), 0, 1),
        Regular(("c", "sum"), thirds),
    )


def test_a_trace_can_be_replayed():
    """No value is removed twice on one path, and a solution is what is left."""
    graph = mixed()
    for options in SETTINGS:
        if options.get("inference") == "none":
            continue
        solutions, trace = traced(graph, **options)
        path = [{name: {*domain} for name, domain in domains(graph).items()}]
        shown = []
        for event in trace:
            if event.kind == "solution":
                shown.append(path[-1])
            elif event.kind == "remove":
                path[event.depth][event.variable].remove(event.value)
            else:
                del path[event.depth :]
            if event.kind == "assign":
                assert event.value in path[-1][event.variable]
                path.append({name: {*left} for name, left in path[-1].items()})
                path[-1][event.variable] = {event.value}
        assert shown == [{name: {value} for name, value in each.items()} for each in solutions]


def test_work_counts_every_assignment_and_revision():
    """Otherwise a budget of work, and so a deadline, might never come."""
    graph = mixed()
    for options in reversed(SETTINGS):  # to look ahead is quicker
        found = Search(**options).compile(graph).solutions()
        assert list(found)
        spent = found.engine.search
        assert spent.work >= spent.assignments + spent.revisions > 0, options
