"""KEY007 on every codec of numbers and times that does not sort: the fix names one that does, and takes the same values."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.codecs.key import KeyCodec, Kind, Length, Order, Text
from btmodel.lint import Finding, Level, review
from btmodel.schema import KeyField, ModelSchema, Query
from tests.codecs.key_cases import CASES, Case, cents, euros, plain, starts, whole

Make = Callable[..., ModelSchema]
USER = KeyField("user", Text(width=8), 1_000_000)
# Around other codecs, whose order is theirs.
AROUND = {
    "spans without zeros": Case(
        bt.EpochBucket(bt.Int(5), timedelta(days=28)), starts(timedelta(days=28), 90)
    ),
    "hexadecimal in ordered code": Case(bt.OrderedCode(bt.HexInt(4, padded=False)), whole(0, 16**4 - 1)),
    "hexadecimal behind its length": Case(bt.LengthPrefixed(bt.HexInt(4, padded=False)), whole(0, 16**4 - 1)),
}
UNSORTED = {
    name: case
    for name, case in {**CASES, **AROUND}.items()
    if case.codec.kind in (Kind.NUMBER, Kind.TIME) and case.codec.order is Order.NONE
}


def found(codec: KeyCodec[Any], a_model: Make) -> Finding:
    """The finding on a number that a query reads a range of."""
    query = Query("of_user", ("user",), between="number")
    model = a_model(USER, ("number", codec), queries=(query,))
    (finding,) = (one for one in review(model) if one.rule == "KEY007")
    return finding


def codecs(fix: str) -> list[KeyCodec[Any]]:
    """The codecs that a fix writes out."""
    names = {"bt": bt, "date": date, "timedelta": timedelta}
    return [eval(text, names) for text in fix.split("`")[1::2] if text.startswith("bt.")]


def test_there_are_codecs_that_do_not_sort() -> None:
    """Of numbers and of times."""
    assert {case.codec.kind for case in UNSORTED.values()} == {Kind.NUMBER, Kind.TIME}
    assert len(UNSORTED) > 15


@pytest.mark.parametrize("name", UNSORTED)
def test_the_fix_names_a_codec_that_sorts_and_takes_the_same_values(name: str, a_model: Make) -> None:
    """Where it is the whole fix, it can be written; where numbers may be below zero, what is added stands beside it."""
    case = UNSORTED[name]
    finding = found(case.codec, a_model)
    named = codecs(finding.fix)
    assert named, finding.fix
    assert all(codec.order is Order.ASCENDING for codec in named)
    assert "still be found" not in finding.fix
    below = "where no number is below 0" in finding.fix

    @given(values=st.lists(case.values, min_size=2, max_size=20))
    def sorts(values: list[Any]) -> None:
        if below:
            values = [value for value in values if value >= 0]
        if case.codec.python_type is datetime:  # the last that ten digits of seconds can tell
            values = [value for value in values if value.astimezone(UTC).year < 2286]
        for codec in named:
            assert sorted(values) == sorted(values, key=codec.encode)
            assert [plain(codec.decode(codec.encode(value))) for value in values] == [*map(plain, values)]

    sorts()


def test_unpadded_digits_become_padded_ones_of_the_same_base(a_model: Make) -> None:
    """As many hexadecimal digits, with zeros in front: the fix can be written."""
    finding = found(bt.HexInt(8, padded=False), a_model)
    assert finding.fix == "encode `number` as `bt.HexInt(8)`"
    assert (finding.level, finding.edit and finding.edit.text) == (Level.ERROR, "bt.HexInt(8)")


def test_a_rounding_codec_goes_on_to_round(a_model: Make) -> None:
    """A finer time is taken as before."""
    spans = bt.EpochBucket(bt.Int(5), timedelta(days=28), round=True)
    assert (
        found(spans, a_model).fix
        == "encode `number` as `bt.EpochBucket(bt.PaddedInt(5), timedelta(days=28), round=True)`"
    )
    signed = bt.TimeBytes("millisecond", signed=True, round=True)
    assert found(signed, a_model).fix == 'encode `number` as `bt.TimeText("%Y%m%d%H%M%S%3f", round=True)`'


def test_functions_around_a_codec_are_kept(a_model: Make) -> None:
    """Whether they keep the order only their user knows, who is asked to say so."""
    prices = bt.mapped(bt.Int(9), to=cents, from_=euros)
    asked = "with `ordered=True`, if `cents` makes the lesser of the lesser of two values; else by functions that do"
    fix = found(evolve(prices, type=int), a_model).fix
    assert fix == f"encode `number` as `bt.PaddedInt(9)` of what `cents` makes of it, {asked}"
    fix = found(evolve(prices, codec=bt.PaddedInt(9), type=int), a_model).fix
    assert fix == f"encode `number` as it is, {asked}"


@frozen
class Roman(KeyCodec[int], length=Length(1, 15)):
    """A codec of a user's own, which says nothing of its order."""

    def encode(self, value: int) -> bytes:
        return b"I" * value

    def decode(self, raw: bytes) -> int:
        return len(raw)


@frozen
class Spoken(KeyCodec[datetime], length=Length(1, 60)):
    """The same of times."""

    def encode(self, value: datetime) -> bytes:
        return value.ctime().encode()

    def decode(self, raw: bytes) -> datetime:
        return datetime.strptime(raw.decode(), "%a %b %d %H:%M:%S %Y").replace(tzinfo=UTC)


@pytest.mark.parametrize(("codec", "kind"), [(Roman(), int), (Spoken(), datetime)])
def test_of_a_users_own_codec_one_of_the_same_type_is_named(
    codec: KeyCodec[Any], kind: type, a_model: Make
) -> None:
    """How large its numbers are is not known, so the text says what to put there."""
    fix = found(codec, a_model).fix
    (named,) = codecs(fix)
    assert named.python_type is kind
    assert named.order is Order.ASCENDING
    assert kind is not int or "as many digits as the greatest number has" in fix
