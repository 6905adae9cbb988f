"""ROW003 on entries for each event, whose fix has the age that the description or the column gives."""

from datetime import timedelta

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.schema import ModelSchema, Rate
from tests.lint.parts import found


class Campaign(bt.Model, table="CAMPAIGN", events="3/min", allow={"ROW003": "the tests review it"}):
    """A column for each click."""

    campaign: str = bt.key(bt.HexDigest(12), cardinality=9_000)

    a = bt.family("a", gc=bt.max_versions(1))
    name: str = bt.column("n", a, size=20)
    clicks: dict[str, str] = bt.mapping(a, bt.Text(width=26), prefix="c:", size=80)

    one = bt.query("campaign")


def campaign(said: str, events: str = "3/min") -> ModelSchema:
    """Campaigns with such a description and rate."""
    return evolve(
        bt.schema_of(Campaign),
        doc=f"A campaign. {said}",
        events=Rate.parse(events),
        allow={"KEY013": "the tests are about growth"},
    )


ENDS = [
    ("The report shows the clicks of the last 30 days.", timedelta(days=31)),
    ("Clicks are kept for 90 days.", timedelta(days=90)),
    ("A click is deleted after a year.", timedelta(days=365)),
    ("Clicks are needed for two weeks.", timedelta(days=14)),
    ("No click may be kept for longer than six weeks.", timedelta(days=42)),
]


@pytest.mark.parametrize(("said", "age"), ENDS)
def test_entries_get_the_age_that_is_said(said: str, age: timedelta) -> None:
    """In a family of their own; where too many come meanwhile, each has a row with that age."""
    (finding,) = found(campaign(said), "ROW003")
    (made,) = finding.models
    home = made.family("a2")
    assert home is not None
    assert home.gc is not None
    assert (home.gc.deletes(age * 1.01, 1), home.gc.deletes(age * 0.99, 1)) == (True, False)
    assert found(made, "ROW003") == []
    assert "a row then has about" in finding.fix

    (finding,) = found(campaign(said, "90000/s"), "ROW003")
    rest, rows = finding.models
    assert [one.name for one in rest.columns] == ["name"]
    (clicks,) = rows.columns
    family = rows.family(clicks.family)
    assert family is not None
    assert family.gc == home.gc
    assert "write a row for each entry of `clicks`" in finding.fix


def test_what_a_column_declares_to_keep_is_its_age() -> None:
    """Whatever the description says."""
    model = campaign("Clicks are kept for 90 days.")
    columns = tuple(
        evolve(one, expected=evolve(one.expected, keep=bt.max_age(days=7))) if one.name == "clicks" else one
        for one in model.columns
    )
    (finding,) = found(evolve(model, columns=columns), "ROW003")
    assert (
        'as it declares by `keep`: `bt.family("a2", gc=bt.max_versions(1) | bt.max_age(days=7))`'
        in finding.fix
    )


@pytest.mark.parametrize(
    ("said", "asks"),
    [("A banner is shown for a week.", True), ("Clicks are kept for good.", False)],
)
def test_without_an_age_the_fix_asks_for_one(said: str, asks: bool) -> None:
    """Unless all are kept."""
    (finding,) = found(campaign(said), "ROW003")
    assert ("give their family an age, `gc=bt.max_age(...)`" in finding.fix) is asks
    assert "bt.max_age(days=" not in finding.fix
