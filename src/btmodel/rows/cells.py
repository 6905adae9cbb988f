"""Cells: what lies between a model's values and the wire."""

from datetime import datetime
from typing import NamedTuple

from btmodel.codecs.time import from_micros, micros_since_epoch
from btmodel.errors import ValueRefused

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


def cell_timestamp(time: datetime) -> int:
    """The cell timestamp of ``time``, in microseconds; a time finer than a millisecond is refused.

    Tables have millisecond granularity; the service refuses finer timestamps.
    """
    micros = micros_since_epoch(time)
    if micros < 0 or micros % MILLISECOND:
        raise ValueRefused("a time from 1970 on, in whole milliseconds (round it yourself)", time)
    return micros


def range_end(time: datetime) -> int:
    """One end of a half-open range of times, in microseconds since 1970, rounded up to whole milliseconds.

    It may lie before 1970, where no timestamp does.
    """
    return -(-micros_since_epoch(time) // MILLISECOND) * MILLISECOND
