"""f-puzzles: what its entries mean, links from a clipboard, round trips, refusals."""

import json
import re
from contextlib import suppress
from functools import cache
from urllib.parse import quote

import pytest

import csp_sudoku as cs
from csp_sudoku import constraints
from csp_sudoku.checking.verify import keeps_rules
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import NotUnderstood, Reading, fpuzzles, lzstring, read_with_notes
from csp_sudoku.formats.reading import Help


def document(size=4, **fields):
    return {"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)], **fields}


def read(size=4, *, lenient=False, **fields):
    return fpuzzles.read_text(json.dumps(document(size, **fields)), Help(lenient))


LINE = ["R1C1", "R1C2", "R1C3"]
PAIR = ["R1C1", "R1C2"]
EVERY_SIDE = {"R0C2": ("C2", False), "R5C2": ("C2", True), "R2C0": ("R2", False)}

# A field of the document, and the constraints it stands for.
FIELDS = [
    ({"diagonal+": True}, [cs.Diagonals(falling=False)]),
    ({"diagonal-": True}, [cs.Diagonals(rising=False)]),
    ({"antiknight": True}, [cs.AntiKnight()]),
    ({"antiking": True, "antiknight": False}, [cs.AntiKing()]),
    ({"disjointgroups": True}, [cs.DisjointGroups()]),
    ({"nonconsecutive": True}, [cs.Nonconsecutive()]),
    ({"negative": ["ratio", "xv"]}, [cs.NegativeKropki((), (2,)), cs.NegativeXV()]),
    (  # A dot exempts its pair from the rule for unmarked pairs.
        {"nonconsecutive": True, "difference": [{"cells": PAIR}]},
        [cs.Difference(PAIR), cs.NegativeKropki((1,), ())],
    ),
    (  # The ratios that occur are those that must be marked.
        {"negative": ["ratio"], "ratio": [{"cells": PAIR, "value": "3"}]},
        [cs.Ratio(PAIR, 3), cs.NegativeKropki((), (3,))],
    ),
    ({"killercage": [{"cells": PAIR, "value": "5"}]}, [cs.KillerCage(PAIR, 5)]),
    ({"killercage": [{"cells": PAIR, "value": ""}]}, [cs.KillerCage(PAIR)]),
    ({"cage": [{"cells": PAIR, "value": "DR3"}]}, [cs.KillerCage(PAIR, (3,))]),
    (
        {"arrow": [{"cells": ["R1C1"], "lines": [LINE, ["R1C1", "R2C2"]]}]},
        [cs.Arrow("R1C1", "R1C2 R1C3"), cs.Arrow("R1C1", "R2C2")],
    ),
    (
        {"arrow": [{"cells": PAIR, "lines": [["R1C2", "R2C2", "R3C3"]]}]},
        [cs.PillArrow(PAIR, "R2C2 R3C3")],
    ),
    ({"arrow": [{"cells": ["R1C1"], "lines": [["R1C1"]]}, {"cells": ["R2C1"], "lines": []}]}, []),
    (
        {"littlekillersum": [{"cell": "R0C3", "direction": "DL", "value": "5"}]},
        [cs.LittleKiller("R1C2", "SW", 5)],
    ),
    (
        {"littlekillersum": [{"cell": "R4C1", "direction": "UR", "value": 5}]},
        [cs.LittleKiller("R4C1", "NE", 5)],
    ),
    ({"littlekillersum": [{"cell": "R0C3", "direction": "DL", "value": "0"}]}, []),
    ({"thermometer": [{"lines": [LINE, PAIR]}]}, [cs.Thermometer(LINE), cs.Thermometer(PAIR)]),
    ({"slowthermometer": [{"lines": [LINE]}]}, [cs.SlowThermometer(LINE)]),
    ({"palindrome": [{"lines": [LINE]}]}, [cs.Palindrome(LINE)]),
    ({"renban": [{"lines": [LINE]}]}, [cs.Renban(LINE)]),
    ({"betweenline": [{"lines": [LINE]}]}, [cs.Between(LINE)]),
    ({"doublearrow": [{"lines": [LINE, PAIR]}]}, [cs.DoubleArrow(LINE)]),
    ({"zipperline": [{"lines": [LINE]}]}, [cs.Zipper(LINE)]),
    ({"nabner": [{"lines": [LINE]}]}, [cs.Nabner(LINE)]),
    ({"whispers": [{"lines": [LINE]}]}, [cs.Whisper(LINE)]),
    ({"whispers": [{"lines": [LINE], "value": "3"}]}, [cs.Whisper(LINE, 3)]),
    ({"germanwhispers": [{"lines": [LINE]}]}, [cs.Whisper(LINE)]),
    ({"dutchwhispers": [{"lines": [LINE]}]}, [cs.Whisper(LINE, 1)]),
    ({"regionsumline": [{"lines": [LINE]}]}, [cs.RegionSum(LINE)]),
    ({"entropicline": [{"lines": [LINE]}]}, [cs.Entropic(LINE)]),
    ({"modularline": [{"lines": [LINE]}]}, [cs.Modular(LINE)]),
    ({"lockout": [{"lines": [LINE]}]}, [cs.Lockout(LINE)]),
    ({"difference": [{"cells": PAIR, "value": 2}]}, [cs.Difference(PAIR, 2)]),
    ({"ratio": [{"cells": PAIR}]}, [cs.Ratio(PAIR)]),
    (
        {"xv": [{"cells": PAIR, "value": v} for v in ("x", "V", "")]},
        [cs.PairSum(PAIR, 10), cs.PairSum(PAIR, 5)],
    ),
    ({"odd": [{"cell": "R1C1"}], "even": [{"cell": "R2C2"}]}, [cs.Odd("R1C1"), cs.Even("R2C2")]),
    (
        {"minimum": [{"cell": "R1C1"}], "maximum": [{"cell": "R2C2"}]},
        [cs.Minimum("R1C1"), cs.Maximum("R2C2")],
    ),
    ({"extraregion": [{"cells": LINE}]}, [cs.AllDifferent(LINE)]),
    (
        {"clone": [{"cells": ["R1C1", "R4C4"], "cloneCells": ["R2C3", "R4C4"]}]},
        [cs.Clone([["R1C1"], ["R2C3"]])],
    ),
    (
        {"quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, 1]}]},
        [cs.Quadruple("R1C1-R2C2", (1, 1))],
    ),
    ({"quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": []}]}, []),
    (
        {"xsum": [{"cell": cell, "value": "5"} for cell in EVERY_SIDE]},
        [cs.XSum(line, 5, reverse) for line, reverse in EVERY_SIDE.values()],
    ),
    (
        {"skyscraper": [{"cell": "R2C5", "value": "2"}, {"cell": "R1C5", "value": ""}]},
        [cs.Skyscraper("R2", 2, reverse=True)],
    ),
    (
        {"sandwichsum": [{"cell": "R5C2", "value": "0"}, {"cell": "R2C0", "value": 3}]},
        [cs.Sandwich("C2", 0), cs.Sandwich("R2", 3)],
    ),
    (
        {"rowindexer": [{"cells": PAIR}], "columnindexer": [{"cells": PAIR}]},
        [cs.RowIndexing(PAIR), cs.ColumnIndexing(PAIR)],
    ),
    ({"boxindexer": [{"cells": PAIR}]}, [cs.BoxIndexing(PAIR)]),
    ({"fogofwar": ["R1C1"], "disabledlogic": ["tuples"], "metadata": {"source": "a"}}, []),
]


