"""How far one read has come, over all the requests that it takes."""

from typing import Generic, TypeVar

from btmodel.client.calls import Calls
from btmodel.client.chunks import Chunks
from btmodel.client.decoding import decoded
from btmodel.client.patience import Patience, pause_after
from btmodel.client.requests import read_request, rest
from btmodel.client.streams import RowBatch
from btmodel.rows import ReadPlan, RowDecoder

T = TypeVar("T")


class Progress(Generic[T]):
    """A read of ``plan``: what it asks for next, and what it makes of the answers.

    ``limit`` gives the seconds that the next request may take. Where an answer breaks off, the rest is
    asked for behind the last row, or behind the key up to which the server says that it has looked.
    """

    def __init__(self, plan: ReadPlan, calls: Calls, decoder: RowDecoder[T]) -> None:
        self._plan = plan
        self._calls = calls
        self._decoder = decoder
        self._chunks = Chunks(plan)
        table = calls.table
        self._patience = Patience(
            table.default_read_rows_operation_timeout, table.default_read_rows_attempt_timeout
        )
        self._failed: Exception | None = None
        self.limit = self._patience.limit

    def request(self) -> bytes | None:
        """The request for what has not come yet; None where nothing can follow."""
        return read_request(rest(self._plan, self._chunks.furthest, self._chunks.rows), self._calls)

    def take(self, message: bytes) -> RowBatch[T]:
        """The rows that a message ends."""
        batch, self._failed = decoded(message, self._chunks, self._decoder)
        return batch

    def taken(self) -> None:
        """Those rows were given; raises what is wrong behind them, and waits from now on for the next ones."""
        if self._failed is not None:
            raise self._failed
        self._patience.reached(self._chunks.furthest)

    def end(self) -> None:
        """The answer ended; raises where that broke it off inside a row."""
        self._chunks.end()

    def pause_after(self, error: Exception) -> float:
        """The seconds to wait before the rest is asked for, as ``error`` broke off the answer; raises what ends the read."""
        wait = pause_after(error, self._patience)
        self._chunks.drop()
        return wait
