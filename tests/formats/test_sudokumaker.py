"""SudokuMaker: the kinds of its constraints, cell numbers, links, refusals."""

import json
from urllib.parse import quote

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import lzstring, sudokumaker
from csp_sudoku.formats.reading import Help

BOXES = {"type": 1, "regions": [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]}


def text(*constraints, **fields):
    puzzle = {"size": 4, "constraints": [BOXES, *constraints], **fields}
    return json.dumps({"formatVersion": "1.5.0", "puzzle": puzzle})


def read(*constraints, lenient=False, **fields):
    return sudokumaker.read_text(text(*constraints, **fields), Help(lenient))


def kind(number, **fields):
    return {"type": number, **fields}


LINE = "R1C1-R1C3"
LINES = {"lines": [[0, 1, 2]]}

# A constraint of a 4×4 document, and those it stands for.
KINDS = [
    (kind(0), []),
    (kind(10), [cs.Diagonals(rising=False)]),
    (kind(11), [cs.Diagonals(falling=False)]),
    (kind(12), [cs.AntiKing()]),
    (kind(13), [cs.AntiKnight()]),
    (kind(14), [cs.DisjointGroups()]),
    (kind(15), [cs.Nonconsecutive()]),
    (kind(15, disabled=True), []),
    (kind(100, cells=[0, 5]), [cs.Even("R1C1"), cs.Even("R2C2")]),
    (kind(101, cells=[15]), [cs.Odd("R4C4")]),
    (kind(102, cells=[0]), [cs.Maximum("R1C1")]),
    (kind(103, cells=[0]), [cs.Minimum("R1C1")]),
    (  # Edges are counted line by line: those beside the cells of a row, then those below.
        kind(200, clues=[{"value": 2, "edge": 1}, {"edge": 4}]),
        [cs.Difference("R1C1 R1C2", 2), cs.Difference("R1C1 R2C1")],
    ),
    (kind(201, clues=[{"value": 3, "edge": 9}]), [cs.Ratio("R2C1 R2C2", 3)]),
    (
        kind(202, clues=[{"value": 5, "edge": 15}], negative=[5]),
        [cs.PairSum("R2C4 R3C4", 5), cs.NegativeXV((5,))],
    ),
    (kind(200, negative=[1]), [cs.NegativeKropki((1,), ())]),
    (kind(300, thermometers=[[0, 1, 2]]), [cs.Thermometer(LINE)]),
    (kind(300, thermometers=[[0, 1, 2]], slow=True), [cs.SlowThermometer(LINE)]),
    (
        kind(301, cages=[{"cells": [0, 1], "value": 5}, {"cells": [4, 5], "value": 0}]),
        [cs.KillerCage("R1C1 R1C2", 5), cs.KillerCage("R2C1 R2C2")],
    ),
    (kind(302, groups=[[0], [6], [11]]), [cs.Clone([["R1C1"], ["R2C3"], ["R3C4"]])]),
    (
        kind(303, clues=[{"corner": 6, "digits": [1, 1]}, {"corner": 6, "digits": []}]),
        [cs.Quadruple("R1C1-R2C2", (1, 1))],
    ),
    (kind(304, cages=[{"cells": [0, 6], "value": "21"}]), [cs.LookAndSay("R1C1 R2C3", "21")]),
    (kind(305, cells=[0, 6]), [cs.AllDifferent("R1C1 R2C3")]),
    (kind(400, **LINES), [cs.Renban(LINE)]),
    (kind(401, **LINES, minDifference=2), [cs.Whisper(LINE, 2)]),
    (kind(402, **LINES), [cs.Palindrome(LINE)]),
    (kind(403, **LINES), [cs.Between(LINE)]),
    (kind(404, **LINES), [cs.RegionSum(LINE)]),
    (
        kind(404, lines=[[0, 2, 1]], singleRegionTotals=True),
        [cs.EqualSum([["R1C1", "R1C2"], ["R1C3"]])],
    ),
    (
        kind(405, lines=[[0, 1, 2, 3]]),
        [
            cs.Sum("R1C1-R1C3", 0, (1, -2, 1)),
            cs.Sum("R1C2-R1C4", 0, (1, -2, 1)),
        ],
    ),
    (kind(406, **LINES, groups=[0b10100, 0b1010]), [cs.Modular(LINE, 2)]),
    (kind(407, **LINES), [cs.Lockout(LINE, 4)]),
    (  # The units of a pill come first.
        kind(408, bulbsWithArrows=[{"bulbCells": [1, 0], "arrows": [[1, 5, 6]]}]),
        [cs.PillArrow("R1C1 R1C2", "R2C2 R2C3")],
    ),
    (
        kind(408, bulbsWithArrows=[{"bulbCells": [0], "arrows": [[0, 1], [0, 4]]}]),
        [cs.Arrow("R1C1", "R1C2"), cs.Arrow("R1C1", "R2C1")],
    ),
    (kind(409, **LINES), [cs.DoubleArrow(LINE)]),
    (
        kind(500, clues=[{"value": 5, "outerCell": 3, "diagonal": 1}, {"outerCell": 0}]),
        [cs.LittleKiller("R1C2", "SW", 5)],
    ),
    (
        kind(500, clues=[{"value": 9, "outerCell": 35, "diagonal": -1}]),
        [cs.LittleKiller("R4C4", "NW", 9)],
    ),
    (kind(501, clues=[{"value": 0, "outerCell": 2}]), [cs.Sandwich("C2", 0)]),
    (
        kind(502, clues=[{"value": 5, "outerCell": 6}, {"value": 6, "outerCell": 17}]),
        [cs.XSum("R1", 5), cs.XSum("R2", 6, reverse=True)],
    ),
    (kind(503, clues=[{"value": 2, "outerCell": 31}]), [cs.Skyscraper("C1", 2, reverse=True)]),
    (kind(504, clues=[{"value": 2, "outerCell": 1}, {"outerCell": 2}]), [cs.NumberedRoom("C1", 2)]),
    (kind(600, cells=[0]), [cs.RowIndexing("R1C1")]),
    (kind(601, cells=[0]), [cs.ColumnIndexing("R1C1")]),
]


