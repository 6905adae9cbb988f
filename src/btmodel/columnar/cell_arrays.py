"""Columns of cells and of key fields, decoded together: frequent codecs on whole arrays, others value by value."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from attrs import frozen

from btmodel.codecs.aware_times import micros_since_epoch
from btmodel.codecs.cell import DecimalText, Flag, Float64, Int64, Micros, Raw, Utf8, UuidBytes
from btmodel.codecs.key import (
    DateText,
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
from btmodel.columnar.fields import AnyCodec, ArrowField
from btmodel.columnar.libraries import numpy, pyarrow, time_type
from btmodel.rows.compiled import Block, SpanReader
from btmodel.schema import KeyField, RowKey

_LARGE = 64  # bytes of a value on average, from which on a copy of each is faster than an index of every byte


class Unproved(Exception):
    """The fast path cannot prove that the bytes are values: the codecs have to read them, and raise their errors."""


@frozen(eq=False)
class ByteSpans:
    """Where values lie in ``buffer``, of which numpy knows the bytes: from ``starts`` (-1: absent) to ``ends``."""

    buffer: Any
    starts: Any
    ends: Any

    @property
    def there(self) -> Any:
        """Whether each is there."""
        return self.starts >= 0

    def validity(self) -> Any:
        """The bits of Arrow for that; None where all are there."""
        there = self.there
        if there.all():
            return None
        return pyarrow().py_buffer(numpy().packbits(there, bitorder="little"))

    def fixed(self, size: int) -> Any:
        """A matrix of ``size`` bytes a value; zeros for absent ones."""
        np = numpy()
        there = self.there
        if not (there <= (self.ends - self.starts == size)).all():
            raise Unproved
        if self.buffer.size < size:  # no value is there, and the index below would go beyond the end
            return np.zeros((there.size, size), np.uint8)
        found = self.buffer[np.where(there, self.starts, 0)[:, None] + np.arange(size)]
        found[~there] = 0
        return found

    def text(self, type: Any) -> Any:
        """An array of strings, proved to be UTF-8, or of bytes: as ``type`` says."""
        pa, np = pyarrow(), numpy()
        lengths = np.where(self.there, self.ends - self.starts, 0)
        offsets = np.zeros(len(lengths) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        total = int(offsets[-1])
        if total >= 2**31:
            raise Unproved
        if total > _LARGE * len(lengths):
            whole = memoryview(self.buffer)
            data = b"".join(
                whole[start : start + length]
                for start, length in zip(self.starts.tolist(), lengths.tolist(), strict=True)
                if length
            )
        else:
            data = self.buffer[np.repeat(self.starts - offsets[:-1], lengths) + np.arange(total)]
        buffers = [self.validity(), pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(data)]
        array = pa.Array.from_buffers(type, len(lengths), buffers)
        try:
            array.validate(full=True)
        except pa.ArrowInvalid:
            raise Unproved from None
        return array

    def numbers(self, layout: str, type: Any) -> Any:
        """Values of 8 bytes in the ``layout`` of numpy, as an array of ``type``."""
        found = self.fixed(8).view(layout)[:, 0].astype(layout.replace(">", "<"))
        return self.made(found, type)

    def made(self, values: Any, type: Any) -> Any:
        """An array of the ``type`` that has as many bytes a value as numpy's."""
        pa = pyarrow()
        return pa.Array.from_buffers(type, len(values), [self.validity(), pa.py_buffer(values)])


def places(blocks: Sequence[tuple[Block, int]], reader: SpanReader) -> tuple[Any, Any]:
    """The bytes of blocks, and a matrix of where the values of their rows lie: of each block the first so many rows."""
    np = numpy()
    gathered = [block.columns is not None for block, _ in blocks]
    data, placed = _placed([block for block in blocks if block[0].columns is not None], reader)
    pieces, spans = _in_messages([block for block in blocks if block[0].columns is None], reader, len(data))
    counts = [count for _, count in blocks]
    of_columns = np.repeat(gathered, counts)
    matrix = np.empty((sum(counts), reader.width), np.int64)
    matrix[of_columns] = placed
    matrix[~of_columns] = spans
    return np.frombuffer(b"".join([data, *pieces]), np.uint8), matrix


