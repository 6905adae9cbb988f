"""Dates and times of keys that are read as columns: computed for all at once, they are what the codec makes of each."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.columnar.cell_arrays import ByteSpans, Unproved, calendar_times

CODECS = [
    bt.DateText(),
    bt.DateText("%d/%m/%Y"),
    bt.DateText("%Y-%m"),
    bt.DateText("%Y"),
    bt.TimeText("%Y%m%d%H%M"),
    bt.TimeText("%Y-%m-%dT%H:%M:%SZ"),
    bt.TimeText("%Y%m%d%H%M%S%3f"),
    bt.TimeText("%Y%m%d%H%M%S.%f"),
    bt.TimeText("%Y%m%d%H%M%S%9f"),
]


def both(codec: Any, texts: list[bytes]) -> tuple[Any, Any]:
    """What the codec makes of each text, and what is computed of all; None where one is refused."""
    ends = np.cumsum([len(text) for text in texts])
    spans = ByteSpans(np.frombuffer(b"".join(texts), np.uint8), np.array([0, *ends[:-1]]), ends)
    try:
        told = [codec.decode(text) for text in texts]
    except ValueError:
        told = None
    try:
        return told, calendar_times(codec, spans).to_pylist()
    except Unproved:
        return told, None


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.format.text)
@given(data=st.data())
def test_texts_with_any_digit_wrong_are_what_the_codec_makes_of_them(codec: Any, data: st.DataObject) -> None:
    """Also the 30th of February, a month 13, the year 0, a second 60, letters, and other signs between the units."""
    digits = st.text("0123456789", min_size=4, max_size=9)
    units = {
        part: digits.map(lambda text, size=size: text[-size:].rjust(size, "0"))
        for part, size in codec.format.sized
    }
    near = {
        "%m": "01 02 04 12 13 00",
        "%d": "01 28 29 30 31 32 00",
        "%H": "00 23 24",
        "%Y": "1900 2000 2023 2024 0000 9999",
    }
    parts = [
        (st.sampled_from(near[part].split()) if part in near else units[part])
        if part[0] == "%"
        else st.sampled_from([part, "\0" * size])
        for part, size in codec.format.sized
    ]
    texts = data.draw(st.lists(st.tuples(*parts).map("".join).map(str.encode), min_size=1, max_size=3))
    strange = data.draw(st.sampled_from([None, None, None, b"/", b":", b"\xb2", b" "]))
    if strange:
        texts[0] = strange + texts[0][1:]
    told, computed = both(codec, texts)
    assert computed == told


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.format.text)
def test_every_day_is_itself(codec: Any) -> None:
    """Of years with and without a 29th of February, 1900 and 2000 among them, each day is read as the codec reads it."""
    days = [
        datetime(1896, 2, 25, tzinfo=UTC) + timedelta(at) for at in (*range(3_000), *range(37_000, 40_000))
    ]
    texts = [codec.format.write(day) for day in days]
    told, computed = both(codec, texts)
    assert told is not None
    assert computed == told
