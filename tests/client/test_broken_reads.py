"""Reads of a service that breaks off, is slow, or answers nonsense, on a real connection."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from google.api_core.exceptions import ServiceUnavailable
from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse
from scripted import Answer, chunk, fail, message, row, scripted

from btmodel import AsyncDatabase, Database
from btmodel.client.call import CallTime
from btmodel.client.failures import translate
from btmodel.client.options import _LOCAL_DEADLINES, KINDS, Policy
from btmodel.client.target import Target
from btmodel.errors import ServerError, Unanswered, Unavailable
from btmodel.rows import ReadPlan, RowRange

ALL = ReadPlan("T", (RowRange(b"", b""),), None)
BACK = ReadPlan("T", (RowRange(b"", b""),), None, backwards=True)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("recvmsg:Connection reset by peer", Unanswered),
        ("failed to connect to all addresses; last error: connection refused", Unavailable),
        ("failed to connect to all addresses; last error: recvmsg:Connection reset by peer", Unavailable),
    ],
)
def test_a_call_for_which_no_connection_could_be_made_was_not_done(
    words: str, kind: type[ServerError]
) -> None:
    """Whatever ended the connection that was being made; one that ends under a call may have carried it."""
    target = Target("projects/p/instances/i", "localhost:1")
    told = [
        translate(ServiceUnavailable(words), "t", target, "MutateRow", once=once) for once in (False, True)
    ]
    assert [type(one) for one in told] == [kind, kind]


def test_each_request_without_a_row_may_take_twice_as_long() -> None:
    """So what is slow to find is found at last, within the time for which nothing need come; with a row it begins anew."""
    clock = CallTime(Policy(60.0, 10.0, frozenset({"UNAVAILABLE"}), None, 0.01, 60.0))
    limits = [clock.begin()]
    for _ in range(3):
        assert clock.pause(ServiceUnavailable("away")) is not None
        limits.append(clock.begin())
    assert limits == pytest.approx([10.0, 20.0, 40.0, 60.0], abs=1.0)
    clock.reached(b"a")
    assert clock.begin() == pytest.approx(10.0, abs=1.0)


def read(target: Target, plan: ReadPlan = ALL, pause: float = 0.0) -> list[bytes]:
    """The keys of a read whose reader takes ``pause`` seconds for each row."""
    found = []
    with Database(target) as db:
        for key, _ in db.read(plan):
            found.append(key)
            time.sleep(pause)
    return found


def read_async(target: Target, plan: ReadPlan = ALL, pause: float = 0.0) -> list[bytes]:
    """The same with await."""

    async def main() -> list[bytes]:
        found = []
        async with AsyncDatabase(target) as db:
            async for key, _ in db.read(plan):
                found.append(key)
                await asyncio.sleep(pause)
        return found

    return asyncio.run(main())


Read = Callable[..., list[bytes]]
in_both_ways = pytest.mark.parametrize("way", [read, read_async])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server may keep silent for one second."""
    monkeypatch.setattr("btmodel.client.options._LOCAL_DEADLINES", dict.fromkeys(KINDS, 1.0))


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds by which the clock of reads is ahead: however busy the machine is, as late as a test says."""
    ahead: list[float] = []
    monkeypatch.setattr("btmodel.client.call.monotonic", lambda: time.monotonic() + sum(ahead))
    return ahead


def says(*messages: ReadRowsResponse, breaks: bool = False) -> Answer:
    """An answer of these messages, which breaks off behind them, or ends."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield from messages
        if breaks:
            fail(call)

    return answer


def starts(requests: list[ReadRowsRequest]) -> list[bytes]:
    """The key from which each request is for rows."""
    return [one.rows.row_ranges[0].start_key_closed if one.rows.row_ranges else b"" for one in requests]


@in_both_ways
def test_a_read_goes_on_behind_what_the_server_has_looked_at(way: Read) -> None:
    """After a break, rows that a filter kept out are not looked at again, and do not count in the limit."""
    with scripted(
        says(message(scanned=b"c"), breaks=True),
        says(message(row(b"d")), message(scanned=b"k"), breaks=True),
        says(message(row(b"m"), row(b"n"), scanned=b"j"), breaks=True),
        says(message(row(b"x"))),
    ) as (target, requests):
        assert way(target, ALL.limited(9)) == [b"d", b"m", b"n", b"x"]
    assert starts(requests) == [b"", b"c\0", b"k\0", b"n\0"]
    assert [one.rows_limit for one in requests] == [9, 9, 8, 6]


