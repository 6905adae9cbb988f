"""Selections become filters that let through what they say, and refuse what cannot be asked."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from filter_interpreter import passing, stored
from hypothesis import given
from hypothesis import strategies as st
from schemas import key_of, model_of

import btmodel as bt
from btmodel.codecs.aware_times import micros_since_epoch
from btmodel.codecs.cell import Raw, Utf8
from btmodel.codecs.key import KeyCodec, PaddedInt, Text
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows import Cell, FirstCells, KeyMatches, Selection, WithoutValues, if_absent, if_equal
from btmodel.rows.filters import Times
from btmodel.rows.gc_filter import of_columns, of_model
from btmodel.rows.mutations import Mutation
from btmodel.schema import Column, Family, MaxAge, MaxVersions, Shape, Union
from btmodel.schema.gc import max_versions

NOW = datetime(2020, 1, 1, tzinfo=UTC)
OLDEST = timedelta(milliseconds=6)
FAMILIES = (
    Family("f", MaxVersions(1)),
    Family("g", Union((MaxVersions(3), MaxAge(OLDEST)))),
    Family("o", MaxVersions(2)),
)
NAMES = Text(max_length=3, min_length=0)
COLUMNS = (
    Column("a", "f", b"a", Utf8(), False),
    Column("b", "f", b"b", Utf8(), False),
    Column("h", "g", b"h", Utf8(), False, shape=Shape.HISTORY),
    Column("v", "g", b"v", Utf8(), False),
    Column("tags", "o", b"t:", Raw(), False, shape=Shape.MEMBERS, names=NAMES),
    Column("rest", "o", b"u:", Utf8(), False, shape=Shape.MAPPING, names=NAMES),
)
MODEL = model_of(key_of(PaddedInt(3)), families=FAMILIES, columns=COLUMNS)
ALL = Selection(MODEL)
PLACES = [("f", b"a"), ("f", b"b"), ("g", b"h"), ("g", b"v"), ("o", b"t:x"), ("o", b"t:y"), ("o", b"u:x")]
# Ages in milliseconds; no cell comes from the future.
CELLS = st.lists(
    st.builds(
        lambda place, age, value: Cell(*place, micros_since_epoch(NOW) - 1000 * age, value),
        st.sampled_from([*PLACES, ("f", b"unknown"), ("zz", b"a")]),
        st.integers(0, 9),
        st.sampled_from([b"1", b"2"]),
    ),
    max_size=25,
    unique_by=lambda cell: cell[:3],
).map(stored)


def of(name: str, cells: list[Cell]) -> set[Cell]:
    """The cells of a column that are meant: what the rule of its family keeps, of plain columns the newest."""
    column = next(one for one in COLUMNS if one.name == name)
    found: set[Cell] = set()
    for place in PLACES:
        if place[0] == column.family and place[1].startswith(column.qualifier):
            versions = [cell for cell in cells if cell[:2] == place]
            if column.family == "g":
                versions = [cell for cell in versions[:3] if cell.time >= NOW - OLDEST]
            found |= set(versions if column.versioned else versions[:1])
    return found


@given(CELLS, st.sets(st.sampled_from([column.name for column in COLUMNS]), min_size=1))
def test_only_the_columns_that_are_asked_for_are_read(cells: list[Cell], names: set[str]) -> None:
    """Of asked columns everything comes that is meant, of the others nothing."""
    wanted = set().union(*(of(name, cells) for name in names))
    assert set(passing(of_columns(MODEL, names), cells, NOW)) == wanted
    assert set(passing(ALL.only(names).filter, cells, NOW)) == wanted


@given(CELLS, st.integers(0, 9), st.integers(1, 9))
def test_times_bound_what_garbage_collection_keeps(cells: list[Cell], age: int, length: int) -> None:
    """Versions are counted before times are looked at, and of every column; the end is not in the range."""
    start = NOW - timedelta(milliseconds=age)
    end = start + timedelta(milliseconds=length)
    selection = ALL.between(start, end)
    assert selection is not None
    kept = passing(of_model(MODEL, every_version=True), cells, NOW)
    wanted = {cell for cell in kept if start <= cell.time < end}
    assert set(passing(selection.filter, cells, NOW)) == wanted
    ages = {place: [cell for cell in cells if cell[:2] == place] for place in PLACES}
    assert {cell for cell in kept if cell.family == "o"} == {
        cell for place, versions in ages.items() if place[0] == "o" for cell in versions[:2]
    }
    columns = ALL.only(["v", "tags"]).between(start, end)
    assert columns is not None
    of_columns_alone = {
        cell for cell in wanted if cell[:2] == ("g", b"v") or cell.qualifier.startswith(b"t:")
    }
    assert set(passing(columns.filter, cells, NOW)) == of_columns_alone


@given(CELLS, st.dictionaries(st.sampled_from(["a", "b", "v"]), st.sampled_from(["1", "2"]), max_size=3))
def test_where_compares_the_newest_value(cells: list[Cell], values: dict[str, str]) -> None:
    """A row passes whole if the newest cell of each column is the one expected, else nothing of it does."""
    holds = all(
        {cell.value for cell in of(name, cells)} == {value.encode()} for name, value in values.items()
    )
    selection = ALL.where(values)
    assert passing(selection.filter, cells, NOW) == (passing(ALL.filter, cells, NOW) if holds else [])


@given(CELLS, st.sampled_from([ALL, ALL.only(["a", "h"]), ALL.where({"a": "1"}).only(["tags"])]))
def test_keys_come_of_the_rows_that_would_come(cells: list[Cell], selection: Selection) -> None:
    """Of a row one cell comes, without its value, just where the whole read gives cells."""
    whole = passing(selection.filter, cells, NOW)
    assert passing(selection.one_cell, cells, NOW) == [cell._replace(value=b"") for cell in whole[:1]]


def test_patterns_stand_in_front() -> None:
    """The key is looked at first, before anything is read of the row."""
    selection = ALL.where({"a": "1"}).matching(b"0.*").matching("é")
    told = str(selection.filter)
    assert told.startswith("keys that match 0.* > keys that match é > rows with (columns f:a > newest 1")
    assert selection.patterns == (KeyMatches(b"0.*"), KeyMatches("é".encode()))


def test_times_that_leave_nothing_and_times_that_leave_all() -> None:
    """A range that holds no time is no selection; an end that is None is open."""
    assert ALL.between(NOW, NOW) is None
    with pytest.raises(QueryRefused, match="Row: times: expected a start that is not after the end"):
        ALL.between(NOW, datetime(1970, 1, 1, tzinfo=UTC))
    assert str(ALL.between(None, None)).count("Times(start=0, end=0)") == 1
    with pytest.raises(ValueRefused, match="Row: times: expected an aware datetime"):
        ALL.between(NOW.replace(tzinfo=None), None)


@pytest.mark.parametrize("names", [[], ["c"], ["a", "k0"], ["ab"], [None]])
def test_only_refuses_what_is_no_column(names: list[str]) -> None:
    """Unknown names, key fields and no name at all are refused, with the names that there are."""
    with pytest.raises(QueryRefused, match="Row: only: expected columns of a, b, h, v, tags, rest; "):
        ALL.only(names)


def test_where_refuses_what_a_server_cannot_compare() -> None:
    """Key fields, values of histories and unknown names are refused with the reason; so is a value of another type."""
    with pytest.raises(
        QueryRefused, match=r"Row.k0: expected a column .*a field of the row key: declare a query"
    ):
        ALL.where({"k0": 5})
    with pytest.raises(
        QueryRefused, match=r"Row.h: expected a column of one value to compare, or bt.present\(\), bt"
    ):
        ALL.where({"h": "1"})
    with pytest.raises(QueryRefused, match=r"Row: expected a column \(a, b, h, v, tags, rest\), got 'resd'"):
        ALL.where({"resd": "1"})
    with pytest.raises(ValueRefused, match=r"Row.a: expected text"):
        ALL.where({"a": 5})


@pytest.mark.parametrize("pattern", ["", b"", None, 5])
def test_matching_refuses_what_is_no_expression(pattern: str) -> None:
    """An expression is text or bytes, and not empty."""
    with pytest.raises(QueryRefused, match="Row: matching: expected a regular expression"):
        ALL.matching(pattern)


MUTATION = Mutation("t", b"001", [Cell("f", b"a", 0, b"1")])


@given(CELLS)
def test_a_row_is_absent_where_it_has_no_cell_of_the_model(cells: list[Cell]) -> None:
    """The condition of put_if_absent finds a cell just where a read of the row would."""
    condition = if_absent(MODEL, MUTATION)
    assert condition.present is False
    assert bool(passing(condition.found, cells, NOW)) == bool(passing(of_model(MODEL), cells, NOW))


@given(CELLS, st.dictionaries(st.sampled_from(["a", "b", "v"]), st.sampled_from(["1", "2"]), min_size=1))
def test_put_if_finds_a_cell_where_all_values_are_those_expected(
    cells: list[Cell], expected: dict[str, str]
) -> None:
    """The condition holds just where every named column's newest value is the one expected."""
    condition = if_equal(MODEL, MUTATION, expected)
    holds = all({cell.value.decode() for cell in of(name, cells)} == {v} for name, v in expected.items())
    assert condition.present is True
    assert bool(passing(condition.found, cells, NOW)) == holds


