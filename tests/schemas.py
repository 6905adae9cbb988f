"""Schemas built by hand, and random row keys, for tests that need no model class."""

import random
import zlib
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from itertools import product
from typing import Any
from uuid import UUID

from attrs import evolve, frozen
from hypothesis import strategies as st

from btmodel.codecs.cell import Utf8
from btmodel.codecs.key import (
    Base58,
    Base64,
    BigEndian,
    Boolean,
    Bytes,
    Constant,
    DateText,
    Descending,
    EnumText,
    EpochBucket,
    EpochSeconds,
    EscapedBytes,
    EscapedText,
    Hex,
    HexDigest,
    HexInt,
    Int,
    IsoWeek,
    KeyCodec,
    LengthPrefixed,
    LittleEndian,
    OrderedInt,
    PaddedInt,
    Repeated,
    ReversedDigits,
    ReversedDomain,
    ReversedMillis,
    Text,
    TimeBytes,
    TimeText,
    UuidRaw,
    UuidText,
    VarInt,
    Week,
)
from btmodel.errors import ValueRefused
from btmodel.rows import RowKeyCodec
from btmodel.schema import Bucket, Column, Derived, Family, KeepAll, KeyField, ModelSchema, RowKey

CHARACTERS = [" ", "!", '"', "#", "$", "-", "0", "1", ":", "a", "b", "|", "~", "é"]
TEXTS = ["", *("".join(pair) for size in (1, 2) for pair in product(CHARACTERS, repeat=size))]
TEXTS += ["a#b", "a->", "a-b", "a::", "a:a", "aa#", "\U0010ffff", "#00", "a00"]
DATES = [
    date(1, 1, 1),
    date(2020, 2, 29),
    date(2020, 3, 1),
    date(2021, 1, 1),
    date(2021, 12, 1),
    date(9999, 12, 31),
]
HOURS = [datetime(2020, 2, 29, 23), datetime(2020, 3, 1), datetime(1970, 1, 1), datetime(9999, 12, 31, 23)]
TIMES = [hour.replace(tzinfo=UTC) for hour in HOURS]
WEEKS = [date(2020, 12, 28), date(2021, 1, 4), date(2021, 3, 1), date(2021, 5, 3), date(9999, 12, 27)]
NUMBERS = [0, 1, 9, 10, 11, 19, 20, 99]
MONTHS = [date(1, 1, 1), date(2020, 2, 1), date(2020, 3, 1), date(2021, 2, 1), date(9999, 12, 1)]
PIECES = [bytes(piece) for size in range(3) for piece in product([0, 1, 0x1F, 0x23, 0x61, 0xFF], repeat=size)]
PIECES += [b"a#b", b"a::", b"aba", b"aab", b"\xff\xff\xff", b"\0\xff\0"]
UUIDS = [UUID(int=number) for number in (0, 35, 1 << 64, 35 << 120, 2**128 - 1)]
PATHS = [(text,) for text in ["", "a", "b", "aa", "ab", "a#", "#", ":", "a/", "1"]]
PATHS += [(*first, second) for first in PATHS for second in ["", "a", "b", "#", "1"]] + [
    ("a", "b", "a"),
    ("a", "", ""),
]


class Side(StrEnum):
    """Values of which one begins with another."""

    BUY = "b"
    BOTH = "b#s"
    SELL = "s"
    NONE = "#"


