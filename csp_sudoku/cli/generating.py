"""The command generate: puzzles to order, one or many."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from csp_sudoku import executors, formats
from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import SOLVED, UNDECIDED, exit_status
from csp_sudoku.cli.output import answer
from csp_sudoku.cli.progress import bar
from csp_sudoku.errors import FormatError
from csp_sudoku.puzzle import Puzzle

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.generating import Generated

_EXIT = exit_status(
    {
        0: "all puzzles are as wished",
        3: "some are not; a note says which, and what is missing",
    },
    reads=False,
)


@click.command(epilog=_EXIT)
@options.RULE
@options.SIZE
@options.BOX
@options.VALUES
@click.option(
    "--variant",
    "recipe",
    metavar="NAME,…",
    default="",
    help="Place clues of these variants at random, such as killer,thermo:5 or jigsaw.",
)
@click.option(
    "--unique/--normal",
    default=True,
    show_default=True,
    help="Exactly one solution, proved; or a share of the cells emptied.",
)
@click.option(
    "--share", metavar="SHARE", type=float, help="The share of cells to empty, from 0 to 1."
)
@click.option("--minimal", is_flag=True, help="Remove every clue that is not needed.")
@options.number("--clues", "The number of givens; 0 for none.", least=0)
@click.option("--symmetry", metavar="NAME", help="Symmetry of the givens, such as rotational.")
@click.option(
    "--difficulty", metavar="NAME|LOW-HIGH", help="easy, medium, hard, expert, or scores."
)
@click.option("--technique", metavar="NAME", help="A technique that its explanation uses.")
@click.option("--hardest-technique", metavar="NAME", help="The technique of its hardest step.")
@click.option("--needs", metavar="NAME", help="A technique that others do not replace.")
@click.option("--certified", is_flag=True, help="Check a proof that there is one solution.")
@click.option("--rated", is_flag=True, help="Tell the score and the techniques of each puzzle.")
@options.number("--count", "How many puzzles to make.", default=1)
@options.number("--start", "The number of the first puzzle of a --seed.", least=0, default=0)
@options.SEED
@options.TIMEOUT
@options.WORKERS
@options.DASK
@options.number("--chunk", "How many puzzles a worker makes at a time.", default=50)
@click.option(
    "--out", metavar="FILE", help="Write to this file. The same command continues a stopped run."
)
@options.answering
def generate(
    *,
    rules: tuple[Constraint, ...],
    size: int | tuple[int, int] | None,
    box: tuple[int, int] | Literal["auto"] | None,
    values: range | None,
    unique: bool,
    rated: bool,
    count: int,
    start: int,
    seed: int | None,
    workers: int,
    dask: str | None,
    chunk: int,
    out: str | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Make puzzles to order, one on each line.

    Classic puzzles are written as text, others and rated ones as JSON. The same --seed gives the
    same puzzles. --start and --count choose a part of them, so that several machines can share the
    work. --timeout applies to each puzzle.

    \b
    Examples:
      csp-sudoku generate --minimal --seed 7
      csp-sudoku generate --variant killer,thermo --clues 0 --count 100 --out puzzles.jsonl
      csp-sudoku generate --minimal --rated --seed 7 --start 5000 --count 5000 --out part2.jsonl
      csp-sudoku generate --size 16 --symmetry rotational --rule diagonals
      csp-sudoku generate --hardest-technique x-wing --seed 3
    """
    from csp_sudoku.generating import generate_many

    wishes = asked | {"mode": "unique" if unique else "normal", "rated": rated}
    rows, columns = size if isinstance(size, tuple) else (size or 9, size)
    blank = Puzzle.blank(rows, columns, box=box, values=values).add(*rules)
    chosen = random.SystemRandom().randrange(2**31) if seed is None else seed
    done = _lines(out)
    if done:
        [again] = generate_many(1, blank, seed=chosen, first=start, **wishes)
        if done[0] != _line(again, as_json=as_json or rated):
            raise FormatError(
                f"{out} has other puzzles: use the same options and --seed, or another file"
            )
    missing = 0
    continues = f"the same command with --seed {chosen} continues it"
    to_continue = None if out is None else f"{out} has what was made so far: {continues}"
    with (
        output.noting_interrupt(to_continue),
        bar("puzzles", count) as advance,
        executors.wanted(workers, dask) as executor,
    ):
        advance(min(len(done), count))
        left = max(0, count - len(done))
        for made in generate_many(
            left,
            blank,
            seed=chosen,
            first=start + len(done),
            executor=executor,
            chunk=chunk,
            **wishes,
        ):
            _write(out, _line(made, as_json=as_json or rated))
            advance(1)
            missing += bool(made.shortfalls)
            for shortfall in made.shortfalls:
                output.note(f"seed {made.seed}: {shortfall}")
    if out is not None:
        output.note(f"{count} puzzles are in {out}")
    return UNDECIDED if missing else SOLVED


def _line(made: Generated, *, as_json: bool) -> str:
    """A puzzle on one line: as text if it has only givens, else as JSON with its details."""
    puzzle = made.puzzle
    grid = puzzle.grids[0]
    if not as_json and puzzle.without_givens() == Puzzle.blank(grid.rows):
        return formats.write_text(puzzle)
    fields = {
        "puzzle": json.loads(formats.write_json(puzzle)),
        "solution": made.solution.text,
        "clues": made.clues,
        "unique": made.unique,
        "minimal": made.minimal,
        "difficulty": made.difficulty,
        "techniques": None if made.rating is None else dict(made.rating.counts),
        "shortfalls": list(made.shortfalls),
        "certificate": made.certificate.statement if made.certificate else None,
        "seed": made.seed,
    }
    return json.dumps({name: value for name, value in fields.items() if value is not None})


def _lines(out: str | None) -> list[str]:
    """The puzzles that a file has already, without a last line that was cut off."""
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
