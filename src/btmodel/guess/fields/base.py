"""What a guess at a field of a row key is, and when a codec fits."""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, date, datetime
from typing import Any

from attrs import frozen

from btmodel.codecs.key import KeyCodec

# Different values from which on it is hardly chance that all of them are of one kind.
SEVERAL = 3
# Different values from which on a width, or a form, that all of them have is meant.
MANY = 20
# Times outside of these are taken for other numbers.
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
LATEST = datetime(2040, 1, 1, tzinfo=UTC)


@frozen
class FieldGuess:
    """What the values of a field seem to be: the codec that fits them all, and why it was chosen.

    ``said`` is the evidence in words, without the number of values. ``name`` is what the field may be
    called, since a table does not know the names of its key fields. ``sure`` is whether this can
    hardly be chance, so that the values are not taken apart any further.
    """

    codec: KeyCodec[Any]
    said: str
    name: str
    sure: bool = False


FieldGuesser = Callable[[Sequence[bytes]], FieldGuess | None]


def fits(codec: KeyCodec[Any], values: Sequence[bytes]) -> bool:
    """Whether every one of ``values`` decodes, and encodes to the same bytes again."""
    try:
        return all(codec.encode(codec.decode(value)) == value for value in values)
    except (ValueError, OverflowError):
        return False


def plausible(times: Sequence[datetime]) -> bool:
    """Whether all ``times`` are such as a table of today holds."""
    return all(EARLIEST <= time < LATEST for time in times)


def between(values: Sequence[date]) -> str:
    """The first and the last day of times or dates: ``2015-03-16 to 2024-07-01``."""
    days = [value.date() if isinstance(value, datetime) else value for value in values]
    return span(min(days), max(days))


def span(least: object, most: object) -> str:
    """The least and the greatest of something: ``2 to 9``, or ``2`` alone."""
    return f"{least}" if least == most else f"{least} to {most}"


def sizes(values: Sequence[bytes]) -> str:
    """The lengths of values: ``6 bytes``, ``3 to 9 bytes``."""
    least, most = (limit(map(len, values)) for limit in (min, max))
    return f"{span(least, most)} byte{'s' * (most != 1)}"


def one_length(values: Sequence[bytes]) -> int | None:
    """The length of all values, or None where they differ."""
    lengths = set(map(len, values))
    return lengths.pop() if len(lengths) == 1 else None


def roomy(values: Collection[bytes]) -> int:
    """A longest length for values such as these: others may be longer, and of few nobody knows by how much."""
    longest, few = max(map(len, values)), len(set(values)) < MANY
    room, times = (128, 8) if few else (16, 2)
    while room < times * longest:
        room *= 2
    return max(min(room, 1024), longest)
