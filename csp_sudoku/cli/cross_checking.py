"""The commands that trust no single solver: cross-check, check --claim, check-claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku import backends as registry
from csp_sudoku.cli import inputs, options, output
from csp_sudoku.cli.codes import (
    DISAGREEMENT,
    NO_SOLUTION,
    SEVERAL,
    SOLVED,
    UNANSWERED,
    UNDECIDED,
    WRONG_CLAIM,
    exit_status,
)
from csp_sudoku.cli.output import answer
from csp_sudoku.cli.reading import reading_options
from csp_sudoku.crosscheck.programs import command_line
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.answers import limited

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.crosscheck.agreement import Agreement, Answer
    from csp_sudoku.crosscheck.bulk import ClaimRow
    from csp_sudoku.crosscheck.participants import Solver

_EXIT = exit_status(
    {
        0: "one solution",
        1: "no solution",
        3: "unknown: too few solvers finished, or the stated solution disagrees",
        4: "several solutions",
        5: "the solvers disagree",
        8: "a program of --solver gave no answer",
    }
)
_CLAIM_EXIT = exit_status({0: "all claims are right", 3: "undecided", 6: "a claim is wrong"})

# Of a file, so many failures are shrunk, and of each kind the first.
_MOST_SHRUNK = 10

_DEFAULT_LIMIT = 10
_DEFAULT_TIMEOUT = 60.0
# What is asked if nothing else is said; the command that repeats a check names the rest.
_USUAL = {"limit": _DEFAULT_LIMIT, "timeout": _DEFAULT_TIMEOUT, "seed": None, "memory": None}


@click.command(epilog=_EXIT)
@options.puzzle()
@reading_options
@options.backends("Ask")
@click.option(
    "--solver",
    "programs",
    metavar="COMMAND",
    multiple=True,
    help="Ask another program too, such as 'kissat {cnf}' or './mine {line}'. Can be repeated.",
)
@options.limit(_DEFAULT_LIMIT)
@options.seconds(_DEFAULT_TIMEOUT)
@options.SEED
@options.number("--workers", "How many solvers run at a time. Default: one for each processor.")
@options.number("--memory", "Memory limit of each solver, in megabytes.")
@click.option(
    "--proof",
    metavar="FILE",
    help="Write the formula (.cnf) and the proof (.drat, or .lrat with hints).",
)
@click.option(
    "--certify-rules",
    is_flag=True,
    help="Compare the clauses of each rule with the rule itself, on every tuple of values.",
)
@click.option("--html", metavar="FILE", help="Write a report as one page of HTML.")
@click.option(
    "--save",
    metavar="FILE",
    default="disagreement.json",
    show_default=True,
    help="If solvers disagree, write the smallest puzzle found that shows it.",
)
@options.answering
def cross_check(
    *,
    puzzle: str,
    how: inputs.HowToRead,
    backends: tuple[str, ...],
    programs: tuple[str, ...],
    proof: str | None,
    certify_rules: bool,
    html: str | None,
    save: str,
    as_json: bool,
    **asked: Any,
) -> int:
    """Ask all solvers, compare their answers, prove the result.

    Each solver runs in its own process, for at most the seconds of --timeout. If PUZZLE is a file
    with several puzzles, all of them are checked, with a summary at the end.

    \b
    Examples:
      csp-sudoku cross-check 0100300140020040
      csp-sudoku cross-check puzzle.json --backend sat --backend dlx --proof out.lrat
      csp-sudoku cross-check puzzle.json --solver 'kissat {cnf}' --json
      csp-sudoku cross-check puzzles.txt --backend sat --solver './mine {line}'
      csp-sudoku cross-check puzzle.json --html report.html
    """
    from csp_sudoku.crosscheck.participants import external_program

    external = [external_program(command) for command in programs]
    solvers: list[Solver] | None = None
    if backends or external:
        solvers = [*(backends or registry.names()), *external]
    again = [*_options("--backend", backends), *_options("--solver", programs)]
    for name, usual in _USUAL.items():
        again += _options(f"--{name}", [str(asked[name])] if asked[name] != usual else [])
    asked["limit"] = asked["limit"] or None

    def asking(puzzle: Puzzle) -> Agreement:
        return ask(puzzle, solvers, **asked)

    given = inputs.read_one_or_many(puzzle, how)
    if not isinstance(given, Puzzle):
        single = {"--proof": proof, "--html": html, "--certify-rules": certify_rules}
        for name in [name for name, wanted in single.items() if wanted]:
            raise FormatError(f"{name} is about one puzzle, but {puzzle} has several")
        return _cross_check_many(given, asking, save, again, as_json=as_json)
    agreement = asking(given)
    if as_json:
        answer(agreement.to_json())
    else:
        output.answer_rich(agreement)
    if proof is not None:
        _write_proof(agreement, proof)
    if certify_rules:
        from csp_sudoku.crosscheck import encodings

        with output.working(lambda: "comparing clauses with rules"):
            compared = encodings.certify_rules(given)
        output.note(str(compared))
        if compared.wrong:
            return DISAGREEMENT
    if html is not None:
        command = ["csp-sudoku", "cross-check", "puzzle.json", *again]
        output.write_file(html, agreement.to_html(command).encode())
        output.note(f"written: {html}")
    if not agreement.ok:
        _save(agreement, save, again)
    return _exit_code(agreement)


def _cross_check_many(
    given: Iterator[Puzzle | CspSudokuError],
    asking: Callable[[Puzzle], Agreement],
    save: str,
    again: list[str],
    *,
    as_json: bool,
) -> int:
    from csp_sudoku.crosscheck.many import ManySummary

    summary = ManySummary()
    shrunk: set[str] = set()
    try:
        for row, puzzle in enumerate(given, 1):
            if not isinstance(puzzle, Puzzle):
                summary.errors[row] = str(puzzle)
                output.note(f"puzzle {row}: {puzzle}")
                continue
            failure = summary.take(row, asking(puzzle))
            if failure is None:
                continue
            output.note(str(failure))
            if failure.sort not in shrunk and len(shrunk) < _MOST_SHRUNK:
                shrunk.add(failure.sort)
                stem = Path(save)
                path = str(stem.with_name(f"{stem.stem}-{row}{stem.suffix}"))
                command = _save(failure.agreement, path, again)
                summary.failures[-1] = replace(failure, file=path, command=command)
    except KeyboardInterrupt:
        output.note(f"interrupted after {summary.puzzles:,} puzzles")
        for line in str(summary).splitlines():
            answer(line)
        raise
    output.answer_either(summary.to_dict(), str(summary).splitlines(), as_json=as_json)
    if summary.wrong:
        return DISAGREEMENT
    if summary.failures:
        return UNANSWERED
    return UNDECIDED if summary.undecided else SOLVED


def ask(puzzle: Puzzle, solvers: Sequence[Solver] | None, **settings: Any) -> Agreement:
    """Ask these solvers, all by default, and show which of them are still at work."""
    from csp_sudoku.crosscheck.run import cross_check as run

    waiting: dict[str, bool] = {}

    def progress(name: str, given: Answer | None) -> None:
        waiting[name] = given is None

    def label() -> str:
        names = [name for name, waits in waiting.items() if waits]
        return f"{len(waiting) - len(names)} answered; waiting for {', '.join(names)}"

    with output.working(label):
        return run(puzzle, solvers, progress=progress, **settings)


def check_claim(puzzle: Puzzle, claim: str, *, as_json: bool) -> int:
    """Check a claim: a file, or the claim itself."""
    from csp_sudoku.crosscheck.claims import RIGHT, ClaimVerdict
    from csp_sudoku.crosscheck.claims import check_claim as check

    checked = check(puzzle, inputs.source_of(claim))
    if checked.verdict is ClaimVerdict.MALFORMED:
        raise FormatError(f"claim: {checked.text}")
    evidence = checked.evidence.text if checked.evidence else None
    document = {
        "verdict": output.verdict(checked.verdict.value),
        "text": checked.text,
        "violations": [str(violation) for violation in checked.violations],
        "open": [str(place) for place in checked.missing],
        "evidence": evidence,
        "disputes": list(checked.disputes),
    }
    output.answer_either(document, [checked, *filter(None, [evidence])], as_json=as_json)
    if checked.ok:
        return SOLVED
    wrong = checked.verdict not in (ClaimVerdict.UNDECIDED, ClaimVerdict.INCOMPLETE, *RIGHT)
    return WRONG_CLAIM if wrong else UNDECIDED


@click.command(epilog=_CLAIM_EXIT)
@options.argument("table", "TABLE", "A CSV or JSONL file with puzzles and claims.")
@options.RULE
@click.option(
    "--report", metavar="FILE", help="Write each verdict here. A stopped run continues from it."
)
@options.seconds(_DEFAULT_TIMEOUT)
@options.answering
def check_claims(
    *,
    table: str,
    rules: tuple[Constraint, ...],
    report: str | None,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Check the claimed answers to many puzzles.

    TABLE is a CSV file whose header names the columns `puzzle` and `claim` (or `solution`), or a
    file with a JSON object on each line that has these fields.

    \b
    Examples:
      csp-sudoku check-claims answers.csv --report answers.report
      csp-sudoku check-claims answers.jsonl --rule anti-knight --json
    """
    from csp_sudoku.crosscheck.bulk import check_claims as check
    from csp_sudoku.crosscheck.claims import RIGHT, ClaimVerdict

    done = wrong = 0

    def progress(row: ClaimRow) -> None:
        nonlocal done, wrong
        done += 1
        wrong += not row.ok

    with output.working(lambda: f"{done:,} claims checked, {wrong:,} wrong"):
        summary = check(
            table,
            report=report,
            rules=rules,
            timeout=timeout,
            progress=progress,
        )
    if summary.partly_read:
        output.name_left_out([f"rules of {summary.partly_read:,} puzzles, which the report names"])
    verdicts = {verdict.value: number for verdict, number in summary.verdicts.items()}
    failures = [
        {
            "row": row.row,
            "verdict": limited(row.verdict.value, row.left_out),
            "text": row.text,
            "left_out": list(row.left_out),
            "disputes": list(row.disputes),
        }
        for row in summary.failures
    ]
    document = {"rows": summary.rows, "verdicts": verdicts, "failures": failures}
    output.answer_either(document, [*summary.failures, summary], as_json=as_json)
    if summary.ok:
        return SOLVED
    undecided = {row.verdict for row in summary.failures} <= {ClaimVerdict.UNDECIDED, *RIGHT}
    return UNDECIDED if undecided else WRONG_CLAIM


