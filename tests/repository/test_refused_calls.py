"""Calls that are refused before anything is sent, each with what was expected instead."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from notes import Note, generated

import btmodel as bt

Open = Callable[..., bt.Database]
EARLY, LATE = datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)


@pytest.fixture
def notes(database: Open) -> Any:
    """A table of some notes."""
    found = generated(Note).NoteRepository(database(Note))
    rows = [Note(tenant=tenant, name="a", title=tenant, tags=set(), scores={}) for tenant in ("a", "b", "c")]
    found.put_many(rows)
    return found


def test_an_invalid_expression_is_refused_where_it_is_given(notes: Any) -> None:
    """What RE2 does not take never reaches the server; what RE2 alone takes does, and so does what is not UTF-8."""
    read = notes.of_tenant("a")
    for wrong, why in {
        "a(": "missing )",
        "a)": "unexpected )",
        "[a": "missing ]",
        "(?=a)": "invalid perl operator",
        "*": "no argument",
    }.items():
        with pytest.raises(
            bt.QueryRefused, match=r"Note: matching: expected a regular expression of RE2, got "
        ) as refused:
            read.matching(wrong)
        assert why in str(refused.value)
    for right in (r"a#\C", rb"a#[^\xff]", r"\pL#a\z", "a[[:punct:]]a"):
        assert [one.title for one in read.matching(right)] == ["a"], right


def test_values_of_one_field_are_given_in_any_collection(notes: Any) -> None:
    """A list, a tuple and a set of values ask for the rows of each."""
    for several in (["c", "a"], ("c", "a"), {"c", "a"}, frozenset(("c", "a"))):
        assert [one.title for one in notes.of_tenant(several)] == ["a", "c"]


def test_what_cannot_be_gone_over_is_refused(notes: Any) -> None:
    """Many rows or keys are an iterable; anything else says so."""
    for wrong in (None, 5):
        for call in (notes.put_many, notes.replace_many, notes.delete_many, notes.get_many):
            with pytest.raises(
                TypeError, match=f"expected an iterable of Note(Key)?, as a list, got {wrong}"
            ):
                call(wrong)


def test_ends_that_are_swapped_speak_of_backwards_for_rows_alone(notes: Any) -> None:
    """The times of cells have no order of rows to turn round."""
    for call in (
        lambda: notes.of_tenant("a").times(LATE, EARLY),
        lambda: notes.edit("a", "a").clear("text", start=LATE, end=EARLY),
    ):
        with pytest.raises(bt.QueryRefused, match=r"write the lower one first$"):
            call()


def test_a_row_that_was_read_in_part_says_what_to_do(notes: Any) -> None:
    """Written again, it is refused with the way out."""
    [row] = notes.of_tenant("a").only("title")
    with pytest.raises(
        bt.ValueRefused,
        match=r"this row was read without it, so it cannot be written as a whole: read it whole, or use update",
    ):
        notes.put(row)


def test_whether_to_begin_a_row_is_said_with_a_bool(notes: Any) -> None:
    """A word is refused, by every way that edits: "no" would begin it."""
    edit = notes.edit("a", "a").set(title="z")
    for call in (
        lambda: notes.update("a", "a", title="z", begin="no"),
        lambda: edit.apply(begin="no"),
        lambda: notes.apply_many([edit], begin=0),
        lambda: notes.update_many([], begin=0),
    ):
        with pytest.raises(bt.ValueRefused, match=r"Note: begin: expected True, False or None, got ('no'|0)"):
            call()
    with pytest.raises(bt.QueryRefused, match=r"expected when= without begin=False"):
        edit.apply(when=notes.when(bt.present()), begin="no")


def test_one_edit_is_not_many(notes: Any) -> None:
    """As one row is not, where many are put."""
    with pytest.raises(
        TypeError,
        match=r"NoteRepository\.apply_many: expected an iterable of Edit, .*write `edit\.apply\(\)`",
    ):
        notes.apply_many(notes.edit("a", "a").set(title="z"))


def test_raw_rows_are_asked_for_by_bytes(database: Open) -> None:
    """Text has no bytes of its own, and None is no beginning."""
    for wrong in ("a#", None, 5):
        with pytest.raises(bt.QueryRefused, match=r"cells: expected the beginning of row keys as bytes"):
            database(Note).cells("notes", wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda notes: notes.when(title=bt.present("m")), r"Note\.title: expected bt\.present\(\) or bt\.absent\(\) of the column, without a family, got bt\.present\('m'\)"),
        (lambda notes: notes.when(scores=bt.contains("a", bt.present("m"))), r"Note\.scores: .*expected a value"),
        (lambda notes: notes.of_tenant("a").limit(None), r"limit: expected a number of rows from 1 on, got None"),
        (lambda notes: notes.get("a", "a", entries={}), r"Note: entries: expected columns by name, each with its entries in a list, got \{\}"),
        (lambda notes: notes.remove(notes.key("a", "a"), scores={"a": 1}), r"Note\.scores: expected several entries, as a list, got \{'a': 1\}"),
        (lambda notes: notes.update("a", "a"), r"Note: update: expected something to update, got nothing"),
    ],
)  # fmt: skip
def test_what_would_be_ignored_is_refused(notes: Any, call: Callable[[Any], object], told: str) -> None:
    """What nobody can have meant is told, and not taken for something else."""
    with pytest.raises((bt.QueryRefused, bt.ValueRefused), match=told):
        call(notes)