@pytest.mark.parametrize(("fields", "rules"), FIELDS)
def test_fields(fields, rules):
    assert list(read(**fields).puzzle.constraints) == rules


# The grid


def test_givens_and_pencil_marks():
    grid = document()["grid"]
    grid[0] = [
        {"value": 1, "given": True},
        {"value": 2},  # entered by a player
        {"givenPencilMarks": [3, 4], "centerPencilMarks": [3]},
        {"givenPencilMarks": None, "c": "#FFF"},
    ]
    grid[1][0] = {"value": 3, "given": True, "givenPencilMarks": [1]}
    puzzle = read(grid=grid).puzzle
    assert puzzle.givens == {cs.Cell(0, 0): 1, cs.Cell(1, 0): 3}
    assert puzzle.candidates_of("R1C2") == (1, 2, 3, 4)
    assert puzzle.candidates_of("R1C3") == (3, 4)


def test_default_boxes():
    for side, box in {4: (2, 2), 6: (2, 3), 8: (2, 4), 10: (2, 5), 12: (3, 4), 7: (1, 7)}.items():
        assert read(side).puzzle.grids[0].box == box


def test_regions():
    grid = document()["grid"]
    for r in range(4):
        for c in range(4):
            grid[r][c]["region"] = c if r else None
    with pytest.raises(FormatError, match="region 0 at R2C1: has 3 cells where 4 are needed"):
        read(grid=grid)
    for c in range(4):
        grid[0][c]["region"] = c
    puzzle = read(grid=grid, disjointgroups=True).puzzle
    assert puzzle.grids[0].boxes[1] == puzzle.column(1)
    assert int(cs.count(puzzle, "sat")) == 576
    for row in grid:
        for cell in row:
            cell["region"] = None
    assert read(grid=grid).puzzle.grids[0].boxes == ()


