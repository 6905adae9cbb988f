"""Rows and bytes after a day, a month and a year: the figures of the documents, and garbage collection."""

from datetime import date, timedelta

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.schema import Rate
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.table_growth import Growth, distinct, events_in, growth_of, largest, writer_groups
from btmodel.simulate.workload import Stated
from examples.balloons import BalloonWeek
from examples.battery import SaltedBattery
from examples.market import Quote
from examples.meters import Sensor
from examples.metrics import CurrentMetrics, Metrics
from examples.stock import Price
from examples.users import Login

GIB = 2**30


def grown(model: type[bt.Model], **said: object) -> Growth:
    return growth_of(workload_of(bt.schema_of(model), Stated(**said)))  # type: ignore[arg-type]


def test_metrics_make_about_two_billion_rows_a_day() -> None:
    """The documented system: 100,000 machines, every five seconds."""
    assert grown(Metrics).rows_a_day == pytest.approx(1.728e9, rel=0.001)


def test_the_newest_metrics_are_one_row_a_machine() -> None:
    """A row that is written again is no new row: there are as many after a year as after a day."""
    after = grown(CurrentMetrics).after
    assert after["a day"].rows == pytest.approx(100_000)
    assert after["a year"].rows == pytest.approx(100_000)
    assert after["a year"].bytes == pytest.approx(after["a day"].bytes)


def test_meters_make_at_most_ten_million_rows_a_day_of_96_columns() -> None:
    """The documented system: ten million meters, every quarter of an hour."""
    found = grown(Sensor)
    assert 9.99e6 < found.rows_a_day <= 10e6
    column = bt.schema_of(Sensor).columns[0]
    assert column.slots is not None
    assert column.slots.count == 96
    # Each column has its family, its name, its timestamp and its value: the row has 96 of them.
    assert found.after["a day"].row > 96 * (len("METER") + len("0000") + 8)


def test_quotes_make_hundreds_of_millions_of_rows_a_day() -> None:
    """The documented system, at 5,000 messages a second: a row a message."""
    assert 2e8 < grown(Quote).rows_a_day < 9e8


def test_events_of_one_key_make_one_row() -> None:
    """Two charges within a millisecond replace each other in the key without a user."""
    assert grown(SaltedBattery).rows_a_day == pytest.approx(86_400_000 * (1 - 2.718281828**-2), rel=0.001)


def test_what_garbage_collection_deletes_is_not_counted() -> None:
    """Logins are kept for 90 days: a year of them is no more than that."""
    after = grown(Login).after
    assert after["a year"].rows == pytest.approx(3 * after["a month"].rows, rel=1e-6)
    assert after["a year"].bytes == pytest.approx(3 * after["a month"].bytes, rel=1e-6)


def test_versions_that_are_not_kept_are_not_counted() -> None:
    """A row of a week grows with its events, up to as many versions as its family keeps."""
    schema = bt.schema_of(BalloonWeek)
    few = evolve(schema, families=tuple(evolve(one, gc=bt.max_versions(10)) for one in schema.families))
    all_, ten = (growth_of(workload_of(one)).after["a month"] for one in (schema, few))
    assert all_.row > 15 * ten.row > 0
    assert all_.rows == ten.rows


def test_a_row_without_an_end_grows_for_ever() -> None:
    """A price whose history is kept in one row has as many cells as it has had changes."""
    after = grown(Price).after
    assert after["a year"].row > 5 * after["a month"].row


class Clicks(bt.Model, table="clicks", events="1000/s"):
    """How often each of a hundred pages was clicked, in each hour of ten days."""

    page: int = bt.key(bt.PaddedInt(2), cardinality=100)

    h = bt.family("h", gc=bt.max_age(days=10), aggregate="sum")
    hours: bt.History[int] = bt.counter("c", h, every="1h")


def test_counters_of_spans_have_a_cell_for_each_span_that_is_kept() -> None:
    """However many events are added up in a span: 24 cells after a day, and 240 once ten days are kept."""
    after = grown(Clicks).after
    assert after["a day"].row == pytest.approx(2 + 24 * (1 + 1 + 8 + 8))
    assert after["a year"].row == pytest.approx(2 + 240 * (1 + 1 + 8 + 8))


def test_figures_that_the_bytes_lack_are_named() -> None:
    """The size of a text that no model declares is no guess: bytes are then at least what is known."""
    assert "`size` of `address`" in grown(Login).missing


def test_growth_adds_up() -> None:
    """At 1 % a day, the events of a year are the integral of the rate."""
    found = workload_of(bt.schema_of(Quote), Stated(growth=0.01))
    daily = [5000 * 86_400 * 1.01 ** (day + 0.5) for day in range(365)]
    assert events_in(found, timedelta(days=365)) == pytest.approx(sum(daily), rel=1e-4)
    assert events_in(evolve(found, growth=0.0), timedelta(days=2)) == 5000 * 86_400 * 2


@pytest.mark.parametrize("told", ["uniform", "zipf:0.99", "zipf:1", "zipf:1.3", "90%:200", "IBM:6,ZXZZT:4"])
def test_shares_add_up_to_one(told: str) -> None:
    """Whatever the distribution, the groups of writers have all events and all values."""
    found = workload_of(bt.schema_of(Quote), Stated(fields={"symbol": told}, counts={"exchange": 1}))
    groups = writer_groups(found)
    assert sum(group.share for group in groups) == pytest.approx(1)
    assert sum(group.count for group in groups) == pytest.approx(found.counts["symbol"])
    assert distinct(groups, 1e15) == pytest.approx(found.counts["symbol"])


def test_the_largest_share_is_that_of_the_first_rank() -> None:
    """Of YCSB's ten billion items the first has 3.78 % of the requests, as its constant says."""

    class Item(bt.Model, table="usertable", events="1/s"):
        """A record of YCSB."""

        id: int = bt.key(bt.PaddedInt(10), cardinality=10**10, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        f = bt.family("f", gc=bt.max_versions(1))
        value: int = bt.column("v", f)

    found = workload_of(bt.schema_of(Item), Stated(fields={"id": "zipf"}))
    assert largest(writer_groups(found)) == pytest.approx(1 / 26.46902820178302, rel=0.005)


def test_a_rate_that_is_told_counts_more_than_the_declared_one() -> None:
    """Twice the events are twice the rows, where each is one."""
    assert grown(Quote, events=Rate(10_000.0)).rows_a_day == pytest.approx(
        2 * grown(Quote).rows_a_day, rel=1e-3
    )


def test_times_that_do_not_go_by_make_no_new_rows() -> None:
    """Two times of each of 160,000 symbols are so many rows, however long they are written."""
    times = {"quote_time": {"2026-05-31T13:00": 1, "2026-06-30T13:00": 1}}
    assert grown(Quote, fields=times).after["a year"].rows == pytest.approx(2 * 160_000)
