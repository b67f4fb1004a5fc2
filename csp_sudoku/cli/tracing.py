"""The command encoding: which factors and clauses each rule became, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import click

from csp_sudoku.cli import options
from csp_sudoku.cli.codes import SOLVED, exit_status
from csp_sudoku.cli.output import answer, answer_json
from csp_sudoku.cli.reading import reads_puzzle

if TYPE_CHECKING:
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.tracing import FactorTrace, Trace

# How many clauses of a factor are shown.
_SHOWN = 20


@click.command("encoding", epilog=exit_status({0: "done"}))
@reads_puzzle
@options.number("--number", "Show the factors and clauses of the rule with this number.")
@options.number("--clause", "Show the rule that the clause with this number was written for.")
@options.answering
def encoding(*, given: Puzzle, number: int | None, clause: int | None, as_json: bool) -> int:
    """Show which factors and clauses each rule became.

    The clauses are those of `csp-sudoku export --to cnf` and of proofs, and have the same numbers.

    \b
    Examples:
      csp-sudoku encoding examples/variant.json
      csp-sudoku encoding examples/variant.json --number 23
      csp-sudoku encoding examples/variant.json --clause 2530
    """
    from csp_sudoku.tracing import trace_encoding

    trace = trace_encoding(given)
    if clause is not None:
        owner = trace.rule_of(clause)
        number = owner.number if owner else None
    if as_json:
        document = trace.to_dict()
        if number is not None or clause is not None:
            document["rules"] = [each for each in document["rules"] if each["rule"] == number]
        answer_json(document)
        return SOLVED
    for line in _lines(trace, number, clause):
        answer(line)
    return SOLVED


def _lines(trace: Trace, rule: int | None, clause: int | None) -> Iterator[str]:
    if clause is not None:
        yield f"clause {clause}: {' or '.join(trace.names(clause)) or 'nothing'}"
        if rule is None:
            yield "it says that a variable has one value, and belongs to no rule"
            return
        yield str(trace.rule(rule))
        yield str(trace.origin(clause))
    elif rule is not None:
        each = trace.rule(rule)
        yield f"{each}: {each.rule.describe(trace.puzzle)}"
        for factor in each.factors:
            yield f"  {factor}"
            yield from _clauses(trace, factor)
    else:
        for each in trace.rules:
            yield str(each)


def _clauses(trace: Trace, factor: FactorTrace) -> Iterator[str]:
    for number in islice(factor.clauses, _SHOWN):
        yield f"    {number}: {' or '.join(trace.names(number)) or 'nothing'}"
    if len(factor.clauses) > _SHOWN:
        yield f"    and {len(factor.clauses) - _SHOWN:,} more"
