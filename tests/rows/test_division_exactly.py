"""Where ranges of row keys divide, to the byte: fields that are numbers, few values of a field, and bytes behind them."""

from enum import StrEnum
from typing import Any

import pytest

import btmodel as bt
from btmodel.codecs.key import Constant
from btmodel.rows import RowRange
from btmodel.rows.division import key_within, share_below
from btmodel.schema import KeyField, RowKey


class Airport(StrEnum):
    """Where flights leave."""

    EWR = "EWR"
    JFK = "JFK"
    LGA = "LGA"


NUMBERS = [bt.PaddedInt(4), bt.PaddedInt(4)]
NAMED = [bt.Text(max_length=9), bt.PaddedInt(4)]
ESCAPED = [bt.EscapedText(max_length=9), bt.PaddedInt(4)]
PREFIXED = [bt.LengthPrefixed(bt.Text(max_length=9)), bt.PaddedInt(4)]
HASHED = [bt.HexDigest(4), bt.Text(max_length=3)]
AIRPORTS = [bt.EnumText(Airport), bt.PaddedInt(4)]
WITH_CONSTANT = [bt.PaddedInt(4), Constant("v1"), bt.PaddedInt(4)]


def key_of(codecs: list[Any]) -> RowKey:
    return RowKey(tuple(KeyField(f"f{at}", codec) for at, codec in enumerate(codecs)), b"#")


@pytest.mark.parametrize(
    ("codecs", "start", "end", "quarter", "half"),
    [
        # From 64 values on they are what divides; of fewer, what is behind them counts as well.
        (NUMBERS, b"0001#0100", b"0065#0000", b"0017", b"0033"),
        (NUMBERS, b"0001#0000", b"0064#0000", b"0016#75", b"0032#5"),
        (NUMBERS, b"0001#0100", b"0002#0000", b"0001#2575", b"0001#505"),
        # A field that is the same in both is left to the next; one that is cut off is not left.
        (NUMBERS, b"0001#0000", b"0001#0100", b"0001#0025", b"0001#0050"),
        (NUMBERS, b"0001", b"0002", b"0001#25", b"0001#5"),
        (NUMBERS, b"000", b"0001#0100", b"0000#2525", b"0000#505"),
        (NAMED, b"ab#0000", b"ab#1000", b"ab#0250", b"ab#0500"),
        (ESCAPED, b"ab\0\1#0000", b"ab\0\1#1000", b"ab\0\1#0250", b"ab\0\1#0500"),
        (ESCAPED, b"ab", b"ac", b"ab@", b"ab\x80"),
        (PREFIXED, b"\2ab#0000", b"\2ab#1000", b"\2ab#0250", b"\2ab#0500"),
        (AIRPORTS, b"EWR#0000", b"LGA#0000", b"EWR#5", b"JFK"),
        (AIRPORTS, b"EWR#0000", b"JFK#0000", b"EWR#25", b"EWR#5"),
        ([bt.Boolean(), bt.PaddedInt(4)], b"0#0000", b"1#0000", b"0#25", b"0#5"),
        ([bt.Descending(bt.PaddedInt(4)), bt.Text(max_length=3)], b"1000#a", b"1200#a", b"1050", b"1100"),
        ([bt.UuidRaw()], bytes(16), b"\x80" + bytes(15), b"\x20" + bytes(15), b"\x40" + bytes(15)),
        ([bt.Text(max_length=9)], b"aa", b"az", b"aggn", b"amn"),
        ([bt.Text(max_length=9)], b"a0", b"b9", b"ab9", b"ami"),
        ([bt.HexDigest(4), bt.Text(max_length=3)], b"0000#x", b"ffff#x", b"4000#qn", b"8000#k"),
        ([Constant("v1"), bt.PaddedInt(4)], b"v1#0000", b"v1#0100", b"v1#0025", b"v1#0050"),
        (WITH_CONSTANT, b"0001#v1#0000", b"0003#v1#0000", b"0001#v1#5", b"0002"),
        # A delimiter within an escaped value ends nothing, and an empty value ends in front of it.
        (ESCAPED, b"a#b\0\1#0000", b"a#b\0\1#1000", b"a#b\0\1#0250", b"a#b\0\1#0500"),
        (NAMED, b"#0000", b"#1000", b"#0250", b"#0500"),
        (
            [bt.Text(max_length=9), *NUMBERS],
            b"ab#0001#0000",
            b"ab#0001#0100",
            b"ab#0001#0025",
            b"ab#0001#0050",
        ),
        # Letters are those of the kinds that were seen; of a codec with few, all of them.
        ([bt.PaddedInt(4), bt.Text(max_length=9)], b"0001#b", b"0002#y", b"0001#ngn", b"0001#zn"),
        ([bt.PaddedInt(4), *HASHED], b"0001#0a00#x", b"0001#0b00#x", b"0001#0a40#x", b"0001#0a80#x"),
        (HASHED, b"0000#x", b"9999#x", b"2667#dn", b"4ccd#k"),
        ([bt.Text(max_length=9)], b"a/a", b"b/a", b"afuftftftftftftf", b"amnmmmmmmmmmmmmm"),
        # Numbers that do not sort as their digits do are divided as bytes.
        ([bt.Int(9)], b"100", b"900", b"3", b"5"),
        ([Constant("v1"), bt.PaddedInt(4)], b"v0", b"v2", b"v1#25", b"v1#5"),
        # The end is the least key behind the last value, or no value at all.
        ([bt.PaddedInt(4)], b"0100", b"030:", b"0152", b"0205"),
        ([bt.PaddedInt(4)], b"0001", b"zzzz", b"25", b"5"),
    ],
)
def test_a_range_divides_there(
    codecs: list[Any], start: bytes, end: bytes, quarter: bytes, half: bytes
) -> None:
    """And a row that is there has as much in front of it."""
    key, span = key_of(codecs), RowRange(start, end)
    assert (key_within(key, span, 0.25), key_within(key, span, 0.5)) == (quarter, half)
    assert share_below(key, span, quarter) == pytest.approx(0.25, abs=0.006)
    assert share_below(key, span, half) == pytest.approx(0.5, abs=0.006)
    assert (share_below(key, span, start), share_below(key, span, end)) == (0.0, 1.0)


