"""Cross-check many puzzles, one after the other or on many workers, and sum up what was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from csp_sudoku.crosscheck.agreement import Agreement, Outcome, Role
from csp_sudoku.crosscheck.run import cross_check
from csp_sudoku.crosscheck.shrink import failures
from csp_sudoku.executors import in_order


def cross_check_many(
    puzzles: Iterable[object], *, executor: Executor | None = None, **settings: Any
) -> Iterator[Agreement]:
    """Cross-check many puzzles; the agreements have the order of the puzzles.

    Parameters
    ----------
    puzzles
        What :func:`cross_check` takes. Rules with lambdas can go to threads and to Dask workers,
        but not to a :class:`concurrent.futures.ProcessPoolExecutor`.
    executor
        Any :class:`concurrent.futures.Executor`. Its workers run the backends in their own process
        unless ``isolate=True`` is given.
    settings
        As in :func:`cross_check`.

    Examples
    --------
    >>> found = cross_check_many(["0100 3001 4002 0040", "1..." * 4], isolate=False)
    >>> [agreement.summary for agreement in found]
    ['one solution, certified', 'no solution, certified']
    """
    if executor is None:
        return (cross_check(puzzle, **settings) for puzzle in puzzles)
    return in_order(executor, partial(cross_check, **{"isolate": False, **settings}), puzzles)


@dataclass(frozen=True)
class FailedRow:
    """A puzzle of a file on which a solver fails: its row, how, and how to see it again."""

    row: int
    agreement: Agreement
    file: str = ""
    command: str = ""

    @property
    def sort(self) -> str:
        """Equal for failures of the same kind: the same words, but for numbers and cells."""
        wrong = map(str, self.agreement.disagreements)
        return re.sub(r"\d+", "#", "; ".join(wrong)) or str(sorted(failures(self.agreement)))

    def __str__(self) -> str:
        return f"puzzle {self.row}: {self.agreement.summary}"


@dataclass
class ManySummary:
    """The cross-checks of many puzzles in numbers, and those that failed.

    Attributes
    ----------
    outcomes
        How many puzzles have each outcome.
    unanswered
        For each solver under test, on how many puzzles it gave no answer.
    failures
        The puzzles on which a solver is wrong, or one under test gave no answer.
    errors
        The puzzles that cannot be read: row and reason.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    failures: list[FailedRow] = field(default_factory=list)
    errors: dict[int, str] = field(default_factory=dict)

    @property
    def puzzles(self) -> int:
        """How many puzzles there were."""
        return self.outcomes.total() + len(self.errors)

    @property
    def undecided(self) -> int:
        """How many puzzles nobody decided, or could read."""
        return self.outcomes[Outcome.UNKNOWN.value] + len(self.errors)

    def take(self, row: int, agreement: Agreement) -> FailedRow | None:
        """Count a puzzle; return its failure, if a solver fails on it."""
        self.outcomes[agreement.limited(agreement.outcome.value)] += 1
        self.wrong.update({d.name for d in agreement.disagreements})
        self.unanswered.update(a.name for a in agreement.unanswered if a.role is Role.TESTED)
        if agreement.ok:
            return None
        self.failures.append(FailedRow(row, agreement))
        return self.failures[-1]

    def to_dict(self) -> dict[str, Any]:
        """Return the summary for JSON."""
        return {
            "puzzles": self.puzzles,
            "outcomes": dict(self.outcomes),
            "wrong": dict(self.wrong),
            "unanswered": dict(self.unanswered),
            "failures": [
                {"row": f.row, "summary": f.agreement.summary, "file": f.file, "command": f.command}
                for f in self.failures
            ],
            "errors": [{"row": row, "error": text} for row, text in self.errors.items()],
        }

    def __str__(self) -> str:
        counts = [f"{number:,} {outcome}" for outcome, number in self.outcomes.items()]
        counts += [f"{len(self.errors):,} unreadable"] if self.errors else []
        lines = [f"{self.puzzles:,} puzzles: {', '.join(counts) or 'none'}"]
        lines += [f"{name} is wrong on {number:,}" for name, number in self.wrong.items()]
        lines += [f"{name} gave no answer to {n:,}" for name, n in self.unanswered.items()]
        return "\n".join(lines)
