"""The fields of rules: what they take, what they hold, what they refuse; rules of other styles."""

import pickle
from collections import Counter
from dataclasses import FrozenInstanceError, dataclass, fields, replace

import numpy as np
import pytest

import csp_sudoku as cs
from csp_sudoku.cells import Cell, Var
from csp_sudoku.constraints import registry
from csp_sudoku.constraints.fields import (
    OptionalPlaces,
    PlaceGroups,
    Places,
    Read,
    WholeNumbers,
    converted,
    flag,
    number_rows,
    one_place,
    place_groups,
    rule,
    some_places,
    text,
    whole,
    whole_numbers,
    word,
)

EXAMPLES = [example for kind in registry.built_in().values() for example in kind.examples()]
A, B, C = Cell(0, 0), Cell(0, 1), Cell(0, 2)


def held(example: cs.Constraint) -> dict[str, object]:
    return {field.name: getattr(example, field.name) for field in fields(example)}


def in_numpy(value: object) -> object:
    """The same with whole numbers of NumPy, which are no ints."""
    if type(value) is int:
        return np.int64(value)
    if type(value) is tuple:
        return [in_numpy(part) for part in value]
    return value


def plain_types(value: object) -> set[type]:
    if type(value) is tuple:
        return {kind for part in value for kind in plain_types(part)}
    return {type(value)}


def test_a_rule_is_made_again_from_what_it_holds():
    for example in EXAMPLES:
        again = type(example)(**held(example))
        assert again == example
        assert hash(again) == hash(example)
        assert repr(again) == repr(example)
        assert replace(example) == example
        for name in held(example):
            with pytest.raises(FrozenInstanceError):
                setattr(example, name, None)


def test_rules_can_be_pickled():
    written = [e for e in EXAMPLES if not isinstance(e, cs.Where | cs.Fold)]
    assert pickle.loads(pickle.dumps(written)) == written


def test_whole_numbers_of_numpy_become_ints():
    for example in EXAMPLES:
        if isinstance(example, cs.Fold):
            continue  # its states are any objects
        made = type(example)(**{name: in_numpy(value) for name, value in held(example).items()})
        assert made == example
        for value in held(made).values():
            assert not any(issubclass(kind, np.generic) for kind in plain_types(value)), made


@rule
class Everything(cs.CellConstraint):
    """A field of every type."""

    name = "everything"
    cells: Places = some_places(least=2, most=3)
    one: Read[object, Cell] = one_place(on_grid=True)
    groups: PlaceGroups = place_groups()
    way: str = word("Left", "right")
    some: OptionalPlaces = some_places(distinct=True, default=None)
    number: int = whole(least=0, most=9, default=1)
    maybe: int | None = whole(default=None)
    numbers: WholeNumbers = whole_numbers(empty=False, as_set=True, default=(3,))
    rows: Read[object, tuple[tuple[int, ...], ...]] = number_rows(form="a, b", default=())
    yes: bool = flag(default=True)
    said: str = text(default="")
    half: float = converted(lambda given, name: given / 2, default=2)
    kept: object = None

    def validate(self):
        if self.number > 5 and self.yes:
            raise cs.ConstraintError(f"{self.label}: too many for yes")


GOOD = {"cells": "R1C1 R1C2", "one": "R1C1", "groups": ["R1C1"], "way": "left"}


def everything(**given: object) -> Everything:
    return Everything(**{**GOOD, **given})


@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("cells", "R1C1 R1C2", (A, B)),
        ("cells", [(0, 0), "R1C2", C], (A, B, C)),
        ("cells", iter(["R1C1", "$x"]), (A, Var("x"))),
        ("one", "R1C3", C),
        ("one", ["R1C3"], C),
        ("some", None, None),
        ("some", "R1C3", (C,)),
        ("groups", (cells for cells in ("R1C1 R1C2", C)), ((A, B), (C,))),
        ("number", np.uint8(4), 4),
        ("maybe", 5, 5),
        ("numbers", [3, 1, 3], (1, 3)),
        ("numbers", range(3), (0, 1, 2)),
        ("rows", [[1, 2], (3, 4)], ((1, 2), (3, 4))),
        ("yes", False, False),
        ("way", "RIGHT", "right"),
        ("said", "hello", "hello"),
        ("half", 5, 2.5),
        ("kept", [1], [1]),
    ],
)
def test_what_is_given_is_converted(name, given, wanted):
    assert getattr(everything(**{name: given}), name) == wanted


