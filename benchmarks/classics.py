"""Classic 9×9 puzzles: batches, single calls and dancing links against the packages on PyPI.

Ours prove that the solution is the only one, and check it; the peers stop at their first solution.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import csp_sudoku as cs
from benchmarks import instances
from benchmarks.contest import Contender, Row, Setting, contest, each, in_pieces, shown, timed
from benchmarks.peers import PACKAGES, Peer
from csp_sudoku.batches.arrays import solve_array

Grids: TypeAlias = NDArray[np.int64]

BATCH, DLX, SINGLE = "search, batch", "dlx, batch", "solve(text)"
ONE_THREAD, TWO_THREADS = "search, one thread", "search, two threads"


def measure(setting: Setting) -> list[Row]:
    """Rows on batches, threads, single calls and dancing links."""
    texts = list(setting.puzzles) or instances.texts(setting.number(200), setting.seed)
    grids = np.array([[int(c) if c.isdigit() else 0 for c in text] for text in texts])
    # Threads pay on a batch that lasts; a short one measures how they start.
    many, some = (np.tile(grids, (max(1, n // len(grids)), 1)) for n in (20_000, 2_000))

    def solve(backend: str, workers: int = 1) -> Callable[[Grids], object]:
        return lambda rows: solve_array(rows, backend=backend, limit=2, workers=workers)

    def on_threads(workers: int) -> Contender:
        run = solve("search", workers)
        return lambda: [timed(lambda: run(many), time.perf_counter) / len(many)]

    with ExitStack() as stack:
        contenders: dict[str, Contender] = {
            BATCH: in_pieces(some, solve("search")),
            DLX: in_pieces(some, solve("dlx")),
            ONE_THREAD: on_threads(1),
            TWO_THREADS: on_threads(2),
            SINGLE: each(texts, lambda text: cs.solve(text, limit=2)),
        }
        for name in setting.usable(*PACKAGES):
            setting.tell(f"{name}: warming up")
            peer = stack.enter_context(Peer(name, setting.environment))
            peer.load("puzzles", texts)
            contenders[name] = peer.seconds
            check(peer, grids)
        warm_up(grids[:2], texts[0])
        took = contest(contenders, setting)
    return list(rows(took))


def check(peer: Peer, grids: Grids) -> None:
    """The peers and we must have solved the same puzzles."""
    solved = solve_array(grids, backend="dlx", limit=2)
    assert (solved.counts == 1).all(), "every puzzle must have one solution"
    ours = ["".join(map(str, grid)) for grid in solved.grids]
    assert peer.answers() == ours, f"{peer.name} and dlx disagree"


def warm_up(grids: Grids, text: str) -> None:
    """Compile the kernels."""
    for backend in ("search", "dlx"):
        solve_array(grids, backend=backend, limit=2)
    cs.solve(text, limit=2)


def rows(took: dict[str, float]) -> list[Row]:
    """The goals on classics."""
    command = "python -m benchmarks --only classics"
    found = []

    def against(goal: str, ours: str, peer: str, least: float | None) -> None:
        if peer in took:
            ratio = took[peer] / took[ours]
            found.append(
                Row(
                    goal,
                    f"{ours}: unique, checked; {peer}: first solution",
                    shown(took[ours]),
                    shown(took[peer]),
                    ratio,
                    f"≥ {least:g} ×" if least else "",
                    ratio >= least if least else None,
                    command,
                )
            )

    against("1", BATCH, "exact-cover-py", 40)
    against("2", DLX, "exact-cover-py", 10)
    against("2", DLX, "xcover", 20)
    against("2", DLX, "exact-cover", None)
    against("1", BATCH, "cpmpy", None)
    gain = took[ONE_THREAD] / took[TWO_THREADS]
    found.append(
        Row(
            "1",
            "search: a batch on two threads against one, wall",
            shown(took[TWO_THREADS]),
            shown(took[ONE_THREAD]),
            gain,
            "≥ 1.9 ×",
            gain >= 1.9,
            command,
        )
    )
    more = took[SINGLE] - took[BATCH]
    found.append(
        Row(
            "1",
            "solve of a text in a warm process, beyond the kernel's time",
            shown(took[SINGLE]),
            shown(took[BATCH]),
            None,
            "≤ 60 µs more",
            more <= 60e-6,
            command,
        )
    )
    return found
