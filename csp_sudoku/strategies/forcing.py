"""Forcing: assume a candidate and see what follows; a clash refutes it.

From easy to hard: a forcing chain follows singles and clues from one assumption. Forcing cases try
all candidates of a cell, or all places of a value in a house, and use what all cases have in
common. Nested forcing refutes other candidates within one assumption.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.strategies.assumptions import Assumptions
from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.chains import chain_score
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.probe import Probe
from csp_sudoku.strategies.step import Step


def forcing_chain(position: Position, score: float) -> Iterator[Step]:
    """Find the shortest clashes that follow from one assumption by singles and clues."""
    candidates, together = _begun(position)
    depth = 0
    while not together.clash and together.advance():
        depth += 1
    for number in members(together.clash):
        probe = Probe(position, candidates[number])
        probe.run()
        yield _told(position, "forcing chain", chain_score(score, depth), probe)


def forcing_cases(position: Position, score: float) -> Iterator[Step]:
    """Remove candidates that are wrong in all cases of a cell, or of a value in a house."""
    net = position.network
    candidates, closed = _closed(position)
    number = {candidate: 1 << i for i, candidate in enumerate(candidates)}
    cases = [
        (f"whatever {net.name(place)} holds", [(place, v) for v in members(position.masks[place])])
        for place in members(position.open)
    ]
    cases += [
        (f"wherever {net.digit(value)} goes in {house.name}", [(p, value) for p in members(places)])
        for house, value, places in position.units()
    ]
    for words, chosen in cases:
        worlds = sum(number[candidate] for candidate in chosen)
        gone = [
            (place, value) for place, value in candidates if not closed.left[value][place] & worlds
        ]
        if gone:
            yield _agreed(position, score, words, chosen, gone)


def nested_forcing(position: Position, score: float) -> Iterator[Step]:
    """Refute an assumption by refuting others within it, in as few turns as possible."""
    candidates, together = _closed(position)
    going = mask_of(range(len(candidates)))
    # For each assumption the candidates that clash with it, turn by turn.
    refuted: list[list[list[Candidate]]] = [[] for _ in candidates]
    while going and not together.clash:
        found = _refuted_within(together, going)
        going = mask_of(found)
        for number, fallen in found.items():
            refuted[number].append(fallen)
            together.remove(fallen, 1 << number)
        together.run()
    steps = [
        _nested(position, score, candidates[number], refuted[number])
        for number in members(together.clash)
    ]
    yield from sorted(steps, key=lambda step: step.score)


def _begun(position: Position) -> tuple[list[Candidate], Assumptions]:
    """Each candidate of an open place as an assumption."""
    candidates = [
        (place, value)
        for value, board in enumerate(position.boards)
        for place in members(board & position.open)
    ]
    return candidates, Assumptions(position, candidates)


def _closed(position: Position) -> tuple[list[Candidate], Assumptions]:
    """Each candidate as an assumption, and all that follows."""
    candidates, together = _begun(position)
    together.run()
    return candidates, together


def _refuted_within(together: Assumptions, going: int) -> dict[int, list[Candidate]]:
    """For each assumption the candidates that clash with it.

    Only candidates with one alternative are tried: the other one then follows.
    """
    further: list[list[Candidate]] = [[] for _ in range(going.bit_length())]
    for candidate, worlds in together.with_one_alternative().items():
        for number in members(worlds & going):
            further[number].append(candidate)
    clash = together.within(further).run()
    found, end = {}, 0
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
        eliminations=[(place, value)],
        briefly=f"{if_true}, {len(told)} conclusions later {clash}. So",
    )


def _nested(
    position: Position,
    score: float,
    assumed: Candidate,
    refuted: list[list[Candidate]],
) -> Step:
    """The step of an assumption in which these candidates are refuted, turn by turn."""
    probe = Probe(position, assumed)
    probe.run()
    for candidates in refuted:
        reasons = [probe.refutation(candidate) for candidate in candidates]
        for candidate, reason in zip(candidates, reasons, strict=True):
            probe.remove(candidate, reason)
        probe.run()
    length = sum(reason.length for reason in probe.argument())
    return _told(position, "nested forcing", chain_score(score, length), probe)


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
        probe = Probe(position, (place, value))
        probe.run()
        way = [reason.words for reason in probe.argument(gone)]
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
