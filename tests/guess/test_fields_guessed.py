"""What the values of key fields are taken for."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.codecs.key import (
    Bytes,
    DateText,
    Descending,
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    EscapedText,
    HexDigest,
    Int,
    IsoWeek,
    KeyCodec,
    PaddedInt,
    Repeated,
    ReversedDigits,
    ReversedDomain,
    ReversedMicros,
    ReversedMillis,
    ReversedSeconds,
    Text,
    TimeText,
    UuidText,
)
from btmodel.guess.family import slot_format
from btmodel.guess.key_codecs import fits, guess_field
from btmodel.schema import Bucket
from btmodel.schema.bucket import SlotFormat

TIMES = [datetime(2015, 3, 16, 19, tzinfo=UTC) + timedelta(days=97 * n, minutes=31 * n) for n in range(30)]
NUMBERS = [n * 7919 for n in range(1, 60)]
UUIDS = [uuid.uuid5(uuid.NAMESPACE_DNS, str(n)) for n in range(20)]
TIMED: list[KeyCodec[datetime]] = [
    EpochSeconds(),
    EpochMillis(),
    EpochMicros(),
    ReversedSeconds(),
    ReversedMillis(),
    ReversedMicros(),
    Descending(EpochMillis()),
    Descending(EpochSeconds()),
    TimeText("%Y%m%d%H%M%S"),
    TimeText("%Y%m%d%H%M%S%3f"),
    TimeText("%Y-%m-%dT%H:%M:%SZ"),
    TimeText("%Y-%m-%d-%H%M"),
]
DATED = [DateText(), DateText("%Y-%m-%d"), DateText("%d.%m.%Y"), DateText("%m/%d/%Y")]


@pytest.mark.parametrize("codec", TIMED, ids=lambda codec: codec.meaning)
def test_times(codec: KeyCodec[datetime]) -> None:
    """Times are told in every form that codecs have, in seconds, milliseconds and microseconds."""
    assert guess_field([codec.encode(time) for time in TIMES]).codec == codec


@pytest.mark.parametrize("codec", DATED, ids=lambda codec: codec.meaning)
def test_dates(codec: DateText) -> None:
    """Dates are told, and days from months where one of them is above 12."""
    assert guess_field([codec.encode(time.date()) for time in TIMES]).codec == codec


def test_months_and_weeks() -> None:
    """Months and weeks are told from other numbers."""
    assert guess_field([b"%d%02d" % (2020 + n // 12, n % 12 + 1) for n in range(30)]).codec == DateText(
        "%Y%m"
    )
    assert guess_field([b"2020-W%02d" % n for n in range(1, 20)]).codec == IsoWeek()


WANTED: dict[str, tuple[list[bytes], KeyCodec[object]]] = {
    "numbers with zeros on the left": ([b"%06d" % n for n in NUMBERS], PaddedInt(6)),
    "numbers without": ([b"%d" % n for n in NUMBERS], Int(19)),
    "numbers of one length, none with a zero": ([b"%d" % (n + 500_000) for n in NUMBERS], Int(19)),
    "numbers backwards": ([(b"%010d" % n)[::-1] for n in NUMBERS], ReversedDigits(10)),
    "ten digits that are no times of ours": ([b"95%08d" % n for n in NUMBERS], Int(19)),
    "few that may be times backwards": ([b"9000007919", b"9000015838"], Int(19)),
    "digits": ([b"%d" % (n % 10) for n in NUMBERS], PaddedInt(1)),
    "digits of which some are missing": ([b"%d" % (n % 9) for n in NUMBERS], Int(19)),
    "each digit once": ([b"%d" % n for n in range(10)], Int(19)),
    "round numbers": ([b"%d00" % n for n in range(10, 99)], Int(19)),
    "a digest alone": ([UUIDS[0].hex.encode()], HexDigest(32)),
    "two times": ([b"1426535612156", b"1719792000000"], EpochMillis()),
    "two numbers that would be old times": ([b"1126535612156", b"1019792000000"], Int(19)),
    "UUIDs": ([str(one).encode() for one in UUIDS], UuidText()),
    "UUIDs without dashes": ([one.hex.encode() for one in UUIDS], UuidText(dashes=False)),
    "digests": ([one.hex[:12].encode() for one in UUIDS], HexDigest(12)),
    "domains": ([b"com.example", b"org.example.www", b"com.google.drive"], ReversedDomain(128)),
    "padded text": ([b"NYSE  ", b"NASDAQ"], Text(width=6)),
    "escaped text": ([b"a\0\xffb\0\x01", b"c\0\x01"], EscapedText(128)),
    "paths": ([b"a", b"a/b", b"a/b/c"], Repeated(Text(max_length=128), "/", most=8)),
    "text": ([b"Jos\xc3\xa9", b"Hiroshi"], Text(max_length=128)),
    "nothing at times": ([b"", b"a"], Text(max_length=128, min_length=0)),
    "mail": ([b"jo@example.com", b"a.b@example.org"], Text(max_length=128)),
    "bytes of one length": ([one.bytes for one in UUIDS], Bytes(width=16)),
    "bytes of several": ([b"\xff", b"\xff\0a"], Bytes(max_length=128)),
}


@pytest.mark.parametrize("what", WANTED)
def test_other_values(what: str) -> None:
    """Each kind of value is taken for what it is, and for nothing that only looks like it."""
    values, codec = WANTED[what]
    assert guess_field(values).codec == codec


def test_evidence_is_told() -> None:
    """What was seen is said in words that a person can check."""
    assert guess_field([b"1426535612156", b"1719792000000"]).said == (
        "13 digits, milliseconds since 1970, 2015-03-16 to 2024-07-01"
    )
    assert guess_field([b"NYSE  ", b"NASDAQ"]).said == "6 bytes, 1 of them padded with spaces"


def test_slots_of_which_few_were_seen() -> None:
    """Between four slots of an hour others may lie; between twelve, none do that have another step."""
    four, twelve = ([b"%02d" % minute for minute in range(0, 60, step)] for step in (15, 5))
    finest, found = (slot_format(names, Bucket.HOUR) for names in (four, twelve))
    assert finest == SlotFormat("%M", timedelta(minutes=1), Bucket.HOUR)
    assert found == SlotFormat("%M", timedelta(minutes=5), Bucket.HOUR)


@given(st.lists(st.binary(max_size=20) | st.from_regex(rb"[0-9a-f./-]{0,12}", fullmatch=True), min_size=1))
def test_any_values_come_back(values: list[bytes]) -> None:
    """Whatever is guessed decodes every value, and encodes it to the same bytes."""
    assert fits(guess_field(values).codec, values)
