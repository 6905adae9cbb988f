"""The rules on what a row gathers: versions without bounds, buckets, counters and tiny cells."""

import re
from collections.abc import Callable
from datetime import timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.cell import Int64, Json, Present, Raw, Utf8
from btmodel.codecs.key import (
    DateText,
    EnumText,
    EpochMillis,
    HexDigest,
    Joined,
    KeyCodec,
    PaddedInt,
    Text,
    TimeText,
    UuidText,
)
from btmodel.design.series import key_of_buckets, slot_names
from btmodel.lint import Finding, Level, review, review_all
from btmodel.schema import (
    Aggregate,
    Bucket,
    Column,
    Expected,
    Family,
    KeyField,
    ModelSchema,
    Query,
    Rate,
    Shape,
)
from btmodel.schema.bucket import SlotFormat
from btmodel.schema.gc import GcRule
from btmodel.schema.rate import parse_every
from tests.lint.parts import column, found

Make = Callable[..., ModelSchema]
DEVICE = KeyField("device", HexDigest(8), 100)
DAY = KeyField("day", DateText())
A_DAY = timedelta(days=1)


def rate(text: str) -> Rate:
    return Rate.parse(text)


MINUTELY = rate("100/min")  # each of a hundred devices, once a minute


def series(a_model: Make, rule: Any, one: Column, **changes: Any) -> list[tuple[str, str | None]]:
    families = (Family("data", rule),)
    model = a_model(changes.pop("key", DEVICE), families=families, columns=(one,), **changes)
    return [(each.rule, each.field) for each in review(model) if each.rule in ("COL005", "ROW003")]


@pytest.mark.parametrize(
    ("rule", "events", "expected"),
    [
        (bt.keep_all(), MINUTELY, "ROW003"),
        (bt.keep_all(), None, "ROW003"),
        (bt.keep_all(), rate("100/week"), "ROW003"),
        (bt.keep_all(), rate("1/day"), None),  # once in a hundred days: an amended value
        (bt.max_versions(100), MINUTELY, None),
        (bt.max_versions(100), None, None),
        (bt.max_versions(101), MINUTELY, "COL005"),
        (bt.max_versions(101), None, "COL005"),
        (bt.max_age(minutes=100), MINUTELY, None),
        (bt.max_age(minutes=101), MINUTELY, "COL005"),
        (bt.max_age(days=900), None, None),  # how many that is, nobody can tell
        (bt.max_age(days=900) | bt.max_versions(100), None, None),
        (bt.max_age(minutes=5) | bt.max_versions(1_000), MINUTELY, None),
        (bt.max_age(minutes=5) & bt.max_versions(1_000), MINUTELY, "COL005"),
    ],
)
def test_versions_in_a_row_for_all_time(
    a_model: Make, rule: Any, events: Rate | None, expected: str | None
) -> None:
    """A hundred amendments are fine, more are a series, and what nothing bounds is an error."""
    history = column("t", Shape.HISTORY)
    assert series(a_model, rule, history, events=events) == ([] if expected is None else [(expected, "t")])


@pytest.mark.parametrize(
    ("every", "rule", "size", "level"),
    [
        ("5min", bt.max_age(days=30), None, Level.INFO),  # 8,640 numbers
        ("1min", bt.max_age(days=30), None, Level.WARNING),  # 43,200
        ("5min", bt.max_age(days=30), 200, Level.WARNING),  # of 1.7 MB
        ("5min", bt.max_versions(8_640), None, Level.WARNING),  # that end by no time
        (None, bt.max_age(days=30), None, Level.WARNING),  # and whose number is a mean
    ],
)
def test_a_window_on_regular_events_is_a_question(
    a_model: Make, every: str | None, rule: Any, size: int | None, level: Level
) -> None:
    """A row of the last days that does not grow is no fault where it is small, and no fix keeps a few versions of what is regular."""
    expected = Expected(every=None if every is None else parse_every(every), size=size)
    history = column("t", Shape.HISTORY, codec=Raw() if size else Int64(), expected=expected)
    model = a_model(DEVICE, families=(Family("data", rule),), columns=(history,), events=MINUTELY)
    (finding,) = [each for each in review(model) if each.rule == "COL005"]
    assert finding.level is level
    assert "max_versions(100)" not in finding.fix


