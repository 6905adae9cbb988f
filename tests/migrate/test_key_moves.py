"""A row key changes by revisions: written from the models, applied stage by stage, with a way back for each."""

import importlib
import json
import os
import random
import re
import shlex
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

import btmodel as bt
from btmodel import emulator
from btmodel.client.target import Target
from btmodel.declare import Fields, codec_of
from btmodel.migrate.history import Reached
from btmodel.repository import TwinRepository
from btmodel.rows import Cell, Delete, Mutation
from tests.forked_commands import Commands

HERE = Path(__file__).parent
QUOTE = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    exchange: str = bt.column("EXCHANGE", md)
    bid: int | None = bt.column("BID", md, default=None)
"""
LISTED = """
class Quote(bt.Model, table=bt.table("LISTED", moved_from="QUOTE")):
    "A quote."
    exchange: str = bt.key(bt.Text(max_length=4))
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("BID", md, default=None)
"""
COUNTS = """
class Counts(bt.Rollup, of=Quote, view="COUNTS"):
    "How many quotes an exchange has."
    exchange: str = bt.key(bt.Text(max_length=4), cardinality=9)
    quotes: int = bt.count()
    of_exchange = bt.query("exchange")
"""
BACKFILL = "deployed:0003_by_exchange_backfill"
SWITCH = "deployed:0004_by_exchange_switch"


@pytest.fixture
def quotes(project: Project, there: Site) -> Project:
    """A project with a revision that is applied, and three quotes; its model has another key by now."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write(
        "QUOTE",
        {
            key: [Cell("MD", b"BID", 5_000, (7).to_bytes(8)), Cell("MD", b"EXCHANGE", 5_000, exchange)]
            for key, exchange in ((b"A", b"XNYS"), (b"B", b"XNAS"), (b"C", b"XNYS"))
        },
    )
    project.declare(LISTED)
    return project


def dual(project: Project) -> ModuleType:
    """The module that writes both tables, as the application imports it."""
    sys.path.insert(0, str(project.folder))
    sys.modules.pop("dual", None)
    importlib.invalidate_caches()
    return importlib.import_module("dual")


def test_a_key_moves(quotes: Project, there: Site) -> None:
    """Each stage is a revision of its own, which waits for its deployment and says so."""
    told = quotes.done("new", "by exchange", "--dual-writes", "dual.py")
    assert "+ create-table:LISTED" in told
    assert "> move_quote  moves the rows of QUOTE to LISTED\n" in told
    assert "no column of Quote is required: where rows of QUOTE have none of its columns" in told
    assert 'such as the key field exchange with mirror="MD:EXCHANGE"' in told
    assert quotes.ids()[1:] == ["0002_by_exchange", "0003_by_exchange_backfill", "0004_by_exchange_switch"]
    assert quotes.done("new", "again") == "nothing to write: the models match 0004_by_exchange_switch\n"
    waits = (
        "0003_by_exchange_backfill waits for a deployment, which btmodel cannot see: the application writes QUOTE and "
        f"LISTED, the old table first. Once every process does that, and none of an earlier version is left, confirm it with --allow {BACKFILL}"
    )
    told = quotes.done("apply", "--yes")
    assert told.endswith(f"done create-table:LISTED\napplied 0002_by_exchange\n{waits}\n")
    assert quotes.refused("apply", "--yes") == waits
    assert f"confirm it with --allow {BACKFILL}" in quotes.run("status").output
    told = quotes.done("apply", "--yes", "--allow", BACKFILL)
    assert "moved 3 rows of QUOTE to LISTED\ncompared QUOTE with LISTED: 3 rows equal\n" in told
    assert "applied 0003_by_exchange_backfill\n0004_by_exchange_switch waits for a deployment" in told
    bid = Cell("MD", b"BID", 5_000, (7).to_bytes(8))
    assert there.cells("LISTED") == {b"XNAS#B": {bid}, b"XNYS#A": {bid}, b"XNYS#C": {bid}}
    told = quotes.done("apply", "--yes", "--allow", SWITCH)
    assert "compared QUOTE with LISTED: 3 rows equal\n" in told
    assert "let the application write LISTED alone; then --allow drop-table:QUOTE drops QUOTE\n" in told
    assert len(there.cells("QUOTE")) == 3
    quotes.done("apply", "--yes", "--allow", "drop-table:QUOTE")
    assert there.admin.table("QUOTE") is None
    assert quotes.run("verify").exit_code == 0


