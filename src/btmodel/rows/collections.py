"""Values made of several cells: ``History``, ``Slots`` and other collections; and the buckets of time that hold them."""

from collections.abc import Callable, Iterable, Mapping, Set
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Generic, NamedTuple, TypeVar

from btmodel.codecs.aware_times import in_utc
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows.ranges import refuse_reversed
from btmodel.schema import ModelSchema, Shape

T = TypeVar("T")
N = TypeVar("N", int, float, Decimal)


class History(dict[datetime, T]):
    """The versions of a column: a dict from the time of a version to its value.

    Read from a table, it goes from the newest to the oldest. Times are aware and in
    whole milliseconds.
    """

    @property
    def newest(self) -> T | None:
        """The value of the latest time, or None where there is no version."""
        return self[max(self)] if self else None

    @property
    def total(self: "History[N]") -> "N | int":
        """The sum of the values; 0 where there is no version."""
        return sum(self.values())

    def between(self, start: datetime | None, end: datetime | None) -> "History[T]":
        """The versions of ``[start, end)``; an end that is None is open.

        Raises :class:`QueryRefused` for a start that is after the end, and :class:`ValueRefused` for a time without a zone.
        """
        try:
            low, high = (None if one is None else in_utc(one) for one in (start, end))
        except ValueRefused as error:
            raise error.at("History.between") from None
        if low is not None and high is not None and low > high:
            refuse_reversed("History.between", start, end, of_rows=False)
        return History(
            {
                time: value
                for time, value in self.items()
                if (low is None or low <= in_utc(time)) and (high is None or in_utc(time) < high)
            }
        )

    def __repr__(self) -> str:
        return f"History({dict(self)!r})"


def as_history(value: Mapping[datetime, T]) -> History[T]:
    """``value`` as a history."""
    if isinstance(value, History):
        return value
    if not isinstance(value, Mapping):
        raise ValueRefused("a mapping from times to values, such as History({...})", value)
    return History(value)


class Slots(dict[datetime, T]):
    """The slots of a bucket: a dict from the start time of a slot to its value.

    Where no two slots begin at one time of day, as in a bucket of a day, a slot is found
    by its time of day (UTC) too: ``power[time(0, 15)]``.
    """

    def __getitem__(self, key: datetime | time) -> T:
        return super().__getitem__(key if isinstance(key, datetime) else self._begun_at(key))

    def get(self, key: datetime | time, default: Any = None) -> Any:
        """The value of a slot, by its time or by its time of day; ``default`` where there is none."""
        try:
            return self[key]
        except KeyError:
            return default

    def _begun_at(self, when: time) -> datetime:
        if not isinstance(when, time):
            raise KeyError(when)
        found = [one for one in self if one.astimezone(UTC).time() == when]
        if len(found) > 1:
            raise KeyError(f"{when}: {len(found)} slots begin at this time of day, also give the day")
        if not found:
            raise KeyError(when)
        return found[0]

    def __repr__(self) -> str:
        return f"Slots({dict(self)!r})"


def as_slots(value: Mapping[datetime, Any]) -> Slots[Any]:
    """``value`` as slots."""
    if isinstance(value, Slots):
        return value
    if not isinstance(value, Mapping):
        raise ValueRefused("a mapping from times to values, such as Slots({...})", value)
    return Slots(value)


def as_entries(value: Mapping[Any, Any]) -> dict[Any, Any]:
    """``value`` as a dict from keys to values."""
    if not isinstance(value, Mapping):
        raise ValueRefused("a mapping, such as a dict", value)
    return value if isinstance(value, dict) else dict(value)


class Timed(NamedTuple, Generic[T]):
    """A value with its time, which is the timestamp of its cell: aware, in whole milliseconds."""

    value: T
    time: datetime


def as_histories(value: Mapping[Any, Any]) -> dict[Any, History[Any]]:
    """``value`` as a dict from keys to histories."""
    return {name: as_history(one) for name, one in as_entries(value).items()}


def as_timed(value: Mapping[Any, Any]) -> dict[Any, Timed[Any]]:
    """``value`` as a dict from keys to values with their times."""
    return {name: _timed(one) for name, one in as_entries(value).items()}


def _timed(value: Any) -> Timed[Any]:
    if isinstance(value, Timed):
        return value
    if not isinstance(value, (tuple, list)) or len(value) != len(Timed._fields):
        raise ValueRefused("a value with its time, such as Timed(5, time)", value)
    return Timed(*value)


def as_members(value: Set[Any]) -> set[Any]:
    """``value`` as a set."""
    if not isinstance(value, Set):
        raise ValueRefused("a set", value)
    return value if isinstance(value, set) else set(value)


class Held(NamedTuple):
    """What an attribute of many cells is annotated with, what makes that of what is given, and what its entries hold."""

    kind: type
    convert: Callable[[Any], Any]
    entry: Any = None

    @property
    def wanted(self) -> str:
        """The annotation, with dots for the types."""
        entry = "..." if self.entry is None else f"{self.entry.__name__}[...]"
        return f"{self.kind.__name__}[{f'..., {entry}' if self.kind is dict else entry}]"


HELD: dict[Shape, Held] = {
    Shape.HISTORY: Held(History, as_history),
    Shape.MARKS: Held(History, as_history),
    Shape.SLOTS: Held(Slots, as_slots),
    Shape.MAPPING: Held(dict, as_entries),
    Shape.HISTORIES: Held(dict, as_histories, History),
    Shape.TIMED: Held(dict, as_timed, Timed),
    Shape.MEMBERS: Held(set, as_members),
    Shape.COUNTERS: Held(dict, as_entries),
    Shape.COUNTS: Held(History, as_history),
}


def as_held(shape: Shape, where: str, value: Any) -> Any:
    """``value`` as what an attribute of ``shape`` holds. Raises :class:`ValueRefused`, which names the attribute ``where`` it is."""
    try:
        return HELD[shape].convert(value)
    except ValueRefused as error:
        raise error.at(where) from None


class BucketSpan:
    """The spans of time that the rows of a model hold, and the key field that labels them."""

    def __init__(self, model: ModelSchema) -> None:
        bucket, field = model.bucket, model.bucket_field
        if bucket is None or field is None:
            raise QueryRefused(f"{model.name} declares no bucket, so its rows hold no events")
        self._model = model.name
        self.bucket = bucket
        self.field = field

    def label(self, time: datetime) -> date | datetime:
        """The bucket of ``time`` as the key field holds it: a date, or the time that it starts at."""
        start = self.bucket.start(time)
        return start.date() if self.field.codec.python_type is date else start

    def span(self, values: Mapping[str, Any]) -> tuple[datetime, datetime]:
        """The half-open span of time of the row with these key fields."""
        label = values[self.field.name]
        if not isinstance(label, datetime):
            label = datetime(label.year, label.month, label.day, tzinfo=UTC)
        return in_utc(label), self.bucket.next(label)

    def refuse_outside(self, values: Mapping[str, Any], histories: Iterable[str]) -> None:
        """Refuse a row that holds an event of another bucket, where no read would look for it."""
        start, end = self.span(values)
        for name in histories:
            for at in values[name]:
                if not start <= at < end:
                    wanted = f"times of the row's {self.bucket.noun}, from {start} up to {end}"
                    raise ValueRefused(wanted, at, where=f"{self._model}.{name}")
