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

    ==========  ==============================================================================
    score       technique
    ==========  ==============================================================================
    1.0 to 2.3  singles, direct pointing and claiming, rules for one or two cells, bounds
    2.4 to 3.4  cages and other rules, 45 rule, pointing and claiming, pairs, X-wings
    3.6 to 5.8  triples, quads and larger subsets, larger fish, XY-wings and XYZ-wings
    6.6 to 7.8  chains of cells and houses, patterns of one value, finned and sashimi fish
    8.2 to 8.4  chains with groups and with almost locked sets, Sue de Coq, death blossom
    8.5         forcing chains and forcing cases
    9.0         nested forcing with pointing and claiming; 9.5 with chains; 10.0 with several
                chains at once; 10.5 with forcing chains
    9.9         proofs by lemmas
    12.0        proofs by a solver, of which only the rules and candidates are named
    ==========  ==============================================================================

    :data:`csp_sudoku.strategies.TECHNIQUES` lists each technique with its score.

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
