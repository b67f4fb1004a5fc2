"""Certificates by kind, with times and sizes: ``python -m benchmarks certificates``.

CPU seconds of this process; proofs are made and checked in it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import csp_sudoku as cs
from csp_encodings.lrat import check_hints
from csp_sudoku.crosscheck import certificates
from csp_sudoku.crosscheck.encodings import certify_rules

_EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
_HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
_PUZZLES = {
    "one solution: classic with 30 givens": cs.read(_EASY),
    "one solution: hard classic with 21 givens": cs.read(_HARD),
    "no solution: the same, one given more": cs.read(_HARD).with_givens({"R1C2": 2}),
    "exactly 48 solutions: 4×4 with one cage": cs.Puzzle.blank(4).add(
        cs.KillerCage("R1C1 R1C2", 3)
    ),
}
_RULES = (
    cs.AntiKnight(),
    cs.KillerCage("R1C1-R1C4", 20),
    cs.Thermometer("R1C1 R2C2 R3C3 R4C4 R5C5 R6C6"),
    cs.Arrow("R5C5", "R4C5 R3C5 R2C5"),
    cs.Sandwich("R1", 15),
    cs.Sum("R1C2 R2C3 R3C4 R4C5 R5C6", 25),
    cs.Skyscraper("R1", 4),
)


def main(arguments: Sequence[str] = ()) -> int:
    """Print the tables."""
    print("| proof | clauses | lemmas | prove, s | check, s | DRAT, kB | LRAT, kB | check, s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, puzzle in _PUZZLES.items():
        print(f"| {name} | {' | '.join(_proof(puzzle))} |", flush=True)
    print("\n| rule on 9×9 | method | tuples | s |\n|---|---|---:|---:|")
    for rule in _RULES:
        started = time.process_time()
        found = certify_rules(cs.Puzzle.blank(9).add(rule)).rules[-1]
        seconds = time.process_time() - started
        print(f"| {rule.name} | {found.method} | {found.tuples:,} | {seconds:.2f} |", flush=True)
    return 0


def _proof(puzzle: cs.Puzzle) -> Iterator[str]:
    """Yield the columns of a proof that there are no solutions but the known ones."""
    known = tuple([tuple(s.values()) for s in cs.solutions(puzzle, "search", limit=500)])
    times = [time.process_time()]
    proved = certificates.prove(puzzle.graph, known)
    times.append(time.process_time())
    found = certificates.certify(puzzle.graph, known, proved)
    times.append(time.process_time())
    hinted, clauses = found.hinted(), [*found.cnf.clauses, *found.blocking]
    times.append(time.process_time())
    accepted = found.checked.accepted and check_hints(clauses, hinted).accepted
    times.append(time.process_time())
    if not accepted:
        raise SystemExit("a proof was not accepted")
    prove, check, _, check_again = [f"{b - a:.2f}" for a, b in pairwise(times)]
    with tempfile.TemporaryDirectory() as folder:
        written = [found.write(Path(folder, f"it.{form}"))[1] for form in ("drat", "lrat")]
        sizes = [f"{path.stat().st_size // 1000:,}" for path in written]
    yield from (f"{len(clauses):,}", f"{len(found.proof):,}", prove, check, *sizes, check_again)


if __name__ == "__main__":
    sys.exit(main())
