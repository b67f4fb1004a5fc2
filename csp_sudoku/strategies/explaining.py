"""Explain a whole puzzle, or its next step."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from csp_encodings.watch import watched
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.cells import Place
from csp_sudoku.errors import UndecidedError
from csp_sudoku.formats import Reading, read_with_notes
from csp_sudoku.formats.sources import read_by
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import sooner, what_ended
from csp_sudoku.solving.answers import AboutPuzzle, limited
from csp_sudoku.solving.query import Query, check_query
from csp_sudoku.solving.solution import Solution
from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.network import listing, network_of
from csp_sudoku.strategies.oracle import Oracle
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.rounds import check, chosen, named, next_steps, rounds
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.techniques import WITHOUT_LOOKING_AHEAD, Technique

if TYPE_CHECKING:
    from threading import Event

# Up to this number the open cells are named in a remark.
_NAMED = 12


class Ending(Enum):
    """How an explanation ends."""

    SOLVED = "solved"
    """The value of every cell follows."""
    SEVERAL_SOLUTIONS = "several solutions"
    """Nothing more follows: the open cells can be filled in several ways."""
    NO_SOLUTION = "no solution"
    """The steps lead to a contradiction."""
    STUCK = "stuck"
    """The chosen techniques find nothing more."""
    OUT_OF_TIME = "out of time"
    """Time ran out."""


@dataclass(frozen=True)
class Explanation(AboutPuzzle):
    """The steps to the solution of a puzzle.

    Attributes
    ----------
    puzzle
        The puzzle that was explained.
    steps
        The steps in order.
    ending
        How the explanation ends; see :class:`Ending`.
    remark
        The ending as a sentence.
    """

    puzzle: Puzzle
    steps: tuple[Step, ...]
    ending: Ending
    remark: str

    def __repr__(self) -> str:
        return f"<Explanation of {self.puzzle!r}: {self.ending.value}, {len(self.steps)} steps>"

    @property
    def solved(self) -> bool:
        """Whether the puzzle was solved."""
        return self.ending is Ending.SOLVED

    def state(self, after: int | None = None) -> Puzzle:
        """The puzzle with the candidates that are left after this many steps (default: all)."""
        position = Position.start(network_of(self.puzzle), dict(self.puzzle.candidates))
        return position.after_steps(self.steps[:after]).puzzle(self.puzzle)

    def shortened(self) -> Explanation:
        """The same explanation without the steps that no other step needs, if it was solved.

        This takes about twice as long as the explanation itself.

        Examples
        --------
        >>> blank = "........1.......23....45........2.....6...4...78........."
        >>> whole = explain(f"{blank}3...871.5.9....2........")
        >>> short = whole.shortened()
        >>> len(short.steps) < len(whole.steps), short.solution == whole.solution
        (True, True)
        """
        from csp_sudoku.strategies.pruning import shortened

        if not self.solved:
            return self
        start = Position.start(network_of(self.puzzle), dict(self.puzzle.candidates))
        return replace(self, steps=tuple(shortened(start, self.steps)))

    @cached_property
    def solution(self) -> Solution | None:
        """The solution, if the puzzle was solved."""
        return Solution(self.state().givens, self.puzzle) if self.solved else None

    def _repr_html_(self) -> str:
        """Show the steps with their pictures in notebooks."""
        from csp_sudoku.pictures.explanation import explanation_html

        return explanation_html(self)


def explain(
    puzzle: object,
    *,
    uniqueness: bool = False,
    only: Collection[str] = (),
    without: Collection[str] = (),
    timeout: float | None = None,
    cancel: Event | None = None,
) -> Explanation:
    """Explain a puzzle step by step, as a person solves it with pencil and paper.

    In each round the easiest technique that applies gives all its steps. If no technique applies, a
    solver proves a step: it names the rules and candidates that exclude a value. So every puzzle
    with one solution is explained to the end.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle` (candidate lists are used), or anything :func:`read` takes. If a solver
        has entered digits and centre marks, the explanation goes on from there.
    uniqueness
        Whether steps may assume that there is only one solution.
    only
        Names of techniques, such as ``["naked single", "W-wing"]``: no others are used, and the
        explanation may end early. Default: all but those that are slow or rely on uniqueness.
    without
        Names of techniques that are not used.
    timeout
        Seconds. When time runs out, the steps so far are returned.
    cancel
        As for :func:`csp_sudoku.solve`.

    Examples
    --------
    >>> explanation = explain("0100 3001 4002 0040")
    >>> explanation.solved, explanation.solution.text
    (True, '2134342143121243')
    >>> print(explanation.steps[0])
    hidden single in a block: box 1 has only one place left for 4: R2C2 is 4
    >>> explain("0100 3001 4002 0040", only=["W-wing"]).ending.value
    'stuck'
    """
    query = check_query(None, timeout, None, cancel)
    choice = _Choice(uniqueness=uniqueness, only=only, without=without)
    deadline = query.deadline()
    with read_by(deadline):
        found = read_with_notes(puzzle)
    given = found.started
    said: list[Step] = []
    if mistake := _mistake(found, _half(deadline, query)):
        remark = f"there is no solution from here: {mistake.sentence}"
        return Explanation(given, (mistake,), Ending.NO_SOLUTION, limited(remark, given.left_out))
    try:
        with watched(deadline):
            ending, remark = _go(given, said, choice, deadline)
    except Contradiction as clash:
        ending, remark = Ending.NO_SOLUTION, f"there is no solution: {clash.sentence}"
    except OutOfTime:
        ending, remark = Ending.OUT_OF_TIME, f"{what_ended(deadline)} before the end"
    return Explanation(given, tuple(said), ending, limited(remark, given.left_out))


def hint(
    puzzle: object,
    *,
    uniqueness: bool = False,
    technique: str | None = None,
    without: Collection[str] = (),
    timeout: float | None = None,
    cancel: Event | None = None,
) -> Step | None:
    """Return the next step of a puzzle; None if every cell is filled.

    Candidate lists are used as pencil marks, and so is what a solver has entered. If that is wrong,
    the step is a ``wrong entry``. If the grid has no solution, the step is a ``contradiction`` that
    names the cells and rules that clash. If nothing follows because there are several solutions,
    the step is ``several solutions`` and names the open cells.

    With the name of a `technique`, the step is of this kind. If there is none now, the step has no
    conclusions and says so. Techniques named in `without` are not used.

    Examples
    --------
    >>> print(hint("2134 3421 4..2 124."))
    last cell: row 4 has one open cell, and 3 is missing: R4C4 is 3
    >>> print(hint("1..1 .... .... ...."))
    contradiction: R1C1 and R1C4 hold 1, against row 1
    >>> print(hint("0100 3001 4002 0040", technique="naked single"))
    naked single: R1C1 has only one candidate left: R1C1 is 2
    """
    query = check_query(None, timeout, None, cancel)
    choice = _Choice(
        uniqueness=uniqueness, only=() if technique is None else [technique], without=without
    )
    deadline = query.deadline()
    with read_by(deadline):
        found = read_with_notes(puzzle)
    given = found.started
    if mistake := _mistake(found, _half(deadline, query)):
        return replace(mistake, puzzle=given)
    try:
        with watched(deadline), Oracle(given, deadline) as oracle:
            if clash := _objection(given, _half(deadline, query)):
                return clash
            position = Position.start(network_of(given), dict(given.candidates), deadline=deadline)
            if position.solved:
                return None
            steps = next_steps(position, choice.techniques, patient=not choice.proves)
            if not steps and choice.proves:
                steps = oracle.steps(position, choice.hardest) or [_several(position)]
    except OutOfTime:
        raise UndecidedError(f"{what_ended(deadline)} before a step was found") from None
    if not steps:
        name = choice.techniques[0].name
        return Step(name, 0.0, (), "there is none in this position", puzzle=given)
    return replace(steps[0], puzzle=given)


class _Choice:
    """The techniques that may be used; with `only`, a solver proves nothing."""

    def __init__(
        self, *, uniqueness: bool, only: Collection[str] = (), without: Collection[str] = ()
    ) -> None:
        left_out = named(without)
        self.proves = not only
        self._all = [
            technique
            for technique in (named(only) or chosen(uniqueness=uniqueness))
            if technique not in left_out
        ]

    @property
    def techniques(self) -> list[Technique]:
        """The techniques that are tried in each round."""
        return [t for t in self._all if not self.proves or t.score <= WITHOUT_LOOKING_AHEAD]

    @property
    def hardest(self) -> list[Technique]:
        """The techniques that are tried if a solver knows that there is something to find."""
        return [t for t in self._all if self.proves and t.score > WITHOUT_LOOKING_AHEAD]


def _go(
    given: Puzzle, said: list[Step], choice: _Choice, deadline: float | None
) -> tuple[Ending, str]:
    """Add the steps to `said`, so that they are not lost when time runs out."""
    position = Position.start(network_of(given), dict(given.candidates), deadline=deadline)
    check(position)
    with Oracle(given, deadline) as oracle:
        while True:
            for steps, reached in rounds(position, choice.techniques, patient=not choice.proves):
                said += steps
                position = reached
            if position.solved:
                return Ending.SOLVED, "every cell follows"
            if not choice.proves:
                shown = _shown(position)
                return Ending.STUCK, f"the chosen techniques find nothing more: {shown} stay open"
            steps = oracle.steps(position, choice.hardest)
            if not steps:
                return Ending.SEVERAL_SOLUTIONS, _several(position).sentence
            said += steps
            position = position.after_steps(steps)
            check(position)


def _half(deadline: float | None, query: Query) -> float | None:
    """Half of the time that a query has, if so much is left."""
    return sooner(deadline, None if query.timeout is None else query.timeout / 2)


def _mistake(found: Reading, deadline: float | None) -> Step | None:
    """What a solver has entered against the solution; None if nothing, or if there is not one."""
    if not found.progress:
        return None
    try:
        with Oracle(found.puzzle, deadline) as oracle:
            solutions = oracle.solve(found.puzzle, limit=2)
    except OutOfTime:
        return None
    if len(solutions) != 1:
        return None
    [right] = solutions
    values, marks = found.progress.values.items(), found.progress.candidates.items()
    wrong = {place: f"{place} is not {value}" for place, value in values if right[place] != value}
    for place, digits in marks:
        if right[place] not in digits and place not in found.progress.values:
            wrong[place] = f"{place} is none of {listing(list(map(str, digits)))}"
    if not wrong:
        return None
    return Step("wrong entry", 0.0, tuple(wrong), listing(list(wrong.values())))


def _objection(given: Puzzle, deadline: float | None) -> Step | None:
    """Why a grid has no solution; None if it has one, or if half of the time was not enough."""
    clashing: dict[Place, None] = {}
    if objections := given.objections():
        for rule in given.rules:
            for group in rule.clashes(given.givens, given):
                clashing.update(dict.fromkeys(group))
        return Step("contradiction", 0.0, tuple(clashing), "; ".join(objections))
    try:
        with Oracle(given, deadline) as oracle:
            if oracle.has_solution(given):
                return None
            reason = oracle.why_unsolvable()
    except OutOfTime:
        return None
    said = f"this grid cannot be completed: {'; '.join(reason.sentences)}"
    return Step("contradiction", 0.0, tuple(reason.givens), said, rules=reason.constraints)


def _several(position: Position) -> Step:
    return Step(
        "several solutions",
        0.0,
        tuple(position.network.places[place] for place in members(position.open)),
        f"nothing more follows, for there are several solutions: {_shown(position)} stay open",
    )


def _shown(position: Position) -> str:
    """The open places by their names, if they are not too many."""
    names = [position.network.name(place) for place in members(position.open)]
    shown = names if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"]
    return listing(shown)
