"""Random puzzles that look for faults: solvers are compared with each other and with laws.

``run`` the loop and its report · ``worker`` the loop in a process of its own · ``checking`` one
puzzle · ``findings`` faults, shrunk and saved · ``puzzles`` random puzzles · ``shapes`` their grids
· ``rules`` their rules · ``laws`` what holds for every puzzle · ``transforms`` puzzles that look
different and are the same.
"""
