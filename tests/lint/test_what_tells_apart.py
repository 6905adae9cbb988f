"""What tells the events of one key apart: an id of the event that each has, or who acts at one time; and no column that recurs, may be missing or changes."""

from collections.abc import Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.cell import CellCodec, EnumValue, Utf8, UuidBytes
from btmodel.codecs.key import DateText, EpochSeconds, Text, TimeText
from btmodel.lint import Finding
from btmodel.schema import Column, Expected, KeyField, ModelSchema, Query, Rate
from tests.lint.parts import found


class Sale(bt.Model, table="SALE", events="50000/day"):
    """What a shop sold."""

    shop: str = bt.key(bt.Text(max_length=20), cardinality=50)
    day: date = bt.key(bt.DateText())

    s = bt.family("s", gc=bt.max_versions(1))
    other: str = bt.column("o", s)
    amount: int = bt.column("a", s)

    of_shop = bt.query("shop", between="day")


def text(name: str, codec: CellCodec[Any] | None = None, *, required: bool = True) -> Column:
    return Column(name, "s", name.encode(), codec or Utf8(), required)


def sale(*columns: Column, **changes: Any) -> ModelSchema:
    """A sale with these columns beside the amount."""
    schema = bt.schema_of(Sale)
    amount = next(one for one in schema.columns if one.name == "amount")
    return evolve(schema, columns=(*columns, amount), **changes)


def collision(model: ModelSchema) -> Finding:
    (finding,) = found(model, "KEY017")
    return finding


WITHOUT_COLUMN = "add a field to the key that distinguishes the events, such as an id: `{shop}#{day}#{id}`; or store a more precise time: `day: datetime = bt.key(bt.EpochMillis())`"


class State(StrEnum):
    OPEN = "open"
    SHUT = "shut"


@pytest.mark.parametrize(
    "name",
    [
        "judge",
        "state",
        "meal",
        "song",
        "dish",
        "colour",
        "kind",
        "genre",
        "crop",
        "breed",
        "route",
        "cashier",
        "team",
        "weather",
        "till",
        "lane",
        "customer_id",
        "tag",
        "sku",
        "product_code",
        "reason",
        "outcome",
        "language",
        "trace_id",
        "order_ref",
        "booking",
    ],
)
def test_what_recurs_tells_no_events_apart(name: str) -> None:
    """Two events of a day may share it, whatever it is called: nothing declares, names or describes it as the event's own."""
    assert collision(sale(text(name))).fix == WITHOUT_COLUMN
    assert collision(sale(text(name), text("state", EnumValue(State, Utf8())))).fix == WITHOUT_COLUMN


@pytest.mark.parametrize("name", ["booking", "trace", "receipt", "event_id", "ticket_no", "invoice", "uuid"])
def test_what_may_be_missing_is_in_no_key(name: str) -> None:
    """Of a row without it, there is no key."""
    assert collision(sale(text(name, required=False))).fix == WITHOUT_COLUMN
    unique = collision(sale(text("guid", UuidBytes(), required=False)))
    assert unique.fix == WITHOUT_COLUMN


@pytest.mark.parametrize(
    "name",
    [
        "event_id",
        "receipt",
        "uuid",
        "sale_id",
        "sale_no",
        "receipt_number",
        "ticket",
        "invoice_no",
        "voucher",
        "transaction_id",
        "txn_id",
    ],
)
def test_an_id_of_the_event_tells_it_apart(name: str) -> None:
    """By its name, it is that of one event; the key gets it behind the time, and the fix holds."""
    finding = collision(sale(text("meal"), text(name)))
    assert finding.fix.startswith(
        f"make the column `{name}` a key field, to distinguish the events: `{{shop}}#{{day}}#{{{name}}}`"
    )
    shared = "; or, if two events may share it, add an id: `{shop}#{day}#{id}`"
    assert finding.fix.endswith(shared) is (name not in {"event_id", "uuid", "sale_id", "sale_no"})
    assert "meal" not in finding.fix
    assert all(found(made, "KEY017") == [] for made in finding.models)


