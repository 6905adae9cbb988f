"""Rows as dicts, as JSON, in pydantic and FastAPI; copies of rows; constructors that are called wrongly."""

import asyncio
import copy
import inspect
import json
import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

import attrs
import pandas as pd
import pytest
from fastapi import Body, FastAPI
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

import btmodel as bt
from btmodel.declare import codec_of
from btmodel.declare.row_forms import from_text, typed
from btmodel.errors import ValueRefused
from btmodel.rows import Cell
from btmodel.testing import instances
from examples.balloons import BalloonEvents
from examples.flights import AircraftFlight, AirportDeparture
from examples.market import Quote, Trade
from examples.weather import WeatherDay

AT = datetime(2015, 3, 16, 12, tzinfo=UTC)


class Side(StrEnum):
    """Buy or sell."""

    BUY = "b"
    SELL = "s"


@attrs.frozen
class Place:
    """A class that pydantic does not know."""

    floor: int


class Desk(bt.Model, table="DESK", bucket="day"):
    """Every shape of attribute."""

    kind = bt.constant("desk")
    host: str = bt.key(bt.Text(max_length=20), cardinality=3)
    day: date = bt.key(bt.DateText())

    f = bt.family("f", gc=bt.max_versions(1))
    raw: bytes | None = bt.column("raw", f, default=None)
    price: Decimal | None = bt.column("p", f, default=None)
    side: Side | None = bt.column("s", f, default=None)
    id: UUID | None = bt.column("id", f, default=None)
    sizes: dict[str, list[int]] | None = bt.column("sizes", f, default=None)
    place: Place | None = bt.column("place", f, codec=bt.Json(Place), default=None)
    h = bt.family("h", gc=bt.max_age(days=9))
    temps: bt.History[float] = bt.history("t", h)
    m = bt.family("m", gc=bt.max_age(days=9))
    clicks: bt.History[int] = bt.marks(m, bt.Int(6))
    g = bt.family("g", gc=bt.max_versions(1))
    power: bt.Slots[int] = bt.slots(g, every="15min", qualifier="%H%M")
    t = bt.family("t", gc=bt.max_versions(1))
    tags: set[str] = bt.members(t, bt.Text(max_length=20))
    n = bt.family("n", gc=bt.max_versions(1))
    parts: dict[int, bytes] = bt.mapping(n, bt.PaddedInt(4))
    c = bt.family("c", gc=bt.max_versions(1), aggregate="sum")
    total: int | None = bt.counter("n", c)


class Seen(bt.Model, table="seen"):
    """A page whose time lies in the timestamps of its cells."""

    page: str = bt.key(bt.Text(max_length=5))
    at: datetime = bt.timestamp()

    d = bt.family("d", gc=bt.max_versions(1))
    title: str = bt.column("t", d)


DESK = Desk(
    host="a",
    day=AT.date(),
    raw=b"\xff\xfb",
    price=Decimal("1.50"),
    side=Side.SELL,
    id=UUID(int=7),
    sizes={"a": [1]},
    place=Place(3),
    temps=bt.History({AT: 1.5}),
    clicks=bt.History({AT: 3}),
    power=bt.Slots({AT: 4}),
    tags={"b", "a"},
    parts={7: b"\xfe"},
)
IN_JSON = {
    "host": "a",
    "day": "2015-03-16",
    "raw": "//s=",
    "price": "1.50",
    "side": "s",
    "id": "00000000-0000-0000-0000-000000000007",
    "sizes": {"a": [1]},
    "place": {"floor": 3},
    "temps": {"2015-03-16T12:00:00+00:00": 1.5},
    "clicks": {"2015-03-16T12:00:00+00:00": 3},
    "power": {"2015-03-16T12:00:00+00:00": 4},
    "tags": ["a", "b"],
    "parts": {"7": "/g=="},
    "total": None,
}


def partly() -> Desk:
    """A row of which only the price was read."""
    return codec_of(Desk).decode(b"desk#a#20150316", [Cell("f", b"p", 0, b"1.50")], frozenset({"price"}))


