"""Puzzles to order: attempts until one is as wished, or time or patience runs out."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.errors import PuzzleError, UndecidedError
from csp_sudoku.generating.attempts import Draft, attempt
from csp_sudoku.generating.recipes import Recipe
from csp_sudoku.generating.solutions import as_rules
from csp_sudoku.generating.wishes import Generated, Wish, read_difficulty
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving import check_query

# So many attempts are made at what one may miss: a number of clues, a difficulty. Those that have
# to find clues for a recipe, too, take longer.
_ATTEMPTS, _ATTEMPTS_WITH_CLUES = 100, 30


@dataclass(frozen=True)
class _Candidate:
    """A puzzle, and how far it is from the wish: less is better."""

    draft: Draft
    difficulty: float | None
    shortfalls: tuple[str, ...]
    distance: float


def generate(
    rules: object = 9,
    *,
    mode: str = "unique",
    share: float | None = None,
    minimal: bool = False,
    clues: int | None = None,
    symmetry: str | None = None,
    difficulty: str | tuple[float, float] | None = None,
    recipe: str | Iterable[str] = (),
    seed: int | None = None,
    timeout: float | None = None,
    certified: bool = False,
) -> Generated:
    """Make a puzzle.

    The same seed and wishes give the same puzzle on any machine, as long as time does not run out.

    Parameters
    ----------
    rules
        The side of a plain grid, or a puzzle whose rules are kept; its givens stay.
    mode
        ``unique``, a puzzle with one solution, by proof; or ``normal``, a solution of which a share
        of the cells is emptied, whatever other solutions there may be.
    share
        The share of the cells that is emptied: 0.4 by default in normal mode; in unique mode 0.6,
        or 0.5 from 13×13 on, as far as the solution stays the only one.
    minimal
        Take away all that can go: no given, and no clue of the recipe, is left that is not needed.
        With a symmetry whole orbits are taken away; whether a single given could still go, is said.
    clues
        The number of givens; 0 for clues of a recipe alone.
    symmetry
        Of the givens: ``rotational``, ``quarter-turn``, ``mirror``, ``flip``, ``diagonal``,
        ``antidiagonal``, ``full`` or ``none``.
    difficulty
        ``easy``, ``medium``, ``hard`` or ``expert``, or the lowest and the highest score of
        :func:`csp_sudoku.rate`.
    recipe
        Variants, by name: rules such as ``anti-knight``, irregular regions (``jigsaw``), cages that
        tile the grid (``killer``), and clues that are placed by lot and read off the solution, such
        as ``thermometer`` or ``arrow:4``. See :data:`csp_sudoku.generating.KINDS`.
    seed
        Fixes every random choice; without one, every call gives another puzzle.
    timeout
        Seconds. What was reached by then is given, and what was not is said in `shortfalls`.
    certified
        Prove once more that there is one solution, with a proof that is checked.

    Examples
    --------
    >>> found = generate(4, minimal=True, seed=1)
    >>> found.unique, found.minimal, found.shortfalls
    (True, True, ())
    >>> killer = generate(6, recipe="killer", clues=0, seed=3)
    >>> killer.clues, killer.unique, {clue.name for clue in killer.puzzle.constraints}
    (0, True, {'killer-cage'})
    """
    started = time.perf_counter()
    check_query(None, timeout, seed)
    deadline = None if timeout is None else time.monotonic() + timeout
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    wish = Wish(
        mode=mode,
        share=share,
        minimal=minimal,
        clues=clues,
        symmetry=symmetry,
        difficulty=read_difficulty(difficulty),
        recipe=Recipe.read(recipe),
        certified=certified,
    )
    best = _best(wish, as_rules(rules), seed, deadline)
    shortfalls = list(best.shortfalls)
    certificate = None
    draft = best.draft
    if certified and draft.unique:
        certificate = _certificate(draft, deadline)
        if certificate is None:
            shortfalls.append("time ran out before a proof was checked")
    return Generated(
        puzzle=draft.puzzle,
        solution=draft.solution,
        clues=len(draft.puzzle.givens),
        unique=draft.unique,
        minimal=draft.minimal,
        difficulty=best.difficulty,
        shortfalls=tuple(shortfalls),
        certificate=certificate,
        seed=seed,
        seconds=time.perf_counter() - started,
    )


def generate_many(
    count: int,
    rules: object = 9,
    *,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[Generated], None] | None = None,
    first: int = 0,
    **wishes: Any,
) -> Iterator[Generated]:
    """Make many puzzles, one at a time or on the workers of an executor, always in their order.

    Parameters
    ----------
    seed
        Gives each puzzle a seed of its own.
    executor
        Where the work is done, such as a ``ProcessPoolExecutor``.
    progress
        Called with each puzzle.
    first
        The number of the first one, to go on where a run has ended.
    wishes
        As in :func:`generate`; a timeout is for each puzzle.

    Examples
    --------
    >>> [made.minimal for made in generate_many(3, 4, minimal=True, seed=7)]
    [True, True, True]
    """
    if type(count) is not int or count < 0:
        raise PuzzleError(f"count {count!r}: must be a whole number from 0 on")
    check_query(None, None, seed)
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    seeds = [random.Random(f"{seed}/{i}").randrange(2**31) for i in range(first, first + count)]
    make = partial(_make, as_rules(rules), wishes)
    for made in map(make, seeds) if executor is None else executor.map(make, seeds):
        if progress:
            progress(made)
        yield made


def _make(rules: Puzzle, wishes: dict[str, Any], seed: int) -> Generated:
    return generate(rules, seed=seed, **wishes)


def _best(wish: Wish, rules: Puzzle, seed: int, deadline: float | None) -> _Candidate:
    best: _Candidate | None = None
    error: PuzzleError | UndecidedError | None = None
    for number in range(_ATTEMPTS_WITH_CLUES if wish.recipe.has_clues else _ATTEMPTS):
        chance = random.Random(f"{seed}/{number}")
        try:
            draft = attempt(wish, rules, chance, deadline)
        except UndecidedError as undecided:
            error = error or undecided
            break
        except OutOfTime:
            break
        except PuzzleError as impossible:
            # Irregular regions, drawn by lot, may leave no solution; the next ones may.
            if not wish.recipe.jigsaw:
                raise
            error = impossible
            continue
        found = _judged(wish, draft, chance, deadline)
        if best is None or found.distance < best.distance:
            best = found
        if not best.distance or (deadline is not None and time.monotonic() >= deadline):
            break
    if best is None:
        raise error or UndecidedError("no puzzle was found in time; a longer timeout may help")
    return best


def _judged(wish: Wish, draft: Draft, chance: random.Random, deadline: float | None) -> _Candidate:
    """A draft, made easier if it is too hard, with what it falls short of."""
    shortfalls: list[str] = []
    distance, score = 0.0, None
    if wish.mode == "unique" and not draft.unique:
        return _Candidate(draft, None, ("time ran out before the solution was the only one",), 1e6)
    if wish.difficulty is not None:
        draft, score = _fitted(wish, draft, chance, deadline)
        low, high = wish.difficulty
        if score is None:
            shortfalls.append("time ran out before the difficulty was known")
            distance += 1e3
        elif not low <= score < high:
            shortfalls.append(f"its difficulty is {score:g}, not {low:g} to {high:g}")
            distance += 100 * max(low - score, score - high, 0.01)
    given = len(draft.puzzle.givens)
    if wish.clues is not None and given != wish.clues:
        shortfalls.append(f"it has {given} givens, not {wish.clues}")
        distance += abs(given - wish.clues)
    if wish.minimal and not draft.minimal:
        symmetric = (wish.symmetry or "none") != "none" and draft.minimal is not None
        if symmetric:
            shortfalls.append("a single given could go, which the symmetry forbids")
        else:
            shortfalls.append("time ran out before it was known to be minimal")
            distance += 10
    return _Candidate(draft, score, tuple(shortfalls), distance)


def _fitted(
    wish: Wish, draft: Draft, chance: random.Random, deadline: float | None
) -> tuple[Draft, float | None]:
    """Give one cell after the other of what is too hard, unless the number of givens is fixed."""
    from csp_sudoku.generating.shapes import orbits
    from csp_sudoku.strategies import rate

    assert wish.difficulty is not None

    def score_of(puzzle: Puzzle) -> float | None:
        rest = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            return rate(puzzle, timeout=rest).score
        except UndecidedError:
            return None

    score = score_of(draft.puzzle)
    if wish.minimal or wish.clues is not None:
        return draft, score
    groups = orbits(draft.puzzle, wish.symmetry)
    open_ = [group for group in groups if any(c not in draft.puzzle.givens for c in group)]
    for group in chance.sample(open_, len(open_)):
        if score is None or score < wish.difficulty[1]:
            break
        more = draft.puzzle.with_givens({place: draft.solution[place] for place in group})
        draft = Draft(more, draft.solution, True, None)
        score = score_of(more)
    return draft, score


def _certificate(draft: Draft, deadline: float | None) -> Any:
    from csp_sudoku.crosscheck.certificates import certify, prove

    known = [tuple([draft.solution[place] for place in draft.puzzle.variables])]
    graph = draft.puzzle.graph
    try:
        proved = prove(graph, known, deadline=deadline)
        certificate = certify(graph, known, proved, deadline=deadline)
    except OutOfTime:
        return None
    if proved.other is not None or not certificate.checked.accepted:
        raise AssertionError("a puzzle that was found unique is not")
    return certificate
