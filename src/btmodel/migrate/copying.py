"""The cells that an apply moves: copies of what was renamed, and the look before that is dropped."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from attrs import evolve, frozen

from btmodel.counted import counted
from btmodel.migrate.books import Books
from btmodel.migrate.changes import Change, CopyFamily, CopyTable, DropCopiedFamily, DropCopiedTable
from btmodel.migrate.data import Difference, Progress, Rows, compare, copy
from btmodel.migrate.fenced import FencedProgress, FencedRows
from btmodel.migrate.journal import CopyRecord, Journal, Reached
from btmodel.migrate.waiting import until_answered

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


def is_copied(change: Change, journal: Journal) -> bool:
    """Whether another run has ended the copy since the plan was made that holds ``change``."""
    known = change.renaming.record if isinstance(change, CopyFamily | CopyTable) else None
    there = _recorded(change, journal)
    return there is not None and there.ended is not None and there != known


def begin_copy(change: CopyFamily | CopyTable, books: Books) -> None:
    """Write down that a copy begins, before what takes over is made: cells that are there later were copied by it.

    One that was begun, and killed, is gone on with. Raises :class:`LeaseLost`, and :class:`ServerError`.
    """
    if change.renaming.begun or change.again:
        return
    books.check()
    books.journal.end_progress(change.renaming.copy.step)
    books.journal.record_copy(change.renaming.recorded(books.by, datetime.now(UTC)))


def run_copy(change: CopyFamily | CopyTable, books: Books, data: Data) -> None:
    """Copy, then compare and copy what differs until nothing does, and write down that it is copied.

    Raises :class:`Differs` where others write faster, :class:`LeaseLost`, and :class:`ServerError`.
    """
    what, names = change.renaming.copy, change.renaming
    fenced = FencedRows(data.rows, books)
    if not change.again:
        reached = books.journal.progress(what.step)
        told = telling(f"copying {names.old_name} to {names.new_name}", books, data, reached)
        rows = until_answered(lambda: copy(fenced, FencedProgress(books), what, told), long=True)
        data.say(f"copied {counted(rows, 'row')} of {names.old_name} to {names.new_name}")
    both = f"{names.old_name} with {names.new_name}"
    left = Difference()
    for _ in range(_PASSES):
        told = telling(f"comparing {both}", books, data)
        left = until_answered(partial(compare, fenced, what, mend=True, progress=told), long=True)
        data.say(f"compared {both}: {f'copied {left}, which it lacked' if left else 'nothing is missing'}")
        if not left:
            break
    if left:
        raise Differs(
            f"{names.old_name} is copied to {names.new_name}, and is still written to: the last of {_PASSES} looks found "
            f"{left}, and copied them; run it again when less is written, or have the application write both"
        )
    begun = _recorded(change, books.journal)
    now = datetime.now(UTC)
    record = begun or names.recorded(books.by, now)
    books.check()
    books.journal.record_copy(evolve(record, by=books.by, ended=now))
    books.journal.end_progress(what.step)


def refuse_difference(change: Change, books: Books, data: Data) -> None:
    """Raise :class:`Differs` where ``change`` drops what was renamed, and has cells that what took over lacks."""
    if not isinstance(change, DropCopiedFamily | DropCopiedTable):
        return
    names = change.renaming
    record = names.copied
    since = None if record is None else record.ended
    told = telling(f"comparing {names.old_name} with {names.new_name}", books, data)
    left: Difference = compare(data.rows, names.copy, since=since, progress=told)
    if left:
        verb = "table" if names.family is None else "family"
        raise Differs(
            f"{names.old_name} has {left} that {names.new_name} lacks, {left.late} of them written after the copy "
            f"({since:%Y-%m-%d %H:%M:%S} UTC): if they are missed, say --allow copy-{verb}:{names.new_name} to copy them; if "
            f"they were deleted or replaced since, say --allow abandon-{verb}:{names.old_name} to drop it all the same"
        )


def _recorded(change: Change, journal: Journal) -> CopyRecord | None:
    """What the journal has of the copy that ``change`` makes."""
    if not isinstance(change, CopyFamily | CopyTable):
        return None
    names = (change.renaming.old_name, change.renaming.new_name)
    return next((one for one in journal.copies() if (one.old, one.new) == names), None)


def telling(what: str, books: Books, data: Data, reached: Reached | None = None) -> Progress:
    """Tells how far it is, and from where it goes on where it was ``reached`` before; stops where the lease is lost."""
    if reached:
        data.say(f"{what} goes on behind {reached}")
    data.progress(what, reached.rows if reached else 0)

    def progress(rows: int, key: bytes) -> None:
        books.check()
        data.progress(what, rows)

    return progress
