"""Rows in all the ways in which a service may send them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse

from btmodel.client.row_streams import Row
from btmodel.rows import Cell

FAMILIES = ("f", "g", "a family")
QUALIFIERS = (b"", b"q", b"\0", b"\xff" * 130)
VALUES = (b"", b"v", b"value", bytes(range(256)), b"\n\0\x12\x04", b"x" * 2_000)
TIMES = (0, 1_000, 1_600_000_000_000_000)

Chunk = dict[str, Any]


def random_rows(chance: Random, most: int = 6) -> list[Row]:
    """Rows of a few cells, in the order of their keys; columns come again, as versions do."""
    keys = sorted({bytes(chance.choices(b"ab\0\xff", k=chance.randint(1, 4))) for _ in range(most)})
    return [(key, [_cell(chance) for _ in range(chance.randint(1, 5))]) for key in keys]


def _cell(chance: Random) -> Cell:
    return Cell(*map(chance.choice, (FAMILIES, QUALIFIERS, TIMES, VALUES)))  # type: ignore[arg-type]


def chunks_of(rows: Sequence[Row], chance: Random) -> Iterator[list[Chunk]]:
    """The chunks of each row: names said or implied, values in pieces, rows taken back and begun again."""
    for key, cells in rows:
        chunks: list[Chunk] = []
        while chance.random() < 0.2:
            begun = list(_row(b"" if chance.random() < 0.3 else key + b"?", [_cell(chance)], chance))
            begun[0]["row_key"] = begun[0]["row_key"] or key
            chunks += [*begun, {"reset_row": True}]
        chunks += _row(key, cells, chance)
        chunks[-1]["commit_row"] = True
        yield chunks


def _row(key: bytes, cells: Sequence[Cell], chance: Random) -> Iterator[Chunk]:
    before: Cell | None = None
    for cell in cells:
        chunk: Chunk = {"timestamp_micros": cell.timestamp}
        if before is None or chance.random() < 0.3:
            chunk["row_key"] = key
        same = before is not None and before.family == cell.family
        if not same or chance.random() < 0.5:
            chunk |= {"family_name": cell.family, "qualifier": cell.qualifier}
        elif before is not None and (before.qualifier != cell.qualifier or chance.random() < 0.5):
            chunk["qualifier"] = cell.qualifier
        if chance.random() < 0.2:
            chunk["labels"] = ["a label"]
        yield from _pieces(chunk, cell.value, chance)
        before = cell


def _pieces(chunk: Chunk, value: bytes, chance: Random) -> Iterator[Chunk]:
    cuts = sorted(chance.choices(range(len(value) + 1), k=chance.choice([0, 0, 0, 1, 3])))
    pieces = [value[start:end] for start, end in pairwise([0, *cuts, len(value)])]
    for piece in pieces[:-1]:
        yield {**chunk, "value": piece, "value_size": max(len(value), 1)}
        chunk = {}
    yield {**chunk, "value": pieces[-1]}


def framed(rows: Sequence[list[Chunk]], chance: Random, *, within: bool) -> list[ReadRowsResponse]:
    """The chunks in messages; ``within`` says that a row may go on in the next one."""
    messages = [ReadRowsResponse()]
    for chunks in rows:
        parts = [[one] for one in chunks] if within else [chunks]
        for part in parts:
            if chance.random() < 0.4:
                messages.append(ReadRowsResponse())
            messages[-1].chunks.extend(ReadRowsResponse.CellChunk(one) for one in part)
    return messages


def asked(rows: Sequence[Row], request: ReadRowsRequest) -> list[Row]:
    """Those of ``rows`` that a request is for, whose ranges do not overlap."""
    found = [row for row in rows if _is_asked(row[0], request)]
    return found[: request.rows_limit or None]


def _is_asked(key: bytes, request: ReadRowsRequest) -> bool:
    """Whether a request is for the row ``key``."""
    ranges = request.rows.row_ranges
    if key in request.rows.row_keys or not (ranges or request.rows.row_keys):
        return True
    return any(
        (key > one.start_key_open if one.start_key_open else key >= one.start_key_closed)
        and (not one.end_key_open or key < one.end_key_open)
        for one in ranges
    )
