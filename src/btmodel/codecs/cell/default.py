"""The codec that a column gets from its annotation.

This table is a contract on disk: it is printed in the documentation and pinned by a test.
"""

from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, get_origin
from uuid import UUID

from btmodel.codecs import cell
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.record import is_message_class, is_record

# By name: a model loads the codecs that it has.
DEFAULTS: dict[type, str] = {
    str: "Utf8",
    bytes: "Raw",
    int: "Int64",
    float: "Float64",
    bool: "Flag",
    Decimal: "DecimalNumber",
    datetime: "Micros",
    date: "IsoDate",
    UUID: "UuidBytes",
}


def default_codec(annotation: object) -> CellCodec[Any] | None:
    """The codec of values of ``annotation``, or None where there is no default for it.

    Raises :class:`DeclarationError` for a list, dict, tuple or class with something inside that JSON cannot hold.
    """
    if get_origin(annotation) in (dict, list, tuple):
        return cell.Json[Any](annotation)  # type: ignore[arg-type]
    if not isinstance(annotation, type):
        return None
    if issubclass(annotation, Enum):
        return _enum_codec(annotation)
    if is_message_class(annotation):
        return cell.Protobuf(annotation)
    if annotation in (dict, list) or is_record(annotation):
        return cell.Json(annotation)
    return _plain(annotation)


def _plain(annotation: type) -> CellCodec[Any] | None:
    name = DEFAULTS.get(annotation)
    made: CellCodec[Any] | None = getattr(cell, name)() if name else None
    return made


def _enum_codec(enum: type[Enum]) -> CellCodec[Any] | None:
    types = {type(member.value) for member in enum}
    value = _plain(types.pop()) if len(types) == 1 else None
    return cell.EnumValue(enum, value) if value else None
