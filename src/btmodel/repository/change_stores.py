"""Where a reader of a change stream keeps how far it has come, and which changes it has seen."""

import os
import re
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from attrs import define, field, frozen

from btmodel.codecs.key import Text
from btmodel.declare import Model, family, key, mapping
from btmodel.declare.problems import into
from btmodel.errors import QueryRefused, SettingsError, refuse_no_number, shown
from btmodel.rows.changes import Change
from btmodel.schema import MaxVersions
from btmodel.schema.limits import CHANGES_TABLE

LEASE = 30.0  # seconds without a sign of life after which the partitions of a worker are taken over
_LEAST_LEASE = 0.3


@runtime_checkable
class ChangeStore(Protocol):
    """Where one reader of a change stream keeps its positions, as one text; implement it for a store of your own.

    Both methods may block: an asynchronous reader calls them in a thread. What they raise ends the reader.
    """

    def load(self) -> str | None:
        """The text that was saved last; None where none was."""
        ...

    def save(self, positions: str) -> None:
        """Keep a text in the place of the last one, wholly or not at all."""
        ...


@frozen
class FileStore:
    """Keeps the positions of one reader in a file, which is replaced as a whole: after a crash it is the old one or the new one."""

    path: Path = field(converter=Path)

    def load(self) -> str | None:
        """The text of the file; None where there is none. Raises :class:`SettingsError` where it cannot be read."""
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise SettingsError(f"cannot read the positions in {self.path}: {error}") from error

    def save(self, positions: str) -> None:
        """Replace the file. Raises :class:`SettingsError` where it cannot be written."""
        # Beside it, as only within one file system a file takes the place of another in one step.
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with beside.open("w", encoding="utf-8") as file:
                file.write(positions)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except (OSError, ValueError) as error:  # a NUL
            with suppress(OSError, ValueError):
                beside.unlink()
            raise SettingsError(f"cannot write the positions to {self.path}: {error}") from error


# `btmodel check` reviews the models that it sees declared; this is not the user's.
with into(None):

    class ChangeReaders(Model, table=CHANGES_TABLE, events="1/s"):
        """How far the readers of change streams have come: create its table once, with ``bt.create_tables(db, bt.ChangeReaders)``.

        A reader has one row for each table that it reads, whose key is ``name#table``: one row, so that the end of a partition and the beginning of those that follow it are one step.
        """

        reader: str = key(Text(max_length=500, holds_delimiter=True))

        t = family("t", gc=MaxVersions(1))
        l = family("l", gc=MaxVersions(1))  # noqa: E741
        w = family("w", gc=MaxVersions(1))
        tokens: dict[str, str] = mapping(t, Text(max_length=16_000, holds_delimiter=True))
        leases: dict[str, str] = mapping(l, Text(max_length=16_000, holds_delimiter=True))
        workers: dict[str, str] = mapping(w, Text(max_length=100))


_NAME = re.compile(r"[-_.a-zA-Z0-9]{1,100}")


@frozen
class TableStore:
    """Keeps the positions of a reader called ``name`` in the table ``btmodel_changes`` of the instance, which several workers may share.

    Each worker reads some of the partitions, and those of one that gave no sign of life for ``lease`` seconds are taken over. A worker
    that takes longer for one change than that loses its partitions, too; what it was at is delivered again. The machines need not agree
    on the time. :class:`btmodel.ChangeReaders` is the model of the table. Raises :class:`QueryRefused` for another name or time.
    """

    name: str
    lease: float = LEASE

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise QueryRefused(
                f"TableStore: expected a name of 1 to 100 letters, digits, `-`, `_` and `.`, got {shown(self.name)}"
            )
        if type(self.lease) not in (int, float) or not _LEAST_LEASE <= self.lease <= 3_600:
            raise QueryRefused(
                f"TableStore: expected a lease of {_LEAST_LEASE} to 3600 seconds, got {shown(self.lease)}"
            )


Store: TypeAlias = "ChangeStore | TableStore | str | Path | None"


def as_store(store: Any) -> ChangeStore | TableStore | None:
    """A store as it was given to a reader; a path is that of a file. Raises :class:`QueryRefused` for anything else."""
    if isinstance(store, str | Path):
        return FileStore(Path(store))
    if store is None or isinstance(store, TableStore | ChangeStore):
        return store
    raise QueryRefused(
        f"changes: expected a store, as a path, bt.TableStore(name) or an object with load() and save(positions), got {shown(store)}"
    )


@define
class Seen:
    """Distinguishes repeated changes from new ones: ``if seen(change): continue``.

    The ids of the last ``most`` changes are remembered, in memory: about 150 bytes each. What was delivered before a crash is known only to
    what the program wrote itself: keep ``change.id`` with it, in the same write.
    """

    most: int = 100_000
    _ids: "OrderedDict[str, None]" = field(init=False, factory=OrderedDict, repr=False)

    def __attrs_post_init__(self) -> None:
        refuse_no_number("Seen", "changes", self.most)

    def __call__(self, change: Change[Any]) -> bool:
        """Whether this change was seen before; it is from now on."""
        if change.id in self._ids:
            self._ids.move_to_end(change.id)
            return True
        self._ids[change.id] = None
        if len(self._ids) > self.most:
            self._ids.popitem(last=False)
        return False


def blocking(work: Callable[..., Any], *given: Any) -> Any:
    """Call what blocks."""
    return work(*given)


async def blocking_async(work: Callable[..., Any], *given: Any) -> Any:
    """Call what blocks in a thread, so that an event loop goes on."""
    import asyncio

    return await asyncio.to_thread(work, *given)
