"""The rules on how often events come: rows that are hot, and keys that events share."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.codecs.cell import Float64, Micros, Utf8
from btmodel.codecs.key import (
    Constant,
    DateText,
    Descending,
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    HexDigest,
    IsoWeek,
    KeyCodec,
    PaddedInt,
    ReversedMillis,
    Text,
    TimeText,
)
from btmodel.design.series import clock, collide
from btmodel.estimates import writers
from btmodel.lint import Finding, Level, review
from btmodel.schema import (
    Aggregate,
    Bucket,
    Column,
    Derived,
    Expected,
    Family,
    GcRule,
    KeyField,
    ModelSchema,
    Query,
    Rate,
    Shape,
    Skew,
    Stamp,
)
from btmodel.schema.rate import parse_every
from examples import balloons, games, garden, meters, metrics, sales, stock
from tests.lint.parts import column, found

Make = Callable[..., ModelSchema]
DEVICE = KeyField("device", HexDigest(8), 100)
DAY = KeyField("day", DateText())
A_DAY = timedelta(days=1)


AGED = Family("data", bt.max_age(days=30))


def rate(text: str) -> Rate:
    return Rate.parse(text)


@pytest.mark.parametrize(
    ("events", "flagged"), [("99/s", False), ("100/s", True), ("20/s", False), ("1000/s", True)]
)
def test_a_row_that_is_written_once_a_second_is_hot(a_model: Make, events: str, flagged: bool) -> None:
    """A hundred rows take under a hundred writes a second with ease; every five seconds is no matter."""
    model = a_model(DEVICE, events=rate(events), columns=(column("percent"),))
    assert bool(found(model, "KEY013")) is flagged


def test_a_hot_row_is_fixed_by_a_row_an_event(a_model: Make) -> None:
    """The document's key of a memory reading is written out, with a clock on which readings do not collide."""
    metric = KeyField("metric", Constant("memusage"), 1)
    model = a_model(DEVICE, metric, events=rate("100/s"), columns=(column("percent"),))
    (finding,) = found(model, "KEY013")
    assert "written at a rate of 1/s (100/s over 100 rows)" in finding.message
    assert "`{device}#memusage#{at}`, with `at: datetime = bt.key(bt.EpochMillis())`" in finding.fix
    fast = found(evolve(model, events=rate("2000/s")), "KEY013")[0]
    assert "`at: datetime = bt.key(bt.EpochMicros())`" in fast.fix


@pytest.mark.parametrize("time", [DAY, KeyField("at", EpochMillis()), KeyField("at", ReversedMillis())])
def test_a_row_with_a_time_is_not_written_for_ever(a_model: Make, time: KeyField) -> None:
    """The writes of a key with a time move on to the next row."""
    assert found(a_model(DEVICE, time, events=rate("1000/s")), "KEY013") == []


@pytest.mark.parametrize(("events", "flagged"), [("139/s", False), ("140/s", True)])
def test_a_row_of_a_bucket_takes_what_one_tablet_takes_with_ease(
    a_model: Make, events: str, flagged: bool
) -> None:
    """It is written for a while by all that belongs to it; one second of its events is one write, too."""
    index = KeyField("index", Text(width=4), 3)
    all_rows = Rate(rate(events).per_second * 3)
    told = found(a_model(index, DAY, bucket=Bucket.DAY, events=all_rows), "KEY013")
    assert bool(told) is flagged
    assert all("`{index}#{source}#{day}`" in one.fix for one in told)


def test_rows_of_an_unknown_number_are_not_judged(a_model: Make) -> None:
    """Without a cardinality, or without a rate, nothing is guessed."""
    assert found(a_model(("id", PaddedInt(6)), events=rate("1000/s")), "KEY013") == []
    assert found(a_model(DEVICE), "KEY013") == []


def test_the_only_row_is_hot_and_a_time_does_not_lead_its_fix(a_model: Make) -> None:
    """A key of constants is one row; behind it, a time alone would be the next mistake."""
    model = a_model(KeyField("kind", Constant("total"), 1), events=rate("500/s"))
    (finding,) = found(model, "KEY013")
    assert "(500/s over the only row)" in finding.message
    assert "`total#{id}#{at}`" in finding.fix
    slow = found(evolve(model, events=rate("2/s")), "KEY013")[0]
    assert "`total#{at}`" in slow.fix


