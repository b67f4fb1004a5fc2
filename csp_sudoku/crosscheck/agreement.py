"""The result of a cross-check: the answers, what follows from them, and what proves it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from csp_sudoku.cells import Place
from csp_sudoku.crosscheck.certificates import Certificate
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.answers import AboutPuzzle
from csp_sudoku.solving.results import Status
from csp_sudoku.solving.solution import Solution

if TYPE_CHECKING:
    from rich.console import RenderableType


class Outcome(Enum):
    """What was established, and how."""

    UNIQUE_CERTIFIED = "one solution, certified"
    """A solution was verified, and a checked proof shows that there is no other."""
    UNIQUE_AGREED = "one solution, by agreement"
    """A solution was verified, and two or more solvers found no other. There is no proof."""
    SEVERAL = "several solutions"
    """At least two solutions were verified."""
    NONE_CERTIFIED = "no solution, certified"
    """A checked proof shows that there is no solution."""
    NONE_AGREED = "no solution, by agreement"
    """Two or more solvers found no solution. There is no proof."""
    UNKNOWN = "unknown"
    """Too few solvers finished."""
    DISAGREEMENT = "disagreement"
    """At least one solver is wrong: see `disagreements`."""


class Ending(Enum):
    """How the run of one solver ended."""

    COMPLETE = "complete"
    """It says that it has found all solutions."""
    LIMIT = "limit reached"
    """It found as many solutions as it was asked for."""
    COUNT = "number only"
    """It says how many solutions there are, but gives none."""
    OPEN = "more may exist"
    """It gave a solution and does not say whether there are others."""
    TIME = "out of time"
    STUCK = "stuck"
    """An incomplete method found no next step."""
    REFUSED = "refused"
    """The puzzle is too large for it, or has a rule of a kind that it does not take."""
    ERROR = "failed"
    CRASH = "crashed"
    HANG = "hung"
    MEMORY = "out of memory"


# A run that ended so gave no answer, whatever it had found before.
MISHAPS = (Ending.REFUSED, Ending.ERROR, Ending.CRASH, Ending.HANG, Ending.MEMORY)


class Role(Enum):
    """Why a solver was asked."""

    TESTED = "tested"
    """It is not a part of this library: a function, an object, a program or a plug-in."""
    ASKED = "asked"
    """A backend of this library that was asked for, by name or by default."""
    EXTRA = "extra"
    """It was asked in addition, to check the others."""


class Way(Enum):
    """What a solver was given as its input."""

    GRAPH = "graph"
    """The constraint graph: each rule compiled by its own lowering."""
    REFERENCE = "reference"
    """A second graph, in which as many rules as possible come from their definitions alone."""
    RULES = "rules"
    """The puzzle itself."""
    LINE = "line"
    """The givens as a line of text; whoever reads it must know the rules."""


@dataclass(frozen=True)
class Answer:
    """The answer of one solver.

    Attributes
    ----------
    family
        The name of the backend without its options. Two answers of one family are one witness.
    solutions
        The solutions that keep the rules, each once.
    wrong
        The grids that break a rule, and the rule.
    repeats
        How often it gave a solution again.
    size
        The size of the solver's input, such as the number of clauses.
    claimed
        How many solutions there are, if it only says that.
    """

    backend: str
    family: str
    way: Way
    ending: Ending
    solutions: tuple[Solution, ...] = ()
    wrong: tuple[tuple[Mapping[Place, int], str], ...] = ()
    repeats: int = 0
    compile_seconds: float = 0.0
    solve_seconds: float = 0.0
    size: Mapping[str, int] = field(default_factory=dict)
    statistics: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    role: Role = Role.EXTRA
    claimed: int | None = None

    @property
    def name(self) -> str:
        """The name of the solver in reports."""
        return f"{self.backend} (reference)" if self.way is Way.REFERENCE else self.backend

    @property
    def complete(self) -> bool:
        """Whether it says that it has found all solutions."""
        return self.ending is Ending.COMPLETE

    @property
    def status(self) -> Status:
        """What is known if this answer is right."""
        return Status.of(bool(self.solutions or self.wrong), self.complete)

    @property
    def is_missing(self) -> bool:
        """Whether it failed, or gave no grid and does not say that there is none."""
        silent = self.status is Status.UNKNOWN and self.claimed is None
        return silent or self.ending in MISHAPS


@dataclass(frozen=True)
class Disagreement:
    """A solver that is wrong: its name, how it shows, and a grid as evidence if there is one."""

    name: str
    text: str
    evidence: Mapping[Place, int] | None = None

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


@dataclass(frozen=True)
class Agreement(AboutPuzzle):
    """The result of :func:`csp_sudoku.cross_check`.

    Attributes
    ----------
    solutions
        All solutions that some solver found and that keep the rules. Each solver gives up to the
        limit.
    certificate
        A checked proof that there are no others. If there is none, `uncertified` says why.
    disagreements
        The solvers that are wrong, and how it shows.
    findings
        What else went wrong: crashes, errors, refusals.
    disputes
        Where the solutions, the rules and the solution that the source states disagree.
    established
        Sentences on what was established beyond the outcome.
    again
        Runs the same cross-check on another puzzle, or with other settings.
    """

    puzzle: Puzzle
    outcome: Outcome
    answers: tuple[Answer, ...]
    solutions: tuple[Solution, ...]
    disagreements: tuple[Disagreement, ...]
    certificate: Certificate | None
    uncertified: str
    findings: tuple[str, ...]
    disputes: tuple[str, ...]
    established: tuple[str, ...]
    seconds: float
    again: Callable[..., Agreement] = field(repr=False, compare=False)

    def __repr__(self) -> str:
        asked = ", ".join(answer.name for answer in self.answers)
        return f"<Agreement on {self.puzzle!r}: {self.outcome.value} ({asked})>"

    def __str__(self) -> str:
        from csp_sudoku.crosscheck.table import details

        return "\n".join([self.summary, *details(self)])

    @property
    def ok(self) -> bool:
        """Whether no solver was shown to be wrong, and every solver under test gave an answer."""
        return self.agreed and all(answer.role is not Role.TESTED for answer in self.unanswered)

    @property
    def agreed(self) -> bool:
        """Whether no solver was shown to be wrong."""
        return self.outcome is not Outcome.DISAGREEMENT

    @property
    def unanswered(self) -> tuple[Answer, ...]:
        """The solvers that were asked for and gave no answer: they crashed, ran out of time …"""
        return tuple(a for a in self.answers if a.is_missing and a.role is not Role.EXTRA)

    @property
    def doubtful(self) -> bool:
        """Whether rules were left out, or the stated solution disagrees."""
        return bool(self.left_out or self.disputes)

    @property
    def complete(self) -> bool:
        """Whether `solutions` are all there are: proved, or found by two different solvers."""
        return self.agreed and (
            self.certificate is not None
            or len({answer.family for answer in self.answers if answer.complete}) > 1
        )

    @property
    def differing(self) -> tuple[Place, ...]:
        """The places in which the first two solutions differ."""
        if len(self.solutions) < 2:
            return ()
        one, other = self.solutions[:2]
        return tuple(place for place in one if one[place] != other[place])

    @property
    def evidence(self) -> str:
        """The grid that shows that the first solver is wrong, as a line; empty if there is none."""
        grid = self.disagreements[0].evidence if self.disagreements else None
        complete = grid is not None and grid.keys() == {*self.puzzle.variables}
        return Solution(grid, self.puzzle).line if grid and complete else ""

    @property
    def summary(self) -> str:
        """The outcome in one sentence, with the solvers that gave no answer, and with disputes."""
        missing = ", ".join(f"{answer.name} ({answer.ending.value})" for answer in self.unanswered)
        unanswered = [f"no answer from {missing}"] if missing else []
        return "; ".join([self._established, *unanswered, *self.disputes])

    @property
    def _established(self) -> str:
        match self.outcome:
            case Outcome.SEVERAL:
                number = len(self.solutions)
                count = f"exactly {number}" if self.complete else f"at least {number}"
                certified = ", certified" if self.certificate else ""
                return self.limited(f"several solutions: {count}{certified}")
            case Outcome.DISAGREEMENT:
                return f"disagreement: {self.disagreements[0]}"
            case outcome:
                return self.limited(outcome.value)

    def write_proof(self, path: str | Path) -> tuple[Path, Path]:
        """Write the certificate: a formula (.cnf) and a proof (.drat, or .lrat with hints)."""
        if self.certificate is None:
            raise CspSudokuError(f"there is no certificate to write: {self.uncertified}")
        return self.certificate.write(path)

    def shrink(self, *, seconds: float = 60.0) -> Agreement:
        """Return the smallest puzzle found in this time on which the same solvers are wrong.

        If none is wrong, solvers under test that gave no answer count instead.
        """
        from csp_sudoku.crosscheck.shrink import shrink

        return shrink(self, seconds=seconds)

    def save(self, path: str | Path) -> Agreement:
        """Write the puzzle as JSON, and return the cross-check of what was written."""
        from csp_sudoku.crosscheck.shrink import save

        return save(self, path)

    def to_json(self) -> str:
        """Return a JSON document; :func:`agreement_schema` describes it."""
        from csp_sudoku.crosscheck.record import encode

        return encode(self)

    def to_html(self, command: Sequence[str] | None = None) -> str:
        """Return one page of HTML that loads nothing from elsewhere.

        `command` repeats the cross-check for the file ``puzzle.json``, as a list of words.
        """
        from csp_sudoku.pictures.report import report

        return report(self, command)

    def _repr_html_(self) -> str:
        from csp_sudoku.pictures.report import fragment

        return fragment(self)

    def __rich__(self) -> RenderableType:
        from csp_sudoku.crosscheck.table import render

        return render(self)
