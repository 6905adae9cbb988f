"""Schemas built by hand, and random row keys, for tests that need no model class."""

import random
from datetime import UTC, date, datetime
from itertools import product
from typing import Any

from attrs import frozen
from hypothesis import strategies as st

from btmodel.codecs.key import (
    Constant,
    DateText,
    EpochSeconds,
    Int,
    IsoWeek,
    KeyCodec,
    PaddedInt,
    Text,
    TimeText,
    Week,
)
from btmodel.errors import ValueRefused
from btmodel.rows import RowKeyCodec
from btmodel.schema import Bucket, Column, Family, KeepAll, KeyField, ModelSchema, RowKey

CHARACTERS = [" ", "!", '"', "#", "$", "0", "1", ":", "a", "b", "|", "~", "é"]
TEXTS = ["", *("".join(pair) for size in (1, 2) for pair in product(CHARACTERS, repeat=size))]
TEXTS += ["a#b", "a::", "a:a", "aa#", "\U0010ffff", "#00", "a00"]
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
MONTHS = [date(1, 1, 1), date(2020, 2, 1), date(2020, 3, 1), date(2021, 2, 1), date(9999, 12, 1)]

POOLS: list[tuple[KeyCodec[Any], list[Any]]] = [
    (Text(width=2), TEXTS),
    (Text(width=3, min_length=0), TEXTS),
    (Text(max_length=3), TEXTS),
    (Text(max_length=4, min_length=0), TEXTS),
    (Text(max_length=4, holds_delimiter=True), TEXTS),
    (PaddedInt(2), [0, 1, 9, 10, 11, 19, 20, 99]),
    (Int(max_digits=2), [0, 1, 9, 10, 11, 19, 20, 99]),
    (DateText(), DATES),
    (DateText("%Y-%m"), MONTHS),
    (DateText("%d.%m.%Y"), DATES),
    (TimeText("%Y%m%d%H"), TIMES),
    (EpochSeconds(), TIMES[:3]),
    (TimeText("%Y%m%d%H%M%S%3f"), [time.replace(microsecond=9_000) for time in TIMES]),
    (IsoWeek(), WEEKS),
    (Week("week{n}", origin=date(2021, 3, 1)), WEEKS),
    (Week("{n:03}", origin=date(2020, 12, 28)), WEEKS),
    (Constant("a"), ["a"]),
    (Constant("#0"), ["#0"]),
]
DELIMITERS = [b"#", b"#", b"#", b":", b"|", b"::", b"aba", b"\x1f", b"\0\0", b"1", b" ", b"", b""]


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


@frozen
class RandomKey:
    """A row key, and for each field that is no constant the values that its rows are made from."""

    key: RowKey
    pools: dict[str, list[Any]]

    def rows(self, seed: int, count: int) -> dict[bytes, dict[str, Any]]:
        """Up to ``count`` rows by their keys; those that the key refuses are left out."""
        chance = random.Random(seed)
        codec = RowKeyCodec(model_of(self.key))
        few = {name: _alike(chance, pool) for name, pool in self.pools.items()}
        rows: dict[bytes, dict[str, Any]] = {}
        for _ in range(count):
            values = {name: chance.choice(pool) for name, pool in few.items()}
            try:
                raw = codec.encode(values)
            except ValueRefused:
                continue
            assert rows.setdefault(raw, values) == values, f"two rows share the key {raw!r}"
        return rows


def _alike(chance: random.Random, pool: list[Any]) -> list[Any]:
    """A few values of ``pool``; of texts mostly such as begin alike, and so try the borders of fields."""
    stem = chance.choice(pool)
    if isinstance(stem, str) and stem:
        alike = [text for text in pool if text.startswith(stem[0])]
        return [
            *sorted({stem, stem[0]} & set(pool)),
            *chance.sample(alike, min(len(alike), 8)),
            chance.choice(pool),
        ]
    return chance.sample(pool, min(len(pool), 6))


@st.composite
def random_keys(draw: st.DrawFn) -> RandomKey:
    """Row keys that can be taken apart again: only the last field of variable width may be hard to end."""
    free = POOLS[4]
    chosen = draw(st.lists(st.sampled_from([*POOLS, free, free, free]), min_size=1, max_size=4))
    key = key_of(*(codec for codec, _ in chosen), delimiter=draw(st.sampled_from(DELIMITERS)))
    variable = [part for part in key.fields if part.fixed is None]
    for part in variable[:-1]:
        endless = not key.delimiter or part.codec.holds_delimiter
        if endless:
            return draw(random_keys())
    if not key.asked:
        return draw(random_keys())
    pools = {
        part.name: _accepted(part.codec, pool)
        for part, (_, pool) in zip(key.fields, chosen, strict=True)
        if not part.constant
    }
    return RandomKey(key, pools)


def _accepted(codec: KeyCodec[Any], pool: list[Any]) -> list[Any]:
    found = []
    for value in pool:
        try:
            codec.encode(value)
        except ValueRefused:
            continue
        found.append(value)
    return found