@pytest.mark.parametrize("server", ["local"], indirect=True)  # Google's emulator has no views
def test_a_table_with_a_view_moves_under_another_id_of_the_view(project: Project, there: Site) -> None:
    """Ids of views are of an instance, so both tables cannot have one; the old view goes with the old table."""
    project.declare(QUOTE + COUNTS)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    bid = Cell("MD", b"BID", 5_000, (7).to_bytes(8))
    there.write("QUOTE", {b"A": [bid, Cell("MD", b"EXCHANGE", 5_000, b"XNYS")]})
    project.declare(LISTED + COUNTS)
    assert (
        "the view 'COUNTS', which the old table has until it is dropped: expected another id, such as view=\"COUNTS_2\""
        in (project.refused("new", "by exchange"))
    )
    project.declare(LISTED + COUNTS.replace('view="COUNTS"', 'view="COUNTS_2"'))
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    views = [view.id for id in ("QUOTE", "LISTED") for view in there.admin.table(id).views]  # type: ignore[union-attr]
    assert views == ["COUNTS", "COUNTS_2"]
    project.done("apply", "--yes", "--allow", "drop-view:QUOTE.COUNTS", "--allow", "drop-table:QUOTE")
    assert there.admin.table("QUOTE") is None
    assert project.run("verify").exit_code == 0


def test_each_stage_has_a_way_back(quotes: Project, there: Site) -> None:
    """Until the old table is dropped, a rollback needs no copy: the old table has everything."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", BACKFILL)
    quotes.done("apply", "--yes", "--allow", SWITCH)
    before = there.cells("QUOTE")
    told = quotes.done("rollback", "--yes")  # what only compares has left nothing that could stay
    assert "rolled back 0004_by_exchange_switch\n" in told
    assert "what the data step move_quote of 0003_by_exchange_backfill wrote stays" in quotes.refused(
        "rollback", "--yes"
    )
    quotes.done("rollback", "--yes", "--allow", "data-step:move_quote")
    quotes.done("rollback", "--yes", "--allow", "drop-table:LISTED")
    assert there.admin.table("LISTED") is None
    assert there.cells("QUOTE") == before
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", BACKFILL)
    assert len(there.cells("LISTED")) == 3


def test_no_way_back_empties_the_only_copy(quotes: Project, there: Site) -> None:
    """Once the old table is dropped, a rollback would create it without its rows; and a comparison with that would remove all others."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", BACKFILL)
    quotes.done("apply", "--yes", "--allow", SWITCH)
    quotes.done("apply", "--yes", "--allow", "drop-table:QUOTE")
    refused = quotes.refused("rollback", "--yes")
    assert "QUOTE, which was dropped, would be created empty" in refused
    assert "undelete" in refused
    assert "use --allow empty-table:QUOTE if you mean that" in refused
    assert there.admin.table("QUOTE") is None
    quotes.done("rollback", "--yes", "--allow", "empty-table:QUOTE")
    assert len(there.cells("LISTED")) == 3
    for taken_back in ([], ["--allow", "take-back:compare_quote"]):
        refused = quotes.refused("apply", "--yes", "--allow", SWITCH, *taken_back)
        assert "'QUOTE' has no rows, and 'LISTED' has some, of which none was removed" in refused
        assert "take-back" not in refused
    quotes.done("rollback", "--yes", "--allow", "data-step:move_quote")
    told = "LISTED would be dropped, while QUOTE holds no row, so that it may have the only copy"
    assert told in quotes.refused("rollback", "--yes")
    assert len(there.cells("LISTED")) == 3


def bid(value: int, time: int) -> Cell:
    """A cell of a quote."""
    return Cell("MD", b"BID", time, value.to_bytes(8))


@pytest.fixture
def switched(quotes: Project) -> Project:
    """A project whose reads are switched; both tables have three quotes."""
    quotes.done("new", "by exchange", "--dual-writes", "dual.py")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        quotes.done("apply", "--yes", *allowed)
    return quotes


DROP = ("apply", "--yes", "--allow", "drop-table:QUOTE")
ELSE_DROP = "copy-and-drop-table:QUOTE to copy these cells first"
ABANDON = "abandon-table:QUOTE to drop QUOTE all the same"


def test_rows_move_to_a_table_of_their_own(project: Project, there: Site) -> None:
    """Into one that is there already, no move is written: nothing says so otherwise, and the old table would be dropped like any other."""
    project.declare(QUOTE, LISTED.replace("Quote", "Listed").replace(', moved_from="QUOTE"', ""))
    project.done("new", "both")
    project.done("apply", "--yes")
    project.declare(LISTED)
    refused = project.refused("new", "into it")
    assert "table 'LISTED': moved_from='QUOTE': expected a table that no revision has or had" in refused
    assert "`btmodel migrate new MESSAGE --data Quote`" in refused


