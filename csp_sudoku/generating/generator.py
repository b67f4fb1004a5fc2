"""Puzzles to order: attempts until one is as wished, or until time or patience runs out."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from csp_encodings.watch import watched
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.errors import PuzzleError, UndecidedError
from csp_sudoku.executors import in_order
from csp_sudoku.generating.attempts import Draft, attempt
from csp_sudoku.generating.recipes import Recipe
from csp_sudoku.generating.solutions import as_rules
from csp_sudoku.generating.techniques import TechniqueWish
from csp_sudoku.generating.wishes import Generated, Wish, read_difficulty
from csp_sudoku.integers import as_int
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.deadlines import has_passed, time_left, what_ended
from csp_sudoku.solving.query import check_count, check_query

if TYPE_CHECKING:
    from threading import Event

    from csp_sudoku.strategies import Rating

# How many attempts are made at a number of clues or a difficulty, and at a technique, which may be
# rare. Attempts with a recipe take longer.
_ATTEMPTS, _ATTEMPTS_AT_TECHNIQUES, _ATTEMPTS_WITH_CLUES = 100, 2_000, 30


@dataclass(frozen=True)
class _Candidate:
    """A puzzle, and its distance from the wish: 0 if it is as wished."""

    draft: Draft
    rating: Rating | None
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
    cancel: Event | None = None,
    certified: bool = False,
    rated: bool = False,
    technique: str | None = None,
    hardest_technique: str | None = None,
    needs: str | None = None,
) -> Generated:
    """Make a puzzle.

    The same seed and wishes give the same puzzle on any machine, as long as time does not run out.

    Parameters
    ----------
    rules
        The side of a plain grid, or a puzzle whose rules are kept; its givens stay.
    mode
        ``unique``: the puzzle has one solution, by proof. ``normal``: a share of the cells of a
        solution is emptied, and there may be other solutions.
    share
        The share of the cells to be emptied, in unique mode as far as the solution stays the only
        one. By default 0.4 in normal mode; in unique mode 0.6, or 0.5 from 13×13 on.
    minimal
        Take away every given and every clue of the recipe that is not needed. With a symmetry only
        whole orbits are taken away; `shortfalls` says if a single given could still go.
    clues
        The number of givens; 0 for a puzzle with clues of the recipe alone.
    symmetry
        The symmetry of the givens: ``rotational``, ``quarter-turn``, ``mirror``, ``flip``,
        ``diagonal``, ``antidiagonal``, ``full`` or ``none``.
    difficulty
        ``easy``, ``medium``, ``hard`` or ``expert``, or the lowest and the highest score of
        :func:`csp_sudoku.rate`.
    recipe
        Variants, by name: rules such as ``anti-knight``, irregular regions (``jigsaw``), cages that
        tile the grid (``killer``), and clues that are placed by lot and read off the solution, such
        as ``thermometer`` or ``arrow:4``. See :func:`csp_sudoku.generating.kinds`.
    seed
        Fixes every random choice; without one, every call gives another puzzle.
    timeout
        Seconds. The best puzzle until then is returned; `shortfalls` says what is missing.
    cancel
        As for :func:`csp_sudoku.solve`.
    certified
        Prove again that there is one solution, with a proof that a checker checks.
    rated
        Rate the puzzle: `rating` has the score, and how often each technique is needed.
    technique
        The name of a technique, such as ``W-wing``, that a step of the explanation uses.
    hardest_technique
        The name of the technique of the hardest step.
    needs
        The name of a technique without which no others that are as easy as the hardest step solve
        the puzzle.

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
    deadline = check_query(None, timeout, seed, cancel).deadline()
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    wish = Wish(
        mode=mode,
        share=share,
        minimal=minimal,
        clues=None if clues is None else _from_zero("clues", clues),
        symmetry=symmetry,
        difficulty=read_difficulty(difficulty),
        recipe=Recipe.read(recipe),
        certified=certified,
        rated=rated,
        techniques=TechniqueWish.read(technique, hardest_technique, needs),
    )
    try:
        with watched(deadline):
            best = _best(wish, as_rules(rules), seed, deadline)
    except OutOfTime:
        raise _too_late(deadline) from None
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
        rating=best.rating,
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
    chunk: int = 1,
    progress: Callable[[Generated], None] | None = None,
    first: int = 0,
    **wishes: Any,
) -> Iterator[Generated]:
    """Make many puzzles, here or on the workers of an executor, always in the same order.

    Puzzle number n depends on the seed, on n and on the wishes alone. So several machines can make
    parts of one stream of puzzles: each one begins at another `first`.

    Parameters
    ----------
    seed
        Every puzzle gets a seed of its own from this one.
    executor
        Where the work is done, such as a ``ProcessPoolExecutor`` or a Dask cluster.
    chunk
        How many puzzles an executor makes at a time; some hundreds where one takes a millisecond.
    progress
        Called with each puzzle.
    first
        The number of the first puzzle, to go on where a run has ended.
    wishes
        As in :func:`generate`; a timeout is for each puzzle.

    Examples
    --------
    >>> [made.minimal for made in generate_many(3, 4, minimal=True, seed=7)]
    [True, True, True]
    >>> parts = [*generate_many(2, 4, seed=7), *generate_many(3, 4, seed=7, first=2)]
    >>> [made.puzzle for made in parts] == [made.puzzle for made in generate_many(5, 4, seed=7)]
    True
    """
    count = _from_zero("count", count)
    first = _from_zero("first", first)
    check_query(None, None, seed)
    chunk = check_count("chunk", chunk)
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    make = partial(_make, as_rules(rules), wishes, seed)
    chunk = 1 if executor is None else chunk
    end = first + count
    pieces = (range(start, min(start + chunk, end)) for start in range(first, end, chunk))
    for made in map(make, pieces) if executor is None else in_order(executor, make, pieces):
        for puzzle in made:
            if progress:
                progress(puzzle)
            yield puzzle


