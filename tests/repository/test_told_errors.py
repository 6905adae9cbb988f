"""Rows that cannot be decoded, of which one message brings several: told or raised in their turn, and not before."""

from collections.abc import Callable
from typing import Any

import pytest
from notes import Note, generated

import btmodel as bt
from btmodel.rows import Cell, Mutation

Open = Callable[..., bt.Database]
NOTES = generated(Note)


@pytest.fixture
def notes(database: Open) -> Any:
    """Notes a, c, d, g and h; between them b, e and f without the title that they must have."""
    db = database(Note)
    repository = NOTES.NoteRepository(db)
    repository.put_many(Note(tenant="acme", name=name, title=name, tags=set(), scores={}) for name in "acdgh")
    db.write_many(
        "notes",
        (Mutation("notes", b"acme#" + name, [Cell("d", b"x", 0, b"")]) for name in (b"b", b"e", b"f")),
    )
    return repository


def told(errors: list[Any]) -> bytes:
    """The names of the rows that errors are about."""
    return b"".join(error.key[-1:] for error in errors)


def test_rows_in_front_of_an_error_are_given(notes: Any) -> None:
    """Without a handler the read ends at the first row that cannot be decoded, behind those in front of it."""
    rows = iter(notes.of_tenant("acme"))
    assert next(rows).name == "a"
    with pytest.raises(bt.UndecodableCell, match="row b'acme#b'"):
        next(rows)


def test_only_rows_that_were_reached_are_told(notes: Any) -> None:
    """A reader that stops is not told of rows behind that, though they came with the others."""
    errors: list[Any] = []
    rows = iter(notes.of_tenant("acme").on_error(errors.append))
    assert next(rows).name == "a"
    assert told(errors) == b""
    assert next(rows).name == "c"
    assert told(errors) == b"b"
    rows.close()
    errors.clear()
    assert notes.of_tenant("acme").on_error(errors.append).backwards().limit(4).first().name == "h"
    assert not errors
    assert [row.name for row in notes.of_tenant("acme").on_error(errors.append)] == list("acdgh")
    assert told(errors) == b"bef"


def test_a_handler_that_raises_ends_the_read(notes: Any) -> None:
    """Rows in front of the one that it was told of have come by then."""

    def refuse(error: Any) -> None:
        raise LookupError(error.key)

    rows = iter(notes.of_tenant("acme").on_error(refuse))
    assert next(rows).name == "a"
    with pytest.raises(LookupError, match="acme#b"):
        next(rows)


def test_a_page_tells_of_its_own_rows(notes: Any) -> None:
    """Of the row behind a page, which is read to know if there is one, nothing is told or raised."""
    assert [row.name for row in notes.of_tenant("acme").page(1).rows] == ["a"]
    with pytest.raises(bt.UndecodableCell, match="row b'acme#b'"):
        notes.of_tenant("acme").page(2)
    errors: list[Any] = []
    page = notes.of_tenant("acme").on_error(errors.append).page(4)
    assert [row.name for row in page.rows] == ["a", "c", "d"]
    assert told(errors) == b"b"
