"""An example of a key, and a ruler under it that shows which bytes belong to which field."""

from collections.abc import Iterator, Sequence

from attrs import frozen
from rich.text import Text

from btmodel.cli.samples import sample
from btmodel.schema import KeyField, RowKey

STYLES = ("cyan", "green", "yellow", "magenta", "blue", "red")
_UNKNOWN = "?"


@frozen
class Segment:
    """A part of an example key as it is shown: a field and its number from 1 on, or a delimiter (None, 0)."""

    field: KeyField | None
    number: int
    text: str


def segments(key: RowKey) -> tuple[Segment, ...]:
    """The fields of an example of ``key``, and the delimiters between them; ``?`` for a byte that nobody knows."""
    found: list[Segment] = []
    for number, part in enumerate(key.fields, 1):
        raw = sample(part)
        text = _UNKNOWN * part.codec.length.typical if raw is None else shown(raw)
        found.append(Segment(part, number, text))
        if part is not key.fields[-1] and key.behind(part):
            found.append(Segment(None, 0, shown(key.behind(part))))
    return tuple(found)


def shown(raw: bytes) -> str:
    """Bytes as text, ``\\xNN`` for those that are none and a backslash doubled: as ``explain`` reads them."""
    text = raw.decode("utf-8", "surrogateescape").replace("\\", "\\\\")
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in one.encode("utf-8", "surrogateescape"))


def style_of(number: int) -> str:
    """The colour of the field with this number."""
    return STYLES[(number - 1) % len(STYLES)]


def ruled(parts: Sequence[Segment], width: int) -> Iterator[Text]:
    """The key and its ruler, in lines of at most ``width`` characters, two by two."""
    key, ruler = Text(), Text()
    for part in parts:
        style = style_of(part.number) if part.field else "dim"
        key.append(part.text, f"bold {style}" if part.field else style)
        ruler.append(_rule(part), style)
    for start in range(0, max(len(key), 1), width):
        yield key[start : start + width]
        yield ruler[start : start + width]


def _rule(part: Segment) -> str:
    """A ruler that begins with the number of its field: ``2───┘``."""
    if part.field is None or not part.text:
        return " " * len(part.text)
    name = str(part.number)
    return (
        name[: len(part.text)] + ("─" * len(part.text))[len(name) : -1] + "┘" * (len(part.text) > len(name))
    )
