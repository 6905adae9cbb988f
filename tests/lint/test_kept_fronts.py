"""Keys that are proposed in another order: the field in front stays there, where that serves the queries and spreads the writes as well."""

from collections.abc import Callable

import pytest

from btmodel.codecs.key import DateText, EpochMillis, PaddedInt, Text
from btmodel.design.proposal import proposed
from btmodel.schema import KeyField, ModelSchema, Query, Rate
from tests.lint.parts import found

Make = Callable[..., ModelSchema]
DAY = KeyField("day", DateText())
AT = KeyField("at", EpochMillis())
RATE = Rate.parse("400/s")


def text(name: str, count: int) -> KeyField:
    """A field of text of a fixed width."""
    return KeyField(name, Text(width=12), count)


KEPT = [
    ((text("subscriber", 40_000_000), DAY, text("cell", 60_000)), ("subscriber", "cell"), "day"),
    ((text("account", 9_000_000), AT, text("shop", 80_000)), ("account", "shop"), "at"),
    ((text("vessel", 300_000), AT, text("port", 12_000)), ("port", "vessel"), "at"),
    ((text("meter", 5_000_000), DAY, text("tariff", 2_000)), ("meter", "tariff"), "day"),
    ((text("reader", 700_000), AT, text("book", 400_000)), ("reader", "book"), "at"),
    (
        (KeyField("patient_no", PaddedInt(9), 8_000_000, sequential=False), DAY, text("ward", 3_000)),
        ("patient_no", "ward"),
        "day",
    ),
]


@pytest.mark.parametrize(("fields", "given", "bounded"), KEPT)
def test_the_front_of_a_key_is_kept(
    a_model: Make, fields: tuple[KeyField, ...], given: tuple[str, ...], bounded: str
) -> None:
    """The rows of what leads the key still lie together, though another order has fewer values in front."""
    front, middle = fields[0].name, fields[2].name
    made = a_model(*fields, queries=(Query("q", given, between=bounded),), events=RATE)
    (finding,) = found(made, "QRY001")
    assert f"order the fields by what queries give: `{{{front}}}#{{{middle}}}#{{{bounded}}}`" in finding.fix
    assert found(proposed(made).model, "QRY001") == []


MOVED = [
    # Another query asks by the other field alone.
    (
        (text("account", 9_000_000), AT, text("shop", 80_000)),
        (Query("q", ("shop", "account"), between="at"), Query("r", ("shop",))),
        "shop",
    ),
    ((text("vessel", 300_000), AT, text("port", 12_000)), (Query("q", ("port",), between="at"),), "port"),
    (
        (text("meter", 5_000_000), DAY, text("tariff", 2_000)),
        (Query("q", ("tariff",), between="meter"),),
        "tariff",
    ),
    ((text("book", 400_000), AT, text("reader", 700_000)), (Query("q", ("reader",)),), "reader"),
    # A time in front brings all writes to one place.
    (
        (AT, text("meter", 5_000_000)),
        (Query("q", ("meter",), between="at"),),
        "meter",
    ),
    (
        (DAY, text("ward", 3_000), text("bed", 90_000)),
        (Query("q", ("bed", "ward"), between="day"),),
        "ward",
    ),
]


@pytest.mark.parametrize(("fields", "queries", "front"), MOVED)
def test_another_field_leads_where_queries_or_writes_need_it(
    a_model: Make, fields: tuple[KeyField, ...], queries: tuple[Query, ...], front: str
) -> None:
    """What serves or spreads more goes in front of what was there."""
    assert proposed(a_model(*fields, queries=queries, events=RATE)).key.fields[0].name == front
