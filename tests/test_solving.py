"""Solving: statuses, limits, sessions, iterators, verification; the same above every backend."""

import pytest

import csp_sudoku as cs

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
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(cs.BackendError, match=message):
        call()


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
    puzzle = FOUR.add(OWN[rule])
    wanted = set(cs.solutions(puzzle, "brute"))
    found = list(cs.solutions(puzzle, backend))
    assert 0 < len(wanted) < 288 or rule == "nested"
    assert len(found) == len(wanted)
    assert set(found) == wanted
