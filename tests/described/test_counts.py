"""Numbers of things: one, or many."""

from enum import Enum
from typing import Any

import pytest

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import BigEndian, Bytes, Int, KeyCodec, PaddedInt, Text
from btmodel.words import counted, size_text


@pytest.mark.parametrize(
    ("codec", "meaning"),
    [
        (PaddedInt(1), "1 digit, zeros on the left"),
        (Int(max_digits=1), "up to 1 digit, not padded"),
        (Text(width=1), "1 byte, padded with spaces"),
        (Bytes(width=1), "1 byte"),
        (BigEndian(1), "1 byte, unsigned, big-endian"),
    ],
)
def test_one_is_not_many(codec: KeyCodec[Any], meaning: str) -> None:
    """A codec of one byte or digit says so in the singular."""
    assert codec.meaning == meaning


def test_numbers_of_things_read_as_a_person_writes_them() -> None:
    """One of a thing, several, none, and thousands; sizes, too."""
    assert [counted(count, "row") for count in (0, 1, 2, 2000)] == ["0 rows", "1 row", "2 rows", "2,000 rows"]
    assert [size_text(size) for size in (1, 87, 1536)] == ["1 byte", "87 bytes", "1.5 KiB"]


def test_an_annotation_is_no_class() -> None:
    """What is no class is none, on every Python; ``issubclass`` alone raises on some."""
    assert is_class(bool, int)
    assert not is_class(str, int)
    assert not any(is_class(one, tuple) for one in (tuple[int, ...], int | None, None, "x"))
    assert not is_class(list[Enum], Enum)
