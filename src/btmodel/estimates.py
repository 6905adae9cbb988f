"""Estimated sizes of a model's rows, cells and bytes, from its declared workload estimates."""

import math
from collections.abc import Iterable, Iterator
from datetime import timedelta
from decimal import Decimal
from enum import Enum
from math import ceil, expm1, prod
from typing import Any

from attrs import evolve, frozen

from btmodel.codecs import cell
from btmodel.codecs.aware_times import UNITS
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import KeyCodec, Kind
from btmodel.codecs.key.base import WholeNumber
from btmodel.schema.bucket import Bucket
from btmodel.schema.column import Column, Expected
from btmodel.schema.gc import KeptRange, kept_ranges, oldest
from btmodel.schema.key import KeyField, RowKey
from btmodel.schema.limits import ADVISED_NODE_USE, FAMILY_ID_LENGTH, NODE_ROW_WRITES, TIMESTAMP_BYTES
from btmodel.schema.model import ModelSchema, remembered
from btmodel.schema.names import placeholders
from btmodel.value import Value

# In seconds; combinations of values that come more rarely than once in it may not occur (this project's own figure).
_YEAR = 365 * 86_400.0
_SECOND = timedelta(seconds=1)

# All of it is computed from declared figures, and is None where one of them is not declared.
# Cardinalities multiply: no table has more rows than all values of its fields together, so
# a computed rate of one row is never too high.


def distinct(parts: Iterable[KeyField]) -> int | None:
    """How many values these key fields have together, as few as their skew makes them; a field that follows from others adds none."""
    counts = [part.even for part in parts if part.asked]
    return None if None in counts else prod(count for count in counts if count is not None)


def rows_of_one(rows: float, parts: Iterable[KeyField]) -> float | None:
    """How many of these rows there are of one value of each of these key fields; None where a cardinality is not declared.

    Where fields have more values together than there are rows, they follow from one another, as a city from its district: then the one of the most values counts.
    """
    parts = [*parts]
    together = distinct(parts)
    if together is None:
        return None
    most = max((part.even or 1 for part in parts if part.asked), default=1)
    return rows / (together if together <= rows else most)


def members(kind: type) -> int | None:
    """How many values a type has, where they can be counted: two of a bool, the members of an enum."""
    if kind is bool:
        return 2
    return len(kind) if is_class(kind, Enum) else None


def writable(codec: KeyCodec[Any]) -> int | None:
    """How many values the codec can write at most; None where that is more than anybody counts."""
    counted = members(codec.python_type)
    if counted is not None:
        return counted
    letters, length = len(codec.alphabet), codec.length
    if length.most > 18 or letters**length.most > 10**18:
        return None
    possible: int = sum(letters**size for size in range(length.least, length.most + 1))
    return possible


def timed(model: ModelSchema) -> tuple[KeyField, ...]:
    """The key fields that are times."""
    return tuple(part for part in model.key.fields if part.codec.kind is Kind.TIME)


def writers(model: ModelSchema) -> int | None:
    """How many values the key has besides its times: what writes rows, each at times of its own.

    Where a field declares its skew, as few values count as give each, coming evenly, the share of the most frequent one. A hash of columns, or of what is not stored, has as many values as they have; a salt of them has its own.
    """
    fields = distinct(part for part in model.key.fields if part.codec.kind is not Kind.TIME)
    counts = [fields, *_made_of_others(model)]
    return None if None in counts else prod(count for count in counts if count is not None)


def _made_of_others(model: ModelSchema) -> Iterator[int | None]:
    """The values of derived fields, of columns and of what is not stored."""
    others = {column.name: column.expected.cardinality for column in model.columns}
    others |= {part.name: part.cardinality for part in model.key.unstored}
    for part in model.key.fields:
        names = [name for name in part.derived.of if name in others] if part.derived else []
        if names and part.derived and part.derived.values is not None:
            yield part.cardinality
        else:
            yield from (others[name] for name in names)


