"""Codecs that round on request: what they write, and that nothing else about them changes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from btmodel_codegen import generate

import btmodel as bt
from btmodel.schema.layout import codec_text

FINE = datetime(2020, 1, 1, 0, 0, 1, 234_567, tzinfo=UTC)


@pytest.mark.parametrize(
    ("exact", "rounding", "value", "raw"),
    [
        (bt.EpochSeconds(), bt.EpochSeconds(round=True), FINE, b"1577836801"),
        (bt.EpochMillis(), bt.EpochMillis(round=True), FINE, b"1577836801234"),
        (bt.ReversedSeconds(), bt.ReversedSeconds(round=True), FINE, b"9223372035276939006"),
        (bt.ReversedMillis(), bt.ReversedMillis(round=True), FINE, b"9223370459017974573"),
        (bt.TimeBytes("second", 4), bt.TimeBytes("second", 4, round=True), FINE, b"\x5e\x0b\xe1\x01"),
        (
            bt.TimeBytes("millisecond"),
            bt.TimeBytes("millisecond", round=True),
            FINE,
            (1577836801234).to_bytes(8),
        ),
        (bt.TimeText("%Y%m%d%H%M"), bt.TimeText("%Y%m%d%H%M", round=True), FINE, b"202001010000"),
        (
            bt.TimeText("%Y%m%d%H%M%S%3f"),
            bt.TimeText("%Y%m%d%H%M%S%3f", round=True),
            FINE,
            b"20200101000001234",
        ),
        (
            bt.EpochBucket(bt.PaddedInt(4), timedelta(days=28)),
            bt.EpochBucket(bt.PaddedInt(4), timedelta(days=28), round=True),
            FINE,
            b"0652",
        ),
        (bt.IsoTime(3), bt.IsoTime(3, round=True), FINE, b"2020-01-01T00:00:01.234Z"),
        (bt.IsoTime(0), bt.IsoTime(0, round=True), FINE, b"2020-01-01T00:00:01Z"),
        (bt.FloatBytes(4), bt.FloatBytes(4, round=True), 0.1, b"\x3d\xcc\xcc\xcd"),
        (bt.FloatBytes(4, "little"), bt.FloatBytes(4, "little", round=True), 0.1, b"\xcd\xcc\xcc\x3d"),
    ],
)
def test_what_is_finer_is_rounded_where_that_is_asked_for(
    exact: Any, rounding: Any, value: Any, raw: bytes
) -> None:
    """The refusal names the option; with it the bytes are those of what can be stored, and the codec is the same one."""
    with pytest.raises(bt.ValueRefused, match=r"declare the codec with round=True"):
        exact.encode(value)
    assert rounding.encode(value) == raw
    whole = rounding.decode(raw)
    assert exact.encode(whole) == rounding.encode(whole) == raw
    assert exact == rounding
    assert codec_text(exact) == codec_text(rounding)


ARRAY = np.array([0.1, -0.0, np.inf, np.nan])


@pytest.mark.parametrize(
    ("array", "raw"),
    [
        (ARRAY, b"\xcd\xcc\xcc\x3d\0\0\0\x80\0\0\x80\x7f\0\0\xc0\x7f"),
        (ARRAY.astype(">f8"), b"\xcd\xcc\xcc\x3d\0\0\0\x80\0\0\x80\x7f\0\0\xc0\x7f"),
        (np.array([2**24 + 1, -1]), b"\0\0\x80\x4b\0\0\x80\xbf"),
    ],
)
def test_arrays_are_rounded_where_that_is_asked_for(array: Any, raw: bytes) -> None:
    """Each number to the nearest float that is stored; nothing else becomes a float, nor any float a whole number."""
    exact, rounding = bt.RawArray("<f4", (None,)), bt.RawArray("<f4", (None,), round=True)
    for codec in (exact, bt.NumpyArray("<f4")):
        with pytest.raises(bt.ValueRefused, match=r"not of [<>].8 \(cast it yourself, .* with round=True\)"):
            codec.encode(array)
    assert rounding.encode(array) == raw
    filed = bt.NumpyArray("<f4", round=True)
    assert filed.encode(array) == bt.NumpyArray("<f4").encode(rounding.decode(raw))
    assert exact.encode(rounding.decode(raw)) == raw
    assert exact == rounding
    assert codec_text(exact) == codec_text(rounding)


def test_arrays_that_no_rounding_fits_are_refused() -> None:
    """Numbers beyond the range, other shapes and kinds, and whole numbers, which a rounded one would not be."""
    rounding = bt.RawArray("<f4", (2,), round=True)
    for array, said in [
        (np.array([1e39, 0.0]), "an array of numbers within the range of <f4"),
        (np.array([0.1]), r"an array of the shape \(2,\)"),
        (np.array([True, False]), "an array of <f4, not of "),
        (np.array([1j, 2]), "an array of <f4, not of <c16,"),
    ]:
        with pytest.raises(bt.ValueRefused, match=said):
            rounding.encode(array)
    with pytest.raises(bt.ValueRefused, match="an array of <i4, not of <f8,"):
        bt.RawArray("<i4", (2,), round=True).encode(np.array([0.1, 0.2]))


@pytest.mark.parametrize(
    "codec",
    [
        bt.EpochMillis,
        bt.ReversedSeconds,
        bt.TimeText,
        bt.TimeBytes,
        bt.FloatBytes,
        bt.IsoTime,
        bt.RawArray,
        bt.NumpyArray,
    ],
    ids=str,
)
def test_whether_to_round_is_said_with_a_bool(codec: Any) -> None:
    """A word is refused: "no" would round."""
    first: dict[Any, tuple[object, ...]] = {
        bt.TimeText: ("%Y",),
        bt.TimeBytes: ("second",),
        bt.FloatBytes: (4,),
        bt.RawArray: ("<f4", (2,)),
    }
    with pytest.raises(bt.DeclarationError, match=r"expected round=True or round=False, got 'no'"):
        codec(*first.get(codec, ()), round="no")


class Reading(bt.Model, table="readings", events="1/s"):
    """A row whose time and value are rounded."""

    at: datetime = bt.key(bt.EpochMillis(round=True), default_factory=lambda: FINE)

    f = bt.family("f", gc=bt.max_versions(1))
    value: float = bt.column("v", f, codec=bt.FloatBytes(4, round=True))


def generated(model: type[bt.Model], name: str) -> Any:
    """The class called ``name`` that is generated for a model."""
    module = ModuleType("generated")
    for text in generate([bt.schema_of(model)], ["repository"]).values():
        if f"class {name}(" in text or f"class {name}:" in text:
            exec(text, vars(module))
    return getattr(module, name)


def test_a_row_is_written_with_the_clock_as_it_is() -> None:
    """What everybody tries first works: the time of a clock in the key, by every way that writes it."""
    row = Reading(value=0.1)
    assert bt.key_of(row) == Reading.row_key(at=FINE) == b"1577836801234"
    assert Reading.read_key(b"1577836801234") == (FINE.replace(microsecond=234_000),)
    [cell] = bt.mutation_of(row).cells
    assert cell.value == b"\x3d\xcc\xcc\xcd"


def test_many_rows_are_written_so_too(database: Callable[..., bt.Database]) -> None:
    """What is compiled for a model leaves such values to the codec: rows are put, found and read by rounded values."""
    db = database(Reading)
    readings = generated(Reading, "ReadingRepository")(db)
    assert readings.put_many([Reading(value=0.1), Reading(at=FINE.replace(second=9), value=0.5)]) == 2
    assert [key for key, _ in db.cells("readings")] == [b"1577836801234", b"1577836809234"]
    found = readings.get(FINE)
    assert (found.at, round(found.value, 6)) == (FINE.replace(microsecond=234_000), 0.1)


class Trade(bt.Model, table="trades", events="1/s"):
    """A trade, by the time in its key."""

    symbol: str = bt.key(bt.Text(max_length=8))
    at: datetime = bt.key(bt.EpochMillis(round=True))

    f = bt.family("f", gc=bt.max_versions(1))
    price: int = bt.column("p", f)

    by_symbol = bt.query("symbol", between="at")


class LatestTrade(bt.Model, table="trades", events="1/s"):
    """A trade, the latest of its symbol first."""

    symbol: str = bt.key(bt.Text(max_length=8))
    at: datetime = bt.key(bt.ReversedMillis(round=True))

    f = bt.family("f", gc=bt.max_versions(1))
    price: int = bt.column("p", f)

    by_symbol = bt.query("symbol", between="at")


@pytest.mark.parametrize("model", [Trade, LatestTrade])
def test_ranges_of_keys_are_rounded_as_the_keys(database: Callable[..., bt.Database], model: Any) -> None:
    """The row that was put with a time is found from that time on, and not up to it."""
    trades = generated(model, f"{model.__name__}Repository")(database(model))
    trades.put(model(symbol="A", at=FINE, price=1))
    second = timedelta(seconds=1)
    assert [one.price for one in trades.by_symbol("A", FINE, FINE + second)] == [1]
    assert list(trades.by_symbol("A", FINE - second, FINE)) == []
    assert [one.price for one in trades.by_symbol("A", FINE - second, FINE, closed="[]")] == [1]
    assert list(trades.by_symbol("A", FINE, FINE + second, closed="(]")) == []
