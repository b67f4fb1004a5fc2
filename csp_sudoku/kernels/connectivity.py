"""REVISE for a connected factor: what is out of reach, and what would cut a class apart.

Of each class, some vertices must belong to it, by all their values, and others may. Those that may,
but cannot be reached from those that must, or only by too large a class, lose its values. Cut
vertices between two that must belong to it (articulation points, R. E. Tarjan 1972) lose all other
values.
"""

from __future__ import annotations

from csp_encodings.jit import subroutine
from csp_encodings.network import Network
from csp_sudoku.kernels.bits import NOTHING
from csp_sudoku.kernels.domains import Domains, narrow

# Whether a vertex belongs to a class.
_NEVER, _MAY, _MUST = range(3)

# The lists in `vertices`, each as long as the largest graph: what a vertex is to the class; the
# vertices in the order in which they are found, or a stack; a second list of vertices; when each
# was found; the first vertex that can be reached from below it; its next neighbour; whether one
# that must belong is at or below it.
_STATE, _LINE, _NEXT, _FOUND, _LOW, _TURN, _HOLDS = range(7)

_UNKNOWN = -1


@subroutine
def revise_connected(network: Network, d: Domains, arc: int) -> bool:
    """Remove the values that a connected factor rules out; False if it cannot be satisfied."""
    size = network.first_place[arc + 1] - network.first_place[arc]
    data = network.data[arc]
    largest, classes = network.numbers[data], network.numbers[data + 1]
    for number in range(classes):
        labels = data + 2 + size + 1 + number * size
        must, root = _sort_vertices(network, d, arc, labels)
        d.work += size
        if must > largest:
            return False
        if must == 0:
            continue
        _measure(network, d, arc, root)
        if not _drop_far(network, d, arc, labels, largest - must):
            return False
        if must > 1 and not _keep_cuts(network, d, arc, labels, root):
            return False
    return True


@subroutine
def _sort_vertices(network: Network, d: Domains, arc: int, labels: int) -> tuple[int, int]:
    """Note what each vertex is to a class; how many must belong to it, and the first of these."""
    first = network.first_place[arc]
    state = _STATE * d.vertex_room
    must, root = 0, _UNKNOWN
    for vertex in range(network.first_place[arc + 1] - first):
        variable = network.scope[first + vertex]
        start = network.first_word[variable]
        label = network.numbers[labels + vertex]
        inside, outside = NOTHING, NOTHING
        for k in range(network.first_word[variable + 1] - start):
            inside |= d.domain[start + k] & network.masks[label + k]
            outside |= d.domain[start + k] & ~network.masks[label + k]
        if not inside:
            d.vertices[state + vertex] = _NEVER
        elif outside:
            d.vertices[state + vertex] = _MAY
        else:
            d.vertices[state + vertex] = _MUST
            must += 1
            if root == _UNKNOWN:
                root = vertex
    return must, root


@subroutine
def _measure(network: Network, d: Domains, arc: int, root: int) -> None:
    """For each vertex, how many that only may belong are on the cheapest way from the root."""
    room, vertices = d.vertex_room, d.vertices
    state, line, following, cost = _STATE * room, _LINE * room, _NEXT * room, _FOUND * room
    near = network.data[arc] + 2
    for vertex in range(network.first_place[arc + 1] - network.first_place[arc]):
        vertices[cost + vertex] = _UNKNOWN
    vertices[cost + root] = 0
    vertices[line] = root
    count, level = 1, 0
    while count:
        later = 0
        while count:
            count -= 1
            vertex = vertices[line + count]
            for i in range(network.numbers[near + vertex], network.numbers[near + vertex + 1]):
                other = network.numbers[i]
                if vertices[cost + other] != _UNKNOWN:
                    continue
                if vertices[state + other] == _MUST:
                    vertices[cost + other] = level
                    vertices[line + count] = other
                    count += 1
                elif vertices[state + other] == _MAY:
                    vertices[cost + other] = level + 1
                    vertices[following + later] = other
                    later += 1
        line, following = following, line
        count = later
        level += 1


@subroutine
def _drop_far(network: Network, d: Domains, arc: int, labels: int, most: int) -> bool:
    """Take the class from the vertices that are out of reach, or cost too much."""
    first = network.first_place[arc]
    state, cost = _STATE * d.vertex_room, _FOUND * d.vertex_room
    for vertex in range(network.first_place[arc + 1] - first):
        if d.vertices[state + vertex] == _NEVER or 0 <= d.vertices[cost + vertex] <= most:
            continue
        if d.vertices[state + vertex] == _MUST:
            return False
        d.vertices[state + vertex] = _NEVER
        variable = network.scope[first + vertex]
        start = network.first_word[variable]
        label = network.numbers[labels + vertex]
        for k in range(network.first_word[variable + 1] - start):
            left = d.domain[start + k] & ~network.masks[label + k]
            if left != d.domain[start + k] and not narrow(network, d, variable, start + k, left):
                return False
    return True


@subroutine
def _keep_cuts(network: Network, d: Domains, arc: int, labels: int, root: int) -> bool:
    """Leave the cut vertices between two vertices that must belong only the values of the class."""
    room, vertices = d.vertex_room, d.vertices
    state, line, found = _STATE * room, _LINE * room, _FOUND * room
    low, turn, holds = _LOW * room, _TURN * room, _HOLDS * room
    first, near = network.first_place[arc], network.data[arc] + 2
    for vertex in range(network.first_place[arc + 1] - first):
        vertices[found + vertex] = _UNKNOWN
    vertices[line] = root
    vertices[found + root] = vertices[low + root] = 0
    vertices[turn + root] = network.numbers[near + root]
    vertices[holds + root] = 1
    depth, order = 1, 1
    while depth:
        vertex = vertices[line + depth - 1]
        i = vertices[turn + vertex]
        if i < network.numbers[near + vertex + 1]:
            vertices[turn + vertex] = i + 1
            other = network.numbers[i]
            if vertices[state + other] == _NEVER:
                continue
            if vertices[found + other] != _UNKNOWN:
                vertices[low + vertex] = min(vertices[low + vertex], vertices[found + other])
                continue
            vertices[found + other] = vertices[low + other] = order
            vertices[turn + other] = network.numbers[near + other]
            vertices[holds + other] = 1 if vertices[state + other] == _MUST else 0
            order += 1
            vertices[line + depth] = other
            depth += 1
            continue
        depth -= 1
        if depth == 0:
            break
        above = vertices[line + depth - 1]
        vertices[low + above] = min(vertices[low + above], vertices[low + vertex])
        if not vertices[holds + vertex]:
            continue
        vertices[holds + above] = 1
        if vertices[low + vertex] < vertices[found + above] or vertices[state + above] == _MUST:
            continue
        vertices[state + above] = _MUST
        variable = network.scope[first + above]
        start = network.first_word[variable]
        label = network.numbers[labels + above]
        for k in range(network.first_word[variable + 1] - start):
            left = d.domain[start + k] & network.masks[label + k]
            if left != d.domain[start + k] and not narrow(network, d, variable, start + k, left):
                return False
    return True
