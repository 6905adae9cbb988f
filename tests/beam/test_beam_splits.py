"""Parts that are divided while they are read: each row comes once, whoever reads it."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import btmodel as bt
from btmodel.beam.sources import END, PartTracker
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes

ROWS = sorted(made_up_quotes(2_000), key=bt.key_of)
KEYS = [bt.key_of(row) for row in ROWS]


@pytest.fixture
def quotes(bigtable: Callable[..., bt.Database]) -> QuoteRepository:
    """A table of two symbols."""
    repository = QuoteRepository(bigtable(Quote))
    repository.put_many(ROWS)
    return repository


def every(quotes: QuoteRepository) -> Any:
    """All rows, in four ranges."""
    return quotes.by_symbol(["NASDAQ", "NYSE"], ["ZXZZT", "IBM"])


def claimed(
    tracker: PartTracker, quotes: QuoteRepository, splits: Callable[[], float | None]
) -> Iterator[Any]:
    """The rows of a part as its reader puts them out, while a runner asks for splits; parts that are given away come as they are."""
    part = tracker.current_restriction()
    for row in part.read(quotes._db):
        share = splits()
        found = None if share is None else tracker.try_split(share)
        if found is not None:
            assert found[0] == tracker.current_restriction()
            assert sum(one.size for one in found) <= part.size
            yield found[1]
        progress = tracker.current_progress()
        assert 0 <= progress.fraction_completed <= 1
        if not tracker.try_claim(bt.key_of(row)):
            break
        yield bt.key_of(row)
    else:
        assert tracker.try_claim(END)
    tracker.check_done()
    assert tracker.try_split(0.5) is None


@pytest.mark.parametrize("seed", range(8))
def test_each_row_is_claimed_once_wherever_parts_divide(quotes: QuoteRepository, seed: int) -> None:
    """At any share of what is left, none at all (a checkpoint) included, and again in what was given away."""
    random = Random(seed)

    def splits() -> float | None:
        return random.choice([0, 0.1, 0.5, 0.9]) if random.random() < 0.01 else None

    left, found, divided = list(every(quotes).parts(10**9)), [], 0
    while left:
        for one in claimed(PartTracker(left.pop()), quotes, splits):
            if isinstance(one, bytes):
                found.append(one)
            else:
                left.append(one)
                divided += 1
    assert sorted(found) == KEYS
    assert divided > 5


def test_halves_of_what_is_left_are_halves(quotes: QuoteRepository) -> None:
    """Behind a row in the middle, as the codecs of the key know; progress says how far that is."""
    [part] = quotes.by_symbol("NYSE", "IBM").parts(10**9)
    own = [key for key in KEYS if key.startswith(b"NYSE")]
    tracker = PartTracker(part)
    assert tracker.try_claim(own[len(own) // 2])
    assert tracker.current_progress().fraction_completed == pytest.approx(0.5, abs=0.02)
    found = tracker.try_split(0.5)
    assert found is not None
    assert sum(1 for _ in found[1].read(quotes._db)) == pytest.approx(len(own) / 4, rel=0.05)
    assert not tracker.try_claim(own[-1])
    with pytest.raises(ValueError, match="was not read to its end"):
        PartTracker(part).check_done()
