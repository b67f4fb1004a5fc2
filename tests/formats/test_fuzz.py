"""Damaged input of every kind: only our own errors come out.

As a program it runs as many inputs as it is told, and reports the slowest and the memory:
``python tests/formats/test_fuzz.py 100000``.
"""

import json
import random
import resource
import sys
import time
from contextlib import suppress
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_sudoku.constraints import registry
from csp_sudoku.formats import (
    DIALECTS,
    lzstring,
    read,
    read_grid,
    read_many,
    sudokupad,
    write_json,
    write_text,
)

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = "\n".join(CLASSIC[i : i + 9] for i in range(0, 81, 9))
JIGSAW = "AAAABBAACBBBCCCCCBDDDEEEDDDEEEFFFFFF"
BIG = cs.Puzzle.blank(16).with_givens({"R1C1": 16, "R2C3": 1, "R9C9": 10})
RICH = (
    cs.Puzzle.blank(6, regions=JIGSAW)
    .with_named("x", range(3, 8))
    .with_givens({"R1C1": 1, "R2C2": [2, 3], "$x": [4, 5]})
    .add(
        cs.AntiKnight(),
        cs.KillerCage("R1C1 R1C2", 5),
        cs.Sum(["R1C1 R1C2", "$x"], 0, (1, 1, -1)),
        ~cs.Thermometer("R1C1-R1C3") | (cs.Arrow("R1C1", "R2C2 R3C3") & cs.Diagonals(rising=False)),
        cs.Table("R1C1 R1C2", [(1, 2), (3, 4)]),
        cs.StateMachine("R1C1-R1C3", [(0, 1, 1), (1, 2, 0)], accepting=[0, 1]),
    )
)
# What other programs write: most of their shapes of entries.
FOREIGN = (
    cs.Puzzle.blank(6)
    .with_givens({"R1C1": 1})
    .add(
        cs.AntiKnight(),
        cs.KillerCage("R1C1 R1C2", 5),
        cs.Whisper("R2C1-R2C3", 2),
        cs.Difference("R3C1 R3C2"),
        cs.PairSum("R3C3 R3C4", 5),
        cs.Quadruple("R1C1-R2C2", [1, 2]),
        cs.Arrow("R4C1", "R4C2 R4C3"),
        cs.PillArrow("R5C1 R5C2", "R6C1-R6C6"),
        cs.Clone(["R1C3", "R2C5"]),
        cs.LittleKiller("R1C2", "SE", 12),
        cs.XSum("R1", 6),
        cs.Odd("R6C6"),
        cs.Minimum("R1C6"),
    )
)
WORDS = FOREIGN.add(
    cs.Regex("R1C1 R1C2", "1.*"),
    cs.StateMachine("R1C1-R1C3", [(0, 1, 1), (1, 2, 0)], accepting=[0, 1]),
    cs.Pair("R1C1 R1C2", [(1, 2)]),
    cs.Sum("R1C1 R1C2", 0, (2, -1)),
    cs.EqualSum(["R1C1 R1C2", "R2C1"]),
    cs.KillerCage("R1C1 R1C2", 5) | cs.Thermometer("R1C1-R1C3"),
)
# What SudokuPad draws and says: most kinds of drawings, and of sentences.
DRAWN = FOREIGN.add(
    cs.Thermometer("R5C3-R5C5"),
    cs.Renban("R1C4 R2C4 R2C5"),
    cs.Between("R3C6 R4C6 R5C6"),
    cs.Ratio("R4C4 R4C5"),
    cs.GreaterThan("R4C4 R3C4"),
    cs.Even("R6C5"),
    cs.Sandwich("C2", 4),
    cs.Skyscraper("R3", 2, reverse=True),
    cs.Sum("R2C1 R3C1", 5),
    cs.Diagonals(rising=False),
    cs.CountDistinct("R2C1 R2C2 R2C3"),
)
GIVEN = cs.Puzzle.blank(4).with_givens({"R1C1": 3, "R2C2": 1, "R3C2": 3, "R4C4": 1})
TOLD = cs.Reading(
    GIVEN.add(cs.Thermometer("R2C2 R1C2 R1C1")),
    title="A title",
    author="An author",
    rules="Grey lines with a bulb are thermometers: digits increase from the bulb.\nHave fun!",
    solution=tuple(map(int, "3214412313422431")),
)
COSMETIC = {
    "size": 6,
    "grid": [[{}] * 6] * 6,
    "ruleset": "Whisper: Adjacent digits along green lines differ by at least 3. Purple lines are "
    "renban lines. Digits joined by a white dot are consecutive; not all dots are given. Grey "
    "circles are odd. Digits do not repeat in a cage and sum to its number. Clues outside the grid "
    "are the sums of the digits between 1 and 6 in their row or column.",
    "line": [
        {"lines": [["R1C1", "R1C2", "R2C3"]], "outlineC": "#67F067", "width": 0.2},
        {"lines": [["R3C1", "R3C2"]], "outlineC": "#F067F0", "width": 0.2},
    ],
    "circle": [
        {"cells": ["R4C1", "R4C2"], "baseC": "#FFF", "outlineC": "#000", "width": 0.3,
         "height": 0.3},
        {"cells": ["R6C6"], "baseC": "#CFCFCF", "outlineC": "#CFCFCF", "width": 0.8, "height": 0.8},
    ],
    "text": [{"cells": ["R0C3"], "value": "7", "fontC": "#000", "size": 0.7}],
    "cage": [{"cells": ["R5C1", "R5C2"], "value": "9", "outlineC": "#000"}],
}  # fmt: skip
DOCUMENTS = [
    json.loads(cs.write_scl(DRAWN)),
    json.loads(cs.write_scl(TOLD)),
    json.loads(cs.write_fpuzzles(FOREIGN)),
    COSMETIC,
]
FOUR = [[1, 0, None], [0, 2, 0], [None, 0, 3]]

