"""A server that answers with ready bytes: what is measured against it is the client.

    python -m tests.bench.speed.replay

Started by :func:`start` as a process of its own, on loopback. It ends with its standard input, or after two
hours. Every table of :mod:`tests.bench.speed.stored` is in every instance. The instance says how many rows share a
message: ``projects/bench/instances/m200`` sends 200. Keys, ranges and limits of rows are honoured, filters are
not. Every write is answered with OK, and forgotten.
"""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import grpc
from attrs import field, frozen
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from btmodel.server import protos
from tests.bench.speed.stored import TABLES, Stored
from tests.bench.speed.wire import varint

LIFETIME = 7_200.0  # seconds
ROOT = Path(__file__).parents[3]
SERVICE = "google.bigtable.v2.Bigtable"
READY = "replay ready on "
OPTIONS = [
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.so_reuseport", 0),
]


def instance(rows_a_message: int) -> str:
    """The instance that sends so many rows in a message."""
    return f"projects/bench/instances/m{rows_a_message}"


@frozen
class Replay:
    """A replay server in a child process."""

    host: str
    _process: "subprocess.Popen[bytes]" = field(alias="process", repr=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()  # closes its standard input, which ends it


def start() -> Replay:
    """Start a server, and return once it serves."""
    command = [sys.executable, "-m", __name__]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    line = process.stdout.readline().decode().strip()
    assert line.startswith(READY), line
    return Replay(line.removeprefix(READY), process)


def main() -> None:
    """Serve until the standard input ends."""
    server = grpc.server(ThreadPoolExecutor(64), options=OPTIONS)
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, _handlers())])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    over = threading.Event()
    threading.Thread(target=_wait_for_the_end, args=[over], daemon=True).start()
    print(f"{READY}127.0.0.1:{port}", flush=True)
    over.wait(LIFETIME)
    server.stop(None).wait()


def _wait_for_the_end(over: threading.Event) -> None:
    sys.stdin.buffer.read()
    over.set()


def _handlers() -> dict[str, Any]:
    """The methods, which take bytes and give bytes."""
    return {
        "ReadRows": grpc.unary_stream_rpc_method_handler(read_rows),
        "MutateRows": grpc.unary_stream_rpc_method_handler(_mutate_rows),
        "MutateRow": grpc.unary_unary_rpc_method_handler(lambda request, context: b""),
        "SampleRowKeys": grpc.unary_stream_rpc_method_handler(_sample_row_keys),
    }


def read_rows(request: bytes, context: object = None) -> Iterator[bytes]:
    """The rows that are asked for, so many in a message as the instance says."""
    asked = protos.data("ReadRowsRequest").FromString(request)
    stored, size = _asked(asked.table_name)
    left = asked.rows_limit or stored.most
    if asked.rows.row_keys:
        rows = [row for key in sorted(asked.rows.row_keys) if (row := stored.row(key)) is not None][:left]
        yield from (b"".join(rows[at : at + size]) for at in range(0, len(rows), size))
        left -= len(rows)
    ranges = asked.rows.row_ranges
    if not ranges and not asked.rows.row_keys:
        ranges = [protos.data("RowRange")()]
    for span in ranges:
        first, end = stored.span(*_ends(span))
        end = min(end, first + left)
        left -= max(0, end - first)
        for at in range(first, end, size):
            yield stored.message(at, min(at + size, end))


def _mutate_rows(request: bytes, context: object) -> Iterator[bytes]:
    yield acknowledged(len(_counted()(request).entries))


def _sample_row_keys(request: bytes, context: object) -> Iterator[bytes]:
    stored, _ = _asked(protos.data("SampleRowKeysRequest").FromString(request).table_name)
    sample = protos.data("SampleRowKeysResponse")
    for part, key in enumerate(stored.splits(8), 1):
        yield sample(row_key=key, offset_bytes=part << 20).SerializeToString()
    yield sample(offset_bytes=8 << 20).SerializeToString()


def _asked(table_name: str) -> tuple[Stored, int]:
    """The table, and how many rows share a message."""
    *_, instance_id, _, table = table_name.split("/")
    return TABLES[table], int(instance_id.removeprefix("m"))


def _ends(span: Any) -> tuple[bytes, bytes]:
    """The first key of a range, and the one behind its last; b"" is open."""
    start = span.start_key_open + b"\0" if span.start_key_open else span.start_key_closed
    end = span.end_key_closed + b"\0" if span.end_key_closed else span.end_key_open
    return start, end


_ANSWERS: dict[int, bytes] = {}


def acknowledged(entries: int) -> bytes:
    """A MutateRowsResponse that says OK for each entry: its index, and an empty status."""
    if entries not in _ANSWERS:
        each = (b"\x08" + varint(at) + b"\x12\x00" if at else b"\x12\x00" for at in range(entries))
        _ANSWERS[entries] = b"".join(b"\x0a" + varint(len(one)) + one for one in each)
    return _ANSWERS[entries]


_COUNTED: list[Callable[[bytes], Any]] = []


def _counted() -> Callable[[bytes], Any]:
    """Parses a MutateRowsRequest as far as it takes to count its entries: each is left as it is, in bytes."""
    if not _COUNTED:
        file = descriptor_pb2.FileDescriptorProto(name="counted.proto", package="replay", syntax="proto3")
        entries = file.message_type.add(name="Counted").field.add(name="entries", number=2)
        entries.type, entries.label = entries.TYPE_BYTES, entries.LABEL_REPEATED
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        made = message_factory.GetMessageClass(pool.FindMessageTypeByName("replay.Counted"))
        _COUNTED.append(made.FromString)
    return _COUNTED[0]


if __name__ == "__main__":
    main()