def uncounted(model: ModelSchema) -> tuple[str, ...]:
    """The key fields, and the columns that the key is made of, that :func:`writers` cannot count."""
    fields = [part.name for part in model.key.asked if part.even is None and part.codec.kind is not Kind.TIME]
    hashes = [part.derived for part in model.key.fields if part.derived and part.derived.values is None]
    hashed = {name for derived in hashes for name in derived.of}
    columns = [
        column.name
        for column in model.columns
        if column.name in hashed and column.expected.cardinality is None
    ]
    return (*fields, *columns)


def rate_of_one(model: ModelSchema) -> float | None:
    """Events a second for each value of the key besides its times, on average."""
    count = writers(model)
    return None if model.events is None or count is None else model.events.per_second / count


def different_keys(model: ModelSchema, events: float) -> float | None:
    """How many different values of the key besides its times so many events have, on average, or at most; None where nobody counts them."""
    fields = [part for part in model.key.fields if part.codec.kind is not Kind.TIME]
    uneven = [part for part in fields if part.skew is not None]
    even = [evolve(part, skew=None) for part in fields]
    count = writers(evolve(model, key=evolve(model.key, fields=tuple(even))))
    if count is None:
        return None
    if len(uneven) > 1:
        return min(events, count)
    shares = [(1, 1.0)]
    if uneven and uneven[0].skew is not None and uneven[0].cardinality is not None:
        shares = [*uneven[0].skew.shares(uneven[0].cardinality)]
    each = count / sum(alike for alike, _ in shares)  # the keys of one value
    return sum(alike * each * -expm1(-events * share / each) for alike, share in shares)


def stated_every(column: Column) -> timedelta | None:
    """The time between two events of one row, as the column declares it: by ``every``, by its slots, or by its spans."""
    regular = column.slots or column.spans
    return regular.every if column.expected.every is None and regular else column.expected.every


def pace(model: ModelSchema, column: Column) -> float | None:
    """Events a second of one row in this column: as declared of it, or else by the rate of the table.

    Of entries with histories they are those of one entry.
    """
    every = stated_every(column)
    if every is not None:
        return 1 / every.total_seconds()
    rate = rate_of_one(model)
    return rate and rate / (column.expected.entries or 1 if column.shape.entered else 1)


def events_in(span: timedelta, pace: float) -> int:
    """The events of a span of time at such a pace; at least one."""
    # Computed with floats: 23 events a day are not 24.
    return max(1, ceil(span.total_seconds() * pace * (1 - 1e-9)))


def events_of_row(model: ModelSchema, column: Column) -> int | None:
    """How many events one row takes in this column: those of its bucket. None without a bucket, too."""
    if model.bucket is None or not column.eventful:
        return None
    if column.slots is not None:
        return column.slots.count
    found = pace(model, column)
    return None if found is None else events_in(model.bucket.longest, found)


def nodes_needed(model: ModelSchema) -> int | None:
    """How many nodes the declared rate needs, by the documented writes of a node, of which it should take 70 %; at least one."""
    return (
        None
        if model.events is None
        else max(1, ceil(model.events.per_second / (NODE_ROW_WRITES * ADVISED_NODE_USE)))
    )


@frozen(eq=False, repr=False)
class Amount(Value):
    """A number, or as much of it as is known.

    ``least`` is the part that is known; ``missing`` names the figures that the rest depends on,
    as the model would declare them: "`size` of `title`". Without any, ``least`` is the number.
    """

    least: int
    missing: tuple[str, ...] = ()

    @classmethod
    def unknown(cls, *missing: str) -> "Amount":
        """A number of which nothing is known."""
        return cls(0, missing)

    @property
    def value(self) -> int | None:
        """The number, or None where a figure is missing."""
        return None if self.missing else self.least

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.least + other.least, _all(self, other))

    def __mul__(self, other: "Amount") -> "Amount":
        return Amount(self.least * other.least, _all(self, other))