SEEDS = [
    text.encode()
    for text in (
        CLASSIC,
        ROWS,
        f"#A Author\n{ROWS}\n",
        f"[Puzzle]\n{ROWS}\n[State]\n{ROWS}\n",
        f"{CLASSIC} # easy\n{CLASSIC}\n{CLASSIC}\n",
        f"{ROWS}\n\n{ROWS}\n\n{ROWS}\n",
        f"Grid 01\n{ROWS}\nGrid 02\n{ROWS}\n",
        write_text(read(CLASSIC), form="frame"),
        write_text(read(CLASSIC), form="candidates"),
        cs.pictures.terminal.draw(read(CLASSIC)),
        "\n".join(" ".join(s if s != "." else "129" for s in row) for row in ROWS.split()),
        "\n".join(" ".join(s if s != "." else "u4" for s in row) for row in ROWS.split()),
        write_text(BIG),
        write_text(BIG, form="matrix"),
        write_text(BIG, form="frame"),
        write_text(BIG, dialect="1-9A-G"),
        write_text(BIG, dialect="A-P"),
        "0F" + "." * 254,
        "".join(f"{value:02}" for value in [12, 3] + [0] * 254),
        "1" + "." * 35 + JIGSAW,
        f"puzzle,solution\n{CLASSIC},{CLASSIC}\n",
        f'<opensudoku><game data="{CLASSIC}"/></opensudoku>',
        '<opensudoku version="2"><folder><game data="version: 3&#10;'
        + "".join(f"{v}|0|{int(v == '.')}|" for v in CLASSIC.replace(".", "0"))
        + '"/></folder></opensudoku>',
        write_json(RICH),
        write_json(BIG),
        json.dumps(FOUR),
        cs.write_fpuzzles(FOREIGN),
        cs.write_link(FOREIGN),
        cs.write_sudokumaker(FOREIGN),
        cs.write_iss(WORDS),
        cs.write_iss(WORDS).replace(".Or", ".Replicate~BE.Or").replace(".End", ".End.End"),
        cs.write_scl(DRAWN),
        cs.write_scl(TOLD),
        sudokupad.write_link(DRAWN),
        json.dumps(COSMETIC),
    )
]
# What breaks readers: signs with a meaning, and values at the edge of one.
TOKENS = [
    b"", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", "９".encode(), "²".encode(),
    b"0", b"1", b"9", b"A", b"G", b"x", b"u", b".", b"-", b"?", b"|", b"+", b"#", b"=", b"\n",
    b"\r\n", b" ", b",", b";", b"[", b"]", b"{", b"}", b'"', b":", b"<", b">", b"&", b"\\", b"$",
    b"NaN", b"Infinity", b"-1", b"1e999", b"null", b"true", b"1" * 400, b"R10C1", b"R1C1-R9C9",
    b"R1C1-R9999C9999", b'{"type":"or","parts":[', b'"type":"not"', b"[" * 300, b"{" * 300,
    b"~", b"~~", b"~-", b"_", b".Or", b".And", b".End", b".Replicate~_~", b"R1C1", b"VA", b"LOOP",
    b'"lines":', b'"cells":', b'"value":', b'"negative":', b"[[", b"]]", b'"type":', b"[0,1]",
    b"--------", b"[Puzzle]", b"&a;", b'<!ENTITY a "b">', b'"rows":64', b'"top":9000',
]  # fmt: skip


