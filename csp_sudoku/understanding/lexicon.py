"""The words of rules texts: how each concept is said, and which words carry no meaning.

The first concept that fits a piece of text takes it, so long expressions come before short ones.
"""

from __future__ import annotations

from csp_sudoku.understanding.structure_words import STRUCTURE

_NUMBER = "([0-9]+|one|two|three|four|five|six|seven|eight|nine|ten)"
_NOT = (
    "(cannot|can not|can't|cant|may not|must not|mustn't|do not|don't|does not|doesn't|is not|"
    "are not|isn't|aren't|never|should not|shouldn't|will not|won't|not|nor|neither)"
)
_DIGIT = "(digit|number|value|cell)s?"
# "allowed by other rules", "other sudoku rules permit it", "no rule is broken"
_OTHER = "(the|all|any|no|not|normal|standard|other|sudoku|existing|these|those)"
_ALLOWED = (
    rf"(({_OTHER}|it|this|that|they|doing so|is|are|be|do|does|doesn't|don't|isn't|aren't|by|under|"
    r"within|rules?|constraints?|allow(s|ed)?|permit(s|ted)?|possible|forbidden|prohibited|"
    r"disallowed|broken|break|violate[sd]?)\b ?)+"
)
_GIVEN = "(given|shown|marked|drawn|clued|indicated|provided|present|displayed)"
# Nouns for what is drawn: "some lines" speaks of a part of them.
_DRAWN = (
    "(lines?|cages?|thermo(meter)?s?|arrows?|circles?|dots?|diagonals?|squares?|diamonds?|clues?|"
    "whispers?|renbans?|palindromes?|signs?|marks?|boxe?s?|rows?|columns?|rules?|regions?)"
)
_STEPS = (
    "((cells?|steps?|squares?|spaces?|horizontal(ly)?|vertical(ly)?|orthogonal(ly)?|in|one|the|"
    "any|other|direction|perpendicular(ly)?|to that|away|over|up|down|across) ?)*"
)
_SIDES = (
    "(all|any|each|every|of|its|their|the|directly|immediately|both|other|four|up to|white| )*"
    "(orthogonal(ly)?|adjacent|neighbou?r(s|ing)?|(?<=four )surrounding)"
)


def _group(*digits: int) -> str:
    """How a group of digits is written: 123, 1-2-3, {1,2,3}, (1, 2 or 3)."""
    between = r"\s?(?:,|/|-|–|or|,\s?or)?\s?"
    return between.join(map(str, digits))


def _kinds(*parts: str | tuple[int, ...]) -> str:
    """How three kinds of digits are listed: low (1-3), a middle digit (456) and one from 789."""
    said = []
    for name, digits in zip(parts[::2], parts[1::2], strict=True):
        assert isinstance(digits, tuple)
        span = rf"{digits[0]}\s?(?:-|–|to)\s?{digits[-1]}" if len(digits) > 2 else "(?!)"
        said.append(rf"{name}\W*(digit\W*)?(?:{_group(*digits)}|{span})")
    return r"\W+(and |one |a |digit |from |of )*".join(said)


