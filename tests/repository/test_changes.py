"""Changes of a table, followed by repositories on the local server."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from followed import AsyncQuoteRepository, Quote, QuoteKey, QuoteRepository
from hypothesis import given
from hypothesis import strategies as st
from left_tasks import none_but

import btmodel as bt
from btmodel import emulator
from btmodel import server as local_server
from btmodel.pytest_plugin import Instances
from btmodel.rows import Cell, Delete, Mutation
from btmodel.rows.changes import Change, Partition, Positions, RawChange, covers
from btmodel.rows.mutations import Add
from btmodel.server import RunningServer

SOON = 0.05  # seconds from one heartbeat to the next, so that tests need not wait


def now() -> datetime:
    return datetime.now(UTC)


def taken(quotes: QuoteRepository, count: int, since: datetime, **options: Any) -> list[Change[QuoteKey]]:
    """The first changes since a time."""
    with closing(iter(quotes.changes(since=since, heartbeat=SOON, **options))) as changes:
        return list(islice(changes, count))


def all_until_now(quotes: QuoteRepository, since: datetime, **options: Any) -> list[Change[QuoteKey]]:
    return list(quotes.changes(since=since, until=now(), heartbeat=SOON, **options))


def table_of(db: bt.Database) -> str:
    return f"{db.target.instance}/tables/quote"


@pytest.fixture(scope="session")
def bigtable_server() -> Iterator[RunningServer]:
    """A server for these tests alone: they collect garbage again and again, in every table that their server has."""
    with local_server.start() as running:
        yield running


@pytest.fixture
def db(bigtable: Instances) -> bt.Database:
    return bigtable(Quote, bt.ChangeReaders)


def test_changes_are_typed(db: bt.Database, bigtable_server: RunningServer) -> None:
    """A change says by attribute what was set, added and deleted, of a mapping just those entries, and who did it."""
    quotes, since = QuoteRepository(db), now()
    at = datetime(2026, 1, 1, tzinfo=UTC)
    quotes.put(Quote(symbol="IBM", number=7, bid=5, tags={"a": "x"}, prices={at: 9}))
    key = Quote.row_key(symbol="IBM", number=7)
    db.write(
        Mutation(
            "quote", key, [Cell("md", b"bid", 1_000, b"bad")], (Delete("md", b"venue"), Delete("tags", b"a"))
        )
    )
    db.write(Mutation("quote", key, adds=(Add("counts", b"n", 0, 4), Add("counts", b"n", 0, -6))))
    db.write(Mutation("quote", key, [Cell("md", b"new", 1_000, b"1")], (Delete("past"),)))
    db.write(Mutation("quote", b"strange", [Cell("md", b"bid", 1_000, bytes(8))]))
    quotes.delete_many([QuoteKey("IBM", 7)])

    put, changed, added, unknown, strange, deleted = taken(quotes, 6, since)

    assert put.key == QuoteKey("IBM", 7)
    assert put.raw_key == key
    assert put.set == {"bid": 5, "tags": {"a": "x"}, "prices": {at: 9}}
    assert not put.deleted
    assert put.by == "user"
    assert put.cluster
    assert since <= put.at <= now()
    assert changed.set == {}
    assert [error.value for error in changed.undecoded] == [b"bad"]
    assert changed.deleted == {"venue": frozenset(), "tags": frozenset({"a"})}
    assert added.added == {"seen": -2}
    assert unknown.unknown == (Cell("md", b"new", 1_000, b"1"),)
    assert unknown.deleted == {"prices": frozenset()}
    assert strange.key is None
    assert strange.raw_key == b"strange"
    assert strange.unknown == strange.steps
    assert deleted.deletes_row
    assert not unknown.deletes_row
    assert deleted.deleted.keys() == {"bid", "venue", "tags", "prices", "seen"}
    assert len({change.id for change in taken(quotes, 6, since)} | {put.id, deleted.id}) == 6

    since = now()
    for bid in (1, 2):
        time.sleep(0.002)
        quotes.put(Quote(symbol="X", number=1, bid=bid))
    bigtable_server.collect_garbage()
    *_, collected = taken(quotes, 3, since)
    assert collected.by == "gc"
    assert collected.deleted == {"bid": frozenset()}
    assert not collected.deletes_row


def test_what_is_set_after_a_deletion_is_set() -> None:
    """The steps of a change count in their order: a cell that is deleted behind its setting is not set, one in front of it is."""
    from btmodel.declare import codec_of

    def change(*steps: Any) -> Change[Any]:
        raw = RawChange(Quote.row_key(symbol="A", number=1), "user", 0, 0, "", steps)
        return Change(raw, codec_of(Quote), lambda key: None)

    cell = Cell("md", b"bid", 1_000, (3).to_bytes(8))
    assert change(cell, Delete("md")).set == {}
    assert change(Delete("md"), cell).set == {"bid": 3}
    assert change(cell, Delete("md", b"bid", 0, 1_000)).set == {"bid": 3}
    newer = Cell("md", b"bid", 2_000, (4).to_bytes(8))
    assert change(newer, cell).set == {"bid": 4}
    assert change(newer, cell, Delete("md", b"bid", 2_000)).set == {"bid": 3}
    assert not change(Delete("md"), Delete("tags"), Delete("past"), Delete("counts"), cell).deletes_row


def test_changes_begin_now_and_end_at_a_time(db: bt.Database) -> None:
    """Without ``since`` only later changes come, and ``until`` ends the loop."""
    quotes = QuoteRepository(db)
    quotes.put(Quote(symbol="A", number=1, bid=1))
    changes = quotes.changes(until=now() + timedelta(seconds=1.5), heartbeat=SOON)
    timer = threading.Timer(0.05, quotes.put, [Quote(symbol="B", number=1, bid=1)])
    timer.start()
    assert [change.raw_key for change in changes] == [b"B#0001"]
    timer.join()


def test_chunked_values_come_whole(db: bt.Database) -> None:
    """A value of several megabytes is one change, with its value whole."""
    quotes, since = QuoteRepository(db), now()
    venue = "".join(map(str, range(500_000)))
    quotes.put(Quote(symbol="A", number=1, bid=1, venue=venue))
    quotes.put(Quote(symbol="A", number=2, bid=2))
    one, two = taken(quotes, 2, since)
    assert one.set == {"bid": 1, "venue": venue}
    assert two.set == {"bid": 2}


def test_the_watermark_rises(db: bt.Database) -> None:
    """Once every partition has told how far it is, the watermark is behind what was delivered, and rises without changes."""
    quotes, since = QuoteRepository(db), now()
    quotes.put(Quote(symbol="A", number=1, bid=1))
    with quotes.changes(since=since, heartbeat=SOON) as changes:
        following = iter(changes)
        next(following)
        assert changes.watermark is None
        threading.Timer(0.3, quotes.put, [Quote(symbol="B", number=1, bid=1)]).start()
        second = next(following)
        assert changes.watermark is not None
        assert since < changes.watermark <= second.at


def test_splits_and_merges_are_followed(db: bt.Database, bigtable_server: RunningServer) -> None:
    """While partitions split and merge under a reader, every change comes once, and those of a row in their order."""
    quotes, since = QuoteRepository(db), now()
    found: list[tuple[bytes, Any]] = []

    def follow() -> None:
        with closing(iter(quotes.changes(since=since, heartbeat=SOON))) as changes:
            found.extend((change.raw_key, change.set["bid"]) for change in islice(changes, 60))

    reader = threading.Thread(target=follow)
    reader.start()
    divisions = [[b"B"], [b"A#0005", b"B"], [b"C"], [], [b"B#0001", b"C", b"D"], []]
    for number, division in enumerate(divisions):
        for symbol in "ABCDE":
            quotes.put(Quote(symbol=symbol, number=1, bid=number))
        bigtable_server.partition_stream(table_of(db), *division)
        for symbol in "ABCDE":
            quotes.put(Quote(symbol=symbol, number=1, bid=100 + number))
    reader.join(20)
    for symbol in "ABCDE":
        of_row = [bid for key, bid in found if key == f"{symbol}#0001".encode()]
        assert of_row == [bid for number in range(len(divisions)) for bid in (number, 100 + number)]


def test_the_asynchronous_twin_follows(bigtable: Instances, bigtable_server: RunningServer) -> None:
    """``async for`` gives the same, also through a split, and leaves no task and no request behind."""

    async def follow() -> list[bytes]:
        async with bigtable.connect_async(Quote) as db:
            quotes, since = AsyncQuoteRepository(db), now()
            await quotes.put(Quote(symbol="A", number=1, bid=1))
            found = []
            async with quotes.changes(since=since, heartbeat=SOON) as changes:
                async for change in changes:
                    found.append(change.raw_key)
                    if len(found) == 1:
                        bigtable_server.partition_stream(f"{db.target.instance}/tables/quote", b"M")
                        await quotes.put_many([Quote(symbol=one, number=1, bid=1) for one in "BZ"])
                    if len(found) == 3:
                        break
            this = asyncio.current_task()
            assert this is not None
            await none_but({this})
            return found

    assert sorted(asyncio.run(follow())) == [b"A#0001", b"B#0001", b"Z#0001"]


def test_a_file_keeps_the_position(db: bt.Database, tmp_path: Path) -> None:
    """A reader with a file goes on behind the last change that was done; one that was given and not done comes again."""
    quotes, since, path = QuoteRepository(db), now(), tmp_path / "position.json"
    quotes.put_many([Quote(symbol="A", number=number, bid=1) for number in range(5)])
    with quotes.changes(since=since, store=path, heartbeat=SOON) as changes:
        following = iter(changes)
        assert [next(following).raw_key for _ in range(3)] == [b"A#0000", b"A#0001", b"A#0002"]
    again = taken(quotes, 3, now(), store=path)
    assert [change.raw_key for change in again] == [b"A#0002", b"A#0003", b"A#0004"]
    assert os.listdir(tmp_path) == ["position.json"]
    saved = path.read_text()
    path.write_text(json.dumps(json.loads(saved)["partitions"]))  # as it was written before it held the table
    quotes.put(Quote(symbol="A", number=9, bid=1))
    assert [change.raw_key for change in taken(quotes, 2, now(), store=path)] == [b"A#0004", b"A#0009"]
    partly = [{"start": "61", "end": "", "tokens": [["61", "", "@5"]]}]
    torn = [{"start": "61", "end": "62", "tokens": [["", "", "@5"]]}]
    never = [{"start": "", "end": "", "tokens": [["", "", f"@{10**18}"]]}]
    broken = ["", "null", "{}", saved[:40], "[" * 100_000, *map(json.dumps, ([], [1], partly, torn, never))]
    for text in broken:
        path.write_text(text)
        with pytest.raises(bt.SettingsError, match="expected the JSON that btmodel saved"):
            taken(quotes, 1, since, store=path)
    path.write_text(saved.replace('"table": "', '"table": "OTHER_'))
    with pytest.raises(bt.SettingsError, match="expected positions of this table, got those of OTHER_"):
        taken(quotes, 1, since, store=path)


class Mine:
    """A store of a user's own."""

    text: str | None = None

    def load(self) -> str | None:
        return self.text

    def save(self, positions: str) -> None:
        self.text = positions


