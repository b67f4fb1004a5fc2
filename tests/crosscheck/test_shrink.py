"""Deliberate faults in encoders: found, named, and shrunk to a puzzle that shows little else."""

from dataclasses import replace
from importlib import import_module

import networkx as nx
import pytest

import csp_sudoku as cs
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import domains, factors
from csp_sudoku.crosscheck.agreement import Answer, Disagreement, Ending, Outcome, Role, Way
from csp_sudoku.crosscheck.shrink import smallest, writable

# Rules that are lowered to every kind of factor, and a dozen of solutions.
PUZZLE = cs.Puzzle.blank(4).add(
    cs.Sum("R2C2 R3C2 R4C2", 9),
    cs.Thermometer("R1C3 R1C4"),
    cs.NotEqual("R1C1 R4C4"),
    cs.AllDifferent("R1C1 R2C2 R3C3"),
    cs.where("R4C1 R4C2 R4C3", lambda a, b, c: a + b > c),
)


def each(kind, change):
    """A fault in what is made of every factor of a kind."""

    def damaged(graph):
        copy = graph.copy()
        for node, factor in factors(graph).items():
            if isinstance(factor, kind):
                copy.nodes[node]["factor"] = change(factor)
        return nx.freeze(copy)

    return damaged


def without_a_pair(relation):
    return replace(relation, allowed=frozenset(sorted(relation.allowed)[:-1]))


def with_all_pairs(relation):
    values = range(1, 5)
    return replace(relation, allowed=frozenset((a, b) for a in values for b in values))


def one_too_low(linear):
    return replace(linear, high=None if linear.high is None else linear.high - 1)


def without_the_last_value(regular):
    *first, last = regular.automaton.alphabets
    return replace(regular, automaton=regular.automaton.restrict([*first, last[:-1]]))


def without_the_first_cell(different):
    return AllDifferent(different.scope[1:])


def first_domain_off_by_one(graph):
    copy = graph.copy()
    variable, domain = next(iter(domains(graph).items()))
    copy.nodes[variable]["domain"] = domain[:-1]
    return nx.freeze(copy)


