"""The legend under a picture: a key of its marks, and sentences for rules without a mark."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from csp_sudoku.pictures.margin import framed
from csp_sudoku.pictures.marks import Sample
from csp_sudoku.pictures.svg import CHARACTER, Point, element, label, path

SIZE = 17.0
"""The size of the font; a cell is 64 wide."""

# Cells in a row: ``R1C1 R1C2-R1C4 region:R3C3``.
_PLACES = re.compile(r"(?:[\w:]*R\d+C\d+[\w-]* ?)+")

# The width of a sample, which stands before its name.
_SAMPLE = 48.0


def legend(
    key: Mapping[str, Sample], sentences: Iterable[str], width: float, scale: float
) -> tuple[str, float]:
    """Draw the legend at the origin, in the given width; return the drawing and its height.

    `scale` enlarges it, for pictures of very large grids.
    """
    # Lay out everything at its usual size, then enlarge it as a whole.
    width /= scale
    drawn, height = _key(key, width)
    line = 1.5 * SIZE
    if key and sentences:
        height += 0.4 * SIZE
    for text in _gathered(sentences):
        for i, words in enumerate(_wrapped(text, width / SIZE)):
            point = (0.0 if i == 0 else SIZE, height + line / 2)
            drawn.append(label(words, point, SIZE, "f-ink", anchor="start"))
            height += line
        height += 0.2 * SIZE
    whole = "".join(drawn)
    return (element("g", whole, transform=f"scale({scale:.3g})") if scale != 1 else whole), (
        height * scale
    )


def _key(key: Mapping[str, Sample], width: float) -> tuple[list[str], float]:
    """Draw the key in columns as wide as the longest name; return it and its height."""
    if not key:
        return [], 0.0
    wide = _SAMPLE + CHARACTER * SIZE * max(map(len, key)) + SIZE
    columns = max(1, int((width + SIZE) / wide))
    line = 1.6 * SIZE
    drawn = []
    for i, (name, sample) in enumerate(key.items()):
        x, y = i % columns * wide, (i // columns + 0.5) * line
        drawn.append(_sample(sample, (x, y)))
        drawn.append(label(name, (x + _SAMPLE, y), SIZE, "f-ink", anchor="start"))
    return drawn, line * -(-len(key) // columns)


def _wrapped(text: str, width: float) -> list[str]:
    """Break a text into lines of a width, as a multiple of the size of the font.

    The lines after the first one are indented by 1. A word that is too long has a line of its own.
    """
    lines: list[str] = []
    for word in text.split():
        if lines and _width(f"{lines[-1]} {word}") <= width - (len(lines) > 1):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _width(text: str) -> float:
    """The width of a text, as a multiple of the size of the font, in a font that is rather wide."""
    narrow = sum(letter in " .,:;()'ijlftr|" for letter in text)
    wide = sum(letter.isupper() or letter.isdigit() or letter in "mw+×" for letter in text)
    return 0.36 * narrow + 0.68 * wide + 0.59 * (len(text) - narrow - wide)


def _gathered(sentences: Iterable[str]) -> list[str]:
    """Join sentences that say the same, or the same of several places.

    >>> _gathered(["R1C1 R1C2 sum to 5.", "R3C1 R3C2 sum to 5.", "All is odd.", "All is odd."])
    ['R1C1 R1C2 sum to 5. The same for R3C1 R3C2.', 'All is odd. (2 times)']
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for said in sentences:
        around = _PLACES.split(said)
        alike.setdefault(tuple(around) if len(around) == 2 else (said,), []).append(said)
    told = []
    for group in alike.values():
        first, *others = dict.fromkeys(group)
        if others:
            places = "; ".join(_PLACES.findall(other)[0].strip() for other in others)
            told.append(f"{first} The same for {places}.")
        else:
            told.append(f"{first} ({len(group)} times)" if len(group) > 1 else first)
    return told


def _sample(sample: Sample, point: Point) -> str:
    """Draw a small example of a mark to the right of a point."""
    x, y = point
    middle = x + 20
    form, ending = sample.form, ""
    if form.startswith("clue-"):
        return framed(sample.text, form.removeprefix("clue-"), (middle, y), 52, 0.72)
    if form == "text":
        return label(sample.text, (middle, y), 15, "f-ink bold")
    if form.startswith("line-") or form == "bulb":
        ending = form.removeprefix("line-")
        form = "line"
    match form:
        case "line" | "cage" | "arrow":
            return _stroke(sample, form, ending, point)
        case "chevron" | "outward" | "inward":
            ways = {
                "chevron": ((0, 1),),
                "outward": ((-7, -1), (7, 1)),
                "inward": ((-7, 1), (7, -1)),
            }
            return "".join(_chevron(middle + shift, y, way) for shift, way in ways[form])
        case "patch" | "square":
            return element(
                "rect",
                class_=f"f-{sample.hue} s-{sample.hue}",
                x=middle - 9,
                y=y - 9,
                width=18,
                height=18,
                fill_opacity=0.5 if form == "patch" else None,
            )
    return _round(form, sample.hue, (middle, y))


def _stroke(sample: Sample, form: str, ending: str, point: Point) -> str:
    x, y = point
    left, right = (x + 14 if ending else x + 4), x + 36
    data = path([(left, y), (right, y)])
    if form == "arrow":
        data += path([(right - 7, y - 6), (right, y), (right - 7, y + 6)])
    width = {"line": 6.0, "cage": 1.8, "arrow": 3.0}[form]
    if ending in ("ring", "diamond") or (form == "line" and sample.dash[:1] == (0.02,)):
        width = 3.5  # the gaps between dots are short here
    # Dashes are shorter than in the picture, so that a whole dash and a gap fit.
    dashes = " ".join(f"{max(1, 30 * part):.0f}" for part in sample.dash) or None
    drawn = element(
        "path",
        class_=f"{'rule' if form == 'cage' else 'pen'} s-{sample.hue}",
        d=data,
        stroke_width=width,
        stroke_dasharray=dashes,
    )
    if ending:
        drawn += _round("circle" if ending == "bulb" else ending, sample.hue, (x + 11, y), 8)
    return drawn


def _round(form: str, hue: str, point: Point, radius: float = 9) -> str:
    x, y = point
    fill = {"circle": f"f-{hue}", "black": "f-black", "dot": "f-white"}.get(form, "f-paper")
    stroke = "s-ink" if form in ("dot", "black") else f"s-{hue}"
    if form == "diamond":
        corners = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
        return element(
            "path", class_=f"{fill} {stroke}", d=path(corners, closed=True), stroke_width=2.2
        )
    size = 6 if form in ("dot", "black") else radius
    return element("circle", class_=f"{fill} {stroke}", cx=x, cy=y, r=size, stroke_width=1.8)


def _chevron(x: float, y: float, way: int) -> str:
    points = [(x - 3 * way, y - 6), (x + 3 * way, y), (x - 3 * way, y + 6)]
    return element("path", class_="pen s-ink", d=path(points), stroke_width=2.4)
