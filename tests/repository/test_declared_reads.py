"""What a query declares of its read, against a real server: which columns, and in which order."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from notes import generated

import btmodel as bt

Open = Callable[..., bt.Database]
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


class Charge(bt.Model, table="charges", events="2000/s"):
    """A charge of a user, among those in the order of time."""

    user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    at: datetime = bt.key(bt.EpochMillis())

    m = bt.family("m", gc=bt.max_versions(1))
    percent: int = bt.column("p", m)
    phone: str | None = bt.column("t", m, default=None)

    newest = bt.query("user", between="at", newest=True)
    newest_of_all_times = bt.query("user", newest=True)
    percents = bt.query("user", between="at", only=["percent"])


class Reversed(bt.Model, table="reversed", events="2000/s"):
    """The same, the newest in front."""

    user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    at: datetime = bt.key(bt.ReversedMillis())

    m = bt.family("m", gc=bt.max_versions(1))
    percent: int = bt.column("p", m)

    newest = bt.query("user", between="at", newest=True)


class SaltedCharge(bt.Model, table="salted_charges", events="2000/s"):
    """The same, spread by a salt of the time."""

    part = bt.salt("at", buckets=3)
    at: datetime = bt.key(bt.EpochMillis())

    m = bt.family("m", gc=bt.max_versions(1))
    percent: int = bt.column("p", m)

    newest = bt.query(between="at", newest=True)


CHARGES, REVERSED, SALTED = generated(Charge), generated(Reversed), generated(SaltedCharge)


@pytest.fixture
def charges(database: Open) -> Any:
    """Five charges of Corrie, a minute apart, and one of Jo."""
    repository = CHARGES.ChargeRepository(database(Charge))
    repository.put_many(
        Charge(user="corrie", at=BEGIN + timedelta(minutes=n), percent=n, phone="x") for n in range(5)
    )
    repository.put(Charge(user="jo", at=BEGIN, percent=9))
    return repository


def test_a_query_for_the_newest_reads_from_the_end_of_a_natural_order(charges: Any) -> None:
    """Newest first is what comes, of a range and of a prefix, and the limit takes the newest."""
    assert [row.percent for row in charges.newest("corrie")] == [4, 3, 2, 1, 0]
    assert [row.percent for row in charges.newest_of_all_times("corrie").limit(2)] == [4, 3]
    start = BEGIN + timedelta(minutes=1)
    assert [row.percent for row in charges.newest("corrie", start, start + timedelta(minutes=2))] == [2, 1]


def test_a_query_for_the_newest_reads_a_reversed_time_from_the_start(database: Open) -> None:
    """Where the key is reversed, its own order is newest first."""
    repository = REVERSED.ReversedRepository(database(Reversed))
    repository.put_many(Reversed(user="corrie", at=BEGIN + timedelta(minutes=n), percent=n) for n in range(5))
    assert [row.percent for row in repository.newest("corrie").limit(3)] == [4, 3, 2]
    assert "from the last row" not in Reversed.newest.explain(user="corrie")


def test_the_newest_come_first_from_all_salts(database: Open) -> None:
    """The reads of all salts are merged from the newest on."""
    repository = SALTED.SaltedChargeRepository(database(SaltedCharge))
    repository.put_many(SaltedCharge(at=BEGIN + timedelta(minutes=n), percent=n) for n in range(20))
    assert [row.percent for row in repository.newest().limit(7)] == [19, 18, 17, 16, 15, 14, 13]


def test_a_query_reads_the_columns_that_it_names(charges: Any) -> None:
    """Other columns are not sent; ``only`` of the call takes the place of the declared one."""
    row = charges.percents("corrie").first()
    assert row.percent == 0
    with pytest.raises(AttributeError):
        _ = row.phone
    assert charges.percents("corrie").only("phone").first().phone == "x"


def test_what_a_query_reads_can_be_seen_without_a_server() -> None:
    """The filter and the order of a declared read stand in its explanation."""
    shown = Charge.percents.explain(user="corrie")
    assert "qualifier" in shown.lower() or "columns" in shown.lower(), shown
    assert "order   from the last row to the first" in Charge.newest.explain(user="corrie")


def test_generated_methods_say_what_they_read() -> None:
    """The docstring of a method tells the order and the columns that its query declares."""
    assert "the newest first" in CHARGES.ChargeRepository.newest.__doc__
    assert "Reads percent alone." in CHARGES.ChargeRepository.percents.__doc__
