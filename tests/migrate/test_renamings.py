"""Renamings: create, copy, verify, switch, drop, each by the plan that the state of the instance asks for."""

import re
from collections.abc import Generator, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from renamed_models import (
    KEEP,
    MARKET,
    PRICE,
    QUOTE,
    Site,
    family,
    lie,
    names,
    site,
    some_rows,
    without_renaming,
)
from saving import save

from btmodel.errors import MigrationError, MigrationFailed
from btmodel.migrate import Effect, apply, bring, diff
from btmodel.migrate.applying import copying
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.migrate.changes.renames import CopyFamily
from btmodel.migrate.data.walks import Row
from btmodel.migrate.history import CopyRecord
from btmodel.migrate.planning.saved import load
from btmodel.migrate.planning.text import plan_text
from btmodel.migrate.revisions.graph import graph_of
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import standing
from btmodel.rows import Cell, Delete, Mutation, ReadPlan
from btmodel.rows.cells import now_micros
from btmodel.schema import Aggregate, Family, MaxVersions, Table

THIRD = Table("QUOTE", (family("price", "market"),), layouts=(lie(price__BID="value Int64()"),))
LATER = Cell("MD", b"BID", 9_000, b"late")


@pytest.fixture
def there(server: Any, instance: str) -> Iterator[Site]:
    """An instance in which QUOTE has rows."""
    with site(instance, server.host) as found:
        found.apply(QUOTE)
        found.write("QUOTE", some_rows(30))
        yield found


def in_family(cells: Iterable[Cell], family: str) -> set[tuple[bytes, int, bytes]]:
    return {(cell.qualifier, cell.timestamp, cell.value) for cell in cells if cell.family == family}


def test_a_family_is_renamed(there: Site) -> None:
    """It is made and copied; the old one stays until its drop is allowed; then nothing is left to do."""
    before = there.cells("QUOTE")
    done = there.apply(MARKET)
    assert names(done) == ["add-family:QUOTE.market", "copy-family:QUOTE.market"]
    after = there.cells("QUOTE")
    for key, cells in before.items():
        assert in_family(after[key], "market") == in_family(cells, "MD") == in_family(after[key], "MD")
    plan = there.plan(MARKET)
    assert plan.pending == ()
    assert [one.name for one in plan.drift] == ["renamed-family:QUOTE.MD"]
    assert "copied on 20" in plan.drift[0].summary
    assert names(there.apply(MARKET, allow=["drop-family:QUOTE.MD"])) == ["drop-family:QUOTE.MD"]
    plan = there.plan(MARKET)
    assert (plan.changes, plan.drift) == ((), ())
    assert there.history.copies() == ()
    assert there.history.layouts() == {"QUOTE": MARKET.layouts}


def test_a_table_is_renamed(there: Site) -> None:
    """Likewise, with another family beside, and a family that is renamed at the same time."""
    wanted = evolve(PRICE, families=(family("market", "MD"), family("new")))
    wanted = evolve(wanted, layouts=(lie(market__BID="value Int64()"),))
    assert names(there.apply(wanted)) == ["create-table:PRICE", "copy-table:PRICE"]
    for key, cells in there.cells("QUOTE").items():
        assert in_family(there.cells("PRICE")[key], "market") == in_family(cells, "MD")
    assert there.plan(wanted).drift[0].name == "renamed-table:QUOTE"
    assert names(there.apply(wanted, allow=["drop-table:QUOTE"])) == ["drop-table:QUOTE"]
    plan = there.plan(wanted)
    assert (plan.changes, plan.drift, there.history.copies()) == ((), (), ())
    assert there.history.layouts() == {"PRICE": wanted.layouts}


def test_a_family_takes_over_what_it_names(there: Site) -> None:
    """In a table that is renamed, ``renamed_from=`` goes before the same id; what nothing takes over is told."""
    there.admin.modify_families("QUOTE", create=[family("B")])
    there.write("QUOTE", {b"00000": [Cell("B", b"BID", 1_000, b"in B")]})
    wanted = Table(
        "PRICE", (family("B", "MD"),), layouts=(lie(B__BID="value Int64()"),), renamed_from="QUOTE"
    )
    (copy,) = there.plan(wanted).refused
    assert copy.lost == "cells that are not copied: nothing takes over family B"
    there.apply(wanted, allow=["copy-table:PRICE"])
    assert b"in B" not in {cell.value for cell in there.cells("PRICE")[b"00000"]}
    assert len(there.cells("PRICE")) == 30


