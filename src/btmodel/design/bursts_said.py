"""How many events come together at most, by a description: "a lot takes up to thirty a second", "several in the same second"."""

import re
from collections.abc import Iterable
from datetime import timedelta

from btmodel.design.denials import denied, denies
from btmodel.design.hints import NUMBERS, UNIT, length_said, sentences
from btmodel.on_demand import pattern
from btmodel.words import words

_SEVERAL = pattern(
    rf"(?i)\b(?:often|several|two|three|many|multiple|dozens|some|more than one)\b.*\b(?:same|one|single) ({UNIT}|milliseconds?)\b"
)
# Events that have one time, as it is written: "half a dozen steps with the same stamp".
_ONE_STAMP = pattern(
    r"(?i)\b(?:several|two|three|four|five|six|ten|many|multiple|dozens?(?: of)?|some|half a dozen|a few|a handful of|more than one)\b(?: \w+){1,4}? "
    r"(?:(?:can|may|might|will|often|sometimes|even) )*(?:with|have|has|had|share|shares|carry|carries|get|gets|bear|bears) (?:the same|one and the same|an identical|identical|the very same) (?:\w+ )?(?:time|times|stamp|stamps|time ?stamps?)\b"
)
_USUAL = pattern(
    r"(?i)\b(?:nothing|not|no) (?:at all )?(?:unusual|uncommon|rare|special|odd|exception|surprise)\b"
)
_RATE = pattern(
    rf"(?i)\b(\d[\d,]*|{'|'.join(word for word in NUMBERS if len(word) > 2)}) (?:\w+ ){{0,2}}(?:an?|per|each|every|in an?|in one) ({UNIT})\b|\b(\d[\d,]*)/(s|min|h)\b"
)
# More than one event in a time, without a number.
_MORE = pattern(
    rf"(?i)\b(?:several|many|multiple|(?:a\s+)?dozens?(?:\s+of)?|(?:hundreds|thousands)(?:\s+of)?|a\s+few|a\s+handful(?:\s+of)?|a\s+couple(?:\s+of)?|more\s+than\s+(?:one|once)|bursts?(?:\s+of)?)"
    rf"\s+(?:(?!(?:per|an?|each|every|in|within|last|next|past|and|or|but|days?|hours?|minutes?|seconds?|weeks?|months?|years?)\b)\w+\s+){{0,3}}?(?:(?:of|on|for|from)\s+(?:an?|one|each|the\s+same|a\s+single)\s+\w+\s+)?(?:per|an?|each|every|(?:with)?in\s+(?:an?|one|a\s+single|the\s+same))\s+({UNIT})\b"
)
# What is done to a row as often, and makes no event.
_READ = pattern(
    r"(?i)\b(?:reads?|looks? (?:\w+ ){0,3}?up|looked up|quer(?:y|ies|ied)|fetch(?:es|ed)?|poll(?:s|ed)?)\b"
)
# Events that come together, where no number is said.
_BESIDE = 2
_SHORT_UNITS = {"s": "second", "min": "minute", "h": "hour"}


def burst_said(doc: str, names: Iterable[str], unit: timedelta | None = None) -> tuple[str, float] | None:
    """The words of a description that say how many events of one of ``names`` come in a time, at most, and these as a rate a second; None without any.

    What has the same stamp comes within one ``unit`` of the time that the key has.
    """
    one = "|".join(re.escape(word.lower()) for name in names for word in words(name) if len(word) > 1)
    of_one = rf"(?i)\b(?:an?|one|each|every|per|single|same) (?:\w+ )?(?:{one})\b"
    for sentence in sentences(doc):
        several = _SEVERAL.search(sentence)
        if several and not denied(sentence[: several.start()]):
            length = length_said("1", several[1])
            return (several[0], _BESIDE / length.total_seconds()) if length else None
        stamp = _ONE_STAMP.search(sentence)
        if stamp and unit is not None:
            behind = _USUAL.sub("", sentence[stamp.end() :])
            if not (denied(sentence[: stamp.start()]) or denies(behind)):
                return stamp[0], _BESIDE / unit.total_seconds()
        more, rate = _MORE.search(sentence), _RATE.search(sentence)
        if not one or not (more or rate) or not re.search(of_one, sentence):
            continue
        if _READ.search(sentence) or (more and denied(sentence[: more.start()])):
            continue
        if more:
            length = length_said("1", more[1])
            return (more[0], _BESIDE / length.total_seconds()) if length else None
        if rate:
            length = length_said("1", rate[2] or _SHORT_UNITS[rate[4]])
            count = length_said(rate[1] or rate[3], "second")
            if length and count:
                return rate[0], count.total_seconds() / length.total_seconds()
    return None
