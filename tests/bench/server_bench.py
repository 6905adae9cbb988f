"""Compare the local server with Google's emulator: bulk load, scan and many clients at once, in the same run.

    python tests/bench/server_bench.py [--rows 336776] [--rounds 3] [--csv flights-2013.csv.gz] [--only clients]

The file of the examples holds one month; where more rows are asked for, it is read again, under other keys.

Requests are made in advance and sent as bytes, and responses are not decoded, so that the client is not
what is measured. One comparison goes through google-cloud-bigtable's own data client. In another 200 clients, each
on a connection of its own, write, increment and read a row, again and again; there the emulator, which keeps
nothing on disk, is compared with the local server in memory, and with one of a file besides. What counts is the
ratio: the local server's rate divided by the emulator's. What an event costs that is appended to a row, by the
number of events in it, is measured of the local server alone. A round measures all; the median of the rounds is
printed.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import gzip
import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc

from btmodel import emulator
from btmodel.server import protos, start

JANUARY = Path(__file__).parents[2] / "examples" / "data" / "flights-2013-01.csv.gz"
COLUMNS = ("dep_delay", "arr_delay", "tailnum", "air_time", "distance", "dep_time")
BATCH = 1_000
PARENT = "projects/p/instances/i"
SERVICE = "/google.bigtable.v2.Bigtable"
CLIENTS, TURNS = 200, 20
GROWTH = (500, 1_000, 4_000, 16_000, 64_000)


@contextmanager
def google() -> Iterator[str]:
    """Google's emulator; yields its address."""
    with emulator.running() as started:
        yield started.host


@contextmanager
def local() -> Iterator[str]:
    """The local server on a new file; yields its address."""
    with tempfile.TemporaryDirectory() as folder, start(Path(folder) / "bench.db") as server:
        yield server.host


@contextmanager
def in_memory() -> Iterator[str]:
    """The local server without a file; yields its address."""
    with start() as server:
        yield server.host


def batches(path: Path, most: int, table: str) -> list[bytes]:
    """MutateRows requests of the flights, serialized."""
    request_class = protos.data("MutateRowsRequest")
    made = []
    with gzip.open(path, "rt") as lines:
        flights = itertools.islice(itertools.cycle(csv.DictReader(lines)), most)
        for number, batch in enumerate(iter(lambda: list(itertools.islice(flights, BATCH)), [])):
            request = request_class(table_name=table)
            for position, flight in enumerate(batch):
                day = f"{flight['year']}-{int(flight['month']):02d}-{int(flight['day']):02d}"
                key = f"{flight['carrier']}#{flight['flight']}#{day}#{number * BATCH + position:06d}"
                entry = request.entries.add(row_key=key.encode())
                for column in COLUMNS:
                    cell = entry.mutations.add().set_cell
                    cell.family_name, cell.column_qualifier = "flight", column.encode()
                    cell.timestamp_micros, cell.value = 1_700_000_000_000_000, flight[column].encode()
            made.append(request.SerializeToString())
    return made


def channel(address: str) -> grpc.Channel:
    """A channel that takes the thread hand-off per message out of the measurement."""
    options = [("SingleThreadedUnaryStream", 1), ("grpc.max_receive_message_length", -1)]
    return grpc.insecure_channel(address, options=options)


def create(connection: grpc.Channel, table: str) -> None:
    """Create a table with one family."""
    request = protos.admin("CreateTableRequest")(parent=PARENT, table_id=table)
    request.table.column_families["flight"].SetInParent()
    call = connection.unary_unary("/google.bigtable.admin.v2.BigtableTableAdmin/CreateTable")
    call(request.SerializeToString(), wait_for_ready=True)


def load(connection: grpc.Channel, requests: list[bytes]) -> float:
    """Seconds to write everything, one request after the other."""
    call = connection.unary_stream("/google.bigtable.v2.Bigtable/MutateRows")
    began = time.perf_counter()
    for request in requests:
        for _ in call(request):
            pass
    return time.perf_counter() - began


def scan(connection: grpc.Channel, table: str, **settings: object) -> float:
    """Seconds to read the whole table."""
    request = protos.data("ReadRowsRequest")(table_name=f"{PARENT}/tables/{table}", **settings)
    call = connection.unary_stream("/google.bigtable.v2.Bigtable/ReadRows")
    began = time.perf_counter()
    for _ in call(request.SerializeToString()):
        pass
    return time.perf_counter() - began


def client_scan(address: str, table: str, rows: int) -> float:
    """Seconds for google-cloud-bigtable's data client to read some rows."""
    from google.cloud.bigtable.data import BigtableDataClient, ReadRowsQuery

    from btmodel.client.channels import served_at
    from btmodel.client.target import Target

    client_class = served_at(BigtableDataClient, Target("projects/p/instances/i", address))
    with client_class(project="p") as client, client.get_table("i", table) as opened:
        began = time.perf_counter()
        count = sum(1 for _ in opened.read_rows_stream(ReadRowsQuery(limit=rows)))
        assert count == rows, (count, rows)
        return time.perf_counter() - began


