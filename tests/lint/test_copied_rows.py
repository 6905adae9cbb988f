"""KEY023, condition by condition: which table is a copy of another one, and which fields its key lacks."""

import pytest
from attrs import evolve

from btmodel.codecs.cell import Int64, Utf8
from btmodel.codecs.cell.encoded import UuidBytes
from btmodel.codecs.cell.time import IsoDate, Micros
from btmodel.codecs.key import DateText, EpochSeconds, HexDigest, OrderedInt, PaddedInt, Text, UuidText
from btmodel.lint import review_all
from btmodel.lint.rules.key023_copies_share_key import RULE
from btmodel.schema import (
    Bucket,
    Column,
    Derived,
    Family,
    KeyField,
    Location,
    ModelSchema,
    Rate,
    RowKey,
    Shape,
)
from btmodel.schema.gc import max_versions

ITEM = KeyField("item", HexDigest(16), cardinality=1_000_000)
OFFICE = KeyField("office", Text(width=4), cardinality=1_200)
FOUND = KeyField("found", DateText())
PRICE = KeyField("price", OrderedInt())
RECEIPT = KeyField("receipt", UuidText())
LINE = KeyField("line", PaddedInt(4))
COLUMNS = {
    column.name: column
    for column in (
        Column("item", "i", b"item", Utf8(), required=True),
        Column("item_id", "i", b"item_id", Utf8(), required=True),
        Column("office", "i", b"office", Utf8(), required=True),
        Column("found", "i", b"found", IsoDate(), required=True),
        Column("price", "i", b"price", Int64(), required=True),
        Column("line", "i", b"line", Int64(), required=True),
        Column("receipt", "i", b"receipt", UuidBytes(), required=True),
        Column("note", "i", b"note", Utf8(), required=False),
    )
}


def table(name: str, key: tuple[KeyField, ...], *columns: str | Column) -> ModelSchema:
    return ModelSchema(
        name=name,
        module="shop.models",
        doc="",
        table=name.lower(),
        key=RowKey(key, b"#"),
        families=(Family("i", max_versions(1)),),
        columns=tuple(COLUMNS[one] if isinstance(one, str) else one for one in columns),
        location=Location("models.py", 1),
        events=Rate.parse("200/day"),
    )


FIRST = table("Item", (ITEM,), "office", "found", "price")
COPY = table("ItemOfOffice", (OFFICE, FOUND), "item")


def lacking(first: ModelSchema, copy: ModelSchema) -> str:
    """What the rule says that the key of the copy lacks; nothing where it finds nothing."""
    findings = [one for one in RULE.check([first, copy]) if one.model == copy.name]
    return " ".join(
        f"{one.model}: {one.message.partition(' lacks ')[2].partition(':')[0]}" for one in findings
    )


def test_a_copy_lacks_the_id() -> None:
    """Of the first table, whose attributes it has, or some of them, and no other."""
    assert lacking(FIRST, COPY) == "ItemOfOffice: `item`"
    assert lacking(table("Item", (ITEM,), "office", "found"), COPY) == "ItemOfOffice: `item`"
    assert lacking(FIRST, table("ItemOfOffice", (OFFICE, FOUND), "price")) == "ItemOfOffice: `item`"
    assert lacking(FIRST, table("ItemOfOffice", (OFFICE, FOUND), "item", "note")) == ""


@pytest.mark.parametrize(
    "copy",
    [
        evolve(COPY, table=FIRST.table),
        evolve(COPY, events=Rate.parse("100/day")),
        evolve(COPY, events=None),
        evolve(COPY, bucket=Bucket.DAY),
        evolve(COPY, columns=()),
        evolve(COPY, columns=(evolve(COLUMNS["item"], shape=Shape.HISTORY),)),
        table("ItemOfOffice", (OFFICE,), "item"),
        evolve(COPY, columns=(evolve(COLUMNS["item"], codec=Int64()),)),
    ],
)
def test_what_is_no_copy(copy: ModelSchema) -> None:
    """The same table, one of other events, one whose rows gather several, and one without a column or a time."""
    assert lacking(FIRST, copy) == ""


def test_tables_of_no_declared_events_are_not_compared() -> None:
    """As nothing says that both have the same."""
    assert lacking(evolve(FIRST, events=None), evolve(COPY, events=None)) == ""


