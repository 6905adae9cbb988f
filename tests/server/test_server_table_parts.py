"""Authorized views and schema bundles of the local server: what requests through a view see and may write, and what survives kill -9."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.api_core.exceptions import FailedPrecondition, PermissionDenied
from google.cloud import bigtable_admin_v2 as admin
from google.cloud.bigtable.data import BigtableDataClient, DeleteAllFromRow, ReadRowsQuery, SetCell
from google.cloud.bigtable_admin_v2 import BigtableTableAdminClient
from google.cloud.bigtable_admin_v2.services.bigtable_table_admin.transports import (
    BigtableTableAdminGrpcTransport,
)
from google.protobuf import descriptor_pb2, timestamp_pb2
from hypothesis import given, settings
from hypothesis import strategies as st
from server_api import Api, merge, set_cell

from btmodel.server import RunningServer, start
from btmodel.server.protos import names_in, wrong_with
from btmodel.server.views_and_bundles import Authorized


@pytest.fixture(scope="module")
def running() -> Iterator[RunningServer]:
    with start() as server:
        yield server


@pytest.fixture
def api(running: RunningServer) -> Iterator[Api]:
    made = Api(running.host)
    yield made
    made.close()


def view_of(api: Api, id: str = "v", prefixes: tuple[bytes, ...] = (b"a#",), **more: Any) -> str:
    """Make an authorized view of table ``t``, of the column f:q, and of those of g that begin with x."""
    subset = {
        "row_prefixes": prefixes,
        "family_subsets": {"f": {"qualifiers": [b"q"]}, "g": {"qualifier_prefixes": [b"x"]}},
    }
    api(
        "CreateAuthorizedView",
        parent=api.name("t"),
        authorized_view_id=id,
        authorized_view={"subset_view": subset, **more},
    )
    return f"{api.name('t')}/authorizedViews/{id}"


def refused(api: Api, method: str, **fields: Any) -> tuple[str, str]:
    """The code and the text of a call that must fail."""
    with pytest.raises(grpc.RpcError) as raised:
        api(method, **fields)
    error: Any = raised.value
    return error.code().name, error.details()


def test_reads_through_a_view_see_its_part(api: Api) -> None:
    """Rows and columns outside of the view are not there, whatever range, key or filter asks for them."""
    table = api.table(families={"f": {}, "g": {}})
    for key in (b"a#1", b"a#2", b"b#1"):
        for column in ("f:q", "f:other", "g:x1", "g:y"):
            api.set(table, key, column=column)
    view = view_of(api)

    def read(**fields: Any) -> list[tuple[bytes, list[str]]]:
        found = merge(api("ReadRows", authorized_view_name=view, **fields))
        return [(key, [column for column, *_ in cells]) for key, cells in found]

    mine = ["f:q", "g:x1"]
    assert read() == [(b"a#1", mine), (b"a#2", mine)]
    assert read(reversed=True) == [(b"a#2", mine), (b"a#1", mine)]
    assert read(rows={"row_keys": [b"a#2", b"b#1"]}) == [(b"a#2", mine)]
    assert read(rows={"row_ranges": [{"start_key_closed": b"a#2", "end_key_open": b"c"}]}) == [(b"a#2", mine)]
    assert read(rows={"row_keys": [b"b#1"]}) == []
    assert read(filter={"column_qualifier_regex_filter": b"other"}) == []
    assert read(rows_limit=1) == [(b"a#1", mine)]
    keys = [one.row_key for one in api("SampleRowKeys", authorized_view_name=view)]
    assert keys == [b""]


def test_writes_through_a_view_are_held_to_it(api: Api) -> None:
    """A write of another row, column or family is PERMISSION_DENIED, and leaves no trace; within the view it is made."""
    table = api.table(families={"f": {}, "g": {}})
    view = view_of(api)

    def write(key: bytes, *mutations: dict[str, Any]) -> None:
        api("MutateRow", authorized_view_name=view, row_key=key, mutations=list(mutations))

    write(b"a#1", set_cell("f:q"), set_cell("g:x1"))
    for key, mutation in (
        (b"b#1", set_cell("f:q")),
        (b"a#1", set_cell("f:other")),
        (b"a#1", set_cell("g:y")),
        (b"a#1", {"delete_from_row": {}}),
        (b"a#1", {"delete_from_family": {"family_name": "f"}}),
        (b"a#1", {"delete_from_column": {"family_name": "f", "column_qualifier": b"other"}}),
    ):
        fields: dict[str, Any] = {"row_key": key, "mutations": [set_cell("f:q", b"changed"), mutation]}
        assert refused(api, "MutateRow", authorized_view_name=view, **fields)[0] == "PERMISSION_DENIED"
    entries = [
        {"row_key": b"a#2", "mutations": [set_cell("f:q")]},
        {"row_key": b"b#2", "mutations": [set_cell("f:q")]},
    ]
    [answer] = api("MutateRows", authorized_view_name=view, entries=entries)
    assert [one.status.code for one in answer.entries] == [0, grpc.StatusCode.PERMISSION_DENIED.value[0]]
    assert api.rows(table) == [
        (b"a#1", [("f:q", 1000, b"v"), ("g:x1", 1000, b"v")]),
        (b"a#2", [("f:q", 1000, b"v")]),
    ]
    write(b"a#2", {"delete_from_column": {"family_name": "f", "column_qualifier": b"q"}})
    assert api.keys(table) == [b"a#1"]


def test_conditions_and_increments_are_held_to_the_view(api: Api) -> None:
    """A condition looks at the cells of the view alone, and both lists of mutations, and all rules, must lie in it."""
    table = api.table(families={"f": {}, "g": {}})
    api.set(table, b"a#1", column="f:other")
    view = view_of(api)

    def checked(key: bytes, then: list[Any], otherwise: list[Any]) -> bool:
        found = api(
            "CheckAndMutateRow",
            authorized_view_name=view,
            row_key=key,
            true_mutations=then,
            false_mutations=otherwise,
        )
        return bool(found.predicate_matched)

    assert checked(b"a#1", [], [set_cell("f:q")]) is False
    assert checked(b"a#1", [set_cell("g:x2")], []) is True
    for key, then in ((b"b#1", set_cell("f:q")), (b"a#1", set_cell("g:y"))):
        for lists in ({"true_mutations": [then]}, {"false_mutations": [then]}):
            code, _ = refused(api, "CheckAndMutateRow", authorized_view_name=view, row_key=key, **lists)
            assert code == "PERMISSION_DENIED"

    def appended(key: bytes, column: bytes) -> dict[str, Any]:
        rule = {"family_name": "f", "column_qualifier": column, "append_value": b"!"}
        return {"authorized_view_name": view, "row_key": key, "rules": [rule]}

    api("ReadModifyWriteRow", **appended(b"a#1", b"q"))
    assert refused(api, "ReadModifyWriteRow", **appended(b"a#1", b"other"))[0] == "PERMISSION_DENIED"
    assert refused(api, "ReadModifyWriteRow", **appended(b"b#1", b"q"))[0] == "PERMISSION_DENIED"
    newest = {column: value for column, _, value in reversed(api.rows(table)[0][1])}
    assert newest == {"f:q": b"v!", "f:other": b"v", "g:x2": b"v"}


def test_one_of_both_names_and_a_view_that_is_there(api: Api) -> None:
    """A request names the table or one of its authorized views, which must exist."""
    table = api.table(families={"f": {}, "g": {}})
    view = view_of(api)
    assert refused(api, "ReadRows", table_name=table, authorized_view_name=view)[0] == "INVALID_ARGUMENT"
    assert refused(api, "ReadRows", authorized_view_name=f"{view}_no") == (
        "NOT_FOUND",
        f"Authorized view not found: {view}_no",
    )
    assert refused(api, "MutateRow", authorized_view_name=table, row_key=b"a#")[0] == "INVALID_ARGUMENT"


def test_views_are_described_changed_and_deleted(api: Api) -> None:
    """What is asked for is answered; a view that would show less, a protected one, a wrong etag and a family that is not there are refused."""
    table = api.table(families={"f": {}, "g": {}})
    view = view_of(api, deletion_protection=True)
    assert api("GetAuthorizedView", name=view).subset_view.row_prefixes == []
    whole = api("GetAuthorizedView", name=view, view="FULL")
    assert list(whole.subset_view.row_prefixes) == [b"a#"] and whole.etag
    listed = api("ListAuthorizedViews", parent=table)
    assert [(one.name, one.deletion_protection) for one in listed.authorized_views] == [(view, False)]
    narrower = {
        "name": view,
        "subset_view": {"row_prefixes": [b"a#1"], "family_subsets": {"f": {"qualifiers": [b"q"]}}},
    }
    mask = {"paths": ["subset_view"]}
    code, text = refused(api, "UpdateAuthorizedView", authorized_view=narrower, update_mask=mask)
    assert code == "FAILED_PRECONDITION" and "less than before" in text
    api("UpdateAuthorizedView", authorized_view=narrower, update_mask=mask, ignore_warnings=True)
    assert (
        refused(
            api, "UpdateAuthorizedView", authorized_view={**narrower, "etag": whole.etag}, update_mask=mask
        )[0]
        == "ABORTED"
    )
    assert refused(api, "DeleteAuthorizedView", name=view)[0] == "FAILED_PRECONDITION"
    assert refused(api, "DeleteTable", name=table)[0] == "FAILED_PRECONDITION"
    drop = [{"id": "f", "drop": True}]
    assert refused(api, "ModifyColumnFamilies", name=table, modifications=drop)[0] == "FAILED_PRECONDITION"
    off = {"name": view, "deletion_protection": False}
    api("UpdateAuthorizedView", authorized_view=off, update_mask={"paths": ["deletion_protection"]})
    api("DeleteTable", name=table)
    api.table(families={"f": {}, "g": {}})
    assert list(api("ListAuthorizedViews", parent=table).authorized_views) == []
    wrong = {"subset_view": {"row_prefixes": [b""], "family_subsets": {"no": {}}}}
    assert (
        refused(api, "CreateAuthorizedView", parent=table, authorized_view_id="w", authorized_view=wrong)[0]
        == "NOT_FOUND"
    )


def files_of(*files: Any) -> bytes:
    made = [descriptor_pb2.FileDescriptorProto.FromString(file.serialized_pb) for file in files]
    return descriptor_pb2.FileDescriptorSet(file=made).SerializeToString()


def test_schema_bundles_are_kept(api: Api) -> None:
    """A bundle is read back as it was made; one that lacks an import is refused, as is one that loses fields without ignore_warnings."""
    table = api.table()
    descriptors = files_of(timestamp_pb2.DESCRIPTOR)
    bundle = {"proto_schema": {"proto_descriptors": descriptors}}
    api("CreateSchemaBundle", parent=table, schema_bundle_id="b", schema_bundle=bundle)
    name = f"{table}/schemaBundles/b"
    assert api("GetSchemaBundle", name=name).proto_schema.proto_descriptors == descriptors
    assert [one.name for one in api("ListSchemaBundles", parent=table).schema_bundles] == [name]
    assert (
        refused(api, "CreateSchemaBundle", parent=table, schema_bundle_id="b", schema_bundle=bundle)[0]
        == "ALREADY_EXISTS"
    )
    other = {"name": name, "proto_schema": {"proto_descriptors": files_of(descriptor_pb2.DESCRIPTOR)}}
    mask = {"paths": ["proto_schema"]}
    code, text = refused(api, "UpdateSchemaBundle", schema_bundle=other, update_mask=mask)
    assert code == "FAILED_PRECONDITION" and "google.protobuf.Timestamp.nanos = 2" in text
    api("UpdateSchemaBundle", schema_bundle=other, update_mask=mask, ignore_warnings=True)
    assert "google.protobuf.FileDescriptorSet.file = 1 (.google.protobuf.FileDescriptorProto)" in names_in(
        api("GetSchemaBundle", name=name).proto_schema.proto_descriptors
    )
    from google.protobuf import api_pb2  # which imports others

    for wrong in (b"", b"\xff", files_of(api_pb2.DESCRIPTOR)):
        refusal = {"proto_schema": {"proto_descriptors": wrong}}
        assert (
            refused(api, "CreateSchemaBundle", parent=table, schema_bundle_id="w", schema_bundle=refusal)[0]
            == "INVALID_ARGUMENT"
        )
        assert wrong_with(wrong)
    api("DeleteSchemaBundle", name=name)
    assert refused(api, "GetSchemaBundle", name=name)[0] == "NOT_FOUND"


def test_googles_clients_use_them(running: RunningServer, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Google's admin client makes a view and a bundle, and its data client reads and writes through the view."""
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", running.host)
    table = api.table(families={"f": {}})
    transport = BigtableTableAdminGrpcTransport(channel=grpc.insecure_channel(running.host))
    tables = BigtableTableAdminClient(transport=transport)
    subset = admin.AuthorizedView.SubsetView(
        row_prefixes=[b"a#"], family_subsets={"f": admin.AuthorizedView.FamilySubsets(qualifiers=[b"q"])}
    )
    making: Any = tables.create_authorized_view(
        parent=table, authorized_view_id="V", authorized_view=admin.AuthorizedView(subset_view=subset)
    )
    assert making.result().subset_view == subset
    made: Any = tables.create_schema_bundle(
        parent=table,
        schema_bundle_id="B",
        schema_bundle=admin.SchemaBundle(
            proto_schema=admin.ProtoSchema(proto_descriptors=files_of(timestamp_pb2.DESCRIPTOR))
        ),
    )
    assert made.result().name == f"{table}/schemaBundles/B"
    with pytest.raises(FailedPrecondition):
        tables.modify_column_families(request={"name": table, "modifications": [{"id": "f", "drop": True}]})
    project, instance = api.instance.split("/")[1::2]
    with pytest.warns(RuntimeWarning, match="emulator"):
        client = BigtableDataClient(project=project)
    with client:
        view = client.get_authorized_view(instance, "t", "V")
        view.mutate_row(b"a#1", SetCell("f", b"q", b"1"))
        client.get_table(instance, "t").mutate_row(b"b#1", SetCell("f", b"q", b"1"))
        assert [row.row_key for row in view.read_rows(ReadRowsQuery())] == [b"a#1"]
        for key, mutation in ((b"b#1", SetCell("f", b"q", b"1")), (b"a#1", DeleteAllFromRow())):
            with pytest.raises(PermissionDenied):
                view.mutate_row(key, mutation)
    transport.close()


