"""How good a grid is: which cells are right, and whether it can still be solved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_sudoku.cells import Cell, Place
from csp_sudoku.checking.verify import Verification, grid_values, verify
from csp_sudoku.errors import PuzzleError
from csp_sudoku.formats.sources import as_puzzle, read_by
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import has_passed, time_left
from csp_sudoku.solving.answers import AboutPuzzle
from csp_sudoku.solving.query import check_query
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.solve import solve

if TYPE_CHECKING:
    from threading import Event


@dataclass(frozen=True, repr=False)
class Assessment(AboutPuzzle):
    """The answer of :func:`assess`.

    Attributes
    ----------
    verification
        What the rules alone say about the grid.
    right
        The cells without a given whose value is that of some solution.
    wrong
        Those whose value is that of no solution, and the cells where a given was changed.
    open
        Those that are empty.
    undecided
        Those for which time ran out.
    solvable
        Whether some solution has all values of the grid; None if time ran out.
    """

    puzzle: Puzzle
    verification: Verification
    right: tuple[Cell, ...]
    wrong: tuple[Cell, ...]
    open: tuple[Cell, ...]
    undecided: tuple[Cell, ...]
    solvable: bool | None

    @property
    def score(self) -> float:
        """The share of the cells that are right, without givens that stand; 1.0 if none is left."""
        asked = [*self.right, *self.wrong, *self.open, *self.undecided]
        return len(self.right) / len(asked) if asked else 1.0

    def __str__(self) -> str:
        asked = len(self.right) + len(self.wrong) + len(self.open) + len(self.undecided)
        solvable = {True: "; it can be solved from here", False: "; it leads nowhere", None: ""}
        known = f"{len(self.right)} of {asked} cells right, {len(self.wrong)} wrong"
        return self.limited(f"{known}{solvable[self.solvable]}")


def assess(
    puzzle: object,
    grid: object,
    *,
    timeout: float | None = None,
    cancel: Event | None = None,
) -> Assessment:
    """Say how good a full or partial grid is.

    If a puzzle has several solutions, a value is right if any of them has it there.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle`, or anything :func:`read` takes.
    grid
        What :func:`verify` takes.
    timeout
        Seconds for all questions together. Raises :class:`UndecidedError` if they do not suffice
        to read the puzzle and to check the grid by the rules.
    cancel
        As for :func:`solve`.

    Examples
    --------
    >>> found = assess("0100300140020040", "2134 3411 4... ....")
    >>> print(found, found.score)
    4 of 10 cells right, 1 wrong; it leads nowhere 0.4
    >>> print(assess("0100300140020040", "2434 3421 4312 1243"))  # the given 1 was changed to 4
    10 of 11 cells right, 1 wrong; it leads nowhere
    """
    deadline = check_query(timeout=timeout, cancel=cancel).deadline()
    puzzle = as_puzzle(puzzle, deadline)
    with read_by(deadline, "the grid was checked"):
        values = grid_values(puzzle, grid)
        verification = verify(puzzle, grid)
        # Details are found when they are asked for: now, while there is time.
        verification.violations  # noqa: B018
    known: list[Solution] = []

    def ask(more: Mapping[Place, int]) -> bool | None:
        """Whether a solution has these values; None if time ran out."""
        if any(all(one[place] == value for place, value in more.items()) for one in known):
            return True
        if has_passed(deadline):
            return None
        try:
            narrowed = puzzle.with_givens(more)
        except PuzzleError:  # that is no value of the cell
            return False
        found = solve(narrowed, **time_left(deadline))
        known.extend(found.solutions)
        return bool(found.solutions) if found.solutions or found.complete else None

    judged: dict[bool | None, list[Cell]] = {True: [], False: [], None: []}
    givens = puzzle.givens
    asked = [
        at for at in puzzle.cells if at not in givens or values.get(at, givens[at]) != givens[at]
    ]
    ask({})
    for place in asked:
        if place in values:
            judged[ask({place: values[place]})].append(place)
    return Assessment(
        puzzle,
        verification,
        tuple(judged[True]),
        tuple(judged[False]),
        tuple(place for place in asked if place not in values),
        tuple(judged[None]),
        ask(values),
    )
