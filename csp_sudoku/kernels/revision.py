"""REVISE: remove the values that an arc rules out.

For a relation it is the REVISE of A. K. Mackworth (1977): every value of the first variable needs a
support in the second. The arcs of larger factors revise their whole scope: cages by the sets that
are left, sums by bounds, automata by generalised arc consistency (G. Pesant 2004), all-different at
one of three strengths, connected factors by reachability and cut vertices.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.jit import inlined, subroutine
from csp_encodings.network import ALL_DIFFERENT, CAGE, CONNECTED, LINEAR, RELATION, WORD, Network
from csp_sudoku.kernels.all_different import revise_hall, revise_matching, revise_singles
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest
from csp_sudoku.kernels.connectivity import revise_connected
from csp_sudoku.kernels.domains import Domains, narrow
from csp_sudoku.kernels.sums import revise_cage, revise_linear

# The option `all_different`: how hard an all-different is looked at.
SINGLES, HALL, MATCHING = range(3)


@inlined
def revise(network: Network, d: Domains, arc: int) -> bool:
    """Remove the values that an arc rules out; False if it leaves a variable none."""
    d.revisions += 1
    kind = network.kind[arc]
    if kind == RELATION:
        return _revise_relation(network, d, arc)
    if kind == CAGE:
        return revise_cage(network, d, arc)
    if kind == LINEAR:
        return revise_linear(network, d, arc)
    if kind == CONNECTED:
        return revise_connected(network, d, arc)
    if kind == ALL_DIFFERENT:
        return _revise_all_different(network, d, arc)
    return _revise_regular(network, d, arc)


@inlined
def _revise_all_different(network: Network, d: Domains, arc: int) -> bool:
    """Revise an all-different at the strength of the options."""
    if d.all_different == SINGLES:
        return revise_singles(network, d, arc)
    if d.all_different == HALL:
        return revise_hall(network, d, arc)
    return revise_matching(network, d, arc)


@subroutine
def _revise_relation(network: Network, d: Domains, arc: int) -> bool:
    """Keep the values of the first variable that have a support in the second."""
    place = network.first_place[arc]
    variable, other = network.scope[place], network.scope[place + 1]
    start = network.first_word[other]
    width = network.first_word[other + 1] - start
    supports = network.data[arc]
    for word in range(network.first_word[variable], network.first_word[variable + 1]):
        rest, kept = d.domain[word], NOTHING
        while rest:
            bit = lowest(rest)
            rest &= rest - ONE
            d.checks += 1
            row = supports + bit * width
            for i in range(width):
                if network.masks[row + i] & d.domain[start + i]:
                    kept |= ONE << np.uint64(bit)
                    break
        if kept != d.domain[word] and not narrow(network, d, variable, word, kept):
            return False
        supports += WORD * width
    return True


@subroutine
def _revise_regular(network: Network, d: Domains, arc: int) -> bool:
    """Keep the values on a path from the start to the end of the automaton."""
    first, last = network.first_place[arc], network.first_place[arc + 1]
    stamp = d.stamp + 1
    d.stamp = stamp
    found = _walk_forwards(network, d, arc)
    if found == 0:
        return False
    d.work += found
    d.alive[d.visited[found - 1]] = stamp
    for place in range(last - 1, first - 1, -1):
        variable = network.scope[place]
        start = network.first_word[variable]
        width = network.first_word[variable + 1] - start
        for k in range(1, width):
            d.supported[k] = NOTHING
        # The first word, mostly the only one, is kept at hand.
        word, word_supported = d.domain[start], NOTHING
        for i in range(d.border[place - first], d.border[place - first + 1]):
            state = d.visited[i]
            carried = NOTHING
            for edge in range(network.first_edge[state], network.first_edge[state + 1]):
                if d.alive[network.edge_head[edge]] != stamp:
                    continue
                label = network.edge_label[edge]
                common = network.masks[label] & word
                word_supported |= common
                carried |= common
                for k in range(1, width):
                    common = network.masks[label + k] & d.domain[start + k]
                    d.supported[k] |= common
                    carried |= common
            if carried:
                d.alive[state] = stamp
        d.supported[0] = word_supported
        for k in range(width):
            kept = d.supported[k]
            if kept != d.domain[start + k] and not narrow(network, d, variable, start + k, kept):
                return False
    return True


@subroutine
def _walk_forwards(network: Network, d: Domains, arc: int) -> int:
    """List the states that can be reached, layer by layer.

    Returns how many they are, or 0 if the last layer cannot be reached.
    """
    first, last = network.first_place[arc], network.first_place[arc + 1]
    stamp = d.stamp
    d.visited[0] = network.data[arc]
    d.border[0] = 0
    begin, found = 0, 1
    for place in range(first, last):
        variable = network.scope[place]
        start = network.first_word[variable]
        width = network.first_word[variable + 1] - start
        word = d.domain[start]
        border = found
        d.border[place - first + 1] = border
        for i in range(begin, border):
            state = d.visited[i]
            for edge in range(network.first_edge[state], network.first_edge[state + 1]):
                head = network.edge_head[edge]
                if d.reached[head] == stamp:
                    continue
                label = network.edge_label[edge]
                common = network.masks[label] & word
                for k in range(1, width):
                    common |= network.masks[label + k] & d.domain[start + k]
                if common:
                    d.reached[head] = stamp
                    d.visited[found] = head
                    found += 1
        if found == border:
            return 0
        begin = border
    return found
