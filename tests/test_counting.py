"""Counting: the sweep and the model counter agree with counting one by one, for all rules."""

from __future__ import annotations

import sys
import time
from threading import Event, Timer

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main
from csp_sudoku.constraints import registry
from csp_sudoku.counting import count as counting
from csp_sudoku.counting import models, sweeping
from csp_sudoku.errors import BackendError, WrongAnswerError

pytest.importorskip("pyganak")

GIVENS = ({"R1C1": 1}, {"R2C3": 2, "R4C4": 3})


def puzzles():
    """4×4 puzzles with each example of each rule that fits, by name."""
    for name, rule in registry.built_in().items():
        for number, example in enumerate(rule.examples()):
            for givens in GIVENS:
                try:
                    puzzle = cs.Puzzle.blank(4).add(example).with_givens(givens)
                except (cs.ConstraintError, cs.PuzzleError):
                    continue
                yield f"{name} {number} {len(givens)}", puzzle


def check(puzzle):
    try:
        known = cs.count(puzzle, "sat")
    except cs.BudgetError:
        return
    assert int(known) == models.count_models(puzzle), puzzle.constraints


def check_sweep(puzzle):
    try:
        known, found = cs.count(puzzle, "search"), cs.count(puzzle, "sweep")
    except cs.BudgetError:
        return
    assert int(known) == int(found), puzzle.constraints


@pytest.mark.parametrize("puzzle", [p for i, (_, p) in enumerate(puzzles()) if i % 3 == 0])
def test_the_sweep_agrees(puzzle, monkeypatch):
    monkeypatch.setattr(sweeping, "MOST_BYTES", 1 << 24)
    check_sweep(puzzle)


# One in thirty: a process each. `python tests/test_counting.py` runs all of them.
@pytest.mark.parametrize("puzzle", [p for i, (_, p) in enumerate(puzzles()) if i % 30 == 0])
def test_the_model_counter_agrees(puzzle):
    check(puzzle)


@pytest.mark.parametrize(
    ("puzzle", "number"),
    [
        (cs.Puzzle.blank(4), 288),
        (cs.Puzzle.blank(2, 3, box=None), 12),
        (cs.read("11.. .... .... ...."), 0),
        (cs.Puzzle.blank(1), 1),
        (cs.Puzzle.blank(3, box=None, row_houses=False, column_houses=False), 3**9),
        (cs.Puzzle.blank(4).with_named("x", range(5)), 288 * 5),
    ],
)
def test_known_numbers(puzzle, number):
    found = cs.count(puzzle, "ganak")
    assert (int(found), found.backend) == (number, "ganak")


# Rows of cages, tied together by inequalities alone.
LOOSE = cs.Puzzle.blank(6, box=None, row_houses=False, column_houses=False).add(
    *[
        cs.KillerCage(f"R{row}C{column} R{row}C{column + 1} R{row + 1}C{column}", 9)
        for row in (1, 3, 5) for column in range(1, 6)
    ],
    *[cs.Thermometer(f"R{row}C{col} R{row + 1}C{col}") for row in (2, 4) for col in (1, 4)],
)  # fmt: skip


def refuse(*_):
    raise cs.BudgetError("too many states")


def test_it_answers_where_enumeration_takes_long(monkeypatch):
    monkeypatch.setattr(counting, "_PATIENCE", 0.0)
    assert cs.count(LOOSE, timeout=200).backend == "sweep"
    monkeypatch.setitem(counting.WAYS, "sweep", refuse)
    found = cs.count(LOOSE, timeout=200)
    assert (int(found), found.backend) == (51_299_187_840, "ganak")


def test_deadline_and_cancel(monkeypatch):
    monkeypatch.setattr(counting, "_PATIENCE", 0.0)
    hard = cs.Puzzle.blank(9).add(cs.Thermometer("R1C1 R2C2 R3C3"))
    started = time.monotonic()
    found = cs.count(hard, "ganak", timeout=0.5)
    assert (found.complete, found.reason) == (False, "time ran out")
    cancel = Event()
    Timer(0.5, cancel.set).start()
    found = cs.count(hard, cancel=cancel)
    assert not found.complete
    assert found.reason == "it was cancelled"
    assert time.monotonic() - started < 30


def test_a_wrong_model_counter(monkeypatch):
    monkeypatch.setattr(counting, "_PATIENCE", 0.0)

    def late(*_):
        time.sleep(3)  # until then more than three solutions are found
        return 3

    monkeypatch.setitem(counting.WAYS, "ganak", late)
    monkeypatch.setitem(counting.WAYS, "sweep", refuse)
    with pytest.raises(WrongAnswerError, match="ganak counts 3 solutions, but"):
        cs.count(cs.Puzzle.blank(9).add(cs.Thermometer("R1C1 R2C2 R3C3")), timeout=60)


def test_a_model_counter_that_fails(monkeypatch):
    monkeypatch.setattr(models, "_PROGRAM", "raise SystemExit('no memory')")
    with pytest.raises(BackendError, match="the model counter failed: no memory"):
        cs.count(cs.Puzzle.blank(4), "ganak")
    monkeypatch.setattr(counting, "_PATIENCE", 0.0)
    monkeypatch.setitem(counting.WAYS, "sweep", refuse)
    assert not cs.count(LOOSE, timeout=1).complete


def test_it_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyganak", None)
    monkeypatch.setattr(models, "find_spec", lambda _: None)
    assert int(cs.count(cs.Puzzle.blank(4))) == 288
    with pytest.raises(BackendError, match="csp-sudoku\\[count\\]"):
        cs.count(cs.Puzzle.blank(4), "ganak")


def test_some_places_count():
    # Each of the 12 Latin squares has 3 places for the doublers.
    doublers = cs.Puzzle.blank(3, box=None).add(cs.Doublers())
    found = [int(cs.count(doublers, "ganak", of=of)) for of in (None, "grid", "R1C1")]
    assert found == [36, 12, 3]


def test_no_limit_for_it():
    with pytest.raises(BackendError, match="it takes no limit"):
        cs.count(cs.Puzzle.blank(4), "ganak", limit=2)


def test_the_command(capsys):
    assert main(["count", "1..............2", "--backend", "ganak", "--json"]) == 0
    assert '"backend": "ganak"' in capsys.readouterr().out


if __name__ == "__main__":
    for name, puzzle in puzzles():
        check(puzzle)
        check_sweep(puzzle)
        print("agreed:", name)
