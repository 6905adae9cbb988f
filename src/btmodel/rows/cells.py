"""Cells, clocks and the interface of a row decoder."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

from attrs import frozen

from btmodel.codecs.aware_times import from_micros, micros_since_epoch
from btmodel.errors import ValueRefused
from btmodel.value import Value

MILLISECOND = 1_000  # microseconds


class Cell(NamedTuple):
    """One version of one column of a row, as it is stored.

    ``timestamp`` counts microseconds since 1970; tables keep whole milliseconds.
    """

    family: str
    qualifier: bytes
    timestamp: int
    value: bytes

    @property
    def time(self) -> datetime:
        """The timestamp as an aware time, in UTC."""
        return from_micros(self.timestamp)


M = TypeVar("M")


class Stored(NamedTuple, Generic[M]):
    """A row with what it is stored by: its row key, and the newest timestamp of the cells that its attributes were read from.

    ``timestamp`` counts microseconds since 1970, as that of a cell.
    """

    key: bytes
    row: M
    timestamp: int

    @property
    def time(self) -> datetime:
        """The timestamp as an aware time, in UTC."""
        return from_micros(self.timestamp)


def cell_timestamp(time: datetime, *, cut: bool = False, way_out: str = "round it yourself") -> int:
    """The cell timestamp of ``time``, in microseconds; a time finer than a millisecond is refused, or ``cut``.

    Tables have millisecond granularity; the service refuses finer timestamps.
    """
    micros = micros_since_epoch(time)
    finer = micros % MILLISECOND
    if micros < 0 or (finer and not cut):
        raise ValueRefused(f"a time from 1970 on, in whole milliseconds ({way_out})", time)
    return micros - finer


def range_end(time: datetime) -> int:
    """One end of a half-open range of times, in microseconds since 1970, rounded up to whole milliseconds.

    It may lie before 1970, where no timestamp does.
    """
    return -(-micros_since_epoch(time) // MILLISECOND) * MILLISECOND


def now_micros() -> int:
    """This moment in whole milliseconds, as microseconds since 1970.

    The writer's clock, not the server's: a retried write then sets the same cell
    again instead of adding a version.
    """
    return time.time_ns() // 1_000_000 * 1_000


T = TypeVar("T")

# Takes whole rows from the front of a serialized ``ReadRowsResponse``, as long as it knows each for certain, and
# stops without an error at the border of a field where it does not. Given the message, where to begin in it, and the
# key behind which the first row must lie (b"" is in front of all); gives where it stopped, the keys and the rows.
Fast = Callable[[bytes, int, bytes], tuple[int, list[bytes], list[T]]]


@frozen(eq=False, repr=False)
class RowDecoder(Value, Generic[T]):
    """Makes something of each row that is read.

    ``strict`` takes the key and the cells of a row, and may raise an error if they cannot be decoded.
    ``fast``, where there is one, gives the same, from the message that rows come in.
    """

    strict: Callable[[bytes, list[Cell]], T]
    fast: Fast[T] | None = None


def _cells(key: bytes, cells: list[Cell]) -> list[Cell]:
    return cells


RAW = RowDecoder(_cells)


def _keyed(key: bytes, cells: list[Cell]) -> tuple[bytes, list[Cell]]:
    return key, cells


CELLS = RowDecoder(_keyed)
