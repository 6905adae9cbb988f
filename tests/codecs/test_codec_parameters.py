"""The bytes that parameters of codecs choose, computed by hand, and what such codecs refuse."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

import btmodel as bt
from btmodel.codecs.key import KeyCodec
from btmodel.errors import DeclarationError, ValueRefused

MARCH = datetime(2015, 3, 2, 21, 12, 37, 685_000, tzinfo=UTC)  # 1,425,330,757,685 ms

KEYS: list[tuple[KeyCodec[Any], Any, bytes]] = [
    (bt.Base64(3, urlsafe=False), b"\xfb\xff\xfe", b"+//+"),
    (bt.Base64(4, padded=True), b"\xff\xff\xff\xff", b"_____w=="),
    (bt.Base64(1, urlsafe=False, padded=True), b"\xff", b"/w=="),
    (bt.HexInt(16, padded=False), 255, b"ff"),
    (bt.HexInt(16, padded=False), 0, b"0"),
    (bt.ReversedDigits(10, padded=False), 120, b"021"),
    (bt.ReversedDigits(10, padded=False), 0, b"0"),
    (bt.Descending(bt.PaddedInt(19), greatest=2**63 - 1), 7, b"9223372036854775800"),
    (bt.Descending(bt.BigEndian(8), greatest=2**63 - 1), 1, b"\x7f" + b"\xff" * 6 + b"\xfe"),
    (bt.Descending(bt.EpochMillis(), greatest=9_999_999_999_998), MARCH, b"8574669242313"),
    (bt.Descending(bt.HexInt(4), greatest=0x0FFF), 1, b"0ffe"),
    (bt.VarInt(), 300, b"\xac\x02"),
    (bt.VarInt(), 2**64 - 1, b"\xff" * 9 + b"\x01"),
    (bt.VarInt(zigzag=True), -1, b"\x01"),
    (bt.VarInt(zigzag=True), -(2**63), b"\xff" * 9 + b"\x01"),
    (bt.Repeated(bt.PaddedInt(2), b"", most=3), (1, 23), b"0123"),
    (bt.Repeated(bt.EscapedText(9), b"", least=0, most=3), ("a", ""), b"a\x00\x01\x00\x01"),
    (bt.Repeated(bt.Text(max_length=9), least=0, most=3), (), b""),
]


@pytest.mark.parametrize(("codec", "value", "raw"), KEYS, ids=lambda one: repr(one)[:60])
def test_keys_have_these_bytes(codec: KeyCodec[Any], value: Any, raw: bytes) -> None:
    """Both ways."""
    assert codec.encode(value) == raw
    assert codec.decode(raw) == value


REFUSED: dict[str, Callable[[], object]] = {
    "letters of the other base 64": lambda: bt.Base64(3, urlsafe=False).decode(b"-__-"),
    "base 64 without its padding": lambda: bt.Base64(1, padded=True).decode(b"_w"),
    "base 64 with padding within": lambda: bt.Base64(4, padded=True).decode(b"_w==_w=="),
    "zeros in front of hexadecimal digits": lambda: bt.HexInt(4, padded=False).decode(b"0f"),
    "capitals": lambda: bt.HexInt(4, padded=False).decode(b"F"),
    "no digits": lambda: bt.HexInt(4, padded=False).decode(b""),
    "zeros behind reversed digits": lambda: bt.ReversedDigits(4, padded=False).decode(b"210"),
    "too many reversed digits": lambda: bt.ReversedDigits(4, padded=False).decode(b"12345"),
    "a varint with a byte to spare": lambda: bt.VarInt().decode(b"\x81\x00"),
    "a varint without an end": lambda: bt.VarInt().decode(b"\x81"),
    "a varint of 70 bits": lambda: bt.VarInt().decode(b"\xff" * 9 + b"\x7f"),
    "a varint of 11 bytes": lambda: bt.VarInt().decode(b"\x80" * 10 + b"\x01"),
    "more than is left": lambda: bt.Descending(bt.PaddedInt(2), greatest=50).decode(b"51"),
    "half an item": lambda: bt.Repeated(bt.PaddedInt(2), b"", most=3).decode(b"012"),
}


@pytest.mark.parametrize("decode", REFUSED.values(), ids=REFUSED)
def test_other_bytes_are_refused(decode: Callable[[], object]) -> None:
    """There is one encoding of each value."""
    with pytest.raises(ValueError, match="wanted"):
        decode()


def test_more_than_the_greatest_is_refused() -> None:
    """And a range up to there is open."""
    codec = bt.Descending(bt.PaddedInt(2), greatest=50)
    assert (codec.encode(50), codec.bound(50), codec.bound(51)) == (b"00", b"00", None)
    with pytest.raises(ValueRefused, match="a number of up to 50"):
        codec.encode(51)


WRONG: dict[str, Callable[[], object]] = {
    "greatest: wanted a number": lambda: bt.Descending(bt.PaddedInt(2), greatest=100),
    "greatest: wanted a number that 5": lambda: bt.Descending(bt.Text(width=5), greatest=3),
    "without a separator wanted a codec of fixed width": lambda: bt.Repeated(
        bt.Text(max_length=3), b"", most=2
    ),
    "least=0: wanted a codec without empty": lambda: bt.Repeated(
        bt.Text(max_length=3, min_length=0), least=0, most=2
    ),
    "wanted padded=True or padded=False": lambda: bt.HexInt(3, padded=1),  # type: ignore[arg-type]
    "wanted urlsafe=True or urlsafe=False": lambda: bt.Base64(3, urlsafe="no"),  # type: ignore[arg-type]
    "wanted zigzag=True or zigzag=False": lambda: bt.VarInt(zigzag=None),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("why", "declare"), WRONG.items(), ids=WRONG)
def test_declarations_that_cannot_work_are_refused(why: str, declare: Callable[[], object]) -> None:
    """With what was wanted."""
    with pytest.raises(DeclarationError, match=why):
        declare()
