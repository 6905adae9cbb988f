"""Several reads as one: one after the other, or merged in the order of their keys."""

from collections.abc import Callable
from contextlib import AsyncExitStack, aclosing
from typing import TypeVar

from btmodel.client.merging import Merging
from btmodel.client.streams import AsyncBatches, first_of_each_async
from btmodel.rows import Joined, ReadPlan

T = TypeVar("T")


def joined(plan: ReadPlan, read: Callable[[ReadPlan], AsyncBatches[T]]) -> AsyncBatches[T]:
    """The rows of ``plan``, of which ``read`` reads each part."""
    match plan.joined:
        case Joined.KEY_ORDER:
            return read(plan)
        case Joined.IN_TURN:
            return _in_turn(plan, read)
        case Joined.MERGED:
            return _merged(plan, read)


async def _in_turn(plan: ReadPlan, read: Callable[[ReadPlan], AsyncBatches[T]]) -> AsyncBatches[T]:
    """The rows of one part after those of another; a part is read when the one before it has ended."""
    left = plan.limit
    for part in plan.parts:
        async with aclosing(read(part.limited(left))) as batches:
            async for batch in batches:
                yield batch
                if left is not None:
                    left -= len(batch.keys)
        if left == 0:
            return


async def _merged(plan: ReadPlan, read: Callable[[ReadPlan], AsyncBatches[T]]) -> AsyncBatches[T]:
    """The rows of all parts in the order of their keys without the leads: a message of each is held."""
    merging: Merging[T] = Merging(plan)
    async with AsyncExitStack() as opened:
        streams = [await opened.enter_async_context(aclosing(read(part))) for part in plan.parts]
        for at, first in enumerate(await first_of_each_async(streams)):
            merging.put(at, first)
        while True:
            batch, read_on = merging.next_rows()
            if batch.keys:
                yield batch
            if read_on is None:
                return
            merging.put(read_on, await anext(streams[read_on], None))
