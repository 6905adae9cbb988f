"""The rule on copies that lead to rows which an age has deleted."""

from datetime import datetime
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level, review_all
from btmodel.schema import GcRule, ModelSchema, Rate


class Booking(bt.Model, table="booking", events="900/s"):
    """A booking."""

    room: str = bt.key(bt.Text(width=8), cardinality=200_000)
    made: datetime = bt.key(bt.EpochMillis())
    reference: str = bt.key(bt.HexDigest(16), cardinality=2_000_000_000)

    b = bt.family("b", gc=bt.max_age(days=60))
    guests: int = bt.column("guests", b)
    paid: bool = bt.column("paid", b)

    of_room = bt.query("room", between="made")


class BookingByReference(bt.Model, table="booking_by_reference", events="900/s"):
    """The same booking by its reference."""

    reference: str = bt.key(bt.HexDigest(16), cardinality=2_000_000_000)
    room: str = bt.key(bt.Text(width=8), cardinality=200_000)
    made: datetime = bt.key(bt.EpochMillis())

    b = bt.family("b", gc=bt.max_versions(1))
    guests: int = bt.column("guests", b)

    one = bt.query("reference")


def pair(rule: GcRule, **changes: Any) -> list[ModelSchema]:
    """The two tables, the copy with this GC rule and these changes."""
    model, copy = bt.schema_of(Booking), bt.schema_of(BookingByReference)
    return [model, evolve(copy, families=(evolve(copy.families[0], gc=rule),), **changes)]


@pytest.mark.parametrize(
    "rule",
    [
        bt.max_versions(1),
        bt.keep_all(),
        bt.max_versions(1) & bt.max_age(days=60),
        bt.max_age(days=400),
    ],
)
def test_a_copy_ends_with_its_row(rule: GcRule) -> None:
    """A copy that stays for ever, or for much longer, gets the age of the row that it leads to."""
    (reported,) = [one for one in review_all(pair(rule)) if one.rule == "TAB010"]
    assert reported.level is Level.WARNING
    assert reported.model == "BookingByReference"
    assert "gc=bt.max_age(days=60)" in reported.fix
    assert reported.models or reported.edit


@pytest.mark.parametrize("days", [14, 60, 66, 90])
def test_ages_that_differ_little_and_shorter_ones_are_fine(days: int) -> None:
    """Nothing leads to what is gone for long, and a table of recent rows may end first."""
    assert [one for one in review_all(pair(bt.max_age(days=days))) if one.rule == "TAB010"] == []


@pytest.mark.parametrize(
    "changes",
    [
        {"doc": "The archive of bookings, by reference."},
        {"doc": "The references that were ever used: none is given out twice. Kept for good."},
        {"doc": "Guests ask for three years which room they had."},
        {"moved_from": "booking"},
        {"events": None},
    ],
)
def test_what_is_wanted_later_may_stay(changes: dict[str, Any]) -> None:
    """An archive, a table that rows move to, and one of other events are no copies that lead anywhere."""
    assert [one for one in review_all(pair(bt.max_versions(1), **changes)) if one.rule == "TAB010"] == []


@pytest.mark.parametrize(
    ("doc", "events", "outlives"),
    [
        ("Bookings disappear after 60 days.", "900/s", True),
        ("Bookings disappear after 60 days.", "90/s", True),
        ("A booking.", "900/s", False),
        ("Bookings disappear after 60 days.", "9000/s", False),
    ],
)
def test_a_whole_copy_ends_with_its_row_where_words_say_when(doc: str, events: str, outlives: bool) -> None:
    """Also one of some of the rows; a table with more events is no copy."""
    model, copy = pair(bt.max_versions(1), columns=bt.schema_of(Booking).columns)
    models = [evolve(model, doc=doc), evolve(copy, events=Rate.parse(events))]
    assert bool([one for one in review_all(models) if one.rule == "TAB010"]) is outlives


def test_rows_of_expiring_tables_and_whole_copies_are_left_alone() -> None:
    """What keeps rows for ever can be found, and what has all of a row leads nowhere."""
    model, copy = pair(bt.max_versions(1))
    lasting = evolve(model, families=(evolve(model.families[0], gc=bt.max_versions(1)),))
    whole = evolve(copy, columns=model.columns)
    for models in ([lasting, copy], [model, whole]):
        assert [one for one in review_all(models) if one.rule == "TAB010"] == []
