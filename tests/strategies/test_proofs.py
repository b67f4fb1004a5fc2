"""Lemmas of a solver's proof: each follows by itself, and a wrong one is never used."""

import random
from itertools import count

import pytest

import csp_sudoku as cs
from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.network import network_of
from csp_sudoku.strategies.oracle import Oracle
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.probe import Lemma, Literal, Probe
from csp_sudoku.strategies.proofs import Prover, _Lemmas

SIX = cs.Puzzle.blank(6)
CASES = {
    "classic": cs.read(
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    ),
    "no boxes": cs.Puzzle.blank(5, box=None).with_givens({"R1C1": 1, "R2C3": 4, "R5C5": 2}),
    "sums": SIX.add(
        cs.KillerCage("R1C1 R1C2 R2C1", 12),
        cs.Arrow("R6C6", "R5C6 R5C5 R4C5"),
        cs.Sum("R3C1-R3C5", 19),
    ),
    "automata": SIX.add(cs.Renban("R6C2-R6C5"), cs.Sandwich("R2", 5), cs.AntiKnight()),
    "auxiliaries": SIX.add(cs.Thermometer("R1C1-R1C4") | cs.KillerCage("R2C1 R3C1", 9)),
}


def false_candidates(puzzle, position):
    """The candidates that no solution has, by another backend than the prover's."""
    network, found = position.network, []
    with cs.session(puzzle, "cpsat") as session:
        for place in members(position.open):
            for value in members(position.masks[place]):
                given = {network.places[place]: network.values[value]}
                if not session.solve(puzzle.with_givens(given)).solutions:
                    found.append((place, value))
    return found


