"""Kernels are called for a slice of work at a time.

In between, plain Python looks at the deadline, and a Ctrl-C comes through.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator

from csp_encodings.graph import Assignment
from csp_sudoku.backends.base import (
    Drained,
    Enumeration,
    OutOfTime,
    Statistics,
    check_deadline,
)
from csp_sudoku.running.deadlines import has_passed

# How long a kernel works before plain Python looks at the clock.
_SLICE_SECONDS = 0.03


class SlicedEnumeration(Enumeration):
    """The solutions of one query of a kernel, which also passes over many of them by itself."""

    def __init__(self, statistics: Statistics, first_slice: int, deadline: float | None) -> None:
        super().__init__(self._each(), statistics)
        self._slice = first_slice
        self._deadline = deadline
        self._exhausted = False

    @abstractmethod
    def _run(self, wanted: int, budget: int) -> int:
        """Call the kernel for so many solutions more or so much work; gives how many it passed.

        It says in `_exhausted` whether there is nothing more to find.
        """

    @abstractmethod
    def _solution(self) -> Assignment:
        """One of the solutions that were passed, when all that were wanted have been."""

    def drain(self, limit: int | None = None) -> Drained:
        return self.pass_over(limit)

    def pass_over(self, limit: int | None) -> Drained:
        """Pass over the next `limit` solutions; the sample is taken at powers of two."""
        count, sample = 0, []
        started = time.perf_counter()
        try:
            while not (self._exhausted or self._given_up or self.out_of_time or count == limit):
                power = 1 << count.bit_length()
                found = self._search(power - count if limit is None else min(power, limit) - count)
                count += found
                if found and count == power:
                    sample.append(self._solution())
            self.complete = self._exhausted
        except OutOfTime:
            self.out_of_time = True
        except BaseException:
            self._given_up = True
            raise
        finally:
            self.statistics.solve_seconds += time.perf_counter() - started
            self.statistics.solutions += count
        return Drained(count, sample)

    def _each(self) -> Iterator[Assignment]:
        while not self._exhausted:
            if self._search(1):
                yield self._solution()

    def _search(self, wanted: int) -> int:
        """Search for one slice; gives how many solutions were passed."""
        check_deadline(self._deadline)
        started = time.perf_counter()
        passed = self._run(wanted, self._slice)
        if passed < wanted and not self._exhausted:
            self._slice = next_slice(self._slice, time.perf_counter() - started)
        return passed


def run_in_slices(work: Callable[[int], bool], first: int, deadline: float | None) -> bool:
    """Call a kernel for a slice of work at a time until it says that it is done; or in vain."""
    budget = first
    while not has_passed(deadline):
        started = time.perf_counter()
        if work(budget):
            return True
        budget = next_slice(budget, time.perf_counter() - started)
    return False


def next_slice(budget: int, seconds: float) -> int:
    """Twice or half as much work, so that a slice comes to last about so long."""
    return budget * 2 if seconds < _SLICE_SECONDS else max(budget // 2, 1)
