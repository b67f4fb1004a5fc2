"""What the page of ``csp-sudoku serve`` asks, and the answers.

A message names a command and holds the puzzle as a document, with the digits that were entered. The
server keeps nothing. Pictures are drawn here, so that the page need not know any rule.
"""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Callable, Iterator, Mapping
from threading import Event
from typing import Any

import csp_sudoku as cs
from csp_sudoku import backends, manual
from csp_sudoku.constraints import registry
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import Reading
from csp_sudoku.formats.reading import Progress
from csp_sudoku.pictures.explanation import reason_svg
from csp_sudoku.pictures.render import render_svg
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import deadline_after
from csp_sudoku.watching.page import ALGORITHMS, film_of

Message = dict[str, Any]
Answers = Iterator[Message]

# A page wants an answer soon: these are given up after some seconds.
_SECONDS = 20.0

EXAMPLES = {
    "classic": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "hard": "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "6×6, to watch": "..5.36...45.254.....1......51.......",
    "4×4": "0100300140020040",
}


def answers(message: Message, cancel: Event) -> Answers:
    """Yield the answers to a message of the page, each with its nonce and its type."""
    command = message.get("command")
    if not isinstance(command, str) or command not in _COMMANDS:
        raise FormatError(f"the command {command!r} is not known")
    for answer in _COMMANDS[command](message, cancel):
        if cancel.is_set():
            return
        yield {"nonce": message.get("nonce"), "type": command, **answer}


def _read(message: Message, _: Event) -> Answers:
    """Read a text, a link or a document."""
    reading = cs.read_with_notes(_text(message, "text"), lenient=True)
    yield _described(reading)


def _describe(message: Message, _: Event) -> Answers:
    """Describe a puzzle, with one rule more if there is one to add."""
    document, rule = json.loads(_text(message, "document")), message.get("add")
    if rule is not None:
        if not isinstance(rule, dict):
            raise FormatError("a rule must be an object")
        kind = registry.get(str(rule.get("type")))
        if "cells" not in inspect.signature(kind).parameters:
            rule = {key: value for key, value in rule.items() if key != "cells"}
        document.setdefault("constraints", []).append(rule | {"type": kind.name})
    yield _described(Reading(cs.read(json.dumps(document))))


def _look(message: Message, _: Event) -> Answers:
    """Draw the board with what was entered, and say what breaks a rule."""
    puzzle, entered = _puzzle(message), _entered(message)
    values = {**puzzle.givens, **entered}
    broken = cs.verify(puzzle, values)
    marks = {cs.cell(place): tuple(v) for place, v in (message.get("marks") or {}).items()}
    picture = render_svg(
        puzzle,
        solution=values,
        candidates=marks or bool(message.get("candidates")),
        highlight=broken if broken.violations else None,
    )
    yield {
        "picture": picture,
        "clashes": [str(violation) for violation in broken.violations],
        "solved": broken.ok,
    }


def _live(message: Message, cancel: Event) -> Answers:
    """Say how many solutions there are, then the true candidates, then a count or an estimate."""
    puzzle = _started(message)
    found = cs.solve(puzzle, limit=2, timeout=_SECONDS, cancel=cancel)
    number = len(found.solutions)
    words = {0: "no solution", 1: "one solution", 2: "several solutions"}[number]
    undecided = number < 2 and not found.complete
    yield {"solutions": f"undecided: {found.reason}" if undecided else words}
    if not number:
        if not undecided:
            reason = cs.why_unsolvable(puzzle, timeout=_SECONDS, cancel=cancel)
            yield {"why": str(reason)}
        return
    true = cs.true_candidates(puzzle, timeout=_SECONDS, cancel=cancel)
    yield {"marks": {str(place): list(v) for place, v in true.values.items()}}
    if number == 2:
        deadline = deadline_after(_SECONDS, cancel)
        from csp_sudoku.counting.estimating import estimates

        said = 0.0
        for estimate in estimates(puzzle, deadline=deadline):
            if estimate.exact or time.monotonic() - said > 0.5:
                said = time.monotonic()
                yield {"solutions": f"{estimate} solutions", "method": estimate.method}
            if estimate.samples >= 500:
                return


def _why(message: Message, cancel: Event) -> Answers:
    """Say why a candidate is impossible."""
    puzzle, place, value = _started(message), cs.cell(_text(message, "cell")), message.get("value")
    if not isinstance(value, int):
        raise FormatError("value must be a number")
    reason = cs.why_not(puzzle, place, value, timeout=_SECONDS, cancel=cancel)
    yield {"text": str(reason), "picture": reason_svg(reason, puzzle, (place, value))}