def test_an_own_store_keeps_the_position(db: bt.Database) -> None:
    """Any object with load and save is a store."""
    quotes, since, mine = QuoteRepository(db), now(), Mine()
    quotes.put_many([Quote(symbol="A", number=number, bid=1) for number in range(3)])
    assert len(all_until_now(quotes, since, store=mine)) == 3
    assert mine.text is not None
    assert all_until_now(quotes, since, store=mine) == []
    quotes.put(Quote(symbol="A", number=9, bid=1))
    assert [change.raw_key for change in all_until_now(quotes, since, store=mine)] == [b"A#0009"]


def test_seen_changes_are_told_apart(db: bt.Database) -> None:
    """Of changes that are delivered twice the second is known, and other changes are not."""
    quotes, since, seen = QuoteRepository(db), now(), bt.Seen(most=3)
    quotes.put_many([Quote(symbol="A", number=number, bid=1) for number in range(3)])
    first, second = taken(quotes, 3, since), taken(quotes, 3, since)
    assert [seen(change) for change in [*first, *second]] == [False] * 3 + [True] * 3
    quotes.put(Quote(symbol="A", number=0, bid=1))
    [*_, fourth] = taken(quotes, 4, since)
    assert not seen(fourth)


def test_refusals_say_what_to_do(db: bt.Database, bigtable: Instances) -> None:
    """A wrong argument, a stream that is off or does not reach back, and a missing table of positions are refused with the fix."""
    quotes = QuoteRepository(db)
    for options, told in (
        ({"since": datetime(2026, 1, 1)}, "since as an aware datetime or a timedelta"),
        ({"heartbeat": 60}, "heartbeat of 0.05 to 10 seconds"),
        ({"store": 5}, "expected a store"),
    ):
        with pytest.raises(bt.QueryRefused, match=told):
            quotes.changes(**options)  # type: ignore[arg-type]
    with pytest.raises(bt.QueryRefused, match="expected a name"):
        bt.TableStore("a b")
    with pytest.raises(bt.ChangesLost, match="does not reach back so far"):
        taken(quotes, 1, now() - timedelta(days=2))
    bare = bigtable(Quote)
    with pytest.raises(bt.SettingsError, match=r"bt\.create_tables"):
        taken(QuoteRepository(bare), 1, now(), store=bt.TableStore("mine"))

    class Plain(bt.Model, table="plain", events="1/s"):
        """A table without a change stream."""

        symbol: str = bt.key(bt.Text(max_length=8), cardinality=1_000)
        md = bt.family("md", gc=bt.max_versions(1))
        bid: int | None = bt.column("bid", md, default=None)

    class PlainRepository(bt.repository.Repository):  # type: ignore[name-defined,misc]
        model = Plain
        key = QuoteKey

    with pytest.raises(bt.ServerError, match="not enabled"):
        next(iter(PlainRepository(bigtable(Plain)).changes()))


