"""A row in three forms: columns for mutations, cells for filters, bytes for the file.

What is stored for a row is a serialized ReadRowsResponse that holds the chunks of this one row. So a scan
without a filter sends what it read from the disk, joined, without looking into it, and the coding of a row is
the official protobuf one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from btmodel.server import protos
from btmodel.server.protos import Message

#: (family, qualifier) -> timestamp in microseconds -> value
Columns: TypeAlias = dict[tuple[str, bytes], dict[int, bytes]]


class Places(dict[str, int]):
    """The place of each family in a row: families come in the order in which they were created.

    ``column_order`` is the sort key of the columns of a row, or None where they sort as they are, in a third of the time.
    """

    def __init__(self, created: Iterable[str]) -> None:
        super().__init__((family, place) for place, family in enumerate(created))
        self.column_order = None if list(self) == sorted(self) else self._of_column

    def __missing__(self, family: str) -> int:
        return len(self)  # a family that was created since, which comes last

    def of_cell(self, cell: ServerCell) -> tuple[int, bytes, int]:
        """The sort key of the cells of a row: by family, by qualifier, newest first."""
        return self[cell.family], cell.qualifier, -cell.timestamp

    def _of_column(self, column: tuple[str, bytes]) -> tuple[int, bytes]:
        return self[column[0]], column[1]


CHUNK_SIZE = 1 << 20  # a longer value is cut into chunks of this size
# Rows share a response up to this size: larger ones make no scan faster, and a test that breaks an answer off after
# a few of them should not need megabytes.
MESSAGE_SIZE = 1 << 16
LARGEST_MESSAGE = 3 << 20  # for clients that refuse 4 MiB, which is gRPC's default

_Response = protos.data("ReadRowsResponse")


class ServerCell(NamedTuple):
    """One version of one column; the label is what a filter put on it."""

    family: str
    qualifier: bytes
    timestamp: int
    value: bytes
    label: str = ""


_cell = tuple.__new__  # half the time of calling a named tuple


def cells(columns: Columns, places: Places) -> Iterator[ServerCell]:
    """The cells of a row in their order."""
    return map(ServerCell._make, _plain(columns, places))


def _plain(columns: Columns, places: Places) -> Iterator[tuple[str, bytes, int, bytes, str]]:
    """The fields of the cells of a row as plain tuples, which are made in half the time."""
    for column in sorted(columns, key=places.column_order):
        family, qualifier = column
        versions = columns[column]
        for timestamp in sorted(versions, reverse=True) if len(versions) > 1 else versions:
            yield family, qualifier, timestamp, versions[timestamp], ""


def encode_columns(key: bytes, columns: Columns, places: Places) -> bytes:
    """The stored form of a row; empty bytes when it has no cell."""
    return encode(key, _plain(columns, places))


def encode(key: bytes, row: Iterable[tuple[str, bytes, int, bytes, str]]) -> bytes:
    """The form in which cells are stored and sent; empty bytes when there are none."""
    response = _Response()
    add = response.chunks.add
    last_family, last_qualifier, chunk = None, b"", None
    for family, qualifier, timestamp, value, label in row:
        chunk = add()
        if family != last_family:
            last_family, last_qualifier = family, qualifier
            chunk.family_name.value = family
            chunk.qualifier.value = qualifier
        elif qualifier != last_qualifier:
            last_qualifier = qualifier
            chunk.qualifier.value = qualifier
        chunk.timestamp_micros = timestamp
        chunk.value = value
        if label:
            chunk.labels.append(label)
    if chunk is None:
        return b""
    chunk.commit_row = True
    response.chunks[0].row_key = key
    stored: bytes = response.SerializeToString()
    return stored


def decode_cells(stored: bytes) -> list[ServerCell]:
    """The cells of a stored row in their order."""
    row = []
    family, qualifier = "", b""
    for chunk in _Response.FromString(stored).chunks:
        if chunk.HasField("family_name"):
            family = chunk.family_name.value
        if chunk.HasField("qualifier"):
            qualifier = chunk.qualifier.value
        row.append(_cell(ServerCell, (family, qualifier, chunk.timestamp_micros, chunk.value, "")))
    return row


def divided(stored: bytes) -> list[bytes]:
    """The parts of a stored row, one for each of its cells, that are the row when they are joined."""
    parts = []
    for chunk in _Response.FromString(stored).chunks:
        part = chunk.SerializeToString()
        parts.append(b"\n" + _varint(len(part)) + part)
    return parts


def _varint(number: int) -> bytes:
    """A length as protobuf writes it."""
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    written.append(number)
    return bytes(written)


def decode(stored: bytes | None) -> Columns:
    """The columns of a stored row; none when there is no such row."""
    columns: Columns = {}
    if stored:
        for family, qualifier, timestamp, value, _ in decode_cells(stored):
            columns.setdefault((family, qualifier), {})[timestamp] = value
    return columns


class Packer:
    """Packs stored rows into serialized responses: up to MESSAGE_SIZE of small rows in one, a larger row in its own."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []
        self._size = 0

    def add(self, stored: bytes) -> Iterator[bytes]:
        """Take a row, and yield the responses that are full."""
        if self._size + len(stored) > MESSAGE_SIZE:
            yield from self.flush()
        if len(stored) > CHUNK_SIZE:
            yield _chunked(stored)
            return
        self._waiting.append(stored)
        self._size += len(stored)

    def flush(self) -> Iterator[bytes]:
        """Yield what waits, if anything does."""
        if self._waiting:
            message = b"".join(self._waiting)
            self._waiting, self._size = [], 0
            yield message


