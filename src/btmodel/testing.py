"""Hypothesis strategies that build valid model objects, for users' tests.

Needs the extra: ``pip install 'btmodel[testing]'``. The pytest fixtures are in
:mod:`btmodel.pytest_plugin`, which pytest finds by itself.
"""

import re
import struct
import typing
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, TypeVar, assert_never

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from btmodel.codecs import cell, key
from btmodel.codecs.aware_times import EPOCH, from_micros, micros_since_epoch, start_of_span
from btmodel.codecs.cell.protobuf import is_repeated
from btmodel.codecs.cell.record import is_record, record_fields
from btmodel.codecs.key.base import WholeNumber
from btmodel.codecs.key.calendar import WEEK, monday_of
from btmodel.declare import Fields, Model, codec_of, schema_of
from btmodel.errors import ValueRefused
from btmodel.rows.collections import BucketSpan, History, Slots, Timed
from btmodel.schema import Column, KeyField, ModelSchema, Shape, Stamp

_TEXT = st.text(st.characters(codec="utf-8"))
_FINITE = st.floats(allow_nan=False, allow_infinity=False)
_LEAF = st.none() | st.booleans() | st.integers() | _FINITE | _TEXT
_ANY: SearchStrategy[Any] = st.recursive(
    _LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3), max_leaves=6
)
_PLAIN: dict[Any, SearchStrategy[Any]] = {
    str: _TEXT,
    float: _FINITE,
    Decimal: st.decimals(allow_nan=False, allow_infinity=False),
    datetime: st.datetimes(timezones=st.just(UTC)),
    list: st.lists(_ANY, max_size=3),
    dict: st.dictionaries(_TEXT, _ANY, max_size=3),
    Any: _ANY,
    object: _ANY,
}


def documents(annotation: Any) -> SearchStrategy[Any]:
    """Values of a type that a JSON document can hold."""
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if origin in (typing.Union, UnionType):
        return st.none() | documents(inner[inner[0] is NoneType])
    if origin is list:
        return st.lists(documents(inner[0]), max_size=4)
    if origin is tuple and inner[1:] == (...,):
        return st.lists(documents(inner[0]), max_size=4).map(tuple)
    if origin is tuple:
        return st.tuples(*map(documents, inner))
    if origin is dict:
        return st.dictionaries(documents(inner[0]), documents(inner[1]), max_size=4)
    if isinstance(annotation, type) and is_record(annotation) and not issubclass(annotation, Enum):
        return _records(typing.cast(Any, annotation))
    drawn: SearchStrategy[Any] = st.from_type(annotation)
    return drawn


@cache
def _records(cls: Any) -> SearchStrategy[Any]:
    """The strategy of a class: one for all, because a class may contain itself."""

    def build() -> SearchStrategy[Any]:
        hints = typing.get_type_hints(cls)
        return st.builds(
            cls, **{field.argument: documents(hints[field.name]) for field in record_fields(cls)}
        )

    return st.deferred(build)


def packed(record: type, layout: str) -> SearchStrategy[Any]:
    """Records whose fields are the items of a struct format."""
    items: list[SearchStrategy[Any]] = []
    for count, code in re.findall(r"([0-9]*)(\D)", layout[1:]):
        size = struct.calcsize(layout[0] + code)
        if code == "s":
            items.append(st.binary(min_size=int(count or 1), max_size=int(count or 1)))
        else:
            items += [_item(code, size)] * int(count or 1)
    names = [field.argument for field in record_fields(record)]
    return st.builds(record, **dict(zip(names, items, strict=True)))


def _item(code: str, size: int) -> SearchStrategy[Any]:
    if code == "?":
        return st.booleans()
    if code == "e":
        return st.floats(width=16, allow_nan=False)
    if code in "fd":
        return st.floats(width=32 if code == "f" else 64, allow_nan=False)
    bits = 8 * size
    return (
        st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        if code.islower()
        else st.integers(0, 2**bits - 1)
    )


# What protobuf calls the kinds of fields (FieldDescriptor.CPPTYPE_...): numbers, text and bools.
_FIELDS: dict[int, SearchStrategy[Any]] = {
    1: st.integers(-(2**31), 2**31 - 1),
    2: st.integers(-(2**63), 2**63 - 1),
    3: st.integers(0, 2**32 - 1),
    4: st.integers(0, 2**64 - 1),
    5: _FINITE,
    6: st.floats(width=32, allow_nan=False),
    7: st.booleans(),
}


