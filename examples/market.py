"""Market data: quotes and trades, two logically separate things, so two tables.

A row a message. Thousands of symbols, and most messages are about a few hundred of
them, so the exchange and the symbol lead the key and the time ends it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import btmodel as bt


class Quote(bt.Model, table="QUOTE", events="5000/s"):
    """Best bid and ask of a symbol, one row a message."""

    exchange: str = bt.key(bt.Text(width=6), cardinality=20, mirror="MD:EXCHANGE")
    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000, mirror="MD:SYMBOL")
    quote_time: datetime = bt.key(bt.EpochMillis(), mirror="MD:QUOTETIME")

    md = bt.family("MD", gc=bt.max_versions(1))
    bid: Decimal | None = bt.column("BID", md, default=None)
    ask: Decimal | None = bt.column("ASK", md, default=None)
    bid_size: int | None = bt.column("BIDSIZE", md, codec=bt.DecimalText(), default=None)
    ask_size: int | None = bt.column("ASKSIZE", md, codec=bt.DecimalText(), default=None)

    by_symbol = bt.query("exchange", "symbol", between="quote_time")


class Trade(bt.Model, table="TRADE", events="5000/s"):
    """A sale, one row a message."""

    exchange: str = bt.key(bt.Text(width=6), cardinality=20, mirror="MD:EXCHANGE")
    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000, mirror="MD:SYMBOL")
    trade_time: datetime = bt.key(bt.EpochMillis(), mirror="MD:TRADETIME")

    md = bt.family("MD", gc=bt.max_versions(1))
    last_sale: Decimal | None = bt.column("LASTSALE", md, default=None)
    last_size: int | None = bt.column("LASTSIZE", md, codec=bt.DecimalText(), default=None)
    volume: int | None = bt.column("VOLUME", md, codec=bt.DecimalText(), default=None)

    by_symbol = bt.query("exchange", "symbol", between="trade_time")


QUOTE_TIME = datetime(2015, 3, 16, 19, 53, 32, 156_000, tzinfo=UTC)
TRADE_TIME = datetime(2015, 3, 16, 19, 53, 32, 45_000, tzinfo=UTC)


def the_message() -> tuple[Quote, Trade]:
    """One message of a market data feed, as the two rows that it becomes."""
    return (
        Quote(
            exchange="NASDAQ",
            symbol="ZXZZT",
            quote_time=QUOTE_TIME,
            bid=Decimal("600.55"),
            ask=Decimal("600.60"),
            bid_size=500,
            ask_size=1500,
        ),
        Trade(
            exchange="NASDAQ",
            symbol="ZXZZT",
            trade_time=TRADE_TIME,
            last_sale=Decimal("600.58"),
            last_size=300,
            volume=89000,
        ),
    )


def made_up_quotes(count: int) -> Iterator[Quote]:
    """The quote of the message, then made-up ones, one every 250 ms, of ZXZZT and IBM in turn."""
    first, _ = the_message()
    yield first
    for number in range(1, count):
        exchange, symbol, price = [("NASDAQ", "ZXZZT", 60055), ("NYSE", "IBM", 15708)][number % 2]
        drift = number * 7 % 23 - 11
        yield Quote(
            exchange=exchange,
            symbol=symbol,
            quote_time=QUOTE_TIME + timedelta(milliseconds=250 * number),
            bid=Decimal(price + drift) / 100,
            ask=Decimal(price + drift + 5) / 100,
            bid_size=100 * (1 + number % 9),
            ask_size=100 * (1 + number % 7),
        )