def test_a_row_with_a_time_or_a_bucket_is_bounded(a_model: Make) -> None:
    """A closing price of a day keeps its amendments; a bucket is what a series is kept in."""
    history = column("t", Shape.HISTORY)
    by_day = a_model(DEVICE, DAY, families=(Family("data", bt.keep_all()),), columns=(history,))
    assert [each for each in review(by_day) if each.rule in ("COL005", "ROW003")] == []
    bucket = evolve(by_day, bucket=Bucket.DAY, events=MINUTELY)
    assert [each for each in review(bucket) if each.rule in ("COL005", "ROW003")] == []


def test_the_time_between_two_events_is_taken_where_it_is_declared(a_model: Make) -> None:
    """A column's own `every` goes before the rate of the table."""
    rarely = column("t", Shape.HISTORY, expected=Expected(every=timedelta(days=365)))
    assert series(a_model, bt.keep_all(), rarely, events=MINUTELY) == []


@pytest.mark.parametrize(
    ("every", "codec", "size", "fine"),
    [
        ("14d", Int64(), None, True),  # 2,609 doses
        ("7d", Int64(), None, True),
        ("1d", Int64(), None, False),  # a series of measurements
        ("14d", Utf8(), 8, True),  # 21 KB
        ("14d", Utf8(), 8_000, False),  # 21 MB
        ("14d", Utf8(), None, False),  # texts are as long as they are
        ("31d", Utf8(), 8, True),
        (None, Int64(), None, False),  # a mean of all rows
    ],
)
def test_a_row_has_room_for_the_small_values_of_a_century(
    a_model: Make, every: str | None, codec: Any, size: int | None, fine: bool
) -> None:
    """What comes regularly, and is small, is judged by what a century brings; neither its end nor a number of versions is missed."""
    expected = Expected(every=None if every is None else parse_every(every), size=size)
    history = column("t", Shape.HISTORY, codec=codec, expected=expected)
    for rule in (bt.keep_all(), bt.max_versions(2_700)):
        assert (series(a_model, rule, history, events=rate("1/s")) == []) is fine


@pytest.mark.parametrize(
    ("rule", "keep", "told"),
    [
        (bt.keep_all(), None, True),
        (bt.keep_all(), bt.keep_all(), False),
        (bt.max_versions(5_000), None, False),
    ],
)
def test_rows_of_events_that_nothing_deletes_get_a_word_of_an_age(
    a_model: Make, rule: Any, keep: Any, told: bool
) -> None:
    """Unless the column says that all are kept, or a number of versions has become an age."""
    history = column("t", Shape.HISTORY, expected=Expected(every=parse_every("10s"), keep=keep))
    model = a_model(DEVICE, families=(Family("data", rule),), columns=(history,), events=rate("150/s"))
    (finding,) = (each for each in review(model) if each.rule in ("COL005", "ROW003"))
    said = "nothing deletes these rows, of which a year brings 320,000,000: where old ones are not needed, give family `data` an age, `gc=bt.max_age(...)`"
    assert (said in finding.fix) is told


class Switch(StrEnum):
    """Two states."""

    ON = "on"
    OFF = "off"


@pytest.mark.parametrize(
    ("names", "rule", "events", "expected"),
    [
        (PaddedInt(6), bt.max_versions(1), MINUTELY, "ROW003"),
        (PaddedInt(6), bt.max_versions(1), None, "ROW003"),
        (PaddedInt(6), bt.max_age(minutes=100), MINUTELY, None),
        (PaddedInt(6), bt.max_age(minutes=101), MINUTELY, "COL005"),
        (EnumText(Switch), bt.max_versions(50), MINUTELY, None),
        (EnumText(Switch), bt.max_versions(51), MINUTELY, "COL005"),
        (EnumText(Switch), bt.keep_all(), MINUTELY, "ROW003"),
    ],
)
def test_marks_are_bounded_by_their_age_alone(
    a_model: Make, names: KeyCodec[Any], rule: Any, events: Rate | None, expected: str | None
) -> None:
    """Every other value is another column, of which a rule bounds the versions; of few values, there are few columns."""
    marks = column("t", Shape.MARKS, codec=Present(), names=names)
    assert series(a_model, rule, marks, events=events) == ([] if expected is None else [(expected, "t")])


