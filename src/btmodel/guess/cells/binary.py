"""Numbers, times and UUIDs in cells, as bytes of a fixed number; and bytes of which nothing can be told."""

import math
import struct
from collections.abc import Sequence
from uuid import UUID

from btmodel.codecs.cell import Float64, Int64, Micros, Raw, UuidBytes
from btmodel.codecs.time import from_micros, micros_since_epoch
from btmodel.guess.cells.base import CellGuess, fits
from btmodel.guess.fields.base import EARLIEST, LATEST, SEVERAL, between, sizes, span

_EXACT = 2**53  # the whole numbers that a float holds, too: who counts further is rare
_LEAST_REAL, _MOST_REAL = 1e-12, 1e18
_TIMES = range(micros_since_epoch(EARLIEST), micros_since_epoch(LATEST))


def micros(values: Sequence[bytes]) -> CellGuess | None:
    """Eight bytes that are times from 2000 to 2040 in microseconds: as counts they would be huge and near."""
    if not _eight(values):
        return None
    counts = _ints(values)
    if len(set(counts)) < SEVERAL or not all(count in _TIMES for count in counts):
        return None
    times = [from_micros(count) for count in counts]
    return CellGuess(Micros(), f"8 bytes, microseconds since 1970, {between(times)}")


def int64(values: Sequence[bytes]) -> CellGuess | None:
    """Eight bytes that are whole numbers within 2**53 of zero; as floats they would be next to nothing.

    Where all are zero, nobody can tell: they are bytes then, for a float that is read as a whole number is wrong.
    """
    if not _eight(values):
        return None
    counts = _ints(values)
    if not any(counts) or not all(-_EXACT <= count <= _EXACT for count in counts):
        return None
    return CellGuess(Int64(), f"8 bytes, whole numbers, {span(min(counts), max(counts))}")


def float64(values: Sequence[bytes]) -> CellGuess | None:
    """Eight bytes that are floats of a size that is measured; as whole numbers they would be huge."""
    if not _eight(values):
        return None
    reals = [struct.unpack(">d", value)[0] for value in values]
    # One of twenty other things of eight bytes would be such a float.
    if len(set(values)) < SEVERAL or not all(map(_measured, reals)) or not fits(Float64(), values):
        return None
    finite = [real for real in reals if not math.isnan(real)]
    if not finite:
        return None
    return CellGuess(Float64(), f"8 bytes, floats, {span(min(finite), max(finite))}")


def uuid_bytes(values: Sequence[bytes]) -> CellGuess | None:
    """Sixteen bytes, in several cells, that all say the same version of a UUID, 1 to 8."""
    if len(set(values)) < SEVERAL or not all(len(value) == 16 for value in values):
        return None
    versions = {UUID(bytes=value).version for value in values}
    return CellGuess(UuidBytes(), "16 bytes of a UUID") if len(versions) == 1 and versions != {None} else None


def raw(values: Sequence[bytes]) -> CellGuess:
    """Bytes as they are, which is always right."""
    return CellGuess(Raw(), f"bytes, {sizes(values)}, no kind that could be told")


def _eight(values: Sequence[bytes]) -> bool:
    return all(len(value) == 8 for value in values)


def _ints(values: Sequence[bytes]) -> list[int]:
    return [int.from_bytes(value, "big", signed=True) for value in values]


def _measured(real: float) -> bool:
    return real == 0 or math.isnan(real) or _LEAST_REAL <= abs(real) <= _MOST_REAL