def test_a_moved_table_is_compared_before_its_drop(switched: Project, there: Site) -> None:
    """What the application has written and replaced in the new table since is no difference; what it has written to the old one alone is."""
    there.write("LISTED", {b"XNYS#A": [bid(8, 9_000)], b"XNYS#Z": [bid(1, 9_000)]})
    collected = Delete("MD", b"BID", start=5_000, end=6_000)  # as garbage collection does below a newer cell
    there.rows.write_many("LISTED", [Mutation("LISTED", b"XNYS#A", deletes=(collected,))])
    there.write("QUOTE", {b"D": [bid(4, 1_000), Cell("MD", b"EXCHANGE", 1_000, b"XNAS")]})
    assert "run `btmodel migrate --allow drop-table:QUOTE` to compare both and drop the old one" in (
        switched.run("status").output
    )
    assert "moved-table:QUOTE" in switched.run("verify").output
    refused = switched.run(*DROP)
    assert "rows of QUOTE have 1 cell in 1 row, such as D MD:BID of" in str(refused.exception)
    assert "that LISTED lacks" in str(refused.exception)
    assert ELSE_DROP in str(refused.exception)
    assert ABANDON in str(refused.exception)
    assert there.admin.table("QUOTE") is not None
    told = switched.done("apply", "--yes", "--allow", "copy-and-drop-table:QUOTE")
    assert "compared QUOTE with LISTED: copied 1 cell in 1 row" in told
    assert (
        "left out 1 cell in 1 row, such as A MD:BID of 1970-01-01T00:00:00.005000Z: the GC rules of LISTED"
        in told
    )
    assert there.admin.table("QUOTE") is None
    assert there.cells("LISTED") == {
        b"XNAS#B": {bid(7, 5_000)},
        b"XNAS#D": {bid(4, 1_000)},
        b"XNYS#A": {bid(8, 9_000)},
        b"XNYS#C": {bid(7, 5_000)},
        b"XNYS#Z": {bid(1, 9_000)},
    }
    assert switched.run("verify").exit_code == 0


def test_nothing_is_copied_that_would_be_there_under_two_keys(switched: Project, there: Site) -> None:
    """A straggler has given row A another exchange, which is a part of the new key: the user says which of both is right."""
    there.write("QUOTE", {b"A": [Cell("MD", b"EXCHANGE", 8_000, b"XNAS")]})
    copies = ("apply", "--yes", "--allow", "copy-and-drop-table:QUOTE")
    refused = str(switched.run(*copies).exception)
    assert (
        "'LISTED' has 1 row under other keys than follow from 'QUOTE', such as b'XNYS#A', where row b'A'"
        in refused
    )
    assert sorted(there.cells("LISTED")) == [b"XNAS#B", b"XNYS#A", b"XNYS#C"]
    there.rows.write_many("LISTED", [Mutation("LISTED", b"XNYS#A", deletes=(Delete(),))])
    switched.done(*copies)
    assert sorted(there.cells("LISTED")) == [b"XNAS#A", b"XNAS#B", b"XNYS#C"]
    assert there.admin.table("QUOTE") is None


WIDER = LISTED.replace(
    'bt.column("BID", md, default=None)',
    'bt.column("BID", md, default=None, codec=bt.Either(bt.IntBytes(4), bt.Int64()))',
)


def test_a_moved_table_is_dropped_before_its_rows_are_rewritten(switched: Project, there: Site) -> None:
    """Rewritten cells are no copies any more: neither can they be compared, nor may what the old table has be added to them."""
    switched.declare(WIDER)
    switched.done("new", "narrow", "--rewrite", "Quote")
    rewrite = ("apply", "--yes", "--allow", "deployed:0005_narrow")
    why = "it rewrites cells of LISTED, which are compared with those of QUOTE before that is dropped"
    refused = switched.refused(*rewrite)
    assert why in refused
    assert "`btmodel migrate apply --to 0004_by_exchange_switch --allow drop-table:QUOTE`" in refused
    assert why in switched.run("plan").output
    assert why not in switched.done(
        "apply", "--yes", "--to", "0004_by_exchange_switch", "--allow", "drop-table:QUOTE"
    )
    switched.done(*rewrite)
    assert Cell("MD", b"BID", 5_000, (7).to_bytes(4)) in there.cells("LISTED")[b"XNAS#B"]


def test_a_moved_table_whose_new_rows_are_written_otherwise_is_not_compared(
    switched: Project, there: Site
) -> None:
    """As behind a promise that the user has made: the old rows would be added as they were."""
    switched.declare(
        LISTED.replace(
            'bt.column("BID", md, default=None)', 'bt.column("BID", md, default=None, codec=bt.DecimalText())'
        )
    )
    switched.done("new", "narrow")
    switched.done("apply", "--yes", "--allow", "change-codec:LISTED.MD:BID")
    for end in ("drop-table", "copy-and-drop-table"):
        error = switched.run("apply", "--yes", "--allow", f"{end}:QUOTE").exception
        assert "QUOTE cannot be compared with LISTED, whose MD:BID is written otherwise" in str(error)
    assert all(
        Cell("MD", b"BID", 5_000, (7).to_bytes(8)) in cells for cells in there.cells("LISTED").values()
    )
    switched.done("apply", "--yes", "--allow", "abandon-table:QUOTE")


