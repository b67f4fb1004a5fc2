"""Dancing links: the solutions of any graph, each once, within any restriction; and the kernels."""

import _thread
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from csp_encodings.automaton import Automaton
from csp_encodings.errors import GraphError
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder, assignments, domains, restricted, variables
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.backends.dlx import BLANK, Dlx
from csp_sudoku.errors import BackendError

ROOT = Path(__file__).parents[2]

KNIGHT = [(1, 2), (2, 1), (1, -2), (2, -1)]
KING = [(1, 1), (1, -1)]
NEIGHBOUR = [(0, 1), (1, 0)]


def sudoku(rows, columns, *, different=(), nonconsecutive=False):
    side = rows * columns
    digits = range(1, side + 1)
    cells = [(r, c) for r in range(side) for c in range(side)]
    builder = GraphBuilder()
    for cell in cells:
        builder.variable(cell, digits)
    for house_of in (
        lambda r, c: r,
        lambda r, c: c,
        lambda r, c: r // rows * rows + c // columns,
    ):
        for house in range(side):
            builder.factor(AllDifferent(tuple(cell for cell in cells if house_of(*cell) == house)))
    for r, c in cells:
        for dr, dc in different:
            if (r + dr, c + dc) in cells:
                builder.factor(AllDifferent(((r, c), (r + dr, c + dc))))
        for dr, dc in NEIGHBOUR if nonconsecutive else ():
            if (r + dr, c + dc) in cells:
                builder.factor(
                    Relation.where(
                        (r, c), (r + dr, c + dc), digits, digits, lambda a, b: abs(a - b) != 1
                    )
                )
    return builder.build()


FOUR = sudoku(2, 2)
NINE = sudoku(3, 3)


def rows_of(found, graph):
    names = variables(graph)
    return sorted(tuple(solution[name] for name in names) for solution in found)


def random_graph(seed):
    """A small graph with all kinds of factors, auxiliaries and odd scopes."""
    chance = random.Random(seed)
    builder = GraphBuilder()
    names = [f"v{i}" for i in range(chance.randint(1, 5))]
    for name in names:
        size = chance.choice([0, 1, 2, 3, 3, 4]) if chance.random() < 0.2 else 3
        builder.variable(name, sorted(chance.sample(range(-1, 4), size)))
    inputs = chance.sample(names, min(2, len(names)))
    if chance.random() < 0.4 and all(builder.domain(name) for name in inputs):
        ones = (1,) * len(inputs)
        names.append(
            builder.auxiliary(
                "total", range(-2, 8), lambda t: Linear((*ones, -1), (*inputs, t), 0, 0)
            )
        )

    def scope(most):
        if chance.random() < 0.3:
            return tuple(chance.choices(names, k=chance.randint(0, most)))
        return tuple(chance.sample(names, chance.randint(0, min(most, len(names)))))

    for _ in range(chance.randint(1, 5)):
        kind = chance.randrange(4)
        density = chance.random()
        if kind == 0:
            builder.factor(AllDifferent(scope(4)))
        elif kind == 1:
            pairs = [(a, b) for a in range(-2, 8) for b in range(-2, 8)]
            allowed = frozenset(pair for pair in pairs if chance.random() < density)
            builder.factor(Relation(chance.choice(names), chance.choice(names), allowed))
        elif kind == 2:
            cells = scope(4)
            low, high = chance.choice([None, chance.randint(-4, 3)]), chance.choice([None, 4])
            coefficients = tuple(chance.randint(-2, 2) for _ in cells)
            builder.factor(Linear(coefficients, cells, low, high))
        else:
            cells = scope(5)
            step = {
                (i, state, value): chance.choice([None, 0, 1, 2])
                for i in range(5)
                for state in range(3)
                for value in range(-1, 4)
            }
            automaton = Automaton.from_fold(
                [range(-1, chance.randint(1, 4)) for _ in cells],
                0,
                lambda state, value, i, step=step: step[i, state, value],
                lambda state: state < 2,
                positional=True,
            )
            builder.factor(Regular(cells, automaton))
    return builder.build()


