"""A change of codec is called safe only where no cell can be read as another value than it was."""

from contextlib import suppress
from enum import Enum, Flag, IntEnum
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.codecs.byte_set import (
    ANY,
    DIGIT,
    UTF8,
    ByteSet,
    choice,
    common_bytes,
    exactly,
    literal,
    many,
    one_of,
    sequence,
)
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import AsInKey
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.migrate.tables.layouts import conflict, reads_all
from btmodel.recorded.layouts import recorded_bytes
from btmodel.schema.layout import codec_text
from btmodel.testing import drawn
from tests.examples_tried import examples


class Side(Enum):
    """Members of text, one of which is a number's."""

    BUY = "B"
    SELL = "12345678"


class Level(IntEnum):
    """Members that are numbers."""

    LOW = 1
    HIGH = 0x3132333435363738


class Right(Flag):
    """Members that are written together, too."""

    READ = 1
    WRITE = 0x3132333435363730


class Unsure(Enum):
    """An enum that reads every text."""

    NONE = "B"

    @classmethod
    def _missing_(cls, value: object) -> "Unsure":
        return cls.NONE


class Span(NamedTuple):
    """A record of two numbers."""

    start: int
    end: int


# Codecs of values of one type, by what they are called in tests.
GROUPS: list[list[CellCodec[Any]]] = [
    [
        bt.Int64(),
        bt.IntBytes(8, "little"),
        bt.IntBytes(4),
        bt.IntBytes(4, signed=False),
        bt.DecimalText(),
        AsInKey(bt.PaddedInt(8)),
        AsInKey(bt.PaddedInt(4)),
        AsInKey(bt.Int(max_digits=3)),
        AsInKey(bt.HexInt(8)),
        AsInKey(bt.OrderedInt()),
    ],
    [bt.Float64(), bt.FloatBytes(8, "little"), bt.FloatBytes(4), bt.FloatText()],
    [bt.Flag(), bt.FlagText(), bt.FlagText("\x01", "\x00"), bt.FlagText("false", "true"), bt.Present()],
    [bt.Raw(), bt.HexText(), bt.Base64Text(), AsInKey(bt.Bytes(width=4)), AsInKey(bt.Base64(4))],
    [bt.UuidBytes(), AsInKey(bt.UuidText()), AsInKey(bt.UuidText(dashes=False)), AsInKey(bt.UuidRaw())],
    [bt.EnumValue(Side, bt.Utf8()), bt.EnumValue(Side, bt.Compressed(bt.Utf8())), AsInKey(bt.EnumText(Side))],
    [bt.EnumValue(Level, bt.Int64()), bt.EnumValue(Level, bt.DecimalText()), bt.EnumValue(Level, bt.IntBytes(8, "little"))],
    [bt.EnumValue(Right, bt.Int64()), bt.EnumValue(Right, bt.DecimalText())],
    [bt.Json(Span), bt.Packed(Span, ">HH"), bt.Packed(Span, "<HH"), bt.Packed(Span, ">qq"), bt.Compressed(bt.Json(Span))],
    [bt.IsoDate(), AsInKey(bt.DateText("%Y%m%d")), AsInKey(bt.DateText("%d-%m-%Y")), AsInKey(bt.DateText())],
    [bt.Utf8(), bt.Compressed(bt.Utf8()), AsInKey(bt.Text(max_length=4)), AsInKey(bt.Text(width=4))],
]  # fmt: skip


@st.composite
def layered(draw: st.DrawFn, group: list[CellCodec[Any]], depth: int = 2) -> CellCodec[Any]:
    """A codec of a group, or several of them side by side, compressed or not, nested."""
    kind = draw(st.sampled_from(["plain", "plain", "either", "compressed"])) if depth else "plain"
    if kind == "plain":
        return draw(st.sampled_from(group))
    if kind == "compressed":
        return bt.Compressed(draw(layered(group, depth - 1)), draw(st.sampled_from(["zlib", "bz2"])))
    parts = draw(st.lists(layered(group, depth - 1), min_size=2, max_size=3))
    try:
        return bt.Either(parts[0], *parts[1:])
    except DeclarationError:
        assume(False)
        raise