def _chunked(stored: bytes) -> bytes:
    """The response of one large row: its long values are cut into chunks."""
    whole, response = _Response.FromString(stored), _Response()
    for chunk in whole.chunks:
        response.chunks.extend(_pieces(chunk))
    message: bytes = response.SerializeToString()
    return message


def cut(message: bytes) -> Iterator[bytes]:
    """The same response in several, none of them over LARGEST_MESSAGE.

    A response that goes on with a row names its key again, also inside of a cell, which the protocol allows and
    google-cloud-bigtable needs.
    """
    response, size, key = _Response(), 0, b""
    for chunk in _Response.FromString(message).chunks:
        key = chunk.row_key or key
        if size and size + chunk.ByteSize() > LARGEST_MESSAGE:
            yield response.SerializeToString()
            response, size = _Response(), 0
            chunk.row_key = key
        response.chunks.append(chunk)
        size += chunk.ByteSize()
    yield response.SerializeToString()


def _pieces(chunk: Message) -> Iterator[Message]:
    """The chunks that carry one cell."""
    value = chunk.value
    if len(value) <= CHUNK_SIZE:
        yield chunk
        return
    for start in range(0, len(value), CHUNK_SIZE):
        piece = type(chunk)(value=value[start : start + CHUNK_SIZE])
        if start == 0:
            piece.MergeFrom(_without_value(chunk))
        if start + CHUNK_SIZE < len(value):
            piece.value_size = len(value)
        else:
            piece.commit_row = chunk.commit_row
        yield piece


def _without_value(chunk: Message) -> Message:
    """The fields that the first chunk of a divided cell has."""
    head = type(chunk)(row_key=chunk.row_key, timestamp_micros=chunk.timestamp_micros, labels=chunk.labels)
    if chunk.HasField("family_name"):
        head.family_name.CopyFrom(chunk.family_name)
    if chunk.HasField("qualifier"):
        head.qualifier.CopyFrom(chunk.qualifier)
    return head


def scanned(key: bytes) -> bytes:
    """A response that only says how far a scan has come."""
    response: bytes = _Response(last_scanned_row_key=key).SerializeToString()
    return response
