"""Plans between random tables with settings and layouts: what must hold of each of them."""

from contextlib import suppress

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from settled_tables import declared_sets, live_sets
from some_tables import ONE, table

from btmodel.errors import MigrationError, MigrationFailed, ServerError
from btmodel.migrate import (
    Drift,
    DropFamily,
    DropTable,
    Effect,
    InstanceFacts,
    Plan,
    Protect,
    Unprotect,
    allowable,
    apply,
    calls,
    diff,
    make_plan,
    read_live,
    read_plan,
    refuse,
)
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.instance import ModifyFamiliesCall, UpdateSettingsCall
from btmodel.migrate.tables.layouts import to_record
from btmodel.schema import Table, TableSettings

Tables = tuple[Table, ...]
facts = st.builds(InstanceFacts, replicated=st.sampled_from([None, False, True]))


def recorded(live: Tables) -> MemoryHistory:
    """A migration history that has the layouts of these tables."""
    history = MemoryHistory()
    for one in live:
        history.record_layouts(one.id, one.layouts)
    return history


def whole_plan(declared: Tables, live: Tables, known: InstanceFacts) -> Plan:
    """The plan that does everything that can be allowed."""
    return make_plan(MemoryInstance.instance, declared, live, allowable(declared, live, known), known)


@given(declared_sets, live_sets, st.booleans())
def test_a_plan_leads_to_what_is_declared(declared: Tables, live: Tables, replicated: bool) -> None:
    """Applied, a plan leaves no change, and no drift but what no name ends; nothing that can be made fails."""
    known = InstanceFacts(replicated)
    stuck = {change.table_id for change in whole_plan(declared, live, known).refused}
    declared = tuple(one for one in declared if one.id not in stuck)
    live = tuple(one for one in live if one.id not in stuck)
    instance = MemoryInstance(live, several=replicated)
    history = recorded(live)
    plan = whole_plan(declared, live, known)
    apply(plan, instance, run_record=RunRecord(history, "me"))
    after = read_live(instance, history)
    left = make_plan(instance.instance, declared, after, facts=known)
    assert left.changes == ()
    assert [one for one in left.drift if one.end is not None] == []


@given(live_sets, facts)
def test_nothing_differs_from_itself(tables: Tables, known: InstanceFacts) -> None:
    """A table with all its settings and layouts does not differ from itself."""
    assert diff(tables, tables, known) == ()
    assert make_plan("i", tables, tables, facts=known).changes == ()


@given(declared_sets, live_sets, facts)
def test_nothing_is_lost_without_a_name(declared: Tables, live: Tables, known: InstanceFacts) -> None:
    """What loses data, or is refused by the service, has a name by which it is allowed, and none else is asked for."""
    plan = make_plan("i", declared, live, facts=known)
    for change in plan.changes:
        unsafe = change.effect in (Effect.DESTRUCTIVE, Effect.BLOCKED)
        assert unsafe is (change.requires is not None)
        assert plan.allows(change) is (change.effect in (Effect.SAFE, Effect.SLOW))
        assert (change.lost is not None) is (change.effect is Effect.DESTRUCTIVE) is (change.undo is not None)
    assert not any(isinstance(change, DropFamily | DropTable) for change in plan.changes)
    if plan.refused:
        with pytest.raises(MigrationError, match="nothing was applied"):
            refuse(plan)


@given(declared_sets, live_sets, facts)
def test_every_difference_is_told(declared: Tables, live: Tables, known: InstanceFacts) -> None:
    """Whatever the diff finds is a change of the plan, or drift, and none is both."""
    plan = make_plan("i", declared, live, facts=known)
    for found in diff(declared, live, known):
        assert (found in plan.drift) is isinstance(found, Drift)
        assert (found in plan.changes) is not isinstance(found, Drift)


