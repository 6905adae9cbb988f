"""Where new rows go: to one place, or to many."""

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
from btmodel.design.hints import called_filed_number, called_number, called_paper, counted_up
from btmodel.design.keys import WITH_EASE, single, written_with_ease
from btmodel.design.personal_names import personal
from btmodel.design.sequences_said import NO_ORDER, said_in_order, sample_counts_up
from btmodel.design.series import bucket_codec, sharing, unit
from btmodel.design.time_names import BUCKETS, CLOCKS, SPANS, span_said, time_word
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
        return _momentary(model, field) if by_clock else not (single(field) or _lasts(model, field))
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
        return named_time(model, part) or _lasts(model, part) or described_time(model, part)
    return climbing(model, part) or (
        _dull(model, part) and any(_is_time(model, of) for of in part.derived.of)
    )


def joined_time(part: KeyField) -> bool:
    """Whether ``part`` is several values in one, of which a time is the first."""
    return part.codec.kind is not Kind.TIME and part.codec.leading.kind is Kind.TIME


def _lasts(model: ModelSchema, part: KeyField) -> bool:
    """Whether all that is written for long has one value of ``part``, though its codec is none of times."""
    few = part.cardinality is not None and part.cardinality < MANY
    return _lasting(model, part) or (part.sequential is True and few)


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


def named_time(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part``, a number or a text, is called like a time, and not declared to be given in no order."""
    said = part.sequential is not False and part.asked and part.codec.python_type in (int, str)
    return said and _fits(part) and time_word(part.name, model.name) is not None


def described_time(model: ModelSchema, part: KeyField) -> bool:
    """Whether the description of the model says that ``part``, a number or a text, is the week, the day or another span of the writing."""
    return _span_said(model, part) is not None


def _span_said(model: ModelSchema, part: KeyField) -> str | None:
    if (
        part.derived is not None
        or part.codec.kind is Kind.TIME
        or not part.asked
        or part.sequential is not None
    ):
        return None
    return span_said(model.doc, part.name) if part.codec.python_type in (int, str) and _fits(part) else None


def _fits(part: KeyField) -> bool:
    """Whether a text is short enough for a time."""
    return part.codec.python_type is int or part.codec.length.most <= _LONGEST


def by_its_order(model: ModelSchema, part: KeyField) -> KeyField:
    """``part`` with a codec that says the order of its values, for what computes with it.

    What is a time by its name becomes one, and ids in sequence, and times that are not those of the writing, become numbers.
    """
    if part.codec.kind is Kind.TIME and part.sequential is False:
        return evolve(part, codec=codecs.PaddedInt(18))
    if named_time(model, part) or described_time(model, part):
        word = time_word(part.name, model.name) or _span_said(model, part)
        fine = word in CLOCKS
        codec = codecs.EpochMillis() if fine else bucket_codec(Bucket(BUCKETS.get(word or "", word)))
        return evolve(part, codec=codec, cardinality=None, sequential=None)
    if part.sequential or named_sequence(model, part):
        codec = part.codec if part.codec.kind is Kind.NUMBER else codecs.PaddedInt(18)
        return evolve(part, codec=codec, sequential=True)
    return part


def _lasting(model: ModelSchema, part: KeyField) -> bool:
    """Whether a time that ``part`` is called like stays the same for long."""
    return named_time(model, part) and time_word(part.name, model.name) in SPANS


def _named_span(name: str, kind: Any) -> bool:
    """Whether a number or a text is called like a span of time that lasts."""
    return kind in (int, str) and time_word(name) in SPANS


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
# So many values are seldom those of places and of machines, so that the number of any thing is then one that is counted up (this project's own figure).
_NUMBERED = 10_000_000


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
        and not NO_ORDER.search(model.doc)
    )


def _called_counted(part: KeyField, *, alone: bool) -> bool:
    many = (part.cardinality or 0) >= _NUMBERED
    numbered = called_filed_number(part.name) or (
        many and called_number(part.name) and personal(part.name) is None
    )
    if part.codec.python_type is int:
        return counted_up(part.name) or (alone and (numbered or called_paper(part.name)))
    text = part.codec.python_type is str and part.codec.order is not Order.SCATTERED
    if not (text and alone and _fits(part) and numbered):
        return False
    return not isinstance(part.codec, codecs.HexDigest)  # last, as it loads the codec


def sampled_sequence(model: ModelSchema, part: KeyField) -> bool:
    """Whether a text is nearly all of the key, is called the number of what there is always one more of, and the description gives one that is counted up, such as `R26-000471`."""
    if (
        part.sequential is not None
        or part.codec.python_type is not str
        or part.codec.order is Order.SCATTERED
    ):
        return False
    called = counted_up(part.name) or counted_up(f"{model.name}_{part.name}")
    return called and model.key.asked == (part,) and _fits(part) and sample_counts_up(model.doc)


def described_sequence(model: ModelSchema, part: KeyField) -> bool:
    """Whether the description of the model says that the ids which its key begins with, and which are most of it, climb; no digest does."""
    said = part.sequential is not None or part.codec.kind is Kind.TIME or part.codec.order is Order.SCATTERED
    if said or model.key.asked != (part,) or leading(model) != part or not model.doc:
        return False
    # Last, as it loads the codec.
    return said_in_order(model, part) and not isinstance(part.codec, codecs.HexDigest)


def leading_time(model: ModelSchema) -> KeyField | None:
    """The time that the key begins with, behind nothing but parts of one value; None where none does.

    A salt or a hash of nothing but such a time is one, too: all that is written in a day lies in one place.
    """
    first = leading(model)
    return first if first is not None and timelike(model, first) else None


def nodes_judged(model: ModelSchema) -> int:
    """The nodes over which writes must spread: as declared, or as many as the rate needs; no fewer than a small cluster has."""
    return max(model.nodes or nodes_needed(model) or 0, LEAST_SALTS)


# A salt of more values for each node is larger than it has to be (this project's own figure).
_SALTS_A_NODE = 4


def oversized(model: ModelSchema, salt: KeyField) -> bool:
    """Whether a salt has more values than the nodes need, as far as the model says how many these are: each is another read."""
    values = salt.derived.values if salt.derived else None
    known = values is not None and bool(model.nodes or model.events)
    return known and len(values or ()) > _SALTS_A_NODE * nodes_judged(model)


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


# Without one of these words, a description says nothing of shares.
_SHARES = pattern(
    r"(?i)%|\bper ?cent\b|\b(?:half|most|majority|bulk|lion|a third|thirds|a quarter|quarters|fifths?|tenths|five|ten|almost|nearly|practically|virtually|every (?:second|other|third)|as (?:much|many)|(?:in|of) (?:every )?(?:\d+|three|four|six|seven|eight|nine|twenty|hundred))\b"
)


def as_uneven_as_said(model: ModelSchema) -> ModelSchema:
    """The model whose fields have the ``skew`` that its description says, where they declare none; itself where it says nothing of it."""
    if not model.doc or _SHARES.search(model.doc) is None:
        return model
    from btmodel.design.shares_said import with_shares_said  # here: this module is loaded with every model

    return with_shares_said(model)


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