def test_a_name_that_is_taken_is_not_proposed(a_model: Make) -> None:
    """The new time is called as the model calls its time already, or by a name that is free."""
    hot = {"events": rate("500/s"), "families": (Family("data", bt.max_versions(1)),)}
    named = a_model(DEVICE, columns=(column("at"),), **hot)
    assert "`{device}#{time}`" in found(named, "KEY013")[0].fix
    timed = a_model(DEVICE, columns=(column("measured", codec=Micros()),), **hot)
    assert "`{device}#{measured}`" in found(timed, "KEY013")[0].fix
    stamped = a_model(DEVICE, stamp=Stamp("seen", stored=True, required=True), **hot)
    assert "`{device}#{seen}`" in found(stamped, "KEY013")[0].fix


@pytest.mark.parametrize(
    ("name", "doc", "second", "levels"),
    [
        ("Now", "", 1, []),
        ("Printer", "The latest sample of each printer, for the wall.", 1, []),
        ("Printer", "The current position of each.", 9, []),
        ("PrinterLive", "", 50, [Level.INFO]),
        ("PrinterLive", "", 500, [Level.WARNING]),
        ("Printer", "Where each printer is.", 1, [Level.WARNING]),
        ("Escalator", "Motor current and step speed.", 1, [Level.WARNING]),
    ],
)
def test_a_row_that_holds_the_newest_value_may_be_written_now_and_then(
    a_model: Make, name: str, doc: str, second: int, levels: list[Level]
) -> None:
    """What it is for stands in its name or in its description; old values are deleted."""
    model = a_model(DEVICE, name=name, doc=doc, columns=(column("n"),), events=rate(f"{100 * second}/s"))
    assert [each.level for each in found(model, "KEY013")] == levels
    kept = evolve(model, families=(Family("data", bt.max_versions(3)),))
    assert [each.level for each in found(kept, "KEY013")] == [Level.WARNING]


def test_a_field_that_would_run_into_the_time_is_closed(a_model: Make) -> None:
    """Behind a field of variable width without a delimiter, the fix says how to tell the two apart."""
    open_ended = KeyField("name", Text(max_length=8), 10)
    model = a_model(open_ended, delimiter=b"", events=rate("100/s"))
    assert '(give `name` a fixed width of 8 bytes, or separate the fields: `delimiter="#"`)' in (
        found(model, "KEY013")[0].fix
    )


def test_counts_are_added_by_the_service(a_model: Make) -> None:
    """A number that is read to be added to hundreds of times a minute is hot by itself, whatever the key."""
    fast = column("visits", expected=Expected(increments=rate("200/min")))
    slow = column("clicks", expected=Expected(increments=rate("59/min")))
    (finding,) = found(a_model(DEVICE, DAY, columns=(fast, slow)), "KEY013")
    assert (finding.field, finding.level) == ("visits", Level.WARNING)
    assert "let the service add" in finding.fix
    once = evolve(a_model(DEVICE, DAY, columns=(fast,)), bucket=Bucket.DAY, families=(AGED,))
    assert "add up in memory" in found(once, "KEY013")[0].fix


@pytest.mark.parametrize(
    ("pages", "skew", "held"),
    [
        # 60,000 keys, of which one has 70 %: the 1,500 others of a second are of about as many rows
        (60_000, "70%:1", "1,500/s instead of 5,000/s, and each holds the sums of about 1,500 rows, 50 KiB"),
        (100, "70%:1", "100/s instead of 5,000/s, and each holds the sums of about 100 rows, 3.3 KiB"),
        (10_000_000, "10%:1", None),  # nearly each addition is of another row
    ],
)
def test_what_a_program_adds_up_in_memory_is_counted(
    a_model: Make, pages: int, skew: str, held: str | None
) -> None:
    """By the rows that ten processes hold and write; it is no fix where that saves little. What a reader of shards adds up is counted, too."""
    page = KeyField("page", PaddedInt(8), pages, skew=Skew.parse(skew), sequential=False)
    sums = Family("sums", bt.keep_all(), Aggregate.SUM)
    visits = column("visits", Shape.COUNTER, family="sums", required=False)
    visits = evolve(visits, expected=Expected(increments=rate("400/s")))
    model = a_model(page, columns=(visits,), families=(sums,), events=rate("5000/s"))
    (finding,) = found(model, "KEY013")
    count = 36 if held else 4  # of 140 additions a second
    size = "1.3 KiB" if held else "144 bytes"  # 8 + 1 + 2 bytes of key, or a digit less, and 26 of a cell
    assert f"a reader adds up all, {size} in {count} rows: " in finding.fix
    assert ("add up in memory" in finding.fix) is (held is not None)
    assert held is None or f"ten processes that do so write {held}" in finding.fix