@given(CELLS)
def test_put_if_of_none_finds_a_cell_where_the_column_has_one(cells: list[Cell]) -> None:
    """None stands for an absent cell, one that garbage collection would delete included."""
    condition = if_equal(MODEL, MUTATION, {"v": None})
    assert condition.present is False
    assert bool(passing(condition.found, cells, NOW)) == bool(of("v", cells))


@given(
    CELLS,
    st.dictionaries(st.sampled_from(["a", "b", "v"]), st.sampled_from(["1", "2", None]), min_size=1),
)
def test_put_if_takes_absent_cells_beside_values(cells: list[Cell], expected: dict[str, str | None]) -> None:
    """Any number of columns must have no cell, and any number their value, in whatever mixture."""
    condition = if_equal(MODEL, MUTATION, expected)
    newest = {name: {cell.value.decode() for cell in of(name, cells)} for name in expected}
    holds = all(newest[name] == ({value} if value else set()) for name, value in expected.items())
    assert (bool(passing(condition.found, cells, NOW)) is condition.present) is holds


def test_put_if_refuses_no_condition() -> None:
    """Without any condition it would be a put."""
    with pytest.raises(QueryRefused, match=r"Row: when: expected at least one column, .*, got none"):
        if_equal(MODEL, MUTATION, {})


