"""Declared models whose attributes lie in many cells, in timestamps, or follow from others."""

from __future__ import annotations

import copy
import hashlib
import pickle
import zlib
from datetime import UTC, date, datetime, timedelta
from typing import Any

import attrs
import pytest

import btmodel as bt
from btmodel.declare import Fields, codec_of, twins
from btmodel.errors import DeclarationError, QueryRefused, UndecodableKey, ValueRefused
from btmodel.rows import Cell
from btmodel.rows.mutations import Add, Delete, Mutation

AT = datetime(2020, 2, 29, 1, tzinfo=UTC)
NOW = 1_600_000_000_000_000


class Shared(bt.Model):
    """What a model with every kind of attribute inherits."""

    f = bt.family("f", gc=bt.keep_all())
    g = bt.family("g", gc=bt.keep_all(), aggregate="sum")
    shard = bt.salt("name", buckets=12)
    name: str = bt.key(bt.Text(max_length=8), cardinality=1000)
    day: date = bt.key(bt.DateText())
    power: bt.Slots[int] = bt.slots(f, every="1h", qualifier="%H", prefix="p")
    alarms: bt.History[str] = bt.marks(f, bt.Text(max_length=9), prefix="a:")
    limits: dict[str, int] = bt.mapping(f, bt.Text(max_length=9), prefix="l:")
    tags: set[str] = bt.members(f, bt.Text(max_length=9), prefix="t:")
    total: int | None = bt.counter("n", g)
    votes: dict[int, int] = bt.counters(g, bt.PaddedInt(2), prefix="v:")
    note: str | None = bt.column("x", f, default=None)
    seen: datetime | None = bt.timestamp(default=None)

    of_name = bt.query("name", between="day")
    all_days = bt.query("name")


class Meter(Shared, table="METER", bucket="day"):
    """A meter."""


def meter(**changes: Any) -> Meter:
    """A row, with some attributes changed."""
    values: dict[str, Any] = {"name": "a", "day": AT.date(), "power": {AT: 5}, "alarms": {AT: "hot"}}
    values |= {"limits": {"max": 9}, "tags": {"new"}}
    return Meter(**{**values, **changes})


def stored(row: bt.Model, only: frozenset[str] | None = None, *more: Cell) -> Any:
    """The row as it is read after it was written."""
    mutation = codec_of(type(row)).encode(Fields(row), NOW)
    cells = sorted([*mutation.cells, *more], key=lambda cell: (cell.family, cell.qualifier, -cell.timestamp))
    return codec_of(type(row)).decode(mutation.key, cells, only)


def test_everything_that_is_declared_is_inherited() -> None:
    """A model without a body has the fields, columns, salts, timestamps and queries of its mixin."""
    schema = bt.schema_of(Meter)
    assert schema.key.shape == "{shard}#{name}#{day}"
    assert [column.cell for column in schema.columns] == [
        "f:p...", "f:a:...", "f:l:...", "f:t:...", "g:n", "g:v:...", "f:x"
    ]  # fmt: skip
    assert (schema.stamp.attribute, schema.stamp.stored, schema.stamp.required) == ("seen", True, False)
    assert [query.name for query in schema.queries] == ["of_name", "all_days"]


def test_a_row_of_every_kind_comes_back() -> None:
    """Plain mappings and sets become what they are annotated with, and the row is read as it was written."""
    row = meter(seen=AT, note="x")
    assert isinstance(row.power, bt.Slots)
    assert isinstance(row.alarms, bt.History)
    assert stored(row) == row
    assert stored(meter()).seen == datetime.fromtimestamp(NOW / 1_000_000, UTC)
    assert stored(row).power[AT.time()] == 5


def test_a_counter_is_read_and_never_written() -> None:
    """It cannot be given or set, and a row that was read with one is put without it."""
    counted = Cell("g", b"n", 0, bytes(7) + b"\x05")
    row = stored(meter(seen=AT), None, counted, Cell("g", b"v:07", 0, bytes(7) + b"\x03"))
    assert (row.total, row.votes, row.seen) == (5, {7: 3}, AT)
    assert all(cell.family != "g" for cell in codec_of(Meter).encode(Fields(row), NOW).cells)
    told = r"Meter\.total: expected nothing: a counter is added to, by `add` of a repository, and never given or set"
    with pytest.raises(ValueRefused, match=f"{told}, got 5"):
        meter(total=5)
    with pytest.raises(ValueRefused, match=r"Meter\.votes: expected nothing: a counter is added to"):
        meter(votes={7: 1})
    with pytest.raises(TypeError, match="unexpected keyword argument 'totals'"):
        meter(totals=5)
    with pytest.raises(ValueRefused, match=f"{told}, got 6"):
        row.total = 6
    assert attrs.evolve(row, note="y").note == "y"


