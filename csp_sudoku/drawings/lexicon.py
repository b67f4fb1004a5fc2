"""The words of rules texts: how each concept is said, and which words carry no meaning.

The first concept that fits a piece of text takes it, so long expressions come before short ones.
"""

from __future__ import annotations

_NUMBER = "([0-9]+|one|two|three|four|five|six|seven|eight|nine|ten)"


def _group(*digits: int) -> str:
    """How a group of digits is written: 123, 1-2-3, {1,2,3}, (1, 2 or 3)."""
    between = r"\s?(?:,|/|-|–|or|,\s?or)?\s?"
    return between.join(map(str, digits))


CONCEPTS: dict[str, tuple[str, ...]] = {
    "not-all-given": (
        r"not (all|every)\b[^.]*?\b(given|shown|marked|drawn|clued|indicated)",
        "(there is )?no negative constraint",
        r"(additional|more|other) \S+ may be (possible|present)",
    ),
    "all-given": (
        "all( of the)?( possible| such)*(?P<what> [^.]*?)(is|are|have been|has been)"
        "( all)?( explicitly)? (given|shown|marked|drawn|clued|indicated)",
        "(there is )?a? ?negative constraint( applies)?",
        "every possible(?P<what_2> [^.]*?) is (given|shown|marked)",
    ),
    "normal-sudoku": (
        "(normal|standard|classic|classical|regular|usual|ordinary|basic|conventional)"
        "( irregular| jigsaw)?( [0-9]+ ?[x×] ?[0-9]+)?( rules of)?( irregular| jigsaw)"
        "?( [0-9]+ ?[x×] ?[0-9]+)? sudoku( rules)?( [0-9]+ ?[x×] ?[0-9]+)?( rules)"
        "?",
        "rules of sudoku",
        "sudoku rules",
    ),
    "normal-killer": (
        "(normal|standard|usual) killer( sudoku| cage)? rules",
        "killer (sudoku )?rules",
    ),
    "any-order": (
        "(in|not necessarily in|but not necessarily in) (any|some|no particular|whatever|"
        "whichever|numerical|no specific)( particular| possible)? order",
        "not necessarily in order",
        "(can|may) (be|appear) in any order",
        "any order",
    ),
    "may-repeat": (
        r"(may|can|might|could|are allowed to) (also )?(be )?(repeat|repeated)( [^.]*"
        r"?\b(if|when|as long as|where|unless|subject to)\b[^.]*)?",
        "repeats (are|may be) (allowed|permitted|possible)",
        "repeats? allowed",
    ),
    "no-repeat": (
        "non-?repeat(ing|ed)",
        "without (any )?repeat(s|ing|ed|ition)?",
        "(cannot|can not|can't|may not|must not|mustn't|do not|don't|does not|doesn't|"
        "never|should not|will not) (be )?(repeat(s|ed)?|appear (more than once|twice)"
        ")",
        "no repeat(s|ed|ing)?",
        "no (two )?(digits?|numbers?|values?) (may |can |must )?(be )?repeat(s|ed)?",
        "(all|must be|are) (unique|different|distinct)",
        "be unique",
        "no duplicates?",
        "no digits? (may |can )?appears? (more than once|twice)",
    ),
    "not-decrease": (
        "(strictly )?increase or (stay|remain)( the)? (same|equal|constant)",
        "(stay|remain)( the)? same or increase",
        "(do|does|must|may|can) ?(not|n't) decrease",
        "cannot decrease",
        "never decrease",
        "increase or (are|be) equal",
        "increase or equal",
    ),
    "some": ("at least (one|once|1)( of)?", "one or more", "at least one time"),
    "at-least": (
        f"(at least|a minimum of|minimum of|no less than|not less than|>=|≥) ?(?P<least>{_NUMBER})",
        f"(?P<least_2>{_NUMBER}) or (more|greater|higher|larger|above)",
        f"minimum(?= difference of (?P<least_3>{_NUMBER}))",
        f"least (?P<least_4>{_NUMBER})",
    ),
    "low-middle-high": (
        rf"low\W*{_group(1, 2, 3)}\W+(and |or |one |a )*(medium|middle|mid)\W*( digit\W*"
        rf")?{_group(4, 5, 6)}\W+(and |or |one |a )*high\W*( digit\W*)?{_group(7, 8, 9)}",
    ),
    "group-123": (_group(1, 2, 3),),
    "group-456": (_group(4, 5, 6),),
    "group-789": (_group(7, 8, 9),),
    "group-147": (_group(1, 4, 7),),
    "group-258": (_group(2, 5, 8),),
    "group-369": (_group(3, 6, 9),),
    "low": ("low",),
    "middle": ("medium", r"middle(?=( digit)?\W+(\(|\[|and|high|456|4))", "mid(?=[ ,])"),
    "high": ("high",),
    "residue": (
        "(remainder|residue)s?( when divided by| modulo| mod)? (3|three)",
        "modulo (3|three)",
        "mod (3|three)",
        "divided by (3|three)",
    ),
    "digits-range": ("(from )?(?P<low>[0-9]+) ?(-|–|to|through|thru) ?(?P<high>[0-9]+)",),
    "again": ("more than once", "multiple times", "several times", "twice or more"),
    "once": ("(exactly |only |each )?once( each| only)?", "exactly one time"),
    "knight": (
        "(chess )?knights?'?s?'?( chess)?( move| step| jump|-move)s?",
        "anti-? ?knight('s)?",
        "knights?",
    ),
    "king": ("(chess )?kings?'?s?'?( chess)?( move| step|-move)s?", "anti-? ?king('s)?"),
    "equal-distance": ("(equal|same) distan(ce|t)s?", "equidistant", "equally distant"),
    "both-ways": (
        "(the )?(same|identical|identically) (when read )?(from |in )?(both|either)"
        " (direction|way|end|side)s?",
        "(the )?same (forwards?|backwards?) (and|or|as) (forwards?|backwards?)",
        "forwards? and backwards?",
        "backwards? and forwards?",
        "(both|either) (direction|way)s?",
    ),
    "neighbours": (
        "orthogonal(ly)?",
        "horizontally (and|or) vertically",
        "horizontal(ly)?",
        "vertical(ly)?",
        "share an edge",
        "sharing an edge",
    ),
    "diagonal": ("diagonal(s|ly)?",),
    "adjacent": (
        "(?<=three )(consecutive|sequential|successive)( cells| digits)?",
        "adjacent",
        "neighbou?r(ing|s)?",
        "successive",
        "touching",
        "touch(es)?",
        "next to (each other|one another)",
        "either side( of)?",
        "(consecutive|sequential|consequtive)(?= cells| digits? must (differ|contain|include))",
        "side by side",
    ),
    "non-consecutive": ("non-?consecutive",),
    "consecutive": (
        "consecutive",
        "consequtive",
        "sequential",
        "(differ(s|ence)?|difference)( in value)?( by| of)( exactly)? (1|one)(?! or)",
        "(exactly )?(1|one) (greater|more|higher|larger|bigger) than",
    ),
    "increase": (
        "increas(e|es|ing)",
        "ascend(s|ing)?",
        "rise(s)?",
        "(go|goes|going) up",
        "get (larger|bigger|higher)",
    ),
    "divide": (
        "non-?overlapping",
        "(divide[sd]?|split(s)?|separate[sd]?|partition(s|ed)?|broken|cut)",
        "segments?",
        "sections?",
    ),
    "border": ("borders?",),
    "alternate": ("alternat(e|es|ing)", "(opposite|different|alternating) parit(y|ies)"),
    "palindrome": ("palindrom(e|es|ic)",),
    "slow": ("slow",),
    "thermometer": ("thermo(meter)?s?",),
    "bulb": ("(round(ed)? |circular )?bulb(ous)?s?",),
    "base": ("base",),
    "double-arrow": ("double arrows?",),
    "arrow": ("arrow('?s)?", "shafts?"),
    "circle": ("circled?s?", "rings?"),
    "square": ("squares?",),
    "diamond": ("diamonds?",),
    "pill": ("pills?",),
    "little-killer": ("little killers?",),
    "cage": ("(killer )?cages?", "killers?"),
    "corner": ("(top|upper)[- ]?left([- ]hand)?( corner)?", "corners?"),
    "whisper": ("(german )?whispers?",),
    "dutch": ("dutch",),
    "renban": ("renban",),
    "nabner": ("nabner",),
    "zipper": ("zippers?",),
    "entropic": ("entrop(ic|y)",),
    "modular": ("modular",),
    "parity": ("parity",),
    "region-sum": ("region[- ]sums?",),
    "between": ("between",),
    "lockout": ("lock-?out",),
    "dot": ("dots?", "kropki"),
    "line": ("lines?",),
    "row": ("rows?",),
    "column": ("columns?",),
    "box": ("([0-9]+ ?[x×] ?[0-9]+ )?box(es)?",),
    "region": ("regions?", "houses?"),
    "two-by-two": ("2 ?[x×] ?2",),
    "set": ("sets?", "groups?", "sequences?", "strings?", "runs?"),
    "sum": ("sum(s|med|ming)?", "add(s|ing)?( up)?", "total(s|led|ling)?"),
    "difference": ("differ(s|ence|ences)?",),
    "same": ("same", "identical", "equal(s|ly)?", "repeat(s|ed)?", "common"),
    "different": ("different", "distinct"),
    "ratio": ("ratio", "doubled?", "twice", "half", "2 ?: ?1", "1 ?: ?2"),
    "less": ("(less|smaller|lower)( than)?", "smallest", "lowest"),
    "greater": ("(greater|larger|bigger|higher|taller)( than)?", "largest", "greatest", "highest"),
    "hide": ("hides?", "blocks?( the view( of)?)?", "obscures?"),
    "points": ("points?", "pointing"),
    "sign": (
        "(inequality|greater[- ]than|less[- ]than)( signs?| symbols?)?",
        "inequalities",
        "chevrons?",
        "(?<=respect )signs?",
    ),
    "odd-length": (
        "odd[- ]lengths?",
        "odd[- ]length(ed)?",
        "length is odd",
        "odd number of cells",
        "of odd length",
    ),
    "odd": ("odd",),
    "even": ("even",),
    "unshaded": ("unshaded",),
    "shaded": ("shaded", "coloured", "colored", "highlighted"),
    "letters": ("xv",),
    "letter-x": (r"(?<![\w'])x('?s)?(?![\w'-])",),
    "letter-v": (r"(?<![\w'])v('?s)?(?![\w'-])",),
    "count": ("how many( times)?", "number of( times)?"),
    "outside": ("outside",),
    "sandwich": ("sandwich(ed|es)?",),
    "x-sum": ("x-? ?sums?",),
    "skyscraper": ("skyscrapers?", "buildings?"),
    "seen": ("seen", "visible", "can see"),
    "first": ("first",),
    "quad": ("quad(ruple)?s?",),
    "four": ("surround(s|ing)?", "four", "4(?= cells)", "intersection", "around"),
    "appear": ("appears?", "present", "occurs?", "included?"),
    "clone": ("clones?", "cloned"),
    "centre": ("cent(er|re)s?", "middle"),
    "three": ("three", "3(?= (adjacent|successive|consecutive|sequential|cells|digits))"),
    "index": ("index(es|ing|ers?|ed)?",),
    "end": ("(both |two )?(ends?|tips?)",),
    "not": (
        "not",
        "no",
        "cannot",
        "can't",
        "never",
        "n't",
        "neither",
        "nor",
        "cant",
        "without",
        "none",
    ),
    "or": ("or",),
    "either": ("either",),
    "if": ("if", "unless", "except", "when", "whether"),
}

