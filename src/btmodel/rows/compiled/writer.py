"""The compiled writer: a model object to a serialized mutation."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import count
from typing import Any

from attrs import define, frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.inline import FunctionSource, Memo, cell_inline
from btmodel.rows.cells import cell_timestamp
from btmodel.rows.collections import BucketSpan, Slots
from btmodel.rows.compiled.inline_keys import inline_fields, write_key
from btmodel.rows.serialized import BYTES, NUMBER, Entry, field, tag, varint
from btmodel.schema import Column, ModelSchema

# The write of a row at a time in microseconds; None where the plain codec must be asked.
RowWriter = Callable[[Any, int], Entry | None]

_LABELS = 64  # buckets whose slots are kept
_STAMPS = 64  # times that are kept
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
    source = FunctionSource()
    cells = list(_cells(model))
    slots = [column for column in model.columns if column.shape.slotted]
    with source.block("def write(row, now):"), source.guarded("return None"):
        source.line(f"key = {write_key(source, model.key, fields)}")
        _write_stamp(source, model, cells)
        parts = _EntryParts(source, [f"{source.name(Memo(_key_head))}[len(key)]", "key"])
        source.line(f"count = {sum(cell.required for cell in cells)}")
        for cell in cells:
            _write_cell(source, parts, cell, timed=_timed(model))
        for at, column in enumerate(slots):
            parts.begin()
            _write_slots(source, f"s{at}", model, column)
        if not any(cell.required for cell in cells):
            with source.block("if not count:"):
                source.line("return None")
        # A named tuple is made in half the time so.
        raw = f"{source.name(b''.join)}({parts.all})"
        source.line(f"return {source.name(tuple.__new__)}({source.name(Entry)}, (key, {raw}, count))")
    writer: RowWriter = source.function("write", f"writes {model.name}")
    return writer


@define
class _EntryParts:
    """The parts of an entry, in their order: as long as there are no optional ones, they need no list."""

    source: FunctionSource
    pending: list[str]
    _begun: bool = False

    def begin(self) -> None:
        """Put what there is in the list ``parts``."""
        if self.pending:
            self.source.line(f"parts {'+=' if self._begun else '='} [{', '.join(self.pending)}]")
        self._begun, self.pending = True, []

    @property
    def all(self) -> str:
        """The expression of all of them."""
        if self._begun:
            self.begin()
        return "parts" if self._begun else f"({', '.join(self.pending)})"


def _known(column: Column) -> bool:
    inline = cell_inline(column.codec)
    sized = column.shape.slotted and inline is not None and inline.size is not None
    return column.shape.single or sized


def _timed(model: ModelSchema) -> bool:
    """Whether each row brings a time of its own, rather than that of the write, which many rows share."""
    return model.stamp.attribute is not None


def _write_stamp(source: FunctionSource, model: ModelSchema, cells: Iterable["_CellAttribute"]) -> None:
    """Add the lines that make ``stamp``, the bytes of the timestamp of all cells.

    Where rows share it, also the variables that hold all that is in front of the values of one size.
    """
    stamp = model.stamp
    if stamp.fixed is not None:
        source.line(f"now = {stamp.fixed}")
    elif stamp.attribute is not None:
        source.line(f"time = row.{stamp.attribute}")
        with source.block("if time is not None:"):
            source.line(f"now = {source.name(partial(cell_timestamp, cut=stamp.round))}(time)")
    sized = {} if _timed(model) else {cell.begun: cell for cell in cells if cell.size is not None}
    stamps = source.name(Memo(partial(_stamped, list(sized.values())), _STAMPS))
    source.line(f"stamp, {''.join(f'{name}, ' for name in sized)}= {stamps}[now]")


def _stamped(cells: Iterable["_CellAttribute"], now: int) -> tuple[bytes, ...]:
    """The bytes of a timestamp, and what stands in front of the values of cells of one size; raises for other centuries."""
    stamp = varint(now)
    if len(stamp) != _STAMP:
        raise ValueError(now)
    return stamp, *(
        cell.head(cell.size) + stamp + _tail(cell.size) for cell in cells if cell.size is not None
    )


def _key_head(size: int) -> bytes:
    """What stands in front of a row key of so many bytes."""
    return tag(1, BYTES) + varint(size)


@frozen
class _CellAttribute:
    """An attribute of a row that becomes one cell, if it is not None or ``required``."""

    variable: str
    attribute: str
    names: bytes  # the fields of a SetCell in front of its timestamp
    codec: CellCodec[Any]
    required: bool

    @property
    def begun(self) -> str:
        """The variable of what stands in front of the value."""
        return f"{self.variable}_begun"

    @property
    def size(self) -> int | None:
        """The bytes of every value, where they are as many."""
        inline = cell_inline(self.codec)
        return inline.size if inline else None

    def head(self, size: int) -> bytes:
        """What stands in front of the timestamp of a value of so many bytes."""
        inner = len(self.names) + _STAMP + len(_tail(size)) + size
        begun = tag(1, BYTES) + varint(inner)
        return tag(2, BYTES) + varint(len(begun) + inner) + begun + self.names


def _tail(size: int) -> bytes:
    """What stands between the timestamp and a value of so many bytes."""
    return tag(4, BYTES) + varint(size)


def _cells(model: ModelSchema) -> Iterator[_CellAttribute]:
    numbers = count()
    for part in model.key.fields:
        if part.mirror:
            names = _names(part.mirror.family, part.mirror.qualifier)
            yield _CellAttribute(f"v{next(numbers)}", part.name, names, part.mirror.codec, required=True)
    for column in model.columns:
        if column.shape.plain:
            names = _names(column.family, column.qualifier)
            yield _CellAttribute(f"v{next(numbers)}", column.name, names, column.codec, column.required)


def _names(family: str, qualifier: bytes) -> bytes:
    return field(1, family.encode()) + field(2, qualifier) + tag(3, NUMBER)


def _write_cell(source: FunctionSource, parts: _EntryParts, cell: _CellAttribute, *, timed: bool) -> None:
    """Add the lines that make one cell of ``parts``."""
    if cell.required:
        source.line(f"{cell.variable} = row.{cell.attribute}")
        parts.pending += _write_value(source, cell, timed=timed)
        return
    parts.begin()
    source.line(f"{cell.variable} = row.{cell.attribute}")
    with source.block(f"if {cell.variable} is not None:"):
        pieces = _write_value(source, cell, timed=timed)
        source.line(f"parts += ({', '.join(pieces)})", "count += 1")


def _write_value(source: FunctionSource, cell: _CellAttribute, *, timed: bool) -> list[str]:
    """Add the lines that make the bytes of a value, and give the expressions of the parts of its cell."""
    variable, inline = cell.variable, cell_inline(cell.codec)
    if inline is None:
        source.line(f"{variable} = {source.name(cell.codec.encode)}({variable})")
    else:
        source.name_all(inline.names, variable)
        with source.block(f"if not ({inline.takes.replace('$', variable)}):"):
            source.line("return None")
        source.line(f"{variable} = {inline.written.replace('$', variable)}")
    if cell.size is None:
        head, tail = (source.name(Memo(made)) for made in (cell.head, _tail))
        return [f"{head}[len({variable})]", "stamp", f"{tail}[len({variable})]", variable]
    if timed:
        return [source.name(cell.head(cell.size)), "stamp", source.name(_tail(cell.size)), variable]
    return [cell.begun, variable]


def _write_slots(source: FunctionSource, variable: str, model: ModelSchema, column: Column) -> None:
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
    """What stands in front of the timestamps of the slots of a bucket; raises for times that are none of it, or not in UTC."""
    start, end = span.span({span.field.name: label})

    def head(time: datetime) -> bytes:
        assert column.slots is not None
        # A clock of another zone shows an hour twice, as times that are equal: what is kept of one is not of the other.
        if time.tzinfo is not UTC:
            raise ValueError(time)
        qualifier = column.qualifier + column.slots.write(time)
        if not start <= time < end or (column.family, qualifier) in model.single_cells:
            raise ValueError(time)
        names = _names(column.family, qualifier)
        return _CellAttribute("", column.name, names, column.codec, column.required).head(size)

    return Memo(head)