def test_parts_survive_kill_nine(tmp_path: Path) -> None:
    """What was acknowledged of views and bundles is there after kill -9, and what was deleted is gone."""
    path = tmp_path / "dev.db"
    with start(path) as first:
        api = Api(first.host)
        instance = api.instance
        table = api.table(families={"f": {}, "g": {}})
        view, gone = view_of(api), view_of(api, "gone")
        api("DeleteAuthorizedView", name=gone)
        bundle = {"proto_schema": {"proto_descriptors": files_of(timestamp_pb2.DESCRIPTOR)}}
        api("CreateSchemaBundle", parent=table, schema_bundle_id="b", schema_bundle=bundle)
        before = api("GetAuthorizedView", name=view, view="FULL")
        api.close()
        os.kill(first.pid, signal.SIGKILL)
        first.kill()
    with start(path) as second:
        api = Api(second.host)
        api.instance = instance
        assert api("GetAuthorizedView", name=view, view="FULL") == before
        assert refused(api, "GetAuthorizedView", name=gone)[0] == "NOT_FOUND"
        assert api("ListSchemaBundles", parent=table).schema_bundles[0].proto_schema.proto_descriptors
        assert (
            refused(api, "MutateRow", authorized_view_name=view, row_key=b"b#", mutations=[set_cell("f:q")])[
                0
            ]
            == "PERMISSION_DENIED"
        )
        api.close()


