"""The command inspect: what a reader made of a puzzle, and what it did not understand."""

from __future__ import annotations

import click

from csp_sudoku.cli import inputs, options, output
from csp_sudoku.cli.codes import SOLVED, exit_status
from csp_sudoku.cli.commands import besides, entered
from csp_sudoku.cli.inputs import HowToRead
from csp_sudoku.cli.output import answer, answer_json
from csp_sudoku.cli.reading import reading_options
from csp_sudoku.formats import Reading
from csp_sudoku.formats.origins import Origin, origins


@click.command(
    epilog=exit_status({0: "everything was understood", 7: "some things were not: it lists them"})
)
@options.puzzle()
@reading_options
@options.answering
def inspect(*, puzzle: str, how: HowToRead, as_json: bool) -> int:
    """Show how a puzzle was read, and what was not understood.

    A table lists what is drawn, the sentence that speaks of it, the rule that it became, and what
    confirms this. Then comes what was not understood. Other commands refuse such a puzzle; this one
    reads what can be read, as they do with --lenient.

    \b
    Examples:
      csp-sudoku inspect 'https://sudokupad.app/scl…'
      csp-sudoku inspect puzzle.json --json
    """
    reading = inputs.read_reading(puzzle, how | {"lenient": True})
    found = origins(reading)
    said = besides(reading)
    if as_json:
        answer_json(
            {
                "puzzle": _summary(reading),
                "title": reading.title,
                "author": reading.author,
                "rules_text": reading.rules,
                "stated_solution": list(reading.solution),
                "entered": entered(reading),
                "notes": list(reading.notes),
                "read": [_record(origin, reading) for origin in found],
                "confirmed": reading.confirmed,
                "not_understood": [
                    {"kind": item.kind, "where": item.where, "text": item.text}
                    for item in reading.missing
                ],
            }
        )
        return SOLVED
    answer(f"puzzle: {_summary(reading)}")
    for name in ("title", "author", "stated solution", "entered", "note"):
        for line in said.get(name, ()):
            answer(f"{name}: {line}")
    if found:
        _print_table([_record(origin, reading) for origin in found])
    for reason in reading.left_out:
        answer(f"not understood: {reason}")
    return SOLVED


def _summary(reading: Reading) -> str:
    """The size of the puzzle, and how much it has."""
    return repr(reading.puzzle).removeprefix("<Puzzle ").removesuffix(">")


def _record(origin: Origin, reading: Reading) -> dict[str, str]:
    """A row of the table: four texts."""
    rule = origin.rule
    return {
        "drawn": "; ".join(origin.drawn),
        "said": origin.said,
        "rule": f"{rule.label}: {rule.describe(reading.puzzle)}" if rule else "",
        "confirmed_by": origin.confirmed,
    }


def _print_table(rows: list[dict[str, str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("drawn, or an entry", "said", "rule", "confirmed by"):
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*(Text(output.printable(text)) for text in row.values()))
    output.answer_rich(table)
