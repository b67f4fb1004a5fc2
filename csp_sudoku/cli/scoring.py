"""The command score: answers of people or language models, in a file of JSON lines."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from csp_sudoku.cli import options
from csp_sudoku.cli.codes import NO_SOLUTION, SOLVED, exit_status
from csp_sudoku.cli.output import answer, answer_either, note
from csp_sudoku.errors import FormatError

_EXIT = exit_status({0: "every answer is correct", 1: "some are not"})


@click.command(epilog=_EXIT)
@options.argument("answers", "FILE", "A JSON object on each line, with a puzzle and an answer.")
@click.option("--each", is_flag=True, help="Print each line with its score, as JSON.")
@options.TIMEOUT
@options.answering
def score(*, answers: str, each: bool, timeout: float | None, as_json: bool) -> int:
    """Score answers to puzzles: any solution is correct.

    Each line of the file is like {"puzzle": "0100300140020040", "answer": "It is 2134 3421 …"}. An
    answer may be a grid alone, or a grid among sentences. --timeout applies to each answer.

    \b
    Examples:
      csp-sudoku score answers.jsonl
      csp-sudoku score answers.jsonl --each > scores.jsonl
    """
    from csp_sudoku.checking.scoring import score_file

    if not Path(answers).is_file():
        raise FormatError(f"{answers} cannot be read: there is no such file")
    verdicts: Counter[str] = Counter()
    right = 0.0
    correct = 0
    for line, found in score_file(answers, timeout=timeout):
        said = found.as_dict()
        verdicts[str(said["verdict"])] += 1
        right += found.right
        correct += found.correct
        if each:
            answer(json.dumps({**line, **said}, ensure_ascii=False))
    number = verdicts.total()
    if not number:
        raise FormatError(f"{answers} holds no answers")
    mean = right / number
    listed = ", ".join(f"{times:,} {verdict}" for verdict, times in verdicts.items())
    text = f"{number:,} answers: {listed}; {mean:.1%} of the open cells right"
    summary = {"answers": number, "correct": correct, "right": round(mean, 4)}
    if each:
        note(text)
    else:
        answer_either(summary | {"verdicts": dict(verdicts)}, [text], as_json=as_json)
    return SOLVED if correct == number else NO_SOLUTION
