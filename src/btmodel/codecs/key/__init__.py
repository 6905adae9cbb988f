"""Codecs of row-key fields. To add one: a file, and its name in the three lists here, which a test holds together."""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

_HOMES = {
    "btmodel.codecs.key.base": "AsInKey KeyCodec Kind Length Order",
    "btmodel.codecs.key.binary": "Base58 Base64 Bytes Hex HexDigest HexInt",
    "btmodel.codecs.key.calendar": "DateText TimeText",
    "btmodel.codecs.key.choice": "Boolean Constant EnumText",
    "btmodel.codecs.key.combined": "Descending LengthPrefixed Repeated",
    "btmodel.codecs.key.epoch": (
        "EpochMicros EpochMillis EpochSeconds ReversedMicros ReversedMillis ReversedSeconds"
    ),
    "btmodel.codecs.key.escaped": "EscapedBytes EscapedText",
    "btmodel.codecs.key.integer": "BigEndian Int LittleEndian OrderedInt PaddedInt ReversedDigits",
    "btmodel.codecs.key.text": "ReversedDomain Text",
    "btmodel.codecs.key.uuids": "UuidRaw UuidText",
    "btmodel.codecs.key.week": "IsoWeek Week",
}

if TYPE_CHECKING:
    from btmodel.codecs.key.base import AsInKey, KeyCodec, Kind, Length, Order
    from btmodel.codecs.key.binary import Base58, Base64, Bytes, Hex, HexDigest, HexInt
    from btmodel.codecs.key.calendar import DateText, TimeText
    from btmodel.codecs.key.choice import Boolean, Constant, EnumText
    from btmodel.codecs.key.combined import Descending, LengthPrefixed, Repeated
    from btmodel.codecs.key.epoch import (
        EpochMicros,
        EpochMillis,
        EpochSeconds,
        ReversedMicros,
        ReversedMillis,
        ReversedSeconds,
    )
    from btmodel.codecs.key.escaped import EscapedBytes, EscapedText
    from btmodel.codecs.key.integer import BigEndian, Int, LittleEndian, OrderedInt, PaddedInt, ReversedDigits
    from btmodel.codecs.key.text import ReversedDomain, Text
    from btmodel.codecs.key.uuids import UuidRaw, UuidText
    from btmodel.codecs.key.week import IsoWeek, Week
else:
    __getattr__, __dir__ = load_on_demand(__name__, _HOMES)

__all__ = [
    "AsInKey",
    "Base58",
    "Base64",
    "BigEndian",
    "Boolean",
    "Bytes",
    "Constant",
    "DateText",
    "Descending",
    "EnumText",
    "EpochMicros",
    "EpochMillis",
    "EpochSeconds",
    "EscapedBytes",
    "EscapedText",
    "Hex",
    "HexDigest",
    "HexInt",
    "Int",
    "IsoWeek",
    "KeyCodec",
    "Kind",
    "Length",
    "LengthPrefixed",
    "LittleEndian",
    "Order",
    "OrderedInt",
    "PaddedInt",
    "Repeated",
    "ReversedDigits",
    "ReversedDomain",
    "ReversedMicros",
    "ReversedMillis",
    "ReversedSeconds",
    "Text",
    "TimeText",
    "UuidRaw",
    "UuidText",
    "Week",
]