@pytest.mark.parametrize("shape", [Shape.MAPPING, Shape.MEMBERS])
@pytest.mark.parametrize(
    ("names", "entries", "expected"),
    [
        (DateText(), None, "ROW003"),
        (DateText(), 100, None),
        (DateText(), 366, "COL005"),
        (Text(max_length=9), None, None),
    ],
)
def test_entries_that_are_named_by_times(
    a_model: Make, shape: Shape, names: KeyCodec[Any], entries: int | None, expected: str | None
) -> None:
    """A set of days goes on for ever, unless the model says how many there are; a set of friends is none of it."""
    days = column("days", shape, names=names, expected=Expected(entries=entries))
    found = series(a_model, bt.max_versions(1), days)
    assert found == ([] if expected is None else [(expected, "days")])


def test_a_series_is_fixed_by_rows_or_by_the_bucket_that_fits(a_model: Make) -> None:
    """The minutes of a week fit a row; an age keeps what the versions kept, as their number would delete nothing in such rows."""
    history = column("t", Shape.HISTORY)
    family = (Family("data", bt.max_versions(5_000)),)
    model = a_model(DEVICE, families=family, columns=(history,), events=MINUTELY)
    (finding,) = found(model, "COL005")
    assert "up to 5,000 events" in finding.message
    assert "`{device}#{at}`, with `at: datetime = bt.key(bt.EpochMillis())`" in finding.fix
    assert (
        '`bucket="week"`: `{device}#{week}`, with `week: date = bt.key(bt.IsoWeek())`, '
        "and `gc=bt.max_age(days=7)`"
    ) in finding.fix
    assert all(made.families[0].gc == bt.max_age(days=4) for made in finding.models)  # 5,000 minutes
    needs = evolve(model, columns=(history, column("name", required=True)))
    # What is written once stays where it is: no other bucket would have it.
    assert "to a second table, `THING_WEEK`, and gather the events" in found(needs, "COL005")[0].fix
    unknown = found(evolve(model, events=None), "COL005")[0]
    assert "bucket=" not in unknown.fix


def test_a_bucket_that_changes_at_once(a_model: Make) -> None:
    """Only a bucket that is part of the entity is one: a meter's day that is appended to needs no such claim."""
    history = column("t", Shape.HISTORY)
    model = a_model(DEVICE, DAY, bucket=Bucket.DAY, columns=(history,), atomic=("device", "day"))
    (finding,) = found(model, "ROW005")
    assert (finding.field, finding.level) == ("day", Level.WARNING)
    assert "`{device}#{at}`, with `at: datetime = bt.key(bt.EpochMillis())`" in finding.fix
    assert found(evolve(model, atomic=()), "ROW005") == []
    assert found(evolve(model, atomic=("device",)), "ROW005") == []
    assert found(evolve(model, bucket=None), "ROW005") == []


def load(a_model: Make, *spans: timedelta | None, **changes: Any) -> ModelSchema:
    every = Expected(every=timedelta(seconds=1))
    values: dict[str, Any] = {
        "bucket": Bucket.MINUTE,
        "families": (Family("data", bt.max_versions(60)),),
        "columns": (column("load", Shape.HISTORY, expected=every),),
        "queries": tuple(
            Query(f"q{number}", ("device",), between="start", span=span) for number, span in enumerate(spans)
        ),
    }
    codec = changes.pop("codec", TimeText("%Y%m%d%H%M"))
    return a_model(DEVICE, KeyField("start", codec), **(values | changes))


@pytest.mark.parametrize(
    ("span", "better"),
    [
        (timedelta(seconds=6), None),
        (timedelta(seconds=5), None),  # no shorter bucket
        (timedelta(minutes=100), None),
        (timedelta(minutes=101), "hour"),
        (timedelta(days=4), "hour"),
        (timedelta(days=5), None),  # a day of seconds is too many for a row
    ],
)
def test_a_bucket_that_is_too_fine(a_model: Make, span: timedelta, better: str | None) -> None:
    """More than a hundred rows a read are many; the bucket that is named holds no more than a row should."""
    findings = found(load(a_model, span), "ROW006")
    assert [re.search('`bucket="(.*?)"`', each.fix)[1] for each in findings] == (  # type: ignore[index]
        [] if better is None else [better]
    )


