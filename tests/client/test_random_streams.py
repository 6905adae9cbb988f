"""Random streams: the merger gives their rows however they come, and Google's own merger the same where it is right."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_streams import asked, chunks_of, framed, random_rows
from scripted import Answer, chunk, fail, message, row, scripted

from btmodel import Database
from btmodel.client.chunks import Chunks
from btmodel.client.row_streams import Row, RowBatch
from btmodel.client.target import Target
from btmodel.errors import ServerError
from btmodel.rows import RAW, Cell, ReadPlan, RowRange
from tests.examples_tried import examples

ALL = ReadPlan("T", (RowRange(b"", b""),), None)
chances = st.integers(0, 2**32).map(Random)


@examples(200)
@given(chances, st.booleans())
def test_any_stream_gives_its_rows(chance: Random, within: bool) -> None:
    """Whatever is implied, cut, repeated or taken back, the rows are those that were sent."""
    rows = random_rows(chance)
    chunks, found = Chunks(ALL), RowBatch[list[Cell]]([], [])
    for one in framed(list(chunks_of(rows, chance)), chance, within=within):
        chunks.take(ReadRowsResponse.serialize(one), RAW.strict, found)
    chunks.end()
    assert list(zip(*found, strict=True)) == rows
    assert (chunks.furthest, chunks.rows) == (rows[-1][0], len(rows))


class Served:
    """A service that sends what ``messages`` holds, and the two ways of reading it."""

    def __init__(self, target: Target) -> None:
        self.ours = Database(target)
        self.theirs = Database(target, data_plane="client")


@pytest.fixture(scope="module")
def sent() -> Iterator[tuple[list[ReadRowsResponse], Served]]:
    """The messages that are sent, to be exchanged, and who reads them."""
    messages: list[ReadRowsResponse] = []

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield from messages

    with scripted(answer) as (target, _):
        served = Served(target)
        yield messages, served
        served.ours.close()
        served.theirs.close()


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chance=chances)
def test_both_mergers_give_the_same(sent: tuple[list[ReadRowsResponse], Served], chance: Random) -> None:
    """Where no row goes on in the next message, Google's client gives the same rows, over a real connection."""
    messages, served = sent
    rows = random_rows(chance)
    messages[:] = framed(list(chunks_of(rows, chance)), chance, within=False)
    assert list(served.ours.read(ALL)) == rows
    assert list(served.theirs.read(ALL)) == rows


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chance=chances)
def test_ours_reads_rows_over_several_messages(
    sent: tuple[list[ReadRowsResponse], Served], chance: Random
) -> None:
    """Where rows go on in the next message, ours gives them, and Google's client either the same or an error."""
    messages, served = sent
    rows = random_rows(chance)
    messages[:] = framed(list(chunks_of(rows, chance)), chance, within=True)
    assert list(served.ours.read(ALL)) == rows
    with suppress(ServerError):  # see the tests of what is wrong with it
        assert list(served.theirs.read(ALL)) == rows


SPLIT = message(row(b"a"), chunk(b"b", "f:q", b"1")), message(chunk(b"", "", b"2", commit_row=True))


def test_googles_client_refuses_a_row_that_goes_on_without_its_key(
    sent: tuple[list[ReadRowsResponse], Served],
) -> None:
    """Its merger takes the row for one without a key: which of the two is right is what the service's interface says."""
    messages, served = sent
    messages[:] = SPLIT
    assert [key for key, _ in served.ours.read(ALL)] == [b"a", b"b"]
    with pytest.raises(ServerError, match="strictly increasing"):
        list(served.theirs.read(ALL))


def breaking(rows: list[Row], first: tuple[ReadRowsResponse, ...]) -> tuple[Answer, Answer]:
    """An answer of some messages that breaks off, and one of the rows that are asked for then."""

    def breaks(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield from first
        fail(call)

    def goes_on(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield from framed(list(chunks_of(asked(rows, request), Random(0))), Random(0), within=False)

    return breaks, goes_on


def test_googles_client_gives_a_row_twice() -> None:
    """After a first row over two messages and a break, it begins at the front again; ours goes on behind that row."""
    first = message(chunk(b"a", "f:q", b"1")), message(chunk(b"", "", b"2", commit_row=True))
    rows = random_rows(Random(1))
    rows = [(b"a", rows[0][1]), (b"b", rows[1][1])]
    for plane, keys in (("btmodel", [b"a", b"b"]), ("client", [b"a", b"a", b"b"])):
        with scripted(*breaking(rows, first)) as (target, _), Database(target, data_plane=plane) as db:  # type: ignore[arg-type]
            assert [key for key, _ in db.read(ALL)] == keys
