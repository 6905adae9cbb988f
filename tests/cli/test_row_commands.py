"""``btmodel rows``, ``get``, ``put`` and ``delete``: rows on the terminal, in files, and back."""

import csv
import json
import math
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.client.admin import Admin
from btmodel.declare import schema_of
from btmodel.repository.any_repository import repository
from btmodel.rows import Cell, Mutation
from btmodel.testing import instances
from btmodel.words import as_text as bytes_text
from examples.generated.quote_repository import QuoteRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes
from examples.meters import SensorOfDay
from examples.weather import WeatherDay

ROOT = Path(__file__).parents[2]
Command = Callable[..., Result]
IBM = ("rows", "Quote", "exchange=NYSE", "symbol=IBM")

# A model of each shape of column.
SHAPES = {
    "accounts": ("AccountOrder",),
    "balloons": ("PressureWeek", "BalloonWeek", "BalloonReading"),
    "friends": ("Person",),
    "garden": ("GardenMonth",),
    "meters": ("Sensor",),
    "metrics": ("Metrics",),
    "stock": ("DayPrice",),
    "users": ("User",),
    "weather": ("WeatherDay",),
}


def commands(monkeypatch: pytest.MonkeyPatch, module: str, instance: str) -> Command:
    """Runs ``btmodel`` on the models of an example."""
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)
    monkeypatch.setenv("BTMODEL_INSTANCE", instance)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str, input: str | bytes | None = None) -> Result:
        return CliRunner().invoke(group, [arguments[0], "-m", module, *arguments[1:]], input=input)

    return run


