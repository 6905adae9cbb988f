"""Reads turned round and limited, against real servers: one meaning, whatever the codec of the key."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from notes import generated

import btmodel as bt

Open = Callable[..., bt.Database]
Migrate = Callable[..., str]
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


class Upward(bt.Model, table="upward", events="1/h"):
    """Messages of a room, the oldest in front."""

    room: str = bt.key(bt.Text(max_length=20), cardinality=1_000)
    at: datetime = bt.key(bt.EpochMillis())
    m = bt.family("m", gc=bt.max_versions(1))
    number: int = bt.column("n", m)

    oldest = bt.query("room", between="at")
    latest = bt.query("room", between="at", newest=True)


class Downward(bt.Model, table="downward", events="1/h"):
    """The same, the newest in front."""

    room: str = bt.key(bt.Text(max_length=20), cardinality=1_000)
    at: datetime = bt.key(bt.ReversedMicros())
    m = bt.family("m", gc=bt.max_versions(1))
    number: int = bt.column("n", m)

    latest = bt.query("room", between="at", newest=True)


UPWARD, DOWNWARD = generated(Upward), generated(Downward)
BOTH = pytest.mark.parametrize(
    ("model", "made"), [(Upward, UPWARD.UpwardRepository), (Downward, DOWNWARD.DownwardRepository)]
)


def filled(model: type[Any], repository: Any) -> Any:
    """A repository with 97 messages of one room, and one of another."""
    repository.put_many(model(room="a", at=BEGIN + timedelta(seconds=n), number=n) for n in range(97))
    repository.put(model(room="b", at=BEGIN, number=1_000))
    return repository


def numbers(rows: Any) -> list[int]:
    """The numbers of some messages."""
    return [row.number for row in rows]


@BOTH
def test_a_query_for_the_newest_turned_round_gives_the_oldest(
    model: type[Any], made: Any, database: Open
) -> None:
    """Its own order is the newest first, however the key is written; backwards is the other way round."""
    messages = filled(model, made(database(model)))
    assert numbers(messages.latest("a").limit(3)) == [96, 95, 94]
    assert numbers(messages.latest("a").backwards().limit(3)) == [0, 1, 2]
    assert numbers(messages.latest("a").backwards().backwards().limit(3)) == [96, 95, 94]
    assert numbers(messages.latest("a").backwards()) == numbers(messages.latest("a"))[::-1]


@BOTH
def test_what_is_limited_is_not_turned_round(model: type[Any], made: Any, database: Open) -> None:
    """The other end's rows would come, so that it is refused, with what to write; nothing is asked."""
    messages = filled(model, made(database(model)))
    told = r"backwards: expected a read without a limit, got one of at most 3 rows.*before limit\(...\).*rows\[::-1\]"
    for rows in (messages.newest(3, "a"), messages.latest("a").limit(3)):
        with pytest.raises(bt.QueryRefused, match=told):
            rows.backwards()
    assert numbers(list(messages.newest(3, "a"))[::-1]) == [94, 95, 96]


@BOTH
def test_a_limit_never_widens(model: type[Any], made: Any, database: Open) -> None:
    """Of several limits the least holds, that of newest among them, on pages and deletions, too."""
    messages = filled(model, made(database(model)))
    assert numbers(messages.newest(3, "a").limit(5)) == [96, 95, 94]
    assert numbers(messages.newest(3, "a").limit(2)) == [96, 95]
    assert numbers(messages.newest(3, "a").limit(5).page(10).rows) == [96, 95, 94]
    with pytest.raises(bt.QueryRefused, match="limit: expected a number of rows from 1 on, got 0"):
        messages.newest(3, "a").limit(0)
    assert messages.newest(3, "a").limit(5).delete() == 3
    assert numbers(messages.newest(1, "a")) == [93]


def test_the_same_with_await(migrated: Migrate) -> None:
    """Asynchronous reads are turned round, limited and refused likewise."""

    async def main() -> None:
        async with bt.connect_async(migrated(Downward)) as db:
            messages = DOWNWARD.AsyncDownwardRepository(db)
            await messages.put_many(
                Downward(room="a", at=BEGIN + timedelta(seconds=n), number=n) for n in range(5)
            )
            assert [row.number async for row in messages.latest("a").backwards().limit(2)] == [0, 1]
            assert [row.number async for row in messages.newest(2, "a").limit(5)] == [4, 3]
            with pytest.raises(bt.QueryRefused, match="backwards: expected a read without a limit"):
                messages.newest(2, "a").backwards()

    asyncio.run(main())
