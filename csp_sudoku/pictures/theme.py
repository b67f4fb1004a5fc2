"""Colours by name, for paper and dark screens, that colour-blind people can tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from csp_sudoku.errors import CspSudokuError
from csp_sudoku.plugins import nearest

Theme = Literal["auto", "light", "dark"]

_FONT = '"Helvetica Neue",Helvetica,Arial,"Liberation Sans","DejaVu Sans",sans-serif'

# Each colour on light paper and on a dark screen. The hues follow P. Tol's schemes for colour
# blindness; lines of different meaning differ in width or dashes as well.
_COLOURS = {
    "paper": ("#ffffff", "#1c1e22"),
    "ink": ("#16181d", "#eceae6"),
    "white": ("#ffffff", "#f2f0ec"),  # dots are white or black on any ground
    "black": ("#16181d", "#000000"),
    "thin": ("#b4b8bf", "#4b5058"),
    "found": ("#1f5fbf", "#8ab8ff"),
    "pencil": ("#5b626d", "#a3aab5"),
    "soft": ("#e9ebee", "#2c3037"),
    "lit": ("#ffe79a", "#5c4a12"),
    "clash": ("#f7b9b0", "#6f2a25"),
    "placed": ("#bfe6c8", "#1f5130"),
    "strike": ("#c2281c", "#ff8a7d"),
    "grey": ("#b6bac1", "#6d747f"),
    "green": ("#74cf8a", "#2f9e55"),
    "purple": ("#d98fd8", "#a457a8"),
    "orange": ("#f6ae74", "#c46d2b"),
    "blue": ("#86c4f0", "#3f86bf"),
    "teal": ("#68c9bd", "#2a9188"),
    "gold": ("#e3cd5f", "#a48f21"),
    "red": ("#ee8f86", "#bf4d45"),
    "lilac": ("#bdb4ee", "#7568bf"),
    "brown": ("#cfae8c", "#8a6a48"),
}


def check(theme: str) -> None:
    """Refuse an unknown theme."""
    if theme not in get_args(Theme):
        known = ", ".join(get_args(Theme))
        raise CspSudokuError(f"theme {theme!r}: there are {known}")


def sheet(theme: Theme, roles: Iterable[str]) -> str:
    """Return a style sheet with the fill (``f-…``) and the stroke (``s-…``) of some colours.

    Every rule begins with the class of the theme, so that pictures on one page do not affect each
    other. With the theme ``auto``, print is always on light paper.

    Examples
    --------
    >>> print(sheet("light", ["ink"]).splitlines()[-1])
    .csp-light .f-ink{fill:#16181d}.csp-light .s-ink{stroke:#16181d}
    """
    scope = f".csp-{theme}"
    used = sorted(set(roles))
    base = (
        f"{scope} text{{font-family:{_FONT};font-variant-numeric:tabular-nums}}"
        f"{scope} .bold{{font-weight:600}}"
        f"{scope} .pen,{scope} .rule{{fill:none}}"
        f"{scope} .pen{{stroke-linecap:round;stroke-linejoin:round}}"
    )
    rules = _rules(scope, used, theme == "dark")
    if theme != "auto":
        return f"{base}\n{rules}"
    dark = _rules(scope, used, True)
    return f"{base}\n{rules}\n@media screen and (prefers-color-scheme:dark){{{dark}}}"


def _rules(scope: str, roles: Iterable[str], dark: bool) -> str:
    return "".join(
        f"{scope} .f-{role}{{fill:{_COLOURS[role][dark]}}}"
        f"{scope} .s-{role}{{stroke:{_COLOURS[role][dark]}}}"
        for role in roles
    )


def colour(role: str, *, dark: bool = False) -> str:
    """Return a colour as CSS writes it."""
    return _COLOURS[role][dark]


def check_colour(role: str) -> None:
    """Refuse an unknown colour."""
    if role not in _COLOURS:
        raise CspSudokuError(f"picture: no colour is called {role!r}; {nearest(role, [*_COLOURS])}")
