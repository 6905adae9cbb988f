"""Declared models: what a class and its rows can do."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, ClassVar

import attrs
import pytest

import btmodel as bt
from btmodel.codecs.cell import DecimalText, Int64
from btmodel.errors import DeclarationError, QueryRefused, ValueRefused
from btmodel.rows import Cell
from btmodel.schema import AccessKind, ModelSchema, access


class Priced(bt.Model):
    """What models of prices share."""

    unit: ClassVar[str] = "USD"
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: Decimal | None = bt.column("BID", md, default=None)
    size: int = bt.column("SIZE", md, codec=bt.DecimalText())


class Quote(Priced, table="QUOTE", events="5000/s"):
    """A quote."""

    exchange: str = bt.key(bt.Text(width=6), cardinality=20, mirror="MD:EXCHANGE")
    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)
    quote_time: datetime = bt.key(bt.EpochMillis(), mirror=("MD:TIME", bt.Micros()))

    by_symbol = bt.query("exchange", "symbol", between="quote_time")


class Score(bt.Model, table="game", delimiter=":"):
    """A score of a game, in a table with others."""

    game: str = bt.constant("LoL")
    player: str = bt.key(bt.Text(max_length=8), cardinality=1000)
    day: date = bt.key(bt.DateText())
    f = bt.family("f", gc=bt.keep_all())
    points: bt.History[int] = bt.history("p", f)


class Commit(bt.Model, table="commit"):
    """A key of several delimiters."""

    kind = bt.constant("user", ends=":")
    shard = bt.salt("org", buckets=4, ends=b"~")
    org: str = bt.key(bt.Text(max_length=20), cardinality=1000, ends="/")
    project: str = bt.key(bt.Text(max_length=20), cardinality=10_000)
    at: date = bt.key(bt.DateText())
    f = bt.family("f", gc=bt.max_versions(1))
    lines: int = bt.column("l", f)

    of_org = bt.query("org")


AT = datetime(2015, 3, 16, 19, 53, 32, 156_000, tzinfo=UTC)


def quote(**changes: Any) -> Quote:
    """A quote, with some attributes changed."""
    values: dict[str, Any] = {"exchange": "NASDAQ", "symbol": "ZXZZT", "quote_time": AT, "size": 500}
    return Quote(**{**values, **changes})


def test_a_row_is_made_by_keywords_only() -> None:
    """A row takes its attributes by name; what is optional is None, what is required must come."""
    assert quote().bid is None
    assert quote(bid=Decimal("600.55")).bid == Decimal("600.55")
    with pytest.raises(TypeError, match="positional"):
        Quote("NASDAQ", "ZXZZT", AT, 500)  # type: ignore[call-arg, arg-type]
    with pytest.raises(TypeError, match="size"):
        Quote(exchange="NASDAQ", symbol="ZXZZT", quote_time=AT)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="bidd"):
        quote(bidd=Decimal(1))


def test_rows_are_equal_by_value() -> None:
    """Two rows with the same attributes are equal, and differ where one attribute does."""
    assert quote() == quote()
    assert quote() != quote(size=501)
    assert quote() != object()


def test_a_field_may_end_with_a_delimiter_of_its_own() -> None:
    """The key is drawn, written, read and asked for with the delimiter of each field, of the class where it has none."""
    assert repr(Commit) == "<model Commit: table commit, row key user:{shard}~{org}/{project}#{at}>"
    raw = Commit.row_key(org="a#b", project="c/d", at=date(2020, 5, 1))
    assert raw == b"user:0~a#b/c/d#20200501"
    assert str(Commit.of_org.plan(org="a#b").ranges[0]) == "[b'user:0~a#b/', b'user:0~a#b0')"
    with pytest.raises(ValueRefused, match=r"Commit\.org: expected a value without the delimiter '/'"):
        Commit.row_key(org="a/b", project="c", at=date(2020, 5, 1))


def test_a_row_prints_its_attributes_key_first() -> None:
    """The repr of a row is its call, key fields in front."""
    assert repr(quote()).startswith("Quote(exchange='NASDAQ', symbol='ZXZZT', quote_time=")
    assert repr(quote()).endswith("bid=None, size=500)")


def test_a_row_has_slots() -> None:
    """A row has no dict, and an attribute that was not declared cannot be set."""
    row = quote()
    assert not hasattr(row, "__dict__")
    with pytest.raises(AttributeError):
        row.bidd = 1  # type: ignore[attr-defined]
    row.size = 7
    assert attrs.evolve(row, bid=Decimal(1)) == quote(size=7, bid=Decimal(1))  # type: ignore[misc]


def test_a_mixin_passes_its_declarations_on() -> None:
    """A model has the families and columns of the model without a table that it inherits from."""
    schema = bt.schema_of(Quote)
    assert [family.id for family in schema.families] == ["MD"]
    assert [(column.name, column.cell, column.required) for column in schema.columns] == [
        ("bid", "MD:BID", False),
        ("size", "MD:SIZE", True),
    ]
    assert Quote.unit == "USD"
    with pytest.raises(DeclarationError, match="Priced is no model of a table: give it table="):
        bt.schema_of(Priced)


def test_the_schema_says_what_was_declared() -> None:
    """A class compiles to a schema with its key, mirrors, figures and places in the source."""
    schema = bt.schema_of(Quote)
    assert isinstance(schema, ModelSchema)
    assert (schema.name, schema.table, schema.doc) == ("Quote", "QUOTE", "A quote.")
    assert schema.key.shape == "{exchange}#{symbol}#{quote_time}"
    assert [field.cardinality for field in schema.key.fields] == [20, 8_000, None]
    mirrors = [(field.mirror.qualifier, field.mirror.codec) for field in schema.key.fields if field.mirror]
    assert mirrors == [(b"EXCHANGE", bt.Utf8()), (b"TIME", bt.Micros())]
    assert schema.columns[1].codec == DecimalText()
    assert schema.location is not None
    assert schema.location.file == __file__
    assert schema.key.fields[0].location is not None
    assert schema.location.line < schema.key.fields[0].location.line
    assert str(schema.events) == "5,000/s"


def test_two_classes_that_declare_the_same_have_equal_schemas() -> None:
    """A schema is a value: it does not matter where in the file a model stands."""

    def declare() -> type[bt.Model]:
        class Same(bt.Model, table="same"):
            name: str = bt.key(bt.Text(width=3), cardinality=9)
            f = bt.family("f", gc=bt.keep_all())
            value: int | None = bt.column("v", f, default=None)

        return Same

    assert bt.schema_of(declare()) == bt.schema_of(declare())


def test_a_model_in_a_function_sees_the_names_of_the_function() -> None:
    """With postponed annotations, names that only the function knows resolve."""
    Money = Decimal

    class Local(bt.Model, table="local"):
        name: str = bt.key(bt.Text(width=3), cardinality=9)
        f = bt.family("f", gc=bt.keep_all())
        price: Money | None = bt.column("v", f, default=None)  # type: ignore[valid-type]

    assert bt.schema_of(Local).columns[0].codec == bt.DecimalNumber()


def test_an_attribute_may_be_called_like_its_type() -> None:
    """``date: date`` is what people write, and it resolves with postponed annotations."""

    class Dated(bt.Model, table="dated"):
        name: str = bt.key(bt.Text(width=3), cardinality=9)
        date: date = bt.key(bt.DateText())
        f = bt.family("f", gc=bt.keep_all())
        value: int = bt.column("v", f, codec=Int64())

    assert Dated.row_key(name="a", date=AT.date()) == b"a  #20150316"


def test_a_constant_is_part_of_the_key_and_of_no_row() -> None:
    """A constant needs no value, shows on the class as its text, and stands in every key."""
    row = Score(player="Corki", day=date(2014, 10, 23), points=bt.History())
    assert Score.game == "LoL"
    assert bt.key_of(row) == b"LoL:Corki:20141023"
    with pytest.raises(TypeError):
        Score(game="x", player="Corki", day=date(2014, 10, 23), points=bt.History())  # type: ignore[call-arg]


def test_a_history_takes_any_mapping() -> None:
    """A plain dict given for a history becomes one; what is no mapping is refused."""
    row = Score(player="Corki", day=date(2014, 10, 23), points={AT: 1})  # type: ignore[arg-type]
    assert isinstance(row.points, bt.History)
    assert row.points.newest == 1
    with pytest.raises((TypeError, ValueRefused)):
        Score(player="Corki", day=date(2014, 10, 23), points=5)  # type: ignore[arg-type]


def test_a_key_is_asked_of_the_class_or_of_a_row() -> None:
    """The class makes a key of fields, ``key_of`` the same one of a row."""
    fields = {"exchange": "NASDAQ", "symbol": "ZXZZT", "quote_time": AT}
    assert Quote.row_key(**fields) == b"NASDAQ#ZXZZT#1426535612156"
    assert bt.key_of(quote()) == Quote.row_key(**fields)
    assert bt.key_of(quote(exchange="NYSE", symbol="IBM")) == b"NYSE  #IBM  #1426535612156"


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({}, QueryRefused, "missing: exchange, symbol, quote_time"),
        ({"exchange": "A", "symbol": "B", "quote_time": AT, "bid": 1}, QueryRefused, "unknown: bid"),
        ({"exchange": "NASDAQ2", "symbol": "B", "quote_time": AT}, ValueRefused, r"Quote\.exchange"),
        ({"exchange": "A", "symbol": None, "quote_time": AT}, ValueRefused, r"Quote\.symbol"),
        ({"exchange": "A", "symbol": "B", "quote_time": 1426535612156}, ValueRefused, r"Quote\.quote_time"),
    ],
)
def test_a_key_asked_wrongly_is_refused(fields: dict[str, Any], error: type[Exception], message: str) -> None:
    """Wrong fields and values of a key are named with the model."""
    with pytest.raises(error, match=message):
        Quote.row_key(**fields)


def test_a_row_with_a_value_that_does_not_fit_has_no_key() -> None:
    """A row can be made with a wrong value, but no key or mutation is made of it."""
    with pytest.raises(
        ValueRefused, match=r"Quote\.symbol: expected text of 1 to 5 bytes in UTF-8, got 'TOOLONG'"
    ):
        bt.key_of(quote(symbol="TOOLONG"))
    with pytest.raises(DeclarationError, match="give it table="):
        Priced.row_key(exchange="A")


def test_a_query_explains_itself() -> None:
    """A declared query prints its rows and filter without a server, and refuses what it does not take."""
    text = Quote.by_symbol.explain(exchange="NYSE", symbol="IBM", quote_time=(AT, None))
    assert text.splitlines() == [
        "Quote.by_symbol",
        "table   QUOTE",
        "rows    [b'NYSE  #IBM  #1426535612156', b'NYSE  #IBM  #:')",
        "filter  families MD > newest 1 of a column",
    ]
    found = access(bt.schema_of(Quote).key, Quote.by_symbol.query)
    assert getattr(found, "kind", None) is AccessKind.RANGE
    with pytest.raises(
        QueryRefused, match=r"Quote\.by_symbol takes exchange, symbol, quote_time; missing: symbol"
    ):
        Quote.by_symbol.explain(exchange="NYSE", quote_time=(AT, None))


def test_unknown_cells_are_reachable_but_no_part_of_the_row() -> None:
    """Cells that were read and not understood stay with the row, and change neither equality nor repr."""
    from btmodel.declare import codec_of

    stranger = Cell("MD", b"??", 0, b"1")
    row = codec_of(Quote).decode(b"NASDAQ#ZXZZT#1426535612156", [Cell("MD", b"SIZE", 0, b"500"), stranger])
    assert bt.unknown_cells(row) == (stranger,)
    assert row == quote()
    assert "??" not in repr(row)
    assert bt.unknown_cells(quote()) == ()


def test_rows_with_arrays_are_compared_by_all_of_their_items() -> None:
    """Two rows are equal where their arrays have one shape and the same items."""
    numpy = pytest.importorskip("numpy")

    class Measured(bt.Model, table="measured"):
        name: str = bt.key(bt.Text(max_length=5))
        f = bt.family("f", gc=bt.max_versions(1))
        items: Any = bt.column("i", f, codec=bt.NumpyArray("<i8"))

    def row(*items: int) -> Measured:
        return Measured(name="a", items=numpy.array(items, dtype="<i8"))

    assert row(1, 2) == row(1, 2)
    assert row(1, 2) != row(1, 3)
    assert row(1, 2) != row(1, 2, 3)
