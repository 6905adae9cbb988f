# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Many edits of one call: in batches, or, under a condition, as requests of their own, several of them at once."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from attrs import define, field

from btmodel.client.tasks import Flight, Tasks
from btmodel.errors import BtmodelError, MissingRow
from btmodel.repository.tally import EditTally, each
from btmodel.rows import Conditional, Mutation
from btmodel.words import counted

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database

_AT_ONCE = 1_000  # edits in a batch
Write = Mutation | Conditional | BtmodelError


@define
class _Checked:
    """An edit under a condition that is under way: its place among all, and whether its row was there."""

    at: int
    write: Conditional
    there: bool | None = None

    def send(self, db: "Database") -> None:
        self.there = db.write_if(self.write)


@define
class ManyEdits:
    """The edits of one call to a table, of which ``tally`` takes note.

    Edits of one row are made in their order: one waits for what is under way of its row, and a batch for all.
    """

    db: "Database"
    tally: EditTally
    missing: Callable[[bytes], MissingRow]
    _landed: int = field(init=False, default=0)
    _tasks: Tasks = field(init=False)
    _under_way: dict[Flight, _Checked] = field(init=False, factory=dict)
    _batch: list[Mutation | BtmodelError] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self._tasks = Tasks()

    def apply(self, writes: Iterable[Write]) -> int:
        """Make the edits and return how many; raises :class:`WriteFailed`."""
        try:
            tried = self._try_all(writes)
        except BaseException as error:
            self._broken_off(error)
            raise
        finally:
            self._tasks.stop()
        self.tally.check(stopped=not tried)
        return self.tally.written

    def _try_all(self, writes: Iterable[Write]) -> bool:
        """Whether all were tried, and not so many of them failed that the rest were better not."""
        for write in each(writes):
            if isinstance(write, Conditional):
                self._send_batch()
                self._room(write.mutation.key)
                if not self.tally.full:
                    self._start(write)
                    self._tasks.step()
            else:
                self._batch.append(write)
                if len(self._batch) == _AT_ONCE:
                    self._send_batch()
            if self.tally.full:
                self._land_all()
                return False
        self._send_batch()
        self._land_all()
        return True

    def _send_batch(self) -> None:
        if self._batch:
            self._land_all()
            batch, self._batch = self._batch, []
            with self.tally.taking(self.tally.next(len(batch)), len(batch)):
                self.db.write_many(self.tally.table, batch)

    def _room(self, key: bytes) -> None:
        """Wait until another request may be made, of the row of this key. The first goes alone, as a table may be missing."""
        self._land()
        while self._under_way:
            most = min(self.db.options.requests_in_flight, 1 + self._landed)
            same = any(one.write.mutation.key == key for one in self._under_way.values())
            if len(self._under_way) < most and not same:
                return
            self._tasks.landed(self._under_way)
            self._land()

    def _start(self, write: Conditional) -> None:
        checked = _Checked(self.tally.next(1), write)
        self._under_way[self._tasks.start(partial(checked.send, self.db))] = checked

    def _land_all(self) -> None:
        while self._under_way:
            self._tasks.landed(self._under_way)
            self._land()

    def _land(self) -> None:
        """Take note of what is done."""
        for flight in [flight for flight in self._under_way if flight.done()]:
            checked = self._under_way.pop(flight)
            self._landed += 1
            key = checked.write.mutation.key
            with self.tally.taking(checked.at, 1, key):
                flight.result()
                if not checked.there:
                    raise self.missing(key)

    def _broken_off(self, error: BaseException) -> None:
        """Say with ``error`` what is done all the same."""
        self.tally.progress = None
        try:
            # Where the source of the edits failed, or a callback, what is under way can be waited for.
            if isinstance(error, Exception):
                self._land_all()
        finally:
            under_way, tally = len(self._under_way), self.tally
            unknown = f"; {under_way} more may have been" if under_way else ""
            lost = f"; {len(tally.failures)} failed" if tally.failures else ""
            error.add_note(
                f"table {tally.table!r}: {counted(tally.written, 'edit')} made before this{lost}{unknown}"
            )
