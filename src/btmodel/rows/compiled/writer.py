"""A row to the bytes of its write."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import datetime
from functools import partial
from typing import Any

from attrs import frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.inline import Memo, cell_inline
from btmodel.rows.buckets import BucketSpan
from btmodel.rows.cells import cell_timestamp
from btmodel.rows.compiled.keys import inline_fields, write_key
from btmodel.rows.compiled.source import Source
from btmodel.rows.entry import Entry
from btmodel.rows.slots import Slots
from btmodel.rows.wire import BYTES, NUMBER, field, tag, varint
from btmodel.schema import Column, ModelSchema, Shape

# The write of a row at a time in microseconds; None where the plain codec must be asked.
RowWriter = Callable[[Any, int], Entry | None]

_PLAIN = (Shape.VALUE, Shape.COUNTER)
_LABELS = 64  # buckets whose slots are kept
_STAMP = 8  # bytes of a timestamp of this century


def row_writer(model: ModelSchema) -> RowWriter | None:
    """The function that writes the rows of ``model``; None where there is no fast one.

    There is one of models whose cells are plain columns, slots, and repeated key fields.
    """
    if not all(map(_known, model.columns)) or model.stamp.required:
        return None
    fields = inline_fields(model.key)
    if fields is None:
        return None
    source = Source()
    with source.block("def write(row, now):"), source.guarded("return None"):
        source.line(f"key = {write_key(source, model.key, fields)}")
        _write_stamp(source, model)
        heads = source.name(Memo(_key_head))
        source.line(f"parts = [{heads}[len(key)], key]", "count = 0")
        for at, cell in enumerate(_cells(model)):
            _write_cell(source, f"v{at}", cell)
        for at, column in enumerate(model.columns):
            if column.shape is Shape.SLOTS:
                _write_slots(source, f"s{at}", model, column)
        with source.block("if not count:"):
            source.line("return None")
        source.line(f"return {source.name(Entry)}(key, {source.name(b''.join)}(parts), count)")
    writer: RowWriter = source.function("write", f"writes {model.name}")
    return writer


def _known(column: Column) -> bool:
    inline = cell_inline(column.codec)
    sized = column.shape is Shape.SLOTS and inline is not None and inline.size is not None
    return column.shape in _PLAIN or sized


def _write_stamp(source: Source, model: ModelSchema) -> None:
    """Add the lines that make ``stamp``, the bytes of the timestamp of all cells."""
    stamp = model.stamp
    if stamp.fixed is not None:
        source.line(f"now = {stamp.fixed}")
    elif stamp.attribute is not None:
        source.line(f"time = row.{stamp.attribute}")
        with source.block("if time is not None:"):
            source.line(f"now = {source.name(cell_timestamp)}(time)")
    source.line(f"stamp = {source.name(Memo(varint))}[now]")
    with source.block(f"if len(stamp) != {_STAMP}:"):
        source.line("return None")


def _key_head(size: int) -> bytes:
    """What stands in front of a row key of so many bytes."""
    return tag(1, BYTES) + varint(size)


@frozen
class _Cell:
    """An attribute of a row that becomes one cell, if it is not None or ``required``."""

    attribute: str
    names: bytes  # the fields of a SetCell in front of its timestamp
    codec: CellCodec[Any]
    required: bool

    def head(self, size: int) -> bytes:
        """What stands in front of the timestamp of a value of so many bytes."""
        inner = len(self.names) + _STAMP + len(_tail(size)) + size
        begun = tag(1, BYTES) + varint(inner)
        return tag(2, BYTES) + varint(len(begun) + inner) + begun + self.names


def _tail(size: int) -> bytes:
    """What stands between the timestamp and a value of so many bytes."""
    return tag(4, BYTES) + varint(size)


def _cells(model: ModelSchema) -> Iterator[_Cell]:
    for part in model.key.fields:
        if part.mirror:
            names = _names(part.mirror.family, part.mirror.qualifier)
            yield _Cell(part.name, names, part.mirror.codec, required=True)
    for column in model.columns:
        if column.shape is Shape.VALUE:
            names = _names(column.family, column.qualifier)
            yield _Cell(column.name, names, column.codec, column.required)


def _names(family: str, qualifier: bytes) -> bytes:
    return field(1, family.encode()) + field(2, qualifier) + tag(3, NUMBER)


def _write_cell(source: Source, variable: str, cell: _Cell) -> None:
    """Add the lines that put one cell behind ``parts``."""
    source.line(f"{variable} = row.{cell.attribute}")
    with nullcontext() if cell.required else source.block(f"if {variable} is not None:"):
        inline = cell_inline(cell.codec)
        if inline is None:
            source.line(f"{variable} = {source.name(cell.codec.encode)}({variable})")
        else:
            source.name_all(inline.names, variable)
            with source.block(f"if not ({inline.takes.replace('$', variable)}):"):
                source.line("return None")
            source.line(f"{variable} = {inline.written.replace('$', variable)}")
        if inline is not None and inline.size is not None:
            head, tail = source.name(cell.head(inline.size)), source.name(_tail(inline.size))
        else:
            source.line(f"size = len({variable})")
            head, tail = (f"{source.name(Memo(made))}[size]" for made in (cell.head, _tail))
        source.line(f"parts += ({head}, stamp, {tail}, {variable})", "count += 1")


def _write_slots(source: Source, variable: str, model: ModelSchema, column: Column) -> None:
    """Add the lines that put a cell for each slot behind ``parts``; what is in front of a timestamp is kept."""
    inline = cell_inline(column.codec)
    assert inline is not None
    assert inline.size is not None
    assert model.bucket_field is not None
    source.line(f"slots = row.{column.name}")
    with source.block(f"if type(slots) is not {source.name(Slots)}:"):
        source.line("return None")
    heads = source.name(Memo(partial(_heads, model, BucketSpan(model), column, inline.size), _LABELS))
    source.line(f"heads = {heads}[row.{model.bucket_field.name}]")
    source.name_all(inline.names, variable)
    with source.block(f"for time, {variable} in slots.items():"):
        with source.block(f"if not ({inline.takes.replace('$', variable)}):"):
            source.line("return None")
        tail = source.name(_tail(inline.size))
        source.line(f"parts += (heads[time], stamp, {tail}, {inline.written.replace('$', variable)})")
    source.line("count += len(slots)")


def _heads(
    model: ModelSchema, span: BucketSpan, column: Column, size: int, label: Any
) -> Memo[datetime, bytes]:
    """What stands in front of the timestamps of the slots of a bucket; raises for times that are none of it."""
    start, end = span.span({span.field.name: label})

    def head(time: datetime) -> bytes:
        assert column.slots is not None
        qualifier = column.qualifier + column.slots.write(time)
        if not start <= time < end or (column.family, qualifier) in model.single_cells:
            raise ValueError(time)
        names = _names(column.family, qualifier)
        return _Cell(column.name, names, column.codec, column.required).head(size)

    return Memo(head)
