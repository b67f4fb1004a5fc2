"""Structure to be found: regions, shading, a loop and a snake, each proven to be the only one."""

from pathlib import Path

import csp_sudoku as cs

FOLDER = Path(__file__).parent / "structure"

for file in sorted(FOLDER.glob("*.json")):
    puzzle = cs.read(file)
    result = cs.solve(puzzle, limit=2)
    [solution] = result.solutions
    print(f"{file.stem}: {result.status.value} by {result.backend}, {solution.line}")
    picture = cs.render_svg(puzzle, solution=solution, legend=False)
    Path(f"{file.stem}.svg").write_text(picture, encoding="utf-8")
