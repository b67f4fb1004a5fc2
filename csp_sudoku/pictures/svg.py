"""SVG elements as text: escaped, with short numbers, the same bytes for the same input."""

from __future__ import annotations

from collections.abc import Iterable

Point = tuple[float, float]

# How wide a character is, as a share of the size of its font: of a usual one, and of a digit.
CHARACTER = 0.52
DIGIT = 0.6


def element(name: str, *children: str, **attributes: object) -> str:
    """One element; ``class_`` stands for class and ``_`` for a hyphen, None leaves one out.

    Examples
    --------
    >>> element("text", clean("a < b"), class_="ink", font_size=2.50)
    '<text class="ink" font-size="2.5">a &lt; b</text>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def clean(text: str) -> str:
    """Text as it may stand in XML: markup escaped, characters that XML forbids replaced."""
    return _escaped("".join(sign if sign.isprintable() else "\ufffd" for sign in text))


def label(text: str, at: Point, size: float, class_: str, *, anchor: str = "middle") -> str:
    """A line of text whose middle is as high as the point."""
    x, y = at
    return element(
        "text",
        clean(text),
        class_=class_,
        x=x,
        y=y + 0.355 * size,
        font_size=size,
        text_anchor=None if anchor == "start" else anchor,
    )


def fitted(text: str, size: float, width: float) -> float:
    """The size of a font in which the text is no wider than this."""
    return min(size, width / (DIGIT * max(1, len(text))))


def path(points: Iterable[Point], *, closed: bool = False) -> str:
    """The data of a path of straight lines."""
    steps = [f"{number(x)} {number(y)}" for x, y in points]
    return "M" + "L".join(steps) + "Z" * closed


def number(value: float) -> str:
    """A number with at most two decimals.

    Examples
    --------
    >>> number(2.0), number(1 / 3), number(-0.001)
    ('2', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _value(value: object) -> str:
    if isinstance(value, int | float):
        return number(value)
    return _escaped(str(value)).replace('"', "&quot;")


def _escaped(text: str) -> str:
    # xml.sax has one as well, and loads urllib and http for it.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
