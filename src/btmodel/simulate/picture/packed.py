"""Matrices of rates in few bytes, for a page that holds all that it shows.

A rate is one of 4,095 levels on a logarithmic scale between the least and the most, so that it is off by
half a percent at most, and 0 is 0. A level is written as the difference from the step before it, low bytes and high
bytes apart: most loads change little from step to step, and that compresses well.
"""

import base64
import json
import struct
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

LEVELS = 4095
_MOST_DECADES = 9  # what is less than a billionth of the most is that


@frozen(eq=False)
class Packed:
    """The levels of a matrix, and the rates of the first one and of the last."""

    least: float
    most: float
    levels: NDArray[np.uint16]

    def written(self) -> bytes:
        """The differences along each line."""
        lines = self.levels.astype(np.int32)
        change = np.diff(lines, axis=-1, prepend=0)
        # Small differences of either sign become small numbers.
        folded = ((change << 1) ^ (change >> 31)).astype("<u2")
        return (folded & 0xFF).astype(np.uint8).tobytes() + (folded >> 8).astype(np.uint8).tobytes()


def packed(rates: NDArray[np.floating] | NDArray[np.integer]) -> Packed:
    """Rates as levels."""
    wide = rates.astype(np.float64)
    some = wide[wide > 0]
    if not some.size:
        return Packed(1.0, 1.0, np.zeros(wide.shape, np.uint16))
    most = float(some.max())
    least = max(float(some.min()), most / 10**_MOST_DECADES)
    span = np.log(most / least) or 1.0
    levels = 1 + np.rint(np.log(np.maximum(wide, least) / least) / span * (LEVELS - 1))
    return Packed(least, most, np.where(wide > 0, levels, 0).astype(np.uint16))


def bundle(facts: Mapping[str, object], matrices: Sequence[Packed]) -> str:
    """Facts as JSON and then matrices, compressed, in base64: letters that mean nothing in a page of HTML."""
    head = json.dumps(facts, ensure_ascii=True, separators=(",", ":")).encode()
    whole = struct.pack("<I", len(head)) + head + b"".join(one.written() for one in matrices)
    return base64.b64encode(zlib.compress(whole, 6)).decode("ascii")
