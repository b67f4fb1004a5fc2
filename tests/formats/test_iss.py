"""Interactive Sudoku Solver strings: exact numbers of solutions, plain text, links, refusals."""

from itertools import product
from urllib.parse import quote

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import iss
from csp_sudoku.formats.iss import codes
from csp_sudoku.formats.iss.codes import (
    Machine,
    key_of,
    machine_code,
    machine_of,
    pairs_of,
    unrolled,
)
from csp_sudoku.formats.reading import Help

GRID = ".Shape~4x4"

# What follows the shape of a 4×4 grid, and the number of solutions.
COUNTS = {
    "": 288,
    "~1-4": 288,
    "~0-3": 288,
    ".NoBoxes": 576,
    ".RegionSize~2": 576,
    "~0-3.Sandwich~3~R1": 48,
    "~0-4.Doppelganger": 768,
    "~0-4.Doppelganger.~DGR2_3": 192,
    "~0-4.Doppelganger.GreaterThan~DGB1~DGB2~DGC1~DGC2": 192,
    "~0-4.Doppelganger.Sum~8~DGR2~R1C1~R2C2": 112,
    "~0-4.NoBoxes.Doppelganger": 17280,
    # Givens and regions
    ".~R1C1_1~R1C2_2_3": 48,
    ".~R1C1_1_2.~R1C1_2_3": 72,
    ".~R1C1": 0,
    ".Jigsaw~0112011200223333.NoBoxes": 144,
    ".Jigsaw~0111000122232333.NoBoxes": 144,
    ".Jigsaw~0000111122223333.NoBoxes": 576,
    ".Jigsaw~4x4~0011001122332233.NoBoxes": 288,
    ".Jigsaw~0112011200223333": 0,  # boxes stay
    ".Diagonal~1": 48,
    ".Diagonal~1.Diagonal~-1": 48,
    ".Windoku": 168,
    ".Windoku.NoBoxes": 288,
    ".DisjointSets": 168,
    ".AntiKnight": 24,
    ".AntiKing": 0,
    ".RegionSameValues": 288,
    # Everywhere
    ".AntiConsecutive": 0,
    ".AntiTaxicab": 0,
    ".StrictXV": 8,
    ".StrictKropki": 0,
    ".ConnectedValues~~1_2_3~12": 216,
    # Lines
    ".Thermo~R1C1~R1C2~R1C3": 48,
    ".Whisper~2~R1C1~R1C2": 144,
    ".Whisper~R1C1~R1C2": 0,
    ".Renban~R1C1~R1C2~R1C3": 144,
    ".Modular~2~R1C1~R1C2~R1C3": 96,
    ".Modular~3~R1C1~R1C2": 240,
    ".RegionSumLine~R1C1~R1C2~R1C3": 48,
    ".Between~R1C1~R1C2~R1C3": 96,
    ".Lockout~2~R1C1~R1C2~R1C3": 48,
    ".Lockout~0~R1C1~R2C3": 144,
    ".Palindrome~R1C1~R1C2~R2C3": 144,
    ".Zipper~R1C1~R1C2~R1C3": 48,
    ".Zipper~R1C1~R1C2~R2C3~R2C4": 144,
    ".SumLine~5~R1C1~R1C2~R1C3~R1C4": 96,
    ".SumLine~5~R1C1~R1C2~R2C2~R2C1~LOOP": 192,
    ".Arrow~R1C1~R1C2~R1C3": 48,
    ".DoubleArrow~R1C1~R1C2~R2C3~R2C4": 144,
    ".PillArrow~2~R1C2~R1C1~R2C1~R2C2~R2C3~R2C4~R3C1": 36,
    ".PillArrow~2~R1C1~R2C1~R2C2~R2C3~R2C4~R3C2~R3C3": 3,
    ".ValueIndexing~R1C1~R1C2~R1C3~R2C4~R3C1": 36,
    # Pairs and sets
    ".WhiteDot~R1C1~R1C2": 144,
    ".WhiteDot~R1C1~R1C2~R2C2~R2C1": 0,  # four pairs
    ".BlackDot~R1C1~R1C2": 96,
    ".V~R1C1~R1C2": 96,
    ".X~R1C1~R1C2": 0,
    ".GreaterThan~R1C1~R1C2~R2C1": 96,
    ".Cage~5~R1C1~R1C2": 96,
    ".Cage~~R1C1~R2C3": 144,
    ".Cage~0~R1C1~R2C3": 144,
    ".RellikCage~4~R1C1~R2C3": 48,
    ".EqualityCage~R1C1~R1C2": 96,
    ".Lunchbox~0~R1C1~R1C2~R2C1": 192,
    ".AllDifferent~R1C1~R2C3~R3C4": 72,
    ".ContainAtLeast~1_1~R1C1~R2C3~R3C4": 54,
    ".ContainExact~1~R1C1~R2C3~R3C4": 90,
    ".LookAndSay~0112~R1C1~R2C3~R3C4": 42,
    ".SameValues~2~R1C1~R1C2~R3C1~R3C2": 96,
    ".SameValues~3~R1C1~R2C3~R3C4": 72,
    ".SameValues~1~R1C1~R2C3~R3C4": 288,
    ".EqualSum~R1C1~R1C2~-~R3C1~R3C2": 128,
    ".Quad~R1C2~1~2": 160,
    ".Quad~R2C2~1~1": 36,
    ".Quad~R2C2~1~1.Quad~R2C2~1": 252,  # the last one counts
    ".Indexing~C~R1C1": 144,
    ".Indexing~C~R1C1~R1C2": 120,
    ".Indexing~R~R1C1": 144,
    ".CountingCircles~R1C1~R2C3~R3C4": 30,
    ".CountDistinct~R1C1~R2C3~R3C4~R4C2": 72,
    ".Sum~5~R1C1~R2C3": 48,
    ".Sum~5_3~R1C1~R2C3": 48,
    ".Sum~0_=_2_-1_-1~R1C1~R2C3~R3C4": 84,
    ".Sum~4~R1C1~R1C1": 72,
    # Outside clues
    ".XSum~R1~5~": 24,
    ".XSum~R1~~5": 24,
    ".XSum~R1~10": 72,
    ".XSum~R1~5~.XSum~R1~10~": 72,  # the last one counts
    ".Sandwich~5~R1": 48,
    ".Sandwich~0~C1": 144,
    ".LittleKiller~5~R1C2": 96,
    ".LittleKiller~5~R2C1": 24,
    ".LittleKiller~5~R4C2": 24,
    ".LittleKiller~5~R2C4": 96,
    ".LittleKiller~10~R1C1": 64,
    ".Skyscraper~R1~2~3": 36,
    ".HiddenSkyscraper~R1~3~": 60,
    ".HiddenSkyscraper~R1~4~": 0,
    ".NumberedRoom~C4~~1": 144,
    ".FullRank~R1~5~": 9,
    ".FullRankTies~any.FullRank~R1~5~": 27,
    ".FullRankTies~none": 96,
    # Tables, patterns, machines
    ".Pair~Oj~_~R1C1~R1C2~R1C3": 48,
    ".Pair~Oj~_less~R1C1~R1C2~~R2C3~R2C4": 72,
    ".Pair~EC~R1C1~R1C2": 48,
    ".Pair~~_~R1C1~R1C2": 0,
    ".PairX~SpE~_~R1C1~R1C2": 144,
    ".Binary~Oj~R1C1~R1C2": 144,
    ".Regex~MS4q~R1C1~R1C2": 72,
    ".Regex~1%2E*~R1C1~R1C2": 72,
    ".Regex~KDF8MilbXjNdezEsMn0~R1C1~R1C2~R1C3": 48,
    ".Regex~MTI~R1C1~R1C2~~R2C3~R2C4": 12,
    ".NFA~RNPsPw3jAA~_a~R1C1~R1C2~R1C3~~R2C1~R2C2~R2C3": 48,
    ".NFA~SMz5TnJzHIgA~_~R1C1~R1C2~R1C3": 48,
    ".NFA~BNR0CSMKlQ~_~R1C1~R1C2~R1C3~R1C4": 24,  # not deterministic
    ".NFA~QTPj_g~_~R1C1~R1C2~-~R2C3~R3C4": 72,  # two segments
    ".NFA~QO-A~_~R1C1": 288,
    ".NFA~QO+A~_~R1C1": 288,  # the signs of common Base64
    ".Regex~MTI=~R1C1~R1C2": 24,  # padded
    ".Regex~MS4qLg=~R1C1~R1C2": 72,  # half padded
    ".NFA~~_~R1C1": 0,
    # Combinations
    ".Or.~R1C1_1.~R1C1_2.End": 144,
    ".Or.And.~R1C1_1.~R2C2_2.End.~R1C1_2.End": 96,
    ".Or.~R1C1_1~R1C2_2.~R1C1_2.End": 96,
    ".Or.Cage~5~R1C1~R1C2.Thermo~R2C1~R2C2.End": 192,
    ".Or.End": 0,
    ".Or.~R1C1_1.And.End.End": 288,
    ".Or.XSum~R1~5~10.~R1C1_1.End": 84,  # two clues are one choice
    ".Replicate~B.WhiteDot~R1C1~R1C2.End": 144,
    ".Replicate~D.WhiteDot~R1C1~R1C2.End": 48,
    ".Replicate~BE~R1C2.Thermo~R1C2~R2C2.End": 72,
    ".Replicate~D.Or.Thermo~R1C1~R1C2.Thermo~R2C1~R2C2.End.End": 176,
    ".Replicate.WhiteDot~R1C1~R1C2.End": 288,
    # Layers: 40 sets of cells of a 2×3 grid are connected; 7 of 3 cells in rows of 4 and 2
    ".Var~L~~2x3.ConnectedValues~VL~1.Replicate~_~VL1.~VL1_1_2.End": 288 * 40,
    ".Var~L~~6.ConnectedValues~VL~1~3.Replicate~_~VL1.~VL1_1_2.End": 288 * 7,
    ".Var~L~~5.~VL1_1_2~VL2_1_2~VL3_1_2~VL4_1_2~VL5_1_2.ConnectedValues~VL~1~3": 288 * 3,
    # Variables
    ".Var~A": 1152,
    ".Var~K.~VK_1": 288,
    ".Var~K.Arrow~VK~R1C1~R2C3": 120,
    ".Var~A~~2.Thermo~VA1~R1C1~VA2": 288,
    ".Var~A~lbl%20x~2x2.AllDifferent~VA1~VA2~VA3~VA4.Sum~2~VA1~R1C1": 432,
    ".Var~A~~2x2.~VA1_1~VA4_1.WhiteDot~VA1~VA2.WhiteDot~VA3~VA1": 288,
}

