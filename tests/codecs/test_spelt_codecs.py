"""Codecs as code: what declares a codec, code of a migration can write again."""

import importlib
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from typing import Any, Optional

import attrs
import numpy as np
import pytest
from btmodel_codegen.attribute_code import types_of
from btmodel_codegen.literals import codec_code, type_text
from btmodel_codegen.naming import classes, place_of
from key_cases import CASES as KEYS
from test_cell_codecs import CASES as CELLS
from test_cell_codecs import Span

import btmodel as bt
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.codecs.parts import enums_of
from btmodel.errors import GenerationError
from btmodel.recorded.layouts import recorded_codec
from btmodel.schema import Column, KeyField
from btmodel.schema.layout import codec_text


class Metric(StrEnum):
    """Keys of entries."""

    TEMP = "t"


class Around:
    """What holds an enum and functions."""

    class Inner(Enum):
        """An enum in a class."""

        ONE = 1

    @classmethod
    def parse(cls, text: str) -> str:
        """What reads."""
        return text

    @staticmethod
    def write(text: str) -> str:
        """What writes."""
        return text


def up(text: str) -> str:
    return text.upper()


def low(text: str) -> str:
    return text.lower()


def untyped(text):  # type: ignore[no-untyped-def]
    return text


@attrs.frozen
class OwnAttrs(bt.CellCodec[str]):
    """A codec of the user's."""

    inner: bt.CellCodec[str]
    since: date = date(2020, 1, 1)
    sign: str = attrs.field(default="", kw_only=True)

    def encode(self, value: str) -> bytes:
        return self.inner.encode(value)

    def decode(self, raw: bytes) -> str:
        return self.inner.decode(raw)


@dataclass(frozen=True)
class OwnData(bt.CellCodec[str]):
    """Another one."""

    length: timedelta = timedelta(days=1)

    def encode(self, value: str) -> bytes:
        return value.encode()

    def decode(self, raw: bytes) -> str:
        return raw.decode()


class OwnPlain(bt.CellCodec[str]):
    """One that keeps its argument elsewhere."""

    def __init__(self, width: int) -> None:
        self._width = width

    def encode(self, value: str) -> bytes:
        return value.encode()

    def decode(self, raw: bytes) -> str:
        return raw.decode()


MAPPED = bt.mapped(bt.Utf8(), to=up, from_=low)
MORE: dict[str, Any] = {
    "mapped": MAPPED,
    "mapped key": bt.mapped(bt.Text(max_length=9), to=up, from_=low, ordered=True),
    "mapped with a type": bt.mapped(bt.Utf8(), to=untyped, from_=untyped, type=str),
    "mapped by methods": bt.mapped(bt.Utf8(), to=Around.write, from_=Around.parse),
    "mapped by a class": bt.mapped(bt.DecimalText(), to=int, from_=Decimal),
    "mapped by functions of C": bt.mapped(bt.Utf8(), to=str.upper, from_=str.lower, type=str),
    "mapped in an Either": bt.Either(bt.Prefixed(b"\0", MAPPED), MAPPED),
    "mapped for an entry": bt.PerEntry({"t": MAPPED}, otherwise=bt.Raw()),
    "entries of an enum": bt.PerEntry({Metric.TEMP: bt.FloatText()}),
    "entries of numbers and dates": bt.PerEntry({1: bt.FloatText(), date(2020, 1, 1): bt.Utf8()}),
    "mapped in a joined one": bt.Joined(
        (bt.DateText(), bt.mapped(bt.Text(max_length=9), to=up, from_=low)), ":"
    ),
    "optional values": bt.Json(dict[str, int | None]),
    "optional values, spelt otherwise": bt.Json(list[tuple[str, Optional[int]]]),  # noqa: UP045
    "optional parts": bt.Json(dict[str, list[int | None] | None]),
    "tuples of any length": bt.Json(tuple[int, ...]),
    "an enum in a class": bt.EnumValue(Around.Inner, bt.Int64()),
    "flags of numbers": bt.RawArray("<f4", (None, 3)),
    "a dtype alone": bt.NumpyArray("<f4"),
    "a dtype of the machine": bt.NumpyArray("f8", round=True),
    "a dtype with fields": bt.NumpyArray(np.dtype([("a", "<i4"), ("b", "<f8", (2,))])),
    "a shape alone": bt.NumpyArray(shape=(None, 3)),
    "raw bytes of items": bt.RawArray("S8", (4,)),
    "own, of attrs": OwnAttrs(bt.Utf8(), sign="x"),
    "own, with a date": OwnAttrs(MAPPED, date(2021, 2, 3)),
    "own, a dataclass": OwnData(timedelta(days=2)),
    "own, inside another": bt.Compressed(OwnData()),
    "a bucket": bt.EpochBucket(bt.PaddedInt(4), timedelta(days=28)),
    "weeks": bt.Week("week{n:04}", origin=date(2020, 1, 6)),
    "a record": bt.Packed(Span, "<if?3s"),
}
ALL = {
    **{f"key: {name}": case.codec for name, case in KEYS.items() if not isinstance(case.codec, Constant)},
    **{f"cell: {name}": codec for name, (codec, _) in CELLS.items()},
    **MORE,
}
RECORDED = {
    name: made
    for name, codec in ALL.items()
    if (made := recorded_codec(codec_text(codec))) is not None and not any(enums_of(made))
}


def imported(codec: Any) -> dict[str, Any]:
    """The names that a module has which imports what the declaration of ``codec`` spells."""
    part = KeyField("x", codec) if isinstance(codec, KeyCodec) else Column("x", "f", b"x", codec, True)
    places = map(place_of, classes(types_of(part)))
    return {name: getattr(importlib.import_module(module), name) for module, name in places}


@pytest.mark.parametrize("name", ALL)
def test_every_codec_is_spelt_as_it_was_made(name: str) -> None:
    """The expression of a codec makes an equal one of the same text, with what is imported for it; a constant has a function of its own."""
    codec = ALL[name]
    made = eval(codec_code(codec), {"bt": bt, **imported(codec)})
    assert made == codec
    assert codec_text(made) == codec_text(codec)
    round_, ordered = getattr(codec, "round", False), getattr(codec, "keeps_order", False)
    assert (getattr(made, "round", False), getattr(made, "keeps_order", False)) == (round_, ordered)


@pytest.mark.parametrize("name", RECORDED)
def test_a_codec_made_of_its_record_is_spelt_too(name: str) -> None:
    """As one that was declared."""
    codec = RECORDED[name]
    assert codec_text(eval(codec_code(codec), {"bt": bt, **imported(codec)})) == codec_text(codec)


def test_most_codecs_are_recorded() -> None:
    """So the test above is not empty."""
    assert len(RECORDED) > 60


def test_a_codec_whose_arguments_are_kept_elsewhere_is_refused() -> None:
    """Its class cannot be called again, and the error says what it has to keep."""
    with pytest.raises(
        GenerationError, match="OwnPlain: its argument width cannot be told from its attributes"
    ):
        codec_code(OwnPlain(3))


def test_types_are_spelt_as_people_write_them() -> None:
    """Classes in classes with both names, None for what is not there, and times by the names that are imported."""
    assert type_text(dict[str, int | None]) == "dict[str, int | None]"
    assert type_text(Optional[Around.Inner]) == "Around.Inner | None"  # noqa: UP045
    assert type_text(tuple[datetime, ...]) == "tuple[datetime, ...]"
