"""Rows from chunks, in the manner of the acceptance cases of Google's clients: what is a row, and what none may send."""

from typing import Any

import pytest
from google.api_core.exceptions import ServiceUnavailable
from google.cloud.bigtable_v2.types import ReadRowsResponse
from scripted import chunk, message, row

from btmodel.client.chunks import Chunks
from btmodel.client.failures import InvalidAnswer
from btmodel.client.row_streams import Row, RowBatch
from btmodel.rows import RAW, Cell, ReadPlan, RowRange


def read(*chunks: dict[str, Any], backwards: bool = False, limit: int | None = None) -> list[Row]:
    """The rows of an answer of these chunks."""
    plan = ReadPlan("T", (RowRange(b"", b""),), None, limit, backwards=backwards)
    rows = Chunks(plan)
    batch: RowBatch[list[Cell]] = RowBatch([], [])
    rows.take(serialized(*chunks), RAW.strict, batch)
    rows.end()
    return list(zip(*batch, strict=True))


def serialized(*chunks: dict[str, Any]) -> bytes:
    """A message of these chunks."""
    raw: bytes = ReadRowsResponse.serialize(message(*chunks))
    return raw


def cells(*told: tuple[str, int, bytes]) -> list[Cell]:
    """Cells by their column, time and value."""
    return [Cell(*_column(column), time, value) for column, time, value in told]


def _column(column: str) -> tuple[str, bytes]:
    family, _, qualifier = column.partition(":")
    return family, qualifier.encode()


RESET: dict[str, Any] = {"reset_row": True}
COMMIT: dict[str, Any] = {"commit_row": True}
T1: dict[str, Any] = {"timestamp_micros": 1000}
T2: dict[str, Any] = {"timestamp_micros": 2000}

