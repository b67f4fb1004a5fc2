"""A rating says the same of a puzzle however it is turned, relabelled or permuted."""

import random

import pytest

import csp_sudoku as cs

PUZZLES = {
    "singles": "................12..3.45.........4.....6....1..73.2.......8..7..6....5..21.......",
    "pairs": "........1.......23....45........2.....6...4...78.........3...871.5.9....2........",
    "chains": "........1.....2..3..4.5.......4...6...2....5..3...1......7......1....2..7...8..4.",
    "forcing": "................12....34.........3....5.....6.786........28..7.34.....2.9........",
}


def permuted(text, seed):
    """The same puzzle: relabelled, transposed perhaps, its bands, stacks and lines permuted."""
    draw = random.Random(seed)
    labels = list("123456789")
    draw.shuffle(labels)
    rows, columns = (
        [3 * band + line for band in draw.sample(range(3), 3) for line in draw.sample(range(3), 3)]
        for _ in range(2)
    )
    grid = [[text[9 * row + column] for column in columns] for row in rows]
    if draw.random() < 0.5:
        grid = [list(column) for column in zip(*grid, strict=True)]
    return "".join(labels[int(v) - 1] if v.isdigit() else v for row in grid for v in row)


@pytest.mark.parametrize("name", PUZZLES)
def test_symmetries_of_classics(name):
    rating = cs.rate(PUZZLES[name])
    for seed in range(4):
        other = cs.rate(permuted(PUZZLES[name], seed))
        assert (other.score, other.hardest, dict(other.counts)) == (
            rating.score,
            rating.hardest,
            dict(rating.counts),
        )


def test_symmetries_of_a_variant():
    """A killer, and the same mirrored at its diagonal."""
    cages = [("R1C1 R1C2 R2C1", 6), ("R1C3 R1C4", 7), ("R3C1 R4C1", 5), ("R4C3 R4C4", 7)]
    blank = cs.Puzzle.blank(4).with_givens({"R1C1": 2, "R3C3": 1, "R4C4": 3})
    one = blank.add(*(cs.KillerCage(cells, total) for cells, total in cages))
    two = blank.add(
        *(cs.KillerCage([(c.col, c.row) for c in cs.cells(cells)], n) for cells, n in cages)
    )
    assert cs.rate(one) == cs.rate(two)


def test_what_a_rating_says():
    rating = cs.rate("0100 3001 4002 0040")
    assert str(rating) == "1.2 (hidden single in a block)"
    assert dict(rating.counts) == {"last cell": 6, "hidden single in a block": 4}
    assert str(cs.rate("2134 3421 4312 1243")) == "0.0 (nothing to do)"


def test_only_puzzles_with_one_solution_are_rated():
    with pytest.raises(cs.PuzzleError, match="one solution is rated: nothing more follows"):
        cs.rate("1... .... .... ....")
    with pytest.raises(cs.PuzzleError, match="there is no solution"):
        cs.rate("11.. .... .... ....")
    with pytest.raises(cs.UndecidedError, match="time ran out"):
        cs.rate("0100 3001 4002 0040", timeout=0)
