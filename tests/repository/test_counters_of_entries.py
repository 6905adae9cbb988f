"""Counters of entries: a number for each key of a mapping, which the server adds up, against a real server."""

from collections.abc import Callable
from typing import Any

import pytest
from notes import generated

import btmodel as bt
from btmodel.rows import Cell

Open = Callable[..., bt.Database]
pytestmark = pytest.mark.both_servers


class Post(bt.Model, table="posts"):
    """A post of a channel: how often each emoji was given, the votes for each answer, and the slowest view by device."""

    id: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(1))
    r = bt.family("r", gc=bt.keep_all(), aggregate="sum")
    top = bt.family("m", gc=bt.keep_all(), aggregate="max")
    text: str | None = bt.column("t", d, default=None)
    likes: dict[str, int] = bt.counters(r, bt.Text(max_length=20), prefix="l:")
    votes: dict[int, int] = bt.counters(r, bt.PaddedInt(2), prefix="v:")
    views: int | None = bt.counter("n", r)
    slowest: dict[str, int] = bt.counters(top, bt.Text(max_length=20))

    every = bt.query(scan="the tests")


class Titled(bt.Model, table="titled"):
    """A page, which must have a title, and its readers by country."""

    id: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(1))
    r = bt.family("r", gc=bt.keep_all(), aggregate="sum")
    title: str = bt.column("t", d)
    readers: dict[str, int] = bt.counters(r, bt.Text(max_length=2))


POSTS, TITLED = generated(Post), generated(Titled)
KEY = POSTS.PostKey("p")


@pytest.fixture
def posts(database: Open) -> Any:
    """An empty table of posts."""
    return POSTS.PostRepository(database(Post))


def test_each_entry_is_added_to_by_itself(posts: Any) -> None:
    """Each key has a cell of its own at timestamp 0, which begins when it is first added to."""
    posts.add(KEY, likes={"👍": 2, "tea": 1}, votes={7: 3}, views=1)
    posts.add(KEY, likes={"👍": -5}, slowest={"phone": 30})
    posts.edit("p").set(text="hi").add(slowest={"phone": 40, "tv": 9}, likes={"tea": 1}).apply()
    found = posts.get("p")
    assert (found.likes, found.votes, found.views) == ({"👍": -3, "tea": 2}, {7: 3}, 1)
    assert (found.slowest, found.text) == ({"phone": 40, "tv": 9}, "hi")
    cells = [one for _, row in posts._db.cells("posts", b"p") for one in row if one.family == "r"]
    assert cells == [
        Cell("r", b"l:tea", 0, bytes(7) + b"\x02"),
        Cell("r", b"l:\xf0\x9f\x91\x8d", 0, b"\xff" * 7 + b"\xfd"),
        Cell("r", b"n", 0, bytes(7) + b"\x01"),
        Cell("r", b"v:07", 0, bytes(7) + b"\x03"),
    ]


def test_reads_choose_entries(posts: Any) -> None:
    """By their keys, by ranges of these, and by whether they are there; their numbers are not compared."""
    posts.add(KEY, likes={"a": 1, "b": 2, "c": 3}, votes={1: 1})
    posts.add(POSTS.PostKey("q"), likes={"z": 1})
    assert posts.get("p", entries={"likes": ["a", "x"]}).likes == {"a": 1}
    assert [row.likes for row in posts.every().entries("likes", "b")] == [{"b": 2, "c": 3}, {"z": 1}]
    [row] = posts.every().where(likes=bt.contains("a"))
    assert row.id == "p"
    assert [row.id for row in posts.every().where(votes=bt.absent())] == ["q"]
    for condition in (
        {"likes": bt.contains("a", 1)},
        {"likes": bt.contains("a", bt.at_least(1))},
        {"likes": 1},
    ):
        with pytest.raises(bt.QueryRefused, match=r"Post\.likes: expected bt\.present\(\) .* of a counter"):
            posts.every().where(**condition)


def test_entries_are_removed_and_begin_again(posts: Any) -> None:
    """By name, or all of a family at once; an entry that is gone counts from 0."""
    posts.add(KEY, likes={"a": 1, "b": 2}, slowest={"tv": 9}, views=1)
    posts.remove(KEY, likes=["a", "x"])
    posts.clear(KEY, "slowest")
    posts.add(KEY, likes={"a": 5})
    found = posts.get("p")
    assert (found.likes, found.slowest) == ({"a": 5, "b": 2}, {})
    with pytest.raises(bt.QueryRefused, match=r"Post\.likes: it shares its family 'r'"):
        posts.edit("p").clear("likes")


def test_a_row_that_must_have_something_is_not_begun(database: Open) -> None:
    """A row without its title is not added to; a removed one is not, either."""
    pages = TITLED.TitledRepository(database(Titled))
    with pytest.raises(bt.MissingRow):
        pages.add(TITLED.TitledKey("x"), readers={"de": 1})
    pages.put(Titled(id="x", title="Tea"))
    pages.add(TITLED.TitledKey("x"), readers={"de": 1, "fr": 2})
    assert pages.get("x").readers == {"de": 1, "fr": 2}