def test_a_program_that_adds_up_for_one_row_holds_one(a_model: Make) -> None:
    """The only row of a table is written once by each process at each interval, and counted as one."""
    sums = Family("sums", bt.keep_all(), Aggregate.SUM)
    visits = column("visits", Shape.COUNTER, family="sums", required=False)
    visits = evolve(visits, expected=Expected(increments=rate("5000/s")))
    only = KeyField("what", Constant("all"), 1)
    (finding,) = found(a_model(only, columns=(visits,), families=(sums,), events=rate("5000/s")), "KEY013")
    assert "write 1/s instead of 5,000/s, and each holds the sums of about 1 row, " in finding.fix


def test_all_counters_of_a_row_are_added_to_by_the_service(a_model: Make) -> None:
    """They become counters together, and share the shards; another rule says the same of these cells."""
    flag = KeyField("flag", Text(max_length=60), 300)
    counted = (
        column("evaluated", required=False, expected=Expected(increments=rate("4000/s"))),
        column("enabled", required=False, expected=Expected(increments=rate("2500/s"))),
    )
    families = (Family("data", bt.max_age(days=400)),)
    model = a_model(flag, DAY, events=rate("60000/s"), families=families, columns=counted)
    (finding,) = found(model, "KEY013")
    declared = (
        '`sums = bt.family("sums", gc=bt.max_age(days=400), aggregate="sum")`, '
        '`evaluated: bt.History[int] = bt.counter("evaluated", sums, every="1day"'
    )
    assert declared in finding.fix
    assert "divide each row among 29 shards" in finding.fix
    assert '`increments="138/s"` of `evaluated`, `increments="87/s"` of `enabled`' in finding.fix
    assert "no other schema" not in finding.fix
    (other,) = found(model, "COL006")
    assert declared in other.fix
    slow = tuple(evolve(each, expected=Expected(increments=rate("90/s"))) for each in counted)
    hot, plain = (
        found(evolve(model, columns=slow, events=rate("6000/s")), rule)[0] for rule in ("KEY013", "COL006")
    )
    assert hot.fix == plain.fix.replace("add at write time", "let the service add")


@pytest.mark.parametrize(
    ("often", "level"), [("100/s", None), ("2000/s", Level.WARNING), ("1000000/s", Level.ERROR)]
)
def test_sums_are_divided_among_shards(a_model: Make, often: str, level: Level | None) -> None:
    """The service adds up by itself, as fast as a tablet takes with ease; what is more goes to several rows of one counter."""
    sums = (Family("data", bt.keep_all(), Aggregate.SUM),)
    one = evolve(DEVICE, cardinality=1)
    total = a_model(one, events=rate(often), families=sums, columns=(column("n", Shape.COUNTER),))
    told = found(total, "KEY013")
    assert [each.level for each in told] == [level] * (level is not None)
    assert all("`shard: int = bt.key(bt.PaddedInt(" in each.fix and each.models for each in told)
    assert all("{device}#{shard}" in each.fix for each in told)


def test_a_row_that_is_hot_for_its_counter_is_told_once(a_model: Make) -> None:
    """The writes of a row and those of its counter are the same ones."""
    fast = column("visits", expected=Expected(increments=rate("200/min")))
    model = a_model(DEVICE, events=rate("1000/s"), columns=(fast,))
    assert [finding.field for finding in found(model, "KEY013")] == ["visits"]


def test_a_hash_of_a_column_has_as_many_values_as_the_column(a_model: Make) -> None:
    """A key of a digest is no single row; how many rows there are, the column tells."""
    digest = KeyField("id", HexDigest(16), derived=Derived(("url",), hash))
    unknown = a_model(digest, events=rate("100/s"), columns=(column("url"),))
    assert writers(unknown) is None
    assert found(unknown, "KEY013") == []
    known = evolve(unknown, columns=(column("url", expected=Expected(cardinality=50)),))
    assert writers(known) == 50
    assert len(found(known, "KEY013")) == 1
    salt = KeyField("salt", PaddedInt(1), 3, derived=Derived(("url",), hash, (0, 1, 2)))
    assert writers(a_model(salt, columns=known.columns)) == 3
    of_key = KeyField("salt", PaddedInt(1), 3, derived=Derived(("device",), hash, (0, 1, 2)))
    assert writers(a_model(of_key, DEVICE)) == 100


