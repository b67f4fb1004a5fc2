"""Pencil and paper: techniques on the constraint graph, hints, explanations and ratings.

From the rules to a position: ``network`` places, houses and who sees whom · ``clues`` the other
rules, one by one · ``filters`` what a factor leaves · ``position`` the candidates that are left ·
``step`` a conclusion with its sentence.

Techniques, each a function of a position: ``singles`` · ``intersections`` · ``subsets`` and
``fish`` (both on ``tight`` sets) · ``wings`` · ``uniqueness`` · ``colouring`` · ``chains`` ·
``forcing`` (on ``probe``) · ``clue_steps`` and ``totals`` for variants; ``techniques`` is the list
of all.

``rounds`` applies them · ``oracle`` knows what is false and proves it · ``explaining`` and
``rating`` are what a user calls.
"""

from csp_sudoku.strategies.explaining import Ending, Explanation, explain, hint
from csp_sudoku.strategies.rating import Rating, rate, rating_of
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.techniques import TECHNIQUES, Technique

__all__ = [
    "TECHNIQUES",
    "Ending",
    "Explanation",
    "Rating",
    "Step",
    "Technique",
    "explain",
    "hint",
    "rate",
    "rating_of",
]
