"""Batches of a bulk write: of several mutations of one row, the order is kept where it matters."""

from collections.abc import Sequence

import pytest
from bare import Bare
from google.cloud.bigtable_v2.types import MutateRowsRequest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.client.write_requests import Encoded, batches
from btmodel.errors import ValueRefused, WriteFailed
from btmodel.rows import Add, Append, Cell, Conditional, Delete, Mutation, ReadModifyWrite, ReadPlan, RowRange
from btmodel.rows.filters import FirstCells
from btmodel.rows.serialized import entry
from btmodel.schema import Aggregate, Family, KeepAll

F, SUMS = Family("f", KeepAll()), Family("sums", KeepAll(), Aggregate.SUM)


def put(key: bytes, qualifier: bytes = b"q", time: int = 1000, value: bytes = b"v") -> Mutation:
    """Sets one cell."""
    return Mutation("T", key, [Cell("f", qualifier, time, value)])


A = put(b"a")
ADD = Mutation("T", b"a", adds=[Add("sums", b"n", 1000, 1)])
DELETE = Mutation("T", b"a", deletes=[Delete("f", b"z")])


@pytest.mark.parametrize(
    ("mutations", "sizes"),
    [
        ([A, put(b"b"), put(b"c")], [3]),
        ([A, put(b"b"), A, put(b"c")], [2, 2]),
        ([A, A, A], [1, 1, 1]),
        ([A, put(b"a", b"other"), put(b"a", time=2000), put(b"a", b"other")], [3, 1]),
        ([A, ADD, ADD, put(b"a", b"other")], [4]),
        ([A, DELETE, DELETE, A], [1, 1, 1, 1]),
        ([ADD, DELETE], [1, 1]),
    ],
)
def test_a_batch_ends_before_a_row_that_clashes(mutations: Sequence[Mutation], sizes: list[int]) -> None:
    """Mutations of a batch never change the same cell: the service may apply them in any order."""
    made = list(batches("T", mutations))
    assert [len(batch) for batch in made] == sizes
    keys = [(index, key) for batch in made for index, key in zip(batch.indices, batch.keys, strict=True)]
    assert keys == [(index, mutation.key) for index, mutation in enumerate(mutations)]


def test_entries_of_one_row_go_one_after_the_other() -> None:
    """A batch ends before an entry whose row it writes already, for what an entry changes is not looked into."""
    other = put(b"a", b"other")
    for two in ([entry(A), entry(other)], [A, entry(other)], [entry(A), other], [ADD, entry(A)]):
        assert [batch.keys for batch in batches("T", two)] == [[b"a"], [b"a"]]
    [batch] = batches("T", [entry(A), Mutation("T", b"b", adds=ADD.adds), entry(put(b"c"))])
    assert (batch.keys, batch.once) == ([b"a", b"b", b"c"], {1})


@given(
    st.lists(
        st.tuples(st.sampled_from(["put", "entry", "wrong"]), st.integers(0, 30), st.integers(0, 200)),
        max_size=60,
    ),
    st.integers(1, 8),
    st.integers(1, 300),
    st.integers(1, 12),
)
def test_batches_stay_within_their_bounds(
    kinds: list[tuple[str, int, int]], rows: int, size: int, mutations: int
) -> None:
    """Whatever is given comes in its order, once, in batches within all three bounds, or alone."""
    refused = ValueRefused("a value", None)
    items: list[Encoded] = []
    for kind, key, length in kinds:
        cells = [Cell("f", b"%d" % at, 1000, b"x" * length) for at in range(1 + length % 4)]
        mutation = Mutation("T", b"%d" % key, cells)
        items.append({"put": mutation, "entry": entry(mutation), "wrong": refused}[kind])
    bounds = {"ROWS": rows, "BATCH_BYTES": size, "BATCH_MUTATIONS": mutations}
    with pytest.MonkeyPatch.context() as patch:
        for name, bound in bounds.items():
            patch.setattr(f"btmodel.client.write_requests.{name}", bound)
        made = list(batches("T", items))
    told = sorted(
        [pair for batch in made for pair in zip(batch.indices, batch.raws, strict=True)]
        + [(row.index, row.cause) for batch in made for row in batch.refused],
        key=lambda pair: pair[0],
    )
    raws = [entry(one).raw if isinstance(one, Mutation) else getattr(one, "raw", one) for one in items]
    assert told == list(enumerate(raws))
    assert [batch.last for batch in made] == [False] * (len(made) - 1) + [True] * bool(made)
    for batch in made:
        assert len(batch) <= rows
        entries = [MutateRowsRequest.Entry.pb().FromString(raw) for raw in batch.raws]
        sent = MutateRowsRequest.pb()(entries=entries)
        counts = [len(one.mutations) for one in entries]
        assert sent.ByteSize() <= batch.size
        assert len(counts) <= 1 or (sum(counts) <= mutations and batch.size <= size)