@frozen(eq=False, repr=False)
class Sizes(Value):
    """A usual amount and a largest one, which is no smaller: of bytes, or of cells."""

    usual: Amount
    largest: Amount

    def __attrs_post_init__(self) -> None:
        if self.largest.missing and self.largest.least < self.usual.least:
            object.__setattr__(self, "largest", Amount(self.usual.least, self.largest.missing))

    @classmethod
    def of(cls, usual: int, largest: int | None = None) -> "Sizes":
        """Both known; they are one number unless ``largest`` is given."""
        return cls(Amount(usual), Amount(usual if largest is None else largest))

    def __add__(self, other: "Sizes") -> "Sizes":
        return Sizes(self.usual + other.usual, self.largest + other.largest)

    def __mul__(self, other: "Sizes") -> "Sizes":
        return Sizes(self.usual * other.usual, self.largest * other.largest)


def _all(one: Amount, other: Amount) -> tuple[str, ...]:
    """The figures that either lacks, each once."""
    return tuple(dict.fromkeys((*one.missing, *other.missing)))


# A row is full when its bucket is over, or when everything that its GC rules keep is there. The
# number is computed from declared figures, as :mod:`btmodel.estimates` reads them. A rate of the table gives
# the usual number of events alone: the largest takes their own ``every``, or the versions that are kept.

_LONGEST = {bucket.value: bucket.longest for bucket in Bucket} | {
    unit.name: unit.longest for unit in UNITS.values()
}
_EVER = timedelta.max


def cells(model: ModelSchema, column: Column) -> Sizes:
    """The cells of ``column`` in a full row.

    A value has one cell, though it may be written again: only a column that is declared to ``keep`` several
    versions is counted with them.
    """
    if column.slots is not None:
        return Sizes.of(column.slots.count)
    if column.shape.entered:
        entries = column.expected.entries
        found = Amount.unknown(_of("entries", column)) if entries is None else Amount(entries)
        each = Sizes(_usual(model, column), _largest(model, column)) if column.versioned else Sizes.of(1)
        return Sizes(found, found) * each
    if column.versioned:
        return Sizes(_usual(model, column), _largest(model, column))
    kept = max(versions for versions, _ in kept_ranges(column.expected.keep))
    return Sizes.of(1 if column.expected.keep is None or kept == math.inf else int(kept))


def lacking(model: ModelSchema) -> tuple[str, ...]:
    """The figures that the rate of one row depends on, and that the model does not declare."""
    events = () if model.events is not None else ("`events`",)
    return (*events, *(f"`cardinality` of `{name}`" for name in uncounted(model)))


def span(model: ModelSchema) -> timedelta:
    """How much time one row is written in: its bucket, or else the unit of the finest time in its key.

    ``timedelta.max`` where the key holds no time: such a row is written for ever.
    """
    if model.bucket is not None:
        return model.bucket.longest
    # A time in no calendar unit distinguishes the events themselves.
    nothing = timedelta(0)
    # A row that lacks its optional time is written for ever, too.
    times = [part for part in timed(model) if not part.optional]
    units = (part.codec.granularity for part in times)
    return min(
        (unit if isinstance(unit, timedelta) else _LONGEST.get(unit or "", nothing) for unit in units),
        default=_EVER,
    )


def _usual(model: ModelSchema, column: Column) -> Amount:
    found = pace(model, column)
    if found is None and any(time < _EVER for _, time in _written(model, column)):
        return Amount.unknown(*lacking(model))
    return _amount(_events(model, column, found), "`bucket`")


def _largest(model: ModelSchema, column: Column) -> Amount:
    every = stated_every(column)
    endless = any(time == _EVER for _, time in _written(model, column))
    figure = "`bucket`" if endless else _of("every", column)
    return _amount(_events(model, column, None if every is None else 1 / every.total_seconds()), figure)


def _events(model: ModelSchema, column: Column, pace: float | None) -> float:
    """The events that a full row keeps at such a pace, or as many as its rule keeps; maybe infinite."""
    return max(
        min(versions, math.inf if pace is None or time == _EVER else events_in(time, pace))
        for versions, time in _written(model, column)
    )


def _written(model: ModelSchema, column: Column) -> list[KeptRange]:
    """The versions of a column that are kept, and the time in which they are written."""
    family = model.family(column.family)
    # Marks of different values are different columns, so a number of versions does not bound them.
    many = column.shape.marked
    return [
        (math.inf if many else versions, min(span(model), age))
        for versions, age in kept_ranges(family.gc if family else None)
    ]