def test_what_else_changes_with_the_bucket(a_model: Make) -> None:
    """The key field, and the rule that keeps the longer bucket, are written out."""
    (finding,) = found(load(a_model, A_DAY), "ROW006")
    assert finding.level is Level.INFO
    assert "`q0` asks for 1 day and reads about 1,440 rows of a minute" in finding.message
    assert '`{device}#{hour}`, with `hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))`' in finding.fix
    assert '`bt.family("data", gc=bt.max_versions(3_600))`' in finding.fix
    kept = load(a_model, A_DAY, families=(Family("data", bt.keep_all()),))
    assert "gc=" not in found(kept, "ROW006")[0].fix


def test_a_bucket_that_is_too_coarse(a_model: Make) -> None:
    """A read of an hour from rows of a month; slots get names for their shorter rows."""
    slots = SlotFormat("%d%H", timedelta(hours=1), Bucket.MONTH)
    model = load(
        a_model,
        timedelta(days=2),
        codec=DateText("%Y-%m"),
        bucket=Bucket.MONTH,
        columns=(column("t", Shape.SLOTS, slots=slots),),
    )
    (finding,) = found(model, "ROW006")
    assert "16 times as long" in finding.message
    assert '`bucket="day"`: `{device}#{day}`, with `day: date = bt.key(bt.DateText())`' in finding.fix
    assert '`t` with `qualifier="%H"`' in finding.fix


def test_a_bucket_that_serves_another_query_is_left_alone(a_model: Make) -> None:
    """Where no bucket suits every query, the one that there is may be as good as any."""
    assert found(load(a_model, timedelta(seconds=10), A_DAY), "ROW006") == []
    assert found(load(a_model, None), "ROW006") == []
    assert found(load(a_model, A_DAY, bucket=None), "ROW006") == []


@pytest.mark.parametrize("bucket", Bucket)
def test_the_field_of_every_bucket_names_it(a_model: Make, bucket: Bucket) -> None:
    """What a fix declares is the field that such a bucket needs."""
    annotated, declared = key_of_buckets(a_model(DEVICE), bucket).declared.split(" = ")
    codec = eval(declared.replace("bt.key", "", 1), {"bt": bt})
    assert codec.granularity == bucket.value
    assert annotated == f"{bucket.value}: {codec.python_type.__name__}"


def test_slots_are_named_in_every_bucket_that_has_them() -> None:
    """The names go down to the unit that slots differ in; a day has no slots of a day."""
    hour = timedelta(hours=1)
    assert [slot_names(hour, bucket) for bucket in Bucket] == [
        None,
        None,
        "%H",
        "%d%H",
        "%d%H",
        "%m%d%H",
    ]


def test_a_counter_is_added_to_where_it_is_written(a_model: Make) -> None:
    """The fix is a counter in an aggregate family: one that is there, or one that is written out."""
    visits = column("visits", expected=Expected(increments=rate("5/min")))
    (finding,) = found(a_model(DEVICE, columns=(visits,)), "COL006")
    assert (finding.field, finding.level) == ("visits", Level.INFO)
    assert finding.fix == (
        'add at write time: `sums = bt.family("sums", gc=bt.keep_all(), aggregate="sum")`, '
        '`visits: int | None = bt.counter("visits", sums, increments="5/min")`'
    )
    families = (Family("data", bt.max_versions(1)), Family("totals", bt.keep_all(), Aggregate.SUM))
    (finding,) = found(a_model(DEVICE, families=families, columns=(visits,)), "COL006")
    assert finding.fix == (
        'add at write time: `visits: int | None = bt.counter("visits", totals, increments="5/min")` '
        "(`totals` is the family 'totals', which sums already)"
    )
    counted = evolve(visits, family="totals")
    assert found(a_model(DEVICE, families=families, columns=(counted,)), "COL006") == []
    assert found(a_model(DEVICE, columns=(column("visits"),)), "COL006") == []


@pytest.mark.parametrize(
    ("doc", "asked"),
    [
        ("Each sale sets the new number under a condition on the old one.", False),
        ("The number of packs, written by compare-and-set.", False),
        ("How many packs there are, in good condition.", True),
    ],
)
def test_a_number_that_is_set_under_a_condition_is_no_sum(a_model: Make, doc: str, asked: bool) -> None:
    """What decides by the old number cannot add blindly; a text that is set so loses no addition either."""
    for codec in (Int64(), Utf8()):
        packs = column("packs", codec=codec, expected=Expected(increments=rate("2/h")))
        assert bool(found(a_model(DEVICE, columns=(packs,), doc=doc), "COL006")) is asked


