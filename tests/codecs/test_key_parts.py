"""What parts of keys rest on: where self-ending fields end, and what begins the values that begin alike."""

import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from key_cases import CASES, Case
from schemas import begins

from btmodel.codecs.key import (
    Bytes,
    EscapedText,
    HexDigest,
    Int,
    KeyCodec,
    LengthPrefixed,
    OrderedInt,
    PaddedInt,
    Repeated,
    ReversedDomain,
    Text,
)
from btmodel.errors import ValueRefused

ENDING = {name: case for name, case in CASES.items() if case.codec.self_ending}
OTHERS = {name: case for name, case in CASES.items() if not case.codec.self_ending}
every_ending = pytest.mark.parametrize("case", ENDING.values(), ids=ENDING)


@every_ending
@given(data=st.data())
def test_no_encoding_is_the_beginning_of_another(case: Case, data: st.DataObject) -> None:
    """Of a self-ending codec, two encodings are the same, or differ before either ends."""
    one, other = (case.codec.encode(data.draw(case.values)) for _ in range(2))
    assert one == other or not (one.startswith(other) or other.startswith(one))


@every_ending
@given(data=st.data(), before=st.binary(max_size=2), behind=st.binary(max_size=3))
def test_an_encoding_ends_where_it_does_whatever_follows(
    case: Case, data: st.DataObject, before: bytes, behind: bytes
) -> None:
    """The end is found by the bytes of the field alone, wherever it stands, and never in a part of it."""
    raw = case.codec.encode(data.draw(case.values))
    assert case.codec.end(before + raw + behind, len(before)) == len(before + raw)
    with pytest.raises(ValueError, match="expected"):
        case.codec.end(before + raw[:-1], len(before))


@every_ending
@given(raw=st.binary(max_size=14) | st.lists(st.sampled_from([0, 1, 255])).map(bytes), at=st.integers(0, 14))
@example(raw=b"", at=0)
@example(raw=b"\xff" * 12, at=0)
@example(raw=b"\0" * 12, at=0)
def test_any_bytes_end_within_themselves_or_nowhere(case: Case, raw: bytes, at: int) -> None:
    """In arbitrary bytes the end lies behind the beginning and not behind the last byte, or is a ValueError."""
    try:
        end = case.codec.end(raw, at)
    except ValueError:
        return
    assert at < end <= len(raw)


@pytest.mark.parametrize("codec", [case.codec for case in OTHERS.values()], ids=OTHERS)
def test_a_codec_that_does_not_end_by_itself_says_so(codec: KeyCodec[Any]) -> None:
    """To ask a codec for an end that its bytes do not tell is a mistake of the caller."""
    with pytest.raises(NotImplementedError, match="is not self-ending"):
        codec.end(b"abc", 0)


STEMMED = {name: case for name, case in CASES.items() if case.codec.has_stem}


def test_these_codecs_can_be_asked_for_a_beginning() -> None:
    """A beginning is part of an encoding for text, bytes, digests, paths, domains and tuples."""
    kinds = {type(case.codec).__name__ for case in STEMMED.values()}
    assert kinds == {
        "Text",
        "Bytes",
        "EscapedText",
        "EscapedBytes",
        "HexDigest",
        "ReversedDomain",
        "Repeated",
        "Joined",
        "OrderedCode",
    }
    assert all(case.codec.stem("a") is None for case in CASES.values() if not case.codec.has_stem)


@pytest.mark.parametrize("case", STEMMED.values(), ids=STEMMED)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_value_begins_with_what_its_bytes_begin_with(case: Case, data: st.DataObject, seed: int) -> None:
    """A value begins with a given part exactly when it is the part, or its encoding begins with the part's stem."""
    value, near = data.draw(case.values), data.draw(st.none() | case.values)
    start = beginning(random.Random(seed), value if near is None else near)
    try:
        stem = case.codec.stem(start)
    except ValueRefused:
        return
    assert stem is not None
    goes_on = case.codec.encode(value).startswith(stem)
    assert begins(case.codec, value, start) == (value == start or goes_on)


