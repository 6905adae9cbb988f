"""Writes as values."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, takewhile
from typing import Any

from attrs import frozen

from btmodel.codecs.aware_times import from_micros
from btmodel.errors import ValueRefused
from btmodel.rows.cells import Cell
from btmodel.rows.filters import Filter
from btmodel.words import printable


@frozen
class Delete:
    """Cells to delete from a row: all of them, those of a family, or those of one column.

    Of a column, ``start`` and ``end`` bound the timestamps, half-open, in microseconds;
    an ``end`` of 0 is open.
    """

    family: str | None = None
    qualifier: bytes | None = None
    start: int = 0
    end: int = 0

    def __str__(self) -> str:
        if self.family is None:
            return "delete every cell"
        if self.qualifier is None:
            return f"delete family {self.family}"
        within = f" @ [{_time(self.start)}, {_time(self.end) if self.end else 'open'})"
        return f"delete {self.family}:{shown_bytes(self.qualifier)}{within if self.start or self.end else ''}"


@frozen
class Add:
    """An amount to add to an aggregate cell, at write time; ``timestamp`` is in microseconds."""

    family: str
    qualifier: bytes
    timestamp: int
    amount: int

    def __str__(self) -> str:
        return f"add {self.amount} to {self.family}:{shown_bytes(self.qualifier)} @ {_time(self.timestamp)}"


Change = Delete | Cell | Add


@frozen
class Mutation:
    """What one write does to one row, all of it or nothing: it deletes, then sets, then adds.

    What is to be done in another order comes behind that, as ``then``, in its own order. Raises :class:`ValueRefused` for a ``key`` that is no bytes.
    """

    table: str
    key: bytes
    cells: Sequence[Cell] = ()
    deletes: Sequence[Delete] = ()
    adds: Sequence[Add] = ()
    then: Sequence[Change] = ()

    def __attrs_post_init__(self) -> None:
        _refuse_text(self.key, type(self).__name__)

    @classmethod
    def of(cls, table: str, key: bytes, changes: Iterable[Change]) -> "Mutation":
        """The mutation that makes these changes in their order."""
        left = list(changes)
        phases: list[list[Any]] = []
        for kind in (Delete, Cell, Add):
            phases.append(list(takewhile(partial(_is, kind), left)))
            left = left[len(phases[-1]) :]
        deletes, cells, adds = phases
        return cls(table, key, cells, deletes, adds, tuple(left))

    @property
    def changes(self) -> Iterator[Change]:
        """All that it does, in its order."""
        return chain(self.deletes, self.cells, self.adds, self.then)

    @property
    def adding(self) -> bool:
        """Whether it adds to cells, so that it must not be sent twice."""
        return bool(self.adds) or any(isinstance(change, Add) for change in self.then)

    @property
    def count(self) -> int:
        """How many mutations of the service it is, of which a request takes so many."""
        return len(self.cells) + len(self.deletes) + len(self.adds) + len(self.then)

    @property
    def size(self) -> int:
        """About how many bytes the write sends: its key, names and values, and a few for each cell."""
        cells = [change for change in self.changes if isinstance(change, Cell)]
        named = sum(len(cell.family) + len(cell.qualifier) + len(cell.value) + 24 for cell in cells)
        return len(self.key) + named + 64 * (self.count - len(cells))

    def __str__(self) -> str:
        lines = map(_line, self.changes)
        return printable(
            "\n".join([f"table {self.table}, row {self.key!r}:", *(f"  {line}" for line in lines)])
        )

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # What a notebook shows.
        printer.text(str(self))


@frozen
class Conditional:
    """A mutation that is applied only if ``found`` finds a cell of the row, or (``present`` false) finds none.

    ``otherwise`` is another one of the same row that is applied if not.
    """

    mutation: Mutation
    found: Filter
    present: bool
    otherwise: Mutation | None = None

    def __str__(self) -> str:
        text = f"if {'a' if self.present else 'no'} cell is found by {self.found}:\n{self.mutation}"
        return f"{text}\notherwise:\n{self.otherwise}" if self.otherwise else text


@frozen
class Increment:
    """An amount to add to the newest cell of a column of 64-bit big-endian integers."""

    family: str
    qualifier: bytes
    amount: int


@frozen
class Append:
    """Bytes to put behind those of the newest cell of a column."""

    family: str
    qualifier: bytes
    value: bytes


@frozen
class ReadModifyWrite:
    """Changes to the newest cells of one row that the server makes, reading and writing at once.

    Not safe to repeat: a call whose answer was lost may have been done.
    """

    table: str
    key: bytes
    changes: Sequence[Increment | Append]

    def __attrs_post_init__(self) -> None:
        _refuse_text(self.key, type(self).__name__)


def _refuse_text(key: object, where: str) -> None:
    """Raise :class:`ValueRefused` for a row key that is no bytes: text would be written as UTF-8, whatever was meant."""
    if not isinstance(key, bytes):
        raise ValueRefused("a row key as bytes, such as that of bt.key_of(row)", key, where=f"{where}.key")


def _is(kind: type[Any], change: Change) -> bool:
    return isinstance(change, kind)


def _line(change: Change) -> str:
    if not isinstance(change, Cell):
        return str(change)
    value = shown_bytes(change.value) or "(empty)"
    return f"set {change.family}:{shown_bytes(change.qualifier)} @ {_time(change.timestamp)} = {value}"


def _time(micros: int) -> str:
    return f"{from_micros(micros):%Y-%m-%dT%H:%M:%S.%f}Z"


def shown_bytes(raw: bytes) -> str:
    """Bytes as text where they are printable ASCII, else as Python writes them."""
    return raw.decode("ascii") if raw.isascii() and raw.decode("ascii").isprintable() else repr(raw)
