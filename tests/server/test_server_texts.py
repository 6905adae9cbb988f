"""What the server says in a refusal: where, what was expected and what came, in words that a terminal may print."""

from __future__ import annotations

import re
from typing import Any

import grpc
import pytest
from server_api import SUM, Api, failure, set_cell

from btmodel.server.request_errors import invalid

SEVEN = b"1234567"
INCREMENT = {"family_name": "cf", "column_qualifier": b"s\x1b[2J", "increment_amount": 2}
ADD = {
    "family_name": "s",
    "column_qualifier": {"raw_value": b"q"},
    "timestamp": {"raw_timestamp_micros": 0},
}
MERGE = {"merge_to_cell": {**ADD, "input": {"raw_value": SEVEN}}}
BACKUPS = {"automated_backup_policy": {"retention_period": {"seconds": 86_400 * 91}}}
HOURLY = {"automated_backup_policy": {"frequency": {"seconds": 5_400}}}
STREAM = {"change_stream_config": {"retention_period": {"seconds": 86_400 * 8}}}
EARLY = {"tiered_storage_config": {"infrequent_access": {"include_if_older_than": {"seconds": 3_600}}}}
NO_KIND = {
    "column_families": {"cf": {}},
    "row_key_schema": {"fields": [{"field_name": "a"}], "encoding": {"singleton": {}}},
}


def refused(method: str, text: str, **fields: Any) -> Any:
    """A call on a table, and what the server must say of it."""
    return pytest.param(method, fields, text, id=f"{method}: {text[:40]}")


@pytest.mark.parametrize(
    ("method", "fields", "text"),
    [
        refused("MutateRow", "mutations must have at least one mutation, but got none", row_key=b"k"),
        refused("MutateRows", "entries must have at least one entry, but got none"),
        refused(
            "MutateRows",
            "Error in field 'entries' : Error in element #0 : mutations must have at least one mutation, but got none",
            entries=[{"row_key": b"k"}],
        ),
        refused("ReadModifyWriteRow", "rules must have at least one rule, but got none", row_key=b"k"),
        refused(
            "CheckAndMutateRow",
            "true_mutations or false_mutations must have at least one mutation, but got none",
            row_key=b"k",
        ),
        refused(
            "MutateRow",
            "Too many mutations: 100001 provided; limit 100000",
            row_key=b"k",
            mutations=[{}] * 100_001,
        ),
        refused(
            "ReadModifyWriteRow",
            "Increment needs a value of 8 bytes, a big-endian 64-bit integer, but the newest cell of "
            r"'cf:s\x1b[2J' has 7 bytes",
            row_key=b"k",
            rules=[INCREMENT],
        ),
        refused(
            "MutateRow",
            "Error in Mutation list : Error in element #0 : MergeToCell needs a state of 8 bytes for Int64, got 7 bytes",
            row_key=b"k",
            mutations=[MERGE],
        ),
        refused(
            "MutateRow",
            "Error in Mutation list : Error in element #0 : timestamp_micros must not be negative, but for -1, "
            "the server's time; got -2",
            row_key=b"k",
            mutations=[set_cell("cf:q", timestamp=-2)],
        ),
        refused(
            "ReadRows",
            "end_timestamp_micros must not be negative, but got -1000",
            filter={"timestamp_range_filter": {"end_timestamp_micros": -1000}},
        ),
        refused(
            "ReadRows",
            "Error in field 'row_keys' : Error in element #0 : Row key is 4,097 bytes long, which is more than the "
            "limit of 4 KiB",
            rows={"row_keys": [b"k" * 4097]},
        ),
        refused(
            "ReadRows",
            r"apply_label_transformer must match [a-z0-9\-]+ and have up to 15 characters, got '\x1b]0;x\x07\n\u202e'",
            filter={"apply_label_transformer": "\x1b]0;x\x07\n\u202e"},
        ),
        refused("ModifyColumnFamilies", "modifications must have at least one modification, but got none"),
    ],
)
def test_text_of_a_refusal(api: Api, method: str, fields: dict[str, Any], text: str) -> None:
    """A refusal must say where, what was expected and what came, without Python's forms and raw control bytes."""
    table = api.table(families={"cf": {}, **SUM})
    api.set(table, b"k", SEVEN, column="cf:s\x1b[2J")
    name = "name" if method == "ModifyColumnFamilies" else "table_name"
    assert failure(api, method, **{name: table}, **fields)[1] == text


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (BACKUPS, "automated_backup_policy.retention_period must be from 3 days to 90 days, but got 91 days"),
        (HOURLY, "automated_backup_policy.frequency must be 24 hours, but got 90 minutes"),
        (STREAM, "change_stream_config.retention_period must be from 1 day to 7 days, but got 8 days"),
        (EARLY, "include_if_older_than must be at least 30 days, but got 1 hour"),
        (NO_KIND, "row_key_schema field 'a' must have a scalar type, got none"),
        (
            {"column_families": {"cf": {"gc_rule": {"max_age": {"nanos": 1_000}}}}},
            "max_age of family 'cf' must be at least 1 millisecond, but got 1 microsecond",
        ),
    ],
)
def test_text_of_a_refused_setting(api: Api, table: dict[str, Any], text: str) -> None:
    """A duration must be named in a unit of which it is a whole number."""
    found = failure(api, "CreateTable", parent=api.instance, table_id="t", table=table)
    assert found == ("INVALID_ARGUMENT", text)


def test_text_of_a_refused_entry(api: Api) -> None:
    """The text of an entry that failed must have no raw control bytes, also where it names the row."""
    entry = {"row_key": b"a\x1b[31m\xff", "mutations": [set_cell("no:q")]}
    (answer,) = api("MutateRows", table_name=api.table(), entries=[entry])
    assert r"mutating the row 'a\x1b[31m\xff'" in answer.entries[0].status.message


def test_a_request_that_cannot_be_read(api: Api) -> None:
    """Bytes that are no request, and one nested deeper than protobuf reads, must be refused as what they are."""
    text = "Cannot read the request as a google.bigtable.v2.ReadRowsRequest: its bytes are not one, or it is nested over 100 deep"
    deep: dict[str, Any] = {"pass_all_filter": True}
    for _ in range(60):
        deep = {"chain": {"filters": [deep, {"pass_all_filter": True}]}}
    assert failure(api, "ReadRows", table_name=api.table(), filter=deep) == ("INVALID_ARGUMENT", text)
    with pytest.raises(grpc.RpcError) as caught:
        api.send("ReadRows", b"\x0a\xff")
    assert caught.value.details() == text


def test_every_refusal_can_be_printed() -> None:
    """No text of a refusal may hold a line break or another character that a terminal obeys."""
    assert invalid("a\x1b[2J\r\n\x9b\u202eb 'é'").text == r"a\x1b[2J\r\n\x9b\u202eb 'é'"
    assert re.fullmatch(r"[ -~]+", invalid("".join(map(chr, range(128)))).text)
