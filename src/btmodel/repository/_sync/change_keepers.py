# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Keeping how far the partitions of a stream were read: alone, or shared by workers."""

import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING

from btmodel.errors import MissingTable, SettingsError, Unanswered, Unavailable
from btmodel.repository.change_stores import ChangeReaders, ChangeStore, TableStore, blocking
from btmodel.rows import Cell, Conditional, Delete, Mutation, ReadPlan, RowRange
from btmodel.rows.changes import Partition, Positions, Tokens, covers
from btmodel.rows.filters import ExactValue, Qualifiers, chain
from btmodel.schema.limits import CHANGES_TABLE

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._sync.database import Database

Follower = tuple[Partition, Partition, str]

_SAVED = 1.0  # seconds from one saving of positions to the next
_TRIED_AGAIN = (0.1, 0.5, 2.0)  # seconds to wait before a change is made again whose answer was lost
_TOKENS, _LEASES, _WORKERS = ChangeReaders.t.id, ChangeReaders.l.id, ChangeReaders.w.id
_BEGUN = b"begun"  # the qualifier, among the workers, that says that the first partitions are there
_AT = 0  # the timestamp of every cell, so that a new one takes the place of the old one


class Keeper(ABC):
    """How far the partitions of this reader were read. ``mine`` are those that it reads, or is to read."""

    period: float | None = None  #: seconds after which :meth:`keep` is to be called, also where nothing comes

    def __init__(self, db: "Database") -> None:
        self._db = db
        self.positions = Positions()
        self.mine: set[Partition] = set()
        self._new: list[Partition] = []
        self._changed: set[Partition] = set()
        self._ended: set[Partition] = set()  # those that are read up to the time until which this reader goes
        self._saved = 0.0

    @property
    def lasts(self) -> bool:
        """Whether anything is left to read."""
        return bool(self.mine)

    def begun(self) -> list[tuple[Partition, Tokens]]:
        """The partitions that are new to this reader, each with its tokens: it reads them from now on."""
        new, self._new = self._new, []
        return [(partition, self.positions.tokens[partition]) for partition in new if partition in self.mine]

    def reach(self, partition: Partition, token: str) -> None:
        """What is in front of ``token`` is done."""
        self.positions.reach(partition, token)
        self._changed.add(partition)

    def _take(self, partitions: Iterable[Partition]) -> None:
        for partition in partitions:
            if partition not in self.mine:
                self.mine.add(partition)
                self._new.append(partition)

    def keep(self) -> None:
        """Save what was reached, if it is time to."""
        if self._changed and monotonic() - self._saved >= _SAVED:
            self.save()

    @abstractmethod
    def beat(self) -> None:
        """Give a sign of life, where others would take this reader for dead without: also while a change is worked on."""

    @abstractmethod
    def begin(self, table: str, token: str) -> None:
        """Find what was kept, or begin with the partitions that the table has now, at ``token``."""

    @abstractmethod
    def save(self) -> None:
        """Save what was reached."""

    @abstractmethod
    def close(self, partition: Partition, followers: Sequence[Follower]) -> None:
        """A partition has ended, and others follow it; without any it is kept where it is, for a reader that goes further."""

    def end(self) -> None:
        """Save what was reached, at the end."""
        if self._changed:
            self.save()


class Alone(Keeper):
    """One reader reads every partition; what it reached is kept as one text, or nowhere."""

    def __init__(self, db: "Database", store: ChangeStore | None) -> None:
        super().__init__(db)
        self._store = store
        self._table = ""

    def beat(self) -> None:
        """Nobody waits for one."""

    def begin(self, table: str, token: str) -> None:
        """Find what was kept, or begin."""
        self._table = table
        text = None if self._store is None else blocking(self._store.load)
        if text is not None:
            self.positions = Positions.of_text(text, table)
        else:
            found = self._db.change_partitions(table)
            self.positions = Positions({partition: {partition: token} for partition in found})
            self.save()
        self._take(self.positions.ready)

    def save(self) -> None:
        """Save all positions at once."""
        self._saved = monotonic()
        self._changed.clear()
        if self._store is not None:
            blocking(self._store.save, self.positions.as_text(self._table))

    def close(self, partition: Partition, followers: Sequence[Follower]) -> None:
        """A partition has ended, and others follow it."""
        self.mine.discard(partition)
        if not followers:
            self._ended.add(partition)
            return
        self._changed.discard(partition)
        self.positions.close(partition, followers)
        self.save()
        self._take(one for one in self.positions.ready if one not in self._ended)


