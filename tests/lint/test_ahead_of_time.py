"""The rule on ages that count from a time of the key which is not that of the writing: of the past, and of what is to come."""

from datetime import datetime, timedelta

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level
from btmodel.schema import ModelSchema, Stamp
from tests.lint.parts import found


class Fare(bt.Model, table="FARE", events="450/s", timestamp="of", allow={"FAM006": "the tests review it"}):
    """Rows of a time that is not that of their writing."""

    agency: str = bt.key(bt.HexDigest(4), cardinality=8_500)
    of: datetime = bt.key(bt.EpochSeconds(), sequential=False)
    carrier: str = bt.key(bt.Text(width=2), cardinality=300)

    q = bt.family("q", gc=bt.max_age(days=30))
    price: int = bt.column("p", q)

    flights = bt.query("agency", between="of")


def fare(doc: str, name: str = "of", lateness: timedelta | None = None) -> ModelSchema:
    """Rows that are described so, of a time that is called so."""
    model = bt.schema_of(Fare)
    fields = tuple(evolve(part, name=name) if part.name == "of" else part for part in model.key.fields)
    queries = tuple(evolve(query, between=name) for query in model.queries)
    stamp = evolve(model.stamp, attribute=name)
    key = evolve(model.key, fields=fields)
    return evolve(model, doc=doc, key=key, queries=queries, stamp=stamp, lateness=lateness, allow={})


def only(model: ModelSchema) -> Finding:
    """The one finding of the rule."""
    (finding,) = found(model, "FAM006")
    assert finding.level is Level.WARNING
    assert finding.fix.startswith("let the age count from the writing: leave out `timestamp=")
    assert finding.models[0].stamp == Stamp()
    return finding


AHEAD = (
    "A fare that was quoted, up to eleven months ahead of the flight.",
    "A table for the evening, which guests reserve weeks in advance.",
    "The temperature that a forecast gives for an hour.",
    "What a sensor is predicted to show.",
    "A shift, planned for the next four weeks.",
    "A berth that was booked.",
    "A reminder of something upcoming.",
    "The load of the coming days.",
    "A delivery. It is entered some days before the truck leaves.",
    "A price for a day in the future.",
    "Not only what was; also the next 6 hours.",
    "A preordered game.",
)
PAST = (
    "",
    "A fare that was quoted.",
    "A reading that a logger hands in later.",
    "Old letters, as they are typed in.",
    "It is never written in advance.",
    "Nothing is written ahead of its time.",
    "A measurement; none is of the future.",
    "A receipt, scanned long after the purchase.",
    "Events come at once, or a day late.",
    "Written a day after it has happened.",
    "No order is booked here.",
)


@pytest.mark.parametrize("doc", AHEAD)
def test_what_is_written_ahead_of_its_time_stays_too_long(doc: str) -> None:
    """No lateness says otherwise, as that is of the past alone."""
    finding = only(fare(doc))
    assert "a time to come is kept until that time" in finding.why
    assert "too old" not in finding.why
    assert "lateness" not in finding.fix
    late = only(fare(doc, lateness=timedelta(days=1)))
    assert late.why == finding.why
    assert "and `lateness=`" in late.fix


@pytest.mark.parametrize("doc", PAST)
def test_of_an_unknown_time_both_are_said(doc: str) -> None:
    """And how late rows are is enough where none is written before."""
    finding = only(fare(doc))
    assert "too old when it is written" in finding.why
    assert "a time to come is kept until that time" in finding.why
    assert 'and none before, say how late at most: `lateness="1day"`' in finding.fix
    assert found(fare(doc, lateness=timedelta(days=1)), "FAM006") == []


@pytest.mark.parametrize(
    "name", ["departs", "due_at", "scheduled", "next_run", "valid_until", "check_in_deadline"]
)
def test_names_say_what_is_to_come(name: str) -> None:
    """But a declared lateness is believed, unless the description says otherwise."""
    assert "too old" not in only(fare("A row.", name)).why
    assert found(fare("A row.", name, timedelta(days=1)), "FAM006") == []


@pytest.mark.parametrize(
    ("doc", "name"),
    [
        ("A fare, up to a year ahead. It goes 30 days after the departure.", "departs"),
        ("Booked in advance, and deleted 30 days after the flight departs.", "departs"),
        ("An appointment. We keep it for 30 days after it.", "appointment"),
        ("A seat. 30 days after the show starts it is deleted.", "starts"),
    ],
)
def test_an_age_that_is_to_count_from_that_time_is_fine(doc: str, name: str) -> None:
    """By the words of the description; those on another time, or before it, are no such words."""
    assert bool(found(fare(doc, name), "FAM006")) is (name == "appointment")
    assert only(fare(doc.replace("after", "before"), name))
    assert only(fare(doc, "valid"))


class Deed(bt.Model, table="DEED", events="1/s"):
    """Rows whose cells have a time that is in no key."""

    plot: str = bt.key(bt.Text(width=14), cardinality=20_000_000)
    deed: str = bt.key(bt.HexDigest(16), cardinality=100_000_000)
    signed: datetime = bt.timestamp(round=True)

    d = bt.family("d", gc=bt.max_age(days=3_653))
    notary: str = bt.column("not", d)

    of_plot = bt.query("plot")


@pytest.mark.parametrize(
    ("doc", "said"),
    [
        ("A deed. Deeds were signed between 1971 and last week.", "'1971'"),
        ("A deed that was signed up to 40 years ago.", "'40 years ago'"),
        ("A deed, signed decades before it is scanned.", "'decades'"),
        ("A deed. It was signed, and stands in act 1971/3.", None),
        ("A deed that was signed five years ago at most.", None),
        ("A deed that was never signed 40 years ago.", None),
        ("A deed. The registry is there since 1971.", None),
        ("A deed, typed in from the books of 1975 to 1999.", "'1975'"),
        ("Deeds of the years before 1999, as they were digitised.", "'1999'"),
        ("A deed, signed after 1971. It goes ten years after the signed day.", None),
        ("A deed that was signed.", None),
    ],
)
def test_a_time_of_long_ago_is_no_begin_of_an_age(doc: str, said: str | None) -> None:
    """Of a time in the cells alone, a sentence that speaks of it says how long ago it may be."""
    model = evolve(bt.schema_of(Deed), doc=doc)
    findings = found(model, "FAM006")
    assert [finding.level for finding in findings] == [Level.WARNING] * (said is not None)
    for finding in findings:
        assert f"the description says {said}" in finding.message
        (made,) = finding.models
        assert made.stamp == Stamp()
        assert "signed" in {column.name for column in made.columns}
        assert found(made, "FAM006") == []
    assert found(evolve(model, lateness=timedelta(days=20_000)), "FAM006") != []
    longer = evolve(model, families=(evolve(model.families[0], gc=bt.max_age(days=40_000)),))
    assert found(longer, "FAM006") == []
