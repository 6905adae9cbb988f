"""How much memory the local server takes while its file grows, and while it is scanned.

    python -m tests.bench.memory_bench [--gigabytes 1.0]

Linux alone: reads the server's resident memory from /proc. Prints it in MiB at each quarter of the way.
"""

import argparse
import os
import tempfile
from pathlib import Path

import grpc

from btmodel.server import RunningServer, protos, start

PARENT = "projects/p/instances/i"
VALUE = 20_000  # bytes a row
ROWS = 50  # a request
SINGLE_THREAD = [("SingleThreadedUnaryStream", 1), ("grpc.max_receive_message_length", -1)]


def resident(server: RunningServer) -> float:
    """The server's resident memory, in MiB."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def load(channel: grpc.Channel, server: RunningServer, rows: int) -> None:
    """Write the rows, and tell the memory four times."""
    write = channel.unary_stream("/google.bigtable.v2.Bigtable/MutateRows")
    for first in range(0, rows, ROWS):
        request = protos.data("MutateRowsRequest")(table_name=f"{PARENT}/tables/t")
        for number in range(first, first + ROWS):
            cell = request.entries.add(row_key=b"%09d" % number).mutations.add().set_cell
            cell.family_name, cell.timestamp_micros, cell.value = "f", 0, os.urandom(VALUE)
        for _ in write(request.SerializeToString()):
            pass
        if (first + ROWS) % (rows // 4 // ROWS * ROWS) == 0:
            print(f"{(first + ROWS) * VALUE / 2**30:.2f} GiB written: {resident(server):.0f} MiB", flush=True)


def scan(channel: grpc.Channel, server: RunningServer) -> None:
    """Read every row, and tell the most memory on the way."""
    read = channel.unary_stream("/google.bigtable.v2.Bigtable/ReadRows")
    request = protos.data("ReadRowsRequest")(table_name=f"{PARENT}/tables/t")
    most = 0.0
    for number, _ in enumerate(read(request.SerializeToString())):
        if number % 100 == 0:
            most = max(most, resident(server))
    print(f"scanned: at most {most:.0f} MiB")


def main() -> None:
    """Grow a file and scan it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--gigabytes", type=float, default=1.0)
    rows = int(parser.parse_args().gigabytes * 2**30 / VALUE)
    with (
        tempfile.TemporaryDirectory() as folder,
        start(Path(folder) / "bench.db") as server,
        grpc.insecure_channel(server.host, options=SINGLE_THREAD) as channel,
    ):
        create = protos.admin("CreateTableRequest")(parent=PARENT, table_id="t")
        create.table.column_families["f"].SetInParent()
        channel.unary_unary("/google.bigtable.admin.v2.BigtableTableAdmin/CreateTable")(
            create.SerializeToString()
        )
        print(f"empty: {resident(server):.0f} MiB")
        load(channel, server, rows)
        scan(channel, server)


if __name__ == "__main__":
    main()
