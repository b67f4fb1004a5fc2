"""Compare ratings with published ones: ``python -m benchmarks.ratings FILE... [--every N]``.

Each line of a file has a puzzle of 81 characters and its rating by Sudoku Explainer, which assumes
that there is one solution; so do we here. Two forms are read: words (``puzzle rating``), and the
columns of the forum's database of the hardest puzzles, where the rating is called ER.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import correlation, median

import csp_sudoku as cs

# Bands of published ratings that are shown by themselves.
_BANDS = ((0.0, 6.2), (6.2, 8.0), (8.0, 9.6), (9.6, 20.0))


def rated(text: str) -> Iterator[tuple[str, float]]:
    """The puzzles of a file and their published ratings; lines without a rating are left out."""
    for line in text.splitlines():
        columns = line.split(",")
        if len(columns) > 5:
            puzzle, rating = columns[0], columns[5]
        else:
            words = line.split()
            puzzle, rating = (
                next((w for w in words if len(w) == 81), ""),
                words[-1] if words else "",
            )
        if len(puzzle) == 81 and re.fullmatch(r"\d+(\.\d)?", rating):
            yield puzzle, float(rating)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument(
        "--every", type=int, default=1, help="rate only each N-th, from easy to hard"
    )
    options = parser.parse_args()
    puzzles = [each for file in options.files for each in rated(file.read_text(encoding="utf-8"))]
    puzzles = sorted(puzzles, key=lambda each: each[1])[options.every // 2 :: options.every]
    found: list[tuple[float, float]] = []
    seconds = []
    for puzzle, published in puzzles:
        started = time.process_time()
        rating = cs.rate(puzzle, uniqueness=True)
        seconds.append(time.process_time() - started)
        found.append((published, rating.score))
        print(f"{published:5} {rating.score:5} {seconds[-1]:6.2f} s  {rating.hardest}", flush=True)
    print("\npublished     puzzles  median distance  within 0.3  rank correlation")
    for low, high in _BANDS:
        _report(f"{low} to {high}", [each for each in found if low <= each[0] < high])
    _report("all", found)
    print(f"CPU: median {median(seconds):.2f} s, most {max(seconds):.2f} s")


def _report(name: str, found: Sequence[tuple[float, float]]) -> None:
    if not found:
        return
    distances = [abs(published - own) for published, own in found]
    near = sum(distance < 0.35 for distance in distances)
    published, own = ([pair[i] for pair in found] for i in (0, 1))
    try:
        ranks = f"{correlation(_ranks(published), _ranks(own)):.2f}"
    except ValueError:  # one puzzle, or all have the same rating
        ranks = "-"
    print(f"{name:12} {len(found):8} {median(distances):16.1f} {near:11} {ranks:>17}")


def _ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value; equal values share the middle of their ranks."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


if __name__ == "__main__":
    main()
