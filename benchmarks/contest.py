"""Contenders side by side, in rounds, one after the other.

Times are of the processor, so that a busy machine does not spoil them; wall time where it says so.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import Environment

Seconds = list[float]
Rows = TypeVar("Rows", NDArray[np.int64], Sequence[str])
Contender = Callable[[], Seconds]
"""Solves all instances; gives the seconds of each, or the mean of an instance in each call."""


@dataclass(frozen=True)
class Row:
    """One line of the report: what was measured, and what it should be."""

    what: str
    ours: str
    theirs: str
    ratio: float | None
    target: str
    met: bool | None
    command: str

    @property
    def verdict(self) -> str:
        """Whether the goal is met, in a word."""
        return {True: "yes", False: "no", None: "–"}[self.met]

    def as_json(self) -> dict[str, Any]:
        """As it stands in the file of results."""
        return asdict(self)


@dataclass
class Setting:
    """What a run was asked for, and what the sections share."""

    quick: bool
    out: Path
    seed: int
    tell: Callable[[str], None]
    puzzles: Sequence[str] = ()
    peers: dict[str, str] = field(default_factory=dict)
    environment: Environment = field(default_factory=Environment)

    @property
    def rounds(self) -> int:
        """How often every contender has its turn, at least."""
        return 3 if self.quick else 7

    @property
    def seconds(self) -> float:
        """How long a contest goes on, at least: short ones need more rounds, to be told apart."""
        return 1 if self.quick else 4

    def number(self, many: int) -> int:
        """How many instances to take: a tenth of them in a hurry."""
        return max(3, many // 10) if self.quick else many

    def usable(self, *names: str) -> list[str]:
        """Those peers that are installed."""
        return [name for name in names if not self.peers.get(name, "not").startswith("not")]


def contest(contenders: Mapping[str, Contender], setting: Setting) -> dict[str, float]:
    """The mean seconds of an instance for each contender: of each instance, its best round."""
    best: dict[str, Seconds] = {}
    started = time.perf_counter()
    for number in count(1):
        if number > setting.rounds and time.perf_counter() - started > setting.seconds:
            break
        for name, run in contenders.items():
            setting.tell(f"round {number}: {name}")
            seconds = run()
            known = best.get(name, seconds)
            best[name] = [min(pair) for pair in zip(known, seconds, strict=True)]
    return {name: statistics.fmean(seconds) for name, seconds in best.items()}


def against_script(what: str, took: Mapping[str, float], most: float, section: str) -> Row:
    """A row for ours against a script by hand that it may take so many times as long as."""
    ratio = took["ours"] / took["by hand"]
    return Row(
        what,
        shown(took["ours"]),
        shown(took["by hand"]),
        ratio,
        f"≤ {most} ×",
        ratio <= most,
        f"python -m benchmarks --only {section}",
    )


def each(
    instances: Sequence[Any],
    solve: Callable[[Any], object],
    prepare: Callable[[Any], object] = bool,
) -> Contender:
    """A contender that solves one instance after the other; `prepare` is not timed."""

    def run() -> Seconds:
        times = []
        for instance in instances:
            prepare(instance)
            times.append(timed(partial(solve, instance)))
        return times

    return run


def in_pieces(
    rows: Rows,
    solve: Callable[[Rows], object],
    clock: Callable[[], float] = time.process_time,
) -> Contender:
    """A contender that solves rows in calls of five hundred; gives the seconds of a row in each."""
    pieces = [rows[i : i + 500] for i in range(0, len(rows), 500)]

    def run() -> Seconds:
        return [timed(partial(solve, piece), clock) / len(piece) for piece in pieces]

    return run


def timed(call: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """How many seconds a call takes."""
    started = clock()
    call()
    return clock() - started


def shown(seconds: float) -> str:
    """A time as people write it."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} µs"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
