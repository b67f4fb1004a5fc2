"""The portfolio: who answers, that it is right whoever does, and that nobody runs on unseen."""

import threading
import time

import pytest

import csp_sudoku as cs
from csp_encodings.errors import BudgetError
from csp_sudoku import backends
from csp_sudoku.backends import auto, native, search_session, slices
from csp_sudoku.backends.auto import Auto
from csp_sudoku.backends.sat import Sat
from csp_sudoku.testing import check_case, check_session, conformance_cases

TWO = cs.read("1..............2")  # a few solutions
CASES = [case for case in conformance_cases() if "4×4" in case.name][::12]


@pytest.fixture
def no_search(monkeypatch):
    monkeypatch.setattr(auto, "search_is_ready", lambda: False)


@pytest.fixture
def search(monkeypatch):
    monkeypatch.setattr(auto, "search_is_ready", lambda: True)


def delayed(compile):
    """A backend whose queries begin late, so that another one is asked as well."""

    def compile_and_wait(self, graph, *, deadline=None):
        session = compile(self, graph, deadline=deadline)
        ask = session.solutions

        def solutions(*arguments, **options):
            time.sleep(0.1)
            return ask(*arguments, **options)

        session.solutions = solutions
        return session

    return compile_and_wait


def solved(puzzle, **query):
    with Auto().compile(puzzle.graph) as session:
        found = session.solutions(**query)
        limit = query.get("limit")
        taken = [dict(a) for _, a in zip(range(limit or 10**6), found, strict=False)]
        return found, taken


@pytest.mark.parametrize("limit", [1, 2, 3, None])
def test_the_search_answers_where_it_is_ready(search, limit):
    found, taken = solved(TWO, limit=limit)
    assert len(taken) == (limit or cs.count(TWO, "brute").value)
    assert found.statistics.winner == "search"
    assert found.statistics.asked == ("search",)


@pytest.mark.parametrize("limit", [1, 2, 3, None])
def test_sat_answers_where_it_is_not(no_search, limit):
    found, taken = solved(TWO, limit=limit)
    assert len(taken) == (limit or cs.count(TWO, "brute").value)
    assert found.statistics.asked == ("sat",)


def test_sat_takes_over_from_a_search_that_takes_long(search, monkeypatch):
    monkeypatch.setattr(auto, "_effort", lambda search: 1)
    for limit in (1, 2, None):
        found, _ = solved(TWO, limit=limit)
        assert found.statistics.asked[:2] == ("search", "sat")
        assert found.statistics.winner in ("sat", "cpsat")


def test_the_answer_does_not_depend_on_the_clock(search, monkeypatch):
    """The search stops after the same work however long that takes."""
    hard = cs.Puzzle.blank(9).add(cs.AntiKnight())
    monkeypatch.setattr(slices, "next_slice", lambda budget, seconds: budget)
    monkeypatch.setattr(auto, "_effort", lambda search: 500)
    answers = []
    for first in (1, 70, 10_000):
        monkeypatch.setattr(search_session, "_FIRST_SLICE", first)
        found, taken = solved(hard, limit=2)
        answers.append((found.statistics.winner, taken))
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("puzzle", [TWO, cs.read("11.............."), cs.read("0100300140020040")])
def test_two_race_where_sat_takes_long(no_search, monkeypatch, puzzle):
    monkeypatch.setattr(Sat, "compile", delayed(Sat.compile))
    monkeypatch.setattr(auto.AutoSession, "head_start", 0.0)
    found, taken = solved(puzzle, limit=2)
    assert found.statistics.asked == ("sat", "cpsat")
    assert found.statistics.winner in ("sat", "cpsat")
    assert len(taken) == min(2, cs.count(puzzle, "brute").value)


def test_the_loser_of_a_race_is_stopped(no_search, monkeypatch):
    monkeypatch.setattr(auto.AutoSession, "head_start", 0.0)
    hard = cs.Puzzle.blank(25)
    with Auto().compile(hard.graph) as session:
        next(session.solutions(limit=1))
    for _ in range(100):
        names = [thread.name for thread in threading.enumerate()]
        busy = sum(name.startswith("csp-sudoku") for name in names) - len(native._idle)
        if not busy:
            break
        time.sleep(0.05)
    assert not busy


def test_a_deadline_ends_a_race(no_search, monkeypatch):
    monkeypatch.setattr(auto.AutoSession, "head_start", 0.01)
    empty = cs.Puzzle.blank(36)
    graph = empty.graph
    with Auto().compile(graph) as session:
        found = session.solutions(limit=2, deadline=time.monotonic() + 0.3)
        taken = list(found)
    assert found.out_of_time or len(taken) >= 2


def test_more_than_was_asked_for_can_be_had(search):
    with Auto().compile(TWO.graph) as session:
        found = session.solutions(limit=1)
        grids = {frozenset(solution.items()) for solution in found}
    assert len(grids) == cs.count(TWO, "brute").value
    assert found.complete


def test_all_are_counted_by_the_kernel(search):
    puzzle = cs.Puzzle.blank(6).with_givens({"R1C1": 1, "R1C2": 2, "R1C3": 3, "R1C4": 4})
    counted = cs.count(puzzle, "auto")
    assert counted.backend == "auto: search"
    assert counted.value == cs.count(puzzle, "dlx").value


def test_what_is_too_large_for_one_goes_to_the_next(no_search, monkeypatch):
    def refuse(self, graph, *, deadline=None):
        raise BudgetError("too large")

    monkeypatch.setattr(Sat, "compile", refuse)
    for limit in (1, 2, None):
        found, taken = solved(TWO, limit=limit)
        assert found.statistics.winner == "cpsat"
        assert taken
    for name in ("cpsat", "search"):
        monkeypatch.setattr(backends.load(name), "compile", refuse)
    cs.clear_cache()
    with pytest.raises(cs.BudgetError, match="backend auto: too large"):
        cs.solve(TWO)


def test_a_seed_is_for_sat():
    first, again, other = (
        cs.solve(cs.Puzzle.blank(9), "auto", seed=seed).solutions[0] for seed in (1, 1, 2)
    )
    assert first == again != other


def test_kernels_are_loaded_once_they_are_worth_it(monkeypatch):
    monkeypatch.setattr(auto, "_KERNELS", "not loaded")
    for work, on_disk, ready in [
        (0, True, False),
        (1_000, True, True),
        (1_000, False, False),
        (20_000, False, True),
    ]:
        monkeypatch.setattr(auto._Experience, "work", work)
        monkeypatch.setattr(auto, "_kernels_are_on_disk", lambda on_disk=on_disk: on_disk)
        assert auto.search_is_ready() is ready


def test_sessions(search):
    check_session(Auto())


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("race", [True, False])
def test_solutions(case, race):
    check_case(Auto(race=race), case, most=24)