def test_irregular_disjoint_groups():
    layout = ["0112", "0112", "0022", "3333"]
    grid = [[{"region": int(sign)} for sign in row] for row in layout]
    rules = read(grid=grid, disjointgroups=True).puzzle.constraints
    assert rules[0] == cs.AllDifferent("R1C1 R1C2 R1C4 R4C1")
    assert len(rules) == 4


# What it tells people


def test_text_and_solution():
    found = read(title="T", author="A", ruleset="Normal rules.", solution=[*range(1, 16), "."])
    assert (found.title, found.author, found.rules) == ("T", "A", "Normal rules.")
    assert found.solution == (*range(1, 16), None)
    assert read(solution="1234341221434321").solution[:4] == (1, 2, 3, 4)
    assert read(solution=["."] * 16).solution == ()
    assert read(solution={"a": 1}).solution == ()
    full = [[{"value": int(v)} for v in row] for row in ("1234", "3412", "2143", "4321")]
    assert read(grid=full).solution[:4] == (1, 2, 3, 4)
    full[3].reverse()
    assert read(grid=full).solution == ()


def test_rules_that_only_the_text_tells_are_read():
    found = read(ruleset="Normal sudoku rules apply. Anti-knight applies.")
    assert found.puzzle.constraints == (cs.AntiKnight(),)
    assert read(ruleset="Anti-knight applies.", antiknight=True).puzzle == found.puzzle


def test_a_sentence_that_is_not_understood_is_quoted():
    text = "Normal sudoku rules apply. Digits on a moonbeam are shy."
    with pytest.raises(FormatError, match="'Digits on a moonbeam are shy' is not understood"):
        read(ruleset=text)
    found = read(ruleset=text, lenient=True)
    assert [item.kind for item in found.missing] == ["rules text"]


PICTURE = {"lines": [LINE], "width": 0.25}
DIAMOND = {"cells": ["R1C1"], "width": 0.5, "height": 0.5, "baseC": "#AAA", "isLLConstraint": True}


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"line": [PICTURE]}, "line at R1C1 R1C2 R1C3: no sentence"),
        ({"circle": [{"cells": ["R1C1"], "width": 0.5, "height": 0.5, "baseC": "#AAA"}]}, "R1C1"),
        ({"cage": [{"cells": PAIR, "value": "12"}]}, "cage '12' at R1C1 R1C2: no sentence"),
        ({"cage": [{"cells": ["R1C9"], "value": "12"}]}, "cage 1: R1C9 is outside"),
    ],
)
def test_drawings_that_nothing_explains_are_refused(fields, complaint):
    with pytest.raises(FormatError, match=complaint):
        read(**fields)
    assert read(**fields, lenient=True).missing[0].kind == "drawing"


def test_drawings_of_rules_that_are_there():
    assert read(line=[PICTURE], renban=[{"lines": [LINE]}]).left_out == ()
    assert read(cage=[{"value": "a: b"}]).left_out == ()
    assert read(rectangle=[DIAMOND], lockout=[{"lines": [LINE]}]).left_out == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"line": [PICTURE | {"fromConstraint": "Renban"}], "renban": [{"lines": [LINE[1:]]}]},
        {"line": [PICTURE | {"isNewConstraint": True}]},
        {"rectangle": [DIAMOND | {"cells": ["R4C1"]}], "lockout": [{"lines": [LINE]}]},
    ],
)
def test_drawings_that_claim_to_picture_a_rule_that_is_not_there(fields):
    with pytest.raises(FormatError, match="no sentence says what it means"):
        read(**fields)


# Refusals


DIAGONAL = {"cell": "R0C1", "direction": "DR", "value": "9"}

