"""Strategies for users' tests."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.codecs import cell, key
from btmodel.declare import Fields, codec_of
from btmodel.testing import STRATEGIES, drawn, instances
from examples.flights import AircraftFlight, AirportDeparture
from examples.market import Quote, Trade
from examples.sales import MonthlySales
from examples.weather import WeatherDay


class Side(StrEnum):
    """Buy or sell."""

    BUY = "B"
    SELL = "S"


class Seen(bt.Model, table="seen"):
    """A page whose time lies in the timestamps of its cells, and a number that is added to."""

    page: str = bt.key(bt.Text(max_length=5))
    at: datetime = bt.timestamp()

    d = bt.family("d", gc=bt.max_versions(1))
    c = bt.family("c", gc=bt.max_versions(1), aggregate="sum")
    title: str = bt.column("t", d)
    times: int | None = bt.counter("n", c)
    daily: bt.History[int] = bt.counter("d", c, every="1day")


class Kept(bt.Model, table="kept"):
    """A page with a time of its own, or with that of writing."""

    page: str = bt.key(bt.Text(max_length=5))
    at: datetime | None = bt.timestamp(default=None)

    d = bt.family("d", gc=bt.max_versions(1))
    title: str = bt.column("t", d)


class Shelf(bt.Model, table="shelf"):
    """Entries with times of their own."""

    id: int = bt.key(bt.PaddedInt(2))

    p = bt.family("p", gc=bt.max_versions(9))
    prices: dict[str, bt.History[int]] = bt.histories(p, bt.Text(max_length=3), prefix="p")
    stock: dict[int, bt.Timed[str]] = bt.timed(p, bt.PaddedInt(2), prefix="s")


MODELS = [AircraftFlight, AirportDeparture, Quote, Trade, WeatherDay, Seen, Kept, Shelf]


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_every_instance_can_be_written_and_comes_back(model: type[bt.Model], data: st.DataObject) -> None:
    """What is drawn is encoded, and its cells decode to an equal row."""
    row = data.draw(instances(model))
    codec = codec_of(model)
    mutation = codec.encode(Fields(row), 0)
    cells = sorted(mutation.cells, key=lambda one: (one.family, one.qualifier, -one.timestamp))
    if isinstance(row, Kept) and row.at is None:
        row.at = datetime.fromtimestamp(0, UTC)  # the time of writing
    assert codec.decode(mutation.key, cells) == row


@given(instances(Seen, at=st.just(datetime(2026, 1, 1, tzinfo=UTC))))
def test_a_time_of_the_row_can_be_given_its_own_strategy(row: Seen) -> None:
    """As any attribute that a row is made with."""
    assert row.at == datetime(2026, 1, 1, tzinfo=UTC)


def test_counters_are_not_drawn() -> None:
    """No row is made with one, so a strategy for it is an error as well."""
    with pytest.raises(TypeError, match="Seen is not made with an attribute 'times'"):
        instances(Seen, times=st.just(1))


@given(instances(WeatherDay))
def test_events_lie_in_their_bucket(row: WeatherDay) -> None:
    """The times of a drawn history are of the row's day."""
    assert {time.date() for time in row.temperature} <= {row.day}
    assert all(time.microsecond % 1000 == 0 and timedelta(0) == time.utcoffset() for time in row.temperature)


@given(instances(Quote, symbol=st.just("IBM")))
def test_an_attribute_can_be_given_its_own_strategy(row: Quote) -> None:
    """A named strategy replaces the one of its attribute."""
    assert row.symbol == "IBM"


def test_an_unknown_attribute_is_refused() -> None:
    """A strategy for an attribute that the model lacks is an error, not ignored."""
    with pytest.raises(TypeError, match="Quote is not made with an attribute 'symbl'"):
        instances(Quote, symbl=st.just("IBM"))


def test_every_codec_has_a_strategy() -> None:
    """Each built-in codec whose values vary is in the table."""
    named = [getattr(module, name) for module in (key, cell) for name in module.__all__]
    concrete = {one for one in named if isinstance(one, type) and hasattr(one, "encode")}
    assert concrete - STRATEGIES.keys() == {key.Constant, key.KeyCodec, cell.CellCodec}


KEYS: list[key.KeyCodec[Any]] = [
    key.Base58(20),
    key.Bytes(max_length=3, min_length=0),
    key.Descending(key.Text(width=3)),
    key.EnumText(Side),
    key.EscapedText(2),
    key.Hex(3),
    key.HexDigest(4),
    key.LengthPrefixed(key.Int(3)),
    key.LittleEndian(2, signed=True),
    key.OrderedInt(),
    key.Repeated(key.Text(max_length=3), most=3),
    key.ReversedDigits(4),
    key.ReversedDomain(2),
    key.ReversedSeconds(),
    key.UuidRaw(),
]


@pytest.mark.parametrize("codec", KEYS, ids=repr)
@given(data=st.data())
def test_what_is_drawn_for_a_field_of_a_key_fits_it(codec: key.KeyCodec[Any], data: st.DataObject) -> None:
    """Hypothesis finds values for each kind of field without throwing most of them away."""
    value = data.draw(drawn(codec))
    assert codec.decode(codec.encode(value)) == value


def test_a_model_of_counters_alone_has_no_instances() -> None:
    """No row of it can be put, so that is said at once, with what to do instead."""
    with pytest.raises(TypeError, match=r"MonthlySales holds only counters.*begin one with `add`"):
        instances(MonthlySales)


@pytest.mark.parametrize(
    "codec", [bt.EpochNanos(), bt.Descending(bt.EpochNanos()), bt.EpochSeconds()], ids=str
)
@given(data=st.data())
def test_times_are_drawn_in_units_of_the_field(codec: Any, data: st.DataObject) -> None:
    """What is drawn for a count of units, of whatever width it is written, comes back from its bytes."""
    for one in (codec, bt.AsInKey(codec)):
        value = data.draw(drawn(one))
        assert one.decode(one.encode(value)) == value
