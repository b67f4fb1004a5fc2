"""JSON documents: exact both ways for every puzzle and constraint, and precise in refusing."""

import inspect
import json
import re
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_sudoku.cells import cells
from csp_sudoku.constraints import registry
from csp_sudoku.formats import read, schema, write_json


def document(**parts):
    return {"format": "csp-sudoku", "version": 1, "grids": [{"rows": 9}], **parts}


def constraint(**parts):
    return document(constraints=[parts])


SCHEMA = schema()
NINE = tuple(range(1, 10))
JIGSAW = "AAABBBADBBBEADDEEECDDDEFCCFEFFCCCFFF"
PUZZLES = [
    cs.Puzzle.blank(9),
    cs.Puzzle.blank(1),
    cs.Puzzle.blank(6, box=(3, 2)),
    cs.Puzzle.blank(9, box=None),
    cs.Puzzle.blank(4, 6, values=range(-2, 4)),
    cs.Puzzle.blank(9, values=[1, 5, 10**30]),
    cs.Puzzle.blank(6, regions=JIGSAW),
    cs.Puzzle.blank(9, row_houses=False, column_houses=False),
    cs.Puzzle.overlapping(
        cs.Grid(9, 9, NINE, box=(3, 3), top=top, left=left)
        for top, left in [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)]
    ),
    cs.Puzzle.blank(4).with_givens({"R1C1": 1, "R1C2": [2, 3], "R4C4": [], "R2C2": [1, 2, 3, 4]}),
    cs.Puzzle.blank(4).with_named("x", [3, 5]).with_givens({"R1C1": 1, "$x": 5}),
    cs.Puzzle.blank(4).with_named("x", [3, 5]).add(cs.Sum(["R1C1 R1C2", "$x"], 0, (1, 1, -1))),
    cs.Puzzle.blank(4).add(
        cs.Table("R1C1 R1C2", [(1, 2), (3, 4)]) | ~(cs.AntiKnight() & cs.KillerCage("R1C1 R2C2", 5))
    ),
    cs.Puzzle.blank(4).add(cs.AntiKnight(), cs.AntiKnight()),
]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=str)
def test_a_puzzle_is_read_back_exactly(puzzle):
    text = write_json(puzzle)
    assert read(text) == puzzle
    assert write_json(read(text)) == text
    assert not list(complaints(json.loads(text), SCHEMA))


EXAMPLES = [
    (name, example)
    for name, found in registry.built_in().items()
    for example in found.examples()
    if name != "fold" and not inspect.isfunction(getattr(example, "predicate", None))
]


def around(rule):
    """A puzzle that this rule fits."""
    for side in (9, 8, 6, 4, 3):
        for raw in ({}, {"box": None}, {"row_houses": False, "column_houses": False}):
            try:
                return cs.Puzzle.blank(side, **raw).add(rule)
            except cs.CspSudokuError:
                continue
    return None


@pytest.mark.parametrize("name", registry.built_in())
def test_every_constraint_joins_by_itself(name):
    examples = [example for found, example in EXAMPLES if found == name]
    fitting = [puzzle for example in examples if (puzzle := around(example))]
    if name == "fold":
        with pytest.raises(cs.FormatError, match=r"constraints\[0\]: fold .* Python object"):
            write_json(cs.Puzzle.blank(4).add(cs.fold("R1C1", 0, max, bool)))
        return
    assert name == "house" or fitting, "its examples fit no puzzle"
    for puzzle in fitting:
        text = write_json(puzzle)
        assert read(text) == puzzle
        assert not list(complaints(json.loads(text), SCHEMA))


@pytest.mark.parametrize(
    "rule", [cs.where("R1C1", bool), cs.Mark("R1C1", bool, "m"), cs.unmarked("m", bool, "cells")]
)
def test_a_predicate_joins_as_text_and_not_as_a_function(rule):
    puzzle = cs.Puzzle.blank(4)
    with pytest.raises(
        cs.FormatError, match=r"constraints\[0\]: .* its predicate is a Python function and no text"
    ):
        write_json(puzzle.add(rule))
    text = write_json(puzzle.add(replace(rule, predicate="a != 0")))
    assert '"predicate": "a != 0"' in text
    assert read(text) == puzzle.add(replace(rule, predicate="a != 0"))


