"""The conformance suite as one run: which cases a backend passes, fails and refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from csp_sudoku.backends.base import Backend
from csp_sudoku.errors import BackendError
from csp_sudoku.testing.conformance import check_case, check_session, conformance_cases

SESSIONS = "sessions"
"""The name of the check of sessions, deadlines, limits and seeds among the cases."""


@dataclass
class ConformanceReport:
    """What became of each case.

    Attributes
    ----------
    passed
        The cases in which the backend said what the oracle says.
    failed
        For the others, what is wrong.
    refused
        The cases that the backend finds too large, where it may say so.
    """

    backend: str
    passed: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing failed, and something was compared: to refuse everything is a failure."""
        return not self.failed and any(name != SESSIONS for name in self.passed)

    def to_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "backend": self.backend,
            "ok": self.ok,
            "passed": self.passed,
            "failed": self.failed,
            "refused": self.refused,
        }

    def __str__(self) -> str:
        counts = f"{len(self.passed)} passed, {len(self.failed)} failed"
        refused = f", {len(self.refused)} refused" if self.refused else ""
        return f"{self.backend}: {counts}{refused}: {'conforms' if self.ok else 'does not conform'}"


def check_backend(
    backend: str | Backend,
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    most: int | None = None,
    may_refuse: bool = False,
    progress: Callable[[str, str], None] | None = None,
) -> ConformanceReport:
    """Run the conformance suite on a backend; nothing is raised for a case that fails.

    Parameters
    ----------
    backend
        Its name, as of a plug-in, or an object.
    include, exclude
        Patterns of names of cases, such as ``KillerCage*`` or ``killer*``; default: all. A pattern
        that fits no case is a :class:`BackendError`. The check of sessions, deadlines, limits and
        seeds is called ``sessions``.
    most, may_refuse
        As for :func:`csp_sudoku.testing.check_case`.
    progress
        Called with the name of each case, and with what is wrong, if anything.

    Examples
    --------
    >>> print(check_backend("sat", include=["Thermometer*"]))
    sat: 5 passed, 0 failed: conforms
    """
    cases = conformance_cases()
    names = {case.name for case in cases} | {SESSIONS}
    wanted = _fitting(names, list(include) or ["*"]) - _fitting(names, exclude)
    report = ConformanceReport(backend if isinstance(backend, str) else backend.name)

    def run(name: str, check: Callable[[], bool]) -> None:
        if name not in wanted:
            return
        try:
            (report.passed if check() else report.refused).append(name)
        except AssertionError as error:
            report.failed[name] = str(error).removeprefix(f"{name}: ") or "it is wrong"
        except Exception as error:  # whatever a backend does wrong is a finding
            report.failed[name] = f"{type(error).__name__}: {error}"
        if progress:
            progress(name, report.failed.get(name, ""))

    for case in cases:
        run(case.name, partial(check_case, backend, case, most=most, may_refuse=may_refuse))

    def sessions() -> bool:
        check_session(backend)
        return True

    run(SESSIONS, sessions)
    return report


def _fitting(names: set[str], patterns: Iterable[str]) -> set[str]:
    """The names that fit a pattern, without regard to capitals."""
    found: set[str] = set()
    for pattern in patterns:
        fitting = {name for name in names if fnmatchcase(name.lower(), pattern.lower())}
        if not fitting:
            raise BackendError(f"no case of the suite is called {pattern!r}")
        found |= fitting
    return found
