"""Every technique fires on a pattern that is known, and not on one that nearly is it."""

import random
import re
from itertools import chain

import pytest

import csp_sudoku as cs
from csp_sudoku.strategies import TECHNIQUES, almost_locked
from csp_sudoku.strategies.network import network_of
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.techniques import Technique
from csp_sudoku.strategies.tight import NoMatching, tight_sets

BLANK = cs.Puzzle.blank(9)
BY_NAME = {technique.name: technique for technique in TECHNIQUES}


def keep(value, places, *houses, puzzle=BLANK):
    """The puzzle in which a value of some houses is possible at these places alone."""
    kept = set(cs.cells(places))
    gone = [cell for cell in chain(*map(cs.cells, houses)) if cell not in kept]
    return puzzle.with_givens(
        {cell: [v for v in puzzle.candidates_of(cell) if v != value] for cell in gone}
    )


def lists(puzzle=BLANK, **candidates):
    """The puzzle with candidate lists, as in R1C1="12"."""
    return puzzle.with_givens({name: list(map(int, text)) for name, text in candidates.items()})


def givens(**values):
    return BLANK.with_givens(values)


def conclusions(name, puzzle):
    position = Position.start(network_of(puzzle), dict(puzzle.candidates))
    found = set()
    for step in BY_NAME[name].steps(position):
        assert step.technique == name
        assert step.sentence
        assert step.conclusions
        found |= {f"{place}={value}" for place, value in step.placements}
        found |= {f"{place}≠{value}" for place, value in step.eliminations}
        check(step, puzzle)
    return found


def check(step, puzzle):
    """Its conclusions follow, says a solver; those of a rectangle if nothing in it can be swapped.

    Without a BUG there are no solutions, or several.
    """
    if step.technique == "unique rectangle":
        puzzle = puzzle.add(cs.where(step.cells, lambda *values: len(set(values)) > 2))
    wrong = [{place: value} for place, value in step.eliminations]
    for place, value in step.placements:
        wrong.append({place: [other for other in puzzle.candidates_of(place) if other != value]})
    with cs.session(puzzle) as session:
        for opposite in wrong:
            found = session.solve(puzzle.with_givens(opposite), limit=2).solutions
            assert len(found) in ({0, 2} if step.technique == "BUG+1" else {0}), step


def shaded(**values):
    """A yin-yang puzzle in which some cells are shaded, or not."""
    puzzle = cs.Puzzle.blank(3, box=None).add(cs.YinYang())
    return puzzle.with_givens({f"shaded:{name}": value for name, value in values.items()})


ROW1, ROW2, ROW5, COLUMN5 = "R1C1-R1C9", "R2C1-R2C9", "R5C1-R5C9", "R1C5-R9C5"
BOX1, BOX2 = "R1C1-R3C3", "R1C4-R3C6"

