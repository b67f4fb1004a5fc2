"""The exit codes of the commands, and what the help says about them."""

from __future__ import annotations

from collections.abc import Mapping

SOLVED, NO_SOLUTION, BAD_INPUT, UNDECIDED = 0, 1, 2, 3
SEVERAL, DISAGREEMENT, WRONG_CLAIM, LEFT_OUT, UNANSWERED = 4, 5, 6, 7, 8
FAULT, CANNOT_WRITE, INTERRUPTED, PIPE_CLOSED, TERMINATED = 70, 74, 130, 141, 143

MEANINGS = {
    SOLVED: "solved; one solution; correct; every claim is right; as wished",
    NO_SOLUTION: "no solution; a rule is broken; not minimal; `fuzz`: a fault was found",
    BAD_INPUT: "bad input",
    UNDECIDED: "undecided: time ran out, cells are empty, or the stated solution disagrees",
    SEVERAL: "several solutions (cross-check)",
    DISAGREEMENT: "the solvers disagree (cross-check)",
    WRONG_CLAIM: "a claim is wrong (check --claim, check-claims)",
    LEFT_OUT: "an answer by the rules that were read: others were left out",
    UNANSWERED: "a program under test gave no answer (cross-check)",
    FAULT: "a fault in csp-sudoku; please report it",
    CANNOT_WRITE: "the answer cannot be written: a full disk, a closed output",
    INTERRUPTED: "interrupted",
    PIPE_CLOSED: "the reader of the output went away",
    TERMINATED: "ended by SIGTERM",
}
"""What each code means; it is the same for all commands."""


def exit_status(meanings: Mapping[int, str], *, reads: bool = True) -> str:
    """The last paragraph of a command's help: what its exit codes mean.

    A command that reads puzzles may always read one without some of its rules.

    Examples
    --------
    >>> print(exit_status({0: "made"}, reads=False).lstrip("\\b"))
    <BLANKLINE>
    Exit status:
      0  made
      2  bad input
    """
    shared = (BAD_INPUT, LEFT_OUT) if reads else (BAD_INPUT,)
    known = {code: MEANINGS[code] for code in shared} | dict(meanings)
    width = max(len(str(code)) for code in known)
    lines = [f"  {code:>{width}}  {meaning}" for code, meaning in sorted(known.items())]
    return "\n".join(["\b", "Exit status:", *lines])  # \b: Click keeps the lines as they are


def about_a_part(code: int) -> int:
    """The exit code of an answer, if rules of its puzzle were left out.

    If solvers disagree, one is wrong by any rules. An interrupt is no answer.
    """
    return code if code in (DISAGREEMENT, UNANSWERED, INTERRUPTED) else LEFT_OUT
