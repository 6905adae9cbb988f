"""The bytes of a model's keys, cells and rows, from its codecs, declared figures, bucket and rates.

A cell is counted as its family, its qualifier, its timestamp (8 bytes) and its value; a row as its
key, once, and its cells. Nothing is compressed, and of cells that a GC rule deletes none is left, although the service may
take a week. A *usual* row is a full one of cells of usual size, the *largest* a full one of the
largest cells: see :mod:`btmodel.schema.counts` for how many there are. The service does not publish how it
measures a row against its limit; its own format of rows adds some bytes to each cell, and may leave names out.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from attrs import frozen

from btmodel.codecs.cell import CellCodec, DecimalText, Raw, Utf8
from btmodel.codecs.key.whole_number import WholeNumber
from btmodel.schema.amount import Amount, Sizes
from btmodel.schema.column import Column, Shape
from btmodel.schema.counts import cells
from btmodel.schema.expected import Expected
from btmodel.schema.figures import FAMILY_ID_LENGTH, TIMESTAMP_BYTES
from btmodel.schema.key import KeyField, RowKey
from btmodel.schema.model import ModelSchema
from btmodel.schema.parameters import placeholders
from btmodel.schema.remembered import remembered


@frozen
class Share:
    """What an attribute has of a row: the bytes of its qualifiers, values and cells, and how many cells there are.

    ``source`` is the column, or the key field that a mirror repeats; ``begins`` is what all of its qualifiers
    begin with.
    """

    source: Column | KeyField
    family: str
    begins: bytes
    codec: CellCodec[Any]
    qualifier: Sizes
    value: Sizes
    cell: Sizes
    cells: Sizes

    @property
    def column(self) -> Column | None:
        """The column; None of a mirror."""
        return self.source if isinstance(self.source, Column) else None

    @property
    def bytes(self) -> Sizes:
        """All of its cells in a full row."""
        return self.cell * self.cells


def key_size(key: RowKey) -> Sizes:
    """The bytes of a key: usual, with fields of variable width at the middle of their least and most; and the longest."""
    delimiters = sum(len(key.behind(part)) for part in key.fields[:-1])
    return Sizes.of(sum(part.codec.length.typical for part in key.fields) + delimiters, key.most)


@remembered
def shares(model: ModelSchema) -> tuple[Share, ...]:
    """The mirrors of key fields, and the columns, with what each has of a row."""
    return tuple(_shares(model))


@remembered
def row_size(model: ModelSchema) -> Sizes:
    """The bytes of a full row."""
    return sum((share.bytes for share in shares(model)), key_size(model.key))


@remembered
def cells_of_row(model: ModelSchema) -> Sizes:
    """How many cells a full row has."""
    return sum((share.cells for share in shares(model)), Sizes.of(0))


def missing(model: ModelSchema) -> tuple[str, ...]:
    """The figures without which the usual row of a model is not known, as the model would declare them."""
    return row_size(model).usual.missing


def _shares(model: ModelSchema) -> Iterator[Share]:
    for part in model.key.fields:
        mirror = part.mirror
        if mirror is not None:
            name, value = Sizes.of(len(mirror.qualifier)), _mirrored(part, mirror.codec)
            around = _around(mirror.family) + name
            yield Share(
                part, mirror.family, mirror.qualifier, mirror.codec, name, value, around + value, Sizes.of(1)
            )
    for column in model.columns:
        name, value = _qualifier(column), value_size(column.codec, column.name, column.expected)
        around = _around(column.family) + name
        count = cells(model, column)
        yield Share(column, column.family, column.qualifier, column.codec, name, value, around + value, count)


def _around(family: str) -> Sizes:
    """The bytes of a cell besides its qualifier and its value."""
    # A name that is completed at run time may get as long as ids may be.
    longest = FAMILY_ID_LENGTH if placeholders(family) else len(family)
    return Sizes.of(len(family) + TIMESTAMP_BYTES, longest + TIMESTAMP_BYTES)


def _mirrored(part: KeyField, codec: CellCodec[Any]) -> Sizes:
    if isinstance(codec, Utf8 | Raw):
        # No field spends fewer bytes on text or bytes than these have.
        return Sizes.of(part.codec.length.typical, part.codec.length.most)
    if isinstance(codec, DecimalText) and isinstance(part.codec, WholeNumber):
        return Sizes.of(max(len(str(part.codec.least)), len(str(part.codec.most))))
    return value_size(codec, part.name, Expected())


def value_size(codec: CellCodec[Any], name: str, expected: Expected) -> Sizes:
    """The bytes of one value: as declared, or as the codec bounds them.

    Of a codec that bounds nothing, such as text, no usual size is guessed: the model must declare it. A number
    is told by its digits: of its text, the codec's own typical size is taken.
    """
    bounds = [size for size in (expected.max_size, codec.max_size) if size is not None]
    largest = Amount(min(bounds)) if bounds else Amount.unknown(f"`max_size` of `{name}`")
    if expected.size is not None:
        return Sizes(Amount(expected.size), largest)
    if codec.max_size is None and codec.python_type is not Decimal:
        return Sizes(Amount.unknown(f"`size` of `{name}`"), largest)
    return Sizes(Amount(min([codec.typical_size, *bounds])), largest)


def _qualifier(column: Column) -> Sizes:
    prefix = len(column.qualifier)
    if column.shape is Shape.SLOTS and column.slots is not None:
        name = column.slots.length
    elif column.open and column.names is not None:
        name = column.names.length
    else:
        return Sizes.of(prefix)
    return Sizes.of(prefix + name.typical, prefix + name.most)
