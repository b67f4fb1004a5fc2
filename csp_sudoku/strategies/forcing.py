"""Forcing: assume a candidate and see what follows; a clash refutes it.

From easy to hard: a forcing chain follows singles and clues from one assumption. Forcing cases try
all candidates of a cell, or all places of a value in a house, and use what all cases have in
common. Nested forcing refutes other candidates within one assumption.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.chains import chain_score
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.probe import Log, Probe
from csp_sudoku.strategies.step import Step

# How long a refutation within an assumption may be, and how many rounds of them are made; from easy
# to hard.
_DEPTHS = ((4, 2), (1_000, 12))


def forcing_chain(position: Position, score: float) -> Iterator[Step]:
    """Find the shortest clashes that follow from one assumption by singles and clues."""
    for candidate, depth in _refuted(position):
        log = Log()
        probe = Probe(position, [candidate], log=log)
        probe.run()
        yield _told(position, "forcing chain", chain_score(score, depth), probe, log)


def forcing_cases(position: Position, score: float) -> Iterator[Step]:
    """Remove candidates that are wrong in all cases of a cell, or of a value in a house."""
    net = position.network
    closed = _closures(position)
    cases = [
        (f"whatever {net.name(place)} holds", [(place, v) for v in members(position.masks[place])])
        for place in members(position.open)
    ]
    cases += [
        (f"wherever {net.digit(value)} goes in {house.name}", [(p, value) for p in members(places)])
        for house, value, places in position.units()
    ]
    for words, candidates in cases:
        left = [0] * len(position.boards)
        for candidate in candidates:
            for value, board in enumerate(closed[candidate].boards):
                left[value] |= board
        gone = [
            (place, value)
            for value, board in enumerate(position.boards)
            for place in members(board & ~left[value])
        ]
        if gone:
            yield _agreed(position, score, words, candidates, gone)


def nested_forcing(position: Position, score: float) -> Iterator[Step]:
    """Refute an assumption by refuting others within it; short refutations come first."""
    for level, (depth, turns) in enumerate(_DEPTHS):
        probes = [probe.copy() for probe in _closures(position).values() if probe.assumed]
        for turn in range(turns):
            going = []
            for probe in probes:
                position.tick()
                if _refute_within(probe, depth):
                    going.append(probe)
            if found := [probe for probe in going if probe.clash]:
                steps = [
                    _nested(position, score + level, probe, depth, turn + 1) for probe in found
                ]
                yield from sorted(steps, key=lambda step: step.score)
                return
            if not going:
                break
            probes = going


def _candidates(position: Position) -> list[Candidate]:
    return [
        (place, value)
        for value, board in enumerate(position.boards)
        for place in members(board & position.open)
    ]


def _refuted(position: Position) -> list[tuple[Candidate, int]]:
    """The candidates that clash after the fewest layers, each with this number of layers."""
    probes = [Probe(position, [candidate]) for candidate in _candidates(position)]
    depth = 0
    while probes:
        position.tick()
        depth += 1
        probes = [probe for probe in probes if probe.advance()]
        if found := [(probe.assumed[0], depth) for probe in probes if probe.clash]:
            return found
    return []


def _closures(position: Position) -> dict[Candidate, Probe]:
    """For each candidate what follows from it. This is called only if no candidate clashes."""

    def close(position: Position) -> dict[Candidate, Probe]:
        closed = {}
        for candidate in _candidates(position):
            position.tick()
            closed[candidate] = Probe(position, [candidate])
            closed[candidate].run()
        for place in members(position.placed):
            value = position.masks[place].bit_length() - 1
            closed[place, value] = Probe(position)
        return closed

    return position.remembered("closures", close)


def _refute_within(probe: Probe, depth: int) -> bool:
    """Remove candidates that clash with the assumption; return whether there were any.

    Only candidates with one alternative are tried: the other one then follows.
    """
    reached = probe.reached
    tried: dict[Candidate, bool] = {}
    refuted: list[Candidate] = []
    pairs = [
        [(place, value) for value in members(reached.masks[place])]
        for place in members(reached.counted[1])
    ]
    pairs += [
        [(place, value) for place in members(places)]
        for _, value, places in reached.units()
        if places.bit_count() == 2
    ]
    for pair in pairs:
        for candidate in pair:
            if candidate not in tried:
                tried[candidate] = probe.within(candidate).run(depth)
                if tried[candidate]:
                    refuted.append(candidate)
        if all(tried[candidate] for candidate in pair):
            break  # the assumption itself is refuted
    if refuted:
        reasons = [probe.refutation(candidate, depth) for candidate in refuted]
        for candidate, reason in zip(refuted, reasons, strict=True):
            probe.remove(candidate, reason)
        probe.run()
    return bool(refuted)


def _told(position: Position, technique: str, score: float, probe: Probe, log: Log) -> Step:
    """The step that refutes a candidate, in words."""
    net = position.network
    assert probe.clash is not None
    way = log.argument(probe.clash.needs)
    # The first reason is the assumption itself.
    told = [reason.words for reason in way if reason is not log.reasons[0]]
    (candidate,) = probe.assumed
    place, value = candidate
    then = f"{'; '.join(told)}; and " if told else ""
    clash = probe.clash.words
    if_true = f"if {net.name(place)} were {net.digit(value)}"
    cells = 1 << place
    for reason in way:
        for other, _ in reason.needs:
            cells |= 1 << other
    return position.step(
        technique,
        score,
        cells,
        f"{if_true}: {then}{clash}. So",
        eliminations=[candidate],
        briefly=f"{if_true}, {len(told)} conclusions later {clash}. So",
    )


def _nested(position: Position, score: float, found: Probe, depth: int, turns: int) -> Step:
    """Find a clash by refutations again, this time with a log."""
    log = Log()
    probe = Probe(position, found.assumed, log=log)
    probe.run()
    for _ in range(turns):
        if probe.clash is None:
            _refute_within(probe, depth)
    assert probe.clash is not None
    length = sum(reason.length for reason in log.argument(probe.clash.needs))
    return _told(position, "nested forcing", chain_score(score, length // 2), probe, log)


def _agreed(
    position: Position,
    score: float,
    words: str,
    candidates: list[Candidate],
    gone: list[Candidate],
) -> Step:
    """The step of several cases, in words."""
    net = position.network
    cells, told = 0, []
    for place, value in candidates:
        log = Log()
        Probe(position, [(place, value)], log=log).run()
        way = [reason.words for reason in log.argument(gone) if reason is not log.reasons[0]]
        cells |= 1 << place
        told.append(f"if {net.name(place)} is {net.digit(value)}: {'; '.join(way) or 'at once'}")
    return position.step(
        "forcing cases",
        score,
        cells,
        f"{words} ({' / '.join(told)})",
        eliminations=gone,
        briefly=f"{words}, all {len(told)} cases agree",
    )
