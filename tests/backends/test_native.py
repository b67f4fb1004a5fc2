"""What the industrial solvers have in common: any graph, any restriction, any end of a query."""

import os
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError, GraphError
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder, assignments, restricted, variables
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.backends.cpsat import CpSat
from csp_sudoku.backends.lp import Lp
from csp_sudoku.backends.native import StillRunning, finished, run_stoppable
from csp_sudoku.backends.sat import Sat

BACKENDS = [Sat(), CpSat(), Lp()]
EVERY = pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.name)


def sudoku(rows, columns):
    side = rows * columns
    builder = GraphBuilder()
    cells = list(product(range(side), repeat=2))
    for cell in cells:
        builder.variable(cell, range(1, side + 1))
    for house_of in (
        lambda r, c: r,
        lambda r, c: c,
        lambda r, c: r // rows * rows + c // columns,
    ):
        for house in range(side):
            builder.factor(AllDifferent(tuple(cell for cell in cells if house_of(*cell) == house)))
    return builder.build()


FOUR, NINE, SIXTEEN = sudoku(2, 2), sudoku(3, 3), sudoku(4, 4)
TWELVE = {(0, 0): (1,), (0, 1): (2,), (1, 0): (3,)}  # leave 12 of the 288 grids of 4×4


def givens(text):
    side = int(len(text) ** 0.5)
    return {divmod(i, side): (int(c),) for i, c in enumerate(text) if c in "123456789"}


def rows_of(found, graph):
    names = variables(graph)
    return sorted(tuple(solution[name] for name in names) for solution in found)


def expected(graph):
    return rows_of(assignments(graph), graph)


@st.composite
def graphs(draw):
    """Small graphs with all kinds of factor, auxiliaries, odd scopes and odd domains."""
    builder = GraphBuilder()
    values = st.integers(-2, 2)
    names = [f"v{i}" for i in range(draw(st.integers(1, 4)))]
    for name in names:
        least = draw(st.sampled_from([0, 1, 1, 2, 2, 2]))
        builder.variable(name, sorted(draw(st.sets(values, min_size=least, max_size=4))))
    if draw(st.booleans()):
        inputs = names[:2]
        ones = (1,) * len(inputs)
        if all(builder.domain(name) for name in inputs):
            names.append(
                builder.auxiliary(
                    "sum", range(-4, 5), lambda s: Linear((*ones, -1), (*inputs, s), 0, 0)
                )
            )
    name = st.sampled_from(names)
    scope = st.lists(name, max_size=4).map(tuple)
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(["different", "relation", "linear", "regular"]))
        if kind == "different":
            builder.factor(
                AllDifferent(draw(st.lists(name, max_size=4, unique=True).map(tuple) | scope))
            )
        elif kind == "relation":
            pairs = draw(st.frozensets(st.tuples(values, values)))
            if draw(st.booleans()):
                pairs = frozenset(product(range(-2, 3), repeat=2)) - pairs
            builder.factor(Relation(draw(name), draw(name), pairs))
        elif kind == "linear":
            terms = draw(scope)
            weights = tuple(draw(st.integers(-2, 2)) for _ in terms)
            side = st.none() | st.integers(-3, 3)
            builder.factor(Linear(weights, terms, draw(side), draw(side)))
        else:
            read = draw(scope)
            alphabets = [range(-1, 3)] * len(read)
            table = draw(st.sets(st.tuples(*[st.integers(-1, 2)] * len(read)), max_size=12))
            builder.factor(Regular(read, Automaton.from_table(alphabets, table)))
    return builder.build()


def check(backend, graph, data):
    """All solutions, each once; the same within a restriction, and all again after it."""
    wanted = expected(graph)
    some = data.draw(st.lists(st.sampled_from(variables(graph)), max_size=2, unique=True))
    restrict = {v: tuple(data.draw(st.sets(st.integers(-2, 3)))) for v in some}
    with backend.compile(graph) as session:
        for restriction, answer in (
            (None, wanted),
            (restrict, expected(restricted(graph, restrict))),
            ({}, wanted),
        ):
            found = session.solutions(restriction)
            assert rows_of(found, graph) == answer
            assert found.complete


@given(graphs(), st.sampled_from(["pairwise", "sequential", "product", "native"]), st.data())
@settings(max_examples=150, deadline=None)
def test_sat_finds_what_plain_enumeration_finds(graph, at_most_one, data):
    redundant = data.draw(st.booleans())
    check(Sat("minicard", at_most_one=at_most_one, redundant=redundant), graph, data)


