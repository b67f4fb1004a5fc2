"""Plain text: every form that is recognised, what is refused as ambiguous, and the way back."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_sudoku.formats import DIALECTS, read, read_grid, write_text

CLASSIC = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
ROWS = [CLASSIC[i : i + 9] for i in range(0, 81, 9)]
WANTED = read(CLASSIC)

FRAMED = """
+-------+-------+-------+
| 5 3 . | . 7 . | . . . |
| 6 . . | 1 9 5 | . . . |
| . 9 8 | . . . | . 6 . |
+-------+-------+-------+
| 8 . . | . 6 . | . . 3 |
| 4 . . | 8 . 3 | . . 1 |
| 7 . . | . 2 . | . . 6 |
+-------+-------+-------+
| . 6 . | . . . | 2 8 . |
| . . . | 4 1 9 | . . 5 |
| . . . | . 8 . | . 7 9 |
+-------+-------+-------+
"""


@pytest.mark.parametrize(
    "text",
    [
        CLASSIC,
        CLASSIC.replace("0", "."),
        CLASSIC.replace("0", "?"),
        CLASSIC.replace("0", "_"),
        CLASSIC.replace("0", "*"),
        CLASSIC.replace("0", "-"),
        CLASSIC.replace("0", "x"),
        CLASSIC[:40].replace("0", ".") + CLASSIC[40:],  # blanks of two kinds
        "\n".join(ROWS),
        "\r\n".join(ROWS) + "\r\n",
        "\ufeff" + "\n".join(ROWS),
        " ".join(ROWS),
        "\n".join(" ".join(row) for row in ROWS),
        "\n".join(",".join(row) for row in ROWS),
        "\n".join(",".join(sign.replace("0", "") for sign in row) for row in ROWS),
        "\n".join(";".join(row) for row in ROWS),
        "\n\n".join("\n".join(ROWS[i : i + 3]) for i in (0, 3, 6)),
        "# a comment\n" + "\n".join(ROWS),
        "Sudoku\n" + "\n".join(ROWS),
        FRAMED,
        FRAMED.replace("+", "*"),
        FRAMED.replace("+", "|").replace("-", "="),
        FRAMED.replace(".", "-"),
        FRAMED.replace("+-------+-------+-------+", ".-------.-------.-------."),
        "\n".join(row.replace("0", "-") for row in ROWS),
        cs.pictures.terminal.draw(WANTED),
        write_text(WANTED, form="matrix"),
        write_text(WANTED, form="candidates"),
    ],
)
def test_one_puzzle_in_many_forms(text):
    assert read(text) == WANTED


def test_a_line_of_dashes_is_a_row_where_dashes_are_blanks():
    rows = ["1--4", "----", "--2-", "----"]
    assert read("\n".join(rows)).givens == read("1..4......2.....").givens
    framed = ["1.|.4", "..|..", "-----", "..|2.", "..|.."]
    assert read("\n".join(framed)).givens == read("1..4......2.....").givens
    assert read("\n".join(["----"] * 4)) == cs.Puzzle.blank(4)


@pytest.mark.parametrize("side", [2, 4, 5, 6, 7, 8, 9, 10, 12, 16, 25, 36, 64])
def test_squares_of_every_size_are_recognised(side):
    corner = {"R1C1": side, f"R{side}C{side}": 1}
    puzzle = cs.Puzzle.blank(side).with_givens(corner)
    for form in ("line", "matrix", "frame", "candidates"):
        assert read(write_text(puzzle, form=form)) == puzzle, form


@settings(deadline=None)
@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.sampled_from([1, 0, -3, 7]),
    st.dictionaries(st.tuples(*[st.integers(0, 11)] * 2), st.integers(0, 11), max_size=12),
    st.sampled_from(["line", "matrix", "frame"]),
)
@example(1, 2, -3, {(0, 0): 0}, "line")  # "-3 ." is two cells, and no grid with a comment
def test_what_is_written_is_read_back(rows, columns, first, picks, form):
    values = range(first, first + max(rows, columns))
    givens = {(r % rows, c % columns): values[v % len(values)] for (r, c), v in picks.items()}
    puzzle = cs.Puzzle.blank(rows, columns, values=values).with_givens(givens)
    text = write_text(puzzle, form=form)
    assert read(text, like=puzzle.without_givens()) == puzzle
    assert read(text, size=(rows, columns), values=values) == puzzle


@settings(deadline=None)
@given(
    st.sampled_from([2, 4, 9, 12]),
    st.sampled_from([0, 1]),
    st.dictionaries(
        st.tuples(*[st.integers(0, 11)] * 2), st.sets(st.integers(0, 11), min_size=1), max_size=12
    ),
)
def test_candidates_are_read_back(side, first, picks):
    values = range(first, first + side)
    blank = cs.Puzzle.blank(side, values=values)
    lists = {
        (row % side, col % side): [values[v % side] for v in found]
        for (row, col), found in picks.items()
        if len({v % side for v in found}) < side  # all values: the text says nothing of the cell
    }
    puzzle = blank.with_givens(lists)
    assert read(write_text(puzzle, form="candidates"), values=values) == puzzle


def sixteen(signs):
    """A 16×16 text with these signs in front and dots behind."""
    return signs + "." * (256 - len(signs))


@pytest.mark.parametrize(
    ("text", "first", "values"),
    [
        (sixteen("1G"), [1, 16], range(1, 17)),
        (sixteen("1g"), [1, 16], range(1, 17)),
        (sixteen("9A"), [9, 10], range(1, 17)),
        (sixteen("0F9"), [0, 15, 9], range(16)),  # 0 beside another blank: a value
        (sixteen("AP"), [1, 16], range(1, 17)),
        (sixteen("AB"), [1, 2], range(1, 17)),  # letters alone
        (sixteen("1G").replace(".", "0"), [1, 16], range(1, 17)),
        (sixteen("1F").replace(".", "0"), [1, 15], range(1, 17)),  # 0 far more often than all
    ],
)
def test_letters_above_nine(text, first, values):
    puzzle = read(text)
    assert list(puzzle.givens.values()) == first
    assert puzzle.grids[0].values == tuple(values)


def test_letters_of_25():
    assert read("Y" + "." * 624).givens == {cs.Cell(0, 0): 25}
    assert read("X" + "." * 624).givens == {cs.Cell(0, 0): 24}


@pytest.mark.parametrize(
    ("dialect", "sign", "value"), [("1-9A-G", "A", 10), ("0-9A-F", "A", 10), ("A-P", "A", 1)]
)
def test_a_dialect_can_be_asked_for(dialect, sign, value):
    puzzle = read(sixteen(sign), dialect=dialect)
    assert puzzle.givens == {cs.Cell(0, 0): value}
    assert read(write_text(puzzle, dialect=dialect), dialect=dialect) == puzzle


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("".join(f"{value:02}" for value in [12, 3] + [0] * 254), {}),
        ("1203" + ".." * 254, {}),
        ("12 3" + " ." * 254, {}),
        ("12 3" + " ?" * 254, {}),
        ("12 3" + " 0" * 254, {}),
        ("1203" + "00" * 254, {"dialect": "pairs"}),
    ],
)
def test_values_of_two_digits(text, arguments):
    assert read(text, **arguments).givens == {cs.Cell(0, 0): 12, cs.Cell(0, 1): 3}


def test_a_matrix_is_read_row_by_row():
    rng = random.Random(1)
    rows = [[rng.choice([0, rng.randint(1, 16)]) for _ in range(16)] for _ in range(16)]
    rows[0][0] = 16
    text = "\n".join(" ".join("?" if v == 0 else str(v) for v in row) for row in rows)
    assert read(text) == read(rows)


def test_a_jigsaw_brings_its_layout():
    layout = "AABBAABBCCDDCCDD"
    puzzle = read("1..." + "." * 12 + layout)
    assert puzzle.grids[0].regions == cs.Puzzle.blank(4, regions=layout).grids[0].regions
    assert puzzle.givens == {cs.Cell(0, 0): 1}
    below = "\n".join(["1...", "....", "....", "....", *(layout[i : i + 4] for i in (0, 4, 8, 12))])
    assert read(below) == puzzle


def test_zero_is_a_value_where_the_values_say_so():
    text = "0.." + "." * 6
    assert read(text, values=range(3)).givens == {cs.Cell(0, 0): 0}
    assert read(text, like=cs.Puzzle.blank(3, values=range(3))).givens == {cs.Cell(0, 0): 0}
    assert read(text).givens == {}
    assert read([[0, None], [1, None]], values=range(2)).givens == {
        cs.Cell(0, 0): 0,
        cs.Cell(1, 0): 1,
    }


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        # Two readings: both are named, and how to choose.
        ("0123456789ABCDEF" * 16, {}, '0 may be a blank .*"1-9A-G".* or a value .*"0-9A-F"'),
        ("15 0 ." + " ." * 253, {}, r"a blank .*range\(1, 17\).* or a value .*range\(16\)"),
        ("1..4............\n" * 16, {}, r"grids of 4×4 \(choose size=4\) or of 16×16"),
        ("12 3 4 .\n. . . .\n. . . .\n. . . .", {}, 'candidates .*dialect="candidates".*"sdx"'),
        # Counts
        (CLASSIC[1:], {}, r"80 characters .*64 \(8×8\) or 81 \(9×9\)"),
        (CLASSIC + ".", {}, "82 characters"),
        (CLASSIC + " 5", {}, "82 characters"),
        (CLASSIC + "$", {}, r"line 1, column 82: '\$' has no place"),
        (CLASSIC + "９", {}, "line 1, column 82: .*FULLWIDTH DIGIT NINE"),
        ("\n".join(ROWS[1:]), {}, "8 lines of 9 cells; a 9×9 grid has 9"),
        ("\n".join([*ROWS[:3], ROWS[3][1:], *ROWS[4:]]), {}, "line 4 has 8 cells where 9"),
        ("\n".join([ROWS[0][1:], ROWS[1] + ".", *ROWS[2:]]), {}, "line 1 has 8 cells where 9"),
        ("1" * 1_000_000, {}, "1000000 characters are too many|too long"),
        ("1\n" * 100_000, {}, "too long"),
        ("#\n" * 1_000_000, {}, "more than 250,000 lines"),
        ("," * 4_000_000, {}, "line 1 is too long"),
        ("." * 65 * 65, {}, "4225 characters are too many; the largest grid is 64×64"),
        ("5", {}, "1 character"),
        ("+---+\n|   |", {}, "no grid"),
        ("", {}, "empty"),
        (" \n\t", {}, "empty"),
        (CLASSIC, {"size": 4}, "81 characters where a 4×4 grid has 16"),
        (CLASSIC, {"like": cs.Puzzle.blank(4)}, "81 characters where a 4×4 grid has 16"),
        # Signs
        ("A" + CLASSIC[1:], {}, "line 1, column 1: 'A' is not a value here .1-9."),
        ("\n".join([ROWS[0], "6..A95...", *ROWS[2:]]), {}, "line 2, column 4: 'A'"),
        ("\n".join(["1,,,", ",A,,", ",,,", ",,,"]), {}, "line 2: 'A' is not a value here .1-4."),
        ("５" + CLASSIC[1:], {}, "line 1, column 1: .*FULLWIDTH DIGIT FIVE"),
        ("²" + CLASSIC[1:], {}, "SUPERSCRIPT TWO"),
        ("\ud800" + CLASSIC[1:], {}, r"'\\ud800' has no place"),
        ("$" + CLASSIC[1:], {}, r"'\$' has no place"),
        ("\x00" + CLASSIC[1:], {}, r"'\\x00' has no place"),
        (sixteen("1H"), {}, "'H' is not a value here .1-9 A-G."),
        (sixteen("1G"), {"dialect": "0-9A-F"}, "'G' is not a value here .0-9 A-F."),
        (sixteen("1Ga"), {}, "both cases"),
        (sixteen("1 "), {}, "255 characters|255"),
        ("12 99999999 3" + " ." * 253, {}, "'99999999' is not a value of a 16×16 grid"),
        (CLASSIC, {"dialect": "klingon"}, "no dialect is called 'klingon'; choose 1-9A-G"),
        (CLASSIC, {"size": 9, "like": cs.Puzzle.blank(9)}, "leave out size"),
    ],
)
def test_what_is_refused_and_why(text, arguments, message):
    with pytest.raises(cs.FormatError, match=message) as caught:
        read(text, **arguments)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_a_value_out_of_range_is_named_with_its_cell():
    with pytest.raises(cs.PuzzleError, match="R1C1: 5 is not a value of this puzzle .1 to 4."):
        read("5..." + "." * 12)


def test_the_refusals_name_ways_that_work():
    hexadecimal = "0123456789ABCDEF" * 16
    for choice in ({"dialect": "0-9A-F"}, {"values": range(16)}):
        assert read(hexadecimal, **choice).givens[cs.Cell(0, 0)] == 0
    for choice in ({"dialect": "1-9A-G"}, {"values": range(1, 17)}):
        assert cs.Cell(0, 0) not in read(hexadecimal, **choice).givens
    matrix = "15 0 ." + " ." * 253
    assert len(read(matrix, values=range(16)).givens) == 2
    assert len(read(matrix, values=range(1, 17)).givens) == 1
    lines = "1..4............\n" * 16
    assert read(lines, size=16).grids[0].rows == 16
    assert len(list(cs.formats.read_many(lines, size=4))) == 16
    fields = "12 3 4 .\n. . . .\n. . . .\n. . . ."
    assert read(fields, dialect="candidates").candidates_of("R1C1") == (1, 2)
    assert read(fields, dialect="sdx").candidates_of("R1C1") == (1, 2, 3, 4)


def test_size_and_box_shape_the_grid():
    puzzle = read("." * 36, size=6, box=(3, 2))
    assert puzzle.grids[0].box == (3, 2)
    assert read("." * 36, box=None).grids[0].box is None
    wide = read("." * 24, size=(4, 6))
    assert (wide.grids[0].rows, wide.grids[0].columns) == (4, 6)


def test_a_grid_of_a_puzzle_keeps_wrong_values_for_the_checker():
    assert read_grid("7..." + "." * 12, cs.Puzzle.blank(4)) == [(cs.Cell(0, 0), 7)]


def test_text_of_overlapping_grids_is_read_like_them():
    nine = tuple(range(1, 10))
    corners = [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)]
    samurai = cs.Puzzle.overlapping(cs.Grid(9, 9, nine, (3, 3), top=t, left=s) for t, s in corners)
    puzzle = samurai.with_givens({"R1C1": 5, "R10C10": 3, "R21C21": 9})
    for form in ("line", "matrix", "frame", "candidates"):
        assert read(write_text(puzzle, form=form), like=samurai) == puzzle


@pytest.mark.parametrize(
    ("puzzle", "arguments", "message"),
    [
        (cs.Puzzle.blank(4).with_givens({"R1C1": [1, 2]}), {}, "R1C1 has a list of candidates"),
        (cs.Puzzle.blank(4, values=range(-1, 3)), {"form": "candidates"}, "same values"),
        (cs.Puzzle.blank(36), {"dialect": "1-9A-G"}, "no sign for the value 36"),
        (cs.Puzzle.blank(9), {"dialect": "pairs"}, "there are 1-9A-G, 0-9A-F, A-P"),
    ],
)
def test_what_cannot_be_written_is_refused(puzzle, arguments, message):
    with pytest.raises(cs.FormatError, match=message):
        write_text(puzzle, **arguments)


def test_a_solution_is_written_in_place_of_the_givens():
    puzzle = read("0100 3001 4002 0040")
    solution = cs.solve(puzzle, "brute").solutions[0]
    assert write_text(puzzle, solution) == "2134342143121243"


def test_every_dialect_is_known_to_the_reader():
    for dialect in DIALECTS:
        with pytest.raises(cs.FormatError, match="characters|cells"):
            read("12345", dialect=dialect)


REGIONS = ("AAAABBAACBBBCCCCCBDDDEEEDDDEEEFFFFFF", "ABBBBBABCCDDAACCCDAAECDDFFEEEDFFFFEE")
SHAPES = [
    cs.Puzzle.blank(6, box=(3, 2)),
    cs.Puzzle.blank(6, box=(2, 3)),
    cs.Puzzle.blank(8, box=(4, 2)),
    cs.Puzzle.blank(12, box=(2, 6)),
    cs.Puzzle.blank(16).with_givens({"R1C1": 16}),
    *(cs.Puzzle.blank(6, regions=regions) for regions in REGIONS),
]


@pytest.mark.parametrize("signs", [cs.pictures.terminal.UNICODE, cs.pictures.terminal.ASCII])
@pytest.mark.parametrize("puzzle", SHAPES, ids=str)
def test_the_regions_that_a_frame_draws_are_read(puzzle, signs):
    """Our own picture of a grid is the same grid when it is read again."""
    picture = cs.pictures.terminal.draw(puzzle, signs=signs)
    again = read(picture)
    assert sorted(map(sorted, again.grids[0].boxes)) == sorted(map(sorted, puzzle.grids[0].boxes))
    assert again.givens == puzzle.givens
    assert read(picture, box=None).grids[0].boxes == ()  # the caller knows better


def test_several_framed_grids_keep_their_frames():
    tall = cs.Puzzle.blank(6, box=(3, 2)).with_givens({"R1C1": 1})
    found = list(cs.read_many(2 * (write_text(tall, form="frame") + "\n")))
    assert found == [tall, tall]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1..|.\n....\n....\n....", "a line between R1C3 and R1C4"),
        ("1...\n----\n....\n....\n....", "a line between R1C1 and R2C1"),
        ("1.|..\n..|..\n.|...\n..|..", "a line between R3C1 and R3C2"),
        ("┌───────┬───────┐\n│ 1   . │ .   . │\n├╌╌╌╌╌╌╌┤       │\n│ .   . │ .   . │\n"
         "├───────┼───────┤\n│ .   . │ .   . │\n│ .   . │ .   . │\n└───────┴───────┘",
         "draw cages"),
    ],
)  # fmt: skip
def test_a_frame_that_fits_no_boxes_is_refused(text, complaint):
    with pytest.raises(cs.FormatError, match=complaint):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "1.|..\n..|..\n..|..\n..|..",  # only the columns of boxes
        "1...\n....\n----\n....\n....",
        "+---------+\n| 1 . . . |\n| . . . . |\n| . . . . |\n| . . . . |\n+---------+",
        "1|.|.|.\n.|.|.|.\n.|.|.|.\n.|.|.|.",
        "║ 1 │ . ║ . │ . ║\n" * 1 + "║ . │ . ║ . │ . ║\n" * 3,
    ],
)
def test_a_frame_of_the_usual_boxes_or_of_all_cells(text):
    assert read(text) == read("1" + "." * 15)
