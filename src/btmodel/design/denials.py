"""Sentences that deny what they speak of: "never", "is not", "nobody"."""

from btmodel.on_demand import pattern

# The words that deny something.
DENIALS = r"not|never|no\s+longer|nothing|none|nobody|no\s+one|no|cannot|neither|nor|nowhere|without|hardly|impossible|instead\s+of|rather\s+than|\w+n't"
_DENIES = pattern(rf"(?i)\b(?:{DENIALS})\b")
_DENIED = pattern(rf"(?i)\b(?:{DENIALS})\b[^,;:]*$")


def denies(text: str) -> bool:
    """Whether a sentence or a clause denies something."""
    return _DENIES.search(text) is not None


def denied(before: str) -> bool:
    """Whether the clause of which ``before`` is the beginning denies what comes behind it."""
    return _DENIED.search(before) is not None
