"""Tables in folders of Parquet, and exact cells in files: what was exported comes back, and what was interrupted is not there."""

import base64
import hashlib
import inspect
import json
import os
import pickle
import re
import signal
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from test_row_commands import Command, commands, lines

import btmodel as bt
from btmodel.cli.row_files.cells_origin import CellsOrigin
from btmodel.client.admin import Admin
from btmodel.declare import schema_of
from btmodel.rows import Cell, Delete, Mutation
from btmodel.schema.layout import layout_of
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes
from tests.forked_commands import Commands

ROOT = Path(__file__).parents[2]
MONTH = timedelta(days=31)


@pytest.fixture
def instance(migrated: Callable[..., str]) -> str:
    """An instance with quotes of three months."""
    found = migrated(Quote)
    rows = [
        bt.replace(row, quote_time=row.quote_time + MONTH * (at % 3))
        for at, row in enumerate(made_up_quotes(300))
    ]
    with bt.connect(found) as db:
        QuoteRepository(db).put_many(rows)
    return found


@pytest.fixture
def run(instance: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Runs ``btmodel`` on it, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return commands(monkeypatch, "examples.market", instance)


def digest(instance: str) -> str:
    """A hash of every cell."""
    found = hashlib.sha256()
    with bt.connect(instance) as db:
        for key, cells in db.cells("QUOTE"):
            found.update(pickle.dumps([key, *map(tuple, cells)]))
    return found.hexdigest()


def emptied(instance: str) -> None:
    """No row is left."""
    with bt.connect(instance) as db:
        db.write_many(
            "QUOTE", (Mutation("QUOTE", key, deletes=(Delete(),)) for key, _ in list(db.cells("QUOTE")))
        )


def rows_of(instance: str) -> list[Any]:
    """All rows."""
    with bt.connect(instance) as db:
        return list(QuoteRepository(db).by_symbol(["NYSE", "NASDAQ"], ["IBM", "ZXZZT"]))


@pytest.mark.parametrize(
    ("partition", "folders"),
    [
        ("exchange", ["exchange=NASDAQ", "exchange=NYSE"]),
        ("quote_time:month", ["month=2015-03", "month=2015-04", "month=2015-05"]),
        ("quote_time:year", ["year=2015"]),
    ],
)
def test_a_folder_holds_each_row_once_and_is_put_back(
    run: Command, instance: str, partition: str, folders: list[str]
) -> None:
    """By a field or a unit of a time; other tools read it as a data set."""
    rows = rows_of(instance)
    done = run("rows", "Quote", "--out", "quotes", "--partition", partition)
    assert done.stdout == "wrote quotes: 300 rows\n"
    assert sorted(os.listdir("quotes")) == folders
    table = ds.dataset("quotes", format="parquet").to_table()
    assert table.num_rows == 300
    for folder in folders:
        name, _, value = folder.partition("=")
        of_folder = ds.dataset(f"quotes/{folder}", format="parquet").to_table()
        if name == "exchange":
            assert set(of_folder.column(name).to_pylist()) == {value}
        else:
            assert {str(one).startswith(value) for one in of_folder.column("quote_time").to_pylist()} == {
                True
            }
    emptied(instance)
    assert run("put", "Quote", "quotes").stdout == "300 rows written\n"
    assert rows_of(instance) == rows
    refused = run("rows", "Quote", "--out", "quotes", "--partition", partition)
    assert "quotes exists: name another folder, or use --force" in str(refused.exception)
    assert (
        run(
            "rows", "Quote", "exchange=NYSE", "--out", "quotes", "--partition", partition, "--force"
        ).exit_code
        == 0
    )
    assert ds.dataset("quotes", format="parquet").to_table().num_rows == 150
    assert os.listdir() == ["quotes"]
    Path("quotes/mine").touch()
    refused = run("rows", "Quote", "--out", "quotes", "--partition", partition, "--force")
    assert "quotes holds mine, which --force would delete: name another folder" in str(refused.exception)
    assert Path("quotes/mine").exists()


def test_values_in_names_of_folders_are_written_as_in_addresses(run: Command, instance: str) -> None:
    """Whatever they hold."""
    with bt.connect(instance) as db:
        QuoteRepository(db).put(bt.replace(rows_of(instance)[0], exchange="../x", symbol="a=b"))
    assert run("rows", "Quote", "--out", "quotes", "--partition", "exchange").exit_code == 0
    assert "exchange=..%2Fx" in os.listdir("quotes")
    assert os.listdir() == ["quotes"]


class Note(bt.Model, table="NOTE", events="1/day"):
    """Notes by a title, which may be long, or empty."""

    title: str = bt.key(bt.EscapedText(max_length=500))
    number: int = bt.key(bt.PaddedInt(3))
    f = bt.family("f", gc=bt.max_versions(1))
    text: str | None = bt.column("t", f, default=None)


def test_a_value_that_is_too_long_for_a_folder_is_refused(
    instance: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With its field and some of it, and nothing is left behind; an empty one is in the folder of those without a value."""
    bt.create_tables(instance, Note)
    monkeypatch.chdir(tmp_path)
    run = commands(monkeypatch, __name__, instance)
    given = [{"title": "", "number": 1, "text": "t"}, {"title": "a", "number": 2, "text": "t"}]
    done = run("put", "Note", input="".join(json.dumps(one) + "\n" for one in given))
    assert done.exit_code == 0, done.output
    assert run("rows", "Note", "--out", "notes", "--partition", "title").exit_code == 0
    assert sorted(os.listdir("notes")) == ["title=__HIVE_DEFAULT_PARTITION__", "title=a"]
    hive = ds.dataset("notes", format="parquet", partitioning="hive").to_table().to_pylist()
    assert sorted((one["title"], one["number"]) for one in hive if one["title"]) == [("a", 2)]
    run("delete", "Note", "--all", "--yes")
    assert run("put", "Note", "notes").stdout == "2 rows written\n"
    assert [(one["title"], one["number"]) for one in lines(run("rows", "Note", "--json"))] == [
        ("", 1),
        ("a", 2),
    ]
    long = "x" * 200 + "ä" * 20
    run("put", "Note", input=json.dumps({"title": long, "number": 3, "text": "t"}) + "\n")
    done = run("rows", "Note", "--out", "long", "--partition", "title")
    assert isinstance(done.exception, bt.SettingsError)
    said = str(done.exception)
    assert said.startswith("--partition: title: expected values that fit into the name of a folder, got 'xxx")
    assert len(said) < 200
    assert os.listdir() == ["notes"]


def test_a_folder_may_have_a_name_that_is_no_text(run: Command) -> None:
    """As a file may: Arrow itself takes no such name."""
    name = os.fsdecode(b"\xff")
    for arguments in (["--out", name, "--partition", "exchange"], ["--out", f"{name}.parquet"]):
        assert run("rows", "Quote", *arguments).exit_code == 0
    assert run("put", "Quote", name).stdout == "300 rows written\n"


def test_more_partitions_than_files_may_be_open(
    run: Command, instance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are closed and continued in others."""
    monkeypatch.setattr("btmodel.cli.row_files.partitions._OPEN", 2)
    monkeypatch.setattr("btmodel.repository._sync.rows.BATCH", 7)
    rows = rows_of(instance)
    assert run("rows", "Quote", "--out", "quotes", "--partition", "quote_time:month").exit_code == 0
    emptied(instance)
    run("put", "Quote", "quotes")
    assert rows_of(instance) == rows


def test_cells_come_back_byte_for_byte(run: Command, instance: str) -> None:
    """Old versions, cells that no model knows and keys that no model has among them."""
    with bt.connect(instance) as db:
        cells = [Cell("MD", b"BID", 1_000 * at, b"%d" % at) for at in range(9)] + [
            Cell("MD", b"\xff", 0, b"")
        ]
        db.write(Mutation("QUOTE", b"foreign \0 key", cells))
    before = digest(instance)
    done = run("rows", "Quote", "--cells", "--out", "backup.parquet")
    assert done.stdout == f"wrote backup.parquet: {pq.read_table('backup.parquet').num_rows:,} cells\n"
    emptied(instance)
    assert run("put", "Quote", "backup.parquet", "--cells").stdout == "301 rows written\n"
    assert digest(instance) == before
    assert run("put", "Quote", "backup.parquet", "--cells").exit_code == 0
    assert digest(instance) == before
    assert run("rows", "Quote", "exchange=NONE", "--cells", "--out", "none.parquet").stdout.endswith(
        ": 0 cells\n"
    )
    assert run("put", "Quote", "none.parquet", "--cells").stdout == "0 rows written\n"


def other_model(**changes: Any) -> type[bt.Model]:
    """A model of quotes that is declared in another way."""
    table, exchange, bid = (changes.get(name) for name in ("table", "exchange", "bid"))
    gc = bt.max_versions(1)
    body = {
        "__module__": __name__,
        "__doc__": "Quotes, otherwise.",
        "__annotations__": {"exchange": str, "symbol": str, "bid": int | None},
        "exchange": bt.key(exchange or bt.Text(width=6), cardinality=20),
        "symbol": bt.key(bt.Text(width=5), cardinality=8_000),
        "md": bt.family("MD", gc=gc),
        "bid": bt.column("BID", bt.family("MD", gc=gc), codec=bid, default=None),
    }
    return type(bt.Model)("Quote", (bt.Model,), body, table=table or "QUOTE", events="1/day")


class OtherQuote(bt.Model, table="OTHER_QUOTE", events="1/day"):
    """Rows of another table."""

    name: str = bt.key(bt.Text(max_length=20))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: str | None = bt.column("BID", md, default=None)


class OtherOfQuotes(bt.Model, table="QUOTE", existing=True):
    """Other rows of the table of quotes."""

    name: str = bt.key(bt.Text(max_length=20))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: str | None = bt.column("BID", md, default=None)


def test_a_backup_of_another_table_is_refused(
    run: Command, instance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is written, unless a flag says that it is meant."""
    assert run("rows", "Quote", "--cells", "--out", "backup.parquet").exit_code == 0
    bt.create_tables(instance, OtherQuote)
    other = commands(monkeypatch, __name__, instance)
    done = other("put", "OtherQuote", "backup.parquet", "--cells")
    assert (done.exit_code, done.stdout) == (1, "")
    assert (
        str(done.exception)
        == "backup.parquet: expected a backup of table OTHER_QUOTE, got one of table QUOTE: --any-table writes it all the same"
    )
    with bt.connect(instance) as db:
        assert list(db.cells("OTHER_QUOTE")) == []
    assert other("put", "OtherOfQuotes", "backup.parquet", "--cells").stdout == "300 rows written\n"
    done = other("put", "OtherQuote", "backup.parquet", "--cells", "--any-table")
    assert (done.exit_code, done.stdout) == (0, "300 rows written\n")
    pq.write_table(pq.read_table("backup.parquet").replace_schema_metadata(), "unnamed.parquet")
    assert other("put", "OtherQuote", "unnamed.parquet", "--cells").stdout == "300 rows written\n"
    assert "--any-table: expected --cells" in str(
        other("put", "OtherQuote", "x.parquet", "--any-table").exception
    )


def test_a_backup_of_a_model_that_is_called_otherwise_by_now_is_read_by_the_given_one(
    run: Command, instance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No declared model has the name that the file gives, so it was renamed: with another key, nobody would find its rows."""
    assert run("rows", "Quote", "--cells", "--out", "backup.parquet").exit_code == 0
    declared = inspect.getsource(OtherOfQuotes).replace("OtherOfQuotes", "Listed")
    Path("renamed_quotes.py").write_text(f"import btmodel as bt\n\n{declared}")
    monkeypatch.syspath_prepend(".")
    other = commands(monkeypatch, "renamed_quotes", instance)
    done = other("put", "Listed", "backup.parquet", "--cells")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "with the keys {name: Text(max_length=20)}, got one with the keys {exchange: " in str(
        done.exception
    )
    assert other("put", "Listed", "backup.parquet", "--cells", "--any-table").stdout == "300 rows written\n"


def test_a_backup_of_another_model_of_the_table_is_held_against_that_one(tmp_path: Path) -> None:
    """Whichever model of the table it is put with: what that one wrote with another key is refused, and what it still reads is taken."""
    of_now, given = origin(other_model()), origin(OtherOfQuotes)
    of_now.check(tmp_path, given, {"Quote": of_now.layout})
    with pytest.raises(bt.SettingsError, match=r"keys \{exchange: Text\(width=6\)\}.*got one.*width=7"):
        origin(other_model(exchange=bt.Text(width=7))).check(tmp_path, given, {"Quote": of_now.layout})


def origin(model: type[bt.Model]) -> CellsOrigin:
    """What a backup of the rows of a model says."""
    schema = schema_of(model)
    return CellsOrigin(schema.table.replace("{env}", "prod"), schema.table, layout_of(schema))


def test_a_backup_that_the_model_still_reads_is_taken(tmp_path: Path) -> None:
    """What no migration refuses, of keys and of cells; the other way round it is refused."""
    before = other_model(exchange=bt.Text(max_length=6), bid=bt.IntBytes(4))
    now = other_model(exchange=bt.Text(max_length=9), bid=bt.Either(bt.Int64(), bt.IntBytes(4)))
    origin(before).check(tmp_path, origin(now))
    with pytest.raises(bt.SettingsError, match="expected a backup of rows with the keys"):
        origin(now).check(tmp_path, origin(before))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, None),
        ({"table": "QUOTE_{env}"}, "expected a backup of table QUOTE_prod, got one of table QUOTE"),
        (
            {"exchange": bt.Text(width=7)},
            "expected a backup of rows with the keys {exchange: Text(width=7)}#",
        ),
        (
            {"bid": bt.Int64()},
            "expected a backup with MD:BID as value Int64(), got one with value DecimalText()",
        ),
    ],
)
def test_a_backup_of_rows_that_were_written_otherwise_is_refused(
    changes: dict[str, Any], message: str | None, tmp_path: Path
) -> None:
    """Another key or another codec of a cell makes rows that the model cannot read; other columns do not."""
    made = origin(other_model(bid=bt.DecimalText()))
    found = CellsOrigin.in_(made.metadata)
    assert found == made
    into = origin(other_model(**{"bid": bt.DecimalText(), **changes}))
    if message is None:
        found.check(tmp_path, into)
        return
    with pytest.raises(bt.SettingsError, match=re.escape(message)):
        found.check(tmp_path, into)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--partition", "exchange"], "expected --out"),
        (["--cells"], "expected --out"),
        (["--out", "x", "--partition", "exchnge"], "has no key field 'exchnge' (did you mean exchange?)"),
        (["--out", "x", "--partition", "exchange:month"], "no unit, as the field is no time"),
        (["--out", "x", "--partition", "quote_time:week"], "one of the units year, month, day"),
        (["--out", "x", "--partition", "exchange", "--cells"], "expected rows, which have fields"),
        (["--out", "x.jsonl", "--cells"], "expected a name that ends with .parquet"),
        (["--out", "x.parquet", "--cells", "--only", "bid"], "expected a read of whole rows"),
        (["--out", "x.parquet", "--processes", "2", "--limit", "3"], "leave out limit"),
    ],
)
def test_wrong_exports(run: Command, arguments: list[str], message: str) -> None:
    """Refused before anything is written."""
    done = run("rows", "Quote", *arguments)
    assert message in f"{done.exception}{done.output}"
    assert os.listdir() == []