HATCHED = {"R2C4": 1, "R3C7": 1, "R5C2": 1}
ALL_BUT_ONE = dict(zip([f"R1C{i}" for i in range(1, 9)], range(1, 9), strict=True))
SEEN = {"R1C2": 1, "R1C3": 2, "R1C4": 3, "R1C5": 4, "R2C1": 5, "R3C1": 6, "R4C1": 7}
WING = {"R1C1": "12", "R1C5": "13"}
XYZ = {"R1C1": "123", "R1C5": "13"}
POINTED = keep(5, "R1C1-R1C3", BOX1)
X_WING = keep(5, "R1C2 R1C7 R5C2 R5C7", ROW1, ROW5)
FIVE_CELLS = {"R1C1": "12", "R1C2": "23", "R1C3": "34", "R1C4": "45"}
COLOURED = keep(5, "R1C1 R1C5 R7C5", ROW1, COLUMN5)
CAGES = (cs.KillerCage("R1C1-R1C4", 14), cs.KillerCage("R1C5-R1C8", 26))
TOUCHING = cs.Nonconsecutive()
RECTANGLE = {"R1C2": "12", "R1C4": "12", "R2C2": "12", "R2C4": "123"}
CHAIN = {"R1C1": "12", "R1C5": "23", "R5C5": "34"}
CASES = {"R1C1": "12", "R1C4": "13", "R4C1": "14", "R4C4": "345", "R1C7": "23", "R7C1": "24"}
ROW4, ROW7, ROW8 = "R4C1-R4C9", "R7C1-R7C9", "R8C1-R8C9"
ROW3, COLUMN1, COLUMN6, COLUMN8 = "R3C1-R3C9", "R1C1-R9C1", "R1C6-R9C6", "R1C8-R9C8"
BULB = {"R1C1": "35", "R1C5": "13"}
RING = {"R1C1": "12", "R1C5": "23", "R5C5": "34"}
SETS = {"R1C1": "12", "R1C5": "23", "R2C3": "34"}
DOUBLY = {"R1C1": "13", "R1C5": "23", "R5C1": "14"}
THREE_ROWS = "R1C1 R1C4 R4C4 R4C8 R7C1"
FOUR_ROWS = "R1C1 R1C4 R3C4 R3C8 R5C8 R5C6 R7C6"
FOUR = [f"R{i}C1-R{i}C9" for i in (1, 3, 5, 7)]
BEND = keep(5, "R1C8 R3C8", COLUMN8)
# A second solution in the same cells, where each 1 is 2, each 2 is 3 and each 3 is 1.
GRAVE = {
    f"R{r}C{c}": {"1": "12", "2": "23", "3": "13", "4": "4"}[value]
    for r, row in enumerate(["1234", "3412", "2143", "4321"], 1)
    for c, value in enumerate(row, 1)
}
THREE = BLANK.add(cs.Ratio("R1C1 R1C2", 2), cs.Ratio("R1C2 R1C3", 2))
DOTS = BLANK.add(*(cs.Difference(pair, 1) for pair in ("R1C1 R2C2", "R2C2 R2C3", "R2C3 R2C4")))
DUTCH = BLANK.add(cs.Whisper("R1C1 R1C2 R2C3 R3C4", 4))
ODDS = cs.ParityLine("R1C1 R2C2 R1C3 R2C4 R1C5 R2C6 R1C7 R2C8 R1C9")
PAIRS = [cs.Whisper(f"R1C{i} R1C{i + 1}") for i in (1, 3, 5, 7)]
MARKS = """
    123 5 1236 36 4 123   5 346 134 14 2 1346   236 146 123 2456 135 1345
    4 2 36 136 15 156   1236 1346 45 125 135 3456   13 13 245 245 6 245
"""
LATIN = cs.Puzzle.blank(6, box=None)
NESTED = LATIN.with_givens(
    {cell: list(map(int, mark)) for cell, mark in zip(LATIN.cells, MARKS.split(), strict=True)}
)

