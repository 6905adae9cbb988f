"""Columns that are gathered from the bytes of answers, against those that are made of row objects."""

from datetime import UTC, date, datetime
from enum import Enum
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from google.cloud.bigtable_v2.types import ReadRowsResponse
from hypothesis import given
from hypothesis import strategies as st
from test_compiled_reads import NOW, PLAN, Plain, Reading, streams, usual_chunks

import btmodel as bt
from btmodel.client.chunks import Chunks, decoded, decoded_plainly
from btmodel.columnar import ArrowFields, Collector, pyarrow
from btmodel.columnar.cell_arrays import ByteSpans
from btmodel.declare import Fields as Values
from btmodel.declare import codec_of
from btmodel.repository.lazy import UNDECODABLE
from btmodel.rows import Cell, Mutation, RowDecoder
from btmodel.rows.compiled import Block
from btmodel.testing import instances


class Colour(Enum):
    """Some words."""

    RED = "r"
    GREEN = "green"


class Kinds(bt.Model, table="kinds", events="1/s"):
    """A key of fixed widths, and every kind of value that Arrow has a type for."""

    place: str = bt.key(bt.Text(width=4))
    version = bt.constant("v1")
    number: int = bt.key(bt.PaddedInt(3))
    at: datetime = bt.key(bt.ReversedMillis())

    f = bt.family("f", gc=bt.max_versions(1))
    text: str | None = bt.column("a", f, default=None)
    raw: bytes | None = bt.column("b", f, default=None)
    whole: int | None = bt.column("c", f, default=None)
    digits: int | None = bt.column("d", f, codec=bt.DecimalText(), default=None)
    real: float | None = bt.column("e", f, default=None)
    flag: bool = bt.column("g", f)
    time: datetime | None = bt.column("h", f, default=None)
    day: date | None = bt.column("i", f, default=None)
    id: UUID | None = bt.column("j", f, default=None)
    colour: Colour | None = bt.column("k", f, default=None)
    told: list[int] | None = bt.column("l", f, default=None)


class Counted(bt.Model, table="counted", events="1/s", allow={"KEY007": "the tests need one"}):
    """Fields of any length."""

    name: str = bt.key(bt.Text(max_length=6, min_length=0))
    number: int = bt.key(bt.Int(12))
    at: datetime = bt.key(bt.EpochSeconds())
    minute: datetime = bt.key(bt.TimeText("%Y-%m-%d %H:%M"))
    day: date = bt.key(bt.DateText("%Y%m%d"))

    f = bt.family("f", gc=bt.max_versions(1))
    flag: bool = bt.column("g", f)


MODELS: list[type[bt.Model]] = [Reading, Plain, Kinds, Counted]


def fits(row: Any) -> bool:
    """Whether Arrow's types hold the row."""
    digits = getattr(row, "digits", None)
    return digits is None or -(2**63) <= digits < 2**63


def of_objects(model: type[bt.Model], messages: list[bytes]) -> tuple[list[dict[str, Any]], str | None]:
    """The rows of a stream as Arrow has them, made of row objects, and what ended it."""
    fields = ArrowFields.of(bt.schema_of(model), None, None)
    chunks, rows, failed = Chunks(PLAN), [], None
    for message in messages:
        batch, failed = decoded(message, chunks, RowDecoder(codec_of(model).decode))
        rows += batch.rows
        if failed is not None:
            break
    return fields.of_rows(rows).to_pylist(), failed and f"{type(failed).__name__}: {failed}"


def of_bytes(
    model: type[bt.Model], messages: list[bytes], most: int
) -> tuple[list[dict[str, Any]], str | None]:
    """The same, gathered from the bytes."""
    codec = codec_of(model)
    spans = codec.compiled_spans()
    assert spans is not None
    fields = ArrowFields.of(bt.schema_of(model), None, None)
    collector = Collector(fields, spans, partial(plainly, codec), most)
    chunks, found = Chunks(PLAN), []
    failed: Exception | None = None
    for message in messages:
        batch, failed = decoded(message, chunks, RowDecoder(codec.decode, spans.read))  # type: ignore[arg-type]
        collector.add(batch.rows)
        if collector.full or failed:
            made, undecoded = collector.batch()
            failed = undecoded or failed
            found += made.to_pylist()
        if failed:
            return found, f"{type(failed).__name__}: {failed}"
    made, failed = collector.batch()
    return found + made.to_pylist(), failed and f"{type(failed).__name__}: {failed}"


def plainly(codec: Any, block: Block, count: int, rows: list[Any]) -> None:
    """Decode rows of a block one by one."""
    message = block.message[block.start : block.end]
    found: list[Any] = decoded_plainly(message, RowDecoder(partial(tried, codec)))
    for row in found[:count]:
        if isinstance(row, Exception):
            raise row
        rows.append(row)


