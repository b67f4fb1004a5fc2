"""Regular expressions over values: against Python's own, then syntax, errors and limits."""

import re
import time
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError, EncodingError
from csp_encodings.regex import MOST_CHARACTERS, MOST_POSITIONS

LETTERS = (0, 1, 2)

unhurried = settings(deadline=None)  # a busy machine is no failure

atoms = st.sampled_from(["0", "1", "2", "3", ".", "[01]", "[^1]", "[0-2]", "[^0-15]", "()"])
repeats = st.sampled_from(["*", "+", "?", "{0}", "{1}", "{2}", "{0,2}", "{1,3}", "{0,}", "{2,}"])
patterns = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
        st.builds("({}){}".format, inner, repeats),
    ),
    max_leaves=6,
)


@unhurried
@given(patterns, st.integers(0, 4))
def test_the_words_are_those_that_python_matches(pattern: str, length: int):
    automaton = Automaton.from_regex([LETTERS] * length, pattern)
    expected = [
        word
        for word in product(LETTERS, repeat=length)
        if re.fullmatch(pattern, "".join(map(str, word)))
    ]
    assert list(automaton.tuples()) == expected


@unhurried
@given(patterns, patterns)
def test_alternatives_are_a_union(left: str, right: str):
    a, b, both = (Automaton.from_regex([LETTERS] * 3, p) for p in (left, right, f"{left}|{right}"))
    assert both == a | b


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("9A", [(9, 10)]),
        ("Za", [(35, 36)]),
        ("z<62>", [(61, 62)]),
        ("<-3><12>", [(-3, 12)]),
        ("< -3 > < 012 >", [(-3, 12)]),
        ("[<-3>-<-1>]0", [(-3, 0)]),
        ("[8-B][^<-3>-Y a-<99>]", [(9, 35), (10, 35)]),
        (" 1 | 1 2 |\t3\n4 ", []),
        ("0 { 2 }", [(0, 0)]),
        ("0 {1 , } 9", [(0, 9)]),
        ("0{0,1}9{1,2}", [(0, 9), (9, 9)]),
        ("|0|90", [(9, 0)]),
        ("()9()9()", [(9, 9)]),
        ("7.", []),
        ("[^<-1000000000>-<1000000000>].", []),
        ("((9))(((0)))", [(9, 0)]),
        ("(9*){2}", [(9, 9)]),
        ("(90){0}00", [(0, 0)]),
    ],
)
def test_syntax(pattern: str, words: list[tuple[int, ...]]):
    letters = [(-3, 0, 9, 10, 35, 61), (-3, 0, 9, 10, 12, 35, 36, 62)]
    assert list(Automaton.from_regex(letters, pattern).tuples()) == words


def test_positions_may_have_different_alphabets():
    automaton = Automaton.from_regex([(1, 2), (), (3,)], ".*")
    assert automaton == Automaton.nothing([(1, 2), (), (3,)])
    assert list(Automaton.from_regex([(1, 2), (2, 3)], "[^2]*").tuples()) == [(1, 3)]


def test_the_empty_expression_is_the_empty_word():
    assert Automaton.from_regex([], "") == Automaton.everything([])
    assert Automaton.from_regex([], "1") == Automaton.nothing([])
    assert Automaton.from_regex([LETTERS], " ") == Automaton.nothing([LETTERS])


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("12)", "character 3: .* expected a '(' before it"),
        ("1(2(3)", "character 2: .* expected ')'"),
        ("*1", "character 1: expected a value, .* before '*'"),
        ("1(|+)", "character 4: expected a value, .* before '+'"),
        ("1**", "character 3: expected a value, .* before '*'"),
        ("1+?", "character 3: expected a value, .* before '?'"),
        ("1{2}{3}", "character 5: expected a value, .* before '{'"),
        ("1{,3}", "character 2: expected a repetition as in {2}, {2,} or {2,4}"),
        ("1{", "character 2: expected a repetition"),
        ("1{-1}", "character 2: expected a repetition"),
        ("1{3,2}", "character 2: expected the smaller count first"),
        ("1}", "character 2: expected a value (0-9, A-Z, a-z or <n>), found '}'"),
        ("1 - 2", "character 3: expected a value (0-9, A-Z, a-z or <n>), found '-'"),
        ("1é", "found 'é'"),
        ("1٣", "found '٣'"),
        ("<1", "character 1: expected an integer as in <12> or <-3>"),
        ("<>", "character 1: expected an integer"),
        ("<1.5>", "character 1: expected an integer"),
        ("<1 2>", "character 1: expected an integer"),
        ("[]", "character 2: expected a value (0-9, A-Z, a-z or <n>), found ']'"),
        ("[^]", "character 3: expected a value"),
        ("[12", "character 1: '[' is never closed, expected ']'"),
        ("[", "character 2: expected a value (0-9, A-Z, a-z or <n>), found the end"),
        ("[1-]", "character 4: expected a value"),
        ("[5-2]", "character 2: the range 5 to 2 is empty"),
        ("[.]", "character 2: expected a value"),
    ],
)
def test_errors_name_the_place_and_what_was_expected(pattern: str, message: str):
    expression = ".*".join(map(re.escape, message.split(".*")))
    with pytest.raises(EncodingError, match=expression):
        Automaton.from_regex([LETTERS] * 3, pattern)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("1{1000000000}", "more than 1,000 positions"),
        (f"1{{{'9' * 3000}}}", "more than 1,000 positions"),
        ("1{0,1001}", "more than 1,000 positions"),
        ("1{1001,}", "more than 1,000 positions"),
        ("((((1{10}){10}){10}){10}){10}", "character 24: more than 1,000 positions"),
        ("1" * 1001, "character 1001: more than 1,000 positions"),
        ("1" * 1_000_000, "1,000,000 characters: the limit is 4,000"),
        ("(" * 1_000_000, "1,000,000 characters: the limit is 4,000"),
        (".*1.{25}", "after 1[0-9] of 40 positions"),
        ("(.?){480}.*1.{15}|.*(.?){480}", "positions at a time"),
    ],
)
def test_limits_refuse_quickly(pattern: str, message: str):
    began = time.perf_counter()
    with pytest.raises(BudgetError, match=message):
        Automaton.from_regex([range(1, 10)] * 40, pattern)
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    "pattern",
    [
        "(" * 1900 + "1" + ")" * 1900,
        "(" * 1000 + "1" + "*)" * 1000,
        "(" * 400 + "1" + "|2)?" * 400,
        "1?" * MOST_POSITIONS,
        f"(1?){{{MOST_POSITIONS}}}",
        "(){1000000000}1*",
        f"(1{{{MOST_POSITIONS}}}){{0}}1*",
        "1|" * (MOST_POSITIONS - 1) + "1",
        "(((1?)*)*)*" * (MOST_CHARACTERS // 11),
    ],
    ids=lambda pattern: f"{pattern[:10]}…",
)
def test_deep_and_long_expressions_are_read(pattern: str):
    began = time.perf_counter()
    assert Automaton.from_regex([(1,)], pattern).count() == 1
    assert time.perf_counter() - began < 5
