"""The linear relaxation: its fractions on the board, and a walk that fixes one value at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from csp_sudoku.backends.lp import relaxation
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.watching.frames import Frame

_ZERO = 1e-6


def watch_lp(puzzle: Puzzle) -> Iterator[Frame]:
    """Yield the relaxation, then branch depth first on the largest fraction."""
    solve = relaxation(shared_graph(puzzle))
    stack: list[tuple[dict[Any, tuple[int, ...]], str]] = [({}, "the relaxation")]
    while stack:
        fixed, what = stack.pop()
        point = solve(fixed)
        if point is None:
            left = {p: fixed.get(p, puzzle.candidates_of(p)) for p in puzzle.cells}
            yield Frame("dead end", f"{what}: the program has no point", left, depth=len(fixed))
            continue
        shares = {
            place: {
                v: x for v in puzzle.values_of(place) if (x := point.get((place, v), 0)) > _ZERO
            }
            for place in puzzle.cells
        }
        open_ = {p: row for p, row in shares.items() if max(row.values()) < 1 - _ZERO}
        left = {place: tuple(row) for place, row in shares.items()}
        if not open_:
            kind, text = "solution", f"{what}: every fraction is 0 or 1, so it is a solution"
        else:
            kind, text = (
                ("choice" if fixed else "start"),
                f"{what}: {len(open_)} cells are fractional",
            )
        yield Frame(kind, text, left, changed=list(fixed)[-1:], depth=len(fixed), shares=shares)
        if not open_:
            return
        share, place, value = max((x, p, v) for p, row in open_.items() for v, x in row.items())
        others = tuple([v for v in fixed.get(place, puzzle.candidates_of(place)) if v != value])
        stack.append(({**fixed, place: others}, f"{place} is not {value}"))
        stack.append(({**fixed, place: (value,)}, f"{place} is {value} (it had {share:.2f})"))