THIRD = """
class Quote(bt.Model, table=bt.table("THIRD", moved_from="LISTED")):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=5))
    exchange: str = bt.key(bt.Text(max_length=4))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("BID", md, default=None)
"""


@pytest.fixture
def twice(switched: Project) -> Project:
    """The same, whose rows have moved on to a third table; the first and the second one are there still."""
    switched.declare(THIRD)
    switched.done("new", "third")
    for stage in ("0005_third", "0006_third_backfill", "0007_third_switch"):
        switched.done("apply", "--yes", *(["--allow", f"deployed:{stage}"] if stage != "0005_third" else []))
    return switched


def test_rows_that_move_twice_are_compared_from_table_to_table(twice: Project, there: Site) -> None:
    """The first table is compared with the second one, which is then compared with the third one."""
    there.write("QUOTE", {b"D": [bid(4, 1_000), Cell("MD", b"EXCHANGE", 1_000, b"XNAS")]})
    assert "that LISTED lacks" in str(twice.run(*DROP).exception)
    twice.done("apply", "--yes", "--allow", "copy-and-drop-table:QUOTE")
    error = str(twice.run("apply", "--yes", "--allow", "drop-table:LISTED").exception)
    assert "rows of LISTED have 1 cell in 1 row, such as XNAS#D" in error
    twice.done("apply", "--yes", "--allow", "copy-and-drop-table:LISTED")
    assert sorted(there.cells("THIRD")) == [b"A#XNYS", b"B#XNAS", b"C#XNYS", b"D#XNAS"]


def test_rows_do_not_move_back_to_the_table_that_they_came_from(switched: Project, there: Site) -> None:
    """That may be there still, with its rows as they were."""
    switched.declare(THIRD.replace('"THIRD"', '"QUOTE"'))
    refused = switched.refused("new", "back")
    assert "table 'QUOTE': moved_from='LISTED': expected a table that no revision has or had" in refused


def test_a_table_whose_successor_is_gone_is_not_compared(twice: Project, there: Site) -> None:
    """The user has to say that the old table goes unseen."""
    there.admin.delete_table("LISTED")
    error = str(twice.run(*DROP).exception)
    assert "QUOTE cannot be compared with LISTED, which is not there any more" in error
    assert there.admin.table("QUOTE") is not None
    twice.done("apply", "--yes", "--allow", "abandon-table:QUOTE")
    assert there.admin.table("QUOTE") is None


def test_what_was_deleted_since_a_move_is_the_users_to_judge(switched: Project, there: Site) -> None:
    """A row that is gone from the new table, and one that the old table got, look the same."""
    there.rows.write_many("LISTED", [Mutation("LISTED", b"XNYS#C", deletes=(Delete(),))])
    error = switched.run(*DROP).exception
    assert "with later timestamps: 0 cells" in str(error)
    assert ABANDON in str(error)
    switched.done("apply", "--yes", "--allow", "abandon-table:QUOTE")
    assert there.admin.table("QUOTE") is None
    assert sorted(there.cells("LISTED")) == [b"XNAS#B", b"XNYS#A"]


def test_the_drop_of_a_moved_table_asks_for_a_step_that_refuses_its_rows(
    switched: Project, there: Site
) -> None:
    """A row that cannot be moved is none that could be dropped unseen."""
    there.write("QUOTE", {b"D": [Cell("MD", b"BID", 1_000, b"torn")]})
    error = str(switched.run(*DROP).exception)
    assert "QUOTE cannot be compared with LISTED" in error
    assert "b'D'" in error
    assert there.admin.table("QUOTE") is not None


def test_a_table_that_a_model_still_writes_is_not_dropped(switched: Project, there: Site) -> None:
    """The module of dual writes declares it; without it, the drop goes through."""
    settings = switched.folder / "pyproject.toml"
    before = settings.read_text()
    settings.write_text(before.replace('models = ["', 'models = ["dual", "'))
    for command in (DROP, ("--yes", "--allow", "drop-table:QUOTE"), ("plan", "--allow", "drop-table:QUOTE")):
        assert "because dual.OldQuote still declares 'QUOTE', moved_to='LISTED'" in switched.refused(*command)
    assert there.admin.table("QUOTE") is not None
    settings.write_text(before.replace('models = ["', 'models = ["gone", "'))
    assert "not compared with the models: " in switched.done(*DROP)
    assert there.admin.table("QUOTE") is None


