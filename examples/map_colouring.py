"""No Sudoku at all: the lower package colours a map, given as a networkx graph."""

import networkx as nx
from pysat.solvers import Solver

from csp_encodings.cnf import encode
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

cnf = encode(builder.build())
with Solver(bootstrap_with=cnf.clauses) as solver:
    assert solver.solve()
    colours = cnf.decode(solver.get_model())

print(colours)
assert all(colours[a] != colours[b] for a, b in australia.edges)