SMALL = {
    ".Shape~2x2": 2,
    ".Shape~3x3": 12,
    ".Shape~2x3": 12,
    ".Shape~2x2~~Raw": 16,
    ".Shape~2x2~3~Raw": 81,
    ".Shape~2x2~2~Raw.Thermo~R1C1~R1C2": 4,
    "0100300140020040": 1,
    "=1234341221434321": 1,
    "# a comment\n1...............\n\n.Diagonal~1": 12,
    ".Diagonal~1\n\n.Shape~4x4": 48,  # a shape may come last
    "1. . .|. . . .|. . . .|. . . .": 72,
    "1...............AABBAABBCCDDCCDD": 72,
    "AABB AABB CCDD CCDD": 288,
    "1.." + "123" * 8: 4,  # all candidates of 3×3
}


@pytest.mark.parametrize(
    ("text", "number"), [(GRID + rest, n) for rest, n in COUNTS.items()] + [*SMALL.items()]
)
def test_what_is_read_has_its_number_of_solutions_and_is_written_again(text, number):
    puzzle = iss.read_text(text).puzzle
    assert int(cs.count(puzzle, "sat")) == number
    again = iss.read_text(iss.write_iss(puzzle)).puzzle
    if again != puzzle:
        assert int(cs.count(again, "sat")) == number
        assert iss.read_text(iss.write_iss(again)).puzzle == again


