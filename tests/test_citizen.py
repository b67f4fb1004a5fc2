"""Good manners in other programs: short reprs, pickles, quiet logs, and clocks that are fair."""

from __future__ import annotations

import logging
import pickle
import subprocess
import sys

import pytest

import csp_sudoku as cs
from csp_sudoku import backends
from csp_sudoku.backends.search import Search
from csp_sudoku.running import warming
from csp_sudoku.solving.query import Query

FOUR = cs.read("0100 3001 4002 0040")
NINE = cs.read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")

LARGE = cs.Puzzle.blank(16).add(*[cs.KillerCage(f"R{row}C1 R{row}C2") for row in range(1, 17)])

ANSWERS = {
    "arc consistency": lambda: cs.ac3(NINE),
    "agreement": lambda: cs.cross_check(NINE, ["sat", "search"], isolate=False),
    "assessment": lambda: cs.assess(FOUR, "2134 3411 4... ...."),
    "canonical": lambda: cs.canonical(NINE),
    "claim": lambda: cs.check_claim(FOUR, "2134342143121243"),
    "count": lambda: cs.count(FOUR),
    "estimate": lambda: cs.estimate(FOUR),
    "explanation": lambda: cs.explain(NINE),
    "exported": lambda: cs.export(FOUR, "cnf"),
    "game": lambda: cs.Game(NINE),
    "generated": lambda: cs.generate(4, seed=1, rated=True),
    "grid": lambda: cs.Grid(4, 4, (1, 2, 3, 4)),
    "puzzle": lambda: NINE.add(cs.KillerCage("R1C1 R1C2", 5)),
    "many solutions": lambda: cs.solve("." * 81, "sat", limit=200),
    "large": lambda: cs.solve(LARGE, "sat", limit=3),
    "large, assessed": lambda: cs.assess(LARGE, cs.solve(LARGE, "sat").solutions[0]),
    "large, redundant": lambda: cs.redundant(cs.Puzzle.blank(4).add(*[cs.AntiKing()] * 30)),
    "large, why": lambda: cs.why_unsolvable(LARGE.with_givens({"R1C1": 1, "R1C2": 1})),
    "rating": lambda: cs.rate(FOUR),
    "reading": lambda: cs.read_with_notes("0100 3001 4002 0040"),
    "reason": lambda: cs.why_not(FOUR, "R1C1", 1),
    "redundancy": lambda: cs.redundant(FOUR),
    "result": lambda: cs.solve(NINE),
    "score": lambda: cs.score(FOUR, "?"),
    "solution": lambda: cs.solve(NINE).solutions[0],
    "space": lambda: cs.space(NINE),
    "step": lambda: cs.hint(FOUR),
    "trace": lambda: cs.trace_encoding(NINE),
    "true candidates": lambda: cs.true_candidates(NINE),
    "verification": lambda: cs.verify(FOUR, "2134342143121244"),
    "verifications": lambda: cs.verify_many(FOUR, ["2134342143121244"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_short_and_can_be_pickled(name):
    answer = ANSWERS[name]()
    assert len(repr(answer)) < 400
    assert "Cell(" not in repr(answer)
    again = pickle.loads(pickle.dumps(answer))
    assert str(again) == str(answer)


def test_what_is_under_way_is_shown():
    found = cs.solutions(FOUR)
    assert next(found).text == "2134342143121243"
    assert repr(found) == "<Solutions of <Puzzle 4×4, 6 givens, 0 constraints>: 1 found so far>"
    with cs.session(FOUR, "sat") as session:
        assert repr(session) == "<PuzzleSession of <Puzzle 4×4, 0 givens, 0 constraints> for sat>"


def test_cells_are_shown_as_people_write_them():
    assert repr([cs.Cell(0, 8)]) == "[R1C9]"
    assert repr(cs.Thermometer("R1C1 R2C2")) == "Thermometer(cells=(R1C1, R2C2))"


def test_without():
    puzzle = cs.Puzzle.blank(4).add(cs.AntiKing(), cs.AntiKnight(), cs.AntiKing())
    assert puzzle.without(cs.AntiKing()).constraints == (cs.AntiKnight(), cs.AntiKing())
    assert puzzle.without() is puzzle
    with pytest.raises(cs.PuzzleError, match="Diagonals\\(.*\\) is not a constraint of the puzzle"):
        puzzle.without(cs.Diagonals())


def test_compiling_does_not_count_against_a_time_limit(monkeypatch):
    """Machine code is made ready before the clock starts."""
    events = []
    compile_graph, deadline = (
        Search.compile,
        Query.deadline,
    )
    monkeypatch.setattr(
        Search, "compile", lambda *a, **k: events.append("compile") or compile_graph(*a, **k)
    )
    monkeypatch.setattr(
        Query,
        "deadline",
        lambda *a: events.append("clock") or deadline(*a),
    )
    monkeypatch.setattr(warming, "_READY", set())
    cs.clear_cache()
    cs.solve(FOUR, "search", timeout=5)
    assert events == ["compile", "clock", "compile"]
    cs.solve(FOUR, "search", timeout=5)
    assert events.count("compile") <= 4


TIMED = {
    "assess": lambda p: cs.assess(p, {"R1C1": 2}, timeout=0),
    "count": lambda p: cs.count(p, timeout=0),
    "count by bands": lambda p: cs.count(p, "bands", timeout=0),
    "estimate": lambda p: cs.estimate(p, timeout=0),
    "explain": lambda p: cs.explain(p, timeout=0),
    "generate": lambda p: cs.generate(p, timeout=0),
    "hint": lambda p: cs.hint(p, timeout=0),
    "is_minimal": lambda p: cs.is_minimal(p, timeout=0),
    "random_solution": lambda p: cs.random_solution(p, timeout=0),
    "rate": lambda p: cs.rate(p, timeout=0),
    "redundant": lambda p: cs.redundant(p, timeout=0),
    "score": lambda p: cs.score(p, "2134342143121243", timeout=0),
    "solve": lambda p: cs.solve(p, timeout=0),
    "space": lambda p: cs.space(p, timeout=0),
    "true_candidates": lambda p: cs.true_candidates(p, timeout=0),
    "why_not": lambda p: cs.why_not(p, "R1C1", 1, timeout=0),
}


@pytest.mark.parametrize("name", TIMED)
def test_reading_counts_against_a_time_limit(name):
    """A document may be large, and each rule in it takes time to check."""
    with pytest.raises(cs.UndecidedError, match="time ran out before"):
        TIMED[name](cs.write_json(FOUR.add(cs.AntiKing())))


def test_warming_up(monkeypatch):
    monkeypatch.setattr(warming, "_READY", set())
    told = []
    cs.warm_up(lambda *part: told.append(part))
    assert [done for _, done, _ in told] == [*range(1, len(told) + 1)]
    assert {total for *_, total in told} == {len(told)}
    assert {*warming._COMPILED} <= {*backends.BUILT_IN}


def test_the_log_of_numba_is_quiet():
    code = (
        "import logging; logging.basicConfig(level=logging.DEBUG)\n"
        "import csp_sudoku as cs; print(cs.solve('0100300140020040', 'search').status.value)\n"
        "print(logging.getLogger('numba').isEnabledFor(logging.DEBUG))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["some found", "False"]
    assert len(done.stderr.splitlines()) < 100


def test_the_log_says_what_is_compiled(caplog):
    caplog.set_level(logging.DEBUG, "csp_sudoku")
    cs.clear_cache()
    cs.solve(cs.Puzzle.blank(4).add(cs.AntiKing()), "sat")
    assert "compiling <Puzzle 4×4, 0 givens, 1 constraint> for sat" in caplog.text
