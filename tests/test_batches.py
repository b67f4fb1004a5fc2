"""Many puzzles at once give what each gives alone, and every solution is checked."""

import gc
import pickle
import re
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import FrozenInstanceError, fields, replace
from itertools import count, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_sudoku.backends.dlx import DlxSession
from csp_sudoku.batches.arrays import blank_of, read_array
from csp_sudoku.batches.checking import array_check
from csp_sudoku.checking.verify import keeps_rules
from csp_sudoku.formats import recognition
from csp_sudoku.formats.texts.plain import blank_square, plain_values, read_plain
from csp_sudoku.kernels import BLANK

FOUR = cs.Puzzle.blank(4)
TEXTS = ["0100300140020040", "1" + "." * 15, "11" + "." * 14, "." * 16]
CROSSED = FOUR.add(cs.Diagonals())
STATUSES = {1: ["SOME_FOUND", "SOME_FOUND", "NONE_EXIST", "SOME_FOUND"]}
STATUSES[2] = ["ALL_FOUND", *STATUSES[1][1:]]


@pytest.mark.parametrize("backend", ["auto", "search", "dlx", "sat"])
@pytest.mark.parametrize("limit", [1, 2])
def test_texts_give_what_each_gives_alone(backend, limit):
    found = list(cs.solve_many(TEXTS, backend, limit=limit))
    assert [result.status.name for result in found] == STATUSES[limit]
    assert found[0].solutions[0].text == "2134342143121243"
    for text, result in zip(TEXTS, found, strict=True):
        wanted = 0 if text.startswith("11") else min(limit, int(cs.count(text).value))
        assert len(set(result.solutions)) == wanted
        assert all(cs.verify(cs.read(text), solution).ok for solution in result.solutions)


def test_puzzles_of_different_rules_keep_their_order():
    puzzles = [
        cs.read(TEXTS[0]),
        CROSSED,
        "." * 81,
        "1..",
        CROSSED,
        FOUR.with_givens({"R1C1": [1, 2]}),
    ]
    puzzles[3] = [[0, 1], [0, 0]]
    found = list(cs.solve_many(puzzles, "dlx"))
    assert [len(result.solutions[0]) for result in found] == [16, 16, 81, 4, 16, 16]
    assert found[5].solutions[0]["R1C1"] in (1, 2)


def test_results_come_while_puzzles_are_read():
    taken = []

    def source():
        for number in count():
            taken.append(number)
            yield TEXTS[number % 4]

    first = list(islice(cs.solve_many(source(), "sat"), 5))
    assert len(first) == 5
    assert len(taken) < 20


def test_a_bad_puzzle_is_named_by_its_number():
    found = cs.solve_many([TEXTS[0], TEXTS[1], "9" + "." * 15], "sat")
    assert next(found).solutions
    with pytest.raises(cs.PuzzleError, match=r"puzzle 3: R1C1: 9 is not a value"):
        list(found)


@pytest.mark.parametrize("bad", [3, 17, 100])
@pytest.mark.parametrize(
    ("text", "message"),
    [("9" + "." * 15, "R1C1: 9 is not a value"), ("." * 17, ""), ("{", "")],
)
def test_a_bad_text_among_plain_ones_is_named_by_its_number(bad, text, message):
    texts = [TEXTS[0]] * 120
    texts[bad - 1] = text
    taken = []
    with pytest.raises(cs.CspSudokuError, match=f"^puzzle {bad}: .*{message}"):
        taken.extend(cs.solve_many(texts))
    assert len(taken) < bad


def test_a_bad_row_of_an_array_is_named_by_its_number():
    rows = np.zeros((40, 16), int)
    rows[29, 3] = 5
    with pytest.raises(cs.FormatError, match="puzzle 30: R1C4: 5 is not a value"):
        list(cs.solve_many(rows))


SOLVED = "2134342143121243"
SIX = "1" + "." * 35
MIXED = [
    TEXTS[0],
    "0" * 81,
    TEXTS[2],
    SIX,
    SOLVED,  # no blank: it is not plain
    "." * 81,
    cs.read(TEXTS[0]),
    SIX.replace(".", "0"),
    cs.write_json(CROSSED),
    [[0, 1], [0, 0]],
]


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor, ProcessPoolExecutor])
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_puzzles_of_all_kinds_give_what_each_gives_alone(executor, limit):
    puzzles = MIXED * 3
    with executor(2) if executor else nullcontext() as pool:
        found = list(cs.solve_many(puzzles, limit=limit, executor=pool))
    for puzzle, result in zip(puzzles, found, strict=True):
        alone = cs.solve(puzzle, "dlx", limit=limit)
        assert result.status is alone.status
        assert len(set(result.solutions)) == len(alone.solutions)
        assert all(cs.verify(cs.read(puzzle), solution).ok for solution in result.solutions)