@pytest.fixture
def run(migrated: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Runs ``btmodel`` on an instance with 100 quotes, half of them of each of two symbols, in an empty folder."""
    instance = migrated(Quote)
    with bt.connect(instance) as db:
        QuoteRepository(db).put_many(made_up_quotes(100))
    monkeypatch.chdir(tmp_path)
    return commands(monkeypatch, "examples.market", instance)


def lines(result: Result) -> list[dict[str, Any]]:
    """The rows that were printed as JSON lines."""
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_rows_of_a_key_a_prefix_and_a_range(run: Command) -> None:
    """The fields that are given choose the rows; a range has no end, and several values are a read of all."""
    every = lines(run("rows", "Quote", "--json"))
    assert len(every) == 100
    assert every[0]["quote_time"] == QUOTE_TIME.isoformat()
    ibm = lines(run(*IBM, "--json"))
    assert ibm == [one for one in every if one["symbol"] == "IBM"]
    start, end = (one["quote_time"] for one in (ibm[3], ibm[7]))
    assert lines(run(*IBM, f"quote_time={start}..{end}", "--json")) == ibm[3:7]
    assert lines(run(*IBM, f"quote_time={end}..", "--json")) == ibm[7:]
    assert lines(run(*IBM, f"quote_time={start}", "--json")) == ibm[3:4]
    assert lines(run("rows", "Quote", "exchange=NYSE", "symbol=I*", "--json")) == ibm
    both = ("exchange=NYSE", "exchange=NASDAQ", "symbol=IBM", "symbol=ZXZZT")
    assert lines(run("rows", "Quote", *both, "--json")) == every
    assert lines(run(*IBM, "--newest", "--limit", "2", "--json")) == ibm[:-3:-1]
    assert lines(run(*IBM, "--query", "by_symbol", "--limit", "2", "--json")) == ibm[:2]
    bid = ibm[5]["bid"]
    assert lines(run(*IBM, "--where", f"bid={bid}", "--json")) == [one for one in ibm if one["bid"] == bid]
    assert set(lines(run(*IBM, "--only", "bid", "--json"))[0]) == {"exchange", "symbol", "quote_time", "bid"}


def test_a_table_that_fits_and_rows_that_do_not(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty rows side by side, and that there are more; each by itself on a narrow terminal."""
    shown = run("rows", "Quote")
    table = shown.stdout.splitlines()
    assert table[0].split() == ["exchange", "symbol", "quote_time", "bid", "ask", "bid_size", "ask_size"]
    assert table[1].split()[:4] == ["NASDAQ", "ZXZZT", "2015-03-16", "19:53:32.156"]
    assert len(table) == 21
    assert "the first 20 rows" in shown.stderr
    everything = run("rows", "Quote", "--all")
    assert len(everything.stdout.splitlines()) == 101
    assert "the first" not in everything.stderr
    monkeypatch.setenv("COLUMNS", "40")
    narrow = run("rows", "Quote", "--limit", "2").stdout.splitlines()
    assert [line.split()[0] for line in narrow if line.strip()] == 2 * table[0].split()
    nothing = run("rows", "Quote", "exchange=NONE")
    assert (nothing.exit_code, nothing.stdout, "no rows" in nothing.stderr) == (0, "", True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Quot",), "no model 'Quot' (did you mean Quote?)"),
        (("Quote", "symbl=IBM"), "Quote has no key field 'symbl' (did you mean symbol?)"),
        (("Quote", "IBM"), "expected NAME=VALUE, such as exchange=..., got 'IBM'"),
        (
            ("Quote", "symbol=IBM"),
            "the key does not serve this query: 'exchange' stands in front of 'symbol' in the key",
        ),
        (("Quote", "exchange=TOOLONG"), "Quote.exchange: expected"),
        ((*IBM[1:], "quote_time=noon"), "Quote.quote_time: expected a time such as 2026-01-05T10:30"),
        (
            ("Quote", "exchange=NYSE", "quote_time=..", "symbol=A*"),
            "expected a range of one field, got ranges of",
        ),
        (
            (*IBM[1:], "quote_time=2015-01-01..", "quote_time=..2016-01-01"),
            "quote_time: expected values or one range, got",
        ),
        (
            (*IBM[1:], "quote_time=2015-01-01", "quote_time=..2016-01-01"),
            "quote_time: expected values or one range",
        ),
        ((*IBM[1:], "symbol=A*"), "symbol: expected values or one range, got symbol=A* as well"),
        (("Quote", "--query", "by_symbl"), "Quote has no query 'by_symbl' (did you mean by_symbol?)"),
        (
            ("Quote", "--newest"),
            "the key does not serve this query: 'exchange' stands in front of 'quote_time'",
        ),
        (("Quote", "--only", "bidd"), "did you mean bid"),
        (("Quote", "--where", "bidd=3"), "Quote has no column 'bidd' (did you mean bid?)"),
        (("Quote", "--where", "bid=dear"), "Quote.bid: expected a Decimal as text, or null, got 'dear'"),
        (("Quote", "--out", "quotes.txt"), "expected a name that ends with .jsonl, .csv, .parquet"),
        (("Quote", "--out", "none/quotes.csv"), "there is no folder none"),
        (("Quote", "--parameter", "env"), "expected NAME=VALUE, such as env=prod, got 'env'"),
        (("Quote", "--parameter", "env=prod"), "env"),
    ],
)
def test_wrong_questions(run: Command, arguments: tuple[str, ...], message: str) -> None:
    """One error, with what was expected, and nothing is printed or written."""
    done = run("rows", *arguments)
    assert isinstance(done.exception, bt.BtmodelError)
    assert message in str(done.exception)
    assert done.stdout == ""
    assert os.listdir() == []


