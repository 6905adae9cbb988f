"""Models in words: what families keep, and which rows a query reads."""

from datetime import date

import attrs
import pytest

import btmodel as bt
from btmodel.described import keeps, served, stated, written
from btmodel.estimates import shares
from btmodel.schema import Family, GcRule
from btmodel.schema.model import UNSTATED

DAYS = bt.max_age(days=7)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (None, "no rule is stated"),
        (bt.keep_all(), "everything, for ever"),
        (bt.max_versions(1), "the newest version"),
        (bt.max_versions(5000), "the newest 5,000 versions"),
        (bt.max_age(days=1), "versions younger than 1 day"),
        (bt.max_age(hours=36), "versions younger than 36 hours"),
        (bt.max_versions(3) | DAYS, "the newest 3 versions, while younger than 7 days"),
        (bt.max_versions(1) & DAYS, "the newest version, and all younger than 7 days"),
        (
            DAYS & (bt.max_versions(2) | bt.max_age(milliseconds=1500)),
            "the newest 2 versions, while younger than 1,500 milliseconds; and versions younger than 7 days",
        ),
        (bt.max_age(days=365) | bt.max_versions(1), "the newest version, while younger than 365 days"),
        (DAYS & bt.max_versions(2), "the newest 2 versions, and all younger than 7 days"),
        (
            DAYS | (bt.max_versions(2) & bt.max_age(days=1)),
            "versions that are younger than 7 days and (among the newest 2 or younger than 1 day)",
        ),
        (
            bt.max_versions(9) & (bt.max_versions(2) | DAYS) & bt.max_age(days=1),
            "the newest 9 versions; and the newest 2 versions, while younger than 7 days; "
            "and versions younger than 1 day",
        ),
        (bt.keep_all() | bt.max_versions(2), "the newest 2 versions"),
        (bt.keep_all() & bt.max_versions(2), "everything, for ever"),
    ],
)
def test_a_rule_says_what_is_kept(rule: GcRule | None, words: str) -> None:
    """A union deletes where either rule does, so what both keep is kept; of an intersection, what either keeps."""
    assert keeps(Family("f", rule)) == words


class Reading(bt.Model, table="reading", events="5000/s"):
    """A salted key of four fields."""

    kind = bt.constant("r")
    part = bt.salt("sensor", buckets=3)
    sensor: str = bt.key(bt.Text(max_length=9), cardinality=1_000)
    day: date = bt.key(bt.DateText())

    f = bt.family("f", gc=bt.max_versions(1))
    value: int = bt.column("v", f)

    one = bt.query("sensor", "day")
    of_sensor = bt.query("sensor", only=["value"])
    spans = bt.query("sensor", between="day")
    below = bt.query(starting="sensor")
    every = bt.query(scan="a report")


@pytest.mark.parametrize(
    ("query", "given", "rows"),
    [
        ("one", "sensor, day", "r#{part}#{sensor}#{day}"),
        ("of_sensor", "sensor", "r#{part}#{sensor}#..."),
        ("spans", "sensor, day from..to", "r#{part}#{sensor}#{day: from..to}"),
        ("below", "sensor beginning with...", "r#{part: each}#{sensor...}"),
        ("every", "nothing", "r#..."),
    ],
)
def test_a_query_says_which_rows_it_reads(query: str, given: str, rows: str) -> None:
    """The key is drawn as far as the read tells it; what a salt makes many reads is said."""
    schema = bt.schema_of(Reading)
    found = served(schema, schema.query(query))
    assert (found.given, found.rows) == (given, rows)


def test_a_query_that_no_key_serves_reads_no_rows() -> None:
    """There are no keys to draw, and why not is said."""
    schema = bt.schema_of(Reading)
    from btmodel.schema import Query

    found = served(schema, Query("q", ("day",)))
    assert (found.rows, found.kind) == ("", "unserved")
    assert "stands in front" in found.how


def test_settings_of_a_table() -> None:
    """Each that is stated is told, on or off, and no other."""

    class Full(
        bt.Model,
        table=bt.table(
            "full",
            deletion_protection=True,
            change_stream="1d",
            automated_backups="30d",
            tiered_storage="60d",
            row_key_schema=True,
            renamed_from="half",
        ),
    ):
        name: str = bt.key(bt.Text(max_length=3), cardinality=9)
        f = bt.family("f", gc=bt.keep_all())
        value: int = bt.column("v", f)

    class Off(
        bt.Model,
        table=bt.table(
            "off",
            deletion_protection=False,
            change_stream=False,
            automated_backups=False,
            tiered_storage=False,
            row_key_schema=False,
        ),
    ):
        name: str = bt.key(bt.Text(max_length=3), cardinality=9)
        f = bt.family("f", gc=bt.keep_all())
        value: int = bt.column("v", f)

    assert list(stated(bt.schema_of(Full))) == [
        "protected from deletion",
        "changes can be read for 1 day",
        "daily backups are kept for 30 days",
        "cells are in infrequent access from an age of 60 days on",
        "with a row key schema",
        "renamed from half",
    ]
    assert list(stated(bt.schema_of(Off))) == [
        "not protected from deletion",
        "no change stream",
        "no automated backups",
        "no tiered storage",
        "no row key schema",
    ]
    assert list(stated(attrs.evolve(bt.schema_of(Off), settings=UNSTATED, row_key_schema=None))) == []


class Shelf(bt.Model, table="shelf"):
    """Attributes that lie in several cells."""

    id: int = bt.key(bt.PaddedInt(2))

    p = bt.family("p", gc=bt.max_versions(9))
    h = bt.family("h", gc=bt.max_age(days=30), aggregate="sum")
    heat: bt.History[int] = bt.history("h", p)
    prices: dict[int, bt.History[int]] = bt.histories(p, bt.PaddedInt(3), prefix="p:")
    stock: dict[int, bt.Timed[int]] = bt.timed(p, bt.PaddedInt(3), prefix="s:")
    clicks: bt.History[int] = bt.counter("c", h, every="15min")
    e = bt.family("e", gc=bt.keep_all(), aggregate="sum")
    votes: dict[int, int] = bt.counters(e, bt.PaddedInt(3))


def test_how_an_attribute_lies_in_cells() -> None:
    """By its declaring function, what its values are, and what its qualifiers are."""
    number, named = "signed 64-bit integer, big-endian", "named by 3 digits, zeros on the left"
    assert [written(share) for share in shares(bt.schema_of(Shelf))] == [
        f"history: {number}",
        f"histories: {number}; {named}",
        f"timed: {number}; {named}",
        f"counter of every 15min: {number}",
        f"counters: {number}; {named}",
    ]
