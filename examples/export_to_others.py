"""Write a puzzle for kissat and MiniZinc, and read back what another program answers."""

import shutil
from pathlib import Path

from pysat.solvers import Solver

import csp_sudoku as cs

puzzle = cs.read("0100 3001 4002 0040", [cs.Thermometer("R2C3 R1C3 R1C4")])

Path("puzzle.cnf").write_text(cs.export(puzzle, "cnf").text)  # kissat puzzle.cnf
Path("puzzle.mzn").write_text(cs.export(puzzle, "minizinc").text)  # minizinc -a puzzle.mzn
print(Path("puzzle.mzn").read_text().count("constraint"), "constraints in MiniZinc")

# Any solver's answer in the usual form will do; here one of PySAT's takes the part of kissat.
with Solver("glucose4") as solver:
    for line in Path("puzzle.cnf").read_text().splitlines():
        if line[0] not in "cp":
            solver.add_clause(list(map(int, line.split()))[:-1])
    sat = solver.solve()
    model = " ".join(map(str, solver.get_model() or []))
answer = f"s SATISFIABLE\nv {model} 0\n" if sat else "s UNSATISFIABLE\n"

for solution in cs.import_answer(puzzle, "cnf", answer):  # verified by the rules
    print(solution.text)

# Or let it take part in a cross-check by its command.
if shutil.which("kissat"):
    print(cs.cross_check(puzzle, ["sat", "kissat -q {cnf}"]).summary)
