"""Tables that a program brings into being by itself."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from memory_instance import MemoryInstance
from some_tables import ONE, QUOTE, TRADE, WEEK, as_live, table

from btmodel import emulator
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError, MigrationFailed, ServerError
from btmodel.migrate import AddFamily, CreateTable, bring
from btmodel.schema import Family, MaxVersions

THREADS = 8


@pytest.fixture
def admin(server: emulator.Emulator, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, server.host)) as connected:
        yield connected


def test_what_is_missing_is_made(admin: Admin) -> None:
    """Missing tables and families are made, the plan says which, and the next time there is nothing to do."""
    admin.create_table(table("TRADE", MD=ONE))
    plan = bring(admin, iter((QUOTE, TRADE)))
    assert plan.changes == (CreateTable(QUOTE), AddFamily("TRADE", Family("STAT", WEEK)))
    assert admin.read_tables() == as_live(QUOTE, TRADE)
    assert bring(admin, (QUOTE, TRADE)).changes == ()


def test_other_tables_are_not_even_read() -> None:
    """A table that is not asked for is none of its business, nor is an undeclared family."""
    instance = MemoryInstance((table("QUOTE", MD=ONE, OLD=ONE), table("OTHER", f=ONE)))
    plan = bring(instance, (QUOTE,))
    assert [change.name for change in plan.drift] == ["undeclared-family:QUOTE.OLD"]
    assert instance.changes == []


@pytest.mark.parametrize("live", [MaxVersions(3), MaxVersions(1) | WEEK])
def test_nothing_that_is_live_is_changed(live: MaxVersions) -> None:
    """Where a rule differs, looser or tighter, nothing is applied, also not what is missing."""
    instance = MemoryInstance((table("QUOTE", MD=live),))
    with pytest.raises(
        MigrationError, match=r"nothing was applied.*QUOTE\.MD keeps newest 1 version, instead of"
    ):
        bring(instance, (QUOTE, TRADE))
    assert instance.changes == []


def test_a_rule_that_another_made_at_the_same_time_stays() -> None:
    """Who meant to create a table does not change one that another created meanwhile, not even to keep more."""
    tight = table("QUOTE", MD=ONE & WEEK | ONE | WEEK)

    def race(instance: MemoryInstance, method: str, _: str) -> None:
        if method == "create_table":
            instance.tables["QUOTE"] = tight

    instance = MemoryInstance((), race)
    with pytest.raises(MigrationFailed, match=r"now needs relax-gc:QUOTE\.MD"):
        bring(instance, (QUOTE,))
    assert instance.tables["QUOTE"] == tight


def test_many_bring_the_same_at_once(admin: Admin) -> None:
    """Threads that race all end well, and what they asked for is there."""
    start = Barrier(THREADS)
    wanted = tuple(table(f"SENSOR_2017072{day}", a=ONE, b=WEEK) for day in range(4))

    def race(_: int) -> None:
        start.wait()
        bring(admin, wanted)

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(race, range(THREADS)))
    assert admin.read_tables() == as_live(*wanted)


def test_a_server_that_fails() -> None:
    """The error says what is done and what is not."""

    def fail(_: MemoryInstance, method: str, id: str) -> None:
        if (method, id) == ("create_table", "TRADE"):
            raise ServerError("out of disk")

    with pytest.raises(MigrationFailed) as failed:
        bring(MemoryInstance((), fail), (QUOTE, TRADE))
    assert (failed.value.done, failed.value.undone) == (("create-table:QUOTE",), ("create-table:TRADE",))
