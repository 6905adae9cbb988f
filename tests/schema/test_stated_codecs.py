"""What is recorded of a codec says all that decides which bytes stand for which value."""

import dataclasses
from enum import Enum, Flag
from itertools import combinations
from typing import Any, NamedTuple, cast

import attrs
import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.codecs import cell, key
from btmodel.codecs.cell.protobuf import message_entries
from btmodel.schema.layout import built_in, codec_parts, codec_text
from btmodel.testing import drawn
from tests.schema.test_recorded_codec import CELLS
from tests.schemas import POOLS


def record(*names: str, **types: Any) -> type:
    """A class ``Span`` with these fields, of whole numbers or of what is said."""
    return dataclasses.make_dataclass("Span", [(name, types.get(name, int)) for name in names])


class Line(NamedTuple):
    """A class with a default."""

    sku: str
    number: int = 1


def side(**values: Any) -> type[Enum]:
    """An enum ``Side`` of these members."""
    return Enum("Side", values)  # type: ignore[return-value]


def flags(**values: int) -> type[Enum]:
    """Flags ``Side``."""
    return Flag("Side", values)  # type: ignore[return-value]


class Scaling(bt.CellCodec[int]):
    """What codecs of a user have in common."""

    by: int
    python_type, typical_size, meaning = int, 8, "a scaled number"  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]

    def encode(self, value: int) -> bytes:
        return str(value * self.by).encode()

    def decode(self, raw: bytes) -> int:
        return int(raw) // self.by


def scaled(usual: int) -> Any:
    """A codec that is declared without arguments, and with this default."""

    @frozen(slots=False)
    class Scaled(Scaling):
        by: int = usual

    return Scaled()


class Plain(Scaling):
    """A codec that is no class of attrs, and has the repr that every object has."""

    def __init__(self, by: int) -> None:
        self.by = by


def same_named(item: type) -> type:
    """A class ``Order`` of another class, ``Line``."""
    return attrs.make_class("Order", {"lines": attrs.field(type=list[item])})  # type: ignore[valid-type]


# Codecs of one class each, every two of which write or read some value in other ways.
APART: list[tuple[Any, ...]] = [
    (
        bt.Packed(record("start", "end"), ">II"),
        bt.Packed(record("end", "start"), ">II"),
        bt.Packed(record("begin", "end"), ">II"),
        bt.Packed(record("start", "end"), "<II"),
    ),
    (
        bt.Json(dict[str, int]),
        bt.Json(dict[str, str]),
        bt.Json(dict[str, int | None]),
        bt.Json(list[int]),
        bt.Json(tuple[int, ...]),
        bt.Json(tuple[int, int]),
    ),
    tuple(
        bt.Json(one)
        for one in (
            record("start"),
            record("start", "end"),
            record("end", "start"),
            record("start", start=bytes),
            record("start", start=side(BUY="B", SELL="S")),
            record("start", start=side(BUY="S", SELL="B")),
            record("start", start=list[record("a")]),  # type: ignore[misc]
            record("start", start=list[record("b")]),  # type: ignore[misc]
        )
    ),
    tuple(bt.Json(dataclasses.make_dataclass("Span", [("a", int, one)])) for one in (1, 2)),
    tuple(
        bt.Json(dataclasses.make_dataclass("Span", [("a", list[int], dataclasses.field(default_factory=one))]))
        for one in (list, lambda: [1])
    ),
    (bt.EnumText(side(BUY="B", SELL="S")), bt.EnumText(side(BUY="S", SELL="B"))),
    (
        bt.EnumValue(side(A=1, B=2), bt.Int64()),
        bt.EnumValue(side(A=2, B=1), bt.Int64()),
        bt.EnumValue(side(A=1, B=2), bt.DecimalText()),
        bt.EnumValue(flags(A=1, B=2), bt.Int64()),
    ),
    (
        bt.RawArray("<f8", (None,)),
        bt.RawArray(">f8", (None,)),
        bt.RawArray("<f8", (None, 2)),
        bt.RawArray("<i8", (None,)),
        bt.RawArray("<M8[s]", (None,)),
        bt.RawArray("<M8[ms]", (None,)),
    ),
    (
        bt.NumpyArray(),
        bt.NumpyArray("<f8"),
        bt.NumpyArray(">f8"),
        bt.NumpyArray([("a", "<f8"), ("b", "<f8")]),
        bt.NumpyArray([("b", "<f8"), ("a", "<f8")]),
        bt.NumpyArray("<f8", (3,)),
    ),
    (scaled(10), scaled(100)),
    (Plain(10), Plain(100)),
    (bt.Compressed(scaled(10)), bt.Compressed(scaled(100))),
    (
        bt.Repeated(bt.Text(width=2), most=3),
        bt.Repeated(bt.Text(width=3), most=3),
        bt.Repeated(bt.Text(width=2), separator=b"|", most=3),
        bt.Repeated(bt.Text(width=2), least=2, most=3),
        bt.Repeated(bt.EnumText(side(BUY="B", SELL="S")), most=3),
        bt.Repeated(bt.EnumText(side(BUY="S", SELL="B")), most=3),
    ),
]  # fmt: skip


