"""Reads with Google's client in the place of btmodel's own: the same rows, errors and refusals."""

import asyncio
from collections.abc import Callable

import pytest

import btmodel as bt
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteKey, QuoteRepository
from examples.market import Quote, made_up_quotes

Migrate = Callable[..., str]
ROWS = list(made_up_quotes(60))
KEYS = [QuoteKey(row.exchange, row.symbol, row.quote_time) for row in ROWS]


def test_repositories_read_the_same_on_both(migrated: Migrate) -> None:
    """Queries, limits, pages, several keys, reads backwards and a missing table are alike."""
    path = migrated(Quote)
    with bt.connect(path) as db, bt.connect(path, data_plane="client") as other:
        ours, theirs = QuoteRepository(db), QuoteRepository(other)
        ours.put_many(ROWS)
        rows, same = (one.by_symbol("NASDAQ", "ZXZZT") for one in (ours, theirs))
        assert list(same) == list(rows) != []
        assert list(same.limit(3)) == list(rows.limit(3))
        assert list(same.only("bid").backwards()) == list(rows.only("bid").backwards())
        assert same.page(4) == rows.page(4)
        assert theirs.get_many(KEYS) == ROWS
        assert same.count() == rows.count()


def test_the_same_with_await(migrated: Migrate) -> None:
    """An asynchronous connection can be told so, too."""

    async def main() -> None:
        async with bt.connect_async(migrated(Quote), data_plane="client") as db:
            quotes = AsyncQuoteRepository(db)
            await quotes.put_many(ROWS)
            assert await asyncio.gather(*(quotes.get(*key) for key in KEYS)) == ROWS
            assert await quotes.by_symbol("NASDAQ", "ZXZZT").first() in ROWS

    asyncio.run(main())


def test_a_table_that_is_missing(migrated: Migrate) -> None:
    """Google's client's errors are told as those of btmodel."""
    with bt.connect(migrated(), data_plane="client") as db, pytest.raises(bt.MissingTable):
        list(QuoteRepository(db).by_symbol("NASDAQ", "ZXZZT"))


def test_a_data_plane_that_is_none() -> None:
    """The error says which there are, before a server is asked or started."""
    for connect in (bt.connect, bt.connect_async):
        with pytest.raises(
            bt.SettingsError, match="data_plane: expected 'btmodel' or 'client', got 'googles'"
        ):
            connect("local:", data_plane="googles")  # type: ignore[arg-type]
