"""Comparisons become filters that find just the cells for which they hold, and conditions join them as logic does."""

import math
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from filter_interpreter import passing, stored
from hypothesis import example, given
from hypothesis import strategies as st
from schemas import key_of, model_of

import btmodel as bt
from btmodel.codecs.aware_times import micros_since_epoch, start_of_span
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows import Cell, Condition, Mutation, conditional, when
from btmodel.rows.conditions import asked
from btmodel.schema import Aggregate, Column, Family, ModelSchema, Shape
from btmodel.schema.gc import max_age, max_versions

NOW = datetime(2020, 1, 1, tzinfo=UTC)
KEY = key_of(bt.PaddedInt(3))


def of_codec(codec: CellCodec[Any]) -> ModelSchema:
    """A model of one column."""
    return model_of(
        KEY, families=(Family("f", max_versions(1)),), columns=(Column("c", "f", b"c", codec, False),)
    )


def holds(condition: Condition, cells: list[Cell]) -> bool:
    """Whether the server would find a condition true of a row."""
    filter, present = asked(condition.test)
    return bool(passing(filter, stored(cells), NOW)) is present


def cents(euros: Decimal) -> int:
    return int(euros.scaleb(2))


def euros(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def month_of(time: datetime) -> datetime:
    """The start of the 28 days since 1970 that a time lies in."""
    return start_of_span(max(time, datetime(1970, 1, 1, tzinfo=UTC)), timedelta(days=28))


TIMES = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
NUMBERS = st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1)
ROUNDED = st.sampled_from([0.0, -0.0, 1e-60, -1e-60, 0.1, 1e-45, math.inf, -math.inf]) | st.floats(
    -3e38, 3e38
)
FLOATS = st.sampled_from([0.0, -0.0, 1.5, -1.5, float("inf"), float("-inf")]) | st.floats(allow_nan=False)
SORTED: list[tuple[CellCodec[Any], st.SearchStrategy[Any]]] = [
    (bt.Int64(), NUMBERS),
    (bt.Float64(), FLOATS),
    (bt.FloatBytes(4), st.floats(width=32, allow_nan=False)),
    (bt.IntBytes(2), st.integers(-(2**15), 2**15 - 1)),
    (bt.IntBytes(1, "little"), st.integers(-128, 127)),
    (bt.IntBytes(4, signed=False), st.integers(0, 2**32 - 1)),
    (bt.Flag(), st.booleans()),
    (bt.Utf8(), st.text("ab\0é\U0010ffff\uffff", max_size=3)),
    (bt.Raw(), st.binary(max_size=3)),
    (bt.HexText(), st.binary(max_size=3)),
    (bt.Micros(), TIMES),
    (bt.IsoDate(), st.dates()),
    (bt.UuidBytes(), st.uuids()),
    (bt.mapped(bt.Int64(), to=cents, from_=euros, ordered=True), st.integers(-(10**12), 10**12).map(euros)),
    (
        bt.mapped(bt.IntBytes(2), to=cents, from_=euros, ordered=True),
        st.integers(-(2**15), 2**15 - 1).map(euros),
    ),
    (
        bt.mapped(bt.AsInKey(bt.Descending(bt.PaddedInt(3))), to=cents, from_=euros, ordered=True),
        st.integers(0, 999).map(euros),
    ),
    (bt.AsInKey(bt.PaddedInt(3)), st.integers(0, 999)),
    (bt.AsInKey(bt.EpochBucket(bt.PaddedInt(5), timedelta(days=28))), TIMES.map(month_of)),
    (bt.AsInKey(bt.Descending(bt.PaddedInt(3))), st.integers(0, 999)),
    (bt.AsInKey(bt.Text(max_length=3)), st.text("ab ", min_size=1, max_size=3)),
    (bt.AsInKey(bt.ReversedMillis()), TIMES.map(lambda time: time.replace(year=2000, microsecond=5_000))),
]
COMPARED: list[tuple[Callable[..., Any], Callable[[Any, Any], bool]]] = [
    (bt.less_than, lambda value, end: value < end),
    (bt.at_most, lambda value, end: value <= end),
    (bt.more_than, lambda value, end: value > end),
    (bt.at_least, lambda value, end: value >= end),
]


