"""Every backend finds what the oracle finds, for every constraint and every odd shape."""

import json
import time
from itertools import product
from math import prod

import pytest

from csp_sudoku import BudgetError, backends
from csp_sudoku.backends.base import Backend
from csp_sudoku.backends.engines import fits_boards
from csp_sudoku.cells import Var
from csp_sudoku.testing import (
    check_backend,
    check_case,
    check_session,
    conformance,
    conformance_cases,
)
from csp_sudoku.testing.conformance import comparable

CASES = conformance_cases()
# The cases of a rule in one test: the oracle is asked once for all backends.
RULES: dict[str, list] = {}
for each in CASES:
    RULES.setdefault(each.name.split()[0], []).append(each)
# These pay for every solution with a run of their solver.
FEW = {"lp": 6, "cpsat": 24}


@pytest.mark.parametrize("rule", RULES)
def test_solutions(rule):
    for case, backend in product(RULES[rule], backends.names()):
        # Boards hold differences and relations, and refuse the rest.
        fits = backend != "boards" or fits_boards(case.puzzle.graph)
        assert check_case(backend, case, most=FEW.get(backend), may_refuse=not fits) is fits
    # A rule on a layer keeps some of its values and not all of them. The oracle knows them by now.
    if layered := [case for case in RULES[rule] if case.puzzle.layers]:
        kept = sum(len(comparable(case, None)[1]) for case in layered)
        space = sum(
            prod(map(len, map(c.puzzle.candidates_of, c.puzzle.variables))) for c in layered
        )
        assert 4 <= kept <= space - 20


@pytest.mark.parametrize("backend", backends.names())
def test_sessions(backend):
    check_session(backend)


def test_there_are_rules_with_layers():
    assert len([rule for rule, cases in RULES.items() if any(c.puzzle.layers for c in cases)]) >= 10


class RefusesAll(Backend):
    name = "refuses"
    summary = "finds every puzzle too large"

    def compile(self, graph, *, deadline=None):
        raise BudgetError("too large")


def test_a_backend_that_refuses_everything_does_not_pass():
    for case in CASES[::60]:
        with pytest.raises(AssertionError, match="the backend refuses it: .*too large"):
            check_case(RefusesAll(), case)
        assert not check_case(RefusesAll(), case, may_refuse=True)
    assert check_case("sat", CASES[0], may_refuse=True)


class Loses(Backend):
    """Leaves out a solution, and crashes where there are named variables."""

    name = "loses"
    summary = "loses solutions"

    def compile(self, graph, *, deadline=None):
        if any(isinstance(node, Var) for node in graph):
            raise ZeroDivisionError("a named variable")
        session = backends.get("search").compile(graph, deadline=deadline)
        original = session.enumerate

        def fewer(request):
            found = original(request)
            next(found, None)
            return found

        session.enumerate = fewer
        return session


def test_a_report_of_the_whole_suite():
    fine = check_backend("search", include=["Arrow*", "sessions"], exclude=["*negative"])
    assert fine.ok
    assert fine.passed[-1] == "sessions"
    assert not [name for name in fine.passed if "negative" in name or "Thermo" in name]
    lost = check_backend(Loses(), include=["Thermometer 1*", "a named sum"])
    assert not lost.ok
    assert lost.passed == []
    assert lost.failed["a named sum"] == "ZeroDivisionError: a named variable"
    assert "1 solutions missing" in lost.failed["Thermometer 1, 4×4"]
    for allowed in (True, False):
        refused = check_backend(RefusesAll(), include=["Arrow*"], may_refuse=allowed)
        assert not refused.ok
        assert len(refused.refused if allowed else refused.failed) > 2
        assert not refused.passed


class Deaf(Backend):
    """Looks at the clock when it begins, and never again."""

    name = "deaf"
    summary = "forgets its deadline"

    def compile(self, graph, *, deadline=None):
        session = backends.get("search").compile(graph, deadline=deadline)
        original = session.enumerate
        session.enumerate = lambda request: original(
            request._replace(deadline=None) if self.hears(request.deadline) else request
        )
        return session

    def hears(self, deadline):
        return deadline is not None and time.monotonic() < deadline


class DeafToCancelling(Deaf):
    def hears(self, deadline):
        return hasattr(deadline, "cancel")


@pytest.mark.parametrize(("cls", "what"), [(Deaf, "a timeout"), (DeafToCancelling, "being cancel")])
def test_a_backend_must_stop_when_it_is_told_to(cls, what, monkeypatch):
    monkeypatch.setattr(conformance, "_TOO_LATE", 1)
    with pytest.raises(AssertionError, match=f"goes on 1 seconds after {what}"):
        check_session(cls())


def test_the_suite_as_a_command(capsys):
    from csp_sudoku.testing.__main__ import main

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main.main(["--backend", *arguments], standalone_mode=True)
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    assert run("sat", "--include", "arrow 1, 4*") == (0, "sat: 1 passed, 0 failed: conforms\n", "")
    code, out, _ = run("boards", "--include", "Arrow 1, 4*", "--may-refuse", "--json")
    said = json.loads(out)
    assert (code, said["ok"], said["refused"]) == (1, False, ["Arrow 1, 4×4"])
    none = "error: no case of the suite is called 'Arow*'\n"
    assert run("sat", "--include", "Arow*") == (2, "", none)
    code, out, err = run("magic")
    assert (code, out) == (2, "")
    assert err.startswith("error: no backend is called 'magic'")