def test_a_row_that_was_read_in_part_says_what_it_lacks() -> None:
    """Reading, writing and showing it tell columns that were not read from such as are None."""
    row = stored(meter(note="x", seen=AT), frozenset({"note"}))
    assert repr(row) == f"Meter(name='a', day={AT.date()!r}, note='x', seen={AT!r})"
    for name in ("power", "limits", "total"):
        with pytest.raises(AttributeError, match=rf"Meter\.{name} was not read"):
            getattr(row, name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        row.nothing  # noqa: B018
    with pytest.raises(ValueRefused, match=r"Meter\.power: expected a value \(this row was read without it"):
        codec_of(Meter).encode(Fields(row), NOW)
    assert bt.key_of(row) == bt.key_of(meter())


def test_rows_that_were_read_in_part_are_equal_where_the_same_was_read() -> None:
    """What was not read equals only what was not read; nothing raises."""
    whole, note, tags = (
        stored(meter(note="x"), only) for only in (None, frozenset({"note"}), frozenset({"tags"}))
    )
    assert note == stored(meter(note="x"), frozenset({"note"}))
    assert note != stored(meter(note="y"), frozenset({"note"}))
    assert len([one for one in (whole, note, tags) if one == note]) == 1
    assert stored(meter(), frozenset({"note"})) != stored(meter(), frozenset())


@pytest.mark.parametrize("only", [None, frozenset({"note"}), frozenset[str]()])
def test_rows_can_be_copied_and_sent_to_other_processes(only: frozenset[str] | None) -> None:
    """A copy has what the row has, unknown cells among it, and lacks what it lacks."""
    stranger = Cell("f", b"?", 0, b"1")
    row = stored(meter(note="x"), only, stranger, Cell("g", b"n", 0, bytes(8)))
    for twin in (copy.copy(row), copy.deepcopy(row), pickle.loads(pickle.dumps(row))):
        assert twin == row
        assert repr(twin) == repr(row)
        assert bt.unknown_cells(twin) == (stranger,)


class Stamped(bt.Model, table="stamped"):
    """A row whose time lies in the timestamps of its cells."""

    name: str = bt.key(bt.Text(max_length=8), cardinality=1000)
    f = bt.family("f", gc=bt.max_versions(1))
    at: datetime = bt.timestamp()
    one: int | None = bt.column("1", f, default=None)
    two: int | None = bt.column("2", f, default=None)


def test_a_required_time_is_in_the_timestamps_or_refused() -> None:
    """It is written with every plain cell, and never lost in silence: not as None, and not without a cell."""
    row = Stamped(name="a", at=AT, one=1)
    assert {cell.timestamp for cell in codec_of(Stamped).encode(Fields(row), NOW).cells} == {
        1_582_938_000_000_000
    }
    assert stored(row) == row
    for only in ({"one"}, {"two"}, {"one", "two"}, set[str]()):
        part = stored(row, frozenset(only))
        assert part.name == "a"
    for wrong in (
        None,
        AT.replace(tzinfo=None),
        AT + timedelta(microseconds=1),
        AT.replace(year=1960),
        "2020",
    ):
        with pytest.raises(ValueRefused, match=r"Stamped\.at: expected"):
            codec_of(Stamped).encode({**Fields(row), "at": wrong}, NOW)
    with pytest.raises(ValueRefused, match=r"Stamped\.at: expected at least one plain cell"):
        codec_of(Stamped).encode({**Fields(row), "one": None}, NOW)


@pytest.mark.parametrize(("timestamp", "micros"), [(0, 0), ("at", 1_582_938_000_000_000), (None, NOW)])
def test_plain_cells_are_stamped_as_the_class_says(timestamp: str | int | None, micros: int) -> None:
    """With a fixed time, with that of a key field, or with the time of writing; mirrors, too."""

    class Timed(bt.Model, table="timed", timestamp=timestamp):  # type: ignore[call-arg]
        name: str = bt.key(bt.Text(max_length=8), cardinality=1000, mirror="f:n")
        at: datetime = bt.key(bt.EpochMillis())
        f = bt.family("f", gc=bt.keep_all())
        one: int = bt.column("1", f)
        tags: set[str] = bt.members(f, bt.Text(max_length=9), prefix="t:")
        old: bt.History[int] = bt.history("h", f)

    row = Timed(name="a", at=AT, one=1, tags={"x"}, old={AT - timedelta(days=1): 5})  # type: ignore[arg-type]
    cells = codec_of(Timed).encode(Fields(row), NOW).cells
    assert [cell.timestamp for cell in cells] == [micros, micros, micros, 1_582_851_600_000_000]
    assert stored(row) == row


class Hashed(bt.Model, table="hashed"):
    """A row that is found by a hash of a column."""

    bucket = bt.salt("mail", "number", buckets=100)
    digest = bt.digest("mail", size=4)
    number: int = bt.key(bt.PaddedInt(3), cardinality=1000)
    last: str | None = bt.key(bt.Text(max_length=8), default=None)
    f = bt.family("f", gc=bt.max_versions(1))
    mail: str = bt.column("m", f)

    of_mail = bt.query("mail")


def test_the_bytes_of_salts_and_digests_are_pinned() -> None:
    """CRC-32 and SHA-256 of the stored bytes, as other programs compute them: rows are found by them."""
    assert zlib.crc32(b"a@b.c\0\x01007") % 100 == 57
    assert hashlib.sha256(b"a@b.c").digest()[:4].hex() == "d648b243"
    assert Hashed.row_key(mail="a@b.c", number=7, last=None) == b"57#d648b243#007"
    assert Hashed.row_key(mail="é", number=7, last="x") == b"03#4a99557e#007#x"
    assert Meter.row_key(name="a", day=AT.date()) == b"03#a#20200229"


def test_a_hash_is_checked_against_the_column_that_it_is_made_from() -> None:
    """A row whose column does not make the hash in its key is told; without the column nobody can tell."""
    row = Hashed(number=7, mail="a@b.c")
    assert row.last is None
    assert stored(row) == row
    key = bt.key_of(row)
    cells = [Cell("f", b"m", 0, b"other")]
    with pytest.raises(UndecodableKey, match=r"bucket: expected .* which follows from mail, number"):
        codec_of(Hashed).decode(key, cells)
    assert codec_of(Hashed).decode(key, cells, frozenset()).number == 7
    with pytest.raises(QueryRefused, match="missing: mail"):
        Hashed.row_key(number=7, last=None)


def test_a_hash_is_asked_for_by_what_it_is_made_from() -> None:
    """The reads go over the values of the salt, the hash is told in each."""
    plan = Hashed.of_mail.plan(mail="a@b.c")
    assert len(plan.ranges) == 100
    assert all(b"#" in span.start for span in plan.ranges)


class Tenant(bt.Model, table="T_{day}"):
    """A table for each day, and a family for each tenant."""

    name: str = bt.key(bt.Text(max_length=8), cardinality=1000, mirror="{tenant}:n")
    own = bt.family("{tenant}", gc=bt.keep_all())
    other = bt.family("all", gc=bt.keep_all())
    value: int = bt.column("v", own)


def test_parameters_complete_the_ids_of_tables_and_families() -> None:
    """Names in braces are filled in all at once, in mirrors and columns as well."""
    schema = bt.schema_of(Tenant, day="1", tenant="acme")
    assert bt.schema_of(Tenant).parameters == ("day", "tenant")
    assert (schema.table, [family.id for family in schema.families]) == ("T_1", ["acme", "all"])
    assert (schema.columns[0].family, schema.parameters) == ("acme", ())
    assert schema.key.fields[0].mirror is not None
    assert schema.key.fields[0].mirror.family == "acme"


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"day": "1"}, QueryRefused, "Tenant: expected the parameters day, tenant, got day"),
        ({"day": "1", "tenant": "a", "dya": "1"}, QueryRefused, "got day, tenant, dya"),
        ({"model": "1"}, QueryRefused, "got model"),
        ({"day": "1", "tenant": 5}, ValueRefused, "tenant: expected text that is not empty, got 5"),
        ({"day": "a/b", "tenant": "a"}, ValueRefused, "Tenant: expected a table id"),
        ({"day": "", "tenant": ""}, ValueRefused, "day: expected text that is not empty"),
        ({"day": "{tenant}", "tenant": "a"}, ValueRefused, "Tenant: expected a table id"),
        (
            {"day": "1", "tenant": "all"},
            ValueRefused,
            "Tenant: expected families of different ids, got 'all, all'",
        ),
        ({"day": "x" * 60, "tenant": "a"}, ValueRefused, "Tenant: expected a table id"),
    ],
)
def test_wrong_parameters_are_refused(
    parameters: dict[str, Any], error: type[Exception], message: str
) -> None:
    """Missing and unknown ones, and such as make no id or merge two families."""
    with pytest.raises(error, match=message):
        bt.schema_of(Tenant, **parameters)
    with pytest.raises(QueryRefused, match="expected the parameters none"):
        bt.schema_of(Stamped, day="1")


