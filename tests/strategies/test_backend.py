"""The backend strategies: never wrong, stuck where no technique applies, complete with guesses."""

import pytest

import csp_sudoku as cs
from csp_sudoku import backends
from csp_sudoku.cli import main
from csp_sudoku.testing import check_case, check_session, conformance_cases

STUCK = "1... .... .... ...2"
# All of them take some twenty seconds.
CASES = conformance_cases()[::9]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_with_guesses_it_finds_what_the_oracle_finds(case):
    check_case("strategies:guess=true", case, most=24)


def test_sessions():
    check_session("strategies:guess=true")


def test_it_says_that_it_is_stuck():
    result = cs.solve(STUCK, "strategies")
    assert result.status is cs.Status.UNKNOWN
    assert result.statistics.stuck == 14
    assert result.statistics.guesses == 0
    assert result.reason == "stuck with 14 open cells"
    assert cs.solve(STUCK, "strategies", timeout=0).reason == "time ran out"
    with pytest.raises(cs.UndecidedError, match="0 solutions were found, then stuck with 14 open"):
        cs.is_unique(STUCK, "strategies")
    counted = cs.count(STUCK, "strategies")
    assert (counted.value, counted.complete, counted.reason) == (0, False, result.reason)
    assert cs.solve("0100 3001 4002 0040", "strategies", limit=2).reason == ""


@pytest.mark.parametrize("isolate", [True, False])
def test_a_cross_check_says_that_it_is_stuck(isolate):
    agreement = cs.cross_check(STUCK, ["sat", "strategies"], isolate=isolate)
    endings = {answer.backend: (answer.ending.value, answer.text) for answer in agreement.answers}
    assert endings["strategies"] == ("stuck", "stuck with 14 open cells")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("solve", "undecided: stuck with 14 open cells before a solution was found\n"),
        ("count", "stuck with 14 open cells before all solutions were counted\n"),
    ],
)
def test_the_command_line_says_that_it_is_stuck(capsys, command, said):
    assert main([command, STUCK, "--backend", "strategies"]) == 3
    assert capsys.readouterr().err == said


def test_what_it_finds_without_guesses_is_all():
    result = cs.solve("0100 3001 4002 0040", "strategies", limit=None)
    assert result.status is cs.Status.ALL_FOUND
    assert result.statistics.steps == 10
    assert cs.solve("11.. .... .... ....", "strategies").status is cs.Status.NONE_EXIST


def test_guesses_are_counted():
    result = cs.solve(STUCK, "strategies:guess=true", limit=None)
    assert result.statistics.guesses > 0
    assert len(result.solutions) == cs.count(STUCK).value


def test_it_is_asked_by_name_alone():
    assert "strategies" not in backends.names()
    assert backends.get("strategies").name == "strategies"
    agreement = cs.cross_check(
        "0100 3001 4002 0040", ["sat", "strategies:guess=true"], isolate=False
    )
    assert agreement.complete


def test_a_wrong_option():
    with pytest.raises(cs.BackendError, match="must be true or false"):
        cs.solve(STUCK, "strategies:guess=3")