def test_a_house_joins_too():
    puzzle = cs.Puzzle.blank(4).add(cs.House("R1C1 R2C2", "my house"))
    assert read(write_json(puzzle)) == puzzle


leaves = st.sampled_from(
    [
        cs.AntiKnight(),
        cs.Diagonals(rising=False),
        cs.Thermometer("R1C1-R1C3"),
        cs.KillerCage("R1C1 R1C2"),
        cs.KillerCage("R1C1 R1C2", 5),
        cs.Arrow("R1C1", "R2C2 R3C3"),
        cs.Table("R1C1", [(1,), (2,)]),
    ]
)
rules = st.recursive(
    leaves,
    lambda inner: st.one_of(
        inner.map(cs.Not),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: cs.And(tuple(parts))),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: cs.Or(tuple(parts))),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.lists(rules, max_size=4))
def test_nested_combinations_are_read_back(constraints):
    puzzle = cs.Puzzle.blank(4).add(*constraints)
    assert read(write_json(puzzle)) == puzzle


def test_what_hand_written_documents_may_say():
    short = document(
        grids=[{"rows": 6, "regions": JIGSAW}],
        givens="1" + "." * 35,
        constraints=[{"type": "thermometer", "cells": "R1C1-R1C3 R2C3, R3C3"}],
    )
    assert read(json.dumps(short)) == cs.Puzzle.blank(6, regions=JIGSAW).with_givens(
        {"R1C1": 1}
    ).add(cs.Thermometer("R1C1-R1C3 R2C3 R3C3"))
    assert not list(complaints(short, SCHEMA))
    shifted = document(grids=[{"rows": 2, "top": 3, "left": 4, "regions": "AABB"}])
    assert read(json.dumps(shifted)).grids[0].regions[0] == (cs.Cell(3, 4), cs.Cell(3, 5))


def test_combinations_nested_too_deep_are_refused_when_written():
    rule = cs.AntiKnight()
    for _ in range(80):
        rule = cs.And((rule, cs.AntiKing()))
    assert read(write_json(cs.Puzzle.blank(4).add(rule))) == cs.Puzzle.blank(4).add(rule)
    for _ in range(80):
        rule = cs.And((rule, cs.AntiKing()))
    with pytest.raises(cs.FormatError, match="nested more than"):
        write_json(cs.Puzzle.blank(4).add(rule))


def test_a_class_that_nobody_could_read_again_is_refused():
    @dataclass(frozen=True, init=False)
    class Private(cs.CellConstraint):
        name = "private"

        def accepts(self, values):
            return True

    with pytest.raises(cs.FormatError, match=r"constraints\[0\]: Private is not registered as"):
        write_json(cs.Puzzle.blank(4).add(Private("R1C1")))


