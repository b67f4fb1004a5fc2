"""Every example runs, and the notebook too.

``python tests/test_examples.py`` runs the notebook and saves its outputs in it.
"""

import ast
import json
import runpy
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
# How a notebook shows the last value of a cell, the best form first.
FORMS = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr()
    assert printed.out
    assert not printed.err


def run(cell, names, title):
    """Run a cell of a notebook, and return its outputs."""
    parts = ast.parse("".join(cell["source"])).body
    value = None
    with redirect_stdout(StringIO()) as printed:
        last = parts.pop() if parts and isinstance(parts[-1], ast.Expr) else None
        exec(compile(ast.Module(parts, []), title, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), title, "eval"), names)
    outputs = []
    if text := printed.getvalue():
        lines = text.splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        method = next((form for form in FORMS if hasattr(value, form)), None)
        shown = getattr(value, method)() if method else repr(value)
        data = {FORMS.get(method, "text/plain"): shown.splitlines(keepends=True)}
        outputs.append({"data": data, "metadata": {}, "output_type": "display_data"})
    return outputs


def outputs_of(notebook, title):
    """Run a notebook, and return the outputs of its cells of code."""
    names = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [run(cell, names, f"{title}, cell {i}") for i, cell in enumerate(cells, 1)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    saved = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    # Another version of a solver counts other guesses, but it says as much.
    assert [*map(kinds, saved)] == [*map(kinds, outputs_of(notebook, path.name))], (
        "its outputs are old: python tests/test_examples.py saves them"
    )


def kinds(outputs):
    """How many lines a cell prints, and in which form it shows its last value."""
    return [(len(each.get("text", ())), *each.get("data", ())) for each in outputs]


if __name__ == "__main__":
    for path in NOTEBOOKS:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        found = iter(outputs_of(notebook, path.name))
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"] = next(found)
        text = json.dumps(notebook, indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")
