"""Second tables as fixes: as few as serve the queries, complete, and with what they cost."""

from datetime import date, datetime, timedelta

import pytest
from attrs import evolve
from hypothesis import given, settings
from test_fixes_hold import FIELDS, fix, grave, model_of, models

import btmodel as bt
from btmodel.codecs.key import DateText, PaddedInt
from btmodel.design.proposal import serves
from btmodel.design.second_tables import second_model, second_tables
from btmodel.lint import review, review_all
from btmodel.schema import Bucket, KeyField, MaxAge, ModelSchema, Query, Rate
from btmodel.schema.limits import TABLE_ID
from btmodel.schema.possible_edits import added_to

USER, AT, KIND, SERIAL = FIELDS["user"], FIELDS["at"], FIELDS["kind"], FIELDS["serial"]


@settings(max_examples=60, deadline=None)
@given(models())
def test_second_tables_serve_their_queries_and_have_names_of_their_own(model: ModelSchema) -> None:
    """Each query is served by one table, which has every attribute of the model that is put, a cell in each row, another name and a legal id."""
    made = second_tables(model, model.queries)
    assert sorted(query.name for one in made for query in one.queries) == sorted(
        query.name for query in model.queries
    )
    for one in made:
        asked = {part.name for part in model.key.asked} | {column.name for column in model.columns}
        added = {column.name for column in model.columns if added_to(column)}
        put = {column.name for column in model.columns if not column.shape.summed}
        held = {column.name for column in one.columns}
        assert asked - (added if put else set()) <= {part.name for part in one.key.asked} | held <= asked
        assert not (put and added & held)
        certain = any(column.required for column in one.columns) or any(
            part.mirror for part in one.key.fields
        )
        assert certain or put <= held
        assert one.name.isidentifier()
        assert one.name.startswith(model.name)
        assert TABLE_ID.fullmatch(one.table)
        assert (one.name, one.table) != (model.name, model.table)
    assert len({one.table for one in made}) == len({one.name for one in made}) == len(made)


def test_one_table_serves_what_one_key_serves() -> None:
    """All that a user did, and what they did in some time, are asked of one second table; both findings propose it."""
    staying = (Query("of_kind", ("kind",)), Query("kinds_in_time", ("kind",), "at"))
    queries = (*staying, Query("of_user", ("user",)), Query("lately", ("user",), "at"))
    model = model_of(KIND, AT, USER, queries=queries, events="10/s")
    fixes = [finding for finding in review(model) if finding.rule == "QRY001"]
    assert [finding.field for finding in fixes] == ["lately", "of_user"]
    first, second = (finding.models for finding in fixes)
    assert first == second
    kept, made = first
    assert kept.queries == staying
    assert ([query.name for query in made.queries], made.key.shape) == (
        ["lately", "of_user"],
        "{user}#{at}#{kind}",
    )


@pytest.mark.parametrize(
    ("events", "age", "said"),
    [
        (None, None, "; each row is then written twice"),
        ("50/s", None, "; 100/s are then written instead of 50/s"),
        # a row of 13 + 8 + 3 bytes of key, 2 delimiters, and a cell of 4 + 1 + 8 + 8: 47 bytes, 50/s for 10 days
        ("50/s", 10, "; 100/s are then written instead of 50/s, and 1.9 GiB more are stored"),
    ],
)
def test_the_cost_of_a_second_table_is_said(events: str | None, age: int | None, said: str) -> None:
    """Rows are written twice, and stored twice, as far as estimates are declared."""
    queries = (Query("of_kind", ("kind",)), Query("of_user", ("user",)))
    model = model_of(KIND, AT, USER, queries=queries, events=events)
    if age:
        family = evolve(model.families[0], gc=MaxAge(timedelta(days=age)))
        model = evolve(model, families=(family,))
    assert fix(model, "QRY001").endswith(said)


def test_a_salt_spreads_a_second_table_that_begins_with_a_time() -> None:
    """At a declared rate, dual writes go to as many places as the salt has values; where none is declared, a batch job writes it."""
    queries = (Query("of_user", ("user",)), Query("in_time", (), "at"))
    hot = model_of(USER, AT, queries=queries, events="2000/s")
    made = second_model(hot, queries[1])
    assert (made.key.shape, dict(made.allow)) == ("{salt}#{at}#{user}", {})
    assert serves(made.key, queries[1])
    assert 'with `salt = bt.salt("at", buckets=3)`, so a read for each salt; 4,000/s' in fix(hot, "QRY001")
    assert not grave(made)
    unknown = second_model(evolve(hot, events=None), queries[1])
    assert (unknown.key.shape, list(unknown.allow)) == ("{at}#{user}", ["KEY001"])
    slow = second_model(evolve(hot, events=Rate.parse("3/day")), queries[1])
    assert (slow.key.shape, dict(slow.allow)) == ("{at}#{user}", {})


@pytest.mark.parametrize(
    ("table", "query", "id"),
    [
        ("QUOTE", "by_symbol", "QUOTE_BY_SYMBOL"),
        ("quote", "bySymbol", "quote_by_symbol"),
        ("quote-log", "by_symbol", "quote-log-by-symbol"),
        ("QuoteLog", "by_symbol", "QuoteLogBySymbol"),
        ("SENSOR_{day}", "of_meter", "SENSOR_{day}_OF_METER"),
        ("Q" * 48, "by_symbol", "Q" * 48 + "_2"),
    ],
)
def test_the_id_of_a_second_table_is_written_like_the_first(table: str, query: str, id: str) -> None:
    """In capitals or small letters, and joined alike."""
    model = evolve(model_of(KIND, AT, USER), table=table, name="Thing")
    made = second_model(model, Query(query, ("user",)))
    assert made.table == id
    assert made.name in ("ThingBySymbol", "ThingOfMeter")


