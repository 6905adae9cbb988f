"""Queries of several values of a field in one read."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notes import generated

import btmodel as bt
from btmodel.errors import QueryRefused
from btmodel.rows.planner import MOST_MERGED, MOST_RANGES

START = datetime(2020, 1, 1, tzinfo=UTC)


class Vote(bt.Model, table="VOTE"):
    """A vote of a validator on a chain."""

    chain: str = bt.key(bt.Text(max_length=8), cardinality=3)
    validator: int = bt.key(bt.PaddedInt(6), cardinality=1_000)
    at: datetime = bt.key(bt.EpochMillis())

    f = bt.family("f", gc=bt.max_versions(1))
    block: int = bt.column("b", f)

    of_validator = bt.query("chain", "validator", between="at")
    of_chain = bt.query("chain")
    latest = bt.query("chain", "validator", newest=True)
    one = bt.query("chain", "validator", "at")


class Spread(bt.Model, table="SPREAD"):
    """The same behind a salt, so that the rows of each value lie in three ranges."""

    shard = bt.salt("at", buckets=3)
    validator: int = bt.key(bt.PaddedInt(6), cardinality=1_000)
    at: datetime = bt.key(bt.ReversedMillis())

    f = bt.family("f", gc=bt.max_versions(1))
    block: int = bt.column("b", f)

    of_validator = bt.query("validator", between="at")


VOTES, SPREAD = generated(Vote), generated(Spread)
CHAINS, VALIDATORS, TIMES = (
    ("a", "aa", "b"),
    (1, 2, 7, 10),
    [START + timedelta(hours=one) for one in range(4)],
)


def vote(chain: str, validator: int, at: datetime) -> Vote:
    return Vote(chain=chain, validator=validator, at=at, block=at.hour)


@pytest.fixture
def votes(bigtable: Any) -> Any:
    """A repository with a vote of each validator at each time."""
    found = VOTES.VoteRepository(bigtable(Vote))
    found.put_many(vote(*one) for one in product(CHAINS, VALIDATORS, TIMES))
    return found


def keys(rows: Iterable[Any]) -> list[tuple[Any, ...]]:
    return [(row.chain, row.validator, row.at) for row in rows]


def test_several_values_are_one_read(votes: Any) -> None:
    """The rows of each value come, in the order of their keys, each once, and of no other value."""
    wanted = [(chain, one, at) for chain in ("a", "b") for one in (2, 7, 10) for at in TIMES[1:3]]
    read = votes.of_validator(["b", "a"], [7, 2, 10, 2], TIMES[1], TIMES[3])
    assert keys(read) == wanted
    assert keys(votes.of_validator("a", [2])) == keys(votes.of_validator("a", 2))
    assert keys(votes.of_validator("a", [])) == []
    assert len(read.plan.ranges) == 6
    assert keys(votes.one(["a", "b"], 7, [TIMES[0], TIMES[0]])) == [("a", 7, TIMES[0]), ("b", 7, TIMES[0])]


def test_all_that_reads_do_holds_for_several_values(votes: Any) -> None:
    """Limits, the other order, pages, keys, counts, conditions, parallel reads and deleting."""
    read = votes.of_chain(["b", "a"])
    whole = keys(read)
    assert whole == keys(votes.of_chain("a")) + keys(votes.of_chain("b"))
    assert keys(read.limit(20)) == whole[:20]
    assert keys(read.backwards()) == whole[::-1]
    assert [tuple(key) for key in read.keys()] == whole
    assert read.count() == 32 == len(list(read.parallel(3)))
    assert keys(read.where(block=2)) == [one for one in whole if one[2].hour == 2]
    paged, cursor = [], None
    while True:
        page = read.page(5, cursor)
        paged += page.rows
        if (cursor := page.next) is None:
            break
    assert keys(paged) == whole
    assert votes.of_validator("a", [1, 2, 3]).delete() == 8
    assert votes.of_chain(["a", "b"]).count() == 24


def test_the_newest_of_several_values_are_the_newest_of_all(votes: Any) -> None:
    """Whichever value they are of: not those of the last value first."""
    newest = keys(votes.newest(5, ["a", "b"], [1, 7]))
    assert [at for _, _, at in newest] == [TIMES[3]] * 4 + [TIMES[2]]
    assert [at for _, _, at in keys(votes.latest("a", [1, 2]).limit(3))] == [TIMES[3], TIMES[3], TIMES[2]]
    pages = votes.latest("a", [1, 2])
    first = pages.page(3)
    rest = pages.page(9, first.next)
    assert keys(first.rows + rest.rows) == keys(pages)
    assert rest.next is None


def test_several_values_behind_a_salt_are_a_read_for_each_salt(bigtable: Any) -> None:
    """As of one value, and their rows come in the order of their keys, the salt left out."""
    spread = SPREAD.SpreadRepository(bigtable(Spread))
    spread.put_many(Spread(validator=one, at=at, block=1) for one, at in product(VALIDATORS, TIMES))
    read = spread.of_validator([7, 2])
    assert [(row.validator, row.at) for row in read] == [(one, at) for one in (2, 7) for at in TIMES[::-1]]
    assert (len(read.plan.ranges), len(read.plan.parts)) == (6, 3)
    first = read.page(3)
    assert [*first.rows, *read.page(9, first.next).rows] == list(read)
    assert [row.at for row in spread.newest(3, [2, 7])] == [TIMES[3], TIMES[3], TIMES[2]]
    assert read.delete() == 8


def test_async_reads_take_lists_too(bigtable: Any) -> None:
    """The async repository asks the same ranges."""
    bigtable(Vote)

    async def main() -> list[Any]:
        async with bt.connect_async(bigtable.path(Vote)) as db:
            votes = VOTES.AsyncVoteRepository(db)
            await votes.put_many([vote("a", 1, START), vote("a", 2, START), vote("a", 3, START)])
            return keys([row async for row in votes.of_validator("a", [3, 1])])

    assert asyncio.run(main()) == [("a", 1, START), ("a", 3, START)]


def test_too_many_values_are_refused() -> None:
    """With the number of ranges that they would make, before anything is asked; so is a list where a value is meant."""
    many = list(range(MOST_RANGES + 1))
    with pytest.raises(
        QueryRefused,
        match=r"^Vote\.of_validator: expected lists .* at most 1,000 ranges .*, got 1,001 ranges",
    ):
        Vote.of_validator.plan(chain="a", validator=many, at=None)
    assert len(Vote.of_validator.plan(chain="a", validator=many[1:], at=None).ranges) == MOST_RANGES
    with pytest.raises(QueryRefused, match=r"^Vote\.latest: .* at most 100 ranges .*, got 101 ranges"):
        Vote.latest.plan(chain="a", validator=many[: MOST_MERGED + 1])
    with pytest.raises(bt.ValueRefused, match=r"Vote\.validator: expected .*, got \[1\]"):
        Vote.row_key(chain="a", validator=[1], at=START)


@given(
    st.lists(st.sampled_from(["a", "aa", "b"]), max_size=4),
    st.lists(st.integers(1, 12), max_size=6),
    st.integers(0, 3),
)
def test_the_ranges_of_several_values_are_those_of_each(
    chains: list[str], validators: list[int], at: int
) -> None:
    """The union of what single values ask for, sorted, without overlaps, each once."""
    bound = (TIMES[at], None)
    plan = Vote.of_validator.plan(chain=chains, validator=validators, at=bound)
    each = {
        Vote.of_validator.plan(chain=chain, validator=validator, at=bound).ranges[0]
        for chain, validator in product(chains, validators)
    }
    assert list(plan.ranges) == sorted(each, key=lambda span: span.start)
    assert all(one.end <= other.start for one, other in zip(plan.ranges, plan.ranges[1:], strict=False))
