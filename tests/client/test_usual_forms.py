"""The usual forms of rows, which one expression takes, against the strict way, which is always right."""

import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from google.cloud.bigtable_v2.types import ReadRowsResponse
from hypothesis import given, settings
from hypothesis import strategies as st
from test_compiled_reads import MODELS, NOW, Plain, decoders, results, usual_chunks

import btmodel as bt
from btmodel.codecs.inline import FunctionSource
from btmodel.declare import Fields, codec_of
from btmodel.rows import Cell, Mutation
from btmodel.rows.compiled.reader import write_instance
from btmodel.rows.compiled.template import SMALL, Template
from btmodel.rows.compiled.walk import by_family
from btmodel.testing import instances


class Changed(bt.Model, table="changed"):
    """More than its attributes are set when it is made."""

    number: int = bt.key(bt.PaddedInt(4))
    f = bt.family("f", gc=bt.max_versions(1))
    first: str = bt.column("a", f)

    def __attrs_post_init__(self) -> None:
        self.first = self.first.upper()


@pytest.mark.parametrize("repeats", [False, True], ids=["as the service sends", "as the emulator sends"])
@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_most_rows_are_of_a_usual_form(model: type[bt.Model], repeats: bool, data: st.DataObject) -> None:
    """Of rows as servers send them, all are matched but those with odd values, long chunks, or a family without its first column."""
    row = data.draw(instances(model))
    mutation = codec_of(model).encode(Fields(row), NOW)
    chunks = usual_chunks(mutation, repeats)
    message = ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))
    schema = bt.schema_of(model)
    families = by_family(schema, schema.columns)
    matched = re.fullmatch(
        Template(FunctionSource(), schema.key, families, repeats).pattern, message, re.DOTALL
    )
    values = [cell.value for cell in mutation.cells]
    odd = any(b"\n" in value or not value for value in values)
    long = any(len(ReadRowsResponse.CellChunk.serialize(chunk)) >= SMALL for chunk in chunks)
    present = {cell[:2] for cell in mutation.cells}
    places = [[(place.family, place.qualifier) for place in family] for family in families]
    gap = any(family[0] not in present and not present.isdisjoint(family) for family in places)
    assert matched or odd or long or gap


@pytest.mark.parametrize("repeats", [False, True], ids=["as the service sends", "as the emulator sends"])
def test_every_byte_of_a_row_counts(repeats: bool) -> None:
    """A row of a usual form with any of its bytes changed is what the strict way makes of it."""
    inner = ReadRowsResponse.CellChunk(qualifier=b"b", timestamp_micros=NOW, value=b"y")
    fake = bytes(ReadRowsResponse.serialize(ReadRowsResponse(chunks=[inner])))
    values = {b"a": b"one", b"b": b"two", b"c": b"\1"}
    strict, fast = decoders(Plain)
    for value in (b"one", b"one" + fake, b"twoH\x01"):
        cells = [Cell("f", name, NOW, one) for name, one in {**values, b"a": value}.items()]
        chunks = [
            *usual_chunks(Mutation("t", b"0001", cells), repeats),
            *usual_chunks(Mutation("t", b"0002", cells), repeats),
        ]
        whole = ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))
        for at in range(len(whole)):
            for changed in (whole[at], whole[at] ^ 1, whole[at] ^ 2, whole[at] ^ 0x80):
                message = [whole[:at] + bytes((changed,)) + whole[at + 1 :]]
                right, found = results(message, strict), results(message, fast)
                whatever = right[2] is not None and "cannot be parsed" in right[2]
                assert found[2] == right[2]
                assert found == right or whatever


class Two(bt.Model, table="two", events="1/s"):
    """Required columns behind others, in two families of which each may end the row."""

    number: int = bt.key(bt.PaddedInt(4))
    f = bt.family("f", gc=bt.max_versions(1))
    g = bt.family("g", gc=bt.max_versions(1))
    one: bool = bt.column("a", f)
    two: bytes = bt.column("b", f)
    three: str | None = bt.column("a", g, default=None)
    four: int = bt.column("b", g)
    five: int | None = bt.column("c", g, default=None)


@pytest.mark.parametrize("repeats", [False, True], ids=["as the service sends", "as the emulator sends"])
@pytest.mark.parametrize("model", [*MODELS, Two])
@given(data=st.data())
@settings(max_examples=25)
def test_what_a_row_lacks_is_not_that_of_the_row_before(
    model: type[bt.Model], repeats: bool, data: st.DataObject
) -> None:
    """Rows that lack some of their cells, required ones among them, are what the strict way makes of them."""
    cells = codec_of(model).encode(Fields(data.draw(instances(model))), NOW).cells
    chunks = []
    for number in range(6):
        some = data.draw(st.lists(st.sampled_from(cells), unique=True)) if number % 2 else cells
        key = codec_of(model).keys.of_row(SimpleNamespace(**numbered(model, number)))
        chunks += usual_chunks(Mutation("t", key, some), repeats) if some else []
    message = ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))
    strict, fast = decoders(model)
    assert results([message], fast) == results([message], strict)


def test_a_class_that_does_more_when_it_is_made_is_called() -> None:
    """Attributes are set without the constructor only where that would do nothing else."""
    strict, fast = decoders(Changed)
    cells = [Cell("f", b"a", NOW, b"one")]
    messages = [
        ReadRowsResponse.serialize(
            ReadRowsResponse(chunks=usual_chunks(Mutation("t", b"%04d" % number, cells), False))
        )
        for number in range(3)
    ]
    found = results(messages, fast)
    assert found == results(messages, strict)
    assert [row.first for row in found[1]] == ["ONE"] * 3


def test_the_usual_models_are_made_without_a_call() -> None:
    """What is known of the constructors that attrs writes holds for the attrs that is installed."""
    for model in MODELS:
        source = FunctionSource()
        write_instance(
            source,
            model,
            {part.name: "0" for part in model.__schema__.key.asked}
            | {column.name: "0" for column in model.__schema__.columns},
        )
        assert "(" not in source.text.split("\n", 1)[1]


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
@settings(max_examples=25)
def test_rows_of_other_forms_stand_between_usual_ones(model: type[bt.Model], data: st.DataObject) -> None:
    """However many of them follow one another in a message, all rows of it are read."""
    rows = data.draw(st.lists(instances(model), min_size=1, max_size=4))
    cells = [
        sorted(codec_of(model).encode(Fields(row), NOW).cells, key=lambda cell: cell[:2]) for row in rows
    ]
    chunks = []
    for number, repeats in enumerate(data.draw(st.lists(st.booleans(), min_size=15, max_size=40))):
        key = codec_of(model).keys.of_row(SimpleNamespace(**numbered(model, number)))
        chunks += usual_chunks(Mutation("t", key, cells[number % len(cells)]), repeats)
    message = ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks))
    strict, fast = decoders(model)
    assert fast.fast is not None
    assert fast.fast(message, 0, b"")[0] == len(message)
    assert results([message], fast) == results([message], strict)


def numbered(model: type[bt.Model], number: int) -> dict[str, Any]:
    """The key fields of one of the rows of a model, in the order of its keys."""
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number)
    return {"meter": "m", "at": at, "number": number}
