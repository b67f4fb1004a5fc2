"""The commands that trust nobody: cross-check, check --claim, check-claims."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from csp_sudoku import backends
from csp_sudoku.cli import inputs, options, output
from csp_sudoku.cli.output import NO_SOLUTION, SOLVED, UNDECIDED, answer, answer_json
from csp_sudoku.cli.reading import reads_puzzle
from csp_sudoku.constraints import registry
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.puzzle import Puzzle

if TYPE_CHECKING:
    from csp_sudoku.crosscheck.agreement import Agreement, Answer
    from csp_sudoku.crosscheck.bulk import ReportRow
    from csp_sudoku.crosscheck.participants import Solver

SEVERAL, DISAGREEMENT, WRONG_CLAIM = 4, 5, 6

_EXIT = (
    "Exit status: 0 one solution, 1 no solution, 2 bad input, 3 unknown, 4 several solutions, "
    "5 a disagreement, 130 interrupted."
)
_CLAIM_EXIT = (
    "Exit status: 0 all claims are so, 2 bad input, 3 undecided, 6 a claim is not so, "
    "130 interrupted."
)

_DEFAULT_LIMIT = 10
_DEFAULT_TIMEOUT = 60.0

Backends = Annotated[
    list[str] | None,
    typer.Option(
        "--backend", metavar="NAME", help="Ask this solver. May be repeated; all by default."
    ),
]
Solvers = Annotated[
    list[str] | None,
    typer.Option(
        "--solver",
        metavar="COMMAND",
        help="Ask another program as well, such as 'kissat {cnf}'. May be repeated.",
    ),
]
Workers = Annotated[
    int | None, typer.Option("--workers", metavar="N", min=1, help="How many run at a time.")
]
Memory = Annotated[
    int | None, typer.Option("--memory", metavar="MB", min=1, help="How much each may take.")
]
Report = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Write each verdict; go on where it ends."),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="cross-check", epilog=_EXIT)(cross_check)
    app.command(name="check-claims", epilog=_CLAIM_EXIT)(check_claims)


@reads_puzzle
def cross_check(
    given: Puzzle,
    *,
    backend: Backends = None,
    solver: Solvers = None,
    limit: options.Limit = _DEFAULT_LIMIT,
    timeout: options.Timeout = _DEFAULT_TIMEOUT,
    seed: options.Seed = None,
    workers: Workers = None,
    memory: Memory = None,
    proof: Annotated[
        str | None,
        typer.Option("--proof", metavar="FILE", help="Write formula (.cnf) and proof (.drup)."),
    ] = None,
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Write a report, one page of HTML.")
    ] = None,
    save: Annotated[
        str,
        typer.Option("--save", metavar="FILE", help="Where a disagreement is written, shrunk."),
    ] = "disagreement.json",
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Ask all solvers, compare what they say, and have it proved.

    Each solver runs in a process of its own, for the seconds of --timeout.

    Examples:

    csp-sudoku cross-check 0100300140020040

    csp-sudoku cross-check puzzle.json --backend sat --backend dlx --proof out.drup

    csp-sudoku cross-check puzzle.json --solver 'kissat {cnf}' --json

    csp-sudoku cross-check puzzle.json --html report.html
    """
    from csp_sudoku.crosscheck.external import ExternalSolver

    solvers: list[Solver] = [*(backend or backends.names())]
    solvers += [ExternalSolver(command) for command in solver or ()]
    agreement = ask(
        given,
        solvers,
        quiet=quiet,
        limit=limit or None,
        timeout=options.timeout(timeout),
        seed=seed,
        workers=workers,
        memory=memory,
    )
    if as_json:
        answer(agreement.to_json())
    else:
        print_agreement(agreement)
    if proof is not None and agreement.certificate is not None:
        files = agreement.write_proof(proof)
        output.note(f"written: {' and '.join(map(str, files))}", quiet=quiet)
    elif proof is not None:
        output.note(f"no proof was written: {agreement.uncertified}", quiet=quiet)
    again = [*_options("--backend", backend), *_options("--solver", solver)]
    if html is not None:
        seeded = [] if seed is None else ["--seed", str(seed)]
        settings = ["--limit", str(limit), "--timeout", str(timeout), *seeded]
        command = ["csp-sudoku", "cross-check", "puzzle.json", *again, *settings]
        output.write_file(html, agreement.to_html(command).encode())
        output.note(f"written: {html}", quiet=quiet)
    if not agreement.ok:
        _save(agreement, save, again, quiet=quiet)
    return _exit_code(agreement)