def test_the_filter_of_keys_without_values_is_a_chain() -> None:
    """Keys are read with one cell of each row, and no value."""
    assert str(ALL.keys).endswith(f"> {FirstCells(1)} > {WithoutValues()}")


EDGES = st.none() | st.sampled_from(["", "x", "xx", "y", "z"])


@given(cells=CELLS, start=EDGES, end=EDGES)
def test_entries_are_those_of_a_half_open_range_of_names(
    cells: list[Cell], start: str | None, end: str | None
) -> None:
    """Of a column that is many, just the entries in the range are let through, of no other column anything."""
    wanted = {
        cell
        for cell in of("tags", cells)
        if (start or "") <= cell.qualifier[2:].decode() and (end is None or cell.qualifier[2:].decode() < end)
    }
    if start is not None and end is not None and start > end:
        with pytest.raises(QueryRefused, match=r"Row\.tags: expected a start that is not after the end"):
            ALL.entries("tags", start, end)
        return
    selection = ALL.only(["tags"]).entries("tags", start, end)
    assert set(passing(selection.filter, cells, NOW) if selection else []) == wanted
    whole = ALL.entries("tags", start, end)
    assert whole is not None
    assert set(passing(whole.filter, cells, NOW)) == wanted | set(passing(ALL.filter, cells, NOW)) - of(
        "tags", cells
    )
    beside = ALL.only(["a"]).entries("tags", start, end)
    if beside:
        assert set(passing(beside.filter, cells, NOW)) == wanted | of("a", cells)


