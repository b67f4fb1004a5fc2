"""No step removes a value of a solution, on puzzles of all kinds; and each is explained to its end.

That a puzzle has one solution is established by two backends. Then a step is right if it agrees
with the solution. Where there are several, every elimination is put to two backends.
"""

import random
from collections import Counter

import pytest

import csp_sudoku as cs
from csp_sudoku.strategies import TECHNIQUES
from csp_sudoku.strategies.network import network_of
from csp_sudoku.strategies.position import Position
from csp_sudoku.testing import conformance_cases

CLASSICS = {
    1.2: "................12....34........34.5....673....1.........2...8.37.......45.......",
    1.5: "................12..3.45.........4.....6....1..73.2.......8..7..6....5..21.......",
    1.7: "..............1..2.23....45.......6......71....4.2.........8......43....91....6..",
    1.9: "................12..3.45..............6...4.3.7.1.8.9.....1.......23.....9.....8.",
    2.3: "........1.......23....45......2.......4...6....71......3........8....5.712...9...",
    2.6: "..............1..2..3.4..5........3..6.......12...6.......7........8.9.1..453....",
    2.8: "..............1..2..3....4..............4.35.16...7......6.2..1..5......4.8....3.",
    3.0: "..............1..2.34....5........6.....72.....8...4.....64.5..12......78........",
    3.4: "........1.......23....45........2.....6...4...78.........3...871.5.9....2........",
    4.2: "..............1..2..3....4.....3...5...6.....57......1....4.83....9...6.81.......",
    6.6: "................12..3.45.........3...1.6.2....5....4.....1....7..4.......6.2...8.",
    7.0: "..............1.23.45.6.7.......2........8.1....4....9...7..4..1........2.8......",
    7.2: "........1.....2..3..4.5.......4...6...2....5..3...1......7......1....2..7...8..4.",
    8.4: "..............1..2.34....5........6......534.2.7..........4......536....8.......1",
}
SIX = cs.Puzzle.blank(6)
LATIN = cs.Puzzle.blank(5, box=None)
VARIANTS = {
    "killer": SIX.add(
        cs.KillerCage("R1C1 R1C2 R2C1", 12),
        cs.KillerCage("R1C4-R1C6", 10),
        cs.KillerCage("R3C3 R3C4 R4C3 R4C4", 15),
        cs.KillerCage("R5C1 R6C1 R6C2", 8),
    ),
    "thermometers": SIX.add(cs.Thermometer("R1C1-R5C1"), cs.Thermometer("R6C6 R5C5 R4C4 R3C3")),
    "arrows": SIX.add(cs.Arrow("R1C1", "R1C2 R2C3"), cs.Arrow("R6C6", "R5C6 R5C5 R4C5")),
    "dots": SIX.add(cs.Difference("R1C1 R1C2", 1), cs.Ratio("R3C3 R3C4", 2), cs.NegativeXV()),
    "whispers": SIX.add(cs.Whisper("R1C1 R2C2 R3C3 R4C3", 2), cs.Renban("R6C2-R6C5")),
    "polarity": SIX.add(
        cs.ParityLine("R1C1 R2C2 R3C1 R4C2 R5C1"),
        cs.Whisper("R1C6 R2C5 R3C6 R4C5 R5C5"),
        cs.Difference("R6C3 R5C4", 1),
        cs.Difference("R5C4 R4C4", 1),
    ),
    "anti-chess": SIX.add(cs.AntiKnight()),
    "jigsaw": cs.Puzzle.blank(5, regions="AABBB AABBC AECCC EEDDC EEDDD"),
    "diagonals": SIX.add(cs.Diagonals(), cs.Even("R1C1")),
    "outside": SIX.add(cs.Skyscraper("R1", 3), cs.Sandwich("R2", 5)),
    "sums": LATIN.add(cs.Sum("R1C1 R2C2 R3C3", 10), cs.LittleKiller("R1C5", "SW", 12)),
    "zero-based": cs.Puzzle.blank(4, values=range(4)).add(cs.KillerCage("R1C1 R1C2 R2C2", 4)),
    "own rules": SIX.add(
        cs.where("R1C6 R6C6 R3C3", lambda a, b, c: a == 2 * b or c == a + b),
        cs.fold("R2C1-R2C6", 0, lambda s, v: (2 * s + v) % 5, lambda s: s < 3),
    ),
    "windows": SIX.add(
        cs.AllDifferent("R2C2-R2C4 R3C2-R3C4"),
        cs.AllDifferent("R4C1 R4C2 R4C3 R5C1 R5C2 R5C3"),
        cs.AllDifferent("R1C6 R2C6 R3C5 R4C5 R5C4 R6C4"),
    ),
    "overlapping cages": SIX.add(
        cs.KillerCage("R1C1-R1C3", 6),
        cs.KillerCage("R1C3-R1C5", 12),
        cs.Sum("R2C1-R2C4", 16),
        cs.Sum("R2C4 R2C5", 3),
    ),
    "bounds of sums": SIX.add(
        cs.rule("R1C1 + R1C2 + R1C3 + R1C4 + R1C5 >= 15"),
        cs.rule("R2C1 + R3C1 + R4C1 + R5C1 + R6C1 <= 19"),
        cs.rule("R3C4 + R3C5 + R3C6 + R4C4 + R4C5 + R4C6 >= 19"),
    ),
    "relations": SIX.add(cs.AntiKing(), cs.Difference("R1C1 R5C5", 2), cs.Ratio("R2C2 R6C6", 2)),
    "two grids": cs.Puzzle.overlapping(
        [cs.Grid(4, 4, (1, 2, 3, 4), (2, 2)), cs.Grid(4, 4, (1, 2, 3, 4), (2, 2), top=2, left=2)]
    ),
    "wide": cs.Puzzle((cs.Grid(3, 5, (1, 2, 3, 4, 5)),)).add(cs.Thermometer("R1C1 R2C2 R3C3")),
    "either or": LATIN.add(cs.Thermometer("R1C1-R1C4") | cs.KillerCage("R2C1 R3C1", 9)),
    "a named sum": LATIN.with_named("x", range(4, 9)).add(
        cs.Sum(["R1C1 R2C2", cs.Var("x")], 0, (1, 1, -1)),
        cs.Sum(["R5C5 R4C4", cs.Var("x")], 0, (1, 1, -1)),
    ),
}
# Whole explanations have enough of forcing.
QUICK = [each for each in TECHNIQUES[:-3] if not (each.by_request and "jelly" in each.name)]
RULES = [case for case in conformance_cases() if case.name.endswith(" 1, 4×4")]


