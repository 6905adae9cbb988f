"""Change streams of the local server, read with the messages of the protocol."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.cloud.bigtable_v2 import BigtableClient
from google.cloud.bigtable_v2.services.bigtable.transports import BigtableGrpcTransport
from hypothesis import given
from hypothesis import strategies as st
from server_api import METHODS, SUM, Api, set_cell

from btmodel.server import RunningServer, protos, start

DAY = {"change_stream_config": {"retention_period": {"seconds": 86_400}}}
WHOLE = {"row_range": {"start_key_closed": b"", "end_key_open": b""}}


@contextmanager
def opened(api: Api, table: str, partition: Any = None, **fields: Any) -> Iterator[Iterator[Any]]:
    """The answers of a ReadChangeStream that is cancelled with the block."""
    method = METHODS["ReadChangeStream"]
    request = method.request(table_name=table, partition=partition or WHOLE, **fields)
    call = api.channel.unary_stream(method.path, response_deserializer=method.response.FromString)(
        request.SerializeToString(), timeout=30
    )
    try:
        yield call
    finally:
        call.cancel()


def begun(api: Api, table: str) -> Any:
    """A token of the beginning: of a heartbeat before anything is written."""
    with opened(api, table, heartbeat_duration={"nanos": 10_000_000}) as answers:
        return next(answers).heartbeat.continuation_token


def history(api: Api, table: str, token: Any, partition: Any = None) -> list[Any]:
    """What is there from a token on: the answers before the next heartbeat, or the end."""
    tokens = {"tokens": [token] if not isinstance(token, list) else token}
    found = []
    with opened(
        api, table, partition, continuation_tokens=tokens, heartbeat_duration={"nanos": 20_000_000}
    ) as answers:
        for answer in answers:
            if answer.HasField("heartbeat"):
                break
            found.append(answer)
    return found


def changes(api: Api, table: str, token: Any) -> list[Any]:
    return [answer.data_change for answer in history(api, table, token)]


def kinds(change: Any) -> list[str]:
    return [chunk.mutation.WhichOneof("mutation") for chunk in change.chunks]


@pytest.fixture
def table(api: Api) -> str:
    """A table with a change stream of a day."""
    return api.table(families={"cf": {}, "other": {}, **SUM}, **DAY)


def test_every_kind_of_write_is_a_change_of_one_row(api: Api, table: str) -> None:
    """Whatever writes a row leaves one record with its mutations in their order, and a deleted row comes as deleted families."""
    token = begun(api, table)
    api.set(table, b"a")
    added = {
        "add_to_cell": {
            "family_name": "s",
            "column_qualifier": {"raw_value": b"n"},
            "timestamp": {"raw_timestamp_micros": 0},
            "input": {"int_value": 5},
        }
    }
    column = {
        "delete_from_column": {
            "family_name": "cf",
            "column_qualifier": b"q",
            "time_range": {"start_timestamp_micros": 1000, "end_timestamp_micros": 2000},
        }
    }
    entries = [
        {"row_key": b"b", "mutations": [set_cell("cf:q", b"1", -1), column, added]},
        {"row_key": b"c", "mutations": [{"delete_from_family": {"family_name": "cf"}}]},
    ]
    api("MutateRows", table_name=table, entries=entries)
    rule = {"family_name": "cf", "column_qualifier": b"n", "increment_amount": 3}
    api("ReadModifyWriteRow", table_name=table, row_key=b"d", rules=[rule])
    api("CheckAndMutateRow", table_name=table, row_key=b"d", true_mutations=[{"delete_from_row": {}}])
    api("CheckAndMutateRow", table_name=table, row_key=b"x", true_mutations=[{"delete_from_row": {}}])
    api("DropRowRange", name=table, row_key_prefix=b"a")
    api("DropRowRange", name=table, delete_all_data_from_table=True)

    found = changes(api, table, token)

    whole = ["delete_from_family"] * 3
    assert [(change.row_key, kinds(change)) for change in found] == [
        (b"a", ["set_cell"]),
        (b"b", ["set_cell", "delete_from_column", "add_to_cell"]),
        (b"c", ["delete_from_family"]),
        (b"d", ["set_cell"]),
        (b"d", whole),
        (b"a", whole),
        (b"b", whole),
    ]
    assert all(
        change.type_ == 1 and change.done and change.token and change.source_cluster_id for change in found
    )
    times = [(change.commit_timestamp.ToMicroseconds(), change.tiebreaker) for change in found]
    assert times == sorted(set(times))
    # The time that was left to the server is the one that the cell has; an increment is what came of it.
    assert abs(found[1].chunks[0].mutation.set_cell.timestamp_micros - times[1][0]) < 5_000
    assert found[3].chunks[0].mutation.set_cell.value == (3).to_bytes(8)
    assert [change.row_key for change in changes(api, table, _token(found[2].token))] == [
        b"d",
        b"d",
        b"a",
        b"b",
    ]


def _token(text: str) -> Any:
    return {"partition": WHOLE, "token": text}


def test_refused_writes_are_no_changes(api: Api, table: str) -> None:
    """A write that is refused, alone or among others, leaves no record."""
    token = begun(api, table)
    entries = [
        {"row_key": b"a", "mutations": [set_cell("cf:q", b"1"), set_cell("none:q", b"1")]},
        {"row_key": b"b", "mutations": [set_cell("cf:q", b"1")]},
    ]
    api("MutateRows", table_name=table, entries=entries)
    with pytest.raises(grpc.RpcError):
        api("MutateRow", table_name=table, row_key=b"c", mutations=[set_cell("none:q", b"1")])
    assert [change.row_key for change in changes(api, table, token)] == [b"b"]


@pytest.mark.parametrize("gc", ["lazy", "eager"])
def test_collected_garbage_is_a_change_of_its_own(gc: Any) -> None:
    """What garbage collection deletes is a record of that type, whose ranges hold those cells alone."""
    with start(gc=gc, gc_period=0) as server:
        api = Api(server.host)
        table = api.table(families={"cf": {"gc_rule": {"max_num_versions": 1}}}, **DAY)
        token = begun(api, table)
        for timestamp in (1000, 2000, 5000):
            api.set(table, b"a", timestamp=timestamp)
        server.collect_garbage()
        found = changes(api, table, token)
        api.close()
    collected = [change for change in found if change.type_ == 2]
    assert len(found) == 3 + len(collected)
    assert all(change.done and not change.source_cluster_id for change in collected)
    gone = {
        timestamp
        for change in collected
        for chunk in change.chunks
        for timestamp in (1000, 2000, 5000)
        if chunk.mutation.delete_from_column.time_range.start_timestamp_micros
        <= timestamp
        < chunk.mutation.delete_from_column.time_range.end_timestamp_micros
    }
    assert gone == {1000, 2000}


def test_large_values_come_in_chunks(api: Api, table: str) -> None:
    """A record over a megabyte comes in messages of about one, of which the last alone is done, and is whole when joined."""
    token = begun(api, table)
    value = bytes(range(256)) * 10_000
    mutations = [set_cell("cf:a", b"small"), set_cell("cf:b", value), set_cell("cf:c", b"after")]
    api("MutateRow", table_name=table, row_key=b"k", mutations=mutations)
    found = changes(api, table, token)
    assert [change.type_ for change in found] == [1] + [3] * (len(found) - 1)
    assert [change.done for change in found] == [False] * (len(found) - 1) + [True]
    assert all(change.ByteSize() < 1_200_000 for change in found)
    assert not found[-1].row_key
    chunks = [chunk for change in found for chunk in change.chunks]
    parts = [chunk for chunk in chunks if chunk.HasField("chunk_info")]
    assert b"".join(part.mutation.set_cell.value for part in parts) == value
    offsets = [part.chunk_info.chunked_value_offset for part in parts]
    assert offsets == sorted(offsets)
    assert [part.chunk_info.last_chunk for part in parts] == [False] * (len(parts) - 1) + [True]
    assert chunks[-1].mutation.set_cell.value == b"after"


def test_readers_are_sent_changes_as_they_are_made(api: Api, table: str) -> None:
    """A waiting reader gets a change at once, and heartbeats at the interval that it asks for, whose watermark rises."""
    with opened(api, table, heartbeat_duration={"nanos": 200_000_000}) as answers:
        first = next(answers).heartbeat
        api.set(table, b"a")
        began = time.monotonic()
        assert next(answers).data_change.row_key == b"a"
        assert time.monotonic() - began < 0.15
        second = next(answers).heartbeat
        assert (
            second.estimated_low_watermark.ToMicroseconds() > first.estimated_low_watermark.ToMicroseconds()
        )
    assert changes(api, table, second.continuation_token) == []
    assert [change.row_key for change in changes(api, table, first.continuation_token)] == [b"a"]


def test_a_read_ends_at_its_end_time(api: Api, table: str) -> None:
    """With an end time, a read gives what was committed up to it, and then closes without tokens."""
    api.set(table, b"a")
    end = time.time_ns() // 1000
    api.set(table, b"b")
    created = {"seconds": 0}
    with pytest.raises(grpc.RpcError) as refused, opened(api, table, start_time=created) as answers:
        next(answers)
    assert refused.value.code() is grpc.StatusCode.OUT_OF_RANGE  # type: ignore[attr-defined]
    begin = protos.message("google.protobuf.Timestamp")()
    begin.FromMicroseconds(end - 1)
    stop = protos.message("google.protobuf.Timestamp")()
    stop.FromMicroseconds(end)
    with opened(api, table, start_time=begin, end_time=stop) as answers:
        found = list(answers)
    assert [answer.WhichOneof("stream_record") for answer in found] == ["close_stream"]
    assert not found[0].close_stream.continuation_tokens
    assert found[0].close_stream.status.code == 0
    stop.FromMicroseconds(time.time_ns() // 1000 + 50_000)
    with opened(api, table, start_time=begin, end_time=stop) as answers:
        found = list(answers)
    assert [answer.data_change.row_key for answer in found[:-1]] == [b"b"]


def partition(start: bytes, end: bytes) -> Any:
    return {"row_range": {"start_key_closed": start, "end_key_open": end}}


def bounds(message: Any) -> tuple[bytes, bytes]:
    return message.row_range.start_key_closed, message.row_range.end_key_open


def test_partitions_split_and_merge(server: RunningServer, api: Api, table: str) -> None:
    """A partition that changes closes with a token for each new one, and a merged one goes on where both of its parts were."""
    token = begun(api, table)
    api.set(table, b"b")
    server.partition_stream(table, b"m")
    api.set(table, b"c")
    api.set(table, b"x")
    *before, close = history(api, table, token)
    assert [answer.data_change.row_key for answer in before] == [b"b"]
    left, right = close.close_stream.continuation_tokens
    assert [bounds(one) for one in close.close_stream.new_partitions] == [(b"", b"m"), (b"m", b"")]
    assert [bounds(one.partition) for one in (left, right)] == [(b"", b"m"), (b"m", b"")]
    found = api("GenerateInitialChangeStreamPartitions", table_name=table)
    assert [bounds(one.partition) for one in found] == [(b"", b"m"), (b"m", b"")]
    # One part goes on, the other stays where it was; then they merge.
    [change] = history(api, table, left, left.partition)
    later = change.data_change.token
    server.partition_stream(table, b"t")
    api.set(table, b"d")
    *nothing, closed = history(api, table, {"partition": left.partition, "token": later}, left.partition)
    assert not nothing
    *changed, other = history(api, table, right, right.partition)
    assert [answer.data_change.row_key for answer in changed] == [b"x"]
    assert [bounds(one) for one in other.close_stream.new_partitions] == [(b"", b"t"), (b"t", b"")]
    assert [bounds(one.partition) for one in other.close_stream.continuation_tokens] == [
        (b"m", b"t"),
        (b"t", b""),
    ]
    [first] = closed.close_stream.continuation_tokens
    merged = partition(b"", b"t")
    both = [other.close_stream.continuation_tokens[0], first]
    assert [answer.data_change.row_key for answer in history(api, table, both, merged)] == [b"d"]
    with pytest.raises(grpc.RpcError) as refused:
        history(api, table, [first], merged)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT  # type: ignore[attr-defined]


def test_a_waiting_reader_is_told_of_a_split(server: RunningServer, api: Api, table: str) -> None:
    """A reader that waits gets its CloseStream at once, and the call ends with it."""
    with opened(api, table) as answers:
        timer = threading.Timer(0.05, server.partition_stream, [table, b"k"])
        timer.start()
        began = time.monotonic()
        [close] = list(answers)
        timer.join()
    assert len(close.close_stream.new_partitions) == 2
    assert time.monotonic() - began < 2


def test_waiting_readers_hold_no_thread(tmp_path: Path) -> None:
    """However many readers wait, the server has the same threads, answers others, and is done with them once they are gone."""
    with start(tmp_path / "dev.db") as server:
        api = Api(server.host)
        table = api.table(**DAY)
        [pid] = _pids(tmp_path / "dev.db")

        def threads() -> int:
            return len(list(Path(f"/proc/{pid}/task").iterdir()))

        begun(api, table)
        before = threads()
        with ExitStack() as stack:
            readers = [
                stack.enter_context(opened(api, table, heartbeat_duration={"nanos": 100_000_000}))
                for _ in range(60)
            ]
            for reader in readers:
                next(reader)
            api.set(table, b"a")
            for reader in readers:
                while not next(reader).HasField("data_change"):
                    pass
            assert threads() == before
        assert api.keys(table) == [b"a"]
        began = time.monotonic()
        api.close()
    assert time.monotonic() - began < 3


def _pids(path: Path) -> list[int]:
    """The processes whose command line names a file."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(path).encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def test_what_the_service_refuses(api: Api, table: str) -> None:
    """Without a change stream, or with what is no partition, no token or in the future, a read is refused with the code of the service."""
    plain = api.table("plain")

    def code(name: str, partition: Any = None, **fields: Any) -> Any:
        with pytest.raises(grpc.RpcError) as refused, opened(api, name, partition, **fields) as answers:
            next(answers)
        return refused.value.code()  # type: ignore[attr-defined]

    assert code(plain) is grpc.StatusCode.FAILED_PRECONDITION
    assert code(api.name("none")) is grpc.StatusCode.NOT_FOUND
    assert code(table, partition(b"a", b"b")) is grpc.StatusCode.INVALID_ARGUMENT
    assert code(table, start_time={"seconds": 9_000_000_000}) is grpc.StatusCode.INVALID_ARGUMENT
    for text in ("", "x", "1.2", "1.2.z", "1.1.1-2"):
        tokens = {"tokens": [_token(text)]}
        assert code(table, continuation_tokens=tokens) is grpc.StatusCode.INVALID_ARGUMENT
    with pytest.raises(grpc.RpcError) as refused:
        api("GenerateInitialChangeStreamPartitions", table_name=plain)
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION  # type: ignore[attr-defined]


