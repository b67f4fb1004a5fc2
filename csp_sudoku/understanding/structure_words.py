"""How rules texts ask for structure that is to be found: shading, regions, loops, snakes, stars.

Such a rule is a whole statement: "all shaded cells are orthogonally connected". Its words mean
something else in other sentences. So each of these concepts is a statement as a whole. It begins
where a clause begins and ends where one ends: with a word more, it is not understood.
"""

from __future__ import annotations

from itertools import count

from csp_sudoku.understanding.colours import NAMES, SHADES, SYNONYMS

_NUMBER = "([0-9]+|one|two|three|four|five|six|seven|eight|nine|ten)"
# What may stand before a statement and behind it; the last are marks of other statements.
_BEGINS = (
    r"(?:^\s*|[,;:.]\s*|\b(?:and|but|so that|such that|that|which|where|then)\s+"
    r"|(?<=[\ue000-\uf8ff])\s*)+"
)
_ENDS = r"(?=\s*(?:$|[,;:.\ue000-\uf8ff]|(?:and|but|so|such|that|which|where)\b))"

_ALL = "((all|every|each)( of)? )?(the )?"
_MUST = "(must |should |have to )?"
_NEVER = "(does not|doesn't|do not|don't|may not|must not|cannot|can't|never)"
# The word "even" is gone by then. "Does not touch itself diagonally" alone would forbid less.
_NOT_EVEN = "(,|,? not)( even)?"

_ORTHOGONALLY = "orthogonally[- ]connected"
_CONNECTED = (
    f"({_MUST}(are |be |is )?(all )?{_ORTHOGONALLY}( (with|to) (one another|each other)| together)?"
    f"|{_MUST}forms? (a |one )(single )?{_ORTHOGONALLY} (region|area|group|polyomino))"
)
_SQUARE = r"2 ?[x×] ?2 (area|block|square|group|region)( of cells)?( (of|in) the grid)?"
_WHOLLY = "(entirely |fully |completely |all |wholly )?"
_IS = "(is|may be|can be)"
_CUT = "(divide|partition|split|cut) the grid into"
_HOUSES = "(each|every) row,? (each |every )?column,? and (each |every )?(3 ?[x×] ?3 )?(box|region)"
_LINES_AND_REGION = "row,? (each |every )?column,? and (each |every )?region"
_FOUND = "(determined|located|found|deduced)( by the solver)?"
_COUNTS = (
    "((indicates?|shows?|gives?|equals?|tells?|is|are|is equal to) (the (total )?number of"
    "|how many)|counts?( the( number of)?)?)"
)

_EIGHT = "the (up to )?(8 |eight )?surrounding cells"
_COLOUR = f"(({'|'.join(sorted(SHADES))}) )?({'|'.join(sorted(NAMES | SYNONYMS.keys()))})"

_numbered = count(1)


def _kept(pattern: str) -> str:
    """A part of a statement that is read by itself: a number, or the colour of a circle."""
    return f"(?P<keep_s{next(_numbered)}>{pattern})"


def _circled() -> str:
    return (
        f"(a |each |every |any )?(digit|number)s? in (a |each |every )?({_kept(_COLOUR)} )?circles?"
    )


def _range() -> str:
    return f"1 ?(-|–|to) ?{_kept(_NUMBER)}"


def _digits() -> str:
    """All digits: "the digits 1-9 once each"."""
    all_of = "(a complete set of |each of )?(the )?(digits|numbers)( from)?"
    return f"{all_of} {_range()}( (exactly )?once( each)?)?"


def _ways(*patterns: str) -> tuple[str, ...]:
    """Statements: clauses in which a blank is any white space."""
    spaced = [pattern.replace(" ", r"\s+").replace(r"\s+?", r"\s*") for pattern in patterns]
    return tuple([f"{_BEGINS}(?:{pattern}){_ENDS}" for pattern in spaced])


def _stars(number: str) -> tuple[str, ...]:
    return _ways(
        f"(place|put) {number} stars? (in|into) {_HOUSES}",
        f"{_HOUSES} {_MUST}(contains?|has|have) (exactly )?{number} stars?",
    )