def tried(codec: Any, key: bytes, cells: list[Cell]) -> Any:
    """A row, or what is wrong with it."""
    try:
        return codec.decode(key, cells)
    except UNDECODABLE as error:
        return error


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_both_ways_give_the_same_columns_of_any_stream(model: type[bt.Model], data: st.DataObject) -> None:
    """The same values and errors, whatever form the chunks come in, and wherever batches are cut."""
    messages = data.draw(streams(model))
    try:
        wanted = of_objects(model, messages)
    except bt.ValueRefused:
        with pytest.raises(bt.ValueRefused, match="fits"):
            of_bytes(model, messages, 100)
        return
    for most in (1, 3, 100):
        assert of_bytes(model, messages, most) == wanted


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_usual_streams_are_gathered_whole(model: type[bt.Model], data: st.DataObject) -> None:
    """Rows in the usual form need no object: nothing is decoded the plain way."""
    rows = data.draw(st.lists(instances(model).filter(fits), min_size=1, max_size=8))
    mutations = {bt.key_of(row): codec_of(model).encode(Values(row), NOW) for row in rows}
    chunks = [one for key in sorted(mutations) for one in usual_chunks(mutations[key], False)]
    message = ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))
    spans = codec_of(model).compiled_spans()
    assert spans is not None
    at, keys, blocks = spans.read(message, 0, b"")
    assert (at, len(keys)) == (len(message), len(mutations))
    fields = ArrowFields.of(bt.schema_of(model), None, None)

    def never(block: Block, count: int, rows: list[Any]) -> None:
        raise AssertionError("decoded the plain way")

    collector = Collector(fields, spans, never, 100)
    collector.add(blocks)
    made, failed = collector.batch()
    assert failed is None
    made.validate(full=True)
    assert made.to_pylist() == of_objects(model, [message])[0]


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_wrong_keys_and_values_are_found(model: type[bt.Model], data: st.DataObject) -> None:
    """Bytes of keys and values that are no longer valid are told as by the plain way, behind the rows in front."""
    rows = data.draw(st.lists(instances(model).filter(fits), min_size=1, max_size=5))
    mutations = {}
    for row in rows:
        one = codec_of(model).encode(Values(row), NOW)
        key, cells = bytearray(one.key), list(one.cells)
        if data.draw(st.integers(0, 2)) == 0:
            key[data.draw(st.integers(0, len(key) - 1))] = data.draw(st.sampled_from(b"#0 9a-\x00\x7f\xc3"))
        if data.draw(st.integers(0, 2)) == 0:
            at = data.draw(st.integers(0, len(cells) - 1))
            value = data.draw(st.sampled_from([b"", b"+5", b"\xff" * 8, b"\x7f" + b"\xff" * 7, b"\2", b"05"]))
            cells[at] = cells[at]._replace(value=value)
        mutations[bytes(key)] = Mutation("t", bytes(key), cells)
    chunks = [one for key in sorted(mutations) for one in usual_chunks(mutations[key], False)]
    message = ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))
    try:
        wanted = of_objects(model, [message])
    except bt.ValueRefused:
        return
    # As text: the bytes may be those of a number that is not equal to itself.
    assert repr(of_bytes(model, [message], 100)) == repr(wanted)


def test_large_values_and_empty_ones() -> None:
    """A value of a megabyte beside an empty one, and no value at all."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    rows = [
        Reading(meter="m", at=at.replace(minute=minute), count=1, raw=raw)
        for minute, raw in enumerate([b"x" * 1_000_000, b"", None])
    ]
    chunks = [one for row in rows for one in usual_chunks(codec_of(Reading).encode(Values(row), NOW), True)]
    made, failed = of_bytes(Reading, [ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))], 100)
    assert failed is None
    assert [row["raw"] for row in made] == [row.raw for row in rows]
    assert pyarrow().__name__ == "pyarrow"


def test_rows_of_both_ways_stay_in_their_order() -> None:
    """Rows that must be decoded the plain way, between others that need not."""
    messages = []
    for number in range(9):
        row = Plain(number=number, first="x" * number, middle=None, last=True)
        mutation = codec_of(Plain).encode(Values(row), NOW)
        if number % 3 == 1:
            mutation = Mutation("t", mutation.key, [*mutation.cells, Cell("f", b"z", NOW, b"unknown")])
        chunks = usual_chunks(mutation, False)
        messages.append(ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks)))
    found, failed = of_bytes(Plain, messages, 100)
    assert failed is None
    assert [row["number"] for row in found] == list(range(9))


def test_bytes_shorter_than_an_absent_value() -> None:
    """Absent values of a fixed size are zeros, also where all bytes that were read are fewer than that."""
    spans = ByteSpans(np.zeros(13, np.uint8), np.array([-1, -1]), np.array([15, 15]))
    assert spans.fixed(16).tolist() == [[0] * 16] * 2
