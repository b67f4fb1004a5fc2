"""The search of the textbooks: what its heuristics and inferences mean, step by step."""

from itertools import islice, product

import pytest

import csp_sudoku as cs
from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder, assignments, graph_of
from csp_sudoku import textbook
from csp_sudoku.textbook import (
    Backtracked,
    Chosen,
    Csp,
    Removed,
    Revised,
    SolutionFound,
    ac3_events,
    backtracking_search,
    first_unassigned,
    forward_checking,
    lcv,
    mac,
    mrv,
    mrv_degree,
    natural,
    no_inference,
)

LESS = frozenset((a, b) for a, b in product(range(4), repeat=2) if a < b)
# x < y < z
CHAIN = graph_of(dict.fromkeys("xyz", range(4)), Relation("x", "y", LESS), Relation("y", "z", LESS))


def listed(events, *kinds):
    return [str(event) for event in events if not kinds or isinstance(event, kinds)]


# AC-3


def test_ac3_has_a_queue_and_revises_arcs_in_their_turn():
    csp = Csp.of(CHAIN)
    assert listed(ac3_events(csp, csp.arcs)) == [
        "revise (x, y) of factor 0",
        "remove 3 from x",
        "revise (y, x) of factor 0",
        "remove 0 from y",
        "revise (y, z) of factor 1",
        "remove 3 from y",
        "revise (z, y) of factor 1",
        "remove 0 from z",
        "remove 1 from z",
        # y has changed: what looks at y is revised again, but not the arc that y was revised by.
        "revise (x, y) of factor 0",
        "remove 2 from x",
    ]
    assert csp.domains == {"x": (0, 1), "y": (1, 2), "z": (2, 3)}


def test_an_arc_waits_in_the_queue_once():
    # All of a, b and c rule out a value of x, which y looks at.
    names = dict.fromkeys("abc", (1,)) | {"x": (1, 2, 3), "y": (1, 2, 3)}
    never = [frozenset((v, 1) for v in (1, 2, 3) if v != n) for n in (1, 2)]
    same = frozenset((v, v) for v in (1, 2, 3))
    graph = graph_of(
        names, *(Relation("x", other, never[n]) for other, n in zip("ab", (0, 1), strict=True)),
        Relation("y", "x", same),
    )  # fmt: skip
    csp = Csp.of(graph)
    revised = listed(ac3_events(csp, csp.arcs), Revised)
    assert revised.count("revise (y, x) of factor 2") == 1
    assert csp.domains["y"] == (3,)


def test_an_arc_is_spared_for_its_own_constraint_only():
    # The second constraint takes 1 from x, and with that from y its support in the first one.
    result = cs.ac3(
        graph_of(
            {"x": (0, 1), "y": (0, 1)},
            Relation("x", "y", frozenset([(0, 0), (1, 1)])),
            Relation("x", "y", frozenset([(0, 0), (0, 1)])),
        )
    )
    assert result.domains == {"x": (0,), "y": (0,)}


def test_a_sum_may_have_to_be_revised_twice():
    # 1 or 5 of y are both within the bounds as long as x may be 5, which it may not.
    result = cs.ac3(graph_of({"x": (0, 5), "y": (1, 5)}, Linear((1, 1), ("x", "y"), 5, 5)))
    assert result.domains == {"x": (0,), "y": (5,)}


def test_an_automaton_that_repeats_a_variable_may_have_to_be_revised_twice():
    # x y x is 1 1 2, 2 1 1 or 2 2 2: only with both places of x in view it is the last one.
    words = Automaton.from_table([(1, 2)] * 3, [(1, 1, 2), (2, 1, 1), (2, 2, 2)])
    result = cs.ac3(graph_of({"x": (2,), "y": (1, 2)}, Regular(("x", "y", "x"), words)))
    assert result.domains == {"x": (2,), "y": (2,)}
    words = Automaton.from_table([(1, 2, 3)] * 3, [(1, 1, 2), (2, 2, 2), (2, 1, 3)])
    result = cs.ac3(graph_of({"x": (1, 2, 3), "y": (1, 2)}, Regular(("x", "y", "x"), words)))
    assert result.domains == {"x": (2,), "y": (2,)}