def test_one_row_of_a_key(run: Command) -> None:
    """The row of a key is that which ``rows`` prints; of a key without one nothing is printed, and the exit code is its own."""
    [row] = lines(run(*IBM, "--limit", "1", "--json"))
    key = [f"{name}={row[name]}" for name in ("exchange", "symbol", "quote_time")]
    assert lines(run("get", "Quote", *key, "--json")) == [row]
    shown = [line.split(maxsplit=1) for line in run("get", "Quote", *key).stdout.splitlines()]
    assert {name: value.rstrip() for name, value in shown} == {
        name: str(value) for name, value in row.items()
    } | {"quote_time": row["quote_time"].removesuffix("000+00:00").replace("T", " ")}
    missing = run("get", "Quote", *key[:2], "quote_time=2015-03-17", "--json")
    assert (missing.exit_code, missing.stdout) == (3, "")
    assert missing.stderr.endswith(
        "no row: table QUOTE has none with the row key NYSE  #IBM  #1426550400000\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Quote: a row key takes exchange, symbol, quote_time; missing: exchange, symbol, quote_time"),
        (
            ("exchange=NYSE", "symbol=IBM"),
            "a row key takes exchange, symbol, quote_time; missing: quote_time",
        ),
        (("exchange=NYSE", "symbol=I*"), "Quote.symbol: expected one value of each key field, got a range"),
        (("exchange=A", "exchange=B"), "Quote.exchange: expected one value of each key field, got several"),
        (("exchange=NYSE", "bid=3"), "Quote has no key field 'bid'"),
    ],
)
def test_keys_that_name_no_row(run: Command, arguments: tuple[str, ...], message: str) -> None:
    """One error says what a key takes; its exit code is not that of a missing row."""
    done = run("get", "Quote", *arguments)
    assert isinstance(done.exception, bt.BtmodelError)
    assert message in str(done.exception)
    assert (done.stdout, done.exception.exit_code) == ("", 1)


def test_files_hold_all_rows(run: Command) -> None:
    """In each form; a file that is there is replaced only where that is said."""
    every = lines(run("rows", "Quote", "--json"))
    for file in ("rows.jsonl", "rows.csv", "rows.parquet"):
        assert run("rows", "Quote", "--out", file).stdout == f"wrote {file}: 100 rows\n"
    assert [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()] == every
    with Path("rows.csv").open(newline="") as file:
        assert list(csv.DictReader(file)) == [
            {name: str(value) for name, value in row.items()} for row in every
        ]
    assert run("rows", "Quote", "--csv").stdout_bytes == Path("rows.csv").read_bytes()
    table = pq.read_table("rows.parquet")
    assert table.column("quote_time").type == pa.timestamp("us", "UTC")
    assert table.column("bid_size").to_pylist() == [row["bid_size"] for row in every]
    refused = run("rows", "Quote", "--out", "rows.csv")
    assert "rows.csv exists: name another file, or use --force" in str(refused.exception)
    assert run("rows", "Quote", "--limit", "1", "--out", "rows.csv", "--force").exit_code == 0
    assert len(Path("rows.csv").read_text().splitlines()) == 2
    assert run("rows", "Quote", "exchange=NONE", "--out", "none.parquet").stdout.endswith(": 0 rows\n")
    assert pq.read_table("none.parquet").schema == table.schema
    assert sorted(os.listdir()) == ["none.parquet", "rows.csv", "rows.jsonl", "rows.parquet"]


def test_stdout_is_what_a_file_gets(monkeypatch: pytest.MonkeyPatch, migrated: Callable[..., str]) -> None:
    """Text that looks like the colours of a terminal is data for a program."""
    instance = migrated(Noted)
    with bt.connect(instance) as db:
        repository(db, Noted, {}).put(Noted(number=1, note="a\x1b[31mred"))
    run = commands(monkeypatch, __name__, instance)
    assert "a\x1b[31mred" in run("rows", "Noted", "--csv").stdout


def test_a_full_disk_behind_stdout_is_one_error(run: Command) -> None:
    """No traceback, and an exit code that says that it failed."""
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "btmodel", "rows", "-m", "examples.market", "Quote", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == ["error: stdout cannot be written: No space left on device"]


class Noted(bt.Model, table="QUOTE"):
    """A text that may hold anything."""

    number: int = bt.key(bt.PaddedInt(3))
    data = bt.family("data", gc=bt.max_versions(1))
    note: str = bt.column("note", data)


def test_a_file_that_is_not_complete_is_not_there(run: Command) -> None:
    """Where a read fails on its way, what was there before stays, and nothing lies beside it."""
    Path("rows.jsonl").write_text("mine")
    with bt.connect(os.environ["BTMODEL_INSTANCE"]) as db, Admin(db.target) as admin:
        admin.delete_table("QUOTE")
    done = run("rows", "Quote", "--out", "rows.jsonl", "--force")
    assert isinstance(done.exception, bt.MissingTable)
    assert (os.listdir(), Path("rows.jsonl").read_text()) == (["rows.jsonl"], "mine")