@pytest.mark.parametrize("block", range(8))
def test_random_graphs(block):
    """Against enumeration: all solutions, shuffled, counted, and within a restriction."""
    solvable = 0
    for seed in range(50 * block, 50 * block + 50):
        graph = random_graph(seed)
        session = Dlx().compile(graph)
        wanted = rows_of(assignments(graph), graph)
        assert rows_of(session.solutions(), graph) == wanted
        assert rows_of(session.solutions(seed=seed), graph) == wanted
        assert session.solutions().drain().count == len(wanted)
        chance = random.Random(seed)
        restrict = {
            name: tuple(chance.sample(range(-1, 5), chance.choice([1, 1, 2, 3])))
            for name in domains(graph)
            if chance.random() < 0.5
        }
        within = rows_of(assignments(restricted(graph, restrict)), graph)
        assert rows_of(session.solutions(restrict), graph) == within
        solvable += bool(within)
    assert solvable


@pytest.mark.parametrize(
    "options",
    [
        {"choice": "fewest"},
        {"supports": False},
        {"branching": "item"},
        {"choice": "fewest", "branching": "item", "supports": False},
    ],
)
def test_the_options_find_the_same(options):
    for seed in range(100):
        graph = random_graph(seed)
        session = Dlx(**options).compile(graph)
        wanted = rows_of(assignments(graph), graph)
        assert rows_of(session.solutions(), graph) == wanted
        assert rows_of(session.solutions(seed=seed), graph) == wanted


def test_weights_save_nodes():
    graph = sudoku(3, 3, different=[*KNIGHT, *KING], nonconsecutive=True)
    nodes = {}
    for choice in ("weighted", "fewest"):
        found = Dlx(choice=choice).compile(graph).solutions()
        assert found.drain().count == 72
        nodes[choice] = found.statistics.nodes
    assert nodes["weighted"] < nodes["fewest"] / 5


def test_supports_save_nodes():
    digits = range(1, 7)
    builder = GraphBuilder()
    for name in "abcde":
        builder.variable(name, digits)
    for scope, total in (("abcd", 14), ("edcb", 17), ("ace", 9)):
        automaton = Automaton.from_fold(
            [digits] * len(scope), 0, lambda s, v: s + v, lambda s, total=total: s == total
        )
        builder.factor(Regular(tuple(scope), automaton))
    graph = builder.build()
    wanted = rows_of(assignments(graph), graph)
    nodes = {}
    for supports in (True, False):
        found = Dlx(choice="fewest", supports=supports).compile(graph).solutions()
        assert rows_of(found, graph) == wanted
        nodes[supports] = found.statistics.nodes
    assert nodes[True] < nodes[False]


@pytest.mark.parametrize(
    "options", [{"choice": "most"}, {"supports": "no"}, {"choice": 1}, {"branching": "cell"}]
)
def test_options_that_make_no_sense(options):
    with pytest.raises(BackendError, match="must be"):
        Dlx(**options)


@pytest.mark.parametrize(
    ("graph", "count", "nodes"),
    [
        (FOUR, 288, 2_156),
        (sudoku(2, 3, different=KNIGHT), 11_520, 197_384),
        (sudoku(2, 3, nonconsecutive=True), 48, 1_646),
        (sudoku(3, 3, different=[*KNIGHT, *KING], nonconsecutive=True), 72, 30_150),
    ],
    ids=["4×4", "6×6 knight", "6×6 nonconsecutive", "9×9 knight, king, nonconsecutive"],
)
def test_counts(graph, count, nodes):
    found = Dlx().compile(graph).solutions()
    drained = found.drain()
    assert (drained.count, found.complete, found.statistics.nodes) == (count, True, nodes)
    assert found.statistics.solutions == count
    factors = [data["factor"] for _, data in graph.nodes(data=True) if "factor" in data]
    assert drained.sample
    for solution in drained.sample:
        assert all(f.accepts([solution[v] for v in f.scope]) for f in factors)


def test_auxiliaries_are_not_guessed_at():
    """A bit for every knight's move, and one of them set: 288 grids less the 24 of anti-knight."""
    builder = GraphBuilder()
    cells = [(r, c) for r in range(4) for c in range(4)]
    for cell in cells:
        builder.variable(cell, range(1, 5))
    for node, data in FOUR.nodes(data=True):
        if node not in cells:
            builder.factor(data["factor"])
    same = Automaton.from_predicate([range(1, 5)] * 2, lambda a, b: a == b).reified()
    bits = [
        builder.auxiliary("same", (0, 1), lambda bit, a=a, b=b: Regular((a, b, bit), same))
        for a in cells
        for b in cells
        if (b[0] - a[0], b[1] - a[1]) in KNIGHT
    ]
    builder.factor(Linear((1,) * len(bits), tuple(bits), 1, None))
    found = Dlx().compile(builder.build()).solutions()
    assert found.drain(300).count == 264
    # At most one for each step of each of the 288 grids; guessing takes a thousand times as many.
    assert found.statistics.nodes < 100_000