CAGE = {"type": "killer-cage", "cells": ["R1C1", "R1C2"]}
BAD = [
    # What stands there, and the complaint with the path to it.
    ({}, 'not a puzzle document: its "format" must be "csp-sudoku"'),
    ({"format": "other"}, "not a puzzle document"),
    (document(version=2), "version: 2 is newer than 1"),
    (document(version="1"), "version: expected `int`, got `str`"),
    (document(version=0), "version: expected `int` >= 1"),
    (document(grids=[]), "grids: expected `array` of length >= 1"),
    (document(grids=[{"rows": 9}] * 51), "grids: expected `array` of length <= 50"),
    (document(grids=[{"rows": 65}]), "grids[0].rows: expected `int` <= 64"),
    (document(grids=[{"rows": 9, "columms": 9}]), "grids[0]: object contains unknown field"),
    (document(grids=[{"columns": 9}]), "grids[0]: object missing required field `rows`"),
    (document(grids=[{"rows": 9, "box": [2, 3]}]), "grids[0]: boxes of 2×3 do not tile a 9×9"),
    (document(grids=[{"rows": 9, "box": [3]}]), "grids[0].box: expected `array` of length 2"),
    (document(grids=[{"rows": 2, "values": [2, 1]}]), "grids[0]: grid: the values must be asc"),
    (document(grids=[{"rows": 2, "regions": "ABC"}]), "grids[0]: regions: 3 characters"),
    (document(grids=[{"rows": 2, "regions": 5}]), "grids[0].regions: 5 is neither"),
    (document(grids=[{"rows": 2, "regions": [["R1C1", "R3C1"]]}]),
     "grids[0].regions[0][1]: R3C1 is outside the 2×2 grid"),
    (document(grids=[{"rows": 9, "top": 10_000}]), "grids[0].top: expected `int` <= 9000"),
    (document(extra=1), "object contains unknown field `extra`"),
    (document(**{"a\nb": 1}), "object contains unknown field `a?b`"),
    (document(named=[]), "named: [] is not an object"),
    (document(named={"1": [1]}), "named: named variable '1': a name is letters"),
    (document(named={"x": [2, 1]}), "named: $x: its values must be ascending"),
    (document(named={"x": ["a"]}), "named.x[0]: expected `int`, got `str`"),
    (document(givens=5), "givens: 5 is neither a text nor an object"),
    (document(givens="123"), "3 characters where a 9×9 grid has 81"),
    (document(givens={"R1C10": 1}), "givens.R1C10: R1C10 is outside the 9×9 grid"),
    (document(givens={"R1C1": 1, "r1c1": 2}), "givens.r1c1: R1C1 is given twice"),
    (document(givens={"R1C1": 10}), "givens: R1C1: 10 is not a value of this puzzle (1 to 9)"),
    (document(givens={"R1C1": "5"}), "givens.R1C1[0]: expected `int`, got `str`"),
    (document(givens={"\ud800": 1}), r"givens.\ud800: '\ud800' is not a cell"),
    (document(constraints={}), "constraints: expected `array`, got `object`"),
    (document(constraints=[CAGE, 5]), 'constraints[1]: a constraint is an object with a "type"'),
    (document(constraints=[{**CAGE}, {"type": 5}]), "constraints[1]: a constraint is an object"),
    (document(constraints=[CAGE] * 3 + [{**CAGE, "cells": ["R1C1", "R10C1"]}]),
     "constraints[3].cells[1]: R10C1 is outside the 9×9 grid"),
    (constraint(type="anti-knigth"),
     "constraints[0].type: no constraint is called 'anti-knigth'; did you mean anti-knight?"),
    (constraint(type="\ud800"), r"constraints[0].type: no constraint is called '\ud800'"),
    (constraint(type="fold", cells=["R1C1"]), "constraints[0].type: fold has no JSON form: its"),
    (constraint(type="where", cells=["R1C1"], predicate="a > b"),
     "constraints[0]: where at R1C1: its predicate a > b is about 2 values, but there is 1 cell"),
    (constraint(type="mark", cells=["R1C1"], predicate=1), "constraints[0].predicate: "),
    (constraint(**{**CAGE, "smu": 5}), "constraints[0]: killer-cage has no field 'smu'; did you"),
    (constraint(type="anti-king", cells=[]), "anti-king has no field 'cells'; it has no fields"),
    (constraint(type="killer-cage"), "constraints[0]: killer-cage needs the field 'cells'"),
    (constraint(**{**CAGE, "sum": "5"}), "constraints[0].sum: '5' is not a number; an unknown"),
    (constraint(**{**CAGE, "sum": True}), "constraints[0].sum: expected `int`, got `bool`"),
    (constraint(**{**CAGE, "cells": 5}), "constraints[0].cells: 5 is not a list"),
    (constraint(**{**CAGE, "cells": [5]}), "constraints[0].cells[0]: 5 is not a cell"),
    (constraint(**{**CAGE, "cells": ["A1"]}), "constraints[0].cells[0]: 'A1' is not a cell"),
    (constraint(**{**CAGE, "cells": ["$y"]}), "constraints[0].cells[0]: $y is not declared"),
    (constraint(**{**CAGE, "cells": "R1C1-R9999C9999"}), "constraints[0].cells: R9999C9999 is out"),
    (constraint(**{**CAGE, "cells": "R1C1-R9C9 " * 200}), "constraints[0].cells: more than 10000"),
    (constraint(**{**CAGE, "cells": []}), "constraints[0]: killer-cage: needs at least 1 cell"),
    (constraint(type="table", cells=["R1C1"], rows=[[1, 2]]),
     "constraints[0]: table at R1C1: row (1, 2) has 2 values for 1 cells"),
    (constraint(type="table", cells=["R1C1"], rows=[["1"]]),
     "constraints[0].rows[0][0]: expected `int`, got `str`"),
    (constraint(type="or", parts=[{"type": "not", "part": {"type": "equal", "cells": ["R0C1"]}}]),
     "constraints[0].parts[0].part.cells[0]: 'R0C1' is not a cell"),
    (constraint(type="state-machine", cells=["R1C1"], accepting=[0], transitions=[[0, 1]]),
     "constraints[0].transitions[0]: [0, 1] is not a list of 3"),
    (document(grids=[{"rows": 4, "columns": 6}], constraints=[{"type": "diagonals"}]),
     "constraints[0]: diagonals: needs a square grid"),
    (document(left_out=[5]), "left_out[0]: expected `str`, got `int`"),
    (document(layers={"a": {}}), 'layers.a: a layer is an object with "values"'),
    (document(layers={"a": {"values": [1], "no": []}}), "layers.a: a layer is an object with"),
    (document(layers={"a": {"values": [1], "on": 5}}), "layers.a.on: 5 is not a list of cells"),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "message"), BAD, ids=[message[:50] for _, message in BAD])
