"""Aware times as counts since 1970, exactly: no float is involved."""

from datetime import UTC, datetime, timedelta

from btmodel.errors import ValueRefused

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def aware(value: datetime) -> datetime:
    """``value`` itself, where it is a datetime that knows its offset; else it is refused."""
    if not isinstance(value, datetime):
        raise ValueRefused("an aware datetime", value)
    if value.utcoffset() is None:
        raise ValueRefused("an aware datetime (say which zone: tzinfo=UTC, for one)", value)
    return value


def in_utc(value: datetime) -> datetime:
    """``value`` in UTC, where it is aware; a time that falls out of the years there is refused.

    Times of one zone are compared by its clock alone, and a time that its clock shows
    twice equals no time of another zone: compare in UTC.
    """
    try:
        return aware(value).astimezone(UTC)
    except OverflowError:
        raise ValueRefused("a time from the year 1 to 9999, in UTC", value) from None


def micros_since_epoch(value: datetime) -> int:
    """Microseconds from 1970-01-01 UTC to ``value``; negative before."""
    return (aware(value) - EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The time that lies ``micros`` microseconds after 1970-01-01, in UTC."""
    return EPOCH + timedelta(microseconds=micros)
