"""Run the benchmarks: ``python -m benchmarks [--quick] [--only NAME …] [--out DIR]``.

``python -m benchmarks drawn FOLDER`` says what is read of drawings with rules texts instead;
``python -m benchmarks published FILE`` measures published variants, beside a program of your own;
``python -m benchmarks fuzz RECORD`` makes the page of a long fuzz;
``python -m benchmarks certificates`` makes proofs and measures them;
``python -m benchmarks overruns`` lists deadlines that are passed;
``python -m benchmarks hostile`` lists crafted inputs and their answers;
``python -m benchmarks loops`` measures checking and generating beside other packages.

Packages of others are installed into an environment of their own in the user's cache folder; one
that cannot be installed is left out, and the report says so.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.status import Status
from rich.table import Table

from benchmarks import certificates, drawn, fuzz, hostile, loops, overruns, published, report
from benchmarks.contest import Row, Setting
from benchmarks.peers import PeerError

SECTIONS = {
    "classics": "benchmarks.classics:measure",
    "coloured": "benchmarks.coloured:measure",
    "scripts": "benchmarks.sections:scripts",
    "lp": "benchmarks.programs:measure",
    "variants": "benchmarks.sections:mixed",
    "large": "benchmarks.large:measure",
    "counting": "benchmarks.sections:counting",
    "startup": "benchmarks.startup:measure",
    "growth": "benchmarks.growth:measure",
    "sessions": "benchmarks.sessions:measure",
}
"""What can be measured, and the function that does it."""

NEED_PEERS = ("classics", "coloured")


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    commands = {
        "certificates": certificates.main,
        "drawn": drawn.main,
        "fuzz": fuzz.main,
        "hostile": hostile.main,
        "loops": loops.main,
        "overruns": overruns.main,
        "published": published.main,
    }
    if arguments and arguments[0] in commands:
        return commands[arguments[0]](arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer instances and rounds")
    only = f"a section, as often as wanted: {', '.join(SECTIONS)}"
    parser.add_argument(
        "--only", action="append", choices=SECTIONS, metavar="NAME", default=[], help=only
    )
    parser.add_argument("--out", type=Path, default=Path("docs/benchmarks"), metavar="DIR")
    lines = "classic puzzles, 81 characters a line, instead of made ones"
    parser.add_argument("--puzzles", type=Path, metavar="FILE", help=lines)
    parser.add_argument("--number", type=int, metavar="N", help="of these, take the first N")
    parser.add_argument("--seed", type=int, default=1, help="of the instances that are made")
    asked = parser.parse_args(arguments)
    err = Console(stderr=True)
    try:
        texts = read_puzzles(asked.puzzles)[: asked.number] if asked.puzzles else []
    except (OSError, ValueError) as error:
        parser.error(str(error))
    with err.status("starting") as status:
        setting = Setting(asked.quick, asked.out, asked.seed, status.update, texts)
        wanted = asked.only or list(SECTIONS)
        try:
            if not set(wanted).isdisjoint(NEED_PEERS):
                setting.peers = setting.environment.prepare(status.update)
            rows: list[Row] = []
            for name in wanted:
                setting.tell = partial(_tell, status, name)
                setting.tell("making instances")
                module, _, function = SECTIONS[name].partition(":")
                try:
                    rows += getattr(import_module(module), function)(setting)
                except PeerError as error:
                    err.print(f"{name}: left out: {error}")
        except KeyboardInterrupt:
            err.print("stopped; nothing was written")
            return 130
    path = report.write(rows, setting)
    show(rows)
    err.print(f"written to {path}")
    return 0


def read_puzzles(path: Path) -> list[str]:
    """The puzzles of a file, one a line; lines with # are comments."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    texts = [line[:81] for line in lines if line and not line.startswith("#")]
    for number, text in enumerate(texts, 1):
        if len(text) != 81 or not set(text) <= set(".0123456789"):
            raise ValueError(f"{path}: puzzle {number} must be 81 characters of 0-9 and .")
    if not texts:
        raise ValueError(f"{path}: has no puzzle")
    return texts


def _tell(status: Status, section: str, text: str) -> None:
    status.update(f"{section}: {text}")


def show(rows: Sequence[Row]) -> None:
    """The table on the screen."""
    table = Table(*report.HEAD[:-1])
    for row in rows:
        table.add_row(*report.cells(row)[:-1])
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
