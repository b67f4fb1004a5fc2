"""The checker: evaluates the rules themselves. It knows no encoding and no solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from csp_sudoku.cells import Place, Var, cell
from csp_sudoku.distinct import distinct_check
from csp_sudoku.errors import PuzzleError
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle, of_rules
from csp_sudoku.solution import Numbers, Solution

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint


class Verdict(Enum):
    """What the checker says of a grid."""

    CORRECT = "correct"
    """Every place is filled and every rule is kept."""
    OPEN = "still open"
    """No rule is broken yet, but places are empty."""
    BROKEN = "breaks a rule"
    """At least one rule is broken, whatever the empty places will hold."""


@dataclass(frozen=True)
class Violation:
    """A broken rule: the constraint (None for a given or a value out of range) and its cells."""

    constraint: Constraint | None
    cells: tuple[Place, ...]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Verification:
    """The answer of :func:`verify`."""

    verdict: Verdict
    violations: tuple[Violation, ...]
    missing: tuple[Place, ...]

    @property
    def ok(self) -> bool:
        """Whether the grid is a correct full solution."""
        return self.verdict is Verdict.CORRECT


def verify(puzzle: Puzzle, solution: object) -> Verification:
    """Judge a full or partial grid by the rules of the puzzle alone.

    Parameters
    ----------
    puzzle
        The rules and the givens.
    solution
        A :class:`Solution`, a mapping from places to values, a grid as text, or rows of values;
        blanks are places still open.

    Examples
    --------
    >>> from csp_sudoku import read, verify
    >>> puzzle = read("0100 3001 4002 0040")
    >>> verify(puzzle, "2134 3421 4312 1243").ok
    True
    >>> for violation in verify(puzzle, "2134 3421 4312 1244").violations:
    ...     print(violation)
    row 4: R4C3 and R4C4 both hold 4
    column 4: R1C4 and R4C4 both hold 4
    box 4: R4C3 and R4C4 both hold 4
    """
    values = _values(puzzle, solution)
    found = [*_out_of_range(puzzle, values), *_against_givens(puzzle, values)]
    if not found:
        for rule in puzzle.rules:
            found.extend(_broken(rule, values, puzzle))
    missing = tuple(place for place in puzzle.variables if place not in values)
    whole = Verdict.OPEN if missing else Verdict.CORRECT
    return Verification(Verdict.BROKEN if found else whole, tuple(found), missing)


def keeps_rules(puzzle: Puzzle, values: Mapping[Any, int]) -> bool:
    """Whether a full assignment is a solution: the short form of :func:`verify`."""
    return is_solution(puzzle, Solution(values, puzzle).numbers)


def is_solution(puzzle: Puzzle, numbers: Numbers) -> bool:
    """Whether a row of values, one for each variable of the puzzle, is a solution."""
    columns = puzzle.columns
    for place, allowed in puzzle.candidates:
        if numbers[columns[place]] not in allowed:
            return False
    return rules_check(puzzle)(numbers)


@of_rules
def rules_check(rules: Puzzle) -> Callable[[Numbers], bool]:
    """A test of rows of values, one for each variable, by the rules of a puzzle without its givens.

    It asks the rules themselves, as :func:`verify` does; only for houses and other regions without
    a repeat, which are most of the rules, it knows a quicker way than their ``holds``.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> check = rules_check(Puzzle.blank(2))
    >>> [check(bytes(row)) for row in ((1, 2, 2, 1), (1, 2, 1, 2), (0, 2, 2, 0))]
    [True, False, False]
    """
    variables = rules.variables
    houses = _houses_check(rules.grids, rules.named)
    groups, others = split_rules(rules, rules.rules[len(rules.houses) :])
    regions = _regions_check(rules, groups) if groups else None

    def check(numbers: Numbers) -> bool:
        if not houses(numbers) or (regions and not regions(numbers)):
            return False
        values = dict(zip(variables, numbers, strict=True))
        return all(rule.holds(values, rules) for rule in others)

    return check if regions or others else houses


@lru_cache(maxsize=32)
def _houses_check(
    grids: tuple[Grid, ...], named: tuple[tuple[Var, tuple[int, ...]], ...]
) -> Callable[[Numbers], bool]:
    """A test that values are those of their places, and that houses hold none twice."""
    blank = Puzzle(grids, named=named)
    groups, _ = split_rules(blank, blank.houses)
    are_distinct = _regions_check(blank, groups)
    domains = [*map(blank.values_of, blank.variables)]
    most = len({value for domain in {*domains} for value in domain})
    in_houses = {place for group in groups for place in group}
    # Of all others it is seen anyway that their values are some of the puzzle's, and those do.
    narrow = [
        (column, domain)
        for (place, column), domain in zip(blank.columns.items(), domains, strict=True)
        if place not in in_houses or len(domain) < most
    ]

    def check(numbers: Numbers) -> bool:
        return are_distinct(numbers) and all(numbers[i] in domain for i, domain in narrow)

    return check if narrow else are_distinct


def _regions_check(
    puzzle: Puzzle, groups: Iterable[tuple[Place, ...]]
) -> Callable[[Numbers], bool]:
    """A test that these regions of a puzzle hold no value twice."""
    columns = puzzle.columns
    listed = [[columns[place] for place in group] for group in groups]
    domains = {*map(puzzle.values_of, puzzle.variables)}
    values = sorted({value for domain in domains for value in domain})
    return distinct_check(listed, len(columns), values)


def split_rules(
    puzzle: Puzzle, rules: Iterable[Constraint]
) -> tuple[list[tuple[Place, ...]], list[Constraint]]:
    """The regions in which no value repeats, and the rules that say anything else."""
    from csp_sudoku.constraints.regions import AllDifferent, House

    groups, others = [], []
    for rule in rules:
        if type(rule) in (AllDifferent, House):
            groups.append(rule.scope(puzzle))
        else:
            others.append(rule)
    return groups, others


def _values(puzzle: Puzzle, solution: object) -> dict[Place, int]:
    if isinstance(solution, Mapping):
        values = {cell(place): value for place, value in solution.items()}
        for place in values:
            if not puzzle.has(place):
                raise PuzzleError(puzzle.no_such_place(place))
        return values
    from csp_sudoku.formats import read_grid

    return dict(read_grid(solution, puzzle))


def _out_of_range(puzzle: Puzzle, values: Mapping[Place, int]) -> Iterable[Violation]:
    for place, value in values.items():
        if value not in puzzle.values_of(place):
            yield Violation(None, (place,), f"{place} holds {value}, which is not a value here")


def _against_givens(puzzle: Puzzle, values: Mapping[Place, int]) -> Iterable[Violation]:
    for place, allowed in puzzle.candidates:
        if place in values and values[place] not in allowed:
            wanted = " or ".join(map(str, allowed)) or "nothing"
            yield Violation(None, (place,), f"{place} holds {values[place]}, but {wanted} is given")


def _broken(rule: Constraint, values: dict[Place, int], puzzle: Puzzle) -> Iterable[Violation]:
    groups = list(rule.clashes(values, puzzle))
    scope = rule.scope(puzzle)
    if not groups and all(place in values for place in scope) and not rule.holds(values, puzzle):
        groups = [scope]
    for group in groups:
        yield Violation(rule, group, _sentence(rule, group, values, puzzle))


def _sentence(
    rule: Constraint, group: tuple[Place, ...], values: Mapping[Place, int], puzzle: Puzzle
) -> str:
    held = [values[place] for place in group]
    if len(group) == 2 and held[0] == held[1]:
        return f"{rule.label}: {group[0]} and {group[1]} both hold {held[0]}"
    if len(group) > 9:
        return f"{rule.label}: {rule.describe(puzzle)}"
    shown = ", ".join(f"{place}={value}" for place, value in zip(group, held, strict=True))
    return f"{rule.label}: {shown}, but {rule.describe(puzzle)}"
