"""Workloads of all kinds of keys, built by hand: no review refuses the bad ones."""

import zlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from btmodel.codecs.cell import Raw
from btmodel.codecs.key import (
    Bytes,
    DateText,
    EpochMillis,
    EpochSeconds,
    KeyCodec,
    PaddedInt,
    ReversedDigits,
    ReversedMillis,
    Text,
    UuidText,
)
from btmodel.schema import Bucket, Column, Derived, Family, KeepAll, KeyField, ModelSchema, Query, RowKey
from btmodel.schema.column import Expected
from btmodel.simulate.workload import Distribution, EventTime, Reads, Sequential, Uniform, Workload

__all__ = ["START", "hashed", "salted", "workload"]

START = datetime(2026, 1, 5, tzinfo=UTC)
SIZE = 1_000  # bytes of a row's value


def salted(of: str, count: int) -> KeyField:
    """A salt of an attribute."""
    derived = Derived((of,), lambda value: zlib.crc32(repr(value).encode()) % count, tuple(range(count)))
    return KeyField("salt", PaddedInt(len(str(count - 1))), cardinality=count, derived=derived)


def hashed(of: str) -> KeyField:
    """A hash of an attribute."""
    return KeyField(
        "hash",
        Bytes(width=4),
        derived=Derived((of,), lambda value: zlib.crc32(repr(value).encode()).to_bytes(4, "big")),
    )


FIELDS: dict[str, KeyCodec[Any]] = {
    "at": EpochMillis(),
    "second": EpochSeconds(),
    "newest": ReversedMillis(),
    "day": DateText("%Y%m%d"),
    "user": Text(max_length=20),
    "meter": PaddedInt(10),
    "id": PaddedInt(12),
    "backwards": ReversedDigits(12),
    "uuid": UuidText(),
}
MOVING: dict[str, Distribution] = {
    "at": EventTime(),
    "second": EventTime(),
    "newest": EventTime(),
    "day": EventTime(),
    "id": Sequential(),
    "backwards": Sequential(),
}
COUNTS = {"user": 1_000_000, "meter": 10_000_000, "id": 1, "backwards": 1_000_000, "uuid": 10**12}


def workload(
    *fields: str | KeyField,
    writes: float = 20_000,
    table: str = "T",
    bucket: Bucket | None = None,
    days: float = 0,
    counts: Mapping[str, int] | None = None,
    distributions: Mapping[str, Distribution] | None = None,
    queries: tuple[Query, ...] = (),
    reads: tuple[Reads, ...] = (),
    keys: tuple[bytes, ...] | None = None,
    size: int = SIZE,
) -> Workload:
    """A workload of a key of these fields, by name or as they are, which came for so many ``days`` before."""
    parts = tuple(KeyField(one, FIELDS[one]) if isinstance(one, str) else one for one in fields)
    column = Column("v", "f", b"v", Raw(), required=True, expected=Expected(size=size, max_size=size))
    model = ModelSchema(
        "Row",
        "tests",
        "",
        table,
        RowKey(parts, b"#"),
        (Family("f", KeepAll()),),
        (column,),
        queries,
        bucket=bucket,
    )
    names = [part.name for part in parts if part.derived is None]
    return Workload(
        model,
        writes,
        {name: MOVING.get(name, Uniform()) for name in names} | dict(distributions or {}),
        {name: COUNTS[name] for name in names if name in COUNTS} | dict(counts or {}),
        reads=reads,
        history=timedelta(days=days),
        start=START,
        keys=keys,
    )