def test_counters_are_kept_for_as_long_as_the_cells_that_they_replace(a_model: Make) -> None:
    """An age ends the days of a counter; where there are no such spans, no counter that is kept for ever is proposed."""
    two = tuple(column(name, expected=Expected(increments=rate("5/min"))) for name in ("on", "off"))
    doc = "Rows are kept for 400 days."
    aged = a_model(DEVICE, families=(Family("data", bt.max_age(days=400)),), columns=two, doc=doc)
    (finding,) = found(aged, "COL006")
    assert "`on`, `off` are added to at a rate of 5/min each" in finding.message
    assert '`sums = bt.family("sums", gc=bt.max_age(days=400), aggregate="sum")`' in finding.fix
    assert '`on: bt.History[int] = bt.counter("on", sums, every="1day", increments="5/min")`' in finding.fix
    assert "`on.total`, `off.total` are the sums" in finding.fix
    assert {each.shape for each in finding.models[0].columns} == {Shape.COUNTS}
    hours = evolve(aged, doc=doc.replace("400", "2"), families=(Family("data", bt.max_age(days=2)),))
    assert 'every="1h"' in found(hours, "COL006")[0].fix
    second = doc.replace("400 days", "1 second")
    short = evolve(aged, doc=second, families=(Family("data", bt.max_age(seconds=1)),))
    assert "add up in memory" in found(short, "COL006")[0].fix
    amended = evolve(aged, doc="", families=(Family("data", bt.max_age(days=400) & bt.max_versions(1)),))
    assert "gc=bt.keep_all()" in found(amended, "COL006")[0].fix  # the newest is kept at any age


WHOLE = Query("whole", ("device",))
NAMES = tuple(f"v{number}" for number in range(20))


@pytest.mark.parametrize(
    ("queries", "flagged"),
    [
        ((WHOLE,), True),
        ((Query("all", ("device",), only=NAMES),), True),
        ((WHOLE, Query("other", ("device",), only=("text",))), True),
        ((), False),
        ((WHOLE, Query("few", ("device",), only=NAMES[:3])), False),
        ((Query("pick", ("device",), where=("v3",)),), False),
        ((Query("other", ("device",), only=("text",)),), False),
    ],
)
def test_tiny_cells_that_are_always_read_together(
    a_model: Make, queries: tuple[Query, ...], flagged: bool
) -> None:
    """Columns are worth their names where a query reads a few of them, or selects by one."""
    tiny = tuple(column(name, required=True) for name in NAMES)
    model = a_model(DEVICE, columns=(*tiny, column("text", codec=Utf8(), required=True)), queries=queries)
    assert [(each.level, each.field) for each in found(model, "COL004")] == (
        [(Level.INFO, "data")] if flagged else []
    )


def test_what_are_no_tiny_cells(a_model: Make) -> None:
    """Nineteen columns, columns that rows may lack, and larger values are left alone."""

    def model(columns: tuple[Column, ...]) -> list[Finding]:
        return found(a_model(DEVICE, columns=columns, queries=(WHOLE,)), "COL004")

    tiny = tuple(column(name, required=True) for name in NAMES)
    assert len(model(tiny)) == 1
    assert model(tiny[1:]) == []
    assert model((*tiny[1:], column("v0"))) == []
    nine = column("v0", required=True, expected=Expected(size=9))
    assert model((*tiny[1:], nine)) == []


@pytest.mark.parametrize(
    ("rule", "age"),
    [
        (bt.max_versions(5_000), timedelta(days=4)),
        (bt.max_versions(200) & bt.max_age(days=90), timedelta(days=90)),
        (bt.max_versions(1) & bt.max_age(days=90), timedelta(days=90)),
        (bt.max_versions(5_000) | bt.max_age(days=1), None),
        (bt.max_age(days=90), None),
    ],
)
def test_a_row_for_each_event_is_deleted_when_its_version_was(
    a_model: Make, rule: Any, age: timedelta | None
) -> None:
    """A number of versions deletes nothing of rows that have one: each fix that makes such rows gives an age, and says so."""
    events = column("t", Shape.HISTORY, expected=Expected(size=8))
    model = a_model(DEVICE, families=(Family("data", rule),), columns=(events,), events=MINUTELY)
    for id in ("COL005",):
        (finding,) = found(model, id)
        (made,) = finding.models
        assert "{device}#{at}" in made.key.shape
        assert made.families[0].gc == (rule if age is None else bt.max_age(age))
        assert (
            (f"`gc=bt.max_age(days={age.days})`, as versions" in finding.fix)
            if age
            else "versions are" not in finding.fix
        )


