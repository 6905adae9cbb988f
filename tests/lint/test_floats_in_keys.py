"""KEY007 on floats in keys: a query that gives one exactly, and all that rounds them."""

from decimal import Decimal
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from btmodel.schema import ModelSchema, Query
from tests.lint.parts import found


class Poi(bt.Model, table="POI", events="200/min"):
    """Places on a map."""

    lat: int = bt.key(bt.PaddedInt(9), cardinality=9_000_000)
    name: str = bt.key(bt.Text(max_length=40), cardinality=80_000)

    p = bt.family("p", gc=bt.max_versions(1))
    label: str = bt.column("l", p)

    at_place = bt.query("lat", "name")


def as_repr(value: float) -> str:
    return repr(value)


def in_quotes(value: float) -> str:
    return f"<{value}>"


def of_quotes(text: str) -> float:
    return float(text[1:-1])


def all_digits(value: float) -> str:
    return f"{value:.17g}"


def as_hex(value: float) -> str:
    return value.hex()


def of_hex(text: str) -> float:
    return float.fromhex(text)


def of_float(text: str) -> Decimal:
    return Decimal(float(text))


def six_digits(value: float) -> str:
    return f"{value:.6f}"


def rounded(value: float) -> str:
    return repr(round(value, 5))


def micros(value: float) -> int:
    return round((value + 180) * 1_000_000)


def degrees(number: int) -> float:
    return number / 1_000_000 - 180


def poi(codec: Any = None, doc: str = "", name: str = "lat", **changes: Any) -> ModelSchema:
    """Places by a number that is written so, called so, and described so."""
    model = bt.schema_of(Poi)
    first, second = model.key.fields
    fields = (evolve(first, name=name, codec=codec or first.codec), second)
    queries = (Query("at_place", (name, second.name)),)
    return evolve(
        model, key=evolve(model.key, fields=fields), doc=doc or model.doc, **({"queries": queries} | changes)
    )


TEXT = bt.Text(max_length=40)
EXACT = [
    poi(bt.mapped(TEXT, to=as_repr, from_=float)),
    poi(bt.mapped(TEXT, to=in_quotes, from_=of_quotes), name="weight"),
    poi(bt.mapped(TEXT, to=all_digits, from_=float), name="price"),
    poi(bt.mapped(TEXT, to=as_hex, from_=of_hex)),
    poi(bt.mapped(TEXT, to=str, from_=of_float), name="amount"),
    poi(bt.Joined((bt.mapped(TEXT, to=as_repr, from_=float), bt.Text(width=2)), ",")),
    poi(TEXT, "Places on a map; `lat` is the repr of what the app computed."),
    poi(TEXT, "Readings. The dose is a float, as text.", name="dose"),
]
ROUNDED = [
    poi(),
    poi(bt.mapped(TEXT, to=six_digits, from_=float)),
    poi(bt.mapped(TEXT, to=rounded, from_=float)),
    poi(bt.mapped(bt.PaddedInt(9), to=micros, from_=degrees)),
    poi(bt.mapped(TEXT, to=str, from_=Decimal)),
    poi(TEXT, "Places on a map; `lat` is never a float, but text with six decimals."),
    poi(TEXT, "Boats. A float carries a label."),
    poi(TEXT, "Places on a map; the height is a float."),
    poi(bt.mapped(TEXT, to=as_repr, from_=float), queries=(Query("all", (), scan="the nightly export"),)),
]


@pytest.mark.parametrize("model", EXACT)
def test_a_float_that_a_query_gives_exactly_is_a_warning(model: ModelSchema) -> None:
    """A scaled integer is equal to itself however it is computed."""
    (finding,) = found(model, "KEY007")
    assert finding.level is Level.WARNING
    assert "gives it exactly" in finding.message
    assert "a scaled integer" in finding.fix


@pytest.mark.parametrize("model", ROUNDED)
def test_what_is_rounded_or_not_given_may_be_a_float(model: ModelSchema) -> None:
    """Nor are words on floats of other things a reason."""
    assert found(model, "KEY007") == []
