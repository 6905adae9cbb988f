"""Mondays: the dates that stand for the weeks that they begin."""

from abc import abstractmethod
from datetime import date, datetime, timedelta

from btmodel.codecs.key.base import KeyCodec, Kind
from btmodel.errors import ValueRefused

WEEK = timedelta(weeks=1)
# The week of the last day that there is begins with it. The first day of the year 1 is a Monday, too.
LAST_MONDAY = date(9999, 12, 27)


def monday_of(day: date) -> date:
    """The Monday of the week that ``day`` lies in."""
    return day - timedelta(days=day.weekday())


class Mondays(KeyCodec[date]):
    """What the codecs of weeks share: a week is the date of its Monday."""

    @property
    def python_type(self) -> type:
        """``date``."""
        return date

    @property
    def kind(self) -> Kind:
        """A time."""
        return Kind.TIME

    @property
    def granularity(self) -> str:
        """Weeks."""
        return "week"

    def encode(self, value: date) -> bytes:
        """The text of the week that begins with ``value``. Any day but a Monday is refused."""
        monday = monday_of(_plain(value))
        if monday != value:
            raise ValueRefused(f"the Monday that begins a week (of this one: {monday})", value)
        return self._write(value)

    def bound(self, value: date) -> bytes | None:
        """The text of the first storable Monday that is not before ``value``; None where there is none."""
        if _plain(value) > LAST_MONDAY:
            return None
        return self._bound(value + timedelta(days=-value.weekday() % 7))

    @abstractmethod
    def _write(self, monday: date) -> bytes:
        """The text of a week."""

    def _bound(self, monday: date) -> bytes | None:
        """The text of the first storable week from that of ``monday`` on; None where there is none."""
        return self._write(monday)


def _plain(value: object) -> date:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise ValueRefused("a date (of a datetime, take .date() in the zone that you mean)", value)
    return value
