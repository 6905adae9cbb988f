"""Models of every kind of field and column that there is, for the machine that drives their repositories."""

from datetime import date, datetime

import btmodel as bt


class Note(bt.Model, table="NOTE"):
    """Spread by a salt, the last number of a group first; the time of a note lies in its cells' timestamps."""

    kind = bt.constant("n")
    shard = bt.salt("group", "number", buckets=3)
    group: str = bt.key(bt.Text(max_length=3), cardinality=1_000, mirror="d:group")
    number: int = bt.key(bt.Descending(bt.PaddedInt(3)))
    path: str = bt.key(bt.Text(max_length=5, min_length=0, holds_delimiter=True))

    at: datetime = bt.timestamp()
    d = bt.family("d", gc=bt.max_versions(1))
    title: str = bt.column("title", d)
    size: int | None = bt.column("size", d, default=None)
    e = bt.family("e", gc=bt.max_versions(1))
    scores: dict[str, int] = bt.mapping(e, bt.Text(max_length=3))
    t = bt.family("t", gc=bt.max_versions(1))
    tags: set[str] = bt.members(t, bt.Text(max_length=3), prefix="t:")
    a = bt.family("a", gc=bt.max_age(days=30))
    draft: str | None = bt.column("draft", a, default=None)
    h = bt.family("h", gc=bt.max_versions(2))
    prices: bt.History[int] = bt.history("price", h)
    c = bt.family("c", gc=bt.keep_all(), aggregate="sum")
    hits: int | None = bt.counter("hits", c)

    everything = bt.query(scan="compared with all that was written")
    one = bt.query("group", "number", "path")
    of_group = bt.query("group")
    by_number = bt.query("group", between="number")
    by_path = bt.query("group", "number", between="path")
    below = bt.query("group", "number", starting="path")


class NoteOfOthers(bt.Model, table="NOTE"):
    """The table of the notes as another program has it: with a family that a note does not know."""

    key: str = bt.key(bt.Text(max_length=30))
    x = bt.family("x", gc=bt.max_versions(1))
    other: str | None = bt.column("o", x, default=None)


class Stock(bt.Model, table="STOCK", delimiter="\x1f"):
    """A name that sorts though its width differs, and a last field that rows may lack."""

    name: str = bt.key(bt.Text(max_length=3), cardinality=1_000, mirror="d:name")
    part: int | None = bt.key(bt.PaddedInt(2), default=None)

    d = bt.family("d", gc=bt.max_versions(1))
    count: int | None = bt.column("count", d, default=None)
    text: str | None = bt.column("text", d, default=None)
    u = bt.family("u", gc=bt.max_versions(2) | bt.max_age(days=30))
    unit: str | None = bt.column("unit", u, default=None)
    both: bt.History[int] = bt.history("both", u)
    i = bt.family("i", gc=bt.max_versions(1) & bt.max_age(days=30))
    either: bt.History[int] = bt.history("either", i)
    s = bt.family("s", gc=bt.keep_all(), aggregate="sum")
    total: int | None = bt.counter("total", s)
    m = bt.family("m", gc=bt.keep_all(), aggregate="max")
    most: int | None = bt.counter("most", m)
    n = bt.family("n", gc=bt.max_age(days=30), aggregate="sum")
    hours: bt.History[int] = bt.counter("hours", n, every="1h")
    b = bt.family("b", gc=bt.keep_all(), aggregate="sum")
    votes: dict[str, int] = bt.counters(b, bt.Text(max_length=3))
    p = bt.family("p", gc=bt.max_versions(2) | bt.max_age(days=30))
    prices: dict[str, bt.History[int]] = bt.histories(p, bt.Text(max_length=3))
    k = bt.family("k", gc=bt.max_versions(1))
    seen: dict[str, bt.Timed[int]] = bt.timed(k, bt.Text(max_length=3))

    everything = bt.query(scan="compared with all that was written")
    one = bt.query("name", "part")
    of_name = bt.query("name")
    by_name = bt.query(between="name")
    by_part = bt.query("name", between="part")
    named = bt.query(starting="name")


class MeterDay(bt.Model, table="METER", bucket="day", events="100/day"):
    """A row for each day of a meter, and every kind of event in it."""

    meter: str = bt.key(bt.Text(width=2), cardinality=1_000)
    day: date = bt.key(bt.DateText())

    p = bt.family("p", gc=bt.max_versions(3))
    power: bt.History[int] = bt.history("power", p)
    heat: bt.History[int] = bt.history("heat", p)
    s = bt.family("s", gc=bt.max_versions(1))
    level: bt.Slots[int] = bt.slots(s, every="6h", qualifier="%H")
    k = bt.family("k", gc=bt.max_versions(2))
    alarms: bt.History[str] = bt.marks(k, bt.Text(max_length=2), prefix="a:")

    everything = bt.query(scan="compared with all that was written")
    one = bt.query("meter", "day")
    of_meter = bt.query("meter")
    by_day = bt.query("meter", between="day")
