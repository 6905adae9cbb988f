"""Reads of single rows and of many keys that are narrowed: columns, times, and just some entries."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from notes import generated

import btmodel as bt
from btmodel.errors import QueryRefused, ValueRefused

NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


class Profile(bt.Model, table="PROFILE"):
    """A person's page, of which all versions are kept."""

    name: str = bt.key(bt.Text(max_length=20), cardinality=1_000)
    at: datetime = bt.timestamp()

    f = bt.family("f", gc=bt.keep_all())
    title: str = bt.column("t", f)
    city: str | None = bt.column("c", f, default=None)
    g = bt.family("g", gc=bt.keep_all())
    friends: dict[str, str] = bt.mapping(g, bt.Text(max_length=20), prefix="f:")
    rooms: dict[int, int] = bt.mapping(g, bt.Int(4), prefix="r:")
    tags: set[str] = bt.members(g, bt.Text(max_length=20), prefix="t:")

    every = bt.query(scan="the tests")


PROFILES = generated(Profile)


def profile(name: str, hour: int, **values: Any) -> Profile:
    """A page of that hour."""
    given = {"title": f"{name}{hour}", "friends": {}, "rooms": {}, "tags": set(), **values}
    return Profile(name=name, at=NOON + hour * HOUR, **given)


@pytest.fixture
def profiles(bigtable: Any) -> Any:
    """Two people; one has changed their page twice."""
    found = PROFILES.ProfileRepository(bigtable(Profile))
    found.put(
        profile("ann", 0, city="Rome", friends={"bob": "club", "cy": "work", "eve": "club"}, tags={"a", "b"})
    )
    found.put(profile("ann", 1, friends={"bob": "work"}, rooms={7: 1, 8: 2}))
    found.put(profile("ann", 2, city="Bern"))
    found.put(profile("bob", 1))
    return found


def test_a_row_is_read_as_it_was_at_a_time(profiles: Any) -> None:
    """Between two times, each column has the newest value that lies there; where nothing does, there is no row."""
    was = profiles.get("ann", times=(None, NOON + HOUR))
    assert (was.title, was.city, was.friends["bob"], was.rooms) == ("ann0", "Rome", "club", {})
    then = profiles.get("ann", times=(NOON + HOUR, NOON + 2 * HOUR))
    assert (then.title, then.city, then.friends, then.rooms) == ("ann1", None, {"bob": "work"}, {7: 1, 8: 2})
    assert profiles.get("ann", times=(None, NOON)) is None
    assert profiles.get("ann", times=(NOON, NOON)) is None
    assert profiles.get("ann", times=(None, None)) == profiles.get("ann")
    early = profiles.get_many(
        [PROFILES.ProfileKey("bob"), PROFILES.ProfileKey("ann")], times=(None, NOON + HOUR)
    )
    assert early == [None, was]
    assert profiles.exists("ann", times=(None, NOON + HOUR))
    assert not profiles.exists("bob", times=(None, NOON + HOUR))


def test_some_columns_of_many_keys(profiles: Any) -> None:
    """The others are not read; a row that has none of them is None, and does not exist as far as they go."""
    ann, bob = map(PROFILES.ProfileKey, ("ann", "bob"))
    found = profiles.get_many([bob, ann, bob], only=["city"])
    assert (found[0], found[1].city, found[2]) == (None, "Bern", None)
    with pytest.raises(AttributeError, match="was not read"):
        _ = found[1].title
    assert [row and row.title for row in profiles.get_many([ann, bob], only=["title"])] == ["ann2", "bob1"]
    assert profiles.exists("ann", only=["city"])
    assert not profiles.exists("bob", only=["city", "tags"])


def test_just_some_entries_are_read(profiles: Any) -> None:
    """Of each mapping and set that is named only these, beside the other columns, or those that ``only`` names."""
    whole = profiles.get("ann")
    some = profiles.get("ann", entries={"friends": ["eve", "zoe", "bob"], "rooms": [8], "tags": {"b"}})
    assert (some.friends, some.rooms, some.tags) == ({"bob": "work", "eve": "club"}, {8: 2}, {"b"})
    assert (some.title, some.city) == (whole.title, whole.city)
    one = profiles.get("ann", entries={"tags": ["b"]})
    assert (one.friends, one.rooms, one.tags) == (whole.friends, whole.rooms, {"b"})
    both = profiles.get("ann", only=["city"], entries={"friends": ["cy"]})
    assert (both.city, both.friends) == ("Bern", {"cy": "work"})
    with pytest.raises(AttributeError, match="was not read"):
        _ = both.title
    assert profiles.exists("ann", entries={"tags": ["a"]})
    assert not profiles.exists("ann", entries={"tags": ["c"]})
    assert not profiles.exists("ann", entries={"tags": []})
    then = profiles.get("ann", entries={"friends": ["bob"]}, times=(None, NOON + HOUR))
    assert (then.title, then.friends, then.tags) == ("ann0", {"bob": "club"}, {"a", "b"})
    [many] = profiles.get_many([PROFILES.ProfileKey("ann")], entries={"rooms": [7]})
    assert (many.city, many.rooms) == ("Bern", {7: 1})


