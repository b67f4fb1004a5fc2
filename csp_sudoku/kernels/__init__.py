"""The inner loops of the hand-written engines, as machine code over records of arrays.

    search      backtracking with propagation, for any network
    boards      backtracking on boards, for networks of differences and relations
    dlx         exact cover with colours, after Knuth's Algorithm C
    metropolis  local search, for large networks of differences and relations
    sweep       counting, without looking at each solution

They are compiled by :func:`csp_encodings.jit.kernel`. A kernel works on records, see
:mod:`csp_sudoku.kernels.records`: one that never changes says what is searched, another one holds
all that changes. The caller owns both, so that a search can be left and resumed, and in between
plain Python looks at the deadline and at signals.
"""

BLANK = -(2**63)
"""What stands for no given, and for no solution, in rows of values."""

BOARD_SHAPES = ((2, 9), (4, 16))
"""The words of a set of cells, and the values, for which the kernel of the boards is compiled.

Loops over them then become a few instructions. These two shapes do for all networks: what a network
does not need stays empty, and a vector instruction takes four words.
"""
