"""Laws that hold for every puzzle: how its solutions change when the puzzle is changed.

A law is a function of a puzzle, random choices and a way to solve. It returns a sentence that says
how the law is broken, an empty text if it is kept, and None if it does not apply to this puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import TypeAlias

from csp_sudoku import constraints as c
from csp_sudoku.cells import Place
from csp_sudoku.checking.verify import verify
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.logic import depends
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import read, write_fpuzzles, write_json
from csp_sudoku.fuzzing.rules import RuleMaker
from csp_sudoku.fuzzing.transforms import complemented, mirror, relabelled, transposed
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.solve import session, solutions

# Laws are not tried on puzzles with more solutions, or if solving takes longer.
MOST = 150
TIMEOUT = 2.0


class Undecided(Exception):  # noqa: N818 - a signal to leave a law alone, not an error
    """There are too many solutions to compare, or time ran out."""


Found: TypeAlias = frozenset[Solution]


@dataclass(frozen=True)
class Solve:
    """Finds all solutions with a backend; raises :class:`Undecided` if there are too many."""

    backend: str

    def __call__(self, puzzle: Puzzle) -> Found:
        with closing(solutions(puzzle, self.backend, limit=MOST + 1, timeout=TIMEOUT)) as found:
            taken = frozenset(islice(found, MOST))
            if next(found, None) is not None or not found.complete:
                raise Undecided
        return taken


Law: TypeAlias = Callable[[Puzzle, Random, Solve], str | None]


def relabelling(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """Other names for the values change only the names in the solutions."""
    values = puzzle.grids[0].values
    if any(grid.values != values for grid in puzzle.grids):
        return None
    names = dict(zip(values, rng.sample(values, len(values)), strict=True))
    images = relabelled(puzzle, names)
    if images is None:
        return None
    before, after = images
    wanted = [_moved(s, before, after, value=lambda v: names[v]) for s in solve(before)]
    return difference(wanted, solve(after), f"the values are renamed to {names}")


def complement(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """Values turned upside down give solutions turned upside down."""
    values = puzzle.grids[0].values
    names = {value: values[0] + values[-1] - value for value in values}
    if any(grid.values != values for grid in puzzle.grids) or {*names.values()} != {*values}:
        return None
    images = complemented(puzzle, names)
    if images is None:
        return None
    before, after = images
    wanted = [_moved(s, before, after, value=lambda v: names[v]) for s in solve(before)]
    return difference(wanted, solve(after), "the values are turned upside down")


def transposition(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """Rows and columns exchanged give the same solutions, mirrored."""
    images = transposed(puzzle)
    if images is None:
        return None
    before, after = images
    wanted = [_moved(s, before, after, place=mirror) for s in solve(before)]
    return difference(wanted, solve(after), "rows and columns are exchanged")


def splitting(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """The values of a cell split the solutions; one session finds every part and the whole."""
    whole = solve(puzzle)
    place = rng.choice(puzzle.variables)
    parts: list[Solution] = []
    with session(puzzle, solve.backend) as compiled:
        for value in puzzle.values_of(place):
            parts += compiled.solutions(puzzle.with_givens({place: value}))
        again = list(compiled.solutions(puzzle))
    if len(set(parts)) < len(parts):
        return f"the same solution has two values of {place}"
    split = difference(whole, parts, f"a session is asked for each value of {place}")
    return split or difference(whole, again, f"it is asked again, after each value of {place}")


def giving(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """Givens taken from a solution leave exactly the solutions that have them."""
    whole = solve(puzzle)
    if not whole:
        return None
    kept = rng.choice(ordered(whole))
    places = rng.sample(puzzle.variables, rng.randint(1, min(5, len(puzzle.variables))))
    given = {place: kept[place] for place in places}
    wanted = [s for s in whole if all(s[place] == value for place, value in given.items())]
    return difference(wanted, solve(puzzle.with_givens(given)), f"given {_listed(given)}")


def removal(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """Without a rule no solution is lost, unless another rule reads it."""
    if not puzzle.constraints:
        return None
    number = rng.randrange(len(puzzle.constraints))
    rule = puzzle.constraints[number]
    kept = puzzle.constraints[:number] + puzzle.constraints[number + 1 :]
    if any(rule.declares(puzzle)) or any(depends(other, [rule]) for other in kept):
        return None
    whole = solve(puzzle)
    more = solve(replace(puzzle, constraints=kept))
    return difference(whole, more & whole, f"{rule.label} is left out")


def repetition(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """A rule that follows from the others changes nothing: a repeated one, or a tautology."""
    whole = solve(puzzle)
    drawn = _another(puzzle, rng)
    choices = [*puzzle.constraints, *([drawn | ~drawn] if drawn else [])]
    if whole:
        choices.append(_shadow(puzzle, rng, whole))
    if not choices:
        return None
    rule = rng.choice(choices)
    return difference(whole, solve(puzzle.add(rule)), f"{rule.label}, which follows, is added")


def negation(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """Every solution keeps a rule or breaks it, and never both."""
    rule = _another(puzzle, rng)
    if rule is None:
        return None
    whole, kept, broken = solve(puzzle), solve(puzzle.add(rule)), solve(puzzle.add(~rule))
    if kept & broken:
        return f"{rule.label}: a solution keeps it and breaks it"
    return difference(whole, kept | broken, f"split by {rule.label}")


def shuffling(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """The order of the rules does not matter."""
    rules = puzzle.constraints
    if len(rules) < 2:
        return None
    shuffled = replace(puzzle, constraints=tuple(rng.sample(rules, len(rules))))
    return difference(solve(puzzle), solve(shuffled), "the rules are shuffled")


def documents(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """A puzzle is the same after writing and reading."""
    try:
        text = write_json(puzzle)
    except FormatError:
        return None  # a rule that holds a Python function
    again = read(text)
    if again != puzzle:
        return f"written and read, it is another puzzle: {again!r}"
    return difference(solve(puzzle), solve(again), "it is written and read")


def fpuzzles(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """What f-puzzles can express comes back with the same solutions."""
    try:
        text = write_fpuzzles(puzzle)
    except CspSudokuError:
        return None
    again = read(text)
    if again.left_out:
        return None
    return difference(solve(puzzle), solve(again), "it goes through f-puzzles")


def objecting(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """A puzzle with an objection has no solution."""
    objections = puzzle.objections()
    if not objections:
        return None
    return f"a solution in spite of: {objections[0]}" if solve(puzzle) else ""


def clashing(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """No part of a solution breaks a rule."""
    whole = solve(puzzle)
    if not whole:
        return None
    solution = rng.choice(ordered(whole))
    size = rng.randint(0, len(puzzle.variables))
    part = {place: solution[place] for place in rng.sample(puzzle.variables, size)}
    violations = verify(puzzle, part).violations
    return f"part of a solution is refused: {violations[0]}" if violations else ""


def consistency(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """Arc consistency removes no value of a solution."""
    from csp_sudoku.textbook import ac3

    reduced = ac3(shared_graph(puzzle))
    for solution in solve(puzzle):
        for place, value in solution.items():
            if not reduced.consistent or value not in reduced.domains[place]:
                return f"AC-3 removes {place}={value}, which a solution has"
    return ""


def sentences(puzzle: Puzzle, rng: Random, solve: Solve) -> str | None:
    """Every rule describes itself in one line."""
    for rule in (*puzzle.constraints, *puzzle.rules):
        for said in (rule.label, rule.describe(puzzle)):
            if not said or not said.isprintable():
                return f"{type(rule).__name__} says {said!r}"
    return ""


LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (
        relabelling, complement, transposition, splitting, giving, removal, repetition, negation,
        shuffling, documents, fpuzzles, objecting, clashing, consistency, sentences,
    )
}  # fmt: skip
"""All laws by name."""


def _moved(
    solution: Solution,
    before: Puzzle,
    after: Puzzle,
    *,
    place: Callable[[Place], Place] = lambda p: p,
    value: Callable[[int], int] = lambda v: v,
) -> Solution:
    """Change the cells of a solution, or their values; named variables stay."""
    cells = set(before.cells)
    values = {place(p): value(v) if p in cells else v for p, v in solution.items()}
    return Solution(values, after)


def difference(wanted: Iterable[Solution], found: Iterable[Solution], what: str) -> str:
    """Say how solutions differ from those that are wanted; empty if they do not."""
    wanted, found = frozenset(wanted), frozenset(found)
    for fault, odd in (("too many", found - wanted), ("missing", wanted - found)):
        if odd:
            shown = ordered(odd)[0]
            return f"when {what}, {len(odd)} of {len(wanted)} solutions are {fault}: {dict(shown)}"
    return ""


def ordered(solutions: Iterable[Solution]) -> list[Solution]:
    """Return solutions in an order that does not depend on hashing."""
    return sorted(solutions, key=lambda solution: [*solution.values()])


def _listed(given: dict[Place, int]) -> str:
    return " ".join(f"{place}={value}" for place, value in given.items())


def _another(puzzle: Puzzle, rng: Random) -> Constraint | None:
    """Draw a rule that could be added, or its opposite, and that no rule reads."""
    rule = RuleMaker(puzzle, None, rng, longest=4).draw()
    if rule is None or any(rule.declares(puzzle)):
        return None
    if any(depends(reader, [rule]) for reader in (rule, *puzzle.constraints)):
        return None
    try:
        puzzle.add(rule), puzzle.add(~rule)
        shared_graph(replace(puzzle, constraints=(rule,)))  # whether it can be built
    except CspSudokuError:
        return None
    return rule


def _shadow(puzzle: Puzzle, rng: Random, whole: Found) -> Constraint:
    """Return a table of the values that two places have in the solutions."""
    places = [rng.choice(puzzle.variables) for _ in range(2)]
    return c.Table(places, sorted({tuple([s[place] for place in places]) for s in whole}))