def _from_zero(name: str, value: object) -> int:
    number = as_int(value)
    if number is None or number < 0:
        raise PuzzleError(f"{name} {value!r}: must be a whole number from 0 up")
    return number


def _make(
    rules: Puzzle, wishes: dict[str, Any], seed: int, numbers: Iterable[int]
) -> list[Generated]:
    """Make the puzzles with these numbers."""
    seeds = [random.Random(f"{seed}/{number}").randrange(2**31) for number in numbers]
    return [generate(rules, seed=own, **wishes) for own in seeds]


def _best(wish: Wish, rules: Puzzle, seed: int, deadline: float | None) -> _Candidate:
    best: _Candidate | None = None
    error: PuzzleError | UndecidedError | None = None
    attempts = _ATTEMPTS_AT_TECHNIQUES if wish.techniques else _ATTEMPTS
    for number in range(_ATTEMPTS_WITH_CLUES if wish.recipe.has_clues else attempts):
        chance = random.Random(f"{seed}/{number}")
        try:
            draft = attempt(wish, rules, chance, deadline)
        except UndecidedError as undecided:
            error = error or undecided
            break
        except OutOfTime:
            break
        except PuzzleError as impossible:
            # Random irregular regions may have no solution; the next ones may have one.
            if not wish.recipe.jigsaw:
                raise
            error = impossible
            continue
        found = _judged(wish, draft, chance, deadline)
        if best is None or found.distance < best.distance:
            best = found
        if not best.distance or has_passed(deadline):
            break
    if best is None:
        raise error or _too_late(deadline)
    return best


def _too_late(deadline: float | None) -> UndecidedError:
    return UndecidedError(f"{what_ended(deadline)} before a puzzle was found")


def _judged(wish: Wish, draft: Draft, chance: random.Random, deadline: float | None) -> _Candidate:
    """Judge a draft by the wish; make it easier first if it is too hard."""
    shortfalls = list(draft.shortfalls)
    distance, rating = 0.0, None
    if wish.mode == "unique" and not draft.unique:
        shortfalls.append("time ran out before the solution was the only one")
        return _Candidate(draft, None, tuple(shortfalls), 1e6)
    if wish.difficulty is not None:
        draft, rating = _fitted(wish.difficulty, wish, draft, chance, deadline)
        low, high = wish.difficulty
        if rating is not None and not low <= rating.score < high:
            shortfalls.append(f"its difficulty is {rating.score:g}, not {low:g} to {high:g}")
            distance += 100 * max(low - rating.score, rating.score - high, 0.01)
    elif wish.rated or wish.techniques:
        rating = _rating(draft.puzzle, deadline)
    if rating is None and (wish.rated or wish.difficulty or wish.techniques):
        shortfalls.append("time ran out before the difficulty was known")
        distance += 1e3
    elif rating is not None:
        missing = wish.techniques.missing(draft.puzzle, rating, deadline)
        shortfalls += missing
        distance += 50 * len(missing)
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
    return _Candidate(draft, rating, tuple(shortfalls), distance)


def _fitted(
    wanted: tuple[float, float],
    wish: Wish,
    draft: Draft,
    chance: random.Random,
    deadline: float | None,
) -> tuple[Draft, Rating | None]:
    """Add givens to a puzzle that is too hard, unless their number is fixed."""
    from csp_sudoku.generating.shapes import orbits

    rating = _rating(draft.puzzle, deadline)
    if wish.minimal or wish.clues is not None:
        return draft, rating
    groups = orbits(draft.puzzle, wish.symmetry)
    open_ = [group for group in groups if any(c not in draft.puzzle.givens for c in group)]
    for group in chance.sample(open_, len(open_)):
        if rating is None or rating.score < wanted[1]:
            break
        more = draft.puzzle.with_givens({place: draft.solution[place] for place in group})
        draft = replace(draft, puzzle=more, unique=True, minimal=None)
        rating = _rating(more, deadline)
    return draft, rating


def _rating(puzzle: Puzzle, deadline: float | None) -> Rating | None:
    """Rate a puzzle; None if time runs out."""
    from csp_sudoku.strategies import rate

    try:
        return rate(puzzle, **time_left(deadline))
    except UndecidedError:
        return None


def _certificate(draft: Draft, deadline: float | None) -> Any:
    from csp_sudoku.crosscheck.certificates import certify, prove

    known = [tuple([draft.solution[place] for place in draft.puzzle.variables])]
    graph = shared_graph(draft.puzzle)
    try:
        proved = prove(graph, known, deadline=deadline)
        certificate = certify(graph, known, proved, deadline=deadline)
    except OutOfTime:
        return None
    if proved.other is not None or not certificate.checked.accepted:
        raise AssertionError("a puzzle that was found unique is not")
    return certificate
