"""A puzzle that was read without some of its rules marks every answer about it."""

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import csp_sudoku as cs
from csp_sudoku.solving.answers import BY_THE_RULES_READ
from tests.test_public_functions import CALLS

MISSING = ("said: 'Digits in the fog are shy' is not understood",)
FOUR = replace(cs.read("0100300140020040"), left_out=MISSING)
NONE = replace(cs.read("11.............."), left_out=MISSING)
SOLVED = "2134342143121243"

# Functions whose answer cannot say it: grids alone, and the input of another program.
GRIDS = {"export", "import_answer", "random_solution", "session", "write_text"}
ASKED = CALLS | {"solutions": cs.solutions}


def tells(answer):
    """Whether an answer, or each of several, names what was left out."""
    if isinstance(answer, str):
        return "fog" in answer
    if isinstance(answer, Sequence):
        return bool(answer) and all(map(tells, answer))
    return getattr(answer, "left_out", None) == MISSING


@pytest.mark.parametrize("name", sorted(CALLS.keys() - GRIDS))
def test_every_answer_names_what_was_left_out(name):
    puzzle = NONE if name == "why_unsolvable" else FOUR
    try:
        answer = ASKED[name](puzzle)
    except (cs.UndecidedError, cs.FormatError) as refusal:
        answer = str(refusal)
    assert tells(answer)


@pytest.mark.parametrize("name", ["is_unique", "is_minimal"])
def test_a_question_of_yes_or_no_is_refused(name):
    with pytest.raises(cs.UndecidedError, match="left out, so this is not known: .*fog"):
        getattr(cs, name)(FOUR)


@pytest.mark.parametrize(
    "say",
    [
        lambda puzzle: cs.verify(puzzle, SOLVED),
        lambda puzzle: cs.check_claim(puzzle, SOLVED),
        lambda puzzle: cs.check_claim(puzzle, "unique", backends=["sat"], isolate=False),
        lambda puzzle: cs.cross_check(puzzle, ["sat"], isolate=False).summary,
        lambda puzzle: cs.explain(puzzle).remark,
        cs.hint,
        cs.rate,
        lambda puzzle: cs.why_not(puzzle, "R1C1", 1),
    ],
)
def test_every_verdict_says_by_which_rules(say):
    assert BY_THE_RULES_READ in str(say(FOUR))
    assert BY_THE_RULES_READ not in str(say(replace(FOUR, left_out=())))


def test_nothing_is_right_or_unique_without_all_rules():
    assert not cs.verify(FOUR, SOLVED).ok
    assert not cs.check_claim(FOUR, SOLVED).ok
    whole = replace(FOUR, left_out=())
    assert cs.verify(whole, SOLVED).ok
    assert cs.check_claim(whole, SOLVED).ok
    rows = np.array([[int(sign) for sign in "0100300140020040"]])
    assert cs.solve_array(rows, whole, limit=2).unique.tolist() == [True]
    found = cs.solve_array(rows, FOUR, limit=2)
    assert (found.unique.tolist(), found.left_out) == ([False], MISSING)


def test_a_count_is_no_bare_number():
    found = cs.count(FOUR)
    assert (found.value, found.left_out) == (1, MISSING)
    with pytest.raises(cs.UndecidedError, match="fog"):
        int(found)


def test_puzzles_made_of_it_keep_it():
    made = [
        FOUR.add(cs.AntiKnight()),
        FOUR.with_givens({"R1C1": 2}),
        FOUR.without_givens(),
        FOUR.with_named("x", [1, 2]),
        cs.read(cs.write_json(FOUR)),
        cs.read("1...............", like=FOUR),
        cs.generate(FOUR, seed=1).puzzle,
        cs.explain(FOUR).state(),
        next(iter(cs.cubes(FOUR))),
    ]
    assert [puzzle.left_out for puzzle in made] == [MISSING] * len(made)


