"""ROW003 on histories that keep everything: the age that the description asks for, and the query of the rows of events."""

from datetime import timedelta
from decimal import Decimal

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.schema import MaxAge, ModelSchema
from tests.lint.parts import found


class Campaign(bt.Model, table="CAMPAIGN", events="6000/s", allow={"ROW003": "the tests review it"}):
    """Prices of a campaign."""

    campaign: str = bt.key(bt.HexDigest(12), cardinality=30_000)

    won = bt.family("won", gc=bt.keep_all())
    price: bt.History[Decimal] = bt.history("p", won, every="5s")

    m = bt.family("m", gc=bt.max_versions(1))
    budget: Decimal = bt.column("b", m, max_size=16)

    of_campaign = bt.query("campaign")


def campaign(said: str, family: str = "m") -> ModelSchema:
    """Campaigns with such a description, and their budget in this family."""
    model = bt.schema_of(Campaign)
    columns = tuple(evolve(one, family=family) if one.name == "budget" else one for one in model.columns)
    used = {column.family for column in columns}
    families = tuple(one for one in model.families if one.id in used)
    return evolve(model, doc=f"Prices of a campaign. {said}", columns=columns, families=families, allow={})


ASKED = [
    ("The pacing job looks at the last ten minutes.", timedelta(hours=1)),
    ("The bidder reads the past 20 minutes.", timedelta(hours=2)),
    ("A screen shows the last 6 hours.", timedelta(hours=12)),
    ("Alarms look at the latest hour.", timedelta(hours=2)),
    ("Prices are asked for up to 5 minutes back.", timedelta(hours=1)),
    ("The report needs them for two hours.", timedelta(hours=4)),
]


@pytest.mark.parametrize(("said", "age"), ASKED)
def test_the_age_that_is_asked_for_comes_first(said: str, age: timedelta) -> None:
    """Rows of events have it, too, and the query that reads them."""
    (finding,) = found(campaign(said), "ROW003")
    (made,) = finding.models
    family = made.family("won")
    assert family is not None
    assert family.gc == MaxAge(age)
    assert "give family 'won' an age, `gc=bt.max_age(" in finding.fix
    assert 'which `of_campaign = bt.query("campaign", between="at")` reads there' in finding.fix
    assert "where old ones are not needed" not in finding.fix


def test_what_lies_beside_events_keeps_its_family() -> None:
    """The events get a family of their own."""
    model = campaign("The pacing job looks at the last ten minutes.", "won")
    finding = next(each for each in found(model, "ROW003") if each.field == "price")
    (made,) = finding.models
    family = made.family("won")
    assert family is not None
    assert not isinstance(family.gc, MaxAge)
    assert "give `price` a family of its own" in finding.fix


KEPT = (
    "The pacing job looks at the last ten minutes; nothing is ever deleted.",
    "The job looks at the last ten minutes. Prices are kept for good.",
    "The job looks at the last hour, and prices are kept by law.",
    "A screen shows the last ten minutes. Prices stay for the life of the campaign.",
    "",
    "The budget is set every ten minutes.",
    "A campaign lasts three weeks.",
)


@pytest.mark.parametrize("said", KEPT)
def test_no_age_is_given_where_all_are_kept_or_nothing_is_said(said: str) -> None:
    """The rows of events may have one where old ones are not needed."""
    (finding,) = found(campaign(said), "ROW003")
    assert finding.fix.startswith("write one row per event")
    assert "where old ones are not needed" in finding.fix
