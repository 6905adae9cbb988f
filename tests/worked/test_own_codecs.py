"""The codecs of the examples' own: they keep the promises of the built-in ones."""

from datetime import timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import btmodel as bt
from examples.codecs import MachineName, WholeSeconds

NAME, SECONDS = MachineName(), WholeSeconds()
MACHINES = st.integers(0, 10**10 - 1)
TIMES = st.integers(0, 36_500 * 86_400 - 1).map(lambda seconds: timedelta(seconds=seconds))
# Bytes that are nearly right, among any others.
DIGITS = st.binary() | st.text("0123456789_²٣ +-").map(str.encode)


@given(MACHINES)
def test_a_machine_is_read_as_it_was_written(number: int) -> None:
    """What is written has the length and the bytes that the codec claims."""
    raw = NAME.encode(number)
    assert NAME.decode(raw) == number
    assert NAME.length.least <= len(raw) <= NAME.length.most
    assert set(raw) <= NAME.alphabet


@given(DIGITS | DIGITS.map(lambda raw: b"machine_" + raw))
@example(b"machine_07")
@example(b"4223421")
@example(b"machine_machine_7")
def test_a_machine_has_one_name(raw: bytes) -> None:
    """Any bytes are refused, or are what the number is written as."""
    try:
        number = NAME.decode(raw)
    except ValueError:
        return
    assert NAME.encode(number) == raw


@given(TIMES)
def test_a_length_of_time_is_read_as_it_was_written(time: timedelta) -> None:
    """From nothing up to a century."""
    assert SECONDS.decode(SECONDS.encode(time)) == time


@given(DIGITS)
@example(b"007")
@example(b"-1")
@example(b"3153600000")
@example(b"3153599999")
def test_a_length_of_time_has_one_text(raw: bytes) -> None:
    """Any bytes are refused, or are what the length of time is written as."""
    try:
        time = SECONDS.decode(raw)
    except ValueError:
        return
    assert SECONDS.encode(time) == raw


@pytest.mark.parametrize("value", [-1, 10**10, True, "7", 7.0, None])
def test_no_number_of_a_machine(value: object) -> None:
    """What is written must be a whole number of up to 10 digits."""
    with pytest.raises(bt.ValueRefused, match="expected the number of a machine, of up to 10 digits, got"):
        NAME.encode(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value", [timedelta(milliseconds=1), timedelta(seconds=-1), timedelta(days=36_500), 90, None]
)
def test_no_length_of_time(value: object) -> None:
    """Parts of a second are refused, and so is what is negative or a century long."""
    with pytest.raises(
        bt.ValueRefused, match="expected a timedelta of whole seconds, from 0 up to a century, got"
    ):
        SECONDS.encode(value)  # type: ignore[arg-type]
