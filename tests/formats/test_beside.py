"""Comments beside grids: they are not read, so they must not say a rule."""

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry
from csp_sudoku.formats import read_many
from csp_sudoku.formats.beside import without_rules

GRID = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = "\n".join(GRID[i : i + 9] for i in range(0, 81, 9))
PLACES = {
    "behind": f"{GRID}  {{}}",
    "behind a sign": f"{GRID} # {{}}",
    "in a field": f"{GRID},{{}}",
    "above": f"# {{}}\n{GRID}",
    "above rows": f"#R {{}}\n{ROWS}",
    "below rows": f"{ROWS}\n\n  # {{}}\n",
    "behind the second": f"{GRID}\n{GRID};{{}}\n",
}
# Also what people call hard puzzles, and the parts of lists.
_OF_EVERYDAY = {"stars", "path"}


@pytest.mark.parametrize("place", PLACES)
def test_a_comment_that_may_say_a_rule_is_refused_unless_the_caller_says_the_rules(place):
    text = PLACES[place].format("the knight's rule applies")
    with pytest.raises(cs.FormatError, match="line [0-9]*: the comment .*knight"):
        list(read_many(text))
    for puzzle in read_many(text, [cs.AntiKnight()]):
        assert puzzle == cs.read(GRID, [cs.AntiKnight()])
    for puzzle in read_many(text, like=cs.Puzzle.blank(9)):
        assert puzzle == cs.read(GRID)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("comment", ["by Ann, 2006-01-02", "ED=10.6/1.2", "Symmetry: diagonal"])
def test_other_comments_do_no_harm(place, comment):
    assert {*read_many(PLACES[place].format(comment))} == {cs.read(GRID)}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("label", ["X", "sudoku x", "X Sudoku", "Samurai", "XV", "odd-even"])
def test_labels_of_collections_say_rules(place, label):
    text = PLACES[place].format(label)
    with pytest.raises(cs.FormatError, match="may be a rule"):
        list(read_many(text))
    for field in ("type", "kind", "variant", "title", "comment"):
        with pytest.raises(cs.FormatError, match=f"'{field}' may hold rules"):
            list(read_many(f"puzzle,{field}\n{GRID},{label}\n"))
    [plain] = read_many(f"puzzle,title\n{GRID},Malcolm X\n")
    assert plain == cs.read(GRID)


def test_every_rule_of_the_whole_grid_is_known_by_its_names():
    for name, kind in registry.built_in().items():
        if not registry.needs(kind):
            for each in {name, *kind.aliases} - _OF_EVERYDAY:
                with pytest.raises(cs.FormatError, match="may be a rule"):
                    list(without_rules([f"{GRID} {each}"]))


def test_a_long_file_is_looked_at_line_by_line(tmp_path, monkeypatch):
    monkeypatch.setattr("csp_sudoku.formats.sources.MAX_BYTES", 1_000)
    path = tmp_path / "long.txt"
    path.write_text(f"{GRID}\n" * 50 + f"{GRID} diagonals\n", encoding="utf-8")
    with pytest.raises(cs.FormatError, match="line 51: the comment 'diagonals'"):
        list(read_many(path))
    assert len(list(read_many(path, [cs.Diagonals()]))) == 51
