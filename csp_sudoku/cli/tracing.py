"""The command encoding: what each rule became for every solver, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli import options
from csp_sudoku.cli.codes import SOLVED, exit_status
from csp_sudoku.cli.output import answer, answer_json
from csp_sudoku.cli.reading import reads_puzzle

if TYPE_CHECKING:
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.tracing import RuleTrace, Trace

# How many clauses, rows … of a factor are shown.
_SHOWN = 20


_KINDS = ("clauses", "rows", "constraints", "options")


@click.command("encoding", epilog=exit_status({0: "done"}))
@reads_puzzle
@options.number("--number", "Show what the rule with this number became.")
@click.option(
    "--kind",
    type=click.Choice(_KINDS),
    default="clauses",
    show_default=True,
    help="Clauses of the CNF, rows of the LP, constraints of CP-SAT, options of the exact cover.",
)
@options.number("--clause", "Show the rule that the clause with this number was written for.")
@options.number("--item", "Show the rules of the clause, row … (of --kind) with this number.")
@options.answering
def encoding(
    *,
    given: Puzzle,
    number: int | None,
    kind: str,
    clause: int | None,
    item: int | None,
    as_json: bool,
) -> int:
    """Show what each rule became: factors, and clauses of each.

    With --kind: rows of the linear program, constraints of CP-SAT, or options of the exact cover.
    The clauses are those of `csp-sudoku export --to cnf` and of proofs, and have the same numbers.

    \b
    Examples:
      csp-sudoku encoding examples/variant.json
      csp-sudoku encoding examples/variant.json --number 23 --kind rows
      csp-sudoku encoding examples/variant.json --clause 2530
    """
    from csp_sudoku.tracing import trace_encoding

    trace = trace_encoding(given)
    if clause is not None:
        kind, item = "clauses", clause
    rules = trace.rules
    if item is not None:
        rules = trace.rules_of(item, kind)
    elif number is not None:
        rules = (trace.rule(number),)
    if as_json:
        document = trace.to_dict(kind)
        shown = {each.number for each in rules}
        document["rules"] = [each for each in document["rules"] if each["rule"] in shown]
        answer_json(document)
        return SOLVED
    if item is not None:
        answer(f"{kind[:-1]} {item}: {trace.text(item, kind)}")
        if not rules:
            answer("it says that a variable has one value, and belongs to no rule")
    for each in rules:
        sentence = f": {each.rule.describe(given)}" if number is not None else ""
        answer(f"{each}{sentence}")
        for line in _details(trace, each, kind) if number is not None else ():
            answer(line)
    for factor in trace.origins(item, kind) if item is not None else ():
        answer(str(factor))
    return SOLVED


def _details(trace: Trace, each: RuleTrace, kind: str) -> Iterator[str]:
    for factor in each.factors:
        yield f"  {factor}"
        numbers = trace.numbers(factor.number, kind)
        for number in numbers[:_SHOWN]:
            yield f"    {number}: {trace.text(number, kind)}"
        if len(numbers) > _SHOWN:
            yield f"    and {len(numbers) - _SHOWN:,} more"
