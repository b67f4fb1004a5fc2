"""Each technique has an example in `examples/techniques.json`, where it is found and right."""

import json
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku.strategies import TECHNIQUES

FILE = Path(__file__).parents[2] / "examples" / "techniques.json"
EXAMPLES = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_technique_has_an_example():
    assert [each["technique"] for each in EXAMPLES] == [each.name for each in TECHNIQUES]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each["technique"])
def test_example(example):
    if "placed" in example:
        return  # told in test_techniques: what was placed later is no given
    marks = "\n".join(example.get("marks", ()))
    puzzle = (
        cs.read(marks, dialect="candidates") if marks else cs.read(json.dumps(example["puzzle"]))
    )
    name = example["technique"]
    step = cs.hint(puzzle, technique=name)
    assert step.technique == name
    assert step.conclusions
    if not step.relies_on_uniqueness:
        with cs.session(puzzle) as session:
            for place, value in step.eliminations:
                assert not session.solve(puzzle.with_givens({place: value})).solutions
            for place, value in step.placements:
                others = [v for v in puzzle.candidates_of(place) if v != value]
                assert (
                    not others or not session.solve(puzzle.with_givens({place: others})).solutions
                )


def test_only_the_asked_technique_is_used():
    name = "naked single"
    example = next(each for each in EXAMPLES if each["technique"] == name)
    puzzle = cs.read("\n".join(example["marks"]), dialect="candidates")
    assert {step.technique for step in cs.explain(puzzle, only=[name]).steps} == {name}
    assert name not in {step.technique for step in cs.explain(puzzle, without=[name]).steps}
