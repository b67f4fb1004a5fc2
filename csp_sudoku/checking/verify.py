"""The checker: evaluates the rules themselves. It knows no encoding and no solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from csp_encodings.store import kept
from csp_encodings.watch import look
from csp_sudoku.cells import Place, Var, cell
from csp_sudoku.errors import PuzzleError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.texts.plain import full_list, full_values
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle, of_rules
from csp_sudoku.solving.answers import limited
from csp_sudoku.solving.solution import Numbers, Solution, held

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint

Picker: TypeAlias = Callable[[Numbers], Iterable[int]]
"""Picks the values of some places from a row."""


class Verdict(Enum):
    """What the checker says about a grid."""

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
    """The answer of :func:`verify`.

    Attributes
    ----------
    verdict
        What the rules say that were read.
    violations
        The broken rules.
    missing
        The places that are empty.
    left_out
        Rules of the puzzle's source that were not read; see `Puzzle.left_out`.
    disputes
        Where the grid, the rules and the solution that the source states disagree, in sentences.
    """

    verdict: Verdict
    violations: tuple[Violation, ...]
    missing: tuple[Place, ...]
    left_out: tuple[str, ...] = ()
    disputes: tuple[str, ...] = field(default_factory=tuple)

    @classmethod
    def of_broken(cls, puzzle: Puzzle, numbers: Numbers) -> Verification:
        """Return the verification of a full grid that breaks a rule; it finds details on demand."""
        broken = object.__new__(cls)
        known = {"verdict": Verdict.BROKEN, "missing": (), "left_out": puzzle.left_out}
        vars(broken).update(known, _grid=(puzzle, numbers))
        return broken

    def __getattr__(self, name: str) -> Any:
        # Python asks here for an attribute that is not there yet.
        if name not in ("violations", "disputes") or "_grid" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        puzzle, numbers = vars(self)["_grid"]  # it stays: another thread may ask, too
        values = dict(zip(puzzle.variables, numbers, strict=True))
        details: dict[str, tuple[object, ...]] = {
            "violations": violations(puzzle, values),
            "disputes": tuple(stated_disputes(puzzle, ())),
        }
        vars(self).update(details)
        return details[name]

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def ok(self) -> bool:
        """Whether the grid is a correct full solution: all rules are known, and nobody disputes."""
        return self.verdict is Verdict.CORRECT and not self.left_out and not self.disputes

    def __repr__(self) -> str:
        broken = [f"{self.violations[0]}"] if self.violations else []
        more = [f"{len(self.violations) - 1} more"] if len(self.violations) > 1 else []
        return f"<Verification: {'; '.join([str(self), *broken, *more])}>"

    def __str__(self) -> str:
        empty = f": {len(self.missing)} cells are empty" if self.missing else ""
        said = limited(self.verdict.value, self.left_out)
        return "; ".join([f"{said}{empty}", *self.disputes])


def verify(puzzle: object, solution: object = None) -> Verification:
    """Judge a full or partial grid by the rules of the puzzle alone.

    Parameters
    ----------
    puzzle
        The rules and the givens: a :class:`Puzzle`, or anything :func:`read` takes.
    solution
        A :class:`Solution`, a mapping from places to values, a grid as text, or rows of values;
        blanks are places still open. Default: the givens, and what a solver has entered.

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
    if solution is None:
        # Imported here, because the formats import this module.
        from csp_sudoku.formats import read_with_notes

        reading = read_with_notes(puzzle)
        puzzle = reading.puzzle
        solution = puzzle.givens | dict(reading.progress.values)
    puzzle = as_puzzle(puzzle)
    numbers = full_row(puzzle, solution)
    # A full grid is quickly seen to be right or wrong. Which rules it breaks takes longer.
    if numbers is not None:
        if not is_solution(puzzle, numbers):
            return Verification.of_broken(puzzle, numbers)
        if _states(puzzle, numbers):
            return Verification(Verdict.CORRECT, (), (), puzzle.left_out)
    values = grid_values(puzzle, solution)
    found = violations(puzzle, values)
    missing = tuple(place for place in puzzle.variables if place not in values)
    whole = Verdict.OPEN if missing else Verdict.CORRECT
    verdict = Verdict.BROKEN if found else whole
    disputes = tuple(stated_disputes(puzzle, () if found else [values]))
    return Verification(verdict, found, missing, puzzle.left_out, disputes)


def violations(puzzle: Puzzle, values: Mapping[Place, int]) -> tuple[Violation, ...]:
    """Return the rules that a full or partial grid breaks."""
    found = [*_out_of_range(puzzle, values), *_against_givens(puzzle, values)]
    if not found:
        for rule in puzzle.rules:
            look()
            found.extend(_broken(rule, values, puzzle))
    return tuple(found)


