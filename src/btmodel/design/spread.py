"""Where new rows go: to one place, or to many."""

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from itertools import dropwhile, takewhile
from math import ceil, prod
from typing import Any, NamedTuple

from attrs import evolve

from btmodel import design
from btmodel.codecs import key as codecs
from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Kind, Order, ReversedDomain
from btmodel.design.hints import called_filed_number, called_paper, counted_up, sentences
from btmodel.design.keys import WITH_EASE, single, written_with_ease
from btmodel.design.series import bucket_codec, sharing, unit
from btmodel.estimates import distinct, nodes_needed
from btmodel.on_demand import pattern
from btmodel.schema import Bucket, Column, KeyField, ModelSchema
from btmodel.schema.limits import ADVISED_NODE_USE, NODE_ROW_WRITES
from btmodel.words import words

# Values of fields for each node; their source stands on the page of KEY003.
VALUES_A_NODE = 10
# The salts of the documents, an estimate of the nodes of a small cluster.
LEAST_SALTS = 3
# A query that does not give the salt reads a range for each, so no fix proposes more (this project's own figure).
MOST_SALTS = 1_000
# The most that one place should get: two of them may be on one node, until its tablets are moved.
_WRITES_A_SALT = NODE_ROW_WRITES * ADVISED_NODE_USE / 2
# Fewer values than these keep the writes on too few tablets (this project's own figure).
MANY = 100
# A time that stands for longer keeps its writes in one place for longer than a node can put off.
_MOMENT = timedelta(seconds=1)
# Spans that last: all that is written meanwhile has the same value.
_SPANS = frozenset(words("year quarter month week day date hour minute period yyyy yyyymm yyyymmdd"))
# The bucket that such a word stands for, where it is called otherwise.
_BUCKETS = {
    "quarter": "month",
    "period": "month",
    "date": "day",
    "yyyy": "year",
    "yyyymm": "month",
    "yyyymmdd": "day",
}
# What a clock shows: it climbs, and is another one for nearly every row.
_CLOCKS = frozenset(words("timestamp ts time at epoch"))
# What was so at a time, which is meant where a unit of it stands behind.
_DONE = frozenset(
    words(
        "created inserted recorded received observed measured written sent posted logged started began occurred happened ingested "
        "captured sampled"
    )
)
_UNITS = frozenset(words("epoch unix ms millis micros seconds"))
# What may stand behind them, and words beside them with which they are no times of writing: a year of birth does not climb.
_BEHIND = frozenset(words("number no id key index bucket utc unix ms millis micros seconds"))
_OTHERS = frozenset(
    words(
        "birth born release released model vintage founded graduation arrival departure due expiry expiration valid "
        "scheduled planned part full life real run response latency wait cpu play trial grace"
    )
)
# Ids that begin with the time when they were given; and the bytes of one that is called only by a common name.
_TIMED_IDS = ("ulid", "ksuid", "snowflake", "uuid7", "uuidv7")
_OBJECT_ID = (12, 24)
# Bytes of the longest time that is written as text: a moment with its zone.
_LONGEST = 35


class Crowd(NamedTuple):
    """Writes that come to too few ``places``: the values of ``front``, the fields in front of ``time``, which climbs.

    Where it leads the key, there is one place, and nothing is in front that matters.
    """

    time: KeyField
    front: tuple[KeyField, ...]
    places: int
    nodes: int


def varies(model: ModelSchema, name: str) -> bool:
    """Whether rows that are written at about one time differ in the attribute ``name``."""
    field = next((part for part in model.key.fields if part.name == name), None)
    if field is not None:
        by_clock = field.codec.kind is Kind.TIME and field.sequential is not False
        return _momentary(model, field) if by_clock else not (single(field) or _lasts(field))
    column = next((column for column in model.columns if column.name == name), None)
    if column is None:
        return True
    kind = column.codec.python_type
    lasts = (is_class(kind, date) and not is_class(kind, datetime)) or _named_span(column.name, kind)
    return column.expected.cardinality != 1 and not lasts