def test_models_queries_and_writes_show_themselves() -> None:
    """What a notebook shows of a class, a plan and a write says what goes on."""
    assert repr(Meter) == "<model Meter: table METER, row key {shard}#{name}#{day}>"
    assert repr(Hashed) == "<model Hashed: table hashed, row key {bucket}#{digest}#{number}#{last?}>"
    assert "Shared" in repr(Shared)
    text = Meter.of_name.explain(name="a", day=(AT.date(), AT.date(), "[]"))
    assert text.splitlines()[2] == "rows    [b'03#a#20200229', b'03#a#2020022:')"
    write = Mutation(
        "t",
        b"\xff#1",
        (Cell("f", b"\0", 0, b"x\n"),),
        (Delete(), Delete("f"), Delete("f", b"q"), Delete("f", b"q", 0, 1000), Delete("f", b"q", 1000)),
        (Add("g", b"n", 0, -5),),
    )
    assert str(write).splitlines() == [
        r"table t, row b'\xff#1':",
        "  delete every cell",
        "  delete family f",
        "  delete f:q",
        "  delete f:q @ [1970-01-01T00:00:00.000000Z, 1970-01-01T00:00:00.001000Z)",
        "  delete f:q @ [1970-01-01T00:00:00.001000Z, open)",
        r"  set f:b'\x00' @ 1970-01-01T00:00:00.000000Z = b'x\n'",
        "  add -5 to g:n @ 1970-01-01T00:00:00.000000Z",
    ]
    assert write.count == 7