def test_an_intersection_of_versions_and_an_age_is_said_to_keep_both(a_model: Make) -> None:
    """Who wanted a hundred versions, and none older than that, is given the union."""
    events = column("t", Shape.HISTORY, expected=Expected(size=8))
    families = (Family("data", bt.max_versions(100) & bt.max_age(days=90)),)
    model = a_model(DEVICE, families=families, columns=(events,), events=MINUTELY)
    (finding,) = found(model, "COL005")
    assert "`gc=bt.max_versions(100) | bt.max_age(days=90)`: an intersection" in finding.fix


@pytest.mark.parametrize(
    ("every", "size", "rule", "flagged"),
    [
        ("1day", 150, bt.max_versions(1) & bt.max_age(days=365), False),
        ("1day", 4_000, bt.max_versions(1) & bt.max_age(days=365), True),  # more than a MiB
        ("1day", None, bt.max_versions(1) & bt.max_age(days=365), True),  # of an unknown size
        ("1h", 8, bt.max_versions(1_000), False),
        ("1h", 8, bt.max_versions(1_001), True),
        ("30min", 8, bt.max_versions(1_000), True),
        ("1min", 8, bt.max_versions(100), False),
    ],
)
def test_amendments_are_few_or_slow_and_small(
    a_model: Make, every: str, size: int | None, rule: Any, flagged: bool
) -> None:
    """Versions are for one value that is amended; a series of measurements comes faster, or outgrows that."""
    one = column("t", Shape.HISTORY, codec=Utf8(), expected=Expected(size=size, every=parse_every(every)))
    assert (("COL005", "t") in series(a_model, rule, one)) is flagged


@pytest.mark.parametrize(
    ("name", "doc", "flagged"),
    [
        ("orders", "", True),
        ("open_orders", "", True),
        ("devices", "", False),
        ("devices", "The row grows with each device.", True),
        ("devices", "All that a user ever had, kept for good.", True),
        ("members", "The teams of a company.", False),
    ],
)
def test_entries_of_which_nobody_says_how_many_there_are(
    a_model: Make, name: str, doc: str, flagged: bool
) -> None:
    """They are a fault where the model says that there are more and more; elsewhere their number is asked for, in the one line of estimates."""
    of_ids = column(name, Shape.MAPPING, names=UuidText(), expected=Expected(size=20))
    user = KeyField("user", HexDigest(8), 10_000)
    model = a_model(user, columns=(of_ids,), doc=doc, events=rate("5/s"))
    told = {one.rule: one for one in review_all([model])}
    assert ("ROW003" in told) is flagged
    assert f"`entries` of `{name}`" in told["FIG001"].message


@pytest.mark.parametrize(
    ("name", "names", "flagged"),
    [
        ("followers", Text(max_length=40), True),
        ("watched", Text(max_length=40), True),
        ("purchases", PaddedInt(12), True),
        ("purchases", PaddedInt(3), False),  # a thousand at most
        ("chat_messages", Joined((DateText(), Text(max_length=9)), ":"), True),
        ("ledger", Joined((DateText(), Text(max_length=9)), ":"), True),  # named by times, first
        ("settings", Text(max_length=40), False),
        ("orders", EnumText(Switch), False),
    ],
)
def test_entries_grow_by_what_they_are_called_and_by_how_many_names_there_may_be(
    a_model: Make, name: str, names: Any, flagged: bool
) -> None:
    """Whatever names them, there is always one more follower; an enum and a short number bound them."""
    entries = column(name, Shape.MAPPING, names=names, expected=Expected(size=20))
    model = a_model(KeyField("user", HexDigest(8), 10_000), columns=(entries,), events=rate("5/s"))
    assert bool(found(model, "ROW003")) is flagged
    bounded = evolve(entries, expected=Expected(size=20, entries=50))
    assert found(evolve(model, columns=(bounded,)), "ROW003") == []