CONCEPTS: dict[str, tuple[str, ...]] = {
    **STRUCTURE,
    "arithmetic-sequence": ("arithmetic (sequences?|progressions?)",),
    "ascending-start": (
        "ascending (starters?|starts?|runs?)",
        "from there,? as long as (they|these|the digits) (increase|ascend)",
    ),
    "not-all-given": (
        rf"not (all|every)\b(?P<keep_5>[^.]*?)\b{_GIVEN}",
        "((there (is|are) )?no|without( a| the| any)?) negative( \\S+)? (constraints?|rules?)"
        "( appl(y|ies))?",
        r"(additional|more|other) \S+ may be (possible|present)",
    ),
    "all-given": (
        "all( of the)?( possible| such)*(?P<what> [^.]*?)(is|are|have been|has been)"
        f"( all)?( explicitly| necessarily)? {_GIVEN}",
        "(there is )?a? ?(full )?negative constraint( applies)?",
        f"every possible(?P<what_2> [^.]*?) is {_GIVEN}",
    ),
    "decorative": (
        "(purely |just |only |merely |there )*(decorative|cosmetic|aesthetic|decoration|"
        "for (decoration|show|aesthetic (purposes|reasons)|aesthetics|decorative purposes))",
        "(has|have) no (meaning|effect|significance|bearing)( on the (puzzle|solution|solve))?",
    ),
    "part": (
        rf"(exactly|only|just|at most|at least|precisely) {_NUMBER}( of)?( the| these)? "
        rf"(\S+ )?{_DRAWN}",
        rf"(some|most|half|several|few) (of )?(the )?(\S+ )?{_DRAWN}",
        rf"{_NUMBER} (\S+ )?(lines?|cages?|thermo(meter)?s?|arrows?) (is|are|has|have|must)",
        rf"({_NUMBER}|none) of (the|these|those) (\S+ )?{_DRAWN}",
    ),
    "compares": (
        r"\"?<\"?( sign| symbol)? (means|is|indicates) (less|smaller) than",
        r"\"?>\"?( sign| symbol)? (means|is|indicates) (greater|more|larger) than",
    ),
    "hidden-digits": (
        *(
            rf"\"?(?<!\?){signs}(?!\?)\"? (means|is|indicates|denotes|represents|stands for|hides) "
            rf"(a |an )?({digits}|unknown)[- ]?digits?"
            for signs, digits in (
                (r"\?", "single|one"),
                (r"\?\?", "double|two"),
                (r"\?\?\?", "triple|three"),
            )
        ),
    ),
    # Lines that differ from each other may hold the same digits.
    "figures-differ": (
        rf"(?<=^ )(?!.*\b{_DIGIT}\b)(?P<keep_6>.*?\b(areas|cages|groups|lines|regions|sets|shapes))"
        "( must| have to| are| be| all| both)+ (different|distinct|unique)",
    ),
    "no-repeat": (
        "non-?repeat(ing|ed)",
        "without (any )?(repeat(s|ing|ed)?|repetitions?)",
        f"(and |but )?{_NOT} (be )?(repeat(s|ed|ing)?|appear (more than once|twice))",
        f"{_NOT} (contain|have|hold|include)( any| a| the)? (repeat(s|ed|ing)?|duplicate[sd]?|"
        f"same digit (twice|more than once))( {_DIGIT})?",
        f"no(ne of the)? {_DIGIT}(?P<keep_1> [^.;,]*?)? repeats?",
        "no repeat(s|ed|ing)?",
        "no (two )?(digits?|numbers?|values?) (may |can |must )?(be )?repeat(s|ed)?",
        "(all|must be|must all be|are|be|are all) (unique|different|distinct)",
        "(distinct|unique)",
        "be unique",
        "no duplicates?",
        f"no {_DIGIT} (may |can )?(appears?|occurs?) (more than once|twice)",
        "repeats? (is|are) not allowed",
    ),
    "may-repeat": (
        r"(may|can|might|could|are allowed to) (also )?(be )?(repeat|repeated)"
        r"(?P<keep_4> [^.,;(]{0,60}?)?,? (if|as( normally)?|when|as long as|so long as|where|"
        rf"wherever|unless|provided( that)?|subject to) {_ALLOWED}",
        r"(may|can|might|could|are allowed to) (also )?(be )?(repeat|repeated)",
        "repeats (are|may be) (allowed|permitted|possible)",
        "repeats? allowed",
    ),
    "normal-sudoku": (
        "(normal|standard|classic|classical|regular|usual|ordinary|basic|conventional|default)"
        "( irregular| jigsaw)?(?P<size_1> [0-9]+ ?[x×] ?[0-9]+)?( rules of)?( irregular| jigsaw)?"
        "(?P<size_2> [0-9]+ ?[x×] ?[0-9]+)? sudoku( rules)?(?P<size_3> [0-9]+ ?[x×] ?[0-9]+)?"
        "( rules)?",
        "rules of sudoku",
        "sudoku rules",
    ),
    "normal-killer": (
        "(normal|standard|usual) killer( sudoku| cage)? rules",
        "killer (sudoku )?rules",
    ),
    "reading-order": (
        "(when )?(read(ing)? )?(from )?(left[- ]to[- ]right|top[- ]to[- ]bottom)"
        "( ?(and|or|/|,) ?(left[- ]to[- ]right|top[- ]to[- ]bottom))?",
    ),
    "any-order": (
        "(in|not necessarily in|but not necessarily in) (any|some|no particular|whatever|"
        "whichever|numerical|no specific|an unknown|no given|no set)"
        "( particular| possible| given)? order",
        "not necessarily in order",
        "(can|may) (be|appear) in any order",
        "any order",
    ),
    "if-given": (
        "(if|where|when|wherever) (one is |it is |a (total|sum|clue|number) is |any is |"
        f"the (total|sum|clue) is )?({_GIVEN}|stated|specified)",
        "if (there is one|any|it has one)",
    ),
    "not-decrease": (
        "((either|strictly) )?increase or (stay|remain)( the)? (same|equal|constant)",
        "(stay|remain)( the)? same or increase",
        "(do|does|must|may|can) ?(not|n't) decrease",
        "cannot decrease",
        "never decrease",
        "increase or (are|be) equal",
        "increase or equal",
        "(are|be) (equal or increasing|non-?decreasing)",
        "non-?decreasing",
        "(increase|ascend|rise) or (repeat|equal|stay)",
    ),
    "fog": ("(the )?(some )?(dynamic )?fog( of war)?", "foggy"),
    "clears": (
        "(partially |initially |fully |completely |mostly )*(covered|hidden|shrouded|obscured)",
        "(clear|lift|remov|reveal|dispers|dissipat|unveil|uncover)(s|ed|e|es|ing)?",
        f"correct(ly)?( (placed|entered|placing|entering))?( {_DIGIT})?",
        "(enter|plac)(ed|ing)( (a|the))? (correct( digits?)?|digits? correctly)",
        "(entered|placed) correctly",
        "new (clues?|information|rules?)",
    ),
    "some": ("at least (one|once|1)( of)?", "one or more", "at least one time"),
    "at-least": (
        f"(at least|a minimum of|minimum of|no less than|not less than|>=|≥) ?(?P<least>{_NUMBER})",
        f"(?P<least_2>{_NUMBER}) or (more|greater|higher|larger|above)",
        f"minimum(?= difference of (?P<least_3>{_NUMBER}))",
        f"least (?P<least_4>{_NUMBER})",
    ),
    "greater-than-neighbours": (
        f"(greater|larger|higher|bigger)( in value| {_DIGIT})? than {_SIDES}",
    ),
    "less-than-neighbours": (f"(less|smaller|lower)( in value| {_DIGIT})? than {_SIDES}",),
    "points-at-less": (
        "points?( its tip)? (to|at|towards?|in the direction of)( the)?"
        "( (digit|cell)( (with|containing|that has) the)?)? (lower|smaller|lesser|less|lowest)",
        "(tip|pointed end|point|narrow end) (is|points|faces?|facing)( (to|at|towards?))?( the)?"
        " (lower|smaller|lesser)",
        "opens?( up)? (to|towards?)( the)? (larger|greater|higher|bigger)",
    ),
    "low-middle-high": (
        _kinds("low", (1, 2, 3), "(medium|middle|mid)", (4, 5, 6), "high", (7, 8, 9)),
    ),
    "low-middle-high-of-6": (
        _kinds("low", (1, 2), "(medium|middle|mid)", (3, 4), "high", (5, 6)),
        _kinds("", (1, 2), "", (3, 4), "", (5, 6)),
    ),
    "residues-of-6": (_kinds("", (1, 4), "", (2, 5), "", (3, 6)),),
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
    "double-arrow": ("double[- ]?(ended )?arrows?",),
    "ratio": (
        "(ratio( of)? )?(2|two) ?(:|to|/|-to-) ?(1|one)( ratio)?",
        "(ratio( of)? )?(1|one) ?(:|to|/|-to-) ?(2|two)( ratio)?",
        "ratio( of)? (2|two)",
        "ratio",
        "doubled?",
        "twice",
        "half",
    ),
    "digits-range": ("(from )?(?P<low>[0-9]+) ?(-|–|to|through|thru) ?(?P<high>[0-9]+)",),
    "again": ("more than once", "multiple times", "several times", "twice or more", "re-?enters?"),
    "separate": ("separately", "individual(ly)?", "independently"),
    "once": ("(exactly |only |each )?once( each| only)?", "exactly one time"),
    "knight-step": (
        f"(two|2) {_STEPS}(,? (and|then) )(one|1)( {_STEPS})?(,? or vice[- ]versa)?",
        f"(one|1) {_STEPS}(,? (and|then) )(two|2)( {_STEPS})?(,? or vice[- ]versa)?",
    ),
    "knight": (
        "(chess )?knights?'?s?'?( chess)?( move| step| jump|-move)s?",
        "anti-? ?knight('s)?",
        "knights?",
    ),
    "king": ("(chess )?kings?'?s?'?( chess)?( move| step|-move)s?", "anti-? ?king('s)?"),
    "non-consecutive": (
        "non-?consecutive",
        f"{_NOT} (may |can |must |be |are |is |hold |contain |have |consist of |any |two |the same"
        f" (or|nor) |equal (or|nor) |repeated (or|nor) )*consecutive",
        f"(no|no two|none of the|no pair of)( {_DIGIT})?(?P<keep_2> [^.;,]*?)? (may |can |must )?"
        "(be |are |is |nor are )(?P<keep_3>the same or |equal or |repeated or )?consecutive",
        f"consecutive {_DIGIT} {_NOT}( be| appear| lie)*(?= (orthogonal|adjacent|horizontal|next))",
        f"no consecutive( {_DIGIT})?",
    ),
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
    "rising-diagonal": ("(marked )?positive diagonal",),
    "falling-diagonal": ("(marked )?negative diagonal",),
    "both-diagonals": (
        "(both|either)( of)?( the)?( two)?( main| long| major)? diagonals?",
        "(each|the|two)( of)?( the)?( two)? (main|long|major)( corner-to-corner)? diagonals?",
    ),
    "diagonal": ("diagonal(s|ly)?( paths?| directions?)?",),
    "same-position": (
        "(in )?(the )?(same|corresponding|identical) (relative |cell |box )*positions?"
        "( relative to (their|its|the|each)( own| default)?)?",
    ),
    "adjacent": (
        "(?<=three )(consecutive|sequential|successive)( cells| digits)?",
        "adjacent",
        "neighbou?r(ing|s)?",
        "successive",
        "touching",
        "touch(es)?",
        "next to (each other|one another)",
        "contiguous",
        "(either|each|both|opposite) sides?( of)?",
        "domino(e?s)?",
        "(consecutive|sequential|consequtive)(?= cells| digits? must (differ|contain|include))",
        "side by side",
    ),
    "consecutive": (
        "consecutive",
        "consequtive",
        "sequential",
        "(differ(s|ence)?|difference)( in value)?( by| of)( exactly)? (1|one)(?! or)",
        "(exactly )?(1|one) (greater|more|higher|larger|bigger) than",
    ),
    "increase": (
        "(in )?(ascending|increasing) order",
        "increas(e|es|ing)",
        "ascend(s|ing)?",
        "rise(s)?",
        "(go|goes|going) up",
        "get (larger|bigger|higher)",
    ),
    "divide": (
        "(non|not)-? ?overlapping",
        "(divide[sd]?|split(s)?|separate[sd]?|partition(s|ed)?|broken|cut)",
        "segments?",
        "sections?",
    ),
    "no-dot": ("(there is )?(no|without( an?)?) (kropki )?dots?( between( two| them)?( cells)?)?",),
    "unmarked": (
        f"({_NOT}|without|no)( an?)? (separated|joined|connected|marked|divided|mark|clue|symbol)"
        "( by| with)?( an?)?",
        "unless( they are)? (separated|joined|connected|marked|divided)( by| with)?( an?)?",
        "unmarked",
        "without( an?)?(?= (x|v)[^a-z])",
    ),
    "overlap": ("overlap(s|ping)?",),
    "border": ("borders?", "boundar(y|ies)"),
    "alternate": (
        "alternat(e|es|ing)",
        "(opposite|different|alternating|differing) parit(y|ies)",
        "differ in parity",
    ),
    "palindrome": ("palindrom(e|es|ic)",),
    "slow": ("slow",),
    "thermometer": ("thermo(meter)?s?",),
    "towards-bulb": ("(to|towards?|into) (the |its |their )?(round(ed)? |circular )?bulbs?",),
    "average": ("averages?", "means? of"),
    "bulb": ("(round(ed)? |circular )?bulb(ous)?s?( ends?)?", "(round(ed)?|circular) ends?"),
    "base": ("base",),
    "arrow": ("arrow('?s)?", "shafts?"),
    "circle": ("circled?s?", "rings?"),
    "square": ("squares?",),
    "diamond": ("diamonds?",),
    "multi-digit": ("(two|2|three|3)(-digit( numbers?)?| digit numbers?)",),
    "pill": ("pills?",),
    "little-killer": ("little killers?",),
    "cage": (
        "(killer )?cages?( ((marked|shown|indicated) )?(with|by|in) (dashed|dotted) lines?)?",
        "killers?",
        "(dashed|dotted) (outlines?|borders?|areas?|regions?)",
        "(marked (with|by) )?(dashed|dotted) lines?",
    ),
    "corner": ("(top|upper)[- ]?left([- ]hand)?( corner)?", "corners?"),
    "whisper": ("(german )?whispers?",),
    "dutch": ("dutch",),
    "renban": ("renban",),
    "nabner": ("nabner",),
    "zipper": ("zippers?",),
    "global": ("global(ly)?",),
    "entropic": ("entrop(ic|y)",),
    "modular": ("(3-)?modular",),
    "parity": ("parity",),
    "region-sum": ("region[- ]sums?",),
    "not-between": (f"{_NOT} (be |lie |have values |fall |in |strictly )*between",),
    "between": ("between",),
    "lockout": ("lock-?out",),
    "dot": ("dots?", "kropki"),
    "ten-line": ("(ten|10)[- ]?(sum )?lines?",),
    "line": ("lines?", "paths?", "stripes?"),
    "row": ("rows?",),
    "column": ("columns?",),
    "two-by-two": (
        "(2 ?[x×] ?2|two[- ]by[- ]two)( (square|area|block|group|set)s?)?( of)?(?! (box|region))",
    ),
    "box": (
        "((?P<box>[0-9]+ ?[x×] ?[0-9]+) )?(box(es)?|sub-?grids?)",
        "(?P<box_2>[0-9]+ ?[x×] ?[0-9]+) blocks?",
    ),
    "unturned": (
        "(without|no)( any)? (rotation|reflection)s?( (or|and|nor)( no)? (rotation|reflection)s?)?",
        f"{_NOT} (be )?(rotated|reflected)( (or|nor) (rotated|reflected))?",
    ),
    "region": ("((?P<box_3>[0-9]+ ?[x×] ?[0-9]+) )?(regions?|houses?|areas?)",),
    "x-sum": ("x-sums?", "xsums?", "x sums?(?! (to|up))"),
    "set": ("sets?", "groups?", "sequences?", "strings?", "runs?", "series", "collections?"),
    "sign": (
        "inequalit(y|ies)( signs?| symbols?)?",
        "(greater|less)[- ]than (signs?|symbols?)",
        "chevrons?",
        "(?<=respect )signs?",
    ),
    "count": (
        "how many( times)?",
        "(total )?number of( times)?",
        "(exactly )?that many( times)?",
        "(exactly )?as many times as",
        "counts?",
    ),
    "sum": ("sum(s|med|ming)?( up)?", "add(s|ing|ed)?( up| together)?", "total(s|led|ling)?"),
    "difference": ("differ(s|ence|ences)?",),
    "same": ("same", "identical", "equal(s|ly)?", "common", "itself"),
    "repeats": ("repeat(s|ed|ing)?", "duplicate[sd]?"),
    "different": ("different",),
    "less": ("(less|smaller|lower)( than)?", "smallest", "lowest"),
    "greater": ("(greater|larger|bigger|higher|taller)( than)?", "largest", "greatest", "highest"),
    "hide": (
        "(hide|block|obscure|conceal|obstruct)s?( the view( of)?)?",
        "behind (them|it|those)",
    ),
    "outward": (
        "(pointing |facing |that (point|face) )?outwards?([- ](facing|pointing))?",
        "(pointing|facing|that (point|face)) away( from (it|them|the cell))?",
    ),
    "inward": (
        "(pointing |facing |that (point|face) )?inwards?([- ](facing|pointing))?",
        "(pointing|facing|that (point|face)) (towards?|to|at) (it|the cell)",
    ),
    "points": ("points?", "pointed", "pointing"),
    "odd-length": (
        "odd[- ]lengths?",
        "odd[- ]length(ed)?",
        "length is odd",
        "odd number of cells",
        "of odd length",
        "odd lines?",
    ),
    "one-parity": (
        *(
            f"(all|only|entirely|exclusively) {one}( {_DIGIT})?"
            f" ?(and|or|nor|,) ?(all |only |entirely |exclusively )?{other}( {_DIGIT})?"
            for one, other in (("even", "odd"), ("odd", "even"))
        ),
    ),
    "odd": ("odd",),
    "even": ("even",),
    "unshaded": ("unshaded",),
    "shaded": ("shaded", "coloured", "colored", "highlighted"),
    "letters": ("xv", "x/v"),
    "letter-x": (r"(?<![\w'])x('?s)?(?![\w'-])",),
    "letter-v": (r"(?<![\w'])v('?s)?(?![\w'-])",),
    "exclusive": (
        "(but )?(not including|excluding|not counting|exclusive of)( the)?"
        "(?P<keep_6> [0-9]( (and|or|nor)( the)? [0-9])?)?",
        "(but )?(not|non)-? ?inclusive",
        "exclusive",
    ),
    "outside": (
        "outside( of)?",
        "external",
        "(on|at|along) the (sides?|edges?|outside|perimeter) of",
    ),
    "sandwich": ("sandwich(ed|es)?",),
    "skyscraper": (
        "((the )?(height|size)s? of( a| the)? )?(skyscrapers?|buildings?)"
        "( of (that|this|its) (height|size)"
        "|,? with (their )?values corresponding to their heights)?",
        "skyscraper heights?",
    ),
    "seen": ("seen", "visible", "can see"),
    "nth": ("(n|x)-?th( cell| position| digit)?",),
    "first": ("first", "(closest|nearest) to the (clue|number|side)"),
    "numbered-room": ("numbered rooms?",),
    "disjoint": ("disjoint( groups?| sets?)?",),
    "quad": ("quad(ruple)?s?",),
    "four": ("surround(s|ing)?", "four", "4(?= cells)", "intersections?", "around"),
    "appear": ("appear(s|ing)?", "present", "occurs?", "included?"),
    "clone": ("clones?", "cloned"),
    "centre": ("cent(er|re|ral)s?", "middle"),
    "three": ("three", "3(?= (adjacent|successive|consecutive|sequential|cells|digits))"),
    "index": ("index(es|ing|ers?|ed)?",),
    "end": ("(both |either |two |other |flat |open |far )?(ends?|endpoints?|tips?)",),
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
    "except": (
        "unless",
        "except(ing)?( for)?",
        "apart from(?! (each|one|it))",
        "other than",
        "but for",
    ),
    "if": ("if", "when", "whether"),
}

