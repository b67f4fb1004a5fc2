"""What solving gives: the solutions, and a status that says exactly what is proven."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from csp_sudoku.backends.base import Statistics
from csp_sudoku.errors import UndecidedError
from csp_sudoku.solving.answers import refuse_left_out
from csp_sudoku.solving.solution import Solution


class Status(Enum):
    """What is known after a run."""

    ALL_FOUND = "all found"
    """There are solutions, and all of them were found."""
    SOME_FOUND = "some found"
    """Solutions were found; there may be more (a limit or the time stopped the run)."""
    NONE_EXIST = "none exist"
    """The whole space was searched: there is no solution."""
    UNKNOWN = "unknown"
    """No solution was found, and there may be some: see `Result.reason`."""

    @classmethod
    def of(cls, found: bool, complete: bool) -> Status:
        """Return the status of a run: did it find a solution, and did it search everything?"""
        if found:
            return cls.ALL_FOUND if complete else cls.SOME_FOUND
        return cls.NONE_EXIST if complete else cls.UNKNOWN


@dataclass(frozen=True, init=False)
class Result:
    """The answer of :func:`csp_sudoku.solve`."""

    status: Status
    solutions: tuple[Solution, ...]
    backend: str
    """Who answered; for a portfolio, which member: ``auto: sat``."""
    statistics: Statistics
    left_out: tuple[str, ...] = ()
    """Rules of the puzzle's source that were not part of the question; see `Puzzle.left_out`."""
    reason: str = ""
    """What stopped the run: time, the caller, or where the backend was stuck; else empty."""

    def __init__(
        self,
        status: Status,
        solutions: tuple[Solution, ...],
        backend: str,
        statistics: Statistics,
        left_out: tuple[str, ...] = (),
        *,
        reason: str = "",
    ) -> None:
        # What a frozen dataclass does, in a third of the time: a batch makes many results.
        own = self.__dict__
        own["status"] = status
        own["solutions"] = solutions
        own["backend"] = backend
        own["statistics"] = statistics
        own["left_out"] = left_out
        own["reason"] = reason

    def __repr__(self) -> str:
        first = [repr(solution) for solution in self.solutions[:1]]
        more = [f"{len(self.solutions) - 1:,} more"] if len(self.solutions) > 1 else []
        said = ", ".join([self.status.value, *first, *more])
        return f"<Result of {self.backend}: {said}{self.reason and f' ({self.reason})'}>"

    @property
    def complete(self) -> bool:
        """Whether these are all the solutions there are."""
        return self.status in (Status.ALL_FOUND, Status.NONE_EXIST)


@dataclass(frozen=True)
class Count:
    """The answer of :func:`csp_sudoku.count`: `value` solutions, exactly when `complete`.

    The first solutions and a sample of the rest were checked against the rules: `verified` says
    how many.
    """

    value: int
    complete: bool
    verified: int
    backend: str
    """Who answered; for a portfolio, which member: ``auto: sat``."""
    statistics: Statistics
    left_out: tuple[str, ...] = ()
    """Rules of the puzzle's source that were not part of the question; see `Puzzle.left_out`."""
    reason: str = ""
    """What stopped the run: time, the caller, or where the backend was stuck; else empty."""

    def __int__(self) -> int:
        refuse_left_out(self)
        if not self.complete:
            raise UndecidedError(
                f"the count is not complete: at least {self.value}; read .value for that"
            )
        return self.value