class Shared(Keeper):
    """Workers share the partitions by leases in one row: the tokens of each partition, who has it, and a number that each worker changes.

    A worker whose number stays the same for the time of a lease, by the clock of the worker that looks, has died. Whatever a worker writes of a partition
    it writes under the condition that it has the lease, so one that was taken for dead by mistake changes nothing any more.
    """

    def __init__(self, db: "Database", store: TableStore, until: datetime | None) -> None:
        super().__init__(db)
        self._store = store
        self._until = until
        self._me = uuid.uuid4().hex.encode()
        self.period = store.lease / 3
        self._row = b""
        self._beats = 0
        self._beaten = 0.0
        self._heard: dict[bytes, tuple[bytes, float]] = {}
        self._over = False
        self._dead: set[bytes] = set()
        self._stored: dict[Partition, list[bytes]] = {}  # the qualifiers of the tokens of each partition

    @property
    def lasts(self) -> bool:
        """Whether any worker has something left to read."""
        return not self._over

    def begin(self, table: str, token: str) -> None:
        """Find what the workers have reached, or begin, as one of them does."""
        self._row = f"{self._store.name}#{table}".encode()
        row = self._read()
        if _BEGUN not in row[_WORKERS]:
            found = self._db.change_partitions(table)
            cells = [_cell(_TOKENS, _pair(partition, partition), token.encode()) for partition in found]
            began = Mutation(CHANGES_TABLE, self._row, [*cells, _cell(_WORKERS, _BEGUN, b"1")])
            self._db.write_if(Conditional(began, Qualifiers(_WORKERS, (_BEGUN,)), False))
        self._look()

    def beat(self) -> None:
        """Give a sign of life. Without an answer there is the next one."""
        self._beats += 1
        beat = _cell(_WORKERS, self._me, b"%d" % self._beats)
        with suppress(Unanswered, Unavailable):
            self._db.write(Mutation(CHANGES_TABLE, self._row, [beat]))

    def keep(self) -> None:
        """Give a sign of life, save what was reached, and look for partitions to take."""
        if monotonic() - self._beaten >= (self.period or 0.0):
            self._look()
        super().keep()

    def save(self) -> None:
        """Save the position of each partition that moved on; one that another worker has taken is left."""
        self._saved = monotonic()
        for partition in [one for one in self._changed if one in self.mine]:
            tokens = self.positions.tokens[partition]
            self._change(
                partition,
                [_cell(_TOKENS, _pair(partition, part), token.encode()) for part, token in tokens.items()],
            )
        self._changed.clear()

    def close(self, partition: Partition, followers: Sequence[Follower]) -> None:
        """A partition has ended: in one step it is gone, and its tokens are those of what follows."""
        if not followers:
            self._ended.add(partition)
            self._release(partition)
            self._look()
            return
        cells = [_cell(_TOKENS, _pair(follower, part), token.encode()) for follower, part, token in followers]
        gone = Delete(_LEASES, _name(partition))
        if self._change(partition, cells, gone):
            self._leave(partition)
        self._look()

    def end(self) -> None:
        """Save what was reached, and give the partitions and the place of this worker back."""
        super().end()
        for partition in list(self.mine):
            self._release(partition)
        if self._beats:
            self._db.write(Mutation(CHANGES_TABLE, self._row, deletes=(Delete(_WORKERS, self._me),)))

    def _look(self) -> None:
        """Give a sign of life; take partitions without a worker, up to this worker's share, and give back what is over it."""
        self._beats += 1
        self._beaten = monotonic()
        beat = _cell(_WORKERS, self._me, b"%d" % self._beats)
        gone = tuple(Delete(_WORKERS, worker) for worker in self._dead)
        self._db.write(Mutation(CHANGES_TABLE, self._row, [beat], gone))
        row = self._read()
        tokens, leases = _tokens(row[_TOKENS]), row[_LEASES]
        alive = self._alive({name: value for name, value in row[_WORKERS].items() if name != _BEGUN})
        for partition in [one for one in self.mine if leases.get(_name(one)) != self._me]:
            self._leave(partition)
        ready = [one for one, parts in tokens.items() if covers(one, parts)]
        # What living workers read is theirs to end.
        left = [
            one
            for one in ready
            if one not in self._ended and leases.get(_name(one)) not in alive - {self._me}
        ]
        # One that never had a partition, as others have them all, ends at the time as well.
        late = self._until is not None and datetime.now(UTC) >= self._until
        self._over = not left and (late or bool(self._ended))
        share = -(-len(ready) // len(alive))
        for partition in left:
            if len(self.mine) < share and partition not in self.mine:
                self._take_over(partition, leases.get(_name(partition)))
        # No more than by one: with others that may take it, a partition must not go back and forth.
        poor = any(
            sum(holder == other for holder in leases.values()) < len(ready) // len(alive) for other in alive
        )
        if len(self.mine) > share and poor:
            self._release(max(self.mine))

    def _alive(self, workers: dict[bytes, bytes]) -> set[bytes]:
        """The workers that gave a sign of life within the time of a lease."""
        now = monotonic()
        for worker, value in workers.items():
            if self._heard.get(worker, (b"", 0.0))[0] != value:
                self._heard[worker] = (value, now)
        alive = {worker for worker in workers if now - self._heard[worker][1] < self._store.lease}
        self._dead = (
            workers.keys() - alive - {self._me}
        )  # one that was only slow comes back with its next sign of life
        return alive | {self._me}

    def _take_over(self, partition: Partition, holder: bytes | None) -> None:
        lease = Qualifiers(_LEASES, (_name(partition),))
        took = Mutation(CHANGES_TABLE, self._row, [_cell(_LEASES, _name(partition), self._me)])
        found = chain([lease, ExactValue(holder)]) if holder is not None else lease
        assert found is not None
        if not self._changed_if(Conditional(took, found, holder is not None)):
            return
        # Only now does no other worker move it on.
        tokens = _tokens((self._read())[_TOKENS]).get(partition, {})
        if covers(partition, tokens):
            self.positions.tokens[partition] = tokens
            self._stored[partition] = [_pair(partition, part) for part in tokens]
            self._take([partition])
        else:
            self.mine.add(partition)
            self._release(partition)

    def _release(self, partition: Partition) -> None:
        """Save a partition and give it back."""
        tokens = self.positions.tokens.get(partition, {})
        cells = [_cell(_TOKENS, _pair(partition, part), token.encode()) for part, token in tokens.items()]
        self._change(partition, cells, Delete(_LEASES, _name(partition)))
        self._leave(partition)

    def _leave(self, partition: Partition) -> None:
        self.mine.discard(partition)
        self._changed.discard(partition)
        self.positions.tokens.pop(partition, None)
        self._stored.pop(partition, None)

    def _change(self, partition: Partition, cells: list[Cell], *deletes: Delete) -> bool:
        """Replace the tokens of a partition, while this worker has the lease; False, and it is left, where it has not."""
        held = chain([Qualifiers(_LEASES, (_name(partition),)), ExactValue(self._me)])
        assert held is not None
        old = [Delete(_TOKENS, name) for name in self._stored.get(partition, ())]
        changed = Mutation(CHANGES_TABLE, self._row, cells, (*old, *deletes))
        if changed.count and not self._changed_if(Conditional(changed, held, True)):
            self._leave(partition)
            return False
        self._stored[partition] = [cell.qualifier for cell in cells]
        return True

    def _changed_if(self, change: Conditional) -> bool:
        """Whether a change was made; tried again where no answer comes, as it does the same then, or finds that it was done."""
        from btmodel.client.row_streams import pause

        for seconds in _TRIED_AGAIN:
            try:
                return self._db.write_if(change)
            except (Unanswered, Unavailable):
                pause(seconds)
        return self._db.write_if(change)

    def _read(self) -> dict[str, dict[bytes, bytes]]:
        """The cells of the row by family and qualifier."""
        found: dict[str, dict[bytes, bytes]] = {_TOKENS: {}, _LEASES: {}, _WORKERS: {}}
        plan = ReadPlan(CHANGES_TABLE, (RowRange(self._row, self._row + b"\0"),), None)
        try:
            with closing(self._db.read(plan)) as rows:
                for _, cells in rows:
                    for cell in cells:
                        found[cell.family].setdefault(cell.qualifier, cell.value)
        except MissingTable as error:
            raise _no_table(error) from error
        return found


def _no_table(error: MissingTable) -> SettingsError:
    return SettingsError(
        f"{error}; its model is bt.ChangeReaders: `bt.create_tables(instance, bt.ChangeReaders)` makes it, which needs admin rights once"
    )


def _cell(family: str, qualifier: bytes, value: bytes) -> Cell:
    return Cell(family, qualifier, _AT, value)


def _name(partition: Partition) -> bytes:
    return f"{partition.start.hex()}-{partition.end.hex()}".encode()


def _pair(partition: Partition, part: Partition) -> bytes:
    return _name(partition) + b"/" + _name(part)


def _partitions(name: bytes) -> list[Partition]:
    """The partitions that a qualifier names."""
    return [Partition(*(bytes.fromhex(key) for key in one.split("-"))) for one in name.decode().split("/")]


def _tokens(cells: dict[bytes, bytes]) -> dict[Partition, Tokens]:
    found: dict[Partition, Tokens] = {}
    for name, token in cells.items():
        partition, part = _partitions(name)
        found.setdefault(partition, {})[part] = token.decode()
    return found