@given(graphs(), st.data())
@settings(max_examples=80, deadline=None)
def test_cpsat_finds_what_plain_enumeration_finds(graph, data):
    check(CpSat(presolve=data.draw(st.booleans())), graph, data)


@given(graphs(), st.data())
@settings(max_examples=30, deadline=None)
def test_lp_finds_what_plain_enumeration_finds(graph, data):
    relaxation, redundant = data.draw(st.booleans()), data.draw(st.booleans())
    check(Lp(relaxation=relaxation, redundant=redundant), graph, data)


ONE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
MANY = "005300000800000020070010050400005300010070006003200080060500009004000030000009700"
NONE = "005300000800000020070010050450005300910070006203200080060500009004000030000009700"
TWO = "295743861431865900876192543387459216612387495549216738763524189928671354154938600"


@EVERY
def test_counts(backend):
    with backend.compile(NINE) as session:
        for text, count in ((ONE, 1), (TWO, 2), (NONE, 0), (MANY, 21), (ONE, 1)):
            found = session.solutions(givens(text))
            assert (len(rows_of(found, NINE)), found.complete) == (count, True)
            assert found.statistics.solutions == count


@EVERY
def test_all_grids_of_4x4(backend):
    with backend.compile(FOUR) as session:
        found = session.solutions()
        assert len(set(rows_of(found, FOUR))) == 288
        assert found.complete


HARD_16 = """
12 0 6 2 0 0 14 0 3 0 8 0 16 0 0 1  0 0 10 0 16 0 0 2 0 1 0 9 0 3 0 0
0 4 0 5 1 8 3 0 6 0 14 0 0 0 9 10  1 0 0 7 0 0 0 6 12 0 16 0 14 0 0 11
0 5 0 0 10 13 0 7 0 12 0 1 0 9 14 0  9 0 11 12 0 3 0 0 15 0 10 14 0 1 0 0
0 10 0 0 11 0 9 0 0 4 0 0 0 8 0 3  6 0 4 15 0 16 0 12 0 8 0 3 7 0 11 0
0 7 0 1 2 14 0 0 9 0 3 0 10 16 0 15  3 0 12 0 0 6 1 0 0 15 0 13 0 0 2 0
0 0 9 0 4 5 0 16 0 0 7 0 1 12 0 14  0 8 2 0 13 0 12 0 1 0 4 16 0 11 5 0
10 0 0 9 0 4 0 11 2 0 0 0 5 0 0 8  5 2 0 6 0 1 0 15 0 9 13 11 0 0 10 0
0 0 7 0 5 0 16 0 10 0 0 15 0 6 0 0  14 0 0 4 0 10 0 9 0 16 0 0 11 13 0 2
"""


@EVERY
def test_a_16x16(backend):
    numbers = map(int, HARD_16.split())
    restrict = {divmod(i, 16): (n,) for i, n in enumerate(numbers) if n}
    with backend.compile(SIXTEEN) as session:
        (solution,) = session.solutions(restrict, limit=2)
    first_row = [solution[0, c] for c in range(16)]
    assert first_row == [12, 9, 6, 2, 7, 11, 14, 4, 3, 13, 8, 10, 16, 5, 15, 1]


@EVERY
def test_a_session_forgets_every_query_however_it_ends(backend):
    with backend.compile(FOUR) as session:
        left = session.solutions(TWELVE)
        next(left)
        replaced = session.solutions({(0, 0): (2,)}, limit=1)
        assert next(left, None) is None
        assert not left.complete
        assert next(replaced)[0, 0] == 2
        late = session.solutions(TWELVE, deadline=time.monotonic() - 1)
        assert next(late, None) is None
        assert (late.out_of_time, late.complete) == (True, False)
        clash = session.solutions({(0, 0): (1,), (0, 1): (1,)})
        assert next(clash, None) is None
        assert clash.complete
        assert len(rows_of(session.solutions(TWELVE), FOUR)) == 12
        assert len(rows_of(session.solutions({(0, 0): (1, 2), (3, 3): (9,)}), FOUR)) == 0
        assert session.solutions(TWELVE, limit=5).drain(5).count == 5
        assert session.solutions(TWELVE).drain().count == 12


