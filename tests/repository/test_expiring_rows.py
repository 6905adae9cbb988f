"""Rows whose timestamp is the end of their life."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from notes import generated

import btmodel as bt
from btmodel.errors import DeclarationError
from btmodel.rows.filters import Unexpired

SOON = timedelta(seconds=30)


class Session(bt.Model, table="SESSION"):
    """A session that ends by itself."""

    user: str = bt.key(bt.Text(max_length=8), cardinality=100)
    id: int = bt.key(bt.PaddedInt(4), cardinality=100)
    until: datetime = bt.expires()

    f = bt.family("f", gc=bt.max_age(seconds=1))
    host: str = bt.column("h", f)
    note: str | None = bt.column("n", f, default=None)
    g = bt.family("g", gc=bt.max_versions(1))
    roles: set[str] = bt.members(g, bt.Text(max_length=8))

    of_user = bt.query("user")


SESSIONS = generated(Session)


def now() -> datetime:
    """The present in whole milliseconds."""
    at = datetime.now(UTC)
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def session(id: int, ends_in: timedelta, **values: Any) -> Session:
    """A session of one user."""
    return Session(user="jo", id=id, until=now() + ends_in, host=f"h{id}", roles={"r"}, **values)


@pytest.fixture
def sessions(bigtable: Any) -> Any:
    """One that lives, one that has ended, and one of which the server still has all cells."""
    found = SESSIONS.SessionRepository(bigtable(Session))
    found.put_many([session(1, SOON), session(2, -SOON), session(3, timedelta(0))])
    return found


def test_only_what_lives_is_read(sessions: Any) -> None:
    """In single rows, many keys, queries, counts, keys, columns, and whether a row exists; what has ended is still stored."""
    key = SESSIONS.SessionKey
    assert {raw for raw, _ in sessions._db.cells("SESSION")} == {b"jo#0001", b"jo#0002", b"jo#0003"}
    row = sessions.get("jo", 1)
    assert row.host == "h1"
    assert now() < row.until <= now() + SOON
    assert sessions.get("jo", 2) is sessions.get("jo", 3) is None
    assert [one and one.id for one in sessions.get_many([key("jo", 3), key("jo", 1), key("jo", 2)])] == [
        None,
        1,
        None,
    ]
    assert [sessions.exists("jo", one) for one in (1, 2, 3)] == [True, False, False]
    read = sessions.of_user("jo")
    assert ([one.id for one in read], read.count(), [one.id for one in read.keys()]) == ([1], 1, [1])
    assert sessions.get("jo", 2, only=["host"]) is None
    assert sessions.get("jo", 2, entries={"roles": ["r"]}) is None
    assert [one.id for one in read.where(host="h2")] == []
    assert [one.id for one in read.times(None, now() + 2 * SOON)] == [1]
    assert read.plan.filter is not None
    assert "timestamps after now" in str(read.plan)


def test_what_has_ended_is_absent_for_conditions(sessions: Any) -> None:
    """A new row takes its place, as a lock that nobody renewed."""
    assert not sessions.put_if_absent(session(1, SOON))
    assert sessions.put_if_absent(session(2, SOON, note="again"))
    assert sessions.get("jo", 2).note == "again"
    assert not sessions.put_if(session(3, SOON), host="h3")
    assert sessions.put_if(session(3, SOON), host=None)
    assert [one.id for one in sessions.of_user("jo")] == [1, 2, 3]


@pytest.mark.parametrize(
    "condition",
    [
        lambda when: when(host=bt.present()),
        lambda when: when(host=bt.one_of("h1", "h2")),
        lambda when: when(roles=bt.present()),
        lambda when: when(roles=bt.contains("r")),
        lambda when: when(bt.present()),
        lambda when: when(bt.present("g")),
    ],
)
def test_no_condition_holds_of_what_has_ended(sessions: Any, condition: Any) -> None:
    """Whatever it says, of a cell, an entry, a family or the row, and though the server still has the cells."""
    assert not sessions.put_if(session(2, SOON), condition(sessions.when))
    assert sessions.put_if(session(1, SOON), condition(sessions.when))


def test_a_row_ends_while_it_is_looked_at(sessions: Any) -> None:
    """The clock is asked by every read, not once."""
    sessions.put(session(4, timedelta(seconds=1.5)))
    read = sessions.of_user("jo")
    assert [one.id for one in read] == [1, 4]
    time.sleep(1.6)
    assert [one.id for one in read] == [1]
    assert not sessions.exists("jo", 4)


def test_a_row_is_written_whole_with_its_end(sessions: Any) -> None:
    """Nothing of the row before stays, with another end: whether the new end is later or earlier, however it is written."""
    db, key = sessions._db, SESSIONS.SessionKey("jo", 1)
    for write in (
        sessions.put,
        lambda row: sessions.put_many([row]),
        lambda row: sessions.put_if(row, host="h1"),
        lambda row: (
            sessions.edit("jo", 1).delete().set(until=row.until, host=row.host, note=row.note).apply()
        ),
    ):
        for ends_in in (2 * SOON, SOON / 2):
            sessions.put(session(1, SOON, note="old"))
            row = session(1, ends_in)
            row.roles = set()
            write(row)
            assert sessions.get("jo", 1) == row
            [(_, cells)] = [one for one in db.cells("SESSION") if one[0] == b"jo#0001"]
            assert [(cell.qualifier, cell.time) for cell in cells] == [(b"h", row.until)]
    sessions.clear(key, "note")
    sessions.remove(key, roles=["r"])
    assert sessions.get("jo", 1) == row


def test_no_part_of_a_row_gets_another_end(sessions: Any) -> None:
    """Cells that an edit leaves would end at another time than those that it sets: so it has to write the whole row."""
    assert not hasattr(sessions, "update")
    edit = sessions.edit("jo", 1).set(until=now() + 2 * SOON, note="more")
    for apply in (edit.apply, lambda: edit.apply(when=sessions.when(host="h1"))):
        with pytest.raises(
            bt.QueryRefused, match=r"Session: an edit cannot set some cells of a row that expires"
        ):
            apply()


def test_deleting_a_prefix_takes_what_has_ended_too(sessions: Any) -> None:
    """It deletes rows with every cell."""
    assert sessions.delete_prefix(user="jo") == 3
    assert list(sessions._db.cells("SESSION")) == []


def test_an_end_is_a_whole_millisecond_that_is_still_to_come() -> None:
    """Of a row that ends now nothing is read."""
    at = datetime(2020, 1, 1, microsecond=5_999, tzinfo=UTC)
    start = Unexpired().start(at)
    assert start == 1_577_836_800_000_000 + 6_000
    assert Unexpired().start(at.replace(microsecond=6_000)) == start + 1_000


def test_cells_of_other_times_are_refused() -> None:
    """A history, whose versions are of the past, would never be read; and an end is what every row has."""
    with pytest.raises(
        DeclarationError,
        match=r"Wrong\.seen: expected columns, mappings and sets alone, as 'until' is the end of life",
    ):

        class Wrong(bt.Model, table="WRONG"):
            user: str = bt.key(bt.Text(max_length=8), cardinality=100)
            until: datetime = bt.expires()

            f = bt.family("f", gc=bt.max_versions(10))
            seen: bt.History[int] = bt.history("s", f)

    with pytest.raises(DeclarationError, match="expected the annotation datetime"):

        class Optional(bt.Model, table="OPTIONAL"):
            user: str = bt.key(bt.Text(max_length=8), cardinality=100)
            until: datetime | None = bt.expires()  # type: ignore[assignment]

            f = bt.family("f", gc=bt.max_versions(1))
            seen: int = bt.column("s", f)


FINE = datetime(2100, 1, 1, 0, 0, 0, 123_456, tzinfo=UTC)


class Rounded(bt.Model, table="ROUNDED"):
    """A row whose end is rounded, and has a default."""

    id: int = bt.key(bt.PaddedInt(4), cardinality=1_000)
    until: datetime = bt.expires(default_factory=lambda: FINE, round=True)
    f = bt.family("f", gc=bt.max_age(seconds=1))
    host: str = bt.column("h", f)


class Stamped(bt.Model, table="STAMPED"):
    """A row whose time is rounded, and may be left out."""

    id: int = bt.key(bt.PaddedInt(4), cardinality=1_000)
    at: datetime | None = bt.timestamp(default=None, round=True)
    f = bt.family("f", gc=bt.max_versions(1))
    host: str = bt.column("h", f)


class AtKey(bt.Model, table="AT_KEY", timestamp="at", events="1/s"):
    """A row whose time stands in the key, too, where it is rounded."""

    at: datetime = bt.key(bt.ReversedMillis(round=True))
    f = bt.family("f", gc=bt.max_versions(1))
    host: str = bt.column("h", f)


def test_times_of_rows_are_rounded_where_that_is_asked_for(bigtable: Any) -> None:
    """A finer time is taken for its millisecond, alone and among many; without the option it is refused, with it named."""
    cut = FINE.replace(microsecond=123_000)
    for model, row in (
        (Rounded, Rounded(id=1, host="h")),
        (Stamped, Stamped(id=1, host="h", at=FINE)),
    ):
        found = getattr(generated(model), f"{model.__name__}Repository")(bigtable(model))
        found.put(row)
        found.put_many([bt.replace(row, id=2)])
        stamps = [cell.time for _, cells in found._db.cells(model.__name__.upper()) for cell in cells]
        assert stamps == [cut, cut]
        read = found.get(1)
        assert cut in (getattr(read, "until", None), getattr(read, "at", None))
    timed = AtKey(at=FINE, host="h")
    assert [one.time for one in bt.mutation_of(timed).cells] == [cut]
    with pytest.raises(
        bt.ValueRefused,
        match=r"Session.until: expected a time from 1970 on, in whole milliseconds \(round it yourself, or declare it with round=True\)",
    ):
        bt.mutation_of(Session(user="jo", id=1, until=FINE, host="h"))
    with pytest.raises(bt.DeclarationError, match=r"expires: round: expected True or False, got 1"):
        type(bt.Model)("Wrong", (bt.Model,), {"__annotations__": {}, "until": bt.expires(round=1)}, table="W")  # type: ignore[arg-type,misc]
