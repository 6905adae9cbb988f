"""Time buckets: the spans of time whose events share a row. Half-open, in UTC."""

import re
from abc import abstractmethod
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cached_property

from attrs import field, frozen

from btmodel.codecs.aware_times import LENGTHS, UNITS, in_utc, start_of_span, taken_apart, template
from btmodel.codecs.key import Length
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.schema.rate import every_text
from btmodel.value import Value
from btmodel.words import duration_text, one

_FIELDS = ("year", "month", "day", "hour", "minute")
_LEAST = (1, 1, 1, 0, 0)


_NOTHING = timedelta(0)
# The end of the last bucket of all: no time lies behind it.
END_OF_TIME = datetime.max.replace(tzinfo=UTC)


class TimeBucket:
    """How much time a row holds: a unit of the calendar, or a fixed length."""

    @property
    @abstractmethod
    def granularity(self) -> str | timedelta:
        """The unit or the length, as the codec of the key field says it."""

    @property
    @abstractmethod
    def noun(self) -> str:
        """What one is called in sentences: ``day``, or ``bucket`` where it is no unit of the calendar."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The unit, or the length: ``day``, ``28 days``."""

    @property
    @abstractmethod
    def longest(self) -> timedelta:
        """The length of the longest bucket there is: of a month, 31 days."""

    @abstractmethod
    def start(self, time: datetime) -> datetime:
        """The start of the bucket that ``time`` lies in."""

    def next(self, time: datetime) -> datetime:
        """The end of the bucket that ``time`` lies in, which is the start of the next one."""
        try:
            return self.start(self.start(time) + self.longest)
        except OverflowError:
            return END_OF_TIME

    def covering(self, start: datetime, end: datetime) -> tuple[datetime, datetime]:
        """The half-open span of whole buckets that covers ``[start, end)``."""
        first = self.start(start)
        last = self.start(end)
        return first, last if last == in_utc(end) else self.next(end)