def ask(puzzle: Puzzle, solvers: Sequence[Solver], *, quiet: bool, **settings: Any) -> Agreement:
    """Ask all solvers, showing for whom one waits."""
    from csp_sudoku.crosscheck.run import cross_check as run

    waiting: dict[str, bool] = {}

    def progress(name: str, said: Answer | None) -> None:
        waiting[name] = said is None

    def label() -> str:
        names = [name for name, waits in waiting.items() if waits]
        return f"{len(waiting) - len(names)} have answered; waiting for {', '.join(names)}"

    with output.working(label, quiet=quiet):
        return run(puzzle, solvers, progress=progress, **settings)


def print_agreement(agreement: Agreement) -> None:
    """Print the table, and what was established."""
    from rich.console import Console

    if sys.stdout.isatty():
        Console(highlight=False).print(agreement)
        return
    # Wide enough for any row: who reads this is a program, or scrolls.
    console = Console(highlight=False, width=250, no_color=True)
    with console.capture() as captured:
        console.print(agreement)
    for line in captured.get().splitlines():
        answer(line.rstrip())


def check_claim(puzzle: Puzzle, claim: str, *, as_json: bool) -> int:
    """Judge a claim: a file, or the claim itself."""
    from csp_sudoku.crosscheck.claims import ClaimVerdict
    from csp_sudoku.crosscheck.claims import check_claim as check

    checked = check(puzzle, inputs.source_of(claim))
    if checked.verdict is ClaimVerdict.MALFORMED:
        raise FormatError(f"claim: {checked.text}")
    if as_json:
        evidence = checked.evidence.text if checked.evidence else None
        answer_json(
            {
                "verdict": checked.verdict.value,
                "text": checked.text,
                "violations": [str(violation) for violation in checked.violations],
                "open": [str(place) for place in checked.missing],
                "evidence": evidence,
            }
        )
    else:
        answer(str(checked))
        if checked.evidence:
            answer(checked.evidence.text)
    if checked.ok:
        return SOLVED
    open_ = (ClaimVerdict.UNDECIDED, ClaimVerdict.INCOMPLETE)
    return UNDECIDED if checked.verdict in open_ else WRONG_CLAIM


def check_claims(
    table: Annotated[
        str,
        typer.Argument(metavar="TABLE", help="A CSV or JSONL file with puzzles and claims."),
    ],
    *,
    rule: options.Rules = None,
    report: Report = None,
    timeout: options.Timeout = _DEFAULT_TIMEOUT,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Check the claimed answers to many puzzles.

    TABLE is a CSV file whose header names a column `puzzle` and a column `claim` (or `solution`),
    or has a JSON object with such fields on every line. With --report a run that was stopped goes
    on where it ended.

    Examples:

    csp-sudoku check-claims answers.csv --report answers.report

    csp-sudoku check-claims answers.jsonl --rule anti-knight --json
    """
    from csp_sudoku.crosscheck.bulk import check_claims as check
    from csp_sudoku.crosscheck.claims import ClaimVerdict

    done = wrong = 0

    def progress(row: ReportRow) -> None:
        nonlocal done, wrong
        done += 1
        if row.verdict not in (ClaimVerdict.VALID, ClaimVerdict.PROOF_ACCEPTED):
            wrong += 1

    with output.working(lambda: f"{done:,} claims checked, {wrong:,} not so", quiet=quiet):
        summary = check(
            table,
            report=report,
            rules=[registry.rule(name) for name in rule or ()],
            timeout=options.timeout(timeout),
            progress=progress,
        )
    if as_json:
        verdicts = {verdict.value: number for verdict, number in summary.verdicts.items()}
        failures = [
            {"row": row.row, "verdict": row.verdict.value, "text": row.text}
            for row in summary.failures
        ]
        answer_json({"rows": summary.rows, "verdicts": verdicts, "failures": failures})
    else:
        for row in summary.failures:
            answer(f"row {row.row}: {row.verdict.value}: {row.text}")
        answer(str(summary))
    if summary.ok:
        return SOLVED
    undecided = {row.verdict for row in summary.failures} == {ClaimVerdict.UNDECIDED}
    return UNDECIDED if undecided else WRONG_CLAIM


def _save(agreement: Agreement, path: str, again: list[str], *, quiet: bool) -> None:
    with output.working(lambda: "looking for a smaller puzzle that shows it", quiet=quiet):
        small = agreement.shrink()
        try:
            saved = small.save(path)
        except (OSError, CspSudokuError) as error:
            output.note(f"the puzzle that shows it could not be written: {error}", quiet=quiet)
            return
    command = shlex.join(["csp-sudoku", "cross-check", path, *again])
    shows = "shows it" if not saved.ok else "showed it until it was written down"
    output.note(f"the smallest puzzle found that {shows}: {command}", quiet=quiet)


def _options(name: str, given: list[str] | None) -> list[str]:
    return [word for value in given or () for word in (name, value)]


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
    return codes[agreement.outcome]
