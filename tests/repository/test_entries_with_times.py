"""Mappings whose entries have times: histories, and single values with their time, against a real server."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notes import generated

import btmodel as bt
from btmodel.declare import Fields, codec_of
from btmodel.rows import Cell, Delete, Mutation
from btmodel.rows.edits import Edits
from btmodel.testing import instances

Open = Callable[..., bt.Database]
pytestmark = pytest.mark.both_servers


class Shelf(bt.Model, table="shelves"):
    """What is on a shelf: prices over time, when each was last counted, and a name."""

    id: str = bt.key(bt.Text(max_length=9))

    p = bt.family("p", gc=bt.max_versions(4))
    s = bt.family("s", gc=bt.max_versions(1))
    prices: dict[str, bt.History[int]] = bt.histories(p, bt.Text(max_length=9), prefix="p:")
    notes: dict[int, bt.History[str]] = bt.histories(p, bt.PaddedInt(2), prefix="n:")
    stock: dict[str, bt.Timed[int]] = bt.timed(s, bt.Text(max_length=9), codec=bt.DecimalText())

    every = bt.query(scan="the tests")


SHELVES = generated(Shelf)
KEY = SHELVES.ShelfKey("a")
NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)
MICROS = 1_709_208_000_000_000
DAY = timedelta(days=1)


def day(number: int) -> datetime:
    """Noon, so many days later."""
    return NOON + number * DAY


def shelf(**more: Any) -> Shelf:
    """A row with prices of two things, and the count of one."""
    values: dict[str, Any] = {
        "prices": {"tea": {day(0): 5, day(1): 6, day(2): 7}, "jam": {day(1): 3}},
        "stock": {"tea": bt.Timed(12, day(3))},
    }
    return Shelf(id="a", **{**values, **more})


@pytest.fixture
def shelves(database: Open) -> Any:
    """An empty table of shelves."""
    return SHELVES.ShelfRepository(database(Shelf))


def test_the_cells_are_pinned() -> None:
    """An entry is a qualifier, each of its versions a cell at its time; a single one is a cell at the time of its entry."""
    found = codec_of(Shelf).encode(Fields(shelf(notes={7: {NOON: "x"}})), 0).cells
    assert list(found) == [
        Cell("p", b"p:tea", MICROS, bytes(7) + b"\x05"),
        Cell("p", b"p:tea", MICROS + 86_400_000_000, bytes(7) + b"\x06"),
        Cell("p", b"p:tea", MICROS + 172_800_000_000, bytes(7) + b"\x07"),
        Cell("p", b"p:jam", MICROS + 86_400_000_000, bytes(7) + b"\x03"),
        Cell("p", b"n:07", MICROS, b"x"),
        Cell("s", b"tea", MICROS + 259_200_000_000, b"12"),
    ]


def test_rows_come_back(shelves: Any) -> None:
    """With every entry, the newest version first; what is put again is added, and a late count does not replace a newer one."""
    shelves.put(shelf())
    found = shelves.get("a")
    assert found == shelf()
    assert list(found.prices["tea"].items()) == [(day(2), 7), (day(1), 6), (day(0), 5)]
    assert (found.prices["tea"].newest, found.stock["tea"].value, found.stock["tea"].time) == (7, 12, day(3))
    shelves.put(
        Shelf(id="a", prices={"tea": {day(3): 8}}, stock={"tea": bt.Timed(99, day(1)), "jam": (1, NOON)})
    )
    found = shelves.get("a")
    assert found.prices == {"tea": {day(3): 8, day(2): 7, day(1): 6, day(0): 5}, "jam": {day(1): 3}}
    assert found.stock == {"tea": bt.Timed(12, day(3)), "jam": bt.Timed(1, NOON)}
    shelves.put(Shelf(id="a", prices={"tea": {day(4): 9}}))
    assert sorted(shelves.get("a").prices["tea"].values()) == [6, 7, 8, 9]


def test_reads_choose_entries_versions_and_times(shelves: Any) -> None:
    """Versions are those of each entry; entries are chosen by name or by a range of names."""
    shelves.put(shelf(notes={1: {NOON: "x"}, 2: {NOON: "y"}}))
    assert shelves.get("a", versions=1, only=["prices"]).prices == {"tea": {day(2): 7}, "jam": {day(1): 3}}
    assert shelves.get("a", times=(day(1), day(2))).prices == {"tea": {day(1): 6}, "jam": {day(1): 3}}
    assert shelves.get("a", entries={"prices": ["tea", "none"]}).prices.keys() == {"tea"}
    [row] = shelves.every().entries("prices", "a", "k")
    assert row.prices == {"jam": {day(1): 3}}
    [row] = shelves.every().entries({"notes": [2], "stock": ["tea"]})
    assert (row.notes, row.stock) == ({2: {NOON: "y"}}, {"tea": bt.Timed(12, day(3))})
    assert shelves.get("a", times=(None, day(3)), only=["stock"]) is None
    with pytest.raises(
        bt.QueryRefused, match="an offset counts the versions of one column, and 'prices' is many"
    ):
        shelves.every().versions(1, offset=1)


def test_conditions_look_at_the_newest_of_an_entry(shelves: Any) -> None:
    """Whether it is there, its value, and its time."""
    shelves.put(shelf())

    def found(**expected: Any) -> int:
        return int(shelves.every().where(**expected).count())

    assert found(prices=bt.contains("tea")) == 1
    assert found(prices=bt.contains("tea", 7)) == 1
    assert found(prices=bt.contains("tea", 6)) == 0
    assert found(prices=bt.contains("tea", bt.at_least(7))) == 1
    assert found(stock=bt.contains("tea", bt.older_than(day(3)))) == 0
    assert found(stock=bt.contains("tea", bt.newer_than(day(2)))) == 1
    assert found(notes=bt.present()) == 0
    with pytest.raises(
        bt.QueryRefused, match=r"Shelf\.prices: expected a column of one value to compare, or .*contains"
    ):
        found(prices={"tea": 7})


def test_edits_change_entries_and_ranges_of_their_times(shelves: Any) -> None:
    """One version or entry at a time is set; an entry is removed whole, or the cells of a range of times."""
    shelves.put(shelf())
    shelves.edit("a").set(prices={"jam": {day(2): 4}}, stock={"jam": bt.Timed(1, NOON)}).apply()
    assert shelves.get("a").prices["jam"] == {day(2): 4, day(1): 3}
    shelves.edit("a").remove(prices=["tea", "jam"], start=day(1), end=day(2)).apply()
    assert shelves.get("a").prices == {"tea": {day(2): 7, day(0): 5}, "jam": {day(2): 4}}
    shelves.edit("a").remove(prices=["tea"], end=day(1)).apply()
    assert shelves.get("a").prices["tea"] == {day(2): 7}
    shelves.edit("a").remove(stock=["tea", "jam"], start=day(1)).apply()
    assert shelves.get("a").stock == {"jam": bt.Timed(1, NOON)}
    shelves.remove(KEY, prices=["tea"])
    assert shelves.get("a").prices.keys() == {"jam"}
    shelves.clear(KEY, "stock")
    assert shelves.get("a").stock == {}
    edits = Edits(bt.schema_of(Shelf), codec_of(Shelf))
    assert edits.remove({"prices": ["x"]}, NOON, day(1)).changes == (
        Delete("p", b"p:x", MICROS, MICROS + 86_400_000_000),
    )
    with pytest.raises(bt.QueryRefused, match="remove"):
        edits.remove({"prices": ["x"]}, day(1), NOON)


def test_conditional_writes_are_read(shelves: Any) -> None:
    """put_if leaves other versions, and what it puts into an entry with a time is what is read."""
    shelves.put(shelf())
    assert shelves.put_if(
        Shelf(id="a", prices={"tea": {day(0): 1}}, stock={"tea": bt.Timed(2, day(1))}),
        prices=bt.contains("tea"),
    )
    found = shelves.get("a")
    assert found.prices["tea"] == {day(2): 7, day(1): 6, day(0): 1}
    assert found.stock == {"tea": bt.Timed(2, day(1))}


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"prices": {"tea": 5}}, r"expected a mapping from times to values, such as History"),
        ({"prices": {"tea": {NOON: "5"}}}, r"Shelf\.prices\['tea'\]: expected"),
        (
            {"prices": {"tea": {datetime(2020, 1, 1): 5}}},
            r"Shelf\.prices\['tea'\]: expected an aware datetime",
        ),
        ({"prices": {"tea" * 9: {NOON: 5}}}, r"Shelf\.prices: expected"),
        ({"stock": {"tea": 5}}, r"expected a value with its time, such as Timed\(5, time\)"),
        (
            {"stock": {"tea": (5, NOON.replace(microsecond=1))}},
            r"Shelf\.stock\['tea'\]: expected a time .* in whole milliseconds",
        ),
        ({"stock": {"tea": ("x", NOON)}}, r"Shelf\.stock\['tea'\]: expected"),
    ],
)
def test_what_does_not_fit_is_refused(values: dict[str, Any], why: str) -> None:
    """Before anything is sent, with the entry."""
    with pytest.raises(bt.ValueRefused, match=why):
        bt.mutation_of(Shelf(id="a", **values))


def test_what_cannot_be_read_is_told_with_its_time(shelves: Any) -> None:
    """The version that does not decode is named."""
    shelves.put(shelf())
    shelves._db.write(Mutation("shelves", b"a", [Cell("p", b"p:tea", MICROS, b"x")]))
    with pytest.raises(bt.UndecodableCell, match=r"p:p:tea @ 2024-02-29T12:00:00\.000000Z"):
        shelves.get("a")


def test_rows_are_dicts_json_and_arrow(shelves: Any) -> None:
    """And come back from each as they were."""
    row = shelf(notes={7: {NOON: "x"}})
    assert bt.from_dict(Shelf, bt.to_dict(row)) == row
    assert bt.to_dict(row, json=True) == {
        "id": "a",
        "prices": {
            "tea": {
                "2024-02-29T12:00:00+00:00": 5,
                "2024-03-01T12:00:00+00:00": 6,
                "2024-03-02T12:00:00+00:00": 7,
            },
            "jam": {"2024-03-01T12:00:00+00:00": 3},
        },
        "notes": {"7": {"2024-02-29T12:00:00+00:00": "x"}},
        "stock": {"tea": [12, "2024-03-03T12:00:00+00:00"]},
    }
    assert bt.from_dict(Shelf, bt.to_dict(row, json=True), json=True) == row
    shelves.put(row)
    table = shelves.every().to_arrow()
    assert table.to_pylist()[0]["stock"] == [("tea", {"time": day(3), "value": 12})]
    assert table.to_pylist()[0]["notes"] == [(7, [{"time": NOON, "value": "x"}])]
    shelves.delete("a")
    assert shelves.put_arrow(table) == 1
    assert shelves.get("a") == row


def test_pydantic_takes_and_gives_them() -> None:
    """In the JSON of ``to_dict``."""
    from pydantic import TypeAdapter

    adapter = TypeAdapter(Shelf)
    assert adapter.validate_json(adapter.dump_json(shelf())) == shelf()
    assert adapter.dump_python(shelf(), mode="json") == bt.to_dict(shelf(), json=True)


def test_async_repositories_read_and_edit_alike(database: Open) -> None:
    """The same methods, awaited."""
    target = database(Shelf)

    async def run() -> Any:
        async with bt.connect_async(target.target) as db:
            shelves = SHELVES.AsyncShelfRepository(db)
            await shelves.put(shelf())
            await shelves.edit("a").remove(prices=["tea"], start=day(1)).apply()
            return await shelves.get("a", entries={"prices": ["tea"]})

    assert asyncio.run(run()).prices == {"tea": {day(0): 5}}


@given(instances(Shelf))
def test_every_row_comes_back(row: Shelf) -> None:
    """Whatever its entries, versions and times."""
    mutation = codec_of(Shelf).encode(Fields(row), 0)
    cells = sorted(mutation.cells, key=lambda one: (one.family, one.qualifier, -one.timestamp))
    assert codec_of(Shelf).decode(mutation.key, cells) == row
    assert bt.from_dict(Shelf, bt.to_dict(row, json=True), json=True) == row


@given(st.dictionaries(st.sampled_from(["a", "b"]), st.integers(0, 9), min_size=1))
def test_entries_choose_their_codec(values: dict[str, int]) -> None:
    """``PerEntry`` is taken for entries with times as for others."""

    class Mixed(bt.Model, table="mixed"):
        id: str = bt.key(bt.Text(max_length=9))
        f = bt.family("f", gc=bt.max_versions(1))
        parts: dict[str, bt.Timed[Any]] = bt.timed(
            f, bt.Text(max_length=9), codec=bt.PerEntry({"a": bt.DecimalText(), "b": bt.Int64()})
        )

    row = Mixed(id="x", parts={name: (value, NOON) for name, value in values.items()})
    mutation = codec_of(Mixed).encode(Fields(row), 0)
    assert codec_of(Mixed).decode(b"x", mutation.cells) == row


class Online(bt.Model, table="ONLINE"):
    """The devices of a user, each until its own time."""

    user: str = bt.key(bt.Text(max_length=9))

    f = bt.family("f", gc=bt.max_age(milliseconds=1))
    devices: dict[str, bt.Timed[str]] = bt.timed(f, bt.Text(max_length=9))

    everyone = bt.query(scan="the tests")


def test_entries_end_one_by_one(bigtable: Any) -> None:
    """At their times, though the server still has them: in rows, existence, conditions and reads of entries."""
    online = generated(Online).OnlineRepository(bigtable(Online))
    now = datetime.now(UTC).replace(microsecond=0)
    lives, ended = bt.Timed("4G", now + timedelta(minutes=5)), bt.Timed("wifi", now - timedelta(seconds=5))
    online.put_many(
        [Online(user="jo", devices={"phone": lives, "tv": ended}), Online(user="al", devices={"tv": ended})]
    )
    assert len(list(online._db.cells("ONLINE"))) == 2
    assert online.get("jo").devices == {"phone": lives}
    assert (online.exists("jo"), online.exists("al"), online.get("al")) == (True, False, None)
    assert online.get("jo", entries={"devices": ["tv"]}) is None
    assert [row.user for row in online.everyone()] == ["jo"]
    assert online.everyone().where(devices=bt.contains("phone")).count() == 1
    for name, there in (("phone", True), ("tv", False)):
        edit = online.edit("jo").remove(devices=["none"])
        assert edit.apply(when=online.when(devices=bt.contains(name))) is there
    assert not online.edit("al").remove(devices=["none"]).apply(when=online.when(bt.present()))
