"""Our proofs, checked by programs of others where they are installed: nobody has to believe us."""

import shutil
import subprocess

import pytest

import csp_sudoku as cs

PUZZLES = {
    "one solution": "0100300140020040",
    "two solutions": "..3434214312..43",
    "none, by the givens": "12....3.........",
    "none, by the rules": cs.Puzzle.blank(4).add(
        cs.KillerCage("R1C1 R1C2", 3), cs.KillerCage("R2C1 R2C2", 3)
    ),
    "twelve solutions": cs.Puzzle.blank(6).add(cs.AntiKnight(), cs.KillerCage("R1C1-R1C3", 6)),
}
CHECKERS = {
    "drat-trim": (".drat", "s VERIFIED"),
    "lrat-check": (".lrat", "c VERIFIED"),
    "cake_lpr": (".lrat", "s VERIFIED UNSAT"),
}


@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize("checker", CHECKERS)
def test_an_outside_checker_accepts_our_proofs(checker, name, tmp_path):
    program = shutil.which(checker)
    if program is None:
        pytest.skip(f"{checker} is not installed")
    suffix, verdict = CHECKERS[checker]
    agreement = cs.cross_check(PUZZLES[name], ["sat"], isolate=False, limit=None)
    formula, proof = agreement.write_proof(tmp_path / f"out{suffix}")

    def says(formula):
        done = subprocess.run(
            [program, formula, proof], capture_output=True, text=True, check=False
        )
        return [line.strip() for line in done.stdout.replace("\r", "\n").splitlines()]

    assert verdict in says(formula)
    if agreement.solutions:
        # Without the clauses against the known solutions, the formula has these.
        lines = formula.read_text().splitlines(keepends=True)
        known = len(agreement.solutions)
        *_, variables, clauses = next(line for line in lines if line[0] == "p").split()
        kept = [f"p cnf {variables} {int(clauses) - known}\n" if line[0] == "p" else line
                for line in lines[:-known]]  # fmt: skip
        formula.write_text("".join(kept))
        assert verdict not in says(formula)