def test_a_family_that_was_renamed_before_its_table(there: Site) -> None:
    """Where ``renamed_from=`` of a family stands still, and that was copied, its table is renamed with what took over."""
    there.apply(MARKET)
    there.write("QUOTE", {b"00000": [Cell("market", b"BID", 9_000, b"new")]})
    wanted = evolve(MARKET, id="PRICE", renamed_from="QUOTE")
    (copy,) = there.plan(wanted).refused
    assert copy.lost == (
        "cells that are not copied: family MD was copied to QUOTE.market, and is not dropped: what it alone has is left behind"
    )
    there.apply(wanted, allow=["copy-table:PRICE"])
    assert b"new" in {cell.value for cell in there.cells("PRICE")[b"00000"]}
    there.apply(without_renaming(wanted), allow=["drop-table:QUOTE"])
    assert [one.id for one in there.admin.read_tables()] == ["PRICE"]


def test_nothing_is_dropped_before_it_is_copied(there: Site) -> None:
    """While the copy is still to be made, no name drops the old one."""
    assert [one.name for one in there.plan(PRICE).drift] == ["renamed-table:QUOTE"]
    with pytest.raises(MigrationError, match="needs that; no change needs permission"):
        there.plan(PRICE, allow=["drop-table:QUOTE"])
    with pytest.raises(MigrationError, match="needs that; no change needs permission"):
        there.plan(MARKET, allow=["abandon-family:QUOTE.MD"])


@pytest.mark.parametrize(
    ("wanted", "end", "again", "abandon"),
    [
        (MARKET, "drop-family:QUOTE.MD", "copy-family:QUOTE.market", "abandon-family:QUOTE.MD"),
        (PRICE, "drop-table:QUOTE", "copy-table:PRICE", "abandon-table:QUOTE"),
    ],
)
def test_what_was_written_since_stops_the_drop(
    there: Site, wanted: Table, end: str, again: str, abandon: str
) -> None:
    """It is told, with how many cells are later than the copy; a further copy brings them, and abandoning drops them."""
    there.apply(wanted)
    late = now_micros() // 1_000 * 1_000 + 60_000_000
    there.write("QUOTE", {b"00003": [Cell("MD", b"BID", late, b"late"), Cell("MD", b"BID", 9_000, b"old")]})
    with pytest.raises(
        MigrationFailed, match=r"has 2 cells in 1 row, such as 00003 .* with later timestamps: 1 cell\)"
    ) as e:
        there.apply(wanted, allow=[end])
    assert f"--allow {again} " in str(e.value)
    assert f"--allow {abandon} " in str(e.value)
    assert there.history.lock() is None
    assert len(there.cells("QUOTE")) == 30
    plan = there.plan(wanted, allow=[again])
    assert [(one.name, plan.effect(one)) for one in plan.pending] == [(again, Effect.SLOW)]
    assert names(there.apply(wanted, allow=[again])) == [again]
    there.write("QUOTE", {b"00004": [Cell("MD", b"BID", late, b"later")]})
    with pytest.raises(MigrationError, match="name one of them"):
        there.plan(wanted, allow=[abandon, end])
    assert names(there.apply(wanted, allow=[abandon])) == [abandon]
    new = there.cells(wanted.id)
    assert b"late" in {cell.value for cell in new[b"00003"]}
    assert b"later" not in {cell.value for cell in new[b"00004"]}
    assert there.plan(wanted).drift == ()


class Writing:
    """A connection beside which another client writes whenever rows are written, ``times`` times."""

    def __init__(self, there: Site, times: int) -> None:
        self._rows, self._there, self._left = there.rows, there, times

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        return self._rows.read(plan)

    def write_many(self, table: str, mutations: Iterable[Mutation], permit: Any = None) -> int:
        written: int = self._rows.write_many(table, mutations)
        if self._left:
            self._left -= 1
            self._there.write("QUOTE", {b"00001": [Cell("MD", b"BID", 1_000 * (100 + self._left), b"new")]})
        return written


