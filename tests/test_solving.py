"""Solving: statuses, limits, sessions, iterators, verification; the same above every backend."""

import gc

import numpy as np
import pytest

import csp_sudoku as cs
from csp_sudoku.backends.auto import AutoStatistics
from csp_sudoku.solving.query import check_count, check_query
from csp_sudoku.testing import check_case
from csp_sudoku.testing.conformance import Case

BACKENDS = ["sat", "cpsat", "search", "dlx", "lp", "brute"]
FOUR = cs.Puzzle.blank(4)
UNIQUE = "0100300140020040"
CLASSIC = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


@pytest.mark.parametrize("backend", BACKENDS)
def test_statuses(backend):
    cases = [
        (UNIQUE, 1, cs.Status.SOME_FOUND, 1),
        (UNIQUE, 2, cs.Status.ALL_FOUND, 1),
        ("." * 16, 3, cs.Status.SOME_FOUND, 3),
        ("11" + "." * 14, 1, cs.Status.NONE_EXIST, 0),
    ]
    for text, limit, status, number in cases:
        result = cs.solve(text, backend, limit=limit)
        assert (result.status, len(result.solutions)) == (status, number)
        assert result.complete is (status in (cs.Status.ALL_FOUND, cs.Status.NONE_EXIST))
        assert result.backend == backend


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_timeout_of_nothing_is_unknown(backend):
    result = cs.solve("." * 81, backend, timeout=0)
    assert (result.status, result.solutions) == (cs.Status.UNKNOWN, ())
    with pytest.raises(cs.UndecidedError, match="time ran out"):
        cs.is_unique("." * 81, backend, timeout=0)
    with pytest.raises(cs.UndecidedError, match="at least 0"):
        int(cs.count("." * 81, backend, timeout=0))


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_iterator_can_be_left_and_resumed(backend):
    found = cs.solutions("12" + "." * 14, backend)
    assert found.status is cs.Status.UNKNOWN
    first = [next(found) for _ in range(5)]
    assert (found.status, found.complete) == (cs.Status.SOME_FOUND, False)
    rest = list(found)
    assert (found.status, found.complete) == (cs.Status.ALL_FOUND, True)
    assert len({*first, *rest}) == len(first) + len(rest) == 24
    assert found.statistics.solutions == 24


@pytest.mark.parametrize("backend", BACKENDS)
def test_counts(backend):
    assert int(cs.count("12" + "." * 14, backend)) == 24
    some = cs.count(FOUR, backend, limit=10)
    assert (some.value, some.complete) == (10, False)
    with pytest.raises(cs.UndecidedError, match="at least 10"):
        int(some)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_session_forgets_each_puzzle(backend):
    rules = FOUR.add(cs.Diagonals(), cs.KillerCage("R1C1 R1C2", 5))
    with cs.session(rules, backend) as session:
        everything = int(session.count("." * 16))
        by_value = [int(session.count(str(value) + "." * 15)) for value in (1, 2, 3, 4)]
        none = session.solve("44" + "." * 14)
        left = session.solutions("." * 16)
        next(left)
        left.close()
        assert list(left) == []
        assert int(session.count("." * 16)) == everything == sum(by_value) > 0
    assert none.status is cs.Status.NONE_EXIST


def test_a_session_takes_only_its_own_rules():
    with cs.session(FOUR, "sat") as session:
        assert session.solve(FOUR.with_givens({"R1C1": [1, 2]})).solutions
        with pytest.raises(cs.PuzzleError, match="other rules"):
            session.solve(FOUR.add(cs.AntiKnight()))


def test_is_unique():
    assert cs.is_unique(CLASSIC)
    assert not cs.is_unique("." * 16)
    assert not cs.is_unique("11" + "." * 14)


