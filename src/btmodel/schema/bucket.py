"""Time buckets: the spans of time whose events share a row. Half-open, in UTC."""

from datetime import UTC, datetime, timedelta
from enum import Enum

from btmodel.codecs.time import in_utc
from btmodel.errors import DeclarationError

_FIELDS = ("year", "month", "day", "hour", "minute")
_LEAST = (1, 1, 1, 0, 0)
_LONGEST = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}


# The end of the last bucket of all: no time lies behind it.
END_OF_TIME = datetime.max.replace(tzinfo=UTC)


class Bucket(Enum):
    """How much time a row holds. Weeks begin on Monday."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"

    @classmethod
    def parse(cls, value: object) -> "Bucket":
        """The bucket called ``value``."""
        try:
            return cls(value)
        except ValueError:
            names = ", ".join(bucket.value for bucket in cls)
            raise DeclarationError(f"bucket: wanted one of {names}, got {value!r}") from None

    @property
    def longest(self) -> timedelta:
        """The length of the longest bucket there is: of a month, 31 days."""
        return _LONGEST[self.value]

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
