"""Encodings of key fields, judged and exchanged.

What is to be used instead is given as text, as a fix says it: with the declaration written out.
"""

from datetime import date, datetime
from functools import cache
from typing import Any, cast

from attrs import evolve

from btmodel.codecs import key
from btmodel.codecs.aware_times import UNITS
from btmodel.codecs.key import KeyCodec, Kind, Order
from btmodel.codecs.key.base import DIGITS, HEX_DIGITS, PRINTABLE, WholeNumber
from btmodel.on_demand import pattern
from btmodel.source_text import written

Codec = KeyCodec[Any]

_COARSE_TO_FINE = (*UNITS, "%G", "%V")
_DIRECTIVE = pattern("%(?:3f|.)")
_NUMBER = pattern(r"\{n.*\}")

# Digits of a week's number: 10,000 weeks are 191 years.
_WEEK_DIGITS = 4


def sortable(codec: Codec) -> str:
    """The declaration of a codec for the same values whose bytes sort as they do."""
    same = sortable_codec(codec)
    if same is not None:
        return f"`{written(same)}`"
    if isinstance(codec, key.MappedKey):
        return _mapped_in_order(codec)
    if isinstance(codec, key.Week):
        return "weeks with a smaller number for the first one, and zeros on the left"
    if isinstance(codec, key.BigEndian | key.LittleEndian | key.VarInt):
        return readable(codec)
    return f"a codec of fixed width whose bytes sort as its values do{_SUCH_AS.get(codec.python_type, '')}"


# Of a codec that is not known here, only the type of its values is.
_SUCH_AS: dict[type, str] = {
    int: ", such as `bt.PaddedInt(9)`, with as many digits as the greatest number has, if none is below 0",
    datetime: ", such as `bt.EpochMicros()`",
    date: ", such as `bt.DateText()`",
}


def _mapped_in_order(codec: "key.MappedKey[Any]") -> str:
    """What functions around a codec have to keep, which only they show, and the codec, where it does not sort itself."""
    to = codec.to.__name__
    inner = "it is" if codec.codec.ordered else f"{sortable(codec.codec)} of what `{to}` makes of it"
    return f"{inner}, with `ordered=True`, if `{to}` makes the lesser of the lesser of two values; else by functions that do"


