"""Repositories of rows, against a real server."""

import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

import pytest

import btmodel as bt
from btmodel import emulator
from btmodel.repository import Repository, Rows
from btmodel.rows import Cell, Mutation
from btmodel.server import RunningServer
from examples.flights import AirportDeparture, read_flights
from examples.generated.airport_departure_repository import AirportDepartureRepository
from examples.generated.quote_repository import QuoteRepository
from examples.generated.trade_repository import TradeRepository
from examples.market import QUOTE_TIME, Quote, Trade, made_up_quotes, the_message

Open = Callable[..., bt.Database]
Server = emulator.Emulator | RunningServer


def quote(symbol: str, number: int, bid: str | None = "1.50") -> Quote:
    """A quote, ``number`` seconds after the one of the message."""
    at = QUOTE_TIME + timedelta(seconds=number)
    return Quote(exchange="NYSE", symbol=symbol, quote_time=at, bid=None if bid is None else Decimal(bid))


def test_a_row_comes_back_as_it_was_written(database: Open) -> None:
    """What put writes, get returns, equal in every attribute and type."""
    quotes, trades = QuoteRepository(database(Quote, Trade)), TradeRepository(database(Quote, Trade))
    quote, trade = the_message()
    quotes.put(quote)
    trades.put(trade)
    assert quotes.get("NASDAQ", "ZXZZT", QUOTE_TIME) == quote
    assert trades.get("NASDAQ", "ZXZZT", trade.trade_time) == trade


def test_the_raw_cells_are_those_of_the_document(database: Open) -> None:
    """Row key, family, qualifier and value of a quote are the documented bytes, mirrors unpadded."""
    db = database(Quote)
    quotes = QuoteRepository(db)
    quotes.put(the_message()[0])
    [(key, cells)] = db.read(Quote.by_symbol.plan(exchange="NASDAQ", symbol="ZXZZT", quote_time=(None, None)))
    assert key == b"NASDAQ#ZXZZT#1426535612156"
    assert {f"{cell.family}:{cell.qualifier.decode()}:{cell.value.decode()}" for cell in cells} == {
        "MD:SYMBOL:ZXZZT",
        "MD:BID:600.55",
        "MD:ASK:600.60",
        "MD:BIDSIZE:500",
        "MD:ASKSIZE:1500",
        "MD:QUOTETIME:1426535612156",
        "MD:EXCHANGE:NASDAQ",
    }


def test_a_row_that_is_not_there_is_none(database: Open) -> None:
    """get of a key without a row is None, before a write and after a delete."""
    quotes = QuoteRepository(database(Quote))
    assert quotes.get("NYSE", "IBM", QUOTE_TIME) is None
    quotes.put(quote("IBM", 0))
    quotes.delete("NYSE", "IBM", QUOTE_TIME)
    quotes.delete("NYSE", "IBM", QUOTE_TIME)
    assert quotes.get("NYSE", "IBM", QUOTE_TIME) is None


def test_a_range_is_half_open_and_ends_at_field_borders(database: Open) -> None:
    """A range holds its start and not its end, in key order, and no row of a symbol that begins alike."""
    quotes = QuoteRepository(database(Quote))
    quotes.put_many(quote(symbol, n) for symbol in ("IB", "IBM", "IBMX") for n in (3, 0, 2, 1, 4))
    found = quotes.by_symbol(
        "NYSE", "IBM", QUOTE_TIME + timedelta(seconds=1), QUOTE_TIME + timedelta(seconds=3)
    )
    assert [(q.symbol, (q.quote_time - QUOTE_TIME).seconds) for q in found] == [("IBM", 1), ("IBM", 2)]
    assert len(list(quotes.by_symbol("NYSE", "IB"))) == 5
    assert len(list(quotes.by_symbol("NYSE", "IBM", end=QUOTE_TIME + timedelta(seconds=2)))) == 2
    assert len(list(quotes.by_symbol("NYSE", "IBM", QUOTE_TIME + timedelta(seconds=2)))) == 3
    assert list(quotes.by_symbol("NYSE", "IBM", QUOTE_TIME, QUOTE_TIME)) == []


