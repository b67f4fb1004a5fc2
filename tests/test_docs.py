"""Every code block of the documents runs, and prints what stands below it.

In a page, Python shares one namespace and everything shares one folder, in which `examples/` is.

- ``python`` runs; a block ``text`` right below it is what it prints. ``pycon`` is a doctest.
- ``console`` has commands behind ``$`` and what they print; ``sh`` has commands alone. They are
  commands of csp-sudoku; ``> file`` and ``|`` work. One that does not end well is followed by
  ``echo $?``.
- ``json`` is a document, or a rule of one. A block with a title is a file, for those below it.
- What cannot run stands below ``<!-- not run: why -->``, or ``<!-- tests -->`` if CI runs it.

In what is printed, ``…`` stands for anything; times, and where a line is broken, do not count.
"""

import doctest
import importlib
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]

_BLOCK = re.compile(
    r"(?P<marker><!-- [^\n]* -->\n)?"
    r"^(?P<indent> *)```(?P<kind>[\w+-]*)(?P<more>[^\n]*)\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_TITLE = re.compile(r'title="([^"]+)"')
# What a page loads from another place than the site itself.
_ELSEWHERE = re.compile(
    r"<(?:script|img|iframe|source|link[^>]*\bstylesheet)\b[^>]*\b(?:src|href)=.?https?:"
    r"|url\(.?https?:"
)
_TIME = re.compile(r"\b[0-9][0-9.,]*(?=\s*(?:µs|ms|s|seconds?)\b)")


@dataclass
class Block:
    """A code block of a page."""

    kind: str
    text: str
    title: str
    marker: str
    place: str
    shown: str | None = None
    """What a block of text right below it says that it prints."""


def blocks(text: str, page: str) -> list[Block]:
    """The blocks of a page."""
    found: list[Block] = []
    end = -1
    for match in _BLOCK.finditer(text):
        indent = len(match["indent"])
        code = "".join(line[indent:] for line in match["text"].splitlines(keepends=True))
        title = _TITLE.search(match["more"])
        line = text.count("\n", 0, match.start("kind")) + 1
        block = Block(
            match["kind"],
            code,
            title[1] if title else "",
            (match["marker"] or "").strip(),
            f"{page}:{line}",
        )
        below = bool(found) and not text[end : match.start()].strip()
        if block.kind == "text" and below and not block.title:
            found[-1].shown = code
        else:
            found.append(block)
        end = match.end()
    return found


def same(shown: str, printed: str) -> bool:
    """Whether this was printed, as far as it matters."""
    parts = [re.escape(_plain(part)) for part in shown.split("…")]
    return bool(re.fullmatch(r" ?.*? ?".join(parts), _plain(printed)))


def _plain(text: str) -> str:
    return " ".join(_TIME.sub("0", text).split())


class Page:
    """A page under test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, object] = {"__name__": "page"}
        self.status = 0

    def run(self, block: Block) -> None:
        if block.marker == "<!-- tests -->":
            return  # the command by which the tests themselves are run
        if block.marker.startswith("<!-- not run"):
            assert re.fullmatch(r"<!-- not run: .+ -->", block.marker), f"{block.place}: and why?"
            return
        if block.title:
            (self.folder / block.title).write_text(block.text, encoding="utf-8")
        match block.kind:
            case "python":
                self.run_python(block)
            case "pycon":
                self.run_doctest(block)
            case "console":
                self.run_console(block)
            case "sh":
                for line in commands(block.text):
                    self.run_line(line)
                    assert self.status == 0, f"{block.place}: {line} ends with {self.status}"
            case "json":
                check_json(block)
            case "toml":
                tomllib.loads(block.text)

    def run_python(self, block: Block) -> None:
        printed = io.StringIO()
        code = compile(block.text, block.place, "exec")
        with redirect_stdout(printed):
            exec(code, self.names)
        if block.shown is not None:
            compare(block.place, block.shown, printed.getvalue())

    def run_doctest(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(
            block.text, dict(self.names), block.place, block.place, 0
        )
        report = io.StringIO()
        runner = doctest.DocTestRunner(verbose=False)
        runner.run(test, out=report.write)
        assert not runner.failures, report.getvalue()

    def run_console(self, block: Block) -> None:
        parts = re.split(r"^\$ ", block.text.replace("\\\n", " "), flags=re.MULTILINE)
        assert not parts[0].strip(), f"{block.place}: a console begins with a command"
        for part in parts[1:]:
            line, _, shown = part.partition("\n")
            asked = line == "echo $?"
            assert asked or self.status == 0, (
                f"{block.place}: the status {self.status} is not shown"
            )
            printed = f"{self.status}\n" if asked else self.run_line(line)
            if asked:
                self.status = 0
            compare(f"{block.place}: {line}", shown, printed)
        assert self.status == 0, f"{block.place}: {self.status} is not shown"

    def run_line(self, line: str) -> str:
        """Run the commands of a line, one after the other; what the last one prints."""
        words = shlex.split(line, comments=True)
        target = None
        if ">" in words:
            words, (target,) = words[: words.index(">")], words[words.index(">") + 1 :]
        printed = ""
        for part in " ".join(map(shlex.quote, words)).split(" '|' "):
            program, *arguments = shlex.split(part)
            assert program == "csp-sudoku", f"{line}: only csp-sudoku can be run here"
            printed = self.call(arguments, printed)
        if target is None:
            return printed
        (self.folder / target).write_text(printed, encoding="utf-8")
        return ""

    def call(self, arguments: list[str], given: str) -> str:
        raw = io.BytesIO()
        output = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
        stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8")
        try:
            with redirect_stdout(output), redirect_stderr(output):
                self.status = main(arguments)
        finally:
            sys.stdin = stdin
        return raw.getvalue().decode()


def compare(place: str, shown: str, printed: str) -> None:
    assert same(shown, printed), f"{place} prints\n{printed}"


def commands(text: str) -> list[str]:
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def check_json(block: Block) -> None:
    document = json.loads(block.text)
    if isinstance(document, dict) and "type" in document:
        # A rule: on the smallest grid that has its cells.
        for side in (4, 6, 9):
            grids = [
                {"rows": side, "columns": side, "box": list(cs.Puzzle.blank(side).grids[0].box)}
            ]
            whole = {"format": "csp-sudoku", "version": 1, "grids": grids}
            try:
                cs.read(json.dumps(whole | {"constraints": [document]}))
            except cs.CspSudokuError as error:
                refused = error
            else:
                return
        raise refused
    if isinstance(document, dict):
        cs.read(block.text)


def check_page(text: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", folder / "examples")
    monkeypatch.chdir(folder)
    page = Page(folder)
    for block in blocks(text, name):
        page.run(block)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page(path, tmp_path, monkeypatch):
    text = path.read_text(encoding="utf-8")
    check_page(text, str(path.relative_to(ROOT)), tmp_path, monkeypatch)


def test_there_is_one_test_command():
    text = README.read_text(encoding="utf-8")
    assert len(re.findall(r"<!-- tests -->\n```sh\n.*pytest.*\n```", text)) == 1


@pytest.mark.parametrize("made", ["commands", "vocabulary", "writable"])
def test_page_made_of_the_code(made, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_hooks"))
    text = importlib.import_module(made).page()
    assert text.startswith("# ")
    # Their doctests are those of the code, which run there.
    check_page(text.replace("```pycon", "```text"), made, tmp_path, monkeypatch)


def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs", reason="needs the extra docs")
    pytest.importorskip("mkdocstrings", reason="needs the extra docs")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    for path in tmp_path.rglob("*.html"):
        found = _ELSEWHERE.search(path.read_text(encoding="utf-8"))
        assert not found, f"{path.name} loads {found[0]}"


@pytest.mark.parametrize(
    ("shown", "printed", "agree"),
    [
        ("a  b\nc", "a b\nc\n", True),
        ("a\n…\nd", "a\nb\nc\nd", True),
        ("sat 7 ms, 3 clauses", "sat 12 ms, 3 clauses", True),
        ("sat 7 ms, 3 clauses", "sat 7 ms, 4 clauses", False),
        ("a\nb", "a b", True),
        ("", "a", False),
    ],
)
def test_what_counts_as_the_same(shown, printed, agree):
    assert same(shown, printed) is agree
