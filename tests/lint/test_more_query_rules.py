"""The rules on queries besides QRY001's own: families, blobs, salts, filters, joins and partners."""

import re
from collections.abc import Callable
from datetime import datetime
from enum import Enum
from typing import Any

import pytest
from attrs import evolve, frozen

import btmodel as bt
from btmodel.codecs.cell import (
    CellCodec,
    Compressed,
    DecimalText,
    Either,
    EnumValue,
    Int64,
    Json,
    Micros,
    Packed,
    Protobuf,
    Raw,
    Utf8,
)
from btmodel.codecs.key import Constant, DateText, EpochMillis, HexDigest, KeyCodec, PaddedInt, Text, UuidText
from btmodel.lint import Finding, Level, review_all
from btmodel.schema import (
    Aggregate,
    Column,
    Derived,
    Expected,
    Family,
    KeyField,
    ModelSchema,
    Query,
    Rate,
    Shape,
    Stamp,
)
from btmodel.schema.gc import keep_all, max_versions
from btmodel.source_text import column_declaration
from examples.balloons_pb2 import Measurements

Make = Callable[..., ModelSchema]
SYMBOL = KeyField("symbol", Text(width=5), 8_000)
AT = KeyField("at", EpochMillis())
RANGE = Query("q", ("symbol",), between="at")


@frozen
class Reading:
    """What a cell may hold as one value."""

    pressure: int
    place: str


class Side(Enum):
    """Three values."""

    BID = "b"
    ASK = "a"
    NONE = ""


def column(name: str, family: str = "data", codec: CellCodec[Any] | None = None, **changes: Any) -> Column:
    return evolve(Column(name, family, name.upper().encode(), codec or Int64(), True), **changes)


def found(rule: str, *models: ModelSchema) -> list[Finding]:
    return [finding for finding in review_all(models) if finding.rule == rule]


def quote(a_model: Make, *columns: Column, query: Query = RANGE, **changes: Any) -> ModelSchema:
    values: dict[str, Any] = {"columns": columns, "queries": (query,), "name": "Quote", "table": "QUOTE"}
    return a_model(SYMBOL, AT, **(values | changes))


def families(*ids: str, **changes: Any) -> tuple[Family, ...]:
    return tuple(evolve(Family(id, max_versions(1)), **changes) for id in ids)


COLUMNS = (column("bid", "A"), column("size", "A"), column("ask", "B"), column("seen", "B"))


@pytest.mark.parametrize("only", [(), ("bid", "size"), ("seen",), ("symbol", "bid")])
def test_a_query_of_one_family_is_fine(a_model: Make, only: tuple[str, ...]) -> None:
    """So is one that names no columns, of which nobody knows what it needs."""
    query = evolve(RANGE, only=only)
    assert found("QRY002", quote(a_model, *COLUMNS, query=query, families=families("A", "B"))) == []


def test_a_query_of_two_families_is_told_which_one_to_keep(a_model: Make) -> None:
    """The family with the most of its columns stays; what moves is written out as cells."""
    query = evolve(RANGE, only=("bid", "size", "ask"))
    (finding,) = found("QRY002", quote(a_model, *COLUMNS, query=query, families=families("B", "A")))
    assert finding.level is Level.WARNING
    assert "2 families: `bid`, `size` of 'A', `ask` of 'B'" in finding.message
    assert finding.fix == "put `ask` into the family 'A', as `A:ASK`"


def test_what_another_query_reads_along_moves_along(a_model: Make) -> None:
    """A column that moves alone would split the other query, which is then flagged in its place."""
    two = (evolve(RANGE, only=("bid", "size", "ask")), evolve(RANGE, name="r", only=("ask", "seen")))
    (finding,) = found("QRY002", quote(a_model, *COLUMNS, queries=two, families=families("A", "B")))
    assert finding.fix == "put `ask`, `seen` into the family 'A', as `A:ASK`, `A:SEEN`"


