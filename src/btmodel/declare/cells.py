"""Columns, on the right-hand side of a declaration: typed as the value of the attribute, like key fields."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypeVar, Unpack, cast, overload

from btmodel.codecs.cell import CellCodec, Int64
from btmodel.codecs.key import KeyCodec
from btmodel.declare.declared import (
    REQUIRED,
    ColumnDeclaration,
    Required,
    TimestampDeclaration,
    as_bytes,
    declares,
    here,
)
from btmodel.declare.figures import (
    ColumnFigures,
    CounterFigures,
    HistoryFigures,
    MappingFigures,
    MarkFigures,
    MemberFigures,
    SizeFigures,
)
from btmodel.errors import DeclarationError
from btmodel.rows.history import History
from btmodel.rows.slots import Slots
from btmodel.schema import Family, Shape

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


@overload
def column(
    qualifier: str | bytes, family: Family, *, codec: CellCodec[T], **figures: Unpack[ColumnFigures]
) -> T: ...
@overload
def column(
    qualifier: str | bytes,
    family: Family,
    *,
    codec: CellCodec[T],
    default: None,
    **figures: Unpack[ColumnFigures],
) -> T | None: ...
@overload
def column(qualifier: str | bytes, family: Family, **figures: Unpack[ColumnFigures]) -> Any: ...
@overload
def column(
    qualifier: str | bytes, family: Family, *, default: None, **figures: Unpack[ColumnFigures]
) -> Any: ...
@declares
def column(
    qualifier: str | bytes,
    family: Family,
    *,
    codec: CellCodec[Any] | None = None,
    default: Required | None = REQUIRED,
    **figures: Unpack[ColumnFigures],
) -> Any:
    """A column: one value, in the newest cell of ``family`` and ``qualifier``.

    Without ``codec``, the annotation chooses it (``int`` is 64-bit big-endian, ``str``
    UTF-8, and so on). With ``default=None`` the attribute is None where the cell is absent.

    The ``figures`` are what the review reasons with. ``size`` and ``max_size`` are the bytes of
    a typical value and of the largest; ``cardinality`` is how many distinct values are
    expected; ``keep`` is what this column wants to be kept, as a GC rule; ``increments`` is how often the
    cell of one row is added to, as ``"200/min"``.
    """
    return _declared(Shape.VALUE, qualifier, family, codec, default, figures=figures)


@declares
def history(
    qualifier: str | bytes,
    family: Family,
    *,
    codec: CellCodec[T] | None = None,
    **figures: Unpack[HistoryFigures],
) -> History[T]:
    """A column whose cell versions are all meant: a mapping from times to values, annotated ``History[T]``.

    Of its ``figures``, ``every`` is the time between two events of a row, as ``"1min"``; ``size``,
    ``max_size`` and ``keep`` are those of :func:`column`.
    """
    return cast("History[T]", _declared(Shape.HISTORY, qualifier, family, codec, figures=figures))


@declares
def slots(
    family: Family,
    *,
    every: str,
    qualifier: str,
    codec: CellCodec[T] | None = None,
    prefix: str | bytes = b"",
    **figures: Unpack[SizeFigures],
) -> Slots[T]:
    """A column for each slot of the row's bucket, annotated ``Slots[T]``: a mapping from times to values.

    ``every`` is the length of a slot (``"15min"``), ``qualifier`` the format of its name
    (``"%H%M"``: ``0000`` to ``2345``), behind ``prefix``.
    """
    found = _declared(Shape.SLOTS, prefix, family, codec, every=every, slot_names=qualifier, figures=figures)
    return cast("Slots[T]", found)


@declares
def marks(
    family: Family, names: KeyCodec[T], *, prefix: str | bytes = b"", **figures: Unpack[MarkFigures]
) -> History[T]:
    """Events whose value is the qualifier, by the codec ``names``, of an empty cell, and whose time is its timestamp.

    Annotated ``History[T]``. Saves the value of each cell; equal values share a column.
    Of its ``figures``, ``every`` is the time between two events of a row.
    """
    return cast("History[T]", _declared(Shape.MARKS, prefix, family, None, names=names, figures=figures))


@overload
def mapping(
    family: Family,
    names: KeyCodec[K],
    *,
    codec: CellCodec[V],
    prefix: str | bytes = b"",
    **figures: Unpack[MappingFigures],
) -> dict[K, V]: ...
@overload
def mapping(
    family: Family, names: KeyCodec[K], *, prefix: str | bytes = b"", **figures: Unpack[MappingFigures]
) -> dict[K, Any]: ...
@declares
def mapping(
    family: Family,
    names: KeyCodec[Any],
    *,
    codec: CellCodec[Any] | None = None,
    prefix: str | bytes = b"",
    **figures: Unpack[MappingFigures],
) -> Any:
    """A family as a mapping, annotated ``dict[K, V]``: a column for each entry.

    The qualifier is the entry's key, by the codec ``names``, behind ``prefix``. Entries
    that are written are added to those that are there. Of its ``figures``, ``entries`` is the
    most that a row has; ``size``, ``max_size`` and ``keep`` are those of :func:`column`.
    """
    return _declared(Shape.MAPPING, prefix, family, codec, names=names, figures=figures)


@declares
def members(
    family: Family, names: KeyCodec[K], *, prefix: str | bytes = b"", **figures: Unpack[MemberFigures]
) -> set[K]:
    """A family as a set, annotated ``set[K]``: an empty cell for each member, whose qualifier it is.

    Of its ``figures``, ``entries`` is the most members that a row has.
    """
    return cast("set[K]", _declared(Shape.MEMBERS, prefix, family, None, names=names, figures=figures))


@declares
def counter(
    qualifier: str | bytes,
    family: Family,
    *,
    init: Literal[False] = False,
    **figures: Unpack[CounterFigures],
) -> int | None:
    """A number of an aggregate family, which is added to (``repository.add``) and never written.

    Annotated ``int | None``; None where nothing was added yet. All of it lies in one cell,
    at timestamp 0. Of its ``figures``, ``increments`` is how often the cell of one row is added to, as ``"200/min"``.
    """
    return cast("int | None", _declared(Shape.COUNTER, qualifier, family, Int64(), None, figures=figures))


@overload
def timestamp() -> datetime: ...
@overload
def timestamp(*, default: None) -> datetime | None: ...
@declares
def timestamp(*, default: Required | None = REQUIRED) -> Any:
    """A time that lies in the timestamps of the row's plain cells, and in no cell of its own.

    With ``default=None`` a row without it gets the time of writing. A row that is read
    has the newest timestamp of its plain cells.
    """
    if default is not None and default is not REQUIRED:
        raise DeclarationError(
            f"{here()}: timestamp: the only default is None (the time of writing), got {default!r}"
        )
    return TimestampDeclaration(default, here())


def _declared(
    shape: Shape,
    qualifier: str | bytes,
    family: Family,
    codec: CellCodec[Any] | None,
    default: Required | None = REQUIRED,
    *,
    names: KeyCodec[Any] | None = None,
    every: str | None = None,
    slot_names: str | None = None,
    figures: Mapping[str, Any] | None = None,
) -> Any:
    location = here(3)
    raw = as_bytes(qualifier)
    function = "column" if shape is Shape.VALUE else shape.name.lower()
    if raw is None:
        wanted = "a qualifier" if shape in (Shape.VALUE, Shape.HISTORY, Shape.COUNTER) else "a prefix"
        raise DeclarationError(f"{location}: {function}: wanted {wanted}, text or bytes, got {qualifier!r}")
    what = f"{location}: {function} {qualifier!r}" if raw else f"{location}: {function}"
    if not isinstance(family, Family):
        raise DeclarationError(f"{what}: wanted a family(...), got {family!r}")
    if codec is not None and not isinstance(codec, CellCodec):
        raise DeclarationError(f"{what}: wanted a cell codec, got {codec!r}")
    if default is not None and default is not REQUIRED:
        raise DeclarationError(f"{what}: the only default is None (an absent cell), got {default!r}")
    if shape in (Shape.MARKS, Shape.MAPPING, Shape.MEMBERS) and not isinstance(names, KeyCodec):
        raise DeclarationError(
            f"{what}: wanted a codec of qualifiers such as Text(max_length=20), got {names!r}"
        )
    return ColumnDeclaration(
        shape, raw, family, codec, default, figures or {}, location, names, every, slot_names
    )
