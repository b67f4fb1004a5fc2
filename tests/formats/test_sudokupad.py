"""SudokuPad: ids in links, its documents and their shortened form, compact classics."""

import json
from urllib.parse import quote

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import fpuzzles, lzstring, sudokupad
from csp_sudoku.formats.reading import Help
from csp_sudoku.formats.sudokupad import scl
from csp_sudoku.formats.sudokupad.scl_zip import unzip

BOXES = [[[r, c] for r in (a, a + 1) for c in (b, b + 1)] for a in (0, 2) for b in (0, 2)]


def document(**fields):
    cells = [[{} for _ in range(4)] for _ in range(4)]
    return {"cellSize": 50, "cells": cells, "regions": BOXES, **fields}


def read(*, lenient=False, **fields):
    return scl.read_text(json.dumps(document(**fields)), Help(lenient))


# Documents


def test_givens_regions_and_cages():
    cells = document()["cells"]
    cells[0][0] = {"value": "1"}
    cells[0][1] = {"value": 2, "centremarks": [1]}
    cages = [
        {"cells": [[0, 2], [0, 3]], "unique": True, "sum": 7, "value": "7"},
        {"cells": [[1, 2], [1, 3]], "unique": True},
        {"cells": [[2, 2], [3, 1]], "unique": False, "sum": 4},
        {"cells": [[2, 0]], "hidden": True, "unique": False},
        {"cells": [[0, 0], [0, 1], [0, 2], [0, 3]], "type": "rowcol", "unique": True},
        {"value": "title: Four by four"},
    ]
    found = read(cells=cells, cages=cages)
    assert found.puzzle.givens == {cs.Cell(0, 0): 1, cs.Cell(0, 1): 2}
    assert found.puzzle.grids[0].box == (2, 2)
    assert found.puzzle.constraints == (
        cs.KillerCage("R1C3 R1C4", 7),
        cs.KillerCage("R2C3 R2C4"),
        cs.Sum("R3C3 R4C2", 4),
    )
    assert found.title == "Four by four"
    assert found.left_out == ()


def test_metadata():
    told = {"title": "T", "author": "A", "rules": ["One.", "Two."], "solution": "12.4" * 4}
    found = read(metadata=told, cages=[{"value": "author: B"}, {"value": "source: x\ny"}])
    assert (found.title, found.author, found.rules) == ("T", "A", "One.\nTwo.")
    assert found.solution[:4] == (1, 2, None, 4)


def test_rows_and_columns_need_not_be_houses():
    assert not read(metadata={"norowcol": True}).puzzle.grids[0].row_houses
    assert not read(cages=[{"value": "norowcol: true"}]).puzzle.grids[0].column_houses


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("antiknight", cs.AntiKnight()),
        ("antiking", cs.AntiKing()),
        ("nonconsecutive", cs.Nonconsecutive()),
        ("disjoint", cs.DisjointGroups()),
        ("antiratio", cs.NegativeKropki((), (2,))),
        ("antixv", cs.NegativeXV()),
    ],
)
def test_global_rules(name, rule):
    assert read(**{"global": [name]}).puzzle.constraints == (rule,)


ROW, APART = [[0, 0], [0, 1], [0, 2], [0, 3]], [[0, 0], [1, 2]]
KNIGHT, KING = cs.AntiKnight(), cs.AntiKing()


@pytest.mark.parametrize(
    ("fields", "rules"),
    [
        ({"metadata": {"antiknight": True, "antiking": "true"}}, [KNIGHT, KING]),
        ({"metadata": {"antiknight": False, "antiking": ""}}, []),
        ({"metaData": {"antiknight": True}, "global": ["antiknight"]}, [KNIGHT]),
        ({"cages": [{"value": "antiking: true"}]}, [KING]),
        ({"diagonal+": True, "windoku": False}, [cs.Diagonals(falling=False)]),
        ({"diagonal-": True, "antiknight": True}, [cs.Diagonals(rising=False), KNIGHT]),
        ({"rules": "Anti-knight applies."}, [KNIGHT]),
        # Hidden cages count where the houses do not say the same.
        ({"cages": [{"cells": ROW, "hidden": True, "unique": True, "sum": 10}]}, []),
        (
            {"cages": [{"cells": APART, "hidden": True, "unique": True}]},
            [cs.KillerCage("R1C1 R2C3")],
        ),
        (
            {"cages": [{"cells": APART, "hidden": True, "unique": False, "sum": 6}]},
            [cs.Sum("R1C1 R2C3", 6)],
        ),
        ({"cages": [{"cells": APART, "hidden": True, "unique": False, "value": "region"}]}, []),
        (  # Some boards with several grids list their rows so.
            {"metadata": {"norowcol": True}, "cages": [{"cells": ROW, "type": "rowcol"}]},
            [cs.KillerCage("R1C1-R1C4")],
        ),
    ],
)
def test_rules_that_are_data(fields, rules):
    assert list(read(**fields).puzzle.constraints) == rules