def test_statistics():
    found = Dlx().compile(NINE).solutions()
    next(found)
    statistics = found.statistics
    assert (statistics.items, statistics.options, statistics.solutions) == (324, 729, 1)
    assert statistics.nodes >= 81
    assert statistics.updates > statistics.nodes
    assert statistics.compile_seconds > 0 < statistics.solve_seconds


def test_taking_and_counting_mix():
    found = Dlx().compile(FOUR).solutions()
    taken = list(islice(found, 10))
    assert found.drain(100).count == 100
    assert not found.complete
    taken += islice(found, 10)
    rest = found.drain()
    assert (rest.count, found.complete) == (168, True)
    assert found.drain().count == 0
    assert next(found, None) is None
    assert len({tuple(solution.values()) for solution in taken}) == 20


def test_a_limit_that_is_met_says_nothing_of_the_rest():
    found = Dlx().compile(FOUR).solutions()
    assert found.drain(288).count == 288
    assert not found.complete
    assert found.drain(1).count == 0
    assert found.complete


def test_queries_do_not_disturb_each_other():
    session = Dlx().compile(FOUR)
    whole, part = session.solutions(), session.solutions({(0, 0): (1,), (1, 3): (2, 3)})
    pairs = [(a, next(whole)) for a in part]
    wanted = [s for s in assignments(FOUR) if s[0, 0] == 1 and s[1, 3] in (2, 3)]
    assert rows_of([a for a, _ in pairs], FOUR) == rows_of(wanted, FOUR)
    assert rows_of([*[b for _, b in pairs], *whole], FOUR) == rows_of(assignments(FOUR), FOUR)


def test_seeds():
    session = Dlx().compile(NINE)
    firsts = [tuple(next(session.solutions(seed=seed)).values()) for seed in (1, 2, 1)]
    assert firsts[0] == firsts[2] != firsts[1]


@pytest.mark.parametrize(
    "restrict",
    [
        {},
        {(0, 0): (1,)},
        {(0, 0): (1,), (0, 1): (1,)},
        {(0, 0): (1, 2), (3, 3): (3, 4)},
        {(0, 0): (1,), (0, 1): (1, 2), (1, 1): (2, 3)},
        {(0, 0): (1, 9, 0)},
        {(0, 0): (9,)},
        {(0, 0): ()},
        {(0, 0): (1, 2, 3, 4)},
    ],
    ids=str,
)
def test_restrictions(restrict):
    wanted = sum(all(s[v] in values for v, values in restrict.items()) for s in assignments(FOUR))
    found = Dlx().compile(FOUR).solutions(restrict)
    assert found.drain().count == wanted
    assert found.complete


def test_a_restriction_on_an_unknown_variable_is_an_error():
    with pytest.raises(GraphError, match="variable R5C5 is not in the graph"):
        Dlx().compile(FOUR).solutions({"R5C5": (1,)})


def test_time_that_is_up():
    past = time.monotonic() - 1
    with pytest.raises(OutOfTime):
        Dlx().compile(NINE, deadline=past)
    session = Dlx().compile(NINE)
    taken, counted = session.solutions(deadline=past), session.solutions(deadline=past)
    assert list(taken) == []
    assert counted.drain().count == 0
    for found in (taken, counted):
        assert found.out_of_time
        assert not found.complete
    assert next(session.solutions(), None)


def test_a_deadline_ends_an_endless_count():
    found = Dlx().compile(NINE).solutions(deadline=time.monotonic() + 0.1)
    found.drain()
    assert found.out_of_time
    assert not found.complete