def test_what_cannot_be_put(run: Command) -> None:
    """Folders without files, of other columns, and cells that are rows."""
    Path("empty").mkdir()
    assert "found none" in str(run("put", "Quote", "empty").exception)
    run("rows", "Quote", "--out", "rows.parquet")
    assert "expected the columns key, family" in str(run("put", "Quote", "rows.parquet", "--cells").exception)
    assert "--cells: expected a Parquet file" in str(run("put", "Quote", "rows.jsonl", "--cells").exception)


def test_no_row_of_a_folder_is_put_where_a_file_of_it_has_other_columns(run: Command, instance: str) -> None:
    """They are all looked at first, of rows and of cells."""
    before = rows_of(instance)
    for cells in ([], ["--cells"]):
        folder = Path(f"folder{len(cells)}")
        folder.mkdir()
        run("rows", "Quote", "--out", f"{folder}/a.parquet", *cells)
        pq.write_table(pa.table({"x": [1]}), f"{folder}/b.parquet")
        emptied(instance)
        done = run("put", "Quote", str(folder), *cells)
        assert f"{folder}/b.parquet: " in str(done.exception)
        assert rows_of(instance) == []
        (folder / "b.parquet").unlink()
        assert run("put", "Quote", str(folder), *cells).stdout == "300 rows written\n"
        assert rows_of(instance) == before