def test_of_existing_rows_the_second_table_is_proposed_first() -> None:
    """Another key would be a copy of all rows; what is written from now on is new, so it is no existing table."""
    model = model_of(AT, USER, queries=(Query("of_user", ("user",)),), events="3/day")
    assert "second table" not in fix(model, "QRY001")
    found = fix(evolve(model, existing=True), "QRY001")
    assert found.startswith("also write the rows to a second table, whose key `{user}#{at}` serves it")
    assert not second_model(evolve(model, existing=True), model.queries[0]).existing


@pytest.mark.parametrize(
    ("customers", "products", "counted"),
    [(1_000, 10_000, False), (10_000_000, 10_000_000, False), (1, 10_000, True)],
)
def test_no_size_is_said_of_a_product_of_cardinalities(customers: int, products: int, counted: bool) -> None:
    """Not every customer buys every product, and how many rows there are is not declared; of one field, its values are the rows."""
    customer, product = (
        KeyField(name, PaddedInt(8), count)
        for name, count in (("customer", customers), ("product", products))
    )
    model = model_of(
        customer,
        product,
        queries=(Query("bought", ("customer",)), Query("of_product", ("product",))),
        events="50/s",
    )
    assert ("more are stored" in fix(model, "QRY001")) is counted


def test_rows_of_a_product_of_cardinalities_and_days_have_no_size() -> None:
    """A day of each pair is no declared number of rows either, unless the events of these days are fewer."""
    pairs = (KeyField("customer", PaddedInt(8), 1_000), KeyField("product", PaddedInt(8), 1_000))
    day = KeyField("day", DateText())
    queries = (Query("bought", ("customer",)), Query("of_product", ("product",)))
    model = model_of(*pairs, day, queries=queries, events="50/s")
    aged = evolve(
        model, bucket=Bucket.DAY, families=(evolve(model.families[0], gc=MaxAge(timedelta(days=9))),)
    )
    assert "more are stored" not in fix(aged, "QRY001")
    few = evolve(aged, events=Rate.parse("5/s"))
    assert "more are stored" in fix(few, "QRY001")


def things(
    events: str, of_office: str, *, item: str = "item", doc: str = "", day: bool = True
) -> list[ModelSchema]:
    """Things that were found, and the same by the office and the day."""

    class Item(bt.Model, table="item", events=events):
        item: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)
        i = bt.family("i", gc=bt.max_versions(1))
        office: str = bt.column("office", i)
        found: date = bt.column("found", i)
        number: int = bt.column("no", i)

    class ItemOfOffice(bt.Model, table="item_of_office", events=of_office):
        office: str = bt.key(bt.Text(width=4), cardinality=1_200)
        found: date = bt.key(bt.DateText())
        i = bt.family("i", gc=bt.max_versions(1))
        item: str = bt.column("item", i)

    source, copy = bt.schema_of(Item), bt.schema_of(ItemOfOffice)
    copy = evolve(copy, doc=doc, columns=tuple(evolve(column, name=item) for column in copy.columns))
    return [source, copy if day else evolve(copy, key=evolve(copy.key, fields=copy.key.fields[:1]))]


def test_a_copy_whose_key_lacks_the_id_of_the_first_table() -> None:
    """KEY023: two things of one office and day have one row there, however rarely they come; another table, or a summary, is no copy."""
    (finding,) = [one for one in review_all(things("200/day", "200/day")) if one.rule == "KEY023"]
    assert finding.model == "ItemOfOffice"
    assert "make `item` a part of the key, behind the rest: `{office}#{found}#{item}`" in finding.fix
    for other in (
        things("200/day", "100/day"),
        things("200/day", "200/day", item="finder"),  # of which the first table knows nothing
        things("200/day", "200/day", doc="The totals of a day."),
        things("200/day", "200/day", day=False),  # the newest of an office
    ):
        assert [one for one in review_all(other) if one.rule == "KEY023"] == []


@pytest.mark.parametrize("required", [True, False])
def test_the_table_that_a_second_one_is_made_of_is_no_copy_of_it(required: bool) -> None:
    """The second key is the first with a price in front of it, which tells no quotes apart."""
    family = bt.family("md", gc=bt.max_age(days=30))

    class Quote(bt.Model, table="QUOTE", events="50/s"):
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)
        at: datetime = bt.key(bt.EpochMillis())
        md = family
        trader: str = bt.column("t", md)
        bid: int = bt.column("b", md)

    class ByBid(bt.Model, table="BY_BID", events="50/s"):
        bid: int = bt.key(bt.OrderedInt())
        at: datetime = bt.key(bt.EpochMillis())
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)
        md = family
        trader: str = bt.column("t", md)

    first = bt.schema_of(Quote)
    columns = tuple(evolve(one, required=required or one.name != "bid") for one in first.columns)
    found = review_all([evolve(first, columns=columns), bt.schema_of(ByBid)])
    assert "KEY023" not in {one.rule for one in found}