@pytest.mark.parametrize(
    ("codec", "most", "too_many"),
    [
        (DateText(), "100/day", "111/day"),
        (DateText("%Y-%m"), "3/day", "4/day"),
        (IsoWeek(), "100/week", "111/week"),
        (Descending(DateText()), "100/day", "111/day"),
        (TimeText("%Y%m%d%H%M"), "100/min", "111/min"),
        (EpochSeconds(), "100/s", "111/s"),
        (EpochMillis(), "1000/s", "1001/s"),
        (ReversedMillis(), "1000/s", "1001/s"),
        (TimeText("%Y%m%d%H%M%S%3f"), "1000/s", "1001/s"),
        (EpochMicros(), "1000000/s", "1000001/s"),
    ],
)
def test_events_that_share_a_key(a_model: Make, codec: KeyCodec[Any], most: str, too_many: str) -> None:
    """Of a hundred devices, each has one event a beat; on a finer clock one in a hundred ticks is the most."""
    model = a_model(DEVICE, KeyField("at", codec), columns=(column("percent"),))
    assert found(evolve(model, events=rate(most)), "KEY017") == []
    (finding,) = found(evolve(model, events=rate(too_many)), "KEY017")
    assert (finding.field, finding.level) == ("at", Level.WARNING)


@pytest.mark.parametrize(
    ("name", "flagged"), [("LogLine", True), ("CardAuthorisation", True), ("Reading", False)]
)
def test_what_people_and_programs_do_has_no_beat(a_model: Make, name: str, flagged: bool) -> None:
    """One in eleven of such events comes in a second that has one already; a reading a beat never does."""
    model = evolve(a_model(DEVICE, KeyField("at", EpochSeconds()), events=rate("9/s")), name=name)
    assert bool(found(evolve(model, columns=(column("text"),)), "KEY017")) is flagged


PUSHED_OUT = "A bottle that the inspector pushed out."


@pytest.mark.parametrize(
    ("codec", "events", "doc", "flagged"),
    [
        (EpochSeconds(round=True), "83/s", PUSHED_OUT, "1 event in 3"),
        (EpochSeconds(), "83/s", PUSHED_OUT, ""),
        (EpochSeconds(round=True), "83/s", "A reading of the inspector.", ""),
        (EpochSeconds(round=True), "83/s", "The inspector writes every few seconds.", ""),
        (EpochSeconds(round=True), "50/s", PUSHED_OUT, ""),
        (EpochSeconds(round=True), "15/s", PUSHED_OUT, ""),
        (EpochMillis(round=True), "380/s", PUSHED_OUT, "1 event in 530"),
        (EpochMillis(round=True), "380/s", "A reading of the inspector.", ""),
        (EpochMillis(), "380/s", PUSHED_OUT, ""),
        (EpochMillis(round=True), "90/s", PUSHED_OUT, ""),
    ],
)
def test_events_at_random_have_no_beat(
    a_model: Make, codec: KeyCodec[Any], events: str, doc: str, flagged: str
) -> None:
    """Of 0.83 a second, whose times are rounded, a third replaces another; a whole number of seconds, or an interval in words, is a beat."""
    model = a_model(DEVICE, KeyField("at", codec), events=rate(events), doc=doc, columns=(column("text"),))
    told = found(model, "KEY017")
    assert bool(told) is bool(flagged)
    assert all(f"about {flagged} replaces another" in one.message for one in told)
    assert all(
        "add a field to the key that distinguishes the events, such as an id" in one.fix for one in told
    )


def test_the_document_s_first_try(a_model: Make) -> None:
    """Two players of one day have one key; the player in front of the day tells them apart."""
    game = KeyField("game", Constant("LoL"), 1)
    player = column("player", codec=Utf8(), required=True, expected=Expected(cardinality=100_000))
    model = a_model(game, DAY, events=rate("200/day"), columns=(column("won"), player))
    (finding,) = found(model, "KEY017")
    assert "about 200 events share each key, and all but one are lost" in finding.message
    assert (
        "make the column `player` (100,000 values) a key field, to distinguish the events: "
        "`LoL#{player}#{day}`" in (finding.fix)
    )