def test_plain_squares_of_every_size():
    for side in range(1, 17):
        [grid] = iss.read_text("=" + "." * side**2).puzzle.grids
        assert (grid.rows, grid.columns) == (side, side)


SEGMENTS = ["~-~A~B", "~A~-~-~B", "~A~B~-", "~-~-~A~-~B~-~-", "~A~B", "~A~-~B"]


@pytest.mark.parametrize("layout", SEGMENTS)
def test_a_machine_reads_a_break_for_every_dash(layout):
    # It counts the breaks modulo 3 and may forget one; a value may not be less than the count.
    moves = [(n, 4, (n + 1) % 3) for n in range(3)] + [(2, 4, 2)]
    moves += [(n, value, n) for n in range(3) for value in range(n, 4)]
    machine = Machine((0,), frozenset((0, 1, 2)), tuple(moves), 5)
    names = layout.replace("A", "R1C1").replace("B", "R2C3")
    wanted = 0
    for a, b in product(range(4), repeat=2):
        states = {0}
        for sign in layout.split("~")[1:]:
            symbol = {"-": 4, "A": a, "B": b}[sign]
            states = {head for tail, read, head in moves if tail in states and read == symbol}
        wanted += bool(states & machine.accepting)
    raw = f".Shape~2x3~4~Raw.NFA~{machine_code(machine)}~_{names}"
    assert cs.count(iss.read_text(raw).puzzle, "sat").value == wanted * 4**4
    assert wanted > 0