@st.composite
def changes(draw: st.DrawFn) -> tuple[CellCodec[Any], CellCodec[Any]]:
    """The codec of a column now, and the one that it had; often one beside the other."""
    group = draw(st.sampled_from(GROUPS))
    old = draw(layered(group))
    new = draw(layered(group))
    with suppress(DeclarationError):
        if draw(st.booleans()):
            new = bt.Either(new, old)
    return new, old


def writers(codec: CellCodec[Any]) -> list[CellCodec[Any]]:
    """The codecs that cells of ``codec`` may have been written with."""
    if isinstance(codec, bt.Either):
        return [one for part in (codec.new, *codec.old) for one in writers(part)]
    if isinstance(codec, bt.Compressed):
        return [bt.Compressed(one, codec.method, codec.most) for one in writers(codec.codec)]
    return [codec]


def text(codec: CellCodec[Any]) -> str:
    """The codec as it is recorded."""
    return f"value {codec_text(codec)}"


def value_of(codec: CellCodec[Any], raw: bytes) -> str:
    """What ``codec`` reads ``raw`` as."""
    try:
        return repr(codec.decode(raw))
    except (ValueError, OverflowError):
        return "nothing"


@examples(50, suppress_health_check=list(HealthCheck))
@given(changes(), st.data())
@example((bt.Either(bt.Int64(), bt.IntBytes(8, "little")), bt.IntBytes(8, "little")), None)
@example((bt.Either(bt.Int64(), bt.DecimalText()), bt.DecimalText()), None)
@example((bt.Either(bt.Int64(), bt.DecimalText()), bt.Either(bt.DecimalText(), bt.Int64())), None)
def test_what_is_safe_reads_every_cell_as_it_was(
    change: tuple[CellCodec[Any], CellCodec[Any]], data: st.DataObject | None
) -> None:
    """Whatever a codec has written that is gone, or stands behind another now, is read as it was."""
    new, old = change
    safe = reads_all(text(new), text(old))
    if data is None:
        assert not safe
        return
    assume(safe)
    writer = data.draw(st.sampled_from(writers(old)))
    try:
        raw = writer.encode(data.draw(drawn(writer)))
    except ValueRefused:
        return
    assert value_of(new, raw) == value_of(old, raw)


@pytest.mark.parametrize("codec", [one for group in GROUPS for one in group], ids=codec_text)
@settings(max_examples=15)
@given(data=st.data())
def test_a_codec_reads_and_writes_nothing_outside_of_its_sets(
    codec: CellCodec[Any], data: st.DataObject
) -> None:
    """What it writes is in the one set, what it reads in the other, and its recorded text says no less of both."""
    raw = bytearray(codec.encode(data.draw(drawn(codec))))
    recorded = recorded_bytes(codec_text(codec))
    assert holds(codec.writes, bytes(raw))
    assert holds(recorded.writes, bytes(raw))
    for at in data.draw(st.lists(st.integers(0, max(len(raw) - 1, 0)), max_size=2)):
        raw[at : at + 1] = data.draw(st.binary(max_size=2) | st.sampled_from([b" ", b"-", b"0", b"A", b"_"]))
    if value_of(codec, bytes(raw)) != "nothing":
        assert holds(codec.reads, bytes(raw))
        assert holds(recorded.reads, bytes(raw))


def holds(found: ByteSet, raw: bytes) -> bool:
    """Whether ``raw`` is in a set, walked byte by byte."""
    states = {found}
    for byte in raw:
        states = {after for state in states for members, after in state.heads() if byte in members}
    return any(state.holds_nothing for state in states)


SETS = [
    ANY,
    UTF8,
    literal(b""),
    literal(b"ab"),
    exactly(3),
    many(exactly(2)),
    many(exactly(3), 1, 2),
    many(DIGIT, 1),
    sequence(many(one_of(b"-"), 0, 1), many(DIGIT, 2, 3)),
    choice(literal(b"12"), literal(b"\xff"), sequence(literal(b"\xc3"), exactly(1))),
]