def made_unique(puzzle, seed):
    """The puzzle with some givens of a solution, so that there is no other; None if it has none."""
    with cs.session(puzzle) as session:
        solved = session.solve(puzzle, seed=seed).solutions
        if not solved:
            return None
        places = list(puzzle.variables)
        random.Random(seed).shuffle(places)
        while not (found := session.solve(puzzle, limit=2)).complete:
            other = next(each for each in found.solutions if each != solved[0])
            place = next(place for place in places if other[place] != solved[0][place])
            puzzle = puzzle.with_givens({place: solved[0][place]})
    return puzzle


def check(puzzle, *backends, uniqueness=False):
    found = [cs.solve(puzzle, backend, limit=2) for backend in backends]
    assert all(result.complete and len(result.solutions) == 1 for result in found)
    solution = found[0].solutions[0]
    assert all(result.solutions == (solution,) for result in found)
    explanation = cs.explain(puzzle, uniqueness=uniqueness)
    assert explanation.solved, explanation.remark
    assert explanation.solution == solution
    for step in explanation.steps:
        assert all(solution[place] == value for place, value in step.placements), step
        assert all(solution[place] != value for place, value in step.eliminations), step
        assert step.conclusions
    return explanation


@pytest.mark.parametrize("score", CLASSICS)
def test_classics(score):
    explanation = check(cs.read(CLASSICS[score]), "sat", "dlx")
    assert max(step.score for step in explanation.steps) == score


@pytest.mark.parametrize("score", [3.4, 6.6, 7.2, 8.4])
def test_with_uniqueness(score):
    explanation = check(cs.read(CLASSICS[score]), "sat", uniqueness=True)
    assert max(step.score for step in explanation.steps) <= score


