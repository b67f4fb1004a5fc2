"""Find the steps of HoDoKu's regression library: ``python -m benchmarks.reglib FILE [CODE...]``.

Each line of the library is a position, a technique and the conclusion of that technique there:
``:code:candidates:givens:deleted:eliminations:placements:``. A case is found if our techniques of
that name draw the whole conclusion, and found exactly if one step says this and no more. The
library (``reglib-1.3.txt``) is part of HoDoKu and is not part of this project.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import csp_sudoku as cs
from csp_sudoku.cells import Place
from csp_sudoku.strategies import TECHNIQUES, Step, Technique
from csp_sudoku.strategies.network import network_of
from csp_sudoku.strategies.position import Position

# HoDoKu's codes, and our techniques of that name.
NAMES: dict[str, tuple[str, ...]] = {
    "0000": ("last cell",),
    "0002": ("hidden single in a block", "hidden single in a line"),
    "0003": ("naked single",),
    "0100": ("pointing",),
    "0101": ("claiming",),
    "0110": ("naked pair",),
    "0111": ("naked triple",),
    "0200": ("naked pair",),
    "0201": ("naked triple",),
    "0202": ("naked quad",),
    "0210": ("hidden pair",),
    "0211": ("hidden triple",),
    "0212": ("hidden quad",),
    "0300": ("X-wing",),
    "0301": ("swordfish",),
    "0302": ("jellyfish",),
    "0310": ("finned X-wing",),
    "0311": ("finned swordfish", "sashimi swordfish"),
    "0312": ("finned jellyfish", "sashimi jellyfish"),
    "0320": ("sashimi X-wing",),
    "0321": ("sashimi swordfish",),
    "0322": ("sashimi jellyfish",),
    "0331": ("Franken swordfish",),
    "0332": ("Franken jellyfish",),
    "0340": ("Franken X-wing",),
    "0341": ("Franken swordfish",),
    "0342": ("Franken jellyfish",),
    "0362": ("mutant jellyfish",),
    "0400": ("skyscraper",),
    "0401": ("two-string kite",),
    "0402": ("empty rectangle", "turbot fish"),
    "0403": ("turbot fish",),
    "0404": ("two-string kite",),
    "0405": ("empty rectangle", "turbot fish"),
    "0500": ("simple colouring",),
    "0501": ("simple colouring",),
    "0600": ("unique rectangle",),
    "0601": ("unique rectangle",),
    "0602": ("unique rectangle",),
    "0603": ("unique rectangle",),
    "0604": ("unique rectangle",),
    "0605": ("unique rectangle",),
    "0606": ("unique rectangle",),
    "0607": ("avoidable rectangle",),
    "0608": ("avoidable rectangle",),
    "0610": ("BUG+1",),
    "0701": ("X-chain",),
    "0702": ("XY-chain",),
    "0703": ("remote pair",),
    "0706": ("nice loop",),
    "0707": ("AIC",),
    "0708": ("AIC",),
    "0709": ("grouped nice loop", "nice loop with ALS"),
    "0710": ("grouped AIC", "AIC with ALS"),
    "0711": ("grouped AIC", "AIC with ALS"),
    "0800": ("XY-wing",),
    "0801": ("XYZ-wing",),
    "0803": ("W-wing",),
    "0901": ("ALS-XZ", "doubly linked ALS-XZ"),
    "0902": ("ALS-XY-wing",),
    "0903": ("ALS chain",),
    "0904": ("death blossom",),
    "1101": ("Sue de Coq",),
}

# What we do not claim, and why.
LEFT_OUT = {
    "0363": "mutant fish of five houses: nobody sees them",
    "0364": "mutant fish of six houses: nobody sees them",
    "0502": "multi-colouring: X-chains and grouped chains find the same",
    "0503": "multi-colouring: X-chains and grouped chains find the same",
    "1201": "templates enumerate all places of a digit: no technique for people",
    "1202": "templates enumerate all places of a digit: no technique for people",
}

Conclusions = frozenset[tuple[Place, int, bool]]


@dataclass(frozen=True)
class Case:
    """A line of the library: a position and what a technique concludes there."""

    line: int
    code: str
    is_failure: bool
    position: Position
    wanted: Conclusions


def cases(text: str) -> Iterator[Case]:
    """Read the library; lines that begin with ``#`` are no cases."""
    blank = network_of(cs.Puzzle.blank(9))
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith(":"):
            continue
        _, kind, _, grid, deleted, gone, put, *_ = f"{line}:::".split(":")
        found = re.fullmatch(r"(\d{4})-?(\w*)", kind)
        if found is None:
            raise SystemExit(f"line {number}: {kind} is no code of a technique")
        givens = cs.read(re.sub(r"\+\d", ".", grid)).givens
        filled = cs.read(grid.replace("+", "")).givens
        position = Position.start(blank, {cell: [value] for cell, value in givens.items()})
        later = [(blank.number[c], blank.code[v]) for c, v in filled.items() if c not in givens]
        removed = [(blank.number[c], blank.code[v]) for c, v, _ in _read(deleted, right=False)]
        wanted = _read(gone, right=False) | _read(put, right=True)
        yield Case(number, found[1], found[2] == "x", position.after(later, removed), wanted)