def test_a_moved_column_gets_a_free_cell(a_model: Make) -> None:
    """The attribute's name stands in where the qualifier is taken, and a prefix where it is many columns."""
    ask = evolve(column("ask", "B"), qualifier=b"BID")
    tags = evolve(column("tags", "B"), qualifier=b"", shape=Shape.MEMBERS, names=Text(max_length=9))
    query = evolve(RANGE, only=("bid", "ask", "tags", "size"))
    model = quote(a_model, *COLUMNS[:2], ask, tags, query=query, families=families("A", "B"))
    (finding,) = found("QRY002", model)
    assert finding.fix.endswith("into the family 'A', as `A:ask`, `A:tags:...` (`prefix='tags:'`)")


@pytest.mark.parametrize("change", [{"gc": keep_all()}, {"aggregate": Aggregate.SUM}])
def test_families_that_cannot_be_one_are_fine(a_model: Make, change: dict[str, Any]) -> None:
    """What is kept in another way, or aggregates, has to lie in a family of its own."""
    two = (*families("A"), *families("B", **change))
    query = evolve(RANGE, only=("bid", "ask"))
    assert found("QRY002", quote(a_model, *COLUMNS, query=query, families=two)) == []


@pytest.mark.parametrize(
    ("count", "only", "changes", "flagged"),
    [
        (4, (), {}, True),
        (3, (), {}, False),
        (4, ("c0",), {}, False),  # somebody reads one of them alone
        (4, (), {"shape": Shape.MEMBERS, "names": Text(max_length=9)}, False),
    ],
)
def test_a_family_for_every_column_is_flagged(
    a_model: Make, count: int, only: tuple[str, ...], changes: dict[str, Any], flagged: bool
) -> None:
    """Of whole rows, each family is read for itself; the one that is proposed has all columns, and holds."""
    columns = [column(f"c{at}", f"f{at}", **changes) for at in range(count)]
    ids = families(*(one.family for one in columns))
    model = quote(a_model, *columns, query=evolve(RANGE, only=only), families=ids)
    findings = found("QRY002", model)
    assert [one.level for one in findings] == [Level.WARNING] * flagged
    for one in findings:
        assert one.fix.startswith(
            'put them into one family, `bt.family("data", gc=bt.max_versions(1))`, as `data:c0`,'
        )
        (made,) = one.models
        assert [family.id for family in made.families] == ["data"]
        assert found("QRY002", made) == []


BLOBS: list[CellCodec[Any]] = [
    Protobuf(Measurements),
    Json(Reading),
    Packed(Reading, ">q16s"),
    Compressed(Json(Reading)),
    Either(Json(Reading), Packed(Reading, ">q16s")),
]


@pytest.mark.parametrize("codec", BLOBS, ids=lambda codec: type(codec).__name__)
@pytest.mark.parametrize("where", ["event.pressure", "pressure"])
def test_a_field_inside_a_serialized_cell_gets_a_column(
    a_model: Make, codec: CellCodec[Any], where: str
) -> None:
    """With a dot or without, the field is found in what is serialized, and its type with it."""
    event = column("event", codec=codec)
    (finding,) = found("QRY003", quote(a_model, event, query=evolve(RANGE, where=(where,))))
    assert finding.level is Level.ERROR
    assert "by `pressure` inside the cell `data:EVENT`" in finding.message
    assert "`pressure: int` in the cell `data:pressure`" in finding.fix
    assert finding.fix.endswith('`where=["pressure"]`')


def test_a_field_whose_type_is_not_known_is_found_all_the_same(a_model: Make) -> None:
    """A document of any fields has the one that is asked for; a series of them gets a series of it."""
    series = evolve(column("event", codec=Json(dict)), shape=Shape.HISTORY)
    (finding,) = found("QRY003", quote(a_model, series, query=evolve(RANGE, where=("event.a.b",))))
    assert "`a_b: bt.History[...]` in the cell `data:a_b`" in finding.fix


def test_a_column_for_what_is_inside_gets_a_free_name(a_model: Make) -> None:
    """Where the model has an attribute of that name already, it is called after both."""
    columns = (column("event", codec=Json(Reading)), column("pressure"))
    (finding,) = found("QRY003", quote(a_model, *columns, query=evolve(RANGE, where=("event.pressure",))))
    assert "`event_pressure: int` in the cell `data:event_pressure`" in finding.fix


