"""Events in time buckets: appended blindly, and read back over as many rows as it takes."""

import random
from collections import defaultdict
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from attrs import frozen
from filter_interpreter import passing, stored
from hypothesis import given, settings
from hypothesis import strategies as st
from schemas import key_of, model_of

from btmodel.codecs.cell import Int64, Utf8
from btmodel.codecs.key import Constant, DateText, EpochMillis, IsoWeek, KeyCodec, PaddedInt, Text, TimeText
from btmodel.errors import DeclarationError, QueryRefused, UndecodableCell, ValueRefused
from btmodel.rows import Cell, EventCodec
from btmodel.schema import Bucket, Column, Family, KeepAll, KeyField, MaxVersions, Mirror, RowKey, Shape

NOW = 1_577_836_800_000_000
CLOCK = datetime(2020, 1, 1, tzinfo=UTC)
EAST = timezone(timedelta(hours=5, minutes=45))
HISTORIES = tuple(
    Column(name, "h", name.encode(), Int64(), required=False, shape=Shape.HISTORY)
    for name in ("temp", "wind")
)
LABELS: dict[Bucket, KeyCodec[Any]] = {
    Bucket.MINUTE: TimeText("%Y%m%d%H%M"),
    Bucket.HOUR: TimeText("%Y-%m-%d-%H"),
    Bucket.DAY: DateText(),
    Bucket.WEEK: IsoWeek(),
    Bucket.MONTH: DateText("%Y%m"),
    Bucket.YEAR: TimeText("%Y"),
}


@frozen(kw_only=True)
class Event:
    """An event, as a generated class would be."""

    k0: str
    at: datetime
    temp: int | None = None
    wind: int | None = None


def codec_of(bucket: Bucket, *codecs: KeyCodec[Any], versions: int | None = None) -> EventCodec[Event]:
    """The codec of the events of a station in buckets."""
    rule = MaxVersions(versions) if versions else KeepAll()
    key = key_of(*(codecs or (Text(max_length=3), LABELS[bucket])))
    families = (Family("p", MaxVersions(1)), Family("h", rule))
    return EventCodec(model_of(key, families=families, columns=HISTORIES, bucket=bucket), Event)


class Table:
    """Rows in a dict: as much of a server as these tests need."""

    def __init__(self) -> None:
        self.rows: defaultdict[bytes, dict[tuple[str, bytes, int], Cell]] = defaultdict(dict)

    def append(self, codec: EventCodec[Event], event: Event) -> None:
        """Set the cells of one event."""
        mutation = codec.mutation(event, NOW)
        self.rows[mutation.key].update({cell[:3]: cell for cell in mutation.cells})

    def read(self, codec: EventCodec[Event], station: str, start: datetime, end: datetime) -> list[Event]:
        """What the planned ranges and filter give, decoded."""
        plan = codec.plan({"k0": station}, start, end)
        found: list[Event] = []
        for part in plan.parts:
            for key in sorted(self.rows):
                if any(span.holds(key) for span in part.ranges):
                    cells = passing(part.filter, stored(self.rows[key].values()), CLOCK)
                    found += codec.decode(key, cells, start, end)
        return found


DAY = (datetime(2020, 2, 29, tzinfo=UTC), datetime(2020, 3, 1, tzinfo=UTC))


@settings(max_examples=150)
@given(
    bucket=st.sampled_from(Bucket),
    seed=st.integers(0, 2**32),
    edge=st.sampled_from([(2020, 2, 29), (2020, 12, 31)]),
)
def test_a_range_of_events_is_read_back_whole(bucket: Bucket, seed: int, edge: tuple[int, int, int]) -> None:
    """Over edges of buckets, months and years: just the events of the station in ``[start, end)``, oldest first."""
    chance = random.Random(seed)
    noon = datetime(*edge, 12, tzinfo=UTC)
    hops = [
        timedelta(0),
        timedelta(milliseconds=1),
        timedelta(minutes=1),
        timedelta(hours=12),
        timedelta(days=31),
    ]
    codec, table = codec_of(bucket), Table()
    times = sorted(
        {noon + sum(chance.choices([*hops, *(-hop for hop in hops)], k=4), timedelta()) for _ in range(12)}
    )
    events = [
        Event(k0=chance.choice(["A", "AB", "B"]), at=time, temp=number, wind=chance.choice([None, -number]))
        for number, time in enumerate(times)
    ]
    for event in chance.sample(events, len(events)):
        table.append(codec, event)
    for _ in range(6):
        start, end = sorted(
            (chance.choice(times) + timedelta(microseconds=chance.choice([-1, 0, 0, 1]))).astimezone(
                chance.choice([UTC, EAST])
            )
            for _ in range(2)
        )
        wanted = [event for event in events if event.k0 == "A" and start <= event.at < end]
        assert table.read(codec, "A", start, end) == wanted


