"""Rows of a bulk write that are encoded for the service already."""

from typing import NamedTuple


class Entry(NamedTuple):
    """One row to write, as the service takes it in: it only sets cells, with times, so it may be sent again.

    ``raw`` is a serialized ``MutateRowsRequest.Entry``, ``key`` the row key that it holds, and
    ``count`` how many mutations.
    """

    key: bytes
    raw: bytes
    count: int  # type: ignore[assignment]  # the method of tuples is hidden
