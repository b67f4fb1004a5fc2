"""The rows of all rules: found by key, and used to read and to write the entries of a format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from inspect import signature
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias

from csp_sudoku.cells import LayerCell, Var
from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.reading import Reading
from csp_sudoku.forms import Condition, Member, NotHeldError, Row
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle

#: The arguments that make a rule.
Fields: TypeAlias = dict[str, Any]


class Shape(Protocol):
    """How entries of one shape are read and written."""

    def read(self, row: Any, entry: Any, spelling: Any) -> Iterable[Fields]:
        """The fields of each rule that an entry stands for; an entry may say nothing."""
        ...

    def write(self, row: Any, rule: Any, spelling: Any) -> Iterable[Any]:
        """The entries that say a rule; :class:`NotHeldError` if the format cannot hold it."""
        ...


class Spelling:
    """How a format spells numbers and cells within one puzzle."""

    format: ClassVar[str]
    shapes: ClassVar[Mapping[str, Shape]]

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.grid = puzzle.grids[0]

    def shape_of(self, row: Row) -> Shape:
        """The shape of a row: one of this format, or one that the row brings."""
        return self.shapes[row.shape] if isinstance(row.shape, str) else row.shape

    def fits(self, row: Row, entry: Any) -> bool:
        """Whether an entry belongs to this row and not to another row of the same key."""
        raise NotImplementedError

    def check(self, row: Any, rule: Constraint) -> None:
        """Raise :class:`NotHeldError` if this row cannot be used for a rule."""

    def integer(self, value: Any) -> int | None:
        """Read a whole number; None if there is none."""
        raise NotImplementedError

    def integers(self, value: Any) -> list[int]:
        """Read a list of whole numbers."""
        raise NotImplementedError

    def number(self, number: int) -> Any:
        """Write a whole number."""
        return number

    def numbers(self, numbers: Iterable[int]) -> Any:
        """Write a list of whole numbers."""
        return list(numbers)


class Found(NamedTuple):
    """A row, and the class of rules that has it."""

    kind: type[Constraint]
    row: Any


def find_rows(form: str, key: str | int) -> list[Found]:
    """The rows of a format with this key; plug-ins are asked if no built-in rule has it."""
    return built_in_rows(form).get(key) or [
        Found(kind, row)
        for kind in registry.of_plug_ins()
        for row in rows_of(kind, form)
        if row.key == key
    ]


@cache
def built_in_rows(form: str) -> Mapping[str | int, list[Found]]:
    """All rows that built-in rules have for a format, by their keys."""
    found: dict[str | int, list[Found]] = {}
    for kind in registry.built_in().values():
        for row in rows_of(kind, form):
            found.setdefault(row.key, []).append(Found(kind, row))
    return found


def rows_of(kind: type[Constraint], form: str) -> list[Any]:
    """The rows of a class for a format. A subclass is another rule, so it inherits none."""
    return [row for row in vars(kind).get("formats", ()) if row.format == form]


# Reading


def read_entry(rows: Iterable[Found], entry: Any, spelling: Spelling) -> Iterator[Constraint]:
    """The rules that an entry stands for, by the first of these rows that fits it."""
    rows = list(rows)
    if len(rows) > 1:
        rows.sort(key=lambda found: -len(found.row.when))
    for kind, row in rows:
        if spelling.fits(row, entry):
            yield from _made(kind, row, entry, spelling)
            return
    [name, *_] = (name for _, row in rows for name in row.when)
    wanted = dict.fromkeys(str(row.when[name]) for _, row in rows if name in row.when)
    verb = "are" if name.endswith("s") else "is"
    raise FormatError(f"its {name} {verb} neither {' nor '.join(wanted)}")


def _made(kind: type[Constraint], row: Row, entry: Any, spelling: Spelling) -> Iterator[Constraint]:
    if row.needs is not None and (reason := row.needs(spelling.grid)):
        raise FormatError(reason)
    for fields in spelling.shape_of(row).read(row, entry, spelling):
        if row.make:
            yield from getattr(kind, row.make)(spelling.grid, **fields)
            continue
        try:
            made = kind(**fields, **row.fixed)
        except TypeError:
            for name in registry.needs(kind):
                if name not in fields and name not in row.fixed:
                    raise FormatError(f"its {name} is missing") from None
            raise
        yield made


def read_members(row: Row, entry: Mapping[str, Any], spelling: Spelling) -> Fields | None:
    """The fields that the members of an entry hold; None if the entry says nothing."""
    fields: Fields = {}
    for name, member in row.members.items():
        value = member.read(entry.get(name), spelling)
        if value is not None:
            fields[member.field] = value
        elif member.required:
            return None
    return fields


# Writing


class Written(NamedTuple):
    """An entry, and the row that it belongs to."""

    row: Any
    entry: Any


class Unwritten(NamedTuple):
    """A rule that a format cannot hold, and why; no reason if the format has no such rule."""

    rule: Constraint
    reason: str

    def sentence(self, puzzle: Puzzle) -> str:
        """The rule in words."""
        return f"{self.rule.label} ({self.rule.describe(puzzle)})"

    def complaint(self, puzzle: Puzzle) -> str:
        """The rule in words, and why it is not written."""
        return self.sentence(puzzle) + (f": {self.reason}" if self.reason else "")


def write_rules(spelling: Spelling) -> tuple[list[Written], list[Unwritten]]:
    """The entries for the rules of a puzzle, and the rules that the format cannot hold."""
    written: list[Written] = []
    missing: list[Unwritten] = []
    for rule in spelling.puzzle.constraints:
        try:
            written += write_rule(rule, spelling)
        except NotHeldError as reason:
            missing.append(Unwritten(rule, str(reason)))
    return written, missing


def write_rule(
    rule: Constraint, spelling: Spelling, tried: tuple[Constraint, ...] = ()
) -> list[Written]:
    """The entries that say a rule, in other words if the format has none for the rule itself."""
    reason = ""
    for row in rows_of(type(rule), spelling.format):
        if not row.read_only:
            try:
                return [Written(row, entry) for entry in _entries(row, rule, spelling)]
            except NotHeldError as error:
                reason = str(error)
    if rule in tried:
        raise NotHeldError(reason)
    others = list(rule.restated(spelling.puzzle))
    if not others:
        raise NotHeldError(reason)
    try:
        return [part for other in others for part in write_rule(other, spelling, (*tried, rule))]
    except NotHeldError as error:
        raise NotHeldError(reason or str(error)) from None


def only_grid(puzzle: Puzzle, form: str) -> Grid:
    """The grid of a puzzle, for a format that holds one grid and nothing beside it."""
    [grid, *others] = puzzle.grids
    if others:
        raise FormatError(f"{form} holds one grid, not several that overlap")
    if (grid.top, grid.left) != (0, 0):
        raise FormatError(f"{form} holds grids that begin at R1C1")
    if named := own_variables(puzzle):
        kind = "layers" if isinstance(named[0][0], LayerCell) else "named variables"
        raise FormatError(f"{form} has no {kind} such as {named[0][0]}")
    for place, _ in puzzle.candidates:
        if isinstance(place, Var):
            raise FormatError(f"{form} has no place for candidates of {place}")
    return grid


def own_variables(puzzle: Puzzle) -> list[tuple[Var, tuple[int, ...]]]:
    """The named variables of a puzzle and their values, without those that come with a rule."""
    declared = {variable for rule in puzzle.constraints for variable, _ in rule.declares(puzzle)}
    return [(variable, values) for variable, values in puzzle.named if variable not in declared]


def rules_text(
    reading: Reading, missing: Iterable[Unwritten], form: str, *, lenient: bool = False
) -> str:
    """The rules text of a document, with the rules that the document cannot hold.

    Without `lenient` such rules are an error, and so is anything that the puzzle was read without.
    """
    puzzle = reading.puzzle
    if not lenient:
        complaints = [*puzzle.left_out, *(item.complaint(puzzle) for item in missing)]
        if complaints:
            raise FormatError(f"{form} cannot hold this: {'; '.join(complaints)}")
    told = [reading.rules, *puzzle.left_out, *(item.sentence(puzzle) for item in missing)]
    return "\n".join(filter(None, told))


def _entries(row: Row, rule: Constraint, spelling: Spelling) -> list[Any]:
    if row.needs is not None and (reason := row.needs(spelling.grid)):
        raise NotHeldError(f"there it {reason}")
    if row.requires is not None:
        what, test = row.requires
        if not test(rule, spelling.puzzle):
            raise NotHeldError(f"there it needs {what}")
    if rule.unknown is not None and not row.several:
        raise NotHeldError(f"there its {rule.open_field} must be one known number")
    for field, value in row.fixed.items():
        if _unordered(getattr(rule, field)) != _unordered(value):
            raise NotHeldError(f"there its {field} can only be {_listed(value)}")
    spelling.check(row, rule)
    return list(spelling.shape_of(row).write(row, rule, spelling))


def _unordered(value: object) -> object:
    return set(value) if isinstance(value, tuple) else value


def _listed(value: object) -> str:
    return " ".join(map(str, value)) or "empty" if isinstance(value, tuple) else str(value)


def write_members(row: Row, rule: Constraint, spelling: Spelling) -> dict[str, Any]:
    """The members of an entry that hold fields; a field that has its default is left out."""
    members: dict[str, Any] = {}
    for name, member in row.members.items():
        if not _may_omit(member, rule):
            value = member.write(rule, spelling)
            if value is not None:
                members[name] = value
    for name, wanted in row.when.items():
        value = wanted.write(spelling) if isinstance(wanted, Condition) else wanted
        if value is not None:
            members[name] = value
    return members


def _may_omit(member: Member, rule: Constraint) -> bool:
    if member.required or getattr(member, "absent", None) is not None:
        return False
    parameter = signature(type(rule)).parameters.get(member.field)
    return parameter is not None and getattr(rule, member.field) == parameter.default
