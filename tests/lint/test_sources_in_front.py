"""What writes the rows stands in front of the time, and what only tells events apart behind it."""

from typing import Any

import pytest
from attrs import evolve

from btmodel.codecs.cell import Int64, Utf8, UuidBytes
from btmodel.codecs.key import DateText, HexDigest, Kind, PaddedInt, Text, TimeText
from btmodel.lint import Finding, Level, review
from btmodel.schema import Column, Derived, Expected, Family, KeyField, ModelSchema, Query, Rate, RowKey
from btmodel.schema.gc import max_versions
from tests.lint.parts import found

HOUR = KeyField("hour", TimeText("%Y%m%d%H"))
DAY = KeyField("day", DateText())
VALUE = Column("value", "d", b"v", Int64(), True)


def model(*key: KeyField, columns: tuple[Column, ...] = (), **changes: Any) -> ModelSchema:
    values: dict[str, Any] = {
        "name": "Level",
        "module": "shop.models",
        "doc": "",
        "table": "LEVEL",
        "families": (Family("d", max_versions(1)),),
    }
    return ModelSchema(key=RowKey(key, b"#"), columns=(*columns, VALUE), **(values | changes))


def only(schema: ModelSchema, rule: str) -> Finding:
    (finding,) = found(schema, rule)
    return finding


@pytest.mark.parametrize(
    ("name", "doc"),
    [
        *(
            (name, "")
            for name in [
                "gauge",
                "sensor_id",
                "meter",
                "station",
                "buoy",
                "device",
                "camera",
                "shop_no",
                "till",
            ]
        ),
        ("stick", "A level that a stick measures."),
        ("zorb", "What each zorb reports in an hour."),
    ],
)
@pytest.mark.parametrize("cardinality", [None, 12, 60, 5_000])
def test_what_writes_the_rows_comes_first(name: str, doc: str, cardinality: int | None) -> None:
    """However few there are: no rate is declared, and an invented id in front would scatter the rows of each."""
    part = KeyField(name, Text(max_length=20), cardinality)
    finding = only(model(HOUR, part, doc=doc), "KEY001")
    assert f"`{{{name}}}#{{hour}}`" in finding.fix
    assert [one.key.shape for one in finding.models] == [f"{{{name}}}#{{hour}}"]
    column = Column(name, "d", b"g", Utf8(), True, expected=Expected(cardinality=cardinality))
    if (cardinality or 100) >= 100:
        alone = only(model(HOUR, columns=(column,), doc=doc), "KEY001")
        assert f"`{{{name}}}#{{hour}}`" in alone.fix


@pytest.mark.parametrize("name", ["side", "kind", "state", "colour"])
def test_a_field_of_few_values_that_writes_nothing_is_no_help(name: str) -> None:
    """Without a source, an id of what writes the rows is missing."""
    few = KeyField(name, Text(width=1), 2)
    assert f"`{{id}}#{{hour}}#{{{name}}}`" in only(model(HOUR, few), "KEY001").fix


@pytest.mark.parametrize("id", ["id", "level_id", "event_no", "uuid", "seq", "nonce"])
def test_no_id_of_an_event_comes_in_front_of_a_source(id: str) -> None:
    """Neither one of the key nor one of a column, where a column says what writes the rows."""
    gauge = Column("gauge", "d", b"g", Utf8(), True)
    field = KeyField(id, HexDigest(16))
    assert f"`{{gauge}}#{{hour}}#{{{id}}}`" in only(model(HOUR, field, columns=(gauge,)), "KEY001").fix
    column = Column(id, "d", b"i", Utf8(), True)
    for columns in ((gauge, column), (column, gauge)):
        fix = only(model(HOUR, columns=columns), "KEY001").fix
        assert "`{gauge}#{hour}`" in fix
        assert f"`{id}`" not in fix
    known = evolve(column, expected=Expected(cardinality=90_000_000))
    assert "`{gauge}#{hour}`" in only(model(HOUR, columns=(gauge, known)), "KEY001").fix
    # Alone, it is what spreads the rows.
    assert f"`{{{id}}}#{{hour}}`" in only(model(HOUR, columns=(column,)), "KEY001").fix


