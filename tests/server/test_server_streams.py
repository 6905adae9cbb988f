"""How rows are cut into chunks and messages, and how far a scan says it has come."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest
from server_api import Api, merge, set_cell

from btmodel.server import start

MIB = 1 << 20
READ_ROWS = "/google.bigtable.v2.Bigtable/ReadRows"


def responses(api: Api, table: str, **fields: object) -> list[object]:
    """The messages of a scan."""
    found: list[object] = api("ReadRows", table_name=table, **fields)
    return found


def fill(api: Api, table: str, count: int, size: int = 100, batch: int = 1000) -> None:
    """Write rows r000000, r000001 and so on, each with one value of a size."""
    numbers = iter(range(count))
    while numbered := list(itertools.islice(numbers, batch)):
        entries = [
            {"row_key": b"r%06d" % n, "mutations": [set_cell("cf:q", b"%d" % (n % 10) * size)]}
            for n in numbered
        ]
        api("MutateRows", table_name=table, entries=entries)


def test_names_are_sent_when_they_change(api: Api) -> None:
    """Key, family and qualifier must come once, where each changes, and commit_row on the last chunk."""
    table = api.table(families={"a": {}, "b": {}})
    cells = [set_cell("a:x", b"1", 2000), set_cell("a:x", b"2", 1000), set_cell("a:y"), set_cell("b:y")]
    api("MutateRow", table_name=table, row_key=b"k", mutations=cells)
    (response,) = responses(api, table)
    sent = [
        (c.row_key, c.HasField("family_name"), c.HasField("qualifier"), c.commit_row) for c in response.chunks
    ]
    assert sent == [
        (b"k", True, True, False),
        (b"", False, False, False),
        (b"", False, True, False),
        (b"", True, True, True),
    ]


def test_empty_qualifier_value_and_timestamp(api: Api) -> None:
    """Nothing in an empty qualifier, an empty value or the timestamp zero may be lost."""
    table = api.table()
    api("MutateRow", table_name=table, row_key=b"k", mutations=[set_cell("cf:", b"", 0)])
    assert api.rows(table) == [(b"k", [("cf:", 0, b"")])]


def test_many_rows_share_a_message(api: Api) -> None:
    """Small rows must share messages of 64 KiB at most, so that half a megabyte of them comes in nine."""
    table = api.table()
    fill(api, table, 4_200)
    found = responses(api, table)
    sizes = [response.ByteSize() for response in found]
    assert sum(sizes) > 540_000
    assert len(found) == 9 and max(sizes) <= 64 << 10
    assert [key for key, _ in merge(found)] == [b"r%06d" % n for n in range(4_200)]


def test_a_row_over_the_size_of_a_message_has_its_own(api: Api) -> None:
    """Rows that do not fit into one message together must come alone, between small ones that share theirs."""
    table = api.table()
    sizes = [10, 10, 40_000, 40_000, 100_000, 10, 10]
    for number, size in enumerate(sizes):
        api.set(table, b"r%d" % number, b"v" * size)
    counts = [sum(chunk.commit_row for chunk in response.chunks) for response in responses(api, table)]
    assert counts == [3, 1, 1, 2]


@pytest.mark.parametrize("size", [MIB - 1, MIB, MIB + 1, 3 * MIB, 10 * MIB + 7])
def test_a_large_value_is_cut(api: Api, size: int) -> None:
    """A value over a mebibyte must come in chunks that name its size, in messages under 4 MiB."""
    table = api.table()
    value = bytes(range(256)) * (size // 256 + 1)
    cells = [set_cell("cf:a", b"small"), set_cell("cf:b", value[:size]), set_cell("cf:c", b"small")]
    api("MutateRow", table_name=table, row_key=b"k1", mutations=cells)
    api.set(table, b"k2")
    found = responses(api, table)
    assert all(response.ByteSize() < 4 * MIB for response in found)
    cut = [chunk for response in found for chunk in response.chunks if chunk.value_size]
    assert [chunk.value_size for chunk in cut] == [size] * ((size - 1) // MIB)
    rows = {key: [value for _, _, value, _ in cells] for key, cells in merge(found)}
    assert rows == {b"k1": [b"small", value[:size], b"small"], b"k2": [b"v"]}


def test_a_row_over_many_messages_names_its_key_again(api: Api) -> None:
    """A message that goes on with a row at a new cell must name the key, which the public client needs."""
    table = api.table()
    for number in range(8):
        api.set(table, b"k", b"v" * 900_000, column=f"cf:{number}")
    found = responses(api, table)
    assert len(found) > 1
    assert [response.chunks[0].row_key for response in found] == [b"k"] * len(found)


def test_largest_cell(api: Api) -> None:
    """A cell of 100 MiB must be kept whole, and one of a byte more be refused."""
    table = api.table()
    value = b"x" * (100 * MIB)
    api.set(table, b"k", value)
    ((_, ((_, _, found),)),) = api.rows(table)
    assert found == value
    refused = api(
        "MutateRows",
        table_name=table,
        entries=[{"row_key": b"l", "mutations": [set_cell("cf:q", value + b"x")]}],
    )
    assert refused[0].entries[0].status.code == 3
    assert api.keys(table) == [b"k"]


def test_a_scan_says_how_far_it_is(api: Api) -> None:
    """A scan that leaves out thousands of rows must name the last key that it has passed, in rising order."""
    table = api.table()
    fill(api, table, 5_500)
    api.set(table, b"r002500", b"expected")
    found = responses(api, table, filter={"value_regex_filter": b"expected"})
    scanned = [response.last_scanned_row_key for response in found if response.last_scanned_row_key]
    assert scanned == [b"r000999", b"r001999", b"r003500", b"r004500"]
    order = [r.last_scanned_row_key or r.chunks[0].row_key for r in found]
    assert order == sorted(order) and b"r002500" in order


def test_reversed_scan(api: Api) -> None:
    """A reversed scan must give the same rows in falling order, with limits, ranges and over many pages."""
    table = api.table()
    fill(api, table, 300, size=10_000)
    keys = [b"r%06d" % n for n in range(300)]
    assert api.keys(table, reversed=True) == keys[::-1]
    assert api.keys(table, reversed=True, rows_limit=3) == [b"r000299", b"r000298", b"r000297"]
    ranges = [
        {"start_key_closed": b"r000010", "end_key_open": b"r000012"},
        {"start_key_open": b"r000100", "end_key_closed": b"r000102"},
    ]
    rows = {"row_keys": [b"r000050"], "row_ranges": ranges}
    assert api.keys(table, reversed=True, rows=rows) == [keys[n] for n in (102, 101, 50, 11, 10)]


def test_request_statistics(api: Api) -> None:
    """Statistics must come last when they are asked for, also when there are no rows."""
    table = api.table()
    fill(api, table, 10)
    found = responses(api, table, request_stats_view=2, filter={"row_key_regex_filter": b".*[0-4]"})
    seen = found[-1].request_stats.full_read_stats_view.read_iteration_stats
    assert (seen.rows_seen_count, seen.rows_returned_count) == (10, 5)
    assert (seen.cells_seen_count, seen.cells_returned_count) == (10, 5)
    latency = found[-1].request_stats.full_read_stats_view.request_latency_stats.frontend_server_latency
    assert 0 < latency.ToNanoseconds() < 60 * 10**9
    empty = responses(api, table, request_stats_view=2, rows={"row_keys": [b"no"]})
    assert [response.HasField("request_stats") for response in empty] == [True]


def test_sampled_keys_part_the_table(api: Api) -> None:
    """Samples must rise in key and offset, part the table evenly, and end with the end of the table."""
    table = api.table()
    fill(api, table, 5_000, size=1_000)
    samples = [(sample.row_key, sample.offset_bytes) for sample in api("SampleRowKeys", table_name=table)]
    keys, offsets = [key for key, _ in samples[:-1]], [offset for _, offset in samples]
    assert len(keys) in (4, 5) and keys == sorted(keys)
    assert samples[-1][0] == b"" and offsets == sorted(offsets)
    assert all(0.9 * MIB < b - a < 1.1 * MIB for a, b in itertools.pairwise(offsets[:-1]))


def test_initial_splits_are_sampled(api: Api) -> None:
    """The splits that a table was created with must be among its samples, also while it is empty."""
    splits = [{"key": b"m"}, {"key": b"d"}]
    families = {"column_families": {"cf": {}}}
    api("CreateTable", parent=api.instance, table_id="t", table=families, initial_splits=splits)
    api.set(api.name("t"), b"f")
    samples = api("SampleRowKeys", table_name=api.name("t"))
    assert [sample.row_key for sample in samples] == [b"d", b"m", b""]
    assert samples[0].offset_bytes == 0 < samples[1].offset_bytes == samples[2].offset_bytes


def test_memory_stays_flat(tmp_path: Path) -> None:
    """The server must not hold a table in memory, neither while it is written nor for a slow reader."""
    with start(tmp_path / "large.db") as running:
        api = Api(running.host)
        table = api.table()
        fill(api, table, 2_000, size=1_000, batch=100)
        before = _resident(running.pid)
        fill(api, table, 20_000, size=10_000, batch=100)
        read, most = 0, 0
        for number, message in enumerate(api.channel.unary_stream(READ_ROWS)(_scan(table))):
            if number < 10:
                time.sleep(0.1)  # what is sent and not taken must not pile up
            most = max(most, _resident(running.pid))
            read += len(message)
        assert read > 190 * MIB
        assert most - before < 60 * MIB


def _scan(table: str) -> bytes:
    return b"\x0a" + bytes([len(table)]) + table.encode()


def _resident(pid: int) -> int:
    """The memory of a process, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096