@pytest.mark.parametrize(("constraint", "rules"), KINDS)
def test_kinds(constraint, rules):
    assert list(read(constraint).puzzle.constraints) == rules


@pytest.mark.parametrize(
    ("groups", "rules"),
    [
        ([14, 112, 896], [cs.GlobalEntropy(), cs.Entropic("R1C1 R1C2")]),
        ([584, 146, 292], [cs.GlobalModulo(), cs.Modular("R1C1 R1C2", 3)]),
    ],
)
def test_groups_of_digits_are_masks(groups, rules):
    everywhere, line = kind(16, groups=groups), kind(406, lines=[[0, 1]], groups=groups)
    found = read(everywhere, line, size=9, constraints=[everywhere, line])
    assert list(found.puzzle.constraints) == rules


def test_the_grid():
    cells = [{"given": True, "value": 3}, {"value": 2}, {}, {"candidates": 6}, *[None] * 12]
    found = read(cells=cells, name="N", author="A", comment="Normal rules.")
    assert found.puzzle.givens == {cs.Cell(0, 0): 3}
    assert found.puzzle.grids[0].box == (2, 2)
    assert (found.title, found.author, found.rules) == ("N", "A", "Normal rules.")
    assert int(cs.count(found.puzzle, "sat")) == 72


def test_shapes():
    [grid] = read(width=3, height=2, minDigit=0, constraints=[]).puzzle.grids
    assert (grid.size, grid.values, grid.boxes) == ("2×3", (0, 1, 2), ())
    assert read(maxDigit=5).puzzle.grids[0].values == (1, 2, 3, 4, 5)
    assert sudokumaker.read_text('{"formatVersion":"1","puzzle":{}}').puzzle.grids[0].rows == 9


def test_custom_puzzles_have_only_the_houses_they_name():
    assert not read(type="custom").puzzle.grids[0].row_houses
    assert read(kind(0), type="custom").puzzle.grids[0].row_houses


