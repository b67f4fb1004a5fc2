"""AC-3: revise arcs until every value has a support in every arc (A. K. Mackworth 1977).

The names are those of S. Russell and P. Norvig, *Artificial Intelligence: A Modern Approach*,
section "Constraint Propagation". Arcs may have more than two variables here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator
from dataclasses import dataclass, field

from csp_encodings.factors import Variable
from csp_encodings.watch import look
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.textbook.csp import AnyArc, Csp, Domains, constraint_graph
from csp_sudoku.textbook.events import Event, Removed, Revised


def revise(
    csp: Csp, arc: AnyArc, queue: Collection[AnyArc] = ()
) -> Generator[Event, None, list[Variable]]:
    """REVISE: remove the values without support; return the variables that lost some.

    `queue` has the arcs that wait; its event shows them.
    """
    yield Revised(arc, queue)
    smaller = []
    for variable, supported in arc.supports(csp.domains):
        domain = csp.domains[variable]
        if not supported.issuperset(domain):
            csp.domains[variable] = tuple(value for value in domain if value in supported)
            smaller.append(variable)
            for value in domain:
                if value not in supported:
                    yield Removed(variable, value, arc)
    return smaller


def ac3_events(csp: Csp, arcs: Iterable[AnyArc]) -> Iterator[Event]:
    """AC-3, beginning with a queue of these arcs; it ends early when a variable has no value left.

    ``csp.consistent`` says whether that happened.
    """
    if not csp.consistent:
        return
    queue = deque(arcs)
    queued = set(queue)
    while queue:
        look()
        arc = queue.popleft()
        queued.remove(arc)
        for variable in (yield from revise(csp, arc, queue)):
            if not csp.domains[variable]:
                return
            for later in csp.arcs_to[variable]:
                # What this variable lost was no support of the other one.
                if later is not arc.reverse and later not in queued:
                    queue.append(later)
                    queued.add(later)


@dataclass(frozen=True, slots=True)
class Ac3Result:
    """What AC-3 leaves.

    Attributes
    ----------
    domains
        The values left of every variable, auxiliaries included.
    consistent
        False if a variable has no value left: there is no solution, and the domains are what was
        left when that showed.
    solved
        True if every variable has one value left: these are the solution.
    revisions
        How often an arc was revised.
    """

    domains: Domains
    consistent: bool
    solved: bool
    revisions: int
    left_out: tuple[str, ...] = field(default=(), repr=False)
    """Rules of the puzzle's source that were not read; see `Puzzle.left_out`."""

    def __repr__(self) -> str:
        left, state = sum(map(len, self.domains.values())), "solved" if self.solved else "open"
        state = state if self.consistent else "inconsistent"
        return f"<Ac3Result: {left} values left for {len(self.domains)} variables, {state}>"


def ac3(puzzle: object) -> Ac3Result:
    """Revise all arcs until nothing changes, and search nothing.

    An all-different counts as an arc in each direction between any two of its variables, as in the
    textbooks: it removes a value from the others once a variable has no other value. An automaton
    or a sum counts as one arc that revises its whole scope.

    Parameters
    ----------
    puzzle
        A puzzle, whatever :func:`csp_sudoku.read` takes, or a constraint graph.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> domains = {"x": (1,), "y": (1, 2), "z": (1, 2, 3)}
    >>> ac3(graph_of(domains, AllDifferent(("x", "y", "z"))))
    <Ac3Result: 3 values left for 3 variables, solved>
    >>> ac3("1... ..2. .3.. ...4").solved
    True
    """
    known = puzzle if hasattr(puzzle, "graph") else as_puzzle(puzzle)
    csp = Csp.of(constraint_graph(known))
    revisions = sum(isinstance(event, Revised) for event in ac3_events(csp, csp.arcs))
    solved = csp.consistent and all(len(domain) == 1 for domain in csp.domains.values())
    left_out = getattr(known, "left_out", ())
    return Ac3Result(csp.domains, csp.consistent, solved, revisions, left_out)
