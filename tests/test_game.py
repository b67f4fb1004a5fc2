"""A game: moves and their undoing, what is broken, and nothing of the solution unless asked."""

from __future__ import annotations

import pickle
from random import Random

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry
from csp_sudoku.errors import PuzzleError
from csp_sudoku.solving import solve as solving

TEXT = "0100300140020040"
SOLVED = "2134342143121243"


def test_moves_and_undo():
    game = cs.Game(TEXT)
    start = game.copy()
    game.place("R1C1", 2)
    game.place("R1C1", 4)
    game.mark("R1C3", [3, 1])
    game.remove("R1C1")
    assert (dict(game.entered), game.marks[cs.Cell(0, 2)]) == ({}, (1, 3))
    seen = []
    while game.undo():
        seen.append(game.text[0])
    assert seen == ["4", "4", "2", "."]
    assert game == start
    assert not game.undo()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda game: game.place("R1C2", 3), "R1C2 is given: it cannot be changed"),
        (lambda game: game.place("R9C9", 3), "R9C9 is outside the 4×4 grid"),
        (lambda game: game.place("R1C1", 5), "R1C1: 5 is not a value of this place (1 2 3 4)"),
        (lambda game: game.place("R1C1", "x"), "R1C1: 'x' is not a value"),
        (lambda game: game.remove("R1C1"), "R1C1 is empty"),
        (lambda game: game.mark("R1C1", [7]), "R1C1: 7 is not a value"),
    ],
)
def test_moves_that_are_refused_change_nothing(call, message):
    game = cs.Game(TEXT)
    with pytest.raises(PuzzleError) as refused:
        call(game)
    assert message in str(refused.value)
    assert game == cs.Game(TEXT)


def test_played_to_the_end():
    game = cs.Game(TEXT)
    puzzle = game.puzzle
    for place, value in zip(puzzle.cells, SOLVED, strict=True):
        if place not in puzzle.givens:
            assert not game.done
            assert int(value) in game.legal(place)
            game.place(place, int(value))
    assert game.done
    assert (game.text, game.open, game.moves(), game.hint()) == (SOLVED, (), (), None)
    game.place("R1C1", 4)
    assert not game.done
    assert game.broken[0].cells == (cs.Cell(0, 0), cs.Cell(0, 3))


def test_what_a_solver_knows():
    game = cs.Game(TEXT)
    assert game.solvable()
    game.place("R1C4", 3)  # it breaks no rule, but no solution has it
    assert game.broken == ()
    assert game.solvable() is False
    assert game.solution() is None
    assert game.hint().technique == "wrong entry"
    game.undo()
    assert game.solution().text == SOLVED
    assert game.hint().technique == "last cell" or game.hint().conclusions


def test_nobody_asks_a_solver_before(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a solver was asked")

    monkeypatch.setattr(solving, "solve", refuse)
    game = cs.Game(TEXT)
    game.place("R1C1", 2)
    assert game.moves()
    assert not game.done
    assert "solution" not in repr(vars(game))


def test_copies_and_pickles():
    game = cs.Game(TEXT)
    game.place("R1C1", 2)
    other = game.copy()
    other.place("R1C3", 3)
    assert len(game.entered) == 1
    for _ in range(3000):  # deeper than a recursion could go
        other.place("R1C3", 3)
    again = pickle.loads(pickle.dumps(other))
    assert again == other
    assert again.undo()
    assert again == other
    assert again.text == other.text


@pytest.mark.parametrize("name", registry.built_in())
def test_the_moves_of_a_solution_are_legal(name):
    """For every rule: no value of a solution is ever called illegal on the way to it."""
    for example in registry.built_in()[name].examples()[:2]:
        try:
            puzzle = cs.Puzzle.blank(4).add(example)
            found = cs.solve(puzzle, timeout=20)
        except (cs.ConstraintError, cs.PuzzleError, cs.BudgetError):
            continue
        if not found.solutions:
            continue
        solution = found.solutions[0]
        game = cs.Game(puzzle)
        for place in Random(name).sample(puzzle.variables, len(puzzle.variables)):
            assert solution[place] in game.legal(place), (example, place)
            game.place(place, solution[place])
        assert game.done


def test_other_shapes():
    puzzle = cs.Puzzle.blank(2, 12, box=None, values=range(12)).with_givens({"R1C1": 11})
    game = cs.Game(puzzle)
    game.place("R1C2", 0)
    assert game.text.split()[:3] == ["11", "0", "."]
    assert 0 not in game.legal("R2C2")
    assert 11 in game.legal("R2C2")
