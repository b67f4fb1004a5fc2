"""Marks in plain text: cages, and signs between cells that touch."""

from __future__ import annotations

from dataclasses import dataclass, field

from csp_sudoku.cells import Cell
from csp_sudoku.pictures.marks import Cage, Mark, marks_of
from csp_sudoku.pictures.signs import Chevron, Dot
from csp_sudoku.puzzle import Puzzle

Pair = tuple[Cell, Cell]


@dataclass(frozen=True)
class PlainMarks:
    """The marks around the cells of a drawing in text.

    Attributes
    ----------
    cages
        The numbers of the cages of each cell.
    labels
        The text at the first cell of a cage.
    signs
        The sign between two cells, the left or upper one first: ``o`` for a white dot, ``*`` for a
        black dot, ``<``, ``>``, ``^``, ``v``, ``!`` for different values, or a letter.
    """

    cages: dict[Cell, tuple[int, ...]] = field(default_factory=dict)
    labels: dict[Cell, str] = field(default_factory=dict)
    signs: dict[Pair, str] = field(default_factory=dict)


def plain_marks(puzzle: Puzzle) -> PlainMarks:
    """Return the marks of all rules of a puzzle that text can show.

    Examples
    --------
    >>> from csp_sudoku import KillerCage, Puzzle, Ratio
    >>> found = plain_marks(Puzzle.blank(4).add(KillerCage("R1C1", 3), Ratio("R1C2 R1C1", 2)))
    >>> found.labels, list(found.signs.values())
    ({R1C1: '3'}, ['*'])
    """
    found = PlainMarks()
    cages = 0
    for mark in (mark for rule in puzzle.constraints for mark in marks_of(rule, puzzle)):
        if isinstance(mark, Cage):
            for place in dict.fromkeys(mark.cells):
                found.cages[place] = (*found.cages.get(place, ()), cages)
            first = min(mark.cells)
            found.labels[first] = " ".join(filter(None, (found.labels.get(first), mark.text)))
            cages += 1
        elif (sign := _sign(mark)) is not None:
            found.signs.setdefault(*sign)
    return found


def _sign(mark: Mark) -> tuple[Pair, str] | None:
    match mark:
        case Dot():
            one, other = sorted((mark.first, mark.second))
            text = {"white": "o", "black": "*", "none": mark.text}[mark.ground]
            text = "!" if text == "≠" else text
        case Chevron():
            one, other = sorted((mark.greater, mark.smaller))
            text = "<>^v"[2 * (one.col == other.col) + (mark.greater == one)]
        case _:
            return None
    touch = (other.row - one.row, other.col - one.col) in ((0, 1), (1, 0))
    return ((one, other), text) if touch and len(text) == 1 else None
