"""Market data against a server."""

from collections.abc import Iterator
from datetime import timedelta

import btmodel as bt
from examples.generated.quote_repository import QuoteRepository
from examples.generated.trade_repository import TradeRepository
from examples.market import QUOTE_TIME, Quote, Trade, made_up_quotes, the_message
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """The message as its two rows, and seven quotes that follow it."""
    _, trade = the_message()
    TradeRepository(db).put(trade)
    QuoteRepository(db).put_many(made_up_quotes(8))


def ask(db: bt.Database) -> Iterator[Answer]:
    """One range each."""
    quotes = QuoteRepository(db).by_symbol("NASDAQ", "ZXZZT", QUOTE_TIME, QUOTE_TIME + timedelta(seconds=1))
    yield Answer("Which were the bids for ZXZZT in that second?", ", ".join(str(one.bid) for one in quotes))
    sold = TradeRepository(db).by_symbol("NASDAQ", "ZXZZT").first()
    yield Answer("What did ZXZZT sell for, first of all?", sold and sold.last_sale)


EXAMPLE = Example("Market data", (Quote, Trade), write, ask)
