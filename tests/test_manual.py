"""What a person is told of a rule: the call, the parameters, the JSON, the words it is found by."""

from __future__ import annotations

import json

import pytest

import csp_sudoku as cs
from csp_sudoku import manual
from csp_sudoku.constraints import registry
from csp_sudoku.formats.fields import read_constraint

KINDS = sorted(registry.built_in())


@pytest.mark.parametrize("name", KINDS)
def test_a_rule_is_explained_without_markup(name):
    kind = registry.get(name)
    text = manual.about(kind)
    assert text
    for markup in ("`", ":class:", ":func:", ":meth:", ":mod:", ">>>", "---"):
        assert markup not in text
    for parameter in manual.parameters(kind):
        assert parameter.takes, f"{name}: what does {parameter.name} take?"
    assert manual.signature(kind).startswith(f"{kind.__name__}(")


@pytest.mark.parametrize("name", KINDS)
def test_the_call_and_the_json_make_the_same_rule(name):
    for example in registry.get(name).examples():
        call = manual.call(example)
        functions = {
            held.__name__: held for held in vars(example).values() if hasattr(held, "__name__")
        }
        if "<lambda>" not in call and not functions:
            assert eval(call, {"cs": cs}) == example
        if entry := manual.json_of(example):
            shape = next(p for p in _shapes() if _fits(p, example)).add(example)
            assert read_constraint(json.loads(entry), "", shape) == example


def _shapes():
    yield from (cs.Puzzle.blank(4), cs.Puzzle.blank(6), cs.Puzzle.blank(9))
    yield cs.Puzzle.blank(4, box=(2, 2), values=range(-2, 10))


def _fits(puzzle, rule):
    try:
        puzzle.add(rule)
    except cs.CspSudokuError:
        return False
    return True


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("german", "whisper"),
        ("German Whispers", "whisper"),
        ("kropki", "difference"),
        ("kropki", "ratio"),
        ("kropki", "negative-kropki"),
        ("xv", "pair-sum"),
        ("thermo", "thermometer"),
        ("killer", "killer-cage"),
        ("fibonacci", "recurrence"),
        ("ten line", "sum-line"),
        ("before 9", "before-greatest"),
        ("palindrom", "palindrome"),
        ("consecutive", "nonconsecutive"),
    ],
)
def test_rules_are_found_by_what_people_call_them(word, found):
    assert found in manual.search(word)


def test_a_word_that_is_part_of_no_name_is_looked_for_in_the_text():
    assert "skyscraper" in manual.search("buildings")
    assert manual.search("xyzzy") == []
    assert "negative-xv" in manual.related("pair-sum")