WRITTEN = {
    "": cs.Puzzle.blank(4),
    "~0-3": cs.Puzzle.blank(4, values=range(4)),
    "~1-6": cs.Puzzle.blank(4, values=range(1, 7)),
    "~~Raw": cs.Puzzle.blank(4, box=None, row_houses=False, column_houses=False),
    ".NoBoxes": cs.Puzzle.blank(4, box=None),
    ".NoBoxes.Jigsaw~0112011200223333": cs.Puzzle.blank(4, regions="0112 0112 0022 3333"),
    ".XSum~R1~5~.XSum~R1~~6": [cs.XSum("R1", 5), cs.XSum("R1", 6, reverse=True)],
    ".Sandwich~0~C4": [cs.Sandwich("C4", 0)],
    ".LittleKiller~5~R1C2": [cs.LittleKiller("R2C1", "NE", 5)],  # the same diagonal
    ".Sum~5~R2C3~R1C4": [cs.LittleKiller("R2C3", "NE", 5)],  # a part of a diagonal
    ".Whisper~2~R1C1~R1C2": [cs.Whisper("R1C1 R1C2")],  # the usual difference on 4×4
    ".Cage~0~R1C1~R1C2.Cage~5~R2C1": [cs.KillerCage("R1C1 R1C2"), cs.KillerCage("R2C1", 5)],
    ".Renban~R1C1~R1C2": [cs.Renban("R1C1 R1C2 R1C1")],  # a cell that is named twice counts once
    ".Pair~SpE~_~R1C1~R2C3": [cs.Difference("R1C1 R2C3")],  # no neighbours
    ".Diagonal~-1.Diagonal~1": [cs.Diagonals()],
    ".Or.Cage~5~R1C1~R1C2.And.Thermo~R1C1~R1C2.X~R1C1~R1C2.End.End": [
        cs.KillerCage("R1C1 R1C2", 5) | (cs.Thermometer("R1C1 R1C2") & cs.PairSum("R1C1 R1C2", 10))
    ],
    ".~R1C1_2_4.~R2C2_1": cs.Puzzle.blank(4).add(cs.Even("R1C1")).with_givens({"R2C2": 1}),
}


@pytest.mark.parametrize(("text", "puzzle"), WRITTEN.items())
def test_strings_that_are_written(text, puzzle):
    if isinstance(puzzle, list):
        puzzle = cs.Puzzle.blank(4).add(*puzzle)
    assert iss.write_iss(puzzle) == GRID + text


UNWRITABLE = [
    # The cells without a region would become one.
    (cs.Puzzle.blank(4, regions=["R1C1-R1C4", "R2C1-R2C4", "R3C1-R3C4"]), "4 cells without"),
    (cs.Puzzle.blank(4, regions=["R1C1-R1C3", "R2C1-R2C3"]), "regions of 4 cells"),
    (cs.Puzzle.blank(4, regions=["R1C1-R1C4", "R1C1-R4C1"]), "overlap"),
    (cs.Puzzle.blank(4, row_houses=False), "rows from columns"),
    (cs.Puzzle.blank(4, values=[1, 2, 3, 5]), "without gaps"),
    (cs.Puzzle.blank(4, values=range(2, 6)), "from 0 or 1 on"),
    (cs.Puzzle.blank(17), "up to 16"),
    (cs.Puzzle.blank(4, values=range(3)), "as many values"),
    (cs.Puzzle.blank(4, row_houses=False, column_houses=False), "no regions"),
    (cs.Puzzle.blank(4).add(cs.Sum("R1C1 R1C2", 4, at_most=5)), "one value, not a range"),
    (cs.Puzzle.blank(4).add(cs.SumLine("R1C1 R1C2", 31)), "1 to 30"),
    (cs.Puzzle.blank(4).add(cs.Regex("R1C1", "9")), "9 in the pattern"),
    (cs.Puzzle.blank(4).add(cs.Between("R1C1 R1C2")), "3 cells or more"),
    (cs.Puzzle.blank(4).add(cs.Skyscraper("R1", 0)), "1 or more"),
    (cs.Puzzle.blank(4).add(cs.Entropic("R1C1 R1C2")), "values 1 to 9"),
    (cs.Puzzle.blank(4).add(~cs.Thermometer("R1C1 R1C2")), "not thermometer at R1C1"),
]


