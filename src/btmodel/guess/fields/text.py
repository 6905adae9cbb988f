"""Text: padded to a width, with an end of its own, or of any length."""

from collections.abc import Sequence

from btmodel.codecs.key import EscapedText, Text
from btmodel.guess.fields.base import FieldGuess, fits, one_length, roomy, sizes

_END = b"\0\x01"


def padded_text(values: Sequence[bytes]) -> FieldGuess | None:
    """Text of one length, which comes from spaces behind names of several."""
    width = one_length(values)
    spaces = sum(value.endswith(b" ") for value in values)
    names = {len(value.rstrip(b" ")) for value in values}
    if not width or not spaces or len(names) == 1 or not fits(Text(width=width), values):
        return None
    said = f"{width} bytes, {spaces:,} of them padded with spaces"
    return FieldGuess(Text(width=width), said, "name")


def escaped(values: Sequence[bytes]) -> FieldGuess | None:
    """Text that ends with 00 01, with every NUL in it escaped."""
    if not all(value.endswith(_END) for value in values):
        return None
    codec = EscapedText(roomy(values))
    said = f"text that ends with 00 01, {sizes(values)}"
    return FieldGuess(codec, said, "name") if fits(codec, values) else None


def text(values: Sequence[bytes]) -> FieldGuess | None:
    """Any text without control characters."""
    codec = Text(max_length=roomy(values), min_length=min(1, *map(len, values), 1))
    return FieldGuess(codec, f"text, {sizes(values)}", "name") if fits(codec, values) else None
