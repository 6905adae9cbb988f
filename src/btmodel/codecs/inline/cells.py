"""Cell codecs as expressions of bytes."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from struct import Struct
from typing import Any
from uuid import UUID

from attrs import Factory, frozen

from btmodel.codecs.cell import (
    CellCodec,
    DecimalNumber,
    DecimalText,
    EnumValue,
    Flag,
    Float64,
    Int64,
    IsoDate,
    Micros,
    Raw,
    Utf8,
    UuidBytes,
)
from btmodel.codecs.inline.memo import Memo
from btmodel.codecs.time import EPOCH
from btmodel.errors import ValueRefused

_INT64 = Struct(">q")
_FLOAT64 = Struct(">d")
_MICROSECOND = timedelta(microseconds=1)
_LEAST = (datetime.min.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND
_MOST = (datetime.max.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND


@frozen
class InlineCell:
    """One cell codec as expressions; ``$`` stands for the variable, ``$_`` for another of its own.

    Where ``takes`` is true of a value, ``written`` is its bytes, as the codec's. ``read`` is
    the value of bytes for which ``holds`` is true; it may raise for others, but never gives a value
    where the codec would refuse. ``size`` is the number of bytes of every value, where it is fixed.
    Where such bytes are a number of some ``layout``, that is what ``$`` stands for in ``read``.
    ``names`` are what the expressions refer to.
    """

    takes: str
    written: str
    read: str
    holds: str = ""
    size: int | None = None
    layout: Struct | None = None
    names: Mapping[str, Any] = Factory(dict)


def cell_inline(codec: CellCodec[Any]) -> InlineCell | None:
    """The expressions of ``codec``; None where it must be called."""
    found = _CELLS.get(type(codec))
    return found(codec) if callable(found) else found


def _enum(codec: EnumValue) -> InlineCell | None:
    """Both ways are tables: the members are few."""
    written = {}
    for member in codec.enum:
        with suppress(ValueRefused):
            written[member] = codec.encode(member)
    read = {raw: codec.decode(raw) for raw in written.values()}
    sizes = {len(raw) for raw in read}
    return InlineCell(
        takes="type($) is enum_$",
        written="written_$[$]",
        read="read_$[$]",
        size=sizes.pop() if len(sizes) == 1 else None,
        names={"enum_$": codec.enum, "written_$": written, "read_$": read},
    )


def _remembered(codec: CellCodec[Any]) -> InlineCell:
    """Decoding is looked up: days come again and again."""
    return InlineCell(
        takes="type($) is date_$",
        written="$.isoformat().encode()",
        read="read_$[$]",
        size=10,
        names={"date_$": codec.python_type, "read_$": Memo(codec.decode)},
    )


_CELLS: dict[type, InlineCell | Callable[[Any], InlineCell | None]] = {
    Utf8: InlineCell(takes="type($) is str", written="$.encode()", read="$.decode()"),
    Raw: InlineCell(takes="type($) is bytes", written="$", read="$"),
    Int64: InlineCell(
        takes="type($) is int",
        written="pack_int64($)",
        read="$",
        size=8,
        layout=_INT64,
        names={"pack_int64": _INT64.pack},
    ),
    Float64: InlineCell(
        takes="type($) is float",
        written="pack_float64($)",
        read="$",
        size=8,
        layout=_FLOAT64,
        names={"pack_float64": _FLOAT64.pack},
    ),
    Flag: InlineCell(
        takes="type($) is bool",
        written='(b"\\x01" if $ else b"\\x00")',
        read="flags[$]",
        size=1,
        names={"flags": {b"\0": False, b"\1": True}},
    ),
    # Written anew, a number proves its digits: `int` also takes signs, spaces and underscores.
    DecimalText: InlineCell(
        takes="type($) is int and -1_000_000_000_000 < $ < 1_000_000_000_000",
        written='b"%d" % $',
        read="$_",
        holds='len($) < 14 and b"%d" % ($_ := int($)) == $',
    ),
    DecimalNumber: InlineCell(
        takes="type($) is Decimal and $.is_finite()",
        written="str($).encode()",
        read="decimals[$]",
        names={"Decimal": Decimal, "decimals": Memo(DecimalNumber().decode)},
    ),
    Micros: InlineCell(
        takes="type($) is datetime and least_micros <= ($_ := ($ - EPOCH) // MICROSECOND) <= most_micros",
        written="pack_int64($_)",
        read="EPOCH + timedelta(0, 0, $)",
        size=8,
        layout=_INT64,
        names={
            "datetime": datetime,
            "timedelta": timedelta,
            "EPOCH": EPOCH,
            "MICROSECOND": _MICROSECOND,
            "least_micros": _LEAST,
            "most_micros": _MOST,
            "pack_int64": _INT64.pack,
        },
    ),
    IsoDate: _remembered,
    UuidBytes: InlineCell(
        takes="type($) is UUID",
        written="$.bytes",
        read="UUID(bytes=$)",
        size=16,
        names={"UUID": UUID},
    ),
    EnumValue: _enum,
}