GOOD: dict[str, tuple[list[dict[str, Any]], list[Row]]] = {
    "one cell": ([chunk(b"k", "a:c", b"v", **T1, **COMMIT)], [(b"k", cells(("a:c", 1000, b"v")))]),
    "no timestamp is 0": ([chunk(b"k", "a:c", b"v", **COMMIT)], [(b"k", cells(("a:c", 0, b"v")))]),
    "a bare commit is an empty cell": (
        [chunk(b"k", "a:c", b"v", **T1), chunk(**COMMIT)],
        [(b"k", cells(("a:c", 1000, b"v"), ("a:c", 0, b"")))],
    ),
    "empty chunks are empty cells": (
        [chunk(b"k", "a:c", b"v", **T1), chunk(), chunk(**COMMIT)],
        [(b"k", cells(("a:c", 1000, b"v"), ("a:c", 0, b""), ("a:c", 0, b"")))],
    ),
    "an empty value": ([chunk(b"k", "a:c", **T1, **COMMIT)], [(b"k", cells(("a:c", 1000, b"")))]),
    "an empty qualifier": ([chunk(b"k", "a:", b"v", **COMMIT)], [(b"k", cells(("a:", 0, b"v")))]),
    "versions of a column": (
        [chunk(b"k", "a:c", b"2", **T2), chunk(b"", "", b"1", **T1, **COMMIT)],
        [(b"k", cells(("a:c", 2000, b"2"), ("a:c", 1000, b"1")))],
    ),
    "a new qualifier": (
        [chunk(b"k", "a:c", b"1", **T1), chunk(b"", ":d", b"2", **T2, **COMMIT)],
        [(b"k", cells(("a:c", 1000, b"1"), ("a:d", 2000, b"2")))],
    ),
    "interleaved families": (
        [chunk(b"k", "a:c", b"1"), chunk(b"", "b:c", b"2"), chunk(b"", "a:d", b"3", **COMMIT)],
        [(b"k", cells(("a:c", 0, b"1"), ("b:c", 0, b"2"), ("a:d", 0, b"3")))],
    ),
    "the key said again": (
        [chunk(b"k", "a:c", b"1"), chunk(b"k", "a:d", b"2", **COMMIT)],
        [(b"k", cells(("a:c", 0, b"1"), ("a:d", 0, b"2")))],
    ),
    "labels": (
        [chunk(b"k", "a:c", b"1", labels=["l"]), chunk(b"", "", b"2", labels=["m"], **COMMIT)],
        [(b"k", cells(("a:c", 0, b"1"), ("a:c", 0, b"2")))],
    ),
    "a value in four": (
        [
            chunk(b"k", "a:c", b"v", value_size=4, labels=["l"], **T1),
            chunk(b"", "", b"al", value_size=4),
            chunk(b"", "", b"u", value_size=4),
            chunk(b"", "", b"e", **COMMIT),
        ],
        [(b"k", cells(("a:c", 1000, b"value")))],
    ),
    "a piece that is empty": (
        [chunk(b"k", "a:c", value_size=1, **T1), chunk(b"", "", b"v", **COMMIT)],
        [(b"k", cells(("a:c", 1000, b"v")))],
    ),
    "pieces that repeat their names": (
        [
            chunk(b"k", "a:c", b"1", value_size=2, **T1),
            chunk(b"k", "a:c", b"2", **T1),
            chunk(b"", "b:d", b"3", value_size=2, **T2),
            chunk(b"", "", b"4", **COMMIT),
        ],
        [(b"k", cells(("a:c", 1000, b"12"), ("b:d", 2000, b"34")))],
    ),
    "a value in two, then a bare commit": (
        [chunk(b"k", "a:c", b"1", value_size=2, **T1), chunk(b"", "", b"2"), chunk(**COMMIT)],
        [(b"k", cells(("a:c", 1000, b"12"), ("a:c", 0, b"")))],
    ),
    "two rows": (
        [row(b"a", b"1"), row(b"b", b"2")],
        [(b"a", cells(("f:q", 1000, b"1"))), (b"b", cells(("f:q", 1000, b"2")))],
    ),
    "two rows of several cells": (
        [
            chunk(b"a", "a:c", b"1"),
            chunk(b"", ":d", b"2", **COMMIT),
            chunk(b"b", "b:c", b"3"),
            chunk(b"", "", b"4", **COMMIT),
        ],
        [
            (b"a", cells(("a:c", 0, b"1"), ("a:d", 0, b"2"))),
            (b"b", cells(("b:c", 0, b"3"), ("b:c", 0, b"4"))),
        ],
    ),
    "nothing after a reset": ([chunk(b"k", "a:c", b"v"), RESET], []),
    "a reset, then the row": (
        [chunk(b"k", "a:c", b"1", **T1), RESET, chunk(b"k", "b:d", b"2", **COMMIT)],
        [(b"k", cells(("b:d", 0, b"2")))],
    ),
    "a reset to an earlier row": (
        [chunk(b"k", "a:c", b"1"), RESET, row(b"j")],
        [(b"j", cells(("f:q", 1000, b"v")))],
    ),
    "a reset of two cells, twice": (
        [chunk(b"k", "a:c", b"1"), chunk(b"", ":d", b"2"), RESET, chunk(b"k", "a:c", b"1"), RESET, row(b"k")],
        [(b"k", cells(("f:q", 1000, b"v")))],
    ),
    "a reset inside a value": (
        [chunk(b"k", "a:c", b"1", value_size=3), chunk(b"", "", b"2", value_size=3), RESET, row(b"k")],
        [(b"k", cells(("f:q", 1000, b"v")))],
    ),
    "a reset of the second row": (
        [row(b"a"), chunk(b"b", "a:c", b"1"), RESET, row(b"b")],
        [(b"a", cells(("f:q", 1000, b"v"))), (b"b", cells(("f:q", 1000, b"v")))],
    ),
}