def test_rows_of_parquet_are_reported_one_by_one(run: Command, instance: str) -> None:
    """Each with its file and its number; all others are written, a second time too."""
    Path("folder").mkdir()
    for name in ("a", "b"):
        run("rows", "Quote", "exchange=NYSE", "symbol=IBM", "--limit", "4", "--out", f"folder/{name}.parquet")
        table = pq.read_table(f"folder/{name}.parquet")
        columns = table.to_pydict()
        columns["symbol"][1] = None
        columns["bid"][2] = "x"
        columns["exchange"][3] = "TOO LONG FOR IT"
        pq.write_table(pa.table(columns, table.schema), f"folder/{name}.parquet")
    done = run("put", "Quote", "folder")
    assert (done.exit_code, done.stdout) == (1, "2 rows written\n")
    messages = done.stderr.splitlines()
    for name in ("a", "b"):
        place = f"folder/{name}.parquet, row"
        assert f"{place} 2: Quote.symbol: expected a value, for a row must have it, got None" in messages
        assert any(
            one.startswith(f"{place} 3: Quote.bid: expected ") and "got 'x'" in one for one in messages
        )
        assert any(one.startswith(f"{place} 4: Quote.exchange: expected ") for one in messages)
    assert messages[-1] == "6 rows were not written"
    assert "put_arrow" not in done.stderr


