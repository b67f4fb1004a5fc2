"""Every error a user can meet, as one small tree.

::

    CspSudokuError
    ├── FormatError        text, a file or a document that is not a puzzle
    ├── PuzzleError        a grid, a given or a restriction that does not fit
    ├── ConstraintError    a constraint that cannot be meant
    ├── BudgetError        a constraint too large to be compiled
    ├── BackendError       no such backend, a wrong option, or a backend that failed
    ├── PluginError        a plug-in that cannot be loaded
    ├── UndecidedError     time ran out before a yes or a no
    └── WrongAnswerError   a backend's solution breaks a rule

That a puzzle has no solution, or that time ran out, is an answer and not an error: see
:class:`csp_sudoku.Status`.
"""

from csp_encodings.errors import BudgetError as EncodingBudgetError


class CspSudokuError(Exception):
    """The root of all errors of this library."""


class FormatError(CspSudokuError):
    """Text, a file or a document that cannot be read as a puzzle."""


class PuzzleError(CspSudokuError):
    """A grid, a given or a restriction that does not fit."""


class ConstraintError(CspSudokuError):
    """A constraint that cannot be meant: wrong cells, an impossible clue."""


class BudgetError(CspSudokuError, EncodingBudgetError):
    """A constraint whose compiled form would be too large."""


class BackendError(CspSudokuError):
    """No such backend, an option it does not know, or a backend that failed."""


class PluginError(CspSudokuError):
    """A plug-in that cannot be loaded, or is not what its entry point says."""


class UndecidedError(CspSudokuError):
    """A yes-or-no question that could not be decided in the time given."""


class WrongAnswerError(CspSudokuError):
    """A backend handed out a solution that breaks a rule of the puzzle."""