def test_the_column_that_tells_events_apart_is_picked(a_model: Make) -> None:
    """The one with the most declared values, then what queries ask for, then ids and text; a plain number is none."""
    many = Expected(cardinality=1_000)
    few = Expected(cardinality=150)
    columns = (
        column("city", codec=Utf8(), required=True),
        column("side", codec=Utf8(), required=True, expected=few),
    )
    id = column("id", required=True, expected=many)
    model = a_model(DEVICE, DAY, events=rate("1000/day"), columns=(*columns, id))
    assert "`id` (1,000 values)" in found(model, "KEY017")[0].fix
    busy = evolve(model, columns=columns, events=rate("100000/s"))
    told = found(busy, "KEY017")[0].fix  # 150 are too few, and nothing says that events have a city each
    assert "`city`" not in told
    assert "`{device}#{day}#{id}`" in told
    few_only = found(evolve(busy, columns=(columns[1], column("load", codec=Float64()))), "KEY017")[0].fix
    assert "`side` (150 values)" in few_only
    assert "store a more precise time, `day: datetime = bt.key(bt.EpochMillis())`" in few_only
    picked = (column("city", codec=Utf8(), required=True), column("weight", required=True))
    asked = evolve(model, columns=picked, queries=(Query("q", ("device",), where=("weight",)),))
    assert "the column `weight` a key field" in found(asked, "KEY017")[0].fix
    assert "if two events may share it, add an id: `{device}#{day}#{id}`" in found(asked, "KEY017")[0].fix
    page = column("page", codec=Utf8(), expected=Expected(size=60, max_size=2_000))
    read = found(evolve(model, columns=(page,)), "KEY017")[0].fix  # a text to read tells nothing apart
    assert "`{device}#{day}#{id}`" in read
    assert "page" not in read
    bare = found(evolve(model, columns=(column("percent"),)), "KEY017")[0]
    assert "such as an id: `{device}#{day}#{id}`" in bare.fix
    assert "`day: datetime = bt.key(bt.EpochMillis())`" in bare.fix


@frozen
class Noon(PaddedInt):
    """A time that does not say what unit it is cut to."""

    kind = DateText().kind


@pytest.mark.parametrize(
    "changes",
    [
        {"events": None},
        {"bucket": Bucket.DAY},
        {"columns": (column("t", Shape.HISTORY),)},
        {"columns": (column("f", Shape.MAPPING, names=Text(max_length=3)),)},
        {"columns": (column("n", expected=Expected(increments=rate("1/h"))),)},
        {"columns": ()},
    ],
)
def test_rows_that_gather_events_do_not_collide(a_model: Make, changes: dict[str, Any]) -> None:
    """Buckets, histories, sets and sums take many events by design; what has no rate is not judged."""
    values: dict[str, Any] = {"events": rate("1000/day"), "columns": (column("percent"),)}
    assert len(found(a_model(DEVICE, DAY, **values), "KEY017")) == 1
    assert found(a_model(DEVICE, DAY, **(values | changes)), "KEY017") == []


@pytest.mark.parametrize(
    ("every", "required", "flagged"), [("7d", True, False), ("1d", True, True), ("1d", False, False)]
)
def test_a_row_that_is_written_after_its_time_has_no_colliding_events(
    a_model: Make, every: str, required: bool, flagged: bool
) -> None:
    """What was made on a day and is weighed each week gets its events later; beside a history, only what rows must have is replaced."""
    grams = column("g", Shape.HISTORY, expected=Expected(every=parse_every(every)))
    columns = (column("milk", required=required), grams)
    model = a_model(DEVICE, DAY, events=rate("1000/day"), columns=columns)
    assert bool(found(model, "KEY017")) is flagged


def test_only_a_finest_time_that_is_known_counts(a_model: Make) -> None:
    """A day in front of a millisecond tells nothing of collisions; a time of an unknown unit may be finer than all."""
    values: dict[str, Any] = {"events": rate("1000/day"), "columns": (column("percent"),)}
    assert found(a_model(DEVICE, DAY, ("at", EpochMillis()), **values), "KEY017") == []
    assert found(a_model(DEVICE, DAY, ("at", Noon(6)), **values), "KEY017") == []
    assert found(a_model(DEVICE, **values), "KEY017") == []


@given(st.floats(1e-6, 1e6))
def test_a_proposed_clock_keeps_events_apart(events: float) -> None:
    """Where a fix names a clock, following it clears the finding."""
    units = {"bt.EpochMillis()": timedelta(milliseconds=1), "bt.EpochMicros()": timedelta(microseconds=1)}
    proposed = clock(events)
    if proposed is None:
        assert all(collide(events, unit) for unit in units.values())
    else:
        assert not collide(events, units[proposed])


def test_a_table_that_was_read_from_an_instance(a_model: Make) -> None:
    """Of a live table there is neither a key nor a column to judge."""
    model = a_model()
    live = evolve(model, key=evolve(model.key, fields=()), location=None)
    assert review(live) == ()
    assert review(evolve(live, events=rate("1/day"))) == ()


