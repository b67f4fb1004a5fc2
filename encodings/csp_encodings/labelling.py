"""The canonical labelling of a coloured graph: the same for graphs that differ in names alone.

Individualisation and refinement, after B. McKay and A. Piperno, "Practical graph isomorphism, II"
(2014). Vertices of one colour are split by how many neighbours they have in other classes, until
nothing changes. Where a class of several vertices is left, each of them in turn gets a class of its
own. Each leaf of this tree is an order of the vertices; the one with the least trace and matrix is
the canonical one. Two leaves with the same matrix are a symmetry of the graph, which saves the
parts of the tree that it maps onto each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csp_encodings.errors import BudgetError
from csp_encodings.jit import announced, kernel, subroutine

Longs: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

# The deepest level of the tree, the most symmetries that are kept, and the most nodes.
_DEPTH, _SYMMETRIES, _NODES = 192, 96, 100_000

_DONE, _TOO_DEEP, _TOO_MANY = range(3)


class _Links(NamedTuple):
    """The edges: vertex ``v`` has the neighbours from ``first[v]``."""

    first: Longs
    neighbour: Longs


class _Classes(NamedTuple):
    """The vertices in classes, at every level of the tree.

    Attributes
    ----------
    order
        For each level the vertices, class by class.
    home
        For each level and vertex, where its class begins.
    size
        For each level and beginning of a class, how many vertices it has.
    """

    order: Longs
    home: Longs
    size: Longs


class _Work(NamedTuple):
    """What a refinement works with: see :func:`_refine`."""

    neighbours: Longs
    touched: Longs
    classes: Longs
    members: Longs
    queue: Longs
    is_queued: Longs


class Labelling(NamedTuple):
    """A canonical order of the vertices, and the matrix of the graph in this order.

    Graphs with the same numbers of vertices of each colour are the same up to names exactly if
    their matrices are equal.
    """

    order: Longs
    matrix: bytes


def label(colours: Sequence[int], edges: Iterable[tuple[int, int]] | Longs) -> Labelling:
    """Return the canonical labelling of a graph, whose vertices are the numbers from 0 on.

    Raises :class:`BudgetError` if the graph is too large or too regular.

    Examples
    --------
    >>> path, renamed = [(0, 1), (1, 2), (2, 3)], [(2, 0), (0, 3), (3, 1)]
    >>> star = [(0, 1), (0, 2), (0, 3)]
    >>> matrices = [label([0] * 4, edges).matrix for edges in (path, renamed, star)]
    >>> matrices[0] == matrices[1], matrices[0] == matrices[2]
    (True, False)
    """
    number = len(colours)
    if number == 0:
        return Labelling(np.zeros(0, np.int64), b"")
    links = _links(number, np.array(edges, np.int64).reshape(-1, 2))
    levels = min(number, _DEPTH) + 1
    classes = _Classes(*[np.zeros((levels, number), np.int64) for _ in range(3)])
    _begin(classes, np.array(colours, np.int64))
    work = _Work(*[np.zeros(number, np.int64) for _ in range(6)])
    best = np.zeros(number, np.int64)
    matrix = np.zeros((number, (number + 63) // 64), np.uint64)
    with announced("the kernel of canonical forms"):
        ending = _search(links, classes, work, best, matrix)
    if ending != _DONE:
        raise BudgetError("the puzzle is too large or too regular for a canonical form")
    return Labelling(best, matrix.tobytes())


def _links(number: int, edges: Longs) -> _Links:
    ends = np.concatenate([edges, edges[:, ::-1]])
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    first = np.searchsorted(ends[:, 0], np.arange(number + 1)).astype(np.int64)
    return _Links(first, np.ascontiguousarray(ends[:, 1]))


def _begin(classes: _Classes, colours: Longs) -> None:
    """Put the vertices of each colour into a class, in the order of the colours."""
    order = np.argsort(colours, kind="stable")
    in_order = colours[order]
    starts = np.flatnonzero(np.diff(in_order, prepend=in_order[0] - 1))
    sizes = np.diff(starts, append=len(colours))
    classes.order[0] = order
    classes.home[0][order] = np.repeat(starts, sizes)
    classes.size[0][starts] = sizes


@kernel
def _search(  # noqa: PLR0912, PLR0915 - one loop over the tree
    links: _Links, classes: _Classes, work: _Work, best: Longs, best_matrix: Words
) -> int:
    """Go through the tree; `best` is the canonical order at the end."""
    number = len(best)
    levels = len(classes.order)
    matrix = np.zeros_like(best_matrix)
    path, best_path = np.zeros(levels, np.int64), np.zeros(levels, np.int64)
    trace, best_trace = np.zeros(levels, np.uint64), np.zeros(levels, np.uint64)
    target, tried = np.zeros(levels, np.int64), np.zeros(levels, np.int64)
    symmetries = np.zeros((_SYMMETRIES, number), np.int64)
    orbit = np.zeros(number, np.int64)
    known = nodes = 0
    best_depth = -1  # no leaf yet
    better = True  # whether this path is better than the best one, as far as it goes

    queued = 0
    start = 0
    while start < number:
        work.queue[queued] = start
        work.is_queued[start] = 1
        queued += 1
        start += classes.size[0, start]
    trace[0] = _refine(links, classes, work, 0, queued)
    level = 0
    target[0] = _target(classes, 0)
    while level >= 0:
        # Look at a new node, or at one with some of its children done.
        if target[level] == number:  # a leaf
            _write_matrix(links, classes.order[level], matrix)
            order = 0 if not better else -1
            if not better:
                order = _compare(matrix, best_matrix)
            if order < 0:
                best[:] = classes.order[level]
                best_matrix[:] = matrix
                best_path[:] = path
                best_trace[:] = trace
                best_depth = level
                better = False
                level -= 1
            elif order == 0:
                # The symmetry that maps the best leaf onto this one.
                if known < _SYMMETRIES:
                    for i in range(number):
                        symmetries[known, best[i]] = classes.order[level, i]
                    known += 1
                level = _divergence(path, best_path, level)
            else:
                level -= 1
            continue
        child = _next_child(classes, level, target[level], tried, path, symmetries, known, orbit)
        if child < 0:
            level -= 1
            continue
        nodes += 1
        if nodes > _NODES:
            return _TOO_MANY
        if level + 1 == levels:
            return _TOO_DEEP
        path[level] = child
        trace[level + 1] = _descend(links, classes, work, level, target[level], child)
        # While there is a best leaf, paths are compared with it level by level.
        if best_depth >= 0:
            better = False
            order = 0
            for i in range(level + 2):
                if i > best_depth or trace[i] != best_trace[i]:
                    order = -1 if i <= best_depth and trace[i] < best_trace[i] else 1
                    break
            if order > 0:
                continue
            better = order < 0
        level += 1
        tried[level] = 0
        target[level] = _target(classes, level)
    return _DONE


@subroutine
def _descend(  # noqa: PLR0917 - kernels have no keyword arguments
    links: _Links, classes: _Classes, work: _Work, level: int, start: int, child: int
) -> np.uint64:
    """Make the next level: a vertex of a class comes first, in a class of its own."""
    order, home, size = classes
    order[level + 1] = order[level]
    home[level + 1] = home[level]
    size[level + 1] = size[level]
    row = order[level + 1]
    for i in range(start, start + size[level, start]):
        if row[i] == child:
            row[i] = row[start]
            row[start] = child
        home[level + 1, row[i]] = start + 1
    home[level + 1, row[start]] = start + 1
    home[level + 1, child] = start
    size[level + 1, start + 1] = size[level, start] - 1
    size[level + 1, start] = 1
    work.queue[0] = start
    work.is_queued[start] = 1
    return _refine(links, classes, work, level + 1, 1)


@subroutine
def _refine(links: _Links, classes: _Classes, work: _Work, level: int, queued: int) -> np.uint64:
    """Split classes by their neighbours in the queued ones, until nothing changes.

    Returns a number that depends on what was split, and not on names.
    """
    order, home, size = classes.order[level], classes.home[level], classes.size[level]
    number = len(order)
    trace = np.uint64(1469598103934665603)
    head = 0
    while queued > 0:
        splitter = work.queue[head]
        head = head + 1 if head + 1 < number else 0
        queued -= 1
        work.is_queued[splitter] = 0
        touched = 0
        # The class may itself be split below.
        length = size[splitter]
        for i in range(length):
            work.members[i] = order[splitter + i]
        reached = 0
        for i in range(length):
            vertex = work.members[i]
            for link in range(links.first[vertex], links.first[vertex + 1]):
                other = links.neighbour[link]
                if work.neighbours[other] == 0:
                    start = home[other]
                    work.touched[touched] = other
                    touched += 1
                    if size[start] > 0:  # a negative size marks a class that is listed already
                        work.classes[reached] = start
                        reached += 1
                        size[start] = -size[start]
                work.neighbours[other] += 1
        for i in range(reached):
            size[work.classes[i]] = -size[work.classes[i]]
        _sort(work.classes, reached)
        trace = _mixed(trace, splitter, reached)
        for i in range(reached):
            trace, queued = _split(order, home, size, work, work.classes[i], head, queued, trace)
        for i in range(touched):
            work.neighbours[work.touched[i]] = 0
    return trace


@subroutine
def _split(  # noqa: PLR0917
    order: Longs,
    home: Longs,
    size: Longs,
    work: _Work,
    start: int,
    head: int,
    queued: int,
    trace: np.uint64,
) -> tuple[np.uint64, int]:
    """Split one class by the counts; returns the trace, and how many classes are queued."""
    number = len(order)
    end = start + size[start]
    # Those without a neighbour first, the others by their count.
    front = start
    for i in range(start, end):
        if work.neighbours[order[i]] == 0:
            order[i], order[front] = order[front], order[i]
            front += 1
    for i in range(front + 1, end):
        vertex = order[i]
        j = i
        while j > front and work.neighbours[order[j - 1]] > work.neighbours[vertex]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = vertex
    if work.neighbours[order[start]] == work.neighbours[order[end - 1]]:
        return _mixed(trace, start, work.neighbours[order[start]]), queued
    was_queued = work.is_queued[start]
    first, largest = start, start
    while first < end:
        last = first
        count = work.neighbours[order[first]]
        while last < end and work.neighbours[order[last]] == count:
            home[order[last]] = first
            last += 1
        size[first] = last - first
        if size[first] > size[largest]:
            largest = first
        trace = _mixed(_mixed(trace, first, count), start, last)
        first = last
    # All parts but the largest do; all of them if the whole class was still to be looked at.
    first = start
    while first < end:
        if not work.is_queued[first] and (was_queued or first != largest):
            work.queue[(head + queued) % number] = first
            work.is_queued[first] = 1
            queued += 1
        first += size[first]
    return trace, queued


@subroutine
def _mixed(trace: np.uint64, a: int, b: int) -> np.uint64:
    """Mix two numbers into a hash."""
    trace ^= np.uint64(a * 1_000_003 + b)
    trace *= np.uint64(0x9E3779B97F4A7C15)
    return trace ^ (trace >> np.uint64(29))


@subroutine
def _sort(numbers: Longs, length: int) -> None:
    for i in range(1, length):
        number = numbers[i]
        j = i
        while j > 0 and numbers[j - 1] > number:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = number


@subroutine
def _target(classes: _Classes, level: int) -> int:
    """The first of the largest classes; the number of vertices if each has one vertex.

    A vertex of a large class tells more: on full grids this is twice as quick as the smallest.
    """
    number = int(classes.size.shape[1])
    found, most = number, 1
    start = 0
    while start < number:
        size = int(classes.size[level, start])
        if size > most:
            found, most = start, size
        start += size
    return found


@subroutine
def _next_child(  # noqa: PLR0917
    classes: _Classes,
    level: int,
    start: int,
    tried: Longs,
    path: Longs,
    symmetries: Longs,
    known: int,
    orbit: Longs,
) -> int:
    """The next vertex of a class that no known symmetry maps onto one before; -1 if none."""
    size = classes.size[level, start]
    members = classes.order[level]
    while tried[level] < size:
        vertex = members[start + tried[level]]
        tried[level] += 1
        if tried[level] == 1 or known == 0:
            return int(vertex)
        _find_orbits(level, path, symmetries, known, orbit)
        root = _root(orbit, vertex)
        is_new = True
        for i in range(tried[level] - 1):
            if _root(orbit, members[start + i]) == root:
                is_new = False
                break
        if is_new:
            return int(vertex)
    return -1


@subroutine
def _find_orbits(level: int, path: Longs, symmetries: Longs, known: int, orbit: Longs) -> None:
    """Join the vertices that symmetries map onto each other, of those that fix the path so far."""
    for vertex in range(len(orbit)):
        orbit[vertex] = vertex
    for i in range(known):
        fixes = True
        for j in range(level):
            if symmetries[i, path[j]] != path[j]:
                fixes = False
                break
        if fixes:
            for vertex in range(len(orbit)):
                a, b = _root(orbit, vertex), _root(orbit, symmetries[i, vertex])
                orbit[max(a, b)] = min(a, b)


@subroutine
def _root(orbit: Longs, vertex: int) -> int:
    while orbit[vertex] != vertex:
        vertex = int(orbit[vertex])
    return vertex


@subroutine
def _divergence(path: Longs, best_path: Longs, level: int) -> int:
    """The level where two paths part: what is below there is the same twice."""
    for i in range(level):
        if path[i] != best_path[i]:
            return i
    return level - 1


@subroutine
def _write_matrix(links: _Links, order: Longs, matrix: Words) -> None:
    place = np.empty(len(order), np.int64)
    for i in range(len(order)):
        place[order[i]] = i
    matrix[:] = np.uint64(0)
    for vertex in range(len(order)):
        row = place[vertex]
        for link in range(links.first[vertex], links.first[vertex + 1]):
            column = place[links.neighbour[link]]
            matrix[row, column >> 6] |= np.uint64(1) << np.uint64(column & 63)


@subroutine
def _compare(a: Words, b: Words) -> int:
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] != b[i, j]:
                return -1 if a[i, j] < b[i, j] else 1
    return 0
