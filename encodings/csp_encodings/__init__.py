"""Constraint graphs and their compilation to solver inputs. Knows nothing of Sudoku."""
