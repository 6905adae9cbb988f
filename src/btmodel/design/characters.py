"""What descriptions say of the characters that values may hold."""

import re

from btmodel.design.hints import sentences
from btmodel.on_demand import pattern

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
_NONE = pattern(r"(?i)\b(?:no|not|never|none|neither|nor|cannot|can't|without|free of|except|but)\b[^.;]*$")
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
            return not (_NONE.search(before) or _REFUSED.search(after))
    return False if any(map(_LISTED.search, spoken)) else None