@given(declared_sets, live_sets, facts)
def test_the_order_of_calls(declared: Tables, live: Tables, known: InstanceFacts) -> None:
    """Protection goes off before anything else and on last; families go in one call; a stream ends before its table."""
    plan = whole_plan(declared, live, known)
    for changes in plan.by_table.values():
        made = [one for one in changes if not one.recorded]
        assert [one for one in made if isinstance(one, Unprotect)] == made[: len(_of(made, Unprotect))]
        assert [one for one in made if isinstance(one, Protect)] == made[
            len(made) - len(_of(made, Protect)) :
        ]
        sent = calls(changes)
        assert len(_of(sent, ModifyFamiliesCall)) <= 1
        if _of(changes, DropTable):
            streams = [one for one in sent if isinstance(one, UpdateSettingsCall)]
            assert sent[: len(streams)] == tuple(streams)
        if _of(changes, DropFamily):
            [there] = [one for one in live if one.id == changes[0].table_id]
            assert bool(_of(changes, Unprotect)) is bool(there.settings.deletion_protection)


@given(declared_sets, live_sets, st.data())
def test_killed_between_any_two_calls(declared: Tables, live: Tables, data: st.DataObject) -> None:
    """Whenever it stops, a second run ends where an undisturbed one does."""
    stuck = {change.table_id for change in whole_plan(declared, live, InstanceFacts()).refused}
    declared = tuple(one for one in declared if one.id not in stuck)
    live = tuple(one for one in live if one.id not in stuck)
    whole = MemoryInstance(live)
    apply(whole_plan(declared, live, InstanceFacts()), whole, run_record=RunRecord(recorded(live), "me"))
    last = data.draw(st.integers(0, len(whole.changes)))

    def stop(instance: MemoryInstance, *_: str) -> None:
        if len(instance.changes) > last:
            raise ServerError("gone")

    instance, history = MemoryInstance(live, stop), recorded(live)
    try:
        apply(whole_plan(declared, live, InstanceFacts()), instance, run_record=RunRecord(history, "me"))
    except MigrationFailed:
        instance.before = lambda *_: None
        there = read_live(instance, history)
        apply(whole_plan(declared, there, InstanceFacts()), instance, run_record=RunRecord(history, "me"))
    assert instance.tables == whole.tables


@pytest.mark.parametrize("last", range(5))
def test_the_same_words_again(last: int) -> None:
    """A run that was stopped is repeated as it was said, though some of what it allows is done by now."""
    protected = TableSettings(deletion_protection=True)
    live = (evolve(table("A", f=ONE, g=ONE), settings=protected), table("B", f=ONE))
    declared = (evolve(table("A", f=ONE), settings=protected),)
    allow = ("drop-family:A.g", "unprotect:A", "drop-table:B")

    def stop(instance: MemoryInstance, *_: str) -> None:
        if len(instance.changes) > last:
            raise ServerError("gone")

    instance, history = MemoryInstance(live, stop), MemoryHistory()
    for _ in range(2):
        with suppress(MigrationFailed):
            apply(
                read_plan(instance, declared, allow, history), instance, run_record=RunRecord(history, "me")
            )
        instance.before = lambda *_: None
    assert [(one.id, len(one.families)) for one in instance.tables.values()] == [("A", 1)]
    assert instance.tables["A"].settings.deletion_protection
    with pytest.raises(MigrationError, match=r"nothing in .* needs that"):
        read_plan(instance, declared, ("drop-family:A.gg",), history)


@given(declared_sets, live_sets)
def test_what_is_recorded_is_found_again(declared: Tables, live: Tables) -> None:
    """Layouts, once recorded, differ in nothing from those that are declared, and lose nothing that was recorded."""
    for wanted in declared:
        for there in live:
            kept = to_record(wanted.layouts, there.layouts)
            assert to_record(wanted.layouts, kept) == kept
            found = diff((wanted,), (evolve(wanted, layouts=kept),))
            assert [one for one in found if not isinstance(one, Drift)] == []


def _of(some: object, kind: type) -> list[object]:
    return [one for one in some if isinstance(one, kind)]  # type: ignore[attr-defined]
