"""A fault made on purpose in each part of the way: the report says where to look.

Some of the reports are shown in docs/how-to/cross-check.md.
"""

import json
from dataclasses import replace

import pytest

import csp_sudoku as cs
from csp_encodings.factors import Regular
from csp_encodings.graph import domains, factors
from csp_sudoku.backends import sat
from csp_sudoku.backends.dlx import DlxSession
from csp_sudoku.checking import verify
from csp_sudoku.formats.fpuzzles import document

CAGE, OTHER = cs.KillerCage("R1C2 R1C3", 5), cs.GreaterThan("R2C2 R2C1")
PUZZLE = cs.read("1... .... .... ...2").add(CAGE, OTHER)
SOLVERS = ("sat", "dlx")
SHOW = "csp-sudoku encoding PUZZLE --number 13 shows what it became"
ENCODED = "sat accepts the grid without killer-cage at R1C2: look at how it encodes this rule; "


@pytest.fixture(autouse=True)
def _fresh():
    cs.clear_cache()
    yield
    cs.clear_cache()


def report(puzzle=PUZZLE, solvers=SOLVERS):
    found = cs.cross_check(puzzle, solvers, limit=None, isolate=False)
    return [found.summary, *found.established]


def liar(puzzle):
    """Forgets the cage."""
    return cs.solve(puzzle.without(CAGE).with_givens({"R1C2": 2, "R1C3": 4})).solutions[0]


def test_nothing_is_wrong():
    assert report()[0] == "several solutions: exactly 4, certified"
    assert report(solvers=(liar, *SOLVERS)) == [
        "disagreement: liar: gave what is no solution: killer-cage at R1C2: R1C2=2, R1C3=4, but "
        "the cells R1C2 R1C3 of the cage differ and sum to 5",
        "look at liar",
    ]


def test_a_reader_that_drops_a_rule(monkeypatch):
    unique = PUZZLE.with_givens({"R4C3": 3})
    stated = [*map(int, cs.solve(unique).solutions[0].text)]
    text = json.dumps(json.loads(cs.write_fpuzzles(unique)) | {"solution": stated})
    read_key = document._read_key

    def forgetful(collector, key, *others):
        if key != "killercage":
            read_key(collector, key, *others)

    assert report(text)[0] == "one solution, certified"
    monkeypatch.setattr(document, "_read_key", forgetful)
    summary, *_, advice = report(text)
    assert summary.startswith(
        "several solutions: exactly 4, certified; the stated solution is another one: R"
    )
    assert advice == (
        "the solvers agree, but not with the source: look at the reader (csp-sudoku inspect shows "
        "each rule that was read) or at the stated solution"
    )


def test_a_lowering_that_is_too_strong(monkeypatch):
    lower = cs.KillerCage.lower

    def too_strong(self, ctx):
        lower(self, ctx)
        ctx.add_relation(self.cells[0], self.cells[1], lambda a, b: a < b)

    monkeypatch.setattr(cs.KillerCage, "lower", too_strong)
    assert report() == [
        "disagreement: sat: says that there is one solution, but brute found another that keeps "
        "every rule",
        "all solvers that got the constraint graph are wrong: look at the lowerings",
        "the lowering of killer-cage at R1C2 refuses the grid, its definition (`holds`) does not: "
        + SHOW,
    ]


def without_a_value(monkeypatch, place, value, wanted):
    """The CNF of a graph with such a factor has one clause more."""
    encode = sat.encode

    def too_much(graph, **options):
        cnf = encode(graph, **options)
        if value not in domains(graph)[place] or not any(map(wanted, factors(graph).values())):
            return cnf
        literal = cnf.first[place] + domains(graph)[place].index(value)
        return replace(cnf, clauses=(*cnf.clauses, (-literal,)))

    monkeypatch.setattr(sat, "encode", too_much)


def test_an_encoder_that_adds_a_clause_for_a_rule(monkeypatch):
    without_a_value(monkeypatch, cs.cell("R1C2"), 2, lambda factor: isinstance(factor, Regular))
    assert report() == [
        "disagreement: sat: says that there are 3 solutions, but dlx found another that keeps "
        "every rule",
        "look at the encoding or the search of sat: dlx got the same constraint graph",
        ENCODED + SHOW,
    ]


def test_an_encoder_that_adds_a_clause_for_no_rule(monkeypatch):
    without_a_value(monkeypatch, cs.cell("R1C2"), 2, lambda factor: True)
    assert report()[1:] == [
        "look at the encoding or the search of sat: dlx got the same constraint graph",
        "sat denies the grid even if all of its cells are given and the houses are the only "
        "rules: look at how it encodes houses, or at its search",
    ]


def test_a_search_that_loses_a_solution(monkeypatch):
    enumerate_all = DlxSession.enumerate
    begun = []

    def loses(self, request):
        found = enumerate_all(self, request)
        if not begun:
            begun.append(next(found))
        return found

    monkeypatch.setattr(DlxSession, "enumerate", loses)
    assert report() == [
        "disagreement: dlx: says that there are 3 solutions, but sat found another that keeps "
        "every rule",
        "look at the encoding or the search of dlx: sat got the same constraint graph",
        "dlx accepts the grid if all of its cells are given: look at its search",
    ]


def test_a_definition_that_accepts_too_much(monkeypatch):
    monkeypatch.setattr(cs.KillerCage, "holds", lambda self, values, puzzle: True)
    summary, *advice = report(solvers=(liar, *SOLVERS))
    assert summary == (
        "disagreement: sat: says that there are 4 solutions, but liar found another that keeps "
        "every rule"
    )
    assert advice[-1] == (
        "the lowering of killer-cage at R1C2 refuses the grid, its definition (`holds`) does not: "
        + SHOW
    )


def test_a_checker_that_accepts_too_much(monkeypatch):
    monkeypatch.setattr(verify, "rules_check", lambda rules: lambda numbers: True)
    summary, *advice = report(solvers=(liar, *SOLVERS))
    assert summary.startswith("disagreement: sat: says that there are 4 solutions, but liar found")
    assert advice == [
        "look at the checker (verify): it accepts the grid, but the definition of killer-cage at "
        "R1C2 and all solvers that got the constraint graph do not"
    ]


def test_a_report_in_words_shows_the_grid():
    found = cs.cross_check(PUZZLE, [liar, "sat"], isolate=False)
    summary, grid, *_, advice = str(found).splitlines()
    assert (summary, advice) == (found.summary, "look at liar")
    assert grid == f"  {liar(PUZZLE).text}"
