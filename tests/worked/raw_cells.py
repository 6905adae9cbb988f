"""What lies in a table, for the tests of the worked systems: nothing that a model of btmodel decoded."""

from datetime import datetime

import btmodel as bt

# Row key, family, qualifier, value.
Line = tuple[bytes, str, bytes, bytes]


def lines(db: bt.Database, table: str) -> list[Line]:
    """Every cell of a table, in the order of rows and columns."""
    return [line for line, _ in stamped(db, table)]


def stamped(db: bt.Database, table: str) -> list[tuple[Line, datetime]]:
    """Every cell of a table with its timestamp, the newest of a column first."""
    return [
        ((key, cell.family, cell.qualifier, cell.value), cell.time)
        for key, cells in db.cells(table)
        for cell in cells
    ]


def versions(db: bt.Database, table: str) -> dict[bytes, list[tuple[bytes, datetime, bytes]]]:
    """The same by row key: every cell's ``family:qualifier``, timestamp and value."""
    rows: dict[bytes, list[tuple[bytes, datetime, bytes]]] = {}
    for (key, family, qualifier, value), time in stamped(db, table):
        rows.setdefault(key, []).append((family.encode() + b":" + qualifier, time, value))
    return rows


def cells(db: bt.Database, table: str) -> dict[bytes, list[tuple[bytes, bytes]]]:
    """The same by row key, without the timestamps."""
    return {key: [(name, value) for name, _, value in found] for key, found in versions(db, table).items()}