def test_a_deployment_is_confirmed_once(quotes: Project, there: Site) -> None:
    """A comparison that fails leaves no progress, but what was confirmed: the run is repeated as it was begun."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", BACKFILL)
    there.write("LISTED", {b"XNYS#Z": [bid(1, 9_000)]})
    assert "do not follow from 'QUOTE'" in str(quotes.run("apply", "--yes", "--allow", SWITCH).exception)
    assert "waits" not in quotes.run("status").output
    there.rows.write_many("LISTED", [Mutation("LISTED", b"XNYS#Z", deletes=(Delete(),))])
    quotes.done("apply", "--yes")
    quotes.done("rollback", "--yes")
    assert "waits for a deployment" in quotes.refused("apply", "--yes")


def test_what_cannot_be_told_from_the_models_has_to_be_filled_in(quotes: Project, there: Site) -> None:
    """A key field without an attribute of its name leaves the function to the user, and applies nothing before."""
    quotes.declare(
        LISTED.replace("    symbol", "    country: str = bt.key(bt.Text(max_length=2))\n    symbol")
    )
    told = quotes.done("new", "by exchange")
    assert "fill in country of Quote: OldQuote has no attribute of this name and type\n" in told
    quotes.done("apply", "--yes")
    error = quotes.refused("apply", "--yes", "--allow", BACKFILL)
    assert "nothing was applied, because the data step move_quote is still to be written" in error
    assert there.cells("LISTED") == {}


def test_the_code_of_a_move_may_be_edited_before_it_is_applied(quotes: Project, there: Site) -> None:
    """The revision on it stands on its tables: here the function leaves out a row. Once it is applied, it stays as it is."""
    quotes.done("new", "by exchange")
    code = quotes.migrations / "0003_by_exchange_backfill.py"
    begin, function = code.read_text().rsplit("    return NewQuote", 1)
    code.write_text(f"{begin}    if row.symbol == 'A':\n        return None\n    return NewQuote{function}")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_by_exchange_backfill")
    assert len(there.cells("LISTED")) == 2
    code.write_text(f"{code.read_text()}\nMORE = 1\n")
    switch = ("--allow", "deployed:0004_by_exchange_switch")
    assert "it was edited since it was applied" in quotes.refused("apply", "--yes", *switch)


def test_a_move_that_was_edited_half_way_says_how_its_earlier_rows_go(quotes: Project, there: Site) -> None:
    """The comparison names the rows that the earlier code wrote under other keys, as if a writer did it."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    step = "0003_by_exchange_backfill/move_quote"
    there.history.record_progress(step, Reached(b"A", 1, "other code", written=1))
    there.write("LISTED", {b"XXXX#A": [*there.cells("QUOTE")[b"A"], Cell("MD", b"SYMBOL", 5_000, b"A")]})
    refused = quotes.refused("apply", "--yes", "--allow", BACKFILL)
    assert "move_quote was edited since it came to row b'A'" in refused
    assert "--allow take-back:move_quote deletes it" in refused
    resumed = ("apply", "--yes", "--allow", BACKFILL, "--allow", "restart-step:move_quote")
    assert "unless these are what it wrote before and should not" in quotes.refused(*resumed)
    quotes.done(*resumed, "--allow", "take-back:move_quote")
    assert sorted(there.cells("LISTED")) == [b"XNAS#B", b"XNYS#A", b"XNYS#C"]


def test_a_move_that_would_lose_the_old_key_is_not_written(quotes: Project) -> None:
    """A key field that is dropped has to become a column."""
    quotes.declare(LISTED.replace("    symbol: str = bt.key(bt.Text(max_length=5))\n", ""))
    assert "rows of Quote do not hold symbol of the key of OldQuote" in quotes.refused("new", "by exchange")
    assert quotes.ids() == ["0001_quotes"]


EVENTS = """
from datetime import date, datetime
class Readings(bt.Model, table={table}, bucket="{bucket}", events="72/day"):
    "Readings of a station."
    {first}station: str = bt.key(bt.Text(width=3), cardinality=3)
    at: {type} = bt.key({codec})
    w = bt.family("w", gc=bt.keep_all())
    {column}
"""
DAYS = {"bucket": "day", "type": "date", "codec": "bt.DateText()"}
HOURS = {"bucket": "hour", "type": "datetime", "codec": 'bt.TimeText("%Y%m%d%H")'}
SALTED = {**DAYS, "first": 'salt = bt.salt("station", buckets=4)\n    '}
HISTORY = 'heat: bt.History[float] = bt.history("heat", w)'
SLOTS = 'heat: bt.Slots[float] = bt.slots(w, every="15min", qualifier="{}")'


def events(parts: dict[str, str], column: str, table: str = '"READ"') -> str:
    """A model of a bucket."""
    column = column.format("%M" if parts["bucket"] == "hour" else "%H%M")
    return EVENTS.format(**{"first": ""} | parts, table=table, column=column)


