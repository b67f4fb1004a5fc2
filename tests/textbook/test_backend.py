"""The backend textbook: what the oracle finds, and the promises of a session."""

import json
import time

import pytest

import csp_sudoku as cs
from csp_encodings.errors import GraphError
from csp_sudoku import backends
from csp_sudoku.cli import main
from csp_sudoku.crosscheck.participants import default_participants
from csp_sudoku.testing import check_case, check_session, conformance_cases

CASES = conformance_cases()
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
OTHERS = [
    "textbook:inference=forward,variable_order=mrv,value_order=natural",
    "textbook:inference=none,variable_order=first,value_order=natural",
]


# Plain Python is slow, and it sees factors, not rules: so it gets one case in a few.
ONE_IN = {"textbook": 3, "textbook:algorithm=x": 4, OTHERS[0]: 12, OTHERS[1]: 15}


@pytest.mark.parametrize("part", range(8))
def test_solutions(part):
    for spec, step in ONE_IN.items():
        for case in CASES[::step][part::8]:
            check_case(spec, case, most=12)


@pytest.mark.parametrize("spec", ["textbook", "textbook:algorithm=x", OTHERS[0]])
def test_sessions(spec):
    check_session(spec)


def test_a_hard_puzzle():
    for spec in ("textbook", "textbook:algorithm=x"):
        result = cs.solve(HARD, spec, limit=None)
        assert result.status is cs.Status.ALL_FOUND
        assert result.solutions == cs.solve(HARD, "sat").solutions


def test_statistics():
    search = cs.solve(HARD, "textbook:inference=forward,variable_order=mrv", limit=None).statistics
    assert search.assignments > search.backtracks > 0
    assert search.revisions > search.assignments
    assert search.removals > 0
    assert search.covers == 0
    x = cs.solve(HARD, "textbook:algorithm=x", limit=None).statistics
    # Every option has four items.
    assert x.covers == 4 * x.assignments
    assert x.revisions == x.removals == 0


@pytest.mark.parametrize(
    "spec",
    [
        "textbook:inference=none,variable_order=first,value_order=natural",
        "textbook:algorithm=x",
    ],
)
def test_a_deadline_ends_a_long_count(spec):
    started = time.monotonic()
    count = cs.count(cs.Puzzle.blank(9), spec, timeout=0.5)
    assert not count.complete
    assert time.monotonic() - started < 30


def test_queries_do_not_disturb_each_other():
    session = backends.get("textbook:algorithm=x").compile(cs.Puzzle.blank(4).graph)
    first, second = session.solutions(), session.solutions({cs.cell("R1C1"): (2,)})
    assert next(first)[cs.cell("R1C1")] == 1
    assert next(second)[cs.cell("R1C1")] == 2
    assert 1 + len(list(first)) == 288
    assert 1 + len(list(second)) == 72
    with pytest.raises(GraphError, match="nowhere is not in the graph"):
        session.solutions({"nowhere": (1,)})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("algorithm=ac3", "'ac3' searches nothing"),
        ("algorithm=dfs", "must be one of"),
        ("inference=5", "inference=5 must be one of 'none', 'forward', 'mac'"),
        ("variable_order=dom/wdeg", "must be one of 'first', 'mrv', 'mrv\\+degree'"),
        ("algorithm=x,value_order=lcv", "value_order is for algorithm='search' only"),
        ("depth=3", "option 'depth=3' is not one of its"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(cs.BackendError, match=message):
        backends.get(f"textbook:{options}")


def test_it_is_listed_but_asked_by_name(capsys):
    assert main(["backends", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert "plain Python" in rows["textbook"]["summary"]
    assert "textbook" not in backends.names()


def test_it_takes_part_in_cross_checks_of_tiny_puzzles():
    def default(puzzle):
        return [p.name for p in default_participants(puzzle, puzzle.graph)]

    names = default(cs.read("0100 3001 4002 0040"))
    assert names == [*backends.names(), "textbook"]
    assert default(cs.read(HARD)) == backends.names()
    agreement = cs.cross_check(HARD, ["sat", "textbook", "textbook:algorithm=x"], isolate=False)
    assert [answer.solutions for answer in agreement.answers[:3]] == [agreement.solutions] * 3


def test_by_default_it_has_little_time():
    puzzle = cs.Puzzle.blank(4)
    participant = default_participants(puzzle, puzzle.graph)[-1]
    assert [participant.timeout(seconds) for seconds in (None, 60, 0.1, 0)] == [5, 5, 0.1, 0]