def _read(text: str, *, right: bool) -> Conclusions:
    """The digits, rows and columns of a list such as ``436 257``."""
    return frozenset(
        (cs.cell(f"R{each[1]}C{each[2]}"), int(each[0]), right) for each in text.split()
    )


def outcome(case: Case, techniques: Sequence[Technique]) -> str:
    """Whether the conclusion of a case is found: exactly, among other things, or not at all."""
    found = [
        conclusions
        for technique in techniques
        for step in technique.all_steps(case.position)
        for conclusions in (step.conclusions, _of_placements(case.position, step))
    ]
    if case.is_failure:
        return "missed" if found else "exactly"
    if case.wanted in found:
        return "exactly"
    return "found" if case.wanted <= frozenset().union(*found) else "missed"


def _of_placements(position: Position, step: Step) -> Conclusions:
    """The other candidates of the cells that a step fills: the library excludes these."""
    candidates = position.candidates
    return frozenset(
        (place, other, False)
        for place, value in step.placements
        for other in candidates[place]
        if other != value
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("codes", nargs="*", help="only these codes, such as 0803")
    parser.add_argument("--missed", action="store_true", help="list the lines of missed cases")
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    lines: dict[str, list[int]] = defaultdict(list)
    seconds: dict[str, float] = defaultdict(float)
    by_name = {technique.name: technique for technique in TECHNIQUES}
    for case in cases(options.file.read_text(encoding="utf-8")):
        if options.codes and case.code not in options.codes:
            continue
        techniques = [by_name[name] for name in NAMES.get(case.code, ()) if name in by_name]
        started = time.process_time()
        said = outcome(case, techniques) if techniques else "left out"
        seconds[case.code] += time.process_time() - started
        counts[case.code][said] += 1
        if said == "missed":
            lines[case.code].append(case.line)
    print("code  cases  found  exactly  missed  CPU s  technique")
    for code, count in sorted(counts.items()):
        found = count["exactly"] + count["found"]
        names = ", ".join(NAMES.get(code, ())) or f"left out: {LEFT_OUT.get(code, 'no technique')}"
        print(
            f"{code}  {count.total():5}  {found:5}  {count['exactly']:7}  {count['missed']:6}"
            f"  {seconds[code]:5.1f}  {names}"
        )
        if options.missed and lines[code]:
            print(f"      lines {', '.join(map(str, lines[code]))}")
    total = sum(counts.values(), Counter())
    found = total["exactly"] + total["found"]
    print(f"all   {total.total():5}  {found:5}  {total['exactly']:7}  {total['missed']:6}")


if __name__ == "__main__":
    main()