@pytest.mark.parametrize("where", ["event", "symbol", "values.CPU/CPU1", "nothing.at_all"])
def test_a_whole_cell_and_an_entry_of_a_mapping_are_no_blobs_inside(a_model: Make, where: str) -> None:
    """The server compares whole cells, of which an entry is one."""
    values = evolve(
        column("values", codec=Json(dict)), qualifier=b"", shape=Shape.MAPPING, names=Text(max_length=9)
    )
    model = quote(a_model, column("event", codec=Json(Reading)), values, query=evolve(RANGE, where=(where,)))
    assert found("QRY003", model) == []


def test_a_query_over_a_salt_says_how_many_reads_it_is(a_model: Make) -> None:
    """One for each value, unless what the salt is made from is given."""
    salt = KeyField("salt", PaddedInt(1), derived=Derived(("at",), lambda at: at.second % 4, (0, 1, 2, 3)))
    model = a_model(salt, AT, queries=(Query("q", (), between="at"), Query("one", ("at",))))
    (finding,) = found("QRY004", model)
    assert (finding.field, finding.level) == ("q", Level.INFO)
    assert "needs 4 reads, one for each value of the salt" in finding.message
    assert finding.fix.startswith("this is the price of the salt")


@pytest.mark.parametrize(
    ("picked", "share"),
    [
        (column("shop", expected=Expected(cardinality=500)), "returns about 1 in 500 of"),
        (column("side", codec=EnumValue(Side, Utf8())), "returns about 1 in 3 of"),
        (column("shop", codec=Utf8()), "is unknown: `shop` has no declared cardinality"),
    ],
)
def test_a_filter_says_what_share_it_throws_away(a_model: Make, picked: Column, share: str) -> None:
    """From the declared cardinality, or from the members of an enum; where neither is there, it says so."""
    (finding,) = found("QRY005", quote(a_model, picked, query=evolve(RANGE, where=(picked.name,))))
    assert finding.level is Level.INFO
    assert share in finding.message
    assert f"key `{{symbol}}#{{{picked.name}}}#{{at}}` serves" in finding.fix
    assert f'`bt.query("symbol", "{picked.name}", between="at")`' in finding.fix


def test_the_shops_of_a_city_are_not_those_of_all_cities(a_model: Make) -> None:
    """Where each value may belong to one of those that are given, more of the rows that are read may be returned."""
    picked = column("shop", expected=Expected(cardinality=40_000))
    model = quote(a_model, picked, query=evolve(RANGE, where=("shop",)))
    fields = tuple(
        evolve(part, cardinality=80) if part.name == "symbol" else part for part in model.key.fields
    )
    (finding,) = found("QRY005", evolve(model, key=evolve(model.key, fields=fields)))
    assert "which returns 1 in 500 of the rows that it reads, or fewer" in finding.message


@pytest.mark.parametrize(
    "query",
    [
        evolve(RANGE, where=("two",)),
        evolve(RANGE, where=("symbol",)),
        evolve(RANGE, where=("gone",)),
        Query("q", (), scan="all", where=("shop",)),
        Query("q", ("symbol", "at"), where=("shop",)),
        Query("q", ("at",), where=("shop",)),
    ],
)
def test_a_filter_that_throws_little_away_is_fine(a_model: Make, query: Query) -> None:
    """Half of the rows, what is given, a scan that is meant, one row; and what QRY001 or QRY006 finds anyway."""
    columns = (column("two", expected=Expected(cardinality=2)), column("shop"))
    assert found("QRY005", quote(a_model, *columns, query=query)) == []


def test_a_field_that_comes_next_in_the_key_is_to_be_given(a_model: Make) -> None:
    """No key is to be changed where the one that there is serves; else the order is, or a table is added."""
    kind, day = KeyField("kind", Text(width=5), 5), KeyField("day", DateText(), 400)
    device = KeyField("device", Text(width=8), 9)
    by_device = Query("q", ("kind",), where=("device",))
    (finding,) = found("QRY005", a_model(kind, device, day, queries=(by_device,)))
    assert finding.fix == 'give `device`, which comes next in the key: `bt.query("kind", "device")`'
    by_day, of_device = Query("q", ("kind",), where=("day",)), Query("r", ("kind", "device"))
    (finding,) = found("QRY005", a_model(kind, device, day, queries=(by_day,)))
    assert finding.fix.startswith("reorder it: the key `{kind}#{day}#{device}` serves")
    (finding,) = found("QRY005", a_model(kind, device, day, queries=(by_day, of_device)))
    assert finding.fix.startswith("write a second table, whose key")


