"""Weeks of the ISO calendar in a row key: ``2020-W53``."""

from datetime import date
from functools import cached_property

from attrs import field, frozen

from btmodel.codecs.directives import taken_apart
from btmodel.codecs.key.base import DIGITS, Length, Order, ascii_digits
from btmodel.codecs.key.monday import Mondays
from btmodel.counted import counted
from btmodel.errors import DeclarationError

_DIGITS = {"%G": 4, "%V": 2}
_EXAMPLE = date(2021, 5, 31)


def _taken_apart(instance: "IsoWeek", attribute: object, value: object) -> None:
    if not isinstance(value, str):
        raise DeclarationError(f"IsoWeek: wanted a format such as '%G-W%V', got {value!r}")
    parts = taken_apart(value, _DIGITS, "format of weeks")
    if sorted(part for part in parts if part in _DIGITS) != ["%G", "%V"]:
        raise DeclarationError(f"format of weeks {value!r}: wanted the year %G and the week %V, each once")


@frozen(slots=False)
class IsoWeek(Mondays):
    """A week, as the date of its Monday, in the year and the number that the ISO calendar gives it.

    The directives are ``%G``, the year, and ``%V``, the week from 01 to 53. Around New
    Year the year is the one that most days of the week lie in: the week of 2018-12-31
    is ``2019-W01``.
    """

    format: str = field(default="%G-W%V", validator=_taken_apart)

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        return taken_apart(self.format, _DIGITS, "format of weeks")

    @cached_property
    def _width(self) -> int:
        return sum(_DIGITS.get(part, len(part)) for part in self._parts)

    @property
    def length(self) -> Length:
        """The width of the format."""
        return Length(self._width, self._width)

    @property
    def alphabet(self) -> frozenset[int]:
        """Digits and the format's literal text."""
        literals = "".join(part for part in self._parts if part not in _DIGITS)
        return DIGITS | frozenset(literals.encode())

    @property
    def order(self) -> Order:
        """Ascending where the year stands in front of the week."""
        return Order.ASCENDING if self.format.index("%G") < self.format.index("%V") else Order.NONE

    @property
    def meaning(self) -> str:
        """An example, and what it tells."""
        return f"{counted(self._width, 'byte')} such as {self._write(_EXAMPLE).decode()}: ISO year and week"

    def _write(self, monday: date) -> bytes:
        year, week, _ = monday.isocalendar()
        return self.format.replace("%G", f"{year:04d}").replace("%V", f"{week:02d}").encode()

    def decode(self, raw: bytes) -> date:
        """The Monday of the week."""
        if len(raw) != self._width:
            raise ValueError(f"wanted {counted(self._width, 'byte')} of the form {self.format}, got {raw!r}")
        values = {}
        at = 0
        for part in self._parts:
            chunk = raw[at : at + _DIGITS.get(part, len(part))]
            at += len(chunk)
            if part in _DIGITS:
                values[part] = ascii_digits(chunk)
            elif chunk != part.encode():
                raise ValueError(f"wanted {part!r} in the form {self.format}, got {raw!r}")
        try:
            return date.fromisocalendar(values["%G"], values["%V"], 1)
        except ValueError:
            raise ValueError(f"wanted a week of the ISO calendar, got {raw!r}") from None
