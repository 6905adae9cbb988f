"""Many reads at once: each gets its own row, whoever waits for it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import active_count

from left_tasks import none_but

import btmodel as bt
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteKey, QuoteRepository
from examples.market import Quote, made_up_quotes

Migrate = Callable[..., str]
ROWS = list(made_up_quotes(1_000))
KEYS = [QuoteKey(row.exchange, row.symbol, row.quote_time) for row in ROWS]


def test_a_thousand_point_reads_at_once(migrated: Migrate) -> None:
    """1,000 reads that are awaited together bring 1,000 rows, each that of its key, and leave no task."""

    async def main() -> None:
        async with bt.connect_async(migrated(Quote)) as db:
            quotes = AsyncQuoteRepository(db)
            await quotes.put_many(ROWS)
            tasks = asyncio.all_tasks()
            assert await asyncio.gather(*(quotes.get(*key) for key in KEYS)) == ROWS
            await none_but(tasks)

    asyncio.run(main())


def test_some_of_many_reads_are_cancelled(migrated: Migrate) -> None:
    """Of reads that are cancelled in their midst nothing stays, and the others bring their rows."""

    async def main() -> None:
        async with bt.connect_async(migrated(Quote)) as db:
            quotes = AsyncQuoteRepository(db)
            await quotes.put_many(ROWS[:200])
            before = asyncio.all_tasks()
            tasks = [asyncio.create_task(quotes.get(*key)) for key in KEYS[:200]]
            for turn in range(100):
                await asyncio.sleep(0)
                tasks[2 * turn].cancel()
            found = await asyncio.gather(*tasks, return_exceptions=True)
            assert found[1::2] == ROWS[1:200:2]
            for at, one in enumerate(found[::2]):
                assert isinstance(one, asyncio.CancelledError) or one == ROWS[2 * at]
            await none_but(before)

    asyncio.run(main())


def test_a_thousand_point_reads_in_threads(migrated: Migrate) -> None:
    """The same with 32 threads on one connection that blocks, which leaves no threads of its own."""
    with bt.connect(migrated(Quote)) as db:
        quotes = QuoteRepository(db)
        quotes.put_many(ROWS)
        before = active_count()
        with ThreadPoolExecutor(32) as threads:
            assert list(threads.map(lambda key: quotes.get(*key), KEYS)) == ROWS
            scans = threads.map(lambda _: list(quotes.by_symbol("NASDAQ", "ZXZZT")), range(16))
            assert {len(rows) for rows in scans} == {sum(row.symbol == "ZXZZT" for row in ROWS)}
        assert active_count() <= before  # a write may have had one


def test_the_key_of_a_row_is_what_reads_of_many_take(migrated: Migrate) -> None:
    """Each row that was read can be asked for, and deleted, by the key that the repository makes of it."""
    with bt.connect(migrated(Quote)) as db:
        quotes = QuoteRepository(db)
        quotes.put_many(made_up_quotes(5))
        rows = list(quotes.by_symbol("NASDAQ", "ZXZZT"))
        keys = [quotes.key_of(row) for row in rows]
        assert keys == list(quotes.by_symbol("NASDAQ", "ZXZZT").keys())
        assert quotes.get_many(keys) == rows
        assert quotes.delete_many(keys) == len(rows) > 1
        assert quotes.get_many(keys) == [None] * len(rows)
