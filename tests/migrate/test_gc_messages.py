"""GC rules as messages of the service, both ways."""

from datetime import timedelta

import pytest
from google.cloud.bigtable_admin_v2.types import GcRule as Message
from hypothesis import given
from some_tables import ONE, WEEK, rules

from btmodel.client.admin_messages import DeleteAll, rule_message, rule_of
from btmodel.schema import GcChange, GcRule, Intersection, KeepAll, MaxAge, MaxVersions, Union


def message(**rule: object) -> Message:
    return Message(**rule)  # type: ignore[no-untyped-call]


@given(rules)
def test_there_and_back(rule: GcRule) -> None:
    """A rule that went through a message means what it meant."""
    sent = rule_message(rule)
    assert rule_of(sent or message()).compared_to(rule) is GcChange.EQUAL


def test_no_rule_keeps_everything() -> None:
    """An unset rule and an empty one are the same; and an empty union, or intersection, is no limit."""
    assert rule_message(None) is None
    assert rule_message(KeepAll()) is None
    for empty in (message(), message(union=Message.Union()), message(intersection=Message.Intersection())):
        assert rule_of(empty) == KeepAll()


def test_keep_all_inside() -> None:
    """Messages have no word for it: a union does without it, an intersection is it."""
    assert rule_message(Union((KeepAll(), ONE))) == message(max_num_versions=1)
    assert rule_message(Intersection((KeepAll(), ONE))) is None
    assert rule_message(Union((Intersection((KeepAll(), ONE)), KeepAll()))) is None


def test_microseconds_are_kept() -> None:
    """Ages go through to the microsecond."""
    age = MaxAge(timedelta(days=3650, microseconds=1))
    sent = rule_message(age)
    assert sent is not None
    assert rule_of(sent) == age


@pytest.mark.parametrize(
    "odd",
    [message(max_num_versions=0), message(max_num_versions=-1), message(max_age=timedelta(microseconds=1))],
)
def test_live_limits_that_cannot_be_declared(odd: Message) -> None:
    """A limit that only an emulator takes reads as a rule that deletes all, so it can be mended."""
    assert rule_of(odd) == DeleteAll()
    assert MaxVersions(1).compared_to(rule_of(odd)) is GcChange.LOOSER
    with pytest.raises(TypeError):
        rule_message(rule_of(odd) | WEEK)
