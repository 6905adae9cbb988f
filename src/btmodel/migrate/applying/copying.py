"""Copies of renamed families and tables, and the comparison before a drop."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial

from attrs import evolve, frozen

from btmodel.migrate.changes import Change, CopyChange
from btmodel.migrate.changes.base import kept
from btmodel.migrate.data import Difference, Progress, Rows, compare, copy
from btmodel.migrate.data.walks import FencedProgress, FencedRows
from btmodel.migrate.history import CopyRecord, History, Reached
from btmodel.migrate.history.lock import Books
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.tables.renamings import Renaming
from btmodel.migrate.waiting import until_answered, until_replicated
from btmodel.words import counted

_PASSES = 5  # of comparing, until what is written meanwhile must have come to an end


class Differs(Exception):
    """What was renamed, and differs from what took over; the message says in what, and what to do."""


@frozen
class Data:
    """The rows of an instance, for changes that move cells.

    ``progress`` is called with what is under way, in words, and how many rows were dealt with so far, and ``say``
    with what is to be read by itself: from where something goes on, and what has ended.
    """

    rows: Rows
    progress: Callable[[str, int], None] = lambda what, rows: None
    say: Callable[[str], None] = lambda words: None


def refuse_skew(plans: Iterable[Plan], books: Books) -> None:
    """Raise :class:`MigrationError` where ``plans`` copy or compare cells, and this machine's clock is wrong by over a minute.

    GC rules are judged by the service's clock, and a machine whose own is that wrong may have misled others.
    """
    if any(change.step_of for plan in plans for change in plan.changes):
        _ = books.clock


def is_copied(change: CopyChange, history: History) -> bool:
    """Whether another run has ended the copy since the plan was made that holds ``change``.

    One that copies ``again`` what was written since is to see all that was there when it was asked for, so another's does not count.
    """
    if change.again:
        return False
    there = _recorded(change, history)
    return there is not None and there.ended is not None and there != change.renaming.record


def begin_copy(change: CopyChange, books: Books) -> None:
    """Write down that a copy begins, before what takes over is made: cells that are there later were copied by it.

    One that was begun, and killed, is gone on with. Raises :class:`LockLost`, and :class:`ServerError`.
    """
    if change.renaming.begun or change.again:
        return
    books.check()
    books.history.end_progress(change.renaming.copy.step)
    books.history.record_copy(change.renaming.recorded(books.by, books.now()))


def run_copy(change: CopyChange, instance: Instance, books: Books, data: Data) -> None:
    """Copy, then compare and copy what differs until nothing does, and write down that it is copied.

    Raises :class:`Differs` where others write faster, :class:`LockLost`, and :class:`ServerError`.
    """
    what, names = change.renaming.copy, change.renaming
    fenced = FencedRows(data.rows, books)
    if not change.again:
        reached = books.history.progress(what.step)
        progress = progress_of(f"copying {names.old_name} to {names.new_name}", books, data, reached)
        clock = books.clock.now
        rows = until_answered(lambda: copy(fenced, FencedProgress(books), what, progress, clock), long=True)
        data.say(f"copied {counted(rows, 'row')} of {names.old_name} to {names.new_name}")
    left, began = Difference(), books.now()
    for _ in range(_PASSES):
        began = books.now()  # what is written from now on may not be seen
        left = _compared(names, instance, books, evolve(data, rows=fenced), fix=True)
        if not left:
            break
    if left:
        raise Differs(
            f"{names.old_name} is copied to {names.new_name}, and is still written to: the last of {_PASSES} looks found "
            f"{left}, and copied them; run it again when less is written, or have the application write both"
        )
    record = _recorded(change, books.history) or names.recorded(books.by, began)
    books.check()
    books.history.record_copy(evolve(record, by=books.by, ended=began))
    books.history.end_progress(what.step)


def refuse_difference(change: Change, instance: Instance, books: Books, data: Data) -> None:
    """Raise :class:`Differs` where ``change`` drops what was renamed, and has cells that what took over lacks."""
    names = change.step_of
    if names is None or not change.drops:
        return
    record = names.copied
    since = None if record is None else record.ended
    left = _compared(names, instance, books, data, since=since)
    if left:
        raise Differs(
            f"{names.old_name} has {left} that {names.new_name} lacks; it lacked nothing when it was copied "
            f"({since:%Y-%m-%d %H:%M:%S} UTC; with later timestamps: {counted(left.late, 'cell')}): if they were written to "
            f"{names.old_name} since, use --allow copy-{names.kind}:{names.new_name} to copy them; if they were deleted or replaced in "
            f"{names.new_name} since, use --allow abandon-{names.kind}:{names.old_name} to drop it all the same"
        )


def _compared(
    names: Renaming,
    instance: Instance,
    books: Books,
    data: Data,
    *,
    fix: bool = False,
    since: datetime | None = None,
) -> Difference:
    """What the new place lacks, copied where ``fix`` is true; says so, and what the GC rules of it leave out.

    What was written through any cluster by now is seen.
    """
    until_replicated(instance, dict.fromkeys((names.old.id, names.new.id)), data.say)
    both = f"{names.old_name} with {names.new_name}"
    progress = progress_of(f"comparing {both}", books, data)
    clock = books.clock
    left: Difference = until_answered(
        partial(compare, data.rows, names.copy, fix=fix, since=since, progress=progress, clock=clock.now),
        long=True,
    )
    if fix or not left:
        data.say(f"compared {both}: {f'copied {left}, which it lacked' if left else 'nothing is missing'}")
    if left.left_out:
        rules = ", ".join(f"{new.id} keeps {kept(new)}" for _, new in names.pairs)
        data.say(
            f"left out {left.left_out}: the GC rules of {names.new_name} delete them ({rules}, at {clock} by the service's clock)"
        )
    return left


def _recorded(change: CopyChange, history: History) -> CopyRecord | None:
    """What the migration history has of the copy that ``change`` makes."""
    names = (change.renaming.old_name, change.renaming.new_name)
    return next((one for one in history.copies() if (one.old, one.new) == names), None)


def progress_of(what: str, books: Books, data: Data, reached: Reached | None = None) -> Progress:
    """Tells how far it is, and from where it goes on where it was ``reached`` before; stops where the lock is lost."""
    if reached:
        data.say(f"{what} goes on after {reached}")
    data.progress(what, reached.rows if reached else 0)

    def progress(rows: int, key: bytes) -> None:
        books.check()
        data.progress(what, rows)

    return progress