def test_what_is_read_by_an_id_stays_in_front() -> None:
    """A query that gives the id wants its rows together."""
    asked = (Query("one", ("id",), between="hour"),)
    gauge = Column("gauge", "d", b"g", Utf8(), True)
    schema = model(HOUR, KeyField("id", HexDigest(16)), columns=(gauge,), queries=asked)
    assert "`{id}#{hour}`" in only(schema, "KEY001").fix


FARM = KeyField("farm", Text(max_length=20), 800)
STATE = KeyField("state", Text(max_length=20), 5, changes=True)
OF_STATE = (Query("of_state", ("farm", "state"), between="day"),)


@pytest.mark.parametrize("fields", [(FARM, STATE, DAY), (STATE, FARM, DAY)])
def test_what_changes_leaves_the_key_and_an_id_comes_behind_the_time(fields: tuple[KeyField, ...]) -> None:
    """A farm is read by days; the second table, where the same events come, gets the id, too."""
    schema = model(*fields, queries=OF_STATE, events=Rate.parse("90000/day"))
    finding = only(schema, "KEY021")
    assert "`{farm}#{day}#{id}`" in finding.fix
    assert "{id}#{day}" not in finding.fix
    assert "brings another fault" not in finding.fix
    (first, second) = finding.models
    assert first.key.shape == "{farm}#{day}#{id}"
    assert second.key.shape == "".join(f"{{{part.name}}}#" for part in fields) + "{id}"


def test_a_receipt_comes_into_both_tables() -> None:
    """A column that identifies the events is the field that both keys get."""
    receipt = Column("receipt", "d", b"r", Utf8(), True)
    schema = model(FARM, STATE, DAY, columns=(receipt,), queries=OF_STATE, events=Rate.parse("90000/day"))
    (first, second) = only(schema, "KEY021").models
    assert first.key.shape == "{farm}#{day}#{receipt}"
    assert second.key.shape == "{farm}#{state}#{day}#{receipt}"
    assert "receipt" not in [one.name for one in (*first.columns, *second.columns)]


def salted(*fields: KeyField, **changes: Any) -> ModelSchema:
    salt = KeyField("salt", PaddedInt(1), derived=Derived(("farm",), hash, tuple(range(8))))
    id = Column("id", "d", b"i", UuidBytes(), True)
    return model(salt, *fields, columns=(id,), events=Rate.parse("900/s"), **changes)


@pytest.mark.parametrize(
    "queries", [(), (Query("q", ("farm", "day")),), (Query("q", ("farm",), between="day"),)]
)
def test_an_id_behind_the_time_spreads_nothing(queries: tuple[Query, ...]) -> None:
    """It tells the events apart; what makes a salt needless is what stands in front of the time."""
    farm = evolve(FARM, cardinality=8)
    for fields in ((farm, DAY), (DAY, farm)):
        schema = salted(*fields, queries=queries)
        for finding in found(schema, "KEY005"):
            assert "but `farm` (8 values) would spread them as well" in finding.message
            assert "`{farm}#{day}#{id}`" in finding.fix
        assert fields[0] == DAY or found(schema, "KEY005")
        keys = [made.key for one in review(schema) if one.level is not Level.INFO for made in one.models]
        for key in keys:
            names = [part.name for part in key.fields]
            time = next(at for at, part in enumerate(key.fields) if part.codec.kind is Kind.TIME)
            assert "id" not in names[:time]


def test_few_sources_of_many_events_get_a_salt_in_front_of_them() -> None:
    """A farm is read by days, so its id of the event cannot spread the rows from in front of the day: a salt made of it does, and one read for each of its values."""
    farm = evolve(FARM, cardinality=20)
    asked = (Query("of_farm", ("farm",), between="day"),)
    schema = salted(farm, DAY, queries=asked)
    for finding in found(evolve(schema, events=Rate.parse("9000/s")), "KEY003"):
        assert "`{shard}#{farm}#{day}#{id}`" in finding.fix
        assert "brings another fault" not in finding.fix
        assert [made.key.shape for made in finding.models] == ["{shard}#{farm}#{day}#{id}"]
        break
    else:
        pytest.fail("20 farms do not spread 9,000 a second")