def counted() -> Desk:
    """A row with a count and a cell of somebody else's."""
    cells = [Cell("c", b"n", 0, (5).to_bytes(8, "big")), Cell("f", b"other", 0, b"x")]
    return codec_of(Desk).decode(b"desk#a#20150316", cells)


def test_a_row_is_a_dict_of_its_attributes() -> None:
    """Key fields come first; a constant is no attribute of a row, and what was not read is left out."""
    found = bt.to_dict(DESK)
    assert list(found) == list(IN_JSON)
    assert found["temps"] == {AT: 1.5}
    assert found["tags"] == {"a", "b"}
    assert found["total"] is None
    assert bt.to_dict(partly()) == {"host": "a", "day": AT.date(), "price": Decimal("1.50")}
    assert bt.from_dict(Desk, found) == DESK


def test_a_row_in_json_is_this_text() -> None:
    """Every shape has one form, which ``json.dumps`` takes and ``from_dict`` reads back."""
    assert bt.to_dict(DESK, json=True) == IN_JSON
    assert bt.from_dict(Desk, json.loads(json.dumps(IN_JSON)), json=True) == DESK
    assert bt.from_dict(Desk, bt.to_dict(counted(), json=True), json=True) == counted()


MODELS = [AircraftFlight, AirportDeparture, BalloonEvents, Quote, Trade, WeatherDay, Seen]


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_every_row_comes_back_from_its_json(model: type[bt.Model], data: st.DataObject) -> None:
    """As from its dict; pydantic writes the same JSON, and reads it as the same row."""
    row = data.draw(instances(model))
    assert bt.from_dict(model, bt.to_dict(row)) == row
    try:
        text = json.dumps(bt.to_dict(row, json=True), allow_nan=False)
    except ValueRefused as error:
        assert "expected a finite number, in JSON" in str(error)  # noqa: PT017
        return
    assert bt.from_dict(model, json.loads(text), json=True) == row
    types = TypeAdapter[Any](model)
    assert json.loads(types.dump_json(row)) == json.loads(text)
    assert types.validate_json(text) == types.validate_python(json.loads(text)) == row


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"price": 1.5}, r"Desk\.price: expected a Decimal as text, in JSON, got 1\.5"),
        (
            {"temps": {"noon": 1.0}},
            r"Desk\.temps\['noon'\]: expected an ISO time with its offset, in JSON, got 'noon'",
        ),
        (
            {"temps": {"2015-03-16T12:00:00.0000001Z": 1.0}},
            r"Desk\.temps\['.*'\]: expected a time in whole microseconds .*, in JSON, got '2015-03-16T12:00:00\.0000001Z'",
        ),
        ({"raw": "?"}, r"Desk\.raw: expected bytes as base64 text, or null, in JSON, got '\?'"),
        (
            {"parts": {"007": ""}},
            r"Desk\.parts\['007'\]: expected a whole number as text, in JSON, got '007'",
        ),
        ({"place": {"flor": 3}}, r"Desk\.place: expected an object for Place with 'floor'"),
    ],
)
def test_json_that_does_not_fit_is_refused_with_its_place(changed: dict[str, Any], said: str) -> None:
    """Nothing is converted that is of another type."""
    with pytest.raises(ValueRefused, match=said):
        bt.from_dict(Desk, {**IN_JSON, **changed}, json=True)


class Sighting(bt.Model, table="SIGHTING", events="1/day"):
    """Values of which a text may say more than they can hold."""

    name: str = bt.key(bt.Text(max_length=5))
    at: datetime = bt.key(bt.EpochMicros())
    f = bt.family("f", gc=bt.max_versions(1))
    seen: datetime | None = bt.column("s", f, default=None)
    raw: bytes | None = bt.column("r", f, default=None)
    count: int | None = bt.column("n", f, default=None)
    length: float | None = bt.column("l", f, default=None)
    id: UUID | None = bt.column("i", f, default=None)
    day: date | None = bt.column("d", f, default=None)
    there: bool | None = bt.column("b", f, default=None)