KEYS = st.tuples(st.sampled_from("AMZ"), st.integers(0, 1))
STEPS = st.one_of(
    st.tuples(st.just("put"), KEYS, st.integers(0, 9)),
    st.tuples(st.just("replace"), KEYS, st.integers(0, 9)),
    st.tuples(st.just("delete"), KEYS),
    st.tuples(st.just("clear"), KEYS),
    st.tuples(st.just("drop"), KEYS),
    st.tuples(st.just("collect")),
    st.tuples(st.just("divide"), st.lists(st.sampled_from([b"B", b"M", b"Y"]), max_size=2)),
    st.tuples(st.just("stop")),
)


def do(step: Any, quotes: QuoteRepository, db: bt.Database, server: RunningServer) -> None:
    match step:
        case ("put", (symbol, number), bid):
            quotes.put(Quote(symbol=symbol, number=number, bid=bid, tags={"t": str(bid)}))
        case ("replace", (symbol, number), bid):
            quotes.replace(Quote(symbol=symbol, number=number, bid=bid))
        case ("delete", (symbol, number)):
            quotes.delete_many([QuoteKey(symbol, number)])
        case ("clear", (symbol, number)):
            key = Quote.row_key(symbol=symbol, number=number)
            db.write(Mutation("quote", key, deletes=(Delete("md", b"bid"),)))
        case ("collect",):
            server.collect_garbage()
        case ("divide", keys):
            server.partition_stream(table_of(db), *keys)


