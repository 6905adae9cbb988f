"""The way back of renamings: what took over gives back what it has, and no way loses a cell unasked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from renamed_models import MARKET, PRICE, QUOTE, Site, family, lie, names, site, some_rows
from saving import save
from test_data import Dying, Killed

from btmodel.errors import MigrationError, MigrationFailed
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.migrate.planning.saved import load
from btmodel.migrate.revisions.graph import Graph, graph_of
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.rollback import rollback_stage, way_back
from btmodel.migrate.revisions.standing import standing
from btmodel.rows import Cell
from btmodel.schema import MaxVersions, Table

FIRST = Revision("0001_quotes", "quotes", (), (QUOTE,))
BOTH = evolve(
    PRICE, families=(family("market", "MD"), family("new")), layouts=(lie(market__BID="value Int64()"),)
)
LATE = Cell("MD", b"BID", 9_000, b"late")
# What is renamed by one revision: the tables, the old and the new name, and the names of the changes of the way back.
WAYS = [
    pytest.param(MARKET, "family", "QUOTE.MD", "QUOTE.market", id="family"),
    pytest.param(PRICE, "table", "QUOTE", "PRICE", id="table"),
]


class Followed:
    """An instance that follows revisions, by the functions behind the commands."""

    def __init__(self, there: Site, folder: Path, *tables: Table) -> None:
        self.there = there
        revisions = [FIRST]
        for number, table in enumerate(tables, 2):
            link = (revisions[-1].link,)
            revisions.append(Revision(f"{number:04}_renamed", "renamed", link, (table,)))
        self.graph: Graph = graph_of(folder, revisions)

    def apply(self, *allow: str, to: str | None = None) -> list[str]:
        now = standing(self.graph, self.there.history.revisions())
        target = self.graph.named(to) if to else None
        found = revision_stages(now, self.there.admin, self.there.history, target, allow)
        rows = Data(self.there.rows)
        return names(apply_stages(found, self.there.admin, self.there.history, "me", data=rows))

    def back(self, *allow: str, rows: Any = None, to: str | None = None) -> list[str]:
        now = standing(self.graph, self.there.history.revisions())
        way = way_back(now, self.graph.named(to) if to else None)
        stage = rollback_stage(way, self.there.admin, self.there.history, allow)
        stage.refuse_loss()
        data = Data(rows or self.there.rows)
        return names(apply_stages([stage], self.there.admin, self.there.history, "me", data=data))


@pytest.fixture
def there(server: Any, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        yield found


def renamed(there: Site, folder: Path, *tables: Table, rows: int = 30) -> Followed:
    """An instance in which QUOTE has rows, and was renamed."""
    Followed(there, folder).apply()
    there.write("QUOTE", some_rows(rows))
    found = Followed(there, folder, *tables)
    found.apply()
    return found


def stored(there: Site, table: Table) -> dict[bytes, set[tuple[int, bytes]]]:
    """The cells of the only family of ``table``, but for its name."""
    rows = there.cells(table.id).items()
    id = table.families[0].id
    return {
        key: {(one.timestamp, one.value) for one in cells if one.family == id}
        for key, cells in rows
        if any(one.family == id for one in cells)
    }


@pytest.mark.parametrize(("table", "kind", "old", "new"), WAYS)
def test_what_is_gone_is_renamed_back(
    there: Site, tmp_path: Path, table: Table, kind: str, old: str, new: str
) -> None:
    """Once the old one is dropped, the way back makes it anew and copies all to it; what took over stays, and is compared before its drop."""
    found = renamed(there, tmp_path, table)
    found.apply(f"drop-{kind}:{old}")
    there.write(table.id, {b"new": [LATE._replace(family=table.families[0].id)]})
    before = stored(there, table)
    assert len(before) == 31
    with pytest.raises(MigrationError, match=rf"--allow drop-{kind}:{new}: nothing in .* needs that"):
        found.back(f"drop-{kind}:{new}")
    made = "add-family" if kind == "family" else "create-table"
    assert found.back() == [f"{made}:{old}", f"copy-{kind}:{old}"]
    assert stored(there, QUOTE) == stored(there, table) == before
    assert [one.id for one in there.history.revisions()] == ["0001_quotes"]
    there.write(table.id, {b"later": [LATE._replace(family=table.families[0].id)]})
    with pytest.raises(
        MigrationFailed, match=f"{new} has 1 cell in 1 row, such as later .* that {old} lacks"
    ):
        found.apply(f"drop-{kind}:{new}", to="0001")
    assert found.apply(f"copy-{kind}:{old}", to="0001") == [f"copy-{kind}:{old}"]
    assert found.apply(f"drop-{kind}:{new}", to="0001") == [f"drop-{kind}:{new}"]
    assert stored(there, QUOTE) == before | {b"later": {(9_000, b"late")}}
    assert there.history.copies() == ()
    assert found.apply()[-1] == f"copy-{kind}:{new}"


@pytest.mark.parametrize(("table", "kind", "old", "new"), WAYS)
def test_what_stands_still_is_compared(
    there: Site, tmp_path: Path, table: Table, kind: str, old: str, new: str
) -> None:
    """While the old one stands, one says what becomes of the new one: its drop is refused while it has cells of its own."""
    found = renamed(there, tmp_path, table)
    there.write(table.id, {b"new": [LATE._replace(family=table.families[0].id)]})
    with pytest.raises(MigrationError, match="nothing was rolled back") as error:
        found.back()
    for name in (f"copy-{kind}:{old}", f"drop-{kind}:{new}", f"abandon-{kind}:{new}"):
        assert f"--allow {name} to " in str(error.value)
    with pytest.raises(MigrationFailed, match=f"{new} has 1 cell in 1 row, such as new .* that {old} lacks"):
        found.back(f"drop-{kind}:{new}")
    assert len(there.history.revisions()) == 2
    assert len(stored(there, table)) == 31
    assert found.back(f"copy-{kind}:{old}") == [f"copy-{kind}:{old}"]
    assert stored(there, QUOTE) == stored(there, table)
    (drift,) = there.plan(QUOTE).drift
    assert (drift.verb, drift.requires) == (f"renamed-{kind}", f"drop-{kind}:{new}")
    assert found.apply(f"drop-{kind}:{new}", to="0001") == [f"drop-{kind}:{new}"]
    assert len(stored(there, QUOTE)) == 31


@pytest.mark.parametrize(("table", "kind", "old", "new"), WAYS)
def test_what_is_the_same_is_dropped_on_the_way_back(
    there: Site, tmp_path: Path, table: Table, kind: str, old: str, new: str
) -> None:
    """Right after the copy, both are the same, and one command ends the renaming; by another name it ends whatever is there."""
    found = renamed(there, tmp_path, table)
    before = stored(there, QUOTE)
    assert found.back(f"drop-{kind}:{new}") == [f"drop-{kind}:{new}"]
    assert stored(there, QUOTE) == before
    assert (there.plan(QUOTE).drift, there.history.copies()) == ((), ())
    found.apply()
    there.write(table.id, {b"new": [LATE._replace(family=table.families[0].id)]})
    assert found.back(f"abandon-{kind}:{new}") == [f"abandon-{kind}:{new}"]
    assert stored(there, QUOTE) == before


@pytest.mark.parametrize("done", [False, True])
def test_a_way_back_that_is_killed_is_gone_on_with(
    there: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    """In the middle of the copy it dies; the same command goes on after that, without a further word."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 10)
    found = renamed(there, tmp_path, MARKET)
    found.apply("drop-family:QUOTE.MD")
    with pytest.raises(Killed):
        found.back(rows=Dying(there.rows, 1, done=done))
    assert len(there.history.revisions()) == 2
    assert there.history.progress("copy QUOTE.market to QUOTE.MD").rows == 10
    assert found.back() == ["copy-family:QUOTE.MD"]
    assert stored(there, QUOTE) == stored(there, MARKET)