def product(a_model: Make, name: str = "Product", **changes: Any) -> ModelSchema:
    values = {"columns": (column("title", codec=Utf8()), column("price", required=False))} | changes
    return a_model(KeyField("product", Text(width=8), 9), name=name, table=name, **values)


def test_what_another_model_has_is_to_be_written_along(a_model: Make) -> None:
    """The declaration is written out for this model's family, and the other model named."""
    model = quote(a_model, column("product"), query=evolve(RANGE, only=("product", "title")))
    (finding,) = found("QRY006", model, product(a_model))
    assert (finding.model, finding.level) == ("Quote", Level.WARNING)
    assert "needs `title`, which no row of Quote has: Product has it, in table 'Product'" in finding.message
    assert '`title: str = bt.column("title", data)`, as in Product' in finding.fix


def test_a_model_that_is_read_along_is_asked_first(a_model: Make) -> None:
    """Of several that have it: then one of the same module, then any."""
    query = evolve(RANGE, where=("price",), together=("Zoo",))
    others = [product(a_model, "Alpha"), product(a_model, "Zoo")]
    (finding,) = found("QRY006", quote(a_model, column("bid"), query=query), *others)
    assert '`price: int | None = bt.column("price", data, default=None)`, as in Zoo' in finding.fix
    far = [product(a_model, "Alpha", module="far"), product(a_model, "Zoo")]
    query = evolve(query, together=())
    (finding,) = found("QRY006", quote(a_model, column("bid"), query=query), *far)
    assert finding.fix.endswith("as in Zoo")


@pytest.mark.parametrize(
    ("name", "fix"),
    [("bids", "write `bid` for `bids`"), ("zzz", "declare `zzz` as a column of Quote"), ("bid.x", "`bid.x`")],
)
def test_a_name_that_nobody_has_is_misspelt_or_missing(a_model: Make, name: str, fix: str) -> None:
    """A near name is proposed; a plain cell has nothing inside."""
    (finding,) = found("QRY006", quote(a_model, column("bid"), query=evolve(RANGE, only=(name,))))
    assert fix in finding.fix


@pytest.mark.parametrize("name", ["bid", "symbol", "seen", "event", "event.place", "place", "values.x"])
def test_what_a_row_tells_is_needed_from_nowhere_else(a_model: Make, name: str) -> None:
    """Columns, key fields, the time of the cells, entries, and what is inside of a serialized cell."""
    values = evolve(column("values"), qualifier=b"", shape=Shape.MAPPING, names=Text(max_length=9))
    columns = (column("bid"), column("event", codec=Json(Reading)), values)
    model = quote(a_model, *columns, query=evolve(RANGE, where=(name,)), stamp=Stamp("seen", stored=True))
    assert found("QRY006", model, product(a_model, columns=(column("place"),))) == []


def test_a_partner_that_is_no_model_is_told(a_model: Make) -> None:
    """A misspelt one is a warning; one that may lie in a module that was not reviewed is an info."""
    model = quote(a_model, query=evolve(RANGE, together=("Trades",)))
    trade = product(a_model, "Trade")
    (finding,) = found("QRY007", model, trade)
    assert (finding.level, finding.fix) == (Level.WARNING, 'write `together=["Trade"]`')
    (finding,) = found("QRY007", model, product(a_model, "Zoo"))
    assert finding.level is Level.INFO
    assert "review the module" in finding.fix
    assert found("QRY007", model) == []
    (finding,) = found("QRY007", quote(a_model, query=evolve(RANGE, together=("Quote",))), trade)
    assert "is this model itself" in finding.message


SCORE = (
    KeyField("kind", Constant("LoL")),
    KeyField("player", Text(max_length=9)),
    KeyField("day", DateText()),
)