def test_a_default_is_held_like_anything_else():
    made = everything()
    assert made.way == "Left"
    assert (made.some, made.number, made.maybe, made.numbers, made.rows) == (
        None,
        1,
        None,
        (3,),
        (),
    )
    assert made.half == 1, "a default is converted, too"


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("cells", "R1C1", "everything: needs 2 or 3 cells, not 1 (R1C1)"),
        ("cells", "", "everything: needs 2 or 3 cells, not 0"),
        ("cells", "R1C1-R9C9", "not 81 (R1C1 R1C2 R1C3 R1C4 R1C5 R1C6 …)"),
        ("cells", "R0C1", "everything: 'R0C1' is not a cell; write one as R1C1 (row 1, column 1)"),
        ("cells", 5, "everything: 5 is not a cell; write one as R1C1 or Cell(0, 0)"),
        ("one", "R1C1 R1C2", "everything at R1C1: its one must be one cell, not 2 (R1C1 R1C2)"),
        (
            "one",
            "$x",
            "its one must be in the grid, and $x is a named variable",
        ),
        ("some", [], "everything at R1C1: its some needs at least 1 cell, not 0"),
        ("some", "R1C1 R1C1", "its some must all be different, but R1C1 comes twice"),
        ("groups", "R1C1", "its groups must be a list of groups of cells, not 'R1C1'"),
        ("groups", 5, "its groups must be a list of groups of cells, not 5"),
        ("groups", [], "its groups must not be empty"),
        ("groups", ["R1C1", []], "each of its groups needs at least 1 cell"),
        ("number", "x", "everything at R1C1: its number must be a whole number, not 'x'"),
        ("number", None, "its number must be a whole number, not None"),
        ("number", True, "its number must be a whole number, not True"),
        ("number", np.True_, "its number must be a whole number, not np.True_"),
        ("number", 2.0, "its number must be a whole number, not 2.0"),
        ("number", np.float64(2), "its number must be a whole number, not np.float64(2.0)"),
        ("number", -1, "its number must be 0 or more, not -1"),
        ("number", 10, "its number must be 9 or less, not 10"),
        ("maybe", 1.5, "its maybe must be a whole number, not 1.5"),
        ("numbers", [], "its numbers must not be empty"),
        ("numbers", "12", "its numbers must be a list of whole numbers, not '12'"),
        ("numbers", 12, "its numbers must be a list of whole numbers, not 12"),
        ("numbers", [1, True], "its numbers must be whole numbers, not True"),
        ("rows", [(1, 2, 3)], "its rows must each be (a, b), not (1, 2, 3)"),
        ("rows", 5, "its rows must be a list of rows of numbers, not 5"),
        ("rows", [5], "its rows must be a list of whole numbers, not 5"),
        ("yes", 1, "everything at R1C1: yes must be True or False, not 1"),
        ("way", "up", "its way must be one of Left, right, not 'up'"),
        ("way", 5, "its way must be one of Left, right, not 5"),
        ("said", 5, "its said must be text, not 5"),
        ("number", 6, "everything at R1C1: too many for yes"),
    ],
)
def test_what_does_not_fit_is_refused(name, given, message):
    with pytest.raises(cs.ConstraintError) as caught:
        everything(**{name: given})
    assert str(caught.value).endswith(message)
    assert str(caught.value).startswith("everything")


def test_cells_are_taken_in_one_argument_or_several():
    assert cs.Equal("R1C1", "R1C2") == cs.Equal("R1C1 R1C2") == cs.Equal(cells=[A, B])
    assert cs.NotEqual(A, B) == cs.NotEqual("R1C1 R1C2")
    assert cs.Arrow("R1C1", "R1C2", "R1C3") == cs.Arrow("R1C1", "R1C2 R1C3")
    assert cs.KillerCage("R1C1 R1C2", 5) == cs.KillerCage(cells="R1C1 R1C2", sum=5)
    with pytest.raises(TypeError):
        cs.KillerCage("R1C1", 5, "R1C2")