def test_the_row_and_cells_of_an_event_are_pinned() -> None:
    """An event lies in the row of its day, a version at its own time in each column that it has a value for."""
    mutation = codec_of(Bucket.DAY).append(
        datetime(2020, 2, 29, 23, 59, tzinfo=UTC), {"k0": "A", "temp": 7}, NOW
    )
    assert mutation.key == b"A#20200229"
    assert list(mutation.cells) == [Cell("h", b"temp", 1_583_020_740_000_000, bytes(7) + b"\x07")]


def test_an_event_is_of_the_day_in_utc() -> None:
    """An early morning in the east is an event of the day before."""
    mutation = codec_of(Bucket.DAY).append(
        datetime(2020, 3, 1, 5, 44, tzinfo=EAST), {"k0": "A", "wind": 1}, NOW
    )
    assert mutation.key == b"A#20200229"


def test_appending_again_changes_nothing() -> None:
    """The same event appended twice is one event."""
    codec, table = codec_of(Bucket.DAY), Table()
    event = Event(k0="A", at=datetime(2020, 2, 29, tzinfo=UTC), temp=1)
    table.append(codec, event)
    before = {key: dict(cells) for key, cells in table.rows.items()}
    table.append(codec, event)
    assert table.rows == before


def test_an_event_repeats_the_key_fields_that_are_mirrored() -> None:
    """A mirrored key field is written with every event, at the time of writing."""
    key = RowKey(
        (KeyField("k0", Text(max_length=3), mirror=Mirror("p", b"K", Utf8())), KeyField("k1", DateText())),
        b"#",
    )
    families = (Family("p", MaxVersions(1)), Family("h", KeepAll()))
    codec = EventCodec(model_of(key, families=families, columns=HISTORIES, bucket=Bucket.DAY), Event)
    mutation = codec.append(datetime(2020, 2, 29, tzinfo=UTC), {"k0": "A", "temp": 1}, NOW)
    assert mutation.cells[0] == Cell("p", b"K", NOW, b"A")


def test_versions_are_counted_before_times_are_looked_at() -> None:
    """A range that begins in the past does not bring back what the rule of the family has given up."""
    codec, table = codec_of(Bucket.DAY, versions=2), Table()
    start = datetime(2020, 2, 29, tzinfo=UTC)
    for hour in range(4):
        table.append(codec, Event(k0="A", at=start + timedelta(hours=hour), temp=hour))
    assert [event.temp for event in table.read(codec, "A", start, start + timedelta(hours=3))] == [2]


def test_an_empty_range_asks_nothing() -> None:
    """A range that ends where it begins reads no row; one that ends before is refused."""
    start = datetime(2020, 2, 29, 12, tzinfo=UTC)
    assert codec_of(Bucket.DAY).plan({"k0": "A"}, start, start).ranges == ()
    with pytest.raises(QueryRefused, match="expected a start that is not after the end"):
        codec_of(Bucket.DAY).plan({"k0": "A"}, start, start - timedelta(hours=1))


def test_a_range_up_to_the_end_of_time_is_answered() -> None:
    """The latest time that there is can end a range."""
    codec, table = codec_of(Bucket.DAY), Table()
    event = Event(k0="A", at=datetime(9999, 12, 31, 12, tzinfo=UTC), temp=1)
    table.append(codec, event)
    assert table.read(codec, "A", CLOCK, datetime.max.replace(microsecond=0, tzinfo=UTC)) == [event]


NAIVE, FINE = datetime(2020, 1, 1), datetime(2020, 1, 1, microsecond=1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "values", "error", "message"),
    [
        (NAIVE, {"k0": "A", "temp": 1}, ValueRefused, "Row event: expected an aware datetime"),
        (FINE, {"k0": "A", "temp": 1}, ValueRefused, "whole milliseconds"),
        (datetime(1969, 12, 31, tzinfo=UTC), {"k0": "A", "temp": 1}, ValueRefused, "from 1970 on"),
        (date(2020, 1, 1), {"k0": "A", "temp": 1}, ValueRefused, "Row event"),
        (CLOCK, {"k0": "A"}, ValueRefused, "at least one of temp, wind"),
        (CLOCK, {"k0": "A", "temp": None}, ValueRefused, "at least one of temp, wind"),
        (CLOCK, {"k0": "A", "temp": "1"}, ValueRefused, r"Row\.temp"),
        (CLOCK, {"k0": "A#", "temp": 1}, ValueRefused, r"Row\.k0"),
        (CLOCK, {"temp": 1}, QueryRefused, "missing: k0"),
        (CLOCK, {"k0": "A", "rain": 1}, QueryRefused, "unknown: rain"),
        (CLOCK, {"k0": "A", "k1": date(2020, 1, 1), "temp": 1}, QueryRefused, "unknown: k1"),
    ],
)
def test_an_event_that_does_not_fit_is_refused(
    at: Any, values: dict[str, Any], error: type[Exception], message: str
) -> None:
    """A wrong time, value or field of an event is refused before anything is written, by name."""
    with pytest.raises(error, match=message):
        codec_of(Bucket.DAY).append(at, values, NOW)


