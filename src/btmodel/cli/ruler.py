"""An example key in colours, with its ruler below it."""

from collections.abc import Iterator, Sequence

from btmodel.cli.console import Styled, Text
from btmodel.described.example import Segment

STYLES = ("cyan", "green", "yellow", "magenta", "blue", "red")


def style_of(number: int) -> str:
    """The colour of the field with this number."""
    return STYLES[(number - 1) % len(STYLES)]


def ruled(parts: Sequence[Segment], width: int) -> Iterator[Styled]:
    """The key and its ruler, in lines of at most ``width`` characters, two by two."""
    key, ruler = Text(), Text()
    for part in parts:
        style = style_of(part.number) if part.field else "dim"
        key.append(part.text, f"bold {style}" if part.field else style)
        ruler.append(part.ruler, style)
    for start in range(0, max(len(key), 1), width):
        yield key[start : start + width]
        yield ruler[start : start + width]