def check_all_steps(puzzle, seed, turns=3, techniques=QUICK):
    """Every technique, in positions from which some wrong candidates are gone by chance."""
    [solution] = cs.solve(puzzle, limit=2).solutions
    position = Position.start(network_of(puzzle), dict(puzzle.candidates))
    network, draw, found = position.network, random.Random(seed), Counter()
    right = [network.code[solution[place]] for place in network.places]
    for _ in range(turns):
        for technique in techniques:
            for step in technique.all_steps(position):
                found[step.technique] += 1
                assert all(solution[place] == value for place, value in step.placements), step
                assert all(solution[place] != value for place, value in step.eliminations), step
        wrong = [
            (place, value)
            for place in range(len(network.places))
            for value in range(len(network.values))
            if position.masks[place] >> value & 1 and value != right[place]
        ]
        position = position.after([], draw.sample(wrong, len(wrong) // 3))
    return found


def test_all_steps_of_classics():
    found = Counter()
    for score in (4.2, 6.6, 8.4):
        found += check_all_steps(cs.read(CLASSICS[score]), seed=2, turns=2)
    engines = (
        "W-wing, empty rectangle, X-chain, XY-chain, nice loop, grouped AIC, ALS-XZ, ALS chain"
    )
    more = "finned X-wing, sashimi swordfish, Franken swordfish, Sue de Coq, death blossom"
    assert set(f"{engines}, {more}".split(", ")) <= set(found)


@pytest.mark.parametrize("name", VARIANTS)
def test_all_steps_of_variants(name):
    unique = made_unique(VARIANTS[name], seed=11)
    assert check_all_steps(unique, seed=5)


@pytest.mark.parametrize("name", VARIANTS)
def test_variants(name):
    unique = made_unique(VARIANTS[name], seed=7)
    assert unique is not None
    check(unique, "sat", "search")


@pytest.mark.parametrize("case", RULES, ids=str)
def test_every_rule(case):
    unique = made_unique(case.puzzle, seed=3)
    if unique is None:
        # The rule of the example leaves no solution at all, and the explanation says so.
        assert cs.explain(case.puzzle).ending.value == "no solution"
    else:
        check(unique, "sat")


@pytest.mark.parametrize("name", ["killer", "arrows", "anti-chess", "either or"])
def test_several_solutions(name):
    puzzle = VARIANTS[name]
    solution = cs.solve(puzzle, seed=1).solutions[0]
    some = random.Random(name).sample(sorted(puzzle.cells), 5)
    puzzle = puzzle.with_givens({cell: solution[cell] for cell in some})
    explanation = cs.explain(puzzle)
    assert explanation.ending.value == "several solutions"
    for backend in ("sat", "search"):
        with cs.session(puzzle, backend) as session:
            for step in explanation.steps:
                for place, value in step.eliminations:
                    assert not session.solve(puzzle.with_givens({place: value})).solutions, step
                for place, value in step.placements:
                    others = [v for v in puzzle.candidates_of(place) if v != value]
                    assert not session.solve(puzzle.with_givens({place: others})).solutions, step
            # All that follows was said: every candidate that is left is in some solution.
            state = explanation.state()
            for cell in state.cells:
                for value in state.candidates_of(cell):
                    assert session.solve(state.with_givens({cell: value})).solutions


def main(count, seed):
    """Explain this many puzzles, classics and variants of all rules; check each step."""
    draw, done, steps = random.Random(seed), Counter(), Counter()
    bases = [*VARIANTS.values(), *(case.puzzle for case in RULES)]
    while done.total() < count:
        number = draw.randrange(1 << 30)
        if draw.random() < 0.3:
            kind, puzzle = "classic", cs.generate(draw.choice((4, 6, 9)), seed=number).puzzle
        else:
            kind, puzzle = "variant", made_unique(draw.choice(bases), number)
        if puzzle is None:
            continue
        [solution] = cs.solve(puzzle, limit=2).solutions
        explanation = cs.explain(puzzle, uniqueness=draw.random() < 0.3)
        assert explanation.solution == solution, cs.write_json(puzzle)
        for step in explanation.steps:
            assert all(solution[place] == value for place, value in step.placements), step
            assert all(solution[place] != value for place, value in step.eliminations), step
            steps[step.technique] += 1
        done[kind] += 1
        if done.total() % 100 == 0:
            print(dict(done), steps.total(), "steps", len(steps), "techniques", flush=True)
    print(dict(done), dict(steps))


if __name__ == "__main__":
    # For example: python tests/strategies/test_soundness.py 10000 1
    import sys

    main(int(sys.argv[1]), int(sys.argv[2]))
