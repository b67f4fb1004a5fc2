"""How a rule is written in the formats of other programs.

A rule lists rows in its ``formats``. A row names the key that a format has for the rule, the shape
of the entries under this key, and which member of an entry holds which field of the rule. The
readers and the writers of the formats interpret these rows, so each row works in both directions,
and a rule of a plug-in is read and written as a built-in one is.

Every rule needs this module, so it imports nothing heavy. The formats implement the shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from csp_sudoku.errors import FormatError

if TYPE_CHECKING:
    from csp_sudoku.formats.tables import Shape, Spelling
    from csp_sudoku.grid import Grid
    from csp_sudoku.puzzle import Puzzle

# The shapes of entries. Each format has those that it needs.
ShapeName: TypeAlias = Literal[
    "flag",  # nothing but the key
    "cells",  # cells, in order or not
    "lines",  # several lines in one entry, each a rule of its own
    "each",  # cells that carry the mark each on its own
    "pair",  # two cells that touch
    "corner",  # the four cells around a corner
    "groups",  # groups of cells
    "arrow",  # a circle and a shaft
    "pill",  # a pill of several cells and a shaft
    "line clue",  # a clue for a whole row or column
    "side clue",  # a clue that reads a row or a column from one side
    "diagonal clue",  # a clue for a diagonal
    "unmarked",  # a rule for the pairs without a mark
    "extreme",  # cells that exempt each other: all of them are read, or none
    # Shapes that one format has for one rule.
    "digital root",
    "region totals",
    "sequence",
    "windows",
    "box groups",
    "weighted sum",
    "sum line",
    "equal parts",
    "all equal",
    "connected",
    "chaos",
    "chaos arrow",
    "chaos count",
    "given",
    "table",
    "old table",
    "symmetric table",
    "old symmetric table",
    "pattern",
    "machine",
    "any",
]


class NotHeldError(Exception):
    """A format cannot hold a rule; the text says why. Only writers see it, not their callers."""


class Member:
    """What a member of an entry holds: one field of the rule.

    `required` says that an entry without this member says nothing at all.
    """

    def __init__(self, field: str, *, required: bool = False) -> None:
        self.field = field
        self.required = required

    def read(self, value: Any, spelling: Spelling) -> Any:
        """The value of the field; None if the entry does not say it."""
        raise NotImplementedError

    def write(self, rule: Any, spelling: Spelling) -> Any:
        """The value of the member; None if the entry need not say it."""
        raise NotImplementedError


class Number(Member):
    """A whole number.

    Parameters
    ----------
    field
        The field of the rule.
    none
        The number that stands for "no number" in this format.
    absent
        The number that an entry without one means. Default: the default of the rule.
    least
        The least number that the format allows.
    required
        Whether an entry without the number says nothing.
    """

    def __init__(
        self,
        field: str,
        *,
        none: int | None = None,
        absent: int | Callable[[Grid], int] | None = None,
        least: int | None = None,
        required: bool = False,
    ) -> None:
        super().__init__(field, required=required)
        self.none = none
        self.absent = absent
        self.least = least

    def read(self, value: Any, spelling: Spelling) -> int | None:
        number = spelling.integer(value)
        if number is None or number == self.none:
            return self.absent(spelling.grid) if callable(self.absent) else self.absent
        if self.least is not None and number < self.least:
            raise FormatError(f"the {self.field} cannot be {number}: {self.least} is the least")
        return number

    def write(self, rule: Any, spelling: Spelling) -> Any:
        number = getattr(rule, self.field)
        if number is None:
            return None
        if number == self.none:
            raise NotHeldError(f"there {number} means that no {self.field} is given")
        if self.least is not None and number < self.least:
            raise NotHeldError(f"there the {self.field} must be {self.least} or more")
        return spelling.number(number)


class Numbers(Member):
    """A list of whole numbers; with `inside` they must be values of the grid."""

    def __init__(self, field: str, *, required: bool = False, inside: bool = False) -> None:
        super().__init__(field, required=required)
        self.inside = inside

    def read(self, value: Any, spelling: Spelling) -> list[int] | None:
        return spelling.integers(value) or None

    def write(self, rule: Any, spelling: Spelling) -> Any:
        numbers = getattr(rule, self.field)
        foreign = [n for n in numbers if n not in spelling.grid.values]
        if self.inside and foreign:
            raise NotHeldError(f"there {foreign[0]} is not a value of the grid")
        return spelling.numbers(numbers)


class Text(Member):
    """A text."""

    def read(self, value: Any, spelling: Spelling) -> str:
        return str(value)

    def write(self, rule: Any, spelling: Spelling) -> str:
        return str(getattr(rule, self.field))


class Choice(Member):
    """One of a few words, each of which stands for a value of the field."""

    def __init__(self, field: str, values: Mapping[str, Any]) -> None:
        super().__init__(field, required=True)
        self.values = values

    def read(self, value: Any, spelling: Spelling) -> Any:
        if value is None or value is False or value in ("", [], {}):
            return None
        word = str(value).upper()
        if word not in self.values:
            raise FormatError(f"{word[:20]!a} is neither {' nor '.join(self.values)}")
        return self.values[word]

    def write(self, rule: Any, spelling: Spelling) -> str:
        held = getattr(rule, self.field)
        for word, value in self.values.items():
            if value == held:
                return word
        known = " or ".join(map(str, self.values.values()))
        raise NotHeldError(f"there the {self.field} can only be {known}")


class Condition:
    """What a member must be like in the entries of a rule that shares its key with others."""

    def matches(self, value: Any, spelling: Spelling) -> bool:
        """Whether an entry with this member belongs to the rule."""
        raise NotImplementedError

    def write(self, spelling: Spelling) -> Any:
        """The member of an entry of the rule; None if its shape writes it."""
        return None


class SingleCell(Condition):
    """The member lists one cell at most."""

    def matches(self, value: Any, spelling: Spelling) -> bool:
        return not isinstance(value, list) or len(value) < 2

    def __str__(self) -> str:
        return "a single cell"


class AsManyAsCells(Condition):
    """The arguments are a number and at most that many cells."""

    def matches(self, value: Any, spelling: Spelling) -> bool:
        number, *cells = value or [""]
        return (spelling.integer(number) or 0) >= max(2, len(cells))


class DigitGroups(Condition):
    """The member lists groups of digits: thirds of the values, or values of equal remainder.

    Each group is a number whose bits are the digits. No groups at all mean the thirds.
    """

    def __init__(self, modulus: int | None = None) -> None:
        self.modulus = modulus

    def __str__(self) -> str:
        return "thirds" if self.modulus is None else "residues"

    def matches(self, value: Any, spelling: Spelling) -> bool:
        masks = set(spelling.integers(value))
        return masks == set(self._masks(spelling)) or (not masks and self.modulus is None)

    def write(self, spelling: Spelling) -> list[int]:
        if not all(self._groups(spelling.grid)):
            raise NotHeldError("there it needs a value for each group")
        return self._masks(spelling)

    def _masks(self, spelling: Spelling) -> list[int]:
        if spelling.grid.values[0] < 0:
            raise NotHeldError("there digits are not negative")
        return [sum(1 << value for value in group) for group in self._groups(spelling.grid)]

    def _groups(self, grid: Grid) -> list[tuple[int, ...]]:
        values, modulus = grid.values, self.modulus
        if modulus is not None:
            return [tuple(v for v in values if v % modulus == r) for r in range(modulus)]
        # Where the values cannot be cut evenly, the outer thirds stay equal.
        outer = len(values) // 3 + (len(values) % 3 == 2)
        inner = len(values) - outer
        return [values[:outer], values[outer:inner], values[inner:]]


class Row:
    """One key of a format for a rule.

    Parameters
    ----------
    key
        The key, type or number that the format has for the rule.
    shape
        The shape of an entry: one of the words above, or an object of one's own with ``read`` and
        ``write``; see :class:`csp_sudoku.formats.tables.Shape`.
    fixed
        Fields that always have this value there: a rule with another one cannot be written.
    when
        Members that always have this value, or fulfil a condition. They tell the rules apart that
        share a key.
    needs
        Says why a grid cannot have the rule in this format, or None.
    requires
        What a rule must have to be written there, and a test for it, which is given the rule and
        its puzzle.
    least
        Fewer cells than this say nothing there.
    several
        Whether it holds rules with an open number; their shape says with which.
    read_only
        Whether the key is only read: an old or another word for what is written otherwise.
    make
        The class method that makes the rules for a grid, where they are not simply the class.
    members
        The member of an entry, and the field that it holds. Where members have no names, their
        order counts.
    """

    format: ClassVar[str]
    at: str = ""
    within: str = ""

    def __init__(
        self,
        key: str | int,
        shape: ShapeName | Shape,
        *,
        fixed: Mapping[str, object] | None = None,
        when: Mapping[str, object] | None = None,
        needs: Callable[[Grid], str | None] | None = None,
        requires: tuple[str, Callable[[Any, Puzzle], bool]] | None = None,
        least: int = 1,
        several: bool = False,
        read_only: bool = False,
        make: str = "",
        **members: str | Member,
    ) -> None:
        self.key = key
        self.shape = shape
        self.fixed = fixed or {}
        self.when = when or {}
        self.needs = needs
        self.requires = requires
        self.least = least
        self.several = several
        self.read_only = read_only
        self.make = make
        self.members = {
            name: Number(member) if isinstance(member, str) else member
            for name, member in members.items()
        }


class FPuzzles(Row):
    """A key of an f-puzzles document."""

    format = "f-puzzles"


class SudokuPad(Row):
    """A word for a rule of the whole grid in a SudokuPad document."""

    format = "SudokuPad"


class SudokuMaker(Row):
    """The number of a constraint in a SudokuMaker document.

    Parameters
    ----------
    at
        The member that holds the cells or the lines, if it has another name than the shape.
    within
        The member that lists the entries, if one constraint has several.
    """

    format = "SudokuMaker"

    def __init__(
        self, key: int, shape: ShapeName | Shape, *, at: str = "", within: str = "", **options: Any
    ) -> None:
        super().__init__(key, shape, **options)
        self.at = at
        self.within = within


class Iss(Row):
    """A type of Interactive Sudoku Solver strings.

    Parameters
    ----------
    inside
        Whether it may stand inside an Or; by default every type but a flag.
    houses
        Whether it needs a Sudoku grid, not a raw one; by default clues outside the grid.
    once
        Whether a cell that is named twice counts once, and so is written once.
    """

    format = "Interactive Sudoku Solver"

    def __init__(
        self,
        key: str,
        shape: ShapeName | Shape,
        *,
        inside: bool | None = None,
        houses: bool | None = None,
        once: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(key, shape, **options)
        self.outside = shape in ("line clue", "side clue", "diagonal clue")
        self.inside = shape != "flag" if inside is None else inside
        self.houses = self.outside if houses is None else houses
        self.once = once


def values_from_1(grid: Grid) -> str | None:
    """Refuse a grid whose values do not begin at 1."""
    return None if grid.values[0] == 1 else "needs values from 1 on"


def nine_values(grid: Grid) -> str | None:
    """Refuse a grid that does not have nine values."""
    return None if len(grid.values) == 9 else "needs nine values"


def values_1_to_9(grid: Grid) -> str | None:
    """Refuse a grid whose values are not 1 to 9."""
    return None if grid.values == tuple(range(1, 10)) else "needs the values 1 to 9"


def as_many_values_as_rows(grid: Grid) -> str | None:
    """Refuse a grid that has more or fewer values than rows."""
    return None if len(grid.values) == grid.rows else "needs as many values as rows"
