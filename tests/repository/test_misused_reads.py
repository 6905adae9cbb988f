"""What a read is not: whoever takes it for something else is told what to write."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import btmodel as bt
from btmodel import server as local_server
from btmodel.errors import QueryRefused
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteKey, QuoteRepository
from examples.generated.weather_day_repository import AsyncWeatherDayRepository, WeatherDayRepository
from examples.market import Quote

NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
INSTANCE = "projects/test/instances/nothing"

Use = Callable[[Any], object]
EITHER: dict[str, tuple[Use, str]] = {
    "bool": (bool, r"`{wait}read.first\(\) is not None`"),
    "not": (lambda read: not read, r"`{wait}read.first\(\) is not None`"),
    "len": (len, r"`{wait}read.count\(\)`"),
    "index": (
        lambda read: read[0],
        r"write `read.limit\(n\)`, `{wait}read.first\(\)`, or `{listed}\[...\]`$",
    ),
    "slice": (
        lambda read: read[:3],
        r"write `read.limit\(3\)`, `{wait}read.first\(\)`, or `{listed}\[...\]`$",
    ),
    "middle": (lambda read: read[2:4], r"`read.limit\(n\)`, .*`{listed}\[...\]`$"),
}


@pytest.fixture(scope="module", autouse=True)
def host() -> Iterator[None]:
    """A local server; nothing is asked of it."""
    with pytest.MonkeyPatch.context() as patch:
        running = local_server.start()
        patch.setenv("BIGTABLE_EMULATOR_HOST", running.host)
        yield
        running.stop()


@pytest.mark.parametrize("use", EITHER)
def test_a_read_is_no_collection(use: str) -> None:
    """The truth, the length and the rows by number of a read raise TypeError, which names what asks the server."""
    misuse, wanted = EITHER[use]
    said = "^QuoteRows: .*" + wanted.format(wait="", listed=r"list\(read\)")
    loop = r"\[row async for row in read\]"
    with bt.connect(INSTANCE) as db, pytest.raises(TypeError, match=said):
        misuse(QuoteRepository(db).by_symbol("NYSE", "IBM"))

    async def main() -> None:
        async with bt.connect_async(INSTANCE) as db:
            with pytest.raises(
                TypeError, match="^AsyncQuoteRows: .*" + wanted.format(wait="await ", listed=loop)
            ):
                misuse(AsyncQuoteRepository(db).by_symbol("NYSE", "IBM"))

    asyncio.run(main())


# What a read gives in the place of its rows: how it is called, what one is, and what gives the first three.
PARTS: dict[str, tuple[str, str]] = {
    "keys": ("key", "`read.limit({n}).keys()`"),
    "arrow_batches": ("batch", "`{wait}read.to_arrow()`"),
}


@pytest.mark.parametrize("part", PARTS)
def test_keys_and_batches_of_a_read_are_no_collections(part: str) -> None:
    """They refuse what the read refuses, and name what asks for keys or batches instead."""
    item, first = PARTS[part]
    loop = f"[{item} async for {item} in read.{part}()]"

    def said(use: Use, read: Any, of: str, wanted: str) -> None:
        with pytest.raises(TypeError, match=f"^{of}Rows\\.{part}\\(\\): a read has .*{re.escape(wanted)}$"):
            use(getattr(read, part)())

    with bt.connect(INSTANCE) as db:
        plain = QuoteRepository(db).by_symbol("NYSE", "IBM")
        said(bool, plain, "Quote", "`read.first() is not None`")
        said(len, plain, "Quote", "`read.count()`")
        said(
            lambda one: one[:2],
            plain,
            "Quote",
            first.format(n=2, wait="") + f", or `list(read.{part}())[...]`",
        )
        said(
            lambda one: one[5],
            plain,
            "Quote",
            first.format(n="n", wait="") + f", or `list(read.{part}())[...]`",
        )
        said(next, plain, "Quote", "asks anew: write " + first.format(n=1, wait=""))
        said(aiter, plain, "Quote", f"`for {item} in read.{part}()`, or connect with `bt.connect_async`")

    async def main() -> None:
        async with bt.connect_async(INSTANCE) as db:
            asked = AsyncQuoteRepository(db).by_symbol("NYSE", "IBM")
            said(bool, asked, "AsyncQuote", "`await read.first() is not None`")
            said(len, asked, "AsyncQuote", "`await read.count()`")
            said(
                lambda one: one[:2],
                asked,
                "AsyncQuote",
                first.format(n=2, wait="await ") + f", or `{loop}[...]`",
            )
            said(anext, asked, "AsyncQuote", "asks anew: write " + first.format(n=1, wait="await "))
            said(iter, asked, "AsyncQuote", f"`async for {item} in read.{part}()`, or `{loop}`")
            with pytest.raises(TypeError, match=re.escape(f"write `{loop}`")):
                await getattr(asked, part)()

    asyncio.run(main())


EVENTS: dict[str, Callable[[Any], Any]] = {
    "events": lambda days: days.events("JFK", NOON, LATER),
    "newest_events": lambda days: days.newest_events(5, "JFK"),
}


@pytest.mark.parametrize("method", EVENTS)
def test_events_are_no_collections(method: str) -> None:
    """They refuse what other reads refuse, and name what asks for events instead."""
    asked = EVENTS[method]
    read = f"repository.{method}(...)"

    def said(use: Use, events: Any, of: str, wanted: str) -> None:
        with pytest.raises(
            TypeError, match=f"^{of}\\.{method}\\(\\.\\.\\.\\): a read has .*write {re.escape(wanted)}$"
        ):
            use(events)

    with bt.connect(INSTANCE) as db:
        plain, of = asked(WeatherDayRepository(db)), "WeatherDayRepository"
        said(bool, plain, of, f"`list({read}) != []`")
        said(len, plain, of, f"`len(list({read}))`")
        said(lambda one: one[:2], plain, of, f"`list({read})[...]`")
        said(next, plain, of, f"`list({read})[0]`")
        said(aiter, plain, of, f"`for event in {read}`, or connect with `bt.connect_async`")
        assert repr(plain) == f"WeatherDayRepository.{method}(...), not read yet"

    async def main() -> None:
        async with bt.connect_async(INSTANCE) as db:
            plain, of = asked(AsyncWeatherDayRepository(db)), "AsyncWeatherDayRepository"
            listed = f"[event async for event in {read}]"
            said(len, plain, of, f"`len({listed})`")
            said(iter, plain, of, f"`async for event in {read}`, or `{listed}`")
            with pytest.raises(TypeError, match=re.escape(f"write `{listed}`")):
                await plain

    asyncio.run(main())


def test_a_misspelt_column_is_answered_with_the_near_one() -> None:
    """In what narrows a read, and in edits."""
    with bt.connect(INSTANCE) as db:
        quotes: Any = QuoteRepository(db)
        read = quotes.by_symbol("NYSE", "IBM")
        for misspelt in (
            lambda: read.where(bidsize=3),
            lambda: read.only("bidsize"),
            lambda: quotes.clear(quotes.key("NYSE", "IBM", NOON), "bidsize"),
        ):
            with pytest.raises(QueryRefused, match=r"bidsize'? \(did you mean bid_size"):
                misspelt()


def test_a_page_of_no_rows() -> None:
    """Its error names the page, and no limit that nobody asked for."""
    with bt.connect(INSTANCE) as db:
        for size in (0, -1, 2.5, True):
            with pytest.raises(QueryRefused, match=r"^page: expected a number of rows from 1 on, got "):
                QuoteRepository(db).by_symbol("NYSE", "IBM").page(size)  # type: ignore[arg-type]


def test_loops_of_the_other_kind_are_refused() -> None:
    """`for` and `await` of an asynchronous read, and `async for` of the other, name the loop that goes."""

    async def main() -> None:
        async with bt.connect_async(INSTANCE) as db:
            asked: Any = AsyncQuoteRepository(db).by_symbol("NYSE", "IBM")
            with pytest.raises(TypeError, match="write `async for row in read`"):
                list(asked)
            with pytest.raises(TypeError, match=r"write `\[row async for row in read\]`"):
                await asked
        with bt.connect(INSTANCE) as db:
            plain: Any = QuoteRepository(db).by_symbol("NYSE", "IBM")
            with pytest.raises(TypeError, match="write `for row in read`"):
                [row async for row in plain]
            with pytest.raises(TypeError, match=r"write `list\(read\)`"):
                await plain

    asyncio.run(main())


def test_a_read_is_no_iterator() -> None:
    """`next` and `anext` of a read name what gives its first row."""

    async def main() -> None:
        async with bt.connect_async(INSTANCE) as db:
            asked: Any = AsyncQuoteRepository(db).by_symbol("NYSE", "IBM")
            with pytest.raises(TypeError, match=r"^AsyncQuoteRows: .*write `await read.first\(\)`"):
                await anext(asked)
            with pytest.raises(TypeError, match=r"^AsyncQuoteRows: .*write `await read.first\(\)`"):
                next(asked)
        with bt.connect(INSTANCE) as db:
            plain: Any = QuoteRepository(db).by_symbol("NYSE", "IBM")
            with pytest.raises(TypeError, match=r"^QuoteRows: .*write `read.first\(\)`"):
                next(plain)
            with pytest.raises(TypeError, match=r"^QuoteRows: .*write `read.first\(\)`"):
                await anext(plain)

    asyncio.run(main())


def test_connections_of_the_other_kind_are_refused() -> None:
    """`with` of an asynchronous connection, and `async with` of the other, name the statement that goes."""

    async def main() -> None:
        theirs: Any = bt.connect_async(INSTANCE)
        with pytest.raises(TypeError, match="write `async with`"), theirs:
            pass
        await theirs.close()
        ours: Any = bt.connect(INSTANCE)
        with pytest.raises(TypeError, match="write `with`"):
            async with ours:
                pass
        ours.close()

    asyncio.run(main())


def test_a_range_from_its_end_to_its_start_is_refused() -> None:
    """A start after the end, of keys and of events, is a mistake and no empty read; equal ends are an empty one."""
    with bt.connect(INSTANCE) as db:
        quotes, weather = QuoteRepository(db), WeatherDayRepository(db)
        with pytest.raises(
            QueryRefused,
            match=r"quote_time: expected a start that is not after the end, got from 2020-01-01 13:00:00\+00:00 to 2020-01-01 12:00",
        ):
            quotes.by_symbol("NYSE", "IBM", LATER, NOON)
        with pytest.raises(QueryRefused, match="times: expected a start that is not after the end"):
            quotes.by_symbol("NYSE", "IBM").times(LATER, NOON)
        with pytest.raises(QueryRefused, match="events: expected a start that is not after the end"):
            list(weather.events("JFK", LATER, NOON))
        assert not quotes.by_symbol("NYSE", "IBM", NOON, NOON).plan.ranges


MANY = {
    "get_many": "a single one: write `get(...)`, or `[...]` around it",
    "delete_many": "a single one: write `delete(...)`, or `[...]` around it",
    "put_many": "a single one: write `put(...)`, or `[...]` around it",
    "replace_many": "a single one: write `put(...)`, or `[...]` around it",
}


@pytest.mark.parametrize("method", MANY)
def test_one_is_not_many(method: str) -> None:
    """A single key or row in the place of many is refused in a sentence; and what only ``async for`` goes over, where a list of rows is the answer."""
    key = QuoteKey("NYSE", "IBM", NOON)
    one: Any = (
        key
        if method in ("get_many", "delete_many")
        else Quote(exchange="NYSE", symbol="IBM", quote_time=NOON, bid_size=1)
    )
    with bt.connect(INSTANCE) as db, pytest.raises(TypeError, match=re.escape(MANY[method])):
        getattr(QuoteRepository(db), method)(one)

    if method != "get_many":
        return

    async def rows() -> AsyncIterator[Any]:
        yield one

    async def main() -> None:
        async with bt.connect_async(INSTANCE) as db:
            with pytest.raises(
                TypeError, match=re.escape("got async_generator: write `[one async for one in ...]`")
            ):
                await getattr(AsyncQuoteRepository(db), method)(rows())

    asyncio.run(main())


def test_a_repository_is_no_collection() -> None:
    """Its rows are asked for by a query, which is named."""
    said = r"^QuoteRepository: a repository is not a collection .*\(`by_symbol\(\.\.\.\)`\)"
    with bt.connect(INSTANCE) as db:
        quotes: Any = QuoteRepository(db)
        with pytest.raises(TypeError, match=said):
            list(quotes)
        with pytest.raises(TypeError, match=said):
            print(quotes[0])
        assert quotes


def test_a_plan_shows_what_is_asked() -> None:
    """In a line, without the classes that it is made of."""
    plan = Quote.by_symbol.plan(exchange="NYSE", symbol="IBM", quote_time=(NOON, None)).limited(3)
    assert repr(plan) == (
        "<read of table QUOTE, rows [b'NYSE  #IBM  #1577880000000', b'NYSE  #IBM  #:'), "
        "filter families MD > newest 1 of a column, limit 3 rows>"
    )