FILLERS = frozenset(
    """
    a an the this that these those it its it's their they them there which who whose what where
    each every any all both some other others another itself themselves such digit digits
    number numbers value values cell cells clue clues is are be been being was must may can
    could should will shall has have having do does to of in on at by for from with within into
    inside along across over as and so then thus also only exactly always necessarily
    respectively strictly simply corresponding connected attached joined linked indicated
    marked given shown drawn printed written stated containing contain contains contained hold
    holds lie lies lying placed place put fill write enter complete grid puzzle sudoku rules
    rule constraint constraints apply applies effect here anywhere pass passes through visit
    visits visited crosses moving move moved starting start starts begin begins toward towards
    away apart together particular individual individually separately comprise comprises
    consist consists form forms formed forming make makes made part parts pair pairs one two
    you your respect obey satisfy possible type length empty belong belongs join joins joining
    connecting connects connect wherever anything read reads reading own per via upon outlined
    bold main major long indicate indicates show shows give gives mean means require requires
    include includes denote denotes tell tells say says represent represents position positions
    direction small filled chess line's digit's cell's arrow's cage's circle's below above
    follows sized ones n normal standard shorter opaque somewhere provided inclusive way single
    clue's + rule's irregular pointed next kropki's
    """.split()
)
"""Words that carry no meaning of their own in a rule."""

NAMES = frozenset(
    """
    whisper palindrome renban nabner zipper entropic modular region-sum
    """.split()
)
"""Concepts that are names of rules: "green lines are whispers and palindromes" says two things."""

EMPTY = frozenset(
    """
    not or if either same different first points some end centre hide
    """.split()
)
"""Concepts that say nothing by themselves."""

SUBJECTS = frozenset(
    """
    digit digits number numbers cell cells clue clues value values grid rule rules row rows
    column columns box boxes constraint constraints region regions
    """.split()
)
"""Nouns that a rule may be about."""

NUMBERS = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)
}
"""The numbers that are written as words."""