def _momentary(model: ModelSchema, time: KeyField) -> bool:
    """Whether one value of ``time`` takes no more writes than a node can take; true where its unit is not known.

    A rate that is not declared is taken as high, so a second is then too long.
    """
    span = unit(time)
    if span is None:
        return True
    if model.events is None:
        return span < _MOMENT
    return span <= _MOMENT and sharing(model.events.per_second, span) <= NODE_ROW_WRITES


def timelike(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` is a time, or stands for one: by its name, or as the few values of a sequence, each of which lasts.

    What is made from nothing but times is one, too, if many writes share them, or if it climbs as they do.
    """
    if part.derived is None and part.sequential is False:
        return False  # a time of something else than the writing: its rows are written in any order
    if part.codec.kind is Kind.TIME or joined_time(part):
        return True
    if part.derived is None:
        return named_time(part) or _lasts(part) or described_time(model, part)
    return climbing(model, part) or (
        _dull(model, part) and any(_is_time(model, of) for of in part.derived.of)
    )


def joined_time(part: KeyField) -> bool:
    """Whether ``part`` is several values in one, of which a time is the first."""
    return part.codec.kind is not Kind.TIME and part.codec.leading.kind is Kind.TIME


def _lasts(part: KeyField) -> bool:
    """Whether all that is written for long has one value of ``part``, though its codec is none of times."""
    few = part.cardinality is not None and part.cardinality < MANY
    return _lasting(part) or (part.sequential is True and few)


def climbing(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` is made by a function that climbs with the times that it is made from: it is tried."""
    if part.derived is None:
        return False
    from btmodel.design import trials  # here, as below: few models have derived fields

    return trials.climbing(model, part)


def followed(model: ModelSchema, part: KeyField) -> KeyField | Column | None:
    """The number, given one after the other, with which the derived ``part`` climbs, as its thousands do; None where it climbs with none."""
    if part.derived is None:
        return None
    from btmodel.design import trials

    return trials.followed(model, part)


def divides(model: ModelSchema, salt: KeyField) -> bool:
    """Whether the salt is made of what is not stored: it divides the writes of one row, such as additions to a counter, among several."""
    stored = {*(part.name for part in model.key.fields), *(column.name for column in model.columns)}
    return salt.derived is not None and not timelike(model, salt) and not stored.issuperset(salt.derived.of)


def _dull(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` is made from nothing that varies."""
    return part.derived is not None and not any(varies(model, name) for name in part.derived.of)


def _is_time(model: ModelSchema, name: str) -> bool:
    field = next((part for part in model.key.fields if part.name == name), None)
    if field is not None:
        return timelike(model, field) if field.derived is None else field.codec.kind is Kind.TIME
    columns = [column for column in model.columns if column.name == name]
    return any(
        is_class(column.codec.python_type, date) or _named_span(name, column.codec.python_type)
        for column in columns
    )


def named_time(part: KeyField) -> bool:
    """Whether ``part``, a number or a text, is called like a time, and not declared to be given in no order."""
    said = part.sequential is not False and part.asked and part.codec.python_type in (int, str)
    return said and _fits(part) and _named(part.name)


# How a description calls the time that a number or a text stands for; a day of the week, and one that is planned, come in any order.
_SPAN_SAID = r"(year|quarter|month|week|day|date|hour|minute|yyyymmdd|yyyymm|yyyyww|yyyy)"
_SPAN = pattern(rf"(?i)\b{_SPAN_SAID}\b")
_OF_CALENDAR = (
    r"(?:(?:iso|calendar|current|present|running|utc|epoch|unix|business|trading|fiscal|whole)[\s-]+){0,2}"
)
_OF_WRITING = (
    r"(?=(?:\s+number)?\s*(?:$|[,;:.()]|\b(?:as|since|counted|written|in\s+utc)\b"
    r"|\b(?:of|at)\s+(?:the\s+|its\s+)?(?:writing|write|insert|arrival|ingestion)\b|\b(?:when|in\s+which)\s+(?:it|they|the\s+\w+)\s+(?:is|was|are|were)\s+(?:written|received|sent|recorded|stored)\b))"
)


def described_time(model: ModelSchema, part: KeyField) -> bool:
    """Whether the description of the model says that ``part``, a number or a text, is the week, the day or another span of the writing."""
    return _described_span(model, part) is not None


def _described_span(model: ModelSchema, part: KeyField) -> str | None:
    if (
        part.derived is not None
        or part.codec.kind is Kind.TIME
        or not model.doc
        or not _SPAN.search(model.doc)
    ):
        return None
    asked = part.asked and part.sequential is None and part.codec.python_type in (int, str)
    if not asked or not _fits(part) or part.name.lower() not in model.doc.lower():
        return None
    name = rf"(?<![\w`])`?{re.escape(part.name)}`?(?!\w)"
    said = (
        rf"(?i){name},?\s+(?:which\s+)?(?:is|holds|means|says|stands\s+for)\s+(?:(?:the|an?|its|our)\s+)?{_OF_CALENDAR}{_SPAN_SAID}{_OF_WRITING}",
        rf"(?i)\b(?:the|an?|by|each)\s+{_OF_CALENDAR}{_SPAN_SAID}(?:,\s+|\s+\(|\s+in\s+)`{re.escape(part.name)}`",
    )
    found = (re.search(one, sentence) for sentence in sentences(model.doc) for one in said)
    return next((_SPANS_SAID.get(each[1].lower(), each[1].lower()) for each in found if each), None)


_SPANS_SAID = {"yyyyww": "week"}


def _fits(part: KeyField) -> bool:
    """Whether a text is short enough for a time."""
    return part.codec.python_type is int or part.codec.length.most <= _LONGEST


def by_its_order(model: ModelSchema, part: KeyField) -> KeyField:
    """``part`` with a codec that says the order of its values, for what computes with it.

    What is a time by its name becomes one, and ids in sequence, and times that are not those of the writing, become numbers.
    """
    if part.codec.kind is Kind.TIME and part.sequential is False:
        return evolve(part, codec=codecs.PaddedInt(18))
    if named_time(part) or described_time(model, part):
        word = _time_word(part.name) or _described_span(model, part)
        fine = word in _CLOCKS
        codec = codecs.EpochMillis() if fine else bucket_codec(Bucket(_BUCKETS.get(word or "", word)))
        return evolve(part, codec=codec, cardinality=None, sequential=None)
    if part.sequential or named_sequence(model, part):
        codec = part.codec if part.codec.kind is Kind.NUMBER else codecs.PaddedInt(18)
        return evolve(part, codec=codec, sequential=True)
    return part


def _lasting(part: KeyField) -> bool:
    """Whether a time that ``part`` is called like stays the same for long."""
    return named_time(part) and _time_word(part.name) in _SPANS


def _named_span(name: str, kind: Any) -> bool:
    """Whether a number or a text is called like a span of time that lasts."""
    return kind in (int, str) and _time_word(name) in _SPANS


def _named(name: str) -> bool:
    return _time_word(name) is not None


def _time_word(name: str) -> str | None:
    """The word by which a name is that of a time of writing; None where it is none."""
    parts = [word.lower() for word in words(name)]
    if len(parts) > 1 and parts[-1] in _UNITS and parts[-2] in _DONE:
        return "at"
    while len(parts) > 1 and parts[-1] in _BEHIND:
        parts.pop()
    last = parts[-1] if parts else ""
    return last if last in _SPANS | _CLOCKS and _OTHERS.isdisjoint(parts) else None


def leading(model: ModelSchema) -> KeyField | None:
    """The field that the key begins with, behind nothing but parts of one value; None where there is none."""
    parts = (part for part in model.key.fields if not single(part))
    return next((part for part in parts if timelike(model, part) or not _dull(model, part)), None)


def rising(model: ModelSchema, part: KeyField) -> bool:
    """Whether values of ``part`` are declared, or by their name or what they are made from known, to come one after the other, and new ones lie together, faster than with ease."""
    climbs = part.sequential is True or named_sequence(model, part) or followed(model, part) is not None
    return climbs and not design.scatters(part.codec) and not written_with_ease(model)


def made_in_order(part: KeyField) -> bool:
    """Whether new values of ``part`` are made by a function that gives each behind the one before it."""
    if part.factory is None:
        return False
    from btmodel.design.trials import in_order  # here: few fields have such a function

    return in_order(part)


def named_sequence(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` is called like an id that begins with the time when it was given, or like a counter, and nothing is said of its order.

    Where more follows, as the time behind the id of a user, new rows are of old ids, too: so then the id must be called nothing else.
    """
    if part.sequential is not None or not part.asked:
        return False
    if described_sequence(model, part) or called_counted(model, part) or made_in_order(part):
        return True
    if sampled_sequence(model, part):
        return True
    parts = [word.lower() for word in words(part.name)]
    if parts == ["object", "id"]:
        return part.codec.length.most in _OBJECT_ID
    name = "".join(parts[:-1] if parts[-1:] == ["id"] else parts)
    alone = model.key.asked[-1:] == (part,)
    return name in _TIMED_IDS or (alone and name.endswith(_TIMED_IDS))


# Fewer values than these are seldom those of a counter (this project's own figure).
_COUNTED = 10_000


def called_counted(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` is a number called like one that is counted up, and rows of all its values are not written later, at times behind it.

    A number that is written as text, or that is called like a thing and not like its number, must be all that the key asks for.
    """
    behind = tuple(dropwhile(lambda other: other.name != part.name, model.key.fields))[1:]
    many = part.cardinality is None or part.cardinality >= _COUNTED
    return (
        part.asked
        and part.sequential is None
        and many
        and _called_counted(part, alone=model.key.asked == (part,))
        and not any(timelike(model, other) for other in behind)
        and not _NO_ORDER.search(model.doc)
    )


def _called_counted(part: KeyField, *, alone: bool) -> bool:
    if part.codec.python_type is int:
        return counted_up(part.name) or (alone and called_paper(part.name))
    text = part.codec.python_type is str and part.codec.order is not Order.SCATTERED
    if not (text and alone and _fits(part) and called_filed_number(part.name)):
        return False
    return not isinstance(part.codec, codecs.HexDigest)  # last, as it loads the codec


# What descriptions say of numbers that come in no order.
_NO_ORDER = pattern(
    r"(?i)\b(?:random(?:ly)?|drawn|shuffled|scrambled|unguessable|(?:no|any) (?:particular )?order|not (?:\w+ ){0,2}in (?:order|sequence)|reversed|hash(?:ed)?|blocks of)\b"
)


# A number with zeros on its left behind letters, and perhaps a year: what hands it out counts up, as drawn numbers seldom begin so.
_ZEROS = pattern(r"(?<![\w/-])[\"'`]?[A-Za-z]{1,6}[-_/. ]?(?:[0-9]{2,4}[-_/. ])?0[0-9]{4,}[\"'`]?(?![\w/-])")


def sampled_sequence(model: ModelSchema, part: KeyField) -> bool:
    """Whether a text is nearly all of the key, is called the number of what there is always one more of, and the description gives one that is counted up, such as `R26-000471`."""
    if (
        part.sequential is not None
        or part.codec.python_type is not str
        or part.codec.order is Order.SCATTERED
    ):
        return False
    if model.key.asked != (part,) or not _fits(part) or not _ZEROS.search(model.doc):
        return False
    if not (counted_up(part.name) or counted_up(f"{words(model.name)[-1]}_{part.name}")):
        return False
    return any(_ZEROS.search(one) and _NUMBER_SAID.search(one) for one in sentences(model.doc))


_NUMBER_SAID = pattern(r"(?i)\b(?:numbers?|numbered|ids?|such as|like)\b")


# What descriptions say of ids that begin with a time, and of numbers that are given in order.
_TIME_ORDERED = pattern(
    r"(?i)\b(uuid ?v ?[167]|uuids? of version [167]|version [167] uuids?|ulids?|ksuids?|object ?ids?|snowflakes?|time-ordered)\b"
    r"|\b(?:ids?|identifiers?|numbers?)\b[^.;]{0,60}\b(?:begins?|starts?) with (?:the|a|an|its|their) (?:\w+ )?(?:time|timestamp|moment|date|day|hour|(?:milli|micro)?second)s?\b"
)
_IN_ORDER = pattern(
    r"(?i)\b(one after (the other|another)|consecutive(ly)?|auto-?increment(ed|s|ing)?|sequential(ly)?|in sequence|monotonic(ally)?|"
    r"(?:hands?|handed|gives?|given|assigns?|assigned|issues?|gets?|takes?)(?: out)? the next (?:\w+ ){0,2}(?:number|id)|numbers? [^.;]{0,30}\bone by one|"
    r"without gaps|counted up|counts [^.;]{0,30}\bup|counts? up|running numbers?|number(s|ed) [^.;]{0,30}\b(as|when|in the order))\b"
)


# What is said so of numbers alone, also where they are written as text: other phrases speak of anything that happens in order.
_NUMBERS_IN_ORDER = pattern(
    r"(?i)\b(?:(?:hands?|handed|gives?|given|assigns?|assigned|issues?|issued|gets?|takes?|draws?|drawn|uses?|prints?)(?: out)? the next (?:\w+ ){0,2}(?:number|id)|"
    r"(?:consecutive|running|sequential|successive|ascending) (?:\w+ )?numbers?|"
    r"(?:numbers?|numbered) (?:(?:are|is|that are|which are) )?(?:(?:given|issued|assigned|drawn) )?(?:without gaps|one after (?:the other|another)|consecutively|sequentially|in sequence)|"
    r"numbers? (?:\w+ ){0,3}(?:counts?|counted) up)\b"
)
_NUMBER_WORDS = frozenset(words("no nr num number numbers nos id"))


def described_sequence(model: ModelSchema, part: KeyField) -> bool:
    """Whether the description of the model says that the ids which its key begins with, and which are most of it, climb; no digest does."""
    said = part.sequential is not None or part.codec.kind is Kind.TIME or part.codec.order is Order.SCATTERED
    if said or model.key.asked != (part,) or leading(model) != part or not model.doc:
        return False
    for text in _said_of(part):
        for sentence in sentences(model.doc):
            if any(not _of_another(model, part, sentence, found) for found in text.finditer(sentence)):
                return not isinstance(part.codec, codecs.HexDigest)  # last, as it loads the codec
    return False


def _said_of(part: KeyField) -> tuple[re.Pattern[str], ...]:
    """What says that ids of this type climb: numbers may be given in order, and also those that are written as text, if that is what they are called."""
    if part.codec.python_type is int:
        return _TIME_ORDERED, _IN_ORDER
    numbered = part.codec.python_type is str and words(part.name)[-1].lower() in _NUMBER_WORDS
    return (_TIME_ORDERED, _NUMBERS_IN_ORDER) if numbered else (_TIME_ORDERED,)


# Words that say nothing of what an id is of.
_OF_ANY = frozenset(
    words(
        "id ids identifier number numbers no nr key uuid row record entry a an the its their his her our your this that these those each every all any such some one both most "
        "next free unused available running last first highest consecutive successive ascending sequential new old own public private internal external unique global long short numeric generated time and or but so is are as of by with under in for to"
    )
)
_ID = r"(?:ids?|identifiers?|numbers?|keys?|uuids?)"
_ID_OF = pattern(
    rf"(?i)\b{_ID}\s+of\s+(?:(?:an?|the|each|every|all|its|their|one)\s+)?(?:\w+\s+(?={_ID}\b))?([a-z]\w+)|\b([a-z]\w*?)(?:'s|s')?[\s-]+(?!numbers\s+(?:the\s+)?\w+s\b){_ID}\b"
)
# What something has, or is.
_HAS = pattern(
    r"(?i)\b([a-z]\w+)`?\s+(?:has|have|carry|carries|gets?|bears?|holds?|is|are|come|comes|with|by|under)\b[^.;]*$"
)
_PART = pattern(r"[;:]\s+|,\s+(?:and|but|while|whose)\s+|\s+(?:while|whereas|whose|but)\s+")


def _of_another(model: ModelSchema, part: KeyField, sentence: str, found: re.Match[str]) -> bool:
    """Whether a sentence says of other ids than those of ``part`` that they climb: of a column, or of what neither the key nor the rows are called."""
    begin = max((cut.end() for cut in _PART.finditer(sentence, 0, found.start())), default=0)
    front, said = sentence[begin : found.start()], sentence[begin : found.end()]
    own = {*_stems(model.name), *_stems(model.table), *_stems(part.name)} - _OF_ANY
    others = {word for column in model.columns for word in _stems(column.name)} - own - _OF_ANY
    of_id = [each[1] or each[2] for each in _ID_OF.finditer(said)]
    named = [word for each in of_id for word in _stems(each) if word not in _OF_ANY]
    if not named and own.isdisjoint(_stems(said)):
        if (has := _HAS.search(front)) is not None:
            named = [word for word in _stems(has[1]) if word not in _OF_ANY]
        else:  # who gives the ids may stand there
            named = [word for text in front.split()[-1:] for word in _stems(text) if word in others]
    if not named or not own.isdisjoint(named):
        return False
    # A key that is called `id` may be that of anything but of a column.
    return not others.isdisjoint(named) or not _OF_ANY.issuperset(_stems(part.name))


def _stems(text: str) -> list[str]:
    """The words of a text, in small letters, without the letter of their plural."""
    return [word.lower().removesuffix("s") if len(word) > 3 else word.lower() for word in words(text)]


def leading_time(model: ModelSchema) -> KeyField | None:
    """The time that the key begins with, behind nothing but parts of one value; None where none does.

    A salt or a hash of nothing but such a time is one, too: all that is written in a day lies in one place.
    """
    first = leading(model)
    return first if first is not None and timelike(model, first) else None


def nodes_judged(model: ModelSchema) -> int:
    """The nodes over which writes must spread: as declared, or as many as the rate needs; no fewer than a small cluster has."""
    return max(model.nodes or nodes_needed(model) or 0, LEAST_SALTS)


def overloads(rate: float) -> bool:
    """Whether so many writes a second, which go to one place, are more than a node should get."""
    return rate > NODE_ROW_WRITES * ADVISED_NODE_USE


def of_hottest(model: ModelSchema, found: Crowd) -> float:
    """The writes a second that come to the busiest of the places, as far as the model says how uneven these are.

    What changes while a row lives is the same in new rows.
    """
    rate = 0.0 if model.events is None else model.events.per_second
    return rate * (distinct(part for part in found.front if part.changes) or 1) / found.places


def buckets_of(model: ModelSchema) -> int:
    """How many values a salt needs so that no node gets more than it should: about as many as there are nodes, and more for a high rate.

    Where the values in front are not declared to be even or uneven, half of the rows may have the most frequent one. Each
    node gets as many of them, so that none has one more than the others.
    """
    plain = tuple(part for part in model.key.fields if part.derived is None or part.derived.values is None)
    found = crowd(evolve(model, key=evolve(model.key, fields=plain))) if plain else None
    rate = 0.0 if model.events is None else model.events.per_second
    if found is not None and found.front:
        hottest = of_hottest(model, found)
        said = any(part.skew for part in found.front)
        rate = hottest if said else max(hottest, rate / 2)
    nodes = nodes_judged(model)
    return min(MOST_SALTS, nodes * max(1, round(ceil(rate / _WRITES_A_SALT) / nodes)))


def crowd(model: ModelSchema) -> Crowd | None:
    """The time in front of a key, or what first climbs behind too few values; None where no place has more than a tablet takes with ease.

    A rate that is not declared is taken as high for a time in front. Otherwise nothing is known without it.
    """
    nodes, first = nodes_judged(model), leading_time(model)
    if first is not None:
        return None if written_with_ease(model) else Crowd(first, (), 1, nodes)
    time = next((part for part in model.key.fields if timelike(model, part) or rising(model, part)), None)
    if model.events is None or time is None or time == leading(model):
        return None  # an id in sequence that leads is for KEY002
    front = ahead(model, time)
    values, salts = distinct(front), _salts(model, front)
    if values is None or salts is None:
        return None
    places = values * salts
    # What declares its skew is counted by its most frequent value already: as `simulate` says, half of the nodes are few.
    asked = [part for part in front if part.asked and not single(part)]
    said = bool(asked) and all(part.skew for part in asked)
    share = max(2 * places if said else places / VALUES_A_NODE, salts if salts > 1 else 0)
    each = model.events.per_second / places
    if each <= WITH_EASE or (share >= nodes and not overloads(each)):
        return None
    return Crowd(time, front, places, nodes)


def of_busiest(model: ModelSchema) -> float | None:
    """The writes a second of the most frequent of the values in front of a time; None where these do not say how uneven they are."""
    time = next((part for part in model.key.fields if timelike(model, part)), None)
    front = () if time is None else ahead(model, time)
    values, salts = distinct(front), _salts(model, front)
    if model.events is None or values is None or salts is None or not any(part.skew for part in front):
        return None
    return model.events.per_second / (values * salts)


def heavy(model: ModelSchema) -> bool:
    """Whether the most frequent of the values in front of a time, which say how uneven they are, gets more than one place should."""
    return (of_busiest(model) or 0) > _WRITES_A_SALT


def behind_few(model: ModelSchema) -> Crowd | None:
    """The crowd of a key that does not begin with the time itself."""
    found = crowd(model)
    return found if found is not None and found.front else None


def ahead(model: ModelSchema, time: KeyField) -> tuple[KeyField, ...]:
    """The fields in front of ``time``."""
    return tuple(takewhile(lambda part: part != time, model.key.fields))


def _salts(model: ModelSchema, front: tuple[KeyField, ...]) -> int | None:
    """How many values the derived fields add to those of the others; None where they cannot be counted."""
    names = {part.name for part in front}
    # What follows from fields in front adds nothing to them, nor does what follows from the time of a bucket.
    adding = [
        part
        for part in front
        if part.derived and not names.issuperset(part.derived.of) and not _dull(model, part)
    ]
    counts = [_count(model, part) for part in adding]
    return prod(count for count in counts if count is not None) if None not in counts else None


def _count(model: ModelSchema, part: KeyField) -> int | None:
    """The values of a salt or a hash: never more than those of what it is made from."""
    if part.derived is None:
        return None
    known = {field.name: field.even for field in model.key.fields if field.codec.kind is not Kind.TIME}
    known |= {column.name: column.expected.cardinality for column in model.columns}
    counts = [known.get(name) for name in part.derived.of]
    least = None if None in counts else prod(count for count in counts if count is not None)
    most = None if part.derived.values is None else len(part.derived.values)
    return min((count for count in (least, most) if count), default=None)


def hot(model: ModelSchema) -> bool:
    """Whether all writes of a time go to one place, or to too few."""
    return crowd(model) is not None


def crowded(model: ModelSchema) -> bool:
    """Whether new rows go to one place, or to too few: of times, and of ids in sequence."""
    first = leading(model)
    return hot(model) or (first is not None and rising(model, first))


def is_domain(part: KeyField) -> bool:
    """Whether its values are names of domains."""
    return bool(part.domain) or isinstance(part.codec, ReversedDomain)


def few_domains(model: ModelSchema) -> KeyField | None:
    """The domain of few values that the key begins with, where what follows it does not make them many."""
    first = leading(model)
    if first is None or not is_domain(first):
        return None
    together = takewhile(lambda part: part.codec.kind is not Kind.TIME, model.key.fields)
    spread = prod(part.cardinality or 1 for part in together)
    if first.cardinality is None or spread >= MANY or written_with_ease(model):
        return None
    return first


def places(model: ModelSchema) -> int:
    """The values in front of the time, as far as they are known: what is not declared counts as many."""
    time = next((part for part in model.key.fields if timelike(model, part)), None)
    return _many(model.key.fields if time is None else ahead(model, time))


def _many(parts: Iterable[KeyField]) -> int:
    counts = ((part.even or MANY) if part.asked else 1 for part in parts if not single(part))
    return prod(counts)
