"""Certificates of encodings: the clauses of a rule are the rule, or the certificate says so."""

import random
from dataclasses import replace
from itertools import product
from operator import le

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_encodings.automaton import Automaton
from csp_encodings.cnf import encode
from csp_encodings.factors import Regular, Relation
from csp_encodings.graph import graph_of
from csp_sudoku.crosscheck import encodings
from csp_sudoku.crosscheck.diagrams import diagram, telling_tuples
from csp_sudoku.crosscheck.encodings import certify_rules
from csp_sudoku.tracing import trace_encoding

FOUR = cs.Puzzle.blank(4)
RULES = [
    cs.KillerCage("R1C1 R1C2 R2C1", 7),
    cs.Thermometer("R1C1 R1C2 R2C3"),
    cs.Arrow("R1C1", "R1C2 R2C3"),
    cs.Renban("R1C1 R1C2 R2C3"),
    cs.Thermometer("R1C1 R2C2") | ~cs.Sum("R1C1 R3C3", 5),
    cs.where("R1C1 R2C3 R4C4", lambda a, b, c: a * b > c),
    cs.Sandwich("R1", 3),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rules_are_certified_on_every_tuple(rule):
    found = certify_rules(FOUR.add(rule))
    assert found.certified
    assert {each.method for each in found.rules} == {"every tuple"}
    assert str(found).startswith("certified from the rules: 13 rules, ")
    last = found.rules[-1]
    assert 0 < last.accepted < last.tuples


class TooStrong(cs.CellConstraint):
    """Its lowering leaves out a tuple that the rule accepts."""

    name = "too-strong"

    def accepts(self, values):
        return sum(values) % 2 == 0

    def lower(self, ctx):
        from csp_encodings.automaton import Automaton

        scope = self.scope(ctx.puzzle)
        rows = [(1, 3), (3, 1), (2, 4), (4, 2), (1, 1), (2, 2), (3, 3)]
        ctx.add(Regular(scope, Automaton.from_table(ctx.domains(scope), rows)))

    def describe(self, puzzle):
        return "even"


class TooWeak(TooStrong):
    """Its lowering says nothing."""

    name = "too-weak"

    def lower(self, ctx):
        pass


def test_a_lowering_that_says_something_else_is_found_with_the_tuple():
    strong = certify_rules(FOUR.add(cs.Thermometer("R1C1 R1C2"), TooStrong("R1C1 R2C3")))
    assert [each.rule.name for each in strong.wrong] == ["too-strong"]
    assert list(strong.wrong[0].wrong.values()) == [4, 4]
    assert str(strong) == "the clauses say something else than the rules: too-strong at R1C1"
    weak = certify_rules(FOUR.add(TooWeak("R1C1 R2C3")))
    assert sum(weak.wrong[0].wrong.values()) % 2 == 1
    assert not weak.certified


def test_what_is_too_large_is_sampled_and_named(monkeypatch):
    monkeypatch.setattr("csp_sudoku.crosscheck.diagrams._STEPS", 100)
    line = cs.Thermometer("R1C1 R2C2 R3C3 R4C4 R5C5 R6C6")
    found = certify_rules(cs.Puzzle.blank(9).add(line, cs.KillerCage("R1C1-R1C4", 20)))
    assert not found.certified
    assert [each.rule for each in found.sampled] == [line]
    assert 0 < found.sampled[0].accepted < found.sampled[0].tuples  # from both sides
    assert {each.method for each in found.rules[:27]} == {"by pairs"}
    assert found.rules[-1].tuples == 9 * 8 * 7 * 6
    assert str(found).endswith(f"only sampled: {line.label}")


def test_rules_that_differ_in_their_places_alone_are_compared_once(monkeypatch):
    asked = []
    original = encodings._certify
    monkeypatch.setattr(
        encodings, "_certify", lambda *given: asked.append(given[1].rule) or original(*given)
    )
    cages = [cs.KillerCage(f"R{r}C1 R{r}C2", 5) for r in (1, 2, 3, 4)]
    assert certify_rules(FOUR.add(*cages, cs.KillerCage("R1C3 R1C4", 6))).certified
    assert [rule.name for rule in asked].count("killer-cage") == 2


def test_houses_by_pairs_notice_a_missing_clause(monkeypatch):
    from csp_encodings import cnf

    original = cnf._Encoder.add_all_different

    def without_the_last(self, scope):
        original(self, scope)
        self.clauses._clauses.pop(-20)

    monkeypatch.setattr(cnf._Encoder, "add_all_different", without_the_last)
    found = certify_rules(cs.Puzzle.blank(9))
    assert not found.certified


class Announces(TooStrong):
    """It announces a difference that its clauses do not say; the rule itself does."""

    name = "announces"

    def accepts(self, values):
        return values[0] != values[1]

    def lower(self, ctx):
        pass

    def different(self, puzzle):
        return [self.cells]


def test_two_rules_cannot_rely_on_each_other():
    """Each would leave the same difference to the other, and nobody would say it."""
    found = certify_rules(FOUR.add(Announces("R1C1 R2C3"), Announces("R2C3 R1C1")))
    assert [each.rule.name for each in found.wrong] == ["announces", "announces"]
    # In a row it may be left to the row, which is compared on every tuple.
    row = certify_rules(FOUR.add(Announces("R1C1 R1C2"), Announces("R1C2 R1C1")))
    assert row.certified
    assert row.rules[0].tuples == 4**4


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_other_ways_agree_with_every_tuple(rule):
    """With fewer tuples allowed, no rule is called wrong."""
    found = certify_rules(FOUR.add(rule), tuples=10)
    assert not found.wrong
    assert found.rules[-1].method in ("by diagram", "sampled")


NINE = cs.Puzzle.blank(9)
LINE = "R1C1 R2C2 R3C3 R4C4 R5C5 R6C6 R7C7"


@pytest.mark.parametrize(
    ("rule", "method"),
    [
        (cs.Thermometer(LINE), "by diagram"),
        (cs.Whisper(LINE), "by diagram"),
        (cs.AntiKnight(), "by pairs"),
        (cs.Nonconsecutive(), "by pairs"),
    ],
    ids=str,
)
def test_large_rules_are_certified(rule, method):
    found = certify_rules(NINE.add(rule), tuples=20_000)
    assert found.certified
    assert found.rules[-1].method == method
    assert found.to_dict()["rules"][-1]["method"] == method


class LongTooStrong(cs.CellConstraint):
    """Its lowering leaves out one of very many tuples."""

    name = "long-too-strong"

    def accepts(self, values):
        return list(values) == sorted(values)

    def lower(self, ctx):
        from csp_encodings.automaton import Automaton

        scope = self.scope(ctx.puzzle)
        ctx.add(Regular(scope, Automaton.from_fold(
            ctx.domains(scope), 0,
            lambda last, value: value if last <= value and (last, value) != (4, 7) else None,
            lambda last: True,
        )))  # fmt: skip

    def describe(self, puzzle):
        return "never falling"


def test_a_large_lowering_that_is_too_strong_is_found():
    rule = LongTooStrong(LINE)
    found = certify_rules(cs.Puzzle.blank(9, box=None).add(rule), tuples=100_000)
    [wrong] = found.wrong
    assert list(wrong.wrong.values()) == sorted(wrong.wrong.values())
    # Here boxes forbid the tuples that would show it: so it is not called certified.
    assert not certify_rules(NINE.add(rule), tuples=100_000).certified
    # Only some of the tuples that tell automata apart certify nothing.
    assert not certify_rules(NINE.add(cs.Thermometer(LINE)), tuples=100).certified


def test_a_missing_clause_of_a_pair_is_noticed(monkeypatch):
    from csp_encodings import cnf

    original = cnf._Encoder.add_relation

    def without_the_last(self, factor):
        original(self, factor)
        if str(factor.scope[0]) == "R5C5":
            self.clauses._clauses.pop()

    monkeypatch.setattr(cnf._Encoder, "add_relation", without_the_last)
    assert not certify_rules(NINE.add(cs.Nonconsecutive())).certified


# Whoever certifies less is never more certain

SMALL = cs.Puzzle.blank(2, 3, values=range(1, 4), box=None)
OVER_SMALL = [
    cs.AntiKnight(),
    cs.Nonconsecutive(),
    cs.Thermometer("R1C1 R1C2 R2C3"),
    cs.Sum("R1C1 R1C2 R2C2 R2C3", 8),
    cs.Whisper("R1C1 R2C1 R2C2 R1C2", 1),
    cs.KillerCage("R1C1 R1C2 R2C3", 6),
    cs.Arrow("R1C1", "R1C2 R2C3"),
    cs.Thermometer("R1C1 R2C2") | ~cs.Sum("R1C1 R2C3", 4),
    cs.Renban("R1C1 R2C2 R1C3 R2C3"),
    cs.where("R1C1 R2C2 R1C3", lambda a, b, c: a * b > c),
]


def damaged(trace, rng):
    """The trace with a fault in one clause of a rule."""
    clauses = [tuple(clause) for clause in trace.cnf.clauses]
    first = min(f.clauses.start for rule in trace.rules for f in rule.factors if f.clauses)
    i = rng.randrange(first - 1, len(clauses))
    clause = list(clauses[i]) or [1]
    j = rng.randrange(len(clause))
    clauses[i] = rng.choice(
        [
            clauses[0],  # as if it were missing
            tuple(clause[:j] + clause[j + 1 :]),
            (*clause[:j], -clause[j], *clause[j + 1 :]),
            (*clause, rng.choice([-1, 1]) * rng.randint(1, 18)),
        ]
    )
    return replace(trace, cnf=replace(trace.cnf, clauses=clauses))


@pytest.mark.parametrize("rule", OVER_SMALL, ids=lambda rule: rule.name)
def test_a_fault_is_never_certified(rule, monkeypatch):
    """Each method, forced by the number of tuples, says what all tuples say, or nothing."""
    seen = set()
    for seed in range(10):
        trace = trace_encoding(SMALL.add(rule))
        if seed:
            trace = damaged(trace, random.Random(f"{rule.name} {seed}"))
        monkeypatch.setattr(encodings, "trace_encoding", lambda _, trace=trace: trace)
        exact = certify_rules(trace.puzzle, tuples=1000).rules
        for most in (1, 26, 80):
            for found, true in zip(
                certify_rules(trace.puzzle, tuples=most).rules, exact, strict=True
            ):
                assert true.method == "every tuple"
                if found.wrong:
                    assert true.wrong
                elif found.method != "sampled":
                    assert not true.wrong, (seed, most, found)
                seen.add((found.method, bool(true.wrong)))
    assert {("every tuple", True), ("every tuple", False)} < seen


@pytest.mark.parametrize(
    ("rule", "number"),
    [
        (cs.Sum("R1C1 R2C3 R3C2", 8), 4**3),
        (cs.KillerCage("R1C1 R1C2 R1C3", 6), 4 * 3 * 2),
        (cs.Sum("R1C1-R1C4 R2C1", 12), 4**5),
        (cs.KillerCage("R1C1 R1C2 R2C3", 7), 4**3),
    ],
    ids=str,
)
def test_a_rule_is_compared_on_every_tuple_exactly_if_these_are_few_enough(rule, number):
    """Tuples that break a difference count as long as not all cells differ."""
    for most in (number, number - 1):
        found = certify_rules(FOUR.add(rule), tuples=most).rules[-1]
        assert (found.method == "every tuple") is (most == number)


def test_a_diagram_certifies_with_all_of_its_tuples_and_cells_or_not_at_all(monkeypatch):
    line = cs.Thermometer("R1C1 R1C2 R1C3 R2C3 R2C2")
    free = cs.Puzzle.blank(2, 3, values=range(1, 7), box=None, row_houses=False,
                           column_houses=False).add(line)  # fmt: skip
    whole = certify_rules(free, tuples=1000).rules[-1]
    assert whole.method == "by diagram"
    for fewer in (0, 1):
        [found] = certify_rules(free, tuples=whole.tuples - fewer).rules
        assert (found.method == "sampled") is bool(fewer)
        monkeypatch.setattr(encodings, "_LONGEST", 5 - fewer)
        [found] = certify_rules(free, tuples=1000).rules
        assert (found.method == "sampled") is bool(fewer)
        monkeypatch.undo()


class AcceptsNothing(LongTooStrong):
    """Its lowering has no states that could be told apart."""

    name = "accepts-nothing"

    def lower(self, ctx):
        scope = self.scope(ctx.puzzle)
        ctx.add(Regular(scope, Automaton.nothing(ctx.domains(scope))))


class SaysMore(cs.AntiKnight):
    """A rule for pairs whose clauses speak of another pair, too."""

    name = "says-more"

    def lower(self, ctx):
        super().lower(ctx)
        allowed = frozenset(product(range(1, 10), repeat=2)) - {(1, 1)}
        ctx.add(Relation(*cs.Puzzle.blank(9).cells[::80], allowed))


class AsksMore(cs.AntiKnight):
    """A rule for pairs that is about something else as well, of which its clauses say nothing."""

    name = "asks-more"

    def holds(self, values, puzzle):
        return super().holds(values, puzzle) and values[puzzle.cells[0]] > 1


@pytest.mark.parametrize("rule", [AcceptsNothing(LINE), SaysMore(), AsksMore()], ids=str)
def test_what_a_method_cannot_see_it_does_not_certify(rule):
    puzzle = cs.Puzzle.blank(9, box=None).add(rule)
    assert not certify_rules(puzzle, tuples=20_000).certified


# Diagrams


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_the_diagram_of_clauses_is_the_automaton(seed):
    rng = random.Random(seed)
    alphabets = [tuple(range(1, rng.randint(2, 4))) for _ in range(rng.randint(1, 4))]
    rows = [row for row in product(*alphabets) if rng.random() < 0.5]
    machine = Automaton.from_table(alphabets, rows)
    graph = graph_of({str(i): a for i, a in enumerate(alphabets)},
                     Regular(tuple(map(str, range(len(alphabets)))), machine))  # fmt: skip
    formula = encode(graph)
    literals = [{v: formula.literals[str(i), v] for v in a} for i, a in enumerate(alphabets)]
    assert diagram(formula.clauses, literals) == machine
    other = {*rows} ^ {rng.choice([*product(*alphabets)])}
    changed = Automaton.from_table(alphabets, other)
    # The tuples that tell automata apart tell these apart, if the other has no more states.
    if all(map(le, changed.widths, machine.widths)):
        assert any(changed.accepts(w) != machine.accepts(w) for w in telling_tuples(machine))
