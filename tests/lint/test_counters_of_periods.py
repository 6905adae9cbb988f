"""Counters of a period, by their names or by the description, that go on when the period ends."""

from datetime import date, timedelta

import pytest
from attrs import evolve
from counters_of_periods import HARMLESS, OF_A_PERIOD, Api, Caller, Listing, Reaction

import btmodel as bt
from btmodel.lint import Level, review
from btmodel.schema import MaxAge, ModelSchema, Shape
from tests.lint.parts import found
from tests.points_tried import points


def told(model: type, name: str = "", sentence: str = "") -> ModelSchema:
    """The model with another name of its first counter, and a sentence behind its description."""
    schema = bt.schema_of(model)
    first = next(one for one in schema.columns if one.shape.summed or one.expected.increments)
    columns = tuple(evolve(one, name=name) if name and one == first else one for one in schema.columns)
    return evolve(schema, doc=f"{schema.doc}\n\n{sentence}", columns=columns)


def graver(model: ModelSchema) -> list[str]:
    """The rules that find more than information."""
    return [one.rule for one in review(model) if one.level is not Level.INFO]


CASES = [(model, *case) for model, group in OF_A_PERIOD.items() for case in group]


@pytest.mark.parametrize("model", OF_A_PERIOD, ids=lambda model: model.__name__)
def test_a_counter_of_a_period_goes_on_when_that_ends(model: type) -> None:
    """As a warning, where the same counter by another name is none."""
    assert graver(bt.schema_of(model)) == []
    for name, sentence in OF_A_PERIOD[model]:
        assert "COL010" in graver(told(model, name, sentence)), (name, sentence)


@pytest.mark.parametrize("model", HARMLESS, ids=lambda model: model.__name__)
def test_other_counters_are_for_good(model: type) -> None:
    """Or somebody sets them to zero, or the words are about other things."""
    heard = [case for case in HARMLESS[model] if found(told(model, *case), "COL010")]
    assert heard == []


@pytest.mark.parametrize(
    ("model", "name", "sentence"), [CASES[at] for at in points([model for model, *_ in CASES])]
)
def test_the_fix_holds_and_begins_anew(model: type, name: str, sentence: str) -> None:
    """With a number for each span, or the period in the key."""
    for each in found(told(model, name, sentence), "COL010"):
        assert each.models
        (made,) = each.models
        spans = [one for one in made.columns if one.name == each.field and one.shape is Shape.COUNTS]
        assert spans or made.key.fields[-1].codec.python_type is date


def test_spans_are_kept_as_long_as_somebody_may_ask_for_them() -> None:
    """Two months of the days of a month, and twice so many days where the last ones are counted."""
    (month,) = found(told(Listing, "views_this_month"), "COL010")
    assert 'gc=bt.max_age(days=62), aggregate="sum")' in month.fix
    assert (
        "`views_this_month.between(start, None).total` is the number since the start of the month"
        in month.fix
    )
    (rolling,) = found(told(Listing, "views_last_30_days"), "COL010")
    assert "gc=bt.max_age(days=60)" in rolling.fix
    assert "is the number of the last 30 days" in rolling.fix
    (minute,) = found(told(Api, "requests_this_minute"), "COL010")
    assert 'every="1min"' in minute.fix


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("A report shows the views of the last year.", "bt.max_age(days=366)"),
        ("Authors ask for the views of the last two years.", "bt.max_age(days=731)"),
        ("Views are kept for three years.", "bt.max_age(days=1_096)"),
        ("A chart shows the views of the last 14 days.", "bt.max_age(days=62)"),  # less than two months
        ("The author writes.", "bt.max_age(days=62)"),
        ("Photos are kept for three years.", "bt.max_age(days=62)"),
    ],
)
def test_spans_are_kept_for_as_long_as_the_description_asks(sentence: str, kept: str) -> None:
    """What is asked of the last year needs the spans of a year."""
    (told_,) = found(told(Listing, "views_this_month", sentence), "COL010")
    assert f"gc={kept}" in told_.fix


def test_a_mapping_of_counters_gets_a_key_with_the_period() -> None:
    """As only a counter of its own has spans."""

    class Votes(bt.Model, table="votes", events="20/s"):
        """How often each answer was given today."""

        poll: str = bt.key(bt.Text(width=8), cardinality=90_000)
        a = bt.family("a", gc=bt.keep_all(), aggregate="sum")
        answers: dict[str, int] = bt.counters(a, bt.Text(max_length=20), entries=10)

    (each,) = found(bt.schema_of(Votes), "COL010")
    assert "`{poll}#{day}`, with `day: date = bt.key(bt.DateText())`" in each.fix


def test_a_time_in_the_key_spans_and_an_age_begin_anew() -> None:
    """So nothing is found of these."""

    class OfDay(bt.Model, table="of_day", events="900/s"):
        """How often a listing is viewed in a day."""

        listing: str = bt.key(bt.Text(width=8), cardinality=90_000)
        day: date = bt.key(bt.DateText())
        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        views_today: int | None = bt.counter("v", n)

    class InSpans(bt.Model, table="in_spans", events="900/s"):
        """How often a listing was viewed this month."""

        listing: str = bt.key(bt.Text(width=8), cardinality=90_000)
        n = bt.family("n", gc=bt.max_age(days=40), aggregate="sum")
        views: bt.History[int] = bt.counter("v", n, every="1day")

    assert found(bt.schema_of(OfDay), "COL010") == []
    assert found(bt.schema_of(InSpans), "COL010") == []
    caller = told(Caller, "calls_today")
    (family,) = caller.families
    aged = evolve(caller, families=(evolve(family, gc=MaxAge(timedelta(days=2))),))
    assert found(caller, "COL010")
    assert found(aged, "COL010") == []


def test_a_plain_number_without_additions_is_set_as_it_is() -> None:
    """Who sets it begins anew, too: a device may send what it counts today."""

    class Watch(bt.Model, table="watch"):
        """What a watch sends."""

        watch: str = bt.key(bt.Text(width=12), cardinality=3_000_000)
        w = bt.family("w", gc=bt.max_versions(1))
        steps_today: int = bt.column("s", w)

    assert found(bt.schema_of(Watch), "COL010") == []


def test_one_of_two_counters_may_be_of_a_period() -> None:
    """And the other one stays as it is."""
    model = told(Reaction, "likes_this_week")
    (each,) = found(model, "COL010")
    assert each.field == "likes_this_week"
    (made,) = each.models
    assert [one.shape for one in made.columns] == [Shape.COUNTS, Shape.COUNTER]