def test_cells_that_the_table_has_no_place_for_are_reported(run: Command) -> None:
    """A family that the table lacks fails its rows, and what is no cell the file."""
    run("rows", "Quote", "exchange=NYSE", "symbol=IBM", "--limit", "1", "--cells", "--out", "cells.parquet")
    table = pq.read_table("cells.parquet")
    pq.write_table(table.set_column(1, table.schema.field(1), [["XX"] * table.num_rows]), "other.parquet")
    done = run("put", "Quote", "other.parquet", "--cells")
    assert (done.exit_code, done.stdout) == (1, "0 rows written\n")
    assert "lacks a column family (the server says:" in done.stderr
    assert "after declaring it if no model has it" in done.stderr
    nothing = pa.nulls(table.num_rows, pa.binary())
    pq.write_table(table.set_column(2, "qualifier", nothing), "other.parquet")
    error = run("put", "Quote", "other.parquet", "--cells").exception
    assert str(error) == "other.parquet: qualifier: expected a value in each column of a cell, got None"


def test_an_export_of_no_rows_is_put_back(run: Command) -> None:
    """A folder, too, has a file then."""
    for place, partition in (("none.parquet", []), ("none", ["--partition", "exchange"])):
        done = run("rows", "Quote", "exchange=NONE", "--out", place, *partition)
        assert done.stdout == f"wrote {place}: 0 rows\n"
        assert run("put", "Quote", place).stdout == "0 rows written\n"
    done = run("rows", "Quote", "--out", "none", "--partition", "exchange", "--force")
    assert done.stdout == "wrote none: 300 rows\n"
    assert sorted(os.listdir("none")) == ["exchange=NASDAQ", "exchange=NYSE"]


