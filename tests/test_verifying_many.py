"""Many grids at once, and answers as people and models write them."""

import itertools
import json
import random
from dataclasses import replace

import numpy as np
import pytest

import csp_sudoku as cs
from csp_sudoku.batches import verifying
from csp_sudoku.checking.verify import Verdict, grid_values, rules_check

FOUR = cs.read("0100300140020040")
SOLUTION = "2134342143121243"
PUZZLES = [
    cs.Puzzle.blank(4),
    cs.Puzzle.blank(6),
    cs.Puzzle.blank(4, 6, box=None, column_houses=False),
    cs.Puzzle.blank(4, values=range(4)),
    cs.Puzzle.blank(4, values=(0, 2, 3, 4)),
    cs.Puzzle.blank(4).add(cs.AntiKnight(), cs.KillerCage("R1C1 R1C2", 5)),
    cs.Puzzle.blank(4).with_givens({"R1C1": (1, 2), "R2C2": 3}),
    cs.Puzzle.blank(10, box=None),
]


def grids(puzzle, number):
    """Right, wrong and partial grids of a puzzle, in several forms."""
    chance = random.Random(number)
    found = list(cs.solutions(puzzle, "sat", limit=8))
    for i in range(number):
        values = dict(chance.choice(found))
        for _ in range(i % 3):
            values[chance.choice(puzzle.cells)] = chance.choice(puzzle.grids[0].values)
        full = cs.Solution(values, puzzle)
        if i % 7 == 0:
            del values[chance.choice(puzzle.cells)]
            yield values
        elif i % 5 == 0:
            yield full
        elif i % 2 and puzzle.grids[0].values[-1] < 10:
            yield full.text
        else:
            yield values


@pytest.mark.parametrize("puzzle", PUZZLES)
@pytest.mark.parametrize("kernel", [True, False])
def test_many_are_judged_as_one_by_one(puzzle, kernel, monkeypatch):
    monkeypatch.setattr(verifying, "_MANY", 1 if kernel else 10**9)
    listed = list(grids(puzzle, 60))
    alone = [cs.verify(puzzle, grid) for grid in listed]
    found = cs.verify_many(puzzle, listed)
    assert found.verdicts == [one.verdict for one in alone]
    assert found.ok == [one.ok for one in alone]
    assert list(found) == alone
    assert {Verdict.CORRECT, Verdict.BROKEN} <= {*found.verdicts}


def lined(rows):
    return [value for row in rows for value in row]


FORMS_OF_ARRAYS = {
    "array of grids": np.array,
    "array of lines": lambda all_rows: np.array([lined(rows) for rows in all_rows]),
    "small numbers": lambda all_rows: np.array(all_rows, np.int8),
    "arrays": lambda all_rows: [np.array(rows) for rows in all_rows],
    "lists": lambda all_rows: [lined(rows) for rows in all_rows],
    "mixed": lambda all_rows: [lined(rows) if i % 2 else rows for i, rows in enumerate(all_rows)],
    "fractions": lambda all_rows: np.array(all_rows, float),
}


@pytest.mark.parametrize("form", FORMS_OF_ARRAYS)
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_arrays_are_judged_as_one_by_one(puzzle, form, monkeypatch):
    chance = random.Random(form)
    solutions = [solution.rows for solution in cs.solutions(puzzle, "sat", limit=5)]
    all_rows = []
    for _ in range(12):
        rows = [[*row] for row in chance.choice(solutions)]
        for _ in range(chance.choice([0, 0, 1, 2])):
            chance.choice(rows)[0] = chance.choice([0, 1, 2, 11])
        all_rows.append(rows)
    grids = FORMS_OF_ARRAYS[form](all_rows)

    def verdicts(judge):
        try:
            return judge()
        except cs.CspSudokuError as error:
            return type(error)

    alone = verdicts(lambda: [cs.verify(puzzle, grid).verdict for grid in grids])
    monkeypatch.setattr("csp_sudoku.checking.verify.full_row", lambda *given: None)
    assert alone == verdicts(lambda: [cs.verify(puzzle, grid).verdict for grid in grids])
    monkeypatch.undo()
    assert verdicts(lambda: cs.verify_many(puzzle, grids).verdicts) == alone


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_the_quick_check_says_what_the_rules_say(puzzle, monkeypatch):
    """A full grid takes another path than one that is read with care."""
    listed = list(grids(puzzle, 60))
    quick = [cs.verify(puzzle, grid) for grid in listed]
    monkeypatch.setattr("csp_sudoku.checking.verify.full_row", lambda *given: None)
    assert quick == [cs.verify(puzzle, grid) for grid in listed]


