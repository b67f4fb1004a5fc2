"""The portfolio: who answers, that it is right whoever does, and that nobody runs on unseen."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import csp_sudoku as cs
from csp_encodings.arrays import encode
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Regular
from csp_encodings.graph import factors
from csp_encodings.implied import with_implied
from csp_sudoku import backends
from csp_sudoku.backends import auto, native, search_session, slices
from csp_sudoku.backends.auto import Auto
from csp_sudoku.backends.cpsat import CpSat
from csp_sudoku.backends.engines import engine_for
from csp_sudoku.backends.sat import Sat
from csp_sudoku.backends.sat_session import SatSession
from csp_sudoku.backends.turns import ROW_STEPS, Turns, turns_for
from csp_sudoku.testing import check_case, check_session, conformance_cases

TWO = cs.read("1..............2")  # a few solutions
CASES = [case for case in conformance_cases() if "4×4" in case.name][::12]
WITH_ENGINE, WITHOUT = Auto(kernels=True), Auto(kernels=False)


def delayed(compile):
    """A backend whose queries begin late, so that another one is asked as well."""

    def compile_and_wait(self, graph, *, deadline=None):
        session = compile(self, graph, deadline=deadline)
        ask = session.enumerate

        def enumerate_late(request):
            time.sleep(0.1)
            return ask(request)

        session.enumerate = enumerate_late
        return session

    return compile_and_wait


def solved(backend, puzzle, **query):
    with backend.compile(puzzle.graph) as session:
        found = session.solutions(**query)
        limit = query.get("limit")
        taken = [dict(a) for _, a in zip(range(limit or 10**6), found, strict=False)]
        return found, taken


@pytest.mark.parametrize("limit", [1, 2, 3, None])
def test_the_engine_answers_where_it_is_asked(limit):
    found, taken = solved(WITH_ENGINE, TWO, limit=limit)
    assert len(taken) == (limit or cs.count(TWO, "brute").value)
    assert found.statistics.winner == "boards"
    assert found.statistics.asked == ("boards",)


def short_turns(steps):
    """The engine works for so many steps, then SAT and the engine in turn for a while."""
    return lambda *_: Turns(steps, ((8_000, 8 * steps), (24_000, 32 * steps)))


@pytest.mark.parametrize("limit", [1, 2, 3, None])
def test_sat_answers_where_it_is_not(limit):
    found, taken = solved(WITHOUT, TWO, limit=limit)
    assert len(taken) == (limit or cs.count(TWO, "brute").value)
    assert found.statistics.asked == ("sat",)


def test_sat_takes_over_from_an_engine_that_takes_long(monkeypatch):
    monkeypatch.setattr(auto, "turns_for", short_turns(1))
    for limit in (1, 2, None):
        found, _ = solved(WITH_ENGINE, TWO, limit=limit)
        assert found.statistics.asked[:2] == ("boards", "sat")
        assert found.statistics.winner in ("sat", "cpsat")
    cs.clear_cache()
    for _ in range(3):
        result = cs.solve(TWO, "auto:kernels=true", limit=2)
        assert result.backend == "auto: sat"
        assert result.statistics.asked == ("boards", "sat")
    cs.clear_cache()


def test_in_a_batch_the_engine_gives_up_single_puzzles_only(monkeypatch):
    easy = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
    texts = [easy, easy, "." * 81, easy, "." * 81, easy]
    monkeypatch.setattr(auto, "turns_for", short_turns(20))
    monkeypatch.setattr(auto, "ROW_STEPS", 20)
    cs.clear_cache()
    with cs.session(cs.Puzzle.blank(9), "search") as session:
        grid = session.solve(easy).solutions[0]
    found = [*cs.solve_many(texts, "auto:kernels=true")]
    winners = [result.statistics.winner for result in found]
    assert winners == ["boards", "boards", "sat", "boards", "sat", "boards"]
    assert all(cs.verify(cs.read(t), r.solutions[0]).ok for t, r in zip(texts, found, strict=True))
    rows = np.array([[int(sign) for sign in text.replace(".", "0")] for text in texts])
    solved = cs.solve_array(rows, backend="auto:kernels=true", limit=2)
    assert solved.counts.tolist() == [1, 1, 2, 1, 2, 1]
    assert solved.grids[3].tolist() == [*grid.numbers]
    cs.clear_cache()


def test_an_engine_works_longer_on_what_suits_it():
    cages = [cs.KillerCage(f"R{row}C1 R{row}C2 R{row}C3", 15) for row in (1, 4, 7)]
    diagonals = [cs.LittleKiller(f"R1C{col}", "SE", 5 * (10 - col)) for col in range(2, 8)]
    sums = cs.Puzzle.blank(9).add(*cages, *diagonals, cs.LittleKiller("R2C1", "SE", 40))
    dots = cs.Puzzle.blank(9).add(*(cs.Difference(f"R{row}C1 R{row}C2", 1) for row in range(1, 9)))
    first = {}
    for name, puzzle in {"sums": sums, "dots": dots, "plain": cs.Puzzle.blank(9)}.items():
        arrays = encode(with_implied(puzzle.graph, cheap=True))
        first[name] = turns_for(arrays.network, "search").first
    assert first["sums"] > first["plain"] > first["dots"]


def test_an_engine_works_as_long_as_it_takes_to_compile_automata_for_sat():
    """Equal automata are stored once, but each factor has clauses of its own."""
    rules = [cs.XSum(f"R{row}", clue) for row, clue in enumerate((25, 25, 20, 30, 25), 1)]
    puzzle = cs.Puzzle.blank(9).add(*rules, cs.Lunchbox("R7C1 R7C2 R8C2 R9C3", 7))
    network = encode(puzzle.graph).network
    automata = [f.automaton for f in factors(puzzle.graph).values() if isinstance(f, Regular)]
    assert len(automata) > len({*automata})
    edges = sum([len(automaton.edge_table.head) for automaton in automata])
    turns = turns_for(network, "search")
    assert turns.first == 800 * len(network.scope) + 400 * edges


def test_the_answer_does_not_depend_on_the_clock(monkeypatch):
    """The search stops after the same work however long that takes."""
    hard = cs.Puzzle.blank(9).add(cs.AntiKnight())
    monkeypatch.setattr(slices, "next_slice", lambda budget, seconds: budget)
    monkeypatch.setattr(auto, "turns_for", short_turns(500))
    answers = []
    for first in (1, 70, 10_000):
        monkeypatch.setattr(search_session, "_FIRST_SLICE", first)
        found, taken = solved(WITH_ENGINE, hard, limit=2)
        answers.append((found.statistics.winner, taken))
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("puzzle", [TWO, cs.read("11.............."), cs.read("0100300140020040")])
def test_two_race_where_sat_takes_long(monkeypatch, puzzle):
    monkeypatch.setattr(Sat, "compile", delayed(Sat.compile))
    monkeypatch.setattr(auto.AutoSession, "head_start", 0.0)
    found, taken = solved(WITHOUT, puzzle, limit=2)
    assert found.statistics.asked == ("sat", "cpsat")
    assert found.statistics.winner in ("sat", "cpsat")
    assert len(taken) == min(2, cs.count(puzzle, "brute").value)


def test_the_loser_of_a_race_is_stopped(monkeypatch):
    monkeypatch.setattr(auto.AutoSession, "head_start", 0.0)
    hard = cs.Puzzle.blank(25)
    with WITHOUT.compile(hard.graph) as session:
        next(session.solutions(limit=1))
    for _ in range(100):
        names = [thread.name for thread in threading.enumerate()]
        busy = sum(name.startswith("csp-sudoku") for name in names) - len(native._idle)
        if not busy:
            break
        time.sleep(0.05)
    assert not busy


def test_a_deadline_ends_a_race(monkeypatch):
    monkeypatch.setattr(auto.AutoSession, "head_start", 0.01)
    empty = cs.Puzzle.blank(36)
    graph = empty.graph
    with WITHOUT.compile(graph) as session:
        found = session.solutions(limit=2, deadline=time.monotonic() + 0.3)
        taken = list(found)
    assert found.out_of_time or len(taken) >= 2


def test_more_than_was_asked_for_can_be_had():
    with WITH_ENGINE.compile(TWO.graph) as session:
        found = session.solutions(limit=1)
        grids = {frozenset(solution.items()) for solution in found}
    assert len(grids) == cs.count(TWO, "brute").value
    assert found.complete


def test_all_are_counted_by_the_kernel():
    puzzle = cs.Puzzle.blank(6).with_givens({"R1C1": 1, "R1C2": 2, "R1C3": 3, "R1C4": 4})
    counted = cs.count(puzzle, "auto:kernels=true")
    assert counted.backend == "auto: boards"
    assert counted.value == cs.count(puzzle, "dlx").value


# A member that refuses a puzzle, or fails, is out; the others go on.


def refuse(self, graph, *, deadline=None):
    raise BudgetError("too large")


def fail(*arguments, **options):
    raise RuntimeError("broken")


def test_what_is_too_large_for_one_goes_to_the_next(monkeypatch):
    monkeypatch.setattr(Sat, "compile", refuse)
    for limit in (1, 2, None):
        found, taken = solved(WITHOUT, TWO, limit=limit)
        assert found.statistics.winner == "cpsat"
        assert taken
    for name in ("cpsat", "search", "boards"):
        monkeypatch.setattr(backends.load(name), "compile", refuse)
    cs.clear_cache()
    with pytest.raises(cs.BudgetError, match="backend auto: too large"):
        cs.solve(TWO)


def test_a_value_that_cpsat_refuses_does_not_end_a_race(monkeypatch):
    monkeypatch.setattr(Sat, "compile", delayed(Sat.compile))
    monkeypatch.setattr(auto.AutoSession, "head_start", 0.0)
    puzzle = cs.Puzzle.blank(4, values=(1, 2, 3, 2**60))
    for limit in (1, 2):
        found, taken = solved(WITHOUT, puzzle, limit=limit)
        assert found.statistics.asked == ("sat", "cpsat")
        assert (found.statistics.winner, len(taken)) == ("sat", limit)


@pytest.mark.parametrize("limit", [1, 2])
def test_a_solver_that_fails_is_out_of_the_race(monkeypatch, caplog, limit):
    monkeypatch.setattr(SatSession, "has_model", fail)
    found, taken = solved(WITHOUT, TWO, limit=limit)
    assert (found.statistics.winner, len(taken)) == ("cpsat", limit)
    monkeypatch.setattr(CpSat, "compile", fail)
    found, taken = solved(WITHOUT, TWO, limit=limit)
    assert (found.statistics.winner, len(taken)) == ("boards", limit)
    assert "auto goes on without cpsat: broken" in caplog.messages
    monkeypatch.setattr(backends.load("boards"), "compile", fail)
    with pytest.raises(RuntimeError, match="broken"):
        solved(WITHOUT, TWO, limit=limit)


def test_an_engine_that_fails_is_left_out(monkeypatch):
    monkeypatch.setattr(search_session.SearchSession, "enumerate", fail)
    monkeypatch.setattr(search_session.SearchSession, "solve_rows", fail)
    with WITH_ENGINE.compile(TWO.graph) as session:
        for asked in (("boards", "sat"), ("sat",)):
            found = session.solutions(limit=2)
            assert len([*zip(range(2), found, strict=False)]) == 2
            assert found.statistics.asked == asked
    cs.clear_cache()
    found = [*cs.solve_many([TWO] * 3, "auto:kernels=true", limit=2)]
    assert [(result.backend, len(result.solutions)) for result in found] == [("auto: sat", 2)] * 3
    cs.clear_cache()


def test_a_failure_is_not_taken_for_a_lack_of_time(monkeypatch):
    monkeypatch.setattr(SatSession, "has_model", fail)
    with WITHOUT.compile(cs.Puzzle.blank(25).graph) as session:
        found = session.solutions(limit=2, deadline=time.monotonic() + 0.05)
        assert len([*found]) < 2
        assert found.out_of_time


def test_a_seed_is_for_sat():
    first, again, other = (
        cs.solve(cs.Puzzle.blank(9), "auto", seed=seed).solutions[0] for seed in (1, 1, 2)
    )
    assert first == again != other


def test_options_are_checked():
    for options in ("kernels=3", "race=maybe", "kernels=none"):
        with pytest.raises(cs.BackendError, match="must be true or false"):
            cs.solve(TWO, f"auto:{options}")


def test_sessions():
    check_session(WITH_ENGINE)


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("race", [True, False])
def test_solutions(case, race):
    check_case(Auto(race=race), case, most=24)


# The same call gives the same answer: in a fresh process each, with and without kernels on disk.


def test_the_engine_for_a_graph_runs_the_kernel_that_it_names():
    killer = cs.Puzzle.blank(9).add(cs.KillerCage("R1C1 R1C2", 5))
    knight = cs.Puzzle.blank(9).add(cs.AntiKnight())
    dot = cs.Puzzle.blank(9).add(cs.Difference("R1C1 R1C2", 1))
    blank = [*map(cs.Puzzle.blank, (9, 16, 25))]
    for puzzle in (*blank, killer, knight, dot):
        engine = engine_for(puzzle.rules_graph)
        session = backends.get(engine.name).compile(puzzle.rules_graph)
        assert session.engine.kernel.__name__ == engine.kernel


BLANK = "import csp_sudoku as cs; blank = '.' * 81\n"
CALLS = {
    "nothing": "",
    "a batch": "list(cs.solve_many([blank] * 150))",
    "an array": "import numpy as np; cs.solve_array(np.zeros((200, 81), int))",
    "a few": "list(cs.solve_many([blank] * 3))",
    "the engine": "cs.solve(blank, 'search')",
    "kernels, explicitly": "cs.solve(blank, 'auto:kernels=true')",
    "other rules": "cs.count(cs.Puzzle.blank(4).add(cs.AntiKnight()))",
}
ASK = """
found = [cs.solve(blank) for _ in range({times})]
[answer] = {{(result.backend, result.solutions[0].text) for result in found}}
print(*answer)
"""


def said(before, *, cache="", times=5):
    """What calls for the blank grid say, after another call."""
    place = {"NUMBA_CACHE_DIR": str(cache)} if cache else {}
    done = subprocess.run(
        [sys.executable, "-c", f"{BLANK}{before}{ASK.format(times=times)}"],
        env={**os.environ, **place, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_same_call_gives_the_same_answer(tmp_path):
    # Whatever is on disk counts as compiled after the start. Then it is there for the others.
    late = "from csp_encodings import machine_code; machine_code._STARTED = 0\n"
    compiling = f"{late}{CALLS['the engine']}\n{CALLS['a batch']}\n"
    without = {said(compiling), *(said(CALLS[c], cache=tmp_path) for c in ("nothing", "a few"))}
    assert [text.split()[1] for text in without] == ["sat"]
    with_kernels = {said(before) for before in CALLS.values()}
    assert [text.split()[1] for text in with_kernels] == ["boards"]


def test_a_thousand_calls_give_the_same_grid(tmp_path):
    assert said("", cache=tmp_path, times=1_000) == said("", cache=tmp_path, times=1)


def test_rows_get_little_work_at_a_time(monkeypatch):
    """A kernel at work hears no cancel: hard puzzles are enumerated in turns instead."""
    efforts = []
    solve_rows = search_session.SearchSession.solve_rows

    def noted(self, givens, limit, deadline, effort):
        efforts.append(effort)
        return solve_rows(self, givens, limit, deadline, effort)

    monkeypatch.setattr(search_session.SearchSession, "solve_rows", noted)
    killer = cs.Puzzle.blank(9).add(*[cs.KillerCage(f"R{r}C1-R{r}C4", 20) for r in range(1, 10)])
    for puzzle in (cs.Puzzle.blank(9), killer):
        results = cs.solve_many([puzzle, puzzle], "auto:kernels=true", limit=1)
        assert [len(result.solutions) for result in results] == [1, 1]
    assert 0 < max(efforts) <= ROW_STEPS
