"""Explain a puzzle to its end, or say the next step."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from html import escape

from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.cells import Place
from csp_sudoku.errors import UndecidedError
from csp_sudoku.formats import read
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solution import Solution
from csp_sudoku.solving import check_query
from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.network import listing, network_of
from csp_sudoku.strategies.oracle import Oracle
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.rounds import check, chosen, next_steps, rounds
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.techniques import WITHOUT_LOOKING_AHEAD

# So many open cells are named in a remark.
_NAMED = 12


class Ending(Enum):
    """How an explanation ends."""

    SOLVED = "solved"
    """Every cell follows."""
    SEVERAL_SOLUTIONS = "several solutions"
    """All that follows was said; the cells that stay open can be filled in several ways."""
    NO_SOLUTION = "no solution"
    """The steps lead to a contradiction."""
    OUT_OF_TIME = "out of time"
    """Time ran out."""


@dataclass(frozen=True)
class Explanation:
    """The way to the solution, step by step.

    Attributes
    ----------
    puzzle
        What was explained.
    steps
        The steps, in their order.
    ending
        How it ends; see :class:`Ending`.
    remark
        The ending in a sentence.
    """

    puzzle: Puzzle
    steps: tuple[Step, ...]
    ending: Ending
    remark: str

    @property
    def solved(self) -> bool:
        """Whether every cell follows."""
        return self.ending is Ending.SOLVED

    def state(self, after: int | None = None) -> Puzzle:
        """The puzzle with the candidates that are left after so many steps (all by default)."""
        position = Position.start(network_of(self.puzzle), dict(self.puzzle.candidates))
        return position.after_steps(self.steps[:after]).puzzle(self.puzzle)

    @cached_property
    def solution(self) -> Solution | None:
        """The solution, if it was reached."""
        return Solution(self.state().givens, self.puzzle) if self.solved else None

    def _repr_html_(self) -> str:
        """What notebooks show: the steps, one a line."""
        items = "".join(f"<li>{escape(str(step))}</li>" for step in self.steps)
        return f"<ol>{items}</ol><p>{escape(self.remark)}</p>"


def explain(
    puzzle: object, *, uniqueness: bool = False, timeout: float | None = None
) -> Explanation:
    """Explain a puzzle step by step, as one would solve it with pencil and paper.

    In each round the easiest technique that applies gives all its steps. Where none applies, a
    proof by a solver does: the rules and candidates that rule a value out. So every puzzle with a
    single solution is explained to the end.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle` (perhaps with candidate lists), or anything :func:`read` takes.
    uniqueness
        Whether steps may rely on there being a single solution.
    timeout
        Seconds; what was found by then is returned.

    Examples
    --------
    >>> explanation = explain("0100 3001 4002 0040")
    >>> explanation.solved, explanation.solution.text
    (True, '2134342143121243')
    >>> print(explanation.steps[0])
    hidden single in a block: box 1 has only one place left for 4: R2C2 is 4
    """
    check_query(None, timeout, None)
    given = read(puzzle)
    deadline = None if timeout is None else time.monotonic() + timeout
    said: list[Step] = []
    try:
        ending, remark = _go(given, said, uniqueness=uniqueness, deadline=deadline)
    except Contradiction as clash:
        ending, remark = Ending.NO_SOLUTION, f"there is no solution: {clash.sentence}"
    except OutOfTime:
        ending, remark = Ending.OUT_OF_TIME, "time ran out before the end"
    return Explanation(given, tuple(said), ending, remark)


def hint(puzzle: object, *, uniqueness: bool = False, timeout: float | None = None) -> Step | None:
    """The next step of a puzzle; None if every cell is filled.

    Candidate lists are taken for pencil marks. Where the grid cannot be completed any more, the
    step is a ``contradiction`` that says which cells and rules clash; where nothing follows since
    there are several solutions, it is ``several solutions`` with the open cells.

    Examples
    --------
    >>> print(hint("2134 3421 4..2 124."))
    last cell: row 4 has one open cell, and 3 is missing: R4C4 is 3
    >>> print(hint("1..1 .... .... ...."))
    contradiction: R1C1 and R1C4 hold 1, against row 1
    """
    check_query(None, timeout, None)
    given = read(puzzle)
    deadline = None if timeout is None else time.monotonic() + timeout
    techniques = chosen(uniqueness=uniqueness, hardest=WITHOUT_LOOKING_AHEAD)
    try:
        with Oracle(given, deadline) as oracle:
            if clash := _objection(given, timeout):
                return clash
            position = Position.start(network_of(given), dict(given.candidates), deadline=deadline)
            if position.solved:
                return None
            steps = next_steps(position, techniques) or oracle.steps(position)
    except OutOfTime:
        raise UndecidedError("time ran out before a step was found") from None
    return replace(steps[0] if steps else _several(position), puzzle=given)


def _go(
    given: Puzzle, said: list[Step], *, uniqueness: bool, deadline: float | None
) -> tuple[Ending, str]:
    """Add the steps to `said`, so that they are there when time runs out."""
    position = Position.start(network_of(given), dict(given.candidates), deadline=deadline)
    check(position)
    techniques = chosen(uniqueness=uniqueness, hardest=WITHOUT_LOOKING_AHEAD)
    with Oracle(given, deadline) as oracle:
        while True:
            for steps, reached in rounds(position, techniques):
                said += steps
                position = reached
            if position.solved:
                return Ending.SOLVED, "every cell follows"
            steps = oracle.steps(position)
            if not steps:
                return Ending.SEVERAL_SOLUTIONS, _several(position).sentence
            said += steps
            position = position.after_steps(steps)
            check(position)


def _objection(given: Puzzle, timeout: float | None) -> Step | None:
    """Why a grid cannot be completed; None if it can, or if half the time does not tell."""
    clashing: dict[Place, None] = {}
    if objections := given.objections():
        for rule in given.rules:
            for group in rule.clashes(given.givens, given):
                clashing.update(dict.fromkeys(group))
        return Step("contradiction", 0.0, tuple(clashing), "; ".join(objections))
    try:
        with Oracle(given, None if timeout is None else time.monotonic() + timeout / 2) as oracle:
            if oracle.has_solution(given):
                return None
            reason = oracle.why_unsolvable()
    except OutOfTime:
        return None
    said = f"this grid cannot be completed: {'; '.join(reason.sentences)}"
    return Step("contradiction", 0.0, tuple(reason.givens), said, rules=reason.constraints)


def _several(position: Position) -> Step:
    names = [position.network.name(place) for place in members(position.open)]
    shown = names if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"]
    return Step(
        "several solutions",
        0.0,
        tuple(position.network.places[place] for place in members(position.open)),
        f"nothing more follows, for there are several solutions: {listing(shown)} stay open",
    )