@pytest.mark.parametrize("absent", [["zoe"], []])
def test_a_row_without_the_entries_is_there(profiles: Any, absent: list[str]) -> None:
    """It has an empty mapping beside its other columns; where only the entries are read, the server sends nothing of it."""
    key = PROFILES.ProfileKey("ann")
    for found in (
        profiles.get("ann", entries={"friends": absent}),
        *profiles.get_many([key], entries={"friends": absent}),
        *(row for row in profiles.every().entries({"friends": absent}) if row.name == "ann"),
    ):
        assert (found.title, found.city, found.friends, found.rooms) == ("ann2", "Bern", {}, {7: 1, 8: 2})
    assert profiles.get("ann", only=["title"], entries={"friends": absent}).friends == {}
    assert profiles.get("ann", only=["friends"], entries={"friends": absent}) is None
    assert profiles.get_many([key], only=["friends"], entries={"friends": absent}) == [None]
    assert profiles.get("nobody", entries={"friends": absent}) is None
    assert [row.name for row in profiles.every().entries({"friends": absent}).keys()] == ["ann", "bob"]


def test_entries_of_lazy_reads(bigtable: Any) -> None:
    """As of single rows: a read takes the same names, beside ranges of those that sort; the last word on a column holds."""
    people = generated(Person).PersonRepository(bigtable(Person))
    people.put(Person(name="ann", friends={"a": 1, "b": 2, "c": 3}))
    people.put(Person(name="bob", friends={"c": 4}))
    read = people.all_people()
    assert [row.friends for row in read.entries({"friends": ["a", "c"]})] == [{"a": 1, "c": 3}, {"c": 4}]
    assert [row.friends for row in read.entries({"friends": ["a"]}).entries("friends", "b", None)] == [
        {"b": 2, "c": 3},
        {"c": 4},
    ]
    assert [row.friends for row in read.entries("friends", "b", None).entries({"friends": ["b"]})] == [
        {"b": 2}
    ]
    assert list(read.entries({"friends": []})) == []


class Person(bt.Model, table="PERSON"):
    """A person with friends alone."""

    name: str = bt.key(bt.Text(max_length=20), cardinality=1_000)

    f = bt.family("f", gc=bt.max_versions(1))
    friends: dict[str, int] = bt.mapping(f, bt.Text(max_length=20))

    all_people = bt.query(scan="the tests")


@pytest.mark.parametrize(
    "narrowed",
    [
        lambda read: read.entries({"friends": ["bob"]}),
        lambda read: read.entries("friends", "b", "c"),
        lambda read: read.only("friends", "title").entries({"friends": ["bob"]}),
        lambda read: read.entries({"friends": ["bob"]}).where(title="ann2"),
        lambda read: read.entries({"friends": ["bob"]}).parallel(2),
    ],
)
def test_entries_beside_other_columns_delete_no_rows(profiles: Any, narrowed: Any) -> None:
    """They leave out cells of rows, and choose none: such a read gives all rows, and none is deleted."""
    read = narrowed(profiles.every())
    assert "ann" in [row.name for row in read]
    with pytest.raises(
        QueryRefused,
        match=r"Profile: delete: expected a read that chooses rows, got one whose entries of friends leave out .*where\(friends=bt.contains",
    ):
        read.delete()
    assert [row.name for row in profiles.every()] == ["ann", "bob"]


ENTRIES_OF_PERSONS = [
    lambda read: read.entries({"friends": ["a"]}),
    lambda read: read.entries("friends", "a", "b"),
    lambda read: read.entries({"friends": ["a"]}).limit(1),
    lambda read: read.entries({"friends": ["a"]}).parallel(2),
]


