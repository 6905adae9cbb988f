"""Row keys: every row has a key of its own, and every key is read back to just its row."""

import ast
import re
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from schemas import RandomKey, key_of, model_of, random_keys

from btmodel.codecs.cell import Micros
from btmodel.codecs.key import (
    Bytes,
    Constant,
    DateText,
    Descending,
    EpochMillis,
    EscapedText,
    Int,
    KeyCodec,
    LengthPrefixed,
    OrderedInt,
    PaddedInt,
    Text,
)
from btmodel.errors import QueryRefused, UndecodableKey, ValueRefused
from btmodel.rows import RowKeyCodec, RowRange
from btmodel.rows.ranges import successor
from btmodel.schema import Column, Derived, KeyField, RowKey
from tests.examples_tried import examples


def codec_of(*codecs: KeyCodec[Any], delimiter: bytes = b"#") -> RowKeyCodec:
    """The codec of a key of these fields."""
    return RowKeyCodec(model_of(key_of(*codecs, delimiter=delimiter)))


@examples(80)
@given(random_key=random_keys(), seed=st.integers(0, 2**32))
def test_a_key_is_read_back_to_its_row(random_key: RandomKey, seed: int) -> None:
    """Keys of any shape decode to the values they were made of, so no two rows share a key."""
    codec = random_key.codec
    for raw, values in random_key.rows(seed, 40).items():
        assert codec.decode(raw) == random_key.told(values)
        assert random_key.key.least <= len(raw) <= random_key.key.most


@examples(120)
@given(random_key=random_keys(), seed=st.integers(0, 2**32), data=st.data())
def test_bytes_are_a_key_or_refused(random_key: RandomKey, seed: int, data: st.DataObject) -> None:
    """Bytes that were not made by encoding are UndecodableKey, or are the key of what they decode to."""
    codec = random_key.codec
    good = next(iter(random_key.rows(seed, 5)), b"")
    at, cut = data.draw(st.integers(0, len(good))), data.draw(st.integers(0, 2))
    piece = data.draw(st.binary(max_size=3) | st.text("#:ab01 ", max_size=4).map(str.encode))
    raw = data.draw(st.sampled_from([good[:at] + piece + good[at + cut :], good[:at], piece]))
    try:
        values = codec.decode(raw)
    except UndecodableKey:
        return
    if not random_key.key.hashed:
        assert codec.encode(values) == raw


@examples(80)
@given(random_key=random_keys(), seed=st.integers(0, 2**32), count=st.integers(0, 3))
def test_a_prefix_is_what_keys_with_its_values_begin_with(
    random_key: RandomKey, seed: int, count: int
) -> None:
    """A key begins with the prefix of its own leading fields, whole fields and the delimiter."""
    codec = random_key.codec
    leading = random_key.key.fields[:count]
    for raw, values in random_key.rows(seed, 20).items():
        if random_key.key.optional and values[random_key.key.optional.name] is None:
            continue
        prefix = codec.prefix(leading, values)
        assert raw.startswith(prefix)
        if 0 < count < len(random_key.key.fields):
            assert prefix.endswith(random_key.key.behind(leading[-1]))


def test_a_prefix_ends_at_a_field_border() -> None:
    """The rows of ``4c`` are not those of ``4c41``, nor those of tenant ``acme`` those of ``acme2``."""
    codec = codec_of(Text(max_length=8), Text(max_length=8), PaddedInt(2))
    prefix = codec.prefix(codec._key.fields[:2], {"k0": "phone", "k1": "4c"})
    assert prefix == b"phone#4c#"
    span = RowRange.of_prefix(prefix)
    assert span.holds(b"phone#4c#99")
    assert not span.holds(b"phone#4c41#00")


