"""Cases of reads and their filters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from contract_case import DOC, ENDS, PROTO, STRICTER, Case, Run
from server_api import set_cell

ALL = "a:x@2000=new a:x@1000=old b:y@1000=other"
CONDITION = {
    "predicate_filter": {"value_regex_filter": b"new"},
    "true_filter": {"family_name_regex_filter": "b"},
}
SINK = [
    {"family_name_regex_filter": "a"},
    {"interleave": {"filters": [{"pass_all_filter": True}, {"sink": True}]}},
    {"value_regex_filter": b"old"},
]
REVERSED = "googleapis/google-cloud-cpp, Google's other emulator: a reversed range is refused"
STRIP, LABEL = {"strip_value_transformer": True}, {"apply_label_transformer": "one"}
ONLY_A = {"family_name_regex_filter": "a"}


def _read(show: Callable[[bytes, list[Any]], str], **fields: Any) -> Run:
    """Read a small table and answer what is shown of its rows."""

    def run(api: Any) -> object:
        table = api.table(families={"a": {}})
        # The emulator orders families by when they were made, and those of one call at random.
        api("ModifyColumnFamilies", name=table, modifications=[{"id": "b", "create": {}}])
        for key in (b"r1", b"r2", b"r3"):
            mutations = [
                set_cell("a:x", b"new", 2000),
                set_cell("a:x", b"old", 1000),
                set_cell("b:y", b"other", 1000),
            ]
            api("MutateRow", table_name=table, row_key=key, mutations=mutations)
        return " ".join(show(key, cells) for key, cells in api.labelled_rows(table, **fields))

    return run


def _nested(depth: int) -> dict[str, Any]:
    """A filter of chains in chains."""
    whole: dict[str, Any] = {"pass_all_filter": True}
    for _ in range(depth - 1):
        whole = {"chain": {"filters": [whole, {"pass_all_filter": True}]}}
    return whole


def _families(call: Callable[[Any, str], object]) -> Run:
    """Make a table whose families were created in three calls, with a cell in each, and answer a call."""

    def run(api: Any) -> object:
        table = api.table(families={"m": {}})
        for ids in ("zb", "a"):
            api("ModifyColumnFamilies", name=table, modifications=[{"id": f, "create": {}} for f in ids])
        api("MutateRow", table_name=table, row_key=b"k", mutations=[set_cell(f"{f}:q") for f in "abmz"])
        return call(api, table)

    return run


def _read_families(api: Any, table: str, **fields: Any) -> str:
    ((_, cells),) = api.rows(table, **fields)
    return " ".join(column for column, _, _ in cells)


def _appended_families(api: Any, table: str) -> str:
    rules = [{"family_name": f, "column_qualifier": b"q", "append_value": b"v"} for f in "abmz"]
    row = api("ReadModifyWriteRow", table_name=table, row_key=b"k", rules=rules).row
    return " ".join(family.name for family in row.families)


def _family_created_again(api: Any, table: str) -> str:
    again = [{"id": "m", "drop": True}, {"id": "m", "create": {}}]
    api("ModifyColumnFamilies", name=table, modifications=again)
    api.set(table, b"k", column="m:q")
    return _read_families(api, table)


INTERLEAVED = {"interleave": {"filters": [{"family_name_regex_filter": f} for f in ("[am]", "[bz]")]}}


def _cells(key: bytes, cells: list[Any]) -> str:
    return " ".join(f"{c}@{t}={v.decode()}" + (f"[{lb[0]}]" if lb else "") for c, t, v, lb in cells)


def _filter(**fields: Any) -> Run:
    return _read(_cells, rows={"row_keys": [b"r1"]}, filter=fields)


def _keys(**fields: Any) -> Run:
    return _read(lambda key, cells: key.decode(), **fields)


def _range(**bounds: bytes) -> Run:
    return _keys(rows={"row_ranges": [bounds]})


READS = [
    Case("families in the order of creation", _families(_read_families), "m:q z:q b:q a:q"),
    Case(
        "families of an interleave",
        _families(lambda api, table: _read_families(api, table, filter=INTERLEAVED)),
        "m:q z:q b:q a:q",
    ),
    Case("families of ReadModifyWriteRow", _families(_appended_families), "m z b a"),
    Case("a family created again", _families(_family_created_again), "z:q b:q a:q m:q"),
    Case("no filter", _filter(pass_all_filter=True), ALL),
    Case("block all", _filter(block_all_filter=True), ""),
    Case("family regex", _filter(family_name_regex_filter="a|c"), "a:x@2000=new a:x@1000=old"),
    Case(
        "read a missing family",
        _filter(family_name_regex_filter="no"),
        "NOT_FOUND",
        "",
        "java-bigtable#32: Requested column family not found",
    ),
    Case(
        "family regex with a colon",
        _filter(family_name_regex_filter="a:"),
        "INVALID_ARGUMENT",
        "",
        PROTO + "RowFilter.family_name_regex_filter",
    ),
    Case("qualifier regex", _filter(column_qualifier_regex_filter=b"[x-z]"), ALL),
    Case("value regex", _filter(value_regex_filter=b"o.*"), "a:x@1000=old b:y@1000=other"),
    Case("regex must match all", _filter(value_regex_filter=b"ol"), ""),
    Case("any byte", _filter(value_regex_filter=b"ol\\C"), "a:x@1000=old"),
    Case("look-ahead", _filter(value_regex_filter=b"(?=o).*"), "INVALID_ARGUMENT"),
    Case("row key regex", _filter(row_key_regex_filter=b"r[2-9]"), ""),
    Case(
        "column range",
        _filter(
            column_range_filter={
                "family_name": "a",
                "start_qualifier_closed": b"x",
                "end_qualifier_open": b"y",
            }
        ),
        "a:x@2000=new a:x@1000=old",
    ),
    Case(
        "value range",
        _filter(value_range_filter={"start_value_open": b"new", "end_value_closed": b"old"}),
        "a:x@1000=old",
    ),
    Case(
        "inverted column range",
        _filter(
            column_range_filter={
                "family_name": "a",
                "start_qualifier_closed": b"y",
                "end_qualifier_open": b"x",
            }
        ),
        "INVALID_ARGUMENT",
        "",
        REVERSED,
    ),
    Case(
        "empty column range",
        _filter(
            column_range_filter={"family_name": "a", "start_qualifier_open": b"x", "end_qualifier_open": b"x"}
        ),
        "",
    ),
    Case(
        "column range up to an empty end",
        _filter(
            column_range_filter={
                "family_name": "a",
                "start_qualifier_closed": b"x",
                "end_qualifier_closed": b"",
            }
        ),
        "",
    ),
    Case(
        "inverted value range",
        _filter(value_range_filter={"start_value_closed": b"old", "end_value_closed": b"new"}),
        "INVALID_ARGUMENT",
        "",
        REVERSED,
    ),
    Case(
        "empty value range",
        _filter(value_range_filter={"start_value_closed": b"old", "end_value_open": b"old"}),
        "",
    ),
    Case(
        "timestamp range",
        _filter(timestamp_range_filter={"start_timestamp_micros": 1000, "end_timestamp_micros": 2000}),
        "a:x@1000=old b:y@1000=other",
    ),
    Case(
        "timestamp range of microseconds",
        _filter(timestamp_range_filter={"start_timestamp_micros": 1}),
        "INVALID_ARGUMENT",
        ALL,
        "google-cloud-python#4932",
    ),
    Case(
        "inverted timestamp range",
        _filter(timestamp_range_filter={"start_timestamp_micros": 3000, "end_timestamp_micros": 1000}),
        "INVALID_ARGUMENT",
        "",
        STRICTER + "no cell can be in it",
    ),
    Case(
        "empty timestamp range",
        _filter(timestamp_range_filter={"start_timestamp_micros": 1000, "end_timestamp_micros": 1000}),
        "",
    ),
    Case(
        "timestamp range with a negative start",
        _filter(timestamp_range_filter={"start_timestamp_micros": -1000}),
        "INVALID_ARGUMENT",
        ALL,
        STRICTER + "no cell has a negative timestamp",
    ),
    Case(
        "timestamp range with a negative end",
        _filter(timestamp_range_filter={"end_timestamp_micros": -1000}),
        "INVALID_ARGUMENT",
        "",
        STRICTER + "no cell has a negative timestamp",
    ),
    Case(
        "value bitmask",
        _filter(value_bitmask_filter={"mask": b"\x00\x00\x04"}),
        "a:x@2000=new a:x@1000=old",
        ALL,
        PROTO + "ValueBitmask.mask (the same length, and all its bits)",
    ),
    Case("cells per column", _filter(cells_per_column_limit_filter=1), "a:x@2000=new b:y@1000=other"),
    Case(
        "cells per row",
        _filter(chain={"filters": [ONLY_A, {"cells_per_row_limit_filter": 1}]}),
        "a:x@2000=new",
    ),
    Case(
        "cells per row offset",
        _filter(chain={"filters": [ONLY_A, {"cells_per_row_offset_filter": 1}]}),
        "a:x@1000=old",
    ),
    Case("no cells per row", _filter(cells_per_row_limit_filter=0), "INVALID_ARGUMENT"),
    Case("negative cells per row", _filter(cells_per_row_limit_filter=-1), "INVALID_ARGUMENT"),
    Case("negative cells per column", _filter(cells_per_column_limit_filter=-1), "INVALID_ARGUMENT"),
    Case(
        "negative cells per row offset",
        _filter(cells_per_row_offset_filter=-1),
        "INVALID_ARGUMENT",
        ENDS,
        STRICTER + "no number of cells is negative",
    ),
    Case("strip values", _filter(**STRIP), "a:x@2000= a:x@1000= b:y@1000="),
    Case(
        "strip values: false",
        _filter(strip_value_transformer=False),
        "INVALID_ARGUMENT",
        "a:x@2000= a:x@1000= b:y@1000=",
        "what both servers say of pass_all_filter: must be true if set",
    ),
    Case("pass all: false", _filter(pass_all_filter=False), "INVALID_ARGUMENT"),
    Case("block all: false", _filter(block_all_filter=False), "INVALID_ARGUMENT"),
    Case("label", _filter(**LABEL), "a:x@2000=new[one] a:x@1000=old[one] b:y@1000=other[one]"),
    Case(
        "label with a capital",
        _filter(apply_label_transformer="One"),
        "INVALID_ARGUMENT",
        "a:x@2000=new[One] a:x@1000=old[One] b:y@1000=other[One]",
        PROTO + "RowFilter.apply_label_transformer",
    ),
    Case(
        "two labels in a chain",
        _filter(chain={"filters": [LABEL, LABEL]}),
        "INVALID_ARGUMENT",
        "a:x@2000=new[one] a:x@1000=old[one] b:y@1000=other[one]",
        PROTO + "RowFilter.apply_label_transformer",
    ),
    Case(
        "chain",
        _filter(chain={"filters": [{"family_name_regex_filter": "a"}, {"cells_per_row_offset_filter": 1}]}),
        "a:x@1000=old",
    ),
    Case("chain of one", _filter(chain={"filters": [STRIP]}), "INVALID_ARGUMENT"),
    Case(
        "interleave",
        _filter(interleave={"filters": [{"family_name_regex_filter": "b"}, {"value_regex_filter": b"new"}]}),
        "a:x@2000=new b:y@1000=other",
    ),
    Case(
        "interleave keeps duplicates",
        _filter(
            interleave={"filters": [{"family_name_regex_filter": "b"}, {"family_name_regex_filter": "b"}]}
        ),
        "b:y@1000=other b:y@1000=other",
    ),
    Case("condition", _filter(condition=CONDITION), "b:y@1000=other"),
    Case(
        "condition without a predicate",
        _filter(condition={"true_filter": STRIP}),
        "INVALID_ARGUMENT",
        "a:x@2000= a:x@1000= b:y@1000=",
        PROTO + "RowFilter.Condition",
    ),
    Case(
        "sink",
        _filter(chain={"filters": SINK}),
        "a:x@2000=new a:x@1000=old a:x@1000=old",
        "a:x@1000=old a:x@1000=old",
        PROTO + "RowFilter.sink",
    ),
    Case(
        "sink in a condition",
        _filter(condition={**CONDITION, "true_filter": {"sink": True}}),
        "INVALID_ARGUMENT",
        ALL,
        PROTO + "RowFilter.sink",
    ),
    Case(
        "sink: false",
        _filter(sink=False),
        "INVALID_ARGUMENT",
        ALL,
        "what both servers say of pass_all_filter: must be true if set",
    ),
    Case("filters nested 20 deep", _filter(**_nested(20)), ALL),
    Case(
        "filters nested 21 deep",
        _filter(**_nested(21)),
        "INVALID_ARGUMENT",
        ALL,
        PROTO + "RowFilter (a depth of at most 20)",
    ),
    Case(
        "filter of more than 20480 bytes",
        _filter(value_regex_filter=b"x" * 20481),
        "INVALID_ARGUMENT",
        "",
        "java-bigtable-hbase#2192",
    ),
    Case("sample of 0", _filter(row_sample_filter=0.0), "INVALID_ARGUMENT"),
    Case(
        "sample with NaN",
        _filter(row_sample_filter=float("nan")),
        "INVALID_ARGUMENT",
        "",
        PROTO + "RowFilter.row_sample_filter (a probability)",
    ),
    Case("closed range", _range(start_key_closed=b"r1", end_key_closed=b"r2"), "r1 r2"),
    Case("open range", _range(start_key_open=b"r1", end_key_open=b"r3"), "r2"),
    Case("range without an end", _range(start_key_open=b"r1"), "r2 r3"),
    Case(
        "empty range",
        _range(start_key_closed=b"r2", end_key_open=b"r2"),
        "INVALID_ARGUMENT",
        "",
        "the emulator's own text for an inverted one: start must be less than end",
    ),
    Case("inverted range", _range(start_key_closed=b"r3", end_key_open=b"r1"), "INVALID_ARGUMENT"),
    Case(
        "keys and ranges",
        _keys(
            rows={
                "row_keys": [b"r3", b"no", b"r1", b"r3"],
                "row_ranges": [{"start_key_closed": b"r2", "end_key_closed": b"r3"}],
            }
        ),
        "r1 r2 r3",
    ),
    Case("rows_limit", _keys(rows_limit=2), "r1 r2"),
    Case("reversed", _keys(reversed=True), "r3 r2 r1", "UNIMPLEMENTED", PROTO + "ReadRowsRequest.reversed"),
    Case(
        "an empty key",
        _keys(rows={"row_keys": [b""]}),
        "INVALID_ARGUMENT",
        "",
        DOC + "row keys are 1 byte to 4 KiB",
    ),
    Case("key of 4096 bytes in a read", _keys(rows={"row_keys": [b"k" * 4096]}), ""),
    Case(
        "key of 4097 bytes in a read",
        _keys(rows={"row_keys": [b"k" * 4097]}),
        "INVALID_ARGUMENT",
        "",
        DOC + "quotas (4 KiB)",
    ),
    Case("range that starts behind the longest key", _range(start_key_closed=b"k" * 4097), "r1 r2 r3"),
    Case(
        "range that starts at 4098 bytes",
        _range(start_key_closed=b"k" * 4098),
        "INVALID_ARGUMENT",
        "r1 r2 r3",
        DOC + "quotas (4 KiB)",
    ),
    Case(
        "negative rows_limit",
        _keys(rows_limit=-1),
        "INVALID_ARGUMENT",
        "",
        STRICTER + "no number is negative",
    ),
    Case(
        "a table and an authorized view",
        _keys(authorized_view_name="projects/p/instances/i/tables/t/authorizedViews/v"),
        "INVALID_ARGUMENT",
        "r1 r2 r3",
        PROTO + "ReadRowsRequest: exactly one of both names",
    ),
    Case(
        "unknown app profile",
        _keys(app_profile_id="no"),
        "NOT_FOUND",
        "r1 r2 r3",
        PROTO + "ReadRowsRequest.app_profile_id",
    ),
    Case(
        "request of more than 512 KiB",
        _keys(rows={"row_keys": [b"%08d" % n for n in range(52500)]}),
        "INVALID_ARGUMENT",
        "",
        "google-cloud-python#6836, measured on the service",
    ),
    Case("read a missing table", lambda api: api("ReadRows", table_name=api.name("no")), "NOT_FOUND"),
]
