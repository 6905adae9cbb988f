"""Encodings of key fields judged, and exchanged for others of the same values.

What is to be used instead is given as text, as a mend says it: with the declaration written out.
"""

import re
from typing import Any

from attrs import evolve

from btmodel.codecs.directives import UNITS
from btmodel.codecs.key import (
    BigEndian,
    Bytes,
    DateText,
    Descending,
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    EscapedBytes,
    EscapedText,
    Hex,
    Int,
    IsoWeek,
    KeyCodec,
    LengthPrefixed,
    LittleEndian,
    Order,
    OrderedInt,
    PaddedInt,
    Repeated,
    ReversedDigits,
    ReversedMicros,
    ReversedMillis,
    ReversedSeconds,
    TimeText,
    UuidRaw,
    UuidText,
    Week,
)
from btmodel.codecs.key.base import DIGITS, HEX_DIGITS, PRINTABLE
from btmodel.codecs.key.whole_number import WholeNumber
from btmodel.lint.written import written

Codec = KeyCodec[Any]

_COARSE_TO_FINE = (*UNITS, "%G", "%V")
_DIRECTIVE = re.compile("%(?:3f|.)")
_NUMBER = re.compile(r"\{n.*\}")

# Digits of a week's number: 10,000 weeks are 191 years.
_WEEK_DIGITS = 4

_REVERSED: dict[Codec, Codec] = {
    EpochSeconds(): ReversedSeconds(),
    EpochMillis(): ReversedMillis(),
    EpochMicros(): ReversedMicros(),
}
_NATURAL = {back: forth for forth, back in _REVERSED.items()}


def sortable(codec: Codec) -> str:
    """The declaration of a codec for the same values whose bytes sort as they do."""
    if isinstance(codec, Int):
        return f"`{written(PaddedInt(codec.max_digits))}`"
    if isinstance(codec, DateText | TimeText):
        return f"`{written(type(codec)(_sorted(codec.format.text)))}`"
    if isinstance(codec, IsoWeek):
        return f"`{written(IsoWeek(_sorted(codec.format)))}`"
    if isinstance(codec, Week):
        return _padded(codec)
    if isinstance(codec, BigEndian | LittleEndian):
        return readable(codec)
    return "a codec of fixed width whose bytes sort as its values do"


def is_readable(codec: Codec) -> bool:
    """Whether people can read what ``codec`` writes: text, but for a length in front or an end behind."""
    if isinstance(codec, EscapedText):
        return True
    if isinstance(codec, LengthPrefixed | Repeated):
        return is_readable(codec.codec)
    if isinstance(codec, Descending):
        # The opposites of digits are digits; those of other characters are no text.
        return codec.codec.alphabet <= DIGITS or codec.codec.alphabet <= HEX_DIGITS
    return codec.alphabet <= PRINTABLE


def readable(codec: Codec) -> str:
    """What to use instead of a codec that nobody can read."""
    same = _readable(codec)
    if same is not None:
        return f"`{written(same)}`"
    if isinstance(codec, LengthPrefixed | Repeated):
        return readable(codec.codec)
    if isinstance(codec, BigEndian | LittleEndian | OrderedInt):
        bits = 8 * (8 if isinstance(codec, OrderedInt) else codec.size)
        return (
            f"`{written(PaddedInt(len(str(codec.most))))}` where no number is below 0, else "
            f"`{written(PaddedInt(len(str(2**bits - 1))))}` of the number + 2**{bits - 1}"
        )
    if isinstance(codec, Bytes | EscapedBytes):
        most = codec.max_length or 0
        return f"`bt.Text(max_length={2 * most})`, with `value.hex()` for the value"
    if isinstance(codec, Descending):
        return f"`{written(codec.codec)}`, and read it from the end where the last is wanted first"
    return "a codec that writes text, as padded decimal digits or hexadecimal ones"


def backwards(codec: Codec) -> str | None:
    """The declaration that writes the digits of the same numbers backwards; None for what are no numbers."""
    digits = reversed_digits(codec)
    return None if digits is None else f"`{written(digits)}`"


def reversed_digits(codec: Codec) -> Codec | None:
    """The codec that writes the digits of the same numbers backwards; None for what are no numbers."""
    if isinstance(codec, Descending | LengthPrefixed):
        return reversed_digits(codec.codec)
    return ReversedDigits(len(str(codec.most))) if isinstance(codec, WholeNumber) else None


def scatters(codec: Codec) -> bool:
    """Whether neighbouring numbers lie apart: what tells them apart is written first."""
    return codec.order is Order.SCATTERED or (isinstance(codec, LittleEndian) and codec.size > 1)


def natural(codec: Codec) -> str:
    """The codec of the same times from the first to the last."""
    forth = codec.codec if isinstance(codec, Descending) else _NATURAL.get(codec)
    return f"`{written(forth)}`" if forth else "a codec that sorts as the time does"


def reversed_time(codec: Codec) -> str:
    """The codec of the same times from the last to the first."""
    back = _REVERSED.get(codec)
    if back is None and codec.order is Order.ASCENDING and codec.length.fixed:
        back = Descending(codec)
        back = back if is_readable(back) else _readable(back)
    return f"`{written(back)}`" if back else "a codec that writes the last time first"


def _readable(codec: Codec) -> Codec | None:
    """A readable codec of the same values, where there is one."""
    if isinstance(codec, BigEndian | LittleEndian) and not codec.signed:
        return PaddedInt(len(str(codec.most)))
    if isinstance(codec, Bytes) and codec.width:
        return Hex(codec.width)
    if isinstance(codec, UuidRaw):
        return UuidText()
    if isinstance(codec, Repeated):
        inner = _readable(codec.codec)
        return None if inner is None else evolve(codec, codec=inner)
    if isinstance(codec, Descending):
        inner = _digits_only(codec.codec)
        return Descending(inner) if inner is not None and is_readable(Descending(inner)) else None
    return None


def _digits_only(codec: Codec) -> Codec | None:
    """A codec of the same values that writes digits only, decimal or hexadecimal ones."""
    if isinstance(codec, UuidRaw | UuidText):
        return UuidText(dashes=False)
    if isinstance(codec, DateText | TimeText):
        return evolve(codec, format="".join(codec.format.directives))
    if isinstance(codec, IsoWeek):
        return IsoWeek("".join(_DIRECTIVE.findall(codec.format)))
    if isinstance(codec, Week):
        return evolve(codec, format="".join(_NUMBER.findall(codec.format)))
    return _readable(codec)


def _sorted(text: str) -> str:
    """The format with its directives from coarse to fine, each in the place of another."""
    units = iter(sorted(_DIRECTIVE.findall(text), key=_COARSE_TO_FINE.index))
    return _DIRECTIVE.sub(lambda _: next(units), text)


def _padded(codec: Week) -> str:
    """The declaration of the same weeks with zeros on the left, and digits for more weeks than anybody needs."""
    digits = max(_WEEK_DIGITS, len(str(codec.first)) + 1)
    if digits > 9:
        return "weeks with a smaller number for the first one, and zeros on the left"
    return f"`{written(evolve(codec, format=codec.format.replace('{n}', f'{{n:0{digits}}}')))}`"
