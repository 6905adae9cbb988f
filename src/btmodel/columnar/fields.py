"""The fields of an Arrow table: key fields and columns."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, Flag
from functools import cached_property
from typing import Any, Protocol, assert_never
from uuid import UUID

from attrs import frozen

from btmodel.codecs.cell import Json, PerEntry
from btmodel.codecs.cell.record import is_class
from btmodel.columnar.libraries import pyarrow, time_type
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows import RowKeyCodec
from btmodel.schema import Column, KeyField, ModelSchema, Shape
from btmodel.words import as_text


class AnyCodec(Protocol):
    """What is asked of a codec, be it of a cell, of a key field, or of a name."""

    @property
    def python_type(self) -> type:
        """The type of the values."""
        ...

    def encode(self, value: Any) -> bytes:
        """The bytes of a value."""
        ...

    def decode(self, raw: bytes) -> Any:
        """The value of bytes."""
        ...


@frozen(slots=False)
class Scalar:
    """A type of Arrow for the values of a codec, there and back: what a codec writes of both is the same.

    ``plain`` makes of a value what pyarrow takes for it, and ``value`` the value of what pyarrow gives.
    Members of ``enum`` are a dictionary.
    """

    arrow: Any
    plain: Callable[[Any], Any] | None = None
    value: Callable[[Any], Any] | None = None
    enum: type[Enum] | None = None

    def array(self, values: Sequence[Any], where: str) -> Any:
        """The values, of which None is an absent one. Raises :class:`ValueRefused`."""
        pa = pyarrow()
        if self.enum is not None:
            numbers = self._numbers
            indices = [None if value is None else numbers[value] for value in values]
            names = pa.array([member.name for member in self.enum], pa.string())
            return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), names)
        plain = self.plain
        if plain is not None:
            values = [None if value is None else plain(value) for value in values]
        return made(values, self.arrow, where)

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        assert self.enum is not None
        return {member: number for number, member in enumerate(self.enum)}


class Unfit(ValueRefused):
    """A value that the Arrow type of its column cannot hold; the caller knows how to name the other columns."""

    way_out = "leave the column out by naming the others"

    def __str__(self) -> str:
        return f"{super().__str__()}: {self.way_out}"


def made(values: Sequence[Any], type: Any, where: str) -> Any:
    """An array of Arrow. Raises :class:`Unfit` for a value that its type cannot hold."""
    pa = pyarrow()
    try:
        return pa.array(values, type)
    except (pa.ArrowInvalid, OverflowError):
        for value in values:
            try:
                pa.array([value], type)
            except (pa.ArrowInvalid, OverflowError):
                raise Unfit(f"a value that fits {type} of Arrow", value, where=where) from None
        raise


def scalar_of(codec: AnyCodec, *, nested: bool = False) -> Scalar:
    """The type of Arrow for the values of ``codec``.

    What Arrow has no type for is text, where it is JSON, or else the bytes of the cell. A Decimal is text, too:
    a decimal of Arrow has as many digits behind the point as its column, and 10 and 10.00 are different cells.
    Within lists and maps members of an enum are their names. Flags, which may stand together, are their number.
    """
    pa = pyarrow()
    kind = codec.python_type
    if isinstance(codec, Json):
        return Scalar(
            pa.string(), lambda value: codec.encode(value).decode(), lambda text: codec.decode(text.encode())
        )
    if is_class(kind, Flag):  # some of them together have no name of their own
        return Scalar(pa.int64(), lambda flags: flags.value, kind)
    if is_class(kind, Enum):

        def member(name: str) -> Any:
            return kind[name]  # kind.__getitem__ is that of str where members are text

        if nested:
            return Scalar(pa.string(), lambda member: member.name, member)
        return Scalar(pa.dictionary(pa.int32(), pa.string()), None, member, enum=kind)
    if kind is UUID:
        return Scalar(pa.binary(16), lambda value: value.bytes, lambda raw: UUID(bytes=raw))
    if kind is Decimal:
        return Scalar(pa.string(), str, _decimal)
    types = {
        str: pa.string(),
        bytes: pa.binary(),
        int: pa.int64(),
        float: pa.float64(),
        bool: pa.bool_(),
        datetime: time_type(),
        date: pa.date32(),
    }
    arrow_type = types.get(kind)
    return Scalar(pa.binary(), codec.encode, codec.decode) if arrow_type is None else Scalar(arrow_type)


def _decimal(text: str) -> Decimal:
    """The Decimal of its text. Decimal itself also takes spaces, underscores and the digits of other scripts."""
    if not text.isascii() or "_" in text or text != text.strip():
        raise ValueError(f"expected decimal text, got {text!r}")
    return Decimal(text)


@frozen
class ArrowField:
    """One field: an attribute of a row. ``part`` is the field of the key that it is, or ``column`` its column.

    ``array`` makes what Arrow holds of values, and ``value`` a value of what pyarrow gives, other than None.
    """

    name: str
    type: Any
    array: Callable[[Sequence[Any], str], Any]
    value: Callable[[Any], Any]
    part: KeyField | None = None
    column: Column | None = None

    def of_rows(self, rows: Sequence[Any], where: str) -> Any:
        """The values of rows. What was not read of a row is null."""
        return self.array([getattr(row, self.name, None) for row in rows], f"{where}.{self.name}")


@frozen(slots=False)
class ArrowFields:
    """The fields that are asked for, in their order."""

    model: ModelSchema
    all: tuple[ArrowField, ...]

    @classmethod
    def of(
        cls, model: ModelSchema, read: frozenset[str] | None, names: Iterable[str] | None
    ) -> "ArrowFields":
        """Those of the key and of the columns that are ``read`` (None: all), or those of ``names`` alone.

        Raises :class:`QueryRefused` for names that the rows do not have.
        """
        columns = [column for column in model.columns if read is None or column.name in read]
        stamp = model.stamp.attribute if model.stamp.stored and read is None else None
        parts = [part.name for part in model.key.asked]
        hashed = [name for name in model.key.hashed if read is not None and name not in read]
        known = [*parts, *([stamp] if stamp else []), *hashed, *(column.name for column in columns)]
        if isinstance(names, str):
            raise QueryRefused(f"{model.name}: columns: expected names in a list, got {names!r}")
        wanted = known if names is None else list(dict.fromkeys(names))
        unknown = [name for name in wanted if name not in known]
        if unknown or not wanted:
            came = f"unknown: {', '.join(map(str, unknown))}" if unknown else "got none"
            raise QueryRefused(f"{model.name}: columns: expected some of {', '.join(known)}; {came}")
        return cls(model, tuple(_field(model, name) for name in wanted))

    @property
    def columns(self) -> list[str]:
        """The names of those that lie in cells."""
        return [field.name for field in self.all if field.part is None]

    @cached_property
    def key(self) -> dict[str, ArrowField]:
        """All fields of the key by name, whether they are asked for or not."""
        return {part.name: _field(self.model, part.name) for part in self.model.key.asked}

    @cached_property
    def schema(self) -> Any:
        """The schema of Arrow."""
        pa = pyarrow()
        return pa.schema([pa.field(field.name, field.type) for field in self.all])

    def batch(self, arrays: Sequence[Any]) -> Any:
        """A record batch."""
        return pyarrow().RecordBatch.from_arrays(arrays, schema=self.schema)

    def of_rows(self, rows: Sequence[Any]) -> Any:
        """Rows, which are objects, as a record batch. Raises :class:`Unfit`, with the row whose value does not fit."""
        try:
            return self.batch([field.of_rows(rows, self.model.name) for field in self.all])
        except Unfit:
            for row in rows:
                self._check(row)
            raise

    def _check(self, row: Any) -> None:
        try:
            for field in self.all:
                field.of_rows([row], self.model.name)
        except Unfit as error:
            raise error.at(f"{self._named(row)}{error.where}") from None

    def _named(self, row: Any) -> str:
        with suppress(ValueRefused):
            return f"row {as_text(RowKeyCodec(self.model).of_row(row))}: "
        return ""  # its key is made of what rows do not hold


def _field(model: ModelSchema, name: str) -> ArrowField:
    part = next((part for part in model.key.asked if part.name == name), None)
    if part is not None:
        return _single(name, scalar_of(part.codec), part=part)
    column = next((column for column in model.columns if column.name == name), None)
    if column is None:
        return _single(name, Scalar(time_type()))
    if column.shape.single:
        return _single(name, scalar_of(column.codec), column=column)
    type, plain, value = _nested(column)
    return ArrowField(
        name,
        type,
        lambda values, where: made(
            [None if value is None else plain(value) for value in values], type, where
        ),
        value,
        column=column,
    )


def _single(
    name: str, scalar: Scalar, *, part: KeyField | None = None, column: Column | None = None
) -> ArrowField:
    return ArrowField(name, scalar.arrow, scalar.array, scalar.value or _itself, part, column)


def _nested(column: Column) -> tuple[Any, Callable[[Any], Any], Callable[[Any], Any]]:
    """The type of what lies in many cells; what of a value makes what pyarrow takes for it, and the way back."""
    pa = pyarrow()
    named = None if column.names is None else scalar_of(column.names, nested=True)
    valued = scalar_of(column.codec, nested=True)
    match column.shape:
        case Shape.TIMED | Shape.HISTORIES:
            assert named is not None
            return _nested_times(column, named, valued)
        case Shape.MAPPING | Shape.COUNTERS:
            assert named is not None
            return _nested_entries(column, named, valued)
        case Shape.MEMBERS:
            assert named is not None
            names, name = _plain(named), named.value or _itself
            return (
                pa.list_(named.arrow),
                lambda members: sorted(map(names, members)),
                lambda members: set(map(name, members)),
            )
        case Shape.HISTORY | Shape.SLOTS | Shape.MARKS | Shape.COUNTS:
            event = named if column.shape.marked and named else valued
            values, value = _plain(event), event.value or _itself
            type = pa.list_(pa.struct([("time", time_type()), ("value", event.arrow)]))
            return (
                type,
                lambda events: [_event(time, values(value)) for time, value in events.items()],
                lambda events: _distinct([(entry["time"], value(entry["value"])) for entry in events]),
            )
        case Shape.VALUE | Shape.COUNTER:
            raise AssertionError(f"{column.name} lies in one cell")
        case _:
            assert_never(column.shape)


def _nested_entries(
    column: Column, named: Scalar, valued: Scalar
) -> tuple[Any, Callable[[Any], Any], Callable[[Any], Any]]:
    """The type of entries without times, and both ways."""
    pa = pyarrow()
    names, values = _plain(named), _plain(valued)
    name, value = named.value or _itself, valued.value or _itself
    if isinstance(column.codec, PerEntry):
        of = column.codec.of  # the bytes of each
        return (
            pa.map_(named.arrow, pa.binary()),
            lambda entries: [(names(one), of(one).encode(other)) for one, other in entries.items()],
            lambda pairs: _distinct([(name(one), of(name(one)).decode(other)) for one, other in pairs]),
        )
    return (
        pa.map_(named.arrow, valued.arrow),
        lambda entries: [(names(name), values(value)) for name, value in entries.items()],
        lambda pairs: _distinct([(name(one), value(other)) for one, other in pairs]),
    )


def _nested_times(
    column: Column, named: Scalar, valued: Scalar
) -> tuple[Any, Callable[[Any], Any], Callable[[Any], Any]]:
    """The type of entries that have times, each a list of times and values where its versions are meant, and both ways."""
    pa = pyarrow()
    names, name = _plain(named), named.value or _itself
    of = column.codec.of if isinstance(column.codec, PerEntry) else None  # the bytes of each
    event_type = pa.struct([("time", time_type()), ("value", pa.binary() if of else valued.arrow)])

    def plain(entry: Any, value: Any) -> Any:
        return of(entry).encode(value) if of else _plain(valued)(value)

    def value(entry: Any, raw: Any) -> Any:
        return of(entry).decode(raw) if of else (valued.value or _itself)(raw)

    def histories(entries: Any) -> Any:
        return [
            (names(key), [_event(time, plain(key, version)) for time, version in versions.items()])
            for key, versions in entries.items()
        ]

    def of_histories(pairs: Any) -> Any:
        entries = [(name(raw), events) for raw, events in pairs]
        return _distinct(
            [
                (key, _distinct([(event["time"], value(key, event["value"])) for event in events]))
                for key, events in entries
            ]
        )

    def timed(entries: Any) -> Any:
        return [(names(key), _event(event.time, plain(key, event.value))) for key, event in entries.items()]

    def of_timed(pairs: Any) -> Any:
        entries = [(name(raw), event) for raw, event in pairs]
        return _distinct([(key, (value(key, event["value"]), event["time"])) for key, event in entries])

    if column.versioned:
        return pa.map_(named.arrow, pa.list_(event_type)), histories, of_histories
    return pa.map_(named.arrow, event_type), timed, of_timed


def _distinct(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """The pairs as a dict. Raises :class:`ValueError` where one would be lost: two of one name or time."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("expected each name or time once")
    return found


def _event(time: datetime, value: Any) -> dict[str, Any]:
    return {"time": time, "value": value}


def _plain(scalar: Scalar) -> Callable[[Any], Any]:
    return scalar.plain or _itself


def _itself(value: Any) -> Any:
    return value
