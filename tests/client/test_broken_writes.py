"""Bulk writes that go wrong: every row is accounted for, and none is said to be written that is not."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from random import Random
from typing import Any

import grpc
import pytest
from attrs import evolve
from faulty import INVALID, OK, UNAVAILABLE, Entries, Script, Table, answer, served, well

from btmodel import AsyncDatabase, Database
from btmodel.client.options import KINDS, Options
from btmodel.client.target import Target
from btmodel.client.write_requests import ROWS, Encoded
from btmodel.errors import Unanswered, ValueRefused, WriteFailed
from btmodel.rows import Add, Cell, Entry, Mutation
from btmodel.rows.serialized import entry

Answer = Iterator[Any]
Progress = Callable[[int], object] | None


def put(number: int, value: bytes = b"v") -> Mutation:
    return Mutation("T", b"%06d" % number, [Cell("f", b"q", 1000, value)])


def add(number: int) -> Mutation:
    return Mutation("T", b"%06d" % number, adds=[Add("f", b"q", 1000, 1)])


def puts(rows: int) -> Iterator[Mutation]:
    return (put(number) for number in range(rows))


def write(target: Target, given: Iterable[Encoded], progress: Progress = None) -> int:
    with Database(target) as db:
        return db.write_many("T", given, progress)


def write_async(target: Target, given: Iterable[Encoded], progress: Progress = None) -> int:
    async def main() -> int:
        async with AsyncDatabase(target) as db:
            return await db.write_many("T", given, progress)

    return asyncio.run(main())


Write = Callable[..., int]
in_both_ways = pytest.mark.parametrize("write", [write, write_async])


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes that are given up after a second."""
    monkeypatch.setattr("btmodel.client.options._LOCAL_DEADLINES", dict.fromkeys(KINDS, 1.0))


def failing(code: int, every: int = 100) -> Script:
    """One entry in so many fails, the first time that it comes."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        bad = [at for at, one in enumerate(entries) if int(one.row_key) % every == 7]
        bad = [at for at in bad if table.sent[entries[at].row_key] == 1]
        table.apply(*(one for at, one in enumerate(entries) if at not in bad))
        yield answer(*((at, code if at in bad else OK) for at in range(len(entries))))

    return script


@in_both_ways
def test_one_in_a_hundred_is_sent_again(write: Write) -> None:
    """Only the rows that failed are sent again, and all are written in the end."""
    table = Table()
    with served(failing(UNAVAILABLE), table) as target:
        assert write(target, puts(3 * ROWS)) == 3 * ROWS
    assert len(table.rows) == 3 * ROWS
    assert sorted(map(len, table.requests)) == [ROWS // 100] * 3 + [ROWS] * 3
    assert {times for key, times in table.sent.items() if int(key) % 100 == 7} == {2}


@in_both_ways
def test_one_in_a_hundred_is_refused(write: Write) -> None:
    """Each row that the server refuses is told with its number, its key and the server's words; the others are in."""
    table = Table()
    with served(failing(INVALID), table) as target, pytest.raises(WriteFailed) as failed:
        write(target, map(entry, puts(3 * ROWS)))
    bad = range(7, 3 * ROWS, 100)
    assert failed.value.written == 3 * ROWS - len(bad)
    assert [(row.index, row.key) for row in failed.value.failures] == [(at, b"%06d" % at) for at in bad]
    assert all("refused by" in str(row.cause) for row in failed.value.failures)
    assert all("as scripted" in str(row.cause) for row in failed.value.failures)
    assert table.rows.keys().isdisjoint(row.key for row in failed.value.failures)
    assert set(table.sent.values()) == {1}