def _in_messages(
    blocks: Sequence[tuple[Block, int]], reader: SpanReader, base: int
) -> tuple[list[memoryview], Any]:
    """The bytes of rows, which come to lie from ``base`` on, and the matrix of where their values lie."""
    np = numpy()
    pieces = [memoryview(block.message)[block.start : block.end] for block, _ in blocks]
    spans = b"".join([block.spans[: count * reader.width * 4] for block, count in blocks])
    found = np.frombuffer(spans, np.int32).reshape(-1, reader.width).astype(np.int64)
    starts = base + np.cumsum([0, *map(len, pieces)], dtype=np.int64)[:-1]
    moved = starts - np.array([block.start for block, _ in blocks], np.int64)
    counts = np.array([count for _, count in blocks], np.int64)
    return pieces, np.where(found < 0, -1, found + np.repeat(moved, counts)[:, None])


def _placed(blocks: Sequence[tuple[Block, int]], reader: SpanReader) -> tuple[bytes, Any]:
    """The bytes of values, one column behind the other, and the matrix of where they lie."""
    np, count = numpy(), sum(count for _, count in blocks)
    matrix = np.empty((count, reader.width), np.int64)
    pieces, base = [], 0
    for column, (at, size) in enumerate(reader.places.values()):
        found = chain.from_iterable((block.columns or ())[column][:some] for block, some in blocks)
        # No value of the usual form is empty.
        values = [one or b"" for one in found]
        data = b"".join(values)
        if size is not None and len(data) == size * count:
            matrix[:, at] = np.arange(base, base + len(data), size)
        else:
            lengths = np.fromiter(map(len, values), np.int64, count)
            ends = base + np.cumsum(lengths)
            matrix[:, at] = np.where(lengths == 0, -1, ends - lengths)
            if size is None:
                matrix[:, at + 1] = np.where(lengths == 0, -1, ends)
        pieces.append(data)
        base += len(data)
    return b"".join(pieces), matrix


LEAST = micros_since_epoch(datetime.min.replace(tzinfo=UTC))
MOST = micros_since_epoch(datetime.max.replace(tzinfo=UTC))


def cell_array(field: ArrowField, codec: AnyCodec, spans: ByteSpans) -> Any:
    """The values of a column. Raises :class:`Unproved` where one may not decode."""
    fast = _CELLS.get(type(codec))
    return decoded(field, codec, spans.text(pyarrow().binary())) if fast is None else fast(spans, field.type)


def decoded(field: ArrowField, codec: AnyCodec, raws: Any) -> Any:
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


def times(micros: Any, spans: ByteSpans | None = None) -> Any:
    """An array of times; ``micros`` of absent ones are 0."""
    pa = pyarrow()
    if len(micros) and not (micros.min() >= LEAST and micros.max() <= MOST):
        raise Unproved
    type = time_type()
    if spans is not None:
        return spans.made(micros, type)
    return pa.Array.from_buffers(type, len(micros), [None, pa.py_buffer(micros)])


def _flags(spans: ByteSpans, type: Any) -> Any:
    pa, np = pyarrow(), numpy()
    found = spans.fixed(1)[:, 0]
    if (found > 1).any():
        raise Unproved
    bits = pa.py_buffer(np.packbits(found, bitorder="little"))
    return pa.Array.from_buffers(type, len(found), [spans.validity(), bits])


def _micros(spans: ByteSpans, type: Any) -> Any:
    return times(spans.fixed(8).view(">i8")[:, 0].astype("<i8"), spans)


def _uuids(spans: ByteSpans, type: Any) -> Any:
    pa = pyarrow()
    found = spans.fixed(16)
    return pa.Array.from_buffers(type, len(found), [spans.validity(), pa.py_buffer(found.tobytes())])


_CELLS: dict[type, Callable[[ByteSpans, Any], Any]] = {
    Utf8: ByteSpans.text,
    Raw: ByteSpans.text,
    Int64: lambda spans, type: spans.numbers(">i8", type),
    Float64: lambda spans, type: spans.numbers(">f8", type),
    Flag: _flags,
    DecimalText: lambda spans, type: whole_numbers(spans.text(pyarrow().string())),
    Micros: _micros,
    UuidBytes: _uuids,
}


_EPOCHS = (EpochSeconds, EpochMillis, EpochMicros)
_REVERSED = (ReversedSeconds, ReversedMillis, ReversedMicros)


def key_arrays(key: RowKey, keys: Sequence[bytes], fields: Mapping[str, ArrowField]) -> dict[str, Any]:
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
            if (one.fixed(len(part.literal)) != np.frombuffer(part.literal, np.uint8)).any():
                raise Unproved
        elif part.asked:
            found[part.name] = _values(part, fields[part.name], one)
    return found