def _touching(name: str, subject: str) -> dict[str, tuple[str, ...]]:
    """The statements that a line does not touch itself, or only at corners."""
    never = f"{subject}{_NEVER} (cross(es)? (itself )?(or|nor) )?touch(es)? itself"
    return {
        f"{name}apart": _ways(
            f"{never}{_NOT_EVEN} (diagonally|at (a corner|corners))",
            f"{never} orthogonally (or|nor) diagonally",
        ),
        f"{name}corners": _ways(
            f"{never} orthogonally(,? but (it )?(may|can)( touch( itself)?)? diagonally)?",
            f"{subject}(may|can) touch itself diagonally,? but (not|never) orthogonally",
        ),
    }


def _line(name: str, words: str) -> dict[str, tuple[str, ...]]:
    """The statements about a line of cells: "draw a loop", "the loop does not touch itself"."""
    along = f"(on|along) the {words}"
    length = f"( of length {_kept(_NUMBER)}| of {_kept(_NUMBER)} cells)?"
    way = (
        "( of orthogonally connected cells| (through|along) orthogonally (adjacent|connected) cells"
        "|,? that (moves|travels|goes) orthogonally( from cell to cell| through (cells|the grid))?)"
    )
    adjectives = "(single |closed |one[- ]cell[- ]wide |1[- ]cell[- ]wide |non-intersecting )*"
    return {
        f"{name}-wanted": _ways(f"(draw|find) a {adjectives}{words}{length}{way}"),
        **_touching(f"{name}-", f"(the|this) {words} "),
        f"{name}-whisper": _ways(
            f"(orthogonally )?adjacent (digits|cells|numbers) {along} {_MUST}"
            f"(differ by|have a difference of) at least {_kept(_NUMBER)}"
        ),
        f"{name}-different": _ways(
            f"(digits|numbers) {_NEVER} repeat {along}",
            f"no (digit|number) (repeats|may repeat|can repeat) {along}",
            f"{_ALL}(digits|numbers) {along} {_MUST}(are|be) (all )?(different|distinct)",
        ),
    }


