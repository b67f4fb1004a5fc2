"""Turn a question to a participant into a job: for a worker process, or for this process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec
import networkx as nx

from csp_encodings import serial
from csp_encodings.watch import OutOfTime, watched
from csp_sudoku import backends as registry
from csp_sudoku.backends.base import Backend
from csp_sudoku.backends.brute import BruteSession
from csp_sudoku.crosscheck.claim_reading import Claim
from csp_sudoku.crosscheck.grids import all_grids
from csp_sudoku.crosscheck.jobs import Job
from csp_sudoku.crosscheck.participants import Grids, Participant
from csp_sudoku.crosscheck.puzzle_programs import PuzzleProgram
from csp_sudoku.errors import BudgetError
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.deadlines import deadline_after, seconds_left
from csp_sudoku.running.worker import Done, Failed, Question, Reply, Request, Row, replies
from csp_sudoku.solving.results import Result, Status


@dataclass(frozen=True)
class Asking:
    """How participants are asked.

    Attributes
    ----------
    limit, timeout, seed
        How many solutions, how many seconds, and which random choices.
    memory
        The bytes that a worker may use; None for no limit.
    isolate
        Whether backends run in workers.
    """

    limit: int | None = None
    timeout: float | None = None
    seed: int | None = None
    memory: int | None = None
    isolate: bool = True

    @property
    def deadline(self) -> float | None:
        """The deadline of what begins now."""
        return deadline_after(self.timeout)

    def solve(self, participant: Participant, puzzle: Puzzle, graph: nx.Graph | Failed) -> Job:
        """Ask a participant for the solutions of a puzzle; `graph` may say why there is none."""
        timeout = participant.timeout(self.timeout)
        if not participant.takes_graphs:
            return Job(timeout, work=lambda: self._ask_about_rules(participant, puzzle, timeout))
        if isinstance(graph, Failed):
            return Job(timeout, work=lambda: [graph])
        assert isinstance(participant.solver, str | Backend)
        question = Question(self.limit, self.seed)
        return self._about_graph(participant.solver, participant.family, graph, question, timeout)

    def prove(self, graph: nx.Graph, known: tuple[Row, ...]) -> Job:
        """Ask for a proof that there are no solutions but the known ones."""
        return self._about_graph("sat", "sat", graph, Question(known=known), self.timeout)

    def find_core(self, graph: nx.Graph, restrict: tuple[tuple[int, tuple[int, ...]], ...]) -> Job:
        """Ask which of the restricted variables are enough to leave no solution."""
        return self._about_graph("sat", "sat", graph, Question(restrict=restrict), self.timeout)

    def _about_graph(
        self,
        solver: str | Backend,
        kind: str,
        graph: nx.Graph,
        question: Question,
        timeout: float | None,
    ) -> Job:
        if isinstance(solver, str) and self.isolate:
            deadline = deadline_after(timeout)
            document = msgspec.Raw(serial.dumps(graph))
            left = seconds_left(deadline)
            return Job(
                left, request=Request(document, solver, question, left, self.memory), kind=kind
            )
        return Job(
            timeout,
            work=lambda: replies(graph, registry.get(solver), question, deadline_after(timeout)),
        )

    def _ask_about_rules(
        self, participant: Participant, puzzle: Puzzle, timeout: float | None
    ) -> Iterator[Reply | Grids]:
        """Ask the oracle, a program that reads puzzles, or a function; here and now."""
        solver, deadline = participant.solver, deadline_after(timeout)
        if solver == "brute":
            found = BruteSession(puzzle).solutions(deadline=deadline)
            yield Grids(tuple(islice(found, self.limit)))
            yield Done(found.complete, found.out_of_time, {})
        elif isinstance(solver, PuzzleProgram):
            yield from _claimed(solver.ask(puzzle, deadline), self.limit)
        else:
            assert callable(solver)
            yield from _returned(solver(puzzle), puzzle, self.limit)


def graph_of(puzzle: Puzzle, deadline: float | None) -> nx.Graph | Failed:
    """Return the graph of a puzzle, or why there is none."""
    try:
        with watched(deadline):
            return shared_graph(puzzle)
    except BudgetError as error:
        return Failed("refused", str(error))
    except OutOfTime:
        return Failed("time", "time ran out before the constraint graph was built")


def _returned(given: Any, puzzle: Puzzle, limit: int | None) -> Iterator[Reply | Grids]:
    """What a function returned, as replies."""
    if isinstance(given, Result):
        yield Grids(given.solutions)
        yield Done(given.complete, given.status is Status.UNKNOWN, {})
        return
    grids, single = (iter(()), False) if given is None else all_grids(given, puzzle)
    taken = tuple(islice(grids, limit))
    yield Grids(taken, single)
    # A list that ends before the limit claims to be complete.
    yield Done(not single and (limit is None or len(taken) < limit), False, {})


def _claimed(claim: Claim, limit: int | None) -> Iterator[Reply | Grids]:
    """What a program printed, as replies."""
    grids = claim.grids[:limit]
    # A number that its grids do not bear out is what it claims.
    claimed = None if claim.count in (None, 0, len(claim.grids)) else claim.count
    yield Grids(grids, not claim.complete, claimed)
    whole = claim.complete or claim.count in (0, len(claim.grids))
    yield Done(whole and len(grids) == len(claim.grids) and claimed is None, False, {})
