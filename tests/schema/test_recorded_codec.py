"""Codecs made again from the texts that are recorded of them."""

from datetime import date, datetime, timedelta
from enum import Enum, StrEnum
from typing import Any

import pytest
from attrs import frozen
from hypothesis import example, given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.recorded.layouts import recorded_cell, recorded_codec, recorded_part
from btmodel.schema import CellLayout, KeyPart, Shape
from btmodel.schema.bucket import SlotFormat
from btmodel.schema.layout import codec_parts, codec_text
from tests.schemas import POOLS


class Color(Enum):
    """An enum of numbers."""

    RED = 1
    BLUE = -2


class Size(StrEnum):
    """An enum of texts."""

    S = "s"
    L = 'it\'s "l"'


CELLS: list[Any] = [
    bt.Utf8(),
    bt.FlagText("yes", "no"),
    bt.IntBytes(3, "little", False),
    bt.FloatBytes(4),
    bt.Compressed(bt.Json(dict[str, int]), "lzma", 900),
    bt.Either(bt.Compressed(bt.Utf8()), bt.Utf8()),
    bt.Either(bt.Int64(), bt.DecimalText(), bt.AsInKey(bt.PaddedInt(4))),
    bt.AsInKey(bt.Descending(bt.DateText("%Y-%m"))),
    bt.EpochBucket(bt.PaddedInt(4), timedelta(days=28)),
    bt.Descending(bt.EpochBucket(bt.TimeBytes("second", 4), timedelta(seconds=90))),
    bt.EnumValue(Color, bt.Int64()),
    bt.Json(list[str]),
    bt.Json(list[tuple[dict[str, datetime | None], ...] | None]),
]


@pytest.mark.parametrize("codec", [*(codec for codec, _ in POOLS), *CELLS], ids=codec_text)
def test_codecs_are_made_again(codec: Any) -> None:
    """What is btmodel's own is made again, and written with the same text; but for enums and documents it is equal."""
    made = recorded_codec(codec_text(codec))
    assert type(made) is type(codec)
    assert codec_text(made) == codec_text(codec)
    if not any(word in codec_text(codec) for word in ("enum=", "of=")):
        assert made == codec


@pytest.mark.parametrize(
    ("codec", "values"), [(codec, values) for codec, values in POOLS if "enum" not in str(codec)]
)
def test_codecs_that_are_made_again_do_the_same(codec: Any, values: list[Any]) -> None:
    """They write the same bytes."""
    made = recorded_codec(codec_text(codec))
    for value in values:
        try:
            raw = codec.encode(value)
        except bt.ValueRefused:
            continue
        assert made.encode(value) == raw


def test_enums_have_their_members() -> None:
    """An enum is made with the names and values that it had."""
    made = recorded_codec(codec_text(bt.EnumText(Size)))
    assert [(one.name, one.value) for one in made.enum] == [(one.name, one.value) for one in Size]
    assert made.enum.__qualname__ == "Size"


@frozen
class Mine(bt.CellCodec[str]):
    """A codec of a user."""

    codec: Any

    python_type, typical_size, meaning = str, 1, "mine"

    def encode(self, value: str) -> bytes:
        return value.encode()

    def decode(self, raw: bytes) -> str:
        return raw.decode()


@frozen
class Utf8(Mine):
    """A codec of a user that is called as one of ours."""


def test_codecs_of_users_are_none_of_ours() -> None:
    """They are not made, also where they are called as ours are, or hold ours, or ours hold them."""
    for codec in (Mine(bt.Utf8()), Utf8(None), bt.Compressed(Mine(None))):
        assert recorded_codec(codec_text(codec)) is None
    assert codec_text(Utf8(None)) == "own.Utf8(codec=None)"


