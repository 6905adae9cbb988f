"""Random samples of the rows of a read."""

from typing import Any

import pytest
from notes import generated

import btmodel as bt
from btmodel.errors import QueryRefused

ROWS = 2_000


class Drop(bt.Model, table="DROP"):
    """A numbered thing."""

    box: int = bt.key(bt.PaddedInt(2), cardinality=3)
    number: int = bt.key(bt.PaddedInt(6), cardinality=10_000)

    f = bt.family("f", gc=bt.max_versions(1))
    odd: bool = bt.column("o", f)

    of_box = bt.query("box")


DROPS = generated(Drop)


@pytest.fixture
def drops(bigtable: Any) -> Any:
    """A box of things."""
    found = DROPS.DropRepository(bigtable(Drop))
    found.put_many(Drop(box=1, number=one, odd=bool(one % 2)) for one in range(ROWS))
    return found


def test_a_sample_is_about_its_share_of_the_rows(drops: Any) -> None:
    """Each row comes or not by itself, whole, in the order of the read, and every loop draws anew."""
    read = drops.of_box(1).sample(0.25)
    first, second = [row.number for row in read], [row.number for row in read]
    # Six standard deviations of a binomial are 116 rows: less than one failure in a hundred million runs.
    assert 384 <= len(first) <= 616
    assert first == sorted(set(first))
    assert first != second
    assert 384 <= read.count() <= 616
    assert 142 <= len(list(read.sample(0.5))) <= 358
    assert all(key.box == 1 for key in read.keys())
    odd = list(read.where(odd=True))
    assert 142 <= len(odd) <= 358
    assert all(row.odd for row in odd)
    assert len(list(read.limit(5))) == len(read.page(5).rows) == 5


def test_what_a_sample_chose_is_deleted_whole(drops: Any) -> None:
    """A row that was drawn is not drawn again before it goes, also where a condition chose it."""
    gone = drops.of_box(1).where(odd=True).limit(400).sample(0.5).delete()
    assert gone == 400
    assert drops.of_box(1).count() == ROWS - gone
    more = drops.of_box(1).sample(0.5).delete()
    assert drops.of_box(1).count() == ROWS - gone - more


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.5, True, "half", float("nan")])
def test_a_share_is_between_nothing_and_all(drops: Any, share: Any) -> None:
    """Anything else is refused, with what was given."""
    with pytest.raises(
        QueryRefused, match="Drop: sample: expected a share of the rows between 0 and 1, such as"
    ):
        drops.of_box(1).sample(share)
    assert "a sample of 1 % of the rows" in drops.of_box(1).sample(0.01).explain()