@pytest.mark.parametrize(("codec", "values"), SORTED, ids=lambda one: str(one)[:40])
@given(data=st.data())
def test_values_are_compared_as_python_does(
    codec: CellCodec[Any], values: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    """For a value in the cell, each comparison holds just where it holds in Python; between joins two of them."""
    model = of_codec(codec)
    stored_value, low, high = data.draw(values), data.draw(values), data.draw(values)
    cells = [Cell("f", b"c", 0, codec.encode(stored_value))]
    for make, compare in COMPARED:
        assert holds(when(model, (), {"c": make(low)}), cells) is compare(stored_value, low), make.__name__
        assert not holds(when(model, (), {"c": make(low)}), [])
    low, high = min(low, high), max(low, high)
    for closed in ("[)", "[]", "()", "(]"):
        within = (low <= stored_value if closed[0] == "[" else low < stored_value) and (
            stored_value <= high if closed[1] == "]" else stored_value < high
        )
        assert holds(when(model, (), {"c": bt.between(low, high, closed)}), cells) is within, closed


@given(TIMES, TIMES)
def test_ends_may_be_finer_than_what_is_stored(value: datetime, end: datetime) -> None:
    """A time of microseconds is compared with one of whole seconds as it is, and not refused."""
    codec = bt.AsInKey(bt.EpochSeconds())
    value = value.replace(year=1980, microsecond=0)
    end = end.replace(year=1980)
    cells = [Cell("f", b"c", 0, codec.encode(value))]
    for make, compare in COMPARED:
        assert holds(when(of_codec(codec), (), {"c": make(end)}), cells) is compare(value, end)


@pytest.mark.parametrize(
    "codec",
    [
        bt.EpochSeconds(round=True),
        bt.EpochMillis(round=True),
        bt.ReversedSeconds(round=True),
        bt.ReversedMillis(round=True),
        bt.TimeBytes("second", 4, round=True),
        bt.TimeBytes("nanosecond", round=True),
        bt.Descending(bt.TimeBytes("millisecond", round=True)),
        bt.TimeText("%Y%m%d%H%M", round=True),
    ],
    ids=str,
)
@given(value=st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)), data=st.data())
def test_an_end_of_a_range_is_rounded_as_what_is_stored(
    codec: KeyCodec[datetime], value: datetime, data: st.DataObject
) -> None:
    """What is stored from a time lies at that time for every comparison: neither in front of it nor behind it."""
    cell = bt.AsInKey(codec)
    end = value + data.draw(st.timedeltas(timedelta(0), timedelta(seconds=61)))
    assert cell.bound(end) == cell.encode(end)
    model = of_codec(cell)
    cells = [Cell("f", b"c", 0, cell.encode(value))]
    stored, rounded = cell.decode(cell.encode(value)), cell.decode(cell.encode(end))
    assert holds(when(model, (), {"c": bt.less_than(end)}), cells) is (stored < rounded)
    assert holds(when(model, (), {"c": bt.at_most(end)}), cells) is (stored <= rounded)
    assert holds(when(model, (), {"c": bt.more_than(end)}), cells) is (stored > rounded)
    assert holds(when(model, (), {"c": bt.at_least(end)}), cells) is (stored >= rounded)


@pytest.mark.parametrize(
    "codec", [bt.FloatBytes(4, round=True), bt.HexText(bt.FloatBytes(4, round=True))], ids=str
)
@given(value=ROUNDED, end=ROUNDED)
@example(value=0.0, end=1e-60)
@example(value=0.0, end=-1e-60)
@example(value=-0.0, end=1e-60)
@example(value=math.inf, end=3.4028234663852886e38)
def test_a_number_is_rounded_before_it_is_compared(codec: CellCodec[float], value: float, end: float) -> None:
    """What is stored of a number lies at that number for every comparison; 0.0 and -0.0, to which small ones are rounded, are one."""
    cells = [Cell("f", b"c", 0, codec.encode(value))]
    stored, rounded = codec.decode(codec.encode(value)), codec.decode(codec.encode(end))
    for make, compare in COMPARED:
        assert holds(when(of_codec(codec), (), {"c": make(end)}), cells) is compare(stored, rounded), (
            make.__name__
        )
        assert holds(when(of_codec(codec), (), {"c": make(value)}), cells) is compare(stored, stored), (
            make.__name__
        )