@pytest.mark.parametrize(
    "text",
    [
        "Text(width=True)",
        "Text(width='5')",
        "Text(5)",
        "Text(width=5, **{})",
        "Text(width=5)()",
        "Text(width = 5)",
        "Text(width=2+3)",
        "Text(width=__import__('os').getpid())",
        "Compressed(codec=1)",
        "Compressed(codec=PaddedInt(digits=1))",
        "AsInKey(codec=Utf8())",
        "Week(origin=datetime.datetime(2021, 3, 1))",
        "Week(origin=datetime.date(2021, 3, 2))",
        "Json(of=set)",
        "EnumText(enum=E())",
        "EnumText(enum=E(mro='x'))",
        "EnumText(enum=E(A='x', B='x'))",
        "Protobuf(message_class=M)",
        "NumpyArray(dtype=dtype('float32'))",
        "Length(least=1, most=2)",
        "datetime.date(2021, 3, 1)",
        "dict",
        "(" * 300,
        "-" * 9000 + "1",
        "AsInKey(codec=" * 2000,
        "Int(max_digits=" + "9" * 5000 + ")",
        "\0",
        "\ud800",
        "",
    ],
)
def test_other_texts_make_nothing(text: str) -> None:
    """Whatever else stands there is no codec, and no error; nothing of it is run."""
    assert recorded_codec(text) is None


_WORDS = st.lists(
    st.sampled_from(
        [
            "Text(",
            "Int(",
            "PaddedInt(",
            "Repeated(",
            "Compressed(",
            "Either(",
            "EnumText(",
            "Week(",
            "SlotFormat(",
            "Json(",
            "AsInKey(",
            "width=",
            "codec=",
            "max_length=",
            "digits=",
            "new=",
            "old=(",
            "most=",
            "enum=",
            "E(",
            "origin=",
            "of=",
            "dict",
            "text=",
            "every=",
            "bucket=",
            "Bucket.DAY",
            "datetime.date(",
            "datetime.timedelta(",
            "seconds=",
            "1",
            "2",
            "-3",
            "9999999",
            "1.5",
            "1j",
            "...",
            "None",
            "True",
            "'a'",
            "b'a'",
            '"\\x"',
            "f'{1}'",
            "lambda:",
            "[",
            "]",
            "{",
            "}",
            ")",
            ")",
            ")",
            ",",
            ",",
            ".",
            "value",
            "mapping",
            "by",
            "of",
            "in",
            "or",
            "nothing",
            ":=",
        ]
    ),
    max_size=14,
).map(lambda words: "".join(word if word[-1:] in "(=" else f"{word} " for word in words))
_TEXTS = (
    _WORDS
    | st.text(max_size=30)
    | st.sampled_from([codec_text(one) for one in CELLS]).flatmap(
        lambda text: st.builds(
            lambda at, other: text[:at] + other + text[at + 1 :],
            st.integers(0, len(text)),
            st.text("()=,'\"\\ .0azA", max_size=3),
        )
    )
)


@given(_TEXTS)
@example("value Text(width=1) Text(width=1) Text(width=1)")
def test_any_text_is_taken(text: str) -> None:
    """No text raises; what is made of one is written with it."""
    made = recorded_codec(text)
    assert made is None or codec_parts(codec_text(made)) == codec_parts(text)
    part = recorded_part(KeyPart(text, "#", "a"))
    assert part.codec is None or codec_parts(text).bare.startswith(codec_parts(codec_text(part.codec)).bare)
    cell = recorded_cell(CellLayout("MD:BID", text))
    assert cell is None or text.startswith(cell.shape.name.lower())


def test_fields_and_cells() -> None:
    """What is told of a field and of cells beside their codecs."""
    part = recorded_part(KeyPart("PaddedInt(digits=1) by salt_of of at in (1, 2, 3) or nothing", "", "salt"))
    assert (part.codec, part.optional) == (bt.PaddedInt(1), True)
    assert part.derived == "by salt_of of at in (1, 2, 3)"
    slots = SlotFormat("%H%M", timedelta(minutes=15), "day")
    cell = recorded_cell(CellLayout("m:...", f"slots Utf8() {codec_text(slots)}"))
    assert cell is not None
    assert (cell.shape, cell.codec, cell.slots, cell.whole) == (Shape.SLOTS, bt.Utf8(), slots, True)
    named = recorded_cell(CellLayout("m:...", "mapping Utf8() Mine()"))
    assert named is not None
    assert not named.whole
    week = recorded_part(KeyPart("Week(origin=datetime.date(2021, 3, 1))", "", "week"))
    assert week.codec == bt.Week(origin=date(2021, 3, 1))