_SMALL = st.binary(max_size=3).map(lambda raw: bytes(byte % 3 + 97 for byte in raw))


@settings(max_examples=100)
@given(
    st.lists(_SMALL, min_size=1, max_size=4),
    st.lists(_SMALL, max_size=3),
    st.lists(_SMALL, max_size=3),
    _SMALL,
    _SMALL,
)
def test_a_view_includes_just_those_that_show_no_more(
    rows: list[bytes], exact: list[bytes], prefixes: list[bytes], key: bytes, qualifier: bytes
) -> None:
    """What one view shows, each view that includes it shows as well; and a view with one prefix more includes it."""
    view = Authorized("v", tuple(rows), {"f": (frozenset(exact), tuple(prefixes))})
    wider = Authorized("v", (*rows, key), {"f": (frozenset(exact), (*prefixes, qualifier))})
    assert view.includes(view) and wider.includes(view)
    if view.includes(wider):
        assert view.has_row(key) and view.has_all("f", qualifier)
    if view.has_row(key):
        assert wider.has_row(key)


@pytest.fixture(scope="module")
def filled(running: RunningServer) -> Iterator[tuple[Api, list[tuple[bytes, list[tuple[str, int, bytes]]]]]]:
    """A table with rows and columns of short names, and what it holds."""
    api = Api(running.host)
    table = api.table(families={"f": {}, "g": {}})
    names = [b"a", b"ab", b"abc", b"b", b"ba", b"c", b"\xff", b"\xff\xff"]
    for key in names:
        mutations = [
            {
                "set_cell": {
                    "family_name": family,
                    "column_qualifier": name,
                    "timestamp_micros": 1000,
                    "value": b"v",
                }
            }
            for family in "fg"
            for name in names[:6]
        ]
        api("MutateRow", table_name=table, row_key=key, mutations=mutations)
    yield api, api.rows(table)
    api.close()


