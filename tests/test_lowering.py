"""Every constraint's own lowering and its reference lowering, compared with `holds`.

Without houses, which hide faults: ``test_conformance.py`` has every example within houses.
"""

from dataclasses import dataclass
from itertools import product

import pytest

import csp_sudoku as cs
from csp_encodings.store import STORE
from csp_sudoku.constraints import registry
from csp_sudoku.lowering import lower
from csp_sudoku.testing import assert_lowering

CLASSES = [kind for _, kind in sorted(registry.built_in().items())]
EXAMPLES = [example for c in CLASSES for example in c.examples()]
# These speak of boxes; the others are also tested where no house hides a fault.
BOXED = ("box-indexing", "disjoint-groups", "same-value-houses", "windoku")
# These bring variables of their own: too many for an exhaustive test, so on smaller grids.
DECLARING = [example for example in EXAMPLES if any(example.declares(cs.Puzzle.blank(4)))]
FREE = [e for e in EXAMPLES if e.name not in BOXED and e not in DECLARING]
SMALL = [example for example in FREE if len(example.scope(cs.Puzzle.blank(4))) < 8]
WIDE = [example for example in FREE if example not in SMALL]


def examples(among: list[cs.Constraint]) -> pytest.MarkDecorator:
    """A test for each class, with its examples."""
    groups: dict[str, list[cs.Constraint]] = {}
    for example in among:
        groups.setdefault(example.name, []).append(example)
    return pytest.mark.parametrize("examples", groups.values(), ids=groups)


def bare(side: int, values=None) -> cs.Puzzle:
    return cs.Puzzle.blank(side, box=None, values=values, row_houses=False, column_houses=False)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.name)
def test_a_constraint_class_has_a_name_a_sentence_and_examples(cls):
    assert cls.examples(), f"{cls.__name__} has no examples: nothing would test it"
    for example in cls.examples():
        assert example.describe(cs.Puzzle.blank(4))
        assert hash(example) == hash(example)


def test_equal_rules_share_their_automata_and_tables():
    """Else the store fills with copies, and every puzzle builds them anew."""
    puzzles = [cs.Puzzle.blank(4).add(e) for c in CLASSES for e in c.examples()]
    again = [cs.Puzzle.blank(4).add(e) for c in CLASSES for e in c.examples()]
    for puzzle in puzzles:
        lower(puzzle)
    size = len(STORE)
    for puzzle, other in zip(puzzles, again, strict=True):
        if other != puzzle:  # it has functions of a user
            continue
        lower(other)
        assert len(STORE) == size, f"{puzzle.constraints}: built anew"


def test_rules_of_the_grid_alone_are_lowered_as_such():
    chosen = [e for e in EXAMPLES if e.of_grid]
    others = [cs.KillerCage("R1C1 R1C2", 5), cs.Difference("R2C1 R2C2"), cs.Renban("R3C3 R4C3")]
    assert chosen
    for example in chosen:
        assert not example.reads()
        factors = [
            {
                data["factor"]
                for _, data in lower(cs.Puzzle.blank(4).add(*rules)).nodes(data=True)
                if data.get("source") == example
            }
            for rules in ([example], [*others, example], [example, *others, example])
        ]
        assert factors[0]
        assert factors[0] == factors[1] == factors[2]


@examples(SMALL)
def test_exhaustively_without_houses(examples):
    for example, values in product(examples, [(1, 2, 3, 4), (0, 1, 2, 3), (-2, -1, 0, 5)]):
        assert assert_lowering(example, bare(4, values)) > 0
        assert assert_lowering(example, bare(4, values), reference=True) > 0


@examples(WIDE)
def test_grid_wide_rules_on_every_tiny_grid(examples):
    for example in examples:
        assert assert_lowering(example, bare(3, (1, 2, 3))) >= 3**3
        assert assert_lowering(example, bare(3, (1, 2)), reference=True) >= 2**3


@examples(DECLARING)
def test_rules_with_variables_of_their_own_on_tiny_grids(examples):
    for example in examples:
        for puzzle in (bare(2), cs.Puzzle.blank(2), cs.Puzzle.blank(3)):
            assert assert_lowering(example, puzzle) > 0
        assert assert_lowering(example, bare(2), reference=True) > 0


@examples(FREE)
def test_samples_at_real_size(examples):
    for example in examples:
        assert assert_lowering(example, bare(9), limit=2_000) > 0


def test_rules_on_boxes_refuse_a_grid_without():
    for example in [e for e in EXAMPLES if e.name in BOXED]:
        with pytest.raises(cs.ConstraintError, match="boxes"):
            bare(4).add(example)


def test_the_reference_of_a_wide_rule_is_refused_by_name():
    with pytest.raises(cs.BudgetError, match="anti-knight: a predicate over 81 positions"):
        assert_lowering(cs.AntiKnight(), bare(9), reference=True)


# A check that cannot fail is none: lowerings that are wrong on purpose must be caught.


@dataclass(frozen=True, init=False)
class TooStrong(cs.CellConstraint):
    name = "too-strong"

    def accepts(self, values):
        return values[0] <= values[1]

    def lower(self, ctx):
        ctx.add_relation(*self.cells, int.__lt__)


@dataclass(frozen=True, init=False)
class TooWeak(TooStrong):
    name = "too-weak"

    def lower(self, ctx):
        ctx.add_relation(*self.cells, lambda a, b: a <= b + 1)


@dataclass(frozen=True, init=False)
class TwiceOver(TooStrong):
    name = "twice-over"

    def lower(self, ctx):
        ctx.add_relation(*self.cells, int.__le__)
        # A variable that nothing determines multiplies every solution.
        ctx._builder.variable("free", (0, 1))


@pytest.mark.parametrize(
    ("cls", "fault"), [(TooStrong, "too strong"), (TooWeak, "too weak"), (TwiceOver, "twice")]
)
def test_a_wrong_lowering_is_caught(cls, fault):
    with pytest.raises(AssertionError, match=fault):
        assert_lowering(cls("R1C1 R2C3"), bare(4))


@pytest.mark.parametrize(("cls", "fault"), [(TooStrong, "too strong"), (TooWeak, "too weak")])
def test_a_wrong_lowering_is_caught_by_samples(cls, fault):
    with pytest.raises(AssertionError, match=fault):
        assert_lowering(cls("R1C1 R2C3"), bare(9), limit=80)