@EVERY
def test_a_limit_is_a_hint_and_no_end(backend):
    with backend.compile(FOUR) as session:
        for limit in (1, 2, 5):
            assert len(set(rows_of(session.solutions(TWELVE, limit=limit), FOUR))) == 12


@EVERY
def test_restrictions_are_read_within_the_domains(backend):
    with backend.compile(FOUR) as session:
        assert rows_of(session.solutions({**TWELVE, (3, 3): (4, 99, -1)}), FOUR) == [
            row for row in rows_of(session.solutions(TWELVE), FOUR) if row[-1] == 4
        ]
        with pytest.raises(GraphError, match=r"variable \(9, 9\) is not in the graph"):
            session.solutions({(9, 9): (1,)})


@EVERY
def test_seeds(backend):
    """Equal seeds give equal runs whatever came before; others lead elsewhere; none stays."""
    with backend.compile(NINE) as session:

        def first(seed):
            return tuple(next(session.solutions(limit=1, seed=seed)).values())

        before = first(None)
        runs = [first(seed) for seed in (1, 2, 2**40, -1)]
        assert len(set(runs)) > 2
        session.solutions(givens(TWO)).drain()
        assert first(2) == runs[1]
    with backend.compile(NINE) as session:
        assert first(2) == runs[1]
        assert first(None) == before
        assert session.solutions(givens(TWO), seed=4).drain().count == 2


@EVERY
def test_auxiliaries_are_not_shown_and_not_counted(backend):
    builder = GraphBuilder()
    builder.variable("x", range(3))
    builder.auxiliary("double", range(5), lambda d: Linear((2, -1), ("x", d), 0, 0))
    builder.variable("y", (5, 7))
    graph = builder.build()
    with backend.compile(graph) as session:
        assert rows_of(session.solutions(), graph) == list(product(range(3), (5, 7)))


@EVERY
@pytest.mark.parametrize("domain", [(), (3,)], ids=["no value", "one value"])
def test_graphs_without_a_choice(backend, domain):
    builder = GraphBuilder()
    graphs = [builder.build()]
    builder = GraphBuilder()
    builder.variable("x", domain)
    graphs.append(builder.build())
    for graph in graphs:
        with backend.compile(graph) as session:
            for limit in (None, 1):
                assert rows_of(session.solutions(limit=limit), graph) == expected(graph)


@EVERY
def test_no_time_to_compile(backend):
    with pytest.raises(OutOfTime):
        backend.compile(NINE, deadline=time.monotonic() - 1)


@pytest.mark.parametrize("backend", [Sat(), Lp()], ids=lambda backend: backend.name)
def test_a_sum_beyond_the_budget_is_refused(backend):
    """CP-SAT has sums of its own."""
    builder = GraphBuilder()
    for i in range(40):
        builder.variable(i, range(2))
    builder.factor(Linear(tuple(2**i for i in range(40)), tuple(range(40)), 2**39, None))
    with pytest.raises(BudgetError):
        backend.compile(builder.build())


def pigeons(count):
    """One hole too few, said pair by pair: exponential for clause learning."""
    builder = GraphBuilder()
    for i in range(count):
        builder.variable(i, range(count - 1))
    different = frozenset((a, b) for a, b in product(range(count - 1), repeat=2) if a != b)
    for i, j in combinations(range(count), 2):
        builder.factor(Relation(i, j, different))
    return builder.build()


