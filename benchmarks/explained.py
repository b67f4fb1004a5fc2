"""How long explanations take, and how they read: ``python -m benchmarks.explained FILE``.

Reads a puzzle a line (the first word counts), lines of JSON with a member ``iss``, or a JSON list
of objects with a member ``fpuzzles`` (what follows ``load=`` in a link). Rules that are not
understood are left out, as with ``--lenient``; their number is shown. A ``solution`` (a list of
digits) is compared. Prints CPU seconds, steps, the hardest and the longest line of each puzzle.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import csp_sudoku as cs
from benchmarks.published import CpuLimit


def puzzles(path: Path) -> Iterator[tuple[str, str, list[int] | None]]:
    """The puzzles of a file: the name, the text and the solution of each that has just one."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        for each in json.loads(text):
            link = f"https://f-puzzles.com/?load={each['fpuzzles']}"
            yield each["name"], link, each.get("solution")
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("{"):
            each = json.loads(line)
            if each["solutions"] == 1:
                yield each["id"], each["iss"], each.get("solution")
        elif line.strip() and not line.startswith("#"):
            yield str(number), line.split()[0], None


def main() -> int:
    """Explain the puzzles of a file; 1 if a solution is not the stated one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take each so many-th puzzle")
    parser.add_argument("--first", type=int, default=0, help="and begin with this one")
    parser.add_argument("--most", type=int, help="no more puzzles than this")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds for a puzzle")
    asked = parser.parse_args()
    cs.explain("0100 3001 4002 0040")
    endings: Counter[str] = Counter()
    seconds, longest, wrong = [], 0, []
    for name, text, solution in list(puzzles(asked.file))[asked.first :: asked.every][: asked.most]:
        try:
            puzzle = cs.read(text, lenient=True)
        except cs.CspSudokuError as error:
            endings["not read"] += 1
            print(f"{name[:24]:24} {str(error)[:70]}")
            continue
        spent: Any = CpuLimit(asked.limit)
        started = time.process_time()
        found = cs.explain(puzzle, cancel=spent)
        seconds.append(time.process_time() - started)
        endings[found.ending.value] += 1
        hardest = max(found.steps, key=lambda step: step.score, default=None)
        line = max((len(step.summary) for step in found.steps), default=0)
        longest = max(longest, line)
        print(
            f"{name[:24]:24} {seconds[-1]:7.3f} s {len(found.steps):4} steps "
            f"{hardest.score if hardest else 0.0:5} {hardest.technique if hardest else '':24} "
            f"{line:4} {found.ending.value}"
            + (f", {len(puzzle.left_out)} rules left out" if puzzle.left_out else ""),
            flush=True,
        )
        if found.solution is not None and solution not in (None, list(found.solution.values())):
            wrong.append(name)
    print(
        f"{len(seconds)} puzzles: {dict(endings)}; another solution: {', '.join(wrong) or 'none'}"
    )
    print(
        f"CPU: median {median(seconds):.4f} s, most {max(seconds):.2f} s; "
        f"longest line {longest} characters"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