@pytest.mark.parametrize(
    ("doc", "sure"),
    [
        ("What a shop sold. The `slip` is unique.", True),
        ("What a shop sold. Each sale has its own slip.", True),
        ("What a shop sold. `slip` identifies the sale.", True),
        ("What a shop sold, identified by its slip.", True),
        ("What a shop sold. No slip is given out twice.", True),
        ("What a shop sold. A slip is different for each sale.", True),
        ("What a shop sold. The slip is not unique.", False),
        ("What a shop sold. The slip is unique in a day of a printer, not in the shop.", False),
        ("What a shop sold. A slip lists several sales.", False),
        ("What a shop sold. Each cashier has his own slip.", False),
        ("What a shop sold. The slip identifies the customer.", False),
        ("What a shop sold, with its slip.", False),
    ],
)
def test_a_description_may_say_what_an_id_is(doc: str, sure: bool) -> None:
    """What is said to be of one event alone is its id, whatever it is called."""
    fix = collision(sale(text("slip"), doc=doc)).fix
    assert fix.startswith("make the column `slip` a key field") is sure
    assert ("slip" in fix) is sure


@pytest.mark.parametrize(
    ("name", "doc", "column"),
    [
        ("Comment", "A comment on a ticket.", "ticket"),
        ("Line", "One line of a receipt.", "receipt_no"),
        ("ReceiptLine", "", "receipt"),
        ("InvoiceItem", "What is billed.", "invoice_no"),
        ("DeviceReading", "", "device_id"),
        ("CardPayment", "", "card_no"),
    ],
)
def test_what_a_row_is_a_part_of_is_not_its_own(name: str, doc: str, column: str) -> None:
    """A receipt has several lines, and a device several readings."""
    made = sale(text(column), name=name, doc=doc)
    assert collision(made).fix == WITHOUT_COLUMN


@pytest.mark.parametrize(("name", "said"), [("sale_no", True), ("receipt", True), ("song", False)])
def test_of_a_summary_an_id_is_the_other_way(name: str, said: bool) -> None:
    """What is about a day may be written again, so the rate comes first; an id says that it is about events."""
    fix = collision(sale(text(name), doc="What a shop sold on a day.")).fix
    assert fix.startswith("if each key is written once, declare the rate")
    assert (f"; or make the column `{name}` a key field, to distinguish the events" in fix) is said
    assert ("or store a more precise time" in fix) is not said


def test_a_description_of_many_values_recurs() -> None:
    """Of millions of songs, most events have a few; each listener hears one after the other."""
    song = evolve(text("song"), expected=Expected(cardinality=9_000_000))
    listener = text("listener", UuidBytes())
    fix = collision(sale(song, listener, events=Rate.parse("900/s"))).fix
    assert fix.startswith("make the column `listener` a key field")
    assert "song" not in fix


def test_declared_values_and_queries_count_as_before() -> None:
    """A column of many declared values, or by which a query selects, is proposed; with an id, if two events may share it."""
    many = evolve(text("customer"), expected=Expected(cardinality=2_000_000))
    assert "`customer` (2,000,000 values) a key field" in collision(sale(many)).fix
    asked = sale(text("style"), queries=(Query("q", ("shop",), between="day", where=("style",)),))
    assert "the column `style` a key field" in collision(asked).fix
    assert "if two events may share it, add an id" in collision(asked).fix


@pytest.mark.parametrize("name", ["Sale", "SaleOfShop", "SaleByShop", "ShopSale", "SaleEvent", "SaleRecord"])
def test_a_row_is_called_by_the_end_of_its_name(name: str) -> None:
    """Behind a preposition stands something else, and an event, a record or an entry is one of what is named in front of it."""
    assert "`sale_id` a key field" in collision(sale(text("sale_id"), name=name, doc="")).fix
    assert collision(sale(text("shop_id"), name=name, doc="")).fix == WITHOUT_COLUMN


