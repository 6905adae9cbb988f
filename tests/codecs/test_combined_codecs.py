"""Codecs around others, at the edge of each thing that they refuse or say: lengths, bytes, and orders."""

from typing import Any

import pytest

from btmodel.codecs.key import (
    BigEndian,
    Bytes,
    Constant,
    Descending,
    EscapedText,
    Int,
    LengthPrefixed,
    PaddedInt,
    Repeated,
    Text,
    UuidRaw,
)
from btmodel.codecs.key.base import BYTES, Length, Order
from btmodel.codecs.key.combined import as_separator, mapped
from btmodel.errors import DeclarationError, ValueRefused

WORDS = Text(max_length=5)


def doubled(value: int) -> int:
    return 2 * value


def halved(value: int) -> int:
    return value // 2


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Descending(WORDS), "Descending: expected a codec of fixed width"),
        (lambda: Descending(Descending(PaddedInt(4))), "Descending: expected a codec of fixed width"),
        (lambda: Descending(Constant("v1")), "Descending: expected a codec of fixed width"),
        (lambda: Descending(4), "Descending: expected a codec of fixed width"),  # type: ignore[arg-type]
        (lambda: Descending(PaddedInt(4), greatest=10_000), "greatest: expected a number"),
        (lambda: Descending(PaddedInt(4), greatest=0), "greatest: expected a number"),
        (lambda: Descending(PaddedInt(4), greatest=True), "greatest: expected a number"),
        (lambda: Descending(Text(width=4), greatest=9), "greatest: expected a number"),
        (lambda: Repeated(4, most=2), "Repeated: expected a codec whose values vary"),  # type: ignore[arg-type]
        (lambda: Repeated(Constant("v1"), most=2), "Repeated: expected a codec whose values vary"),
        (lambda: Repeated(WORDS, most=0, least=0), "expected at least 1 value"),
        (lambda: Repeated(WORDS, most=2, least=3), "expected at least 1 value"),
        (lambda: Repeated(WORDS, most=2, least=-1), "expected at least 1 value"),
        (lambda: Repeated(WORDS, most=2, least=True), "expected at least 1 value"),
        (lambda: Repeated(WORDS, most=True), "expected at least 1 value"),
        (
            lambda: Repeated(Text(max_length=3, min_length=0), most=2, least=0),
            "expected a codec without empty encodings",
        ),
        (lambda: Repeated(WORDS, b"", most=2), "without a separator expected a codec of fixed width"),
        (lambda: Repeated(Repeated(WORDS, most=2), most=2), "expected another separator"),
        (lambda: LengthPrefixed(4), "LengthPrefixed: expected a codec of no fixed width"),  # type: ignore[arg-type]
        (lambda: LengthPrefixed(PaddedInt(4)), "LengthPrefixed: expected a codec of no fixed width"),
        (lambda: LengthPrefixed(WORDS, 3), "expected a length of 1, 2 or 4 bytes"),
        (lambda: LengthPrefixed(WORDS, True), "expected a length of 1, 2 or 4 bytes"),
        (lambda: LengthPrefixed(Bytes(max_length=256)), "a length of up to 256 does not fit in 1 byte"),
        (lambda: as_separator("\ud800"), "expected a separator of text or bytes"),
        (lambda: as_separator(4), "expected a separator of text or bytes"),  # type: ignore[arg-type]
        (lambda: mapped(4, to=doubled, from_=halved), "mapped: expected a codec of keys or cells"),  # type: ignore[call-overload]
        (
            lambda: mapped(Constant("v1"), to=doubled, from_=halved),  # type: ignore[call-overload]
            "mapped: expected a codec whose values vary",
        ),
        (lambda: mapped(Int(4), to=doubled, from_=halved, ordered=True), "only where Int"),
        (lambda: mapped(Int(4), to=doubled, from_=halved, ordered=1), "expected True or False"),  # type: ignore[call-overload]
    ],
)
def test_what_cannot_be_read_back_is_refused(make: Any, said: str) -> None:
    """Where it is declared, by what is wrong with it."""
    with pytest.raises(DeclarationError) as refused:
        make()
    assert said in str(refused.value)


def test_what_is_just_right_is_taken() -> None:
    """The neighbours of what is refused."""
    assert Descending(PaddedInt(4), greatest=9_999).encode(1) == b"9998"
    assert Descending(PaddedInt(4), greatest=1).encode(1) == b"0000"
    assert Descending(BigEndian(2), greatest=65_535).encode(256) == b"\xfe\xff"
    assert Repeated(WORDS, most=1).encode(("a",)) == b"a"
    assert Repeated(WORDS, least=2, most=2).encode(("a", "b")) == b"a/b"
    assert Repeated(Int(3), least=0, most=2).encode(()) == b""
    assert Repeated(PaddedInt(2), b"", most=2).encode((1, 2)) == b"0102"
    assert Repeated(EscapedText(max_length=3), b"", most=2).decode(b"a\0\1b\0\1") == ("a", "b")
    assert Repeated(Repeated(WORDS, b".", most=2), most=2).encode((("a", "b"), ("c",))) == b"a.b/c"
    assert LengthPrefixed(Bytes(max_length=255)).encode(b"ab") == b"\2ab"
    assert LengthPrefixed(Bytes(max_length=256), 2).encode(b"ab") == b"\0\2ab"