# Each key codec, with values to try; tests/test_completeness.py says of each that is not here why.
POOLS: list[tuple[KeyCodec[Any], list[Any]]] = [
    (Text(width=2), TEXTS),
    (Text(width=3, min_length=0), TEXTS),
    (Text(max_length=3), TEXTS),
    (Text(max_length=4, min_length=0), TEXTS),
    (Text(max_length=4, holds_delimiter=True), TEXTS),
    (PaddedInt(2), NUMBERS),
    (Int(max_digits=2), NUMBERS),
    (DateText(), DATES),
    (DateText("%Y-%m"), MONTHS),
    (DateText("%d.%m.%Y"), DATES),
    (TimeText("%Y%m%d%H"), TIMES),
    (EpochSeconds(), TIMES[:3]),
    (TimeBytes("second", 4), TIMES[:3]),
    (EpochBucket(PaddedInt(7), timedelta(hours=1)), TIMES),
    (TimeText("%Y%m%d%H%M%S%3f"), [time.replace(microsecond=9_000) for time in TIMES]),
    (IsoWeek(), WEEKS),
    (Week("week{n}", origin=date(2021, 3, 1)), WEEKS),
    (Week("{n:03}", origin=date(2020, 12, 28)), WEEKS),
    (EscapedText(4), [*TEXTS, "\0", "a\0", "\0\0a", "a\0b"]),
    (LengthPrefixed(Text(max_length=3, min_length=0)), TEXTS),
    (LengthPrefixed(Int(max_digits=2)), NUMBERS),
    (OrderedInt(), [*NUMBERS, -1, -64, -65, 63, 64, 8191, 8192, 2**63 - 1, -(2**63)]),
    (VarInt(), [*NUMBERS, 35, 127, 128, 35 << 7, 2**14, 2**64 - 1]),
    (Descending(PaddedInt(2)), NUMBERS),
    (Descending(DateText()), DATES),
    (ReversedMillis(), TIMES),
    (ReversedDigits(2), NUMBERS),
    (Bytes(width=2), PIECES),
    (Bytes(max_length=3), PIECES),
    (Bytes(max_length=3, min_length=0, holds_delimiter=True), PIECES),
    (EscapedBytes(3), PIECES),
    (LengthPrefixed(Bytes(max_length=3)), PIECES),
    (Hex(1), PIECES),
    (Base64(2), PIECES),
    (Base58(2), PIECES),
    (HexInt(2), [*NUMBERS, 15, 16, 255]),
    (Descending(HexInt(2)), [*NUMBERS, 15, 16, 255]),
    (BigEndian(1), [*NUMBERS, 35, 36, 255]),
    (BigEndian(2, signed=True), [*NUMBERS, -1, -(2**15), 35]),
    (LittleEndian(2), [*NUMBERS, 35, 256, 35 * 256]),
    (Descending(Text(width=2)), TEXTS),
    (EnumText(Side), list(Side)),
    (Boolean(), [False, True]),
    (ReversedDomain(8), ["a", "b", "a.a", "b.a", "a.b", "c.b.a", "a#.b", "#.a", "b.a0", "aa", "1.:", ":.1"]),
    (Repeated(Text(max_length=2), most=3), PATHS),
    (Repeated(Text(max_length=2, min_length=0), "#", most=3), PATHS),
    (Repeated(Text(max_length=2), b"\x1f", most=3), PATHS),
    (Repeated(EscapedText(2), ":", most=2), PATHS),
    (Repeated(Text(width=1), "a", most=3, holds_delimiter=True), PATHS),
    (UuidRaw(), UUIDS),
    (UuidText(), UUIDS),
    (Constant("a"), ["a"]),
    (Constant("#0"), ["#0"]),
]
DELIMITERS = [b"#", b"#", b"#", b":", b"|", b"::", b"aba", b"\x1f", b"\0\0", b"1", b" ", b"", b""]
# What single fields end with; None is the delimiter of the key.
ENDS = [None, None, None, b"#", b":", b"/", b"->", b"::", b"aba", b"a\x1f", b"b#", b""]


def model_of(
    key: RowKey,
    *,
    families: tuple[Family, ...] = (Family("f", KeepAll()),),
    columns: tuple[Column, ...] = (),
    bucket: Bucket | None = None,
) -> ModelSchema:
    """A model of ``key`` with as little else as can be."""
    return ModelSchema("Row", "tests", "", "t", key, families, columns, bucket=bucket)


def key_of(*codecs: KeyCodec[Any], delimiter: bytes = b"#") -> RowKey:
    """A row key of these codecs; its fields are called ``k0``, ``k1``, ..."""
    return RowKey(tuple(KeyField(f"k{at}", codec) for at, codec in enumerate(codecs)), delimiter)


def begins(codec: KeyCodec[Any], value: Any, start: Any) -> bool:
    """Whether ``value`` begins with ``start``: the definition of what queries ask for with ``starting=``."""
    if isinstance(codec, ReversedDomain):
        return bool(value == start or value.endswith("." + start))
    if isinstance(value, tuple):
        return bool(value[: len(start)] == start)
    return bool(value.startswith(start))


@frozen
class RandomKey:
    """A row key, and for each attribute that its rows are made from the values to try.

    A column called ``c`` may be hashed into the key.
    """

    key: RowKey
    pools: dict[str, list[Any]]

    @property
    def model(self) -> ModelSchema:
        """A model of the key, and of the columns that it is made from."""
        columns = (Column(name, "f", name.encode(), Utf8(), required=True) for name in self.key.hashed)
        return model_of(self.key, columns=tuple(columns))

    @property
    def codec(self) -> RowKeyCodec:
        """The codec of the key."""
        return RowKeyCodec(self.model)

    def told(self, values: dict[str, Any]) -> dict[str, Any]:
        """What a key tells of ``values``: all but the columns that are hashed."""
        return {name: value for name, value in values.items() if name not in self.key.hashed}

    def rows(self, seed: int, count: int) -> dict[bytes, dict[str, Any]]:
        """Up to ``count`` rows by their keys; those that the key refuses are left out."""
        chance = random.Random(seed)
        codec = self.codec
        few = {name: _alike(chance, pool) for name, pool in self.pools.items()}
        rows: dict[bytes, dict[str, Any]] = {}
        for _ in range(count):
            values = {name: chance.choice(pool) for name, pool in few.items()}
            try:
                raw = codec.encode(values)
            except ValueRefused:
                continue
            known = rows.setdefault(raw, values)
            assert self.told(known) == self.told(values), f"two rows share the key {raw!r}"
        return rows

    def ends(self, name: str) -> list[Any]:
        """Ends of ranges over a field: its values, such as lie between them, and such as lie beyond all."""
        pool = [value for value in self.pools[name] if value is not None]
        more: list[Any] = []
        match pool[0]:
            case datetime():
                more = [pool[0] + timedelta(microseconds=1), TIMES[0].replace(year=1960), TIMES[-1]]
            case date():
                more = [date(2020, 2, 15), date(2021, 3, 3), date.min, date.max]
            case int():
                more = [-1, 5, 15, 100, 10**6]
            case str():
                more = ["", "a$$$$", "é" * 5, "b "]
            case bytes():
                more = [b"", b"a$", b"a\0", b"\xff" * 4]
            case tuple():
                more = [("a",), ("a", ""), ("b", "a", "a")]
        return [None, *pool, *more]


