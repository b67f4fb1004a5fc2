"""All errors of this library, as one small tree.

::

    CspSudokuError
    ├── FormatError        text, a file or a document that is not a puzzle
    ├── PuzzleError        a grid, a given or a restriction that does not fit
    ├── ConstraintError    a constraint with wrong cells or an impossible clue
    ├── BudgetError        a constraint or a puzzle that is too large to compile
    ├── BackendError       an unknown backend, a wrong option, or a backend that failed
    ├── PluginError        a plug-in that cannot be loaded
    ├── UndecidedError     time ran out before a yes or a no
    └── WrongAnswerError   a backend's solution breaks a rule

"No solution" and "time ran out" are answers, not errors: see :class:`csp_sudoku.Status`.
"""

from csp_encodings.errors import BudgetError as EncodingBudgetError


class CspSudokuError(Exception):
    """The root of all errors of this library."""


class FormatError(CspSudokuError):
    """Text, a file or a document that cannot be read as a puzzle."""


class PuzzleError(CspSudokuError):
    """A grid, a given or a restriction that does not fit."""


class ConstraintError(CspSudokuError):
    """A constraint with wrong cells or an impossible clue."""


class BudgetError(CspSudokuError, EncodingBudgetError):
    """A constraint or a puzzle whose compiled form would be too large."""


class BackendError(CspSudokuError):
    """An unknown backend, an unknown option, or a backend that failed."""


class PluginError(CspSudokuError):
    """A plug-in that cannot be loaded, or that is not what its entry point says."""


class UndecidedError(CspSudokuError):
    """A yes-or-no question that was not decided in time."""


class WrongAnswerError(CspSudokuError):
    """A backend gave a solution that breaks a rule of the puzzle."""