LOSSY = [
    ("seen", "2015-03-16T12:00:00.1234567Z"),
    ("seen", "2015-03-16T12:00:00,123456001+00:00"),
    ("seen", "2015-03-16T12:00:00+01:00:00.0000001"),
    ("at", "2015-03-16T12:00:00.123456789Z"),
    ("raw", "QR=="),  # has bits that are no byte
    ("raw", "Q Q=="),
    ("raw", "QQ"),
    ("count", "1.0"),
    ("count", "1e3"),
    ("count", "1_000"),
    ("count", "true"),
    ("length", "9007199254740993"),
    ("length", "1e999"),
    ("id", "{12345678-1234-1234-1234-123456789abc}"),
    ("id", "12345678123412341234123456789abc"),
    ("day", "20150316"),
    ("day", "2015-W12-1"),
    ("there", "1"),
    ("there", "True"),
]


@pytest.mark.parametrize(("name", "text"), LOSSY)
def test_no_text_loses_anything_on_its_way(name: str, text: str) -> None:
    """What a value cannot hold is refused, in a file, on the command line, in a form and in JSON alike."""
    given = {"name": "a", "at": "2015-03-16T12:00:00Z"}
    with pytest.raises(ValueRefused, match=rf"Sighting\.{name}: expected "):
        from_text(Sighting, name, text)
    with pytest.raises(ValueRefused, match=rf"Sighting\.{name}: expected "):
        typed(Sighting, name, text)
    with pytest.raises(ValueRefused, match=rf"Sighting\.{name}: expected "):
        bt.from_dict(Sighting, {**given, name: text}, json=True)


@pytest.mark.parametrize(
    ("name", "text"),
    [("seen", "2015-03-16T12:00:00.1234567Z"), ("at", "2015-03-16T12:00:00.000000001Z")]
    + [("raw", text) for text in ("QR==", "Q!Q==", "QQ")],
)
def test_pydantic_takes_no_text_that_loses_anything(name: str, text: str) -> None:
    """Of its own, pydantic cuts nanoseconds, and passes over what is no letter of base64."""
    given = {"name": "a", "at": "2015-03-16T12:00:00Z", name: text}
    with pytest.raises(ValidationError, match=name):
        TypeAdapter(Sighting).validate_json(json.dumps(given))


def test_a_time_of_pandas_is_not_cut() -> None:
    """Its nanoseconds would make several rows one; one without them is a time as any other."""
    fine = pd.Timestamp("2015-03-16T12:00:00.123456001Z")
    with pytest.raises(
        ValueRefused, match=r"Sighting\.at: expected a time in whole microseconds .*\.floor\('us'\)"
    ):
        Sighting.row_key(name="a", at=fine)
    with pytest.raises(ValueRefused, match=r"Sighting\.seen: expected a time in whole microseconds"):
        bt.mutation_of(Sighting(name="a", at=AT, seen=fine))
    assert Sighting.row_key(name="a", at=fine.floor("us")) == b"a#1426507200123456"


def test_zeros_behind_the_microseconds_lose_nothing() -> None:
    """As other languages write nine digits each time."""
    text = "2015-03-16T12:00:00.123456000Z"
    at = datetime(2015, 3, 16, 12, 0, 0, 123_456, UTC)
    given = {"name": "a", "at": text}
    assert from_text(Sighting, "at", text) == typed(Sighting, "at", text) == at
    assert bt.from_dict(Sighting, given, json=True) == Sighting(name="a", at=at)
    assert TypeAdapter(Sighting).validate_json(json.dumps(given)) == Sighting(name="a", at=at)


def test_what_is_no_row_and_no_mapping_is_refused() -> None:
    """With a sentence that says what was expected."""
    with pytest.raises(ValueRefused, match="expected a row, an object of a model, got 3"):
        bt.to_dict(3)  # type: ignore[arg-type]
    with pytest.raises(ValueRefused, match="expected a row, an object of a model, got 3"):
        bt.unknown_cells(3)  # type: ignore[arg-type]
    with pytest.raises(ValueRefused, match=r"Desk: expected a mapping .*, got \[\]"):
        bt.from_dict(Desk, [])  # type: ignore[arg-type]
    with pytest.raises(ValueRefused, match=r"Seen\.title: expected text, in JSON, got 3"):
        bt.to_dict(Seen(page="a", at=AT, title=3), json=True)  # type: ignore[arg-type]


