"""Guesses: the local search keeps its books, and the solver that follows it stays complete."""

from itertools import islice

import numpy as np
import pytest

import csp_sudoku as cs
from csp_encodings.conflicts import encode
from csp_encodings.factors import AllDifferent
from csp_encodings.graph import GraphBuilder
from csp_sudoku import backends
from csp_sudoku.backends import guesses, sat, sat_session
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.backends.guesses import Guesses
from csp_sudoku.backends.sat_session import SatSession
from csp_sudoku.kernels import metropolis
from csp_sudoku.kernels.records import pack

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def conflicts_of(puzzle):
    return pack(encode(puzzle.graph).conflicts)


@pytest.mark.parametrize("steps", [1, 2, 5, 30, 1_000])
def test_clashes_are_counted_as_they_change(steps):
    conflicts = conflicts_of(cs.read(HARD))
    walk = metropolis.start(conflicts, seed=steps)
    found = metropolis.improve(conflicts, walk, 0.1, steps)
    fresh = metropolis.start_at(conflicts, walk.chosen, seed=0)
    assert (conflicts.owner[walk.chosen] == np.arange(81)).all()
    assert (walk.clashes == fresh.clashes).all()
    in_line = walk.line[: walk.length]
    assert sorted(in_line) == sorted(fresh.line[: fresh.length])
    assert (walk.place[in_line] == np.arange(len(in_line))).all()
    assert found == (len(in_line) == 0)


def test_in_the_cold_clashes_never_become_more():
    conflicts = conflicts_of(cs.Puzzle.blank(9))
    walk = metropolis.start(conflicts, seed=0)
    before = walk.clashes[walk.chosen].sum()
    for _ in range(100):
        metropolis.improve(conflicts, walk, 0.0, 10)
        clashes = walk.clashes[walk.chosen].sum()
        assert clashes <= before
        before = clashes
    assert before < 100


def test_without_a_choice_clashes_stay():
    builder = GraphBuilder()
    for name in "xy":
        builder.variable(name, [1])
    builder.factor(AllDifferent(("x", "y")))
    conflicts = pack(encode(builder.build()).conflicts)
    walk = metropolis.start(conflicts, seed=0)
    assert not metropolis.improve(conflicts, walk, 1.0, 100)
    assert walk.chosen.tolist() == [0, 1]


def test_without_a_clash_no_step_is_taken():
    builder = GraphBuilder()
    builder.variable("x", [1, 2])
    conflicts = pack(encode(builder.build()).conflicts)
    assert metropolis.improve(conflicts, metropolis.start(conflicts, seed=0), 1.0, 1)


@pytest.mark.parametrize("side", [4, 9, 25])
def test_a_guess_without_clashes_is_a_solution(side):
    puzzle = cs.Puzzle.blank(side)
    guess = next(filter(None, Guesses(encode(puzzle.graph)).turns(lambda: None)))
    assert cs.verify(puzzle, guess).ok


def test_equal_seeds_give_equal_walks_and_others_do_not():
    conflicts = conflicts_of(cs.read(HARD))
    walks = [metropolis.start(conflicts, seed) for seed in (3, 3, 4)]
    for walk in walks:
        metropolis.improve(conflicts, walk, 0.05, 100)
    first, second, other = [walk.chosen.tolist() for walk in walks]
    assert first == second != other


def test_one_who_pauses_may_give_up():
    def give_up():
        raise OutOfTime

    with pytest.raises(OutOfTime):
        next(Guesses(encode(cs.Puzzle.blank(4).graph)).turns(give_up))


def test_walks_of_equal_conflicts_are_equal(monkeypatch):
    """So a call gives the same solution, whatever was asked before."""
    monkeypatch.setattr(guesses, "_STEPS", 10)
    monkeypatch.setattr(guesses, "_STEPS_AT_ONCE", 5)
    encoded = encode(cs.Puzzle.blank(9).graph)
    one = Guesses(encoded)
    found = [list(islice(walk.turns(lambda: None), 1_000)) for walk in (one, one, Guesses(encoded))]
    assert any(found[0])
    assert found[0] == found[1] == found[2]


@pytest.fixture
def guided(monkeypatch):
    """Small puzzles are large, conflicts are soon too many, and who might guess is noted."""
    made = []
    begin = Guesses.__init__

    def noted(self, encoded):
        made.append(self)
        begin(self, encoded)

    monkeypatch.setattr(sat, "_LARGE", 0)
    monkeypatch.setattr(sat_session, "_FIRST_CONFLICTS", 1)
    monkeypatch.setattr(sat_session, "_MOST_CONFLICTS", 1)
    monkeypatch.setattr(sat_session, "_UNGUIDED_CONFLICTS", 10)
    monkeypatch.setattr(guesses, "_STEPS", 1_000)
    monkeypatch.setattr(guesses, "_STEPS_AT_ONCE", 500)
    monkeypatch.setattr(Guesses, "__init__", noted)
    return made


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
    solve_within = SatSession._solve_within

    def solve_late(self, conflicts, *query):
        # As if it took longer than to guess.
        return None if conflicts is not None else solve_within(self, conflicts, *query)

    monkeypatch.setattr(SatSession, "solve_quickly", lambda *of_it: None)
    monkeypatch.setattr(Guesses, "turns", lambda *of_it: iter([None, None, wanted]))
    monkeypatch.setattr(SatSession, "_solve_within", solve_late)
    with backends.get(f"sat:solver={solver}").compile(puzzle.graph) as session:
        assert next(session.solutions()) == wanted
    assert guided


def test_who_is_stopped_while_guessing_is_out_of_time(guided, monkeypatch):
    """The solver is asked no more, and the next query begins anew."""
    puzzle = cs.read(HARD)
    with backends.get("sat").compile(puzzle.graph) as session:

        def turns(self, pause):
            session.stop()
            pause()
            yield

        with monkeypatch.context() as patch:
            patch.setattr(Guesses, "turns", turns)
            query = session.solutions()
            assert next(query, None) is None
            assert query.out_of_time
        assert len(list(session.solutions())) == 1


def test_what_is_guessed_does_not_depend_on_what_was_asked_before(guided):
    """One given less than a single solution needs."""
    givens = dict(list(cs.read(HARD).givens.items())[1:])
    restrict = {cell: (value,) for cell, value in givens.items()}
    with backends.get("sat").compile(cs.Puzzle.blank(9).graph) as session:
        found = [next(session.solutions(asked)) for asked in (restrict, {}, restrict)]
    assert found[0] == found[2]
    assert guided
