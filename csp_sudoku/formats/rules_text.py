"""Rules that a document only tells people: its text speaks of them, and its constraints lack them.

Each rule says by which words a text speaks of it; see :class:`csp_sudoku.forms.Told`.
"""

from __future__ import annotations

import re

from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.formats.tables import rows_of
from csp_sudoku.forms import Told
from csp_sudoku.puzzle import Puzzle

_MAX_TEXT = 100_000
# Structures that no constraint here can express.
_BEYOND = (
    r"yin.?yang",
    r"chaos construction",
    r"galax(y|ies)",
    r"nurikabe",
    r"deconstruction",
    r"schr(ö|o)dinger",
    r"liars?\b",
)


def unexplained(text: str, puzzle: Puzzle) -> list[str]:
    """Sentences about rules that a text mentions and a puzzle does not have.

    Examples
    --------
    >>> unexplained("Anti-knight applies.", Puzzle.blank(4))
    ["the rules text says 'Anti-knight', but the puzzle has no such constraint"]
    """
    if not text:
        return []
    held = {type(constraint) for constraint in puzzle.constraints}
    seen: dict[int, tuple[str, bool]] = {}
    for pattern, kinds in _words(held).items():
        found = re.search(rf"(?:\b|anti-?)(?:{pattern})", text[:_MAX_TEXT], re.IGNORECASE)
        if found:
            known = any(issubclass(kind, tuple(kinds)) for kind in held)
            _, before = seen.get(found.start(), ("", False))
            seen[found.start()] = found[0], known or before
    return [
        f"the rules text says {word!r}, but the puzzle has no such constraint"
        for _, (word, known) in sorted(seen.items())
        if not known
    ]


def _words(held: set[type[Constraint]]) -> dict[str, list[type[Constraint]]]:
    """The patterns of words, and the rules that they may speak of."""
    words: dict[str, list[type[Constraint]]] = {pattern: [] for pattern in _BEYOND}
    for kind in {**dict.fromkeys(registry.built_in().values()), **dict.fromkeys(held)}:
        for row in rows_of(kind, Told.format):
            words.setdefault(str(row.key), []).append(kind)
    return words