@pytest.mark.parametrize(("puzzle", "complaint"), UNWRITABLE)
def test_what_cannot_be_written_is_named(puzzle, complaint):
    with pytest.raises(FormatError, match=complaint):
        iss.write_iss(puzzle)


# As Interactive Sudoku Solver itself writes these machines.
@pytest.mark.parametrize(
    "code", ["RNPsPw3jAA", "SMz5TnJzHIgA", "BNR0CSMKlQ", "QTPj_g", "QO-A", "ACgA", ""]
)
def test_codes_of_machines_are_written_as_they_are_read(code):
    assert machine_code(machine_of(code)) == code


@pytest.mark.parametrize("lengths", [(3, 2), (1, 0, 4), (6,)])
def test_a_machine_for_segments_keeps_the_most_transitions(monkeypatch, lengths):
    states, separator = range(3), 2
    moves = tuple((tail, symbol, head) for tail in states for symbol in range(3) for head in states)
    machine = Machine((0,), frozenset(states), moves, 3)
    number = len(unrolled(machine, lengths, separator).transitions)
    monkeypatch.setattr(codes, "_MAX_TRANSITIONS", number)
    assert len(unrolled(machine, lengths, separator).transitions) == number
    monkeypatch.setattr(codes, "_MAX_TRANSITIONS", number - 1)
    with pytest.raises(FormatError, match=f"too large for {sum(lengths)} cells"):
        unrolled(machine, lengths, separator)


@pytest.mark.parametrize("key", ["Oj", "SpE", "evH", "EC", ""])
def test_keys_of_tables_are_written_as_they_are_read(key):
    assert key_of(pairs_of(key, (1, 2, 3, 4)), (1, 2, 3, 4)) == key