def test_a_drop_that_is_stopped_says_of_no_copy(there: Site) -> None:
    """What is missing before a drop is only compared: nothing says that it was copied, as it was not."""
    there.apply(MARKET)
    there.write("QUOTE", {b"00003": [LATER]})
    said: list[str] = []
    plan = there.plan(MARKET, allow=["drop-family:QUOTE.MD"])
    with pytest.raises(MigrationFailed, match="has 1 cell in 1 row"):
        apply_stages([Stage(plan)], there.admin, there.history, "me", data=Data(there.rows, say=said.append))
    assert said == []
    assert not in_family(there.cells("QUOTE")[b"00003"], "market") & {LATER[1:]}


def test_what_is_written_meanwhile_is_copied(there: Site) -> None:
    """A copy ends with a comparison that copies what it finds, until it finds nothing."""
    there.apply(PRICE, rows=Writing(there, 3))
    assert there.cells("PRICE") == there.cells("QUOTE")
    assert there.history.copies()[0].ended is not None


def test_a_copy_that_never_catches_up_is_told(there: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where others write all the time, and never pause, it ends, says what to do, and is no copy; the next run goes on."""
    monkeypatch.setattr(copying, "PAUSE_WITHIN", 0.3)
    with pytest.raises(
        MigrationFailed,
        match=r"is still written to.*run it again when its writers can pause.*declare PRICE with moved_from='QUOTE'",
    ) as error:
        there.apply(PRICE, rows=Writing(there, 999))
    assert error.value.undone == ("copy-table:PRICE",)
    (record,) = there.history.copies()
    assert record.ended is None
    plan = there.plan(PRICE)
    assert plan.pending[0].summary.startswith("goes on to copy")
    assert plan.drift[0].end is None
    assert names(there.apply(PRICE)) == ["copy-table:PRICE"]
    assert there.plan(PRICE).pending == ()


def test_writers_that_pause_when_they_are_asked_to_let_a_copy_end(there: Site) -> None:
    """The run says for how long writers have to stop, and ends with the first comparison that finds nothing."""
    said: list[str] = []
    writing = Writing(there, 99)

    def say(line: str) -> None:
        said.append(line)
        if "Stop its writers" in line:
            writing._left = 0

    plan = there.plan(PRICE)
    apply_stages([Stage(plan)], there.admin, there.history, "me", data=Data(writing, say=say))
    (asked,) = [line for line in said if "Stop its writers for about 1 s" in line]
    assert "the last of 5 comparisons found 1 cell in 1 row" in asked
    assert there.cells("PRICE") == there.cells("QUOTE")
    assert there.history.copies()[0].ended is not None


def test_a_comparison_that_takes_long_asks_for_no_pause(there: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can stop writers for as long as a large table takes to read: the run names dual writes."""
    monkeypatch.setattr(copying, "LONGEST_PAUSE", 0.0)
    with pytest.raises(
        MigrationFailed, match=r"the last of 5 comparisons.*declare PRICE with moved_from='QUOTE'"
    ):
        there.apply(PRICE, rows=Writing(there, 99))


class Killed(Exception):
    """The end of a process, as far as this one can see it."""


class Dying(Writing):
    """A connection of a run that is killed at its second write of rows."""

    def __init__(self, there: Site) -> None:
        super().__init__(there, 0)
        self._writes = 0

    def write_many(self, table: str, mutations: Iterable[Mutation], permit: Any = None) -> int:
        self._writes += 1
        if self._writes == 2:
            raise Killed
        return super().write_many(table, mutations, permit)


def die_half_way(there: Site, wanted: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Apply ``wanted`` by a run that is killed when it has copied some of 30 rows."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 10)
    with pytest.raises(Killed):
        there.apply(wanted, rows=Dying(there))
    (record,) = there.history.copies()
    assert (record.ended, there.history.progress(record.step).rows) == (None, 10)


@pytest.mark.parametrize(
    ("wanted", "copy", "drop"),
    [
        (MARKET, "copy-family:QUOTE.market", "drop-family:QUOTE.MD"),
        (PRICE, "copy-table:PRICE", "drop-table:QUOTE"),
    ],
)
def test_a_copy_under_way_needs_nobody_to_declare_it(
    there: Site, monkeypatch: pytest.MonkeyPatch, wanted: Table, copy: str, drop: str
) -> None:
    """Where ``renamed_from=`` is left out before a killed copy has ended, the old one cannot be dropped, and the copy goes on."""
    before = there.cells("QUOTE")
    die_half_way(there, wanted, monkeypatch)
    plain = without_renaming(wanted)
    with pytest.raises(MigrationError, match="no change needs permission"):
        there.plan(plain, allow=[drop])
    assert [(one.name, one.summary.partition(";")[0]) for one in there.plan(plain).pending] == [
        (copy, "goes on to copy the cells of " + drop.partition(":")[2])
    ]
    there.apply(plain)
    assert names(there.apply(plain, allow=[drop])) == [drop]
    for key, cells in before.items():
        assert {cell[1:] for cell in there.cells(wanted.id)[key]} == {cell[1:] for cell in cells}
    assert (there.plan(plain).changes, there.history.copies()) == ((), ())


def test_a_copy_that_had_made_nothing_needs_nobody_to_declare_it(there: Site) -> None:
    """Likewise where the run was killed between the record of the copy and the call that makes the family."""
    (change,) = (one for one in there.plan(MARKET).changes if isinstance(one, CopyFamily))
    there.history.record_copy(change.renaming.recorded("me", datetime.now(UTC)))
    plain = without_renaming(MARKET)
    assert names(there.apply(plain)) == ["add-family:QUOTE.market", "copy-family:QUOTE.market"]
    assert names(there.apply(plain, allow=["drop-family:QUOTE.MD"])) == ["drop-family:QUOTE.MD"]
    assert {len(cells) for cells in there.cells("QUOTE").values()} == {2}


@pytest.mark.parametrize(
    ("second", "third", "olds"),
    [
        (MARKET, THIRD, ("family:QUOTE.market", "family:QUOTE.MD")),
        (PRICE, evolve(PRICE, id="LAST", renamed_from="PRICE"), ("table:PRICE", "table:QUOTE")),
    ],
)
def test_what_took_over_is_renamed_before_it_has_all(
    there: Site, monkeypatch: pytest.MonkeyPatch, second: Table, third: Table, olds: tuple[str, str]
) -> None:
    """It gets the cells that it lacks before it is copied in turn, so that none is missing from the last one; both old ones are compared."""
    before = {key: {cell[1:] for cell in cells} for key, cells in there.cells("QUOTE").items()}
    die_half_way(there, second, monkeypatch)
    with pytest.raises(MigrationError, match="no change needs permission"):
        there.plan(third, allow=[f"drop-{olds[1]}"])
    there.apply(third)
    for old in olds:
        assert names(there.apply(without_renaming(third), allow=[f"drop-{old}"])) == [f"drop-{old}"]
    after = {key: {cell[1:] for cell in cells} for key, cells in there.cells(third.id).items()}
    assert after == before
    assert (there.plan(third).changes, there.plan(third).drift, there.history.copies()) == ((), (), ())


def test_a_tighter_rule_is_named(there: Site) -> None:
    """Where the new family keeps less, the copy needs its name, and says what is lost; it is not missed then."""
    wanted = Table("QUOTE", (family("market", "MD", MaxVersions(1)),), layouts=MARKET.layouts)
    (copy,) = (one for one in there.plan(wanted).refused)
    assert (copy.name, copy.effect) == ("copy-family:QUOTE.market", Effect.DESTRUCTIVE)
    assert (
        copy.lost
        == "cells that are not copied: QUOTE.MD keeps everything, and QUOTE.market keeps newest 1 version"
    )
    there.apply(wanted, allow=["copy-family:QUOTE.market"])
    there.apply(wanted, allow=["drop-family:QUOTE.MD"])
    assert {max(in_family(cells, "market"))[2][-2:] for cells in there.cells("QUOTE").values()} == {b".2"}


def test_a_family_that_nothing_takes_over_is_named(there: Site) -> None:
    """A renamed table that declares no heir for a family leaves its cells behind: by name only."""
    wanted = Table("PRICE", (family("new"),), layouts=(lie(),), renamed_from="QUOTE")
    (copy,) = there.plan(wanted).refused
    assert copy.lost == "cells that are not copied: nothing takes over family MD"


@pytest.mark.parametrize(
    ("old", "wanted", "why"),
    [
        (
            Table("T", (Family("n", KEEP, Aggregate.SUM),)),
            Table("T", (Family("m", KEEP, Aggregate.SUM, "n"),)),
            "n aggregates",
        ),
        (
            QUOTE,
            evolve(PRICE, layouts=(lie("Text(width=6)", MD__BID="value Int64()"),)),
            r"the row key of Quote was {symbol: Text\(width=5\)}, and is {symbol: Text\(width=6\)}",
        ),
        (
            QUOTE,
            evolve(PRICE, layouts=(evolve(lie("Text(width=6)"), model="Price"),)),
            r"the row key of Price was {symbol: Text\(width=5\)}",
        ),
        (
            QUOTE,
            evolve(MARKET, layouts=(lie(market__BID="value Utf8()"),)),
            r"market:BID of Quote was value Int64\(\), and is value Utf8\(\)",
        ),
        (
            QUOTE,
            evolve(PRICE, layouts=(lie(MD__BID="value Utf8()"),)),
            r"MD:BID of Quote was value Int64\(\), and is value Utf8\(\)",
        ),
    ],
)
def test_what_bytes_cannot_bring_is_refused(old: Table, wanted: Table, why: str) -> None:
    """Aggregates, another key, another codec: impossible, with what to do."""
    (copy,) = (one for one in diff([wanted], [old]) if one.moves)
    assert copy.effect is Effect.IMPOSSIBLE
    assert "data step" in copy.details[-1]
    assert re.search(why, copy.details[0])


def test_a_codec_that_reads_both_is_copied() -> None:
    """With Either, the new family may be written in another way at once."""
    wanted = evolve(MARKET, layouts=(lie(market__BID="value Either(new=IntBytes(size=4), old=(Int64()))"),))
    (copy,) = (one for one in diff([wanted], [QUOTE]) if one.moves)
    assert copy.effect is Effect.SLOW


def test_what_is_live_already_is_not_overwritten_unasked(there: Site) -> None:
    """A new family that nobody copied, and that is there, may hold cells of the application: by name only."""
    there.admin.modify_families("QUOTE", create=MARKET.families)
    (copy,) = there.plan(MARKET).pending
    assert (copy.name, copy.effect) == ("copy-family:QUOTE.market", Effect.BLOCKED)
    assert names(there.apply(MARKET, allow=["copy-family:QUOTE.market"])) == ["copy-family:QUOTE.market"]


def test_what_takes_its_old_name_by_allowance_is_no_copy(there: Site) -> None:
    """What is declared under its old name again, by name, is written again: a later renaming copies again, by name, too."""
    there.apply(MARKET)
    there.apply(QUOTE, allow=["reuse-family:QUOTE.MD"])
    assert there.history.copies() == ()
    assert there.plan(MARKET).refused[0].name == "copy-family:QUOTE.market"
    there.apply(QUOTE, allow=["drop-family:QUOTE.market"])
    assert names(there.apply(MARKET)) == ["add-family:QUOTE.market", "copy-family:QUOTE.market"]


def test_what_was_dropped_by_hand_is_copied_anew(there: Site) -> None:
    """A copy whose new family is gone is none, and begins at the first row."""
    there.apply(MARKET)
    there.admin.modify_families("QUOTE", drop=["market"])
    assert names(there.apply(MARKET)) == ["add-family:QUOTE.market", "copy-family:QUOTE.market"]
    assert len([1 for cells in there.cells("QUOTE").values() if in_family(cells, "market")]) == 30


def test_where_the_old_one_is_not_live_nothing_is_renamed(server: Any, instance: str) -> None:
    """An empty instance gets the new names alone."""
    with site(instance, server.host) as found:
        assert names(found.apply(MARKET)) == ["create-table:QUOTE"]
        assert found.plan(MARKET).changes == ()


def test_a_deleted_row_is_told_apart(there: Site) -> None:
    """What the application deleted in the new place stops the drop, too, as not written since the copy."""
    there.apply(PRICE)
    there.rows.write_many("PRICE", [Mutation("PRICE", b"00007", (), deletes=(Delete(),))])
    with pytest.raises(
        MigrationFailed, match=r"2 cells in 1 row, .* lacks; .* with later timestamps: 0 cells"
    ):
        there.apply(PRICE, allow=["drop-table:QUOTE"])


def test_a_lost_lock_stops_the_copy(there: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who loses the lock while he writes a batch records no progress of it, and the copy is gone on with later."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 5)
    monkeypatch.setattr("btmodel.migrate.history.lock._CERTAIN", 0.0)
    taken = Writing(there, 0)
    write = taken.write_many

    def write_and_lose(table: str, mutations: Iterable[Mutation], permit: Any = None) -> int:
        lock = there.history.lock()
        there.history.swap_lock(lock, evolve(lock, id="another", owner="another"))
        return write(table, mutations)

    monkeypatch.setattr(taken, "write_many", write_and_lose)
    with pytest.raises(MigrationFailed, match="another run took the lock") as error:
        there.apply(PRICE, rows=taken)
    assert (error.value.done, error.value.undone) == (("create-table:PRICE",), ("copy-table:PRICE",))
    assert not there.history.progress("copy QUOTE to PRICE")
    there.history.swap_lock(there.history.lock(), None)
    there.apply(PRICE)
    assert there.cells("PRICE") == there.cells("QUOTE")


def test_a_copy_that_fails_again_does_not_say_that_nothing_is_done(
    there: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has copied is told in front; the list of what is done and not names whole changes."""
    die_half_way(there, MARKET, monkeypatch)
    dying = Dying(there)
    dying.write_many = lambda *_, **__: there.rows.write_many("nowhere", [Mutation("nowhere", b"k", [LATER])])  # type: ignore[method-assign]
    with pytest.raises(MigrationFailed) as error:
        there.apply(MARKET, rows=dying)
    assert str(error.value).endswith(
        "copy-family:QUOTE.market has come to row b'00009', after 10 rows, and goes on after that; not done: "
        "copy-family:QUOTE.market; run it again to continue"
    )


@pytest.mark.parametrize("wanted", [MARKET, PRICE])
def test_a_saved_plan_copies(there: Site, wanted: Table, tmp_path: Path) -> None:
    """A plan in a file copies, and later drops, what it said; it is refused where the old one has changed since."""
    save(there.plan(wanted), tmp_path / "plan.json")
    plan = load(tmp_path / "plan.json").read_again(there.admin, there.history)
    assert names(apply_stages([Stage(plan)], there.admin, there.history, "me", data=Data(there.rows)))[
        -1
    ].startswith("copy-")
    (drift,) = there.plan(wanted).drift
    save(there.plan(wanted, allow=[drift.requires or ""]), tmp_path / "drop.json")
    plan = load(tmp_path / "drop.json").read_again(there.admin, there.history)
    assert names(apply_stages([Stage(plan)], there.admin, there.history, "me", data=Data(there.rows))) == [
        drift.requires
    ]
    assert there.plan(wanted).drift == ()


@pytest.mark.parametrize("first", ["market", "MD"])
def test_what_was_renamed_twice_is_compared(there: Site, first: str) -> None:
    """Each of a chain of families is compared before its drop, with what took it over or with the last of them, in any order."""
    there.apply(MARKET)
    there.write("QUOTE", {b"00003": [LATER]})
    there.apply(THIRD)
    assert [one.name for one in there.plan(THIRD).drift] == [
        "renamed-family:QUOTE.MD",
        "renamed-family:QUOTE.market",
    ]
    if first == "market":
        there.apply(THIRD, allow=["drop-family:QUOTE.market"])
    with pytest.raises(MigrationFailed, match=r"QUOTE\.MD has 1 cell in 1 row, such as 00003"):
        there.apply(THIRD, allow=["drop-family:QUOTE.MD"])
    again = "copy-family:QUOTE.price" if first == "market" else "copy-family:QUOTE.market"
    there.apply(without_renaming(THIRD), allow=[again])
    there.apply(without_renaming(THIRD), allow=["drop-family:QUOTE.MD"])
    if first == "MD":
        with pytest.raises(MigrationFailed, match=r"QUOTE\.market has 1 cell in 1 row, such as 00003"):
            there.apply(THIRD, allow=["drop-family:QUOTE.market"])
        there.apply(THIRD, allow=["copy-family:QUOTE.price"])
        there.apply(THIRD, allow=["drop-family:QUOTE.market"])
    assert b"late" in {cell.value for cell in there.cells("QUOTE")[b"00003"]}
    plan = there.plan(THIRD)
    assert (plan.changes, plan.drift, there.history.copies()) == ((), (), ())
    assert there.history.layouts() == {"QUOTE": THIRD.layouts}


@pytest.mark.parametrize("first", ["PRICE", "QUOTE"])
def test_tables_that_were_renamed_twice_are_compared(there: Site, first: str) -> None:
    """Likewise of tables, one of which has renamed a family on the way."""
    second = evolve(PRICE, families=(family("market", "MD"),), layouts=(lie(market__BID="value Int64()"),))
    third = evolve(second, id="LAST", families=(family("market"),), renamed_from="PRICE")
    there.apply(second)
    there.write("QUOTE", {b"00003": [LATER]})
    there.apply(third)
    assert [one.name for one in there.plan(third).drift] == ["renamed-table:PRICE", "renamed-table:QUOTE"]
    if first == "PRICE":
        there.apply(third, allow=["drop-table:PRICE"])
    with pytest.raises(MigrationFailed, match="QUOTE has 1 cell in 1 row, such as 00003"):
        there.apply(third, allow=["drop-table:QUOTE"])
    if first == "PRICE":
        there.apply(third, allow=["copy-table:LAST"])
        there.apply(third, allow=["drop-table:QUOTE"])
        assert Cell("market", *LATER[1:]) in there.cells("LAST")[b"00003"]
        assert (there.plan(third).drift, there.history.copies()) == ((), ())


def test_a_table_and_a_family_of_one_name(there: Site) -> None:
    """The migration history knows both by that name: to rename one of them is refused, and all else is not."""
    other = Table("QUOTE.MD", (family("X"),))
    there.apply(QUOTE, other)
    for declared in ((MARKET, other), (QUOTE, evolve(other, id="Z", renamed_from="QUOTE.MD"))):
        with pytest.raises(
            MigrationError, match=r"'QUOTE\.MD' is a table, and a family of the table 'QUOTE' as well"
        ):
            there.plan(*declared)
    there.apply(QUOTE)
    assert [one.name for one in there.plan(QUOTE).drift] == ["undeclared-table:QUOTE.MD"]
    there.apply(QUOTE, allow=["drop-table:QUOTE.MD"])
    there.apply(MARKET)
    with pytest.raises(MigrationError, match=r"'QUOTE\.market' is a table, and a family"):
        there.plan(MARKET, Table("QUOTE.market", (family("X"),)))


def test_one_run_of_many_revisions_copies_once(there: Site, tmp_path: Path) -> None:
    """Where one revision renames and the next adds, the copy is in the plan of the first alone, and is made once."""
    more = (MARKET, Table("TRADE", (family("MD"),)))
    first = Revision("0001_market", "market", (), (MARKET,))
    second = Revision("0002_trade", "trade", (first.link,), more)
    graph = graph_of(tmp_path, [first, second])
    found = revision_stages(standing(graph, ()), there.admin, there.history)
    assert [[one.name for one in each.plan.pending] for each in found] == [
        ["add-family:QUOTE.market", "copy-family:QUOTE.market"],
        ["create-table:TRADE"],
    ]
    apply_stages(found, there.admin, there.history, "me", data=Data(there.rows))
    assert there.plan(*more).pending == ()
    assert there.history.copies()[0].ended is not None


def test_a_copy_needs_rows(there: Site) -> None:
    """What has no rows, or no migration history, refuses a plan that copies, with nothing applied; so does a program."""
    with pytest.raises(MigrationError, match="nothing was applied, because it copies cells"):
        apply(there.plan(PRICE), there.admin)
    with pytest.raises(MigrationError, match="PRICE copies the cells of QUOTE"):
        bring(there.admin, [PRICE])
    assert there.admin.table("PRICE") is None


def test_a_copy_is_told(there: Site) -> None:
    """The plan says that it is slow, and what stays."""
    (slow,) = (group for group in plan_text(there.plan(PRICE)).groups if group.effect is Effect.SLOW)
    (line,) = slow.lines
    assert (line.name, line.sign) == ("copy-table:PRICE", ">")
    assert (
        line.change.then
        == "deploy what reads and writes PRICE, then btmodel migrate --allow drop-table:QUOTE"
    )


def test_what_a_killed_copy_made_is_known(there: Site) -> None:
    """btmodel made the table itself, and knows how its rows are written: nothing is taken on trust."""
    there.history.record_copy(CopyRecord("QUOTE", "PRICE", "me", datetime.now(UTC), None, (("MD", "MD"),)))
    there.admin.create_table(evolve(PRICE, layouts=(), renamed_from=None))
    plan = there.plan(PRICE)
    assert "copy-table:PRICE" in [one.name for one in plan.pending]
    assert plan.notes == ()