KEYS: list[tuple[list[KeyCodec[Any]], dict[str, Any], bytes]] = [
    (
        [Text(width=6), Text(width=5), EpochMillis()],
        {"k0": "NYSE", "k1": "IBM", "k2": datetime(2015, 3, 16, 19, 53, 32, 156_000, tzinfo=UTC)},
        b"NYSE  #IBM  #1426535612156",
    ),
    ([PaddedInt(10), DateText()], {"k0": 987654, "k1": date(2017, 7, 26)}, b"0000987654#20170726"),
    ([Constant("LoL"), Text(max_length=9), Int(3)], {"k1": "Corki", "k2": 7}, b"LoL#Corki#7"),
    ([Text(width=3), PaddedInt(2)], {"k0": "a#b", "k1": 3}, b"a#b#03"),
    (
        [PaddedInt(2), Text(max_length=9, holds_delimiter=True), PaddedInt(2)],
        {"k0": 1, "k1": "a#b#", "k2": 3},
        b"01#a#b##03",
    ),
    ([EscapedText(3), PaddedInt(1)], {"k0": "a#\0", "k1": 3}, b"a#\0\xff\0\x01#3"),
    ([LengthPrefixed(Text(max_length=9)), PaddedInt(1)], {"k0": "a#", "k1": 3}, b"\x02a##3"),
    ([OrderedInt(), Descending(PaddedInt(3))], {"k0": -1, "k1": 7}, b"\x7f#992"),
]


@pytest.mark.parametrize(("codecs", "values", "raw"), KEYS)
def test_the_bytes_of_a_row_key_are_pinned(
    codecs: list[KeyCodec[Any]], values: dict[str, Any], raw: bytes
) -> None:
    """Fields stand in order with the delimiter between them, constants among them."""
    codec = codec_of(*codecs)
    assert codec.encode(values) == raw
    assert codec.decode(raw) == values


@pytest.mark.parametrize(
    ("delimiter", "value"),
    [(b"#", "a#"), (b"#", "#"), (b"::", "a:"), (b"::", "::"), (b"aba", "xab"), (b"aa", "a")],
)
def test_a_value_that_would_blur_the_end_of_its_field_is_refused(delimiter: bytes, value: str) -> None:
    """A variable field refuses a value that holds the delimiter or would run into it, and names the field."""
    codec = codec_of(Text(max_length=4), PaddedInt(1), delimiter=delimiter)
    with pytest.raises(ValueRefused, match=r"Row\.k0: expected a value without the delimiter"):
        codec.encode({"k0": value, "k1": 1})


@pytest.mark.parametrize(
    ("codecs", "values", "way_out"),
    [
        ([Text(max_length=9)], {"k0": "a#b"}, "as Text(..., holds_delimiter=True), if no other rows"),
        ([PaddedInt(1), Text(max_length=9)], {"k0": 1, "k1": "a#b"}, "as Text(..., holds_delimiter=True)"),
        ([Bytes(max_length=9)], {"k0": b"a#b"}, "as Bytes(..., holds_delimiter=True)"),
        ([Text(max_length=9), Text(max_length=9)], {"k0": "a#b", "k1": "c"}, "or as EscapedText"),
    ],
)
def test_a_field_that_may_not_hold_the_delimiter_says_how_it_may(
    codecs: list[Any], values: dict[str, Any], way_out: str
) -> None:
    """Where a row is written, where it is read, and where what it begins with is asked; and then it may."""
    codec = codec_of(*codecs)
    name, value = next((name, value) for name, value in values.items() if value in ("a#b", b"a#b"))
    field = next(field for field in codec._key.fields if field.name == name)
    with pytest.raises(ValueRefused, match=re.escape(way_out)):
        codec.encode(values)
    with pytest.raises(ValueRefused, match=re.escape(way_out)):
        codec.stem(field, value)
    if len(values) == 1:
        with pytest.raises(UndecodableKey, match=re.escape(way_out)):
            codec.decode(b"a#b")
    if "holds_delimiter" in way_out:
        free = codec_of(*(evolve(one, holds_delimiter=True) if one is codecs[-1] else one for one in codecs))
        assert free.decode(free.encode(values)) == values


