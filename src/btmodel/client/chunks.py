"""Rows put together from the chunks in which the service sends them."""

from typing import Any

from attrs import Factory, define

from btmodel.client.streams import Row
from btmodel.rows import Cell


@define
class Chunks:
    """The row that is being put together: what its chunks have said so far.

    A chunk says of its row, family and qualifier only what is not the same as in the
    chunk before, and a large value comes in several.
    """

    _key: bytes = b""
    _family: str = ""
    _qualifier: bytes = b""
    _timestamp: int = 0
    _value: list[bytes] = Factory(list)
    _cells: list[Cell] = Factory(list)

    def add(self, chunk: Any) -> Row | None:
        """Take in one chunk, a raw message; the row, where that was its last."""
        if chunk.reset_row:
            self._value, self._cells = [], []
            return None
        if chunk.row_key:
            self._key = chunk.row_key
        if chunk.HasField("family_name"):
            self._family = chunk.family_name.value
        if chunk.HasField("qualifier"):
            self._qualifier = chunk.qualifier.value
        if not self._value:
            self._timestamp = chunk.timestamp_micros
        self._value.append(chunk.value)
        if chunk.value_size:
            return None  # the rest of the value follows
        self._cells.append(Cell(self._family, self._qualifier, self._timestamp, b"".join(self._value)))
        self._value = []
        if not chunk.commit_row:
            return None
        cells, self._cells = self._cells, []
        return self._key, cells
