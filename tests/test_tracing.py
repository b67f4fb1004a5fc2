"""From a rule to its clauses and back: every clause has one origin, and says what its rule says."""

import json

import pytest
from pysat.solvers import Solver

import csp_sudoku as cs
from csp_sudoku.cli import main

CAGE = cs.KillerCage("R1C1 R2C2", 5)
PUZZLES = {
    "plain": cs.read("1... .... .... ...."),
    "equal rules": cs.Puzzle.blank(4).add(CAGE, cs.Thermometer("R1C1 R1C2"), CAGE),
    "definitions": cs.Puzzle.blank(4).add(cs.Thermometer("R1C1 R2C2") | ~cs.Sum("R1C1 R3C3", 5)),
    "many factors": cs.Puzzle.blank(6).add(cs.AntiKnight(), cs.Renban("R1C1-R1C4")),
    "two grids": cs.Puzzle.overlapping(
        [cs.Grid(4, 4, (1, 2, 3, 4), (2, 2)), cs.Grid(4, 4, (1, 2, 3, 4), (2, 2), top=2, left=2)]
    ),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_every_clause_has_one_origin(name):
    trace = cs.trace_encoding(PUZZLES[name])
    assert [each.rule for each in trace.rules] == list(PUZZLES[name].rules)
    seen = {}
    for each in trace.rules:
        for factor in each.factors:
            for number in factor.clauses:
                assert seen.setdefault(number, each) is each
                assert trace.rule_of(number) is each
                assert trace.origin(number) is factor
    last = len(trace.cnf.clauses)
    without = [number for number in range(1, last + 1) if number not in seen]
    # Those of no rule come first: each speaks of one variable.
    assert without == list(range(1, len(without) + 1))
    assert all(trace.rule_of(number) is None for number in without)
    assert all(len({n.partition("=")[0][-4:] for n in trace.names(i)}) == 1 for i in without)


@pytest.mark.parametrize("name", ["equal rules", "many factors", "definitions"])
def test_the_clauses_of_a_rule_exclude_what_breaks_it(name):
    """A grid that breaks one rule contradicts clauses of this rule, with its definitions."""
    puzzle = PUZZLES[name]
    trace = cs.trace_encoding(puzzle)
    other = [c for i, c in enumerate(trace.cnf.clauses, 1) if trace.rule_of(i) is None]
    grids = cs.solve(cs.Puzzle(puzzle.grids), limit=40).solutions
    for each in {each.rule: each for each in reversed(trace.rules) if each.factors}.values():
        own = [trace.cnf.clauses[i - 1] for factor in each.factors for i in factor.clauses]
        for grid in grids:
            literals = [trace.cnf.literals[place, value] for place, value in grid.items()]
            with Solver("glucose4", bootstrap_with=[*other, *own]) as solver:
                assert solver.solve(literals) == each.rule.holds(grid, puzzle)


def test_numbers_that_do_not_exist():
    trace = cs.trace_encoding(PUZZLES["plain"])
    for wrong in (0, -1, 10**6, "x"):
        with pytest.raises(cs.PuzzleError, match="the clauses have the numbers 1 to"):
            trace.rule_of(wrong)
        with pytest.raises(cs.PuzzleError, match="the rules have the numbers 1 to 12"):
            trace.rule(wrong)


def test_the_command(capsys):
    def run(*arguments):
        code = main(["encoding", "1... .... .... ....", *arguments])
        return code, capsys.readouterr().out

    code, out = run()
    assert (code, out.splitlines()[0]) == (0, "rule 1, row 1: 1 factor, 19 clauses")
    code, out = run("--number", "2")
    assert (
        out.splitlines()[0] == "rule 2, row 2: 1 factor, 28 clauses: no value occurs twice in row 2"
    )
    assert "  factor 1: all-different R2C1 R2C2 R2C3 R2C4; clauses" in out
    first = int(out.partition("R2C4; clauses ")[2].split()[0])
    code, out = run("--clause", str(first))
    assert out.splitlines()[1].startswith("rule 2, row 2")
    assert "belongs to no rule" in run("--clause", "1")[1]
    code, out = run("--clause", str(first), "--json")
    document = json.loads(out)
    assert [rule["label"] for rule in document["rules"]] == ["row 2"]
    assert document["rules"][0]["factors"][0]["first_clause"] == first
    assert main(["encoding", "1... .... .... ....", "--number", "99"]) == 2
