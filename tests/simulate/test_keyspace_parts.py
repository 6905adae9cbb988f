"""The parts of a key space by themselves: strata of values, paces, growing ends, where reads go."""

from bisect import bisect_right
from datetime import timedelta
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.codecs.key import Base58, Base64, KeyCodec, LengthPrefixed, PaddedInt
from btmodel.rows import RowKeyCodec
from btmodel.schema import KeyField, Query
from btmodel.simulate.cluster import Assumptions, Cluster, run
from btmodel.simulate.keyspace import IntervalKind, traffic
from btmodel.simulate.keyspace.key_fields import making, pace_of, strata, zipf_shares
from btmodel.simulate.workload import Few, Reads, Sequential, Uniform, Workload, Zipf
from tests.simulate.brute import events
from tests.simulate.workloads import START, workload

STEPS, SECONDS = 60, 60.0


@given(
    st.sampled_from([Uniform(), Zipf(), Zipf(0.5), Zipf(1.0), Zipf(2.0), Few(0.9, 3), Few(0.5, 500)]),
    st.sampled_from([1, 2, 3, 10, 501, 5_000, 10**9]),
    st.integers(1, 600),
)
def test_strata_are_all_values_and_all_events(
    distribution: Uniform | Zipf | Few, count: int, most: int
) -> None:
    """Strata have all events together, stand for all values, and those that stand for several are crowds."""
    found = strata(distribution, count, lambda number: number, most, "field")
    assert sum(one.share for one in found) == pytest.approx(1)
    assert sum(one.count for one in found) == pytest.approx(count)
    assert all(one.crowd for one in found if one.count > 1 + 1e-9)
    assert all(0 <= one.value < count for one in found)
    assert len(found) <= max(most, 2)
    if all(not one.crowd for one in found):
        assert len({one.value for one in found}) == count


def test_zipf_is_that_of_ycsb() -> None:
    """Of 10**10 items, YCSB's constant for the sum of all weights gives the first 3.78 % and the first hundred 20.0 %."""
    shares = zipf_shares(0.99, 10**10, 1_000)
    assert shares[0] == pytest.approx(1 / 26.46902820178302, rel=1e-6)
    assert sum(shares[:100]) == pytest.approx(0.200, abs=5e-4)
    assert sum(shares) == pytest.approx(0.292, abs=5e-4)


def test_events_come_as_often_as_is_said() -> None:
    """The rate swings with the time of day, the least at midnight, grows from day to day, and sums up."""
    work = Workload(
        workload("at").model, 100, {}, {}, growth=1.0, daily=0.5, history=timedelta(hours=1), start=START
    )
    pace = pace_of(work, 48, 3_600)
    assert pace.rate[0] == pytest.approx(100 * 0.5, rel=0.05)
    assert pace.rate[12] == pytest.approx(100 * 2**0.5 * 1.5, rel=0.05)
    assert pace.rate[36] / pace.rate[12] == pytest.approx(2)
    assert pace.events(3_600 * 2.5) == pytest.approx(3_600 * (pace.rate[0] + pace.rate[1] + pace.rate[2] / 2))
    assert pace.events(pace.end) == pytest.approx(pace.rate.sum() * 3_600)
    assert (pace.events(-60), pace.events(-7_200)) == (-6_000, -360_000)


@pytest.mark.parametrize("field", ["at", "newest", "id", "second"])
def test_a_growing_end_is_where_its_keys_are(field: str) -> None:
    """Every key of a step lies in the one interval that is written in it, whose label is the time of its first key."""
    work = workload(field, writes=10)
    found = traffic(work, STEPS, SECONDS)
    for one in events(work, 1, 3_599, 600):
        [active] = found.active(int(one.second // 60)).nonzero()[0]
        assert bisect_right(found.low, one.key) - 1 == active
    for index in range(STEPS):
        [value] = RowKeyCodec(work.model).decode(found.low[index]).values()
        told = str(value) if field == "id" else f"{value:%Y-%m-%d %H:%M:%S}".removesuffix(":00")
        assert found.label(index) == f"{field}={told}"


def test_rows_of_one_moment_are_as_many_as_can_be() -> None:
    """A hundred events a second of fifty users, told apart by the second, make 50 (1 - exp(-2)) rows a second."""
    for fields in (("second", "user"), ("user", "second")):
        found = traffic(workload(*fields, writes=100, counts={"user": 50}), STEPS, SECONDS)
        assert found.new_rows(7).sum() == pytest.approx(60 * 50 * (1 - exp(-2)))


def test_a_sample_stands_for_as_many_rows_as_there_can_be() -> None:
    """What a sample has once stands for others, so that a table has as many rows as values."""
    keys = tuple({one.key for one in events(workload("user", counts={"user": 50_000}), 0, 60, 2_000)})
    found = traffic(workload("user", counts={"user": 50_000}, keys=keys, writes=1_000), STEPS, SECONDS)
    assert sum(found.new_rows(step).sum() for step in range(STEPS)) == pytest.approx(50_000, rel=0.01)


def test_reads_come_to_what_they_ask_for() -> None:
    """Of the newest rows all reads come to where rows are written, of a span to its time, and of everything to all times."""
    asked = {
        "newest": Query("newest", (), between="at"),
        "span": Query("span", (), between="at", span=timedelta(minutes=10)),
        "all": Query("all", ("user",)),
    }
    for name, steps in (("newest", 1), ("span", 10), ("all", 31)):
        work = workload("at", "user", queries=(asked[name],), reads=(Reads(name, 10, 5),))
        found = traffic(work, STEPS, SECONDS)
        [reads] = found.reads(30, found.before_rows)
        assert reads.sum() == pytest.approx(50)
        assert reads.nonzero()[0].tolist() == list(range(31 - steps, 31))
        assert reads[30] == pytest.approx(50 / steps)


def test_what_is_stored_may_be_compressed() -> None:
    """Half the bytes are half the table."""
    work = workload("at", days=1)
    sizes = [
        run(Cluster(3, assumptions=Assumptions(compression=share)), [traffic(work, 5, 60)])
        .tables[0]
        .bytes[-1]
        for share in (1.0, 0.5)
    ]
    assert sizes[1] == pytest.approx(sizes[0] / 2)


def test_ids_do_not_stop_at_the_largest_that_a_key_holds() -> None:
    """The orders of each shop are fewer than all orders: their numbers go on to the end, and each shop's end grows."""
    number = KeyField("number", PaddedInt(4))
    counts, moving = {"user": 3, "number": 1}, {"number": Sequential()}
    found = traffic(workload("user", number, counts=counts, distributions=moving), STEPS, SECONDS)
    assert set(found.kinds) == {IntervalKind.TAIL}
    numbers = sorted({int(low.partition(b"#")[2]) for low in found.low})
    assert len(numbers) == STEPS
    assert numbers[-1] == pytest.approx(9_999 * (1 - 1 / STEPS), rel=0.01)


@pytest.mark.parametrize("codec", [Base58(2), Base64(2), Base64(20), LengthPrefixed(Base58(20))])
def test_values_are_made_up_though_not_every_word_is_one(codec: KeyCodec[bytes]) -> None:
    """In base 58 and base 64 most words of the letters are no value: a thousand values are made up all the same."""
    make = making("k", codec, 1_000, START)
    assert len({codec.encode(make(number)) for number in range(1_000)}) == 1_000
