"""The smallest puzzle on which solvers still disagree, and a file that shows it.

Delta debugging (Zeller & Hildebrandt, "Simplifying and isolating failure-inducing input", 2002):
leave out constraints and parts of them, houses, rows, columns, values and givens. Try halves first,
then smaller shares, then single items, and keep every smaller puzzle on which the same solver is
still wrong, until nothing can be left out. It begins with the one grid that shows the fault, so
that every step is quick. Every smaller puzzle is lowered anew: without a dot, a negative rule
applies to its two cells.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints import And, Table
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.crosscheck.agreement import Agreement, Ending, Role, Way
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import read, write_json
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import has_passed

DEFAULT_SECONDS = 60.0

# Puzzles with few givens have many solutions; only the first ones are compared.
_LIMIT = 10
_SECONDS = 5.0

# A rule that holds a function is written as a table if it has at most this many combinations.
_COMBINATIONS = 100_000


def shrink(agreement: Agreement, *, seconds: float = DEFAULT_SECONDS) -> Agreement:
    """Return the cross-check of the smallest puzzle found on which the same solvers are wrong.

    If none is wrong, solvers under test that gave no answer count instead, if it is for the same
    reason. It stops when the time is over. An agreement that is all right is returned as it is.
    """
    wrong = failures(agreement)
    if not wrong:
        return agreement
    best = agreement
    # Who was late may only be slow: it gets all of its time again.
    late = any(ending in (Ending.TIME.value, Ending.HANG.value) for _, ending in wrong)
    settings = {"limit": _LIMIT} if late else {"limit": _LIMIT, "timeout": _SECONDS}

    def still_wrong(puzzle: Puzzle) -> bool:
        nonlocal best
        found = agreement.again(puzzle, **settings)
        if wrong.isdisjoint(failures(found)):
            return False
        best = replace(found, again=agreement.again)
        return True

    evidence = agreement.disagreements[0].evidence if agreement.disagreements else None
    # A program that reads a line knows its rules already: only the givens can be others.
    lines = {answer.name for answer in agreement.answers if answer.way is Way.LINE}
    smallest(
        agreement.puzzle,
        still_wrong,
        evidence=evidence,
        seconds=seconds,
        givens_only={name for name, _ in wrong} <= lines,
    )
    return best


def failures(agreement: Agreement) -> set[tuple[str, str]]:
    """The solvers that are wrong; else those under test that gave no answer, and why."""
    if agreement.disagreements:
        return {(disagreement.name, "wrong") for disagreement in agreement.disagreements}
    return {(a.name, a.ending.value) for a in agreement.unanswered if a.role is Role.TESTED}


def smallest(
    puzzle: Puzzle,
    shows: Callable[[Puzzle], bool],
    *,
    evidence: Mapping[Place, int] | None = None,
    seconds: float = DEFAULT_SECONDS,
    givens_only: bool = False,
) -> Puzzle:
    """Return the smallest puzzle found within the time that still shows a fault.

    Parameters
    ----------
    puzzle
        A puzzle that shows the fault.
    shows
        Whether a puzzle shows the fault.
    evidence
        A grid that shows the fault, if one is known.
    seconds
        How long to search.
    givens_only
        Whether grid and rules stay as they are.

    Examples
    --------
    >>> from csp_sudoku import AntiKnight, KillerCage
    >>> puzzle = Puzzle.blank(9).add(AntiKnight(), ~KillerCage("R1C1 R2C2 R3C3", 5))
    >>> smallest(puzzle, lambda p: any(r.name == "not" for r in p.constraints))
    <Puzzle 3×3, 0 givens, 1 constraint>
    """
    search = _Search(puzzle, shows, time.monotonic() + seconds)
    if evidence is not None:
        # Give every cell, so that only this grid is left, whatever else is left out.
        search.accept(lambda p: p.with_givens(evidence))
    before = None
    while before is not search.puzzle:
        before = search.puzzle
        for step in (_givens,) if givens_only else _STEPS:
            step(search)
    return search.puzzle


class _Search:
    """Keeps the smallest puzzle so far."""

    def __init__(self, start: Puzzle, shows: Callable[[Puzzle], bool], deadline: float) -> None:
        self.puzzle = start
        self._shows = shows
        self._deadline = deadline

    def accept(self, make: Callable[..., Puzzle], *arguments: Any) -> bool:
        """Make a smaller puzzle; keep it if it is valid and still shows the fault."""
        if has_passed(self._deadline):
            return False
        try:
            smaller = make(self.puzzle, *arguments)
            if not self._shows(smaller):
                return False
        except CspSudokuError:
            return False  # the rest is no valid puzzle
        except Exception:
            return False  # it shows another fault, which must not hide the one that was found
        self.puzzle = smaller
        return True

    def reduce(self, kept: tuple[Any, ...], make: Callable[..., Puzzle], *arguments: Any) -> None:
        """Leave out as many items as possible: all, halves, quarters, and single ones."""
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


def _grids(search: _Search) -> None:
    search.reduce(search.puzzle.grids, _with_grids)


def _constraints(search: _Search) -> None:
    search.reduce(search.puzzle.constraints, lambda p, kept: replace(p, constraints=kept))


def _parts(search: _Search) -> None:
    """Replace a combination by one of its parts."""
    number = 0
    while number < len(search.puzzle.constraints):
        rule = search.puzzle.constraints[number]
        if not any(search.accept(_with_rule, number, part) for part in rule.combined()):
            number += 1


def _fields(search: _Search) -> None:
    """Leave out items of the lists in rules: cells, parts, rows, values."""
    for number, rule in enumerate(search.puzzle.constraints):
        names: list[str] = [field.name for field in fields(rule)] if is_dataclass(rule) else []
        for name in names:
            held = getattr(rule, name)
            if isinstance(held, tuple) and not isinstance(held, Cell):
                search.reduce(held, _with_field, number, name)


def _with_rule(puzzle: Puzzle, number: int, rule: Constraint) -> Puzzle:
    rules = puzzle.constraints
    return replace(puzzle, constraints=(*rules[:number], rule, *rules[number + 1 :]))


def _with_field(puzzle: Puzzle, kept: tuple[Any, ...], number: int, name: str) -> Puzzle:
    rule: Any = puzzle.constraints[number]
    held = {field.name: getattr(rule, field.name) for field in fields(rule)} | {name: kept}
    return _with_rule(puzzle, number, type(rule)(**held))


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
    """Return the puzzle with a changed grid, without givens that are outside of it now."""
    grid = replace(puzzle.grids[number], **change)
    return _with_grids(puzzle, (*puzzle.grids[:number], grid, *puzzle.grids[number + 1 :]))


def _with_grids(puzzle: Puzzle, grids: tuple[Grid, ...]) -> Puzzle:
    bare = replace(puzzle, grids=grids, candidates=(), constraints=())
    candidates = tuple([item for item in puzzle.candidates if bare.has(item[0])])
    return replace(bare, candidates=candidates, constraints=puzzle.constraints)


_STEPS = (
    _constraints, _parts, _fields, _grids, _houses, _sides, _values, _named, _givens,
)  # fmt: skip


def save(agreement: Agreement, path: str | Path) -> Agreement:
    """Write the puzzle of a disagreement as JSON, read it back and cross-check it again.

    Rules that hold Python functions are written as tables. Returns the cross-check of the puzzle
    that was read back; raises :class:`FormatError` if a rule cannot be written.
    """
    target = Path(path)
    target.write_text(write_json(writable(agreement.puzzle)) + "\n", encoding="utf-8")
    return agreement.again(read(target))


def writable(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with tables in place of rules that hold Python functions."""
    rules = tuple([_writable(rule, puzzle) for rule in puzzle.constraints])
    return replace(puzzle, constraints=rules)


def _writable(rule: Constraint, puzzle: Puzzle) -> Constraint:
    if isinstance(rule, And):
        # Part by part: other rules may read one of them, such as a dot, and no table is a dot.
        return And(tuple([_writable(part, puzzle) for part in rule.parts]))
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