def test_another_model_that_serves_the_query_is_named(a_model: Make) -> None:
    """Where a table with the same key fields in another order serves it, no new one is proposed."""
    month = Query("of_month", (), between="day")
    by_player = a_model(*SCORE, name="PlayerScore", table="BY_PLAYER", queries=(month,))
    by_day = a_model(SCORE[2], SCORE[1], name="DayScore", table="BY_DAY", events=Rate.parse("1/day"))
    (finding,) = found("QRY001", by_player, by_day)
    assert finding.level is Level.ERROR
    assert finding.fix == (
        "`DayScore`, table 'BY_DAY', serves it by its key `{day}#{player}`: declare it there, "
        '`of_month = bt.query(between="day")`, and ask it there'
    )
    (finding,) = found("QRY001", by_player, evolve(by_day, queries=(evolve(month, name="in_month"),)))
    assert finding.fix.endswith("ask `DayScore.in_month`")


@pytest.mark.parametrize("change", ["codec", "fewer", "table", "unserved"])
def test_a_model_that_does_not_serve_the_query_is_not_named(a_model: Make, change: str) -> None:
    """One of other fields, of the same table, or whose key does not serve it, either."""
    query = Query("of_month", (), between="day")
    by_player = a_model(*SCORE, name="PlayerScore", table="BY_PLAYER", queries=(query,))
    fields = {
        "codec": (SCORE[2], KeyField("player", Text(max_length=8))),
        "fewer": (SCORE[2],),
        "table": (SCORE[2], SCORE[1]),
        "unserved": (SCORE[1], SCORE[2]),
    }[change]
    other = a_model(*fields, name="Other", table="BY_PLAYER" if change == "table" else "OTHER")
    (finding,) = found("QRY001", by_player, other)
    assert "second table, whose key `LoL#{day}#{player}`" in finding.fix


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        (column("seen", codec=Micros()), 'seen: datetime = bt.column("seen", my_data)'),
        (column("n", codec=DecimalText()), 'n: int = bt.column("n", my_data, codec=bt.DecimalText())'),
        (evolve(column("n"), shape=Shape.HISTORY), 'n: bt.History[int] = bt.history("n", my_data)'),
    ],
)
def test_a_column_is_written_out_as_it_is_declared(declared: Column, text: str) -> None:
    """The codec is named where the annotation does not tell it."""
    assert column_declaration(declared.name, declared, "My-Data") == text


@pytest.mark.parametrize(
    ("prefix", "values", "level"),
    [
        (None, 1_000, Level.WARNING),
        (None, 50, Level.INFO),
        (None, None, Level.INFO),
        (20, 1_000, Level.WARNING),
        (1_000, 1_000, Level.INFO),
    ],
)
def test_a_query_that_drops_nearly_all_of_a_large_part_of_the_table_is_a_warning(
    a_model: Make, prefix: int | None, values: int | None, level: Level
) -> None:
    """Of a narrow prefix few rows may be left to drop, and an unknown share is none to warn of."""
    front = () if prefix is None else (KeyField("kind", Text(width=3), prefix),)
    query = Query("q", tuple(part.name for part in front), "at", where=("shop",))
    shop = KeyField("shop", Text(width=6), values)
    (finding,) = found("QRY005", a_model(*front, AT, shop, queries=(query,)))
    assert finding.level is level


@pytest.mark.parametrize(
    ("at", "events", "level"),
    [
        (EpochMillis(), "6000/s", Level.WARNING),
        (EpochMillis(), "1/day", Level.INFO),
        (EpochMillis(), None, Level.INFO),
        (DateText(), "6000/s", Level.INFO),
    ],
)
def test_the_events_of_an_age_are_rows_that_a_query_reads(
    a_model: Make, at: KeyCodec[Any], events: str | None, level: Level
) -> None:
    """Where the time is that of an event, its id needs no number of values; a day may gather several in a row."""
    tenant, event = KeyField("tenant", Text(max_length=24), 300), KeyField("event", UuidText())
    actor = Column("actor", "data", b"a", Utf8(), True, expected=Expected(cardinality=2_000_000))
    aged = (Family("data", bt.max_age(days=400)),)
    by_actor = Query("of_actor", ("tenant",), where=("actor",))
    model = a_model(
        tenant,
        KeyField("at", at),
        event,
        columns=(actor,),
        families=aged,
        queries=(by_actor,),
        events=events and Rate.parse(events),
    )
    (finding,) = found("QRY005", model)
    assert finding.level is level


