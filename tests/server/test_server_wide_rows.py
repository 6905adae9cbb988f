"""Rows that grow: many entries of a request change one row, as events that are appended to a bucket do."""

from __future__ import annotations

import time
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from server_api import Api, set_cell

from btmodel.server import RunningServer, mutate, protos, stored_rows
from btmodel.server.catalog import CatalogFamily, CatalogTable
from btmodel.server.open_rows import WideRows, parts_of
from btmodel.server.stored_rows import Columns, Places

FAMILIES: dict[str, Any] = {
    "cf": {},
    "s": {"value_type": {"aggregate_type": {"input_type": {"int64_type": {}}, "sum": {}}}},
}
EVENTS = 4_000


def add(number: int, timestamp: int) -> dict[str, Any]:
    """An AddToCell mutation."""
    return {
        "add_to_cell": {
            "family_name": "s",
            "column_qualifier": {"raw_value": b"q"},
            "timestamp": {"raw_timestamp_micros": timestamp},
            "input": {"int_value": number},
        }
    }


TIMES = st.sampled_from([0, 1000, 2000, 3000])
MUTATIONS = st.one_of(
    st.builds(set_cell, st.sampled_from(["cf:a", "cf:b"]), st.binary(max_size=3), TIMES),
    st.builds(add, st.integers(-5, 5), TIMES),
    st.builds(set_cell, st.sampled_from(["no:a", "s:q"])),  # refused
    st.just({"delete_from_row": {}}),
    st.just({"delete_from_family": {"family_name": "cf"}}),
    st.just({"delete_from_column": {"family_name": "cf", "column_qualifier": b"a"}}),
)
ENTRIES = st.lists(
    st.builds(
        lambda key, mutations: {"row_key": key, "mutations": mutations},
        st.sampled_from([b"a", b"b", b"c"]),
        st.lists(MUTATIONS, min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=12,
)


@given(before=ENTRIES, entries=ENTRIES)
@settings(max_examples=40, deadline=None)
def test_entries_of_a_row_are_applied_in_their_order(
    server: RunningServer, before: list[Any], entries: list[Any]
) -> None:
    """One request does what a request for each entry does, those that are refused left out, with the same statuses."""
    api = Api(server.host)
    together, apart = (api.table(name, families=FAMILIES) for name in ("together", "apart"))
    statuses = []
    for some in (before, entries):
        (response,) = api("MutateRows", table_name=together, entries=some)
        found = [(one.status.code, one.status.message) for one in response.entries]
        for entry in some:
            (alone,) = api("MutateRows", table_name=apart, entries=[entry])
            statuses.append((alone.entries[0].status.code, alone.entries[0].status.message))
        assert found == [(code, message.replace(apart, together)) for code, message in statuses[-len(some) :]]
    assert api.rows(together) == api.rows(apart)
    api.close()


def test_a_row_is_measured_before_it_is_too_large(api: Api) -> None:
    """The entries that still fit are written, the others refused."""
    table = api.table()
    value = b"x" * (40 << 20)
    codes = []
    for first in range(0, 8, 2):
        entries = [
            {"row_key": b"k", "mutations": [set_cell("cf:q", value, 1000 * number)]}
            for number in (first, first + 1)
        ]
        (response,) = api("MutateRows", table_name=table, entries=entries)
        codes += [entry.status.code for entry in response.entries]
    assert codes == [0, 0, 0, 0, 0, 0, 9, 9]


def test_many_events_of_a_row_take_no_time_that_grows_with_the_row(file_server: RunningServer) -> None:
    """4,000 took 8 s when each of them read and wrote the whole row."""
    api = Api(file_server.host)
    table = api.table()
    began = time.monotonic()
    for first in range(0, EVENTS, 1_000):
        entries = [
            {"row_key": b"k", "mutations": [set_cell("cf:q", b"value", 1000 * number)]}
            for number in range(first, first + 1_000)
        ]
        api("MutateRows", table_name=table, entries=entries)
    assert time.monotonic() - began < 3
    [(_, cells)] = api.rows(table)
    assert len(cells) == EVENTS
    api.close()


CELLS = 400  # more than those of a row that is decoded each time
PLACES = Places(["z", "cf", "s"])
TABLE = CatalogTable(
    1,
    protos.admin("Table")(name="projects/p/instances/i/tables/t"),
    (),
    {"z": CatalogFamily(None, None), "cf": CatalogFamily(None, None), "s": CatalogFamily(None, "sum")},
    PLACES,
    1000,
    streams=False,
)


def wide_columns() -> Columns:
    """A row with many columns, with a column of many versions, and with sums."""
    columns: Columns = {("cf", b"%03d" % number): {1000: bytes(40)} for number in range(CELLS)}
    columns["cf", b"a"] = {1000 * number: b"v%d" % number for number in range(CELLS)}
    columns["z", b"a"] = {2000: b"x"}
    columns["s", b"q"] = {1000: bytes(8)}
    return columns


WIDE_COLUMNS = st.sampled_from(["z:a", "z:b", "cf:", "cf:000", "cf:0001", "cf:399", "cf:a", "cf:b"])
WIDE_TIMES = st.one_of(
    st.sampled_from([-1, 0, 1000]), st.integers(0, CELLS + 2).map(lambda time: time * 1000)
)
IN_TIMES = {"start_timestamp_micros": 5_000, "end_timestamp_micros": 9_000}
WIDE_MUTATIONS = st.one_of(
    st.builds(set_cell, WIDE_COLUMNS, st.binary(max_size=3), WIDE_TIMES),
    st.builds(add, st.integers(-5, 5), st.sampled_from([0, 1000, 2000])),
    st.sampled_from(["z:a", "cf:a", "cf:000", "cf:399", "cf:no"]).map(
        lambda column: {
            "delete_from_column": {
                "family_name": column.partition(":")[0],
                "column_qualifier": column.partition(":")[2].encode(),
            }
        }
    ),
    st.just({"delete_from_column": {"family_name": "cf", "column_qualifier": b"a", "time_range": IN_TIMES}}),
    st.sampled_from(["z", "cf", "s"]).map(lambda family: {"delete_from_family": {"family_name": family}}),
    st.just({"delete_from_row": {}}),
)


@given(st.lists(st.lists(WIDE_MUTATIONS, min_size=1, max_size=4), min_size=1, max_size=6))
@settings(deadline=None)
def test_a_wide_row_gets_the_bytes_that_it_would_get_when_it_were_decoded(requests: list[Any]) -> None:
    """Whatever changes it, one request after the other."""
    mutation_of, wide = protos.data("Mutation"), WideRows()
    columns = wide_columns()
    stored = stored_rows.encode_columns(b"k", columns, PLACES)
    opened = 0
    for request in requests:
        mutations, now = [mutation_of(**fields) for fields in request], 7_000
        parts = parts_of(mutations, TABLE.granule, now)
        some, encoded = wide.open(1, b"k", stored, PLACES, lambda parts=parts: parts)  # type: ignore[misc]
        opened += len(some) < len(columns)
        mutate.apply(some, mutations, TABLE, now)
        stored = encoded(some)
        mutate.apply(columns, mutations, TABLE, now)
        columns = {column: versions for column, versions in columns.items() if versions}
        assert stored == stored_rows.encode_columns(b"k", columns, PLACES)
    assert (
        opened
        or parts_of([mutation_of(**fields) for fields in requests[0]], 1000, 0) is None
        or columns == {}
    )


def test_a_wide_row_is_used_only_where_the_file_has_its_bytes() -> None:
    """A row that was written or undone meanwhile, or whose families have other places, is read again."""
    wide, columns = WideRows(), wide_columns()
    stored = stored_rows.encode_columns(b"k", columns, PLACES)
    part = ("z", b"a", 2000)
    some, encoded = wide.open(1, b"k", stored, PLACES, lambda: {part})
    assert some == {("z", b"a"): {2000: b"x"}}
    some["z", b"a"][2000] = b"y"
    assert encoded(some) != stored
    again, _ = wide.open(1, b"k", stored, PLACES, lambda: {part})  # the write was undone
    assert again == {("z", b"a"): {2000: b"x"}}
    moved = Places(["cf", "s", "z"])
    _, encoded = wide.open(1, b"k", stored, moved, lambda: {part})
    assert encoded(columns) == stored_rows.encode_columns(b"k", columns, moved)


def test_wide_rows_take_no_more_memory_than_they_may() -> None:
    """The rows that were used last stay."""
    wide = WideRows()
    stored = {
        key: stored_rows.encode_columns(
            key, {("cf", b"%03d" % number): {1000: bytes(1_000)} for number in range(1_000)}, PLACES
        )
        for key in [b"%03d" % number for number in range(40)]
    }
    for key, some in stored.items():
        assert wide.get(1, key, some, PLACES)
    assert sum(row.size for row in wide._rows.values()) <= 64 << 20
    assert 5 < len(wide._rows) < 40
    assert (1, b"039") in wide._rows


def test_one_change_of_a_wide_row_does_not_take_the_time_of_the_row(file_server: RunningServer) -> None:
    """60 changes of 10,000 cells took 5 s when each of them decoded and encoded the whole row."""
    api = Api(file_server.host)
    table = api.table()
    cells = [set_cell(f"cf:{number:05}") for number in range(10_000)]
    api("MutateRow", table_name=table, row_key=b"k", mutations=cells)
    began = time.monotonic()
    for number in range(20):
        api.set(table, b"k", column=f"cf:{number:05}x")
        api(
            "ReadModifyWriteRow",
            table_name=table,
            row_key=b"k",
            rules=[{"family_name": "cf", "column_qualifier": b"n", "increment_amount": 1}],
        )
        answer = api(
            "CheckAndMutateRow",
            table_name=table,
            row_key=b"k",
            predicate_filter={"column_qualifier_regex_filter": b"%05dx" % number},
            true_mutations=[set_cell("cf:last", b"%d" % number)],
        )
        assert answer.predicate_matched
    assert time.monotonic() - began < 2
    [(_, read)] = api.rows(table)
    values = {column: value for column, _, value in reversed(read)}
    assert len(values) == 10_022
    assert values["cf:last"] == b"19"
    assert int.from_bytes(values["cf:n"]) == 20
    api.close()


def test_a_change_stream_has_each_entry(api: Api) -> None:
    """In their order, though the row is written once."""
    table = api.table(change_stream_config={"retention_period": {"seconds": 86_400}})
    seconds, nanos = divmod(time.time_ns(), 10**9)
    began = {"seconds": seconds, "nanos": nanos}
    entries = [{"row_key": b"k", "mutations": [set_cell("cf:q", b"%d" % number)]} for number in range(3)]
    api("MutateRows", table_name=table, entries=entries)
    (initial,) = api("GenerateInitialChangeStreamPartitions", table_name=table)
    end = {"seconds": int(time.time()) + 2}
    answers = api(
        "ReadChangeStream", table_name=table, partition=initial.partition, start_time=began, end_time=end
    )
    values = [chunk.mutation.set_cell.value for answer in answers for chunk in answer.data_change.chunks]
    assert values == [b"0", b"1", b"2"]
