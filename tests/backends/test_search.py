"""The search: the solutions of any graph, each once, whatever its settings; and what they mean."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from csp_encodings.automaton import Automaton
from csp_encodings.errors import GraphError
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder, assignments, domains, graph_of, variables
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.backends.search import (
    INFERENCES,
    STRENGTHS,
    VALUE_ORDERS,
    VARIABLE_ORDERS,
    Search,
)
from csp_sudoku.errors import BackendError
from csp_sudoku.kernels import BLANK
from csp_sudoku.kernels.orders import CONFLICTS, DOM_WDEG

KNIGHT = [(1, 2), (2, 1), (1, -2), (2, -1)]
KING = [(1, 1), (1, -1)]
NEIGHBOUR = [(0, 1), (1, 0)]


def sudoku(rows, columns, *, different=(), nonconsecutive=False):
    side = rows * columns
    digits = range(1, side + 1)
    cells = dict.fromkeys(product(range(side), repeat=2), digits)
    factors = []
    for house_of in (
        lambda r, c: r,
        lambda r, c: c,
        lambda r, c: r // rows * rows + c // columns,
    ):
        for house in range(side):
            factors.append(AllDifferent(tuple(x for x in cells if house_of(*x) == house)))
    unequal = frozenset((a, b) for a in digits for b in digits if a != b)
    apart = frozenset((a, b) for a in digits for b in digits if abs(a - b) != 1)
    for offsets, allowed in (
        (different, unequal),
        (NEIGHBOUR if nonconsecutive else (), apart),
    ):
        for (r, c), (dr, dc) in product(cells, offsets):
            if (r + dr, c + dc) in cells:
                factors.append(Relation((r, c), (r + dr, c + dc), allowed))
    return graph_of(cells, *factors)


FOUR = sudoku(2, 2)
NINE = sudoku(3, 3)
EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
HARD = "800000000003600000070090200050007000000045700000100030001000068008500010090000400"


def givens(text, side=9):
    numbers = text.split() if " " in text else list(text)
    return {divmod(i, side): (int(n),) for i, n in enumerate(numbers) if n not in (".", "0")}


# All settings agree with plain enumeration

COMBINATIONS = [
    {
        "inference": inference,
        "variable_order": variable_order,
        "value_order": value_order,
        "all_different": strength,
    }
    for inference, variable_order, value_order, strength in product(
        INFERENCES, VARIABLE_ORDERS, VALUE_ORDERS, STRENGTHS
    )
    if inference == "mac" or strength == "singles"
]

SOLVERS = [Search(**options) for options in COMBINATIONS]

values = st.integers(-2, 3)
narrow = st.one_of(st.sets(values, min_size=2, max_size=3), st.sets(values, max_size=3))
TWO_WORDS = {*range(-30, 3, 2), *range(-1, 100, 2), 10**25}


@st.composite
def graphs(draw):
    """Small graphs with every kind of factor, auxiliaries and odd scopes."""
    builder = GraphBuilder()
    names = list("abcd"[: draw(st.integers(0, 4))])
    for name in names:
        builder.variable(name, sorted(draw(narrow)))
    if len(names) < 3 and draw(st.booleans()):
        names.append("wide")
        builder.variable("wide", sorted(TWO_WORDS))
    if names and draw(st.booleans()):
        inputs = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
        sums = {sum(tuple_) for tuple_ in product(*map(builder.domain, inputs))}
        if sums:
            definition = draw(st.sampled_from(["sum", "automaton"]))
            names.append(builder.auxiliary("t", sorted(sums), total(builder, inputs, definition)))
    scopes = st.lists(st.sampled_from(names), max_size=3) if names else st.just([])
    for _ in range(draw(st.integers(0, 4))):
        builder.factor(draw(any_factor(builder, draw(scopes))))
    return builder.build()


def total(builder, inputs, definition):
    if definition == "sum":
        return lambda t: Linear((*(1 for _ in inputs), -1), (*inputs, t), 0, 0)
    return lambda t: Regular(
        (*inputs, t),
        Automaton.from_predicate(
            [builder.domain(v) for v in (*inputs, t)], lambda *xs: sum(xs[:-1]) == xs[-1]
        ),
    )


@st.composite
def any_factor(draw, builder, scope):
    kind = draw(st.sampled_from(["different", "relation", "linear", "regular"]))
    modulus = draw(st.integers(1, 3))
    rest = draw(st.integers(0, 2))
    if kind == "different":
        return AllDifferent(tuple(scope))
    if kind == "relation" and len(scope) >= 2:
        a, b = scope[:2]
        return Relation.where(
            a, b, builder.domain(a), builder.domain(b), lambda x, y: (x - 2 * y) % modulus == rest
        )
    if kind == "linear":
        coefficients = draw(st.lists(st.integers(-2, 2), min_size=len(scope), max_size=len(scope)))
        low, high = (draw(st.one_of(st.none(), st.integers(-4, 4))) for _ in range(2))
        return Linear(tuple(coefficients), tuple(scope), low, high)
    # The alphabet is not the domain: some values are unknown to the automaton.
    alphabet = range(draw(st.integers(-2, 0)), 3)
    automaton = Automaton.from_fold(
        [alphabet] * len(scope), 0, lambda s, v: (s + v) % modulus, lambda s: s == rest
    )
    return Regular(tuple(scope), automaton)


def rows_of(found, graph):
    names = variables(graph)
    return [tuple(solution[name] for name in names) for solution in found]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs())
def test_every_combination_of_settings_finds_every_solution_once(graph):
    wanted = sorted(rows_of(assignments(graph), graph))
    for options, solver in zip(COMBINATIONS, SOLVERS, strict=True):
        found = solver.compile(graph).solutions(seed=3)
        assert sorted(rows_of(found, graph)) == wanted, options
        assert found.complete
        assert found.statistics.solutions == len(wanted)


@settings(max_examples=25, deadline=None)
@given(graphs(), st.data())
def test_restrictions_counts_and_batches_agree(graph, data):
    session = Search().compile(graph)
    names = variables(graph)
    restrict = {
        name: tuple(data.draw(st.lists(st.sampled_from([*domains(graph)[name], 99]), max_size=3)))
        for name in names
        if data.draw(st.booleans())
    }
    wanted = [
        row
        for row in rows_of(assignments(graph), graph)
        if all(row[i] in restrict.get(name, row) for i, name in enumerate(names))
    ]
    assert sorted(rows_of(session.solutions(restrict), graph)) == sorted(wanted)
    drained = session.solutions(restrict).drain()
    assert drained.count == len(wanted)
    assert set(rows_of(drained.sample, graph)) <= set(wanted)
    if all(abs(value) < 2**63 for name in names for value in domains(graph)[name]):
        single = {name: values[0] for name, values in restrict.items() if len(values) == 1}
        table = np.array([[single.get(name, BLANK) for name in names]], dtype=np.int64)
        solutions, counts = session.solve_many(table.reshape(1, len(names)), limit=3)
        number = sum(
            all(row[i] == single.get(name, row[i]) for i, name in enumerate(names))
            for row in rows_of(assignments(graph), graph)
        )
        assert counts.tolist() == [min(number, 3)]
        if number:
            assert tuple(solutions[0].tolist()) in set(rows_of(assignments(graph), graph))
        else:
            assert (solutions == BLANK).all()


# Known numbers

SIXTEEN = """
    12 0 6 2 0 0 14 0 3 0 8 0 16 0 0 1  0 0 10 0 16 0 0 2 0 1 0 9 0 3 0 0
    0 4 0 5 1 8 3 0 6 0 14 0 0 0 9 10  1 0 0 7 0 0 0 6 12 0 16 0 14 0 0 11
    0 5 0 0 10 13 0 7 0 12 0 1 0 9 14 0  9 0 11 12 0 3 0 0 15 0 10 14 0 1 0 0
    0 10 0 0 11 0 9 0 0 4 0 0 0 8 0 3  6 0 4 15 0 16 0 12 0 8 0 3 7 0 11 0
    0 7 0 1 2 14 0 0 9 0 3 0 10 16 0 15  3 0 12 0 0 6 1 0 0 15 0 13 0 0 2 0
    0 0 9 0 4 5 0 16 0 0 7 0 1 12 0 14  0 8 2 0 13 0 12 0 1 0 4 16 0 11 5 0
    10 0 0 9 0 4 0 11 2 0 0 0 5 0 0 8  5 2 0 6 0 1 0 15 0 9 13 11 0 0 10 0
    0 0 7 0 5 0 16 0 10 0 0 15 0 6 0 0  14 0 0 4 0 10 0 9 0 16 0 0 11 13 0 2
