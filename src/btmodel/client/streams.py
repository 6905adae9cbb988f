"""Rows that arrive a message at a time; closing a stream early ends its request."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeVar

from btmodel.rows import Cell

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