def test_two_rows_cannot_share_a_key_through_the_delimiter() -> None:
    """``a#b`` + ``c`` and ``a`` + ``b#c`` are not both taken."""
    codec = codec_of(Text(max_length=4), Text(max_length=4))
    for values in ({"k0": "a#b", "k1": "c"}, {"k0": "a", "k1": "b#c"}):
        with pytest.raises(ValueRefused):
            codec.encode(values)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "expected 1 to 4096 bytes"),
        (b"ab", "expected b'#' after k0, and there is none"),
        (b"ab#", "expected 2 bytes of k1 at byte 3, got 0 at the end"),
        (b"ab#1", "expected 2 bytes of k1 at byte 3, got 1 at the end"),
        (b"ab#xx", "k1: expected 2 digits"),
        (b"ab#01#", "1 byte too many"),
        (b"\xff#01", "k0"),
        (b"a\x00#01", "control"),
    ],
)
def test_bytes_that_are_no_key_are_refused_with_the_reason(raw: bytes, why: str) -> None:
    """The error holds the key and says which field does not parse."""
    with pytest.raises(UndecodableKey, match=why) as refusal:
        codec_of(Text(max_length=3), PaddedInt(2)).decode(raw)
    assert refusal.value.key == raw


@pytest.mark.parametrize(
    ("raw", "delimiter"), [(b"a:::01", b"::"), (b"abab01", b"ab"), (b"xaba01", b"a"), (b"xababa01", b"aba")]
)
def test_bytes_that_encoding_would_not_give_are_no_key(raw: bytes, delimiter: bytes) -> None:
    """A field that runs into its delimiter is refused when it is read, as it is when it is written."""
    codec = codec_of(Text(max_length=9), PaddedInt(2), delimiter=delimiter)
    with pytest.raises(UndecodableKey):
        codec.decode(raw)


def derived_codec(derived: Derived, codec: KeyCodec[Any], *columns: Column) -> RowKeyCodec:
    """The codec of the key ``{d}#{k0}#{k1}``."""
    fields = (KeyField("d", codec, derived=derived), *key_of(Text(max_length=3), PaddedInt(2)).fields)
    return RowKeyCodec(model_of(RowKey(fields, b"#"), columns=columns))


def test_a_key_whose_salt_does_not_follow_is_no_key() -> None:
    """A salt is made from the row, never given, and checked when it is read."""
    codec = derived_codec(Derived(("k1",), lambda number: number % 3, (0, 1, 2)), PaddedInt(1))
    assert codec.encode({"k0": "a", "k1": 7}) == b"1#a#07"
    assert codec.decode(b"1#a#07") == {"k0": "a", "k1": 7}
    with pytest.raises(UndecodableKey, match="d: expected b'1', which follows from k1, got b'2'"):
        codec.decode(b"2#a#07")
    with pytest.raises(QueryRefused, match="unknown: d"):
        codec.encode({"d": 1, "k0": "a", "k1": 7})


def test_a_function_that_gives_what_it_does_not_say_is_told() -> None:
    """A value that is none of the declared ones, or that the codec refuses, is refused by name, read or written."""
    for derived in (Derived(("k1",), lambda number: number, (0, 1, 2)), Derived(("k1",), str)):
        codec = derived_codec(derived, PaddedInt(1))
        with pytest.raises(ValueRefused, match=r"Row\.d: expected "):
            codec.encode({"k0": "a", "k1": 7})
        with pytest.raises(UndecodableKey, match=r"Row\.d: expected "):
            codec.decode(b"7#a#07")


def test_equal_values_derive_the_same() -> None:
    """A time is hashed as it will be read back, whatever zone it was given in."""
    time = datetime(2020, 1, 1, tzinfo=UTC)
    column = Column("at", "f", b"at", Micros(), required=True)
    codec = derived_codec(Derived(("at",), str), Text(max_length=40), column)
    east = time.astimezone(timezone(timedelta(hours=5)))
    keys = {codec.encode({"k0": "a", "k1": 1, "at": at}) for at in (time, east)}
    assert keys == {b"2020-01-01 00:00:00+00:00#a#01"}


OPTIONAL = RowKey(
    (*key_of(Text(max_length=3), PaddedInt(2)).fields, KeyField("k2", Text(max_length=3), optional=True)),
    b"#",
)


