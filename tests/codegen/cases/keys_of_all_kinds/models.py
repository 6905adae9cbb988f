"""Keys with salts, hashes and last fields that rows may lack; fields with the names of tuple methods; types of users."""

from datetime import date
from enum import Enum

import btmodel as bt


class Readings:
    """A class with a class in it."""

    class Quality(Enum):
        """How good a reading is."""

        GOOD = "good"
        BAD = "bad"


class QualityText(bt.KeyCodec[Readings.Quality]):
    """A codec of somebody else's, whose type is a class within a class."""

    python_type = Readings.Quality
    meaning = "good or bad"
    kind, order = bt.Text(width=4).kind, bt.Text(width=4).order
    length, alphabet = bt.Text(width=4).length, bt.Text(width=4).alphabet

    def encode(self, value: Readings.Quality) -> bytes:
        """Its name, in four bytes."""
        return value.value.ljust(4).encode()

    def decode(self, raw: bytes) -> Readings.Quality:
        """The one of this name."""
        return Readings.Quality(raw.decode().rstrip())


class PackedTags(bt.CellCodec[dict[str, tuple[int, ...]]]):
    """A codec whose values are of a generic type."""

    python_type = dict[str, tuple[int, ...]]  # type: ignore[assignment]
    typical_size = 8
    meaning = "tags"

    def encode(self, value: dict[str, tuple[int, ...]]) -> bytes:
        """The text of it."""
        return repr(value).encode()

    def decode(self, raw: bytes) -> dict[str, tuple[int, ...]]:
        """No way back is needed here."""
        raise ValueError("expected nothing")


class Spread(bt.Model, table="spread", events="5000/s"):
    """A salted key, read in the order of what stands behind the salt."""

    part = bt.salt("user", buckets=3)
    count: int = bt.key(bt.PaddedInt(4))
    closed: date = bt.key(bt.DateText())
    user: str = bt.key(bt.Text(max_length=10))

    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)

    numbered = bt.query(between="count")
    of_day = bt.query("count", "closed", starting="user")
    ranged = bt.query("count", "closed", between="user")


class Visited(bt.Model, table="visited"):
    """A key that is a hash of a column, and may have a day behind it."""

    hashed = bt.digest("url")
    only: Readings.Quality = bt.key(QualityText())
    day: date | None = bt.key(bt.DateText(), default=None)

    d = bt.family("d", gc=bt.max_versions(1))
    url: str = bt.column("u", d)

    of_page = bt.query("url")
    one = bt.query("url", "only", "day")


class Daily(bt.Model, table="daily", bucket="day"):
    """Events that are values of a generic type, in a row that may lack nothing."""

    station: str = bt.key(bt.Text(width=3), cardinality=3)
    day: date = bt.key(bt.DateText())

    d = bt.family("d", gc=bt.max_versions(24))
    tags: bt.History[dict[str, tuple[int, ...]]] = bt.history("t", d, codec=PackedTags())


class Lone(bt.Model, table="lone"):
    """A last field that rows may lack, and no hash."""

    station: str = bt.key(bt.Text(max_length=3), cardinality=3)
    index: int | None = bt.key(bt.PaddedInt(3), default=None)

    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)

    of_station = bt.query("station")


class Commit(bt.Model, table="commit"):
    """A key of several delimiters."""

    kind = bt.constant("user", ends=":")
    org: str = bt.key(bt.Text(max_length=10), cardinality=1000, ends="/")
    project: str = bt.key(bt.Text(max_length=10), cardinality=1000)
    at: date = bt.key(bt.DateText())

    d = bt.family("d", gc=bt.max_versions(1))
    lines: int = bt.column("lines", d)

    of_org = bt.query("org", starting="project")