def test_irregular_and_oblong_grids():
    cells = [[{} for _ in range(3)] for _ in range(2)]
    puzzle = read(cells=cells, regions=[[[0, 0], [0, 1], [1, 0]]]).puzzle
    assert puzzle.grids[0].size == "2×3"
    assert puzzle.grids[0].boxes == ((cs.Cell(0, 0), cs.Cell(0, 1), cs.Cell(1, 0)),)
    assert puzzle.grids[0].values == (1, 2, 3)


def test_what_is_only_drawn_is_named_in_every_answer():
    drawn = {"lines": [{"wayPoints": [[0.5, 0.5], [1.5, 0.5]]}], "arrows": [{}]}
    drawn |= {"cages": [{"cells": [[0, 0]], "value": "9"}]}
    told = {"rules": "Digits on a moonbeam are shy."}
    found = read(**drawn, metadata=told, lenient=True)
    assert [item.kind for item in found.missing] == ["drawing", "drawing", "rules text"]
    assert found.left_out == (
        "drawn: line at R1C1 R2C1: no sentence says what it means",
        "drawn: cage '9' at R1C1: no sentence says what it means",
        "said: 'Digits on a moonbeam are shy' is not understood",
    )
    assert cs.solve(found.puzzle).left_out == found.left_out
    with pytest.raises(FormatError) as refused:
        read(**drawn, metadata=told)
    assert all(item in str(refused.value) for item in found.left_out)


def test_negative_rules_are_refused_where_marks_are_only_drawn():
    marks = [{"center": [0.5, 1], "width": 0.3, "height": 0.3, "backgroundColor": "#ff0000"}]
    with pytest.raises(FormatError, match="mark at R1C1 R1C2: no sentence"):
        read(**{"global": ["antixv"]}, overlays=marks)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"cells": []}, "0 rows"),
        ({"cells": [[{}], [{}, {}]]}, "row 2 has 2 cells"),
        ({"cells": [[{"value": "A"}]], "regions": []}, "R1C1: 'A' is not a whole number"),
        ({"kropki": [1]}, "kropki: this rule is not known"),
        ({"metadata": {"antimoon": True}}, "metadata antimoon: this rule is not known"),
        ({"metadata": {"antiknight": "perhaps"}}, "'perhaps' is neither true nor false"),
        ({"metadata": {"norowcol": 1}}, "1 is neither true nor false"),
        ({"cells": [[{"value": 1, "given": 0}]], "regions": []}, "R1C1: given is true or false"),
        ({"regions": [[[0, 9]]]}, "R1C10 is outside"),
        ({"regions": [["R1C1"]]}, "'R1C1' is not a cell"),
        ({"regions": [[[0.5, 0]]]}, "is not a cell"),
        ({"cages": [{"cells": [[0, 9]], "unique": True}]}, "cage 1: .*R1C10 is outside"),
        ({"cages": [{"cells": [[0, 0]], "sum": "x"}]}, "cage 1: 'x' is not a whole number"),
        ({"cages": [{"cells": [5], "unique": True}]}, "cage 1: 5 is not a cell"),
        ({"lines": [{"wayPoints": [5]}]}, "line 1: 5 is not a point"),
        ({"global": ["antiqueen"]}, "'antiqueen': this rule is not known"),
        ({"global": ["disjoint"], "regions": [[[0, 0]], [[0, 1], [0, 2]]]}, "one size"),
    ],
)
def test_refusals_name_the_place(fields, complaint):
    with pytest.raises(CspSudokuError, match=complaint):
        read(**fields)