# The technique, a pattern, what follows, and what is nearly the pattern.
PATTERNS = [
    ("last cell", BLANK.with_givens(ALL_BUT_ONE), "R1C9=9", givens(R1C1=1, R1C2=2)),
    (
        "hidden single in a block",
        givens(**HATCHED, R8C3=1),
        "R1C1=1",
        givens(**HATCHED),
    ),
    (
        "hidden single in a line",
        keep(5, "R1C1", ROW1),
        "R1C1=5",
        keep(5, "R1C1 R1C6", ROW1),
    ),
    ("naked single", givens(**SEEN, R5C1=8), "R1C1=9", givens(**SEEN)),
    (
        "direct pointing",
        keep(5, "R1C4 R2C5", BOX2, puzzle=POINTED),
        "R2C5=5",
        keep(5, "R1C4 R2C5 R3C5", BOX2, puzzle=POINTED),
    ),
    (
        "direct claiming",
        keep(5, "R2C2 R2C6", ROW2, puzzle=keep(5, "R1C1-R1C3", ROW1)),
        "R2C6=5",
        keep(5, "R2C2 R2C6 R2C7", ROW2, puzzle=keep(5, "R1C1-R1C3", ROW1)),
    ),
    ("pointing", POINTED, "R1C4≠5 R1C9≠5", keep(5, "R1C1 R2C2", BOX1)),
    ("claiming", keep(5, "R1C1 R1C3", ROW1), "R2C2≠5", keep(5, "R1C1 R1C4", ROW1)),
    (
        "pointing",
        keep(5, "R1C3 R3C3", BOX1, puzzle=BLANK.add(cs.AntiKnight())),
        "R2C5≠5",
        keep(5, "R1C3 R3C3", BOX1),
    ),
    ("naked pair", lists(R1C1="12", R1C2="12"), "R1C9≠1 R2C3≠2", lists(R1C1="12", R1C2="123")),
    (
        "naked triple",
        lists(R1C1="12", R1C4="23", R1C8="13"),
        "R1C9≠1 R1C9≠3",
        lists(R1C1="12", R1C4="23", R1C8="14"),
    ),
    (
        "naked quad",
        lists(R1C1="12", R1C4="23", R1C7="34", R1C8="14"),
        "R1C9≠4",
        lists(R1C1="12", R1C4="23", R1C7="34", R1C8="15"),
    ),
    (
        "naked pair",  # a cage without a sum is a group in which values differ, and no house
        lists(BLANK.add(cs.KillerCage("R1C1 R2C4 R3C7")), R1C1="12", R2C4="12"),
        "R3C7≠1 R3C7≠2",
        lists(R1C1="12", R2C4="12"),
    ),
    (
        "large naked subset",
        lists(**FIVE_CELLS, R1C5="15"),
        "R1C9≠5",
        lists(**FIVE_CELLS, R1C5="16"),
    ),
    (
        "hidden pair",
        keep(2, "R1C1 R1C5", ROW1, puzzle=keep(1, "R1C1 R1C5", ROW1)),
        "R1C1≠3 R1C5≠9",
        keep(2, "R1C1 R1C6", ROW1, puzzle=keep(1, "R1C1 R1C5", ROW1)),
    ),
    (
        "hidden triple",
        keep(
            1,
            "R1C1 R1C5",
            ROW1,
            puzzle=keep(2, "R1C5 R1C9", ROW1, puzzle=keep(3, "R1C1 R1C9", ROW1)),
        ),
        "R1C9≠4",
        keep(
            1,
            "R1C1 R1C5",
            ROW1,
            puzzle=keep(2, "R1C5 R1C9", ROW1, puzzle=keep(3, "R1C1 R1C8", ROW1)),
        ),
    ),
    (
        "hidden quad",
        lists(**{f"R1C{i}": "56789" for i in range(5, 10)}),
        "R1C1≠5 R1C4≠9",
        lists(**{f"R1C{i}": "56789" for i in range(5, 9)}, R1C9="456789"),
    ),
    (
        "large hidden subset",
        lists(**{f"R1C{i}": "6789" for i in range(6, 10)}),
        "R1C1≠6",
        lists(**{f"R1C{i}": "6789" for i in range(6, 9)}, R1C9="56789"),
    ),
    ("X-wing", X_WING, "R2C2≠5 R9C7≠5", keep(5, "R1C2 R1C7 R5C2 R5C8", ROW1, ROW5)),
    (
        "swordfish",
        keep(5, "R1C1 R1C4 R4C4 R4C8 R7C1 R7C8", ROW1, "R4C1-R4C9", "R7C1-R7C9"),
        "R2C1≠5 R9C8≠5",
        keep(5, "R1C1 R1C4 R4C4 R4C8 R7C1 R7C9", ROW1, "R4C1-R4C9", "R7C1-R7C9"),
    ),
    (
        "jellyfish",
        keep(
            5,
            "R1C1 R1C4 R3C4 R3C8 R5C8 R5C6 R7C6 R7C1",
            *(f"R{i}C1-R{i}C9" for i in (1, 3, 5, 7)),
        ),
        "R9C1≠5 R9C6≠5",
        keep(
            5,
            "R1C1 R1C4 R3C4 R3C8 R5C8 R5C6 R7C6 R7C2",
            *(f"R{i}C1-R{i}C9" for i in (1, 3, 5, 7)),
        ),
    ),
    (
        "large fish",
        keep(
            5,
            "R1C1 R1C4 R3C4 R3C8 R5C8 R5C6 R7C6 R7C2 R9C2 R9C1",
            *(f"R{i}C1-R{i}C9" for i in (1, 3, 5, 7, 9)),
        ),
        "R2C1≠5",
        keep(
            5,
            "R1C1 R1C4 R3C4 R3C8 R5C8 R5C6 R7C6 R7C2 R9C2 R9C9",
            *(f"R{i}C1-R{i}C9" for i in (1, 3, 5, 7, 9)),
        ),
    ),
    ("XY-wing", lists(**WING, R5C1="23"), "R5C5≠3", lists(**WING, R5C1="24")),
    ("XYZ-wing", lists(**XYZ, R2C2="23"), "R1C2≠3 R1C3≠3", lists(**XYZ, R2C2="12")),
    (
        "unique rectangle",
        lists(**RECTANGLE),
        "R2C4≠1 R2C4≠2",
        lists(R1C2="12", R1C5="12", R4C2="12", R4C5="123"),
    ),
    (
        "unique rectangle",
        lists(R1C2="12", R1C4="123", R2C2="12", R2C4="123"),
        "R3C4≠3 R5C4≠3",
        lists(R1C2="12", R1C4="123", R2C2="12", R2C4="124"),
    ),
    (
        "unique rectangle",  # a clue on a corner would notice the swap
        lists(**RECTANGLE),
        "R2C4≠1",
        lists(BLANK.add(cs.Sum("R1C2 R9C9", 3, at_most=18)), **RECTANGLE),
    ),
    (
        "unique rectangle",  # so would a diagonal
        lists(R1C3="12", R1C4="12", R2C3="12", R2C4="123"),
        "R2C4≠1",
        lists(BLANK.add(cs.Diagonals()), R1C1="12", R1C4="12", R2C1="12", R2C4="123"),
    ),
    (
        "simple colouring",
        keep(5, "R7C5 R7C2", "R7C1-R7C9", puzzle=COLOURED),
        "R8C1≠5",
        keep(5, "R7C5 R7C2 R7C8", "R7C1-R7C9", puzzle=COLOURED),
    ),
    (
        "skyscraper",
        keep(5, "R1C1 R1C5 R5C1 R5C6", ROW1, ROW5),
        "R4C5≠5 R6C5≠5",
        keep(5, "R1C1 R1C5 R5C2 R5C6", ROW1, ROW5),
    ),
    (
        "two-string kite",
        keep(5, "R1C2 R1C7 R2C3 R8C3", ROW1, "R1C3-R9C3"),
        "R8C7≠5",
        keep(5, "R1C2 R1C7 R4C3 R8C3", ROW1, "R1C3-R9C3"),
    ),
    (
        "turbot fish",
        keep(5, "R2C2 R3C3 R7C3 R7C8", BOX1, ROW7),
        "R2C8≠5",
        keep(5, "R2C2 R3C3 R7C4 R7C8", BOX1, ROW7),
    ),
    (
        "turbot fish",  # a weak link of a knight's move
        keep(5, "R3C1 R3C5 R5C6 R8C6", ROW3, COLUMN6, puzzle=BLANK.add(cs.AntiKnight())),
        "R8C1≠5",
        keep(5, "R3C1 R3C5 R6C6 R8C6", ROW3, COLUMN6, puzzle=BLANK.add(cs.AntiKnight())),
    ),
    (
        "empty rectangle",
        keep(5, "R2C1 R2C3 R1C2 R3C2", BOX1, puzzle=keep(5, "R2C8 R7C8", COLUMN8)),
        "R7C2≠5",
        keep(5, "R2C1 R2C3 R1C2 R3C2 R3C3", BOX1, puzzle=keep(5, "R2C8 R7C8", COLUMN8)),
    ),
    (
        "remote pair",
        lists(R1C1="12", R1C5="12", R5C5="12", R5C8="12"),
        "R1C8≠1 R1C8≠2",
        lists(R1C1="12", R1C5="12", R5C5="12", R5C8="13"),
    ),
    (
        "W-wing",
        lists(keep(1, "R9C1 R9C9", "R9C1-R9C9"), R1C1="12", R5C9="12"),
        "R1C9≠2 R5C1≠2",
        lists(keep(1, "R9C1 R9C8", "R9C1-R9C9"), R1C1="12", R5C9="12"),
    ),
    (
        "M-wing",
        lists(keep(2, "R5C1 R5C7", ROW5, puzzle=keep(1, "R5C7 R9C7", "R1C7-R9C7")), R1C1="12"),
        "R9C1≠1",
        lists(keep(2, "R5C1 R5C7", ROW5, puzzle=keep(1, "R4C7 R9C7", "R1C7-R9C7")), R1C1="12"),
    ),
    (
        "split wing",
        lists(keep(1, "R1C1 R1C5", ROW1, puzzle=keep(2, "R4C1 R4C6", ROW4)), R5C5="12"),
        "R1C1≠2 R4C1≠1",
        lists(keep(1, "R1C1 R1C5", ROW1, puzzle=keep(2, "R4C1 R4C7", ROW4)), R5C5="12"),
    ),
    (
        "X-chain",
        keep(5, "R7C5 R7C2", ROW7, puzzle=COLOURED),
        "R8C1≠5",
        keep(5, "R7C5 R7C2 R7C8", ROW7, puzzle=COLOURED),
    ),
    ("XY-chain", lists(**CHAIN, R5C8="14"), "R1C8≠1 R5C1≠1", lists(**CHAIN, R5C8="45")),
    ("AIC", lists(**CHAIN, R5C8="14"), "R1C8≠1 R5C1≠1", lists(**CHAIN, R5C8="45")),
    (
        "AIC",  # a weak link along a thermometer: the tip is above the bulb
        lists(BLANK.add(cs.Thermometer("R1C1 R2C2")), **BULB, R2C2="46", R2C8="16"),
        "R1C8≠1 R2C5≠1",
        lists(**BULB, R2C2="46", R2C8="16"),
    ),
    (
        "nice loop",
        lists(**RING, R5C1="14"),
        "R1C8≠2 R8C5≠3 R5C8≠4 R8C1≠1",
        lists(**RING, R5C1="45"),
    ),
    (
        "grouped nice loop",
        keep(5, "R1C1 R1C2 R3C3", BOX1, puzzle=BEND),
        "R1C5≠5 R3C5≠5",
        keep(5, "R1C1 R1C2 R2C3", BOX1, puzzle=BEND),
    ),
    (
        "grouped AIC",
        keep(5, "R2C1 R2C3 R1C2 R3C2", BOX1, puzzle=keep(5, "R2C8 R7C8", COLUMN8)),
        "R7C2≠5",
        keep(5, "R2C1 R2C3 R1C2 R3C3", BOX1, puzzle=keep(5, "R2C8 R7C8", COLUMN8)),
    ),
    (
        "finned X-wing",
        keep(5, "R1C2 R1C7 R5C2 R5C7 R5C8", ROW1, ROW5),
        "R4C7≠5 R6C7≠5",
        keep(5, "R1C2 R1C7 R5C2 R5C7 R5C5", ROW1, ROW5),
    ),
    (
        "sashimi X-wing",
        keep(5, "R1C2 R1C7 R5C2 R5C8", ROW1, ROW5),
        "R4C7≠5 R6C7≠5",
        keep(5, "R1C2 R1C7 R5C2 R5C5", ROW1, ROW5),
    ),
    (
        "finned swordfish",
        keep(5, f"{THREE_ROWS} R7C8 R7C9", ROW1, ROW4, ROW7),
        "R8C8≠5 R9C8≠5",
        keep(5, f"{THREE_ROWS} R7C8 R7C5", ROW1, ROW4, ROW7),
    ),
    (
        "sashimi swordfish",
        keep(5, f"{THREE_ROWS} R7C9", ROW1, ROW4, ROW7),
        "R8C8≠5 R9C8≠5",
        keep(5, f"{THREE_ROWS} R7C5", ROW1, ROW4, ROW7),
    ),
    (
        "finned jellyfish",
        keep(5, f"{FOUR_ROWS} R7C1 R7C2", *FOUR),
        "R8C1≠5 R9C1≠5",
        keep(5, f"{FOUR_ROWS} R7C1 R7C9", *FOUR),
    ),
    (
        "sashimi jellyfish",
        keep(5, f"{FOUR_ROWS} R7C2", *FOUR),
        "R8C1≠5 R9C1≠5",
        keep(5, f"{FOUR_ROWS} R7C9", *FOUR),
    ),
    (
        "Franken X-wing",
        keep(5, "R1C2 R2C2 R3C3 R5C2 R5C3", BOX1, ROW5),
        "R8C3≠5",
        keep(5, "R1C2 R2C2 R3C3 R5C2 R5C4", BOX1, ROW5),
    ),
    (
        "Franken swordfish",
        keep(5, "R1C1 R2C2 R3C3 R4C1 R4C2 R5C1 R5C2 R5C3", BOX1, ROW4, ROW5),
        "R8C3≠5",
        keep(5, "R1C1 R2C2 R3C3 R4C1 R4C2 R5C1 R5C2 R5C4", BOX1, ROW4, ROW5),
    ),
    (
        "Franken jellyfish",
        keep(
            5,
            "R1C1 R2C2 R3C3 R4C1 R4C8 R4C3 R5C2 R5C8 R8C1 R8C2 R8C8 R8C3",
            *(BOX1, ROW4, ROW5, ROW8),
        ),
        "R6C3≠5",
        keep(
            5,
            "R1C1 R2C2 R3C3 R4C1 R4C8 R4C3 R5C2 R5C8 R8C1 R8C2 R8C8 R8C4",
            *(BOX1, ROW4, ROW5, ROW8),
        ),
    ),
    (
        "mutant X-wing",
        keep(5, "R1C2 R1C8 R2C1 R8C1", ROW1, COLUMN1),
        "R8C8≠5",
        keep(5, "R1C2 R1C8 R4C1 R8C1", ROW1, COLUMN1),
    ),
    (
        "mutant swordfish",
        keep(5, "R1C2 R1C5 R2C1 R8C1 R5C5 R5C8", ROW1, COLUMN1, ROW5),
        "R8C8≠5",
        keep(5, "R1C2 R1C5 R2C1 R8C1 R5C6 R5C8", ROW1, COLUMN1, ROW5),
    ),
    (
        "mutant jellyfish",
        keep(5, "R1C2 R1C5 R2C1 R8C1 R5C5 R5C7 R4C7 R4C8", ROW1, COLUMN1, ROW5, ROW4),
        "R8C8≠5",
        keep(5, "R1C2 R1C5 R2C1 R8C1 R5C5 R5C7 R4C6 R4C8", ROW1, COLUMN1, ROW5, ROW4),
    ),
    ("WXYZ-wing", lists(**SETS, R2C2="14"), "R1C3≠3 R2C4≠3", lists(**SETS, R2C2="45")),
    ("ALS-XZ", lists(**SETS, R2C2="14"), "R1C3≠3 R2C4≠3", lists(**SETS, R2C2="45")),
    (
        "doubly linked ALS-XZ",
        lists(**DOUBLY, R5C5="24"),
        "R8C1≠1 R1C8≠3",
        lists(**DOUBLY, R5C5="25"),
    ),
    ("ALS-XY-wing", lists(**WING, R5C1="23"), "R5C5≠3", lists(**WING, R5C1="24")),
    ("ALS chain", lists(**CHAIN, R5C8="14"), "R1C8≠1 R5C1≠1", lists(**CHAIN, R5C8="45")),
    ("AIC with ALS", lists(**SETS, R2C2="14"), "R1C3≠3 R2C4≠3", lists(**SETS, R2C2="45")),
    (
        "nice loop with ALS",
        lists(**DOUBLY, R5C5="24"),
        "R8C1≠1 R1C8≠3",
        lists(**DOUBLY, R5C5="25"),
    ),
    (
        "death blossom",
        lists(R5C5="12", R5C1="13", R1C5="23"),
        "R1C1≠3",
        lists(R5C5="12", R5C1="13"),
    ),
    (
        "Sue de Coq",
        lists(R1C1="1234", R1C2="1234", R1C5="12", R2C3="34"),
        "R1C8≠1 R3C3≠3",
        lists(R1C1="1234", R1C2="1234", R1C5="12", R2C3="35"),
    ),
    (
        "unique rectangle",  # type 3: the guardians and a cell are a naked pair
        lists(R1C2="12", R2C2="12", R1C4="123", R2C4="124", R5C4="34"),
        "R7C4≠3 R7C4≠4",
        lists(R1C2="12", R2C2="12", R1C4="123", R2C4="124", R5C4="35"),
    ),
    (
        "unique rectangle",  # type 4: one of the two cells is 1
        lists(keep(1, "R1C4 R2C4", "R1C4-R9C4"), R1C2="12", R2C2="12"),
        "R1C4≠2 R2C4≠2",
        lists(keep(1, "R1C4 R2C4 R5C4", BOX2, "R1C4-R9C4"), R1C2="12", R2C2="123"),
    ),
    (
        "BUG+1",
        lists(cs.Puzzle.blank(4), **GRAVE | {"R1C1": "123"}),
        "R1C1=3",
        lists(cs.Puzzle.blank(4), **GRAVE | {"R1C1": "123", "R4C4": "123"}),
    ),
    ("forcing chain", lists(**CHAIN, R5C8="14"), "R1C8≠1 R5C1≠1", lists(**CHAIN, R5C8="145")),
    ("forcing cases", lists(**CASES, R7C7="345"), "R4C7≠5", lists(**CASES, R7C7="3456")),
    ("nested forcing", NESTED, "R2C6≠1", LATIN),
    ("cell rule", BLANK.add(cs.Even("R1C1")), "R1C1≠1 R1C1≠9", BLANK),
    (
        "pair rule",
        BLANK.add(cs.GreaterThan("R1C1", "R1C2")),
        "R1C1≠1 R1C2≠9",
        lists(BLANK.add(cs.GreaterThan("R1C1", "R1C2")), R1C1="29", R1C2="18"),
    ),
    (
        "dot chain",  # 1 2 4, 4 2 1, 2 4 8 or 8 4 2; not 3 6 3
        THREE,
        "R1C1≠3 R1C2≠1 R1C2≠8 R1C2≠3 R1C3≠6",
        BLANK.add(cs.Ratio("R1C1 R1C2", 2), cs.Ratio("R1C2 R5C2", 2)),
    ),
    (
        "dot chain",  # along a whisper: a 4 or 6 has one neighbour that fits
        BLANK.add(cs.Whisper("R1C1 R1C2 R2C2")),
        "R1C2≠4 R1C2≠6",
        BLANK.add(cs.Whisper("R1C1 R1C2 R5C2")),
    ),
    (
        "polarity",  # one dot after another: it goes on beyond the next cell
        DOTS.with_givens({"R2C4": 4}),
        "R2C2≠1 R2C2≠9 R2C3≠2 R1C1≠6",
        DOTS.with_givens({"R1C9": 4}),
    ),
    (
        "polarity",  # low and high, once 5 is gone: a Dutch whisper may go 1 5 9
        lists(DUTCH, R1C1="12", **dict.fromkeys(["R1C2", "R2C3", "R3C4"], "12346789")),
        "R2C3≠9 R3C4≠1",
        lists(DUTCH, R1C1="12"),
    ),
    (
        "polarity colouring",  # five cells of row 1 are too many for even values
        BLANK.add(ODDS),
        "R1C1≠2 R1C9≠8 R2C2≠3",
        BLANK.add(cs.ParityLine(ODDS.cells[:-1])),
    ),
    (
        "polarity colouring",  # each of four pairs has a low cell and a high one: the ninth has 5
        BLANK.add(*PAIRS),
        "R1C9≠1 R1C9≠4 R1C9≠6",
        BLANK.add(*PAIRS[:-1]),
    ),
    (
        "required value",  # 1 2 5 or 1 3 4: the rest of the box is without 1
        BLANK.add(cs.KillerCage("R1C1 R1C2 R2C2", 8)),
        "R3C3≠1 R1C3≠1",
        BLANK.add(cs.KillerCage("R1C1 R1C2 R4C2", 8)),
    ),
    (
        "required value",  # five consecutive values have a 5 among them
        BLANK.add(cs.Renban("R1C1 R1C2 R2C3 R3C2 R3C1")),
        "R2C1≠5 R3C3≠5",
        BLANK.add(cs.Renban("R1C1 R1C2 R2C3 R3C2")),
    ),
    (
        "bounds",
        BLANK.add(cs.Thermometer("R1C1-R1C4")),
        "R1C1≠7 R1C4≠3",
        BLANK.add(cs.Thermometer("R1C1 R1C2")),
    ),
    (
        "bounds",
        BLANK.add(cs.Arrow("R1C1", "R1C2 R1C3 R2C2")),
        "R1C1≠2 R1C2≠8",
        lists(BLANK.add(cs.Arrow("R1C1", "R1C2 R5C3")), R1C1="29", R1C2="18", R5C3="18"),
    ),
    (
        "cage combinations",
        BLANK.add(cs.KillerCage("R1C1 R1C2 R2C2", 6)),
        "R1C1≠4 R2C2≠9",
        BLANK.add(cs.KillerCage("R1C1 R1C2 R2C2", 15)),
    ),
    (
        "rule filtering",
        BLANK.add(cs.where("R1C1 R1C2 R5C5", lambda a, b, c: a == b + 2 * c)),
        "R1C1≠2 R5C5≠5",
        BLANK.add(cs.where("R1C1 R1C2 R5C5", lambda a, b, c: a + b + c > 3)),
    ),
    (
        "connection",
        shaded(R1C1=1, R1C2=0, R2C2=0, R3C3=1),
        "shaded:R2C1≠0",
        shaded(R1C1=1, R2C2=0, R3C3=1),
    ),
    (
        "crossing",
        shaded(R1C1=1, R1C3=0, R3C3=1),
        "shaded:R2C1≠0 shaded:R3C1≠0 shaded:R3C2≠0",
        shaded(R1C1=1, R3C3=1),
    ),
    (
        "45 rule",
        BLANK.add(*CAGES),
        "R1C9≠4 R1C9≠6",
        BLANK.add(CAGES[0], cs.KillerCage("R1C5-R1C8")),
    ),
    (
        "line arithmetic",
        lists(BLANK.add(cs.Sum("R1C1 R1C5", 4)), R1C1="123", R1C5="123"),
        "R1C1≠2 R1C5≠2",
        lists(BLANK.add(cs.Sum("R1C1 R5C5", 4)), R1C1="123", R5C5="123"),
    ),
    (
        "common victims",
        keep(5, "R1C1 R1C3", ROW1, puzzle=BLANK.add(TOUCHING)),
        "R1C2≠4 R1C2≠6",
        keep(5, "R1C1 R1C4", ROW1, puzzle=BLANK.add(TOUCHING)),
    ),
]