def test_ctrl_c_ends_an_endless_count():
    session = Dlx().compile(NINE)
    found = session.solutions()
    next(found)
    timer = threading.Timer(0.1, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        found.drain()
    timer.join()
    assert not found.complete
    assert next(found, None) is None
    assert not found.complete
    assert session.solutions().drain(5).count == 5


def test_closing():
    found = Dlx().compile(FOUR).solutions()
    next(found)
    found.close()
    assert list(found) == []
    assert found.drain().count == 0
    assert not found.complete


def random_givens(graph, number, seed):
    """Rows of givens: some from solutions, some at random, some outside the domain."""
    chance = random.Random(seed)
    names = variables(graph)
    full = rows_of(islice(assignments(graph), 300), graph)
    rows = []
    for _ in range(number):
        row = list(chance.choice(full)) if full else [0] * len(names)
        kept = chance.random()
        row = [value if chance.random() < kept else BLANK for value in row]
        if chance.random() < 0.3:
            row[chance.randrange(len(row))] = chance.randint(-1, 5)
        rows.append(row)
    return np.array(rows)


@pytest.mark.parametrize("limit", [1, 2, 1000])
def test_solve_many(limit):
    graphs = [FOUR, *[random_graph(seed) for seed in range(12)]]
    for number, graph in enumerate(graphs):
        session = Dlx().compile(graph)
        givens = random_givens(graph, 25, number)
        solutions, counts = session.solve_many(givens, limit=limit)
        names = variables(graph)
        for row, solution, count in zip(givens.tolist(), solutions.tolist(), counts, strict=True):
            restrict = {v: (a,) for v, a in zip(names, row, strict=True) if a != BLANK}
            wanted = [list(s.values()) for s in session.solutions(restrict)]
            assert count == min(len(wanted), limit)
            assert solution in wanted or (not wanted and solution == [BLANK] * len(names))


def test_solve_many_without_puzzles_or_variables():
    empty = np.empty((0, 16), np.int64)
    solutions, counts = Dlx().compile(FOUR).solve_many(empty)
    assert (solutions.shape, counts.shape) == ((0, 16), (0,))
    solutions, counts = Dlx().compile(GraphBuilder().build()).solve_many(np.empty((2, 0)))
    assert (solutions.shape, counts.tolist()) == ((2, 0), [1, 1])


def test_solve_many_out_of_time():
    session = Dlx().compile(FOUR)
    givens = np.full((3, 16), BLANK)
    givens[1, 0] = 7
    solutions, counts = session.solve_many(givens, deadline=time.monotonic() - 1)
    # What needs no search is known all the same.
    assert counts.tolist() == [-1, 0, -1]
    assert (solutions == BLANK).all()


def test_solve_many_stops_within_a_puzzle():
    givens = np.full((2, 81), BLANK)
    session = Dlx().compile(NINE)
    _, counts = session.solve_many(givens, limit=10**9, deadline=time.monotonic() + 0.1)
    assert counts.tolist() == [-1, -1]


@pytest.mark.parametrize(("shape", "limit"), [((16,), 1), ((2, 15), 1), ((2, 16), 0)])
def test_solve_many_refuses(shape, limit):
    with pytest.raises(BackendError, match="must be rows of 16 values"):
        Dlx().compile(FOUR).solve_many(np.full(shape, BLANK), limit=limit)


def test_threads_share_a_session():
    session = Dlx().compile(FOUR)
    givens = random_givens(FOUR, 400, 1)
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda part: session.solve_many(part, limit=300), [givens] * 4))
    for solutions, counts in parts:
        assert (solutions == parts[0][0]).all()
        assert (counts == parts[0][1]).all()


# The decorator of the kernels

_HELPER = """
from csp_encodings.jit import kernel

@kernel
def weighted(number):
    return 1 * number
"""

_MODULE = """
import numpy as np
from csp_encodings.jit import kernel
from helper import weighted

@kernel
def total(numbers):
    result = 0
    for number in numbers:
        result += weighted(number)
    return result
"""


def start(code, **environment):
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def start_module(folder, **environment):
    """Call the kernel in a folder in a process of its own; tells result, cache hits, cache path."""
    code = f"""
import sys
sys.path.insert(0, {str(folder)!r})
from module import np, total
result = total(np.arange(5))
print(result, sum(total.stats.cache_hits.values()), total.stats.cache_path)
"""
    return start(code, **environment)


def output(process):
    out, err = process.communicate()
    assert not err
    return out.strip()


def test_without_a_place_for_a_cache_kernels_are_compiled_anew(tmp_path):
    """Files where folders should be: so nothing can be written, even by a superuser."""
    (tmp_path / "helper.py").write_text(_HELPER)
    (tmp_path / "module.py").write_text(_MODULE)
    for name in ("__pycache__", "file"):
        (tmp_path / name).write_text("")
    nowhere = str(tmp_path / "file" / "cache")
    process = start_module(tmp_path, NUMBA_CACHE_DIR=nowhere, HOME=nowhere, XDG_CACHE_HOME=nowhere)
    assert output(process) == "10 0 None"


_ENGINE = """
import csp_sudoku as cs
from csp_sudoku.kernels import dlx

assert cs.__file__.startswith({folder!r}), cs.__file__
for backend in ("auto", "dlx"):
    found = cs.solve("0100 3001 4002 0040", backend, limit=2)
    print(found.status.value, found.solutions[0].text)
print(dlx.begin.stats.cache_path, sum(dlx.begin.stats.cache_hits.values()))
"""


