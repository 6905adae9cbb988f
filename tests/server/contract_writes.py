"""Cases of mutations."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import grpc
from contract_case import DOC, ENDS, PROTO, STRICTER, Case, Run
from server_api import SUM, set_cell

INCREMENT = {"family_name": "cf", "column_qualifier": b"q", "increment_amount": 2}
ONE = (1).to_bytes(8)


def _mutate(*mutations: dict[str, Any], key: bytes = b"k", **settings: Any) -> Run:
    def run(api: Any) -> None:
        api("MutateRow", table_name=api.table(**settings), row_key=key, mutations=mutations)

    return run


def _entry_code(mutation: dict[str, Any]) -> Run:
    def run(api: Any) -> object:
        entries = [{"row_key": b"k", "mutations": [mutation]}]
        (response,) = api("MutateRows", table_name=api.table(), entries=entries)
        return grpc_name(response.entries[0].status.code)

    return run


def grpc_name(number: int) -> str:
    """The name of a status code."""
    return next(code.name for code in grpc.StatusCode if code.value[0] == number)


def _rows_after_failure(api: Any) -> object:
    table = api.table()
    with suppress(grpc.RpcError):
        api("MutateRow", table_name=table, row_key=b"k", mutations=[set_cell("cf:q"), set_cell("no:q")])
    return api.keys(table)


def _add(number: int | None, column: str = "s:q", timestamp: int = 1000) -> dict[str, Any]:
    family, _, qualifier = column.partition(":")
    part: dict[str, Any] = {
        "family_name": family,
        "column_qualifier": {"raw_value": qualifier.encode()},
        "timestamp": {"raw_timestamp_micros": timestamp},
    }
    if number is not None:
        part["input"] = {"int_value": number}
    return {"add_to_cell": part}


def _merge(raw: bytes | None) -> dict[str, Any]:
    part = {**_add(None)["add_to_cell"]}
    if raw is not None:
        part["input"] = {"raw_value": raw}
    return {"merge_to_cell": part}


def _delete(start: int = 0, end: int = 0) -> Run:
    bounds = {"start_timestamp_micros": start, "end_timestamp_micros": end}
    deletion = {"family_name": "cf", "column_qualifier": b"q", "time_range": bounds}
    return _mutate(set_cell("cf:q"), {"delete_from_column": deletion})


def _entries(*entries: dict[str, Any]) -> Run:
    def run(api: Any) -> object:
        (response,) = api("MutateRows", table_name=api.table(), entries=entries)
        return " ".join(grpc_name(entry.status.code) for entry in response.entries)

    return run


def _summed(*numbers: int) -> Run:
    def run(api: Any) -> object:
        table = api.table(families=SUM)
        for number in numbers:
            api("MutateRow", table_name=table, row_key=b"k", mutations=[_add(number)])
        ((_, ((_, _, value),)),) = api.rows(table)
        return int.from_bytes(value, signed=True)

    return run


def _check_and_mutate(**fields: Any) -> Run:
    def run(api: Any) -> object:
        table = api.table()
        api.set(table, b"k")
        return api("CheckAndMutateRow", **{"table_name": table, "row_key": b"k", **fields}).predicate_matched

    return run


def _modify_write(value: bytes, rules: list[dict[str, Any]], key: bytes = b"k", **settings: Any) -> Run:
    def run(api: Any) -> object:
        table = api.table(**settings)
        if not settings:
            api.set(table, b"k", value)
        row = api("ReadModifyWriteRow", table_name=table, row_key=key, rules=rules).row
        return [cell.value for family in row.families for column in family.columns for cell in column.cells]

    return run


WRITES = [
    Case("write a cell", _mutate(set_cell("cf:q")), "OK"),
    Case(
        "unknown family",
        _mutate(set_cell("no:q")),
        "NOT_FOUND",
        "UNKNOWN",
        "cloud-bigtable-examples#290 (the text), java-bigtable#32 (the code)",
    ),
    Case(
        "unknown family in MutateRows",
        _entry_code(set_cell("no:q")),
        "NOT_FOUND",
        "INTERNAL",
        "cloud-bigtable-examples#290 (the text), java-bigtable#32 (the code)",
    ),
    Case(
        "cells after a refused MutateRow",
        _rows_after_failure,
        "[]",
        "[b'k']",
        PROTO + "MutateRowRequest.mutations (atomic)",
    ),
    Case("no mutations", _mutate(), "INVALID_ARGUMENT"),
    Case("no entries", _entries(), "INVALID_ARGUMENT"),
    Case("only an entry without mutations", _entries({"row_key": b"k"}), "INVALID_ARGUMENT"),
    Case(
        "an entry without mutations beside another",
        _entries({"row_key": b"k", "mutations": [set_cell("cf:q")]}, {"row_key": b"l"}),
        "INVALID_ARGUMENT",
        "OK OK",
        PROTO + "MutateRowsRequest.Entry.mutations (at least one)",
    ),
    Case(
        "an entry with an empty key",
        _entries(*({"row_key": key, "mutations": [set_cell("cf:q")]} for key in (b"k", b""))),
        "INVALID_ARGUMENT",
        "OK INTERNAL",
        STRICTER + "part of the request is malformed",
    ),
    Case("empty row key", _mutate(set_cell("cf:q"), key=b""), "INVALID_ARGUMENT"),
    Case(
        "row key of 4097 bytes",
        _mutate(set_cell("cf:q"), key=b"k" * 4097),
        "INVALID_ARGUMENT",
        "OK",
        DOC + "quotas (4 KiB)",
    ),
    Case(
        "qualifier of 16385 bytes",
        _mutate(set_cell("cf:" + "q" * 16385)),
        "INVALID_ARGUMENT",
        "OK",
        DOC + "quotas (16 KiB)",
    ),
    Case(
        "timestamp of a microsecond",
        _mutate(set_cell("cf:q", b"v", 1)),
        "INVALID_ARGUMENT",
        "UNKNOWN",
        "google-cloud-python#4932, YCSB#733: Timestamp granularity mismatch",
    ),
    Case(
        "timestamp -2",
        _mutate(set_cell("cf:q", b"v", -2)),
        "INVALID_ARGUMENT",
        "UNKNOWN",
        PROTO + "Mutation.SetCell.timestamp_micros",
    ),
    Case(
        "delete from an inverted range",
        _delete(3000, 1000),
        "INVALID_ARGUMENT",
        "UNKNOWN",
        STRICTER + "no cell can be in it (the code is a guess)",
    ),
    Case(
        "delete from an empty range",
        _delete(1000, 1000),
        "OK",
        "UNKNOWN",
        PROTO + "TimestampRange (an empty one has no cell; whether the service refuses it is open)",
    ),
    Case(
        "delete from a negative timestamp on",
        _delete(-1000),
        "INVALID_ARGUMENT",
        "UNKNOWN",
        STRICTER + "no cell has a negative timestamp (the code is a guess)",
    ),
    Case(
        "a mutation without a kind", _mutate({}), "INVALID_ARGUMENT", "UNKNOWN", PROTO + "Mutation.mutation"
    ),
    Case("timestamp -1 is the server's time", _mutate(set_cell("cf:q", b"v", -1)), "OK"),
    Case("add 5 and 7", _summed(5, 7), "12"),
    Case("add past the largest number", _summed(2**63 - 1, 1), str(-(2**63))),
    Case(
        "add to a plain family",
        _mutate(_add(1, "cf:q")),
        "INVALID_ARGUMENT",
        "UNKNOWN",
        PROTO + "Mutation.AddToCell.family_name",
    ),
    Case(
        "add at a microsecond",
        _mutate(_add(1, timestamp=1), families=SUM),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "Mutation.AddToCell.timestamp",
    ),
    Case(
        "add nothing",
        _mutate(_add(None), families=SUM),
        "INVALID_ARGUMENT",
        ENDS,
        PROTO + "Mutation.AddToCell.input",
    ),
    Case("merge a state", _mutate(_add(1), _merge(ONE), families=SUM), "OK"),
    Case(
        "merge a state of three bytes",
        _mutate(_merge(b"abc"), families=SUM),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "Type.Aggregate.state_type (Int64 here)",
    ),
    Case(
        "merge three bytes into a cell",
        _mutate(_add(1), _merge(b"abc"), families=SUM),
        "INVALID_ARGUMENT",
        ENDS,
        PROTO + "Type.Aggregate.state_type (Int64 here)",
    ),
    Case(
        "merge nothing",
        _mutate(_merge(None), families=SUM),
        "OK",
        ENDS,
        PROTO + "Mutation.MergeToCell.input (NULL is allowed, and has no effect)",
    ),
    Case(
        "three bytes by SetCell over an aggregate",
        _mutate(_add(1), set_cell("s:q", b"abc"), families=SUM),
        "INVALID_ARGUMENT",
        ENDS,
        PROTO + "Type.Aggregate (never directly written)",
    ),
    Case(
        "SetCell on an aggregate family",
        _mutate(set_cell("s:q", value=ONE), families=SUM),
        "INVALID_ARGUMENT",
        "OK",
        PROTO + "Type.Aggregate (never directly written)",
    ),
    Case("check and mutate", _check_and_mutate(true_mutations=[set_cell("cf:a")]), "True"),
    Case(
        "check and mutate nothing",
        _check_and_mutate(),
        "INVALID_ARGUMENT",
        "True",
        PROTO + "CheckAndMutateRowRequest.true_mutations",
    ),
    Case(
        "unknown family in the branch not taken",
        _check_and_mutate(true_mutations=[set_cell("cf:a")], false_mutations=[set_cell("no:a")]),
        "NOT_FOUND",
        "True",
        "the stricter reading of CheckAndMutateRowRequest",
    ),
    Case("increment", _modify_write(ONE, [INCREMENT]), str([(3).to_bytes(8)])),
    Case(
        "append",
        _modify_write(b"a", [{"family_name": "cf", "column_qualifier": b"q", "append_value": b"b"}]),
        "[b'ab']",
    ),
    Case(
        "increment of three bytes",
        _modify_write(b"abc", [INCREMENT]),
        "FAILED_PRECONDITION",
        "UNKNOWN",
        PROTO + "ReadModifyWriteRule.increment_amount (the code is a guess)",
    ),
    Case(
        "increment in the row of an empty key",
        _modify_write(ONE, [INCREMENT], key=b""),
        "INVALID_ARGUMENT",
        str([(2).to_bytes(8)]),
        DOC + "row keys are 1 byte to 4 KiB",
    ),
    Case(
        "increment in a row of 4097 bytes",
        _modify_write(ONE, [INCREMENT], key=b"k" * 4097),
        "INVALID_ARGUMENT",
        str([(2).to_bytes(8)]),
        DOC + "quotas (4 KiB)",
    ),
    Case(
        "a rule without a kind",
        _modify_write(ONE, [{"family_name": "cf", "column_qualifier": b"q"}]),
        "INVALID_ARGUMENT",
        "UNKNOWN",
        PROTO + "ReadModifyWriteRule.rule",
    ),
    Case(
        "check and mutate the row of an empty key",
        _check_and_mutate(row_key=b"", true_mutations=[set_cell("cf:a")]),
        "INVALID_ARGUMENT",
    ),
    Case(
        "no rules",
        _modify_write(ONE, []),
        "INVALID_ARGUMENT",
        "[]",
        PROTO + "ReadModifyWriteRowRequest.rules (required)",
    ),
    Case(
        "increment of an aggregate family",
        _modify_write(b"", [{**INCREMENT, "family_name": "s"}], families=SUM),
        "INVALID_ARGUMENT",
        str([(2).to_bytes(8)]),
        PROTO + "Type.Aggregate (never directly written)",
    ),
]
