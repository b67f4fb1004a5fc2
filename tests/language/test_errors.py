"""Texts that are no rules: an error points at the place, and no text takes long."""

import inspect
import random
import re
import resource
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku.fuzzing.rules import RuleMaker
from csp_sudoku.language import grammar
from csp_sudoku.language.drawing import condition
from csp_sudoku.language.grammar import COMPARISONS, FUNCTIONS, KEYWORDS, NEIGHBOURS, WHOLE
from csp_sudoku.language.tokens import MOST_LETTERS

# The text, the column, and what the message says.
FAULTS = [
    ("", 1, "expected a number, a cell, a group or a function, not the end"),
    ("R1C1", 1, "a rule is a condition, not a number"),
    ("row 1", 1, "a rule is a condition, not a group"),
    ("R1C1 = 3", 6, "write == to compare"),
    ("R1C1 / 2 == 1", 6, "write // for a division"),
    ("R1C1 == 1.5", 10, "numbers are whole"),
    ("R1C1 + + 2 == 3", 8, "expected a number"),
    ("R1C1 > 2 3", 10, "expected an operator or the end, not '3'"),
    ("(R1C1 > 2", 10, "expected ')'"),
    ("R0C1 > 2", 1, "'R0C1' is not a cell"),
    ("$ > 2", 1, "a name is letters"),
    ("R1C1 and R1C2", 1, "expected a condition, not a number"),
    ("not R1C1", 5, "expected a condition"),
    ("R1C1 + row 1 == 3", 8, "expected a number, not a group"),
    ("R1C1 in R1C2", 9, "expected a group, not a number"),
    ("sume(row 1) == 3", 1, "'sume' is not known here; did you mean sum"),
    ("a > 3", 1, "'a' is not known here"),
    ("sum row 1 == 3", 5, "expected '(' after sum"),
    ("abs(R1C1, R1C2) == 3", 1, "abs takes 1 argument"),
    ("min() == 3", 1, "min needs at least one number"),
    ("row(1, 2, 3) == 3", 1, "row takes 1 or 2 arguments"),
    ("all(a > 1 for a, b in row 1)", 23, "its items are numbers, not groups of 2"),
    ("all(a > 1 for a, b in rows)", 23, "its items have 9 parts, not 2"),
    ("all(a > 1 for min in row 1)", 15, "a name that means nothing else"),
    ("all(a > 1 for a in row 1 for a in row 2)", 30, "expected another name"),
    ("all(a > 1 for a in 3)", 20, "expected a group, not a number"),
    ("sum(row 10) == 3", 5, "row 10: the grid has 9"),
    ("sum(box 0) == 3", 5, "box 0: the grid has 9"),
    ("sum(row R1C1) == 3", 9, "expected"),
    ("sum(row(R1C1)) == 3", 9, "depends on no cell"),
    ("sum(row(1, 2)) == 3", 5, "grid 2: the puzzle has 1"),
    ("cell(1, 10) == 3", 1, "there is no such cell"),
    ("sum(neighbours(3)) == 3", 16, "this must be a cell"),
    ("sum(neighbours(R1C1, queen)) == 3", 22, "expected one of orthogonal"),
    ("sum(cells(R1C1-3)) == 3", 16, "expected a cell"),
    ("sum([R1C1, row 1]) == 3", 5, "either numbers or groups"),
    ("if R1C1 > 2 R1C2 > 3", 13, "expected 'then'"),
    ("sum(a * b for a, b in zip(row 1, 1..3)) == 3", 23, "one group has 9 items"),
    ("all(a > 1 for a, b in zip(rows, row 1))", 27, "zip takes groups of one kind"),
    ("R1C1 > 1234567890", 8, "at most 9 digits"),
    ("R1C1 > 2 \x00", 10, "means nothing here"),
]


@pytest.mark.parametrize(("text", "column", "words"), FAULTS, ids=[text for text, *_ in FAULTS])
def test_an_error_points_at_the_place(text, column, words):
    with pytest.raises(cs.ConstraintError) as caught:
        cs.Puzzle.blank(9).add(cs.rule(text))
    message = str(caught.value)
    assert f"column {column}" in message
    assert words in message
    assert "\n" not in message


def test_a_rule_needs_a_cell_of_the_puzzle():
    for text, words in (("1 < 2", "no cell"), ("R9C9 > 1", "outside"), ("$x > 1", "not declared")):
        with pytest.raises(cs.ConstraintError, match=words):
            cs.Puzzle.blank(4).add(cs.rule(text))


