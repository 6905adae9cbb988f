"""What a declaration is until the metaclass makes a schema of it."""

import sys
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.errors import DeclarationError
from btmodel.schema import Derived, Family, Location, Shape


class Required:
    """The default of an attribute that has none."""

    def __repr__(self) -> str:
        return "required"


REQUIRED = Required()


@frozen
class KeyDeclaration:
    """A key field, as declared."""

    codec: KeyCodec[Any]
    mirror: str | tuple[str, CellCodec[Any]] | None
    default: Required | None
    figures: Mapping[str, Any]
    location: Location = field(eq=False)
    ends: bytes | None = None


@frozen
class ConstantDeclaration:
    """A constant part of the key, as declared."""

    codec: Constant
    location: Location = field(eq=False)
    ends: bytes | None = None


@frozen
class DerivedDeclaration:
    """A part of the key that follows from other attributes, as declared."""

    codec: KeyCodec[Any]
    derived: Derived
    location: Location = field(eq=False)
    ends: bytes | None = None


@frozen
class ColumnDeclaration:
    """A column, or a family as many columns, as declared."""

    shape: Shape
    qualifier: bytes
    family: Family
    codec: CellCodec[Any] | None
    default: Required | None
    figures: Mapping[str, Any]
    location: Location = field(eq=False)
    names: KeyCodec[Any] | None = None
    every: str | None = None
    slot_names: str | None = None


@frozen
class TimestampDeclaration:
    """A time that lives in the timestamps of the row's cells, as declared."""

    default: Required | None
    location: Location = field(eq=False)


def as_bytes(name: object) -> bytes | None:
    """The bytes of a name that is given as text or as bytes; None for anything else."""
    if isinstance(name, str):
        try:
            return name.encode()
        except UnicodeEncodeError:
            return None
    return name if isinstance(name, bytes) else None


def delimiter(what: str, value: object, location: Location) -> bytes | None:
    """The bytes of a delimiter that a field has of its own, or None where none is given."""
    raw = as_bytes(value)
    if value is not None and raw is None:
        raise DeclarationError(f"{location}: {what}: ends: wanted a delimiter, text or bytes, got {value!r}")
    return raw


def here(depth: int = 2) -> Location:
    """The line of the caller's caller, or of ``depth`` calls up: where the declaration stands."""
    frame = sys._getframe(depth)
    return Location(frame.f_code.co_filename, frame.f_lineno)
