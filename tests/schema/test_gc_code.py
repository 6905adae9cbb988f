"""GC rules and queries as code, and their size as the service stores them."""

from datetime import datetime, timedelta
from functools import reduce
from operator import and_

import pytest
from google.cloud.bigtable_admin_v2.types import GcRule as Message
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.client.admin_messages import DeleteAll, rule_message
from btmodel.lint.rules.fam008_gc_rule import serialized_size
from btmodel.schema import GcChange, GcRule, MaxAge
from btmodel.source_text import declaration, gc_code
from tests.gc_rules import RULES

RULE = st.one_of(
    RULES,
    st.timedeltas(timedelta(milliseconds=1), timedelta.max).map(MaxAge),
    st.integers(1, 2**31 - 1).map(bt.max_versions),
)


@given(RULE | st.builds(lambda a, b, c: (a | b) & c, RULE, RULE, RULE))
def test_the_code_of_a_rule_means_the_same(rule: GcRule) -> None:
    """What a fix writes out is the rule that was meant."""
    assert eval(gc_code(rule), {"bt": bt}).compared_to(rule) is GcChange.EQUAL


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (bt.max_versions(10_080), "bt.max_versions(10_080)"),
        (bt.max_age(hours=48), "bt.max_age(days=2)"),
        (bt.max_age(hours=36), "bt.max_age(hours=36)"),
        (bt.max_age(timedelta(days=1, microseconds=1500)), "bt.max_age(days=1, milliseconds=1.5)"),
        (bt.max_age(days=7) | bt.max_versions(1), "bt.max_age(days=7) | bt.max_versions(1)"),
        (
            bt.max_versions(2) & (bt.max_age(days=7) | bt.max_versions(9)),
            "bt.max_versions(2) & (bt.max_age(days=7) | bt.max_versions(9))",
        ),
        (bt.keep_all(), "bt.keep_all()"),
    ],
)
def test_a_rule_is_written_as_a_person_would(rule: GcRule, code: str) -> None:
    """Ages are in their largest whole unit, and parentheses stand where they are needed."""
    assert gc_code(rule) == code


def test_a_rule_that_nobody_can_declare_has_no_code() -> None:
    """A live rule that keeps nothing is an error, and no code that keeps something."""
    with pytest.raises(TypeError, match="cannot be declared"):
        gc_code(DeleteAll())


@given(RULE | st.lists(RULE, min_size=2, max_size=60).map(lambda rules: reduce(and_, rules)))
def test_the_size_of_a_rule_is_that_of_its_message(rule: GcRule) -> None:
    """The size is computed to the byte, without the client's own message."""
    message = rule_message(rule)
    assert serialized_size(rule) == (0 if message is None else Message.pb(message).ByteSize())


@pytest.mark.parametrize(
    "text",
    [
        'bt.query("user")',
        'bt.query("user", between="at", newest=True)',
        'bt.query("user", between="at", span="5min")',
        'bt.query("user", between="at", newest=True, span="10day")',
    ],
)
def test_the_text_of_a_query_declares_it_again(text: str) -> None:
    """With the span of a range, too, by which its rows are counted."""

    class Visit(bt.Model, table="visit"):
        user: str = bt.key(bt.Text(width=8), cardinality=1_000)
        at: datetime = bt.key(bt.EpochMillis(round=True))

        f = bt.family("f", gc=bt.max_versions(1))
        page: str = bt.column("page", f)

        asked = eval(text)

    assert declaration(*bt.schema_of(Visit).queries) == text
