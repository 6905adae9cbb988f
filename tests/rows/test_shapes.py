"""Attributes of every shape: to cells and back, told apart by prefix, refused where they cannot be read."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from filter_interpreter import stored
from hypothesis import given
from hypothesis import strategies as st
from schemas import key_of, model_of

from btmodel.codecs.cell import Int64, Present, Utf8
from btmodel.codecs.key import DateText, PaddedInt, Text
from btmodel.errors import QueryRefused, UndecodableCell, ValueRefused
from btmodel.rows import Cell, RowCodec
from btmodel.rows.collections import History, Slots, Timed
from btmodel.schema import Bucket, Column, Family, KeepAll, KeyField, Mirror, RowKey, Shape
from btmodel.schema.bucket import SlotFormat, Spans

Row = tuple[dict[str, Any], tuple[Cell, ...]]
NOW = 1_600_000_000_000_000
START = datetime(2020, 2, 29, tzinfo=UTC)
RAW = b"a#20200229"
KEY = RowKey(
    (
        KeyField("k0", Text(max_length=3), mirror=Mirror("o", b"m:K", Utf8())),
        KeyField("k1", DateText()),
    ),
    b"#",
)
TEXT = Text(max_length=9, min_length=0, holds_delimiter=True)
QUARTERS = SlotFormat("%H%M", timedelta(minutes=15), Bucket.DAY)
COLUMNS = (
    Column("value", "o", b"v", Int64(), required=False),
    Column("counter", "c", b"n", Int64(), required=False, shape=Shape.COUNTER),
    Column(
        "counts",
        "c",
        b"s",
        Int64(),
        required=False,
        shape=Shape.COUNTS,
        spans=Spans(timedelta(hours=1)),
    ),
    Column("counters", "c", b"e:", Int64(), required=False, shape=Shape.COUNTERS, names=TEXT),
    Column("history", "o", b"h", Utf8(), required=False, shape=Shape.HISTORY),
    Column("slots", "o", b"s:", Int64(), required=False, shape=Shape.SLOTS, slots=QUARTERS),
    Column("marks", "o", b"k:", Present(), required=False, shape=Shape.MARKS, names=PaddedInt(3)),
    Column("mapping", "o", b"m:", Int64(), required=False, shape=Shape.MAPPING, names=TEXT),
    Column("histories", "o", b"d:", Int64(), required=False, shape=Shape.HISTORIES, names=TEXT),
    Column("timed", "o", b"t:", Utf8(), required=False, shape=Shape.TIMED, names=TEXT),
    Column("members", "o", b"e:", Present(), required=False, shape=Shape.MEMBERS, names=TEXT),
    Column("taken", "o", b"m:taken", Utf8(), required=False),
    Column("midnight", "o", b"s:0000", Utf8(), required=False),
)
FAMILIES = (Family("o", KeepAll()), Family("c", KeepAll()))
MODEL = model_of(KEY, families=FAMILIES, columns=COLUMNS, bucket=Bucket.DAY)
CODEC: RowCodec[Row] = RowCodec(MODEL, lambda values, unknown: (values, unknown))
NONE: dict[str, Any] = {
    "k0": "a",
    "k1": date(2020, 2, 29),
    "value": None,
    "counter": None,
    "counts": History(),
    "counters": {},
    "history": History(),
    "slots": Slots(),
    "marks": History(),
    "mapping": {},
    "histories": {},
    "timed": {},
    "members": set(),
    "taken": None,
    "midnight": None,
}


def number(value: int) -> bytes:
    """8 bytes, big-endian."""
    return value.to_bytes(8, "big", signed=True)


MILLIS = st.integers(0, 86_399_999).map(lambda count: START + timedelta(milliseconds=count))
SLOTS = st.integers(1, 95).map(lambda count: START + timedelta(minutes=15 * count))
NUMBERS = st.integers(-(2**63), 2**63 - 1)
NAMES = st.text("abt\u00e9:#aken ", max_size=4).filter(lambda name: name not in ("K", "taken"))
ROWS = st.fixed_dictionaries(
    {
        "value": st.none() | NUMBERS,
        "history": st.dictionaries(MILLIS, st.text(max_size=3), max_size=4).map(History),
        "slots": st.dictionaries(SLOTS, NUMBERS, max_size=4).map(Slots),
        "marks": st.dictionaries(MILLIS, st.integers(0, 999), max_size=4).map(History),
        "mapping": st.dictionaries(NAMES, NUMBERS, max_size=4),
        "histories": st.dictionaries(
            NAMES, st.dictionaries(MILLIS, NUMBERS, min_size=1, max_size=3).map(History), max_size=3
        ),
        "timed": st.dictionaries(NAMES, st.builds(Timed, st.text(max_size=3), MILLIS), max_size=4),
        "members": st.sets(NAMES, max_size=4),
        "taken": st.none() | st.text(max_size=2),
    }
)


@given(ROWS)
def test_a_row_of_every_shape_comes_back(values: dict[str, Any]) -> None:
    """Whatever lies in its attributes: reading the cells gives the row, and cells that come twice change nothing."""
    row = {**NONE, **values}
    mutation = CODEC.encode(row, NOW)
    assert mutation.key == RAW
    cells = stored(mutation.cells)
    assert CODEC.decode(RAW, cells) == (row, ())
    assert CODEC.decode(RAW, [cell for cell in cells for _ in range(2)]) == (row, ())
    assert CODEC.decode(RAW, stored([*cells, *cells])) == (row, ())


def written(**values: Any) -> list[Cell]:
    """The cells of these attributes, without the mirror."""
    return list(CODEC.encode({**NONE, **values}, NOW).cells)[1:]


AT = START + timedelta(hours=1)


@pytest.mark.parametrize(
    ("values", "cells"),
    [
        ({"value": 5}, [Cell("o", b"v", NOW, number(5))]),
        ({"history": {AT: "x"}}, [Cell("o", b"h", 1_582_938_000_000_000, b"x")]),
        ({"slots": {AT: 7}}, [Cell("o", b"s:0100", NOW, number(7))]),
        ({"marks": {AT: 7}}, [Cell("o", b"k:007", 1_582_938_000_000_000, b"")]),
        ({"mapping": {"b": 1, "": 0}}, [Cell("o", b"m:b", NOW, number(1)), Cell("o", b"m:", NOW, number(0))]),
        (
            {"histories": {"b": {AT: 1, START: 2}, "a": {}}},
            [
                Cell("o", b"d:b", 1_582_938_000_000_000, number(1)),
                Cell("o", b"d:b", 1_582_934_400_000_000, number(2)),
            ],
        ),
        ({"timed": {"b": ("x", AT)}}, [Cell("o", b"t:b", 1_582_938_000_000_000, b"x")]),
        ({"members": {"b", "a", ""}}, [Cell("o", b"e:" + name, NOW, b"") for name in (b"", b"a", b"b")]),
        ({"taken": ""}, [Cell("o", b"m:taken", NOW, b"")]),
        ({"counter": 5}, []),
        ({"counts": {AT: 5}}, []),
        ({"counters": {"a": 5}}, []),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_the_cells_of_each_shape_are_pinned(values: dict[str, Any], cells: list[Cell]) -> None:
    """Where the value, the time and the name of each shape lie is a contract on disk; a counter is never written."""
    assert written(**values) == cells


@pytest.mark.parametrize(
    ("values", "where"),
    [
        (
            {"mapping": {"taken": 1}},
            r"Row\.mapping: expected a name that is not the qualifier of another column",
        ),
        ({"mapping": {"K": 1}}, r"Row\.mapping: expected a name that is not the qualifier of another column"),
        ({"slots": {START: 1}}, r"Row\.slots: expected a name that is not the qualifier of another column"),
        ({"mapping": {"b": None}}, r"Row\.mapping\['b'\]: expected"),
        ({"mapping": {5: 1}}, r"Row\.mapping: expected text"),
        ({"mapping": [1]}, r"Row\.mapping: expected a mapping"),
        ({"histories": {5: {AT: 1}}}, r"Row\.histories: expected text"),
        ({"histories": {"b": 1}}, r"Row\.histories: expected a mapping from times to values"),
        ({"histories": {"b": {AT: None}}}, r"Row\.histories\['b'\]: expected"),
        ({"timed": {"b": 1}}, r"Row\.timed: expected a value with its time"),
        ({"timed": {"b": ("x", AT.time())}}, r"Row\.timed\['b'\]: expected an aware datetime"),
        ({"members": {5}}, r"Row\.members: expected text"),
        ({"members": ["a"]}, r"Row\.members: expected a set"),
        ({"members": "ab"}, r"Row\.members: expected a set"),
        ({"marks": {AT: 1000}}, r"Row\.marks: expected a whole number"),
        ({"marks": {AT.replace(tzinfo=None): 1}}, r"Row\.marks: expected an aware datetime"),
        ({"marks": {AT + timedelta(days=1): 1}}, r"Row\.marks: expected times of the row's day"),
        ({"slots": {AT + timedelta(minutes=1): 1}}, r"Row\.slots: expected a time that begins a slot"),
        ({"slots": {AT + timedelta(days=1): 1}}, r"Row\.slots: expected times of the row's day"),
        ({"slots": {AT.time(): 1}}, r"Row\.slots: expected an aware datetime"),
        ({"slots": {AT: "1"}}, r"Row\.slots: expected"),
        ({"slots": 5}, r"Row\.slots: expected a mapping"),
        ({"history": None}, r"Row\.history: expected a mapping"),
    ],
)
def test_what_does_not_fit_a_shape_is_refused_with_its_field(values: dict[str, Any], where: str) -> None:
    """Values, names and times that do not fit are refused before anything is written, and the field is named."""
    with pytest.raises(ValueRefused, match=f"^{where}"):
        CODEC.encode({**NONE, **values}, NOW)


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        (Cell("o", b"v", NOW, b"x"), ["o:v", "b'x'", "64-bit"]),
        (Cell("o", b"h", NOW, b"\xff"), ["o:h", r"b'\xff'", "UTF-8"]),
        (Cell("o", b"s:0100", NOW, b"x"), ["o:s:0100", "b'x'", "64-bit"]),
        (Cell("o", b"s:0101", NOW, number(1)), ["o:s:0101", "b'0101'", "slot of 15min"]),
        (Cell("o", b"s:2400", NOW, number(1)), ["o:s:2400", "b'2400'", "slot of 15min"]),
        (Cell("o", b"s:", NOW, number(1)), ["o:s:", "b''", "slot of 15min"]),
        (Cell("o", b"k:7", NOW, b""), ["o:k:7", "b'7'", "a qualifier of 3 digits"]),
        (Cell("o", b"k:007", NOW, b"x"), ["o:k:007", "b'x'", "an empty value"]),
        (Cell("o", b"m:\xff", NOW, number(1)), [r"o:m:\xff", r"b'\xff'", "a qualifier of up to 9 bytes"]),
        (Cell("o", b"m:0123456789", NOW, number(1)), ["b'0123456789'", "a qualifier of up to 9 bytes"]),
        (Cell("o", b"m:a", NOW, b""), ["o:m:a", "b''", "64-bit"]),
        (Cell("o", b"d:a", NOW, b""), ["o:d:a @ 2020-09-13", "b''", "64-bit"]),
        (Cell("o", b"d:\xff", NOW, number(1)), ["a qualifier of up to 9 bytes"]),
        (Cell("o", b"t:a", NOW, b"\xff"), ["o:t:a", "UTF-8"]),
        (Cell("o", b"t:a", 2**62, b""), ["o:t:a", "a timestamp up to the year 9999"]),
        (Cell("o", b"e:\0", NOW, b""), [r"b'\x00'", "a qualifier of up to 9 bytes"]),
        (Cell("c", b"n", 0, b""), ["c:n", "b''", "64-bit"]),
        (Cell("c", b"s", 0, b"5"), ["c:s @ 1970-01-01", "b'5'", "64-bit"]),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(cell: Cell, parts: Iterable[str]) -> None:
    """Table, row, family, qualifier, the bytes that came and what was expected are in the message."""
    with pytest.raises(UndecodableCell) as refusal:
        CODEC.decode(RAW, [cell])
    for part in ("table t", repr(RAW), *parts):
        assert part in str(refusal.value)


def test_two_marks_of_one_time_cannot_both_be_told() -> None:
    """A history has one value at a time: a second one is told, not dropped."""
    cells = [Cell("o", b"k:001", NOW, b""), Cell("o", b"k:002", NOW, b"")]
    with pytest.raises(UndecodableCell, match=r"o:k:002: expected one value at 2020"):
        CODEC.decode(RAW, cells)


def test_counts_are_read_as_they_lie() -> None:
    """The number of each span under the time of its cell, whatever the length of spans was when it was counted."""
    times = [NOW + 1_000, NOW, NOW - 3_600_000_000]
    row, _ = CODEC.decode(RAW, [Cell("c", b"s", time, number(n)) for n, time in enumerate(times)])
    found = {START.fromtimestamp(time / 1e6, UTC): n for n, time in enumerate(times)}
    assert (row["counts"], row["counts"].total) == (found, 3)


def test_marks_come_from_the_newest_to_the_oldest() -> None:
    """They lie by qualifier, and are a history by time."""
    times = [NOW, NOW + 2_000, NOW + 1_000]
    row, _ = CODEC.decode(RAW, [Cell("o", b"k:00%d" % n, time, b"") for n, time in enumerate(times)])
    assert list(row["marks"].values()) == [1, 2, 0]


def test_a_cell_is_of_the_column_that_names_it_before_any_prefix() -> None:
    """Columns and mirrors inside an open family are themselves, not entries of it."""
    cells = [
        Cell("o", b"m:K", NOW, b"not read"),
        Cell("o", b"m:a", NOW, number(1)),
        Cell("o", b"m:taken", NOW, b"t"),
        Cell("o", b"s:0000", NOW, b"m"),
    ]
    row, unknown = CODEC.decode(RAW, cells)
    assert (row["mapping"], row["taken"], row["midnight"], row["slots"], unknown) == (
        {"a": 1},
        "t",
        "m",
        {},
        (),
    )


def test_the_newest_version_of_an_entry_or_slot_is_its_value() -> None:
    """Of several versions the first that comes is read, and older ones need not even parse."""
    cells = [
        Cell("o", b"m:a", NOW, number(2)),
        Cell("o", b"m:a", NOW - 1000, b"x"),
        Cell("o", b"s:0100", NOW, number(3)),
        Cell("o", b"s:0100", NOW - 1000, b"x"),
    ]
    row, _ = CODEC.decode(RAW, cells)
    assert (row["mapping"], row["slots"]) == ({"a": 2}, {AT: 3})


def test_every_version_of_a_history_is_read_and_the_newest_time() -> None:
    """Of entries with histories all cells, of those with a time the newest, whose older ones need not parse."""
    cells = [
        Cell("o", b"d:a", NOW, number(2)),
        Cell("o", b"d:a", NOW - 1000, number(1)),
        Cell("o", b"d:b", NOW, number(3)),
        Cell("o", b"t:a", NOW, b"x"),
        Cell("o", b"t:a", NOW - 1000, b"\xff"),
    ]
    row, _ = CODEC.decode(RAW, cells)
    now = Cell("", b"", NOW, b"").time
    before = now - timedelta(milliseconds=1)
    assert row["histories"] == {"a": {now: 2, before: 1}, "b": {now: 3}}
    assert row["timed"] == {"a": Timed("x", now)}


def test_strangers_beside_open_columns_are_kept() -> None:
    """A cell that begins as no open column does, or lies in another family, is unknown, and comes back."""
    strangers = [Cell("c", b"m:a", NOW, b"1"), Cell("o", b"", NOW, b""), Cell("o", b"x:a", NOW, b"1")]
    row, unknown = CODEC.decode(RAW, strangers)
    assert unknown == tuple(strangers)
    assert row == NONE


def test_a_family_that_is_all_of_one_column_has_any_qualifier() -> None:
    """Without a prefix every other cell of the family is an entry, the empty qualifier among them."""
    column = Column("m", "f", b"", Utf8(), required=False, shape=Shape.MAPPING, names=TEXT)
    codec: RowCodec[Row] = RowCodec(model_of(key_of(PaddedInt(1)), columns=(column,)), lambda *row: row)
    mutation = codec.encode({"k0": 1, "m": {"": "", "a:b": "x"}}, NOW)
    assert [cell.qualifier for cell in mutation.cells] == [b"", b"a:b"]
    assert codec.decode(b"1", stored(mutation.cells))[0]["m"] == {"": "", "a:b": "x"}


def test_of_two_prefixes_the_longest_that_fits_is_meant() -> None:
    """Columns of different prefixes of a family are told apart, whatever the order of their declaration."""
    columns = tuple(
        Column(name, "f", name.encode(), Present(), required=False, shape=Shape.MEMBERS, names=TEXT)
        for name in ("a", "ab", "b")
    )
    codec: RowCodec[Row] = RowCodec(model_of(key_of(PaddedInt(1)), columns=columns), lambda *row: row)
    cells = [Cell("f", qualifier, NOW, b"") for qualifier in (b"aa", b"ab", b"abc", b"ba")]
    row, _ = codec.decode(b"1", cells)
    assert (row["a"], row["ab"], row["b"]) == ({"a"}, {"", "c"}, {"a"})


@given(ROWS, st.sets(st.sampled_from([column.name for column in COLUMNS])))
def test_a_row_of_some_columns_has_those_alone(values: dict[str, Any], only: set[str]) -> None:
    """Columns that were not asked for are no part of what is read, whether or not their cells came."""
    row = {**NONE, **values}
    found, unknown = CODEC.decode(RAW, stored(CODEC.encode(row, NOW).cells), frozenset(only))
    assert found == {name: row[name] for name in ("k0", "k1", *only)}
    assert unknown == ()


def test_what_is_not_asked_for_is_not_even_looked_at() -> None:
    """An unreadable cell of another column does not stand in the way."""
    cells = [Cell("o", b"m:a", NOW, b"x"), Cell("o", b"v", NOW, number(1))]
    assert CODEC.decode(RAW, cells, frozenset({"value"}))[0]["value"] == 1


def test_slots_are_found_by_time_and_by_time_of_day() -> None:
    """A time of day is as good as the time where only one slot begins then."""
    slots: Slots[int] = Slots({AT: 1, AT + timedelta(minutes=15): 2})
    assert (slots[AT], slots[AT.time()]) == (1, 1)
    assert (slots.get(AT.time()), slots.get(START), slots.get(START.time(), 5)) == (1, None, 5)
    with pytest.raises(KeyError):
        slots[START.time()]
    twice: Slots[int] = Slots({AT: 1, AT + timedelta(days=1): 2})
    with pytest.raises(KeyError, match="2 slots begin at this time of day"):
        twice[AT.time()]
    assert repr(slots).startswith("Slots({datetime")


def test_a_history_is_cut_at_either_end_or_both() -> None:
    """An end that is None is open; a time without a zone, and an end before the start, are refused."""
    noon = datetime(2020, 1, 1, 12, tzinfo=UTC)
    hour = timedelta(hours=1)
    history = History({noon: 1, noon + hour: 2, noon + 2 * hour: 3})
    assert list(history.between(noon + hour, None).values()) == [2, 3]
    assert list(history.between(None, noon + hour).values()) == [1]
    assert history.between(None, None) == history
    assert history.between(noon, noon + hour) == {noon: 1}
    with pytest.raises(ValueRefused, match=r"History\.between: expected .*time zone"):
        history.between(datetime(2020, 1, 1), None)
    with pytest.raises(QueryRefused, match=r"History\.between: expected a start"):
        history.between(noon + hour, noon)
