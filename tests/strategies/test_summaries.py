"""The two levels of a step: a summary for a line, and the whole reasoning."""

import pytest

import csp_sudoku as cs
from csp_sudoku.strategies import Step

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def test_a_long_argument_is_only_named_in_the_summary():
    step = cs.hint(HARD, technique="nested forcing")
    assert len(step.sentence) > 300 >= len(step.summary)
    assumed, concluded = step.sentence.split(":")[0], step.sentence.rsplit("So ", 1)[1]
    assert step.summary.startswith(f"{assumed}, ")
    assert "conclusions later" in step.summary
    assert step.summary.endswith(concluded)
    assert str(step) == f"nested forcing: {step.summary}"


def test_a_short_argument_is_told_in_full():
    step = cs.hint("0100 3001 4002 0040")
    assert step.summary == step.sentence


@pytest.mark.parametrize("length", [10, 299, 300, 301, 5_000])
def test_any_sentence_has_a_summary(length):
    for sentence in ("x" * length, "; ".join(["R1C1 is not 4"] * (length // 15 + 1))):
        summary = Step("proof", 12.0, (), sentence).summary
        assert len(summary) <= 300
        assert (summary == sentence) == (len(sentence) <= 300)


def test_shaded_cells_are_called_so():
    puzzle = cs.Puzzle.blank(4, box=None).add(cs.YinYang())
    known = {"shaded:R4C1": 1, "shaded:R3C3": 0, "shaded:R4C3": 0, "shaded:R4C4": 0}
    steps = cs.explain(puzzle.with_givens(known), only=["connection", "rule filtering"]).steps
    said = [step.summary for step in steps]
    assert any(each.endswith("R2C4 must be shaded") for each in said)
    assert not any("shaded:" in each for each in said)


def test_a_part_of_a_large_rule_is_named():
    puzzle = cs.Puzzle.blank(6).add(cs.Nonconsecutive()).with_givens({"R1C1": 1})
    step = cs.hint(puzzle, technique="pair rule")
    assert "(here: R1C1 and R1C2): R1C2 cannot be 2" in step.summary


def test_direct_pointing_has_several_places():
    """With one place it is a hidden single."""
    line = "..............1..2.23....45.......6......71....4.2.........8......43....91....6.."
    steps = [s for s in cs.explain(line).steps if s.technique == "direct pointing"]
    assert steps
    assert all(" or " in step.summary.split(", so that")[0] for step in steps)


def test_arguments_about_shaded_cells_use_words():
    puzzle = cs.Puzzle.blank(4, box=None).add(cs.YinYang())
    known = {"shaded:R4C1": 1, "shaded:R3C3": 0, "shaded:R4C3": 0, "shaded:R4C4": 0}
    steps = cs.explain(puzzle.with_givens(known), only=["forcing chain", "naked single"]).steps
    assert {step.technique for step in steps} == {"forcing chain", "naked single"}
    for step in steps:
        assert "shaded:R" not in step.sentence
        assert "were 0" not in step.sentence
        assert "were 1" not in step.sentence


def test_common_victims_name_the_rules_that_exclude_them():
    puzzle = cs.Puzzle.blank(6).add(cs.Difference("R1C1 R1C2", 1), cs.NegativeXV())
    steps = cs.explain(puzzle.with_givens({"R1C3": 6}), only=["common victims"]).steps
    assert steps
    assert all(", because adjacent cells without an X or V" in step.sentence for step in steps)


def test_a_refutation_by_a_solver_is_a_sentence(monkeypatch):
    monkeypatch.setattr("csp_sudoku.strategies.oracle._NESTED_CANDIDATES", 0)
    monkeypatch.setattr("csp_sudoku.strategies.oracle.MANY", 0)
    step = cs.hint(HARD)
    assert step.technique == "proof"
    [(place, value)] = step.eliminations
    assert step.sentence.startswith(f"if {place} were {value}, a solver finds that these cannot")
    assert step.sentence.count("each value once") == 1
    assert step.summary.endswith(f"So {place} cannot be {value}")