@pytest.mark.parametrize(
    ("name", "pattern", "follows", "nearly"), PATTERNS, ids=[pattern[0] for pattern in PATTERNS]
)
def test_patterns(name, pattern, follows, nearly):
    wanted = set(follows.split())
    found = conclusions(name, pattern)
    assert found >= wanted
    assert found
    missed = conclusions(name, nearly)
    assert not missed & (wanted or found)


def test_every_technique_is_tested():
    tested = {pattern[0] for pattern in PATTERNS} | {"avoidable rectangle"}
    assert {technique.name for technique in TECHNIQUES} == tested


def test_avoidable_rectangles_need_cells_that_were_placed():
    """The same digits as givens could not be swapped."""
    placed = {"R1C2": 1, "R1C4": 2, "R2C2": 2}
    start = Position.start(network_of(BLANK), {})
    number = start.network.number
    later = start.after([(number[cs.cell(name)], value - 1) for name, value in placed.items()])
    last = [(number[cs.cell("R2C4")], value - 1) for value in (4, 5, 6, 7, 8, 9)]
    found = BY_NAME["avoidable rectangle"].steps(later.after([], last))
    assert [step.eliminations for step in found] == [((cs.cell("R2C4"), 1),)]
    assert not conclusions("avoidable rectangle", lists(givens(**placed), R2C4="13"))


