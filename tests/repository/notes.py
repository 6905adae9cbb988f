"""Models that between them have every kind of column and key, and how a repository is generated for one."""

from datetime import datetime

import btmodel as bt
from tests.written_repositories import generated as generated


class Note(bt.Model, table="notes"):
    """A note of a tenant."""

    tenant: str = bt.key(bt.Text(max_length=20))
    name: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(1))
    c = bt.family("c", gc=bt.max_versions(1), aggregate="sum")
    t = bt.family("t", gc=bt.max_versions(1))
    title: str = bt.column("t", d)
    text: str | None = bt.column("x", d, default=None)
    visits: int | None = bt.column("v", d, default=None)
    version: int | None = bt.column("n", d, codec=bt.DecimalText(), default=None)
    likes: int | None = bt.counter("l", c)
    tags: set[str] = bt.members(t, bt.Text(max_length=20))
    scores: dict[str, int] = bt.mapping(d, bt.Text(max_length=20), prefix="s:")

    of_tenant = bt.query("tenant")
    named = bt.query("tenant", between="name")
    beginning = bt.query("tenant", starting="name")
    all_notes = bt.query(scan="the tests")


class Spread(bt.Model, table="spread", events="5000/s"):
    """A row that is salted by its user, to be read in the order of numbers."""

    part = bt.salt("user", buckets=3)
    number: int = bt.key(bt.PaddedInt(4))
    user: str = bt.key(bt.Text(max_length=10))

    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)

    numbered = bt.query(between="number")


class Visited(bt.Model, table="visited"):
    """A page whose key is a hash of its address."""

    hashed = bt.digest("url")
    day: str | None = bt.key(bt.Text(max_length=10), default=None)

    d = bt.family("d", gc=bt.max_versions(1))
    url: str = bt.column("u", d)
    size: int | None = bt.column("s", d, default=None)

    of_page = bt.query("url")
    one = bt.query("url", "day")


class Awkward(bt.Model, table="awkward"):
    """Columns with the names of parameters."""

    name: str = bt.key(bt.Text(width=1))

    d = bt.family("d", gc=bt.max_versions(1))
    m = bt.family("m", gc=bt.max_versions(1))
    row: int | None = bt.column("r", d, default=None)
    key: set[str] = bt.members(m, bt.Text(max_length=5))

    all_rows = bt.query(scan="the tests")


class Seen(bt.Model, table="seen"):
    """A page, when it was seen last, and how often: the time lies in the timestamps."""

    page: str = bt.key(bt.Text(max_length=5), mirror="d:p")

    at: datetime = bt.timestamp()
    d = bt.family("d", gc=bt.max_versions(1))
    title: str | None = bt.column("t", d, default=None)
    c = bt.family("c", gc=bt.max_versions(1), aggregate="sum")
    times: int | None = bt.counter("n", c)


class Measured(bt.Model, table="measured_{year}"):
    """Measurements, in a table a year and a family a site."""

    meter: int = bt.key(bt.PaddedInt(4), mirror="{site}:M")

    s = bt.family("{site}", gc=bt.max_versions(1))
    value: int | None = bt.column("v", s, default=None)

    all_meters = bt.query(scan="the tests")
