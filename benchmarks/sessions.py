"""Sessions that grow: "solve, forbid, solve again" against compiling each time."""

from __future__ import annotations

import time
from random import Random

import csp_sudoku as cs
from benchmarks.contest import Row, Setting, shown

_SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))


def cages(number: int, seed: int) -> cs.Puzzle:
    """A 9×9 that is tiled by so many cages, each with a sum that may be 1 more or less."""
    chance, blank = Random(seed), cs.Puzzle.blank(9)
    grid = cs.solve(blank, "sat", seed=seed).solutions[0]
    while True:
        free, pieces = set(blank.cells), []
        for first in blank.cells:
            if first not in free:
                continue
            piece, size = [first], chance.choice((2, 3, 3, 4))
            free.remove(first)
            while len(piece) < size:
                around = {cs.Cell(p.row + r, p.col + c) for p in piece for r, c in _SIDES}
                held = {grid[place] for place in piece}
                near = [place for place in sorted(around & free) if grid[place] not in held]
                if not near:
                    break
                piece.append(chance.choice(near))
                free.remove(piece[-1])
            pieces.append(piece)
        if len(pieces) == number:
            break
    sums = [sum(grid[place] for place in piece) for piece in pieces]
    pairs = zip(pieces, sums, strict=True)
    return blank.add(*[cs.KillerCage(p, range(total - 1, total + 2)) for p, total in pairs])


def measure(setting: Setting) -> list[Row]:
    """Two loops over some puzzles, each turn in a session that grows, and compiled anew."""
    puzzles = [cages(30, setting.seed + i) for i in range(5)]
    turns = setting.number(20)
    with cs.session(puzzles[0], "sat") as session:  # imports count in no loop
        session.add(~cs.Table(puzzles[0].row(0), [range(1, 10)]))
    loops, preparing, clues = ([0.0, 0.0] for _ in range(3))
    for puzzle in puzzles:
        cs.solve(puzzle, "sat")  # automata are kept in both loops
        _forbid(puzzle, turns, loops, preparing)
        _leave_out(puzzle, clues)
    command = "python -m benchmarks --only sessions"
    done = len(puzzles) * turns
    return [
        Row(f"{what}, 9×9 with 30 cages, against compiling anew",
            shown(mine / number), shown(others / number), others / mine, "≥ 20 ×",
            others / mine >= 20, command)
        for what, (mine, others), number in (
            ("session.add alone", preparing, done),
            ("solve, forbid with session.add, solve again", loops, done),
            ("is a clue needed? session.without", clues, len(puzzles) * 30),
        )
    ]  # fmt: skip


def _forbid(puzzle: cs.Puzzle, turns: int, loops: list[float], preparing: list[float]) -> None:
    """Solve and forbid the first row, again and again; the times are added up."""
    row, anew = puzzle.row(0), puzzle
    with cs.session(puzzle, "sat") as session:
        for _ in range(turns):
            started = time.process_time()
            found = session.solve("." * 81).solutions[0]
            rule = ~cs.Table(row, [[found[place] for place in row]])
            between = time.process_time()
            session.add(rule)
            ended = time.process_time()
            preparing[0] += ended - between
            loops[0] += ended - started
            with cs.session(anew, "sat") as fresh:
                preparing[1] += time.process_time() - ended
                found = fresh.solve("." * 81).solutions[0]
            anew = anew.add(~cs.Table(row, [[found[place] for place in row]]))
            loops[1] += time.process_time() - ended


def _leave_out(puzzle: cs.Puzzle, clues: list[float]) -> None:
    """Solve without each cage in turn."""
    started = time.process_time()
    with cs.session(puzzle, "sat") as session:
        for clue in puzzle.constraints:
            session.without(clue).solve("." * 81)
    between = time.process_time()
    for clue in puzzle.constraints:
        with cs.session(puzzle.without(clue), "sat") as fresh:
            fresh.solve("." * 81)
    clues[0] += between - started
    clues[1] += time.process_time() - between