def test_a_range_of_what_a_salt_is_made_from_has_no_other_way(a_model: Make) -> None:
    """Nobody can give the time of which a range is wanted; a query without one may."""
    salt = KeyField("salt", PaddedInt(1), derived=Derived(("at",), hash, (0, 1, 2)))
    ranged, whole = Query("window", (), "at"), Query("all_of", ("symbol",))
    (finding,) = found("QRY004", a_model(salt, AT, SYMBOL, queries=(ranged,)))
    assert (
        finding.fix
        == "this is the price of the salt, which is made from `at`: a range of it has rows of all salts"
    )
    (finding,) = found("QRY004", a_model(salt, SYMBOL, AT, queries=(whole,)))
    assert finding.fix.startswith("if the caller knows `at`, give it")


PHOTO = Expected(size=2_000_000, max_size=6_000_000)
THUMBNAIL = Expected(size=200_000, max_size=600_000)
SMALL = Expected(size=40)


@pytest.mark.parametrize(
    ("size", "family", "query", "level"),
    [
        (PHOTO, "data", Query("q", ("office",), where=("verdict",)), Level.WARNING),
        (PHOTO, "data", Query("q", ("office",), where=("verdict",), only=("verdict",)), Level.WARNING),
        (PHOTO, "data", Query("q", ("office",), only=("verdict",)), Level.WARNING),
        (PHOTO, "more", Query("q", ("office",), only=("verdict",)), None),
        (PHOTO, "more", Query("q", ("office",), where=("verdict",), only=("verdict",)), Level.INFO),
        (SMALL, "data", Query("q", ("office",), where=("verdict",)), Level.INFO),
        (SMALL, "data", Query("q", ("office",), only=("verdict",)), None),
        (PHOTO, "data", Query("q", ("office",)), Level.INFO),  # which wants all 57,000
        (PHOTO, "data", Query("q", ("office", "claim"), only=("verdict",)), Level.WARNING),  # of one row
        (THUMBNAIL, "data", Query("q", ("office",), only=("verdict",)), Level.WARNING),
    ],
)
def test_large_cells_beside_what_a_query_wants(
    a_model: Make, size: Expected, family: str, query: Query, level: Level | None
) -> None:
    """They need a family of their own, and the fix says how the rows that are wanted are read then."""
    columns = (
        column("jpeg", family=family, codec=Raw(), expected=size),
        column("verdict", codec=Utf8(), expected=Expected(max_size=20)),
    )
    families = tuple(Family(id, max_versions(1)) for id in dict.fromkeys(one.family for one in columns))
    office, claim = KeyField("office", Text(width=4), 350), KeyField("claim", HexDigest(8), 20_000_000)
    model = a_model(office, claim, families=families, columns=columns, queries=(query,))
    findings = found("QRY005", model)
    assert [one.level for one in findings] == [level] * (level is not None)
    for one in findings:
        if level is Level.WARNING:
            assert one.fix.startswith(
                'give `jpeg` a family of its own, `bt.family("data2", gc=bt.max_versions(1))`'
            )
            assert not [each for each in found("QRY005", one.models[0]) if each.level is Level.WARNING]


def test_a_filter_that_drops_very_many_rows_is_a_warning(a_model: Make) -> None:
    """Also where what is given has many values: the rows that it leaves are counted by the declared cardinalities, or by the rate and the span."""
    office, claim = KeyField("office", Text(width=4), 350), KeyField("claim", HexDigest(8), 400_000_000)
    shop = column("shop", codec=Utf8(), required=True, expected=Expected(cardinality=50, max_size=12))
    query = Query("q", ("office",), where=("shop",))
    (finding,) = found("QRY005", a_model(office, claim, columns=(shop,), queries=(query,)))
    assert finding.level is Level.WARNING
    (finding,) = found(
        "QRY005", a_model(office, evolve(claim, cardinality=400_000), columns=(shop,), queries=(query,))
    )
    assert finding.level is Level.INFO