# Classes that declare nothing, as a plug-in may have them.


@dataclass(frozen=True, init=False)
class OwnConstructor(cs.CellConstraint):
    number: int
    name = "own-constructor"

    def __init__(self, cells, number=3):
        self._set(cells=cells, number=number)

    def __post_init__(self):
        super().__post_init__()
        if self.number < 0:
            raise cs.ConstraintError(f"{self.label}: less than nothing")

    def accepts(self, values):
        return sum(values) > self.number


@dataclass(frozen=True)
class OwnCheck(cs.Constraint):
    values: tuple[int, ...]
    name = "own-check"

    def __post_init__(self):
        object.__setattr__(self, "values", tuple(self.values))

    def scope(self, puzzle):
        return puzzle.cells[:1]

    def holds(self, values, puzzle):
        return values[puzzle.cells[0]] in self.values


@dataclass(frozen=True)
class PlainWithDeclared(cs.CellConstraint):
    number: int = whole(least=0)
    name = "plain-with-declared"

    def accepts(self, values):
        return sum(values) > self.number


class NoDataclass(cs.Constraint):
    name = "no-dataclass"

    def __init__(self, value):
        self.value = value

    def scope(self, puzzle):
        return puzzle.cells[:1]

    def holds(self, values, puzzle):
        return values[puzzle.cells[0]] == self.value


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (OwnConstructor("R1C1 R1C2", 4), 192),
        (OwnConstructor("R1C1"), 72),
        (OwnCheck([1, 2]), 144),
        (PlainWithDeclared("R1C1 R1C2", 4), 192),
        (NoDataclass(1), 72),
    ],
    ids=lambda part: getattr(part, "name", None),
)
def test_classes_of_other_styles_are_rules(made, wanted):
    puzzle = cs.Puzzle.blank(4).add(made)
    assert cs.count(puzzle).value == cs.count(puzzle, "brute").value == wanted


def test_classes_of_other_styles_check_what_they_did():
    assert OwnConstructor("R1C1", 4) == OwnConstructor([A], 4) != OwnConstructor([A])
    assert OwnConstructor("R1C1 R1C2").cells == (A, B)
    assert OwnCheck([1, 2]) == OwnCheck((1, 2))
    assert NoDataclass(1) != NoDataclass(2)
    with pytest.raises(cs.ConstraintError, match="own-constructor at R1C1: less than nothing"):
        OwnConstructor("R1C1", -1)
    with pytest.raises(cs.ConstraintError, match="own-constructor: 'x' is not a cell"):
        OwnConstructor("x")
    with pytest.raises(cs.ConstraintError, match="its number must be a whole number, not 'x'"):
        PlainWithDeclared("R1C1", "x")


# Names


def test_every_name_and_alias_has_one_meaning():
    known = registry.built_in()
    counts = Counter([*known, *(alias for kind in known.values() for alias in kind.aliases)])
    assert [name for name, number in counts.items() if number > 1] == []
    for kind in known.values():
        assert all(alias == alias.lower() and " " not in alias for alias in kind.aliases)


@pytest.mark.parametrize(
    ("alias", "kind"),
    [
        ("german-whisper", cs.Whisper),
        ("thermo", cs.Thermometer),
        ("white-dot", cs.Difference),
        ("black-dot", cs.Ratio),
        ("xv", cs.PairSum),
        ("little-killer-sum", cs.LittleKiller),
        ("hyper", cs.Windoku),
        ("before-nine", cs.BeforeGreatest),
        ("10-line", cs.SumLine),
    ],
)
def test_a_rule_is_found_by_the_names_that_people_use(alias, kind):
    assert registry.get(alias) is kind
    assert registry.aliases()[alias] == kind.name


def test_a_rule_without_fields_can_be_given_by_an_alias():
    assert registry.rule("hyper") == cs.Windoku()


def test_a_document_has_the_name_itself():
    written = cs.write_json(cs.Puzzle.blank(4).add(cs.Thermometer("R1C1 R1C2")))
    assert '"thermometer"' in written
    with pytest.raises(cs.FormatError, match="""type: write "thermometer", not 'thermo'"""):
        cs.read(written.replace('"thermometer"', '"thermo"'))