def messages(message_class: Any) -> SearchStrategy[Any]:
    """Messages with values in their fields of numbers and bools; the others are left out."""
    fields = {field.name: field for field in message_class.DESCRIPTOR.fields}
    single = {name: one for name, one in fields.items() if one.cpp_type in _FIELDS and not is_repeated(one)}
    values = {name: _FIELDS[one.cpp_type] for name, one in single.items()}
    return st.fixed_dictionaries({}, optional=values).map(lambda given: message_class(**given))


def arrays(dtype: Any, shape: Any) -> SearchStrategy[Any]:
    """Arrays of numpy without NaN, of small shapes where these are open."""
    from hypothesis.extra import numpy

    dtypes: Any = (
        st.sampled_from(["<f8", ">f4", "<i8", ">u2", "|b1", "<U3", "|S2"])
        if dtype is None
        else st.just(dtype)
    )
    if shape is None:
        shapes: Any = numpy.array_shapes(min_dims=0, max_dims=3, max_side=4)
    else:
        shapes = st.tuples(*(st.integers(0, 4) if size is None else st.just(size) for size in shape))
    drawn: SearchStrategy[Any] = dtypes.flatmap(
        lambda one: numpy.arrays(one, shapes, elements=numpy.from_dtype(_np(one), allow_nan=False))
    )
    return drawn


def _np(dtype: Any) -> Any:
    from btmodel.codecs.cell import NumpyArray

    return NumpyArray(dtype).dtype


M = TypeVar("M", bound=Model)

_ASCII = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
_READABLE = _ASCII | st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))
_DOMAIN = "abcdefghijklmnopqrstuvwxyz0123456789-."
_LAST_MILLI = 10**13 - 1
_ALL_TIMES = EPOCH, from_micros(_LAST_MILLI * 1000)


def _cut(codec: key.Text, text: str) -> str:
    """As much of ``text`` as fits the field, without the spaces that would pad it."""
    return _at_most(codec.length.most, text).rstrip(" " if codec.width else "")


def _at_most(size: int, text: str) -> str:
    """As much of ``text`` as ``size`` bytes of UTF-8 hold."""
    return text.encode()[:size].decode(errors="ignore")


def _sized(codec: key.Hex | key.Base58 | key.Base64) -> SearchStrategy[bytes]:
    return st.binary(min_size=codec.size, max_size=codec.size)


def _numbers(codec: WholeNumber) -> SearchStrategy[int]:
    return st.integers(codec.least, codec.most)