REFUSED = {
    ".Shape~5x5~4": "too few",
    ".Shape~4x4~2-5": "begin at 0 or 1",
    ".Shape~4x4~17": "at most 16",
    ".Shape~17x17": "1 to 16",
    ".Shape~4x4~": "no shape",
    ".Shape~4x4.Shape~6x6": "differ",
    GRID + ".~R1C1_": "not a value",
    GRID + ".~R1C1_5": "5 is not a value",
    GRID + ".~R5C1_1": "'R5C1' is no cell",
    GRID + ".Thermo~R1C1~VA": "'VA' is no cell",
    GRID + ".LittleKiller~10~R4C4": "begins no diagonal",
    GRID + ".XSum~R1~0~": "1 is the least",
    GRID + ".XSum~R5~5~": "R5 is outside",
    GRID + ".WhiteDot~R1C1~R2C2": "adjacent",
    GRID + ".PairX~Oj~_~R1C1~R1C2": "symmetric",
    GRID + ".Pair~AAAAAAAA~_~R1C1~R1C2": "too long",
    GRID + ".Regex~MS4q~R1C1~R1C2.Regex~OQ~R1C1": "9 in the pattern",
    GRID + ".NFA~Q~_~R1C1": "breaks off",
    GRID + ".Regex~MTI==~R1C1~R1C2": "'=' has no place",
    GRID + ".NFA~RNPsPw3jAA~_~R1C1~-~R1C2": "does not fit",
    GRID + ".Replicate~I.WhiteDot~R1C1~R1C2.End": "leaves the grid",
    GRID + ".Replicate~B.XSum~R1~5~.End": "cannot be replicated",
    GRID + ".Or.~R1C1_1": "End is missing",
    GRID + ".End": "nothing is open",
    GRID + ".Or.AntiKnight.End": "cannot stand inside Or",
    GRID + ".Thermos~R1C1~R1C2": "'Thermos' is not known",
    GRID + ".ChaosArrow~R1C1": "no regions to find",
    GRID + ".ChaosConstruction.ChaosArrow~R1C1~2~CC1": "counted .0. or not .1., not 2",
    GRID + ".ChaosConstruction.ChaosArrow~R1C1~0~R1C1": "not a cell of the regions to find",
    GRID + ".ChaosConstruction.ChaosArrow~R1C1~0~CC1~-~CC2": "must start at one place",
    GRID + ".ChaosConstruction.ChaosCount~CC1": "nothing lies around it",
    GRID + ".ChaosConstruction.~CC1_1": "no fixed numbers",
    GRID + ".ChaosConstruction.Thermo~CC2~CC14": "no fixed numbers",
    GRID + ".ChaosConstruction.Replicate~B~CC1.Or.Sum~4~CC1~CC2.End.End": "no fixed numbers",
    GRID + ".ChaosConstruction.ConnectedValues~CC~1_2": "no fixed numbers",
    GRID + ".ChaosConstruction.Palindrome~CC1~R1C1": "no fixed numbers",
    GRID + ".Var~L~~2x2.ConnectedValues~VL~12": "12 is not a value",
    GRID + ".RegionSize~1.ChaosConstruction": "two cells or more",
    GRID + ".RegionSize~2.ChaosConstruction": "more regions to find than values",
    ".Shape~4x4~0-3.ChaosConstruction": "values from 1",
    ".Shape~4x4~Raw.ChaosConstruction": "needs a Sudoku grid",
    GRID + ".Doppelganger": "needs a square grid with the values from 0 to its side",
    GRID + "~0-5.Doppelganger": "needs a square grid with the values from 0 to its side",
    ".Shape~4x4~0-4~Raw.Doppelganger": "needs a Sudoku grid",
    ".Shape~6x6~0-6.RegionSize~4.Doppelganger": "B1 has 4 cells and misses more than one of 7",
    GRID + ".ConnectedValues~VA~1": "there are no variables 'VA'",
    GRID + ".Jigsaw~0112": "16 characters",
    GRID + ".Entropic~R1C1~R1C2": "1 to 9",
    GRID + ".StrictKropki.Or.WhiteDot~R1C1~R1C2.~R1C1_1.End": "'or'",
    ".Shape~4x4~~Raw.AntiKnight": "needs a Sudoku grid",
    ".Thermo~R1C1~R1C2\n\nThermo~R1C1~R1C2": "begin with a point",
    ".Var~a": "capital letters",
    ".Var~A~~1001": "1 to 1000",
    "." + "Or." * 31 + "~": "nested",
    ".Replicate~" + "_" * 13 + "H" + ".Replicate~B" * 9 + ".Thermo~R1C1" * 200 + ".End" * 10: (
        "more constraints"
    ),
}


@pytest.mark.parametrize(("text", "complaint"), REFUSED.items())
def test_refusals_name_what_is_wrong(text, complaint):
    with pytest.raises(FormatError, match=complaint):
        iss.read_text(text)


def test_what_is_not_known_is_left_out_as_a_whole_and_named():
    text = GRID + ".Or.~R1C1_1.Chaos~R1C1.End.Thermo~R1C1~R1C2.AntiKnights"
    found = iss.read_text(text, Help(lenient=True))
    assert found.puzzle.constraints == (cs.Thermometer("R1C1 R1C2"),)
    assert [sentence.partition(":")[0] for sentence in found.left_out] == [".Or", ".AntiKnights"]
    assert cs.solve(found.puzzle).left_out == cs.count(found.puzzle).left_out == found.left_out
    assert "2 left out" in repr(found.puzzle)


def test_a_hint_for_the_solver_is_only_noted():
    found = iss.read_text(GRID + ".SearchPriority~1~R1C1")
    assert found.puzzle.constraints == ()
    assert "hint" in found.notes[0]


def test_coordinates_are_of_base_17():
    found = iss.read_text(".Shape~16x16.~RgCa_16.Sandwich~3~Cg")
    assert found.puzzle.givens == {cs.Cell(15, 9): 16}
    assert found.puzzle.constraints == (cs.Sandwich("C16", 3),)


def test_each_diagonal_of_an_oblong_grid_has_one_name():
    for place, direction in {"R3C3": "NE", "R2C4": "NW", "R1C4": "SW", "R2C1": "SE"}.items():
        [rule] = iss.read_text(f".Shape~3x4.LittleKiller~3~{place}").puzzle.constraints
        assert rule.direction == direction
    with pytest.raises(FormatError, match="begins no diagonal"):
        iss.read_text(".Shape~3x4.LittleKiller~3~R3C2")  # the one that begins at R1C4


