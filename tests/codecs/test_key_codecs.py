"""What every codec of a row-key field promises, held against a table of all of them."""

from typing import get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from key_cases import CASES, Case, plain

from btmodel.codecs import key as key_codecs
from btmodel.codecs.key import AsInKey, KeyCodec, Kind, Length, Order
from tests.examples_tried import examples

ORDERED = {name: case for name, case in CASES.items() if case.codec.ordered}
UNORDERED = {name: case for name, case in CASES.items() if not case.codec.ordered}
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def test_every_key_codec_is_held_here() -> None:
    """A codec that the package shows has a case in this table."""
    shown = {getattr(key_codecs, name) for name in key_codecs.__all__}
    codecs = {one for one in shown if issubclass(one, KeyCodec) and one is not KeyCodec}
    assert shown - codecs == {AsInKey, KeyCodec, Kind, Length, Order} & shown
    assert codecs == {type(case.codec) for case in CASES.values()}


@every_case
@examples(10)
@given(data=st.data())
def test_a_value_comes_back(case: Case, data: st.DataObject) -> None:
    """Decoding an encoded value gives the value, of the type that the codec names."""
    value = data.draw(case.values)
    back = case.codec.decode(case.codec.encode(value))
    assert back == plain(value)
    assert type(back) is (get_origin(case.codec.python_type) or case.codec.python_type)


@every_case
@examples(10)
@given(data=st.data())
def test_an_encoding_is_of_the_stated_length_and_alphabet(case: Case, data: st.DataObject) -> None:
    """No encoding is shorter, longer or made of other bytes than the codec says."""
    raw = case.codec.encode(data.draw(case.values))
    assert case.codec.length.least <= len(raw) <= case.codec.length.most
    assert case.codec.alphabet.issuperset(raw)
    assert case.codec.length.fixed in (None, len(raw))


@every_case
@examples(10)
@given(data=st.data())
def test_order_is_kept_where_it_is_claimed(case: Case, data: st.DataObject) -> None:
    """Where a codec says that it is ordered, bytes sort as values do, and different values differ."""
    a, b = data.draw(case.values), data.draw(case.values)
    raw_a, raw_b = case.codec.encode(a), case.codec.encode(b)
    assert (raw_a == raw_b) == (plain(a) == plain(b))
    if case.codec.order is Order.ASCENDING:
        assert (raw_a < raw_b) == (plain(a) < plain(b))
    if case.codec.order is Order.DESCENDING:
        assert (raw_a > raw_b) == (plain(a) < plain(b))


@pytest.mark.parametrize("case", UNORDERED.values(), ids=UNORDERED)
def test_an_unordered_codec_has_a_reason(case: Case) -> None:
    """A codec that says it is not ordered has two values whose bytes sort the other way, or that do not compare."""
    assert case.unordered is not None
    less, more = case.unordered
    if getattr(type(less), "__lt__", object.__lt__) is object.__lt__:
        with pytest.raises(TypeError):
            assert less < more
        return
    assert less < more or case.codec.encode(less) < case.codec.encode(more)
    assert (case.codec.encode(less) < case.codec.encode(more)) != (less < more)


@every_case
@examples(10)
@given(data=st.data())
def test_bytes_are_decoded_to_what_encodes_to_them(case: Case, data: st.DataObject) -> None:
    """Arbitrary bytes raise ValueError, or are the one encoding of the value that they decode to."""
    good = case.codec.encode(data.draw(case.values))
    at = data.draw(st.integers(0, len(good)))
    cut = data.draw(st.integers(0, 2))
    piece = data.draw(st.binary(max_size=2) | st.sampled_from([b" ", b"0", b"\0", b"-", b"_", b"+"]))
    raw = data.draw(st.sampled_from([good[:at] + piece + good[at + cut :], piece * len(good)]) | st.binary())
    try:
        value = case.codec.decode(raw)
    except ValueError:
        return
    assert case.codec.encode(value) == raw


@pytest.mark.parametrize("case", ORDERED.values(), ids=ORDERED)
@examples(10)
@given(data=st.data())
def test_a_bound_parts_the_rows_as_the_value_does(case: Case, data: st.DataObject) -> None:
    """A storable value is not below ``v`` exactly when its bytes are not below ``bound(v)``; descending, not above."""
    value, stored = data.draw(case.values), data.draw(case.values)
    bound = case.codec.bound(value)
    assert bound == case.codec.encode(value)
    raw = case.codec.encode(stored)
    above = raw <= bound if case.codec.order is Order.DESCENDING else raw >= bound
    assert above == (plain(stored) >= plain(value))
