"""Writes that depend on what is there, and edits of parts of rows, against a real server."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from notes import Awkward, Measured, Note, Seen, generated

import btmodel as bt
from btmodel.rows import Add, Cell, Delete, Mutation

Open = Callable[..., bt.Database]
NOTES = generated(Note)
KEY = NOTES.NoteKey("acme", "a")


def note(title: str = "a title", **more: Any) -> Note:
    """The note of the key."""
    return Note(tenant="acme", name="a", title=title, **{"tags": set(), "scores": {}, **more})


@pytest.fixture
def notes(database: Open) -> Any:
    """An empty table of notes."""
    return NOTES.NoteRepository(database(Note))


def test_replacing_leaves_nothing_of_the_old_row(notes: Any) -> None:
    """What the new row does not hold is gone, cells that the model does not know too."""
    notes.put(note(text="old", tags={"x"}, scores={"p": 1}))
    notes._db.write(Mutation("notes", b"acme#a", [Cell("d", b"unknown", 5_000, b"")]))
    notes.replace(note("new", tags={"y"}))
    found = notes.get(*KEY)
    assert found == note("new", tags={"y"})
    assert bt.unknown_cells(found) == ()
    other = Note(tenant="acme", name="b", title="b", tags=set(), scores={})
    assert notes.replace_many([note("newer"), other]) == 2
    assert list(notes.of_tenant("acme")) == [note("newer"), other]
    with pytest.raises(bt.WriteFailed, match="1 row written, 1 failed"):
        notes.replace_many([note("newest"), "no note"])


def test_a_row_is_put_where_there_is_none(notes: Any) -> None:
    """put_if_absent writes once, and says so; cells of families that the model reads count, whatever they are."""
    assert notes.put_if_absent(note("first")) is True
    assert notes.put_if_absent(note("second")) is False
    assert notes.get(*KEY).title == "first"
    notes.delete(*KEY)
    notes._db.write(Mutation("notes", b"acme#a", adds=[Add("c", b"l", 0, 1)]))
    assert notes.put_if_absent(note("third")) is False


def test_a_row_is_put_where_it_is_as_expected(notes: Any) -> None:
    """put_if compares the newest values, all of them, and None with an absent cell."""
    notes.put(note(version=1))
    assert notes.put_if(note("two", version=2), version=1, title="a title") is True
    assert notes.put_if(note("other", version=2), version=1) is False
    assert notes.put_if(note("other"), version=2, title="a title") is False
    assert notes.put_if(note("other"), version=None) is False
    assert notes.put_if(note("other"), version=None, text=None) is False
    assert notes.put_if(note("three", version=2, text="x"), version=2, text=None) is True
    assert notes.put_if(note("other"), version=2, text=None) is False
    assert (notes.get(*KEY).title, notes.get(*KEY).version) == ("three", 2)
    with pytest.raises(bt.QueryRefused, match=r"Note.tags: expected a column of one value .* got {'x'}"):
        notes.put_if(note(), tags={"x"})
    with pytest.raises(bt.QueryRefused, match="Note: put_if: expected at least one column"):
        notes.put_if(note())


def test_of_writers_that_compete_one_wins(notes: Any) -> None:
    """Each version is written by one of those that saw the version before it."""
    notes.put(note(version=0))

    def count() -> int:
        won = 0
        while won < 5:
            seen = notes.get(*KEY)
            won += notes.put_if(note(version=seen.version + 1), version=seen.version)
        return won

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda _: count(), range(4))) == 20
    assert notes.get(*KEY).version == 20


def test_whether_a_row_is_there(notes: Any) -> None:
    """exists is true of a row with any cell of the model."""
    assert notes.exists("acme", "a") is False
    notes.put(note())
    assert notes.exists("acme", "a") is True
    assert notes.exists("acm", "a") is False


def test_integers_are_incremented_where_they_are(notes: Any) -> None:
    """The new value comes back; an absent cell counts as 0; other columns are refused with the reason."""
    notes.put(note())
    assert notes.increment(KEY, "visits") == 1
    assert notes.increment(KEY, "visits", 41) == 42
    assert notes.increment(KEY, "visits", -50) == -8
    for column in ("version", "title", "likes", "tags", "tenant"):
        with pytest.raises(bt.QueryRefused, match=r"Int64\) can be incremented .*; expected one of visits"):
            notes.increment(KEY, column)
    with pytest.raises(bt.QueryRefused, match=r"^Note: expected one of visits, got 'nothing'$"):
        notes.increment(KEY, "nothing")
    for amount in (2**63, 1.5, True):
        with pytest.raises(
            bt.ValueRefused,
            match=r"Note.visits: expected a whole number from -9223372036854775807 to 9223372036854775807 to add",
        ):
            notes.increment(KEY, "visits", amount)


def test_text_is_extended_where_it_is(notes: Any) -> None:
    """The new value comes back; other columns, and values of another type, are refused."""
    assert notes.extend(KEY, "title", "ab") == "ab"
    assert notes.extend(KEY, "title", "é") == "abé"
    with pytest.raises(bt.QueryRefused, match=r"only text and bytes .*; expected one of title, text"):
        notes.extend(KEY, "visits", 5)
    with pytest.raises(bt.ValueRefused, match=r"Note.title: expected text"):
        notes.extend(KEY, "title", 5)


def test_counters_are_added_to(notes: Any) -> None:
    """Amounts add up, negative ones too, and put leaves them alone."""
    notes.put(note())
    notes.add(KEY, likes=5)
    notes.add(KEY, likes=-2)
    notes.put(note())
    assert notes.get(*KEY).likes == 3
    notes.clear(KEY, "likes")
    assert notes.get(*KEY).likes is None
    with pytest.raises(TypeError, match="unexpected keyword argument 'visits'"):
        notes.add(KEY, visits=1)
    with pytest.raises(bt.QueryRefused, match="Note: add: expected something to add, got nothing"):
        notes.add(KEY)


def test_columns_are_cleared(notes: Any) -> None:
    """The cells of cleared columns go and no others; a set goes whole where its family is its own."""
    notes.put(note(text="x", visits=5, tags={"x", "y"}, scores={"p": 1}))
    notes.clear(KEY, "text", "tags")
    assert notes.get(*KEY) == note(visits=5, scores={"p": 1})
    with pytest.raises(bt.QueryRefused, match=r"Note.scores: it shares its family 'd'.*remove its entries"):
        notes.clear(KEY, "scores")
    with pytest.raises(bt.QueryRefused, match=r"Note.title: no row can be without it; expected one of text"):
        notes.clear(KEY, "title")
    with pytest.raises(bt.QueryRefused, match="Note: clear: expected something to clear"):
        notes.clear(KEY)


def test_entries_are_removed(notes: Any) -> None:
    """Removed entries and members go, whether they are there or not, and the others stay."""
    notes.put(note(tags={"x", "y"}, scores={"p": 1, "q": 2}))
    notes.remove(KEY, tags=["x", "z"], scores=("p",))
    assert notes.get(*KEY) == note(tags={"y"}, scores={"q": 2})
    notes.remove(KEY, tags=[])
    assert notes.get(*KEY).tags == {"y"}
    with pytest.raises(TypeError, match="unexpected keyword argument 'title'"):
        notes.remove(KEY, title=["x"])
    with pytest.raises(bt.QueryRefused, match="Note: remove: expected something to remove, got nothing"):
        notes.remove(KEY)
    with pytest.raises(bt.ValueRefused, match=r"Note.tags: expected several entries, as a list, got 'xy'"):
        notes.remove(KEY, tags="xy")
    with pytest.raises(bt.ValueRefused, match=r"Note.tags: expected text of 1 to 20 bytes"):
        notes.remove(KEY, tags=["x" * 21])


def test_many_rows_are_deleted_by_their_keys(notes: Any) -> None:
    """Rows of the keys go; a key that cannot be encoded is listed and does not stop the others."""
    notes.put(note())
    notes.put(Note(tenant="acme", name="b", title="b", tags=set(), scores={}))
    told: list[int] = []
    assert notes.delete_many([KEY, NOTES.NoteKey("acme", "z")], progress=told.append) == 2
    assert told == [2]
    with pytest.raises(bt.WriteFailed, match=r"Note.name: expected text of 1 to 20 bytes"):
        notes.delete_many([NOTES.NoteKey("acme", ""), NOTES.NoteKey("acme", "b")])
    assert notes.of_tenant("acme").count() == 0


def test_a_key_of_another_model_is_refused(notes: Any) -> None:
    """A tuple that is no key of this model is refused, though it would fit."""
    with pytest.raises(
        bt.ValueRefused, match=r"Note: expected a NoteKey, as NoteKey\(tenant, name\), got \('acme', 'a'\)"
    ):
        notes.increment(("acme", "a"), "visits")


def test_ids_are_completed_when_the_repository_is_made(database: Open) -> None:
    """Each repository reads and writes the table and the family of its parameters; missing ones are refused."""
    module = generated(Measured)
    db = database()
    with pytest.raises(TypeError, match="2 required keyword-only arguments: 'year' and 'site'"):
        module.MeasuredRepository(db)
    with pytest.raises(TypeError, match="unexpected keyword argument 'day'"):
        module.MeasuredRepository(db, year="1999", site="a", day="1")
    with pytest.raises(TypeError, match="unexpected keyword argument 'day'"):
        generated(Awkward).AwkwardRepository(db, day="1")
    with pytest.raises(bt.ValueRefused, match="year: expected text that is not empty, got 1999"):
        module.MeasuredRepository(db, year=1999, site="a")
    lost = module.MeasuredRepository(db, year="1999", site="a")
    with pytest.raises(bt.MissingTable, match="measured_1999"):
        lost.put(Measured(meter=1, value=1))
    mutation = lost._mutation(Measured(meter=1, value=1))
    assert {cell.family for cell in mutation.cells} == {"a"}
    assert str(lost.all_meters().only("value").plan.filter).startswith("columns a:v")
    assert lost._edits.clear(["value"]).changes == (Delete("a", b"v"),)


def test_columns_may_have_the_names_of_parameters(database: Open) -> None:
    """A column called row or key is asked for and edited as any other."""
    module = generated(Awkward)
    awkward = module.AwkwardRepository(database(Awkward))
    assert awkward.put_if(Awkward(name="a", row=1, key={"x", "y"}), row=None) is True
    awkward.remove(module.AwkwardKey("a"), key=["x"])
    [found] = awkward.all_rows().where(row=1)
    assert found.key == {"y"}


def test_a_counter_leaves_the_time_of_a_row(database: Open) -> None:
    """Adding to a row whose time lies in the timestamps of its cells neither asks for the time nor moves it."""
    module = generated(Seen)
    seen = module.SeenRepository(database(Seen))
    row = Seen(page="home", at=datetime(2020, 1, 1, tzinfo=UTC), title=None)
    seen.put(row)
    seen.add(module.SeenKey("home"), times=2)
    assert seen.get("home").times == 2
    assert seen.get("home").at == row.at
