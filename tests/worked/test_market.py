"""Market data: the bytes of the document, on real servers."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from raw_cells import lines

import btmodel as bt
from examples.market import Quote
from examples.worked.market import EXAMPLE

Open = Callable[..., bt.Database]


@pytest.fixture
def market(database: Open) -> bt.Database:
    """The message, and the quotes that follow it."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_the_quote_is_that_of_the_document(market: bt.Database) -> None:
    """The first row of QUOTE is the message's, with every cell that is printed and no other."""
    assert [line for line in lines(market, "QUOTE") if line[0] == b"NASDAQ#ZXZZT#1426535612156"] == [
        (b"NASDAQ#ZXZZT#1426535612156", "MD", b"ASK", b"600.60"),
        (b"NASDAQ#ZXZZT#1426535612156", "MD", b"ASKSIZE", b"1500"),
        (b"NASDAQ#ZXZZT#1426535612156", "MD", b"BID", b"600.55"),
        (b"NASDAQ#ZXZZT#1426535612156", "MD", b"BIDSIZE", b"500"),
        (b"NASDAQ#ZXZZT#1426535612156", "MD", b"EXCHANGE", b"NASDAQ"),
        (b"NASDAQ#ZXZZT#1426535612156", "MD", b"QUOTETIME", b"1426535612156"),
        (b"NASDAQ#ZXZZT#1426535612156", "MD", b"SYMBOL", b"ZXZZT"),
    ]


def test_the_trade_is_that_of_the_document(market: bt.Database) -> None:
    """The row of TRADE has every cell that is printed and no other."""
    assert lines(market, "TRADE") == [
        (b"NASDAQ#ZXZZT#1426535612045", "MD", b"EXCHANGE", b"NASDAQ"),
        (b"NASDAQ#ZXZZT#1426535612045", "MD", b"LASTSALE", b"600.58"),
        (b"NASDAQ#ZXZZT#1426535612045", "MD", b"LASTSIZE", b"300"),
        (b"NASDAQ#ZXZZT#1426535612045", "MD", b"SYMBOL", b"ZXZZT"),
        (b"NASDAQ#ZXZZT#1426535612045", "MD", b"TRADETIME", b"1426535612045"),
        (b"NASDAQ#ZXZZT#1426535612045", "MD", b"VOLUME", b"89000"),
    ]


def test_short_names_are_padded_in_the_key_and_not_in_the_cells(market: bt.Database) -> None:
    """NYSE and IBM fill their 6 and 5 characters with spaces; the cells that repeat them do not."""
    ibm = [line for line in lines(market, "QUOTE") if line[0] == b"NYSE  #IBM  #1426535612406"]
    assert (b"NYSE  #IBM  #1426535612406", "MD", b"EXCHANGE", b"NYSE") in ibm
    assert (b"NYSE  #IBM  #1426535612406", "MD", b"SYMBOL", b"IBM") in ibm
    assert len(ibm) == 7
    at = datetime(2015, 3, 16, 19, 53, 32, 156_000, tzinfo=UTC)
    assert Quote.row_key(exchange="NYSE", symbol="IBM", quote_time=at) == b"NYSE  #IBM  #1426535612156"


def test_the_questions_are_answered(market: bt.Database) -> None:
    """The bids of a second and the first sale."""
    assert [one.answer for one in EXAMPLE.ask(market)] == ["600.55, 600.58", Decimal("600.58")]
