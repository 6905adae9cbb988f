"""Codecs of row-key fields. To add one: a file, and its name in the table here; then ``make format``."""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

if not TYPE_CHECKING:
    __getattr__, __dir__, __all__ = load_on_demand(
        __name__,
        {
            "btmodel.codecs.key.base": "AsInKey KeyCodec Kind Length Order",
            "btmodel.codecs.key.binary": "Base58 Base64 Bytes Hex HexDigest HexInt UuidRaw UuidText",
            "btmodel.codecs.key.calendar": "DateText IsoTimeText IsoWeek TimeText Week",
            "btmodel.codecs.key.combined": "Descending LengthPrefixed MappedKey Repeated",
            "btmodel.codecs.key.epoch": (
                "EpochBucket EpochMicros EpochMillis EpochNanos EpochSeconds ReversedMicros ReversedMillis ReversedSeconds TimeBytes"
            ),
            "btmodel.codecs.key.integer": "BigEndian Int LittleEndian OrderedInt PaddedInt ReversedDigits VarInt",
            "btmodel.codecs.key.joined": "Joined OrderedCode",
            "btmodel.codecs.key.text": "Boolean Constant EnumText EscapedBytes EscapedText ReversedDomain Text",
        },
    )
else:  # written by codegen/public_names.py
    from btmodel.codecs.key.base import AsInKey as AsInKey
    from btmodel.codecs.key.base import KeyCodec as KeyCodec
    from btmodel.codecs.key.base import Kind as Kind
    from btmodel.codecs.key.base import Length as Length
    from btmodel.codecs.key.base import Order as Order
    from btmodel.codecs.key.binary import Base58 as Base58
    from btmodel.codecs.key.binary import Base64 as Base64
    from btmodel.codecs.key.binary import Bytes as Bytes
    from btmodel.codecs.key.binary import Hex as Hex
    from btmodel.codecs.key.binary import HexDigest as HexDigest
    from btmodel.codecs.key.binary import HexInt as HexInt
    from btmodel.codecs.key.binary import UuidRaw as UuidRaw
    from btmodel.codecs.key.binary import UuidText as UuidText
    from btmodel.codecs.key.calendar import DateText as DateText
    from btmodel.codecs.key.calendar import IsoTimeText as IsoTimeText
    from btmodel.codecs.key.calendar import IsoWeek as IsoWeek
    from btmodel.codecs.key.calendar import TimeText as TimeText
    from btmodel.codecs.key.calendar import Week as Week
    from btmodel.codecs.key.combined import Descending as Descending
    from btmodel.codecs.key.combined import LengthPrefixed as LengthPrefixed
    from btmodel.codecs.key.combined import MappedKey as MappedKey
    from btmodel.codecs.key.combined import Repeated as Repeated
    from btmodel.codecs.key.epoch import EpochBucket as EpochBucket
    from btmodel.codecs.key.epoch import EpochMicros as EpochMicros
    from btmodel.codecs.key.epoch import EpochMillis as EpochMillis
    from btmodel.codecs.key.epoch import EpochNanos as EpochNanos
    from btmodel.codecs.key.epoch import EpochSeconds as EpochSeconds
    from btmodel.codecs.key.epoch import ReversedMicros as ReversedMicros
    from btmodel.codecs.key.epoch import ReversedMillis as ReversedMillis
    from btmodel.codecs.key.epoch import ReversedSeconds as ReversedSeconds
    from btmodel.codecs.key.epoch import TimeBytes as TimeBytes
    from btmodel.codecs.key.integer import BigEndian as BigEndian
    from btmodel.codecs.key.integer import Int as Int
    from btmodel.codecs.key.integer import LittleEndian as LittleEndian
    from btmodel.codecs.key.integer import OrderedInt as OrderedInt
    from btmodel.codecs.key.integer import PaddedInt as PaddedInt
    from btmodel.codecs.key.integer import ReversedDigits as ReversedDigits
    from btmodel.codecs.key.integer import VarInt as VarInt
    from btmodel.codecs.key.joined import Joined as Joined
    from btmodel.codecs.key.joined import OrderedCode as OrderedCode
    from btmodel.codecs.key.text import Boolean as Boolean
    from btmodel.codecs.key.text import Constant as Constant
    from btmodel.codecs.key.text import EnumText as EnumText
    from btmodel.codecs.key.text import EscapedBytes as EscapedBytes
    from btmodel.codecs.key.text import EscapedText as EscapedText
    from btmodel.codecs.key.text import ReversedDomain as ReversedDomain
    from btmodel.codecs.key.text import Text as Text