_NAME = st.sampled_from([b"", b"a", b"ab", b"abc", b"b", b"c", b"\xff"])
_NAMES = st.lists(_NAME, max_size=3)


@settings(max_examples=60)
@given(st.lists(_NAME, min_size=1, max_size=3), _NAMES, _NAMES, _NAME, _NAME, st.booleans())
def test_a_read_through_a_view_is_a_part_of_the_read_of_the_table(
    filled: Any,
    prefixes: list[bytes],
    exact: list[bytes],
    starts: list[bytes],
    start: bytes,
    end: bytes,
    backwards: bool,
) -> None:
    """Whatever the view, the range and the direction: the rows and cells of the table that begin and are called as it says, in their order."""
    api, whole = filled
    id = f"v{uuid.uuid4().hex}"
    subset = {
        "row_prefixes": prefixes,
        "family_subsets": {"f": {"qualifiers": exact, "qualifier_prefixes": starts}},
    }
    table = api.name("t")
    api(
        "CreateAuthorizedView",
        parent=table,
        authorized_view_id=id,
        authorized_view={"subset_view": subset},
    )
    span = {"start_key_closed": start} | ({"end_key_open": end} if end > start else {})
    found = merge(
        api(
            "ReadRows",
            authorized_view_name=f"{table}/authorizedViews/{id}",
            rows={"row_ranges": [span]},
            reversed=backwards,
        )
    )

    def shown(column: str) -> bool:
        family, _, name = column.partition(":")
        raw = name.encode()
        return family == "f" and (raw in exact or raw.startswith(tuple(starts)))

    meant = [
        (key, [column for column, *_ in cells if shown(column)])
        for key, cells in whole
        if key.startswith(tuple(prefixes)) and key >= start and (end <= start or key < end)
    ]
    meant = [row for row in meant if row[1]]
    assert [(key, [column for column, *_ in cells]) for key, cells in found] == (
        meant[::-1] if backwards else meant
    )
    api("DeleteAuthorizedView", name=f"{table}/authorizedViews/{id}")