def test_a_copy_has_other_values_and_all_else_of_the_row() -> None:
    """Counts, unknown cells and what was not read stay as they are; the row itself is not changed."""
    other = bt.replace(DESK, price=None, temps={AT: 2.0})
    assert (other.price, other.temps, type(other.temps)) == (None, {AT: 2.0}, bt.History)
    assert DESK.price == Decimal("1.50")
    assert bt.replace(other, price=DESK.price, temps=DESK.temps) == DESK
    again = bt.replace(counted(), raw=b"y")
    assert (again.total, again.raw, bt.unknown_cells(again)) == (5, b"y", bt.unknown_cells(counted()))
    some = bt.replace(partly(), raw=b"z")
    assert bt.to_dict(some) == {"host": "a", "day": AT.date(), "raw": b"z", "price": Decimal("1.50")}
    with pytest.raises(AttributeError, match="was not read"):
        _ = some.side
    if sys.version_info >= (3, 13):
        assert copy.replace(DESK, price=None) == bt.replace(DESK, price=None)


def test_a_copy_refuses_other_names_and_counters() -> None:
    """A name that is none offers what is near."""
    with pytest.raises(
        TypeError,
        match=r"^replace: Quote has no attribute 'bidsize' \(did you mean bid_size or bid\?\): expected some of exchange, ",
    ):
        bt.replace(Quote(exchange="N", symbol="I", quote_time=AT), bidsize=3)
    with pytest.raises(ValueRefused, match=r"Desk\.total: expected nothing: a counter is added to"):
        bt.replace(DESK, total=3)


def test_rows_of_equal_attributes_are_equal() -> None:
    """Whatever lies in cells that the model does not know; what was not read is equal to nothing that was."""
    assert counted() == bt.replace(counted()) != DESK
    assert partly() == partly() != DESK


