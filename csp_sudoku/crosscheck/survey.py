"""The survey: all solvers on the same puzzles; who agrees with the oracle, and who fails where."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from csp_sudoku.crosscheck import judging
from csp_sudoku.crosscheck.agreement import MISHAPS, Answer, Ending, Way
from csp_sudoku.crosscheck.asking import Asking, graph_of
from csp_sudoku.crosscheck.at_hand import solvers_at_hand
from csp_sudoku.crosscheck.collecting import Collector, ask_one
from csp_sudoku.crosscheck.jobs import Job, Scheduler
from csp_sudoku.crosscheck.participants import Participant, participants
from csp_sudoku.crosscheck.programs import command_line
from csp_sudoku.crosscheck.shrink import smallest, writable
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.formats import write_json
from csp_sudoku.fuzzing.puzzles import random_puzzle
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.isolation import shared_pool
from csp_sudoku.solving.query import check_count, check_query
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.solve import solutions
from csp_sudoku.testing.conformance import comparable, conformance_cases, narrowed

if TYPE_CHECKING:
    from rich.console import RenderableType

DEFAULT_PUZZLES = 1_000
DEFAULT_SECONDS = 300.0
DEFAULT_OUT = "survey-findings"

# Puzzles get givens until so few solutions are left: some solvers start anew for each.
_MOST = 6

# For one puzzle: the solver, and the oracle. A random puzzle that the oracle cannot finish is left
# out.
_PUZZLE_SECONDS = 20.0
_ORACLE_SECONDS = 3.0

# A solver that has agreed in none of its first puzzles is unusable.
_TRIALS = 25

# How many failures of a solver are made smaller and written, and how many seconds each may take.
_WRITTEN = 3
_SHRINK_SECONDS = 30.0

AGREES, WRONG, FAILED, REFUSED, LATE = "agrees", "wrong", "failed", "refused", "late"

_VERDICTS = {
    Ending.TIME: LATE,
    Ending.HANG: LATE,
    Ending.STUCK: REFUSED,
    Ending.REFUSED: REFUSED,
}


@dataclass(frozen=True)
class Known:
    """A puzzle and what the oracle says about it."""

    name: str
    puzzle: Puzzle
    answer: Answer

    @classmethod
    def of(cls, name: str, puzzle: Puzzle, found: Iterable[Solution]) -> Known:
        """The puzzle with these solutions."""
        answer = Answer("the oracle", "brute", Way.RULES, Ending.COMPLETE, tuple(found))
        return cls(name, puzzle, answer)


@dataclass(frozen=True)
class Failure:
    """A puzzle on which a solver fails: how, and how to see it again."""

    verdict: str
    case: str
    text: str
    puzzle: Puzzle = field(repr=False, compare=False)
    command: str = ""

    def __str__(self) -> str:
        return f"{self.case}: {self.text}" + (f"\n  {self.command}" if self.command else "")


@dataclass
class Surveyed:
    """What became of one solver.

    Attributes
    ----------
    verdicts
        How many puzzles it agrees on with the oracle, is wrong on, failed on (an error, a crash, a
        lack of memory), refused, and was late on.
    failures
        One puzzle for each way in which it fails.
    unusable
        Why it could not be asked, or was asked no more.
    """

    solver: str
    verdicts: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    unusable: str = ""
    seconds: float = 0.0

    @property
    def asked(self) -> int:
        """How many puzzles it was asked about."""
        return self.verdicts.total()

    @property
    def ok(self) -> bool:
        """Whether it agreed wherever it answered."""
        return not (self.verdicts[WRONG] or self.verdicts[FAILED] or self.unusable)

    @property
    def verdict(self) -> str:
        """The outcome in a few words."""
        if self.unusable:
            return f"unusable: {self.unusable}"
        said = [f"{self.verdicts[v]:,} {v}" for v in (WRONG, FAILED, REFUSED, LATE)]
        odd = [text for text in said if not text.startswith("0 ")]
        return f"agrees{' but for ' if odd else ''}{', '.join(odd)}"

    def take(self, known: Known, answer: Answer) -> None:
        """Judge an answer."""
        verdict, text = judge(known, answer)
        self.verdicts[verdict] += 1
        if verdict in (WRONG, FAILED) and not self._is_known(verdict, text):
            self.failures.append(Failure(verdict, known.name, text, known.puzzle))
        if self.asked == _TRIALS and not self.verdicts[AGREES]:
            self.unusable = text or f"it was late on all of {_TRIALS} puzzles"

    def _is_known(self, verdict: str, text: str) -> bool:
        """Whether it has failed in this way before: the same words, but for numbers and cells."""
        sort = _sort(text)
        return any(f.verdict == verdict and _sort(f.text) == sort for f in self.failures)

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "solver": self.solver,
            "ok": self.ok,
            "asked": self.asked,
            "verdicts": dict(self.verdicts),
            "unusable": self.unusable,
            "seconds": round(self.seconds, 1),
            "failures": [
                {"verdict": f.verdict, "case": f.case, "text": f.text, "command": f.command}
                for f in self.failures
            ],
        }


@dataclass
class Survey:
    """What a survey found; `rows` has one entry for each solver."""

    rows: list[Surveyed]
    cases: int = 0
    random: int = 0
    seed: int = 0
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def ok(self) -> bool:
        """Whether every solver that could be asked agreed."""
        return all(row.ok or row.unusable for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the survey for JSON."""
        return {
            "cases": self.cases,
            "random": self.random,
            "seed": self.seed,
            "seconds": round(self.seconds, 1),
            "interrupted": self.interrupted,
            "solvers": [row.to_dict() for row in self.rows],
        }

    def __str__(self) -> str:
        usable = [row for row in self.rows if not row.unusable]
        return (
            f"{len(usable)} solvers, {sum(row.asked for row in usable):,} answers to "
            f"{self.cases} conformance cases and {self.random:,} random puzzles: "
            f"{sum(row.ok for row in usable)} agree, {sum(not row.ok for row in usable)} fail; "
            f"{len(self.rows) - len(usable)} unusable"
        )

    def __rich__(self) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("solver")
        table.add_column("asked", justify="right", no_wrap=True)
        table.add_column("outcome")
        for row in self.rows:
            style = "yellow" if row.unusable else "green" if row.ok else "red"
            table.add_row(Text(row.solver), f"{row.asked:,}", Text(row.verdict, style))
        told = [Text(f"{row.solver}: {f}") for row in self.rows for f in row.failures]
        return Group(table, *told, Text(str(self), "bold"))


