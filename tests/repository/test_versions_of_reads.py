"""Versions of histories: the newest, those behind an offset, and what held at a time."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from notes import generated

import btmodel as bt
from btmodel.errors import QueryRefused

NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)
HOURS = [NOON + timedelta(hours=one) for one in range(6)]
LATEST = datetime.now(UTC).replace(microsecond=0)
RECENT = [LATEST - timedelta(hours=one) for one in range(6)]


class Page(bt.Model, table="PAGE", allow={"ROW003": "few places"}):
    """A page with the texts that it had, and notes of which the rule keeps a union."""

    url: str = bt.key(bt.Text(max_length=20), cardinality=1_000, mirror="d:URL")
    f = bt.family("f", gc=bt.max_versions(100))
    text: bt.History[str] = bt.history("t", f)
    links: bt.History[int] = bt.history("l", f)
    clicks: bt.History[int] = bt.marks(f, bt.Int(4), prefix="c:")
    d = bt.family("d", gc=bt.max_versions(1))
    title: str = bt.column("title", d)
    u = bt.family("u", gc=bt.max_versions(2) & bt.max_age(hours=3))
    notes: bt.History[str] = bt.history("n", u)

    every = bt.query(scan="the tests")


PAGES = generated(Page)


@pytest.fixture
def pages(bigtable: Any) -> Any:
    """A page of six texts, two links, clicks on two places, and six notes of the last hours."""
    found = PAGES.PageRepository(bigtable(Page))
    found.put(
        Page(
            url="a",
            title="A",
            text=bt.History({at: f"text{one}" for one, at in enumerate(HOURS)}),
            links=bt.History({HOURS[1]: 1, HOURS[3]: 3}),
            clicks=bt.History({HOURS[0]: 7, HOURS[1]: 8, HOURS[2]: 7, HOURS[3]: 8}),
            notes=bt.History({at: f"note{one}" for one, at in enumerate(RECENT)}),
        )
    )
    return found


def test_the_newest_versions_of_each_history(pages: Any) -> None:
    """Of marks, those of each value; other columns come as ever."""
    page = pages.get("a", versions=2)
    assert list(page.text.values()) == ["text5", "text4"]
    assert list(page.links.values()) == [3, 1]
    assert page.clicks == {HOURS[0]: 7, HOURS[1]: 8, HOURS[2]: 7, HOURS[3]: 8}
    assert pages.get("a", versions=1).clicks == {HOURS[2]: 7, HOURS[3]: 8}
    assert page.title == "A"
    [many] = pages.get_many([PAGES.PageKey("a")], only=["text"], versions=1)
    assert many.text == {HOURS[5]: "text5"}
    assert [row.text for row in pages.every().versions(1)] == [{HOURS[5]: "text5"}]


def test_an_offset_goes_on_behind_the_newest_versions(pages: Any) -> None:
    """So histories have pages; a history that ends before is empty."""
    read = pages.every().only("title", "text", "links")
    [first], [second], [third] = (list(read.versions(2, offset=one)) for one in (0, 2, 4))
    texts = [list(row.text.values()) for row in (first, second, third)]
    assert texts == [["text5", "text4"], ["text3", "text2"], ["text1", "text0"]]
    assert (list(first.links.values()), second.links, third.title) == ([3, 1], {}, "A")
    assert [row.text for row in read.only("text").versions(1, offset=9)] == []
    assert read.only("text").versions(1, offset=9).count() == 0


def test_what_held_at_a_time(pages: Any) -> None:
    """Versions are counted among those between the times."""
    page = pages.get("a", times=(None, HOURS[2]), versions=1)
    assert (page.text, page.links) == ({HOURS[1]: "text1"}, {HOURS[1]: 1})
    [row] = pages.every().only("text").times(HOURS[1], HOURS[5]).versions(2, offset=1)
    assert list(row.text.values()) == ["text3", "text2"]


def test_what_a_rule_does_not_keep_is_not_counted(pages: Any) -> None:
    """A rule of two branches keeps the newest versions of the longer one, which are counted once."""
    kept = pages.get("a").notes
    assert list(kept.values()) in (["note0", "note1", "note2"], ["note0", "note1"])
    assert list(pages.get("a", versions=1).notes.values()) == ["note0"]
    [row] = pages.every().only("notes").versions(9, offset=1)
    assert list(row.notes.values()) == list(kept.values())[1:]


def test_wrong_numbers_are_refused(pages: Any) -> None:
    """And an offset into marks, whose values are columns of their own."""
    read = pages.every()
    with pytest.raises(QueryRefused, match=r"Page: versions: expected a number of versions from 1 on, got 0"):
        read.versions(0)
    with pytest.raises(
        QueryRefused, match=r"Page: versions: expected an offset of 0 or more versions, got -1"
    ):
        read.versions(1, offset=-1)
    with pytest.raises(
        QueryRefused, match=r"an offset counts the versions of one column, and 'clicks' is many"
    ):
        read.versions(1, offset=1)
    assert not hasattr(generated(Plain).PlainRows, "versions")


class Plain(bt.Model, table="PLAIN"):
    """Nothing with versions."""

    name: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    size: int = bt.column("s", f)


def test_the_newest_version_of_a_history_is_compared(pages: Any) -> None:
    """By its value or its time, as far as the rule of its family keeps it; a plain value says nothing of many."""
    every = pages.every()
    for condition, holds in [
        ({"links": bt.one_of(3)}, True),
        ({"links": bt.one_of(1)}, False),  # an older version
        ({"links": bt.at_least(2)}, True),
        ({"links": bt.less_than(2)}, False),
        ({"text": bt.between("text5", "text6")}, True),
        ({"notes": bt.newer_than(timedelta(hours=2))}, True),
        ({"links": bt.older_than(HOURS[3])}, False),
        ({"links": bt.older_than(HOURS[4]), "text": bt.newer_than(HOURS[4])}, True),
    ]:
        assert every.where(**condition).count() == holds, condition
        assert pages.edit("a").set(title="B").apply(when=pages.when(**condition)) is holds
    with pytest.raises(
        QueryRefused, match=r"Page\.links: .* of its newest version, bt\.one_of\(\.\.\.\).* got 3"
    ):
        every.where(links=3)
    with pytest.raises(QueryRefused, match=r"Page\.clicks: expected a column of one value to compare"):
        every.where(clicks=bt.at_least(3))
