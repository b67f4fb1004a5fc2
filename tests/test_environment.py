"""The Gymnasium environment: it keeps the contract, and the same seed gives the same episode."""

from __future__ import annotations

import numpy as np
import pytest

import csp_sudoku as cs
from csp_sudoku.errors import PuzzleError

pytest.importorskip("gymnasium")
from csp_sudoku.environment import SudokuEnv

TEXT = "0100300140020040"
SOLVED = "2134342143121243"


@pytest.mark.parametrize("wishes", [{"minimal": True, "ends": False}, {"reward": "solvable"}])
def test_gymnasium_accepts_it(wishes):
    """Its checker has not even a warning."""
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    name = "csp_sudoku/Sudoku-v0"
    gymnasium.register(name, SudokuEnv)
    try:
        check_env(gymnasium.make(name, rules=4, **wishes).unwrapped)
    finally:
        del gymnasium.registry[name]


@pytest.mark.parametrize("reward", ["rules", "solvable"])
def test_a_solution_earns_one(reward):
    env = SudokuEnv([TEXT], reward=reward)
    _, info = env.reset(seed=1)
    assert cs.read(info["prompt"]) == cs.read(TEXT)
    total, ended = 0.0, False
    for i, value in enumerate(SOLVED):
        if TEXT[i] == "0":
            observation, gained, ended, truncated, info = env.step(i * 4 + int(value) - 1)
            total += gained
    assert (ended, truncated, info["text"], info["broken"]) == (True, False, SOLVED, [])
    assert total == pytest.approx(1.0)
    assert observation["grid"].ravel().tolist() == [int(value) for value in SOLVED]
    assert observation["given"].sum() == 6


def test_wrong_moves():
    env = SudokuEnv([TEXT], reward="solvable")
    env.reset()
    assert env.step(env.action("R1C4", 3))[1:4] == (-1.0, True, False)
    env = SudokuEnv([TEXT], ends=False, moves=2)
    env.reset()
    assert env.step(env.action("R1C2", 3))[1:4] == (-1.0, False, False)  # a given
    assert env.step(env.action("R1C1", 1))[1:4] == (-1.0, False, True)  # the last move


def test_the_same_seed_gives_the_same_episodes():
    def episode(seed):
        env = SudokuEnv(rules=4)
        texts = []
        for attempt in range(3):
            observation, info = env.reset(seed=seed if attempt == 0 else None)
            chance = np.random.default_rng(0)
            for _ in range(3):
                action = chance.choice(np.flatnonzero(info["legal"]))
                observation, *_, info = env.step(action)
            texts.append((info["text"], observation["grid"].tolist()))
        return texts

    assert episode(5) == episode(5) != episode(6)


def test_legal_actions_are_those_of_the_game():
    env = SudokuEnv([TEXT])
    _, info = env.reset()
    assert {env.action(*move) for move in env.game.moves()} == {*np.flatnonzero(info["legal"])}


def test_text():
    env = SudokuEnv([TEXT], render_mode="ansi")
    env.reset()
    assert env.render().splitlines()[1] == "| . 1 | . . |"


def test_refused():
    with pytest.raises(PuzzleError, match="reward 'gold': must be one of rules, solvable"):
        SudokuEnv([TEXT], reward="gold")
    with pytest.raises(PuzzleError, match="the same shape"):
        SudokuEnv([TEXT, "." * 81])
    with pytest.raises(PuzzleError, match="one grid, without further variables"):
        SudokuEnv([cs.Puzzle.blank(4).with_named("x", range(3))])