def sortable_codec(codec: Codec) -> Codec | None:
    """A codec for the same values whose bytes sort as they do, where there is one."""
    if isinstance(codec, key.Int):
        return key.PaddedInt(codec.max_digits)
    if isinstance(codec, key.HexInt):
        return key.HexInt(codec.digits)
    if isinstance(codec, key.DateText | key.TimeText):
        return evolve(codec, format=_sorted(codec.format.text))
    if isinstance(codec, key.IsoTimeText):
        return key.TimeText("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(codec, key.IsoWeek):
        return key.IsoWeek(_sorted(codec.format))
    if isinstance(codec, key.Week):
        return _padded(codec)
    if isinstance(codec, key.EpochBucket | key.OrderedCode):
        return _around(codec)
    if (
        isinstance(codec, key.LengthPrefixed) and codec.kind is not Kind.TEXT
    ):  # numbers need no length in front
        return codec.codec if codec.codec.ordered else sortable_codec(codec.codec)
    if isinstance(codec, key.BigEndian | key.LittleEndian | key.TimeBytes | key.VarInt):
        return _readable(codec)
    return None


def _around(codec: "key.EpochBucket | key.OrderedCode[Any]") -> Codec | None:
    """The same around a codec that sorts, where there is one."""
    inner = sortable_codec(codec.codec)
    return None if inner is None else evolve(cast(Any, codec), codec=inner)


def is_readable(codec: Codec) -> bool:
    """Whether people can read what ``codec`` writes: text, but for a length in front or an end behind."""
    if isinstance(codec, key.EscapedText):
        return True
    if isinstance(codec, key.LengthPrefixed | key.Repeated):
        return is_readable(codec.codec)
    if isinstance(codec, key.Descending):
        # The opposites of digits are digits; those of other characters are no text.
        return codec.codec.alphabet <= DIGITS or codec.codec.alphabet <= HEX_DIGITS
    return codec.alphabet <= PRINTABLE


def readable(codec: Codec) -> str:
    """A readable codec to use instead of a binary one."""
    same = _readable(codec)
    if same is not None:
        return f"`{written(same)}`"
    if isinstance(codec, key.LengthPrefixed | key.Repeated):
        return readable(codec.codec)
    if isinstance(codec, key.BigEndian | key.LittleEndian | key.OrderedInt | key.VarInt):
        return (
            f"`{written(key.PaddedInt(len(str(codec.most))))}` where no number is below 0, else "
            f"`{written(key.PaddedInt(len(str(codec.most - codec.least))))}` of the number + 2**{codec.most.bit_length()}"
        )
    if isinstance(codec, key.Bytes | key.EscapedBytes):
        most = codec.max_length or 0
        return f"`bt.Text(max_length={2 * most})`, with `value.hex()` for the value"
    if isinstance(codec, key.Descending):
        return f"`{written(codec.codec)}`, and read it from the end where the last is wanted first"
    return "a codec that writes text, as padded decimal digits or hexadecimal ones"


def backwards(codec: Codec) -> str | None:
    """The declaration that writes the digits of the same numbers backwards; None for what are no numbers."""
    digits = reversed_digits(codec)
    return None if digits is None else f"`{written(digits)}`"


def reversed_digits(codec: Codec) -> Codec | None:
    """The codec that writes the digits of the same numbers backwards; None for what are no numbers."""
    if isinstance(codec, key.Descending | key.LengthPrefixed):
        return reversed_digits(codec.codec)
    return key.ReversedDigits(len(str(codec.most))) if isinstance(codec, WholeNumber) else None


def scatters(codec: Codec) -> bool:
    """Whether neighbouring numbers lie apart: what differs is written first."""
    return codec.order is Order.SCATTERED or (isinstance(codec, key.LittleEndian) and codec.size > 1)


@cache
def _reversals() -> dict[Codec, Codec]:
    return {
        key.EpochSeconds(): key.ReversedSeconds(),
        key.EpochMillis(): key.ReversedMillis(),
        key.EpochMicros(): key.ReversedMicros(),
    }


def natural(codec: Codec) -> str:
    """The declaration of a codec of the same times from the first to the last."""
    forth = natural_codec(codec)
    return f"`{written(forth)}`" if forth else "a codec that sorts as the time does"


def natural_codec(codec: Codec) -> Codec | None:
    """The codec of the same times from the first to the last."""
    naturals = {back: forth for forth, back in _reversals().items()}
    return codec.codec if isinstance(codec, key.Descending) else _as_round(naturals.get(codec), codec)


def _as_round(made: Codec | None, codec: Codec) -> Codec | None:
    """``made``, which takes finer times than it holds where ``codec`` does: they are equal, as their bytes are."""
    rounds = made is not None and getattr(codec, "round", False)
    return evolve(cast(Any, made), round=True) if rounds else made


def reversed_time(codec: Codec) -> str:
    """The codec of the same times from the last to the first."""
    back = _as_round(_reversals().get(codec), codec)
    if back is None and codec.order is Order.ASCENDING and codec.length.fixed:
        back = key.Descending(codec)
        back = back if is_readable(back) else _readable(back)
    return f"`{written(back)}`" if back else "a codec that writes the last time first"


def _readable(codec: Codec) -> Codec | None:
    """A readable codec of the same values, where there is one."""
    if isinstance(codec, key.BigEndian | key.LittleEndian | key.VarInt) and codec.least == 0:
        return key.PaddedInt(len(str(codec.most)))
    if isinstance(codec, key.Bytes) and codec.width:
        return key.Hex(codec.width)
    if isinstance(codec, key.UuidRaw):
        return key.UuidText()
    if isinstance(codec, key.TimeBytes):
        return _before_1970(codec) if codec.signed else _of_a_clock(codec)
    if isinstance(codec, key.Repeated):
        inner = _readable(codec.codec)
        return None if inner is None else evolve(codec, codec=inner)
    if isinstance(codec, key.Descending):
        inner = _digits_only(codec.codec)
        return key.Descending(inner) if inner is not None and is_readable(key.Descending(inner)) else None
    return None


def _of_a_clock(codec: key.TimeBytes) -> Codec:
    """The count of a clock in digits, which sort."""
    clocks: dict[str, Codec] = {
        "second": key.EpochSeconds(round=codec.round),
        "millisecond": key.EpochMillis(round=codec.round),
        "microsecond": key.EpochMicros(),
        "nanosecond": key.EpochNanos(),
    }
    return clocks[codec.unit]


def _before_1970(codec: key.TimeBytes) -> Codec:
    """The same times as text, which has those before 1970, too."""
    fraction = {"second": "", "millisecond": "%3f"}.get(codec.unit, "%f")
    return key.TimeText(f"%Y%m%d%H%M%S{fraction}", round=codec.round)


def _digits_only(codec: Codec) -> Codec | None:
    """A codec of the same values that writes digits only, decimal or hexadecimal ones."""
    if isinstance(codec, key.UuidRaw | key.UuidText):
        return key.UuidText(dashes=False)
    if isinstance(codec, key.DateText | key.TimeText):
        return evolve(codec, format="".join(codec.format.directives))
    if isinstance(codec, key.IsoWeek):
        return key.IsoWeek("".join(_DIRECTIVE.findall(codec.format)))
    if isinstance(codec, key.Week):
        return evolve(codec, format="".join(_NUMBER.findall(codec.format)))
    return _readable(codec)


def _sorted(text: str) -> str:
    """The format with its directives from coarse to fine, each in the place of another."""
    units = iter(sorted(_DIRECTIVE.findall(text), key=_COARSE_TO_FINE.index))
    return _DIRECTIVE.sub(lambda _: next(units), text)


def _padded(codec: "key.Week") -> "key.Week | None":
    """The same weeks with zeros on the left, and digits for more weeks than anybody needs; None where they are too many."""
    digits = max(_WEEK_DIGITS, len(str(codec.first)) + 1)
    return evolve(codec, format=codec.format.replace("{n}", f"{{n:0{digits}}}")) if digits <= 9 else None
