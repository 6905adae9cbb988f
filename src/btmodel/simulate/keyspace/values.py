"""Made-up values of a field: as many different ones as it has, in the order of their numbers where it sorts."""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from enum import Enum
from string import ascii_lowercase, digits
from typing import Any
from uuid import UUID

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.classes import is_class
from btmodel.codecs.key import KeyCodec, Length, Repeated
from btmodel.codecs.key.whole_number import WholeNumber
from btmodel.codecs.meaning import meaning_of
from btmodel.counted import counted
from btmodel.errors import SimulationRefused

Codec = KeyCodec[Any] | CellCodec[Any]
Making = Callable[[int], Any]

_LONGEST = 16  # bytes of made-up text, where the codec bounds none


def making(name: str, codec: Codec, count: int, start: datetime) -> Making:
    """What makes the value of each number from 0 to ``count - 1``.

    Times count days back from ``start``. Raises :class:`SimulationRefused` where no values that the
    codec takes can be made up.
    """
    for form in _forms(codec, count, start):
        if _works(form, codec, count):
            return form
    raise SimulationRefused(
        f"{name}: wanted {counted(count, 'different value')} of {meaning_of(codec)}, and could make up fewer; "
        "give another count, values with weights, or keys of a real sample"
    )


def whole_numbers(codec: Codec) -> tuple[int, int]:
    """The least and the most number of a codec, or of the one that it changes the bytes of."""
    inner = getattr(codec, "codec", codec)
    return (inner.least, inner.most) if isinstance(inner, WholeNumber) else (0, 2**63 - 1)


def _works(form: Making, codec: Codec, count: int) -> bool:
    """Whether the codec takes the values, tried with the first, a middle and the last one."""
    try:
        tried = {codec.encode(form(number)) for number in {0, count // 2, count - 1}}
    except Exception:
        # Whatever a codec of the user's raises.
        return False
    return len(tried) > 1 or count == 1


def _forms(codec: Codec, count: int, start: datetime) -> Iterator[Making]:
    kind = codec.python_type
    if is_class(kind, Enum):
        members = list(kind)
        yield lambda number: members[number % len(members)]
    elif kind is bool:
        yield bool
    elif kind is int:
        least = whole_numbers(codec)[0]
        yield lambda number: least + number
    elif kind is datetime:
        yield lambda number: start - timedelta(days=number)
    elif kind is date:
        yield lambda number: (start - timedelta(days=number)).date()
    elif kind is UUID:
        yield lambda number: UUID(int=(number << 128) // count)
    elif isinstance(codec, Repeated):
        inner = making("an item", codec.codec, count, start)
        yield lambda number: (inner(number),) * codec.least
    else:
        yield from _texts(codec, count)


def _texts(codec: Codec, count: int) -> Iterator[Making]:
    """Texts and bytes of several alphabets, the first of which is the easiest to read."""
    length = codec.length if isinstance(codec, KeyCodec) else Length(1, codec.max_size or _LONGEST)
    # A padded text has as many letters as it needs.
    least = getattr(codec, "min_length", length.least)
    for letters in (ascii_lowercase, digits + ascii_lowercase, digits + "abcdef"):
        text = _spelling(letters.encode(), max(1, least), length.most, count)
        yield lambda number, text=text: text(number).decode()  # type: ignore[misc]
    domain = _spelling(ascii_lowercase.encode(), 1, _LONGEST, count)
    yield lambda number: f"{domain(number).decode()}.com"
    if isinstance(codec, KeyCodec):
        for size in (length.least, length.most):
            raw = _spelling(bytes(sorted(codec.alphabet)), size, size, count)
            yield lambda number, raw=raw: codec.decode(raw(number))  # type: ignore[misc]
    for size in range(1, _LONGEST + 1):
        yield _spelling(bytes(range(256)), size, size, count)


def _spelling(letters: bytes, least: int, most: int, count: int) -> Making:
    """Numbers as words of so many letters as tell ``count`` of them apart, spread over all words of that length."""
    length = least
    while len(letters) ** length < count and length < most:
        length += 1
    words = len(letters) ** length

    def spell(number: int) -> bytes:
        rest, word = number * words // count, bytearray()
        for _ in range(length):
            rest, letter = divmod(rest, len(letters))
            word.append(letters[letter])
        return bytes(word[::-1])

    return spell
