"""The rule on aggregates, of names and descriptions: a maximum that is added up."""

from collections.abc import Callable

import pytest

import btmodel as bt
from btmodel.lint import Finding, Level
from btmodel.schema import Aggregate, Family, ModelSchema, Shape
from tests.lint.parts import column, found

Make = Callable[..., ModelSchema]


def told(a_model: Make, name: str, doc: str = "", aggregate: Aggregate = Aggregate.SUM) -> list[Finding]:
    """What the rule finds of a counter that is called and described so."""
    columns = (column("guests", Shape.COUNTER), column(name, Shape.COUNTER))
    families = (Family("data", bt.max_age(days=90), aggregate),)
    return found(a_model(families=families, columns=columns, doc=doc), "FAM007")


@pytest.mark.parametrize(
    ("name", "doc"),
    [
        (
            "longest_wait",
            "A day.\n\nguests        how many boarded\nlongest_wait  the longest wait of any guest",
        ),
        ("max_wait", "A day. `max_wait` is the longest time that a guest waited."),
        ("wait", "A day.\n\nwait: the longest of any guest, in minutes."),
        ("wait_peak", "Guests of a ride, and the highest wait_peak that was seen."),
        ("longest_wait", "Guests of a ride. The longest wait of the day is on the report."),
        ("swimmers", "For each hour the highest number of swimmers that were in the water at the same time."),
        ("swimmers", "A pool.\n\nThe maximum of swimmers in an hour."),
        ("swimmers", "A pool, with its peak `swimmers` per hour."),
    ],
)
def test_a_maximum_by_its_name_and_description_is_not_added_up(a_model: Make, name: str, doc: str) -> None:
    """It gets a family that takes the larger of two values, with the rule of the one that it had."""
    (finding,) = told(a_model, name, doc)
    assert (finding.field, finding.level, finding.limit) == (name, Level.WARNING, False)
    assert '`bt.family("highest", gc=bt.max_age(days=90), aggregate="max")`' in finding.fix
    assert finding.models


def test_a_minimum_gets_a_family_of_minima(a_model: Make) -> None:
    """The smaller of two values is kept, also of what stands among maxima."""
    doc = "A day.\n\nshortest_wait  the shortest wait of any guest"
    for aggregate in (Aggregate.SUM, Aggregate.MAX):
        (finding,) = told(a_model, "shortest_wait", doc, aggregate)
        assert 'aggregate="min")`' in finding.fix


def test_several_maxima_are_one_finding(a_model: Make) -> None:
    """They go to one family together."""
    columns = (column("max_wait", Shape.COUNTER), column("queue_max", Shape.COUNTER))
    families = (Family("data", bt.keep_all(), Aggregate.SUM), Family("top", bt.keep_all(), Aggregate.MAX))
    (finding,) = found(a_model(families=families, columns=columns), "FAM007")
    assert "`max_wait`, `queue_max`" in finding.message.replace(" and ", ", ")
    assert "'top'" in finding.fix
    assert finding.level is Level.INFO


@pytest.mark.parametrize(
    "name",
    ["peak_hours_minutes", "max_reached_count", "peak_kwh", "wait_min", "minutes", "top_total", "maxima"],
)
def test_what_is_only_called_nearly_so_is_a_sum(a_model: Make, name: str) -> None:
    """Another word of quantity ends the name, or the word is one of a time of the day, or of minutes."""
    assert told(a_model, name) == []


@pytest.mark.parametrize(
    ("name", "doc"),
    [
        ("late", "A day.\n\nlate  how many of the longest calls were late"),
        ("wait", "The longest rides have a row of their own. The wait of all guests is added up."),
        ("overruns", "A day.\n\noverruns: the longest calls, counted"),
        ("wait", "A day.\n\nwait  maximum waits are reported elsewhere"),
        ("swimmers", "Swimmers of a pool. The board shows the hour with the highest number of swimmers."),
        ("orders", "Orders of a day. The largest orders are packed first."),
        ("visits", "Visits of an hour. A report finds the highest visits of each day."),
    ],
)
def test_what_counts_the_longest_is_a_sum(a_model: Make, name: str, doc: str) -> None:
    """A superlative that is about something else says nothing of the counter."""
    assert told(a_model, name, doc) == []


@pytest.mark.parametrize(
    ("name", "doc"),
    [
        ("max_users", "Those of a day. max_users: users of the plan Max who logged in."),
        ("highest_bids", "highest_bids: bids that were the highest when they came"),
        ("max_retries", "max_retries  calls that reached the maximum"),
        ("lowest_fares", "The lowest fares sold, by the shop."),
    ],
)
def test_what_may_count_things_that_are_called_so_is_a_question(a_model: Make, name: str, doc: str) -> None:
    """The description has the word, and does not say that the counter is one such value."""
    assert [one.level for one in told(a_model, name, doc)] == [Level.INFO]


def test_a_maximum_in_a_family_of_maxima_is_as_it_should_be(a_model: Make) -> None:
    """Where it stands says already how it is taken."""
    assert told(a_model, "max_wait", "max_wait: the longest wait of any guest", Aggregate.MAX) == []