def test_a_package_in_a_read_only_folder_solves(tmp_path):
    """Files where Python and Numba would make folders: so nothing can be written there."""
    for package in ("csp_sudoku", "encodings/csp_encodings"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=lambda *_: ["__pycache__"])
    for folder in [path for path in tmp_path.rglob("*") if path.is_dir()]:
        (folder / "__pycache__").write_text("")
    before = sorted(tmp_path.rglob("*"))
    nowhere = str(tmp_path / "csp_sudoku" / "__pycache__" / "cache")
    process = start(
        _ENGINE.format(folder=str(tmp_path)),
        PYTHONPATH=os.pathsep.join([str(tmp_path), str(tmp_path / "encodings"), *sys.path]),
        PYTHONSAFEPATH="1",
        NUMBA_CACHE_DIR=nowhere,
        HOME=nowhere,
        XDG_CACHE_HOME=nowhere,
    )
    assert output(process).splitlines() == ["all found 2134342143121243"] * 2 + ["None 0"]
    assert sorted(tmp_path.rglob("*")) == before


_LOSING = """
import sys
sys.path.insert(0, {folder!r})
from pathlib import Path
from module import np, total

[kept] = Path({cache!r}).iterdir()
kept.rmdir()
kept.write_bytes(b"")
print(total(np.arange(5)))
"""


def test_a_cache_that_is_lost_or_damaged_costs_no_answer(tmp_path):
    """As when a disk is full, or a machine lost its power while it wrote."""
    (tmp_path / "helper.py").write_text(_HELPER)
    (tmp_path / "module.py").write_text(_MODULE)
    lost, damaged = str(tmp_path / "lost"), tmp_path / "damaged"
    losing = start(_LOSING.format(folder=str(tmp_path), cache=lost), NUMBA_CACHE_DIR=lost)
    assert output(start_module(tmp_path, NUMBA_CACHE_DIR=str(damaged))).startswith("10 0")
    assert output(losing) == "10"
    indices = [*damaged.rglob("*.nbi")]
    assert indices
    for index in indices:
        index.write_bytes(b"")
    assert output(start_module(tmp_path, NUMBA_CACHE_DIR=str(damaged))).startswith("10 0")


def test_processes_share_a_cache_until_a_source_changes(tmp_path):
    (tmp_path / "helper.py").write_text(_HELPER)
    (tmp_path / "module.py").write_text(_MODULE)
    cache = str(tmp_path / "cache")
    together = [start_module(tmp_path, NUMBA_CACHE_DIR=cache) for _ in range(2)]
    assert all(output(process).startswith("10 ") for process in together)
    later = output(start_module(tmp_path, NUMBA_CACHE_DIR=cache))
    assert later.startswith(f"10 1 {cache}")
    (tmp_path / "helper.py").write_text(_HELPER.replace("1 *", "1000 *"))
    changed = output(start_module(tmp_path, NUMBA_CACHE_DIR=cache))
    assert changed.startswith(f"10000 0 {cache}")


_SMALL = """
import numpy as np
from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Regular
from csp_encodings.graph import GraphBuilder
from csp_sudoku.backends.dlx import BLANK, Dlx

builder = GraphBuilder()
for cell in range(16):
    builder.variable(cell, range(1, 5))
for i in range(4):
    builder.factor(AllDifferent(tuple(range(4 * i, 4 * i + 4))))
    builder.factor(AllDifferent(tuple(range(i, 16, 4))))
    box = 8 * (i // 2) + 2 * (i % 2)
    builder.factor(AllDifferent((box, box + 1, box + 4, box + 5)))
found = Dlx().compile(builder.build()).solutions()
print(found.drain().count, found.statistics.nodes, found.statistics.updates)

builder = GraphBuilder()
for cell in range(3):
    builder.variable(cell, range(1, 5))
cage = Automaton.from_predicate([range(1, 5)] * 3, lambda a, b, c: a + b + c == 6)
builder.factor(Regular((0, 1, 2), cage))
session = Dlx().compile(builder.build())
print(list(session.solutions({0: (2,), 1: (1, 2, 4)})))
print(session.solve_many(np.array([[1, BLANK, BLANK], [BLANK, 2, 2]]), limit=9))
"""


def test_kernels_run_as_plain_python(capsys):
    exec(_SMALL, {})
    compiled = capsys.readouterr().out
    assert compiled.startswith("288 ")
    assert output(start(_SMALL, NUMBA_DISABLE_JIT="1")) == compiled.strip()
