"""Every rule goes through every format: it comes back as the same rule, or is refused by name.

New classes join by themselves, with their examples. What comes back must be equal, or say the same
in other words: then both puzzles must allow the same fillings of the grid. The fillings are 288
solved grids (on 4×4 these are all) and 300 random ones.
"""

import random
import re
import sys
from functools import cache
from itertools import islice

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import fpuzzles, iss, sudokumaker
from csp_sudoku.formats.reading import Help
from csp_sudoku.formats.sudokupad import scl
from csp_sudoku.formats.tables import rows_of
from csp_sudoku.forms import FPuzzles, Iss, SudokuMaker, SudokuPad

FORMS = {
    FPuzzles.format: (fpuzzles.write_fpuzzles, fpuzzles.read_text),
    Iss.format: (iss.write_iss, iss.read_text),
    SudokuMaker.format: (sudokumaker.write_sudokumaker, sudokumaker.read_text),
    SudokuPad.format: (scl.write_scl, scl.read_text),
}
BLANKS = [cs.Puzzle.blank(4), cs.Puzzle.blank(9)]
# A rule for grids that the other formats do not hold.
CHAOS = [cs.Puzzle.blank(4).add(cs.RegionsToFind())]
OWN_BLANKS = {
    ("doppelganger", Iss.format): [cs.Puzzle.blank(4, values=range(5))],
    ("run-length", Iss.format): CHAOS,
    ("same-count", Iss.format): CHAOS,
}
KINDS = registry.built_in()


@cache
def fillings(side):
    """Grids that keep the houses, and random ones that do not."""
    rng = random.Random(side)
    grids = [dict(s) for s in islice(cs.solutions(cs.Puzzle.blank(side), "sat", seed=1), 288)]
    cells = cs.Puzzle.blank(side).cells
    for low, high in [(1, side), (1, 3), (side - 2, side), (1, 2)] * 75:
        grids.append({cell: rng.randint(low, high) for cell in cells})
    return grids


def allowed(puzzle):
    """Which fillings the rules allow."""
    return [
        all(rule.holds(grid, puzzle) for rule in puzzle.constraints)
        for grid in fillings(puzzle.grids[0].rows)
    ]


def same(first, second):
    """Whether two puzzles have the same rules, or rules that allow the same."""
    grids = [(sorted(map(sorted, p.grids[0].boxes)), p.grids[0].values) for p in (first, second)]
    if grids[0] != grids[1]:
        return False
    if first.constraints == second.constraints and first.candidates == second.candidates:
        return True
    first, second = map(candidates_as_rules, (first, second))
    return allowed(first) == allowed(second)


def candidates_as_rules(puzzle):
    tables = [cs.Table(place, [(v,) for v in values]) for place, values in puzzle.candidates]
    return puzzle.without_givens().add(*tables)


# What a format holds of a rule may be a special case that is not among the examples.
SPECIAL = {
    "killer-cage": [cs.KillerCage("R1C1-R1C3", range(3, 46, 9))],
    "sum": [cs.Sum("R1C1-R1C3", 0, (1, -2, 1))],
    "negative-kropki": [cs.NegativeKropki((), (2,))],
    "run-length": [cs.RunLength("R1C1", ["region:R1C1-R1C4", "region:R1C1-R3C1"], less=1)],
    "same-count": [cs.SameCount("R2C2", "region:R2C2 region:R1C1 region:R4C4")],
    "equal-sum": [cs.EqualSum(["R1C1 R1C2", "R3C1 R3C2"]), cs.EqualSum(["R1C1", "R4C4 R4C5"])],
}


def examples(kind):
    yield from kind.examples()
    yield from SPECIAL.get(kind.name, ())
    if not registry.needs(kind):
        yield kind()


def puzzles(kind, form=""):
    """The examples of a class, on both grids if they fit."""
    for example in examples(kind):
        for blank in OWN_BLANKS.get((kind.name, form), BLANKS):
            try:
                yield blank.add(example)
            except CspSudokuError:
                continue


