"""The shared server of a local file is killed: whatever a program or a command does, it goes on at the next server."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread

import pytest
from click.testing import CliRunner, Result
from file_user import FileUser, killed, server_of, taken
from google.cloud.bigtable.data import BigtableDataClient

import btmodel as bt
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.client.admin import Admin
from btmodel.rows import Cell, Delete, Mutation
from btmodel.schema import Family, KeepAll, Table
from examples.generated.quote_repository import QuoteRepository
from examples.market import QUOTE_TIME, Quote


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The name of a file that is not there yet."""
    return tmp_path / "dev.db"


def with_table(db: bt.Database) -> None:
    """Make a table that has one row."""
    with Admin(db.target) as admin:
        admin.create_table(Table("t", (Family("cf", KeepAll()),)))
    db.write(Mutation("t", b"k", [Cell("cf", b"q", 1000, b"v")]))


def test_another_port(file: Path) -> None:
    """Where another program has the old port, connections follow the server to its new one."""
    with bt.connect(f"local:{file}") as db, FileUser(file) as other:
        with_table(db)
        assert other.ask("connect") == db.target.host
        port = int(str(db.target.host).rpartition(":")[2])
        killed(file)
        with taken(port):
            assert len(list(db.cells("t"))) == 1
            assert db.target.address != db.target.host
            assert other.ask("rows") == "1"
            with Admin(db.target) as admin:
                assert [table.id for table in admin.read_tables()] == ["t"]
            assert asyncio.run(counted_rows(file)) == 1


async def counted_rows(file: Path) -> int:
    """The rows of the table, as asyncio reads them."""
    async with bt.connect_async(f"local:{file}") as db:
        return len([row async for row in db.cells("t")])


@pytest.mark.parametrize("plane", ["btmodel", "client"])
def test_a_replacement_that_is_killed_while_it_starts(file: Path, plane: bt.DataPlane) -> None:
    """Connections of all processes find the server that comes after it, wherever that is."""

    async def followed() -> None:
        async with bt.connect_async(f"local:{file}", data_plane=plane) as waiting:
            assert len([row async for row in waiting.cells("t")]) == 1
            killed(file)
            dying.ask("die_as_owner")
            assert not Path(f"{file}.lock").read_text().split()[1:]  # where the server was is forgotten
            new = third.ask("connect")
            assert new != db.target.host
            assert len([row async for row in waiting.cells("t")]) == 1
            assert len(list(db.cells("t"))) == 1
            assert other.ask("rows") == third.ask("rows") == "1"
            assert db.target.address == new

    with (
        bt.connect(f"local:{file}", data_plane=plane) as db,
        FileUser(file) as other,
        FileUser(file) as dying,
        FileUser(file) as third,
    ):
        with_table(db)
        assert other.ask("connect") == db.target.host
        asyncio.run(followed())


@pytest.mark.parametrize("plane", ["btmodel", "client"])
def test_reads_go_on_soon(file: Path, plane: bt.DataPlane) -> None:
    """A read and a scan have their answer as soon as a new server is there, whoever makes their attempts."""
    began = time.perf_counter()
    with bt.connect(f"local:{file}", data_plane=plane) as db:
        bt.create_tables(db, Quote)
        quotes = QuoteRepository(db)
        # The first start of a server shows how busy the machine is; where it has nothing else to do, both take about 0.6.
        enough = 3 + 3 * (time.perf_counter() - began)

        def one() -> None:
            assert quotes.get("NASDAQ", "ZXZZT", QUOTE_TIME) is None

        def several() -> None:
            assert list(db.cells("QUOTE")) == []

        for read in (one, several):
            read()
            killed(file)
            began = time.perf_counter()
            read()
            assert time.perf_counter() - began < enough


MODELS = """
import btmodel as bt

""" + "\n".join(
    f"""
class Model{at}(bt.Model, table="TABLE{at}"):
    "A table."
    symbol: str = bt.key(bt.Text(width=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("BID", md, default=None)
"""
    for at in range(12)
)


@pytest.fixture
def run(file: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs ``btmodel`` with these arguments, in a project with a dozen models on that file."""
    module = f"models_{uuid.uuid4().hex}"
    (file.parent / f"{module}.py").write_text(MODELS)
    (file.parent / "pyproject.toml").write_text(
        f'[tool.btmodel]\nmodels = ["{module}"]\ninstance = "local:{file}"\n'
    )
    monkeypatch.chdir(file.parent)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)
    return lambda *arguments: CliRunner().invoke(group, arguments)


_KILLS = 4


@contextmanager
def killing(file: Path, seconds: float) -> Iterator[list[int]]:
    """Kill whichever server the file has, four times, about so many seconds after it is there; the servers.

    No oftener: what needs longer than a server lives, as SQL does, whose front end starts with each server, would never be answered.
    On a machine that is so busy that servers start slowly, commands are slow too, and get more time.
    """
    over, servers = Event(), list[int]()
    chance = random.Random(1)

    def kill() -> None:
        gone = time.monotonic()
        while len(servers) < _KILLS and not over.wait(0.02):
            try:
                words = Path(f"{file}.lock").read_text().split()
                # One that only starts would be killed each time.
                if not words[1:] or int(words[0]) in servers:
                    continue
                start = time.monotonic() - gone if servers else 0
                if over.wait(seconds * (0.5 + chance.random()) + max(0, start - 1)):
                    return
                os.kill(int(words[0]), signal.SIGKILL)
                servers.append(int(words[0]))
                gone = time.monotonic()
            except (OSError, IndexError):
                pass

    thread = Thread(target=kill)
    thread.start()
    try:
        yield servers
    finally:
        over.set()
        thread.join()


def test_a_server_that_hangs_is_given_up_at_the_admin_deadline(file: Path) -> None:
    """A server that hangs, and so is not replaced, is not asked again once the deadline is over."""
    with bt.connect(f"local:{file}", deadline={"admin": 1}) as db, Admin(db.target, db.options) as admin:
        assert admin.read_tables() == ()
        pid = server_of(file)
        os.kill(pid, signal.SIGSTOP)
        while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
            time.sleep(0.01)
        begun = time.monotonic()
        try:
            with pytest.raises(bt.Unanswered, match="no answer from"):
                admin.read_tables()
            assert time.monotonic() - begun < 5
        finally:
            os.kill(pid, signal.SIGCONT)


def test_commands_and_tables_go_on(file: Path, run: Callable[..., Result]) -> None:
    """Commands and `create_tables` do what they do while the server is killed under them, several times in all."""
    with bt.connect(f"local:{file}") as db, killing(file, 1.0) as servers:
        while len(servers) < _KILLS:
            for command in (
                ("migrate", "--yes"),
                ("migrate", "plan"),
                ("verify-service",),
                ("inspect", f"local:{file}"),
            ):
                done = run(*command)
                # SQL and views are among what verify-service looks at, and need newer libraries than the oldest.
                old = find_spec("zetasql") is None or not hasattr(BigtableDataClient, "get_materialized_view")
                assert done.exit_code == 0 or (old and command == ("verify-service",)), done.output
            bt.create_tables(db, Quote)
            for at in range(12):
                db.write(Mutation(f"TABLE{at}", b"k", deletes=(Delete(),)))
