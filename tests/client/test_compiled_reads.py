"""Rows that are taken straight from the bytes of an answer, against the strict way, which is always right."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve
from google.cloud.bigtable_v2.types import MutateRowsRequest, ReadRowsResponse
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.client.chunks import Chunks, decoded
from btmodel.declare import Fields, codec_of
from btmodel.rows import Cell, Mutation, ReadPlan, RowDecoder, Stored
from btmodel.rows.serialized import Entry
from btmodel.testing import instances

NOW = 1_784_000_000_000_000
PLAN = ReadPlan("t", (), None)


class Reading(bt.Model, table="readings", events="1/s"):
    """Columns of every kind of codec, some of which rows lack, in two families."""

    meter: str = bt.key(bt.Text(max_length=8), cardinality=100, mirror="a:meter")
    at: datetime = bt.key(bt.EpochMillis())

    a = bt.family("a", gc=bt.max_versions(1))
    b = bt.family("bb", gc=bt.max_versions(1))
    count: int = bt.column("count", a)
    note: str | None = bt.column("note", a, default=None)
    raw: bytes | None = bt.column("raw", a, default=None)
    price: Decimal | None = bt.column("price", a, codec=bt.DecimalNumber(), default=None)
    day: date | None = bt.column("day", b, default=None)
    heat: float | None = bt.column("heat", b, default=None)
    told: dict[str, int] | None = bt.column("told", b, default=None)


class Plain(bt.Model, table="plain", events="1/s"):
    """One family, required columns in front and behind."""

    number: int = bt.key(bt.PaddedInt(4))
    f = bt.family("f", gc=bt.max_versions(1))
    first: str = bt.column("a", f)
    middle: str | None = bt.column("b", f, default=None)
    last: bool = bt.column("c", f)


class Sized(bt.Model, table="sized", events="1/s"):
    """A key and values of one size each: some next to one another, some lacking behind them; a family that may lack."""

    at: datetime = bt.key(bt.EpochMillis())
    f = bt.family("f", gc=bt.max_versions(1))
    g = bt.family("g", gc=bt.max_versions(1))
    h = bt.family("h", gc=bt.max_versions(1))
    one: int = bt.column("a", f)
    two: float = bt.column("b", f)
    three: bool = bt.column("c", f)
    four: int | None = bt.column("d", f, default=None)
    five: UUID = bt.column("e", f)
    six: int | None = bt.column("a", g, default=None)
    seven: int | None = bt.column("b", g, default=None)
    eight: datetime | None = bt.column("a", h, default=None)
    nine: str = bt.column("b", h)
    ten: date | None = bt.column("c", h, default=None)
    eleven: str | None = bt.column("d", h, default=None)


MODELS: list[type[bt.Model]] = [Reading, Plain, Sized]
# What the form of a row is told by, as it may stand in a value.
MARKS = [
    b"\n",
    b"H\x01",
    b"\x12",
    b"\x1a\x03\n\x01c ",
    b"2\x01",
    b"\x12\x03\n\x01f",
    b"\x80" * 7 + b"\x01",
    b"x",
]


@st.composite
def streams(draw: st.DrawFn, model: type[bt.Model]) -> list[bytes]:
    """Messages of rows as servers send them, and as they could: every liberty of the protocol is taken at times."""
    found = {}
    for row in draw(st.lists(instances(model), max_size=6)):
        mutation = codec_of(model).encode(
            Fields(row), draw(st.sampled_from([NOW, NOW + 1000, 0, 5000, 2**60 // 1000 * 1000]))
        )
        found[mutation.key] = mutation
    chunks: list[Any] = []
    for key in sorted(found):
        chunks += row_chunks(draw, found[key], other=draw(st.sampled_from(sorted(found))))
    sizes = draw(st.lists(st.integers(1, 12), min_size=1, max_size=8))
    messages = []
    while chunks:
        size = sizes[len(messages) % len(sizes)]
        messages.append(ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks[:size])))
        chunks = chunks[size:]
    if draw(st.booleans()):
        messages.append(ReadRowsResponse.serialize(ReadRowsResponse(last_scanned_row_key=b"\xff" * 20)))
    return messages


def row_chunks(draw: st.DrawFn, mutation: Mutation, other: bytes) -> list[Any]:
    """The chunks of one row, as one of the servers sends them, and sometimes as none does.

    Names are repeated always, never or at times; once in a while by the key of an ``other`` row, or another family.
    """
    cells = sorted(mutation.cells, key=lambda cell: cell[:2])
    if draw(st.integers(0, 4)) == 0:
        cells = draw(st.permutations(cells))
    if draw(st.integers(0, 4)) == 0:
        cells.insert(draw(st.integers(0, len(cells))), Cell("a", b"other", NOW, b"x"))
    if draw(st.integers(0, 4)) == 0:
        at = draw(st.integers(0, len(cells) - 1))
        cells.insert(at + 1, cells[at]._replace(timestamp=NOW - 1000))
    if draw(st.integers(0, 4)) == 0:
        at = draw(st.integers(0, len(cells) - 1))
        value = st.binary(max_size=300) | st.lists(st.sampled_from(MARKS)).map(b"".join)
        cells[at] = cells[at]._replace(value=draw(value))
    repeats = draw(st.booleans())
    chunks: list[Any] = []
    before = None
    for cell in cells:
        chunk = ReadRowsResponse.CellChunk(timestamp_micros=cell.timestamp, value=cell.value)
        if before is None or repeats or draw(st.integers(0, 5)) == 0:
            chunk.row_key = mutation.key if draw(st.integers(0, 30)) else other
        if before is None or repeats or before.family != cell.family or draw(st.integers(0, 5)) == 0:
            chunk.family_name = (
                cell.family if draw(st.integers(0, 30)) else draw(st.sampled_from(["a", "bb"]))
            )
        chunk.qualifier = cell.qualifier
        if draw(st.integers(0, 30)) == 0:
            chunk.labels = ["label"]
        if len(cell.value) > 1 and draw(st.integers(0, 20)) == 0:
            whole, chunk.value = cell.value, cell.value[:1]
            chunk.value_size = len(whole)
            chunks.append(chunk)
            chunk = ReadRowsResponse.CellChunk(value=whole[1:])
        chunks.append(chunk)
        before = cell
    if draw(st.integers(0, 20)) == 0:
        chunks += [ReadRowsResponse.CellChunk(reset_row=True), *chunks]
    chunks[-1].commit_row = True
    return chunks


def results(messages: list[bytes], decoder: RowDecoder[Any]) -> tuple[list[bytes], list[Any], str | None]:
    """The keys and the rows of a stream, and what ended it."""
    chunks, keys, rows = Chunks(PLAN), [], []
    for message in messages:
        batch, failed = decoded(message, chunks, decoder)
        keys += batch.keys
        rows += batch.rows
        if failed is not None:
            return keys, rows, f"{type(failed).__name__}: {failed}"
    return keys, rows, None


def decoders(model: type[bt.Model]) -> tuple[RowDecoder[Any], RowDecoder[Any]]:
    """The strict way alone, and with the fast one in front of it."""
    codec = codec_of(model)
    fast = codec.compiled_reader()
    assert fast is not None
    return RowDecoder(codec.decode), RowDecoder(codec.decode, fast)


def stored_decoders(model: type[bt.Model]) -> tuple[RowDecoder[Any], RowDecoder[Any]]:
    """The same of stored rows."""
    both = codec_of(model).stored_rows()
    assert both.fast is not None
    return RowDecoder(both.strict), both


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_both_ways_give_the_same_rows_of_any_stream(model: type[bt.Model], data: st.DataObject) -> None:
    """The same keys, rows and errors, whatever form the chunks come in.

    Of stored rows also the same newest timestamps, which are those of the cells that the model reads.
    """
    messages = data.draw(streams(model))
    for made in (decoders, stored_decoders):
        strict, fast = made(model)
        assert results(messages, fast) == results(messages, strict), made.__name__


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_a_stored_row_has_the_newest_timestamp_of_its_cells(
    model: type[bt.Model], data: st.DataObject
) -> None:
    """Of cells that were written at other times the newest counts, in either way."""
    mutation = codec_of(model).encode(Fields(data.draw(instances(model))), NOW)
    times = st.sampled_from([NOW, NOW + 1000, NOW - 1000, NOW + 128_000, 2**49])
    cells = [cell._replace(timestamp=data.draw(times)) for cell in mutation.cells]
    chunks = usual_chunks(evolve(mutation, cells=cells), data.draw(st.booleans()))
    message = ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))
    for decoder in stored_decoders(model):
        keys, [row], failed = results([message], decoder)
        assert failed is None
        assert keys == [row.key] == [mutation.key]
        assert row.timestamp == max(cell.timestamp for cell in cells)


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_both_ways_give_the_same_of_broken_bytes(model: type[bt.Model], data: st.DataObject) -> None:
    """The same rows and errors where bytes of a message are changed, lost or added.

    Of a message that is none of protobuf's, the rows in front of the fault are given first.
    """
    messages = data.draw(streams(model).filter(bool))
    which = data.draw(st.integers(0, len(messages) - 1))
    broken = bytearray(messages[which])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(broken) - 1))
        match data.draw(st.integers(0, 2)):
            case 0:
                broken[at] = data.draw(st.sampled_from([broken[at] ^ 1, broken[at] ^ 0x80, 10, 72, 0, 255]))
            case 1 if len(broken) > 1:
                del broken[at : at + data.draw(st.integers(1, 4))]
            case _:
                broken[at:at] = data.draw(st.binary(min_size=1, max_size=3))
        if not broken:
            break
    messages[which] = bytes(broken)
    strict, fast = (results(messages, decoder) for decoder in decoders(model))
    if strict[2] is None or "cannot be parsed" not in strict[2]:
        assert fast == strict
    else:
        assert (fast[0][: len(strict[0])], fast[2]) == (strict[0], strict[2])


def entry_of(row: bt.Model, now: int = NOW) -> Entry | None:
    """What is ready to write a row; None where that is left to the plain codec."""
    write = codec_of(type(row)).compiled_writer
    assert write is not None
    return write(row, now)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("repeats", [False, True], ids=["as the service sends", "as the emulator sends"])
def test_the_usual_forms_are_taken_whole(model: type[bt.Model], repeats: bool) -> None:
    """Rows in the forms in which the service and the emulator send them leave nothing for the strict way."""
    codec, fast = codec_of(model), decoders(model)[1].fast
    assert fast is not None
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for sparse in (False, True):
        rows: list[Any] = [
            Plain(number=number, first="é" * number, middle=None if sparse else "x" * 200, last=True)
            for number in range(3)
        ]
        if model is Sized:
            more: dict[str, Any] = {
                "four": 4,
                "six": 6,
                "seven": 7,
                "eight": start,
                "ten": start.date(),
                "eleven": "x",
            }
            given = dict.fromkeys(more) if sparse else more
            same = {"one": 1, "two": 2.5, "three": True, "five": UUID(int=5), "nine": "n"}
            rows = [Sized(at=start + timedelta(seconds=at), **same, **given) for at in range(3)]
        if model is Reading:
            some = (
                {}
                if sparse
                else {"note": "", "raw": b"r" * 130, "price": Decimal("1.50"), "day": start.date()}
            )
            rows = [
                Reading(
                    meter="m",
                    at=start + timedelta(seconds=at),
                    count=at,
                    heat=None if sparse else 0.5,
                    **some,
                )
                for at in range(3)
            ]
        chunks = []
        for row in rows:
            mutation = codec.encode(Fields(row), NOW)
            chunks += usual_chunks(mutation, repeats)
        message = ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))
        at, keys, found = fast(message, 0, b"")
        assert at == len(message)
        assert found == rows
        assert keys == [bt.key_of(row) for row in rows]
        spans = codec.compiled_spans()
        assert spans is not None
        stop, named, blocks = spans.read(message, 0, b"")
        assert (stop, named) == (len(message), keys)
        if model is Sized and not repeats and not sparse:
            assert [block.columns is not None for block in blocks] == [True] * 3
        stored = stored_decoders(model)[1].fast
        assert stored is not None
        assert stored(message, 0, b"") == (
            len(message),
            keys,
            [Stored(*one, NOW) for one in zip(keys, rows, strict=True)],
        )


def usual_chunks(mutation: Mutation, repeats: bool) -> list[Any]:
    """A row as the service sends it, or, with all names repeated, as the emulator does."""
    chunks: list[Any] = []
    before = None
    for cell in sorted(mutation.cells, key=lambda cell: cell[:2]):
        chunk = ReadRowsResponse.CellChunk(
            timestamp_micros=cell.timestamp, value=cell.value, qualifier=cell.qualifier
        )
        if before is None or repeats:
            chunk.row_key = mutation.key
        if before is None or repeats or before.family != cell.family:
            chunk.family_name = cell.family
        chunks.append(chunk)
        before = cell
    chunks[-1].commit_row = True
    return chunks


def test_what_a_chunk_repeats_is_that_of_its_own_row_and_family() -> None:
    """What was proved of the names in one row, or in one family, proves nothing of the next."""
    plain: list[Any] = [Plain(number=number, first="a", middle="b", last=True) for number in range(2)]
    at, day = datetime(2026, 1, 1, tzinfo=UTC), date(2026, 1, 1)
    two_families: list[Any] = [Reading(meter="m", at=at, count=1, note="n", day=day, heat=0.5)]
    # In each, the second chunk of a row or a family names the one before.
    for rows, second, name, other in (
        (plain, 4, "row_key", bt.key_of(plain[0])),
        (two_families, 4, "family_name", "a"),
    ):
        model = type(rows[0])
        chunks: list[Any] = []
        for row in rows:
            chunks += usual_chunks(codec_of(model).encode(Fields(row), NOW), True)
        setattr(chunks[second], name, other)
        message = ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))
        strict, fast = (results([message], decoder) for decoder in decoders(model))
        assert fast == strict
        assert fast[1] != rows


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_a_row_of_some_columns_is_the_same_both_ways(model: type[bt.Model], data: st.DataObject) -> None:
    """Of columns that were asked for alone, the others stay unset."""
    codec = codec_of(model)
    row = data.draw(instances(model))
    only = frozenset(data.draw(st.sets(st.sampled_from(sorted(codec.columns)), min_size=1)))
    places = {(codec.columns[name].column.family, codec.columns[name].column.qualifier) for name in only}
    mutation = codec.encode(Fields(row), NOW)
    cells = [cell for cell in mutation.cells if cell[:2] in places]
    if not cells:
        return
    chunks = usual_chunks(Mutation("t", mutation.key, cells), False)
    message = ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))
    strict = partial(codec.decode, only=only)
    wanted = results([message], RowDecoder(strict))
    assert results([message], RowDecoder(strict, codec.compiled_reader(only))) == wanted


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_a_compiled_write_is_what_the_codec_writes(model: type[bt.Model], data: st.DataObject) -> None:
    """The bytes of an entry hold the key and the cells of the mutation, and no others."""
    row = data.draw(instances(model))
    codec = codec_of(model)
    now = data.draw(st.sampled_from([NOW, NOW + 1000, 1000, 2**62]))
    wanted = codec.encode(Fields(row), now)
    made = entry_of(row, now)
    if made is None:
        return
    entry = MutateRowsRequest.Entry.deserialize(made.raw)
    cells = [one.set_cell for one in entry.mutations]
    assert made.key == entry.row_key == wanted.key
    assert made.count == len(cells)
    got = [Cell(one.family_name, one.column_qualifier, one.timestamp_micros, one.value) for one in cells]
    assert got == list(wanted.cells)


def test_the_usual_rows_are_written_the_fast_way() -> None:
    """A test that compared the plain way with itself would hold nothing."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    row = Reading(meter="m", at=at, count=1, note="n" * 300, price=Decimal(2), day=at.date(), told={"a": 1})
    assert isinstance(entry_of(row), Entry)
