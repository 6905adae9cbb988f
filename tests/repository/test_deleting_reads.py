"""Rows that a read chose are deleted, and no others, against a real server."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from notes import Note, generated

import btmodel as bt

Open = Callable[..., bt.Database]
NOTES = generated(Note)
OLD = datetime(2001, 1, 1, tzinfo=UTC)


def note(name: str, **more: Any) -> Note:
    """A note."""
    return Note(tenant="acme", name=name, **{"title": "old", "tags": set(), "scores": {}, **more})


@pytest.fixture
def notes(database: Open) -> Any:
    """Three notes of long ago."""
    found = NOTES.NoteRepository(database(Note))
    for name in "abc":
        found._db.write(bt.mutation_of(note(name, text="x"), now=OLD))
    return found


def overtaken(notes: Any, write: Callable[[], object]) -> None:
    """Let ``write`` happen before the first row is deleted."""
    own = vars(notes._db)
    meant = {name: getattr(notes._db, name) for name in ("write_if", "write_many")}

    def first(then: Callable[..., Any], *given: Any) -> Any:
        for name in meant:
            own.pop(name, None)
        write()
        return then(*given)

    own.update({name: partial(first, then) for name, then in meant.items()})


@pytest.mark.parametrize(
    "narrowed",
    [
        lambda read: read.where(title="old"),
        lambda read: read.where(title="old").limit(3),
        lambda read: read.times(None, datetime(2002, 1, 1, tzinfo=UTC)),
        lambda read: read.only("text"),
    ],
)
def test_a_row_that_changed_meanwhile_is_not_deleted(notes: Any, narrowed: Callable[[Any], Any]) -> None:
    """What was put in the place of a row that was chosen stays, and is not counted."""
    new = note("b", title="new")
    overtaken(notes, lambda: notes.replace(new))
    told: list[int] = []
    assert narrowed(notes.all_notes()).delete(told.append) == 2
    assert told == [2]
    assert list(notes.all_notes()) == [new]


def test_a_read_of_keys_deletes_what_they_hold_by_then(notes: Any) -> None:
    """Where nothing was said of what lies in the rows, the keys are meant, in batches."""
    overtaken(notes, lambda: notes.replace(note("b", title="new")))
    assert notes.of_tenant("acme").matching(r"acme#[ab]").delete() == 2
    assert list(notes.all_notes()) == [note("c", text="x")]
    overtaken(notes, lambda: notes.replace(note("c", title="new")))
    assert notes.all_notes().delete() == 1
    assert list(notes.all_notes()) == []


def test_rows_chosen_by_their_cells_can_be_deleted_by_their_keys(notes: Any) -> None:
    """The keys of such a read, given to delete_many, are deleted in batches, whatever the rows hold by then."""
    assert notes.delete_many(notes.all_notes().where(title="old").keys()) == 3
    assert list(notes.all_notes()) == []