def test_rows_that_do_not_decode_are_told_and_left_out(run: Command) -> None:
    """The others are printed, and the exit code says that it is not all."""
    with bt.connect(os.environ["BTMODEL_INSTANCE"]) as db:
        key = b"NYSE  #IBM  #1500000000000"
        db.write(Mutation("QUOTE", key, [Cell("MD", b"BID", 1000, b"\x1b[31m")]))
    done = run(*IBM, "--json")
    assert (done.exit_code, len(done.stdout.splitlines())) == (1, 50)
    assert "1 row was left out" in done.stderr
    assert "\x1b" not in done.output
    alone = run("rows", "Quote", "exchange=NYSE", "symbol=IBM", "quote_time=2017-07-14T02:40:00Z")
    assert (alone.exit_code, "no rows" in alone.stderr) == (1, False)
    assert "no row could be read" in alone.stderr


def test_a_row_that_a_file_cannot_hold_is_named_by_its_key(
    migrated: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The error has the row's key and the form that was asked for: of JSON lines and of CSV, on the terminal and in a file."""
    instance = migrated(WeatherDay)
    run = commands(monkeypatch, "examples.weather", instance)
    monkeypatch.chdir(tmp_path)
    at = datetime(2026, 1, 5, 12, tzinfo=UTC)
    row = WeatherDay(station="JFK", day=at.date(), temperature=bt.History({at: math.inf}))
    with bt.connect(instance) as db:
        repository(db, WeatherDay, {}).put(row)
    for options, form in ((["--json"], "JSON"), (["--csv"], "CSV"), (["--out", "rows.csv"], "CSV")):
        told = run("rows", "WeatherDay", *options).stderr.splitlines()
        [refused] = [line for line in told if line.startswith("row ")]
        assert refused.startswith(f"row {bytes_text(bt.key_of(row))}: WeatherDay.temperature")
        assert refused.endswith(f": expected a finite number, in {form}, got inf")
        assert "1 row was left out" in told


def test_what_is_put_from_standard_input(run: Command) -> None:
    """Lines of JSON, of which those that are no rows are told with their numbers; all others are written."""
    good = '{"exchange": "NYSE", "symbol": "NEW", "quote_time": "2026-01-05T10:00:00Z", "bid": "1.5"}'
    bad = ["[1]", "{", '{"exchange": "NYSE"}', good.replace("NEW", "TOOLONG"), good.replace("bid", "bd")]
    bad += [
        good.replace('"1.5"', "1.5"),
        good.replace('"1.5"', "1" * 5_000),
        "[" * 100_000,
        "\x1b[31m",
        "NaN",
    ]
    done = run("put", "Quote", input="\n".join([*bad, "", good]))
    assert (done.exit_code, done.stdout) == (1, "1 row written\n")
    told = done.stderr.splitlines()
    assert [line.partition(": ")[0] for line in told[1:-1]] == [f"standard input:{n}" for n in range(1, 11)]
    assert told[-1] == "10 rows were not written"
    assert "\x1b" not in done.output
    [row] = lines(run("rows", "Quote", "exchange=NYSE", "symbol=NEW", "--json"))
    assert (row["bid"], row["ask"]) == ("1.5", None)


def test_records_of_csv_are_reported_one_by_one(run: Command) -> None:
    """An empty field means no value. The command names the line of each record that is not a row, and writes all others."""
    Path("rows.csv").write_text(
        "symbol,exchange,quote_time,bid,ask\n"
        "NEW,NYSE,2026-01-05T10:00:00Z,1.5,\n\n"
        'BAD,NYSE,"2026-13-05\n",1.5,\n'
        "BAD,NYSE,2026-01-05T10:00:00Z,1.5\n"
        "BAD,NYSE,2026-01-05T10:00:00Z,x,\n"
        ",NYSE,2026-01-05T10:00:00Z,1,\n"
        "BÄD,NYSE,2026-01-05T10:00:00Z,1,\n",
        "latin-1",
    )
    done = run("put", "Quote", "rows.csv")
    assert (done.exit_code, done.stdout) == (1, "1 row written\n")
    messages = done.stderr.splitlines()
    assert [line.partition(": ")[0] for line in messages if line.startswith("rows")] == [
        f"rows.csv:{n}" for n in (4, 6, 7, 8, 9)
    ]
    assert r"rows.csv:9: Quote.symbol: expected text in UTF-8, got b'B\xc4D'" in messages
    assert "expected 5 fields, as in the first line, got" in done.stderr
    [row] = lines(run("rows", "Quote", "exchange=NYSE", "symbol=NEW", "--json"))
    assert (row["bid"], row["ask"]) == ("1.5", None)


class Label(bt.Model, table="LABEL", events="1/day"):
    """Empty texts and bytes, in the key and in columns."""

    kind: str = bt.key(bt.EscapedText(max_length=20))
    name: str = bt.key(bt.EscapedText(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    text: str = bt.column("t", f)
    raw: bytes = bt.column("r", f)
    note: str | None = bt.column("n", f, default=None)


def test_empty_texts_come_back_from_csv(
    migrated: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of what each row must have, its key as well, an empty field is the empty text: rows may differ by nothing else."""
    instance = migrated(Label)
    monkeypatch.chdir(tmp_path)
    run = commands(monkeypatch, __name__, instance)
    given = [
        {"kind": kind, "name": name, "text": text, "raw": raw, "note": None}
        for kind, name, text, raw in (("", "", "", ""), ("", "a", "t", "QQ=="), ("x", "", "", "QQ=="))
    ]
    assert run("put", "Label", input="".join(json.dumps(one) + "\n" for one in given)).exit_code == 0
    assert run("rows", "Label", "--out", "labels.csv").exit_code == 0
    assert run("delete", "Label", "--all", "--yes").stdout == "3 rows deleted\n"
    done = run("put", "Label", "labels.csv")
    assert (done.exit_code, done.stdout) == (0, "3 rows written\n"), done.stderr
    assert lines(run("rows", "Label", "--json")) == given


def test_a_quote_that_is_not_closed_hides_no_other_error(run: Command) -> None:
    """It is reported with the line on which its record begins, behind the records in front of it."""
    Path("rows.csv").write_text(
        "symbol,exchange,quote_time\n"
        "NEW,NYSE,2026-01-05T10:00:00Z\n"
        "BAD,NYSE\n"
        'BAD,"NYSE,2026-01-05T10:00:00Z\n'
        "BAD,NYSE,2026-01-05T10:00:00Z\n"
    )
    done = run("put", "Quote", "rows.csv")
    assert (done.exit_code, done.stdout) == (1, "1 row written\n")
    assert [line for line in done.stderr.splitlines() if line.startswith("rows")] == [
        "rows.csv:3: expected 3 fields, as in the first line, got ['BAD', 'NYSE']",
        "rows.csv:4: the record that begins here is not CSV: unexpected end of data. The lines behind it were not read: put a whole file",
    ]


@pytest.mark.parametrize("cut", ["\n", "5\n", "d\nNEW"])
def test_a_record_of_csv_that_may_have_been_cut_off_is_not_written(run: Command, cut: str) -> None:
    """A number that lacks its last digits is a number, too."""
    whole = "symbol,exchange,quote_time,bid\nNEW,NYSE,2026-01-05T10:00:00Z,12.5\n"
    Path("rows.csv").write_text(whole[: whole.rindex(cut)])
    done = run("put", "Quote", "rows.csv")
    assert done.exit_code == 1
    assert "the last record has no line end, and may have been cut off" in done.stderr + str(done.exception)
    assert not lines(run("rows", "Quote", "exchange=NYSE", "symbol=NEW", "--json"))


@pytest.mark.parametrize("time", ["2026-01-05", "2026-01-05T10:00:00"])
def test_a_time_in_a_file_has_an_offset(run: Command, time: str) -> None:
    """In each form alike: nobody knows where a time without one was written."""
    Path("rows.csv").write_text(f"symbol,exchange,quote_time\nNEW,NYSE,{time}\n")
    Path("rows.jsonl").write_text(json.dumps({"symbol": "NEW", "exchange": "NYSE", "quote_time": time}))
    said = [run("put", "Quote", name) for name in ("rows.csv", "rows.jsonl")]
    assert [one.exit_code for one in said] == [1, 1]
    assert all(
        "Quote.quote_time: expected " in one.stderr and "time with its offset" in one.stderr for one in said
    )


def test_a_time_that_is_finer_than_a_microsecond_is_refused(run: Command) -> None:
    """With its line: cut, several rows would become one."""
    times = [f"2026-01-05T10:00:00.{digits}Z" for digits in ("123", "1230000001", "1230000002", "124000000")]
    Path("rows.csv").write_text(
        "symbol,exchange,quote_time\n" + "".join(f"NEW,NYSE,{time}\n" for time in times)
    )
    given = [{"symbol": "NEW", "exchange": "NYSE", "quote_time": time} for time in times]
    Path("rows.jsonl").write_text("".join(json.dumps(one) + "\n" for one in given))
    for name, line in (("rows.csv", 3), ("rows.jsonl", 2)):
        done = run("put", "Quote", name)
        assert (done.exit_code, done.stdout) == (1, "2 rows written\n")
        assert f"{name}:{line}: Quote.quote_time: expected a time in whole microseconds" in done.stderr
        assert f"{name}:{line + 1}: Quote.quote_time: expected a time in whole microseconds" in done.stderr
    for term in (f"quote_time={times[1]}", f"quote_time={times[0]}..{times[1]}"):
        done = run("rows", "Quote", "exchange=NYSE", "symbol=NEW", term)
        assert (done.exit_code, done.stdout) == (1, "")
        assert "Quote.quote_time: expected a time in whole microseconds" in str(done.exception)
    done = run("follow", "Quote", "--since", times[1])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "--since: expected a time in whole microseconds" in str(done.exception)


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl"])
@pytest.mark.parametrize("content", ["", "\n\n"])
def test_an_empty_file_holds_no_rows(run: Command, name: str, content: str) -> None:
    """Which is said, as it may be one whose writer has failed: an export of no rows as JSON lines is an empty file."""
    Path(name).write_text(content)
    done = run("put", "Quote", name)
    assert (done.exit_code, done.stdout) == (0, "0 rows written\n")
    assert f"note: {name} is empty: expected " in done.stderr


def test_lines_are_read_as_utf_8(run: Command) -> None:
    """A mark of UTF-8 at its start belongs to no row, and of a file in another encoding no line is written."""
    line = '{"exchange": "NYSE", "symbol": "NEW", "quote_time": "2026-01-05T10:00:00Z", "bid": "1.5"}\n'
    for encoding in ("utf-16", "utf-32-be"):
        Path("other.jsonl").write_text(line * 3, encoding=encoding)
        assert run("put", "Quote", "other.jsonl").stdout == "0 rows written\n"
    Path("marked.jsonl").write_text(line, encoding="utf-8-sig")
    assert run("put", "Quote", "marked.jsonl").stdout == "1 row written\n"


def test_a_line_with_a_key_twice_is_left_out(run: Command) -> None:
    """Of two values one would be lost."""
    line = '{"exchange": "NYSE", "symbol": "NEW", "quote_time": "2026-01-05T10:00:00Z", "bid": "1.5", "bid": "2"}\n'
    Path("twice.jsonl").write_text(line)
    done = run("put", "Quote", "twice.jsonl")
    assert (done.stdout, done.exit_code) == ("0 rows written\n", 1)
    assert "twice.jsonl:1" in done.stderr
    assert "expected each key once" in done.stderr


def test_a_row_is_added_to_or_replaced(run: Command) -> None:
    """A row that is put keeps the cells that its line has none for; replaced, it has none but those of the line."""
    [row] = lines(run(*IBM, "--limit", "1", "--json"))
    Path("one.jsonl").write_text(json.dumps({**row, "bid": "7", "ask": None}))
    assert run("put", "Quote", "one.jsonl").stdout == "1 row written\n"
    assert lines(run(*IBM, "--limit", "1", "--json")) == [{**row, "bid": "7"}]
    assert run("put", "Quote", "one.jsonl", "--replace").stdout == "1 row written\n"
    assert lines(run(*IBM, "--limit", "1", "--json")) == [{**row, "bid": "7", "ask": None}]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rows.xlsx", b"", "rows.xlsx: expected a name that ends with .jsonl, .csv, .parquet"),
        (
            "rows.csv",
            b"NYSE,IBM\n",
            "rows.csv:1: expected names of attributes of Quote (exchange, symbol, quote_time, bid",
        ),
        (
            "rows.csv",
            "exchange,symbol\n".encode("utf-16"),
            r"rows.csv:1: expected text in UTF-8, got b'\xff\xfee\x00x\x00c",
        ),
        ("rows.csv", b"exchange,symbl\n", "each once, got 'symbl'"),
        ("rows.csv", b"exchange,symbol,symbol\n", "each once, got 'symbol'"),
        (
            "rows.csv",
            b'exchange,"symbol,quote_time\nNYSE,IBM\n',
            "rows.csv:1: expected names of attributes of Quote as CSV: unexpected end of data",
        ),
        (
            "rows.csv",
            b"exchange,quote_time\nNYSE,2026-01-05\n",
            "rows.csv:1: expected a field for each attribute that a row of Quote must have; there is none for symbol",
        ),
        ("none.jsonl", None, "none.jsonl: cannot be read: No such file or directory"),
        ("rows.parquet", b"PAR1", "rows.parquet: is not a Parquet file"),
    ],
)
def test_files_that_cannot_be_put(run: Command, name: str, content: bytes | None, message: str) -> None:
    """One error names the file."""
    if content is not None:
        Path(name).write_bytes(content)
    assert message in str(run("put", "Quote", name).exception)


def test_a_table_of_parquet_that_is_not_of_the_model(run: Command) -> None:
    """Nothing is written of one with other columns."""
    pq.write_table(pa.table({"exchange": ["NYSE"], "price": [1.0]}), "other.parquet")
    assert "other.parquet: Quote: columns: expected some of exchange" in str(
        run("put", "Quote", "other.parquet").exception
    )
    columns = {"exchange": ["NYSE"], "symbol": ["NEW"], "quote_time": [QUOTE_TIME], "bid": [1.5]}
    pq.write_table(pa.table(columns), "other.parquet")
    message = str(run("put", "Quote", "other.parquet").exception)
    assert message.startswith(
        "other.parquet: Quote.bid: expected a column of string, as exports of the model have it"
    )
    assert message.endswith("got 'double'")
    assert len(lines(run("rows", "Quote", "--json"))) == 100


def test_deleting_asks(run: Command) -> None:
    """The rows of a prefix go after a yes, and stay after a no; all of them have to be named."""
    delete = ("delete", "Quote", "exchange=NYSE")
    asked = run(*delete, input="n\n")
    assert (asked.exit_code, asked.stdout) == (2, "")
    assert "Delete 50 rows of table QUOTE? [y/N]" in asked.stderr
    assert run(*delete, input="").exit_code == 1
    assert len(lines(run("rows", "Quote", "--json"))) == 100
    assert run(*delete, input="y\n").stdout == "50 rows deleted\n"
    assert run(*delete, "--yes").stdout == "no rows\n"
    assert len(lines(run("rows", "Quote", "--json"))) == 50
    assert "--all for every row" in str(run("delete", "Quote").exception)
    assert "--all for every row" in str(run(*delete, "--all").exception)
    assert run("delete", "Quote", "--all", "--yes").stdout == "50 rows deleted\n"
    assert lines(run("rows", "Quote", "--json")) == []


def test_a_table_named_at_run_time(migrated: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    """``--parameter`` completes its name."""
    instance = migrated()
    with bt.connect(instance) as db:
        bt.create_tables(db, SensorOfDay, day="5")
    run = commands(monkeypatch, "examples.meters", instance)
    assert lines(run("rows", "SensorOfDay", "--parameter", "day=5", "--json")) == []
    assert isinstance(run("rows", "SensorOfDay", "--parameter", "day=6").exception, bt.MissingTable)
    assert "day" in str(run("rows", "SensorOfDay").exception)


def test_the_page_prints_what_it_says(run: Command) -> None:
    """Every command of docs/rows.md, in its order, on the quotes of the examples."""
    page = (ROOT / "docs" / "rows.md").read_text()
    sessions = re.findall(r"^```console\n(.*?)^```", page, re.M | re.S)
    steps = [step for session in sessions for step in session.removeprefix("$ ").split("\n$ ")]
    assert len(steps) == 15
    for step in steps:
        command, printed = step.split("\n", 1)
        given, _, asked = command.rpartition(" | ")
        typed = shlex.split(given.removeprefix("echo "))
        done = run(*shlex.split(asked)[1:], input=typed[0] if typed else None)
        assert [line.rstrip() for line in done.stdout.splitlines()] == [
            one.rstrip() for one in printed.splitlines()
        ]


@pytest.mark.parametrize("module", SHAPES)
def test_rows_of_every_shape_come_back_from_files(
    module: str, migrated: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Written to JSON lines, CSV and Parquet, deleted, and put, they are the same rows, cell by cell; the command names values that JSON cannot hold."""
    models = [getattr(import_module(f"examples.{module}"), name) for name in SHAPES[module]]
    instance = migrated(*models)
    run = commands(monkeypatch, f"examples.{module}", instance)
    monkeypatch.chdir(tmp_path)

    @settings(max_examples=3, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(st.data())
    def come_back(data: st.DataObject) -> None:
        model = data.draw(st.sampled_from(models))
        drawn = data.draw(st.lists(instances(model), min_size=1, max_size=5))
        with bt.connect(instance) as db:
            rows = repository(db, model, {})
            for file in ("rows.jsonl", "rows.csv", "rows.parquet"):
                rows.put_many(with_a_value(drawn) if file == "rows.csv" else drawn)
                cells = found(db, model)
                written = run("rows", model.__name__, "--out", file, "--force")
                rows.all().delete()
                if written.exit_code and file == "rows.parquet":
                    assert "a value that fits int64 of Arrow" in str(written.exception)
                elif written.exit_code:
                    form = "CSV" if file == "rows.csv" else "JSON"
                    refused = next(line for line in written.stderr.splitlines() if line.startswith("row "))
                    assert f"expected a finite number, in {form}, got" in refused
                else:
                    assert run("put", model.__name__, file).exit_code == 0
                    assert found(db, model) == cells
                    rows.all().delete()

    come_back()


def with_a_value(rows: list[bt.Model]) -> list[bt.Model]:
    """Rows without an empty text where there may be none: in CSV, both are an empty field."""
    return [
        row
        for row in rows
        if not any(
            getattr(row, column.name) == "" for column in schema_of(type(row)).columns if not column.required
        )
    ]


def found(db: bt.Database, model: type[bt.Model]) -> list[tuple[bytes, list[tuple[str, bytes, bytes]]]]:
    """The keys of all rows, and the cells without the time of writing."""
    return [
        (key, sorted((cell.family, cell.qualifier, cell.value) for cell in cells))
        for key, cells in db.cells(schema_of(model).table)
    ]


def test_a_reader_that_leaves_ends_the_command(run: Command) -> None:
    """As ``head`` does: without a traceback."""
    command = [sys.executable, "-m", "btmodel", "rows", "-m", "examples.market", "Quote", "--json", "--all"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.readline()
        program.stdout.close()
        assert b"Traceback" not in program.stderr.read()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["put"], "the service writes the rows of views"),
        (["delete", "--all"], "the service writes the rows of views"),
        (["follow"], "a view has no change stream"),
    ],
)
def test_a_view_is_only_read(monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str) -> None:
    """What only tables have is refused of a view, with its table's model, before anything is asked of an instance."""
    run = commands(monkeypatch, "examples.views.arrivals", "local:/nonexistent/dev.db")
    done = run(arguments[0], "FlightTo", *arguments[1:], input="{}")
    assert str(done.exception) == f"FlightTo is a view of AirportDeparture, and {said}: name AirportDeparture"
