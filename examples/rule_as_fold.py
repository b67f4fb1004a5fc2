"""A rule of one's own as a state machine, for lines too long for a predicate."""

import csp_sudoku as cs


def step(state, value):
    """Remember the last parity and how often it came in a row; None is the end."""
    parity, run = state
    run = run + 1 if parity == value % 2 else 1
    return (value % 2, run) if run <= 2 else None


def row_rule(row):
    return cs.fold(
        f"R{row}C1-R{row}C9",
        start=(None, 0),
        step=step,
        accept=lambda state: True,
        text=f"never three odd or three even cells in a row, in row {row}",
    )


puzzle = cs.Puzzle.blank(9).add(*map(row_rule, range(1, 10)))
solution = cs.solve(puzzle).solutions[0]
for row in solution.rows:
    print(*row, " ", "".join("eo"[value % 2] for value in row))