@pytest.mark.parametrize(
    ("codec", "comparison", "filter"),
    [
        (
            bt.Int64(),
            bt.less_than(5),
            r"values [\x00\x00\x00\x00\x00\x00\x00\x00, \x00\x00\x00\x00\x00\x00\x00\x05)",
        ),
        (
            bt.Int64(),
            bt.at_most(-1),
            r"values [\x80\x00\x00\x00\x00\x00\x00\x00, \xff\xff\xff\xff\xff\xff\xff\xff]",
        ),
        (
            bt.Float64(),
            bt.less_than(-2.0),
            r"values (\xc0\x00\x00\x00\x00\x00\x00\x00, \xff\xf0\x00\x00\x00\x00\x00\x00]",
        ),
        (bt.Utf8(), bt.at_least("m"), "values [m, open)"),
        (bt.Utf8(), bt.less_than("m"), "values (open, m)"),
        (bt.IsoDate(), bt.between(date(2020, 1, 1), date(2020, 2, 1)), "values [2020-01-01, 2020-02-01)"),
        (bt.AsInKey(bt.Descending(bt.PaddedInt(1))), bt.less_than(3), "values (6, open)"),
        (bt.Raw(), bt.one_of(b"a", b"b", b"a"), "(value a | value b)"),
        (bt.Raw(), bt.older_than(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)), "timestamps [0, 1000000)"),
        (bt.Raw(), bt.newer_than(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)), "timestamps [1001000, open)"),
        (bt.Raw(), bt.newer_than(datetime(1970, 1, 1, 0, 0, 1, 5, tzinfo=UTC)), "timestamps [1001000, open)"),
        (bt.Raw(), bt.older_than(timedelta(hours=1)), "older than 1 hour"),
    ],
)
def test_the_bytes_that_are_asked_for(codec: CellCodec[Any], comparison: Any, filter: str) -> None:
    """The filter names just these bytes, behind the newest cell of the column."""
    found, present = asked(when(of_codec(codec), (), {"c": comparison}).test)
    text = str(found)
    head, _, rest = text.partition("newest 1 of a column > ")
    assert present is True
    assert head == "columns f:c > "
    assert filter in rest


def test_what_a_filter_cannot_serve_is_refused() -> None:
    """Codecs that do not sort, values that do not fit, and ends that are no value say so, with the way out."""
    text, number = of_codec(bt.DecimalText()), of_codec(bt.Float64())
    with pytest.raises(
        QueryRefused, match=r"Row.c: bt.less_than\(5\): the bytes of its codec DecimalText\(\) \(whole"
    ):
        when(text, (), {"c": bt.less_than(5)})
    assert holds(when(text, (), {"c": bt.one_of(5, 6)}), [Cell("f", b"c", 0, b"6")])
    with pytest.raises(ValueRefused, match=r"Row.c: expected a number, got 'x'"):
        when(number, (), {"c": bt.at_least("x")})
    with pytest.raises(ValueRefused, match=r"Row.c: expected a number, which is less or more than others"):
        when(number, (), {"c": bt.at_least(float("nan"))})
    with pytest.raises(
        QueryRefused, match=r"Row.c: expected the lower end of bt.between\(2, 1, '\[\)'\) first"
    ):
        when(number, (), {"c": bt.between(2, 1)})
    with pytest.raises(QueryRefused, match=r"bt.between: expected one of '\[\)'"):
        bt.between(1, 2, "[[")  # type: ignore[arg-type]
    with pytest.raises(QueryRefused, match=r"bt.one_of: expected at least one value"):
        bt.one_of()
    with pytest.raises(
        QueryRefused, match=r"bt.less_than: expected a value, got None: an absent cell is bt.absent"
    ):
        bt.less_than(None)
    with pytest.raises(ValueRefused, match=r"bt.older_than: expected an aware time, or an age from 0 on"):
        bt.older_than(datetime(2020, 1, 1))
    with pytest.raises(
        ValueRefused, match=r"Row.c: expected a value of at most 10,240 bytes to compare with"
    ):
        when(of_codec(bt.Raw()), (), {"c": bt.less_than(b"x" * 10_241)})
    with pytest.raises(
        QueryRefused, match=r"Row: expected columns by their names, a condition, .*got bt.less_than\(5\)"
    ):
        when(number, (bt.less_than(5),), {})


