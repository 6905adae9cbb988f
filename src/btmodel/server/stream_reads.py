"""How change streams are read: partitions, continuation tokens, and the messages of one reader.

A reader holds one page of records at a time, and no thread while it waits for more. Inferred of the service: the statuses of refusals
and of a CloseStream, and when a record is cut into several messages.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from attrs import define, frozen
from grpc import StatusCode

from btmodel.server import limits, protos
from btmodel.server.catalog import CatalogTable
from btmodel.server.protos import Message
from btmodel.server.request_errors import RequestError, invalid, precondition
from btmodel.server.service import Pause
from btmodel.server.store import KeyRange, key_range, overlap
from btmodel.server.stream_records import Stream, Streams, bounds_of, now_micros, number_at, retention
from btmodel.server.view_functions import time_of

HEARTBEAT = 5.0  # seconds, unless a request asks for others
CONTINUATION = 3  # ReadChangeStreamResponse.DataChange.Type
_LEAST_HEARTBEAT = 0.01
_PAGE = 1 << 18  # bytes of records that a reader holds
_PAGES = 1 << 24  # and all readers together, as far as that leaves each of them _LEAST_PAGE
_LEAST_PAGE = 1 << 13
_WHOLE = 1 << 20  # bytes; a longer record comes in several messages, and a longer value in several chunks

_Response = protos.data("ReadChangeStreamResponse")
_Change = protos.data("ReadChangeStreamResponse.DataChange")
_Partition = protos.data("StreamPartition")
_Initial = protos.data("GenerateInitialChangeStreamPartitionsResponse")


class Position(NamedTuple):
    """How far the keys of a range were read: up to the record of that number, with it."""

    keys: KeyRange
    number: int


@frozen
class StreamReads:
    """The two methods that read change streams."""

    streams: Streams
    replicated: bool

    def partitions(self, request: Message) -> Iterator[Message]:
        """The partitions that a stream has now."""
        stream = self.streams.get(self._table(request))
        with self.streams.store.reading() as connection:
            found = self.streams.partitions(connection, stream)
        for keys in found:
            yield _Initial(partition=_message(keys))

    def changes(self, request: Message) -> Iterator[bytes | Pause]:
        """The records of a partition, heartbeats, and the end; a pause wherever there is nothing more to send yet."""
        table = self._table(request)
        stream = self.streams.get(table)
        keys = _keys(request.partition)
        positions = self._start(request, table, stream, keys)
        with self.streams.store.reading() as connection:
            closes = self.streams.closing(
                connection, table.name, stream, keys, min(at.number for at in positions)
            )
        heartbeat = HEARTBEAT
        if request.HasField("heartbeat_duration"):
            asked = limits.duration(request.heartbeat_duration, "heartbeat_duration").total_seconds()
            heartbeat = max(asked, _LEAST_HEARTBEAT)
        end = request.end_time.ToMicroseconds() if request.HasField("end_time") else None
        with self.streams.reading():
            yield from _PartitionReader(
                self.streams, table.name, stream, keys, positions, closes, end, heartbeat
            ).answers()

    def _table(self, request: Message) -> CatalogTable:
        limits.check_table_name(request.table_name)
        if self.replicated:
            raise precondition(
                "Change streams need an app profile with single-cluster routing, which 'default' is not"
            )
        return self.streams.catalog.get(request.table_name)

    def _start(self, request: Message, table: CatalogTable, stream: Stream, keys: KeyRange) -> list[Position]:
        oldest = now_micros() - retention(table)
        kind = request.WhichOneof("start_from")
        if kind == "start_time":
            start = request.start_time.ToMicroseconds()
            if start > now_micros():
                raise invalid(f"start_time must not be in the future, but got {start} us")
            first = max(oldest, stream.created)
            if start < first:
                why = "was enabled" if stream.created > oldest else "begins"
                at = time_of(first).isoformat(timespec="microseconds")  # to follow from just then
                raise out_of_range(f"start_time is before {at}, when the change stream of {table.name} {why}")
        elif kind == "continuation_tokens":
            return self._resumed(request.continuation_tokens.tokens, table, stream, keys, oldest)
        else:
            start = now_micros()
        with self.streams.store.reading() as connection:
            return [Position(keys, number_at(connection, start))]

    def _resumed(
        self, tokens: Iterable[Message], table: CatalogTable, stream: Stream, keys: KeyRange, oldest: int
    ) -> list[Position]:
        """Where the tokens say, whose partitions must cover the keys exactly."""
        positions: list[Position] = []
        reached: bytes | None = keys.start
        for part, token in sorted(
            ((_keys(token.partition), token.token) for token in tokens), key=lambda one: one[0].start
        ):
            if part.start != reached:
                break
            reached = part.end
            positions += self._read_token(token, part, table, stream, oldest)
            if reached is None:
                break
        if not positions or reached != keys.end:
            raise invalid("The partitions of continuation_tokens must cover the requested partition exactly")
        return positions

    def _read_token(
        self, token: str, keys: KeyRange, table: CatalogTable, stream: Stream, oldest: int
    ) -> list[Position]:
        try:
            number, micros, places = token.split(".")
            of, at = int(number), int(micros)
            found = [_place(place, keys) for place in places.split(",")]
        except ValueError:
            raise invalid(f"Continuation token '{token}' is not one of a change stream") from None
        if of != stream.id and of in {known.id for known in self.streams.all()}:
            raise invalid(f"Continuation token is of another table than {table.name}")
        if of != stream.id or at < oldest:
            raise out_of_range(
                f"Continuation token is older than what the change stream of {table.name} keeps"
            )
        return [place for place in found if place is not None]


@define(eq=False)
class _PartitionReader:
    """One reader of a partition; *closes* is the number at which the partition closed, once it has."""

    streams: Streams
    table: str
    stream: Stream
    keys: KeyRange
    positions: list[Position]
    closes: int | None
    end: int | None
    heartbeat: float
    _watermark: int = 0

    def answers(self) -> Iterator[bytes | Pause]:
        """The messages, and a pause wherever there is nothing more to send yet."""
        due = time.monotonic() + self.heartbeat
        while True:
            self.streams.check(self.table, self.stream)
            seen, watermark = self.streams.commits, self.streams.low_watermark()
            found, scanned, more = self._page()
            for number, micros, record in found:
                if self.end is not None and micros > self.end:
                    yield self._closed()
                    return
                self._reach(number)
                self._watermark = max(self._watermark, micros)
                yield from _messages(record, self._token(), self._watermark)
            self._reach(scanned)
            if not more:
                if self.closes is not None and scanned >= self.closes - 1:
                    self._reach(self.closes)
                    yield self._closed(self._followers())
                    return
                self._watermark = max(self._watermark, watermark)
                if self.end is not None and watermark > self.end:
                    yield self._closed()
                    return
            if time.monotonic() >= due:
                due = time.monotonic() + self.heartbeat
                yield self._heartbeat()
            elif not more:
                # Beyond its end a stream does not wait for a heartbeat.
                ends = None if self.end is None else time.monotonic() + (self.end - watermark) / 1e6 + 0.001
                yield Pause(due if ends is None else min(due, ends), partial(self._idle, seen))

    def _idle(self, seen: int) -> bool:
        return self.streams.commits == seen

    def _page(self) -> tuple[list[tuple[int, int, bytes]], int, bool]:
        """Some records that follow, the number up to which was looked, and whether more may be there."""
        start = min(at.number for at in self.positions)
        with self.streams.store.reading() as connection:
            (top,) = connection.execute("SELECT coalesce(max(number), 0) FROM changes").fetchone()
            # After the records: a partition that closes meanwhile has all of them up to there.
            if self.closes is None:
                self.closes = self.streams.closing(connection, self.table, self.stream, self.keys, start)
            if self.closes is not None:
                top = self.closes - 1
            first, last = bounds_of(self.keys)
            cursor = connection.execute(
                "SELECT number, micros, row_key, record FROM changes WHERE number > ? AND number <= ? AND stream = ? "
                "AND row_key >= ? AND (? = x'' OR row_key < ?) ORDER BY number",
                (start, top, self.stream.id, first, last, last),
            )
            found, size = [], 0
            most = min(_PAGE, max(_LEAST_PAGE, _PAGES // (self.streams.readers or 1)))
            for number, micros, key, record in cursor:
                if number > self._position(key):
                    found.append((number, micros, record))
                    size += len(record)
                    if size >= most:
                        cursor.close()
                        return found, number, True
        return found, max(top, start), False

    def _position(self, key: bytes) -> int:
        if len(self.positions) == 1:
            return self.positions[0].number
        return next(
            at.number
            for at in self.positions
            if at.keys.start <= key and (at.keys.end is None or key < at.keys.end)
        )

    def _reach(self, number: int) -> None:
        if len(self.positions) > 1 and number >= max(at.number for at in self.positions):
            self.positions = [Position(self.keys, number)]
        self.positions = [Position(at.keys, max(at.number, number)) for at in self.positions]

    def _token(self, keys: KeyRange | None = None) -> str:
        within = [(part, at.number) for at in self.positions if (part := overlap(at.keys, keys or self.keys))]
        if len(within) == 1:
            places = str(within[0][1])
        else:
            places = ",".join(f"{_hex(part)}-{number}" for part, number in within)
        return f"{self.stream.id}.{max(self._watermark, self.stream.created) or now_micros()}.{places}"

    def _heartbeat(self) -> bytes:
        beat = _Response().heartbeat
        beat.continuation_token.token = self._token()
        beat.continuation_token.partition.CopyFrom(_message(self.keys))
        beat.estimated_low_watermark.FromMicroseconds(self._watermark)
        message: bytes = _Response(heartbeat=beat).SerializeToString()
        return message

    def _followers(self) -> list[KeyRange]:
        """The partitions that a closed one goes on in."""
        with self.streams.store.reading() as connection:
            query = "SELECT first, last FROM change_partitions WHERE stream = ? AND born <= ? AND (closed IS NULL OR closed > ?) ORDER BY first"
            found = connection.execute(query, (self.stream.id, self.closes, self.closes)).fetchall()
        others = [KeyRange(first, last or None) for first, last in found]
        return [keys for keys in others if overlap(keys, self.keys)]

    def _closed(self, followers: Sequence[KeyRange] = ()) -> bytes:
        close = _Response().close_stream
        close.SetInParent()
        self._watermark = max(self._watermark, 1)
        if followers:
            close.status.code = StatusCode.OUT_OF_RANGE.value[0]
            close.status.message = "The partition has changed"
        for keys in followers:
            part = overlap(keys, self.keys)
            assert part is not None
            token = close.continuation_tokens.add(token=self._token(part))
            token.partition.CopyFrom(_message(part))
            close.new_partitions.append(_message(keys))
        message: bytes = _Response(close_stream=close).SerializeToString()
        return message


def out_of_range(text: str) -> RequestError:
    """OUT_OF_RANGE: what is asked for is not kept any more."""
    return RequestError(StatusCode.OUT_OF_RANGE, text)


def _hex(keys: KeyRange) -> str:
    return f"{keys.start.hex()}-{(keys.end or b'').hex()}"


def _place(text: str, keys: KeyRange) -> Position | None:
    """A place of a token, within the keys that the token is given for."""
    parts = text.split("-")
    if len(parts) == 1:
        return Position(keys, int(text))
    first, last, number = parts
    part = overlap(KeyRange(bytes.fromhex(first), bytes.fromhex(last) or None), keys)
    return None if part is None else Position(part, int(number))


def _keys(partition: Message) -> KeyRange:
    keys = key_range(partition.row_range)
    return KeyRange(keys.start, keys.end or None)


def _message(keys: KeyRange) -> Message:
    """A partition as [start_key_closed, end_key_open)."""
    message = _Partition()
    message.row_range.start_key_closed = keys.start
    message.row_range.end_key_open = keys.end or b""
    return message


def _messages(record: bytes, token: str, watermark: int) -> Iterator[bytes]:
    """The messages of one record: one, or several for a large one, whose long values are cut into chunks."""
    end = _Change(token=token)
    end.estimated_low_watermark.FromMicroseconds(watermark)
    if len(record) <= _WHOLE:
        # Serialized messages that are joined are one message.
        whole = record + end.SerializeToString()
        yield b"\x0a" + _varint(len(whole)) + whole
        return
    change = _Change.FromString(record)
    pieces = [piece for chunk in change.chunks for piece in _pieces(chunk)]
    part = _Change()
    part.CopyFrom(change)
    del part.chunks[:]
    part.done = False
    size = 0
    for piece in pieces:
        if size and size + piece.ByteSize() > _WHOLE:
            yield _Response(data_change=part).SerializeToString()
            part, size = _Change(type_=CONTINUATION), 0
        part.chunks.append(piece)
        size += piece.ByteSize()
    part.done = True
    part.MergeFrom(end)
    yield _Response(data_change=part).SerializeToString()


def _varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])


def _pieces(chunk: Message) -> Iterator[Message]:
    """The chunks of one mutation: several where it sets a long value."""
    value = chunk.mutation.set_cell.value
    if len(value) <= _WHOLE // 2:
        yield chunk
        return
    size = _WHOLE // 2
    for start in range(0, len(value), size):
        piece = type(chunk)()
        if start == 0:
            piece.CopyFrom(chunk)
        piece.mutation.set_cell.value = value[start : start + size]
        piece.chunk_info.chunked_value_size = len(value)
        piece.chunk_info.chunked_value_offset = start
        piece.chunk_info.last_chunk = start + size >= len(value)
        yield piece
