"""Batches of a bulk write: of several mutations of one row, the order is kept where it matters."""

from collections.abc import Sequence

import pytest
from bare import Bare

from btmodel.client.batches import batches
from btmodel.errors import WriteFailed
from btmodel.rows import Add, Cell, Delete, Mutation, ReadPlan, RowRange
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
    made = list(batches(mutations))
    assert [len(batch) for batch in made] == sizes
    assert [one for batch in made for one in batch] == list(enumerate(mutations))


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
