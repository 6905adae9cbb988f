"""Columns of cells: the codecs that are met the most, on whole arrays; any other, once for each of its values."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from btmodel.codecs.cell import DecimalText, Flag, Float64, Int64, Micros, Raw, Utf8, UuidBytes
from btmodel.codecs.time import micros_since_epoch
from btmodel.columnar.fields import Field
from btmodel.columnar.gathered import Spans, Unproved
from btmodel.columnar.libraries import numpy, pyarrow
from btmodel.columnar.scalars import Codec

LEAST = micros_since_epoch(datetime.min.replace(tzinfo=UTC))
MOST = micros_since_epoch(datetime.max.replace(tzinfo=UTC))


def cell_array(field: Field, codec: Codec, spans: Spans) -> Any:
    """The values of a column. Raises :class:`Unproved` where one may not decode."""
    fast = _CELLS.get(type(codec))
    return decoded(field, codec, spans.text(pyarrow().binary())) if fast is None else fast(spans, field.type)


def decoded(field: Field, codec: Codec, raws: Any) -> Any:
    """What ``codec`` makes of an array of bytes: each value is decoded once, however often it comes."""
    pa = pyarrow()
    found = raws.dictionary_encode()
    try:
        values = [codec.decode(raw) for raw in found.dictionary.to_pylist()]
    except Exception:
        raise Unproved from None
    array = field.array(values, field.name)
    return array.take(found.indices) if len(values) else pa.nulls(len(raws), field.type)


def whole_numbers(texts: Any) -> Any:
    """Numbers of texts that are their decimal digits, as they are written: no zeros, signs or spaces in front."""
    pa = pyarrow()
    try:
        numbers = texts.cast(pa.int64())
    except pa.ArrowInvalid:
        raise Unproved from None
    if not numbers.cast(pa.string()).equals(texts):
        raise Unproved
    return numbers


def times(micros: Any, spans: Spans | None = None) -> Any:
    """An array of times; ``micros`` of absent ones are 0."""
    pa = pyarrow()
    if len(micros) and not (micros.min() >= LEAST and micros.max() <= MOST):
        raise Unproved
    type = pa.timestamp("us", tz="UTC")
    if spans is not None:
        return spans.made(micros, type)
    return pa.Array.from_buffers(type, len(micros), [None, pa.py_buffer(micros)])


def _flags(spans: Spans, type: Any) -> Any:
    pa, np = pyarrow(), numpy()
    found = spans.fixed(1)[:, 0]
    if (found > 1).any():
        raise Unproved
    bits = pa.py_buffer(np.packbits(found, bitorder="little"))
    return pa.Array.from_buffers(type, len(found), [spans.validity(), bits])


def _micros(spans: Spans, type: Any) -> Any:
    return times(spans.fixed(8).view(">i8")[:, 0].astype("<i8"), spans)


def _uuids(spans: Spans, type: Any) -> Any:
    pa = pyarrow()
    found = spans.fixed(16)
    return pa.Array.from_buffers(type, len(found), [spans.validity(), pa.py_buffer(found.tobytes())])


_CELLS: dict[type, Callable[[Spans, Any], Any]] = {
    Utf8: Spans.text,
    Raw: Spans.text,
    Int64: lambda spans, type: spans.numbers(">i8", type),
    Float64: lambda spans, type: spans.numbers(">f8", type),
    Flag: _flags,
    DecimalText: lambda spans, type: whole_numbers(spans.text(pyarrow().string())),
    Micros: _micros,
    UuidBytes: _uuids,
}
