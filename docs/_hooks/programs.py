"""The page of the examples: what stands at their heads, and their text."""

from __future__ import annotations

import ast
import json
from pathlib import Path

_HEAD = """\
# Examples

Short programs, each with one idea; they are in the folder `examples/` of the project, and every one
of them runs in the tests.

"""


def page(root: Path) -> str:
    """The text of the page."""
    folder = root / "examples"
    programs = {path: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))}
    parts = [_program(path, text) for path, text in programs.items()]
    parts += [_notebook(path) for path in sorted(folder.glob("*.ipynb"))]
    parts += [_data(path) for path in sorted(folder.glob("*.json"))]
    return _HEAD + "".join(parts)


def _program(path: Path, text: str) -> str:
    tree = ast.parse(text)
    summary = (ast.get_docstring(tree) or "").replace("\n", " ")
    code = "\n".join(text.splitlines()[tree.body[0].end_lineno :]).strip("\n")
    return f"## {path.name} {{#{path.stem}}}\n\n{summary}\n\n```python\n{code}\n```\n\n"


def _notebook(path: Path) -> str:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    lines = [f"## {path.name} {{#{path.stem}}}\n\n"]
    for cell in cells:
        text = "".join(cell["source"]).strip()
        if cell["cell_type"] == "code":
            lines.append(f"```python\n{text}\n```\n\n")
        else:
            lines.append(f"{_lowered(text)}\n\n")
    return "".join(lines)


def _lowered(text: str) -> str:
    """The headings of a notebook below that of its name."""
    return "\n".join(f"##{line}" if line.startswith("#") else line for line in text.splitlines())


def _data(path: Path) -> str:
    text = path.read_text(encoding="utf-8").strip()
    return f"## {path.name} {{#{path.stem}}}\n\nA puzzle as a document.\n\n```json\n{text}\n```\n\n"