@pytest.mark.parametrize(("last", "raw"), [(None, b"a#01"), ("b", b"a#01#b")])
def test_a_last_field_may_be_left_out_with_its_delimiter(last: str | None, raw: bytes) -> None:
    """A row without the last field ends before the delimiter in front of it."""
    codec = RowKeyCodec(model_of(OPTIONAL))
    values = {"k0": "a", "k1": 1, "k2": last}
    assert codec.encode(values) == raw
    assert codec.decode(raw) == values
    assert (OPTIONAL.least, OPTIONAL.most, OPTIONAL.shape) == (4, 10, "{k0}#{k1}#{k2?}")


@pytest.mark.parametrize("raw", [b"a", b"a#", b"a#1", b"a#01#", b"a#01#b#", b"a#01b"])
def test_what_ends_elsewhere_is_no_key(raw: bytes) -> None:
    """Only the last field may be missing, and its delimiter goes with it."""
    with pytest.raises(UndecodableKey):
        RowKeyCodec(model_of(OPTIONAL)).decode(raw)


def test_an_error_names_the_field_that_refused() -> None:
    """A refused value is told with its model and field."""
    with pytest.raises(ValueRefused, match=r"Row\.k1: expected a whole number from 0 to 99, got 100"):
        codec_of(Text(max_length=3), PaddedInt(2)).encode({"k0": "a", "k1": 100})


def test_missing_and_unknown_fields_are_both_named() -> None:
    """A key asked with the wrong fields says which are missing and which it does not have."""
    with pytest.raises(QueryRefused, match=r"missing: k1; unknown: kk"):
        codec_of(Text(max_length=3), PaddedInt(2)).encode({"k0": "a", "kk": 1})


def test_a_key_longer_than_the_service_takes_is_refused() -> None:
    """A key has at most 4,096 bytes, and at least one."""
    codec = codec_of(Text(max_length=5000, min_length=0))
    assert codec.encode({"k0": "a" * 4096}) == b"a" * 4096
    for value in ("", "a" * 4097):
        with pytest.raises(ValueRefused, match="4096 bytes"):
            codec.encode({"k0": value})
        with pytest.raises(UndecodableKey):
            codec.decode(value.encode())


@given(prefix=st.binary(max_size=4), key=st.binary(max_size=6))
def test_the_range_of_a_prefix_holds_just_its_keys(prefix: bytes, key: bytes) -> None:
    """A key lies in the range of a prefix exactly if it begins with it, bytes of 255 included."""
    for one in (key, prefix + key, prefix[:-1] + b"\xff" + key):
        assert RowRange.of_prefix(prefix).holds(one) == one.startswith(prefix)
    above = successor(prefix)
    assert (above == b"") == (prefix.strip(b"\xff") == b"")
    assert not above or not above.startswith(prefix)


@given(key=st.binary(max_size=4), other=st.binary(max_size=5))
def test_the_range_of_a_key_holds_just_that_key(key: bytes, other: bytes) -> None:
    """The range of one key holds it and no longer or shorter one."""
    for one in (key, key + b"\0", key[:-1], other):
        assert RowRange.of_key(key).holds(one) == (one == key)
    assert not RowRange.of_key(key).empty


@pytest.mark.parametrize("delimiter", [b"#", b"|", b".", b"]", b"^", b"-"])
def test_a_longer_key_says_how_to_read_without_it(delimiter: bytes) -> None:
    """By an expression that all keys of the model match, and none that goes on behind the last field."""
    codec = codec_of(Constant(b"u+"), Text(max_length=5), Text(max_length=5), delimiter=delimiter)
    own = delimiter.join([b"u+", b"a", b"b"])
    with pytest.raises(UndecodableKey, match="leave such rows out") as refused:
        codec.decode(own + delimiter + b"c")
    [pattern] = re.findall(r"matching\((.*)\)`", str(refused.value))
    assert re.fullmatch(ast.literal_eval(pattern).encode(), own)
    assert not re.fullmatch(ast.literal_eval(pattern).encode(), own + delimiter + b"c")


def test_a_longer_key_of_several_bytes_between_its_fields_says_nothing_of_others() -> None:
    """No expression of so few words leaves them out."""
    with pytest.raises(UndecodableKey) as refused:
        codec_of(Text(max_length=5), Text(max_length=5), delimiter=b"::").decode(b"a::b::c")
    assert "matching" not in str(refused.value)
