"""Twins that have no row of some rows, against a real server."""

import asyncio
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from btmodel_codegen import generate

import btmodel as bt
from btmodel.repository import (
    AsyncOwnedTwinRepository,
    AsyncTwinRepository,
    OwnedTwinRepository,
    TwinRepository,
)
from btmodel.schema import TwinsSchema

Open = Callable[..., bt.Database]


class Person(bt.Model, table="person"):
    """A person, by number."""

    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    email: str | None = bt.column("email", d, default=None)
    name: str = bt.column("name", d)


class ByEmail(bt.Model, table="by_email"):
    """The people who have an address, by it."""

    email: str = bt.key(bt.Text(max_length=10), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    number: int = bt.column("number", d)


class ByName(bt.Model, table="by_name"):
    """People by name."""

    name: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000, mirror="d:number")

    d = bt.family("d", gc=bt.max_versions(1))


def by_email(person: Person) -> ByEmail | None:
    return None if person.email is None else ByEmail(email=person.email, number=person.number)


PEOPLE = bt.twins(Person, (ByEmail, by_email), ByName)
ROWS = [
    Person(number=1, name="Jo", email="jo@x.org"),
    Person(number=2, name="Sam"),
    Person(number=3, name="Corrie", email="corrie@x.org"),
    Person(number=4, name="Eriko", email="e@x.org"),
]


def keys(db: bt.Database, table: str) -> list[bytes]:
    return [key for key, _ in db.cells(table)]


def test_a_twin_without_a_row_is_left_out(database: Open) -> None:
    """A row whose twin function gives None is written to the other tables, before and behind that twin's."""
    db = database(Person, ByEmail, ByName)
    people = TwinRepository(db, PEOPLE)
    people.put(ROWS[1])
    people.put(ROWS[0])
    assert keys(db, "person") == [b"000001", b"000002"]
    assert keys(db, "by_email") == [b"jo@x.org"]
    assert keys(db, "by_name") == [b"Jo#000001", b"Sam#000002"]


def test_failures_name_the_rows_that_were_given(database: Open) -> None:
    """Rows without a twin do not shift the indexes of those that fail, and are in the tables that are there."""
    db = database(Person, ByName)
    with pytest.raises(bt.TwinsFailed) as failed:
        TwinRepository(db, PEOPLE).put_many(ROWS)
    person, email, name = failed.value.tables
    # The address of row 2 is too long for its key, so it is in no table.
    assert [(one.index, one.key) for one in person.failures] == [(2, None)]
    assert [(one.index, one.key) for one in email.failures] == [
        (2, None),
        (0, b"jo@x.org"),
        (3, b"e@x.org"),
    ]
    assert [(one.index, one.key) for one in name.failures] == [
        (2, None),
        (0, b"Jo#000001"),
        (3, b"Eriko#000004"),
    ]
    assert (person.written, email.written, name.written) == (3, 0, 1)
    assert keys(db, "person") == [b"000001", b"000002", b"000004"]
    assert keys(db, "by_name") == [b"Sam#000002"]


def test_a_row_that_fails_before_a_twin_without_one_is_told_once(database: Open) -> None:
    """Where the first table is missing, a row without a twin is not among that twin's failures."""
    db = database(ByEmail, ByName)
    with pytest.raises(bt.TwinsFailed) as failed:
        TwinRepository(db, PEOPLE).put_many(ROWS[:2])
    person, email, name = failed.value.tables
    assert [one.index for one in person.failures] == [0, 1]
    assert [one.index for one in email.failures] == [0]
    assert [one.index for one in name.failures] == [0, 1]


def test_a_function_that_gives_another_model_is_refused(database: Open) -> None:
    """A row of a model that is not the twin's is refused before anything is sent."""
    db = database(Person, ByEmail)
    wrong: Any = lambda person: person  # noqa: E731
    with pytest.raises(bt.ValueRefused, match="twin of Person: expected an instance of ByEmail, or None"):
        TwinRepository(db, bt.twins(Person, (ByEmail, wrong))).put(ROWS[0])
    assert keys(db, "person") == []


