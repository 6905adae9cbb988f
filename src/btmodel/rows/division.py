"""Where a range of row keys divides, by what the codecs of the key know of its bytes.

Between two keys lie as many others as between two numbers: a field that is a number, a time or a choice is that number, and
other bytes are digits of the letters that may stand in their places. Divided as plain bytes, a range of times as text would have
nearly all of its rows on one side.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime
from enum import Enum
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from attrs import frozen

from btmodel.codecs.aware_times import from_micros, micros_since_epoch
from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key.base import BYTES, KeyCodec, Order
from btmodel.errors import BtmodelError
from btmodel.rows.ranges import RowRange
from btmodel.schema import KeyField, RowKey

_PLACES = 16  # behind the first byte that differs
_FEW = 64  # values of a field, between which the bytes behind it count as well
_MOST = 128  # letters that a codec knows well: of more, only those of the kinds that were seen count
_KINDS = (range(0x30, 0x3A), range(0x41, 0x5B), range(0x61, 0x7B), range(0x80, 0x100))


def key_within(key: RowKey, span: RowRange, share: float) -> bytes | None:
    """A key in front of which about ``share`` of ``span`` lies, and part of it behind; None where no key is known to be one.

    ``span`` must have both ends. Rows are taken to lie evenly between them.
    """
    scale = _scale(key, span)
    low, high = scale.number(span.start), scale.number(span.end)
    if low is None or high is None:
        return None
    found = scale.key(low + (high - low) * Fraction(share))
    return found if found is not None and span.start < found < span.end else None


def share_below(key: RowKey, span: RowRange, raw: bytes) -> float:
    """How much of ``span`` lies in front of the key ``raw``, from 0 to 1; the ends as for :func:`key_within`."""
    if raw <= span.start:
        return 0.0
    if raw >= span.end:
        return 1.0
    scale = _scale(key, span)
    low, at, high = (scale.number(one) for one in (span.start, raw, span.end))
    if low is None or at is None or high is None or low >= high:
        return 0.5
    return float(min(max((at - low) / (high - low), Fraction(0)), Fraction(1)))


@frozen
class _Spelling:
    """Bytes as digits: each place has letters of its own, in order."""

    places: tuple[bytes, ...]

    def share(self, raw: bytes) -> Fraction:
        """Where ``raw`` lies among all bytes, from 0 up to, and without, 1; or 1 where it lies behind all of them."""
        found, unit = Fraction(0), Fraction(1)
        for at, letters in enumerate(self.places[: len(raw)]):
            unit /= len(letters)
            digit = sum(letter < raw[at] for letter in letters)
            found += unit * digit
            if digit == len(letters) or letters[digit] != raw[at]:
                break  # it lies between two letters
        return found

    def spelt(self, share: Fraction) -> bytes:
        """The bytes that lie there, without the least letters at the end."""
        raw, kept = bytearray(), 0
        for letters in self.places:
            share *= len(letters)
            digit = min(int(share), len(letters) - 1)
            share -= digit
            raw.append(letters[digit])
            kept = len(raw) if digit else kept
        return bytes(raw[:kept])


@frozen
class _KeyScale:
    """Keys that begin alike as numbers: the bytes behind ``prefix``, or the value of ``field`` there and the bytes behind that."""

    prefix: bytes
    field: KeyField | None
    behind: bytes  # what stands behind the field
    rest: _Spelling

    def number(self, key: bytes) -> Fraction | None:
        """The number of a key; None where the value of the field is not known."""
        raw = key[len(self.prefix) :]
        if self.field is None:
            return self.rest.share(raw)
        end = self._end(raw)
        found = _value(self.field.codec, raw[:end])
        return None if found is None else found + self.rest.share(raw[end + len(self.behind) :])

    def key(self, number: Fraction) -> bytes | None:
        """The key of a number; None where no value of the field has it."""
        if self.field is None:
            return self.prefix + self.rest.spelt(number)
        whole = number.__floor__()
        raw = _encoded(self.field.codec, whole)
        if raw is None:
            return None
        spelt = self.rest.spelt(number - whole)
        return self.prefix + raw + (self.behind + spelt if spelt else b"")

    def rest_of(self, key: bytes) -> bytes:
        """What stands in a key behind the field, and what is behind that."""
        raw = key[len(self.prefix) :]
        return raw[self._end(raw) + len(self.behind) :]

    def _end(self, raw: bytes) -> int:
        assert self.field is not None
        end = _end(self.field, self.behind, raw, 0)
        return len(raw) if end is None else end


def _scale(key: RowKey, span: RowRange) -> _KeyScale:
    """The scale of a range: its first field that differs, as a number where both ends have a value there."""
    low, high = span.start, span.end
    common = next(
        (at for at, (one, other) in enumerate(zip(low, high, strict=False)) if one != other),
        min(len(low), len(high)),
    )
    at, fields = 0, list(key.fields)
    while len(fields) > 1:
        behind = key.behind(fields[0])
        end = _end(fields[0], behind, low, at)
        if end is None or end + len(behind) > common:
            break
        at, fields = end + len(behind), fields[1:]
    field, behind = fields[0], key.behind(fields[0]) if len(fields) > 1 else b""
    scale = _KeyScale(low[:at], field, behind, _Spelling(()))
    first, last = scale.number(low), scale.number(high)
    if field.constant is not None or first is None or last is None:
        return _KeyScale(low[:common], None, b"", _spelling(key, fields, (low[at:], high[at:]), common - at))
    if last - first >= _FEW:
        return scale
    rests = (scale.rest_of(low), scale.rest_of(high))
    return _KeyScale(low[:at], field, behind, _spelling(key, fields[1:], rests))


def _end(field: KeyField, behind: bytes, raw: bytes, at: int) -> int | None:
    """Where the value of ``field`` ends that begins at ``at``; None where that cannot be known."""
    if field.fixed is not None:
        return at + field.fixed if at + field.fixed <= len(raw) else None
    if field.codec.self_ending:
        try:
            return field.codec.end(raw, at)
        except (ValueError, IndexError):
            return None
    end = raw.find(behind, at) if behind else -1
    return None if end < 0 else end


def _spelling(key: RowKey, fields: list[KeyField], rests: Sequence[bytes], skipped: int = 0) -> _Spelling:
    """The letters of the places where ``fields`` stand, as far as those of fixed width show it, behind the first ``skipped`` places."""
    return _Spelling(tuple(islice(_places(key, fields, rests, skipped), skipped, skipped + _PLACES)))


def _places(key: RowKey, fields: list[KeyField], rests: Sequence[bytes], skipped: int) -> Iterator[bytes]:
    at = 0
    for field in fields:
        width = skipped + _PLACES if field.fixed is None else field.fixed
        seen = b"".join(rest[at : at + width] for rest in rests)
        letters = _letters(field.codec.alphabet, seen)
        for place in range(width):
            yield field.literal[place : place + 1] or letters
        if field.fixed is None:
            return
        behind = key.behind(field)
        yield from (bytes([one]) for one in behind)
        at += width + len(behind)


def _letters(alphabet: frozenset[int], seen: bytes) -> bytes:
    """The letters of a place: all, where a codec has few; of text, those of the kinds that were seen."""
    if len(alphabet) <= _MOST or alphabet == BYTES:
        return bytes(sorted(alphabet))
    kinds = [kind for kind in _KINDS if any(one in kind for one in seen)]
    found = {one for one in alphabet if one in seen or any(one in kind for kind in kinds)}
    return bytes(sorted(found or alphabet))


def _value(codec: KeyCodec[Any], raw: bytes) -> int | None:
    """The number of a value, in the order of the encodings; None where there is none."""
    choices = _choices(codec)
    if choices is not None:
        return sum(choice < raw for choice in choices) if raw else None
    numbered = _NUMBERED.get(codec.python_type)
    if numbered is None or not codec.ordered or not raw:
        return None
    sign = 1 if codec.order is Order.ASCENDING else -1
    # The end of a range is often the least key behind all those of a last value.
    for tried, more in ((raw, 0), (raw[:-1] + bytes([max(raw[-1] - 1, 0)]), 1)):
        with suppress(BtmodelError, ValueError, ArithmeticError, IndexError):
            return sign * numbered.number(codec.decode(tried)) + more
    return None


def _encoded(codec: KeyCodec[Any], number: int) -> bytes | None:
    """The bytes of the value of a number, or of one close to it; None where there is none."""
    choices = _choices(codec)
    if choices is not None:
        return choices[number] if 0 <= number < len(choices) else None
    sign = 1 if codec.order is Order.ASCENDING else -1
    with suppress(BtmodelError, ValueError, ArithmeticError):
        return codec.bound(_NUMBERED[codec.python_type].value(sign * number))
    return None


def _choices(codec: KeyCodec[Any]) -> list[bytes] | None:
    """All encodings of a codec of few values, in their order."""
    if not is_class(codec.python_type, Enum) and codec.python_type is not bool:
        return None
    members: Any = (False, True) if codec.python_type is bool else codec.python_type
    return sorted(codec.encode(member) for member in members)


class _Numbered(NamedTuple):
    """How values of a type are numbers, and numbers such values."""

    number: Callable[[Any], int]
    value: Callable[[int], Any]


_NUMBERED = {
    int: _Numbered(int, int),
    UUID: _Numbered(int, lambda number: UUID(int=number)),
    date: _Numbered(date.toordinal, date.fromordinal),
    datetime: _Numbered(micros_since_epoch, from_micros),
}
