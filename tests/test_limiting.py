"""Deadlines and limits reach reading and building, in every function that takes a timeout."""

import inspect
import json
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import cycle

import pytest

import csp_sudoku as cs


class Endless(cs.Constraint):
    """A rule whose lowering takes seconds, and does not end well."""

    name = "endless"

    def scope(self, puzzle):
        return puzzle.cells[:1]

    def holds(self, values, puzzle):
        return True

    def lower(self, ctx):
        for _ in range(300_000):
            ctx.add_condition(ctx.puzzle.cells[0], bool)
        raise AssertionError("the deadline did not hold")

    def describe(self, puzzle):
        return "no end"


PUZZLE = cs.Puzzle.blank(4).add(Endless())
SOON = 0.05


def in_parts(function):
    with ThreadPoolExecutor(1) as executor:
        return function(PUZZLE, executor, timeout=SOON)


# What each function says if its time is over before the rules are lowered.
CALLS = {
    "solve": lambda: cs.solve(PUZZLE, timeout=SOON).status is cs.Status.UNKNOWN,
    "count": lambda: not cs.count(PUZZLE, timeout=SOON).complete,
    "solutions": lambda: list(cs.solutions(PUZZLE, timeout=SOON)) == [],
    "solve_many": lambda: (
        {r.status for r in cs.solve_many([PUZZLE] * 3, timeout=SOON)} == {cs.Status.UNKNOWN}
    ),
    "solve_array": lambda: (
        cs.solve_array([[0] * 16] * 2, PUZZLE, timeout=SOON).counts.tolist() == [-1, -1]
    ),
    "explain": lambda: cs.explain(PUZZLE, timeout=SOON).ending.value == "out of time",
    "assess": lambda: cs.assess(PUZZLE, {"R1C1": 1}, timeout=SOON).undecided == PUZZLE.cells[:1],
    "redundant": lambda: cs.redundant(PUZZLE, timeout=SOON).undecided == PUZZLE.constraints,
    "true_candidates": lambda: len(cs.true_candidates(PUZZLE, timeout=SOON).undecided) == 64,
    "cross_check": lambda: (
        cs.cross_check(PUZZLE, ["sat", "dlx"], timeout=SOON, reference=False).outcome
        is cs.Outcome.UNKNOWN
    ),
    "count_in_parts": lambda: not in_parts(cs.count_in_parts).complete,
    "solve_in_parts": lambda: in_parts(cs.solve_in_parts).solutions == (),
}
UNDECIDED = {
    "rate": lambda: cs.rate(PUZZLE, timeout=SOON),
    "is_unique": lambda: cs.is_unique(PUZZLE, timeout=SOON),
    "hint": lambda: cs.hint(PUZZLE, timeout=SOON),
    "why_not": lambda: cs.why_not(PUZZLE, "R1C1", 1, timeout=SOON),
    "why_unsolvable": lambda: cs.why_unsolvable(PUZZLE, timeout=SOON),
    "is_minimal": lambda: cs.is_minimal(PUZZLE.with_givens({"R1C1": 1}), timeout=SOON),
    "random_solution": lambda: cs.random_solution(PUZZLE, timeout=SOON),
    "generate": lambda: cs.generate(PUZZLE, timeout=SOON),
}
# These ask one of the others, or take files.
OTHERS = {"batch", "check_claim", "estimate", "score", "space"}


def test_no_function_with_a_timeout_is_forgotten():
    public = {name: getattr(cs, name) for name in cs.__all__}
    timed = {
        name
        for name, value in public.items()
        if inspect.isfunction(value) and "timeout" in inspect.signature(value).parameters
    }
    assert timed == {*CALLS, *UNDECIDED, *OTHERS}


@pytest.mark.parametrize("name", CALLS)
def test_a_deadline_holds_while_rules_are_lowered(name):
    assert CALLS[name]()


@pytest.mark.parametrize("name", UNDECIDED)
def test_a_deadline_that_leaves_a_question_undecided(name):
    with pytest.raises(cs.UndecidedError):
        UNDECIDED[name]()


def test_what_was_given_up_is_not_kept():
    cage = cs.KillerCage("R1C1 R1C2 R2C1", 6)
    puzzle = cs.Puzzle.blank(4).add(cage, cs.AntiKing())
    cs.clear_cache()
    for _ in range(2):
        assert cs.solve(puzzle, "sat", timeout=0).status is cs.Status.UNKNOWN
    assert cs.count(puzzle, "sat").value == cs.count(puzzle, "brute").value


def document(number):
    """A file with this number of rules."""
    cage = {"type": "killer-cage", "cells": "R1C1 R1C2", "sum": 5}
    return json.dumps(
        {
            "format": "csp-sudoku",
            "version": 1,
            "grids": [{"rows": 4}],
            "constraints": [cage] * number,
        }
    )


def test_reading_looks_at_the_clock():
    for call in (cs.solve, cs.solutions, cs.is_unique):
        with pytest.raises(cs.UndecidedError, match="time ran out before the puzzle was read"):
            call(document(3), timeout=0)
    with pytest.raises(cs.UndecidedError, match="0 seconds were not enough"), cs.limits(seconds=0):
        cs.read(document(3))


