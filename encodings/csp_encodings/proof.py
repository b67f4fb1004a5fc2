"""Checks a proof that a formula has no model: strictly, lemma by lemma, from the formula on.

The form is DRUP (Heule, Hunt & Wetzler, "Trimming while checking clausal proofs", FMCAD 2013):
clauses that follow by reverse unit propagation, and deletions. Every lemma is checked, not only
those that the end needs, and at the first that does not follow the whole proof is rejected. Lemmas
that only preserve satisfiability (RAT) do not follow in this sense: they are rejected, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from csp_encodings.dimacs import MAX_VARIABLE, Clause, Step
from csp_encodings.errors import EncodingError

if TYPE_CHECKING:
    from csp_encodings.rup import Clauses

__all__ = ["Checked", "Verdict", "check"]

# How many literals are assigned between two looks at the clock: some hundredths of a second.
_SLICE = 100_000


class Verdict(Enum):
    """What a checker says of a proof."""

    ACCEPTED = "accepted"
    """Every lemma follows, and together they refute the formula."""
    REJECTED = "rejected"
    """A lemma does not follow."""
    INCOMPLETE = "incomplete"
    """Every lemma follows, but the formula is not refuted."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer of :func:`check`.

    `lemmas` is how many were looked at until it was clear. Of a rejected proof that is the number,
    counted from 1, of the lemma that does not follow.
    """

    verdict: Verdict
    lemmas: int

    @property
    def accepted(self) -> bool:
        """Whether the formula is refuted."""
        return self.verdict is Verdict.ACCEPTED

    @property
    def reason(self) -> str:
        """Why, in a few words."""
        lemmas = "1 lemma" if self.lemmas == 1 else f"{self.lemmas:,} lemmas"
        match self.verdict:
            case Verdict.ACCEPTED if not self.lemmas:
                return "unit propagation alone refutes the formula"
            case Verdict.ACCEPTED:
                return f"the formula is refuted after {lemmas}"
            case Verdict.REJECTED:
                return f"lemma {self.lemmas:,} does not follow"
            case Verdict.INCOMPLETE:
                return f"the formula is not refuted after {lemmas}"

    def __str__(self) -> str:
        return f"{self.verdict.value}: {self.reason}"


def check(
    clauses: Iterable[Iterable[int]],
    proof: Iterable[Step],
    *,
    progress: Callable[[], None] | None = None,
) -> Checked:
    """Check that a proof refutes a formula.

    Parameters
    ----------
    clauses
        The formula. Literals are integers other than 0, as in DIMACS.
    proof
        Its steps. Nothing is deleted: what follows without a clause also follows with it.
    progress
        Called now and then; it may raise to give up.

    Examples
    --------
    >>> formula = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    >>> print(check([*formula, (3, 4)], [Step((1, 3)), Step((1,)), Step(())]))
    accepted: the formula is refuted after 2 lemmas
    >>> print(check(formula[:3], [Step((1,)), Step((2,)), Step((-2,))]))
    rejected: lemma 3 does not follow
    >>> print(check(formula[:3], []))
    incomplete: the formula is not refuted after 0 lemmas
    """
    from csp_encodings import rup

    formula = list(map(_unrepeated, clauses))
    lemmas = [_unrepeated(step.clause) for step in proof if not step.deleted]
    state = _state([*formula, *lemmas])
    if rup.load(state, len(formula)):
        return Checked(Verdict.ACCEPTED, 0)
    outcome = rup.SPENT
    while outcome == rup.SPENT:
        if progress:
            progress()
        outcome = rup.check(state, _SLICE)
    seen = int(state.counters[rup.CLAUSES]) - len(formula)
    verdicts = {
        rup.REFUTED: Verdict.ACCEPTED,
        rup.FAILED: Verdict.REJECTED,
        rup.DONE: Verdict.INCOMPLETE,
    }
    return Checked(verdicts[outcome], seen)


def _unrepeated(clause: Iterable[int]) -> Clause:
    return tuple(dict.fromkeys(clause))


def _state(clauses: list[Clause]) -> Clauses:
    """The clauses in arrays, nothing assigned."""
    from csp_encodings.rup import COUNTERS, NONE, Clauses

    sizes = np.fromiter(map(len, clauses), np.int64, len(clauses))
    end = np.cumsum(sizes, dtype=np.int64)
    total = int(end[-1]) if clauses else 0
    literals = np.fromiter(chain.from_iterable(clauses), np.int64, total)
    variables = np.abs(literals)
    top = int(variables.max(initial=0))
    if not literals.all() or top > MAX_VARIABLE:
        raise EncodingError(f"a literal must be an integer other than 0, up to {MAX_VARIABLE:,}")
    return Clauses(
        literals=(2 * variables + (literals < 0)).astype(np.int32),
        start=end - sizes,
        end=end,
        head=np.full(2 * top + 2, NONE, np.int64),
        link=np.full(2 * len(clauses), NONE, np.int64),
        value=np.zeros(2 * top + 2, np.int8),
        trail=np.zeros(top + 1, np.int32),
        counters=np.zeros(COUNTERS, np.int64),
    )
