"""A small language for rules: ``R1C1 + R1C2 == 2 * R3C3``.

A text goes through these modules, in this order. Nothing of it is ever evaluated as Python.

- ``tokens`` splits it, ``grammar`` makes a tree of it (``syntax``), and checks which parts are
  numbers, conditions or groups.
- ``grounding`` finds the cells of a puzzle that the groups stand for, and leaves a plain expression
  over cells (``terms``). This expression is the rule: ``value`` evaluates it.
- ``predicates`` are texts without cells: letters stand for the values of a mark.
- ``normal`` and ``compiling`` lower the expression to factors.

The class is :class:`csp_sudoku.constraints.Rule`.
"""
