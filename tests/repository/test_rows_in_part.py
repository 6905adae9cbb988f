"""Rows that were read in part are not written or deleted as whole ones, against a real server."""

import pickle
from collections.abc import Callable
from copy import copy
from typing import Any

import pytest
from notes import generated
from test_entries_with_times import Shelf, day, shelf
from test_twins_of_rows import ARTICLE, TAGGED, Article, ByTag

import btmodel as bt
from btmodel.errors import QueryRefused, TwinsFailed, WriteFailed
from btmodel.repository import OwnedTwinRepository

Open = Callable[..., bt.Database]
SHELVES = generated(Shelf)
PARTS: dict[str, dict[str, Any]] = {
    "entries": {"entries": {"prices": ["tea"]}},
    "versions": {"versions": 1},
    "times": {"times": (None, day(2))},
}


@pytest.fixture
def shelves(database: Open) -> Any:
    """A table with one shelf."""
    found = SHELVES.ShelfRepository(database(Shelf))
    found.put(shelf())
    return found


SAID = r"Shelf: replace: expected a whole row, and b'a' was read with some of its entries, versions or times alone"


def refused(write: Callable[[], object], error: type[Exception] = QueryRefused) -> None:
    with pytest.raises(error, match=SAID):
        write()


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize(
    "changed",
    [
        lambda row: row,
        copy,
        lambda row: bt.replace(row, notes={}),
        lambda row: pickle.loads(pickle.dumps(row)),
    ],
)
def test_what_was_not_read_is_not_deleted(
    shelves: Any, part: dict[str, Any], changed: Callable[[Shelf], Shelf]
) -> None:
    """Neither of a row itself nor of copies of it, alone or among many; a put adds to what is there."""
    row = changed(shelves.get("a", **part))
    refused(lambda: shelves.replace(row))
    refused(lambda: shelves.replace_many([shelf(), row]), WriteFailed)
    assert shelves.get("a") == shelf()
    shelves.put(row)
    assert shelves.get("a") == shelf()


def test_all_ways_to_read_in_part_are_known(shelves: Any) -> None:
    """Lazy reads, reads of many keys, stored rows; each row of them says so, and equals one that was made."""
    read = shelves.every()
    [many] = shelves.get_many([SHELVES.ShelfKey("a")], versions=1)
    rows = [
        *read.entries("prices", "t"),
        *read.entries({"prices": ["tea"]}),
        *read.versions(1),
        *read.times(day(0), day(2)),
        many,
    ]
    rows += [one.row for one in read.versions(1).stored()]
    for row in rows:
        refused(lambda row=row: shelves.replace(row))
    made = Shelf(id="a", prices={"tea": {day(2): 7}, "jam": {day(1): 3}}, stock={"tea": bt.Timed(12, day(3))})
    assert many == made


def test_whole_rows_are_replaced(shelves: Any) -> None:
    """Those that were read whole, and those that are made anew of what was read in part."""
    for row in (shelves.get("a"), *shelves.every(), *shelves.every().where(prices=bt.contains("tea"))):
        shelves.replace(row)
    assert shelves.get("a") == shelf()
    part = shelves.get("a", entries={"prices": ["tea"]})
    shelves.replace(Shelf(**bt.to_dict(part)))
    assert shelves.get("a").prices.keys() == {"tea"}


def test_twins_of_a_row_in_part_are_not_known(database: Open) -> None:
    """They follow from the entries of the row, of which some were not read."""
    db = database(Article, ByTag)
    tagged = OwnedTwinRepository(db, TAGGED)
    tagged.put(ARTICLE)
    row = generated(Article).ArticleRepository(db).get("one", entries={"tags": [min(ARTICLE.tags)]})
    for name, write in (("replace", tagged.replace), ("delete", tagged.delete)):
        with pytest.raises(QueryRefused, match=f"Article: {name}: expected a whole row"):
            write(row)
    with pytest.raises(TwinsFailed, match="Article: delete: expected a whole row"):
        tagged.delete_many([row])
    assert len([*db.cells("by_tag")]) == len(ARTICLE.tags)
