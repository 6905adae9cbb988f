"""FAM010 where values of now are deleted by an age before they are written again."""

import pytest

import btmodel as bt
from btmodel.lint import Finding, Level
from btmodel.lint.rare_writes import said_often
from btmodel.schema import GcRule
from tests.lint.parts import found

MONTH = bt.max_versions(1) | bt.max_age("30d")


def told(doc: str, gc: GcRule = MONTH, rate: str | None = None, name: str = "Thing") -> list[Finding]:
    """What FAM010 says of rows of 4,000,000 flats, with this description, rule and rate."""

    class Thing(bt.Model, table="THING", events=rate):
        __doc__ = doc

        flat: str = bt.key(bt.Text(width=10), cardinality=4_000_000)

        w = bt.family("w", gc=gc)
        value: int = bt.column("v", w)

        one = bt.query("flat")

    Thing.__name__ = name
    return found(bt.schema_of(Thing), "FAM010")


RARE = [
    ("What a flat wants now. Most tenants turn the dial twice a year.", MONTH, "20000/day"),
    ("What a flat wants now. Most tenants turn the dial twice a year.", MONTH, None),
    ("The limit of a tank. Engineers change it every few years.", bt.max_age("365d"), None),
    ("Once a season, the grid company sets the tariff of a flat anew.", bt.max_age("60d"), None),
    ("The notification settings of a user.", bt.max_age("90d"), "15000/day"),
    ("The last known owner of a flat.", bt.max_age("90d"), "4000/day"),
    ("The tariff of a flat, which is changed yearly.", bt.max_versions(3) | bt.max_age("100d"), "9000/day"),
]


@pytest.mark.parametrize(("doc", "gc", "rate"), RARE)
def test_values_that_are_rarely_written_outlive_an_age(doc: str, gc: GcRule, rate: str | None) -> None:
    """The fix is the rule without its age."""
    (one,) = told(doc, gc, rate)
    assert one.level is Level.WARNING
    newest = 3 if "yearly" in doc else 1
    assert (
        f'keep the newest values, however old they are: `bt.family("w", gc=bt.max_versions({newest}))`'
        in one.fix
    )
    assert one.models


@pytest.mark.parametrize("doc", ["The color of a flat now.", "The tenant that a flat has at present."])
def test_what_is_of_now_is_asked_for_by_the_rate(doc: str) -> None:
    """Rows may be those of something that comes and goes, so it is information; without a rate, nothing is said."""
    (one,) = told(doc, MONTH, "20000/day")
    assert one.level is Level.INFO
    assert "once in 200 days" in one.message
    assert told(doc) == []


MEANT = [
    ("What a flat wants now. Tenants turn the dial twice a day.", MONTH, "90/s"),
    ("What a flat wants now. A job writes all of them again each night.", MONTH, None),
    ("What a flat wants now. An auditor reads it twice a year.", MONTH, None),
    ("The settings of a session.", MONTH, "20000/day"),
    ("The basket of a customer now, with what was put into it.", MONTH, "20000/day"),
    ("The answers of the model at present, cached.", MONTH, "20000/day"),
    ("What a flat wants now, forgotten if it says nothing for a month.", MONTH, "20000/day"),
    ("The setting of a flat. It is changed twice a year, and goes after 30 days.", MONTH, "20000/day"),
    ("What a flat wants now. Most tenants turn the dial twice a year.", bt.max_versions(1), "20000/day"),
    ("What a flat wants now. Tenants turn it twice a year.", bt.max_versions(1) & bt.max_age("30d"), None),
    ("What a flat wants now. Most tenants turn the dial twice a year.", bt.max_age("400d"), "20000/day"),
    ("The preferences of a flat.", MONTH, "40/s"),
    ("A flat and its size.", MONTH, "20000/day"),  # the rate alone says nothing
]


@pytest.mark.parametrize(("doc", "gc", "rate"), MEANT)
def test_an_age_may_be_meant(doc: str, gc: GcRule, rate: str | None) -> None:
    """What comes and goes ends at an age, and what is written again in time does not."""
    assert told(doc, gc, rate) == []


@pytest.mark.parametrize(
    ("doc", "days"),
    [
        ("Tenants turn the dial twice a year.", 182.5),
        ("It is set every few years.", 730),
        ("Every ten years, the office changes it.", 3_650),
        ("Once a season somebody adjusts it.", 92),
        ("It is changed three times a year, and read twice a day.", 365 / 3),
        ("It is changed yearly; a job writes it again nightly.", 1),
        ("It is read twice a year.", None),
        ("Flats of twice the size.", None),
    ],
)
def test_how_often_something_is_written_is_said_in_words(doc: str, days: float | None) -> None:
    """Of several, the shortest counts; how often it is read says nothing."""
    said = said_often(doc)
    assert (said and round(said[1].total_seconds() / 86_400, 1)) == (days and round(days, 1))
