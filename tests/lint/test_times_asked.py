"""The time in a question of a description: the proposed query asks in its order."""

from datetime import date, datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, review_all
from btmodel.schema import Query
from tests.lint.parts import found


class Move(bt.Model, table="MOVE", events="40/s"):
    """A move of a container by a crane."""

    container: str = bt.key(bt.Text(max_length=11), cardinality=200_000)
    moved_at: datetime = bt.key(bt.EpochMicros())

    d = bt.family("d", gc=bt.max_age("90d"))
    crane: int = bt.column("crane", d)
    weight: int = bt.column("weight", d)

    by_container = bt.query("container", between="moved_at")


class Repair(bt.Model, table="REPAIR", events="4/s"):
    """A repair of a machine, which a fitter reports when it is over."""

    repair: str = bt.key(bt.Text(max_length=20), cardinality=9_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    fitter: str = bt.column("fitter", d, max_size=12)
    reported: datetime = bt.column("reported", d)
    seen_at: datetime | None = bt.column("seen", d, default=None)

    one = bt.query("repair")


def asked(model: type[bt.Model], sentence: str) -> Finding:
    """What is found of the sentence behind the description of the model."""
    schema = bt.schema_of(model)
    found = review_all([evolve(schema, doc=f"{schema.doc}\n\n{sentence}")])
    (one,) = (one for one in found if one.rule == "QRY008")
    return one


@pytest.mark.parametrize(
    "sentence",
    [
        "The control room asks for the newest moves of a crane.",
        "The screen shows the latest moves of a crane.",
        "A page lists the most recent moves of one crane.",
        "Operators look up the last twenty moves of a crane.",
        "The board lists the moves of a crane, newest first.",
    ],
)
def test_the_newest_of_something_come_first(sentence: str) -> None:
    """The time stands right behind what is given, so that a read stops after as many as it wants."""
    found = asked(Move, sentence)
    assert 'declare `by_crane = bt.query("crane", between="moved_at", newest=True)`' in found.fix
    assert found.models[1].key.shape == "{crane}#{moved_at}#{container}"


@pytest.mark.parametrize(
    "sentence",
    [
        "Billing lists the moves of a crane in one month.",
        "Planners look up the moves of a crane between two dates.",
        "The desk lists the moves of a crane of the past seven days.",
        "Auditors look up the moves of a crane by order of time.",
        "The desk lists the recent moves of a crane.",
    ],
)
def test_the_rows_of_a_period_are_a_range(sentence: str) -> None:
    """Of the time in the key; the order is that of the key."""
    found = asked(Move, sentence)
    assert 'declare `by_crane = bt.query("crane", between="moved_at")`' in found.fix
    assert found.models[1].key.shape == "{crane}#{moved_at}#{container}"


def test_a_time_that_is_a_column_joins_the_key() -> None:
    """Where the row has but one that stays as it is."""
    found = asked(Repair, "The office lists the newest repairs of a fitter.")
    assert 'bt.query("fitter", between="reported", newest=True)' in found.fix
    assert found.models[1].key.shape == "{fitter}#{reported}#{repair}"


@pytest.mark.parametrize(
    "sentence",
    [
        "The control room lists the moves of a crane.",
        "The control room lists the moves of a crane with the latest value of the weight.",
        "The control room looks up the moves of a crane by its last name.",
    ],
)
def test_a_question_without_a_time_is_of_the_key_as_it_is(sentence: str) -> None:
    """What is new is not always a row."""
    assert 'declare `by_crane = bt.query("crane")`' in asked(Move, sentence).fix


class Order(bt.Model, table="ORDER", events="100/s"):
    """An order."""

    order: str = bt.key(bt.HexDigest(12), cardinality=100_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    region: str = bt.column("r", d, size=10)
    day: date = bt.column("day", d)
    courier: int = bt.column("c", d)

    one = bt.query("order")


@pytest.mark.parametrize(
    ("sentence", "key"),
    [
        ("Orders are asked for by region and day.", "{region}#{day}#{order}"),
        ("Orders are listed by day and region.", "{region}#{day}#{order}"),
        ("Dispatchers look orders up by the region and the day.", "{region}#{day}#{order}"),
        ("Access path: by region and day.", "{region}#{day}#{order}"),
        ("Orders are queried by courier and day.", "{courier}#{day}#{order}"),
        ("Orders are looked up by region, courier and day.", "{region}#{courier}#{day}#{order}"),
        ("Orders are looked up by region, courier, and day.", "{region}#{courier}#{day}#{order}"),
        ("Orders are looked up by region and courier.", "{region}#{courier}#{order}"),
        ("Orders are listed by region, and a courier brings them.", "{region}#{order}"),
        ("Orders are listed by region, courier bags are packed.", "{region}#{order}"),
        ("Orders are listed by region, and the day is printed on them.", "{region}#{order}"),
        ("Orders are listed by region.", "{region}#{order}"),
    ],
)
def test_what_is_asked_by_several_attributes_is_served_by_all(sentence: str, key: str) -> None:
    """A time among them is the range of the query; what a comma only puts beside is none of them."""
    assert asked(Order, sentence).models[1].key.shape == key


def test_a_second_table_answers_the_words_too() -> None:
    """The query that it takes over was the answer to the description, so both are reviewed together."""
    schema = bt.schema_of(Sale)
    doc = "A sale. Sales are asked for by region and day."
    query = Query("q", ("chain",), where=("region", "day"))
    (told,) = found(evolve(schema, doc=doc, queries=(*schema.queries, query)), "QRY005")
    assert [made.key.shape for made in told.models] == ["{chain}#{sale}", "{chain}#{region}#{day}#{sale}"]


class Sale(bt.Model, table="SALE", events="100/s"):
    """A sale."""

    chain: str = bt.key(bt.Text(width=10), cardinality=40)
    sale: str = bt.key(bt.HexDigest(12), cardinality=100_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    region: str = bt.column("r", d, size=10, cardinality=300)
    day: date = bt.column("day", d)

    one = bt.query("chain", "sale")
