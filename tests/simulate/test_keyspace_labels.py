"""What is told of a range of keys is what its first key holds."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from attrs import evolve

from btmodel.codecs.key import Descending, EpochMicros, EpochSeconds, TimeText
from btmodel.schema import KeyField
from btmodel.simulate.keyspace import Traffic, traffic
from btmodel.simulate.workload import EventTime, Workload
from tests.simulate.workloads import START, salted, workload

CLOCK = {"hour": EventTime(), "late": EventTime()}
HOUR = KeyField("hour", TimeText("%Y%m%d%H"))
LATE = KeyField("late", Descending(EpochMicros()))
TELLS: dict[str, Callable[[str], str]] = {
    "day": lambda text: text.replace("-", ""),
    "hour": lambda text: f"{datetime.fromisoformat(text):%Y%m%d%H}",
    "user": str,
    "salt": str,
    "meter": lambda text: f"{int(text):010}",
}
KEYS: dict[str, Workload] = {
    "day first": workload("day", "user", "at", days=20),
    "day behind the user": workload("user", "day", days=20, counts={"user": 300}),
    "day behind a salt of the user": workload(salted("user", 3), "day", "user", days=20),
    "an hour within a day": workload("day", HOUR, "user", days=400, distributions=CLOCK),
    "an hour of many users": workload("user", HOUR, "meter", days=20, distributions=CLOCK),
}


def of_low(told: Traffic, index: int) -> list[bytes]:
    """The fields of an interval's first key, which has no delimiter in them."""
    return told.low[index].split(b"#")


@pytest.mark.parametrize("name", KEYS)
def test_labels_tell_what_the_first_key_of_their_range_holds(name: str) -> None:
    """Also of the days, hours and users from before the start, and of ranges of many days."""
    told = traffic(KEYS[name], 240, 60.0, resolution=2_048)
    for at in range(len(told.low)):
        texts = dict(zip(told.fields, told.texts(at), strict=False))
        for raw, (field, text) in zip(of_low(told, at), texts.items(), strict=False):
            if field in TELLS:
                assert raw == TELLS[field](text).encode(), told.label(at)


def test_a_descending_time_is_told_as_its_first_key_holds_it() -> None:
    """The first key of a stretch is its last moment."""
    told = traffic(workload("user", LATE, days=20, counts={"user": 3}, distributions=CLOCK), 240, 60.0)
    codec = Descending(EpochMicros())
    for at, low in enumerate(told.low):
        user, late = told.texts(at)
        assert low.startswith(user.encode())
        moment = codec.decode(low.partition(b"#")[2])
        assert f"{moment:%Y-%m-%d %H:%M}" == late[:16]


def test_a_number_of_a_second_is_told() -> None:
    """A key that begins with a second."""
    field = KeyField("late", EpochSeconds())
    told = traffic(workload(field, days=3, distributions=CLOCK), 240, 60.0, resolution=512)
    for at, low in enumerate(told.low):
        assert f"{EpochSeconds().decode(low):%Y-%m-%d %H:%M}" == told.texts(at)[0][:16]


@pytest.mark.parametrize(("days", "seconds"), [(1, 0), (20, 0), (20, 1_000), (400, 0), (4_000, 5_000)])
def test_what_is_written_first_is_of_the_hour_and_of_the_day_of_the_start(days: int, seconds: int) -> None:
    """However long the history is, which is told apart more coarsely: no event goes to an hour that is over."""
    start = START + timedelta(hours=22, seconds=seconds)
    for field, text in ((HOUR, f"{start:%Y%m%d%H}"), ("day", f"{start:%Y%m%d}")):
        work = workload(field, "user", "at", days=days, distributions=CLOCK)
        told = traffic(evolve(work, start=start), 60, 60.0, resolution=2_048)
        for at in told.writes(0).nonzero()[0]:
            assert told.low[at].startswith(text.encode()), told.low[at]
