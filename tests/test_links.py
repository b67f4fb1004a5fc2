"""The links of the Markdown in the repository lead to something in the repository."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_CODE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\)")
_MADE = "; python docs/_hooks/pictures.py writes the pictures of pages"
_HEADING = re.compile(r"^#+\s+(.*?)(?:\s*\{\s*#([\w-]+)\s*\})?\s*$", re.MULTILINE)


def pages():
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    found = [ROOT / name for name in listed.stdout.splitlines()] or [*ROOT.rglob("*.md")]
    return sorted(path for path in found if ".venv" not in path.parts and path.exists())


def anchors(page):
    """The anchors of the headings, as sites of code and MkDocs make them."""
    found = set()
    for title, own in _HEADING.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        plain = re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", title)
        found |= {own, re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")}
    return found


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    for target in _LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        file = (page.parent / place).resolve() if place else page
        assert file.exists(), f"{page.name}: {target} is not in the repository{_MADE}"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{page.name}: {target} names no heading"