@pytest.mark.parametrize("name", CASES)
def test_steps_remove_false_candidates_only(name):
    puzzle = CASES[name]
    if name != "classic":
        solution = cs.solve(puzzle, seed=2).solutions[0]
        some = random.Random(4).sample(sorted(puzzle.cells), len(puzzle.cells) // 4)
        puzzle = puzzle.with_givens({cell: solution[cell] for cell in some})
    position = Position.start(network_of(puzzle), dict(puzzle.candidates))
    false = false_candidates(puzzle, position)
    # Among candidates that are true: the solver must tell them apart.
    every = [(p, v) for p in members(position.open) for v in members(position.masks[p])]
    steps = Prover(puzzle).steps(position, every, 10.0, 1_000_000)
    network = position.network
    gone = {
        (network.number[place], network.code[value])
        for step in steps
        for place, value in step.eliminations
    }
    assert gone <= set(false)
    assert all({place for place, _ in step.eliminations} <= {*step.cells} for step in steps)
    assert bool(gone) == bool(false)


def test_a_lemma_that_does_not_follow_is_dropped():
    puzzle = cs.read("2134 3421 43.. 1...")
    position = Position.start(network_of(puzzle), dict(puzzle.candidates))
    solution = cs.solve(puzzle).solutions[0]
    network = position.network
    true = [(p, network.code[solution[network.places[p]]]) for p in members(position.open)]
    assert len(true) > 3
    # Each of these would refute a candidate of the solution.
    for wrong in ([true[0]], true[:2], true[2:4]):
        claims = [Literal(*candidate, right=False) for candidate in wrong]
        lemma = Lemma.of(claims, len(position.masks))
        for candidate in true:
            assert _Lemmas(position, [lemma], 1_000).refute(candidate, 1) is None


@pytest.mark.parametrize("rights", [(False, False), (True, False), (True, True)])
def test_a_lemma_concludes_its_last_open_claim_only(rights):
    position = Position.start(network_of(cs.Puzzle.blank(4)), {})
    # R1C1 = 1 and R3C4 = 2 have nothing to do with each other.
    places = [position.network.number[cs.cell(name)] for name in ("R1C1", "R3C4")]
    one, two = (Literal(p, v, right) for p, v, right in zip(places, (0, 1), rights, strict=True))
    lemmas = {0: Lemma.of([one, two], len(position.masks))}
    alone = Probe(position, lemmas=lemmas, first=1)
    alone.run()
    assert (tuple(alone.boards), alone.placed, alone.clash) == (position.boards, 0, None)
    for false, open_ in ((one, two), (two, one)):
        probe = Probe(position, lemmas=lemmas, first=1)
        probe.assume(false._replace(right=not false.right))
        probe.run()
        assert probe.clash is None
        holds = probe.boards[open_.value] >> open_.place & 1
        assert holds == open_.right
        assert probe.placed >> open_.place & 1 == open_.right
        # With both claims false there is a clash, and it names the lemma.
        probe = Probe(position, lemmas=lemmas, first=1)
        for each in (false, open_):
            probe.assume(each._replace(right=not each.right))
        probe.run()
        assert probe.clash.lemma == 0
    # A lemma that comes later is not used.
    later = Probe(position, lemmas=lemmas, first=0)
    later.assume(one._replace(right=not one.right))
    later.run()
    assert later.boards[two.value] >> two.place & 1
    assert not later.placed >> two.place & 1


def test_a_proof_too_long_to_be_told_says_so(monkeypatch):
    monkeypatch.setattr("csp_sudoku.strategies.oracle._NESTED_CANDIDATES", 0)
    monkeypatch.setattr("csp_sudoku.strategies.oracle._LOOKS", 1)
    puzzle = CASES["classic"]
    explanation = cs.explain(puzzle)
    assert explanation.solution == cs.solve(puzzle).solutions[0]
    untold = [step for step in explanation.steps if "too long to be told" in step.sentence]
    assert untold
    assert all(step.score == 12.0 and len(step.eliminations) > 1 for step in untold)
    assert all(len(step.summary) <= 300 for step in untold)


def test_hard_techniques_wait_while_there_are_many_candidates(monkeypatch):
    monkeypatch.setattr("csp_sudoku.strategies.rounds.MANY", 0)
    hard = {step.technique for step in cs.explain(CASES["classic"]).steps if step.score > 6.0}
    assert hard <= {"proof", "nested forcing"}
    position = Position.start(network_of(CASES["no boxes"]), dict(CASES["no boxes"].candidates))
    assert position.choices == sum(len(v) for v in position.candidates.values() if len(v) > 1)


def test_the_clock_does_not_choose_a_proof(monkeypatch):
    puzzle = CASES["sums"].with_givens({"R1C1": 1, "R3C3": 6})
    position = Position.start(network_of(puzzle), dict(puzzle.candidates))
    with Oracle(puzzle) as oracle:
        false = oracle.false_candidates(position)
        assert len(false) > 3
        told = oracle._core(position, false)
    clock = count(0, 1000.0)
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    with Oracle(puzzle) as oracle:
        assert oracle._core(position, false) == told
    # The work counts: with no questions left, the first candidate is told.
    monkeypatch.setattr("csp_sudoku.strategies.oracle._QUESTIONS", 0)
    with Oracle(puzzle) as oracle:
        first = oracle._core(position, false)
    masks = position.masks
    place, value = min(false, key=lambda c: (masks[c[0]].bit_count(), c))
    network = position.network
    assert first.eliminations == ((network.places[place], network.values[value]),)
    assert len(first.rules) + len(first.cells) >= len(told.rules) + len(told.cells)


def test_time_may_run_out_before_a_proof_is_begun(monkeypatch):
    def late(*_, **__):
        raise cs.UndecidedError("time ran out")

    monkeypatch.setattr("csp_sudoku.strategies.oracle.MANY", 0)
    monkeypatch.setattr("csp_sudoku.strategies.oracle._NESTED_CANDIDATES", 0)
    monkeypatch.setattr("csp_sudoku.strategies.oracle.Reasons", late)
    assert cs.explain(CASES["classic"]).ending is cs.strategies.Ending.OUT_OF_TIME
