"""A document in which one thing is changed is refused, wherever the change may carry a meaning.

The places are found in documents of all kinds, so a new shape of entries is tested by itself.
"""

import json
import re

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import drawn

RULES = (
    cs.AntiKnight(),
    cs.KillerCage("R1C1 R1C2", 5),
    cs.Whisper("R2C1-R2C3", 2),
    cs.Difference("R3C1 R3C2"),
    cs.PairSum("R3C3 R3C4", 5),
    cs.Quadruple("R1C1-R2C2", [1, 2]),
    cs.Arrow("R4C1", "R4C2 R4C3"),
    cs.PillArrow("R5C1 R5C2", "R6C1-R6C6"),
    cs.Clone(["R1C3", "R2C5"]),
    cs.LittleKiller("R1C2", "SE", 12),
    cs.XSum("R1", 6),
    cs.Odd("R6C6"),
    cs.Minimum("R1C6"),
)
FOREIGN = cs.Puzzle.blank(6).with_givens({"R1C1": 1}).add(*RULES)
OWN = (
    FOREIGN.with_named("x", range(3, 8))
    .with_layer("shaded", [0, 1])
    .with_givens({"R2C2": [2, 3], "$x": [4, 5]})
    .add(
        cs.Sum(["R1C1 R1C2", "$x"], 0, (1, 1, -1)),
        ~cs.Thermometer("R1C1-R1C3") | cs.Diagonals(rising=False),
        cs.Table("R1C1 R1C2", [(1, 2), (3, 4)]),
    )
)
TOLD = cs.Reading(
    cs.Puzzle.blank(4).with_givens({"R1C1": 3}).add(cs.Thermometer("R2C2 R1C2 R1C1")),
    rules="Grey lines with a bulb are thermometers: digits increase from the bulb.",
)
COSMETIC = {
    "size": 6,
    "grid": [[{}] * 6] * 6,
    "ruleset": "Adjacent digits along green lines differ by at least 3. Grey circles are odd. "
    "Clues outside the grid are the sums of the digits between 1 and 6 in their row or column. "
    "Digits do not repeat in a cage and sum to its number.",
    "line": [{"lines": [["R1C1", "R1C2", "R2C3"]], "outlineC": "#67F067", "width": 0.2}],
    "circle": [
        {"cells": ["R6C6"], "baseC": "#CFCFCF", "outlineC": "#CFCFCF", "width": 0.8, "height": 0.8}
    ],
    "text": [{"cells": ["R0C3"], "value": "7", "fontC": "#000", "size": 0.7}],
    "cage": [{"cells": ["R5C1", "R5C2"], "value": "9", "outlineC": "#000"}],
}
DOCUMENTS = {
    "our own": json.loads(cs.write_json(OWN)),
    "f-puzzles": json.loads(cs.write_fpuzzles(FOREIGN)),
    "f-puzzles with drawings": COSMETIC,
    "SudokuMaker": json.loads(cs.write_sudokumaker(FOREIGN)),
    "SudokuPad": json.loads(cs.write_scl(FOREIGN)),
    "SudokuPad with a text": json.loads(cs.write_scl(TOLD)),
}
# What people read, and how things look. A solution that cannot be read confirms nothing.
SILENT = {"title", "author", "solution", "cellSize", "headLength", "angle", "ruleset", "rules"}


def is_silent(keys):
    last = next(key for key in reversed(keys) if isinstance(key, str))
    is_size = last in ("width", "height") and "line" not in keys
    return last in SILENT or (drawn.STYLE.search(last) and not is_size)