@pytest.mark.parametrize("name", ["a", "h", "k0", "nonsense"])
def test_entries_are_asked_of_columns_that_are_many(name: str) -> None:
    """A single column, a key field and an unknown name are refused, with the columns that will do."""
    with pytest.raises(
        QueryRefused, match=r"Row: entries: expected a column of many whose names sort \(tags, rest\)"
    ):
        ALL.entries(name, "a", "b")
    with pytest.raises(ValueRefused, match=r"Row\.tags"):
        ALL.entries("tags", 5, None)


def test_one_name_in_the_place_of_a_list_is_refused() -> None:
    """A text is not taken for the list of its letters."""
    with pytest.raises(QueryRefused, match=r"Row: only: expected names of columns in a list, got 'tags'"):
        ALL.only("tags")


def test_a_window_that_begins_before_1970_begins_with_the_first_timestamp() -> None:
    """No cell is older than 1970, so a window may begin earlier, and one that ends there is empty."""
    early, later = datetime(1960, 1, 1, tzinfo=UTC), datetime(1970, 1, 2, tzinfo=UTC)
    window = ALL.between(early, later)
    assert window is not None
    assert window.times == Times(0, 86_400_000_000)
    assert ALL.between(early, datetime(1970, 1, 1, tzinfo=UTC)) is None
    assert ALL.between(early, early) is None


HOURS = st.integers(0, 5_000_000).map(
    lambda seconds: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)
SORTED_NAMES: list[tuple[KeyCodec[Any], st.SearchStrategy[Any]]] = [
    (bt.BigEndian(1), st.integers(0, 255)),
    (bt.PaddedInt(2), st.integers(0, 99)),
    (bt.OrderedInt(), st.integers(-300, 300)),
    (
        bt.Bytes(max_length=2),
        st.binary(min_size=1, max_size=2) | st.sampled_from([b"\xff", b"\xff\xff", b"\0"]),
    ),
    (
        bt.EscapedText(2, min_length=1),
        st.text("\0a\uffff", min_size=1, max_size=2).filter(lambda text: len(text.encode()) < 3),
    ),
    (bt.EpochSeconds(round=True), HOURS),
    (bt.TimeText("%Y%m%d%H", round=True), HOURS),
    (bt.EpochBucket(bt.PaddedInt(4), timedelta(hours=36), round=True), HOURS),
]


@pytest.mark.parametrize("prefix", [b"", b"m:", b"\xff"], ids=repr)
@pytest.mark.parametrize(("names", "values"), SORTED_NAMES, ids=lambda one: str(one)[:30])
@given(data=st.data())
def test_entries_lie_between_ends_of_their_names(
    names: KeyCodec[Any], values: st.SearchStrategy[Any], prefix: bytes, data: st.DataObject
) -> None:
    """Whatever the codec of the names, either end may be open, is rounded as names are, and no cell of another column comes."""
    model = model_of(
        key_of(PaddedInt(3)),
        families=(Family("f", max_versions(1)),),
        columns=(
            Column("c", "f", b"c", Utf8(), False, also=(b"m",)),
            Column("m", "f", prefix, Utf8(), False, shape=Shape.MAPPING, names=names),
        ),
    )
    held = {names.encode(one) for one in data.draw(st.lists(values, max_size=6))}
    others = {b"c", b"m", b"l", b"m;"} if prefix else {b"c", b"m"}
    cells = stored(Cell("f", name, 0, b"") for name in {prefix + raw for raw in held} | others)
    start, end = data.draw(st.none() | values), data.draw(st.none() | values)
    low, high = (None if one is None else names.decode(names.encode(one)) for one in (start, end))
    selection = Selection(model).only(["m"])
    if low is not None and high is not None and low > high:
        with pytest.raises(QueryRefused, match="expected a start that is not after the end"):
            selection.entries("m", start, end)
        return
    found = selection.entries("m", start, end)
    wanted = [
        one.qualifier
        for one in cells
        if one.qualifier not in others
        and (low is None or low <= names.decode(one.qualifier[len(prefix) :]))
        and (high is None or names.decode(one.qualifier[len(prefix) :]) < high)
    ]
    assert [one.qualifier for one in (passing(found.filter, cells, NOW) if found else [])] == wanted
