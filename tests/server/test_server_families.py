"""The order of the families in a row: that of their creation, and by name those of one CreateTable."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from server_api import Api, set_cell

from btmodel.server import protos, start
from btmodel.server.store import KIND

CREATED = ["m", "n", "z", "b", "a"]
FORMAT_1 = """
CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL, message BLOB NOT NULL, splits BLOB NOT NULL
);
CREATE TABLE rows (
    id INTEGER PRIMARY KEY, table_id INTEGER NOT NULL, row_key BLOB NOT NULL, cells BLOB NOT NULL,
    UNIQUE (table_id, row_key)
);
"""


def prepared(api: Api, **settings: Any) -> str:
    """A table whose families were created in three calls, with a row that has a cell in each."""
    table = api.table(families={"n": settings, "m": settings})
    for ids in ("zb", "a"):
        create(api, table, *ids)
    write(api, table, b"k")
    return table


def create(api: Api, table: str, *ids: str) -> None:
    """Create families in one call."""
    api("ModifyColumnFamilies", name=table, modifications=[{"id": each, "create": {}} for each in ids])


def write(api: Api, table: str, key: bytes, families: str = "abmnz") -> None:
    """Write a cell in each of some families."""
    api("MutateRow", table_name=table, row_key=key, mutations=[set_cell(f"{f}:q") for f in families])


def families(api: Api, table: str, **fields: Any) -> list[str]:
    """The families of the cells of the first row of a scan."""
    ((_, cells), *_) = api.rows(table, **fields)
    return [column.partition(":")[0] for column, _, _ in cells]


def test_limits_and_offsets_of_a_row_go_by_creation(api: Api) -> None:
    """The first cells of a row, and those behind an offset, must be those of the families created first."""
    table = prepared(api)
    assert families(api, table) == CREATED
    assert families(api, table, filter={"cells_per_row_limit_filter": 2}) == CREATED[:2]
    assert families(api, table, filter={"cells_per_row_offset_filter": 2}) == CREATED[2:]
    parts = [{"family_name_regex_filter": "[am]"}, {"family_name_regex_filter": "[nz]"}]
    pooled = {"interleave": {"filters": parts}}
    assert families(api, table, filter=pooled) == ["m", "n", "z", "a"]
    first = {"chain": {"filters": [pooled, {"cells_per_row_limit_filter": 3}]}}
    assert families(api, table, filter=first) == ["m", "n", "z"]
    sunk = {"interleave": {"filters": [{"sink": True}, {"family_name_regex_filter": "z"}]}}
    assert families(api, table, filter=sunk) == ["m", "n", "z", "z", "b", "a"]


def test_a_checked_row_has_its_families_in_the_order_of_creation(api: Api) -> None:
    """The predicate of a CheckAndMutateRow must see the cells in the order in which a scan does."""
    table = prepared(api)
    chain = {"chain": {"filters": [{"cells_per_row_limit_filter": 1}, {"family_name_regex_filter": "m"}]}}
    asked = {"table_name": table, "row_key": b"k", "true_mutations": [set_cell("a:q")]}
    assert api("CheckAndMutateRow", predicate_filter=chain, **asked).predicate_matched


@pytest.mark.parametrize("gc", ["lazy", "eager"])
def test_the_order_stays(tmp_path: Path, gc: Any) -> None:
    """A restart, garbage collection, a changed setting and an emptied table must leave the order as it is."""
    file = tmp_path / "dev.db"
    with start(file, gc=gc) as running:
        api = Api(running.host)
        table = prepared(api, gc_rule={"max_num_versions": 1})
        write(api, table, b"l")
        api.set(table, b"k", column="n:q", timestamp=2000)
        running.collect_garbage()
        assert families(api, table) == CREATED
        api("UpdateTable", table={"name": table}, update_mask={"paths": ["deletion_protection"]})
    with start(file, gc=gc) as running:
        api = Api(running.host)
        assert families(api, table) == CREATED
        api("DropRowRange", name=table, delete_all_data_from_table=True)
        write(api, table, b"k")
        assert families(api, table) == CREATED


def test_a_family_that_is_dropped_and_created_again_comes_last(api: Api) -> None:
    """A family that takes the name of a dropped one is a new one, also within one call."""
    table = prepared(api)
    again = [{"id": "n", "drop": True}, {"id": "y", "create": {}}, {"id": "n", "create": {}}]
    api("ModifyColumnFamilies", name=table, modifications=again)
    write(api, table, b"k", "ny")
    assert families(api, table) == ["m", "z", "b", "a", "y", "n"]


def test_a_described_table_has_its_families_by_name(api: Api) -> None:
    """The families of GetTable are a map, so they must come in one order from every process: by name."""
    table = prepared(api)
    method = "/google.bigtable.admin.v2.BigtableTableAdmin/GetTable"
    request = protos.admin("GetTableRequest")(name=table).SerializeToString()
    answer: bytes = api.channel.unary_unary(method)(request)
    entries = [b"\x1a\x05\x0a\x01" + family + b"\x12\x00" for family in (b"a", b"b", b"m", b"n", b"z")]
    assert b"".join(entries) in answer


def test_a_file_of_format_1_is_served(tmp_path: Path) -> None:
    """In a file from before the order was kept, families must come by name, and newer ones behind them."""
    file = tmp_path / "dev.db"
    name = "projects/p/instances/i/tables/t"
    message = protos.admin("Table")(name=name, granularity=1, column_families={"z": {}, "a": {}})
    cells = [
        {"row_key": b"k", "family_name": {"value": "a"}, "qualifier": {"value": b"q"}, "value": b"v"},
        {"family_name": {"value": "z"}, "qualifier": {"value": b"q"}, "value": b"v", "commit_row": True},
    ]
    row = protos.data("ReadRowsResponse")(chunks=cells)
    with closing(sqlite3.connect(file, isolation_level=None)) as old:
        old.executescript(FORMAT_1)
        old.execute(f"PRAGMA application_id = {KIND}")
        old.execute("PRAGMA user_version = 1")
        old.execute("INSERT INTO tables VALUES (1, ?, ?, ?)", (name, message.SerializeToString(), b""))
        old.execute("INSERT INTO rows VALUES (1, 1, ?, ?)", (b"k", row.SerializeToString()))
    for _ in range(2):
        with start(file) as running:
            assert families(Api(running.host), name) == ["a", "z"]
    with start(file) as running:
        api = Api(running.host)
        create(api, name, "b")
        write(api, name, b"k", "b")
    with start(file) as running:
        assert families(Api(running.host), name) == ["a", "z", "b"]
