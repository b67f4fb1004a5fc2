"""Files for other programs, and answers read back; with real programs where they are installed."""

import json
import os
import shutil
import subprocess
import sys
from itertools import takewhile

import networkx as nx
import pytest
from ortools.sat.python import cp_model

import csp_sudoku as cs
from csp_encodings.export import FORMATS
from csp_sudoku.exporting import export, import_answer
from csp_sudoku.testing.conformance import _shape_cases

FOUR = "0100300140020040"
SOLVED = "2134342143121243"
# Every kind of factor, with auxiliaries, negative values and a named variable.
VARIANT = (
    cs.Puzzle.blank(4, values=(-1, 0, 1, 2))
    .with_named("x", range(-2, 5))
    .add(
        cs.KillerCage("R1C1 R1C2 R2C2", 1),
        cs.Thermometer("R3C1 R3C2"),
        cs.Sum(["R1C1 R2C2", cs.Var("x")], 0, (1, 1, -1)),
        cs.Equal("R1C4 R4C3") | cs.AntiKnight(),
    )
)
# Without givens glpsol takes half a minute for it.
CONNECTED = cs.read("4... .3.. ..3. ...4").add(cs.YinYang(), cs.ConnectedValues((1, 2, 3)))
# No rule at all, so no factor.
BARE = cs.Puzzle.blank(1, 2, box=None, row_houses=False, column_houses=False).with_givens(
    {"R1C1": 1, "R1C2": 2}
)
ANSWERING = [to for to in FORMATS if to not in ("graphml", "json")]
NONE = cs.read("12.. 34.. ..4. .3..").add(cs.Equal("R1C3 R4C4"))


def program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def run(*command: object) -> str:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, timeout=120
    )
    return done.stdout


def by_sat(path, tmp_path):
    return run(program("cadical"), "-q", path)


def by_minisat(path, tmp_path):
    run(program("minisat"), "-verb=0", path, tmp_path / "answer")
    return (tmp_path / "answer").read_text()


def by_glpsol(option):
    def solve(path, tmp_path):
        run(program("glpsol"), option, path, "-o", tmp_path / "answer")
        return (tmp_path / "answer").read_text()

    return solve


def by_minizinc(path, tmp_path):
    model = path.rename(path.with_suffix(".mzn"))
    return run(program("minizinc"), "--solver", "gecode", model)


def by_cpsat(path, tmp_path):
    """A pseudo-Boolean solver in a few lines: none is as common as the others."""
    lines = [line.split() for line in path.read_text().splitlines() if not line.startswith("*")]
    model = cp_model.CpModel()
    bits = {name: model.new_bool_var(name) for line in lines for name in line[1:-3:2]}
    for *terms, sense, side, _ in lines:
        total = sum(int(c) * bits[name] for c, name in zip(terms[::2], terms[1::2], strict=True))
        model.add(total == int(side) if sense == "=" else total >= int(side))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        return "s UNSATISFIABLE"
    said = [name if solver.value(bit) else f"-{name}" for name, bit in bits.items()]
    return f"s SATISFIABLE\nv {' '.join(said)}"


OUTSIDE = {
    "cadical": ("cnf", by_sat),
    "minisat": ("cnf", by_minisat),
    "glpsol, LP": ("lp", by_glpsol("--lp")),
    "glpsol, MPS": ("mps", by_glpsol("--freemps")),
    "minizinc": ("minizinc", by_minizinc),
    "CP-SAT": ("opb", by_cpsat),
}


@pytest.mark.parametrize("who", OUTSIDE)
@pytest.mark.parametrize(
    "puzzle",
    [cs.read(FOUR), VARIANT, NONE, CONNECTED],
    ids=["4x4", "variant", "none", "connected"],
)
def test_a_program_that_is_not_ours_solves_the_file(puzzle, who, tmp_path):
    to, solve = OUTSIDE[who]
    path = tmp_path / "puzzle.txt"
    path.write_text(export(puzzle, to).text)
    answer = import_answer(puzzle, to, solve(path, tmp_path))
    assert answer is not None
    assert bool(answer) is (puzzle is not NONE)
    if puzzle == cs.read(FOUR):
        assert [solution.text for solution in answer] == [SOLVED]


