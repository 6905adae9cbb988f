"""Every filter lets through on a server what it says, whatever bytes are in names, values and keys."""

import random
from datetime import UTC, datetime

import pytest
from bare import NASTY, Bare
from filter_interpreter import passing, stored
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from btmodel import Database
from btmodel.errors import MissingFamily
from btmodel.rows import (
    Cell,
    Chain,
    ExactValue,
    Families,
    Filter,
    FirstCells,
    Interleave,
    KeyLength,
    KeyMatches,
    Mutation,
    QualifierRange,
    Qualifiers,
    ReadPlan,
    RowRange,
    Rows,
    Times,
    ValueEnds,
    Versions,
    WithoutValues,
)
from btmodel.schema import Family, KeepAll

pytestmark = pytest.mark.both_servers

NOW = datetime(2020, 1, 1, tzinfo=UTC)
FAMILIES = (Family("a.1", KeepAll()), Family("b", KeepAll()))
KEYS = [b"a", b"a\nb", b"a#1", b"a#2", b"\0", b"\xff#1"]
EVERYTHING = (RowRange(b"", b""),)


def some_rows() -> dict[bytes, list[Cell]]:
    """Rows of a few cells each, whose names and values are of the nastiest."""
    chance = random.Random(5)
    return {
        key: stored(
            Cell(family.id, qualifier, 1000 * time, chance.choice(NASTY))
            for family in FAMILIES
            for qualifier in chance.sample(NASTY, 7)
            for time in chance.sample(range(1, 6), chance.choice([1, 1, 3]))
        )
        for key in KEYS
    }


ROWS = some_rows()

ids = st.sampled_from([family.id for family in FAMILIES])
names = st.sampled_from(NASTY)
alone = st.one_of(
    st.builds(Families, st.lists(ids, max_size=2, unique=True).map(tuple)),
    st.builds(Qualifiers, ids, st.lists(names, max_size=4).map(tuple)),
    st.builds(QualifierRange, ids, names, names),
    st.builds(ExactValue, names),
    st.builds(ValueEnds, names, names),
    st.builds(Times, st.integers(0, 3).map(lambda n: 1000 * n), st.sampled_from([0, 4000, 5000])),
    st.builds(KeyMatches, st.sampled_from([b"a", rb"a#\d", b"(?s).*b", rb"[^a]#1", rb"\x00"])),
    st.builds(KeyLength, st.integers(1, 4)),
    st.just(WithoutValues()),
)
# The order of families in a row is a server's own, so the first cells are told only of one family.
first = st.builds(lambda id, n: Chain((Families((id,)), FirstCells(n))), ids, st.integers(1, 5))
counting = st.one_of(st.builds(Versions, st.integers(1, 2)), first)


def nested(inner: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    """Filters of filters; nothing is counted behind an interleave, where servers differ on copies."""
    return st.one_of(
        st.builds(Interleave, st.lists(inner, max_size=3).map(tuple)),
        st.builds(Rows, inner, st.none() | inner),
        st.builds(Chain, st.lists(alone, max_size=2).map(tuple)),
        st.builds(Chain, st.tuples(alone, inner)),
        st.builds(Chain, st.tuples(inner, alone)),
    )


filters = st.recursive(st.one_of(alone, counting), nested, max_leaves=6)


@pytest.fixture
def filled(bare: Bare) -> Database:
    """A table with those rows."""
    db = bare(*FAMILIES)
    db.write_many("T", (Mutation("T", key, cells) for key, cells in ROWS.items()))
    return db


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(filter=filters)
@example(filter=Interleave(tuple(Qualifiers("b", (name,)) for name in NASTY)))
@example(filter=Qualifiers("a.1", tuple(NASTY)))
@example(filter=QualifierRange("b", b"", b""))
@example(filter=Rows(ExactValue(b"a"), Versions(1)))
@example(filter=Rows(Qualifiers("b", (b"",))))
def test_a_server_passes_what_the_filter_says(filled: Database, filter: Filter) -> None:
    """A filter, however nested, gives on a server the cells that a few lines of Python pick."""
    found = {key: stored(cells) for key, cells in filled.read(ReadPlan("T", EVERYTHING, filter))}
    picked = {key: sorted(passing(filter, cells, NOW, key)) for key, cells in ROWS.items()}
    assert {key: sorted(cells) for key, cells in found.items()} == {k: c for k, c in picked.items() if c}


@pytest.mark.parametrize("name", NASTY)
def test_a_name_and_a_value_mean_just_themselves(filled: Database, name: bytes) -> None:
    """No byte of a qualifier or a value is taken for an expression."""
    by_name = filled.read(ReadPlan("T", EVERYTHING, Qualifiers("b", (name,))))
    assert {cell.qualifier for _, cells in by_name for cell in cells} <= {name}
    by_value = filled.read(ReadPlan("T", EVERYTHING, ExactValue(name)))
    assert {cell.value for _, cells in by_value for cell in cells} <= {name}
    by_ends = filled.read(ReadPlan("T", EVERYTHING, ValueEnds(name, name)))
    for _, cells in by_ends:
        assert all(cell.value.startswith(name) and cell.value.endswith(name) for cell in cells)


def test_the_ends_of_a_value_mean_just_themselves(filled: Database) -> None:
    """Every byte there is finds itself at either end of a value, also around the end of a line, and no other byte."""
    every = bytes(range(256))
    filled.write(Mutation("T", b"every", [Cell("b", b"q", 1_000, every + b"\n" + every[::-1])]))

    def finds(start: bytes, end: bytes) -> bool:
        plan = ReadPlan("T", (RowRange.of_key(b"every"),), ValueEnds(start, end))
        return bool(list(filled.read(plan)))

    assert finds(every, every[::-1])
    assert finds(b"", b"")
    assert finds(every + b"\n", every[::-1])
    assert not finds(every + b"\n", b"\n" + every[::-1])
    for at in range(0, 256, 5):
        wrong = every[:at] + bytes([(at + 1) % 256]) + every[at + 1 :]
        assert not finds(wrong, b"")
        assert not finds(b"", wrong[::-1])


@pytest.mark.parametrize("server", ["local"], indirect=True)
def test_a_column_of_a_family_that_is_not_there(filled: Database) -> None:
    """A filter on a family that the table lacks says so."""
    with pytest.raises(MissingFamily):
        list(filled.read(ReadPlan("T", EVERYTHING, Qualifiers("zz", (b"a",)))))


@pytest.mark.parametrize("size", [1, 999, 1_000, 1_001, 4_096])
def test_keys_of_any_length_can_be_told_apart(bare: Bare, size: int) -> None:
    """A key is found by its length, whatever bytes it has, up to the longest; RE2 repeats nothing more than 1,000 times."""
    db = bare(*FAMILIES)
    cell = Cell(FAMILIES[0].id, b"q", 1_000, b"")
    keys = [(b"\n\xff\x00" * size)[:one] for one in (size - 1, size, min(size + 1, 4_096)) if one]
    db.write_many("T", (Mutation("T", key, [cell]) for key in keys))
    plan = ReadPlan("T", (RowRange(b"", b""),), KeyLength(size))
    assert [key for key, _ in db.read(plan)] == [key for key in sorted(set(keys)) if len(key) == size]
