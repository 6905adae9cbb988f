"""Columns that are written to one qualifier and read from several, against a real server."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import pytest
from btmodel_codegen import generate
from filter_interpreter import passing, stored
from hypothesis import given
from hypothesis import strategies as st
from notes import generated

import btmodel as bt
from btmodel.declare.model import codec_of
from btmodel.errors import DeclarationError, QueryRefused
from btmodel.rows import Cell, Mutation, when
from btmodel.rows.compiled.reader import row_reader
from btmodel.rows.conditions import asked
from btmodel.schema.layout import layout_of

Open = Callable[..., bt.Database]


class Member(bt.Model, table="member"):
    """A member, whose columns had other names twice."""

    id: int = bt.key(bt.PaddedInt(3), cardinality=1_000)

    f = bt.family("f", gc=bt.max_versions(1))
    name: str = bt.column("name", f, also=("nm", b"n"))
    visits: int | None = bt.column("visits", f, default=None, also="a")
    note: str | None = bt.column("note", f, default=None)

    all = bt.query(scan="a test")


SCHEMA = bt.schema_of(Member)


def cell(qualifier: bytes, value: bytes, time: int = 1) -> Cell:
    return Cell("f", qualifier, time * 1_000, value)


@pytest.fixture
def members(database: Open) -> Any:
    """An empty table of members."""
    return generated(Member).MemberRepository(database(Member))


def write(members: Any, id: int, *cells: Cell) -> None:
    members._db.write(Mutation("member", b"%03d" % id, list(cells)))


EIGHT = (8).to_bytes(8)


def test_the_first_qualifier_with_a_cell_counts(members: Any) -> None:
    """A row has the value of the first qualifier that has a cell, whatever is newer, in every kind of read."""
    write(members, 1, cell(b"n", b"old", 9), cell(b"nm", b"newer", 5), cell(b"name", b"new", 1))
    write(members, 2, cell(b"n", b"old", 9), cell(b"nm", b"newer", 1), cell(b"a", EIGHT))
    write(members, 3, cell(b"n", b"old"), cell(b"zz", b"unknown"))
    rows = [
        Member(id=1, name="new"),
        Member(id=2, name="newer", visits=8),
        Member(id=3, name="old"),
    ]
    found = list(members.all())
    assert [bt.to_dict(one) for one in found] == [bt.to_dict(one) for one in rows]
    assert [bt.unknown_cells(one) for one in found] == [(), (), (cell(b"zz", b"unknown"),)]
    assert members.get_many([members.key(1), members.key(2)]) == rows[:2]
    assert [one.name for one in members.all().only("name")] == ["new", "newer", "old"]
    assert members.get(2, only=["visits"]).visits == 8
    assert members.all().to_arrow(["id", "name"]).to_pylist() == [
        {"id": 1, "name": "new"},
        {"id": 2, "name": "newer"},
        {"id": 3, "name": "old"},
    ]


PLACES = {
    b"a": EIGHT,
    b"n": b"old",
    b"name": b"new",
    b"nm": b"mid",
    b"note": b"!",
    b"visits": (9).to_bytes(8),
    b"zz": b"?",
}


def test_compiled_reads_give_what_the_codec_gives(members: Any) -> None:
    """Rows with all sets of cells, in turn and in runs: whether the compiled reader or the codec reads one, all agree."""
    others = sorted(PLACES.keys() - {b"n"})
    subsets = [some for count in range(7) for some in combinations(others, count)]
    runs = [some for some in subsets for _ in range(12)]
    held = {
        b"%03d" % id: [
            cell(name, PLACES[name]) for name in sorted({b"n", *names} if id % 2 else {b"name", *names})
        ]
        for id, names in enumerate([*subsets, *reversed(subsets), *runs])
    }
    members._db.write_many("member", [Mutation("member", key, cells) for key, cells in held.items()])
    decoded = [codec_of(Member).decode(key, cells) for key, cells in held.items()]
    found = list(members.all())
    assert found == decoded
    assert [bt.unknown_cells(one) for one in found] == [bt.unknown_cells(one) for one in decoded]
    arrow = members.all().to_arrow(["name", "visits"]).to_pylist()
    assert arrow == [{"name": one.name, "visits": one.visits} for one in decoded]
    assert row_reader(SCHEMA, Member) is not None


def test_the_first_qualifier_is_written(members: Any) -> None:
    """put and update write one cell; None and clear delete all of them, so that no older one comes back."""
    write(members, 1, cell(b"n", b"old"), cell(b"a", EIGHT))
    members.update(1, name="new")
    assert [one.qualifier for _, row in members._db.cells("member") for one in row] == [b"a", b"n", b"name"]
    assert members.get(1) == Member(id=1, name="new", visits=8)
    members.update(1, visits=None)
    assert members.get(1).visits is None
    write(members, 1, cell(b"a", EIGHT), cell(b"visits", EIGHT))
    members.clear(members.key(1), "visits")
    assert members.get(1).visits is None
    with pytest.raises(
        QueryRefused, match=r"its value may be in f:visits or f:a, .* read the row and use put_if"
    ):
        members._increment(members.key(1), "visits", 1)
    assert not hasattr(members, "increment")


def test_rows_without_any_of_them_lack_the_column(members: Any) -> None:
    """A required column needs one of its cells; an update finds a row by any of them."""
    write(members, 1, cell(b"note", b"x"))
    with pytest.raises(bt.UndecodableCell, match="f:name"):
        members.get(1)
    with pytest.raises(bt.MissingRow):
        members.update(1, note="y")
    write(members, 1, cell(b"nm", b"there"))
    members.update(1, note="y")
    assert members.get(1) == Member(id=1, name="there", note="y")


def test_a_broken_cell_that_does_not_count_is_not_read(members: Any) -> None:
    """Only the cell that counts has to decode."""
    write(members, 1, cell(b"name", b"x"), cell(b"visits", EIGHT), cell(b"a", b"broken"))
    assert members.get(1).visits == 8
    write(members, 2, cell(b"name", b"x"), cell(b"a", b"broken"))
    with pytest.raises(bt.UndecodableCell, match="f:a"):
        members.get(2)


NOW = datetime(2020, 1, 1, tzinfo=UTC)
CELLS = st.lists(
    st.builds(
        cell, st.sampled_from([b"name", b"nm", b"n"]), st.sampled_from([b"a", b"b", b"c"]), st.integers(1, 2)
    ),
    unique_by=lambda one: one[1:3],
    max_size=5,
)
CONDITIONS: list[Any] = [
    pytest.param("b", lambda value: value == "b", id="equal"),
    pytest.param(None, lambda value: value is None, id="none"),
    pytest.param(bt.absent(), lambda value: value is None, id="absent"),
    pytest.param(bt.present(), lambda value: value is not None, id="present"),
    pytest.param(bt.less_than("b"), lambda value: value is not None and value < "b", id="less"),
    pytest.param(bt.one_of("a", "c"), lambda value: value in ("a", "c"), id="one of"),
]


@pytest.mark.parametrize(("condition", "wanted"), CONDITIONS)
@given(cells=CELLS)
def test_conditions_hold_of_the_value_that_is_read(
    condition: Any, wanted: Callable[[Any], bool], cells: list[Cell]
) -> None:
    """A condition holds just where it holds of the value that a read gives; so does its opposite."""
    row = stored([*cells, cell(b"note", b"x")])
    newest = {one.qualifier: one.value.decode() for one in reversed(row)}
    value = next((newest[one] for one in (b"name", b"nm", b"n") if one in newest), None)
    assert getattr(codec_of(Member).decode(b"001", row, whole=False), "name", None) == value
    test = when(SCHEMA, (), {"name": condition})
    for one, holds in ((test, wanted(value)), (~test, not wanted(value))):
        filter, present = asked(one.test)
        assert (bool(passing(filter, row, NOW)) is present) is holds


def test_conditions_on_a_server(members: Any) -> None:
    """Reads and writes can depend on the value, wherever it lies."""
    write(members, 1, cell(b"n", b"x"))
    write(members, 2, cell(b"n", b"x"), cell(b"nm", b"y"))
    write(members, 3, cell(b"name", b"x"), cell(b"nm", b"z"))
    assert [one.id for one in members.all().where(name="x")] == [1, 3]
    assert [one.id for one in members.all().where(name=bt.more_than("x"))] == [2]
    assert members.put_if(Member(id=2, name="new"), name="x") is False
    assert members.put_if(Member(id=1, name="new"), name="x", visits=None) is True
    assert members.get(1).name == "new"


def test_what_is_recorded_and_generated() -> None:
    """Each cell is recorded as one that rows may lack, and SQL takes the first that is there."""
    cells = {one.cell: (one.codec, one.required) for one in layout_of(SCHEMA).cells}
    assert cells["f:name"] == cells["f:nm"] == cells["f:n"] == ("value Utf8()", False)
    assert cells["f:note"] == ("value Utf8()", False)
    google = generate([SCHEMA], ["sql"])["tables.sql"]
    big = generate([SCHEMA], ["bigquery"])["tables.bigquery.sql"]
    assert "COALESCE(`f`[b'name'], `f`[b'nm'], `f`[b'n'])" in google
    assert "COALESCE(" in big
    assert '"qualifierString": "nm"' in big


def test_what_cannot_be_a_further_qualifier_is_refused() -> None:
    """A further qualifier is another one, given once, and no other column's."""
    for wrong in ("name", ("a", "a"), (5,), 5, ("\ud800",)):
        with pytest.raises(
            DeclarationError, match="also: expected other qualifiers, each once, as text or bytes, got"
        ):

            class Wrong(bt.Model, table="wrong"):
                id: int = bt.key(bt.PaddedInt(3))
                g = bt.family("f", gc=bt.max_versions(1))
                name: str = bt.column("name", g, also=wrong)  # type: ignore[arg-type]

    with pytest.raises(DeclarationError, match="COL002"):

        class Twice(bt.Model, table="twice"):
            id: int = bt.key(bt.PaddedInt(3))
            g = bt.family("f", gc=bt.max_versions(1))
            name: str = bt.column("name", g, also="nm")
            other: str = bt.column("nm", g)
