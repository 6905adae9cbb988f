"""What stands on the right-hand side of a declaration.

These functions are typed for the reader of the model: ``key`` and ``column`` seem to
return the value of the attribute. What they do return is a record of the
declaration, which the metaclass turns into the schema.
"""

import sys
from typing import Any, TypeVar, cast, overload

from attrs import field, frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.errors import DeclarationError
from btmodel.rows.history import History
from btmodel.schema import Aggregate, Family, GcRule, Location

T = TypeVar("T")

Named = str | tuple[str, CellCodec[T]]


class Required:
    """The default of a column that has none."""

    def __repr__(self) -> str:
        return "required"


REQUIRED = Required()


@frozen
class KeyDeclaration:
    """A key field, as declared."""

    codec: KeyCodec[Any]
    cardinality: int | None
    mirror: str | tuple[str, CellCodec[Any]] | None
    location: Location = field(eq=False)


@frozen
class ColumnDeclaration:
    """A column, as declared."""

    qualifier: str | bytes
    family: Family
    codec: CellCodec[Any] | None
    default: Required | None
    history: bool
    location: Location = field(eq=False)


@frozen
class ConstantDeclaration:
    """A constant part of the key, as declared."""

    codec: Constant
    location: Location = field(eq=False)


def key(
    codec: KeyCodec[T],
    *,
    cardinality: int | None = None,
    mirror: "str | tuple[str, CellCodec[T]] | None" = None,
) -> T:
    """A field of the row key. Fields stand in the key in the order of their declaration.

    ``codec`` says how the value becomes bytes. ``cardinality`` is the number of distinct
    values that are expected; rules about hot spots reason with it. ``mirror`` names a
    cell, as ``"MD:SYMBOL"``, that repeats the value for readers of the raw table, in
    the field's own text or in the codec given with it: ``("METER:ID", DecimalText())``.
    """
    if not isinstance(codec, KeyCodec):
        raise DeclarationError(f"{here()}: key: wanted a key codec such as Text(width=6), got {codec!r}")
    if cardinality is not None and (type(cardinality) is not int or cardinality < 1):
        raise DeclarationError(f"{here()}: cardinality: wanted a number from 1 on, got {cardinality!r}")
    return cast(T, KeyDeclaration(codec, cardinality, mirror, here()))


def constant(text: str) -> str:
    """A part of the row key that is the same in every row, such as ``LoL``."""
    return cast(str, ConstantDeclaration(Constant(text), here()))


def family(id: str, *, gc: GcRule | None = None, aggregate: str | None = None) -> Family:
    """A column family: its id in the table and its garbage-collection rule, which must be stated.

    ``aggregate`` ("sum", "min" or "max") makes it a family of numbers that are added to
    at write time; its columns are declared with :func:`counter`.
    """
    if not isinstance(id, str):
        raise DeclarationError(f"{here()}: family: wanted its id as text, got {id!r}")
    if gc is not None and not isinstance(gc, GcRule):
        raise DeclarationError(f"{here()}: family {id!r}: wanted a rule such as max_versions(1), got {gc!r}")
    return Family(id, gc, _aggregate(id, aggregate), here())


def _aggregate(id: str, value: str | None) -> Aggregate | None:
    try:
        return None if value is None else Aggregate(value)
    except ValueError:
        names = ", ".join(one.value for one in Aggregate)
        raise DeclarationError(
            f"{here(3)}: family {id!r}: aggregate: wanted one of {names}, got {value!r}"
        ) from None


@overload
def column(qualifier: str | bytes, family: Family, *, codec: CellCodec[T]) -> T: ...
@overload
def column(qualifier: str | bytes, family: Family, *, codec: CellCodec[T], default: None) -> T | None: ...
@overload
def column(qualifier: str | bytes, family: Family) -> Any: ...
@overload
def column(qualifier: str | bytes, family: Family, *, default: None) -> Any: ...
def column(
    qualifier: str | bytes,
    family: Family,
    *,
    codec: CellCodec[Any] | None = None,
    default: Required | None = REQUIRED,
) -> Any:
    """A column: one value, in the newest cell of ``family`` and ``qualifier``.

    Without ``codec``, the annotation chooses it (``int`` is 64-bit big-endian, ``str``
    UTF-8, and so on). With ``default=None`` the attribute is None where the cell is absent.
    """
    return _column(qualifier, family, codec, default, history=False)


def history(qualifier: str | bytes, family: Family, *, codec: CellCodec[T] | None = None) -> History[T]:
    """A column whose cell versions are all meant: a mapping from times to values, annotated ``History[T]``."""
    return cast("History[T]", _column(qualifier, family, codec, REQUIRED, history=True))


def _column(
    qualifier: str | bytes,
    family: Family,
    codec: CellCodec[Any] | None,
    default: Required | None,
    *,
    history: bool,
) -> ColumnDeclaration:
    location = here(3)
    if as_bytes(qualifier) is None:
        raise DeclarationError(f"{location}: column: wanted a qualifier, text or bytes, got {qualifier!r}")
    if not isinstance(family, Family):
        raise DeclarationError(f"{location}: column {qualifier!r}: wanted a family(...), got {family!r}")
    if codec is not None and not isinstance(codec, CellCodec):
        raise DeclarationError(f"{location}: column {qualifier!r}: wanted a cell codec, got {codec!r}")
    if default is not None and default is not REQUIRED:
        raise DeclarationError(
            f"{location}: column {qualifier!r}: the only default is None (an absent cell), got {default!r}"
        )
    return ColumnDeclaration(qualifier, family, codec, default, history, location)


def as_bytes(name: object) -> bytes | None:
    """The bytes of a name that is given as text or as bytes; None for anything else."""
    if isinstance(name, str):
        try:
            return name.encode()
        except UnicodeEncodeError:
            return None
    return name if isinstance(name, bytes) else None


def here(depth: int = 2) -> Location:
    """The line of the caller's caller, or of ``depth`` calls up: where the declaration stands."""
    frame = sys._getframe(depth)
    return Location(frame.f_code.co_filename, frame.f_lineno)