def survey(
    solvers: Iterable[str] | None = None,
    *,
    puzzles: int = DEFAULT_PUZZLES,
    seconds: float | None = DEFAULT_SECONDS,
    seed: int = 0,
    cases: bool = True,
    out: str | Path = DEFAULT_OUT,
    isolate: bool = True,
    progress: Callable[[Survey], None] | None = None,
) -> Survey:
    """Ask many solvers about the conformance cases and about random puzzles.

    The oracle, which knows nothing but the rules, says what is right. Ctrl-C ends the survey; the
    report then says what was done until then.

    Parameters
    ----------
    solvers
        Names of backends and commands, as for :func:`csp_sudoku.cross_check`; default: all that
        this machine has.
    puzzles
        How many random puzzles.
    seconds
        How long each solver is asked: a slow one gets fewer puzzles. None for no limit.
    seed
        Which random puzzles.
    cases
        Whether to ask about the conformance cases, too.
    out
        A folder for the failures, each made smaller. It is made with the first failure.
    isolate
        False to run backends in the caller's process, where a crash ends the survey.
    progress
        Called after every answer.

    Examples
    --------
    >>> found = survey(["sat", "dlx"], puzzles=2, cases=False, isolate=False)
    >>> print(found)
    2 solvers, 4 answers to 0 conformance cases and 2 random puzzles: 2 agree, 0 fail; 0 unusable
    """
    check_query(timeout=seconds, seed=seed)
    count = check_count("puzzles", puzzles)
    found, unusable = solvers_at_hand() if solvers is None else ([*solvers], {})
    asked = [replace(p, name=s) for p, s in zip(participants(found), found, strict=True)]
    known = [*(_cases() if cases else ()), *_random(seed, count)]
    rows = [Surveyed(participant.name) for participant in asked]
    result = Survey(rows, len(known) - count, count, seed)
    started = time.monotonic()
    run = _Run(Asking(timeout=_PUZZLE_SECONDS, isolate=isolate), known, seconds)
    try:
        for _ in run.events(asked, rows):
            result.seconds = time.monotonic() - started
            if progress:
                progress(result)
        for participant, row in zip(asked, rows, strict=True):
            for i, failure in enumerate(row.failures[: 0 if row.unusable else _WRITTEN]):
                path = Path(out, f"{_file_name(participant.name)}-{i + 1}.json")
                row.failures[i] = run.smaller(participant, failure, path)
    except KeyboardInterrupt:
        result.interrupted = True
    result.rows += [Surveyed(name, unusable=reason) for name, reason in unusable.items()]
    result.seconds = time.monotonic() - started
    return result