@pytest.mark.parametrize(
    ("names", "gc", "events", "entries", "levels"),
    [
        (EpochMillis(), bt.max_versions(1), "9000/s", None, [Level.ERROR]),
        (EpochMillis(), bt.max_versions(1), "9000/s", 500, [Level.WARNING]),
        (EpochMillis(), bt.max_versions(1), None, 500, []),
        (EpochMillis(), bt.max_versions(1), "10/day", 500, []),  # each row gets less than one a year
        (EpochMillis(), bt.max_age(days=2), "9000/s", 500, []),
        (
            DateText(),
            bt.max_versions(1),
            "9000/s",
            500,
            [],
        ),  # a day is one entry, however often it is written
        (UuidText(), bt.max_versions(1), "9000/s", 500, []),  # the same ones may be written again
    ],
)
def test_entries_named_by_times_are_said_once(
    a_model: Make, names: Any, gc: GcRule, events: str | None, entries: int | None, levels: list[Level]
) -> None:
    """One finding for one cause, and a number of entries that the declared rate contradicts is no bound."""
    said = column("messages", Shape.MAPPING, names=names, expected=Expected(size=300, entries=entries))
    channel = KeyField("channel", UuidText(), 400_000)
    columns = (said, column("topic", codec=Utf8(), expected=Expected(size=40)))
    model = a_model(
        channel,
        families=(Family("data", gc),),
        columns=columns,
        doc="What was ever said: it grows.",
        events=events and rate(events),
    )
    told = found(model, "ROW003")
    assert [one.level for one in told] == levels
    for one in told:
        assert "to a second table, and leave `messages` out of this one: `{channel}#{at}`" in one.fix
    if levels == [Level.WARNING]:
        assert "at most 500 `entries`, but at the declared rate a row gets 710,000 a year" in told[0].message
        assert told[0].fix.endswith("or, if the program removes old entries, suppress this with that reason")


@pytest.mark.parametrize(("rule", "gc"), [("ROW003", bt.keep_all()), ("COL005", bt.max_versions(3_000))])
def test_histories_that_come_together_go_to_one_table(a_model: Make, rule: str, gc: GcRule) -> None:
    """One finding, one second table, and what stays behind is not written at the rate of the series."""
    regular = Expected(every=timedelta(seconds=1))
    histories = [column(name, Shape.HISTORY, "run", expected=regular) for name in ("current", "speed")]
    model = a_model(
        DEVICE,
        families=(Family("data", bt.max_versions(1)), Family("run", gc)),
        columns=(column("maker"), *histories),
        events=rate("100/s"),
    )
    (finding,) = found(model, rule)
    assert "`current`, `speed` collect" in finding.message
    assert "leave `current`, `speed` out of this one" in finding.fix
    assert "; the `events` of this one then belong there" in finding.fix
    left, series = finding.models
    assert (left.events, series.events) == (None, model.events)
    assert [one.name for one in series.columns if one.required and one.shape.plain] == ["current", "speed"]
    assert not {one.rule for made in finding.models for one in review(made)} - {"FIG001"}


def test_rows_that_grow_too_large_by_such_histories_are_fixed_alike(a_model: Make) -> None:
    """What the two rules propose is one change, so the graver finding says it alone."""
    regular = Expected(every=timedelta(seconds=1))
    histories = [column(name, Shape.HISTORY, "run", expected=regular) for name in ("current", "speed")]
    model = a_model(
        DEVICE,
        families=(Family("data", bt.max_versions(1)), Family("run", bt.max_age(days=365))),
        columns=(column("maker"), *histories),
        events=rate("100/s"),
    )
    (told,) = (one for rule in ("ROW002", "COL005") for one in found(model, rule))
    assert told.rule == "ROW002"
    assert told.fix.startswith("write one row per event to a second table, and leave")
    assert "leave `current`, `speed` out of this one" in told.fix


def test_histories_of_another_pace_are_another_finding(a_model: Make) -> None:
    """What is measured every second, and what changes once an hour, have no rows in common."""
    seconds, hours = (Expected(every=timedelta(seconds=each)) for each in (1, 3_600))
    histories = (
        column("current", Shape.HISTORY, expected=seconds),
        column("state", Shape.HISTORY, expected=hours),
        column("maker"),
    )
    told = found(a_model(DEVICE, families=(Family("data", bt.keep_all()),), columns=histories), "ROW003")
    assert [one.field for one in told] == ["current", "state"]


