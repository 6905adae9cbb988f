"""The bytes of keys, cells and rows: computed against written, and what is missing where they are not known."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st
from schemas import RandomKey, key_of, model_of, random_keys

from btmodel.codecs.cell import (
    CellCodec,
    DecimalText,
    Flag,
    Float64,
    FloatText,
    Int64,
    Json,
    Present,
    Utf8,
)
from btmodel.codecs.key import AsInKey, DateText, EpochMillis, Int, KeyCodec, PaddedInt, Text
from btmodel.estimates import Amount, Sizes, cells, cells_of_row, key_size, missing, row_size, shares, timed
from btmodel.rows.collections import History, Slots, Timed
from btmodel.rows.mutations import Mutation
from btmodel.rows.row import RowCodec
from btmodel.schema import (
    Bucket,
    Column,
    Expected,
    Family,
    KeepAll,
    KeyField,
    Mirror,
    ModelSchema,
    Rate,
    Shape,
)
from btmodel.schema.bucket import SlotFormat, Spans
from btmodel.schema.gc import GcRule, max_age, max_versions
from btmodel.testing import drawn

DAY = (KeyField("id", Text(width=4), 10), KeyField("day", DateText()))


def column(shape: Shape = Shape.VALUE, codec: CellCodec[Any] | None = None, **changes: Any) -> Column:
    """A column ``x`` in the family ``f``."""
    return Column("x", "f", b"x", codec or Float64(), True, shape, **changes)


def daily(one: Column, *, gc: GcRule | None = None, events: str | None = "240/day") -> ModelSchema:
    """A row a day of each of ten things, and one column in it."""
    model = model_of(key_of(), families=(Family("f", gc or KeepAll()),), columns=(one,), bucket=Bucket.DAY)
    rate = None if events is None else Rate.parse(events)
    return evolve(model, key=evolve(model.key, fields=DAY), events=rate)


def written(mutation: Mutation) -> int:
    """The bytes of a row as sizes count them."""
    found = (len(one.family) + len(one.qualifier) + 8 + len(one.value) for one in mutation.cells)
    return len(mutation.key) + sum(found)


def test_a_cell_is_its_names_its_time_and_its_value() -> None:
    """Family, qualifier, 8 bytes of timestamp and the value; a row has its key in front, once."""
    model = model_of(
        key_of(PaddedInt(6), PaddedInt(2)), columns=(column(), evolve(column(), name="y", qualifier=b"yy"))
    )
    one, other = shares(model)
    assert one.cell == Sizes.of(1 + 1 + 8 + 8)
    assert other.cell == Sizes.of(1 + 2 + 8 + 8)
    assert row_size(model) == Sizes.of(9 + 18 + 19)
    assert cells_of_row(model) == Sizes.of(2)


def test_a_usual_key_has_fields_of_middle_width() -> None:
    """Fields of variable width are taken at the middle of their least and most."""
    assert key_size(key_of(Text(width=4), Text(max_length=20), Int(5))) == Sizes.of(
        4 + 11 + 3 + 2, 4 + 20 + 5 + 2
    )


@pytest.mark.parametrize(
    ("codec", "expected", "usual", "largest"),
    [
        (Float64(), Expected(), Amount(8), Amount(8)),
        (FloatText(), Expected(), Amount(6), Amount(24)),
        (FloatText(), Expected(max_size=4), Amount(4), Amount(4)),
        (FloatText(), Expected(max_size=40), Amount(6), Amount(24)),
        (Utf8(), Expected(), Amount.unknown("`size` of `x`"), Amount.unknown("`max_size` of `x`")),
        (Utf8(), Expected(size=30), Amount(30), Amount.unknown("`max_size` of `x`")),
        (Utf8(), Expected(max_size=30), Amount.unknown("`size` of `x`"), Amount(30)),
        (Json(dict), Expected(size=200, max_size=4_000), Amount(200), Amount(4_000)),
        (AsInKey(Text(max_length=9)), Expected(), Amount(5), Amount(9)),
    ],
)
def test_a_value_is_as_large_as_declared_or_as_its_codec_bounds_it(
    codec: CellCodec[Any], expected: Expected, usual: Amount, largest: Amount
) -> None:
    """No size of text is guessed: what nothing bounds and nobody declares is named."""
    (share,) = shares(model_of(key_of(PaddedInt(2)), columns=(column(codec=codec, expected=expected),)))
    assert share.value == Sizes(usual, largest)


def test_a_mirror_is_as_large_as_its_field() -> None:
    """Text that repeats a key field is bounded by the field."""
    part = KeyField("symbol", Text(width=5), mirror=Mirror("f", b"S", Utf8()))
    model = model_of(evolve(key_of(PaddedInt(2)), fields=(part,)))
    assert row_size(model) == Sizes.of(5 + 1 + 1 + 8 + 5)


HOURLY = Expected(every=timedelta(hours=1))
NAMED = {"names": Int(3)}
RATE = ("`events`",)
EVERY = "`every` of `x`"


@pytest.mark.parametrize(
    ("one", "gc", "events", "usual", "largest"),
    [
        # 240 events a day of ten things: 24 of each.
        (column(Shape.HISTORY), None, "240/day", Amount(24), Amount.unknown(EVERY)),
        (column(Shape.HISTORY), max_versions(100), "240/day", Amount(24), Amount(100)),
        (column(Shape.HISTORY), max_versions(10), "240/day", Amount(10), Amount(10)),
        (column(Shape.HISTORY), max_age(hours=6), "240/day", Amount(6), Amount.unknown(EVERY)),
        (column(Shape.HISTORY), max_age(hours=6) & max_versions(9), "240/day", Amount(9), Amount.unknown(EVERY)),
        (column(Shape.HISTORY), max_age(hours=6) | max_versions(9), "240/day", Amount(6), Amount(9)),
        (column(Shape.HISTORY), max_versions(100), None, Amount.unknown(*RATE), Amount(100)),
        (column(Shape.HISTORY, expected=HOURLY), max_versions(100), None, Amount(24), Amount(24)),
        (column(Shape.HISTORY), max_versions(100), "1/week", Amount(1), Amount(100)),
        (column(Shape.MARKS, Present(), **NAMED), max_versions(1), "240/day", Amount(24), Amount.unknown(EVERY)),
        (column(Shape.MARKS, Present(), expected=HOURLY, **NAMED), max_versions(1), None, Amount(24), Amount(24)),
        (column(Shape.SLOTS, slots=SlotFormat("%H", timedelta(hours=1), "day")), None, None, Amount(24), Amount(24)),
        (column(Shape.MAPPING, **NAMED), None, None, *[Amount.unknown("`entries` of `x`")] * 2),
        (column(Shape.MEMBERS, Present(), expected=Expected(entries=7), **NAMED), None, None, Amount(7), Amount(7)),
        (column(), max_versions(5), None, Amount(1), Amount(1)),
        (column(expected=Expected(keep=max_versions(5))), max_versions(5), None, Amount(5), Amount(5)),
        (column(expected=Expected(keep=max_age(days=5))), None, None, Amount(1), Amount(1)),
        (column(Shape.COUNTER, Int64()), None, None, Amount(1), Amount(1)),
        (column(Shape.COUNTS, Int64(), spans=Spans(timedelta(hours=6))), None, None, Amount(4), Amount(4)),
        (column(Shape.COUNTS, Int64(), spans=Spans(timedelta(hours=6))), max_age(hours=12), None, Amount(2), Amount(2)),
        (column(Shape.TIMED, expected=Expected(entries=7), **NAMED), max_versions(9), None, Amount(7), Amount(7)),
        (column(Shape.HISTORIES, expected=evolve(HOURLY, entries=5), **NAMED), max_versions(10), None, Amount(50), Amount(50)),
        (column(Shape.HISTORIES, expected=Expected(entries=6), **NAMED), max_versions(10), "240/day", Amount(24), Amount(60)),
        (column(Shape.HISTORIES, expected=Expected(entries=6), **NAMED), None, "240/day", Amount(24), Amount.unknown(EVERY)),
        (column(Shape.HISTORIES, **NAMED), max_versions(10), None, *[Amount.unknown("`entries` of `x`", *more) for more in (RATE, ())]),
    ],
)  # fmt: skip
def test_the_cells_of_a_row_are_counted_by_bucket_rate_and_rule(
    one: Column, gc: GcRule | None, events: str | None, usual: Amount, largest: Amount
) -> None:
    """Events by the bucket and the rate, as far as the GC rule keeps them; entries as declared; values once."""
    assert cells(daily(one, gc=gc, events=events), one) == Sizes(usual, largest)


@pytest.mark.parametrize(
    ("codecs", "gc", "usual"),
    [
        ([Text(width=4)], max_versions(50), Amount(50)),
        ([Text(width=4)], None, Amount.unknown("`bucket`")),
        ([Text(width=4)], max_age(hours=2), Amount(2)),
        ([Text(width=4), DateText()], None, Amount(24)),
        ([Text(width=4), DateText("%Y%m")], None, Amount(744)),
        ([Text(width=4), EpochMillis()], None, Amount(1)),
    ],
)
def test_a_row_without_a_bucket_is_written_as_long_as_its_key_lasts(
    codecs: list[KeyCodec[Any]], gc: GcRule | None, usual: Amount
) -> None:
    """A day in the key ends its row; without a time, only the GC rule bounds what gathers."""
    one = column(Shape.HISTORY, expected=HOURLY)
    model = model_of(key_of(*codecs), families=(Family("f", gc or KeepAll()),), columns=(one,))
    assert cells(model, one).usual == usual


def test_all_that_is_missing_is_named() -> None:
    """Every figure that would tell the size of a row is named, once, and what is known is counted."""
    text = Column("name", "f", b"name", Utf8(), True)
    model = evolve(daily(column(Shape.HISTORY), events=None), key=key_of(Text(width=4), DateText()))
    model = evolve(model, columns=(text, *model.columns, evolve(model.columns[0], name="y", qualifier=b"y")))
    assert missing(model) == ("`size` of `name`", "`events`", "`cardinality` of `k0`")
    found = row_size(model).usual
    assert (found.value, found.least) == (None, 4 + 1 + 8 + 1 + 4 + 8)
    assert missing(daily(column(Shape.HISTORY))) == ()


FIRST = datetime(2020, 2, 29, tzinfo=UTC)
TIMES = st.integers(0, 86_399_999).map(lambda millis: FIRST + timedelta(milliseconds=millis))
CODECS: list[tuple[CellCodec[Any], int | None]] = [
    (Int64(), None), (Flag(), None), (DecimalText(), None), (FloatText(), None), (AsInKey(Text(max_length=6)), None),
    (Utf8(), 9), (Json(dict), 30), (DecimalText(), 3),
]  # fmt: skip
SLOTS = SlotFormat("%-H-%-M", timedelta(minutes=30), "day")


@st.composite
def columns(draw: st.DrawFn, name: str, key: RandomKey | None) -> tuple[Column, Any]:
    """A column with all figures that bound it, and a value that keeps to them."""
    codec, most = draw(st.sampled_from(CODECS))
    value = drawn(codec).filter(lambda one: most is None or len(codec.encode(one)) <= most)
    names: KeyCodec[Any] = draw(st.sampled_from([Int(4), Text(max_length=5), DateText()]))
    shape = draw(st.sampled_from([one for one in Shape if key is None or one is not Shape.SLOTS]))
    expected = Expected(max_size=most, entries=4, every=timedelta(hours=6))
    made = Column(name, "fam", f"{name}:".encode(), codec, False, shape, expected=expected)
    match shape:
        case Shape.HISTORY:
            # A row of a day has one every 6 hours; one of a random key may be of a minute alone.
            return made, History(draw(st.dictionaries(TIMES, value, max_size=4 if key is None else 1)))
        case Shape.SLOTS:
            slot = st.integers(0, 47).map(lambda count: FIRST + count * SLOTS.every)
            return evolve(made, slots=SLOTS), Slots(draw(st.dictionaries(slot, value, max_size=48)))
        case Shape.MARKS:
            made = evolve(made, names=names, codec=Present())
            return made, History(draw(st.dictionaries(TIMES, drawn(names), max_size=4)))
        case Shape.MAPPING:
            return evolve(made, names=names), draw(st.dictionaries(drawn(names), value, max_size=4))
        case Shape.HISTORIES:
            versions = st.dictionaries(TIMES, value, min_size=1, max_size=4 if key is None else 1).map(
                History
            )
            return evolve(made, names=names), draw(st.dictionaries(drawn(names), versions, max_size=4))
        case Shape.TIMED:
            entry = st.builds(Timed, value, TIMES)
            return evolve(made, names=names), draw(st.dictionaries(drawn(names), entry, max_size=4))
        case Shape.COUNTS:
            return evolve(made, codec=Int64(), spans=Spans(timedelta(hours=1))), History()
        case Shape.MEMBERS:
            return evolve(made, names=names, codec=Present()), draw(st.sets(drawn(names), max_size=4))
        case Shape.COUNTER:
            return evolve(made, codec=Int64()), draw(drawn(Int64()))
    return made, draw(st.none() | value)


@given(data=st.data())
def test_no_row_that_can_be_written_is_larger_than_the_largest(data: st.DataObject) -> None:
    """Whatever the key and the columns: what keeps to the declared figures has no more bytes, nor cells."""
    key = data.draw(st.none() | random_keys())
    if key is not None and timed(key.model):
        key = None  # how long its rows take events is up to its time
    if key is None:
        values: dict[str, Any] = {"id": data.draw(drawn(Text(width=4))), "day": date(2020, 2, 29)}
        model = daily(column(), events=None)
    else:
        known = key.rows(data.draw(st.integers(0, 999)), 5)
        values = dict(next(iter(known.values()), {}))
        assume(values)
        model = key.model
    found = [data.draw(columns(f"c{at}", key)) for at in range(data.draw(st.integers(1, 4)))]
    hashed = [
        evolve(one, expected=Expected(max_size=8)) for one in model.columns if one.name in model.key.hashed
    ]
    rule = max_versions(4)
    model = evolve(
        model,
        families=(Family("f", rule), Family("fam", rule)),
        columns=(*hashed, *(one for one, _ in found), Column("last", "f", b"last", Flag(), True)),
    )
    values |= {one.name: value for one, value in found} | {"last": True}
    mutation = RowCodec(model, lambda *_: None).encode(values, 0)
    largest = row_size(model).largest.value
    if largest is None:
        # Marks, and histories of a key that bounds no time, gather without an end.
        assert any(one.shape is Shape.MARKS for one in model.columns)
        return
    assert written(mutation) <= largest
    assert len(mutation.cells) <= cells_of_row(model).largest.least
    assert len(mutation.key) <= key_size(model.key).largest.least