class ByDay(bt.Model, table="by_day", allow={"KEY001": "a test"}):
    """The same facts as ``Fact`` under another key."""

    day: date = bt.key(bt.DateText())
    name: str = bt.key(bt.Text(max_length=8))
    f = bt.family("f", gc=bt.max_versions(1))
    tags: set[str] = bt.members(f, bt.Text(max_length=8))


class Fact(bt.Model, table="fact"):
    """A fact."""

    name: str = bt.key(bt.Text(max_length=8), cardinality=1000)
    day: date = bt.key(bt.DateText())
    f = bt.family("f", gc=bt.max_versions(1))
    tags: set[str] = bt.members(f, bt.Text(max_length=8), prefix="t")
    more: int | None = bt.column("m", f, default=None)


FACT = Fact(name="a", day=AT.date(), tags={"x"})


def test_a_twin_takes_attributes_of_the_same_names() -> None:
    """The rows of a row and its twins come in the order of writing; a function makes what names do not."""
    by_day = ByDay(name="a", day=AT.date(), tags={"x"})
    assert twins(Fact, ByDay).rows(FACT) == (FACT, by_day)
    made = twins(Fact, (ByDay, lambda fact: ByDay(name=fact.name + "!", day=fact.day, tags=set())), ByDay)
    assert [bt.key_of(row) for row in made.rows(FACT)] == [b"a#20200229", b"20200229#a!", b"20200229#a"]


def other_tags() -> type[bt.Model]:
    """A model whose tags are numbers."""

    class Numbered(bt.Model, table="numbered"):
        name: str = bt.key(bt.Text(max_length=8), cardinality=1000)
        f = bt.family("f", gc=bt.max_versions(1))
        tags: set[int] = bt.members(f, bt.PaddedInt(2))

    return Numbered


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ((), "expected at least one model beside"),
        ((Meter,), r"Meter\.power \(slots of int\) would be taken from Fact\.power, which it does not have"),
        ((other_tags(),), r"Numbered\.tags \(members of int\) .* Fact\.tags, which is members of str there"),
        ((Shared,), "expected models of tables, or pairs"),
        ((5,), "expected models of tables, or pairs .* got 5"),
        (((ByDay, 5),), "expected models of tables, or pairs"),
        (((ByDay,),), "expected models of tables, or pairs"),
    ],
)
def test_wrong_twins_are_refused_where_they_stand(others: tuple[Any, ...], message: str) -> None:
    """What a twin would not find in its source, and what is no model, is told with the line."""
    with pytest.raises(DeclarationError, match=rf"{__file__}:\d+: twins: {message}"):
        twins(Fact, *others)
    with pytest.raises(DeclarationError, match="twins: expected a model of a table in front"):
        twins(Shared, ByDay)