def _reversed_times(codec: Any) -> SearchStrategy[datetime]:
    """Times from 1970 on, in whole units of the field."""
    times = st.datetimes(datetime(1970, 1, 1), timezones=st.just(UTC))
    return times.map(lambda time: from_micros(micros_since_epoch(time) // codec.micros * codec.micros))


def _as_record(codec: key.Joined, items: tuple[Any, ...]) -> tuple[Any, ...]:
    return codec.record(*items) if codec.record else items


def _whole_times(micros: int) -> SearchStrategy[datetime]:
    """Times in whole units of so many microseconds."""
    times = st.datetimes(timezones=st.just(UTC))
    return times.map(lambda time: from_micros(micros_since_epoch(time) // micros * micros))


def _starts_of_spans(codec: key.EpochBucket) -> SearchStrategy[datetime]:
    """Times at which spans begin, by what the codec inside can write of them."""
    if codec.codec.python_type is not int:
        return drawn(codec.codec).map(lambda time: start_of_span(time, codec.every))
    last = (_ALL_TIMES[1] - EPOCH) // codec.every
    numbers = st.integers(0, last).filter(partial(_accepted, codec.codec.encode))
    return numbers.map(lambda number: EPOCH + number * codec.every)


def _without_empty_labels(domain: str) -> str:
    return ".".join(label for label in domain.split(".") if label)


def _time_of(codec: Any, count: int) -> Any:
    """The time that ``count`` units since 1970 are."""
    return from_micros(count * codec.micros)


# What to draw for the values of a codec, by its type.
STRATEGIES: dict[type, Callable[[Any], SearchStrategy[Any]]] = {
    key.Text: lambda codec: st.text(_READABLE, min_size=codec.min_length, max_size=codec.length.most).map(
        partial(_cut, codec)
    ),
    key.Bytes: lambda codec: st.binary(min_size=codec.length.least, max_size=codec.length.most),
    key.EscapedText: lambda codec: st.text(st.characters(codec="utf-8"), max_size=codec.max_length).map(
        partial(_at_most, codec.max_length)
    ),
    key.EscapedBytes: lambda codec: st.binary(min_size=codec.min_length, max_size=codec.max_length),
    key.ReversedDomain: lambda codec: st.text(_DOMAIN, min_size=1, max_size=codec.max_length).map(
        _without_empty_labels
    ),
    key.Repeated: lambda codec: st.lists(drawn(codec.codec), min_size=codec.least, max_size=codec.most).map(
        tuple
    ),
    key.Descending: lambda codec: drawn(codec.codec),
    key.LengthPrefixed: lambda codec: drawn(codec.codec),
    key.Joined: lambda codec: st.tuples(*map(drawn, codec.codecs)).map(partial(_as_record, codec)),
    key.OrderedCode: lambda codec: drawn(codec.codec),
    key.MappedKey: lambda codec: drawn(codec.codec).map(codec.read),
    key.EnumText: lambda codec: st.sampled_from(codec.enum),
    key.Boolean: lambda codec: st.booleans(),
    key.UuidText: lambda codec: st.uuids(),
    key.UuidRaw: lambda codec: st.uuids(),
    key.Hex: _sized,
    key.HexDigest: lambda codec: st.text("0123456789abcdef", min_size=codec.digits, max_size=codec.digits),
    key.Base58: _sized,
    key.Base64: _sized,
    key.PaddedInt: _numbers,
    key.ReversedDigits: _numbers,
    key.Int: _numbers,
    key.HexInt: _numbers,
    key.BigEndian: _numbers,
    key.LittleEndian: _numbers,
    key.OrderedInt: _numbers,
    key.VarInt: _numbers,
    key.ReversedSeconds: _reversed_times,
    key.ReversedMillis: _reversed_times,
    key.ReversedMicros: _reversed_times,
    key.EpochBucket: _starts_of_spans,
    key.TimeBytes: lambda codec: _whole_times(
        max(1_000_000 // {"second": 1, "millisecond": 1_000}.get(codec.unit, 1_000_000), 1)
    ),
    key.EpochSeconds: lambda codec: st.integers(0, 10**codec.digits - 1).map(partial(_time_of, codec)),
    key.EpochMillis: lambda codec: st.integers(0, 10**codec.digits - 1).map(partial(_time_of, codec)),
    key.EpochMicros: lambda codec: st.integers(0, 10**codec.digits - 1).map(partial(_time_of, codec)),
    key.EpochNanos: lambda codec: st.integers(0, 10**codec.digits - 1).map(partial(_time_of, codec)),
    key.DateText: lambda codec: st.datetimes(timezones=st.just(UTC)).map(
        lambda time: codec.format.cut(time).date()
    ),
    key.TimeText: lambda codec: st.datetimes(timezones=st.just(UTC)).map(codec.format.cut),
    key.IsoTimeText: lambda codec: _whole_times(1),
    key.IsoWeek: lambda codec: st.dates().map(monday_of),
    key.Week: lambda codec: st.integers(0, codec.last - codec.first).map(lambda n: codec.origin + n * WEEK),
    cell.Utf8: lambda codec: st.text(st.characters(codec="utf-8")),
    cell.Raw: lambda codec: st.binary(),
    cell.TextBytes: lambda codec: st.text(st.characters(codec=codec.encoding)),
    cell.UuidBytes: lambda codec: st.uuids(),
    cell.EnumValue: lambda codec: st.sampled_from(codec.enum),
    cell.Int64: lambda codec: st.integers(-(2**63), 2**63 - 1),
    cell.Float64: lambda codec: st.floats(allow_nan=False),
    cell.Flag: lambda codec: st.booleans(),
    cell.FlagText: lambda codec: st.booleans(),
    cell.DecimalNumber: lambda codec: st.decimals(allow_nan=False, allow_infinity=False),
    cell.DecimalText: lambda codec: st.integers(),
    cell.FloatText: lambda codec: st.floats(allow_nan=False, allow_infinity=False),
    cell.Micros: lambda codec: st.datetimes(timezones=st.timezones()),
    cell.IsoDate: lambda codec: st.dates(),
    cell.IsoTime: lambda codec: _whole_times(10 ** (6 - min(6 if codec.digits is None else codec.digits, 6))),
    key.AsInKey: lambda codec: drawn(codec.codec),
    cell.IntBytes: lambda codec: st.binary(min_size=codec.size, max_size=codec.size).map(codec.decode),
    cell.FloatBytes: lambda codec: st.floats(width=8 * codec.size, allow_nan=False),
    cell.Present: lambda codec: st.just(True),
    cell.HexText: lambda codec: drawn(codec.codec),
    cell.Base64Text: lambda codec: drawn(codec.codec),
    cell.PerEntry: lambda codec: st.nothing(),  # values are those of entries, of `_attribute`
    cell.Prefixed: lambda codec: drawn(codec.codec),
    cell.Compressed: lambda codec: drawn(codec.codec),
    cell.MappedCell: lambda codec: drawn(codec.codec).map(codec.read),
    cell.Either: lambda codec: drawn(codec.new),
    cell.Json: lambda codec: documents(codec.of),
    cell.Packed: lambda codec: packed(codec.record, codec.layout),
    cell.Protobuf: lambda codec: messages(codec.message_class),
    cell.NumpyArray: lambda codec: arrays(codec.dtype, codec.shape),
    cell.RawArray: lambda codec: arrays(codec.dtype, codec.shape),
}


def instances(model: type[M], **fields: SearchStrategy[Any]) -> SearchStrategy[M]:
    """Instances of ``model`` that a repository can write: every value fits its codec and its bucket.

    ``fields`` replace the strategy of an attribute. NaN is never drawn: no row that
    holds one equals itself. Two rows that are drawn may have one key, and a put leaves
    the cells of attributes that are None: to compare what is read with what was written,
    delete the row first. Counters are left out, as no row is made with them: of a model that
    holds nothing else no row can be put, which is a TypeError, as an unknown name in ``fields`` is.
    """
    schema = schema_of(model)
    if all(column.shape.summed for column in schema.columns) and schema.columns:
        raise TypeError(
            f"{model.__name__} holds only counters, so its rows cannot be put: begin one with `add` of its repository"
        )
    unknown = fields.keys() - set(_arguments(schema))
    if unknown:
        raise TypeError(f"{model.__name__} is not made with an attribute {min(unknown)!r}")
    return _instances(model, schema, fields).filter(_writable)


def values(field: KeyField | Column) -> SearchStrategy[Any]:
    """Values that the codec of a key field or a column accepts.

    For a codec of your own: whatever hypothesis makes of its ``python_type``, as far as it fits.
    """
    return drawn(field.codec)


def drawn(codec: Any) -> SearchStrategy[Any]:
    """Values that ``codec`` accepts."""
    strategy = STRATEGIES.get(type(codec))
    found = strategy(codec) if strategy else st.from_type(codec.python_type)
    return found.filter(lambda value: _accepted(codec.encode, value))


@st.composite
def _instances(
    draw: st.DrawFn, model: type[M], schema: ModelSchema, fields: dict[str, SearchStrategy[Any]]
) -> M:
    row: dict[str, Any] = {}
    span = _ALL_TIMES
    # A row needs a cell: most draws of a single collection that may be empty would be thrown away.
    least = 1 if sum(not column.shape.summed for column in schema.columns) == 1 else 0
    for name, declared in _arguments(schema).items():
        if isinstance(declared, KeyField):
            row[name] = draw(fields[name] if name in fields else _key_values(model, declared))
            if declared == schema.bucket_field:
                span = BucketSpan(schema).span(row)
        elif name in fields:
            row[name] = draw(fields[name])
        else:
            row[name] = draw(
                _stamps(declared) if isinstance(declared, Stamp) else _attribute(declared, span, least)
            )
    return model(**row)


def _arguments(schema: ModelSchema) -> dict[str, KeyField | Stamp | Column]:
    """The arguments with which a row is created: key fields first, no counters."""
    stamp = schema.stamp
    return {
        **{part.name: part for part in schema.key.asked},
        **({stamp.attribute: stamp} if stamp.attribute and stamp.stored else {}),
        **{column.name: column for column in schema.columns if not column.shape.summed},
    }


def _stamps(stamp: Stamp) -> SearchStrategy[datetime | None]:
    """Times of a row that lie in the timestamps of its cells; None is the time of writing."""
    times = _times(*_ALL_TIMES)
    return times if stamp.required else st.none() | times


def _key_values(model: type[Model], part: KeyField) -> SearchStrategy[Any]:
    # No partial: hypothesis would print the class, and take what prints its instances for what prints it.
    return values(part).filter(lambda value: _fits_key(model, part, value))


def _attribute(column: Column, span: tuple[datetime, datetime], least: int) -> SearchStrategy[Any]:
    match column.shape:
        case Shape.HISTORY:
            return st.dictionaries(_times(*span), values(column), min_size=least, max_size=4).map(History)
        case Shape.MARKS:
            return st.dictionaries(_times(*span), _names(column), min_size=least, max_size=4).map(History)
        case Shape.SLOTS:
            return st.dictionaries(_slots(column, *span), values(column), min_size=least, max_size=4).map(
                Slots
            )
        case Shape.MAPPING:
            return _entries(column, lambda values: values, least)
        case Shape.HISTORIES:
            times = _times(*span)
            return _entries(
                column,
                lambda values: st.dictionaries(times, values, min_size=1, max_size=3).map(History),
                least,
            )
        case Shape.TIMED:
            times = _times(*span)
            return _entries(column, lambda values: st.builds(Timed, values, times), least)
        case Shape.MEMBERS:
            return st.sets(_names(column), min_size=least, max_size=4)
        case Shape.VALUE:
            return values(column) if column.required else st.none() | values(column)
        case Shape.COUNTER | Shape.COUNTERS | Shape.COUNTS:
            return st.nothing()  # no row is created with one
        case _:
            assert_never(column.shape)


def _entries(
    column: Column, held: Callable[[SearchStrategy[Any]], SearchStrategy[Any]], least: int
) -> SearchStrategy[Any]:
    """Mappings of entries, which hold what ``held`` makes of values."""
    names = _names(column)
    if not isinstance(column.codec, cell.PerEntry):
        return st.dictionaries(names, held(values(column)), min_size=least, max_size=4)
    of = column.codec.of
    named = names.filter(partial(_accepted, of))
    entries = named.flatmap(lambda name: st.tuples(st.just(name), held(drawn(of(name)))))
    return st.lists(entries, min_size=least, max_size=4).map(dict)


def _names(column: Column) -> SearchStrategy[Any]:
    assert column.names is not None
    return drawn(column.names)


def _slots(column: Column, start: datetime, end: datetime) -> SearchStrategy[datetime]:
    """The slots of the bucket that begins at ``start``."""
    assert column.slots is not None
    every = column.slots.every
    return st.integers(0, (end - start) // every - 1).map(lambda count: start + count * every)


def _times(start: datetime, end: datetime) -> SearchStrategy[datetime]:
    """Whole milliseconds of ``[start, end)`` that a cell timestamp can hold."""
    millis = timedelta(milliseconds=1)
    first, last = max(0, (start - EPOCH) // millis), (end - EPOCH) // millis - 1
    return st.integers(first, max(first, last)).map(lambda count: EPOCH + count * millis)


def _fits_key(model: type[Model], part: KeyField, value: Any) -> bool:
    """Whether ``value`` can stand in a key; a bucket's label must name a time that has cell timestamps."""
    if part == schema_of(model).bucket_field and value.year < EPOCH.year:
        return False
    keys = codec_of(model).keys
    return _accepted(lambda one: keys.part(part, {part.name: one}), value)


def _accepted(encode: Callable[[Any], object], value: Any) -> bool:
    try:
        encode(value)
    except ValueRefused:
        return False
    return True


def _writable(row: Model) -> bool:
    return _accepted(lambda one: codec_of(type(one)).encode(Fields(one), 0), row)


__all__ = ["instances", "values"]