async def _client(address: str, number: int) -> None:
    """Write, increment and read a row of its own, in turns."""
    table, key = f"{PARENT}/tables/clients", b"k%03d" % number
    cell = {"family_name": "flight", "column_qualifier": b"q", "timestamp_micros": 1000, "value": b"v" * 50}
    rule = {"family_name": "flight", "column_qualifier": b"n", "increment_amount": 1}
    newest = {"cells_per_column_limit_filter": 1}
    write = protos.data("MutateRowRequest")(table_name=table, row_key=key, mutations=[{"set_cell": cell}])
    add = protos.data("ReadModifyWriteRowRequest")(table_name=table, row_key=key, rules=[rule])
    read = protos.data("ReadRowsRequest")(table_name=table, rows={"row_keys": [key]}, filter=newest)
    requests = [request.SerializeToString() for request in (write, add, read)]
    own = [("grpc.use_local_subchannel_pool", 1)]  # a connection, and not a share of another's
    async with grpc.aio.insecure_channel(address, options=own) as connection:
        writing = connection.unary_unary(f"{SERVICE}/MutateRow")
        adding = connection.unary_unary(f"{SERVICE}/ReadModifyWriteRow")
        reading = connection.unary_stream(f"{SERVICE}/ReadRows")
        for _ in range(TURNS):
            await writing(requests[0], wait_for_ready=True)
            await adding(requests[1])
            async for _ in reading(requests[2]):
                pass


def clients(address: str) -> float:
    """Seconds for many clients at once."""
    with channel(address) as connection:
        create(connection, "clients")

    async def work() -> None:
        await asyncio.gather(*(_client(address, number) for number in range(CLIENTS)))

    began = time.perf_counter()
    asyncio.run(work())
    return time.perf_counter() - began


def measure_clients() -> dict[str, float]:
    """The ratios of one round of many clients at once."""
    seconds = {}
    for name, server in (("emulator", google), ("memory", in_memory), ("file", local)):
        with server() as address:
            seconds[name] = clients(address)
        calls = 3 * CLIENTS * TURNS
        print(f"{CLIENTS} clients: {name} {calls / seconds[name]:,.0f} calls/s", flush=True)
    return {f"{CLIENTS} clients, {name}": seconds["emulator"] / seconds[name] for name in ("memory", "file")}


def measure_growth() -> None:
    """Print what an event costs that is appended to a row, by how many the row gets, 1,000 in a request."""
    request_class = protos.data("MutateRowsRequest")
    with local() as address, channel(address) as connection:
        create(connection, "wide")
        for events in GROWTH:
            requests = []
            for first in range(0, events, BATCH):
                request = request_class(table_name=f"{PARENT}/tables/wide")
                for number in range(first, min(events, first + BATCH)):
                    cell = request.entries.add(row_key=b"k%d" % events).mutations.add().set_cell
                    cell.family_name, cell.column_qualifier = "flight", b"q"
                    cell.timestamp_micros, cell.value = number * 1_000, b"v" * 8
                requests.append(request.SerializeToString())
            seconds = load(connection, requests)
            print(f"events of one row: {events:,}: {seconds / events * 1e6:,.0f} us each", flush=True)


def measure(address: str, csv_path: Path, rows: int) -> dict[str, float]:
    """The seconds of each measurement on one server."""
    chain = {
        "chain": {
            "filters": [{"column_qualifier_regex_filter": b"dep_.*"}, {"cells_per_column_limit_filter": 1}]
        }
    }
    with channel(address) as connection:
        create(connection, "flights")
        requests = batches(csv_path, rows, f"{PARENT}/tables/flights")
        times = {
            "bulk load": load(connection, requests),
            "scan": scan(connection, "flights"),
            "filtered scan": scan(connection, "flights", filter=chain),
        }
    times["scan by the data client"] = client_scan(address, "flights", min(rows, 20_000))
    return times


def main() -> None:
    """Print the rates and the ratios."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--csv", type=Path, default=JANUARY)
    parser.add_argument("--rows", type=int, default=336_776)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["clients", "growth"])
    options = parser.parse_args()
    measure_growth()
    if options.only == "growth":
        return
    ratios: dict[str, list[float]] = {}
    for number in range(options.rounds):
        found = measure_clients()
        if options.only != "clients":
            found |= compare(options, number)
        for what, ratio in found.items():
            ratios.setdefault(what, []).append(ratio)
    for what, all_found in ratios.items():
        print(
            f"{what}: {statistics.median(all_found):.2f} of the emulator, "
            f"of {sorted(round(ratio, 2) for ratio in all_found)}"
        )


def compare(options: argparse.Namespace, number: int) -> dict[str, float]:
    """The ratios of one round of loads and scans."""
    servers = [("emulator", google), ("local", local)]
    times = {}
    for name, server in servers if number % 2 == 0 else reversed(servers):
        with server() as address:
            times[name] = measure(address, options.csv, options.rows)
    for what, seconds in times["local"].items():
        rows = min(options.rows, 20_000) if "client" in what else options.rows
        print(
            f"round {number + 1}: {what}: local {rows / seconds:,.0f} rows/s, "
            f"emulator {rows / times['emulator'][what]:,.0f} rows/s",
            flush=True,
        )
    return {what: times["emulator"][what] / seconds for what, seconds in times["local"].items()}


if __name__ == "__main__":
    main()