def _alike(chance: random.Random, pool: list[Any]) -> list[Any]:
    """A few values of ``pool``; of texts mostly such as begin alike, and so try the borders of fields."""
    stem = chance.choice(pool)
    if isinstance(stem, str) and stem:
        alike = [text for text in pool if text is not None and text.startswith(stem[0])]
        few = [*sorted({stem, stem[0]} & set(pool)), *chance.sample(alike, min(len(alike), 8))]
    else:
        few = chance.sample(pool, min(len(pool), 6))
    return [*few, chance.choice(pool), *([None] if None in pool else [])]


@st.composite
def random_keys(draw: st.DrawFn) -> RandomKey:
    """Row keys that can be taken apart again: only the last field of variable width may be hard to end.

    Some have a salt or a hash among their fields, some a last field that rows may lack.
    """
    free = POOLS[4]
    chosen = draw(st.lists(st.sampled_from([*POOLS, free, free, free]), min_size=1, max_size=4))
    key = key_of(*(codec for codec, _ in chosen), delimiter=draw(st.sampled_from(DELIMITERS)))
    key = evolve(key, fields=(*(draw(_with_end(part)) for part in key.fields[:-1]), key.fields[-1]))
    pools = {
        part.name: _accepted(part.codec, pool)
        for part, (_, pool) in zip(key.fields, chosen, strict=True)
        if not part.constant
    }
    if not key.asked:
        return draw(random_keys())
    last = key.fields[-1]
    told = len(key.fields) > 1 and key.behind(key.fields[-2])
    if told and not last.constant and not draw(st.integers(0, 2)):
        key = evolve(key, fields=(*key.fields[:-1], evolve(last, optional=True)))
        pools[last.name].append(None)
    # What stands in front of a field that may be left out, and of another one of variable width, must end.
    variable = [part for part in key.fields if part.fixed is None]
    ending = variable if key.optional and key.optional.fixed is not None else variable[:-1]
    for part in ending:
        if not part.codec.self_ending and (not key.behind(part) or part.codec.holds_delimiter):
            return draw(random_keys())
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        key = draw(_with_derived(key))
    return RandomKey(key, pools | ({"c": ["a", "b", "a#b", "é"]} if "c" in key.hashed else {}))


def _with_end(part: KeyField) -> st.SearchStrategy[KeyField]:
    """``part`` with a delimiter of its own, or without."""
    return st.sampled_from(ENDS).map(lambda ends: evolve(part, ends=ends))


@st.composite
def _with_derived(draw: st.DrawFn, key: RowKey) -> RowKey:
    """``key`` and a salt or a hash in some place: of fields in front of it or behind it, or of a column."""
    sources = [part.name for part in key.asked if not part.optional]
    of = tuple(draw(st.lists(st.sampled_from([*sources, "c"]), min_size=1, max_size=2, unique=True)))
    if draw(st.booleans()):
        codec: KeyCodec[Any] = PaddedInt(1)
        derived = Derived(of, _salt, (0, 1, 2))
    else:
        # Of a column the hash is all that is left: rows are distinguished by it.
        codec = HexDigest(16) if "c" in of else HexDigest(1)
        derived = Derived(of, _long_hash if "c" in of else _short_hash)
    at = draw(st.integers(0, len(key.fields) - (key.optional is not None)))
    part = KeyField(f"d{len(key.fields)}", codec, derived=derived)
    if at < len(key.fields) and key.optional is None:
        part = draw(_with_end(part))
    return evolve(key, fields=(*key.fields[:at], part, *key.fields[at:]))


def _salt(*values: Any) -> int:
    return zlib.crc32(repr(values).encode()) % 3


def _short_hash(*values: Any) -> str:
    return f"{zlib.crc32(repr(values).encode()) % 3:x}"


def _long_hash(*values: Any) -> str:
    raw = repr(values).encode()
    return f"{zlib.crc32(raw):08x}{zlib.adler32(raw):08x}"


def _accepted(codec: KeyCodec[Any], pool: list[Any]) -> list[Any]:
    found = []
    for value in pool:
        try:
            codec.encode(value)
        except ValueRefused:
            continue
        found.append(value)
    return found
