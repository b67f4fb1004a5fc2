"""AC-3 and backtracking, from the events of the textbook algorithms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any

from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.textbook import (
    Backtracked,
    Chosen,
    Csp,
    Event,
    Removed,
    Revised,
    ac3_events,
    backtracking_search,
    lcv,
    mac,
    mrv_degree,
)
from csp_sudoku.watching.frames import Frame, shown

# How many of a long list are named.
_NAMED = 8


def watch_ac3(puzzle: Puzzle) -> Iterator[Frame]:
    """Yield a frame for each arc whose revision removes something, with the queue behind it."""
    csp = Csp.of(shared_graph(puzzle))
    film = _Film(csp)
    yield film.frame("start", f"{len(csp.arcs)} arcs wait in the queue")
    yield from film.revisions(ac3_events(csp, csp.arcs), with_queue=True)
    if not csp.consistent:
        yield film.frame("dead end", f"{film.empty()} has no value left: there is no solution")
    else:
        open_ = [place for place in puzzle.cells if len(csp.domains[place]) > 1]
        done = "every cell has one value" if not open_ else f"{len(open_)} cells stay open"
        yield film.frame("end", f"the queue is empty: {done}")


def watch_backtracking(puzzle: Puzzle) -> Iterator[Frame]:
    """Yield the choices with their ties, what follows from each, dead ends, and what is undone."""
    csp = Csp.of(shared_graph(puzzle))
    film, heuristics = _Film(csp), _Heuristics()
    before: dict[int, dict[Any, tuple[int, ...]]] = {}
    failed = began = False
    yield film.frame("start", "first, every arc is revised")
    waiting: list[Event] = []
    for event in backtracking_search(csp, heuristics.select, heuristics.order, mac):
        began = True
        if isinstance(event, Revised | Removed):
            waiting.append(event)
            continue
        yield from film.revisions(waiting)
        waiting.clear()
        if not failed and (empty := film.empty()):
            failed = True
            yield film.frame("dead end", f"{empty} has no value left")
        if isinstance(event, Chosen | Backtracked) and event.depth in before:
            kept = before[event.depth]
            back = sum(len(kept[p]) - len(film.domains[p]) for p in kept)
            film.domains = dict(kept)
            if failed or isinstance(event, Backtracked):
                yield film.frame("undo", f"undone: {back} values come back")
            failed = False
        if isinstance(event, Chosen):
            before[event.depth] = dict(film.domains)
            film.depth = event.depth
            film.domains[event.place] = (event.choice,)
            text = f"choose {event.choice} for {event.place}"
            yield film.frame("choice", text, [event.place], lines=heuristics.notes[event.place])
        elif isinstance(event, Backtracked):
            before.pop(event.depth, None)
            film.depth = event.depth - 1
            yield film.frame("undo", f"all values of {event.place} were tried", [event.place])
        else:
            yield film.frame("solution", "a solution: every cell has one value")
            return
    yield from film.revisions(waiting)
    if not began:
        yield film.frame("dead end", "the givens break a rule: there is nothing to search")
    elif empty := film.empty():
        yield film.frame("dead end", f"{empty} has no value left: there is no solution")
    yield film.frame("end", "the whole tree was searched")


class _Heuristics:
    """MRV with the degree, and LCV, with notes on what they see."""

    def __init__(self) -> None:
        self.notes: dict[Any, list[str]] = {}

    def select(self, csp: Csp) -> Any:
        """Choose a variable, and note the ties."""
        chosen = mrv_degree(csp)
        fewest = len(csp.domains[chosen])
        ties = [place for place in csp.unassigned if len(csp.domains[place]) == fewest]
        tie = "; the degree decides" if len(ties) > 1 else ""
        self.notes[chosen] = [f"MRV: {fewest} values left in {_listed(ties)}{tie}"]
        return chosen

    def order(self, csp: Csp, place: Any) -> Iterable[int]:
        """Order the values of the chosen variable, and note the order."""
        ordered = list(lcv(csp, place))
        self.notes[place].append(f"LCV tries {', '.join(map(str, ordered))}")
        return ordered


class _Film:
    """The domains as they are now, and the frames that show them."""

    def __init__(self, csp: Csp) -> None:
        self.domains: dict[Any, tuple[int, ...]] = dict(csp.domains)
        self.depth = 0
        self._idle = 0

    def frame(self, kind: str, text: str, changed: Iterable[Any] = (), **more: Any) -> Frame:
        return Frame(
            kind, text, shown(self.domains), changed=list(changed), depth=self.depth, **more
        )

    def empty(self) -> Any:
        """Return a variable without a value, if there is one."""
        return next((place for place, left in self.domains.items() if not left), None)

    def revisions(self, events: Iterable[Event], *, with_queue: bool = False) -> Iterator[Frame]:
        """Yield a frame for each arc that removes something; the others are counted.

        The queue of an event is right only while the algorithm waits there.
        """
        arc, gone, waiting = None, list[tuple[Any, int]](), list[str]()
        for event in events:
            if isinstance(event, Revised):
                yield from self._revised(arc, gone, waiting)
                arc, gone = event.arc, []
                waiting = [_queue(event.queue)] if with_queue else []
            elif isinstance(event, Removed):
                gone.append((event.variable, event.value))
        yield from self._revised(arc, gone, waiting)

    def _revised(
        self, arc: Any, gone: list[tuple[Any, int]], waiting: list[str]
    ) -> Iterator[Frame]:
        if not gone:
            self._idle += arc is not None
            return
        for place, value in gone:
            self.domains[place] = tuple([v for v in self.domains[place] if v != value])
        said = ", ".join(f"{value} from {place}" for place, value in gone[:_NAMED])
        idle = [f"revised before without a change: {self._idle} arcs"] if self._idle else []
        self._idle = 0
        yield Frame(
            "step",
            f"revise {arc}: remove {said}{' …' if len(gone) > _NAMED else ''}",
            shown(self.domains),
            looked_at=list(arc.scope),
            changed=[place for place, _ in gone],
            removed=gone,
            depth=self.depth,
            lines=[*idle, *waiting],
        )


def _queue(arcs: Collection[Any]) -> str:
    return f"the queue: {_listed(arcs)}" if arcs else "the queue is empty"


def _listed(places: Collection[Any]) -> str:
    names = [str(place) for place in islice(places, _NAMED)]
    more = len(places) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