def test_a_count_verifies_the_first_thousand_and_a_sample():
    counted = cs.count(cs.Puzzle.blank(6).with_givens({"R1C1": 1, "R2C4": 1}), "search", limit=5000)
    assert counted.value == 5000
    assert 1000 < counted.verified < 5000


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cs.solve(FOUR, "magic"), "no backend is called 'magic'; there are sat"),
        (lambda: cs.solve(FOUR, "sat:colour=red"), "option 'colour=red' is not one of its solver="),
        (lambda: cs.solve(FOUR, limit=0), "limit 0"),
        (lambda: cs.solve(FOUR, limit=True), "limit True"),
        (lambda: cs.count(FOUR, limit=-1), "limit -1"),
        (lambda: cs.solve(FOUR, timeout=-1), "timeout -1"),
        (lambda: cs.solve(FOUR, timeout=float("nan")), "timeout nan"),
        (lambda: cs.solve(FOUR, seed="x"), "seed 'x'"),
        (lambda: cs.solve(FOUR, limit=2.0), "limit 2.0: must be a whole number from 1 up, or None"),
        (lambda: cs.solve(FOUR, limit=np.bool_(True)), "limit .*True"),
        (lambda: cs.solve(FOUR, seed=False), "seed False"),
        (lambda: cs.solve(FOUR, seed=2**31), "seed 2147483648: .* from 0 to 2147483647"),
        (lambda: cs.solve(FOUR, timeout=True), "timeout True: must be seconds from 0 up, or None"),
        (lambda: cs.solve(FOUR, timeout="1"), "timeout '1'"),
        (lambda: [*cs.solve_many([FOUR], workers=True)], "workers True: must be a whole number"),
        (lambda: cs.solve_array(np.zeros((1, 16), int), limit=None), "limit None: .* from 1 up"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(cs.BackendError, match=message):
        call()


@pytest.mark.parametrize("number", [np.int64, np.uint8, np.int32])
def test_numbers_of_numpy_are_numbers(number):
    query = check_query(number(2), np.float32(5), number(7))
    assert query == (2, 5.0, 7, None, None)
    assert [*map(type, query[:3])] == [int, float, int]
    assert check_query(timeout=number(3)).timeout == 3.0
    assert type(check_count("workers", number(2))) is int
    for backend in BACKENDS[:-1]:
        found = cs.solve(FOUR, backend, limit=number(2), timeout=number(60), seed=number(1))
        assert len(found.solutions) == 2
    counted = cs.count(FOUR, "sat", limit=number(10), timeout=np.float64(60))
    assert (counted.value, type(counted.value)) == (10, int)
    rows = np.zeros((3, 16), int)
    assert len(cs.solve_array(rows, limit=number(2), workers=number(2))) == 3
    assert len([*cs.solve_many([FOUR] * 3, limit=number(2), workers=number(2))]) == 3


# Every result of a portfolio says who answered, whichever way it came about.

WAYS = {
    "a text": lambda backend, limit: [cs.solve(UNIQUE, backend, limit=limit)],
    "a puzzle": lambda backend, limit: [cs.solve(cs.read(UNIQUE), backend, limit=limit)],
    "no solution": lambda backend, limit: [cs.solve("11" + "." * 14, backend, limit=limit)],
    "several": lambda backend, limit: [cs.solve(FOUR, backend, limit=limit)],
    "candidates": lambda backend, limit: [
        cs.solve(FOUR.with_givens({"R1C1": (1, 2)}), backend, limit=limit)
    ],
    "a session": lambda backend, limit: [cs.session(FOUR, backend).solve(UNIQUE, limit=limit)],
    "many": lambda backend, limit: [
        *cs.solve_many([UNIQUE, FOUR, "11" + "." * 14, UNIQUE] * 3, backend, limit=limit)
    ],
    "an array": lambda backend, limit: [
        *cs.solve_many(np.zeros((5, 16), int), backend, limit=limit)
    ],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("limit", [1, 2, 5])
@pytest.mark.parametrize(("kernels", "winner"), [("true", "boards"), ("false", "sat")])
def test_every_result_says_who_answered(way, limit, kernels, winner):
    for result in WAYS[way](f"auto:kernels={kernels}", limit):
        assert result.backend == f"auto: {winner}"
        assert isinstance(result.statistics, AutoStatistics)
        assert (result.statistics.winner, result.statistics.asked) == (winner, (winner,))
        assert result.statistics.solutions == len(result.solutions)
        assert result.reason == ""


def test_an_iterator_that_is_dropped_gives_back_its_session(monkeypatch):
    cs.clear_cache()
    cs.solve(FOUR, "sat")
    first = cs.solutions(FOUR, "sat")
    next(first)
    session = first._found._session
    del first
    gc.collect()
    again = cs.solutions(FOUR, "sat")
    assert len([*again]) == 288
    assert again._found._session is session


# The three ways to write a rule of one's own, and combinations, alike on every backend.
OWN = {
    "predicate": cs.where("R1C1 R2C2 R3C4", lambda a, b, c: a + b == c),
    "fold": cs.fold("R1C1 R2C2 R3C3 R4C4", 0, lambda s, v: (s + v) % 3, lambda s: s == 0),
    "or of cages": cs.KillerCage("R1C1 R2C2", 5) | cs.KillerCage("R3C3 R4C4 R3C4", 8),
    "not a thermometer": ~cs.Thermometer("R1C1 R2C2 R3C3"),
    "nested": ~(cs.AntiKnight() & cs.Diagonals()) | ~(cs.Equal("R1C1 R2C3") | ~cs.AntiKnight()),
}


@pytest.mark.parametrize("rule", OWN)
@pytest.mark.parametrize("backend", BACKENDS[:-1])
def test_custom_rules_agree_with_the_oracle(rule, backend):
    # LP pays for every solution with a run of its solver.
    assert check_case(backend, Case(rule, FOUR.add(OWN[rule])), most=6 if backend == "lp" else None)


@pytest.mark.parametrize("rule", OWN)
def test_custom_rules_forbid_something(rule):
    assert 0 < cs.count(FOUR.add(OWN[rule]), "brute").value < 288 or rule == "nested"


@pytest.mark.parametrize("backend", ["auto", "sat", "cpsat", "search", "dlx", "boards", "lp"])
def test_an_enumeration_ends_at_its_limit(backend):
    found = cs.solutions(cs.Puzzle.blank(6), backend, limit=3)
    assert len({*found}) == 3
    assert not found.complete
    assert next(found, None) is None
    with cs.session(cs.Puzzle.blank(4), backend) as session:
        assert len([*session.solutions(cs.Puzzle.blank(4), limit=2)]) == 2
