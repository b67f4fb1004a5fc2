"""What the page of ``csp-sudoku serve`` asks, and the answers.

A message names a command and holds the puzzle as a document, with the digits and marks that were
entered. The server keeps nothing. Pictures are drawn here, so that the page need not know any rule.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Container, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from importlib.resources import files
from queue import SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, Any

import csp_sudoku as cs
from csp_sudoku import manual
from csp_sudoku.cells import Cell
from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import all_values
from csp_sudoku.counting.estimating import estimates
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import Reading
from csp_sudoku.formats.reading import Progress
from csp_sudoku.integers import as_int
from csp_sudoku.pictures.explanation import reason_svg
from csp_sudoku.pictures.render import render_svg
from csp_sudoku.pictures.sheet import positions
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import deadline_after
from csp_sudoku.solving.answers import limited
from csp_sudoku.watching.page import ALGORITHMS, film_of, stage, watch
from csp_sudoku.web.protocol import after, candidates

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.crosscheck.agreement import Answer

Message = dict[str, Any]
Answers = Iterator[Message]
_Values = tuple[int, ...]

# A page wants an answer soon: these are given up after some seconds.
_SECONDS = 20.0
_SAMPLES = 500
_SECONDS_BETWEEN = 0.5
_MOST_FRAMES = 600
# How many rules a search shows.
_MOST_RULES = 12
# What tells how much a solver had to try; the first that it counts.
_WORK = ("nodes", "assignments", "decisions", "branches")


_EXAMPLES = {
    "classic": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "hard": "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "6×6, to watch": "..5.36...45.254.....1......51.......",
    "4×4": "0100300140020040",
}


def examples() -> dict[str, str]:
    """Puzzles to begin with, by their names."""
    variant = (files("csp_sudoku.cli") / "demo.json").read_text("utf-8")
    return {**_EXAMPLES, "thermometers, arrows, cages": variant}


def answers(message: Message, cancel: Event) -> Answers:
    """Yield the answers to a message of the page, each with its nonce and its type."""
    command = message.get("command")
    if not isinstance(command, str) or command not in _COMMANDS:
        raise FormatError(f"the command {command!r} is not known")
    for answer in _COMMANDS[command](message, cancel):
        if cancel.is_set():
            return
        yield {"nonce": message.get("nonce"), "type": command, **answer}


# The puzzle


def _read(message: Message, _: Event) -> Answers:
    """Read a text, a link or a document."""
    yield _described(cs.read_with_notes(_text(message, "text"), lenient=True))


def _change(message: Message, _: Event) -> Answers:
    """Add a rule to the puzzle, or remove the one with a number."""
    puzzle, rule = _reading(message).puzzle, message.get("add")
    if isinstance(rule, dict):
        document = json.loads(cs.write_json(puzzle))
        document["constraints"] = [*document.get("constraints", ()), _typed(rule)]
        puzzle = cs.read(json.dumps(document))
    else:
        number = as_int(message.get("remove"))
        if number is None or not 0 <= number < len(puzzle.constraints):
            raise FormatError("name a rule to add, or the number of one to remove")
        puzzle = puzzle.without(puzzle.constraints[number])
    yield _described(Reading(puzzle))


def _typed(rule: Message) -> Message:
    """A rule whose fields were typed: numbers and lists as in JSON, everything else as a text."""
    kind = registry.get(str(rule.get("type")))
    typed: Message = {**rule, "type": kind.name}
    for field in manual.parameters(kind):
        if field.name in rule and field.takes != "a text":
            with suppress(ValueError):
                typed[field.name] = json.loads(str(rule[field.name]))
    return typed


def _rules(message: Message, _: Event) -> Answers:
    """Find rules of the vocabulary by what people call them."""
    words = str(message.get("text") or "")
    found = manual.search(words) if words else [*registry.kinds()]
    yield {
        "rules": [_rule(registry.get(name)) for name in found[:_MOST_RULES]],
        "more": max(0, len(found) - _MOST_RULES),
    }


def _rule(kind: type[Constraint]) -> Message:
    example = next((puzzle for _, puzzle in manual.on_boards(kind)), None)
    return {
        "name": kind.name,
        "summary": manual.summary(kind),
        "picture": "" if example is None else render_svg(example, legend=False),
        "fields": [field._asdict() for field in manual.parameters(kind)],
    }


# The board


def _look(message: Message, _: Event) -> Answers:
    """Draw the board with what was entered, and say what breaks a rule."""
    reading = _reading(message)
    puzzle, shown = reading.puzzle, message.get("shown")
    values: dict[Any, int] = {**puzzle.givens, **reading.progress.values}
    checked = cs.verify(puzzle, values)
    marks = reading.progress.candidates if shown is None else _marks(puzzle, shown, "shown")
    picture = render_svg(
        puzzle,
        solution=values,
        candidates=_without(marks, values) or False,
        highlight=checked if checked.violations else None,
        labels=True,
    )
    yield {
        "picture": picture,
        "clashes": [str(violation) for violation in checked.violations],
        "solved": checked.ok,
    }


def _live(message: Message, cancel: Event) -> Answers:
    """Say how many solutions there are, then the true candidates, then a count or an estimate."""
    puzzle = _started(message)
    found = cs.solve(puzzle, limit=2, timeout=_SECONDS, cancel=cancel)
    number = len(found.solutions)
    if number < 2 and not found.complete:
        yield {"solutions": f"undecided: {found.reason}", "mood": ""}
        return
    words, mood = [("no solution", "bad"), ("one solution", "good"), ("several solutions", "")][
        number
    ]
    yield {"solutions": limited(words, puzzle.left_out), "mood": mood}
    if not number:
        yield {"why": str(cs.why_unsolvable(puzzle, timeout=_SECONDS, cancel=cancel))}
        return
    true = cs.true_candidates(puzzle, timeout=_SECONDS, cancel=cancel)
    yield {"true": _by_name({place: true.values[place] for place in puzzle.cells})}
    if number > 1:
        said = 0.0
        for estimate in estimates(puzzle, deadline=deadline_after(_SECONDS, cancel)):
            if estimate.exact or time.monotonic() - said > _SECONDS_BETWEEN:
                said = time.monotonic()
                words = f"{replace(estimate, left_out=())} solutions"
                yield {
                    "solutions": limited(words, puzzle.left_out),
                    "mood": "",
                    "method": estimate.method,
                }
            if estimate.samples >= _SAMPLES:
                return


def _why(message: Message, cancel: Event) -> Answers:
    """Say why a candidate is impossible."""
    puzzle, place = _started(message), cs.cell(_text(message, "cell"))
    value = as_int(message.get("value"))
    if value is None:
        raise FormatError("value must be a number")
    reason = cs.why_not(puzzle, place, value, timeout=_SECONDS, cancel=cancel)
    picture = reason_svg(reason, puzzle, (place, value), caption=False)
    yield {"text": str(reason), "picture": picture}


def _hint(message: Message, cancel: Event) -> Answers:
    """Find the next step. Marks that were entered count as all that is left for their cells."""
    reading = _reading(message)
    step = cs.hint(reading, timeout=_SECONDS, cancel=cancel)
    if step is None:
        yield {"text": "every cell is filled"}
        return
    values: dict[Any, int] = {**reading.puzzle.givens, **reading.progress.values}
    before = candidates(reading.started, values)
    open_ = _without(before, values)
    picture = render_svg(
        reading.puzzle,
        solution=values,
        candidates=open_,
        highlight=step,
        legend=False,
        labels=True,
    )
    placed = {place: value for place, value in step.placements if isinstance(place, Cell)}
    left = _without(after(step, open_), placed)
    # Who keeps no marks gets them when a step removes candidates.
    keeps = step.eliminations or reading.progress.candidates
    yield {
        "text": str(step),
        "picture": picture,
        "placed": {str(place): value for place, value in placed.items()},
        "marks": _by_name(left) if keeps else {},
    }


def _rate(message: Message, cancel: Event) -> Answers:
    rating = cs.rate(_reading(message).puzzle, timeout=_SECONDS, cancel=cancel)
    counts = ", ".join(f"{number} × {name}" for name, number in rating.counts.items())
    yield {"text": f"{rating}: {counts}"}


# Solvers and algorithms


def _compare(message: Message, cancel: Event) -> Answers:
    """Ask all solvers side by side; compare what they say, and prove it."""
    from csp_sudoku.pictures.report import report

    puzzle = _started(message)
    rows: SimpleQueue[Message | None] = SimpleQueue()

    def take(name: str, answer: Answer | None) -> None:
        rows.put({"solver": name, **({} if answer is None else _row(answer))})

    with ThreadPoolExecutor(1) as pool:
        checking = pool.submit(
            cs.cross_check, puzzle, timeout=_SECONDS, progress=take, cancel=cancel
        )
        checking.add_done_callback(lambda _: rows.put(None))
        while (row := rows.get()) is not None:
            yield {"row": row}
    agreement = checking.result()
    proof = "" if agreement.certificate else f"no certificate: {agreement.uncertified}"
    yield {
        "verdict": agreement.summary,
        "details": [*map(str, agreement.disagreements), *agreement.established, proof],
        "file": "report.html",
        "content": report(agreement),
    }


def _row(answer: Answer) -> Message:
    """What is told of an answer, as in the table of ``csp-sudoku cross-check``."""
    from csp_sudoku.crosscheck.table import count_text, says_text, seconds_text, size_text

    work = [f"{answer.statistics[name]:,} {name}" for name in _WORK if name in answer.statistics]
    return {
        "says": says_text(answer),
        "solutions": count_text(answer),
        "compile": seconds_text(answer.compile_seconds),
        "solve": seconds_text(answer.solve_seconds),
        "work": work[0] if work else "",
        "size": answer.text or size_text(answer.size),
    }


def _film(message: Message, _: Event) -> Answers:
    """Record an algorithm at work."""
    puzzle, algorithm = _started(message), _text(message, "algorithm")
    yield {"film": film_of(puzzle, algorithm, frames=_MOST_FRAMES), "board": stage(puzzle)}


def _save_film(message: Message, _: Event) -> Answers:
    """Record the same as one HTML file."""
    puzzle, algorithm = _started(message), _text(message, "algorithm")
    yield {"file": f"{algorithm}.html", "content": watch(puzzle, algorithm)}


_COMMANDS: Mapping[str, Callable[[Message, Event], Answers]] = {
    "read": _read,
    "change": _change,
    "rules": _rules,
    "look": _look,
    "live": _live,
    "why": _why,
    "hint": _hint,
    "rate": _rate,
    "compare": _compare,
    "film": _film,
    "save-film": _save_film,
}


# What a message holds


def _described(reading: Reading) -> Message:
    """What the page needs to know of a puzzle."""
    puzzle, progress = reading.puzzle, reading.progress
    size = " + ".join(grid.size for grid in puzzle.grids)
    about = f"{size}, {len(puzzle.givens)} givens, {len(puzzle.constraints)} rules"
    return {
        "document": cs.write_json(puzzle),
        "title": f"{reading.title} ({about})" if reading.title else about,
        "rules": [rule.describe(puzzle) for rule in puzzle.constraints],
        "leftOut": list(reading.left_out),
        "cells": [
            [str(cell), *at] for cell, at in zip(puzzle.cells, positions(puzzle), strict=True)
        ],
        "values": all_values(puzzle.cells, puzzle),
        "givens": {str(place): value for place, value in puzzle.givens.items()},
        "entered": {str(place): v for place, v in progress.values.items()},
        "marks": _by_name(progress.candidates),
        "algorithms": ALGORITHMS,
    }


def _reading(message: Message) -> Reading:
    """The puzzle of a message, with the digits and marks that were entered."""
    puzzle, entered = cs.read(_text(message, "document")), message.get("entered") or {}
    if not isinstance(entered, dict):
        raise FormatError("entered must be an object of cells and values")
    values = {_cell(name): value for name, value in entered.items()}
    marks = _marks(puzzle, message.get("marks") or {}, "marks")
    return Reading(puzzle, progress=Progress(values, marks))


def _started(message: Message) -> Puzzle:
    """The puzzle of a message, with the digits that were entered as givens."""
    reading = _reading(message)
    return reading.puzzle.with_givens(reading.progress.values)


def _marks(puzzle: Puzzle, found: object, key: str) -> dict[Cell, _Values]:
    if not isinstance(found, dict) or not all(isinstance(v, list) for v in found.values()):
        raise FormatError(f"{key} must be an object of cells and lists of values")
    marks = {_cell(name): tuple(values) for name, values in found.items()}
    for place, values in marks.items():
        known = puzzle.values_of(place)
        if wrong := [value for value in values if value not in known]:
            raise FormatError(f"{key}: {place} cannot be {wrong[0]!r}")
    return marks


def _cell(name: str) -> Cell:
    place = cs.cell(name)
    if not isinstance(place, Cell):
        raise FormatError(f"{name} is not a cell")
    return place


def _without(marks: Mapping[Any, _Values], gone: Container[Any]) -> dict[Any, _Values]:
    """The marks of the cells that have no value."""
    return {place: values for place, values in marks.items() if place not in gone}


def _by_name(marks: Mapping[Any, _Values]) -> dict[str, list[int]]:
    return {str(place): list(values) for place, values in marks.items()}


def _text(message: Message, key: str) -> str:
    text = message.get(key)
    if not isinstance(text, str) or not text.strip():
        raise FormatError(f"{key} is missing")
    return text