@pytest.mark.parametrize("column", [HISTORY, SLOTS])
def test_rows_of_a_bucket_move_and_another_bucket_is_refused(
    project: Project, there: Site, column: str
) -> None:
    """The old bucket is what the key and the slots of the record say: the same one moves with its events."""
    project.declare(events(DAYS, column))
    project.done("new", "days")
    project.done("apply", "--yes")
    qualifier = b"heat" if column is HISTORY else b"0015"
    time = int(datetime(2020, 1, 2, 0, 15, tzinfo=UTC).timestamp()) * 1_000_000
    cells = [Cell("w", qualifier, time, b"\x3f\xf0" + bytes(6))]
    there.write("READ", {b"JFK#20200102": cells})
    project.declare(events(HOURS, column, 'bt.table("NEW", moved_from="READ")'))
    said = "a row of OldReadings holds the events of a day, and one of Readings the events of an hour"
    assert said in project.refused("new", "by hour")
    project.declare(events(SALTED, column, 'bt.table("NEW", moved_from="READ")'))
    project.done("new", "salted")
    project.done("apply", "--yes", "--allow", "deployed:0003_salted_backfill")
    (moved,) = (there.cells("NEW")[key] for key in there.cells("NEW"))
    assert moved == set(cells)


ORDERS = """
from enum import Enum
class Side(Enum):
    "Sides."
    BUY = "B"
    {more}
class Order(bt.Model, table={table}):
    "Orders."
    side: Side = bt.key(bt.EnumText(Side))
    {key}
    w = bt.family("w", gc=bt.keep_all())
    other: Side = bt.column("other", w)
"""
ORDER = {"table": '"ORDER"', "key": "n: int = bt.key(bt.PaddedInt(4))"}
MOVED = {"table": 'bt.table("MOVED", moved_from="ORDER")', "key": "n: int = bt.key(bt.Int(9))"}


def test_an_enum_may_have_got_members(project: Project, there: Site) -> None:
    """Code cannot name the recorded enum; the declared one reads all of its members."""
    project.declare(ORDERS.format(**ORDER, more='SELL = "S"'))
    project.done("new", "orders")
    project.done("apply", "--yes")
    there.write("ORDER", {b"S#0007": [Cell("w", b"other", 5_000, b"B")]})
    project.declare(ORDERS.format(**ORDER, more='SELL, SWAP = "S", "X"'))
    project.done("new", "stub", "--data", "Order")
    assert "bt.EnumText(Side)" in (project.migrations / "0002_stub.py").read_text()
    for file in project.migrations.glob("0002*"):
        file.unlink()
    project.declare(ORDERS.format(**MOVED, more='SWAP = "X"'))
    gone = "key field side was recorded as EnumText(enum=Side(BUY='B', SELL='S')), which cannot be written without its class"
    assert gone in project.refused("new", "moved")
    project.declare(ORDERS.format(**MOVED, more='SELL, SWAP = "S", "X"'))
    project.done("new", "moved")
    project.done("apply", "--yes", "--allow", "deployed:0003_moved_backfill")
    assert there.cells("MOVED") == {b"S#7": {Cell("w", b"other", 5_000, b"B")}}