"""


@pytest.mark.parametrize(
    ("graph", "text", "number"),
    [
        (FOUR, "", 288),
        (sudoku(2, 2, different=KNIGHT), "", 24),
        (sudoku(2, 2, different=KING), "", 0),
        (sudoku(2, 3, different=KNIGHT), "", 11520),
        (sudoku(2, 3, nonconsecutive=True), "", 48),
        (sudoku(3, 3, different=KNIGHT + KING, nonconsecutive=True), "", 72),
        (
            NINE,
            "005300000800000020070010050400005300010070006003200080060500009004000030000009700",
            21,
        ),
        (
            NINE,
            "295743861431865900876192543387459216612387495549216738763524189928671354154938600",
            2,
        ),
        (
            NINE,
            "005300000800000020070010050450005300910070006203200080060500009004000030000009700",
            0,
        ),
        (NINE, EASY, 1),
        (NINE, HARD, 1),
        (sudoku(4, 4), " ".join(SIXTEEN.split()), 1),
    ],
)
def test_known_counts(graph, text, number):
    side = max(row for row, _ in variables(graph)) + 1
    found = Search().compile(graph).solutions(givens(text, side))
    assert found.drain().count == number
    assert found.complete


def test_more_than_64_values():
    # A Latin square of side 70, all but the last two rows given: each column has two values left.
    side = 70
    rows = [AllDifferent(tuple((r, c) for c in range(side))) for r in range(side)]
    columns = [AllDifferent(tuple((r, c) for r in range(side))) for c in range(side)]
    cells = {(r, c): range(side) for r in range(side) for c in range(side)}
    graph = graph_of(cells, *rows, *columns)
    known = {(r, c): ((r + c) % side,) for r in range(side - 2) for c in range(side)}
    for strength in STRENGTHS:
        session = Search(all_different=strength).compile(graph)
        assert len(list(session.solutions(known))) == 2


# Random orders and restarts


def test_random_orders_follow_the_seed():
    session = Search(value_order="random").compile(NINE)
    first = [next(session.solutions(seed=seed)) for seed in (1, 2, 1)]
    assert first[0] == first[2] != first[1]
    assert next(session.solutions()) == next(session.solutions())


@pytest.mark.parametrize(
    ("graph", "text", "options", "number"),
    [
        (
            sudoku(2, 3, nonconsecutive=True),
            "",
            {"inference": "none", "variable_order": "first", "restart": "when stuck"},
            48,
        ),
        (
            NINE,
            "005300000800000020070010050400005300010070006003200080060500009004000030000009700",
            {"inference": "forward", "variable_order": "mrv", "restart": "geometric"},
            21,
        ),
        (NINE, HARD, {"restart": "geometric"}, 1),
    ],
)
def test_restarts_find_what_there_is_and_only_once(graph, text, options, number):
    found = Search(value_order="random", **options).compile(graph).solutions(givens(text), seed=1)
    solutions = rows_of(found, graph)
    assert len(solutions) == len(set(solutions)) == number
    assert found.statistics.restarts > 0


def test_filling_at_random_and_starting_over_is_hopeless():
    options = {"inference": "none", "variable_order": "first", "value_order": "random"}
    plain = Search(**options).compile(NINE).solutions(givens(EASY), seed=1)
    stuck = Search(restart="when stuck", **options).compile(NINE).solutions(givens(EASY), seed=1)
    assert next(plain) == next(stuck)
    # Some hundred times the work on an easy puzzle; a hard one is out of reach.
    assert stuck.statistics.assignments > 100 * plain.statistics.assignments
    assert stuck.statistics.restarts > 10_000


def test_better_settings_need_fewer_assignments():
    cost = []
    for options in (
        {"inference": "forward", "variable_order": "mrv"},
        {"inference": "mac", "variable_order": "mrv"},
        {"inference": "mac", "variable_order": "mrv", "all_different": "matching"},
    ):
        found = Search(**options).compile(NINE).solutions(givens(HARD))
        assert len(list(found)) == 1
        cost.append(found.statistics.assignments)
    assert cost == sorted(cost, reverse=True)
    assert len(set(cost)) == len(cost)


def test_a_trace_is_bounded():
    found = Search(trace=5).compile(FOUR).solutions()
    assert len(list(found)) == 288
    assert len(found.trace) == 5
    assert found.trace_full
    assert Search().compile(FOUR).solutions().trace == []


# Sessions and enumerations


def test_enumerations_of_a_session_are_independent():
    session = Search().compile(FOUR)
    wanted = rows_of(session.solutions(), FOUR)
    left, right = session.solutions(), session.solutions({(0, 0): (2,)})
    mixed = [next(left), next(right), next(left)]
    rest = rows_of(left, FOUR)
    assert rows_of([mixed[0], mixed[2]], FOUR) + rest == wanted
    assert len(rows_of(right, FOUR)) == 71
    left.close()


def test_iterating_draining_and_limits_can_be_mixed():
    session = Search().compile(FOUR)
    found = session.solutions()
    taken = rows_of(islice(found, 10), FOUR)
    drained = found.drain(100)
    assert drained.count == 100
    assert len(drained.sample) == 7  # the 1st, 2nd, 4th … 64th
    assert not found.complete
    rest = found.drain()
    assert rest.count == 288 - 110
    assert found.complete
    assert list(found) == []
    assert found.statistics.solutions == 288
    assert len(set(taken + rows_of(drained.sample + rest.sample, FOUR))) == 10 + 7 + 8


def test_a_deadline_that_has_passed():
    session = Search().compile(NINE)
    found = session.solutions(deadline=time.monotonic() - 1)
    assert next(found, None) is None
    assert found.out_of_time
    assert not found.complete
    assert session.solutions(deadline=time.monotonic() - 1).drain().count == 0
    _, counts = session.solve_many(np.full((2, 81), BLANK), deadline=time.monotonic() - 1)
    assert counts.tolist() == [-1, -1]
    with pytest.raises(OutOfTime):
        Search().compile(NINE, deadline=time.monotonic() - 1)


def test_a_deadline_stops_a_count_that_would_never_end():
    found = Search().compile(NINE).solutions(deadline=time.monotonic() + 0.15)
    drained = found.drain()
    assert found.out_of_time
    assert not found.complete
    assert drained.count > 0
    assert found.statistics.solutions == drained.count


def test_ctrl_c_comes_through_between_slices():
    found = Search().compile(NINE).solutions()
    timer = threading.Timer(0.1, interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        found.drain()
    assert list(found) == []
    assert not found.complete


def interrupt_main():
    import _thread

    _thread.interrupt_main()


def test_many_puzzles_at_once():
    texts = [
        EASY,
        "005300000800000020070010050400005300010070006003200080060500009004000030000009700",
        "005300000800000020070010050450005300910070006203200080060500009004000030000009700",
        "." * 81,
        "0" * 80 + "9",
    ]
    table = np.array([[int(x) if x in "123456789" else BLANK for x in text] for text in texts])
    table[4, 0] = 77  # in no domain
    session = Search().compile(NINE)
    solutions, counts = session.solve_many(table, limit=2)
    assert counts.tolist() == [1, 2, 0, 2, 0]
    assert session.solve_many(table)[1].tolist() == [1, 1, 0, 1, 0]
    assert (solutions[[2, 4]] == BLANK).all()
    for row, givens_ in zip(solutions[[0, 1, 3]], table[[0, 1, 3]], strict=True):
        assert ((givens_ == BLANK) | (givens_ == row)).all()
        assert sorted(row.reshape(9, 9)[0]) == list(range(1, 10))
    empty, none = session.solve_many(np.zeros((0, 81), dtype=np.int64))
    assert empty.shape == (0, 81)
    assert none.shape == (0,)


def test_counts_by_symmetry_and_by_parts():
    # Six values that can be swapped; after a given, five; of independent grids, the product.
    six = Search().compile(sudoku(2, 3))
    found = six.solutions()
    taken = len(list(islice(found, 10)))
    assert taken + found.drain().count == 28_200_960
    assert found.complete
    assert found.statistics.solutions == 28_200_960
    assert found.statistics.assignments < 100_000
    assert six.solutions({(0, 0): (3,), (3, 4): (1, 2)}).drain().count == 1_566_720
    names = [f"{grid}{i}" for grid in "ab" for i in range(8)]
    less = frozenset((a, b) for a in range(5) for b in range(5) if a < b)
    lines = [Relation(a, b, less) for a, b in zip(names[::2], names[1::2], strict=True)]
    found = Search().compile(graph_of(dict.fromkeys(names, range(5)), *lines)).solutions()
    drained = found.drain()
    assert drained.count == 10**8
    for solution in drained.sample:
        assert all(solution[a] < solution[b] for a, b in zip(names[::2], names[1::2], strict=True))


def test_batches_of_threads():
    session = Search().compile(NINE)
    table = np.full((40, 81), BLANK)
    table[:, 0] = np.arange(40) % 9 + 1
    wanted = session.solve_many(table)[0]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda rows: session.solve_many(rows)[0], np.split(table, 2)))
    assert (np.concatenate(found) == wanted).all()


def test_a_search_goes_on_over_many_slices(monkeypatch):
    monkeypatch.setattr("csp_sudoku.backends.search_session._FIRST_SLICE", 1)
    monkeypatch.setattr("csp_sudoku.backends.slices.next_slice", lambda budget, seconds: 1)
    session = Search().compile(FOUR)
    assert session.solutions().drain().count == 288
    assert len(rows_of(session.solutions(), FOUR)) == 288
    table = np.full((2, 16), BLANK)
    table[1, 0] = 3
    assert session.solve_many(table, limit=100)[1].tolist() == [100, 72]


# Wrong use


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"inference": "ac4"}, "inference='ac4' must be one of 'none', 'forward', 'mac'"),
        ({"variable_order": 3}, "variable_order=3 must be one of 'first', 'mrv'"),
        ({"value_order": "worst"}, "value_order='worst' must be one of 'natural'"),
        ({"all_different": "all"}, "all_different='all' must be one of 'singles'"),
        ({"restart": "often"}, "restart='often' must be one of 'never'"),
        ({"trace": -1}, "trace=-1 must be a number of events"),
        ({"trace": "yes"}, "trace='yes' must be a number of events"),
        ({"inference": "none", "all_different": "hall"}, "needs inference='mac'"),
        ({"restart": "when stuck"}, "needs value_order='random'"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(BackendError, match=message.replace("(", r"\(")):
        Search(**options)


def test_restrictions_and_tables_that_make_no_sense():
    session = Search().compile(FOUR)
    with pytest.raises(GraphError, match="variable nowhere is not in the graph"):
        session.solutions({"nowhere": (1,)})
    with pytest.raises(BackendError, match="must be rows of 16 values"):
        session.solve_many(np.zeros((3, 15), dtype=np.int64))
    with pytest.raises(BackendError, match="limit from 1 on"):
        session.solve_many(np.zeros((3, 16), dtype=np.int64), limit=0)
    with pytest.raises(BackendError, match="values of 64 bits"):
        Search().compile(graph_of({"x": (10**20,)})).solve_many(np.full((1, 1), BLANK))


WITHOUT_NUMBA = """
import sys
sys.path.insert(0, {folder!r})
import test_search as t
for options in (
    dict(all_different="matching", value_order="lcv"),
    dict(all_different="hall", variable_order="mrv+degree", value_order="random"),
    dict(inference="forward", restart="geometric"),
    dict(inference="none", variable_order="mrv"),
):
    graph = t.sudoku(2, 2, different=t.KNIGHT)
    assert t.Search(trace=100, **options).compile(graph).solutions().drain().count == 24, options
