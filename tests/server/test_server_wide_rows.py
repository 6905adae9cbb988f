"""Rows that grow: many entries of a request change one row, as events that are appended to a bucket do."""

from __future__ import annotations

import time
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from server_api import Api, set_cell

from btmodel.server import RunningServer

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
