# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Following the changes of a table: its partitions side by side, and how far each was read."""

import time
from collections import deque
from collections.abc import Set as AbstractSet
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar

from attrs import define, field

from btmodel.codecs.aware_times import from_micros, micros_since_epoch
from btmodel.declare import Model
from btmodel.errors import QueryRefused, shown
from btmodel.repository._sync.change_keepers import Alone, Keeper, Shared
from btmodel.repository.change_stores import Store, TableStore, as_store
from btmodel.repository.lazy import NoCollection
from btmodel.repository.model_codecs import Reader
from btmodel.rows.changes import Change, Partition, Tokens, since_token
from btmodel.schema.names import AUTHORIZED

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._sync.database import Database
    from btmodel.client.change_messages import Event
    from btmodel.client.row_streams import Stream
    from btmodel.client.tasks import Condition, Tasks

M = TypeVar("M", bound=Model)
K = TypeVar("K", bound="tuple[Any, ...]")

HEARTBEAT = 5.0  # seconds; the service's own default
_HELD = 256  # changes of all partitions that wait to be given
_HELD_BYTES = 8 << 20  # of their keys and values
_HEARTBEATS = (0.05, 10.0)  # seconds: a longer one would look like a server that hangs


@define(eq=False)
class Changes(Generic[K]):
    """The changes of a table as they are made; iterate over it once, and leave it by ``with`` where you stop early.

    Every change is delivered at least once, those of one row in their order. A change counts as done when the next one is asked for: what
    was being done when the program ended is delivered again. Changes of different rows come in any order.
    """

    _db: "Database"
    _reader: Reader[Any, K]
    _since: int
    _until: datetime | None
    _heartbeat: float
    _store: Any
    _stream: "Stream[Change[K]] | None" = field(init=False, default=None)
    _watermarks: dict[Partition, int] = field(init=False, factory=dict)
    _keeper: Keeper | None = field(init=False, default=None)

    @property
    def table(self) -> str:
        """The id of the table."""
        return self._reader.schema.table

    @property
    def watermark(self) -> datetime | None:
        """A time up to which, as the service estimates, all changes were delivered by this reader; None while it is not known.

        A later change may still be older.
        """
        if self._keeper is None or not self._watermarks.keys() >= self._keeper.mine:
            return None
        lowest = min(self._watermarks.values(), default=0)
        return from_micros(lowest) if lowest else None

    def __iter__(self) -> "Stream[Change[K]]":
        if self._stream is None:
            self._stream = self._changes()
        return self._stream

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End: what was done is saved, and no request is left open."""
        if self._stream is not None:
            self._stream.close()

    def _changes(self) -> "Stream[Change[K]]":
        from btmodel.client.tasks import Tasks

        tasks = Tasks()
        arrivals = _Arrivals(tasks)
        table = self._reader.schema.table
        keeper = self._keeper = self._kept()
        try:
            keeper.begin(table, since_token(self._since))
            if keeper.period is not None:
                tasks.start(partial(arrivals.tick, keeper, keeper.period))
            self._begin(arrivals, keeper)
            while keeper.lasts:
                for arrived in arrivals.taken():
                    if arrived is not None and arrived.partition in keeper.mine and arrivals.wants(arrived):
                        if hasattr(arrived.event, "change"):
                            tasks.home.check()
                            yield Change(arrived.event.change, self._reader.codec, self._key)
                        self._done(arrived.partition, arrived.event, keeper)
                    keeper.keep()
                self._begin(arrivals, keeper)
        finally:
            try:
                tasks.stop()
            finally:
                keeper.end()

    def _kept(self) -> Keeper:
        if isinstance(self._store, TableStore):
            return Shared(self._db, self._store, self._until)
        return Alone(self._db, self._store)

    def _begin(self, arrivals: "_Arrivals", keeper: Keeper) -> None:
        """Read the partitions that are new, and no longer those that others have taken."""
        for partition, tokens in keeper.begun():
            arrivals.read(partition, partial(self._events, arrivals.tasks, partition, tokens))
        for gone in self._watermarks.keys() - keeper.mine:
            del self._watermarks[gone]
        arrivals.only(keeper.mine)

    def _events(self, tasks: "Tasks", partition: Partition, tokens: Tokens) -> "Stream[Event]":
        table = self._reader.schema.table
        return self._db.change_events(
            tasks, table, partition, tokens, heartbeat=self._heartbeat, until=self._until
        )

    def _done(self, partition: Partition, event: Any, keeper: Keeper) -> None:
        """Apply one event."""
        if hasattr(event, "followers"):
            self._watermarks.pop(partition, None)
            keeper.close(partition, event.followers)
            return
        self._watermarks[partition] = event.watermark
        keeper.reach(partition, event.token)

    def _key(self, raw: bytes) -> K | None:
        if self._reader.schema.key.hashed:
            return None
        return self._reader.key_of(raw, ())


class _Arrived(NamedTuple):
    """An event, and which reading of its partition it is of: one that was lost may be read again."""

    partition: Partition
    reading: int
    event: Any


@define(eq=False)
class _Arrivals:
    """What the partitions give, side by side, until it is taken; so much of it at most that memory stays flat."""

    tasks: "Tasks"
    _changed: "Condition" = field(init=False)
    _waiting: "deque[_Arrived | None]" = field(init=False, factory=deque)
    _bytes: int = field(init=False, default=0)
    _wanted: dict[Partition, int] = field(init=False, factory=dict)
    _begun: int = field(init=False, default=0)
    _error: Exception | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        from btmodel.client.tasks import Condition

        self._changed = Condition()

    def read(self, partition: Partition, events: Any) -> None:
        """Begin with a partition."""
        self._begun += 1
        self._wanted[partition] = self._begun
        self.tasks.start(partial(self._read, partition, self._begun, events))

    def only(self, wanted: AbstractSet[Partition]) -> None:
        """Leave the others."""
        for gone in self._wanted.keys() - wanted:
            del self._wanted[gone]

    def wants(self, arrived: _Arrived) -> bool:
        """Whether an event is of what is read now."""
        return self._wanted.get(arrived.partition) == arrived.reading

    def tick(self, keeper: Keeper, period: float) -> None:
        """Give a sign of life each so many seconds, whatever is done meanwhile, and let what takes arrivals look around."""
        while not self.tasks.stopped():
            self.tasks.pause(period)
            if self.tasks.stopped():
                return
            keeper.beat()
            with self._changed:
                self._waiting.append(None)
                self._changed.notify_all()

    def taken(self) -> list[_Arrived | None]:
        """All that waits, once there is something; raises what a partition has failed with, behind what came before."""
        with self._changed:
            while not self._waiting and self._error is None:
                self._changed.wait()
            found = list(self._waiting)
            self._waiting.clear()
            self._bytes = 0
            self._changed.notify_all()
        if not found and self._error is not None:
            raise self._error
        return found

    def _read(self, partition: Partition, reading: int, events: Any) -> None:
        try:
            with closing(events()) as stream:
                for event in stream:
                    if not self._put(_Arrived(partition, reading, event)):
                        return
        except Exception as error:
            with self._changed:
                if self._wanted.get(partition) == reading and not self.tasks.stopped():
                    self._error = self._error or error
                self._changed.notify_all()

    def _put(self, arrived: _Arrived) -> bool:
        """Hold an event until it is taken; False if the reader has stopped."""
        with self._changed:
            while self._full and self.wants(arrived) and not self.tasks.stopped():
                self._changed.wait()
            self._waiting.append(arrived)
            if hasattr(arrived.event, "change"):
                self._bytes += size_of(arrived.event.change)
            self._changed.notify_all()
            return self.wants(arrived) and not self.tasks.stopped()

    @property
    def _full(self) -> bool:
        return len(self._waiting) >= _HELD or self._bytes >= _HELD_BYTES


def size_of(change: Any) -> int:
    """About how many bytes a change takes."""
    return len(change.key) + sum(len(getattr(step, "value", b"")) for step in change.steps)


class Followed(NoCollection, Generic[M, K]):
    """The part of a repository that follows the changes of its table, whose keys are those of rows."""

    _db: "Database"
    _reader: Reader[M, K]

    def key_of(self, row: M) -> K:
        """The key of a row, as ``get_many`` and ``delete_many`` take it, and as changes have it; ``bt.key_of(row)`` gives its bytes."""
        return self._reader.key_of_row(row)

    def changes(
        self,
        *,
        since: datetime | timedelta | None = None,
        until: datetime | None = None,
        store: Store = None,
        heartbeat: float = HEARTBEAT,
    ) -> Changes[K]:
        """The changes of the table, which has a change stream: ``for change in quotes.changes(since=timedelta(hours=1))``.

        They begin at ``since``, an aware time or so long ago, or now; and go on until ``until``, or for ever. With a ``store`` they go on where
        the reader of that store has come to, and ``since`` is for its first time only: a path, ``bt.TableStore(name)``, which workers share, or
        an object with ``load()`` and ``save(text)``. ``heartbeat`` is after how many seconds a partition without changes reports its position.

        Needs an app profile with single-cluster routing. Nothing is sent before the first change is asked for. Raises :class:`QueryRefused`, and then, while it is iterated,
        :class:`ChangesLost` where the stream does not reach back so far, :class:`MissingTable` and :class:`ServerError`, also for a table without a change stream.
        """
        where = f"{type(self).__name__}.changes"
        if AUTHORIZED in self._reader.schema.table:
            raise QueryRefused(
                f"{where}: expected a repository of the table, got one through an authorized view, which has no change stream"
            )
        now = datetime.now(UTC)
        start = now - since if isinstance(since, timedelta) else since or now
        for name, given in (("since", start), ("until", until or now)):
            if not isinstance(given, datetime) or given.tzinfo is None:
                raise QueryRefused(
                    f"{where}: expected {name} as an aware datetime{' or a timedelta' * (name == 'since')}, got {shown(given)}"
                )
        if type(heartbeat) not in (int, float) or not _HEARTBEATS[0] <= heartbeat <= _HEARTBEATS[1]:
            raise QueryRefused(
                f"{where}: expected a heartbeat of {_HEARTBEATS[0]} to {_HEARTBEATS[1]:g} seconds, got {shown(heartbeat)}"
            )
        micros = min(micros_since_epoch(start), time.time_ns() // 1000)
        return Changes(self._db, self._reader, micros, until, float(heartbeat), as_store(store))