def answer_of(to: str, exported, puzzle: cs.Puzzle) -> str:
    """The answer that a program would print, made from our own solution."""
    [solution] = cs.solve(puzzle).solutions
    said = {f"{place}={value}" for place, value in solution.items()}
    lines = exported.text.splitlines()
    if to in ("cnf", "cnf+"):
        legend = [line.split(maxsplit=2)[1:] for line in lines if line.startswith("c ")]
        true = [number for number, name in legend[1:] if name in said]
        return f"c fast\ns SATISFIABLE\nv {' '.join(true)} 0\n"
    if to in ("lp", "mps", "opb"):
        marks = {"lp": "\\ ", "mps": "* ", "opb": "* "}
        legend = [
            line.removeprefix(marks[to]).split(" ", 1)
            for line in lines
            if line.startswith(marks[to]) and "=" in line and "#" not in line
        ]
        true = [name for name, meaning in legend if meaning in said]
        if to == "opb":
            return "s SATISFIABLE\nv " + " ".join(true)
        return "\n".join(f"{name} 1" for name in true)
    if to == "xcc":
        numbers = [
            int(line.split()[2].rstrip(":"))
            for line in lines
            if line.startswith("| option") and line.split()[-1] in said
        ]
        options = [line for line in lines if not line.startswith("|")][1:]
        return "\n".join(f" {options[n - 1]} (1 of 3)" for n in numbers)
    if to == "minizinc":
        head = takewhile(lambda line: line.startswith("% "), lines[1:])
        legend = dict(reversed(line[2:].split()) for line in head)
        shown = [f"{legend[str(place)]} = {value};" for place, value in solution.items()]
        return "\n".join([*shown, "----------"])
    return "status: OPTIMAL\n" + "".join(f"solution: {v}\n" for v in solution.values())


@pytest.mark.parametrize("puzzle", [cs.read(FOUR), VARIANT, BARE], ids=["4x4", "variant", "bare"])
@pytest.mark.parametrize("to", ANSWERING)
def test_an_answer_is_read_back_and_verified(to, puzzle):
    exported = export(puzzle, to)
    answer = answer_of(to, exported, puzzle)
    assert import_answer(puzzle, to, answer) == list(cs.solve(puzzle).solutions)


@pytest.mark.parametrize("to", ANSWERING)
def test_puzzles_of_odd_shapes_can_be_written(to):
    for case in _shape_cases():
        assert export(case.puzzle, to).text, case


LOGS = {
    "lp": "dive 7: infeasible, backtracking\nno feasible point so far\n",
    "mps": "Cbc0038I Pass 1: infeasible\nheuristic: no integer feasible point yet\n",
    "opb": "c restart: infeasible under assumptions, UNSATISFIABLE core of 3\n",
    "cnf": "c the core is UNSATISFIABLE\n",
    "minizinc": "% time elapsed; UNSATISFIABLE neighbourhoods: 3\n",
    "cpsat": "# INFEASIBLE subproblems: 3\n",
}


@pytest.mark.parametrize("to", LOGS)
def test_words_in_a_log_do_not_change_the_answer(to):
    answer = LOGS[to] + answer_of(to, export(FOUR, to), cs.read(FOUR))
    [solution] = import_answer(FOUR, to, answer)
    assert solution.text == SOLVED