def test_the_last_of_a_row_stays(bare: Bare) -> None:
    """Of rows of one key, that which was given last is in the table."""
    db = bare(F)
    assert db.write_many("T", [put(b"a", value=b"%d" % number) for number in range(20)]) == 20
    [(_, cells)] = db.read(ReadPlan("T", (RowRange(b"", b""),), None))
    assert cells == [Cell("f", b"q", 1000, b"19")]


def test_what_is_said_of_a_source_that_breaks_off(bare: Bare) -> None:
    """An error of the rows' source tells how many are written, and how many have failed."""
    db = bare(F)

    def source() -> object:
        yield from (put(b"%d" % number) for number in range(1000))
        yield Mutation("T", b"x", [Cell("zz", b"q", 1000, b"v")])
        yield from (put(b"%d" % number) for number in range(1000))
        raise RuntimeError("source")

    with pytest.raises(RuntimeError) as error:
        db.write_many("T", source())  # type: ignore[arg-type]
    assert error.value.__notes__ == ["table 'T': 1,999 rows written before this; 1 failed"]


def test_what_is_said_when_a_callback_fails(bare: Bare) -> None:
    """Rows of the batch that was just acknowledged count as written; failures alone are a WriteFailed."""
    db = bare(F)

    def progress(done: int) -> None:
        raise RuntimeError("progress")

    with pytest.raises(RuntimeError) as error:
        db.write_many("T", [put(b"a"), put(b"b")], progress)
    assert error.value.__notes__ == ["table 'T': 2 rows written before this"]
    with pytest.raises(WriteFailed):
        db.write_many("T", [Mutation("T", b"x", [Cell("zz", b"q", 1000, b"v")])])


def test_a_value_that_no_cell_holds_is_refused_before_it_is_sent(bare: Bare) -> None:
    """Every way to write refuses it with the name of its cell; a row of two values that are large together is written."""
    db = bare(F)
    large = b"x" * ((100 << 20) + 1)
    said = r"table .T., row b.a.: expected at most 104,857,600 bytes in the cell f:q, which is the limit of the service"
    refused = put(b"a", value=large)
    with pytest.raises(ValueRefused, match=f"^{said}"):
        db.write(refused)
    with pytest.raises(ValueRefused, match=f"^otherwise=: {said}"):
        db.write_if(Conditional(A, FirstCells(1), True, refused))
    with pytest.raises(ValueRefused, match=f"^{said}"):
        db.modify(ReadModifyWrite("T", b"a", [Append("f", b"q", large)]))
    two = Mutation("T", b"c", [Cell("f", name, 1000, b"x" * (60 << 20)) for name in (b"q", b"r")])
    for rows in ([put(b"b"), refused], [entry(put(b"b")), entry(refused), entry(two)]):
        with pytest.raises(WriteFailed, match=said) as failed:
            db.write_many("T", rows)
        assert [row.index for row in failed.value.failures] == [1]
    assert [key for key, _ in db.read(ReadPlan("T", (RowRange(b"", b""),), None))] == [b"b", b"c"]
