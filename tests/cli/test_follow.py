"""``btmodel follow``: changes on the terminal."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import btmodel as bt
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.pytest_plugin import Instances
from btmodel.rows import Cell, Delete, Mutation
from examples.market import Trade

MODELS = '''
import btmodel as bt


class Quote(bt.Model, table=bt.table("quote", change_stream="1d"), events="1/s"):
    """A quote."""

    symbol: str = bt.key(bt.Text(max_length=8), cardinality=1_000)
    md = bt.family("md", gc=bt.max_versions(1))
    tagged = bt.family("tags", gc=bt.max_versions(1))
    bid: float | None = bt.column("bid", md, default=None)
    venue: str | None = bt.column("venue", md, default=None)
    tags: dict[str, str] = bt.mapping(tagged, bt.Text(max_length=20), entries=3)
'''


@pytest.fixture
def db(bigtable: Instances, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bt.Database:
    """An instance with changes that need care, and the module of their model in the current folder."""
    (tmp_path / "follow_models.py").write_text(MODELS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    sys.modules.pop("follow_models", None)
    from importlib import import_module

    db = bigtable(import_module("follow_models").Quote)
    monkeypatch.setenv("BTMODEL_INSTANCE", db.target.instance)
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)
    return db


def follow(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["follow", "-m", "follow_models", "Quote", *arguments])


def write(db: bt.Database, key: bytes, *cells: Cell, deletes: tuple[Delete, ...] = ()) -> None:
    db.write(Mutation("quote", key, cells, deletes))


def test_changes_are_lines(db: bt.Database) -> None:
    """A line has the key and what was done; control bytes of keys and values are escaped, and broken cells told."""
    since = datetime.now(UTC).isoformat()
    write(db, b"IBM", Cell("md", b"venue", 1_000, b"a\x1b[31mb"), Cell("tags", b"x", 1_000, b"1"))
    write(db, b"IBM", Cell("md", b"bid", 1_000, b"?"), deletes=(Delete("md", b"venue"), Delete("tags", b"x")))
    write(db, b"a\x1b\n\xff", Cell("md", b"other", 1_000, b"\x07"))
    write(db, b"IBM", deletes=(Delete(),))
    done = follow("--since", since, "--until", "now")
    assert done.exit_code == 0, done.output
    first, second, third, fourth = done.stdout.splitlines()
    assert first.endswith('user  IBM  venue=a\\x1b[31mb  tags={"x": "1"}')
    assert "-venue  -tags['x']  ! " in second
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout
    assert "a\\x1b" in third
    assert "? " in third
    assert fourth.endswith("IBM  deleted the row")


def test_changes_are_json(db: bt.Database) -> None:
    """Each line of JSON has the key by fields, the values as rows have them, and an id."""
    since = datetime.now(UTC).isoformat()
    write(db, b"IBM", Cell("md", b"bid", 1_000, b"\x7f\xf0" + bytes(6)), Cell("tags", b"x", 1_000, b"1"))
    write(db, b"too long a symbol", Cell("md", b"other", 1_000, b"1"))
    one, two = (
        json.loads(line) for line in follow("--since", since, "--json", "--limit", "2").stdout.splitlines()
    )
    assert one["key"] == {"symbol": "IBM"}
    assert one["set"] == {"bid": "inf", "tags": {"x": "1"}}
    assert one["by"] == "user"
    assert len(one["id"]) == 32
    assert two["key"] is None
    assert two["row_key"] == "too long a symbol"
    assert "other" in two["unknown"][0]


def test_a_file_goes_on_and_ctrl_c_ends(db: bt.Database, tmp_path: Path) -> None:
    """Ctrl-C ends it with 0 and saves the position, behind which the next one goes on."""
    since = datetime.now(UTC).isoformat()
    for number in range(3):
        write(db, b"Q%d" % number, Cell("md", b"venue", 1_000, b"x"))
    command = [sys.executable, "-m", "btmodel", "follow", "-m", "follow_models", "Quote", "--since", since]
    command += ["--store", "position"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        found = [process.stdout.readline() for _ in range(3)]
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
    assert process.returncode == 0, errors
    assert "Q2" in found[2]
    assert "stopped" in errors
    write(db, b"Q9", Cell("md", b"venue", 1_000, b"x"))
    done = follow("--store", "position", "--limit", "1")
    # The last change was being printed when it was stopped, or was done.
    assert done.stdout.count("Q") == 1
    assert "Q9" in done.stdout or "Q2" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--since", "yesterday"], "such as 2h or 30m"),
        (["--since", "2d"], "does not reach back so far"),
        (["--since", "30m"], "does not reach back so far"),  # as the message advises
    ],
)
def test_wrong_times_are_refused(db: bt.Database, arguments: list[str], told: str) -> None:
    """A time that is none, or that the stream does not reach back to, is an error that says so."""
    done = follow(*arguments)
    assert done.exit_code == 1
    assert told in str(done.exception) + done.output


def test_the_earliest_moment_of_a_young_stream_is_said(db: bt.Database) -> None:
    """The error says when the stream was enabled, as --since takes it: from then on it follows."""
    done = follow("--since", "30m", "--until", "now")
    [earliest] = re.findall(r"start_time is before (\S+),", str(done.exception))
    assert follow("--since", earliest, "--until", "now").exit_code == 0


def test_a_table_without_a_stream(db: bt.Database) -> None:
    """What the server refuses, and how to get a stream."""
    bt.create_tables(db, Trade)
    done = CliRunner().invoke(group, ["follow", "-m", "examples.market", "Trade", "--until", "now"])
    assert done.exit_code == 1
    assert (
        'Trade declares no change stream: state one, as in table=bt.table("ID", change_stream="3d")'
        in str(done.exception)
    )


TWINS = '''

class ByVenue(bt.Model, table="by_venue", events="1/s"):
    """Quotes by venue."""

    venue: str = bt.key(bt.Text(max_length=8), cardinality=1_000)
    symbol: str = bt.key(bt.Text(max_length=8), cardinality=1_000)
    md = bt.family("md", gc=bt.max_versions(1))
    bid: float | None = bt.column("bid", md, default=None)


def by_venue(quote: Quote) -> ByVenue | None:
    return None if quote.venue is None else ByVenue(venue=quote.venue, symbol=quote.symbol, bid=quote.bid)


QUOTES = bt.twins(Quote, (ByVenue, by_venue))
'''


def test_twins_are_repaired(db: bt.Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A twin that a writer left out is written and printed; a row that does not decode is named, with exit code 1; orphans stay."""
    (tmp_path / "twin_models.py").write_text(MODELS + TWINS)
    sys.modules.pop("twin_models", None)
    from importlib import import_module

    models = import_module("twin_models")
    bt.create_tables(db, models.Quote, models.ByVenue)

    def repair(*arguments: str) -> Result:
        command = ["follow", "-m", "twin_models", *arguments, "--repair", "--since", since, "--until", "now"]
        return CliRunner().invoke(group, command)

    since = datetime.now(UTC).isoformat()
    write(
        db,
        b"IBM",
        Cell("md", b"venue", 1_000, b"NYSE"),
        Cell("md", b"bid", 1_000, b"@\x00\x00\x00\x00\x00\x00\x00"),
    )
    write(db, b"GONE", Cell("md", b"venue", 1_000, b"NYSE"))
    db.write(Mutation("by_venue", b"NYSE#GONE", (Cell("md", b"bid", 1_000, b""),)))
    write(db, b"GONE", deletes=(Delete(),))
    done = repair("Quote")
    assert (done.exit_code, done.stdout) == (0, "IBM  wrote by_venue  NYSE#IBM\n"), done.output
    assert [key for key, _ in db.cells("by_venue")] == [b"NYSE#GONE", b"NYSE#IBM"]
    assert repair("Quote").stdout == ""  # nothing is left to do
    write(db, b"BAD", Cell("md", b"bid", 1_000, b"?"))
    done = repair("Quote", "--json")
    assert done.exit_code == 1
    [line] = map(json.loads, done.stdout.splitlines())
    assert (line["row_key"], line["twin"]) == ("BAD", None)
    assert "bid" in line["error"]
    done = repair("ByVenue")
    assert done.exit_code == 1
    assert "expected a model that is the source of bt.twins" in str(done.exception)
