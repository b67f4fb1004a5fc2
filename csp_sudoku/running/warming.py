"""Machine code is compiled before it is needed, so that no time limit pays for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from csp_sudoku import backends
from csp_sudoku.puzzle import Puzzle, shared_graph

if TYPE_CHECKING:
    from csp_sudoku.backends.base import Backend

# The backends with kernels. A first call compiles them, or loads them from the disk.
_COMPILED = ("search", "boards", "dlx")
# The backends, with their options, whose kernels this process has.
_READY: set[str] = set()


def prepare(backend: str | Backend) -> None:
    """Compile or load the machine code of a backend, before the clock of a time limit starts."""
    if isinstance(backend, str) and backend not in _READY:
        if backend.partition(":")[0] in _COMPILED:
            _solve(backend, Puzzle.blank(4))
        _READY.add(backend)


def warm_up(progress: Callable[[str, int, int], None] | None = None) -> None:
    """Compile all machine code now, or load it from the disk.

    The first call of each kernel takes some seconds if nothing is on the disk, later ones some
    tenths. A program that must answer quickly from its first question calls this when it starts;
    an image for containers may call it when it is built.

    Parameters
    ----------
    progress
        Called after each part: what it was, how many are done, how many there are.

    Examples
    --------
    >>> warm_up(lambda part, done, total: print(part) if done == total else None)  # doctest: +SKIP
    generating
    """
    parts: dict[str, Callable[[], None]] = {
        "search": lambda: _solve("search", Puzzle.blank(4)),
        "boards": lambda: _solve("boards", Puzzle.blank(9)),
        "boards for large grids": lambda: _solve("boards", Puzzle.blank(16)),
        "dlx": lambda: _solve("dlx", Puzzle.blank(4)),
        "checks of many solutions": _check_many,
        "canonical forms": _find_canonical,
        "counting by a sweep": _sweep,
        "counting by bands": _count_bands,
        "generating": _generate,
    }
    for done, (name, compile_part) in enumerate(parts.items(), 1):
        compile_part()
        if progress is not None:
            progress(name, done, len(parts))
    _READY.update(_COMPILED)


def _solve(backend: str, puzzle: Puzzle) -> None:
    with backends.get(backend).compile(shared_graph(puzzle)) as session:
        found = session.solutions(limit=1)
        next(found, None)
        found.close()


def _check_many() -> None:
    from csp_sudoku.batches.many import solve_many

    for _ in solve_many(["1" + "." * 15] * 3):
        pass


def _find_canonical() -> None:
    from csp_sudoku.canonical import canonical

    canonical(Puzzle.blank(2))


def _sweep() -> None:
    from csp_sudoku.counting.sweeping import count_by_sweep

    count_by_sweep(shared_graph(Puzzle.blank(2)))


def _count_bands() -> None:
    from csp_sudoku.counting.bands import count_by_bands
    from csp_sudoku.generating import generate

    count_by_bands(shared_graph(generate(9, seed=0).puzzle))


def _generate() -> None:
    from csp_sudoku.constraints import NotEqual
    from csp_sudoku.generating import generate, random_solution

    generate(4, minimal=True, seed=0)
    # A few relations are searched without boards.
    related = Puzzle.blank(4).add(NotEqual("R1C1 R4C4"))
    generate(related, minimal=True, seed=0)
    random_solution(related, seed=0)
