"""Data steps that delete: whatever order they give, and wherever they are killed, nothing is deleted that is yet to be written."""

import random
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

import pytest
from attrs import define
from googles_client import cells_of
from hypothesis import given
from hypothesis import strategies as st
from renamed_models import Site, family, site

from btmodel import emulator
from btmodel.migrate.data import Row, StoredRow, data_step, run_step
from btmodel.migrate.data.steps import phases
from btmodel.migrate.history import Reached
from btmodel.rows import Add, Cell, Delete, Mutation, ReadPlan
from btmodel.schema import Table

T, U = Table("T", (family("f"), family("g"))), Table("U", (family("f"),))
KEYS = [b"%d" % n for n in range(5)]


class Killed(Exception):
    """The end of a process, as far as this one can see it."""


@define
class Dying:
    """Rows of a run that dies in its ``left``-th write, of which the server has done any part."""

    rows: Any
    left: int
    chance: random.Random

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        yield from self.rows.read(plan)

    def write_many(self, table: str, mutations: Iterable[Mutation]) -> int:
        self.left -= 1
        if self.left >= 0:
            written: int = self.rows.write_many(table, mutations)
            return written
        for one in mutations:
            if self.chance.random() < 0.5:
                self.rows.write(one)
        raise Killed


@define
class Remembered:
    """The progress of one step, in memory."""

    reached: Reached | None = None

    def progress(self, step: str) -> Reached | None:
        return self.reached

    def record_progress(self, step: str, reached: Reached) -> None:
        self.reached = reached


@pytest.fixture
def there(server: emulator.Emulator, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        for table in (T, U):
            found.admin.create_table(table)
        yield found


def moved(row: StoredRow, table: str) -> list[Mutation]:
    """A row that gets a new key, whatever was there; behind the rows that are given."""
    cells = [cell for cell in row.cells if cell.family == "f"]
    return [
        Mutation("T", row.key, deletes=(Delete(),)),
        Mutation(table, b"x" + row.key, cells),
        Mutation(table, b"y" + row.key, cells, deletes=(Delete(),)),
    ]


@pytest.mark.parametrize("table", ["T", "U"])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_a_row_that_moves_is_never_lost(
    there: Site, server: emulator.Emulator, table: str, order: Sequence[int]
) -> None:
    """A step that deletes each row and writes it elsewhere, in any order, is killed in each of its writes, and goes on: all is there."""

    @data_step("T")
    def move(row: StoredRow) -> list[Mutation] | None:
        made = moved(row, table)
        return [made[number] for number in order] if row.key in KEYS else None

    there.write("T", {key: [Cell("f", b"q", 1_000, key)] for key in KEYS})
    history, chance = Remembered(), random.Random(0)
    for left in range(3):
        with pytest.raises(Killed):
            run_step(Dying(there.rows, left, chance), history, move, "move")
    run_step(there.rows, history, move, "move")
    found = cells_of(there.admin.instance, server.host, table)
    assert found == {to + key: {Cell("f", b"q", 1_000, key)} for to in (b"x", b"y") for key in KEYS}
    assert table == "T" or there.cells("T") == {}


def test_a_row_that_is_replaced_is_never_half_there(there: Site) -> None:
    """What deletes a row and then sets it is one write: no death in between leaves the row without its cells."""

    @data_step("T")
    def replaced(row: StoredRow) -> list[Mutation]:
        [cell] = row.cells
        return [
            Mutation("T", row.key, deletes=(Delete(),)),
            Mutation("T", row.key, [cell._replace(family="g")]),
        ]

    there.write("T", {key: [Cell("f", b"q", 1_000, key)] for key in KEYS})
    with pytest.raises(Killed):
        run_step(Dying(there.rows, 0, random.Random(1)), Remembered(), replaced, "replaced")
    assert {key: [cell.value for cell in cells] for key, cells in there.cells("T").items()} == {
        key: [key] for key in KEYS
    }
    assert {cell.family for cells in there.cells("T").values() for cell in cells} == {"f", "g"}


cells = st.builds(
    Cell, st.sampled_from("fg"), st.sampled_from([b"p", b"q"]), st.integers(0, 3), st.binary(max_size=1)
)
adds = st.builds(Add, st.just("s"), st.sampled_from([b"p", b"q"]), st.integers(0, 3), st.integers(1, 9))
deletes = st.one_of(
    st.just(Delete()),
    st.builds(Delete, st.sampled_from("fgs")),
    st.builds(
        Delete,
        st.sampled_from("fgs"),
        st.sampled_from([b"p", b"q"]),
        st.integers(0, 2),
        st.sampled_from([0, 3]),
    ),
)
mutations = st.builds(
    Mutation,
    st.sampled_from("TU"),
    st.sampled_from([b"1", b"2"]),
    st.lists(cells, max_size=2),
    st.lists(deletes, max_size=1),
    st.lists(adds, max_size=1),
)


@given(st.lists(st.tuples(mutations, st.booleans()), max_size=6))
def test_each_row_comes_to_what_it_was_given(given: list[tuple[Mutation, bool]]) -> None:
    """Whatever a step gives, the rows are as if it was written in its order; and what only deletes comes last."""
    parts = list(phases(given))
    assert applied([one for one, _ in given]) == applied([one for _, part in parts for one in part])
    kinds = [any(one.cells or one.adds for one in part) for _, part in parts]
    assert kinds == sorted(kinds, reverse=True)
    for table, part in parts:
        assert {one.table for one in part} == {table}


def applied(given: Iterable[Mutation]) -> dict[tuple[object, ...], object]:
    """The cells of rows that were empty before ``given``."""
    there: dict[tuple[Any, ...], Any] = {}
    for one in given:
        for delete in one.deletes:
            for cell in list(there):
                table, key, name, qualifier, time = cell
                named = delete.family in (None, name) and delete.qualifier in (None, qualifier)
                timed = delete.start <= time and (not delete.end or time < delete.end)
                if (table, key) == (one.table, one.key) and named and timed:
                    del there[cell]
        for cell in one.cells:
            there[one.table, one.key, *cell[:3]] = cell.value
        for add in one.adds:
            place = (one.table, one.key, add.family, add.qualifier, add.timestamp)
            there[place] = there.get(place, 0) + add.amount
    return there