def test_a_time_zone_that_is_no_text_is_refused(run: Command) -> None:
    """A file with such a schema can be opened: what looks at the zone fails."""
    run("rows", "Quote", "--cells", "--out", "quotes.parquet")
    good = Path("quotes.parquet").read_bytes()
    (found,) = re.findall(rb"[A-Za-z0-9+/]{100,}={0,2}", good[good.index(b"ARROW:schema") :])[:1]
    broken = base64.b64encode(base64.b64decode(found).replace(b"UTC", b"\xbdTC"))
    assert broken != found
    Path("broken.parquet").write_bytes(good.replace(found, broken))
    error = run("put", "Quote", "--cells", "broken.parquet").exception
    assert isinstance(error, bt.BtmodelError), error


@pytest.mark.parametrize("cells", [[], ["--cells"]], ids=["rows", "cells"])
def test_a_damaged_file_is_refused(run: Command, cells: list[str]) -> None:
    """Whichever bit is wrong, an error names the file, and the table keeps its values."""
    run("rows", "Quote", *cells, "--out", "quotes.parquet")
    good = Path("quotes.parquet").read_bytes()
    before = lines(run("rows", "Quote", "--json"))
    refused = 0
    for seed in range(60):
        random, broken = Random(seed), bytearray(good)
        at = random.randrange(4, len(good) - 8)
        broken[at] ^= 1 << random.randrange(8)
        Path("broken.parquet").write_bytes(broken)
        done = run("put", "Quote", *cells, "broken.parquet")
        if done.exception is not None:
            assert isinstance(done.exception, bt.BtmodelError), (seed, done.exception)
            refused += "broken.parquet: is " in str(done.exception)
    assert refused > 40
    assert lines(run("rows", "Quote", "--json")) == before