@in_both_ways
def test_backwards_a_read_goes_on_before_it(way: Read) -> None:
    """The same from the last row to the first."""
    with scripted(
        says(message(scanned=b"x"), breaks=True),
        says(message(row(b"m")), message(scanned=b"k"), breaks=True),
        says(message(row(b"d"), scanned=b"z"), breaks=True),
        says(message(row(b"a"))),
    ) as (target, requests):
        assert way(target, BACK) == [b"m", b"d", b"a"]
    assert [one.rows.row_ranges[0].end_key_open for one in requests] == [b"", b"x", b"k", b"d"]


@in_both_ways
def test_nothing_is_asked_for_when_all_was_looked_at(way: Read) -> None:
    """A break behind the end of the range, or behind the limit, is the end of the read."""
    for plan, only in (
        (ReadPlan("T", (RowRange(b"a", b"c"),), None), message(row(b"a"), scanned=b"c")),
        (ALL.limited(1), message(row(b"a"))),
    ):
        with scripted(says(only, breaks=True)) as (target, requests):
            assert way(target, plan) == [b"a"]
        assert len(requests) == 1


@in_both_ways
def test_an_answer_that_ends_inside_a_row_is_asked_for_again(way: Read) -> None:
    """A row that was not committed is read again from its beginning, and never lost or mixed up."""
    half = message(row(b"a"), chunk(b"b", "g:old", b"1", value_size=9))
    with scripted(says(half), says(message(row(b"b"), row(b"c")))) as (target, requests):
        assert way(target) == [b"a", b"b", b"c"]
    assert starts(requests) == [b"", b"a\0"]


@in_both_ways
def test_an_answer_that_always_ends_inside_a_row(way: Read, late: list[float]) -> None:
    """Where that never ends, the error says what happened."""

    def half(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        late.append(0.4 * _LOCAL_DEADLINES["scan"])
        yield message(chunk(b"b", "f:q", b"1"))

    with (
        scripted(half) as (target, requests),
        pytest.raises(ServerError, match=r"nothing came for \d+\.\d s, .* the answer ended inside row b'b'"),
    ):
        way(target)
    assert len(requests) == 3


@in_both_ways
def test_an_answer_that_is_not_valid(way: Read) -> None:
    """Rows out of order, also after a break, are an error that says so, and are not asked for again."""
    with scripted(says(message(row(b"m")), breaks=True), says(message(row(b"m")))) as (target, requests):
        with pytest.raises(
            ServerError, match=r"'T'.*the answer of .* is not valid: expected a row after b'm', got"
        ):
            way(target)
        assert len(requests) == 2


def every(seconds: float, *keys: bytes) -> Answer:
    """An answer of a row for each key, each after some time."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        for key in keys:
            time.sleep(seconds)
            yield message(row(key))

    return answer


# So many that, at 0.4 s each, they take twice as long as a server may keep silent.
KEYS = [b"%02d" % number for number in range(5)]


def rest_of(keys: list[bytes], seconds: float) -> Answer:
    """An answer of those rows that are asked for."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        (start,) = starts([request])
        return every(seconds, *(key for key in keys if key >= start))(request, call)

    return answer


@in_both_ways
def test_a_reader_may_take_its_time(way: Read, quick: None) -> None:
    """The time in which the rows are used does not count, however long it is, and no row is lost."""
    with scripted(rest_of(KEYS, 0.0)) as (target, _):
        assert way(target, pause=0.4) == KEYS


@in_both_ways
def test_a_server_may_take_its_time(way: Read, quick: None) -> None:
    """A stream in which row after row comes lasts as long as it needs."""
    with scripted(rest_of(KEYS, 0.4)) as (target, _):
        assert way(target) == KEYS


@in_both_ways
def test_a_server_that_falls_silent(way: Read, quick: None) -> None:
    """After its last row, a server is waited for as long as it may be silent."""

    def silent(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        while call.is_active():
            time.sleep(0.02)
        yield from ()

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield message(row(b"a"))
        yield from silent(request, call)

    with scripted(answer, silent) as (target, _):
        started = time.monotonic()
        with pytest.raises(ServerError, match=r"no answer from .*nothing came for ([1-9]\.\d|0\.9) s"):
            way(target, pause=0.5)
        assert time.monotonic() - started > 1.3


@in_both_ways
def test_an_error_that_is_no_break(way: Read) -> None:
    """What the server refuses is not asked for again."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        fail(call, grpc.StatusCode.INVALID_ARGUMENT)
        yield message()

    with scripted(answer) as (target, requests):
        with pytest.raises(ServerError, match=r"refused by .* as scripted"):
            way(target)
        assert len(requests) == 1
