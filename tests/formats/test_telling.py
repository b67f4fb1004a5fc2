"""SudokuPad documents that are written: what is drawn, what is said, and what is data."""

import json

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats.sudokupad import scl
from csp_sudoku.formats.sudokupad.telling import KEY, tell

BLANK = cs.Puzzle.blank(9)
SAID = [name for name, kind in registry.built_in().items() if kind.saying]


def examples(kind):
    for example in kind.examples():
        try:
            yield BLANK.add(example)
        except CspSudokuError:
            continue


@pytest.mark.parametrize("name", SAID)
def test_a_saying_is_understood_with_its_drawing(name):
    kind = registry.get(name)
    found = [tell(puzzle, ()) for puzzle in examples(kind)]
    said = [telling for telling in found if telling.said and not telling.stated]
    assert said, f"the reader understands no drawing with {kind.saying!r}"
    assert "None" not in said[0].text()


def rules_of(document):
    return document["metadata"]["rules"].split("\n")


def written(*rules):
    return json.loads(cs.write_scl(BLANK.add(*rules)))


def test_rules_with_the_same_drawing_are_told_apart_by_their_colours():
    rules = [
        cs.Whisper("R1C1 R1C2", 5),
        cs.Whisper("R2C1 R2C2", 4),
        cs.Renban("R3C1 R3C2"),
        cs.Thermometer("R4C1 R4C2"),
        cs.Palindrome("R5C1 R5C2"),
    ]
    document = written(*rules)
    assert rules_of(document)[1:] == [
        "Adjacent digits along a green line differ by at least 5.",
        "Adjacent digits along an orange line differ by at least 4.",
        "Digits along a purple line are consecutive, in any order, without repeats.",
        "Digits along a grey thermometer increase from its bulb.",
        "Digits along a blue line read the same from both ends.",
    ]
    assert len({line["color"] for line in document["lines"]}) == 5
    assert KEY not in document["metadata"]


def test_more_rules_than_colours_are_data():
    rules = [cs.SumLine(f"R{row}C1-R{row}C4", 10 + row) for row in range(1, 10)]
    document = written(*rules)
    assert KEY in document["metadata"]
    assert set(cs.read(json.dumps(document)).constraints) == set(rules)


def test_clues_beside_one_row_stand_in_a_queue():
    rules = [cs.Sandwich("R3", 12), cs.XSum("R3", 9), cs.Skyscraper("R3", 3)]
    document = written(*rules)
    centres = [item["center"] for key in ("underlays", "overlays") for item in document[key]]
    assert centres == [[2.5, -0.5], [2.5, -1.5], [2.5, -2.5]]
    assert cs.read(json.dumps(document)).constraints == tuple(rules)


def test_the_text_of_a_reading_is_kept_if_it_says_the_rules_as_they_are_drawn():
    puzzle = BLANK.add(cs.Thermometer("R1C1 R1C2"), cs.Clone(["R4C4", "R6C6"]))
    own = "Digits on thermometers increase from the bulb."
    text = json.loads(cs.write_scl(cs.Reading(puzzle, rules=own)))["metadata"]["rules"]
    assert text == f"{own}\nThe groups R4C4, R6C6 hold the same values in the same order."
    other = "Digits on thermometers never decrease from the bulb."
    text = json.loads(cs.write_scl(cs.Reading(puzzle, rules=other)))["metadata"]["rules"]
    assert other not in text
    assert "increase from its bulb" in text


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data["metadata"].pop(KEY),
        lambda data: data["metadata"][KEY][0].update(sum=9),
        lambda data: data["metadata"].update(rules="Something else holds for some cells."),
        lambda data: data["cages"][0].update(value="99"),
        lambda data: data["metadata"].update({KEY: ["rellik"]}),
        lambda data: data["metadata"][KEY][0].update(sum="\ud800"),
    ],
    ids=["no data", "other data", "other text", "other drawing", "no rule", "half a character"],
)
def test_data_text_and_drawing_must_agree(change):
    document = written(cs.RellikCage("R1C1 R1C2", 5))
    assert cs.read(json.dumps(document)).constraints == (cs.RellikCage("R1C1 R1C2", 5),)
    change(document)
    with pytest.raises(FormatError, match="understood|not drawn|rule 1"):
        cs.read(json.dumps(document))


def test_a_rule_that_no_sentence_says_is_refused_by_name():
    table = [(a, b) for a in range(1, 10) for b in range(1, 10) if (a * b) % 7 == 1]
    short, long = cs.Table("R1C1 R1C2", table[:3]), cs.Table("R1C1 R1C2", table * 4)
    assert "1 1 or 1 8 or 2 4" in cs.write_scl(BLANK.add(short))
    with pytest.raises(FormatError, match="table at R1C1 .*no sentence says it in full"):
        cs.write_scl(BLANK.add(long))
    where = cs.Where("R1C1", lambda value: value > 3)
    with pytest.raises(FormatError, match="where at R1C1 .*holds a function"):
        cs.write_scl(BLANK.add(where))


def test_grids_whose_houses_are_not_usual_do_not_say_so():
    assert "Normal" not in cs.write_scl(cs.Puzzle.blank(4, box=None))
    assert "Normal" in cs.write_scl(cs.Puzzle.blank(4))
    assert scl.read_text(cs.write_scl(cs.Puzzle.blank(4, box=None))).puzzle.grids[0].boxes == ()