FILLERS = frozenset(
    """
    a an the this that these those it its it's their they them there which who whose what where
    each every any all both other others another themselves such digit digits
    number numbers value values cell cells clue clues is are be been being was must may can
    could should will shall has have having do does to of in on at by for from with within into
    inside along across over as and so then thus also only exactly always necessarily
    respectively strictly simply corresponding connected attached joined linked indicated
    marked given shown drawn printed written stated containing contain contains contained hold
    holds placed place put fill write enter complete grid puzzle sudoku rules
    rule constraint constraints apply applies effect here anywhere pass passes through visit
    visits visited crosses moving move moved starting start starts begin begins toward towards
    away apart particular comprise comprises
    consist consists form forms formed forming make makes made part parts pair pairs one two
    you your respect obey satisfy possible type length empty belong belongs join joins joining
    connecting connects connect wherever anything read reads reading own per via upon outlined
    bold main major long indicate indicates show shows give gives mean means require requires
    include includes denote denotes tell tells say says represent represents
    small filled chess line's digit's cell's arrow's cage's circle's
    follows sized ones n normal standard shorter opaque somewhere provided inclusive way single
    clue's + rule's irregular pointed kropki's instances instance match matches
    matching equivalent purely located numbered note adjoining aka called known finished ie
    entire whole two-cell large directly unattached however additionally furthermore moreover
    addition might enters entering counted accordance respective marks mark consider together
    absolute constitute constitutes existing numerically need needs provide provides specify
    specifies display displays describe describes denoting indicating showing giving found
    signify signifies
    """.split()
)
"""Words that carry no meaning of their own in a rule."""

