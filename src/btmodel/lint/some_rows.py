"""What a description says of some rows alone, such as "mails in the trash": a GC rule, which knows no state of a row, would do it to all of them."""

from collections.abc import Set

from btmodel.design.attribute_words import singular
from btmodel.lint.lifetimes import Lifetime
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema
from btmodel.words import words

_WORD = pattern(r"[\w'-]+")
_LENGTH = r"(?:an?|one|two|three|four|five|six|seven|ten|twelve|thirty|\d+) (?:second|minute|hour|day|week|month|quarter|year)s?"
# Behind a time, what says that other rows have another one, or may have.
_OTHERS = pattern(
    rf"\s*(?:by default\b|unless\b|if\b|except\b|in [A-Z]\w+|(?:,|;|,? and|,? but) (?!(?:kept|stored|held|needed|deleted|removed)\b)(?:\w+ ){{1,2}}for (?:ever|good|{_LENGTH})|,? (?:and|but) for {_LENGTH} (?:elsewhere|otherwise))"
)
_CONDITION = pattern(r"(?i)\s*(?:if|unless|in case)\b")
# In front of what rows are called: which of them.
_WHICH = frozenset(
    words(
        "read unread open raw draft debug most some many few several other empty anonymous guest free inactive stale paid unpaid test temporary pending broken invalid bad spam "
        "orphan orphaned dead lost sent won internal external public private"
    )
)
# Behind it, and what may follow these where all rows are meant.
_WITHIN = frozenset(
    words("in with without from on at under over above below for that whose who marked not still by of")
)
_ANY = frozenset(words("a an each every all any it its them these those their our this"))
_HERE = frozenset(
    words(
        "table tables database system bigtable here old older hour hours day days week weeks month months year years"
    )
)
_EMPTY = frozenset(words("the last is are was were has have been more than"))
_AGE = pattern(rf"(?i)\b{_LENGTH}\b")


def of_some(model: ModelSchema, own: Set[str], sentence: str, said: Lifetime, subject: str) -> bool:
    """Whether a sentence says so of some of the rows alone; ``own`` are the words for these in the singular, ``subject`` are those in front of the verb."""
    # Of "archived mails" the first word may be a verb, too.
    first = " ".join(said.subject.split()[:2])
    if _OTHERS.match(sentence, said.end) or picked(model, own, subject) or picked(model, own, first):
        return True
    condition, comma, _ = sentence.partition(",")
    return bool(comma and _CONDITION.match(condition)) and _AGE.search(condition) is None


def picked(model: ModelSchema, own: Set[str], subject: str) -> bool:
    """Whether a subject are rows, and which of them: "read notifications", "jobs that failed"."""
    spoken = [word.lower() for word in _WORD.findall(subject)]
    at = next((at for at, word in enumerate(spoken) if {singular(word), word.removesuffix("s")} & own), None)
    if at is None:
        return False
    return any(map(_picks, spoken[max(at - 1, 0) : at])) or _narrowed(model, spoken[at + 1 :])


def _picks(word: str) -> bool:
    return word in _WHICH or (word.endswith("ed") and len(word) > len("need"))


def _narrowed(model: ModelSchema, behind: list[str]) -> bool:
    """Whether the words behind the rows say which of them: "of free accounts", and not "of a meter", where each row is of one, nor how old they are."""
    if not behind or behind[0] not in _WITHIN or not _HERE.isdisjoint(behind):
        return False
    rest = [word for word in behind[1:] if word not in _EMPTY]  # the age itself may follow
    if behind[0] in ("that", "who", "whose", "not", "still", "marked"):
        return bool(rest)
    named = {singular(word) for part in model.key.asked for word in words(part.name)}
    return bool(rest) and rest[0] not in _ANY and named.isdisjoint(map(singular, rest))