def is_refused(form, puzzle):
    """Whether a format refuses the one rule of a puzzle; then it must name it."""
    write, read = FORMS[form]
    *others, rule = puzzle.constraints
    complaint = complaint_of(write, puzzle)
    if complaint:
        assert rule.label in complaint
        text = write(puzzle, lenient=True)
        # A rules text may say it; whoever understands that reads the rule, and no other.
        found = read(text, Help(lenient=True)).puzzle.constraints
        found = tuple([rule for rule in found if rule not in others])
        assert found in ((), (rule,))
        assert rule.label in text
        # There the rule is in a comment; elsewhere it is in the rules text, which is read.
        if form != Iss.format and not found:
            with pytest.raises(FormatError, match=re.escape(rule.label)):
                read(text)
    return bool(complaint)


def complaint_of(write, puzzle):
    try:
        write(puzzle)
    except FormatError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", KINDS)
def test_a_rule_comes_back_or_is_refused_by_name(name, form):
    write, read = FORMS[form]
    written = 0
    for puzzle in puzzles(KINDS[name], form):
        if is_refused(form, puzzle):
            continue
        text = write(puzzle)
        again = read(text).puzzle
        assert same(puzzle, again), (puzzle.constraints, again.constraints)
        # What was read once is written in the same words from then on.
        assert read(write(again)).puzzle == again
        written += 1
    claims = any(not row.read_only for row in rows_of(KINDS[name], form))
    assert written or not claims, "it has a row, but no example can be written"


@pytest.mark.parametrize("name", KINDS)
def test_other_words_say_the_same(name):
    for puzzle in puzzles(KINDS[name]):
        [rule] = puzzle.constraints
        if others := list(rule.restated(puzzle)):
            assert rule not in others
            assert allowed(puzzle) == allowed(cs.Puzzle(puzzle.grids).add(*others))


def test_rules_without_a_row_or_other_words_are_refused():
    for name in ("where", "fold", "doublers", "queen", "before-greatest"):
        for form in FORMS:
            # The rules text of SudokuPad says any rule that has a sentence and data.
            if form != SudokuPad.format or name == "fold":
                assert all(is_refused(form, puzzle) for puzzle in puzzles(KINDS[name]))


def test_the_judge_sees_a_difference():
    blank = BLANKS[1]
    assert not same(blank.add(cs.Thermometer("R1C1 R1C2")), blank.add(cs.Thermometer("R1C2 R1C1")))
    assert not same(blank.add(cs.Whisper("R1C1 R1C2", 5)), blank.add(cs.Whisper("R1C1 R1C2", 4)))
    assert same(blank.add(cs.Modular("R1C1 R1C2", 2)), blank.add(cs.ParityLine("R1C1 R1C2")))


# What the words of a rule depend on besides


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        # Another difference than 1 would not count as a dot there.
        ([cs.NegativeKropki(), cs.Difference("R1C1 R1C2", 3)], "difference at R1C1"),
        ([cs.NegativeXV(), cs.PairSum("R1C1 R1C2", 6)], "pair-sum at R1C1"),
        # Of two clues at one place only the last would count.
        ([cs.XSum("R1", 5), cs.XSum("R1", 6)], "x-sum at R1"),
        ([cs.Diagonals() | cs.Thermometer("R1C1 R1C2")], "diagonals"),
    ],
)
def test_interactive_sudoku_solver_refuses_what_would_mean_something_else(rules, named):
    with pytest.raises(FormatError, match=named):
        iss.write_iss(cs.Puzzle.blank(9).add(*rules))


def test_extremes_that_exempt_each_other_stay_so():
    puzzle = cs.Puzzle.blank(4).add(cs.Minimum("R1C1"), cs.Minimum("R1C2"), cs.Maximum("R3C3"))
    for form in (FPuzzles.format, Iss.format, SudokuMaker.format):
        write, read = FORMS[form]
        assert same(puzzle, read(write(puzzle)).puzzle)
    # A corner has two neighbours, of which one is marked itself; a cell inside has four.
    assert iss.write_iss(puzzle).count("GreaterThan") == 1 + 2 + 4


