"""Batches of a read: what was made of the rows of a message, and what surrounds a decoder."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse
from hypothesis import given
from hypothesis import strategies as st
from random_streams import chunks_of, framed, random_rows
from scripted import Answer, chunk, message, row, scripted
from simple_fast import fast

from btmodel import Database
from btmodel.client.chunks import Chunks, decoded
from btmodel.client.failures import InvalidAnswer
from btmodel.client.row_streams import Row
from btmodel.errors import ServerError
from btmodel.rows import RAW, Cell, RangeOrder, ReadPlan, RowDecoder, RowRange

ALL = ReadPlan("T", (RowRange(b"", b""),), None)
FAST: RowDecoder[list[Cell]] = RowDecoder(RAW.strict, fast)


def says(*messages: ReadRowsResponse) -> Answer:
    """An answer of these messages."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield from messages

    return answer


def refusing_b(key: bytes, cells: list[Cell]) -> bytes:
    """A decoder that knows every row but one."""
    if key == b"b":
        raise LookupError("b")
    return key


def test_a_message_is_a_batch() -> None:
    """Rows come in the batches in which the server sends them; a message that ends no row gives none."""
    messages = (
        message(row(b"a"), row(b"b"), chunk(b"c", "f:q", b"1")),
        message(),
        message(chunk(b"c", "", b"2")),
        message(chunk(b"c", "", b"3", commit_row=True), row(b"d")),
    )
    with scripted(says(*messages)) as (target, _), Database(target) as db:
        assert [batch.keys for batch in db.read_batches(ALL, RAW)] == [[b"a", b"b"], [b"c", b"d"]]


def test_rows_in_front_of_one_that_cannot_be_decoded() -> None:
    """They are given before the error of that row is raised, which is the decoder's own."""
    answer = says(message(row(b"0")), message(row(b"a"), row(b"b"), row(b"c")))
    with scripted(answer) as (target, requests), Database(target) as db:
        batches = db.read_batches(ALL, RowDecoder(refusing_b))
        assert [next(batches).rows, next(batches).rows] == [[b"0"], [b"a"]]
        with pytest.raises(LookupError, match="b"):
            next(batches)
        assert len(requests) == 1  # what cannot be decoded is not asked for again


def test_rows_in_front_of_what_is_not_valid() -> None:
    """They are given, too, and of two errors the one that comes first."""
    answer = says(message(row(b"0"), row(b"a"), row(b"a")))
    with scripted(answer) as (target, _), Database(target) as db:
        batches = db.read_batches(ALL, RAW)
        assert next(batches).keys == [b"0", b"a"]
        with pytest.raises(ServerError, match="is not valid"):
            next(batches)
    both = says(message(row(b"a"), row(b"b"), row(b"b")))
    with scripted(both) as (target, _), Database(target) as db, pytest.raises(LookupError):
        list(db.read_batches(ALL, RowDecoder(refusing_b)))


def test_rows_that_are_joined() -> None:
    """Parts that are read in turn or merged give their batches, and no more rows than the limit."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        lead = request.rows.row_ranges[0].start_key_closed
        yield message(*(row(lead + b"%d" % number) for number in (1, 3)))
        yield message(*(row(lead + b"%d" % number) for number in (4, 5)))

    spans = (RowRange(b"x", b"y"), RowRange(b"y", b"z"))
    turn = ReadPlan("T", spans, None, joined=RangeOrder.IN_TURN)
    merged = ReadPlan("T", spans, None, joined=RangeOrder.MERGED, leads=(1, 1))
    with scripted(answer) as (target, _), Database(target) as db:
        found = [b"".join(batch.rows) for batch in db.read_batches(turn, RowDecoder(lambda key, _: key))]
        assert found == [b"x1x3", b"x4x5", b"y1y3", b"y4y5"]
        keys = [key for batch in db.read_batches(merged, RAW) for key in batch.keys]
        assert keys == [b"x1", b"y1", b"x3", b"y3", b"x4", b"y4", b"x5", b"y5"]


def test_the_last_part_that_has_rows() -> None:
    """Where one part alone has rows left, they come as they are, up to the limit."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        lead = request.rows.row_ranges[0].start_key_closed
        rows = [row(lead + b"%d" % number) for number in ((1,) if lead == b"x" else (2, 3, 4, 5))]
        yield message(*rows[: request.rows_limit or None])

    spans = (RowRange(b"x", b"y"), RowRange(b"y", b"z"))
    merged = ReadPlan("T", spans, None, joined=RangeOrder.MERGED, leads=(1, 1))
    with scripted(answer) as (target, _), Database(target) as db:
        for limit, keys in ((None, b"x1y2y3y4y5"), (3, b"x1y2y3"), (1, b"x1")):
            batches = db.read_batches(merged.limited(limit), RAW)
            assert b"".join(key for batch in batches for key in batch.keys) == keys


def read(decoder: RowDecoder[list[Cell]], plan: ReadPlan, messages: list[bytes]) -> tuple[list[Row], str]:
    """The rows of an answer, and what is wrong behind them."""
    chunks, rows = Chunks(plan), list[Row]()
    for one in messages:
        batch, failed = decoded(one, chunks, decoder)
        rows += zip(batch.keys, batch.rows, strict=True)
        if failed is not None:
            assert isinstance(failed, InvalidAnswer)
            return rows, str(failed)
    return rows, ""


@given(
    st.integers(0, 2**32).map(Random),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.none() | st.integers(1, 7),
)
def test_a_fast_decoder_changes_nothing(
    chance: Random, within: bool, wrong: bool, back: bool, limit: int | None
) -> None:
    """Whatever of a stream is decoded fast, rows, limits and errors are the same as of the strict merger alone."""
    rows = random_rows(chance)
    rows = [(key, cells[: chance.choice([1, 1, 9])]) for key, cells in rows]
    chunks = list(chunks_of(rows[::-1] if back else rows, chance))
    if wrong:
        chance.shuffle(chunks)
    messages = framed(chunks, chance, within=within)
    if chance.random() < 0.3:
        messages[-1].last_scanned_row_key = b"c"
    raw = [ReadRowsResponse.serialize(one) for one in messages]
    plan = ReadPlan("T", (RowRange(b"", b""),), None, limit, backwards=back)
    assert read(FAST, plan, raw) == read(RAW, plan, raw)


def test_a_fast_decoder_is_used() -> None:
    """It takes what it can of each message, and the strict merger the rest; it is not asked inside a row, or backwards."""
    begun: list[int] = []

    def counting(raw: bytes, at: int, last: bytes) -> tuple[int, list[bytes], list[list[Cell]]]:
        found = fast(raw, at, last)
        begun.append(len(found[1]))
        return found

    decoder = RowDecoder(RAW.strict, counting)
    messages = (
        message(row(b"a"), row(b"b"), chunk(b"c", "f:q", b"1")),
        message(chunk(b"", "", b"2", commit_row=True), row(b"d")),
        message(row(b"e"), scanned=b"f"),
    )
    with scripted(says(*messages)) as (target, _), Database(target) as db:
        keys = [key for batch in db.read_batches(ALL, decoder) for key in batch.keys]
        assert b"".join(keys) == b"abcde"
        assert begun == [2, 1]
