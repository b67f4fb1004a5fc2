"""What a clue allows, compared with all of its fillings."""

import random
from itertools import product

import pytest

from csp_encodings.automaton import Automaton
from csp_sudoku.strategies.bits import mask_of
from csp_sudoku.strategies.clues import combinations
from csp_sudoku.strategies.filters import MachineFilter

VALUES = (1, 2, 4, 5)


@pytest.mark.parametrize("seed", range(80))
def test_combinations_are_those_of_all_fillings(seed):
    draw = random.Random(seed)
    size = draw.randint(2, 6)
    rest, kept = draw.randint(2, 4), draw.randrange(2)
    machine = Automaton.from_predicate(
        [VALUES] * size, lambda *filling: sum(filling) % rest == kept
    )
    masks = tuple(draw.randrange(1, 16) for _ in range(size))
    # Any of the places may see each other, in other places of the grid than in this order.
    scope = draw.sample(range(9), size)
    pairs = [(a, b) for a in scope for b in scope if a < b and draw.random() < 0.5]
    sees = [mask_of(b for pair in pairs for b in pair if a in pair and b != a) for a in range(9)]

    def found(differ):
        fillings = [
            filling
            for filling in product(
                *([v for i, v in enumerate(VALUES) if mask >> i & 1] for mask in masks)
            )
            if sum(filling) % rest == kept
            and all(filling[scope.index(a)] != filling[scope.index(b)] for a, b in differ)
        ]
        held = zip(*fillings, strict=True)
        return tuple(mask_of(map(VALUES.index, values)) for values in held) or None

    assert combinations(machine, scope, masks, sees, VALUES) == found(pairs)
    number = {place: i for i, place in enumerate(scope)}
    domains = list(masks)
    code = {value: i for i, value in enumerate(VALUES)}
    keeps = MachineFilter(scope, machine, number, code).narrow(domains)
    assert (tuple(domains) if keeps else None) == found(())
