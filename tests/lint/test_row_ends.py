"""Columns that hold the end of a row, as times and as numbers of seconds, and rows that are promised to go."""

from uuid import UUID

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from btmodel.schema import GcRule, ModelSchema
from tests.lint.parts import found


class ResetToken(bt.Model, table="reset_token", events="50/s"):
    """A token by which a password is set anew, until it expires."""

    token: UUID = bt.key(bt.UuidText(), cardinality=40_000_000)

    t = bt.family("t", gc=bt.max_versions(1))
    account: str = bt.column("account", t, size=16)
    expires_at: int = bt.column("ttl", t)

    one = bt.query("token")


def called(name: str, qualifier: str, doc: str) -> ModelSchema:
    """The model with another end and another description."""
    model = bt.schema_of(ResetToken)
    end = evolve(model.columns[1], name=name, qualifier=qualifier.encode())
    return evolve(model, columns=(model.columns[0], end), doc=doc)


UNTIL = "A token by which a password is set anew, until it expires."


@pytest.mark.parametrize(
    ("name", "qualifier"),
    [
        ("expires_at", "ttl"),
        ("expireAt", "expireAt"),
        ("delete_at", "d"),
        ("expiry", "x"),
        ("delete_after", "da"),
        ("ends", "ttl"),
        ("last_second", "expires_at"),
    ],
)
def test_seconds_of_an_end_delete_nothing(name: str, qualifier: str) -> None:
    """A number that another database deletes by is the time of the cells here."""
    (reported,) = found(called(name, qualifier, UNTIL), "FAM010")
    assert reported.level is Level.WARNING
    assert f"`{name}: datetime = bt.expires(round=True)`" in reported.fix
    assert reported.models


@pytest.mark.parametrize(
    ("name", "qualifier", "doc"),
    [
        ("expires_at", "ttl", "A token that was given out; remembered until it expires, and after that."),
        ("expires_at", "ttl", "A token of a device, renewed before it expires."),
        ("expires_at", "ttl", "A token."),
        ("ttl", "ttl", "A token, with the seconds for which a resolver may keep it."),
        ("expiry", "exp", "A token of a card, with the month that is printed on it."),
        ("uses", "uses", UNTIL),
    ],
)
def test_other_numbers_are_no_end(name: str, qualifier: str, doc: str) -> None:
    """What is renewed or remembered may stay, and lengths of time are no moments."""
    assert found(called(name, qualifier, doc), "FAM010") == []


def test_an_id_of_something_else_comes_not_again_and_again() -> None:
    """A row for each account is written again, and is there for as long as the account."""
    model = called("expires_at", "ttl", "What an account may do, until it expires.")
    account = evolve(model.key.fields[0], name="account")
    rows = evolve(model, key=evolve(model.key, fields=(account,)), columns=model.columns[1:])
    assert found(rows, "FAM010") == []


class Visit(bt.Model, table="visit", events="60/s"):
    """A row that keeps its newest version for ever."""

    visit: UUID = bt.key(bt.UuidText(), cardinality=100_000_000)

    v = bt.family("v", gc=bt.max_versions(1) & bt.max_age(days=14))
    room: str = bt.column("room", v, size=4)

    one = bt.query("visit")


@pytest.mark.parametrize(
    ("doc", "level"),
    [
        ("A visit. We promise that the entry is gone two weeks after it.", Level.WARNING),
        ("A visit. The record is deleted 14 days after.", Level.WARNING),
        ("A visit. By the terms of use it is erased, and gone after two weeks.", Level.WARNING),
        ("A visit. Values are deleted after 14 days.", Level.INFO),
        ("A visit. States go; versions are gone after 14 days.", Level.INFO),
        ("A visit. Earlier rooms are deleted after 14 days.", None),
    ],
)
def test_a_promise_that_rows_go_is_held(doc: str, level: Level | None) -> None:
    """An intersection deletes older versions alone: that of a row is a warning, words that may mean versions are information."""
    reported = found(evolve(bt.schema_of(Visit), doc=doc), "FAM010")
    assert [one.level for one in reported] == ([level] if level else [])
    assert all("bt.max_age(days=14)" in one.fix for one in reported)


class LastPlace(bt.Model, table="last_place", events="8000/s"):
    """Where a subscriber is."""

    subscriber: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)

    p = bt.family("p", gc=bt.max_age(days=60))
    cell: str = bt.column("c", p, size=20)

    of_one = bt.query("subscriber")


def place(said: str, rule: GcRule | None = None) -> ModelSchema:
    """Places of which something is said, with another rule."""
    model = bt.schema_of(LastPlace)
    (family,) = model.families
    return evolve(
        model,
        doc=f"Where a subscriber is. {said}",
        families=(evolve(family, gc=rule or family.gc),),
    )


@pytest.mark.parametrize(
    "said",
    [
        "Privacy office: nothing older than 30 days may be left in it.",
        "Nothing is kept for longer than 30 days.",
        "Rows are kept no longer than 30 days.",
        "No position is older than 30 days.",
    ],
)
@pytest.mark.parametrize(
    ("rule", "fixed"),
    [
        (bt.max_age(days=60), "gc=bt.max_age(days=30))"),
        (bt.max_age(days=60) | bt.max_versions(1), "gc=bt.max_versions(1) | bt.max_age(days=30))"),
        (bt.max_versions(1) & bt.max_age(days=30), "gc=bt.max_age(days=30))"),
    ],
)
def test_an_upper_bound_is_kept(said: str, rule: GcRule, fixed: str) -> None:
    """By no rule that lets the newest cell grow older, nor by a longer age."""
    (one,) = found(place(said, rule), "FAM010")
    assert one.level is Level.WARNING
    assert fixed in one.fix
    assert found(place(said, bt.max_age(days=30)), "FAM010") == []


@pytest.mark.parametrize(
    "said",
    [
        "Kept for 30 days.",
        "It is not older than 30 days when it is read.",
        "It is read for 30 days.",
        "Versions older than 30 days go.",
    ],
)
def test_what_is_long_enough_is_no_upper_bound(said: str) -> None:
    """What is kept for 60 days is kept for 30."""
    assert found(place(said), "FAM010") == []
