"""Sessions that solve many puzzles of the same rules in one call of a kernel."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from csp_sudoku.backends.base import Session
from csp_sudoku.errors import BackendError

Values = NDArray[np.int64]


class BatchSession(Session):
    """A session whose kernel takes many puzzles at once. Threads may share it."""

    def takes_rows(self, number: int) -> bool:
        """Whether there are several: a single puzzle is enumerated, which counts the steps."""
        return number > 1

    def solve_many(
        self, givens: Values, *, limit: int = 1, deadline: float | None = None
    ) -> tuple[Values, Values]:
        """Solve many puzzles of the same rules; the GIL is released, so threads share the work.

        Parameters
        ----------
        givens
            A row for each puzzle and a column for each variable, auxiliaries left out, in the order
            of the graph: a value, or BLANK.
        limit
            How many solutions of a puzzle to look for: 1 to solve it, 2 to see if it has only one.

        Returns
        -------
        The first solution of each puzzle, in rows like the givens, BLANK where there is none; and
        how many were found, or -1 if time ran out before that was decided.

        Examples
        --------
        >>> from csp_encodings.factors import AllDifferent
        >>> from csp_encodings.graph import graph_of
        >>> from csp_sudoku import backends
        >>> from csp_sudoku.kernels import BLANK
        >>> graph = graph_of(dict.fromkeys("xyz", range(1, 4)), AllDifferent(("x", "y", "z")))
        >>> session = backends.get("dlx").compile(graph)
        >>> givens = np.array([[3, BLANK, 1], [BLANK, 2, BLANK], [1, 1, BLANK]])
        >>> solutions, counts = session.solve_many(givens, limit=2)
        >>> counts.tolist(), solutions[0].tolist()
        ([1, 2, 0], [3, 2, 1])
        """
        # Kernels are compiled for arrays in this order that can be written.
        rows = np.ascontiguousarray(givens, np.int64)
        if not rows.flags.writeable:
            rows = rows.copy()
        if rows.ndim != 2 or rows.shape[1] != self.width or limit < 1:
            raise BackendError(
                f"givens of shape {rows.shape}, limit {limit}: "
                f"must be rows of {self.width} values, and a limit from 1 on"
            )
        return self.solve_rows(rows, limit, deadline)

    @property
    @abstractmethod
    def width(self) -> int:
        """How many variables a row has."""

    @abstractmethod
    def solve_rows(
        self, givens: Values, limit: int, deadline: float | None
    ) -> tuple[Values, Values]:
        """What :meth:`solve_many` gives for rows of the right width."""
