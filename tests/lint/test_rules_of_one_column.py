"""Rules of a family that are changed for the sake of one column: others in it lose nothing by that."""

from collections.abc import Callable

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint.retention import narrowed, ways, with_rule_of
from btmodel.schema import Aggregate, Expected, Family, GcRule, ModelSchema, Shape
from tests.lint.parts import column, found

Make = Callable[..., ModelSchema]

HISTORY = Shape.HISTORY


def wanting(make: Make, rule: GcRule, **wanted: GcRule) -> ModelSchema:
    """Histories of one family, and how each wants to be kept."""
    columns = tuple(column(name, HISTORY, expected=Expected(keep=keep)) for name, keep in wanted.items())
    return make(families=(Family("data", rule),), columns=columns)


@pytest.mark.parametrize("first", ["few", "many"])
def test_the_rule_becomes_the_one_that_ends_nothing_of_others(a_model: Make, first: str) -> None:
    """What stays in the family keeps most, in whatever order columns are declared; the others move out."""
    wanted = {"few": bt.max_versions(5), "many": bt.max_versions(100)}
    ordered = {first: wanted[first], **wanted}
    (told,) = found(wanting(a_model, bt.max_versions(10), **ordered), "FAM005")
    assert told.fix.startswith('state what `many` declare: `bt.family("data", gc=bt.max_versions(100))`')
    (made,) = told.models
    homes = {one.name: one.family for one in made.columns}
    assert homes["many"] == "data" != homes["few"]
    assert {one.id: one.gc for one in made.families}[homes["few"]] == bt.max_versions(5)


def test_a_family_of_which_each_rule_ends_something_is_divided(a_model: Make) -> None:
    """Each history gets a family of its own, and the rule stays until they are there."""
    told = found(wanting(a_model, bt.keep_all(), old=bt.max_versions(3), late=bt.max_age(days=9)), "FAM005")
    (made,) = told[0].models
    rules = {one.id: one.gc for one in made.families}
    assert rules["data"] == bt.keep_all()
    assert "data" not in {one.family for one in made.columns}


@pytest.mark.parametrize(
    ("beside", "rule", "divided"),
    [
        (Shape.HISTORY, bt.max_versions(100), True),
        (Shape.HISTORY, bt.max_age(days=30), True),
        (Shape.MAPPING, bt.max_age(days=30), True),
        (Shape.VALUE, bt.max_versions(100), False),  # of a plain one, the newest counts
        (Shape.VALUE, bt.max_age(days=30), True),
        (Shape.VALUE, bt.max_versions(100) | bt.max_age(days=30), True),
        (Shape.VALUE, bt.max_versions(100) & bt.max_age(days=30), False),
        (None, bt.max_age(days=30), False),
    ],
)
def test_a_family_is_divided_where_its_rule_would_end_what_others_keep(
    a_model: Make, beside: Shape | None, rule: GcRule, divided: bool
) -> None:
    """The changed rule is that of the column meant alone."""
    meant = column("readings", HISTORY)
    others = () if beside is None else (column("other", beside),)
    model = a_model(families=(Family("data", bt.keep_all()),), columns=(meant, *others))
    text, made = with_rule_of(model, "data", rule, meant)
    home = next(one.family for one in made.columns if one.name == "readings")
    assert (home != "data") is divided
    assert ("a family of its own for `readings`" in text) is divided
    assert {one.id: one.gc for one in made.families}[home] == rule
    if divided:
        assert made.families[0].gc == bt.keep_all()


def test_an_intersection_is_narrowed_for_the_history_that_is_meant(a_model: Make) -> None:
    """A name that was written long ago stays."""
    rule = bt.max_versions(100) & bt.max_age(days=30)
    readings = column("readings", HISTORY)
    model = a_model(families=(Family("data", rule),), columns=(readings, column("name")))
    (told,) = narrowed(model, readings)
    (made,) = told.models
    assert {one.name: made.families[0].gc == rule for one in made.columns if one.family == "data"} == {
        "name": True
    }
    assert "a family of its own for `readings`" in told.text


def test_counts_that_end_leave_other_counts_as_they_are(a_model: Make) -> None:
    """Two counters of spans in one family: an age of the one is none of the other."""
    spans = bt.schema_of(Counting).columns[0].spans
    counts = tuple(column(name, Shape.COUNTS, "sums", spans=spans) for name in ("a", "b"))
    model = a_model(families=(Family("sums", bt.keep_all(), Aggregate.SUM),), columns=counts)
    for told in ways(model, counts[0]):
        (made,) = told.models
        family = made.family(next(one.family for one in made.columns if one.name == "b"))
        assert family is not None
        assert family.gc == bt.keep_all()
    alone = evolve(model, columns=counts[:1])
    assert next(iter(ways(alone, counts[0]))).models[0].families[0].gc == bt.max_age(days=30)


class Counting(bt.Model, table="COUNTING"):
    """Counts by minute."""

    id: str = bt.key(bt.Text(width=4), cardinality=100)

    s = bt.family("s", gc=bt.max_age(days=30), aggregate="sum")
    n: bt.History[int] = bt.counter("n", s, every="1min")
