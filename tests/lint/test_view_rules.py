"""What the review finds on views: as on tables of their keys, with the GC rules of their table, and no fix that SQL cannot make."""

from datetime import date, datetime
from typing import Any

import pytest
from attrs import evolve
from documented import findings

import btmodel as bt
from btmodel.design.second_tables import index_instead, second_model
from btmodel.lint import Finding, Level, review


def rolled_up(gc: Any, group: str, doc: str = "What a customer spoke.", **query: Any) -> list[Finding]:
    """What FAM006 finds on a rollup of calls that this rule of the table deletes: by customer, and by a time of this format."""

    def declare() -> object:
        class Call(bt.Model, table="CALL", events="2000/s"):
            customer: int = bt.key(bt.PaddedInt(10), cardinality=12_000_000, sequential=False)
            began: datetime = bt.key(bt.EpochMillis())

            c = bt.family("c", gc=gc)
            k = bt.family("k", gc=bt.max_versions(1))
            seconds: int = bt.column("s", c)
            note: str | None = bt.column("n", k, default=None)

        if not group:

            class Spoken(bt.Rollup, of=Call, view="SPOKEN"):
                customer: int = bt.key(bt.PaddedInt(10), cardinality=12_000_000, sequential=False)
                seconds: int = bt.sum_of("seconds")

            return Call, _described(Spoken, doc)

        class Bill(bt.Rollup, of=Call, view="BILL"):
            customer: int = bt.key(bt.PaddedInt(10), cardinality=12_000_000, sequential=False)
            span: date = bt.key(bt.DateText(group), of="began")
            calls: int = bt.count()
            seconds: int = bt.sum_of("seconds")
            of_customer = bt.query("customer", between="span", **query)

        return Call, Bill

    return [one for one in findings(declare) if one.rule == "FAM006"]


def _described(model: Any, doc: str) -> Any:
    """The model with a schema of this description."""
    model.__schema__ = evolve(model.__schema__, doc=doc)
    return model


DAYS_14 = bt.max_versions(1) | bt.max_age(days=14)


@pytest.mark.parametrize(
    ("gc", "group", "flagged"),
    [
        (DAYS_14, "%Y%m", True),
        (bt.max_age(days=32), "%Y%m", True),  # the month is over, and nobody has read it
        (bt.max_age(days=60), "%Y%m", False),
        (bt.max_age(days=60), "%Y", True),
        (DAYS_14, "%Y%m%d", False),
        (bt.max_age(days=1), "%Y%m%d", True),
        (bt.max_versions(1), "%Y%m", False),
        (bt.max_versions(1) & bt.max_age(days=1), "%Y%m", False),  # keeps the newest at any age
        (DAYS_14, "", True),
        (bt.max_versions(1), "", False),
    ],
)
def test_a_rollup_covers_the_age_of_its_table(gc: Any, group: str, flagged: bool) -> None:
    """Sums of a longer time shrink before anybody reads them; the fix is the rule that keeps the events until then."""
    found = rolled_up(gc, group)
    assert [one.level for one in found] == [Level.WARNING] * flagged
    for one in found:
        assert "`seconds`" in one.message
        assert "family 'c' of `Call`" in one.message
        assert one.fix.startswith("keep the events")
        assert one.models


def test_a_rollup_of_the_last_days_is_meant_where_it_says_so() -> None:
    """Of sums without a time, the description says that they are of what is left; and a query may read more than is kept."""
    assert rolled_up(DAYS_14, "", "What a customer spoke in the last two weeks.") == []
    (finding,) = rolled_up(DAYS_14, "%Y%m%d", span="60d")
    assert finding.level is Level.WARNING
    assert "gc=bt.max_versions(1) | bt.max_age(days=60)" in finding.fix
    assert rolled_up(DAYS_14, "%Y%m%d", span="7d") == []