def test_the_ends_of_a_range_may_be_finer_than_the_key(database: Open) -> None:
    """A range asked in microseconds over a key of milliseconds holds just the rows within it."""
    quotes = QuoteRepository(database(Quote))
    quotes.put(quote("IBM", 0))
    micro = timedelta(microseconds=1)
    assert len(list(quotes.by_symbol("NYSE", "IBM", QUOTE_TIME - micro, QUOTE_TIME + micro))) == 1
    assert list(quotes.by_symbol("NYSE", "IBM", QUOTE_TIME + micro)) == []


class Place(bt.Model, table="places"):
    """A place; its names have no fixed width."""

    tenant: str = bt.key(bt.Text(max_length=20))
    name: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(1))
    visits: int = bt.column("v", d)

    of_tenant = bt.query("tenant")


class PlaceKey(NamedTuple):
    """Where a place is found."""

    tenant: str
    name: str


class PlaceRepository(Repository[Place, PlaceKey, Rows[Place, PlaceKey, str]]):
    """Places."""

    model = Place
    key = PlaceKey

    def of_tenant(self, tenant: str) -> Rows[Place, PlaceKey, str]:
        """The places of one tenant."""
        return self._query(Place.of_tenant.query, {"tenant": tenant})


def test_a_prefix_never_reaches_a_tenant_that_begins_alike(database: Open) -> None:
    """The rows of tenant acme are not those of acme2, whatever sorts around the delimiter."""
    places = PlaceRepository(database(Place))
    tenants = ["acme", "acme2", "acme!", 'acme"', "acme$", "acm", "acme x"]
    places.put_many(Place(tenant=tenant, name=name, visits=1) for tenant in tenants for name in ("a", "!"))
    for tenant in tenants:
        assert [place.tenant for place in places.of_tenant(tenant)] == [tenant, tenant]


def test_a_range_may_end_beyond_what_the_key_can_hold(database: Open) -> None:
    """The ends of time are ends of a range: everything lies between them."""
    quotes = QuoteRepository(database(Quote))
    quotes.put(quote("IBM", 0))
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    assert len(list(quotes.by_symbol("NYSE", "IBM", first, last))) == 1
    assert list(quotes.by_symbol("NYSE", "IBM", last)) == []


def test_a_limit_stops_the_read(database: Open) -> None:
    """At most so many rows come back, from the beginning of the range."""
    quotes = QuoteRepository(database(Quote))
    quotes.put_many(made_up_quotes(50))
    assert [q.quote_time for q in quotes.by_symbol("NASDAQ", "ZXZZT").limit(2)] == [
        QUOTE_TIME,
        QUOTE_TIME + timedelta(milliseconds=500),
    ]
    with pytest.raises(bt.QueryRefused, match="limit: expected a number of rows from 1 on, got 0"):
        quotes.by_symbol("NASDAQ", "ZXZZT").limit(0)


def test_none_leaves_the_cell_as_it_is(database: Open) -> None:
    """put writes what is not None; a cell that is in the table already stays."""
    quotes = QuoteRepository(database(Quote))
    quotes.put(quote("IBM", 0, "1.50"))
    again = quote("IBM", 0, None)
    again.ask = Decimal("1.60")
    quotes.put(again)
    found = quotes.get("NYSE", "IBM", QUOTE_TIME)
    assert found is not None
    assert (found.bid, found.ask) == (Decimal("1.50"), Decimal("1.60"))


def test_cells_that_the_model_does_not_know_are_kept(database: Open) -> None:
    """A foreign column survives a put of the model, and is read beside it."""
    db = database(Quote)
    quotes = QuoteRepository(db)
    key = bt.key_of(quote("IBM", 0))
    db.write(Mutation("QUOTE", key, [Cell("MD", b"VENUE", 5_000, b"dark")]))
    quotes.put(quote("IBM", 0))
    found = quotes.get("NYSE", "IBM", QUOTE_TIME)
    assert found is not None
    assert bt.unknown_cells(found) == (Cell("MD", b"VENUE", 5_000, b"dark"),)


