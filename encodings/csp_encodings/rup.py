"""Reverse unit propagation as machine code: does each lemma of a proof follow?

A lemma follows from clauses by reverse unit propagation (RUP: Goldberg & Novikov, "Verification of
proofs of unsatisfiability for CNF formulas", DATE 2003) if to assume the opposite of its literals
leads to a conflict by unit propagation alone. Propagation watches two literals of a clause, as
Chaff does (Moskewicz et al., DAC 2001), in linked lists that need no memory beyond the clauses.

Literals are coded as 2v and 2v + 1 for v and -v, so that ``literal ^ 1`` is the opposite.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import kernel

Codes: TypeAlias = NDArray[np.int32]
Numbers: TypeAlias = NDArray[np.int64]
Signs: TypeAlias = NDArray[np.int8]

# Why a check came back
REFUTED, FAILED, DONE, SPENT = 0, 1, 2, 3

NONE = -1

# The places of the counters
ASSIGNED = 0  # how many literals are on the trail
PROPAGATED = 1  # how many of them were propagated
CLAUSES = 2  # how many clauses were taken up
COUNTERS = 3


class Clauses(NamedTuple):
    """The clauses of formula and proof, and what unit propagation has found so far.

    Attributes
    ----------
    literals
        All clauses in a row, each without repeats; the two watched literals of one come first.
    start, end
        Where each clause begins and ends.
    head
        The first watch of each literal. Watch 2c + i belongs to the literal in place i of clause c.
    link
        The next watch of the same literal.
    value
        Of each literal: 1 true, -1 false, 0 open.
    trail
        The literals that became true, in their order.
    counters
        Their places are constants of this module.
    """

    literals: Codes
    start: Numbers
    end: Numbers
    head: Numbers
    link: Numbers
    value: Signs
    trail: Codes
    counters: Numbers


@kernel
def load(clauses: Clauses, number: int) -> bool:
    """Take up the first clauses, those of the formula; True if unit propagation refutes them."""
    for clause in range(number):
        if _attach(clauses, clause):
            return True
    clauses.counters[CLAUSES] = number
    return _propagate(clauses)


@kernel
def check(clauses: Clauses, budget: int) -> int:
    """Check the next clauses, the lemmas, and take each up that follows.

    Gives FAILED at the first that does not, REFUTED once they contradict each other, DONE if they
    do not, and SPENT when more literals were assigned than the budget allows.
    """
    counters = clauses.counters
    while counters[CLAUSES] < len(clauses.start):
        if budget < 0:
            return SPENT
        clause = counters[CLAUSES]
        counters[CLAUSES] += 1
        cost = _cost(clauses, clause)
        if cost == NONE:
            return FAILED
        budget -= cost
        if _attach(clauses, clause) or _propagate(clauses):
            return REFUTED
    return DONE


@kernel
def _assign(clauses: Clauses, literal: int) -> None:
    clauses.value[literal] = 1
    clauses.value[literal ^ 1] = -1
    clauses.trail[clauses.counters[ASSIGNED]] = literal
    clauses.counters[ASSIGNED] += 1


@kernel
def _attach(clauses: Clauses, clause: int) -> bool:
    """Watch a clause, and assign its last literal if all others are false; True if all are."""
    literals, value = clauses.literals, clauses.value
    first, end = clauses.start[clause], clauses.end[clause]
    open_ = 0
    for place in range(first, end):
        literal = literals[place]
        if value[literal] >= 0:
            literals[place] = literals[first + open_]
            literals[first + open_] = literal
            open_ += 1
            if open_ == 2:
                break
    if open_ == 0:
        return True
    if open_ == 1 and value[literals[first]] == 0:
        _assign(clauses, literals[first])
    if end - first > 1:
        for side in range(2):
            watch, literal = 2 * clause + side, literals[first + side]
            clauses.link[watch] = clauses.head[literal]
            clauses.head[literal] = watch
    return False


@kernel
def _cost(clauses: Clauses, clause: int) -> int:
    """How many literals must be assigned to see that a clause follows; NONE if it does not."""
    value, trail, counters = clauses.value, clauses.trail, clauses.counters
    root = counters[ASSIGNED]
    follows = False
    for place in range(clauses.start[clause], clauses.end[clause]):
        literal = clauses.literals[place]
        if value[literal] > 0:
            follows = True
            break
        if value[literal] == 0:
            _assign(clauses, literal ^ 1)
    follows = follows or _propagate(clauses)
    cost = counters[ASSIGNED] - root
    for place in range(root, counters[ASSIGNED]):
        value[trail[place]] = 0
        value[trail[place] ^ 1] = 0
    counters[ASSIGNED] = root
    counters[PROPAGATED] = root
    return cost if follows else NONE


@kernel
def _propagate(clauses: Clauses) -> bool:
    """Assign what follows from the trail by single clauses; True if that is a conflict."""
    literals, head, link, value = clauses.literals, clauses.head, clauses.link, clauses.value
    counters = clauses.counters
    while counters[PROPAGATED] < counters[ASSIGNED]:
        false = clauses.trail[counters[PROPAGATED]] ^ 1
        counters[PROPAGATED] += 1
        before = NONE
        watch = head[false]
        while watch != NONE:
            clause, after = watch >> 1, link[watch]
            first = clauses.start[clause]
            place = first + (watch & 1)
            other = literals[first + 1 - (watch & 1)]
            moved = False
            if value[other] <= 0:
                for k in range(first + 2, clauses.end[clause]):
                    literal = literals[k]
                    if value[literal] >= 0:
                        literals[k], literals[place] = false, literal
                        link[watch], head[literal] = head[literal], watch
                        moved = True
                        break
                if not moved:
                    if value[other] < 0:
                        return True
                    _assign(clauses, other)
            if not moved:
                before = watch
            elif before == NONE:
                head[false] = after
            else:
                link[before] = after
            watch = after
    return False
