"""Rate puzzles: how hard is the hardest technique that a puzzle needs?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from csp_sudoku.errors import PuzzleError, UndecidedError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.running.deadlines import time_left
from csp_sudoku.solving.answers import limited
from csp_sudoku.solving.query import check_query
from csp_sudoku.strategies.explaining import Ending, Explanation, explain

if TYPE_CHECKING:
    from threading import Event


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is.

    Attributes
    ----------
    score
        The score of the hardest step; 0 if every cell is filled.
    hardest
        The technique of that step.
    counts
        The number of steps of each technique, from easy to hard.
    """

    score: float
    hardest: str
    counts: Mapping[str, int]
    left_out: tuple[str, ...] = ()
    """Rules of the puzzle's source that were not read; see `Puzzle.left_out`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", MappingProxyType(dict(self.counts)))

    def __reduce__(self) -> tuple[Any, ...]:  # a mappingproxy cannot be pickled
        return Rating, (self.score, self.hardest, dict(self.counts), self.left_out)

    def __str__(self) -> str:
        return limited(f"{self.score} ({self.hardest or 'nothing to do'})", self.left_out)


def rate(
    puzzle: object,
    *,
    uniqueness: bool = False,
    timeout: float | None = None,
    cancel: Event | None = None,
) -> Rating:
    """Rate a puzzle that has one solution.

    The scale is that of Sudoku Explainer, which is known from ratings of classic puzzles. Up to 5.4
    the numbers are the same. A pattern that it does not know has the score of the chains that it
    finds instead: a chain with groups, for example, is one of its region forcing chains. Long
    chains and forcing arguments score 0.1 more for each of the limits 4, 6, 8, 12, 16, 24 … that
    the number of their claims exceeds ("R1C1 = 5" and "R1C2 ≠ 5" are two claims).

    A puzzle has the score of its hardest step, if each round uses the easiest technique that
    applies. The score does not change if the puzzle is turned or mirrored, if its digits are
    relabelled, or if its rows and bands are permuted.

    On variants the score has the same meaning: how hard is the hardest step? Techniques for clues
    have the score of a classic technique that is equally hard. A proof scores by its length, which
    depends on what a solver learns: with a proof, the score is not exactly the same if the puzzle
    is turned.

    ======  ==================================================================================
    score   technique
    ======  ==================================================================================
    1.0     last cell of a house
    1.1     rule for a single cell
    1.2     hidden single in a block (cross-hatching)
    1.5     hidden single in a line (lone number)
    1.7     direct pointing; 1.9 direct claiming
    2.0     rule for a pair of cells (dots, inequalities)
    2.2     bounds (thermometers, arrows, sums)
    2.3     naked single
    2.4     cage combinations
    2.5     filtering by any other rule
    2.6     pointing; 2.8 claiming
    2.9     45 rule (innies and outies)
    3.0     naked pair; 3.6 triple; 5.0 quad; 5.6 five or more
    3.1     line arithmetic (combinations of a rule where cells that see each other differ)
    3.2     X-wing; 3.8 swordfish; 5.2 jellyfish; 5.7 larger fish
    3.3     common victims of all candidates of a cell, or of all places of a value
    3.4     hidden pair; 4.0 triple; 5.4 quad; 5.8 five or more
    4.2     XY-wing; 4.4 XYZ-wing
    4.5     unique rectangle; 4.7 avoidable rectangle; 5.6 BUG+1 (only if uniqueness is relied on)
    6.6     skyscraper, two-string kite, turbot fish, simple colouring, X-chain
    7.0     remote pair, W-wing, M-wing, split wing, XY-chain, nice loop, AIC
    7.5     empty rectangle
    7.6     finned and sashimi X-wing; 7.7 swordfish; 7.8 jellyfish
    8.2     nice loop and AIC with groups, Sue de Coq, WXYZ-wing, ALS-XZ; 8.3 ALS-XY-wing
    8.4     ALS chain, chains with almost locked sets, death blossom
    8.4     Franken and mutant fish (only by request)
    8.5     forcing chain and forcing cases
    9.0     nested forcing with pointing and claiming; 9.5 with chains; 10.0 with several chains at
            once; 10.5 with forcing chains
    9.9     proof by lemmas
    12.0    proof by a solver, of which only the rules and candidates are named
    ======  ==================================================================================

    Raises
    ------
    PuzzleError
        If there is no solution, or several.
    UndecidedError
        If time runs out.

    Examples
    --------
    >>> print(rate("0100 3001 4002 0040"))
    1.2 (hidden single in a block)
    """
    # Without what a solver has entered: this would make the puzzle easier.
    deadline = check_query(None, timeout, None, cancel).deadline()
    given = as_puzzle(puzzle, deadline)
    return rating_of(explain(given, uniqueness=uniqueness, **time_left(deadline)))


def rating_of(explanation: Explanation) -> Rating:
    """The rating of a puzzle, from its explanation."""
    if explanation.ending is Ending.OUT_OF_TIME:
        raise UndecidedError(explanation.remark)
    if not explanation.solved:
        raise PuzzleError(f"only a puzzle with one solution is rated: {explanation.remark}")
    steps = sorted(explanation.steps, key=lambda step: (step.score, step.technique))
    counts = Counter(step.technique for step in steps)
    hardest = steps[-1] if steps else None
    return Rating(
        hardest.score if hardest else 0.0,
        hardest.technique if hardest else "",
        counts,
        explanation.left_out,
    )