def test_reads_leave_out_what_the_rule_would_delete(database: Open) -> None:
    """Older versions that the service has not collected yet do not show."""
    db = database(Quote)
    key = bt.key_of(quote("IBM", 0))
    cells = [Cell("MD", b"BID", millis * 1000, str(millis).encode()) for millis in (1, 3, 2)]
    db.write(Mutation("QUOTE", key, cells))
    [(_, read)] = db.read(Quote.by_symbol.plan(exchange="NYSE", symbol="IBM", quote_time=(None, None)))
    assert read == [Cell("MD", b"BID", 3_000, b"3")]


def test_a_cell_that_does_not_decode_is_named(database: Open) -> None:
    """The error says table, row key, cell, what was expected and the bytes that came."""
    db = database(Quote)
    key = bt.key_of(quote("IBM", 0))
    db.write(Mutation("QUOTE", key, [Cell("MD", b"BID", 5_000, b"dear")]))
    with pytest.raises(
        bt.UndecodableCell,
        match=r"table QUOTE, row b'NYSE.*156', cell MD:BID: expected decimal text, got b'dear'",
    ):
        QuoteRepository(db).get("NYSE", "IBM", QUOTE_TIME)


def test_a_bulk_write_reports_each_failed_row(database: Open) -> None:
    """Rows that cannot be encoded are listed with index and reason; the others are written."""
    quotes = QuoteRepository(database(Quote))
    rows = [quote("IBM", 0), quote("TOOLONG", 1), quote("IBM", 2), quote("IBM", 3, "NaN")]
    with pytest.raises(bt.WriteFailed) as failed:
        quotes.put_many(rows)
    assert failed.value.written == 2
    assert [(row.index, row.key) for row in failed.value.failures] == [(1, None), (3, None)]
    told = str(failed.value)
    assert "1 x Quote.symbol: expected text of 1 to 5 bytes in UTF-8 (first: row 1, got 'TOOLONG')" in told
    assert "1 x Quote.bid: expected a finite Decimal (first: row 3, got Decimal('NaN'))" in told
    assert len(list(quotes.by_symbol("NYSE", "IBM"))) == 2


def test_a_bulk_write_reports_the_rows_that_the_server_refused(database: Open) -> None:
    """Rows that the server fails are listed with their key and its reason; the others are written."""
    db = database(Quote)
    good = Mutation("QUOTE", b"good", [Cell("MD", b"BID", 0, b"1")])
    bad = Mutation("QUOTE", b"bad", [Cell("zz", b"BID", 0, b"1")])
    with pytest.raises(bt.WriteFailed) as failed:
        db.write_many("QUOTE", [good, bad, good])
    assert failed.value.written == 2
    [row] = failed.value.failures
    assert (row.index, row.key) == (1, b"bad")
    assert isinstance(row.cause, bt.MissingFamily)


def test_a_table_that_is_missing_is_named(database: Open) -> None:
    """Every call on a missing table names the table, the instance and the fix."""
    quotes = QuoteRepository(database())
    sentence = "table 'QUOTE' is not in projects/test/.*btmodel migrate"
    with pytest.raises(bt.MissingTable, match=sentence):
        quotes.get("NYSE", "IBM", QUOTE_TIME)
    with pytest.raises(bt.MissingTable, match=sentence):
        quotes.put(quote("IBM", 0))
    with pytest.raises(bt.WriteFailed, match=f"0 rows written, 2 failed: 2 x {sentence}"):
        quotes.put_many([quote("IBM", 0), quote("IBM", 1)])


class OtherQuote(bt.Model, table="QUOTE"):
    """A model that wants a family which the table of Quote lacks."""

    symbol: str = bt.key(bt.Text(max_length=5), mirror="MD:SYMBOL")
    md = bt.family("MD", gc=bt.max_versions(1))
    x = bt.family("X", gc=bt.max_versions(1))
    bid: int = bt.column("BID", x)


class OtherQuoteKey(NamedTuple):
    """Its key."""

    symbol: str


