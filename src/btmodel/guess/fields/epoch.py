"""Digits that count since 1970, upward or, so that the newest comes first, downward."""

from collections.abc import Sequence
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
from btmodel.guess.fields.base import FieldGuess, between, fits, plausible

_UPWARD: tuple[KeyCodec[Any], ...] = (EpochSeconds(), EpochMillis(), EpochMicros())
_DOWNWARD: tuple[KeyCodec[Any], ...] = (ReversedSeconds(), ReversedMillis(), ReversedMicros())
_COMPLEMENTS: tuple[KeyCodec[Any], ...] = tuple(Descending(codec) for codec in _UPWARD)
# One number in eight of ten digits is a time from 2000 to 2040: one or two prove nothing.
_SHORT, _FEW = 10, 3
# So is one in eight whose complement is meant, and hardly anybody means it.
_MANY = 20


def epoch(values: Sequence[bytes]) -> FieldGuess | None:
    """10, 13 or 16 digits that are times from 2000 to 2040 as seconds, milliseconds or microseconds."""
    if len(values[0]) == _SHORT and len(set(values)) < _FEW:
        return None
    return _first(_UPWARD, values, "since 1970")


def reversed_epoch(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits that count down to such a time from 2**63 - 1, or, where many do, from as many nines."""
    codecs = (*_DOWNWARD, *_COMPLEMENTS) if len(set(values)) >= _MANY else _DOWNWARD
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
