"""Puzzles of the same rules with other givens: sessions, batches, the checker and the readers.

Compiling takes most of the time of a small puzzle. Siblings share it: a session of each backend
answers them all. What is found for a puzzle is then compared with everything else that the library
says about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from math import prod
from random import Random

from csp_sudoku.batches.many import solve_many
from csp_sudoku.batches.verifying import verify_many
from csp_sudoku.cells import Place
from csp_sudoku.checking.verify import verify
from csp_sudoku.counting.count import count
from csp_sudoku.errors import BudgetError, CspSudokuError
from csp_sudoku.formats import (
    describe,
    read,
    write_fpuzzles,
    write_iss,
    write_json,
    write_link,
    write_scl,
    write_sudokumaker,
    write_text,
)
from csp_sudoku.fuzzing.checking import Examination, Trouble, mishap
from csp_sudoku.fuzzing.laws import TIMEOUT, difference, ordered
from csp_sudoku.fuzzing.puzzles import usual_puzzle
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.redundancy import true_candidates
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.solve import session, solutions
from csp_sudoku.strategies import hint

_LIMIT = 40
_ORACLE_SPACE = 2_000

# LP takes a hundred times as long as others: it gets this many siblings only.
_FOR_LP = 2
_BATCHES = ("auto", "auto:kernels=true", "search", "boards", "dlx", "sat", "cpsat")

# Texts hold values, and the rules go beside them.
_TEXTS: dict[str, Callable[[Puzzle], str]] = {
    f"text, {form}": partial(write_text, form=form) for form in ("line", "matrix", "candidates")
}
_OWN: dict[str, Callable[[Puzzle], str]] = {"json": write_json, "words": describe, **_TEXTS}
# Other programs have grids of the usual shape.
_OF_OTHERS: dict[str, Callable[[Puzzle], str]] = {
    "fpuzzles": write_fpuzzles,
    "fpuzzles link": write_link,
    "iss": write_iss,
    "sudokupad": write_scl,
    "sudokumaker": write_sudokumaker,
}
FORMATS = _OWN | _OF_OTHERS


@dataclass(frozen=True)
class Turn:
    """What to do with siblings: who solves them one by one and all at once, how they are written.

    Further puzzles of the usual shape are drawn for the `exchanged` formats.
    """

    backends: tuple[str, ...]
    batch: str
    formats: tuple[str, ...]
    exchanged: tuple[str, ...] = ()
    seed: int = 0


def random_turn(seed: int, number: int, backends: Sequence[str]) -> Turn:
    """Draw what to do with the siblings of a seed and a number, by two of the backends."""
    rng = Random(f"turn {seed} {number}")
    return Turn(
        tuple(rng.sample(backends, min(2, len(backends)))),
        rng.choice(_BATCHES),
        tuple(rng.sample([*_OWN], 2)),
        tuple(rng.sample([*_OF_OTHERS], 2)),
        rng.randrange(10**6),
    )


def whole_turns(backends: Sequence[str]) -> Iterator[Turn]:
    """Yield everything that a random turn may do with a single puzzle."""
    yield Turn(tuple(dict.fromkeys(backends)), _BATCHES[0], tuple(FORMATS))
    yield from (Turn(("search",), batch, ()) for batch in _BATCHES[1:])


@dataclass
class _Known:
    """What is known about a puzzle: its solutions, and who has found them all."""

    puzzle: Puzzle
    solutions: frozenset[Solution] = frozenset()
    complete: str = ""


def examine_siblings(puzzles: Sequence[Puzzle], turn: Turn, found: Examination) -> None:
    """Do what a turn says; note faults with the puzzles that show them."""
    known = [_Known(puzzle) for puzzle in puzzles]
    for backend in (*turn.backends, "brute"):
        _guarded(puzzles[0], found, partial(_ask_all, backend, known, found))
    decided = [each for each in known if each.complete]
    if not decided:
        return
    _guarded(puzzles[0], found, partial(_solve_at_once, turn.batch, decided, found))
    rng = Random(turn.seed)
    _guarded(puzzles[0], found, partial(_check_grids, decided, rng, found))
    for each, name in _to_write(decided, turn, rng):
        _guarded(each.puzzle, found, partial(_write_and_read, each, name, found))
    for question in (_count, _look_at_candidates, _give_a_hint):
        each = rng.choice(decided)
        _guarded(each.puzzle, found, partial(question, each, found))


def _to_write(decided: Sequence[_Known], turn: Turn, rng: Random) -> Iterator[tuple[_Known, str]]:
    """Yield puzzles with the names of the formats in which they are written."""
    if len(decided) == 1:
        yield from ((decided[0], name) for name in (*turn.formats, *turn.exchanged))
        return
    yield from zip(decided, cycle(turn.formats), strict=False)
    for name in turn.exchanged:
        puzzle = usual_puzzle(rng, partial(_can_hold, name))
        with closing(solutions(puzzle, limit=_LIMIT, timeout=TIMEOUT)) as enumeration:
            answers = frozenset(enumeration)
            if enumeration.complete:
                yield _Known(puzzle, answers, "auto"), name


def _guarded(puzzle: Puzzle, found: Examination, work: Callable[[], None]) -> None:
    try:
        work()
    except BudgetError:
        return  # too much for this backend
    except Exception as error:
        found.add(mishap(error), puzzle)


def _ask_all(backend: str, known: Sequence[_Known], found: Examination) -> None:
    """Ask one session about every puzzle, and compare with what is known."""
    name = "oracle" if backend == "brute" else backend
    with session(known[0].puzzle, backend) as compiled:
        for each in known:
            if backend == "brute" and _space(each.puzzle) > _ORACLE_SPACE:
                continue
            if backend.startswith("lp") and each in known[_FOR_LP:]:
                break
            with closing(
                compiled.solutions(each.puzzle, limit=_LIMIT, timeout=TIMEOUT)
            ) as enumeration:
                answers = list(enumeration)
                complete = enumeration.complete
            found.solutions += len(answers)
            if len(answers) < _LIMIT and not complete:
                found.unknowns += 1
                continue
            found.cases[f"session: {name}"] += 1
            _compare(each, answers, name if complete else "", found)


def _compare(each: _Known, answers: list[Solution], complete: str, found: Examination) -> None:
    """Compare solutions, which were verified, with those that are known."""
    new = frozenset(answers)
    if len(new) < len(answers):
        found.add(Trouble("disagreement", complete, "a solution comes twice"), each.puzzle)
    # A verified solution that somebody denies is one: whoever denies it is wrong.
    for denier, less, more in (
        (each.complete, each.solutions, new),
        (complete, new, each.solutions),
    ):
        if denier and more - less:
            said = difference(more | less, less, f"{denier} was asked for all solutions")
            found.add(Trouble("disagreement", denier, said), each.puzzle)
    each.solutions |= new
    each.complete = complete or each.complete
    found.comparisons += bool(complete)


def _solve_at_once(batch: str, known: Sequence[_Known], found: Examination) -> None:
    """Solve all puzzles in one call."""
    puzzles = [each.puzzle for each in known]
    for each, result in zip(known, solve_many(puzzles, batch, limit=2, timeout=60), strict=True):
        found.cases[f"batch: {batch}"] += 1
        odd = frozenset(result.solutions) - each.solutions
        wanted = min(2, len(each.solutions))
        if odd or len(result.solutions) != wanted or (wanted < 2 and not result.complete):
            said = f"{result.status.name} with {len(result.solutions)} solutions of {wanted}"
            found.add(Trouble("disagreement", f"solve_many, {batch}", said), each.puzzle)


def _check_grids(known: Sequence[_Known], rng: Random, found: Examination) -> None:
    """Check solutions and grids beside them, one by one and all at once."""
    puzzles, grids = [], []
    for each in known:
        for solution in ordered(each.solutions)[:2]:
            grid = dict(solution)
            place = rng.choice([*grid])
            other = grid | {place: rng.choice(each.puzzle.values_of(place))}
            one, two = rng.choice([*grid]), rng.choice([*grid])
            swapped = grid | {one: grid[two], two: grid[one]}
            puzzles += [each] * 3
            grids += [grid, other, swapped]
    if not grids:
        return
    judged = verify_many([each.puzzle for each in puzzles], grids)
    for each, grid, said in zip(puzzles, grids, judged.ok, strict=True):
        found.cases["grids checked"] += 1
        right = Solution(grid, each.puzzle) in each.solutions
        alone = verify(each.puzzle, grid).ok
        for name, verdict in (("verify_many", said), ("verify", alone)):
            if verdict != right:
                text = f"says {verdict} of {_shown(grid)}, a solution: {right}"
                found.add(Trouble("disagreement", name, text), each.puzzle)


def _write_and_read(each: _Known, name: str, found: Examination) -> None:
    """Write a puzzle in a format and read it back: the same puzzle, or refused."""
    text = _written(each.puzzle, name)
    if text is None:
        found.cases[f"refused: {name}"] += 1
        return
    if name in _TEXTS:
        dialect = "candidates" if name.endswith("candidates") else None
        again = read(text, like=each.puzzle.without_givens(), dialect=dialect)
    else:
        again = read(text)
    if again.left_out:
        found.cases[f"left out: {name}"] += 1
        return
    found.cases[f"read: {name}"] += 1
    if again == each.puzzle:
        return
    with closing(solutions(again, "search", limit=_LIMIT + 1, timeout=TIMEOUT)) as enumeration:
        after = [tuple(solution.values()) for solution in enumeration]
        if not enumeration.complete and len(after) <= _LIMIT:
            return
    before = [tuple(solution.values()) for solution in each.solutions]
    if again.cells != each.puzzle.cells or {*after} != {*before}:
        said = f"{len(before)} solutions before writing, {len(after)} after reading: {text[:200]}"
        found.add(Trouble("disagreement", f"format {name}", said), each.puzzle)


def _written(puzzle: Puzzle, name: str) -> str | None:
    """Write a puzzle in a format; None if the format cannot hold it."""
    try:
        return FORMATS[name](puzzle)
    except CspSudokuError:
        return None


def _can_hold(name: str, puzzle: Puzzle) -> bool:
    return _written(puzzle, name) is not None


def _count(each: _Known, found: Examination) -> None:
    """Count the solutions."""
    counted = count(each.puzzle, timeout=TIMEOUT)
    if counted.complete:
        found.cases["counted"] += 1
        if counted.value != len(each.solutions):
            said = f"{counted.value} by {counted.backend}, but there are {len(each.solutions)}"
            found.add(Trouble("disagreement", "count", said), each.puzzle)


def _look_at_candidates(each: _Known, found: Examination) -> None:
    """Compare the true candidates with the values of the solutions."""
    looked = true_candidates(each.puzzle, timeout=TIMEOUT)
    if looked.undecided:
        return
    found.cases["true candidates"] += 1
    for place, values in looked.values.items():
        right = {solution[place] for solution in each.solutions}
        if {*values} != right:
            said = f"{place}: {sorted(values)}, but solutions have {sorted(right)}"
            found.add(Trouble("disagreement", "true_candidates", said), each.puzzle)


def _give_a_hint(each: _Known, found: Examination) -> None:
    """Ask for a hint: it keeps every solution."""
    step = hint(each.puzzle)
    if step is None:
        return
    found.cases["hints"] += 1
    for solution in each.solutions:
        wrong = [(p, v) for p, v in step.placements if solution[p] != v]
        wrong += [(p, v) for p, v in step.eliminations if solution[p] == v]
        if wrong:
            said = f"{step.summary} But a solution is {_shown(solution)}"
            found.add(Trouble("disagreement", f"hint, {step.technique}", said), each.puzzle)


def _space(puzzle: Puzzle) -> int:
    return prod(len(puzzle.candidates_of(place)) for place in puzzle.variables)


def _shown(grid: Solution | dict[Place, int]) -> str:
    return " ".join(f"{place}={value}" for place, value in grid.items())
