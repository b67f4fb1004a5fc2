"""Algorithms at work, to watch: what each of them does on a puzzle, as a film in one HTML file.

``frames`` what a film is made of · ``searching`` AC-3 and backtracking · ``covering`` dancing
links · ``relaxing`` the linear relaxation · ``learning`` a SAT solver · ``page`` the file, with
its player.
"""

from csp_sudoku.watching.page import ALGORITHMS, watch

__all__ = ["ALGORITHMS", "watch"]