def test_a_folder_that_is_not_complete_is_not_there(run: Command, instance: str) -> None:
    """Where the read fails on its way, what was there before stays, and nothing lies beside it."""
    run("rows", "Quote", "--out", "quotes", "--partition", "exchange")
    with bt.connect(instance) as db, Admin(db.target) as admin:
        admin.delete_table("QUOTE")
    done = run("rows", "Quote", "--out", "quotes", "--partition", "exchange", "--force")
    assert isinstance(done.exception, bt.MissingTable)
    assert os.listdir() == ["quotes"]
    assert ds.dataset("quotes", format="parquet").to_table().num_rows == 300


@pytest.mark.usefixtures("preloaded_processes")
def test_other_processes_read_for_a_file(run: Command, instance: str) -> None:
    """The same rows and cells."""
    for arguments in (
        ["--out", "rows.parquet"],
        ["--out", "cells.parquet", "--cells"],
        ["--out", "rows.jsonl"],
    ):
        assert run("rows", "Quote", *arguments).exit_code == 0
        name = arguments[1]
        one = Path(name).read_bytes()
        assert run("rows", "Quote", *arguments, "--processes", "2", "--force").exit_code == 0
        two = Path(name).read_bytes()
        if name.endswith("jsonl"):
            assert one == two
        else:
            assert pq.read_table(pa.BufferReader(one)) == pq.read_table(pa.BufferReader(two))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("partition", [[], ["--partition", "exchange"]])
def test_a_killed_export_is_not_taken_for_a_whole_one(
    instance: str, tmp_path: Path, partition: list[str], how: signal.Signals, commands: Commands
) -> None:
    """Nothing of its name is there, and what is left is hidden; by SIGTERM, nothing is left."""
    out = "quotes" if partition else "quotes.parquet"
    script = tmp_path / "export.py"
    script.write_text(
        "import os, signal, sys\n"
        "import btmodel.columnar.libraries as libraries\n"
        "from btmodel.cli import main\n"
        "writer = libraries.parquet().ParquetWriter\n"
        "def killed(*_):\n"
        f"    os.kill(os.getpid(), {int(how)})\n"
        f"writer.{'close' if how is signal.SIGKILL else 'write_batch'} = killed\n"
        "sys.argv = ['btmodel', 'rows', '-m', 'examples.market', 'Quote', *sys.argv[1:]]\n"
        "main()\n"
    )
    folder = tmp_path / "out"
    folder.mkdir()
    arguments = ["--instance", instance, "--out", out, *partition]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = commands.program(script, arguments, folder, environment)
    if how is signal.SIGTERM:
        assert (done.returncode, os.listdir(folder)) == (128 + how, [])
        assert "Traceback" not in done.stderr
    else:
        assert done.returncode == -how, done.stderr
        assert all(name.startswith(".") for name in os.listdir(folder))