def beginning(chance: random.Random, value: Any) -> Any:
    """A part of ``value`` that values may begin with; of a domain rather its end."""
    if isinstance(value, str) and "." in value:
        return value[value.index(".") + 1 :]
    return value[: chance.randrange(len(value) + 1)]


@pytest.mark.parametrize(
    ("codec", "start", "stem"),
    [
        (Text(width=5), "ab", b"ab"),
        (Text(max_length=5), "", b""),
        (Bytes(width=2), b"\xff", b"\xff"),
        (EscapedText(9), "a\0", b"a\0\xff"),
        (HexDigest(4), "0a", b"0a"),
        (ReversedDomain(30), "google.com", b"com.google."),
        (Repeated(Text(max_length=3), most=3), (), b""),
        (Repeated(Text(max_length=3), most=3), ("ab",), b"ab/"),
        (Repeated(Text(max_length=3), most=3), ("ab", "c"), b"ab/c/"),
        (Repeated(EscapedText(3), most=2), ("/",), b"/\0\x01/"),
    ],
)
def test_the_bytes_of_a_beginning_are_pinned(codec: KeyCodec[Any], start: Any, stem: bytes) -> None:
    """A stem is what comes before the padding, before the end, or up to and with the separator."""
    assert codec.stem(start) == stem


@pytest.mark.parametrize(
    ("codec", "start"),
    [
        (Text(width=5), "a "),
        (Text(max_length=5), "\n"),
        (Text(max_length=5), b"a"),
        (Bytes(max_length=5), "a"),
        (EscapedText(5), "\ud800"),
        (EscapedText(5), None),
        (HexDigest(4), "A"),
        (HexDigest(4), b"a"),
        (ReversedDomain(9), ""),
        (ReversedDomain(9), ".com"),
        (Repeated(Text(max_length=3), most=2), ("a", "b", "c")),
        (Repeated(Text(max_length=3), most=2), ("a/",)),
        (Repeated(Text(max_length=3), most=2), ["a"]),
        (Repeated(Text(max_length=3), most=2), "a"),
        (Repeated(PaddedInt(2), most=2), ("1",)),
    ],
)
def test_a_beginning_of_no_value_is_refused(codec: KeyCodec[Any], start: Any) -> None:
    """What no value can begin with is refused, and the message says what was expected and what came."""
    with pytest.raises(ValueRefused, match=r"^expected "):
        codec.stem(start)


@pytest.mark.parametrize(
    ("codec", "raw", "why"),
    [
        (EscapedText(3), b"ab", "the end 00 01"),
        (EscapedText(3), b"ab\0", "the end 00 01"),
        (EscapedText(3), b"a\0\x02b\0\x01", "NULs followed by FF"),
        (EscapedText(3), b"a\0\x01b\0\x01", "nothing after the end"),
        (EscapedText(3), b"abcd\0\x01", "0 to 3 bytes"),
        (EscapedText(3), b"\xff\0\x01", "utf-8"),
        (LengthPrefixed(Text(max_length=3)), b"\x02abc", "as many bytes as the first 1"),
        (LengthPrefixed(Text(max_length=3)), b"\x04abc", "as many bytes after it"),
        (LengthPrefixed(Text(max_length=300), 2), b"\x00", "a length of 2 bytes"),
        (LengthPrefixed(Int(3)), b"\x0201", "without zeros on the left"),
        (OrderedInt(), b"", "ordered code"),
        (OrderedInt(), b"\xc0\x3f", "ordered code"),  # 63 in two bytes
        (OrderedInt(), b"\x3f\xc0", "ordered code"),  # -64 in two bytes
        (OrderedInt(), b"\xc0", "ordered code"),
        (OrderedInt(), b"\x80\x80", "ordered code"),
        (OrderedInt(), b"\xff\xe0" + bytes(9), "ordered code"),
        (OrderedInt(), b"\xff\xc0\x80" + bytes(7), "ordered code"),  # 2**63
    ],
)
def test_bytes_that_do_not_end_a_value_are_refused(codec: KeyCodec[Any], raw: bytes, why: str) -> None:
    """What encoding would not give is refused with the reason."""
    with pytest.raises(ValueError, match=why):
        codec.decode(raw)