def test_what_does_not_fit_is_refused_before_anything_is_sent(posts: Any) -> None:
    """Something else than a mapping, keys that the codec refuses, and amounts that are no whole numbers of 64 bits."""
    for likes, said in [
        (5, r"Post\.likes: expected a mapping, such as a dict, got 5"),
        ({"x" * 21: 1}, r"Post\.likes: expected .* got 'x"),
        ({"a": 1.5}, r"Post\.likes\['a'\]: expected a whole number from .* to add, got 1\.5"),
        ({"a": 2**63}, r"Post\.likes\['a'\]: expected a whole number"),
    ]:
        with pytest.raises(bt.ValueRefused, match=said):
            posts.add(KEY, likes=likes)
    with pytest.raises(bt.QueryRefused, match="only columns can be set, and counters are added to"):
        posts._update(KEY, {"likes": {"a": 1}}, None)
    with pytest.raises(bt.ValueRefused, match=r"Post\.likes"):
        Post(id="p", likes={"a": 1})
    assert posts.get("p") is None


def test_rows_with_entries_are_values(posts: Any) -> None:
    """Dicts, JSON, Arrow and copies have the numbers; a row that is put again leaves them as they are."""
    posts.add(KEY, likes={"a": 1}, votes={7: 2})
    row = posts.get("p")
    assert bt.to_dict(row, json=True) == {
        "id": "p",
        "text": None,
        "likes": {"a": 1},
        "votes": {"7": 2},
        "views": None,
        "slowest": {},
    }
    assert bt.from_dict(Post, bt.to_dict(row)) == row
    assert bt.from_dict(Post, bt.to_dict(row, json=True), json=True) == row
    table = posts.every().to_arrow()
    assert table["likes"].to_pylist() == [[("a", 1)]]
    assert table["votes"].to_pylist() == [[(7, 2)]]
    posts.put(bt.replace(row, text="new"))
    assert posts.put_arrow(table.drop_columns(["text"]).append_column("text", [["newer"]])) == 1
    found = posts.get("p")
    assert (found.likes, found.votes, found.text) == ({"a": 1}, {7: 2}, "newer")


class Tally(bt.Model, table="tallies"):
    """What another program counts with ReadModifyWrite: integers of 8 bytes under qualifiers that are data."""

    day: str = bt.key(bt.Text(max_length=10))

    f = bt.family("f", gc=bt.max_versions(1))
    hits: dict[str, int] = bt.mapping(f, bt.Text(max_length=20), prefix="h:")
    codes: dict[int, int] = bt.mapping(f, bt.PaddedInt(3), prefix="c:")
    small: dict[str, int] = bt.mapping(f, bt.Text(max_length=3), codec=bt.DecimalText(), prefix="s:")


class Named(bt.Model, table="named"):
    """The same beside a column that every row has."""

    day: str = bt.key(bt.Text(max_length=10))

    f = bt.family("f", gc=bt.max_versions(1))
    name: str = bt.column("n", f)
    hits: dict[str, int] = bt.mapping(f, bt.Text(max_length=20), prefix="h:")


TALLIES, NAMED = generated(Tally), generated(Named)


def test_the_integer_of_an_entry_is_incremented(database: Open) -> None:
    """By the server, in the cell of this entry alone; an absent one counts as 0, and begins the row."""
    tallies = TALLIES.TallyRepository(database(Tally))
    key = TALLIES.TallyKey("mon")
    assert tallies.increment_entry(key, "hits", "/") == 1
    assert tallies.increment_entry(key, "hits", "/", 41) == 42
    assert tallies.increment_entry(key, "codes", 404, -5) == -5
    tallies.update("mon", hits={"/a": 7})
    assert tallies.increment_entry(key, "hits", "/a") == 8
    cells = [(one.qualifier, one.value) for _, row in tallies._db.cells("tallies", b"mon") for one in row]
    assert dict(reversed(cells)) == {
        b"c:404": b"\xff" * 7 + b"\xfb",
        b"h:/": bytes(7) + b"\x2a",
        b"h:/a": bytes(7) + b"\x08",
    }
    with pytest.raises(
        bt.QueryRefused, match=r"Tally\.small: only mappings of 64-bit .*; expected one of hits, codes"
    ):
        tallies.increment_entry(key, "small", "x")
    with pytest.raises(bt.ValueRefused, match=r"Tally\.codes: expected .* got '404'"):
        tallies.increment_entry(key, "codes", "404")
    with pytest.raises(bt.ValueRefused, match=r"Tally\.hits: expected a whole number"):
        tallies.increment_entry(key, "hits", "/", True)


def test_an_entry_is_incremented_in_a_row_that_is_there(database: Open) -> None:
    """A row that would lack its name is not begun; each writer's amount counts."""
    named = NAMED.NamedRepository(database(Named))
    key = NAMED.NamedKey("mon")
    with pytest.raises(bt.MissingRow):
        named.increment_entry(key, "hits", "/")
    named.put(Named(day="mon", name="Monday"))
    assert [named.increment_entry(key, "hits", "/", 3) for _ in range(3)] == [3, 6, 9]
    assert named.get("mon") == Named(day="mon", name="Monday", hits={"/": 9})