TELLING = frozenset(
    """
    one two only other others another both part parts inclusive length may can could should
    bold filled large long opaque shorter small
    """.split()
)
"""Words without a concept that make a sentence say more or less: its shape has them."""

SHAPELESS = frozenset("any-order corner if-given set".split())
"""Concepts that may stand anywhere in a sentence, or be left out: its shape does not have them."""

SMALL_TALK = frozenset(
    """
    a about absolutely always amazing and are as at be beautiful been best bit but by can comment
    comments could cute difficult easy elegant enjoy enjoyable enjoyed entertaining excellent
    experience favorite favourite favourites feedback feel flow for from fun funny glad good great
    happy hard have here hope hoped i i'd i'll i'm i've ideal in interesting is it it's its just
    know leave let like liked likes little looking looks lot lots love loved lovely made make
    makes making may me might much my nice of on peak perfect performance pleasant please pretty
    puzzle puzzles quite rather really relatively set setter setters setting simple so solve
    solved solver solvers solves solving sorry sudoku sudokus sweet tested tester testers testing
    thank thanks that that's the these think this those time to today too took tough tried try
    trying very want wanted was we welcome well were what when will with wonderful would yes you
    you'll you're you've your
    """.split()
)
"""Words of remarks that can be no rule, whatever their order: they name nothing of a puzzle."""

