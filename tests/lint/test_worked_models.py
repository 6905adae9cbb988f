"""What the review says of every worked model: the table of its exact findings."""

from collections.abc import Callable

import click
import pytest

import btmodel as bt
from btmodel.cli.models import load_each
from btmodel.lint import Finding, Level, review_all
from btmodel.schema import ModelSchema
from examples.worked import EXAMPLES

# Every model that is not named here has no finding.
EXPECTED = {
    "FirstScore": {"KEY017"},  # the first try: two players on one day have one key
    "SaltedBattery": {"QRY004"},  # the price of a salt, told as an info
}
# Every model that is not named here allows nothing.
ALLOWED = {
    "PressureWeek": {"KEY007"},  # the document's weeks are unpadded
    "BalloonWeek": {"KEY007"},
    "Friendship": {"KEY007"},  # so are its numbers of friends
    "SaltedBattery": {"KEY017"},  # the documented key, without the user
    "SensorOfDay": {"TAB002"},  # a batch job writes a day's table once
    "Price": {"ROW003"},  # amendments whose history matters
    "OldArticle": {"TAB005"},  # the same rows in the form of a former version
}
REFUSED = {
    "march_without_a_table": {"QRY001"},
    "hot": {"KEY001", "KEY017"},
    "newest_of_all of Metrics": {"QRY001"},
    "newest_of_all of Newest": {"KEY001"},
    "day_first": {"KEY001"},
    "time_first": {"KEY001"},
    "weeks_that_do_not_sort": {"KEY007"},
    "all_of_one_day": {"QRY001"},
    "cities_of_a_country": {"QRY001"},
    "without_a_delimiter": {"QRY001"},
    "sales_of_a_month": {"QRY001"},
    "newest_of_everybody": {"KEY001", "KEY017", "QRY001"},
    "sessions_of_a_company": {"KEY004", "QRY001"},
}


@pytest.fixture(scope="module")
def models() -> list[ModelSchema]:
    """All models of the examples, as the settings name them."""
    found, problems = load_each(click.Context(click.Command("check")))
    assert problems == []
    return found


def test_every_worked_model_has_just_the_findings_of_the_table(models: list[ModelSchema]) -> None:
    """All models of the examples, together as one project, are clean but for what the table names."""
    found: dict[str, set[str]] = {}
    for finding in review_all(models):
        found.setdefault(finding.model, set()).add(finding.rule)
    assert len(models) == 45
    assert found == EXPECTED


def test_a_good_design_has_neither_an_error_nor_a_warning(models: list[ModelSchema]) -> None:
    """The one model with a warning is the first try, which the documentation itself replaces."""
    found = {finding.model for finding in review_all(models) if finding.level is not Level.INFO}
    assert found == {"FirstScore"}


def test_worked_models_allow_what_the_documents_argue_for(models: list[ModelSchema]) -> None:
    """Each suppression has a reason, and stands in the table."""
    assert {model.name: set(model.allow) for model in models if model.allow} == ALLOWED
    assert all(len(reason) > 20 for model in models for reason in model.allow.values())


@pytest.mark.parametrize(
    "declare",
    [declare for example in EXAMPLES.values() for declare in example.refused],
    ids=lambda declare: declare.__qualname__,
)
def test_every_refused_design_has_just_the_findings_of_the_table(declare: Callable[[], object]) -> None:
    """A design that an example shows as refused is refused for what the table says."""
    with pytest.raises(bt.DeclarationError) as refused:
        declare()
    found = [each for each in refused.value.findings if isinstance(each, Finding)]
    named = {declare.__name__, f"{declare.__name__} of {found[0].model}"} & REFUSED.keys()
    assert {each.rule for each in found} == REFUSED[named.pop()]
