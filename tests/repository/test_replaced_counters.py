"""Counters of rows that are replaced, against a real server: a row is put without them, so nothing else would write them again."""

from collections.abc import Callable

import pytest
from notes import generated

import btmodel as bt
from btmodel.repository import OwnedTwinRepository

Open = Callable[..., bt.Database]
pytestmark = pytest.mark.both_servers


class Clip(bt.Model, table="clip"):
    """A clip, with how often it was seen in all, by country and by day."""

    id: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(1))
    tags = bt.family("tags", gc=bt.max_versions(1))
    sums = bt.family("sums", gc=bt.keep_all(), aggregate="sum")
    title: str = bt.column("title", d)
    note: str | None = bt.column("note", d, default=None)
    known: set[str] = bt.members(tags, bt.Text(max_length=20))
    seen: int | None = bt.counter("seen", sums)
    likes: int | None = bt.counter("likes", sums)


class ByTitle(bt.Model, table="by_title"):
    """Clips by title."""

    title: str = bt.key(bt.Text(max_length=20), cardinality=10_000)
    id: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(1))
    note: str = bt.column("note", d)


def by_title(clip: Clip) -> ByTitle | None:
    return None if clip.note is None else ByTitle(title=clip.title, id=clip.id, note=clip.note)


CLIP = generated(Clip)
CLIPS = bt.twins(Clip, (ByTitle, by_title), owned=True)


def test_a_replaced_row_keeps_its_counters(database: Open) -> None:
    """All else that the new row does not hold is gone, in one step."""
    clips = CLIP.ClipRepository(database(Clip))
    clips.put(Clip(id="1", title="Tea", note="good", known={"hot"}))
    clips.edit("1").add(seen=5, likes=2).apply()
    clips.replace(Clip(id="1", title="Coffee"))
    found = clips.get("1")
    assert found is not None
    assert (found.title, found.note, found.known, found.seen, found.likes) == ("Coffee", None, set(), 5, 2)
    clips.replace_many(
        [bt.replace(found, title="Milk")]
    )  # with the counter that was read, which is not written
    assert (again := clips.get("1")) is not None
    assert (again.title, again.seen) == ("Milk", 5)


def test_a_row_that_is_replaced_with_its_twins_keeps_its_counters(database: Open) -> None:
    """The twin of the old value goes, and the row itself is not deleted on the way."""
    db = database(Clip, ByTitle)
    clips = OwnedTwinRepository(db, CLIPS)
    rows = CLIP.ClipRepository(db)
    clips.put(Clip(id="1", title="Tea", note="good"))
    rows.edit("1").add(seen=5).apply()
    clips.replace(Clip(id="1", title="Coffee", note="better"))
    assert [key for key, _ in db.cells("by_title")] == [b"Coffee#1"]
    found = rows.get("1")
    assert found is not None
    assert (found.title, found.seen) == ("Coffee", 5)
    clips.replace(Clip(id="1", title="Coffee"))
    assert [key for key, _ in db.cells("by_title")] == []
    assert (last := rows.get("1")) is not None
    assert (last.note, last.seen) == (None, 5)
