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


def micros_since_epoch(value: datetime) -> int:
    """Microseconds from 1970-01-01 UTC to ``value``; negative before."""
    return (aware(value) - EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The time that lies ``micros`` microseconds after 1970-01-01, in UTC."""
    return EPOCH + timedelta(microseconds=micros)