for offsets in ({{"different": t.KNIGHT}}, {{"different": t.KNIGHT, "nonconsecutive": True}}):
    graph = t.sudoku(2, 2, **offsets)
    wanted = sum(1 for _ in t.Search(variable_order="mrv").compile(graph).solutions())
    assert len(list(t.Search().compile(graph).solutions())) == wanted
sum_ = t.Linear((1, 1, -1), ("x", "y", "z"), 0, 0)
odd = t.Automaton.from_fold([range(70)] * 2, 0, lambda s, v: (s + v) % 2, lambda s: s == 1)
graph = t.graph_of({{"x": (0, 1), "y": (0, 1), "z": range(70)}}, sum_, t.Regular(("x", "z"), odd))
assert len(list(t.Search().compile(graph).solutions())) == 2
counts = t.Search().compile(t.FOUR).solve_many(t.np.full((1, 16), t.BLANK), limit=2)[1]
assert counts.tolist() == [2]
"""


def test_the_kernels_are_plain_python_too():
    code = WITHOUT_NUMBA.format(folder=os.path.dirname(__file__))
    subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
    )


def test_the_order_of_variables_suits_the_graph():
    differ = [AllDifferent(("x", "y"))]
    cases = {
        DOM_WDEG: graph_of(dict.fromkeys("xy", (1, 2)), *differ),
        CONFLICTS: graph_of(dict.fromkeys("xy", (1, 2)), *differ, Linear((1, 2), ("x", "y"), 4, 5)),
    }
    for order, graph in cases.items():
        assert Search().compile(graph).engine.search.variable_order == order
    many = graph_of(dict.fromkeys(range(130), (1, 2)), AllDifferent((0, 1)))
    assert Search().compile(many).engine.search.variable_order == CONFLICTS
    told = Search(variable_order="first").compile(cases[DOM_WDEG])
    assert told.engine.search.variable_order == VARIABLE_ORDERS["first"]