def test_turning_a_stream_off_ends_its_readers(api: Api, table: str) -> None:
    """Once the change stream is off its readers fail, and tokens of before are too old after it is on again."""
    token = begun(api, table)
    with opened(api, table) as answers:
        api("UpdateTable", table={"name": table}, update_mask={"paths": ["change_stream_config"]})
        with pytest.raises(grpc.RpcError) as refused:
            next(answers)
    code = refused.value.code()  # type: ignore[attr-defined]
    assert code is grpc.StatusCode.FAILED_PRECONDITION
    api("UpdateTable", table={"name": table, **DAY}, update_mask={"paths": ["change_stream_config"]})
    with pytest.raises(grpc.RpcError) as refused:
        history(api, table, token)
    assert refused.value.code() is grpc.StatusCode.OUT_OF_RANGE  # type: ignore[attr-defined]


def test_changes_expire(tmp_path: Path) -> None:
    """Changes older than the stream keeps them go from the file, and a token of then is too old."""
    path = tmp_path / "dev.db"
    with start(path) as server:
        api = Api(server.host)
        table = api.table(**DAY)
        token = begun(api, table)
        for number in range(10):
            api.set(table, b"%d" % number)
        api.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE changes SET micros = micros - 90000000000 WHERE number <= 6")
    with start(path, gc_period=0.05) as server:
        again = Api(server.host)
        stream, micros, place = token.token.split(".")
        old = {"partition": WHOLE, "token": f"{stream}.{int(micros) - 90_000_000_000}.{place}"}
        with pytest.raises(grpc.RpcError) as refused:
            history(again, table, old)
        assert refused.value.code() is grpc.StatusCode.OUT_OF_RANGE  # type: ignore[attr-defined]
        deadline = time.monotonic() + 5
        while len(left := changes(again, table, token)) > 5 and time.monotonic() < deadline:
            time.sleep(0.05)
        again.close()
    assert [change.row_key for change in left] == [b"5", b"6", b"7", b"8", b"9"]


