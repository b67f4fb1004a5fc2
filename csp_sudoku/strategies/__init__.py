"""Pencil-and-paper techniques on the constraint graph: hints, explanations and ratings.

From the rules to a position: ``network`` places, houses and which places see each other · ``clues``
all other rules · ``filters`` which values a factor allows · ``position`` the candidates that are
left · ``step`` a conclusion with its sentence · ``bits`` sets as whole numbers.

Techniques, each a function of a position: ``singles`` · ``intersections`` · ``subsets`` and
``fish`` (both use ``tight`` sets) · ``wings`` · ``uniqueness`` · ``colouring`` · ``short_chains``,
``chains`` and ``almost_locked`` (all made of ``links``) · ``forcing`` (``assumptions`` finds what
follows from many candidates at once, ``nets`` chains within assumptions, ``probe`` tells what
follows from one) · ``clue_steps``, ``connection_steps``, ``polarity`` and ``totals`` for variants.
``techniques`` lists them all.

``rounds`` applies the techniques · ``oracle`` finds what they do not, by the lemmas of ``proofs`` ·
``pruning`` drops steps that no other needs · ``explaining`` and ``rating`` are called by users.
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
