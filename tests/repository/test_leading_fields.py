"""Deleting prefixes and reading the newest rows, against a real server."""

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from notes import Note, Spread, Visited, generated

import btmodel as bt
from btmodel.rows import Cell, Mutation
from examples.generated.quote_repository import QuoteRepository
from examples.generated.tenant_device_repository import AsyncTenantDeviceRepository, TenantDeviceRepository
from examples.generated.weather_day_repository import WeatherDayRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes
from examples.tenants import TenantDevice
from examples.weather import WeatherDay

Open = Callable[..., bt.Database]
Migrate = Callable[..., str]
NOTES, SPREAD, VISITED = generated(Note), generated(Spread), generated(Visited)
TENANTS = ("acm", "acme", "acme2")


class Dated(bt.Model, table="dated", events="5000/s"):
    """A salted row whose time sorts downward, so that the newest lies in front."""

    part = bt.salt("user", buckets=3)
    at: datetime = bt.key(bt.ReversedMillis())
    user: str = bt.key(bt.Text(max_length=10))

    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)


class Beside(bt.Model, table="notes"):
    """Another view of the same rows, in a family of its own."""

    tenant: str = bt.key(bt.Text(max_length=20))
    name: str = bt.key(bt.Text(max_length=20))

    z = bt.family("z", gc=bt.max_versions(1))
    value: int = bt.column("v", z)


class Unsorted(bt.Model, table="unsorted", allow={"KEY007": "a test", "KEY008": "a test"}):
    """A time whose bytes do not sort, behind a field that does not say where it ends."""

    name: str = bt.key(bt.Text(max_length=10), ends="")
    day: date = bt.key(bt.DateText("%d%m%Y"))

    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)


DATED, UNSORTED = generated(Dated), generated(Unsorted)


def devices() -> list[TenantDevice]:
    """A day of each of two devices of two kinds, of tenants that begin alike."""
    return [
        TenantDevice(tenant=tenant, kind=kind, device=device, day=date(2020, 5, 1), reports=1)
        for tenant in TENANTS
        for kind in ("phone", "phones")
        for device in ("4c410523", "a0b81f79")
    ]


def test_a_prefix_is_deleted_and_what_begins_alike_stays(database: Open) -> None:
    """As many leading fields as are given; the count is of rows, and a second run finds none."""
    repository = TenantDeviceRepository(database(TenantDevice))
    repository.put_many(devices())
    told: list[int] = []
    assert repository.delete_prefix(tenant="acme", kind="phone", device="4c410523") == 1
    assert repository.delete_prefix(tenant="acme", kind="phone") == 1
    assert repository.of_kind("acme", "phones").count() == 2
    assert repository.delete_prefix(tenant="acme", progress=told.append) == 2
    assert repository.delete_prefix(tenant="acme") == 0
    assert told == [2]
    assert [repository.of_tenant(tenant).count() for tenant in TENANTS] == [4, 0, 4]


def test_a_prefix_is_deleted_with_await(migrated: Migrate) -> None:
    """The same, asynchronous."""

    async def main() -> None:
        async with bt.connect_async(migrated(TenantDevice)) as db:
            repository = AsyncTenantDeviceRepository(db)
            await repository.put_many(devices())
            assert await repository.delete_prefix(tenant="acme") == 4
            assert await repository.of_tenant("acme2").count() == 4
            quotes = [row async for row in repository.of_tenant("acm").limit(1)]
            assert len(quotes) == 1

    asyncio.run(main())


def test_nothing_and_what_does_not_lead_are_no_prefix(database: Open) -> None:
    """Without a field, with a gap, with None or an unknown name, nothing is deleted."""
    repository: Any = TenantDeviceRepository(database(TenantDevice))
    repository.put_many(devices())
    for fields, told in (
        ({}, "expected leading fields of the rows to delete .tenant and kind., got none"),
        ({"kind": "phone"}, "'tenant' stands in front of 'kind' in the key, and is not given"),
        ({"tenant": "acme", "device": "4c410523"}, "'kind' stands in front of 'device'"),
        ({"tenant": "acme", "colour": "red"}, "'colour' is no field of the row key"),
    ):
        with pytest.raises(bt.QueryRefused, match=told):
            repository.delete_prefix(**fields)
    with pytest.raises(bt.ValueRefused, match=r"TenantDevice.kind: expected text"):
        repository.delete_prefix(tenant="acme", kind=None)
    assert sum(repository.of_tenant(tenant).count() for tenant in TENANTS) == 12