def test_googles_client_reads_them(api: Api, table: str) -> None:
    """Google's own client reads partitions and changes."""
    transport = BigtableGrpcTransport(channel=grpc.insecure_channel(api.address))
    client = BigtableClient(transport=transport)
    [found] = client.generate_initial_change_stream_partitions(table_name=table)
    request = {"table_name": table, "partition": found.partition, "heartbeat_duration": {"seconds": 20}}
    timer = threading.Timer(0.05, api.set, [table, b"k"])
    timer.start()
    answers = client.read_change_stream(request)
    assert next(iter(answers)).data_change.row_key == b"k"
    timer.join()
    answers.cancel()
    transport.close()


KEYS = st.sampled_from([b"a", b"b", b"m", b"z"])
WRITES = st.one_of(
    st.tuples(st.just("set"), KEYS, st.integers(0, 3)),
    st.tuples(st.just("column"), KEYS, st.integers(0, 2)),
    st.tuples(st.just("family"), KEYS),
    st.tuples(st.just("row"), KEYS),
    st.tuples(st.just("add"), KEYS, st.integers(1, 5)),
    st.tuples(st.just("increment"), KEYS),
    st.tuples(st.just("collect")),
    st.tuples(st.just("divide"), st.lists(KEYS, max_size=2)),
    st.tuples(st.just("drop"), KEYS),
)


