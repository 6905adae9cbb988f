# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Several reads as one: one after the other, or merged in the order of their keys."""

from bisect import insort
from collections.abc import Callable
from contextlib import ExitStack, closing

from btmodel.client.streams import Row, Stream, first_rows
from btmodel.rows import Joined, ReadPlan

Read = Callable[[ReadPlan], Stream[Row]]


def joined(plan: ReadPlan, read: Read) -> Stream[Row]:
    """The rows of ``plan``, of which ``read`` reads each part."""
    match plan.joined:
        case Joined.KEY_ORDER:
            return read(plan)
        case Joined.IN_TURN:
            return _in_turn(plan, read)
        case Joined.MERGED:
            return _merged(plan, read)


def _in_turn(plan: ReadPlan, read: Read) -> Stream[Row]:
    """The rows of one part after those of another; a part is read when the one before it has ended."""
    left = plan.limit
    for part in plan.parts:
        with closing(read(part.limited(left))) as rows:
            for row in rows:
                yield row
                if left is not None:
                    left -= 1
        if left == 0:
            return


def _merged(plan: ReadPlan, read: Read) -> Stream[Row]:
    """The rows of all parts in the order of their keys without the leads: one row of each is held.

    Of rows whose keys differ in nothing but the lead, that of the earlier part comes first;
    backwards, last.
    """
    next_one = -1 if plan.backwards else 0
    given = 0
    with ExitStack() as opened:
        streams = [opened.enter_context(closing(read(part))) for part in plan.parts]
        heads: list[tuple[bytes, int, Row]] = []
        for at, row in enumerate(first_rows(streams)):
            if row is not None:
                insort(heads, (row[0][plan.leads[at] :], at, row))
        while heads:
            _, at, row = heads.pop(next_one)
            yield row
            given += 1
            if given == plan.limit:
                return
            row = next(streams[at], None)
            if row is not None:
                insort(heads, (row[0][plan.leads[at] :], at, row))
