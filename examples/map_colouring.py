"""No Sudoku at all: a map, given as a networkx graph, coloured by two encodings of one graph."""

import networkx as nx
from ortools.sat.python import cp_model
from pysat.solvers import Solver

from csp_encodings import cnf, cpsat
from csp_encodings.factors import AllDifferent
from csp_encodings.graph import GraphBuilder

borders = "WA-NT WA-SA NT-SA NT-Q SA-Q SA-NSW SA-V Q-NSW NSW-V"
australia = nx.Graph(tuple(border.split("-")) for border in borders.split())
australia.add_node("T")

builder = GraphBuilder()
for state in australia:
    builder.variable(state, (1, 2, 3))
for a, b in australia.edges:
    builder.factor(AllDifferent((a, b)), source=f"{a} touches {b}")
graph = builder.build()

formula = cnf.encode(graph)
with Solver(bootstrap_with=formula.clauses) as sat:
    assert sat.solve()
    by_sat = formula.decode(sat.get_model())

model = cpsat.encode(graph)
solver = cp_model.CpSolver()
solver.parameters.catch_sigint_signal = False
assert solver.solve(model.model) == cp_model.OPTIMAL
by_cpsat = model.decode(list(solver.response_proto.solution))

for colours in (by_sat, by_cpsat):
    print(colours)
    assert all(colours[a] != colours[b] for a, b in australia.edges)