BAD: dict[str, list[dict[str, Any]]] = {
    "a bare commit": [COMMIT],
    "no key": [chunk(b"", "a:c", b"v", **COMMIT)],
    "no key in the second row": [row(b"a"), chunk(b"", "f:q", b"v", **COMMIT)],
    "no family": [chunk(b"k", ":c", b"v", **COMMIT)],
    "no family in the second row": [row(b"a"), chunk(b"b", ":q", b"v", **COMMIT)],
    "no column": [chunk(b"k", "", b"v", **COMMIT)],
    "no qualifier": [chunk(b"k", "a", b"v", **COMMIT)],
    "a new family without a qualifier": [chunk(b"k", "a:c", b"1"), chunk(b"", "b", b"2", **COMMIT)],
    "a new key before the commit": [chunk(b"a", "a:c", b"1"), chunk(b"b", "a:c", b"2", **COMMIT)],
    "a new key inside a value": [chunk(b"a", "a:c", b"1", value_size=2), chunk(b"b", "", b"2", **COMMIT)],
    "a new column inside a value": [chunk(b"a", "a:c", b"1", value_size=2), chunk(b"", ":d", b"2", **COMMIT)],
    "a new family inside a value": [
        chunk(b"a", "a:c", b"1", value_size=2),
        chunk(b"", "b:c", b"2", **COMMIT),
    ],
    "a new time inside a value": [
        chunk(b"a", "a:c", b"1", value_size=2, **T1),
        chunk(b"", "", b"2", **T2, **COMMIT),
    ],
    "a commit inside a value": [
        chunk(b"k", "a:c", b"1", value_size=2, **COMMIT),
        chunk(b"", "", b"2", **COMMIT),
    ],
    "a row twice": [row(b"a"), row(b"a")],
    "an earlier row": [row(b"b"), row(b"a")],
    "a reset of nothing": [RESET, row(b"a")],
    "a reset after a commit": [row(b"a"), RESET],
    "a reset with a key": [chunk(b"k", "a:c", b"1"), {"row_key": b"k", **RESET}],
    "a reset with a column": [chunk(b"k", "a:c", b"1"), chunk(b"", "a:c", **RESET)],
    "a reset with a value": [chunk(b"k", "a:c", b"1", value_size=2), {"value": b"2", **RESET}],
    "a reset with a time": [chunk(b"k", "a:c", b"1"), {**T1, **RESET}],
    "no key after a reset": [chunk(b"k", "a:c", b"1"), RESET, chunk(b"", "a:c", b"2", **COMMIT)],
}

BROKEN_OFF: dict[str, list[dict[str, Any]]] = {
    "no commit": [chunk(b"k", "a:c", b"v")],
    "no commit of the second row": [row(b"a"), chunk(b"k", "a:c", b"v")],
    "no end of a value": [chunk(b"k", "a:c", b"v", value_size=2)],
}


@pytest.mark.parametrize("case", GOOD)
def test_chunks_make_rows(case: str) -> None:
    """A row has the cells that its chunks say, and those that were taken back are not in it."""
    chunks, rows = GOOD[case]
    assert read(*chunks) == rows


@pytest.mark.parametrize("case", BAD)
def test_what_no_server_may_send(case: str) -> None:
    """Chunks that cannot be a row are an error, never a wrong row."""
    with pytest.raises(InvalidAnswer):
        read(*BAD[case])


@pytest.mark.parametrize("case", BROKEN_OFF)
def test_an_answer_that_ends_inside_a_row(case: str) -> None:
    """An answer that ends before the row was committed counts as one that was broken off."""
    with pytest.raises(ServiceUnavailable, match="ended inside row"):
        read(*BROKEN_OFF[case])


def test_backwards_rows_come_from_the_last_on() -> None:
    """In a read backwards, each row must lie before the one that came last."""
    assert [key for key, _ in read(row(b"b"), row(b"a"), backwards=True)] == [b"b", b"a"]
    for key in (b"b", b"c"):
        with pytest.raises(InvalidAnswer, match="expected a row before b'b', got row"):
            read(row(b"b"), row(key), backwards=True)


def test_more_rows_than_were_asked_for() -> None:
    """A server that sends a row beyond the limit is told so."""
    assert len(read(row(b"a"), row(b"b"), limit=2)) == 2
    with pytest.raises(InvalidAnswer, match="expected 2 rows, got row b'c' behind them"):
        read(row(b"a"), row(b"b"), row(b"c"), limit=2)


def test_nothing_is_looked_over_inside_a_row() -> None:
    """A server cannot have looked further while it is still sending a row."""
    rows = Chunks(ReadPlan("T", (RowRange(b"", b""),), None))
    rows.take(serialized(chunk(b"k", "a:c", b"v")), RAW.strict, RowBatch([], []))
    with pytest.raises(InvalidAnswer, match="inside row"):
        rows.scanned(b"z")


def test_a_row_that_the_server_has_looked_past() -> None:
    """After the server has said how far it has looked, rows before that are not valid."""
    rows = Chunks(ReadPlan("T", (RowRange(b"", b""),), None))
    rows.scanned(b"m")
    rows.scanned(b"c")
    assert rows.furthest == b"m"
    with pytest.raises(InvalidAnswer):
        rows.take(serialized(row(b"m")), RAW.strict, RowBatch([], []))