def test_low_and_high_are_not_counted_beside_odd_and_even_if_they_are_the_same():
    lines = (cs.ParityLine("R1C1 R1C2"), cs.ParityLine("R1C3 R2C3"))
    puzzle = cs.Puzzle.blank(4, values=(1, 3, 4, 6)).add(*lines)
    assert not conclusions("polarity colouring", puzzle)


def test_scores_rise():
    scores = [technique.score for technique in TECHNIQUES]
    assert scores == sorted(scores)
    assert len(BY_NAME) == len(TECHNIQUES)


def test_techniques_that_rely_on_uniqueness():
    relying = [t.name for t in TECHNIQUES if t.needs_uniqueness]
    assert relying == ["unique rectangle", "avoidable rectangle", "BUG+1"]
    puzzle = lists(**RECTANGLE)
    position = Position.start(network_of(puzzle), dict(puzzle.candidates))
    for technique in TECHNIQUES[:-4]:
        for step in technique.steps(position):
            assert step.relies_on_uniqueness == technique.needs_uniqueness


@pytest.mark.parametrize(
    ("name", "houses"), [("pointing", {"box"}), ("claiming", {"row", "column"})]
)
def test_intersections_are_named_after_the_house_that_they_start_from(name, houses):
    puzzle = cs.read(
        "..............1..2..3.4..5........3..6.......12...6.......7........8.9.1..453...."
    )
    position = Position.start(network_of(puzzle), dict(puzzle.candidates))
    sentences = [step.sentence for step in BY_NAME[name].all_steps(position)]
    started = {re.match(r"in (\w+) \d, \d lies in", text)[1] for text in sentences}
    assert started
    assert started <= houses


