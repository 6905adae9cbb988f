"""The contents of serialized cells, which the server cannot filter."""

from collections.abc import Mapping
from typing import Any, cast, get_type_hints

from btmodel.codecs import cell
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.cell.record import is_record, record_fields
from btmodel.schema import Column, ModelSchema

# By FieldDescriptor.type in google/protobuf/descriptor.proto; groups and messages are left out.
_FLOATS, _BOOL, _STRING, _BYTES, _NESTED = (1, 2), 8, 9, 12, (10, 11)


def serialized(codec: CellCodec[Any]) -> CellCodec[Any] | None:
    """The codec of a cell that holds several fields as one value, without what compresses it; else None."""
    if isinstance(codec, cell.Either):
        return serialized(codec.new)
    if isinstance(codec, cell.Compressed):
        return serialized(codec.codec)
    return codec if isinstance(codec, cell.Json | cell.Packed | cell.Protobuf) else None


def fields_inside(codec: CellCodec[Any]) -> Mapping[str, type | None]:
    """The fields in a cell of ``codec``, each with its type where that is a plain one; none where they are not known."""
    inner = serialized(codec)
    if isinstance(inner, cell.Protobuf):
        described = cast(Any, inner.message_class).DESCRIPTOR.fields
        return {one.name: _protobuf_type(one) for one in described}
    if inner is None or not is_record(inner.python_type):
        return {}
    hints = _hints(inner.python_type)
    return {one.name: hints.get(one.name) for one in record_fields(inner.python_type)}


def blob_of(model: ModelSchema, name: str) -> tuple[Column, str] | None:
    """The column that ``name`` looks into, and the field that it means there.

    ``event.pressure`` says both. ``pressure`` alone means a field of that name, where the
    model has no attribute called so.
    """
    head, dot, field = name.partition(".")
    blobs = [one for one in model.columns if _may_be_looked_into(one)]
    if dot:
        return next(((one, field) for one in blobs if one.name == head and field), None)
    if name in {column.name for column in model.columns} | {part.name for part in model.key.fields}:
        return None
    return next(((one, name) for one in blobs if name in fields_inside(one.codec)), None)


def _may_be_looked_into(column: Column) -> bool:
    """Behind the name of a mapping stands an entry, which is a cell of its own."""
    single = not column.shape.named and not column.shape.summed
    return single and serialized(column.codec) is not None


def _protobuf_type(field: Any) -> type | None:
    # Of a repeated field the default is an empty list.
    if isinstance(field.default_value, list) or field.type in _NESTED:
        return None
    known: dict[int, type] = {_BOOL: bool, _STRING: str, _BYTES: bytes} | dict.fromkeys(_FLOATS, float)
    return known.get(field.type, int)


def _hints(record: type) -> dict[str, type]:
    try:
        hints = get_type_hints(record)
    except (NameError, TypeError):  # of a class whose annotations name what is not there any more
        return {}
    return {name: hint for name, hint in hints.items() if isinstance(hint, type)}