@pytest.mark.parametrize("rules", [CROSSED, FOUR.with_named("x", (1, 300)), FOUR])
@pytest.mark.parametrize("limit", [2, 40])
def test_the_rules_may_be_given_apart(rules, limit):
    texts = [*TEXTS, "1" + "." * 15]
    for text, result in zip(texts, cs.solve_many(texts, rules=rules, limit=limit), strict=True):
        puzzle = cs.read(text, like=rules)
        assert len(set(result.solutions)) == min(limit, cs.count(puzzle, limit=limit).value)
        assert all(cs.verify(puzzle, solution).ok for solution in result.solutions)


def test_what_rules_leave_out_is_said_of_each_result():
    rules = replace(CROSSED, left_out=("a rule in words",))
    found = list(cs.solve_many(TEXTS * 2, rules=rules))
    assert {result.left_out for result in found} == {("a rule in words",)}


def test_pieces_grow_by_their_number_alone():
    taken = []
    found = cs.solve_many((taken.append(text) or text for text in TEXTS * 30), "dlx")
    sizes = []
    for _ in found:
        if not sizes or sum(sizes) < len(taken):
            sizes.append(len(taken) - sum(sizes))
    assert sizes == [1, 4, 16, 64, 35]


def test_plain_texts_are_told_together_as_each_is_alone():
    for texts in ([TEXTS[0]] * 3, TEXTS[1:], [SIX, SIX]):
        assert plain_values(*texts) == b"".join(map(plain_values, texts))
    for more in (TEXTS[0], SOLVED, "." * 17, "5" + "." * 15, "x" * 16, "é" + "." * 15, SIX):
        assert plain_values(TEXTS[1], more) is None
    assert plain_values() is None


WIDE = cs.Puzzle.blank(4, values=(-1, 0, 200, 300))


@pytest.mark.parametrize("puzzle", [FOUR, WIDE, FOUR.with_named("x", (7, 300))])
def test_solutions_are_the_same_however_they_were_made(puzzle):
    digits = puzzle.values_of(puzzle.cells[0])
    values = {cell: digits["1234".index(s)] for cell, s in zip(puzzle.cells, SOLVED, strict=True)}
    values |= dict.fromkeys(puzzle.variables[16:], 300)
    made = cs.Solution(values, puzzle)
    [of_row] = cs.Solution.of_rows(np.array([[*values.values()]]), puzzle)
    again = pickle.loads(pickle.dumps(made))
    assert made == of_row == again
    assert len({made, of_row, again}) == 1
    for solution in (made, of_row, again):
        assert dict(solution) == values
        assert [solution[place] for place in values] == [*values.values()]
        assert repr(solution) == repr(made)
        assert solution.rows == made.rows
        assert solution.named == dict.fromkeys(["x"][: len(values) - 16], 300)
    other = values | {puzzle.cells[0]: digits[0]}
    assert made != cs.Solution(other, puzzle)
    assert made != values


def test_solutions_of_different_places_differ():
    tall, wide = (cs.Puzzle.blank(rows=a, columns=b) for a, b in ((1, 2), (2, 1)))
    values = [[1, 2]]
    pair = [cs.Solution.of_rows(np.array(values), puzzle)[0] for puzzle in (tall, wide)]
    assert pair[0] != pair[1]


def test_a_result_outlives_its_batch_and_holds_no_more_than_its_own():
    result = list(cs.solve_many([TEXTS[0]] * 500, limit=2))[250]
    gc.collect()
    assert result.solutions[0].text == SOLVED
    assert result == pickle.loads(pickle.dumps(result))
    held = [result.solutions[0]]
    for each in held:
        held += [part for part in gc.get_referents(each) if type(part) in (bytes, np.ndarray)]
    assert sum(map(sys.getsizeof, held)) < 500


def test_results_do_not_change():
    result = cs.solve(TEXTS[0], limit=2)
    with pytest.raises(FrozenInstanceError):
        result.backend = "another"
    other = replace(result, backend="another")
    assert other != result
    assert (other.status, other.solutions, other.left_out) == (result.status, result.solutions, ())
    assert repr(other).startswith("<Result of another: all found, Solution(")
    assert [field.name for field in fields(result)] == [*vars(result)]


