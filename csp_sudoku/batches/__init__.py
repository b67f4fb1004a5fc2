"""Many puzzles at once: texts, puzzles or an array, in order, with threads or other processes.

``many`` any puzzles, a result for each · ``arrays`` puzzles of the same rules as an array, an array
of solutions · ``verifying`` many grids, each by the rules of its puzzle · ``rows`` what these are
made of · ``checking`` the check of whole arrays · ``files`` the puzzles of a file, with answers
that a later run goes on with · ``cubes`` one puzzle cut into many.
"""

from typing import TYPE_CHECKING

# The imports for type checkers are written from the table below: python tests/test_start_up.py
if TYPE_CHECKING:
    from csp_sudoku.batches.arrays import Solved as Solved
    from csp_sudoku.batches.arrays import solve_array as solve_array
    from csp_sudoku.batches.cubes import count_in_parts as count_in_parts
    from csp_sudoku.batches.cubes import cubes as cubes
    from csp_sudoku.batches.cubes import solve_in_parts as solve_in_parts
    from csp_sudoku.batches.files import BatchSummary as BatchSummary
    from csp_sudoku.batches.files import batch as batch
    from csp_sudoku.batches.many import solve_many as solve_many
    from csp_sudoku.batches.verifying import Verifications as Verifications
    from csp_sudoku.batches.verifying import verify_many as verify_many
else:
    from csp_sudoku._later import attach

    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "csp_sudoku.batches.arrays": "Solved solve_array",
            "csp_sudoku.batches.cubes": "count_in_parts cubes solve_in_parts",
            "csp_sudoku.batches.files": "BatchSummary batch",
            "csp_sudoku.batches.many": "solve_many",
            "csp_sudoku.batches.verifying": "Verifications verify_many",
        },
    )
