"""From a rule to its clauses and back: every clause has one origin, and says what its rule says."""

import json
import re

import pytest
from pysat.solvers import Solver

import csp_sudoku as cs
from csp_encodings import cpsat
from csp_sudoku.cli import main
from csp_sudoku.tracing import KINDS

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
                assert trace.rules_of(number) == (each,)
                assert trace.origins(number) == (factor,)
    last = len(trace.cnf.clauses)
    without = [number for number in range(1, last + 1) if number not in seen]
    # Those of no rule come first: each speaks of one variable.
    assert without == list(range(1, len(without) + 1))
    assert not any(trace.rules_of(number) for number in without)
    said = [trace.text(number).split(" or ") for number in without]
    assert all(len({literal.partition("=")[0][-4:] for literal in each}) == 1 for each in said)


@pytest.mark.parametrize("name", ["equal rules", "many factors", "definitions"])
def test_the_clauses_of_a_rule_exclude_what_breaks_it(name):
    """A grid that breaks one rule contradicts clauses of this rule, with its definitions."""
    puzzle = PUZZLES[name]
    trace = cs.trace_encoding(puzzle)
    other = [c for i, c in enumerate(trace.cnf.clauses, 1) if not trace.rules_of(i)]
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
            trace.rules_of(wrong)
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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PUZZLES)
def test_there_and_back_for_every_target(name, kind):
    trace = cs.trace_encoding(PUZZLES[name])
    factors = [factor for each in trace.rules for factor in each.factors]
    seen = set()
    for factor in factors:
        for number in trace.numbers(factor.number, kind):
            assert factor in trace.origins(number, kind)
            seen.add(number)
    assert seen
    last = len(trace._listing(kind).texts)
    rest = set(range(1, last + 1)) - seen
    # What belongs to no rule speaks of one variable.
    for number in rest:
        cells = {word.partition("=")[0] for word in trace.text(number, kind).split() if "=" in word}
        assert len(cells - {"<", ">"}) <= 1
    if kind == "clauses":
        assert [list(trace.numbers(f.number)) for f in factors] == [
            list(f.clauses) for f in factors
        ]


@pytest.mark.parametrize("name", PUZZLES)
def test_what_a_factor_became_speaks_of_its_scope(name):
    trace = cs.trace_encoding(PUZZLES[name])
    model = list(cpsat.encode(PUZZLES[name].graph).domains)
    for factor in [factor for each in trace.rules for factor in each.factors]:
        scope = {str(variable) for variable in factor.factor.scope}
        for number in trace.numbers(factor.number, "rows"):
            assert set(re.findall(r"(R\dC\d)=", trace.text(number, "rows"))) <= scope
        for number in trace.numbers(factor.number, "constraints"):
            spoken = map(int, re.findall(r"vars: (\d+)", trace.text(number, "constraints")))
            assert {str(model[i]) for i in spoken if i < len(model)} <= scope


def test_the_clauses_that_a_proof_needs_name_its_rules():
    clash = cs.KillerCage("R1C1 R1C2", 3)
    puzzle = cs.Puzzle.blank(4).add(clash, cs.KillerCage("R2C1 R2C2", 3), cs.Renban("R4C1-R4C3"))
    certificate = cs.cross_check(puzzle, ["sat"], isolate=False, reference=False).certificate
    trace = cs.trace_encoding(puzzle)
    used = {rule.rule for n in certificate.used_clauses() for rule in trace.rules_of(n)}
    assert clash in used
    # What is not needed can go.
    needed = cs.Puzzle(puzzle.grids).add(*[r for r in puzzle.constraints if r in used])
    assert cs.solve(needed).status.value == "none exist"
    assert cs.Renban("R4C1-R4C3") not in used


def test_files_say_which_rule_a_part_belongs_to():
    puzzle = PUZZLES["equal rules"]
    for form, sign in {"cnf": "c", "lp": "\\", "mps": "*", "minizinc": "%", "cpsat": "#"}.items():
        comments = [x for x in cs.export(puzzle, form).text.splitlines() if x.startswith(sign)]
        assert any("factor 13, thermometer at R1C1" in line for line in comments), form


@pytest.mark.parametrize("form", ["lp", "mps"])
def test_rows_in_files_have_these_numbers(form):
    lines = cs.export(PUZZLES["equal rules"], form).text.splitlines()
    said = next(line for line in lines if "thermometer at R1C1" in line)
    first, last = map(int, re.findall(r"rows (\d+) to (\d+)", said)[0])
    rows = "\n".join(line for line in lines if re.match(rf" (r{first}:|\S+ r{first} )", line))
    assert "R1C1" in rows
    names = {int(n) for line in lines for n in re.findall(r"\br(\d+)\b", line)}
    assert 1 <= first <= last <= max(names)


def test_the_command_knows_every_kind(capsys):
    text = "1..............."
    assert main(["encoding", text, "--number", "1", "--kind", "rows"]) == 0
    assert "1 <= R1C" in capsys.readouterr().out
    assert main(["encoding", text, "--item", "5", "--kind", "options", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["rules"]) == 3
    assert main(["encoding", text, "--item", "5000", "--kind", "rows"]) == 2
    assert capsys.readouterr().err.startswith("error: row 5000: the rows have the numbers 1 to ")