def test_the_asynchronous_twin_does_the_same(migrated: Callable[..., str]) -> None:
    """With await, a row without a twin is left out of that twin's table, too."""

    async def main() -> list[list[bytes]]:
        async with bt.connect_async(migrated(Person, ByEmail, ByName)) as db:
            assert await AsyncTwinRepository(db, PEOPLE).put_many(ROWS[:2]) == 2
            return [[key async for key, _ in db.cells(table)] for table in ("person", "by_email", "by_name")]

    assert asyncio.run(main()) == [[b"000001", b"000002"], [b"jo@x.org"], [b"Jo#000001", b"Sam#000002"]]


class OfDay(bt.Model, table="people_{day}"):
    """The people of one day."""

    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    name: str = bt.column("name", d)


def test_the_parameters_of_twins_complete_their_tables(database: Open) -> None:
    """A twin whose table is named at run time is written to the one that is named; a wrong name is refused."""
    db = database(Person)
    bt.create_tables(db, OfDay, day="20200101")
    people = TwinRepository(db, bt.twins(Person, OfDay), day="20200101")
    assert people.put_many([Person(number=1, name="Ann")]) == 1
    (row,) = list(db.cells("people_20200101"))
    assert (row[0], row[1][0].value) == (b"000001", b"Ann")
    with pytest.raises(bt.QueryRefused, match="no model has the parameter 'year'"):
        TwinRepository(db, bt.twins(Person, OfDay), day="20200101", year="2020")
    with pytest.raises(bt.QueryRefused, match="OfDay: expected the parameters day, got none"):
        TwinRepository(db, bt.twins(Person, OfDay))


class Article(bt.Model, table="article"):
    """An article and its tags."""

    id: str = bt.key(bt.Text(max_length=5))

    d = bt.family("d", gc=bt.max_versions(1))
    t = bt.family("t", gc=bt.max_versions(1))
    title: str = bt.column("title", d)
    tags: set[str] = bt.members(t, bt.Text(max_length=5))


class ByTag(bt.Model, table="by_tag"):
    """The articles of a tag."""

    tag: str = bt.key(bt.Text(max_length=5), cardinality=1_000)
    id: str = bt.key(bt.Text(max_length=5))

    d = bt.family("d", gc=bt.max_versions(1))
    title: str = bt.column("title", d)


def by_tags(article: Article) -> list[ByTag]:
    return [ByTag(tag=tag, id=article.id, title=article.title) for tag in sorted(article.tags)]


TAGGED = bt.twins(Article, (ByTag, by_tags), owned=True)
TAGGED_FIRST = bt.twins(Article, (ByTag, by_tags), source_last=True, owned=True)
ARTICLE = Article(id="one", title="One", tags={"a", "b"})
OTHER = Article(id="two", title="Two", tags=set())


def generated_twins(declared: bt.Twins[Any], name: str) -> Any:
    """The classes that are generated for twins of this module."""
    schema = TwinsSchema(
        name,
        __name__,
        bt.schema_of(declared.source),
        tuple(one.schema for one in declared.others),
        declared.source_last,
        declared.owned,
    )
    [text] = [
        text
        for file, text in generate([], ["repository"], twins=[schema]).items()
        if file.endswith("_twins.py")
    ]
    module = ModuleType(name)
    exec(compile(text, name, "exec"), vars(module))
    return module


@pytest.mark.both_servers
def test_one_row_may_have_several_twins_of_one_model(database: Open) -> None:
    """A function that gives a list has each of its rows written, and deleted with the row, by it or by its key alone."""
    db = database(Article, ByTag)
    tagged = generated_twins(TAGGED, "TAGGED").TaggedTwins(db)
    assert tagged.put_many([ARTICLE, OTHER]) == 2
    assert keys(db, "article") == [b"one", b"two"]
    assert keys(db, "by_tag") == [b"a#one", b"b#one"]
    assert TAGGED.rows(ARTICLE) == (ARTICLE, *by_tags(ARTICLE))
    tagged.delete(ARTICLE)
    assert (keys(db, "article"), keys(db, "by_tag")) == ([b"two"], [])
    tagged.put(ARTICLE)
    assert tagged.delete_key("one") is True
    assert tagged.delete_key("one") is False
    assert tagged.delete_key(id="two") is True
    assert (keys(db, "article"), keys(db, "by_tag")) == ([], [])


