"""KEY007 on codecs that declare an order which their functions do not keep: they are tried."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from btmodel.schema import ModelSchema, Query
from tests.lint.parts import found


class Sample(bt.Model, table="SAMPLE", events="200/min"):
    """What was measured in a hole, at each depth."""

    hole: str = bt.key(bt.Text(width=8), cardinality=9_000)
    depth: int = bt.key(bt.PaddedInt(9), cardinality=8_000)

    s = bt.family("s", gc=bt.max_versions(1))
    gamma: float = bt.column("g", s)

    section = bt.query("hole", between="depth")


def sample(codec: Any, name: str = "depth", **changes: Any) -> ModelSchema:
    """Samples of a field that is written and called so."""
    model = bt.schema_of(Sample)
    first, second = model.key.fields
    fields = (first, evolve(second, name=name, codec=codec))
    queries = (Query("section", ("hole",), between=name),)
    return evolve(model, key=evolve(model.key, fields=fields), **({"queries": queries} | changes))


def as_repr(value: float) -> str:
    return repr(value)


def as_text(value: Decimal) -> str:
    return str(value)


def digits(value: int) -> str:
    return str(value)


def padded(value: float) -> str:
    return f"{value:09.2f}"


def by_day(value: date) -> str:
    return value.strftime("%d.%m.%Y")


def of_day(text: str) -> date:
    return datetime.strptime(text, "%d.%m.%Y").replace(tzinfo=UTC).date()


def by_year(value: date) -> str:
    return value.strftime("%Y/%m/%d")


def of_year(text: str) -> date:
    return datetime.strptime(text, "%Y/%m/%d").replace(tzinfo=UTC).date()


def clock(value: datetime) -> str:
    return value.strftime("%Y-%m-%d %I %p")


def of_clock(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%d %I %p").replace(tzinfo=UTC)


def seconds(value: timedelta) -> str:
    return str(value.total_seconds())


def of_seconds(text: str) -> timedelta:
    return timedelta(seconds=float(text))


def last_digits(value: int) -> int:
    return value % 1_000 * 1_000 + value // 1_000


def of_last_digits(value: int) -> int:
    return value // 1_000 + value % 1_000 * 1_000


def cents(value: Decimal) -> int:
    return int(value.scaleb(2))


def euros(value: int) -> Decimal:
    return Decimal(value).scaleb(-2)


def size(value: float) -> int:
    return abs(round(value * 100)) * 2 + (value < 0)


def of_size(value: int) -> float:
    return (-1 if value % 2 else 1) * (value // 2) / 100


def above(value: float) -> int:
    return round((value + 200) * 100)


def of_above(value: int) -> float:
    return value / 100 - 200


def picky(value: float) -> str:
    if not 0.2 < value < 0.6:
        raise ValueError("a share")
    return repr(value)


TEXT = bt.Text(max_length=30)
TURNED = {
    "repr": (bt.mapped(TEXT, to=as_repr, from_=float, ordered=True), "9.75 behind 10.25"),
    "decimals": (bt.mapped(TEXT, to=as_text, from_=Decimal, ordered=True), "9.75 behind 10.25"),
    "unpadded": (bt.mapped(TEXT, to=digits, from_=int, ordered=True), "9 behind 10"),
    "days": (bt.mapped(TEXT, to=by_day, from_=of_day, ordered=True), "2029-12-31 behind 2030-01-30"),
    "clock": (bt.mapped(TEXT, to=clock, from_=of_clock, ordered=True), None),
    "lengths": (bt.mapped(TEXT, to=seconds, from_=of_seconds, ordered=True), "0:00:09 behind 0:00:10"),
    "remainder": (bt.mapped(bt.PaddedInt(9), to=last_digits, from_=of_last_digits, ordered=True), None),
}
KEPT = {
    "cents": bt.mapped(bt.PaddedInt(9), to=cents, from_=euros, ordered=True),
    "padded": bt.mapped(TEXT, to=padded, from_=float, ordered=True),
    "years": bt.mapped(TEXT, to=by_year, from_=of_year, ordered=True),
    "few": bt.mapped(TEXT, to=picky, from_=float, ordered=True),
    "sizes": bt.mapped(bt.PaddedInt(9), to=size, from_=of_size, ordered=True),
    "downward": bt.Descending(bt.mapped(bt.PaddedInt(9), to=cents, from_=euros, ordered=True)),
}


@pytest.mark.parametrize("name", TURNED)
def test_a_codec_that_turns_values_round_is_an_error_for_a_range(name: str) -> None:
    """The values that it writes the other way round are named, and the fix sorts."""
    codec, said = TURNED[name]
    (finding,) = found(sample(codec), "KEY007")
    assert finding.level is Level.ERROR
    assert "declares that it sorts as its values do" in finding.message
    assert said is None or said in finding.message
    assert finding.models
    (of_order,) = found(sample(codec, queries=()), "KEY007")
    assert of_order.level is Level.WARNING


@pytest.mark.parametrize("codec", KEPT.values(), ids=KEPT)
def test_a_codec_that_keeps_the_order_it_declares_is_none(codec: Any) -> None:
    """As far as the values that it takes show."""
    assert found(sample(codec), "KEY007") == []


def test_numbers_below_zero_are_tried_where_a_name_says_that_there_may_be_some() -> None:
    """A price has none, so what a codec does to them is nothing to its range."""
    for signed in (bt.mapped(TEXT, to=padded, from_=float, ordered=True), KEPT["sizes"]):
        (finding,) = found(sample(signed, "temperature"), "KEY007")
        assert "-20" in finding.message or "-3" in finding.message
        assert "below zero" in finding.fix
    assert (
        found(
            sample(bt.mapped(bt.PaddedInt(9), to=above, from_=of_above, ordered=True), "temperature"),
            "KEY007",
        )
        == []
    )


def test_a_codec_of_somebody_else_is_tried_as_well() -> None:
    """Its class declares the order."""

    class Unpadded(bt.KeyCodec[int], order=bt.Order.ASCENDING):
        @property
        def length(self) -> Any:
            return bt.Text(max_length=9).length

        def encode(self, value: int) -> bytes:
            return str(value).encode()

        def decode(self, raw: bytes) -> int:
            return int(raw)

    (finding,) = found(sample(Unpadded()), "KEY007")
    assert "9 behind 10" in finding.message
