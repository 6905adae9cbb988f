"""A table that is renamed, and a family of another one, before and after."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attrs import evolve, frozen

import btmodel as bt
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate import Done, Plan, read_plan
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.migrate.history import MigrationHistory
from btmodel.rows import Cell, Mutation
from btmodel.schema import CellLayout, Family, GcRule, KeepAll, KeyPart, Layout, Table

KEEP = KeepAll()


def lie(key: str = "Text(width=5)", **codecs: str) -> Layout:
    """How the rows of a model lie: its key, and cells called ``FAMILY__COLUMN``."""
    cells = tuple(CellLayout(name.replace("__", ":"), codecs[name]) for name in sorted(codecs))
    return Layout("Quote", (KeyPart(key, "", "symbol"),), cells)


def family(id: str, former: str | None = None, gc: GcRule = KEEP) -> Family:
    return Family(id, gc, renamed_from=former)


QUOTE = Table("QUOTE", (family("MD"),), layouts=(lie(MD__BID="value Int64()"),))
# The same with its family renamed, and with itself.
MARKET = Table("QUOTE", (family("market", "MD"),), layouts=(lie(market__BID="value Int64()"),))
PRICE = Table("PRICE", (family("MD"),), layouts=(lie(MD__BID="value Int64()"),), renamed_from="QUOTE")


@frozen
class Site:
    """An instance of a server, with its history and rows."""

    admin: Any
    rows: Any
    history: Any

    def plan(self, *declared: Table, allow: Iterable[str] = ()) -> Plan:
        return read_plan(self.admin, declared, list(allow), self.history)

    def apply(self, *declared: Table, allow: Iterable[str] = (), rows: Any = None) -> tuple[Done, ...]:
        """Plan and apply; what is done."""
        return self.apply_plan(self.plan(*declared, allow=allow), rows)

    def apply_plan(self, plan: Plan, rows: Any = None) -> tuple[Done, ...]:
        """Apply what was planned; what is done."""
        return apply_stages([Stage(plan)], self.admin, self.history, "me", data=Data(rows or self.rows))

    def write(self, table: str, rows: Mapping[bytes, Iterable[Cell]]) -> None:
        self.rows.write_many(table, [Mutation(table, key, tuple(cells)) for key, cells in rows.items()])

    def cells(self, table: str) -> dict[bytes, set[Cell]]:
        return {key: set(cells) for key, cells in self.rows.cells(table)}


@contextmanager
def site(instance: str, host: str) -> Iterator[Site]:
    """An instance, by its path, of the server at ``host``."""
    with Admin(Target(instance, host)) as admin, bt.Database(Target(instance, host, lambda: None)) as rows:
        yield Site(admin, rows, MigrationHistory(admin, rows))


def some_rows(count: int, family: str = "MD", time: int = 0) -> dict[bytes, Iterable[Cell]]:
    """Rows of one column, with two versions."""
    return {
        b"%05d" % row: [Cell(family, b"BID", time + 1_000 * n, b"%d.%d" % (row, n)) for n in (1, 2)]
        for row in range(count)
    }


def names(done: Iterable[Done]) -> list[str]:
    """What is done, but for bookkeeping."""
    return [one.change.name for one in done if not one.change.quiet]


def without_renaming(table: Table) -> Table:
    """The table as it is declared once nobody speaks of its old names any more."""
    families = tuple(evolve(one, renamed_from=None) for one in table.families)
    return evolve(table, families=families, renamed_from=None)