KILLERS = {
    "A<<" + "." * 78: [cs.KillerCage("R1C1 R1C2 R1C3", 10)],
    "5<" + "0" * 79: [cs.KillerCage("R1C1 R1C2", 5), cs.KillerCage("R1C3")],
    "a" + "^" * 80: [cs.KillerCage([f"R{r}C1" for r in range(1, 10)], 36)],
    "3x3::k:1281:1281:" + "0:" * 79: [cs.KillerCage("R1C1 R1C2", 5)],
    "3x3:d:k:" + "0:" * 81: [cs.Diagonals(falling=False), cs.Diagonals(rising=False)],
}


@pytest.mark.parametrize(("text", "rules"), KILLERS.items())
def test_killers_as_text(text, rules):
    assert iss.recognises(text)
    assert list(iss.read_text(text).puzzle.constraints[: len(rules)]) == rules


def test_pointers_that_lead_nowhere_are_refused():
    with pytest.raises(FormatError, match="R1C1 on lead to no sum"):
        iss.read_text("><" + "0" * 79)


@pytest.mark.parametrize(
    "link",
    [
        "https://sigh.github.io/Interactive-Sudoku-Solver/?q={}&mode=step",
        "https:/sigh.github.io/Interactive-Sudoku-Solver/?q={}",
        '"https://sigh.github.io/Interactive-Sudoku-Solver/?q={}"',
    ],
)
def test_links(link):
    text = GRID + ".Regex~1%2E*~R1C1~R1C2"
    found = cs.read(link.format(quote(text)))
    assert found.constraints == (cs.Regex("R1C1 R1C2", "1.*"),)


@pytest.mark.parametrize("text", [".AntiKnight", ".Windoku.NoBoxes", ".V~R1C1~R1C2"])
def test_recognised(text):
    assert iss.recognises(text)
    assert cs.read(text).grids[0].rows == 9


@pytest.mark.parametrize("text", ["." * 81, "." * 625, "...X" * 4, "1..." * 4, "AABBAABBCCDDCCDD"])
def test_plain_grids_are_not_taken_for_strings(text):
    assert not iss.recognises(text)


@pytest.mark.parametrize(
    "text",
    [
        ".Or" * 10_000,
        ".Var~A~~999x999",
        ".Thermo" + "~R1C1" * 100_000,
        ".NFA~" + "_" * 200_000 + "~_~R1C1",
        ".Regex~" + "%28" * 5_000 + "~R1C1",
        ".WhiteDot" + "~R1C1~R1C2" * 10_000,
        ".Sum~" + "9" * 5000 + "~R1C1",
        ".Replicate~" + "_" * 100_000 + ".End",
    ],
)
def test_hostile_strings_are_refused_at_once(text):
    with pytest.raises(CspSudokuError):
        iss.read_text(text)


ROW = "~".join(f"R1C{i}" for i in range(1, 10))
GRID_LINE = "~".join(f"R{r}C{c}" for r in range(1, 10) for c in range(1, 10))


def with_regex(pattern, cells):
    return ".Regex~" + quote(pattern, safe="").replace(".", "%2E") + "~" + cells


@pytest.mark.parametrize("cells", [ROW, GRID_LINE])
@pytest.mark.parametrize(
    "pattern",
    [
        "((1|2)*3?)*[4-9]*",
        "(((((.*)*)*)*)*)*",
        "((.|..|...)*){9}",
        "(.*.*.*)*" * 100,
        "((.?){30}){30}",
        "(.{0,30}){0,30}",
    ],
)
def test_nested_repetitions_are_read_within_bounds(pattern, cells):
    puzzle = cs.read(with_regex(pattern, cells))
    found = cs.solve(puzzle, "sat")
    # None of these says anything but the first: for a row that 1, 2 and 3 stand before the others.
    assert found.status is (
        cs.Status.NONE_EXIST
        if pattern.startswith("((1") and cells == GRID_LINE
        else cs.Status.SOME_FOUND
    )
    assert all(cs.verify(puzzle, solution).ok for solution in found.solutions)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("1{1000000000}", "more than 1,000 positions"),
        ("((((1{10}){10}){10}){10}){10}", "more than 1,000 positions"),
        ("(" * 1_900 + "1" + ")*" * 1_900, "the limit is 4,000"),
        (".*1.{25}", "the budget is 100,000 states"),
        (".*1.{7}|.*2.{6}|.*3.{5}", "the budget is 100,000 states"),
        ("(.?){480}.*1.{15}|.*(.?){480}", "960 positions at a time"),
    ],
)
def test_patterns_that_blow_up_are_refused_by_name(pattern, message):
    with pytest.raises(CspSudokuError, match=f"regex at R1C1: .*{message}"):
        cs.solve(cs.read(with_regex(pattern, GRID_LINE)), "sat")