def _amount(count: float, otherwise: str) -> Amount:
    return Amount.unknown(otherwise) if count == math.inf else Amount(int(count))


def _of(figure: str, column: Column) -> str:
    return f"`{figure}` of `{column.name}`"


# A cell is counted as its family, its qualifier, its timestamp (8 bytes) and its value; a row as its
# key, once, and its cells. Nothing is compressed, and of cells that a GC rule deletes none is left, although the service may
# take a week. A *usual* row is a full one of cells of usual size, the *largest* a full one of the
# largest cells: see :mod:`btmodel.estimates` for how many there are. The service does not publish how it
# measures a row against its limit; its own format of rows adds some bytes to each cell, and may leave names out.


@frozen(eq=False, repr=False)
class Share(Value):
    """What an attribute has of a row: the bytes of its qualifiers, values and cells, and how many cells there are.

    ``source`` is the column, or the key field that a mirror repeats; ``begins`` is what all of its qualifiers
    begin with.
    """

    source: Column | KeyField
    family: str
    begins: bytes
    codec: CellCodec[Any]
    qualifier: Sizes
    value: Sizes
    cell: Sizes
    cells: Sizes

    @property
    def column(self) -> Column | None:
        """The column; None of a mirror."""
        return self.source if isinstance(self.source, Column) else None

    @property
    def bytes(self) -> Sizes:
        """All of its cells in a full row."""
        return self.cell * self.cells


def key_size(key: RowKey) -> Sizes:
    """The bytes of a key: usual, with fields of variable width as declared, or at the middle of their least and most; the longest."""
    delimiters = sum(len(key.behind(part)) for part in key.fields[:-1])
    usual = sum(part.typical for part in key.fields) + delimiters
    return Sizes.of(min(usual, key.most), key.most)


@remembered
def shares(model: ModelSchema) -> tuple[Share, ...]:
    """The mirrors of key fields, and the columns, with what each has of a row."""
    return tuple(_shares(model))


@remembered
def row_size(model: ModelSchema) -> Sizes:
    """The bytes of a full row."""
    return sum((share.bytes for share in shares(model)), key_size(model.key))


@remembered
def cells_of_row(model: ModelSchema) -> Sizes:
    """How many cells a full row has."""
    return sum((share.cells for share in shares(model)), Sizes.of(0))


def missing(model: ModelSchema) -> tuple[str, ...]:
    """The figures without which the usual row of a model is not known, as the model would declare them."""
    return row_size(model).usual.missing


