"""A fast decoder of the plainest kind, for tests of what surrounds one: it takes rows of one chunk, and stops at all else."""

from google.cloud.bigtable_v2.types import ReadRowsResponse

from btmodel.rows import Cell

_Chunk = ReadRowsResponse.CellChunk.pb()


def fast(message: bytes, at: int, last: bytes) -> tuple[int, list[bytes], list[list[Cell]]]:
    """The rows at the front of ``message`` that are one cell each, in order behind ``last``."""
    keys: list[bytes] = []
    rows: list[list[Cell]] = []
    while at < len(message) and message[at] == 0x0A:
        size, start = _number(message, at + 1)
        chunk = _Chunk.FromString(message[start : start + size])
        whole = chunk.commit_row and chunk.HasField("family_name") and chunk.HasField("qualifier")
        if not whole or chunk.value_size or not chunk.row_key > last:
            break
        last = chunk.row_key
        keys.append(last)
        rows.append(
            [Cell(chunk.family_name.value, chunk.qualifier.value, chunk.timestamp_micros, chunk.value)]
        )
        at = start + size
    return at, keys, rows


def _number(message: bytes, at: int) -> tuple[int, int]:
    """The number that begins at a place, as protobuf writes one, and where it ends."""
    number = shift = 0
    while True:
        byte = message[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at