def test_what_is_not_known_is_left_out_where_that_is_wanted():
    found = read(**{"global": ["antiqueen", "antiknight"]}, lenient=True)
    assert found.puzzle.constraints == (cs.AntiKnight(),)
    assert found.left_out == ("global 'antiqueen': this rule is not known",)


# The shortened form


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{ce:[[,{v:1},]]}", {"cells": [[{}, {"value": 1}, {}]]}),
        ("{ca:[{ce:[[0,0]],v:10}]}", {"cages": [{"cells": [[0, 0]], "value": 10}]}),
        ("{r:t,w:0.5,c:#0,c1:#F,c2:a0B1c2,h:f}", None),
        ("{te:'it\\'s {a:,b}',t:'[,]'}", {"text": "it's {a:,b}", "title": "[,]"}),
        ("{te:'\\\\'}", {"text": "\\"}),
        ('{"te":"a","x y":[,]}', {"text": "a", "x y": [{}, {}]}),
        ("{d2:1,d:2}", {"d": 1, "duration": 2}),
        ("{v:-1.5,x:null,y:true}", {"value": -1.5, "x": None, "y": True}),
    ],
)
def test_shortened_documents(text, value):
    found = unzip(text)
    if value is None:
        value = {
            "rounded": True,
            "width": 0.5,
            "color": "#000000",
            "borderColor": "#FFFFFF",
            "backgroundColor": "#a0B1c2",
            "height": False,
        }
    assert found == value


@pytest.mark.parametrize("text", ["", "5", "{", "{a:b}", "{a:" + "[" * 1000, "{'a", "{a:NaN}"])
def test_what_is_no_shortened_document(text):
    with pytest.raises(FormatError):
        unzip(text)


# Links and ids

PLAIN = lzstring.compress(json.dumps(document(**{"global": ["antiknight"]})))
SHORT = lzstring.compress(
    "{ce:[[,,,],[,,,],[,,,],[,,,]],re:["
    + ",".join(json.dumps(box, separators=(",", ":")) for box in BOXES)
    + "],global:['antiknight'],cs:50}"
)
FPUZZLES = fpuzzles.write_link(cs.Puzzle.blank(4).add(cs.AntiKnight())).removeprefix(fpuzzles.LINK)


@pytest.mark.parametrize("name", [f"scl{PLAIN}", f"ctc{SHORT}", f"fpuz{FPUZZLES}"])
@pytest.mark.parametrize(
    "link",
    [
        "{}",
        "https://sudokupad.app/{}",
        "https:/sudokupad.app/{}",
        '"https://beta.sudokupad.app/{}?setting-nogrid=1"',
        "https://app.crackingthecryptic.com/sudoku/{}",
        "https://app.crackingthecryptic.com/sudoku.html?puzzleid={}",
        "https://test.crackingthecryptic.com/?x=1&puzzleid={}&y=2",
        "sudokupad://puzzle/{}",
    ],
)
def test_links(link, name):
    found = cs.read(link.format(name))
    assert found.constraints == (cs.AntiKnight(),)
    assert found.grids[0].box == (2, 2)
    assert cs.read(link.format(quote(name, safe=""))).constraints == (cs.AntiKnight(),)


def test_a_longer_prefix_is_read_first():
    assert cs.read(f"fpuzzles{FPUZZLES}").constraints == (cs.AntiKnight(),)


def test_slashes_that_a_server_merged_are_restored():
    # A character of many bits makes two slashes.
    text = json.dumps({"id": "\uffff", **document()}, ensure_ascii=False)
    payload = lzstring.compress(text)
    assert "//" in payload
    merged = payload.replace("//", "/")
    assert sudokupad.read_text(f"scl{merged}") == sudokupad.read_text(f"scl{payload}")
    with pytest.raises(FormatError):
        lzstring.decompress(merged)


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        ("https://sudokupad.app/w3qskbfc1o", "'w3qskbfc1o' is the short id of a puzzle"),
        ("https://sudokupad.app/author/some-name", "short id of .* --download"),
        ("https://sudokupad.app", "to no puzzle there"),
        ("https://sudokupad.app/sclabcdefghi", "no document"),
        ("https://sudokupad.app/fpuzabcdefghi", "not sound JSON"),
        ("https://sudokupad.app/scf000", "81 cells"),
        ("https://sudokupad.app/classic000!!", "81 cells"),
        ("scl" + lzstring.compress('{"a":"' + "b" * 99 + '"}'), "0 rows"),
    ],
)
def test_links_that_hold_no_puzzle(link, complaint):
    with pytest.raises(CspSudokuError, match=complaint):
        cs.read(link)