def test_a_message_about_fields_names_those_that_are_wrong_only() -> None:
    """A history without a reading is not called missing."""
    with pytest.raises(QueryRefused) as refusal:
        codec_of(Bucket.DAY).append(CLOCK, {"temp": 1}, NOW)
    assert "missing: k0" in str(refusal.value)
    assert "wind" not in str(refusal.value).partition("missing")[2]


def test_a_range_asked_with_wrong_fields_or_times_is_refused() -> None:
    """Events are asked for by just the key fields in front of the bucket, between aware times."""
    codec = codec_of(Bucket.DAY)
    with pytest.raises(QueryRefused, match="missing: k0; unknown: temp"):
        codec.plan({"temp": 1}, CLOCK, CLOCK)
    with pytest.raises(ValueRefused, match="Row event"):
        codec.plan({"k0": "A"}, NAIVE, CLOCK)
    with pytest.raises(QueryRefused, match="declares no bucket"):
        EventCodec(model_of(key_of(PaddedInt(1)), columns=HISTORIES), Event)


@pytest.mark.parametrize(
    "codecs",
    [
        (DateText(), Text(max_length=3)),
        (Text(max_length=3), DateText(), EpochMillis()),
    ],
    ids=["bucket first", "a time behind"],
)
def test_a_bucket_that_is_no_range_of_rows_is_refused(codecs: tuple[KeyCodec[Any], ...]) -> None:
    """Where the bucket is not the last field that a key asks for, events are refused, never read wrongly."""
    with pytest.raises((QueryRefused, DeclarationError)):
        codec_of(Bucket.DAY, *codecs).plan(
            {f"k{at}": "A" for at, codec in enumerate(codecs) if not isinstance(codec, DateText)},
            CLOCK,
            CLOCK,
        )


def test_buckets_whose_labels_do_not_sort_are_read_in_turn() -> None:
    """Events come in the order of time over labels in any order, and a span of too many of them is refused."""
    codec: EventCodec[Event] = codec_of(Bucket.DAY, Text(max_length=3), DateText("%d%m%Y"))
    table = Table()
    start = datetime(2020, 1, 28, tzinfo=UTC)
    events = [Event(k0="A", at=start + timedelta(days=day), temp=day) for day in range(9)]
    for event in events:
        table.append(codec, event)
    assert table.read(codec, "A", start, start + timedelta(days=9)) == events
    assert table.read(codec, "A", start + timedelta(days=2), start + timedelta(days=5)) == events[2:5]
    with pytest.raises(QueryRefused, match="at most 10,000 days"):
        codec.plan({"k0": "A"}, start, start + timedelta(days=10_001))


def test_constants_around_the_bucket_are_part_of_the_key() -> None:
    """A constant in front of or behind the bucket does not stand in the way of events."""
    codec: EventCodec[Event] = codec_of(Bucket.DAY, Text(max_length=3), Constant("w"), DateText())
    table = Table()
    event = Event(k0="A", at=datetime(2020, 2, 29, tzinfo=UTC), temp=1)
    table.append(codec, event)
    assert list(table.rows) == [b"A#w#20200229"]
    assert table.read(codec, "A", event.at, event.at + timedelta(days=1)) == [event]


def test_a_reading_that_does_not_parse_is_told_with_its_place() -> None:
    """An unreadable cell of an event names table, row and cell; cells of other columns are left alone."""
    codec = codec_of(Bucket.DAY)
    assert list(codec.decode(b"A#20200229", [Cell("h", b"other", NOW, b"x")], *DAY)) == []
    with pytest.raises(UndecodableCell, match=r"table t, row b'A#20200229', cell h:temp"):
        list(codec.decode(b"A#20200229", [Cell("h", b"temp", NOW, b"x")], *DAY))
