"""The rule on hot rows, of sums that processes add up: how many rows they still write."""

from collections.abc import Callable
from random import Random

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import Text
from btmodel.estimates import different_keys
from btmodel.schema import Aggregate, Expected, Family, KeyField, ModelSchema, Rate, Shape, Skew
from tests.lint.parts import column, found

Make = Callable[..., ModelSchema]


def page(skew: str | None, count: int | None = 1_000) -> KeyField:
    """Pages that come so unevenly."""
    return KeyField("page", Text(max_length=20), count, skew=None if skew is None else Skew.parse(skew))


@pytest.mark.parametrize("skew", [None, "zipf:0.99", "90%:20", "uniform"])
@pytest.mark.parametrize("events", [10, 500, 20_000])
def test_the_different_rows_of_events_are_those_of_drawing_them(
    a_model: Make, skew: str | None, events: int
) -> None:
    """As many as a program draws that picks the pages by their shares."""
    few = 20 if skew == "90%:20" else 0
    theta = 0.99 if skew == "zipf:0.99" else 0.0
    weights = [
        (0.9 / 20 if rank <= few else 0.1 / 980) if few else float(rank) ** -theta for rank in range(1, 1_001)
    ]
    random = Random(4)
    drawn = [len(set(random.choices(range(1_000), weights, k=events))) for _ in range(20)]
    assert different_keys(a_model(page(skew)), events) == pytest.approx(sum(drawn) / 20, rel=0.05)


def test_of_several_uneven_fields_there_are_no_more_than_events(a_model: Make) -> None:
    """Nor than keys; without a number of values, nobody counts them."""
    other = evolve(page("zipf:0.5", 7), name="shop")
    model = a_model(page("zipf:0.99"), other)
    assert different_keys(model, 100) == 100
    assert different_keys(model, 100_000) == 7_000
    assert different_keys(a_model(page("90%:20", None)), 100) is None


@pytest.mark.parametrize(
    ("skew", "says"), [("zipf:0.99", '`events="17000/s"`, at most'), ("90%:20", '`events="4100/s"`, at most')]
)
def test_sums_of_processes_still_write_each_row_once_in_a_while(a_model: Make, skew: str, says: str) -> None:
    """Of 40,000 additions a second over half a million packages, those of the most fetched ones become one each, and the others stay."""
    counter = column("n", Shape.COUNTER, expected=Expected(increments=Rate.parse("3000/s")))
    families = (Family("data", bt.max_age(days=90), Aggregate.SUM),)
    model = a_model(page(skew, 500_000), columns=(counter,), families=families, events=Rate.parse("40000/s"))
    (finding,) = found(model, "KEY013")
    assert f'ten processes that do so come to `increments="1/s"` of `n`, about {says}' in finding.fix