@pytest.mark.parametrize(
    ("to", "answer", "wanted"),
    [
        ("cnf", "s UNSATISFIABLE\n", []),
        ("cnf", "s UNKNOWN\n", None),
        ("cnf+", "UNSAT\n", []),
        ("lp", "PROBLEM HAS NO INTEGER FEASIBLE SOLUTION", []),
        ("lp", "Infeasible - objective value 0.0\n", []),
        ("lp", "Model status\nInfeasible\n\n# Primal solution values\nNone\n", []),
        ("lp", "solution status: infeasible\nno solution available\n", []),
        ("lp", "SCIP Status        : problem is solved [infeasible]\n", []),
        ("mps", "Status:     INTEGER EMPTY\n 1 R1C1_2 * 0 0 1\n", []),
        ("mps", "Status:     INTEGER UNDEFINED\n 1 R1C1_2 * 0 0 1\n", None),
        ("lp", "presolve: 3 candidates are infeasible\n", None),
        ("opb", "s UNSATISFIABLE\n", []),
        ("opb", "c the first guess was infeasible\ns UNKNOWN\n", None),
        ("opb", "c unsatisfiable core of size 3\n", None),
        ("mps", "", None),
        ("xcc", "", None),
        ("minizinc", "=====UNSATISFIABLE=====\n", []),
        ("minizinc", "=====UNKNOWN=====\n", None),
        ("cpsat", "status: INFEASIBLE\n", []),
        ("cpsat", "status: UNKNOWN\n", None),
    ],
)
def test_answers_without_a_solution(to, answer, wanted):
    assert import_answer(FOUR, to, answer) == wanted


@pytest.mark.parametrize(
    ("to", "answer", "message"),
    [
        ("cnf", "v 1 2 0\n", "no line `s"),
        ("cnf", "s MAYBE\n", "line 1"),
        ("cnf", "s SATISFIABLE\nv 1 0\n", "no value for R1C2"),
        ("minizinc", "R9C9 = 1;\n", "line 1: there is no variable R9C9"),
        ("minizinc", "R1C1 = 1;\n----------\n", "no value for R1C2"),
        ("xcc", "R1C1 R1C2\n", "not an option"),
        ("lp", "R1C1_2 many\n", "not a number"),
        ("lp", "Infeasible\nStatus: INTEGER OPTIMAL\n", "contradictory"),
        ("opb", "s SATISFIABLE\ns UNSATISFIABLE\n", "contradictory lines: `s SAT.* and `s UNSAT"),
        ("opb", "s SATISFIABLE\n", "there is no line v"),
        ("opb", "s MAYBE\n", "`s MAYBE` is not one of SATISFIABLE"),
        ("opb", "s SATISFIABLE\nv x1 x999\n", "there is no variable x999"),
        ("minizinc", "R1C1 = 1;\n=====UNSATISFIABLE=====\n", "after a solution"),
        ("cpsat", "solution: 1\n", "1 values for 16"),
        ("json", "{}", "no answer"),
    ],
)
def test_what_is_no_answer_is_refused(to, answer, message):
    with pytest.raises(cs.FormatError, match=message):
        import_answer(FOUR, to, answer)


def test_a_wrong_answer_names_the_rule():
    blank = cs.Puzzle.blank(2)
    with pytest.raises(cs.WrongAnswerError, match="row 1: R1C1 and R1C2 both hold 1"):
        import_answer(blank, "cnf", "s SATISFIABLE\nv 1 -2 3 -4 5 -6 7 -8 0\n")


def test_an_unknown_format_is_named():
    with pytest.raises(cs.FormatError, match="no format is called 'pdf'; there are cnf"):
        export(FOUR, "pdf")


def test_graphs_are_read_by_networkx(tmp_path):
    (tmp_path / "g.graphml").write_text(export(VARIANT, "graphml").text)
    graph = nx.read_graphml(tmp_path / "g.graphml")
    again = nx.node_link_graph(json.loads(export(VARIANT, "json").text), edges="links")
    assert graph.number_of_nodes() == again.number_of_nodes() == len(VARIANT.graph)
    assert graph.nodes["R1C1"]["domain"] == "-1 0 1 2"
    assert again.nodes["factor 0"]["source"] == "row 1"


DIGEST = """
import hashlib
import csp_sudoku as cs
from csp_encodings.export import FORMATS
from csp_sudoku.exporting import export
puzzle = cs.Puzzle.blank(4).add(cs.AntiKnight(), cs.KillerCage("R1C1 R2C2", 5) | cs.Diagonals())
for to in FORMATS:
    print(to, hashlib.sha256(export(puzzle, to).text.encode()).hexdigest())
"""


def test_exports_are_equal_in_every_process():
    digests = [
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert digests[0] == digests[1]
    assert len(digests[0].splitlines()) == len(FORMATS)