def test_a_key_field_keeps_its_type(project: Project) -> None:
    """Before, a run refused each row, as its new key did not hold the old one."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.declare(
        LISTED.replace("symbol: str = bt.key(bt.Text(max_length=5))", "symbol: int = bt.key(bt.PaddedInt(5))")
    )
    said = "symbol is str in the key of OldQuote, and int in Quote, but a new row must hold the old key as it is: give the new attribute"
    assert said in project.refused("new", "by number")


def test_without_revisions_a_move_says_what_it_takes(project: Project, there: Site) -> None:
    """A plain migration has no stages, so it applies nothing."""
    project.declare(QUOTE)
    project.done("--yes")
    project.declare(LISTED)
    assert "the rows of 'QUOTE' move to 'LISTED', which takes several stages" in project.refused("--yes")


class Writers:
    """Threads that write rows through the twins of the application, each its own rows, until they are told to stop."""

    def __init__(self, module: ModuleType, db: bt.Database, rows: int, threads: int) -> None:
        self.module, self.twins = module, TwinRepository(db, module.QUOTE_MOVE)
        self.stop = threading.Event()
        self.wrote = self.deleted = 0
        self.errors: list[BaseException] = []
        parts = [range(number, rows, threads) for number in range(threads)]
        self.threads = [threading.Thread(target=self.write, args=(part,)) for part in parts]

    def write(self, symbols: range) -> None:
        chosen = random.Random(symbols.start)
        try:
            while not self.stop.wait(0.001):  # the runs get the processor
                symbol = f"{chosen.choice(symbols):05}"
                if chosen.random() < 0.4:
                    self.twins._delete_key({"symbol": symbol})
                    self.deleted += 1
                    if chosen.random() < 0.5:
                        continue
                exchange = chosen.choice(["XNYS", "XNAS"])
                bid = chosen.choice([None, chosen.randrange(1_000)])
                row = self.module.OldQuote(symbol=symbol, exchange=exchange, bid=bid or 0)
                self.twins._replace(row)
                self.wrote += 1
        except BaseException as error:  # shown by the test
            self.errors.append(error)

    def __enter__(self) -> "Writers":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        for thread in self.threads:
            thread.join()


def expected(module: ModuleType, there: Site) -> dict[bytes, set[Cell]]:
    """What the new table has to hold: the row that the function makes of each old row, at its time."""
    found = {}
    old, new = codec_of(module.OldQuote), codec_of(module.Quote)
    for key, cells in there.rows.cells("QUOTE"):
        made = new.encode(Fields(module.moved_quote(old.decode(key, cells))), cells[0].timestamp)
        found[made.key] = set(made.cells)
    return found


def newest(there: Site, table: str) -> dict[bytes, set[Cell]]:
    """The newest cell of each column."""
    return {
        key: set({cell[:2]: cell for cell in sorted(cells, key=lambda cell: cell.timestamp)}.values())
        for key, cells in there.rows.cells(table)
    }


@pytest.mark.slow
def test_rows_move_under_writers_that_never_stop_and_runs_that_are_killed(
    quotes: Project, there: Site, server: emulator.Emulator, commands: Commands
) -> None:
    """Nothing is lost, nothing comes back, and nothing is there twice, wherever a run is killed and whatever is written."""
    rows = 2_000
    quotes.done("new", "by exchange", "--dual-writes", "dual.py")
    quotes.done("apply", "--yes")
    there.write(
        "QUOTE",
        {
            b"%05d" % row: [
                Cell("MD", b"BID", 5_000, (7).to_bytes(8)),
                Cell("MD", b"EXCHANGE", 5_000, b"XNYS"),
            ]
            for row in range(rows)
        },
    )
    module = dual(quotes)
    with (
        bt.Database(Target(quotes.instance, server.host, lambda: None)) as db,
        Writers(module, db, rows, 4) as writers,
    ):
        arguments = [quotes.instance, "16", "3", BACKFILL]
        environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1])}
        run = commands.program(HERE / "killed_key_moves.py", arguments, quotes.folder, environment)
        assert run.returncode == 0, run.stderr[-3_000:]
    assert not writers.errors
    runs = [json.loads(line) for line in run.stdout.splitlines()]
    assert runs[-1]["code"] == 0, run.stderr[-3_000:]
    print(len(runs), "runs", writers.wrote, writers.deleted, run.stderr[-600:])
    assert len(runs) > 8
    assert min(writers.wrote, writers.deleted) > 100
    assert newest(there, "LISTED") == expected(module, there)
    told = quotes.done("apply", "--yes", "--allow", SWITCH)
    assert " rows equal\n" in told


PAGE = (HERE.parents[1] / "docs" / "migrations.md").read_text()


def test_the_page_can_be_followed_to_the_letter(project: Project, there: Site) -> None:
    """The models and commands of the section, in its order; a row is written and deleted by the twins on the way."""
    section = PAGE.partition("## Changing a row key\n")[2].partition("\n## ")[0]
    old, new = re.findall(r"```python\n# app/models.py.*?\n(.*?)```", section, re.DOTALL)
    commands = re.findall(
        r"^btmodel migrate (.*)$", "".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL)), re.M
    )
    (project.folder / "app").mkdir()
    (project.folder / "app" / "__init__.py").touch()
    project.declare(old)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    cells = [Cell("MD", b"BID", 5_000, (7).to_bytes(8)), Cell("MD", b"EXCHANGE", 5_000, b"XNYS")]
    there.write("QUOTE", {b"A": cells, b"B": cells})
    project.declare(new)
    for number, command in enumerate(commands):
        project.done(*shlex.split(command))
        if number == 1:
            module = ModuleType("quote_move")
            exec((project.folder / "app" / "quote_move.py").read_text(), vars(module))
            twins = TwinRepository(there.rows, module.QUOTE_MOVE)
            twins._replace(module.OldQuote(symbol="C", exchange="XNAS", bid=1))
            twins._delete_key({"symbol": "B"})
    assert len(commands) == 5
    assert there.admin.table("QUOTE") is None
    assert sorted(there.cells("LISTED")) == [b"XNAS#C", b"XNYS#A"]
    assert all(f"`{id}`" in section for id in project.ids()[1:])


DAILY = """
class Reading(bt.Model, table="READING"):
    "What a sensor measured, below a salt."
    shard = bt.salt("sensor", buckets=3)
    sensor: str = bt.key(bt.Text(max_length=8), mirror="m:SENSOR")
    at: datetime = bt.key(bt.EpochSeconds())
    m = bt.family("m", gc=bt.max_versions(2))
    t = bt.family("t", gc=bt.max_versions(1))
    kind: Kind = bt.column("k", m)
    celsius: int | None = bt.column("c", m, default=None)
    tags: set[str] = bt.members(t, bt.Text(max_length=9))
    log: bt.History[str] = bt.history("log", m)