@pytest.mark.parametrize(
    ("declared", "name"), [(TAGGED, "TAGGED"), (TAGGED_FIRST, "TAGGED_FIRST")], ids=["first", "last"]
)
def test_a_replaced_row_leaves_no_twin_that_it_no_longer_has(
    database: Open, declared: bt.Twins[Article], name: str
) -> None:
    """The twins of the stored row go, rows are written whole, and those of other rows stay; a new row is just written."""
    db = database(Article, ByTag)
    module = vars(generated_twins(declared, name))
    twins = next(one for name, one in module.items() if name.startswith("Tagged"))(db)
    twins.put_many([ARTICLE, Article(id="two", title="Two", tags={"a"})])
    twins.replace(Article(id="one", title="New", tags={"b", "c"}))
    assert keys(db, "by_tag") == [b"a#two", b"b#one", b"c#one"]
    cells = [cell for _, row in db.cells("article", b"one") for cell in row]
    assert [(cell.qualifier, cell.value) for cell in cells] == [(b"title", b"New"), (b"b", b""), (b"c", b"")]
    assert {cell.value for _, row in db.cells("by_tag") for cell in row} == {b"Two", b"New"}
    twins.replace(Article(id="six", title="Six", tags={"a"}))
    assert keys(db, "by_tag") == [b"a#six", b"a#two", b"b#one", b"c#one"]
    twins.replace(Article(id="one", title="New", tags=set()))
    assert keys(db, "by_tag") == [b"a#six", b"a#two"]


def test_rows_are_replaced_and_deleted_without_generated_code(database: Open) -> None:
    """With their twins, as by the class that is generated."""
    db = database(Article, ByTag)
    tagged = OwnedTwinRepository(db, TAGGED)
    assert tagged.put_many([ARTICLE, OTHER]) == 2
    tagged.replace(Article(id="one", title="New", tags={"c"}))
    assert (keys(db, "article"), keys(db, "by_tag")) == ([b"one", b"two"], [b"c#one"])
    tagged.delete(Article(id="one", title="New", tags={"c"}))
    assert (keys(db, "article"), keys(db, "by_tag")) == ([b"two"], [])
    tagged.put(ARTICLE)
    seen: list[int] = []
    assert tagged.delete_many([ARTICLE], progress=seen.append) == 1
    assert seen == [1]
    assert (tagged.delete_key(id="two"), tagged.delete_key(id="two")) == (True, False)
    assert (keys(db, "article"), keys(db, "by_tag")) == ([], [])
    for wrong in ({}, {"id": "one", "tag": "a"}):
        with pytest.raises(bt.QueryRefused, match="id"):
            tagged.delete_key(**wrong)

    async def others() -> bool:
        async with bt.connect_async(db.target.instance) as other:
            twins = AsyncOwnedTwinRepository(other, TAGGED)
            await twins.replace(ARTICLE)
            await twins.delete(ARTICLE)
            await twins.replace(ARTICLE)
            assert await twins.delete_many([ARTICLE]) == 1
            await twins.put(ARTICLE)
            return await twins.delete_key(id="one")

    assert asyncio.run(others())
    assert (keys(db, "article"), keys(db, "by_tag")) == ([], [])


def test_twins_that_rows_may_share_are_not_owned(database: Open) -> None:
    """Nobody knows whether such a twin goes with its row."""
    db = database(Person, ByEmail, ByName)
    with pytest.raises(bt.QueryRefused, match=r"expected twins that no two rows share.*owned=True"):
        OwnedTwinRepository(db, PEOPLE)
    OwnedTwinRepository(db, bt.twins(Person, ByName))


def test_a_replacement_that_fails_can_be_made_again(bigtable: Any) -> None:
    """Twins that go, go first: as long as one of them is there, so is the stored row that tells its key."""
    db = bigtable(Article)
    db.write(bt.mutation_of(ARTICLE))
    twins = generated_twins(TAGGED, "TAGGED").TaggedTwins(db)
    with pytest.raises(bt.TwinsFailed):
        twins.replace(Article(id="one", title="New", tags={"b"}))
    assert [cell.value for _, row in db.cells("article") for cell in row if cell.family == "d"] == [b"One"]
    bt.create_tables(db, ByTag)
    db.write(bt.mutation_of(ByTag(tag="a", id="one", title="One")))
    twins.replace(Article(id="one", title="New", tags={"b"}))
    assert (keys(db, "article"), keys(db, "by_tag")) == ([b"one"], [b"b#one"])


