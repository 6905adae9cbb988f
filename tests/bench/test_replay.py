"""The replay server sends what the service sends: the rows that were asked for, and nothing twice."""

import pytest

from btmodel.server import protos
from tests.bench.speed import day, layout
from tests.bench.speed.places import Place
from tests.bench.speed.replay import acknowledged, instance, read_rows, start
from tests.bench.speed.ticks import MOST
from tests.bench.speed.workload import TICKS

KEYS = [TICKS.hand.key(one) for one in TICKS.records(100)]


def asked(rows_a_message: int, table: str = TICKS.table, **fields: object) -> list[list[bytes]]:
    """The keys in each message of a read."""
    name = f"{instance(rows_a_message)}/tables/{table}"
    request = protos.data("ReadRowsRequest")(table_name=name, **fields).SerializeToString()
    messages = map(protos.data("ReadRowsResponse").FromString, read_rows(request))
    return [[chunk.row_key for chunk in message.chunks if chunk.row_key] for message in messages]


def test_messages_have_so_many_rows() -> None:
    """The last one has what is left."""
    assert asked(20, rows_limit=50) == [KEYS[:20], KEYS[20:40], KEYS[40:50]]


def test_keys_come_in_order_and_missing_ones_do_not() -> None:
    """A read of keys gives the rows that are there, up to its limit."""
    keys = [KEYS[9], KEYS[3], KEYS[4] + b"\0", KEYS[5]]
    assert asked(2, rows={"row_keys": keys}) == [[KEYS[3], KEYS[5]], [KEYS[9]]]
    assert asked(2, rows={"row_keys": keys}, rows_limit=1) == [[KEYS[3]]]


@pytest.mark.parametrize(
    ("span", "wanted"),
    [
        ({"start_key_closed": KEYS[3], "end_key_open": KEYS[6]}, KEYS[3:6]),
        ({"start_key_open": KEYS[3], "end_key_closed": KEYS[6]}, KEYS[4:7]),
        ({"end_key_open": KEYS[2]}, KEYS[:2]),
        ({"start_key_closed": KEYS[3], "end_key_open": KEYS[3]}, []),
    ],
)
def test_ranges_have_ends(span: dict[str, bytes], wanted: list[bytes]) -> None:
    """Each end belongs to the range or does not, as it says."""
    found = asked(20, rows={"row_ranges": [span]})
    assert [key for message in found for key in message] == wanted


def test_chunks_say_what_changes() -> None:
    """The key and the family are on a row's first chunk, the commit on its last, a qualifier on each new one."""
    name = f"{instance(2)}/tables/{TICKS.table}"
    request = protos.data("ReadRowsRequest")(table_name=name, rows_limit=2).SerializeToString()
    [message] = map(protos.data("ReadRowsResponse").FromString, read_rows(request))
    assert len(message.chunks) == 10
    for at, chunk in enumerate(message.chunks):
        assert bool(chunk.row_key) == chunk.HasField("family_name") == (at % 5 == 0)
        assert chunk.commit_row == (at % 5 == 4)
        assert chunk.HasField("qualifier")


def test_an_entry_is_answered_with_ok() -> None:
    """Each has its index, and a status that is there and says nothing."""
    answer = protos.data("MutateRowsResponse").FromString(acknowledged(300))
    assert [one.index for one in answer.entries] == list(range(300))
    assert all(one.HasField("status") and one.status.code == 0 for one in answer.entries)


def test_a_million_keys_lie_in_order() -> None:
    """The rows at the end of the table are where they belong, too."""
    last = TICKS.hand.symbols()[-1].encode()
    ends = [key for symbol in TICKS.hand.symbols() for key in (f"{symbol}#000000000", f"{symbol}#000000999")]
    assert ends == sorted(ends)
    assert ends[-1].encode().startswith(last)
    assert len(ends) // 2 * 1_000 == MOST


def test_both_layouts_hold_the_same_readings() -> None:
    """One row of 96 columns has what 96 rows of one column have, and the wide one is shorter on the wire."""
    with start() as running:
        place = Place("replay", running.host, instance(200))
        outcome = layout.layouts(place, 1)
        wide, narrow = (layout.wire(place, name) for name in (layout.WIDE, layout.NARROW))
    assert len(outcome.laps) == 6
    assert wide.request < narrow.request
    assert wide.response < narrow.response
    of_wide = [value for _, cells in day.wide_rows() for _, value in cells]
    assert of_wide == [value for _, cells in day.narrow_rows() for _, value in cells]
