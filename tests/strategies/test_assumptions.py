"""Assumptions side by side say the same as one probe for each of them, layer by layer."""

import pytest

import csp_sudoku as cs
from csp_sudoku.strategies.assumptions import Assumptions
from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.nets import (
    chain_refutation,
    locked_refutation,
    refuted_by_chains,
    refuted_by_several,
)
from csp_sudoku.strategies.network import network_of
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.probe import Probe

CLASSIC = "..............1..2.34....5........6......534.2.7..........4......536....8.......1"
SIX = cs.Puzzle.blank(6).with_givens({"R1C1": 2, "R3C4": 5, "R6C5": 1})
CASES = {
    "classic": cs.read(CLASSIC),
    "no boxes": cs.Puzzle.blank(5, box=None).with_givens({"R1C1": 1, "R2C3": 4, "R5C5": 2}),
    "wide": cs.Puzzle((cs.Grid(3, 5, (1, 2, 3, 4, 5)),)).with_givens({"R1C1": 1}),
    "sums": SIX.add(cs.KillerCage("R1C2 R1C3 R2C2", 8), cs.Arrow("R6C6", "R5C6 R5C5 R4C5")),
    "pairs": SIX.add(cs.Difference("R1C2 R1C3", 1), cs.Ratio("R3C3 R4C3", 2), cs.AntiKnight()),
    "automata": SIX.add(cs.Renban("R6C2-R6C4"), cs.Whisper("R1C3 R2C2 R3C3 R4C3", 2)),
    "auxiliaries": SIX.add(cs.Thermometer("R2C1-R5C1") | cs.KillerCage("R2C1 R3C1", 9)),
}


def check_same(together, probes):
    for number, probe in enumerate(probes):
        assert together.clash >> number & 1 == (probe.clash is not None)
        for value, board in enumerate(probe.boards) if probe.clash is None else ():
            row = together.left[value]
            assert all(board >> p & 1 == row[p] >> number & 1 for p in range(len(row)))


def started(name):
    """The position of a case, and its candidates."""
    puzzle = CASES[name]
    position = Position.start(network_of(puzzle), dict(puzzle.candidates))
    return position, [
        (place, value)
        for place in members(position.open)
        for value in members(position.masks[place])
    ]


@pytest.mark.parametrize("name", CASES)
def test_layers(name):
    position, assumed = started(name)
    together, probes = Assumptions(position, assumed), [Probe(position, each) for each in assumed]
    going = True
    while going:
        check_same(together, probes)
        going = together.advance()
        assert going == sum(1 << i for i, probe in enumerate(probes) if probe.advance())
    # One more candidate after all that: each that has one alternative left.
    choices = together.with_one_alternative()
    further = [
        [each for each in choices if choices[each] >> i & 1][:20]
        if i % 5 == 0 or len(assumed) < 150
        else []
        for i in range(len(assumed))
    ]
    assert any(further) or name == "wide"
    within = together.within(further)
    inner = [
        Probe(position, each, outer=probes[i]) for i, some in enumerate(further) for each in some
    ]
    for _ in range(5):
        check_same(within, inner)
        within.advance()
        for probe in inner:
            probe.advance()


def suffices(position, reason, candidate):
    """Whether nothing but what a reason needs is enough to refute a candidate."""
    left = {
        position.network.places[place]: [
            position.network.values[value]
            for value in members(position.masks[place])
            if (place, value) not in reason.needs
        ]
        for place in range(len(position.masks))
    }
    inner = Probe(Position.start(position.network, left), candidate)
    inner.run()
    return inner.clash is not None


@pytest.mark.parametrize("name", ["classic", "sums", "automata"])
def test_an_argument_that_says_more_is_longer(name):
    position, assumed = started(name)
    for candidate in assumed[::9]:
        probe = Probe(position, candidate)
        probe.run()
        fallen = list(probe.log.fallen)
        lengths = [probe.log.nodes(fallen[:n]) for n in range(0, len(fallen), 40)]
        assert lengths == sorted(lengths)
        assert lengths[-1] >= len(fallen) - 40


def is_refuted(why, probe, candidate):
    """Whether there is a reason against a candidate; all that it needs must have happened."""
    try:
        reason = why(probe, candidate)
    except ValueError:
        return False
    assert reason.nodes >= 0
    assert all(not probe.boards[value] >> place & 1 for place, value in reason.needs)
    assert suffices(probe.position, reason, candidate)
    # Chains say no more than all that follows from the candidate.
    inner = Probe(probe.position, candidate, outer=probe)
    inner.run()
    assert inner.clash is not None
    return True


@pytest.mark.parametrize("name", CASES)
def test_chains_within_assumptions(name):
    """What is refuted under all assumptions at once is what the words for each of them say."""
    position, assumed = started(name)
    together = Assumptions(position, assumed)
    together.run()
    chosen = [i for i in range(0, len(assumed), 9) if not together.clash >> i & 1]
    going = mask_of(chosen)
    one, several = refuted_by_chains(together, going), refuted_by_several(together, going)
    locked = together.locked(mask_of(chosen))
    for number in chosen:
        probe = Probe(position, assumed[number])
        probe.run()
        for candidate in assumed:
            place, value = candidate
            if probe.boards[value] >> place & 1 and not probe.placed >> place & 1:
                worlds = one.get(candidate, 0) | several.get(candidate, 0)
                assert worlds >> number & 1 == is_refuted(chain_refutation, probe, candidate)
            if locked.get(candidate, 0) >> number & 1:
                assert is_refuted(locked_refutation, probe, candidate)