@pytest.mark.parametrize(
    ("declared", "name", "class_", "first", "second"),
    [
        (TAGGED, "TAGGED", "TaggedTwins", "article", "by_tag"),
        (TAGGED_FIRST, "TAGGED_FIRST", "TaggedFirstTwins", "by_tag", "article"),
    ],
    ids=["source first", "source last"],
)
def test_which_side_is_written_last_is_declared(
    database: Open, declared: bt.Twins[Article], name: str, class_: str, first: str, second: str
) -> None:
    """Where the first side cannot be written, nothing is done on the other one, and every row is told of."""
    counts = {"article": 1, "by_tag": 2}
    assert [bt.schema_of(model).table for model in declared.models] == [first, second]
    db = database(*[model for model in declared.models if bt.schema_of(model).table == second])
    twins = vars(generated_twins(declared, name))[class_](db)
    with pytest.raises(bt.TwinsFailed) as failed:
        twins.put(ARTICLE)
    found = failed.value.tables
    assert [(one.table, one.written, len(one.failures)) for one in found] == [
        (first, 0, counts[first]),
        (second, 0, counts[second]),
    ]
    assert keys(db, second) == []


def test_what_is_no_row_among_several_is_refused(database: Open) -> None:
    """A list that holds a row of another model is refused with all of its rows, before anything is sent."""
    db = database(Article, ByTag)
    mixed = bt.twins(Article, (ByTag, lambda article: [*by_tags(article), article]))
    with pytest.raises(
        bt.ValueRefused, match="twin of Article: expected an instance of ByTag, or None, or several"
    ):
        TwinRepository(db, mixed).put(ARTICLE)
    assert keys(db, "article") == []


def test_the_asynchronous_twins_do_the_same(migrated: Callable[..., str]) -> None:
    """With await, several twins are written, and deleted by the key of their row."""

    async def main() -> bool:
        async with bt.connect_async(migrated(Article, ByTag)) as db:
            tagged = generated_twins(TAGGED, "TAGGED").AsyncTaggedTwins(db)
            await tagged.put(ARTICLE)
            assert [key async for key, _ in db.cells("by_tag")] == [b"a#one", b"b#one"]
            await tagged.replace(Article(id="one", title="One", tags={"c"}))
            assert [key async for key, _ in db.cells("by_tag")] == [b"c#one"]
            deleted: bool = await tagged.delete_key("one")
            assert [key async for key, _ in db.cells("by_tag")] == []
            return deleted

    assert asyncio.run(main()) is True


class Numbered(bt.Model, table="numbered"):
    """A person by name, as it is called from now on."""

    name: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    email: str | None = bt.column("mail", d, default=None)


def numbered(person: Person) -> Numbered:
    return Numbered(name=person.name, number=person.number, email=person.email)


MOVED = bt.twins(Person, (Numbered, numbered), moving=True)


def test_rows_that_move_are_written_and_deleted_in_the_old_table_first(bigtable: Any) -> None:
    """A backfill that reads the old table again after it has written then sees every change that the new one had before."""
    db = bigtable(Person)  # the new table is not there, so each call fails half-way
    twins = generated_twins(MOVED, "MOVED").MovedTwins(db)
    person = Person(number=1, name="Jo", email="jo@x.org")
    with pytest.raises(bt.TwinsFailed):
        twins.replace(person)
    assert keys(db, "person") == [b"000001"]
    with pytest.raises(bt.TwinsFailed):
        twins.delete(person)
    assert keys(db, "person") == []
    bt.create_tables(db, Numbered)
    twins.replace(person)
    twins.replace(Person(number=1, name="Joan", email="jo@x.org"))
    assert (keys(db, "person"), keys(db, "numbered")) == ([b"000001"], [b"Joan#000001"])
    assert twins.delete_key(1)
    assert (keys(db, "person"), keys(db, "numbered")) == ([], [])


def test_rows_that_move_to_a_key_of_columns_are_replaced_and_never_put(bigtable: Any) -> None:
    """A put would leave the row of an earlier value behind."""
    db = bigtable(Person, Numbered)
    with pytest.raises(
        bt.QueryRefused, match="the key of Numbered is made of name, which Person holds in columns"
    ):
        TwinRepository(db, MOVED).put(Person(number=1, name="Jo"))
    with pytest.raises(bt.QueryRefused, match="use replace"):
        TwinRepository(db, MOVED).put_many([])
    with pytest.raises(bt.DeclarationError, match="expected one model that the rows"):
        bt.twins(Person, (Numbered, numbered), ByName, moving=True)
