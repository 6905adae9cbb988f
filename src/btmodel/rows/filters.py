"""Read filters as values."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from btmodel.codecs.aware_times import micros_since_epoch
from btmodel.words import as_text, counted, duration_text


class Filter:
    """What a read leaves out."""


@frozen
class Families(Filter):
    """Only cells of these families."""

    ids: tuple[str, ...]

    def __str__(self) -> str:
        return f"families {', '.join(self.ids)}"


@frozen
class Versions(Filter):
    """Only the ``newest`` cells of each column."""

    newest: int

    def __str__(self) -> str:
        return f"newest {self.newest} of a column"


@frozen
class Within(Filter):
    """Only cells younger than ``age``, counted from the moment of the read."""

    age: timedelta

    def start(self, now: datetime) -> int:
        """The oldest timestamp that passes, in microseconds, rounded up to whole milliseconds."""
        try:
            oldest = micros_since_epoch(now - self.age)
        except OverflowError:
            return 0
        return max(-(-oldest // 1000) * 1000, 0)

    def __str__(self) -> str:
        return f"younger than {duration_text(self.age)}"


@frozen
class Before(Filter):
    """Only cells older than ``age``, counted from the moment of the request: those that are not :class:`Within` it."""

    age: timedelta

    def end(self, now: datetime) -> int:
        """The timestamp from which on cells do not pass; 0 where none passes."""
        return Within(self.age).start(now)

    def __str__(self) -> str:
        return f"older than {duration_text(self.age)}"


@frozen
class Unexpired(Filter):
    """Only cells whose timestamp, the end of their life, is still to come at the moment of the read."""

    def start(self, now: datetime) -> int:
        """The earliest timestamp that passes, in microseconds: the next whole millisecond."""
        return (micros_since_epoch(now) // 1000 + 1) * 1000

    def __str__(self) -> str:
        return "timestamps after now"


@frozen
class Times(Filter):
    """Only cells with a timestamp in ``[start, end)``, in microseconds; an ``end`` of 0 is open."""

    start: int
    end: int

    def __str__(self) -> str:
        return f"timestamps [{self.start}, {self.end or 'open'})"


@frozen
class Qualifiers(Filter):
    """Only cells of these columns of one family."""

    family: str
    qualifiers: tuple[bytes, ...]

    def __str__(self) -> str:
        return f"columns {', '.join(f'{self.family}:{as_text(qualifier)}' for qualifier in self.qualifiers)}"


@frozen
class QualifierRange(Filter):
    """Only cells of one family with a qualifier in ``[start, end)``; an empty ``end`` is open."""

    family: str
    start: bytes
    end: bytes

    def __str__(self) -> str:
        return f"columns {self.family}:[{as_text(self.start)}, {as_text(self.end) or 'open'})"


@frozen
class ExactValue(Filter):
    """Only cells with just this value."""

    value: bytes

    def __str__(self) -> str:
        return f"value {as_text(self.value)}"


@frozen
class Values(Filter):
    """Only cells with a value from ``start`` to ``end``, each of which may be open, or belong to the range or not."""

    start: bytes | None
    end: bytes | None
    with_start: bool = True
    with_end: bool = False

    def __str__(self) -> str:
        start = "(open" if self.start is None else f"{'[' if self.with_start else '('}{as_text(self.start)}"
        end = "open)" if self.end is None else f"{as_text(self.end)}{']' if self.with_end else ')'}"
        return f"values {start}, {end}"


@frozen
class ValueEnds(Filter):
    """Only cells whose value begins with ``start`` and ends with ``end``, which do not overlap in it."""

    start: bytes
    end: bytes

    def __str__(self) -> str:
        return f"values from {as_text(self.start)} to {as_text(self.end)}"


@frozen
class KeyMatches(Filter):
    """Only rows whose whole key matches a regular expression of RE2, over bytes."""

    pattern: bytes

    def __str__(self) -> str:
        return f"keys that match {as_text(self.pattern)}"


@frozen
class KeyLength(Filter):
    """Only rows whose whole key has so many bytes."""

    bytes: int

    def __str__(self) -> str:
        return f"keys of {counted(self.bytes, 'byte')}"


@frozen
class Sample(Filter):
    """Each row with this probability, drawn anew by every request."""

    share: float

    def __str__(self) -> str:
        return f"a sample of {100 * self.share:g} % of the rows"


@frozen
class FirstCells(Filter):
    """Only the first ``count`` cells of a row."""

    count: int

    def __str__(self) -> str:
        return f"first {counted(self.count, 'cell')} of a row"


@frozen
class WithoutFirst(Filter):
    """All but the first ``count`` cells of a row, which of one column are its newest."""

    count: int

    def __str__(self) -> str:
        return f"without the first {counted(self.count, 'cell')} of a row"


@frozen
class WithoutValues(Filter):
    """Every cell with an empty value instead of its own: for what is asked only whether it is there."""

    def __str__(self) -> str:
        return "without values"


@frozen
class Rows(Filter):
    """What ``then`` lets through, of rows in which ``found`` finds a cell; of the others nothing.

    ``then`` is None where it lets through everything.
    """

    found: Filter
    then: Filter | None = None

    def __str__(self) -> str:
        return f"rows with ({self.found}) > {self.then or 'every cell'}"


@frozen
class RowsWithout(Filter):
    """What ``then`` lets through, of rows in which ``found`` finds no cell; of the others nothing. As :class:`Rows`."""

    found: Filter
    then: Filter | None = None

    def __str__(self) -> str:
        return f"rows without ({self.found}) > {self.then or 'every cell'}"


@frozen(cache_hash=True)
class Chain(Filter):
    """What passes every one of ``filters``, in order."""

    filters: tuple[Filter, ...]

    def __str__(self) -> str:
        return " > ".join(map(str, self.filters))


@frozen(cache_hash=True)
class Interleave(Filter):
    """What passes any of ``filters``; a cell that passes two comes twice."""

    filters: tuple[Filter, ...]

    def __str__(self) -> str:
        return "(" + " | ".join(map(str, self.filters)) + ")" if self.filters else "nothing"


NOTHING = Interleave(())


def families_of(filter: Filter | None) -> tuple[str, ...]:
    """The families that a filter names, each once."""
    found: list[str] = []
    match filter:
        case Families(ids):
            found += ids
        case Qualifiers(family) | QualifierRange(family):
            found.append(family)
        case Chain(parts) | Interleave(parts):
            found += (one for part in parts for one in families_of(part))
        case Rows(condition, then) | RowsWithout(condition, then):
            found += (*families_of(condition), *families_of(then))
    return tuple(dict.fromkeys(found))


def chain(filters: Iterable[Filter | None]) -> Filter | None:
    """The chain of those filters that are there; no filter, or the only one, needs no chain."""
    parts: list[Filter] = []
    for part in filters:
        parts += part.filters if isinstance(part, Chain) else [part] if part else []
    return Chain(tuple(parts)) if len(parts) > 1 else parts[0] if parts else None


def any_of(filters: Sequence[Filter]) -> Filter:
    """What lets through the cells that any of ``filters`` does; the only one needs no interleave."""
    return filters[0] if len(filters) == 1 else Interleave(tuple(filters))
