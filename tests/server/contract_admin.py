"""Cases of the table and the instance admin API."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import grpc
from contract_case import DOC, ENDS, PROTO, Case, Run
from server_api import SUM


def _create(**fields: Any) -> Run:
    def run(api: Any) -> None:
        request = {
            "parent": api.instance,
            "table_id": "t",
            "table": {"column_families": {"cf": {}}},
            **fields,
        }
        api("CreateTable", **request)

    return run


def _with_rule(rule: dict[str, Any]) -> Run:
    return _create(table={"column_families": {"cf": {"gc_rule": rule}}})


def _modify(*modifications: dict[str, Any], **settings: Any) -> Run:
    def run(api: Any) -> None:
        api("ModifyColumnFamilies", name=api.table(**settings), modifications=modifications)

    return run


def _families_after(*modifications: dict[str, Any]) -> Run:
    def run(api: Any) -> object:
        table = api.table(families={"a": {}, "b": {}})
        with suppress(grpc.RpcError):
            api("ModifyColumnFamilies", name=table, modifications=modifications)
        return sorted(api("GetTable", name=table).column_families)

    return run


def _protected(call: Callable[[Any, str], object]) -> Run:
    return lambda api: call(api, api.table(deletion_protection=True))


def _protection_after(**fields: Any) -> Run:
    def run(api: Any) -> object:
        table = api.table(deletion_protection=True)
        with suppress(grpc.RpcError):
            api("UpdateTable", table={"name": table, **fields}, update_mask={"paths": list(fields)})
        return api("GetTable", name=table).deletion_protection

    return run


def _kept(field: str, value: dict[str, Any]) -> Run:
    def run(api: Any) -> object:
        return api("GetTable", name=api.table(**{field: value})).HasField(field)

    return run


def _drop(**target: Any) -> Run:
    def run(api: Any) -> object:
        table = api.table()
        for key in (b"a1", b"a2", b"b1"):
            api.set(table, key)
        api("DropRowRange", name=table, **target)
        return api.keys(table)

    return run


def _listed(**fields: Any) -> Run:
    def run(api: Any) -> object:
        for number in (3, 1, 2):
            api.table(f"t{number}")
        response = api("ListTables", parent=api.instance, **fields)
        names = [table.name.rpartition("/")[2] for table in response.tables]
        return names if names == sorted(names)[:2] else f"{len(names)} tables, in any order"

    return run


ADMIN = [
    Case("create a table", _create(), "OK"),
    Case("create a table twice", lambda api: (api.table(), api.table()), "ALREADY_EXISTS"),
    Case("table id with a blank", _create(table_id="a b"), "INVALID_ARGUMENT", "OK", PROTO + "Table.name"),
    Case(
        "table id of 51 characters",
        _create(table_id="t" * 51),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "CreateTableRequest.table_id",
    ),
    Case("empty table id", _create(table_id=""), "INVALID_ARGUMENT", "OK", PROTO + "Table.name"),
    Case(
        "family id with a blank",
        _create(table={"column_families": {"a b": {}}}),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "Family.name",
    ),
    Case(
        "family id of 65 characters",
        _create(table={"column_families": {"f" * 65: {}}}),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "Family.name (at most 64)",
    ),
    Case(
        "the same split key twice",
        _create(initial_splits=[{"key": b"m"}, {"key": b"m"}]),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "CreateTableRequest.initial_splits (n keys, n + 1 tablets)",
    ),
    Case(
        "101 split keys",
        _create(initial_splits=[{"key": b"%d" % n} for n in range(101)]),
        "INVALID_ARGUMENT",
        "OK",
        DOC + "managing tables (up to 100)",
    ),
    Case(
        "a name set on the table to create",
        _create(table={"name": "x"}),
        "INVALID_ARGUMENT",
        "OK",
        "getsentry/objectstore#73, found on the service",
    ),
    Case(
        "max_num_versions 0",
        _with_rule({"max_num_versions": 0}),
        "INVALID_ARGUMENT",
        "OK",
        "stricter reading: it would delete every cell",
    ),
    Case(
        "max_num_versions -1",
        _with_rule({"max_num_versions": -1}),
        "INVALID_ARGUMENT",
        "OK",
        "stricter reading: it would delete every cell",
    ),
    Case(
        "max_age of a microsecond",
        _with_rule({"max_age": {"nanos": 1000}}),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "GcRule.max_age (at least one millisecond)",
    ),
    Case(
        "empty union",
        _with_rule({"union": {}}),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "GcRule.Union (its rules; stricter reading)",
    ),
    Case(
        "gc rule of 501 bytes",
        _with_rule({"union": {"rules": [{"max_num_versions": 1000}] * 100}}),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "ColumnFamily.gc_rule (at most 500 bytes)",
    ),
    Case(
        "aggregate without an aggregator",
        _create(
            table={
                "column_families": {
                    "s": {"value_type": {"aggregate_type": {"input_type": {"int64_type": {}}}}}
                }
            }
        ),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "Type.Aggregate",
    ),
    Case(
        "sum of strings",
        _create(
            table={
                "column_families": {
                    "s": {"value_type": {"aggregate_type": {"input_type": {"string_type": {}}, "sum": {}}}}
                }
            }
        ),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "Type.Aggregate.Sum (Int64 only)",
    ),
    Case(
        "change stream settings are kept",
        _kept("change_stream_config", {"retention_period": {"seconds": 86400}}),
        "True",
        "False",
        PROTO + "Table.change_stream_config",
    ),
    Case(
        "change stream of 8 days",
        _create(table={"change_stream_config": {"retention_period": {"seconds": 8 * 86400}}}),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "ChangeStreamConfig.retention_period",
    ),
    Case(
        "backup policy is kept",
        _kept("automated_backup_policy", {"retention_period": {"seconds": 7 * 86400}}),
        "True",
        "False",
        PROTO + "Table.automated_backup_policy",
    ),
    Case(
        "granularity is reported",
        lambda api: api("GetTable", name=api.table()).granularity,
        "1",
        "0",
        PROTO + "Table.granularity",
    ),
    Case(
        "the view NAME_ONLY",
        lambda api: len(api("GetTable", name=api.table(), view=1).column_families),
        "0",
        "1",
        PROTO + "Table.View",
    ),
    Case(
        "the view REPLICATION_VIEW",
        lambda api: len(api("GetTable", name=api.table(), view=3).cluster_states),
        "1",
        "0",
        PROTO + "Table.View",
    ),
    Case(
        "an unknown view",
        lambda api: api("GetTable", name=api.table(), view=99),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "Table.View",
    ),
    Case("get a missing table", lambda api: api("GetTable", name=api.name("no")), "NOT_FOUND"),
    Case("delete a missing table", lambda api: api("DeleteTable", name=api.name("no")), "NOT_FOUND"),
    Case(
        "page_size 2 of three tables",
        _listed(page_size=2),
        "['t1', 't2']",
        "3 tables, in any order",
        PROTO + "ListTablesRequest.page_size",
    ),
    Case(
        "negative page_size",
        _listed(page_size=-1),
        "INVALID_ARGUMENT",
        "3 tables, in any order",
        PROTO + "ListTablesRequest.page_size",
    ),
    Case(
        "made-up page_token",
        _listed(page_token="no"),
        "INVALID_ARGUMENT",
        "3 tables, in any order",
        PROTO + "ListTablesRequest.page_token",
    ),
    Case(
        "ListTables with SCHEMA_VIEW",
        _listed(view=2),
        "INVALID_ARGUMENT",
        "3 tables, in any order",
        PROTO + "ListTablesRequest.view",
    ),
    Case("create a family that is there", _modify({"id": "cf", "create": {}}), "ALREADY_EXISTS"),
    Case(
        "update a missing family",
        _modify({"id": "no", "update": {}}),
        "NOT_FOUND",
        "UNKNOWN",
        PROTO + "Modification.update",
    ),
    Case(
        "drop a missing family",
        _modify({"id": "no", "drop": True}),
        "NOT_FOUND",
        "UNKNOWN",
        PROTO + "Modification.drop",
    ),
    Case(
        "a bad modification after a good create",
        _families_after({"id": "d", "create": {}}, {"id": "a", "create": {}}),
        "['a', 'b']",
        "['a', 'b', 'd']",
        PROTO + "ModifyColumnFamilies (all or none)",
    ),
    Case(
        "a bad modification after a good drop",
        _families_after({"id": "b", "drop": True}, {"id": "no", "drop": True}),
        "['a', 'b']",
        "['a']",
        PROTO + "ModifyColumnFamilies (all or none)",
    ),
    Case(
        "modifications in order",
        _families_after({"id": "c", "create": {}}, {"id": "c", "drop": True}, {"id": "a", "drop": True}),
        "['b']",
    ),
    Case(
        "no modifications",
        _modify(),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "ModifyColumnFamiliesRequest.modifications (required)",
    ),
    Case(
        "drop=False",
        _modify({"id": "cf", "drop": False}),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "Modification (one of create, update, drop)",
    ),
    Case(
        "unknown path in a family's mask",
        _modify({"id": "cf", "update": {}, "update_mask": {"paths": ["nonsense"]}}),
        "INVALID_ARGUMENT",
    ),
    Case(
        "another aggregator",
        _modify(
            {
                "id": "s",
                "update": {"value_type": {"aggregate_type": {"input_type": {"int64_type": {}}, "max_": {}}}},
                "update_mask": {"paths": ["value_type"]},
            },
            families=SUM,
        ),
        "INVALID_ARGUMENT",
    ),
    Case(
        "plain family to aggregate",
        _modify({"id": "cf", "update": SUM["s"], "update_mask": {"paths": ["value_type"]}}),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "ColumnFamily.value_type (only at creation)",
    ),
    Case(
        "delete a protected table",
        _protected(lambda api, table: api("DeleteTable", name=table)),
        "FAILED_PRECONDITION",
    ),
    Case(
        "drop a family of a protected table",
        _protected(
            lambda api, table: api(
                "ModifyColumnFamilies", name=table, modifications=[{"id": "cf", "drop": True}]
            )
        ),
        "FAILED_PRECONDITION",
    ),
    Case(
        "protection after another mask",
        _protection_after(row_key_schema={}),
        "True",
        "False",
        PROTO + "UpdateTableRequest.update_mask",
    ),
    Case(
        "column_families in a table's mask",
        lambda api: api(
            "UpdateTable", table={"name": api.table()}, update_mask={"paths": ["column_families"]}
        ),
        "UNIMPLEMENTED",
        "OK",
        PROTO + "UpdateTableRequest.update_mask",
    ),
    Case("empty table mask", lambda api: api("UpdateTable", table={"name": api.table()}), "INVALID_ARGUMENT"),
    Case(
        "mask *",
        lambda api: api("UpdateTable", table={"name": api.table()}, update_mask={"paths": ["*"]}),
        "INVALID_ARGUMENT",
    ),
    Case("drop rows by prefix", _drop(row_key_prefix=b"a"), "[b'b1']"),
    Case("drop all rows", _drop(delete_all_data_from_table=True), "[]"),
    Case(
        "drop rows by an empty prefix",
        _drop(row_key_prefix=b""),
        "INVALID_ARGUMENT",
        "[]",
        PROTO + "DropRowRangeRequest.row_key_prefix",
    ),
    Case(
        "delete_all_data_from_table=False",
        _drop(delete_all_data_from_table=False),
        "[b'a1', b'a2', b'b1']",
        "UNKNOWN",
        PROTO + "DropRowRangeRequest.delete_all_data_from_table",
    ),
    Case(
        "consistency token of another table",
        lambda api: api("CheckConsistency", name=api.table(), consistency_token="x"),
        "INVALID_ARGUMENT",
    ),
    Case(
        "get an instance",
        lambda api: api("GetInstance", name=api.instance).name == api.instance,
        "True",
        "UNIMPLEMENTED",
        PROTO + "BigtableInstanceAdmin",
    ),
    Case(
        "list backups",
        lambda api: api("ListBackups", parent=f"{api.instance}/clusters/c"),
        "UNIMPLEMENTED",
        ENDS,
        "neither server has it",
    ),
    Case(
        "undelete a table",
        lambda api: api("UndeleteTable", name=api.name("t")),
        "UNIMPLEMENTED",
        ENDS,
        "neither server has it",
    ),
]
