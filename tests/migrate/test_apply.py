"""Applying plans, on an instance in memory that fails and changes when told to."""

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from memory_instance import MemoryInstance
from some_tables import ONE, QUOTE, TRADE, WEEK, as_live, table, table_sets

from btmodel.errors import (
    MigrationError,
    MigrationFailed,
    NotAllowed,
    SchemaConflict,
    ServerError,
    Unavailable,
)
from btmodel.migrate import Plan, apply, diff, make_plan, read_plan
from btmodel.schema import Family, MaxVersions, Table


def full_plan(declared: tuple[Table, ...], live: tuple[Table, ...]) -> Plan:
    """The plan that drops and tightens whatever it can."""
    names = {change.requires for change in diff(declared, live)}
    return make_plan(MemoryInstance.instance, declared, live, {name for name in names if name})


@given(table_sets, table_sets)
def test_a_plan_leads_to_what_is_declared(declared: tuple[Table, ...], live: tuple[Table, ...]) -> None:
    """Applied to what it was made for, a plan leaves no difference, with one call a table at most."""
    instance = MemoryInstance(live)
    done = apply(plan := full_plan(declared, as_live(*live)), instance)
    assert diff(declared, instance.read_tables()) == ()
    assert tuple(one.change for one in done) == tuple(
        change for group in plan.by_table.values() for change in group
    )
    changed = [table_id for _, table_id in instance.changes]
    assert len(changed) == len(set(changed))


def test_drift_is_left_alone() -> None:
    """What nothing declares, and nobody asked to drop, is there afterwards."""
    instance = MemoryInstance((table("QUOTE", OLD=ONE), TRADE))
    apply(read_plan(instance, (QUOTE,)), instance)
    assert instance.read_tables() == as_live(table("QUOTE", MD=ONE, OLD=ONE), TRADE)
    assert read_plan(instance, (QUOTE,)).changes == ()


def test_a_refused_plan_applies_nothing() -> None:
    """With one change that is not allowed, the safe ones are not made either."""
    instance = MemoryInstance((table("QUOTE", MD=MaxVersions(2)),))
    with pytest.raises(MigrationError, match="nothing was applied"):
        apply(read_plan(instance, (QUOTE, TRADE)), instance)
    assert instance.changes == []


def test_a_failure_says_what_is_done_and_what_is_not() -> None:
    """When the second of three tables fails, the first is done, and the others are not."""

    def fail(_: MemoryInstance, method: str, table_id: str) -> None:
        if (method, table_id) == ("create_table", "QUOTE"):
            raise ServerError("out of disk")

    instance = MemoryInstance((), fail)
    plan = read_plan(instance, (QUOTE, TRADE, table("A", f=ONE)))
    with pytest.raises(MigrationFailed) as caught:
        apply(plan, instance)
    assert caught.value.done == ("create-table:A",)
    assert caught.value.undone == ("create-table:QUOTE", "create-table:TRADE")
    assert str(caught.value) == (
        "out of disk; done: create-table:A; not done: create-table:QUOTE, create-table:TRADE; "
        "run it again to continue"
    )


def test_a_server_that_goes_away_leaves_a_table_unknown() -> None:
    """When the call fails and the table cannot be read back, nothing is claimed about it."""

    def fail(instance: MemoryInstance, method: str, _: str) -> None:
        if instance.changes:
            raise ServerError("gone")

    instance = MemoryInstance((), fail)
    with pytest.raises(MigrationFailed) as caught:
        apply(read_plan(instance, (QUOTE, TRADE)), instance)
    assert (caught.value.done, caught.value.undone) == ((), ("create-table:TRADE",))
    assert caught.value.unknown == ("create-table:QUOTE",)


def test_a_lost_answer_is_read_back() -> None:
    """When a call worked and its answer was lost, the change counts as done and is not repeated."""

    class Lossy(MemoryInstance):
        def create_table(self, table: Table) -> None:
            super().create_table(table)
            raise ServerError("deadline exceeded")

    instance = Lossy()
    (done,) = apply(read_plan(instance, (QUOTE,)), instance)
    assert done.found
    assert instance.changes == [("create_table", "QUOTE")]


def test_half_a_call_is_finished() -> None:
    """When a server did half of a call, as an emulator may, only the other half is asked for again."""

    class Half(MemoryInstance):
        def modify_families(
            self,
            table: str,
            *,
            create: Sequence[Family] = (),
            update: Sequence[Family] = (),
            drop: Sequence[str] = (),
            ignore_warnings: bool = False,
        ) -> None:
            first = len(self.changes) == 0
            super().modify_families(table, create=create[: 1 if first else None])
            if first:
                raise ServerError("half")

    instance = Half((table("TRADE"),))
    apply(read_plan(instance, (TRADE,)), instance)
    assert instance.read_tables() == as_live(TRADE)
    assert len(instance.changes) == 2


def test_another_process_was_faster() -> None:
    """A change that another made between the plan and the call, or during the call, is found done."""
    for moment in ("table", "create_table"):

        def race(instance: MemoryInstance, method: str, _: str, moment: str = moment) -> None:
            if method == moment:
                instance.tables["QUOTE"] = QUOTE

        instance = MemoryInstance((), race)
        (done,) = apply(read_plan(instance, (QUOTE,)), instance)
        assert done.found


