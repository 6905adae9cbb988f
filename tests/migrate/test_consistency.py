"""Rows that only another cluster has: a drop waits until all clusters have what was written, and then compares."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest
from attrs import define, field
from renamed_models import MARKET, QUOTE, Site, family, lie, site, some_rows

from btmodel import emulator
from btmodel.errors import MigrationFailed
from btmodel.migrate import instance as instances
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.rows import Cell
from btmodel.schema import Table

DROP = "drop-family:QUOTE.MD"


@define
class Replicated:
    """The tables of an instance whose other cluster is ``late``: what it has comes when the ``looks``-th look is made."""

    admin: Any
    late: Callable[[], None]
    looks: int = 3
    asked: list[str] = field(factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.admin, name)

    def replication_mark(self, table: str) -> str:
        self.asked.append("mark")
        mark: str = self.admin.replication_mark(table)
        return mark

    def is_replicated(self, table: str, mark: str) -> bool:
        self.asked.append("look")
        if self.asked.count("look") < self.looks:
            return False
        if self.asked.count("look") == self.looks:
            self.late()
        there: bool = self.admin.is_replicated(table, mark)
        return there

    def modify_families(self, table: str, **changes: Any) -> None:
        self.asked.append("change")
        self.admin.modify_families(table, **changes)


@pytest.fixture
def there(server: emulator.Emulator, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        found.admin.create_table(QUOTE)
        found.write("QUOTE", some_rows(3))
        yield found


def test_rows_that_come_from_another_cluster_stop_the_drop(there: Site) -> None:
    """What another cluster took before the command arrives here while it waits, is found, and nothing is dropped."""
    there.apply(MARKET)
    plan = there.plan(MARKET, allow=[DROP])
    late = lambda: there.write("QUOTE", {b"late": [Cell("MD", b"BID", 1_000, b"")]})  # noqa: E731
    instance = Replicated(there.admin, late)
    said: list[str] = []
    with pytest.raises(MigrationFailed, match=r"QUOTE.MD has 1 cell in 1 row, such as late"):
        apply_stages([Stage(plan)], instance, there.history, "me", data=Data(there.rows, say=said.append))  # type: ignore[arg-type]
    assert instance.asked == ["mark", "look", "look", "look"]
    assert said == ["waiting until all clusters have the rows of QUOTE"]


def test_clusters_that_stay_apart_stop_the_drop(there: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the clusters do not come together in the time, nothing is dropped, and the error says which table to look at."""
    there.apply(MARKET)
    plan = there.plan(MARKET, allow=[DROP])
    monkeypatch.setattr(instances, "_REPLICATION", 0.2)
    instance = Replicated(there.admin, lambda: None, looks=1_000)
    with pytest.raises(MigrationFailed, match=r"table 'QUOTE' of .*some cluster still lacks rows of it"):
        apply_stages([Stage(plan)], instance, there.history, "me", data=Data(there.rows))  # type: ignore[arg-type]
    assert "change" not in instance.asked


def test_a_table_is_empty_where_it_is_in_all_clusters(there: Site) -> None:
    """A row that comes from another cluster keeps a table from being taken for empty, with a key of another kind."""
    empty = Table("EMPTY", (family("MD"),), layouts=(lie(MD__BID="value Int64()"),))
    other = attrs.evolve(empty, layouts=(lie("Text(width=9)", MD__BID="value Int64()"),))
    there.apply(QUOTE, empty)
    plan = there.plan(QUOTE, other)
    late = lambda: there.write("EMPTY", {b"late": [Cell("MD", b"BID", 1_000, b"")]})  # noqa: E731
    with pytest.raises(MigrationFailed, match="held no row when the plan was made"):
        apply_stages([Stage(plan)], Replicated(there.admin, late), there.history, "me")  # type: ignore[arg-type]


def test_what_another_run_copied_is_not_called_compared(there: Site) -> None:
    """A run that finds a copy made by another says so, and no more than that: what was written since is not in it."""
    plan = there.plan(MARKET)
    there.apply(MARKET)
    there.write("QUOTE", {b"late": [Cell("MD", b"BID", 1_000, b"")]})
    ways = {one.change.name: one.how for one in there.apply_plan(plan)}
    assert ways["copy-family:QUOTE.market"] == "copied by another run, and not compared since"
    assert ways["add-family:QUOTE.market"] == "found done"


def test_another_copy_has_what_was_there_when_it_was_asked_for(there: Site) -> None:
    """A copy that is asked for once more compares, also where another run made the same copy while this one waited."""
    there.apply(MARKET)
    again = there.plan(MARKET, allow=["copy-family:QUOTE.market"])
    there.apply(MARKET, allow=["copy-family:QUOTE.market"])
    late = Cell("MD", b"BID", 1_000, b"")
    there.write("QUOTE", {b"late": [late]})
    assert [(one.change.name, one.how) for one in there.apply_plan(again)] == [
        ("copy-family:QUOTE.market", "")
    ]
    assert there.cells("QUOTE")[b"late"] == {late, late._replace(family="market")}