WIDE = model_of(
    KEY,
    families=(
        Family("f", max_versions(1)),
        Family("o", max_age(days=1)),
        Family("s", max_versions(1), Aggregate.SUM),
    ),
    columns=(
        Column("a", "f", b"a", bt.Utf8(), False),
        Column("b", "f", b"b", bt.Utf8(), False),
        Column("h", "o", b"h", bt.Utf8(), False, shape=Shape.HISTORY),
        Column("m", "o", b"m:", bt.Int64(), False, shape=Shape.MAPPING, names=bt.Text(max_length=3)),
        Column("t", "o", b"t:", bt.Present(), False, shape=Shape.MEMBERS, names=bt.Text(max_length=3)),
        Column("n", "s", b"n", bt.Int64(), False, shape=Shape.COUNTER),
    ),
)
FRESH = micros_since_epoch(NOW) - 1_000_000
EXPIRED = micros_since_epoch(NOW - timedelta(days=2))


def row(*names: str, stamp: int = FRESH) -> list[Cell]:
    """The cells of some columns, by a letter each."""
    cells = {
        "a": Cell("f", b"a", stamp, b"1"),
        "b": Cell("f", b"b", stamp, b"1"),
        "h": Cell("o", b"h", stamp, b"1"),
        "m": Cell("o", b"m:x", stamp, (5).to_bytes(8)),
        "t": Cell("o", b"t:x", stamp, b""),
        "n": Cell("s", b"n", 0, (5).to_bytes(8)),
        "?": Cell("f", b"unknown", stamp, b"1"),
    }
    return stored(cells[name] for name in names)


@pytest.mark.parametrize("name", ["a", "h", "m", "t", "n"])
def test_every_column_is_there_or_not(name: str) -> None:
    """Present and absent are said of columns of any shape; what the rule of a family would delete is not there."""
    present, absent = (when(WIDE, (), {name: of}) for of in (bt.present(), bt.absent()))
    assert holds(present, row(name))
    assert not holds(present, row("?"))
    assert not holds(absent, row(name))
    assert holds(absent, row("?"))
    assert holds(absent, [])
    if name in "hmt":
        assert holds(absent, row(name, stamp=EXPIRED))


def test_rows_and_families_are_there_or_not() -> None:
    """Of a row, present is said without a name, and of one family with its id."""
    assert holds(when(WIDE, (bt.present(),), {}), row("t"))
    assert holds(when(WIDE, (bt.absent(),), {}), [])
    assert not holds(when(WIDE, (bt.present("o"),), {}), row("a"))
    assert holds(when(WIDE, (bt.present("o"), bt.absent("s")), {}), row("h"))
    with pytest.raises(QueryRefused, match=r"Row: expected a family of the model \(f, o, s\), got 'g'"):
        when(WIDE, (bt.present("g"),), {})


def test_mappings_and_sets_contain_entries() -> None:
    """An entry is there, with any value or one that compares; a set has members; nothing else contains something."""
    cells = row("m", "t")
    for wanted, comparison in [(True, bt.contains("x")), (False, bt.contains("y"))]:
        assert holds(when(WIDE, (), {"m": comparison}), cells) is wanted
        assert holds(when(WIDE, (), {"t": comparison}), cells) is wanted
    assert holds(when(WIDE, (), {"m": bt.contains("x", 5)}), cells)
    assert holds(when(WIDE, (), {"m": bt.contains("x", bt.at_least(5))}), cells)
    assert not holds(when(WIDE, (), {"m": bt.contains("x", bt.more_than(5))}), cells)
    assert holds(when(WIDE, (), {"t": bt.contains("x", bt.newer_than(timedelta(seconds=2)))}), cells)
    assert not holds(when(WIDE, (), {"t": bt.contains("x", bt.older_than(timedelta(seconds=2)))}), cells)
    for column, comparison, told in [
        ("a", bt.contains("x"), r"Row.a: bt.contains\('x'\): only mappings and sets contain something"),
        ("t", bt.contains("x", 5), r"Row.t: bt.contains\('x', 5\): a member of a set has no value"),
        ("m", bt.contains("x", None), r"Row.m: .*: expected a value, or what compares with one"),
    ]:
        with pytest.raises(QueryRefused, match=told):
            when(WIDE, (), {column: comparison})


