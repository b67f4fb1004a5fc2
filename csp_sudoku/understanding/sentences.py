"""From a rules text to its sentences, each as a set of concepts.

Rules texts say the same things in many ways. A sentence is reduced to the *concepts* in it, such as
``adjacent``, ``differ`` and ``at-least``, with its numbers and colours. Words that carry no meaning
of their own are dropped. Words that are not known stay: a sentence that has any is not understood.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from csp_sudoku.errors import FormatError
from csp_sudoku.understanding import lexicon
from csp_sudoku.understanding.colours import NAMES, SHADES, SYNONYMS

# No rules text is longer, and no sentence of one.
_MAX_TEXT = 20_000
_MAX_SENTENCE = 1_500

# How remarks begin. What follows is read like everything else, if it may be a rule.
_REMARK = re.compile(
    r"(?:(?:exported|created|made|generated) (?:from|with|by|in|using)|good luck|have fun|enjoy"
    r"|happy solving|thanks?|as always|(?:this|the) puzzle (?:has|is)(?: a)? unique(?: solution)?)"
    r"\b[\s,:!–-]*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
# Small talk may say "not" only of itself.
_MODEST = re.compile(
    r"\b(?:may|might|will|would|do|is|was|are)(?: not|n't) (?:(?:too|that|so|very|as|really) )?"
    r"(?=(?:like|enjoy|mind|easy|hard|difficult)\b)",
    re.IGNORECASE,
)
# Markup, and addresses of pages and videos.
_TAG = re.compile(
    r"</?(?:a|b|br|div|details|em|h[1-6]|i|li|ol|p|span|strong|summary|u|ul)"
    r"(?:\s+(?:class|href|rel|target)=(?:\"[^\"<>]*\"|'[^'<>]*'))*\s*/?>",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\bhttps?://[^\s<>()\"']+")
# Letters of mathematics, which some texts use for bold headings.
_BOLD = re.compile("[\U0001d400-\U0001d7ff]+")
_EXAMPLE = re.compile(
    r"\W*(for example|for instance|as an example|examples?\b|eg\b)", re.IGNORECASE
)
# What follows says the same in other words; it must be understood, too.
_OTHER_WORDS = re.compile(
    r"[,;:(\s-]*\b(?:ie|that is|in other words|meaning( that)?|so that|this means( that)?|"
    r"which means( that)?)\b[,:]?",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_CONJUNCTION = re.compile(
    r"\s*,?\s+(?:while|whereas|but|and also|and)\s+|\s*[,;]\s+|\s+[–—-]\s+", re.IGNORECASE
)
# Where a clue stands is seen in the picture.
_THAT_WAY = re.compile(
    r"\b(when (looking|viewed|seen) |reading )?(in|from) "
    r"(that|this|its|the (corresponding|indicated|given|respective)) "
    r"(direction|side|position|clue|end)s?\b"
    r"|\b(coming|going|leading|emanating) (out of|from) (it|(the|that) circle)\b"
    r"|\b((when )?looking )?from (the )?(clue'?s?|number'?s?|their|its) "
    r"(direction|perspective|position|point|side)( of view)?\b"
    r"|\bfrom the line of sight of the clue\b"
    r"|((?<=clue)|(?<=number)|(?<=total)|(?<=value)) "
    r"(next to|beside|by|at|near) (the|its|that|their) arrows?\b"
)
# "If two cells are separated by a dot, …" speaks of the dot; "if … then there is a dot" does not.
_IF_MARKED = re.compile(
    r"\bif (two |any two )?((orthogonal(ly)?|adjacent|neighbou?ring) )*(digits|cells) are "
    r"(separated|joined|connected|linked) (by|with) "
)
# Cells that lie on a line do nothing else; a clue that lies is false.
_LIES = re.compile(
    r"\b(lies?|lying) (?=((strictly|directly|exactly|orthogonally|diagonally|immediately|all) )*"
    r"(on|in|inside|within|along|between|outside|at|next|a|an|across|opposite|above|below|adjacent|"
    r"under|behind|around|beside|before|after|to)\b)"
)
_SMALL_CLUE = re.compile(
    r"(?<=\bthe )small (?=(?:clue|number|total|sum|corner|killer|digit in (?:the|its))\b)"
)
# Words behind which "two" says no more than they do.
_PAIR = re.compile(
    r"\b(all|any|are|between|both|connects?|each|every|if|into|its|joins?|marks|separates?|that|the"
    r"|these|those) two\b(?! cells (in|on|along|inside|within)\b)"
)
_COLOURED_CELL = re.compile(
    rf"\b({'|'.join(sorted((NAMES | SYNONYMS.keys()) - {'white'}))}) cells?\b"
)
# A sentence with more joints is no rule that clauses explain.
_MOST_JOINTS = 6
_HEADING = re.compile(
    r"\W*+((?:\w[\w'’/&-]*+ ?){1,5}?)\s*(\([^()]*\))?\s*(?::(?![0-9])|\s[-–—]\s)\s*(.+)", re.DOTALL
)
_PLACE = re.compile(r"\br[0-9]+(c[0-9]+)?\b|\bc[0-9]+\b", re.IGNORECASE)
_SHIELDED = (("i.e.", "ie"), ("e.g.", "eg"), ("i.e", "ie"), ("e.g", "eg"), ("vs.", "vs"))


_LETTERS = {"letter-x": "X", "letter-v": "V"}

STOP = "."
"""In the shape of a sentence, what stands between the sentences that it is made of."""

# A concept that was found leaves a mark at its place in the text: a sign that no text has.
_CONCEPTS = tuple(lexicon.CONCEPTS)
_FIRST_MARK = 0xE000
_MARKS = re.compile("[\ue000-\uf8ff]")


@dataclass(frozen=True)
class Sentence:
    """A sentence of the rules text.

    Attributes
    ----------
    text
        As it stands there.
    concepts
        What it speaks of.
    colours
        The names of colours in it.
    numbers
        All other whole numbers in it, in order.
    unknown
        The words that are not known.
    at_least
        The number behind "at least", or in "5 or more".
    span
        The digits that it speaks of, such as (1, 9).
    given
        Of "all dots are given": the words for what is given.
    topic
        The concepts of the heading that it stands under.
    names
        The words of the heading: names for what is drawn.
    heading
        The heading itself, which may be a rule of its own.
    symbols
        The names of symbols that are drawn: "a digit on a sun".
    box
        The sides of the boxes, where it says them: "3x3 box".
    size
        The sides of the grid, where it says them: "normal 6x6 sudoku rules".
    shape
        Its concepts in the order in which it says them, "number" for a number, and the words that
        make it say more or less. Concepts alone do not tell "lines lie between circles" from
        "circles lie between lines".
    """

    text: str
    concepts: frozenset[str]
    colours: frozenset[str] = frozenset()
    numbers: tuple[int, ...] = ()
    unknown: tuple[str, ...] = ()
    at_least: int | None = None
    span: tuple[int, int] | None = None
    given: str = ""
    topic: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()
    box: tuple[int, int] | None = None
    size: tuple[int, int] | None = None
    shape: tuple[str, ...] = ()
    heading: str = ""

    @property
    def letter_sums(self) -> dict[str, int]:
        """The number that goes with each letter: "X and V mean 10 and 5"."""
        letters = dict.fromkeys(word for word in self.shape if word in _LETTERS)
        pairs = zip(letters, self.numbers, strict=True) if len(letters) == len(self.numbers) else ()
        return {_LETTERS[letter]: number for letter, number in pairs}

    @property
    def is_about_rules(self) -> bool:
        """Whether it may be a rule: it has a concept, or speaks of digits, cells or rules."""
        words = set(re.findall(r"[a-z]+", self.text.lower()))
        known = self.concepts - lexicon.EMPTY or words & lexicon.SUBJECTS
        return bool(known or _PLACE.search(self.text))

    @property
    def says_something(self) -> bool:
        """Whether it has words that carry a meaning, known or not."""
        return bool(self.concepts or self.unknown or self.numbers)

    def __str__(self) -> str:
        return self.text


def sentences(text: str) -> list[Sentence]:
    """The sentences of a rules text, without headings and examples.

    Examples
    --------
    >>> [rule] = sentences("Whispers: Adjacent digits on a green line differ by at least 5.")
    >>> sorted(rule.concepts), sorted(rule.colours), rule.at_least
    (['adjacent', 'at-least', 'difference', 'line'], ['green'], 5)
    """
    _check_length(text, "a rules text", _MAX_TEXT)
    text = _BOLD.sub(lambda bold: unicodedata.normalize("NFKC", bold[0]), text)
    text = _ADDRESS.sub(" ", _TAG.sub("\n", text))
    found: list[Sentence] = []
    for block in _blocks(text):
        heading = ""
        for part in _split(block):
            _check_length(part, "a sentence of the rules text", _MAX_SENTENCE)
            own, body = _heading(part)
            heading = own or heading
            if remark := _REMARK.fullmatch(body):
                body = remark["rest"]
                if not read_sentence(body).is_about_rules:
                    continue
            if _is_small_talk(body) or (_EXAMPLE.match(body) and found):
                continue
            names = _names(heading)
            sentence = read_sentence(body, names)
            if heading:
                topic = read_sentence(heading)
                words = {*re.findall("[a-z]+", heading.lower())}
                turned = topic.concepts & lexicon.TURNING or words & lexicon.UNSURE
                sentence = replace(
                    sentence,
                    unknown=(*sentence.unknown, *((heading,) if turned else ())),
                    topic=topic.concepts,
                    colours=sentence.colours or topic.colours,
                    names=names,
                    heading=heading,
                )
            found += _single(sentence)
    return found


def _is_small_talk(text: str) -> bool:
    """Whether a sentence has nothing but words of small talk."""
    words = re.findall(r"[^\W_][\w'-]*", _MODEST.sub("", text.lower().replace("’", "'")))
    return len(words) > 1 and lexicon.SMALL_TALK.issuperset(words)


def _check_length(text: str, what: str, most: int) -> None:
    """Refuse a text that is too long to be one: it would take hours to read."""
    if len(text) > most:
        raise FormatError(f"{what} has {len(text):,} characters, and {most:,} at most are read")


def _single(sentence: Sentence) -> list[Sentence]:
    """A sentence, or one for each rule that it names; none if nothing is said."""
    named = sorted(sentence.concepts & lexicon.NAMES)
    if len(named) > 1 and sentence.concepts <= {*lexicon.NAMES, "line"} and not sentence.unknown:
        others = sentence.concepts - lexicon.NAMES
        return [replace(sentence, concepts=others | {name}) for name in named]
    if {"knight", "king", "or"} <= sentence.concepts:  # "a knight's move or a king's move apart"
        others = sentence.concepts - {"knight", "king", "or"}
        return [replace(sentence, concepts=others | {chess}) for chess in ("knight", "king")]
    return [sentence] if sentence.says_something else []


def clauses(sentence: Sentence) -> Iterator[list[Sentence]]:
    """The ways to take a sentence apart, each as a list of clauses that must all be understood.

    What stands in parentheses or behind "that is" may be a sentence of its own; so may the parts
    that "and" or "while" joins. A later clause has the first one for its topic.
    """
    if sentence.topic & lexicon.TURNING or sentence.heading in sentence.unknown:
        return
    text = sentence.text
    outside = _PARENTHESIS.sub(" ", text)
    inside = _PARENTHESIS.findall(text)
    if inside:
        yield _read_clauses([outside, *inside], sentence)
        text = outside
    if len(parts := _OTHER_WORDS.split(text, maxsplit=1)) > 1:
        yield _read_clauses([parts[0], parts[-1], *inside], sentence)
    joints = list(_CONJUNCTION.finditer(text))[:_MOST_JOINTS]
    # Fewer cuts first: a clause is as long as it can be.
    for count in range(1, len(joints) + 1):
        for cuts in combinations(joints, count):
            starts = [0, *(cut.end() for cut in cuts)]
            ends = [*(cut.start() for cut in cuts), len(text)]
            pieces = [text[a:b] for a, b in zip(starts, ends, strict=True)]
            yield _read_clauses([*pieces, *inside], sentence)


def _read_clauses(pieces: Iterable[str], sentence: Sentence) -> list[Sentence]:
    """The pieces of a sentence that say something, as sentences."""
    read = [read_sentence(piece.strip(" .,;:"), sentence.names) for piece in pieces]
    read = [clause for clause in read if clause.says_something or clause.colours]
    if any(clause.concepts and clause.concepts <= lexicon.EMPTY for clause in read):
        return []  # "except for one of them" is no clause of its own
    topic = sentence.topic
    found: list[Sentence] = []
    for clause in read:
        colours = clause.colours or (found[0].colours if found else sentence.colours)
        found.append(replace(clause, topic=topic, colours=colours, names=sentence.names))
        topic = sentence.topic | found[0].concepts
    return found


def with_symbols(sentence: Sentence, drawn: frozenset[str]) -> Sentence:
    """The sentence, in which words that are not known may be names of symbols that are drawn."""
    names = {word: word.removesuffix("s") for word in sentence.unknown}
    called = {word: name for word, name in names.items() if {word, name} & drawn}
    if not called:
        return sentence
    return replace(
        sentence,
        concepts=sentence.concepts | {"symbol"},
        unknown=tuple(word for word in sentence.unknown if word not in called),
        symbols=frozenset({*called, *called.values()}),
        shape=tuple("circle" if word in called else word for word in sentence.shape),
    )


def merged(first: Sentence, second: Sentence) -> Sentence:
    """Two sentences that say one thing together."""
    return Sentence(
        f"{first.text}. {second.text}",
        first.concepts | second.concepts,
        first.colours | second.colours,
        first.numbers + second.numbers,
        first.unknown + second.unknown,
        first.at_least if first.at_least is not None else second.at_least,
        first.span or second.span,
        first.given or second.given,
        first.topic | second.topic,
        first.names | second.names,
        first.symbols | second.symbols,
        first.box or second.box,
        first.size or second.size,
        (*first.shape, STOP, *second.shape),
    )


def _blocks(text: str) -> list[str]:
    """The lines of a text; a line of capitals alone is the heading of the next one.

    A heading that nothing follows is a sentence of its own: "Anti-knight".
    """
    lines = [line.strip() for line in text.replace("\\n", "\n").splitlines()]
    found: list[str] = []
    heading, used = "", True
    for line in filter(None, lines):
        bare = re.sub(r"[^\w ]", "", line).strip()
        if bare and (bare.isupper() or not re.search(r"[.!?:;]$", line)) and len(bare.split()) <= 4:
            found += [] if used else [heading]
            heading, used = bare, False
            continue
        found.append(f"{heading}: {line.lstrip('-•* ')}" if heading else line)
        used = True
        if not line.startswith(("-", "•", "*")):
            heading = ""
    return found if used else [*found, heading]


def _heading(block: str) -> tuple[str, str]:
    """What stands before a colon or a dash, and the rest; what is in parentheses goes behind."""
    found = _HEADING.match(block)
    return (found[1], f"{found[3]} {found[2] or ''}".strip()) if found else ("", block)


def _names(heading: str) -> frozenset[str]:
    """The words of a heading: in what follows they are names for what is drawn."""
    words = set(re.findall(r"[a-z]+", heading.lower()))
    singular = {word[:-1] for word in words if word.endswith("s")}
    return frozenset(words | singular | {f"{word}s" for word in words})


def _split(body: str) -> list[str]:
    for long, short in _SHIELDED:
        body = body.replace(long, short)
    body = re.sub(r"^\s*[0-9]+\s*[).:]+\s*", "", body)
    parts = re.split(r"(?<=[.!?;])\s+|(?<=[.!?])(?=[A-Z])", body)
    return [part.strip(" .!;\t") for part in parts if part.strip(" .!;\t0123456789)")]


def read_sentence(text: str, names: frozenset[str] = frozenset()) -> Sentence:
    """Reduce a sentence to its concepts; `names` are further words for what is drawn."""
    rest, concepts, details = _find_concepts(_normalised(text))
    colours: set[str] = set()
    shade = ""
    numbers: list[int] = []
    unknown: list[str] = []
    shape: list[str] = []
    for word in re.findall(rf"{_MARKS.pattern}|[\w'.<>?+/-]+", rest):
        if _MARKS.match(word):
            shape.append(_CONCEPTS[ord(word) - _FIRST_MARK])
            continue
        bare = word.strip("'.-\"/")
        colour = SYNONYMS.get(bare, bare)
        if bare in lexicon.TELLING:
            shape.append(bare)
        if not bare or bare in lexicon.FILLERS or bare in names or bare.removesuffix("'s") in names:
            continue
        if colour in NAMES:
            colours.add(f"{shade} {colour}" if shade else colour)
            shade = ""
        elif bare in SHADES:
            shade = bare
        elif bare.isdecimal() or bare in lexicon.NUMBERS:
            numbers.append(_number(bare) or 0)
            shape.append("number")
        else:
            unknown.append(word)
            shape.append(word)
    if "least_3" in details:  # the number stands behind another concept and was counted, too
        numbers.remove(_number(details["least_3"]) or 0)
    least = next((value for key, value in details.items() if key.startswith("least")), "")
    span = (int(details["low"]), int(details["high"])) if "low" in details else None
    return Sentence(
        text,
        frozenset(concepts),
        frozenset(colours),
        tuple(numbers),
        tuple(unknown),
        _number(least),
        span,
        _MARKS.sub("", details.get("what") or details.get("what_2") or "").strip(),
        box=_sides(next((v for key, v in details.items() if key.startswith("box")), "")),
        size=_sides(next((v for key, v in details.items() if key.startswith("size")), "")),
        shape=tuple(shape),
    )


def _normalised(text: str) -> str:
    """A sentence in small letters, without examples and without expressions that say nothing."""
    # An abbreviation in parentheses is a name.
    text = re.sub(r"\((?![XV]\))[A-Z]{1,3}\)", " ", text)
    rest = f" {text.lower()} ".replace("’", "'").replace("‘", "'").replace("“", '"')
    rest = rest.replace("”", '"').replace("gray", "grey")
    for typo, meant in lexicon.TYPOS.items():
        rest = re.sub(typo, meant, rest)
    # What an example in parentheses says is said before it; a name for a figure is kept.
    rest = re.sub(r"\((?:\s*(?:eg|for example|for instance|example|such as)\b)[^)]*\)", " ", rest)
    rest = re.split(r"[,;(-]?\s*\b(?:eg|for example|for instance)\b", rest)[0]
    rest = re.sub(r"\b(by|to|than) two\b", r"\1 2", rest)
    rest = rest.replace("(s)", "s").replace('"', "")
    rest = re.sub(r"\b(may|can|could|should) (?=(not|only|never)\b)", "must ", rest)
    rest = _IF_MARKED.sub("cells separated by ", rest)
    rest = _SMALL_CLUE.sub("", rest)
    rest = _PAIR.sub(r"\1", rest)
    rest = _COLOURED_CELL.sub(r"\1 shaded cell", rest)
    rest = re.sub(r"\b(empty|blank) squares?\b", "cell", rest)
    rest = re.sub(r"\beven (?=diagonal|if\b|when\b|though)", "", rest)
    rest = re.sub(r"\b(\w{4,})(?<!knight)(?<!king)'s?(?= )", r"\1", rest)
    rest = _LIES.sub(" ", _THAT_WAY.sub(" ", rest))
    return re.sub(
        r"\b(the|a) same (?=(row|column|box|region|cage|line|diagonal|arrow)\b)", "the ", rest
    )


def _find_concepts(text: str) -> tuple[str, set[str], dict[str, str]]:
    """The text with a mark in place of each concept, the concepts, and the details of them."""
    rest = _MARKS.sub("", text)
    concepts: set[str] = set()
    details: dict[str, str] = {}
    for number, concept in enumerate(_CONCEPTS):

        def take(found: re.Match[str], concept: str = concept, number: int = number) -> str:
            if not found[0].strip():
                return found[0]
            # Twice not is something else; no phrase has it.
            concepts.add("not-again" if concept == "not" and concept in concepts else concept)
            named = {key: value for key, value in found.groupdict().items() if value}
            details.update(named)
            # What stands in between is not a part of the expression.
            kept = [text for key, text in named.items() if key.startswith(("keep", "what"))]
            return f" {chr(_FIRST_MARK + number)} {' '.join(kept)} "

        rest = _patterns()[concept].sub(take, rest)
    return rest, concepts, details


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Each concept, and a pattern for all ways to say it as whole words."""
    return {
        concept: re.compile(rf"(?<![\w'])(?:{'|'.join(ways)})(?![\w'])")
        for concept, ways in lexicon.CONCEPTS.items()
    }


def _sides(size: str) -> tuple[int, int] | None:
    found = re.findall("[0-9]+", size)
    return (int(found[0]), int(found[1])) if found else None


def _number(word: str) -> int | None:
    if not word:
        return None
    return int(word) if word.isdecimal() else lexicon.NUMBERS[word]
