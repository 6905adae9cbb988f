"""Instances of many tables: how many calls a plan and its applying cost."""

from collections import Counter

from counted import Counted
from some_tables import ONE, WEEK, table

from btmodel import Database, emulator
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate import read_plan
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.migrate.history import MigrationHistory

TABLES = 120
BEFORE = tuple(table(f"T{number:04}", a=ONE) for number in range(TABLES))
AFTER = tuple(table(f"T{number:04}", a=ONE, b=WEEK, c=ONE) for number in range(TABLES + 1))


def test_calls(server: emulator.Emulator, instance: str) -> None:
    """A plan costs one list, and a get and two lists a table; applying it the same and one change of each table that changes."""
    calls: Counter[str] = Counter()
    with (
        Admin(Target(instance, server.host)) as admin,
        Database(Target(instance, server.host, lambda: None)) as data,
    ):
        admin._client = Counted(admin._client, calls)
        history = MigrationHistory(admin, Counted(data, calls))
        for declared, there, made, changed in (
            (BEFORE, 0, TABLES, 0),
            (AFTER, TABLES, 1, TABLES),
            (AFTER, TABLES + 1, 0, 0),
        ):
            calls.clear()
            plan = read_plan(admin, declared, (), history)
            assert (calls.pop("list_tables"), calls.pop("get_table", 0)) == (1, there)
            assert _parts(calls) in (0, there)  # the emulator has none
            assert calls == Counter(read=2)  # of the migration history: layouts, and copies
            calls.clear()
            apply_stages([Stage(plan)], admin, history, "ann")
            # The first to record anything makes the table of the migration history.
            new = calls.pop("create_table", 0) - made
            assert new == (declared is BEFORE)
            assert calls.pop("modify_column_families", 0) == changed
            assert calls.pop("get_table", 0) == made + changed
            assert _parts(calls) in (0, changed)
            assert calls.pop("write", 0) == 2 * (made + changed)
            assert set(calls) <= {"read", "write_if"}
            assert calls["read"] <= 3  # the lock, the steps, and what others have recorded since


def _parts(calls: "Counter[str]") -> int:
    """How many tables were asked for their authorized views and schema bundles."""
    views, bundles = (calls.pop(f"list_{kind}", 0) for kind in ("authorized_views", "schema_bundles"))
    assert views == bundles
    return views
