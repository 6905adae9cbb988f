"""Where ranges of row keys divide: real ranges are halved, by what codecs know of the bytes."""

from bisect import bisect_left
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import cache
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.rows import RowRange
from btmodel.rows.division import key_within, share_below
from btmodel.schema import KeyField, RowKey
from tests.codecs.key_cases import CASES, Case
from tests.examples_tried import examples

START = datetime(2013, 1, 1, tzinfo=UTC)
YEAR = 365 * 24 * 3600
ROWS = 4_000


class Airport(StrEnum):
    """Where flights leave."""

    EWR = "EWR"
    JFK = "JFK"
    LGA = "LGA"


def a_time(random: Random) -> datetime:
    """Any second of a year."""
    return START + timedelta(seconds=random.randrange(YEAR))


def word(random: Random, letters: str, size: int) -> str:
    """Some letters."""
    return "".join(random.choice(letters) for _ in range(size))


LOWER, UPPER, HEX = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789abcdef"
# Keys as applications have them, each with the values of a field in front of the one that is asked in ranges.
KEYS: dict[str, tuple[list[Any], list[Any]]] = {
    "a symbol and milliseconds": (
        [bt.Text(width=5), bt.EpochMillis()],
        [lambda r: "IBM", a_time],
    ),
    "the newest first": ([bt.Text(width=5), bt.ReversedMillis()], [lambda r: "IBM", a_time]),
    "an airport, a day and a time": (
        [bt.EnumText(Airport), bt.DateText("%Y%m%d"), bt.Text(max_length=6)],
        [lambda r: Airport.EWR, lambda r: a_time(r).date(), lambda r: word(r, UPPER, 6)],
    ),
    "a month": ([bt.Text(max_length=8), bt.TimeText("%Y-%m-%dT%H:%M:%S")], [lambda r: "meter", a_time]),
    "words": ([bt.Text(max_length=20)], [lambda r: word(r, LOWER, 8)]),
    "symbols of any length": ([bt.Text(width=6)], [lambda r: word(r, UPPER, r.randint(3, 6))]),
    "a path": ([bt.Text(max_length=30)], [lambda r: f"tenant/acme/user/{word(r, LOWER, 6)}"]),
    "ids in text": ([bt.UuidText()], [lambda r: UUID(int=r.getrandbits(128))]),
    "ids in bytes": ([bt.UuidRaw()], [lambda r: UUID(int=r.getrandbits(128))]),
    "hashes": ([bt.HexDigest(8), bt.Text(max_length=5)], [lambda r: word(r, HEX, 8), lambda r: "x"]),
    "numbers": ([bt.PaddedInt(10)], [lambda r: r.randrange(1_000_000)]),
    "numbers in bytes": ([bt.BigEndian(8)], [lambda r: r.randrange(1_000_000)]),
    "numbers as they are": ([bt.Int(9)], [lambda r: r.randrange(100_000, 1_000_000)]),
    "numbers downward": ([bt.Descending(bt.PaddedInt(6))], [lambda r: r.randrange(1_000_000)]),
    "base64": ([bt.Base64(9)], [lambda r: r.randbytes(9)]),
    "weeks and words": (
        [bt.IsoWeek(), bt.Text(max_length=9)],
        [lambda r: date(2013, 1, 7) + timedelta(weeks=r.randrange(520)), lambda r: word(r, LOWER, 5)],
    ),
}


def key_of(codecs: list[Any], **fields: Any) -> RowKey:
    """A key of such fields."""
    parts = tuple(KeyField(f"f{at}", codec, **fields) for at, codec in enumerate(codecs))
    return RowKey(parts, b"#")


@cache
def rows_of(name: str, seed: int) -> list[bytes]:
    """Rows with such keys."""
    codecs, values = KEYS[name]
    random = Random(seed)
    return sorted(
        b"#".join(codec.encode(value(random)) for codec, value in zip(codecs, values, strict=True))
        for _ in range(ROWS)
    )


@pytest.mark.parametrize("name", KEYS)
@given(seed=st.integers(0, 2), first=st.integers(0, ROWS // 2 - 1), count=st.integers(ROWS // 2, ROWS - 1))
@settings(max_examples=15)
def test_a_range_between_two_rows_is_halved(name: str, seed: int, first: int, count: int) -> None:
    """At 45 to 55 % of its rows, wherever they lie evenly, and a row's place is told as well."""
    last = min(first + count, ROWS - 1)
    rows = rows_of(name, seed)
    key, span = key_of(KEYS[name][0]), RowRange(rows[first], rows[last])
    found = key_within(key, span, 0.5)
    assert found is not None
    assert span.start < found < span.end
    assert 0.45 <= (bisect_left(rows, found) - first) / (last - first) <= 0.55
    middle = (first + last) // 2
    assert 0.45 <= share_below(key, span, rows[middle]) <= 0.55


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@given(data=st.data())
@examples(10)
def test_a_key_between_is_one_and_shares_rise(case: Case, data: st.DataObject) -> None:
    """Of every codec, between any two values, and between bytes that no value has."""
    raws = st.one_of(case.values.map(case.codec.encode), st.binary(min_size=1, max_size=12))
    start, one, _, end = sorted(
        data.draw(raws) + data.draw(st.sampled_from([b"", b"#x", b"\0"])) for _ in range(4)
    )
    assume(start < end)
    key, span = key_of([case.codec, bt.Text(max_length=9)]), RowRange(start, end)
    found = key_within(key, span, data.draw(st.floats(0, 1)))
    assert found is None or start < found < end
    assert 0 <= share_below(key, span, one) <= 1
    assert (share_below(key, span, start), share_below(key, span, end)) == (0, 1)
