"""Layered automata: laws on random tables, and tables of known sizes, errors and budgets."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings.automaton import Automaton, Budget, Edge
from csp_encodings.errors import BudgetError, EncodingError

DIGITS = tuple(range(1, 10))
Word = tuple[int, ...]

unhurried = settings(deadline=None)  # a busy machine is no failure

alphabets = st.lists(
    st.sets(st.integers(-2, 3), min_size=0, max_size=4).map(lambda values: tuple(sorted(values))),
    max_size=4,
)


def words_over(letters: list[Word]) -> list[Word]:
    return list(product(*letters))


def subset_of(words: list[Word]) -> st.SearchStrategy[set[Word]]:
    if not words:
        return st.just(set())
    # A bit per word reaches full and nearly full tables, which a set of samples seldom does.
    return st.integers(0, 2 ** len(words) - 1).map(
        lambda bits: {word for i, word in enumerate(words) if bits >> i & 1}
    )


@st.composite
def tables(draw: st.DrawFn, count: int = 1) -> tuple[Any, ...]:
    """Alphabets, and so many sets of words over them."""
    letters = draw(alphabets)
    return (letters, *[draw(subset_of(words_over(letters))) for _ in range(count)])


def same_order_of_states(automaton: Automaton) -> bool:
    """Whether heads appear for the first time in the order 0, 1, 2, …"""
    return all(
        list(dict.fromkeys(edge.head for edge in layer)) == list(range(width))
        for layer, width in zip(automaton.layers, automaton.widths[1:], strict=True)
    )


# Laws


@unhurried
@given(tables())
def test_tuples_are_those_of_the_table(case):
    letters, words = case
    automaton = Automaton.from_table(letters, words)
    assert list(automaton.tuples()) == sorted(words)
    assert automaton.count() == len(words)
    assert [automaton.accepts(word) for word in words_over(letters)] == [
        word in words for word in words_over(letters)
    ]


@unhurried
@given(tables(2))
def test_equal_exactly_when_the_tuples_are(case):
    letters, words, others = case
    a, b = Automaton.from_table(letters, words), Automaton.from_table(letters, others)
    assert (a == b) == (words == others)
    assert a != b or hash(a) == hash(b)


@unhurried
@given(tables())
def test_every_builder_gives_the_same_automaton(case):
    letters, words = case
    table = Automaton.from_table(letters, words)
    prefixes = {word[:i] for word in words for i in range(len(word) + 1)}

    def step(prefix: Word, value: int) -> Word | None:
        return (*prefix, value) if (*prefix, value) in prefixes else None

    assert table == Automaton.from_predicate(letters, lambda *word: word in words)
    assert table == Automaton.from_fold(letters, (), step, lambda word: word in words)
    # Without dead states: minimisation alone has to find them.
    assert table == Automaton.from_fold(letters, (), lambda p, v: (*p, v), lambda w: w in words)
    assert table == Automaton.from_layers(table.alphabets, table.widths, table.layers)


@unhurried
@given(tables())
def test_the_form_is_canonical(case):
    letters, words = case
    automaton = Automaton.from_table(letters, words)
    assert len(automaton.widths) == len(letters) + 1
    assert len(automaton.layers) == len(letters)
    assert automaton.widths[0] == automaton.widths[-1] == (1 if words else 0)
    assert same_order_of_states(automaton)
    for layer, width in zip(automaton.layers, automaton.widths, strict=False):
        assert list(layer) == sorted(layer, key=lambda edge: (edge.tail, edge.values))
        assert {edge.tail for edge in layer} == set(range(width))
        assert len({(edge.tail, edge.head) for edge in layer}) == len(layer)
        # Minimal: no two states have the same edges. Deterministic: no value twice in a state.
        rows = [[(e.values, e.head) for e in layer if e.tail == tail] for tail in range(width)]
        assert len({tuple(row) for row in rows}) == width
        for row in rows:
            values = [value for carried, _ in row for value in carried]
            assert len(set(values)) == len(values)


@unhurried
@given(tables(2))
def test_operations_are_those_of_sets(case):
    letters, words, others = case
    a, b = Automaton.from_table(letters, words), Automaton.from_table(letters, others)
    everything = set(words_over(letters))
    assert a & b == Automaton.from_table(letters, words & others)
    assert a | b == Automaton.from_table(letters, words | others)
    assert ~a == Automaton.from_table(letters, everything - words)
    assert ~~a == a
    assert ~(a & b) == ~a | ~b
    assert a | ~a == Automaton.everything(letters)
    assert a & ~a == Automaton.nothing(letters)


@unhurried
@given(tables())
def test_reified_has_exactly_one_bit(case):
    letters, words = case
    automaton = Automaton.from_table(letters, words).reified()
    assert automaton.alphabets == (*letters, (0, 1))
    assert set(automaton.tuples()) == {(*w, int(w in words)) for w in words_over(letters)}
    assert automaton.is_functional()


@unhurried
@given(tables())
def test_is_functional_by_definition(case):
    letters, words = case
    if letters:
        last = letters[-1]
        expected = all(
            sum((*word, value) in words for value in last) == 1 for word in product(*letters[:-1])
        )
        assert Automaton.from_table(letters, words).is_functional() == expected


@unhurried
@given(tables(), st.data())
def test_filter_and_restrict(case, data):
    letters, words = case
    domains = [data.draw(st.sets(st.integers(-2, 4))) for _ in letters]
    automaton = Automaton.from_table(letters, words)
    kept = [w for w in words if all(v in d for v, d in zip(w, domains, strict=True))]
    expected = tuple(tuple(sorted({word[i] for word in kept})) for i in range(len(letters)))
    assert automaton.filter(domains) == expected
    smaller = [sorted(d.intersection(a)) for d, a in zip(domains, letters, strict=True)]
    assert automaton.restrict(domains) == Automaton.from_table(smaller, kept)


@unhurried
@given(
    alphabets,
    st.sets(st.integers(0, 4)),
    st.sets(st.tuples(st.integers(0, 4), st.integers(-2, 3), st.integers(0, 4))),
    st.sets(st.integers(0, 4)),
)
def test_nondeterministic_accepts_on_some_path(letters, starts, moves, accepting):
    def step(state: int, value: int) -> list[int]:
        return [head for tail, label, head in moves if (tail, label) == (state, value)]

    def accepted(states: set[int], word: Word) -> bool:
        if not word:
            return bool(states & accepting)
        return accepted({head for state in states for head in step(state, word[0])}, word[1:])

    expected = [word for word in words_over(letters) if accepted(starts, word)]
    automaton = Automaton.from_nfa(letters, starts, step, accepting)
    assert list(automaton.tuples()) == sorted(expected)
    assert automaton == Automaton.from_nfa(letters, starts, step, lambda s: s in accepting)


@unhurried
@given(tables(), st.randoms(use_true_random=False))
def test_layers_are_reduced(case, random):
    """Split states and edges at random: the same automaton comes back."""
    letters, words = case
    automaton = Automaton.from_table(letters, words)
    inner = range(1, automaton.length)
    copies = [2 if i in inner else 1 for i in range(automaton.length + 1)]
    layers = []
    for i, layer in enumerate(automaton.layers):
        edges = [
            (
                tail * copies[i] + copy,
                [value],
                head * copies[i + 1] + random.randrange(copies[i + 1]),
            )
            for tail, values, head in layer
            for value in values
            for copy in range(copies[i])
        ]
        random.shuffle(edges)
        layers.append(edges)
    widths = [width * copy for width, copy in zip(automaton.widths, copies, strict=True)]
    assert Automaton.from_layers(letters, widths, layers) == automaton


# Known sizes


def killer(cells: int, total: int) -> Automaton:
    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        reached, used = state
        if used >> value & 1 or reached + value > total:
            return None
        return reached + value, used | 1 << value

    return Automaton.from_fold([DIGITS] * cells, (0, 0), step, lambda state: state[0] == total)


def thermometer(cells: int) -> Automaton:
    return Automaton.from_fold(
        [DIGITS] * cells, 0, lambda last, v: v if v > last else None, lambda last: True
    )


def whisper(cells: int) -> Automaton:
    # None is the natural start of "the value before", though as a result of step it is dead.
    return Automaton.from_fold(
        [DIGITS] * cells,
        None,
        lambda last, v: v if last is None or abs(last - v) >= 5 else None,
        lambda last: True,
    )


def all_different(size: int, **keywords: Any) -> Automaton:
    return Automaton.from_fold(
        [range(size)] * size,
        0,
        lambda used, v: None if used >> v & 1 else used | 1 << v,
        lambda used: True,
        **keywords,
    )


@pytest.mark.parametrize(
    ("build", "width", "size"),
    [
        (lambda: thermometer(5), 5, 65),
        (lambda: whisper(9), 8, 168),
        (lambda: killer(5, 25), 58, 514),
        (lambda: all_different(9), comb(9, 4), 9 * 2**8),
        (lambda: Automaton.everything([DIGITS] * 5), 1, 45),
        (lambda: Automaton.nothing([DIGITS] * 5), 0, 0),
    ],
    ids=["thermometer-5", "whisper-9", "killer-5", "all-different-9", "everything", "nothing"],
)
def test_known_sizes(build: Callable[[], Automaton], width: int, size: int):
    automaton = build()
    assert (automaton.width, automaton.size) == (width, size)
    assert repr(automaton) == (
        f"Automaton({automaton.length} positions, {width} wide, {size} transitions)"
    )


def test_no_killer_of_five_is_wider():
    assert max(killer(5, total).width for total in range(15, 36)) == 58


def test_known_counts():
    assert thermometer(5).count() == comb(9, 5)
    assert killer(2, 10).count() == 8
    assert all_different(9).count() == 362_880
    assert Automaton.everything([range(100)] * 50).count() == 100**50


def test_positional_step_sees_its_position():
    weights = (100, 10, 1)
    automaton = Automaton.from_fold(
        [range(10)] * 3,
        0,
        lambda total, value, position: total + weights[position] * value,
        lambda total: total == 407,
        positional=True,
    )
    assert list(automaton.tuples()) == [(4, 0, 7)]


def test_edges_carry_sets_of_values():
    automaton = Automaton.from_predicate([(1, 2, 3)] * 2, lambda a, b: a == 2 or b == 2)
    assert automaton.layers == (
        (Edge(0, (1, 3), 0), Edge(0, (2,), 1)),
        (Edge(0, (2,), 0), Edge(1, (1, 2, 3), 0)),
    )
    assert automaton.widths == (1, 2, 1)
    assert (automaton.edge_count, automaton.size, automaton.length) == (4, 7, 2)


def test_tuples_are_lazy():
    words = Automaton.everything([range(10)] * 2000).tuples()
    assert next(words) == (0,) * 2000
    assert next(words) == (*(0,) * 1999, 1)


# Corners


def test_length_zero():
    empty_word = Automaton.everything([])
    assert (empty_word.widths, empty_word.layers) == ((1,), ())
    assert Automaton.nothing([]).widths == (0,)
    assert list(empty_word.tuples()) == [()]
    assert empty_word.accepts(())
    assert not Automaton.nothing([]).accepts(())
    assert list(Automaton.nothing([]).tuples()) == []
    assert ~empty_word == Automaton.nothing([])
    assert empty_word.filter([]) == ()
    assert list(empty_word.reified().tuples()) == [(1,)]
    assert list(Automaton.nothing([]).reified().tuples()) == [(0,)]
    assert not empty_word.is_functional()
    assert Automaton.from_predicate([], lambda: True) == empty_word
    assert Automaton.from_fold([], 0, lambda s, v: s, lambda s: s == 1) == Automaton.nothing([])


def test_an_empty_alphabet_leaves_nothing():
    letters = [(1, 2), (), (3,)]
    nothing = Automaton.nothing(letters)
    assert nothing.widths == (0, 0, 0, 0)
    assert Automaton.everything(letters) == nothing
    assert ~nothing == nothing
    assert Automaton.from_predicate(letters, lambda *word: True) == nothing
    assert Automaton.from_fold(letters, 0, lambda s, v: s, lambda s: True) == nothing
    assert nothing.filter(letters) == ((), (), ())
    assert nothing.reified().is_functional()


def test_alphabets_are_put_in_order():
    assert Automaton.everything([[3, -1, 3, True]]).alphabets == ((-1, 1, 3),)


def test_a_word_of_another_length_is_not_accepted():
    assert not Automaton.everything([(1, 2)] * 2).accepts((1,))
    assert not Automaton.everything([(1, 2)] * 2).accepts((1, 2, 1))


def test_restricting_to_the_alphabets_changes_nothing():
    automaton = thermometer(3)
    assert automaton.restrict([range(100)] * 3) is automaton


# Errors


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Automaton.everything([5]), "alphabets as collections of integers"),
        (lambda: Automaton.everything(["12"]), "alphabets as collections of integers"),
        (lambda: Automaton.everything([[1.5]]), "alphabets as collections of integers"),
        (
            lambda: Automaton.from_table([(1, 2)] * 2, [(1, 2), (1, 2, 1)]),
            r"row 2, \(1, 2, 1\): 3 values, expected 2",
        ),
        (lambda: Automaton.from_table([(1,)], [7]), "row 1, 7: expected a tuple of integers"),
        (lambda: Automaton.from_table([(1,)], [[[1]]]), "row 1, .* expected a tuple of integers"),
        (
            lambda: Automaton.from_fold([(1, 2)] * 2, 0, lambda s, v: [v], lambda s: True),
            "position 1: states must be hashable",
        ),
        (
            lambda: Automaton.from_nfa([(1, 2)], [0], lambda s, v: [[v]], [0]),
            r"step\(0, 1\): expected an iterable of hashable states",
        ),
        (
            lambda: Automaton.from_nfa([(1, 2)], [0], lambda s, v: None, [0]),
            r"step\(0, 1\): expected an iterable of hashable states",
        ),
        (lambda: thermometer(3) & thermometer(4), "different alphabets"),
        (lambda: thermometer(3) | thermometer(4), "different alphabets"),
        (lambda: thermometer(3).filter([DIGITS]), "1 domains, expected 3"),
        (lambda: thermometer(3).restrict([DIGITS]), "1 domains, expected 3"),
    ],
)
def test_errors_say_what_was_expected(build: Callable[[], object], message: str):
    with pytest.raises(EncodingError, match=message):
        build()


def test_errors_of_the_users_functions_pass_through():
    with pytest.raises(ZeroDivisionError):
        Automaton.from_fold([(0, 1)], 1, lambda s, v: s // v, bool)
    with pytest.raises(TypeError, match="NoneType"):
        Automaton.from_fold([(0, 1)], None, lambda s, v: s + v, bool)


def test_only_automata_combine():
    with pytest.raises(TypeError):
        thermometer(2) & {(1, 2)}
    with pytest.raises(TypeError):
        thermometer(2) | {(1, 2)}


@pytest.mark.parametrize(
    ("widths", "layers", "message"),
    [
        ([1, 1], [[(0, [1], 0)]], "2 alphabets, 2 widths and 1 layers"),
        ([1, 2, 1], [[(0, [1], 0)]], "2 alphabets, 3 widths and 1 layers"),
        ([2, 1, 1], [[], []], "expected 0 or 1 at both ends"),
        ([1, 1, 2], [[], []], "expected 0 or 1 at both ends"),
        ([1, -1, 1], [[], []], "none below 0"),
        ([1, "1", 1], [[], []], "widths as integers"),
        ([1, 1, 1], [[(0, [1])], []], r"edges as \(tail, values, head\)"),
        ([1, 1, 1], [[(0, 1, 0)], []], r"edges as \(tail, values, head\)"),
        ([1, 1, 1], [[(0, [1], 1)], []], "position 1, edge .* a head below 1"),
        ([1, 1, 1], [[], [(1, [1], 0)]], "position 2, edge .* a tail below 1"),
        ([1, 1, 1], [[(-1, [1], 0)], []], "a tail below 1"),
        ([1, 1, 1], [[(0, [3], 0)], []], r"3 is not in the alphabet \(1, 2\)"),
        ([1, 2, 1], [[(0, [1], 0), (0, [1, 2], 1)], []], "1 also leads elsewhere"),
    ],
)
def test_layers_from_outside_are_checked(widths: Any, layers: Any, message: str):
    with pytest.raises(EncodingError, match=message):
        Automaton.from_layers([(1, 2)] * 2, widths, layers)


# Budgets


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: Automaton.from_predicate([DIGITS] * 12, lambda *word: True),
            "12 positions .* 282,429,536,481 tuples, the limit is 1,000,000: use a fold, or fewer",
        ),
        (
            lambda: Automaton.from_fold([DIGITS] * 30, (), lambda s, v: (*s, v), bool),
            r"after 5 of 30 positions: 37,\d\d\d or more states",
        ),
        (lambda: all_different(16), "after 7 of 16 positions"),
        (
            lambda: Automaton.from_nfa(
                [DIGITS] * 30, [0], lambda s, v: [s, s + v, s + 100 * v], lambda s: True
            ),
            "steps of a nondeterministic automaton",
        ),
        (
            lambda: Automaton.from_table([(1, 2)], iter(lambda: (1,), None)),
            "a table of more than 1,000,000 rows",
        ),
        (
            lambda: Automaton.from_layers([(1,)] * 2, [1, 10**12, 1], [[], []]),
            "after 1 of 2 positions: 1,000,000,000,000 or more states",
        ),
        (
            lambda: Automaton.from_predicate(
                [range(4)] * 3, lambda a, b, c: (a * b + c) % 3, budget=Budget(states=3)
            ),
            "after 1 of 3 positions",
        ),
        (
            lambda: Automaton.from_table(
                [range(9)] * 3, product(range(9), repeat=3), budget=Budget(edges=20)
            ),
            "after 0 of 3 positions",
        ),
        (lambda: Automaton.everything([DIGITS]).complement(budget=Budget(edges=17)), "17 edges"),
        (lambda: Automaton.everything([DIGITS]).reified(budget=Budget(states=3)), "3 states"),
        (
            lambda: thermometer(4).intersection(thermometer(4), budget=Budget(states=10)),
            "after 2 of 4 positions",
        ),
        (
            lambda: thermometer(4).union(whisper(4), budget=Budget(edges=100)),
            "100 edges",
        ),
    ],
)
def test_budgets_refuse_quickly(build: Callable[[], object], message: str):
    began = time.perf_counter()
    with pytest.raises(BudgetError, match=message):
        build()
    assert time.perf_counter() - began < 5


def test_a_larger_budget_is_enough():
    with pytest.raises(BudgetError):
        all_different(8, budget=Budget(states=255))
    assert all_different(8, budget=Budget(states=256)).count() == 40_320


# Determinism


PROGRAM = """
from csp_encodings.automaton import Automaton
colours = {1: "red", 2: "green", 3: "blue", 4: "red"}
fold = Automaton.from_fold(
    [range(1, 5)] * 5, frozenset(), lambda s, v: s | {colours[v]}, lambda s: len(s) == 2
)
nfa = Automaton.from_nfa(
    [range(1, 5)] * 5, ["a", "b"], lambda s, v: {s, s[-2:] + colours[v][0]}, {"ar", "bg", "rb"}
)
table = Automaton.from_table([range(1, 5)] * 5, set(fold.tuples()) | set(nfa.tuples()))
for a in (fold, nfa, table, fold & nfa, ~fold | nfa):
    print(a.alphabets, a.widths, a.layers)
"""


def test_equal_in_every_process():
    def run(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        command = [sys.executable, "-c", PROGRAM]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert run("1") == run("2") != ""
