"""A few rows from all parts of a table, in few requests."""

from bisect import bisect_left
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from time import monotonic

from attrs import Factory, define, field, frozen

from btmodel.client._sync.database import Database
from btmodel.client.row_streams import Row
from btmodel.rows import Chain, Families, Filter, FirstCells, Interleave, ReadPlan, RowRange, Versions

_PLACES = 8  # where rows are read
_VERSIONS = 3  # of a column: enough to see that there are several
_CELLS = 300  # of a family of a row
_MOST_FAMILIES = 20  # that are asked for one by one: a filter has a longest size
_DIGITS = 8  # bytes of keys between which others are made up


@frozen
class Bounds:
    """How much of a table is read at the most: rows, bytes of their keys and values, and seconds."""

    rows: int = 1_000
    size: int = 16 * 2**20
    seconds: float = 20.0


@frozen
class Sampling:
    """Rows of a table, in the order of their keys.

    ``whole`` is true where there are no others, ``places`` the number of places of the table that were looked
    at, and ``stopped`` the bound that ended the reading early, in words; empty where none did.
    """

    rows: tuple[Row, ...]
    whole: bool
    places: int
    stopped: str = ""


def sample(database: Database, table: str, families: Sequence[str], bounds: Bounds) -> Sampling:
    """Rows from several places of ``table``, the first and the last row among them.

    Of a row it takes the 3 newest versions of each column, and the first 300 cells of each family. A small
    table is read with one request, and a large one with less than 40. Raises :class:`MissingTable` and
    :class:`ServerError`.
    """
    reading = _Reading(database, table, _few_cells(families), bounds)
    share = max(bounds.rows // _PLACES, 1)
    if reading.read(RowRange(b"", b""), share):
        return reading.ended(1, whole=True)
    if reading.over:
        return reading.ended(1)
    furthest = max(reading.rows)
    reading.read(RowRange(furthest + b"\0", b""), 1, backwards=True)
    last = max(reading.rows)
    splits = database.splits(table)
    letters = bytes(sorted(set(b"".join((*reading.rows, *splits, b"\0")))))
    left = _places(RowRange(furthest + b"\0", last), splits, letters)
    unread = [(place, reading.last) for place in left if not reading.read(place, share)]
    while unread and not reading.over:
        # What some places had no rows for, others may have: a table of no more rows is read as a whole.
        rest = []
        for index, (place, key) in enumerate(unread):
            share = max((bounds.rows - len(reading.rows)) // (len(unread) - index), 1)
            if not reading.read(place.since(key + b"\0"), share):
                rest.append((place, reading.last))
        unread = rest
    return reading.ended(1 + len(left), whole=not unread)


@define
class _Reading:
    """The rows of a table that were read, by their keys, and whether more may be."""

    database: Database
    table: str
    filter: Filter | None
    bounds: Bounds
    rows: dict[bytes, Row] = field(factory=dict)
    last: bytes = b""
    stopped: str = ""
    _size: int = 0
    _until: float = field(init=False, default=Factory(lambda self: monotonic() + self.bounds.seconds, True))

    @property
    def over(self) -> bool:
        """Whether no more may be read."""
        return bool(self.stopped) or len(self.rows) >= self.bounds.rows

    def read(self, span: RowRange, limit: int, *, backwards: bool = False) -> bool:
        """Read ``limit`` rows of ``span`` at the most; whether these were all that it has."""
        limit = min(limit, self.bounds.rows - len(self.rows))
        if limit < 1 or self.stopped:
            return False
        if span.empty:
            return True
        count = 0
        plan = ReadPlan(self.table, (span,), self.filter, limit=limit, backwards=backwards)
        with closing(self.database.read(plan)) as rows:
            for row in rows:
                count += 1
                if not self._take(row):
                    return False
        return count < limit

    def _take(self, row: Row) -> bool:
        """Keep a row; whether another one may be read."""
        key, cells = row
        self.rows[key] = row
        self.last = key
        self._size += len(key) + sum(len(cell.qualifier) + len(cell.value) for cell in cells)
        if self._size >= self.bounds.size:
            self.stopped = f"{self._size / 2**20:,.0f} MB were read"
        elif monotonic() >= self._until:
            self.stopped = f"{self.bounds.seconds:g} s were over"
        return not self.stopped

    def ended(self, places: int, *, whole: bool = False) -> Sampling:
        """What was read, in the order of the keys."""
        rows = tuple(self.rows[key] for key in sorted(self.rows))
        return Sampling(rows, whole and not self.stopped, places, self.stopped)


def _few_cells(families: Sequence[str]) -> Filter | None:
    """The newest versions, and the first columns of each family, so that a wide one hides no other."""
    first = (Versions(_VERSIONS), FirstCells(_CELLS))
    if not 1 < len(families) <= _MOST_FAMILIES:
        return Chain(first)
    return Interleave(tuple(Chain((Families((family,)), *first)) for family in families))


def _places(span: RowRange, splits: Sequence[bytes], letters: bytes) -> list[RowRange]:
    """``span`` in parts: at some of the ``splits`` that lie in it, or else at keys that are made up."""
    wanted = _PLACES - 1
    cuts = [key for key in splits if span.start < key < span.end]
    if len(cuts) < wanted - 1:
        cuts = _between(span.start, span.end, wanted, letters)
    count = min(wanted - 1, len(cuts))  # one less than there are parts
    chosen = [cuts[(2 * index + 1) * len(cuts) // (2 * count)] for index in range(count)]
    edges = sorted({span.start, *chosen, span.end})
    return [RowRange(start, end) for start, end in pairwise(edges)]


def _between(start: bytes, end: bytes, parts: int, letters: bytes) -> list[bytes]:
    """Keys that divide what lies between two keys evenly, as numbers whose digits are ``letters``.

    Keys of digits alone would lie close together among all the bytes that there are.
    """
    same = next((at for at, (a, b) in enumerate(zip(start, end, strict=False)) if a != b), len(start))
    low, high = (_number(key[same : same + _DIGITS], letters) for key in (start, end))
    found = (low + (high - low) * part // parts for part in range(1, parts))
    keys = (start[:same] + _spelt(number, letters) for number in found)
    return [key for key in keys if start < key < end]


def _number(digits: bytes, letters: bytes) -> int:
    number = 0
    for at in range(_DIGITS):
        # A letter that was not seen counts as the next one that was.
        digit = bisect_left(letters, digits[at]) if at < len(digits) else 0
        number = number * len(letters) + min(digit, len(letters) - 1)
    return number


def _spelt(number: int, letters: bytes) -> bytes:
    digits = bytearray()
    for _ in range(_DIGITS):
        number, digit = divmod(number, len(letters))
        digits.append(letters[digit])
    return bytes(reversed(digits))
