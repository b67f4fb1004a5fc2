"""Estimates of the number of solutions, against known numbers.

``python tests/test_estimating.py`` makes 100 estimates of each puzzle and prints how many of the
intervals contain the number; with a number, it begins at this puzzle.
"""

import sys
import time

import pytest

import csp_sudoku as cs
from csp_sudoku.counting.estimating import estimates

SIX = cs.Puzzle.blank(6)
CAGES = SIX.add(cs.KillerCage("R1C1 R1C2 R2C1", 9), cs.KillerCage("R5C5 R5C6 R6C6", 11))
BORDER = {f"R1C{i}": i for i in range(1, 8)} | {f"R{i}C1": i for i in range(2, 8)}
# From 10³ to 10⁹; counted one by one, or known: Latin squares, blank 6×6 grids.
KNOWN = [
    ("2.6.54..........3..............6....", 4_080),
    (".8.3.9.....6..1....1.8.26..9...3....1......2....18......9..7..8.5....7..8.1.2..6.", 7_270),
    ("......1........2...2.....1..........", 78_336),
    (cs.Puzzle.blank(5, box=None), 161_280),
    (CAGES, 634_320),
    ("...3.....3..74..8..148...93......8......75..........7....4..5.......8...87..2....", 870_679),
    (".8.3..1......41.....4..........34............5.21..........75......98.....1....6.",
     10_294_863),
    (cs.Puzzle.blank(7, box=None).with_givens(BORDER), 16_942_080),
    (SIX, 28_200_960),
    (cs.Puzzle.blank(6, box=None), 812_851_200),
]  # fmt: skip


def estimate(puzzle, seed, *, samples, effort):
    found = estimates(cs.read(puzzle), seed=seed, effort=effort)
    return next(e for e in found if e.exact or e.samples == samples)


def test_nine_of_ten_intervals_contain_the_number():
    # Little effort: even small numbers are estimated, not counted.
    inside = [
        found.low <= number <= found.high
        for puzzle, number in [KNOWN[0], (".36.....4...6.5.......454...........", 504)]
        for seed in range(25)
        for found in [estimate(puzzle, seed, samples=100, effort=200)]
    ]
    assert sum(inside) >= 0.9 * len(inside)


def test_the_mean_is_unbiased():
    # Every walk of a small tree, by lot: the mean of many is close to the number.
    number = 504
    found = estimate(".36.....4...6.5.......454...........", 1, samples=3_000, effort=60)
    assert not found.exact
    assert abs(found.value - number) < 4 * found.error < 0.2 * number


def test_samples_that_miss_all_solutions_do_not_say_that_there_is_none():
    # Random walks with little effort hardly ever meet a solution here.
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    found = estimate(hard, 1, samples=3, effort=1)
    assert (found.value, found.exact) == (1, True)
    # Without R2C3 there are 1,634 solutions.
    for seed in range(4):
        found = estimate(hard.replace("36", ".6"), seed, samples=2, effort=1)
        assert found.low <= 1_634 <= found.high
        assert 2 <= found.low <= found.value <= found.high


def test_few_solutions_are_counted():
    for text, number in (("." * 16, 288), ("0100300140020040", 1), ("11" + "." * 14, 0)):
        found = cs.estimate(text)
        assert (found.value, found.low, found.high, found.exact) == (number, number, number, True)
        assert (str(found), found.method) == (str(number), "counted")


def test_a_large_number_is_written_short():
    found = cs.estimate("." * 36, samples=20, seed=3)
    assert (found.samples, found.exact) == (20, False)
    assert str(found).startswith("about 2.")
    assert "e7 (95 %: " in str(found)
    assert found == cs.estimate("." * 36, samples=20, seed=3)


def test_a_sum_has_more_than_its_cells():
    """Auxiliaries of a lowering must not count as choices."""
    puzzle = cs.Puzzle.blank(4).add(cs.Arrow("R1C1", "R1C2 R2C2"), cs.Thermometer("R4C1 R3C1"))
    assert cs.estimate(puzzle).value == cs.count(puzzle).value
    found = estimate(puzzle, 1, samples=300, effort=1)
    assert found.low <= cs.count(puzzle).value <= found.high


def test_time_ends_it():
    assert list(estimates(SIX, deadline=0.0)) == []
    with pytest.raises(cs.UndecidedError, match="time ran out before two samples"):
        cs.estimate(SIX, timeout=0)


if __name__ == "__main__":
    for puzzle, number in KNOWN[int(sys.argv[1]) if sys.argv[1:] else 0 :]:
        started, inside, errors = time.process_time(), 0, []
        for seed in range(100):
            found = estimate(puzzle, seed, samples=200, effort=2_000)
            inside += found.low <= number <= found.high
            errors.append(found.error / number)
        seconds = (time.process_time() - started) / 100
        error = f"{sum(errors):.1f} %"
        print(f"{number:>12,}: {inside} of 100 inside, error {error}, {seconds:.2f} s each")