@pytest.mark.parametrize("executor", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_others_can_do_the_work(executor):
    with executor(2) as pool:
        texts = TEXTS * 5
        found = list(cs.solve_many([*texts, CROSSED], "sat", executor=pool, limit=2))
    assert [result.status.name for result in found[:20]] == STATUSES[2] * 5
    assert cs.verify(CROSSED, found[20].solutions[0]).ok


def test_threads_share_the_work():
    with_threads = list(cs.solve_many(TEXTS * 300, "dlx", workers=2, limit=2))
    assert [result.status.name for result in with_threads] == STATUSES[2] * 300


def test_a_bar_is_drawn_by_choice(capsys):
    list(cs.solve_many(TEXTS, "sat", progress=True))
    assert "solving" in capsys.readouterr().err


@pytest.mark.parametrize("backend", ["auto", "dlx", "search", "sat"])
def test_an_array_gives_an_array(backend):
    rows = np.array([[int(sign) for sign in text.replace(".", "0")] for text in TEXTS])
    found = cs.solve_array(rows, backend=backend, limit=2, workers=2)
    assert found.counts.tolist() == [1, 2, 0, 2]
    assert found.unique.tolist() == [True, False, False, False]
    assert [found.status(i).name for i in range(4)] == STATUSES[2]
    assert "".join(map(str, found.grids[0])) == "2134342143121243"
    assert found.grids[2].tolist() == [0] * 16
    results = list(cs.solve_many(rows, backend, limit=2))
    assert [result.status.name for result in results] == STATUSES[2]
    assert len(results[3].solutions) == 2


def test_an_array_of_a_puzzle_with_a_zero_has_another_blank():
    rules = cs.Puzzle.blank(4, values=range(4))
    assert (blank_of(rules), blank_of(FOUR)) == (BLANK, 0)
    rows = np.full((1, 16), BLANK)
    rows[0, 0] = 0
    assert cs.solve_array(rows, rules, "dlx").grids[0, 0] == 0


def test_an_array_is_not_changed_and_may_be_of_any_kind():
    rules = cs.Puzzle.blank(4, values=range(4))
    plain = np.full((3, 16), BLANK)
    plain[:, 0] = 1
    fixed = plain.copy()
    fixed.setflags(write=False)
    for rows in (plain, fixed, np.asfortranarray(plain), np.repeat(plain, 2, axis=1)[:, ::2]):
        found = cs.solve_array(rows, rules, "dlx")
        assert (rows == plain).all()
        assert found.grids[:, 0].tolist() == [1, 1, 1]


def test_values_that_no_array_holds_are_enumerated():
    rules = cs.Puzzle.blank(2, values=(1, 10**20))
    [result, other] = cs.solve_many([rules, rules.with_givens({"R1C1": 10**20})], "auto")
    assert other.solutions[0].rows == ((10**20, 1), (1, 10**20))
    found = [cs.solve(rules, name, limit=3).solutions for name in ("auto:kernels=true", "sat")]
    assert {*found[0]} == {*found[1]} > {*result.solutions}
    with pytest.raises(cs.FormatError, match="64 bits"):
        cs.solve_array(np.zeros((1, 4), int), rules)


def test_arrays_know_named_variables_and_other_rules():
    rules = FOUR.with_named("x", range(3, 8)).add(
        cs.Sum(["R1C1 R1C2", cs.Var("x")], 0, (1, 1, -1)), cs.Thermometer("R1C1 R2C1")
    )
    found = cs.solve_array(np.zeros((3, 17), int), rules, "search", limit=2)
    assert found.counts.tolist() == [2, 2, 2]
    assert found.grids[0, 16] == found.grids[0, 0] + found.grids[0, 1]


def test_each_column_of_an_array_has_the_values_of_its_place():
    rules = FOUR.with_named("x", range(3, 8)).with_layer("hot", (0, 1)).with_named("y", (2, 5, 8))
    for column, place in enumerate(rules.variables):
        for value in range(-1, 9):
            rows = np.full((2, len(rules.variables)), blank_of(rules))
            rows[1, column] = value
            if value in rules.values_of(place):
                assert read_array(rows, rules)[0][1, column] == value
            else:
                with pytest.raises(cs.FormatError, match=f"puzzle 2: {re.escape(str(place))}: "):
                    read_array(rows, rules)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_unique_means_that_all_solutions_were_looked_for(limit):
    rows = np.array([[int(sign) for sign in text.replace(".", "0")] for text in TEXTS])
    found = cs.solve_array(rows, limit=limit)
    complete = [found.status(i) is cs.Status.ALL_FOUND for i in range(len(found))]
    assert found.unique.tolist() == [
        c and n == 1 for c, n in zip(complete, found.counts, strict=True)
    ]
    assert found.unique.any() == (limit > 1)
    part = cs.solve_array(rows, replace(FOUR, left_out=("fog",)), limit=limit)
    assert not part.unique.any()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.zeros(16, int), r"shape \(16,\)"),
        (np.zeros((1, 16)), "type float64"),
        (np.zeros((1, 15), int), "15 cells are no square"),
        (np.full((2, 16), 5), "puzzle 1: R1C1: 5 is not a value"),
    ],
)
def test_arrays_that_hold_no_puzzles_are_refused(rows, message):
    with pytest.raises(cs.FormatError, match=message):
        cs.solve_array(rows)


