"""COL009 where the timestamps of cells are the time from which a value holds."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level
from tests.lint.parts import found


class Price(bt.Model, table="price", events="400/s"):
    store: str = bt.key(bt.Text(width=5), cardinality=2_200)
    article: str = bt.key(bt.Text(width=13), cardinality=60_000)
    valid_from: datetime = bt.timestamp()

    p = bt.family("p", gc=bt.max_versions(1))
    cents: int = bt.column("c", p)

    of_store = bt.query("store")


def price(doc: str, name: str = "valid_from") -> list[Finding]:
    """What the rule finds on prices that are described so, of a time that is called so."""
    model = bt.schema_of(Price)
    return found(evolve(model, doc=doc, stamp=evolve(model.stamp, attribute=name)), "COL009")


@pytest.mark.parametrize(
    "doc",
    [
        "A price. Head office enters prices up to three weeks before they become valid.",
        "A price, which is entered before it takes effect.",
        "A price that is planned in advance.",
        "A price. Stores get prices days ahead.",
        "A price; it is sent before the new tariff comes into force.",
    ],
)
@pytest.mark.parametrize(
    "name", ["valid_from", "effective_date", "effective", "price_valid_from", "in_force_from"]
)
def test_the_price_of_next_week_hides_that_of_today(doc: str, name: str) -> None:
    """So each is a row, and no column that the next one overwrites."""
    (one,) = price(doc, name)
    assert (one.field, one.level) == (name, Level.WARNING)
    assert f"`{{store}}#{{article}}#{{{name}}}`" in one.fix
    assert [query.name for query in one.models[0].queries] == ["of_store"]


@pytest.mark.parametrize(
    "doc", ["", "A price.", "A price that holds until it is replaced.", "A price. It is never entered ahead."]
)
def test_of_a_price_of_now_it_only_asks(doc: str) -> None:
    """The name alone does not say when it is written; no fix says that a column would do."""
    (one,) = price(doc)
    assert one.level is Level.INFO
    assert one.fix.startswith("if values are written before they hold, write a row for each")


@pytest.mark.parametrize("name", ["changed", "at", "active_since", "effect_of"])
def test_other_times_are_not_meant(name: str) -> None:
    """Those of the past."""
    assert price("A price that is entered in advance.", name) == []


def test_a_history_keeps_what_holds() -> None:
    """Its values have times of their own."""

    class Tariff(bt.Model, table="tariff", events="10/h"):
        """A tariff, which is entered in advance."""

        region: str = bt.key(bt.Text(width=5), cardinality=2_200)

        t = bt.family("t", gc=bt.max_versions(20))
        cents: bt.History[int] = bt.history("c", t, every="7day")

    assert found(bt.schema_of(Tariff), "COL009") == []