def market_split(rows):
    """Cornuéjols & Dawande (1998): small, and out of reach of branch and bound."""
    chance = random.Random(1)
    size = 10 * (rows - 1)
    builder = GraphBuilder()
    for i in range(size):
        builder.variable(i, range(2))
    for _ in range(rows):
        weights = tuple(chance.randrange(100) for _ in range(size))
        builder.factor(Linear(weights, tuple(range(size)), sum(weights) // 2, sum(weights) // 2))
    return builder.build()


HARD = [(Sat(), pigeons(14)), (CpSat(), market_split(5)), (Lp(), market_split(5))]
EVERY_HARD = pytest.mark.parametrize(("backend", "hard"), HARD, ids=["sat", "cpsat", "lp"])


@EVERY_HARD
def test_a_deadline_reaches_the_solver_and_the_session_goes_on(backend, hard):
    with backend.compile(hard) as session:
        for limit in (1, None):
            found = session.solutions(limit=limit, deadline=time.monotonic() + 0.2)
            assert next(found, None) is None
            assert (found.out_of_time, found.complete) == (True, False)
            assert found.statistics.solutions == 0
        fixed = session.solutions(dict.fromkeys(variables(hard), (0,)))
        assert next(fixed, None) is None
        assert fixed.complete


INTERRUPT = """
import os, signal, sys, threading, time
sys.path[:0] = {path!r}
from test_native import HARD, variables
kill = lambda: os.kill(os.getpid(), signal.SIGINT)
for backend, hard in HARD:
    with backend.compile(hard) as session:
        for _ in range(2):
            threading.Timer(0.3, kill).start()
            try:
                next(session.solutions(limit=1))
            except KeyboardInterrupt:
                print(backend.name, "was interrupted")
        assert next(session.solutions(dict.fromkeys(variables(hard), (0,))), None) is None
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        kill()
        time.sleep(10)
    except KeyboardInterrupt:
        print(backend.name, "left the handler")
"""


def test_ctrl_c_stops_the_solver_and_nothing_else():
    """Twice in the midst of a solve, and once more after it: the handler is still Python's."""
    path = [os.path.dirname(__file__), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPT.format(path=path)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.stdout.splitlines() == [
        f"{backend.name} {what}"
        for backend in BACKENDS
        for what in ("was interrupted", "was interrupted", "left the handler")
    ]
    assert (done.returncode, done.stderr) == (0, "")


@EVERY
def test_sessions_in_threads(backend):
    def count(value):
        with backend.compile(FOUR) as session:
            return session.solutions({(0, 0): (value,), (1, 1): (value % 4 + 1,)}).drain().count

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(count, [1, 2, 3, 4])) == [24] * 4


@EVERY
def test_solvers_write_nothing(backend, capfd):
    with backend.compile(FOUR) as session:
        session.solutions(TWELVE).drain()
        session.solutions({(0, 0): (1,), (0, 1): (1,)}).drain()
    assert capfd.readouterr() == ("", "")


@EVERY
def test_versions(backend):
    package, _, number = backend.version().partition(" ")
    assert package in ("python-sat", "ortools")
    assert number[0].isdigit()


def test_run_stoppable_gives_the_result_or_the_error():
    assert run_stoppable(lambda: 7, lambda: None) == 7
    with pytest.raises(ZeroDivisionError):
        run_stoppable(lambda: 1 // 0, lambda: None)


def test_run_stoppable_tells_until_it_is_heard():
    """A solver may forget a stop that comes before it has begun."""
    calls = []
    heard = threading.Event()

    def stop():
        calls.append(None)
        if len(calls) == 3:
            heard.set()

    assert run_stoppable(heard.wait, stop, deadline=time.monotonic()) is True
    assert len(calls) == 3


def test_run_stoppable_leaves_no_thread_behind(monkeypatch):
    """An interrupt is raised again when the solver is out; a second one does not hurry it."""
    begun, out = threading.Event(), threading.Event()
    interrupts = iter([KeyboardInterrupt, KeyboardInterrupt])
    stops = []

    def wait(future, seconds):
        begun.wait()
        for interrupt in interrupts:
            raise interrupt
        future.result()

    def stop():
        stops.append(None)
        out.set()

    monkeypatch.setattr("csp_sudoku.backends.native._wait", wait)
    finished: Future[None] = Future()
    with pytest.raises(KeyboardInterrupt):
        run_stoppable(lambda: (begun.set(), out.wait(), finished.set_result(None)), stop)
    assert finished.done()
    assert stops


def test_a_solver_that_does_not_come_back_is_left_alone():
    gate = threading.Event()
    with pytest.raises(StillRunning) as late:
        run_stoppable(gate.wait, lambda: None, time.monotonic(), patience=0.0)
    with pytest.raises(OutOfTime):
        finished(late.value.work, time.monotonic())
    gate.set()
    finished(late.value.work, None)
    assert late.value.work.result()
    finished(None, time.monotonic())


def test_a_late_run_of_cpsat_does_not_disturb_the_next(monkeypatch):
    monkeypatch.setattr("csp_sudoku.backends.cpsat._LATENESS", 0.0)
    rules = cs.Puzzle.blank(9).add(cs.AntiKnight())
    with CpSat().compile(rules.graph) as session:
        for _ in range(3):
            late = session.solutions(deadline=time.monotonic() + 0.01)
            assert sum(1 for _ in late) >= 0
            assert late.out_of_time
            restrict = dict.fromkeys(rules.cells[:2], (1,))
            again = session.solutions(restrict)
            assert list(again) == []
            assert again.complete
