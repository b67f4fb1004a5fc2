"""Predicates as text: conditions over the letters a, b, c …, which stand for values in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import Any

from csp_sudoku.language.grounding import ground_letters
from csp_sudoku.language.terms import Term, holds, renamed, scope


@dataclass(frozen=True)
class Condition:
    """A predicate that is a text, so that files can hold it.

    Examples
    --------
    >>> far = Condition("abs(a - b) > 2")
    >>> far(1, 4), far(3, 4), far.arity
    (True, False, 2)
    """

    text: str

    def __post_init__(self) -> None:
        self.term  # noqa: B018 - an error in the text shows at once

    @cached_property
    def term(self) -> Term:
        """The condition over the letters."""
        return ground_letters(self.text, ascii_lowercase)

    @property
    def arity(self) -> int:
        """How many values there are at least: up to the last letter that is used."""
        return max([ascii_lowercase.index(letter) + 1 for letter in scope(self.term)], default=0)

    def over(self, places: Sequence[Any]) -> Term:
        """Return the condition over places instead of letters."""
        return renamed(self.term, dict(zip(ascii_lowercase, places, strict=False)))

    def __call__(self, *values: int) -> bool:
        return holds(self.term, dict(zip(ascii_lowercase, values, strict=False)))

    def __str__(self) -> str:
        return " ".join(self.text.split())
