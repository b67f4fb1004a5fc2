"""Large grids: an empty 64×64 with its memory, and partly filled ones that are hard."""

from __future__ import annotations

from benchmarks.contest import Row, Setting, shown
from benchmarks.growth import probe

COMMAND = "python -m benchmarks --only large"
# Seconds for a share of the cells that makes a size hard.
HARD = ((36, 0.5, 10.0), (64, 0.6, 60.0))
# Not those on which the local search was tuned, which were 11 to 20.
SEEDS = (21, 22, 23, 24, 25)


def measure(setting: Setting) -> list[Row]:
    """One row for each goal; the hard ones only when there is time."""
    setting.tell("sat: empty 64×64")
    empty = probe("sat", 64, 60)
    took = empty["graph"] + empty["compile"] + empty["solve"]
    found = [
        Row(
            "sat: empty 64×64, graph included",
            f"{shown(took)}, {empty['megabytes']:.0f} MB",
            "",
            None,
            "≤ 2 s, 400 MB",
            took <= 2 and empty["megabytes"] <= 400,
            COMMAND,
        )
    ]
    for side, share, limit in () if setting.quick else HARD:
        for seed in SEEDS:
            what = f"sat: {side}×{side}, {share:.0%} given, seed {seed}"
            setting.tell(what)
            options = ("--share", str(share), "--seed", str(seed))
            point = probe("sat", side, 2 * limit, *options)
            # Of the wall: guesses are made beside the solver.
            seconds = point.get("wall", 0)
            found.append(
                Row(
                    what,
                    shown(seconds) if point["solved"] else f"not within {2 * limit:g} s",
                    "",
                    None,
                    f"≤ {limit:g} s",
                    point["solved"] and seconds <= limit,
                    COMMAND,
                )
            )
    return found