def test_an_index_is_offered_where_the_service_can_keep_one(a_model: Make) -> None:
    """It takes the place of a second table, and says which rows it leaves out; no program can write one with a salt, or of a person."""
    office, claim = KeyField("office", Text(width=4), 350), KeyField("claim", HexDigest(8), 400_000)
    shop = column("shop", codec=Utf8(), required=True, expected=Expected(max_size=12))
    query = Query("of_shop", ("shop",))
    others = Query("one", ("office", "claim"))
    model = a_model(office, claim, columns=(shop, column("cents")), queries=(others, query))
    (finding,) = found("QRY001", model)
    assert 'class ThingOfShop(bt.Index, of=Thing, view="THING_OF_SHOP")` with the key `' in finding.fix
    assert re.search(r"at least one column such as `\w+: \w+( \| None)? = bt.covered\(\)`", finding.fix)
    (finding,) = found("QRY001", evolve(model, columns=(evolve(shop, required=False), column("cents"))))
    assert 'view="THING_OF_SHOP", where={"shop": bt.present()})`' in finding.fix
    assert "a row without `shop` has no row there" in finding.fix
    (finding,) = found("QRY001", evolve(model, columns=(shop, column("days", shape=Shape.HISTORY))))
    assert "bt.Index" not in finding.fix
    personal = evolve(model, key=evolve(model.key, fields=(office, evolve(claim, pii=True))))
    (finding,) = found("QRY001", evolve(personal, allow={"KEY010": "the claims of test persons"}))
    assert "bt.Index" not in finding.fix
    (finding,) = found("QRY001", personal)  # behind the fix that takes the person out of the key
    assert finding.fix.startswith("after the fix of KEY010, ")
    assert "with the key `{shop}#{office}#{person_id}`" in finding.fix


@pytest.mark.parametrize(
    ("doc", "flagged"),
    [
        ("A pass must open the turnstile at the latest two seconds after it was paid.", True),
        ("Users read their own writes here.", True),
        ("A card that was blocked must be refused at once.", True),
        ("The seller has to see the sale within a second.", True),
        ("The page must be shown within two seconds.", False),
        ("The page must load within two seconds.", False),
        ("Support must find an order; the answer comes within 20 milliseconds.", False),
        ("The screen may be some minutes behind, and must not be seen as immediately true.", False),
        ("A parcel is sent as soon as it is packed.", False),
        ("All of a shop must be listed all at once.", False),
        ("Nobody must see a pass at once.", False),
        ("", False),
    ],
)
@pytest.mark.parametrize("of_source", [False, True])
def test_a_view_is_not_asked_for_what_was_just_written(doc: str, flagged: bool, of_source: bool) -> None:
    """Its delay has no bound: a description that wants rows at once is found, that of the table where nothing else is asked."""

    class Sale(bt.Model, table="SALE", events="30/s"):
        __doc__ = doc if of_source else ""
        order: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)
        p = bt.family("p", gc=bt.max_versions(1))
        card: str = bt.column("card", p, size=16, max_size=16, cardinality=3_000_000)
        cents: int = bt.column("cents", p)

    class SaleOfCard(bt.Index, of=Sale, view="SALE_OF_CARD"):
        __doc__ = "" if of_source else doc
        card: str = bt.key(bt.HexDigest(16), cardinality=3_000_000)
        order: str = bt.covered()
        cents: int = bt.covered()
        of_card = bt.query("card")

    models = (bt.schema_of(Sale), bt.schema_of(SaleOfCard))
    told = [one for one in review_all(models) if one.rule == "QRY006"]
    assert [(one.model, one.level) for one in told] == [("SaleOfCard", Level.WARNING)] * flagged
    assert all("bt.twins" in one.fix for one in told)
    asked = evolve(models[0], queries=(Query("one", ("order",)),))
    assert models[1].view is not None
    view = evolve(models[1], view=evolve(models[1].view, source=asked))
    again = [one for one in review_all((asked, view)) if one.rule == "QRY006"]
    assert len(again) == (flagged and not of_source)