# What breaks readers of documents: other types, numbers at the edge, and words of rules texts.
ODD = [
    None, True, False, 0, -1, 1, 1.5, 10**30, -(10**30), 1e308, "", "0", "R1C1", "R0C0", "R99C99",
    "#", "#12", "#ff00", "#zzzzzz", "９", "²", "\ud800", "\u202e", "a\nb", "1" * 5_000, [], {},
    [[]], [[0, 0]], [[-1, 99]], [0.5, 0.5], [[[[[[]]]]]], {"cells": []}, {"cells": [[0, 0]]},
    [None] * 300,
]  # fmt: skip
SAYINGS = [
    *(kind.saying for kind in registry.built_in().values() if kind.saying),
    "Normal sudoku rules apply.", "All dots are given.", "Not all dots are given.", "9 or more",
    "at least", "Whispers:", "red", "(", ")", "1-9", "e.g.", "no", "R1C1", "\u202e", "é" * 99,
]  # fmt: skip


def mutated(rng):
    """A good document with a few parts changed, left out or repeated, as text or as a link."""
    text = json.dumps(rng.choice(DOCUMENTS))
    for _ in range(rng.choice([1, 1, 2, 5])):
        document = json.loads(text)
        spots = list(places_in(document))
        holder, key = rng.choice(spots)
        match rng.randrange(6):
            case 0:
                del holder[key]
            case 1:
                holder[key] = rng.choice(ODD)
            case 2:
                other, there = rng.choice(spots)
                holder[key] = other[there] if holder is not other[there] else None
            case 3 if isinstance(holder, list):
                holder[key:key] = [holder[key]] * rng.choice([1, 3, 200])
            case _:
                texts = [(h, k) for h, k in spots if k in ("rules", "ruleset")]
                holder, key = rng.choice(texts or spots)
                words = f"{holder[key]}".split(" ")
                at = rng.randrange(len(words))
                words[at : at + rng.choice([0, 1, 9])] = rng.sample(SAYINGS, rng.choice([0, 1, 3]))
                holder[key] = " ".join(words)
        with suppress(ValueError):  # a part of itself is no document
            text = json.dumps(document)
    if '"cells"' in text and rng.random() < 0.3:
        text = "https://sudokupad.app/scl" + lzstring.compress(text)
    if rng.random() < 0.1:
        text = text[: rng.randrange(len(text))]
    return text.encode("utf-8", "surrogatepass")


def places_in(value):
    """All places in a document: an object or a list, and a key of it."""
    for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(item, dict | list):
            yield from places_in(item)


