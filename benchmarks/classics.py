"""Classic 9×9 puzzles: batches, single calls and dancing links against the packages on PyPI.

Ours prove that the solution is the only one, and check it; the peers stop at their first solution.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
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
Goals: TypeAlias = dict[tuple[str, str], float | None]

BATCH, DLX = "boards, batch", "dlx, batch"
MANY, SINGLE = "solve_many(texts)", "solve(text)"
# As `auto` is in a process that finds the kernel on disk: another one compiles it first.
WARM = "auto:kernels=true"
ONE_THREAD, TWO_THREADS = "boards, one thread", "boards, two threads"
COMMAND = "python -m benchmarks --only classics"


def measure(setting: Setting) -> list[Row]:
    """Rows on batches, threads, single calls and dancing links; the peers also on hard puzzles."""
    texts = list(setting.puzzles) or instances.texts(setting.number(200), setting.seed)
    setting.tell("making hard instances")
    hard = instances.hard_texts(setting.number(30), setting.seed)
    solve_array(grids_of(texts[:2]), backend="boards")
    with ExitStack() as stack:
        peers = {}
        for name in setting.usable(*PACKAGES):
            setting.tell(f"{name}: warming up")
            peers[name] = stack.enter_context(Peer(name, setting.environment))
        took = race(texts, peers, setting, alone(texts))
        found = [*against_peers(took, USUAL), *by_itself(took)]
        took = race(hard, peers, setting, {})
        return [*found, *against_peers(took, HARD, "hard puzzles; ")]


def grids_of(texts: Sequence[str]) -> Grids:
    """Puzzles as the rows of an array."""
    return np.array([[int(c) if c.isdigit() else 0 for c in text] for text in texts])


def solver(backend: str, workers: int = 1) -> Callable[[Grids], object]:
    """What solves an array, and proves that solutions are the only ones."""
    return lambda rows: solve_array(rows, backend=backend, limit=2, workers=workers)


def race(
    texts: Sequence[str],
    peers: Mapping[str, Peer],
    setting: Setting,
    more: Mapping[str, Contender],
) -> dict[str, float]:
    """The seconds of a puzzle for batches of ours, for the peers and for some more."""
    grids = grids_of(texts)
    some = np.tile(grids, (max(1, 2_000 // len(grids)), 1))
    contenders: dict[str, Contender] = {
        BATCH: in_pieces(some, solver("boards")),
        DLX: in_pieces(some, solver("dlx")),
        **more,
    }
    for name, peer in peers.items():
        peer.load("puzzles", list(texts))
        contenders[name] = peer.seconds
        check(peer, grids)
    return contest(contenders, setting)


def alone(texts: Sequence[str]) -> dict[str, Contender]:
    """Ours by themselves: a batch on threads, and single calls."""
    # Threads pay on a batch that lasts; a short one measures how they start.
    many = np.tile(grids_of(texts), (max(1, 20_000 // len(texts)), 1))

    def on_threads(workers: int) -> Contender:
        run = solver("boards", workers)
        return lambda: [timed(lambda: run(many), time.perf_counter) / len(many)]

    return {
        ONE_THREAD: on_threads(1),
        TWO_THREADS: on_threads(2),
        MANY: in_pieces(
            [*texts] * max(1, 2_000 // len(texts)),
            lambda some: list(cs.solve_many(some, WARM, limit=2)),
        ),
        SINGLE: each(texts, lambda text: cs.solve(text, WARM, limit=2)),
    }


def check(peer: Peer, grids: Grids) -> None:
    """The peers and we must have solved the same puzzles."""
    solved = solve_array(grids, backend="dlx", limit=2)
    assert (solved.counts == 1).all(), "every puzzle must have one solution"
    ours = ["".join(map(str, grid)) for grid in solved.grids]
    assert peer.answers() == ours, f"{peer.name} and dlx disagree"


USUAL: Goals = {
    (BATCH, "exact-cover-py"): 40,
    (MANY, "exact-cover-py"): 40,
    (DLX, "exact-cover-py"): 10,
    (DLX, "xcover"): 20,
    (DLX, "exact-cover"): None,
    (BATCH, "cpmpy"): None,
}
HARD: Goals = {(BATCH, "exact-cover-py"): 4, (DLX, "exact-cover-py"): None}


def against_peers(took: dict[str, float], goals: Goals, on: str = "") -> Iterator[Row]:
    """The goals that name packages."""
    for (ours, peer), least in goals.items():
        if peer in took:
            ratio = took[peer] / took[ours]
            yield Row(
                f"{on}{ours}: unique, checked; {peer}: first solution",
                shown(took[ours]),
                shown(took[peer]),
                ratio,
                f"≥ {least:g} ×" if least else "",
                ratio >= least if least else None,
                COMMAND,
            )


def by_itself(took: dict[str, float]) -> Iterator[Row]:
    """The goals on threads and single calls."""
    gain = took[ONE_THREAD] / took[TWO_THREADS]
    yield Row(
        "boards: a batch on two threads against one, wall",
        shown(took[TWO_THREADS]),
        shown(took[ONE_THREAD]),
        gain,
        "≥ 1.9 ×",
        gain >= 1.9,
        COMMAND,
    )
    yield Row(
        "solve_many of texts, with a result for each, against the arrays of a batch",
        shown(took[MANY]),
        shown(took[BATCH]),
        took[MANY] / took[BATCH],
        "",
        None,
        COMMAND,
    )
    yield Row(
        "solve of a text in a warm process, beyond the kernel's time",
        shown(took[SINGLE]),
        shown(took[BATCH]),
        None,
        "≤ 60 µs more",
        took[SINGLE] - took[BATCH] <= 60e-6,
        COMMAND,
    )
