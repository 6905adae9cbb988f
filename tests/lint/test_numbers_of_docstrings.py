"""Numbers in descriptions that nobody means, as nothing, fewer than nothing, and more than any time has: the review ends, and says nothing of them."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.lint import review
from btmodel.lint.lifetimes import length_of, lifetimes
from tests.lint.parts import found


class Slip(bt.Model, table="SLIP", events="9/s"):
    """A slip."""

    number: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    body: str = bt.column("b", f, size=200)
    of_number = bt.query("number")


class Reading(bt.Model, table="readings_3", events="900/s"):
    """A reading of a meter."""

    meter: int = bt.key(bt.PaddedInt(8), cardinality=9_000, sequential=False)
    at: datetime = bt.key(bt.EpochMillis())
    r = bt.family("r", gc=bt.max_age(days=60))
    value: float = bt.column("v", r)
    broken: bool = bt.column("x", r)
    of_meter = bt.query("meter", between="at")
    all_broken = bt.query("meter", between="at", where=("broken",))


class Listing(bt.Model, table="listings", events="900/s"):
    """What happens to a listing."""

    listing: UUID = bt.key(bt.UuidText(), cardinality=90_000)
    n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
    views: int | None = bt.counter("v", n)
    p = bt.family("p", gc=bt.max_versions(5))
    prices: bt.History[int] = bt.history("p", p)
    h = bt.family("h", gc=bt.max_age(days=9))
    address: str = bt.column("a", h)
    one = bt.query("listing")


MODELS = [bt.schema_of(model) for model in (Slip, Reading, Listing)]
UNITS = ("second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade", "fortnight")
# Each with a number and a unit.
FORMS = (
    "Kept for {n} {u}s.",
    "Kept for {n} and a half {u}s.",
    "Rows disappear after {n} {u}s.",
    "Deleted {n} {u}s later, at most.",
    "Purged every {n} {u}s.",
    "TTL: {n}d.",
    "Retention: {n}{u}.",
    "Nothing may be older than {n} {u}s.",
    "May not be deleted before {n} {u}s have passed.",
    "We keep the last {n} {u}s.",
    "Auditors ask for the last {n} {u}s.",
    "Values are read as they were {n} {u}s ago, up to {n} {u}s back.",
    "Values from {n} {u}s ago are imported. Some are {n} {u}s old.",
    "A strike rests, and goes on for {n} {u}s.",
    "Each is valid for {n} {u}s.",
    "A slip is needed for {n} {u}s after the end of the contract.",
    "Each meter sends a value every {n} {u}s.",
    "Each meter sends {n} values a {u}.",
    "The address is written once every {n} {u}s.",
    "The address is written {n} times a {u}.",
    "Up to {n} values in one {u} come of one meter.",
    "It is sampled at {n} Hz, or {n} kHz, or every {n} ms, or {n} times per second.",
    "{n} % of all readings come from one meter.",
    "Half of all readings come from {n} meters.",
    "{n} % of the readings are broken.",
    "{n} percent are broken. {n} ppm are broken.",
    "Every {n}th reading is broken.",
    "{n} in {n} readings are broken. {n} million of {n} billion readings are broken.",
    "A meter has up to {n} readings. A meter has {n} thousand million readings.",
    "There are {n} meters. Each of our {n} meters has a table. The table is dropped after {n} {u}s.",
    "The last {n} prices are kept. The {n} previous prices are shown.",
    "One can go back {n} steps.",
    "Views of the last {n} {u}s. The views of the past {n} {u}s are counted.",
    "The change stream is read every {n} {u}s, once in {n} {u}s.",
    "Of the year {n}, and of {n}'s readings.",
)
NUMBERS = st.one_of(
    st.sampled_from(("0", "00", "0.0", "-1", "-0.5", "1.5", "0.0000001", "9" * 400, "1" + "0" * 5_000)),
    st.integers(min_value=-(10**25), max_value=10**25).map(str),
    st.integers(min_value=0, max_value=10**25).map("{:,}".format),
    st.integers(min_value=0, max_value=3_000).map(str),
    st.integers(min_value=0, max_value=30).map(lambda digits: f"1{'0' * digits}"),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12).map(
        "{:f}".format
    ),
    st.sampled_from(("²", "٣", "zero", "no", "a hundred", "ninety-nine", "a thousand", "1,,,", "1,", "5-5")),
)


@given(st.lists(st.tuples(st.sampled_from(FORMS), NUMBERS, st.sampled_from(UNITS)), min_size=1, max_size=3))
def test_the_review_ends_whatever_the_number_is(said: list[tuple[str, str, str]]) -> None:
    """Without an exception."""
    sentences = " ".join(form.format(n=number, u=unit) for form, number, unit in said)
    for model in MODELS:
        review(evolve(model, doc=f"{model.doc} {sentences}"))


@pytest.mark.parametrize("form", FORMS)
def test_each_form_ends_with_each_of_the_worst(form: str) -> None:
    """Nothing, and more than numbers of the machine have."""
    for number, unit in (("0", "day"), ("4000000", "year"), ("9" * 400, "day"), ("9" * 5_000, "second")):
        for model in MODELS:
            review(evolve(model, doc=f"{model.doc} {form.format(n=number, u=unit)}"))


@pytest.mark.parametrize(
    "sentence",
    [
        "Kept for 4000000 years.",
        f"Kept for {'9' * 400} days.",
        "Kept for 0 days.",
        "Rows disappear after 0 minutes.",
        "Kept for -3 days.",
        "Kept for 1.000.000 days.",
        "Kept for 0.0001 seconds.",
        "Purged every 4000000 years.",
    ],
)
def test_a_time_that_no_rule_can_have_is_none(sentence: str) -> None:
    """And no other time is read out of it."""
    assert [one.length for one in lifetimes(sentence)] == []
    assert found(evolve(MODELS[0], doc=sentence), "FAM010") == []


def test_times_have_fractions() -> None:
    """Which are no other number behind a point."""
    assert length_of("1.5 days") == timedelta(hours=36)
    assert length_of("0.25 hours") == timedelta(minutes=15)
    assert length_of("2.5h") == timedelta(hours=2.5)
    assert length_of("5,000 days") == timedelta(days=5_000)
    assert length_of("3-5 days") == timedelta(days=5)