FAULTS = {
    "sat": each(Relation, without_a_pair),
    "cpsat": each(Linear, one_too_low),
    "dlx": each(AllDifferent, without_the_first_cell),
    "lp": each(Relation, with_all_pairs),
    "sat:redundant=false": each(Regular, without_the_last_value),
    "dlx again": first_domain_off_by_one,
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_shrunk_and_written(name, monkeypatch, tmp_path):
    backend = name.partition(" ")[0]
    module = import_module(f"csp_sudoku.backends.{backend.partition(':')[0]}")
    encode = module.encode
    monkeypatch.setattr(
        module, "encode", lambda graph, **options: encode(FAULTS[name](graph), **options)
    )
    other = "cpsat" if backend == "dlx" else "dlx"
    found = cs.cross_check(PUZZLE, [other, backend], isolate=False, certify=False, limit=100)
    assert found.outcome is Outcome.DISAGREEMENT
    assert {d.name.partition(" ")[0].partition(":")[0] for d in found.disagreements} == {
        backend.partition(":")[0]
    }
    small = found.shrink()
    assert small.outcome is Outcome.DISAGREEMENT
    assert len(small.puzzle.constraints) <= 1
    assert len(small.puzzle.cells) <= 8
    assert len(small.puzzle.givens) <= len(small.puzzle.cells)
    again = small.save(tmp_path / "fault.json")
    assert again.outcome is Outcome.DISAGREEMENT
    assert len(cs.read(tmp_path / "fault.json").constraints) == len(small.puzzle.constraints)
    monkeypatch.undo()
    assert small.again(cs.read(tmp_path / "fault.json")).ok


@pytest.mark.parametrize(
    ("rule", "kept", "found"),
    [
        (cs.AllDifferent("R1C1 R2C2 R3C3 R4C4"), "R1C1 R3C3", cs.AllDifferent("R1C1 R3C3")),
        (cs.Thermometer("R1C1 R1C2 R2C2 R2C3"), "R2C2", cs.Thermometer("R2C2")),
        (cs.Arrow("R1C1", "R1C2 R2C2 R2C3"), "R2C3", cs.Arrow("R1C1", "R2C3")),
    ],
)
def test_a_rule_keeps_only_the_cells_that_show_the_fault(rule, kept, found):
    def shows(puzzle):
        return any({*cs.cells(kept)} <= {*r.scope(puzzle)} for r in puzzle.constraints)

    assert smallest(cs.Puzzle.blank(4).add(rule), shows).constraints == (found,)


@pytest.mark.parametrize("ending", [Ending.TIME, Ending.HANG, Ending.CRASH, Ending.COMPLETE])
def test_who_was_late_gets_all_of_its_time_again(ending):
    """Who crashed or is wrong shows it soon, and many smaller puzzles are tried."""
    given = []

    def again(puzzle, **settings):
        given.append(settings)
        return agreement

    answer = Answer("mine", "mine", Way.GRAPH, ending, role=Role.TESTED)
    one = cs.cross_check(PUZZLE, ["sat"], isolate=False, certify=False)
    wrong = (Disagreement("mine", "is wrong"),) if ending is Ending.COMPLETE else ()
    agreement = replace(one, answers=(answer,), disagreements=wrong, again=again)
    agreement.shrink()
    assert given
    is_late = ending in (Ending.TIME, Ending.HANG)
    assert all(("timeout" not in settings) == is_late for settings in given)


def test_an_agreement_cannot_be_shrunk():
    agreement = cs.cross_check(PUZZLE, ["sat"], isolate=False)
    assert agreement.shrink() is agreement


def test_without_time_nothing_is_shrunk():
    agreement = cs.cross_check(PUZZLE, ["sat", lambda puzzle: None], isolate=False)
    assert agreement.outcome is Outcome.DISAGREEMENT
    assert agreement.shrink(seconds=0) is agreement


def test_another_fault_on_the_way_does_not_hide_the_one_that_was_found():
    def shows(puzzle):
        if not puzzle.constraints:
            raise IndexError("a fault in a lowering")
        return True

    found = smallest(cs.Puzzle.blank(4).add(cs.AntiKnight()), shows)
    assert found.constraints == (cs.AntiKnight(),)


def test_a_function_that_is_wrong_is_shrunk_to_nothing_much():
    agreement = cs.cross_check(PUZZLE, ["sat", lambda puzzle: None], isolate=False, certify=False)
    small = agreement.shrink().puzzle
    assert (len(small.cells), len(small.grids[0].values), small.constraints) == (1, 1, ())


def test_a_rule_of_ones_own_is_written_as_a_table(tmp_path):
    def knows_no_custom_rules(puzzle):
        return [] if puzzle.constraints else cs.solve(puzzle).solutions[0]

    few = cs.where("R4C1 R4C2 R4C3", lambda a, b, c: a + b < c)
    own = cs.read("21..3.2....2....").add(few)
    agreement = cs.cross_check(own, ["sat", knows_no_custom_rules], isolate=False)
    again = agreement.save(tmp_path / "own.json")
    assert again.outcome is Outcome.DISAGREEMENT
    [table] = again.puzzle.constraints
    assert isinstance(table, cs.Table)
    assert set(table.rows) == {(1, 1, 3), (1, 1, 4), (1, 2, 4), (2, 1, 4)}


def test_a_dot_beside_a_rule_of_ones_own_stays_a_dot():
    dot, other = cs.Difference("R1C2 R1C3", 3), cs.Difference("R3C2 R3C3", 3)
    own = cs.where("R1C2 R3C2", lambda a, b: a > b)
    puzzle = cs.Puzzle.blank(4).add(cs.NegativeKropki((3,), ()), dot & own, other)
    written = writable(puzzle)
    assert dot in written.constraints[1].parts
    assert set(cs.solutions(written)) == set(cs.solutions(puzzle)) != set()


def test_shrinking_leaves_out_a_dot_and_what_it_exempts():
    """Each smaller puzzle means what it says: without its dot, a pair is forbidden."""
    dots = [cs.Difference("R1C2 R1C3", 3), cs.Difference("R3C2 R3C3", 3)]
    puzzle = cs.Puzzle.blank(4).add(cs.NegativeKropki((3,), ()), *dots)

    def shows(smaller):
        return cs.count(smaller, "brute").value == 4

    small = smallest(puzzle, shows, seconds=20)
    assert shows(small)
    assert len(small.constraints) < 3


def test_a_rule_that_is_too_large_for_a_table_is_refused(tmp_path):
    large = cs.Puzzle.blank(9).add(
        cs.fold("R1C1-R1C9", 0, lambda s, v: (2 * s + v) % 5, lambda s: s > 1)
    )
    agreement = cs.cross_check(large, ["sat"], isolate=False, certify=False, limit=1)
    with pytest.raises(cs.FormatError, match="fold"):
        agreement.save(tmp_path / "large.json")
