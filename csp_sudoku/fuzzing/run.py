"""The loop over random puzzles, and its report."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

import msgspec

from csp_sudoku.backends import get as find_backend
from csp_sudoku.constraints import registry
from csp_sudoku.errors import FormatError
from csp_sudoku.fuzzing import worker
from csp_sudoku.fuzzing.findings import Finding
from csp_sudoku.fuzzing.laws import LAWS
from csp_sudoku.solving.query import check_count, check_query

DEFAULT_OUT = "fuzz-findings"

# How often a record is written.
_SAVE_SECONDS = 20.0
_COUNTERS = ("laws", "kinds", "cases", "shapes")


@dataclass
class FuzzReport:
    """The result of a run.

    Attributes
    ----------
    puzzles
        How many puzzles were examined.
    refused
        How many draws of rules were refused, by the rule or by the puzzle.
    solutions
        How many solutions were found and verified.
    comparisons
        How often a complete set of solutions was compared.
    unknowns
        How often a solver ran out of time.
    laws, kinds
        How often each law was tried, and each kind of rule drawn.
    cases, shapes
        How often each part of the library was tried, such as ``read: iss``; how many puzzles had
        each shape.
    findings
        The faults; ideally none.
    following
        The number with which a run that goes on begins.
    """

    seed: int
    puzzles: int = 0
    refused: int = 0
    solutions: int = 0
    comparisons: int = 0
    unknowns: int = 0
    laws: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    cases: Counter[str] = field(default_factory=Counter)
    shapes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False
    following: int = 0

    def take(self, checked: worker.Checked) -> None:
        """Count a puzzle."""
        self.puzzles += checked.puzzles
        self.following = checked.number + 1
        self.refused += checked.refused
        self.solutions += checked.solutions
        self.comparisons += checked.comparisons
        self.unknowns += checked.unknowns
        self.laws.update(checked.laws)
        self.kinds.update(checked.kinds)
        self.cases.update(checked.cases)
        self.shapes.update(checked.shapes)
        self.findings += checked.findings

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def to_dict(self) -> dict[str, Any]:
        """Return the report for JSON, with 0 for laws and kinds that never occurred."""
        return {
            "seed": self.seed,
            "seconds": round(self.seconds, 1),
            "interrupted": self.interrupted,
            "puzzles": self.puzzles,
            "refused": self.refused,
            "solutions": self.solutions,
            "comparisons": self.comparisons,
            "unknowns": self.unknowns,
            "laws": {name: self.laws[name] for name in LAWS},
            "kinds": {name: self.kinds[name] for name in registry.names()},
            "cases": dict(sorted(self.cases.items())),
            "shapes": dict(sorted(self.shapes.items())),
            "following": self.following,
            "findings": [
                {name: getattr(finding, name) for name in finding.__struct_fields__}
                for finding in self.findings
            ],
        }

    @classmethod
    def resumed(cls, path: Path, seed: int) -> FuzzReport:
        """Return the report of an earlier run of a seed, to go on with; a new one without a file.

        Raises :class:`FormatError` if the file is no record, or of another seed.
        """
        if not path.exists():
            return cls(seed)
        try:
            held = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
            counters = {name: Counter(held[name]) for name in _COUNTERS}
            findings = msgspec.convert(held["findings"], list[Finding])
            report = cls(**held | counters | {"findings": findings, "interrupted": False})
        except (msgspec.MsgspecError, OSError, KeyError, TypeError) as error:
            raise FormatError(f"{path} is no record of a fuzz: {error}") from None
        if report.seed != seed:
            raise FormatError(f"{path} is the record of seed {report.seed}, not {seed}")
        return report

    def save(self, path: Path) -> None:
        """Write the report, whole or not at all."""
        beside = path.with_name(f"{path.name}.part")
        beside.write_text(json.dumps(self.to_dict(), indent=1) + "\n", encoding="utf-8")
        beside.replace(path)

    def __str__(self) -> str:
        names = registry.names()
        covered = sum(1 for name in names if self.kinds[name])
        found = f"{len(self.findings)} findings" if self.findings else "no finding"
        return (
            f"{self.puzzles:,} puzzles in {self.seconds:,.0f} s ({self.rate:.1f} a second), "
            f"{covered} of {len(names)} kinds of rules, {self.refused:,} draws "
            f"refused; {self.solutions:,} solutions, {self.comparisons:,} comparisons, "
            f"{self.laws.total():,} trials of {len(self.laws)} laws, {self.unknowns:,} out of "
            f"time; {found}"
        )

    @property
    def rate(self) -> float:
        """Puzzles per second."""
        return self.puzzles / self.seconds if self.seconds else 0.0


def fuzz(
    minutes: float | None = None,
    seed: int = 0,
    *,
    puzzles: int | None = None,
    backends: Iterable[str] = (),
    out: str | Path = DEFAULT_OUT,
    siblings: int | None = None,
    record: str | Path | None = None,
    isolate: bool = True,
    stop_at_first: bool = False,
    progress: Callable[[FuzzReport], None] | None = None,
) -> FuzzReport:
    """Look for faults with random puzzles: solvers that disagree, laws that do not hold, crashes.

    The puzzles and their examination depend on the seed, and on the plug-ins that are installed.
    Ctrl-C ends the run; the report then says what was done until then.

    Parameters
    ----------
    minutes, puzzles
        How long, and how many puzzles; default: 1 minute.
    seed
        Which puzzles to draw.
    backends
        The backends to examine, besides the oracle; default: all, with all their settings.
    out
        A folder for findings: each is a shrunk puzzle with a note beside it. It is made with the
        first finding.
    siblings
        How many further puzzles to draw with the rules of each. They have other givens, share the
        compiled rules, and so take a tenth of the time. They also go through batches, the checker
        and all formats.
    record
        A file that holds the report, also after an interrupt. If it exists, the run goes on where
        it ended.
    isolate
        False to run in the caller's process, where a crash ends the run.
    stop_at_first
        Whether to stop at the first finding.
    progress
        Called after every puzzle.

    Examples
    --------
    >>> report = fuzz(puzzles=2, seed=1, isolate=False)
    >>> report.puzzles, report.findings
    (2, [])
    """
    check_query(timeout=None if minutes is None else minutes * 60, seed=seed)
    if puzzles is not None:
        puzzles = check_count("puzzles", puzzles)
    if minutes is None and puzzles is None:
        minutes = 1.0
    further = 0 if siblings is None else check_count("siblings", siblings)
    settings = worker.Settings(seed, str(out), tuple(backends), further)
    for backend in settings.backends:
        find_backend(backend)  # a wrong name is a mistake of the caller, not a finding
    path = None if record is None else Path(record)
    report = FuzzReport(seed) if path is None else FuzzReport.resumed(path, seed)
    if puzzles is not None and report.puzzles >= puzzles:
        return report
    before, saved = report.seconds, time.monotonic()
    started = time.monotonic()
    deadline = inf if minutes is None else started + minutes * 60
    events = worker.isolated if isolate else worker.here
    try:
        with closing(events(settings, report.following)) as found:
            for event in found:
                if isinstance(event, worker.Started):
                    continue
                report.take(event)
                report.seconds = before + time.monotonic() - started
                if path and time.monotonic() > saved + _SAVE_SECONDS:
                    report.save(path)
                    saved = time.monotonic()
                if progress:
                    progress(report)
                if (
                    (puzzles is not None and report.puzzles >= puzzles)
                    or time.monotonic() > deadline
                    or (stop_at_first and report.findings)
                ):
                    break
    except KeyboardInterrupt:
        report.interrupted = True
    report.seconds = before + time.monotonic() - started
    if path:
        report.save(path)
    return report
