"""The clients of others work: google-cloud-bigtable's data client, its older one, and cbt."""

from __future__ import annotations

import asyncio
import datetime
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from google.cloud import bigtable
from google.cloud.bigtable import column_family, row_filters
from google.cloud.bigtable.data import (
    BigtableDataClient,
    BigtableDataClientAsync,
    DeleteAllFromFamily,
    ReadRowsQuery,
    RowMutationEntry,
    RowRange,
    SetCell,
)
from google.cloud.bigtable.data import row_filters as data_filters
from google.cloud.bigtable.data.exceptions import MutationsExceptionGroup
from google.cloud.bigtable.data.read_modify_write_rules import AppendValueRule, IncrementRule
from server_api import Api, set_cell

from btmodel.server import RunningServer, start
from tests.googles_tools import NO_CREDENTIALS

pytestmark = pytest.mark.filterwarnings("ignore:Connecting to Bigtable emulator")


@pytest.fixture
def table_id(
    server: RunningServer, api: Api, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> str:
    """A new table of project p and instance i, which the clients find through the environment."""
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
    name: str = request.node.name[:45].replace("[", "_").replace("]", "")
    api("CreateTable", parent="projects/p/instances/i", table_id=name, table={"column_families": {"cf": {}}})
    return name


def test_data_client_scans_rows_with_large_cells(table_id: str) -> None:
    """A scan over several rows with cells over 4 MiB must give each row whole, wherever it stands."""
    sizes = {b"a": 1, b"b": 5 * 2**20, b"c": 9 * 2**20, b"d": 2}
    with BigtableDataClient(project="p") as client, client.get_table("i", table_id) as table:
        for key, size in sizes.items():
            table.mutate_row(key, [SetCell("cf", "q", b"x" * size, timestamp_micros=1000)])
        found = {row.row_key: len(row.cells[0].value) for row in table.read_rows(ReadRowsQuery())}
    assert found == sizes


def test_data_client(table_id: str) -> None:
    """The synchronous data client must write, read, check and count as its documentation says."""
    with BigtableDataClient(project="p") as client, client.get_table("i", table_id) as table:
        table.mutate_row(b"a", [SetCell("cf", "q", b"1", timestamp_micros=1000)])
        entries = [RowMutationEntry(b"r%03d" % n, [SetCell("cf", "n", n)]) for n in range(500)]
        table.bulk_mutate_rows(entries)
        assert table.read_row(b"a")["cf", b"q"][0].value == b"1"
        assert len(table.read_rows(ReadRowsQuery())) == 501
        limited = ReadRowsQuery(row_ranges=[RowRange(b"r100", b"r200")], limit=7)
        assert [row.row_key for row in table.read_rows_stream(limited)] == [
            b"r%03d" % n for n in range(100, 107)
        ]
        assert table.row_exists(b"a") and not table.row_exists(b"b")
        passes = data_filters.ValueRegexFilter(b"1")
        assert table.check_and_mutate_row(b"a", passes, true_case_mutations=SetCell("cf", "yes", b"1"))
        assert not table.check_and_mutate_row(b"b", passes, false_case_mutations=SetCell("cf", "no", b"1"))
        rules: list[IncrementRule | AppendValueRule] = [
            IncrementRule("cf", "n", 5),
            AppendValueRule("cf", "q", b"2"),
        ]
        changed = table.read_modify_write_row(b"a", rules)
        assert int(changed["cf", b"n"][0]) == 5 and changed["cf", b"q"][0].value == b"12"
        table.mutate_row(b"a", DeleteAllFromFamily("cf"))
        assert table.read_row(b"a") is None
        assert table.sample_row_keys()[-1][0] == b""
        with table.mutations_batcher() as batcher:
            for number in range(50):
                batcher.append(RowMutationEntry(b"batch%d" % number, SetCell("cf", "q", b"v")))
        assert len(table.read_rows(ReadRowsQuery(row_ranges=[RowRange(b"batch", b"batci")]))) == 50


def test_data_client_reports_failed_entries(table_id: str) -> None:
    """A batch with one bad entry must fail for that entry alone, at once."""
    with BigtableDataClient(project="p") as client, client.get_table("i", table_id) as table:
        bad = RowMutationEntry(b"bad", SetCell("no", "q", b"v", timestamp_micros=1000))
        good = RowMutationEntry(b"good", SetCell("cf", "q", b"v", timestamp_micros=1000))
        with pytest.raises(MutationsExceptionGroup) as caught:
            table.bulk_mutate_rows([good, bad])
        assert [error.index for error in caught.value.exceptions] == [1]
        assert "Requested column family not found" in str(caught.value.exceptions[0].__cause__)
        assert [row.row_key for row in table.read_rows(ReadRowsQuery())] == [b"good"]


def test_async_data_client(table_id: str) -> None:
    """The asynchronous data client must write and read, also many rows at a time."""

    async def work() -> None:
        async with BigtableDataClientAsync(project="p") as client, client.get_table("i", table_id) as table:
            await asyncio.gather(
                *(table.mutate_row(b"k%02d" % n, SetCell("cf", "q", b"%d" % n)) for n in range(50))
            )
            rows = await table.read_rows(ReadRowsQuery())
            assert [row["cf", b"q"][0].value for row in rows] == [b"%d" % n for n in range(50)]
            shards = await table.read_rows_sharded([ReadRowsQuery(b"k01"), ReadRowsQuery(b"k02")])
            assert len(shards) == 2
            streamed = [row.row_key async for row in await table.read_rows_stream(ReadRowsQuery(limit=3))]
            assert streamed == [b"k00", b"k01", b"k02"]

    asyncio.run(work())


def test_legacy_client(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The older client must create, change, write, read and delete."""
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
    client = bigtable.Client(project="legacy", admin=True)
    instance = client.instance("instance")
    table = instance.table("old")
    keep_two = column_family.MaxVersionsGCRule(2)
    table.create(column_families={"cf": keep_two})
    assert table.exists() and [t.table_id for t in instance.list_tables()] == ["old"]
    month = column_family.MaxAgeGCRule(datetime.timedelta(days=30))
    table.column_family("more", column_family.GCRuleUnion([keep_two, month])).create()
    families = table.list_column_families()
    assert families["cf"].gc_rule == keep_two
    assert families["more"].gc_rule == column_family.GCRuleUnion([keep_two, month])
    rows = []
    for number in range(20):
        row = table.direct_row(b"row%02d" % number)
        row.set_cell("cf", b"q", b"%d" % number)
        rows.append(row)
    assert all(status.code == 0 for status in table.mutate_rows(rows))
    assert table.read_row(b"row07").cell_value("cf", b"q") == b"7"
    latest = row_filters.CellsColumnLimitFilter(1)
    assert [r.row_key for r in table.read_rows(start_key=b"row05", end_key=b"row08", filter_=latest)] == [
        b"row05",
        b"row06",
        b"row07",
    ]
    appending = table.append_row(b"row00")
    appending.append_cell_value("cf", b"q", b"!")
    assert appending.commit()["cf"][b"q"][0][0] == b"0!"
    table.drop_by_prefix(b"row1")
    assert len(list(table.read_rows())) == 10
    table.truncate()
    assert not list(table.read_rows())
    table.delete()
    assert not table.exists()


Cbt = Callable[..., str]


@pytest.fixture
def cbt(server: RunningServer, api: Api) -> Cbt:
    """Runs cbt against an instance for one test and answers what it prints."""
    if not shutil.which("cbt"):
        pytest.skip("cbt is not installed")
    environment = {**os.environ, **NO_CREDENTIALS, "BIGTABLE_EMULATOR_HOST": server.host}
    _, project, _, instance = api.instance.split("/")

    def run(*arguments: str) -> str:
        command = ["cbt", "-project", project, "-instance", instance, *arguments]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, f"{command}: {done.stderr}{done.stdout}"
        return done.stdout

    return run


def test_cbt_tables(cbt: Cbt) -> None:
    """cbt must create, list, describe and delete tables, families and their rules."""
    cbt("createtable", "t")
    cbt("createfamily", "t", "cf")
    cbt("createfamily", "t", "more")
    assert cbt("ls").split() == ["t"]
    cbt("setgcpolicy", "t", "cf", "maxversions=2 or maxage=30d")
    described = cbt("ls", "t")
    assert "cf" in described and "versions() > 2" in described and "age() > 30d" in described, described
    cbt("deletefamily", "t", "more")
    assert "more" not in cbt("ls", "t")
    cbt("deletetable", "t")
    assert cbt("ls").split() == []


def test_cbt_rows(cbt: Cbt, tmp_path: Path) -> None:
    """cbt must write, read, look up, count, delete and import rows."""
    cbt("createtable", "t", "families=cf,sums:never:intsum")
    for number in range(3):
        cbt("set", "t", f"r{number}", f"cf:q=v{number}", "cf:other=x")
    assert cbt("count", "t").strip() == "3"
    assert '"v1"' in cbt("lookup", "t", "r1")
    assert cbt("read", "t", "start=r1", "columns=cf:q").count('"v') == 2
    cbt("addtocell", "t", "r0", "sums:n=5")
    assert "sums:n" in cbt("lookup", "t", "r0")
    cbt("deletecolumn", "t", "r1", "cf", "q")
    assert '"v1"' not in cbt("lookup", "t", "r1")
    cbt("deleterow", "t", "r2")
    assert cbt("count", "t").strip() == "2"
    rows = tmp_path / "rows.csv"
    rows.write_text(",cf,\n,a,b\nk1,1,2\nk2,3,4\n")
    cbt("import", "t", str(rows))
    assert cbt("count", "t", "prefix=k").strip() == "2"
    cbt("deleteallrows", "t")
    assert cbt("count", "t").strip() == "0"


@pytest.mark.parametrize("command", ["read t", "lookup t r1"])
def test_cbt_shows_full_statistics(cbt: Cbt, api: Api, command: str) -> None:
    """cbt must show all statistics of a read, whose absent parts would end it with a panic."""
    api.set(api.table(), b"r1")
    assert "frontend_server_latency" in cbt(*command.split(), "include-stats=full")


def test_cbt_reads_large_rows(cbt: Cbt, api: Api) -> None:
    """A row of 4 MB, just under the limit of cbt, must come whole: cbt takes no row in two messages."""
    table = api.table()
    cells = [set_cell(f"cf:{n}", b"z" * size) for n, size in enumerate((1_000_000, 3_000_000))]
    api("MutateRow", table_name=table, row_key=b"large", mutations=cells)
    api.set(table, b"small")
    assert cbt("read", "t").count("z") == 4_000_000


def test_large_rows_in_the_data_client(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A row of 5 MB, which no message of the client's default size can hold, must be read whole."""
    with start(tmp_path / "large.db") as running:
        monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", running.host)
        admin = bigtable.Client(project="p", admin=True).instance("i").table("t")
        admin.create(column_families={"cf": None})
        with BigtableDataClient(project="p") as client, client.get_table("i", "t") as table:
            for key in (b"a", b"b"):
                for column in "vwxyz":
                    table.mutate_row(key, SetCell("cf", column, column.encode() * 1_000_000))
            rows = table.read_rows(ReadRowsQuery())
            assert [row.row_key for row in rows] == [b"a", b"b"]
            assert all(row["cf", b"z"][0].value == b"z" * 1_000_000 for row in rows)


def test_data_client_runs_queries(table_id: str) -> None:
    """Google's client must run SQL with parameters, and read maps, numbers, arrays and times of it."""
    with BigtableDataClient(project="p") as client:
        with client.get_table("i", table_id) as table:
            for number in range(3):
                cells = [SetCell("cf", "n", number, timestamp_micros=1000)]
                table.mutate_row(b"r%d" % number, cells)
        query = f"SELECT _key, cf, TO_INT64(cf['n']) AS n, [1, 2] AS a, TIMESTAMP_MICROS(5) AS t FROM {table_id} WHERE _key >= @from"
        rows = list(client.execute_query(query, "i", parameters={"from": b"r1"}))
        assert [(row["_key"], row["n"], row["a"]) for row in rows] == [(b"r1", 1, [1, 2]), (b"r2", 2, [1, 2])]
        assert rows[0]["cf"] == {b"n": bytes(7) + b"\1"}
        assert rows[0]["t"] == datetime.datetime(1970, 1, 1, 0, 0, 0, 5, tzinfo=datetime.UTC)
        assert list(client.execute_query(f"SELECT _key FROM {table_id} WHERE _key = b'x'", "i")) == []


async def _queried(table_id: str) -> list[bytes]:
    async with BigtableDataClientAsync(project="p") as client:
        rows = await client.execute_query(f"SELECT _key FROM {table_id} ORDER BY _key DESC", "i")
        return [row["_key"] async for row in rows]


def test_async_data_client_runs_queries(table_id: str) -> None:
    """Google's asynchronous client must run SQL."""
    with BigtableDataClient(project="p") as client, client.get_table("i", table_id) as table:
        for key in (b"a", b"b"):
            table.mutate_row(key, [SetCell("cf", "q", b"1", timestamp_micros=1000)])
    assert asyncio.run(_queried(table_id)) == [b"b", b"a"]