def rebuilt(changes: list[Change[QuoteKey]]) -> dict[bytes, dict[tuple[str, bytes, int], bytes]]:
    """The rows that changes make, each done once, in the order of their commits."""
    rows: dict[bytes, dict[tuple[str, bytes, int], bytes]] = {}
    seen = bt.Seen()
    for change in sorted(changes, key=lambda one: (one.at, one.tiebreaker)):
        if seen(change):
            continue
        row = rows.setdefault(change.raw_key, {})
        for step in change.steps:
            if isinstance(step, Cell):
                row[step.family, step.qualifier, step.timestamp] = step.value
            elif isinstance(step, Delete):
                for place in list(row):
                    family, qualifier, at = place
                    named = step.family in (None, family) and step.qualifier in (None, qualifier)
                    if named and step.start <= at and (not step.end or at < step.end):
                        del row[place]
    return {key: row for key, row in rows.items() if row}


@pytest.fixture(scope="session")
def instances(bigtable_server: RunningServer) -> Iterator[Instances]:
    """Fresh instances for all examples."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(emulator.VARIABLE, bigtable_server.host)
        made = Instances(bigtable_server.host)
        yield made
        made.close()


@given(st.lists(STEPS, max_size=15))
def test_whatever_happens_the_changes_make_the_table(
    instances: Instances, bigtable_server: RunningServer, steps: list[Any]
) -> None:
    """Whatever is written, collected, split and merged, and wherever a reader stops: each change comes at least once, and together they make the table."""
    db = instances(Quote)
    quotes, since, store = QuoteRepository(db), now(), Mine()
    found: list[Change[QuoteKey]] = []
    for step in steps:
        do(step, quotes, db, bigtable_server)
        if step == ("stop",) and found:
            # Dies in the middle of its next change: what it had saved is all that the next one knows.
            with quotes.changes(since=since, store=store, heartbeat=SOON) as changes:
                threading.Timer(0.02, quotes.put, [Quote(symbol="Q", number=0, bid=0)]).start()
                found.append(next(iter(changes)))
    quotes.put(Quote(symbol="end", number=0, bid=0))
    with quotes.changes(since=since, store=store, heartbeat=SOON) as changes:
        for change in changes:
            found.append(change)
            if change.raw_key == b"end#0000":
                break
    found += all_until_now(quotes, since)
    stored = {
        key: {(cell.family, cell.qualifier, cell.timestamp): cell.value for cell in cells}
        for key, cells in db.cells("quote")
    }
    assert rebuilt(found) == stored


PROGRAM = Path(__file__).with_name("followed.py")


def program(db: bt.Database, since: datetime, store: str, lease: float) -> Any:
    """A process that prints the keys of 250 changes, and works on the last of them until it is killed."""
    command = [
        sys.executable,
        str(PROGRAM),
        db.target.instance,
        since.isoformat(),
        store,
        str(lease),
        "0.005",
        "250",
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def lines(process: Any, count: int) -> list[str]:
    return [process.stdout.readline().strip() for _ in range(count)]


def killed(process: Any) -> list[str]:
    """Kill the process; what it had printed beyond what was read."""
    process.send_signal(signal.SIGKILL)
    process.wait()
    rest: list[str] = process.stdout.read().split()
    process.stdout.close()
    return rest


def test_a_killed_reader_is_followed_by_another(db: bt.Database, tmp_path: Path) -> None:
    """After kill -9 of a reader another one goes on where it had saved, in a file and in a table: no change is missing."""
    quotes, since = QuoteRepository(db), now()
    quotes.put_many([Quote(symbol="A", number=number, bid=1) for number in range(300)])
    file, table = str(tmp_path / "position"), bt.TableStore("reader", 0.5)
    # Side by side, as each takes the second after which it saves.
    first = [program(db, since, file, 0.0), program(db, since, table.name, table.lease)]
    before = [lines(process, 250) for process in first]
    for seen, process in zip(before, first, strict=True):
        seen += killed(process)
    for seen, store in zip(before, (file, table), strict=True):
        after: list[str] = []
        with quotes.changes(since=now(), store=store, heartbeat=SOON) as changes:
            for change in changes:
                after.append(change.raw_key.decode())
                if after[-1] == "A#0299":
                    break
        assert {*seen, *after} == {f"A#{number:04}" for number in range(300)}
        assert len(after) < 300  # it did not begin anew


def test_a_shared_reader_ends_and_goes_on(db: bt.Database, bigtable_server: RunningServer) -> None:
    """A reader whose positions lie in a table ends at its time, and the next one with that name goes on behind it."""
    quotes, since, store = QuoteRepository(db), now(), bt.TableStore("again")
    bigtable_server.partition_stream(table_of(db), b"M")
    for number in range(2):
        quotes.put_many([Quote(symbol=symbol, number=number, bid=1) for symbol in "AZ"])
        found = all_until_now(quotes, since, store=store)
        assert sorted(change.raw_key for change in found) == [b"A#%04d" % number, b"Z#%04d" % number]
    [(_, cells)] = db.cells("btmodel_changes")
    assert {cell.family for cell in cells} == {"t", "w"}  # nobody is there, and nothing is taken


def test_lost_answers_of_leases_are_no_lost_partitions(
    db: bt.Database, bigtable_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the answer to every second change of a lease is lost, the reader reads all the same, through a merge, and ends."""
    quotes, since = QuoteRepository(db), now()
    bigtable_server.partition_stream(table_of(db), b"M")
    quotes.put_many([Quote(symbol=symbol, number=0, bid=1) for symbol in "AZ"])
    bigtable_server.partition_stream(table_of(db))
    quotes.put_many([Quote(symbol=symbol, number=1, bid=1) for symbol in "AZ"])
    write_if, calls = db.write_if, []

    def lossy(change: Any) -> bool:
        done = write_if(change)
        calls.append(done)
        if len(calls) % 2:
            raise bt.Unanswered("lost")
        return done

    quotes = QuoteRepository(db)
    first = quotes.changes(since=since, store=bt.TableStore("lossy", 0.5), heartbeat=SOON)
    with first:
        found = [next(iter(first)).raw_key]
        monkeypatch.setattr(bt.Database, "write_if", lambda self, change: lossy(change))
        found += [change.raw_key for change in islice(first, 3)]
    found += [change.raw_key for change in all_until_now(quotes, since, store=bt.TableStore("lossy", 0.5))]
    assert set(found) == {b"A#0000", b"A#0001", b"Z#0000", b"Z#0001"}
    assert len(calls) > 2