@pytest.mark.parametrize(
    ("model", "rules"),
    [
        (games.FirstScore, ["KEY017"]),
        (games.PlayerScore, []),
        (stock.Price, ["ROW003"]),
        (stock.DayPrice, []),
        (metrics.CurrentMetrics, []),
        (balloons.BalloonWeek, []),
        (balloons.PressureWeek, []),
        (balloons.BalloonMinute, []),
        (meters.Sensor, []),
        (sales.MonthlySales, []),
        (garden.GardenDay, []),
    ],
)
def test_the_documented_designs(model: type[bt.Model], rules: list[str]) -> None:
    """Of the documents' own designs those are found that the documents call bad, or right for one purpose."""
    ours = {
        "KEY013",
        "KEY017",
        "COL004",
        "COL005",
        "COL006",
        "ROW003",
        "ROW005",
        "ROW006",
        "FAM005",
        "FAM006",
    }
    schema = evolve(bt.schema_of(model), allow={})
    assert [finding.rule for finding in review(schema) if finding.rule in ours] == rules


@pytest.mark.parametrize(("often", "hot"), [("200/s", True), ("100/s", False)])
def test_a_counter_may_be_hot_too(often: str, hot: bool) -> None:
    """An aggregate cell takes what is added as it comes, but at the one tablet of its row."""

    class Page(bt.Model, table="PAGE"):
        url: str = bt.key(bt.Text(max_length=80))
        sums = bt.family("sums", gc=bt.keep_all(), aggregate="sum")
        visits: int | None = bt.counter("visits", sums, increments=often)

    told = found(bt.schema_of(Page), "KEY013")
    assert [finding.field for finding in told] == ["visits"] * hot
    assert all("among 2 shards" in finding.fix and '`increments="100/s"`' in finding.fix for finding in told)


class Token(bt.Model, table="TOKEN", events="1000/s"):
    """A row of a hash of what is not stored, of which there are many."""

    id = bt.digest("token")
    token: str | None = bt.key(bt.Text(max_length=80), stored=False, cardinality=1_000_000)
    f = bt.family("f", gc=bt.max_versions(1))
    user: str = bt.column("u", f)


class Hits(bt.Model, table="HITS", events="1000/s"):
    """A counter of a day, beside a name."""

    page: str = bt.key(bt.Text(max_length=20), cardinality=10)
    day: date = bt.key(bt.DateText())
    f = bt.family("f", gc=bt.max_versions(1))
    s = bt.family("s", gc=bt.keep_all(), aggregate="sum")
    name: str | None = bt.column("n", f, default=None)
    hits: int | None = bt.counter("h", s)


def test_values_that_are_not_stored_are_counted() -> None:
    """A hash of them has as many values as they have, so no row is hot; of few, each is."""
    schema = bt.schema_of(Token)
    assert writers(schema) == 1_000_000
    assert found(schema, "KEY013") == []
    few = evolve(schema, key=evolve(schema.key, unstored=(evolve(schema.key.unstored[0], cardinality=10),)))
    assert "1,000/s over 10 rows" in found(few, "KEY013")[0].message


def test_events_of_a_counter_do_not_collide() -> None:
    """What is added to a counter replaces nothing, and rows need not have what else they may hold."""
    assert found(bt.schema_of(Hits), "KEY017") == []


@pytest.mark.parametrize(("increments", "flagged"), [(None, True), ("6000/min", False)])
def test_events_that_bring_a_value_beside_a_counter_collide(increments: str | None, flagged: bool) -> None:
    """A required column is written by each event, unless the counter says that the events are its own."""

    class Sale(bt.Model, table="SALES", events="1000/s"):
        shop: str = bt.key(bt.Text(max_length=20), cardinality=10)
        day: date = bt.key(bt.DateText())
        f = bt.family("f", gc=bt.max_versions(1))
        s = bt.family("s", gc=bt.keep_all(), aggregate="sum")
        buyer: str = bt.column("b", f)
        sales: int | None = bt.counter("s", s, **({} if increments is None else {"increments": increments}))

    assert bool(found(bt.schema_of(Sale), "KEY017")) is flagged


