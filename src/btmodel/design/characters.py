"""What descriptions say of the characters that values may hold."""

import re

from btmodel.design.hints import sentences
from btmodel.on_demand import pattern

# What a character is called.
_NAMES = {
    "-": r"hyphens?|dash(?:es)?|minus(?:es)?(?: signs?)?",
    "_": r"underscores?|underlines?|low lines?",
    ".": r"dots?|periods?|full stops?|points?",
    "/": r"slash(?:es)?|forward slash(?:es)?",
    ":": r"colons?",
    ";": r"semicolons?",
    ",": r"commas?",
    " ": r"spaces?|blanks?|white ?space",
    "#": r"hash(?:es)?(?: signs?)?|number signs?|pound signs?",
    "|": r"pipes?|vertical bars?|bars?",
    "+": r"plus(?:es)?(?: signs?)?",
    "@": r"at[- ]signs?",
    "~": r"tildes?",
    "&": r"ampersands?",
    "*": r"asterisks?|stars?",
    "=": r"equals? signs?",
}
_NONE = pattern(r"(?i)\b(?:no|not|never|none|neither|nor|cannot|can't|without|free of|except|but)\b[^.;]*$")
_REFUSED = pattern(
    r"(?i)^[^.;,]{0,30}\b(?:(?:is|are) (?:not allowed|forbidden|refused|rejected|excluded|banned|replaced|stripped|removed|escaped|reserved|never|not)\b|cannot|can't|never|must not|may not)"
)
# What lists the characters that values have: one that it does not name is none of them.
_LISTED = pattern(r"(?i)\b(?:letters|alphanumerics?|hexadecimal|ascii)\b")


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