@pytest.mark.parametrize(
    ("doc", "flagged"),
    [
        ("Sign-up reads it to see whether a name is free, so that no two users have the same.", True),
        ("The till asks if a voucher is already used before it takes it.", True),
        ("Registration finds out whether an address exists already, and creates no second account.", True),
        ("Read by the import, which ensures that at most one row has a number.", True),
        ("It makes sure that no two boats have one number.", True),
        ("The importer rejects duplicates by it.", True),
        ("The job guarantees that numbers stay unique.", True),
        ("It tells whether a berth is still free, and then books it.", True),
        ("Customers see which berths are free.", False),
        ("The map shows whether a charger is free.", False),
        ("Support sees whether an order exists.", False),
        ("Whether a berth is free is decided in the table itself, before it is booked.", False),
        ("A number is unique.", False),
        ("Its order is fixed, so that no two pages show one row.", False),
        ("Support sees whether a parcel has already come before they call back.", False),
        ("Two users may have the same name.", False),
        ("Nobody checks by it whether a name is taken before it is written.", False),
    ],
)
def test_a_view_does_not_decide_what_is_written(doc: str, flagged: bool) -> None:
    """Two writers both see that a name is free: a row of its own decides, which one of them gets."""

    class User(bt.Model, table="USER", events="30/s"):
        id: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)
        p = bt.family("p", gc=bt.max_versions(1))
        nick: str = bt.column("nick", p, max_size=20, cardinality=20_000_000)
        level: int = bt.column("level", p)
        one = bt.query("id")

    class UserOfNick(bt.Index, of=User, view="USER_OF_NICK"):
        __doc__ = doc
        nick: str = bt.key(bt.Text(max_length=20), cardinality=20_000_000)
        id: str = bt.covered()
        level: int = bt.covered()
        of_nick = bt.query("nick")

    told = [one for one in review_all((bt.schema_of(User), bt.schema_of(UserOfNick))) if one.rule == "QRY006"]
    assert [(one.model, one.level) for one in told] == [("UserOfNick", Level.WARNING)] * flagged
    assert all("in a table with the key `{nick}`" in one.fix and "`put_if_absent`" in one.fix for one in told)


def test_a_scan_that_picks_by_a_moment_wants_a_range() -> None:
    """Nobody scans for a row whose whole key is known: the fix asks for a range of the time, without the hash that is in its way."""

    class Call(bt.Model, table="CALL", events="15000/s"):
        line: int = bt.key(bt.PaddedInt(12), cardinality=40_000_000, sequential=False)
        at: datetime = bt.key(bt.EpochMillis())

        c = bt.family("c", gc=bt.max_age(days=90))
        seconds: int = bt.column("s", c)

        of_line = bt.query(scan="the list of calls in the app", where=["line", "at"])
        of_one = bt.query(scan="the page of the customer", where=["line"])

    plain = bt.schema_of(Call)
    first, second = found("QRY001", plain)
    assert 'of_line = bt.query("line", between="at")' in first.fix
    assert 'of_one = bt.query("line")' in second.fix
    spread = KeyField("spread", HexDigest(4), derived=Derived(("line", "at"), hash, of_bytes=True))
    hashed = evolve(
        plain, key=evolve(plain.key, fields=(spread, *plain.key.fields)), queries=plain.queries[:1]
    )
    for rule in ("KEY004", "QRY001"):
        (finding,) = found(rule, hashed)
        assert finding.fix.startswith(
            'leave out `spread`: `{line}#{at}`, with `of_line = bt.query("line", between="at")`'
        )


def test_rows_of_a_day_are_as_many_as_come_in_it(a_model: Make) -> None:
    """A query that gives the day reads those, and not as many as there are ids."""
    practice = KeyField("practice", HexDigest(8), 30_000)
    day, id = KeyField("day", DateText(), sequential=False), KeyField("id", HexDigest(8), 100_000_000)
    columns = (
        column("cancelled", codec=bt.Flag(), required=True),
        column("reason", codec=Utf8(), required=True),
    )
    query = Query("of_day", ("practice", "day"), where=("cancelled",))
    few = a_model(practice, day, id, columns=columns, queries=(query,), events=Rate.parse("50/s"))
    assert found("QRY005", few) == []
    (finding,) = found("QRY005", evolve(few, events=Rate.parse("1000000/s")))
    assert "of about 2,880,000 rows" in finding.message
