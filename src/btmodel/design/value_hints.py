"""What names and descriptions say of values: which characters they hold, and which are the largest or smallest of several, or those of a moment, whose sums mean nothing."""

import re

from btmodel.design.denials import denied
from btmodel.design.hints import happening, sentences
from btmodel.on_demand import pattern
from btmodel.words import words

# What a value is called that is the largest or the smallest of several, in front of a name or behind it.
_EXTREMES = {
    "max": frozenset(words("max maximum longest highest largest biggest greatest slowest worst")),
    "min": frozenset(words("minimum shortest lowest smallest")),
}
# In front of what was counted meanwhile these are a time of the day, and behind a number its unit.
_ONLY_BEHIND = {"max": frozenset(words("peak")), "min": frozenset()}
# What is measured at each moment, and counted in no time of the day: its peak is a maximum, wherever that word stands.
_MEASURED = frozenset(
    words(
        "watt watts kilowatt kilowatts megawatt megawatts kw mw power draw demand ampere amperes amps volts voltage current pressure temperature speed depth height altitude flow force torque"
    )
)
_ONLY_IN_FRONT = {"max": frozenset(), "min": frozenset(words("min"))}
# What is counted, whatever stands in front of it.
_COUNTS = frozenset(
    words(
        "count counts total totals sum sums number seconds minutes hours days times hits reached exceeded events calls requests "
        "errors alarms visits"
    )
)
# What must be right to the last one: money, and what is like it, stock, places, votes and doses, by any word of a name.
_EXACT = frozenset(
    words(
        "balance credit credits debit debits cents pence micros euros dollars amount owed owing spent spend budget revenue turnover payable receivable payout paid payment payments refund refunded refunds "
        "donated donations vat tax taxes fee fees billed billable royalty royalties salary wage wages deductible premium premiums "
        "stock inventory reserved votes ballots points miles coins gems gold dose doses quota redemptions redeemed overtime prepaid"
    )
)
# The same of the last words, which say what is left of what there was.
_LEFT = frozenset(words("left remaining sold available free used hand stock held"))
_LEFT_OF = frozenset(words("left remaining"))


def exact(name: str) -> bool:
    """Whether a name is that of a sum that must be right: money, or what is left or sold of what there is."""
    parts = [word.lower() for word in words(name)]
    return bool(
        _EXACT.intersection(parts) or _LEFT.intersection(parts[-1:]) or _LEFT_OF.intersection(parts[:1])
    )


_SAID_EXTREME = {
    "max": r"(?:longest|highest|largest|biggest|greatest|slowest|worst|maximum|max|peak)",
    "min": r"(?:shortest|lowest|smallest|minimum)",
}
# What an hour has, and not what an hour is looked up by.
_PER = r"\b(?:for|of|in|per|within) (?:(?:each|every|an?|the) )?(?:second|minute|hour|day|week|month|season|year)\b"
_COUNTED_THERE = pattern(
    r"(?i)\b(how (many|often|much)|number of|counts?|counted|sums?|totals?|added|adds?|together|in all)\b"
)


def extreme(name: str) -> str | None:
    """``max`` or ``min`` of a name that is one of the largest or the smallest of several values, as ``longest_wait``; None of others."""
    parts = [word.lower() for word in words(name)]
    if len(parts) < 2 or parts[-1] in _COUNTS:
        return None
    if parts[0] in _ONLY_BEHIND["max"] and parts[-1] in _MEASURED:
        return "max"
    for kind, called in _EXTREMES.items():
        if parts[0] in called | _ONLY_IN_FRONT[kind] or parts[-1] in called | _ONLY_BEHIND[kind]:
            return kind
    return None


def said_extreme(doc: str, name: str) -> str | None:
    """``max`` or ``min`` of an attribute that a description calls the largest or the smallest of several values; None of others.

    A line of it is about the attribute where it begins with its name, and a sentence where it holds the name.
    """
    own = re.escape(name)
    for line in doc.splitlines():
        about = re.match(rf"(?i)\s*[-*]?\s*`*{own}`*\s*[:\s\u2013-]\s*(?:the )?(.*)", line)
        if about and not _COUNTED_THERE.search(about[1]):
            for each, superlative in _SAID_EXTREME.items():
                said = re.match(rf"(?i){superlative}\b(?!(?: \w+){{0,2}} (?:is|are|was|were)\b)", about[1])
                if said:
                    return each
    kind, called = extreme(name), "[ _]".join(re.escape(word) for word in words(name))
    if kind is None:
        return _extreme_of(doc, called)
    said_so = rf"{called}`*[ :,]+(?:(?:is|was|holds|keeps) )?(?:the )?{_SAID_EXTREME[kind]}\b|\bthe {_SAID_EXTREME[kind]} `*{called}\b"
    one = "" if name.endswith("s") else rf"|\bthe {called}\b"  # several are counted
    held = rf"|\b{_SAID_EXTREME[kind]}\b(?=.*{_PER}.*\b{re.escape(words(name)[-1])}\b)"  # "the highest draw of each hour, in watts"
    found = (re.search(rf"(?i)(?:{said_so}{one}{held})", each) for each in sentences(doc))
    return kind if any(each and not _COUNTED_THERE.search(each.string) for each in found) else None


_LOOKED_UP = pattern(
    r"(?i)\b(?:which|when|shows?|shown|reports?|finds?|found|looks?|asks?|quer(?:y|ies)|charts?)\b"
)