def test_rows_of_which_the_model_reads_nothing_are_deleted_too(database: Open) -> None:
    """A row with cells of another model's family alone goes; a key of none of the model is told, and left."""
    db = database(Note, Beside)
    notes = NOTES.NoteRepository(db)
    db.write(Mutation("notes", b"acme#b", [Cell("z", b"v", 5_000, b"12345678")]))
    db.write(Mutation("notes", b"acme#too#long", [Cell("d", b"t", 5_000, b"t")]))
    assert notes.of_tenant("acme").matching("acme#b").first() is None
    with pytest.raises(bt.UndecodableKey):
        notes.delete_prefix(tenant="acme")
    errors: list[Exception] = []
    assert notes.delete_prefix(tenant="acme", on_error=errors.append) == 1
    assert len(errors) == 1
    assert [key for key, _ in db.cells("notes", b"")] == [b"acme#too#long"]


def test_a_hashed_and_an_optional_field_are_told_from_others(database: Open) -> None:
    """All rows of what a hash is made from go, with and without the field that rows may lack."""
    visited = VISITED.VisitedRepository(database(Visited))
    visited.put_many([Visited(url="a", size=5), Visited(url="a", day="mo"), Visited(url="b", day="mo")])
    assert visited.delete_prefix(url="a") == 2
    assert visited.get("mo", "b") is not None


def test_the_newest_rows_come_first(database: Open) -> None:
    """So many of the given fields, the newest first; what narrows a read narrows them, too."""
    quotes = QuoteRepository(database(Quote))
    rows = sorted(made_up_quotes(50), key=lambda quote: quote.quote_time)
    quotes.put_many(rows)
    one = [row for row in rows if (row.exchange, row.symbol) == (rows[0].exchange, rows[0].symbol)]
    assert list(quotes.newest(3, rows[0].exchange, rows[0].symbol)) == one[:-4:-1]
    assert quotes.newest(1, rows[0].exchange, rows[0].symbol).first() == one[-1]
    assert quotes.newest(3, "NYSE", "NONE").first() is None
    with pytest.raises(bt.QueryRefused, match="limit: expected a number of rows from 1 on, got 0"):
        quotes.newest(0, "NYSE", "IBM")


def test_the_newest_rows_of_all_salts_are_merged(database: Open) -> None:
    """Times that sort downward are read forwards, in every salt, and come in one order."""
    dated = DATED.DatedRepository(database(Dated))
    dated.put_many(Dated(at=QUOTE_TIME + timedelta(seconds=n), user=f"u{n % 7}", value=n) for n in range(40))
    assert [row.value for row in dated.newest(5)] == [39, 38, 37, 36, 35]
    assert not dated.newest(5).plan.backwards


def test_the_newest_buckets_come_first(database: Open) -> None:
    """Of a model of buckets it is the newest buckets."""
    weather = WeatherDayRepository(database(WeatherDay))
    midnight = datetime(2020, 5, 1, tzinfo=UTC)
    for days in range(4):
        weather.append(station="JFK", at=midnight + timedelta(days=days), temperature=1.5)
    assert [row.day.day for row in weather.newest(2, "JFK")] == [4, 3]


def test_what_no_key_serves_has_no_method() -> None:
    """Where a field does not tell its end, there is no prefix; where a time does not sort, nothing is newest."""
    assert not {"newest", "delete_prefix"} & set(dir(UNSORTED.UnsortedRepository))
    assert not hasattr(SPREAD.SpreadRepository, "newest")
    assert hasattr(SPREAD.SpreadRepository, "delete_prefix")
