"""What descriptions say in long sentences: pieces of time, equal stamps, sizes, what stands in a key, and who opens what by its number."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from btmodel.schema import ModelSchema
from tests.lint.parts import found


class Pulse(bt.Model, table="PULSE", events="26000/s"):
    """A wheel that went over a counter."""

    counter: str = bt.key(bt.Text(width=8), cardinality=9_000)
    cycle: str = bt.key(bt.Text(width=11))
    seq: int = bt.key(bt.PaddedInt(6))

    p = bt.family("p", gc=bt.max_age(days=30))
    scan: bytes = bt.column("scan", p)

    of_counter = bt.query("cycle", "counter")


def turned(said: str) -> ModelSchema:
    """The pulses with the cycle in front."""
    pulse = bt.schema_of(Pulse)
    counter, cycle, seq = pulse.key.fields
    return evolve(pulse, doc=said, key=evolve(pulse.key, fields=(cycle, counter, seq)))


@pytest.mark.parametrize(
    ("said", "leads"),
    [
        ("A wheel.\n\n`cycle` is what the interlocking calls its five-minute window.", True),
        ("A wheel.\n\n`cycle` is the interval in which it came, for example 250211T1435.", True),
        ("A wheel.\n\n`cycle` names the hour slot.", True),
        ("A wheel.\n\n`cycle` is the name of a bicycle, such as PINK.", False),
        ("A wheel.\n\n`cycle` is never a five-minute window.", False),
        ("A wheel. It is counted in a five-minute window.", False),
    ],
)
def test_a_piece_of_time_leads_as_a_time_does(said: str, leads: bool) -> None:
    """All that is written meanwhile has the same value, whatever it is written as."""
    assert bool(found(turned(said), "KEY001")) is leads


class Step(bt.Model, table="STEP", events="900/s"):
    """A step of a robot."""

    robot: str = bt.key(bt.Text(width=8), cardinality=11_000)
    at: datetime = bt.key(bt.EpochSeconds())

    s = bt.family("s", gc=bt.max_age(days=60))
    cow: int = bt.column("cow", s)

    of_robot = bt.query("robot", between="at")


@pytest.mark.parametrize(
    ("said", "collide"),
    [
        ("Half a dozen steps with the same stamp are nothing unusual.", True),
        ("Several steps of a robot have the same time.", True),
        ("A few steps may well share the same timestamp.", True),
        ("Two steps with the same stamp never come.", False),
        ("No two steps have the same stamp.", False),
        ("Two robots stand at the same time of the day in the barn.", False),
        ("Several steps are made at different times.", False),
    ],
)
def test_events_of_one_stamp_replace_one_another(said: str, collide: bool) -> None:
    """Whatever the rate is on average, the key tells them apart by their time alone."""
    step = evolve(bt.schema_of(Step), doc=f"A step of a robot. {said}")
    assert bool(found(step, "KEY017")) is collide


@pytest.mark.parametrize(
    ("said", "large"),
    [
        ("One file per pulse. The new head gives around 180 MB, packed.", "180 MB"),
        ("A scan of up to 12.5 megabytes.", "12.5 megabytes"),
        ("Each scan has 9 MB.", None),
        ("The scan lies in a bucket, with its 180 MB.", None),
        ("A scan is never larger than 180 MB.", None),
        ("The table has 180 MB of scans.", None),
        ("A scan is read at 180 MB/s.", None),
        ("The head has 180 MB.", None),
    ],
)
def test_a_size_that_is_said_is_one(said: str, large: str | None) -> None:
    """Of the only value that is bytes; what is large together, or elsewhere, is none."""
    pulse = evolve(bt.schema_of(Pulse), doc=f"A wheel. {said}")
    warned = found(pulse, "ROW001")
    assert [one.level for one in warned] == ([] if large is None else [Level.WARNING])
    assert all(f"by the description ({large!r})" in one.message for one in warned)


class Reading(bt.Model, table="READING", events="40/s"):
    """A reading of a tank."""

    tank: str = bt.key(bt.Text(max_length=12), cardinality=2_400)
    guest: str = bt.key(bt.Text(max_length=20), cardinality=4_000_000)
    at: datetime = bt.key(bt.EpochSeconds())

    r = bt.family("r", gc=bt.max_age(days=1100))
    pitch: str = bt.column("pitch", r, size=10, max_size=10, cardinality=30_000)

    curve = bt.query("tank", "guest", between="at")


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("The lab opens a pitch of yeast by its number and wants all readings of the beers.", True),
        ("The lab looks a pitch up by its code, and sees its readings.", True),
        ("The lab opens a pitch by its number, and mixes it.", False),
        ("The lab never opens a pitch by its number to see the readings.", False),
        ("The lab opens a bottle by its cap and wants all readings.", False),
    ],
)
def test_what_is_opened_by_its_number_finds_rows(said: str, asked: bool) -> None:
    """Where its rows are then spoken of."""
    reading = evolve(bt.schema_of(Reading), doc=f"A reading of a tank. {said}")
    assert bool(found(reading, "QRY008")) is asked


@pytest.mark.parametrize(
    ("said", "personal"),
    [
        ("`guest` is what the person gave us at the desk, a mobile number as a rule.", True),
        ("`guest` is whatever we can reach them at, usually an e-mail address.", True),
        ("`guest` is what the desk draws, a number of eight digits.", False),
        ("`guest` is what the desk draws, not a phone number.", False),
        ("`guest` is the number of the room, a phone stands in it.", False),
    ],
)
def test_what_a_field_is_in_other_words_identifies_a_person(said: str, personal: bool) -> None:
    """A second phrase says it where the first one says nothing."""
    reading = evolve(bt.schema_of(Reading), doc=f"A reading of a tank. {said}")
    assert bool(found(reading, "KEY010")) is personal


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("An inspector may ask for any excursion of the past seven years.", True),
        (
            "The desk sees the last 2 days. The office may ask for any day of the past five years, and a gap in the log costs much.",
            True,
        ),
        ("The desk may ask for any reading of the past five days.", False),
        ("An inspector may ask for the papers of the past seven years.", False),
        ("An inspector may ask for any day of the past seven years in the warehouse.", False),
    ],
)
def test_what_may_be_asked_for_is_kept(said: str, missing: bool) -> None:
    """Of several times, the longest; papers are another thing, and the warehouse another place."""
    reading = evolve(bt.schema_of(Reading), doc=f"A reading of a tank. {said}")
    reading = evolve(reading, families=tuple(evolve(one, gc=bt.max_age(days=90)) for one in reading.families))
    assert bool(found(reading, "FAM010")) is missing