def test_the_ends_of_a_range_do_not_divide_it() -> None:
    """Nor does a value behind the last one."""
    key, span = key_of([bt.PaddedInt(4)]), RowRange(b"0100", b"0200")
    assert (key_within(key, span, 0.0), key_within(key, span, 1.0)) == (None, None)
    assert key_within(key_of(AIRPORTS), RowRange(b"EWR", b"Z"), 1.0) is None


def test_nothing_divides_two_keys_without_a_letter_between_them() -> None:
    """A row there is taken to lie in the middle."""
    key, span = key_of([bt.Text(max_length=9)]), RowRange(b"ab", b"ab\0\0")
    assert key_within(key, span, 0.5) is None
    assert share_below(key, span, b"ab\0") == 0.5


def test_a_row_that_no_value_has_is_taken_to_lie_in_the_middle() -> None:
    """What the field is there is not known; of text, a row between two letters lies there, whatever follows."""
    assert share_below(key_of(NUMBERS), RowRange(b"0001#0000", b"0100#0000"), b"00xx#") == 0.5
    key, span = key_of([bt.Text(max_length=9)]), RowRange(b"a0", b"b9")
    assert share_below(key, span, b"a_zzz") == share_below(key, span, b"a_")


def test_a_last_value_is_known_without_what_ends_it() -> None:
    """As nothing stands behind it."""

    class Size(StrEnum):
        L = "L"
        M = "M"
        XXL = "XXL"

    assert key_within(key_of([bt.EnumText(Size)]), RowRange(b"L", b"XXL"), 0.5) == b"M"
