"""What Bigtable's documentation calls bad is found, and fixed as it says: a table of its sentences."""

import documented_designs
import documented_series
import pytest
from documented import CASES, Case, findings

from btmodel.lint import Level

each_case = pytest.mark.parametrize("one", CASES, ids=lambda one: f"{one.bad.__name__}: {one.rule}")


@each_case
def test_what_the_documentation_calls_bad_is_found_and_fixed_as_it_says(one: Case) -> None:
    """The bad design has its finding, once, and its fix is the document's own."""
    found = [each for each in findings(one.bad) if each.rule == one.rule]
    assert len(found) == 1
    assert found[0].level in (Level.ERROR, Level.WARNING)
    assert one.fix in found[0].fix


@each_case
def test_the_fixed_design_is_clean(one: Case) -> None:
    """What the fix leads to has neither an error nor a warning."""
    assert [str(each) for each in findings(one.fixed) if each.level is not Level.INFO] == []


def test_the_table_of_a_day_is_clean() -> None:
    """The dated table of a batch job passes with the reason that the documentation gives."""
    found = findings(documented_series.meters_of_a_day)
    assert [str(each) for each in found if each.level is not Level.INFO] == []


def test_the_table_has_both_kinds_of_cases() -> None:
    """Time series and other designs are all among the cases."""
    modules = {one.bad.__module__ for one in CASES}
    assert modules == {documented_series.__name__, documented_designs.__name__}