def _by_width(key: RowKey, buffer: Any, starts: Any, ends: Any) -> list[ByteSpans]:
    np = numpy()
    if (ends - starts != key.most).any():
        raise Unproved
    whole = buffer.reshape(len(starts), key.most)
    spans, at = [], 0
    for part in key.fields:
        end = at + part.codec.length.most
        spans.append(ByteSpans(buffer, starts + at, starts + end))
        behind = key.behind(part) if part is not key.fields[-1] else b""
        at = end + len(behind)
        if (whole[:, end:at] != np.frombuffer(behind, np.uint8)).any():
            raise Unproved
    return spans


def _by_delimiter(key: RowKey, buffer: Any, starts: Any, ends: Any) -> list[ByteSpans]:
    np = numpy()
    delimiter = key.behind(key.fields[0])
    count = len(key.fields) - 1
    if any(delimiter in part.literal for part in key.fields):
        raise Unproved
    found = np.flatnonzero(buffer == delimiter[0]) if count else np.zeros(0, np.int64)
    if len(found) != count * len(starts):
        raise Unproved
    cuts = found.reshape(len(starts), count)
    if ((cuts < starts[:, None]) | (cuts >= ends[:, None])).any():
        raise Unproved
    begins = np.column_stack([starts, cuts + 1])
    stops = np.column_stack([cuts, ends])
    return [ByteSpans(buffer, begins[:, at], stops[:, at]) for at in range(count + 1)]


def _values(part: KeyField, field: ArrowField, spans: ByteSpans) -> Any:
    pa, np = pyarrow(), numpy()
    codec = part.codec
    if isinstance(codec, (DateText, TimeText)):
        return calendar_times(codec, spans)
    text = spans.text(pa.string())
    if type(codec) is Text and codec.width is None and not codec.wide:
        if not pa.compute.all(pa.compute.ascii_is_printable(text), min_count=0).as_py():
            # An empty text is not called printable either.
            return decoded(field, codec, text.cast(pa.binary()))
        return text
    if type(codec) in (Int, PaddedInt, *_EPOCHS, *_REVERSED):
        numbers = np.asarray(_digits(text))
        if isinstance(codec, Int):
            return whole_numbers(text)
        if isinstance(codec, _EPOCHS):
            return times(_scaled(numbers, codec.micros))
        if isinstance(codec, _REVERSED):
            return times(_scaled(GREATEST - numbers, codec.micros))
        return pa.array(numbers)
    return decoded(field, codec, text.cast(pa.binary()))


def calendar_times(codec: DateText | TimeText, spans: ByteSpans) -> Any:
    """The dates or times of texts in a calendar format, all at once."""
    pa, np = pyarrow(), numpy()
    found = _units(codec, spans)
    years, months = found["%Y"], found.get("%m", 1)
    whole = (years - 1970) * 12 + months - 1
    first = whole.astype("M8[M]").astype("M8[D]")
    days = first + found.get("%d", 1) - 1
    # The 30th of February has become a day of another month.
    exists = (
        (years >= 1)
        & (months >= 1)
        & (months <= 12)
        & (days >= first)
        & (days.astype("M8[M]").astype(np.int64) == whole)
    )
    hours, minutes, seconds = (found.get(unit, 0) for unit in ("%H", "%M", "%S"))
    if not (exists & (hours < 24) & (minutes < 60) & (seconds < 60)).all():
        raise Unproved
    if isinstance(codec, DateText):
        return pa.array(days)
    micros = found.get("%3f", 0) * 1000 + found.get("%f", 0) + found.get("%9f", 0) // 1000
    return times((((days.astype(np.int64) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000_000 + micros)


def _units(codec: DateText | TimeText, spans: ByteSpans) -> dict[str, Any]:
    """The number of each unit that the format of ``codec`` writes, of all values."""
    np = numpy()
    whole, at, found = spans.fixed(codec.format.width), 0, {}
    for part, size in codec.format.sized:
        chunk = whole[:, at : at + size]
        at += size
        if part not in codec.format.directives:
            if (chunk != np.frombuffer(part.encode(), np.uint8)).any():
                raise Unproved
            continue
        digits = chunk - ord("0")  # other characters become 10 and more
        if (digits > 9).any() or (size == 9 and digits[:, 6:].any()):
            raise Unproved
        found[part] = digits @ (10 ** np.arange(size - 1, -1, -1))
    return found


def _digits(text: Any) -> Any:
    """The numbers of texts that are digits alone."""
    pa = pyarrow()
    if not pa.compute.all(pa.compute.utf8_is_decimal(text), min_count=0).as_py():
        raise Unproved
    try:
        return text.cast(pa.int64())
    except pa.ArrowInvalid:
        raise Unproved from None


def _scaled(counts: Any, unit: int) -> Any:
    if len(counts) and counts.max() > MOST // unit:
        raise Unproved
    return counts * unit