@pytest.mark.parametrize("narrowed", ENTRIES_OF_PERSONS)
def test_entries_of_the_only_column_delete_no_rows(bigtable: Any, narrowed: Any) -> None:
    """Whoever names an entry of a model without other columns means the entry: its other entries would go with it, too."""
    instance = bigtable(Person)
    people = generated(Person).PersonRepository(instance)
    people.put(Person(name="ann", friends={"a": 1, "b": 2}))
    with pytest.raises(QueryRefused, match=r"Person: delete: expected .* by only\('friends'\)"):
        narrowed(people.all_people()).delete()

    async def refused() -> None:
        async with bt.connect_async(bigtable.path(Person)) as db:
            found = generated(Person).AsyncPersonRepository(db)
            await found.put(Person(name="ann", friends={"a": 1, "b": 2}))
            with pytest.raises(QueryRefused, match=r"by only\('friends'\)"):
                await narrowed(found.all_people()).delete()
            assert await found.get("ann") == Person(name="ann", friends={"a": 1, "b": 2})

    asyncio.run(refused())
    assert people.get("ann") == Person(name="ann", friends={"a": 1, "b": 2})
    assert narrowed(people.all_people().only("friends")).delete() == 1
    assert people.get("ann") is None


class Log(bt.Model, table="LOG"):
    """What a probe has measured, and where it is."""

    name: str = bt.key(bt.Text(max_length=20), cardinality=1_000)

    f = bt.family("f", gc=bt.max_versions(9))
    place: str = bt.column("p", f)
    heat: bt.History[int] = bt.history("h", f)

    all_logs = bt.query(scan="the tests")


def test_versions_delete_no_rows(bigtable: Any) -> None:
    """They leave out older versions and choose no rows, unless the history alone is read."""
    logs = generated(Log).LogRepository(bigtable(Log))
    logs.put(Log(name="one", place="roof", heat=bt.History({NOON: 1})))
    logs.put(Log(name="two", place="roof", heat=bt.History({NOON: 1, NOON + HOUR: 2})))
    with pytest.raises(QueryRefused, match=r"Log: delete: .* versions leave out other versions"):
        logs.all_logs().versions(1).delete()
    assert len(list(logs.all_logs())) == 2
    assert logs.all_logs().only("heat").versions(1, offset=1).delete() == 1
    assert [row.name for row in logs.all_logs()] == ["one"]


@pytest.mark.parametrize(
    "narrowed",
    [
        lambda read: read.only("friends").entries({"friends": ["bob"]}),
        lambda read: read.only("friends").entries("friends", "b", "c"),
        lambda read: read.where(friends=bt.contains("bob")),
    ],
)
def test_rows_that_have_an_entry_are_deleted(profiles: Any, narrowed: Any) -> None:
    """Where nothing is read beside it, and where a condition asks for it, the entry chooses the rows."""
    assert narrowed(profiles.every()).delete() == 1
    assert [row.name for row in profiles.every()] == ["bob"]


def test_wrong_names_and_times_are_refused(profiles: Any) -> None:
    """With what is near, before anything is asked."""
    for read in (profiles.get, profiles.exists):
        with pytest.raises(
            QueryRefused,
            match=r"entries: expected mappings and sets \(friends, rooms, tags\), got 'freinds' \(did you mean friends",
        ):
            read("ann", entries={"freinds": ["a"]})
        with pytest.raises(
            QueryRefused, match=r"Profile\.friends: entries: expected names of entries in a list, got 'bob'"
        ):
            read("ann", entries={"friends": "bob"})
        with pytest.raises(ValueRefused, match=r"Profile\.rooms: expected .*, got 'x'"):
            read("ann", entries={"rooms": ["x"]})
        with pytest.raises(
            QueryRefused, match=r"Profile: times: expected a pair \(start, end\), got datetime"
        ):
            read("ann", times=NOON)
        with pytest.raises(QueryRefused, match=r"Profile: times: expected a start that is not after the end"):
            read("ann", times=(NOON, NOON - HOUR))
        with pytest.raises(QueryRefused, match=r"unknown: titel \(did you mean title"):
            read("ann", only=["titel"])


def test_async_repositories_narrow_alike(bigtable: Any) -> None:
    """The same arguments, awaited."""

    async def main() -> None:
        async with bt.connect_async(bigtable.path(Profile)) as db:
            profiles = PROFILES.AsyncProfileRepository(db)
            await profiles.put(profile("ann", 0, city="Rome", tags={"a", "b"}))
            assert (await profiles.get("ann", entries={"tags": ["a"]})).tags == {"a"}
            assert await profiles.get("ann", times=(None, NOON)) is None
            assert not await profiles.exists("ann", entries={"tags": ["c"]})
            [found] = await profiles.get_many([PROFILES.ProfileKey("ann")], only=["city"])
            assert found.city == "Rome"

    asyncio.run(main())