# Compact classics

CLASSIC = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
OTHER = "B6B91D7C2E15F4D9C3K6D4B3D25D4F8F87B4C5B7C3B"


def test_compact_classics():
    name = "scf5NlQ19j9mGca3OIN1bWGk2m41TjS79"
    assert cs.read(name) == cs.read(CLASSIC)
    assert cs.read(name + "xw").constraints == (cs.Diagonals(), cs.Windoku())
    assert cs.read("scfoooooooooooooK").givens == {}
    older = cs.read(f"https://sudokupad.app/classic{OTHER}")
    assert [older.givens.get(cs.Cell(0, c), 0) for c in range(9)] == [0, 6, 0, 9, 1, 0, 0, 0, 7]
    assert len(older.givens) == 23


# Writing and hostile links


def test_documents_that_are_written():
    puzzle = (
        cs.Puzzle.blank(4)
        .with_givens({"R1C1": 1})
        .add(cs.KillerCage("R1C3 R1C4", 7), cs.Sum("R3C3 R4C2", 4), cs.AntiKnight())
    )
    written = json.loads(scl.write_scl(cs.Reading(puzzle, title="T", solution=(1,) * 16)))
    assert written["cells"][0] == [{"value": 1}, {}, {}, {}]
    assert written["regions"] == BOXES
    assert written["cages"] == [
        {
            "cells": [[0, 2], [0, 3]],
            "value": "7",
            "sum": 7,
            "unique": True,
            "outlineC": "#000000",
        },
        {
            "cells": [[2, 2], [3, 1]],
            "value": "4",
            "sum": 4,
            "unique": False,
            "outlineC": "#74cf8a",
        },
    ]
    assert written["global"] == ["antiknight"]
    assert written["metadata"] == {
        "title": "T",
        "solution": "1" * 16,
        "rules": "Normal sudoku rules apply.\n"
        "Cells a knight's move apart hold different values.\n"
        "Digits in a black cage do not repeat and sum to its number, if it has one.\n"
        "Digits in a green cage may repeat and sum to its number.",
    }


def test_marks_between_two_cells_are_drawn_side_by_side():
    grid = cs.Puzzle.blank(2, 3)
    for pair in grid.edges():
        rules = [cs.Ratio(pair), *(cs.Difference(pair, number) for number in (1, 2))]
        written = json.loads(scl.write_scl(cs.Reading(grid.add(*rules))))
        centres = [tuple(mark["center"]) for mark in written["overlays"]]
        first, second = pair
        middle = ((first.row + second.row + 1) / 2, (first.col + second.col + 1) / 2)
        assert centres[0] == middle
        assert len({*centres}) == len(rules)
        along = 0 if first.row == second.row else 1  # the side that the two cells share
        for centre in centres:
            assert centre[1 - along] == middle[1 - along]
            assert abs(centre[along] - middle[along]) < 0.3


def test_written_links_are_read_again():
    puzzle = cs.Puzzle.blank(4).add(cs.KillerCage("R1C1 R1C2", 5)).with_givens({"R4C4": 2})
    link = sudokupad.write_link(puzzle)
    assert link.startswith("https://sudokupad.app/scl")
    assert cs.read(link) == puzzle


@pytest.mark.parametrize(
    "text",
    [
        "scl" + lzstring.compress("{," * 100_000),
        "scl" + "N4Ig/" * 3_000,
        "https://sudokupad.app/" + "a" * 100_000,
        "a." * 100_000 + "sudokupad.app/scl",
        "scf" + "o" * 100_000,
        "classic" + "A" * 100_000,
        "scl" + lzstring.compress(json.dumps({"cells": [[{}] * 65] * 65, "cellSize": 1})),
        json.dumps(document(regions=[[[0, 0]] * 5_000])),
    ],
)
def test_hostile_links_are_refused(text):
    with pytest.raises(CspSudokuError):
        cs.read(text)


def test_an_arrow_of_one_point_is_refused():
    arrow = {"wayPoints": [[0.5, 0.5]], "color": "#000", "headLength": 0.3}
    with pytest.raises(FormatError, match="arrow at R1C1: no sentence"):
        scl.read_document(document(arrows=[arrow]))