def test_no_finding_on_a_view_has_an_empty_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fixes of views are proved as others are, and one whose key no SQL makes says that none holds."""

    def declare() -> object:
        class Call(bt.Model, table="CALL", events="2000/s"):
            began: datetime = bt.key(bt.EpochMillis())
            line: str = bt.key(bt.HexDigest(12), cardinality=12_000_000)

            c = bt.family("c", gc=bt.max_versions(1))
            number: int = bt.column("n", c)
            seconds: int = bt.column("s", c)

        class ByNumber(bt.Index, of=Call, view="BY_NUMBER"):
            number: int = bt.key(bt.PaddedInt(10), cardinality=12_000_000)
            began: datetime = bt.covered()
            line: str = bt.covered()
            seconds: int = bt.covered()

        return Call, ByNumber

    monkeypatch.setattr(
        "btmodel.declare.metaclass.refuse", lambda _: None
    )  # the table is hot, which is another matter
    found = findings(declare)
    (asked,) = [one for one in found if one.model == "ByNumber" and one.rule == "KEY002"]
    assert asked.level is Level.INFO
    assert "declare `sequential=" in asked.fix
    assert all(one.fix for one in found)


def test_a_number_in_sequence_leads_a_view_as_it_leads_a_table() -> None:
    """The service writes the rows of a view in the order of their keys, too, so new ids come to one place there; SQL makes no reversed digits."""

    def declare() -> object:
        class Call(bt.Model, table="CALL", events="2000/s"):
            line: str = bt.key(bt.HexDigest(12), cardinality=12_000_000)
            number: int = bt.key(bt.PaddedInt(12), sequential=True)

            c = bt.family("c", gc=bt.max_versions(1))
            seconds: int = bt.column("s", c)

            of_line = bt.query("line")

        class ByNumber(bt.Index, of=Call, view="BY_NUMBER"):
            number: int = bt.key(bt.PaddedInt(12), sequential=True)
            line: str = bt.covered()
            seconds: int = bt.covered()

        return Call, ByNumber

    (finding,) = [one for one in findings(declare) if one.rule == "KEY002"]
    assert (finding.model, finding.level) == ("ByNumber", Level.ERROR)
    assert finding.models == () or "Reversed" not in finding.fix


def tables(views: int) -> tuple[Any, ...]:
    """A model with a query that its key does not serve, and so many views of its table."""

    class Claim(bt.Model, table="CLAIM", events="20/s"):
        office: str = bt.key(bt.Text(width=4), cardinality=350)
        claim: str = bt.key(bt.HexDigest(8), cardinality=400_000)

        c = bt.family("c", gc=bt.max_versions(1))
        shop: str = bt.column("s", c, size=12, max_size=12)
        cents: int = bt.column("ct", c)

        one = bt.query("office", "claim")
        of_shop = bt.query("shop")

    made = []
    for number in range(views):

        class Sums(bt.Rollup, of=Claim, view=f"SUMS_{number}"):
            office: str = bt.key(bt.Text(width=4), cardinality=350)
            cents: int = bt.sum_of("cents")

        made.append(Sums)
    return (Claim, *made)


@pytest.mark.parametrize(("views", "offered"), [(0, True), (4, True), (5, False)])
def test_an_index_is_offered_within_the_views_of_a_table(
    views: int, offered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service keeps five views of a table: beside so many, a second table is the only way."""
    monkeypatch.setattr("btmodel.declare.metaclass.refuse", lambda _: None)
    (finding,) = [one for one in findings(lambda: tables(views)) if one.rule == "QRY001"]
    assert ("bt.Index" in finding.fix) is offered


