"""Automata are shared between constraints that mean the same, and between no others."""

import pytest

import csp_sudoku as cs
from csp_encodings.automaton import Automaton, Budget
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Regular
from csp_encodings.graph import factors
from csp_sudoku.machines import fold_machine, frozen, kept_machine

NINE = cs.Puzzle.blank(9)


def automata(*rules: cs.Constraint) -> list[Automaton]:
    graph = NINE.add(*rules).rules_graph
    return [f.automaton for f in factors(graph).values() if isinstance(f, Regular)]


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        (cs.Sandwich("R1", 12), cs.Sandwich("C4", 12), cs.Sandwich("R1", 13)),
        (
            cs.KillerCage("R1C1-R1C3", 12),
            cs.KillerCage("R5C4-R5C6", 12),
            cs.KillerCage("R1C1-R1C3", 13),
        ),
        (cs.Renban("R1C1-R1C4"), cs.Renban("R5C1-R5C4"), cs.Renban("R1C1-R1C3")),
        (cs.Between("R1C1-R1C4"), cs.Between("R5C1-R5C4"), cs.Between("R1C1-R1C3")),
        (cs.Lockout("R1C1-R1C4"), cs.Lockout("R5C1-R5C4", 4), cs.Lockout("R1C1-R1C4", 5)),
        (cs.Lunchbox("R1C1-R1C4", 8), cs.Lunchbox("R5C1-R5C4", 8), cs.Lunchbox("R1C1-R1C4", 9)),
        (
            cs.RellikCage("R1C1-R1C3", 7),
            cs.RellikCage("R5C1-R5C3", 7),
            cs.RellikCage("R1C1 R1C2", 7),
        ),
        (
            cs.ProductLine("R1C1-R1C3", 6),
            cs.ProductLine("R5C4-R5C6", 6),
            cs.ProductLine("R1C1-R1C3", 8),
        ),
        (cs.XSum("R1", 12), cs.XSum("C4", 12), cs.XSum("R1", 13)),
        (cs.NumberedRoom("R1", 3), cs.NumberedRoom("C4", 3), cs.NumberedRoom("R1", 4)),
        (cs.HiddenSkyscraper("R1", 3), cs.HiddenSkyscraper("C4", 3), cs.HiddenSkyscraper("R1", 4)),
        (cs.BeforeGreatest("R1", 3), cs.BeforeGreatest("C4", 3), cs.BeforeGreatest("R1", 4)),
    ],
)
def test_clues_that_say_the_same_share_an_automaton(one, same, other):
    first, second, third = automata(one), automata(same), automata(other)
    assert first
    assert all(a is b for a, b in zip(first, second, strict=True))
    assert not set(map(id, first)) & set(map(id, third))


def test_functions_of_others_are_the_same_as_themselves_only():
    def rule(wanted):
        return cs.fold("R1C1-R1C3", 0, lambda s, v: s + v, lambda s: s == wanted)

    twelve, again, nine = rule(12), rule(12), rule(9)
    assert automata(twelve)[0] is automata(twelve)[0]
    assert automata(twelve)[0] is not automata(again)[0]
    assert automata(twelve)[0].count() != automata(nine)[0].count()


def test_what_cannot_be_told_apart_is_not_kept():
    def counting(state, value, seen={}):  # noqa: B006
        return state + value

    def machine(step):
        return fold_machine(((1, 2),) * 2, 0, step, lambda s: s == 3)

    assert machine(counting).count() == 2
    with pytest.raises(TypeError):
        frozen([{}, bytearray()])

    def early(state, value):
        return state + late

    early.__module__ = "csp_sudoku.constraints.lines"
    with pytest.raises(ValueError, match="empty"):
        frozen(early)
    late = 1
    assert frozen(early)


def test_a_budget_that_failed_fails_again_without_an_attempt():
    asked = []

    def build():
        asked.append(1)
        return Automaton.from_fold(
            [range(9)] * 5, (), lambda s, v: (*s, v), bool, budget=Budget(states=50)
        )

    for _ in range(3):
        with pytest.raises(BudgetError, match="the budget is 50 states"):
            kept_machine(build)
    assert len(asked) == 1