@given(
    st.sampled_from(SETS),
    st.sampled_from(SETS),
    st.binary(max_size=4) | st.text("ab1-", max_size=4).map(str.encode),
)
def test_common_bytes_are_in_both_sets(one: ByteSet, other: ByteSet, raw: bytes) -> None:
    """What is given is in both sets; where nothing is, no bytes are, and lengths exclude nothing that is there."""
    found = [bytes_ for bytes_, _ in zip(common_bytes(one, other), range(20), strict=False)]
    assert None not in found
    assert all(holds(one, common) and holds(other, common) for common in found if common is not None)
    if holds(one, raw) and holds(other, raw):
        assert found
        assert one.lengths.meet(other.lengths)


@pytest.mark.parametrize(
    ("new", "old", "told"),
    [
        (
            bt.Either(bt.Int64(), bt.IntBytes(8, "little")),
            bt.IntBytes(8, "little"),
            "the cell b'12345678' is 4050765991979987505 by IntBytes(size=8, byteorder='little'), "
            "and would be read as 3544952156018063160 by Int64()",
        ),
        (
            bt.Either(bt.Int64(), bt.DecimalText()),
            bt.DecimalText(),
            "the cell b'-2345678' is -2345678 by DecimalText(), and would be read as 3256721779866351416 by Int64()",
        ),
        (
            bt.Compressed(bt.Either(bt.Int64(), bt.DecimalText())),
            bt.Compressed(bt.DecimalText()),
            "the cell b'\\x00-2345678' is -2345678 by Compressed(codec=DecimalText()), "
            "and would be read as 3256721779866351416 by Compressed(codec=Int64())",
        ),
        (
            bt.Either(bt.HexText(), bt.Base64Text()),
            bt.Base64Text(),
            "the cell b'1234' is b'\\xd7m\\xf8' by Base64Text(), and would be read as b'\\x124' by HexText()",
        ),
        (
            bt.Either(bt.EnumValue(Unsure, bt.Utf8()), bt.EnumValue(Unsure, bt.Compressed(bt.Utf8()))),
            bt.EnumValue(Unsure, bt.Compressed(bt.Utf8())),
            "",
        ),
    ],
    ids=["order of bytes", "digits", "within", "two texts", "an enum that reads all"],
)
def test_a_cell_that_would_be_misread(new: CellCodec[Any], old: CellCodec[Any], told: str) -> None:
    """The change is blocked, with a cell and both of its values where one is found."""
    found = conflict(text(new), text(old))
    assert found is not None
    assert found.new is not None
    assert found.example == told


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (bt.Either(bt.Int64(), bt.IntBytes(4)), bt.IntBytes(4)),
        (bt.Either(bt.IntBytes(4), bt.Int64()), bt.Int64()),
        (bt.Either(bt.DecimalText(), bt.Int64()), bt.DecimalText()),
        (bt.Compressed(bt.Either(bt.Int64(), bt.IntBytes(4))), bt.Compressed(bt.IntBytes(4))),
        (bt.Either(bt.Flag(), bt.FlagText()), bt.FlagText()),
        (bt.Either(bt.Json(Span), bt.Packed(Span, ">HH")), bt.Json(Span)),
        (bt.Either(AsInKey(bt.UuidText()), bt.UuidBytes()), bt.UuidBytes()),
        (
            bt.Either(bt.EnumValue(Side, bt.Compressed(bt.Utf8())), bt.EnumValue(Side, bt.Utf8())),
            bt.EnumValue(Side, bt.Utf8()),
        ),
        (bt.Either(bt.IntBytes(4), bt.Int64(), AsInKey(bt.HexInt(8))), bt.Either(bt.Int64(), AsInKey(bt.HexInt(8)))),
    ],
    ids=lambda one: codec_text(one)[:60],
)  # fmt: skip
def test_codecs_that_are_told_apart(new: CellCodec[Any], old: CellCodec[Any]) -> None:
    """Where lengths, alphabets or first bytes exclude each other, or nothing new is asked first, it is safe."""
    assert conflict(text(new), text(old)) is None
