"""The command generate: puzzles to order, one or many."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from csp_sudoku import formats
from csp_sudoku.cli import options, output
from csp_sudoku.cli.output import SOLVED, UNDECIDED, answer
from csp_sudoku.cli.progress import bar
from csp_sudoku.constraints import registry
from csp_sudoku.errors import FormatError
from csp_sudoku.puzzle import Puzzle

if TYPE_CHECKING:
    from csp_sudoku.generating import Generated

_EXIT = (
    "Exit status: 0 all puzzles are as wished, 2 bad input, 3 some are not (each is named), "
    "130 interrupted."
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=_EXIT)(generate)


def generate(
    *,
    rule: options.Rules = None,
    size: options.Size = None,
    box: options.Box = None,
    values: options.Values = None,
    variant: Annotated[
        str,
        typer.Option(
            "--variant",
            metavar="NAME,…",
            help="Variants with clues placed by lot, such as killer,thermo:5 or jigsaw.",
        ),
    ] = "",
    unique: Annotated[
        bool,
        typer.Option(
            "--unique/--normal", help="One solution, by proof; or a share of cells emptied."
        ),
    ] = True,
    share: Annotated[
        float | None,
        typer.Option("--share", metavar="SHARE", help="The share of cells to empty, 0 to 1."),
    ] = None,
    minimal: Annotated[
        bool, typer.Option("--minimal", help="Take away every clue that is not needed.")
    ] = False,
    clues: Annotated[
        int | None,
        typer.Option("--clues", metavar="N", min=0, help="The number of givens; 0 for none."),
    ] = None,
    symmetry: Annotated[
        str | None,
        typer.Option("--symmetry", metavar="NAME", help="Of the givens, such as rotational."),
    ] = None,
    difficulty: Annotated[
        str | None,
        typer.Option(
            "--difficulty", metavar="NAME|LOW-HIGH", help="easy, medium, hard, expert or scores."
        ),
    ] = None,
    certified: Annotated[
        bool, typer.Option("--certified", help="Prove and check that there is one solution.")
    ] = False,
    count: Annotated[
        int, typer.Option("--count", metavar="N", min=1, help="How many puzzles.")
    ] = 1,
    seed: options.Seed = None,
    timeout: options.Timeout = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="Write them to a file; go on where it ends."),
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Make puzzles: plain ones as text, others as JSON, one a line.

    The same --seed gives the same puzzles. A time limit is for each of them.

    Examples:

    csp-sudoku generate --minimal --seed 7

    csp-sudoku generate --variant killer,thermo --clues 0 --count 100 --seed 7 --out puzzles.jsonl

    csp-sudoku generate --size 16 --symmetry rotational --rule diagonals
    """
    from csp_sudoku.generating import generate_many

    wishes: dict[str, Any] = {
        "mode": "unique" if unique else "normal",
        "share": share,
        "minimal": minimal,
        "clues": clues,
        "symmetry": symmetry,
        "difficulty": difficulty,
        "recipe": variant,
        "timeout": options.timeout(timeout),
        "certified": certified,
    }
    rules = _rules(rule, size, box, values)
    chosen = random.SystemRandom().randrange(2**31) if seed is None else seed
    done = _lines(out)
    if done:
        [again] = generate_many(1, rules, seed=chosen, **wishes)
        if done[0] != _line(again, as_json=as_json):
            raise FormatError(f"{out} holds other puzzles: name another file, or the same --seed")
    missing = 0
    with _resumable(out, chosen, quiet=quiet), bar("puzzles", count, quiet=quiet) as advance:
        advance(min(len(done), count))
        left = max(0, count - len(done))
        for made in generate_many(left, rules, seed=chosen, first=len(done), **wishes):
            _write(out, _line(made, as_json=as_json))
            advance(1)
            missing += bool(made.shortfalls)
            for shortfall in made.shortfalls:
                output.note(f"seed {made.seed}: {shortfall}", quiet=quiet)
    if out is not None:
        output.note(f"{count} puzzles are in {out}", quiet=quiet)
    return UNDECIDED if missing else SOLVED


def _rules(rule: list[str] | None, size: str | None, box: str | None, values: str | None) -> Puzzle:
    wanted = options.size(size) or 9
    rows, columns = wanted if isinstance(wanted, tuple) else (wanted, wanted)
    puzzle = Puzzle.blank(rows, columns, box=options.box(box), values=options.values(values))
    return puzzle.add(*[registry.rule(name) for name in rule or ()])


def _line(made: Generated, *, as_json: bool) -> str:
    """A puzzle on one line: as text if that says it all, else as JSON with what is known of it."""
    puzzle = made.puzzle
    grid = puzzle.grids[0]
    if not as_json and puzzle.without_givens == Puzzle.blank(grid.rows):
        return formats.write_text(puzzle)
    fields = {
        "puzzle": json.loads(formats.write_json(puzzle)),
        "solution": made.solution.text,
        "clues": made.clues,
        "unique": made.unique,
        "minimal": made.minimal,
        "difficulty": made.difficulty,
        "shortfalls": list(made.shortfalls),
        "certificate": made.certificate.statement if made.certificate else None,
        "seed": made.seed,
    }
    return json.dumps({name: value for name, value in fields.items() if value is not None})


def _lines(out: str | None) -> list[str]:
    """The puzzles that a file has already; what was cut off while it was written is dropped."""
    path = None if out is None else Path(out)
    if path is None or not path.exists():
        return []
    try:
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            path.write_bytes(whole)
        return whole.decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{out} cannot be continued: {error}") from None


def _write(out: str | None, line: str) -> None:
    if out is None:
        answer(line)
        return
    try:
        with open(out, "a", encoding="utf-8") as file:
            file.write(line + "\n")
    except OSError as error:
        raise FormatError(f"{out} cannot be written: {error.strerror}") from None


@contextmanager
def _resumable(out: str | None, seed: int, *, quiet: bool) -> Iterator[None]:
    """Say on Ctrl-C that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        if out is not None:
            output.note(
                f"what was done is in {out}: the same command goes on from there (--seed {seed})",
                quiet=quiet,
            )
        raise
