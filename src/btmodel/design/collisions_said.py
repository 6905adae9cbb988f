"""What a description says of events of one key: that two never come at once, or that the later one is to replace the earlier."""

from btmodel.codecs.key import Kind
from btmodel.design.denials import denied
from btmodel.design.hints import sentences
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema
from btmodel.words import words

_NEVER_TWO = pattern(
    r"(?i)\b(?:never|no|not|nobody|nothing|cannot|can't)\b[^.;]*\b(?:two|several|more than (?:one|once)|twice|both)\b[^.;]*\b(?:second|moment|same time)\b"
)
_ANEW = r"\b(?:replac(?:es?|ing)|overwrit(?:es?|ing)|supersedes?|superseding)\b"
_MEANT = r"\b(?:on purpose|deliberate(?:ly)?|intended|intentional(?:ly)?|by design|as (?:is )?(?:meant|wanted|intended))\b"
_REPLACING = pattern(
    rf"(?i){_ANEW}[^.;!?]*{_MEANT}|{_MEANT}[^.;!?]*{_ANEW}|\b(?:one|a single) \w+ (?:an?|per|each|every) \w+ is (?:all|enough|what)\b"
)
# What a column of an event that lasts is called: one thing is in one such event at a time, and does not begin two at once.
_LASTING = frozenset(words("seconds minutes hours duration length ended ends until finished stopped"))


def never_two(doc: str) -> bool:
    """Whether two events of one thing never come in the same second, by a description."""
    return _NEVER_TWO.search(doc) is not None


def replacing_said(doc: str) -> bool:
    """Whether the later of several events of one key is to replace the earlier ones, by a description."""
    return any(
        not denied(sentence[: found.start()])
        for sentence in sentences(doc)
        for found in _REPLACING.finditer(sentence)
    )


def one_at_a_time(model: ModelSchema) -> bool:
    """Whether rows are what lasts for a while, each of one thing, such as the trips of a car."""
    things = [part for part in model.key.asked if part.codec.kind is not Kind.TIME]
    names = (word.lower() for column in model.columns for word in words(column.name))
    return len(things) == 1 and not _LASTING.isdisjoint(names)
