"""The words of messages that every room uses."""

from datetime import timedelta

import pytest

from btmodel.words import duration_text, one, size_text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1,023 bytes"),
        (1023.6, "1 KiB"),
        (1536, "1.5 KiB"),
        (10_240, "10 KiB"),
        ((1 << 20) - 1, "1 MiB"),
        (1.5 * 2**40, "1.5 TiB"),
        (2**71, "2,048 EiB"),
    ],
)
def test_bytes_are_in_the_unit_that_suits_them(count: float, text: str) -> None:
    """Units of 1,024, one digit behind the point below ten of them."""
    assert size_text(count) == text


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (timedelta(0), "0 days"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(seconds=90), "90 seconds"),
        (timedelta(hours=36), "36 hours"),
        (timedelta(days=7), "7 days"),
        (timedelta(seconds=1.5), "1,500 milliseconds"),
        (timedelta(microseconds=1), "1 microsecond"),
    ],
)
def test_durations_are_in_the_largest_whole_unit(duration: timedelta, text: str) -> None:
    """Nothing of a duration is rounded away."""
    assert duration_text(duration) == text


@pytest.mark.parametrize(
    ("noun", "said"),
    [
        ("day", "a day"),
        ("hour", "an hour"),
        ("Order", "an Order"),
        ("int", "an int"),
        ("User", "a User"),
        ("UUID", "a UUID"),
        ("Upload", "an Upload"),
        ("28 days", "28 days"),
    ],
)
def test_one_thing_has_its_article(noun: str, said: str) -> None:
    """By how it is spoken; what has a number needs none."""
    assert one(noun) == said
