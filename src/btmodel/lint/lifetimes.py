"""How long something is kept, by a sentence: a small grammar, of classes of words and of the orders in which they stand.

Each word of a sentence is a letter, that of its class, and what is said is a pattern of such letters: "kept for 30 days" is `kFT`, and "may not be deleted before
seven years" is `YNwGBT`. Which thing a sentence speaks of is for who asks.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from btmodel.design.denials import DENIALS
from btmodel.design.hints import DIGITS, NUMBERS, UNIT, length_said, time_of, whole_said
from btmodel.design.time_adverbs import ADVERBS, either
from btmodel.on_demand import pattern


class Bound(Enum):
    """What a time is, of how long something is kept: needed for so long, kept for it, gone after it, or promised to be gone by then; or all time."""

    LEAST = auto()
    ABOUT = auto()
    ENDS = auto()
    MOST = auto()
    EVER = auto()


class Lifetime(NamedTuple):
    """What a sentence says of how long something is kept, and where it says so; of :data:`Bound.EVER` there is no length."""

    said: str
    bound: Bound
    length: timedelta | None
    start: int
    end: int
    subject: str  # what stands in front of the verb, or behind one in the active voice
    of_object: bool = False
    noun: bool = False  # a retention, which is that of rows if nothing else is said
    beat: bool = False  # at an interval, which may be that of what goes for another reason
    window: bool = False  # the newest of a time, which says less of what is older
    need: bool = False  # for how long it is needed, which is less than kept


_SHORT = {"s": "second", "h": "hour", "d": "day", "w": "week", "y": "year", "mo": "month"} | {
    short + more: unit
    for short, unit in (("sec", "second"), ("min", "minute"), ("hr", "hour"), ("wk", "week"), ("yr", "year"))
    for more in ("", "s")
}
_OTHERS = {"fortnight": timedelta(days=14), "decade": timedelta(days=3_652)}
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_MORE_NUMBERS = {"dozen": 12, "couple": 2, "hundred": 100, "seventy": 70, "eighty": 80, "thousand": 1_000}
_WORDS = "|".join(
    sorted((word for word in {*NUMBERS, *_MORE_NUMBERS} if len(word) > 2), key=len, reverse=True)
)
# A number in digits or words.
COUNT = rf"(?:{DIGITS}|(?:{'|'.join(_TENS)})-\w+|an?\s+(?:hundred|dozen|thousand|couple\s+of)|{_WORDS})"
_FRACTION = r"(?<![0-9][.,])(?<!\W[-\N{MINUS SIGN}])\d{1,9}\.\d{1,2}(?![\d.,])"
_ORDINAL = r"(?!an?\s+second\s+(?!(?:and|or|at|of|later|after|ago|before|for|in|to|is|are|long|old)\b)\w)"
_LENGTH = (
    rf"{_ORDINAL}(?:half\s+an?\s+(?P<half>{UNIT})|(?P<count>{_FRACTION}|{COUNT}|an?)(?P<more>\s+and\s+a\s+half)?[\s-]+(?:(?:full|whole|more|further|calendar|consecutive)\s+)?(?P<unit>{UNIT})(?:'s?(?!\w))?(?P<half_more>\s+and\s+a\s+half)?"
    rf"|(?P<few>{_FRACTION}|{DIGITS})\s?(?P<short>{'|'.join(sorted(_SHORT, key=len, reverse=True))})|(?:an?\s+)?(?P<other>{'|'.join(_OTHERS)}))"
)
_A_LENGTH = pattern(rf"(?i)\b{_LENGTH}\b")
# A length of time, which :func:`length_of` reads.
LENGTH = re.sub(r"\(\?P<\w+>", "(?:", _LENGTH)


def number_said(text: str) -> int | None:
    """The number that digits or words say, as "1,000", "twelve", "twenty-four" and "a dozen"; None of what is none."""
    parts = [part for part in re.split(r"[\s-]+", text.replace(",", "").lower()) if part]
    parts = [part for part in parts if part not in ("a", "an", "of")] or parts
    known = [
        whole_said(part) if part[:1].isdigit() else _MORE_NUMBERS.get(part) or NUMBERS.get(part)
        for part in parts
    ]
    numbers = [number for number in known if number is not None]
    return sum(numbers) if len(numbers) == len(known) else None


def _length(found: re.Match[str]) -> timedelta | None:
    half, other, short = found["half"], found["other"], found["short"]
    if other:
        return _OTHERS[other.lower()]
    text = found["count"] or found["few"] or ""
    number = 0.5 if half else float(text) if "." in text else number_said(text)
    one = length_said("", half or found["unit"] or _SHORT[short.lower()])
    return (
        None
        if number is None or one is None
        else time_of(number + 0.5 * bool(found["more"] or found["half_more"]), one)
    )


def length_of(text: str) -> timedelta | None:
    """The first length of time in a text; None where it has none that is known."""
    found = _A_LENGTH.search(text)
    return None if found is None else _length(found)


_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_INTERVAL = rf"{either(ADVERBS)}|(?:at\s+)?(?:the\s+end\s+of\s+)?(?:each|every)\s+(?:night|evening|morning|midnight|{_WEEKDAY}|{UNIT})|(?:at|around)\s+midnight|by\s+(?:the\s+)?(?:next|following)\s+(?:day|morning)|overnight"

_DELETE = r"(?:delete|erase|remove|purge|drop|discard|forget|anonymi[sz]e|destroy|wipe|scrub|clear|blank|trim|prune|evict|throw\s+(?:(?:an?|the|any)\s+)?(?:\w+\s+)?away|get\s+rid\s+of|clean\s+up)"
_GONE = (
    r"deleted|erased|removed|purged|dropped|discarded|collected|destroyed|evicted|pruned|trimmed|forgotten|anonymi[sz]ed|scrubbed|blanked|lost|(?:wiped|cleared|cleaned|swept|flushed|emptied|thrown|washed)(?:\s+(?:out|up|away|off))?|"
    r"gone|goes?(?:\s+away)?|expires?|ttl'?d|expired|disappear(?:s|ed)?|vanish(?:es|ed)?|self-destructs?|(?:age|roll|fall|drop|time)s?\s+(?:out|off)|evaporates?|(?:(?<=may )|(?<=can )|(?<=must )|(?<=to )|(?<=should )|(?<=shall ))go(?:\s+away)?"
    rf"|go(?:\s+away)?(?=\s+(?:after|within)\s+\w+\s+(?:{UNIT})\b)"
)
_MOST = r"at\s+(?:the\s+)?(?:very\s+)?most|up\s+to|(?:no|not|never)\s+(?:longer|more|older)\s+than|(?:a\s+)?max(?:imum)?(?!\s+age)(?:\s+of)?|(?:limited|restricted|capped)\s+(?:to|at)|only|just|(?:no|not)\s+later\s+than|at\s+the\s+latest(?:\s+after)?"
_LEAST = r"at\s+least|(?:no|not)\s+(?:less|fewer|shorter)\s+than|(?:a\s+)?min(?:imum)?(?:\s+of)?|(?:a|the)\s+full|all\s+of|statutory|legally|full"
_EVER = r"without\s+(?:any\s+)?(?:limit|end)|for\s*ever|for\s+good(?!\s+(?:measure|reasons?))|indefinitely|permanently|for\s+all\s+(?:time|eternity)|for\s+eternity|eternally|in\s+perpetuity|perpetually|always|until\s+the\s+end\s+of\s+time|(?:for\s+)?as\s+long\s+as"

# The classes of words, each with its letter; of what begins at a place, the first that fits.
_CLASSES = {
    "I": rf"{_INTERVAL}|every\s+{COUNT}[\s-]+{UNIT}",  # intervals: nightly
    "q": rf"(?:{COUNT}|once|twice|(?:\w+\s+)?times)\s+(?:an?|per|each|every)\s+{UNIT}",  # rates, which are no times
    "T": rf"(?:(?:the|about|some|another|roughly|around)\s+)?{_LENGTH}",  # lengths of time
    "Q": r"ago|back|earlier|apart|in\s+advance|beforehand|old|per",  # what makes another thing of a length before it
    "M": _MOST,
    "L": _LEAST,
    "J": r"(?:longer|more)\s+than|beyond|outlasts?",
    "z": r">|older\s+than|outlives?|survives",
    "E": _EVER,
    "e": r"permanent|eternal",
    "Z": r"everything|(?:it|them)\s+all|all\s+of\s+(?:it|them)|every\s+(?:single\s+)?(?:version|change|value|state|edition|revision|event)",
    "b": r"not\s+(?:allowed|permitted|lawful|legal)|forbidden|prohibited|illegal|unlawful",
    "l": r"(?:no|not)\s+(?:earlier|sooner)\s+than",
    "N": DENIALS,
    "P": r"retention(?:\s+(?:period|time|policy))?|(?:hold(?:ing)?|keeping)[\s-](?:time|period)|storage(?:\s+(?:period|time))?|ttl|time[\s-]to[\s-]live|lifetime|life\s?span|shelf\s+life|max(?:imum)?\s+age|expiry|expiration|validity",
    "D": r"must|shall|should|(?:has|have|had|needs?|ought)\s+to|(?:is|are)\s+(?:obliged|required|bound|forced)|obliges?|requires?|requiring|forces?|demands?|makes?\s+us|insists?|expects?|owes?|by\s+law",  # duties
    "Y": r"may|can|could|might|will|(?:is|are)\s+to",
    "U": r"we|us",
    "k": r"kept|held|retained|stored|remembered|saved|preserved|archived|left|on\s+record|on\s+file",  # kept by somebody
    "v": r"needed|wanted|required",
    "h": r"readable|legible|available|accessible|retrievable|obtainable|(?:at|on)\s+hand|there|around|here",  # at hand
    "s": r"stays?|remains?|persists?|lingers?|last(?=\s+(?:for|at)\b)|live|survive",  # there by itself
    "K": r"(?:keep|hold|hang)s?\s+(?:on\s+to|onto)|keep(?:s|ing)?|hold(?:s|ing)?|retain(?:s|ing)?|stor(?:es?|ing)|preserves?|preserving|archives?|remembers?|contains?",  # who keeps it
    "G": rf"(?:auto(?:matically)?-)?(?:{_GONE})",
    "i": r"to\s+(?:keep|retain|store|preserve|hold|archive)",
    "j": rf"to\s+(?:{_DELETE})",
    "g": rf"{_DELETE}s?|throws\s+(?:\w+\s+){{0,2}}away|gets\s+rid\s+of|cleans\s+up",  # who deletes it
    "n": r"deletion|removal|erasure|purge|deleting|removing|erasing|purging",
    "a": r"later|afterwards|from\s+(?:then|now)(?:\s+on)?",
    "A": r"after|once|when|as\s+soon\s+as",
    "W": r"within|inside|in|by",
    "B": r"before|until|till",
    "F": r"for\s+the\s+duration\s+of|for|during|throughout",
    "V": r"(?:last|past|previous)\s+(?:hour|day|week|month|quarter|year)",
    "r": r"rolling|sliding|trailing|moving",
    "S": r"worth",
    "y": r"enough|plenty|sufficient|suffices?",
    "u": r"worthless|useless|void|garbage|rubbish|junk|waste|of\s+no\s+(?:more\s+)?(?:use|value|interest)",
    "H": r"under\s+(?:a\s+)?(?:legal|litigation)\s+hold",
    "R": r"last|past|newest|latest|most\s+recent",
    "X": r"open|closed|shut|locked|cool|warm|below|above|under|ready|alone",  # how it is kept, which is no retention
    "w": r"[\w`*][\w'`*/]*",
}
_LEXER = pattern(
    "(?i)"
    + "|".join(rf"(?P<{letter}>(?:{words})(?![\w-]))" for letter, words in _CLASSES.items())
    + r"|(?P<C>[,:()])|(?P<w1>\w+)"
)


class _Form(NamedTuple):
    """A pattern of classes, and what it says; the group `object` is what is kept, where that stands behind the verb, and `of` is it, too, behind that word."""

    bound: Bound
    letters: re.Pattern[str]
    noun: bool = False
    beat: bool = False
    window: bool = False
    need: bool = False
    by_law: bool = False
    order: bool = False


def _form(bound: Bound, letters: str, **kind: bool) -> _Form:
    return _Form(bound, pattern(letters), **kind)


_FORMS = (
    _form(
        Bound.LEAST, r"N[wDYE]{0,4}G[wF]{0,2}[BFW]w{0,4}T"
    ),  # may not be deleted before seven years have passed
    _form(Bound.LEAST, r"N[wDYE]{0,4}g(?P<object>w{0,3})[BFW]w{0,4}T"),  # nobody may delete one before then
    _form(Bound.LEAST, r"n(?P<object>w{0,3})Bw{0,2}T"),  # deletion before two years is a crime
    _form(Bound.LEAST, r"Yw{0,2}Gw?lT"),  # may be erased no earlier than six years later
    _form(Bound.LEAST, r"HF[wML]{0,2}T"),  # under legal hold for seven years
    _form(Bound.LEAST, r"^LT(?P<of>w{0,3})Dw{0,2}[hk]"),  # at least 90 days of rows must be available
    _form(Bound.MOST, r"N[wDYhUXF]{0,5}zT"),  # nothing may be older than 30 days
    _form(Bound.MOST, r"N[wDYhUX]{0,4}[kshKG][wF]{0,3}JT"),  # must not be kept beyond 24 months
    _form(Bound.MOST, r"Nw{0,4}FJT"),  # and none for longer than 30 days
    _form(Bound.MOST, r"N[wDYX]{0,4}k(?:[AR]T|w?Ta)"),  # none is left a day later
    _form(Bound.MOST, r"(?<!N)zTD"),  # older than two weeks must go
    _form(Bound.MOST, r"K(?P<object>w{0,3})F?JTw{0,2}b"),  # holding one for more than a year is not allowed
    _form(Bound.ENDS, r"[zJ]TQ?C?w{0,2}[DY]?w{0,2}G"),  # older than 60 days is thrown away
    _form(Bound.ENDS, r"TQ[DY]?w{0,2}G"),  # that is two years old may be deleted
    _form(Bound.ENDS, r"[zJ]TQ?w{0,2}u"),  # more than a day old is worthless
    _form(Bound.ENDS, r"Gw{0,3}A?w{0,2}[zJ]T"),  # purged once older than a day
    _form(Bound.ENDS, r"U[wD]{0,2}[gj](?P<object>w{0,4})[zJ]T"),  # we delete what is older than 60 days
    _form(Bound.ENDS, r"G[wFW]{0,5}A[wML]{0,3}T"),  # deleted after a year
    _form(Bound.ENDS, r"Gw{0,2}WM?T"),  # gone within an hour
    _form(Bound.ENDS, r"Gw{0,3}M?T(?:a|(?=A))"),  # deleted two days later
    _form(Bound.ENDS, r"Gw{0,2}I", beat=True),  # purged nightly
    _form(Bound.ENDS, r"nw?AT"),  # eligible for removal after 90 days
    _form(Bound.ABOUT, r"(?:Dw{0,2})?k[wWhkD]{0,3}F[wMLv]{0,3}T(?!Q)"),  # kept for 30 days
    _form(Bound.ABOUT, r"(?:Dw{0,2})?kw?M[wF]{0,2}T(?!Q)"),  # kept no longer than a day
    _form(Bound.ABOUT, r"(?:Dw{0,2})?kw?L?T(?![QaAB])"),  # retained 18 months
    _form(Bound.ABOUT, r"(?:[DY]w{0,2})?s[wWh]{0,4}F[wML]{0,3}T"),  # stays for a day
    _form(
        Bound.LEAST, r"[Ds]w{0,2}[shk]{1,2}[wWR]{0,4}F[wL]{0,2}T"
    ),  # has to stay readable for at least 15 years
    _form(Bound.LEAST, r"^v[wWD]{1,5}k[wFL]{0,2}T"),  # required by law to be held six years
    _form(Bound.LEAST, r"Dw{0,3}hw?(?:AL?T|Ta)"),  # must still be readable after a year
    _form(
        Bound.ABOUT, r"(?:D[wCU]{0,4}|U)[wDM]{0,4}K(?P<object>w{0,5})F[wML]{0,3}T"
    ),  # we keep them for seven years
    _form(Bound.MOST, r"i(?P<object>w{0,5})F?w?MT"),  # allowed to keep them for at most a year
    _form(Bound.ABOUT, r"yi(?P<object>w{0,5})F[wML]{0,3}T"),  # it is enough to keep them for a day
    _form(Bound.LEAST, r"i(?P<object>w{0,5})F[wML]{0,3}T"),  # the law tells us to keep each for five years
    _form(Bound.ABOUT, r"Uw?KM?L?T(?P<of>w{0,3})"),  # we keep 13 months of rows
    _form(
        Bound.ENDS, r"(?:[DY]g|j|Ug|(?:^|^wC)g)(?P<object>[wC]{0,12})[WA]T"
    ),  # must delete the ip within 10 days
    _form(
        Bound.ENDS, r"^AT[CN]?(?P<object>[wN]{0,9}?)[DY]?w?G"
    ),  # after a month nobody cares, and they may go
    _form(Bound.ENDS, r"T[aA][^TGP]{0,14}?Dw{0,2}G"),  # 30 days after the visit, both must be wiped
    _form(
        Bound.ENDS, r"Nw{0,3}WT(?P<object>[Cw]{0,4})G"
    ),  # if it is not picked up within 3 days, it is dropped
    _form(Bound.ABOUT, r"(?:Rw?T|V)w{0,2}k", window=True),  # the last 45 days are stored
    _form(
        Bound.ABOUT, r"Uw{0,2}KM?(?P<object>w{0,5})(?:[Rr]w{0,2}T|V|TSw{0,2})", window=True
    ),  # we keep a rolling 90 days
    _form(
        Bound.ABOUT, r"(?:w{0,2}Mw?)?KM?w{0,2}(?:[Rr]w{0,2}T|V|TSw{0,2})", window=True
    ),  # holds the last 45 days
    _form(Bound.ABOUT, r"M?w?KM?T(?P<of>w{1,3})", window=True),  # holds only a month of rows
    _form(Bound.ABOUT, r"U[gj]w{0,3}Rw?T", window=True),  # we trim it to the last week
    _form(
        Bound.ABOUT, r"^w?(?:rw{0,2}T|TSw{0,2})", window=True
    ),  # a rolling window of 28 days, a week's worth
    _form(Bound.ABOUT, r"^T(?P<object>w{0,4})y", window=True),  # two days are enough
    _form(Bound.ABOUT, r"^[wM]?Tw{0,2}k(?!w?F)", window=True),  # one month is kept
    # Law: six years; SOX requires seven years; for the tax office: 10 years; the legal minimum is ten years
    _form(Bound.LEAST, r"^[wDvFL]{0,6}[CDvL](?:w|[FLM]{0,2})T(?=M?(?:$|[C)]))", by_law=True),
    _form(
        Bound.LEAST, r"^[wDU]{0,6}Dw{0,3}T(?P<of>w{0,3})", by_law=True
    ),  # we owe the regulator 7 years of them
    _form(
        Bound.MOST, r"^[wW]{1,6}U?MT(?=$|C)", by_law=True
    ),  # data protection allows us no more than a month
    _form(Bound.ABOUT, r"^K[wF]?[ML]?T(?=$|[CN])", order=True),  # keep 90 days, then drop
    _form(Bound.ENDS, r"GC[wAML]{0,2}T(?=$|C)"),  # auto-expires (48h)
    _form(Bound.ENDS, r"^AT[CN]?(?P<object>w{0,2}?)Y?w{0,3}u"),  # after three days it is garbage
    _form(Bound.ABOUT, r"L?w?P[wCMLDQ]{0,4}T", noun=True),  # retention: 7 years
    _form(Bound.ABOUT, r"T[wL]?P(?:w?[vD])?", noun=True),  # a 90-day retention
    _form(Bound.ABOUT, r"(?:v|h)F?[wL]{0,3}T(?!Q)", need=True),  # needed for 10 years
    _form(Bound.EVER, r"N[wDYE]{0,5}G(?![wFWMLC]{0,3}[ABFWJTIaC])"),  # never deleted
    _form(Bound.EVER, r"N[wDYE]{0,3}g(?P<object>w{0,2})(?![wFWMLC]{0,3}[ABFWJTIaC])"),  # we never delete them
    _form(Bound.EVER, r"[kshv][wC]{0,2}E|E[ksvh]|w(?:E(?=$)|e(?=$|C))"),  # kept for ever
    _form(Bound.EVER, r"UKZ(?![FMLCTWAB])|Z[wD]{0,3}k(?![wFMLWAB])"),  # we keep everything
    _form(Bound.EVER, r"Nw?P(?!w{0,3}T)", noun=True),  # there is no expiry
)
# Who prescribes how long something is kept, and who, that it is kept no longer.
_PRIVACY = r"gdpr|dsgvo|ccpa|privacy|data[\s-]protection"
_BY_LAW = pattern(
    rf"(?i)\b(?:laws?|legal(?:ly)?|statut(?:e|es|ory)|legislat(?:ion|or|ors)|regulat(?:ors?|ions?|ory)|hipaa|sox|sarbanes[\s-]oxley|mifid|dora|emir|pci|basel|solvency|hgb|fda|finra|bafin|tax|"
    rf"compliance|auditors?|inspectorate|authorit(?:y|ies)|supervisory|customs|{_PRIVACY})\b"
)
_NO_LONGER = pattern(rf"(?i)\b(?:{_PRIVACY})\b")
# What tells somebody to keep rows, where a note begins.
_ORDERED = pattern(r"(?i)\W*(?:keep|retain|preserve|store|archive)\b")
# Other things that a law prescribes.
_NOT_KEPT = pattern(
    r"(?i)\b(?:notice|holidays?|leave|answers?|reply|replies|respon\w+|deadlines?|prison|payments?|pay|warrant(?:y|ies)|training|appeals?|objections?|experience|audits?|duration|term|old|age|contracts?|delivery)\b"
)
# What denies what stands behind it.
_DENIED = pattern(r"N[wDYUXE]{0,2}$")
_NEEDED = frozenset("LDv")
# Who remembers it for itself, and not in rows: "dropped by the program that writes it, which remembers the last hour".
_PROGRAM = pattern(
    r"(?i)\b(?:program|process|job|worker|writer|reader|client|app|gateway|collector|importer|pipeline|script|daemon|agent|browser)s?(?:\s+(?:that|which)\s+[^,;:.]{1,40})?(?:,?\s+(?:that|which|and))?\s*$"
)


# What things happen to last, and no rule says; and what a device holds until it can send it.
_ON_AVERAGE = pattern(r"(?i)\s*(?:on average|in the mean|or thereabouts)\b")
_PASSED_ON = pattern(
    r"(?i)^[^.;]{0,30}\b(?:sends?|forwards?|uploads?|transmits?|delivers?|relays?|hands?|passes)\b(?:\s+\w+){0,3}\s+(?:later|afterwards|on|in|once|when|as soon as)\b"
)


@lru_cache(maxsize=1_024)
def lifetimes(sentence: str) -> tuple[Lifetime, ...]:
    """What a sentence says of how long something is kept, in the order in which it says so; nothing twice."""
    return tuple(_lifetimes(sentence))


def _lifetimes(sentence: str) -> Iterator[Lifetime]:
    tokens = list(_LEXER.finditer(sentence))
    letters = "".join((found.lastgroup or "w")[0] for found in tokens)
    if {*letters}.isdisjoint("TIVEeZN"):
        return
    taken = 0
    found = [
        (each.start(), number, form, each)
        for number, form in enumerate(_FORMS)
        for each in form.letters.finditer(letters)
    ]
    for begin, _, form, each in sorted(found, key=lambda one: one[:2]):
        if begin < taken or (letters[begin] != "N" and _DENIED.search(letters[:begin])):
            continue
        said = letters[begin : each.end()]
        length = next(
            (
                _of(token)
                for token, letter in zip(tokens[begin : each.end()], said, strict=True)
                if letter in "TIV"
            ),
            None,
        )
        if length is None and form.bound is not Bound.EVER:
            continue
        start, end = tokens[begin].start(), tokens[each.end() - 1].end()
        if _ON_AVERAGE.match(sentence[end:]) or (form.window and _PASSED_ON.search(sentence[end:])):
            continue
        if form.order and _ORDERED.match(sentence) is None:
            continue  # "Hold for two minutes, then press."
        if form.by_law and (_BY_LAW.search(sentence[:end]) is None or _NOT_KEPT.search(sentence)):
            continue
        verb = next((at for at, letter in enumerate(said) if letter not in "Nw"), 0)
        subject = sentence[: tokens[begin + verb].start()]
        named = each.lastgroup
        if named is not None:
            at, held = each.start(named), len(each[named])
            subject = sentence[tokens[at].start() : tokens[at + held - 1].end()] if held else ""
            if named == "of" and subject and not subject.startswith("of "):
                continue
            subject = subject.removeprefix("of ")
        elif form.by_law:
            subject = ""  # whatever a law is about is kept in the rows
        elif said[verb] == "K" and _PROGRAM.search(subject):
            continue
        yield Lifetime(
            sentence[start:end],
            Bound.MOST if form.by_law and _NO_LONGER.search(sentence[:end]) else _bound(form.bound, said),
            length,
            start,
            end,
            subject,
            named is not None,
            form.noun,
            form.beat,
            form.window,
            form.need,
        )
        taken = each.end()


def _of(token: re.Match[str]) -> timedelta | None:
    if token.lastgroup == "T":
        return _length(token)
    counted = _A_LENGTH.search(token[0])
    if counted is not None:
        return _length(counted)
    if token[0].lower() in ADVERBS:
        return ADVERBS[token[0].lower()]
    unit = next(
        (word for word in ("hour", "week", "month", "quarter", "year") if word in token[0].lower()), None
    )
    return length_said("", unit or ("week" if re.search(rf"(?i){_WEEKDAY}", token[0]) else "day"))


def _bound(usual: Bound, said: str) -> Bound:
    """What a form says with the words of a bound in it."""
    if usual is not Bound.ABOUT:
        return usual
    if "M" in said:
        return Bound.MOST
    return Bound.LEAST if _NEEDED & {*said} else usual


# What may also mean that nothing gets lost on its way, that something can always be reached, or that it is written at all.
_NOT_SURELY_EVER = pattern(
    r"(?i)\b(?:lost|dropped|discarded|collected|trimmed|gone|goes?|always|long as)\b|^(?!.*\b(?:ever|good|time|eternity|permanently|indefinitely|limit|perpetuity)\b).*\b(?:stor(?:ed?|es)|saved?|saves|held|holds?|remembers?|contains?)\b"
)
_NOT_YET = pattern(
    r"(?i)^\s*(?:at once|immediately|right away|directly|automatically|yet|from|by|with|twice)\b"
)


def surely_ever(said: Lifetime, behind: str) -> bool:
    """Whether what is said of all time surely means that something is never deleted, by its words and those ``behind`` it."""
    return _NOT_SURELY_EVER.search(said.said) is None and _NOT_YET.match(behind) is None


# What goes as a whole; not what is cleaned, and not the old ones of all.
_ALL_GO = pattern(
    r"(?i)^(?:(?:it|they|all(?: of (?:it|them))?|everything|all data|(?:(?:the|all|its)\s+)?(?:table|rows?|entries)) (?:is|are|gets?|get) |(?:is|gets) )?"
    r"(?:deleted|erased|removed|purged|gone|dropped|wiped|swept|cleared out|cleaned out|discarded|thrown|flushed|emptied)\b"
)


def by_law(text: str) -> bool:
    """Whether a text names who prescribes how long something is kept."""
    return _BY_LAW.search(text) is not None


def all_go(sentence: str) -> bool:
    """Whether a sentence about what is deleted at an interval speaks of all rows."""
    return _ALL_GO.match(sentence) is not None