def _hint(message: Message, cancel: Event) -> Answers:
    reading = Reading(_puzzle(message), progress=Progress(_entered(message)))
    step = cs.hint(reading, timeout=_SECONDS, cancel=cancel)
    if step is None:
        yield {"text": "every cell is filled"}
        return
    placed = {str(place): value for place, value in step.placements}
    picture = render_svg(reading.started, candidates=True, highlight=step, legend=False)
    yield {"text": str(step), "picture": picture, "placed": placed}


def _rate(message: Message, cancel: Event) -> Answers:
    rating = cs.rate(_puzzle(message), timeout=_SECONDS, cancel=cancel)
    counts = ", ".join(f"{number} × {name}" for name, number in rating.counts.items())
    yield {"text": f"{rating}: {counts}"}


def _compare(message: Message, cancel: Event) -> Answers:
    """Ask every solver, one after the other, and compare what they say."""
    puzzle = _started(message)
    said: set[tuple[str, int]] = set()
    for name in backends.names():
        row: Message = {"solver": name}
        try:
            found = cs.solve(puzzle, name, limit=2, timeout=_SECONDS, cancel=cancel)
        except CspSudokuError as error:
            yield {"row": row | {"says": str(error)}}
            continue
        cost = found.statistics
        if found.complete or len(found.solutions) == 2:
            said.add((found.solutions[0].text if found.complete and found.solutions else "",
                      len(found.solutions)))  # fmt: skip
        sizes = {
            key: value
            for key, value in vars(cost).items()
            if isinstance(value, int) and value and key != "solutions"
        }
        yield {
            "row": row
            | {
                "says": found.status.value if not found.reason else found.reason,
                "compile": round(1000 * cost.compile_seconds, 1),
                "solve": round(1000 * cost.solve_seconds, 1),
                "cost": ", ".join(f"{value:,} {key}" for key, value in sizes.items()),
            }
        }
    agree = "all that answered agree" if len(said) == 1 else "the answers differ"
    yield {"verdict": agree if said else "no solver answered"}


def _film(message: Message, _: Event) -> Answers:
    puzzle, algorithm = _started(message), _text(message, "algorithm")
    board = render_svg(puzzle.without_givens, legend=False)
    yield {"film": film_of(puzzle, algorithm, frames=600), "board": board}


def _rules(message: Message, _: Event) -> Answers:
    """Find rules of the vocabulary by what people call them."""
    words = str(message.get("text") or "")
    found = manual.search(words) if words else [*registry.kinds()]
    yield {
        "rules": [
            {"name": name, "summary": manual.summary(registry.get(name))} for name in found[:40]
        ]
    }


_COMMANDS: Mapping[str, Callable[[Message, Event], Answers]] = {
    "read": _read,
    "describe": _describe,
    "look": _look,
    "live": _live,
    "why": _why,
    "hint": _hint,
    "rate": _rate,
    "compare": _compare,
    "film": _film,
    "rules": _rules,
}


def _described(reading: Reading) -> Message:
    """What the page needs to know of a puzzle."""
    puzzle = reading.puzzle
    top, left = min(c.row for c in puzzle.cells), min(c.col for c in puzzle.cells)
    return {
        "document": cs.write_json(puzzle),
        "title": reading.title or repr(puzzle).strip("<>"),
        "rules": [rule.describe(puzzle) for rule in puzzle.constraints],
        "leftOut": list(reading.left_out),
        "cells": [[str(c), c.row - top, c.col - left] for c in puzzle.cells],
        "values": sorted({v for place in puzzle.cells for v in puzzle.values_of(place)}),
        "givens": [str(place) for place in puzzle.givens],
        "entered": {str(place): v for place, v in reading.progress.values.items()},
        "algorithms": ALGORITHMS,
    }


def _puzzle(message: Message) -> Puzzle:
    return cs.read(_text(message, "document"))


def _started(message: Message) -> Puzzle:
    return _puzzle(message).with_givens(_entered(message))


def _entered(message: Message) -> dict[Any, int]:
    entered = message.get("entered") or {}
    if not isinstance(entered, dict):
        raise FormatError("entered must be an object of cells and values")
    return {cs.cell(place): value for place, value in entered.items()}


def _text(message: Message, key: str) -> str:
    text = message.get(key)
    if not isinstance(text, str) or not text.strip():
        raise FormatError(f"{key} is missing")
    return text
