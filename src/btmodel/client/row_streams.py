"""Streams of rows by the message; closing one early cancels its request."""

import asyncio
import time
from bisect import insort
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeVar

from attrs import Factory, define, field

from btmodel.rows import Cell, ReadPlan

T = TypeVar("T")

AsyncStream = AsyncGenerator[T, None]
Stream = Generator[T, None, None]

Row = tuple[bytes, list[Cell]]


class RowBatch(NamedTuple, Generic[T]):
    """The rows that one message of an answer ends: their keys, in order, and what was made of each."""

    keys: list[bytes]
    rows: list[T]


AsyncBatches = AsyncStream[RowBatch[T]]
Batches = Stream[RowBatch[T]]

AsyncPause = Callable[[float], Awaitable[object]]
Pause = Callable[[float], object]

pause_async: AsyncPause = asyncio.sleep
pause: Pause = time.sleep

_THREADS = 32  # streams whose first item is waited for at once


async def first_of_each_async(streams: Sequence[AsyncStream[T]]) -> list[T | None]:
    """The first item of each stream, or None where it has none; all of them are waited for at once."""
    # Every one is waited for, even where one fails: a stream that is still running cannot be closed.
    found = await asyncio.gather(*(anext(stream, None) for stream in streams), return_exceptions=True)
    firsts: list[T | None] = []
    for one in found:
        if isinstance(one, BaseException):
            raise one
        firsts.append(one)
    return firsts


def first_of_each(streams: Sequence[Stream[T]]) -> list[T | None]:
    """The same for streams that block: each is waited for by a thread."""
    with ThreadPoolExecutor(_THREADS) as threads:
        return list(threads.map(lambda stream: next(stream, None), streams))


@define
class Merging(Generic[T]):
    """The reads that ``plan`` is made of, as far as they have come: a batch of each is held.

    Of rows whose keys differ in nothing but the lead, that of the earlier part comes first;
    backwards, last.
    """

    _plan: ReadPlan
    _held: dict[int, tuple[RowBatch[T], int]] = Factory(dict)  # of each part, and how far it was given
    _heads: list[tuple[bytes, int]] = Factory(list)  # keys without leads, sorted
    _given: int = 0
    _leads: tuple[int, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._leads = self._plan.part_leads

    def put(self, part: int, batch: RowBatch[T] | None) -> None:
        """Take in the next rows of a part, None where it has ended."""
        if batch is not None:
            self._hold(part, batch, 0)

    def next_rows(self) -> tuple[RowBatch[T], int | None]:
        """The rows that come next, and the part that must be read on then; None at the end."""
        keys: list[bytes] = []
        rows: list[T] = []
        first = -1 if self._plan.backwards else 0
        while self._heads:
            _, part = self._heads.pop(first)
            batch, at = self._held[part]
            # Where no other part has rows left, all of this one follow.
            end = at + 1 if self._heads else len(batch.keys)
            if self._plan.limit is not None:
                end = min(end, at + self._plan.limit - self._given)
            keys += batch.keys[at:end]
            rows += batch.rows[at:end]
            self._given += end - at
            if self._given == self._plan.limit:
                break
            if end == len(batch.keys):
                return RowBatch(keys, rows), part
            self._hold(part, batch, end)
        return RowBatch(keys, rows), None

    def _hold(self, part: int, batch: RowBatch[T], at: int) -> None:
        self._held[part] = batch, at
        insort(self._heads, (batch.keys[at][self._leads[part] :], part))
