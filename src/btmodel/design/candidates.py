"""Candidate keys: a promoted column, another field, a salt, a finer time."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from enum import Enum
from math import prod
from typing import Any
from uuid import UUID

from attrs import evolve, frozen

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import (
    DateText,
    EnumText,
    EpochMillis,
    KeyCodec,
    Kind,
    PaddedInt,
    UuidText,
)
from btmodel.design.changes_said import described_assigned, described_changing
from btmodel.design.encodings import backwards, reversed_digits
from btmodel.design.event_ids import called_id, tells_apart_by_name
from btmodel.design.hints import called_changing
from btmodel.design.keys import (
    UNKNOWN_TEXT,
    Fields,
    fresh,
    of_values,
    salted,
    single,
    unknown_number,
)
from btmodel.design.personal_names import personal
from btmodel.design.series import at_intervals, beat_said, clock, clock_codec, colliding
from btmodel.design.sources import recurring, writes
from btmodel.design.spread import (
    MANY,
    buckets_of,
    crowded,
    hot,
    leading,
    rising,
    timelike,
    varies,
)
from btmodel.errors import DeclarationError
from btmodel.schema import Column, Derived, KeyField, ModelSchema, Query, RowKey
from btmodel.schema.key import Mirror
from btmodel.value import Value

_IDENTIFYING: dict[Any, int] = {UUID: 0, str: 1, int: 2}
# Bytes of a typical value beyond which a column is no id (this project's own figure).
_LONG = 64
# And of the longest one.
_LONGEST = 4 * _LONG


def digits_in_front(model: ModelSchema, part: KeyField) -> str | None:
    """The codec that KEY002 wants of ids in sequence that lead the key; None of any other field."""
    ranged = any(part.name in (query.between, query.starting) for query in model.queries)
    leads = part.sequential is True and leading(model) == part
    return backwards(part.codec) if leads and not (ranged or timelike(model, part)) else None


def in_reverse(model: ModelSchema, part: KeyField) -> str:
    """A word on the codec that ``part`` needs in front; empty where it needs no other."""
    return f", its digits written backwards ({backwards(part.codec)})" if _reversible(model, part) else ""


def _reversible(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` is a number that climbs from row to row, so that its last digits, in front, spread them."""
    return rising(model, part) and not timelike(model, part) and backwards(part.codec) is not None


def spreading_columns(model: ModelSchema) -> list[Column]:
    """Columns that may distinguish rows: those of many declared values, what queries ask for, what writes the rows, then ids, text, numbers.

    None that rows may lack, as they would have no key, and none that is called like what is the same in many rows, unless queries ask for it or its number of values says more.
    """
    asked = asked_for(model)
    columns = [
        column
        for column in model.columns
        if _identifies(column)
        and personal(column.name) is None
        and not _moves(model, column)
        and (column.name in asked or (column.required and _many_values(model, column)))
    ]
    return sorted(
        columns,
        key=lambda one: (
            -(one.expected.cardinality or 0),
            one.name not in asked,
            not writes(model, one.name),
            not called_id(one),
            _IDENTIFYING[one.codec.python_type],
        ),
    )


def _moves(model: ModelSchema, column: Column) -> bool:
    """Whether a row gets another value of the column later, by its name or by the description, so that it would be another row."""
    named = called_changing(column.name, column.codec.python_type)
    return named or described_changing(model, as_field(column)) or described_assigned(model, column.name)


def _many_values(model: ModelSchema, column: Column) -> bool:
    """Whether the column may have many values, as far as anything says it."""
    return (
        column.expected.cardinality is not None
        or tells_apart_by_name(model, column)
        or not recurring(column.name)
    )


def _identifies(column: Column) -> bool:
    declared = column.expected.cardinality
    enough = (declared is None or declared >= MANY) and column.expected.increments is None
    figures = column.expected
    if (figures.size or 0) > _LONG or (figures.max_size or 0) > _LONGEST:  # a text to read, not an id
        return False
    return enough and column.shape.plain and column.codec.python_type in _IDENTIFYING


def asked_for(model: ModelSchema) -> set[str]:
    """The attributes that declared queries give, or pick rows by."""
    return {name for query in model.queries for name in (*query.equal, *query.where)}


# What stands for a column in a key that is tried: the order of its values is what counts.
_CODECS: dict[type, KeyCodec[Any]] = {
    UUID: UuidText(),
    str: UNKNOWN_TEXT,
    int: unknown_number(),
    datetime: EpochMillis(),
    date: DateText(),
}


@frozen(eq=False, repr=False)
class Tried(Value):
    """Fields to order, and what has been done to get them; ``cost`` is how much that changes.

    ``finer`` is the declaration of a finer time.
    """

    cost: tuple[int, int]
    fields: Fields
    column: Column | None = None
    invented: str | None = None
    salt: KeyField | None = None
    finer: str | None = None


