"""Many edits whose rows must be there: several requests at once, those of one row in their order, each accounted for."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from notes import Note, generated

import btmodel as bt

Migrate = Callable[..., str]
NOTES = generated(Note)
MANY = 300


def note(name: str) -> Note:
    """A note of a name."""
    return Note(tenant="acme", name=name, title="t", tags=set(), scores={})


def key(number: int) -> Any:
    """The key of a note by its number."""
    return NOTES.NoteKey("acme", f"n{number}")


def overlap(calls: list[bt.Call], began: float) -> float:
    """How many requests were under way on average."""
    return sum(call.seconds for call in calls if call.method == "CheckAndMutateRow") / (
        time.monotonic() - began
    )


def test_several_requests_are_under_way(migrated: Migrate) -> None:
    """With threads and in asyncio; with ``requests_in_flight=1`` one after the other."""
    instance = migrated(Note)
    rows = [(key(number), {"text": str(number)}) for number in range(MANY)]
    for most, wanted in ((8, True), (1, False)):
        calls: list[bt.Call] = []
        with bt.connect(instance, requests_in_flight=most, on_call=calls.append) as db:
            notes = NOTES.NoteRepository(db)
            notes.put_many(note(f"n{number}") for number in range(MANY))
            began = time.monotonic()
            assert notes.update_many(rows) == MANY
            assert (overlap(calls, began) > 1.3) is wanted

    async def main() -> None:
        calls: list[bt.Call] = []
        async with bt.connect_async(instance, on_call=calls.append) as db:
            began = time.monotonic()
            assert await NOTES.AsyncNoteRepository(db).update_many(rows) == MANY
            assert overlap(calls, began) > 1.3

    asyncio.run(main())


def test_edits_of_one_row_are_made_in_their_order(migrated: Migrate) -> None:
    """Of many edits of few rows the last one of each counts, also among edits that go in batches."""
    with bt.connect(migrated(Note)) as db:
        notes = NOTES.NoteRepository(db)
        notes.put_many(note(f"n{number}") for number in range(3))
        edits = []
        for number in range(150):
            edits.append(notes.edit("acme", f"n{number % 3}").set(text=str(number)))
            if number % 10 == 0:
                edits.append(notes.edit("acme", f"n{number % 3}").clear("text").add(likes=1))
        assert notes.apply_many(edits) == 165
        assert [notes.get(*key(number)).text for number in range(3)] == ["147", "148", "149"]
        assert sum(notes.get(*key(number)).likes for number in range(3)) == 15


def test_failures_are_listed_in_their_order(migrated: Migrate) -> None:
    """After 1,000 of them the rest is not tried; what is under way is accounted for."""
    with bt.connect(migrated(Note)) as db:
        notes = NOTES.NoteRepository(db)
        notes.put(note("n7"))
        with pytest.raises(bt.WriteFailed, match="1 row written") as failed:
            notes.update_many((key(number), {"text": "x"}) for number in range(5_000))
        found = [failure.index for failure in failed.value.failures]
        assert found == [number for number in range(len(found) + 1) if number != 7]
        assert 1_000 <= len(found) < 1_010


def test_a_source_that_fails_says_what_is_done(migrated: Migrate) -> None:
    """What is under way is waited for."""

    def source() -> Iterator[tuple[Any, dict[str, str]]]:
        for number in range(20):
            yield key(number), {"text": "x"}
        raise RuntimeError("no more")

    with bt.connect(migrated(Note)) as db:
        notes = NOTES.NoteRepository(db)
        notes.put_many(note(f"n{number}") for number in range(20))
        with pytest.raises(RuntimeError, match="no more") as failed:
            notes.update_many(source())
        assert failed.value.__notes__ == ["table 'notes': 20 edits made before this"]
        assert {notes.get(*key(number)).text for number in range(20)} == {"x"}
