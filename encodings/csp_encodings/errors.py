"""The errors of this package: EncodingError, and below it BudgetError and GraphError.

EncodingError         something handed to this package is wrong; the message says what and where
├── BudgetError       a structure would grow past its budget; the message says what to do instead
│   └── LimitError    a whole graph or encoding would grow past the limits
└── GraphError        a constraint graph is malformed
"""

__all__ = ["BudgetError", "EncodingError", "GraphError", "LimitError"]


class EncodingError(Exception):
    """Something handed to this package is wrong."""


class BudgetError(EncodingError):
    """A structure would grow past its budget."""


class LimitError(BudgetError):
    """A graph or an encoding as a whole would grow past the limits."""


class GraphError(EncodingError):
    """A constraint graph is malformed."""