@pytest.mark.parametrize(
    ("gc", "events", "increments", "said"),
    [
        # 1 write/s of a row, of 1 + 6 + 8 + 9 bytes: 100 MiB in 4.37 M seconds
        (bt.keep_all(), "1000/s", None, "32,000,000 of them a year, and exceeds 100 MiB in 50 days"),
        (bt.keep_all(), "100/s", None, "3,200,000 of them a year"),
        (bt.keep_all(), "1/min", None, None),  # 526 of each row
        (bt.keep_all(), None, "10/s", "exceeds 100 MiB in 5 days"),
        (bt.keep_all(), None, None, None),
        (bt.max_versions(1), "1000/s", None, None),
        (bt.max_versions(1_000), "1000/s", None, None),
        (bt.max_age(days=3_000), "1000/s", None, "exceeds 100 MiB in 50 days"),
        (bt.max_age(days=30), "1000/s", None, None),
        (bt.max_versions(100_000_000), "1000/s", None, "exceeds 100 MiB in 50 days"),
    ],
)
def test_old_versions_of_a_plain_column_are_deleted(
    a_model: Make, gc: GcRule, events: str | None, increments: str | None, said: str | None
) -> None:
    """A row that is written again and again grows by a version each time; the fix keeps the newest, and clears it."""
    figures = Expected(size=9, increments=increments and Rate.parse(increments))
    state = Column("state", "s", b"status", Utf8(), True, expected=figures)
    device = KeyField("device", Text(width=9), 1_000)
    model = a_model(
        device, families=(Family("s", gc),), columns=(state,), events=events and Rate.parse(events)
    )
    findings = [one for one in review(model) if one.rule == "ROW003"]
    level = Level.WARNING if "exceed" in (said or "") else Level.INFO
    assert [one.level for one in findings] == [level] * (said is not None)
    for one in findings:
        assert one.message.endswith(said or "")
        settled = "the fix of KEY013 settles it, too"
        assert '`bt.family("s", gc=bt.max_versions(1))`' in one.fix or one.fix.startswith(settled)
        assert [each.rule for fixed in one.models for each in review(fixed) if each.rule == "ROW003"] == []
    for stamp in (Stamp(fixed=0), Stamp(attribute="at")):
        assert [one for one in review(evolve(model, stamp=stamp)) if one.rule == "ROW003"] == []


def test_sums_beside_other_columns_are_divided_in_a_table_of_their_own() -> None:
    """Only sums can be added up from shards: the title stays, with its query, which also reads them there, and a query of the sums alone goes with them."""

    class Total(bt.Model, table="TOTAL", events="27000/s"):
        network: str = bt.key(bt.Text(max_length=20), cardinality=3)
        t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
        downloads: int | None = bt.counter("downloads", t, increments="9000/s")
        plays: int | None = bt.counter("plays", t, increments="300/s")
        n = bt.family("n", gc=bt.max_versions(1))
        title: str | None = bt.column("title", n, default=None, size=30, max_size=100)
        of_network = bt.query("network")
        played = bt.query("network", only=["plays"])

    for told in found(bt.schema_of(Total), "KEY013"):
        assert "a table of their own, `TOTAL_SHARDS`" in told.fix
        rest, shards = told.models
        assert [one.name for one in rest.columns] == ["title"]
        assert [one.name for one in rest.queries] == ["of_network"]
        assert [one.name for one in shards.columns] == ["downloads", "plays"]
        assert [one.name for one in shards.queries] == ["played", "of_network"]
        assert 'read by `of_network = bt.query("network")`' in told.fix
        assert shards.key.shape == "{network}#{shard}"
        assert found(rest, "KEY013") == []
        assert found(shards, "KEY013") == []
    asked = evolve(bt.schema_of(Total), queries=(Query("busy", ("network",), where=("downloads",)),))
    assert all(one.fix.startswith("no other schema that was found") for one in found(asked, "KEY013"))


@pytest.mark.parametrize(
    ("doc", "query", "flagged"),
    [
        ("A queue of jobs; a worker deletes what is done.", Query("next", ("device",)), True),
        ("An outbox. What was sent is removed.", Query("next", ("device",)), True),
        ("A queue of jobs; a worker deletes what is done.", Query("next", ("device",), between="at"), False),
        ("A queue of jobs; a worker deletes what is done.", Query("last", ("device",), newest=True), False),
        ("A queue of jobs, and when each was done.", Query("next", ("device",)), False),
        ("Readings; the oldest are deleted.", Query("next", ("device",)), False),
    ],
)
def test_a_queue_is_not_read_from_its_beginning(a_model: Make, doc: str, query: Query, flagged: bool) -> None:
    """There lie the marks of what was deleted; whoever gives the time where it stopped goes over none."""
    at = KeyField("at", EpochMillis())
    model = a_model(DEVICE, at, queries=(query,), doc=doc)
    assert [each.level for each in found(model, "ROW009")] == [Level.WARNING] * flagged
    # Rows of a job that is found by its id are no queue in the order of the table.
    assert found(a_model(DEVICE, queries=(Query("one", ("device",)),), doc=doc), "ROW009") == []


