"""Rows put together from the chunks in which the service sends them."""

from typing import Any

from attrs import Factory, define
from google.api_core.exceptions import ServiceUnavailable

from btmodel.client.failures import InvalidAnswer
from btmodel.client.streams import Row
from btmodel.counted import counted
from btmodel.errors import shown
from btmodel.rows import Cell, ReadPlan


@define
class Chunks:
    """The rows of one read: how far it has come, and what is known of the row that is on its way.

    A chunk says of its row, family and qualifier only what is not the same as in the
    chunk before, and a large value comes in several. ``rows`` counts the rows that came;
    ``furthest`` is the key of the last of them, or one behind it up to which the server has
    looked. All methods raise :class:`InvalidAnswer` for what no server may send.
    """

    _plan: ReadPlan
    furthest: bytes | None = None
    rows: int = 0
    _key: bytes | None = None
    _family: str = ""
    _qualifier: bytes = b""
    _timestamp: int = 0
    _pieces: list[bytes] = Factory(list)
    _cells: list[Cell] = Factory(list)

    def add(self, chunk: Any) -> Row | None:
        """Take in one chunk, a raw message; the row, where that was its last."""
        if chunk.reset_row:
            self._reset(chunk)
            return None
        if self._key is None:
            self._begin(chunk)
        elif chunk.row_key and chunk.row_key != self._key:
            raise InvalidAnswer(f"row {shown(chunk.row_key)} begins inside row {shown(self._key)}")
        if self._pieces:
            self._check_same_cell(chunk)
        else:
            self._timestamp = chunk.timestamp_micros
            if chunk.HasField("qualifier"):
                self._qualifier = chunk.qualifier.value
                if chunk.HasField("family_name"):
                    self._family = chunk.family_name.value
            elif chunk.HasField("family_name"):
                raise InvalidAnswer(f"a family without a qualifier in row {shown(self._key)}")
        value = chunk.value
        if chunk.value_size > 0:
            if chunk.commit_row:
                raise InvalidAnswer(f"row {shown(self._key)} ends inside a value")
            self._pieces.append(value)
            return None  # the rest of the value follows
        if self._pieces:
            value = b"".join((*self._pieces, value))
            self._pieces = []
        self._cells.append(Cell(self._family, self._qualifier, self._timestamp, value))
        return self._commit() if chunk.commit_row else None

    def scanned(self, key: bytes) -> None:
        """The server has looked at all rows up to ``key``, and passed over those that it did not send."""
        if self._key is not None:
            raise InvalidAnswer(f"the server has looked on to {shown(key)} inside row {shown(self._key)}")
        if self._is_new(key):
            self.furthest = key

    def end(self) -> None:
        """The answer ended; raises :class:`ServiceUnavailable` where that broke it off inside a row."""
        if self._key is not None:
            why = f"the answer ended inside row {shown(self._key)}"
            raise ServiceUnavailable(why)  # type: ignore[no-untyped-call]

    def drop(self) -> None:
        """Forget the row that is on its way: it will be sent again from its beginning."""
        self._key, self._pieces, self._cells = None, [], []

    def _begin(self, chunk: Any) -> None:
        key = chunk.row_key
        if not key:
            raise InvalidAnswer("a row without a key")
        if not self._is_new(key):
            side = "before" if self._plan.backwards else "after"
            raise InvalidAnswer(f"wanted a row {side} {shown(self.furthest)}, got row {shown(key)}")
        if not (chunk.HasField("family_name") and chunk.HasField("qualifier")):
            raise InvalidAnswer(f"row {shown(key)} begins without a family or a qualifier")
        if self.rows == self._plan.limit:
            raise InvalidAnswer(f"wanted {counted(self.rows, 'row')}, got row {shown(key)} behind them")
        self._key = key

    def _commit(self) -> Row:
        assert self._key is not None
        row = self._key, self._cells
        self.furthest, self._key, self._cells = self._key, None, []
        self.rows += 1
        return row

    def _reset(self, chunk: Any) -> None:
        if self._key is None:
            raise InvalidAnswer("a row is taken back where none has begun")
        named = chunk.row_key or chunk.HasField("family_name") or chunk.HasField("qualifier")
        if named or chunk.timestamp_micros or chunk.labels or chunk.value:
            raise InvalidAnswer(f"row {shown(self._key)} is taken back by a chunk that holds a cell")
        self.drop()

    def _check_same_cell(self, chunk: Any) -> None:
        if (
            (chunk.HasField("family_name") and chunk.family_name.value != self._family)
            or (chunk.HasField("qualifier") and chunk.qualifier.value != self._qualifier)
            or (chunk.timestamp_micros and chunk.timestamp_micros != self._timestamp)
        ):
            raise InvalidAnswer(f"another cell begins inside a value of row {shown(self._key)}")

    def _is_new(self, key: bytes) -> bool:
        """Whether ``key`` lies behind what has come, in the direction of the read."""
        if self.furthest is None:
            return True
        return key < self.furthest if self._plan.backwards else key > self.furthest
