"""What names and descriptions say without a declaration: what happens again and again, numbers that are counted up, and lengths of time.

A name is a hint: what it says is warned of, never refused, and the author may declare otherwise.
"""

import re
from collections.abc import Iterable
from datetime import timedelta

from btmodel.on_demand import pattern
from btmodel.words import words

# The parts of a length of time in a description, such as "two years": one of these words, or a number, and a unit.
UNIT = r"(?:second|minute|hour|day|week|month|quarter|year)s?"
NUMBERS = {
    word: number
    for number, word in enumerate(words("one two three four five six seven eight nine ten eleven twelve"), 1)
}
NUMBERS |= {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
    "dozens": 24,
    "hundreds": 200,
    "a": 1,
    "an": 1,
}
_LENGTHS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=31),
    "quarter": timedelta(days=92),
    "year": timedelta(days=365),
}

# What happens again and again, so that there is always one more.
_HAPPENING = frozenset(
    words(
        "alarm alert bet bid bill block booking bookmark call charge check claim click comment commit completion delivery deposit "
        "document download entry event fan file fill follower friend impression interaction invoice job like "
        "listen listener log lookup match measurement message mint move note notification observation order participant "
        "payment photo play post posting purchase reader reading receipt recipient reference referral refund repost request "
        "reservation result revision review ride sale scan search session share shipment signup spend subscriber swap task ticket trade "
        "transaction transfer trip update upload view viewer visit visitor vote watch watcher withdrawal"
    )
)
# What has happened, of words that form it otherwise.
_DONE = frozenset(words("seen read bought sold sent paid won lost met heard sung"))
# Numbers that count what is written.
_CLIMBING = frozenset(
    words(
        "height offset revision seq seqno seqnum sequence lsn scn csn txid xid txn rowid autoincrement version round slot "
        "block ledger tick checkpoint generation ordinal epoch counter serial cursor watermark commit"
    )
)
_NUMBER = frozenset(words("no nr num number index idx id count counter position serial"))


def happening(name: str) -> bool:
    """Whether a name is that of things of which there is always one more, as ``orders`` and ``watched``."""
    parts = [word.lower() for word in words(name)]
    return any(_one(word) in _HAPPENING for word in parts) or (bool(parts) and _done(parts[-1]))


def counted_up(name: str) -> bool:
    """Whether a name is that of a number that is counted up, as ``height``, ``seq_no`` and ``order_number``."""
    parts = [word.lower() for word in words(name) if not word.isdigit()]
    if not parts:
        return False
    before = _one(parts[-2]) if len(parts) > 1 else ""
    if parts[-1] in _NUMBER and (before in _CLIMBING or before in _HAPPENING):
        return True
    return parts[-1] in _CLIMBING and not (parts[-1] == "serial" and len(parts) == 1)


def _done(word: str) -> bool:
    """Whether it is a participle: what somebody ``watched`` or has ``seen``."""
    return word in _DONE or (word.endswith("ed") and not _HAPPENING.isdisjoint((word[:-1], word[:-2])))


def _one(word: str) -> str:
    """The singular of a word."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes")):
        return word[:-2]
    return word.removesuffix("s")


_SEVERAL = pattern(
    rf"(?i)\b(?:often|several|two|three|many|multiple|dozens|some|more than one)\b.*\b(?:same|one|single) ({UNIT})\b"
)
_RATE = pattern(
    rf"(?i)\b(\d+|{'|'.join(word for word in NUMBERS if len(word) > 2)}) (?:\w+ ){{0,2}}(?:an?|per|each|every|in an?|in one) ({UNIT})\b|\b(\d+)/(s|min|h)\b"
)
_SENTENCE = pattern(r"[.;!?]\s+|\n\s*\n")
# Events that come together, where no number is said.
_BESIDE = 2
_SHORT_UNITS = {"s": "second", "min": "minute", "h": "hour"}


def burst_said(doc: str, names: Iterable[str]) -> tuple[str, float] | None:
    """The words of a description that say how many events of one of ``names`` come in a time, at most, and these as a rate a second; None without any."""
    one = "|".join(re.escape(word.lower()) for name in names for word in words(name) if len(word) > 1)
    for sentence in (" ".join(part.split()) for part in _SENTENCE.split(doc)):
        several = _SEVERAL.search(sentence)
        if several:
            length = length_said("1", several[1])
            return (several[0], _BESIDE / length.total_seconds()) if length else None
        rate = _RATE.search(sentence)
        if (
            rate
            and one
            and re.search(rf"(?i)\b(?:an?|one|each|every|per|single) (?:\w+ )?(?:{one})\b", sentence)
        ):
            length = length_said("1", rate[2] or _SHORT_UNITS[rate[4]])
            count = length_said(rate[1] or rate[3], "second")
            if length and count:
                return rate[0], count.total_seconds() / length.total_seconds()
    return None


def length_said(count: str, unit: str) -> timedelta | None:
    """The length of time of a number, or a word for one, and a unit; of no number, one; None of a word that is no number."""
    number = int(count) if count.isdigit() else NUMBERS.get(count.lower()) if count else 1
    return None if number is None else number * _LENGTHS[unit.lower().removesuffix("s")]
