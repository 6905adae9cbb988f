"""Several reads as one: one after the other, or merged in the order of their keys."""

from bisect import insort
from collections.abc import Callable
from contextlib import AsyncExitStack, aclosing

from btmodel.client.streams import AsyncStream, Row, first_rows_async
from btmodel.rows import Joined, ReadPlan

Read = Callable[[ReadPlan], AsyncStream[Row]]


def joined(plan: ReadPlan, read: Read) -> AsyncStream[Row]:
    """The rows of ``plan``, of which ``read`` reads each part."""
    match plan.joined:
        case Joined.KEY_ORDER:
            return read(plan)
        case Joined.IN_TURN:
            return _in_turn(plan, read)
        case Joined.MERGED:
            return _merged(plan, read)


async def _in_turn(plan: ReadPlan, read: Read) -> AsyncStream[Row]:
    """The rows of one part after those of another; a part is read when the one before it has ended."""
    left = plan.limit
    for part in plan.parts:
        async with aclosing(read(part.limited(left))) as rows:
            async for row in rows:
                yield row
                if left is not None:
                    left -= 1
        if left == 0:
            return


async def _merged(plan: ReadPlan, read: Read) -> AsyncStream[Row]:
    """The rows of all parts in the order of their keys without the leads: one row of each is held.

    Of rows whose keys differ in nothing but the lead, that of the earlier part comes first;
    backwards, last.
    """
    next_one = -1 if plan.backwards else 0
    given = 0
    async with AsyncExitStack() as opened:
        streams = [await opened.enter_async_context(aclosing(read(part))) for part in plan.parts]
        heads: list[tuple[bytes, int, Row]] = []
        for at, row in enumerate(await first_rows_async(streams)):
            if row is not None:
                insort(heads, (row[0][plan.leads[at] :], at, row))
        while heads:
            _, at, row = heads.pop(next_one)
            yield row
            given += 1
            if given == plan.limit:
                return
            row = await anext(streams[at], None)
            if row is not None:
                insort(heads, (row[0][plan.leads[at] :], at, row))