def mutation(step: Any) -> dict[str, Any]:
    match step:
        case ("set", _, number):
            return set_cell("cf:q", b"%d" % number, 1000 * number)
        case ("column", _, number):
            times = {"start_timestamp_micros": 1000 * number, "end_timestamp_micros": 1000 * number + 2000}
            column = {"family_name": "cf", "column_qualifier": b"q", "time_range": times}
            return {"delete_from_column": column}
        case ("family", _):
            return {"delete_from_family": {"family_name": "cf"}}
        case ("add", _, number):
            return {
                "add_to_cell": {
                    "family_name": "s",
                    "column_qualifier": {"raw_value": b"n"},
                    "timestamp": {"raw_timestamp_micros": 0},
                    "input": {"int_value": number},
                }
            }
    return {"delete_from_row": {}}


def make(api: Api, server: RunningServer, table: str, step: Any) -> None:
    """Do one step of an example."""
    match step:
        case ("collect",):
            server.collect_garbage()
        case ("divide", keys):
            server.partition_stream(table, *keys)
        case ("drop", key):
            api("DropRowRange", name=table, row_key_prefix=key)
        case ("increment", key):
            rule = {"family_name": "cf", "column_qualifier": b"i", "increment_amount": 1}
            api("ReadModifyWriteRow", table_name=table, row_key=key, rules=[rule])
        case (_, key, *_):
            api("MutateRow", table_name=table, row_key=key, mutations=[mutation(step)])


