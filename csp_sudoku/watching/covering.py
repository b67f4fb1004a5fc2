"""Dancing links, from the events of Algorithm X: each item that is covered, or comes back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.textbook import Backtracked, Chosen, Covered, Uncovered
from csp_sudoku.textbook.dancing_links import algorithm_x
from csp_sudoku.textbook.tracing import exact_cover
from csp_sudoku.watching.frames import Frame

# A larger matrix cannot be read.
_MOST_ITEMS, _MOST_OPTIONS = 120, 150


class Covering:
    """The matrix of a puzzle as it is covered and uncovered."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._problem = problem = exact_cover(shared_graph(puzzle))
        starts, members = problem.starts.tolist(), problem.members.tolist()
        colours = problem.colours.tolist()
        self._options = [
            dict(zip(members[a:b], colours[a:b], strict=True)) for a, b in pairwise(starts)
        ]
        self._meanings = problem.meanings
        self._items = problem.items
        # What is covered, with the colour that it keeps, or 0; and the options that are chosen.
        self._covered: dict[int, int] = {}
        self._chosen: list[int] = []

    @property
    def matrix(self) -> dict[str, Any]:
        """The matrix for the player; empty if it is too large to be read."""
        if len(self._items) > _MOST_ITEMS or len(self._options) > _MOST_OPTIONS:
            return {}
        names = ["{}={}".format(*m) if m else "step" for m in self._meanings]
        rows = [list(option) for option in self._options]
        return {"items": list(self._items), "options": names, "rows": rows}

    def frames(self) -> Iterator[Frame]:
        """Yield a frame for each choice, each cover and each uncover."""
        numbers = {name: number for number, name in enumerate(self._items)}
        depth = 0
        yield self._frame(
            "start", "the whole matrix: a row for each option, a column for each item"
        )
        for event in algorithm_x(self._problem):
            if isinstance(event, Covered):
                item = numbers[event.item]
                before = {*self._visible()}
                self._covered[item] = event.colour
                gone = before.difference(self._visible())
                if gone or self._is_taken(item):
                    yield self._frame("step", f"{event}: {_left(len(gone))}", depth, item)
                else:
                    yield self._frame("dead end", f"{event.item} has no option left", depth, item)
            elif isinstance(event, Uncovered):
                item = numbers[event.item]
                del self._covered[item]
                yield self._frame("undo", str(event), depth, item)
            elif isinstance(event, Chosen):
                del self._chosen[event.depth - 1 :]
                self._chosen.append(event.choice.number)
                depth = event.depth
                text = f"{event.place} has the fewest options: take {event.choice}"
                yield self._frame("choice", text, depth)
            elif isinstance(event, Backtracked):
                del self._chosen[event.depth - 1 :]
                depth = event.depth - 1
                yield self._frame("undo", f"all options of {event.place} were tried", depth)
            else:
                yield self._frame("solution", "all items are covered: a solution", depth)
                return
        yield self._frame("end", "the whole tree was searched")

    def _is_taken(self, item: int) -> bool:
        """Whether the latest choice covers an item."""
        return bool(self._chosen) and item in self._options[self._chosen[-1]]

    def _visible(self) -> Iterator[int]:
        """The options in the matrix: none of their items is covered, except by their own colour."""
        covered = self._covered
        for number, option in enumerate(self._options):
            if all(
                item not in covered or (colour and covered[item] == colour)
                for item, colour in option.items()
            ):
                yield number

    def _frame(self, kind: str, text: str, depth: int = 0, item: int | None = None) -> Frame:
        visible = {*self._visible()}
        left: dict[Any, list[int]] = {place: [] for place in self._puzzle.cells}
        for number, meaning in enumerate(self._meanings):
            if meaning and meaning[0] in left and (number in visible or number in self._chosen):
                left[meaning[0]].append(meaning[1])
        last = self._meanings[self._chosen[-1]] if self._chosen else None
        return Frame(
            kind,
            text,
            left,
            changed=[last[0]] if last and kind == "choice" else [],
            depth=depth,
            item=item,
            hidden=[n for n in range(len(self._options)) if n not in visible],
            chosen=list(self._chosen),
        )


def _left(number: int) -> str:
    return f"{number} option{'s' * (number != 1)} leave{'s' * (number == 1)} the matrix"