def places(value, keys=()):
    """The keys that lead to every part of a document, one of each kind of places."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*keys, key)
        if isinstance(part, dict | list):
            yield from places(part, (*keys, key))


def one_of_each(document):
    kinds = {}
    for keys in places(document):
        kinds.setdefault(tuple(key if isinstance(key, str) else "" for key in keys), keys)
    return kinds.values()


def changed(document, keys, change):
    """A copy of a document in which the part at some keys is changed."""
    copy = json.loads(json.dumps(document))
    holder = copy
    for key in keys[:-1]:
        holder = holder[key]
    holder[keys[-1]] = change(holder[keys[-1]])
    return json.dumps(copy)


def is_refused(text):
    try:
        cs.read(text)
    except CspSudokuError as error:
        return "\n" not in str(error)
    return False


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_documents_are_read(name):
    assert cs.read(json.dumps(DOCUMENTS[name])).grids


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("member", [{"unless": "R1C1"}, {"except": [1]}, {"kind": True}], ids=str)
def test_a_member_that_is_not_known_is_refused_everywhere(name, member):
    document = DOCUMENTS[name]
    assert is_refused(json.dumps(document | member))
    for keys in one_of_each(document):
        if keys in (("metadata",), ("named",)):
            continue  # which hold texts for people, and variables of any name
        text = changed(
            document, keys, lambda part: part | member if isinstance(part, dict) else part
        )
        assert is_refused(text) or text == json.dumps(document), keys


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("key", ["lower", "blank"])
def test_a_member_of_another_name_is_refused(name, key):
    """It is not read, so the puzzle would lack it."""
    document = DOCUMENTS[name]
    names = {"lower": str.swapcase, "blank": lambda name: f"{name} "}[key]
    for keys in one_of_each(document):
        *before, last = keys
        if not isinstance(last, str) or is_silent(keys) or last in ("shaded", "R1C1", "R2C2"):
            continue
        copy = json.loads(json.dumps(document))
        holder = copy
        for step in before:
            holder = holder[step]
        if holder[last] in ([], "", None, False):
            continue
        holder[names(last)] = holder.pop(last)
        assert is_refused(json.dumps(copy)), keys


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("other", [{"x": 1}, "perhaps", [["x"]], 1.5, True], ids=str)
def test_a_value_of_another_type_is_refused(name, other):
    """A flag can be true, a text can be any text; everything else has one type."""
    document = DOCUMENTS[name]
    for keys in one_of_each(document):
        part = document
        for key in keys:
            part = part[key]
        if is_silent(keys) or type(part) is type(other) or part in (None, False):
            continue
        if isinstance(part, float | int) and other == 1.5 and not isinstance(part, bool):
            continue  # a place in a drawing
        assert is_refused(changed(document, keys, lambda _: other)), (keys, part)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_lists_hold_nothing_else(name):
    document = DOCUMENTS[name]
    for keys in one_of_each(document):
        if is_silent(keys):
            continue
        text = changed(
            document, keys, lambda part: [*part, "x"] if isinstance(part, list) else part
        )
        assert is_refused(text) or text == json.dumps(document), keys


BLANK = [[{} for _ in range(4)] for _ in range(4)]
BOXES = [[[r + i, c + k] for i in (0, 1) for k in (0, 1)] for r in (0, 2) for c in (0, 2)]
KNIGHT = "Normal sudoku rules apply.\nAnti-knight"


def sudokupad(**fields):
    return json.dumps({"cells": BLANK, "regions": BOXES, **fields})


def fpuzzles(**fields):
    return json.dumps({"size": 4, "grid": BLANK, **fields})


@pytest.mark.parametrize(
    "text",
    [
        sudokupad(rules=KNIGHT),
        sudokupad(metadata={"rules": KNIGHT}),
        sudokupad(metaData={"rules": KNIGHT.split("\n")}),
        sudokupad(cages=[{"value": f"rules: {KNIGHT}"}]),
        sudokupad(cages=[{"value": "rules: Anti-knight"}], rules="Normal sudoku rules apply."),
        sudokupad(rules="Anti-knight", metadata={"rules": "Normal sudoku rules apply."}),
        sudokupad(cages=[{"value": "antiknight: true"}]),
        sudokupad(metadata={"antiknight": "True"}),
        fpuzzles(ruleset=KNIGHT),
        fpuzzles(cage=[{"cells": ["R1C1"], "value": f"rules: {KNIGHT}"}]),
        fpuzzles(antiknight=True, ruleset="Normal sudoku rules apply."),
        fpuzzles(antiknight="true"),
    ],
)
def test_rules_are_read_wherever_they_are_told(text):
    assert cs.read(text).constraints == (cs.AntiKnight(),)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (sudokupad(rules=["Anti-knight", 5]), "the rules are a text, not 5"),
        (fpuzzles(ruleset={"1": "Anti-knight"}), "the rules are a text"),
        (fpuzzles(antiknight="no"), "antiknight: 'no' is neither true nor false"),
        (fpuzzles(antiknight=1), "antiknight: 1 is neither true nor false"),
        (
            fpuzzles(cage=[{"cells": ["R1C1"], "value": "antiknight: true"}]),
            "'antiknight' is not k",
        ),
        (sudokupad(metadata={"note": "Cells a knight's move apart differ."}), "note: .*not known"),
        (sudokupad(metadata={"antimoon": 1}), "antimoon: this rule is not known"),
        (sudokupad(metadata=[]) + "x", "Extra data"),
        (sudokupad(metadata={"solution": "1" * 16}, solution="2" * 16), "solution is said twice"),
        (sudokupad(cages=[{"value": 5}]), "cage 1: it has no cells"),
        (
            sudokupad(cages=[{"cells": [[0, 0]], "type": "killer"}]),
            "its type 'killer' is not known",
        ),
        (
            sudokupad(cages=[{"cells": [[0, 0], [0, 1]], "sum": 5, "value": "7"}]),
            "sum is 5, and .*'7'",
        ),
        (sudokupad(cages=[{"cells": [[0, 0]], "unique": "true"}]), "unique is true or false"),
        (
            sudokupad(lines=[{"d": "M0 0L64 64", "color": "#000"}]),
            "line 1: it goes through no points",
        ),
        (sudokupad(lines=["R1C1"]), "line 1: 'R1C1' is not an object"),
        (sudokupad(cells=[[{"given": True}] * 4] * 4), "R1C1: it is given, and has no value"),
        (fpuzzles(killercage=[{"cells": [], "value": "5"}]), "killercage 1: it has no cells"),
        (fpuzzles(killercage=[{"cells": ["R1C1", "R1C1"], "value": "5"}]), "it has R1C1 twice"),
        (fpuzzles(whispers=[{"lines": [["R1C1", "R1C1", "R1C2"]]}]), "goes from R1C1 to R1C1"),
        (fpuzzles(line={"lines": [["R1C1", "R1C2"]]}), "is not a list"),
    ],
)
def test_what_is_refused(text, complaint):
    with pytest.raises(FormatError, match=complaint):
        cs.read(text)


def test_unknown_texts_about_nothing_are_left_alone():
    metadata = {"setter": "Ann", "source": "a book of mine", "msgcorrect": "Digits!"}
    assert cs.read(sudokupad(metadata=metadata)).constraints == ()


def test_a_hidden_cage_counts_if_it_says_more_than_a_house():
    hidden = {"cells": BOXES[0], "unique": True, "hidden": True}
    assert cs.read(sudokupad(cages=[hidden, {**hidden, "sum": 10}])).constraints == ()
    cage = {**hidden, "cells": [[0, 0], [0, 1]], "sum": 5}
    assert cs.read(sudokupad(cages=[cage])).constraints == (cs.KillerCage("R1C1 R1C2", 5),)


GRID = "1..............."


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"puzzle,rules\n{GRID},anti-knight\n", "'rules' may hold rules"),
        (f"puzzle,id\n{GRID},1,2\n", "row 2: 3 fields where 2 are needed"),
        (f"puzzle,puzzle\n{GRID},{GRID}\n", "two columns are called 'puzzle'"),
        (json.dumps({"puzzle": GRID, "constraints": [1]}), "'constraints' may hold rules"),
        ('{"puzzle": "1...............", "puzzle": "2..............."}', "a key occurs twice"),
        (f'<opensudoku><game data="{GRID}" rules="x"/></opensudoku>', "'rules' in the OpenSudoku"),
        (f'<opensudoku><game data="{GRID}" cells_data="{GRID[::-1]}"/></opensudoku>', "two grids"),
        (f'<opensudoku><!-- X --><game data="{GRID}"/></opensudoku>', "may be a rule"),
        (f"[Puzzle]\n{GRID}\n[Cages]\n1 2", r"line 3: the section \[Cages\] is not understood"),
        (".Shape~4x4.NoBoxes~R1C1", "NoBoxes"),
        (".Shape~4x4.Or.AntiKnight.End~R1C1", "'R1C1' has no meaning there"),
        (".Shape~4x4.RegionSize~2.RegionSize~4", "there is another RegionSize"),
        (".Shape~4x4.Lunchbox~~R1C1~R1C2", "Lunchbox.*its sum is missing"),
    ],
)
def test_what_stands_beside_a_puzzle_may_be_a_rule(text, complaint):
    with pytest.raises(FormatError, match=complaint):
        list(cs.read_many(text))


def test_tables_that_say_that_there_are_only_the_usual_rules():
    [puzzle] = cs.read_many(f"id,puzzle,variant\n1,{GRID},classic\n")
    assert puzzle == cs.read(GRID)


def test_a_link_has_rules_of_its_own_which_a_table_may_repeat():
    line = {"puzzle": cs.write_link(FOREIGN), "rules": "Normal sudoku rules apply. Anti-knight."}
    assert list(cs.read_many(json.dumps(line))) == [FOREIGN]


@pytest.mark.parametrize("write", [cs.write_link, cs.formats.sudokumaker.write_link])
def test_a_link_holds_one_puzzle(write):
    link, other = write(GRID), write("2...............")
    key, _, payload = other.partition("?")[2].partition("=")
    assert cs.read(f"{link}&{key}={link.partition(key + '=')[2]}") == cs.read(GRID)
    with pytest.raises(FormatError, match=f"{key}= stands twice"):
        cs.read(f"{link}&{key}={payload}")
    with pytest.raises(FormatError):
        cs.read(link + other)


DESCRIBED = cs.Puzzle.blank(4).with_givens({"R1C1": 1}).add(cs.Thermometer("R1C1-R1C3"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- values", "* values"),
        ("values increase", "values decrease"),
        ("thermometer R1C1 R1C2", "thermometer R2C1 R1C2"),
        ("in a column or in a box", "or in a box"),
        ("1 2 3 4", "0 1 2 3"),
        ("Grid,", "Values in cages differ.\nGrid,"),
    ],
)
def test_the_sentences_of_a_description_say_what_its_data_say(old, new):
    text = cs.describe(DESCRIBED)
    assert cs.read(text.replace("\n", "\n\n  ")) == DESCRIBED
    assert old in text
    with pytest.raises(FormatError, match=r"line \d+: .* stands where .* is needed"):
        cs.read(text.replace(old, new))


def test_every_sentence_of_every_rule_is_compared():
    """The data of a rule cannot be changed without its sentence."""
    text = cs.describe(FOREIGN)
    for found in re.finditer(r"R[1-6]C[1-6]", text):
        other = text[: found.start()] + "R6C1" + text[found.end() :]
        if found[0] != "R6C1":
            assert is_refused(other), found
