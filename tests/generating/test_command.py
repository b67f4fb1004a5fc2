"""The command generate: what it writes, where, and with which exit code."""

from __future__ import annotations

import json

import csp_sudoku as cs
from csp_sudoku.cli import generating, main


def _run(capsys, *arguments):
    code = main(["generate", *arguments])
    return code, *capsys.readouterr()


def test_plain_puzzles_are_lines_of_text(capsys):
    code, out, err = _run(capsys, "--size", "4", "--minimal", "--count", "2", "--seed", "7")
    lines = out.splitlines()
    assert (code, err, len(lines)) == (0, "", 2)
    assert all(cs.is_unique(line) and cs.is_minimal(line) for line in lines)
    assert lines == [
        cs.write_text(made.puzzle) for made in cs.generate_many(2, 4, minimal=True, seed=7)
    ]


def test_variants_are_lines_of_json(capsys, tmp_path):
    out = tmp_path / "puzzles.jsonl"
    arguments = ["--size", "6", "--variant", "killer,thermo:1", "--clues", "0", "--seed", "7"]
    code, printed, err = _run(capsys, *arguments, "--count", "2", "--out", str(out))
    assert (code, printed, err) == (0, "", f"2 puzzles are in {out}\n")
    puzzles = list(cs.read_many(out))
    assert all(cs.is_unique(puzzle) and not puzzle.givens for puzzle in puzzles)
    for line, puzzle in zip(out.read_text().splitlines(), puzzles, strict=True):
        assert cs.verify(puzzle, json.loads(line)["solution"]).ok


def test_json(capsys):
    code, out, _ = _run(capsys, "--size", "4", "--normal", "--rule", "diagonals", "--json")
    made = json.loads(out)
    assert code == 0
    assert made["clues"] == 10
    assert "unique" not in made
    assert cs.read(json.dumps(made["puzzle"])).constraints == (cs.Diagonals(),)


def test_parts_of_one_stream(capsys):
    arguments = ["--size", "4", "--seed", "3", "--rated"]
    _, whole, _ = _run(capsys, *arguments, "--count", "5")
    parts = [
        _run(capsys, *arguments, "--start", start, "--count", count)[1]
        for start, count in (("0", "2"), ("2", "3"))
    ]
    assert "".join(parts) == whole
    first = json.loads(whole.splitlines()[0])
    rating = cs.rate(json.dumps(first["puzzle"]))
    assert (first["difficulty"], first["techniques"]) == (rating.score, dict(rating.counts))


def test_a_run_goes_on_where_it_ended(capsys, tmp_path):
    out = tmp_path / "puzzles.txt"
    arguments = ["--size", "4", "--seed", "3", "--out", str(out), "-q"]
    _run(capsys, *arguments, "--count", "2")
    with open(out, "a", encoding="utf-8") as file:
        file.write("12.")  # killed in the midst of a line
    assert _run(capsys, *arguments, "--count", "4") == (0, "", "")
    whole = [cs.write_text(made.puzzle) for made in cs.generate_many(4, 4, seed=3)]
    assert out.read_text().splitlines() == whole
    arguments[3] = "4"
    code, _, err = _run(capsys, *arguments, "--count", "9")
    assert code == 2
    assert err == (
        f"error: {out} has other puzzles: use the same options and --seed, or another file\n"
    )


def test_an_interrupt_keeps_what_is_done(capsys, tmp_path, monkeypatch):
    out = tmp_path / "puzzles.txt"
    write = generating._write

    def interrupted(path, line):
        write(path, line)
        raise KeyboardInterrupt

    monkeypatch.setattr(generating, "_write", interrupted)
    code, _, err = _run(capsys, "--size", "4", "--count", "5", "--seed", "3", "--out", str(out))
    assert code == 130
    assert err.splitlines() == [
        f"{out} has what was made so far: the same command with --seed 3 continues it",
        "interrupted",
    ]
    assert len(out.read_text().splitlines()) == 1


def test_what_was_not_reached(capsys):
    code, _, err = _run(capsys, "--size", "4", "--clues", "1", "--seed", "1")
    assert code == 3
    assert "givens, not 1" in err


def test_bad_input(capsys, tmp_path):
    assert _run(capsys, "--variant", "nothing")[0] == 2
    assert _run(capsys, "--size", "0")[0] == 2
    assert _run(capsys, "--symmetry", "odd")[0] == 2
    assert _run(capsys, "--size", "4", "--out", str(tmp_path))[0] == 2