def tiers(model: ModelSchema) -> Iterator[list[Tried]]:
    """Possible changes of the fields, the smallest first: a later tier is for what the earlier ones cannot fix."""
    plain = _plain(model)
    columns = promotable(model)
    promoted = [
        Tried((1, 2 * at + kept), _beside(model, fields, as_field(column)), column)
        for at, column in enumerate(columns)
        for kept, fields in enumerate(dict.fromkeys((unhashed_by(plain, column.name), plain)))
    ]
    name = fresh(model, "id", "writer", "source")
    invented = Tried((3, 0), _beside(model, plain, KeyField(name, UNKNOWN_TEXT)), invented=name)
    yield [Tried((0, 0), plain)]
    yield promoted
    # Where the events of a source come one by one, a finer time alone is enough, and less than one beside a column.
    alone = [Tried((0, -1), plain)] if at_intervals(model) else []
    yield [finer for attempt in (*alone, *promoted) if (finer := _finely(model, attempt)) is not None]
    yield [invented]
    if not _may_salt(model):
        return
    for number, without in enumerate(([Tried((0, 0), plain)], promoted, [invented])):
        yield [
            evolve(
                attempt, cost=(4 + number, 2 * attempt.cost[1] + (salt not in model.key.fields)), salt=salt
            )
            for attempt in without
            for salt in salts_of(model, attempt.fields)
            if _due(model, salt)
        ]


def _plain(model: ModelSchema) -> Fields:
    """The fields of the key, without those that distinguish no rows."""
    return tuple(part for part in model.key.fields if not _needless(model, part))


def unhashed_by(fields: Fields, *names: str) -> Fields:
    """``fields`` without the hashes, which are no salts, of what all stands in the key once the columns called ``names`` do."""
    known = {part.name for part in fields if part.derived is None} | {*names}
    return tuple(
        part
        for part in fields
        if part.derived is None
        or part.derived.values is not None
        or part.codec.kind is Kind.TIME
        or not ({*names} & {*part.derived.of} and known.issuperset(part.derived.of))
    )


def _finely(model: ModelSchema, tried: Tried) -> Tried | None:
    """``tried`` with a time so fine that it distinguishes events; None where they are, or queries give it as it is."""
    made = evolve(model, key=RowKey(tried.fields, model.key.delimiter))
    found = colliding(made)
    if found is None or any(found[0].name in query.equal for query in model.queries):
        return None
    code = clock(found[2], found[0], beat_said(model.doc))
    if code is None:
        return None
    time = evolve(found[0], codec=clock_codec(code))
    fields = tuple(time if part == found[0] else part for part in tried.fields)
    return evolve(
        tried, cost=(2, tried.cost[1]), fields=fields, finer=f"{time.name}: datetime = bt.key({code})"
    )


def _beside(model: ModelSchema, fields: Fields, new: KeyField) -> Fields:
    """``fields`` with a new one in front of the first time."""
    at = next((at for at, part in enumerate(fields) if timelike(model, part)), len(fields))
    last = len(fields) - any(part.optional for part in fields)
    return (*fields[: min(at, last)], new, *fields[min(at, last) :])