STRUCTURE: dict[str, tuple[str, ...]] = {
    "shade-some": _ways("(shade|colou?r) (some|some of the|certain) cells?( in the grid)?"),
    "shaded-connected": _ways(f"{_ALL}shaded cells? {_CONNECTED}"),
    "unshaded-connected": _ways(f"{_ALL}unshaded cells? {_CONNECTED}"),
    "shaded-to-edge": _ways(
        f"{_ALL}shaded cells? {_MUST}(are |be |is )?{_ORTHOGONALLY} to the (edge|border|perimeter)"
        "( of the grid)?( (by|through|via) (other )?shaded cells)?"
    ),
    "mixed-squares": _ways(
        f"(each|every) {_SQUARE} {_MUST}(contains?|has|have) (both )?(at least one |a )?shaded and "
        "(at least one |an )?unshaded cells?",
        f"no {_SQUARE} {_IS} {_WHOLLY}shaded or {_WHOLLY}unshaded",
        f"no {_SQUARE} {_IS} {_WHOLLY}(of )?(the same|one|a single) colou?r",
    ),
    **{
        f"no-{kind}-square": _ways(
            f"no {_SQUARE} {_IS} {_WHOLLY}{kind}",
            f"no {_SQUARE} (contains|consists of|may contain|may consist of) only {kind} "
            "(digits|numbers|cells)",
        )
        for kind in ("odd", "even", "shaded", "unshaded")
    },
    "odd-area": _ways(f"{_ALL}odd (digits|numbers|cells) {_CONNECTED}"),
    "even-area": _ways(f"{_ALL}even (digits|numbers|cells) {_CONNECTED}"),
    **_touching("", "(it )?"),
    **_line("loop", "loop"),
    **_line("snake", "(snake|path)"),
    "snake-ends": _ways(
        "(the |its |both )?(two )?ends of the (snake|path) are (in|at|marked by|marked with) "
        f"(the )?({_kept(_COLOUR)} )?circles",
        "(it|the (snake|path)) (starts|begins) and ends (in|at) "
        f"(the )?({_kept(_COLOUR)} )?circles",
    ),
    "centre-loop": _ways(
        "(draw|find) a (single |closed |non-intersecting )*loop ((that|which) (passes|goes|runs) )?"
        "through the cent(er|re)s of (some )?orthogonally adjacent cells"
    ),
    "loop-once": _ways(
        f"((it|the loop) )?{_NEVER} (visits?|enters?|passes through|pass through) (a|any) cell "
        "(twice|more than once)",
        "((it|the loop) )?(visits|enters|passes through) (each|any|every) cell at most once",
        "((it|the loop) )?(visits|enters|passes through) no cell (twice|more than once)",
    ),
    "loop-everywhere": _ways(
        "((it|the loop) )?(visits|enters|passes through) (each|every) cell( of the grid)? exactly "
        "once"
    ),
    "one-star": _stars("(one|1|a)"),
    "two-stars": _stars("(two|2)"),
    "stars-apart": _ways(
        f"stars {_NEVER} touch( (each other|one another))?{_NOT_EVEN} diagonally",
        f"no two stars (may |can )?touch( (each other|one another))?{_NOT_EVEN} diagonally",
    ),
    "regions-wanted": _ways(
        f"{_CUT} {_kept(_NUMBER)} {_ORTHOGONALLY} regions( of {_kept(_NUMBER)} cells( each)?)?",
        f"{_CUT} {_kept(_NUMBER)} regions of {_kept(_NUMBER)} orthogonally connected cells( each)?",
        f"(each|every) region is {_ORTHOGONALLY} and must be {_FOUND}",
        f"(each|every) region must be {_FOUND} and (each )?(is a (set|group) of|consists of) "
        f"{_kept(_NUMBER)} orthogonally connected cells",
    ),
    # Without this, digits may repeat in a region that is to be found.
    "region-houses": _ways(
        f"(each|every) {_LINES_AND_REGION} {_MUST}(contains?|has|have) {_digits()}",
        f"(place|put|fill|enter) {_digits()} (in|into) (each|every) {_LINES_AND_REGION}",
        f"(every|each) (digit|number) from {_range()} must appear (exactly )?once in (each|every) "
        f"{_LINES_AND_REGION}",
        f"(place|put|enter|fill the grid with) (the )?(digits|numbers)( from)? {_range()} "
        f"(so|such) that (no (digit|number) repeats|(digits|numbers) {_NEVER} repeat) in (a|any) "
        "row,? column,? or region",
    ),
    "region-contents": _ways(
        f"((each|every) region {_MUST}(contains|has|contain|have)|each containing"
        f"|each of which contains) {_digits()}"
    ),
    "rectangles-wanted": _ways(
        f"{_CUT} rectangles,? ((so|such) that )?(each|every|each of which)( rectangle)? "
        "(contains|containing) exactly one number"
    ),
    "rectangle-size": _ways(
        f"(the|this|each|every|its) number {_COUNTS} cells in (the|its) rectangle",
        "(the|this|each|every|its) number (is|equals|indicates|gives) the (area|size) of "
        "(the|its) rectangle",
    ),
    "galaxies-wanted": _ways(
        f"{_CUT} {_ORTHOGONALLY} regions( (so|such) that (each|every) region has|,? each with) "
        "(180 ?(°|degrees?) rotational|point) symmetry (about|around) "
        f"(a|the|its) ({_kept(_COLOUR)} )?circle( at its cent(er|re))?"
    ),
    "galaxy-circle": _ways("(each|every) region (contains|has) exactly one circle"),
    "shaded-around": _ways(
        f"{_circled()} {_COUNTS} (of )?{_EIGHT} (that )?are shaded",
        f"{_circled()} {_COUNTS} shaded cells (among|in) {_EIGHT}",
    ),
    "shaded-beside": _ways(
        f"{_circled()} {_COUNTS} (of )?(its|the) orthogonal(ly adjacent)? (neighbou?rs|cells) "
        "(that )?are shaded",
        f"{_circled()} {_COUNTS} shaded cells (that are )?orthogonally adjacent to it",
    ),
    "borders-seen": _ways(
        f"{_circled()} {_COUNTS} borders between regions (that )?it (can see|sees) in its row and "
        "column"
    ),
    "edge-not-counted": _ways(
        f"(note that )?the edges? of the grid {_NEVER} count( towards? (this|the) total)?"
    ),
    "region-seen": _ways(
        f"{_circled()} {_COUNTS} cells (that )?it (can see|sees) "
        "(orthogonally|horizontally and vertically) (in|within) (the|its)( own)? region,? "
        "including itself"
    ),
    "borders-block": _ways(
        "region borders (block|obstruct) (the |its )?(view|vision|line of sight)"
    ),
    "region-around": _ways(
        f"{_circled()} {_COUNTS} cells (of|in) (the|its)( own)? region (in|within|among) the "
        "3 ?[x×] ?3 (area|square) (around|cent(er|re)d on) it,? including itself"
    ),
}
