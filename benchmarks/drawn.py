"""Drawings with rules texts: how many are read, and by kind of drawing and by phrase what is not.

``python -m benchmarks drawn FOLDER`` reads every file of a folder: SudokuPad or f-puzzles
documents and links, or JSON objects that hold one under ``encoded_puzzle``, with a ``solution``.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

import csp_sudoku as cs
from csp_sudoku.understanding.colours import NAMES

_DRAWN = re.compile(r"(?:drawn: )?(?P<what>[a-z ]+?)(?: '.*')? at [RC0-9 -]+(?::|$)", re.DOTALL)
_SECONDS = 60.0


@dataclass
class Tally:
    """What was read and what was refused."""

    puzzles: Counter[str] = field(default_factory=Counter)
    figures: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    phrases: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    refused: dict[str, list[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def add(self, name: str, text: str, solution: str) -> None:
        """Read one document, and count it."""
        try:
            found = cs.read_with_notes(text, lenient=True)
        except cs.CspSudokuError as error:
            self.puzzles["refused"] += 1
            self.refused[name] = [str(error)]
            return
        for meaning in found.meanings:
            rule = meaning.kind.name if meaning.kind else "no rule by itself"
            self.phrases[rule]["read"] += 1
            for figure in meaning.figures:
                self.figures[_kind(str(figure))]["read"] += 1
        for item in map(str, found.missing):
            if kind := _kind(item):
                self.figures[kind]["refused"] += 1
            elif item.startswith("said: "):
                self.phrases["not understood"]["refused"] += 1
        if found.missing:
            self.puzzles["refused"] += 1
            self.refused[name] = [str(item) for item in found.missing]
            return
        self.puzzles["read whole"] += 1
        result = cs.solve(found.puzzle, "sat", limit=2, timeout=_SECONDS)
        only = result.complete and len(result.solutions) == 1
        if only and (not solution or result.solutions[0].text == solution):
            self.puzzles["one solution, as stated" if solution else "one solution"] += 1
        elif not (result.complete or result.solutions):
            self.puzzles["undecided in a minute"] += 1
        else:
            self.wrong.append(name)


def _kind(item: str) -> str:
    """What kind of thing is drawn, without its colour; empty if nothing is."""
    found = _DRAWN.match(item)
    return " ".join(word for word in found["what"].split() if word not in NAMES) if found else ""


def documents(folder: Path) -> Iterable[tuple[str, str, str]]:
    """The documents of a folder: the name, the text, and the solution if it is told."""
    for path in sorted(folder.iterdir()):
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        held = json.loads(text) if path.suffix == ".json" else None
        if isinstance(held, dict) and "encoded_puzzle" in held:
            solution = str(held.get("solution") or "").replace(" ", "")
            yield path.stem, str(held["encoded_puzzle"]), solution
        else:
            yield path.stem, text.strip(), ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the documents of a folder and print what was read; 1 if a puzzle is another one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks drawn", description=__doc__)
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args(arguments)
    if not asked.folder.is_dir():
        parser.error(f"{asked.folder} is no folder")
    tally = Tally()
    for document in documents(asked.folder):
        tally.add(*document)
    show(tally, Console())
    return 1 if tally.wrong else 0


def show(tally: Tally, console: Console) -> None:
    """Print the tables, and all that was refused."""
    console.print(", ".join(f"{number} {what}" for what, number in tally.puzzles.items()))
    console.print(f"read as another puzzle: {', '.join(tally.wrong) or 'none'}")
    for title, counts in (("drawing", tally.figures), ("phrases of", tally.phrases)):
        table = Table(title, "read", "refused")
        for what, counter in sorted(counts.items(), key=lambda item: -item[1].total()):
            table.add_row(what, str(counter["read"]), str(counter["refused"]))
        console.print(table)
    for name, items in tally.refused.items():
        console.print(f"[bold]{name}[/bold] is refused:")
        said = [item for item in items if not _kind(item)]
        drawn = Counter(filter(None, map(_kind, items)))
        for item in [*said, *(f"drawn: {number} × {kind}" for kind, number in drawn.items())]:
            console.print(f"  {item}", markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    raise SystemExit(main())
