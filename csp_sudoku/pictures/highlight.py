"""Highlights of a picture: cells, the step of a solver, broken rules."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from csp_sudoku.cells import Cell, cells
from csp_sudoku.checking.verify import Verification, Violation
from csp_sudoku.errors import PuzzleError
from csp_sudoku.puzzle import Puzzle


@dataclass(frozen=True)
class Highlight:
    """Cells to look at, eliminated candidates, placed values and cells that break a rule."""

    cells: frozenset[Cell] = frozenset()
    eliminated: frozenset[tuple[Cell, int]] = frozenset()
    placed: Mapping[Cell, int] = field(default_factory=dict)
    broken: frozenset[Cell] = frozenset()


def highlight_of(thing: Any, puzzle: Puzzle) -> Highlight:
    """Read a highlight.

    Parameters
    ----------
    thing
        Cells in any form; a step with ``cells``, ``eliminations`` (pairs of a cell and a value)
        and ``placements`` (the same, or a mapping); a :class:`~csp_sudoku.Violation`, several of
        them, or a whole :class:`~csp_sudoku.Verification`; a highlight; None for none.

    Examples
    --------
    >>> sorted(map(str, highlight_of("R1C1-R1C2", Puzzle.blank(4)).cells))
    ['R1C1', 'R1C2']
    """
    if thing is None or isinstance(thing, Highlight):
        return thing or Highlight()
    if isinstance(thing, Verification):
        thing = thing.violations
    elif isinstance(thing, Violation):
        thing = (thing,)
    elif hasattr(thing, "cells"):
        return Highlight(
            _known(thing.cells, puzzle),
            frozenset(_pairs(getattr(thing, "eliminations", ()))),
            dict(_pairs(getattr(thing, "placements", ()))),
        )
    if not isinstance(thing, str | Cell):
        if not isinstance(thing, Iterable):
            shown = reprlib.repr(thing)
            raise PuzzleError(f"highlight {shown}: must be cells, a step or a violation")
        thing = tuple(thing)
        if thing and all(isinstance(part, Violation) for part in thing):
            places = [place for part in thing for place in part.cells]
            return Highlight(broken=_known(places, puzzle))
    return Highlight(_known(cells(thing), puzzle))


def _known(places: Iterable[Any], puzzle: Puzzle) -> frozenset[Cell]:
    """Return the cells among some places; refuse a place that the puzzle does not have."""
    for place in places:
        if not puzzle.has(place):
            raise PuzzleError(f"highlight: {puzzle.no_such_place(place)}")
    return frozenset(place for place in places if isinstance(place, Cell))


def _pairs(said: Any) -> Iterable[tuple[Cell, int]]:
    pairs = said.items() if isinstance(said, Mapping) else said
    return ((place, value) for place, value in pairs if isinstance(place, Cell))
