"""Draw a puzzle, its solution and the next step as SVG; notebooks show puzzles by themselves."""

from pathlib import Path

import csp_sudoku as cs

puzzle = cs.read(Path(__file__).parent / "variant.json")
solution = cs.solve(puzzle).solutions[0]

pictures = {
    "puzzle.svg": cs.render_svg(puzzle),
    "solved.svg": cs.render_svg(puzzle, solution=solution, theme="light"),
    "hint.svg": cs.render_svg(puzzle, candidates=True, highlight=cs.hint(puzzle)),
    "graph.svg": cs.render_graph(puzzle),
}
for name, picture in pictures.items():
    Path(name).write_text(picture, encoding="utf-8")
    print(f"{name:11} {len(picture):7,} characters")
