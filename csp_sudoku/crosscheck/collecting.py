"""Collect the events of one solver into its answer, and verify each solution."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from csp_sudoku.cells import Place
from csp_sudoku.checking.verify import keeps_rules, verify
from csp_sudoku.crosscheck.agreement import Answer, Ending, Role, Way
from csp_sudoku.crosscheck.asking import Asking, graph_of
from csp_sudoku.crosscheck.jobs import Scheduler
from csp_sudoku.crosscheck.participants import Grids, Participant
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.isolation import Lost, shared_pool
from csp_sudoku.running.worker import Compiled, Done, Failed, Found
from csp_sudoku.solving.solution import Solution

_ENDINGS = {
    "time": Ending.TIME,
    "stuck": Ending.STUCK,
    "refused": Ending.REFUSED,
    "error": Ending.ERROR,
    "crash": Ending.CRASH,
    "hang": Ending.HANG,
    "memory": Ending.MEMORY,
}


class Collector:
    """Collects the answer of one participant."""

    def __init__(self, participant: Participant, way: Way, puzzle: Puzzle) -> None:
        self.participant = participant
        self.way = way
        self._puzzle = puzzle
        self._solutions: dict[Solution, None] = {}
        self._wrong: list[tuple[Mapping[Place, int], str]] = []
        self._repeats = 0
        self._compiled = Compiled(0.0, {})
        self._done = Done(False, False, {})
        self._single = False
        self._claimed: int | None = None
        self._failed: Failed | Lost | None = None

    def take(self, event: Any) -> None:
        """Add an event."""
        match event:
            case Compiled():
                self._compiled = event
            case Found():
                for row in event.rows:
                    self._take_grid(dict(zip(self._puzzle.variables, row, strict=True)))
            case Grids():
                self._single, self._claimed = event.single, event.claimed
                for grid in event.grids:
                    self._take_grid(grid)
            case Done():
                self._done = event
            case Failed() | Lost():
                self._failed = event

    @property
    def answer(self) -> Answer:
        """The answer so far."""
        statistics = self._done.statistics
        return Answer(
            self.participant.name,
            self.participant.family,
            self.way,
            self._ending,
            tuple(self._solutions),
            tuple(self._wrong),
            self._repeats,
            self._compiled.seconds,
            float(statistics.get("solve_seconds", 0.0)),
            self._compiled.size,
            statistics,
            self._failed.text if self._failed else "",
            self.participant.role if self.way is not Way.REFERENCE else Role.EXTRA,
            self._claimed,
        )

    @property
    def _ending(self) -> Ending:
        if self._failed:
            return _ENDINGS[self._failed.kind]
        if self._done.complete:
            return Ending.COMPLETE
        if self._done.out_of_time:
            return Ending.TIME
        if self._claimed is not None:
            return Ending.COUNT
        return Ending.OPEN if self._single else Ending.LIMIT

    def _take_grid(self, values: Mapping[Place, int]) -> None:
        fault = self._fault(values)
        if fault:
            self._wrong.append((values, fault))
            return
        solution = Solution(values, self._puzzle)
        self._repeats += solution in self._solutions
        self._solutions[solution] = None

    def _fault(self, values: Mapping[Place, int]) -> str:
        """Why a grid is not a solution; empty if it is one."""
        if len(values) == len(self._puzzle.variables) and keeps_rules(self._puzzle, values):
            return ""
        judged = verify(self._puzzle, values)
        if judged.violations:
            return str(judged.violations[0])
        return f"{judged.missing[0]} is empty"


def ask_one(asking: Asking, participant: Participant, puzzle: Puzzle) -> Answer:
    """Ask one participant about a puzzle, and wait for the answer."""
    scheduler = Scheduler(shared_pool() if asking.isolate else None)
    collector = Collector(participant, participant.way, puzzle)
    scheduler.add(asking.solve(participant, puzzle, graph_of(puzzle, asking.deadline)))
    with closing(scheduler.events()) as events:
        for _, event in events:
            collector.take(event)
    return collector.answer