def test_an_event_says_which_arc_and_which_rule():
    events = textbook.trace("12.. .... .... ....", "ac3")
    removed = [event for event in events if isinstance(event, Removed)]
    first = removed[0]
    assert (str(first.variable), first.value) == ("R1C3", 1)
    assert str(first.arc) == "(R1C3, R1C1) of row 1"
    assert first.arc.factor.index == 0
    assert {event.arc.rule for event in removed} == {"row 1", "column 1", "column 2", "box 1"}


def test_rules_of_one_name_are_told_apart():
    puzzle = cs.Puzzle.blank(4).add(cs.AntiKnight(), cs.KillerCage("R1C1 R2C2", 5))
    rules = [arc.rule for arc in Csp.of(puzzle.graph).arcs]
    assert "killer-cage at R1C1" in rules
    knights = {rule for rule in rules if rule.startswith("anti-knight (factor ")}
    assert len(knights) == 24


# The search


def test_without_inference_a_value_is_tried_against_the_assignment():
    assert listed(islice(backtracking_search(Csp.of(CHAIN)), 9)) == [
        "choose 0 for x",
        "choose 0 for y",
        "choose 1 for y",
        "choose 0 for z",
        "choose 1 for z",
        "choose 2 for z",
        "solution x=0 y=1 z=2",
        "choose 3 for z",
        "solution x=0 y=1 z=3",
    ]


def test_forward_checking_looks_one_step_ahead_and_mac_to_the_end():
    def removed(inference):
        events = backtracking_search(Csp.of(CHAIN), inference=inference)
        kinds = [*islice(events, 30)]
        start = next(i for i, event in enumerate(kinds) if isinstance(event, Chosen))
        later = kinds[start + 1 :]
        end = next(i for i, event in enumerate(later) if isinstance(event, Chosen | SolutionFound))
        return listed(later[:end], Removed)

    assert removed(no_inference) == []
    # x = 0: y is more than 0. What z can be after that is not asked.
    assert removed(forward_checking) == ["remove 0 from y"]
    # Before the first choice x was 0 or 1, y 1 or 2, and z 2 or 3: x = 0 leaves all of these.
    assert removed(mac) == []


def test_mac_sees_that_a_domain_is_empty():
    # Three variables, two values: any choice leaves the third none, and nothing below is tried.
    unequal = frozenset([(1, 2), (2, 1)])
    graph = graph_of(
        dict.fromkeys("xyz", (1, 2)),
        *(Relation(a, b, unequal) for a, b in ("xy", "yz", "xz")),
    )
    events = [*backtracking_search(Csp.of(graph), inference=mac)]
    assert listed(events, Chosen, Backtracked, SolutionFound) == [
        "choose 1 for x",
        "choose 2 for x",
        "backtrack from x",
    ]


def test_mrv_takes_the_smallest_domain_and_the_degree_breaks_ties():
    # Of two values: x, bound to nothing; y, bound to z; w, bound to z and to v.
    graph = graph_of(
        {"u": (1, 2, 3), "x": (1, 2), "y": (1, 2), "z": (1, 2, 3), "v": (1, 2, 3), "w": (1, 2)},
        AllDifferent(("y", "z")),
        AllDifferent(("w", "z", "v")),
    )
    csp = Csp.of(graph)
    assert [choose(csp) for choose in (first_unassigned, mrv, mrv_degree)] == ["u", "x", "w"]
    # A variable that has no choice left does not count.
    assert mrv_degree(csp.restricted({"v": (3,), "z": (3,)}).assign("v", 3).assign("z", 3)) == "x"


def test_lcv_counts_on_the_domains_that_are_left():
    # 1 is ruled out of three domains by x = 1, 2 of one; but once a and b have lost their 1, x = 1
    # rules out one value and x = 2 two.
    csp = Csp.of(
        graph_of(
            {"x": (1, 2), "a": (1, 3, 4), "b": (1, 3, 4), "c": (1, 2, 5), "d": (2, 6, 7)},
            *(AllDifferent(("x", other)) for other in "abcd"),
        )
    )
    assert natural(csp, "x") == (1, 2)
    assert lcv(csp, "x") == [2, 1]
    assert lcv(csp.restricted({"a": (3, 4), "b": (3, 4)}), "x") == [1, 2]
    # What leaves a variable without a value comes last.
    assert lcv(csp.restricted({"d": (2,)}), "x") == [1, 2]
    # To ask changes nothing.
    assert csp.domains["c"] == (1, 2, 5)