@pytest.mark.parametrize("kernel", [True, False])
def test_each_grid_has_its_own_puzzle(kernel, monkeypatch):
    monkeypatch.setattr(verifying, "_MANY", 1 if kernel else 10**9)
    other = "1234341221434321"
    puzzles = ["0100300140020040", "1..." * 4, cs.Puzzle.blank(4), FOUR, "." * 16, "1" + "." * 15]
    texts = [SOLUTION, SOLUTION, SOLUTION, other, other, SOLUTION]
    assert cs.verify_many(puzzles, texts).ok == [True, False, True, False, True, False]
    assert str(cs.verify_many(puzzles, texts)) == "6 grids: 3 correct, 3 breaks a rule"


def test_candidate_lists_are_kept_too():
    puzzle = cs.Puzzle.blank(4).with_givens({"R1C1": (1, 3)})
    assert cs.verify_many([puzzle] * 600, [SOLUTION] * 600).ok == [False] * 600


def test_what_was_left_out_is_not_correct():
    found = cs.verify_many(replace(FOUR, left_out=("fog",)), [SOLUTION])
    assert found.ok == [False]
    assert str(found) == "1 grids: 1 correct by the rules that were read"
    stated = replace(cs.Puzzle.blank(4), stated=((cs.Cell(0, 0), 1),))
    assert cs.verify_many(stated, [SOLUTION, "1234341221434321"]).ok == [False, True]


@pytest.mark.parametrize(
    ("puzzles", "texts", "message"),
    [
        ([FOUR], [SOLUTION, SOLUTION], "1 puzzles and 2 grids: each grid needs a puzzle"),
        (FOUR, [SOLUTION, "21"], "grid 2: "),
        ([FOUR, "hello"], [SOLUTION, SOLUTION], "puzzle 2: "),
    ],
)
def test_bad_input_names_the_place(puzzles, texts, message):
    with pytest.raises(cs.FormatError, match=message):
        cs.verify_many(puzzles, texts)


def test_nothing():
    assert (len(cs.verify_many(FOUR, [])), len(cs.verify_many([], []))) == (0, 0)


# Answers in prose

