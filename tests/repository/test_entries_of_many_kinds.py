"""Mappings whose values depend on the entry, and entries that nobody can decode."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from notes import generated
from pydantic import TypeAdapter, ValidationError

import btmodel as bt
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.rows import Cell, Mutation
from btmodel.testing import instances

KINDS = bt.PerEntry(
    {"temp": bt.FloatText(), "count": bt.DecimalText(), "day": bt.IsoDate()}, otherwise=bt.Utf8()
)


class Device(bt.Model, table="DEVICE", events="10/s"):
    """What a device measures, each thing in its own encoding."""

    id: str = bt.key(bt.Text(max_length=9), cardinality=1000)

    f = bt.family("f", gc=bt.max_versions(1))
    values: dict[str, Any] = bt.mapping(
        f, bt.Text(max_length=9), codec=KINDS, prefix="v:", entries=9, size=4, max_size=9
    )
    days: dict[date, int] = bt.mapping(
        f, bt.DateText(), codec=bt.DecimalText(), prefix="d:", keep_undecoded=True, entries=9
    )
    tags: set[date] = bt.members(f, bt.DateText(), prefix="t:", keep_undecoded=True, entries=9)

    one = bt.query("id")


VALUES = {"temp": 21.5, "count": 3, "day": date(2020, 5, 1), "note": "text"}


def device(**values: Any) -> Device:
    return Device(id="a", values=values, days={}, tags=set())


def test_each_entry_has_its_own_bytes() -> None:
    """By the codec that its key chooses, or that of all others."""
    mutation = str(bt.mutation_of(device(**VALUES)))
    for text in (
        "f:v:temp @ .* = 21.5",
        "f:v:count @ .* = 3",
        "f:v:day @ .* = 2020-05-01",
        "f:v:note @ .* = text",
    ):
        assert re.search(text, mutation), text


def test_a_value_of_another_entry_is_refused() -> None:
    """With the entry's key; and so is an entry that has no codec."""
    with pytest.raises(ValueRefused, match=r"Device.values\['count'\]"):
        bt.mutation_of(device(count="three"))
    few = bt.PerEntry({"temp": bt.FloatText()})
    with pytest.raises(ValueRefused, match="an entry called 'temp'"):
        few.of("count")
    with pytest.raises(ValueRefused, match="the entry of a mapping"):
        few.encode(3)


def test_rows_come_back_as_they_were(database: Callable[..., bt.Database]) -> None:
    """From a server, and as columns of Arrow and back, whose maps have the bytes."""
    repository = generated(Device).DeviceRepository(database(Device))
    repository.put(device(**VALUES))
    assert repository.get("a") == device(**VALUES)
    table = repository.one("a").to_arrow()
    assert dict(table.column("values").to_pylist()[0])["temp"] == b"21.5"
    repository.delete("a")
    repository.put_arrow(table)
    assert repository.get("a") == device(**VALUES)


def test_entries_that_do_not_decode_are_unknown_cells_where_that_is_asked(
    database: Callable[..., bt.Database],
) -> None:
    """Of keys and of values; elsewhere they are errors."""
    db = database(Device)
    repository = generated(Device).DeviceRepository(db)
    repository.put(Device(id="a", values={}, days={date(2020, 5, 1): 3}, tags={date(2020, 5, 2)}))
    cells = tuple(
        Cell("f", qualifier, 1_000_000, value)
        for qualifier, value in ((b"d:20200502", b"three"), (b"d:soon", b"3"), (b"t:never", b""))
    )
    db.write(Mutation("DEVICE", b"a", cells))
    row = repository.get("a")
    assert (row.days, row.tags) == ({date(2020, 5, 1): 3}, {date(2020, 5, 2)})
    assert {cell.qualifier for cell in bt.unknown_cells(row)} == {b"d:20200502", b"d:soon", b"t:never"}
    db.write(Mutation("DEVICE", b"a", (Cell("f", b"v:count", 1_000_000, b"three"),)))
    with pytest.raises(bt.UndecodableCell, match="v:count"):
        repository.get("a")


def test_it_is_a_codec_of_mappings_alone() -> None:
    """Elsewhere no entry has a key."""
    family = bt.family("f", gc=bt.max_versions(1))
    with pytest.raises(DeclarationError, match="PerEntry is a codec of mappings"):
        bt.column("c", family, codec=KINDS)
    with pytest.raises(DeclarationError, match="expected a cell codec for each entry"):
        bt.PerEntry({})
    with pytest.raises(DeclarationError, match="keep_undecoded: expected True or False"):
        bt.members(family, bt.Text(max_length=3), keep_undecoded=1)  # type: ignore[arg-type]