@pytest.mark.parametrize(
    ("constraint", "complaint"),
    [
        (kind(1000, code="x"), "constraint 2: the kind code of its own is not known"),
        (kind(2003), "Sudoku rules for areas"),
        (kind(7777), "7777"),
        (kind("thermo"), "'thermo'"),
        (kind(100, cells=[16]), "16 is the number of no cell"),
        (kind(200, clues=[{"edge": 0}]), "R1C0 is outside"),
        (kind(303, clues=[{"corner": 0, "digits": [1]}]), "outside"),
        (kind(500, clues=[{"value": 5, "outerCell": 0, "diagonal": 1}]), "point into the grid"),
        (kind(501, clues=[{"value": 5, "outerCell": 7}]), "beside a row or a column"),
        (kind(16, groups=[6, 24]), "neither thirds nor residues"),
        (kind(301, cages=5), "5 is not a list"),
        (kind(500, clues=[{"value": 5, "outerCell": 1, "diagonal": 0}]), "1 or -1, not 0"),
        (
            kind(408, bulbsWithArrows=[{"bulbCells": [0], "arrows": [[1, 2]]}]),
            "shaft begins at R1C2, which is not in its circle",
        ),
    ],
)
def test_refusals_name_the_place(constraint, complaint):
    with pytest.raises(FormatError, match=complaint):
        read(constraint)
    found = read(constraint, kind(13), lenient=True)
    assert found.puzzle.constraints == (cs.AntiKnight(),)
    assert len(found.left_out) == 1


@pytest.mark.parametrize(("constraint", "rules"), KINDS)
def test_a_constraint_with_a_member_that_is_not_known_is_refused(constraint, rules):
    """It may change what the others mean. Names and styles do not, nor what is empty."""
    shown = constraint | {"unless": [], "name": "Mine", "style": {"color": 5}}
    assert list(read(shown).puzzle.constraints) == rules
    if constraint.get("disabled"):
        return
    for name, value in [*constraint.items(), ("", None)]:
        inner = isinstance(value, list) and value and isinstance(value[0], dict)
        more = {name: [value[0] | {"unless": 3}, *value[1:]]} if inner else {"unless": 3}
        with pytest.raises(FormatError, match="constraint 2 .*its member 'unless' is not known"):
            read(constraint | more)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"cells": [{"given": 1, "value": 3}] * 16}, "R1C1: given is true or false, not 1"),
        ({"cells": [None, *[{"maximum": 3}] * 15]}, "R1C2: its member 'maximum' is not known"),
        ({"cells": [5] * 16}, "R1C1: 5 is not an object"),
        ({"cells": [None] * 15}, "15 cells where a 4×4 grid has 16"),
        ({"type": "Sudoku"}, "sudoku or custom, not 'Sudoku'"),
        ({"constraints": [kind(13, disabled=1)]}, "disabled is true or false, not 1"),
        ({"rows": 5}, "puzzle: its member 'rows' is not known"),
    ],
)
def test_members_of_the_puzzle_and_its_cells(fields, complaint):
    with pytest.raises(FormatError, match=complaint):
        read(**fields)


def test_dots_that_exempt_no_pair_from_the_values_of_the_other_kind():
    """The dots of both kinds exempt a pair here, as they do by default there."""
    white, black = kind(200, negative=[1]), kind(201, clues=[{"edge": 1}])
    for more in ({}, {"overrideNegativeDifferences": True}):
        assert read(white, black | more).puzzle.constraints[-1] == cs.NegativeKropki((1,), ())
    apart = black | {"overrideNegativeDifferences": False}
    with pytest.raises(FormatError, match="overrideNegativeDifferences can only be true"):
        read(white, apart)
    assert read(kind(200), apart).puzzle.constraints == (cs.Ratio("R1C1 R1C2"),)


def test_marks_that_belong_together_are_left_out_together():
    maxima = [kind(102, cells=[0]), kind(102, cells=[99])]
    found = read(*maxima, kind(103, cells=[5]), lenient=True)
    assert found.puzzle.constraints == (cs.Minimum("R2C2"),)
    dots = [kind(200, clues=[{"edge": 0}]), kind(201, clues=[{"edge": 1}], negative=[2])]
    found = read(*dots, lenient=True)
    assert found.puzzle.constraints == (cs.Ratio("R1C1 R1C2"),)
    assert [item.kind for item in found.missing] == ["200", "negative"]


