"""What every answer about a puzzle says besides: which rules were left out when it was read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from csp_sudoku.errors import UndecidedError

if TYPE_CHECKING:
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.solving.results import Count, Result

BY_THE_RULES_READ = " by the rules that were read"
"""How a verdict ends that knows only some of the rules, in texts and in JSON."""


def limited(verdict: str, left_out: Sequence[str]) -> str:
    """Return a verdict; if rules were left out, it says that it holds by those that were read.

    Examples
    --------
    >>> limited("correct", ()), limited("correct", ["fog"])
    ('correct', 'correct by the rules that were read')
    """
    return verdict + BY_THE_RULES_READ if left_out else verdict


def refuse_left_out(known: Puzzle | Result | Count) -> None:
    """Refuse to answer with yes, no or a bare number: that cannot say that rules were left out."""
    if known.left_out:
        raise UndecidedError(
            f"rules of the puzzle were left out, so this is not known: {'; '.join(known.left_out)}"
        )


class AboutPuzzle:
    """An answer that holds its puzzle."""

    puzzle: Puzzle

    @property
    def left_out(self) -> tuple[str, ...]:
        """Rules of the puzzle's source that were not read; see :attr:`Puzzle.left_out`."""
        return self.puzzle.left_out

    def limited(self, verdict: str) -> str:
        """Return a verdict on the puzzle; it says so if rules were left out."""
        return limited(verdict, self.left_out)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.puzzle!r}: {self}>"