def test_another_process_made_less() -> None:
    """Who agreed to create a table agreed to the families that another left out."""

    def race(instance: MemoryInstance, method: str, _: str) -> None:
        if method == "create_table":
            instance.tables["TRADE"] = as_live(table("TRADE", MD=ONE))[0]

    instance = MemoryInstance((), race)
    apply(read_plan(instance, (TRADE,)), instance)
    assert instance.read_tables() == as_live(TRADE)


def test_another_process_made_something_else() -> None:
    """A table that now needs what nobody agreed to is left alone, and the error says what that is."""
    live = table("QUOTE", MD=MaxVersions(5))

    def race(instance: MemoryInstance, method: str, _: str) -> None:
        if method == "table":
            instance.tables["QUOTE"] = live

    instance = MemoryInstance((), race)
    with pytest.raises(MigrationFailed, match=r"now needs tighten-gc:QUOTE\.MD"):
        apply(read_plan(instance, (QUOTE,)), instance)
    assert instance.tables == {"QUOTE": live}


def test_a_table_that_grew_is_not_dropped() -> None:
    """A drop allowed for the table that the plan showed is not made of what it became."""
    instance = MemoryInstance((TRADE,))
    plan = read_plan(instance, (), ["drop-table:TRADE"])
    instance.tables["TRADE"] = table("TRADE", MD=ONE, STAT=WEEK, MORE=None)
    with pytest.raises(MigrationFailed, match="changed by another"):
        apply(plan, instance)
    assert "TRADE" in instance.tables


def test_a_conflict_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A conflict is tried again with growing pauses, and told once the time for it is over."""
    monkeypatch.setattr("btmodel.migrate.applying.table_calls._LONGEST", 1.0)

    def conflict(_: MemoryInstance, method: str, __: str) -> None:
        if method == "create_table":
            raise SchemaConflict("concurrent modifications")

    instance = MemoryInstance((), conflict)
    with pytest.raises(MigrationFailed, match="concurrent modifications"):
        apply(read_plan(instance, (QUOTE,)), instance)
    assert 3 <= len(instance.changes) <= 8


def test_the_server_says_how_long_to_wait() -> None:
    """A call that is not taken now is made again after the time that the server asks for, and not before."""

    def later(instance: MemoryInstance, method: str, __: str) -> None:
        if method == "create_table" and len(instance.changes) == 1:
            error = Unavailable("over quota")
            error.retry_after = 0.4
            raise error

    instance = MemoryInstance((), later)
    began = time.monotonic()
    (done,) = apply(read_plan(instance, (QUOTE,)), instance)
    assert 0.4 <= time.monotonic() - began < 2
    assert not done.found
    assert len(instance.changes) == 2


def test_what_is_not_permitted_is_not_tried_again() -> None:
    """A call without the right to it is made once; the error says which, and what is not done."""

    def refuse(_: MemoryInstance, method: str, __: str) -> None:
        if method == "create_table":
            raise NotAllowed("not permitted, which needs bigtable.tables.create")

    instance = MemoryInstance((), refuse)
    with pytest.raises(
        MigrationFailed, match=r"needs bigtable\.tables\.create; done: nothing; not done: create-table"
    ):
        apply(read_plan(instance, (QUOTE,)), instance)
    assert len(instance.changes) == 1


def test_ctrl_c_is_told() -> None:
    """Ctrl-C between two tables says which of them are done."""

    def interrupt(_: MemoryInstance, method: str, table_id: str) -> None:
        if (method, table_id) == ("create_table", "TRADE"):
            raise KeyboardInterrupt

    instance = MemoryInstance((), interrupt)
    with pytest.raises(
        MigrationFailed, match="interrupted; done: create-table:QUOTE; not done: create-table:TRADE"
    ):
        apply(read_plan(instance, (QUOTE, TRADE)), instance)


def test_killed_anywhere() -> None:
    """Killed before or after any single call, a second run ends where an undisturbed one does."""
    declared = (QUOTE, TRADE, table("A", f=ONE))
    live = (table("QUOTE", MD=ONE & WEEK, OLD=None), table("GONE"))
    allow = ("tighten-gc:QUOTE.MD", "drop-family:QUOTE.OLD", "drop-table:GONE")
    whole = MemoryInstance(live)
    apply(read_plan(whole, declared, allow), whole)

    class Killed(BaseException):
        """Nothing catches it, as nothing catches kill -9."""

    for last in range(1, len(whole.calls) + 1):

        def kill(instance: MemoryInstance, *_: str, last: int = last) -> None:
            if len(instance.calls) == last:
                raise Killed

        instance = MemoryInstance(live, kill)
        with pytest.raises(Killed):
            apply(read_plan(instance, declared, allow), instance)
        instance.before = lambda *_: None
        open_ = {change.requires for change in diff(declared, instance.read_tables())}
        apply(read_plan(instance, declared, [name for name in allow if name in open_]), instance)
        assert instance.tables == whole.tables
