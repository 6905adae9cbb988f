"""Codecs of row-key fields. To add one: a file, and its name in the three lists here, which a test holds together."""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

_HOMES = {
    "btmodel.codecs.key.base": "AsInKey KeyCodec Kind Length Order",
    "btmodel.codecs.key.base_encoded": "Base58 Base64",
    "btmodel.codecs.key.binary": "Bytes",
    "btmodel.codecs.key.calendar": "DateText TimeText",
    "btmodel.codecs.key.choice": "Boolean EnumText",
    "btmodel.codecs.key.constant": "Constant",
    "btmodel.codecs.key.descending": "Descending",
    "btmodel.codecs.key.domain": "ReversedDomain",
    "btmodel.codecs.key.epoch": "EpochMicros EpochMillis EpochSeconds",
    "btmodel.codecs.key.escaped": "EscapedBytes EscapedText",
    "btmodel.codecs.key.hexadecimal": "Hex HexDigest HexInt",
    "btmodel.codecs.key.integer": "Int PaddedInt ReversedDigits",
    "btmodel.codecs.key.iso_week": "IsoWeek",
    "btmodel.codecs.key.length_prefixed": "LengthPrefixed",
    "btmodel.codecs.key.machine_integer": "BigEndian LittleEndian",
    "btmodel.codecs.key.ordered_integer": "OrderedInt",
    "btmodel.codecs.key.repeated": "Repeated",
    "btmodel.codecs.key.reversed_epoch": "ReversedMicros ReversedMillis ReversedSeconds",
    "btmodel.codecs.key.text": "Text",
    "btmodel.codecs.key.uuids": "UuidRaw UuidText",
    "btmodel.codecs.key.week": "Week",
}

if TYPE_CHECKING:
    from btmodel.codecs.key.base import AsInKey, KeyCodec, Kind, Length, Order
    from btmodel.codecs.key.base_encoded import Base58, Base64
    from btmodel.codecs.key.binary import Bytes
    from btmodel.codecs.key.calendar import DateText, TimeText
    from btmodel.codecs.key.choice import Boolean, EnumText
    from btmodel.codecs.key.constant import Constant
    from btmodel.codecs.key.descending import Descending
    from btmodel.codecs.key.domain import ReversedDomain
    from btmodel.codecs.key.epoch import EpochMicros, EpochMillis, EpochSeconds
    from btmodel.codecs.key.escaped import EscapedBytes, EscapedText
    from btmodel.codecs.key.hexadecimal import Hex, HexDigest, HexInt
    from btmodel.codecs.key.integer import Int, PaddedInt, ReversedDigits
    from btmodel.codecs.key.iso_week import IsoWeek
    from btmodel.codecs.key.length_prefixed import LengthPrefixed
    from btmodel.codecs.key.machine_integer import BigEndian, LittleEndian
    from btmodel.codecs.key.ordered_integer import OrderedInt
    from btmodel.codecs.key.repeated import Repeated
    from btmodel.codecs.key.reversed_epoch import ReversedMicros, ReversedMillis, ReversedSeconds
    from btmodel.codecs.key.text import Text
    from btmodel.codecs.key.uuids import UuidRaw, UuidText
    from btmodel.codecs.key.week import Week
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