ROWS = ["2134", "3421", "4312", "1243"]
SPACED = [" ".join(row) for row in ROWS]
TABLE = ["|" + "|".join(row) + "|" for row in ROWS]
FORMS = {
    "line": SOLUTION,
    "sentence": f"The answer is {SOLUTION}.",
    "bold": f"So the grid is **{SOLUTION}**!",
    "tag": f"<answer>{SOLUTION}</answer>",
    "rows": "\n".join(ROWS),
    "spaced": "\n".join(SPACED),
    "commas": "\n".join(",".join(row) for row in ROWS),
    "boxes": "21 34\n34 21\n\n43 12\n12 43",
    "frame": "+--+--+\n|21|34|\n|34|21|\n+--+--+\n|43|12|\n|12|43|\n+--+--+",
    "table": "\n".join([TABLE[0], "|-|-|-|-|", *TABLE[1:]]),
    "labels": "\n".join(f"Row {i}: {row}" for i, row in enumerate(SPACED, 1)),
    "short labels": "\n".join(f"R{i} | {row}" for i, row in enumerate(SPACED, 1)),
    "fence": "Here it is:\n```text\n" + "\n".join(SPACED) + "\n```\nI checked 16 cells.",
    "json": "```json\n" + str([[int(v) for v in row] for row in ROWS]) + "\n```",
    "object": '{"thought": "1243 was first", "solution": "' + SOLUTION + '"}',
    "python": "[[2, 1, 3, 4],\n [3, 4, 2, 1],\n [4, 3, 1, 2],\n [1, 2, 4, 3]]",
    "with the puzzle": "Puzzle:\n0100\n3001\n4002\n0040\n\nSolution:\n" + "\n".join(ROWS),
    "twice": f"{SOLUTION}\n\nas rows:\n" + "\n".join(SPACED),
    "markdown": "\n".join(["|C1|C2|C3|C4|", "|--|--|--|--|", *TABLE]),
    "named rows": "\n".join(["||C1|C2|C3|C4|", *(f"|R{i}{row}" for i, row in enumerate(TABLE, 1))]),
    "box drawing": "┌───┬───┐\n│2 1│3 4│\n│3 4│2 1│\n├───┼───┤\n│4 3│1 2│\n│1 2│4 3│\n└───┴───┘",
    "latex": r"\[\begin{array}{cccc}2&1&3&4\\3&4&2&1\\4&3&1&2\\1&2&4&3\end{array}\]",
    "latex with lines": r"$$\begin{array}{|c|c|c|c|}\hline 2 & 1 & 3 & 4 \\ \hline 3 & 4 & 2 & 1 \\"
    r" \hline 4 & 3 & 1 & 2 \\ \hline 1 & 2 & 4 & 3 \\ \hline\end{array}$$",
    "matrix": r"\begin{bmatrix} 2&1&3&4\\ 3&4&2&1\\ 4&3&1&2\\ 1&2&4&3 \end{bmatrix}",
    "boxed": rf"\boxed{{{SOLUTION}}}",
    "html": "".join(["<table>", *(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in ROWS)]),
    "thought before": f"<think>{'1' * 16}?</think><answer>{SOLUTION}</answer>",
    "bold values": "\n".join(" ".join(f"**{value}**" for value in row) for row in ROWS),
    "bold labels": "\n".join(f"**Row {i}:** {row}" for i, row in enumerate(SPACED, 1)),
    "quotation": "\n".join(f"> {row}" for row in SPACED),
    "items": "\n".join(f"- {row}" for row in SPACED),
    "numbers": "\n".join(f"{i}. {row}" for i, row in enumerate(SPACED, 1)),
    "texts of python": f"My answer: {[list(row) for row in ROWS]} (all 16 cells)",
    "wide digits": "\n".join(SPACED).translate(str.maketrans("1234", "１２３４")),
    "keys": "\n".join(ROWS).translate({ord(v): f"{v}\ufe0f\u20e3" for v in "1234"}),
    "other ends of lines": "\r\n".join(SPACED),
    "tabs": "\n".join("\t".join(row) for row in ROWS),
    "slashes": "**Answer:** " + " / ".join(SPACED),
    "slashes in a sentence": "It is " + "/".join(ROWS) + ". I am sure.",
    "labels in a line": "; ".join(f"R{i}: {row}" for i, row in enumerate(SPACED, 1)),
    "labels in another order": "\n".join(f"Row {i}: {SPACED[i - 1]}" for i in (4, 2, 1, 3)),
    "numbers of columns": "  1 2 3 4\n"
    + "\n".join(f"{i} | {row}" for i, row in enumerate(SPACED, 1)),
    "named rows of json": json.dumps({f"row_{i}": [*ROWS[i - 1]] for i in (1, 2, 4, 3)}),
    "cells of json": json.dumps(
        {f"r{i // 4 + 1}c{i % 4 + 1}": int(SOLUTION[i]) for i in reversed(range(16))}
    ),
    "quoted": "\n".join(",".join(f'"{value}"' for value in row) for row in ROWS),
    "object in a sentence": 'It is {"grid": ' + str(ROWS) + '} and not [1, 2]. {"sure": true}',
    "thought": f"<think>{'1' * 16}\n{'1' * 16}</think>\n{SOLUTION}",
    "with a part": "First:\n2134\n3..1\n4..2\n..43\nand then:\n" + "\n".join(ROWS),
}


@pytest.mark.parametrize("text", FORMS.values(), ids=[*FORMS])
def test_the_grid_of_an_answer_is_found(text):
    found = cs.read_answer(text, FOUR)
    assert "".join(str(found[place]) for place in FOUR.cells) == SOLUTION


OTHER = "2134342143121234"
AS_ROWS = "\n".join(OTHER[i : i + 4] for i in (0, 4, 8, 12))


@pytest.mark.parametrize("first", FORMS.values(), ids=[*FORMS])
@pytest.mark.parametrize("second", [OTHER, AS_ROWS])
def test_there_is_no_guess_between_two(first, second):
    with pytest.raises(cs.FormatError, match="the answer holds 2 different grids"):
        cs.read_answer(f"{first}\nwait, no:\n{second}\n", FOUR)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I give up.",
        "2 1 3\n3 2 1\n1 3 2",
        "2134/3421/4312",
        "2134/3421/4312/124",
        "R1C1=2, R1C3=3",
        "2134342143121",
        "1 2 3 4",
        "Row 1: 2 1 3 4",
        "x" * 15,
        "\x00",
        "{}",
        json.dumps({"columns": [[*map(int, row)] for row in ROWS]}),
        f"boxes = {[[*map(int, row)] for row in ROWS]}",
        "Columns:\n" + "\n".join(ROWS),
        "\n".join(f"Row {i}: {row}" for i, row in zip([1, 2, 3, 3], SPACED, strict=True)),
        "\n".join(f"Column {i}: {row}" for i, row in enumerate(SPACED, 1)),
        f"<think>It may be {SOLUTION}",
        json.dumps({letter: [*row] for letter, row in zip("abcd", ROWS, strict=True)}),
        json.dumps({f"R{i}C{i}": 1 for i in range(16)}),
    ],
)
def test_no_grid_is_said(text):
    with pytest.raises(cs.FormatError, match="holds no grid of 4×4 cells"):
        cs.read_answer(text, FOUR)