def damaged(rng):
    """A good file with a few faults."""
    if rng.random() < 0.3:
        return mutated(rng)
    data = bytearray(rng.choice(SEEDS))
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice([0, 1, 1, 2, 9, 81, 1000]))
        match rng.randrange(7):
            case 0:
                data[at:end] = b""
            case 1:
                data[at:at] = rng.choice(TOKENS)
            case 2:
                data[at:end] = rng.choice(TOKENS)
            case 3:
                data[at:at] = data[at:end] * rng.choice([1, 2, 20])
            case 4:
                data[at:end] = bytes(rng.randrange(256) for _ in range(end - at))
            case 5:
                other = rng.choice(SEEDS)
                data[at:] = other[rng.randrange(len(other)) :]
            case 6:
                data[at:at] = rng.choice(TOKENS) * rng.choice([2, 100, 5000])
    return bytes(data)


LIKES = [cs.Puzzle.blank(9), cs.Puzzle.blank(4, values=range(4)), RICH.without_givens(), BIG]


def attempts(data, rng):
    """The ways into the readers, the usual ones more often."""
    for _ in range(4):
        yield lambda: read(data)
        yield lambda: list(islice(read_many(data), 20))
    yield lambda: read_grid(data, rng.choice(LIKES))
    yield lambda: read(data, like=rng.choice(LIKES), dialect=rng.choice([None, *DIALECTS]))
    yield lambda: read(data, lenient=True)
    yield lambda: read(data, size=rng.choice([4, 9, 16, (3, 5)]), box=None)
    yield lambda: read(data.decode("utf-8", "surrogateescape"), values=range(rng.randint(1, 20)))


def survives(attempt):
    """Whether an attempt ends in a puzzle or in an error of ours, of one line."""
    try:
        attempt()
    except cs.CspSudokuError as error:
        message = str(error)
        assert "\n" not in message, message[:500]
        # An error lists all that was not understood; each part is short.
        parts = message.split("; ")
        assert max(map(len, parts)) < 500, max(parts, key=len)[:600]
        assert len(message) < 500 * 201
        return False
    return True


def test_damaged_files():
    rng = random.Random(1)
    read_well = 0
    for _ in range(400):
        data = damaged(rng)
        read_well += survives(rng.choice(list(attempts(data, rng))))
    # Some faults do no harm; if none or all were read, nothing was tested.
    assert 10 < read_well < 300


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: ascii(seed[:20]))
def test_the_seeds_are_good(seed):
    arguments = {"dialect": "candidates"} if b" 129" in seed else {}
    assert list(read_many(seed, **arguments))


@settings(deadline=None)
@given(st.one_of(st.binary(), st.text().map(str.encode)))
def test_any_bytes(data):
    survives(lambda: read(data))
    survives(lambda: list(read_many(data)))


@settings(deadline=None)
@given(st.text(alphabet="0123456789.ABGX-|+ \n", max_size=100), st.sampled_from([None, *DIALECTS]))
def test_any_signs_of_grids(text, dialect):
    survives(lambda: read(text, dialect=dialect))


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["R1C1", "$x", "or", "killer-cage"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "cells",
                    "sum",
                    "parts",
                    "part",
                    "rows",
                    "box",
                    "values",
                    "regions",
                    "R1C1",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {"format": st.just("csp-sudoku"), "version": st.just(1), "grids": values},
        optional={"named": values, "givens": values, "constraints": values},
    )
    | st.fixed_dictionaries(
        {
            "format": st.just("csp-sudoku"),
            "version": st.just(1),
            "grids": st.just([{"rows": 4}]),
            "constraints": st.lists(values),
        },
        optional={"givens": values},
    )
)
def test_any_document(document):
    survives(lambda: read(json.dumps(document)))


def main(count):
    rng = random.Random(2)
    read_well, slowest, worst, longest = 0, 0.0, b"", 0
    for number in range(count):
        data = damaged(rng)
        attempt = rng.choice(list(attempts(data, rng)))
        started = time.process_time()
        try:
            read_well += survives(attempt)
        except BaseException:
            print(f"input {number}: {data[:500]!r}")
            raise
        seconds = time.process_time() - started
        longest = max(longest, len(data))
        if seconds > slowest:
            slowest, worst = seconds, data
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{count} inputs, {read_well} read, {count - read_well} refused; longest {longest} bytes; "
        f"slowest {slowest:.3f} s ({worst[:40]!r}); {memory} MB at most"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
