"""What a row key is made from: the fields that a row must give, and the columns that are hashed into it."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from attrs import frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.classes import is_class
from btmodel.codecs.key import KeyCodec, Kind
from btmodel.schema import ModelSchema


@frozen
class Asked:
    """A key field, or a column that the key is made of; ``count`` is how many values are declared of it."""

    name: str
    codec: KeyCodec[Any] | CellCodec[Any]
    kind: Kind
    count: int | None
    sequential: bool = False


def asked_of(model: ModelSchema) -> tuple[Asked, ...]:
    """Everything that the row keys of ``model`` follow from."""
    return tuple(_asked(model))


def _asked(model: ModelSchema) -> Iterator[Asked]:
    for part in model.key.asked:
        sequential = part.sequential is True
        yield Asked(part.name, part.codec, part.codec.kind, part.cardinality, sequential)
    for column in model.columns:
        if column.name in model.key.hashed:
            yield Asked(column.name, column.codec, _kind(column.codec), column.expected.cardinality)


def _kind(codec: CellCodec[Any]) -> Kind:
    if is_class(codec.python_type, date):
        return Kind.TIME
    return Kind.NUMBER if codec.python_type is int else Kind.TEXT
