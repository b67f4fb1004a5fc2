"""An event ends any call, soon, as if time had run out."""

import asyncio
import inspect
from contextlib import suppress
from threading import Event, Timer

import pytest

import csp_sudoku as cs
from csp_sudoku import backends

# No backend counts all solutions of these within a test, and none gives up by itself.
ENDLESS = cs.Puzzle.blank(16)
LARGE = cs.Puzzle.blank(16).add(*[cs.KillerCage(f"R{r}C1-R{r}C5", 40 + r) for r in range(1, 9)])
FOUR = "0100300140020040"


@pytest.fixture
def soon():
    """An event that is set in a moment, as by another thread."""
    event = Event()
    timer = Timer(0.05, event.set)
    timer.start()
    yield event
    timer.cancel()


@pytest.mark.parametrize(
    "backend", [*backends.names(), "auto", "textbook", "sat:solver=cadical195", "lp:engine=scip"]
)
def test_every_backend_ends(backend, soon):
    found = cs.count(ENDLESS, backend, cancel=soon)
    assert not found.complete
    assert found.reason == "it was cancelled"


def test_a_cross_check_says_who_had_no_time(soon):
    agreement = cs.cross_check(ENDLESS, ["sat", "dlx"], limit=None, cancel=soon)
    for answer in agreement.answers:
        assert (answer.ending.value, answer.text) == ("out of time", "it was cancelled")


def test_solutions_so_far_are_kept(soon):
    found = cs.solutions(cs.Puzzle.blank(9), cancel=soon)
    assert next(found)
    soon.set()
    assert list(found) == []
    assert (found.status, found.reason) == (cs.Status.SOME_FOUND, "it was cancelled")


# Of every function that can be cancelled, a call that does not end by itself, or takes long.
CALLS = {
    "assess": lambda **how: cs.assess(FOUR, "2134 .... .... ....", **how).undecided,
    "count": lambda **how: not cs.count(FOUR, **how).complete,
    "cross_check": lambda **how: cs.cross_check(FOUR, ["sat"], **how).outcome.value == "unknown",
    "estimate": lambda **how: cs.estimate(FOUR, **how),
    "explain": lambda **how: cs.explain(FOUR, **how).ending.value == "out of time",
    "generate": lambda **how: cs.generate(LARGE, seed=1, **how),
    "hint": lambda **how: cs.hint(FOUR, **how),
    "is_minimal": lambda **how: cs.is_minimal(FOUR, **how),
    "is_unique": lambda **how: cs.is_unique(FOUR, **how),
    "random_solution": lambda **how: cs.random_solution(LARGE, seed=1, **how),
    "rate": lambda **how: cs.rate(FOUR, **how),
    "redundant": lambda **how: cs.redundant(FOUR, **how).undecided,
    "score": lambda **how: cs.score(FOUR, "2134 .... .... ....", **how),
    "solutions": lambda **how: cs.solutions(FOUR, **how).count().reason,
    "solve": lambda **how: cs.solve(FOUR, **how).reason,
    "solve_array": lambda **how: (cs.solve_array([[0] * 16], **how).counts == -1).all(),
    "solve_many": lambda **how: [r.reason for r in cs.solve_many([FOUR] * 3, **how)][2],
    "space": lambda **how: not cs.space(FOUR, **how).exact,
    "true_candidates": lambda **how: cs.true_candidates(FOUR, **how).undecided,
    "why_not": lambda **how: cs.why_not(FOUR, "R1C1", 1, **how),
    "why_unsolvable": lambda **how: cs.why_unsolvable("11..............", **how),
}


def test_what_takes_a_timeout_and_works_in_this_process_can_be_cancelled():
    taking = {
        name
        for name in cs.__all__
        if inspect.isfunction(getattr(cs, name))
        and "cancel" in inspect.signature(getattr(cs, name)).parameters
    }
    assert taking == CALLS.keys()


@pytest.mark.parametrize("name", CALLS)
def test_an_event_that_is_set_already_leaves_no_time(name):
    cancel = Event()
    cancel.set()
    with suppress(cs.UndecidedError):
        assert CALLS[name](cancel=cancel)


def test_time_and_event_together(soon):
    assert cs.count(ENDLESS, timeout=0.01, cancel=Event()).reason == "time ran out"
    assert cs.count(ENDLESS, timeout=600, cancel=soon).reason == "it was cancelled"


def test_a_task_is_cancelled():
    async def main():
        cancel = Event()
        counting = asyncio.create_task(asyncio.to_thread(cs.count, ENDLESS, cancel=cancel))
        await asyncio.sleep(0.05)
        cancel.set()
        return await counting

    assert asyncio.run(main()).reason == "it was cancelled"


def test_what_is_no_event_is_refused():
    with pytest.raises(cs.BackendError, match="threading.Event"):
        cs.solve(FOUR, cancel=True)
