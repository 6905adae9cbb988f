"""The messages of change streams: requests, and what comes of them."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal, NamedTuple

from attrs import define, field
from google.cloud.bigtable_v2.types import (
    GenerateInitialChangeStreamPartitionsRequest,
    GenerateInitialChangeStreamPartitionsResponse,
    ReadChangeStreamRequest,
    ReadChangeStreamResponse,
)
from google.protobuf.message import DecodeError

from btmodel.client.call import Calls
from btmodel.client.failures import InvalidAnswer
from btmodel.codecs.aware_times import micros_since_epoch
from btmodel.rows import Cell, Delete
from btmodel.rows.changes import Partition, RawChange, Tokens, since_of
from btmodel.rows.mutations import Add
from btmodel.rows.mutations import Change as Step

_Response: Any = ReadChangeStreamResponse.pb()
_Request: Any = ReadChangeStreamRequest.pb()
_AskInitial: Any = GenerateInitialChangeStreamPartitionsRequest.pb()
_Initial: Any = GenerateInitialChangeStreamPartitionsResponse.pb()
_GARBAGE_COLLECTION, _CONTINUATION = 2, 3


class ReadChange(NamedTuple):
    """A change, the token of what follows it, and the watermark in microseconds."""

    change: RawChange
    token: str
    watermark: int


class Beat(NamedTuple):
    """A heartbeat: nothing came, and what follows has this token."""

    token: str
    watermark: int


class Closed(NamedTuple):
    """The end of a partition: the partitions that follow it, each with a part of it and the token of that; none at the end time."""

    followers: tuple[tuple[Partition, Partition, str], ...]


Event = ReadChange | Beat | Closed


def initial_request(calls: Calls) -> bytes:
    """The request for the partitions of a stream."""
    request: bytes = _AskInitial(table_name=calls.name, app_profile_id=calls.app_profile).SerializeToString()
    return request


def initial_partition(message: bytes) -> Partition:
    """The partition of one answer."""
    return _partition(_Initial.FromString(message).partition)


def stream_request(
    calls: Calls, partition: Partition, tokens: Tokens, heartbeat: float, until: datetime | None
) -> bytes:
    """The request for the changes of a partition behind its tokens."""
    request = _Request(table_name=calls.name, app_profile_id=calls.app_profile)
    _set_range(request.partition, partition)
    since = [since_of(token) for token in tokens.values()]
    if since[0] is not None:
        # Of several there is one time, that of the beginning: such tokens are made all at once.
        request.start_time.FromMicroseconds(min(one for one in since if one is not None))
    else:
        for part, token in tokens.items():
            _set_range(request.continuation_tokens.tokens.add(token=token).partition, part)
    request.heartbeat_duration.FromMicroseconds(int(heartbeat * 1e6))
    if until is not None:
        request.end_time.FromMicroseconds(micros_since_epoch(until))
    serialized: bytes = request.SerializeToString()
    return serialized


def _set_range(message: Any, partition: Partition) -> None:
    message.row_range.start_key_closed, message.row_range.end_key_open = partition


def _partition(message: Any) -> Partition:
    return Partition(message.row_range.start_key_closed, message.row_range.end_key_open)


@define
class Joiner:
    """Joins the messages of a change that comes in several, and the chunks of a value; gives it once it is done."""

    _first: Any = field(init=False, default=None)
    _steps: list[Step] = field(init=False, factory=list)
    _value: list[bytes] = field(init=False, factory=list)
    _cell: Any = field(init=False, default=None)

    def take(self, message: bytes) -> Iterator[Event]:
        """The event of a message, or none where more of it is to come."""
        try:
            response = _Response.FromString(message)
        except DecodeError as error:
            raise InvalidAnswer(f"it is no ReadChangeStreamResponse ({error})") from error
        kind = response.WhichOneof("stream_record")
        if kind == "data_change":
            yield from self._change(response.data_change)
        elif kind == "heartbeat":
            beat = response.heartbeat
            yield Beat(beat.continuation_token.token, beat.estimated_low_watermark.ToMicroseconds())
        elif kind == "close_stream":
            yield _closed(response.close_stream)

    def _change(self, part: Any) -> Iterator[Event]:
        if part.type_ != _CONTINUATION:
            self._first, self._steps, self._value = part, [], []
        elif self._first is None:
            raise InvalidAnswer("the continuation of a change came before its first message")
        for chunk in part.chunks:
            self._add(chunk)
        if not part.done:
            return
        if self._value:
            raise InvalidAnswer("a change ends within a value")
        first, steps = self._first, tuple(self._steps)
        self._first, self._steps = None, []
        by: Literal["user", "gc"] = "gc" if first.type_ == _GARBAGE_COLLECTION else "user"
        micros = first.commit_timestamp.ToMicroseconds()
        change = RawChange(first.row_key, by, micros, first.tiebreaker, first.source_cluster_id, steps)
        yield ReadChange(change, part.token, part.estimated_low_watermark.ToMicroseconds())

    def _add(self, chunk: Any) -> None:
        if not chunk.HasField("chunk_info") or not chunk.chunk_info.chunked_value_size:
            self._steps.append(_step(chunk.mutation))
            return
        cell = chunk.mutation.set_cell
        if not self._value:
            self._cell = cell
        # Of what goes on, the value alone is meant.
        self._value.append(cell.value)
        if chunk.chunk_info.last_chunk:
            first, value = self._cell, b"".join(self._value)
            self._value = []
            if len(value) != chunk.chunk_info.chunked_value_size:
                raise InvalidAnswer(
                    f"a value of {chunk.chunk_info.chunked_value_size:,} bytes comes as {len(value):,}"
                )
            self._steps.append(Cell(first.family_name, first.column_qualifier, first.timestamp_micros, value))


def _closed(close: Any) -> Closed:
    tokens = [(_partition(token.partition), token.token) for token in close.continuation_tokens]
    partitions = [_partition(new_partition) for new_partition in close.new_partitions]
    if not tokens and close.status.code:
        raise InvalidAnswer(f"the stream closed with code {close.status.code}: {close.status.message}")
    if not partitions:
        # Inferred: without new partitions each token is of one.
        partitions = [part for part, _ in tokens]
    followers = []
    for part, token in tokens:
        # Google's Java client takes them in pairs; the protocol only says that they are related.
        within = [partition for partition in partitions if _holds(partition, part)]
        if not within:
            raise InvalidAnswer(f"the stream closed with a token of {part}, which no new partition holds")
        followers.append((within[0], part, token))
    return Closed(tuple(followers))


def _holds(partition: Partition, part: Partition) -> bool:
    end = not partition.end or (part.end and part.end <= partition.end)
    return partition.start <= part.start and bool(end)


def _step(mutation: Any) -> Step:
    kind = mutation.WhichOneof("mutation")
    part = getattr(mutation, kind or "set_cell")
    match kind:
        case "set_cell":
            return Cell(part.family_name, part.column_qualifier, part.timestamp_micros, part.value)
        case "delete_from_column":
            times = part.time_range
            return Delete(
                part.family_name,
                part.column_qualifier,
                times.start_timestamp_micros,
                times.end_timestamp_micros,
            )
        case "delete_from_family":
            return Delete(part.family_name)
        case "delete_from_row":
            return Delete()
        case "add_to_cell" | "merge_to_cell":
            value = part.input
            amount = (
                value.int_value if kind == "add_to_cell" else int.from_bytes(value.raw_value, signed=True)
            )
            return Add(
                part.family_name,
                part.column_qualifier.raw_value,
                part.timestamp.raw_timestamp_micros,
                amount,
            )
    raise InvalidAnswer(f"a change has a mutation of a kind that this version does not know ({kind})")