REFUSED = [
    ({"sum": [{"cells": PAIR}]}, "sum: this kind of constraint is not known"),
    ({"killercage": [{"cells": ["R1C1", "R5C1"]}]}, "killercage 1: .*R5C1 is outside"),
    ({"killercage": [{"cells": PAIR, "value": "a"}]}, "killercage 1: 'a' is not a whole number"),
    ({"killercage": [{"cells": ["C1"]}]}, "killercage 1: 'C1' is not a cell"),
    ({"killercage": [5]}, "killercage 1: 5 is not an object"),
    ({"killercage": 5}, "killercage: 5 is not a list"),
    ({"thermometer": [{"lines": [[5]]}]}, "thermometer 1: 5 is not a cell"),
    ({"littlekillersum": [{"cell": "R0C3", "direction": "N", "value": 5}]}, "'N' is not known"),
    ({"littlekillersum": [{"cell": "R0C5", "direction": "DR", "value": 5}]}, "R1C6 is outside"),
    ({"xv": [{"cells": PAIR, "value": "Z"}]}, "'Z' is neither X nor V"),
    ({"difference": [{"cells": LINE}]}, "exactly 2 cells"),
    ({"xsum": [{"cell": "R1C1", "value": "5"}]}, "not beside a row"),
    ({"clone": [{"cells": PAIR, "cloneCells": LINE}]}, "2 cells are cloned to 3"),
    ({"negative": ["renban"]}, "negative: 'renban' is not known"),
    ({"minimum": [{"cell": "R9C9"}]}, "minimum: "),
    ({"size": 5}, "4 rows where the size is 5"),
    ({"size": 0.5}, "0.5 is not a whole number"),
    ({"grid": [[]] * 4}, "row 1 has 0 cells"),
    ({"grid": []}, "0 rows"),
    ({"grid": [[{"region": "a"}] * 4] * 4}, "R1C1: its region 'a'"),
    ({"grid": [[{"value": "a"}] * 4] * 4}, "R1C1: 'a' is not a whole number"),
    ({"grid": [[{"value": 5, "given": True}] * 4] * 4}, "5 is not a value"),
    ({"grid": [[{"value": 1, "given": "no"}] * 4] * 4}, "R1C1: given is true or false, not 'no'"),
    ({"grid": [[{"value": 1, "given": 1}] * 4] * 4}, "R1C1: given is true or false, not 1"),
    ({"grid": [[{"maximum": 3}] * 4] * 4}, "R1C1: its member 'maximum' is not known"),
    (
        {"littlekillersum": [DIAGONAL | {"cells": ["R1C2", "R2C3"]}]},
        "its cells are not those of its diagonal",
    ),
    (
        {"arrow": [{"cells": ["R1C1"], "lines": [["R2C1", "R3C1"]]}]},
        "shaft begins at R2C1, which is not in its circle",
    ),
]


@pytest.mark.parametrize(("fields", "complaint"), REFUSED)
def test_refusals_name_the_place(fields, complaint):
    with pytest.raises(FormatError, match=complaint):
        fpuzzles.read_text(json.dumps(document() | fields))


@pytest.mark.parametrize(("fields", "rules"), FIELDS)
def test_an_entry_with_a_member_that_is_not_known_is_refused(fields, rules):
    """It may change what the others mean. Colours and sizes do not, nor what is empty."""
    for key, value in fields.items():
        for place, entry in enumerate(value if isinstance(value, list) else ()):
            if isinstance(entry, dict):
                others = [*value[:place], entry | {"unless": "R3C3"}, *value[place + 1 :]]
                with pytest.raises(FormatError, match=f"{key}.*its member 'unless' is not known"):
                    read(**fields | {key: others})
                others[place] = entry | {"unless": "", "baseC": "#CFCFCF", "width": 0.5}
                assert list(read(**fields | {key: others}).puzzle.constraints) == rules


def test_what_is_not_known_is_left_out_where_that_is_wanted():
    cages = [{"cells": PAIR, "value": "a"}, {"cells": PAIR, "value": "5"}]
    found = read(killercage=cages, yinyang=True, lenient=True)
    assert found.puzzle.constraints == (cs.KillerCage(PAIR, 5),)
    assert len(found.left_out) == 2
    assert cs.read(json.dumps(document(yinyang=True)), lenient=True).left_out
    with pytest.raises(FormatError, match="yinyang"):
        cs.read(json.dumps(document(yinyang=True)))


def test_a_rule_for_unmarked_pairs_goes_with_a_mark_that_is_left_out():
    ratio = [{"cells": PAIR, "value": "a"}]
    found = read(ratio=ratio, negative=["ratio"], lenient=True)
    assert found.puzzle.constraints == ()
    assert [sentence.partition(":")[0] for sentence in found.left_out] == ["ratio 1", "negative"]


