"""What the admin API keeps, tells and refuses, beyond the cases that the emulator answers too."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest
from server_api import Api, failure, set_cell

from btmodel.server import RunningServer, protos, start

DAY = 86_400
SETTINGS = {
    "deletion_protection": True,
    "granularity": 2,
    "change_stream_config": {"retention_period": {"seconds": 2 * DAY}},
    "automated_backup_policy": {"retention_period": {"seconds": 7 * DAY}, "frequency": {"seconds": DAY}},
    "tiered_storage_config": {"infrequent_access": {"include_if_older_than": {"seconds": 40 * DAY}}},
    "row_key_schema": {
        "fields": [{"field_name": "name", "type_": {"string_type": {"encoding": {"utf8_bytes": {}}}}}],
        "encoding": {"singleton": {}},
    },
}


def test_all_settings_are_read_back(api: Api) -> None:
    """GetTable must answer every setting of a table and its families as it was given."""
    rule = {"union": {"rules": [{"max_num_versions": 2}, {"max_age": {"seconds": DAY, "nanos": 1000}}]}}
    sums = {
        "aggregate_type": {"input_type": {"int64_type": {"encoding": {"big_endian_bytes": {}}}}, "sum": {}}
    }
    families = {"plain": {"gc_rule": rule}, "sums": {"value_type": sums}}
    name = api.table(families=families, **SETTINGS)
    found = api("GetTable", name=name)
    wanted = protos.admin("Table")(name=name, column_families=families, **SETTINGS)
    state = wanted.column_families["sums"].value_type.aggregate_type
    state.state_type.CopyFrom(state.input_type)
    wanted.effective_automated_backup_policy.CopyFrom(wanted.automated_backup_policy)
    assert found == wanted


def test_views_of_a_table(api: Api) -> None:
    """A view must show what it is for and no more."""
    name = api.table()
    assert api("GetTable", name=name, view=1) == protos.admin("Table")(name=name)
    replicated = api("GetTable", name=name, view=3)
    assert [state.replication_state for state in replicated.cluster_states.values()] == [4]
    assert not replicated.column_families
    full = api("GetTable", name=name, view=4)
    assert full.column_families and full.cluster_states
    assert failure(api, "GetTable", name=name, view=99)[0] == "INVALID_ARGUMENT"


def test_pages_of_tables(api: Api) -> None:
    """Pages must name each table once, in order, and their tokens must fit the request."""
    for number in range(5):
        api.table(f"t{number}")
    names, token, pages = [], "", 0
    while pages == 0 or token:
        page = api("ListTables", parent=api.instance, page_size=2, page_token=token)
        names += [table.name for table in page.tables]
        token, pages = page.next_page_token, pages + 1
        if token:
            kept = token
    assert names == [api.name(f"t{number}") for number in range(5)] and pages == 3
    assert failure(api, "ListTables", parent=api.instance, page_token="nonsense")[0] == "INVALID_ARGUMENT"
    other = failure(api, "ListTables", parent=api.instance, page_token=kept, page_size=3)
    assert "page_size must stay 2" in other[1]
    assert failure(api, "ListTables", parent=api.instance, view=2)[0] == "INVALID_ARGUMENT"


def test_instances_are_apart(server: RunningServer, api: Api) -> None:
    """A table of one instance must not be seen in another; a deleted one takes its own along."""
    other = Api(server.host)
    api.table("mine")
    other.table("mine")
    other.set(other.name("mine"), b"theirs")
    assert api.keys(api.name("mine")) == []
    other("DeleteInstance", name=other.instance)
    assert not other("ListTables", parent=other.instance).tables
    assert api("GetTable", name=api.name("mine"))
    other.close()


def test_a_thousand_tables(api: Api) -> None:
    """An instance must hold 1,000 tables, and refuse one more."""
    for number in range(1000):
        api.table(f"t{number}", families={})
    assert len(api("ListTables", parent=api.instance).tables) == 1000
    code, text = failure(api, "CreateTable", parent=api.instance, table_id="more", table={})
    assert (code, "1000" in text) == ("RESOURCE_EXHAUSTED", True)


def test_a_dropped_family_takes_its_cells_along(api: Api) -> None:
    """A family that is dropped and created again, even in one call, must come back empty."""
    table = api.table(families={"a": {}, "ab": {}})
    for number in range(1200):
        key = b"r%04d" % number
        mutations = [set_cell("ab:q", b"a")] + ([set_cell("a:q")] if number % 2 else [])
        api("MutateRow", table_name=table, row_key=key, mutations=mutations)
    api.set(table, b"only", column="a:q")
    again = [{"id": "a", "drop": True}, {"id": "a", "create": {}}]
    api("ModifyColumnFamilies", name=table, modifications=again)
    rows = api.rows(table)
    assert len(rows) == 1200
    assert all(cells == [("ab:q", 1000, b"a")] for _, cells in rows)


def test_a_deleted_table_comes_back_empty(api: Api) -> None:
    """A table that is created under the name of a deleted one must have no rows, nor may an emptied one."""
    table = api.table()
    api.set(table, b"k")
    api("DeleteTable", name=table)
    api.table()
    assert api.keys(table) == []
    api.set(table, b"k")
    api("DropRowRange", name=table, delete_all_data_from_table=True)
    assert api.keys(table) == []


@pytest.mark.parametrize("prefix", [b"a", b"a\xff", b"\xff", b"\xff\xff"])
def test_drop_row_range_takes_the_prefix_alone(api: Api, prefix: bytes) -> None:
    """Keys just outside of a prefix must stay, also where the prefix ends in the largest byte."""
    table = api.table()
    keys = sorted({b"a", b"a\xff", b"a\xff\xff", b"b", b"`", b"\xfe", b"\xff", b"\xff\xff", b"\xff\xff\x00"})
    for key in keys:
        api.set(table, key)
    api("DropRowRange", name=table, row_key_prefix=prefix)
    assert api.keys(table) == [key for key in keys if not key.startswith(prefix)]


def test_masks_change_what_they_name(api: Api) -> None:
    """UpdateTable must change the named fields alone, clear a named but unset one, and be done at once."""
    name = api.table(**{**SETTINGS, "granularity": 1})
    wanted = {"name": name, "change_stream_config": {"retention_period": {"seconds": 3 * DAY}}}
    operation = api(
        "UpdateTable", table=wanted, update_mask={"paths": ["change_stream_config.retention_period"]}
    )
    table = protos.admin("Table")()
    assert operation.done and operation.response.Unpack(table)
    assert table.change_stream_config.retention_period.seconds == 3 * DAY
    assert table.deletion_protection and table.HasField("row_key_schema")
    assert api("GetOperation", name=operation.name) == operation
    api(
        "UpdateTable",
        table={"name": name},
        update_mask={"paths": ["deletion_protection", "change_stream_config"]},
    )
    table = api("GetTable", name=name)
    assert not table.deletion_protection and not table.HasField("change_stream_config")
    bad = failure(api, "UpdateTable", table={"name": name}, update_mask={"paths": ["name"]})
    assert bad == ("INVALID_ARGUMENT", 'incorrect path in UpdateMask; got: paths:"name"')
    assert failure(api, "GetOperation", name="operations/no")[0] == "NOT_FOUND"


def test_the_key_schema_cannot_be_edited(api: Api) -> None:
    """A row key schema may be set and, with ignore_warnings, removed; any edit must be refused."""
    name = api.table(row_key_schema=SETTINGS["row_key_schema"])
    other = {"fields": [{"field_name": "id", "type_": {"int64_type": {}}}], "encoding": {"singleton": {}}}
    mask = {"paths": ["row_key_schema"]}
    edited = failure(api, "UpdateTable", table={"name": name, "row_key_schema": other}, update_mask=mask)
    assert "in-place modification is not allowed" in edited[1]
    assert failure(api, "UpdateTable", table={"name": name}, update_mask=mask)[0] == "FAILED_PRECONDITION"
    api("UpdateTable", table={"name": name}, update_mask=mask, ignore_warnings=True)
    assert not api("GetTable", name=name).HasField("row_key_schema")


def test_deletion_needs_the_change_stream_off(api: Api) -> None:
    """A table with a change stream, or a protected one, must not be deleted, nor its instance."""
    name = api.table("stream", change_stream_config={"retention_period": {"seconds": DAY}})
    assert failure(api, "DeleteTable", name=name) == (
        "FAILED_PRECONDITION",
        f"{name} cannot be deleted: the change stream is enabled",
    )
    api.table("plain")
    assert failure(api, "DeleteInstance", name=api.instance)[0] == "FAILED_PRECONDITION"
    assert len(api("ListTables", parent=api.instance).tables) == 2


def test_update_keeps_what_the_mask_leaves_out(api: Api) -> None:
    """An empty mask must mean gc_rule, and clear it when the update has none."""
    table = api.table(
        families={"cf": {"gc_rule": {"max_num_versions": 1}, "value_type": {"string_type": {}}}}
    )
    (response,) = [api("ModifyColumnFamilies", name=table, modifications=[{"id": "cf", "update": {}}])]
    assert not response.column_families["cf"].HasField("gc_rule")
    assert response.column_families["cf"].value_type.HasField("string_type")


@pytest.fixture(scope="module")
def replicated() -> Iterator[RunningServer]:
    """A server that behaves as a replicated instance."""
    with start(replicated=True) as running:
        yield running


def test_replication_refuses_to_relax_age(replicated: RunningServer) -> None:
    """A pure age rule of a replicated instance may grow by 90 days, with ignore_warnings, and no more."""
    api = Api(replicated.host)

    def days(count: int) -> dict[str, object]:
        return {"max_age": {"seconds": count * DAY}}

    table = api.table(families={"cf": {"gc_rule": days(30)}})

    def change(rule: dict[str, object], ignore: bool) -> str:
        modification = {"id": "cf", "update": {"gc_rule": rule}}
        try:
            api("ModifyColumnFamilies", name=table, modifications=[modification], ignore_warnings=ignore)
        except grpc.RpcError as error:
            assert error.details().startswith("Cannot relax pure age-based GC for a replicated family (cf).")
            return str(error.code().name)
        return "OK"

    refused = "FAILED_PRECONDITION"
    assert change(days(31), False) == refused
    assert change(days(121), True) == refused
    assert change({}, True) == refused
    assert change({"max_num_versions": 3}, True) == refused
    assert change({"intersection": {"rules": [days(30), {"max_num_versions": 1}]}}, True) == refused
    assert change(days(120), True) == "OK"
    assert change(days(10), False) == "OK"
    assert change({"union": {"rules": [days(10), {"max_num_versions": 1}]}}, False) == "OK"
    api.close()


def test_replication_refuses_transactions(replicated: RunningServer) -> None:
    """CheckAndMutateRow and ReadModifyWriteRow must be refused where the profile routes to any cluster."""
    api = Api(replicated.host)
    table = api.table()
    refused = ("FAILED_PRECONDITION", "Single-row transactions are not allowed by this app profile")
    rule = {"family_name": "cf", "column_qualifier": b"q", "increment_amount": 1}
    assert failure(api, "ReadModifyWriteRow", table_name=table, row_key=b"k", rules=[rule]) == refused
    mutations = [set_cell("cf:q")]
    checked = failure(api, "CheckAndMutateRow", table_name=table, row_key=b"k", true_mutations=mutations)
    assert checked == refused
    profile = api("GetAppProfile", name=f"{api.instance}/appProfiles/default")
    assert profile.WhichOneof("routing_policy") == "multi_cluster_routing_use_any"
    assert len(api("ListClusters", parent=api.instance).clusters) == 2
    api.close()


def test_instance_reads(api: Api) -> None:
    """Instances, clusters and the default app profile must be told as the tools need them."""
    api.table()
    project = api.instance.partition("/instances/")[0]
    instance = api("GetInstance", name=api.instance)
    assert (instance.state, instance.name) == (1, api.instance)
    assert api.instance in [each.name for each in api("ListInstances", parent=project).instances]
    (cluster,) = api("ListClusters", parent=api.instance).clusters
    assert api("GetCluster", name=cluster.name) == cluster
    assert cluster in api("ListClusters", parent=f"{project}/instances/-").clusters
    (profile,) = api("ListAppProfiles", parent=api.instance).app_profiles
    assert profile.single_cluster_routing.allow_transactional_writes
    assert profile.single_cluster_routing.cluster_id == cluster.name.rpartition("/")[2]
    assert failure(api, "GetCluster", name=f"{api.instance}/clusters/no")[0] == "NOT_FOUND"
    assert failure(api, "GetAppProfile", name=f"{api.instance}/appProfiles/no")[0] == "NOT_FOUND"


def test_consistency_tokens(api: Api) -> None:
    """A token must be good for the table that it was made for, and no other."""
    first, second = api.table("a"), api.table("b")
    token = api("GenerateConsistencyToken", name=first).consistency_token
    assert api("CheckConsistency", name=first, consistency_token=token).consistent
    assert failure(api, "CheckConsistency", name=second, consistency_token=token)[0] == "INVALID_ARGUMENT"


def test_unknown_calls_say_so(api: Api) -> None:
    """A method that the server has not must answer UNIMPLEMENTED with a sentence that names it."""
    code, text = failure(api, "CreateBackup", parent=f"{api.instance}/clusters/c", backup_id="b")
    assert code == "UNIMPLEMENTED" and "does not support CreateBackup" in text


def test_hll_says_so(api: Api) -> None:
    """An hll family must be kept and told, and adding to it be UNIMPLEMENTED, in a sentence."""
    hll = {"aggregate_type": {"input_type": {"int64_type": {}}, "hllpp_unique_count": {}}}
    table = api.table(families={"h": {"value_type": hll}})
    add = {
        "family_name": "h",
        "column_qualifier": {"raw_value": b"q"},
        "timestamp": {"raw_timestamp_micros": 0},
        "input": {"int_value": 1},
    }
    code, text = failure(api, "MutateRow", table_name=table, row_key=b"k", mutations=[{"add_to_cell": add}])
    assert code == "UNIMPLEMENTED" and "hllpp_unique_count" in text