def test_two_workers_share_partitions_and_take_over(db: bt.Database, bigtable_server: RunningServer) -> None:
    """Two workers read each some partitions, through a split and a merge; those of one that is gone go to the other."""
    quotes, since = QuoteRepository(db), now()
    bigtable_server.partition_stream(table_of(db), b"C", b"E", b"G")
    found: dict[str, list[str]] = {"one": [], "two": []}
    stop = threading.Event()

    def work(name: str, gone: threading.Event) -> None:
        with quotes.changes(since=since, store=bt.TableStore("shared", 0.6), heartbeat=SOON) as changes:
            for change in changes:
                found[name].append(change.raw_key.decode())
                if gone.is_set() or stop.is_set():
                    return

    gone = threading.Event()
    threads = [
        threading.Thread(target=work, args=["one", gone]),
        threading.Thread(target=work, args=["two", threading.Event()]),
    ]
    for thread in threads:
        thread.start()
    expected: set[str] = set()

    def write(number: int) -> None:
        quotes.put_many([Quote(symbol=symbol, number=number, bid=1) for symbol in "ABCDEFGH"])
        expected.update(f"{symbol}#{number:04}" for symbol in "ABCDEFGH")

    def arrived() -> bool:
        return expected <= {*found["one"], *found["two"]}

    def wait(done: Any, seconds: float = 10) -> None:
        deadline = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < deadline, expected - {*found["one"], *found["two"]}
            time.sleep(0.02)

    write(1)
    wait(arrived)
    number = 2
    while not (found["one"] and found["two"]):  # until the second has its share
        write(number)
        number += 1
        wait(arrived)
        assert number < 200
    bigtable_server.partition_stream(table_of(db), b"D")
    write(number + 1)
    wait(arrived)
    gone.set()
    write(number + 2)
    wait(arrived)
    wait(lambda: write(number + 3) or not threads[0].is_alive())
    write(number + 4)
    wait(arrived)
    stop.set()
    write(number + 5)
    threads[1].join(10)
    assert not threads[1].is_alive()