class OtherQuoteRepository(Repository[OtherQuote, OtherQuoteKey, Rows[OtherQuote, OtherQuoteKey, str]]):
    """Rows of it."""

    model = OtherQuote
    key = OtherQuoteKey


def test_a_family_that_is_missing_is_named(database: Open) -> None:
    """A write to a family that the live table lacks says so, and how to fix it."""
    others = OtherQuoteRepository(database(Quote))
    with pytest.raises(bt.MissingFamily, match=r"lacks a column family .*btmodel migrate"):
        others.put(OtherQuote(symbol="IBM", bid=1))


def test_a_read_of_a_family_that_is_missing_is_an_error(database: Open, server: Server) -> None:
    """The service refuses to read a family that is not there, and so does the local server; the emulator does not."""
    others = OtherQuoteRepository(database(Quote))
    if isinstance(server, emulator.Emulator):
        assert others._get(OtherQuoteKey("IBM"), None) is None
        return
    with pytest.raises(bt.MissingFamily, match=r"lacks a column family, 'MD' or 'X', .*btmodel migrate"):
        others._get(OtherQuoteKey("IBM"), None)


def test_a_failing_input_says_how_many_rows_are_in(database: Open) -> None:
    """An error of the rows' own iterator passes through, with the number of rows written before it."""

    def rows() -> Iterator[Quote]:
        yield from made_up_quotes(1_500)
        raise OSError("the file ended")

    quotes = QuoteRepository(database(Quote))
    with pytest.raises(OSError, match="the file ended") as failed:
        quotes.put_many(rows())
    assert failed.value.__notes__ == ["table 'QUOTE': 1,000 rows written before this"]


def test_a_write_of_another_model_is_refused(database: Open) -> None:
    """A repository writes rows of its own model alone."""
    quotes = QuoteRepository(database(Quote))
    with pytest.raises(bt.ValueRefused, match="QuoteRepository: expected an instance of Quote, got Trade"):
        quotes.put(the_message()[1])  # type: ignore[arg-type]


def test_put_many_runs_a_few_batches_ahead(database: Open) -> None:
    """The input is taken as it is written: no more lies in memory than the batches under way, and the next one."""
    taken = written = most = 0

    def rows() -> Iterator[Quote]:
        nonlocal taken, most
        for row in made_up_quotes(5_000):
            taken += 1
            most = max(most, taken - written)
            yield row

    def progress(done: int) -> None:
        nonlocal written
        written = done

    db = database(Quote).with_options(requests_in_flight=2)
    assert QuoteRepository(db).put_many(rows(), progress=progress) == 5_000
    assert written == 5_000
    assert 1_001 <= most <= 3_001


def test_a_scan_holds_a_few_messages_and_not_its_rows(database: Open) -> None:
    """The peak memory of a scan of 4,000 rows is less than a third of what the rows together take."""
    departures = AirportDepartureRepository(database(AirportDeparture))
    departures.put_many(islice(read_flights(), 4_000))

    def scan() -> Iterator[AirportDeparture]:
        for origin in ("EWR", "JFK", "LGA"):
            yield from departures.on_days(origin)

    def peak(read: Callable[[Iterator[AirportDeparture]], int]) -> tuple[int, int]:
        tracemalloc.start()
        count = read(scan())
        memory = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return count, memory

    assert len(list(scan())) == 4_000  # the reader is compiled, which takes more than a scan
    streamed, little = peak(lambda rows: sum(1 for _ in rows))
    collected, much = peak(lambda rows: len(list(rows)))
    assert streamed == collected == 4_000
    assert little < much / 3


def test_times_come_back_in_utc_whatever_zone_they_went_in_with(database: Open) -> None:
    """An aware time of any zone is the same row and the same instant."""
    quotes = QuoteRepository(database(Quote))
    row = quote("IBM", 0)
    row.quote_time = row.quote_time.astimezone(tz=None)
    quotes.put(row)
    found = quotes.get("NYSE", "IBM", QUOTE_TIME)
    assert found is not None
    assert found.quote_time == row.quote_time
    assert found.quote_time.tzinfo is UTC
    assert isinstance(found.quote_time, datetime)