@pytest.mark.parametrize("more", [("--only", "bid_size"), ("--partition", "symbol"), ("--processes", "2")])
def test_a_value_that_parquet_cannot_hold_is_reported_with_its_row_and_what_to_do(
    more: tuple[str, str], instance: str, run: Command
) -> None:
    """The error names the row, the options of the command and the forms that hold the value, and no file is left."""
    row = bt.replace(next(iter(made_up_quotes(1))), exchange="HUGE", bid_size=10**30)
    with bt.connect(instance) as db:
        QuoteRepository(db).put(row)
    refused = run("rows", "Quote", "--out", "quotes" if "--partition" in more else "quotes.parquet", *more)
    assert refused.exit_code == 1
    text = str(refused.exception)
    assert text.startswith(f"row {bt.key_of(row).decode()}: Quote.bid_size: expected a value that fits int64")
    assert "leave the column out by naming the others with --only, or write .jsonl or .csv" in text
    assert "columns=" not in text
    assert not list(Path().iterdir())


def test_the_help_of_an_export_says_what_force_replaces(run: Command) -> None:
    """Any file that exists is kept without --force, also one of an export, which carries no mark."""
    assert run("rows", "Quote", "--limit", "1", "--out", "rows.csv").exit_code == 0
    assert run("rows", "Quote", "--limit", "1", "--out", "rows.csv").exit_code == 1
    help_text = " ".join(run("rows", "--help").output.split())
    assert "--force Replace a file or folder that exists" in help_text
    assert "did not write" not in help_text


def test_a_broken_line_is_reported_with_one_line_number(run: Command) -> None:
    """That of the file: the parser sees a line by itself, and its own line number would be that of another place."""
    Path("broken.jsonl").write_text('\n\n{"exchange": \n{"exchange": "NYSE"} x\n')
    refused = run("put", "Quote", "broken.jsonl")
    assert refused.exit_code == 1
    assert "broken.jsonl:3: " in refused.stderr
    assert "broken.jsonl:4: " in refused.stderr
    assert "(Extra data, at character 22)" in refused.stderr
    assert not re.search(r"line \d+ column", refused.stderr)


@pytest.mark.parametrize("closed", ["by_month", "by_month/month=2015-04"])
def test_a_folder_that_cannot_be_listed_is_refused_before_a_row_is_written(
    closed: str, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows would be left out, and nobody would know."""
    assert run("rows", "Quote", "--out", "by_month", "--partition", "quote_time:month").exit_code == 0
    listed = os.scandir

    def refused(path: Any = ".") -> Any:
        if Path(path) == Path(closed):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", refused)
    done = run("put", "Quote", "by_month")
    assert done.exit_code == 1
    assert str(done.exception) == f"{closed}: cannot be read: Permission denied"


def test_a_link_to_a_folder_within_an_export_is_refused(run: Command) -> None:
    """It is not followed, as it may lead round in a ring; its rows are not left out without a word."""
    assert run("rows", "Quote", "--out", "by_month", "--partition", "quote_time:month").exit_code == 0
    Path("by_month/month=2015-04").rename("elsewhere")
    Path("by_month/month=2015-04").symlink_to("../elsewhere")
    done = run("put", "Quote", "by_month")
    assert done.exit_code == 1
    assert str(done.exception) == (
        "by_month/month=2015-04: expected a folder, got a link to one: put the folder that it leads to by itself"
    )