def test_what_changes_is_in_no_key() -> None:
    """By its name, or by what the description says of it, a row gets another value later."""
    assert collision(sale(text("current_ticket"))).fix == WITHOUT_COLUMN
    said = "What a shop sold. The voucher of a sale changes when it is exchanged."
    assert collision(sale(text("voucher"), doc=said)).fix == WITHOUT_COLUMN
    stays = "What a shop sold. The voucher of a sale never changes."
    assert "`voucher` a key field" in collision(sale(text("voucher"), doc=stays)).fix


class Score(bt.Model, table="SCORE", events="2/s"):
    """What a skater gets."""

    skater: str = bt.key(bt.Text(max_length=20), cardinality=200)
    at: datetime = bt.key(bt.EpochSeconds())

    s = bt.family("s", gc=bt.max_versions(1))
    judge: str = bt.column("j", s)
    points: int = bt.column("p", s)

    of_skater = bt.query("skater", between="at")


@pytest.mark.parametrize(
    ("doc", "judges"),
    [
        ("A score. Several judges score the same skater in the same second.", True),
        ("A score of a skater, one per judge. Many scores of a skater come in the same second.", True),
        ("A score. Each judge gives one score. Several of a skater come in the same second.", True),
        ("A score. All nine judges press at the same time: several scores of a skater in one second.", True),
        ("A score. There is a score from every judge. Many come for one skater in the same second.", True),
        ("A score that a judge gives. Several scores of a skater come in the same second.", False),
        (
            "A score. A judge corrects it at once: several scores of the same skater in the same second.",
            False,
        ),
        ("A score. The judges are on a list. Many scores of a skater in the same second.", False),
    ],
)
def test_who_acts_at_one_time_tells_events_apart(doc: str, judges: bool) -> None:
    """A judge is right where the description says that several of them act at one time, or one event for each."""
    finding = collision(evolve(bt.schema_of(Score), doc=doc))
    assert ("`{skater}#{at}#{judge}`" in finding.fix) is judges
    assert ("judge" in finding.fix) is judges
    if not judges:
        assert finding.fix.startswith("add a field to the key that distinguishes the events, such as an id")
    assert finding.models
    assert all(found(made, "KEY017") == [] for made in finding.models)


@pytest.mark.parametrize("columns", [("song", "booking"), ("song", "receipt"), ("receipt", "invoice_no")])
@pytest.mark.parametrize("codec", [DateText(), TimeText("%Y%m%d%H"), EpochSeconds()])
@pytest.mark.parametrize("where", [(), ("song",)])
def test_a_finding_says_each_way_once(columns: Sequence[str], codec: Any, where: tuple[str, ...]) -> None:
    """No key stands twice in one fix."""
    many = Expected(cardinality=900)
    plain = tuple(evolve(text(name), expected=many if name == "song" else Expected()) for name in columns)
    model = sale(
        *plain, events=Rate.parse("90000/s"), queries=(Query("q", ("shop",), between="day", where=where),)
    )
    fields = tuple(evolve(part, codec=codec) if part.name == "day" else part for part in model.key.fields)
    fix = collision(evolve(model, key=evolve(model.key, fields=fields))).fix
    ways = fix.split("; or")
    keys = [one for way in ways for one in way.split("`") if one.startswith("{")]
    assert len(keys) == len(set(keys)), fix
    assert len(ways) == len(set(ways)), fix


@pytest.mark.parametrize("events", ["9000/s", "900/s"])
def test_an_id_is_proposed_at_one_place(events: str) -> None:
    """Where fields stand behind the time, it is at the end or between, and not once here and once there."""
    kind = KeyField("kind", Text(max_length=20), 5)
    model = sale(text("ticket"), text("style"), events=Rate.parse(events))
    for time in (DateText(), EpochSeconds()):
        fields = (model.key.fields[0], KeyField("day", time), kind)
        asked = (Query("q", ("shop",), between="day", where=("style",)),)
        for queries in (model.queries, asked):
            made = evolve(model, key=evolve(model.key, fields=fields), queries=queries)
            assert collision(made).fix.count("add an id") == 1
