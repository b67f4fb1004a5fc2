"""Inference after an assignment: AC-3, forward checking, or a test of the assigned factors.

AC-3 is A. K. Mackworth's (Consistency in networks of relations, 1977); S. Russell and P. Norvig
show it in *Artificial Intelligence: A Modern Approach*. Here an arc may have more than two
variables: :mod:`csp_sudoku.kernels.revision` says what its REVISE then removes.
"""

from __future__ import annotations

from csp_encodings.jit import inlined, subroutine
from csp_encodings.network import ALL_DIFFERENT, NO_ARC, Network
from csp_sudoku.kernels.domains import Domains, forget_pending, narrow, take_pending
from csp_sudoku.kernels.revision import revise

# The option `inference`.
NO_INFERENCE, FORWARD, MAC = range(3)


@subroutine
def infer(network: Network, d: Domains, inference: int, variable: int) -> int:
    """Draw conclusions from the assignment of a variable; the arc that failed, or NO_ARC."""
    if inference == MAC:
        failed = ac3(network, d)
    elif inference == FORWARD:
        failed = check_forward(network, d, variable)
    else:
        failed = test_assigned(network, d, variable)
    forget_pending(d)
    return failed


@inlined
def ac3(network: Network, d: Domains) -> int:
    """Revise pending arcs until there is none; the arc that left a variable no value, or NO_ARC.

    Where a revision shrinks a domain, :func:`narrow` makes the arcs pending that look at it.
    """
    arc = take_pending(network, d)
    while arc != NO_ARC:
        d.work += network.first_place[arc + 1] - network.first_place[arc]
        d.spared = network.reverse[arc]
        if not revise(network, d, arc):
            break
        arc = take_pending(network, d)
    d.spared = NO_ARC
    return arc


@inlined
def check_forward(network: Network, d: Domains, variable: int) -> int:
    """Revise the arcs of an assigned variable, once; the one that failed, or NO_ARC."""
    for link in range(network.first_link[variable], network.first_link[variable + 1]):
        arc = network.link[link]
        d.work += network.first_place[arc + 1] - network.first_place[arc]
        if network.kind[arc] == ALL_DIFFERENT:
            consistent = _take_from_others(network, d, arc, variable)
        else:
            consistent = revise(network, d, arc)
        if not consistent:
            return arc
    return NO_ARC


@subroutine
def _take_from_others(network: Network, d: Domains, arc: int, variable: int) -> bool:
    """Remove the value of an assigned variable from the rest of an all-different."""
    d.revisions += 1
    value = network.first_word[variable]
    for place in range(network.first_place[arc], network.first_place[arc + 1]):
        other = network.scope[place]
        if other == variable:
            continue
        first = network.first_word[other]
        for word in range(first, network.first_word[other + 1]):
            left = d.domain[word] & ~d.domain[value + word - first]
            if left != d.domain[word] and not narrow(network, d, other, word, left):
                return False
    return True


@inlined
def test_assigned(network: Network, d: Domains, variable: int) -> int:
    """Test the factors of an assigned variable; the arc that is not satisfied, or NO_ARC.

    An all-different is tested against the variables assigned so far, any other factor once its last
    variable is assigned.
    """
    for link in range(network.first_link[variable], network.first_link[variable + 1]):
        arc = network.link[link]
        d.work += network.first_place[arc + 1] - network.first_place[arc]
        d.checks += 1
        if network.kind[arc] == ALL_DIFFERENT:
            satisfied = _differs_from_others(network, d, arc, variable)
        else:
            # Where every variable has a single value, to revise is to test.
            satisfied = not _is_assigned(network, d, arc) or revise(network, d, arc)
        if not satisfied:
            return arc
    return NO_ARC


@subroutine
def _differs_from_others(network: Network, d: Domains, arc: int, variable: int) -> bool:
    """Whether no other assigned variable of an all-different has the value of this one."""
    value = network.first_word[variable]
    for place in range(network.first_place[arc], network.first_place[arc + 1]):
        other = network.scope[place]
        if d.assigned[other] and other != variable:
            first = network.first_word[other]
            for word in range(first, network.first_word[other + 1]):
                if d.domain[word] & d.domain[value + word - first]:
                    return False
    return True


@subroutine
def _is_assigned(network: Network, d: Domains, arc: int) -> bool:
    """Whether all variables of an arc are assigned."""
    for place in range(network.first_place[arc], network.first_place[arc + 1]):
        if not d.assigned[network.scope[place]]:
            return False
    return True
