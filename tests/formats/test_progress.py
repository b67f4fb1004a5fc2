"""What a solver has entered: read as progress, and used by hint, explain, check and verify."""

import json

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main
from csp_sudoku.formats import fpuzzles, lzstring, sudokumaker

# The only solution: 2134 3421 4312 1243.
GRID = "0100300140020040"
PUZZLE = cs.read(GRID)


def fpuzzles_text(values=(), marks=(), **fields):
    """A document with the givens of the grid, and with digits and centre marks of a solver."""
    rows = [[{} for _ in range(4)] for _ in range(4)]
    for i, sign in enumerate(GRID):
        if sign != "0":
            rows[i // 4][i % 4] = {"value": int(sign), "given": True}
    for name, digit in dict(values).items():
        place = cs.cell(name)
        rows[place.row][place.col]["value"] = digit
        if place.row:  # it may be said, and may be left out
            rows[place.row][place.col].setdefault("given", False)
    for name, digits in dict(marks).items():
        place = cs.cell(name)
        rows[place.row][place.col]["centerPencilMarks"] = digits
    return json.dumps({"size": 4, "grid": rows, **fields})


def fpuzzles_link(*arguments, **fields):
    return fpuzzles.LINK + lzstring.compress(fpuzzles_text(*arguments, **fields))


def sudokupad_text(values, marks):
    cells = [[{"value": int(sign)} if sign != "0" else {} for sign in GRID[i : i + 4]]
             for i in range(0, 16, 4)]  # fmt: skip
    for name, digit in values.items():
        cells[cs.cell(name).row][cs.cell(name).col] = {"value": digit, "given": False}
    for name, digits in marks.items():
        cells[cs.cell(name).row][cs.cell(name).col] = {"centremarks": digits}
    boxes = [[[r + i, c + k] for i in (0, 1) for k in (0, 1)] for r in (0, 2) for c in (0, 2)]
    return json.dumps({"cells": cells, "regions": boxes})


def sudokumaker_text(values, marks):
    document = json.loads(sudokumaker.write_sudokumaker(PUZZLE))
    cells = document["puzzle"]["cells"]
    for name, digit in values.items():
        cells[4 * cs.cell(name).row + cs.cell(name).col]["value"] = digit
    for name, digits in marks.items():
        bits = sum(1 << digit for digit in digits)
        cells[4 * cs.cell(name).row + cs.cell(name).col]["candidates"] = bits
    return json.dumps(document)


@pytest.mark.parametrize("write", [fpuzzles_text, fpuzzles_link, sudokupad_text, sudokumaker_text])
def test_entries_are_read_as_progress_and_not_as_givens(write):
    found = cs.read_with_notes(write({"R1C1": 2, "R4C4": 1}, {"R1C3": [3, 4]}))
    assert found.puzzle == PUZZLE
    assert found.progress.values == {cs.cell("R1C1"): 2, cs.cell("R4C4"): 1}
    assert found.progress.candidates == {cs.cell("R1C3"): (3, 4)}
    assert found.started == PUZZLE.with_givens({"R1C1": 2, "R4C4": 1, "R1C3": (3, 4)})
    assert not cs.read_with_notes(write({}, {})).progress


def test_what_is_no_value_of_the_grid_is_no_entry():
    marks = {"R1C3": [0, 3, 9, "4", None, [3]], "R1C4": "x4", "R2C2": 7}
    found = cs.read_with_notes(fpuzzles_text({"R1C1": 7}, marks))
    assert found.progress.values == {}
    assert found.progress.candidates == {cs.cell("R1C3"): (3, 4), cs.cell("R1C4"): (4,)}


def test_a_grid_that_is_filled_without_a_mistake_is_the_solution():
    solution = "2134342143121243"
    cells = {str(cell): int(sign) for cell, sign in zip(PUZZLE.cells, solution, strict=True)}
    found = cs.read_with_notes(fpuzzles_text(cells))
    assert "".join(map(str, found.solution)) == solution
    assert not found.progress
    filled = cs.read_with_notes(fpuzzles_text(cells, solution=solution))
    assert len(filled.progress.values) == 10
    wrong = cs.read_with_notes(fpuzzles_text({**cells, "R4C4": 1}))
    assert wrong.solution == ()
    assert wrong.progress.values[cs.cell("R4C4")] == 1


def test_a_hint_goes_on_from_what_was_entered():
    link = fpuzzles_link({"R1C1": 2, "R1C3": 3})
    step = cs.hint(link)
    assert step.puzzle.givens == {**PUZZLE.givens, cs.cell("R1C1"): 2, cs.cell("R1C3"): 3}
    assert str(step) == "last cell: row 1 has one open cell, and 4 is missing: R1C4 is 4"
    assert str(cs.hint(cs.read_with_notes(link))) == str(step)
    # The puzzle itself is another matter.
    assert str(cs.hint(cs.read(link))) == str(cs.hint(GRID)) != str(step)
    assert cs.rate(link) == cs.rate(GRID)


def test_centre_marks_are_used():
    marks = {"R1C3": [3, 4], "R1C1": [2]}
    position = cs.hint(fpuzzles_link({}, marks)).puzzle
    assert position.candidates_of("R1C3") == (3, 4)
    assert position.candidates_of("R1C1") == (2,)


@pytest.mark.parametrize(
    ("values", "marks", "said"),
    [
        ({"R2C2": 2}, {}, "R2C2 is not 2"),
        ({"R1C1": 2, "R2C2": 2}, {}, "R2C2 is not 2"),
        ({"R1C1": 4, "R2C2": 2}, {}, "R1C1 is not 4 and R2C2 is not 2"),
        ({}, {"R1C1": [3, 4]}, "R1C1 is none of 3 and 4"),
        ({"R2C2": 2}, {"R2C2": [2]}, "R2C2 is not 2"),
    ],
)
def test_a_wrong_entry_is_named(values, marks, said):
    link = fpuzzles_link(values, marks)
    step = cs.hint(link)
    assert (step.technique, step.sentence) == ("wrong entry", said)
    explanation = cs.explain(link)
    assert explanation.ending.name == "NO_SOLUTION"
    assert explanation.remark == f"there is no solution from here: {said}"


def test_entries_that_cannot_be_completed_where_there_are_several_solutions():
    document = json.loads(fpuzzles_text({"R1C1": 2}))
    for row in document["grid"]:
        for cell in row:
            cell.pop("given", None)
    document["grid"][0][1]["value"] = 2
    step = cs.hint(json.dumps(document))
    assert step.technique == "contradiction"
    assert "R1C1" in step.sentence


def test_an_explanation_goes_on_from_what_was_entered():
    explanation = cs.explain(fpuzzles_link({"R1C1": 2, "R1C3": 3}))
    assert explanation.solved
    assert explanation.solution.text == "2134342143121243"
    assert len(explanation.steps) < len(cs.explain(GRID).steps)


def test_verify_judges_what_was_entered():
    open_ = cs.verify(fpuzzles_link({"R1C1": 2}))
    assert (open_.verdict, len(open_.missing)) == (cs.Verdict.OPEN, 9)
    broken = cs.verify(fpuzzles_link({"R1C1": 1}))
    assert [str(v) for v in broken.violations] == [
        "row 1: R1C1 and R1C2 both hold 1",
        "box 1: R1C1 and R1C2 both hold 1",
    ]
    assert len(cs.verify(GRID).missing) == 10


def test_the_commands(capsys):
    right, wrong = fpuzzles_link({"R1C1": 2, "R1C3": 3}), fpuzzles_link({"R2C2": 2})
    assert main(["hint", right]) == 0
    assert "R1C4 is 4" in capsys.readouterr().out
    assert main(["hint", wrong]) == 1
    assert capsys.readouterr().out == "wrong entry: R2C2 is not 2\n"
    assert main(["explain", right]) == 0
    assert capsys.readouterr().out.startswith("1. last cell: row 1")
    assert main(["explain", wrong, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["remark"].endswith("R2C2 is not 2")
    assert main(["check", right]) == 3
    assert "8 cells are empty" in capsys.readouterr().out
    assert main(["check", fpuzzles_link({"R1C1": 1})]) == 1
    assert "R1C1 and R1C2 both hold 1" in capsys.readouterr().out
    assert main(["solve", wrong]) == 0