@pytest.mark.parametrize(("constraint", "rules"), KINDS)
def test_what_is_read_is_written_again(constraint, rules):
    puzzle = read(constraint).puzzle
    assert sudokumaker.read_text(sudokumaker.write_sudokumaker(puzzle)).puzzle == puzzle


def test_thirds_that_are_not_equal():
    puzzle = cs.Puzzle.blank(8).add(cs.Entropic("R1C1-R1C3"))
    text = sudokumaker.write_sudokumaker(puzzle)
    assert json.loads(text)["puzzle"]["constraints"][1]["groups"] == [0b1110, 0b110000, 0b111000000]
    assert sudokumaker.read_text(text).puzzle == puzzle


UNWRITABLE = [
    (cs.Puzzle.blank(4).add(cs.Difference("R1C1 R2C2")), "the two cells must touch"),
    (
        cs.Puzzle.blank(2, box=None, values=range(2)).add(cs.GlobalModulo()),
        "a value for each group",
    ),
    (cs.Puzzle.blank(4).add(cs.Quadruple("R1C1 R1C2", [1])), "four around a corner"),
    (cs.Puzzle.blank(4).add(cs.LittleKiller("R2C2", "SE", 5)), "at the edge of the grid"),
    (cs.Puzzle.blank(9).add(cs.Lockout("R1C1-R1C3", 3)), "its difference can only be 4"),
    (cs.Puzzle.blank(4).add(cs.KillerCage("R1C1", 0)), "0 means that no sum is given"),
    (cs.Puzzle.blank(4, values=[1, 3, 4, 5]), "consecutive"),
    (cs.Puzzle.blank(4, row_houses=False), "rows from columns"),
    (cs.Puzzle.blank(4).with_givens({"R1C1": [1, 2]}), "R1C1"),
    (cs.Puzzle.blank(4, regions=["R1C1 R1C2", "R1C2 R1C3"]), "overlap"),
]


@pytest.mark.parametrize(("puzzle", "complaint"), UNWRITABLE)
def test_what_cannot_be_written_is_named(puzzle, complaint):
    with pytest.raises(FormatError, match=complaint):
        sudokumaker.write_sudokumaker(puzzle)


def test_drawings_are_refused():
    drawn = (kind(2000), kind(2002))
    with pytest.raises(FormatError, match="drawn: lines.*drawn: .*'Lines are shy' is not"):
        read(*drawn, comment="Lines are shy.")


@pytest.mark.parametrize(
    "link", ["https://sudokumaker.app/?puzzle={}", "sudokumaker.app?puzzle={}"]
)
def test_links(link):
    packed = lzstring.compress(text(kind(13)), lzstring.URI)
    assert cs.read(link.format(packed)).constraints == (cs.AntiKnight(),)
    assert cs.read(link.format(quote(packed, safe=""))).constraints == (cs.AntiKnight(),)
    assert cs.read(link.format(packed.rstrip("$"))).constraints == (cs.AntiKnight(),)


@pytest.mark.parametrize(
    "hostile",
    [
        "https://sudokumaker.app/",
        "https://sudokumaker.app/?puzzle=",
        "https://sudokumaker.app/?puzzle=N4Ig",
        '{"formatVersion":"1","puzzle":5}',
        '{"formatVersion":"1","puzzle":{"width":100000000,"height":100000000}}',
        '{"formatVersion":"1","puzzle":{"minDigit":1,"maxDigit":999999999}}',
        '{"formatVersion":"1","puzzle":{"minDigit":5,"maxDigit":1}}',
        '{"formatVersion":"1","puzzle":{"size":NaN}}',
        text(cells=[{}] * 17),
        text(kind(1, regions=[0])),
        text(kind(300, thermometers=[[0] * 5_000])),
    ],
)
def test_hostile_documents_are_refused(hostile):
    with pytest.raises(CspSudokuError):
        cs.read(hostile)
