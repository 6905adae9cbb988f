"""An example key with a ruler that shows the bytes of each field."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, get_origin
from uuid import UUID

from attrs import frozen

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Constant, KeyCodec, ReversedDomain
from btmodel.schema import KeyField, RowKey
from btmodel.words import as_text

# A Monday, for weeks; then what coarser fields take.
_DATES = (date(2021, 5, 31), date(2021, 5, 1), date(2021, 1, 1))
_TIMES = (
    datetime(2021, 5, 31, 12, 34, 56, 789_000, tzinfo=UTC),
    datetime(2021, 5, 31, 12, 34, 56, tzinfo=UTC),
    datetime(2021, 5, 31, 12, 34, tzinfo=UTC),
    datetime(2021, 5, 31, 12, tzinfo=UTC),
    *(datetime(one.year, one.month, one.day, tzinfo=UTC) for one in _DATES),
)
# Made up, short, and easy to distinguish; no field of a key has the one of its neighbour.
_WORDS = ("amber", "birch", "cedar", "delta", "ember", "flint", "grove", "heron")
_DOMAINS = ("www.example.com", "example.com")
_BYTES = bytes.fromhex("0123456789abcdeffedcba9876543210")
_MOST = 256


def sample(part: KeyField, number: int = 1) -> bytes | None:
    """The bytes of some value of ``part``, or None where none is found, as of a codec for a class of the user's.

    ``number`` is that of the field in its key, from 1 on: texts of different fields are different words.
    """
    codec = part.codec
    given = part.derived.values if part.derived else None
    for value in (*(given or ()), *_candidates(codec, number)):
        try:
            return codec.encode(value)
        except Exception:
            # Whatever a codec of the user's raises for what is none of its values.
            continue
    return None


def _candidates(codec: KeyCodec[Any], number: int) -> Iterator[Any]:
    """Values to try, the telling ones first."""
    kind = codec.python_type
    if isinstance(codec, Constant):
        yield codec.text
    elif get_origin(kind) is tuple:
        yield from (some[:count] for some in (_WORDS, ("a", "b", "c"), (1, 2, 3)) for count in (2, 1, 3))
    elif is_class(kind, Enum):
        yield from kind
    elif kind is bool:
        yield True
    elif kind is int:
        yield from _numbers(codec)
    elif kind is datetime:
        yield from _TIMES
    elif kind is date:
        yield from _DATES
    elif kind is UUID:
        yield UUID(bytes=_BYTES)
    elif kind is bytes:
        yield from _raws(codec)
    else:
        yield from _texts(codec, number)


def _numbers(codec: KeyCodec[Any]) -> Iterator[int]:
    digits = "1234567890" * 3
    yield from (int(digits[:size]) for size in range(min(codec.length.most, 10), 0, -1))
    yield 0


def _texts(codec: KeyCodec[Any], number: int) -> Iterator[str]:
    least, most = (min(size, _MOST) for size in (codec.length.least, codec.length.most))
    word = _WORDS[(number - 1) % len(_WORDS)]
    if isinstance(codec, ReversedDomain):
        yield from _DOMAINS
    for text in (word, (word * _MOST)[: max(least, 1)], "0123456789abcdef" * (1 + most // 16)):
        yield text
        yield text[:most]
    yield from ("a" * size for size in range(least, most + 1))


def _raws(codec: KeyCodec[Any]) -> Iterator[bytes]:
    long = _BYTES * (1 + _MOST // len(_BYTES))
    yield from (long[:size] for size in (codec.length.least, *range(16, _MOST), *range(16)))


_UNKNOWN = "?"


@frozen
class Segment:
    """A part of an example key as it is shown: a field and its number from 1 on, or a delimiter (None, 0)."""

    field: KeyField | None
    number: int
    text: str

    @property
    def ruler(self) -> str:
        """The mark below a field, which begins with the number of the field: ``2───┘``."""
        if self.field is None or not self.text:
            return " " * len(self.text)
        name, width = str(self.number), len(self.text)
        return name[:width] + ("─" * width)[len(name) : -1] + "┘" * (width > len(name))


def segments(key: RowKey) -> tuple[Segment, ...]:
    """The fields of an example of ``key``, and the delimiters between them; ``?`` for an unknown byte."""
    found: list[Segment] = []
    for number, part in enumerate(key.fields, 1):
        raw = sample(part, number)
        text = _UNKNOWN * part.codec.length.typical if raw is None else as_text(raw)
        found.append(Segment(part, number, text))
        if part is not key.fields[-1] and key.behind(part):
            found.append(Segment(None, 0, as_text(key.behind(part))))
    return tuple(found)
