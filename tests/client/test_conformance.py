"""The public acceptance cases of Google's clients for reading rows, and what they leave out."""

import json
from pathlib import Path
from typing import Any

import pytest
from google.api_core.exceptions import ServiceUnavailable
from google.cloud.bigtable_v2.types import ReadRowsResponse
from google.protobuf.json_format import ParseDict
from scripted import chunk, message, row

from btmodel.client.chunks import Chunks
from btmodel.client.failures import InvalidAnswer
from btmodel.client.row_streams import Row, RowBatch
from btmodel.rows import RAW, Cell, ReadPlan, RowRange

CASES = json.loads(Path(__file__).with_name("data").joinpath("readrows.json").read_text())["readRowsTests"]
ALL = ReadPlan("T", (RowRange(b"", b""),), None)


def together(chunks: list[Any]) -> list[bytes]:
    """All chunks in one message."""
    return [ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))]


def one_by_one(chunks: list[Any]) -> list[bytes]:
    """Each chunk in a message of its own, so that rows go on in the next one."""
    return [ReadRowsResponse.serialize(ReadRowsResponse(chunks=[one])) for one in chunks]


in_both_framings = pytest.mark.parametrize("framed", [together, one_by_one])


def merged(messages: list[bytes], plan: ReadPlan = ALL) -> tuple[list[Row], bool]:
    """The rows of an answer, and whether all of it was well."""
    chunks, batch = Chunks(plan), RowBatch[list[Cell]]([], [])
    well = True
    try:
        for one in messages:
            chunks.take(one, RAW.strict, batch)
        chunks.end()
    except (InvalidAnswer, ServiceUnavailable):
        well = False
    return list(zip(*batch, strict=True)), well


def expected(case: dict[str, Any]) -> tuple[list[tuple[bytes, Cell]], bool]:
    """The cells that a case wants, each with its row, and whether nothing is wrong with it."""
    found: list[tuple[bytes, Cell]] = []
    for one in case.get("results", []):
        if one.get("error"):
            return found, False
        qualifier, value = (one.get(name, "").encode() for name in ("qualifier", "value"))
        cell = Cell(one["familyName"], qualifier, int(one.get("timestampMicros", 0)), value)
        found.append((one["rowKey"].encode(), cell))
    return found, True


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["description"])
@in_both_framings
def test_the_public_cases(case: dict[str, Any], framed: Any) -> None:
    """Each of the 48 cases gives its cells, or an error behind them, however its chunks come in messages."""
    chunks = [ParseDict(one, ReadRowsResponse.CellChunk.pb()()) for one in case.get("chunks", [])]
    rows, well = merged(framed(chunks))
    assert ([(key, cell) for key, cells in rows for cell in cells], well) == expected(case)


def test_all_public_cases_are_there() -> None:
    """The file holds the 48 cases, 14 of which are errors."""
    assert len(CASES) == 48
    assert sum(not expected(case)[1] for case in CASES) == 14


def of_messages(*messages: Any) -> list[bytes]:
    """Serialized messages."""
    return [ReadRowsResponse.serialize(one) for one in messages]


TWO = [
    (b"a", [Cell("f", b"q", 1000, b"v")]),
    (b"b", [Cell("g", b"", 0, b"1"), Cell("g", b"r", 0, b"23"), Cell("g", b"r", 0, b"4")]),
]


@pytest.mark.parametrize("key", [b"", b"b"])
def test_a_row_over_several_messages(key: bytes) -> None:
    """A row goes on in the next message, which need not say its key, and so does a value in it."""
    messages = of_messages(
        message(row(b"a"), chunk(b"b", "g:", b"1")),
        message(chunk(key, ":r", b"2", value_size=2)),
        message(),
        message(chunk(key, "", b"3"), chunk(b"", "", b"4", commit_row=True), row(b"c")),
    )
    rows, well = merged(messages)
    assert well
    assert rows == [*TWO, (b"c", [Cell("f", b"q", 1000, b"v")])]


def test_a_reset_that_opens_a_message() -> None:
    """A row that began in one message is taken back by the next."""
    reset: dict[str, Any] = {"reset_row": True}
    messages = of_messages(
        message(row(b"a"), chunk(b"b", "f:q", b"old", value_size=9)), message(reset), message(row(b"b"))
    )
    assert merged(messages) == ([(key, TWO[0][1]) for key in (b"a", b"b")], True)
    assert merged([*messages[:1], *of_messages(message(reset, row(b"c")))])[0][-1][0] == b"c"


@pytest.mark.parametrize("name", [b"", b"q", b"\0", b"\n\0", b"q" * 127, b"q" * 128, b"\xff" * 16_384])
def test_qualifiers_of_any_bytes(name: bytes) -> None:
    """An empty qualifier is told from one that is not said, and long ones are read like short ones."""
    first = {"row_key": b"k", "family_name": "f", "qualifier": name}
    chunks: list[dict[str, Any]] = [
        first,
        {"value": b"1"},
        {"qualifier": b"z"},
        {"qualifier": name, "commit_row": True},
    ]
    [(_, cells)], well = merged(of_messages(message(*chunks)))
    assert well
    assert [cell.qualifier for cell in cells] == [name, name, b"z", name]


def test_more_names_than_are_kept() -> None:
    """Names are read rightly also where there are more than are kept, and families of any text."""
    names = [b"%04d" % number for number in range(2_500)] * 2
    chunks: list[dict[str, Any]] = [
        {"qualifier": name, "family_name": "é" * (1 + len(name) % 3)} for name in names
    ]
    chunks[0]["row_key"] = b"k"
    chunks[-1]["commit_row"] = True
    [(_, cells)], _ = merged(of_messages(message(*chunks)))
    assert [cell.qualifier for cell in cells] == names
    assert {cell.family for cell in cells} == {"éé"}


@pytest.mark.parametrize(
    "raw",
    [
        b"\x0a",
        b"\xff\xff",
        b"\x0a\x05\x0a\x01",
        b"\x0a\x0d\x0a\x01k\x12\x03\x0a\x01\xff\x1a\x03\x0a\x01q",  # a family that is no text
        b"\x0a\x0b\x0a\x01k\x12\x03\x0a\x01f\x1a\x01\x0a",  # a qualifier whose message is cut off
    ],
)
def test_a_message_that_is_none(raw: bytes) -> None:
    """Bytes that are no answer are an error that says so."""
    with pytest.raises(InvalidAnswer, match="a message that cannot be parsed"):
        Chunks(ALL).take(raw, RAW.strict, RowBatch([], []))


def test_rows_in_front_of_an_error_come() -> None:
    """What was well in front of a chunk that is not valid was read."""
    rows, well = merged(of_messages(message(row(b"a"), row(b"b"), row(b"b"))))
    assert not well
    assert [key for key, _ in rows] == [b"a", b"b"]
