"""Edits of several steps: what they do to a row, in their order and all at once, against a real server."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from notes import Measured, Note, Seen, Visited, generated

import btmodel as bt
from btmodel.rows import Cell, Mutation

Open = Callable[..., bt.Database]
pytestmark = pytest.mark.both_servers
NOTES, SEEN, VISITED, MEASURED = (generated(model) for model in (Note, Seen, Visited, Measured))
KEY = NOTES.NoteKey("acme", "a")
BEHIND, AT, AHEAD = (datetime(year, 1, 1, tzinfo=UTC) for year in (2001, 2020, 2096))


class Place(bt.Model, table="places"):
    """Where something is, and where it was; nothing is required."""

    name: str = bt.key(bt.Text(max_length=5), mirror="d:name")

    d = bt.family("d", gc=bt.max_versions(9))
    lat: float | None = bt.column("lat", d, default=None)
    lon: float | None = bt.column("lon", d, default=None)
    past: bt.History[int] = bt.history("p", d)

    every = bt.query(scan="the tests")


PLACES = generated(Place)


def note(title: str = "a title", **more: Any) -> Note:
    """The note of the key."""
    return Note(tenant="acme", name="a", title=title, **{"tags": set(), "scores": {}, **more})


@pytest.fixture
def notes(database: Open) -> Any:
    """An empty table of notes."""
    return NOTES.NoteRepository(database(Note))


@pytest.fixture
def places(database: Open) -> Any:
    """An empty table of places."""
    return PLACES.PlaceRepository(database(Place))


def test_steps_are_applied_in_their_order(notes: Any) -> None:
    """Each step sees what those before it did; the edit is a value, and steps of one leave the others alone."""
    notes.put(note(text="old", visits=1, tags={"x", "y"}, scores={"p": 1, "q": 2}))
    edit = notes.edit("acme", "a")
    longer = (
        edit.set(text="new", version=3, tags={"z"}, scores={"r": 3})
        .clear("visits")
        .remove(tags=["x"], scores=["p"])
        .add(likes=5)
    )
    longer.apply()
    found = notes.get(*KEY)
    assert (found.text, found.version, found.visits, found.likes) == ("new", 3, None, 5)
    assert (found.tags, found.scores) == ({"y", "z"}, {"q": 2, "r": 3})
    edit.clear("tags").set(tags={"only"}).apply()
    assert notes.get(*KEY).tags == {"only"}
    edit.set(text="gone").clear("text").apply()
    assert notes.get(*KEY).text is None
    edit.delete().set(title="anew").apply()
    assert notes.get(*KEY) == note("anew")
    edit.delete().apply()
    assert notes.get(*KEY) is None
    with pytest.raises(
        bt.QueryRefused, match=r"Note: expected an edit with at least one step, such as set\(...\)"
    ):
        edit.apply()


def test_an_edit_shows_what_it_will_do(places: Any) -> None:
    """Its text is the mutation, step by step, in the order that it is sent in."""
    edit = places.edit("a").set(past={AT: 1}).clear("past", start=BEHIND, end=AT).clear("lat").delete()
    lines = str(edit._row.mutation(0)).splitlines()[1:]
    assert [line.split()[0] for line in lines] == ["set", "delete", "delete", "delete"]
    assert lines[1] == "  delete d:p @ [2001-01-01T00:00:00.000000Z, 2020-01-01T00:00:00.000000Z)"
    assert repr(places.edit("a")) == "PlaceEdit, without a step"
    assert repr(edit).startswith("PlaceEdit, not applied yet\ntable places, row b'a':")


def test_columns_are_updated_without_their_neighbours(places: Any) -> None:
    """Only the named cells change, mirrors come along, and None takes a value away."""
    places.update("a", lat=1.5)
    assert places.get("a") == Place(name="a", lat=1.5, past=bt.History())
    [(_, cells)] = places._db.cells("places")
    assert [(cell.qualifier, cell.value) for cell in cells][1] == (b"name", b"a")
    places.update("a", lon=2.5, past={AT: 7})
    assert places.get("a") == Place(name="a", lat=1.5, lon=2.5, past=bt.History({AT: 7}))
    places.update("a", lat=None)
    assert places.get("a").lat is None
    with pytest.raises(bt.ValueRefused, match=r"Place.lat: expected a number, got 'x'"):
        places.update("a", lat="x")
    with pytest.raises(bt.QueryRefused, match=r"Place: update: expected something to update, got nothing"):
        places.update("a")
    with pytest.raises(
        bt.QueryRefused, match=r"Place: expected one of lat, lon, past, got 'lot' \(did you mean lon"
    ):
        places.update("a", lot=5)


def test_no_row_begins_that_no_read_could_decode(notes: Any) -> None:
    """Where the model requires more than is set, the row must be there, unless it is said that it may begin."""
    with pytest.raises(bt.MissingRow, match=r"expected a row b'acme#a' with title, as every Note has"):
        notes.update(*KEY, text="new")
    assert notes.exists(*KEY) is False
    notes.update(*KEY, title="all that is required")
    notes.update(*KEY, text="new")
    assert notes.get(*KEY) == note("all that is required", text="new")
    notes.delete(*KEY)
    notes.update(*KEY, text="first", begin=True)
    notes.update(*KEY, title="second")
    assert notes.get(*KEY) == note("second", text="first")
    with pytest.raises(bt.QueryRefused, match=r"the edit leaves a row without title, which every Note has"):
        notes.edit(*KEY).delete().set(text="x").apply()
    with pytest.raises(bt.QueryRefused, match=r"the edit leaves a row without title, which every Note has"):
        notes.edit(*KEY).clear_family("d").apply()
    notes.edit(*KEY).clear_family("d").set(title="third").apply()
    assert notes.get(*KEY) == note("third")


def test_a_row_may_be_wanted_to_be_there(places: Any) -> None:
    """Where a model requires nothing, ``begin=False`` wants a row all the same."""
    with pytest.raises(
        bt.MissingRow, match=r"expected a row b'a', as a Place to change, got none; nothing was changed"
    ):
        places.update("a", lat=1.0, begin=False)
    assert places.exists("a") is False
    places.update("a", lon=1.0)
    places.update("a", lat=1.0, begin=False)
    assert places.get("a").lat == 1.0


def test_many_rows_are_edited(notes: Any, places: Any) -> None:
    """Edits go in batches, or one by one where their rows must be there; those that fail are listed by their number."""
    assert (
        places.update_many([(PLACES.PlaceKey("a"), {"lat": 1.0}), (PLACES.PlaceKey("b"), {"lon": 2.0})]) == 2
    )
    assert [(row.name, row.lat, row.lon) for row in places.every()] == [("a", 1.0, None), ("b", None, 2.0)]
    notes.put(note())
    told: list[int] = []
    keys = [KEY, NOTES.NoteKey("acme", "b"), NOTES.NoteKey("acme", ""), KEY]
    rows = [(key, {"text": str(number)}) for number, key in enumerate(keys)]
    with pytest.raises(bt.WriteFailed, match="2 rows written, 2 failed") as failed:
        notes.update_many(rows, progress=told.append)
    assert [(one.index, type(one.cause)) for one in failed.value.failures] == [
        (1, bt.MissingRow),
        (2, bt.ValueRefused),
    ]
    assert not failed.value.may_be_repeated
    assert (notes.get(*KEY).text, told[-1]) == ("3", 2)
    assert notes.update_many(rows[:2], begin=True) == 2
    edits = [notes.edit(*KEY).set(text="x"), notes.edit(*KEY).clear("text").add(likes=1)]
    assert notes.apply_many(edits) == 2
    assert (notes.get(*KEY).text, notes.get(*KEY).likes) == (None, 1)
    with pytest.raises(bt.WriteFailed, match=r"expected an edit of this repository"):
        notes.apply_many([places.edit("a").set(lat=1.0)])
    with pytest.raises(bt.WriteFailed, match=r"expected a pair of a key and the values of columns"):
        notes.update_many([KEY])


def test_cells_of_a_range_of_times_are_deleted(places: Any) -> None:
    """Of a history the versions in the range go, and the others stay."""
    places.update("a", past={BEHIND: 1, AT: 2, AHEAD: 3})
    places.edit("a").clear("past", start=AT, end=AHEAD).apply()
    assert places.get("a").past == bt.History({AHEAD: 3, BEHIND: 1})
    places.edit("a").clear("past", end=AT).apply()
    assert places.get("a").past == bt.History({AHEAD: 3})
    places.edit("a").clear("past", start=AT).apply()
    assert places.get("a") is not None
    assert places.get("a").past == bt.History()
    with pytest.raises(bt.QueryRefused, match=r"Place: clear: expected a start that is not after the end"):
        places.edit("a").clear("past", start=AT, end=BEHIND)


def test_what_the_key_is_made_from_stays(database: Open) -> None:
    """A column that the key is a hash of cannot be set, and comes along where the row begins anew."""
    pages = VISITED.VisitedRepository(database(Visited))
    pages.put(Visited(url="a", day="x", size=1))
    pages.edit("x", "a").delete().set(size=2).apply()
    assert pages.get("x", "a") == Visited(url="a", day="x", size=2)
    with pytest.raises(bt.QueryRefused, match=r"Visited.url: the row key is made from it"):
        pages.edit("x", "a").set(url="b")


def test_families_are_cleared_by_the_ids_that_are_declared(database: Open) -> None:
    """A family named at run time is meant by its declared id; unknown ones are refused with the near name."""
    db = database()
    bt.create_tables(db, Measured, year="1999", site="s")
    measured = MEASURED.MeasuredRepository(db, year="1999", site="s")
    measured.put(Measured(meter=1, value=1))
    measured.edit(1).clear_family("{site}").set(value=2).apply()
    assert measured.get(1) == Measured(meter=1, value=2)
    with pytest.raises(bt.QueryRefused, match=r"Measured: the edit leaves a row without meter"):
        measured.edit(1).clear_family("{site}").apply()
    with pytest.raises(bt.QueryRefused, match=r"clear_family: expected families of s, got 'site'"):
        measured.edit(1).clear_family("site")


def test_rows_with_a_time_of_their_own_are_edited_at_it(database: Open) -> None:
    """The time stands among the values, and under a condition a late edit is refused."""
    seen = SEEN.SeenRepository(database(Seen))
    with pytest.raises(
        bt.ValueRefused, match=r"Seen.at: expected the time of the row, .*: set\(at=..., ...\)"
    ):
        seen.update("home", title="x")
    seen.update("home", at=AT, title="x")
    assert seen.get("home") == Seen(page="home", at=AT, title="x")
    seen.update("home", at=BEHIND, title="late")
    assert seen.get("home").title == "x"
    edit = seen.edit("home").set(at=BEHIND, title="late")
    with pytest.raises(bt.LaterRow):
        edit.apply(when=seen.when(title="x"))
    counted = seen.edit("home").add(times=3)
    with pytest.raises(
        bt.QueryRefused,
        match=r"^otherwise=: Seen: where there is no row, this edit would begin one without at",
    ):
        edit.apply(when=seen.when(title="late"), otherwise=counted)
    assert edit.apply(when=seen.when(title="late"), otherwise=counted, begin=True) is False
    assert (seen.get("home").times, seen.get("home").at) == (3, AT)
    with pytest.raises(bt.LaterRow):
        edit.apply(when=seen.when(title="x"), otherwise=counted, begin=True)
    assert seen.get("home").times == 3
    assert seen.edit("home").set(at=AHEAD, title="y").apply(when=seen.when(title="x")) is True
    assert (seen.get("home").title, seen.get("home").at) == ("y", AHEAD)


def test_one_of_two_edits_is_applied_by_a_condition(notes: Any) -> None:
    """Whether it held is answered, and the edit of the other branch is applied where it did not."""
    notes.put(note(version=1, tags={"x", "y"}))
    edit = notes.edit(*KEY)
    other = edit.clear("text")
    notes.update(*KEY, text="there")
    bumped = edit.remove(tags=["x"]).set(version=2)
    assert bumped.apply(when=notes.when(version=1, tags=bt.contains("x")), otherwise=other) is True
    assert notes.get(*KEY).text == "there"
    assert bumped.apply(when=notes.when(version=1), otherwise=other) is False
    found = notes.get(*KEY)
    assert (found.version, found.tags, found.text) == (2, {"y"}, None)
    told = r"Note: where there is no row, this edit would begin one without title, which every Note has"
    with pytest.raises(bt.QueryRefused, match=told):
        edit.set(version=3).apply(when=notes.when(version=None))
    with pytest.raises(bt.QueryRefused, match=told):
        edit.set(version=3).apply(when=notes.when(version=2), otherwise=edit.set(version=0))
    assert edit.set(version=3).apply(when=notes.when(bt.present(), version=None)) is False
    assert edit.set(version=3).apply(when=notes.when(version=None), begin=True) is False
    with pytest.raises(bt.QueryRefused, match=r"^otherwise=: Note: expected an edit of the same row, "):
        bumped.apply(when=notes.when(version=1), otherwise=notes.edit("acme", "b").clear("text"))
    for refused, said in (
        (edit, "expected an edit with at least one step"),
        (edit.delete().set(text="x"), "where there is no row, this edit would begin one without title"),
    ):
        present = notes.when(bt.present())
        with pytest.raises(bt.QueryRefused, match=f"^otherwise=: Note: {said}"):
            other.apply(when=present, otherwise=refused)
    for refused, said in (
        (edit, "expected an edit with at least one step"),
        (edit.delete().set(text="x"), "the edit leaves a row without title"),
    ):
        with pytest.raises(bt.QueryRefused, match=f"^Note: {said}"):
            refused.apply(when=present, otherwise=other)
    with pytest.raises(
        bt.QueryRefused,
        match=r"apply: expected a condition, when=, that chooses between the edit and otherwise=, got none",
    ):
        bumped.apply(otherwise=other)
    with pytest.raises(
        bt.QueryRefused, match=r"apply: expected when= without begin=False: make it a part of the condition"
    ):
        bumped.apply(when=notes.when(version=1), begin=False)
    notes.delete(*KEY)
    assert edit.set(title="first").apply(when=notes.when(bt.absent())) is True
    assert edit.set(title="second").apply(when=notes.when(bt.absent())) is False


def test_a_conditional_edit_is_read_whatever_clock_wrote_the_row(notes: Any) -> None:
    """As with put_if, what is set under a condition is not hidden by a clock that is ahead."""
    notes._db.write(bt.mutation_of(note("A", version=1, scores={"x": 1}), now=AHEAD))
    assert notes.edit(*KEY).set(version=2, scores={"x": 2}).apply(when=notes.when(version=1)) is True
    assert (notes.get(*KEY).version, notes.get(*KEY).scores) == (2, {"x": 2})


def test_unknown_cells_stay_unless_their_family_is_cleared(notes: Any) -> None:
    """An edit leaves alone what it does not name."""
    notes.put(note(tags={"x"}))
    notes._db.write(Mutation("notes", b"acme#a", [Cell("t", b"\xff", 5_000, b"")]))
    notes.update(*KEY, text="x")
    [(_, cells)] = notes._db.cells("notes")
    assert b"\xff" in {cell.qualifier for cell in cells}
    notes.edit(*KEY).clear_family("t").apply()
    assert notes.get(*KEY) == note(text="x")


class Dated(bt.Model, table="dated"):
    """A row whose time lies in the timestamps of its plain cells, beside versions that have times of their own."""

    name: str = bt.key(bt.Text(max_length=5), mirror="d:name")

    d = bt.family("d", gc=bt.max_versions(9))
    title: str = bt.column("t", d)
    past: bt.History[int] = bt.history("p", d)
    written: datetime = bt.timestamp()


DATED = generated(Dated)


def test_events_are_set_without_the_time_of_their_row(database: Open) -> None:
    """They have times of their own, so the row keeps its time; a row that is not there does not begin with them."""
    rows = DATED.DatedRepository(database(Dated))
    rows.put(Dated(name="a", title="x", past={AT: 1}, written=AT))
    rows.edit("a").set(past={AHEAD: 2}).apply()
    assert rows.get("a") == Dated(name="a", title="x", past={AT: 1, AHEAD: 2}, written=AT)
    with pytest.raises(bt.MissingRow):
        rows.edit("b").set(past={AHEAD: 2}).apply()
    with pytest.raises(bt.ValueRefused, match="the time of the row, which lies in the timestamps"):
        rows.edit("a").set(title="y")
