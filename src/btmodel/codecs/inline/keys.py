"""Codecs of row-key fields as expressions of text: a key is written as one f-string."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import Factory, frozen

from btmodel.codecs.inline.memo import Memo
from btmodel.codecs.key import (
    Boolean,
    Constant,
    DateText,
    EnumText,
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    Int,
    KeyCodec,
    PaddedInt,
    ReversedMicros,
    ReversedMillis,
    ReversedSeconds,
    Text,
    TimeText,
)
from btmodel.codecs.key.reversed_epoch import GREATEST
from btmodel.codecs.time import EPOCH

_DAY = 86_400_000_000  # microseconds


@frozen
class InlineKey:
    """One key codec as expressions; ``$`` stands for the variable, ``$_`` for another of its own.

    Where ``takes`` is true of a value, the f-string ``written`` is its text, as the codec's, if that is ASCII:
    whoever uses it looks at the whole key, where ``free`` says that the value's own characters
    stand in it. ``read`` is the value of an ASCII text of as many characters as the codec
    allows for which ``holds`` is true; it may raise for others, but never gives a value where
    the codec would refuse. ``names`` are what the expressions refer to.
    """

    takes: str
    written: str
    read: str
    holds: str = ""
    free: bool = False
    names: Mapping[str, Any] = Factory(dict)


def key_inline(codec: KeyCodec[Any]) -> InlineKey | None:
    """The expressions of ``codec``; None where it must be called."""
    found = _KEYS.get(type(codec))
    return found(codec) if found else None


def _text(codec: Text) -> InlineKey:
    most = codec.length.most
    takes = f"type($) is str and {codec.min_length} <= len($) <= {most} and $.isprintable()"
    if codec.width is None:
        return InlineKey(takes, "{$}", "$", "$.isprintable()", free=True)
    # Padding could not be told apart from a space at the end.
    takes += ' and $[-1] != " "' if codec.min_length else ' and $[-1:] != " "'
    holds = f'len($_ := $.rstrip(" ")) >= {codec.min_length} and $.isprintable()'
    return InlineKey(takes, f"{{$.ljust({most})}}", "$_", holds, free=True)


def _padded(codec: PaddedInt) -> InlineKey:
    takes = f"type($) is int and 0 <= $ <= {codec.most}"
    return InlineKey(takes, f"{{$:0{codec.digits}}}", "int($)", "$.isdigit()")


def _whole(codec: Int) -> InlineKey:
    takes = f"type($) is int and 0 <= $ <= {codec.most}"
    return InlineKey(takes, "{$}", "int($)", '$.isdigit() and ($[0] != "0" or $ == "0")')


def _epoch(codec: EpochSeconds | EpochMillis | EpochMicros) -> InlineKey:
    return InlineKey(
        # From the day on from which no zeros stand on the left.
        takes=_takes_time(
            codec.micros, *(10**digits * codec.micros // _DAY for digits in (codec.digits - 1, codec.digits))
        ),
        written=f"{{{_count(codec.micros)}}}",
        read=f"EPOCH + int($) * unit_{codec.micros}",
        holds="$.isdigit()",
        names=_times(codec.micros),
    )


def _reversed(codec: ReversedSeconds | ReversedMillis | ReversedMicros) -> InlineKey:
    return InlineKey(
        takes=_takes_time(codec.micros, -1, (datetime.max.replace(tzinfo=UTC) - EPOCH).days),
        written=f"{{{GREATEST} - {_count(codec.micros)}}}",
        read=f"EPOCH + ({GREATEST} - int($)) * unit_{codec.micros}",
        holds=f'$.isdigit() and $ <= "{GREATEST}"',
        names=_times(codec.micros),
    )


def _takes_time(micros: int, after: int, before: int) -> str:
    """Of a time: that it lies between two days, counted since 1970, and is whole in the unit of ``micros``."""
    whole = {1: "", 1_000: " and not $_.microseconds % 1000", 1_000_000: " and not $_.microseconds"}[micros]
    return f"type($) is datetime and {after} < ($_ := $ - EPOCH).days < {before}{whole}"


def _count(micros: int) -> str:
    """How many units lie in ``$_``; to divide the whole time by a unit takes longer."""
    fraction = {1: " + $_.microseconds", 1_000: " + $_.microseconds // 1000", 1_000_000: ""}[micros]
    return f"(($_.days * 86400 + $_.seconds) * {1_000_000 // micros}{fraction})"


def _times(micros: int) -> dict[str, Any]:
    return {
        "datetime": datetime,
        "EPOCH": EPOCH,
        f"unit_{micros}": timedelta(microseconds=micros),
    }


def _remembered(codec: KeyCodec[Any]) -> InlineKey:
    """Both ways are looked up: days, minutes and members of enums come again and again."""

    def text(value: Any) -> str:
        return codec.encode(value).decode("ascii")

    def value(text: str) -> Any:
        return codec.decode(text.encode("ascii"))

    return InlineKey(
        # Times of another zone may be equal, and yet not the same time: its clock shows an hour twice.
        takes="type($) is datetime and $.tzinfo is UTC"
        if codec.python_type is datetime
        else "type($) is type_$",
        written="{texts_$[$]}",
        read="values_$[$]",
        names={
            "datetime": datetime,
            "UTC": UTC,
            "type_$": codec.python_type,
            "texts_$": Memo(text),
            "values_$": Memo(value),
        },
    )


def _constant(codec: Constant) -> InlineKey | None:
    if not codec.text.isascii():
        return None
    return InlineKey(takes="", written="", read="", holds=f"$ == {codec.text!r}")


_KEYS: dict[type, Callable[[Any], InlineKey | None]] = {
    Text: _text,
    PaddedInt: _padded,
    Int: _whole,
    EpochSeconds: _epoch,
    EpochMillis: _epoch,
    EpochMicros: _epoch,
    ReversedSeconds: _reversed,
    ReversedMillis: _reversed,
    ReversedMicros: _reversed,
    DateText: _remembered,
    TimeText: _remembered,
    EnumText: _remembered,
    Boolean: _remembered,
    Constant: _constant,
}
