"""Good designs: not one of them has a finding."""

from datetime import date, datetime
from decimal import Decimal

import pytest

import btmodel as bt
from btmodel.lint import review, review_all


class Quote(bt.Model, table="QUOTE", events="5000/s"):
    """Best bid and ask of a symbol, a row a message."""

    exchange: str = bt.key(bt.Text(width=6), cardinality=20, mirror="MD:EXCHANGE")
    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000, mirror="MD:SYMBOL")
    quote_time: datetime = bt.key(bt.EpochMillis(), mirror="MD:QUOTETIME")

    md = bt.family("MD", gc=bt.max_versions(1))
    bid: Decimal | None = bt.column("BID", md, default=None)
    ask: Decimal | None = bt.column("ASK", md, default=None)
    bid_size: int | None = bt.column("BIDSIZE", md, codec=bt.DecimalText(), default=None)
    ask_size: int | None = bt.column("ASKSIZE", md, codec=bt.DecimalText(), default=None)

    by_symbol = bt.query("exchange", "symbol", between="quote_time")
    one = bt.query("exchange", "symbol", "quote_time")
    of_exchange = bt.query("exchange")


class Trade(bt.Model, table="TRADE", events="2000/s"):
    """The last sale of a symbol, a row a message."""

    exchange: str = bt.key(bt.Text(width=6), cardinality=20, mirror="MD:EXCHANGE")
    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000, mirror="MD:SYMBOL")
    trade_time: datetime = bt.key(bt.EpochMillis(), mirror="MD:TRADETIME")

    md = bt.family("MD", gc=bt.max_versions(1))
    last_sale: Decimal | None = bt.column("LASTSALE", md, default=None)
    last_size: int | None = bt.column("LASTSIZE", md, codec=bt.DecimalText(), default=None)
    volume: int | None = bt.column("VOLUME", md, codec=bt.DecimalText(), default=None)

    by_symbol = bt.query("exchange", "symbol", between="trade_time")


class Garden(bt.Model, table="GARDEN", events="1/day"):
    """One temperature each morning: behind a constant, a date leads the key."""

    kind = bt.constant("VEGGIEGARDEN")
    day: date = bt.key(bt.DateText())

    daily = bt.family("DAILY", gc=bt.max_versions(1))
    temp: float = bt.column("TEMP", daily, codec=bt.FloatText())

    some_days = bt.query(between="day")


class Weather(bt.Model, table="WEATHER", bucket="day", events="4/h"):
    """The weather of a place, a row a day, a cell version an hour."""

    place: str = bt.key(bt.Text(max_length=20), cardinality=300)
    day: date = bt.key(bt.DateText())

    w = bt.family("w", gc=bt.max_versions(100))
    temp: bt.History[float] = bt.history("temp", w)

    of_place = bt.query("place", between="day")


class Score(bt.Model, table="SCORE"):
    """The games of a player."""

    kind = bt.constant("LoL")
    player: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    day: date = bt.key(bt.DateText())

    game = bt.family("GAME", gc=bt.max_versions(1))
    win: bool = bt.column("WIN", game)

    of_player = bt.query("player", between="day")
    everything = bt.query(scan="the yearly statistics")


class Metric(bt.Model, table="METRIC", events="20000/s"):
    """The load of a machine, a row a reading; qualifiers are names of a folder and a figure."""

    host: str = bt.key(bt.Text(max_length=60), cardinality=100_000)
    at: datetime = bt.key(bt.EpochMillis())

    metric = bt.family("METRIC", gc=bt.max_age(days=90))
    user: float = bt.column("CPU/CPU1_USR", metric)
    read: int = bt.column("IO/BLK_READ", metric)

    of_host = bt.query("host", between="at")


class Device(bt.Model, table="DEVICE"):
    """A row a device and day, of a tenant."""

    tenant: str = bt.key(bt.Text(max_length=20), cardinality=40)
    type: str = bt.key(bt.Text(max_length=8), cardinality=2)
    device: str = bt.key(bt.Text(width=8), cardinality=1_000_000)
    day: date = bt.key(bt.DateText())

    data = bt.family("data", gc=bt.keep_all())
    os: str = bt.column("os", data)

    of_tenant = bt.query("tenant")
    of_type = bt.query("tenant", "type")
    of_device = bt.query("tenant", "type", "device", between="day")


MODELS = (Quote, Trade, Garden, Weather, Score, Metric, Device)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_good_design_is_clean(model: type[bt.Model]) -> None:
    """A design that the service's own documentation calls good has no finding, and needs no suppression."""
    assert bt.schema_of(model).allow == {}
    assert review(bt.schema_of(model)) == ()


def test_good_designs_are_clean_together() -> None:
    """They have none as the models of one project, either, but for figures that two of them do not tell."""
    found = review_all(bt.schema_of(model) for model in MODELS)
    assert {(finding.rule, finding.model) for finding in found} == {("FIG001", "Score"), ("FIG001", "Device")}
