"""Keys that are taken straight from the bytes of an answer, against the strict way, which is always right."""

from typing import Any

import pytest
from google.cloud.bigtable_v2.types import ReadRowsResponse
from hypothesis import given
from hypothesis import strategies as st
from test_compiled_reads import MODELS, NOW, Plain, Reading, results, streams, usual_chunks

import btmodel as bt
from btmodel.declare import codec_of
from btmodel.rows import Cell, Mutation, RowDecoder

OTHER = [b"", b"1", b"m#1", b"m#1500000000000", b"1500000000000", b"0001", b"0002\x12", b"\xff"]


def decoders(model: type[bt.Model], *, raw: bool) -> tuple[RowDecoder[Any], RowDecoder[Any]]:
    """The strict way alone, and with the fast one in front of it."""
    codec = codec_of(model)

    def strict(key: bytes, cells: list[Cell]) -> Any:
        fields = codec.keys.read(key)
        return key if raw else list(fields)

    fast = codec.compiled_keys(None if raw else list)
    assert fast is not None
    return RowDecoder(strict), RowDecoder(strict, fast)


def message_of(keys: list[bytes], cells: list[Cell]) -> bytes:
    """A message of rows of one cell each."""
    chunks = []
    for number, key in enumerate(keys):
        chunks += usual_chunks(Mutation("t", key, [cells[number % len(cells)]]), False)
    return bytes(ReadRowsResponse.serialize(ReadRowsResponse(chunks=chunks)))


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_both_ways_give_the_same_keys_of_any_stream(model: type[bt.Model], data: st.DataObject) -> None:
    """The same keys, as bytes and as fields, and the same errors, whatever form the chunks come in."""
    messages = data.draw(streams(model))
    for raw in (False, True):
        strict, fast = decoders(model, raw=raw)
        assert results(messages, fast) == results(messages, strict), raw


@pytest.mark.parametrize("raw", [False, True])
@given(data=st.data())
def test_both_ways_give_the_same_keys_of_single_cells(raw: bool, data: st.DataObject) -> None:
    """Rows of one cell without its value, of keys that are of the model and others, whole or with bytes changed."""
    keys = sorted(
        data.draw(
            st.sets(st.from_regex(rb"m#1[0-9]{12}", fullmatch=True) | st.sampled_from(OTHER[1:]), min_size=1)
        )
    )
    names = st.tuples(st.sampled_from(["a", "bb", "é"]), st.sampled_from([b"", b"q", b"x" * 120, b"\n"]))
    value = data.draw(st.sampled_from([b"", b"", b"v"]))
    times = st.sampled_from([NOW, NOW + 1000, 0, 5000])
    cells = [Cell(*data.draw(names), data.draw(times), value) for _ in range(data.draw(st.integers(1, 3)))]
    message = bytearray(message_of(keys, cells))
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(message) - 1))
        message[at] = data.draw(st.sampled_from([message[at] ^ 1, message[at] ^ 0x80, 10, 72, 0, 255]))
    strict, fast = (results([bytes(message)], one) for one in decoders(Reading, raw=raw))
    if strict[2] is None or "cannot be parsed" not in strict[2]:
        assert fast == strict
    else:
        assert (fast[0][: len(strict[0])], fast[2]) == (strict[0], strict[2])


def test_the_usual_form_is_taken_whole() -> None:
    """Single cells of any column, whose value is left out, leave nothing for the strict way."""
    keys = [b"%04d" % number for number in range(300)]
    message = message_of(keys, [Cell("f", b"a", NOW, b""), Cell("f", b"unknown", NOW + 1000, b"")])
    _, fast = decoders(Plain, raw=False)
    assert fast.fast is not None
    assert fast.fast(message, 0, b"") == (len(message), keys, [[number] for number in range(300)])