def test_a_worker_that_works_on_a_change_for_long_keeps_its_partitions(db: bt.Database) -> None:
    """Whoever works on one change for several times the lease, in a thread or in an event loop, is not taken for dead, and no other gets it."""
    options: Any = {"since": now(), "heartbeat": SOON}
    QuoteRepository(db).put(Quote(symbol="A", number=1, bid=1))

    async def another(name: str) -> list[bytes]:
        """What another worker gets within four leases."""
        found: list[bytes] = []
        async with bt.connect_async(db.target) as other:
            changes = AsyncQuoteRepository(other).changes(store=bt.TableStore(name, 0.5), **options)
            async with changes:
                with suppress(TimeoutError):
                    async with asyncio.timeout(2):
                        async for change in changes:
                            found.append(change.raw_key)
        return found

    with QuoteRepository(db).changes(store=bt.TableStore("busy", 0.5), **options) as changes:
        assert next(iter(changes)).raw_key == b"A#0001"
        assert asyncio.run(another("busy")) == []  # while the change is worked on
        # One that has no partition at its end has none to read to the end.
        until = now() + timedelta(seconds=0.5)
        assert (
            list(QuoteRepository(db).changes(store=bt.TableStore("busy", 0.5), until=until, **options)) == []
        )
    assert asyncio.run(another("busy")) == [b"A#0001"]  # which was not done

    async def work() -> None:
        async with bt.connect_async(db.target) as other:
            store = bt.TableStore("busy_async", 0.5)
            async with AsyncQuoteRepository(other).changes(store=store, **options) as changes:
                async for change in changes:
                    assert change.raw_key == b"A#0001"
                    assert await another("busy_async") == []
                    return

    asyncio.run(work())