def followed(api: Api, table: str, token: Any) -> list[Any]:
    """All changes from a token on, through whatever splits and merges there were, each partition with its tokens."""
    waiting: dict[tuple[bytes, bytes], list[Any]] = {bounds(token.partition): [token]}
    found = []
    while ready := [keys for keys, tokens in waiting.items() if covered(keys, tokens)]:
        for keys in ready:
            tokens = waiting.pop(keys)
            for answer in history(api, table, tokens, partition(*keys)):
                if answer.HasField("data_change"):
                    found.append(answer.data_change)
                    continue
                close = answer.close_stream
                for new, one in zip(close.new_partitions, close.continuation_tokens, strict=True):
                    waiting.setdefault(bounds(new), []).append(one)
    assert not [keys for keys, tokens in waiting.items() if tokens and not covered(keys, tokens)]
    return found


def covered(keys: tuple[bytes, bytes], tokens: list[Any]) -> bool:
    reached: bytes | None = keys[0]
    for first, end in sorted(bounds(one.partition) for one in tokens):
        if first != reached:
            return False
        reached = end
    return reached == keys[1] if tokens else False


@given(st.lists(WRITES, max_size=25))
def test_replayed_changes_are_the_table(server: RunningServer, steps: list[Any]) -> None:
    """Whatever is written, collected, dropped, split and merged: the changes of each row, made again in their order, make the same rows."""
    api = Api(server.host)
    families = {"cf": {"gc_rule": {"max_num_versions": 1}}, **SUM}
    source, copy = api.table("source", families, **DAY), api.table("copy", families)
    token = begun(api, source)
    for step in steps:
        make(api, server, source, step)
    done = followed_all(api, source, token)
    for change in done:
        mutations = [chunk.mutation for chunk in change.chunks]
        api("MutateRow", table_name=copy, row_key=change.row_key, mutations=mutations)
    assert api.rows(copy) == api.rows(source)
    ids = [(change.commit_timestamp.ToMicroseconds(), change.tiebreaker) for change in done]
    assert len(ids) == len(set(ids))
    api.close()