def test_what_is_not_understood_is_kept_as_data():
    found = read(ratio=[{"cells": PAIR, "value": "a"}], yinyang=True, lenient=True)
    assert found.missing == (
        NotUnderstood("ratio", "ratio 1", "'a' is not a whole number"),
        NotUnderstood("yinyang", "yinyang", "this kind of constraint is not known"),
    )
    assert found.left_out == tuple(map(str, found.missing))


def test_a_kind_that_only_begins_like_a_mark_takes_no_rule_with_it():
    found = read(ratios=[{"cells": PAIR}], negative=["ratio"], lenient=True)
    assert found.puzzle.constraints == (cs.NegativeKropki((), (2,)),)


# Links


# This title gives a payload with every sign that suffers in links.
TEXT = json.dumps(document(title="Ünïcödé quer Viktor", antiknight=True), ensure_ascii=False)
PAYLOAD = lzstring.compress(TEXT)


@pytest.mark.parametrize(
    "link",
    [
        f"https://www.f-puzzles.com/?load={PAYLOAD}",
        f"https://f-puzzles.com/#load={PAYLOAD}",
        f"https://www.f-puzzles.com/?x=1&load={PAYLOAD}&y=2",
        f"https:/www.f-puzzles.com/?load={PAYLOAD}",
        f"'https://www.f-puzzles.com/?load={PAYLOAD}'\n",
        f"https://www.f-puzzles.com/?load={quote(PAYLOAD, safe='')}",
        f"https://www.f-puzzles.com/?load={PAYLOAD.replace('+', ' ')}",
        quote(f"https://www.f-puzzles.com/?load={PAYLOAD}", safe=""),
        f"load={PAYLOAD}",
        PAYLOAD,
        PAYLOAD.rstrip("="),
        PAYLOAD.rstrip("=") + "===",
        TEXT,
    ],
)
def test_links_from_a_clipboard(link):
    assert set("+/=") <= set(PAYLOAD)
    assert cs.read(link).constraints == (cs.AntiKnight(),)


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        ("https://www.f-puzzles.com/?id=y7bdcx3n", "only the number of a puzzle"),
        ("https://www.f-puzzles.com/?load=", "breaks off"),
        ("https://www.f-puzzles.com/?load=N4IgzglgXgp", "breaks off"),
        (fpuzzles.LINK + lzstring.compress("5"), "not an object"),
        (fpuzzles.LINK + lzstring.compress("{"), "not sound JSON"),
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VZ", "penpa link is damaged"),
        ("https://example.com/puzzle", "example.com"),
    ],
)
def test_links_that_hold_no_puzzle(link, complaint):
    with pytest.raises(FormatError, match=complaint):
        cs.read(link)


def test_a_document_brings_its_own_grid():
    with pytest.raises(FormatError, match="leave out"):
        cs.read(TEXT, size=4)


# Writing


@cache
def grids():
    return [dict(solution) for solution in cs.solutions(cs.Puzzle.blank(4), "sat")]


def solution_set(puzzle):
    return [keeps_rules(puzzle, grid) for grid in grids()]


def examples():
    """Every example of a constraint that fits a plain grid."""
    for name in constraints.__all__:
        for rule in getattr(getattr(constraints, name), "examples", tuple)():
            with suppress(CspSudokuError):
                puzzle = cs.Puzzle.blank(4).add(rule)
                if not puzzle.named:
                    yield puzzle


@pytest.mark.parametrize("part", range(10))
def test_every_constraint_is_written_or_refused_by_name(part):
    for puzzle in [*examples()][part::10]:
        check_it_is_written_or_refused(puzzle)


def check_it_is_written_or_refused(puzzle):
    [rule] = puzzle.constraints
    written = fpuzzles.write_fpuzzles(puzzle, lenient=True)
    found = fpuzzles.read_text(written, Help(lenient=True))
    if found.puzzle.constraints or solution_set(found.puzzle) == solution_set(puzzle):
        assert solution_set(found.puzzle) == solution_set(puzzle)
    else:
        # The rules text says it, so a reader that does not understand it refuses the document.
        with pytest.raises(FormatError, match=re.escape(rule.label)):
            fpuzzles.read_text(written)
    if rule.label in found.rules:
        with pytest.raises(FormatError, match=re.escape(rule.label)):
            fpuzzles.write_fpuzzles(puzzle)
    else:
        assert fpuzzles.read_text(fpuzzles.write_fpuzzles(puzzle)) == found