@in_both_ways
def test_rows_of_a_request_that_is_refused_say_so(write: Write) -> None:
    """What fails row by row, and what the server refuses as a whole, are told apart."""

    def refused(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        yield call.abort(grpc.StatusCode.FAILED_PRECONDITION, "as scripted")

    for script, of_request in ((failing(INVALID, every=8), {False}), (refused, {True})):
        with served(script, Table()) as target, pytest.raises(WriteFailed) as failed:
            write(target, puts(16))
        assert {row.of_request for row in failed.value.failures} == of_request


@in_both_ways
def test_adds_are_sent_once(write: Write) -> None:
    """Of rows that all fail the same way, those that add are not sent again."""
    table = Table()
    with served(failing(UNAVAILABLE, every=8), table) as target, pytest.raises(WriteFailed) as failed:
        write(target, [add(number) if number % 2 else put(number) for number in range(16)])
    assert [row.index for row in failed.value.failures] == [7, 15]
    assert failed.value.written == 14
    assert "may have been applied" in str(failed.value.failures[0].cause)


@in_both_ways
@pytest.mark.parametrize("code", [None, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED])
def test_an_answer_that_ends_early(write: Write, code: grpc.StatusCode | None) -> None:
    """Rows that were not answered are sent again; those that add may be written, and are told so."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        table.apply(*entries)
        kept = len(entries) if number else 5
        yield answer(*((at, OK) for at in range(kept)))
        if code and not number:
            call.abort(code, "as scripted")

    table = Table()
    with served(script, table) as target, pytest.raises(WriteFailed) as failed:
        write(target, [put(number) if number % 2 else add(number) for number in range(10)])
    assert table.requests[1:] == [[b"000005", b"000007", b"000009"]]
    assert failed.value.written == 8
    assert [(row.index, type(row.cause)) for row in failed.value.failures] == [
        (6, Unanswered),
        (8, Unanswered),
    ]
    assert "may have been applied" in str(failed.value.failures[0].cause)


@in_both_ways
def test_answers_in_any_order_and_number(write: Write) -> None:
    """An answer may come in several messages, from the last row to the first, and say a thing twice."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        table.apply(*entries)
        for at in reversed(range(len(entries))):
            yield answer((at, OK), (at, OK))
        yield answer()
        yield answer((0, OK))

    table = Table()
    with served(script, table) as target:
        assert write(target, puts(50)) == 50
    assert len(table.requests) == 1


@in_both_ways
@pytest.mark.parametrize("wrong", [[(10, OK)], [(-1, OK)], [(2**62, INVALID)]])
def test_an_answer_for_a_row_that_was_not_sent(write: Write, wrong: list[tuple[int, int]]) -> None:
    """The rows that were answered well count; the others have failed, for such a server is not to be trusted."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        table.apply(*entries)
        yield answer((0, OK), *wrong, (1, OK))

    table = Table()
    with served(script, table) as target, pytest.raises(WriteFailed, match="is not valid") as failed:
        write(target, puts(10))
    assert (failed.value.written, [row.index for row in failed.value.failures]) == (2, [*range(2, 10)])
    assert len(table.requests) == 1


@in_both_ways
def test_an_answer_for_other_rows_alone(write: Write) -> None:
    """A request may have been done, whatever its answer says of rows that nobody sent."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        table.apply(*entries)
        yield answer((len(entries), OK))

    table = Table()
    with served(script, table) as target, pytest.raises(WriteFailed, match="is not valid") as failed:
        write(target, puts(1))
    assert [(row.index, type(row.cause)) for row in failed.value.failures] == [(0, Unanswered)]
    assert "may have written the row" in str(failed.value.failures[0].cause)
    assert len(table.requests) == 1


@in_both_ways
def test_an_answer_that_contradicts_itself(write: Write) -> None:
    """A row that is said to be written and not to be is not told as written, and not sent again."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        yield answer((0, OK), (1, OK), (2, UNAVAILABLE))
        yield answer((1, UNAVAILABLE), (2, OK))

    table = Table()
    with served(script, table) as target, pytest.raises(WriteFailed, match="answered twice") as failed:
        write(target, puts(3))
    assert (failed.value.written, [row.index for row in failed.value.failures]) == (1, [1, 2])
    assert {type(row.cause) for row in failed.value.failures} == {Unanswered}
    assert len(table.requests) == 1


@in_both_ways
def test_a_server_that_answers_too_late(write: Write, impatient: None) -> None:
    """A write is given up in the end, and says that nobody knows; what was acknowledged counts."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        if number == 0:
            yield answer((0, OK))
        while call.is_active():
            time.sleep(0.01)

    table = Table()
    started = time.monotonic()
    with served(script, table) as target, pytest.raises(WriteFailed) as failed:
        write(target, puts(3))
    assert time.monotonic() - started < 5
    assert failed.value.written == 1
    assert [(row.index, type(row.cause)) for row in failed.value.failures] == [
        (1, Unanswered),
        (2, Unanswered),
    ]


@in_both_ways
def test_the_later_write_of_a_row_counts(write: Write) -> None:
    """A batch that writes to a row again waits for the one before, however late that is answered, or failed at first."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        time.sleep(0.05 / (number + 1))
        if number % 3 == 0:
            yield answer(*((at, UNAVAILABLE) for at in range(len(entries))))
        else:
            yield from well(number, entries, table, call)

    table = Table()
    rounds, rows = 5, 30
    given = [put(row, b"%d" % turn) for turn in range(rounds) for row in range(rows)]
    with served(script, table) as target:
        assert write(target, map(entry, given)) == rounds * rows
    assert set(table.rows.values()) == {b"%d" % (rounds - 1)}
    assert table.most == 1


@in_both_ways
def test_requests_at_once(write: Write) -> None:
    """Several requests are under way at a time, though not more than are allowed, and not all of them at first."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        time.sleep(0.1)
        yield from well(number, entries, table, call)

    table = Table()
    read = 0

    def given() -> Iterator[Entry]:
        nonlocal read
        for read, one in enumerate(map(entry, puts(20 * ROWS)), 1):
            # What is not acknowledged is held, so memory does not grow.
            assert read - told[-1] <= (at_once + 1) * ROWS + 1
            yield one

    told = [0]
    at_once = Options().requests_in_flight
    with served(script, table) as target:
        assert write(target, given(), told.append) == 20 * ROWS
    assert 2 < table.most <= at_once
    assert told == sorted(told)
    assert told[-1] == len(table.rows) == 20 * ROWS


@in_both_ways
def test_bytes_at_once(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large rows go in as many requests as they need, of which fewer are under way at a time."""
    monkeypatch.setattr("btmodel.client.write_requests.BATCH_BYTES", 1_000_000)

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        time.sleep(0.05)
        yield from well(number, entries, table, call)

    table = Table()
    with served(script, table) as served_here:
        target = evolve(served_here, options=Options(bytes_in_flight=4_194_304))
        sizes = [300_000] * 20 + [4_000_000, 10]
        assert write(target, (put(at, b"x" * size) for at, size in enumerate(sizes))) == 22
    assert sorted(map(len, table.requests)) == [1, 1, 2, 3, 3, 3, 3, 3, 3]
    assert table.most <= 4


def random_script(random: Random) -> Script:
    """Does anything that a server may do, and some that it may not."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        said = []
        for at, one in enumerate(entries):
            code = random.choices([OK, UNAVAILABLE, INVALID], [90, 8, 2])[0]
            answered = random.random() < 0.95
            if code == OK or not answered:
                table.apply(one)
            if answered:
                said.append((at, code))
            if answered and random.random() < 0.02:
                said.append((at, code))
        if random.random() < 0.3:
            random.shuffle(said)
        time.sleep(random.choice([0, 0, 0.02]))
        if random.random() < 0.1:
            said.insert(random.randrange(len(said) + 1), (len(entries), OK))
        while said:
            cut = random.randint(1, len(said))
            yield answer(*said[:cut])
            said = said[cut:]
            if random.random() < 0.1:
                call.abort(
                    random.choice([grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.ABORTED]), "as scripted"
                )

    return script


@in_both_ways
@pytest.mark.parametrize("seed", range(8))
def test_every_row_is_accounted_for(write: Write, seed: int) -> None:
    """Whatever the server does, each row is written, as it then is, or among those that failed, once."""
    random, table = Random(seed), Table()
    rows = 3_000
    kinds = [random.choice("pppea!") for _ in range(rows)]
    refused = ValueRefused("a value", None)
    made: dict[str, Callable[[int], Encoded]] = {
        "p": put,
        "e": lambda at: entry(put(at)),
        "a": add,
        "!": lambda at: refused,
    }
    with served(random_script(random), table) as target, pytest.raises(WriteFailed) as error:
        write(target, (made[kind](at) for at, kind in enumerate(kinds)))
    written, failures = error.value.written, error.value.failures
    assert not error.value.stopped
    failed = [row.index for row in failures]
    assert failed == sorted(set(failed))
    assert written + len(failed) == rows
    assert {at for at, kind in enumerate(kinds) if kind == "!"} <= set(failed)
    assert all(row.key in (None, b"%06d" % row.index) for row in failures)
    assert {b"%06d" % at for at in set(range(rows)) - set(failed)} <= table.rows.keys()
    there = [row for row in failures if row.key in table.rows]
    assert [row for row in there if not isinstance(row.cause, Unanswered)] == []
    assert all(table.sent[b"%06d" % at] == 1 for at, kind in enumerate(kinds) if kind == "a")


def test_a_channel_that_is_exchanged() -> None:
    """Google's client exchanges its channel now and then, and closes the old one: batches go on by the new one."""
    table = Table()
    with served(well, table) as target, Database(target) as db:

        def exchange(written: int) -> None:
            channel = db._connection._client.transport.grpc_channel
            channel.swap_channel(channel.create_channel()).close()

        # One row, again and again: so no other batch is under way when a channel is closed.
        given = (entry(put(0, b"%d" % turn)) for turn in range(5))
        assert db.write_many("T", given, exchange) == 5
    assert table.rows == {b"000000": b"4"}


@in_both_ways
def test_a_server_that_is_started_again(write: Write) -> None:
    """Where the server goes away between batches, and comes again, all is written."""
    table = Table()
    with ExitStack() as servers:
        target = servers.enter_context(served(well, table))
        port = int(str(target.host).rpartition(":")[2])
        told = []

        def restart(written: int) -> None:
            told.append(written)
            if len(told) == 1:
                servers.close()
                threading.Timer(0.3, lambda: servers.enter_context(served(well, table, port))).start()

        assert write(target, puts(2 * ROWS), restart) == 2 * ROWS
    assert len(table.rows) == 2 * ROWS
    assert set(table.sent.values()) == {1}


def stalling(after: int) -> Script:
    """Answers so many requests, and half of each other, without an end."""

    def script(number: int, entries: Entries, table: Table, call: Any) -> Answer:
        table.apply(*entries)
        stalls = number >= after
        yield answer(*((at, OK) for at in range(len(entries) // (2 if stalls else 1))))
        while stalls and call.is_active():
            time.sleep(0.01)

    return script


def wait_until(done: Callable[[], bool]) -> None:
    for _ in range(500):
        if done():
            return
        time.sleep(0.01)
    raise AssertionError("it does not come to that")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """An interrupt reaches the tests also where they were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c(interruptible: None) -> None:
    """An interrupt ends the requests and their threads, and the error says what is written and what may be."""
    table = Table()
    with served(stalling(1), table) as target, Database(target) as db:

        def interrupt() -> None:
            wait_until(lambda: len(table.requests) == 3)
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt) as error:
            db.write_many("T", puts(3 * ROWS))
        assert error.value.__notes__ == ["table 'T': 2,000 rows written before this; 1000 more may have been"]
        assert not [one for one in threading.enumerate() if one.name.startswith("btmodel-task")]
        wait_until(lambda: table.now == 0)
        assert len(table.requests) == 3


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (3 * ROWS, "2,000 rows written before this; 1000 more may have been"),
        (ROWS // 2, "250 rows written before this; 250 more may have been"),
    ],
)
def test_cancelling(rows: int, told: str) -> None:
    """A write that is cancelled leaves no task and no request behind, and says what is written and what may be."""
    table = Table()

    async def main(target: Target) -> list[str]:
        async with AsyncDatabase(target) as db:
            await db.write_many("T", puts(1))
            before = asyncio.all_tasks()
            task = asyncio.create_task(db.write_many("T", puts(rows)))
            while len(table.requests) < (4 if rows > ROWS else 2):
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)
            task.cancel()
            with pytest.raises(asyncio.CancelledError) as error:
                await task
            # gRPC's own go a moment later.
            while table.now or asyncio.all_tasks() - before:
                await asyncio.sleep(0.01)
            return list(error.value.__notes__)

    with served(stalling(2 if rows > ROWS else 1), table) as target:
        notes = asyncio.run(asyncio.wait_for(main(target), 20))
    assert notes == [f"table 'T': {told}"]
