"""Forcing: assume a candidate and see what follows; a clash refutes it.

From easy to hard: a forcing chain follows singles and clues from one assumption. Forcing cases try
all candidates of a cell, or all places of a value in a house, and use what all cases have in
common. Nested forcing refutes other candidates within one assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from csp_sudoku.strategies.assumptions import Assumptions
from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.chains import chain_score
from csp_sudoku.strategies.nets import (
    chain_refutation,
    locked_refutation,
    refuted_by_chains,
    refuted_by_several,
)
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.probe import Probe, Reason
from csp_sudoku.strategies.step import Step

# Why a candidate falls within an assumption.
Why = Callable[[Probe, Candidate], Reason]


def forcing_chain(position: Position, score: float) -> Iterator[Step]:
    """Find the shortest clashes that follow from one assumption by singles and clues."""
    candidates = _candidates(position)
    together = Assumptions(position, candidates)
    while not together.clash and together.advance():
        pass
    steps = []
    for number in members(together.clash):
        probe = Probe(position, candidates[number])
        probe.run()
        steps.append(_told(position, "forcing chain", score, probe))
    yield from sorted(steps, key=lambda step: step.score)


def forcing_cases(position: Position, score: float) -> Iterator[Step]:
    """Remove candidates that are wrong in all cases of a cell, or of a value in a house."""
    net = position.network
    candidates = _candidates(position)
    closed = Assumptions(position, candidates)
    closed.run()
    number = {candidate: 1 << i for i, candidate in enumerate(candidates)}
    cases = [
        (
            f"whatever {net.short_name(place)} holds",
            [(place, v) for v in members(position.masks[place])],
        )
        for place in members(position.open)
    ]
    cases += [
        (f"wherever {net.digit(value)} goes in {house.name}", [(p, value) for p in members(places)])
        for house, value, places in position.units()
    ]
    steps = []
    for words, chosen in cases:
        worlds = sum(number[candidate] for candidate in chosen)
        gone = [
            (place, value) for place, value in candidates if not closed.left[value][place] & worlds
        ]
        if gone:
            steps.append(_agreed(position, score, words, chosen, gone))
    yield from sorted(steps, key=lambda step: step.score)


def nested_forcing(position: Position, score: float) -> Iterator[Step]:
    """Refute an assumption by refuting others within it, in as few turns as possible.

    Within an assumption locked candidates are tried first, then chains, then several chains at
    once, then all that follows from a candidate. These are levels of Sudoku Explainer.
    """
    candidates = suspects(position)
    together = Assumptions(position, candidates)
    together.run()
    # For each assumption the candidates that fall within it, turn by turn, each with its reason.
    refuted: list[list[tuple[list[Candidate], Why]]] = [[] for _ in candidates]
    everything = mask_of(range(len(candidates))) & ~together.clash

    def by(
        refuted: Callable[[Assumptions, int], dict[Candidate, int]],
    ) -> Callable[[int], dict[int, list[Candidate]]]:
        return lambda worlds: _by_world(refuted(together, worlds))

    levels: list[tuple[Callable[[int], dict[int, list[Candidate]]], Why]] = [
        (by(Assumptions.locked), locked_refutation),
        (by(refuted_by_chains), chain_refutation),
        (by(refuted_by_several), chain_refutation),
        (partial(_refuted_within, together), Probe.refutation),
    ]
    # How many levels are in use, and the assumptions that each level has still to look at.
    level, waiting = 0, [everything] * len(levels)
    while level < len(levels):
        number = next((i for i in range(level + 1) if waiting[i]), None)
        if number is None:
            if together.clash:
                break
            level += 1
            continue
        find, why = levels[number]
        worlds, waiting[number] = waiting[number], 0
        found = find(worlds)
        for world, fallen in found.items():
            refuted[world].append((fallen, why))
            together.remove(fallen, 1 << world)
        together.run()
        waiting = [(each | mask_of(found)) & ~together.clash for each in waiting]
    steps = [
        _nested(position, round(score + level / 2, 1), candidates[number], refuted[number])
        for number in members(together.clash)
    ]
    yield from sorted(steps, key=lambda step: step.score)


def _by_world(found: dict[Candidate, int]) -> dict[int, list[Candidate]]:
    """Candidates by the assumptions under which they fall."""
    sorted_: dict[int, list[Candidate]] = {}
    for candidate, worlds in found.items():
        for number in members(worlds):
            sorted_.setdefault(number, []).append(candidate)
    return sorted_


def _candidates(position: Position) -> list[Candidate]:
    """The candidates of open places."""
    return position.split(position.left)


def suspects(position: Position, false: Sequence[Candidate] | None = None) -> Sequence[Candidate]:
    """The candidates that nested forcing tries: all, or those that a solver knows to be false."""
    return position.remembered(
        "suspects", lambda position: _candidates(position) if false is None else false
    )


def _refuted_within(together: Assumptions, going: int) -> dict[int, list[Candidate]]:
    """For each assumption the candidates that clash with it.

    Only candidates with one alternative are tried: the other one then follows.
    """
    found: dict[int, list[Candidate]] = {}
    further: list[list[Candidate]] = [[] for _ in range(going.bit_length())]
    for candidate, worlds in together.with_one_alternative().items():
        for number in members(worlds & going):
            further[number].append(candidate)
    clash = together.within(further).run()
    end = 0
    for number, candidates in enumerate(further):
        fallen = [c for i, c in enumerate(candidates, end) if clash >> i & 1]
        end += len(candidates)
        if fallen:
            found[number] = fallen
    return found


def _told(position: Position, technique: str, score: float, probe: Probe) -> Step:
    """The step that refutes a candidate, in words."""
    net = position.network
    assert probe.clash is not None
    way = probe.argument()
    told = [reason.words for reason in way]
    ((place, value, _),) = probe.assumed
    then = f"{'; '.join(told)}; and " if told else ""
    clash = probe.clash.words
    if_true = net.were(place, value)
    cells = 1 << place
    for reason in way:
        for other, _ in reason.needs:
            cells |= 1 << other
    return position.step(
        technique,
        chain_score(score, probe.nodes()),
        cells,
        f"{if_true}: {then}{clash}. So",
        eliminations=[(place, value)],
        briefly=f"{if_true}, {len(told)} conclusions later {clash}. So",
    )


def _nested(
    position: Position,
    score: float,
    assumed: Candidate,
    refuted: list[tuple[list[Candidate], Why]],
) -> Step:
    """The step of an assumption in which these candidates are refuted, turn by turn."""
    probe = Probe(position, assumed)
    probe.run()
    for candidates, why in refuted:
        probe.remove(candidates, partial(why, probe.copy()))
        probe.run()
    return _told(position, "nested forcing", score, probe)


def _agreed(
    position: Position,
    score: float,
    words: str,
    candidates: list[Candidate],
    gone: list[Candidate],
) -> Step:
    """The step of several cases, in words. Its score is that of its easiest conclusion."""
    net = position.network
    cells, told = 0, []
    nodes = dict.fromkeys(gone, 0)
    for place, value in candidates:
        probe = Probe(position, (place, value))
        probe.run()
        way = [reason.words for reason in probe.argument(gone)]
        for each in gone:
            nodes[each] += probe.log.nodes([each])
        cells |= 1 << place
        told.append(
            f"if {net.short_name(place)} is {net.word(place, value)}: {'; '.join(way) or 'at once'}"
        )
    return position.step(
        "forcing cases",
        chain_score(score, min(nodes.values()) - 2),
        cells,
        f"{words} ({' / '.join(told)})",
        eliminations=gone,
        briefly=f"{words}, all {len(told)} cases agree",
    )
