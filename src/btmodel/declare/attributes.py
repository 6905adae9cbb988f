"""Declaring functions of families, columns, counters, collections and timestamps, and of what views take."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, TypeVar, Unpack, cast, overload

from btmodel.codecs import cell as cell_codecs
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec
from btmodel.declare.declarations import (
    REQUIRED,
    ColumnDeclaration,
    ColumnFigures,
    CounterFigures,
    CountersFigures,
    HistoriesFigures,
    HistoryFigures,
    MappingFigures,
    MarkFigures,
    MemberFigures,
    RefusedDeclaration,
    Required,
    SizeFigures,
    TakenDeclaration,
    TimestampDeclaration,
    as_bytes,
    declares,
    default_of,
    former_qualifier,
    here,
    other_qualifiers,
)
from btmodel.errors import DeclarationError, shown
from btmodel.rows.collections import History, Slots, Timed
from btmodel.schema import Aggregate, Family, GcRule, Location, Shape
from btmodel.schema.limits import FAMILY_ID, FAMILY_ID_MEANING

# These functions are typed for the reader of the model: ``column`` seems to return the value of the attribute. What they do
# return is a record of the declaration, which the metaclass turns into the schema. Those of key fields (key_fields.py) do so, too.
T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


@overload
def column(
    qualifier: str | bytes,
    family: Family,
    *,
    codec: CellCodec[T],
    default: None,
    also: str | bytes | Iterable[str | bytes] = (),
    renamed_from: str | bytes | None = None,
    **figures: Unpack[ColumnFigures],
) -> T | None: ...
@overload
def column(
    qualifier: str | bytes,
    family: Family,
    *,
    codec: CellCodec[T],
    default: T = ...,
    also: str | bytes | Iterable[str | bytes] = (),
    renamed_from: str | bytes | None = None,
    **figures: Unpack[ColumnFigures],
) -> T: ...
@overload
def column(
    qualifier: str | bytes,
    family: Family,
    *,
    codec: CellCodec[T],
    default_factory: Callable[[], T],
    also: str | bytes | Iterable[str | bytes] = (),
    renamed_from: str | bytes | None = None,
    **figures: Unpack[ColumnFigures],
) -> T: ...
@overload
def column(
    qualifier: str | bytes,
    family: Family,
    *,
    also: str | bytes | Iterable[str | bytes] = (),
    renamed_from: str | bytes | None = None,
    **figures: Unpack[ColumnFigures],
) -> Any: ...
@overload
def column(
    qualifier: str | bytes,
    family: Family,
    *,
    default: T,
    also: str | bytes | Iterable[str | bytes] = (),
    renamed_from: str | bytes | None = None,
    **figures: Unpack[ColumnFigures],
) -> T: ...
@overload
def column(
    qualifier: str | bytes,
    family: Family,
    *,
    default_factory: Callable[[], T],
    also: str | bytes | Iterable[str | bytes] = (),
    renamed_from: str | bytes | None = None,
    **figures: Unpack[ColumnFigures],
) -> T: ...
@declares
def column(
    qualifier: str | bytes,
    family: Family,
    *,
    codec: CellCodec[Any] | None = None,
    default: Any = REQUIRED,
    default_factory: Callable[[], Any] | None = None,
    also: str | bytes | Iterable[str | bytes] = (),
    renamed_from: str | bytes | None = None,
    **figures: Unpack[ColumnFigures],
) -> Any:
    """A column: one value, in the newest cell of ``family`` and ``qualifier``.

    Without ``codec``, the annotation chooses it (``int`` is 64-bit big-endian, ``str``
    UTF-8, and so on). With ``default=None`` the attribute is None where the cell is absent.
    Any other ``default``, or what ``default_factory`` gives, is what a new row has that is made without the
    attribute; it changes nothing in what is read.

    Where the cell is absent, the value is read from the qualifiers ``also``, the first of them that has a cell. They are not
    written; what clears the column clears them as well. ``renamed_from`` is the qualifier that the column had until now: it is read like
    ``also``, in front of it, and ``btmodel migrate new`` writes the step that moves its cells.

    The ``figures`` are what the review reasons with. ``size`` and ``max_size`` are the bytes of
    a typical value and of the largest; ``cardinality`` is how many distinct values are
    expected; ``keep`` is what this column wants to be kept, as a GC rule; ``increments`` is how often the
    cell of one row is added to, as ``"200/min"``.
    """
    made = default_of(f"{here()}: column {qualifier!r}", default, default_factory)
    return _declared(
        Shape.VALUE, qualifier, family, codec, made, figures=figures, also=also, renamed_from=renamed_from
    )


@declares
def history(
    qualifier: str | bytes,
    family: Family,
    *,
    codec: CellCodec[T] | None = None,
    round: bool = False,
    **figures: Unpack[HistoryFigures],
) -> History[T]:
    """A column whose versions are all data: a mapping from times to values, annotated ``History[T]``.

    A time finer than a millisecond is refused, or, with ``round``, taken for the millisecond that it lies in.
    Of its ``figures``, ``every`` is the time between two events of a row, as ``"1min"``; ``size``,
    ``max_size`` and ``keep`` are those of :func:`column`.
    """
    return cast(
        "History[T]", _declared(Shape.HISTORY, qualifier, family, codec, figures=figures, round=round)
    )


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
    family: Family,
    names: KeyCodec[T],
    *,
    prefix: str | bytes = b"",
    round: bool = False,
    **figures: Unpack[MarkFigures],
) -> History[T]:
    """Events, each an empty cell: its qualifier is the value, in the codec ``names``, and its timestamp the time.

    Annotated ``History[T]``. Saves the value of each cell; equal values share a column.
    Of its ``figures``, ``every`` is the time between two events of a row. ``round`` is as for :func:`history`.
    """
    found = _declared(Shape.MARKS, prefix, family, None, names=names, figures=figures, round=round)
    return cast("History[T]", found)


@overload
def mapping(
    family: Family,
    names: KeyCodec[K],
    *,
    codec: CellCodec[V],
    prefix: str | bytes = b"",
    keep_undecoded: bool = False,
    **figures: Unpack[MappingFigures],
) -> dict[K, V]: ...
@overload
def mapping(
    family: Family,
    names: KeyCodec[K],
    *,
    prefix: str | bytes = b"",
    keep_undecoded: bool = False,
    **figures: Unpack[MappingFigures],
) -> dict[K, Any]: ...
@declares
def mapping(
    family: Family,
    names: KeyCodec[Any],
    *,
    codec: CellCodec[Any] | None = None,
    prefix: str | bytes = b"",
    keep_undecoded: bool = False,
    **figures: Unpack[MappingFigures],
) -> Any:
    """A family as a mapping, annotated ``dict[K, V]``: a column for each entry.

    The qualifier is the entry's key, by the codec ``names``, behind ``prefix``. Entries
    that are written are added to those that are there. With ``keep_undecoded=True`` an entry that does not
    decode is no error, but one of :func:`btmodel.unknown_cells`. Of its ``figures``, ``entries`` is the
    most that a row has; ``size``, ``max_size`` and ``keep`` are those of :func:`column`.
    """
    return _declared(
        Shape.MAPPING, prefix, family, codec, names=names, figures=figures, keep_undecoded=keep_undecoded
    )


@declares
def histories(
    family: Family,
    names: KeyCodec[K],
    *,
    codec: CellCodec[V] | None = None,
    prefix: str | bytes = b"",
    keep_undecoded: bool = False,
    round: bool = False,
    **figures: Unpack[HistoriesFigures],
) -> dict[K, History[V]]:
    """A family as a mapping of histories, annotated ``dict[K, History[V]]``: a column for each entry, whose versions are all data.

    Otherwise as :func:`mapping`; of its ``figures``, ``entries`` is the most entries that a row has, and ``every`` the time between
    two versions of an entry, as ``"1day"``. ``round`` is as for :func:`history`.
    """
    found = _declared(
        Shape.HISTORIES,
        prefix,
        family,
        codec,
        names=names,
        figures=figures,
        keep_undecoded=keep_undecoded,
        round=round,
    )
    return cast("dict[K, History[V]]", found)


@declares
def timed(
    family: Family,
    names: KeyCodec[K],
    *,
    codec: CellCodec[V] | None = None,
    prefix: str | bytes = b"",
    keep_undecoded: bool = False,
    round: bool = False,
    **figures: Unpack[MappingFigures],
) -> dict[K, Timed[V]]:
    """A family as a mapping whose entries have times, annotated ``dict[K, Timed[V]]``: the timestamp of a cell is data.

    The newest cell of an entry is read, so an entry that is written late never replaces one of a later time. Otherwise as
    :func:`mapping`; ``round`` is as for :func:`history`.
    """
    found = _declared(
        Shape.TIMED,
        prefix,
        family,
        codec,
        names=names,
        figures=figures,
        keep_undecoded=keep_undecoded,
        round=round,
    )
    return cast("dict[K, Timed[V]]", found)


@declares
def members(
    family: Family,
    names: KeyCodec[K],
    *,
    prefix: str | bytes = b"",
    keep_undecoded: bool = False,
    **figures: Unpack[MemberFigures],
) -> set[K]:
    """A family as a set, annotated ``set[K]``: an empty cell for each member, whose qualifier it is.

    ``keep_undecoded`` is as for :func:`mapping`. Of its ``figures``, ``entries`` is the most members that a row has.
    """
    found = _declared(
        Shape.MEMBERS, prefix, family, None, names=names, figures=figures, keep_undecoded=keep_undecoded
    )
    return cast("set[K]", found)


@overload
def counter(
    qualifier: str | bytes,
    family: Family,
    *,
    init: Literal[False] = False,
    **figures: Unpack[CounterFigures],
) -> int | None: ...
@overload
def counter(
    qualifier: str | bytes,
    family: Family,
    *,
    every: str,
    init: Literal[False] = False,
    **figures: Unpack[CounterFigures],
) -> History[int]: ...
@declares
def counter(
    qualifier: str | bytes,
    family: Family,
    *,
    every: str | None = None,
    init: Literal[False] = False,
    **figures: Unpack[CounterFigures],
) -> Any:
    """A number of an aggregate family, which is added to (``repository.add``) and never written.

    Annotated ``int | None``; None where nothing was added yet. All of it lies in one cell, at timestamp 0, so its
    family must keep cells of any age.

    With ``every``, a length of time such as ``"1h"`` or ``"1day"``, it is annotated ``History[int]``: a number for each
    span of that length, counted from 1970-01-01 in UTC. The number of a span lies in a cell of its own, whose timestamp is the
    start of the span, so a rule of its family, as ``gc=max_age(days=30)``, lets old spans end.

    Of its ``figures``, ``increments`` is how often the cell of one row is added to, as ``"200/min"``.
    """
    shape, default = (Shape.COUNTER, None) if every is None else (Shape.COUNTS, REQUIRED)
    return _declared(shape, qualifier, family, cell_codecs.Int64(), default, every=every, figures=figures)


@declares
def counters(
    family: Family,
    names: KeyCodec[K],
    *,
    prefix: str | bytes = b"",
    keep_undecoded: bool = False,
    init: Literal[False] = False,
    **figures: Unpack[CountersFigures],
) -> dict[K, int]:
    """Numbers of an aggregate family, annotated ``dict[K, int]``: a :func:`counter` for each entry, whose key is the qualifier.

    An entry begins when it is first added to, ``repository.add(key, likes={"heart": 1})``. ``prefix`` and ``keep_undecoded``
    are as for :func:`mapping`. Of its ``figures``, ``entries`` is the most entries that a row has, and ``increments`` how often
    the entries of one row are added to.
    """
    found = _declared(
        Shape.COUNTERS,
        prefix,
        family,
        cell_codecs.Int64(),
        names=names,
        figures=figures,
        keep_undecoded=keep_undecoded,
    )
    return cast("dict[K, int]", found)


@overload
def timestamp(*, round: bool = False) -> datetime: ...
@overload
def timestamp(*, default: None, round: bool = False) -> datetime | None: ...
@overload
def timestamp(*, default_factory: Callable[[], datetime], round: bool = False) -> datetime: ...
@declares
def timestamp(
    *,
    default: Required | None = REQUIRED,
    default_factory: Callable[[], datetime] | None = None,
    round: bool = False,
) -> Any:
    """A time that is stored in the timestamps of the row's plain cells, without a cell of its own.

    With ``default=None`` a row without it gets the time of writing; with ``default_factory`` what that gives when the
    row is made. A row that is read has the newest timestamp of its plain cells. Timestamps are whole milliseconds: a finer
    time is refused, or, with ``round``, taken for the millisecond that it lies in.
    """
    if default is not None and default is not REQUIRED:
        raise DeclarationError(
            f"{here()}: timestamp: the only default is None (the time of writing), got {default!r}"
        )
    return _timestamp("timestamp", default, default_factory, round)


@declares
def expires(*, default_factory: Callable[[], datetime] | None = None, round: bool = False) -> datetime:
    """The end of a row's life: a time that is stored in the timestamps of the row's plain cells, without a cell of its own.

    What has come to it, by the clock of the reader, is in no read, does not exist, and is absent for conditions,
    whether the service has deleted it yet or not: ``gc=bt.max_age(seconds=1)`` lets it. ``default_factory`` gives the end of a
    new row that is made without one. There is no ``default=None``: a row without an end would have the time of
    writing, and never be read. ``round`` is as for :func:`timestamp`.
    """
    return cast("datetime", _timestamp("expires", REQUIRED, default_factory, round, expires=True))


def _timestamp(
    function: str, default: object, default_factory: object, round: object, *, expires: bool = False
) -> TimestampDeclaration:
    location = here(3)
    what = f"{location}: {function}"
    if type(round) is not bool:
        raise DeclarationError(f"{what}: round: expected True or False, got {shown(round)}")
    return TimestampDeclaration(default_of(what, default, default_factory), location, expires, round)


def _declared(
    shape: Shape,
    qualifier: str | bytes,
    family: Family,
    codec: CellCodec[Any] | None,
    default: Any = REQUIRED,
    *,
    names: KeyCodec[Any] | None = None,
    every: str | None = None,
    slot_names: str | None = None,
    figures: Mapping[str, Any] | None = None,
    keep_undecoded: bool = False,
    also: str | bytes | Iterable[str | bytes] = (),
    renamed_from: str | bytes | None = None,
    round: bool = False,
) -> Any:
    location = here(3)
    raw = as_bytes(qualifier)
    function = shape.function
    if raw is None:
        wanted = "a prefix" if shape.open else "a qualifier"
        raise DeclarationError(f"{location}: {function}: expected {wanted}, text or bytes, got {qualifier!r}")
    place = f"{location}: {function} {qualifier!r}" if raw else f"{location}: {function}"
    if isinstance(family, RefusedDeclaration):
        return RefusedDeclaration(None, location)
    if not isinstance(family, Family):
        raise DeclarationError(f"{place}: expected a family(...), got {family!r}")
    _refuse_other_codec(place, codec)
    if codec is not None and codec.of_entries and (shape.empty or not shape.entered):
        raise DeclarationError(f"{place}: PerEntry is a codec of mappings, whose entries have keys")
    for name, stated in (("keep_undecoded", keep_undecoded), ("round", round)):
        if type(stated) is not bool:
            raise DeclarationError(f"{place}: {name}: expected True or False, got {stated!r}")
    if shape.named and not isinstance(names, KeyCodec):
        raise DeclarationError(
            f"{place}: expected a codec of qualifiers such as Text(max_length=20), got {names!r}"
        )
    former = former_qualifier(place, raw, renamed_from)
    return ColumnDeclaration(
        shape,
        raw,
        family,
        codec,
        default,
        figures or {},
        location,
        names=names,
        every=every,
        slot_names=slot_names,
        keep_undecoded=keep_undecoded,
        also=other_qualifiers(place, raw, also, former),
        renamed_from=former,
        round=round,
    )


def _refuse_other_codec(what: str, codec: object) -> None:
    if codec is not None and not isinstance(codec, CellCodec):
        fix = f": write AsInKey({shown(codec)})" if isinstance(codec, KeyCodec) else ""
        raise DeclarationError(f"{what}: expected a cell codec, got {shown(codec)}{fix}")


@declares
def family(
    id: str, *, gc: GcRule | None = None, aggregate: str | None = None, renamed_from: str | None = None
) -> Family:
    """A column family: its id in the table and its garbage-collection rule, which must be stated.

    A name in braces, as in ``"{tenant}"``, is filled in when the repository is made.
    ``aggregate`` ("sum", "min" or "max") makes it a family of numbers that are added to
    at write time; its columns are declared with :func:`counter`. ``renamed_from`` is the
    id of the family of the same table whose cells this one takes over.
    """
    if not isinstance(id, str):
        raise DeclarationError(f"{here()}: family: expected its id as text, got {id!r}")
    if gc is not None and not isinstance(gc, GcRule):
        raise DeclarationError(
            f"{here()}: family {id!r}: expected a rule such as max_versions(1), got {gc!r}"
        )
    return Family(id, gc, _aggregate(id, aggregate), _former(id, renamed_from), location=here())


def _aggregate(id: str, value: str | None) -> Aggregate | None:
    try:
        return None if value is None else Aggregate(value)
    except ValueError:
        names = ", ".join(aggregate.value for aggregate in Aggregate)
        raise DeclarationError(
            f"{here(3)}: family {id!r}: aggregate: expected one of {names}, got {value!r}"
        ) from None


def _former(id: str, value: object) -> str | None:
    if value is None:
        return None
    what = f"{here(3)}: family {id!r}: renamed_from"
    if not isinstance(value, str) or not FAMILY_ID.fullmatch(value):
        raise DeclarationError(f"{what}: expected the id that it had ({FAMILY_ID_MEANING}), got {value!r}")
    if value == id:
        raise DeclarationError(f"{what}: expected the id that it had before, got its own")
    return value


@declares
def covered(of: str | None = None) -> Any:
    """A copy of an attribute of the table's model, in the same codec: of the one called ``of``, or of the same name.

    One that is a key field there is a key field here.
    """
    return TakenDeclaration(_taken_name("covered", of, here()), None, here())


@declares
def count(of: str | None = None) -> Any:
    """The number of rows of a group; with ``of``, of those that have this attribute. An ``int``."""
    return TakenDeclaration(_taken_name("count", of, here()), "count", here())


@declares
def sum_of(of: str) -> Any:
    """The sum of an attribute over the rows of a group: an int, or a float; None where no row has it."""
    return TakenDeclaration(_taken_name("sum_of", of, here()), "sum", here())


@declares
def min_of(of: str) -> Any:
    """The least value of an attribute in a group: an int, a float, a text or a time; None where no row has it."""
    return TakenDeclaration(_taken_name("min_of", of, here()), "min", here())


@declares
def max_of(of: str) -> Any:
    """The greatest value of an attribute in a group: an int, a float, a text or a time; None where no row has it."""
    return TakenDeclaration(_taken_name("max_of", of, here()), "max", here())


@declares
def average_of(of: str) -> Any:
    """The mean of an attribute over the rows of a group that have it, a float; None where no row has it."""
    return TakenDeclaration(_taken_name("average_of", of, here()), "average", here())


@declares
def distinct_of(of: str) -> Any:
    """About how many different values an attribute has in a group, an int: HyperLogLog++ is within a few percent."""
    return TakenDeclaration(_taken_name("distinct_of", of, here()), "distinct", here())


def _taken_name(function: str, of: object, location: Location) -> str | None:
    if of is not None and not isinstance(of, str):
        raise DeclarationError(f"{location}: {function}: expected the name of an attribute, got {shown(of)}")
    return of
