"""Matrices in few bytes."""

import base64
import json
import struct
import zlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from btmodel.simulate.picture.files import LEVELS, PackedMatrix, bundle, packed
from tests.simulate.loads import spread

RATES = st.just(0.0) | st.floats(2**-10, 2**20, width=32)
MATRICES = arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=RATES)


def unpacked(raw: bytes, one: PackedMatrix) -> np.ndarray:
    """The rates, read as the page's script reads them."""
    lines, steps = one.levels.shape
    low, high = np.frombuffer(raw, np.uint8).reshape(2, lines, steps).astype(np.int32)
    folded = low | high << 8
    levels = np.cumsum((folded >> 1) ^ -(folded & 1), axis=1)
    rates = one.least * (one.most / one.least) ** ((levels - 1) / (LEVELS - 1))
    return np.where(levels > 0, rates, 0)


@given(MATRICES)
def test_rates_come_back(rates: np.ndarray) -> None:
    """Each within half a percent; nothing as nothing; what is less than a billionth of the most as that."""
    one = packed(rates)
    back = unpacked(one.written(), one)
    wanted = np.where(rates > 0, np.maximum(rates, rates.max(initial=0) / 1e9), 0)
    np.testing.assert_allclose(back, wanted, rtol=0.005)
    assert (back[rates == 0] == 0).all()


def test_facts_and_matrices_are_one_text() -> None:
    """A length, facts as JSON, then the matrices, compressed, in letters that mean nothing in HTML."""
    one = packed(np.array([[1.0, 2.0], [0.0, 4.0]]))
    text = bundle({"name": "é</script>"}, [one, one])
    whole = zlib.decompress(base64.b64decode(text, validate=True))
    (length,) = struct.unpack("<I", whole[:4])
    assert json.loads(whole[4 : 4 + length]) == {"name": "é</script>"}
    assert whole[4 + length :] == one.written() * 2


def test_a_day_of_noise_stays_small() -> None:
    """A map of 1,000 ranges and 1,440 steps without any order takes 2.5 million letters at most."""
    assert len(bundle({}, [packed(spread().writes)])) < 2_500_000