def test_a_complaint_has_the_path(bad, message):
    with pytest.raises(cs.FormatError) as caught:
        read(json.dumps(bad))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# What a schema cannot say: which cells there are, what a rule makes of its fields, what follows.
BEYOND = [" is out", "declared", "given twice", "not a value", "tile", "asc", "9×9 grid has 81",
          "3 characters", "1 cell", "values for", "square", "more than", "\\ud800"]  # fmt: skip


@pytest.mark.parametrize(
    ("bad", "message"), [pair for pair in BAD if not any(word in pair[1] for word in BEYOND)]
)
def test_the_schema_refuses_what_the_reader_refuses(bad, message):
    assert list(complaints(bad, SCHEMA)), message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"format": "csp-sudoku", "version": NaN}', "NaN is not a whole number"),
        ('{"format": "csp-sudoku", "version": Infinity}', "Infinity is not a whole number"),
        ('{"format": "csp-sudoku", "version": 1e999}', "1e999 is not a whole number"),
        ('{"format": "csp-sudoku", "version": 1.0}', "1.0 is not a whole number"),
        ('{"format": "csp-sudoku", "format": ""}', "the key 'format' occurs twice"),
        ('{"%s": 1}' % ("a" * 10**6), "the key 'aaa.*… is too long"),
        ('{"format": "csp-sudoku", "version": %s}' % ("1" * 10**6), "has 1000000 digits"),
        ("[" * 100_000, "nested more than 200 deep"),
        ('{"a":' * 100_000, "nested more than 200 deep"),
        ('{"a": "' + '\\"' * 500_000, "not sound JSON"),
        ('{"format": ', "line 1, column 12: not sound JSON"),
        ("{", "not sound JSON"),
        ("[[1, 2], [3, 4.5]]", "4.5 is not a whole number"),
        ("{} {}", "line 1, column 4: not sound JSON: Extra data"),
    ],
)
def test_the_pitfalls_of_json(text, message):
    with pytest.raises(cs.FormatError, match=message):
        read(text)


def test_a_small_document_cannot_ask_for_hours_of_work():
    grids = [{"rows": 64}]
    many = document(grids=grids, constraints=[{"type": "anti-king"}] * 10_000)
    with pytest.raises(cs.FormatError, match="too many cells in all"):
        read(json.dumps(many))


def test_a_document_has_its_own_shape():
    with pytest.raises(cs.FormatError, match="a document has its own grid"):
        read(write_json(cs.Puzzle.blank(4)), size=9)


def test_further_rules_can_be_added_to_a_document():
    puzzle = read(write_json(cs.Puzzle.blank(4)), [cs.AntiKnight()])
    assert puzzle.constraints == (cs.AntiKnight(),)


