"""Cross-check somebody else's solver: any function from a puzzle to grids takes part."""

import csp_sudoku as cs


def their_solver(puzzle):
    """Backtracking as often seen, with a mistake as often seen: it forgets the boxes."""
    grid = {cell: puzzle.givens.get(cell) for cell in puzzle.cells}

    def fill(cells):
        if not cells:
            return True
        cell, *rest = cells
        for value in puzzle.candidates_of(cell):
            if any(
                grid[other] == value
                for other in grid
                if other != cell and (other.row == cell.row or other.col == cell.col)
            ):
                continue
            grid[cell] = value
            if fill(rest):
                return True
        grid[cell] = puzzle.givens.get(cell)
        return False

    return grid if fill([cell for cell in puzzle.cells if grid[cell] is None]) else None


# Where it happens to be right, nobody notices.
easy = cs.read("0100 3001 4002 0040")
print(cs.cross_check(easy, [their_solver, "sat", "dlx"], isolate=False).summary)

# Where it is wrong, the report says who, and how that shows.
agreement = cs.cross_check("1... .... ..3. ....", [their_solver, "sat", "dlx"], isolate=False)
for disagreement in agreement.disagreements:
    print(disagreement)
assert agreement.outcome is cs.Outcome.DISAGREEMENT