def judge(known: Known, answer: Answer) -> tuple[str, str]:
    """What an answer is worth, and what is wrong with it."""
    faults = [f for f in judging.disagreements((answer, known.answer)) if f.name == answer.name]
    if faults:
        return WRONG, faults[0].text
    if answer.ending in _VERDICTS:
        return _VERDICTS[answer.ending], answer.text
    if answer.ending in MISHAPS or not answer.complete:
        return FAILED, f"{answer.ending.value}: {answer.text}"
    return AGREES, ""


class _Run:
    """Asks solvers about puzzles, some at a time."""

    def __init__(self, asking: Asking, known: list[Known], seconds: float | None) -> None:
        self._asking = asking
        self._known = known
        self._seconds = seconds

    def events(self, asked: list[Participant], rows: list[Surveyed]) -> Iterator[None]:
        """Ask one solver after the other about all puzzles; yield after every answer."""
        scheduler = Scheduler(shared_pool() if self._asking.isolate else None)
        running: dict[Job, tuple[Participant, Surveyed, Iterator[Known], Known, Collector]] = {}

        def ask_next(
            participant: Participant, row: Surveyed, left: Iterator[Known], at_once: bool = False
        ) -> None:
            spent = self._seconds is not None and row.seconds > self._seconds
            known = None if spent or row.unusable else next(left, None)
            if known is not None:
                job, collector = self._question(participant, known.puzzle)
                running[job] = participant, row, left, known, collector
                scheduler.add(job, at_once=at_once)

        for participant, row in zip(asked, rows, strict=True):
            ask_next(participant, row, iter(self._known))
        with closing(scheduler.events()) as events:
            for job, event in events:
                participant, row, left, known, collector = running[job]
                if event is not None:
                    collector.take(event)
                    continue
                del running[job]
                row.seconds += time.monotonic() - job.started
                row.take(known, collector.answer)
                yield
                # At once: its worker has the solver loaded.
                ask_next(participant, row, left, at_once=True)

    def smaller(self, participant: Participant, failure: Failure, path: Path) -> Failure:
        """Return a failure in the smallest puzzle found that shows it, written to a file."""
        last = failure

        def shows(puzzle: Puzzle) -> bool:
            nonlocal last
            known = _solved(failure.case, puzzle)
            if known is None:
                return False
            verdict, text = judge(known, ask_one(self._asking, participant, known.puzzle))
            if verdict != failure.verdict:
                return False
            last = Failure(verdict, failure.case, text, known.puzzle)
            return True

        smallest(failure.puzzle, shows, seconds=_SHRINK_SECONDS)
        try:
            text = write_json(writable(last.puzzle))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n", encoding="utf-8")
        except (OSError, CspSudokuError) as error:
            return replace(last, command=f"its puzzle cannot be written: {error}")
        option = "--solver" if "{" in participant.name else "--backend"
        words = ["csp-sudoku", "cross-check", str(path), option, participant.name]
        return replace(last, command=command_line(words))

    def _question(self, participant: Participant, puzzle: Puzzle) -> tuple[Job, Collector]:
        graph = graph_of(puzzle, self._asking.deadline)
        collector = Collector(participant, participant.way, puzzle)
        return self._asking.solve(participant, puzzle, graph), collector


def _cases() -> Iterator[Known]:
    for case in conformance_cases():
        yield Known.of(case.name, *comparable(case, _MOST))


def _random(seed: int, count: int) -> Iterator[Known]:
    found = number = 0
    while found < count:
        number += 1
        drawn = random_puzzle(seed, number)
        known = _solved(f"seed {seed}, puzzle {number}", drawn.puzzle) if drawn.tiny else None
        if known is not None:
            found += 1
            yield known


def _solved(name: str, puzzle: Puzzle) -> Known | None:
    """The puzzle with its solutions, narrowed to few; None if the oracle takes too long."""
    listed = solutions(puzzle, "brute", timeout=_ORACLE_SECONDS)
    wanted = frozenset(listed)
    if not listed.complete:
        return None
    return Known.of(name, *narrowed(puzzle, wanted, _MOST))


def _file_name(solver: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", solver).strip("-")


def _sort(text: str) -> str:
    return re.sub(r"\d+", "#", text)[:60]