ATOMS: dict[str, Condition] = {
    name: when(WIDE, (), {name: "1"}) if name in "ab" else when(WIDE, (), {name: bt.present()})
    for name in "abhmt"
}
CONDITIONS: st.SearchStrategy[tuple[Condition, Callable[[set[str]], bool]]] = st.recursive(
    st.sampled_from("abhmt").map(lambda name: (ATOMS[name], lambda names: name in names)),
    lambda inner: (
        st.tuples(inner, inner).map(
            lambda two: (two[0][0] & two[1][0], lambda names: two[0][1](names) and two[1][1](names))
        )
        | st.tuples(inner, inner).map(
            lambda two: (two[0][0] | two[1][0], lambda names: two[0][1](names) or two[1][1](names))
        )
        | inner.map(lambda one: (~one[0], lambda names: not one[1](names)))
    ),
    max_leaves=8,
)


@given(CONDITIONS, st.sets(st.sampled_from("abhmt?")))
def test_conditions_join_as_logic_does(
    made: tuple[Condition, Callable[[set[str]], bool]], names: set[str]
) -> None:
    """And, or and not of any depth hold just where they do in Python, of every row, and of one that is not there."""
    condition, wanted = made
    assert holds(condition, row(*names)) is wanted(names)
    found = conditional(Mutation("t", b"001", [Cell("f", b"a", 0, b"1")]), condition.test)
    if not names:
        assert passing(found.found, [], NOW) == []


def test_many_conditions_are_not_nested_deeply() -> None:
    """Sixty-four conditions of one row stay within the twenty levels of filters that the service takes."""
    condition = ATOMS["a"]
    for _ in range(63):
        condition &= ATOMS["b"]
    from btmodel.client.filter_messages import filter_bytes

    def depth(message: Any) -> int:
        inner = [
            getattr(message.condition, name) for name in ("predicate_filter", "true_filter", "false_filter")
        ]
        parts = [
            *message.chain.filters,
            *message.interleave.filters,
            *(inner if message.HasField("condition") else []),
        ]
        return 1 + max(map(depth, parts), default=0)

    from google.cloud.bigtable_v2.types import RowFilter

    message = RowFilter.pb().FromString(filter_bytes(asked(condition.test)[0], "t"))
    assert depth(message) <= 20


def test_a_condition_has_no_truth_of_its_own() -> None:
    """``and``, ``or`` and ``not`` would drop one of two conditions, and those of two models have no meaning."""
    with pytest.raises(TypeError, match=r"combine conditions with `&`, `|` and `~`"):
        bool(ATOMS["a"] and ATOMS["b"])
    with pytest.raises(QueryRefused, match=r"Row: expected a condition of the same model"):
        ATOMS["a"] & when(of_codec(bt.Utf8()), (), {"c": "1"})
    with pytest.raises(QueryRefused, match=r"Row: expected a condition of the same model, .* got True"):
        ATOMS["a"] | True  # type: ignore[operator]


def test_an_end_that_would_not_come_back_is_refused() -> None:
    """Between two values that functions make, nothing says on which side of the end a cell lies."""
    model = of_codec(bt.mapped(bt.Int64(), to=cents, from_=euros, ordered=True))
    with pytest.raises(ValueRefused, match=r"Row.c: expected a value that comes back from .*euros as it was"):
        when(model, (), {"c": bt.less_than(Decimal("0.001"))})
    assert not bt.mapped(bt.Int64(), to=cents, from_=euros).runs