def test_a_row_for_each_entry_says_what_becomes_of_the_other_columns(a_model: Make) -> None:
    """They stay in the row, and the entries get a second table."""
    followers = column("followers", Shape.MEMBERS, names=UuidText())
    channel = KeyField("channel", UuidText(), 400_000)
    (alone,) = found(a_model(channel, columns=(followers,), events=rate("5/s")), "ROW003")
    assert "as the last field of the key: `{channel}#{followers_key}`" in alone.fix
    assert '`followers: bool = bt.column("followers", data, codec=bt.Present())`' in alone.fix
    (both,) = found(a_model(channel, columns=(followers, column("topic")), events=rate("5/s")), "ROW003")
    assert "as the last field of the key of a second table: `{channel}#{followers_key}`" in both.fix
    assert "leave `followers` out of this one, which keeps its other columns" in both.fix


def test_entries_grow_by_the_declared_rate(a_model: Make) -> None:
    """Of ids, a row that is written to all the time gets too many, unless their number is declared; of what has names, the same few come again."""
    page = KeyField("page", HexDigest(8), 10)
    for names, flagged in ((UuidText(), True), (PaddedInt(12), True), (Text(max_length=40), False)):
        entries = column("by", Shape.MAPPING, names=names, expected=Expected(size=20))
        model = a_model(page, columns=(entries,), events=rate("5/s"))
        assert bool(found(model, "ROW003")) is flagged
        assert found(evolve(model, events=rate("5/h")), "ROW003") == []


GROWING = "A board. Each new stroke is appended to its strokes."


@pytest.mark.parametrize(
    ("codec", "doc", "grows"),
    [
        (Json(list[str]), GROWING, True),
        (Json(dict), GROWING, True),
        (Raw(), GROWING, True),
        (Utf8(), GROWING, True),
        (Raw(), "A board. Its strokes are a picture. Each new board gets a title.", False),
        (Json(dict), "", False),
    ],
)
def test_a_large_cell_that_grows_is_taken_apart_by_its_items(
    a_model: Make, codec: Any, doc: str, grows: bool
) -> None:
    """Not cut into parts, nor put elsewhere, which each new item would write again."""
    strokes = column(
        "strokes", codec=codec, required=True, expected=Expected(size=900_000, max_size=45_000_000)
    )
    title = column("title", codec=Utf8(), required=True)
    board, by_board = KeyField("board", HexDigest(16), 5_000_000), Query("by_board", ("board",))
    model = evolve(
        a_model(board, columns=(strokes, title), events=rate("3000/s"), queries=(by_board,)), doc=doc
    )

    def cell(model: ModelSchema) -> Finding:
        """The finding on the cell; that on the list, which is the cause, where both are fixed alike."""
        (finding,) = (one for rule in ("ROW001", "ROW003") for one in found(model, rule))
        return finding

    finding = cell(model)
    assert ("object store" in finding.fix, "split it into" in finding.fix) == (not grows, not grows)
    if grows:
        rows, columns = finding.fix.split("; or, if ")
        assert rows.startswith(
            "write one row per event to a second table, and leave `strokes` out of this one"
        )
        assert rows.endswith("a write is then one item, and not about 879 KiB")
        assert columns.startswith(
            "`by_board` is to read them with the row, and old ones may go, a column for each"
        )
        assert (
            "bt.max_age(days=90))`, of which a row then has about 4,666; the age" in columns
        )  # 3,000/s of 5,000,000
        title_alone = evolve(by_board, only=("title",))
        assert "a column for each" not in cell(evolve(model, queries=(title_alone,))).fix


@pytest.mark.parametrize(
    ("name", "type", "most", "flagged"),
    [
        ("watched", list[str], None, True),
        ("orders", list[dict[str, int]], None, True),
        ("orders", tuple[UUID, ...], None, True),
        ("orders", tuple[int, int], None, False),  # two of them
        ("watched", list[str], 4_000, False),
        ("colours", list[str], None, False),
        ("orders", dict[str, int], None, False),
    ],
)
def test_a_list_in_a_cell_grows_by_what_it_is_called(
    a_model: Make, name: str, type: Any, most: int | None, flagged: bool
) -> None:
    """Each new item reads and writes all of them; the fix is a row for each, under the codec of an item."""
    listed = column(name, codec=Json(type), expected=Expected(max_size=most))
    model = a_model(KeyField("user", HexDigest(8), 10_000), columns=(listed,), events=rate("5/s"))
    told = found(model, "ROW003")
    assert [one.level for one in told] == [Level.WARNING] * flagged
    for one in told:
        assert "write one row per event: `{user}#{at}`" in one.fix
        assert [
            each.rule for made in one.models for each in review(made) if each.level is not Level.INFO
        ] == []
