"""Dates, times and weeks as text."""

from collections.abc import Sequence
from typing import Any

from btmodel.codecs.key import DateText, IsoWeek, KeyCodec, TimeText
from btmodel.codecs.meaning import meaning_of
from btmodel.guess.fields.base import SEVERAL, FieldGuess, between, fits

_YEARS = range(1970, 2101)
# From the one that says most to the one that digits fit by chance most easily.
_SORTED: tuple[KeyCodec[Any], ...] = (
    *(
        TimeText(form)
        for form in (
            "%Y-%m-%dT%H:%M:%S.%fZ",
            "%Y-%m-%dT%H:%M:%S.%3fZ",
            "%Y-%m-%dT%H:%M:%SZ",
            "%Y-%m-%dT%H:%M:%S",
            "%Y-%m-%dT%H:%MZ",
            "%Y-%m-%dT%H:%M",
            "%Y-%m-%dT%H",
            "%Y-%m-%d %H:%M:%S",
            "%Y-%m-%d-%H-%M-%S",
            "%Y-%m-%d-%H-%M",
            "%Y-%m-%d-%H%M%S",
            "%Y-%m-%d-%H%M",
            "%Y%m%d-%H%M",
            "%Y-%m-%d %H:%M",
            "%Y-%m-%d-%H",
            "%Y%m%dT%H%M%SZ",
            "%Y%m%dT%H%M%S",
            "%Y%m%d-%H%M%S",
            "%Y%m%d%H%M%S%f",
            "%Y%m%d%H%M%S%3f",
            "%Y%m%d%H%M%S",
            "%Y%m%d%H%M",
            "%Y%m%d%H",
        )
    ),
    *(DateText(form) for form in ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d")),
    *(IsoWeek(form) for form in ("%G-W%V", "%GW%V")),
)
# Of these, days that are months as well tell nothing: only one of a pair may fit.
_UNSORTED = tuple(
    (DateText(f"%d{mark}%m{mark}%Y"), DateText(f"%m{mark}%d{mark}%Y")) for mark in ("-", "/", ".")
)
# So are a year and a number that counts up in it, until there are more than twelve.
_MONTHS = tuple(DateText(form) for form in ("%Y-%m", "%Y/%m", "%Y%m"))
_NAMES = {"year": "year", "month": "month", "day": "day", "week": "week"}


def calendar(values: Sequence[bytes]) -> FieldGuess | None:
    """Text of a calendar format, with years from 1970 to 2100."""
    length = len(values[0])
    for codec in _SORTED:
        if codec.length.fixed == length and _plausible(codec, values):
            return _guess(codec, values)
    for pair in _UNSORTED:
        fitting = [codec for codec in pair if codec.length.fixed == length and _plausible(codec, values)]
        if len(fitting) == 1:
            return _guess(fitting[0], values)
    months = (codec for codec in _MONTHS if codec.length.fixed == length and _plausible(codec, values))
    return next((_guess(codec, values) for codec in months if _spread(codec, values)), None)


def _plausible(codec: KeyCodec[Any], values: Sequence[bytes]) -> bool:
    return fits(codec, values) and all(codec.decode(value).year in _YEARS for value in values)


def _spread(codec: DateText, values: Sequence[bytes]) -> bool:
    """Whether these are months of several years: of one, numbers that count up from 1 look the same."""
    return len(set(values)) >= SEVERAL and len({codec.decode(value).year for value in values}) > 1


def _guess(codec: KeyCodec[Any], values: Sequence[bytes]) -> FieldGuess:
    written = codec.format if isinstance(codec, DateText | TimeText | IsoWeek) else meaning_of(codec)
    form = written if isinstance(written, str) else written.text
    name = _NAMES.get(codec.granularity or "", "time")
    return FieldGuess(codec, f"{form}, {between([codec.decode(value) for value in values])}", name, sure=True)