class Bucket(TimeBucket, Enum):
    """A unit of the calendar as a bucket. Weeks begin on Monday."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"

    @property
    def granularity(self) -> str:
        """Its name."""
        return str(self.value)

    @property
    def noun(self) -> str:
        """Its name."""
        return self.granularity

    @property
    def words(self) -> str:
        """Its name."""
        return self.noun

    @property
    def longest(self) -> timedelta:
        """The length of the longest bucket there is: of a month, 31 days."""
        return LENGTHS[self.value]

    def start(self, time: datetime) -> datetime:
        """The start of the bucket that ``time`` lies in."""
        time = in_utc(time)
        if self is Bucket.WEEK:
            # The year 1 begins with a Monday, so there is always one.
            return Bucket.DAY.start(time - timedelta(days=time.weekday()))
        keep = _FIELDS.index(self.value) + 1
        kept: tuple[int, ...] = (time.year, time.month, time.day, time.hour, time.minute)[:keep]
        year, month, day, hour, minute = kept + _LEAST[keep:]
        return datetime(year, month, day, hour, minute, tzinfo=UTC)


@frozen(eq=False, repr=False)
class FixedBucket(Value, TimeBucket):
    """A length of time as a bucket, counted from 1970-01-01 in UTC."""

    length: timedelta

    @property
    def granularity(self) -> timedelta:
        """The length."""
        return self.length

    @property
    def noun(self) -> str:
        """A bucket: the length says which."""
        return "bucket"

    @property
    def words(self) -> str:
        """The length: ``28 days``."""
        return duration_text(self.length)

    @property
    def longest(self) -> timedelta:
        """The length of every bucket."""
        return self.length

    def start(self, time: datetime) -> datetime:
        """The start of the bucket that ``time`` lies in. One that begins before the year 1 is refused."""
        return start_of_span(time, self.length)


def bucket_of(value: object) -> TimeBucket:
    """The bucket that a model, or the granularity of a codec, names: ``"day"``, or ``timedelta(days=28)``."""
    if isinstance(value, timedelta) and value > _NOTHING:
        return FixedBucket(value)
    try:
        return Bucket(value)
    except ValueError:
        names = ", ".join(bucket.value for bucket in Bucket)
        raise DeclarationError(
            f"bucket: expected one of {names}, or a length such as timedelta(days=28), got {value!r}"
        ) from None


# What slots are named by, from coarse to fine; those of a bucket begin with the unit below it.
_LADDER = ("%m", "%d", "%H", "%M", "%S", "%3f")
_BELOW = {
    Bucket.YEAR: "%m",
    Bucket.MONTH: "%d",
    Bucket.WEEK: "%d",
    Bucket.DAY: "%H",
    Bucket.HOUR: "%M",
    Bucket.MINUTE: "%S",
}
_SHORT = {f"%-{padded[1]}": padded for padded in _LADDER[:-1]}
_DIRECTIVES = (*_LADDER, *_SHORT)


def _calendar(value: object) -> Bucket:
    """A bucket whose slots have names; raises :class:`DeclarationError` for one of a fixed length."""
    bucket = value if isinstance(value, TimeBucket) else bucket_of(value)
    if not isinstance(bucket, Bucket):
        raise DeclarationError(
            "slots are named by the calendar: expected the bucket "
            + ", ".join(unit.value for unit in Bucket)
            + f", got {bucket.granularity!r} (a history, marks, or a mapping from the offset holds events of such a row)"
        )
    return bucket


@frozen(eq=False, repr=False)
class Spans(Value):
    """Spans of time of one length, counted from 1970-01-01 in UTC: the numbers of each are added up in a cell of its own."""

    every: timedelta

    def start(self, micros: int) -> int:
        """The start of the span that a time lies in, both in microseconds since 1970."""
        length = self.every // timedelta(microseconds=1)
        return micros // length * length


@frozen(slots=False, eq=False, repr=False)
class SlotFormat(Value):
    """Names the slots of a bucket: the times that lie a multiple of ``every`` after its start.

    ``text`` holds the units from the one below the bucket down to the one that ``every``
    needs, each once: ``%m %d %H %M %S %3f``, or ``%-m %-d %-H %-M %-S`` for numbers without
    zeros on the left. The days of a week are written as days of the month. Everything is in
    UTC. Raises :class:`DeclarationError` where ``every`` is no even part of the bucket (of a
    month or a year: a day, or an even part of one), or where slots would share a name.
    """

    text: str
    every: timedelta
    bucket: Bucket = field(converter=_calendar)

    def __attrs_post_init__(self) -> None:
        self._refuse_uneven()
        self._refuse_other_units()
        self._refuse_running_numbers()

    def _refuse_uneven(self) -> None:
        """Refuse slots that do not fill every bucket, and those that a cell's timestamp cannot hold."""
        uneven = self.bucket in (Bucket.MONTH, Bucket.YEAR)
        whole = timedelta(days=1) if uneven else self.bucket.longest
        wanted = "a day or an even part of one" if uneven else f"an even part of {one(self.bucket.value)}"
        if not isinstance(self.every, timedelta) or self.every % UNITS["%3f"].longest:
            raise self._wrong(f"expected a timedelta of whole milliseconds, got {self.every!r}")
        if not _NOTHING < self.every <= whole or whole % self.every or self.every == self.bucket.longest:
            raise self._wrong(f"expected {wanted} as the length of a slot, got {every_text(self.every)}")

    def _refuse_other_units(self) -> None:
        """Refuse a text that leaves out a unit that slots differ in, has one twice, or one that says nothing."""
        finest = next(unit for unit in _LADDER[1:] if not self.every % UNITS[unit].longest)
        needed = _LADDER[_LADDER.index(_BELOW[self.bucket]) : _LADDER.index(finest) + 1]
        units = [_SHORT.get(part, part) for part in self._directives]
        for unit in _LADDER:
            name = f"the {UNITS[unit].name}, {unit}"
            if unit in needed and units.count(unit) != 1:
                raise self._wrong(f"expected {name}, once, in slots of {every_text(self.every)}")
            if unit in units and unit not in needed:
                raise self._wrong(
                    f"slots of {every_text(self.every)} can be distinguished without {name}: leave it out"
                )

    def _refuse_running_numbers(self) -> None:
        """Refuse ``%-d%-H``, as ``111`` could be read in two ways."""
        before = None
        for part in self._parts:
            if part in _SHORT and before:
                raise self._wrong(
                    f"expected text without digits between {before} and {part}, or zeros on the left"
                )
            if part in _SHORT:
                before = part
            elif part not in _DIRECTIVES and re.search("[^0-9]", part):
                before = None

    def _wrong(self, why: str) -> DeclarationError:
        return DeclarationError(f"slots {self.text!r} of {one(self.bucket.value)}: {why}")

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        if not isinstance(self.text, str):
            raise self._wrong("expected a format such as '%H%M'")
        return taken_apart(self.text, _DIRECTIVES, "slots")

    @cached_property
    def _directives(self) -> tuple[str, ...]:
        return tuple(part for part in self._parts if part in _DIRECTIVES)

    @cached_property
    def _template(self) -> str:
        return template(self._parts)

    @cached_property
    def _pattern(self) -> re.Pattern[bytes]:
        return re.compile("".join(map(_digits, self._parts)).encode())

    @property
    def count(self) -> int:
        """The slots of the longest bucket: 31 for the days of a month."""
        return self.bucket.longest // self.every

    @property
    def length(self) -> Length:
        """The shortest and the longest name, in bytes."""
        texts = [len(part) for part in self._parts if part not in _DIRECTIVES]
        most = [UNITS[_SHORT.get(part, part)].digits for part in self._directives]
        least = [1 if part in _SHORT else digits for part, digits in zip(self._directives, most, strict=True)]
        return Length(sum(texts) + sum(least), sum(texts) + sum(most))

    @classmethod
    def plain(cls, every: timedelta, bucket: Bucket) -> "SlotFormat":
        """Slots named by the directives that they need, with nothing between them: ``%H%M``.

        Raises :class:`DeclarationError` where ``every`` is no even part of the bucket.
        """
        finest = next((unit for unit in _LADDER[1:] if not every % UNITS[unit].longest), _LADDER[-1])
        return cls("".join(_LADDER[_LADDER.index(_BELOW[bucket]) : _LADDER.index(finest) + 1]), every, bucket)

    def start(self, time: datetime) -> datetime:
        """The start of the slot that ``time`` lies in."""
        first = self.bucket.start(time)
        return first + (in_utc(time) - first) // self.every * self.every

    def write(self, time: datetime) -> bytes:
        """The name of the slot that begins at ``time``. Any time between two of them is refused."""
        start = self.start(time)
        if start != in_utc(time):
            raise ValueRefused(
                f"a time that begins a slot of {every_text(self.every)} (this one's begins at {start})", time
            )
        return self._template.format(start, start.microsecond // 1000).encode()

    def read(self, raw: bytes, start: datetime) -> datetime:
        """The start of the slot called ``raw`` in the bucket that begins at ``start``.

        Raises ``ValueError`` where that bucket has no slot of this name.
        """
        start = in_utc(start)
        time = self._named(raw, start)
        inside = time is not None and start <= time < self.bucket.next(start)
        if time is None or not inside or self.start(time) != time or self.write(time) != raw:
            raise ValueError(
                f"expected a slot of {every_text(self.every)}, {self.text}, "
                f"in the {self.bucket.value} from {start}, got {raw!r}"
            )
        return time

    def _named(self, raw: bytes, start: datetime) -> datetime | None:
        """The time that ``raw`` spells, near the bucket that begins at ``start``; None where it spells none."""
        found = self._pattern.fullmatch(raw)
        if found is None:
            return None
        parts = dict(
            zip((_SHORT.get(part, part) for part in self._directives), map(int, found.groups()), strict=True)
        )
        try:
            time = start.replace(
                month=parts.get("%m", start.month),
                day=parts.get("%d", start.day),
                hour=parts.get("%H", start.hour),
                minute=parts.get("%M", start.minute),
                second=parts.get("%S", 0),
                microsecond=parts.get("%3f", 0) * 1000,
            )
            # A week that begins in one month ends in the next one.
            return time if time >= start else _a_month_later(time)
        except ValueError:
            return None


def _digits(part: str) -> str:
    """The pattern of a part of a name."""
    if part not in _DIRECTIVES:
        return re.escape(part)
    digits = UNITS[_SHORT.get(part, part)].digits
    return f"([0-9]{{1,{digits}}})" if part in _SHORT else f"([0-9]{{{digits}}})"


def _a_month_later(time: datetime) -> datetime:
    year, month = divmod(12 * time.year + time.month, 12)
    return time.replace(year=year, month=month + 1)
