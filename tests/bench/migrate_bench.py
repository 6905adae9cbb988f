"""How long a migration of an instance with many tables takes, and how many calls it makes.

    python tests/bench/migrate_bench.py [--tables 999]

On the local server, which takes 1,000 tables as the service does, one of them for the migration history: from nothing, again with nothing to do, and with a family to add to each table.
"""

import argparse
import time
from collections import Counter
from typing import Any

from btmodel import Database, server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate import read_plan
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.migrate.history import MigrationHistory
from btmodel.schema import Family, MaxVersions, Table

INSTANCE = "projects/bench/instances/migrate"
ADMIN = ("list_tables", "get_table", "create_table", "modify_column_families")
DATA = ("read", "write", "write_if")


def counted(client: Any, names: tuple[str, ...], calls: Counter[str]) -> None:
    """Count the calls of these methods."""
    for name in names:
        method = getattr(client, name)

        def call(*arguments: Any, _name: str = name, _method: Any = method, **options: Any) -> Any:
            calls[_name] += 1
            return _method(*arguments, **options)

        setattr(client, name, call)


def declared(count: int, *families: str) -> tuple[Table, ...]:
    """Tables of these families."""
    return tuple(
        Table(f"T{number:04}", tuple(Family(id, MaxVersions(1)) for id in families))
        for number in range(count)
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=999)
    count = parser.parse_args().tables
    calls: Counter[str] = Counter()
    with (
        server.start() as local,
        Admin(Target(INSTANCE, local.host)) as admin,
        Database(Target(INSTANCE, local.host, lambda: None)) as database,
    ):
        counted(admin._client, ADMIN, calls)
        counted(database, DATA, calls)
        history = MigrationHistory(admin, database)
        for what, wanted in (
            (f"{count} tables from nothing", declared(count, "a")),
            (f"{count} tables, nothing to do", declared(count, "a")),
            (f"a family for each of {count} tables", declared(count, "a", "b")),
        ):
            calls.clear()
            began = time.perf_counter()
            plan = read_plan(admin, wanted, (), history)
            read, asked = time.perf_counter() - began, dict(calls)
            calls.clear()
            began = time.perf_counter()
            apply_stages([Stage(plan)], admin, history, "bench")
            print(f"{what}: plan {read:.2f} s ({told(asked)})")
            print(f"    applied in {time.perf_counter() - began:.2f} s ({told(calls)})")


def told(calls: dict[str, int]) -> str:
    """Which calls, and how often."""
    return ", ".join(f"{count} {name}" for name, count in calls.items() if count) or "no calls"


if __name__ == "__main__":
    main()
