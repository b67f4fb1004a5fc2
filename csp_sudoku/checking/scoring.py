"""Scores of answers to puzzles, as people and language models write them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from csp_sudoku.checking.assessing import assess
from csp_sudoku.checking.verify import Verdict
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import read, read_answer, strict_json
from csp_sudoku.formats.beside import check_beside, may_say_rules
from csp_sudoku.formats.sources import as_puzzle, lines_of_file
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import time_left
from csp_sudoku.solving.answers import BY_THE_RULES_READ, AboutPuzzle
from csp_sudoku.solving.query import check_query

if TYPE_CHECKING:
    from threading import Event


@dataclass(frozen=True, repr=False)
class Score(AboutPuzzle):
    """How good an answer is.

    Attributes
    ----------
    verdict
        What the rules say about the grid; None if the answer holds no grid.
    correct
        Whether the grid is a solution: any solution, not a certain one.
    right
        The share of the open cells that have the value of some solution, from 0 to 1. A given
        that was changed counts as an open cell with a wrong value.
    solvable
        Whether the grid can be completed to a solution; None if that is not known.
    broken
        The rules that are broken, in sentences; or why there is no grid.
    """

    puzzle: Puzzle
    verdict: Verdict | None
    correct: bool
    right: float
    solvable: bool | None
    broken: tuple[str, ...]

    def __str__(self) -> str:
        if self.verdict is None:
            return f"no grid: {self.broken[0]}"
        return self.limited(f"{self.verdict.value}, {self.right:.0%} of the open cells right")

    def as_dict(self) -> dict[str, Any]:
        """Return the score as plain data, for a line of JSON."""
        said = "no grid" if self.verdict is None else self.verdict.value
        return {
            "verdict": said + BY_THE_RULES_READ * bool(self.left_out and self.verdict),
            "correct": self.correct,
            "right": round(self.right, 4),
            "solvable": self.solvable,
            "broken": [*self.broken],
        }


def score(
    puzzle: object, answer: str, *, timeout: float | None = None, cancel: Event | None = None
) -> Score:
    """Score what somebody has answered to a puzzle: a grid alone, or among sentences.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle`, or anything :func:`read` takes.
    answer
        The whole answer, as :func:`read_answer` takes it.
    timeout
        Seconds to read the puzzle and for the questions to a solver.

    Examples
    --------
    >>> print(score("0100300140020040", "I think it is 2134342143121243."))
    correct, 100% of the open cells right
    >>> print(score("0100300140020040", "I do not know."))
    no grid: the answer holds no grid of 4×4 cells, as a line or as rows
    """
    deadline = check_query(timeout=timeout, cancel=cancel).deadline()
    asked = as_puzzle(puzzle, deadline)
    try:
        grid = read_answer(answer, asked)
    except FormatError as error:
        return Score(asked, None, False, 0.0, None, (str(error),))
    found = assess(asked, grid, **time_left(deadline))
    known = found.verification
    return Score(
        asked,
        known.verdict,
        known.ok,
        found.score,
        found.solvable,
        tuple([str(violation) for violation in known.violations]),
    )


def score_file(
    path: str | PathLike[str], *, timeout: float | None = None
) -> Iterator[tuple[dict[str, Any], Score]]:
    """Score the answers of a file: a JSON object on each line, with `puzzle` and `answer`.

    A puzzle is a text, a link or a document; an answer is a text, or null if there was none. Yields
    each line and its score.

    Raises :class:`FormatError` for a line that is no such object; the message names it.
    """
    for number, text in enumerate(lines_of_file(Path(path)), 1):
        if not text.strip():
            continue
        try:
            line = strict_json.parse(text)
            if not isinstance(line, dict) or not isinstance(line.get("answer", 0), str | None):
                raise FormatError('needs "puzzle" and "answer", and the answer is a text')
            puzzle = line.get("puzzle")
            for name in filter(may_say_rules, line):
                check_beside(name, line[name], puzzle)
            asked = read(puzzle if isinstance(puzzle, str | list) else json.dumps(puzzle))
            yield line, score(asked, line["answer"] or "", timeout=timeout)
        except CspSudokuError as error:
            raise type(error)(f"line {number}: {error}") from None
