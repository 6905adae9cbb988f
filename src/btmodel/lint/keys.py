"""Row keys as rules speak of them: drawn, judged and rearranged."""

import re
from collections.abc import Iterable
from typing import Any

from btmodel.codecs.directives import UNITS
from btmodel.codecs.key import DateText, Int, IsoWeek, KeyCodec, Kind, TimeText, Week
from btmodel.schema import KeyField, ModelSchema, RowKey
from btmodel.schema.figures import NODE_ROW_WRITES

_COARSE_TO_FINE = (*UNITS, "%G", "%V")
_DIRECTIVE = re.compile("%(?:3f|.)")

# Writes a second that a single tablet takes with ease: see the page of KEY001.
WITH_EASE = NODE_ROW_WRITES / 100


def written_with_ease(model: ModelSchema) -> bool:
    """Whether the declared rate is one for a single tablet; a rate that is not declared is taken as high."""
    return model.events is not None and model.events.per_second <= WITH_EASE


def drawn(key: RowKey, fields: Iterable[KeyField | str]) -> str:
    """The key of ``fields``, drawn with the delimiter of ``key``; a str is the name of a column."""
    return RowKey.drawn(
        (f"{{{part}}}", key.delimiter)
        if isinstance(part, str)
        else (RowKey((part,), b"").shape, key.behind(part))
        for part in fields
    )


def single(part: KeyField) -> bool:
    """Whether ``part`` has one value only, so that it sets no rows apart."""
    return part.constant is not None or part.cardinality == 1


def leading_time(key: RowKey) -> KeyField | None:
    """The time that the key begins with, behind nothing but parts of one value; None where none does."""
    first = next((part for part in key.fields if not single(part)), None)
    return first if first is not None and first.codec.kind is Kind.TIME else None


def open_ended(key: RowKey, part: KeyField) -> bool:
    """Whether a reader from the left cannot tell where ``part`` ends, if more follows."""
    if part.fixed is not None or part.codec.self_ending:
        return False
    behind = key.behind(part)
    if not behind:
        return True
    return part.codec.holds_delimiter and part.codec.alphabet.issuperset(behind)


def closing(key: RowKey, part: KeyField) -> str:
    """What to change in an open-ended ``part`` so that it is not."""
    width = f"give `{part.name}` a fixed width of {part.codec.length.most} bytes"
    behind = key.behind(part)
    if not behind and part.ends is None:
        return f'{width}, or separate the fields: `delimiter="#"`'
    if not behind:
        return f'{width}, or separate it from the next field: `ends="#"`'
    shown = behind.decode(errors="backslashreplace")
    return (
        f"leave out the `holds_delimiter` of `{part.name}`, which refuses values with {shown!r}; or {width}"
    )


def before(key: RowKey, part: KeyField, moved: KeyField | str) -> tuple[KeyField | str, ...]:
    """The fields of ``key`` with ``moved`` taken from its place, if it has one, and put before ``part``."""
    rest: list[KeyField | str] = [other for other in key.fields if other != moved]
    rest.insert(rest.index(part), moved)
    return tuple(rest)


def sortable(codec: KeyCodec[Any]) -> str:
    """A codec for the same values whose bytes sort as they do: its declaration, or what to look for."""
    found = sorting(codec)
    return f"`{found}`" if found else "a codec of fixed width whose bytes sort as its values do"


def sorting(codec: KeyCodec[Any]) -> str | None:
    """The declaration of a codec for the same values whose bytes sort as they do, where one is known."""
    if isinstance(codec, Int):
        return f"bt.PaddedInt({codec.max_digits})"
    if isinstance(codec, DateText | TimeText):
        return f'bt.{type(codec).__name__}("{_sorted(codec.format.text)}")'
    if isinstance(codec, IsoWeek):
        return f'bt.IsoWeek("{_sorted(codec.format)}")'
    if isinstance(codec, Week):
        return _padded(codec)
    return None


def _sorted(text: str) -> str:
    """The format with its directives from coarse to fine, each in the place of another."""
    units = iter(sorted(_DIRECTIVE.findall(text), key=_COARSE_TO_FINE.index))
    return _DIRECTIVE.sub(lambda _: next(units), text)


def _padded(codec: Week) -> str:
    """The declaration of the same weeks with zeros on the left, to the digits of the last one."""
    text = codec.format.replace("{n}", f"{{n:0{len(str(codec.last))}}}")
    day = codec.origin
    first = f", first={codec.first}" if codec.first != 1 else ""
    return f'bt.Week("{text}", origin=date({day.year}, {day.month}, {day.day}){first})'


def typical(part: KeyField) -> int:
    """Bytes of a typical value: the middle of the least and the most, rounded up."""
    length = part.codec.length
    return (length.least + length.most + 1) // 2
