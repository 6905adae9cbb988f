"""Events of several shapes in one row: histories, marks and slots, in buckets of every label."""

import random
from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from attrs import frozen
from filter_interpreter import passing, stored
from hypothesis import given
from hypothesis import strategies as st
from schemas import key_of, model_of

from btmodel.codecs.cell import Int64, Present
from btmodel.codecs.key import DateText, Descending, IsoWeek, KeyCodec, PaddedInt, Text, TimeText, Week
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows import Cell, EventCodec
from btmodel.rows.filters import Filter
from btmodel.rows.gc_filter import of_events
from btmodel.rows.read import RangeOrder
from btmodel.schema import (
    Bucket,
    Column,
    Derived,
    Family,
    GcRule,
    KeepAll,
    KeyField,
    MaxAge,
    MaxVersions,
    RowKey,
    Shape,
)
from btmodel.schema.bucket import SlotFormat
from tests.examples_tried import examples

NOW = 1_577_836_800_000_000
CLOCK = datetime(2020, 1, 1, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FAMILIES = (
    Family("h", KeepAll()),
    Family("m", KeepAll()),
    Family("s", MaxVersions(1)),
    Family("p", MaxVersions(1)),
)


@frozen(kw_only=True)
class Event:
    """An event, as a generated class would be."""

    k0: str
    at: datetime
    temp: int | None = None
    kind: int | None = None
    power: int | None = None


def codec_of(
    slots: SlotFormat,
    *codecs: KeyCodec[Any],
    derived: KeyField | None = None,
    families: tuple[Family, ...] = FAMILIES,
) -> EventCodec[Event]:
    """The codec of events that are a version, a mark and a slot each."""
    fields = (*((derived,) if derived else ()), *key_of(*codecs).fields)
    columns = (
        Column("temp", "h", b"t", Int64(), required=False, shape=Shape.HISTORY),
        Column("kind", "m", b"", Present(), required=False, shape=Shape.MARKS, names=PaddedInt(3)),
        Column("power", "s", b"p", Int64(), required=False, shape=Shape.SLOTS, slots=slots),
    )
    model = model_of(RowKey(fields, b"#"), families=families, columns=columns, bucket=slots.bucket)
    return EventCodec(model, Event)


STATION = Text(max_length=3)
SALT = KeyField("d", PaddedInt(1), derived=Derived(("k1",), lambda day: day.toordinal() % 3, (0, 1, 2)))
HOURLY = SlotFormat("%H", HOUR, Bucket.DAY)
CODECS = {
    "hours": codec_of(SlotFormat("%M", timedelta(minutes=1), Bucket.HOUR), STATION, TimeText("%Y%m%d%H")),
    "days": codec_of(HOURLY, STATION, DateText()),
    "days that do not sort": codec_of(HOURLY, STATION, DateText("%d%m%Y")),
    "days from the last to the first": codec_of(HOURLY, STATION, Descending(DateText())),
    "salted days": codec_of(HOURLY, STATION, DateText(), derived=SALT),
    "ISO weeks": codec_of(SlotFormat("%d", DAY, Bucket.WEEK), STATION, IsoWeek()),
    "weeks": codec_of(
        SlotFormat("%d", DAY, Bucket.WEEK), STATION, Week("week{n}", origin=date(2019, 12, 23), first=8)
    ),
    "months": codec_of(SlotFormat("%-d", DAY, Bucket.MONTH), STATION, DateText("%Y%m")),
    "years": codec_of(SlotFormat("%-m-%-d", DAY, Bucket.YEAR), STATION, TimeText("%Y")),
}


class Table:
    """Rows in a dict: as much of a server as these tests need."""

    def __init__(self) -> None:
        self.rows: defaultdict[bytes, dict[tuple[str, bytes, int], Cell]] = defaultdict(dict)

    def append(self, codec: EventCodec[Event], event: Event, now: int = NOW) -> None:
        """Set the cells of one event."""
        mutation = codec.mutation(event, now)
        self.rows[mutation.key].update({cell[:3]: cell for cell in mutation.cells})

    def read(self, codec: EventCodec[Event], start: datetime, end: datetime) -> list[Event]:
        """What the plan gives of station A: read by read, in the order of the plan."""
        plan = codec.plan({"k0": "A"}, start, end)
        found: list[Event] = []
        for part in plan.parts:
            for key in sorted(self.rows, reverse=part.backwards):
                if any(span.holds(key) for span in part.ranges):
                    found += codec.decode(key, self.kept(key, part.filter), start, end)
        return found

    def newest(
        self, codec: EventCodec[Event], most: int, start: datetime | None, end: datetime | None
    ) -> list[Event]:
        """What the plan of the newest gives of station A: row by row, the events of each from the last."""
        found: list[Event] = []
        for part in codec.newest({"k0": "A"}, start, end, most).parts:
            for key in sorted(self.rows, reverse=part.backwards):
                if any(span.holds(key) for span in part.ranges) and len(found) < most:
                    found += reversed([*codec.decode(key, self.kept(key, part.filter), start, end)])
        return found[:most]

    def kept(self, key: bytes, filter: Filter | None) -> list[Cell]:
        """The cells of a row that a filter lets through."""
        return passing(filter, stored(self.rows[key].values()), CLOCK)


@examples(60)
@given(
    name=st.sampled_from(sorted(CODECS)),
    seed=st.integers(0, 2**32),
    edge=st.sampled_from([date(2020, 2, 29), date(2020, 12, 31), date(2021, 1, 3)]),
)
def test_events_of_every_shape_and_label_are_read_back(name: str, seed: int, edge: date) -> None:
    """Over edges of buckets: just the events of the station in ``[start, end)``, from the oldest to the newest.

    The newest of them are the last ones, from the newest on, however many are asked for.
    """
    chance = random.Random(seed)
    codec, table = CODECS[name], Table()
    hops = [timedelta(0), timedelta(milliseconds=1), timedelta(minutes=1), HOUR, DAY, 6 * DAY, 31 * DAY]
    midnight = datetime(edge.year, edge.month, edge.day, tzinfo=UTC)
    times = sorted(
        {midnight + chance.choice([-1, 1]) * sum(chance.choices(hops, k=2), timedelta()) for _ in range(12)}
    )
    events = []
    for number, time in enumerate(times):
        temp, kind = chance.choice([(number, None), (None, number), (number, number)])
        power = number if time == codec._series["power"].column.slots.start(time) else None  # type: ignore[union-attr]
        events.append(Event(k0=chance.choice(["A", "AB"]), at=time, temp=temp, kind=kind, power=power))
    for event in chance.sample(events, len(events)):
        table.append(codec, event)
    for _ in range(6):
        start, end = sorted(
            chance.choice(times) + timedelta(microseconds=chance.choice([-1, 0, 0, 1])) for _ in range(2)
        )
        wanted = [event for event in events if event.k0 == "A" and start <= event.at < end]
        assert table.read(codec, start, end) == wanted
        most = chance.choice([1, 2, 3, 20])
        assert table.newest(codec, most, start, end) == wanted[::-1][:most]
        if codec._contiguous:
            of_all = [event for event in reversed(events) if event.k0 == "A"]
            assert table.newest(codec, most, None, None) == of_all[:most]
            since = [event for event in of_all if event.at >= start]
            assert table.newest(codec, most, start, None) == since[:most]


@pytest.mark.parametrize("rule", [MaxVersions(3), MaxVersions(2) | MaxAge(DAY), MaxAge(DAY) & MaxVersions(3)])
def test_the_newest_events_are_those_that_the_rule_keeps(rule: GcRule) -> None:
    """What garbage collection would delete is none of the newest, and no more versions are sent than are asked for."""
    families = (Family("h", rule), Family("m", rule), *FAMILIES[2:])
    codec, table = codec_of(HOURLY, STATION, DateText(), families=families), Table()
    events = [Event(k0="A", at=CLOCK + n * HOUR / 2 - DAY, temp=n, kind=n) for n in range(40)]
    for event in events:
        table.append(codec, event)
    kept = table.read(codec, CLOCK - 9 * DAY, CLOCK + DAY)
    for most in (1, 2, 3, 50):
        assert table.newest(codec, most, None, None) == kept[::-1][:most]
    filter = codec.newest({"k0": "A"}, None, None, 1).filter
    for key, cells in table.rows.items():
        passed = {cell for cell in passing(filter, stored(cells.values()), CLOCK) if cell.family == "h"}
        assert len(passed) <= 1, key


def test_the_newest_need_a_number_and_an_end_to_the_search() -> None:
    """No event, and a search without an end where each bucket is asked for, are refused before anything is sent."""
    for most in (0, -1, True, 1.5, "5"):
        with pytest.raises(
            QueryRefused, match="Row: newest_events: expected a number of events from 1 on, got"
        ):
            CODECS["days"].newest({"k0": "A"}, None, None, most)  # type: ignore[arg-type]
    for start, end in ((None, CLOCK), (CLOCK, None), (None, None)):
        with pytest.raises(QueryRefused, match="expected a start and an end, as 'k1' does not sort"):
            CODECS["days that do not sort"].newest({"k0": "A"}, start, end, 5)
    with pytest.raises(QueryRefused, match="a time of at most 10,000 days"):
        CODECS["days that do not sort"].newest({"k0": "A"}, CLOCK - 10_001 * DAY, CLOCK, 5)
    with pytest.raises(QueryRefused, match="Row: newest_events"):
        CODECS["days"].newest({}, None, None, 5)


def test_labels_that_sort_down_are_read_backwards() -> None:
    """The oldest bucket lies behind the newest: one range, from its end."""
    plan = CODECS["days from the last to the first"].plan({"k0": "A"}, CLOCK, CLOCK + 2 * DAY)
    assert len(plan.ranges) == 1
    assert plan.backwards


@pytest.mark.parametrize("name", ["weeks", "days that do not sort", "salted days"])
def test_labels_that_do_not_sort_are_read_in_turn(name: str) -> None:
    """Where the rows of a span of time are no range, each bucket is asked for by its key."""
    plan = CODECS[name].plan({"k0": "A"}, CLOCK, CLOCK + 14 * DAY)
    assert plan.joined is RangeOrder.IN_TURN
    assert all(span.key is not None for span in plan.ranges)
    assert len(plan.ranges) == (3 if name == "weeks" else 14)


def test_weeks_without_a_label_hold_no_events() -> None:
    """Before the first week nothing was stored: it is not asked for, and nothing is stored there."""
    codec = CODECS["weeks"]
    origin = datetime(2019, 12, 23, tzinfo=UTC)
    (span,) = codec.plan({"k0": "A"}, origin - 21 * DAY, origin + DAY).ranges
    assert span.key == b"A#week8"
    with pytest.raises(ValueRefused, match=r"Row\.k1: expected a Monday from 2019-12-23"):
        codec.append(origin - DAY, {"k0": "A", "power": 1}, NOW)


def test_the_cells_of_an_event_of_every_shape_are_pinned() -> None:
    """One event is a version and a mark at its own time, and a slot at the time of writing."""
    event = Event(k0="A", at=datetime(2020, 2, 9, tzinfo=UTC), temp=1, kind=2, power=3)
    mutation = CODECS["months"].mutation(event, NOW)
    at = 1_581_206_400_000_000
    assert mutation.key == b"A#202002"
    assert list(mutation.cells) == [
        Cell("h", b"t", at, bytes(7) + b"\1"),
        Cell("m", b"002", at, b""),
        Cell("s", b"p9", NOW, bytes(7) + b"\3"),
    ]


def test_an_event_between_two_slots_has_none() -> None:
    """A value for slots at a time that begins none is refused, before anything is written."""
    with pytest.raises(ValueRefused, match=r"Row\.power: expected a time that begins a slot of 1h"):
        CODECS["days"].append(CLOCK + timedelta(minutes=1), {"k0": "A", "temp": 1, "power": 1}, NOW)


def test_a_slot_that_is_written_again_is_replaced() -> None:
    """Of a slot the newest writing counts, whatever the time that is asked for."""
    codec, table = CODECS["days"], Table()
    for number in range(3):
        table.append(codec, Event(k0="A", at=CLOCK, power=number), NOW + 1000 * number)
    assert table.read(codec, CLOCK, CLOCK + HOUR) == [Event(k0="A", at=CLOCK, power=2)]


def test_times_bound_the_cells_of_histories_and_marks_and_not_of_slots() -> None:
    """The timestamp of a slot is when it was written, so its family is read whole, but for what its rule gives up."""
    families = (*FAMILIES[:2], Family("s", MaxVersions(1) | MaxAge(DAY)), FAMILIES[3])
    codec = codec_of(HOURLY, STATION, DateText(), families=families)
    shown = str(of_events(codec._model, 1_000_000, 2_000_000))
    assert "families h, m > timestamps [1000000, 2000000) |" in shown
    assert "families s > newest 1 of a column > younger than 1 day" in shown
    assert "families p" not in shown
    table = Table()
    old = int(NOW - 2 * DAY.total_seconds() * 1_000_000)
    table.append(codec, Event(k0="A", at=CLOCK, power=1), old)
    table.append(codec, Event(k0="A", at=CLOCK + HOUR, power=2), NOW)
    assert table.read(codec, CLOCK, CLOCK + DAY) == [Event(k0="A", at=CLOCK + HOUR, power=2)]


def test_slots_before_1970_are_events() -> None:
    """A slot's time is no timestamp: it may lie before 1970, where histories have no events."""
    codec = codec_of(SlotFormat("%H", HOUR, "day"), Text(max_length=3), DateText())
    dark = datetime(1969, 12, 31, 22, tzinfo=UTC)
    cells: dict[bytes, list[Cell]] = defaultdict(list)
    for count in range(4):
        mutation = codec.append(dark + count * HOUR, {"k0": "A", "power": count}, NOW)
        cells[mutation.key] += mutation.cells
    assert sorted(cells) == [b"A#19691231", b"A#19700101"]
    for first, last in ((0, 4), (1, 3), (0, 2), (2, 4), (3, 3)):
        start, end = dark + first * HOUR, dark + last * HOUR
        plan = codec.plan({"k0": "A"}, start, end)
        keys = [key for key in sorted(cells) if any(span.holds(key) for span in plan.ranges)]
        read = [
            event.power
            for key in keys
            for event in codec.decode(key, passing(plan.filter, stored(cells[key]), CLOCK), start, end)
        ]
        assert read == list(range(first, last))
    with pytest.raises(ValueRefused, match="a time from 1970 on"):
        codec.append(dark, {"k0": "A", "temp": 1}, NOW)
