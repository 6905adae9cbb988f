"""Writes serialized by hand are those of Google's own classes, for any names, times, values and amounts."""

from typing import Any

import pytest
from google.cloud.bigtable.data import (
    AddToCell,
    DeleteAllFromFamily,
    DeleteAllFromRow,
    DeleteRangeFromColumn,
    SetCell,
)
from google.cloud.bigtable.data.read_modify_write_rules import AppendValueRule, IncrementRule
from google.cloud.bigtable_v2.types import (
    CheckAndMutateRowRequest,
    MutateRowRequest,
    MutateRowsRequest,
    ReadModifyWriteRowRequest,
)
from hypothesis import given
from hypothesis import strategies as st

from btmodel.errors import ValueRefused
from btmodel.rows import Add, Append, Cell, Delete, Entry, Increment, Mutation, ReadModifyWrite
from btmodel.rows.serialized import entry, mutations, rules

LARGEST = 2**63 - 1
families = st.text(st.characters(exclude_categories=["Cs"]), max_size=64)
# Lengths below and above what one and two bytes count.
raw = st.binary(max_size=20) | st.builds(bytes.__mul__, st.binary(max_size=3), st.integers(0, 20_000))
times = st.integers(0, LARGEST) | st.sampled_from([0, 1000, 1_700_000_000_000_000])
amounts = st.integers(-LARGEST, LARGEST)
cells = st.builds(Cell, families, raw, times, raw)
adds = st.builds(Add, families, raw, times, amounts)


@st.composite
def deletes(draw: st.DrawFn) -> Delete:
    """Of the row, of a family, of a column, or between two times."""
    start, end = sorted((draw(times), draw(times)))
    return draw(
        st.one_of(
            st.just(Delete()),
            st.builds(Delete, families),
            st.builds(Delete, families, raw),
            st.builds(Delete, families, raw, st.just(start), st.sampled_from([0, end])),
        )
    )


made = st.builds(
    Mutation,
    st.just("T"),
    raw,
    st.lists(cells, max_size=6),
    st.lists(deletes(), max_size=3),
    st.lists(adds, max_size=3),
)
changes = st.builds(Increment, families, raw, amounts) | st.builds(Append, families, raw, raw)


def theirs(mutation: Mutation) -> list[Any]:
    """The same, of Google's classes."""
    return [
        one._to_pb()
        for one in (
            *(their_delete(delete) for delete in mutation.deletes),
            *(SetCell(c.family, c.qualifier, c.value, c.timestamp) for c in mutation.cells),
            *(AddToCell(add.family, add.qualifier, add.amount, add.timestamp) for add in mutation.adds),
        )
    ]


def their_delete(delete: Delete) -> Any:
    if delete.family is None:
        return DeleteAllFromRow()
    if delete.qualifier is None:
        return DeleteAllFromFamily(delete.family)
    return DeleteRangeFromColumn(delete.family, delete.qualifier, delete.start or None, delete.end or None)


@given(made)
def test_a_mutation_of_a_bulk_write(mutation: Mutation) -> None:
    """An entry holds the key, and the deletes, cells and adds in this order, and says how many it is."""
    wanted = MutateRowsRequest.Entry(row_key=mutation.key, mutations=theirs(mutation))
    made = entry(mutation)
    assert (made.key, made.count) == (mutation.key, mutation.count)
    assert MutateRowsRequest.Entry.deserialize(made.raw) == wanted


@given(made)
def test_a_mutation_by_itself(mutation: Mutation) -> None:
    """The same mutations stand in the fields of the other requests."""
    alone = MutateRowRequest.deserialize(mutations(mutation, b"\x1a"))
    assert alone == MutateRowRequest(mutations=theirs(mutation))
    checked = CheckAndMutateRowRequest.deserialize(
        mutations(mutation, b"\x22") + mutations(mutation, b"\x2a")
    )
    assert checked.true_mutations == checked.false_mutations == theirs(mutation)


@given(st.lists(cells, min_size=1, max_size=4))
def test_cells_byte_for_byte(given: list[Cell]) -> None:
    """A row that only sets cells is the same bytes as Google's, so no server can tell them apart."""
    mutation = Mutation("T", b"key", given)
    wanted = MutateRowsRequest.Entry(row_key=b"key", mutations=theirs(mutation))
    assert entry(mutation) == Entry(b"key", MutateRowsRequest.Entry.serialize(wanted), len(given))


@given(st.lists(changes, max_size=4))
def test_the_rules_of_a_change(given: list[Increment | Append]) -> None:
    """Increments and appends keep their order; an amount of 0 and an empty value are still there."""
    wanted = ReadModifyWriteRowRequest(
        rules=[
            IncrementRule(one.family, one.qualifier, one.amount)._to_pb()
            if isinstance(one, Increment)
            else AppendValueRule(one.family, one.qualifier, one.value)._to_pb()
            for one in given
        ]
    )
    found = ReadModifyWriteRowRequest.deserialize(rules(ReadModifyWrite("T", b"key", given)))
    assert found == wanted
    assert [rule._pb.WhichOneof("rule") for rule in found.rules] == [
        "increment_amount" if isinstance(one, Increment) else "append_value" for one in given
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        Mutation("T", b"k", [Cell("f", b"q", -1, b"")]),
        Mutation("T", b"k", [Cell("f", b"q", 2**63, b"")]),
        Mutation("T", b"k", deletes=[Delete("f", b"q", -1)]),
        Mutation("T", b"k", deletes=[Delete("f", b"q", 0, 2**63)]),
        Mutation("T", b"k", adds=[Add("f", b"q", -1, 0)]),
        Mutation("T", b"k", adds=[Add("f", b"q", 0, 2**63)]),
        Mutation("T", b"k", adds=[Add("f", b"q", 0, -(2**63) - 1)]),
    ],
)
def test_numbers_that_no_field_holds(wrong: Mutation) -> None:
    """A time before 1970, or a number of more than 64 bits, is refused before anything is sent."""
    with pytest.raises(ValueRefused, match=r"expected a (timestamp|whole number) from"):
        entry(wrong)