HOSTILE = {
    "long": "R1C1 > 1 or " * 5_000 + "R1C1 > 1",
    "brackets": "(" * 1_900 + "R1C1 > 1" + ")" * 1_900,
    "nots": "not " * 900 + "R1C1 > 1",
    "signs": "-" * 3_000 + "R1C1 > 1",
    "products": "R1C1" + " * 2" * 900 + " > 1",
    "remainders": "R1C1" + " % 2" * 900 + " > 1",
    "conditions": "if R1C1 > 1 then " * 200 + "R1C1 > 1",
    "a wide range": "sum(1..999999999) > R1C1",
    "a wide rectangle": "sum(cells(R1C1-R9999C9999)) > 1",
    "nested loops": "all(a > b for a in grid for b in grid for c in grid for d in grid)",
    "pairs of pairs": "all(R1C1 > 1 for a in pairs(pairs(pairs(grid))))",
    "doubling": "R1C1 > sum(z for a in [R1C1] "
    + " ".join(f"for {n} in [{m} * {m}]" for m, n in pairwise("abcdefghijklmnopqrstuvwxyz"))
    + ")",
    "many shapes": "all(a * a * b + i * c - d > i"
    " for i in 1..2000 for a, b, c, d in [cells(R1C1-R1C4)])",
    "a large product": "product(grid) == 5",
    "a large sum of products": "sum(a * b * 999999999 for a, b in pairs(row 1)) == 5",
    "large numbers": "R1C1 * 999999999 * R1C2 * 999999999 == R1C3 * R1C4 * R1C5",
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_texts_are_refused_or_compiled(kind):
    survives(HOSTILE[kind], cs.Puzzle.blank(9), compile_it=True)


# Random texts; as a program it runs as many as it is told and reports the slowest:
# ``python tests/language/test_errors.py 100000``.

PUZZLES = [
    cs.Puzzle.blank(4),
    cs.Puzzle.blank(9),
    cs.Puzzle.blank(2, 5, box=None, values=range(5)).with_named("x", range(9)),
]
WORDS = [
    *KEYWORDS, *FUNCTIONS, *WHOLE, *NEIGHBOURS, *COMPARISONS, *"+-*%()[],:$=&|.", "//", "..", "a",
    "b", "0", "1", "3", "9", "999999999", "R1C1", "R2C3", "R9C9", "$x", "x:R1C1", "row 1",
    "for a in", "for a, b in pairs(grid)", "²", "é", "\ud800", "\n", "not not", "R1C1-R9C9", "((((",
]  # fmt: skip


def random_text(rng):
    """A good text, one with a few faults, or a heap of words."""
    if rng.random() < 0.2:
        return " ".join(rng.choices(WORDS, k=rng.randint(1, 30)))
    text = condition(RuleMaker(rng.choice(PUZZLES), None, rng), rng.randint(0, 3))
    for _ in range(rng.choice([0, 0, 1, 1, 2, 5])):
        at = rng.randrange(len(text) + 1)
        end = at + rng.choice([0, 0, 1, 4, 20])
        match rng.randrange(4):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:at] + rng.choice(WORDS) + text[end:]
            case 2:
                text = text[:end] + text[at:end] * rng.choice([1, 5, 200]) + text[end:]
            case 3:
                text = text.replace("R1C1", rng.choice(WORDS), 1)
    return text


def survives(text, puzzle, *, compile_it):
    """Whether a text is a rule of the puzzle; only our errors may come out."""
    try:
        rule = cs.rule(text)
        made = puzzle.add(rule)
        if compile_it:
            assert made.graph
    except (cs.ConstraintError, cs.BudgetError) as error:
        message = str(error)
        assert len(message) < 500, message[:600]
        assert "\n" not in message, message
        return False
    return True


def test_random_texts():
    rng = random.Random(1)
    good = sum(
        survives(random_text(rng), rng.choice(PUZZLES), compile_it=i % 5 == 0) for i in range(1_000)
    )
    assert 200 < good < 900


def test_the_longest_text_is_read():
    text = "R1C1 > 1"
    text += " or R1C1 > 1" * ((MOST_LETTERS - len(text)) // 12)
    assert cs.count(cs.Puzzle.blank(4).add(cs.rule(text))).value == 216


def test_the_guide_has_the_grammar_and_every_name():
    page = Path(__file__).parents[2] / "docs" / "how-to" / "rules-as-text.md"
    text = page.read_text(encoding="utf-8")
    stated = inspect.cleandoc(grammar.__doc__ or "").partition("::\n\n")[2]
    lines = [line.strip() for line in stated.splitlines() if line.startswith("    ")]
    assert len(lines) > 15
    assert "\n".join(lines) in "\n".join(line.strip() for line in text.splitlines())
    for name in (*FUNCTIONS, *WHOLE, *KEYWORDS, *NEIGHBOURS, *COMPARISONS):
        assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text.partition("## Grammar")[0]), name


def main(count):
    rng = random.Random(2)
    good, slowest, worst = 0, 0.0, ""
    for number in range(count):
        text, puzzle = random_text(rng), rng.choice(PUZZLES)
        started = time.process_time()
        try:
            good += survives(text, puzzle, compile_it=number % 5 == 0)
        except BaseException:
            print(f"text {number}: {text[:500]!r}")
            raise
        if (seconds := time.process_time() - started) > slowest:
            slowest, worst = seconds, text
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{count} texts, {good} rules, {count - good} refused; slowest {slowest:.3f} s "
        f"({worst[:200]!r}); {memory} MB at most"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