def stored_rows(model: ModelSchema) -> int | None:
    """How many rows the table has at most, by the values of its keys, and by its events and how long they are kept.

    None where it cannot be known: the values of several fields need not all occur together, so keys of which a year of events
    would not write each once are not counted. Where a number of values is not declared, a time finer than a second is taken to be that of one event.
    """
    counts = [part.cardinality for part in model.key.asked if part.codec.kind is not Kind.TIME]
    counts += _made_of_others(model)
    if model.undeclared:
        return None
    keys = None if None in counts else prod(count for count in counts if count is not None)
    if not timed(model):
        events = math.inf if model.events is None else model.events.per_second * _YEAR
        return keys if keys is not None and (len(counts) == 1 or keys <= events) else None
    kept_events, kept = _kept_events(model), _kept(model)
    if model.stamp.expires or kept_events is None or kept is None:
        return None
    each = span(model)  # of one row; none where the time is that of the event
    if keys is None:  # a second and more may gather several events in a row
        return kept_events if each < _SECOND else None
    return min(kept_events, keys * (kept // each + 1)) if each else kept_events


def least_rows(model: ModelSchema) -> int | None:
    """How many rows the table has at least, as each value of a field of its key, or of what this is made of, is in a row; None where no number of values is declared."""
    counts = [
        part.cardinality for part in model.key.asked if part.codec.kind is not Kind.TIME and part.cardinality
    ]
    counts += [count for count in _made_of_others(model) if count]
    return max(counts, default=None)


def sized_rows(model: ModelSchema) -> int | None:
    """The rows by which sizes are multiplied: those of :func:`stored_rows`, but for a mere product of cardinalities.

    Whether all values of several fields occur together is not declared, so a size of all combinations could be a thousand times too large.
    """
    rows = stored_rows(model)
    counts = [part.cardinality for part in model.key.asked if part.codec.kind is not Kind.TIME]
    several = [count for count in (*counts, *_made_of_others(model)) if count != 1]
    if rows is None or len(several) <= 1:
        return rows
    return rows if timed(model) and rows == _kept_events(model) else None


def stored_bytes(model: ModelSchema) -> int | None:
    """The bytes of all these rows, where they are usual ones."""
    rows, each = sized_rows(model), row_size(model).usual.value
    return None if rows is None or each is None else rows * each


def _kept_events(model: ModelSchema) -> int | None:
    """The events of the time for which they are kept; None where it has no end, or no rate is declared."""
    kept = _kept(model)
    return (
        None
        if kept is None or model.events is None
        else round(kept.total_seconds() * model.events.per_second)
    )


def _kept(model: ModelSchema) -> timedelta | None:
    """For how long the longest keeping family keeps cells; None where one has no end."""
    ages = [oldest(family.gc) for family in model.families]
    return None if not ages or None in ages else max(age for age in ages if age is not None)


def _shares(model: ModelSchema) -> Iterator[Share]:
    for part in model.key.fields:
        mirror = part.mirror
        if mirror is not None:
            name, value = Sizes.of(len(mirror.qualifier)), _mirrored(part, mirror.codec)
            around = _around(mirror.family) + name
            yield Share(
                part, mirror.family, mirror.qualifier, mirror.codec, name, value, around + value, Sizes.of(1)
            )
    for column in model.columns:
        name, value = _qualifier(column), value_size(column.codec, column.name, column.expected)
        around = _around(column.family) + name
        count = cells(model, column)
        yield Share(column, column.family, column.qualifier, column.codec, name, value, around + value, count)


def _around(family: str) -> Sizes:
    """The bytes of a cell besides its qualifier and its value."""
    # A name that is completed at run time may get as long as ids may be.
    longest = FAMILY_ID_LENGTH if placeholders(family) else len(family)
    return Sizes.of(len(family) + TIMESTAMP_BYTES, longest + TIMESTAMP_BYTES)


def _mirrored(part: KeyField, codec: CellCodec[Any]) -> Sizes:
    if isinstance(codec, cell.Utf8 | cell.Raw):
        # No field spends fewer bytes on text or bytes than these have.
        return Sizes.of(part.typical, part.codec.length.most)
    if isinstance(codec, cell.DecimalText) and isinstance(part.codec, WholeNumber):
        return Sizes.of(max(len(str(part.codec.least)), len(str(part.codec.most))))
    return value_size(codec, part.name, Expected())


def value_size(codec: CellCodec[Any], name: str, expected: Expected) -> Sizes:
    """The bytes of one value: as declared, or as the codec bounds them.

    Of a codec that bounds nothing, such as text, no usual size is guessed: the model must declare it. A number
    follows from its digits: for its text, the codec's own typical size is taken.
    """
    bounds = [size for size in (expected.max_size, codec.max_size) if size is not None]
    largest = Amount(min(bounds)) if bounds else Amount.unknown(f"`max_size` of `{name}`")
    if expected.size is not None:
        return Sizes(Amount(expected.size), largest)
    if codec.max_size is None and codec.python_type is not Decimal:
        return Sizes(Amount.unknown(f"`size` of `{name}`"), largest)
    return Sizes(Amount(min([codec.typical_size, *bounds])), largest)


def _qualifier(column: Column) -> Sizes:
    prefix = len(column.qualifier)
    if column.slots is not None:
        name = column.slots.length
    elif column.open and column.names is not None:
        name = column.names.length
    else:
        return Sizes.of(prefix)
    return Sizes.of(prefix + name.typical, prefix + name.most)
