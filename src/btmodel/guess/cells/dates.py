"""Dates, times and UUIDs in cells, as text."""

from collections.abc import Sequence

from btmodel.codecs.cell import IsoDate
from btmodel.codecs.key import AsInKey
from btmodel.guess.cells.base import CellGuess, fits
from btmodel.guess.fields.calendar import calendar
from btmodel.guess.fields.uuids import uuid_text


def iso_date(values: Sequence[bytes]) -> CellGuess | None:
    """Days as ISO text."""
    return CellGuess(IsoDate(), "ISO dates as text") if fits(IsoDate(), values) else None


def calendar_text(values: Sequence[bytes]) -> CellGuess | None:
    """Times in a format of the calendar that has more than digits: mere digits are numbers rather."""
    found = None if all(value.isdigit() for value in values) else calendar(values)
    return CellGuess(AsInKey(found.codec), found.said) if found else None


def uuid_as_text(values: Sequence[bytes]) -> CellGuess | None:
    """UUIDs with dashes."""
    found = uuid_text(values) if all(b"-" in value for value in values) else None
    return CellGuess(AsInKey(found.codec), found.said) if found else None