def test_the_index_that_is_offered_can_be_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model on trial is the one that the class has, which no rule finds anything wrong with."""
    monkeypatch.setattr("btmodel.declare.metaclass.refuse", lambda _: None)
    (claim,) = tables(0)

    class Offered(bt.Index, of=claim, view="CLAIM_OF_SHOP"):
        shop: str = bt.key(bt.Text(max_length=12))
        office: str = bt.covered()
        claim: str = bt.covered()
        cents: int = bt.covered()

        of_shop = bt.query("shop")

    made = index_instead(
        bt.schema_of(claim), second_model(bt.schema_of(claim), bt.schema_of(claim).query("of_shop"))
    )
    assert made is not None
    declared = bt.schema_of(Offered)
    assert made[1].key == declared.key
    assert made[1].table == declared.table
    assert made[1].queries == declared.queries
    assert [one for one in review(declared) if one.level is not Level.INFO] == []


def test_an_index_by_a_number_is_written_as_sql_writes_it() -> None:
    """The table has a codec for any number, which SQL cannot make; the index pads those from 0 on. What is no event may get another number."""

    def declare() -> object:
        class Parcel(bt.Model, table="parcel", events="15/s"):
            district: int = bt.key(bt.PaddedInt(4), cardinality=900, sequential=False)
            parcel: int = bt.key(bt.PaddedInt(8), cardinality=30_000_000, sequential=False)

            f = bt.family("f", gc=bt.max_versions(1))
            owner: int = bt.column("owner", f, cardinality=12_000_000)
            since: date = bt.column("since", f)

            one = bt.query("district", "parcel")
            of_owner = bt.query(scan="the clerk types a number", where=["owner"])

        return Parcel

    (finding,) = (one for one in findings(declare) if one.rule == "QRY001")
    table, index = finding.fix.split("; or, if the query may be behind the table for a while, ")
    assert "`{owner}#{district}#{parcel}` serves it, with `owner` as `bt.OrderedInt()`" in table
    assert "; if `owner` may change, replace rows by `bt.twins(Parcel, ParcelOfOwner, owned=True)`" in table
    assert "`owner: int = bt.key(bt.PaddedInt(19))` (numbers from 0 on)" in index


def of_quotes(events: str | None, index: str) -> list[Finding]:
    """What is found on an index of quotes: by their time, by their exchange, by the orders that they answer, or by the exchange of one kind."""

    def declare() -> object:
        class Quote(bt.Model, table="QUOTE", events=events):
            part = bt.salt("at", buckets=6)
            at: datetime = bt.key(bt.EpochMicros())

            c = bt.family("c", gc=bt.max_versions(1))
            exchange: str = bt.column("e", c, max_size=4, cardinality=5)
            order: int = bt.column("o", c)
            cents: int = bt.column("ct", c)

        if index == "time":

            class ByTime(bt.Index, of=Quote, view="BY_TIME"):
                at: datetime = bt.key(bt.EpochMicros())
                cents: int = bt.covered()

            return Quote, ByTime
        if index == "order":

            class ByOrder(bt.Index, of=Quote, view="BY_ORDER"):
                order: int = bt.key(bt.PaddedInt(19), sequential=True)
                at: datetime = bt.covered()
                cents: int = bt.covered()

                some = bt.query(between="order")

            return Quote, ByOrder
        where = {"exchange": "XETR"} if index == "one exchange" else {}

        class ByExchange(bt.Index, of=Quote, view="BY_EXCHANGE", where=where):
            exchange: str = bt.key(bt.Text(width=4))
            at: datetime = bt.key(bt.EpochMicros())
            cents: int = bt.covered()

        return Quote, ByExchange

    return [one for one in findings(declare) if one.model != "Quote" and one.level is not Level.INFO]


@pytest.mark.parametrize(
    ("index", "rate", "rule"),
    [
        ("time", "3000/s", "KEY001"),
        ("time", None, "KEY001"),
        ("time", "120/s", None),  # as a table of this key, it is written with ease
        ("exchange", "3000/s", "KEY003"),
        ("exchange", "120/s", None),
        ("one exchange", "3000/s", None),  # nobody knows how many of the rows are of this one
        ("order", "3000/s", "KEY002"),
    ],
)
def test_new_rows_of_an_index_go_to_few_places_as_those_of_a_table(
    index: str, rate: str | None, rule: str | None
) -> None:
    """The rate is that of the table, and so are the values of its columns. SQL makes no salt: a query that needs one needs a table."""
    found = of_quotes(rate, index)
    assert [one.rule for one in found] == ([] if rule is None else [rule])
    for one in found:
        way = "put `salt = " if index == "order" else "begin the key with another field of `Quote`"
        assert way in one.fix
        assert "declare a second table" in one.fix
        assert "bt.twins" in one.fix


def test_the_rate_of_an_index_is_declared_on_its_table() -> None:
    """An index has no `events=` of its own."""

    def declare() -> object:
        class Call(bt.Model, table="CALL"):
            line: str = bt.key(bt.HexDigest(12), cardinality=12_000_000)
            began: datetime = bt.key(bt.EpochMillis())

            c = bt.family("c", gc=bt.max_versions(1))
            seconds: int = bt.column("s", c)

        class ByTime(bt.Index, of=Call, view="BY_TIME"):
            began: datetime = bt.key(bt.EpochMillis())
            line: str = bt.covered()
            seconds: int = bt.covered()

        return Call, ByTime

    (finding,) = [one for one in findings(declare) if one.rule == "KEY001"]
    assert 'declare the rate of `Call`: `events="10/s"`' in finding.fix


def copied(size: int | None, rate: str, *only: str) -> list[Finding]:
    """What TAB007 finds on an index of articles that covers their texts of this size; a query of it reads these columns."""

    def declare() -> object:
        class Article(bt.Model, table="ARTICLE", events=rate):
            id: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

            a = bt.family("a", gc=bt.max_versions(1))
            topic: str = bt.column("t", a, max_size=20, cardinality=500)
            read: int = bt.column("r", a)
            text: str = bt.column("x", a, **({} if size is None else {"size": size}))

        class OfTopic(bt.Index, of=Article, view="OF_TOPIC"):
            topic: str = bt.key(bt.Text(max_length=20))
            id: str = bt.covered()
            text: str = bt.covered()
            of_topic = bt.query("topic", only=list(only)) if only else bt.query("topic")

        return Article, OfTopic

    return [one for one in findings(declare) if one.rule == "TAB007"]


@pytest.mark.parametrize(
    ("size", "rate", "flagged"),
    [
        (50_000, "100/s", True),
        (50_000, "60/s", False),  # 2.9 MiB a second
        (8_000, "10000/s", False),  # as large as rows are
        (None, "100000/s", False),  # no size is guessed
    ],
)
def test_an_index_copies_large_values_with_every_write(size: int | None, rate: str, flagged: bool) -> None:
    """Only what was declared to be large and to be written often is flagged; what a query names is wanted there."""
    found = copied(size, rate)
    assert [one.level for one in found] == [Level.WARNING] * flagged
    for one in found:
        assert one.message.startswith(
            "each write of `Article` copies the 49 KiB of `text` to the view as well: 4.8 MiB a second"
        )
        assert one.fix.endswith("for the rows that are wanted: cover `read` in its place")
        assert [[column.name for column in made.columns] for made in one.models] == [["read"]]
    assert copied(size, rate, "text") == []


def test_the_cells_of_a_view_are_called_as_its_attributes() -> None:
    """SQL names them so, and no declaration says otherwise: no long name of one is found."""

    def declare() -> object:
        class Leg(bt.Model, table="LEG", events="10/s"):
            carrier: str = bt.key(bt.Text(width=2), cardinality=900)
            number: int = bt.key(bt.PaddedInt(6), cardinality=900_000, sequential=False)

            d = bt.family("d", gc=bt.max_age(days=90))
            arrival_delay_minutes: int = bt.column("a", d)

        class LegOfNumber(bt.Index, of=Leg, view="LEG_OF_NUMBER"):
            number: int = bt.key(bt.PaddedInt(6), cardinality=900_000, sequential=False)
            carrier: str = bt.key(bt.Text(width=2), cardinality=900)
            arrival_delay_minutes: int = bt.covered()
            of_number = bt.query("number")

        return Leg, LegOfNumber

    assert not findings(declare)
