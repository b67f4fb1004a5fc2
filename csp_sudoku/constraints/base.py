"""The contract of a constraint: its fields, its scope, its rule, its sentence, its lowering."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from csp_encodings.watch import look
from csp_sudoku import pictures
from csp_sudoku.cells import Cell, CellsLike, Place, Var
from csp_sudoku.constraints import unknowns
from csp_sudoku.constraints.aspects import DOTTED, LayerLook, Look, Placing
from csp_sudoku.constraints.fields import OneOf, Places, Reader, rule, some_places
from csp_sudoku.errors import ConstraintError, PuzzleError
from csp_sudoku.forms import Row
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.generating.easel import Easel
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


#: The most rows of values that a sentence lists.
MOST_LISTED = 20

# The longest label in an error about a field; a longer one shows a field that is wrong.
_LONGEST = 100

# `clashes` tries at most this many completions of a partly filled rule.
_COMPLETIONS = 5_000


class Constraint:
    """A rule of a puzzle. Subclasses declare their fields and define at least :meth:`holds`.

    ``holds`` is the rule itself. The checker and the brute-force backend trust nothing else. A
    class without its own :meth:`lower` is compiled from ``holds``, by enumerating its scope.

    The functions of :mod:`csp_sudoku.constraints.fields` declare fields.
    """

    #: The name in puzzle files and on the command line, such as ``killer-cage``.
    name: ClassVar[str]
    _found_readers: ClassVar[tuple[tuple[int, str, Reader], ...]]
    #: Other names that people use, such as ``thermo``; the command line accepts them, too.
    aliases: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        # A subclass is another rule: it inherits neither other names nor the words of its base.
        cls.aliases = cls.__dict__.get("aliases", ())
        cls.saying = cls.__dict__.get("saying", "")
        cls.phrases = cls.__dict__.get("phrases", ())
        cls.open_field = unknowns.open_field(cls)
        if cls.open_field:
            unknowns.open_up(cls)

    def __post_init__(self) -> None:
        look()  # a file may hold very many rules
        for number, name, read in self._readers():
            given = getattr(self, name)
            try:
                held = read(given, name)
            except ConstraintError as error:
                # The label is made from the first field.
                raise ConstraintError(f"{self._title if number else self.name}: {error}") from None
            if held is not given:
                object.__setattr__(self, name, held)
        self.validate()

    @classmethod
    def _readers(cls) -> tuple[tuple[int, str, Reader], ...]:
        """The fields that are converted: their numbers, names and readers; found once a class."""
        found: tuple[tuple[int, str, Reader], ...] | None = cls.__dict__.get("_found_readers")
        if found is None:
            fields: dict[str, Field[Any]] = getattr(cls, "__dataclass_fields__", {})
            found = tuple(
                (number, name, field.metadata["read"])
                for number, (name, field) in enumerate(fields.items())
                if field.metadata.get("read") is not None
            )
            cls._found_readers = found
        return found

    @property
    def _title(self) -> str:
        """The label of a rule whose fields are not all converted."""
        try:
            label = str(self.label)
        except Exception:  # it asks a field that is wrong, too
            return self.name
        return label if len(label) <= _LONGEST else self.name

    def _set(self, **fields: object) -> None:
        """Set the fields of a new rule, in a class that has a constructor of its own."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def validate(self) -> None:
        """Refuse fields that do not fit together; each of them is converted and checked."""

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The places that the rule is about, each once. They may depend on the puzzle."""
        raise ConstraintError(f"{type(self).__name__} must define scope()")

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        """Whether the rule is kept, given a value for every place of its scope."""
        raise ConstraintError(f"{type(self).__name__} must define holds()")

    def lower(self, ctx: Lowering) -> None:
        """Compile the rule to factors; by default the reference lowering, made from `holds`."""
        ctx.add_reference(self)

    #: Whether the factors depend on nothing but the grids and the fields: neither on other rules,
    #: nor on which values differ. Puzzles on the same grids then share them.
    of_grid: ClassVar[bool] = False

    def declares(self, puzzle: Puzzle) -> Iterable[tuple[Var, tuple[int, ...]]]:
        """The named variables and layers that the rule brings along, with their values."""
        return ()

    def layer_looks(self) -> Mapping[str, LayerLook]:
        """How layers that the rule is about are drawn, by their names."""
        return {}

    #: The field whose number a puzzle may leave open; "" if there is none.
    open_field: ClassVar[str] = ""

    @cached_property
    def unknown(self) -> Any:
        """What stands for a number that is not known: a place, or several numbers; else None."""
        held = getattr(self, self.open_field) if self.open_field else None
        return held if isinstance(held, Cell | Var | OneOf) else None

    def uses(self, puzzle: Puzzle) -> Iterable[tuple[Var, tuple[int, ...]]]:
        """The variables that stand for the number and that the puzzle lacks, with their values.

        The rule must leave such a variable no other value than these.
        """
        return unknowns.used_variables(self, puzzle) if self.open_field else ()

    def numbers(self, puzzle: Puzzle) -> Iterable[int]:
        """All numbers that the rule can have in a puzzle, ascending, if its number may be open."""
        return unknowns.usual_numbers(self, puzzle)

    def linked(self, place: Place, puzzle: Puzzle) -> tuple[Constraint, ...]:
        """Simpler rules that together mean this one, where the value of a place is its number.

        None where there are no such rules: then each number is a case of its own.
        """
        return ()

    def lower_one_of(self, ctx: Lowering, numbers: tuple[int, ...]) -> None:
        """Compile the rule with one of several numbers; by default each is a case of its own."""
        unknowns.lower_one_of(self, ctx, numbers)

    def expand(self, puzzle: Puzzle) -> tuple[Constraint, ...]:
        """The simpler rules that this one stands for; the rule itself if there are none.

        Brute force checks a rule when its last variable is set. Smaller rules are checked earlier.
        """
        return (self,)

    def check(self, puzzle: Puzzle) -> None:
        """Refuse a rule that does not fit the puzzle; the error says why."""
        try:
            scope = self.scope(puzzle)
        except PuzzleError as error:  # its cells depend on one that is not there
            raise ConstraintError(f"{self.label}: {error}") from None
        if (place := puzzle.lacks(scope)) is not None:
            raise ConstraintError(f"{self.label}: {puzzle.no_such_place(place)}")

    def objection(self, puzzle: Puzzle) -> str | None:
        """Why no grid can keep this rule, if that is easy to see; else None.

        Such a puzzle is well formed and has no solution. The person who typed it wants to know.
        """
        return None

    def describe(self, puzzle: Puzzle) -> str:
        """The rule as a sentence for people, with its cells and numbers."""
        return f"{self.label} holds"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        """Return the marks of the rule in a picture, all of them in :mod:`csp_sudoku.pictures`.

        A rule without marks is written under the picture, as it describes itself. So is a rule
        about named variables: its picture is not asked for, unless it `draws_layers`.
        """
        return ()

    #: Whether the picture is asked for where the rule is about cells of layers, too.
    draws_layers: ClassVar[bool] = False

    #: How the generator places clues of this kind; None if it does not.
    placing: ClassVar[Placing | None] = None

    @classmethod
    def propose(cls, easel: Easel) -> Constraint | None:
        """Draw one such clue by lot for the generator; None if the draw came to nothing.

        The generator keeps only clues that the solution obeys, so a proposal may be wrong.
        """
        shape = None if cls.placing is None else cls.placing.propose
        return None if shape is None else shape(cls, easel)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        """Draw random arguments for the fuzzer; by default from the types of the fields."""
        return maker.fields(cls)

    #: What of the values matters: which are equal, how far they are apart, or their numbers. The
    #: fuzzer gives the values other names where that changes nothing but the fields in `listed`.
    sees: ClassVar[Literal["equality", "distance", "numbers"]] = "numbers"
    #: The fields that list values.
    listed: ClassVar[tuple[str, ...]] = ()

    def complemented(self, total: int) -> Constraint | None:
        """Return the rule for values upside down: each value v becomes total - v.

        None if that is no rule of this kind. A rule that sees no numbers needs no such method.
        """
        return None

    @classmethod
    def reads(cls) -> tuple[type[Constraint], ...]:
        """Return the kinds of other rules whose presence changes what this rule means.

        A negative rule reads the dots: a dot exempts its two cells.
        """
        return ()

    def depends_on(self, other: Constraint) -> bool:
        """Whether the other rule, being in the puzzle, changes what this rule means."""
        return isinstance(other, self.reads())

    def loosened(self, clues: Iterable[Constraint]) -> Constraint:
        """Return what a solution must keep while clues of these kinds are still to be placed.

        By default the rule itself. A negative rule that reads them forgives a pair which one of
        the clues would exempt.
        """
        return self

    def combined(self) -> tuple[Constraint, ...]:
        """Return the rules that this one combines, as an ``or`` does; none by default."""
        return ()

    def recombined(self, parts: tuple[Constraint, ...]) -> Constraint:
        """Return this rule with others in place of those that it combines."""
        return self

    #: How a rules text says the rule of its drawing. Fields stand in braces; ``{colour}`` is the
    #: colour of the drawing, with a blank behind it, or nothing.
    saying: ClassVar[str] = ""

    @property
    def is_told(self) -> bool:
        """Whether :meth:`describe` says the whole rule."""
        return all(part.is_told for part in self.combined())

    #: How rules texts speak of the rule; see :mod:`csp_sudoku.understanding.phrases`.
    phrases: ClassVar[tuple[Phrase, ...]] = ()

    #: Sentences that say the rule, besides those of :mod:`csp_sudoku.understanding.wordings`.
    wordings: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """Make the rules that a sentence of a rules text says of figures of a drawing.

        By default one rule of the cells of each figure; of the whole grid if there are none. Raises
        ValueError where the figures or the numbers of the sentence do not fit the rule.
        """
        make: Any = cls
        return [make(figure.cells, **fields) for figure in figures] if figures else [make(**fields)]

    @property
    def label(self) -> str:
        """A short name with its place, for error messages and tables."""
        cell = getattr(self, "cell", None)
        return self.name if cell is None else f"{self.name} at {cell}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        """A few instances that fit a 4×4 grid, for the tests and the help."""
        return ()

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        """Groups of places that this rule makes pairwise different; other rules rely on them.

        The lowering must enforce these groups by itself, without :meth:`Lowering.distinct`.
        Otherwise two rules could each rely on the other.
        """
        return ()

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """Groups of filled places that already break the rule, whatever the open places get.

        By default: all filled places of the scope, if no completion of the open ones holds. A rule
        with too many completions is not examined and yields nothing.
        """
        scope = self.scope(puzzle)
        filled = {place: values[place] for place in scope if place in values}
        missing = [place for place in scope if place not in values]
        domains = [puzzle.values_of(place) for place in missing]
        if prod(map(len, domains)) > _COMPLETIONS:
            return
        if not any(
            self.holds(filled | dict(zip(missing, completion, strict=True)), puzzle)
            for completion in product(*domains)
        ):
            yield tuple(filled)

    def __and__(self, other: Constraint) -> Constraint:
        from csp_sudoku.constraints.logic import And

        return And((self, other))

    def __or__(self, other: Constraint) -> Constraint:
        from csp_sudoku.constraints.logic import Or

        return Or((self, other))

    def __invert__(self) -> Constraint:
        from csp_sudoku.constraints.logic import Not

        return Not(self)

    #: How formats of other programs write it: rows of :mod:`csp_sudoku.forms`.
    formats: ClassVar[tuple[Row, ...]] = ()

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        """The same rule in other words, for formats that cannot hold it as it is.

        These are rules that together say exactly this one; nothing where there are none. A subclass
        that changes the rule must change them, too.
        """
        return ()


@rule
class WholeGrid(Constraint):
    """A rule for all cells that is kept where nothing clashes. Define :meth:`clashes`."""

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return puzzle.cells

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return next(self.clashes(values, puzzle), None) is None


@rule
class Composed(Constraint):
    """A rule that says what its parts say together. Define :meth:`expand`."""

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return all(part.holds(values, puzzle) for part in self.expand(puzzle))

    def lower(self, ctx: Lowering) -> None:
        """Lower each part."""
        for part in self.expand(ctx.puzzle):
            part.lower(ctx)


@rule
class CellConstraint(Constraint):
    """A rule for a fixed list of cells. Define ``accepts(values)``, or else ``holds``.

    A rule without more fields takes its cells as one argument or as several.
    """

    cells: Places = some_places()

    def __init__(self, cells: CellsLike, *more: CellsLike) -> None:
        self._set(cells=(cells, *more) if more else cells)

    @property
    def is_closed(self) -> bool:
        """Whether the line ends where it begins: its first cell is named again at the end."""
        return len(self.cells) > 2 and self.cells[0] == self.cells[-1]

    @property
    def once_round(self) -> tuple[Place, ...]:
        """The cells in order, without the first cell that a closed line names again at its end."""
        return self.cells[:-1] if self.is_closed else self.cells

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The cells, each once."""
        return tuple(dict.fromkeys(self.cells))

    def accepts(self, values: tuple[int, ...]) -> bool:
        """Whether the values of the cells, in their order, keep the rule."""
        raise ConstraintError(f"{type(self).__name__} must define accepts()")

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        """Ask :meth:`accepts`."""
        return self.accepts(tuple(values[place] for place in self.cells))

    @property
    def label(self) -> str:
        return f"{self.name} at {self.cells[0]}"

    @property
    def listing(self) -> str:
        """The cells as people write them: ``R1C1 R1C2``."""
        return " ".join(map(str, self.cells))

    #: How a line through its cells is drawn; None if it has another picture, or none.
    look: ClassVar[Look | None] = None

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._line(puzzle)

    def _line(self, puzzle: Puzzle, note: str = "", *, loop: bool = False) -> list[Mark]:
        """Return the line in the look of the rule, with a note at its first cell."""
        if self.look is None:
            return []
        drawn = in_grid(self.cells)
        found: list[Mark] = [pictures.Line(drawn, *self.look[:-1], loop=loop)]
        if note:
            found.append(pictures.Note(drawn[0], note))
        if self.look.written:
            found.append(pictures.sentence(self, puzzle))
        return found

    def _described(self, puzzle: Puzzle) -> list[Mark]:
        """Return a dotted cage around the cells, and the sentence of the rule."""
        cage = pictures.Cage(in_grid(self.cells), "", "purple", DOTTED)
        return [cage, pictures.sentence(self, puzzle)]


def listed_rows(rows: Sequence[Sequence[int]], many: str) -> str:
    """Return rows of values as a sentence lists them, or how `many` there are."""
    if not 0 < len(rows) <= MOST_LISTED:
        return f"one of {len(rows)} {many}"
    return " or ".join(" ".join(map(str, row)) for row in rows)


def in_grid(places: Iterable[Place]) -> tuple[Cell, ...]:
    """Return the cells among some places, without the named variables."""
    return tuple([place for place in places if isinstance(place, Cell)])


def clashing_pairs(values: Assignment, places: Iterable[Place]) -> Iterator[tuple[Place, ...]]:
    """Groups of two or more filled places that hold the same value."""
    holders: dict[int, list[Place]] = {}
    for place in places:
        if place in values:
            holders.setdefault(values[place], []).append(place)
    return (tuple(group) for group in holders.values() if len(group) > 1)


def all_values(places: Iterable[Place], puzzle: Puzzle) -> list[int]:
    """All values that the places may hold, ascending."""
    return sorted({value for place in places for value in puzzle.values_of(place)})
