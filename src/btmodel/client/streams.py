"""Rows that arrive one by one; closing a stream early ends its request."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from btmodel.rows import Cell

T = TypeVar("T")

AsyncStream = AsyncGenerator[T, None]
Stream = Generator[T, None, None]

Row = tuple[bytes, list[Cell]]

_THREADS = 32  # streams whose first row is waited for at once


async def first_rows_async(streams: Sequence[AsyncStream[T]]) -> list[T | None]:
    """The first row of each stream, or None where it has none; all of them are waited for at once."""
    # Every one is waited for, even where one fails: a stream that is still running cannot be closed.
    found = await asyncio.gather(*(anext(stream, None) for stream in streams), return_exceptions=True)
    rows: list[T | None] = []
    for one in found:
        if isinstance(one, BaseException):
            raise one
        rows.append(one)
    return rows


def first_rows(streams: Sequence[Stream[T]]) -> list[T | None]:
    """The same for streams that block: each is waited for by a thread."""
    with ThreadPoolExecutor(_THREADS) as threads:
        return list(threads.map(lambda stream: next(stream, None), streams))