def _save(agreement: Agreement, path: str, again: list[str]) -> str:
    """Write the smallest puzzle found that shows a failure; return the command that shows it."""
    from csp_sudoku.crosscheck.shrink import failures

    wanted = failures(agreement)
    with output.working(lambda: "looking for a smaller puzzle that shows it"):
        small = agreement.shrink()
        try:
            shown = not wanted.isdisjoint(failures(small.save(path)))
            if not shown and small is not agreement:
                shown = not wanted.isdisjoint(failures(agreement.save(path)))
        except (OSError, CspSudokuError) as error:
            output.note(f"the puzzle could not be written: {error}")
            return ""
    command = command_line(["csp-sudoku", "cross-check", path, *again])
    shows = "shows it" if shown else "showed it once, but not when it was asked again"
    output.note(f"the smallest puzzle found that {shows}: {command}")
    return command


def _write_proof(agreement: Agreement, path: str) -> None:
    if agreement.certificate is None:
        output.note(f"no proof was written: {agreement.uncertified}")
        return
    files = agreement.write_proof(path)
    output.note(f"written: {' and '.join(map(str, files))}")


def _options(name: str, values: Iterable[str]) -> list[str]:
    return [word for value in values for word in (name, value)]


def _exit_code(agreement: Agreement) -> int:
    from csp_sudoku.crosscheck.agreement import Outcome

    codes = {
        Outcome.UNIQUE_CERTIFIED: SOLVED,
        Outcome.UNIQUE_AGREED: SOLVED,
        Outcome.NONE_CERTIFIED: NO_SOLUTION,
        Outcome.NONE_AGREED: NO_SOLUTION,
        Outcome.SEVERAL: SEVERAL,
        Outcome.DISAGREEMENT: DISAGREEMENT,
        Outcome.UNKNOWN: UNDECIDED,
    }
    if agreement.agreed and not agreement.ok:
        return UNANSWERED
    code = codes[agreement.outcome]
    return UNDECIDED if code == SOLVED and agreement.disputes else code