def test_a_time_and_a_field_of_one_value_tell_nothing_apart() -> None:
    """Beside the id, in the key of the first table."""
    assert lacking(table("Item", (ITEM, FOUND), "office"), COPY) == "ItemOfOffice: `item`"
    shop = KeyField("shop", Text(width=2), cardinality=1)
    assert lacking(table("Item", (shop, ITEM), "office", "found"), COPY) == "ItemOfOffice: `item`"


def test_the_finest_field_is_enough() -> None:
    """Of lines of an item, the line, of which nobody says how many there are."""
    first = table("Item", (ITEM, LINE), "office", "found")
    assert lacking(first, table("ByItem", (ITEM, FOUND), "line", "office")) == "ByItem: `line`"
    assert lacking(first, table("ByLine", (LINE, FOUND), "item", "office")) == ""


@pytest.mark.parametrize(
    ("time", "rate", "rule"),
    [
        (FOUND, "200/s", "KEY023"),
        (KeyField("found", EpochSeconds()), "200/s", "KEY023"),
        (KeyField("found", EpochSeconds()), "200/day", "KEY023"),
        (KeyField("found", EpochSeconds()), "9000/s", "KEY017"),
    ],
)
def test_what_two_rules_find_is_said_once(time: KeyField, rate: str, rule: str) -> None:
    """By this one, which knows the field; or by that on the rate, where nearly all is lost."""
    first, copy = (
        evolve(one, events=Rate.parse(rate)) for one in (FIRST, table("Second", (OFFICE, time), "item"))
    )
    if time is not FOUND:
        columns = (evolve(one, codec=Micros()) if one.name == "found" else one for one in first.columns)
        first = evolve(first, columns=tuple(columns))
    told = [one for one in review_all([first, copy]) if one.rule in ("KEY017", "KEY023")]
    assert [(one.rule, one.model) for one in told] == [(rule, "Second")]
    assert rule == "KEY017" or "`{office}#{found}#{item}`" in told[0].fix


def test_events_that_replace_others_on_purpose_may_share_a_key() -> None:
    """The second table says so of the rule on rates, which this one would find otherwise, too."""
    often = Rate.parse("200/s")
    copy = evolve(COPY, events=often, allow={"KEY017": "the last one of a day counts"})
    assert lacking(evolve(FIRST, events=often), copy) == ""


def test_a_key_that_identifies_the_event_otherwise_lacks_nothing() -> None:
    """By an id of its own, or by a hash of the first one; a salt of it does not."""
    first = table("Item", (ITEM,), "office", "found", "receipt")
    assert lacking(first, table("ByReceipt", (RECEIPT, FOUND), "item", "office")) == ""
    for values, expected in ((None, ""), ((0, 1), "ItemOfOffice: `item`")):
        hash = KeyField("hash", PaddedInt(9), derived=Derived(("item",), int, values))
        assert lacking(FIRST, table("ItemOfOffice", (OFFICE, hash, FOUND), "item")) == expected


def test_a_value_that_rows_may_lack_is_no_id() -> None:
    """Nor is one that identifies nothing; a column beside it says nothing of that."""
    optional = evolve(COLUMNS["item"], required=False)
    assert lacking(FIRST, table("ItemOfOffice", (OFFICE, FOUND), optional)) == ""
    first = table("Item", (ITEM,), "office", "found", "note")
    assert lacking(first, table("ItemOfOffice", (OFFICE, FOUND), "note", "item")) == "ItemOfOffice: `item`"
    by_price = table("ByPrice", (OFFICE, FOUND, PRICE), "receipt")
    assert lacking(by_price, table("Second", (OFFICE, FOUND), "price")) == ""
    called = KeyField("item_id", HexDigest(16), cardinality=1_000_000)
    copy = table("ItemOfOffice", (OFFICE, FOUND), "item_id")
    assert lacking(table("Item", (OFFICE, FOUND, called)), copy) == "ItemOfOffice: `item_id`"


def test_two_copies_that_keep_each_row_of_the_first_lack_nothing_of_each_other() -> None:
    """One has a column of it in front of its key, and the other one has another column there; a key that has less than the first still lacks it."""
    first = table("Day", (OFFICE, FOUND), "item", "line", "price")
    by_item = table("DayByItem", (ITEM, OFFICE, FOUND), "line", "price")
    by_line = table("DayByLine", (LINE, OFFICE, FOUND), "item", "price")
    assert lacking(by_item, by_line) == "DayByLine: `item`"
    assert [*RULE.check([first, by_item, by_line])] == []
    short = table("DayByPrice", (PRICE, FOUND), "item")
    assert [one.model for one in RULE.check([first, by_item, short])] == ["DayByPrice"]
