"""The cross-check itself: ask all solvers, go around the graph, and ask for a proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx

from csp_sudoku.cells import Place
from csp_sudoku.checking.verify import keeps_rules, stated_disputes
from csp_sudoku.crosscheck import certificates, cores, judging
from csp_sudoku.crosscheck.agreement import Agreement, Answer, Disagreement, Ending, Way
from csp_sudoku.crosscheck.asking import Asking, graph_of
from csp_sudoku.crosscheck.blame import SECONDS, blame_lowering, blame_solver, denied
from csp_sudoku.crosscheck.certificates import Certificate
from csp_sudoku.crosscheck.collecting import Collector, ask_one
from csp_sudoku.crosscheck.jobs import Job, Scheduler
from csp_sudoku.crosscheck.participants import (
    ORACLE,
    Grids,
    Participant,
    Solver,
    default_participants,
    is_tiny,
    participants,
)
from csp_sudoku.crosscheck.puzzle_programs import PuzzleProgram
from csp_sudoku.crosscheck.reference import Reference, build_reference
from csp_sudoku.errors import BackendError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.integers import as_int
from csp_sudoku.puzzle import Puzzle, shared_graph, shared_rules_graph
from csp_sudoku.running.deadlines import seconds_left
from csp_sudoku.running.isolation import Lost, shared_pool
from csp_sudoku.running.worker import Core, Failed, Proved, Row
from csp_sudoku.solving.query import check_items, check_query

if TYPE_CHECKING:
    from threading import Event

Progress = Callable[[str, Answer | None], None]

DEFAULT_LIMIT = 10
DEFAULT_TIMEOUT = 60.0

# Rules that take longer to tabulate are left to their lowerings.
_REFERENCE_SECONDS = 20.0

_STATED = "stated solution"
_UNREAD = (
    "the solvers agree, but not with the source: look at the reader (csp-sudoku inspect shows "
    "each rule that was read) or at the stated solution"
)


def cross_check(
    puzzle: object,
    backends: Iterable[Solver] | None = None,
    *,
    limit: int | None = DEFAULT_LIMIT,
    timeout: float | None = DEFAULT_TIMEOUT,
    workers: int | None = None,
    isolate: bool = True,
    certify: bool = True,
    reference: bool = True,
    seed: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    cancel: Event | None = None,
) -> Agreement:
    """Ask several solvers, compare their answers, and prove the result.

    Each backend gets the constraint graph in its own process. So a crash, a hang or a lack of
    memory is a finding in the report; it does not end the cross-check.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle`, or anything :func:`read` takes.
    backends
        Names such as ``sat`` or ``sat:solver=cadical195``, ``brute``, commands of other programs
        such as ``kissat {cnf}``, :class:`Backend` objects, and functions from a puzzle to grids. By
        default, all backends, and ``textbook`` for tiny puzzles. A function returns one grid to
        say that this is a solution, or a list of grids to say that these are all; None or an empty
        list says that there is none. Functions and objects run in the caller's process.
    limit
        How many solutions each solver shall find; None for all.
    timeout
        Seconds for each solver, with reading and compilation; None for no limit.
    workers
        How many solvers run at a time; by default one for each processor.
    isolate
        False to run everything in the caller's process, one after the other. This is faster for
        many small puzzles, but a crash of a solver ends the process.
    certify
        Whether to make and check a proof that there are no other solutions.
    reference
        Whether to check the lowerings, too: with a graph that is built from the definitions of the
        rules, as far as they are small enough, and for tiny puzzles with the oracle.
    seed
        Fixes all random choices.
    memory
        The memory limit of each worker, in megabytes.
    progress
        Called as ``progress(name, None)`` when a solver is asked, and with its answer later.
    cancel
        As for :func:`csp_sudoku.solve`. Without isolation it counts between two solvers alone.

    Examples
    --------
    >>> agreement = cross_check("0100 3001 4002 0040", ["sat", "dlx"], isolate=False)
    >>> agreement.summary
    'one solution, certified'
    >>> cross_check("11.. .... .... ....", ["sat"], isolate=False).summary
    'no solution, certified'
    """
    deadline = check_query(limit, timeout, seed, cancel).deadline()
    memory, workers = _from_one("memory", memory), _from_one("workers", workers)
    if memory is not None and not isolate:
        raise BackendError(f"memory {memory}: can be limited only with isolate=True")
    # A tuple, because an iterator could not be used again by `again`.
    solvers = None if backends is None else check_items("backends", backends, "solvers")
    wanted = as_puzzle(puzzle, deadline)
    graph = graph_of(wanted, deadline)
    left = None if timeout is None else seconds_left(deadline)
    asking = Asking(limit, left, seed, None if memory is None else memory * 2**20, isolate)
    asked = default_participants(wanted, graph) if solvers is None else participants(solvers)
    scheduler = Scheduler(shared_pool() if isolate else None, workers, cancel)
    again = partial(
        cross_check,
        backends=solvers,
        limit=limit,
        timeout=timeout,
        workers=workers,
        isolate=isolate,
        certify=certify,
        reference=reference,
        seed=seed,
        memory=memory,
    )
    check = _CrossCheck(wanted, graph, asking, scheduler, progress)
    try:
        return check.run(asked, again, certify=certify, reference=reference)
    finally:
        for participant in asked:
            # Programs that a caller hands over are the caller's: they may be asked again.
            if isinstance(participant.solver, PuzzleProgram) and participant.solver not in (
                solvers or ()
            ):
                participant.solver.close()


def _from_one(name: str, value: object) -> int | None:
    """Return a whole number from 1 up, or None."""
    number = as_int(value)
    if value is not None and (number is None or number < 1):
        raise BackendError(f"{name} {value!r}: must be a whole number from 1 up, or None")
    return number


class _CrossCheck:
    """One cross-check: which solvers were asked, and what to do with each answer."""

    def __init__(
        self,
        puzzle: Puzzle,
        graph: nx.Graph | Failed,
        asking: Asking,
        scheduler: Scheduler,
        progress: Progress | None,
    ) -> None:
        self._puzzle = puzzle
        self._graph = graph
        self._asking = asking
        self._scheduler = scheduler
        self._progress = progress
        self._handlers: dict[Job, Callable[[Any], None]] = {}
        self._collectors: list[Collector] = []
        self._reference: Reference | None = None
        self._asked: list[Participant] = []
        self._core_wanted = bool(puzzle.candidates)
        self._core: Core | None = None
        self._core_witness = ""
        self._faults: list[Disagreement] = []
        self._proof_wanted = False
        self._certificate: Certificate | None = None
        self._uncertified = ""
        self._findings: list[str] = []

    def run(
        self,
        asked: list[Participant],
        again: Callable[..., Agreement],
        *,
        certify: bool,
        reference: bool,
    ) -> Agreement:
        """Ask all solvers and wait for their answers."""
        started = time.perf_counter()
        self._asked = asked
        self._proof_wanted = certify
        if not certify:
            self._uncertified = "none was asked for"
        for participant in asked:
            self._ask(participant, self._graph)
        self._note_stated()
        if reference:
            self._look_around()
        # Closed in any case, to end the workers that are still at work.
        with closing(self._scheduler.events()) as events:
            for job, event in events:
                self._handlers[job](event)
        return self._agreement(time.perf_counter() - started, again)

    # Asking

    def _ask(
        self, participant: Participant, graph: nx.Graph | Failed, way: Way | None = None
    ) -> None:
        collector = Collector(participant, way or participant.way, self._puzzle)
        self._collectors.append(collector)
        self._report(collector.answer.name, None)
        job = self._asking.solve(participant, self._puzzle, graph)
        self._add(job, lambda event: self._on_answer(collector, event))

    def _add(self, job: Job, handler: Callable[[Any], None]) -> None:
        self._handlers[job] = handler
        self._scheduler.add(job)

    def _report(self, name: str, answer: Answer | None) -> None:
        if self._progress:
            self._progress(name, answer)

    def _on_answer(self, collector: Collector, event: Any) -> None:
        if event is not None:
            collector.take(event)
            return
        answer = collector.answer
        self._report(answer.name, answer)
        if answer.way is not Way.GRAPH or not answer.complete or answer.wrong or answer.repeats:
            return
        if self._proof_wanted:
            self._proof_wanted = False
            self._prove(answer)
        if answer.solutions:
            return
        again = collector.participant.without_presolve
        if again and self._asking.isolate:
            # There are reports that CP-SAT with presolve called a feasible model infeasible.
            # Without presolve it aborts its process on some models: see backends.cpsat.
            self._ask(again, self._graph)
        if self._core_wanted:
            self._core_wanted = False
            self._find_core()

    # Around the graph

    def _look_around(self) -> None:
        if is_tiny(self._puzzle) and not any(p.solver == "brute" for p in self._asked):
            self._ask(ORACLE, self._graph)
        takers = [p for p in self._asked if p.takes_graphs]
        if not takers:
            return
        preferred = next((p for p in takers if p.family == "sat"), takers[0])
        timeout = self._asking.timeout
        seconds = _REFERENCE_SECONDS if timeout is None else min(timeout, _REFERENCE_SECONDS)

        def build() -> Iterator[Reference]:
            yield build_reference(self._puzzle, deadline=time.monotonic() + seconds)

        def use(event: Any) -> None:
            # A reference that is too large or takes too long is no finding: this is common.
            if isinstance(event, Reference) and event.rebuilt:
                self._reference = event
                self._ask(preferred.plain, event.graph, Way.REFERENCE)

        self._add(Job(seconds, work=build), use)

    # Proofs

    def _prove(self, answer: Answer) -> None:
        known = tuple([tuple(solution.values()) for solution in answer.solutions])
        self._uncertified = "no proof was found in time"

        def use(event: Any) -> None:
            match event:
                case Proved(other=None):
                    self._check(known, event)
                case Proved(other=tuple(other)):
                    self._uncertified = "the formula has a further solution"
                    self._note_other(other)
                case Failed() | Lost():
                    self._uncertified = f"no proof: {event.text}"

        self._add(self._asking.prove(self._graph, known), use)

    def _check(self, known: tuple[Row, ...], proved: Proved) -> None:
        self._uncertified = "the proof was not checked in time"

        def check() -> Iterator[Certificate]:
            yield certificates.certify(self._graph, known, proved, deadline=self._asking.deadline)

        def use(event: Any) -> None:
            if isinstance(event, Certificate) and event.checked.accepted:
                self._certificate = event
            elif isinstance(event, Certificate):
                self._uncertified = f"the proof of {certificates.SOLVER} is {event.checked}"
                self._findings.append(self._uncertified)
            elif isinstance(event, Failed | Lost) and event.kind != "time":
                self._uncertified = f"the proof could not be checked: {event.text}"

        self._add(Job(self._asking.timeout, work=check), use)

    def _note_stated(self) -> None:
        """Add the stated solution, if it is one: so a solver that denies it is wrong."""
        grid: dict[Place, int] = dict(self._puzzle.stated)
        if grid.keys() == {*self._puzzle.variables} and keeps_rules(self._puzzle, grid):
            collector = Collector(Participant(_STATED, _STATED, _STATED), Way.RULES, self._puzzle)
            collector.take(Grids((grid,), single=True))
            self._collectors.append(collector)

    def _note_other(self, row: Row) -> None:
        """Add a further solution of the formula: so a solver that denied it is wrong."""
        solver = certificates.SOLVER
        collector = Collector(Participant(solver, "sat", "sat"), Way.GRAPH, self._puzzle)
        grid = dict(zip(self._puzzle.variables, row, strict=True))
        collector.take(Grids((grid,), single=True))
        self._collectors.append(collector)

    # Cores

    def _find_core(self) -> None:
        rules = shared_rules_graph(self._puzzle)
        job = self._asking.find_core(rules, cores.restriction(self._puzzle))

        def use(event: Any) -> None:
            if isinstance(event, Core) and event.numbers is not None:
                self._core = event
                self._confirm(cores.only(self._puzzle, event))

        self._add(job, use)

    def _confirm(self, puzzle: Puzzle) -> None:
        """Ask another solver whether the givens of a core leave no solution."""
        others = [p for p in self._asked if p.takes_graphs and p.family != "sat"]
        if not others:
            return
        collector = Collector(others[0], Way.GRAPH, puzzle)

        def use(event: Any) -> None:
            if event is not None:
                collector.take(event)
                return
            answer = collector.answer
            if answer.solutions:
                givens = cores.in_words(puzzle)
                text = f"says that {givens} leave no solution, but {answer.name} found one"
                self._faults.append(Disagreement("sat", text, answer.solutions[0]))
            elif answer.complete and not answer.wrong:
                self._core_witness = answer.name

        self._add(self._asking.solve(others[0], puzzle, shared_graph(puzzle)), use)

    # The result

    def _agreement(self, seconds: float, again: Callable[..., Agreement]) -> Agreement:
        answers = tuple([collector.answer for collector in self._collectors])
        disagreements = (*judging.disagreements(answers), *self._faults)
        certificate = None if disagreements else self._certificate
        solutions = judging.facts(answers)
        disputes = tuple(stated_disputes(self._puzzle, solutions))
        outcome = judging.outcome(
            answers, disagree=bool(disagreements), certified=certificate is not None
        )
        return Agreement(
            self._puzzle,
            outcome,
            answers,
            solutions,
            disagreements,
            certificate,
            "" if certificate else self._why_uncertified(answers, disagreements),
            (*judging.findings(answers), *self._findings),
            disputes,
            (
                *self._established(answers, disagreements, certificate),
                *([_UNREAD] if disputes and not disagreements else []),
            ),
            seconds,
            again,
        )

    def _why_uncertified(
        self, answers: tuple[Answer, ...], disagreements: tuple[Disagreement, ...]
    ) -> str:
        if disagreements and (self._proof_wanted or self._certificate):
            return "the solvers disagree"
        if self._uncertified:
            return self._uncertified
        limit = self._asking.limit
        if any(a.ending is Ending.LIMIT and len(a.solutions) == limit for a in answers):
            solutions = "1 solution" if limit == 1 else f"{limit:,} solutions"
            return f"the limit of {solutions} was reached, so there may be more"
        on_graph = " that takes the constraint graph" if any(a.complete for a in answers) else ""
        return f"no solver{on_graph} has found all solutions"

    def _established(
        self,
        answers: tuple[Answer, ...],
        disagreements: tuple[Disagreement, ...],
        certificate: Certificate | None,
    ) -> Iterator[str]:
        if disagreements:
            yield from self._suspects(answers, disagreements)
            return
        if certificate:
            yield f"certified: {certificate.statement}; the proof is {certificate.checked}"
        for answer in answers:
            if not answer.complete:
                continue
            if answer.way is Way.REFERENCE and self._reference:
                yield f"{answer.name} says the same, with {self._reference.text}"
            elif answer.backend == "brute":
                yield "the oracle, which knows nothing but the rules, says the same"
            if answer.statistics.get("relaxation") == "infeasible":
                yield "the linear relaxation is infeasible: evidence, though no proof"
        if self._core:
            agrees = f", and so says {self._core_witness}" if self._core_witness else ""
            core = cores.only(self._puzzle, self._core)
            yield f"{cores.in_words(core)} leave no solution by themselves, says sat{agrees}"

    def _suspects(
        self, answers: tuple[Answer, ...], disagreements: tuple[Disagreement, ...]
    ) -> Iterator[str]:
        """Where to look for the fault."""
        if judging.is_lowering_suspect(answers, disagreements):
            yield from blame_lowering(self._puzzle, disagreements)
            return
        yield judging.suspect(answers, disagreements)
        asking = replace(self._asking, limit=1, timeout=SECONDS)
        for participant in self._asked:
            own = [d for d in disagreements if d.name == participant.name]
            grid = denied(self._puzzle, own)
            if grid and participant.takes_graphs:
                ask = partial(ask_one, asking, participant)
                yield from blame_solver(self._puzzle, grid, participant.name, ask)
