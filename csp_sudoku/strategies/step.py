"""A step of an explanation: its technique, its conclusion, and a sentence with the reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from csp_sudoku.cells import Place
from csp_sudoku.solving.answers import limited

if TYPE_CHECKING:
    from csp_sudoku.puzzle import Puzzle


# The most characters of a summary.
_SHORT = 300


@dataclass(frozen=True)
class Step:
    """A conclusion, with a reason that a person can follow.

    Attributes
    ----------
    technique
        Its name, such as ``naked pair``; see :data:`csp_sudoku.strategies.TECHNIQUES`.
    score
        How hard it is on the scale of :func:`csp_sudoku.rate`.
    cells
        The places that the reason uses.
    placements
        The values that are placed: pairs of a place and a value.
    eliminations
        The candidates that are excluded: pairs of a place and a value.
    sentence
        The reason and the conclusion, in full.
    summary
        The same in at most 300 characters; a long argument is only named.
    relies_on_uniqueness
        Whether the step holds only if the puzzle has one solution.
    rules
        The constraints that the reason uses, besides houses.
    puzzle
        What it is a step of, where it was asked for by itself: in a notebook it is drawn there.
    """

    technique: str
    score: float
    cells: tuple[Place, ...]
    sentence: str
    placements: tuple[tuple[Place, int], ...] = ()
    eliminations: tuple[tuple[Place, int], ...] = ()
    relies_on_uniqueness: bool = False
    rules: tuple[Any, ...] = ()
    puzzle: Puzzle | None = field(default=None, repr=False, compare=False)
    summary: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "summary", abridged(self.summary or self.sentence))

    @property
    def left_out(self) -> tuple[str, ...]:
        """Rules of the puzzle's source that were not read; see :attr:`Puzzle.left_out`."""
        return () if self.puzzle is None else self.puzzle.left_out

    @property
    def conclusions(self) -> frozenset[tuple[Place, int, bool]]:
        """What it says: a place, a value, and whether the value is right."""
        return frozenset(
            [(place, value, True) for place, value in self.placements]
            + [(place, value, False) for place, value in self.eliminations]
        )

    def __str__(self) -> str:
        return limited(f"{self.technique}: {self.summary}", self.left_out)

    def _repr_svg_(self) -> str | None:
        """The picture that notebooks show."""
        if self.puzzle is None:
            return None
        from csp_sudoku.pictures.render import step_svg

        return step_svg(self, self.puzzle)


def is_long(sentence: str) -> bool:
    """Whether a sentence is too long for a summary."""
    return len(sentence) > _SHORT


def abridged(sentence: str, more: int = 0) -> str:
    """Return the first parts of a sentence, if all of them are too long for a summary.

    With `more`, so many characters follow it; at least a third of the room is for the sentence.

    Examples
    --------
    >>> abridged("R1C1 is 4"), abridged("; ".join(["R1C1 is not 4"] * 40))[-30:]
    ('R1C1 is 4', ' 4; R1C1 is not 4; … (22 more)')
    """
    room = max(_SHORT - more, _SHORT // 3)
    if len(sentence) <= room:
        return sentence
    parts = sentence.split("; ")
    kept = parts[0][: room - 20]
    for number, part in enumerate(parts[1:], 1):
        if len(kept) + len(part) + 20 > room:
            return f"{kept}; … ({len(parts) - number} more)"
        kept = f"{kept}; {part}"
    return f"{kept} …"
