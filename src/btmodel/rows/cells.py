"""Cells and mutations: what lies between a model's values and the wire."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from attrs import frozen

from btmodel.codecs.time import from_micros, micros_since_epoch
from btmodel.errors import ValueRefused


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


@frozen
class Mutation:
    """The cells that one write sets in one row, all or none of them."""

    table: str
    key: bytes
    cells: Sequence[Cell]

    @property
    def size(self) -> int:
        """About how many bytes the write sends: its key, names and values, and a few for each cell."""
        named = sum(len(cell.family) + len(cell.qualifier) + len(cell.value) + 24 for cell in self.cells)
        return len(self.key) + named

    def __str__(self) -> str:
        lines = [f"table {self.table}, row {self.key!r}:"]
        lines += [
            f"  set {c.family}:{_shown(c.qualifier)} @ {c.time:%Y-%m-%dT%H:%M:%S.%f}Z = {_shown(c.value)}"
            for c in self.cells
        ]
        return "\n".join(lines)


def cell_timestamp(time: datetime, *, up: bool = False) -> int:
    """The cell timestamp of ``time``, in microseconds; a time finer than a millisecond is refused.

    Tables have millisecond granularity; the service refuses finer timestamps. With
    ``up``, for the ends of a half-open range, it is rounded up instead.
    """
    micros = micros_since_epoch(time)
    rounded = -(-micros // 1000) * 1000
    if micros < 0 or (rounded != micros and not up):
        raise ValueRefused("a time from 1970 on, in whole milliseconds (round it yourself)", time)
    return rounded


def _shown(raw: bytes) -> str:
    return raw.decode("ascii") if raw.isascii() and raw.decode("ascii").isprintable() else repr(raw)
