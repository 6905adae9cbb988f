"""Words for analysts: example keys, sizes that are known in part, and what calendar text tells."""

from datetime import date

import pytest

from btmodel.codecs.key import (
    DateText,
    HexDigest,
    IsoWeek,
    KeyCodec,
    PaddedInt,
    Repeated,
    ReversedDomain,
    Text,
    TimeText,
    Week,
)
from btmodel.described import both, segments
from btmodel.estimates import Amount, Sizes
from tests.schemas import key_of

MONDAY = date(2020, 1, 6)


def test_an_example_key_has_values_and_not_names() -> None:
    """Texts are made-up words, another one for each field; the same each time."""
    key = key_of(
        Text(max_length=20),
        Text(width=3),
        PaddedInt(4),
        Text(width=8, min_length=8),
        ReversedDomain(max_length=30),
        HexDigest(4),
        Repeated(Text(max_length=9), most=2),
    )
    found = "".join(one.text for one in segments(key))
    assert found == "amber#bir#1234#deltadel#com.example.www#0123#amber/birch"
    assert found == "".join(one.text for one in segments(key))


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        (Sizes.of(8), "8"),
        (Sizes.of(6, 4001), "6 (≤ 4,001)"),
        (Sizes(Amount(8), Amount(8, ("x",))), "8, largest not known"),
        (Sizes(Amount(8), Amount(20, ("x",))), "8, largest at least 20"),
        (Sizes(Amount(0, ("x",)), Amount(24)), "? (≤ 24)"),
        (Sizes(Amount(0, ("x",)), Amount(0, ("x",))), "?"),
        (Sizes(Amount(5, ("x",)), Amount(5, ("x",))), "5+"),
    ],
)
def test_a_size_says_what_is_known_of_it(sizes: Sizes, words: str) -> None:
    """The usual number, then the largest, as far as it is known."""
    assert both(sizes) == words


@pytest.mark.parametrize(
    ("codec", "words"),
    [
        (DateText(), "8 digits: year, month, day"),
        (DateText("%Y-%m"), "7 bytes such as 2021-05: year, month"),
        (DateText("%d.%m.%Y"), "10 bytes such as 31.05.2021: day, month, year"),
        (TimeText("%Y%m%d%H%M"), "12 digits: year, month, day, hour, minute, in UTC"),
        (
            TimeText("%Y%m%d-%H%M%S%3f"),
            "18 bytes such as 20210531-123456789: year, month, day, hour, minute, second, millisecond, in UTC",
        ),
        (IsoWeek(), "8 bytes such as 2021-W22: ISO year and week"),
        (Week(origin=MONDAY), f"week1 and so on: weeks from {MONDAY}"),
    ],
)
def test_calendar_text_is_told_without_directives(codec: KeyCodec[object], words: str) -> None:
    """Whoever reads a page knows digits and months, and no ``%Y``."""
    assert codec.meaning == words