def test_what_was_left_out_stays_with_the_puzzle():
    puzzle = read(json.dumps(document(left_out=["fog"])))
    assert puzzle.left_out == ("fog",)
    assert read(write_json(puzzle)).left_out == ("fog",)


def test_the_order_of_rules_and_rows_is_kept():
    text = write_json(PUZZLES[9])
    assert [a < b for a, b in pairwise(json.loads(text)["givens"])] == [True] * 3


def complaints(value, part, path="", whole=None):
    """A judge of its own for the schema: the few keywords that it uses."""
    whole = whole or part
    if "$ref" in part:
        target = whole
        for step in part["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        yield from complaints(value, target, path, whole)
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool,
             "null": type(None)}  # fmt: skip
    wanted = part.get("type")
    names = wanted if isinstance(wanted, list) else [wanted] if wanted else []
    if names and not any(
        isinstance(value, kinds[name]) and (name != "integer" or not isinstance(value, bool))
        for name in names
    ):
        yield f"{path}: no {wanted}"
        return
    for keyword in part:
        yield from KEYWORDS[keyword](value, part, path, whole)


def any_of(value, part, path, whole):
    choices = part["anyOf"]
    if all(list(complaints(value, choice, path, whole)) for choice in choices):
        yield f"{path}: none of {len(choices)}"


def of_object(value, part, path, whole):
    if not isinstance(value, dict):
        return
    known = part.get("properties", {})
    for name in part.get("required", []):
        if name not in value:
            yield f"{path}: lacks {name}"
    for name, item in value.items():
        if "propertyNames" in part:
            yield from complaints(name, part["propertyNames"], path, whole)
        rest = part.get("additionalProperties", {})
        if name not in known and rest is False:
            yield f"{path}: unknown {name}"
        else:
            yield from complaints(item, known.get(name, rest), f"{path}.{name}", whole)


def of_array(value, part, path, whole):
    if not isinstance(value, list):
        return
    if not part.get("minItems", 0) <= len(value) <= part.get("maxItems", len(value)):
        yield f"{path}: {len(value)} items"
    first = part.get("prefixItems", [])
    for i, item in enumerate(value):
        rule = first[i] if i < len(first) else part.get("items", {})
        if rule is not False:
            yield from complaints(item, rule, f"{path}[{i}]", whole)


def of_value(value, part, path, whole):
    if "const" in part and (value != part["const"] or type(value) is not type(part["const"])):
        yield f"{path}: not {part['const']}"
    if "enum" in part and value not in part["enum"]:
        yield f"{path}: not one of {part['enum']}"
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    if number is not None and number != min(
        max(number, part.get("minimum", number)), part.get("maximum", number)
    ):
        yield f"{path}: {value} out of range"
    if isinstance(value, str) and "pattern" in part and not re.search(part["pattern"], value):
        yield f"{path}: {value!r} has another form"


def nothing(value, part, path, whole):
    return ()


KEYWORDS = {
    "anyOf": any_of,
    "properties": of_object,
    "propertyNames": of_object,
    "additionalProperties": of_object,
    "required": of_object,
    "items": of_array,
    "prefixItems": of_array,
    "minItems": of_array,
    "maxItems": of_array,
    "const": of_value,
    "enum": of_value,
    "pattern": of_value,
    "minimum": of_value,
    "maximum": of_value,
} | dict.fromkeys(["$ref", "type", "title", "description", "default", "$defs", "$schema"], nothing)


def test_a_layer_that_a_rule_brings_has_givens_and_ranges():
    text = (
        '{"format": "csp-sudoku", "version": 1, "grids": [{"rows": 4}], '
        '"givens": {"shaded:R1C1": 0}, "constraints": [{"type": "cave"}, '
        '{"type": "sum", "cells": "shaded:R1C1-R1C4", "total": 2}]}'
    )
    puzzle = read(text)
    assert puzzle.constraints[1].cells == cells("shaded:R1C1-R1C4")
    assert read(write_json(puzzle)) == puzzle
    with pytest.raises(cs.FormatError, match="there is no layer"):
        read(text.replace("shaded:R1C1-R1C4", "other:R1C1-R1C4"))
