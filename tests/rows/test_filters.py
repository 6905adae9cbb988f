"""Read filters let through exactly what the garbage-collection rules keep."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta

from filter_interpreter import passing, stored
from gc_rules import MILLI, RULES
from hypothesis import example, given
from hypothesis import strategies as st
from schemas import key_of, model_of

from btmodel.codecs.aware_times import micros_since_epoch
from btmodel.codecs.cell import Int64
from btmodel.codecs.key import PaddedInt
from btmodel.rows import Cell, Filter, Within
from btmodel.rows.gc_filter import of_events, of_model, of_rule
from btmodel.schema import (
    Column,
    Family,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    ModelSchema,
    Shape,
    Union,
)
from tests.examples_tried import examples

NOW = datetime(2020, 1, 1, tzinfo=UTC)
NOW_MICROS = micros_since_epoch(NOW)
AGES = st.lists(st.integers(-1, 7), unique=True, max_size=8)
TWO_STAIRS = Union(
    (
        Intersection((MaxVersions(5), MaxAge(5 * MILLI))),
        Intersection((MaxVersions(2), MaxAge(1 * MILLI))),
    )
)


def column(family: str, qualifier: bytes, ages: list[int]) -> list[Cell]:
    """A column with a cell of each age, in milliseconds."""
    return [Cell(family, qualifier, NOW_MICROS - 1000 * age, b"") for age in ages]


def kept(rule: GcRule | None, cells: list[Cell]) -> set[Cell]:
    """The cells that ``rule`` deletes in no column."""
    columns: defaultdict[tuple[str, bytes], list[Cell]] = defaultdict(list)
    for cell in stored(cells):
        columns[cell.family, cell.qualifier].append(cell)
    return {
        cell
        for versions in columns.values()
        for rank, cell in enumerate(versions, 1)
        if rule is None or not rule.deletes(timedelta(microseconds=NOW_MICROS - cell.timestamp), rank)
    }


@examples(100)
@given(rule=RULES, ages=AGES, others=AGES)
@example(rule=TWO_STAIRS, ages=[0, 2, 3, 6], others=[])
def test_a_filter_passes_what_its_rule_keeps(rule: GcRule, ages: list[int], others: list[int]) -> None:
    """A rule, however nested, and its filter agree on every cell; a cell may come twice, none is lost."""
    cells = stored(column("f", b"a", ages) + column("f", b"b", others))
    assert set(passing(of_rule(rule), cells, NOW)) == kept(rule, cells)


def history_model(plain: GcRule | None, eventful: GcRule | None) -> ModelSchema:
    """A model with one family of plain columns and one that holds a history."""
    columns = (
        Column("p", "plain", b"p", Int64(), required=False),
        Column("h", "events", b"h", Int64(), required=False, shape=Shape.HISTORY),
    )
    return model_of(
        key_of(PaddedInt(1)), families=(Family("plain", plain), Family("events", eventful)), columns=columns
    )


@given(plain=RULES | st.none(), eventful=RULES | st.none(), ages=AGES, others=AGES)
@example(plain=KeepAll(), eventful=TWO_STAIRS, ages=[0, 2, 3, 6], others=[0, 2, 3, 6])
def test_a_row_is_read_as_after_collection(
    plain: GcRule | None, eventful: GcRule | None, ages: list[int], others: list[int]
) -> None:
    """Of a family without history the newest cell is read, if it is kept; of one with a history all that is kept."""
    cells = stored(
        column("plain", b"p", ages) + column("plain", b"q", others) + column("events", b"h", others)
    )
    cells = stored([*cells, *column("foreign", b"x", ages)])
    newest = kept(MaxVersions(1), [cell for cell in cells if cell.family == "plain"])
    wanted = (kept(plain, cells) & newest) | {
        cell for cell in kept(eventful, cells) if cell.family == "events"
    }
    assert set(passing(of_model(history_model(plain, eventful)), cells, NOW)) == wanted


@given(plain=RULES, eventful=RULES | st.none(), ages=AGES)
def test_events_are_read_from_the_families_that_hold_them(
    plain: GcRule, eventful: GcRule | None, ages: list[int]
) -> None:
    """The filter of events passes what the rule of a family with a history keeps, and no other family."""
    cells = stored(column("plain", b"p", ages) + column("events", b"h", ages))
    wanted = {cell for cell in kept(eventful, cells) if cell.family == "events"}
    assert set(passing(of_events(history_model(plain, eventful), 0, 0), cells, NOW)) == wanted


def test_an_age_that_reaches_back_before_1970_keeps_everything() -> None:
    """The oldest timestamp that passes is 0 where the age is longer than time has been counted."""
    for age in (timedelta(days=36_500), timedelta(days=999_999), timedelta.max):
        assert Within(age).start(NOW) == 0


def test_an_age_is_counted_in_whole_milliseconds() -> None:
    """The bound of an age is never finer than a table keeps time."""
    start = Within(timedelta(seconds=1)).start(NOW + timedelta(microseconds=1))
    assert start == NOW_MICROS - 1_000_000 + 1000


def test_filters_print_for_people() -> None:
    """A filter reads as a sentence of its parts."""
    found: Filter | None = of_rule(MaxVersions(1) | MaxAge(timedelta(days=7)))
    assert str(found) == "newest 1 of a column > younger than 7 days"
    assert str(Within(timedelta(hours=36))) == "younger than 36 hours"
    assert str(Within(timedelta(milliseconds=1500))) == "younger than 1,500 milliseconds"