@pytest.mark.parametrize(
    ("choices", "items", "used"), [([1, 1], 0b11, 1), ([0b110, 0b1, 0b110, 0b110], 0b1101, 0b110)]
)
def test_what_has_no_matching_is_named(choices, items, used):
    with pytest.raises(NoMatching) as found:
        tight_sets(choices)
    assert (found.value.items, found.value.choices) == (items, used)


def test_the_bound_of_a_part_is_never_too_small():
    rng = random.Random(3)
    network = network_of(cs.Puzzle.blank(16))
    for _ in range(30):
        candidates = {
            place: rng.sample(range(1, 17), rng.randint(2, 6)) for place in network.places
        }
        position = Position.start(network, candidates)
        places = sorted(rng.sample(range(256), 7))
        values = sum(1 << value for value in rng.sample(range(16), 7))
        parts = almost_locked._parts(position, places, values, 1, 16)
        bound = almost_locked._most_spare(position, places, values)
        assert all(part.spare <= bound for part in parts)
        for least in range(2, 5):
            larger = almost_locked._parts(position, places, values, least, 16)
            assert larger == [part for part in parts if part.spare >= least]


def test_large_grids_tell_harder_steps_in_the_same_round():
    def find(position, score):
        for value, harder in enumerate((0.0, 0.4, 0.7)):
            yield position.step("x", score + harder, 1, "because", eliminations=[(0, value)])

    technique = Technique("x", 5.0, find)
    for side, number in ((9, 1), (16, 2)):
        network = network_of(cs.Puzzle.blank(side))
        position = Position.start(network, dict(cs.Puzzle.blank(side).candidates))
        steps = technique.steps(position)
        assert [step.score for step in steps] == [5.0] * number
