"""What the service has said of the rows of a batch: nothing counts as written that it did not acknowledge."""

from collections.abc import Iterator
from typing import Any

from attrs import define, field
from google.api_core import exceptions
from google.cloud.bigtable_v2.types import MutateRowsResponse
from google.protobuf.message import DecodeError

from btmodel.client.asked_again import answer_lost
from btmodel.client.batches import ROWS, Batch
from btmodel.client.failures import InvalidAnswer, said, translate
from btmodel.client.target import Target
from btmodel.counted import counted
from btmodel.errors import FailedRow, Unanswered
from btmodel.rows.serialized import message
from btmodel.rows.wire import varint

# What a write that changes nothing the second time is sent again for.
RETRIED = (exceptions.DeadlineExceeded, exceptions.ServiceUnavailable)
_ANSWERS = MutateRowsResponse.pb()
_UNANSWERED = "the answer ended before that for this row"


def _all_written(rows: int) -> tuple[bytes, list[int]]:
    """The answer that acknowledges so many rows in one message, and where in it each of them ends."""
    answer, ends = bytearray(), [0]
    for index in range(rows):
        numbered = b"\x08" + varint(index) if index else b""
        answer += message(b"\x0a", numbered + message(b"\x12", b""))
        ends.append(len(answer))
    return bytes(answer), ends


_WRITTEN, _ENDS = _all_written(ROWS)


@define
class Acknowledged:
    """The rows of one batch, request after request.

    ``open`` holds the positions of those to ask for with the next request: all of them at first, then
    those that failed and may be sent again.
    """

    batch: Batch
    open: list[int] = field(init=False)
    # Of the rows of this request, by their places in it: None for written.
    _said: dict[int, Exception | None] = field(init=False, factory=dict)
    _wrong: Exception | None = field(init=False, default=None)
    # Rows that a request may have written without saying so.
    _lost: set[int] = field(init=False, factory=set)
    # Of open rows, why they were not written by the request before; of others, why they are not at all.
    _pending: dict[int, Exception] = field(init=False, factory=dict)
    _failures: dict[int, Exception] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.open = list(range(len(self.batch.raws)))

    @property
    def raws(self) -> list[bytes]:
        """The entries of the next request."""
        raws = self.batch.raws
        return raws if len(self.open) == len(raws) else [raws[position] for position in self.open]

    @property
    def written(self) -> int:
        """How many rows are known to be written, also while a request is under way."""
        return len(self.batch.raws) - len(self._failures) - self.unknown

    @property
    def unknown(self) -> int:
        """How many open rows are not acknowledged, but may be written by what was sent."""
        return len(self.open) - sum(failure is None for failure in self._said.values())

    def take(self, answer: bytes) -> None:
        """Take in one message of the answer to a request."""
        rows = len(self.open)
        # Most answers are one message which says that all is well.
        if not self._said and len(answer) == _ENDS[rows] and _WRITTEN.startswith(answer):
            self._said = dict.fromkeys(range(rows))
            return
        try:
            entries = _ANSWERS.FromString(answer).entries
        except DecodeError:
            self._wrong = InvalidAnswer("a message that does not parse")
            return
        for one in entries:
            index, status = one.index, one.status
            failure = _failure(status) if status.code else None
            if not 0 <= index < rows:
                self._wrong = InvalidAnswer(f"of {counted(rows, 'row')} sent, number {index} is answered")
            elif type(self._said.setdefault(index, failure)) is not type(failure):
                self._said[index] = InvalidAnswer("a row is answered twice, and not alike")

    def end(self, error: Exception | None) -> None:
        """The answer ended, with ``error`` if it broke off: leaves open what may be sent again.

        A row without an answer may be written or not: it is sent again, or has failed.
        """
        missing = self._wrong or error or exceptions.DeadlineExceeded(_UNANSWERED)  # type: ignore[no-untyped-call]
        unanswered = bool(self._said) or answer_lost(missing, said(missing))
        self._pending = {}
        for index, position in enumerate(self.open):
            failure = self._said.get(index, missing)
            if failure is None:
                continue
            if (unanswered and failure is missing) or isinstance(failure, InvalidAnswer):
                self._lost.add(position)
            again = isinstance(failure, RETRIED) and position not in self.batch.once
            (self._pending if again else self._failures)[position] = failure
        self.open, self._said, self._wrong = list(self._pending), {}, None

    def give_up(self) -> None:
        """No other request will be made: the rows that are open have failed."""
        self._failures |= self._pending
        self.open, self._pending = [], {}

    def failed(self, table: str, target: Target) -> Iterator[FailedRow]:
        """The rows that have failed, with the reasons; those that no request could hold, too."""
        yield from self.batch.refused
        indices = self.batch.indices if self._failures else ()
        for position, failure in self._failures.items():
            cause = translate(failure, table, target, once=position in self.batch.once)
            if position in self._lost and not isinstance(cause, Unanswered):
                cause = Unanswered(f"{cause}; a request that was not answered well may have written the row")
            yield FailedRow(indices[position], self.batch.keys[position], cause)


def _failure(status: Any) -> Exception:
    failure: Exception = exceptions.from_grpc_status(  # type: ignore[no-untyped-call]
        status.code, status.message, errors=[status]
    )
    return failure
