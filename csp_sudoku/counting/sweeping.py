"""Count by a sweep: partial assignments with equal states are counted together.

See :mod:`csp_encodings.sweep`. It is exact, and it needs no more than the graph. Its time and its
memory grow with the number of states, not with that of solutions.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import networkx as nx
import numpy as np

from csp_encodings.errors import BudgetError
from csp_encodings.jit import announced
from csp_encodings.sweep import Planner, Sweep
from csp_encodings.watch import OutOfTime, watched
from csp_sudoku.kernels.sweep import (
    FULL,
    LIMB,
    OVERFLOW,
    Layout,
    States,
    StepArrays,
    as_arrays,
    enter,
    lay_out,
    sweep,
)
from csp_sudoku.running.deadlines import has_passed

_LOG = logging.getLogger("csp_sudoku")

MOST_BYTES = 1 << 30
"""The memory that a sweep may take."""

# Work between two looks at the clock, in values of slots, and room for states when a step begins.
_SLICE, _ROOM = 400_000, 1 << 10
# Each order may have so many states; the best third may have more, and the best one any number.
_TRIALS = (4_000, 100_000, None)


def _room(room: int, words: int, limbs: int) -> States:
    """Room for states that come out of a step."""
    return States(
        np.empty((room, words), np.uint64),
        np.empty((room, limbs), np.uint64),
        np.full(4 * room, -1, np.int64),
    )


def _doubled(states: States, size: int) -> States:
    other = _room(2 * len(states.keys), states.keys.shape[1], states.counts.shape[1])
    other.keys[:size] = states.keys[:size]
    other.counts[:size] = states.counts[:size]
    enter(other, size)
    return other


def _bytes(states: States) -> int:
    return sum(array.nbytes for array in states)


def count_by_sweep(
    graph: nx.Graph, deadline: float | None = None, most_bytes: int | None = None
) -> int:
    """Count the solutions of a graph by a sweep over its variables.

    Raises :class:`OutOfTime`, and :class:`BudgetError` if there are too many states or values, or a
    factor is too large.

    Examples
    --------
    >>> from csp_sudoku.puzzle import Puzzle
    >>> count_by_sweep(Puzzle.blank(4).graph)
    288
    """
    room = MOST_BYTES if most_bytes is None else most_bytes
    with watched(deadline):
        planner = Planner(graph)
        if not planner.solvable:
            return 0
        runs: Iterator[_Run] = (_Run(planner.plan(order)) for order in planner.orders())
        # Some orders have far fewer states than others, and trying is the surest way to know.
        tried: list[_Run] = []
        for most in _TRIALS:
            tried = []
            for run in runs:
                if run.go_on(most, room, deadline):
                    return run.total
                tried.append(run)
            tried.sort(key=lambda run: -run.done)
            runs = iter(tried[: -(-len(tried) // 3)])
    number, done = len(tried[0].states.keys), tried[0].done
    raise BudgetError(f"{number:,} states after {done} of {len(planner.mask)} variables, and more")


class _Run:
    """A sweep in one order, as far as it has come."""

    def __init__(self, planned: Sweep) -> None:
        self.planned = planned
        self.done = 0
        self.values = len(planned.values)
        self.layout, self.slots = lay_out(self.values, 0, []), 0
        self.states = _room(1, self.layout.words, 1)
        self.states.keys[:], self.states.counts[:] = 0, 1

    def go_on(self, most: int | None, most_bytes: int, deadline: float | None) -> bool:
        """Take steps until there are too many states; whether all steps are taken."""
        for step in self.planned.steps[self.done :]:
            widths = [machine.width for machine in step.machines if machine.width]
            after = lay_out(self.values, len(step.slots), widths)
            task = (as_arrays(step, self.slots, self.values), self.layout, after)
            with announced("the kernel of the sweep"):
                states = self._step(task, most, most_bytes, deadline)
            if states is None:
                return False
            self.states, self.layout, self.slots = states, after, len(step.slots)
            self.done += 1
            _LOG.debug("sweep: %s, %d states", step.variable, len(states.keys))
        return True

    def _step(
        self,
        task: tuple[StepArrays, Layout, Layout],
        most: int | None,
        most_bytes: int,
        deadline: float | None,
    ) -> States | None:
        """The states after a step; None if these are too many."""
        states = self.states
        words = task[2].words
        part = max(1, _SLICE // (task[0].allowed.size + 1))
        out, size, start = _room(_ROOM, words, states.counts.shape[1]), 0, 0
        while start < len(states.keys):
            if has_passed(deadline):
                raise OutOfTime
            stop = min(start + part, len(states.keys))
            start, size, end = sweep(task, states, out, size, (start, stop))
            if end == FULL:
                much = 3 * _bytes(out) + _bytes(states) > most_bytes
                if much or (most is not None and size > most):
                    return None
                out = _doubled(out, size)
            elif end == OVERFLOW:
                more = np.zeros(len(states.counts), np.uint64)
                states = states._replace(counts=np.column_stack([states.counts, more]))
                out, size, start = _room(len(out.keys), words, states.counts.shape[1]), 0, 0
        return States(out.keys[:size].copy(), out.counts[:size].copy(), np.empty(0, np.int64))

    @property
    def total(self) -> int:
        """The assignments of all states together."""
        rows = self.states.counts.tolist()
        return sum(limb << LIMB * place for row in rows for place, limb in enumerate(row))
