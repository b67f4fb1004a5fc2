"""What a cross-check gives: who said what, what follows from it, and what proves it."""

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
from csp_sudoku.results import Status
from csp_sudoku.solution import Solution

if TYPE_CHECKING:
    from rich.console import RenderableType


class Outcome(Enum):
    """What was established, and how."""

    UNIQUE_CERTIFIED = "one solution, certified"
    """A solution was verified, and a checked proof says that there is no other."""
    UNIQUE_AGREED = "one solution, by agreement"
    """A solution was verified, and two solvers or more found no other; there is no proof."""
    SEVERAL = "several solutions"
    """At least two solutions were verified."""
    NONE_CERTIFIED = "no solution, certified"
    """A checked proof says that there is no solution."""
    NONE_AGREED = "no solution, by agreement"
    """Two solvers or more found that there is no solution; there is no proof."""
    UNKNOWN = "unknown"
    """Too few solvers came to an end."""
    DISAGREEMENT = "disagreement"
    """Somebody is wrong: see `disagreements`."""


class Ending(Enum):
    """How the run of one solver ended."""

    COMPLETE = "complete"
    """It says that it has searched the whole space."""
    LIMIT = "limit reached"
    """It has found as many solutions as were asked for."""
    OPEN = "more may exist"
    """It gave a solution, and does not say whether there are others."""
    TIME = "out of time"
    REFUSED = "too large for it"
    ERROR = "failed"
    CRASH = "crashed"
    HANG = "hung"
    MEMORY = "out of memory"


class Way(Enum):
    """What a solver was given."""

    GRAPH = "graph"
    """The constraint graph: each rule by its own lowering."""
    REFERENCE = "reference"
    """A constraint graph with rules built from their definitions alone, as many as can be."""
    RULES = "rules"
    """The puzzle itself."""


@dataclass(frozen=True)
class Answer:
    """What one solver said.

    Attributes
    ----------
    family
        What it has in common with its variants: the name of a backend without its options.
    solutions
        Those that keep the rules, each once.
    wrong
        Those that break a rule: the values, and which rule.
    repeats
        How often a solution came again.
    size
        The counters of the solver's input, such as clauses.
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

    @property
    def name(self) -> str:
        """The backend, and the way if it is not the usual one."""
        return f"{self.backend} (reference)" if self.way is Way.REFERENCE else self.backend

    @property
    def complete(self) -> bool:
        """Whether it says that there are no other solutions."""
        return self.ending is Ending.COMPLETE

    @property
    def status(self) -> Status:
        """What is known if one believes it."""
        return Status.of(bool(self.solutions or self.wrong), self.complete)


@dataclass(frozen=True)
class Disagreement:
    """Somebody is wrong: who, how it shows, and a grid as evidence where there is one."""

    name: str
    text: str
    evidence: Mapping[Place, int] | None = None

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


@dataclass(frozen=True)
class Agreement:
    """The answer of :func:`csp_sudoku.cross_check`.

    Attributes
    ----------
    solutions
        All that were found by anybody and keep the rules, up to the limit each.
    certificate
        A checked proof that there are no others; `uncertified` says why there is none.
    disagreements
        Who is wrong, and how that shows.
    findings
        What went wrong without being an answer: crashes, errors, refusals.
    established
        Sentences that say what was established beyond the outcome.
    again
        The same cross-check of another puzzle, or with other settings.
    """

    puzzle: Puzzle
    outcome: Outcome
    answers: tuple[Answer, ...]
    solutions: tuple[Solution, ...]
    disagreements: tuple[Disagreement, ...]
    certificate: Certificate | None
    uncertified: str
    findings: tuple[str, ...]
    established: tuple[str, ...]
    seconds: float
    again: Callable[..., Agreement] = field(repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """Whether nobody was shown to be wrong."""
        return self.outcome is not Outcome.DISAGREEMENT

    @property
    def complete(self) -> bool:
        """Whether `solutions` were established to be all there are."""
        return self.ok and (
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
    def summary(self) -> str:
        """The outcome in one sentence."""
        match self.outcome:
            case Outcome.SEVERAL:
                number = len(self.solutions)
                count = f"exactly {number}" if self.complete else f"at least {number}"
                certified = ", certified" if self.certificate else ""
                return f"several solutions: {count}{certified}"
            case Outcome.DISAGREEMENT:
                return f"disagreement: {self.disagreements[0]}"
            case outcome:
                return str(outcome.value)

    def write_proof(self, path: str | Path) -> tuple[Path, Path]:
        """Write the certificate as a formula (.cnf) and a proof (.drup), for any checker."""
        if self.certificate is None:
            raise CspSudokuError(f"there is no certificate to write: {self.uncertified}")
        return self.certificate.write(path)

    def shrink(self, *, seconds: float = 60.0) -> Agreement:
        """The smallest puzzle found, within the time, on which the same solvers are still wrong."""
        from csp_sudoku.crosscheck.shrink import shrink

        return shrink(self, seconds=seconds)

    def save(self, path: str | Path) -> Agreement:
        """Write the puzzle as JSON, for ``csp-sudoku cross-check``; cross-check what it reads."""
        from csp_sudoku.crosscheck.shrink import save

        return save(self, path)

    def to_json(self) -> str:
        """The agreement as a JSON document; :func:`agreement_schema` describes it."""
        from csp_sudoku.crosscheck.record import encode

        return encode(self)

    def to_html(self, command: Sequence[str] | None = None) -> str:
        """The agreement as one page of HTML that needs nothing from elsewhere.

        `command` is what repeats it for the file ``puzzle.json``, as a list of words.
        """
        from csp_sudoku.pictures.report import report

        return report(self, command)

    def _repr_html_(self) -> str:
        from csp_sudoku.pictures.report import fragment

        return fragment(self)

    def __rich__(self) -> RenderableType:
        from csp_sudoku.crosscheck.table import render

        return render(self)
