"""The rules on tables: how many there are, what they are called after, and what shares one or should."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from btmodel.cli.check import of_table
from btmodel.codecs.cell import Int64, Utf8
from btmodel.codecs.key import Constant, DateText, EpochMillis, PaddedInt, Text
from btmodel.design.related_tables import date_in, undated
from btmodel.lint import Finding, Level, review, review_all
from btmodel.schema import Column, Family, KeyField, Mirror, ModelSchema, Query, RowKey, Table
from btmodel.schema.gc import keep_all, max_age, max_versions

Make = Callable[..., ModelSchema]
ID = KeyField("id", Text(width=8), 1_000_000)
AT = KeyField("at", EpochMillis())
TITLE = Column("title", "data", b"TITLE", Utf8(), True)
BY_ID = Query("of_id", ("id",))


def found(rule: str, *models: ModelSchema) -> list[Finding]:
    return [finding for finding in review_all(models) if finding.rule == rule]


def some(a_model: Make, count: int, **changes: Any) -> list[ModelSchema]:
    return [a_model(ID, name=f"M{number:04}", table=f"T{number:04}", **changes) for number in range(count)]


@pytest.mark.parametrize(
    ("count", "level"),
    [(100, None), (101, Level.WARNING), (1_000, Level.WARNING), (1_001, Level.ERROR)],
)
def test_too_many_tables_are_one_finding(a_model: Make, count: int, level: Level | None) -> None:
    """Over 100 it is a warning, over 1,000 a limit of the service, and it is told once, at the first model."""
    told = found("TAB001", *some(a_model, count))
    assert [finding.level for finding in told] == ([level] if level else [])
    for finding in told:
        assert (finding.model, finding.limit) == ("M0000", level is Level.ERROR)
        assert f"need {count:,} tables" in finding.message
        assert "`m0000#{id}` for M0000 and `m0001#{id}` for M0001, in 'T0000'" in finding.fix


def test_tables_that_are_there_count_too(a_model: Make) -> None:
    """Nothing is known of their keys, so none is written out; and a date in their ids may be that of a job."""
    tables = [of_table("i", Table(f"t{number}_2015", ())) for number in range(101)]
    (finding,) = review_all(tables)
    assert (finding.rule, finding.model) == ("TAB001", "t0_2015")
    assert finding.fix.endswith(
        "constant at the start of its keys; which kinds belong together is for you to decide"
    )
    assert finding.message == "the instance 'i' has 101 tables; more than 100 are seldom needed"
    (one,) = found("TAB001", *tables, a_model(ID, table="T", name="M"))
    assert one.model == "M"


def test_models_of_one_table_are_one_table(a_model: Make) -> None:
    """However many models there are, it is tables that an instance counts."""
    assert found("TAB001", *(evolve(model, table="ONE") for model in some(a_model, 150))) == []


@pytest.mark.parametrize(
    ("table", "date", "rest"),
    [
        ("EVENTS_2015", "2015", "EVENTS"),
        ("sensor_20170726", "20170726", "sensor"),
        ("a-2017-07-26", "2017-07-26", "a"),
        ("a.201707", "201707", "a"),
        ("events2015", "2015", "events"),
        ("2015_events_2016", "2016", "2015_events"),
        ("T0002", "", "T0002"),
        ("port_8080", "", "port_8080"),
        ("2015", "", "2015"),
        ("_2015", "", "_2015"),
        ("a_20171301", "", "a_20171301"),
        ("a_120150101", "", "a_120150101"),
        ("events_2015_all", "", "events_2015_all"),
    ],
)
def test_a_date_at_the_end_of_a_table_is_found(table: str, date: str, rest: str) -> None:
    """A year from 1980 on, a month or a day, with or without something between them, behind a name."""
    assert date_in(table) == date
    assert undated(table) == (rest if date else table.strip("_"))


@pytest.mark.parametrize(
    ("table", "fields", "fix"),
    [
        ("e_{year}", (ID, AT), '`table="e"`: its key `{id}#{at}` has `year` already'),
        ("e_{day}", (ID,), '`table="e"`, with `day` in the key: `{id}#{day}`'),
        ("{tenant}_e", (ID, AT), '`table="e"`, with `tenant` in the key: `{tenant}#{id}#{at}`'),
        ("a_{x}_{day}_b", (ID,), '`table="a_b"`, with `x`, `day` in the key: `{x}#{id}#{day}`'),
        ("{id}", (ID,), '`table="THING"`: its key `{id}` has `id` already'),
    ],
)
def test_a_table_that_is_named_at_run_time_gets_a_key_field(
    a_model: Make, table: str, fields: tuple[KeyField, ...], fix: str
) -> None:
    """A time goes to the end of the key, unless it tells the time already; all else goes to the front."""
    (finding,) = found("TAB002", a_model(*fields, table=table))
    assert finding.level is Level.WARNING
    assert fix in finding.fix


@pytest.mark.parametrize(
    ("doc", "level"),
    [
        ("There are at most three tables.", Level.INFO),
        ("Two tables exist at a time: of this election and the last.", Level.INFO),
        ("No more than four tables are kept.", Level.INFO),
        ("Seven elections, and nothing is added.", Level.INFO),
        ("There are never more than eleven of these tables.", Level.INFO),
        ("At most nine of the tables exist at a time.", Level.INFO),
        ("A table goes after the count, so there are never more than 4 of them.", Level.INFO),
        ("Of these tables there are a dozen at most.", Level.INFO),
        ("These tables never number more than twelve.", Level.INFO),
        ("Eleven of these tables were lost in a fire.", Level.WARNING),
        ("At most four of the columns are read, and the tables are large.", Level.WARNING),
        ("There are never more than eleven of these tables for each election.", Level.WARNING),
        ("There are never more than 11,000 of these tables.", Level.WARNING),
        ("A voter has never more than eleven of these forms.", Level.WARNING),
        ("There is one table for each election.", Level.WARNING),
        ("There are two tables for each election.", Level.WARNING),
        ("It has three tables a day.", Level.WARNING),
        ("At present that is 4,500 elections.", Level.WARNING),
        ("Ninety tables were there in May.", Level.WARNING),
        ("Tables of three sizes.", Level.WARNING),
    ],
)
def test_few_tables_may_stay_what_they_are(a_model: Make, doc: str, level: Level) -> None:
    """The description counts them, and counts no part of what becomes more."""
    (finding,) = found("TAB002", evolve(a_model(ID, table="roll_{election}"), doc=doc))
    assert finding.level is level


@pytest.mark.parametrize(
    ("unit", "doc", "level"),
    [
        ("month", "The table of a month is dropped as a whole after a year.", Level.INFO),
        ("week", "Whole tables are dropped after three months.", Level.INFO),
        ("day", "Each table is deleted two weeks later.", Level.INFO),
        ("day", "The table of a day is dropped after a year.", Level.WARNING),
        ("month", "Rows are deleted after a year.", Level.WARNING),
        ("month", "The table of a month is never dropped.", Level.WARNING),
        ("tenant", "A table is dropped after a year.", Level.WARNING),
    ],
)
def test_tables_of_times_that_are_dropped_soon_are_few(
    a_model: Make, unit: str, doc: str, level: Level
) -> None:
    """Their number is the time that a table stays, divided by the time that it is for."""
    (finding,) = found("TAB002", evolve(a_model(ID, table=f"roll_{{{unit}}}"), doc=doc))
    assert finding.level is level


@pytest.mark.parametrize(
    ("doc", "said"),
    [
        ("Each of our six thousand elections has its own table.", "six thousand elections"),
        ("There are 1,200 elections.", "1,200 elections"),
        ("We made 40 thousand tables.", "40 thousand tables"),
        ("Some two million of the elections are over.", "two million of the elections"),
        ("Six elections.", None),
        ("Six hundred elections.", None),
        ("Of our six thousand elections, twelve tables are kept.", None),
        ("Elections of six thousand towns.", None),
    ],
)
def test_more_tables_than_an_instance_accepts_are_counted(a_model: Make, doc: str, said: str | None) -> None:
    """Six thousand are not six; and what the description counts besides are no tables."""
    (finding,) = found("TAB002", evolve(a_model(ID, table="roll_{election}"), doc=doc))
    assert ("the service refuses the next one" in finding.why) is (said is not None)
    assert said is None or (
        f"the description says {said!r}" in finding.message and finding.level is Level.WARNING
    )
    assert (finding.level is Level.INFO) is doc.endswith(("Six elections.", "twelve tables are kept."))


def test_queries_give_what_the_table_told(a_model: Make) -> None:
    """They would not be served without it, so the fix says so of each, and of a read of the whole table, which is then a part of one."""
    queries = (Query("of_id", ("id",)), Query("all", (), scan="nightly"))
    (finding,) = found("TAB002", a_model(ID, AT, table="e_{tenant}", queries=queries))
    assert finding.fix.endswith(
        '`{tenant}#{id}#{at}`, and give `tenant` to `of_id`, too, and declare `all = bt.query("tenant")`'
    )


def test_a_deployment_is_no_value(a_model: Make) -> None:
    """Nor is a family that is named at run time a table."""
    assert found("TAB002", a_model(table="{env}_users")) == []


def test_dated_tables_are_one_finding(a_model: Make) -> None:
    """All tables of one name are told at the first of them, with what to call the one instead."""
    years = [
        a_model(ID, name=f"E{year}", table=f"EVENTS_{year}", columns=(TITLE,)) for year in range(2015, 2020)
    ]
    (finding,) = found("TAB002", *years)
    assert finding.model == "E2015"
    assert (
        "the tables 'EVENTS_2015', 'EVENTS_2016', 'EVENTS_2017' and 2 more are named after a year"
        in finding.message
    )
    assert '`table="EVENTS"`, with `year` in the key: `{id}#{year}`' in finding.fix
    assert found("TAB003", *(evolve(year, queries=(BY_ID,)) for year in years)) == []
    (alone,) = [finding for finding in review(years[2]) if finding.rule == "TAB002"]
    assert "the table 'EVENTS_2017' is named after a year" in alone.message


@pytest.mark.parametrize("table", ["EVENTS_{day}", "EVENTS_20150131"])
def test_tables_of_times_may_have_been_how_rows_ended(a_model: Make, table: str) -> None:
    """The age after which their tables were dropped belongs to each family without one, which the fix asks for."""
    families = (Family("d", max_versions(1)), Family("more", keep_all()), Family("aged", max_age(days=9)))
    columns = tuple(evolve(TITLE, name=one.id, family=one.id) for one in families)
    model = a_model(ID, AT, table=table, families=families, columns=columns)
    (finding,) = found("TAB002", model)
    d = '`bt.family("d", gc=bt.max_versions(1) | bt.max_age(days=...))`'
    more = '`bt.family("more", gc=bt.max_age(days=...))`'
    assert (
        f"; if the table of an old day is dropped, declare the age of its rows then, {d}, {more}: in one"
        in finding.fix
    )
    assert "aged" not in finding.fix
    aged = evolve(model, families=tuple(evolve(one, gc=max_age(days=9)) for one in families))
    assert "is dropped" not in found("TAB002", aged)[0].fix


def test_an_age_in_words_is_declared_with_the_one_table(a_model: Make) -> None:
    """Where the description says when tables are dropped, nobody needs to be asked."""
    model = evolve(a_model(ID, AT, table="EVENTS_{day}"), doc="An event. Its table is dropped after 30 days.")
    model = evolve(model, families=(evolve(model.families[0], gc=max_versions(1)),))
    (finding,) = (one for one in review(model) if one.rule == "TAB002")
    assert "bt.max_versions(1) | bt.max_age(days=30)" in finding.fix
    assert "..." not in finding.fix


def test_tables_of_other_values_end_no_rows(a_model: Make) -> None:
    """A customer is no time."""
    model = a_model(ID, AT, table="EVENTS_{customer}", families=(Family("d", max_versions(1)),))
    assert "is dropped" not in found("TAB002", model)[0].fix


def of_tables(a_model: Make, *tables: str, **changes: Any) -> list[ModelSchema]:
    values = {"columns": (TITLE,), "queries": (BY_ID,)} | changes
    return [a_model(ID, name=f"M{number}", table=table, **values) for number, table in enumerate(tables)]


@pytest.mark.parametrize(
    ("tables", "fix"),
    [
        (
            ("shard_1", "shard_2"),
            '`table="shard"`, with that value in front of the key: `{number}#{id}`',
        ),
        (
            ("s_acme", "s_bolt", "s_corp"),
            '`table="s"`, with that value in front of the key: `{kind}#{id}`',
        ),
        (("AcmeOrders", "BoltOrders", "CorpOrders"), '`table="Orders"`'),
    ],
)
def test_tables_that_differ_in_a_number_or_a_word_are_one(
    a_model: Make, tables: tuple[str, ...], fix: str
) -> None:
    """Two numbers are enough, and three words; TAB003 has nothing to add."""
    models = of_tables(a_model, *tables)
    (finding,) = found("TAB002", *models)
    assert fix in finding.fix
    assert found("TAB003", *models) == []


@pytest.mark.parametrize("tables", [("s_acme", "s_bolt"), ("one", "two", "three"), ("a1b", "a2c")])
def test_tables_of_names_of_their_own_are_no_values(a_model: Make, tables: tuple[str, ...]) -> None:
    """Two words, whole names, and names that differ twice; TAB003 may find them alike."""
    assert found("TAB002", *of_tables(a_model, *tables)) == []


def test_two_similar_tables_become_one(a_model: Make) -> None:
    """Each key is written out behind the name of its table."""
    (finding,) = found("TAB003", *of_tables(a_model, "invoices", "refunds"))
    assert (finding.model, finding.level) == ("M1", Level.WARNING)
    assert "put both into 'invoices', as `invoices#{id}` in M0 and `refunds#{id}` here" in finding.fix


def test_each_model_is_held_against_the_first_that_is_read_like_it(a_model: Make) -> None:
    """A model between the two that is read in another way does not hide them."""
    one, two, three = of_tables(a_model, "a", "b", "c")
    other = evolve(two, queries=(Query("all", (), scan="why"),))
    (finding,) = found("TAB003", one, other, three)
    assert "of table 'a' (M0)" in finding.message
    assert finding.model == "M2"
    together = evolve(three, queries=(Query("x", ("id",), between="at", together=("M1",)),))
    assert [each.model for each in found("TAB003", other, together)] == ["M2"]


@pytest.mark.parametrize(
    "changes",
    [
        {"columns": (evolve(TITLE, qualifier=b"T"),)},
        {"columns": (evolve(TITLE, codec=Int64()),)},
        {"key": RowKey((AT, ID), b"#")},
        {"key": RowKey((evolve(ID, codec=Text(width=9)),), b"#")},
        {"key": RowKey((evolve(ID, mirror=Mirror("data", b"ID", Utf8())),), b"#")},
        {"table": "refunds_{day}"},
        {"table": "invoices"},
        {"queries": ()},
        {"queries": (Query("all", (), scan="why"),)},
        {"columns": ()},
    ],
    ids=str,
)
def test_tables_that_differ_in_something_are_two_things(a_model: Make, changes: dict[str, Any]) -> None:
    """Columns, codecs, keys, mirrors, names at run time, the same table, other queries, and no columns at all."""
    one, two = of_tables(a_model, "invoices", "refunds")
    assert found("TAB003", one, evolve(two, **changes)) == []


FRONT, BETWEEN = KeyField("kind", Constant("a")), KeyField("kind", Constant("order"))


@pytest.mark.parametrize(
    ("keys", "alike"),
    [
        (((FRONT, ID, AT), (BETWEEN, ID, AT)), True),
        (((FRONT, ID, AT), (ID, BETWEEN, AT)), False),
        (((ID, AT), (BETWEEN, ID, AT)), False),
        (((FRONT, FRONT, ID, AT), (BETWEEN, ID, AT)), False),
    ],
)
def test_constants_may_say_something_else_at_the_same_place(
    a_model: Make, keys: tuple[tuple[KeyField, ...], ...], alike: bool
) -> None:
    """Keys with a constant more, or elsewhere, are two keys, for numbered tables as for any other."""
    for rule, tables in (("TAB002", ("shared1", "shared2")), ("TAB003", ("bills", "orders"))):
        one, two = of_tables(a_model, *tables)
        models = (evolve(each, key=RowKey(key, b"#")) for each, key in zip((one, two), keys, strict=True))
        assert bool(found(rule, *models)) == alike


@pytest.mark.parametrize(
    ("bound", "place"), [((), "invoices"), ((0,), "invoices"), ((1,), "refunds"), ((0, 1), None)]
)
def test_models_that_are_read_together_stay_together(
    a_model: Make, bound: tuple[int, ...], place: str | None
) -> None:
    """A model that shares its table with one that it is read with draws the other to its table, or stays where it is."""
    models = of_tables(a_model, "invoices", "refunds")
    kind = KeyField("kind", Constant("x"))
    partners = [
        a_model(
            kind,
            ID,
            name=f"Of{number}",
            table=models[number].table,
            queries=(Query("q", ("id",), together=(models[number].name,)),),
        )
        for number in bound
    ]
    fixes = [each.fix for each in found("TAB003", *models, *partners)]
    assert [fix.split("'")[1] for fix in fixes] == ([place] if place else [])


def test_an_archive_is_a_table_of_its_own(a_model: Make) -> None:
    """A family that is kept in another way cannot be shared."""
    one, two = of_tables(a_model, "orders", "archive")
    archive = evolve(two, families=(evolve(two.families[0], gc=keep_all()),))
    assert found("TAB003", one, archive) == []


EAN, NAME = KeyField("ean", PaddedInt(13)), KeyField("vat", Text(width=11))


def shop(a_model: Make, *fields: KeyField, name: str, **changes: Any) -> ModelSchema:
    return a_model(*fields, name=name, table="shop", **changes)


def test_models_that_only_values_tell_apart_get_constants(a_model: Make) -> None:
    """Both keys are written out, and it is an info on one of them."""
    (finding,) = found("TAB004", shop(a_model, EAN, name="Product"), shop(a_model, NAME, name="Supplier"))
    assert (finding.model, finding.level) == ("Supplier", Level.INFO)
    assert "`product#{ean}` in Product and `supplier#{vat}` here" in finding.fix


def test_a_constant_beside_a_value_is_half_of_it(a_model: Make) -> None:
    """The model that has a constant keeps its key; behind constants in common the next place counts."""
    kind, other = KeyField("kind", Constant("settings")), KeyField("x", Constant("a"))
    (finding,) = found("TAB004", shop(a_model, kind, name="Settings"), shop(a_model, EAN, name="Product"))
    assert "`settings` in Settings and `product#{ean}` here" in finding.fix
    deeper = [shop(a_model, other, EAN, name="P"), shop(a_model, other, NAME, name="S")]
    (finding,) = found("TAB004", *deeper)
    assert "`a#p#{ean}` in P and `a#s#{vat}` here" in finding.fix


@pytest.mark.parametrize("case", ["constants", "first field", "together", "overlap", "tables", "live"])
def test_models_that_belong_together_may_share_a_table(a_model: Make, case: str) -> None:
    """Constants, a first field in common, a query of both; and TAB005 alone speaks of what may overlap."""
    order, bill = KeyField("kind", Constant("order")), KeyField("kind", Constant("bill"))
    one, two = {
        "constants": (shop(a_model, order, EAN, name="A"), shop(a_model, bill, NAME, name="B")),
        "first field": (shop(a_model, EAN, order, name="A"), shop(a_model, EAN, AT, name="B")),
        "together": (
            shop(a_model, EAN, name="A"),
            shop(a_model, NAME, name="B", queries=(Query("q", ("vat",), together=("A",)),)),
        ),
        "overlap": (shop(a_model, KeyField("n", Text(max_length=9)), name="A"), shop(a_model, ID, name="B")),
        "tables": (shop(a_model, EAN, name="A"), a_model(NAME, name="B", table="other")),
        "live": (shop(a_model, EAN, name="A"), shop(a_model, name="B", key=RowKey((), b""))),
    }[case]
    assert found("TAB004", one, two) == []
    assert bool(found("TAB005", one, two)) == (case == "overlap")


def test_a_day_is_no_date_of_a_table(a_model: Make) -> None:
    """A model whose key has a day is in no way dated."""
    assert found("TAB002", a_model(ID, KeyField("day", DateText()), table="EVENTS")) == []
