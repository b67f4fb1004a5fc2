"""Puzzles for a technique: the wish is granted, or it is said that it is not."""

import pytest

import csp_sudoku as cs


@pytest.mark.parametrize(
    ("wish", "name"),
    [("technique", "X-wing"), ("hardest_technique", "skyscraper"), ("needs", "XY-wing")],
)
def test_the_wish_is_granted(wish, name):
    made = cs.generate(9, seed=5, **{wish: name.upper().replace(" ", "-")})
    assert made.shortfalls == ()
    steps = cs.explain(made.puzzle).steps
    assert name in {step.technique for step in steps}
    if wish == "hardest_technique":
        assert max(steps, key=lambda step: step.score).technique == name
    if wish == "needs":
        hardest = max(step.score for step in steps)
        without = cs.explain(made.puzzle, without=[name]).steps
        assert max(step.score for step in without) > hardest


def test_a_wish_that_cannot_be_granted_is_named():
    made = cs.generate(4, seed=1, hardest_technique="swordfish", needs="X-wing", timeout=1)
    assert any("its hardest technique is" in reason for reason in made.shortfalls)
    assert any("does not need X-wing" in reason for reason in made.shortfalls)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"technique": "guessing"}, "is no technique"),
        ({"needs": "unique rectangle"}, "only if it is asked for"),
        ({"technique": "X-wing", "mode": "normal"}, "one solution"),
    ],
)
def test_wishes_that_make_no_sense(wish, words):
    with pytest.raises(cs.PuzzleError, match=words):
        cs.generate(4, **wish)
