"""The smallest puzzle on which solvers still disagree, and a file that shows it.

Delta debugging (Zeller & Hildebrandt, "Simplifying and isolating failure-inducing input", 2002):
leave out constraints, houses, rows, columns, values and givens, in halves, then smaller parts, then
one by one, as long as the same solver is still wrong; until nothing can be left out. It begins with
the one grid that shows the fault, so that every step takes next to no time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from csp_sudoku.constraints import Table
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.crosscheck.agreement import Agreement
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import read, write_json
from csp_sudoku.puzzle import Puzzle

DEFAULT_SECONDS = 60.0

# With few givens there are many solutions; what does not show in these few is not looked for.
_LIMIT = 10
_SECONDS = 5.0

# A rule that holds a function is written as a table, if that has at most so many rows to try.
_COMBINATIONS = 100_000


def shrink(agreement: Agreement, *, seconds: float = DEFAULT_SECONDS) -> Agreement:
    """The cross-check of the smallest puzzle found on which the same solvers are still wrong.

    Within the time; an agreement without disagreement is given back as it is.
    """
    wrong = {disagreement.name for disagreement in agreement.disagreements}
    if not wrong:
        return agreement
    search = _Search(agreement, wrong, time.monotonic() + seconds)
    _pin(search)
    before = None
    while before is not search.best.puzzle:
        before = search.best.puzzle
        for step in (_constraints, _houses, _sides, _values, _named, _givens):
            step(search)
    return search.best


class _Search:
    """The smallest disagreement so far."""

    def __init__(self, start: Agreement, wrong: set[str], deadline: float) -> None:
        self.best = start
        self._wrong = wrong
        self._deadline = deadline

    @property
    def puzzle(self) -> Puzzle:
        return self.best.puzzle

    def accept(self, make: Callable[..., Puzzle], *arguments: Any) -> bool:
        """Make a smaller puzzle, and take it if it is one and they still disagree."""
        if time.monotonic() > self._deadline:
            return False
        try:
            found = self.best.again(make(self.puzzle, *arguments), limit=_LIMIT, timeout=_SECONDS)
        except CspSudokuError:
            return False  # what is left is no puzzle
        if self._wrong.isdisjoint(disagreement.name for disagreement in found.disagreements):
            return False
        self.best = found
        return True

    def reduce(self, kept: tuple[Any, ...], make: Callable[..., Puzzle], *arguments: Any) -> None:
        """Leave out as many items as can be: all, halves, quarters, and one by one."""
        size = len(kept)
        while size:
            start = 0
            while start < len(kept):
                fewer = kept[:start] + kept[start + size :]
                if self.accept(make, fewer, *arguments):
                    kept = fewer
                else:
                    start += size
            size = min(size // 2, len(kept))


def _pin(search: _Search) -> None:
    """Give every cell of the evidence: then whatever else is left out, only that grid is left."""
    evidence = search.best.disagreements[0].evidence
    if evidence is not None:
        search.accept(lambda p: p.with_givens(evidence))


def _constraints(search: _Search) -> None:
    search.reduce(search.puzzle.constraints, lambda p, kept: replace(p, constraints=kept))


def _givens(search: _Search) -> None:
    search.reduce(search.puzzle.candidates, lambda p, kept: replace(p, candidates=kept))


def _named(search: _Search) -> None:
    search.reduce(search.puzzle.named, lambda p, kept: replace(p, named=kept))


def _houses(search: _Search) -> None:
    for number, grid in enumerate(search.puzzle.grids):
        if grid.boxes:
            search.accept(_changed, number, {"box": None, "regions": ()})
        for houses in ("row_houses", "column_houses"):
            if getattr(grid, houses):
                search.accept(_changed, number, {houses: False})


def _values(search: _Search) -> None:
    for number, grid in enumerate(search.puzzle.grids):
        search.reduce(grid.values, lambda p, kept, n: _changed(p, n, {"values": kept}), number)


def _sides(search: _Search) -> None:
    """Cut off rows at the bottom and columns at the right."""
    for number in range(len(search.puzzle.grids)):
        for side in ("rows", "columns"):
            while search.accept(_cut, number, side):
                pass


def _cut(puzzle: Puzzle, number: int, side: str) -> Puzzle:
    return _changed(puzzle, number, {side: getattr(puzzle.grids[number], side) - 1})


def _changed(puzzle: Puzzle, number: int, change: dict[str, Any]) -> Puzzle:
    """The puzzle with another grid, without the givens that have no place in it any more."""
    grid = replace(puzzle.grids[number], **change)
    grids = (*puzzle.grids[:number], grid, *puzzle.grids[number + 1 :])
    bare = replace(puzzle, grids=grids, candidates=(), constraints=())
    candidates = tuple([item for item in puzzle.candidates if bare.has(item[0])])
    return replace(bare, candidates=candidates, constraints=puzzle.constraints)


def save(agreement: Agreement, path: str | Path) -> Agreement:
    """Write the puzzle of a disagreement as JSON, and see that it is still one when read back.

    Rules that hold Python functions are written as tables. Returns the cross-check of what was
    read back; raises :class:`FormatError` if a rule can be written neither way.
    """
    puzzle = agreement.puzzle
    rules = tuple(_writable(rule, puzzle) for rule in puzzle.constraints)
    target = Path(path)
    target.write_text(write_json(replace(puzzle, constraints=rules)) + "\n", encoding="utf-8")
    return agreement.again(read(target))


def _writable(rule: Constraint, puzzle: Puzzle) -> Constraint:
    try:
        write_json(replace(puzzle, constraints=(rule,)))
    except FormatError:
        scope = rule.scope(puzzle)
        domains = [puzzle.values_of(place) for place in scope]
        if prod(map(len, domains)) > _COMBINATIONS:
            raise
        rows = [
            row
            for row in product(*domains)
            if rule.holds(dict(zip(scope, row, strict=True)), puzzle)
        ]
        return Table(scope, rows)
    return rule