def test_a_partial_answer():
    found = cs.read_answer("2134\n3..1\n4..2\n..43", FOUR)
    assert len(found) == 10
    assert cs.verify(FOUR, found).verdict is Verdict.OPEN


def test_an_answer_to_a_large_grid():
    puzzle = cs.Puzzle.blank(12)
    [solution] = cs.solve(puzzle, "sat").solutions
    said = "I found:\n" + "\n".join("  ".join(map(str, row)) for row in solution.rows)
    assert cs.read_answer(said, puzzle) == dict(solution)


# How good a grid is


@pytest.mark.parametrize("puzzle", [*PUZZLES[:6], FOUR])
def test_assessments_agree_with_all_solutions(puzzle):
    everything = list(cs.solutions(puzzle, "sat", limit=400))
    if len(everything) == 400:
        puzzle = puzzle.with_givens(dict([*everything[0].items()][:-5]))
        everything = list(cs.solutions(puzzle, "sat", limit=400))
    assert len(everything) < 400
    for grid in [*grids(puzzle, 20)]:
        values = grid_values(puzzle, grid)
        found = cs.assess(puzzle, grid)
        asked = [place for place in puzzle.cells if place not in puzzle.givens]
        right = [p for p in asked if p in values and any(s[p] == values[p] for s in everything)]
        assert found.right == tuple(right)
        assert found.open == tuple(p for p in asked if p not in values)
        changed = {p for p, given in puzzle.givens.items() if values.get(p, given) != given}
        assert {*found.right, *found.wrong, *found.open} == {*asked} | changed
        assert changed <= {*found.wrong}
        assert found.solvable == any(values.items() <= s.items() for s in everything)
        assert found.verification == cs.verify(puzzle, grid)


def test_an_assessment_of_an_unsolvable_puzzle():
    found = cs.assess("11" + "." * 14, "11" + "." * 14)
    assert (found.score, found.solvable, len(found.open)) == (0.0, False, 14)


def test_a_value_that_is_none_is_wrong():
    found = cs.assess(FOUR, {"R1C1": 9})
    assert (found.wrong, found.solvable) == ((cs.Cell(0, 0),), False)


def test_an_assessment_without_time_for_questions_says_so(monkeypatch):
    monkeypatch.setattr("csp_sudoku.checking.assessing.has_passed", lambda deadline: True)
    found = cs.assess(cs.Puzzle.blank(9), "1" + "." * 80)
    assert (found.undecided, found.solvable) == ((cs.Cell(0, 0),), None)


def test_an_assessment_without_time_to_check_the_grid_is_none():
    with pytest.raises(cs.UndecidedError, match="time ran out before the grid was checked"):
        cs.assess(cs.Puzzle.blank(9), "1" + "." * 80, timeout=0)


@pytest.mark.parametrize("values", [(1, 2, 3, 4), (0, 1, 2, 3), (2, 5, 7, 255)])
def test_all_houses_at_once_say_what_each_says(values):
    """The quick test of houses on all rows of a house, some with values that do not belong."""
    check = rules_check(cs.Puzzle.blank(1, 4, box=None, values=values, column_houses=False))
    for row in itertools.product((*values, 8), repeat=4):
        assert check(bytes(row)) == check(row) == (sorted(row) == [*values])


def test_houses_of_nine_are_tested_by_eight_bits():
    check = rules_check(cs.Puzzle.blank(1, 9, box=None, column_houses=False))
    chance = random.Random(9)
    for _ in range(2000):
        row = chance.sample(range(1, 10), 9)
        assert check(bytes(row))
        for _ in range(chance.randint(1, 4)):
            row[chance.randrange(9)] = chance.randrange(1, 10)
        assert check(bytes(row)) == (len({*row}) == 9)


@pytest.mark.parametrize("row", [(1, 2, 2), (1, 2, 2, 1, 1), (1, 2, 2, -1), (1, 2, 2, 300), ()])
def test_a_row_that_is_no_grid_is_no_solution(row):
    assert not rules_check(cs.Puzzle.blank(2))(row)