def test_rows_must_fit_the_rules():
    with pytest.raises(cs.FormatError, match="it has 16 cells and variables"):
        cs.solve_array(np.zeros((1, 81), int), FOUR)
    assert len(cs.solve_array(np.zeros((0, 16), int))) == 0


def test_workers_and_limits_are_checked():
    with pytest.raises(cs.BackendError, match="workers 0"):
        cs.solve_array(np.zeros((1, 16), int), workers=0)
    with pytest.raises(cs.BackendError, match="workers 0"):
        next(cs.solve_many(TEXTS, workers=0))
    with pytest.raises(cs.BackendError, match="limit 0"):
        next(cs.solve_many(TEXTS, limit=0))


@pytest.mark.parametrize("fault", [(0, 0), (15, 4)])
def test_a_wrong_solution_of_a_kernel_is_noticed(monkeypatch, fault):
    place, value = fault
    right = DlxSession.solve_many

    def wrong(self, givens, **options):
        solutions, counts = right(self, givens, **options)
        solutions[0, place] = value
        return solutions, counts

    monkeypatch.setattr(DlxSession, "solve_many", wrong)
    with pytest.raises(cs.WrongAnswerError, match="breaks a rule"):
        cs.solve_array(np.array([[int(sign) for sign in TEXTS[0]]] * 2), backend="dlx")


def test_a_solution_is_held_against_its_own_puzzle(monkeypatch):
    """Rows that lost a candidate list on the way: the kernel is right about them, and refused."""
    from csp_sudoku.batches import rows

    original = rows.rows_of_puzzles

    def forgetful(rules, puzzles):
        return original(rules, [puzzle.without_givens() for puzzle in puzzles])

    monkeypatch.setattr(rows, "rows_of_puzzles", forgetful)
    puzzles = [cs.Puzzle.blank(4).with_givens({"R1C1": [3, 4]}) for _ in range(3)]
    with pytest.raises(cs.WrongAnswerError, match="R1C1 holds [12], not 3 or 4"):
        list(cs.solve_many(puzzles, "search"))


# Up to 63 between the least and the most there is a bit for each value.
VALUES = [(1, 2, 3, 4), (0, 1, 2, 3), (-9, -1, 0, 54), (40, 41, 70, 103), (-7, 0, 5, 10**6)]


@given(st.data())
def test_the_check_of_arrays_is_the_check_of_each(data):
    values = data.draw(st.sampled_from(VALUES))
    rules = cs.Puzzle.blank(4, values=values).add(
        cs.AllDifferent("R1C1 R2C2"), cs.GreaterThan("R4C3 R4C4")
    )
    grid = [values["1234".index(sign)] for sign in "2134342143121243"]
    place = data.draw(st.integers(0, 15))
    grid[place] = data.draw(st.sampled_from([*values, 7, grid[place]]))
    given_value = data.draw(st.sampled_from([*values, BLANK]))
    rows = np.array([grid])
    givens = np.full((1, 16), BLANK)
    givens[0, 5] = given_value
    puzzle = rules if given_value == BLANK else rules.with_givens({"R2C2": given_value})
    assignment = dict(zip(rules.cells, grid, strict=True))
    assert array_check(rules).keeps(rows, givens)[0] == keeps_rules(puzzle, assignment)


@given(st.sampled_from([4, 6, 9]), st.data())
def test_plain_texts_are_read_as_any_other_text(side, data):
    signs = "".join("123456789"[:side]) + data.draw(st.sampled_from([".", "0", ".0", "", "x"]))
    text = data.draw(st.text(signs + "..", min_size=side**2, max_size=side**2))
    values = plain_values(text)
    if values is not None:
        rules = blank_square(len(text))
        puzzle = recognition._read(text, recognition.Request.of()).puzzle
        assert puzzle.without_givens() == rules
        assert read_plain(text) == cs.read(text) == puzzle
        crossed = rules.add(cs.Diagonals())
        assert cs.read(text, like=crossed) == puzzle.add(cs.Diagonals())
        assert [*values] == [puzzle.givens.get(place, 0) for place in puzzle.cells]