@pytest.mark.parametrize("form", ["fpuzzles", "iss", "link", "scl", "sudokumaker"])
def test_no_other_program_makes_a_whole_puzzle_of_it(form):
    text = getattr(cs, f"write_{form}")(FOUR, lenient=True)
    with pytest.raises(cs.FormatError, match="fog"):
        cs.read(text)
    assert "fog" in cs.read(text, lenient=True).left_out[0]


def test_the_documents_of_a_cross_check_say_it():
    agreement = cs.cross_check(FOUR, ["sat", "dlx"], isolate=False)
    record = json.loads(agreement.to_json())
    assert record["left_out"] == list(MISSING)
    assert record["outcome"] == "one solution, certified by the rules that were read"
    page = agreement.to_html()
    assert "one solution, certified by the rules that were read" in page
    assert 'class="outcome good"' not in page
    assert page.count("fog") > 3  # its own list, under each picture, and the document
    assert "fog" in agreement._repr_html_()
    assert "fog" in cs.explain(FOUR)._repr_html_()


@pytest.mark.parametrize("legend", [True, False])
def test_every_picture_says_it(legend):
    assert "fog" in cs.render_svg(FOUR, legend=legend)
    assert "fog" in cs.hint(FOUR)._repr_svg_()


# The solution that the source states


def stating(solution, puzzle="1..............."):
    return cs.Reading(cs.read(puzzle), solution=solution).puzzle


GRID = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
OTHER = "1234341243212143"
AGREED = ["sat", "dlx"]


def test_a_grid_that_is_the_stated_solution_is_correct():
    found = cs.verify(stating(GRID), "".join(map(str, GRID)))
    assert (found.ok, found.disputes, str(found)) == (True, (), "correct")


def test_a_grid_that_is_not_the_stated_solution_is_disputed():
    found = cs.verify(stating(GRID), OTHER)
    assert (found.verdict, found.ok) == (cs.Verdict.CORRECT, False)
    assert found.disputes == ("the stated solution is another one: R3C1 is 2 there",)
    claimed = cs.check_claim(stating(GRID), OTHER)
    assert (claimed.ok, claimed.disputes) == (False, found.disputes)


def test_a_partial_grid_is_compared_as_far_as_it_goes():
    assert cs.verify(stating(GRID), "12.." + 12 * ".").disputes == ()
    assert cs.verify(stating(GRID), "1..3" + 12 * ".").disputes == (
        "the stated solution is another one: R1C4 is 4 there",
    )
    half = (1, 2, *[None] * 14)
    assert cs.verify(stating(half), OTHER).ok
    assert not cs.verify(stating(half), "1324" + "4213" + "2431" + "3142").ok


def test_a_stated_solution_that_breaks_a_rule_is_reported():
    wrong = (2, 1, *GRID[2:])
    for found in (
        cs.verify(stating(wrong), OTHER),
        cs.check_claim(stating(wrong), OTHER),
        cs.cross_check(stating(wrong), AGREED, isolate=False),
        cs.check_claim(stating(wrong), "no solution", backends=AGREED, isolate=False),
    ):
        assert found.disputes == (
            "the stated solution breaks a rule: R1C1 holds 2, but 1 is given",
        )


def test_a_cross_check_takes_the_stated_solution_as_a_fact():
    unique = stating(tuple(map(int, SOLVED)), "0100300140020040")

    def liar(puzzle):
        return []

    assert not cs.cross_check(unique, [liar], isolate=False, reference=False).ok
    found = cs.cross_check(unique, AGREED, isolate=False)
    assert (found.summary, found.disputes) == ("one solution, certified", ())
    assert "stated solution" in [answer.name for answer in found.answers]
    several = cs.cross_check(stating(GRID), AGREED, isolate=False)
    assert several.disputes[0].startswith("the stated solution is another one: ")


def test_the_stated_solution_belongs_to_one_puzzle():
    puzzle = stating(GRID)
    assert puzzle.with_givens({"R1C2": 2}).stated == puzzle.stated != ()
    for other in (
        puzzle.without_givens(),
        cs.read("4...............", like=puzzle),
        cs.generate(puzzle, seed=1).puzzle,
    ):
        assert other.stated == ()