def followed_all(api: Api, table: str, token: Any) -> list[Any]:
    """As `followed`, in the order of commits: of two rows any order would do."""
    found = followed(api, table, token)
    return sorted(found, key=lambda change: (change.commit_timestamp.ToMicroseconds(), change.tiebreaker))


def test_a_killed_server_keeps_the_change_of_every_write(tmp_path: Path) -> None:
    """After kill -9 the changes are those of the rows: none of an acknowledged write is missing, and none is of no write."""
    path = tmp_path / "dev.db"
    acknowledged: list[bytes] = []
    with start(path) as server:
        api = Api(server.host)
        table = api.table(**DAY)
        token = begun(api, table)
        gone = threading.Event()

        def write(writer: int) -> None:
            number = 0
            while not gone.is_set():
                key = b"%d-%04d" % (writer, number)
                try:
                    api.set(table, key)
                except grpc.RpcError:
                    return
                acknowledged.append(key)
                number += 1

        threads = [threading.Thread(target=write, args=[writer]) for writer in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        server.kill()
        gone.set()
        for thread in threads:
            thread.join()
        api.close()
    with start(path) as server:
        again = Api(server.host)
        noted = [change.row_key for change in changes(again, table, token)]
        keys = again.keys(table)
        again.close()
    assert len(acknowledged) > 20
    assert set(acknowledged) <= set(noted)
    assert sorted(noted) == keys
