"""No Sudoku at all: eight queens, as a constraint graph of the lower package alone."""

from pysat.solvers import Solver

from csp_encodings.cnf import encode
from csp_encodings.factors import AllDifferent, Relation
from csp_encodings.graph import GraphBuilder

N = 8
columns = range(N)

builder = GraphBuilder()
for row in range(N):
    builder.variable(f"row {row}", columns)  # its value: the column of the queen in this row
builder.factor(AllDifferent(tuple(f"row {row}" for row in range(N))), source="columns")
for a in range(N):
    for b in range(a + 1, N):
        apart = b - a
        safe = Relation.where(
            f"row {a}", f"row {b}", columns, columns, lambda x, y, d=apart: abs(x - y) != d
        )
        builder.factor(safe, source="diagonals")

cnf = encode(builder.build())
print(cnf.variables, "variables,", len(cnf.clauses), "clauses")

solutions = []
with Solver(bootstrap_with=cnf.clauses) as solver:
    for model in solver.enum_models():
        solutions.append(cnf.decode(model))

for row in range(N):
    print(" ".join("Q" if column == solutions[0][f"row {row}"] else "." for column in columns))
print(len(solutions), "solutions")
assert len(solutions) == 92