@pytest.mark.parametrize("codecs", APART, ids=lambda one: type(one[0]).__name__)
def test_codecs_that_differ_have_other_texts(codecs: tuple[Any, ...]) -> None:
    """Fields, members, types, defaults and orders of bytes are in the text, and compared."""
    for one, other in combinations(codecs, 2):
        assert codec_text(one) != codec_text(other)
        if codec_parts(codec_text(one)).stated and codec_parts(codec_text(other)).stated:
            assert codec_parts(codec_text(one)) != codec_parts(codec_text(other))


_ALL = [*(codec for codec, _ in POOLS), *CELLS, *(one for group in APART for one in group)]
_PAIRS = [
    (one, other)
    for one, other in combinations(_ALL, 2)
    if type(one) is type(other) and not isinstance(one, bt.RawArray | bt.NumpyArray | Scaling)
]


@settings(max_examples=150)
@given(st.sampled_from(_PAIRS), st.data())
def test_codecs_of_one_text_do_the_same(pair: tuple[Any, Any], data: st.DataObject) -> None:
    """Two codecs of one class have different texts, or write and read every value alike."""
    one, other = pair
    if codec_text(one) != codec_text(other):
        return
    try:
        raw = one.encode(data.draw(drawn(one)))
    except bt.ValueRefused:
        return
    assert repr(other.decode(raw)) == repr(one.decode(raw))


def test_every_built_in_codec_is_made_of_its_arguments() -> None:
    """Nothing that is not an argument, and so is not in the text, makes two built-in codecs differ."""
    found = [
        one
        for one in built_in().values()
        if issubclass(one, (key.KeyCodec, cell.CellCodec)) and attrs.has(one)
    ]
    assert len(found) > 40
    for one in found:
        assert all(part.init or not part.eq for part in attrs.fields(one)), one


def test_an_object_is_written_alike_in_every_process() -> None:
    """No address stands in a text: it would be another codec each time."""
    assert codec_text(Plain(10)) == codec_text(Plain(10))
    assert " at 0x" not in codec_text(Plain(10))


def test_two_classes_of_one_name() -> None:
    """Each has entries of its own."""
    text = codec_text(bt.Json(tuple[same_named(Line), same_named(record("a"))]))  # type: ignore[misc]
    assert "'Order#2.lines: list[Span]'" in text
    assert "'Order.lines: list[Line]'" in text


def test_a_class_that_holds_itself() -> None:
    """Its fields are said once."""
    node = attrs.make_class("Node", {"next": attrs.field(type=cast(Any, "Node | None"), default=None)})
    globals()["Node"] = node
    node.__module__ = __name__
    assert codec_text(bt.Json(node)) == "Json(of=Node){'Node', 'Node.next: Node | None = None'}"


def test_a_message_of_protobuf() -> None:
    """Its fields with their numbers and types, and those of what is inside."""
    from google.protobuf.api_pb2 import Method

    found = message_entries(Method.DESCRIPTOR)
    assert "google.protobuf.Method 1 string name = ''" in found
    assert "google.protobuf.Method 3 bool request_streaming = False" in found
    assert "google.protobuf.Method 6 repeated google.protobuf.Option options = nothing" in found
    assert "google.protobuf.Option 2 google.protobuf.Any value = nothing" in found
    assert "google.protobuf.Syntax.SYNTAX_PROTO3 = 1" in found


@pytest.mark.parametrize(
    "text", ["Json(of=dict){1}", "Json(of=dict){'a'", "X(){}", "X()\\{'a'}", "{'a'}", ")){'("]
)
def test_braces_that_nobody_wrote(text: str) -> None:
    """They are left where they are."""
    assert codec_parts(text).bare == text
