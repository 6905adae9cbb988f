"""Digits that count since 1970, upward or, so that the newest comes first, downward."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from btmodel.codecs.key import (
    Descending,
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    KeyCodec,
    ReversedMicros,
    ReversedMillis,
    ReversedSeconds,
)
from btmodel.guess.fields.base import MANY, SEVERAL, FieldGuess, between, fits, plausible

_UPWARD: tuple[KeyCodec[Any], ...] = (EpochSeconds(), EpochMillis(), EpochMicros())
_DOWNWARD: tuple[KeyCodec[Any], ...] = (ReversedSeconds(), ReversedMillis(), ReversedMicros())
_COMPLEMENTS: tuple[KeyCodec[Any], ...] = tuple(Descending(codec) for codec in _UPWARD)
# One number in eight of ten digits is a time from 2000 to 2040: one or two prove nothing, but for longer
# ones, which hardly anything else is, of the years that tables of today are written in.
_SHORT = 10
_TODAY = (datetime(2010, 1, 1, tzinfo=UTC), datetime(2035, 1, 1, tzinfo=UTC))


def epoch(values: Sequence[bytes]) -> FieldGuess | None:
    """10, 13 or 16 digits that are times from 2000 to 2040 as seconds, milliseconds or microseconds."""
    found = _first(_UPWARD, values, "since 1970")
    if found is None or len(set(values)) >= SEVERAL:
        return found
    times = [found.codec.decode(value) for value in values]
    return found if len(values[0]) > _SHORT and _TODAY[0] <= min(times) and max(times) < _TODAY[1] else None


def reversed_epoch(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits that count down to such a time from 2**63 - 1, or, where many do, from as many nines.

    One number in eight is such a time counted from nines, and hardly anybody means it.
    """
    codecs = (*_DOWNWARD, *_COMPLEMENTS) if len(set(values)) >= MANY else _DOWNWARD
    return _first(codecs, values, "reversed, the newest first")


def _first(codecs: Sequence[KeyCodec[Any]], values: Sequence[bytes], how: str) -> FieldGuess | None:
    length = len(values[0])
    for codec in codecs:
        if codec.length.fixed != length or not fits(codec, values):
            continue
        times = [codec.decode(value) for value in values]
        if plausible(times):
            said = f"{length} digits, {codec.granularity}s {how}, {between(times)}"
            return FieldGuess(codec, said, "time", sure=True)
    return None
