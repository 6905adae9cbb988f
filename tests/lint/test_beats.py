"""The rule on events that replace each other, of what comes at a beat, and of columns that several events share."""

from datetime import date, datetime, timedelta

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import EpochMillis, EpochSeconds
from btmodel.design.series import beat_said
from btmodel.lint import Level
from btmodel.schema import ModelSchema, Rate
from tests.lint.parts import found


class Strain(bt.Model, table="strain", events="60000/s"):
    """A sample of a strain gauge: 600 gauges on 31 bridges, sampled at 100 Hz each."""

    bridge: str = bt.key(bt.Text(width=5), cardinality=31)
    gauge: str = bt.key(bt.Text(width=6), cardinality=600)
    at: datetime = bt.key(bt.EpochMillis(round=True))

    s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=180))
    microstrain: float = bt.column("e", s)

    of_gauge = bt.query("bridge", "gauge", between="at", span="1h")


def strain(doc: str, codec: EpochSeconds | EpochMillis) -> ModelSchema:
    """The samples with another description and time."""
    model = bt.schema_of(Strain)
    bridge, gauge, at = model.key.fields
    key = evolve(model.key, fields=(bridge, gauge, evolve(at, codec=codec)))
    return evolve(model, key=key, doc=doc or model.doc)


@pytest.mark.parametrize(
    ("doc", "millis"),
    [
        ("Sampled at 100 Hz.", 10),
        ("Sampled at 0.1 kHz.", 10),
        ("A gauge has 100 samples a second.", 10),
        ("A gauge takes a hundred samples a second.", 10),
        ("A value every 20 ms.", 20),
        ("100 Hz, and 50 readings per second of others", 10),
        ("A value every 20 seconds, and 1 Hz.", None),
        ("Who samples.", None),
    ],
)
def test_a_frequency_is_a_beat(doc: str, millis: int | None) -> None:
    """The shortest that the description has, below a second."""
    assert beat_said(doc) == (None if millis is None else timedelta(milliseconds=millis))


def test_samples_at_a_beat_are_distinguished_by_a_finer_time() -> None:
    """An id has no place in them."""
    (finding,) = found(strain("", bt.EpochSeconds(round=True)), "KEY017")
    assert finding.fix == "store a more precise time: `at: datetime = bt.key(bt.EpochMillis(round=True))`"
    assert found(strain("", bt.EpochMillis(round=True)), "KEY017") == []


def test_samples_of_which_nothing_is_said_or_which_are_more_come_at_random() -> None:
    """A beat of 100 ms is not that of 100 events a second."""
    for doc in ("A strain.", "Sampled at 10 Hz."):
        (finding,) = found(strain(doc, bt.EpochMillis(round=True)), "KEY017")
        assert finding.level is Level.WARNING


def test_of_things_that_may_lie_within_others_at_least_so_many_events_share_a_key() -> None:
    """Of 90 gauges on 31 bridges, each bridge has 3 or so, and not 90."""
    model = strain("A strain.", bt.EpochSeconds(round=True))
    bridge, gauge, at = model.key.fields
    few = evolve(model, key=evolve(model.key, fields=(bridge, evolve(gauge, cardinality=90), at)))
    assert found(few, "KEY017")[0].message.startswith("at least 22 events share each key")
    assert found(model, "KEY017")[0].message.startswith("about 100 events share each key")


class PrintJob(bt.Model, table="print_jobs", events="2000000/day"):
    """A job that came out of a printer. One row each."""

    account: str = bt.key(bt.Text(width=8), cardinality=65_000)
    day: date = bt.key(bt.DateText("%Y%m%d"))

    j = bt.family("j", gc=bt.max_versions(1) | bt.max_age(days=400))
    printer: str = bt.column("printer", j, max_size=12)
    title: str = bt.column("title", j, size=30, max_size=120)

    of_account = bt.query("account", between="day", span="30days")


def test_what_happens_twice_in_one_place_is_not_distinguished_by_it() -> None:
    """Two jobs of a day come out of one printer; an id or a finer time distinguishes them, and an owner may."""
    (finding,) = found(bt.schema_of(PrintJob), "KEY017")
    assert "`{account}#{day}#{id}`" in finding.fix
    assert "printer" not in finding.fix
    assert "bt.EpochMillis()" in finding.fix


def test_a_row_that_is_called_after_a_day_is_of_the_whole_of_it() -> None:
    """It is rather the rate that is meant otherwise, as of what is computed for all days at once."""

    class Tide(bt.Model, table="tide", events="20000/day"):
        harbour: str = bt.key(bt.Text(max_length=20), cardinality=3_500)
        day: date = bt.key(bt.DateText())
        t = bt.family("t", gc=bt.max_versions(1))
        high_cm: int = bt.column("hi", t)

    model = bt.schema_of(Tide)
    assert [one.level for one in found(model, "KEY017")] == [Level.WARNING]
    assert [one.level for one in found(evolve(model, name="TideDay"), "KEY017")] == [Level.INFO]


class Fastened(bt.Model, table="fastened", events="18000/s"):
    """A screw, as it was driven."""

    tool: str = bt.key(bt.Text(width=6), cardinality=7_500)
    driven: datetime = bt.key(bt.EpochMillis(round=True))

    t = bt.family("t", gc=bt.max_age(days=92))
    peak: float = bt.column("pk", t)

    of_tool = bt.query("tool", between="driven")


@pytest.mark.parametrize(
    ("name", "events", "collides"),
    [
        ("robot", "18000/s", False),
        ("lane", "18000/s", False),
        ("turnstile", "18000/s", False),
        ("account", "18000/s", True),
        ("tool", "18000/s", True),
        ("robot", "180000/s", True),
    ],
)
def test_what_takes_one_thing_after_the_other_has_no_two_in_a_millisecond(
    name: str, events: str, collides: bool
) -> None:
    """Its events come at random, but each takes a while; more than it can have are those of several."""
    model = bt.schema_of(Fastened)
    first, time = model.key.fields
    made = evolve(model, key=evolve(model.key, fields=(evolve(first, name=name), time)), queries=())
    made = evolve(made, events=Rate.parse(events))
    assert bool(found(made, "KEY017")) is collides


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("Strain of a beam, once a second for each gauge.", "`{gauge}#{hour}`"),
        ("Strain of a beam, every 10 s.", "`{gauge}#{hour}`"),
        ("Strain of a beam when it is asked for.", "`{gauge}#{hour}#{id}`"),
    ],
)
def test_what_comes_at_intervals_needs_a_finer_time_alone(said: str, key: str) -> None:
    """A gauge sends one value after the other, so no id is needed where the time says which; the fix says what else moves."""

    class Beam(bt.Model, table="strain", events="4000/s"):
        gauge: str = bt.key(bt.HexDigest(5), cardinality=4_000)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        s = bt.family("s", gc=bt.max_age(days=90))
        strain: float = bt.column("strain", s)

        of_gauge = bt.query("gauge", between="hour")

    beam = bt.schema_of(Beam)
    (one,) = found(evolve(beam, doc=said, key=evolve(beam.key, fields=beam.key.fields[::-1])), "KEY001")
    assert one.fix.startswith("put `gauge` (4,000 values) in front, and ")
    assert key in one.fix
    assert ("`hour: datetime = bt.key(bt.EpochMillis())`" in one.fix) is ("id" not in key)
