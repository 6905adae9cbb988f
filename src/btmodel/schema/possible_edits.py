"""Which columns can be edited without reading the row."""

from datetime import timedelta

from btmodel.codecs.cell import Int64, Raw, Utf8
from btmodel.codecs.key import Order
from btmodel.schema.column import Column, Shape
from btmodel.schema.gc import oldest
from btmodel.schema.model import ModelSchema


def increments(column: Column) -> bool:
    """Whether the server can add to its newest value: a 64-bit big-endian integer."""
    return column.shape.plain and isinstance(column.codec, Int64) and not column.also


def increments_entries(column: Column) -> bool:
    """Whether the server can add to its entries: a mapping of such integers."""
    return column.shape is Shape.MAPPING and isinstance(column.codec, Int64)


def extends(column: Column) -> bool:
    """Whether the server can put something behind its newest value: text or bytes."""
    return column.shape.plain and isinstance(column.codec, (Utf8, Raw)) and not column.also


def identifies(model: ModelSchema, column: Column) -> bool:
    """Whether the row key is made from it, so that another value would belong in another row."""
    return column.name in model.key.hashed


def needed_besides(model: ModelSchema, name: str = "") -> tuple[str, ...]:
    """What every row has beside the column ``name``, so that no row may begin with that column alone.

    It is the other required columns; where there are none, the time that lies in the timestamps of plain cells.
    """
    required = tuple(column.name for column in model.columns if column.required and column.name != name)
    stamp = model.stamp
    time = stamp.attribute if stamp.stored and stamp.required else None
    return required or (() if time is None else (time,))


def oldest_kept(model: ModelSchema, column: Column) -> timedelta | None:
    """The age beyond which its cells are never read, though they can be written; None where there is none."""
    family = model.family(column.family)
    return oldest(family.gc if family else None)


def counts(column: Column) -> bool:
    """Whether it is a counter, a sum, minimum or maximum that the server keeps."""
    return column.shape.summed


def added_to(column: Column) -> bool:
    """Whether its value comes of additions: a counter, or a number with declared ``increments``."""
    return column.shape.summed or column.expected.increments is not None


def sets_value(column: Column) -> bool:
    """Whether it can be written: any column but those that the server adds to."""
    return not column.shape.summed


def lacks(column: Column) -> bool:
    """Whether a row may be without it."""
    return not column.required or not column.shape.plain


def removes(column: Column) -> bool:
    """Whether it has entries that can be deleted by name: a mapping or a set."""
    return column.shape.entered


def times_entries(column: Column) -> bool:
    """Whether its entries have times of their own, of which a range can be deleted."""
    return column.shape.timed


def sorts(column: Column) -> bool:
    """Whether it is many, and a range of what is in it can be read: their names sort as their values do."""
    return column.names is not None and column.names.order is Order.ASCENDING


def shares_family(model: ModelSchema, column: Column) -> bool:
    """Whether a column that is many has only a part of its family, which no server can delete at once."""
    others = [other for other in model.columns if other.family == column.family and other != column]
    mirrored = any(family == column.family for family, _ in model.single_cells)
    return bool(column.qualifier or others or mirrored)


def clears(model: ModelSchema, column: Column) -> bool:
    """Whether its cells can be deleted at once, and a row be without them."""
    return lacks(column) and not (column.open and shares_family(model, column))
