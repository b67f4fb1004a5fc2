"""Rules that a document only tells people: what its text mentions and its constraints lack."""

from __future__ import annotations

import re
from collections.abc import Iterator

from csp_sudoku import constraints as rules
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.puzzle import Puzzle

_MAX_TEXT = 100_000

_DOTS = (rules.Difference, rules.Ratio, rules.NegativeKropki)
_CAGES = (
    rules.KillerCage,
    rules.MultiSumCage,
    rules.Sum,
    rules.AllDifferent,
    rules.RellikCage,
    rules.EqualityCage,
    rules.Lunchbox,
    rules.LookAndSay,
)
_ARROWS = (rules.Arrow, rules.PillArrow, rules.DoubleArrow, rules.AverageArrow)
# A word of the text, and the constraints of which one is to be expected then.
_WORDS: dict[str, tuple[type[Constraint], ...]] = {
    r"knightmare": (rules.Knightmare,),
    r"knight('?s)?\b": (rules.AntiKnight, rules.Knightmare, rules.ChessOffset),
    r"anti-?king\b|\bking('?s)?\b": (rules.AntiKing, rules.ChessOffset),
    r"queen": (rules.Queen,),
    r"non-?consecutive": (rules.Nonconsecutive, rules.NegativeKropki, rules.DiagonalNonconsecutive),
    r"kropki|(white|black) dots?\b": _DOTS,
    r"xv\b": (rules.PairSum, rules.NegativeXV),
    r"disjoint": (rules.DisjointGroups, rules.AllDifferent),
    r"windoku": (rules.Windoku, rules.AllDifferent),
    r"taxicab": (rules.Taxicab, rules.SelfTaxicab),
    r"entrop(y|ic)": (rules.Entropic, rules.GlobalEntropy),
    r"modular|modulo": (rules.Modular, rules.GlobalModulo),
    r"whispers?\b": (rules.Whisper,),
    r"renban": (rules.Renban,),
    r"nabner": (rules.Nabner,),
    r"thermo": (rules.Thermometer, rules.SlowThermometer),
    r"palindrom": (rules.Palindrome,),
    r"zipper": (rules.Zipper,),
    r"region sum": (rules.RegionSum,),
    r"between lines?\b": (rules.Between,),
    r"lockout": (rules.Lockout,),
    r"arrows?\b": (*_ARROWS, rules.LittleKiller, rules.Maximum, rules.Minimum),
    r"cages?\b|killer (cage|sudoku|rule)": _CAGES,
    r"little killer": (rules.LittleKiller,),
    r"sandwich": (rules.Sandwich,),
    r"skyscraper": (rules.Skyscraper, rules.HiddenSkyscraper),
    r"x-?sums?\b": (rules.XSum,),
    r"numbered rooms?\b": (rules.NumberedRoom,),
    r"quad(ruple)?s?\b": (rules.Quadruple,),
    r"clones?\b": (rules.Clone, rules.Equal),
    r"index": (rules.RowIndexing, rules.ColumnIndexing, rules.BoxIndexing),
    r"counting circles": (rules.CountingCircles,),
    r"doublers?\b": (rules.Doublers,),
    r"negators?\b": (rules.Negators,),
    r"magic square": (rules.MagicSquare,),
    # Structures that no constraint here can express.
    r"yin.?yang": (),
    r"chaos construction": (),
    r"galax(y|ies)": (),
    r"nurikabe": (),
    r"\bloops?\b": (rules.SumLine,),
    r"deconstruction": (),
    r"schr(ö|o)dinger": (),
    r"liars?\b": (),
}


def unexplained(text: str, puzzle: Puzzle) -> Iterator[str]:
    """Sentences about rules that a text mentions and a puzzle does not have.

    Examples
    --------
    >>> list(unexplained("Anti-knight applies.", Puzzle.blank(4)))
    ["the rules text says 'Anti-knight', but the puzzle has no such constraint"]
    """
    held = tuple({type(constraint) for constraint in puzzle.constraints})
    seen: list[re.Match[str]] = []
    for pattern, kinds in _WORDS.items():
        found = re.search(rf"(?:\b|anti-?)(?:{pattern})", text[:_MAX_TEXT], re.IGNORECASE)
        if found and not any(found.start() == other.start() for other in seen):
            seen.append(found)
            if not any(issubclass(kind, kinds) for kind in held):
                yield f"the rules text says {found[0]!r}, but the puzzle has no such constraint"
