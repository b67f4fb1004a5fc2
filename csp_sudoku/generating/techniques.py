"""Wishes for techniques: puzzles that a person solves in a certain way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_sudoku.errors import PuzzleError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import time_left

if TYPE_CHECKING:
    from csp_sudoku.strategies import Rating


@dataclass(frozen=True)
class TechniqueWish:
    """The names of techniques that a puzzle is to use, to have as its hardest, and to need.

    Examples
    --------
    >>> TechniqueWish.read("w wing", None, "naked-single")
    TechniqueWish(used='W-wing', hardest='', needed='naked single')
    """

    used: str
    hardest: str
    needed: str

    @classmethod
    def read(cls, *names: str | None) -> TechniqueWish:
        """Look up the names; "" stands for no wish."""
        return cls(*["" if name is None else _name(name) for name in names])

    def __bool__(self) -> bool:
        return bool(self.used or self.hardest or self.needed)

    def missing(self, puzzle: Puzzle, rating: Rating, deadline: float | None) -> list[str]:
        """Return which of the wishes a puzzle of this rating does not grant, in sentences."""
        found = []
        if self.used and self.used not in rating.counts:
            found.append(f"its steps do not use {self.used}")
        if self.hardest and self.hardest != rating.hardest:
            found.append(f"its hardest technique is {rating.hardest}, not {self.hardest}")
        if self.needed and not self._is_needed(puzzle, rating, deadline):
            found.append(f"it does not need {self.needed}")
        return found

    def _is_needed(self, puzzle: Puzzle, rating: Rating, deadline: float | None) -> bool:
        """Whether the puzzle is not solved without this technique by those up to its rating."""
        from csp_sudoku.strategies import Ending, explain
        from csp_sudoku.strategies.rounds import chosen

        if self.needed not in rating.counts:
            return False
        others = [t.name for t in chosen(hardest=rating.score) if t.name != self.needed]
        return (
            not others or explain(puzzle, only=others, **time_left(deadline)).ending is Ending.STUCK
        )


def _name(name: str) -> str:
    """Return the name of a technique as it is listed."""
    from csp_sudoku.strategies.rounds import chosen, named

    [technique] = named([name])
    if technique not in chosen():
        raise PuzzleError(
            f"{technique.name}: explanations use it only if it is asked for, so no puzzle needs it"
        )
    return technique.name
