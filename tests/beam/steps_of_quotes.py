"""Data steps, and a move, that workers can import."""

from datetime import datetime
from decimal import Decimal

import btmodel as bt
from btmodel.migrate import data_step, move
from examples.market import Quote


@data_step(Quote)
def doubled_size(row: Quote) -> Quote:
    """Quotes of twice the size."""
    return bt.replace(row, bid_size=2 * (row.bid_size or 0) % 1_000)


@data_step(Quote)
def broken(row: Quote) -> Quote:
    """Fails."""
    raise ValueError("no venue")


class Moved(bt.Model, table="QUOTE_BY_SYMBOL", events="5000/s"):
    """A quote whose key begins with its symbol."""

    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000, mirror="MD:SYMBOL")
    exchange: str = bt.key(bt.Text(width=6), cardinality=20, mirror="MD:EXCHANGE")
    quote_time: datetime = bt.key(bt.EpochMillis(), mirror="MD:QUOTETIME")

    md = bt.family("MD", gc=bt.max_versions(1))
    bid: Decimal | None = bt.column("BID", md, default=None)
    ask: Decimal | None = bt.column("ASK", md, default=None)
    bid_size: int | None = bt.column("BIDSIZE", md, codec=bt.DecimalText(), default=None)
    ask_size: int | None = bt.column("ASKSIZE", md, codec=bt.DecimalText(), default=None)


@move(Quote, Moved)
def moved(row: Quote) -> Moved:
    """The same quote under its other key."""
    return Moved(
        symbol=row.symbol,
        exchange=row.exchange,
        quote_time=row.quote_time,
        bid=row.bid,
        ask=row.ask,
        bid_size=row.bid_size,
        ask_size=row.ask_size,
    )
