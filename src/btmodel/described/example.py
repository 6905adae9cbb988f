"""An example of a key, and a ruler under it that shows which bytes belong to which field."""

from attrs import frozen

from btmodel.described.samples import sample
from btmodel.printable import as_text
from btmodel.schema import KeyField, RowKey

_UNKNOWN = "?"


@frozen
class Segment:
    """A part of an example key as it is shown: a field and its number from 1 on, or a delimiter (None, 0)."""

    field: KeyField | None
    number: int
    text: str

    @property
    def ruler(self) -> str:
        """What stands below it, which begins with the number of its field: ``2───┘``."""
        if self.field is None or not self.text:
            return " " * len(self.text)
        name, width = str(self.number), len(self.text)
        return name[:width] + ("─" * width)[len(name) : -1] + "┘" * (width > len(name))


def segments(key: RowKey) -> tuple[Segment, ...]:
    """The fields of an example of ``key``, and the delimiters between them; ``?`` for a byte that nobody knows."""
    found: list[Segment] = []
    for number, part in enumerate(key.fields, 1):
        raw = sample(part, number)
        text = _UNKNOWN * part.codec.length.typical if raw is None else as_text(raw)
        found.append(Segment(part, number, text))
        if part is not key.fields[-1] and key.behind(part):
            found.append(Segment(None, 0, as_text(key.behind(part))))
    return tuple(found)
