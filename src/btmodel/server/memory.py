"""Memory that this process has and does not use: what the allocator keeps for a next time."""

from __future__ import annotations

import ctypes
from functools import cache


def give_back() -> None:
    """Return free memory to the system, where the C library has a way to (glibc; others do so by themselves)."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> ctypes._NamedFuncPointer | None:
    return getattr(ctypes.CDLL(None), "malloc_trim", None)
