"""The page of changes: the changelog as it is."""

from __future__ import annotations

from pathlib import Path


def page(root: Path) -> str:
    """The text of the page."""
    return (root / "CHANGELOG.md").read_text(encoding="utf-8")