def test_descending_is_less_than_the_greatest_only_in_its_digits() -> None:
    """What has another length, or another byte, is no such number, and more than the greatest is refused."""
    codec = Descending(PaddedInt(4), greatest=100)
    assert codec.decode(b"0001") == 99
    for raw in (b"001", b"00001", b"00x1", b"0101"):
        with pytest.raises(ValueError, match="expected"):
            codec.decode(raw)
    with pytest.raises(ValueRefused, match="up to 100"):
        codec.encode(101)
    assert codec.meaning.endswith("as 100 less it")
    assert Descending(PaddedInt(4)).meaning.endswith("each byte replaced by its opposite")
    assert codec.alphabet == frozenset(b"0123456789")
    assert Descending(UuidRaw()).alphabet == BYTES


@pytest.mark.parametrize(
    ("codec", "length"),
    [
        (Repeated(WORDS, most=3), Length(WORDS.length.least, 17)),
        (Repeated(PaddedInt(2), b"--", least=2, most=3), Length(6, 10)),
        (Repeated(Int(3), b"--", least=0, most=2), Length(0, 8)),
        (Repeated(PaddedInt(2), b"", most=3), Length(2, 6)),
        (LengthPrefixed(WORDS, 2), Length(WORDS.length.least + 2, 7)),
    ],
)
def test_how_long_encodings_are(codec: Any, length: Length) -> None:
    """The separator stands between two, and the length in front."""
    assert codec.length == length


def test_how_encodings_sort() -> None:
    """Tuples do as their values where no end of one sorts above what may follow it."""
    assert Repeated(PaddedInt(2), most=2).order is Order.ASCENDING
    assert Repeated(WORDS, b"\0", most=2).order is Order.ASCENDING
    assert Repeated(WORDS, most=2).order is Order.NONE  # a text may hold a space, which sorts in front of it
    assert Repeated(Int(3), most=2).order is Order.NONE
    assert Repeated(Descending(PaddedInt(2)), most=2).order is Order.NONE
    assert LengthPrefixed(Int(3)).order is Order.ASCENDING
    assert LengthPrefixed(WORDS).order is Order.NONE
    assert mapped(PaddedInt(4), to=doubled, from_=halved).order is Order.NONE
    assert mapped(PaddedInt(4), to=doubled, from_=halved, ordered=True).order is Order.ASCENDING


def test_which_bytes_there_are() -> None:
    """The separator where there may be two values, and every byte of a length that there may be."""
    assert Repeated(PaddedInt(2), most=1).alphabet == frozenset(b"0123456789")
    assert Repeated(PaddedInt(2), most=2).alphabet == frozenset(b"/0123456789")
    assert Repeated(PaddedInt(2), most=1).separators == ()
    assert Repeated(PaddedInt(2), most=2).separators == (b"/",)
    assert Repeated(PaddedInt(2), b"", most=2).separators == ()
    assert LengthPrefixed(Int(3)).alphabet == frozenset(b"0123456789\1\2\3")
    assert LengthPrefixed(Int(9), 2).alphabet == frozenset(b"0123456789") | frozenset(range(10))
    assert LengthPrefixed(Bytes(max_length=254)).alphabet == BYTES


def test_what_is_said_of_them() -> None:
    """In a few words."""
    assert "1 to 2 values with '/' between them, each" in Repeated(PaddedInt(2), most=2).meaning
    assert "nothing between them" in Repeated(PaddedInt(2), b"", most=2).meaning
    assert LengthPrefixed(WORDS).meaning.endswith("after 1 byte with the length")


def test_a_beginning_of_a_tuple_is_as_long_as_one_at_most() -> None:
    """And ends with the separator."""
    codec = Repeated(WORDS, most=2)
    assert (codec.stem(("a", "b")), codec.stem(())) == (b"a/b/", b"")
    with pytest.raises(ValueRefused, match="at most 2 values"):
        codec.stem(("a", "b", "c"))
    with pytest.raises(ValueRefused, match="at most 2 values"):
        codec.stem("ab")  # type: ignore[arg-type]


def test_a_value_behind_its_length_is_read_whole() -> None:
    """Neither less nor more than the length says."""
    codec = LengthPrefixed(WORDS)
    assert (codec.decode(b"\2ab"), codec.end(b"x\2ab#", 1)) == ("ab", 4)
    for raw in (b"\3ab", b"\1ab", b""):
        with pytest.raises(ValueError, match="expected"):
            codec.decode(raw)


def test_a_mapped_value_has_one_encoding() -> None:
    """Bytes that its functions would not write are none."""
    codec = mapped(PaddedInt(4), to=doubled, from_=halved)
    assert (codec.encode(21), codec.decode(b"0042")) == (b"0042", 21)
    with pytest.raises(ValueError, match="expected the one encoding of 21"):
        codec.decode(b"0043")
