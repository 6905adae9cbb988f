"""Models in the place of others: salts, buckets, and the proposed key, whose rows can really be written."""

import zlib
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

import btmodel as bt
from btmodel.declare import collecting
from btmodel.errors import SimulationRefused
from btmodel.rows import RowKeyCodec
from btmodel.schema import Bucket, ModelSchema
from btmodel.simulate.alternatives import ASSUMED_VALUES, bucketed, fixed, salted
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.table_growth import growth_of
from examples.balloons import BalloonWeek
from examples.battery import SaltedBattery, UserBattery, hot
from examples.market import Quote
from examples.meters import Sensor
from examples.metrics import CurrentMetrics
from examples.users import Login

AT = datetime(2026, 1, 5, 13, 7, 3, 250_000, tzinfo=UTC)
QUOTE = bt.schema_of(Quote)
VALUES = {"exchange": "NYSE", "symbol": "IBM", "quote_time": AT}


def refused_battery() -> ModelSchema:
    with collecting() as declared:
        hot()
    return declared.schemas[0]


def test_a_salt_stands_in_front_and_spreads_by_the_time() -> None:
    """Each of ten salts takes about a tenth of the rows, and the rest of the key stays as it was."""
    model = salted(QUOTE, 10)
    assert model.key.shape == "{salt}#{exchange}#{symbol}#{quote_time}"
    codec = RowKeyCodec(model)
    keys = [codec.key({**VALUES, "quote_time": AT + timedelta(milliseconds=n)}) for n in range(10_000)]
    found = Counter(key[:2] for key in keys)
    assert set(found) == {b"%d#" % salt for salt in range(10)}
    assert max(found.values()) < 1.2 * min(found.values())
    assert keys[0][2:] == RowKeyCodec(QUOTE).key(VALUES)


def test_a_salt_is_what_bt_salt_makes() -> None:
    """The simulated key is the one that a declared salt would write."""

    class Salted(bt.Model, table="S", events="20000/s", allow={"KEY005": "a test", "QRY004": "a test"}):
        """The same, declared."""

        salt = bt.salt("quote_time", buckets=7)
        exchange: str = bt.key(bt.Text(width=6), cardinality=20)
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)
        quote_time: datetime = bt.key(bt.EpochMillis())

        md = bt.family("MD", gc=bt.max_versions(1))
        bid: int = bt.column("BID", md)

    ours, declared = RowKeyCodec(salted(QUOTE, 7)), RowKeyCodec(bt.schema_of(Salted))
    for milli in range(100):
        values = {**VALUES, "quote_time": AT + timedelta(milliseconds=milli)}
        assert ours.key(values) == declared.key(values)
    assert zlib.crc32(b"1767618423250") % 7 == int(ours.key(VALUES)[:1])


def test_another_salt_takes_the_place_of_the_one_that_is_there() -> None:
    """No key has two: `--salt 10` of a model with three salts has ten."""
    model = salted(bt.schema_of(SaltedBattery), 10)
    assert model.key.shape == "BATTERY#{salt}#{at}"
    (salt,) = (part for part in model.key.fields if part.derived)
    assert salt.derived is not None
    assert len(salt.derived.values or ()) == 10


@pytest.mark.parametrize("buckets", [0, -3, 1_001])
def test_no_salt_has_no_values(buckets: int) -> None:
    """A salt of none is refused, and one that no read could be scattered over."""
    with pytest.raises(SimulationRefused, match="expected a salt of 1 to 1,000 values"):
        salted(QUOTE, buckets)


@pytest.mark.parametrize(
    ("bucket", "text"),
    [
        (Bucket.MINUTE, b"202601051307"),
        (Bucket.HOUR, b"2026010513"),
        (Bucket.DAY, b"20260105"),
        (Bucket.WEEK, b"2026-W02"),
        (Bucket.MONTH, b"202601"),
        (Bucket.YEAR, b"2026"),
    ],
)
def test_a_bucket_makes_one_row_of_its_events(bucket: Bucket, text: bytes) -> None:
    """The time of the key is that of the bucket, and the row has the events of it."""
    model = bucketed(QUOTE, bucket)
    start: object = bucket.start(AT)
    if bucket not in (Bucket.MINUTE, Bucket.HOUR):
        start = bucket.start(AT).date()
    assert RowKeyCodec(model).key({**VALUES, "quote_time": start}) == b"NYSE  #IBM  #" + text
    assert model.bucket is bucket


