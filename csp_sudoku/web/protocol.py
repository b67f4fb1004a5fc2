"""The messages of the f-puzzles userscript that asks a solver on the same machine.

A request names a command and holds a puzzle; the answers go back one by one. This module knows
nothing of sockets: :func:`answers` takes a request and yields what to send.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import csp_sudoku as cs
from csp_sudoku.cells import Place
from csp_sudoku.errors import CspSudokuError, FormatError, PuzzleError, UndecidedError
from csp_sudoku.formats import Reading, fpuzzles, strict_json
from csp_sudoku.formats.fpuzzles.document import read_document
from csp_sudoku.formats.reading import Help
from csp_sudoku.integers import as_int
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import deadline_after

if TYPE_CHECKING:
    from threading import Event

    from csp_sudoku.solving.redundancy import TrueCandidates
    from csp_sudoku.solving.results import Result
    from csp_sudoku.strategies import Step

Message = dict[str, Any]
Answers = Iterator[Message]

# A long count or estimate says how far it is, this often.
_SECONDS_BETWEEN = 0.25
# How long a reason may take when a puzzle has no solution.
_REASON_SECONDS = 3.0
# A path through a hard puzzle ends here, with the steps found so far.
_PATH_SECONDS = 60.0
# What of a drawing may be left out, and is named: what remains are the constraints themselves.
_SAID = ("drawing", "rules text", "solution")
_MOST_EARLIER = 20
# A candidate's solutions are counted up to this number, even if a message asks for more.
_MOST_SOLUTIONS = 1_000

# The families of techniques that the userscript can switch off, by their names here.
_FAMILIES = {
    "tuples": "(naked|hidden) (pair|triple|quad)|large (naked|hidden) subset",
    "pointing": "(direct )?(pointing|claiming)|common victims",
    "fishes": "(.* )?(X-wing|swordfish|jellyfish)|large fish",
    "wings": "(XY|XYZ|W|M|WXYZ|ALS-XY)-wing|split wing",
    "aic": "skyscraper|two-string kite|turbot fish|empty rectangle|.* colouring|remote pair|"
    ".*chain|.*nice loop.*|.*AIC.*|.*ALS-XZ|Sue de Coq|death blossom",
    "contradictions": ".*forcing.*",
}


@dataclass(frozen=True)
class Request:
    """A message that was understood: a command about a puzzle."""

    nonce: int
    command: str
    reading: Reading
    limit: int = 1
    logical: bool = False
    without: tuple[str, ...] = ()


@dataclass
class Memory:
    """The latest true candidates: a puzzle that only became stricter needs less work."""

    earlier: list[TrueCandidates] = field(default_factory=list)

    def true_candidates(self, puzzle: Puzzle, limit: int, cancel: Event) -> TrueCandidates:
        """Find true candidates, with the help of the latest that fit."""
        fitting = [
            known
            for known in self.earlier
            if known.puzzle is not None and known.puzzle.grids == puzzle.grids
        ]
        latest = fitting[-1] if fitting else None
        found = cs.true_candidates(puzzle, limit=limit, earlier=latest, cancel=cancel)
        if not cancel.is_set():
            self.earlier = [*self.earlier[1 - _MOST_EARLIER :], found]
        return found


def read_request(message: Message) -> Request:
    """Read a message; an error says what is wrong with it or with its puzzle.

    Rules text and decoration that are not understood are left out and named; a constraint that is
    not understood is an error.
    """
    command, data = message.get("command"), message.get("data")
    if command not in _COMMANDS:
        raise FormatError(f"the command {command!r} is not known; known are {', '.join(_COMMANDS)}")
    if message.get("dataType") != "fpuzzles" or not isinstance(data, str):
        raise FormatError("data must be an f-puzzles document as base64, and dataType fpuzzles")
    document = strict_json.parse(fpuzzles.unpack(data), floats=True)
    if not isinstance(document, dict):
        raise FormatError("the data is no f-puzzles document")
    reading = read_document(document, Help(lenient=True))
    if missing := [item for item in reading.missing if item.kind not in _SAID]:
        raise FormatError(f"not understood: {'; '.join(map(str, missing))}")
    limit, logical = 1, False
    for option in _texts(document.get("truecandidatesoptions")):
        name, _, number = option.partition("=")
        logical = logical or option == "logical"
        if name == "truecandidatesnumsolutions" and number.isdecimal():
            limit = min(max(1, int(number[:6])), _MOST_SOLUTIONS)
        elif option == "colored":  # older userscripts
            limit = 8
    families = [
        _FAMILIES[name] for name in _texts(document.get("disabledlogic")) if name in _FAMILIES
    ]
    return Request(nonce_of(message), str(command), reading, limit, logical, _techniques(families))


def nonce_of(message: Message) -> int:
    """Return the number of a message; 0 if it has none."""
    return as_int(message.get("nonce")) or 0


def answers(request: Request, cancel: Event, memory: Memory | None = None) -> Answers:
    """Yield the answers to a request, each with its nonce; none after it was cancelled."""
    started = _COMMANDS[request.command](request, cancel, memory or Memory())
    left_out = {"leftOut": list(request.reading.left_out)} if request.reading.left_out else {}
    try:
        for answer in started:
            if cancel.is_set():
                break
            yield {"nonce": request.nonce, **answer, **left_out}
    except CspSudokuError as error:
        if not cancel.is_set():
            yield {"nonce": request.nonce, **_invalid(str(error)), **left_out}
    if cancel.is_set():
        yield canceled(request.nonce)


def canceled(nonce: int) -> Message:
    """Return the answer to a request that was cancelled."""
    return {"nonce": nonce, "type": "canceled"}


def _invalid(message: str) -> Message:
    return {"type": "invalid", "message": message}


# The commands


def _true_candidates(request: Request, cancel: Event, memory: Memory) -> Answers:
    puzzle = request.reading.puzzle
    found = memory.true_candidates(puzzle, request.limit, cancel)
    if not found.solutions:
        yield _invalid(_why_none(puzzle, cancel))
        return
    seen: Mapping[Place, Any] = {}
    if request.logical:
        everything = [t for t in _techniques([".*"]) if t not in request.without]
        logic = cs.explain(puzzle, only=everything, cancel=cancel).state()
        seen = {place: logic.candidates_of(place) for place in puzzle.cells}

    def number(place: Place, value: int) -> int:
        count = found.counts[place].get(value, 0)
        return -1 if not count and value in seen.get(place, ()) else count

    values = puzzle.grids[0].values
    flat = [number(place, value) for place in puzzle.cells for value in values]
    yield {"type": "truecandidates", "solutionsPerCandidate": flat}


def _solve(request: Request, cancel: Event, _: Memory) -> Answers:
    puzzle = request.reading.puzzle
    # Any solution will do, and a setter wants to see another one each time.
    found = cs.solve(puzzle, seed=time.monotonic_ns() % 2**31, cancel=cancel)
    if found.solutions:
        yield {"type": "solved", "solution": [found.solutions[0][c] for c in puzzle.cells]}
    else:
        yield _invalid(_why_none(puzzle, cancel) if found.complete else _undecided(found))


def _check(request: Request, cancel: Event, _: Memory) -> Answers:
    found = cs.solve(request.reading.puzzle, limit=2, cancel=cancel)
    number = len(found.solutions)
    if number < 2 and not found.complete:
        yield _invalid(_undecided(found))
    else:
        yield {"type": "count", "count": number, "inProgress": False}


def _count(request: Request, cancel: Event, _: Memory) -> Answers:
    found = cs.solutions(request.reading.puzzle, cancel=cancel)
    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(found.count)
        while True:
            try:
                counted = counting.result(timeout=_SECONDS_BETWEEN)
            except TimeoutError:
                so_far = found.statistics.solutions
                yield {"type": "count", "count": so_far, "inProgress": True}
            else:
                yield {"type": "count", "count": counted.value, "inProgress": False}
                return


def _estimate(request: Request, cancel: Event, _: Memory) -> Answers:
    from csp_sudoku.counting.estimating import estimates

    said = 0.0
    for found in estimates(request.reading.started, deadline=deadline_after(None, cancel)):
        if found.exact or time.monotonic() - said >= _SECONDS_BETWEEN:
            said = time.monotonic()
            reach = found.high - found.value
            yield {
                "type": "estimate",
                "estimate": _number(found.value),
                "stderr": _number(found.error),
                "iterations": found.samples,
                "ci95_lower": _number(found.low),
                "ci95_upper": _number(found.high),
                "relErrPercent": 100 * reach / found.value if found.value else 0.0,
            }


def _step(request: Request, cancel: Event, _: Memory) -> Answers:
    reading = request.reading
    known: dict[Place, int] = dict(reading.puzzle.givens)
    known.update(reading.progress.values.items())
    before = candidates(reading.started, known)
    entered: Mapping[Any, tuple[int, ...]] = reading.progress.candidates
    open_ = [place for place in before if place not in known]
    if any(before[place] != entered.get(place) for place in open_):
        yield _logical(before, known, "Initial candidates.", True)
        return
    step = cs.hint(reading, without=request.without, cancel=cancel)
    if step is not None and step.technique in ("contradiction", "wrong entry"):
        yield _logical(before, known, str(step), False)
        return
    # A single mark is not yet a digit. For a hint it would be.
    if single := next((place for place in open_ if len(before[place]) == 1), None):
        [value] = before[single]
        message = f"naked single: {single} has only one candidate left: {single} is {value}"
        yield _logical(before, {**known, single: value}, message, True)
        return
    if step is None:
        yield _logical(before, known, "Every cell is filled.", True)
        return
    message = str(step) if step.conclusions else f"Nothing found. {step.summary}"
    yield _logical(after(step, before), {**known, **dict(step.placements)}, message, True)


def _solve_path(request: Request, cancel: Event, _: Memory) -> Answers:
    found = cs.explain(
        request.reading, without=request.without, timeout=_PATH_SECONDS, cancel=cancel
    )
    state = found.state()
    valid = found.ending.name != "NO_SOLUTION"
    remark = [found.remark] if found.left_out or not found.solved else []
    message = "\n".join([*map(str, found.steps), *remark])
    known: dict[Place, int] = dict(state.givens)
    yield _logical(candidates(state, known), known, message, valid)


_COMMANDS: Mapping[str, Callable[[Request, Event, Memory], Answers]] = {
    "truecandidates": _true_candidates,
    "solve": _solve,
    "check": _check,
    "count": _count,
    "step": _step,
    "solvepath": _solve_path,
    "estimate": _estimate,
}


def _undecided(found: Result) -> str:
    return f"undecided: {found.reason}"


def _why_none(puzzle: Puzzle, cancel: Event) -> str:
    """Say why a puzzle has no solution, if that is found soon."""
    try:
        return str(cs.why_unsolvable(puzzle, timeout=_REASON_SECONDS, cancel=cancel))
    except (UndecidedError, PuzzleError):
        return "there is no solution"


def candidates(puzzle: Puzzle, known: Mapping[Place, int]) -> dict[Place, tuple[int, ...]]:
    """The candidates of all cells; in open cells those that no value seen from there excludes."""
    from csp_sudoku.pictures.terminal import pencil_marks

    marks = pencil_marks(puzzle, known)
    return {place: marks.get(place, puzzle.candidates_of(place)) for place in puzzle.cells}


def after(step: Step, before: Mapping[Place, tuple[int, ...]]) -> dict[Place, tuple[int, ...]]:
    """The candidates that a step leaves."""
    gone = {*step.eliminations}
    return {p: tuple([v for v in values if (p, v) not in gone]) for p, values in before.items()}


def _logical(
    candidates: Mapping[Place, tuple[int, ...]],
    known: Mapping[Place, int],
    message: str,
    valid: bool,
) -> Message:
    cells = [
        {"value": known[place]} if place in known else {"value": 0, "candidates": list(left)}
        for place, left in candidates.items()
    ]
    # The userscript adds no line break of its own.
    return {"type": "logical", "cells": cells, "message": f"{message}\n", "isValid": valid}


def _number(value: int) -> float | int:
    """A number that JavaScript can read: large ones as a float."""
    return value if value < 2**53 else float(value)


def _texts(found: object) -> list[str]:
    return (
        [item.lower() for item in found if isinstance(item, str)] if isinstance(found, list) else []
    )


def _techniques(patterns: list[str]) -> tuple[str, ...]:
    """The names of the techniques that match any of some patterns."""
    from csp_sudoku.strategies import TECHNIQUES

    wanted = re.compile("|".join(patterns)) if patterns else None
    return tuple([t.name for t in TECHNIQUES if wanted and wanted.fullmatch(t.name)])