def test_own_heuristics_are_functions():
    def last_unassigned(csp):
        return csp.unassigned[-1]

    def falling(csp, variable):
        return reversed(csp.domains[variable])

    events = backtracking_search(Csp.of(CHAIN), last_unassigned, falling, mac)
    assert listed(events, Chosen, SolutionFound)[:3] == [
        "choose 3 for z",
        "choose 2 for y",
        "choose 1 for x",
    ]


def test_the_problem_is_not_changed_by_a_search():
    csp = Csp.of(CHAIN)
    assert (
        sum(isinstance(event, SolutionFound) for event in backtracking_search(csp, inference=mac))
        == 4
    )
    assert csp.domains == dict.fromkeys("xyz", (0, 1, 2, 3))
    assert not csp.assigned


def test_auxiliaries_are_chosen_last_and_are_no_part_of_a_solution():
    builder = GraphBuilder()
    for name in "xy":
        builder.variable(name, range(1, 4))
    table = Automaton.from_predicate([range(1, 4)] * 2 + [(0, 1)], lambda x, y, t: (x == y) == t)
    # MRV would begin with t, which has the fewest values.
    equal = builder.auxiliary("t", (0, 1), lambda t: Regular(("x", "y", t), table))
    for inference in (no_inference, forward_checking, mac):
        events = [*backtracking_search(Csp.of(builder.build()), mrv, natural, inference)]
        depths = {(e.place, e.depth) for e in events if isinstance(e, Chosen)}
        assert {("x", 1), ("y", 2)} <= depths <= {("x", 1), ("y", 2), (equal, 3)}
        solutions = [event.assignment for event in events if isinstance(event, SolutionFound)]
        assert solutions == [{"x": x, "y": y} for x, y in product((1, 2, 3), repeat=2)]


@pytest.mark.parametrize("inference", [no_inference, forward_checking, mac])
@pytest.mark.parametrize(
    "graph",
    [
        graph_of({}),
        graph_of({}, Linear((), (), 1, 1)),
        graph_of({"x": ()}),
        graph_of({"x": (), "y": (1,)}, Linear((1, 1), ("x", "y"), 1, 2)),
        # x = 1 leaves y no value, and then nobody may ask the sum for the least of these.
        graph_of(
            {"x": (1, 2), "y": (1, 2)},
            Relation("x", "y", frozenset([(2, 1), (2, 2)])),
            Linear((1, 1), ("x", "y"), None, 4),
        ),
        graph_of({"x": (1, 2)}, AllDifferent(("x", "x"))),
        graph_of({"x": (1, 2)}, Relation("x", "x", frozenset([(1, 2), (2, 2)]))),
        graph_of({"x": (1, 2)}, Regular(("x",), Automaton.nothing([(1, 2)]))),
        graph_of({"x": (1,), "y": (1,)}, AllDifferent(("x", "y"))),
        graph_of({"x": (1, 2), "y": (0, 2**70)}, Linear((2**70, 1), ("x", "y"), 2**71, 2**71)),
    ],
)
def test_odd_graphs(graph, inference):
    events = backtracking_search(Csp.of(graph), inference=inference)
    assert [e.assignment for e in events if isinstance(e, SolutionFound)] == [*assignments(graph)]


def test_a_search_may_be_deeper_than_pythons_stack():
    graph = graph_of(dict.fromkeys(range(3_000), (0, 1)))
    events = backtracking_search(Csp.of(graph), inference=no_inference)
    depth = max(event.depth for event in islice(events, 3_000) if isinstance(event, Chosen))
    assert depth == 3_000
    assert isinstance(next(events), SolutionFound)


# By name


def test_trace_takes_texts_puzzles_and_graphs():
    text = "1... ..2. .3.. ...."
    puzzle = cs.read(text)
    traces = [listed(textbook.trace(given)) for given in (text, puzzle, puzzle.graph)]
    assert traces[0] == traces[1] == traces[2]
    assert sum(line.startswith("solution") for line in traces[0]) == cs.count(puzzle).value


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"algorithm": "dfs"}, "algorithm='dfs' must be one of 'search', 'x', 'ac3'"),
        ({"inference": "ac4"}, "inference='ac4' must be one of 'none', 'forward', 'mac'"),
        ({"value_order": 3}, "value_order=3 must be one of 'natural', 'lcv'"),
        ({"algorithm": "x", "inference": "mac"}, "inference is for algorithm='search' only"),
    ],
)
def test_names_that_mean_nothing(arguments, message):
    with pytest.raises(cs.BackendError, match=message):
        textbook.trace("1... .... .... ....", **arguments)
