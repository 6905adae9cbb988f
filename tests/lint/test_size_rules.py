"""The rules on the sizes of cells and rows: their boundaries, their silence, and the fixes that they write out."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.cell import CellCodec, Compressed, DecimalText, Int64, Json, Raw, Utf8
from btmodel.codecs.key import AsInKey, DateText, Descending, EpochMillis, IsoWeek, KeyCodec, PaddedInt, Text
from btmodel.lint import Finding, Level, review
from btmodel.lint.finding import ArgumentEdit
from btmodel.schema import (
    Aggregate,
    Bucket,
    Column,
    Expected,
    Family,
    KeepAll,
    KeyField,
    ModelSchema,
    Query,
    Rate,
    Shape,
)
from btmodel.schema.bucket import SlotFormat
from btmodel.schema.gc import GcRule, max_versions
from btmodel.schema.limits import MB
from btmodel.words import size_text

Make = Callable[..., ModelSchema]
SENSOR = KeyField("sensor", Text(width=8), 1_000)
OURS = ("ROW001", "ROW002", "COL003")


def column(codec: CellCodec[Any] | None = None, shape: Shape = Shape.VALUE, **changes: Any) -> Column:
    return Column("x", "data", b"x", codec or Raw(), shape.plain, shape, **changes)


def found(model: ModelSchema) -> list[Finding]:
    return [one for one in review(model) if one.rule in OURS]


def rules(model: ModelSchema) -> list[tuple[str, Level]]:
    return [(one.rule, one.level) for one in found(model)]


def keeps(gc: GcRule) -> tuple[Family, ...]:
    return (Family("data", gc),)


@pytest.mark.parametrize(
    ("expected", "level"),
    [
        (Expected(), None),
        (Expected(size=10 * MB), None),
        (Expected(size=10 * MB + 1), Level.WARNING),
        (Expected(size=5, max_size=10 * MB + 1), Level.WARNING),
        (Expected(max_size=100 * MB), Level.WARNING),
        (Expected(max_size=100 * MB + 1), Level.ERROR),
    ],
)
def test_large_values_are_flagged_by_the_largest_that_is_known(
    a_model: Make, expected: Expected, level: Level | None
) -> None:
    """10 MB are fine, 100 MB are a warning, and more is an error, whichever figure tells it."""
    model = a_model(columns=(column(expected=expected),))
    assert rules(model) == ([] if level is None else [("ROW001", level)])


def test_a_codec_may_bound_its_values(a_model: Make) -> None:
    """The longest value of a codec counts, and no declared one that is beyond it."""
    assert rules(a_model(columns=(column(AsInKey(Text(max_length=11 * MB))),))) == [("ROW001", Level.WARNING)]
    assert rules(a_model(columns=(column(Int64(), expected=Expected(max_size=11 * MB)),))) == []


def test_a_large_value_is_split_into_cells_that_fit(a_model: Make) -> None:
    """The mapping of its parts is written out; what no row should hold goes elsewhere."""
    (one,) = found(a_model(columns=(column(expected=Expected(size=2_000_000, max_size=95_000_000)),)))
    assert one.field == "x"
    assert (
        '`x: dict[int, bytes] = bt.mapping(data, bt.PaddedInt(1), prefix="x:", entries=10, size=2_000_000, max_size=10_000_000)`'
        in one.fix
    )
    (one,) = found(a_model(columns=(column(expected=Expected(max_size=200_000_000)),)))
    assert one.fix == "store `x` in an object store, and its address in `data:x`"


@pytest.mark.parametrize(
    ("events", "rows", "stored"),
    [
        ("49/s", None, False),
        ("50/s", None, True),
        (None, 499_999_999, False),
        (None, 500_000_000, True),
        (None, None, False),
    ],
)
def test_what_is_a_stream_or_a_petabyte_goes_to_an_object_store_first(
    a_model: Make, events: str | None, rows: int | None, stored: bool
) -> None:
    """100 MB of values a second, or 1 PB of them; cells for their parts are then the other way."""
    large = column(expected=Expected(size=2_000_000, max_size=30_000_000))
    one = KeyField("id", Text(width=8), rows)
    (told,) = found(a_model(one, columns=(large,), events=events and Rate.parse(events)))
    assert told.fix.startswith("store `x` in an object store") is stored
    assert "split it into" in told.fix


class Light(NamedTuple):
    """A record."""

    at: int
    colours: list[str]


@pytest.mark.parametrize(
    ("codec", "value", "encoded"),
    [
        (Raw(), b"ab\xffcd", ""),
        (Utf8(), "d\u00e9j\u00e0", ""),
        (Compressed(Utf8()), "deja", "bt.Compressed(bt.Utf8())"),
        (Compressed(Raw()), b"deja", "bt.Compressed(bt.Raw())"),
        (Json(dict[str, int]), {"a": 1}, "bt.Json(dict[str, int])"),
        (Json(Light), Light(1, ["red"]), "bt.Json(Light)"),
    ],
    ids=str,
)
def test_the_parts_of_a_value_have_its_type_or_are_made_of_its_bytes(
    a_model: Make, codec: CellCodec[Any], value: Any, encoded: str
) -> None:
    """A text has parts that are texts; a part of a document is none, so the text says what encodes it, and what reads it."""
    large = column(codec, expected=Expected(max_size=30_000_000))
    (one,) = found(a_model(columns=(large,)))
    declared = one.fix.split("`")[1]
    kind = "str" if codec == Utf8() else "bytes"
    assert declared.startswith(f"x: dict[int, {kind}] = bt.mapping(")
    (split,) = one.models[0].columns
    said = f"`, with the parts of `{encoded}.encode(value)`, and read it by `{encoded}.decode` of all parts together"
    assert (said in one.fix) is bool(encoded)
    whole = codec.encode(value) if encoded else value
    parts = [split.codec.encode(whole[at : at + 1]) for at in range(len(whole))]
    assert codec.decode(b"".join(parts)) == value


def series(
    a_model: Make, events: str, size: int, *fields: KeyField | tuple[str, KeyCodec[Any]], **changes: Any
) -> ModelSchema:
    """A history of values of ``size`` bytes, of a thousand sensors."""
    history = column(shape=Shape.HISTORY, expected=Expected(size=size, max_size=size))
    given = {"bucket": Bucket.DAY, "families": keeps(KeepAll()), "columns": (history,)} | changes
    return a_model(*(fields or (SENSOR, ("day", DateText()))), events=Rate.parse(events), **given)


@pytest.mark.parametrize(
    ("size", "level"),
    [
        # 86,400 events a day, each with 13 bytes of names and time; the key has 17.
        ((100 * MB - 17) // 86_400 - 13, None),
        ((100 * MB - 17) // 86_400 - 12, Level.WARNING),
        ((256 * MB - 17) // 86_400 - 13, Level.WARNING),
        ((256 * MB - 17) // 86_400 - 12, Level.ERROR),
    ],
)
def test_a_row_is_as_large_as_its_bucket_makes_it(a_model: Make, size: int, level: Level | None) -> None:
    """100 MB in a full row are fine, 256 MB are a warning, and more is an error."""
    model = series(a_model, "1000/s", size)
    assert rules(model) == ([] if level is None else [("ROW002", level)])


@pytest.mark.parametrize(
    ("events", "size", "bucket", "key"),
    [
        ("1000/s", 2_000, 'hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))', "{sensor}#{hour}"),
        ("1000/s", 40_000, 'minute: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))', "{sensor}#{minute}"),
    ],
)
def test_the_coarsest_bucket_that_fits_is_named(
    a_model: Make, events: str, size: int, bucket: str, key: str
) -> None:
    """The bucket, the codec of its key field and the key are written out; the fixed model is silent."""
    (one,) = found(series(a_model, events, size))
    assert f"`{bucket}` instead of `day`" in one.fix
    assert one.fix.endswith(f"which gives the key `{key}`")
    assert f'`bucket="{bucket.split(":")[0]}"`' in one.fix


def test_a_year_is_cut_into_weeks_before_days(a_model: Make) -> None:
    """From coarse to fine, weeks and months among them: the first that fits is taken."""
    model = series(a_model, "1000/h", 20_000, SENSOR, ("year", DateText("%Y")), bucket=Bucket.YEAR)
    (one,) = found(model)
    assert "make the bucket a month: a row then has 14" in one.fix
    assert '`month: date = bt.key(bt.DateText("%Y-%m"))` instead of `year`' in one.fix
    week = evolve(model, columns=(evolve(model.columns[0], expected=Expected(size=500_000)),))
    (one,) = found(week)
    assert "`week: date = bt.key(bt.IsoWeek())`" in one.fix


def test_a_reversed_time_stays_reversed(a_model: Make) -> None:
    """The finer bucket is in the order of the coarser one."""
    model = series(a_model, "1000/s", 2_000, SENSOR, ("day", Descending(DateText())))
    (one,) = found(model)
    assert 'bt.key(bt.Descending(bt.TimeText("%Y%m%d%H")))' in one.fix


def test_slots_get_the_names_that_a_finer_bucket_asks_for(a_model: Make) -> None:
    """The qualifier of the slots is written out for the bucket that is named."""
    slots = column(
        shape=Shape.SLOTS,
        slots=SlotFormat("%H:%M:%S", timedelta(seconds=1), "day"),
        expected=Expected(size=2_000),
    )
    (one,) = found(a_model(SENSOR, ("day", DateText()), bucket=Bucket.DAY, columns=(slots,)))
    assert '`x` with `qualifier="%M%S"`' in one.fix


def test_a_row_an_event_is_named_where_no_bucket_fits(a_model: Make) -> None:
    """Where even a minute is too much, the event's own time takes the bucket's place in the key."""
    (one,) = found(series(a_model, "1000/s", 9_000_000))
    assert one.fix.startswith("write a row for each event")
    assert one.fix.endswith("which gives the key `{sensor}#{at}`")


def test_a_series_without_a_bucket_gets_one(a_model: Make) -> None:
    """What gathers in the versions of a row for ever is put into the coarsest bucket that fits."""
    model = series(a_model, "100/s", 10_000, SENSOR, bucket=None, families=keeps(max_versions(50_000)))
    (one,) = found(model)
    assert "`day: date = bt.key(bt.DateText())` after the other fields of the key" in one.fix
    assert (
        "`{sensor}#{day}`, and `gc=bt.max_age(days=6)`, as versions are counted in each row; or " in one.fix
    )


def test_entries_get_rows_of_their_own(a_model: Make) -> None:
    """A large mapping becomes rows; its usual value counts, and not the largest."""
    mapping = column(
        Utf8(), Shape.MAPPING, names=Text(width=10), expected=Expected(size=2_000, entries=60_000)
    )
    (one,) = found(a_model(SENSOR, columns=(mapping,)))
    assert one.fix.endswith("the last field of the key: `{sensor}#{x_key}`")
    small = evolve(mapping, expected=Expected(size=20, max_size=9_000, entries=60_000))
    assert found(a_model(SENSOR, columns=(small,))) == []


def test_what_is_not_known_is_not_flagged(a_model: Make) -> None:
    """Without a rate, entries or sizes there is nothing to say, nor of a table of which only its families are known."""
    history = column(shape=Shape.HISTORY, expected=Expected(size=100_000))
    assert found(a_model(SENSOR, ("day", DateText()), bucket=Bucket.DAY, columns=(history,))) == []
    assert found(a_model(SENSOR, columns=(column(Utf8(), Shape.MAPPING, names=Text(width=10)),))) == []
    assert found(a_model(SENSOR, ("at", EpochMillis()), columns=(column(DecimalText()),))) == []
    assert found(evolve(a_model(), key=evolve(a_model().key, fields=()))) == []


def test_a_part_that_is_too_large_is_flagged_whatever_else_is_missing(a_model: Make) -> None:
    """A missing figure can only add to what is known."""
    model = series(a_model, "1000/s", 2_000)
    title = evolve(column(Utf8()), name="title", qualifier=b"t")
    assert rules(evolve(model, columns=(title, *model.columns))) == [("ROW002", Level.WARNING)]


@pytest.mark.parametrize(("entries", "flagged"), [(100_000, False), (100_001, True)])
def test_more_cells_than_a_request_are_flagged(a_model: Make, entries: int, flagged: bool) -> None:
    """100,000 cells can be written at once; of more, a row each is named."""
    members = column(shape=Shape.MEMBERS, names=PaddedInt(6), expected=Expected(entries=entries, size=0))
    model = a_model(SENSOR, columns=(members,))
    assert rules(model) == ([("COL003", Level.WARNING)] if flagged else [])


def test_events_of_their_own_requests_are_never_too_many_for_one(a_model: Make) -> None:
    """Bytes alone make a row of events too large; entries that are put together are counted, with or without versions."""
    week = series(a_model, "1000/s", 8, SENSOR, ("week", IsoWeek()), bucket=Bucket.WEEK)
    assert found(week) == []  # 604,800 events
    for shape in (Shape.MAPPING, Shape.HISTORIES, Shape.COUNTERS):
        entries = column(Int64(), shape, names=PaddedInt(6), expected=Expected(entries=100_001))
        family = Family("data", max_versions(1), Aggregate.SUM if shape.summed else None)
        told = found(a_model(SENSOR, columns=(entries,), families=(family,)))
        assert [one.rule for one in told if one.level is Level.WARNING] == ["COL003"], shape


def test_a_finer_bucket_says_what_becomes_of_the_queries(a_model: Make) -> None:
    """The coarsest bucket of not too many cells is named, and what queries then ask by."""
    queries = (Query("of_sensor", ("sensor",), between="month"), Query("one", ("sensor", "month")))
    key = SENSOR, ("month", DateText("%Y%m"))
    month = series(a_model, "1000/s", 40, *key, bucket=Bucket.MONTH, queries=queries)
    two = evolve(month, columns=(*month.columns, evolve(month.columns[0], name="y", qualifier=b"y")))
    (one,) = found(two)
    assert "make the bucket a day: a row then has 8.7 MiB in 172,800 cells" in one.fix
    assert one.fix.endswith(
        '`{sensor}#{day}`, and ask `of_sensor` by `between="day"`, and ask `one` by `"day"`'
    )


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"), (1023, "1,023 bytes"), (1024, "1 KiB"), (10_240, "10 KiB"), (1_048_000, "1,023 KiB"),
        (1_048_575, "1 MiB"), (100 * MB, "100 MiB"), (5 * 1024 * MB, "5 GiB"), (9_000 * 1024 * MB, "8.8 TiB"),
    ],
)  # fmt: skip
def test_sizes_are_told_in_units_that_suit_them(size: int, text: str) -> None:
    """Two or three digits that matter, in units of 1,024."""
    assert size_text(size) == text


@pytest.mark.parametrize(("max_size", "flagged"), [(89_000_000, False), (90_000_000, True)])
def test_columns_that_may_be_too_much_together(a_model: Make, max_size: int, flagged: bool) -> None:
    """A row that may be over the limit is a warning, and its parts are not sent to other cells of the same row."""
    figures = Expected(size=1_000, max_size=max_size)
    columns = tuple(Column(name, "data", name.encode(), Raw(), True, expected=figures) for name in "abc")
    told = review(a_model(columns=columns))
    rows = [finding for finding in told if finding.rule == "ROW002"]
    assert [finding.level for finding in rows] == [Level.WARNING] * flagged
    assert all("`a`, `b`, `c` of a row may have 257 MiB" in finding.message for finding in rows)
    split = ["split it into" in finding.fix for finding in told if finding.rule == "ROW001"]
    assert split == [not flagged] * 3


@pytest.mark.parametrize(
    ("short", "days", "long"), [("1s", 60, "1min"), ("2s", 120, "1min"), ("3s", 200, "5min")]
)
def test_the_fix_of_too_many_counts_counts_longer_spans(short: str, days: int, long: str) -> None:
    """A model of a bucket has no counts of spans, so the fix of a row with too many of them is another `every`, which holds."""

    class Hits(bt.Model, table="hits", events="10/s"):
        page: str = bt.key(bt.Text(max_length=80), cardinality=10_000)

        h = bt.family("h", gc=bt.max_age(days=days), aggregate="sum")
        hits: bt.History[int] = bt.counter("hits", h, every=short)

    found = [one for one in review(bt.schema_of(Hits)) if one.rule == "ROW002"]
    assert found
    for one in found:
        assert one.edit == ArgumentEdit("every", f'"{long}"')
        assert f'count longer spans, `every="{long}"`' in one.fix
        assert not [left for made in one.models for left in review(made) if left.rule == "ROW002"]


def test_a_second_table_is_read_by_the_queries_of_what_it_holds() -> None:
    """They are served by its key as by that of the first; those of other columns, and those that pick by them, stay there alone."""

    class Show(bt.Model, table="SHOW", events="2/s"):
        show: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)
        d = bt.family("d", gc=bt.max_versions(1))
        title: str | None = bt.column("title", d, default=None, size=50, max_size=300)
        film: bytes | None = bt.column("film", d, default=None, size=9_000_000, max_size=30_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        followers: set[str] = bt.members(f, bt.HexDigest(16), entries=9_000_000)
        of_show = bt.query("show")
        named = bt.query("show", only=["title"])
        called = bt.query("show", where=["title"])
        all = bt.query(scan="the nightly export")

    (finding,) = (one for one in review(bt.schema_of(Show)) if one.rule == "ROW002")
    assert 'codec=bt.Present())`, read by `of_show = bt.query("show")`, and leave' in finding.fix
    first, second = finding.models
    assert [one.name for one in first.queries] == ["of_show", "named", "called", "all"]
    assert [one.name for one in second.queries] == ["of_show"]


def test_a_table_of_a_large_column_is_read_under_the_same_key() -> None:
    """So the query that brought the column still does, there."""

    class Clip(bt.Model, table="CLIP", events="2/s"):
        clip: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)
        d = bt.family("d", gc=bt.max_versions(1))
        title: str = bt.column("title", d, size=50, max_size=300)
        film: bytes = bt.column("film", d, size=60_000_000, max_size=90_000_000)
        sound: bytes = bt.column("sound", d, size=60_000_000, max_size=90_000_000)
        one = bt.query("clip")

    fixes = [one.fix for one in review(bt.schema_of(Clip)) if one.rule == "ROW002"]
    assert all('under the same key, read by `one = bt.query("clip")`' in fix for fix in fixes)
    assert fixes
