"""What the values of cells are taken for."""

import json
import struct
import uuid
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.codecs.cell import (
    CellCodec,
    DecimalNumber,
    DecimalText,
    Flag,
    FlagText,
    Float64,
    FloatText,
    Int64,
    IsoDate,
    Json,
    Micros,
    Present,
    Raw,
    Utf8,
    UuidBytes,
)
from btmodel.codecs.key import AsInKey, EpochMillis, TimeText, UuidText
from btmodel.guess.cell_codecs import guess_cell
from btmodel.guess.family import FamilyCells, guess_family
from btmodel.guess.key import SampledRow
from btmodel.guess.model import columns_of
from btmodel.rows import Cell
from btmodel.schema import Aggregate, Family, GcRule, KeepAll, Shape
from btmodel.schema.bucket import Spans
from btmodel.schema.gc import max_age

TIMES = [datetime(2015, 3, 16, tzinfo=UTC) + timedelta(hours=1000 * n, microseconds=n) for n in range(20)]
SECONDS = [time.replace(microsecond=0) for time in TIMES]
UUIDS = [uuid.uuid4() for _ in range(5)]
WRITTEN: list[tuple[CellCodec[Any], Sequence[Any]]] = [
    (Utf8(), ["", "Jo", "two\nlines", "Zürich"]),
    (Int64(), [0, 1, -1, 10**9]),
    (Int64(), [0, 5]),
    (Float64(), [0.0, 35.6, -1e-3, 1e6]),
    (Micros(), TIMES),
    (Flag(), [True, False] * 5),
    (FlagText(), [True, False]),
    (FlagText("yes", "no"), [True, False] * 5),
    (DecimalText(), [3, -12, 0]),
    (DecimalNumber(), [Decimal("12.50"), Decimal("-0.1"), Decimal(3)]),
    (FloatText(), [0.1 + 0.2, 1 / 3, 2.0]),
    (IsoDate(), [date(2015, 3, 16), date(2020, 2, 29)]),
    (UuidBytes(), UUIDS),
    (Present(), [True] * 10),
    (Json(dict[str, Any]), [{"a": 1}, {}]),
    (Json(list[Any]), [[1, 2], []]),
    (AsInKey(UuidText()), UUIDS),
    (AsInKey(EpochMillis()), SECONDS),
    (AsInKey(TimeText("%Y-%m-%dT%H:%M:%SZ")), SECONDS),
]


@pytest.mark.parametrize(("codec", "values"), WRITTEN, ids=lambda one: getattr(one, "meaning", ""))
def test_what_a_codec_writes(codec: CellCodec[Any], values: Sequence[Any]) -> None:
    """What codecs write is told by the bytes alone, as far as they differ."""
    assert guess_cell([codec.encode(value) for value in values]).codec == codec


def test_other_writers() -> None:
    """Documents with spaces are documents; text with zeros on the left, or mixed with numbers, stays text."""
    documents = [json.dumps({"a": [1, 2.5]}, indent=2).encode(), b'{"b": null}']
    assert guess_cell(documents).codec == Json(dict[str, Any])
    assert guess_cell([b"007", b"42"]).codec == Utf8()
    assert guess_cell([b"1", b"n/a"]).codec == Utf8()
    assert guess_cell([b"2020", b"2021"]).codec == DecimalText()
    assert guess_cell([b"{", b"{}"]).codec == Utf8()


def test_few_cells_bind_no_others() -> None:
    """What one or two cells are by chance is not taken for all that there will be."""
    assert guess_cell([b""]).codec == Utf8()
    assert guess_cell([b"yes"]).codec == Utf8()
    assert guess_cell([b"\1", b"\0"]).codec == Raw()
    assert guess_cell([b"1426535612156"]).codec == DecimalText()
    assert guess_cell([struct.pack(">d", 35.6)]).codec == Raw()
    assert guess_cell([UUIDS[0].bytes]).codec == Raw()
    assert guess_cell([b"\0" * 8] * 50).codec == Raw()  # of a number, or of a float


def test_bytes_that_could_be_anything() -> None:
    """Eight bytes at random, four bytes, and sixteen that say no version are bytes."""
    assert guess_cell([b"\xff\xd8\x01\x02\x03\x04\x05\x06", b"\0\x0f" * 4]).codec == Raw()
    assert guess_cell([struct.pack(">i", 7)]).codec == Raw()
    assert guess_cell([b"\0" * 15 + bytes([n]) for n in range(4)]).codec == Raw()


@given(st.lists(st.binary(max_size=20) | st.text().map(str.encode), min_size=1))
def test_any_values_are_read(values: list[bytes]) -> None:
    """Whatever is guessed decodes every cell; but for documents, it writes the same bytes again."""
    codec = guess_cell(values).codec
    for value in values:
        again = codec.encode(codec.decode(value))
        assert again == value or json.loads(again) == json.loads(value)


HOUR = 3_600_000_000


@pytest.mark.parametrize(
    ("stamps", "gc", "every"),
    [
        ([0, 0], KeepAll(), None),
        ([17 * HOUR, 19 * HOUR], KeepAll(), timedelta(hours=1)),
        ([24 * HOUR, 0], KeepAll(), timedelta(days=1)),
        ([24 * HOUR, 48 * HOUR], max_age(hours=24), timedelta(hours=1)),
        ([24 * HOUR + 60_000_000], max_age(hours=24), timedelta(minutes=1)),
        ([24 * HOUR + 1_000], KeepAll(), None),
    ],
)
def test_counters_are_of_the_longest_usual_span(
    stamps: list[int], gc: GcRule, every: timedelta | None
) -> None:
    """Of days, hours or minutes where all timestamps are multiples of them, and no rule would delete a span before its end."""
    family = Family("c", gc, Aggregate.SUM)
    cells = tuple(Cell("c", b"n", stamp, bytes(8)) for stamp in sorted(stamps, reverse=True))
    [found] = guess_family(FamilyCells(family, (cells,), None))
    shape = Shape.COUNTER if every is None else Shape.COUNTS
    assert (found.column.shape, found.column.spans) == (shape, every and Spans(every))


def test_a_counter_that_no_model_can_declare_is_left_out() -> None:
    """One that is no number of spans, in a family whose rule deletes what is old."""
    family = Family("c", max_age(days=1), Aggregate.SUM)
    rows = [SampledRow(b"a", (Cell("c", b"n", 1_000, bytes(8)), Cell("c", b"h", 17 * HOUR, bytes(8))))]
    assert [one.column.name for one in columns_of(family, rows, None)] == ["h"]


def test_numbers_of_many_qualifiers_are_counters_of_entries() -> None:
    """Where the qualifiers are data, as of days; with times of their own, no model can declare them."""
    family = Family("c", KeepAll(), Aggregate.SUM)

    def row(stamp: int) -> tuple[Cell, ...]:
        return tuple(Cell("c", b"202405%02d" % day, stamp, bytes(7) + bytes([day])) for day in range(1, 31))

    [found] = guess_family(FamilyCells(family, (row(0), row(0)), None))
    column = found.column
    assert (column.shape, column.qualifier) == (Shape.COUNTERS, b"")
    assert column.names is not None
    assert column.names.decode(b"20240502") == date(2024, 5, 2)
    assert list(guess_family(FamilyCells(family, (row(1_000),), None))) == []