@pytest.mark.usefixtures("own_servers")
def test_a_killed_server_loses_no_change_of_its_readers(tmp_path: Path) -> None:
    """While the server is killed and comes back, a reader goes on by itself, and sees every write that was acknowledged."""
    instance = f"local:{tmp_path / 'dev.db'}"
    with bt.connect(instance) as db:
        bt.create_tables(db, Quote)
        quotes, since = QuoteRepository(db), now()
        found: list[str] = []
        done = threading.Event()

        def follow() -> None:
            with closing(iter(quotes.changes(since=since, heartbeat=SOON))) as changes:
                for change in changes:
                    found.append(change.raw_key.decode())
                    if found[-1] == "end#0000":
                        done.set()
                        return

        reader = threading.Thread(target=follow)
        reader.start()
        for number in range(100):
            quotes.put(Quote(symbol="A", number=number, bid=1))
            if number == 50:
                [pid] = _servers(tmp_path / "dev.db")
                os.kill(pid, signal.SIGKILL)
        quotes.put(Quote(symbol="end", number=0, bid=1))
        assert done.wait(15)
        reader.join()
    assert {f"A#{number:04}" for number in range(100)} <= set(found)


def _servers(path: Path) -> Iterator[int]:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if b"btmodel.server" in command and str(path).encode() in command:
            yield int(process.name)


PARTITIONS = st.builds(
    lambda cuts: [Partition(start, end) for start, end in zip([b"", *cuts], [*cuts, b""], strict=True)],
    st.lists(st.binary(min_size=1, max_size=2), max_size=5, unique=True).map(sorted),
)


@given(PARTITIONS, PARTITIONS)
def test_positions_wait_until_a_merge_is_covered(old: list[Partition], new: list[Partition]) -> None:
    """Whatever one division becomes of another: a partition is ready exactly when all that it was in have closed, and text keeps it all."""
    positions = Positions({one: {one: "t"} for one in old})
    staying = set(old) & set(new)
    for at, closing_one in enumerate(one for one in old if one not in staying):
        followers = []
        for one in new:
            start = max(one.start, closing_one.start)
            ends = [end for end in (one.end, closing_one.end) if end]
            end = min(ends, default=b"")
            if not end or start < end:
                followers.append((one, Partition(start, end), f"{at}"))
        positions.close(closing_one, followers)
        assert Positions.of_text(positions.as_text("T"), "T") == positions
        assert all(covers(one, positions.tokens[one]) for one in positions.ready)
    assert set(positions.ready) == set(new)
