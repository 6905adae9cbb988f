"""Rows of slots that are taken straight from the bytes of an answer, against the strict way, which is always right."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from google.cloud.bigtable_v2.types import MutateRowsRequest, ReadRowsResponse
from hypothesis import given
from hypothesis import strategies as st
from test_compiled_reads import (
    MARKS,
    NOW,
    decoders,
    entry_of,
    results,
    stored_decoders,
    streams,
    usual_chunks,
)

import btmodel as bt
from btmodel.declare import Fields, codec_of
from btmodel.rows import Cell, Mutation
from btmodel.rows.serialized import Entry, entry
from btmodel.testing import instances


class Day(bt.Model, table="days", bucket="day"):
    """Quarters of an hour of a day, which are the same every day."""

    meter: str = bt.key(bt.Text(max_length=8), cardinality=100)
    day: date = bt.key(bt.DateText("%Y%m%d"))

    f = bt.family("f", gc=bt.max_versions(1))
    used: bt.Slots[int] = bt.slots(f, every="15min", qualifier="%H%M")


class Month(bt.Model, table="months", bucket="month"):
    """Days of a month, with a prefix; some months lack some."""

    meter: int = bt.key(bt.PaddedInt(3))
    month: datetime = bt.key(bt.TimeText("%Y%m"))

    f = bt.family("fa", gc=bt.max_versions(1))
    heat: bt.Slots[bool] = bt.slots(f, every="1d", qualifier="d%d")


MODELS: list[type[bt.Model]] = [Day, Month]
START = datetime(2026, 2, 1, tzinfo=UTC)


def message_of(rows: dict[bytes, list[Cell]], *, repeats: bool = False) -> bytes:
    """A message of rows."""
    chunks = []
    for key in sorted(rows):
        chunks += usual_chunks(Mutation("t", key, rows[key]), repeats)
    return bytes(ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks)))


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_both_ways_give_the_same_rows_of_any_stream(model: type[bt.Model], data: st.DataObject) -> None:
    """The same keys, rows and errors, whatever form the chunks come in."""
    messages = data.draw(streams(model))
    for strict, fast in (decoders(model), stored_decoders(model)):
        assert results(messages, fast) == results(messages, strict)


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_both_ways_give_the_same_of_odd_cells(model: type[bt.Model], data: st.DataObject) -> None:
    """Names of no slot, older values, values of other sizes, and bytes that are changed."""
    rows = {}
    for row in data.draw(st.lists(instances(model), min_size=1, max_size=4)):
        mutation = codec_of(model).encode(Fields(row), NOW)
        rows[mutation.key] = sorted(mutation.cells, key=lambda cell: cell[:2])
    for cells in rows.values():
        if data.draw(st.booleans()):
            at = data.draw(st.integers(0, len(cells) - 1))
            odd = data.draw(
                st.sampled_from(
                    [
                        {"qualifier": b"2560"},
                        {"qualifier": b"d30"},
                        {"qualifier": b"d3"},
                        {"value": b"x"},
                        *({"value": mark} for mark in MARKS),
                    ]
                )
            )
            cells.insert(at + 1, cells[at]._replace(timestamp=NOW - 1000, **odd))
            if data.draw(st.booleans()):
                del cells[at]
    message = bytearray(message_of(rows))
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(message) - 1))
        message[at] = data.draw(st.sampled_from([message[at] ^ 1, message[at] ^ 0x80, 10, 72, 0, 255]))
    strict, fast = (results([bytes(message)], one) for one in decoders(model))
    if strict[2] is None or "cannot be parsed" not in strict[2]:
        assert fast == strict
    else:
        assert (fast[0][: len(strict[0])], fast[2]) == (strict[0], strict[2])


@pytest.mark.parametrize("count", [1, 2, 20])
@pytest.mark.parametrize("model", MODELS)
def test_the_usual_form_is_taken_whole(model: type[bt.Model], count: int) -> None:
    """Rows in the form in which the service sends them leave nothing for the strict way."""
    every = timedelta(minutes=15) if model is Day else timedelta(days=1)
    times = [START + number * every for number in range(count)]
    rows: list[Any] = [
        Day(meter="m", day=START.date(), used=bt.Slots(dict.fromkeys(times, 7))),
        Day(meter="n", day=START.date(), used=bt.Slots(dict.fromkeys(times, 8))),
    ]
    if model is Month:
        rows = [
            Month(meter=number, month=START, heat=bt.Slots(dict.fromkeys(times, True))) for number in range(3)
        ]
    message = message_of(
        {bt.key_of(row): list(codec_of(model).encode(Fields(row), NOW).cells) for row in rows}
    )
    fast = decoders(model)[1].fast
    assert fast is not None
    assert all(isinstance(entry_of(row), Entry) for row in rows)
    assert fast(message, 0, b"") == (len(message), [bt.key_of(row) for row in rows], rows)


def test_slots_beside_other_columns_are_read_the_strict_way() -> None:
    """Only rows of slots alone are as regular as an array."""

    class Mixed(bt.Model, table="mixed", bucket="day"):
        meter: str = bt.key(bt.Text(max_length=8), cardinality=100)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        f = bt.family("f", gc=bt.max_versions(1))
        note: str | None = bt.column("n", f, default=None)
        used: bt.Slots[int] = bt.slots(f, every="15min", qualifier="%H%M")

    assert codec_of(Mixed).compiled_reader() is None


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_a_compiled_write_is_what_the_codec_writes(model: type[bt.Model], data: st.DataObject) -> None:
    """The bytes of an entry hold the cells of the mutation in their order; what the codec refuses is left to it."""
    row: Any = data.draw(instances(model))
    codec = codec_of(model)
    slots = row.used if model is Day else row.heat
    odd = [None, "x", True, 2**63, 5]
    times = [
        datetime(2026, 2, 1),
        datetime(2026, 2, 1, 0, 7, tzinfo=UTC),
        START,
        START.astimezone(ZoneInfo("Asia/Kathmandu")),
    ]
    if data.draw(st.booleans()):
        slots[data.draw(st.sampled_from([*times, *slots]))] = data.draw(st.sampled_from(odd))
    try:
        wanted = codec.encode(Fields(row), NOW)
    except Exception:
        wanted = None
    made = entry_of(row)
    if made is None:
        return
    assert wanted is not None
    entry = MutateRowsRequest.Entry.deserialize(made.raw)
    cells = [one.set_cell for one in entry.mutations]
    got = [Cell(one.family_name, one.column_qualifier, one.timestamp_micros, one.value) for one in cells]
    assert (made.key, made.count, got) == (wanted.key, len(cells), list(wanted.cells))


@pytest.mark.parametrize("fold", [[0, 1], [1, 0]])
def test_an_hour_that_a_clock_shows_twice(fold: list[int]) -> None:
    """Two times that are equal on such a clock are different slots, whichever of them is written first."""
    berlin = ZoneInfo("Europe/Berlin")
    for one in fold:
        time = datetime(2025, 10, 26, 2, 30, tzinfo=berlin, fold=one)
        row = Day(meter="m", day=date(2025, 10, 26), used=bt.Slots({time: 1}))
        in_utc = Day(meter="m", day=row.day, used=bt.Slots({time.astimezone(UTC): 1}))
        wanted = codec_of(Day).encode(Fields(row), NOW)
        assert codec_of(Day).encode(Fields(in_utc), NOW) == wanted
        for written in (in_utc, row):
            made = entry_of(written)
            assert made in (None, entry(wanted))