@pytest.mark.parametrize(("fields", "rules"), FIELDS)
def test_what_is_read_is_written_again(fields, rules):
    puzzle = read(**fields).puzzle
    assert fpuzzles.read_text(fpuzzles.write_link(puzzle)).puzzle == puzzle


def test_a_round_trip_keeps_the_solutions():
    puzzle = cs.Puzzle.blank(4).add(cs.KillerCage("R1C1 R2C1", 5), cs.Windoku(), cs.XSum("R1", 3))
    puzzle = puzzle.with_givens({"R4C4": [1, 2], "R3C3": [3]})
    again = cs.read(fpuzzles.write_link(puzzle))
    assert set(cs.solutions(again, "sat")) == set(cs.solutions(puzzle, "sat"))


def test_a_reading_is_written_with_all_it_tells():
    full = "1234341221434321"
    found = read(title="T", author="A", ruleset="Have fun!", solution=full, renban=[])
    assert (found.title, found.author, found.rules) == ("T", "A", "Have fun!")
    assert fpuzzles.read_text(fpuzzles.write_fpuzzles(found)) == found


def test_regions_are_written():
    for puzzle in (
        cs.Puzzle.blank(4, box=None),
        cs.Puzzle.blank(4, box=(1, 4)),
        cs.Puzzle.blank(4, regions="0112 0112 0022 3333"),
        cs.Puzzle.blank(6, box=(3, 2)),
    ):
        again = fpuzzles.read_text(fpuzzles.write_fpuzzles(puzzle)).puzzle
        assert sorted(map(sorted, again.grids[0].boxes)) == sorted(
            map(sorted, puzzle.grids[0].boxes)
        )


UNWRITABLE = [
    (cs.Puzzle.blank(4, values=range(4)), "values 1 to 4"),
    (cs.Puzzle.blank(4, 6), "square"),
    (cs.Puzzle.blank(4, row_houses=False), "rows or columns"),
    (cs.Puzzle.blank(4).with_named("x", [1]), r"\$x"),
    (cs.Puzzle.blank(4).with_givens({"R1C1": []}), "R1C1"),
    (cs.Puzzle.blank(4, regions=["R1C1-R1C3"]), "of 3 as at R1C1"),
    (
        cs.Puzzle.blank(4).add(cs.Nonconsecutive(), cs.Difference(PAIR)),
        "nonconsecutive",  # there, the dot would exempt its pair
    ),
    (cs.Puzzle.blank(4).add(cs.PairSum(PAIR, 6)), "pair-sum at R1C1"),
    (cs.Puzzle.blank(4).add(cs.PillArrow("R1C2 R1C1", "R2C2")), "pill-arrow at R1C2"),
    (cs.read(json.dumps(document(yinyang=True)), lenient=True), "yinyang"),
]


@pytest.mark.parametrize(("puzzle", "complaint"), UNWRITABLE)
def test_what_cannot_be_written_is_named(puzzle, complaint):
    with pytest.raises(FormatError, match=complaint):
        fpuzzles.write_fpuzzles(puzzle)


# Hostile documents


HOSTILE = [
    '{"size": NaN, "grid": [[]]}',
    '{"size": 1e999, "grid": [[]]}',
    '{"size": ' + "9" * 5000 + ', "grid": [[]]}',
    '{"size": 1000000000, "grid": []}',
    '{"grid": ' + "[" * 100_000,
    '{"size": 4, "size": 4, "grid": []}',
    json.dumps(document(thermometer=[{"lines": [PAIR * 10_000]}])),
    json.dumps(document(thermometer=[{"lines": [PAIR]}] * 11_000)),
    json.dumps(document(maximum=[{"cell": "R1C1"}] * 2_000)),
    fpuzzles.LINK + lzstring.compress("[" * 300_000),
    fpuzzles.LINK + lzstring.compress('{"' + "a" * 300_000),
    "load=" + "N4Ig" * 100_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_documents_are_refused(text):
    with pytest.raises(CspSudokuError):
        fpuzzles.read_text(text)


@pytest.mark.parametrize("text", ["{}", '{"grid": 5}', '{"format": "csp-sudoku"}', "5" * 16, "{"])
def test_documents_of_others_are_not_taken(text):
    taken = fpuzzles.recognises(text)
    assert taken == (text == '{"grid": 5}')


def test_reading_is_frozen_and_comparable():
    assert Reading(cs.Puzzle.blank(4)) == read_with_notes(cs.Puzzle.blank(4))
