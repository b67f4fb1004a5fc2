"""Rules that were compiled are kept: who asks again is not made to wait again."""

from threading import Thread

import pytest

import csp_sudoku as cs
from csp_sudoku import backends, rules_cache
from csp_sudoku.backends.base import Backend, Session
from csp_sudoku.rules_cache import RulesCache

FOUR = cs.Puzzle.blank(4)
TEXTS = ["1" + "." * 15, "12" + "." * 14, "123" + "." * 13, "4" * 2 + "." * 14]


@pytest.fixture
def compiled(monkeypatch):
    """What is compiled, as rules with (True) or without givens; nothing is kept before or after."""
    cs.clear_cache()
    seen: list[tuple[str, bool]] = []
    get = backends.get

    def watched(spec: str | Backend) -> Backend:
        backend = get(spec)
        compile_graph = backend.compile

        def compile_it(graph, *, deadline=None):
            given = any(len(d) == 1 for _, d in graph.nodes(data="domain") if d is not None)
            seen.append((backend.name, given))
            return compile_graph(graph, deadline=deadline)

        backend.compile = compile_it
        return backend

    monkeypatch.setattr(backends, "get", watched)
    yield seen
    cs.clear_cache()


@pytest.mark.parametrize("backend", ["sat", "dlx", "cpsat", "lp"])
def test_a_loop_compiles_for_the_first_and_for_all_the_others(compiled, backend):
    found = [cs.count(text, backend).value for text in TEXTS]
    assert found == [72, 24, 12, 0]
    assert compiled == [(backend, True), (backend, False)]


def test_solve_count_and_is_unique_share_what_is_kept(compiled):
    cs.solve(TEXTS[0], "sat")
    cs.count(TEXTS[1], "sat")
    assert not cs.is_unique(TEXTS[2], "sat")
    assert len(compiled) == 2


def test_options_and_other_rules_are_kept_apart(compiled):
    for _ in range(3):
        assert cs.count(TEXTS[0], "sat:solver=minisat22").value == 72
        assert cs.count(cs.read(TEXTS[0], [cs.Diagonals()]), "sat").value == 12
    assert len(compiled) == 4


def test_rules_with_functions_are_known_by_the_functions(compiled):
    def rules(limit):
        return FOUR.add(cs.where("R1C1 R1C2", lambda a, b: a + b < limit))

    one, other = rules(4), rules(5)
    values = [cs.count(puzzle, "sat").value for puzzle in (one, other, one, other)]
    assert values == [48, 96, 48, 96]
    assert len(compiled) == 4
    again = rules(4)  # the same source, another function
    assert cs.count(again, "sat").value == 48
    assert compiled[4:] == [("sat", False)]  # no cell has a given in any of them


def test_a_query_that_is_left_open_does_not_disturb_the_next(compiled):
    cs.solve(TEXTS[0], "sat")
    first = cs.solutions(TEXTS[0], "sat")
    next(first)
    second = cs.solutions(TEXTS[0], "sat")
    assert sum(1 for _ in second) == 72
    assert sum(1 for _ in first) == 71
    assert cs.count(TEXTS[0], "sat").value == 72
    assert compiled == [("sat", True), ("sat", False), ("sat", False)]


def test_threads_have_a_session_each(compiled):
    cs.solve(TEXTS[0], "sat")
    found: list[int] = []
    threads = [
        Thread(target=lambda: found.extend(cs.count(text, "sat").value for text in TEXTS[:3]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [12] * 4 + [24] * 4 + [72] * 4


class Fake(Session):
    closed = False

    def solutions(self, restrict=None, *, limit=None, deadline=None, seed=None):
        raise AssertionError

    def close(self) -> None:
        self.closed = True


def kept(cache: RulesCache, rules: cs.Puzzle) -> Fake:
    assert cache.take(("sat", rules), Fake) is None
    session = cache.take(("sat", rules), Fake)
    assert isinstance(session, Fake)
    cache.give_back(("sat", rules), session)
    return session


def test_what_was_not_asked_for_lately_is_closed(monkeypatch):
    monkeypatch.setattr(rules_cache, "MOST_RULES", 2)
    cache = RulesCache()
    one, two, three = (kept(cache, cs.Puzzle.blank(side)) for side in (1, 2, 3))
    assert [session.closed for session in (one, two, three)] == [True, False, False]
    assert cache.take(("sat", cs.Puzzle.blank(2)), Fake) is two
    assert cache.take(("sat", cs.Puzzle.blank(1)), Fake) is None  # drops 3×3: 2×2 was asked later
    assert three.closed
    cache.give_back(("sat", cs.Puzzle.blank(3)), third := Fake())
    assert third.closed


def test_one_large_grid_leaves_no_room_for_others():
    cache = RulesCache()
    small = kept(cache, cs.Puzzle.blank(9))
    large = kept(cache, cs.Puzzle.blank(64))
    assert (small.closed, large.closed) == (True, False)
    cache.clear()
    assert large.closed


def test_what_is_given_back_by_many_is_not_all_kept():
    cache, rules = RulesCache(), FOUR
    assert cache.take(("sat", rules), Fake) is None
    sessions = [Fake() for _ in range(6)]
    for session in sessions:
        cache.give_back(("sat", rules), session)
    assert [session.closed for session in sessions] == [False] * 4 + [True] * 2