@pytest.mark.parametrize(
    ("part", "level"),
    [
        (KeyField("pixel_hash", HexDigest(8), 100_000), Level.WARNING),
        (KeyField("pixel_hash", HexDigest(8), 90_000), None),
        (KeyField("pixel_hash", HexDigest(16), 4_000_000_000), None),
        (KeyField("pixel_hash", HexDigest(16), 7_000_000_000), Level.INFO),  # of which two share one
        (KeyField("pixel_hash", HexDigest(8)), None),
        (KeyField("device", HexDigest(8), 4_000_000_000), None),  # each id is assigned once
    ],
)
def test_a_hash_is_long_enough_for_its_values(a_model: Make, part: KeyField, level: Level | None) -> None:
    """By the birthday bound: two values with one hash would be one row."""
    told = found(a_model(part, queries=(Query("q", (part.name,)),)), "KEY022")
    assert [one.level for one in told] == [level] * (level is not None)
    assert found(a_model(part, KeyField("at", EpochMillis())), "KEY022") == []  # more stands beside it


def test_a_hash_of_rows_in_which_nothing_is_replaced_may_collide_now_and_then(a_model: Make) -> None:
    """Entries of two values lie side by side; of many values they would be mixed up, and a plain column is lost."""
    entries = column("seen", Shape.MAPPING, names=Text(width=12))

    def told(digits: int, *columns: Column) -> list[Finding]:
        part = KeyField("pixel_hash", HexDigest(digits), 7_000_000_000)
        return found(a_model(part, columns=columns), "KEY022")

    assert told(16, entries) == []
    assert [one.level for one in told(16, entries, column("size"))] == [Level.INFO]
    (mixed,) = told(8, entries)
    assert mixed.level is Level.WARNING
    assert "what is written of both lies in it together" in mixed.why


def test_a_digest_of_values_is_long_enough_for_them(a_model: Make) -> None:
    """Of several, as many as there are of all together."""
    values = (KeyField("url", Text(max_length=2_000), 90_000), KeyField("agent", Text(max_length=200), 60))

    def of(digits: int) -> ModelSchema:
        mark = KeyField("id", HexDigest(digits), derived=Derived(("url", "agent"), hash, of_bytes=True))
        made = a_model(mark)
        return evolve(made, key=evolve(made.key, unstored=values))

    assert found(of(32), "KEY022") == []
    assert found(of(12), "KEY022") == []
    [one] = found(evolve(of(8), key=evolve(of(8).key, unstored=(values[0],))), "KEY022") or [None]
    assert one is None  # nothing says how many there are of the other


@pytest.mark.parametrize("stored", [("url",), ("agent",), ("url", "agent"), ()])
def test_what_a_digest_is_made_of_may_lie_in_the_key_too(a_model: Make, stored: tuple[str, ...]) -> None:
    """Keys differ by what is stored in them: only values of one and the same stored part can be one row."""
    values = [KeyField("url", Text(max_length=200), 90_000), KeyField("agent", Text(max_length=90), 60_000)]
    mark = KeyField("spread", HexDigest(6), derived=Derived(("url", "agent"), hash, of_bytes=True))
    made = a_model(mark, *(part for part in values if part.name in stored))
    unstored = tuple(part for part in values if part.name not in stored)
    told = found(evolve(made, key=evolve(made.key, unstored=unstored)), "KEY022")
    assert [one.level for one in told] == [Level.WARNING] * (len(stored) < len(values))
    if len(stored) == 1:
        (name,) = stored
        assert f"values that share a hash and `{name}`" in told[0].message
        assert f"two values with one hash and one `{name}` are one row" in told[0].why


def test_a_digest_of_a_stored_value_only_spreads_it(a_model: Make) -> None:
    """However short it is; that of a column, of which the key holds nothing else, identifies a row."""

    def told(*fields: KeyField, columns: Sequence[Column] = (), unstored: Sequence[KeyField] = ()) -> bool:
        made = a_model(KeyField("h", HexDigest(4), derived=Derived(("label",), hash, of_bytes=True)), *fields)
        made = evolve(made, key=evolve(made.key, unstored=tuple(unstored)), columns=tuple(columns))
        return found(made, "KEY022") != []

    label = KeyField("label", Text(max_length=20), 900_000)
    labelled = column("label", codec=Utf8(), expected=Expected(cardinality=900_000))
    assert not told(label)
    assert not told(label, KeyField("part", Text(width=2), 9))
    assert told(unstored=[label])
    assert told(columns=[labelled])
