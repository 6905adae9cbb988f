"""The asynchronous repositories do what the synchronous ones do."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from left_tasks import none_but

import btmodel as bt
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteKey, QuoteRepository
from examples.generated.weather_day_repository import AsyncWeatherDayRepository, WeatherDayEvent
from examples.market import QUOTE_TIME, Quote, made_up_quotes, the_message
from examples.weather import WeatherDay

Migrate = Callable[..., str]


def test_rows_are_written_and_read(migrated: Migrate) -> None:
    """put, put_many, get, a declared query and delete work with await, many of them at once."""

    async def main() -> None:
        async with bt.connect_async(migrated(Quote)) as db:
            quotes = AsyncQuoteRepository(db)
            quote, _ = the_message()
            await quotes.put(quote)
            assert await quotes.put_many(made_up_quotes(1_200)) == 1_200
            gets = (quotes.get("NASDAQ", "ZXZZT", QUOTE_TIME) for _ in range(20))
            assert await asyncio.gather(*gets) == [quote] * 20
            end = QUOTE_TIME + timedelta(seconds=1)
            found = [q.quote_time async for q in quotes.by_symbol("NASDAQ", "ZXZZT", QUOTE_TIME, end)]
            assert found == [QUOTE_TIME, QUOTE_TIME + timedelta(milliseconds=500)]
            await quotes.delete("NASDAQ", "ZXZZT", QUOTE_TIME)
            assert await quotes.get("NASDAQ", "ZXZZT", QUOTE_TIME) is None

    asyncio.run(main())


def test_events_are_appended_and_read(migrated: Migrate) -> None:
    """append, append_many and events work with await."""
    midnight = datetime(2013, 1, 6, tzinfo=UTC)

    async def main() -> None:
        async with bt.connect_async(migrated(WeatherDay)) as db:
            weather = AsyncWeatherDayRepository(db)
            await weather.append(station="JFK", at=midnight, temperature=35.06)
            later = [
                WeatherDayEvent(station="JFK", at=midnight - timedelta(hours=n), humidity=float(n))
                for n in (1, 2)
            ]
            assert await weather.append_many(later) == 2
            start, end = midnight - timedelta(hours=1), midnight + timedelta(hours=1)
            found = [(event.at, event.temperature) async for event in weather.events("JFK", start, end)]
            assert found == [(start, None), (midnight, 35.06)]

    asyncio.run(main())


def test_rows_of_an_async_for_are_written(migrated: Migrate) -> None:
    """The writes of many take what ``async for`` goes over, as they take a list: in batches, and with all that fail."""

    async def each(things: Iterable[Any]) -> AsyncIterator[Any]:
        for thing in things:
            await asyncio.sleep(0)
            yield thing

    def breaking(rows: list[Quote]) -> Iterator[Quote]:
        yield from rows
        raise ZeroDivisionError

    async def main() -> None:
        async with bt.connect_async(migrated(Quote, WeatherDay)) as db:
            quotes, batches = AsyncQuoteRepository(db), []
            rows = list(made_up_quotes(2_350))
            assert await quotes.put_many(each(rows), progress=batches.append) == 2_350
            assert batches == [1_000, 2_000, 2_350]
            keys = [QuoteKey(row.exchange, row.symbol, row.quote_time) for row in rows]
            assert await quotes.update_many(each((key, {"bid_size": 7}) for key in keys[:3])) == 3
            assert await quotes.apply_many(each(quotes.edit(*key).set(bid_size=8) for key in keys[:2])) == 2
            found = await quotes.get_many(keys[:4])
            assert [row and row.bid_size for row in found] == [8, 8, 7, rows[3].bid_size]
            assert await quotes.replace_many(each(rows[:2])) == 2
            assert await quotes.delete_many(each(keys)) == 2_350
            assert await quotes.get_many(keys[:2]) == [None, None]

            with pytest.raises(bt.WriteFailed) as failed:
                await quotes.put_many(each([rows[0], "no row", rows[1]]))
            assert (failed.value.written, [row.index for row in failed.value.failures]) == (2, [1])
            with pytest.raises(ZeroDivisionError) as broken:
                await quotes.put_many(each(breaking(rows[:1_500])))
            assert "1000 rows written before this" in str(broken.value.__notes__).replace(",", "")

            weather = AsyncWeatherDayRepository(db)
            noon = datetime(2013, 1, 6, 12, tzinfo=UTC)
            events = [WeatherDayEvent(station="JFK", at=noon, humidity=1.0)]
            assert await weather.append_many(each(events)) == 1
            with pytest.raises(TypeError, match=r"append_many: expected .*got a single one: write `append"):
                await weather.append_many(events[0])  # type: ignore[arg-type]

    asyncio.run(main())


def test_tables_are_made_while_the_loop_goes_on(served: str) -> None:
    """The awaited function gives the plan and waits beside other tasks; the other one refuses such a connection with the way."""

    async def main() -> None:
        async with bt.connect_async(served) as db:
            turns = 0

            async def others() -> None:
                nonlocal turns
                while True:
                    turns += 1
                    await asyncio.sleep(0.001)

            beside = asyncio.create_task(others())
            plan = await bt.create_tables_async(db, Quote)
            beside.cancel()
            assert len(plan.changes) >= 1
            assert turns > 1  # once before it began to wait
            assert not (await bt.create_tables_async(served, Quote)).changes
            quote, _ = the_message()
            await AsyncQuoteRepository(db).put(quote)
            with pytest.raises(bt.SettingsError, match=r"await bt\.create_tables_async"):
                bt.create_tables(db, Quote)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    asyncio.run(main())


def test_reads_are_narrowed_paged_and_deleted(migrated: Migrate) -> None:
    """What a lazy read does with a loop it does with await and an async loop, too."""

    async def main() -> None:
        async with bt.connect_async(migrated(Quote)) as db:
            quotes = AsyncQuoteRepository(db)
            rows = list(made_up_quotes(40))
            await quotes.put_many(rows)
            found = quotes.by_symbol("NASDAQ", "ZXZZT")
            whole = [row async for row in found]
            assert whole == [row for row in rows if row.symbol == "ZXZZT"]
            assert await found.first() == whole[0]
            assert [row.bid async for row in found.only("bid").limit(2)] == [row.bid for row in whole[:2]]
            page = await found.page(3)
            assert page.rows + (await found.page(100, page.next)).rows == whole
            keys = [key async for key in found.keys()]
            assert await quotes.get_many(keys) == whole
            assert await found.count() == len(keys) == await found.delete()
            assert await found.first() is None

    asyncio.run(main())


def test_writes_depend_on_what_is_there(migrated: Migrate) -> None:
    """Conditional writes, replacements and edits work with await."""

    async def main() -> None:
        async with bt.connect_async(migrated(Quote)) as db:
            quotes = AsyncQuoteRepository(db)
            quote, _ = the_message()
            key = QuoteKey(quote.exchange, quote.symbol, quote.quote_time)
            assert await quotes.put_if_absent(quote)
            assert not await quotes.put_if_absent(quote)
            assert await quotes.put_if(quote, bid_size=500)
            assert not await quotes.put_if(quote, bid_size=501)
            await quotes.clear(key, "bid")
            assert (await quotes.get(*key, only=["bid", "ask"])).bid is None
            await quotes.replace(quote)
            assert await quotes.exists(*key)
            assert await quotes.delete_many([key]) == 1
            assert not await quotes.exists(*key)

    asyncio.run(main())


def test_failures_are_the_same_errors(migrated: Migrate) -> None:
    """A missing table and failed rows raise what the synchronous client raises."""

    async def main() -> None:
        async with bt.connect_async(migrated()) as db:
            quotes = AsyncQuoteRepository(db)
            with pytest.raises(bt.MissingTable):
                await quotes.get("NASDAQ", "ZXZZT", QUOTE_TIME)
            with pytest.raises(bt.WriteFailed):
                await quotes.put_many(made_up_quotes(3))

    asyncio.run(main())


def test_a_connection_of_the_other_kind_is_refused(migrated: Migrate) -> None:
    """Neither kind of repository takes the other kind of connection."""
    path = migrated(Quote)
    with bt.connect(path) as db, pytest.raises(TypeError, match=r"connection of connect_async\("):
        AsyncQuoteRepository(db)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"connection of connect\("):
        QuoteRepository(bt.connect_async(path))  # type: ignore[arg-type]


def test_a_stream_that_is_left_early_leaves_nothing_behind(migrated: Migrate) -> None:
    """Breaking off a scan and closing the connection leaves no task running."""

    async def main() -> None:
        async with bt.connect_async(migrated(Quote)) as db:
            quotes = AsyncQuoteRepository(db)
            await quotes.put_many(made_up_quotes(500))
            async for _ in quotes.by_symbol("NASDAQ", "ZXZZT"):
                break
        task = asyncio.current_task()
        await none_but({task} if task else set())

    asyncio.run(main())
