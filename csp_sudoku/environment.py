"""A Gymnasium environment: puzzles as a task for learning agents (extra ``csp-sudoku[gym]``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from csp_sudoku.cells import Cell, Place, cell
from csp_sudoku.checking.verify import Violation
from csp_sudoku.errors import BackendError, PuzzleError
from csp_sudoku.formats import describe
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.game import Game
from csp_sudoku.generating import generate
from csp_sudoku.puzzle import Puzzle

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise BackendError(
        "an environment needs the package gymnasium: pip install 'csp-sudoku[gym]'"
    ) from None

REWARDS = ("rules", "solvable")


class SudokuEnv(gymnasium.Env[Any, Any]):  # type: ignore[misc, unused-ignore]
    """Fill a grid, one value a move.

    The observation is a dictionary of two arrays, row by row: ``grid`` has the number of the value
    of each cell, counted from 1, and 0 for an empty cell; ``given`` is 1 for a given. An action is
    a number: ``cell * values + value``, both counted from 0. `info` has the same as text
    (``text``; ``prompt`` at the start, with the rules in words), the legal actions (``legal``) and
    the broken rules in sentences (``broken``). The solution is never shown.

    Parameters
    ----------
    puzzles
        The puzzles to draw from, all of one shape. By default they are generated.
    rules
        The side of a plain grid or a puzzle, to generate from.
    reward
        ``rules``: 1 for the last move of a solution, -1 for a move that breaks a rule at once or
        that is not possible, else 0. ``solvable``: as each move leaves a solution or not, 1 / n or
        -1, where n is the number of open cells at the start.
    ends
        Whether an episode ends with the first move that breaks a rule (or, with the reward
        ``solvable``, that leaves no solution). Else the value stays, and may be replaced.
    moves
        How many moves an episode has at most; by default three for each open cell.
    wishes
        What :func:`csp_sudoku.generate` takes, such as ``minimal`` or ``difficulty``.

    Examples
    --------
    >>> env = SudokuEnv(puzzles=["0100300140020040"])
    >>> observation, info = env.reset(seed=1)
    >>> observation["grid"][0].tolist(), info["text"]
    ([0, 1, 0, 0], '.1..3..14..2..4.')
    >>> _, reward, done, _, info = env.step(env.action("R1C1", 4))
    >>> reward, done, info["broken"]
    (-1.0, True, ['column 1: R1C1 and R3C1 both hold 4'])
    """

    # As Gymnasium has it; it also wants to know how many pictures there are in a second.
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        puzzles: Sequence[object] = (),
        *,
        rules: object = 9,
        reward: str = "rules",
        ends: bool = True,
        moves: int | None = None,
        render_mode: str | None = None,
        **wishes: Any,
    ) -> None:
        if reward not in REWARDS:
            raise PuzzleError(f"reward {reward!r}: must be one of {', '.join(REWARDS)}")
        self._puzzles = [as_puzzle(puzzle) for puzzle in puzzles]
        self._rules, self._wishes = rules, wishes
        self._reward, self._ends, self._most = reward, ends, moves
        self.render_mode = render_mode
        first = self._puzzles[0] if self._puzzles else generate(rules, seed=0, **wishes).puzzle
        if len(first.grids) > 1 or len(first.variables) > len(first.cells):
            raise PuzzleError("an environment needs one grid, without further variables")
        self._grid = first.grids[0]
        for puzzle in self._puzzles:
            if puzzle.grids != first.grids:
                raise PuzzleError("the puzzles of an environment must have the same shape")
        self._cells, self._column = first.cells, first.columns
        self._number = {value: i for i, value in enumerate(self._grid.values)}
        shape, most = (self._grid.rows, self._grid.columns), len(self._grid.values)
        self.observation_space = spaces.Dict(
            {
                "grid": spaces.Box(0, most, shape, np.int16),
                "given": spaces.MultiBinary(shape),
            }
        )
        self.action_space = spaces.Discrete(len(self._cells) * most)
        #: The game of this episode.
        self.game = Game(first)
        self._open, self._left = len(self.game.open), 0

    def action(self, place: str | Place, value: int) -> int:
        """Return the number of an action."""
        return self._column[cell(place)] * len(self._number) + self._number[value]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode; the seed fixes the puzzle, also those of later episodes."""
        super().reset(seed=seed)
        self.game = Game(self._draw())
        self._open = len(self.game.open)
        self._left = 3 * self._open if self._most is None else self._most
        info = self._info(self.game.broken)
        return self._observation(), {**info, "prompt": describe(self.game.puzzle)}

    def _draw(self) -> Puzzle:
        number = int(self.np_random.integers(2**31))
        if self._puzzles:
            return self._puzzles[number % len(self._puzzles)]
        return generate(self._rules, seed=number, **self._wishes).puzzle

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Make a move."""
        number, value = divmod(int(action), len(self._number))
        place = self._cells[number]
        self._left -= 1
        is_given = place in self.game.puzzle.givens
        if not is_given:
            self.game.place(place, self._grid.values[value])
        broken = self.game.broken
        done = not (broken or self.game.open)
        reward, wrong = (-1.0, False) if is_given else self._judged(place, broken, done)
        ended = done or (wrong and self._ends)
        truncated = not ended and self._left <= 0
        return self._observation(), reward, ended, truncated, self._info(broken)

    def _judged(self, place: Cell, broken: Sequence[Violation], done: bool) -> tuple[float, bool]:
        """Return the reward of a move that was made, and whether it is wrong."""
        if self._reward == "solvable":
            wrong = self.game.solvable() is False
            return (-1.0 if wrong else 1.0 / max(1, self._open)), wrong
        wrong = any(place in violation.cells for violation in broken)
        return (-1.0 if wrong else float(done)), wrong

    def _observation(self) -> dict[str, Any]:
        values, shape = self.game.values, (self._grid.rows, self._grid.columns)
        numbers = [self._number[values[c]] + 1 if c in values else 0 for c in self._cells]
        given = [c in self.game.puzzle.givens for c in self._cells]
        return {
            "grid": np.array(numbers, np.int16).reshape(shape),
            "given": np.array(given, np.int8).reshape(shape),
        }

    def _info(self, broken: Sequence[Violation]) -> dict[str, Any]:
        legal = np.zeros(len(self._cells) * len(self._number), np.int8)
        column, number = self._column, self._number
        legal[[column[p] * len(number) + number[v] for p, v in self.game.moves()]] = 1
        said = [str(violation) for violation in broken]
        return {"text": self.game.text, "legal": legal, "broken": said}

    def render(self) -> str | None:  # type: ignore[override, unused-ignore]
        """Return the grid as text, in the mode ``ansi``."""
        from csp_sudoku.formats import write_text

        if self.render_mode != "ansi":
            return None
        shown = self.game.puzzle.without_givens().with_givens(self.game.values)
        return write_text(shown, form="frame")