def test_a_table_goes_back_with_its_families(there: Site, tmp_path: Path) -> None:
    """A family that was renamed with its table is, too; one that came with it is lost by name only."""
    found = renamed(there, tmp_path, BOTH)
    found.apply("drop-table:QUOTE")
    before = stored(there, BOTH)
    with pytest.raises(MigrationError, match=r"use --allow copy-table:QUOTE if you mean that"):
        found.back()
    assert found.back("copy-table:QUOTE") == ["create-table:QUOTE", "copy-table:QUOTE"]
    assert stored(there, QUOTE) == before
    there.write("PRICE", {b"later": [LATE._replace(family="market")]})
    with pytest.raises(MigrationFailed, match="PRICE has 1 cell in 1 row"):
        found.apply("drop-table:PRICE", to="0001")


def test_a_tighter_rule_is_named_on_the_way_back(there: Site, tmp_path: Path) -> None:
    """Where the old family kept less, the way back loses that, by name only."""
    tight = evolve(QUOTE, families=(family("MD", gc=MaxVersions(1)),))
    loose = evolve(MARKET, families=(family("market", "MD"),))
    first = Revision("0001_quotes", "quotes", (), (tight,))
    found = Followed(there, tmp_path)
    found.graph = graph_of(tmp_path, [first, Revision("0002_loose", "loose", (first.link,), (loose,))])
    found.apply()
    there.write("QUOTE", {b"A": [Cell("market", b"BID", 1_000 * n, b"%d" % n) for n in (1, 2)]})
    found.apply("drop-family:QUOTE.MD")
    with pytest.raises(MigrationError, match=r"use --allow copy-family:QUOTE.MD if you mean that"):
        found.back()
    found.back("copy-family:QUOTE.MD")
    assert stored(there, tight) == {b"A": {(2_000, b"2")}}