def test_a_puzzle_as_a_whole_has_limits():
    cages = [cs.KillerCage(f"R{r}C1 R{r}C2 R{r}C3", 8) for r in (1, 2, 3)]
    puzzle = cs.Puzzle.blank(6).add(cs.Arrow("R4C4", "R5C4 R5C5 R6C5"), *cages)
    with cs.limits(edges=20), pytest.raises(cs.BudgetError, match="20 edges .* takes most"):
        cs.solve(puzzle)
    with cs.limits(factors=12), pytest.raises(cs.BudgetError, match="12 factors"):
        cs.export(puzzle, "cnf")
    for backend, most in (("sat", 30), ("cpsat", 3), ("search", 30), ("dlx", 30), ("lp", 30)):
        with cs.limits(clauses=most), pytest.raises(cs.BudgetError, match=f"{most} clauses"):
            cs.solve(puzzle, backend)
    with cs.limits(bytes=2_000), pytest.raises(cs.BudgetError, match="2,000 bytes"):
        cs.why_unsolvable(puzzle)
    with cs.limits(seconds=600):
        assert cs.solve(puzzle).complete
    with pytest.raises(cs.BackendError, match="edges 0: must be a whole number from 1 up"):
        cs.limits(edges=0).__enter__()


def test_a_rule_without_an_end_is_refused_by_name():
    with cs.limits(factors=1_000), pytest.raises(cs.BudgetError, match="endless takes most, 1,024"):
        cs.solve(PUZZLE)


FOUR = "0100 3001 4002 0040"


def answers(folder):
    """What calls with a timeout say."""
    source, out = folder / "puzzles.txt", folder / "answers.jsonl"
    source.write_text("0100300140020040\n" + "." * 16 + "\n")
    solved = [cs.solve(FOUR, backend, limit=2, timeout=60) for backend in ("auto", "sat", "search")]
    yield [(result.status, result.solutions, result.reason) for result in solved]
    counted = cs.count(cs.Puzzle.blank(4), timeout=60)
    yield counted.value, counted.complete
    yield cs.batch(source, out, timeout=60).statuses
    agreement = cs.cross_check(FOUR, ["sat", "dlx"], timeout=60)
    yield agreement.summary, [answer.ending for answer in agreement.answers]
    assert 0 <= agreement.seconds < 600
    yield "one solution, certified" in agreement.to_html()
    yield [step.sentence for step in cs.explain(FOUR, timeout=60).steps]
    yield cs.solve(PUZZLE, timeout=SOON).status


def test_jumps_of_the_clock_change_nothing(tmp_path, monkeypatch):
    for name in ("steady", "jumping"):
        (tmp_path / name).mkdir()
    steady = list(answers(tmp_path / "steady"))
    now, jumps = time.time(), cycle([-1e9, 1e9, 0.0, -3_600.0])
    monkeypatch.setattr(time, "time", lambda: now + next(jumps))
    assert len({time.time() for _ in range(4)}) == 4
    assert list(answers(tmp_path / "jumping")) == steady


@pytest.mark.parametrize("backend", ["sat", "search", "dlx"])
def test_parts_that_run_out_of_time_tell_what_they_found(backend):
    blank = cs.Puzzle.blank(9)
    with ThreadPoolExecutor(2) as executor:
        counted = cs.count_in_parts(blank, executor, backend, parts=3, timeout=SOON)
        found = cs.solve_in_parts(blank, executor, backend, limit=None, parts=3, timeout=SOON)
        at_once = cs.solve_in_parts(blank, executor, backend, parts=3, timeout=0)
    assert (counted.complete, counted.reason) == (False, "time ran out")
    assert counted.value < 6_670_903_752_021_072_936_960
    assert (found.complete, found.reason) == (False, "time ran out")
    assert found.status is (cs.Status.SOME_FOUND if found.solutions else cs.Status.UNKNOWN)
    assert len(set(found.solutions)) == len(found.solutions)
    assert all(cs.verify(blank, solution).ok for solution in found.solutions[:5])
    assert (at_once.status, at_once.reason) == (cs.Status.UNKNOWN, "time ran out")


def test_parts_share_their_time(monkeypatch):
    """A later part has what the earlier ones have left, and is not asked if that is nothing."""
    given = []

    def solve(puzzle, backend, *, timeout, **settings):
        given.append(timeout)
        time.sleep(0.1)
        return cs.solve(puzzle, backend, timeout=0, **settings)

    monkeypatch.setattr(import_module("csp_sudoku.batches.cubes"), "solve", solve)
    with ThreadPoolExecutor(1) as executor:
        found = cs.solve_in_parts(cs.Puzzle.blank(9), executor, "sat", parts=40, timeout=1)
    assert (found.complete, found.reason) == (False, "time ran out")
    assert 1 < len(given) < 40
    assert given == sorted(given, reverse=True)


def test_a_part_that_runs_out_of_time_spoils_the_whole(monkeypatch):
    """One part of several is late: the count says so, though all others are complete."""
    late = cs.solve(PUZZLE, timeout=SOON)
    answered = []

    def solve(puzzle, backend, **settings):
        answered.append(puzzle)
        return late if len(answered) == 2 else cs.solve(puzzle, backend, **settings)

    # By its module: the package also has a function of this name.
    monkeypatch.setattr(import_module("csp_sudoku.batches.cubes"), "solve", solve)
    blank = cs.Puzzle.blank(4)
    with ThreadPoolExecutor(1) as executor:
        found = cs.solve_in_parts(blank, executor, "sat", limit=None, parts=4, timeout=60)
    assert len(answered) == 4
    assert (found.status, found.reason) == (cs.Status.SOME_FOUND, "time ran out")
    assert 0 < len(found.solutions) < 288
