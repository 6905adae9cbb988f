"""Values that are written more rarely than the age at which their family deletes them, though they are those of now."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal

from btmodel.codecs.cell.record import is_class
from btmodel.design.hints import NUMBERS, UNIT, called_following, length_said, sentences, time_of, whole_said
from btmodel.design.time_adverbs import ADVERBS, either
from btmodel.estimates import rate_of_one, timed
from btmodel.lint.descriptions import FOR_A_TIME, SHORT_LIVED, kept_said, times_said
from btmodel.on_demand import pattern
from btmodel.schema import Column, Family, GcRule, MaxAge, MaxVersions, ModelSchema, Union
from btmodel.schema.gc import keeps_for_ever, oldest, simplified
from btmodel.schema.model import Clock
from btmodel.words import words

_YEAR = timedelta(days=365)
_DAY = timedelta(days=1)
# Values are surely deleted before the next write where an age is so much shorter than the time between two, on average (this project's own figure).
_SURELY = 2
# A description says which age it means where the length of time that it speaks of is that near to it.
_NEARLY = 0.9

_LENGTHS = {"season": timedelta(days=92), "decade": 10 * _YEAR, "generation": 30 * _YEAR}
_UNIT = rf"(?:{UNIT}|nights?|mornings?|evenings?|(?:{'|'.join(_LENGTHS)})s?)"
_NUMBER = rf"(?:[0-9]+|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
_TIMES = rf"(?:once|twice|thrice|(?:{_NUMBER})(?: or {_NUMBER})? times)"
# How often something happens: so many times in a unit, each unit, each few of them.
_OFTEN = (
    rf"(?P<times>{_TIMES})(?: or {_TIMES})? (?:an?|per|each|every|in an?|in one) (?P<unit>{_UNIT})"
    rf"|(?:once |only )?(?:every|each|in) (?:(?P<few>few|couple of|several|other|second|{_NUMBER}) )?(?P<every>{_UNIT})"
    rf"|(?P<adverb>{either(ADVERBS)})"
)
_TURNS = (
    r"(?:changes?|changed|sets?|resets?|turns?|turned|adjusts?|adjusted|updates?|updated|edits?|edited|alters?|altered|replaces?|replaced|rewrites?|rewritten|writes?|written|"
    r"puts?|sends?|sent|stores?|stored|chooses?|chosen|picks?|switch(?:es|ed)?|revises?|revised|corrects?|corrected|amends?|amended|tunes?|tuned|recalibrated?|calibrated?|swaps?|"
    r"swapped|computes?|computed|imports?|imported|loads?|loaded|syncs?|reports?|reported|refresh(?:es|ed)?|renews?|renewed|moves?|moved)"
)
_BETWEEN = r"(?:[\w`'-]+ ){0,7}?"
_WRITES = (
    pattern(rf"(?i)\b{_TURNS}\b,? {_BETWEEN}(?:{_OFTEN})\b"),
    pattern(rf"(?i)\b(?:{_OFTEN})\b,? {_BETWEEN}{_TURNS}\b"),
)
_SELDOM = pattern(
    rf"(?i)\b(?:rarely|seldom|hardly ever|hardly|scarcely) (?:ever )?(?:{_TURNS}|touch(?:es|ed)?)\b|\b{_TURNS} (?:\w+ )?(?:rarely|seldom)\b|\bfor years\b"
)
# What holds until somebody sets it anew, as a wish and a limit do; and what is spoken of as it is now, which may also be that of something that comes and goes.
_SET = pattern(
    r"(?i)\b(?:settings?|set ?-?points?|preferences?|configurations?|thresholds?|consents?|(?:last|latest|newest) known)\b"
    r"|\b(?:what|that|which|as) (?:an?|the|each|every|its|one|our) (?:\w+ ){1,2}?(?:wants?|wishes|prefers?|chose|chooses|(?:has )?(?:set|chosen|configured))\b"
)
_NOW = pattern(r"(?i)\b(?:now|nowadays|currently|at present|at the moment|present|current|latest|newest)\b")
_SET_NAMES = frozenset(
    words("setting settings preference preferences prefs config configuration setpoint threshold consent")
)
# What comes and goes: of these, an age is the end that is meant.
_PASSING = pattern(
    r"(?i)\b(?:caches?|cached|sessions?|tokens?|carts?|baskets?|drafts?|previews?|cop(?:y|ies)|mirror\w*|visits?|one-time|codes?|locks?|leases?|invitations?|jobs?|orders?|parcels?|trials?|"
    r"heartbeats?|presence|online|abandoned|inactive|dormant|idle|forgets?|forgotten|unless|no longer|not any more|any more|goes away|drops? out|clean(?:s|ed)? up|deleted|removed|ages? out|"
    r"silent|unheard|disappears?|short-lived|(?:not|nothing|nobody|no one|none) (?:\w+ ){0,4}(?:for|since|within))\b"
)

# When a thing began, by a name: it is written with the first row of the thing, and never again.
_BEGAN = pattern(
    r"(?:member|customer|client|subscriber|user|employee|owner) since|(?:.* )?(?:created|registered|enrolled|joined|founded|onboarded|commissioned|installed|signed up|opened)(?: (?:at|on|date|day|time))?|"
    r"(?:.* )?(?:sign ?up|registration|enrollment|enrolment|creation|joining|installation|commissioning) (?:date|day|time|at)|(?:birth ?(?:date|day)|date of birth|born)"
)
# What a thing is for good, or for years, by a name: it is written when the thing is made, or changes.
_LASTING = pattern(
    r"(?:country|(?:home|birth|residence) country|language|locale|nationality|citizenship|gender|sex|blood (?:type|group)|allerg(?:y|ies)|e ?mail(?: address)?|phone(?: number)?|iban|imsi|imei|iccid|msisdn|vin|mac address|ean|gtin|isbn|barcode|"
    r"(?:(?:account|card|policy|first|last|full|legal|display|given|family|holder|customer|patient|driver|owner|company|shop|store|product|brand|maiden) )+name|holder|surname|(?:licence|license)(?: (?:number|no|class|plate|type))?|"
    r"(?:number )?plate|(?:.* )?serial(?: (?:number|no))?|manufacturer|maker|vendor|brand|owner(?: (?:id|name))?|contract(?: (?:number|no|id))?|(?:contract|tariff|subscription|price) plan|tariff|category|model(?: (?:number|name))?|stars|depot|department|home (?:store|depot|base|branch)|"
    r"(?:.* )?address|time ?zone|(?:.* )?consent(?: given)?(?: (?:at|on))?|(?:.* )?opt in|marketing allowed|credit limit|meter point(?: (?:number|id))?|"
    r"(?:hired|launched|activated|licensed|approved|bought|purchased|manufactured|built|made|issued|incorporated|calibrated) (?:on|at)|(?:.* )?(?:hire|launch|activation|purchase|manufacture|manufacturing|build|start of service|calibration) date|year built|year of (?:birth|construction)|"
    r"first (?:registration|registered|seen|use|login)|warranty (?:until|end|ends)|commissioned)"
)
# That all of a row is written at a time, or made from elsewhere.
_WHOLE = pattern(
    r"(?i)\b(?:caches?|cached|cop(?:y|ies|ied)|mirror\w*|snapshots?|re-?(?:built|builds?|builds|load(?:s|ed)?|comput\w+|calculat\w+|made)|anew|whole|wholly|(?:all|every|each) (?:of its |of the )?columns?|everything|written together|"
    r"carr(?:y|ies)|complete(?:ly)?|(?:each|every) (?:night|message|report|reading|measurement|event|ping|fix|write|update)|nightly|hourly|daily|overwrit\w+|loaded|exported|derived)\b"
)
# That a row ends when it rests for as long as its age.
_RESTS = pattern(
    r"(?i)\b(?:abandoned|inactive|inactivity|dormant|idle|forgets?|forgotten|unless|no longer|not any more|any more|goes away|drops? out|clean(?:s|ed)? up|deleted|removed|ages? out|silent|"
    r"disappears?|churn\w*|(?:not|nothing|nobody|no one|none|without)(?: \w+){0,4} (?:for|since|within|in))\b"
)
# What happened lately, of which columns hold a part.
_LATELY = pattern(r"(?i)\b(?:last|latest|recent(?:ly)?|newest|previous)\b")
_CLAUSE = pattern(r"[.,;:()\n]\s*|\s(?:with|and|but|while)\s")
# So often a row is written while an age lasts, where it goes on for longer (this project's own figure).
_MANY_TIMES = 10


def began(model: ModelSchema, family: Family) -> tuple[Column, ...]:
    """The columns of a family that say, by their names, what a thing is for good or when it began, where the family deletes by an age, the thing goes on for longer, and others are written alone.

    What comes and goes, such as a session, ends with that age; so does what the description says to go. What is written as a whole is written again.
    """
    rate = rate_of_one(model)
    if rate is None or family.gc is None or family.gc.given or not model.columns:
        return ()
    age = oldest(family.gc)
    if age is None or rate * age.total_seconds() < _MANY_TIMES:
        return ()
    called = f"{' '.join(words(model.name))} {' '.join(words(model.table))}"
    clauses = _CLAUSE.split(model.doc)
    if _PASSING.search(called) or _PASSING.search(clauses[0]) or _RESTS.search(model.doc):
        return ()
    for clause in clauses:
        if any(age * _NEARLY <= said <= age / _NEARLY for said in times_said(clause)) and not any(
            _LATELY.search(each) for each in _with_before(clauses, clause)
        ):
            return ()
    held = [
        one
        for one in model.columns
        if one.family == family.id and one.shape.plain and one.expected.keep is None
    ]
    alone = [one for one in held if not one.required]
    if any(called_following(one.name, one.codec.python_type) for one in alone):
        known = tuple(one for one in held if one.required and _called_began(one))
        if known:
            return known
    if _WHOLE.search(model.doc) or _WHOLE.search(called):
        return ()
    lasting = tuple(one for one in held if _called_lasting(one) or _called_began(one))
    measured = (one for one in alone if one not in lasting)
    return lasting if any(_measured(one) for one in measured) else ()


def _called_lasting(column: Column) -> bool:
    name = " ".join(word.lower() for word in words(column.name))
    return _LASTING.fullmatch(name) is not None and not called_following(
        column.name, column.codec.python_type
    )


def _measured(column: Column) -> bool:
    """Whether a column holds what is written again and again: a number that is counted or measured, or what is called so."""
    kind = column.codec.python_type
    return kind in (int, float, Decimal) or called_following(column.name, kind)


def _with_before(clauses: Sequence[str], clause: str) -> Sequence[str]:
    """A clause and the one before it, which a bracket may explain."""
    at = clauses.index(clause)
    return clauses[max(0, at - 1) : at + 1]


def _called_began(column: Column) -> bool:
    name = " ".join(word.lower() for word in words(column.name))
    return is_class(column.codec.python_type, date) and _BEGAN.fullmatch(name) is not None


def rarely_written(model: ModelSchema) -> Iterator[tuple[Family, GcRule, str, bool]]:
    """Each family whose age deletes the newest values of rows before they are written again, with the rule that keeps them.

    With it are the words that say how rarely that is, and whether it is sure: where the row holds what somebody has set, or the description says how often.
    """
    if timed(model) or model.bucket is not None or not model.doc or _passes(model):
        return
    named = " ".join(word.lower() for name in (model.name, model.table) for word in words(name))
    columns = [word.lower() for column in model.columns for word in words(column.name)]
    is_set = _SET.search(model.doc) is not None or not _SET_NAMES.isdisjoint((*named.split(), *columns))
    of_now = _NOW.search(model.doc) is not None or any(
        called_following(column.name, column.codec.python_type) for column in model.columns
    )
    often, between = said_often(model.doc), _between(model)
    for family in model.families:
        age = None if family.gc is None or family.gc.given else oldest(family.gc)
        if family.gc is None or age is None or keeps_for_ever(family.gc) or not _of_state(model, family):
            continue
        if _meant(model, age) or (between is not None and between < age):
            continue
        if often is not None:
            if often[1] > age:
                yield family, _newest(family.gc), f"the description says {often[0]!r}", True
        elif between is not None and between > _SURELY * age and (is_set or of_now):
            seldom = _SELDOM.search(model.doc) is not None
            days = f"{between // _DAY:,} days"
            yield (
                family,
                _newest(family.gc),
                f"by the declared rate, a row is written once in {days}",
                is_set or seldom,
            )


def said_often(doc: str) -> tuple[str, timedelta] | None:
    """The words of a description that say how often something is written, and the time between; the shortest of several."""
    found = [
        (match[0], length)
        for sentence in sentences(doc)
        for each in _WRITES
        for match in each.finditer(sentence)
        if (length := _length(match.groupdict())) is not None
    ]
    return min(found, key=lambda each: each[1], default=None)


def _length(said: dict[str, str | None]) -> timedelta | None:
    """The time between two, of the parts of words that say how often."""
    if adverb := said["adverb"]:
        return ADVERBS[adverb.lower()]
    if times := said["times"]:
        first = times.lower().split()[0]
        count = {"once": 1, "twice": 2, "thrice": 3}.get(first) or _number(first)
        unit = _unit(said["unit"] or "")
        return time_of(1 / count, unit) if count else None
    few = (said["few"] or "").lower()
    several = 2 if few in ("few", "couple of", "several", "other", "second") else _number(few) if few else 1
    return time_of(several, _unit(said["every"] or ""))


def _number(text: str) -> int:
    return whole_said(text) or NUMBERS.get(text, 0)


def _unit(text: str) -> timedelta:
    name = text.lower().removesuffix("s")
    if name in ("night", "morning", "evening"):
        return _DAY
    return _LENGTHS.get(name) or length_said("1", name) or _DAY


def _between(model: ModelSchema) -> timedelta | None:
    """The time between two writes of a row, by the declared rate; None where ids may be new ones each time."""
    rate = rate_of_one(model)
    if not rate or any(part.sequential for part in model.key.asked):
        return None
    return timedelta(seconds=min(1 / rate, 1_000 * _YEAR.total_seconds()))


def _passes(model: ModelSchema) -> bool:
    """Whether rows are those of what comes and goes, by their names or by the description."""
    text = f"{' '.join(words(model.name))} {' '.join(words(model.table))} {model.doc}"
    return any(each.search(text) for each in (_PASSING, FOR_A_TIME, SHORT_LIVED)) or kept_said(model.doc)


def _meant(model: ModelSchema, age: timedelta) -> bool:
    """Whether the description speaks of that age."""
    return any(age * _NEARLY <= said <= age / _NEARLY for said in times_said(model.doc))


def _of_state(model: ModelSchema, family: Family) -> bool:
    """Whether the family holds values alone, which last until they are written again, and whose age counts from then."""
    held = [column for column in model.columns if column.family == family.id]
    return bool(held) and all(
        not column.eventful
        and not column.shape.summed
        and column.expected.keep is None
        and model.clock(column) in (Clock.WRITING, Clock.EVENT)
        for column in held
    )


def _newest(rule: GcRule) -> GcRule:
    """The rule without the age that deletes the newest version."""
    if not isinstance(rule, Union):
        return MaxVersions(1)
    rest = tuple(each for each in rule.rules if not isinstance(each, MaxAge))
    made = simplified(Union(rest)) if len(rest) > 1 else rest[0] if rest else MaxVersions(1)
    return made if keeps_for_ever(made) else MaxVersions(1)