def test_two_renamings_in_one_way(there: Site, tmp_path: Path) -> None:
    """Over two renamings the last heir gives back; where both are there still, one goes back one revision at a time."""
    last = evolve(MARKET, families=(family("quotes", "market"),), layouts=(lie(quotes__BID="value Int64()"),))
    found = renamed(there, tmp_path, MARKET, last)
    with pytest.raises(MigrationError, match=r"QUOTE.market and QUOTE.quotes took over from QUOTE.MD"):
        found.back(to="0001")
    found.apply("drop-family:QUOTE.market")
    there.write("QUOTE", {b"new": [LATE._replace(family="quotes")]})
    with pytest.raises(MigrationError, match=r"use --allow copy-family:QUOTE.MD to copy them back"):
        found.back(to="0001")
    assert found.back("copy-family:QUOTE.MD", to="0001") == ["copy-family:QUOTE.MD"]
    assert stored(there, QUOTE) == stored(there, last)
    assert len(stored(there, QUOTE)) == 31


@pytest.mark.parametrize("wanted", [MARKET, BOTH])
def test_what_nobody_declares_any_more_is_remembered(there: Site, tmp_path: Path, wanted: Table) -> None:
    """Without renamed_from=, what was copied is compared before its drop all the same, also by a saved plan."""
    renamed(there, tmp_path, wanted)
    there.write("QUOTE", {b"late": [LATE]})
    families = tuple(evolve(one, renamed_from=None) for one in wanted.families)
    plain = evolve(wanted, families=families, renamed_from=None)
    (drift,) = there.plan(plain).drift
    assert drift.verb in ("renamed-family", "renamed-table")
    save(there.plan(plain, allow=[drift.requires or ""]), tmp_path / "plan.json")
    plan = load(tmp_path / "plan.json").read_again(there.admin, there.history)
    with pytest.raises(MigrationFailed, match="has 1 cell in 1 row, such as late"):
        apply_stages([Stage(plan)], there.admin, there.history, "me", data=Data(there.rows))
    (_, _, again) = drift.ends
    there.apply(plain, allow=[again.name])
    assert names(there.apply(plain, allow=[drift.requires or ""])) == [drift.requires]
    assert b"late" in stored(there, plain)
