"""The messages of change streams: joined to changes, and refused where they make none."""

from typing import Any

import pytest
from google.cloud.bigtable_v2.types import ReadChangeStreamResponse
from hypothesis import given
from hypothesis import strategies as st

from btmodel.client.change_messages import Beat, Closed, Joiner, ReadChange
from btmodel.client.failures import InvalidAnswer
from btmodel.rows import Cell, Delete
from btmodel.rows.changes import Partition

_Response: Any = ReadChangeStreamResponse.pb()
USER, GC, CONTINUATION = 1, 2, 3


def taken(*answers: dict[str, Any]) -> list[Any]:
    joiner = Joiner()
    return [event for one in answers for event in joiner.take(_Response(**one).SerializeToString())]


def chunk(
    value: bytes, offset: int = 0, size: int = 0, *, last: bool = False, qualifier: bytes = b"q"
) -> dict[str, Any]:
    cell = {"family_name": "f", "column_qualifier": qualifier, "timestamp_micros": 7, "value": value}
    info = {"chunked_value_size": size, "chunked_value_offset": offset, "last_chunk": last}
    return {"mutation": {"set_cell": cell}, **({"chunk_info": info} if size else {})}


def change(kind: int, *chunks: dict[str, Any], done: bool = False, **fields: Any) -> dict[str, Any]:
    return {"data_change": {"type_": kind, "chunks": chunks, "done": done, **fields}}


@given(st.lists(st.binary(max_size=30), min_size=1, max_size=4), st.integers(1, 7), st.integers(1, 3))
def test_however_a_change_is_cut_it_is_the_same(values: list[bytes], size: int, together: int) -> None:
    """Whatever the sizes of chunks and messages: the change has each value whole, in order, once it is done and not before."""
    chunks = []
    for number, value in enumerate(values):
        name = b"%d" % number
        if len(value) <= size:
            chunks.append(chunk(value, qualifier=name))
            continue
        for offset in range(0, len(value), size):
            part = value[offset : offset + size]
            # Of what goes on, the value alone is meant, whatever else is in it.
            shown = name if offset == 0 else b"ignored"
            chunks.append(chunk(part, offset, len(value), last=offset + size >= len(value), qualifier=shown))
    groups = [chunks[at : at + together] for at in range(0, len(chunks), together)]
    answers = [
        change(
            CONTINUATION if at else USER,
            *group,
            done=at == len(groups) - 1,
            **({} if at else {"row_key": b"k", "tiebreaker": 3, "source_cluster_id": "c"}),
            **({"token": "t"} if at == len(groups) - 1 else {}),
        )
        for at, group in enumerate(groups)
    ]
    joiner = Joiner()
    *before, last = (list(joiner.take(_Response(**one).SerializeToString())) for one in answers)
    assert not any(before)
    [read] = last
    assert read.token == "t"
    assert (read.change.key, read.change.by, read.change.tiebreaker, read.change.cluster) == (
        b"k",
        "user",
        3,
        "c",
    )
    assert read.change.steps == tuple(Cell("f", b"%d" % at, 7, value) for at, value in enumerate(values))


def test_changes_of_each_kind() -> None:
    """Garbage collection and heartbeats are told apart, and deletions have their times."""
    column = {"family_name": "f", "column_qualifier": b"q", "time_range": {"end_timestamp_micros": 9}}
    deletion = {"mutation": {"delete_from_column": column}}
    beat = {"heartbeat": {"continuation_token": {"token": "b"}, "estimated_low_watermark": {"nanos": 5_000}}}
    collected, heard = taken(change(GC, deletion, done=True, row_key=b"k"), beat)
    assert isinstance(collected, ReadChange)
    assert collected.change.by == "gc"
    assert collected.change.steps == (Delete("f", b"q", 0, 9),)
    assert heard == Beat("b", 5)


def rows(start: bytes, end: bytes) -> dict[str, Any]:
    return {"row_range": {"start_key_closed": start, "end_key_open": end}}


def closed(
    tokens: list[tuple[bytes, bytes]], partitions: list[tuple[bytes, bytes]], code: int = 11
) -> dict[str, Any]:
    return {
        "close_stream": {
            "status": {"code": code},
            "continuation_tokens": [{"partition": rows(*one), "token": one[0].decode()} for one in tokens],
            "new_partitions": [rows(*one) for one in partitions],
        }
    }


def test_each_token_goes_to_the_partition_that_holds_it() -> None:
    """The example of the protocol: [B, D) ends in [A, C) and [C, E), in whatever order, and an end without tokens is the end."""
    found = taken(closed([(b"C", b"D"), (b"B", b"C")], [(b"A", b"C"), (b"C", b"E")]))
    assert found == [
        Closed(
            (
                (Partition(b"C", b"E"), Partition(b"C", b"D"), "C"),
                (Partition(b"A", b"C"), Partition(b"B", b"C"), "B"),
            )
        )
    ]
    assert taken(closed([(b"", b"")], [(b"", b"")])) == [
        Closed(((Partition(b"", b""), Partition(b"", b""), ""),))
    ]
    assert taken(closed([], [], 0)) == [Closed(())]


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([change(CONTINUATION, chunk(b"x"), done=True)], "came before its first message"),
        ([change(USER, chunk(b"x", 0, 2), done=True)], "ends within a value"),
        ([change(USER, chunk(b"x", 0, 2, last=True), done=True)], "of 2 bytes comes as 1"),
        ([change(USER, {"mutation": {}}, done=True)], "of a kind that this version does not know"),
        ([closed([], [], 13)], "closed with code 13"),
        ([closed([(b"A", b"C")], [(b"A", b"B"), (b"B", b"C")])], "which no new partition holds"),
    ],
)
def test_what_makes_no_change_is_refused(answers: list[dict[str, Any]], told: str) -> None:
    """An answer that no server may give is an error that says what is wrong with it, never half a change."""
    with pytest.raises(InvalidAnswer, match=told):
        taken(*answers)


def test_other_bytes_are_refused() -> None:
    """What is no message is refused."""
    with pytest.raises(InvalidAnswer, match="no ReadChangeStreamResponse"):
        list(Joiner().take(b"\xff"))