# The first row is 1 2 3 4. By enumeration of the 24 Latin squares and the 117 ways to cut the grid.
CHAOS = ".Shape~4x4.NoBoxes.ChaosConstruction.~R1C1_1~R1C2_2~R1C3_3~R1C4_4"


def chaos_drawings():
    """The Latin squares with the regions in which each digit stands once, without a solver."""
    blank = cs.Puzzle.blank(4, box=None).with_givens({f"R1C{i}": i for i in range(1, 5)})
    one = cs.Puzzle.blank(4, values=[1], box=None, row_houses=False, column_houses=False)
    cuts = [s.layer("region") for s in cs.solutions(one.add(cs.RegionsToFind(4, repeats=True)))]
    for square in cs.solutions(blank, "brute"):
        for cut in cuts:
            if len({(label, square[place.cell]) for place, label in cut.items()}) == 16:
                yield square, {(place.row, place.col): label for place, label in cut.items()}


def run(cut, row, col, down, right):
    length = 0
    while cut.get((row + down * (length + 1), col + right * (length + 1))) == cut[row, col]:
        length += 1
    return length


def test_chaos_constructions_mean_what_they_mean_there():
    drawings = list(chaos_drawings())
    around = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    for clues, test in {
        "": lambda square, cut: True,
        ".ChaosArrow~R2C2": lambda square, cut: (
            square["R2C2"]
            == 1 + sum(run(cut, 1, 1, *d) for d in ((0, -1), (0, 1), (-1, 0), (1, 0)))
        ),
        ".ChaosArrow~R2C2~1~CC6~CC7~CC8~-~CC6~CC2": lambda square, cut: (
            square["R2C2"] == run(cut, 1, 1, 0, 1) + run(cut, 1, 1, -1, 0)
        ),
        ".ChaosArrow~R4C4~~CC1~CC6~CC11": lambda square, cut: (
            square["R4C4"] == 1 + min(2, run(cut, 0, 0, 1, 1))
        ),
        ".ChaosCount~R3C4": lambda square, cut: (
            square["R3C4"] == sum(cut.get((2 + i, 3 + j)) == cut[2, 3] for i, j in around)
        ),
        ".ChaosCount~R3C4~1~CC1~CC2~CC6~CC16": lambda square, cut: (
            square["R3C4"] == sum(cut[0, 0] == cut[at] for at in ((0, 1), (1, 1), (3, 3)))
        ),
        ".AllDifferent~CC1~CC2~CC3": lambda square, cut: (
            len({cut[0, 0], cut[0, 1], cut[0, 2]}) == 3
        ),
    }.items():
        puzzle = cs.read(CHAOS + clues)
        assert cs.count(puzzle, "sat").value == sum(test(*drawing) for drawing in drawings), clues
        assert cs.read(cs.write_iss(puzzle)) == puzzle


def test_layers_go_there_and_back_or_are_refused():
    blank = cs.Puzzle.blank(4)
    for on in ("R1C1-R2C3", "R1C1", "R1C1-R6C5"):
        puzzle = blank.with_layer("VL", (1, 2, 3, 4), on)
        assert cs.read(cs.write_iss(puzzle)) == puzzle
    part = blank.with_layer("VL", (1, 2, 3, 4), "R1C1-R1C4 R2C1")
    connected = part.add(cs.ConnectedValues([1], layer="VL"))
    assert cs.read(cs.write_iss(connected)) == connected
    for puzzle, said in (
        (part, "full rows"),
        (blank.with_layer("VL", (1, 2), "R2C2"), "full rows from R1C1"),
        (blank.with_layer("shaded", (1, 2)), "calls layers VA, VB, …, not shaded"),
        (blank.with_layer("VL", (0, 1)), "no place for candidates"),
        (blank.add(cs.RegionsToFind(2)), "regions-to-find"),
        (blank.add(cs.YinYang()), "yin-yang"),
    ):
        with pytest.raises(cs.FormatError, match=said):
            cs.write_iss(puzzle)