# The grid, the givens, and what people are told


PLAIN = [
    cs.Puzzle.blank(9),
    cs.Puzzle.blank(4).with_givens({"R1C1": 1, "R4C4": 2}),
    cs.Puzzle.blank(4, box=None),
    cs.Puzzle.blank(4, box=(1, 4)),
    cs.Puzzle.blank(6, box=(3, 2)),
    cs.Puzzle.blank(8, box=(4, 2)),
    cs.Puzzle.blank(4, regions="0112 0112 0022 3333"),
    cs.Puzzle.blank(16).with_givens({"R16C10": 16}),
    cs.Puzzle.blank(7),
    cs.Puzzle.blank(2, 3),
    cs.Puzzle.blank(4, values=range(4)).with_givens({"R1C1": 0}),
    cs.Puzzle.blank(4, values=range(1, 7)),
    cs.Puzzle.blank(3, row_houses=False, column_houses=False, box=None),
    cs.Puzzle.blank(4).with_givens({"R1C1": [1, 2], "R1C2": []}),
    cs.Puzzle.blank(5, regions=["R1C1-R1C5", "R2C1-R2C5"]),
]


# Oblong grids, other values, free rows, candidates: which format has no place for them.
REFUSED = {
    *((number, FPuzzles.format) for number in (9, 10, 11, 12, 13)),
    *((number, SudokuPad.format) for number in (10, 11, 13)),
    (13, SudokuMaker.format),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("puzzle", PLAIN, ids=lambda p: repr(p.grids[0])[:60])
def test_grids_and_givens(puzzle, form):
    write, read = FORMS[form]
    if complaint := complaint_of(write, puzzle):
        assert form in complaint
        assert (PLAIN.index(puzzle), form) in REFUSED
        return
    assert (PLAIN.index(puzzle), form) not in REFUSED
    text = write(puzzle)
    again = read(text).puzzle
    assert cs.read(text) == again
    [old], [new] = puzzle.grids, again.grids
    assert sorted(map(sorted, new.boxes)) == sorted(map(sorted, old.boxes))
    assert (new.size, new.values) == (old.size, old.values)
    assert (new.row_houses, new.column_houses) == (old.row_houses, old.column_houses)
    assert again.candidates == puzzle.candidates


@pytest.mark.parametrize("form", [FPuzzles.format, SudokuMaker.format, SudokuPad.format])
def test_what_people_are_told(form):
    write, read = FORMS[form]
    puzzle = cs.Puzzle.blank(4).add(cs.AntiKnight())
    solution = () if form == SudokuMaker.format else tuple([1, 2, 3, None] * 4)
    told = cs.Reading(puzzle, "A title", "An author", "Anti-knight.\nHave fun!", solution)
    again = read(write(told))
    assert [(r.puzzle, r.title, r.author, r.rules, r.solution) for r in (again, told)] == [
        (puzzle, "A title", "An author", "Anti-knight.\nHave fun!", solution)
    ] * 2


def test_comments_of_a_string_tell_people():
    told = cs.Reading(cs.Puzzle.blank(4), "A title", "An author", "One.\nTwo.")
    text = iss.write_iss(told)
    assert text.startswith("# A title\n# An author\n# One.\n# Two.\n.Shape")
    # A line break in a title does not end the comment.
    sly = cs.Reading(cs.Puzzle.blank(4), "A\n\n.AntiKnight\u2028.AntiKing")
    assert cs.read(iss.write_iss(sly)) == sly.puzzle
    assert cs.read(text) == told.puzzle


LINKS = [fpuzzles.write_link, iss.write_link, sudokumaker.write_link]


@pytest.mark.parametrize("write", LINKS)
def test_links_are_read_again(write):
    cage = cs.KillerCage("R1C1 R1C2", 5)
    puzzle = cs.Puzzle.blank(4).add(cage, cs.AntiKnight()).with_givens({"R4C4": 2})
    assert cs.read(write(puzzle)) == puzzle


def test_variables_go_through_interactive_sudoku_solver():
    puzzle = cs.Puzzle.blank(4).with_named("VK", range(1, 5)).with_named("VA1", range(1, 5))
    puzzle = puzzle.with_named("VA2", range(1, 3)).add(cs.Arrow("$VK", "R1C1 R2C3"))
    text = iss.write_iss(puzzle)
    assert text == ".Shape~4x4.Var~K.Var~A~~2.Arrow~VK~R1C1~R2C3.~VA2_1_2"
    assert int(cs.count(cs.read(text))) == int(cs.count(puzzle))
    for name, values in {"x": [1], "VK": [9], "VB1": [1]}.items():
        with pytest.raises(FormatError, match=name.removesuffix("1")):
            iss.write_iss(cs.Puzzle.blank(4).with_named(name, values))


# Plug-ins


PLUG_IN = '''
from dataclasses import dataclass

from csp_sudoku import CellConstraint, Constraint
from csp_sudoku.forms import FPuzzles, Iss, SudokuMaker, SudokuPad


class Apart:
    """An entry of a shape of its own: the gap and the cells in one text."""

    def read(self, row, entry, spelling):
        gap, *cells = entry["told"].split()
        yield {"cells": " ".join(cells), "gap": int(gap)}

    def write(self, row, rule, spelling):
        yield {"told": " ".join([str(rule.gap), *map(str, rule.cells)])}


@dataclass(frozen=True, init=False)
class Gap(CellConstraint):
    """Neighbours on the line are a gap apart."""

    gap: int
    name = "gap"

    def __init__(self, cells, gap=2):
        self._set(cells=cells, gap=gap)

    def accepts(self, values):
        return all(abs(a - b) == self.gap for a, b in zip(values, values[1:]))

    formats = (
        FPuzzles("gapline", Apart()),
        Iss("Gap", "cells", gap="gap"),
        SudokuMaker(9001, "lines", gap="gap"),
    )


@dataclass(frozen=True)
class Corner(Constraint):
    """The first cell holds 1."""

    name = "corner"

    def scope(self, puzzle):
        return puzzle.cells[:1]

    def holds(self, values, puzzle):
        return values[puzzle.cells[0]] == 1

    formats = (
        FPuzzles("corner", "flag"),
        Iss("Corner", "flag"),
        SudokuMaker(9002, "flag"),
        SudokuPad("corner", "flag"),
    )
'''


@pytest.fixture
def plug_in(tmp_path, monkeypatch):
    (tmp_path / "gap_plugin.py").write_text(PLUG_IN, encoding="utf-8")
    info = tmp_path / "gap_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gap-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[csp_sudoku.constraints]\ngap = gap_plugin:Gap\ncorner = gap_plugin:Corner\n"
        "broken = gap_plugin:Nothing\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("gap_plugin", None)


@pytest.mark.parametrize("form", FORMS)
def test_rules_of_a_plug_in_go_through_formats(form, plug_in):
    write, read = FORMS[form]
    gap, corner = registry.get("gap"), registry.get("corner")
    rules = [gap("R1C1 R1C2"), gap("R2C1 R2C2 R2C3", 1), corner()]
    puzzle = cs.Puzzle.blank(4).add(*rules)
    assert set(read(write(puzzle)).puzzle.constraints) == set(rules)


def test_a_subclass_is_another_rule():
    class Loose(cs.KillerCage):
        name = "loose-cage"

        def holds(self, values, puzzle):
            return True

    for write, _ in FORMS.values():
        with pytest.raises(FormatError, match="loose-cage at R1C1"):
            write(cs.Puzzle.blank(4).add(Loose("R1C1 R1C2", 5)))
