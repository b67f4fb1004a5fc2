"""How long a hand-written engine and SAT work in turn, by what the graph consists of.

A turn is an amount of work, not of time. The figures come from 437 published variants: the engine
is nearly always quicker on sums, SAT on relations and automata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from csp_encodings.network import Network

# The work of the engine on a row, in steps: four milliseconds on boards, one otherwise. A puzzle
# that takes longer starts over, outside of the rows, and can then be left and resumed.
ROW_STEPS = 100_000

# The work of the engine before SAT has its turn, in steps: at least this many, which is about five
# milliseconds, and this many for each place in a scope and each edge of an automaton, which is
# about as long as it takes to compile for SAT. On boards a step does more, and much more where
# there are relations.
_LEAST_STEPS = 600_000
_STEPS_A_PLACE = 800
_STEPS_AN_EDGE = 400
_STEP_ON_BOARDS = 2
_STEP_WITH_RELATIONS = 16

# The turns that follow: conflicts of SAT, and the work of the engine, in times of its first. SAT
# gets most of the time: of 19 published puzzles that the first turn does not decide, it decides 12
# sooner, some in a fiftieth of the time. On the others the engine is at most four times as quick.
_LATER: tuple[tuple[int, int], ...] = ((24_000, 8), (72_000, 32))

# Many sums: at least so many, more than there are automata, and not too many relations for each.
# The engine then works this many times as long at first, some seconds, and gets most of the time.
_MANY_SUMS = 6
_RELATIONS_A_SUM = 20
_FOR_SUMS = 2_048
_LATER_FOR_SUMS = ((8_000, 4_096), (24_000, 16_384))

# Connected cells: the engine has no second turn. Of seven published puzzles that its first one does
# not decide, SAT decides all sooner, six of them by far.
_LATER_FOR_CONNECTED: tuple[tuple[int, int], ...] = ()

# All-different factors alone: on up to so many variables the engine is quicker by far, on more of
# them only if it takes short.
_FEW = 128
_FOR_FEW = 256
_FOR_MORE = 4


class Turns(NamedTuple):
    """The work of an engine, and of SAT in between.

    Attributes
    ----------
    first
        The steps of the engine before SAT has its turn.
    later
        Then, one after the other: the conflicts of SAT, the further steps of the engine.
    """

    first: int
    later: tuple[tuple[int, int], ...]


def turns_for(network: Network, engine: str) -> Turns:
    """Return how long an engine and SAT work in turn on a network.

    Examples
    --------
    >>> from csp_encodings.arrays import encode
    >>> from csp_sudoku import Puzzle, Whisper
    >>> plain, whisper = Puzzle.blank(9), Puzzle.blank(9).add(Whisper("R1C1 R2C2"))
    >>> turns_for(encode(plain.graph).network, "boards").first
    76800000
    >>> turns_for(encode(whisper.graph).network, "search").first
    600000
    """
    import numpy as np

    from csp_encodings.network import ALL_DIFFERENT, CONNECTED, LINEAR, REGULAR, RELATION

    kinds = np.bincount(network.kind, minlength=CONNECTED + 1).tolist()
    sums, automata, relations = kinds[LINEAR], kinds[REGULAR], kinds[RELATION]
    edges = _edges(network) if automata else 0
    to_compile = _STEPS_A_PLACE * len(network.scope) + _STEPS_AN_EDGE * edges
    steps = max(_LEAST_STEPS, to_compile)
    if engine == "boards":
        steps //= _STEP_WITH_RELATIONS if relations else _STEP_ON_BOARDS
    times, later = 1, _LATER
    if sums >= _MANY_SUMS and sums > automata and relations <= _RELATIONS_A_SUM * sums:
        times, later = _FOR_SUMS, _LATER_FOR_SUMS
    elif kinds[CONNECTED]:
        later = _LATER_FOR_CONNECTED
    elif len(network.kind) == kinds[ALL_DIFFERENT]:
        times = _FOR_FEW if len(network.first_word) <= _FEW else _FOR_MORE
    return Turns(times * steps, tuple([(conflicts, n * steps) for conflicts, n in later]))


def _edges(network: Network) -> int:
    """Count the edges of all automata; where factors share one, it counts for each of them."""
    import numpy as np

    from csp_encodings.network import REGULAR

    # An automaton begins at its first state, and ends where the next one begins.
    starts, arcs = np.unique(network.data[network.kind == REGULAR], return_counts=True)
    ends = [*starts[1:], len(network.first_edge) - 1]
    return int(((network.first_edge[ends] - network.first_edge[starts]) * arcs).sum())
