"""Implied sums in the backends: the same solutions without them, and refutations by a bound."""

import pytest

import csp_sudoku as cs
from csp_encodings.graph import factors
from csp_encodings.implied import with_implied
from csp_sudoku import backends
from csp_sudoku.crosscheck.participants import Participant
from csp_sudoku.testing import check_case, conformance_cases

WITH_SUMS = [
    case
    for case in conformance_cases()
    if with_implied(case.puzzle.rules_graph) is not case.puzzle.rules_graph
]


def test_there_are_enough_cases():
    assert len(WITH_SUMS) > 15


@pytest.mark.parametrize("backend", ["sat", "search"])
@pytest.mark.parametrize("case", WITH_SUMS, ids=str)
def test_solutions_without_implied_sums(case, backend):
    assert check_case(f"{backend}:implied=false", case)


@pytest.mark.parametrize("backend", ["auto", "cpsat", "dlx", "lp"])
def test_the_option_of_the_others(backend):
    case = next(case for case in WITH_SUMS if case.name == "an outie and innies")
    assert check_case(f"{backend}:implied=false", case)


TWO_ROWS = [f"R{r}C{c}" for r in (1, 2) for c in range(1, 10)]
ABOVE = [f"R1C{c} R2C{c} R3C{c}" for c in range(1, 10)]
DIAGONALS = [(f"R1C{c}", 10 - c) for c in range(1, 10)]
DIAGONALS += [(f"R{r}C1", 10 - r) for r in range(2, 10)]
CONTRADICTIONS = {
    "two rows sum to 91": [cs.Sum(" ".join(TWO_ROWS), 91)],
    "a row and a cell sum to 55": [cs.Sum(" ".join(TWO_ROWS[:10]), 55)],
    "two cells of a row sum to 18": [cs.Sum("R1C1 R1C9", 18)],
    "a row is at most 44": [cs.Sum(" ".join(TWO_ROWS[:9]), 0, at_most=44)],
    "a row is 1 more than another": [cs.Sum(" ".join(TWO_ROWS), 1, (1,) * 9 + (-1,) * 9)],
    "the cages of a row sum to 46": [
        cs.KillerCage("R1C1 R1C2 R1C3 R1C4", 21),
        cs.KillerCage("R1C5 R1C6 R1C7 R1C8 R1C9", 25),
    ],
    "an innie is 10": [
        cs.KillerCage("R1C1 R1C2 R1C3 R1C4", 15),
        cs.KillerCage("R1C5 R1C6 R1C7 R1C8", 20),
    ],
    "the columns of three rows sum to 136": [cs.Sum(c, 15 + (c is ABOVE[8])) for c in ABOVE],
    "little killers over the whole grid sum to 406": [
        cs.LittleKiller(start, "SE", 5 * length + (length == 9)) for start, length in DIAGONALS
    ],
    "a little killer is too large": [cs.LittleKiller("R1C1", "SE", 76)],
}


@pytest.mark.parametrize("rules", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
@pytest.mark.parametrize("backend", ["auto", *backends.BUILT_IN])
def test_contradictory_sums_are_refuted_at_once(backend, rules):
    if backend == "boards":  # they refuse sums
        return
    result = cs.solve(cs.Puzzle.blank(9).add(*rules), backend, timeout=20)
    assert (result.status, result.solutions) == (cs.Status.NONE_EXIST, ())
    assert getattr(result.statistics, "conflicts", 0) == 0
    assert getattr(result.statistics, "nodes", 0) <= 1


def test_killers_have_the_same_solution_either_way():
    """Cages over a whole grid: many innies and outies, over several houses."""
    solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    rows = [[f"R{r}C{c}" for c in range(1, 10)] for r in range(1, 10)]
    value = dict(zip([cell for row in rows for cell in row], map(int, solution), strict=True))
    shapes = [rows[r][c : c + 2] + rows[r + 1][c : c + 1] for r in (0, 2, 4, 6) for c in (0, 3, 6)]
    shapes += [rows[8][c : c + 3] for c in (0, 3, 6)] + [[rows[r][8]] * 1 for r in (0, 4)]
    cages = [cs.KillerCage(" ".join(s), sum(value[c] for c in s)) for s in shapes]
    givens = {cell: value[cell] for row in rows[::3] for cell in row[::2]}
    puzzle = cs.Puzzle.blank(9).add(*cages).with_givens(givens)
    more = with_implied(puzzle.graph)
    assert len(factors(more)) > len(factors(puzzle.graph)) + 5
    ways = [f"{name}:implied={way}" for name in ("sat", "search") for way in ("true", "false")]
    counts = {way: cs.count(puzzle, way, limit=500).value for way in ways}
    assert len({*counts.values()}) == 1, counts


@pytest.mark.parametrize("spec", ["sat", "sat:solver=minisat22", "textbook"])
def test_the_reference_is_solved_without_implied_sums(spec):
    plain = Participant(spec, spec.partition(":")[0], spec).plain
    assert plain.name == spec
    assert ("implied=false" in str(plain.solver)) == spec.startswith("sat")
    backends.get(plain.solver)