def test_a_row_shows_its_attributes_alone() -> None:
    """Neither cells that the model does not know nor constants; collections by their names."""
    assert repr(counted()).startswith("Desk(host='a', day=datetime.date(2015, 3, 16), raw=None, ")
    assert repr(counted()).endswith("clicks=History({}), power=Slots({}), tags=set(), parts={}, total=5)")
    assert repr(partly()) == "Desk(host='a', day=datetime.date(2015, 3, 16), price=Decimal('1.50'))"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Quote.row_key("N"), r"^Quote: row_key: expected each field by its name, as row_key\(exchange=\.\.\.\), got 1 without$"),  # type: ignore[arg-type]
        (lambda: Quote.by_symbol("N", "I"), r"^Quote\.by_symbol: a query of a model is not called: `Quote\.by_symbol\.plan\(exchange=\.\.\., symbol=\.\.\., quote_time=\(start, end\)\)` plans it, and `by_symbol\(\.\.\.\)` of a repository reads$"),  # type: ignore[operator]
        (lambda: Quote.by_symbol.plan("N"), r"^Quote\.by_symbol: expected each field by its name, as `Quote\.by_symbol\.plan\(exchange=\.\.\., symbol=\.\.\., quote_time=\(start, end\)\)`, got 1 without$"),  # type: ignore[arg-type]
        (lambda: Quote.by_symbol.explain("N"), r"^Quote\.by_symbol: expected each field by its name"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_a_wrong_call_is_answered_with_a_sentence(call: Any, said: str) -> None:
    """It is a TypeError, and names what is unknown, what is missing and what is near."""
    with pytest.raises(TypeError, match=said):
        call()


def test_a_dict_of_other_names_is_refused() -> None:
    """As a value that does not fit: dicts come from outside."""
    values = {"exchange": "N", "symbol": "I", "quote_time": AT}
    with pytest.raises(
        ValueRefused, match=r"^Quote: expected names of attributes \(did you mean bid_size.*\), got 'bidsize'"
    ):
        bt.from_dict(Quote, {**values, "bidsize": 3})
    del values["quote_time"]
    with pytest.raises(
        ValueRefused, match=r"^Quote: expected values of quote_time as well, got \['exchange', 'symbol'\]"
    ):
        bt.from_dict(Quote, values)


def test_the_signature_is_that_of_the_class() -> None:
    """Help and editors show what the class declares; the collections of a bucket are none of its business."""
    shown = str(inspect.signature(Seen))
    assert shown == "(*, page: str, at: datetime.datetime, title: str) -> None"
    assert "total" not in inspect.signature(Desk).parameters
    assert inspect.signature(Desk).parameters["raw"].default is None


class Answer(BaseModel):
    """What a service answers: rows within a class of pydantic."""

    newest: Desk
    all: list[Desk]


app = FastAPI()


@app.get("/desks")
def desks() -> list[Desk]:
    """Whole rows."""
    return [DESK, counted()]


@app.get("/partly", response_model_exclude_none=True)
def parts() -> Desk:
    """A row of which some was read."""
    return partly()


@app.post("/desks")
def keep(desk: Annotated[Desk, Body()]) -> Answer:
    """A row that is sent, within another answer."""
    assert isinstance(desk, Desk)
    return Answer(newest=desk, all=[desk])


def asked(method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """The status and the JSON that the service answers."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": json.dumps(body).encode()}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": [(b"content-type", b"application/json")]}  # fmt: skip
    asyncio.run(app(scope, receive, send))
    text = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], json.loads(text)


def test_a_service_answers_with_rows() -> None:
    """A model is the type of a route: what it returns is sent as JSON, and what comes is checked."""
    assert asked("GET", "/desks") == (200, [IN_JSON, bt.to_dict(counted(), json=True)])
    assert asked("GET", "/partly") == (200, {"host": "a", "day": "2015-03-16", "price": "1.50"})
    assert asked("POST", "/desks", IN_JSON) == (200, {"newest": IN_JSON, "all": [IN_JSON]})
    status, answer = asked("POST", "/desks", {**IN_JSON, "price": "much", "prize": 3})
    assert status == 422
    assert sorted(one["loc"][-1] for one in answer["detail"]) == ["price", "prize"]


def test_a_service_describes_rows() -> None:
    """OpenAPI has each model once, by its name, with its attributes, what must be there, and what is only read."""
    described = app.openapi()["components"]["schemas"]
    desk = next(described[name] for name in ("Desk", "Desk-Output") if name in described)
    assert desk["title"] == "Desk"
    assert desk["description"] == "Every shape of attribute."
    assert list(desk["properties"]) == list(IN_JSON)
    assert {"host", "day"} <= set(desk["required"])
    assert not {"price", "tags"} & set(desk["required"])
    assert desk["properties"]["temps"]["additionalProperties"] == {"type": "number"}
    assert desk["properties"]["total"]["readOnly"] is True
    assert desk["properties"]["raw"]["anyOf"][0] == {"type": "string", "contentEncoding": "base64"}
    answer = described["Answer"]["properties"]
    assert answer["all"]["items"] == answer["newest"]
    assert "Desk" in answer["newest"]["$ref"]


def test_pydantic_names_each_attribute_that_is_wrong() -> None:
    """As it does of a class of its own; a row is taken as it is, and another model's is refused."""
    types = TypeAdapter(Desk)
    assert types.validate_python(DESK) is DESK
    with pytest.raises(ValidationError) as caught:
        types.validate_python({**IN_JSON, "day": "noon", "side": "x", "place": {}})
    assert [one["loc"] for one in caught.value.errors()] == [("day",), ("side", "s"), ("place",)] or {
        one["loc"][0] for one in caught.value.errors()
    } == {"day", "side", "place"}
    with pytest.raises(ValidationError):
        types.validate_python(Seen(page="a", at=AT, title="t"))


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("temps", 5, "a mapping from times to values"),
        ("tags", ["a"], "a set"),
        ("parts", 5, "a mapping"),
        ("power", [1], "a mapping from times to values"),
    ],
)
def test_what_is_wrong_of_a_collection_is_told_with_its_attribute(
    name: str, value: object, told: str
) -> None:
    """When a row is made, when it is set, and when it is copied."""
    match = rf"Desk\.{name}: expected {told}"
    with pytest.raises(ValueRefused, match=match):
        bt.from_dict(Desk, {**bt.to_dict(DESK), name: value})
    with pytest.raises(ValueRefused, match=match):
        bt.replace(DESK, **{name: value})
