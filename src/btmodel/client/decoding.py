"""Batches of a read: what is made of the rows that a message ends."""

from typing import TypeVar

from btmodel.client.chunks import Chunks
from btmodel.client.streams import RowBatch
from btmodel.rows import ReadPlan, RowDecoder

T = TypeVar("T")


def decoded(message: bytes, chunks: Chunks, decoder: RowDecoder[T]) -> tuple[RowBatch[T], Exception | None]:
    """What is made of the rows that ``message`` ends, and what went wrong behind them, if anything."""
    if decoder.fast is None or not chunks.forward:
        batch: RowBatch[T] = RowBatch([], [])
    else:
        at, keys, rows = decoder.fast(message, 0, chunks.furthest or b"")
        taken = chunks.passed(keys)
        if taken < len(keys):
            return RowBatch(keys[:taken], rows[:taken]), chunks.too_many(keys[taken])
        batch = RowBatch(keys, rows)
        if at == len(message):
            return batch, None
        message = message[at:]
    try:
        chunks.take(message, decoder.strict, batch)
    except Exception as error:
        return batch, error
    return batch, None


def decoded_plainly(message: bytes, decoder: RowDecoder[T]) -> list[T]:
    """What is made of the rows of a message that holds whole ones, in order, without the fast way."""
    batch: RowBatch[T] = RowBatch([], [])
    Chunks(ReadPlan("", (), None)).take(message, decoder.strict, batch)
    return batch.rows
