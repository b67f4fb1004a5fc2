"""Generated puzzles: unique by two backends, minimal, symmetric and reproducible where said."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import ConstraintError, PuzzleError, UndecidedError
from csp_sudoku.generating import DIFFICULTIES, SYMMETRIES, kinds
from csp_sudoku.generating.shapes import orbits
from csp_sudoku.strategies import rate

ANTI_KNIGHT = cs.Puzzle.blank(6).add(cs.AntiKnight())
CROSSED = cs.Puzzle.overlapping(
    cs.Grid(4, 4, (1, 2, 3, 4), box=(2, 2), top=top, left=left) for top, left in ((0, 0), (2, 2))
)

#: The rules, and what is wished for.
WISHES = {
    "1×1": (1, {}),
    "2×2": (2, {"minimal": True}),
    "4×4": (4, {"minimal": True}),
    "5×5": (5, {}),
    "9×9": (9, {}),
    "9×9 minimal": (9, {"minimal": True}),
    "9×9 with 30 givens": (9, {"clues": 30}),
    "9×9 with 36 givens, symmetric": (9, {"clues": 36, "symmetry": "rotational"}),
    "16×16": (16, {"share": 0.4}),
    "rectangle": (cs.Puzzle.blank(4, 6, values=range(1, 7), box=None), {"minimal": True}),
    "overlapping": (CROSSED, {"minimal": True}),
    "a rule": (ANTI_KNIGHT, {"minimal": True}),
    "a custom rule": (
        cs.Puzzle.blank(4).add(cs.where("R1C1 R1C2", lambda a, b: a == 2 * b)),
        {"minimal": True},
    ),
    "givens that stay": (cs.read("1... .... .... ...."), {}),
    "a list of candidates": (cs.Puzzle.blank(4).with_givens({"R1C1": [1, 2]}), {}),
    "jigsaw": (6, {"recipe": "jigsaw", "minimal": True}),
    "anti-king": (9, {"recipe": ["anti-king"]}),
    "killer": (6, {"recipe": "killer", "clues": 0}),
    "killer, minimal": (6, {"recipe": "killer", "clues": 0, "minimal": True}),
    "killer with givens": (6, {"recipe": "killer", "clues": 3}),
    "killer with givens, minimal": (6, {"recipe": "killer", "clues": 2, "minimal": True}),
    "several": (6, {"recipe": "thermo:2, arrow:1, dots:3, diagonals"}),
    "dots, minimal": (6, {"recipe": "dots", "minimal": True}),
}


def _is_unique(puzzle):
    return all(cs.is_unique(puzzle, backend) for backend in ("cpsat", "sat"))


@pytest.mark.parametrize("name", WISHES)
def test_unique(name):
    rules, wishes = WISHES[name]
    made = cs.generate(rules, seed=1, **wishes)
    assert made.unique
    assert _is_unique(made.puzzle)
    assert cs.verify(made.puzzle, made.solution).ok
    assert made.clues == len(made.puzzle.givens)
    if wishes.get("clues") is not None and not made.shortfalls:
        assert made.clues == wishes["clues"]
    if wishes.get("minimal"):
        assert made.minimal
        _check_minimal(made.puzzle, rules)
    if not isinstance(rules, int):
        assert set(rules.constraints) <= set(made.puzzle.constraints)
        assert set(rules.givens.items()) <= set(made.puzzle.givens.items())


def _check_minimal(puzzle, rules):
    assert cs.is_minimal(puzzle)
    asked = () if isinstance(rules, int) else rules.constraints
    for clue in puzzle.constraints:
        if clue in asked:
            continue
        rest = [other for other in puzzle.constraints if other != clue]
        assert not cs.is_unique(replace(puzzle, constraints=tuple(rest))), clue.label


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetry(symmetry):
    made = cs.generate(6, symmetry=symmetry, minimal=True, seed=2)
    for orbit in orbits(made.puzzle, symmetry):
        assert len({place in made.puzzle.givens for place in orbit}) == 1
    assert _is_unique(made.puzzle)
    assert made.minimal == cs.is_minimal(made.puzzle)
    assert bool(made.shortfalls) == (not made.minimal)


@pytest.mark.parametrize("kind", kinds())
def test_clues_of_a_recipe_hold(kind):
    made = cs.generate(6, recipe=[kind], seed=3)
    assert cs.verify(made.puzzle, made.solution).ok
    assert _is_unique(made.puzzle)


def test_no_clue_is_placed_twice():
    for kind in kinds():
        clues = cs.generate(4, mode="normal", recipe=[kind], seed=2).puzzle.constraints
        assert len(set(clues)) == len(clues), kind


#: Rules that read the clues to be placed, and the clues.
NEGATIVE = {
    "xv, negative-xv": (6, {"pair-sum"}),
    "x, negative-xv": (6, {"pair-sum"}),
    "xv, negative-xv, minimal": (9, {"pair-sum"}),
    "dots, negative-kropki": (4, {"difference", "ratio"}),
    "dots, negative-kropki, minimal": (6, {"difference", "ratio"}),
    "white-dots, negative-kropki, minimal": (6, {"difference"}),
    "dots, xv, negative-kropki, negative-xv, minimal": (4, {"difference", "ratio", "pair-sum"}),
}


@pytest.mark.parametrize("wanted", NEGATIVE)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_negative_rule_gets_all_the_marks_that_it_needs(wanted, seed):
    side, names = NEGATIVE[wanted]
    recipe = wanted.removesuffix(", minimal")
    minimal = recipe != wanted
    made = cs.generate(side, recipe=recipe, seed=seed, minimal=minimal)
    rules = [rule for rule in made.puzzle.constraints if rule.name.startswith("negative")]
    marks = [rule for rule in made.puzzle.constraints if rule not in rules]
    assert {mark.name for mark in marks} == names
    assert cs.verify(made.puzzle, made.solution).ok
    assert _is_unique(made.puzzle)
    if minimal:
        assert made.minimal
        needed = [*marks, *made.puzzle.givens]
        found = cs.redundant(made.puzzle)
        assert not set(needed) & {*found.givens, *found.constraints}


def test_marks_of_a_negative_rule_in_normal_mode():
    made = cs.generate(6, mode="normal", recipe="xv, negative-xv", seed=3)
    assert cs.verify(made.puzzle, made.solution).ok
    assert any(isinstance(rule, cs.PairSum) for rule in made.puzzle.constraints)


def test_a_negative_rule_that_comes_with_the_puzzle_reads_the_clues_too():
    rules = cs.Puzzle.blank(6).add(cs.NegativeXV((5, 11)))
    made = cs.generate(rules, recipe="v", seed=4)
    assert any(rule == cs.PairSum(rule.cells, 5) for rule in made.puzzle.constraints[1:])
    assert cs.verify(made.puzzle, made.solution).ok
    assert _is_unique(made.puzzle)


def test_clues_that_could_not_be_placed_are_said():
    # No two values of a 4×4 grid sum to 10.
    assert cs.generate(4, recipe="x", seed=1).shortfalls == ("no clue of x could be placed",)
    made = cs.generate(4, recipe="arrow:30", seed=1)
    number = len([clue for clue in made.puzzle.constraints if isinstance(clue, cs.Arrow)])
    assert made.shortfalls == (f"it has {number} clues of arrow, not 30",)
    made = cs.generate(6, recipe="v:1, negative-xv", seed=1)
    number = len([clue for clue in made.puzzle.constraints if isinstance(clue, cs.PairSum)])
    assert made.shortfalls == (f"it has {number} clues of v, not 1",)


def test_marks_that_others_read_go_where_they_are_not_needed():
    """A maximum beside another one: the puzzle without it is judged by what it then means."""
    rules = cs.Puzzle.blank(4).add(cs.Maximum("R2C2"), cs.Minimum("R3C3"))
    for seed in range(4):
        made = cs.generate(rules, recipe="extremes:6", minimal=True, seed=seed)
        assert cs.verify(made.puzzle, made.solution).ok
        assert _is_unique(made.puzzle)
        _check_minimal(made.puzzle, rules)


def test_normal_mode():
    made = cs.generate(9, mode="normal", seed=4)
    assert (made.clues, made.unique) == (81 - round(0.4 * 81), None)
    assert cs.verify(made.puzzle, made.solution).ok
    assert cs.generate(9, mode="normal", share=1, seed=4).clues == 0
    assert cs.generate(64, mode="normal", seed=4).clues == 4096 - round(0.4 * 4096)


def test_normal_mode_with_clues():
    made = cs.generate(6, mode="normal", recipe="thermo:2,killer", seed=4)
    assert {type(clue) for clue in made.puzzle.constraints} == {cs.Thermometer, cs.KillerCage}
    caged = [place for clue in made.puzzle.constraints[:-2] for place in clue.cells]
    assert sorted(caged) == list(made.puzzle.cells)


def test_equal_seeds_give_equal_puzzles():
    wishes = {"recipe": "thermo:2,dots:2", "seed": 5}
    assert cs.generate(6, **wishes).puzzle == cs.generate(6, **wishes).puzzle
    assert cs.generate(9, seed=5).puzzle != cs.generate(9, seed=6).puzzle


def test_nothing_depends_on_hashes():
    code = (
        "import csp_sudoku as cs; made = cs.generate(6, recipe='jigsaw,thermo,killer', seed=6);"
        "print(cs.write_json(made.puzzle))"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert "thermometer" in said[0]


def test_a_puzzle_can_be_made_again_by_its_seed():
    made = list(cs.generate_many(3, 4, minimal=True, seed=8))
    assert [cs.generate(4, minimal=True, seed=m.seed).puzzle for m in made] == [
        m.puzzle for m in made
    ]
    assert [m.puzzle for m in cs.generate_many(2, 4, minimal=True, seed=8, first=1)] == [
        m.puzzle for m in made[1:]
    ]


def test_many_on_workers():
    told = []
    with ThreadPoolExecutor(2) as executor:
        made = cs.generate_many(6, 6, seed=9, executor=executor, chunk=4, progress=told.append)
        puzzles = [m.puzzle for m in made]
    assert puzzles == [m.puzzle for m in cs.generate_many(6, 6, seed=9)]
    assert [m.puzzle for m in told] == puzzles


def test_rated():
    [made] = cs.generate_many(1, 6, minimal=True, seed=2, rated=True)
    assert made.rating == rate(made.puzzle) == pickle.loads(pickle.dumps(made)).rating
    assert made.difficulty == made.rating.score
    assert cs.generate(6, seed=2).rating is None


def test_certified():
    made = cs.generate(6, minimal=True, certified=True, seed=10)
    assert made.certificate.check().accepted
    assert made.certificate.statement.endswith("has no solution but the 1 known")


def test_what_was_not_reached_is_said():
    made = cs.generate(4, clues=1, seed=11)
    assert made.clues > 1
    assert made.shortfalls == (f"it has {made.clues} givens, not 1",)
    assert made.unique


def test_no_time():
    with pytest.raises(UndecidedError):
        cs.generate(ANTI_KNIGHT, seed=12, timeout=0)


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"mode": "odd"}, "mode 'odd': must be one of unique, normal"),
        ({"share": 1.5}, "share 1.5: must be a number from 0 to 1"),
        ({"clues": -1}, "clues -1: must be a whole number from 0 up"),
        ({"symmetry": "spiral"}, "no symmetry is called 'spiral'; there are none, rotational"),
        ({"difficulty": "tricky"}, "difficulty 'tricky': must be one of easy"),
        ({"difficulty": "5-3"}, "difficulty '5-3': the first score must be the lower one"),
        ({"mode": "normal", "rated": True}, "rated: is for puzzles with one solution"),
        ({"mode": "normal", "minimal": True}, "minimal: is for puzzles with one solution"),
    ],
)
def test_wishes_that_cannot_be_meant(wishes, message):
    with pytest.raises(PuzzleError, match=message):
        cs.generate(4, **wishes)


def test_recipes_that_cannot_be_meant():
    with pytest.raises(ConstraintError, match="no variant is called 'kiler'; did you mean killer"):
        cs.generate(4, recipe="kiler")
    with pytest.raises(ConstraintError, match="write a number behind the colon"):
        cs.generate(4, recipe="thermo:many")
    with pytest.raises(PuzzleError, match="jigsaw: needs one square grid"):
        cs.generate(CROSSED, recipe="jigsaw")


def test_rules_without_a_solution():
    impossible = cs.Puzzle.blank(4).add(cs.Odd("R1C1"), cs.Even("R1C1"))
    with pytest.raises(PuzzleError, match="there is no solution to draw"):
        cs.generate(impossible)


@pytest.mark.parametrize("wanted", ["easy", (1.5, 2.4)])
@pytest.mark.parametrize("more", [{}, {"minimal": True}, {"symmetry": "mirror"}])
def test_difficulty(wanted, more):
    made = cs.generate(6, difficulty=wanted, seed=13, **more)
    low, high = DIFFICULTIES["easy"] if wanted == "easy" else wanted
    assert made.difficulty == rate(made.puzzle).score
    assert low <= made.difficulty < high
    assert not [said for said in made.shortfalls if "difficulty" in said]
    assert _is_unique(made.puzzle)


def test_a_difficulty_out_of_reach():
    made = cs.generate(2, difficulty="expert", seed=1)
    assert made.shortfalls == (f"its difficulty is {made.difficulty:g}, not 6.5 to 100",)


def test_a_cancel_is_called_so():
    cancel = Event()
    cancel.set()
    for _ in range(2):
        with pytest.raises(cs.UndecidedError, match="it was cancelled before a"):
            cs.generate(16, minimal=True, cancel=cancel)
        cs.random_solution(16)  # the graph is kept, so the next call comes further