def _extreme_of(doc: str, called: str) -> str | None:
    """The same of a value whose own name says nothing, where a sentence gives the largest or smallest of it for spans of time."""
    for kind, superlative in _SAID_EXTREME.items():
        most = (
            rf"(?<!with )(?<!with the ){superlative} (?:(?:number|count|amount|level) of |of )?`*{called}`*\b"
        )
        for each in sentences(doc):
            spans = re.search(rf"(?i){_PER}", each)
            if spans and re.search(rf"(?i)\b{most}", each) and not _LOOKED_UP.search(each):
                return kind
    return None


# What has a value at each moment, so that a sum over moments means nothing: by the name alone, or where the description says so.
_LEVELS = frozenset(
    words(
        "temperature temp level pressure humidity occupancy percent percentage voltage speed depth altitude headcount"
    )
)
_PERHAPS_LEVELS = frozenset(words("balance stock load fill height rank waiting queued online power present"))
_OF_UNITS = frozenset(words("c f k cm mm m km kmh bar mbar hpa kpa pct v mv kw w celsius now current"))
_MOMENT = r"\b(?:at (?:an?|any|each|every|that|this|one|the same) (?:moment|instant)|at that time|right now|at present)\b"
_STATE = pattern(
    rf"(?i){_MOMENT}|\bhow (?:full|warm|hot|cold|deep|high|fast|loaded|busy|crowded)\b|\bhow (?:many|much)\b[^.;:]*\b(?:are|is|stands?|sits?|waits?) (?:now |there |still )?(?:in|on|at|there|left|waiting|present)\b"
    rf"|\b(?:once|twice|\w+ times) (?:an?|each|every|per) (?:second|minute|hour)\b|\b(?:each|every) (?:\w+ )?(?:second|minute)s?\b"
)
_OF_A_MOMENT = pattern(rf"(?i)\bhow (?:many|much|full)\b[^.;:]*{_MOMENT}")
_CHANGE = pattern(
    r"(?i)\b(?:added|adds|sold|fell|falls|fallen|rose|risen|delta|differences?|changed by|gained|lost|since (?:the )?(?:last|previous|one before))\b"
)


def level_said(doc: str, name: str) -> tuple[str, bool] | None:
    """The words that say that an attribute is a value of a moment, of its name or a description, and whether the description does; None of others.

    How much was added or has changed since may be added up, whatever it is called.
    """
    parts = [word.lower() for word in words(name)]
    while len(parts) > 1 and parts[-1] in _OF_UNITS:
        parts.pop()
    if not parts or parts[-1] in _COUNTS or happening(name) or _CHANGE.search(doc):
        return None
    called = parts[-1] in _LEVELS
    state = _STATE if called or parts[-1] in _PERHAPS_LEVELS else _OF_A_MOMENT
    said = state.search(" ".join(doc.split()))
    return (said[0], True) if said else (name, False) if called else None


# What a character is called.
_NAMES = {
    "-": r"hyphens?|dash(?:es)?|minus(?:es)?(?: signs?)?",
    "_": r"underscores?|underlines?|low lines?",
    ".": r"dots?|full stops?",
    "/": r"slash(?:es)?|forward slash(?:es)?",
    ":": r"colons?",
    ";": r"semicolons?",
    ",": r"commas?",
    " ": r"blanks?|white ?spaces?|space characters?|spaces in (?:them|it|names?)",
    "#": r"hash signs?|number signs?|pound signs?",
    "|": r"pipe (?:signs?|characters?)|vertical bars?",
    "+": r"plus signs?",
    "@": r"at[- ]signs?",
    "~": r"tildes?",
    "&": r"ampersands?",
    "*": r"asterisks?",
    "=": r"equals? signs?",
}
_EXCEPT = pattern(r"(?i)\b(?:free of|except|but)\b[^.;]*$")
_REFUSED = pattern(
    r"(?i)^[^.;,]{0,30}\b(?:(?:is|are) (?:not allowed|forbidden|refused|rejected|excluded|banned|replaced|stripped|removed|escaped|reserved|never|not)\b|cannot|can't|never|must not|may not)"
)
# What lists the characters that values have: one that it does not name is none of them.
_LISTED = pattern(
    r"(?i)\bletters\s*(?:,|and|or)\s*(?:digits|numbers|numerals)\b|\b(?:digits|numbers)\s+(?:and|or)\s+letters\b|\b(?:only|of|are)\s+(?:(?:small|lower-?case|upper-?case|capital|latin)\s+)?letters\b(?!\s+(?:of|to|from|that|by))"
    r"|\bletters\s+(?:only|alone)\b|\b(?:alphanumerics?|hexadecimal)\b"
)


def may_hold(doc: str, text: str) -> bool | None:
    """Whether a description says that values may hold the ``text`` of one character, or that they may not; None where it says neither."""
    name = _NAMES.get(text)
    said = (
        rf"\b(?:{name})\b|(?<!\w)[`'\"“]{re.escape(text)}[`'\"”]"
        if name
        else rf"[`'\"“]{re.escape(text)}[`'\"”]"
    )
    spoken = [*sentences(doc)]
    for sentence in spoken:
        for found in re.finditer(f"(?i){said}", sentence):
            before, after = sentence[: found.start()], sentence[found.end() :]
            return not (denied(before) or _EXCEPT.search(before) or _REFUSED.search(after))
    return False if any(map(_LISTED.search, spoken)) else None
