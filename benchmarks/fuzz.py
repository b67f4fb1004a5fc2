"""The page of a long fuzz: ``python -m benchmarks fuzz RECORD [--out docs/fuzz.md]``.

The record is what ``csp-sudoku fuzz --siblings N --record FILE`` writes.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

_HEAD = """\
# What random puzzles have shown

The last long run of `csp-sudoku fuzz --siblings 30 --record FILE`; `python -m benchmarks fuzz FILE`
has written this page. A *puzzle* is a grid with rules and givens. One in 31 goes to all kinds of
solvers and to the oracle, and three laws are tried on it. Its 30 siblings have the same rules and
other givens.

"""

# What the first word of a case means, and whether the names after it are listed.
_PARTS = {
    "cross-check": "answers compared, one by one",
    "session": "answers of sessions compared",
    "batch": "puzzles solved many at a time",
    "read": "puzzles written, read back and solved alike",
    "refused": "puzzles that a format could not hold, and refused",
    "left out": "puzzles read back with rules left out, and said so",
}
_OTHERS = {
    "certificates": "certificates checked",
    "grids checked": "grids given to `verify` and `verify_many`, two thirds of them changed",
    "counted": "puzzles counted",
    "true candidates": "puzzles whose true candidates were compared",
    "hints": "hints compared with all solutions",
}


def main(arguments: Sequence[str]) -> int:
    """Write the page of a record."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fuzz", description=__doc__)
    parser.add_argument("record", type=Path)
    parser.add_argument("--out", type=Path, default=Path("docs/fuzz.md"), metavar="FILE")
    asked = parser.parse_args(arguments)
    try:
        record = json.loads(asked.record.read_text(encoding="utf-8"))
        page = _HEAD + "\n".join(_page(record)) + "\n"
    except (OSError, ValueError, KeyError, TypeError) as error:
        parser.error(f"{asked.record} is no record of a fuzz: {error!r}")
    asked.out.write_text(page, encoding="utf-8")
    return 0


def _page(record: dict[str, Any]) -> Iterator[str]:
    kinds = record["kinds"]
    yield (
        f"Seed {record['seed']}: {record['puzzles']:,} puzzles, "
        f"{sum(map(bool, kinds.values()))} of {len(kinds)} kinds of rules, "
        f"{record['solutions']:,} solutions verified, "
        f"{record['comparisons']:,} complete sets of solutions compared, {record['unknowns']:,} "
        f"answers out of time. Findings: {len(record['findings']) or 'none'}."
    )
    yield ""
    for finding in record["findings"]:
        yield f"- puzzle {finding['number']}: {finding['kind']}: {finding['name']}"
    yield ""
    yield from _table("part", "cases", _parts(record["cases"]))
    yield from _table("law", "trials", record["laws"].items())
    yield from _table("shape", "puzzles", sorted(record["shapes"].items(), key=lambda i: -i[1]))
    rare = sorted(kinds.items(), key=lambda item: item[1])
    seldom = ", ".join(f"{name} {number:,}" for name, number in rare[:10])
    yield f"Rules were drawn {sum(kinds.values()):,} times; the rarest: {seldom}."


def _parts(cases: dict[str, int]) -> Iterator[tuple[str, int]]:
    for part, said in _PARTS.items():
        names: Counter[str] = Counter()
        for case, number in cases.items():
            head, _, name = case.partition(": ")
            if head == part:
                # Settings of one solver count together.
                names[name.partition(":")[0]] += number
        if names:
            listed = ", ".join(f"{name} {number:,}" for name, number in names.most_common())
            yield f"{said}: {listed}", names.total()
    yield from ((said, cases[case]) for case, said in _OTHERS.items() if case in cases)


def _table(first: str, second: str, rows: Iterable[tuple[str, int]]) -> Iterator[str]:
    yield f"| {first} | {second} |"
    yield "|---|---:|"
    yield from (f"| {name} | {number:,} |" for name, number in rows)
    yield ""
