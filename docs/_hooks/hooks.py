"""What MkDocs calls while it builds the site: pages that are made of the code, and formulas."""

from __future__ import annotations

from pathlib import Path

import commands
import formulas
import measured
import pictures
import programs
import reference
import techniques
import vocabulary
import writable
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent.parent


def pages() -> dict[str, str]:
    """The pages that are made of the code, by their place in the site."""
    return {
        "benchmarks.md": measured.page(ROOT),
        "changelog.md": _kept("CHANGELOG.md"),
        "contributing.md": _kept("CONTRIBUTING.md"),
        "examples.md": programs.page(ROOT),
        "reference/command-line.md": commands.page(),
        "reference/techniques.md": techniques.page(ROOT),
        "reference/vocabulary.md": vocabulary.page(),
        "reference/writable.md": writable.page(),
        **reference.pages(),
    }


def _kept(name: str) -> str:
    """A page that is kept at the root of the project; its links are to there."""
    return (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and the pictures that are made of the code.

    Some have a stand-in for readers of a plain checkout, which they replace.
    """
    for place, text in {**pages(), **pictures.files(ROOT), **techniques.pictures(ROOT)}.items():
        if (stand_in := files.get_file_from_path(place)) is not None:
            files.remove(stand_in)
        files.append(File.generated(config, place, content=text))
    return files


def on_page_content(html: str, **_: object) -> str:
    """Turn formulas into MathML, which every browser shows without a script."""
    return formulas.rendered(html)