def _needless(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` distinguishes no rows that other fields do not distinguish: a salt, or a hash of what is in the key."""
    if part.derived is None or part.codec.kind is Kind.TIME:
        return False
    names = {field.name for field in model.key.fields}
    return part.derived.values is not None or names.issuperset(part.derived.of)


def _may_salt(model: ModelSchema) -> bool:
    plain = evolve(model, key=RowKey(_plain(model), model.key.delimiter))
    return (
        hot(model) or crowded(plain) or any(part.derived and part.derived.values for part in model.key.fields)
    )


def _due(model: ModelSchema, salt: KeyField) -> bool:
    """Whether a salt is to be tried: one that is there, one of the time, and another where nothing else spreads the writes."""
    of = salt.derived.of if salt.derived else ()
    timed = any(part.name in of and part.codec.kind is Kind.TIME for part in model.key.fields)
    spreading = any(
        part.asked and not part.sequential and (part.cardinality or MANY) >= MANY for part in model.key.fields
    )
    asked = any(_over_all(model, query) for query in model.queries)
    return salt in model.key.fields or timed or asked or not (spreading or promotable(model))


def _over_all(model: ModelSchema, query: Query) -> bool:
    """Whether the query wants a time or a range of it over all rows, or those of few values: no other field in front of the time serves it."""
    known = {part.name: part for part in model.key.fields}
    # The rows of a bucket gather the events of what stands beside the time, and belong in its order.
    asked = (query.between,) if model.bucket else (*query.equal, query.between)
    times = [name for name in asked if name in known and timelike(model, known[name])]
    counts = [known[name].even if name in known else None for name in query.equal if name not in times]
    few = None not in counts and prod(count for count in counts if count is not None) < MANY
    return bool(times) and few


def salt_of(model: ModelSchema, fields: Fields) -> KeyField | None:
    """The first of :func:`salts_of`."""
    return next(salts_of(model, fields), None)


def salts_of(model: ModelSchema, fields: Fields) -> Iterator[KeyField]:
    """The salt that the key has, as it is and of enough values, and a new one: of its time, or else of the field or column with the most values."""
    used: set[str] = set()
    buckets = buckets_of(model)
    for part in model.key.fields:
        salt = part.derived is not None and part.derived.values is not None and not timelike(model, part)
        if part.derived and salt and any(varies(model, name) for name in part.derived.of):
            yield part
            if len(part.derived.values or ()) < buckets:
                yield of_values(part, buckets)
            used.update(part.derived.of)
    times = [part.name for part in fields if part.codec.kind is Kind.TIME and varies(model, part.name)]
    others = sorted(
        (part for part in fields if part.asked and part.codec.kind is not Kind.TIME and not single(part)),
        key=lambda part: (part.codec.python_type is not UUID, -(part.cardinality or MANY)),
    )
    columns = [column.name for column in spreading_columns(model) if column.required]
    of = next(iter([*times, *(part.name for part in others), *columns]), None)
    if of is None or of in used:
        return
    yield _salt(model, of)


def salt_of_field(model: ModelSchema, part: KeyField) -> KeyField:
    """A new salt of a field of the key."""
    return _salt(model, part.name)


def _salt(model: ModelSchema, of: str) -> KeyField:
    name = fresh(model, "salt", "shard", "spread")
    derived = Derived((of,), hash)
    return of_values(KeyField(name, PaddedInt(1), derived=derived), buckets_of(model))


def promotable(model: ModelSchema) -> list[Column]:
    """Columns to promote: those of many values, and those that queries give; numbers only where it is known what they are."""
    asked = asked_for(model) | {name for query in model.queries for name in (query.between, query.starting)}
    identifying = [
        column
        for column in spreading_columns(model)
        if column.expected.cardinality
        or column.name in asked
        or column.codec.python_type is not int
        or called_id(column)
    ]
    given = [
        column
        for column in model.columns
        if column not in identifying
        and column.name in asked
        and column.shape.plain
        and column.codec.python_type in _CODECS
        and personal(column.name) is None
        and not _moves(model, column)
    ]
    ids = [column for column in identifying[3:] if tells_apart_by_name(model, column)]
    return [*identifying[:3], *ids[:1], *given[:2]]


def acting(model: ModelSchema) -> list[Column]:
    """Columns that each row has and keeps, in which somebody or something may be named that acts."""
    return [
        column
        for column in model.columns
        if column.required
        and column.shape.plain
        and (column.codec.python_type in _IDENTIFYING or is_class(column.codec.python_type, Enum))
        and personal(column.name) is None
        and not _moves(model, column)
    ]


def as_field(column: Column) -> KeyField:
    """The key field that a column would become."""
    kind, count = column.codec.python_type, column.expected.cardinality
    if is_class(kind, Enum):
        return KeyField(column.name, _of_enum(kind), count or len(kind))
    return KeyField(column.name, _CODECS.get(kind, UNKNOWN_TEXT), count)


def _of_enum(kind: Any) -> KeyCodec[Any]:
    """The codec of an enum in a key, which keeps the type, by which rules know what changes; of values that are no text, one that stands for it."""
    try:
        return EnumText(kind)
    except DeclarationError:
        return UNKNOWN_TEXT


def made_of(model: ModelSchema, tried: Tried, order: Fields) -> ModelSchema:
    """``model`` with a key of the fields of ``tried``, in this order; ids in sequence in front are written backwards."""
    fields = salted(order, tried.salt) if tried.salt is not None else order
    columns = tuple(column for column in model.columns if column != tried.column)
    return adjusted(model, evolve(model, key=RowKey(fields, model.key.delimiter), columns=columns))


def adjusted(model: ModelSchema, made: ModelSchema) -> ModelSchema:
    """``made``, which has another key than ``model``, with what this key then needs of its fields."""
    made = _scattered(model, made)
    if made.columns or any(part.mirror for part in made.key.fields):
        return made
    cells = {column.name: column for column in model.columns}
    fields = tuple(_kept_in_its_cell(part, cells) for part in made.key.fields)
    return evolve(made, key=evolve(made.key, fields=fields))


def _scattered(model: ModelSchema, made: ModelSchema) -> ModelSchema:
    """``made`` with the digits of ids in sequence written backwards, where they are in front and no query wants a range."""
    first = next((part for part in made.key.fields if not single(part)), None)
    codec = reversed_digits(first.codec) if first is not None and _reversible(model, first) else None
    ranged = {name for query in made.queries for name in (query.between, query.starting)}
    if first is None or codec is None or first.name in ranged:
        return made
    fields = tuple(evolve(part, codec=codec) if part == first else part for part in made.key.fields)
    return evolve(made, key=evolve(made.key, fields=fields))


def _kept_in_its_cell(part: KeyField, cells: Mapping[str, Column]) -> KeyField:
    """A field that was a column, and keeps its cell: a row without cells does not exist."""
    column = cells.get(part.name)
    if column is None:
        return part
    return evolve(part, mirror=Mirror(column.family, column.qualifier, column.codec))
