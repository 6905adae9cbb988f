"""The difference between declared and live tables."""

from datetime import timedelta

from hypothesis import given
from some_tables import ONE, QUOTE, TRADE, WEEK, rules, table, table_sets

from btmodel.migrate import (
    AddFamily,
    ChangeGc,
    CreateTable,
    Effect,
    UndeclaredFamily,
    UndeclaredTable,
    diff,
)
from btmodel.schema import Family, GcChange, GcRule, KeepAll, MaxAge, MaxVersions, Table, Union


def test_everything_is_created_on_an_empty_instance() -> None:
    """Where nothing is live, each declared table is created, in the order of their ids."""
    assert diff((TRADE, QUOTE), ()) == (CreateTable(QUOTE), CreateTable(TRADE))


def test_half_of_a_table() -> None:
    """A family that the live table lacks is added; the table is not created again."""
    assert diff((TRADE,), (table("TRADE", MD=ONE),)) == (AddFamily("TRADE", Family("STAT", WEEK)),)


def test_drift_is_no_drop() -> None:
    """What nothing declares comes out as drift, and drift names the drop that would end it."""
    found = diff((QUOTE,), (table("QUOTE", MD=ONE, OLD=None), TRADE))
    assert found == (UndeclaredFamily("QUOTE", Family("OLD", None)), UndeclaredTable(TRADE))
    assert [change.effect for change in found] == [Effect.DRIFT] * 2
    assert [change.requires for change in found] == ["drop-family:QUOTE.OLD", "drop-table:TRADE"]


def test_each_kind_of_gc_change() -> None:
    """A rule that deletes cells which the live one keeps is destructive; any other is safe."""
    both = (MaxVersions(2), MaxVersions(1) & WEEK)
    for new, old, kind, effect, name in (
        (MaxVersions(1), MaxVersions(2), GcChange.TIGHTER, Effect.DESTRUCTIVE, "tighten-gc:T.f"),
        (MaxVersions(2), MaxVersions(1), GcChange.LOOSER, Effect.SAFE, "relax-gc:T.f"),
        (None, MaxVersions(1), GcChange.LOOSER, Effect.SAFE, "relax-gc:T.f"),
        (WEEK, None, GcChange.TIGHTER, Effect.DESTRUCTIVE, "tighten-gc:T.f"),
        (*both, GcChange.BOTH, Effect.DESTRUCTIVE, "tighten-gc:T.f"),
    ):
        (change,) = diff((table("T", f=new),), (table("T", f=old),))
        assert isinstance(change, ChangeGc)
        assert (change.kind, change.effect, change.name) == (kind, effect, name)


def test_equal_meaning_is_no_change() -> None:
    """Shape, order and silence about a rule make no difference."""
    week = MaxAge(timedelta(hours=168))
    for one, other in ((Union((WEEK,)), week), (ONE | WEEK, week | ONE), (KeepAll(), None), (ONE & ONE, ONE)):
        assert diff((table("T", f=one),), (table("T", f=other),)) == ()


@given(table_sets)
def test_nothing_differs_from_itself(tables: tuple[Table, ...]) -> None:
    """Whatever the tables, they do not differ from themselves."""
    assert diff(tables, tables) == ()


@given(rules, rules)
def test_a_change_and_its_way_back(one: GcRule, other: GcRule) -> None:
    """A rule differs from another exactly when that differs from it, with the effects swapped."""
    there = diff((table("T", f=one),), (table("T", f=other),))
    back = diff((table("T", f=other),), (table("T", f=one),))
    assert [change.kind.value for change in there if isinstance(change, ChangeGc)] == [
        change.kind.value[::-1] for change in back if isinstance(change, ChangeGc)
    ]