TYPOS = {
    r"\b(?!sudoku)(su+d?oo?k[ou]+|sodoku|soduko|sudkou?|soduku|suduko|sudoki)(s?)\b": r"sudoku\2",
    r"\bseperat": "separat",
    r"\b(ortho?g[oa]n|orthag[oa]n|orthogn)al": "orthogonal",
    r"\b(adjecent|ajacent|adjacant|adjascent|adajcent)\b": "adjacent",
    r"\bdiag(n[ao]l|ona|onl)(ly)?\b": r"diagonal\2",
    r"\bpal[ae]ndrom|palidrom|palindorm": "palindrom",
    r"\b(thermomter|thermometor|themometer|thermomenter)": "thermometer",
    r"\b(consec[a-z]*tive|consequtive|concecutive|consectuive)\b": "consecutive",
    r"\b(knigth|kngiht|knigt)": "knight",
    r"\bwhipser": "whisper",
    r"\brenbam": "renban",
    r"\b(ne[cs]+[ea]s+[ae]r+[ia]l*y)\b": "necessarily",
    r"\bration\b(?= of [0-9])|(?<=[0-9] )ration\b": "ratio",
    r"\bexaclty\b": "exactly",
    r"\b(strickly|stricly)\b": "strictly",
    r"\boccour": "occur",
    r"\brepe+a?t(?=(s|ed|ing)?\b)": "repeat",
}
"""Common misspellings, and what is meant."""

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

TURNING = frozenset("not part either or if some except not-between not-all-given".split())
"""Concepts that a heading cannot have: they turn round what stands below it, or limit it."""

UNSURE = frozenset(
    """
    sometimes occasionally seldom rarely usually mostly often maybe perhaps possibly
    wrong false fake invalid incorrect untrue optional partly partially half reverse reversed
    inverse inverted negated lying liar broken modified alternative
    """.split()
)
"""Words that a heading cannot have: they make what stands below it less than a rule."""

SUBJECTS = frozenset(
    """
    digit digits number numbers cell cells clue clues value values grid rule rules row rows
    column columns box boxes constraint constraints region regions must exactly except unless
    wrong false true incorrect liar liars lie lies lying invalid broken
    """.split()
)
"""Words that a remark does not have: a sentence with one of them may be a rule."""

NUMBERS = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)
}
"""The numbers that are written as words."""
