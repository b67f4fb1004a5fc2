"""The `boards` backend: backtracking on boards, for graphs of differences and relations.

A board is the set of the cells that may have one value, so that one instruction looks at a value in
64 cells; see :mod:`csp_sudoku.kernels.board_layout`. It is by far the fastest engine where it fits:
classic puzzles, jigsaws, diagonals, knight's moves, nonconsecutive …
"""

from __future__ import annotations

import time
from importlib.metadata import version
from typing import ClassVar

import networkx as nx

from csp_encodings.arrays import encode
from csp_sudoku.backends.base import Backend, check_deadline, within_deadline
from csp_sudoku.backends.engines import board_shape
from csp_sudoku.backends.search_session import Engine, SearchSession, divided
from csp_sudoku.errors import BackendError
from csp_sudoku.kernels.batch import search_boards
from csp_sudoku.kernels.board_layout import lay_out


class Boards(Backend):
    """Backtracking on boards. Graphs with sums or automata are refused, and large ones.

    Parameters
    ----------
    divide
        Whether large counts are divided (the default), see :mod:`csp_encodings.division`;
        otherwise every solution is looked for.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xyz", range(1, 4)), AllDifferent(("x", "y", "z")))
    >>> with Boards().compile(graph) as session:
    ...     list(session.solutions({"x": (1,), "y": (1, 2)}))
    [{'x': 1, 'y': 2, 'z': 3}]
    """

    name: ClassVar[str] = "boards"
    summary: ClassVar[str] = "backtracking on bitboards, for differences and relations only"
    abilities: ClassVar[tuple[str, ...]] = ("counting in the kernel", "batches")

    def __init__(self, *, divide: bool = True) -> None:
        if not isinstance(divide, bool):
            raise BackendError(f"backend boards: divide={divide!r} must be true or false")
        self._divide = divide

    @within_deadline
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> SearchSession:
        """Lay out the graph on boards; the first time, compile the kernel, too."""
        started = time.perf_counter()
        fitting = board_shape(graph)
        arrays = encode(graph, shared=True)
        engine = Engine(search_boards, *lay_out(arrays.network, fitting))
        engine.warm_up()
        check_deadline(deadline)
        divide = divided(graph, self) if self._divide else None
        return SearchSession(arrays, engine, divide, time.perf_counter() - started)

    def version(self) -> str:
        """The version of the compiler behind it."""
        return f"numba {version('numba')}"