def stated_disputes(puzzle: Puzzle, grids: Iterable[Mapping[Place, int]]) -> Iterator[str]:
    """Yield why the stated solution, or a grid that keeps the rules, may be wrong.

    A stated solution that breaks a rule means that it, or the reading of the rules, is wrong. A
    grid that keeps the rules and is another one means that a rule is missing, or that there are
    several solutions.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from csp_sudoku import Cell, Puzzle
    >>> puzzle = replace(Puzzle.blank(2), stated=((Cell(0, 0), 1),))
    >>> list(stated_disputes(puzzle, [{Cell(0, 0): 2}]))
    ['the stated solution is another one: R1C1 is 1 there']
    """
    stated: dict[Place, int] = {place: v for place, v in puzzle.stated if puzzle.has(place)}
    if not stated:
        return
    if broken := violations(puzzle, stated):
        yield f"the stated solution breaks a rule: {broken[0]}"
        return
    for values in grids:
        for place, value in stated.items():
            if values.get(place, value) != value:
                yield f"the stated solution is another one: {place} is {value} there"
                return


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
    """Return a test of rows of values, one for each variable, by the rules of a puzzle.

    Givens are not part of it. Like :func:`verify` it asks the rules themselves. Only for houses and
    other regions without a repeat, which are most of the rules, it does not call ``holds``: to
    count the different values of each is quicker.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> check = rules_check(Puzzle.blank(2))
    >>> [check(bytes(row)) for row in ((1, 2, 2, 1), (1, 2, 1, 2), (0, 2, 2, 0))]
    [True, False, False]
    """
    variables = rules.variables
    fits_shape = _shape_test(rules.grids, rules.named)
    groups, others = split_rules(rules, rules.rules[len(rules.houses) :])
    regions = [(_picker(rules, group), len(group)) for group in groups]

    def check(numbers: Numbers) -> bool:
        if not fits_shape(numbers):
            return False
        for pick, size in regions:
            if len({*pick(numbers)}) != size:
                return False
        if others:
            values = dict(zip(variables, numbers, strict=True))
            for rule in others:
                look()
                if not rule.holds(values, rules):
                    return False
        return True

    return check


# Many puzzles have the same grids.
@kept(size=10_000)
def _shape_test(
    grids: tuple[Grid, ...], named: tuple[tuple[Var, tuple[int, ...]], ...]
) -> Callable[[Numbers], bool]:
    """Return a test of the domains and the houses of a puzzle."""
    shape = Puzzle(grids, named=named)
    houses = [house.cells for house in shape.houses]
    places_of: dict[tuple[int, ...], list[Place]] = {}
    for place in shape.variables:
        places_of.setdefault(shape.values_of(place), []).append(place)
    if len(places_of) == 1 and shape.has_small_values and len(shape.variables) < _BYTES:
        [values] = places_of
        if len(values) <= _BITS + 1 and {*map(len, houses)} == {len(values)}:
            return _latin_test(houses, values, shape.columns)
    regions = [(_picker(shape, house), len(house)) for house in houses]
    domains = [(_picker(shape, places), frozenset(domain)) for domain, places in places_of.items()]

    def test(numbers: Numbers) -> bool:
        return all(len({*pick(numbers)}) == size for pick, size in regions) and all(
            domain.issuperset(pick(numbers)) for pick, domain in domains
        )

    return test


_BITS, _BYTES = 8, 256


def _latin_test(
    houses: Sequence[Sequence[Place]], values: tuple[int, ...], columns: Mapping[Place, int]
) -> Callable[[Numbers], bool]:
    """Return a test of houses which all hold each of up to nine values once.

    The last value is 0, each other one a bit of its own. The exclusive or of a house has all bits
    exactly if each bit occurs an odd number of times. There are as many cells as values, so that
    is once, and leaves one cell for the last value. A byte is one house: all are computed at once.
    """
    allowed = bytes(values)
    bit_of = bytearray(_BYTES)
    for number, value in enumerate(values[:-1]):
        bit_of[value] = 1 << number
    # First the first cell of each house, then the second one …
    order = bytes([columns[cell] for cells in zip(*houses, strict=True) for cell in cells])
    layers = [slice(i, i + len(houses)) for i in range(0, len(order), len(houses))]
    wanted = int.from_bytes([(1 << len(values) - 1) - 1] * len(houses), "little")

    def test(numbers: Numbers) -> bool:
        row = numbers if isinstance(numbers, bytes) else held(numbers)
        if not isinstance(row, bytes) or len(row) != len(columns) or row.translate(None, allowed):
            return False
        bits = order.translate(row.translate(bit_of).ljust(_BYTES))
        found = 0
        for layer in layers:
            found ^= int.from_bytes(bits[layer], "little")
        return found == wanted

    return test


def _picker(rules: Puzzle, places: Sequence[Place]) -> Picker:
    """Return a function that picks the values of some places from a row."""
    columns = [rules.columns[place] for place in places]
    if len(columns) == len(rules.variables):
        return iter
    if len(columns) == 1:
        return itemgetter(slice(columns[0], columns[0] + 1))
    return itemgetter(*columns)


def split_rules(
    puzzle: Puzzle, rules: Iterable[Constraint]
) -> tuple[list[tuple[Place, ...]], list[Constraint]]:
    """Return the regions in which no value repeats, and all other rules."""
    from csp_sudoku.constraints.regions import AllDifferent, House

    groups, others = [], []
    for rule in rules:
        if type(rule) in (AllDifferent, House):
            groups.append(rule.scope(puzzle))
        else:
            others.append(rule)
    return groups, others


def full_row(puzzle: Puzzle, grid: object) -> Numbers | None:
    """The values of a full grid, if they are quick to read."""
    if isinstance(grid, str):
        return full_values(puzzle, grid)
    if isinstance(grid, Solution):
        return grid.numbers if [*grid] == [*puzzle.variables] else None
    if isinstance(grid, Mapping):
        values = [grid.get(place) for place in puzzle.variables]
        quick = len(grid) == len(values) and {*map(type, values)} == {int}
        return held(cast(list[int], values)) if quick else None
    return full_list(puzzle, grid)


def _states(puzzle: Puzzle, numbers: Numbers) -> bool:
    """Whether the solution that the source states, if it does, has these values."""
    columns = puzzle.columns
    return all(numbers[columns[place]] == value for place, value in puzzle.stated)


def grid_values(puzzle: Puzzle, solution: object) -> dict[Place, int]:
    """Return the filled places of a grid, in any form that :func:`verify` takes."""
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


def _broken(rule: Constraint, values: Mapping[Place, int], puzzle: Puzzle) -> Iterable[Violation]:
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
