"""Ages that begin with something that happens after the writing: none of a cell counts from then."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint.later_events import from_later
from btmodel.schema import GcRule
from tests.lint.parts import found


class Booking(bt.Model, table="BOOKING", events="3/s"):
    hotel: str = bt.key(bt.HexDigest(8), cardinality=90_000)
    booking: str = bt.key(bt.HexDigest(16))

    data = bt.family("data", gc=bt.max_versions(1))
    departure: datetime = bt.column("d", data)
    room: str = bt.column("r", data)

    of_hotel = bt.query("hotel")


LATER = [
    "Bookings are deleted 90 days after the stay.",
    "Bookings are deleted 90 days after their end.",
    "Bookings are deleted 90 days after departure.",
    "Bookings are deleted 90 days after they have expired.",
    "Bookings are deleted 90 days after the booking is closed.",
    "Bookings are deleted 90 days after the guest leaves.",
    "Bookings are deleted 90 days after the end of the contract.",
    "A booking can't be used after its end, and is deleted another 90 days later.",
]
FROM_WRITING = [
    "Bookings are deleted 90 days after they were made.",
    "Bookings are deleted 90 days after the booking.",
    "Bookings are deleted 90 days after creation.",
    "Bookings are deleted 90 days after the date of the booking.",
    "Bookings are deleted 90 days after the booking was received.",
    "Bookings are deleted 90 days after the purchase.",
    "Bookings are deleted after 90 days.",
    "Bookings are deleted 90 days after receipt.",
]


def told(said: str, gc: GcRule) -> list[str]:
    schema = bt.schema_of(Booking)
    families = (evolve(schema.families[0], gc=gc),)
    return [one.fix for one in found(evolve(schema, doc=f"A booking. {said}", families=families), "FAM010")]


@pytest.mark.parametrize("said", LATER)
def test_no_age_is_proposed_that_counts_from_what_comes_later(said: str) -> None:
    """It would delete a booking that is made long before the stay while it is needed."""
    assert told(said, bt.max_versions(1)) == []


@pytest.mark.parametrize("said", FROM_WRITING)
def test_an_age_that_counts_from_the_writing_is(said: str) -> None:
    """What is said of the row, or of how it came about, is the time of its cells."""
    (fix,) = told(said, bt.max_versions(1))
    assert "max_age(days=90)" in fix


def test_what_is_kept_after_a_later_event_is_not_deleted_by_an_age_of_that_length() -> None:
    """An age of a year from the writing ends before a year after the stay."""
    for days, soon in ((365, True), (3_653, False)):
        fixes = told("Bookings are kept for one year after the stay.", bt.max_age(days=days))
        assert [fix.startswith("let a program delete what is not needed any more") for fix in fixes] == [
            True
        ] * soon


def test_what_is_not_said_is_not_later() -> None:
    """Words that do not stand in the description begin with nothing."""
    assert not from_later(bt.schema_of(Booking), "kept for a year")
