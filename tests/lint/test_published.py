"""Published designs: the bad ones have the findings that their sources lead to, the good ones neither an error nor a warning."""

from collections import Counter

import published_entities
import published_keys
import published_more
import published_others
import published_pages
import published_series
import published_traces
import pytest
from documented import findings
from published import DESIGNS, Design

from btmodel.lint import Level

each_design = pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.declare.__name__)


@each_design
def test_a_design_gets_the_verdict_of_its_source(design: Design) -> None:
    """Each fault is found, gravely enough, and nothing else is an error or a warning; each question is asked."""
    found = findings(design.declare)
    grave = {each.rule for each in found if each.level is not Level.INFO}
    assert [fault for fault in design.faults if not grave & {*fault.split("|")}] == []
    assert [fault for fault in design.asked if not {each.rule for each in found} & {*fault.split("|")}] == []
    expected = {rule for fault in (*design.faults, *design.asked) for rule in fault.split("|")}
    assert [str(each) for each in found if each.rule in grave - expected] == []


@each_design
def test_the_fixes_of_a_design_are_those_of_its_source(design: Design) -> None:
    """They say what the source does, and nothing that brings the fault back."""
    rules = {rule for fault in (*design.faults, *design.asked) for rule in fault.split("|")}
    fixes = "\n".join(each.fix for each in findings(design.declare) if each.rule in rules)
    assert [text for text in design.says if text not in fixes] == []
    assert [text for text in design.never if text in fixes] == []


def test_information_on_good_designs_is_rare() -> None:
    """Most good designs have nothing at all, and none more than one rule to tell it of."""
    told = {
        one.declare.__name__: {each.rule for each in findings(one.declare)} for one in DESIGNS if one.good
    }
    assert all(len(rules) <= 1 for rules in told.values())
    assert sum(map(bool, told.values())) <= len(told) / 3


def test_the_table_is_large_and_of_both_kinds() -> None:
    """At least 60 designs, about half of them good, with a source each, in all modules."""
    assert len(DESIGNS) >= 60
    assert 0.4 <= sum(one.good for one in DESIGNS) / len(DESIGNS) <= 0.6
    assert all(one.source for one in DESIGNS)
    names = Counter(one.declare.__name__ for one in DESIGNS)
    assert max(names.values()) == 1
    modules = {one.declare.__module__ for one in DESIGNS}
    found = (
        published_entities,
        published_keys,
        published_more,
        published_others,
        published_pages,
        published_series,
        published_traces,
    )
    assert modules == {module.__name__ for module in found}