@given(instances(Device))
def test_drawn_rows_can_be_written(row: Device) -> None:
    """Values are drawn by the codec of their entry."""
    bt.mutation_of(row)


class Gauge(bt.Model, table="GAUGE", events="10/s"):
    """What a gauge measures, in encodings that sort, each its own."""

    id: str = bt.key(bt.Text(max_length=9), cardinality=1000)

    f = bt.family("f", gc=bt.max_versions(1))
    values: dict[str, Any] = bt.mapping(
        f, bt.Text(max_length=9), codec=bt.PerEntry({"c": bt.Int64(), "d": bt.IsoDate()}), entries=2, size=8
    )

    all = bt.query(scan="the tests")


def test_one_entry_is_compared_in_its_own_bytes(database: Callable[..., bt.Database]) -> None:
    """By equality and by order, with the codec of the entry that is named; an entry without one is refused."""
    gauges = generated(Gauge).GaugeRepository(database(Gauge))
    gauges.put_many([Gauge(id=str(n), values={"c": n, "d": date(2020, 1, n)}) for n in (3, 7)])

    def found(comparison: Any) -> list[str]:
        return [one.id for one in gauges.all().where(values=comparison)]

    assert found(bt.contains("c", 7)) == ["7"]
    assert found(bt.contains("c", bt.more_than(5))) == ["7"]
    assert found(bt.contains("d", bt.at_most(date(2020, 1, 3)))) == ["3"]
    with pytest.raises(ValueRefused, match=r"Gauge\.values: expected an entry called 'c', 'd', got 'x'"):
        found(bt.contains("x", 7))


class Mixed(bt.Model, table="MIXED"):
    """Entries of types that JSON has no word for, with histories and times as well."""

    id: str = bt.key(bt.Text(max_length=9))

    f = bt.family("f", gc=bt.max_versions(1))
    h = bt.family("h", gc=bt.max_versions(9))
    values: dict[str, Any] = bt.mapping(
        f,
        bt.Text(max_length=9),
        codec=bt.PerEntry({"price": bt.DecimalNumber(), "day": bt.IsoDate()}, bt.Raw()),
    )
    past: dict[str, bt.History[Any]] = bt.histories(
        h, bt.Text(max_length=9), codec=bt.PerEntry({"price": bt.DecimalNumber()})
    )


def test_each_entry_stands_in_json_as_its_own_codec_has_it() -> None:
    """Also through pydantic, which takes either form; a wrong value, and an entry without a codec, are named."""
    noon = datetime(2024, 2, 29, 12, tzinfo=UTC)
    values = {"price": Decimal("1.50"), "day": date(2020, 5, 1), "raw": b"\x00\xff"}
    row = Mixed(id="a", values=values, past={"price": bt.History({noon: Decimal(2)})})
    json = {
        "id": "a",
        "values": {"price": "1.50", "day": "2020-05-01", "raw": "AP8="},
        "past": {"price": {"2024-02-29T12:00:00+00:00": "2"}},
    }
    adapter = TypeAdapter(Mixed)
    assert bt.to_dict(row, json=True) == json
    assert bt.from_dict(Mixed, json, json=True) == row
    assert adapter.dump_python(row, mode="json") == json
    assert adapter.validate_json(adapter.dump_json(row)) == row
    assert adapter.validate_python(bt.to_dict(row)) == row
    assert adapter.json_schema()["properties"]["values"]["type"] == "object"
    for values, said in [
        ({"price": 1}, r"Mixed\.values\['price'\]: expected a Decimal as text, in JSON, got 1"),
        ({"day": "x"}, r"Mixed\.values\['day'\]: expected an ISO date"),
    ]:
        with pytest.raises(ValueRefused, match=said):
            bt.from_dict(Mixed, {**json, "values": values}, json=True)
    with pytest.raises(
        ValueRefused, match=r"Mixed\.past: expected an entry called 'price', in JSON, got 'x'"
    ):
        bt.from_dict(Mixed, {**json, "past": {"x": {}}}, json=True)
    with pytest.raises(ValidationError, match="price"):
        adapter.validate_python({**json, "values": {"price": 1}})
