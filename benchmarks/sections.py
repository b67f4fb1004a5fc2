"""Scripts by hand, variants and counts as rows of the report."""

from __future__ import annotations

import statistics
import time

import csp_sudoku as cs
from benchmarks import by_hand, by_hand_variants, variants
from benchmarks import instances as made
from benchmarks.contest import Row, Setting, against_script, shown, timed


def scripts(setting: Setting) -> list[Row]:
    """`sat` and `cpsat` against what a person would write for one kind of puzzle alone."""
    texts = list(setting.puzzles) or made.texts(setting.number(200), setting.seed)
    found = []
    for backend in by_hand.CONTESTS:
        some = texts[: 50 if backend == "cpsat" else 200]
        took = by_hand.measure(some, backend, setting)
        what = f"{backend} against the script by hand, first solution"
        found.append(against_script(what, took, 1.1, "scripts"))
    return [*found, *by_hand_variants.measure(setting)]


def mixed(setting: Setting) -> list[Row]:
    """Variants through `auto`: build, solve and prove unique."""
    puzzles = list(variants.instances(1 if setting.quick else 8))
    variants.warm_up(variants.BACKENDS)
    setting.tell(f"{len(puzzles)} puzzles")
    times = variants.run(puzzles, variants.BACKENDS)
    auto = sorted(times["auto"])
    median, tenth = statistics.median(auto), auto[int(0.9 * (len(auto) - 1))]
    better = [min(pair) for pair in zip(times["sat"], times["cpsat"], strict=True)]
    hard = [mine / best for mine, best in zip(times["auto"], better, strict=True) if best > 0.1]
    command = "python -m benchmarks --only variants"
    rows = [
        Row("variants through auto, median", shown(median), "", None, "≤ 10 ms",
            median <= 0.01, command),
        Row("variants through auto, p90", shown(tenth), "", None, "≤ 80 ms",
            tenth <= 0.08, command),
    ]  # fmt: skip
    if hard:
        worst = max(hard)
        rows.append(
            Row(f"auto against the better of sat and cpsat, worst of {len(hard)} hard ones",
                "", "", worst, "≤ 1.5 ×", worst <= 1.5, command)
        )  # fmt: skip
    return rows


def counting(setting: Setting) -> list[Row]:
    """All 6×6 grids."""
    blank = cs.Puzzle.blank(6)
    cs.count(cs.Puzzle.blank(4), "boards")
    seconds = timed(lambda: check(cs.count(blank, "boards")), time.perf_counter)
    return [
        Row("all 28,200,960 grids of 6×6", shown(seconds), "", None, "≤ 13.8 s",
            seconds <= 13.8, "python -m benchmarks --only counting")
    ]  # fmt: skip


def check(count: cs.Count) -> None:
    """That the count is right."""
    assert (count.value, count.complete) == (28_200_960, True)
