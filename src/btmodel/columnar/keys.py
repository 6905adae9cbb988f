"""Columns of row keys, decoded together."""

from collections.abc import Mapping, Sequence
from typing import Any

from btmodel.codecs.key import (
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    Int,
    PaddedInt,
    ReversedMicros,
    ReversedMillis,
    ReversedSeconds,
    Text,
    TimeText,
)
from btmodel.codecs.key.epoch import GREATEST
from btmodel.columnar.cells import MOST, Spans, Unproved, decoded, times, whole_numbers
from btmodel.columnar.fields import Field
from btmodel.columnar.libraries import numpy, pyarrow
from btmodel.schema import KeyField, RowKey

_EPOCHS = (EpochSeconds, EpochMillis, EpochMicros)
_WHOLE = frozenset({"%Y", "%m", "%d", "%H", "%M", "%S"})
_REVERSED = (ReversedSeconds, ReversedMillis, ReversedMicros)


def key_arrays(key: RowKey, keys: Sequence[bytes], fields: Mapping[str, Field]) -> dict[str, Any]:
    """The values of the fields of keys that have an inline form. Raises :class:`Unproved` where one may not decode.

    All ``fields`` of the key are looked at: a row with a wrong key is none of the model.
    """
    np = numpy()
    data = b"".join(keys)
    buffer = np.frombuffer(data, np.uint8)
    ends = np.cumsum(np.fromiter(map(len, keys), np.int64, len(keys)))
    starts = np.concatenate([[0], ends[:-1]])
    fixed = all(part.fixed is not None for part in key.fields)
    spans = _by_width(key, buffer, starts, ends) if fixed else _by_delimiter(key, buffer, starts, ends)
    found = {}
    for part, one in zip(key.fields, spans, strict=True):
        lengths = one.ends - one.starts
        if not ((part.codec.length.least <= lengths) & (lengths <= part.codec.length.most)).all():
            raise Unproved
        if part.constant is not None:
            if (one.fixed(len(part.constant)) != np.frombuffer(part.constant.encode(), np.uint8)).any():
                raise Unproved
        elif part.asked:
            found[part.name] = _values(part, fields[part.name], one)
    return found


def _by_width(key: RowKey, buffer: Any, starts: Any, ends: Any) -> list[Spans]:
    np = numpy()
    if (ends - starts != key.most).any():
        raise Unproved
    whole = buffer.reshape(len(starts), key.most)
    spans, at = [], 0
    for part in key.fields:
        end = at + part.codec.length.most
        spans.append(Spans(buffer, starts + at, starts + end))
        behind = key.behind(part) if part is not key.fields[-1] else b""
        at = end + len(behind)
        if (whole[:, end:at] != np.frombuffer(behind, np.uint8)).any():
            raise Unproved
    return spans


def _by_delimiter(key: RowKey, buffer: Any, starts: Any, ends: Any) -> list[Spans]:
    np = numpy()
    delimiter = key.behind(key.fields[0])
    count = len(key.fields) - 1
    if any(part.constant and delimiter.decode() in part.constant for part in key.fields):
        raise Unproved
    found = np.flatnonzero(buffer == delimiter[0]) if count else np.zeros(0, np.int64)
    if len(found) != count * len(starts):
        raise Unproved
    cuts = found.reshape(len(starts), count)
    if ((cuts < starts[:, None]) | (cuts >= ends[:, None])).any():
        raise Unproved
    begins = np.column_stack([starts, cuts + 1])
    stops = np.column_stack([cuts, ends])
    return [Spans(buffer, begins[:, at], stops[:, at]) for at in range(count + 1)]


def _values(part: KeyField, field: Field, spans: Spans) -> Any:
    pa, np = pyarrow(), numpy()
    codec = part.codec
    text = spans.text(pa.string())
    if type(codec) is Text and codec.width is None:
        if not pa.compute.all(pa.compute.ascii_is_printable(text), min_count=0).as_py():
            # Of an empty text that is said as well.
            return decoded(field, codec, text.cast(pa.binary()))
        return text
    if type(codec) in (Int, PaddedInt, *_EPOCHS, *_REVERSED):
        numbers = np.asarray(_digits(text))
        if isinstance(codec, Int):
            return whole_numbers(text)
        if isinstance(codec, _EPOCHS):
            return times(_micros(numbers, codec.micros))
        if isinstance(codec, _REVERSED):
            return times(_micros(GREATEST - numbers, codec.micros))
        return pa.array(numbers)
    found = _calendar_times(codec, text) if isinstance(codec, TimeText) else None
    return decoded(field, codec, text.cast(pa.binary())) if found is None else found


def _calendar_times(codec: TimeText, text: Any) -> Any:
    """The times of texts in a calendar format; None where the codec must be asked."""
    pa = pyarrow()
    if not {"%Y", "%m", "%d"} <= set(codec.format.directives) <= _WHOLE:
        return None
    format, found = codec.format.text, text.dictionary_encode()
    seconds = pa.compute.strptime(found.dictionary, format=format, unit="s", error_is_null=True)
    # Written anew, a time proves its text: of the 30th of February another day is made.
    if seconds.null_count or not pa.compute.strftime(seconds, format=format).equals(found.dictionary):
        return None
    return times(numpy().asarray(seconds.cast(pa.int64())) * 1_000_000).take(found.indices)


def _digits(text: Any) -> Any:
    """The numbers of texts that are digits alone."""
    pa = pyarrow()
    if not pa.compute.all(pa.compute.utf8_is_decimal(text), min_count=0).as_py():
        raise Unproved
    try:
        return text.cast(pa.int64())
    except pa.ArrowInvalid:
        raise Unproved from None


def _micros(counts: Any, unit: int) -> Any:
    if len(counts) and counts.max() > MOST // unit:
        raise Unproved
    return counts * unit