def test_a_larger_bucket_makes_fewer_and_larger_rows() -> None:
    """The events are the same: what rows get fewer by, they get larger by, less the keys that are saved."""
    hour, day = (
        growth_of(workload_of(bucketed(QUOTE, bucket))).after["a month"]
        for bucket in (Bucket.HOUR, Bucket.DAY)
    )
    assert hour.rows == pytest.approx(24 * day.rows, rel=0.01)
    assert 20 * hour.row < day.row < 24 * hour.row
    assert day.bytes < hour.bytes


def test_a_model_of_buckets_can_have_others() -> None:
    """Slots and versions stay what they are: events of the row."""
    for declared in (Sensor, BalloonWeek):
        schema = bt.schema_of(declared)
        month = growth_of(workload_of(bucketed(schema, Bucket.MONTH))).after["a month"]
        assert month.rows < growth_of(workload_of(schema)).after["a month"].rows
    assert bucketed(bt.schema_of(Sensor), Bucket.DAY) == bt.schema_of(Sensor)


def test_a_time_that_is_written_backwards_stays_so() -> None:
    """The newest bucket comes first, as the newest event did."""
    codec = RowKeyCodec(bucketed(bt.schema_of(Login), Bucket.DAY))
    early, late = (codec.key({"user": 7, "at": (AT + timedelta(days=n)).date()}) for n in (0, 1))
    assert late < early


def test_a_key_without_a_time_has_no_bucket() -> None:
    """Nothing is there to cut."""
    with pytest.raises(SimulationRefused, match="expected a time in"):
        bucketed(bt.schema_of(CurrentMetrics), Bucket.DAY)


def test_a_salt_of_the_time_follows_the_bucket() -> None:
    """A function that takes the finest time does not take a day: the salt is then made of the day."""
    model = bucketed(bt.schema_of(SaltedBattery), Bucket.DAY)
    days = [RowKeyCodec(model).key({"at": (AT + timedelta(days=n)).date()}) for n in range(100)]
    assert {key.split(b"#")[1] for key in days} == {b"1", b"2", b"3"}


def test_the_proposed_key_can_be_written() -> None:
    """What the review says in words is a model whose keys can be made: the user is promoted."""
    found = fixed(refused_battery())
    assert found is not None
    assert found.model.key.shape == "BATTERY#{user}#{at}"
    assert found.words == "make the column `user` (1,000,000 values) a key field"
    assert found.assumed == ()
    assert workload_of(found.model).counts == {"user": 1_000_000}
    assert RowKeyCodec(found.model).key({"user": "Jo", "at": AT}).startswith(b"BATTERY#Jo ")


def test_a_proposed_salt_works() -> None:
    """The salt of a proposal is a word; that of its simulation gives numbers."""
    model = salted(refused_battery(), 3)
    assert RowKeyCodec(model).key({"at": AT})[:10] in {b"BATTERY#%d#" % salt for salt in range(3)}


def test_values_that_nobody_counted_are_told_as_taken() -> None:
    """A column of unknown cardinality that is promoted is simulated with a number that the answer names."""
    with collecting() as declared:

        class Event(bt.Model, table="E", events="2000/s"):
            """The time alone."""

            at: datetime = bt.key(bt.EpochMicros())
            f = bt.family("f", gc=bt.max_versions(1))
            device: str = bt.column("d", f, size=20)

    found = fixed(declared.schemas[0])
    assert found is not None
    assert found.assumed == ("device",)
    assert workload_of(found.model).counts == {"device": ASSUMED_VALUES}


def test_a_good_key_has_no_fix() -> None:
    """The key that the review would propose is the one that is there."""
    assert fixed(bt.schema_of(UserBattery)) is None
