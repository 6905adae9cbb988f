"""Materialized views of the local server: whatever changes rows goes through, and nothing is lost by kill -9."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from server_api import Api, set_cell

from btmodel.server import RunningServer, start
from btmodel.server.view_query import ViewedRow, parse

QUERY = """SELECT
  CONCAT(`f`[b'c'], b'#', _key) AS _key,
  ANY_VALUE(`f`[b'v']) AS `v`
FROM `t`
WHERE `f`[b'c'] IS NOT NULL
GROUP BY 1"""
ROLLUP = """SELECT
  `f`[b'c'] AS _key,
  COUNT(*) AS `n`,
  MIN(SAFE_CAST(SAFE_CAST(`g`[b'v'] AS STRING) AS INT64)) AS `least`
FROM `t`
WHERE `f`[b'c'] IS NOT NULL
GROUP BY 1"""


class Views:
    """An instance with a table ``t`` of families ``f`` and ``g``, and views of it."""

    def __init__(self, host: str, instance: str | None = None) -> None:
        self.api = Api(host)
        self.api.instance = instance or self.api.instance
        self.instance = self.api.instance
        self.table = f"{self.instance}/tables/t"

    def make(self, versions: int = 0) -> None:
        rule: dict[str, object] = {"gc_rule": {"max_num_versions": versions}} if versions else {}
        families = {"f": rule, "g": {}}
        self.api("CreateTable", parent=self.instance, table_id="t", table={"column_families": families})

    def view(self, id: str, query: str, **more: object) -> None:
        self.api(
            "CreateMaterializedView",
            parent=self.instance,
            materialized_view_id=id,
            materialized_view={"query": query, **more},
        )

    def put(self, key: bytes, family: str, column: bytes, value: bytes, time: int = 1000) -> None:
        self.api(
            "MutateRow",
            table_name=self.table,
            row_key=key,
            mutations=[set_cell(f"{family}:{column.decode()}", value, time)],
        )

    def rows(self, **where: str) -> dict[bytes, dict[tuple[str, bytes], bytes]]:
        """Newest values of the rows of a table or a view."""
        found: dict[bytes, dict[tuple[str, bytes], bytes]] = {}
        key, family, qualifier = b"", "", b""
        for message in self.api("ReadRows", **where):
            for chunk in message.chunks:
                key = chunk.row_key or key
                family = chunk.family_name.value if chunk.HasField("family_name") else family
                qualifier = chunk.qualifier.value if chunk.HasField("qualifier") else qualifier
                found.setdefault(key, {}).setdefault((family, qualifier), chunk.value)
        return found

    def of_view(self, id: str) -> dict[bytes, dict[tuple[str, bytes], bytes]]:
        return self.rows(materialized_view_name=f"{self.instance}/materializedViews/{id}")

    def meant(self, query: str) -> dict[bytes, dict[tuple[str, bytes], bytes]]:
        """What the view of a query is, made of the rows of the table anew."""
        parsed, groups = parse(query), dict[bytes, list[Any]]()
        for key, cells in sorted(self.rows(table_name=self.table).items()):
            if part := parsed.part(ViewedRow(key, cells)):
                groups.setdefault(part[0], []).append(part[1])
        made = {
            key: {("default", name): value for name, value in parsed.cells(parts)}
            for key, parts in groups.items()
        }
        return {key: cells for key, cells in made.items() if cells}


@pytest.fixture
def views(server: RunningServer) -> Iterator[Views]:
    made = Views(server.host)
    yield made
    made.api.close()


KEYS = st.sampled_from([b"a1", b"a2", b"b1", b"b2"])
STEPS = st.one_of(
    st.tuples(st.just("put"), KEYS, st.sampled_from([b"x", b"y", b"10", b"-3"])),
    st.tuples(st.just("value"), KEYS, st.sampled_from([b"7", b"12", b"no"])),
    st.tuples(st.just("delete"), KEYS, st.just(b"")),
    st.tuples(st.just("clear"), KEYS, st.just(b"")),
    st.tuples(st.just("prefix"), st.sampled_from([b"a", b"b"]), st.just(b"")),
    st.tuples(st.just("empty"), st.just(b""), st.just(b"")),
    st.tuples(st.just("read"), st.just(b""), st.just(b"")),
)


@given(steps=st.lists(STEPS, max_size=12), half=st.integers(0, 12))
@settings(max_examples=20, deadline=None)
def test_whatever_changes_rows_goes_through(
    server: RunningServer, steps: list[tuple[str, bytes, bytes]], half: int
) -> None:
    """After any writes, deletions, dropped ranges and an emptied table, before and after it is made, a view is what its query says."""
    views = Views(server.host)
    views.make()
    table = views.table
    for at, (step, key, value) in enumerate(steps):
        if at == half:
            views.view("INDEX", QUERY)
        match step:
            case "put":
                views.put(key, "f", b"c", value)
            case "value":
                views.put(key, "f", b"v", value)
                views.put(key, "g", b"v", value)
            case "delete":
                views.api("MutateRow", table_name=table, row_key=key, mutations=[{"delete_from_row": {}}])
            case "clear":
                views.api(
                    "MutateRow",
                    table_name=table,
                    row_key=key,
                    mutations=[{"delete_from_family": {"family_name": "f"}}],
                )
            case "prefix":
                views.api("DropRowRange", name=table, row_key_prefix=key)
            case "empty":
                views.api("DropRowRange", name=table, delete_all_data_from_table=True)
            case "read" if at > half:
                assert views.of_view("INDEX") == views.meant(QUERY)
    if len(steps) <= half:
        views.view("INDEX", QUERY)
    views.view("ROLLUP", ROLLUP)
    assert views.of_view("INDEX") == views.meant(QUERY)
    assert views.of_view("ROLLUP") == views.meant(ROLLUP)
    views.api.close()


def test_garbage_collection_goes_through(tmp_path: Path) -> None:
    """What the garbage collector deletes of the table is gone from a view, though nobody has written."""
    with start() as server:
        views = Views(server.host)
        views.make()
        views.view("ROLLUP", ROLLUP)
        views.put(b"a", "f", b"c", b"x")
        views.put(b"a", "g", b"v", b"5")
        assert len(views.of_view("ROLLUP")) == 1
        rule = {
            "id": "f",
            "update": {"gc_rule": {"max_age": {"seconds": 3600}}},
            "update_mask": {"paths": ["gc_rule"]},
        }
        views.api("ModifyColumnFamilies", name=views.table, modifications=[rule])
        server.collect_garbage()
        assert views.of_view("ROLLUP") == {}
        views.api.close()


def test_a_view_lags_as_long_as_it_is_told_to() -> None:
    """With a lag, what is written is in a view only after it; the rest stays as it was."""
    with start(view_lag=1.0) as server:
        views = Views(server.host)
        views.make()
        views.put(b"a", "f", b"c", b"x")
        views.view("INDEX", QUERY)
        views.put(b"a", "f", b"v", b"1")
        before = views.of_view("INDEX")
        assert before in ({}, {b"x#a": {}}) or all(
            ("default", b"v") not in cells for cells in before.values()
        )
        until = time.monotonic() + 10
        while views.of_view("INDEX") != {b"x#a": {("default", b"v"): b"1"}}:
            assert time.monotonic() < until
            time.sleep(0.1)
        views.api.close()


class Writer(threading.Thread):
    """Writes and deletes rows until the server is gone."""

    def __init__(self, views: Views, seed: int) -> None:
        super().__init__(daemon=True)
        self.views, self.random, self.written = views, random.Random(seed), 0

    def run(self) -> None:
        with suppress(grpc.RpcError):
            while True:
                key = b"%02d" % self.random.randrange(40)
                if self.random.random() < 0.2:
                    mutation: Any = {"delete_from_row": {}}
                    self.views.api(
                        "MutateRow", table_name=self.views.table, row_key=key, mutations=[mutation]
                    )
                else:
                    self.views.put(key, "f", b"c", b"%d" % self.random.randrange(5))
                    self.views.put(key, "f", b"v", b"%d" % self.random.randrange(1000))
                    self.views.put(key, "g", b"v", b"%d" % self.random.randrange(1000))
                self.written += 1


class Reader(threading.Thread):
    """Reads the views until the server is gone, which works off what was noted."""

    def __init__(self, views: Views) -> None:
        super().__init__(daemon=True)
        self.views = views

    def run(self) -> None:
        with suppress(grpc.RpcError):
            while True:
                self.views.of_view("INDEX")
                self.views.of_view("ROLLUP")


def test_views_and_table_agree_after_every_kill(tmp_path: Path) -> None:
    """Killed at any moment, with writers and readers under way, and started again: each view is what the rows of the table make."""
    path, instance = tmp_path / "dev.db", "projects/p/instances/killed"
    written = 0
    for life in range(8):
        server = start(path)
        views = Views(server.host, instance)
        if life == 0:
            views.make()
            views.view("INDEX", QUERY)
            views.view("ROLLUP", ROLLUP)
        assert views.of_view("INDEX") == views.meant(QUERY)
        assert views.of_view("ROLLUP") == views.meant(ROLLUP)
        writer, reader = Writer(views, life), Reader(views)
        writer.start()
        reader.start()
        time.sleep(0.15 + 0.05 * life)
        os.kill(server.pid, signal.SIGKILL)
        writer.join(20)
        reader.join(20)
        written += writer.written
        server.kill()
        views.api.close()
    assert written > 50
    with start(path) as server:
        views = Views(server.host, instance)
        assert views.of_view("INDEX") == views.meant(QUERY) != {}
        assert views.of_view("ROLLUP") == views.meant(ROLLUP)
        views.api.close()


REFUSED = [
    (QUERY.replace("GROUP BY 1", "ORDER BY 1"), "UNIMPLEMENTED", "ORDER"),
    (QUERY.replace("`f`[b'c'] IS NOT NULL", "SOUNDEX(`f`[b'c']) IS NOT NULL"), "UNIMPLEMENTED", "SOUNDEX"),
    (QUERY.replace("SELECT", "SELECT DISTINCT"), "UNIMPLEMENTED", "DISTINCT"),
    (
        QUERY.replace("ANY_VALUE(`f`[b'v'])", "`f`[b'v']"),
        "INVALID_ARGUMENT",
        "neither grouped nor aggregated",
    ),
    (QUERY.replace("`t`", "`nowhere`"), "NOT_FOUND", "nowhere"),
    (QUERY.replace("`f`", "`h`"), "INVALID_ARGUMENT", "Unrecognized name: h"),
    ("SELECT", "INVALID_ARGUMENT", "Syntax error"),
    ("DROP TABLE `t`", "INVALID_ARGUMENT", "Syntax error"),
    (QUERY.replace("CONCAT(", "CONCAT(" * 200), "INVALID_ARGUMENT", "in one another"),
    ("SELECT 'a", "INVALID_ARGUMENT", "Syntax error"),
]


@pytest.mark.parametrize(("query", "code", "text"), REFUSED)
def test_sql_that_btmodel_does_not_write_is_refused_by_name(
    views: Views, query: str, code: str, text: str
) -> None:
    """What the server does not understand it names, and keeps nothing."""
    views.make()
    with pytest.raises(grpc.RpcError) as refused:
        views.view("V", query)
    assert refused.value.code().name == code
    assert text in (refused.value.details() or "")
    assert not views.api("ListMaterializedViews", parent=views.instance).materialized_views


def test_limits_and_names(views: Views) -> None:
    """A table has five views; what a view reads is not dropped; a protected view is not deleted; an unknown one is not found."""
    views.make()
    for number in range(5):
        views.view(f"V{number}", QUERY, deletion_protection=number == 0)

    def refusal(method: str, **request: object) -> tuple[str, str]:
        with pytest.raises(grpc.RpcError) as refused:
            list(views.api(method, **request)) if method == "ReadRows" else views.api(method, **request)
        return refused.value.code().name, refused.value.details() or ""

    more = {"parent": views.instance, "materialized_view": {"query": QUERY}}
    assert refusal("CreateMaterializedView", materialized_view_id="V9", **more)[0] == "RESOURCE_EXHAUSTED"
    assert refusal("CreateMaterializedView", materialized_view_id="V1", **more)[0] == "ALREADY_EXISTS"
    assert refusal("DeleteTable", name=views.table)[0] == "FAILED_PRECONDITION"
    drop = [{"id": "f", "drop": True}]
    assert "reads it" in refusal("ModifyColumnFamilies", name=views.table, modifications=drop)[1]
    views.api("ModifyColumnFamilies", name=views.table, modifications=[{"id": "g", "drop": True}])
    name = f"{views.instance}/materializedViews/V0"
    assert "deletion protection" in refusal("DeleteMaterializedView", name=name)[1]
    off = {"materialized_view": {"name": name}, "update_mask": {"paths": ["deletion_protection"]}}
    views.api("UpdateMaterializedView", **off)
    views.api("DeleteMaterializedView", name=name)
    assert refusal("ReadRows", materialized_view_name=name)[0] == "NOT_FOUND"
    assert refusal("GetMaterializedView", name=name)[0] == "NOT_FOUND"
    other = {"materialized_view": {"name": name.replace("V0", "V1")}, "update_mask": {"paths": ["query"]}}
    assert "Only deletion_protection" in refusal("UpdateMaterializedView", **other)[1]
