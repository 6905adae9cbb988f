"""Garbage-collection rules as values: what they delete, and what a change of rule does."""

from datetime import timedelta
from typing import Any

import pytest
from gc_rules import MILLI, RULES
from hypothesis import given
from schemas import key_of, model_of

from btmodel.codecs.key import PaddedInt
from btmodel.errors import DeclarationError
from btmodel.schema import Family, GcChange, GcRule, Intersection, KeepAll, MaxAge, MaxVersions, Union, tables
from btmodel.schema.gc import age_text, keep_all, max_age, max_versions

MICRO = timedelta(microseconds=1)
GRID = [
    (age, rank) for tick in range(8) for age in (tick * MILLI, tick * MILLI + MICRO) for rank in range(1, 8)
]


def by_brute_force(new: GcRule, old: GcRule) -> GcChange:
    """What the change does to cells of every age and rank that a rule of the test can tell apart."""
    pairs = [(old.deletes(age, rank), new.deletes(age, rank)) for age, rank in GRID]
    return GcChange(((False, True) in pairs, (True, False) in pairs))


@given(RULES, RULES)
def test_a_change_is_what_it_does_to_cells(new: GcRule, old: GcRule) -> None:
    """Comparing two rules agrees with trying them on cells of every age and rank."""
    change = new.compared_to(old)
    assert change is by_brute_force(new, old)
    assert change.deletes_kept_cells == any(
        new.deletes(age, rank) and not old.deletes(age, rank) for age, rank in GRID
    )


@given(RULES)
def test_a_rule_equals_itself_in_any_shape(rule: GcRule) -> None:
    """Rules are compared by meaning: nested or repeated, a rule is the same rule."""
    for same in (rule | rule, rule & rule, Union((Intersection((rule,)),)), (rule | max_versions(3)) & rule):
        assert same.compared_to(rule) is GcChange.EQUAL


@given(RULES, RULES)
def test_or_deletes_with_either_and_and_with_both(a: GcRule, b: GcRule) -> None:
    """``|`` deletes a cell that either rule deletes, ``&`` one that both do."""
    for age, rank in GRID:
        assert (a | b).deletes(age, rank) == (a.deletes(age, rank) or b.deletes(age, rank))
        assert (a & b).deletes(age, rank) == (a.deletes(age, rank) and b.deletes(age, rank))


def test_the_longest_age_can_be_compared() -> None:
    """No age that can be declared is too long to be compared."""
    assert max_age(timedelta.max).compared_to(max_age(days=1)) is GcChange.LOOSER


def test_edges_of_single_rules() -> None:
    """A cell of just the age or rank that is kept stays; keeping all deletes nothing."""
    assert not max_age(days=7).deletes(timedelta(days=7), 99)
    assert max_age(days=7).deletes(timedelta(days=7) + MICRO, 1)
    assert not max_versions(2).deletes(timedelta.max, 2)
    assert max_versions(2).deletes(timedelta(0), 3)
    assert not keep_all().deletes(timedelta.max, 2**31)


def test_rules_of_one_kind_are_flat() -> None:
    """Three rules joined by ``|`` are one union of three."""
    assert max_versions(1) | max_age(days=1) | max_versions(2) == Union(
        (MaxVersions(1), MaxAge(timedelta(days=1)), MaxVersions(2))
    )
    assert max_age(timedelta(days=1), hours=12) == MaxAge(timedelta(hours=36))
    assert isinstance(keep_all(), KeepAll)


@pytest.mark.parametrize("versions", [0, -1, 2**31, True, 1.0, "1", None])
def test_a_number_of_versions_that_cannot_be_is_refused(versions: Any) -> None:
    """``max_versions`` takes a whole number that fits the service's 32 bits."""
    with pytest.raises(DeclarationError, match="max_versions"):
        max_versions(versions)


def test_an_age_that_cannot_be_is_refused() -> None:
    """``max_age`` takes at least a millisecond."""
    for wrong in (lambda: max_age(), lambda: max_age(days=-1), lambda: MaxAge(5)):  # type: ignore[arg-type]
        with pytest.raises(DeclarationError, match="max_age"):
            wrong()


def test_a_rule_joined_with_something_else_is_refused() -> None:
    """Both sides of ``|`` and ``&`` are rules, and a union or intersection has parts."""
    for wrong in (
        lambda: max_versions(1) | 5,  # type: ignore[operator]
        lambda: max_versions(1) & timedelta(1),  # type: ignore[operator]
        lambda: Union(()),
        lambda: Intersection((1,)),  # type: ignore[arg-type]
    ):
        with pytest.raises(DeclarationError, match="expected"):
            wrong()


@pytest.mark.parametrize(
    ("age", "text"),
    [
        (timedelta(days=7), "7d"),
        (timedelta(hours=36), "36h"),
        (timedelta(minutes=90), "90m"),
        (timedelta(milliseconds=1500), "1500ms"),
        (timedelta(seconds=61), "61s"),
        (timedelta(microseconds=1001), "1001us"),
    ],
)
def test_an_age_prints_in_its_largest_whole_unit(age: timedelta, text: str) -> None:
    """No age is rounded when it is printed."""
    assert age_text(age) == text


def test_the_text_of_a_rule_says_what_is_kept() -> None:
    """A union keeps what both parts keep, an intersection what either keeps."""
    assert str(max_versions(1) | max_age(days=7)) == "(newest 1 version and younger than 7d)"
    assert str(max_versions(2) & max_age(days=7)) == "(newest 2 versions or younger than 7d)"


def test_tables_gather_the_families_of_their_models() -> None:
    """Models of one table share its families; two rules for one family are refused with both rules."""
    key = key_of(PaddedInt(1))
    one = model_of(key, families=(Family("b", max_versions(1)), Family("a", keep_all())))
    assert [family.id for family in tables([one, one])[0].families] == ["a", "b"]
    with pytest.raises(DeclarationError, match=r"table 't', family 'a'.*everything.*newest 2 versions"):
        tables([one, model_of(key, families=(Family("a", max_versions(2)),))])


def test_an_age_as_text_stands_alone() -> None:
    """Other times beside it are refused, and what is no text of one length says which units there are."""
    with pytest.raises(
        DeclarationError, match=r"max_age: expected text alone, got '7d' and other times beside it"
    ):
        max_age("7d", days=3)
    with pytest.raises(
        DeclarationError, match=r"\(a number and one unit: ms, s, min, h, day or d, week\), got '1d2h'"
    ):
        max_age("1d2h")
