"""Guesses: the local search keeps its books, and the solver that follows it stays complete."""

import time
from threading import Event

import numpy as np
import pytest

import csp_sudoku as cs
from csp_encodings.conflicts import encode
from csp_sudoku import backends
from csp_sudoku.backends import guesses, sat
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.backends.guesses import Guesses
from csp_sudoku.kernels import beliefs, tabu


def conflicts_of(puzzle):
    return encode(puzzle.graph).conflicts


@pytest.mark.parametrize("steps", [1, 2, 5, 30])
def test_clashes_are_counted_as_they_change(steps):
    conflicts = conflicts_of(cs.Puzzle.blank(6))
    lottery = np.random.default_rng(steps)
    chosen = conflicts.first_candidate[:-1] + lottery.integers(0, 6, 36)
    walk = tabu.start(conflicts, chosen, seed=steps)
    before = int(walk.numbers[tabu.CLASHES])
    found = tabu.improve(conflicts, walk, steps)
    fresh = tabu.start(conflicts, walk.chosen, seed=0)
    assert (walk.clashes == fresh.clashes).all()
    assert walk.numbers[tabu.CLASHES] == fresh.numbers[tabu.CLASHES]
    in_line = walk.line[: walk.numbers[tabu.IN_LINE]]
    assert sorted(in_line) == sorted(fresh.line[: fresh.numbers[tabu.IN_LINE]])
    assert (walk.place[in_line] == np.arange(len(in_line))).all()
    least = tabu.start(conflicts, walk.best, seed=0).numbers[tabu.CLASHES]
    assert least == walk.numbers[tabu.LEAST] <= before
    assert found == (least == 0)


@pytest.mark.parametrize("side", [4, 9])
def test_a_guess_without_clashes_is_a_solution(side):
    puzzle = cs.Puzzle.blank(side)
    guess = Guesses(encode(puzzle.graph)).find(lambda: None)
    assert cs.verify(puzzle, guess).ok


def test_equal_runs_give_equal_guesses():
    conflicts = conflicts_of(cs.Puzzle.blank(9))
    first, second = [beliefs.choose(conflicts, 20, seed=3) for _ in range(2)]
    assert (first == second).all()


def test_beliefs_keep_to_what_is_certain():
    # With the first row and column given, and R2C2, one solution is left.
    puzzle = cs.read("123434..2...4...")
    [solution] = cs.solve(puzzle, backend="brute").solutions
    encoded = encode(puzzle.graph)
    chosen = beliefs.choose(encoded.conflicts, 50, seed=0)
    assert encoded.decode(chosen) == {cell: solution[cell] for cell in puzzle.cells}


def test_one_who_pauses_may_give_up():
    def give_up():
        raise OutOfTime

    with pytest.raises(OutOfTime):
        Guesses(encode(cs.Puzzle.blank(4).graph)).find(give_up)


@pytest.fixture
def guided(monkeypatch):
    """Small puzzles are large, conflicts are soon too many, and who might guess is noted."""
    made = []
    begin = Guesses.__init__

    def noted(self, encoded):
        made.append(self)
        begin(self, encoded)

    monkeypatch.setattr(sat, "_LARGE", 0)
    monkeypatch.setattr(sat, "_FIRST_CONFLICTS", 1)
    monkeypatch.setattr(sat, "_UNGUIDED_CONFLICTS", 10)
    monkeypatch.setattr(guesses, "_STEPS", 1_000)
    monkeypatch.setattr(guesses, "_STEPS_AT_ONCE", 500)
    monkeypatch.setattr(Guesses, "__init__", noted)
    return made


HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


@pytest.mark.parametrize("solver", ["minicard", "cadical153"])
def test_a_guided_solver_stays_complete(guided, solver):
    puzzle = cs.read(HARD)
    result = cs.solve(puzzle, limit=2, backend=f"sat:solver={solver}")
    assert result.status is cs.Status.ALL_FOUND
    assert len(result.solutions) == 1
    assert guided


def test_guesses_keep_to_the_restriction(guided):
    backend = backends.get("sat")
    puzzle = cs.read(HARD)
    with backend.compile(cs.Puzzle.blank(9).graph) as session:
        restrict = {cell: (value,) for cell, value in puzzle.givens.items()}
        assert len(list(session.solutions(restrict))) == 1
        assert guided
        impossible = restrict | {cs.Cell(0, 1): (8,)}
        assert list(session.solutions(impossible)) == []
        assert len(list(session.solutions(restrict))) == 1


def test_sums_are_solved_without_guesses(guided):
    puzzle = cs.read(HARD).add(cs.KillerCage("R1C2 R1C3", 3))
    assert cs.solve(puzzle, limit=2, backend="sat").status is cs.Status.ALL_FOUND
    assert not guided


@pytest.mark.parametrize("solver", ["minicard", "cadical153"])
def test_what_was_guessed_is_tried_first(guided, monkeypatch, solver):
    puzzle = cs.Puzzle.blank(16)
    wanted = {cell: (4 * cell.row + cell.row // 4 + cell.col) % 16 + 1 for cell in puzzle.cells}
    guessed = Event()

    def find(self, pause):
        guessed.set()
        return wanted

    solve_within = sat.SatSession._solve_within

    def solve_late(self, conflicts, *query):
        # As if it took longer than to guess.
        if conflicts is not None:
            return None
        if callable(is_over := query[-1]):
            assert guessed.wait(10)
            while not is_over():
                time.sleep(0.001)
            return None
        return solve_within(self, conflicts, *query)

    monkeypatch.setattr(sat.SatSession, "_solve_at_once", lambda *of_it: None)
    monkeypatch.setattr(Guesses, "find", find)
    monkeypatch.setattr(sat.SatSession, "_solve_within", solve_late)
    with backends.get(f"sat:solver={solver}").compile(puzzle.graph) as session:
        assert next(session.solutions()) == wanted
    assert guided
