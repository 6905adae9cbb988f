"""What table definitions and SQL differ in: aggregates, keys in Bigtable's own encodings, cells of every codec."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

import btmodel as bt


class Side(StrEnum):
    """Of a trade."""

    BUY = "buy"
    SELL = "sell"


class Delimited(bt.Model, table="delimited", delimiter="\x1f"):
    """A key that Bigtable reads as delimited bytes."""

    kind = bt.constant("order")
    customer: str = bt.key(bt.Text(max_length=20), cardinality=1_000)
    side: Side = bt.key(bt.EnumText(Side))
    order: UUID = bt.key(bt.UuidText())

    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)

    of_customer = bt.query("customer")


class Ordered(bt.Model, table="ordered", delimiter=""):
    """A key that Bigtable reads as ordered code: NULs escaped, 00 01 between the fields."""

    folder: str = bt.key(bt.EscapedText(50, min_length=1), cardinality=1_000)
    digest: bytes = bt.key(bt.EscapedBytes(16, min_length=1))
    name: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)


class Numbered(bt.Model, table="numbered"):
    """A single field, a number of both signs."""

    number: int = bt.key(bt.OrderedInt())

    d = bt.family("number", gc=bt.max_versions(1))
    value: int = bt.column("v", d)


class Counted(bt.Model, table="counted"):
    """Families that aggregate, beside one that does not; and a time that counts backwards."""

    place: bytes = bt.key(bt.Bytes(width=4), cardinality=1_000)
    latest: datetime = bt.key(bt.ReversedMillis())
    rank: int = bt.key(bt.Descending(bt.PaddedInt(3)))

    total = bt.family("total", gc=bt.keep_all(), aggregate="sum")
    least = bt.family("least", gc=bt.max_versions(1), aggregate="min")
    most = bt.family("most", gc=bt.keep_all(), aggregate="max")
    d = bt.family("d", gc=bt.max_age(days=30) | bt.max_versions(2) | bt.max_age(hours=1) & bt.max_versions(1))
    sold: int | None = bt.counter("s", total)
    coldest: int | None = bt.counter("c", least)
    warmest: int | None = bt.counter("w", most)
    by_shop: dict[int, int] = bt.counters(total, bt.PaddedInt(3), prefix="shop:")
    by_hour: dict[str, int] = bt.counters(most, bt.Text(max_length=9), prefix="h:", entries=24)
    name: str | None = bt.column("n", d, default=None)
    ended = bt.family("ended", gc=bt.max_age(days=90), aggregate="sum")
    hours: bt.History[int] = bt.counter("h", ended, every="1h")
    e = bt.family("e", gc=bt.max_versions(3))
    prices: dict[str, bt.History[int]] = bt.histories(e, bt.Text(max_length=9), prefix="p:")
    start: dict[int, bt.Timed[str]] = bt.timed(e, bt.PaddedInt(2), prefix="s:")


class Celled(bt.Model, table="shared"):
    """Cells of many codecs; ``--`` and `*/` end no comment."""

    kind = bt.constant("cells")
    number: int = bt.key(bt.BigEndian(8))

    a = bt.family("a", gc=bt.max_versions(1))
    h = bt.family("h", gc=bt.max_age(days=7))
    flag: bool | None = bt.column("flag", a, default=None)
    word: bool | None = bt.column("word", a, codec=bt.FlagText("it's", "no\\"), default=None)
    seen: bool | None = bt.column("seen", a, codec=bt.Present(), default=None)
    born: date | None = bt.column("born", a, default=None)
    at: datetime | None = bt.column("at", a, default=None)
    id: UUID | None = bt.column("id", a, default=None)
    side: Side | None = bt.column("side", a, default=None)
    price: Decimal | None = bt.column("price", a, default=None)
    tags: list[str] | None = bt.column("tags", a, default=None)
    small: int | None = bt.column("small", a, codec=bt.IntBytes(4), default=None)
    ratio: float | None = bt.column("ratio", a, codec=bt.FloatText(), default=None)
    hexed: bytes | None = bt.column("hex", a, codec=bt.HexText(), default=None)
    based: bytes | None = bt.column("b64", a, codec=bt.Base64Text(), default=None)
    month: date | None = bt.column("month", a, codec=bt.AsInKey(bt.DateText("%Y-%m")), default=None)
    odd: float | None = bt.column(b"\xff\xfe`${HOME}'\"\\\n", a, default=None)
    Odd: str | None = bt.column("column", a, default=None)
    größe: str | None = bt.column("größe", a, default=None)
    readings: bt.History[float] = bt.history("r", h)
    friends: dict[str, str] = bt.mapping(h, bt.Text(max_length=40), prefix="f:", codec=bt.Utf8())


class Other(bt.Model, table="shared"):
    """Rows of another shape in the same table."""

    name: str = bt.key(bt.Text(max_length=9, min_length=3))

    a = bt.family("a", gc=bt.max_versions(1))
    flag: bool | None = bt.column("flag", a, default=None)


class OfDay(bt.Model, table="DAY_{day}"):
    """A table that is named at run time."""

    name: str = bt.key(bt.Text(max_length=9))

    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)