"""
# Another number of salts, another codec of a key field, another codec and qualifier of a column, and another family.
CHANGED = (
    DAILY.replace('"READING"', 'bt.table("READING_2", moved_from="READING")')
    .replace("buckets=3", "buckets=16")
    .replace("EpochSeconds", "EpochMillis")
    .replace(
        'celsius: int | None = bt.column("c", m,',
        'celsius: int | None = bt.column("C", m, codec=bt.DecimalText(), also="c",',
    )
    .replace('bt.family("t", ', 'bt.family("tags", renamed_from="t", ')
)
HEAD = """
from datetime import datetime
from enum import Enum
class Kind(Enum):
    INSIDE = "i"
    OUTSIDE = "o"
"""


def test_salts_codecs_qualifiers_and_families_change_on_the_same_way(project: Project, there: Site) -> None:
    """Every value is there under its new key, with its times, all versions and entries of it."""
    project.declare(HEAD, DAILY)
    project.done("new", "readings")
    project.done("apply", "--yes")
    names: dict[str, Any] = {"__name__": "before"}
    exec("import btmodel as bt\n" + HEAD + DAILY, names)
    old = names["Reading"]
    at = datetime(2026, 1, 1, tzinfo=UTC)
    rows = [
        old(
            sensor=f"s{number}",
            at=at + timedelta(seconds=number),
            kind=names["Kind"].INSIDE,
            celsius=-number or None,
            tags={f"t{number}", "all"},
            log={at: "began", at + timedelta(seconds=1): "ended"},
        )
        for number in range(50)
    ]
    for time in (1_000_000, 2_000_000):
        there.rows.write_many("READING", [codec_of(old).encode(Fields(row), time) for row in rows])
    project.declare(HEAD, CHANGED)
    told = project.done("new", "more salts", "--dual-writes", "readings.py")
    assert "fill in" not in told
    assert 'shard = bt.salt("sensor", buckets=3)' in (project.folder / "readings.py").read_text()
    project.done("apply", "--yes")
    told = project.done("apply", "--yes", "--allow", "deployed:0003_more_salts_backfill")
    assert "compared READING with READING_2: 50 rows equal" in told
    exec("import btmodel as bt\n" + HEAD + CHANGED, names)
    new = codec_of(names["Reading"])
    there_now = there.rows.cells("READING_2")
    found = sorted((new.decode(key, cells) for key, cells in there_now), key=lambda row: row.at)
    assert [(row.sensor, row.at, row.celsius, row.tags, dict(row.log)) for row in found] == [
        (row.sensor, row.at, row.celsius, row.tags, dict(row.log)) for row in rows
    ]
    assert {row.kind.value for row in found} == {"i"}
    cells = dict(there.rows.cells("READING_2"))
    celsius = [cell for cell in cells[new.keys.of_row(found[7])] if cell.qualifier == b"C"]
    assert celsius == [Cell("m", b"C", time, b"-7") for time in (2_000_000, 1_000_000)]


def test_a_table_and_a_family_get_other_names_on_the_same_way(quotes: Project, there: Site) -> None:
    """Where writers never stop, a renaming is a move whose key stays."""
    market = QUOTE.replace('"QUOTE"', 'bt.table("PRICE", moved_from="QUOTE")')
    quotes.declare(market.replace('bt.family("MD",', 'bt.family("market", renamed_from="MD",'))
    quotes.done("new", "prices", "--dual-writes", "prices.py")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_prices_backfill")
    before = there.cells("QUOTE")
    assert there.cells("PRICE") == {
        key: {cell._replace(family="market") for cell in cells} for key, cells in before.items()
    }


STAMPED = """
class Event(bt.Model, table="EVENT"):
    "An event at the time of its cells."
    id: str = bt.key(bt.Text(max_length=9))
    at: datetime = bt.timestamp()
    f = bt.family("f", gc=bt.max_versions(1))
    what: str = bt.column("w", f)
"""


def test_times_of_the_application_come_along(project: Project, there: Site) -> None:
    """A model whose timestamps are its own is typed in with them, and its dual writes state them."""
    head = "from datetime import datetime\n"
    project.declare(head, STAMPED)
    project.done("new", "events")
    project.done("apply", "--yes")
    there.write("EVENT", {b"a": [Cell("f", b"w", 5_000_000, b"x")]})
    keyed = STAMPED.replace('"EVENT"', 'bt.table("EVENTS", moved_from="EVENT")')
    project.declare(head, keyed.replace("bt.Text(max_length=9)", "bt.Text(width=9)"))
    project.done("new", "fixed", "--dual-writes", "events.py")
    assert "    at: datetime = bt.timestamp()\n" in (project.folder / "events.py").read_text()
    project.done("apply", "--yes")
    project.done("apply", "--yes", "--allow", "deployed:0003_fixed_backfill")
    assert there.cells("EVENTS") == {b"a        ": {Cell("f", b"w", 5_000_000, b"x")}}
