"""Variants: build, solve and prove unique, by `auto` and by the solvers it is made of.

The puzzles are made here, from a seed: rules of many kinds are read off a random solution, then
givens are added until the solution is the only one, and what is not needed is taken away again. A
hundred of them take half a minute.

Run ``python -m benchmarks.variants``; ``--links FILE`` adds published puzzles, a JSON list of
objects with the compressed part of an f-puzzles link each, under ``fpuzzles``.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product

import csp_sudoku as cs
from csp_sudoku.constraints import Constraint
from csp_sudoku.solving.compiling import forget_rules

NINE = cs.Puzzle.blank(9)
BACKENDS = ("auto", "search", "sat", "cpsat")
TIMEOUT = 20.0
ROUNDS = 3

Grid = dict[cs.Cell, int]
Maker = Callable[[random.Random, Grid], list[Constraint]]


def _inside(cell: cs.Cell) -> bool:
    return 0 <= cell.row < 9 and 0 <= cell.col < 9


def _beside(cell: cs.Cell, *, diagonal: bool = False) -> list[cs.Cell]:
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    if diagonal:
        steps += [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    near = [cs.Cell(cell.row + dr, cell.col + dc) for dr, dc in steps]
    return [other for other in near if _inside(other)]


def _path(
    chance: random.Random,
    length: int,
    taken: set[cs.Cell],
    follows: Callable[[cs.Cell, cs.Cell], bool],
) -> list[cs.Cell]:
    """A line of free cells, each of which may follow the one before; perhaps a shorter one."""
    path = [chance.choice([cell for cell in NINE.cells if cell not in taken])]
    while len(path) < length:
        near = [c for c in _beside(path[-1], diagonal=True) if c not in taken and c not in path]
        near = [cell for cell in near if follows(path[-1], cell)]
        if not near:
            break
        path.append(chance.choice(near))
    return path


def _lines(
    number: int,
    lengths: Sequence[int],
    follows: Callable[[Grid, cs.Cell, cs.Cell], bool],
    make: Callable[[Grid, list[cs.Cell]], Constraint | None],
) -> Maker:
    def maker(chance: random.Random, grid: Grid) -> list[Constraint]:
        taken: set[cs.Cell] = set()
        found: list[Constraint] = []
        for _ in range(40 * number):
            path = _path(chance, chance.choice(lengths), taken, lambda a, b: follows(grid, a, b))
            made = make(grid, path) if len(path) >= min(lengths) else None
            if made is not None:
                found.append(made)
                taken |= set(path)
            if len(found) == number:
                break
        return found

    return maker


def _cages(number: int) -> Maker:
    def maker(chance: random.Random, grid: Grid) -> list[Constraint]:
        free = set(NINE.cells)
        found: list[Constraint] = []
        while len(found) < number and free:
            cage = [chance.choice(sorted(free))]
            for _ in range(chance.randint(1, 4)):
                near = sorted({c for cell in cage for c in _beside(cell)} & free - set(cage))
                near = [cell for cell in near if grid[cell] not in {grid[c] for c in cage}]
                if near:
                    cage.append(chance.choice(near))
            free -= set(cage)
            if len(cage) > 1:
                found.append(cs.KillerCage(cage, sum(grid[cell] for cell in cage)))
        return found

    return maker


def _pairs(number: int) -> Maker:
    def maker(chance: random.Random, grid: Grid) -> list[Constraint]:
        edges = [(c, o) for c in NINE.cells for o in _beside(c) if c < o]
        chance.shuffle(edges)
        found: list[Constraint] = []
        for a, b in edges:
            low, high = sorted((grid[a], grid[b]))
            if high - low == 1:
                found.append(cs.Difference((a, b), 1))
            elif high == 2 * low:
                found.append(cs.Ratio((a, b), 2))
            elif low + high in (5, 10):
                found.append(cs.PairSum((a, b), low + high))
            elif chance.random() < 0.2:
                found.append(cs.GreaterThan((a, b) if grid[a] > grid[b] else (b, a)))
        return found[:number]

    return maker


def _arrow(grid: Grid, path: list[cs.Cell]) -> Constraint | None:
    total = sum(grid[cell] for cell in path[1:])
    return cs.Arrow(path[0], path[1:]) if total == grid[path[0]] else None


def _renban(grid: Grid, path: list[cs.Cell]) -> Constraint | None:
    held = sorted(grid[cell] for cell in path)
    return cs.Renban(path) if all(b - a == 1 for a, b in pairwise(held)) else None


def _between(grid: Grid, path: list[cs.Cell]) -> Constraint | None:
    low, high = sorted((grid[path[0]], grid[path[-1]]))
    return cs.Between(path) if all(low < grid[cell] < high for cell in path[1:-1]) else None


def _name(row: bool, index: int) -> str:
    return f"{'R' if row else 'C'}{index + 1}"


def _sandwiches(number: int) -> Maker:
    def maker(chance: random.Random, grid: Grid) -> list[Constraint]:
        found: list[Constraint] = []
        for row, index in chance.sample(list(product((True, False), range(9))), number):
            line = NINE.row(index) if row else NINE.column(index)
            held = [grid[cell] for cell in line]
            first, last = sorted((held.index(1), held.index(9)))
            found.append(cs.Sandwich(_name(row, index), sum(held[first + 1 : last])))
        return found

    return maker


def _little_killers(number: int) -> Maker:
    def maker(chance: random.Random, grid: Grid) -> list[Constraint]:
        found: list[Constraint] = []
        for start in chance.sample(range(1, 7), min(number, 6)):
            down = [cs.Cell(i, start + i) for i in range(9 - start)]
            up = [cs.Cell(8 - i, start + i) for i in range(9 - start)]
            for line, direction in ((down, "SE"), (up, "NE")):
                total = sum(grid[cell] for cell in line)
                found.append(cs.LittleKiller(line[0], direction, total))
        return found[:number]

    return maker


def _skyscrapers(number: int) -> Maker:
    def maker(chance: random.Random, grid: Grid) -> list[Constraint]:
        found: list[Constraint] = []
        for row, index in chance.sample(list(product((True, False), range(9))), number):
            line = NINE.row(index) if row else NINE.column(index)
            held = [grid[cell] for cell in line]
            seen = sum(value == max(held[: i + 1]) for i, value in enumerate(held))
            found.append(cs.Skyscraper(_name(row, index), seen))
        return found

    return maker


def _rising(grid: Grid, a: cs.Cell, b: cs.Cell) -> bool:
    return grid[a] < grid[b]


def _whispering(grid: Grid, a: cs.Cell, b: cs.Cell) -> bool:
    return abs(grid[a] - grid[b]) >= 5


def _anything(grid: Grid, a: cs.Cell, b: cs.Cell) -> bool:
    return True


# A kind of puzzle: rules of the whole grid, which the solution must keep, and makers of clues.
KINDS: dict[str, tuple[tuple[Constraint, ...], tuple[Maker, ...]]] = {
    "killer": ((), (_cages(22),)),
    "thermometer": ((), (_lines(9, range(3, 7), _rising, lambda g, p: cs.Thermometer(p)),)),
    "arrow": ((), (_lines(9, (3, 4), _anything, _arrow),)),
    "whisper": ((), (_lines(7, range(4, 9), _whispering, lambda g, p: cs.Whisper(p)),)),
    "renban": ((), (_lines(8, range(3, 6), _anything, _renban),)),
    "between": ((), (_lines(6, range(4, 6), _anything, _between),)),
    "dots": ((), (_pairs(40),)),
    "sandwich": ((), (_sandwiches(14),)),
    "skyscraper": ((), (_skyscrapers(14),)),
    "little killer": ((), (_little_killers(10), _cages(8))),
    "anti-knight": ((cs.AntiKnight(),), ()),
    "diagonal arrow": ((cs.Diagonals(),), (_lines(7, (3, 4), _anything, _arrow),)),
    "anti-king killer": ((cs.AntiKing(),), (_cages(12),)),
    "mixed": (
        (),
        (
            _cages(6),
            _lines(3, range(3, 6), _rising, lambda g, p: cs.Thermometer(p)),
            _lines(3, (3, 4), _anything, _arrow),
            _pairs(10),
        ),
    ),
}


# Givens that are left in any case: without them, to see that the solution is the only one can take
# minutes.
FEWEST = {"little killer": 6}


def make(kind: str, seed: int) -> cs.Puzzle:
    """A puzzle with one solution; the same for the same seed."""
    chance = random.Random(f"{kind} {seed}")
    whole, makers = KINDS[kind]
    blank = NINE.add(*whole)
    [solution] = cs.solve(blank, "sat", seed=chance.randrange(2**31)).solutions
    grid = {cell: solution[cell] for cell in blank.cells}
    rules = blank.add(*(rule for maker in makers for rule in maker(chance, grid)))
    with cs.session(rules, "sat") as session:

        def only(trial: Grid) -> bool:
            return len(session.solve(rules.with_givens(trial), limit=2).solutions) == 1

        cells = list(NINE.cells)
        chance.shuffle(cells)
        fewest = FEWEST.get(kind, 0)
        givens = {cell: grid[cell] for cell in cells[:fewest]}
        while not only(givens):
            givens |= {cell: grid[cell] for cell in cells[len(givens) : len(givens) + 6]}
        for cell in list(givens):
            fewer = {c: v for c, v in givens.items() if c != cell}
            if len(fewer) >= fewest and only(fewer):
                givens = fewer
    return rules.with_givens(givens)


def instances(each: int) -> Iterator[tuple[str, cs.Puzzle]]:
    """So many puzzles of every kind."""
    for kind in KINDS:
        for seed in range(each):
            yield f"{kind} {seed}", make(kind, seed)


def seconds(puzzle: cs.Puzzle, backend: str) -> float:
    """What it takes to build the graph, compile it, solve it and prove the solution unique."""
    # As a puzzle that was never seen before.
    forget_rules(puzzle)
    fresh = cs.Puzzle(puzzle.grids, puzzle.candidates, puzzle.constraints, puzzle.named)
    started = time.perf_counter()
    result = cs.solve(fresh, backend, limit=2, timeout=TIMEOUT)
    taken = time.perf_counter() - started
    return taken if result.complete or len(result.solutions) == 2 else TIMEOUT


def table(times: dict[str, list[float]]) -> str:
    """Median, p90, worst and wins of each backend, in milliseconds."""
    lines = [f"{'backend':8} {'median':>8} {'p90':>8} {'worst':>8} {'wins':>5}"]
    best = [min(row) for row in zip(*times.values(), strict=True)]
    for backend, taken in times.items():
        nearly = sorted(taken)[round(0.9 * (len(taken) - 1))]
        wins = sum(t == b for t, b in zip(taken, best, strict=True))
        shown = [1000 * t for t in (statistics.median(taken), nearly, max(taken))]
        lines.append(f"{backend:8} {shown[0]:8.1f} {shown[1]:8.1f} {shown[2]:8.1f} {wins:5}")
    return "\n".join(lines)


def warm_up(names: Sequence[str]) -> None:
    """Load the libraries and compile the kernels, and leave what is there to no garbage collector.

    A collection of all that takes a tenth of a second, and hits any of the puzzles.
    """
    small = cs.read("0100 3001 4002 0040")
    for name in ("search", *names):
        cs.solve(small, name)
        cs.solve(small.add(cs.KillerCage("R1C1 R1C2", 3)), name)
    for side in (4, 16):  # there are boards of two sizes
        cs.solve(cs.Puzzle.blank(side), "boards")
    gc.collect()
    gc.freeze()


def run(puzzles: list[tuple[str, cs.Puzzle]], names: Sequence[str]) -> dict[str, list[float]]:
    """The times of every puzzle on every backend: the best of some rounds, one after the other.

    The rules are new in each round. Automata are kept as in any process that goes on: cages of
    equal size and sum share theirs, whatever puzzle they are in.
    """
    times: dict[str, list[float]] = {name: [] for name in names}
    for _, puzzle in puzzles:
        rounds = [[seconds(puzzle, name) for name in names] for _ in range(ROUNDS)]
        for name, taken in zip(names, zip(*rounds, strict=True), strict=True):
            times[name].append(min(taken))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.variants")
    parser.add_argument("--each", type=int, default=8, help="puzzles of every kind")
    parser.add_argument("--links", help="a file with published puzzles")
    parser.add_argument("--backends", nargs="+", default=list(BACKENDS))
    parser.add_argument("--slow", type=int, default=0, help="list so many of the slowest")
    options = parser.parse_args()
    puzzles = list(instances(options.each))
    if options.links:
        with open(options.links, encoding="utf-8") as file:
            links = [(item.get("name", "link"), item["fpuzzles"]) for item in json.load(file)]
        puzzles += [(name, cs.read(link, lenient=True)) for name, link in links]
    warm_up(options.backends)
    print(f"{len(puzzles)} puzzles: milliseconds to build, solve and prove unique")
    times = run(puzzles, options.backends)
    print(table(times))
    first = options.backends[0]
    slowest = sorted(range(len(puzzles)), key=lambda i: -times[first][i])
    for i in slowest[: options.slow]:
        print(f"{puzzles[i][0]:24}", *(f"{name} {1000 * times[name][i]:.1f}" for name in times))


if __name__ == "__main__":
    main()
