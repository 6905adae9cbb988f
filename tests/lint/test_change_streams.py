"""The rule on change streams that are kept for less time than their readers let pass."""

from datetime import timedelta

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from tests.lint.parts import found


class Shelf(bt.Model, table=bt.table("shelf", change_stream="2d"), events="20/s"):
    """A row that changes."""

    store: str = bt.key(bt.Text(width=6), cardinality=4_000)
    shelf: str = bt.key(bt.Text(width=6), cardinality=3_000_000)

    s = bt.family("s", gc=bt.max_versions(1))
    pieces: int = bt.column("pieces", s)

    one = bt.query("store", "shelf")


@pytest.mark.parametrize(
    ("doc", "pause"),
    [
        ("What lies on a shelf. A weekly job reads the change stream.", "7 days"),
        ("What lies on a shelf. A quarterly run follows the changes.", "92 days"),
        ("What lies on a shelf. A job follows the changes half-yearly.", "183 days"),
        ("A shelf. An hourly job reads the changes.", None),
        ("What lies on a shelf. Every Monday the planners' job processes the changes.", "7 days"),
        ("A shelf. The export follows the changes. It runs at the end of each month.", "31 days"),
        ("A shelf. The audit reads all changes once a month and files them.", "31 days"),
        ("A shelf. The changes are copied to the warehouse every 3 days.", "3 days"),
        ("A shelf. A job reads the changes of the week on Saturday.", "7 days"),
        ("A shelf. A job follows the changes every night.", None),
        ("A shelf. A daily job reads the change stream.", None),
        ("A shelf. A steady reader follows the changes all day; the weekly report reads the table.", None),
        ("A shelf changes once a month. A program follows the changes.", None),
        ("A shelf has 40 changes a week. The stream is read within seconds.", None),
        ("A shelf. Every Monday the planners read the table.", None),
        ("", None),
    ],
)
def test_readers_come_before_changes_are_gone(doc: str, pause: str | None) -> None:
    """What is read more rarely than changes are kept is lost; the longest retention is not enough for a month."""
    reported = found(evolve(bt.schema_of(Shelf), doc=doc), "TAB011")
    assert [pause in one.message for one in reported if pause] == ([True] if pause else [])
    assert all(one.level is Level.WARNING and 'change_stream="7d"' in one.fix for one in reported)
    assert bool(reported) is (pause is not None)
    assert all(bool(one.models) is (pause not in ("31 days", "92 days", "183 days")) for one in reported)


@pytest.mark.parametrize("days", [None, 0, 7])
def test_a_table_without_a_stream_or_with_the_longest_is_fine(days: int | None) -> None:
    """Without a stream nothing is lost, and a week is as long as the service keeps changes."""
    kept = None if days is None else timedelta(days=days)
    model = evolve(bt.schema_of(Shelf), doc="A weekly job reads the change stream.")
    assert found(evolve(model, settings=evolve(model.settings, change_stream=kept)), "TAB011") == []
